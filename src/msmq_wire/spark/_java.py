"""Checks whether a suitable Java is installed, explains how to install it, starts it fast, and ends it."""

from __future__ import annotations

import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["complaint", "end_java", "sharing", "start_quietly"]

_LEAST = 17
_PATIENCE = 10.0
"""Seconds after which a Java that does not end, because it writes an archive, is killed."""


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return str(Path(home, "bin", "java")) if home else shutil.which("java")


def complaint() -> str | None:
    """Return what is wrong with Java and how to fix it, in one sentence; None if it is suitable."""
    java = _java()
    found = "none was found"
    if java is not None and Path(java).exists():
        done = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)  # noqa: S603  # Java itself
        version = done.stderr.partition('"')[2].partition('"')[0]
        number = version.partition(".")[0].partition("-")[0]
        if number.isdecimal() and int(number) >= _LEAST:
            return None
        found = f"{java} is {version or 'none that starts'}"
    return (
        f"Spark needs Java {_LEAST} or later, and {found}; on Debian or Ubuntu, "
        f"apt-get install openjdk-{_LEAST}-jre-headless, then set JAVA_HOME if there are several"
    )


def sharing(jars: Path) -> str:
    """Return options with which Java loads the classes of Spark from an archive in the cache of the user.

    The first run on a machine leaves a note, the second one writes the archive when it has ended, and later
    ones use it.  Java ignores an archive that does not fit.

    Args:
        jars: The directory with the classes of Spark.
    """
    java = _java()
    if java is None:
        return ""
    cached = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser(), "msmq_wire")
    try:
        told = [(str(place), place.stat().st_mtime_ns) for place in (Path(java).resolve(), jars)]
        key = sha256(repr(told).encode()).hexdigest()
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


def start_quietly(settings: Mapping[str, str]) -> None:
    """Start Java for Spark with these settings; what it prints goes to a temporary file.

    Later errors are exceptions.  If Java does not start, the output is shown.

    Raises:
        PySparkRuntimeError: Java does not start.
    """
    from pyspark import SparkConf, SparkContext  # noqa: PLC0415  # the extra may not be installed
    from pyspark.errors import PySparkRuntimeError  # noqa: PLC0415  # as above
    from pyspark.java_gateway import launch_gateway  # noqa: PLC0415  # as above

    kind: Any = SparkContext
    if kind._gateway is not None:  # noqa: SLF001  # there is no other way
        return
    conf = SparkConf().setAll([*settings.items()])
    with TemporaryFile() as log:
        try:
            start: Any = launch_gateway
            kind._ensure_initialized(gateway=start(conf, {"stderr": log}), conf=conf)  # noqa: SLF001  # as above
        except PySparkRuntimeError:
            log.seek(0)
            os.write(2, log.read())
            raise


def end_java() -> None:
    """End the Java that was started for Spark, and wait for its end."""
    from pyspark import SparkContext  # noqa: PLC0415  # as above

    kind: Any = SparkContext
    process = getattr(kind._gateway, "proc", None)  # noqa: SLF001  # as above
    if process is not None:
        process.stdin.close()  # Java ends when it cannot read any more
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
