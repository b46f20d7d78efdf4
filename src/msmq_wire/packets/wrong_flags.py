"""The error for a message with a flag that contradicts its headers.

1. A clear flag whose header is there, and a set flag whose header is missing, let decoders take bytes for
   what they are not, so they stop somewhere behind.  If the message can be decoded with exactly one flag
   changed, and with nothing left, this flag is what is wrong.
2. Bytes after the last header are an ExtensionHeader only if they state its size (errata R12).
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from msmq_wire.definitions.relations import PRESENT
from msmq_wire.documents.layouts import structures
from msmq_wire.records.record import diagnostic_reader, size_of_record
from msmq_wire.records.registry import PACKETS
from msmq_wire.values.errors import DecodeError, left_over
from msmq_wire.values.limits import DEFAULT_LIMITS
from msmq_wire.values.refusals import Problem, say
from msmq_wire.values.reject import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.records.model import Structure
    from msmq_wire.records.spans import FieldSpan
    from msmq_wire.values.limits import Limits

__all__ = ["surplus", "wrong_flag"]

_MESSAGE: Final = "UserMessage"
_LEAST_SECURITY: Final = 16 + 8
"""The header, and a security identifier without subauthorities."""
_OWNERS: Final = ("BaseHeader", "UserHeader", "TransactionHeader", "DebugHeader")
"""The headers whose flags announce others; the flag of a SessionHeader moves nothing."""
_QUEUES: Final = {"UserHeader.Flags.AQ": "AdminQueue", "UserHeader.Flags.RQ": "ResponseQueue"}
_ONLY_CLEARED: Final = {*_QUEUES, "UserHeader.Flags.AH"}
"""Flags that are not tried set: nothing tells the form of a name, and a SoapHeader could be those of AH."""
_BEFORE_SECURITY: Final = {"UserHeader.Flags.SH", "UserHeader.Flags.CQ"}
"""Flags that, if they are tried set, let other bytes be read as a SecurityHeader."""
_EXTENSION: Final = f"{_MESSAGE}.ExtensionHeader"
_TRAILERS: Final = tuple(
    f"{_MESSAGE}.{name}"
    for name in ("ExtensionHeader", "SubqueueHeader", "DeadLetterHeader", "ExtendedAddressHeader")
)


def _announcements() -> Iterator[tuple[str, str, int]]:
    """Yield each flag from its header on, what it announces, and the number that does."""
    for part, expression in PRESENT.items():
        structure, _, name = part.partition(".")
        flag, _, number = expression.partition(" == ")
        path = flag if structure == _MESSAGE else f"{structure}.{flag}"
        if path.split(".")[0] in _OWNERS and name != "SessionHeader" and ".Flags." in path:
            yield path, name, int(number or 1)


_ANNOUNCED: Final = {path: (name, number) for path, name, number in reversed([*_announcements()])}
"""The first part that each flag announces, and the number of the flag that does."""


def wrong_flag(data: bytes, limits: Limits) -> DecodeError | None:
    """Return the error about the one flag that contradicts a message; None if there is none.

    Tries keep the default limit of queues: each may take as much memory as the message.
    """
    limits = limits if limits.queues < DEFAULT_LIMITS.queues else DEFAULT_LIMITS
    words = _flag_words(data, limits)
    errors = [
        error
        for path, (part, number) in (*_ANNOUNCED.items(), *((path, (_QUEUES[path], -1)) for path in _QUEUES))
        if (span := words.get(path.rpartition(".")[0])) is not None
        and (error := _contradiction(data, span, path, part, number, limits)) is not None
    ]
    return errors[0] if len(errors) == 1 else None


def _flag_words(data: bytes, limits: Limits) -> dict[str, FieldSpan]:
    """Return the flags words that can be read, by their path from the message on."""
    reader = diagnostic_reader(data, limits, shown=1)
    with suppress(DecodeError):
        reader.read(structures()[_MESSAGE], 0, len(data))
    return {
        span.path.removeprefix(f"{_MESSAGE}."): span
        for span in reader.spans
        if span.field is not None and span.field.word
    }


def _contradiction(
    data: bytes, span: FieldSpan, path: str, part: str, number: int, limits: Limits
) -> DecodeError | None:
    """Return the error about a flag if the message can be decoded with the other value of it.

    Args:
        data: The message.
        span: The flags word.
        path: The flag.
        part: What it announces.
        number: The value that announces the part; -1 if any but 0 does.
        limits: Bounds for decoding.
    """
    bits = span.structure.at(path.partition(".")[2])[1]
    assert bits is not None  # noqa: S101  # all flags of the table are groups of a word
    word = int.from_bytes(span.cut(data), "little")
    stated = (word & bits.mask) >> bits.shift
    announces = stated != 0 if number < 0 else stated == number
    if path in _ONLY_CLEARED and not announces:
        return None
    other = 0 if announces else number
    changed = word & ~bits.mask | other << bits.shift
    begin, end = span.offset, span.offset + span.size
    if not _is_whole(data[:begin] + changed.to_bytes(span.size, "little") + data[end:], path, limits):
        return None
    expected = f"{other} {'without' if announces else 'with'} {part}"
    is_number = stated in {0, 1} or number < 0
    problem = Problem.PROMISE if announces else Problem.FLAG if is_number else Problem.VALUE
    return DecodeError(
        say(problem, expected, stated),
        structure=span.structure.name,
        path=f"{_MESSAGE}.{path}",
        offset=span.offset,
        expected=other,
        actual=stated,
    )


def _is_whole(data: bytes, path: str, limits: Limits) -> bool:
    """Return whether a message can be decoded, without bytes left that only remote reads have."""
    try:
        record = PACKETS[_MESSAGE](data, len(data), limits)
    except UNREADABLE:
        return False
    security = record.SecurityHeader
    # No identifier, signature or key is so short: it is a TransactionHeader, or a piece of a SecurityHeader.
    taken = path in _BEFORE_SECURITY and security is not None and size_of_record(security) < _LEAST_SECURITY
    label = record.MessagePropertiesHeader.Label
    is_cut = bool(label) and not label.endswith("\0")  # then its length is what is wrong
    return record.ExtensionHeader is None and not taken and not is_cut


def surplus(error: DecodeError, data: bytes, limits: Limits) -> DecodeError | None:
    """Return the error about bytes after the last header that are no ExtensionHeader; None if they are one.

    Args:
        error: The error of a decoder that took them for one.
        data: The message, up to its end.
        limits: Bounds for decoding.
    """
    if not error.path.startswith(_TRAILERS):
        return None
    reader = diagnostic_reader(data, limits, shown=1)
    message = structures()[_MESSAGE]
    with suppress(DecodeError):
        reader.read(message, 0, len(data))
    spans = {span.path: span for span in reader.spans}
    extension: Structure = structures()["ExtensionHeader"]
    stated = spans.get(f"{_EXTENSION}.HeaderSize")
    if stated is not None and stated.value == extension.least_size:
        return None
    return left_over(_MESSAGE, spans[_EXTENSION].offset, len(data))
