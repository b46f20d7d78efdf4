"""Helpers of the long runs on Spark: a session on this machine, the job, and the resources of processes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyspark.sql import SparkSession

__all__ = ["SOCKETS", "Stage", "Usage", "Watch", "run_job", "session", "watched"]

SOCKETS = {"spark.python.unix.domain.socket.enabled": "true"}
"""Between Java and Python without TCP, which on some machines stalls when both send much at once."""

_TICKS = os.sysconf("SC_CLK_TCK")
_EVERY = 0.25


def session(master: str, memory: str, **settings: str) -> SparkSession:
    """A session that only this machine can reach, with this much memory for Java."""
    from pyspark.sql import SparkSession  # noqa: PLC0415  # whoever only watches does without

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).appName("msmq_wire")
    usual = {
        "spark.driver.memory": memory,
        "spark.log.level": "ERROR",
        **SOCKETS,
        "spark.sql.execution.arrow.maxBytesPerBatch": "16m",
        "spark.sql.session.timeZone": "UTC",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    for name, value in (usual | settings).items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


class _Process(NamedTuple):
    """A process from the data of Linux; `seconds` of processor time include ended children."""

    parent: int
    name: str
    peak: float
    seconds: float


class Usage(NamedTuple):
    """The resources that a process and its descendants have used.

    Attributes:
        java: Largest private memory of a Java process, in MB: in local mode driver and executors in one.
            Mapped files, which the system can drop, are not private.
        driver: The same of the Python process that drives Spark.
        worker: The same of the largest Python worker.
        seconds: Processor time of all of them.
        java_seconds: That of Java alone.
    """

    java: float
    driver: float
    worker: float
    seconds: float
    java_seconds: float

    def __str__(self) -> str:
        return (
            f"private memory: Java {self.java:,.0f} MB, driver {self.driver:,.0f} MB, "
            f"largest Python worker {self.worker:,.0f} MB; {self.seconds:,.1f} s of processor time, "
            f"{self.java_seconds:,.1f} of them in Java"
        )


class Stage(NamedTuple):
    """The resources that a part of a run used.

    Attributes:
        name: Its name.
        seconds: Processor time of all processes.
        memory: Largest private memory of a Python process, in MB.
    """

    name: str
    seconds: float
    memory: float


def _processes() -> dict[int, _Process]:
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            status, stat = (place / "status").read_text(), (place / "stat").read_text()
        except OSError:
            continue  # it ended meanwhile
        facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        times = stat.rpartition(")")[2].split()[11:15]
        peak = int(facts.get("RssAnon", "0 kB").split()[0]) / 1024
        found[int(place.name)] = _Process(
            int(facts["PPid"]), facts["Name"], peak, sum(map(int, times)) / _TICKS
        )
    return found


class Watch:
    """Measures a process and its descendants until the end of the ``with``.

    Args:
        root: The process that drives Spark; this one if not given.

    Attributes:
        usage: The resources used so far.
        stages: The resources used by each stage; the first one is ``start``.
    """

    def __init__(self, root: int = 0) -> None:
        self.root = root or os.getpid()
        self.begun = 0.0
        self.usage = Usage(0, 0, 0, 0, 0)
        self.stages = [Stage("start", 0, 0)]
        self._before = 0.0
        self._looking = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self.look()
        self.begun = self.usage.seconds
        self.usage = self.usage._replace(seconds=0)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self.look()

    def _run(self) -> None:
        while not self._over.wait(_EVERY):
            self.look()

    def begin(self, name: str) -> None:
        """Begin a stage, unless it is the current one."""
        if name == self.stages[-1].name:
            return
        with self._looking:
            self._look()
            self._before = self.usage.seconds
            self.stages.append(Stage(name, 0, 0))

    def look(self) -> None:
        """Record the current processes; processor time counts from the beginning of the measurement."""
        with self._looking:
            self._look()

    def _look(self) -> None:
        known = _processes()
        java = driver = worker = seconds = in_java = 0.0
        for number, process in known.items():
            above = number
            while above in known and above != self.root:
                above = known[above].parent
            if above != self.root:
                continue
            seconds += process.seconds
            if number == self.root:
                driver = process.peak
            elif process.name == "java":
                java = max(java, process.peak)
                in_java += process.seconds
            elif process.name.startswith("python"):
                worker = max(worker, process.peak)
        old = self.usage
        self.usage = Usage(
            max(old.java, java), max(old.driver, driver), max(old.worker, worker),
            max(old.seconds, seconds - self.begun), max(old.java_seconds, in_java),
        )  # fmt: skip
        stage = self.stages[-1]
        self.stages[-1] = Stage(
            stage.name, self.usage.seconds - self._before, max(stage.memory, driver, worker)
        )


def watched(
    words: Sequence[str], stage_of: Callable[[str], str] = lambda _: ""
) -> tuple[float, Usage, list[Stage]]:
    """Run a command in a process of its own; its lines, also those of errors, go to standard output.

    Args:
        words: The command.
        stage_of: Returns the name of the stage that a line of the command begins, empty if it begins none.

    Returns:
        Seconds, the resources used, and those of each stage.

    Raises:
        CalledProcessError: The command failed.
    """
    start = time.monotonic()
    with (
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as job,  # noqa: S603  # words of our own
        Watch(job.pid) as watch,
    ):
        for line in job.stdout or ():
            sys.stdout.write(line)
            sys.stdout.flush()
            watch.begin(stage_of(line) or watch.stages[-1].name)
        code = job.wait()
    if code:
        raise subprocess.CalledProcessError(code, words)
    return time.monotonic() - start, watch.usage, watch.stages


def run_job(
    inputs: Sequence[Path], output: Path, master: str, memory: str
) -> tuple[float, Usage, list[Stage]]:
    """Run the job on Spark; results and errors are those of `watched`.

    Its stages are the start of Java and Spark, ``reading and tables``, ``answers``, which are made of the
    rows of all captures, and ``summary and report``.
    """
    words = [sys.executable, "-m", "msmq_wire.spark", *map(str, inputs), "--output", str(output)]
    settings = {"spark.driver.memory": memory, **SOCKETS}
    words += ["--master", master, *(f"--conf={name}={value}" for name, value in settings.items())]
    return watched(words, _stage_of)


def _stage_of(line: str) -> str:
    """Return the stage that begins with a line of the job's progress."""
    _, _, event = line.strip().partition(" ")
    if event == "captures ...":
        return "reading and tables"
    if event.startswith("captures: ") and " packets in " in event:
        return "answers"
    return "summary and report" if event == "complete" else ""
