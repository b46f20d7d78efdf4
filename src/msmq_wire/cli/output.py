"""What the command writes: printable text only, errors as one line, and a status that says what happened.

1. No control character of a packet, a name or a file reaches a terminal: what is not printable is escaped.
2. Who closes standard output early has seen enough.  A full disk is blamed on the output, not on the input.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

from msmq_wire.views.texts import escape, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "ClosedError",
    "Status",
    "UnwritableError",
    "failed",
    "forget",
    "note",
    "printable",
    "say",
    "write",
]


class Status(IntEnum):
    """What the process returns."""

    DONE = 0
    """All was read, and nothing is wrong with it."""
    UNREADABLE = 1
    """Some of the input could not be read; what could is on standard output."""
    USAGE = 2
    """The words after the command are wrong, or an extra is not installed."""
    FOUND = 3
    """`validate` has found violations, or `diff` differences."""
    UNWRITABLE = 4
    """Standard output or a file cannot be written."""
    INTERRUPTED = 130
    """Control-C."""
    CLOSED = 141
    """Whoever read standard output went away."""


class UnwritableError(Exception):
    """The output cannot be written."""


class ClosedError(Exception):
    """Nobody reads standard output any more."""


def write(data: str | bytes = "", *, flush: bool = False) -> None:
    """Write to standard output.

    Raises:
        UnwritableError: It cannot be written.
        ClosedError: Nobody reads it.
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
            except UnicodeEncodeError:  # a terminal that knows few characters
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
    with suppress(OSError, AttributeError, ValueError):  # there may be nobody to complain to
        sys.stderr.write(f"msmq-wire: {escape(line)}\n")
        sys.stderr.flush()


def failed(problem: str, status: Status = Status.USAGE) -> int:
    """Say why nothing more comes; the status."""
    note(problem)
    return int(status)


def forget() -> None:
    """What could not be written is not tried again when the process ends."""
    with suppress(OSError, AttributeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_file(path: str, parts: Iterable[bytes]) -> None:
    """Write a file, or standard output for ``-``.

    Raises:
        UnwritableError: It cannot be written.
    """
    if path == "-":
        for part in parts:
            write(part)
        return
    try:
        file = Path(path).open("wb")  # noqa: SIM115  # what cannot be opened is another error than what breaks off
    except OSError as error:
        raise UnwritableError(f"{path}: {error.strerror}") from error
    parts = iter(parts)
    with file:
        for part in parts:
            try:
                file.write(part)
            except OSError as error:
                raise UnwritableError(f"{path}: {error.strerror}") from error
        try:
            file.flush()
        except OSError as error:
            raise UnwritableError(f"{path}: {error.strerror}") from error
