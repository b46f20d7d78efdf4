"""Checks whether a suitable Java is installed, and explains how to install it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

__all__ = ["complaint"]

_LEAST = 17


def complaint() -> str | None:
    """Return what is wrong with Java and how to fix it, in one sentence; None if it is suitable."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java")
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
