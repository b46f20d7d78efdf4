"""Two writers of one output, and outputs of which something is missing."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from pyarrow.dataset import dataset, field

from msmq_wire import captures
from msmq_wire.captures import LockedError
from msmq_wire.captures.locks import Lock
from msmq_wire.spark.pipeline import Pipeline
from msmq_wire.testing.captures import write_captures
from msmq_wire.values.errors import MsmqWireError

from .support_job import HERE, LIGHT, started
from .support_truth import as_text

if TYPE_CHECKING:
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
    with pytest.raises(MsmqWireError, match="has tables of one run, and increments go on with increments"):
        first.take([str(place)])
    with pytest.raises(MsmqWireError, match=r"is inside .*, which is an input"):
        Pipeline(spark, str(place / "tables")).take([str(place)])
    captures.write(place, output, names=NAMES)
    assert captures.run_of(output) not in {None, run}
    shutil.rmtree(output / "run")
    with pytest.raises(MsmqWireError, match="has tables of one run, and increments go on with increments"):
        first.take([str(place)])


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
    with pytest.raises(MsmqWireError, match=r"0\.pcap, from which it was made, is not there any more"):
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


KINDS = ("batch", "increment", "desk")


def command_of(kind: str, place: Path, output: Path) -> list[str]:
    """The arguments of a writer; the first is the module."""
    if kind == "desk":
        return ["msmq_wire", "tables", str(place), "--output", str(output)]
    more = ["--streaming", "--every", "0"] if kind == "increment" else []
    words = [str(place), "--output", str(output), "--master", "local[1]", *LIGHT, *more]
    return ["msmq_wire.spark", *words]


@pytest.mark.long
def test_two_writers_at_once(spark: SparkSession, tmp_path: Path, files: list[Path]) -> None:
    """Of any two, the one that begins while the other writes is refused, and the tables are whole."""
    place = tmp_path / "in"
    place.mkdir()
    for file in files:
        shutil.copy(file, place)
    expected = expected_of(place)
    wrong: list[object] = []
    for first, second in itertools.product(KINDS, repeat=2):
        output = tmp_path / f"{first} {second}"
        with running(command_of(first, place, output)) as one:
            while not [*output.glob(".msmq_wire.lock")] and one.poll() is None:
                time.sleep(0.01)
            with running(command_of(second, place, output)) as other:
                err = other.communicate()[1]
            is_refused = other.returncode in {1, 4} and "is being written by" in err
            one_err = one.communicate()[1]
        # The second may have begun after the first, and increments do not go on with other tables.
        ends = other.returncode == 0 or "increments go on with increments only" in err
        if one.returncode or not (is_refused or ends):
            wrong.append((first, second, one.returncode, one_err, other.returncode, err))
        if rows_of(Pipeline(spark, str(output))) != expected:
            wrong.append((first, second, "the tables are not whole"))
    assert wrong == []


@pytest.mark.long
def test_a_writer_after_one_that_was_killed(spark: SparkSession, tmp_path: Path, files: list[Path]) -> None:
    """Wherever it was killed, the next one of its kind makes whole tables, also while Java still ends."""
    place = tmp_path / "in"
    place.mkdir()
    for file in files:
        shutil.copy(file, place)
    expected = expected_of(place)
    wrong: list[object] = []
    for kind in ("batch", "increment"):
        output = tmp_path / kind
        for line in ("captures ...", "packets in", "rows in"):
            words = command_of(kind, place, output)[1:]
            with started(words, ends=("KILL", line)) as one:
                one.communicate()
            with started(words) as other:
                err = other.communicate()[1]
            if other.returncode:
                wrong.append((kind, line, err))
            elif rows_of(Pipeline(spark, str(output))) != expected:
                wrong.append((kind, line, "the tables are not whole"))
            shutil.rmtree(output)
    assert wrong == []


TRIALS = 3
REFUSALS = ("is being written by", "increments go on with increments only")


@pytest.mark.long
def test_two_writers_at_any_moment(spark: SparkSession, tmp_path: Path, files: list[Path]) -> None:
    """One stops at some call of a function, and another one writes; the first goes on, or is run again.

    Whatever was not refused ends well, and in the end the tables are whole.
    """
    place = tmp_path / "in"
    place.mkdir()
    for file in files:
        shutil.copy(file, place)
    expected = expected_of(place)
    draw = random.Random(7)  # noqa: S311  # reproducible
    wrong: list[object] = []
    for trial in range(TRIALS):
        output = tmp_path / str(trial)
        first, second = draw.choice(KINDS[:2]), draw.choice(KINDS)
        moment, is_killed = str(int(10 ** draw.uniform(3, 6))), draw.random() < 0.5
        words = command_of(first, place, output)[1:]
        ends = []
        with started(words, ("STOP", moment)) as one:
            os.waitid(os.P_PID, one.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
            with running(command_of(second, place, output)) as other:
                ends.append((other.communicate()[1], other.returncode))
            one.send_signal(signal.SIGKILL if is_killed else signal.SIGCONT)
            ends.append((one.communicate()[1], 0 if is_killed else one.returncode))
        if is_killed:
            with started(words) as again:
                ends.append((again.communicate()[1], again.returncode))
        bad = [end for end in ends if end[1] and not any(text in end[0] for text in REFUSALS)]
        is_whole = rows_of(Pipeline(spark, str(output))) == expected
        if bad or not is_whole:
            wrong.append((trial, first, second, moment, is_killed, is_whole, bad))
        shutil.rmtree(output)
    assert wrong == []


def running(command: list[str]) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(HERE / "src"), "PYTHONWARNINGS": "ignore"}
    pipe = subprocess.PIPE
    return subprocess.Popen(  # noqa: S603  # our own words
        [sys.executable, "-m", *command], env=environment, stdout=pipe, stderr=pipe, text=True
    )
