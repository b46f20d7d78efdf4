"""Determines which connections are still open, so that their segments are kept for the next increment.

1. The unit is a pair of endpoints of a sensor, so connections with reused ports are kept together.
2. A TCP connection ends when both sides have closed it or one has reset it, and no segment was captured for
   `RetentionPolicy.linger` seconds, because segments may be retransmitted.
3. Other connections end after `RetentionPolicy.idle` seconds without a segment; also those whose beginning
   was not captured, because a file that has it may come later.  Time is that of the captures.
4. For segments of files that arrive late, the seconds begin at the latest capture time of the sensor when
   they arrived, because the next file may be late, too.
5. Input without time, such as pieces of a file of packets, ends when an increment has no more of it.
6. A connection of remote calls does not end before the others of its hosts, which may name its handles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.files.segments import ACK, FIN, RST, SYN
from msmq_wire.captures.flows.buckets import group_by_endpoint_pair
from msmq_wire.captures.flows.connections import group_of
from msmq_wire.packets.remote_reads import FRAME, begins_binding
from msmq_wire.values.times import SECOND

from .timeouts import IDLE, LINGER

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NEVER: Final = -1


class RetentionPolicy(NamedTuple):
    """The parameters of the decision.

    Attributes:
        last: For each sensor, when the last segment of earlier increments was captured, in microseconds
            since 1970.
        idle: As `IDLE`.
        linger: As `LINGER`.
        late: For open pairs whose segments arrived late, `last` of their sensor at that time.
    """

    last: dict[str, int]
    idle: float = IDLE
    linger: float = LINGER
    late: dict[tuple[str, str], int] = {}  # noqa: RUF012  # it is never modified


class _Pair:
    """State of a pair of endpoints: the latest time of each kind of segment in microseconds; -1 for never."""

    __slots__ = ("calls", "fins", "last", "new", "reset", "tcp", "timed")

    def __init__(self) -> None:
        self.fins = [_NEVER, _NEVER]
        self.reset = self.last = _NEVER
        self.calls = self.new = self.tcp = False
        self.timed = True


class Connections:
    """Tracks segments, and determines which pairs of endpoints may continue in the next increment.

    Attributes:
        last: For each sensor, when the last segment was captured, in microseconds since 1970.
    """

    def __init__(self, policy: RetentionPolicy) -> None:
        self._policy = policy
        self.last = dict(policy.last)
        self._opened: dict[tuple[str, str], int] = {}
        self._pairs: dict[tuple[str, str], _Pair] = {}

    def take(self, batch: pa.RecordBatch, *, new: bool) -> None:
        """Process segments.

        Args:
            batch: Rows of `SEGMENTS`.
            new: Whether they are new in this increment.
        """
        keys, of = group_by_endpoint_pair(batch)
        time = batch.column("time").cast(pa.int64()).fill_null(_NEVER).to_numpy()
        flags = batch.column("flags").fill_null(0).to_numpy().astype(np.int64)
        tcp = pc.equal(batch.column("transport"), "tcp").to_numpy(zero_copy_only=False)
        opening = (flags & (SYN | ACK)) == SYN

        def latest(which: NDArray[np.bool_]) -> list[int]:
            last_seen = np.full(len(keys), _NEVER, np.int64)
            np.maximum.at(last_seen, of[which], time[which])
            numbers: list[int] = last_seen.tolist()
            return numbers

        timed = np.ones(len(keys), np.bool_)
        timed[of[time < 0]] = False
        is_tcp, has_calls = np.zeros((2, len(keys)), np.bool_)
        is_tcp[of[tcp]] = True
        has_calls[of[_bindings(batch.column("payload"))]] = True
        columns = (
            latest(np.ones(len(of), np.bool_)), latest(opening), latest((flags & RST) != 0),
            latest((flags & FIN) != 0), timed.tolist(), is_tcp.tolist(),
            has_calls.tolist(),
        )  # fmt: skip
        for (key, forward), last, opened, reset, fin, is_timed, has_tcp, calls in zip(
            keys, *columns, strict=True
        ):
            pair = self._pairs.setdefault(key, _Pair())
            pair.last = max(pair.last, last)
            pair.reset = max(pair.reset, reset)
            pair.fins[forward] = max(pair.fins[forward], fin)
            pair.new |= new
            pair.tcp |= has_tcp
            pair.calls |= calls
            pair.timed &= is_timed
            self._opened[key] = max(self._opened.get(key, _NEVER), opened)
            self.last[key[1]] = max(self.last.get(key[1], _NEVER), last)

    def open(self) -> frozenset[tuple[str, str]]:
        """Return the pairs of endpoints that may continue, each with its sensor."""
        is_open = {key for key, pair in self._pairs.items() if self._is_open(key, pair)}
        groups = {key: (group_of(key[0]), key[1]) for key, pair in self._pairs.items() if pair.calls}
        open_groups = {groups[key] for key in is_open & groups.keys()}
        return frozenset(is_open | {key for key, group in groups.items() if group in open_groups})

    def late(self) -> dict[tuple[str, str], int]:
        """Return those of them whose segments arrived late, as `RetentionPolicy.late`."""
        came = {key: self._reference_time(key, self._pairs[key]) for key in self.open()}
        return {key: time for key, time in came.items() if time > self._pairs[key].last}

    def _reference_time(self, key: tuple[str, str], pair: _Pair) -> int:
        """Return the time from which the seconds count."""
        policy = self._policy
        before = policy.last.get(key[1], _NEVER) if pair.new else policy.late.get(key, _NEVER)
        return max(pair.last, before)

    def _is_open(self, key: tuple[str, str], pair: _Pair) -> bool:
        if not pair.timed:
            return pair.new
        opened = self._opened[key]
        ended = pair.tcp and opened >= 0 and (pair.reset >= opened or min(pair.fins) >= opened)
        waits = self._policy.linger if ended else self._policy.idle
        return self.last[key[1]] - self._reference_time(key, pair) < waits * SECOND


def _bindings(payloads: pa.Array) -> NDArray[np.int64]:
    """Return the rows whose payloads bind remote reads."""
    begun = pc.equal(pc.binary_slice(payloads, 0, 1), FRAME).to_numpy(zero_copy_only=False)
    rows: NDArray[np.int64] = np.flatnonzero(begun)
    binds = [begins_binding(data) for data in payloads.take(pa.array(rows)).to_pylist()]
    return rows[np.array(binds, np.bool_)]


def among(batch: pa.RecordBatch, wanted: frozenset[tuple[str, str]]) -> pa.Array:
    """Return which rows belong to these pairs."""
    keys, of = group_by_endpoint_pair(batch)
    return pa.array(np.array([key in wanted for key, _ in keys], np.bool_)[of])
