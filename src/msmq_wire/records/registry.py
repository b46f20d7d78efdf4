"""Registry of record classes and of the functions that their modules register.

1. A decoder takes the bytes, the start, the end, and the limits.
2. A decoder returns a record or raises `Reject`.  `slow_reader` then finds which field was wrong, with its
   path and offset.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "CLASSES",
    "DECODERS",
    "ELEMENTS",
    "ENCODERS",
    "FROM_PLAIN",
    "PACKETS",
    "PLAIN",
    "SHARING",
    "SIZES",
    "ArrayMethods",
    "register",
]


CLASSES: dict[str, Any] = {}
"""Record classes by structure."""
DECODERS: dict[str, Callable[..., tuple[Any, int]]] = {}
"""``decode(data, pos, end, limits)`` by structure: returns the record and its end."""
ELEMENTS: dict[tuple[str, str], Callable[..., tuple[Any, int]]] = {}
"""``decode(data, pos, end, origin, limits)`` by enclosing structure and element structure of an array.

The enclosing structure starts at `origin`.
"""
PACKETS: dict[str, Callable[..., Any]] = {}
"""``decode(data, end, limits)`` by structure of a packet; the packet must fill the bytes."""
SHARING: dict[str, Callable[..., Any]] = {}
"""As `PACKETS`, but 16-bit numbers come from a shared table, which is slower and takes less memory."""
ENCODERS: dict[Any, Callable[[Any], bytes]] = {}
"""``encode(record)`` by class."""
SIZES: dict[Any, Callable[[Any], int]] = {}
"""``size(record)`` by class: returns the size in bytes."""
PLAIN: dict[Any, Callable[[Any], dict[str, Any]]] = {}
"""``plain(record)`` by class: returns the fields as JSON types."""
FROM_PLAIN: dict[str, Callable[[Any, str], Any]] = {}
"""``from_plain(fields, path)`` by structure: returns the record for such a dictionary."""


def register(
    cls: Any,
    decode: Callable[..., tuple[Any, int]] | None,
    encode: Callable[[Any], bytes],
    size: Callable[[Any], int],
    build: Callable[..., Any],
    plain: Callable[[Any], dict[str, Any]],
    from_plain: Callable[[Any, str], Any],
) -> None:
    """Register a record class and its functions; `decode` is None if its sizes are in another structure."""
    CLASSES[cls.__name__] = cls
    if decode is not None:
        DECODERS[cls.__name__] = decode
    ENCODERS[cls] = encode
    SIZES[cls] = size
    PLAIN[cls] = plain
    FROM_PLAIN[cls.__name__] = from_plain
    cls.build = build


class ArrayMethods(dict[int, Any]):
    """A method of `struct.Struct` for arrays of one number format, by count; cached when first used."""

    LIMIT = 1024

    def __init__(self, method: str, code: str) -> None:
        self.method = method
        self.code = code

    def __missing__(self, count: int) -> Any:
        made = getattr(Struct(f"<{count}{self.code}"), self.method)
        if len(self) < self.LIMIT:
            self[count] = made
        return made
