"""Decoding and encoding the property values of a change by the list of its identifiers.

1. Messages repeat a few lists of identifiers.  For a frequent list, a reader and a writer are compiled once;
   until then, and for all other lists, values are read and written one by one.
2. Senders choose the lists, so the numbers of cached and of compiled lists are bounded.
3. A compiled writer handles simple cases and leaves all others to the writer of single values.
"""

from __future__ import annotations

import struct
from codecs import utf_16_le_decode, utf_16_le_encode
from functools import lru_cache, partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msmq_wire.values.guid import GUID
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.reject import Reject
from msmq_wire.values.wchar import find_terminator

from .forms import NUMBERS
from .forms import READERS as READERS_BY_TYPE
from .types import BLOBS, CLSID, FORMATS, IDENTIFIERS, NOTHING, TEXTS, VECTORS, type_of, when_types_change
from .values import (
    SHORT,
    PackedVector,
    PropertyValue,
    can_be_exceeded,
    from_wire,
    read_values,
    text_value,
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


def _shared(vt: int) -> Callable[[int], PropertyValue]:
    """A function that creates a value from a 16-bit number, with shared objects."""

    def make(number: int) -> PropertyValue:
        return PropertyValue(vt, number if _LEAST <= number < _MANY else NUMBERS[number >> 8][number & 0xFF])

    return make


_LEAST, _MANY = -5, 257
"""The interpreter itself shares the numbers between these."""


def _identifier(raw: bytes) -> PropertyValue:
    return PropertyValue(CLSID, GUID(raw))


def _blob(vt: int) -> Single:
    def read(data: bytes, pos: int, end: int) -> tuple[PropertyValue, int]:
        start = pos + 4
        if start > end:
            raise Reject
        after = start + int.from_bytes(data[pos:start], "little")
        if after > end:
            raise Reject
        return PropertyValue(vt, data[start:after]), after

    return read


def _text(vt: int) -> Single:
    def read(data: bytes, pos: int, end: int) -> tuple[PropertyValue, int]:
        stop = find_terminator(data, pos, end)
        if stop < 0:
            raise Reject
        text = utf_16_le_decode(data[pos:stop], "surrogatepass", True)[0]
        plain = len(text) > SHORT or text.isascii()
        return PropertyValue(vt, text) if plain else text_value(vt, text), stop + 2

    return read


def _nothing(vt: int) -> Single:
    value = from_wire(vt, None)
    return lambda _data, pos, _end: (value, pos)


def _vector(vt: int) -> Single:
    raw = READERS_BY_TYPE[vt]

    def read(data: bytes, pos: int, end: int) -> tuple[PropertyValue, int]:
        value, after = raw(data, pos, end)
        return PackedVector(vt, value), after

    return read


def _single(vt: int) -> Single:
    """A function that reads one value of variable size."""
    if vt in BLOBS:
        return _blob(vt)
    if vt in NOTHING:
        return _nothing(vt)
    return _text(vt) if vt in TEXTS else _vector(vt)


def _maker(vt: int) -> Callable[[Any], PropertyValue]:
    """A function that creates a value from the result of `struct`."""
    if vt == CLSID:
        return _identifier
    return _shared(vt) if FORMATS[vt].size == _SHARED_SIZE else partial(PropertyValue, vt)


_SHARED_SIZE = 2


def _reader(types: Sequence[int]) -> Read:
    """A function that reads values of these types; consecutive values of fixed size are read together."""
    steps: list[tuple[int, Any, Any]] = []
    for fixed, group in groupby(types, key=lambda vt: vt in FORMATS or vt == CLSID):
        if fixed:
            known = list(group)
            form = struct.Struct(
                "<" + "".join("16s" if vt == CLSID else FORMATS[vt].format[1:] for vt in known)
            )
            steps.append((form.size, form.unpack_from, tuple(map(_maker, known))))
        else:
            steps += [(0, None, _single(vt)) for vt in group]

    def read(data: bytes, pos: int, end: int) -> tuple[tuple[PropertyValue, ...], int]:
        values: list[PropertyValue] = []
        for size, unpack, make in steps:
            if unpack is None:
                value, pos = make(data, pos, end)
                values.append(value)
                continue
            if pos + size > end:
                raise Reject
            values += [maker(raw) for maker, raw in zip(make, unpack(data, pos), strict=True)]
            pos += size
        return tuple(values), pos

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
