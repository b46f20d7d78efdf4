"""Captures to tables in one process: what the generator meant, in however little memory."""

from __future__ import annotations

import datetime as dt
import gc
import gzip
import io
import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support_by_hand import MICRO, pcap

import msmq_wire as mw
from msmq_wire import captures, mqmq, mqqb
from msmq_wire.captures import engine
from msmq_wire.captures.files.segments import SEGMENTS
from msmq_wire.captures.files.sources import Source
from msmq_wire.captures.gathering import GATHERED
from msmq_wire.captures.network.frames import Dissector, Ports
from msmq_wire.captures.reports.words import Meanings, session_lines
from msmq_wire.captures.rows import sessions
from msmq_wire.captures.rows.packets import violation_row
from msmq_wire.captures.schemas import plain
from msmq_wire.captures.spool import Spool, mapped, portions
from msmq_wire.captures.table_builder import Balance, ImbalanceError, TableBuilder, collecting_rarely
from msmq_wire.checks.validation import Violation
from msmq_wire.packets.lax import decode_part
from msmq_wire.testing.captures import Faults, Written, write_captures
from spark.support_changes import expected_changes, expected_tables, found_changes, found_tables
from spark.support_truth import expected_flows, found_flows

from .segments import GOLDEN, MESSAGE, Capture, Talk, batch_of

PACKETS = 800


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    place = tmp_path_factory.mktemp("captures")
    return write_captures(place, PACKETS, seed=23, faults=Faults.all(), managers=8, files=2, form="pcapng.gz")


def folder(written: Written) -> str:
    return str(written.captures[0].parent)


def rows_of(output: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(output / name).to_pylist()
    return found


@pytest.fixture(scope="module")
def output(written: Written, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("tables")
    counts = captures.write(folder(written), place)
    partial = Counter(row["partial"] for row in rows_of(place, "packets"))
    assert partial == {False: written.packets + written.pings, True: counts["packets"] - partial[False]}
    assert partial[True]
    assert counts["gaps"] == written.gaps
    return place


def test_ground_truth(written: Written, output: Path) -> None:
    """Each flow has the packets, gaps and bytes without a packet that the truth has, each at its place."""
    truth = expected_flows(written.truth)
    rows = [row for name in ("packets", "gaps", "quarantine") for row in rows_of(output, name)]
    assert found_flows(rows) == truth
    assert len(truth) > 10


def test_directory(written: Written, output: Path) -> None:
    found = found_changes(rows_of(output, "directory_changes"))
    assert Counter(one._replace(captured=()) for one in found) == expected_changes(written.directory)
    tables = {
        name: rows_of(output, name)
        for name in ("directory_history", "directory_objects", "directory_gaps", "directory_divergence")
    }
    assert found_tables(tables.__getitem__) == expected_tables(found)


def test_what_adds_up(written: Written, output: Path) -> None:
    """Every frame is in one count, and every byte of a flow in one table."""
    frames = rows_of(output, "frames")
    assert sum(row["frames"] for row in frames) == written.frames
    assert {row["reason"] for row in frames} == {"read", "fragment"}
    assert sum(row["bytes"] for row in frames) == written.bytes
    balance = rows_of(output, "balance")
    assert {row["difference"] for row in balance} == {0}
    assert len(balance) == len(rows_of(output, "flows"))
    sizes = {(row["sensor"], row["flow"]): row["size"] for row in rows_of(output, "flows")}
    assert {(row["sensor"], row["flow"]): row["bytes"] for row in balance} == sizes
    for name in ("packets", "gaps"):
        whole = [row["size"] for row in rows_of(output, name) if not row.get("partial")]
        assert sum(row[f"in_{name}"] for row in balance) == sum(whole)
    assert sum(row["in_quarantine"] for row in balance) > 0
    assert {row["places"] for row in rows_of(output, "quarantine") if row["kind"] != "frame"} == {1}


def test_parquet_of_times_and_lists(output: Path) -> None:
    """Times have no dictionary, which would be as long as they are, and values in lists no statistics."""
    groups = pq.ParquetFile(output / "deliveries" / "part-00000.parquet").metadata.row_group(0)
    columns = {column.path_in_schema: column for column in map(groups.column, range(groups.num_columns))}
    coded = {path for path, column in columns.items() if column.has_dictionary_page}
    assert {"state", "hops.list.element.flow"} <= coded
    assert not {"first_at", "hops.list.element.time"} & coded
    judged = {path for path, column in columns.items() if column.is_stats_set}
    assert {"state", "first_at"} <= judged
    assert not any(".list.element" in path for path in judged)


def same(one: Path, other: Path) -> None:
    for name in captures.TABLES:
        left, right = (Counter(map(repr, rows_of(place, name))) for place in (one, other))
        assert left == right, name


@pytest.mark.long
def test_little_memory(
    written: Written, output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many buckets, all of them in files, make the same tables."""
    monkeypatch.setattr(engine, "BUCKET", 1 << 14)
    captures.write(folder(written), tmp_path, settings=captures.Settings(memory=1))
    same(output, tmp_path)


def test_a_quiet_bucket_keeps_no_memory(tmp_path: Path) -> None:
    """A few rows of one connection, beside many of another, do not hold the memory of those in place."""
    reader = engine.Reader(0, 8, frozenset(), engine.Settings(memory=1 << 20), tmp_path)
    held = []
    for _ in range(40):
        capture = Capture()
        Talk(capture).send("->", *[bytes(60_000)] * 8)
        Talk(capture, src="10.0.0.7").send("->", b"little")
        reader.put(batch_of(capture))
        held.append(pa.total_allocated_bytes())
    assert max(held) - min(held) < 4 << 20
    rows = sorted(sum(batch.num_rows for batch in bucket.batches()) for bucket in reader.buckets)
    assert rows == [0] * 6 + [40, 320]


@pytest.mark.long
def test_several_processes(
    written: Written, output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work that is shared comes to the same."""
    monkeypatch.setattr(engine, "BUCKET", 1 << 16)
    told: list[captures.Progress] = []
    settings = captures.Settings(processes=2, memory=1, progress=told.append)
    captures.write(folder(written), tmp_path, settings=settings)
    same(output, tmp_path)
    assert {one.stage for one in told} == {"reading", "tables", "joining"}


def test_schemas(output: Path) -> None:
    for name, schema in captures.SCHEMAS.items():
        assert pq.read_schema(next((output / name).iterdir())).equals(schema), name


def test_packets_are_read_as_they_are_in_the_table(written: Written, output: Path) -> None:
    """The packets one by one, as they are in the table."""
    rows = {(row["flow"], row["offset"]): row for row in rows_of(output, "packets") if not row["partial"]}
    count = 0
    for found in captures.read(folder(written)):
        row = rows[found.flow, found.offset]
        assert (found.data, found.file, found.frame, found.direction) == (
            row["data"], row["file"], row["first_frame"], row["direction"],
        )  # fmt: skip
        assert type(found.packet).__name__ == row["type"]
        assert found.time == row["time"]
        count += 1
    assert count == len(rows)


def test_several_files_of_packets(tmp_path: Path) -> None:
    """Each file of packets is a flow of its own, also beside others in the same directory."""
    packets = {
        str(tmp_path / name): [
            mqmq.UserMessage(UserHeader=mqmq.UserHeader(MessageID=number)).encode() for number in numbers
        ]
        for name, numbers in (("a.msmq", (1, 2)), ("b.msmq", (3, 4, 5)))
    }
    found: dict[str, list[bytes]] = {}
    for path, own in packets.items():
        Path(path).write_bytes(b"".join(own))
    for one in captures.read(tmp_path):
        before = found.setdefault(one.file, [])
        assert (one.flow, one.offset) == (one.file, sum(map(len, before)))
        before.append(one.data)
    assert found == packets


def test_read_names_files_that_are_no_captures(written: Written, tmp_path: Path) -> None:
    """After the packets of those that are; a directory may hold other files."""
    text = tmp_path / "notes.txt"
    text.write_text("no capture")
    count = sum(1 for _ in captures.read(folder(written)))
    found: list[captures.Captured] = []
    with pytest.raises(mw.MsmqWireError, match=r"notes\.txt: the file does not begin as pcap"):
        found.extend(captures.read([text, folder(written)]))
    assert len(found) == count
    assert not [*captures.read(tmp_path)]


def test_read_takes_a_capture_with_a_damaged_header(written: Written, tmp_path: Path) -> None:
    """What is wrong with it is in the table `quarantine`, as of other damage."""
    data = gzip.decompress(written.captures[0].read_bytes())
    path = tmp_path / "damaged.pcapng"
    path.write_bytes(b"\0" + data[1:])
    whole = [captured.data for captured in captures.read(written.captures[0])]
    assert [captured.data for captured in captures.read(path)] == whole
    problems = captures.tables(path, ["quarantine"])["quarantine"].read_all().column("error").to_pylist()
    assert "the file begins with 0x000d0d0a, which is no mark of pcapng; it is read as pcapng" in problems


@pytest.mark.parametrize(
    ("given", "told"), [(b"\xd4\xc3\xb2\xa1", "got bytes"), (None, "NoneType"), ([b"a"], "bytes")]
)
def test_what_is_no_path(given: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        next(captures.read(given))


def test_readers_by_name(written: Written, output: Path) -> None:
    """Readers by name, each from the beginning, and only the tables that are asked for."""
    found = captures.tables(folder(written), ["packets", "gaps"])
    assert [*found] == ["packets", "gaps"]
    count = pq.read_table(output / "packets").num_rows
    assert [found["packets"].read_all().num_rows for _ in range(2)] == [count] * 2
    with pytest.raises(KeyError):
        found["messages"]
    with pytest.raises(mw.MsmqWireError, match="there is no table 'packet'"):
        captures.tables(folder(written), ["packet"])
    assert [*captures.tables(folder(written), "packets")] == ["packets"]
    with pytest.raises(TypeError, match=r"^expected paths, got BytesIO: give the path of the open file$"):
        next(captures.read(io.BytesIO()))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"memory": 5}, "expected Settings, got dict"),
        (captures.Settings(memory="64 MB"), "Settings.memory: expected a number, got str"),  # type: ignore[arg-type]
        (captures.Settings(processes=None), "Settings.processes: "),  # type: ignore[arg-type]
        (captures.Settings(tcp_ports=1801), "Settings.tcp_ports: expected a set of numbers, got int"),  # type: ignore[arg-type]
        (captures.Settings(udp_ports="3527"), "Settings.udp_ports: expected a set of numbers, got str"),  # type: ignore[arg-type]
    ],
)
def test_settings_of_other_types(written: Written, settings: Any, told: str) -> None:
    with pytest.raises(TypeError, match=f"^{told}"):
        captures.tables(folder(written), ["gaps"], settings)
    with pytest.raises(TypeError, match=f"^{told}"):
        next(captures.read(folder(written), settings))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (captures.Settings(memory=-1), "Settings.memory: expected 1 or more, got -1"),
        (
            captures.Settings(clock_tolerance=-1),
            "Settings.clock_tolerance is -1, not 0 to 4294967295 seconds",
        ),
        (captures.Settings(processes=0), "Settings.processes: expected 1 or more, got 0"),
        (captures.Settings(level="most"), "Settings.level is 'most', not one of 'must', "),  # type: ignore[arg-type]
        (captures.Settings(profile="xp"), "Settings.profile is 'xp', not one of 'windows-"),  # type: ignore[arg-type]
    ],
)
def test_settings_out_of_range(written: Written, settings: Any, told: str) -> None:
    """They are refused before anything is read, whichever tables are wanted."""
    with pytest.raises(ValueError, match=f"^{told}"):
        captures.tables(folder(written), ["gaps"], settings)


def test_lines_of_json(written: Written, output: Path, tmp_path: Path) -> None:
    counts = captures.write(folder(written), tmp_path, format="jsonl", names=["messages", "gaps"])
    lines = (tmp_path / "messages" / "part-00000.jsonl").read_text().splitlines()
    assert len(lines) == counts["messages"] == len(rows_of(output, "messages"))
    labels = Counter(json.loads(line)["label"] for line in lines)
    assert labels == Counter(row["label"] for row in rows_of(output, "messages"))


@pytest.mark.long
def test_a_database(written: Written, output: Path, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    counts = captures.write(folder(written), tmp_path, format="duckdb")
    with duckdb.connect(str(tmp_path / "tables.duckdb")) as connection:
        for name, count in counts.items():
            assert connection.table(name).shape[0] == count
        ((largest,),) = connection.execute("select max(BaseHeader.PacketSize) from packets").fetchall()
    assert largest == max(
        row["BaseHeader"]["PacketSize"] for row in rows_of(output, "packets") if row["BaseHeader"]
    )


def test_no_such_format(tmp_path: Path) -> None:
    with pytest.raises(mw.MsmqWireError, match="there is no format 'csv'; there are parquet, jsonl, duckdb"):
        captures.write("nowhere", tmp_path, format="csv")


def test_a_failure_leaves_what_was_there(written: Written, tmp_path: Path) -> None:
    """Tables are replaced when all new ones are complete, and nothing else is left."""
    captures.write(folder(written), tmp_path / "out", names=["gaps"])
    before = rows_of(tmp_path / "out", "gaps")
    with pytest.raises(mw.MsmqWireError, match="there is no file"):
        captures.write(tmp_path / "nothing", tmp_path / "out", names=["gaps"])
    assert rows_of(tmp_path / "out", "gaps") == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_tables_are_written_where_nothing_or_something_is(written: Written, tmp_path: Path) -> None:
    """Directories are made as deep as they are named; a second run replaces the tables of the first."""
    for _ in range(2):
        counts = captures.write(folder(written), tmp_path / "a" / "b", names=["gaps"])
        assert len(rows_of(tmp_path / "a" / "b", "gaps")) == counts["gaps"] == written.gaps


def test_an_output_that_cannot_be_made(tmp_path: Path) -> None:
    """The error names what was asked for, before anything is read; a run that fails leaves no directory."""
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r"directory") as caught:
        captures.write(tmp_path / "nothing", tmp_path / "file" / "out", names=["gaps"])
    assert caught.value.filename == str(tmp_path / "file" / "out")
    for same in ("nothing", "file"):
        with pytest.raises(mw.MsmqWireError, match=r"file is a file; tables need a directory$"):
            captures.write(tmp_path / same, tmp_path / "file", names=["gaps"])
    with pytest.raises(mw.MsmqWireError, match="there is no file"):
        captures.write(tmp_path / "nothing", tmp_path / "new", names=["gaps"])
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


_LIMITED = """
import resource, sys
from msmq_wire import captures
paths, *runs = sys.argv[1:]
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
for form, output, most in zip(runs[::3], runs[1::3], runs[2::3]):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), hard))
    try:
        captures.write(paths, output, form)
    except OSError as error:
        print(type(error).__module__, bool(error.strerror))
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="sizes of files have no limit there")
def test_files_that_cannot_grow(output: Path, tmp_path: Path) -> None:
    """As on a full disk: one error, nothing of the run remains, and older tables stay."""
    packets = 200  # whose tables are larger than that
    done = write_captures(tmp_path / "own", packets, seed=23, faults=Faults.all(), managers=8, files=1)
    sizes = {
        tmp_path / f"{there} {form} at most {most}": (form, str(most))
        for form in captures.FORMATS
        for there, most in (("new", 0), ("new", 60_000), ("old", 60_000))
    }
    olds = {place for place in sizes if place.name.startswith("old")}
    for place in olds:
        shutil.copytree(output, place)
    before = contents(tmp_path)
    runs = [word for place, (form, most) in sizes.items() for word in (form, str(place), most)]
    # Without -B, Python stores the compiled modules that it imports after the limit, cut off.
    command = [sys.executable, "-B", "-c", _LIMITED, folder(done), *runs]
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own words
    assert (run.stdout, run.stderr) == ("builtins True\n" * len(sizes), "")
    assert contents(tmp_path) == before
    for place in sizes:
        assert place.exists() == (place in olds)
        assert place not in olds or {entry.name for entry in place.iterdir()} == {*captures.TABLES, "run"}


def contents(place: Path) -> dict[str, bytes]:
    """All files below a directory."""
    return {str(path): path.read_bytes() for path in place.rglob("*") if path.is_file()}


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
@pytest.mark.parametrize(
    "file",
    ["packets/own.pcap", "sessions/notes.txt", "packets/part-00000.parquet", "packets/part-00000.jsonl",
     "packets/old/part-00000.parquet", "gaps"],
)  # fmt: skip
def test_only_tables_are_replaced(written: Written, tmp_path: Path, form: str, file: str) -> None:
    """A capture or a note at the place of a table stays, whatever its name is."""
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(written.captures[0].read_bytes())
    before = contents(tmp_path)
    with pytest.raises(mw.MsmqWireError, match=r"is not a file of a table, and .* would be replaced"):
        captures.write(written.captures[0], tmp_path, form)
    with pytest.raises(mw.MsmqWireError, match="which is an input: choose another output"):
        captures.write(tmp_path, tmp_path, form)
    assert contents(tmp_path) == before


def test_links_and_databases_are_not_replaced(written: Written, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "gaps").symlink_to(tmp_path)
    (tmp_path / "out" / "tables.duckdb").write_bytes(b"no database, but notes")
    before = contents(tmp_path)
    for form in ("parquet", "duckdb"):
        with pytest.raises(mw.MsmqWireError, match="is not a file of a table"):
            captures.write(written.captures[0], tmp_path / "out", form, ["gaps"])
        assert contents(tmp_path) == before


def test_an_input_is_not_replaced(written: Written, tmp_path: Path) -> None:
    captures.write(written.captures[0], tmp_path, names=["packets"])
    before = contents(tmp_path)
    for given in (tmp_path / "packets", tmp_path / "packets" / "part-00000.parquet"):
        with pytest.raises(mw.MsmqWireError, match=r"is an input, and .* would be replaced"):
            captures.write(given, tmp_path, names=["packets"])
        assert contents(tmp_path) == before


def test_inputs_that_are_no_paths_replace_nothing(
    written: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the directory is in which the command runs."""
    captures.write(written.captures[0], tmp_path, names=["packets"])
    monkeypatch.chdir(tmp_path / "packets")
    for given in ("", "packets\0", ["", str(written.captures[0])]):
        with pytest.raises(mw.MsmqWireError, match=r"^there is no file "):
            captures.write(given, tmp_path, names=["packets"])
    assert {*contents(tmp_path)} == {
        str(tmp_path / name / "part-00000.parquet") for name in ("packets", "run")
    }


def test_tables_of_spark_are_replaced(written: Written, tmp_path: Path) -> None:
    """Partitions, marks, checksums and the rest of a killed run belong to a table."""
    captures.write(written.captures[0], tmp_path / "own", names=["gaps"])
    table = (tmp_path / "own" / "gaps" / "part-00000.parquet").read_bytes()
    for name in ("batch=1/open=0/part-00000-x.snappy.parquet", "_temporary/0/task_1/part-00000.parquet"):
        path = tmp_path / "gaps" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(table)
    for name in ("_SUCCESS", "._SUCCESS.crc", "batch=1/.part-00000-x.snappy.parquet.crc"):
        (tmp_path / "gaps" / name).write_bytes(b"")
    captures.write(written.captures[0], tmp_path, names=["gaps"])
    assert [path.name for path in (tmp_path / "gaps").iterdir()] == ["part-00000.parquet"]


def test_what_killed_runs_left_is_removed(written: Written, tmp_path: Path) -> None:
    """But nothing that has a similar name."""
    for name in (f".new-{'0' * 32}/gaps", ".new-names", "gaps"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / f".new-{'0' * 32}" / "gaps" / "part-00000.parquet").write_bytes(b"PAR1")
    captures.write(written.captures[0], tmp_path, names=["gaps"])
    assert {path.name for path in tmp_path.iterdir()} == {"gaps", ".new-names", "run"}


def test_an_empty_path(written: Written, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is not the current directory."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(mw.MsmqWireError, match=r"^output: expected a path, got ''$"):
        captures.write(written.captures[0], "")
    with pytest.raises(mw.MsmqWireError, match=r"^there is no file ''$"):
        next(captures.read(""))
    assert not [*tmp_path.iterdir()]


def test_files_that_are_no_captures(written: Written, tmp_path: Path) -> None:
    """They are told once, and everything else is read."""
    (tmp_path / "notes.txt").write_bytes(b"these are notes, and no capture at all")
    (tmp_path / "a.pcapng.gz").write_bytes(written.captures[0].read_bytes())
    found = captures.tables(tmp_path)
    wrong = [row for row in found["quarantine"].read_all().to_pylist() if row["kind"] == "file"]
    assert [(row["file"], row["error"]) for row in wrong] == [
        (str(tmp_path / "notes.txt"), "the file does not begin as pcap, pcapng or MSMQ packets does")
    ]
    assert found["packets"].read_all().num_rows > 0


def test_a_frame_that_cannot_be_read(tmp_path: Path) -> None:
    """Its row says where the frame is, when it was captured and what its bytes are."""
    good, damaged = bytes(14), b"\2" * 12 + b"\x08\0\x44" + bytes(30)
    place = tmp_path / "a.pcap"
    place.write_bytes(pcap([(1_700_000_000 * MICRO, good), (1_700_000_001 * MICRO, damaged)]))
    ((_, batch),) = engine.run([str(place)], ["quarantine"])
    (row,) = batch.to_pylist()
    assert row["file"] == row["last_file"] == str(place)
    assert (row["kind"], row["first_frame"], row["last_frame"], row["places"]) == ("frame", 2, 2, 1)
    assert row["time"] == row["end_time"] == dt.datetime.fromtimestamp(1_700_000_001, dt.UTC)
    assert (row["size"], row["data"], row["error_offset"]) == (45, damaged, 24 + 16 + len(good))
    assert row["error"] == "the IPv4 header begins with 0x44"


@pytest.mark.parametrize(
    ("value", "text"), [("a" * 300, "a" * 200), (b"\xab" * 150, "ab" * 100), (17, "17"), (None, None)]
)
def test_values_in_violations_are_short(value: object, text: str | None) -> None:
    found = Violation("MQMQ-2.2.19.1-31", "UserMessage", 0, value, "nothing", "a sentence")
    assert violation_row(found)["found"] == text


def test_a_file_that_cannot_be_opened() -> None:
    """Its row has the place 0 and no bytes; numbers make no difference to the cause."""
    ((name, batch),) = engine.unreadable([("/a.pcap", "error 17")], frozenset({"quarantine"}))
    (row,) = batch.to_pylist()
    names = ("file", "kind", "error", "cause", "error_offset", "size", "data", "places")
    assert name == "quarantine"
    assert [row[name] for name in names] == ["/a.pcap", "file", "error 17", "error N", 0, 0, b"", 1]
    assert [*engine.unreadable([("/a.pcap", "error 17")], frozenset({"packets"}))] == []


@pytest.mark.parametrize(
    ("sizes", "rows", "ranges"),
    [
        ([3] * 5, 10, [(0, 2), (2, 4), (4, 5)]),
        ([3] * 5, 1, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]),
        ([1, 9, 1, 5, 1], 10, [(0, 1), (1, 2), (2, 4), (4, 5)]),
        ([], 10, []),
    ],
)
def test_portions(sizes: list[int], rows: int, ranges: list[tuple[int, int]]) -> None:
    """None has more than six bytes, unless a single row has."""
    assert [*portions(np.array(sizes, np.int64), rows, 6)] == ranges


def test_a_bucket_in_a_process_of_its_own(tmp_path: Path) -> None:
    """Its tables are files; the segments are deleted when they have been read."""
    capture = Capture()
    Talk(capture).open().send("->", MESSAGE)
    spool = Spool(plain(SEGMENTS), tmp_path / "rows", 0)
    spool.add(batch_of(capture))
    others, until, made = engine.make_apart(
        3, [tmp_path / "rows"] if spool.file() else [], frozenset({"packets"}), engine.Settings(), tmp_path
    )
    assert (others, until, made) == (
        [],
        {"/captures/": 1_767_225_600_004_000},
        [("packets", tmp_path / "packets-3")],
    )
    assert [batch.column("data").to_pylist() for batch in mapped(made[0][1])] == [[MESSAGE]]
    assert [path.name for path in tmp_path.iterdir()] == ["packets-3"]


def test_times_of_a_session(tmp_path: Path) -> None:
    """Its first and its last packet were captured then."""
    capture = Capture()
    talk = Talk(capture).open()
    for name, data in GOLDEN.items():
        talk.send("->" if int(name.split("-")[1]) % 2 else "<-", data)
    maker = TableBuilder(frozenset({"sessions"}), engine.Settings(), tmp_path)
    (row,) = (row for _, batch in maker.tables([batch_of(capture)], 0) for row in batch.to_pylist())
    times = [one["time"] for one in capture.rows if one["payload"]]
    assert (row["first_at"], row["last_at"]) == (times[0], times[-1])
    assert times[0] < times[-1]


@pytest.mark.parametrize("time", [1_085_804_930_738_484, 1_700_000_000_000_001, 2_243_955_745_398_204])
def test_times_of_a_session_are_exact(time: int, tmp_path: Path) -> None:
    """To the microsecond, although its rules count in seconds."""
    capture = Capture()
    seen = dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(microseconds=time)
    Talk(capture).open().segment("->", 1001, MESSAGE, time=seen)
    made = TableBuilder(frozenset({"sessions"}), engine.Settings(), tmp_path).tables([batch_of(capture)], 0)
    (row,) = (row for _, batch in made for row in batch.to_pylist())
    assert row["first_at"] == row["last_at"] == seen


def test_progress(written: Written) -> None:
    told: list[captures.Progress] = []
    captures.tables(folder(written), settings=captures.Settings(progress=told.append))
    assert [one.stage for one in told] == ["reading", "reading", "tables", *("joining" for _ in GATHERED)]
    assert all(0 <= one.done < one.total for one in told)


@pytest.mark.long
def test_progress_of_several_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that is told is the one at which the work has arrived, also where processes share files."""
    monkeypatch.setattr(engine, "LEAST_BUCKET", 1 << 14)
    capture = write_captures(tmp_path, 300, seed=6, managers=5).captures[0]
    cut_up(capture, tmp_path / "rotated", 20)
    told: list[captures.Progress] = []
    settings = captures.Settings(processes=2, progress=told.append)
    captures.tables(str(tmp_path / "rotated"), ["packets"], settings=settings)
    before, places = 0, {}
    for path in sorted((tmp_path / "rotated").iterdir()):
        places[before] = path.name
        before += path.stat().st_size
    reading = [one for one in told if one.stage == "reading"]
    assert 1 < len(reading) < len(places)
    assert [Path(one.text).name for one in reading] == [places[one.done] for one in reading]


def test_bytes_that_are_nowhere_are_named(written: Written) -> None:
    """The error names the flow and how many bytes differ, whether there are too few rows or too many."""
    flows = captures.tables(folder(written), ["flows"])["flows"].read_all().combine_chunks().to_batches()[0]
    flow = flows.slice(0, 1)
    sensor, name, size = (flow.column(column)[0].as_py() for column in ("sensor", "flow", "size"))
    rows = [(sensor, name, "packet", size - 5), (sensor, "another", "junk", 3), (sensor, "a", "conflict", 9)]
    balance = Balance(flow)
    balance.add(pa.table([*zip(*rows, strict=True)], ["sensor", "flow", "kind", "size"]).to_batches()[0])
    with pytest.raises(ImbalanceError) as caught:
        balance.batch()
    assert str(caught.value) == f"2 flows do not balance: {name}: +5 bytes; another: -3 bytes"


@pytest.mark.parametrize(("usual", "meanwhile"), [(700, 50_000), (90_000, 90_000), (0, 0)])
def test_cycles_are_looked_for_as_before_afterwards(written: Written, usual: int, meanwhile: int) -> None:
    """Who turned it off, or made it rarer, keeps that; what others have set is set again."""
    before = gc.get_threshold()
    try:
        gc.set_threshold(usual, *before[1:])
        with collecting_rarely():
            assert gc.get_threshold()[0] == meanwhile
        with pytest.raises(ZeroDivisionError), collecting_rarely():
            raise ZeroDivisionError
        captures.tables(folder(written), ["flows"])
        assert gc.get_threshold()[0] == usual
    finally:
        gc.set_threshold(*before)


@pytest.mark.long
def test_memory_is_given_back(written: Written, tmp_path: Path) -> None:
    """Nothing of a run stays, not even until cycles are collected: damaged packets are among these."""
    gc.collect()  # what other tests have left
    before = pa.total_allocated_bytes()
    gc.disable()
    try:
        captures.write(folder(written), tmp_path)
        assert pa.total_allocated_bytes() - before < 1 << 20
    finally:
        gc.enable()


@pytest.mark.long
def test_parts_of_packets_are_forgotten(written: Written) -> None:
    """The results that several tables share are kept until the run ends, live or not."""
    path = written.captures[0]
    live = Source(iter([path.read_bytes()]), live=True)
    for rows in (engine.run([str(path)]), engine.run_live(live, "pipe")):  # which begin when they are read
        result = decode_part(MESSAGE[:100])
        assert decode_part(MESSAGE[:100]) is result
        assert [*rows]
        assert decode_part(MESSAGE[:100]) is not result


# ------------------------------------------------------------------------------------------ rotated captures


def cut_up(capture: Path, place: Path, frames: int) -> None:
    """The records of a pcap in files of so many, as a capture that is rotated."""
    data = capture.read_bytes()
    records, at = [], 24
    while at < len(data):
        size = int.from_bytes(data[at + 8 : at + 12], "little")
        records.append(data[at : at + 16 + size])
        at += 16 + size
    place.mkdir()
    for number, start in enumerate(range(0, len(records), frames)):
        (place / f"{number:05}.pcap").write_bytes(data[:24] + b"".join(records[start : start + frames]))


@pytest.mark.long
@pytest.mark.parametrize("processes", [1, 2])
def test_fragments_in_two_files(tmp_path: Path, processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A datagram whose fragments lie in two files of a capture is put together, its frames are counted."""
    monkeypatch.setattr(engine, "LEAST_BUCKET", 1 << 14)
    made = write_captures(tmp_path, 400, seed=9, faults=Faults(fragment=0.2), managers=5)
    capture = made.captures[0]
    cut_up(capture, tmp_path / "rotated", 3)
    whole = captures.tables(str(capture))
    rotated = captures.tables(str(tmp_path / "rotated"), settings=captures.Settings(processes=processes))
    for name, columns in (
        ("packets", ["offset", "size", "type", "data"]),
        ("flows", ["flow", "size", "segments", "captured"]),
        ("gaps", ["flow", "offset", "size"]),
        ("messages", ["message", "destination", "label"]),
        ("quarantine", ["error", "size"]),
    ):
        found = [tables[name].read_all().select(columns).to_pylist() for tables in (whole, rotated)]
        assert sorted(map(repr, found[0])) == sorted(map(repr, found[1])), name
    counts = [Counter[str](), Counter[str]()]
    for count, tables in zip(counts, (whole, rotated), strict=True):
        for row in tables["frames"].read_all().to_pylist():
            count[row["reason"]] += row["frames"]
    assert counts[0] == counts[1]
    assert counts[0]["fragment"] >= 20  # of which some end a file
    assert counts[0]["fragment missing"] == 0
    apart = [
        captures.tables(str(path), ["frames"])["frames"].read_all()
        for path in (tmp_path / "rotated").iterdir()
    ]
    assert any("fragment missing" in frames["reason"].to_pylist() for frames in apart)


def test_fragments_of_other_times(tmp_path: Path) -> None:
    """Numbers of datagrams are used again: what is captured minutes later is another one."""
    made = write_captures(tmp_path, 200, seed=6, faults=Faults(fragment=0.5), managers=5)
    capture = made.captures[0]
    cut_up(capture, tmp_path / "rotated", 2)
    for number, file in enumerate(sorted((tmp_path / "rotated").iterdir())):
        data = bytearray(file.read_bytes())
        at = 24
        while at < len(data):
            seconds = int.from_bytes(data[at : at + 4], "little") + 3600 * number
            data[at : at + 4] = seconds.to_bytes(4, "little")
            at += 16 + int.from_bytes(data[at + 8 : at + 12], "little")
        file.write_bytes(data)
    found = captures.tables(str(tmp_path / "rotated"), ["quarantine", "frames"])
    errors = found["quarantine"].read_all()["error"].to_pylist()
    assert any(error.startswith("fragments of a datagram are missing") for error in errors)
    reasons = {row["reason"] for row in found["frames"].read_all().to_pylist()}
    assert "fragment missing" in reasons


def directions(capture: Path) -> dict[str, list[bytes]]:
    """The records of TCP in a capture: those from clients, and those from servers."""
    data, at = capture.read_bytes(), 24
    found: dict[str, list[bytes]] = {"->": [], "<-": []}
    while at < len(data):
        size = int.from_bytes(data[at + 8 : at + 12], "little")
        facts = Dissector(Ports(None, None)).read(data[at + 16 : at + 16 + size], 1, size).facts
        if facts is not None and facts[0] == "tcp":
            found["<-" if facts[2] == 1801 else "->"].append(data[at : at + 16 + size])
        at += 16 + size
    return found


@pytest.mark.parametrize("first", ["->", "<-"])
def test_who_opened_a_connection(first: str, tmp_path: Path) -> None:
    """The opener of a session is the side that opened its connection, whoever sends the first packet."""
    capture = Capture()
    Talk(capture).open().send(first, MESSAGE)
    made = TableBuilder(frozenset({"sessions"}), engine.Settings(), tmp_path).tables([batch_of(capture)], 0)
    (row,) = (row for name, batch in made if name == "sessions" for row in batch.to_pylist())
    assert (row["opener"], row["acceptor"]) == ("10.0.0.1:49152", "10.0.0.2:1801")


@pytest.mark.parametrize(
    ("opened", "transport", "ports", "opener"),
    [
        (True, "tcp", (5000, 1801), "->"),
        (True, "tcp", (1801, 5000), "->"),
        (True, "tcp", (5000, 6000), "->"),
        (False, "tcp", (5000, 1801), "->"),
        (False, "tcp", (5000, 1800), None),
        (False, "tcp", (5000, 1802), None),
        (False, "tcp", (1801, 1801), None),
        (True, "raw", (None, None), None),
        (False, "udp", (5000, 1801), None),
    ],
)
@pytest.mark.parametrize("both", [False, True])
def test_what_is_known_of_a_connection(
    opened: bool, transport: str, ports: tuple[Any, Any], opener: str | None, both: bool
) -> None:
    """Who opened it follows from its SYN, or from the port 1801 of MSMQ if it is that of one side."""
    row = {"sensor": "s", "connection": "c", "transport": transport, "direction": "->", "both": both}
    row |= {"opened": opened, "closed": False, "src_port": ports[0], "dst_port": ports[1]}
    with mock.patch.object(sessions, "SessionMonitor") as monitor:
        sessions.Connection(row)
    only = None if both else "->"
    assert monitor.call_args == mock.call(
        idle=opened, one_connection=transport == "tcp", opener=opener, only=only
    )


@pytest.fixture(scope="module")
def legal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A capture without faults."""
    place = tmp_path_factory.mktemp("legal")
    return write_captures(place, 300, seed=12, faults=Faults(), files=1).captures[0]


@pytest.mark.each(2)
@pytest.mark.parametrize("way", ["->", "<-"])
def test_one_direction_of_legal_sessions(way: str, legal: Path, tmp_path: Path) -> None:
    """What one direction shows is not a violation of packets of the other, which were not captured."""
    before = captures.tables(legal, ["violations", "flows"])
    assert before["violations"].read_all().num_rows == 0
    half = tmp_path / "half.pcap"
    half.write_bytes(legal.read_bytes()[:24] + b"".join(directions(legal)[way]))
    found = captures.tables(half, ["violations", "flows", "sessions"])
    flows = [tables["flows"].read_all() for tables in (before, found)]
    assert {*flows[1]["direction"].to_pylist()} == {way}
    assert 3 * flows[1].num_rows > flows[0].num_rows
    assert found["violations"].read_all().to_pylist() == []
    sessions = found["sessions"].read_all().to_pylist()
    talking = [row for row in sessions if row["forward"]["messages"] or row["backward"]["messages"]]
    texts = ["\n".join(session_lines(row, Meanings())) for row in talking]
    assert texts
    assert all("no handshake captured" in text for text in texts)
    assert not any("all messages acknowledged" in text for text in texts)


@pytest.mark.each(4)
@pytest.mark.parametrize("shift", [-3600, -1, 1, 3600])
def test_directions_with_different_clocks(shift: int, legal: Path, tmp_path: Path) -> None:
    """Both directions of a connection are ordered by their acknowledgments, whichever was captured first."""
    head, parts = legal.read_bytes()[:24], directions(legal)
    late = [
        (int.from_bytes(one[:4], "little") + shift).to_bytes(4, "little") + one[4:] for one in parts["<-"]
    ]
    for name, records in (("one", parts["->"]), ("other", late)):
        (tmp_path / "taps").mkdir(exist_ok=True)
        (tmp_path / "taps" / f"{name}.pcap").write_bytes(head + b"".join(records))
    before, found = (captures.tables(path) for path in (legal, tmp_path / "taps"))
    expired = "MQMQ-2.2.19.1-34"  # which compares the clocks of sender and sensor
    assert {*found["violations"].read_all()["requirement"].to_pylist()} <= {expired}
    assert found["gaps"].read_all().num_rows == 0
    states = [
        Counter((row["handshake"], row["outcome"]) for row in tables["sessions"].read_all().to_pylist())
        for tables in (before, found)
    ]
    assert states[0] == states[1]


@pytest.mark.parametrize("kind", ["junk", "gap"])
@pytest.mark.parametrize("behind", [0, 1, 2, 10])
def test_how_long_packets_may_be_missing(kind: str, behind: int) -> None:
    """Until the other side has seen all bytes that are no packet; a packet may have been among them."""
    place, size, seen = 100, 10, 50
    row = {"sensor": "s", "connection": "c", "transport": "tcp", "direction": "->", "both": True}
    row |= {"opened": True, "closed": False, "src_port": 5000, "dst_port": 1801}
    connection = sessions.Connection(row)

    def piece(kind: str, way: Any, turn: int, seen: int) -> Any:
        return sessions.SessionPiece(kind, way, None, 0, None, None, None, size, turn, seen, None)

    connection.monitor = monitor = mock.create_autospec(connection.monitor, instance=True)
    connection.feed(piece(kind, "->", place + seen + 1, seen), None, None)
    for _ in range(2):
        connection.feed(piece("packet", "<-", 200, place + size - behind), mqqb.PingPacket(), None)
    doubts = monitor.gap.call_args_list.count(mock.call("->", again=True))
    unseen_gap = kind == "gap" and behind == size  # nothing of it was seen, so it may be after both
    assert doubts == (0 if unseen_gap else 2 if behind else 1)
    assert monitor.gap.call_args_list.count(mock.call("->")) == (not unseen_gap)
