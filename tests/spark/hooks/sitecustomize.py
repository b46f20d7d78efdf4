"""Lets the job, or its workers, meet an end at a moment that a test names; Python imports it at its start.

- ``HOOK_SIGNAL`` and ``HOOK_MOMENT``: the driver sends itself this signal when it writes a line with this,
  or at this number of calls of functions since its `main` has begun, in any of its threads.
- ``HOOK_WORKERS``: a directory.  The first two workers that make files of tables leave a file in it; what
  they do then is the name of the file ``kill``, if it is there, or they wait until they are killed.
- ``HOOK_LOCK``: a pipe.  A writer tells it when it opens the lock of its output.

Workers import Spark's modules as this interpreter has them, compiled; from the archive that Spark puts before
them, each process would compile them again.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

_MOMENT = os.environ.get("HOOK_MOMENT", "")
_WORKERS = os.environ.get("HOOK_WORKERS", "")
_LOCK = os.environ.get("HOOK_LOCK", "")
_BEGINNINGS = {"__enter__": "_interrupts.py", "main": "stream_into.py"}
_IS_WORKER = "pyspark.daemon" in sys.orig_argv
_IS_DRIVER = bool({"msmq_wire.spark", "stream_into"} & {*sys.orig_argv})


def _end() -> None:
    os.kill(os.getpid(), getattr(signal, f"SIG{os.environ['HOOK_SIGNAL']}"))


class _Listening:
    """Standard error that is listened to."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write, and end if it is the moment."""
        count: int = self._stream.write(text)
        if _MOMENT in text:
            self._stream.flush()
            _end()
        return count


def _count(moment: int) -> None:
    numbers = itertools.count(1)
    begun = False

    def listen(frame: Any, event: str, _: object) -> None:
        nonlocal begun
        if not event.endswith("call"):
            return
        code = frame.f_code
        begun = begun or code.co_filename.endswith(_BEGINNINGS.get(code.co_name, "no file"))
        if begun and next(numbers) == moment:
            _end()

    sys.setprofile(listen)
    threading.setprofile(listen)


def _work(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "os.mkdir" or f"{os.sep}files{os.sep}" not in str(arguments[0]):
        return
    place = Path(_WORKERS)
    for number in range(2):
        try:
            (place / f"worker-{number}").open("x").close()
        except FileExistsError:
            continue
        if (place / "kill").exists():
            os.kill(os.getpid() if number == 0 else os.getppid(), signal.SIGKILL)
        with suppress(FileNotFoundError):  # pipes of the test: one tells it, the other ends with the driver
            (place / "came").open("r+b", buffering=0).write(b"\n")
            (place / "killed").read_bytes()
        os._exit(1)


def _open_lock(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and str(arguments[0]).endswith(".msmq_wire.lock"):
        with suppress(FileNotFoundError), Path(_LOCK).open("r+b", buffering=0) as pipe:
            pipe.write(b"\n")


sys.path[:] = [path for path in sys.path if not path.endswith(("pyspark.zip", "-src.zip"))]
if _IS_DRIVER and _MOMENT.isdecimal():
    _count(int(_MOMENT))
elif _IS_DRIVER and _MOMENT:
    sys.stderr = _Listening(sys.stderr)
if _IS_WORKER and _WORKERS:
    sys.addaudithook(_work)
if _LOCK:
    sys.addaudithook(_open_lock)
