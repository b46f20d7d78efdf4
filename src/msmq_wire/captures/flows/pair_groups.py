"""The segments of some pairs of endpoints as flows: their places and their sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.disk import order_of, windows
from msmq_wire.captures.files.segments import ACK, FIN, RST, SYN
from msmq_wire.captures.schemas import CONNECTION_KEY, FLOW, FLOW_NAMES, TIME, plain
from msmq_wire.captures.spool import gathered, portions, rows_of
from msmq_wire.captures.tables import FLOWS, flow_rows, merged, totals

from .connections import LEAST, NONE, flow_of, may_acknowledge, may_be_after_fin, read_order
from .ordering import ORDERED, Segments, flow_codes, placed
from .other_protocols import others_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from msmq_wire.captures.disk import Disk

    from .buckets import Rows
    from .other_protocols import Others

    Numbers = NDArray[np.int64]

UNTIMED: Final = int(np.iinfo(np.int64).max)
"""The number for an unknown time."""
SLAB: Final = 4096
"""Number of rows of which a batch is taken."""
_PLAIN: Final = plain(ORDERED)
_OF_BYTES: Final = ("flags", "length", "captured")
"""What of a segment is about its own flow."""
_ENDS: Final = ("src", "src_port", "dst", "dst_port")


class Shared(NamedTuple):
    """The data that the parts of a bucket share.

    Attributes:
        batches: The batches of the bucket, without payloads.
        payloads: Their payloads.
        starts: The index of the first row of each batch.
        files: The names of files.
        pairs: The pairs of endpoints, each with its sensor.
        disk: Makes files.
    """

    batches: list[pa.RecordBatch]
    payloads: list[pa.Array]
    starts: Numbers
    files: list[str]
    pairs: list[tuple[str, str]]
    disk: Disk


class _Told(NamedTuple):
    """What rows tell of flows.

    Attributes:
        segments: The rows.
        flow: The number of the flow of each.
        stream_offset: The place of its bytes.
        seen: The place up to which its sender had seen the other flow.
        position: Its index among the rows of its pair.
        opened: Whether the beginning of its connection was captured.
        are_acknowledgments: Which rows are those of the other flow, see `PairGroup._acknowledging`.
    """

    segments: Rows
    flow: Numbers
    stream_offset: Numbers
    seen: Numbers
    position: Numbers
    opened: NDArray[np.bool_]
    are_acknowledgments: NDArray[np.bool_]

    @property
    def solid(self) -> NDArray[np.bool_]:
        """Which rows have bytes, a SYN or a FIN."""
        solid: NDArray[np.bool_] = (self.segments.length > 0) | ((self.segments.flags & (SYN | FIN)) != 0)
        return solid


class PairGroup:
    """The segments of some pairs of endpoints.

    Attributes:
        rows: Number of segments.
    """

    def __init__(self, rows: Rows, shared: Shared) -> None:
        """Determine their flows and places.

        Args:
            rows: The segments, pair by pair, in the order of capture.
            shared: The data that they share with other parts.
        """
        self.rows = count = len(rows.pair)
        self._numbers, self._shared = rows, shared
        segments = Segments._make(getattr(rows, name) for name in Segments._fields)
        self._placed = placed(segments, shared.disk)
        first = dict[int, int]()  # the first row of each flow
        for start, stop in windows(0, count):
            codes, index = np.unique(self._codes(slice(start, stop)), return_index=True)
            for code, row in zip(codes.tolist(), (start + index).tolist(), strict=True):
                first.setdefault(code, row)
        self._flow_codes = np.array(sorted(first))
        self._flows = self._flow_columns(np.array([first[code] for code in self._flow_codes.tolist()]))
        self._index = self._described()

    def _codes(self, which: Any) -> Numbers:
        rows = self._numbers
        return flow_codes(rows.pair[which], self._placed.opening[which], rows.forward[which])

    def _flow_of(self, which: Any) -> Numbers:
        """Return the number of the flow of some rows."""
        return np.searchsorted(self._flow_codes, self._codes(which))

    def _other_flow_of(self, which: Any) -> Numbers:
        """Return the number of the other flow of the connection of some rows; -1 if it has no rows."""
        codes = self._codes(which) ^ 1
        flow = np.searchsorted(self._flow_codes, codes)
        return np.where(np.append(self._flow_codes, LEAST)[flow] == codes, flow, -1)

    def _flow_columns(self, rows: Numbers) -> list[pa.Array]:
        """Return the columns of `FLOW`, given a row of each flow."""
        numbers, shared = self._numbers.part(rows), self._shared
        light = rows_of(shared.batches, shared.starts, numbers.row)
        columns = [light.column(name).to_pylist() for name in ("transport", *_ENDS)]
        flows = []
        for pair, opening, forward, file, transport, *ends in zip(
            numbers.pair.tolist(),
            self._placed.opening[rows].tolist(),
            numbers.forward.tolist(),
            numbers.file.tolist(),
            *columns,
            strict=True,
        ):
            name, sensor = shared.pairs[pair]
            values = (sensor, name, transport, shared.files[file], *ends)
            flows.append(flow_of(values, opening, forward=forward))
        fields = [*_PLAIN][: len(FLOW)]
        return [
            pa.array(column, field.type)
            for column, field in zip(zip(*flows, strict=True), fields, strict=True)
        ]

    def _described(self) -> Numbers:
        """Return the rows that describe bytes of flows, as `_told` takes them: by flow and place."""
        placed, disk = self._placed, self._shared.disk
        acknowledging = self._acknowledging()
        told = sum(int(placed.tells[start:stop].sum()) for start, stop in windows(0, self.rows))
        count = told + len(acknowledging)
        index, keys = disk.array(count), disk.array(count)
        index[told:] = ~acknowledging
        low, high = np.full(len(self._flow_codes), UNTIMED), np.full(len(self._flow_codes), -UNTIMED)
        at = 0
        for start, stop in windows(0, self.rows):
            rows = start + np.flatnonzero(placed.tells[start:stop])
            index[at : at + len(rows)] = rows
            at += len(rows)
        for start, stop in windows(0, count):
            _, _, flow, stream_offset = self._located(index[start:stop])
            np.minimum.at(low, flow, stream_offset)
            np.maximum.at(high, flow, stream_offset)
        begin = np.r_[0, np.cumsum(np.where(high < low, 0, read_order(high - low + 1, 0)))]
        for start, stop in windows(0, count):
            rows, _, flow, stream_offset = self._located(index[start:stop])
            keys[start:stop] = begin[flow] + read_order(stream_offset - low[flow], self._numbers.wrong[rows])
        order = order_of(keys, disk)
        if order is None:
            return index
        for start, stop in windows(0, count):
            keys[start:stop] = index[order[start:stop]]
        return keys

    def _acknowledging(self) -> Numbers:
        """Return the rows that acknowledge bytes of the other flow behind all its captured ones.

        For each such flow it is the first row that acknowledges most.  A flow with a FIN has no other bytes.
        A segment with a wrong checksum acknowledges nothing.
        """
        rows, placed = self._numbers, self._placed
        ends, acknowledged = (np.full(len(self._flow_codes), LEAST) for _ in range(2))
        by = np.full(len(self._flow_codes), NONE)
        is_ended, is_solid = (np.zeros(len(self._flow_codes), np.bool_) for _ in range(2))
        for start, stop in windows(0, self.rows):
            telling = start + np.flatnonzero(placed.tells[start:stop])
            flow, flags = self._flow_of(telling), rows.flags[telling]
            np.maximum.at(ends, flow, placed.stream_offset[telling] + rows.length[telling])
            is_ended[flow[(flags & FIN) != 0]] = True
            is_solid[flow[(rows.length[telling] > 0) | ((flags & SYN) != 0)]] = True
        for start, stop in windows(0, self.rows):
            part = slice(start, stop)
            answers = rows.tcp[part] & ((rows.flags[part] & (ACK | RST)) == ACK) & ~rows.wrong[part]
            answering = start + np.flatnonzero(answers)
            flow = self._other_flow_of(answering)
            fits = (flow >= 0) & may_acknowledge(placed.seen[answering], ends[flow])
            answering, flow = answering[fits], flow[fits]
            seen, before = placed.seen[answering], acknowledged[flow]
            np.maximum.at(acknowledged, flow, seen)
            first = (seen == acknowledged[flow]) & (seen > before)
            by[flow[first][::-1]] = answering[first][::-1]
        shows_nothing = may_be_after_fin(acknowledged, ends, is_ended=is_ended)
        acknowledging: Numbers = by[is_solid & ~shows_nothing]
        return acknowledging

    def _located(self, index: Numbers) -> tuple[Numbers, NDArray[np.bool_], Numbers, Numbers]:
        """Return rows, which of them acknowledge bytes of the other flow, and the flow and the place of each.

        Args:
            index: The rows; of one that acknowledges bytes of the other flow, its complement.
        """
        which = index < 0
        rows = np.where(which, ~index, index)
        flow, stream_offset = self._flow_of(rows), self._placed.stream_offset[rows]
        if which.any():
            flow[which] = self._other_flow_of(rows[which])
            stream_offset[which] = self._placed.seen[rows[which]]
        return rows, which, flow, stream_offset

    def _told(self, index: Numbers) -> _Told:
        """Return what rows tell of flows; the argument is that of `_located`."""
        rows, which, flow, stream_offset = self._located(index)
        segments, seen = self._numbers.part(rows), self._placed.seen[rows]
        if which.any():
            seen[which] = LEAST
            nothing = {name: np.where(which, 0, getattr(segments, name)) for name in _OF_BYTES}
            segments = segments._replace(**nothing)
        opened = self._placed.opening[rows] != NONE
        return _Told(segments, flow, stream_offset, seen, self._placed.position[rows], opened, which)

    def flows(self) -> pa.RecordBatch:
        """The table `flows`, of these."""
        if not len(self._index):
            return pa.RecordBatch.from_pylist([], schema=plain(FLOWS))
        sums: dict[str, NDArray[Any]] = {}
        for start, stop in windows(0, len(self._index)):
            told = self._told(self._index[start:stop])
            numbers, flow = told.segments, told.flow
            columns = {
                "stream_offset": told.stream_offset,
                "length": numbers.length,
                "captured": numbers.captured,
                "solid": told.solid,
                "fin": (numbers.flags & FIN) != 0,
                "opened": told.opened,
                "closed": (numbers.flags & (FIN | RST)) != 0,
                "time": np.where((numbers.time == UNTIMED) | told.are_acknowledgments, -1, numbers.time),
                "segments": (~told.are_acknowledgments).astype(np.int64),
            }
            starts = np.flatnonzero(np.r_[True, flow[1:] != flow[:-1]])
            merged(sums, flow[starts], totals(starts, columns), len(self._flow_codes))
        there = np.flatnonzero(sums["segments"])
        keys = [key.take(pa.array(there)) for key in self._flows]
        return flow_rows(keys, {name: values[there] for name, values in sums.items()})

    def others(self, protocols: Mapping[tuple[str, str], str]) -> Others:
        """Count the segments of connections of TCP that have other protocols, by sensor and connection."""
        names = sorted(set(protocols.values()))
        sensors, connections = (self._flows[FLOW_NAMES.index(name)].to_pylist() for name in CONNECTION_KEY)
        number = np.array(
            [
                names.index(protocols[key]) if key in protocols else -1
                for key in zip(sensors, connections, strict=True)
            ]
        )
        return others_of(self._numbered(number), self._shared.files, names)

    def _numbered(self, number: Numbers) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
        """Yield the items that `others_of` counts, given the number of the protocol of each flow."""
        for start, stop in windows(0, self.rows):
            segments, protocol = (
                self._numbers.part(slice(start, stop)),
                number[self._flow_of(slice(start, stop))],
            )
            counted = segments.tcp & (protocol >= 0)
            yield segments.file[counted], protocol[counted], segments.frame_bytes[counted]

    def ordered(self) -> Iterator[pa.RecordBatch]:
        """The rows that describe bytes of their flows, flow by flow, ordered by offset."""
        shared = self._shared
        files = pa.array(shared.files, pa.string())
        at = 0
        while at < len(self._index):
            slab = self._index[at : at + SLAB]
            captured = np.where(slab < 0, 0, self._numbers.captured[slab])
            told = self._told(self._index[at : at + next(portions(captured))[1]])
            at += len(told.flow)
            segments, flow = told.segments, pa.array(told.flow)
            payloads = gathered(shared.payloads, shared.starts, segments.row)
            if told.are_acknowledgments.any():
                payloads = pc.if_else(pa.array(told.are_acknowledgments), pa.scalar(b""), payloads)
            arrays = [
                *(column.take(flow) for column in self._flows),
                *(pa.array(values) for values in (told.stream_offset, told.seen, told.position)),
                pa.array(segments.length.astype(np.int32)),
                pa.array(segments.captured.astype(np.int32)),
                payloads,
                pa.array(segments.time, mask=segments.time == UNTIMED).cast(TIME),
                files.take(pa.array(segments.file)),
                pa.array(segments.frame),
                pa.array(segments.wrong),
                pa.array(told.opened),
                pa.array((segments.flags & (FIN | RST)) != 0),
                pa.array((segments.flags & FIN) != 0),
                pa.array(told.solid),
            ]
            yield pa.RecordBatch.from_arrays(arrays, schema=_PLAIN)
