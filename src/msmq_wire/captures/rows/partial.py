"""Packets that cannot be read whole, and their rows of `messages`.

1. A packet that is truncated by a gap, a snap length or the end of a flow, or that is damaged, is a piece but
   not a packet.  Its bytes are in `quarantine`.
2. A row has only values whose offset is certain; all others are null, and in `problems`.  There is a row
   even if only the type is certain.
3. A packet without its beginning produces no row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.messages import MESSAGES as INTERPRETED
from msmq_wire.arrow.messages import fields_of
from msmq_wire.captures.schemas import plain
from msmq_wire.checks.parts import PartialRecord, is_whole, part_of
from msmq_wire.packets.lax import decode_part
from msmq_wire.packets.packet_starts import PACKET_SIZE, SIGNATURE_AT, SIGNATURE_BYTES, VERSION_BYTES
from msmq_wire.packets.partial import nested
from msmq_wire.packets.reassembly import PARTS, Kind
from msmq_wire.records.model import Nested, structures

from .messages import MESSAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .packets import Worker

_NEEDED: Final = {*MESSAGES.names, "data", "BaseHeader"}
"""The columns of `packets` that are read; the others need not be copied."""


def are_parts(pieces: pa.RecordBatch) -> pa.Array:
    """Return which pieces are parts of packets that include the beginning."""
    data, start = pieces.column("data"), SIGNATURE_AT
    marked = pc.and_(
        pc.equal(pc.binary_slice(data, 0, len(VERSION_BYTES)), VERSION_BYTES),
        pc.equal(pc.binary_slice(data, start, start + len(SIGNATURE_BYTES)), SIGNATURE_BYTES),
    )
    return pc.and_(pc.is_in(pieces.column("kind"), pa.array(sorted(PARTS))), pc.fill_null(marked, False))


def are_begun(pieces: pa.RecordBatch) -> pa.Array:
    """Return which pieces are packets, or parts of packets that include the beginning."""
    return pc.or_(pc.equal(pieces.column("kind"), str(Kind.PACKET)), are_parts(pieces))


def partial_messages() -> Worker:
    """Return the worker that creates rows of `messages` from rows of `packets` that are parts of messages."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for packets in batches:
            is_message = pc.equal(packets.column("type"), "UserMessage")
            needed = [name for name in packets.schema.names if name in _NEEDED]
            batch = packets.select(needed).filter(pc.and_(packets.column("partial"), is_message))
            rows = [_row(part) for part in batch.column("data").to_pylist()]
            columns = {name: batch.column(name) for name in batch.schema.names}
            columns |= {
                field.name: pa.array([row[field.name] for row in rows], field.type)
                for field in INTERPRETED.schema
            }
            columns["packet_size"] = fields_of(batch, (PACKET_SIZE,))[PACKET_SIZE].cast(pa.int64())
            arrays = [columns[name] for name in MESSAGES.names]
            yield pa.RecordBatch.from_arrays(arrays, schema=plain(MESSAGES))

    return run


def _row(data: bytes) -> dict[str, Any]:
    """Return the columns of a message of which only a part can be read."""
    result = decode_part(data)
    if result.packet is not None:
        return INTERPRETED.row(result.packet)
    captured, cut = None, result.cut
    if cut is not None and cut.path in INTERPRETED.truncated:
        captured = _message({**result.fields, cut.path: cut.value})
    return INTERPRETED.row(_message(result.fields), captured, result.doubtful)


def _message(fields: Mapping[str, Any]) -> Any:
    """Return a message with these fields only."""
    values = nested(fields)
    return _as_read(part_of(structures()["UserMessage"], values), values)


def _as_read(part: Any, certain: Mapping[str, Any]) -> Any:
    """Return a part in the form that columns need: names and lists are known completely or not at all.

    An unknown structure has unknown fields, and differs from an absent one.  A field without bytes is unknown
    even if its size is known.

    Args:
        part: A part; a record is returned unchanged.
        certain: The fields of the part that are known.
    """
    if type(part) is not PartialRecord:
        return part
    values = {
        field.name: PartialRecord(field.kind.structure, {}, {})
        for field in part.layout.fields
        if isinstance(field.kind, Nested)
    }
    for name, value in part.values.items():
        if name in values:
            values[name] = _as_read(value, certain.get(name) or {})
        elif certain.get(name) is None and isinstance(value, str | bytes) and not value:
            continue
        elif is_whole(value):
            values[name] = value
    return PartialRecord(part.layout, values, {})
