"""Two writers of one output within a process, and outputs of which something is missing."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from pyspark.errors import PythonException

from msmq_wire import captures
from msmq_wire.captures import LockedError
from msmq_wire.captures.locks import Lock, Owner
from msmq_wire.spark import pipeline as pipeline_module
from msmq_wire.spark._outputs import sink
from msmq_wire.spark._outputs.sink import HadoopClaims
from msmq_wire.spark.pipeline import Pipeline
from msmq_wire.testing.captures import write_captures
from msmq_wire.values.errors import MsmqWireError

from .support_truth import read_by_desk, read_without_spark, table_without_spark

if TYPE_CHECKING:
    from collections import Counter
    from pathlib import Path

    from pyspark.sql import SparkSession

NAMES = ("packets", "messages", "flows", "frames")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two captures of one sensor."""
    return [*write_captures(tmp_path_factory.mktemp("writers"), 60, seed=41, files=2).captures]


def contents(place: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}


@pytest.mark.long
def test_one_writer(spark: SparkSession, tmp_path: Path, files: list[Path]) -> None:
    """Each way to write is refused while somebody writes; a run has the output from `read` to `make`."""
    place, output = tmp_path / "in", tmp_path / "tables"
    place.mkdir()
    shutil.copy(files[0], place / "0.pcap")
    shutil.copy(files[0], place / "_0.pcap")
    first = Pipeline(spark, str(output), tables=NAMES)
    with Lock(str(output)):
        before = contents(output)
        for write in (first.read, first.take, lambda inputs: captures.write(inputs, output)):
            with pytest.raises(LockedError, match="is being written by"):
                write([str(place)])
        assert contents(output) == before
    first.read([str(place)])
    with pytest.raises(LockedError, match="is being written by"):
        captures.write(place, output)
    first.make()
    run = captures.run_of(output)
    assert run
    first.read([str(tmp_path / "nothing*")])
    with pytest.raises(PythonException, match=r"nothing\*"):
        first.make()
    assert captures.run_of(output) == run  # the tables are those that were there
    first.read([str(place)])
    for _ in range(2):
        first.make()
        assert captures.run_of(output) not in {None, run}
        run = captures.run_of(output)
    assert read_without_spark(output, NAMES)[1] == read_by_desk(place, NAMES)
    frames = table_without_spark(output, "frames").to_pylist()
    assert [row["file"] for row in frames if row["reason"] == "hidden"] == [str(place / "_0.pcap")]
    with pytest.raises(
        MsmqWireError, match="has tables of one run, and increments can only continue increments"
    ):
        first.take([str(place)])
    with pytest.raises(MsmqWireError, match=r"is inside .*, which is an input"):
        Pipeline(spark, str(place / "tables")).take([str(place)])
    captures.write(place, output, names=NAMES)
    assert captures.run_of(output) not in {None, run}
    shutil.rmtree(output / "run")
    with pytest.raises(
        MsmqWireError, match="has tables of one run, and increments can only continue increments"
    ):
        first.take([str(place)])


def test_a_claim_that_is_written_while_another_is_removed(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is listed before, and removed after: a claim in it stays, and the writer ends well."""
    claims = HadoopClaims(spark, f"file:{tmp_path}")
    claims.write("one", b"{}")
    claims.write("other", b"{}")
    monkeypatch.setattr(sink, "names_in", lambda *_: [])
    claims.remove("one")
    monkeypatch.undo()
    assert claims.names() == ["other"]
    claims.remove("other")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.long
def test_one_writer_at_a_url(spark: SparkSession, tmp_path: Path, files: list[Path]) -> None:
    """There are no locks, only claims; what remains of one that was killed is told, and can be broken."""
    place, names = tmp_path / "in", ("flows", "frames")
    place.mkdir()
    (tmp_path / "out").mkdir()
    shutil.copy(files[0], place)
    mount = "fs.viewfs.mounttable.outputs.link./out"
    spark.conf.set(mount, (tmp_path / "out").as_uri())
    output = "viewfs://outputs/out/tables"
    try:
        first = Pipeline(spark, output, tables=names)
        first.read([str(place)])
        before = contents(tmp_path / "out")
        for write in (Pipeline(spark, output).read, Pipeline(spark, output).take):
            with pytest.raises(LockedError, match=rf"{output} is being written by .*{os.getpid()}"):
                write([str(place)])
        assert contents(tmp_path / "out") == before
        first.make()
        HadoopClaims(spark, output).write("killed", msgspec.json.encode(Owner("a", "b", 1, "c")))
        with pytest.raises(LockedError, match=r"written by a on b .*break its lock"):
            first.make()
        again = Pipeline(spark, output, tables=names, break_lock=True)
        again.read([str(place)])
        again.make()
        assert read_without_spark(tmp_path / "out" / "tables", names)[1] == read_by_desk(place, names)
    finally:
        spark.conf.unset(mount)
    assert {path.name for path in (tmp_path / "out" / "tables").iterdir()} == {*names, "run"}


def runs_at_removals(output: Path, patch: pytest.MonkeyPatch) -> dict[str, bool]:
    """Return a dictionary that receives, for each table that is removed, whether `run` was still there."""
    there: dict[str, bool] = {}
    remove = sink.remove

    def look(spark: SparkSession, location: str, *more: Any) -> None:
        there.setdefault(location.rpartition("/")[2], (output / "run").exists())
        remove(spark, location, *more)

    patch.setattr(pipeline_module, "remove", look)
    return there


@pytest.mark.long
def test_missing_tables_are_made_again(
    spark: SparkSession, tmp_path: Path, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All captures are read again; if they are gone, nothing is touched."""
    place, output = tmp_path / "in", tmp_path / "tables"
    place.mkdir()
    lines: list[str] = []
    for number, file in enumerate(files):
        shutil.copy(file, place / f"{number}.pcap")
        assert Pipeline(spark, str(output), tables=NAMES).take([str(place)]) == 1
    _, expected = read_without_spark(output, NAMES)
    stray = output / "packets" / "batch=7" / "open=0"
    stray.mkdir(parents=True)  # of an increment that was killed
    assert Pipeline(spark, str(output), tables=NAMES).take([str(place)]) == 0
    assert not stray.parent.exists()
    shutil.rmtree(output / "messages")
    there = runs_at_removals(output, monkeypatch)
    pipeline = Pipeline(spark, str(output), tables=NAMES, progress=lines.append)
    assert pipeline.take([str(place)]) == 2
    assert there["packets"] is False
    assert f"{output}/messages/batch=1 is missing: all captures are read again" in lines
    assert read_without_spark(output, NAMES)[1] == expected
    file = next((output / "packets").rglob("*.parquet"))
    file.unlink()
    (place / "0.pcap").unlink()
    before = contents(output)
    with pytest.raises(MsmqWireError, match=r"0\.pcap, from which it was made, no longer exists"):
        Pipeline(spark, str(output), tables=NAMES).take([str(place)])
    assert contents(output) == before


@pytest.mark.long
def test_a_reader_finds_whole_increments(spark: SparkSession, tmp_path: Path, files: list[Path]) -> None:
    """A reader in a loop, while captures grow: each time it finds all rows of one increment."""
    place, output, names = tmp_path / "in", tmp_path / "tables", ("packets", "flows")
    place.mkdir()
    found: list[tuple[int, dict[str, Counter[str]]]] = []
    ended = Event()

    def read() -> None:
        while not ended.is_set():
            with suppress(OSError, ValueError, KeyError):  # before the first increment
                found.append(read_without_spark(output, names))

    reader = Thread(target=read)
    reader.start()
    written = {}
    pipeline = Pipeline(spark, str(output), tables=names)
    for share in (1, 2, 3):
        for file in files:
            data = file.read_bytes()
            (place / file.name).write_bytes(data[: len(data) * share // 3])
        pipeline.take([str(place)])
        number, rows = read_without_spark(output, names)
        written[number] = rows
    ended.set()
    reader.join()
    assert len(written) == 3
    assert {number for number, _ in found} >= {*written}
    assert [number for number, rows in found if rows != written[number]] == []
