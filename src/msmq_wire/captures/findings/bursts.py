"""How many messages a source sends to a host in a minute, for the pattern ``message-flood``.

1. The minutes of one direction of a connection are counted; only those with many messages are kept.
2. The result does not depend on how messages are divided into batches: a minute ends with the first message
   of another minute.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.distinct import Distinct
from msmq_wire.captures.rows.packets import CARRIED, POSITION
from msmq_wire.captures.schemas import FLOW_KEY, plain, schema_of
from msmq_wire.values.times import MINUTE

if TYPE_CHECKING:
    from .joining import FactSums

ALL: Final = -1
"""The number that stands for all minutes."""
_MANY: Final = 100
"""The minimum number of messages in a minute of a connection for the minute to be kept."""


_RUNS: Final = plain(
    pa.schema(
        [
            *schema_of(CARRIED),
            ("minute", pa.int64()),
            ("count", pa.int64()),
            ("until", pa.int64()),
            ("goes_on", pa.bool_()),
        ]
    )
)
"""Messages of a flow in one minute, and whether they are the first ones of the flow in a batch."""


class Bursts:
    """Counts the messages of connections.

    Args:
        joined: Where the counts go.
    """

    def __init__(self, joined: FactSums) -> None:
        self._joined = joined
        self._runs: list[pa.RecordBatch] = []

    def add(self, messages: pa.RecordBatch) -> None:
        """Add rows of `messages`, those of a flow in order."""
        counted = pc.and_not(pc.equal(messages.column("channel"), "session"), messages.column("partial"))
        for name in ("time", "src", "dst"):
            counted = pc.and_(counted, messages.column(name).is_valid())
        rows = messages.select([*POSITION]).filter(counted)
        if not len(rows):
            return
        flow = Distinct(*(rows.column(name) for name in FLOW_KEY)).indices.to_numpy()
        order = np.argsort(flow, kind="stable")
        flow, time = flow[order], rows.column("time").cast(pa.int64()).to_numpy()[order]
        minute = time // MINUTE
        begins = np.append(True, flow[1:] != flow[:-1])
        starts = np.flatnonzero(begins | np.append(True, minute[1:] != minute[:-1]))
        counts, until = np.diff(np.append(starts, len(flow))), np.maximum.reduceat(time, starts)
        is_first = begins[starts]
        is_last = np.append(is_first[1:], True)
        chosen = np.flatnonzero(is_first | is_last | (counts >= _MANY))
        at = starts[chosen]
        numbers = (minute[at], counts[chosen], until[chosen], is_first[chosen])
        columns = [*rows.take(pa.array(order[at])).columns, *map(pa.array, numbers)]
        self._runs.append(pa.RecordBatch.from_arrays(columns, schema=_RUNS))
        (whole,) = begins.nonzero()
        sums, ends = np.diff(np.append(whole, len(flow))), np.maximum.reduceat(time, whole)
        self._keep(rows.take(pa.array(order[whole])), ALL, pa.array(sums), pa.array(ends))

    def close(self) -> None:
        """Count the minutes with many messages, those of several batches together."""
        if not self._runs:
            return
        (runs,) = pa.Table.from_batches(self._runs).combine_chunks().to_batches()
        self._runs.clear()
        flow = Distinct(*(runs.column(name) for name in FLOW_KEY)).indices.to_numpy()
        order = np.argsort(flow, kind="stable")
        runs, flow = runs.take(pa.array(order)), flow[order]
        minute, counts, until = (runs.column(name).to_numpy() for name in ("minute", "count", "until"))
        goes_on = runs.column("goes_on").to_numpy(zero_copy_only=False)
        goes_on[1:] &= (flow[1:] == flow[:-1]) & (minute[1:] == minute[:-1])
        goes_on[0] = False
        starts = np.flatnonzero(~goes_on)
        counts, until = np.add.reduceat(counts, starts), np.maximum.reduceat(until, starts)
        many = counts >= _MANY
        rows = runs.take(pa.array(starts[many]))
        self._keep(rows, rows.column("minute"), pa.array(counts[many]), pa.array(until[many]))

    def _keep(self, rows: pa.RecordBatch, minute: Any, counts: pa.Array, until: pa.Array) -> None:
        subject = ("messages", rows.column("dst"))
        self._joined.add("messages", subject, rows.column("src"), rows, until, number=minute, count=counts)
