"""How many messages a source sends to a host in a minute, for the pattern ``message-flood``.

1. The minutes of one direction of a connection are counted; only those with many messages are kept.
2. The result does not depend on how messages are divided into batches: a minute ends with the first message
   of another minute.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.distinct import Distinct
from msmq_wire.captures.rows.packets import CARRIED

if TYPE_CHECKING:
    from .joining import Facts

__all__ = ["ALL", "Bursts"]

ALL: Final = -1
"""The number that stands for all minutes."""
_POSITION: Final = [name for name, _, _ in CARRIED]
_MINUTE: Final = 60_000_000
_MANY: Final = 100
"""The minimum number of messages in a minute of a connection for the minute to be kept."""


class _Run(NamedTuple):
    """Messages of one direction of a connection in one minute.

    Attributes:
        row: The position of the first.
        minute: The minute.
        total: Number of messages.
        until: Time of the last one, in microseconds since 1970.
    """

    row: dict[str, Any]
    minute: int
    total: int
    until: int


class Bursts:
    """Counts the messages of connections.

    Args:
        joined: Where the counts go.
    """

    def __init__(self, joined: Facts) -> None:
        self._joined = joined
        self._open: dict[tuple[str, str], _Run] = {}

    def add(self, messages: pa.RecordBatch) -> None:
        """Add rows of `messages`, those of a flow in order."""
        counted = pc.and_not(pc.equal(messages.column("channel"), "session"), messages.column("partial"))
        for name in ("time", "src", "dst"):
            counted = pc.and_(counted, messages.column(name).is_valid())
        rows = messages.select([*_POSITION]).filter(counted)
        if not len(rows):
            return
        flow = Distinct(rows.column("sensor"), rows.column("flow")).indices.to_numpy()
        order = np.argsort(flow, kind="stable")
        flow, time = flow[order], rows.column("time").cast(pa.int64()).to_numpy()[order]
        minute = time // _MINUTE
        begins = np.append(True, flow[1:] != flow[:-1])
        starts = np.flatnonzero(begins | np.append(True, minute[1:] != minute[:-1]))
        counts, until = np.diff(np.append(starts, len(flow))), np.maximum.reduceat(time, starts)
        is_first = begins[starts]
        is_last = np.append(is_first[1:], True)
        chosen = np.flatnonzero(is_first | is_last | (counts >= _MANY))
        at = starts[chosen]
        positions = rows.take(pa.array(order[at])).to_pylist()
        for position, *run, goes_on in zip(
            positions,
            minute[at].tolist(),
            counts[chosen].tolist(),
            until[chosen].tolist(),
            is_first[chosen].tolist(),
            strict=True,
        ):
            self._take(_Run(position, *run), goes_on=goes_on)
        (whole,) = begins.nonzero()
        sums, ends = np.diff(np.append(whole, len(flow))), np.maximum.reduceat(time, whole)
        totals = rows.take(pa.array(order[whole])).to_pylist()
        for position, count, end in zip(totals, sums.tolist(), ends.tolist(), strict=True):
            self._keep(_Run(position, ALL, count, end))

    def close(self) -> None:
        """Count the last minutes, too."""
        for run in self._open.values():
            if run.total >= _MANY:
                self._keep(run)
        self._open.clear()

    def _take(self, run: _Run, *, goes_on: bool) -> None:
        """Take the next messages of a flow; `goes_on`: whether they follow those of the last batch."""
        key = run.row["sensor"], run.row["flow"]
        before = self._open.get(key)
        if before is not None and goes_on and before.minute == run.minute:
            run = _Run(before.row, run.minute, before.total + run.total, max(before.until, run.until))
        elif before is not None and before.total >= _MANY:
            self._keep(before)
        self._open[key] = run

    def _keep(self, run: _Run) -> None:
        src, dst = run.row["src"], run.row["dst"]
        self._joined.add(
            "messages", f"messages {dst}", src, run.row, run.until, number=run.minute, count=run.total
        )
