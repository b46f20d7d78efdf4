"""How much is kept, looked at and taken at once, and what is usual where nobody says otherwise."""

from __future__ import annotations

import datetime as dt
import struct
from decimal import Decimal
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self
from unittest import mock

import msgspec
import numpy as np
import pyarrow as pa
import pytest

from msmq_wire import captures, mqmq
from msmq_wire.captures import disk, engine, table_builder, writing
from msmq_wire.captures.files import reading, sources
from msmq_wire.captures.files.containers import Frames
from msmq_wire.captures.files.segments import SEGMENTS
from msmq_wire.captures.files.sources import Source, packing_of
from msmq_wire.captures.files.splits import FileSlice
from msmq_wire.captures.flows.framing import Output, interleave
from msmq_wire.captures.flows.valid_packets import ValidPackets
from msmq_wire.captures.gathering import GATHERED, LATE
from msmq_wire.captures.network.frames import Ports
from msmq_wire.captures.network.vectors import cut_out, usual
from msmq_wire.captures.schemas import FLOW, arrow_of
from msmq_wire.captures.spool import Spool, batches_of, gathered, portions, rows_of, taken
from msmq_wire.captures.tables import FLOWS, flow_rows, merged, totals
from msmq_wire.packets.foreign import foreign
from msmq_wire.packets.reassembly import Kind, Origin, Piece
from msmq_wire.values.errors import MsmqWireError

from .segments import GOLDEN, SESSION_ACK, Capture, Talk, batch_of
from .test_reading import (
    LIMITS,
    SEGMENT,
    block,
    enhanced,
    errors,
    interface,
    option,
    pcap,
    read,
    section,
    seen,
)

if TYPE_CHECKING:
    from pathlib import Path

MIB = 1 << 20


def test_usual_settings() -> None:
    """As the documents on captures state them."""
    assert captures.Settings() == captures.Settings(
        tcp_ports=None,
        udp_ports=frozenset({3527}),
        max_frame=262_144,
        max_packet_size=4 * MIB,
        links=False,
        names=None,
        expansion=200,
        memory=64 * MIB,
        progress=None,
        level="must",
        profile=None,
        ignore=frozenset(),
        processes=1,
        aliases=(),
    )


@pytest.mark.parametrize("port", [0, 65_535])
def test_the_least_and_the_last_port(port: int, tmp_path: Path) -> None:
    ports = frozenset({port})
    settings = captures.Settings(tcp_ports=ports, udp_ports=ports, memory=1, expansion=1, max_frame=1)
    assert [*captures.read(tmp_path, settings)] == []


# ------------------------------------------------------------------------------------------ the engine


@pytest.mark.parametrize(
    ("size", "processes", "count"),
    [
        (0, 1, 1),
        (32 * MIB, 1, 1),
        (32 * MIB + 1, 1, 2),
        (256 * 32 * MIB, 1, 256),
        (1 << 50, 1, 256),
        (4 * MIB, 2, 1),
        (4 * MIB + 1, 2, 2),
        (32 * MIB, 2, 8),
        (64 * MIB, 2, 8),
        (64 * MIB, 4, 16),
        (1 << 50, 2, 256),
    ],
)
def test_how_many_buckets_there_are(size: int, processes: int, count: int) -> None:
    """Of 32 MiB for one process; several have four each at least, but none below 4 MiB."""
    assert engine.buckets_for(size, processes) == count


@pytest.mark.parametrize(
    ("processes", "bucket", "shared"), [(1, 30, False), (2, 30, True), (3, 30, True), (2, 60, False)]
)
def test_when_processes_are_started(
    processes: int, bucket: int, shared: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If more than one is wanted and there is more than one bucket; starting them takes long."""
    for name in ("BUCKET", "LEAST_BUCKET"):
        monkeypatch.setattr(engine, name, bucket)
    (tmp_path / "a").write_bytes(pcap(bytes(20)))  # 60 bytes
    with mock.patch.object(engine.Run, "shared_batches", return_value=iter(())) as started:
        captures.tables(tmp_path, ["gaps"], captures.Settings(processes=processes))
    assert started.called == shared


def test_files_are_divided_in_their_order() -> None:
    files = [sources.File(f"{size}", size, 0) for size in (5, 5, 1, 20, 3)]
    found = engine.groups_of(files, 10)
    assert [[file.size for file in group] for group in found] == [[5, 5], [1, 20], [3]]
    assert engine.groups_of([], 10) == []
    assert len(engine.groups_of(files, 0)) == 5


@pytest.mark.parametrize("count", [1, 2, 4])
def test_segments_are_divided_by_their_pair(count: int, tmp_path: Path) -> None:
    """Each pair of endpoints is in one bucket, and there are pairs in all of a few."""
    ends, there, back = SEGMENT[:26], SEGMENT[26:34], SEGMENT[30:34] + SEGMENT[26:30]
    ports = range(1024, 1124)
    segments = [ends + there + struct.pack("!HH", port, 1801) + SEGMENT[38:] for port in ports]
    answers = [ends + back + struct.pack("!HH", 1801, port) + SEGMENT[38:] for port in ports]
    (tmp_path / "a.pcap").write_bytes(pcap(*segments, *answers))
    reader = engine.Reader(0, count, frozenset(), engine.Settings(), tmp_path)
    size = (tmp_path / "a.pcap").stat().st_size
    assert [*reader.read(sources.File(str(tmp_path / "a.pcap"), size, 0))] == []
    pairs = []
    for bucket in reader.buckets:
        rows = [row for batch in bucket.batches() for row in batch.to_pylist()]
        pairs.append({row["src_port"] if row["dst_port"] == 1801 else row["dst_port"] for row in rows})
        assert len(rows) == 2 * len(pairs[-1])
    assert all(pairs)
    assert sum(map(len, pairs)) == len(set().union(*pairs)) == 100


class _Crew:
    """Does at once what other processes would do, and notes the settings that they get."""

    told: ClassVar[list[engine.Settings]] = []

    def __init__(self, *_: object) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, work: Any, *given: Any) -> Any:
        self.told.extend(one for one in given if isinstance(one, engine.Settings))
        done = work(*given)
        return mock.Mock(result=lambda: done)


def test_what_processes_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has its share of the memory, and none calls what is told of the progress."""
    monkeypatch.setattr(engine, "LEAST_BUCKET", 30)
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", _Crew)
    for name in "ab":
        (tmp_path / name).write_bytes(pcap(SEGMENT))
    settings = captures.Settings(processes=3, memory=3000, progress=lambda _: None)
    rows = captures.tables(tmp_path, ["frames"], settings)["frames"].read_all().to_pylist()
    assert [(row["file"][-1], row["reason"], row["frames"]) for row in rows] == [
        ("a", "read", 1),
        ("b", "read", 1),
    ]
    assert {(one.memory, one.progress) for one in _Crew.told} == {(1000, None)}


def test_what_is_said_of_files_that_cannot_be_opened() -> None:
    """One error at their beginning, without bytes; nothing if nobody asks for the table."""
    assert [*engine.unreadable([("a", "why")], frozenset({"frames"}))] == []
    ((name, batch),) = engine.unreadable([("a/b", "why")], frozenset({"quarantine"}))
    (row,) = batch.to_pylist()
    assert name == "quarantine"
    assert {key: value for key, value in row.items() if value is not None} == {
        "sensor": "a/", "size": 0, "file": "a/b", "last_file": "a/b", "kind": "file", "cause": "why",
        "error": "why", "error_offset": 0, "places": 1, "data": b"",
    }  # fmt: skip


@pytest.mark.parametrize("more", [0, 1])
def test_how_many_datagrams_wait_for_files_that_follow(more: int, tmp_path: Path) -> None:
    (tmp_path / "a.pcap").write_bytes(pcap())
    reader = engine.Reader(0, 1, frozenset(), engine.Settings(), tmp_path)
    reader.left = [mock.Mock()] * (1024 + more)
    with mock.patch.object(reader, "reunite", return_value=iter(())) as reunite:
        assert [*reader.read(sources.File(str(tmp_path / "a.pcap"), 24, 0))] == []
    assert reunite.call_count == more


def test_changes_take_a_quarter_of_the_memory(tmp_path: Path) -> None:
    with mock.patch.object(engine, "Spool") as spool:
        engine.Run([], frozenset({next(iter(LATE))}), engine.Settings(memory=4000), tmp_path)
    assert spool.call_args.args[2] == 1000


def test_tables_take_a_sixteenth_of_the_memory_each(tmp_path: Path) -> None:
    with mock.patch.object(captures, "Spool", autospec=True) as spool:
        captures.tables(tmp_path, ["gaps"], captures.Settings(memory=1600))
    assert spool.call_args.args[2] == 100


def test_pieces_of_a_bucket_take_a_quarter_of_the_memory(tmp_path: Path) -> None:
    """And those of remote calls, which wait for each other, another quarter."""
    maker = table_builder.TableBuilder(frozenset({"sessions"}), engine.Settings(memory=4000), tmp_path)
    capture = Capture()
    Talk(capture).open().send("->", SESSION_ACK)
    with mock.patch.object(table_builder, "Spool", side_effect=Spool) as spool:
        assert [name for name, _ in maker.tables([batch_of(capture)], 0)]
    assert [call.args[2] for call in spool.call_args_list] == [1000, 1000]


def test_what_progress_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes of the files before, buckets before, and one step for each kind of rows that are joined."""
    monkeypatch.setattr(engine, "BUCKET", 40)
    for name in "ab":
        (tmp_path / name).write_bytes(pcap(bytes(20)))  # 60 bytes
    told: list[tuple[Any, ...]] = []
    settings = captures.Settings(progress=told.append)
    captures.tables(tmp_path, settings=settings)
    assert told == [
        ("reading", 0, 120, str(tmp_path / "a")),
        ("reading", 60, 120, str(tmp_path / "b")),
        *(("tables", number, 3, "") for number in range(3)),
        *(("joining", number, len(GATHERED), name) for number, name in enumerate(GATHERED)),
    ]
    del told[:]
    captures.tables(tmp_path, ["packets"], settings)
    assert {stage for stage, *_ in told} == {"reading", "tables"}


# ------------------------------------------------------------------------------------------ rows


def of_size(rows: int, size: int) -> pa.RecordBatch:
    """A batch of so many rows and bytes, without other buffers."""
    kind = pa.binary(size // rows)
    column = pa.Array.from_buffers(kind, rows, [None, pa.py_buffer(bytes(size))])
    return pa.RecordBatch.from_arrays([column], ["data"])


@pytest.mark.parametrize(
    ("first", "second"),
    [((19_999, 19_999), (1, 1)), ((8191, 32 * MIB - 4096), (1, 4096)), ((20_000, 20_000), None)],
)
def test_rows_are_written_together(first: Any, second: Any, tmp_path: Path) -> None:
    """Twenty thousand, or 32 MiB of them."""
    sink = mock.Mock()
    with writing.Written(tmp_path, lambda *_: sink, {"gaps": captures.SCHEMAS["gaps"]}) as written:
        written.add("gaps", of_size(*first).slice(0, 0))
        assert written.rows == {"gaps": 0}
        written.add("gaps", of_size(*first))
        if second:
            assert not sink.write.called
            written.add("gaps", of_size(*second))
        ((rows,), _) = sink.write.call_args
    assert rows.num_rows == written.rows["gaps"]
    assert sink.write.call_count == 1


def test_pieces_are_decoded_together() -> None:
    """Sixteen thousand, or 20 MiB of them."""

    def sizes(*batches: pa.RecordBatch) -> list[int]:
        return [batch.num_rows for batch in table_builder.combine(batches)]

    few, many = of_size(1, 1), of_size(15_999, 15_999)
    assert sizes(many, few, few, few) == [16_000, 2]
    assert sizes(many) == [15_999]
    assert sizes(of_size(16_000, 16_000), few) == [16_000, 1]
    whole, half = of_size(1, 20 * MIB), of_size(1, 10 * MIB)
    assert sizes(half, half, half) == [2, 1]
    assert sizes(whole, whole, few) == [1, 1, 1]
    assert sizes(few.slice(0, 0)) == []
    less = of_size(1, 20 * MIB - 1)
    assert sizes(less, less) == [2]
    assert sizes(whole, less, less) == [1, 2]


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([0] * 4095, [4095]),
        ([0] * 4100, [4096, 4]),
        ([2 * MIB - 1, 1, 1], [2, 1]),
        ([2 * MIB, 2 * MIB - 1, 1, 1], [1, 2, 1]),
        ([2 * MIB, 2 * MIB, 1], [1, 1, 1]),
        ([], []),
    ],
)
def test_segments_are_returned_together(sizes: list[int], expected: list[int]) -> None:
    """4,096, or 2 MiB of them."""
    before = SEGMENTS.get_field_index("payload")
    rows = ((*[None] * before, bytes(size), at) for at, size in enumerate(sizes))
    found = [*reading.batches_of(rows, pa.schema([("at", pa.int64())]), [before + 1])]
    assert [batch.num_rows for batch in found] == expected
    assert [at for batch in found for at in batch["at"].to_pylist()] == [*range(len(sizes))]


@pytest.mark.parametrize(("rows", "written"), [(1023, 1), (1024, 2)])
def test_small_batches_become_one_in_a_file(rows: int, written: int, tmp_path: Path) -> None:
    spool = Spool(of_size(1, 1).schema, tmp_path / "rows", rows)
    spool.add(of_size(rows, rows))
    assert not (tmp_path / "rows").exists()
    spool.add(of_size(rows, rows).slice(0, 0))
    spool.add(of_size(rows, rows))
    assert (tmp_path / "rows").exists()
    found = spool.batches()
    assert (len(found), sum(batch.num_rows for batch in found)) == (written, 2 * rows)


@pytest.mark.parametrize("seed", range(8))
def test_rows_of_several_batches(seed: int) -> None:
    """Whatever rows are taken, in whatever order, they are those of all batches one after the other."""
    random = Random(seed)  # noqa: S311  # a seed, not a secret
    sizes = [random.choice((1, 2, 5)) for _ in range(4)]
    starts = np.cumsum([0, *sizes[:-1]])
    total = sum(sizes)
    batches = [
        pa.RecordBatch.from_pydict({"at": range(start, start + size)})
        for start, size in zip(starts.tolist(), sizes, strict=True)
    ]
    chunks = [batch.column("at") for batch in batches]
    some = sorted(random.sample(range(total), random.randrange(1, total)))
    for index in (some, some[::-1], [*range(total)], [total - 1], [0], some * 2):
        wanted = np.array(index, np.int64)
        assert rows_of(batches, starts, wanted).column("at").to_pylist() == index
        assert gathered(chunks, starts, wanted).to_pylist() == index
    found = [batch.column("at").to_pylist() for batch in batches_of(batches, starts, np.array(some))]
    assert [one for part in found for one in part] == some
    assert all(found)
    assert len(found) <= len(batches)
    row = taken(batches[0], np.array([0]))
    assert row.column("at").to_pylist() == [0]
    whole = pa.array(range(9))
    assert taken(whole, np.arange(2, 7)).to_pylist() == [2, 3, 4, 5, 6]
    assert taken(whole, np.array([2, 4, 3])).to_pylist() == [2, 4, 3]


@pytest.mark.parametrize(
    "ranges", [[(0, 3), (3, 3), (3, 9)], [(0, 2), (4, 9)], [(1, 1), (2, 2)], [(5, 9)], []]
)
def test_bytes_that_are_cut_out(ranges: list[tuple[int, int]]) -> None:
    data = bytes(range(9))
    starts, ends = (np.array([one[at] for one in ranges], np.int64) for at in (0, 1))
    found = cut_out(data, starts, ends)
    found.validate(full=True)
    assert found.to_pylist() == [data[start:end] for start, end in ranges]


def test_pieces_of_one_and_of_many_in_their_order() -> None:
    order = [(True, 2), (False, 1), (True, 1), (False, 2)]
    assert interleave(order).tolist() == [0, 1, 3, 2, 4, 5]
    assert interleave([(False, 2)]).tolist() == [0, 1]
    assert interleave([(True, 3)]).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("sizes", "rows", "most", "expected"),
    [
        ([3] * 7, 9, 6, [(0, 2), (2, 4), (4, 6), (6, 7)]),
        ([3] * 7, 9, 8, [(0, 2), (2, 4), (4, 6), (6, 7)]),
        ([3] * 7, 3, 99, [(0, 3), (3, 6), (6, 7)]),
        ([9, 1, 1, 9, 9, 0, 2, 4], 9, 5, [(0, 1), (1, 3), (3, 4), (4, 5), (5, 7), (7, 8)]),
        ([0, 0, 0], 2, 5, [(0, 2), (2, 3)]),
        ([], 2, 5, []),
    ],
)
def test_portions(sizes: list[int], rows: int, most: int, expected: list[tuple[int, int]]) -> None:
    """As many rows as the bounds allow; a row that is larger than the bound is alone."""
    assert [*portions(np.array(sizes, np.int64), rows, most)] == expected


def test_portions_of_usual_sizes() -> None:
    """4,096 rows, or 4 MiB of them."""
    assert [*portions(np.ones(4097, np.int64))] == [(0, 4096), (4096, 4097)]
    for first, ranges in ((4 * MIB - 1, [(0, 2)]), (4 * MIB, [(0, 1), (1, 2)])):
        assert [*portions(np.array([first, 1]))] == ranges


def test_pieces_that_are_returned_together() -> None:
    """4,096, or 4 MiB of them."""
    origin = Origin(0, "", 0)

    def added(*sizes: int) -> list[bool]:
        output = Output()
        found = []
        for size in sizes:
            output.add((), Piece(Kind.JUNK, 0, size, bytes(size), origin, origin), None)
            found.append(output.full)
        return found

    assert added(*[1] * 4096) == [False] * 4095 + [True]
    assert added(4 * MIB - 1, 1) == [False, True]


def test_pieces_that_no_frame_shows() -> None:
    """Where they were captured is null; what only begins or only ends somewhere does both there."""
    key = ("/s/", "tcp", "c", "f", "->", "a", 1, "b", 2)
    where = ("file", "first_frame", "last_file", "last_frame")
    seen = Origin(7_000_000, "a.pcap", 3)
    for origins in ((None, None), (seen, None), (None, seen)):
        output = Output()
        output.add(key, Piece(Kind.GAP, 5, 7, b"", *origins), None, 2, 3, 4)
        (row,) = output.take().to_pylist()
        assert [row[name] for name in where] == (["a.pcap", 3, "a.pcap", 3] if any(origins) else [None] * 4)
        assert row["time"] == row["end_time"] == (micros(7_000_000) if any(origins) else None)
        assert [row[name] for name in ("offset", "size", "repeated", "turn", "seen")] == [5, 7, 2, 3, 4]
        assert (row["kind"], row["data"], row["type"], row["error"]) == ("gap", None, None, None)
    assert Output().take().num_rows == 0


@pytest.mark.parametrize(("count", "found"), [(31, 0), (32, 32)])
def test_a_few_packets_are_found_one_by_one(count: int, found: int) -> None:
    data = memoryview(SESSION_ACK * count)
    sound = ValidPackets(data, [(0, len(data))], 1 << 22)
    assert len(sound.starts) == found


def test_packets_of_a_run_that_are_found_at_once() -> None:
    """Up to what is cut, behind what is none; of a damaged run only up to the second damage."""
    packets = [*GOLDEN.values()] * 8
    ends = np.cumsum([*map(len, packets)]).tolist()
    whole = b"".join(packets)

    def ends_of(data: bytes, most: int = 1 << 22, runs: list[tuple[int, int]] | None = None) -> list[int]:
        ends: list[int] = ValidPackets(memoryview(data), runs or [(0, len(data))], most).ends.tolist()
        return ends

    assert len(packets) > 32
    assert ends_of(whole) == ends
    assert ends_of(whole[:-1]) == ends[:-1]
    for junk in (b"", b"j", b"junk"):
        assert ends_of(junk + whole) == [len(junk) + end for end in ends]
    assert ends_of(whole + b"junk" * 9 + whole) == [*ends, *(len(whole) + 36 + end for end in ends)]
    least = mqmq.BaseHeader(PacketSize=16).encode()  # no packet, but where it ends the next one begins
    assert ends_of(whole + least + whole + least + whole) == [
        *ends, *(len(whole) + 16 + end for end in ends), *(2 * (len(whole) + 16) + end for end in ends)
    ]  # fmt: skip
    two = whole + b"junk" * 9 + whole[: ends[0]] + b"junk" * 9 + whole
    assert ends_of(two) == [*ends, len(whole) + 36 + ends[0]]
    assert ends_of(whole, max(map(len, packets))) == ends
    assert len(ends_of(whole * 9, max(map(len, packets)) - 1)) < len(ends)
    half = ends[len(ends) // 2]
    assert ends_of(whole, runs=[(0, half), (half, len(whole))]) == ends
    assert ends_of(whole, runs=[(1, half), (half, len(whole))]) == ends[1:]


@pytest.mark.parametrize(("count", "found"), [(15, None), (16, 16)])
def test_a_few_frames_are_read_one_by_one(count: int, found: int | None) -> None:
    each = np.arange(count, dtype=np.int64)
    one, size = np.ones_like(each), np.full_like(each, len(SEGMENT))
    frames = Frames(SEGMENT * count, 1, each, each, one, size, each * len(SEGMENT), size, each)
    read_at_once = usual("a.pcap", frames, Ports(None, None))
    assert (read_at_once and read_at_once.batch.num_rows) == found


# ------------------------------------------------------------------------------------------ flows


def test_what_rows_of_flows_add_up_to() -> None:
    """A flow ends at its last byte, or where a number shows that bytes are missing; a FIN has no byte."""
    rows = [
        # flow, place, length, solid, fin, captured, opened, closed, time
        (0, 10, 5, 1, 0, 5, 1, 0, 7),
        (0, 15, 3, 1, 0, 1, 0, 1, 0),
        (0, 30, 0, 0, 0, 0, 0, 0, -1),  # shows that twelve bytes are missing; a segment of the other flow
        (1, 4, 6, 1, 0, 6, 0, 0, -1),
        (1, 11, 0, 0, 0, 0, 0, 0, -1),  # one more: a FIN that was not captured
        (2, 4, 6, 1, 0, 6, 0, 0, 3),
        (2, 12, 0, 0, 0, 0, 0, 0, 9),  # two more
        (3, 4, 6, 1, 1, 6, 0, 0, 3),
        (3, 19, 0, 0, 0, 0, 0, 0, 2),  # behind a FIN
        (4, 8, 0, 0, 0, 0, 0, 0, 0),  # no byte at all, at the first moment of 1970
    ]
    names = ("stream_offset", "length", "solid", "fin", "captured", "opened", "closed", "time")
    kinds = (np.int64, np.int64, bool, bool, np.int64, bool, bool, np.int64)
    flow, *columns = (np.array(column) for column in zip(*rows, strict=True))
    by_name = {name: one.astype(kind) for name, one, kind in zip(names, columns, kinds, strict=True)}
    by_name["segments"] = (by_name["stream_offset"] != 30).astype(np.int64)
    starts = np.flatnonzero(np.r_[True, flow[1:] != flow[:-1]])
    keys = [pa.nulls(len(starts), kind) for _, kind, _ in FLOW]
    sums = totals(starts, by_name)
    found = flow_rows(keys, sums).to_pylist()
    shown = ("size", "captured", "segments", "opened", "closed", "time", "end_time")
    assert [tuple(row[name] for name in shown) for row in found] == [
        (20, 6, 2, True, True, micros(0), micros(7)),
        (6, 6, 2, False, False, None, None),
        (8, 6, 2, False, False, micros(3), micros(9)),
        (6, 6, 2, False, False, micros(2), micros(3)),
        (0, 0, 1, False, False, micros(0), micros(0)),
    ]
    added: dict[str, Any] = {}
    for part in (slice(0, 1), slice(1, 2), slice(2, 4), slice(4, 10)):  # in parts, as of a large connection
        some = {name: column[part] for name, column in by_name.items()}
        first = np.flatnonzero(np.r_[True, flow[part][1:] != flow[part][:-1]])
        merged(added, flow[part][first], totals(first, some), len(starts))
    assert flow_rows(keys, added).to_pylist() == found


def micros(count: int) -> dt.datetime:
    return dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(microseconds=count)


# ------------------------------------------------------------------------------------------ files


def test_no_array_is_a_file_with_holes(tmp_path: Path) -> None:
    """All its bytes are written before it is used: the process would end where the disk is full."""
    sizes = []

    def mapped(path: Path, kind: Any, _: str, shape: Any) -> Any:
        sizes.append(path.stat().st_size)
        return np.zeros(shape, kind)

    with mock.patch.object(np, "memmap", mapped):
        disk.Disk(tmp_path).array(300_000, np.int64)
    assert sizes == [2_400_000]


def test_how_many_kinds_of_frames_and_errors_are_counted_apart() -> None:
    """256; all others of a reason together."""
    tally, damages = reading.Tally(), reading.Damages()
    for number in range(258):
        name = f"{number:o}".translate(str.maketrans("01234567", "abcdefgh"))
        tally.add("no IP", name, 1)
        values = {"frame": 1, "offset": number, "length": 1, "error": name}
        damages.add(tuple(values.get(column) for column in SEGMENTS.names))
    assert len(tally.frames) == 257
    assert tally.frames["no IP", "other"] == 2
    places = SEGMENTS.get_field_index("places")
    assert [row[places] for row in damages.rows()] == [1] * 256 + [2]


@pytest.mark.parametrize(
    ("micros", "known"), [(253_402_300_799_999_999, True), (253_402_300_800_000_000, False)]
)
def test_times_behind_the_year_9999_are_unknown(micros: int, known: bool, tmp_path: Path) -> None:
    (row,) = read(tmp_path / "a", section() + interface() + enhanced(SEGMENT, ticks=micros))
    assert row["time"] == (micros if known else None)


def test_times_before_1970_are_unknown(tmp_path: Path) -> None:
    for shift, time in ((-1, 0), (-2, None)):
        moved = interface(options=option(14, struct.pack("<q", shift)))
        (row,) = read(tmp_path / "a", section() + moved + enhanced(SEGMENT, ticks=1_000_000))
        assert row["time"] == time


@pytest.mark.parametrize(
    ("kind", "most"), [(5, 1 << 24), (1, 1 << 24), (6, 327_680), (2, 327_680), (3, 327_680)]
)
def test_how_large_a_block_may_be(kind: int, most: int, tmp_path: Path) -> None:
    """16 MiB, as in Wireshark; with a frame, that of the largest frame and 64 KiB for options."""
    nothing = "in 12 bytes that follow, no block is found"
    start = section() + interface()
    for size, problem in (
        (most, f"the file ends within a block: 12 of {most} bytes"),
        (most + 4, f"a block of type {kind} states a size of {most + 4} bytes; {nothing}"),
    ):
        ((frame, offset, found),) = errors(read(tmp_path / "a", start + struct.pack("<III", kind, size, 0)))
        assert (frame, offset, found) == (1 if kind in {2, 3, 6} else None, len(start), problem)


def test_the_least_block_of_a_frame(tmp_path: Path) -> None:
    """It has no bytes of the frame; one without all fields cannot be read, nor one that promises more."""
    start = section() + interface()
    for body, told in (
        (struct.pack("<IIIII", 0, 0, 0, 0, 0), "the frame ends within its link header"),
        (struct.pack("<IIII", 0, 0, 0, 0), "a block of type 6 cannot be read: 28 bytes are too few for it"),
        (struct.pack("<IIIII", 0, 0, 0, 5, 5) + bytes(4),
         "a block of type 6 cannot be read: states 5 bytes, 4 are present"),
        (struct.pack("<IIIII", 1, 0, 0, 0, 0), "a block of type 6 cannot be read: there is no interface 1"),
    ):  # fmt: skip
        assert errors(read(tmp_path / "a", start + block(6, body))) == [(1, len(start), told)]
    for body, told in (
        (bytes(8), "the frame ends within its link header"),
        (b"", "a block of type 3 cannot be read: 12 bytes are too few for it"),
    ):
        *_, row = errors(read(tmp_path / "a", section() + block(3, body)))
        assert row == (1, len(section()), told)


@pytest.mark.parametrize(("longest", "captured"), [(0, 61), (60, 60), (61, 61), (99, 61)])
def test_simple_blocks_have_as_many_bytes_as_their_interface(
    longest: int, captured: int, tmp_path: Path
) -> None:
    data = SEGMENT[:captured] + bytes(-captured % 4)
    simple = block(3, struct.pack("<I", len(SEGMENT)) + data)
    (row,) = read(tmp_path / "a", section() + interface(snaplen=longest) + simple)
    assert (row["payload"], row["length"]) == (b"payload"[: captured - 54], 7)


def test_options_of_an_interface_end(tmp_path: Path) -> None:
    """What follows their end mark is none; texts of any length may come before."""
    for text in (b"", b"e", b"eth0"):
        options = option(2, text) + option(9, b"\x09") + option(0, b"") + struct.pack("<HH", 9, 99)
        data = section() + interface(options=options) + enhanced(SEGMENT, ticks=1_000_000_000_000_000_000)
        (row,) = read(tmp_path / "a", data)
        assert seen(row)
        assert row["time"] == 1_000_000_000_000_000


def told(path: Path, data: bytes) -> tuple[list[tuple[Any, ...]], dict[tuple[str, str], int]]:
    """The errors of a file, and the frames that are counted."""
    path.write_bytes(data)
    tally = reading.Tally()
    rows = [*reading.rows_of(FileSlice(str(path), "auto", 0, len(data)), LIMITS, tally)]
    return [(row[1], row[2], row[-1]) for row in rows if row[-1] is not None], dict(tally.frames)


def test_what_is_said_of_files_that_end_early(tmp_path: Path) -> None:
    """How many bytes are there, and of how many; a frame is counted if all its block is there."""
    size, whole = len(SEGMENT), pcap(SEGMENT, SEGMENT)
    second, read_one = 24 + 16 + size, {("read", ""): 1}
    problem = f"the file ends within a frame: {size - 5} of {size} bytes"
    assert told(tmp_path / "a", whole[:-5]) == ([(2, second, problem)], read_one)
    problem = "the file ends within the header of a record: 7 of 16 bytes"
    assert told(tmp_path / "a", whole[: second + 7]) == ([(2, second, problem)], read_one)
    assert told(tmp_path / "a", whole[:23]) == ([(None, 0, "the file ends within its header: 23 bytes")], {})
    frame = enhanced(SEGMENT)
    start = section() + interface()
    problem = f"the file ends within a block: {len(frame) - 3} of {len(frame)} bytes"
    stream_offset = len(start) + len(frame)
    assert told(tmp_path / "a", start + frame + frame[:-3]) == ([(2, stream_offset, problem)], read_one)
    problem = "the file ends within the header of a block: 11 of 12 bytes"
    assert told(tmp_path / "a", start + frame + frame[:11]) == ([(None, stream_offset, problem)], read_one)
    problem = "a block of type 6 cannot be read: length fields do not match"
    counts = {**read_one, ("damaged", "a record cannot be read"): 1}
    bad = frame[:-4] + bytes(4)
    assert told(tmp_path / "a", start + frame + bad) == ([(2, stream_offset, problem)], counts)
    problem = "frames of interface 1 have the link type 147, which is not read"
    before, counts = start + interface(147) + frame, {**read_one, ("link type unknown", "link type 147"): 1}
    other = enhanced(SEGMENT, 1)
    assert told(tmp_path / "a", before + other) == ([(None, len(before), problem)], counts)
    assert told(tmp_path / "a", before) == ([], read_one)


def erf(seconds: float, kind: int = 2, size: int = 36, wire: int = 20) -> bytes:
    head = struct.pack("<QBB", int(seconds * 2**32), kind, 4) + struct.pack("!HHH", size, 0, wire)
    return head + bytes(max(size - 16, 0))


SINCE, YEAR = 1_700_000_000, 366 * 86_400


@pytest.mark.parametrize(
    ("records", "known"),
    [
        ([erf(SINCE), erf(SINCE)], True),
        ([erf(SINCE)], False),
        ([erf(SINCE), erf(SINCE - 1)], False),
        ([erf(SINCE), erf(SINCE + YEAR)], True),
        ([erf(SINCE), erf(SINCE + YEAR + 1)], False),
        ([erf(1_000_000), erf(1_000_000)], True),
        ([erf(999_999), erf(999_999)], False),
        ([erf(SINCE, 1), erf(SINCE, 48)], True),
        ([erf(SINCE, 0x81), erf(SINCE, 0xB0)], True),
        ([erf(SINCE, 0), erf(SINCE, 0)], False),
        ([erf(SINCE, 49), erf(SINCE, 49)], False),
        ([erf(SINCE, size=16), erf(SINCE, size=16)], True),
        ([erf(SINCE, size=15), erf(SINCE, size=15)], False),
        ([erf(SINCE, wire=1), erf(SINCE, wire=1)], True),
        ([erf(SINCE, wire=0), erf(SINCE, wire=0)], False),
        ([erf(0, 0x9B, wire=0)], True),
        ([erf(2**31, 0x9B, 36, 0)], False),
        ([erf(0, 0x9B, 16, 0)], False),
        ([erf(0, 0x9B, 17, 0)], True),
        ([erf(0, 0x9B, 20, 0), b"\xff" * 40], True),
        ([erf(SINCE), erf(SINCE), b"\xff" * 40], False),
        ([erf(SINCE), erf(SINCE), erf(SINCE), b"\xff" * 40], True),
    ],
)
def test_what_looks_like_erf(records: list[bytes], known: bool) -> None:
    """Two records of known types in the order of time, of less than a year; or one about the capture."""
    assert bool(foreign(b"".join(records))) is known


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"\x50\x2a\x4d\x18\0\0\0\0", "zstd"),
        (b"\x5f\x2a\x4d\x18\0\0\0\0", "zstd"),
        (b"\x4f\x2a\x4d\x18\0\0\0\0", ""),
        (b"\x60\x2a\x4d\x18\0\0\0\0", ""),
        (b"\x50\x2a\x4d\x18\0\0\0", ""),
        (b"\x50\x2a\x4d\x18\3\0\0\0abc\x04\x22\x4d\x18", "lz4"),
        (b"\x50\x2a\x4d\x18\2\0\0\0abc\x04\x22\x4d\x18", "zstd"),
        (b"BZh", "bzip2"),
        (b"BZ", ""),
        (b"\xfd7zXZ\0", "xz"),
        (b"\xfd7zXZ", ""),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"\x1f\x8b", "gzip"),
        (b"", ""),
    ],
)
def test_how_packed_data_begins(head: bytes, name: str) -> None:
    assert packing_of(head) == name


@pytest.mark.parametrize("more", [0, 1])
def test_256_mebibytes_are_unpacked_whatever_they_were(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [bytes(64 * MIB)] * 4 + [bytes(more)]
    stream = mock.Mock(spec=["read"], read=mock.Mock(side_effect=[*parts, b""]))
    monkeypatch.setattr(sources, "PACKINGS", {"none": lambda _: stream})
    total = 0
    try:
        for chunk in sources.unpacking(None, "none", lambda: 1, 200):
            total += len(chunk)
    except sources.Expanded:
        total = -1
    assert total == (-1 if more else 256 * MIB)
    assert {call.args for call in stream.read.call_args_list} == {(65_536,)}


def test_bytes_of_a_source() -> None:
    """A live one gives what is there; looking ahead moves nothing."""
    for live, parts in ((True, [b"ab", b"c", b"d", b"efg", b"h"]), (False, [b"ab", b"cde", b"fgh", b""])):
        source = Source([b"abc", b"defg", b"h"], 10, live=live)
        assert source.peek(1) == b"a"
        assert (source.offset, source.trouble) == (10, None)
        assert [source.some(2), *(source.some(n) for n in ((9, 9, 9, 9) if live else (3, 9, 9)))] == parts
        assert source.offset == 18
        assert (source.read(5), source.peek(5), source.some(5)) == (b"", b"", b"")
    source = Source([b"abc", b"defg", b"h"])
    assert (source.peek(5), source.read(2), source.read(4), source.peek(9), source.read(9)) == (
        b"abcde", b"ab", b"cdef", b"gh", b"gh"
    )  # fmt: skip


# ------------------------------------------------------------------------------------------ files of tables


@pytest.mark.parametrize(
    ("name", "magic"),
    [
        ("part-0.parquet", b"PAR1"),
        ("part-0.orc", b"ORC"),
        ("part-0.avro", b"Obj\x01"),
        ("part-0.duckdb", b"12345678DUCK"),
        ("tables.duckdb", b"12345678DUCK"),
        ("part-0.jsonl", b"{"),
        ("part-0.json", b"{"),
    ],
)
def test_files_of_tables_by_their_first_bytes(name: str, magic: bytes, tmp_path: Path) -> None:
    """Empty ones are those of a run that was ended; a name alone is not enough, nor are the bytes."""
    path = tmp_path / name
    for data, known in (
        (b"", True),
        (magic + b"more", True),
        (b"\xff" * 16, False),
        (b"\xff" + magic, False),
    ):
        path.write_bytes(data)
        assert writing.is_table_file(path) is known, data
    other = tmp_path / f"own-{name}"
    other.write_bytes(magic)
    assert not writing.is_table_file(other)


@pytest.mark.parametrize(
    ("name", "known"),
    [("_SUCCESS", True), ("._SUCCESS.crc", True), (".crc", False), ("_started_12", True),
     ("_committed_1", True), ("_started_", False), ("_started_1x", False), ("part-0.txt", False),
     ("part-0", False)],
)  # fmt: skip
def test_marks_of_spark(name: str, known: bool, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"")
    assert writing.is_table_file(tmp_path / name) is known


# ------------------------------------------------------------------------------------------- types


class _Named(msgspec.Struct):
    size: int | None
    names: dict[str, int]


def test_links_are_no_files_of_tables(tmp_path: Path) -> None:
    """Whatever they lead to: who made them may need them."""
    table, elsewhere = tmp_path / "output" / "gaps", tmp_path / "part-00001.parquet"
    table.mkdir(parents=True)
    elsewhere.write_bytes(b"PAR1")
    (table / "part-00000.parquet").write_bytes(b"PAR1")
    writing.check_output(str(tmp_path / "output"), [])
    for target in (elsewhere, tmp_path / "nothing", table):
        link = table / "part-00001.parquet"
        link.symlink_to(target)
        with pytest.raises(MsmqWireError, match=r"part-00001\.parquet is not a file of a table"):
            writing.check_output(str(tmp_path / "output"), [])
        link.unlink()


def test_values_that_json_lacks() -> None:
    """Bytes are base64, times ISO 8601, numbers of 64 bits numbers, and others their text."""
    values = [b"\xff\0", dt.datetime(2026, 1, 2, 3, 4, 5, 6, dt.UTC), Decimal(2**64 - 1), Kind]
    assert [writing.plain(value) for value in values] == [
        "/wA=", "2026-01-02T03:04:05.000006+00:00", 2**64 - 1, str(Kind)
    ]  # fmt: skip


def test_each_column_of_a_table_has_its_own_name() -> None:
    """Of packets, the `type` is the kind."""
    for name, schema in captures.SCHEMAS.items():
        assert len(set(schema.names)) == len(schema.names), name
    assert "kind" not in captures.SCHEMAS["packets"].names


def test_arrow_types_of_python_types() -> None:
    """The keys of a map have their own type; what may be missing has the type of the rest."""
    assert arrow_of(dict[str, int]) == pa.map_(pa.string(), pa.int64())
    assert arrow_of(dict[int, bytes]) == pa.map_(pa.int64(), pa.binary())
    for one in (bool | None, None | bool):
        assert arrow_of(one) == pa.bool_()
    assert arrow_of(Literal["a", "b"]) == arrow_of(Literal["a"] | None) == pa.string()
    assert arrow_of(float) == pa.float64()
    assert arrow_of(_Named) == pa.struct([("size", pa.int64()), ("names", pa.map_(pa.string(), pa.int64()))])
    with pytest.raises(KeyError):
        arrow_of(complex)


def test_the_order_of_pieces_at_one_turn() -> None:
    """Texts are in the order of their bytes, as in all tables, and what has none is first."""
    texts = ["b", None, "é", "B", "\uffff", "\U0001f600", "", "b", None]
    ranks = table_builder.ranks_of(pa.array(texts, pa.string())).tolist()
    order = sorted(range(len(texts)), key=lambda at: (texts[at] or "").encode())
    assert [texts[at] for at in sorted(range(len(texts)), key=ranks.__getitem__)] == [
        texts[at] for at in order
    ]
    assert ranks[0] == ranks[7]
    assert ranks[1] == ranks[8]


def test_connections_with_few_pieces_are_apart(tmp_path: Path) -> None:
    """Whichever was captured first: the turns of one are no turns of the next."""
    capture = Capture()
    talks = [Talk(capture, src=f"10.0.0.{host}").open() for host in (1, 3, 4)]
    for at in (2, 1, 2, 0, 1):
        talks[at].send("->", SESSION_ACK)
    maker = table_builder.TableBuilder(frozenset({"sessions"}), engine.Settings(), tmp_path)
    with mock.patch.object(
        table_builder, "by_connection", side_effect=table_builder.by_connection
    ) as by_connection:
        made = [row for _, batch in maker.tables([batch_of(capture)], 0) for row in batch.to_pylist()]
    (batch,) = table_builder.by_connection(*by_connection.call_args.args)
    assert batch["src"].to_pylist() == ["10.0.0.1", *["10.0.0.3"] * 2, *["10.0.0.4"] * 2]
    assert batch["offset"].to_pylist() == [0, 0, len(SESSION_ACK), 0, len(SESSION_ACK)]
    assert len(made) == 3


@pytest.mark.parametrize("wrong", [0, 1, 5, 7])
def test_flows_that_do_not_balance(wrong: int) -> None:
    """Five of them are named, with how many bytes are in no table; without flows there are no rows."""
    names = [f"flow {at}" for at in range(wrong)]
    values = {"sensor": ["s"] * wrong, "flow": names, "size": [1000 + at for at in range(wrong)]}
    flows = pa.RecordBatch.from_pydict(values, pa.schema([(name, FLOWS.field(name).type) for name in values]))
    if not wrong:
        assert table_builder.Balance(flows).batch().num_rows == 0
        return
    with pytest.raises(captures.ImbalanceError) as raised:
        table_builder.Balance(flows).batch()
    told = "; ".join(f"flow {at}: +1,{at:03} bytes" for at in range(min(wrong, 5)))
    assert str(raised.value) == f"{wrong} flows do not balance: {told}"


@pytest.mark.each(9)
@pytest.mark.parametrize("many", [2, 3, 5, 16_000])
@pytest.mark.parametrize("timed", [False, True])
def test_pieces_that_cross_each_other(many: int, timed: bool, tmp_path: Path, monkeypatch: Any) -> None:
    """Both sides send before they see what the other sent; such pieces are in the order of capture.

    That is so however many rows are taken at once, and each connection is by itself.
    """
    monkeypatch.setattr(table_builder, "MANY_ROWS", many)
    capture, size = Capture(), len(SESSION_ACK)
    talks = [Talk(capture, src=f"10.0.0.{host}").open() for host in (1, 3)]
    for turn in range(5):
        for talk in talks:
            for way in ("->", "<-") if turn % 2 else ("<-", "->"):
                talk.send(way, SESSION_ACK)
                capture.rows[-1]["ack"] = (5001 if way == "->" else 1001) + turn * size
    if not timed:
        for row in capture.rows:
            row["time"] = None
    found, by_connection = [], table_builder.by_connection

    def watched(*arguments: Any) -> Any:
        for batch in by_connection(*arguments):
            found.extend(batch.select(["src", "offset", "direction"]).to_pylist())
            yield batch

    monkeypatch.setattr(table_builder, "by_connection", watched)
    tables = {
        name: [row for found, batch in made if found == name for row in batch.to_pylist()]
        for name in ("sessions", "violations")
        for made in [
            table_builder.TableBuilder(frozenset({name}), engine.Settings(), tmp_path).tables(
                [batch_of(capture)], 0
            )
        ]
    }
    hosts = [host for host in ("10.0.0.1", "10.0.0.3") for _ in range(10)]
    order = [(turn * size, way) for turn in range(5) for way in (("->", "<-") if turn % 2 else ("<-", "->"))]
    assert [(row["offset"], row["direction"]) for row in found[:20]] == order * 2
    assert [row["src"] for row in found[:20] if row["direction"] == "->"] == hosts[::2]
    assert found[20:] == found[:20]
    assert len(tables["sessions"]) == 2
    assert tables["violations"]
