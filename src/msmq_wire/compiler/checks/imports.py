"""Errors of Python in the modules that people write, each as one sentence with file and line.

Such a module is read when it is imported.  This module imports none of them, so that it works whatever they contain.
"""

from __future__ import annotations

from pathlib import Path
from traceback import walk_tb

_SOURCE = Path(__file__).parents[2]


def location_of(error: BaseException) -> tuple[Path, int, str] | None:
    """Return file, line and sentence of an error that a module raised while it was imported; otherwise None.

    The line is the last one of a module of the package itself, not of a function that it called.
    """
    if isinstance(error, SyntaxError):
        return Path(error.filename or ""), error.lineno or 0, f"Python cannot read it: {error.msg}"
    lines = [
        (Path(frame.f_code.co_filename), line)
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_code.co_name == "<module>" and Path(frame.f_code.co_filename).is_relative_to(_SOURCE)
    ]
    if not lines or lines[-1][0].parent == _SOURCE / "compiler":
        return None
    said = f"{error}" if isinstance(error, NameError) else f"{type(error).__name__}: {error}"
    return *lines[-1], said


def shown(file: Path, line: int, sentence: str) -> str:
    """Format a mistake: the file relative to the checkout, the line unless it is 0, and the sentence."""
    root = _SOURCE.parents[1]
    name = file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name
    return f"{name}:{line}: {sentence}" if line else f"{name}: {sentence}"
