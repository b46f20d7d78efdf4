"""Killing and interrupting the job do no harm.

These tests need no session of their own, so that they run beside those that share one.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from pyspark import SparkContext
from support_examples import share

from msmq_wire import captures
from msmq_wire.spark._java import has_java_ended
from msmq_wire.testing.captures import Faults, write_captures

from .support_job import INTERRUPTED, LIGHT, Gate, java_of, said, started, state_of
from .support_truth import as_text, expected_flows, found_flows

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Java is a script")
def test_killed_and_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Java killed in the midst is told, and leaves nothing that the next run does not put right.

    The tables are those that were there.  In the next run a Python worker and the parent of all workers are
    killed; they are started again, and nothing is lost or twice.
    """
    written = write_captures(tmp_path, 150, seed=21, faults=Faults.all(), managers=6, files=2)
    output, hooks, number = (tmp_path / name for name in ("tables", "hooks", "number"))
    hooks.mkdir()
    captures.write(tmp_path / "captures", output, names=["flows"])
    before = captures.run_of(output)
    assert before
    monkeypatch.setenv("HOOK_WORKERS", str(hooks))
    monkeypatch.setenv("JAVA_HOME", str(java_of(tmp_path, f"echo $$ > {number}")))
    words = [str(tmp_path / "captures"), "--output", str(output), "--master", "local[2,8]", *LIGHT]
    with Gate(hooks / "came") as came, Gate(hooks / "killed") as killed, started(words) as process:
        came.wait(process)
        os.kill(int(number.read_text()), signal.SIGKILL)
        killed.open()
        err = process.communicate()[1]
    assert process.returncode == 1
    problem = "Java has ended, by itself or because it was killed; run it again"
    assert said(err)[-1:] == [f"msmq_wire.spark: {problem}"], err
    assert captures.run_of(output) == before
    assert pq.read_table(output / "flows").num_rows
    for name in ("worker-0", "worker-1"):
        (hooks / name).unlink(missing_ok=True)
    (hooks / "kill").touch()
    with started(words) as process:
        out, err = process.communicate()
    assert process.returncode == 0
    assert said(err) == []  # Java says nothing
    assert {path.name for path in hooks.iterdir()} == {"kill", "worker-0", "worker-1"}
    assert f"{0:>18,}  difference\n" in out
    assert "Report: " in out
    assert (output / "report.html").stat().st_size > 50_000
    assert state_of(output) == "complete"
    rows = {name: pq.read_table(output / name).to_pylist() for name in captures.SCHEMAS}
    found = found_flows(row for name in ("packets", "gaps", "quarantine") for row in rows[name])
    assert found == expected_flows(written.truth)
    for name, reader in captures.tables(tmp_path / "captures").items():
        here, there = (Counter(map(as_text, some)) for some in (reader.read_all().to_pylist(), rows[name]))
        assert (here - there, there - here) == (Counter(), Counter()), name


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Java is a script")
def test_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal is one line, while Java starts and amid the work; nothing is left behind.

    One amid the work is also the end of `test_job.test_streaming`.
    """
    write_captures(tmp_path, 60, seed=22, files=1)
    output, begun, goes_on = (tmp_path / name for name in ("tables", "begun", "goes-on"))
    wait = f"[ ! -p {goes_on} ] || {{ echo > {begun}; cat {goes_on}; }} 2> /dev/null"
    monkeypatch.setenv("JAVA_HOME", str(java_of(tmp_path, wait)))
    words = [str(tmp_path / "captures"), "--output", str(output), "--master", "local[1]", *LIGHT]
    with Gate(begun) as java_begins, Gate(goes_on) as java_goes_on:
        for ends in (None, ("TERM", "captures ..."), ("INT", "captures ..."))[: share(3)]:
            with started(words, ends) as process:
                if ends is None:
                    java_begins.wait(process)
                    process.send_signal(signal.SIGINT)
                    assert process.stderr
                    assert process.stderr.readline() == f"{INTERRUPTED[0]}\n"
                    java_goes_on.open()
                err = process.communicate()[1]
            assert process.returncode == 1
            assert said(err) == ([] if ends is None else INTERRUPTED)
            assert not (output / "stage").exists()


def test_java_that_is_about_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connections of a process that is killed close before it has ended."""
    command = [sys.executable, "-c", "input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:  # noqa: S603  # our own words
        monkeypatch.setattr(SparkContext, "_gateway", SimpleNamespace(proc=process))
        assert process.stdin
        ending = threading.Thread(target=process.stdin.close)
        ending.start()
        assert has_java_ended()
        ending.join()


@pytest.mark.long
def test_interrupted_at_any_moment(tmp_path: Path) -> None:
    """Moments are numbers of calls of functions, since `main` has begun, in whatever thread they are."""
    write_captures(tmp_path, 60, seed=22, files=1)
    output = tmp_path / "tables"
    words = [str(tmp_path / "captures"), "--output", str(output), "--master", "local[1]", *LIGHT]
    draw = random.Random(1)  # noqa: S311  # reproducible
    wrong = []
    for _ in range(share(50)):
        moment = str(int(10 ** draw.uniform(0, 6)))
        with started(words, ("INT", moment)) as process:
            out, err = process.communicate()
        is_done = process.returncode == 0 and "Report: " in out  # there were not so many calls
        if not is_done and (process.returncode, said(err)) != (1, INTERRUPTED):
            wrong.append((moment, process.returncode, err))
        if (output / "stage").exists():
            wrong.append((moment, process.returncode, "the stage is still there"))
    assert wrong == []
