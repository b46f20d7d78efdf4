"""Lets the job, or its workers, meet an end at a moment that a test names; Python imports it at its start.

- ``HOOK_SIGNAL`` and ``HOOK_MOMENT``: the driver sends itself this signal, once, when it writes a line with
  this, for the third time if ``*3`` is behind it, or at this number of calls of functions since its `main`
  has begun, in any of its threads.
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
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_MOMENT = os.environ.get("HOOK_MOMENT", "")
_WORKERS = os.environ.get("HOOK_WORKERS", "")
_LOCK = os.environ.get("HOOK_LOCK", "")
_BEGINNINGS = {"__enter__": "_interrupts.py", "main": "stream_into.py"}
_IS_WORKER = "pyspark.daemon" in sys.orig_argv
_IS_DRIVER = bool({"msmq_wire.spark", "stream_into"} & {*sys.orig_argv})


class Ending:
    """A signal that this process sends itself once.

    Args:
        name: Its name, such as ``STOP``.
        moment: See above.
    """

    def __init__(self, name: str, moment: str) -> None:
        self._signal = getattr(signal, f"SIG{name}")
        self._is_over = False
        text, _, times = moment.partition("*")
        if moment.isdecimal():
            self._count(int(moment))
        else:
            sys.stderr = _Listening(sys.stderr, text, int(times or 1), self.come)

    def come(self) -> None:
        """Send it, unless that is done."""
        sys.setprofile(None)
        threading.setprofile(None)
        if not self._is_over:
            self._is_over = True
            os.kill(os.getpid(), self._signal)

    def _count(self, moment: int) -> None:
        numbers = itertools.count(1)
        begun = False

        def listen(frame: Any, event: str, _: object) -> None:
            nonlocal begun
            if not event.endswith("call"):
                return
            code = frame.f_code
            begun = begun or code.co_filename.endswith(_BEGINNINGS.get(code.co_name, "no file"))
            if begun and next(numbers) == moment:
                self.come()

        sys.setprofile(listen)
        threading.setprofile(listen)


class _Listening:
    """Standard error that is listened to."""

    def __init__(self, stream: Any, text: str, times: int, come: Callable[[], None]) -> None:
        self._stream, self._text, self._times, self._come = stream, text, times, come

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write, and end if it is the moment."""
        count: int = self._stream.write(text)
        self._times -= self._text in text
        if not self._times:
            self._stream.flush()
            self._come()
        return count


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
if _IS_DRIVER and _MOMENT:
    Ending(os.environ["HOOK_SIGNAL"], _MOMENT)
if _IS_WORKER and _WORKERS:
    sys.addaudithook(_work)
if _LOCK:
    sys.addaudithook(_open_lock)
