"""Output of the command: printable text, errors as one line, and the exit status.

1. Control characters of packets, names and files never reach a terminal: they are escaped.
2. If the reader closes standard output early, the command stops without an error message.  A full disk is
   reported as an error of the output, not of the input.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from enum import IntEnum
from functools import partial
from pathlib import Path
from shutil import copymode
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from msmq_wire.views.texts import escape, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Status(IntEnum):
    """The exit status of the process."""

    DONE = 0
    """All input was read without errors."""
    UNREADABLE = 1
    """Some of the input could not be read; everything else is on standard output."""
    USAGE = 2
    """The arguments are invalid, or an extra is not installed."""
    FOUND = 3
    """`validate` found violations, `findings` a warning or an alert, or `diff` differences."""
    UNWRITABLE = 4
    """Standard output or a file cannot be written."""
    INTERRUPTED = 130
    """Control-C."""
    CLOSED = 141
    """The reader of standard output closed the pipe."""
    TERMINATED = 143
    """SIGTERM."""


def is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


class UnwritableError(Exception):
    """The output cannot be written."""


class ClosedError(Exception):
    """The reader of standard output has closed the pipe."""


def write(data: str | bytes = "", *, flush: bool = False) -> None:
    """Write to standard output.

    Raises:
        UnwritableError: Standard output cannot be written.
        ClosedError: The reader has closed the pipe.
    """
    if sys.stdout is None:  # closed before the process began
        raise UnwritableError(f"standard output: {os.strerror(errno.EBADF)}")
    try:
        if isinstance(data, bytes):
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
        else:
            try:
                sys.stdout.write(data)
            except UnicodeEncodeError:  # a terminal with a small character set
                encoding = sys.stdout.encoding
                sys.stdout.write(data.encode(encoding, "backslashreplace").decode(encoding))
        if flush:
            sys.stdout.flush()
    except BrokenPipeError as error:
        raise ClosedError from error
    except OSError as error:
        raise UnwritableError(f"standard output: {error.strerror}") from error


def say(line: str) -> None:
    """Write a line of printable text; colours are for `write`."""
    write(printable(line) + "\n")


def note(line: str) -> None:
    """Write a line of printable ASCII to standard error."""
    with suppress(OSError, AttributeError, ValueError):  # standard error may be closed
        sys.stderr.write(f"msmq-wire: {escape(line)}\n")
        sys.stderr.flush()


def text_of_error(error: Exception) -> str:
    """Return the problem of an input as one line; an `OSError` names the file."""
    if not isinstance(error, OSError) or error.errno is None:  # pyarrow raises the latter
        return str(error)
    return f"{os.fsdecode(error.filename)}: {error.strerror}"


def failed(problem: str, status: Status = Status.USAGE) -> int:
    """Report a problem, and return the exit status."""
    note(problem)
    return int(status)


def forget() -> None:
    """Discard unwritten output, so that it is not tried again when the process ends."""
    with suppress(OSError, AttributeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_file(path: str, parts: Iterable[bytes]) -> None:
    """Write a file when all of it is there, or standard output for ``-``.

    A file that exists is replaced at the end, so that nothing is lost if the command is interrupted.  If
    there is nothing to write, it stays.

    Raises:
        UnwritableError: The file cannot be written.
    """
    if path == "-":
        for part in parts:
            write(part)
        return
    there = Path(os.path.realpath(path))  # a link stays
    regular = there.is_file() or not os.path.lexists(there)
    temporary = there.with_name(f".msmq_wire-{uuid4().hex}") if regular else there
    file = _attempt(path, partial(temporary.open, "xb" if regular else "wb"))
    try:
        written = 0
        try:
            for part in parts:
                written += _attempt(path, partial(file.write, part))
            _attempt(path, file.close)
        finally:
            with suppress(OSError):  # closing writes the buffered data again
                file.close()
        if regular and written:
            if there.exists():
                _attempt(path, partial(copymode, there, temporary))
            _attempt(path, partial(temporary.replace, there))
    finally:
        if regular:
            with suppress(OSError):  # it is gone if all went well
                temporary.unlink()


def _attempt(path: str, action: Callable[[], Any]) -> Any:
    try:
        return action()
    except OSError as error:
        raise UnwritableError(f"{path}: {error.strerror}") from error
