"""The error for a message with a header whose flag is clear.

Decoders take the header for what follows it, so they stop somewhere behind.  If the message can be decoded
with exactly one flag set that is clear, and with nothing left, this flag is what is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.definitions.relations import PRESENT
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import Flags
from msmq_wire.records.record import record_class, size_of_record
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.refusals import Problem, say

if TYPE_CHECKING:
    from msmq_wire.values.limits import Limits

__all__ = ["unannounced"]

_MESSAGE = "UserMessage"
_LEAST_SECURITY = 16 + 8
"""The header, and a security identifier without subauthorities."""
_PARTS = ("TransactionHeader", "SecurityHeader", "DebugHeader", "SoapHeader", "MultiQueueFormatHeader")


def unannounced(data: bytes, limits: Limits) -> DecodeError | None:
    """Return the error about the one clear flag whose header is there; None if there is none."""
    errors = [error for part in _PARTS if (error := _announced(data, part, limits)) is not None]
    return errors[0] if len(errors) == 1 else None


def _announced(data: bytes, part: str, limits: Limits) -> DecodeError | None:
    path = PRESENT[f"{_MESSAGE}.{part}"]
    header, name, group = path.split(".")
    message = structures()[_MESSAGE]
    (inner,) = message.by_name[header].structures
    word, bits = inner.at(f"{name}.{group}")
    if bits is None:
        return None
    at = message.offset_of(header) + inner.offset_of(name)
    size = word.kind_as(Flags).size
    number = int.from_bytes(data[at : at + size], "little")
    if len(data) < at + size or number & bits.mask:
        return None
    changed = data[:at] + (number | bits.mask).to_bytes(size, "little") + data[at + size :]
    try:
        record = record_class(_MESSAGE).decode(changed, limits=limits)
    except DecodeError:
        return None
    if record.ExtensionHeader is not None:
        return None  # bytes are left that only remote reads have
    if part == "SecurityHeader" and size_of_record(record.SecurityHeader) < _LEAST_SECURITY:
        return None  # a TransactionHeader, because no identifier, signature or key is so short
    return DecodeError(
        say(Problem.FLAG, f"1 with {part}", 0),
        structure=inner.name,
        path=f"{_MESSAGE}.{path}",
        offset=at,
        expected=1,
        actual=0,
    )
