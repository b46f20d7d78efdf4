"""Two writers of one output, and outputs of which something is missing."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
from collections import Counter
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

import msgspec
import pyarrow.parquet as pq
import pytest
from pyarrow.dataset import dataset, field

from msmq_wire import captures
from msmq_wire.captures import LockedError
from msmq_wire.captures.locks import Lock, Owner
from msmq_wire.spark._outputs import sink
from msmq_wire.spark._outputs.sink import HadoopClaims
from msmq_wire.spark.pipeline import Pipeline
from msmq_wire.testing.captures import write_captures
from msmq_wire.values.errors import MsmqWireError

from .support_job import LIGHT, Gate, started
from .support_truth import as_text

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from pyspark.sql import SparkSession

NAMES = ("packets", "messages", "flows", "frames")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two captures of one sensor."""
    return [*write_captures(tmp_path_factory.mktemp("writers"), 60, seed=41, files=2).captures]


def rows_of(pipeline: Pipeline, names: tuple[str, ...] = NAMES) -> dict[str, Counter[str]]:
    return {name: Counter(map(as_text, pipeline.table(name).toArrow().to_pylist())) for name in names}


def expected_of(place: Path, names: tuple[str, ...] = NAMES) -> dict[str, Counter[str]]:
    made = captures.tables(place, names)
    return {name: Counter(map(as_text, made[name].read_all().to_pylist())) for name in names}


def contents(place: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}


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
    assert rows_of(first) == expected_of(place)
    (hidden,) = first.table("frames").where("reason = 'hidden'").collect()
    assert hidden.file == str(place / "_0.pcap")
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
        assert rows_of(again, names) == expected_of(place, names)
    finally:
        spark.conf.unset(mount)
    assert {path.name for path in (tmp_path / "out" / "tables").iterdir()} == {*names, "run"}


@pytest.mark.long
def test_missing_tables_are_made_again(spark: SparkSession, tmp_path: Path, files: list[Path]) -> None:
    """All captures are read again; if they are gone, nothing is touched."""
    place, output = tmp_path / "in", tmp_path / "tables"
    place.mkdir()
    lines: list[str] = []
    for number, file in enumerate(files):
        shutil.copy(file, place / f"{number}.pcap")
        assert Pipeline(spark, str(output), tables=NAMES).take([str(place)]) == 1
    expected = rows_of(Pipeline(spark, str(output), tables=NAMES))
    stray = output / "packets" / "batch=7" / "open=0"
    stray.mkdir(parents=True)  # of an increment that was killed
    assert Pipeline(spark, str(output), tables=NAMES).take([str(place)]) == 0
    assert not stray.parent.exists()
    shutil.rmtree(output / "messages")
    pipeline = Pipeline(spark, str(output), tables=NAMES, progress=lines.append)
    assert pipeline.take([str(place)]) == 2
    assert f"{output}/messages/batch=1 is missing: all captures are read again" in lines
    assert rows_of(pipeline) == expected
    file = next((output / "packets").rglob("*.parquet"))
    file.unlink()
    (place / "0.pcap").unlink()
    before = contents(output)
    with pytest.raises(MsmqWireError, match=r"0\.pcap, from which it was made, no longer exists"):
        Pipeline(spark, str(output), tables=NAMES).take([str(place)])
    assert contents(output) == before


def read_without_spark(output: Path) -> tuple[int, dict[str, Counter[str]]]:
    """The number and the rows of the last increment, by the rule that the documentation gives."""
    last = max(pq.read_table(output / "run").column("batch").to_pylist())
    rows: dict[str, Counter[str]] = {}
    for name in ("packets", "flows"):
        data = dataset(output / name, format="parquet", partitioning="hive")
        valid = (field("batch") <= last) & ((field("open") == 0) | (field("batch") == last))
        table = data.to_table(filter=valid).drop_columns(["batch", "open", "date"])
        rows[name] = Counter(map(as_text, table.select(sorted(table.column_names)).to_pylist()))
    return last, rows


@pytest.mark.long
def test_a_reader_finds_whole_increments(spark: SparkSession, tmp_path: Path, files: list[Path]) -> None:
    """A reader in a loop, while captures grow: each time it finds all rows of one increment."""
    place, output = tmp_path / "in", tmp_path / "tables"
    place.mkdir()
    found: list[tuple[int, dict[str, Counter[str]]]] = []
    ended = Event()

    def read() -> None:
        while not ended.is_set():
            with suppress(OSError, ValueError, KeyError):  # before the first increment
                found.append(read_without_spark(output))

    reader = Thread(target=read)
    reader.start()
    written = {}
    pipeline = Pipeline(spark, str(output), tables=NAMES)
    for share in (1, 2, 3, 4):
        for file in files:
            data = file.read_bytes()
            (place / file.name).write_bytes(data[: len(data) * share // 4])
        pipeline.take([str(place)])
        number, rows = read_without_spark(output)
        written[number] = rows
    ended.set()
    reader.join()
    assert len(written) == 4
    assert {number for number, _ in found} >= {*written}
    assert [number for number, rows in found if rows != written[number]] == []


KINDS = ("batch", "increment", "stream", "desk")
OF_STREAMS = ("packets", "messages", "flows")
"""Tables that a query has too: frames that are no segments do not reach it."""
REFUSALS = (
    "is being written by",
    "increments can only continue increments",
    "a query can only continue tables of queries",
    "has tables of another query",
)


def command_of(kind: str, place: Path, output: Path, turn: int = 0) -> list[str]:
    """The arguments of a writer; the first is the module.  Queries of different turns are different."""
    if kind == "desk":
        return ["msmq_wire", "tables", str(place), "--output", str(output)]
    more = {
        "batch": ["--master", "local[1]"],
        "increment": ["--master", "local[1]", "--streaming", "--every", "0"],
        "stream": [f"{output} checkpoint {turn}"],
    }
    module = "stream_into" if kind == "stream" else "msmq_wire.spark"
    return [module, str(place), "--output", str(output), *more[kind], *LIGHT]


def running(
    command: list[str], ends: tuple[str, str] | None = None, lock: Path | None = None
) -> subprocess.Popen[str]:
    return started(command[1:], ends, module=command[0], lock=lock)


def is_refused(end: tuple[str, int]) -> bool:
    """Whether a writer ended with a line that says so, given its standard error and its status."""
    return end[1] != 0 and any(text in end[0] for text in REFUSALS)


def is_whole(spark: SparkSession, output: Path, expected: dict[str, Counter[str]], kinds: set[str]) -> bool:
    names = OF_STREAMS if "stream" in kinds else NAMES
    return rows_of(Pipeline(spark, str(output)), names) == {name: expected[name] for name in names}


@pytest.fixture
def place(tmp_path: Path, files: list[Path]) -> Path:
    """A folder with the captures."""
    folder = tmp_path / "in"
    folder.mkdir()
    for file in files:
        shutil.copy(file, folder)
    return folder


PAIRS = [
    *itertools.product(("batch", "increment", "desk"), repeat=2),
    *(("stream", kind) for kind in KINDS),
    ("increment", "stream"),
]


@pytest.mark.long
def test_two_writers_at_once(spark: SparkSession, tmp_path: Path, place: Path) -> None:
    """The second is started when the first opens the lock: one is refused, or begins after the other's end.

    A query has the lock while it adds a batch.  If it is a desk that writes between two batches, the query is
    refused.
    """
    expected = expected_of(place)
    wrong: list[object] = []
    for first, second in PAIRS:
        output = tmp_path / f"{first} {second}"
        pipe = tmp_path / "lock"
        with Gate(pipe) as gate, running(command_of(first, place, output), lock=pipe) as holder:
            gate.wait(holder)
            with running(command_of(second, place, output, turn=1)) as other:
                later = other.communicate()[1], other.returncode
            sooner = holder.communicate()[1], holder.returncode
        ends = [sooner, later]
        if any(code and not is_refused((err, code)) for err, code in ends) or all(code for _, code in ends):
            wrong.append((first, second, ends))
        if not is_whole(spark, output, expected, {first, second}):
            wrong.append((first, second, "the tables are not whole"))
    assert wrong == []


@pytest.mark.long
def test_a_writer_after_one_that_was_killed(spark: SparkSession, tmp_path: Path, place: Path) -> None:
    """Wherever it was killed, the next one of its kind makes whole tables, also while Java still ends."""
    expected = expected_of(place)
    wrong: list[object] = []
    for kind in ("batch", "increment", "stream"):
        output = tmp_path / kind
        for line in ("captures ...", "packets in", "rows in"):
            command = command_of(kind, place, output)
            with running(command, ("KILL", line)) as one:
                one.communicate()
            with running(command) as other:
                err = other.communicate()[1]
            if other.returncode:
                wrong.append((kind, line, err))
            elif not is_whole(spark, output, expected, {kind}):
                wrong.append((kind, line, "the tables are not whole"))
            shutil.rmtree(output)
            shutil.rmtree(f"{output} checkpoint 0", ignore_errors=True)
    assert wrong == []


@pytest.mark.long
def test_two_writers_at_any_moment(spark: SparkSession, tmp_path: Path, place: Path) -> None:
    """One stops at some call of a function, and another one writes; the first goes on, or is run again.

    Whatever was not refused ends well, and in the end the tables are whole.
    """
    expected = expected_of(place)
    draw = random.Random(7)  # noqa: S311  # reproducible
    wrong: list[object] = []
    for first in ("batch", "increment", "stream"):
        output = tmp_path / first
        second = draw.choice(KINDS)
        moment, is_killed = str(int(10 ** draw.uniform(3, 6))), draw.random() < 0.5
        command = command_of(first, place, output)
        ends = []
        with running(command, ("STOP", moment)) as one:
            os.waitid(os.P_PID, one.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
            with running(command_of(second, place, output, turn=1)) as other:
                ends.append((other.communicate()[1], other.returncode))
            one.send_signal(signal.SIGKILL if is_killed else signal.SIGCONT)
            ends.append((one.communicate()[1], 0 if is_killed else one.returncode))
        if is_killed:
            with running(command) as again:
                ends.append((again.communicate()[1], again.returncode))
        bad = [end for end in ends if end[1] and not is_refused(end)]
        if bad or not is_whole(spark, output, expected, {first, second}):
            wrong.append((first, second, moment, is_killed, bad))
    assert wrong == []
