"""The segments of a pair of endpoints with too many rows for memory; the same as `Bucket`, but in files.

1. The numbers of each row are in a file, in the order of capture, and so are their places.
2. Rows are processed in windows.  What is in memory has a size for each connection and capture file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.disk import order_of, windows
from msmq_wire.captures.files.segments import file_of
from msmq_wire.captures.schemas import TIME, plain
from msmq_wire.captures.spool import batches_of, portions, rows_of
from msmq_wire.captures.tables import FLOWS, flow_rows, merged, totals
from msmq_wire.packets.marks import MARK_SIZE, VERSION
from msmq_wire.packets.mistaken import NAMED_BY, protocol_name

from .buckets import LAST, NAMING, NOT_LIGHT, Endpoints, Others, is_packet, ranks
from .ordering import PASSED, Placed, Segments, flow_columns, placed_on_disk, rows_with_places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from msmq_wire.captures.disk import Disk

    from .buckets import Payloads

    Numbers = NDArray[np.int64]

__all__ = ["Giant"]

_NUMBERS: Final = ("seq", "ack", "flags", "length", "captured", "frame_bytes")
_ROW: Final = np.dtype(
    [
        *((name, np.int64) for name in ("row", "time", "frame", *_NUMBERS)),
        ("file", np.int32),
        *((name, np.bool_) for name in ("forward", "tcp", "udp", "wrong")),
    ]
)
"""The numbers of a segment: `row` is its index among those of the pair, `file` that of its file."""
SLAB: Final = 4096


class Giant:
    """The segments of a pair of endpoints of a sensor, in order.

    Attributes:
        rows: Number of segments.
        others: As in `Bucket`.
        calling: Likewise; of so many segments, none are read for their calls alone.
    """

    calling = None

    def __init__(
        self,
        batches: list[pa.RecordBatch],
        payloads: Payloads,
        which: Numbers,
        ends: tuple[str, str],
        disk: Disk,
    ) -> None:
        """Sort them.

        Args:
            batches: All rows of the bucket.
            payloads: Their payloads.
            which: The indices of the rows of the pair, ascending.
            ends: The pair and the sensor.
            disk: Makes files.
        """
        self.others: Others = []
        self._payloads, self._disk = payloads._replace(which=which), disk
        self._files: list[str] = []
        batches = [batch.drop_columns(NOT_LIGHT) for batch in batches]
        rows, known = self._stored(batches, which)
        self.rows = len(rows)
        if not known and not self._begins(rows):
            self.rows = 0
            self._omit(rows)
            return
        self._rows = rows = self._in_order(rows)
        segments = Segments(
            np.broadcast_to(np.int64(0), len(rows)),
            *(rows[name] for name in ("forward", "tcp", "udp", "seq", "ack", "flags", "length")),
        )
        self._placed = placed_on_disk(segments, disk)
        self._keys, first = self._found_flows()
        light = rows_of(batches, payloads.starts, which[rows["row"][first]])
        for name, text in zip(("pair", "sensor"), ends, strict=True):
            light = light.append_column(name, pa.repeat(pa.scalar(text), len(first)))
        openings = self._placed.opening[first]
        _, self._flows = flow_columns(light, Segments._make(column[first] for column in segments), openings)
        self._index = self._described()

    def _stored(self, batches: list[pa.RecordBatch], which: Numbers) -> tuple[NDArray[Any], bool]:
        """Return the rows in their order of arrival, and whether a packet begins in one of them."""
        rows = self._disk.array(len(which), _ROW)
        files, known, stop = dict[str, int](), False, 0
        for own in batches_of(batches, self._payloads.starts, which):
            start, stop = stop, stop + len(own)
            stored = rows[start:stop]
            known |= bool(pc.any(own.column("marked")).as_py())
            ends = Endpoints(own)
            encoded = own.column("file").dictionary_encode()
            numbers = [files.setdefault(file, len(files)) for file in encoded.dictionary.to_pylist()]
            transport = own.column("transport")
            stored["row"] = np.arange(start, stop)
            stored["time"] = own.column("time").cast(pa.int64()).fill_null(LAST).to_numpy()
            stored["frame"] = own.column("frame").to_numpy()
            for name in _NUMBERS:
                stored[name] = own.column(name).fill_null(0).to_numpy()
            stored["file"] = np.array(numbers, np.int32)[encoded.indices.to_numpy()]
            stored["forward"] = ends.each(ends.forwards)
            stored["tcp"] = pc.equal(transport, "tcp").to_numpy(zero_copy_only=False)
            stored["udp"] = pc.equal(transport, "udp").to_numpy(zero_copy_only=False)
            wrong = pc.fill_null(pc.invert(own.column("checksum")), False)  # a value, not an option
            stored["wrong"] = wrong.to_numpy(zero_copy_only=False)
        self._files = [*files]
        return rows, known

    def _begins(self, rows: NDArray[Any]) -> bool:
        """Return whether a packet begins in a segment that is too short for its mark."""
        keys = self._disk.array(len(rows))
        for start, stop in windows(0, len(rows)):
            part = rows[start:stop]
            key = part["forward"].astype(np.int64) << 32 | part["seq"]
            keys[start:stop] = np.where(part["captured"] > 0, key, -1)
        order = order_of(keys, self._disk)
        by_key = self._arranged(keys, order)

        def payload(at: int) -> bytes:
            row = at if order is None else order[at]
            return self._payloads.one(rows["row"][row])

        for start, stop in windows(0, len(rows)):
            part = rows[start:stop]
            for at in np.flatnonzero((part["captured"] > 0) & (part["captured"] < MARK_SIZE)).tolist():
                data = self._payloads.one(part["row"][at])
                way, seq = int(part["forward"][at]), int(part["seq"][at])
                if data[0] == VERSION and is_packet(data, way, seq, by_key, payload):
                    return True
        return False

    def _omit(self, rows: NDArray[Any]) -> None:
        """Count all rows as others."""
        counts, sizes = np.zeros((2, len(self._files)), np.int64)
        for start, stop in windows(0, len(rows)):
            np.add.at(counts, rows["file"][start:stop], 1)
            np.add.at(sizes, rows["file"][start:stop], rows["frame_bytes"][start:stop])
        protocol = self._protocol(rows)
        for file, count, size in zip(self._files, counts.tolist(), sizes.tolist(), strict=True):
            self.others.append((file_of(file), protocol, count, size))

    def _protocol(self, rows: NDArray[Any]) -> str:
        """Name the protocol by the first segments with bytes of each direction, if it is known."""
        rank = ranks(self._files)
        first = rows[:0]
        for start, stop in windows(0, len(rows)):
            part = rows[start:stop]
            both = np.concatenate([first, part[part["tcp"] & (part["captured"] > 0)]])
            both = both[np.lexsort((both["frame"], rank[both["file"]]))]
            numbers = np.where(both["forward"], np.cumsum(both["forward"]), np.cumsum(~both["forward"]))
            first = both[numbers <= NAMING]
        names = (protocol_name(self._payloads.one(row)[:NAMED_BY]) for row in first["row"].tolist())
        return next(filter(None, names), "")

    def _arranged(self, rows: NDArray[Any], order: Numbers | None) -> NDArray[Any]:
        if order is None:
            return rows
        arranged = self._disk.array(len(rows), rows.dtype)
        for start, stop in windows(0, len(rows)):
            arranged[start:stop] = rows[order[start:stop]]
        return arranged

    def _in_order(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Return the rows in the order of capture: frame by frame of each file, then by their clocks."""
        files = sorted(range(len(self._files)), key=self._files.__getitem__)
        most, counts = np.zeros((2, len(files)), np.int64)
        for start, stop in windows(0, len(rows)):
            np.maximum.at(most, rows["file"][start:stop], rows["frame"][start:stop])
            np.add.at(counts, rows["file"][start:stop], 1)
        begin = np.zeros(len(files), np.int64)  # what makes numbers larger than those of earlier files
        begin[files[1:]] = np.cumsum(most[files[:-1]])
        keys = self._disk.array(len(rows))
        for start, stop in windows(0, len(rows)):
            keys[start:stop] = begin[rows["file"][start:stop]] + rows["frame"][start:stop]
        rows = self._arranged(rows, order_of(keys, self._disk))
        stops = np.cumsum(counts[files]).tolist()
        for start, stop in zip([0, *stops], stops, strict=False):
            set_clock(rows["time"][start:stop], keys[start:stop])
        return self._arranged(rows, order_of(keys, self._disk))

    def _key(self, part: Any) -> Numbers:
        """Return numbers of the flows of rows, in the order of flows."""
        key: Numbers = (self._placed.opening[part] << 1) + self._rows["forward"][part]
        return key

    def _found_flows(self) -> tuple[Numbers, Numbers]:
        """Return the numbers of all flows, and the first row of each."""
        flows = dict[int, int]()
        for start, stop in windows(0, self.rows):
            keys, first = np.unique(self._key(slice(start, stop)), return_index=True)
            for key, row in zip(keys.tolist(), (start + first).tolist(), strict=True):
                flows.setdefault(key, row)
        keys = np.array(sorted(flows))
        return keys, np.array([flows[key] for key in keys.tolist()])

    def _described(self) -> Numbers:
        """Return the rows that describe bytes of their flows, flow by flow, ordered by place."""
        placed = self._placed
        count = sum(int(placed.tells[start:stop].sum()) for start, stop in windows(0, self.rows))
        index, keys = self._disk.array(count), self._disk.array(count)
        low, high = np.full(len(self._keys), LAST), np.full(len(self._keys), -LAST)
        at = 0
        for start, stop in windows(0, self.rows):
            own = start + np.flatnonzero(placed.tells[start:stop])
            index[at : at + len(own)] = own
            at += len(own)
            flow = np.searchsorted(self._keys, self._key(own))
            np.minimum.at(low, flow, placed.place[own])
            np.maximum.at(high, flow, placed.place[own])
        # Twice as many numbers as places, because one is right before the wrong ones of its place.
        begin = np.r_[0, np.cumsum(np.where(high < low, 0, 2 * (high - low + 1)))]
        for start, stop in windows(0, len(index)):
            own = index[start:stop]
            flow = np.searchsorted(self._keys, self._key(own))
            keys[start:stop] = begin[flow] + 2 * (placed.place[own] - low[flow]) + self._rows["wrong"][own]
        arranged: Numbers = self._arranged(index, order_of(keys, self._disk))
        return arranged

    def flows(self) -> pa.RecordBatch:
        """The table `flows`, of these."""
        if not len(self._index):
            return pa.RecordBatch.from_pylist([], schema=plain(FLOWS))
        sums: dict[str, NDArray[Any]] = {}
        for start, stop in windows(0, len(self._index)):
            index = self._index[start:stop]
            own = self._rows[index]
            flow = np.searchsorted(self._keys, self._key(index))
            columns = {
                "place": self._placed.place[index],
                "length": own["length"],
                "captured": own["captured"],
                "solid": (own["length"] > 0) | ((own["flags"] & 3) != 0),
                "fin": (own["flags"] & 1) != 0,
                "opened": self._placed.opening[index] >= 0,
                "closed": (own["flags"] & 5) != 0,
                "time": np.where(own["time"] == LAST, -1, own["time"]),
            }
            starts = np.flatnonzero(np.r_[True, flow[1:] != flow[:-1]])
            merged(sums, flow[starts], totals(starts, columns), len(self._keys))
        there = np.flatnonzero(sums["segments"])
        keys = [key.take(pa.array(there)) for key in self._flows]
        return flow_rows(keys, {name: values[there] for name, values in sums.items()})

    def ordered(self) -> Iterator[pa.RecordBatch]:
        """The rows that describe bytes of their flows, flow by flow, ordered by offset."""
        files = pa.array([*map(file_of, self._files)], pa.string())
        at = 0
        while at < len(self._index):
            captured = self._rows["captured"][self._index[at : at + SLAB]]
            index = self._index[at : at + next(portions(captured))[1]]
            at += len(index)
            rows = self._rows[index]
            passed = {
                "length": pa.array(rows["length"].astype(np.int32)),
                "captured": pa.array(rows["captured"].astype(np.int32)),
                "payload": self._payloads.gathered(rows["row"]),
                "time": pa.array(rows["time"], mask=rows["time"] == LAST).cast(TIME),
                "file": files.take(pa.array(rows["file"])),
                "frame": pa.array(rows["frame"]),
                "checksum": pa.array(~rows["wrong"]),
            }
            placed = Placed._make(column[index] for column in self._placed)
            codes = np.searchsorted(self._keys, self._key(index))
            every = np.arange(len(index))
            yield rows_with_places(
                rows["flags"], placed, (codes, self._flows), every, [passed[name] for name in PASSED]
            )


def set_clock(time: Numbers, clock: Numbers) -> None:
    """Set the clock of the rows of a file: times that never decrease, the least of the following ones."""
    latest = -LAST
    for start, stop in windows(0, len(time)):
        latest = max(latest, int(time[start:stop].max(where=time[start:stop] < LAST, initial=-LAST)))
    after = int(LAST)
    for start, stop in reversed([*windows(0, len(time))]):
        least = np.minimum(np.minimum.accumulate(time[start:stop][::-1])[::-1], after)
        after = int(least[0])
        clock[start:stop] = np.where(least == LAST, latest if latest > -LAST else -1, least)
