"""Buckets of segments: all segments of a pair of endpoints are in one bucket, which sorts them.

1. The numbers of segments are columns, which are in files unless they are small.  They are processed in
   windows; other memory grows with the number of pairs of endpoints and capture files only.
2. The segments of a pair are sorted in the order of capture: frame by frame of each file, and files by their
   clocks.
3. A connection is MSMQ if one of its segments is marked, or is the beginning of a packet whose mark is in
   several segments.  All other connections are omitted and counted, those with the port of MSMQ only
   counted: see `PairGroup.others`.
4. A bucket is divided into parts with whole pairs of endpoints.  A pair with many segments is a part.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.distinct import Distinct
from msmq_wire.captures.disk import WINDOW, Disk, order_of, windows
from msmq_wire.captures.files.segments import content_of, file_of
from msmq_wire.captures.spool import gathered
from msmq_wire.captures.tables import sensor_of
from msmq_wire.packets.beginning import CALLS
from msmq_wire.packets.mistaken import NAMED_BY, protocol_name
from msmq_wire.packets.packet_starts import MARK_SIZE, VERSION, marked
from msmq_wire.packets.remote_reads import begins_binding

from .connections import group_of, pair_of
from .other_protocols import others_of
from .pair_groups import UNTIMED, PairGroup, Shared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from .other_protocols import Others

    Numbers = NDArray[np.int64]
    Bits = NDArray[np.bool_]

NAMING: Final = 3
"""How many segments with bytes of each direction, from the first on, may name the protocol."""
MOST: Final = 1 << 19
"""Number of rows of a part with several pairs of endpoints."""
_NOT_LIGHT: Final = ["payload", "places", "error"]
"""Columns that are not needed to sort segments."""


class Rows(NamedTuple):
    """The numbers of segments, as columns.

    Attributes:
        pair: The number of their pair of endpoints of a sensor; in the order of names.
        row: Index among all rows of the bucket.
        file: Index of the file in `Shared.files`.
        time: Microseconds since 1970; `UNTIMED` if unknown.
        wrong: Whether the checksum is wrong.
        others: As in `SEGMENTS`, or in `ordering.Segments`.
    """

    pair: Numbers
    row: Numbers
    file: Numbers
    frame: Numbers
    time: Numbers
    seq: Numbers
    ack: Numbers
    flags: Numbers
    length: Numbers
    captured: Numbers
    frame_bytes: Numbers
    forward: Bits
    tcp: Bits
    udp: Bits
    wrong: Bits
    marked: Bits

    def part(self, which: Any) -> Rows:
        """Return some rows; of a range a view."""
        return Rows._make(column[which] for column in self)


_COMPARED: Final = 1024
"""Number of segments whose bytes are compared at once."""
_COPIED: Final = ("pair", "time", "forward", "seq", "ack", "flags", "length", "captured")
"""The columns in which copies of a frame are equal."""
_BITS: Final = frozenset({"forward", "tcp", "udp", "wrong", "marked"})
_PASSED: Final = ("frame", "seq", "ack", "flags", "length", "captured", "frame_bytes")


def bucket_numbers(batch: pa.RecordBatch, count: int) -> NDArray[np.int64]:
    """The bucket of each segment; all segments of a pair of endpoints, or of a group, have the same one."""
    ends = EndpointPairs(batch)
    return ends.broadcast([zlib.crc32(group_of(pair).encode()) % count for pair in ends.pairs])


class EndpointPairs:
    """The pairs of endpoints in a table.

    Attributes:
        pairs: The text of each pair, with its transport; for a file of packets, its name.
        forwards: Whether each direction starts at the endpoint that is named first.
    """

    def __init__(self, rows: pa.RecordBatch) -> None:
        transport = rows.column("transport")
        file = pc.if_else(pc.equal(transport, "raw"), rows.column("file"), None)
        ends = (rows.column(name) for name in ("src", "src_port", "dst", "dst_port"))
        ways = Distinct(transport, file, *ends)
        self._way_of = ways.indices.to_numpy()
        self.pairs: list[str] = []
        self.forwards: list[bool] = []
        for way in ways.values:
            pair, forward = pair_of(*way)
            self.pairs.append(pair)
            self.forwards.append(forward)

    def broadcast(self, values: Sequence[Any]) -> NDArray[Any]:
        """For each row, the value of its direction."""
        by_way: NDArray[Any] = np.asarray(values)[self._way_of]
        return by_way


def group_by_endpoint_pair(batch: pa.RecordBatch) -> tuple[list[tuple[tuple[str, str], bool]], Numbers]:
    """The combinations of pair, sensor and direction, and which one each row has.

    A combination is there several times if a sensor has several files.
    """
    ends = EndpointPairs(batch)
    files: Any = batch.column("file").dictionary_encode()
    sensors = [sensor_of(file) for file in files.dictionary.to_pylist()]
    combination = ends.broadcast([*range(len(ends.pairs))]) * len(sensors) + files.indices.to_numpy()
    there, of = np.unique(combination, return_inverse=True)
    keys = [
        ((ends.pairs[way], sensors[sensor]), ends.forwards[way])
        for way, sensor in (divmod(combination, len(sensors)) for combination in there.tolist())
    ]
    return keys, of


class Bucket:
    """The segments of a bucket, in the order of capture of each pair of endpoints.

    Attributes:
        others: As in `Others`.
    """

    def __init__(self, batches: list[pa.RecordBatch], directory: Path) -> None:
        """Sort them.

        Args:
            batches: All rows of the bucket.
            directory: A directory for temporary files.
        """
        starts = np.cumsum([0, *(batch.num_rows for batch in batches)])[:-1]
        self._payloads = [batch.column("payload") for batch in batches], starts
        self._light = [batch.drop_columns(_NOT_LIGHT) for batch in batches]
        self._disk = Disk(directory)
        self._pairs, self._files = dict[tuple[str, str], int](), dict[str, int]()
        self.others: Others = []
        self._rows = rows = self._sorted_by(self._stored(), self._frames)
        may_have_packet = self._known(rows)
        self._calling: Rows | None = None
        if not may_have_packet.all():
            binding = self._omit(rows, may_have_packet)
            if binding.any():
                self._calling = self._sorted_by(self._of_pairs(rows, binding), self._clocks)
            self._rows = self._of_pairs(rows, may_have_packet)
        self._rows = self._sorted_by(self._once(self._rows), self._clocks)

    def parts(self) -> Iterator[PairGroup]:
        """Yield its parts, in the order of pairs."""
        return self._parts_of(self._rows)

    def calling(self) -> Iterator[PairGroup]:
        """Yield the parts of those of `others` that bind remote reads, likewise."""
        return iter(()) if self._calling is None else self._parts_of(self._calling)

    def _parts_of(self, rows: Rows) -> Iterator[PairGroup]:
        counts = self._counts(rows)
        shared = Shared(
            self._light, *self._payloads, [*map(file_of, self._files)], sorted(self._pairs), self._disk
        )
        stops = np.cumsum(counts).tolist()
        start = stop = 0
        for end in (*stops, None):
            if stop > start and (end is None or end - start > MOST):
                yield PairGroup(rows.part(slice(start, stop)), shared)
                start = stop
            stop = end or stop

    def _stored(self) -> Rows:
        """Return the rows in their order of arrival."""
        count = sum(batch.num_rows for batch in self._light)
        rows = self._columns(count)
        stop = 0
        for batch in _joined(self._light):
            start, stop = stop, stop + batch.num_rows
            part_rows = rows.part(slice(start, stop))
            keys, of = group_by_endpoint_pair(batch)
            part_rows.pair[:] = np.array(
                [self._pairs.setdefault(pair, len(self._pairs)) for pair, _ in keys]
            )[of]
            part_rows.forward[:] = np.array([forward for _, forward in keys])[of]
            file = batch.column("file").dictionary_encode()
            names = file.dictionary.to_pylist()
            part_rows.file[:] = np.array([self._files.setdefault(name, len(self._files)) for name in names])[
                file.indices.to_numpy()
            ]
            part_rows.row[:] = np.arange(start, stop)
            part_rows.time[:] = batch.column("time").cast(pa.int64()).fill_null(UNTIMED).to_numpy()
            for name in _PASSED:
                getattr(part_rows, name)[:] = batch.column(name).fill_null(0).to_numpy()
            transport, checksum = batch.column("transport"), batch.column("checksum")
            bits = {
                "tcp": pc.equal(transport, "tcp"),
                "udp": pc.equal(transport, "udp"),
                "wrong": pc.fill_null(pc.invert(checksum), False),  # a value, not an option
                "marked": batch.column("marked"),
            }
            for name, column in bits.items():
                getattr(part_rows, name)[:] = column.to_numpy(zero_copy_only=False)
        rank = np.empty(len(self._pairs), np.int64)
        rank[[self._pairs[pair] for pair in sorted(self._pairs)]] = np.arange(len(self._pairs))
        for start, stop in windows(0, count):
            rows.pair[start:stop] = rank[rows.pair[start:stop]]
        return rows

    def _once(self, rows: Rows) -> Rows:
        """Omit copies of frames: those that another content has with the same time and the same bytes."""
        contents, count = self._contents(), len(rows.row)
        if not count or not contents.any():
            return rows
        columns = [getattr(rows, name) for name in _COPIED]
        key, earliest = self._disk.array(count), rows.time.min()
        for start, stop in windows(0, count):
            pair, time, *rest = (column[start:stop] for column in columns)
            for column in rest:
                key[start:stop] = key[start:stop] * 31 + column
            key[start:stop] &= 63  # so that equal rows are together, also among others of the same time
            key[start:stop] += (pair << 46) + (time - earliest << 6)
        order = order_of(key, self._disk)
        is_copy = self._disk.array(count, np.bool_)
        before = 0  # the first of the rows that are like the last one of the window before
        for start, stop in windows(0, count):
            index = np.arange(start, stop) if order is None else order[start:stop]
            whole = np.r_[before, index]
            begins = np.zeros(len(whole), np.bool_)
            for column in columns:
                begins[1:] |= np.diff(column[whole]) != 0
            first = whole[np.maximum.accumulate(np.where(begins, np.arange(len(whole)), 0))][1:]
            before = int(first[-1])
            others = contents[rows.file[index]] != contents[rows.file[first]]
            others &= (rows.tcp[index] | rows.udp[index]) & (rows.time[index] != UNTIMED)
            pairs = np.stack([index[others], first[others]])
            for at in range(0, pairs.shape[1], _COMPARED):
                later, kept = pairs[:, at : at + _COMPARED]
                payloads = zip(self._payload(rows.row[later]), self._payload(rows.row[kept]), strict=True)
                is_copy[later] = [data == same for data, same in payloads]
        return self._chosen(rows, lambda *part: ~is_copy[slice(*part)]) if is_copy.any() else rows

    def _columns(self, count: int) -> Rows:
        kinds = (np.bool_ if name in _BITS else np.int64 for name in Rows._fields)
        return Rows._make(self._disk.array(count, kind) for kind in kinds)

    def _arranged(self, rows: Rows, order: Numbers) -> Rows:
        arranged = self._columns(len(order))
        for start, stop in windows(0, len(order)):
            index = order[start:stop]
            for column, column_there in zip(rows, arranged, strict=True):
                column_there[start:stop] = column[index]
        return arranged

    def _sorted_by(self, rows: Rows, key_of: Callable[[Rows], Numbers]) -> Rows:
        """Return the rows in the order of their pairs, and those of each pair in the order of a key."""
        key, pair = key_of(rows), rows.pair
        if all(_in_order(key, pair, start, stop) for start, stop in windows(1, len(pair))):
            return rows
        order = order_of(key, self._disk)
        by_key = pair if order is None else self._taken(pair, order)
        by_pair = order_of(by_key, self._disk)
        if by_pair is not None:
            order = by_pair if order is None else self._taken(order, by_pair)
        return rows if order is None else self._arranged(rows, order)

    def _taken(self, column: Numbers, order: Numbers) -> Numbers:
        taken: Numbers = self._disk.array(len(order))
        for start, stop in windows(0, len(order)):
            taken[start:stop] = column[order[start:stop]]
        return taken

    def _contents(self) -> Numbers:
        """Return the place of each file in the order of contents, each by the first name that it had."""
        rank: dict[str, int] = {}
        for path in sorted(self._files):
            rank.setdefault(content_of(path), len(rank))
        return np.array([rank[content_of(path)] for path in self._files], np.int64)

    def _frames(self, rows: Rows) -> Numbers:
        """Return numbers in the order of frames, content by content."""
        contents = self._contents()
        most = np.zeros(len(contents) + 1, np.int64)
        for start, stop in windows(0, len(rows.row)):
            np.maximum.at(most, contents[rows.file[start:stop]] + 1, rows.frame[start:stop])
        before = np.cumsum(most)[contents]
        numbers = self._disk.array(len(rows.row))
        for start, stop in windows(0, len(rows.row)):
            numbers[start:stop] = before[rows.file[start:stop]] + rows.frame[start:stop]
        return numbers

    def _clocks(self, rows: Rows) -> Numbers:
        """Return times that never decrease within a content of a pair."""
        contents, count = self._contents(), len(rows.row)
        clock = self._disk.array(count)
        starts: list[Numbers] = []
        wrong: list[Numbers] = []
        for start, stop in windows(0, count):
            index = np.arange(start, stop)
            before = np.maximum(index - 1, 0)
            begins = rows.pair[start:stop] != rows.pair[before]
            begins |= contents[rows.file[start:stop]] != contents[rows.file[before]]
            begins |= index == 0
            clock[start:stop] = time = rows.time[start:stop]
            starts.append(index[begins])
            wrong.append(index[((time < rows.time[before]) & ~begins) | (time == UNTIMED)])
        runs = np.append(np.concatenate([np.zeros(0, np.int64), *starts]), count)
        set_back = np.concatenate([np.zeros(0, np.int64), *wrong])
        for run in np.unique(np.searchsorted(runs, set_back, side="right") - 1).tolist():
            part = slice(int(runs[run]), int(runs[run + 1]))
            set_clock(rows.time[part], clock[part])
        return clock

    def _counts(self, rows: Rows) -> Numbers:
        """Return the number of rows of each pair."""
        counts = np.zeros(len(self._pairs), np.int64)
        for start, stop in windows(0, len(rows.pair)):
            counts += np.bincount(rows.pair[start:stop], minlength=len(counts))
        return counts

    def _known(self, rows: Rows) -> Bits:
        """Return for each pair whether a packet may begin in one of its segments."""
        may_have_packet = np.zeros(len(self._pairs), np.bool_)
        for start, stop in windows(0, len(rows.pair)):
            may_have_packet[rows.pair[start:stop][rows.marked[start:stop]]] = True
        begun: dict[int, list[int]] = {}
        for start, stop in windows(0, len(rows.pair)):
            part = rows.part(slice(start, stop))
            short = ~may_have_packet[part.pair] & (part.captured > 0) & (part.captured < MARK_SIZE)
            (index,) = short.nonzero()
            for at, data in zip(index.tolist(), self._payload(part.row[index]), strict=True):
                if data[0] == VERSION:
                    begun.setdefault(int(part.pair[at]), []).append(start + at)
        stops = np.cumsum(self._counts(rows)) if begun else ()
        for pair, candidates in begun.items():
            stop = int(stops[pair])
            may_have_packet[pair] = self._begins(
                rows, slice(int(stops[pair - 1]) if pair else 0, stop), candidates
            )
        return may_have_packet

    def _begins(self, rows: Rows, pair: slice, candidates: list[int]) -> bool:
        """Return whether a packet begins in one of some segments that are too short for its mark."""
        keys = self._disk.array(pair.stop - pair.start)
        for start, stop in windows(pair.start, pair.stop):
            part = rows.part(slice(start, stop))
            key = part.forward.astype(np.int64) << 32 | part.seq
            keys[start - pair.start : stop - pair.start] = np.where(part.captured > 0, key, -1)
        order = order_of(keys, self._disk)
        by_key = keys if order is None else self._taken(keys, order)

        def payload(at: int) -> bytes:
            return self._payload(rows.row[[pair.start + int(at if order is None else order[at])]])[0]

        return any(
            is_packet(
                self._payload(rows.row[[at]])[0], int(rows.forward[at]), int(rows.seq[at]), by_key, payload
            )
            for at in candidates
        )

    def _payload(self, rows: Numbers) -> list[bytes]:
        payloads: list[bytes] = gathered(*self._payloads, rows).to_pylist() if len(rows) else []
        return payloads

    def _omit(self, rows: Rows, may_have_packet: Bits) -> Bits:
        """Count the rows of unknown pairs; return for each pair whether it is one that binds remote reads."""
        protocols, binding = self._protocols(rows, may_have_packet)
        names = sorted(set(protocols.values()) | {""})
        number = np.array([names.index(protocols.get(pair, "")) for pair in range(len(may_have_packet))])
        parts = (
            rows.part(slice(start, stop)).part(~may_have_packet[rows.pair[start:stop]])
            for start, stop in windows(0, len(rows.pair))
        )
        self.others = others_of(
            ((part.file, number[part.pair], part.frame_bytes) for part in parts),
            [*map(file_of, self._files)],
            names,
        )
        return binding

    def _protocols(self, rows: Rows, may_have_packet: Bits) -> tuple[dict[int, str], Bits]:
        """Name the protocols of unknown pairs by the first segments of each direction, if known.

        The second result is for each pair whether one of these segments binds remote reads.
        """
        protocols: dict[int, str] = {}
        binding = np.zeros(len(may_have_packet), np.bool_)
        counts = np.zeros(2 * len(may_have_packet), np.int64)
        for start, stop in windows(0, len(rows.pair)):
            part = rows.part(slice(start, stop))
            index = np.flatnonzero(~may_have_packet[part.pair] & part.tcp & (part.captured > 0))
            way = part.pair[index] * 2 + part.forward[index]
            by_way = np.argsort(way, kind="stable")
            begins = np.flatnonzero(np.r_[True, np.diff(way[by_way]) != 0])[: len(way)]
            index_in_way = np.arange(len(way)) - np.repeat(begins, np.diff(np.r_[begins, len(way)]))
            first = by_way[index_in_way + counts[way[by_way]] < NAMING]
            first = index[np.sort(first)]  # in the order of capture
            counts += np.bincount(way, minlength=len(counts))
            for pair, data in zip(part.pair[first].tolist(), self._payload(part.row[first]), strict=True):
                protocols[pair] = protocols.get(pair) or protocol_name(data[:NAMED_BY])
                binding[pair] |= protocols[pair] == CALLS and begins_binding(data)
        return protocols, binding

    def _of_pairs(self, rows: Rows, are_chosen: Bits) -> Rows:
        """Return the rows of chosen pairs."""
        return self._chosen(rows, lambda *part: are_chosen[rows.pair[slice(*part)]])

    def _chosen(self, rows: Rows, of: Callable[[int, int], Bits]) -> Rows:
        """Return the selected rows; a function returns the selection for a range of rows."""
        parts = [*windows(0, len(rows.pair))]
        index = self._disk.array(sum(int(np.count_nonzero(of(*part))) for part in parts))
        at = 0
        for part in parts:
            selected = part[0] + np.flatnonzero(of(*part))
            index[at : at + len(selected)] = selected
            at += len(selected)
        return self._arranged(rows, index)


def _in_order(key: Numbers, pair: Numbers, start: int, stop: int) -> bool:
    """Return whether each of some rows may follow the one before it."""
    further = np.diff(pair[start - 1 : stop])
    return bool(((further > 0) | ((further == 0) & (np.diff(key[start - 1 : stop]) >= 0))).all())


def _joined(batches: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the rows in fewer and larger batches, which take less time."""
    pending: list[pa.RecordBatch] = []
    for batch in batches:
        pending.append(batch)
        if sum(part.num_rows for part in pending) >= WINDOW:
            yield from pa.Table.from_batches(pending).combine_chunks().to_batches()
            pending = []
    if pending:
        yield from pa.Table.from_batches(pending).combine_chunks().to_batches()


def is_packet(first: bytes, way: int, seq: int, keys: Numbers, payload: Callable[[int], bytes]) -> bool:
    """Whether a packet begins in a short segment, if the next segments have the rest of its mark.

    Args:
        first: The payload of the segment.
        way: A number of its direction.
        seq: Its sequence number.
        keys: Sorted numbers, each a direction times 2**32 plus a sequence number.
        payload: Returns the payload of the segment with the number at an index.
    """
    data = first
    while len(data) < MARK_SIZE:
        wanted = way << 32 | (seq + len(data)) % 2**32
        at = int(np.searchsorted(keys, wanted))
        if at == len(keys) or keys[at] != wanted:
            break
        data += payload(at)
    return marked(data)


def set_clock(time: Numbers, clock: Numbers) -> None:
    """Set the clock of the rows of a file: times that never decrease, the least of the following ones."""
    latest = -UNTIMED
    for start, stop in windows(0, len(time)):
        latest = max(latest, int(time[start:stop].max(where=time[start:stop] < UNTIMED, initial=-UNTIMED)))
    after = int(UNTIMED)
    for start, stop in reversed([*windows(0, len(time))]):
        least = np.minimum(np.minimum.accumulate(time[start:stop][::-1])[::-1], after)
        after = int(least[0])
        clock[start:stop] = np.where(least == UNTIMED, latest if latest > -UNTIMED else -1, least)
