"""Buckets of segments: all segments of a pair of endpoints are in one bucket, which sorts them in memory.

Connections between two hosts that may have remote calls are in one bucket, because a call may name a handle
that another connection opened.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.distinct import Distinct
from msmq_wire.captures.files.segments import content_of, file_of
from msmq_wire.captures.network.frames import PORT, marked
from msmq_wire.captures.schemas import plain
from msmq_wire.captures.spool import batches_of, gathered, portions
from msmq_wire.captures.tables import FLOWS, sensor_of, spans
from msmq_wire.packets.beginning import CALLS
from msmq_wire.packets.marks import MARK_SIZE, VERSION
from msmq_wire.packets.mistaken import NAMED_BY, protocol_name
from msmq_wire.packets.remote_reads import begins_binding
from msmq_wire.views.texts import endpoint

from .ordering import PASSED, flow_columns, placed, rows_with_places, segments_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

__all__ = [
    "LAST",
    "NAMING",
    "NOT_LIGHT",
    "Bucket",
    "Endpoints",
    "Others",
    "Payloads",
    "bucket_numbers",
    "dictionary_encoded",
    "group_of",
    "is_packet",
    "pairs_of",
    "ranks",
]

Others: TypeAlias = "list[tuple[str, str, int, int]]"
"""Segments of connections that are not MSMQ: file, protocol or "", their number, bytes of their frames."""
NAMING: Final = 3
"""How many segments with bytes of each direction, from the first on, may name the protocol."""
LAST: Final = int(np.iinfo(np.int64).max)
"""Stands for an unknown time."""
_CALLS_FROM: Final = 1024
"""The least port of remote calls: those of MSMQ, such as 2103, and those that the system assigns."""
NOT_LIGHT: Final = ["payload", "places", "error"]
"""Columns that are not needed to sort segments."""


def bucket_numbers(batch: pa.RecordBatch, count: int) -> NDArray[np.int64]:
    """The bucket of each segment; all segments of a pair of endpoints have the same bucket."""
    ends = Endpoints(batch)
    return ends.each([zlib.crc32(group_of(pair).encode()) % count for pair in ends.pairs])


def group_of(pair: str) -> str:
    """Return what pairs have in common that belong together: their hosts, if they may have remote calls."""
    kind, _, ends = pair.partition(" ")
    if kind != "tcp":
        return pair
    hosts, ports = zip(*(end.rpartition(":")[::2] for end in ends.split(" ")), strict=True)
    is_calling = all(port.isdigit() and int(port) >= _CALLS_FROM for port in ports)
    return " ".join(sorted(hosts)) if is_calling and str(PORT) not in ports else pair


class Endpoints:
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
        for kind, name, src, src_port, dst, dst_port in ways.values:
            one, other = endpoint(src, src_port), endpoint(dst, dst_port)
            forward = one <= other
            both = f"{one} {other}" if forward else f"{other} {one}"
            self.pairs.append(_raw(name) if kind == "raw" else f"{kind} {both}")
            self.forwards.append(forward)

    def each(self, values: Sequence[Any]) -> NDArray[Any]:
        """For each row, the value of its direction."""
        by_way: NDArray[Any] = np.asarray(values)[self._way_of]
        return by_way


def _raw(name: str) -> str:
    """Return the name of a file of packets; contents that it had later are told apart."""
    file, _, numbers = name.partition("\0")
    turn = numbers.partition(".")[2] or "0"
    return file if turn == "0" else f"{file} ({int(turn) + 1})"


def pairs_of(batch: pa.RecordBatch) -> tuple[list[tuple[tuple[str, str], bool]], Numbers]:
    """The combinations of pair, sensor and direction, and which one each row has.

    A combination is there several times if a sensor has several files.
    """
    ends = Endpoints(batch)
    files: Any = batch.column("file").dictionary_encode()
    sensors = [sensor_of(file) for file in files.dictionary.to_pylist()]
    number = ends.each([*range(len(ends.pairs))]) * len(sensors) + files.indices.to_numpy()
    there, of = np.unique(number, return_inverse=True)
    keys = [
        ((ends.pairs[one // len(sensors)], sensors[one % len(sensors)]), ends.forwards[one // len(sensors)])
        for one in there.tolist()
    ]
    return keys, of


def dictionary_encoded(column: Any) -> Any:
    """A column as one array of indices into a dictionary."""
    encoded = column.dictionary_encode()
    return encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded


class Payloads(NamedTuple):
    """The payloads of rows.

    Attributes:
        chunks: The payloads of all rows of a bucket, in chunks.
        starts: The index of the first row of each chunk.
        which: The indices of these rows, ascending; None for all.
    """

    chunks: list[pa.Array]
    starts: Numbers
    which: Numbers | None = None

    @classmethod
    def of_batches(cls, batches: list[pa.RecordBatch]) -> Payloads:
        """All payloads of a bucket."""
        counts = [batch.num_rows for batch in batches]
        return cls([batch.column("payload") for batch in batches], np.cumsum([0, *counts])[:-1])

    def gathered(self, rows: Numbers) -> pa.Array:
        """The payloads of some rows."""
        return gathered(self.chunks, self.starts, rows if self.which is None else self.which[rows])

    def of(self, rows: Numbers) -> list[bytes]:
        """The payloads of some rows, as bytes."""
        payloads: list[bytes] = self.gathered(rows).to_pylist()
        return payloads

    def one(self, row: int) -> bytes:
        """The payload of a row."""
        (payload,) = self.of(np.array([row]))
        return payload


class Bucket:
    """The segments of a bucket, or some of them, in order.

    Attributes:
        rows: Number of segments.
        others: As in `Others`.
        calling: Those of them that bind remote reads; None without one.
    """

    def __init__(
        self, batches: list[pa.RecordBatch], payloads: Payloads | None = None, *, are_known: bool = False
    ) -> None:
        """Sort them.

        Args:
            batches: All rows of the bucket.
            payloads: The payloads of those that are wanted; None for all.
            are_known: Whether all of them are wanted, also those of connections without a marked segment.
        """
        payloads = payloads or Payloads.of_batches(batches)
        self.others: Others = []
        self.calling: Bucket | None = None
        everything = batches
        batches = [batch.drop_columns(NOT_LIGHT) for batch in batches]
        if payloads.which is not None:
            batches = [*batches_of(batches, payloads.starts, payloads.which)]
        self.rows = sum(batch.num_rows for batch in batches)
        if not self.rows:
            return
        light = pa.Table.from_batches(batches)
        for at, field in enumerate(light.schema):
            if pa.types.is_string(field.type):  # few different texts
                light = light.set_column(at, field.name, light.column(at).dictionary_encode())
        (batch,) = light.combine_chunks().to_batches()
        del light
        order, paired, calling = _in_order(batch, payloads, None if are_known else self.others)
        if len(calling):
            which = calling if payloads.which is None else payloads.which[calling]
            self.calling = Bucket(everything, payloads._replace(which=which), are_known=True)
        self.rows = len(order)
        if not self.rows:
            return
        batch = batch.take(pa.array(order))
        pair, forward, names = paired
        sensors = _of_files(dictionary_encoded(batch.column("file")))
        batch = batch.set_column(batch.schema.get_field_index("file"), "file", sensors)
        sensor_names = [sensor_of(file) for file in sensors.dictionary.to_pylist()]
        extra = {
            "sensor": pa.DictionaryArray.from_arrays(sensors.indices, pa.array(sensor_names, pa.string())),
            "pair": pa.DictionaryArray.from_arrays(pa.array(pair), pa.array(names, pa.string())),
            "forward": pa.array(forward),
        }
        batch = pa.RecordBatch.from_arrays(
            [*batch.columns, *extra.values()], names=[*batch.schema.names, *extra]
        )
        self._payloads, self._order = payloads, order
        segments = segments_of(batch, _numbered(sensors.indices, sensor_names, pair))
        self._placed = placed(segments)
        self._flows = flow_columns(batch, segments, self._placed.opening)
        self._flags, self._length = segments.flags, segments.length
        self._batch = batch.select([name for name in PASSED if name != "payload"])
        described = np.flatnonzero(self._placed.tells)
        wrong = pc.fill_null(pc.invert(self._batch.column("checksum")), False).to_numpy(zero_copy_only=False)
        keys = (self._placed.position, wrong, self._placed.place, self._flows[0])
        self._index = described[np.lexsort([key[described] for key in keys])]

    def flows(self) -> pa.RecordBatch:
        """The table `flows`, of these."""
        index, (codes, keys) = self._index, self._flows
        of = codes[index]
        starts = np.flatnonzero(np.r_[True, of[1:] != of[:-1]]) if len(of) else np.zeros(0, np.int64)
        if not len(starts):
            return pa.RecordBatch.from_pylist([], schema=plain(FLOWS))
        length, flags = self._length[index], self._flags[index]
        ends = (flags & 3) != 0
        time = self._batch.column("time").cast(pa.int64()).fill_null(-1).to_numpy()
        captured = self._batch.column("captured").cast(pa.int64()).to_numpy()
        columns = {
            "place": self._placed.place[index],
            "length": length,
            "captured": captured[index],
            "solid": (length > 0) | ends,
            "fin": (flags & 1) != 0,
            "opened": self._placed.opening[index] >= 0,
            "closed": (flags & 5) != 0,
            "time": time[index],
        }
        return spans(starts, [key.take(pa.array(of[starts])) for key in keys], columns)

    def ordered(self) -> Iterator[pa.RecordBatch]:
        """The rows that describe bytes of their flows, flow by flow, ordered by offset."""
        captured = self._batch.column("captured").cast(pa.int64()).to_numpy()
        for start, stop in portions(captured[self._index]):
            index = self._index[start:stop]
            taken = pa.array(index)
            passed = [
                self._payloads.gathered(self._order[index])
                if name == "payload"
                else _decoded(self._batch.column(name).take(taken))
                for name in PASSED
            ]
            yield rows_with_places(self._flags[index], self._placed, self._flows, index, passed)


def _decoded(column: pa.Array) -> pa.Array:
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _numbered(file_of: Any, sensors: list[str], pair: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number for each pair of each sensor."""
    known = {name: number for number, name in enumerate(dict.fromkeys(sensors))}
    sensor_of_file = np.array([known[name] for name in sensors], np.int64)
    number: NDArray[np.int64] = pair * len(known) + sensor_of_file[file_of.to_numpy()]
    return number


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


def _marks(rows: pa.RecordBatch, way: Numbers, payloads: Payloads) -> NDArray[np.bool_]:
    """Return in which rows a packet may begin; also if the next segments have the rest of its mark."""
    marked: NDArray[np.bool_] = rows.column("marked").to_numpy(zero_copy_only=False).copy()
    captured = rows.column("captured").to_numpy()
    (short,) = (~marked & (captured > 0) & (captured < MARK_SIZE)).nonzero()
    begun = [
        (row, data)
        for row, data in zip(short.tolist(), payloads.of(short) if len(short) else (), strict=True)
        if data[0] == VERSION
    ]
    if not begun:
        return marked
    seq = rows.column("seq").cast(pa.int64()).fill_null(-1).to_numpy()
    key = np.where(captured > 0, way << 32 | seq, -1)
    order = np.argsort(key, kind="stable")
    key = key[order]
    for row, first in begun:
        marked[row] = is_packet(first, int(way[row]), int(seq[row]), key, lambda at: payloads.one(order[at]))
    return marked


def _in_order(
    rows: pa.RecordBatch, payloads: Payloads, others: Others | None
) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], NDArray[np.bool_], list[str]], NDArray[np.int64]]:
    """The order of rows: pair by pair in the order of capture; and pair and direction of each row.

    Rows of connections without a marked segment are omitted and counted as others, unless there are none to
    be counted.  The last result are those of them that bind remote reads.
    """
    ends = Endpoints(rows)
    names = sorted(set(ends.pairs))
    number_of = {name: number for number, name in enumerate(names)}
    pair = ends.each([number_of[name] for name in ends.pairs]).astype(np.int64)
    forward = ends.each(ends.forwards)
    files = dictionary_encoded(rows.column("file"))
    paths = files.dictionary.to_pylist()
    file = ranks(paths)[files.indices.to_numpy()]
    sensors = {name: number for number, name in enumerate(sorted({sensor_of(path) for path in paths}))}
    sensor = np.array([sensors[sensor_of(path)] for path in paths])[files.indices.to_numpy()]
    frame = rows.column("frame").to_numpy()
    key = pair * len(sensors) + sensor
    known = np.zeros(len(names) * len(sensors), np.bool_)
    if others is None:
        known[:] = True
    else:
        known_by = _marks(rows, ends.each(range(len(ends.pairs))).astype(np.int64), payloads)
        np.logical_or.at(known, key[known_by], True)  # a value, not an option
    wanted = known[key]
    order = np.lexsort((frame, file, key))
    calling = np.zeros(0, np.int64)
    if others is not None and not wanted.all():
        tcp = pc.equal(rows.column("transport"), "tcp").to_numpy(zero_copy_only=False)
        begun = order[(~wanted & tcp & (rows.column("captured").to_numpy() > 0))[order]]
        protocols, binding = _protocols(begun, key, forward, payloads)
        calling = np.flatnonzero(np.isin(key, binding))
        left = pa.array(~wanted)
        names_left = [protocols.get(number, "") for number in key[~wanted].tolist()]
        others += _others(
            _of_files(files.filter(left)), pa.array(names_left), rows.column("frame_bytes").filter(left)
        )
    order = order[wanted[order]]
    time = rows.column("time").cast(pa.int64()).fill_null(LAST).to_numpy()[order]
    clock = clock_of(time, key[order], file[order])
    order = order[np.lexsort((clock, key[order]))]  # stable: at equal times, files and frames in order
    return order, (pair[order], forward[order], names), calling


def ranks(paths: Sequence[str]) -> Numbers:
    """Return the place of each file in the order of contents, each by the first name that it had."""
    rank: dict[str, int] = {}
    for path in sorted(paths):
        rank.setdefault(content_of(path), len(rank))
    return np.array([rank[content_of(path)] for path in paths], np.int64)


def clock_of(time: NDArray[np.int64], key: NDArray[np.int64], file: NDArray[np.int64]) -> NDArray[np.int64]:
    """Times that never decrease within a file: each is the least of the following ones."""
    if not len(time):
        return time
    starts = np.flatnonzero(np.r_[True, (key[1:] != key[:-1]) | (file[1:] != file[:-1])])
    stops = np.r_[starts[1:], len(time)]
    back = np.r_[False, time[1:] < time[:-1]] | (time == LAST)
    back[starts] = time[starts] == LAST
    clock = time.copy()
    for group in np.unique(np.searchsorted(starts, np.flatnonzero(back), side="right") - 1).tolist():
        start, stop = starts[group], stops[group]
        own = time[start:stop]
        known = own[own < LAST]
        least = np.minimum.accumulate(own[::-1])[::-1]
        clock[start:stop] = np.where(least == LAST, known.max() if len(known) else -1, least)
    return clock


def _of_files(names: pa.DictionaryArray) -> pa.DictionaryArray:
    """Return names without the numbers of contents."""
    files = [file_of(name) for name in names.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(names.indices, pa.array(files, pa.string()))


def _protocols(
    rows: Numbers, key: Numbers, forward: NDArray[np.bool_], payloads: Payloads
) -> tuple[dict[int, str], list[int]]:
    """Name the protocols of connections by their first segments, if known; and those that bind remote reads.

    Args:
        rows: The rows with bytes, by connection and in the order of capture.
        key: The connection of each row.
        forward: The direction of each row.
        payloads: The payloads of all rows.
    """
    if not len(rows):
        return {}, []
    way = key[rows] * 2 + forward[rows]
    by_way = np.argsort(way, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(way[by_way]) != 0])
    place = np.arange(len(rows)) - np.repeat(starts, np.diff(np.r_[starts, len(rows)]))
    first = rows[np.sort(by_way[place < NAMING])]  # in the order of capture
    heads = pc.binary_slice(payloads.gathered(first), 0, NAMED_BY).to_pylist()
    protocols: dict[int, str] = {}
    for number, head in zip(key[first].tolist(), heads, strict=True):
        protocols[number] = protocols.get(number) or protocol_name(head)
    named = [number for number, name in protocols.items() if name == CALLS]
    if not named:
        return protocols, []
    calls = first[np.isin(key[first], named)]
    heads = zip(key[calls].tolist(), payloads.of(calls), strict=True)
    return protocols, [*{number for number, data in heads if begins_binding(data)}]


def _others(files: pa.DictionaryArray, protocols: pa.Array, frame_bytes: pa.Array) -> Others:
    """Return these rows by file and protocol."""
    table = pa.table(
        {"file": files.dictionary_decode(), "protocol": protocols, "bytes": frame_bytes.fill_null(0)}
    )
    groups = table.group_by(["file", "protocol"]).aggregate([("bytes", "count"), ("bytes", "sum")])
    return [
        (row["file"], row["protocol"], row["bytes_count"], row["bytes_sum"]) for row in groups.to_pylist()
    ]
