"""Programs of the repository, run within this process, because a start takes longer than what they do."""

from __future__ import annotations

import asyncio
import io
import runpy
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING
from unittest import mock

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["program"]


async def program(path: Path, *words: object, given: str = "") -> tuple[int, str]:
    """Run a program beside the servers of a test; return its status, and what it writes.

    Args:
        path: The program.
        words: Its arguments.
        given: Its standard input.
    """
    return await asyncio.to_thread(_run, path, words, given)


def _run(path: Path, words: tuple[object, ...], given: str) -> tuple[int, str]:
    written = io.StringIO()
    with (
        mock.patch.object(sys, "argv", [str(path), *map(str, words)]),
        mock.patch.object(sys, "stdin", io.StringIO(given)),
        redirect_stdout(written),
        redirect_stderr(written),
    ):
        try:
            runpy.run_path(str(path), run_name="__main__")
        except SystemExit as end:
            return int(end.code or 0), written.getvalue()
    return 0, written.getvalue()
