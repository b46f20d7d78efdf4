"""Registry of record classes and of the functions that their modules register.

1. A decoder takes the bytes, the start, the end, and the limits.
2. A decoder returns a record or raises `Reject`.  `diagnostic_reader` then finds which field was wrong, with
   its path and offset.
3. A document is imported when one of its structures is first looked up here, and its builders when one of its
   records is first built, measured or converted.  So a process loads only what it needs.
4. What is called with a record is an attribute of its class: see `Record`.
"""

from __future__ import annotations

from operator import methodcaller
from struct import Struct
from typing import TYPE_CHECKING, Any

from msmq_wire.values.hooks import import_document

if TYPE_CHECKING:
    from collections.abc import Callable


class _Table(dict[Any, Any]):
    """What the modules of documents register, by structure."""

    def __missing__(self, name: str) -> Any:
        import_document(name, False)
        if name not in self:
            raise KeyError(name)
        return self[name]


CLASSES: dict[str, Any] = _Table()
"""Record classes by structure."""
DECODERS: dict[str, Callable[..., tuple[Any, int]]] = _Table()
"""``decode(data, pos, end, limits)`` by structure: returns the record and its end.

Structures that are elements of arrays also take the offset of the enclosing structure, from which their
paddings count.
"""
PACKETS: dict[str, Callable[..., Any]] = _Table()
"""``decode(data, end, limits)`` by structure of a packet, which must fill the bytes; raises `UNREADABLE`."""


size_of: Callable[[Any], int] = methodcaller("_size")
"""Returns the size of a record in bytes, where type checkers do not know that it is a record."""


def register(cls: Any, decode: Callable[..., tuple[Any, int]] | None, encode: Callable[[Any], bytes]) -> None:
    """Register a record class and its codec; `decode` is None if its sizes are in another structure."""
    CLASSES[cls.__name__] = cls
    if decode is not None:
        DECODERS[cls.__name__] = decode
    cls._write = encode


def register_builders(
    cls: Any,
    size: Callable[[Any], int],
    build: Callable[..., Any],
    plain: Callable[[Any], dict[str, Any]],
    from_plain: Callable[[Any, str], Any],
    of: Callable[..., Any] | None = None,
) -> None:
    """Register the other functions of a record class; `of` is None for most classes."""
    cls._size = size
    cls._plain = plain
    cls._from_plain = staticmethod(from_plain)
    cls.build = build
    if of is not None:
        of.__qualname__ = f"{cls.__name__}.of"  # in the error about an unknown argument
        cls.of = staticmethod(of)


def is_record(value: Any) -> bool:
    """Return whether a value is a record of a document."""
    return hasattr(value, "_write")


class Later:
    """An attribute of a record class that the module of its builders sets."""

    def __set_name__(self, owner: Any, name: str) -> None:
        self.name = name

    def __get__(self, record: Any, cls: Any) -> Any:
        import_document(cls.layout.name, True)
        return getattr(cls if record is None else record, self.name)


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
