"""Writing the bodies of messages, or whole packets, to files: one file for each row of a listing.

This module needs the extra ``captures``, like the listings themselves.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from msmq_wire.arrow.bodies import SUFFIXES

from .output import UnwritableError

if TYPE_CHECKING:
    from collections.abc import Callable

_CONTENTS: Final = {"packets": "data", "messages": "body"}
_TEXTS: Final = ("UTF-8", "UTF-16", "Latin-1 (guess)", "VT_BSTR", "VT_LPWSTR", "VT_LPSTR")
_STARTED: Final = frozenset({"crx", "deb", "rpm", "swf"})
_SUFFIXES: Final = {
    **dict.fromkeys(_TEXTS, ".txt"),
    "UTF-8 XML": ".xml",
    **{form: f".{suffix}" for form, suffix in SUFFIXES.items() if suffix not in _STARTED},
}
"""Executables and installers get no suffix of their own, so that nobody starts one by a click."""


def extraction(table: str, directory: str) -> Callable[[pa.RecordBatch], pa.Array]:
    """Create a function that writes the contents of each row to a file, and returns the names of the files.

    The files are numbered in the order of the rows; names are never taken from a message.  An empty body has
    no file, and its name is null.

    Args:
        table: ``"packets"`` or ``"messages"``, whose bodies are written as they were sent.
        directory: Where the files are written; it is made, and has to be empty.

    Raises:
        UnwritableError: The directory is not empty, or a file cannot be written.
    """
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        full = any(folder.iterdir())
    except OSError as error:
        raise UnwritableError(f"{directory}: {error.strerror}") from error
    if full:
        raise UnwritableError(f"{directory} is not empty; extracted files need an empty directory")
    numbers = count(1)

    def write(batch: pa.RecordBatch) -> pa.Array:
        names: list[str | None] = []
        forms = batch.column("body_form").to_pylist() if table == "messages" else [None] * batch.num_rows
        for contents, form in zip(batch.column(_CONTENTS[table]).to_pylist(), forms, strict=True):
            name = f"{next(numbers):06}{_SUFFIXES.get(form, '.bin')}"
            names.append(name if contents else None)
            if contents:
                try:
                    (folder / name).write_bytes(contents)
                except OSError as error:
                    raise UnwritableError(f"{folder / name}: {error.strerror}") from error
        return pa.array(names, pa.string())

    return write
