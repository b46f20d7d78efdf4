"""Creates rows of `messages` for packets that were not captured completely.

1. A packet that is truncated by a gap, a snap length or the end of a flow, or that is damaged, is a piece but
   not a packet.  Its bytes are in `quarantine`.
2. A row has only values whose offset is certain; all others are null.
3. A packet without its beginning produces no row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.schemas import plain
from msmq_wire.packets.lax import decode_lax
from msmq_wire.packets.marks import SIGNATURE_AT, SIGNATURE_BYTES, VERSION_BYTES
from msmq_wire.packets.reassembly import Kind
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.errors import MsmqWireError

from .messages import MESSAGES
from .packets import CARRIED

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator

    from msmq_wire.packets.partial import LaxResult

    from .packets import Worker

__all__ = ["PARTS", "are_parts", "partial_messages"]

_NAMES: Final = [name for name, _, _ in CARRIED]
_OWN: Final = [field for field in plain(MESSAGES) if field.name not in _NAMES]
PARTS: Final = (str(Kind.HEAD), str(Kind.TAIL), str(Kind.JUNK))
"""The kinds of pieces that may be the beginning of a packet."""
_CLASSES: Final = {int(member): member.name for member in MESSAGE_CLASS_VALUES}
_PLAIN: Final = {
    "body_type": "MessagePropertiesHeader.BodyType",
    "application_tag": "MessagePropertiesHeader.ApplicationTag",
    "packet_size": "BaseHeader.PacketSize",
}
_TEXTS: Final = ("destination", "admin_queue", "response_queue")


def are_parts(pieces: pa.RecordBatch) -> pa.Array:
    """Return which pieces are parts of packets that include the beginning."""
    data, start = pieces.column("data"), SIGNATURE_AT
    marked = pc.and_(
        pc.equal(pc.binary_slice(data, 0, len(VERSION_BYTES)), VERSION_BYTES),
        pc.equal(pc.binary_slice(data, start, start + len(SIGNATURE_BYTES)), SIGNATURE_BYTES),
    )
    return pc.and_(pc.is_in(pieces.column("kind"), pa.array(PARTS)), pc.fill_null(marked, False))


def partial_messages() -> Worker:
    """Return the worker that creates a row of `messages` for each piece that is a part of a message."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for pieces in batches:
            batch = pieces.filter(are_parts(pieces))
            indices: list[int] = []
            rows: list[dict[str, Any]] = []
            for index, data in enumerate(batch.column("data")):
                row = _row(data.as_py())
                if row is not None:
                    indices.append(index)
                    rows.append(row)
            passed = batch.select(_NAMES).take(pa.array(indices, pa.int64()))
            made = [pa.array([row.get(field.name) for row in rows], field.type) for field in _OWN]
            yield pa.RecordBatch.from_arrays([*passed.columns, *made], schema=plain(MESSAGES))

    return run


def _row(data: bytes) -> dict[str, Any] | None:
    """Return the known values of a message; None if this is not a message, or its identifier is missing."""
    result = decode_lax(data)
    if result.error is None or "UserHeader.MessageID" not in result.fields:
        return None
    fields = result.fields
    row: dict[str, Any] = {name: fields.get(path) for name, path in _PLAIN.items()}
    row["priority"] = fields["BaseHeader.Flags"].PR
    row["time_to_reach_queue"] = _seconds(result.headers["BaseHeader"].time_to_reach_queue)
    row["partial"] = True
    row["error"] = str(result.error)
    row["reached"] = result.reached.path if result.reached else None
    row["message"] = f"{fields['UserHeader.SourceQueueManager']}\\{fields['UserHeader.MessageID']}"
    problems: list[str] = []
    if "UserHeader" in result.headers and "UserHeader.Flags" in fields:
        _take(row, result.headers["UserHeader"], problems)
    row["problems"] = problems
    if "UserHeader.Flags" in fields:
        row["recoverable"] = bool(fields["UserHeader.Flags"].DM)
        row["transactional"] = bool(fields["UserHeader.Flags"].TH)
        if row.get("destination") and not fields["UserHeader.Flags"].MQ:
            row["destinations"] = [row["destination"]]
    number = fields.get("MessagePropertiesHeader.MessageClass")
    row["message_class"] = None if number is None else _CLASSES.get(number, str(number))
    label = _as_far(result, "MessagePropertiesHeader.Label")
    row["label"] = None if label is None else _writable(label.removesuffix("\0"))
    row["body"] = _as_far(result, "MessagePropertiesHeader.MessageBody")
    return row


def _take(row: dict[str, Any], header: Any, problems: list[str]) -> None:
    """Add the readings of a complete header."""
    row["sent_at"] = header.sent_at
    row["time_to_be_received"] = _seconds(header.time_to_be_received)
    for name in _TEXTS:
        try:
            value = getattr(header, name)
        except MsmqWireError as error:
            problems.append(_writable(f"{name}: {error}"))
        else:
            row[name] = None if value is None else _writable(str(value))


def _seconds(time: dt.timedelta | None) -> int | None:
    return None if time is None else int(time.total_seconds())


def _as_far(result: LaxResult, path: str) -> Any:
    """Return a field, or its available part."""
    if path in result.fields:
        return result.fields[path]
    return result.cut.value if result.cut and result.cut.path == path else None


def _writable(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
