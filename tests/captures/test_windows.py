"""Connections that do not fit into memory: in files and windows, they come out the same."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support_examples import examples, share

from msmq_wire import captures
from msmq_wire.captures import disk, table_builder
from msmq_wire.captures.disk import Disk, order_of
from msmq_wire.captures.files import segments
from msmq_wire.captures.files.segments import ACK, FIN, RST, SYN
from msmq_wire.captures.flows import buckets, ordering, pair_groups
from msmq_wire.captures.flows.buckets import Bucket
from msmq_wire.captures.flows.framing import pieces_of
from msmq_wire.captures.flows.ordering import Segments, placed
from msmq_wire.captures.schemas import plain
from msmq_wire.mqqb import PingPacket
from msmq_wire.testing.captures import Faults, write_captures

from .segments import MESSAGE, SESSION_ACK, Capture, Talk, batch_of, cut
from .test_ordering import SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PACKETS = 250


def windowed(patch: pytest.MonkeyPatch, most: int, window: int = 16, some: int = 40) -> None:
    """Bound what is in memory: rows of a part, rows of a window, and rows that are sorted at once."""
    patch.setattr(buckets, "MOST", most)
    patch.setattr(buckets, "WINDOW", window)
    patch.setattr(disk, "WINDOW", window)
    patch.setattr(disk, "SORTED", some)
    patch.setattr(disk, "SMALL", 0)


# ------------------------------------------------------------------------------------------- order


@settings(max_examples=examples(300))
@given(st.lists(st.integers(-3, 9)), st.integers(1, 9), st.integers(1, 9))
def test_order_is_that_of_a_stable_sort(keys: list[int], window: int, some: int) -> None:
    """The order is that of a stable sort, however little is sorted at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disk, "WINDOW", window)
        patch.setattr(disk, "SORTED", some)
        found = order_of(np.array(keys, np.int64), NO_DISK)
    expected = np.argsort(np.array(keys, np.int64), kind="stable")
    assert (found is None) == (sorted(keys) == keys)
    assert found is None or found.tolist() == expected.tolist()


class _Memory(Disk):
    """Arrays in memory, for properties that make many of them."""

    def __init__(self) -> None:
        pass

    def array(self, count: int, dtype: Any = np.int64) -> Any:
        return np.zeros(count, dtype)


NO_DISK = _Memory()


def test_arrays_in_files(tmp_path: Path) -> None:
    """A small array is in memory, a large one in a file that nobody has to delete."""
    made = Disk(tmp_path)
    tracemalloc.start()
    try:
        large = made.array(1 << 20)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
        assert not large.any()
        large[:] = 7
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
        small = made.array(1 << 10)
        assert tracemalloc.get_traced_memory()[0] > small.nbytes
    finally:
        tracemalloc.stop()
    assert int(large.sum()) == 7 << 20
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("count", "dtype", "fits"),
    [(1 << 18, np.int64, True), ((1 << 18) + 1, np.int64, False), (1 << 21, np.int8, True), (0, "V99", True)],
)
def test_arrays_of_two_mebibytes_stay_in_memory(count: int, dtype: Any, fits: bool, tmp_path: Path) -> None:
    """Without a directory there is no file."""
    made = Disk(tmp_path / "none")
    if fits:
        assert made.array(count, dtype).shape == (count,)
    else:
        with pytest.raises(FileNotFoundError):
            made.array(count, dtype)


def test_how_many_rows_are_processed_and_sorted_at_once() -> None:
    """Memory is bounded by 65,536 rows of a window and 2^20 rows of a part; more parts take a third array."""
    assert [*disk.windows(5, 131_078)] == [(5, 65_541), (65_541, 131_077), (131_077, 131_078)]
    assert not [*disk.windows(5, 5)]
    for count, arrays in ((1 << 20, 2), ((1 << 20) + 1, 3)):
        made: list[int] = []

        class Counting(_Memory):
            def array(self, count: int, dtype: Any = np.int64, made: list[int] = made) -> Any:
                made.append(count)
                return np.zeros(count, dtype)

        found = order_of(np.arange(count)[::-1], Counting())
        assert found is not None
        assert (found == np.arange(count)[::-1]).all()
        assert made == [count] * arrays


# ------------------------------------------------------------------------------------------- places

FLAGS = (ACK, ACK, ACK, SYN, SYN | ACK, FIN | ACK, RST, RST | ACK)
# Two connections with their replies, one that wraps, and numbers that fit none of them.
NUMBERS = (1000, 1001, 1002, 1003, 1101, 5000, 5001, 5002, 400_000, 400_001, 2**32 - 2, 2**32 - 1, 0, 1 << 31)
ROWS = st.lists(
    st.tuples(
        st.booleans(),
        st.sampled_from(FLAGS),
        st.sampled_from(NUMBERS),
        st.sampled_from(NUMBERS),
        st.sampled_from((0, 0, 1, 1, 2, 100)),
    ),
    min_size=1,
    max_size=40,
)


def given_rows(rows: list[tuple[bool, int, int, int, int]], pair: list[int], kind: str) -> Segments:
    forward, flags, seq, ack, length = (np.array(column) for column in zip(*rows, strict=True))
    tcp, udp = (np.full(len(rows), kind == name) for name in ("tcp", "udp"))
    flags = flags if kind == "tcp" else np.zeros_like(flags)
    return Segments(np.array(pair, np.int64), forward, tcp, udp, seq, ack, flags, length)


@settings(max_examples=examples(100))
@given(
    st.lists(ROWS, min_size=1, max_size=3),
    st.sampled_from(["tcp", "tcp", "tcp", "udp", "raw"]),
    st.integers(1, 8),
)
def test_stream_positions_do_not_depend_on_windows(
    pairs: list[list[tuple[bool, int, int, int, int]]], kind: str, window: int
) -> None:
    """Whatever was captured, windows change no place, and neither do other pairs of endpoints."""
    expected = [placed(given_rows(rows, [0] * len(rows), kind), NO_DISK) for rows in pairs]
    numbers = [number for number, rows in enumerate(pairs) for _ in rows]
    rows = given_rows([row for rows in pairs for row in rows], numbers, kind)
    for most in (window, 1 << 16):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(disk, "WINDOW", most)
            found = placed(rows, NO_DISK)
        for name, *alone, together in zip(found._fields, *expected, found, strict=True):
            assert [value for column in alone for value in column.tolist()] == together.tolist(), name


# ------------------------------------------------------------------------------------------- rows


def contents_of(batches: list[pa.RecordBatch], place: Path) -> tuple[Counter[str], Counter[str], list[int]]:
    """The flows and pieces of a bucket and what is no MSMQ, and the sizes of its parts."""
    flows, pieces, sizes = Counter[str](), Counter[str](), []
    bucket = Bucket(batches, place)
    flows.update(map(repr, bucket.others))
    for part in bucket.parts():
        sizes.append(part.rows)
        flows.update(map(repr, part.flows().to_pylist()))
        for batch in pieces_of()(part.ordered()):
            pieces.update(map(repr, batch.to_pylist()))
    return flows, pieces, sizes


@pytest.mark.each(6)
@pytest.mark.parametrize("window", [3, 16, 1000])
@pytest.mark.parametrize("most", [0, 20])
def test_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, window: int, most: int) -> None:
    """What happens to connections happens to those in files too: all of them, or only the longest."""
    batches = []
    for name, function in SCENARIOS.items():
        capture = Capture(f"/captures/{name}/a.pcap")
        function(capture)
        batches += [batch_of(part) for part in (capture, *capture.others) if part.rows]
    expected = contents_of(batches, tmp_path)
    windowed(monkeypatch, most, window)
    found = contents_of(batches, tmp_path)
    assert found[:2] == expected[:2]
    assert len(expected[2]) == 1
    assert len(found[2]) > 5
    assert len(expected[0]) > 50


def test_rows_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows arrive as they are read: parts of files in any order, clocks that are set back, times unknown."""
    batches = []
    for number, file in enumerate(("/captures/b.pcap", "/captures/a.pcap", "/captures/c.pcap")):
        capture = Capture(file)
        talk = Talk(capture, 1000 + number * 50_000, 5000).open()
        for data in cut((MESSAGE + SESSION_ACK) * 8, 300):
            talk.send("->", data).send("<-", SESSION_ACK)
        talk.close()
        rows = batch_of(capture)
        times = rows.column("time").to_pylist()
        times[10], times[20], times[-1] = times[2], None, None
        rows = rows.set_column(3, rows.schema.field("time"), pa.array(times, rows.schema.field("time").type))
        batches += [rows.slice(60), rows.slice(0, 30), rows.slice(30, 30)]
    expected = contents_of(batches, tmp_path)
    for window in (4, 33):
        windowed(monkeypatch, 0, window)
        assert contents_of(batches, tmp_path)[:2] == expected[:2]
    assert len(expected[0]) == 6


@pytest.mark.parametrize("window", [3, 1000])
def test_a_protocol_is_named_by_the_first_frames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, window: int
) -> None:
    """In whatever order the rows arrive; bytes later in the connection name nothing."""
    capture = Capture()
    talk, seq = Talk(capture), 1000
    talk.segment("->", seq, b"GET / HTTP/1.1\r\n", marked=False)
    talk.segment("<-", 5000, b"HTTP/1.1 200", marked=False)
    for data in (b"nothing", b"SSH-2.0", b"AMQP\0\1\0\0") * 4:
        seq += 20
        talk.segment("->", seq, data, marked=False)
    rows = batch_of(capture)
    batches = [rows.slice(9), rows.slice(0, 4), rows.slice(4, 5)]
    expected = contents_of(batches, tmp_path)
    windowed(monkeypatch, 0, window)
    assert contents_of(batches, tmp_path)[:2] == expected[:2]
    assert [name.split(", ")[1] for name in expected[0]] == ["'HTTP'"]
    assert expected[0].total() == 1


def test_segments_that_say_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pair of which only acknowledgments were captured has no flow."""
    capture = Capture()
    Talk(capture).segment("->", 1000)
    windowed(monkeypatch, 0)
    assert contents_of([batch_of(capture)], tmp_path) == ({}, {}, [1])


@pytest.mark.parametrize("most", [0, 20])
@pytest.mark.parametrize(("flags", "missing"), [(ACK, 500), (ACK | FIN, 0)])
def test_a_number_behind_a_fin_shows_no_missing_byte(
    most: int, flags: int, missing: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    capture = Capture()
    talk = Talk(capture).open().send("->", SESSION_ACK)
    end = talk.next["->"]
    talk.segment("->", end, flags=flags)
    talk.segment("->", end + 500)
    windowed(monkeypatch, most)
    (part,) = Bucket([batch_of(capture)], tmp_path).parts()
    assert [row["size"] for row in part.flows().to_pylist()] == [0, len(SESSION_ACK) + missing]


@pytest.mark.each(5)
@pytest.mark.parametrize("size", range(1, 8))
@pytest.mark.parametrize("way", ["->", "<-"])
def test_a_first_packet_in_small_segments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, way: str
) -> None:
    """A packet may begin in a segment that is too short to be sure; and other protocols are omitted."""
    captured = []
    for data in (MESSAGE[:600], b"\x10\0\0\0LIOT" + bytes(600)):
        capture = Capture()
        talk = Talk(capture, 2**32 - 4, 2**32 - 4).open()
        for part in (data[:size], *cut(data[size:], 7)):
            talk.send(way, part)
            talk.segment(way, talk.next[way])  # the number of the next bytes, and none of them
        talk.close()
        capture.rows[5:10] = reversed(capture.rows[5:10])
        for row in talk.capture.rows:
            row["marked"] = False
        captured.append(batch_of(capture))
    for batch, known in zip(captured, (True, False), strict=True):
        monkeypatch.undo()
        expected = contents_of([batch], tmp_path)
        windowed(monkeypatch, 0)
        assert contents_of([batch], tmp_path)[:2] == expected[:2]
        assert bool(expected[1]) is known


def test_datagrams_and_files_of_packets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    capture = Capture()
    for number in range(50):
        ends = {"src": "10.0.0.1", "src_port": 3527, "dst": "10.0.0.2", "dst_port": 3527}
        capture.add(transport="udp", payload=PingPacket().encode()[: 40 - number], **ends)
    raw = Capture("/captures/packets.bin")
    for at, data in enumerate(cut(MESSAGE * 5, 500)):
        raw.add(transport="raw", payload=data, seq=at * 500, time=None)
    batches = [batch_of(capture, raw)]
    expected = contents_of(batches, tmp_path)
    windowed(monkeypatch, 0, 7)
    assert contents_of(batches, tmp_path)[:2] == expected[:2]
    assert len(expected[0]) == 2


# ------------------------------------------------------------------------------------------- tables


def tables(folder: str) -> dict[str, Counter[str]]:
    made = captures.tables(folder, captures.TABLES)
    return {name: Counter(map(repr, reader.read_all().to_pylist())) for name, reader in made.items()}


@pytest.mark.long
def test_tables_do_not_depend_on_windows(tmp_path: Path) -> None:
    """All tables of captures with all faults are the same, row by row."""
    done = write_captures(tmp_path, PACKETS, seed=16, faults=Faults.all(), managers=6, files=3)
    folder = str(done.captures[0].parent)
    expected = tables(folder)
    assert expected["packets"].total() > PACKETS // 2
    for most, window, some in [(0, 16, 50), (90, 1000, 300), (0, 64, 1000)][: 1 + share(2)]:
        with pytest.MonkeyPatch.context() as patch:
            windowed(patch, most, window, some)
            patch.setattr(table_builder, "MANY_ROWS", window)
            assert tables(folder) == expected


# ------------------------------------------------------------------------------------------- bounds


def long_talk(count: int) -> list[pa.RecordBatch]:
    """A connection with a number of segments, in batches as they are read."""
    capture = Capture()
    talk = Talk(capture).open()
    data = SESSION_ACK * 2
    for number in range(count):
        talk.send("<-" if number % 4 == 3 else "->", data)
    talk.close()
    whole = batch_of(capture)
    return [whole.slice(start, 500) for start in range(0, len(whole), 500)]


@pytest.mark.long
def test_memory_does_not_grow_with_a_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes, not time: four times the segments need no more memory, and no step has more than a window."""
    windowed(monkeypatch, 1000, 256, 512)
    monkeypatch.setattr(pair_groups, "SLAB", 300)
    places, steps, most, batches = ordering.places_of, [0], [0], [0]

    def watched(rows: Segments, *arguments: Any) -> Any:
        steps.append(len(rows.pair))
        return places(rows, *arguments)

    monkeypatch.setattr(ordering, "places_of", watched)
    peaks: list[Any] = []
    few, many = 4000, 16_000
    for count in (few, many):
        rows = long_talk(count)
        (part,) = [*counted(rows, tmp_path, peaks)]
        tracemalloc.start()
        before = pa.total_allocated_bytes()
        assert part.flows().num_rows == 2
        for batch in part.ordered():
            batches.append(len(batch))
            most.append(pa.total_allocated_bytes() - before)
        peaks[-1] = max(peaks[-1], tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert sum(steps) > 20_000
    assert max(steps) <= 256 + 4  # the window, and rows next to it
    assert max(batches) == 300
    assert max(most) < 1 << 20
    assert peaks[1] - peaks[0] < 6 * (many - few)  # bytes for each more segment, most for batches of 500


def counted(rows: list[pa.RecordBatch], place: Path, peaks: list[int]) -> Iterator[Any]:
    tracemalloc.start()
    yield from Bucket(rows, place).parts()
    peaks.append(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()


def test_pieces_are_taken_in_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both directions are put together some thousand rows at a time, and equal turns are not parted."""
    windowed(monkeypatch, 1000, 256, 512)
    monkeypatch.setattr(table_builder, "MANY_ROWS", 200)
    held, by_connection = [], table_builder.by_connection

    def watched(*arguments: Any) -> Iterator[pa.RecordBatch]:
        for batch in by_connection(*arguments):
            held.append(batch)
            yield batch

    monkeypatch.setattr(table_builder, "by_connection", watched)
    maker = table_builder.TableBuilder(frozenset({"sessions"}), captures.Settings(memory=1), tmp_path)
    made = [batch for name, batch in maker.tables(long_talk(3000), 0) if name == "sessions"]
    assert sum(map(len, made)) == 1
    assert max(map(len, held)) <= 200
    turns = [turn for batch in held for turn in batch.column("turn").to_pylist()]
    assert turns == sorted(turns)
    assert len(turns) == 6000
    keys = [(batch.column("turn")[0].as_py(), batch.column("turn")[-1].as_py()) for batch in held]
    assert all(one[1] < other[0] for one, other in pairwise(keys))


def test_a_bucket_is_divided_by_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part has whole pairs, no more rows than are allowed, and the pairs keep their order."""
    capture = Capture()
    for port in range(50_000, 50_020):
        Talk(capture, src_port=port).open().send("->", *cut(MESSAGE, 300)).close()
    Talk(capture, src_port=50_007).send("->", *cut(MESSAGE * 3, 100))
    batches = [batch_of(capture).slice(start, 50) for start in range(0, len(capture.rows), 50)]
    assert {batch.schema for batch in batches} == {plain(segments.SEGMENTS)}
    windowed(monkeypatch, 60)
    made = [(part.rows, part.flows()) for part in Bucket(batches, tmp_path).parts()]
    assert sum(rows for rows, _ in made) == len(capture.rows)
    connections = [flows.column("connection").to_pylist() for _, flows in made]
    pairs = [[name.partition(" #")[0] for name in names] for names in connections]
    assert [rows > 60 for rows, _ in made] == [set(names) == {pairs[2][0]} for names in pairs]
    assert len(made) == 6
    assert [name for names in pairs for name in names] == sorted(name for names in pairs for name in names)
