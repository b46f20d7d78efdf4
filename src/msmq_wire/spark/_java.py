"""Checks whether a suitable Java is installed, explains how to install it, starts it fast, and ends it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LEAST = 17
_WRONG = re.compile("error|exception|invalid|unrecognized", re.IGNORECASE)
_PATIENCE = 10.0
"""Seconds that a Java is given to end; it may write an archive then."""


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return str(Path(home, "bin", "java")) if home else shutil.which("java")


def complaint() -> str | None:
    """Return the problem with Java and its solution in one sentence; None if Java is suitable."""
    java = _java()
    answer = "none was found"
    if java is not None and Path(java).exists():
        done = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)  # noqa: S603  # Java itself
        version = done.stderr.partition('"')[2].partition('"')[0]
        number = version.partition(".")[0].partition("-")[0]
        if number.isdecimal() and int(number) >= _LEAST:
            return None
        answer = f"{java} is {version or 'a version that does not start'}"
    return (
        f"Spark needs Java {_LEAST} or later, and {answer}; on Debian or Ubuntu, "
        f"apt-get install openjdk-{_LEAST}-jre-headless, then set JAVA_HOME if there are several"
    )


def sharing(jars: Path) -> str:
    """Return options with which Java loads the classes of Spark from an archive in the cache of the user.

    The first run on a machine leaves a marker file, the second one writes the archive at its end, and later
    ones use it.  Java ignores an archive that does not fit.

    Args:
        jars: The directory with the classes of Spark.
    """
    java = _java()
    if java is None:
        return ""
    cached = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser(), "msmq_wire")
    try:
        versions = [(str(location), location.stat().st_mtime_ns) for location in (Path(java).resolve(), jars)]
        key = sha256(repr(versions).encode()).hexdigest()
        archive = cached / f"spark-{key[:16]}.jsa"
        if not archive.exists():
            cached.mkdir(parents=True, exist_ok=True)
            archive.touch()
            return ""
        with archive.open("rb") as data:
            is_whole = any(data.read(4))  # Java writes them last
    except OSError:
        return ""
    return f' "-XX:{"SharedArchiveFile" if is_whole else "ArchiveClassesAtExit"}={archive}" -Xlog:disable'


def start_java(settings: Mapping[str, str], files: Sequence[int] = (), *, is_quiet: bool) -> None:
    """Start Java for Spark with these settings.

    Args:
        settings: Settings of Spark.
        files: Open files that Java keeps open: it holds the locks of this process while it runs.
        is_quiet: Whether the output of Java goes to a temporary file; later errors are exceptions.

    Raises:
        MsmqWireError: Java does not start.
    """
    from pyspark import SparkConf, SparkContext  # noqa: PLC0415  # the extra may not be installed
    from pyspark.errors import PySparkRuntimeError  # noqa: PLC0415  # as above
    from pyspark.java_gateway import launch_gateway  # noqa: PLC0415  # as above

    kind: Any = SparkContext
    if kind._gateway is not None:  # noqa: SLF001  # there is no other way
        return
    conf = SparkConf().setAll([*settings.items()])
    start: Any = launch_gateway
    with TemporaryFile() as log:
        more: dict[str, Any] = {"stderr": log} if is_quiet else {}
        if files and os.name == "posix":
            more["pass_fds"] = files
        try:
            kind._ensure_initialized(gateway=start(conf, more), conf=conf)  # noqa: SLF001  # as above
        except PySparkRuntimeError:
            log.seek(0)
            lines = log.read().decode("utf-8", "replace").splitlines()
            wrong = [line for line in lines if _WRONG.search(line)]
            cause = next(iter([*wrong, *lines]), "it says nothing")
            raise MsmqWireError(f"Java does not start: {cause.strip()}") from None


def _process() -> Any:
    """Return the process of the Java that was started for Spark; None if there is none."""
    from pyspark import SparkContext  # noqa: PLC0415  # as above

    kind: Any = SparkContext
    return getattr(kind._gateway, "proc", None)  # noqa: SLF001  # as above


def has_java_ended() -> bool:
    """Return whether the Java that was started for Spark has ended, though nobody has asked it to.

    Call this after a connection to it broke: the system closes the connections of a process that is killed
    some time before it has ended, so that this waits for the end.
    """
    process = _process()
    if process is None:
        return False
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        return False
    return True


def end_java() -> None:
    """End the Java that was started for Spark, and wait for its end."""
    process = _process()
    if process is not None:
        process.stdin.close()  # Java ends at the end of its input
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
