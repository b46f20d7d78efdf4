"""Killing the job does no harm.

These tests need no session of their own, so that they run beside those that share one.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from msmq_wire import captures
from msmq_wire.testing.captures import Faults, write_captures

from .support_job import LIGHT, started, state_of
from .support_truth import as_text, expected_flows, found_flows

if TYPE_CHECKING:
    from collections.abc import Iterator


def started_by(parent: int, words: bytes = b"") -> list[int]:
    """The processes that a job has started, those with these words, as Linux tells them; none elsewhere."""
    above, found = {}, []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            status = (place / "status").read_text()
            line = (place / "cmdline").read_bytes()
        except OSError:
            continue
        above[int(place.name)] = int(status.partition("PPid:\t")[2].split()[0])
        if words in line:
            found.append(int(place.name))
    return [process for process in found if process != parent and parent in ancestors(process, above)]


def workers_of(parent: int) -> list[int]:
    """The Python workers of a job, as soon as there are any; none elsewhere than on Linux."""
    for _ in range(100 if sys.platform == "linux" else 1):
        if found := started_by(parent, b"pyspark.daemon"):
            return found
        time.sleep(0.1)
    return []


def wait_for(place: Path) -> None:
    """Wait until there is something in a directory, but not for ever."""
    for _ in range(600):
        if place.exists() and any(place.iterdir()):
            return
        time.sleep(0.05)


def ancestors(process: int, above: dict[int, int]) -> Iterator[int]:
    while process in above:
        process = above[process]
        yield process


def test_killed_and_run_again(tmp_path: Path) -> None:
    """A driver killed in the midst leaves nothing that the next run does not put right.

    In that run Python workers are killed too; they are started again, and nothing is lost or twice.
    """
    written = write_captures(tmp_path, 400, seed=21, faults=Faults.all(), managers=6, files=2)
    output = tmp_path / "tables"
    words = [str(tmp_path / "captures"), "--output", str(output), "--master", "local[2,8]", *LIGHT]
    with started(words) as process:
        assert process.stderr
        for line in process.stderr:
            if line.rstrip().endswith("captures ..."):
                break
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert not (output / "balance").exists()
    assert state_of(output) == "running"
    killed = 0
    with started(words) as process:
        assert process.stderr
        assert process.stdout
        for line in process.stderr:
            assert re.match(r"\d\d:\d\d:\d\d \w", line)  # Java says nothing
            if line.rstrip().endswith(" captures ..."):
                wait_for(output / "stage" / "files")  # which the tasks write that make tables
                for worker in workers_of(process.pid):
                    os.kill(worker, signal.SIGKILL)
                    killed += 1
        out = process.stdout.read()
    assert process.returncode == 0
    assert killed >= 2 or sys.platform != "linux"
    assert f"{0:>18,}  difference\n" in out
    assert "Report: " in out
    assert (output / "report.html").stat().st_size > 100_000
    assert state_of(output) == "complete"
    rows = {name: pq.read_table(output / name).to_pylist() for name in captures.SCHEMAS}
    found = found_flows(row for name in ("packets", "gaps", "quarantine") for row in rows[name])
    assert found == expected_flows(written.truth)
    for name, reader in captures.tables(tmp_path / "captures").items():
        here, there = (Counter(map(as_text, some)) for some in (reader.read_all().to_pylist(), rows[name]))
        assert (here - there, there - here) == (Counter(), Counter()), name


def test_interrupted(tmp_path: Path) -> None:
    """An interrupt is one line, amid the start of Java and amid the work."""
    write_captures(tmp_path, 60, seed=22, files=1)
    words = [str(tmp_path / "captures"), "--output", str(tmp_path / "tables"), "--master", "local[1]", *LIGHT]
    for word in ("", "captures ..."):
        with started(words) as process:
            assert process.stderr
            if word:
                for line in process.stderr:
                    if line.rstrip().endswith(word):
                        break
            else:
                while not (tmp_path / "tables").exists():  # made before Java is started
                    time.sleep(0.05)
                time.sleep(2)
            process.send_signal(signal.SIGINT)
            said = process.communicate()[1]
        assert process.returncode == 1
        lines = [line for line in said.splitlines() if not re.match(r"\d\d:\d\d:\d\d \w", line)]
        assert lines == ["msmq_wire.spark: interrupted; run it again to continue"]
