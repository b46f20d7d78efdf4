"""The job as a process of its own, which a test ends at a moment that does not depend on the clock.

A process may also run several jobs, one after the other.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import pyarrow.parquet as pq

from .conftest import HOOKS, OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "HERE",
    "INTERRUPTED",
    "LIGHT",
    "End",
    "Gate",
    "JobProcess",
    "java_of",
    "said",
    "started",
    "state_of",
]

HERE = Path(__file__).parents[2]
INTERRUPTED = ["msmq_wire.spark: interrupted; run it again to continue"]
LIGHT = [f"--conf={name}={value}" for name, value in OPTIONS.items()]


def started(
    words: Sequence[str],
    ends: tuple[str, str] | None = None,
    module: str = "msmq_wire.spark",
    lock: Path | None = None,
) -> subprocess.Popen[str]:
    """Start the job, or another program.

    Args:
        words: Its arguments.
        module: Its module.
        ends: The name of a signal that it sends to itself, and the moment: a part of a line of its
            progress, or the number of calls of functions since it has begun; see `hooks`.
        lock: The path of a `Gate` that it tells when it opens the lock of its output.
    """
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(HOOKS), str(HERE / "src")]),
        "PYTHONWARNINGS": "ignore",
    }
    if ends is not None:
        environment |= {"HOOK_SIGNAL": ends[0], "HOOK_MOMENT": ends[1]}
    if lock is not None:
        environment["HOOK_LOCK"] = str(lock)
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", module, *words]
    return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)  # noqa: S603  # our own words


_HANGS: Final = 600
"""Seconds that nothing takes; they only end a hang."""


class Gate:
    """A pipe with a name, at which other processes tell that they came, or wait until it is open.

    Those that wait read it to its end; once it is open, it is not there any more.
    """

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._path = path
        self._handle = os.open(path, os.O_RDWR)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.open()

    def wait(self, process: subprocess.Popen[str]) -> None:
        """Wait until one came; the process must not end, nor say anything, before."""
        assert process.stdout
        ready, _, _ = select.select([self._handle, process.stdout.fileno()], [], [], _HANGS)
        assert ready == [self._handle]

    def open(self) -> None:
        """Let go those that wait."""
        if self._path.exists():
            self._path.unlink()
            os.close(self._handle)


class End(NamedTuple):
    """How a job ended: what it wrote to standard error, and its status."""

    said: str
    status: int


class JobProcess:
    """A process that runs several jobs, one after the other, so that Java starts once; see `hooks`.

    It starts with the first job, and again with the next one after it was ended.

    Args:
        lock: The path of a `Gate` that it tells when a job opens the lock of its output.

    Attributes:
        lock: As given.
        last: How the last job ended.
    """

    def __init__(self, lock: Path) -> None:
        self.lock = lock
        self.last = End("", 0)
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End the process, if there is one, after its jobs."""
        if self._process is not None:
            self._process.communicate()
            self._process = None

    @contextmanager
    def running(
        self, command: Sequence[str], ends: tuple[str, str] | None = None
    ) -> Iterator[subprocess.Popen[str]]:
        """Begin a job, a module and its arguments, and wait for its end, or for that of the process.

        Args:
            command: The job.
            ends: As of `started`; at the latest, the signal comes at the end of the job.
        """
        process = self._process = self._process or started([], module="several_jobs", lock=self.lock)
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{json.dumps([command, ends])}\n")
        process.stdin.flush()
        try:
            yield process
        finally:
            told = process.stdout.readline()
            if not told:
                self.end()
            self.last = End(*json.loads(told)) if told else End("", process.returncode)

    def run(self, command: Sequence[str]) -> End:
        """Run a job."""
        with self.running(command):
            pass
        return self.last


def said(lines: str) -> list[str]:
    """Lines on standard error that are no progress, which begins with the time."""
    return [line for line in lines.splitlines() if not (line[2:3] == line[5:6] == ":" and line[8:9] == " ")]


def java_of(place: Path, start: str) -> Path:
    """Make a Java in a directory that says its version as usual, and runs these commands to start Spark."""
    java = place / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    own = os.environ.get("JAVA_HOME")
    real = str(Path(own, "bin", "java")) if own else shutil.which("java")
    java.write_text(
        f'#!/bin/sh\ncase "$*" in *deploy.SparkSubmit*pyspark-shell*) {start};; esac\nexec {real} "$@"\n',
        encoding="utf-8",
    )
    java.chmod(0o755)
    return java.parents[1]


def state_of(output: Path) -> str:
    (row,) = pq.read_table(output / "run").to_pylist()
    return str(row["state"])
