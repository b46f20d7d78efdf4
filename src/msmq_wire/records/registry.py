"""What is known of each record class: the functions that its module registers for it.

1. Functions that read take the bytes, where to begin, where to end, and the limits.
2. They accept or raise `Reject`.  Which field was wrong is found by `slow_reader`, which knows all places.
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
"""``decode(data, pos, end, limits)`` by structure: the record and where it ended."""
ELEMENTS: dict[tuple[str, str], Callable[..., tuple[Any, int]]] = {}
"""``decode(data, pos, end, origin, limits)`` by the structure around an array, which starts at `origin`, and
that of its elements."""
PACKETS: dict[str, Callable[..., Any]] = {}
"""``decode(data, end, limits)`` by the structure of a packet, which fills the bytes."""
SHARING: dict[str, Callable[..., Any]] = {}
"""The same; these records share their 16-bit numbers with others, which takes longer and less memory."""
ENCODERS: dict[Any, Callable[[Any], bytes]] = {}
"""``encode(record)`` by class."""
SIZES: dict[Any, Callable[[Any], int]] = {}
"""``size(record)`` by class: how many bytes it takes."""
PLAIN: dict[Any, Callable[[Any], dict[str, Any]]] = {}
"""``plain(record)`` by class: its fields in JSON's own types."""
FROM_PLAIN: dict[str, Callable[[Any, str], Any]] = {}
"""``from_plain(fields, path)`` by structure: the record that such a dictionary describes."""


def register(
    cls: Any,
    decode: Callable[..., tuple[Any, int]] | None,
    encode: Callable[[Any], bytes],
    size: Callable[[Any], int],
    build: Callable[..., Any],
    plain: Callable[[Any], dict[str, Any]],
    from_plain: Callable[[Any, str], Any],
) -> None:
    """Make a record class and its functions known; one with sizes elsewhere has no decoder of its own."""
    CLASSES[cls.__name__] = cls
    if decode is not None:
        DECODERS[cls.__name__] = decode
    ENCODERS[cls] = encode
    SIZES[cls] = size
    PLAIN[cls] = plain
    FROM_PLAIN[cls.__name__] = from_plain
    cls.build = build


class ArrayMethods(dict[int, Any]):
    """A method of the `struct.Struct` for so many numbers of one format, made when first needed."""

    LIMIT = 1024

    def __init__(self, method: str, code: str) -> None:
        self.method = method
        self.code = code

    def __missing__(self, count: int) -> Any:
        made = getattr(Struct(f"<{count}{self.code}"), self.method)
        if len(self) < self.LIMIT:
            self[count] = made
        return made
