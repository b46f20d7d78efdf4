"""Captures to tables in one process: what the generator meant, in however little memory."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import msmq_wire as mw
from msmq_wire import captures
from msmq_wire.captures import engine
from msmq_wire.testing.captures import Faults, Written, write_captures
from spark.support_changes import expected_changes, expected_tables, found_changes, found_tables
from spark.support_truth import expected_flows, found_flows

if TYPE_CHECKING:
    from pathlib import Path

PACKETS = 1200


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Written:
    place = tmp_path_factory.mktemp("captures")
    return write_captures(place, PACKETS, seed=12, faults=Faults.all(), managers=8, files=2, form="pcapng.gz")


def folder(made: Written) -> str:
    return str(made.captures[0].parent)


def rows_of(output: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(output / name).to_pylist()
    return found


@pytest.fixture(scope="module")
def output(made: Written, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("tables")
    counts = captures.write(folder(made), place)
    partial = Counter(row["partial"] for row in rows_of(place, "packets"))
    assert partial == {False: made.packets + made.pings, True: counts["packets"] - partial[False]}
    assert partial[True]
    assert counts["gaps"] == made.gaps
    return place


def test_ground_truth(made: Written, output: Path) -> None:
    """Each flow has the packets, gaps and bytes without a packet that the truth has, each at its place."""
    truth = expected_flows(made.truth)
    rows = [row for name in ("packets", "gaps", "quarantine") for row in rows_of(output, name)]
    assert found_flows(rows) == truth
    assert len(truth) > 10


def test_directory(made: Written, output: Path) -> None:
    found = found_changes(rows_of(output, "directory_changes"))
    assert Counter(one._replace(captured=()) for one in found) == expected_changes(made.directory)
    tables = {
        name: rows_of(output, name)
        for name in ("directory_history", "directory_objects", "directory_gaps", "directory_divergence")
    }
    assert found_tables(tables.__getitem__) == expected_tables(found)


def test_what_adds_up(made: Written, output: Path) -> None:
    """Every frame is in one count, and every byte of a flow in one table."""
    frames = rows_of(output, "frames")
    assert sum(row["frames"] for row in frames) == made.frames
    assert {row["reason"] for row in frames} == {"read", "fragment"}
    assert sum(row["bytes"] for row in frames) == made.bytes
    balance = rows_of(output, "balance")
    assert {row["difference"] for row in balance} == {0}
    assert len(balance) == len(rows_of(output, "flows"))
    sizes = {(row["sensor"], row["flow"]): row["size"] for row in rows_of(output, "flows")}
    assert {(row["sensor"], row["flow"]): row["bytes"] for row in balance} == sizes


def same(one: Path, other: Path) -> None:
    for name in captures.TABLES:
        left, right = (Counter(map(repr, rows_of(place, name))) for place in (one, other))
        assert left == right, name


def test_little_memory(made: Written, output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many buckets, all of them in files, make the same tables."""
    monkeypatch.setattr(engine, "_BUCKET", 1 << 14)
    monkeypatch.setattr(engine, "_BATCH_BYTES", 1)
    captures.write(folder(made), tmp_path, settings=captures.Settings(memory=1))
    same(output, tmp_path)


def test_several_processes(
    made: Written, output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work that is shared comes to the same."""
    monkeypatch.setattr(engine, "_BUCKET", 1 << 16)
    told: list[captures.Progress] = []
    settings = captures.Settings(processes=2, memory=1, progress=told.append)
    captures.write(folder(made), tmp_path, settings=settings)
    same(output, tmp_path)
    assert {one.stage for one in told} == {"reading", "tables", "directory"}


def test_schemas(output: Path) -> None:
    for name, schema in captures.SCHEMAS.items():
        assert pq.read_schema(next((output / name).iterdir())).equals(schema), name


def test_read(made: Written, output: Path) -> None:
    """The packets one by one, as they are in the table."""
    rows = {(row["flow"], row["offset"]): row for row in rows_of(output, "packets") if not row["partial"]}
    count = 0
    for found in captures.read(folder(made)):
        row = rows[found.flow, found.offset]
        assert (found.data, found.file, found.frame, found.direction) == (
            row["data"], row["file"], row["first_frame"], row["direction"],
        )  # fmt: skip
        assert type(found.packet).__name__ == row["type"]
        assert found.time == row["time"]
        count += 1
    assert count == len(rows)


def test_tables(made: Written, output: Path) -> None:
    """Readers by name, each from the beginning, and only the tables that are asked for."""
    found = captures.tables(folder(made), ["packets", "gaps"])
    assert [*found] == ["packets", "gaps"]
    for _ in range(2):
        assert found["packets"].read_all().num_rows == len(rows_of(output, "packets"))
    with pytest.raises(KeyError):
        found["messages"]
    with pytest.raises(mw.MsmqWireError, match="there is no table 'packet'"):
        captures.tables(folder(made), ["packet"])


def test_lines_of_json(made: Written, output: Path, tmp_path: Path) -> None:
    counts = captures.write(folder(made), tmp_path, format="jsonl", names=["messages", "gaps"])
    lines = (tmp_path / "messages" / "part-00000.jsonl").read_text().splitlines()
    assert len(lines) == counts["messages"] == len(rows_of(output, "messages"))
    labels = Counter(json.loads(line)["label"] for line in lines)
    assert labels == Counter(row["label"] for row in rows_of(output, "messages"))


def test_a_database(made: Written, output: Path, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    counts = captures.write(folder(made), tmp_path, format="duckdb")
    with duckdb.connect(str(tmp_path / "tables.duckdb")) as connection:
        for name, count in counts.items():
            assert connection.execute(f'select count(*) from "{name}"').fetchone() == (count,)  # noqa: S608
        ((largest,),) = connection.execute("select max(BaseHeader.PacketSize) from packets").fetchall()
    assert largest == max(
        row["BaseHeader"]["PacketSize"] for row in rows_of(output, "packets") if row["BaseHeader"]
    )


def test_no_such_format(tmp_path: Path) -> None:
    with pytest.raises(mw.MsmqWireError, match="there is no format 'csv'; there are parquet, jsonl, duckdb"):
        captures.write("nowhere", tmp_path, format="csv")


def test_a_failure_leaves_what_was_there(made: Written, tmp_path: Path) -> None:
    """Tables are replaced when all new ones are complete, and nothing else is left."""
    captures.write(folder(made), tmp_path / "out", names=["gaps"])
    before = rows_of(tmp_path / "out", "gaps")
    with pytest.raises(mw.MsmqWireError, match="there is no file"):
        captures.write(tmp_path / "nothing", tmp_path / "out", names=["gaps"])
    assert rows_of(tmp_path / "out", "gaps") == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_files_that_are_no_captures(made: Written, tmp_path: Path) -> None:
    """They are told once, and everything else is read."""
    (tmp_path / "notes.txt").write_bytes(b"these are notes, and no capture at all")
    (tmp_path / "a.pcapng.gz").write_bytes(made.captures[0].read_bytes())
    found = captures.tables(tmp_path)
    wrong = [row for row in found["quarantine"].read_all().to_pylist() if row["kind"] == "file"]
    assert [(row["file"], row["error"]) for row in wrong] == [
        (str(tmp_path / "notes.txt"), "the file does not begin as pcap, pcapng or MSMQ packets does")
    ]
    assert found["packets"].read_all().num_rows > 0


def test_progress(made: Written) -> None:
    told: list[captures.Progress] = []
    captures.tables(folder(made), settings=captures.Settings(progress=told.append))
    assert [one.stage for one in told] == ["reading", "reading", "tables", "directory"]
    assert all(0 <= one.done < one.total for one in told)


def test_memory_is_given_back(made: Written) -> None:
    """Nothing of a run stays."""
    del made
    assert pa.total_allocated_bytes() < 64 << 20
