"""Packets that cannot be read whole, and their rows of `messages`.

1. A packet that is truncated by a gap, a snap length or the end of a flow, or that is damaged, is a piece but
   not a packet.  Its bytes are in `quarantine`.
2. A row has only values whose offset is certain; all others are null.
3. A packet without its beginning produces no row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.messages import MESSAGES as INTERPRETED
from msmq_wire.arrow.messages import fields_of
from msmq_wire.captures.schemas import plain
from msmq_wire.packets.lax import decode_lax
from msmq_wire.packets.marks import SIGNATURE_AT, SIGNATURE_BYTES, VERSION_BYTES
from msmq_wire.packets.reassembly import Kind

from .messages import MESSAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .packets import Worker

__all__ = ["PARTS", "are_begun", "are_parts", "partial_messages"]

PARTS: Final = (str(Kind.UNREADABLE), str(Kind.HEAD), str(Kind.TAIL))
"""The kinds of pieces that may begin with a packet that cannot be read whole."""
_SIZE: Final = "BaseHeader.PacketSize"


def are_parts(pieces: pa.RecordBatch) -> pa.Array:
    """Return which pieces are parts of packets that include the beginning."""
    data, start = pieces.column("data"), SIGNATURE_AT
    marked = pc.and_(
        pc.equal(pc.binary_slice(data, 0, len(VERSION_BYTES)), VERSION_BYTES),
        pc.equal(pc.binary_slice(data, start, start + len(SIGNATURE_BYTES)), SIGNATURE_BYTES),
    )
    return pc.and_(pc.is_in(pieces.column("kind"), pa.array(PARTS)), pc.fill_null(marked, False))


def are_begun(pieces: pa.RecordBatch) -> pa.Array:
    """Return which pieces are packets, or parts of packets that include the beginning."""
    return pc.or_(pc.equal(pieces.column("kind"), str(Kind.PACKET)), are_parts(pieces))


def partial_messages() -> Worker:
    """Return the worker that creates rows of `messages` from rows of `packets` that are parts of messages."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for packets in batches:
            known = pc.and_(
                pc.equal(packets.column("type"), "UserMessage"), packets.column("message").is_valid()
            )
            batch = packets.filter(pc.and_(packets.column("partial"), known))
            fields = fields_of(batch, (*INTERPRETED.partial_fields, _SIZE))
            columns = {name: batch.column(name) for name in batch.schema.names}
            columns |= INTERPRETED.arrays(fields, len(batch), truncated=_truncated(batch.column("data")))
            columns["packet_size"] = fields[_SIZE].cast(pa.int64())
            arrays = [columns[name] for name in MESSAGES.names]
            yield pa.RecordBatch.from_arrays(arrays, schema=plain(MESSAGES))

    return run


def _truncated(data: pa.Array) -> dict[str, pa.Array]:
    """Return what was captured of those fields that are truncated and of use in part, by path."""
    cuts = [decode_lax(part.as_py()).cut for part in data]
    return {
        path: pa.array([cut.value if cut and cut.path == path else None for cut in cuts])
        for path in INTERPRETED.truncated
    }
