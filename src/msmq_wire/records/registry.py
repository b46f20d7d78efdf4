"""Registry of record classes and of the functions that their modules register.

1. A decoder takes the bytes, the start, the end, and the limits.
2. A decoder returns a record or raises `Reject`.  `diagnostic_reader` then finds which field was wrong, with
   its path and offset.
3. A document is imported when one of its structures is first looked up here, and its builders when one of its
   records is first built, measured or converted.  So a process loads only what it needs.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Any

from msmq_wire.values.hooks import import_document

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "CLASSES",
    "DECODERS",
    "ENCODERS",
    "FROM_PLAIN",
    "PACKETS",
    "PLAIN",
    "SIZES",
    "ArrayMethods",
    "Later",
    "register",
    "register_builders",
]


class _Table(dict[Any, Any]):
    """The functions that the modules of documents register; the keys are structures or classes."""

    def __init__(self, *, builders: bool = False) -> None:
        self.builders = builders

    def __missing__(self, key: Any) -> Any:
        name = key if isinstance(key, str) else key.__name__
        import_document(name, self.builders)
        if key not in self:
            raise KeyError(key)
        return self[key]


CLASSES: dict[str, Any] = _Table()
"""Record classes by structure."""
DECODERS: dict[str, Callable[..., tuple[Any, int]]] = _Table()
"""``decode(data, pos, end, limits)`` by structure: returns the record and its end.

Structures that are elements of arrays also take the offset of the enclosing structure, from which their
paddings count.
"""
PACKETS: dict[str, Callable[..., Any]] = _Table()
"""``decode(data, end, limits)`` by structure of a packet, which must fill the bytes; raises `UNREADABLE`."""
ENCODERS: dict[Any, Callable[[Any], bytes]] = {}
"""``encode(record)`` by class."""
SIZES: dict[Any, Callable[[Any], int]] = _Table(builders=True)
"""``size(record)`` by class: returns the size in bytes."""
PLAIN: dict[Any, Callable[[Any], dict[str, Any]]] = _Table(builders=True)
"""``plain(record)`` by class: returns the fields as JSON types."""
FROM_PLAIN: dict[str, Callable[[Any, str], Any]] = _Table(builders=True)
"""``from_plain(fields, path)`` by structure: returns the record for such a dictionary."""


def register(cls: Any, decode: Callable[..., tuple[Any, int]] | None, encode: Callable[[Any], bytes]) -> None:
    """Register a record class and its codec; `decode` is None if its sizes are in another structure."""
    CLASSES[cls.__name__] = cls
    if decode is not None:
        DECODERS[cls.__name__] = decode
    ENCODERS[cls] = encode


def register_builders(
    cls: Any,
    size: Callable[[Any], int],
    build: Callable[..., Any],
    plain: Callable[[Any], dict[str, Any]],
    from_plain: Callable[[Any, str], Any],
    of: Callable[..., Any] | None = None,
) -> None:
    """Register the other functions of a record class; `of` is None for most classes."""
    SIZES[cls] = size
    PLAIN[cls] = plain
    FROM_PLAIN[cls.__name__] = from_plain
    cls.build = build
    if of is not None:
        cls.of = staticmethod(of)


class Later:
    """An attribute of a record class that the module of its builders sets."""

    def __set_name__(self, owner: Any, name: str) -> None:
        self.name = name

    def __get__(self, record: Any, cls: Any) -> Any:
        import_document(cls.layout.name, True)
        return getattr(cls, self.name)


class ArrayMethods(dict[int, Any]):
    """A method of `struct.Struct` for arrays of one number format, by count; cached when first used."""

    LIMIT = 1024

    def __init__(self, method: str, code: str) -> None:
        self.method = method
        self.code = code

    def __missing__(self, count: int) -> Any:
        method = getattr(Struct(f"<{count}{self.code}"), self.method)
        if len(self) < self.LIMIT:
            self[count] = method
        return method
