"""The check that an output is not one of the inputs, for all subcommands that write a file."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from msmq_wire.packets.foreign import FOREIGN_HEAD
from msmq_wire.packets.mistaken import capture_name

from .outcome import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def check_apart(output: str | None, inputs: Iterable[str], kind: str = "an input") -> None:
    """Check that a file that will be written is no input, under any name or link, and no capture.

    Nothing is changed.

    Args:
        output: The file, ``-`` for standard output, or None.
        inputs: Files, directories, patterns, or ``-`` for standard input.
        kind: The description of a directory among them.

    Raises:
        OptionError: The file is an input, in a directory that is an input, or a capture.
    """
    if output in {None, "-"}:
        return
    there = _status(str(output))
    for given in inputs:
        if there is not None and stat.S_ISREG(there.st_mode):
            for file in _files(given):
                status = _status(file)
                if status is not None and os.path.samestat(there, status):
                    raise OptionError(f"{output} is an input: choose another file for the output")
        if _is_inside(str(output), given):
            raise OptionError(
                f"{output} is inside {given}, which is {kind}: choose another place for the output"
            )
    if there is not None and stat.S_ISREG(there.st_mode) and _is_capture(str(output)):
        raise OptionError(f"{output} is a capture, or compressed: choose another file for the output")


def _is_capture(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return bool(capture_name(file.read(FOREIGN_HEAD)))
    except OSError:  # writing it raises the same error
        return False


def _is_inside(output: str, given: str) -> bool:
    try:
        return given != "-" and Path(os.path.realpath(output)).is_relative_to(os.path.realpath(given))
    except (OSError, ValueError):  # such as a loop of links, which the reader reports
        return False


def _status(path: str | int) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116  # paths may have bytes that are not text
    except (OSError, ValueError):
        return None


def _files(given: str) -> Iterator[str | int]:
    """Yield the files of an input; standard input may be a file too."""
    if given == "-":
        yield 0
        return
    there = _status(given)
    if there is not None and not stat.S_ISDIR(there.st_mode):
        yield given
    elif there is not None:
        for folder, _, names in os.walk(given):
            yield from (os.path.join(folder, name) for name in names)  # noqa: PTH118  # as above
    else:
        yield from _matching(given)


def _matching(pattern: str) -> Iterator[str]:
    """Yield the files that match a pattern of captures; errors are reported when they are opened."""
    try:
        from msmq_wire.captures.files.sources import files_of  # noqa: PLC0415  # the extra may be missing

        yield from (file.location for file in files_of([pattern], unread=[]))
    except Exception:  # noqa: BLE001  # reading it raises the same error
        return
