"""The job as people start it: what it says, and how it ends."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socket
import sys
from typing import TYPE_CHECKING

import pytest

from msmq_wire.captures.locks import Lock
from msmq_wire.captures.reports import report
from msmq_wire.spark import __main__ as job
from msmq_wire.spark.__main__ import main
from msmq_wire.spark._java import complaint, sharing
from msmq_wire.spark.pipeline import MORE, TABLES, Pipeline
from msmq_wire.testing.captures import Faults, write_captures
from msmq_wire.values.errors import MsmqWireError

from .support_job import HERE, INTERRUPTED, LIGHT, java_of, said, started, state_of
from .support_truth import read_by_desk, read_without_spark

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pyspark.sql import SparkSession


def is_whole(inputs: Path, output: Path, names: Sequence[str]) -> bool:
    """Whether tables are those of the desk."""
    return read_without_spark(output, names)[1] == read_by_desk(inputs, names)


@pytest.mark.long
def test_through_spark_connect(tmp_path: Path, server: str) -> None:
    """The same job over Spark Connect; it is killed while its server lives on, and then run again."""
    write_captures(tmp_path, 150, seed=23, faults=Faults.all(), managers=6, files=2)
    output = tmp_path / "tables"
    words = [str(tmp_path / "captures"), "--output", str(output), "--remote", server]
    names = ("packets", "quarantine", "messages", "directory_changes")
    words += ["--tables", ",".join(names)]
    with started(words, ends=("KILL", "packets ...")) as process:
        process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert state_of(output) == "running"
    with started(words) as process:
        _, err = process.communicate()
    assert process.returncode == 0, err
    assert state_of(output) == "complete"
    assert is_whole(tmp_path / "captures", output, names)


def test_the_command_of_readme() -> None:
    """It installs what it needs, makes captures, and gives them to the local engine."""
    text = (HERE / "README.md").read_text(encoding="utf-8")
    command = re.search(r"<!-- main-command -->\n```sh\n(.+)\n```", text)
    assert command
    steps = [shlex.split(step) for step in command[1].split(" && ")]
    assert steps[0] == ["python3", "-m", "venv", ".venv"]
    assert steps[1][-1] == ".[cli,captures,testing]"
    assert steps[3][:4] == [".venv/bin/python", "-m", "msmq_wire.testing.captures", "build/demo"]
    assert steps[4] == [
        *(".venv/bin/msmq-wire", "tables", "build/demo/captures"),
        *("--output", "build/demo/tables"),
    ]


def failing(words: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(words) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("msmq_wire.spark: ")
    assert shown.err.count("\n") == 1
    return shown.err.removeprefix("msmq_wire.spark: ").rstrip("\n")


def test_no_java(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without Java it says which is needed and how to get it."""
    advice = "on Debian or Ubuntu, apt-get install openjdk-17-jre-headless"
    advice += ", then set JAVA_HOME if there are several"
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    words = [str(tmp_path), "--output", str(tmp_path / "out")]
    assert failing(words, capsys) == f"Spark needs Java 17 or later, and none was found; {advice}"
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n")
    java.chmod(0o755)
    assert complaint() == f"Spark needs Java 17 or later, and {java} is 11.0.2; {advice}"
    java.write_text("#!/bin/sh\necho 'openjdk version \"25-ea\" 2025-09-16' >&2\n")
    assert complaint() is None


def test_archive_of_classes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The second run writes it, and later ones use it, if nothing has changed."""
    jars, cached = tmp_path / "jars", tmp_path / "a cache"
    jars.mkdir()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cached))
    assert sharing(jars) == ""
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.touch()
    assert sharing(jars) == ""
    (archive,) = (cached / "msmq_wire").iterdir()
    for written, option in ((b"", "ArchiveClassesAtExit"), (bytes(4), "ArchiveClassesAtExit"),
                            (b"\xa8\xab\x0b\xf0", "SharedArchiveFile")):  # fmt: skip
        archive.write_bytes(written)
        assert shlex.split(sharing(jars)) == [f"-XX:{option}={archive}", "-Xlog:disable"]
    os.utime(jars, (1, 1))
    assert sharing(jars) == ""
    assert len([*archive.parent.iterdir()]) == 2
    monkeypatch.setenv("XDG_CACHE_HOME", str(java))
    assert sharing(jars) == ""


def test_no_such_path(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(job, "complaint", lambda: None)
    missing = tmp_path / "nothing.pcap"
    words = [str(missing), "--output", str(tmp_path / "out")]
    assert failing(words, capsys) == f"{missing}: no such file or directory"


def test_nothing_to_read_and_nowhere_to_write(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(job, "complaint", lambda: None)
    empty, file = tmp_path / "empty", tmp_path / "file"
    (empty / "inner").mkdir(parents=True)
    file.touch()
    assert failing([str(empty), "--output", str(tmp_path)], capsys) == f"{empty}: it contains no file"
    words = [str(file), "--output", str(file)]
    assert failing(words, capsys) == f"{file}: is a file, and tables need a directory"


@pytest.mark.parametrize("place", ["packets/own.pcap", "run/notes.txt", "stage/own.pcap"])
def test_only_tables_are_replaced(
    place: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is told before Spark starts."""
    monkeypatch.setattr(job, "complaint", lambda: None)
    monkeypatch.setattr(job, "open_session", lambda _given: pytest.fail("Spark was started"))
    own = tmp_path / place
    own.parent.mkdir()
    own.write_bytes(b"a capture")
    said = failing([str(own), "--output", str(tmp_path)], capsys)
    assert str(own) in said
    assert said.endswith(": choose another output")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [own]


def test_no_such_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A table that is none is told before Spark is started."""
    monkeypatch.setattr(job, "complaint", lambda: None)
    monkeypatch.setattr(job, "open_session", None)
    (tmp_path / "file").touch()
    words = [str(tmp_path), "--output", str(tmp_path / "out"), "--tables", "packets,gap"]
    names = ", ".join((*TABLES, *MORE))
    assert failing(words, capsys) == f"there is no table 'gap'; there are {names}"


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong value of any option is one line, before anything is started."""
    seconds, master = "expected seconds, 0 or more, got", "argument --master: expected local[N], "
    problems = {
        "": "the following arguments are required: --output",
        "--output out --conf a": "'a' is not KEY=VALUE",
        "--output out --option a": "'a' is not KEY=VALUE",
        "--output out --master local --remote local": "cannot be used together",
        "--output out --every 5": "--every needs --streaming",
        "--output out --idle 5": "--idle needs --streaming",
        "--output out --every -5": f"argument --every: {seconds} '-5'",
        "--output out --idle nan": f"argument --idle: {seconds} 'nan'",
        "--output out --idle x": f"argument --idle: {seconds} 'x'",
        "--output out --master foo": master,
        "--output out --master local[x]": master,
        "--output out --max-packet-size -1": "expected a number of bytes above 0, got '-1'",
        "--output out --conf driver=1": "expected a setting of Spark, spark.NAME=VALUE, got 'driver=1'",
        "--output out --conf spark.driver.memory=x": "expected a size of memory, such as 4g",
        "--output out --tables ,": "expected names, separated by commas, got ','",
        **{
            f"--output out --{name} ''": f"argument --{name}: expected a text, got ''"
            for name in ("catalog", "format", "output", "remote", "report")
        },
        "'' --output out": "argument input: expected a text, got ''",
    }
    wrong = []
    for words, problem in problems.items():
        with pytest.raises(SystemExit) as caught:
            main(["in", *shlex.split(words)])
        said = capsys.readouterr().err
        if caught.value.code != 2 or problem not in said or said.count("\n") != 1:
            wrong.append((words, caught.value.code, said))
    assert wrong == []


def test_wrong_values_that_tables_have(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """They are told before Java is started, and before anything is written."""
    monkeypatch.setattr(job, "complaint", lambda: None)
    monkeypatch.setattr(job, "open_session", None)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").touch()
    own, inside = str(tmp_path / "in"), str(tmp_path / "in" / "out")
    cases = {
        f"--output {tmp_path / 'out'} --partition-by days": "no table has a column 'days'",
        f"--output {tmp_path / 'out'} --option tcpPorts=x": "the option tcpPorts is 'x'",
        f"--output {tmp_path / 'out'} --option ports=1": "there is no option 'ports'",
        f"--output {tmp_path / 'out'} --streaming --tables segments": "increments have no table segments",
        f"--output {tmp_path / 'out'} --report {own}": "is a directory, and the report needs a file",
        f"--output {tmp_path / 'out'} --report {own}/file/a/b": f"{own}/file is a file, and the report",
        f"--output {tmp_path / 'out'} --report {own}/r": f"{own}/r is inside {own}, which is an input",
        f"--output {tmp_path / 'out'} --report {tmp_path / 'out'}/frames/r": "inside the table frames",
        f"--output {tmp_path / 'out'} --report r --tables packets": "name flows, which the report needs",
        f"--output {tmp_path / 'out'} --ignore none": "ignore: 'none' is not the id of a requirement",
        f"--output {inside}": f"{inside} is inside {own}, which is an input",
        f"--output {inside} --streaming": f"{inside} is inside {own}, which is an input",
    }
    if sys.platform == "linux":
        unwritable = "/proc: the report cannot be created there"
        cases |= {f"--output {tmp_path / 'out'} --report /proc/a/b": unwritable}
    wrong = []
    for words, problem in cases.items():
        said = failing([own, *words.split()], capsys)
        if problem not in said:
            wrong.append((words, said))
    assert wrong == []
    assert [*tmp_path.iterdir()] == [tmp_path / "in"]


@pytest.mark.parametrize("words", ["", "--streaming --every 0"])
def test_a_second_writer(
    words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It says who writes, before Java is started, and touches nothing."""
    monkeypatch.setattr(job, "complaint", lambda: None)
    monkeypatch.setattr(job, "open_session", None)
    (tmp_path / "file").touch()
    output = tmp_path / "out"
    with Lock(str(output)):
        before = {path: path.read_bytes() for path in output.iterdir()}
        said = failing([str(tmp_path / "file"), "--output", str(output), *words.split()], capsys)
        assert {path: path.read_bytes() for path in output.iterdir()} == before
    assert re.fullmatch(
        rf"{output} is being written by \S+ on \S+ \(process {os.getpid()}, since [-+: \d]+\): "
        "wait for its end, or choose another output",
        said,
    )
    assert not output.exists()


@pytest.mark.long
def test_java_that_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it said is shown."""
    java = java_of(tmp_path, "echo no memory >&2; exit 1")
    monkeypatch.setenv("JAVA_HOME", str(java))
    (tmp_path / "captures").mkdir()
    (tmp_path / "captures" / "a").touch()
    with started([str(tmp_path / "captures"), "--output", str(tmp_path / "out")]) as process:
        _, err = process.communicate()
    assert process.returncode == 1
    assert err == "msmq_wire.spark: Java does not start: no memory\n"


def test_no_server(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark would try for many minutes to reach it, and say nothing."""
    for name in job.PROXIES:
        monkeypatch.delenv(name, raising=False)
    words = ["in", "--output", "out", "--remote"]
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))  # nobody else gets this port, and nobody listens
        place = f"127.0.0.1:{deaf.getsockname()[1]}"
        assert failing([*words, f"sc://{place}/;a=b"], capsys).startswith(
            f"sc://{place}/;a=b: there is no connection to {place}: "
        )
    assert failing([*words, "spark://a"], capsys) == "spark://a: expected sc://HOST:PORT"


def test_no_such_column_to_partition_by(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(MsmqWireError, match="no table has a column 'sensors' by which it could be"):
        Pipeline(spark, str(tmp_path), partition_by=["date", "sensors"])
    Pipeline(spark, str(tmp_path), tables=["balance"], partition_by=["date", "sensor"])


def test_causes_are_short() -> None:
    """Of a report of many lines the line that says what went wrong is shown."""
    cause = "msmq_wire.values.errors.MsmqWireError: there is no capture"
    report = f"[PYTHON] An exception\nTraceback:\n{cause}\nat java"
    assert job.first_cause(report) == "there is no capture"
    java = "An error occurred while calling o1.parquet.\n: org.apache.SomeException: no space left\n\tat java"
    assert job.first_cause(java) == "no space left"
    assert job.first_cause("one line") == "one line"
    full = (
        "An error occurred while calling o1.parquet.\n: org.apache.SparkException: Task failed.\n\tat java\n"
        "Caused by: java.io.UncheckedIOException: java.io.IOException: No space left\n\t... 9 more"
    )
    assert job.first_cause(full) == "Task failed. No space left"
    stage = "Job aborted: Task 0 failed 1 times: java.io.IOException: Mkdirs failed to create file:/a"
    assert job.first_cause(stage) == "Mkdirs failed to create file:/a"
    assert job.first_cause("") == "Spark gave up"


@pytest.mark.long
def test_streaming(tmp_path: Path) -> None:
    """Captures that come later are taken, each once; a signal amid the third increment leaves the others."""
    written = write_captures(tmp_path / "made", 60, seed=22, files=3)
    inputs, output, page = (tmp_path / name for name in ("captures", "tables", "page.html"))
    inputs.mkdir()
    words = [str(inputs), "--output", str(output), "--tables", ",".join(report.TABLES)]
    words += ["--master", "local[1]", "--streaming", "--every", "1", "--report", str(page), *LIGHT]
    later = iter(written.captures)
    shutil.copy(next(later), inputs)
    lines = []
    with started(words, ends=("TERM", "captures ...*3")) as process:
        assert process.stderr
        for line in process.stderr:
            lines.append(line)
            if line.endswith(" complete\n"):
                shutil.copy(next(later), inputs)
    assert (process.returncode, said("".join(lines))) == (1, INTERRUPTED)
    (inputs / written.captures[2].name).unlink()
    assert is_whole(inputs, output, report.TABLES)
    assert "<title>MSMQ in " in page.read_text("utf-8")
