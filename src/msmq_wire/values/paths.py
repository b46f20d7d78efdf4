"""Which texts are URLs of files and which are patterns; all others are paths, whose names ``/`` separates."""

from __future__ import annotations

import os
import re
from typing import Final

ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
"""The beginning of a URL; a scheme has several letters, because a single one is a drive."""
PATTERN: Final = re.compile(r"[*?\[]")
"""The characters that make a path a pattern, as in `fnmatch`."""


def with_slashes(path: str, separator: str = os.sep) -> str:
    """Return a path of the operating system with ``/`` between its names, as URLs have it.

    Windows separates names by backslashes, and accepts this too; elsewhere a backslash is part of a name.
    """
    return path.replace(separator, "/")


def is_address(location: str) -> bool:
    """Return whether `location` is a URL."""
    return ADDRESS.match(location) is not None
