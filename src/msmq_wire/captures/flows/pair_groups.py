"""The segments of some pairs of endpoints as flows: their places and their sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from msmq_wire.captures.disk import order_of, windows
from msmq_wire.captures.files.segments import FIN, RST, SYN
from msmq_wire.captures.schemas import CONNECTION_KEY, FLOW, FLOW_NAMES, TIME, plain
from msmq_wire.captures.spool import gathered, portions, rows_of
from msmq_wire.captures.tables import FLOWS, flow_rows, merged, totals

from .connections import NONE, flow_of, read_order
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
        """Return the rows that describe bytes of their flows, flow by flow, ordered by place."""
        placed, disk = self._placed, self._shared.disk
        count = sum(int(placed.tells[start:stop].sum()) for start, stop in windows(0, self.rows))
        index, keys = disk.array(count), disk.array(count)
        low, high = np.full(len(self._flow_codes), UNTIMED), np.full(len(self._flow_codes), -UNTIMED)
        at = 0
        for start, stop in windows(0, self.rows):
            rows = start + np.flatnonzero(placed.tells[start:stop])
            index[at : at + len(rows)] = rows
            at += len(rows)
            flow = self._flow_of(rows)
            np.minimum.at(low, flow, placed.stream_offset[rows])
            np.maximum.at(high, flow, placed.stream_offset[rows])
        begin = np.r_[0, np.cumsum(np.where(high < low, 0, read_order(high - low + 1, 0)))]
        for start, stop in windows(0, count):
            rows = index[start:stop]
            flow = self._flow_of(rows)
            order = read_order(placed.stream_offset[rows] - low[flow], self._numbers.wrong[rows])
            keys[start:stop] = begin[flow] + order
        order = order_of(keys, disk)
        if order is None:
            return index
        for start, stop in windows(0, count):
            keys[start:stop] = index[order[start:stop]]
        return keys

    def flows(self) -> pa.RecordBatch:
        """The table `flows`, of these."""
        if not len(self._index):
            return pa.RecordBatch.from_pylist([], schema=plain(FLOWS))
        sums: dict[str, NDArray[Any]] = {}
        for start, stop in windows(0, len(self._index)):
            index = self._index[start:stop]
            numbers, flow = self._numbers.part(index), self._flow_of(index)
            columns = {
                "stream_offset": self._placed.stream_offset[index],
                "length": numbers.length,
                "captured": numbers.captured,
                "solid": (numbers.length > 0) | ((numbers.flags & (SYN | FIN)) != 0),
                "fin": (numbers.flags & FIN) != 0,
                "opened": self._placed.opening[index] != NONE,
                "closed": (numbers.flags & (FIN | RST)) != 0,
                "time": np.where(numbers.time == UNTIMED, -1, numbers.time),
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
        shared, placed = self._shared, self._placed
        files = pa.array(shared.files, pa.string())
        at = 0
        while at < len(self._index):
            captured = self._numbers.captured[self._index[at : at + SLAB]]
            index = self._index[at : at + next(portions(captured))[1]]
            at += len(index)
            segments, flow = self._numbers.part(index), pa.array(self._flow_of(index))
            arrays = [
                *(column.take(flow) for column in self._flows),
                *(pa.array(values[index]) for values in (placed.stream_offset, placed.seen, placed.position)),
                pa.array(segments.length.astype(np.int32)),
                pa.array(segments.captured.astype(np.int32)),
                gathered(shared.payloads, shared.starts, segments.row),
                pa.array(segments.time, mask=segments.time == UNTIMED).cast(TIME),
                files.take(pa.array(segments.file)),
                pa.array(segments.frame),
                pa.array(segments.wrong),
                pa.array(placed.opening[index] != NONE),
                pa.array((segments.flags & (FIN | RST)) != 0),
                pa.array((segments.flags & FIN) != 0),
                pa.array((segments.length > 0) | ((segments.flags & (SYN | FIN)) != 0)),
            ]
            yield pa.RecordBatch.from_arrays(arrays, schema=_PLAIN)
