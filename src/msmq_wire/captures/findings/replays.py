"""Messages that a host gets from two addresses, for the pattern ``replayed-message``.

1. Buckets give a row for each message that was captured completely; `CARRIED_MESSAGES` has its columns.
   Rows of one queue manager come together.
2. A message is its identifier and the time at which it was sent.  Sensors are compared with themselves only,
   because another one may see the same host at another address.
3. A host that got the message may send it on.  So only an address to which it was not seen going counts, and
   only if its destination has it from another one already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import array_of, ints, joined, order_by, ranks
from msmq_wire.arrow.distinct import Distinct
from msmq_wire.captures.rows.messages import MESSAGES
from msmq_wire.captures.rows.packets import CARRIED
from msmq_wire.captures.schemas import coded, plain, schema_of

from .joining import FINDINGS, finding_row, position_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

REPLAYED: Final = "carried_messages"
"""The name of these rows as gathered rows."""
_KEY: Final = ("source_queue_manager", "message", "sent_at")
CARRIED_MESSAGES: Final = coded(
    [(field.name, field.type) for field in [*schema_of(CARRIED), *(MESSAGES.field(name) for name in _KEY)]],
    "message",
)
"""The columns of `messages` that are compared."""
_ENDS: Final = ("source_queue_manager", "sensor", "src", "dst")
"""The columns that are equal in equal findings."""


def carried_messages(messages: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows of `messages` as rows of `CARRIED_MESSAGES`: those in sessions, with addresses."""
    wanted = pc.and_not(pc.equal(messages.column("channel"), "session"), messages.column("partial"))
    for name in ("time", "message", "src", "dst"):
        wanted = pc.and_(wanted, messages.column(name).is_valid())
    rows = messages.select(CARRIED_MESSAGES.names).filter(pc.fill_null(wanted, False))
    return rows.cast(CARRIED_MESSAGES)


def replay_findings(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield rows of ``findings`` about all messages of some queue managers, one for each two addresses."""
    rows = joined(batches, CARRIED_MESSAGES)
    column = {name: array_of(rows.column(name)) for name in rows.column_names}
    message = _codes(column["sensor"], column["message"], column["sent_at"])
    both = pa.concat_arrays([column["src"], column["dst"]]).dictionary_encode()
    src, dst = np.split(ints(both.indices), 2)
    sent, got = (message * (len(both.dictionary) + 1) + host for host in (src, dst))
    order = order_by(ints(column["time"]), ranks(column["flow"]), ints(column["offset"]))
    order = order[order_by(got[order])]
    begins = np.append(True, np.diff(got[order]) != 0)[: len(order)]
    first = order[np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))]
    is_replayed = (src[order] != src[first]) & ~np.isin(sent[order], got)
    chosen, first = order[is_replayed], first[is_replayed]
    if not len(chosen):
        return
    in_time = np.argsort(ints(column["time"])[chosen], kind="stable")
    chosen, first = chosen[in_time], first[in_time]
    ends = _codes(*(column[name].take(pa.array(chosen)) for name in _ENDS))
    _, at = np.unique(ends, return_index=True)
    _, once = np.unique(np.stack([ends, message[chosen]]), axis=1, return_index=True)
    counts = np.bincount(ends[once])[ends[at]]
    others = column["src"].take(pa.array(first[at])).to_pylist()
    signs = [
        finding_row("replayed-message", row, {"one": other}, count)
        for row, other, count in zip(
            rows.take(pa.array(chosen[at])).to_pylist(), others, counts.tolist(), strict=True
        )
    ]
    yield "findings", pa.RecordBatch.from_pylist(sorted(signs, key=position_key), schema=plain(FINDINGS))


def _codes(*columns: pa.Array) -> NDArray[np.int64]:
    """Return equal numbers for equal rows."""
    codes: NDArray[np.int64] = Distinct(*columns).indices.to_numpy()
    return codes
