"""Decoding and encoding the property values of a change by the list of its identifiers.

1. Messages repeat a few lists of identifiers.  For a frequent list, a reader and a writer are compiled once;
   until then, and for all other lists, values are read and written one by one.
2. Senders choose the lists, so the numbers of cached and of compiled lists are bounded.
3. A compiled writer handles simple cases and leaves all others to the writer of single values.
"""

from __future__ import annotations

import struct
from codecs import utf_16_le_encode
from functools import lru_cache, partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msmq_wire.values.guid import GUID
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.reject import Reject

from .forms import NUMBERS
from .forms import READERS as READERS_BY_TYPE
from .types import BLOBS, CLSID, FORMATS, IDENTIFIERS, NOTHING, TEXTS, VECTORS, type_of, when_types_change
from .values import (
    SHORT,
    PropertyValue,
    can_be_exceeded,
    from_wire,
    read_values,
    values_reader,
    write_one,
    write_values,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Read = Callable[[bytes, int, int], tuple[tuple[PropertyValue, ...], int]]
    Single = Callable[[bytes, int, int], tuple[PropertyValue, int]]
    Write = Callable[[tuple[PropertyValue, ...]], bytes]

__all__ = ["READERS", "WRITERS", "readers_of"]

_REMEMBERED = 128
_COMPILED = 64
_LONGEST = 64
_OFTEN = 64
"""Number of cached lists, number of compiled lists, their maximum length, and uses before compilation."""
_HESITATIONS = (Reject, struct.error, TypeError, ValueError, AttributeError)


class _Functions(dict[Any, tuple[Any, Any]]):
    """By the bytes of a list of identifiers: the list and a reader.  By the list: its bytes and a writer."""

    def __init__(self, generate: Callable[[Sequence[int]], Any], single: Callable[..., Any]) -> None:
        self.generate = generate
        self.single = single
        self.compiled = 0
        self.made: set[Any] = set()

    def __missing__(self, key: Any) -> tuple[Any, Any]:
        count = len(key) // 4 if type(key) is bytes else len(key)
        form = struct.Struct(f"<{count}I")
        other: Any = form.unpack(key) if type(key) is bytes else form.pack(*key)
        if type(key) is bytes:
            other = tuple(map(IDENTIFIERS.get, other, other))
        identifiers = other if type(key) is bytes else key
        uses = 0

        def function(*args: Any) -> Any:
            nonlocal uses
            uses += 1
            if uses == _OFTEN:
                self._compile(key, other, identifiers)
            return self.single(identifiers, *args)

        if count <= _LONGEST:
            if len(self) >= _REMEMBERED:
                kept = {known: entry for known, entry in self.items() if entry[1] in self.made}
                self.clear()
                self.update(kept)
            self[key] = other, function
        return other, function

    def _compile(self, key: Any, other: Any, identifiers: Sequence[int]) -> None:
        types = [vt for vt in map(type_of, identifiers) if vt is not None]
        if key in self and self.compiled < _COMPILED and len(types) == len(identifiers):
            self.compiled += 1
            made = self.generate(types)
            self.made.add(made)
            self[key] = other, made

    def forget(self) -> None:
        """Clear the cache, because types have changed."""
        self.clear()
        self.made.clear()
        self.compiled = 0


_LEAST, _MANY = -5, 257
"""The interpreter itself shares the numbers between these."""
_SHARED_SIZE = 2


def _reader(types: Sequence[int]) -> Read:
    """A function that reads values of these types; consecutive values of fixed size are read together."""
    kinds = tuple(types)
    steps: list[tuple[int, Any]] = []
    for fixed, group in groupby(kinds, key=lambda vt: vt in FORMATS or vt == CLSID):
        if fixed:
            each = ["16s" if vt == CLSID else FORMATS[vt].format[1:] for vt in group]
            form = struct.Struct("<" + "".join(each))
            steps.append((form.size, form.unpack_from))
        else:
            steps += [(0, READERS_BY_TYPE[vt]) for vt in group]
    identifiers = [at for at, vt in enumerate(kinds) if vt == CLSID]
    shorts = [at for at, vt in enumerate(kinds) if vt in FORMATS and FORMATS[vt].size == _SHARED_SIZE]
    texts = [at for at, vt in enumerate(kinds) if vt in TEXTS]
    is_plain = not any(vt in VECTORS or vt in NOTHING for vt in kinds)

    def read(data: bytes, pos: int, end: int) -> tuple[tuple[PropertyValue, ...], int]:
        values: list[Any] = []
        for size, step in steps:
            if size:
                after = pos + size
                if after > end:
                    raise Reject
                values += step(data, pos)
                pos = after
            else:
                value, pos = step(data, pos, end)
                values.append(value)
        for at in identifiers:
            values[at] = GUID(values[at])
        for at in shorts:
            number = values[at]
            if not _LEAST <= number < _MANY:
                values[at] = NUMBERS[number >> 8][number & 0xFF]
        if is_plain:
            for at in texts:
                if len(values[at]) <= SHORT and not values[at].isascii():
                    break
            else:
                return (*map(PropertyValue, kinds, values),), pos
        return (*map(from_wire, kinds, values),), pos

    return read


def _write_blob(value: Any) -> bytes:
    if value.__class__ is not bytes:
        raise Reject
    return struct.pack("<I", len(value)) + value


def _write_text(value: Any) -> bytes:
    if "\0" in value:
        raise Reject
    return utf_16_le_encode(value, "surrogatepass")[0] + b"\0\0"


def _write_identifier(value: Any) -> bytes:
    raw: bytes = value.bytes_le
    if value.__class__ is not GUID or len(raw) != _GUID_SIZE:
        raise Reject
    return raw


def _write_nothing(value: Any) -> bytes:
    if value is not None:
        raise Reject
    return b""


_GUID_SIZE = 16


def _writer_of(vt: int) -> Callable[[Any], bytes] | None:
    """A function that writes one value; None for vectors."""
    if vt in VECTORS:
        return None
    if vt in FORMATS:
        return FORMATS[vt].pack
    if vt == CLSID:
        return _write_identifier
    if vt in BLOBS:
        return _write_blob
    return _write_text if vt in TEXTS else _write_nothing


def _writer(types: Sequence[int]) -> Write:
    """A function that writes values of these types; the writer of single values handles complex cases."""
    steps = [(vt, _writer_of(vt)) for vt in types]

    def write(values: tuple[PropertyValue, ...]) -> bytes:
        try:
            parts = []
            for (vt, pack), value in zip(steps, values, strict=True):
                if value.vt != vt:
                    raise Reject  # left to the writer of single values
                parts.append(write_one(value) if pack is None else pack(value.value))
            return b"".join(parts)
        except _HESITATIONS:
            return write_values(values)

    return write


READERS = _Functions(_reader, read_values)
WRITERS = _Functions(_writer, lambda _, values: write_values(values))
"""The readers and writers of lists of identifiers; there is one for every key."""


def _forget() -> None:
    READERS.forget()
    WRITERS.forget()


when_types_change(_forget)


class _Limited:
    """Readers by the bytes of a list of identifiers, with other limits."""

    def __init__(self, limits: Limits) -> None:
        self.read = values_reader(limits)

    def __getitem__(self, key: bytes) -> tuple[Any, Any]:
        identifiers, _ = READERS[key]
        return identifiers, partial(self.read, identifiers)


_limited = lru_cache(maxsize=16)(_Limited)


def readers_of(limits: Limits) -> Any:
    """The readers that check these limits, by the bytes of a list of identifiers."""
    return READERS if limits is DEFAULT_LIMITS or not can_be_exceeded(limits) else _limited(limits)
