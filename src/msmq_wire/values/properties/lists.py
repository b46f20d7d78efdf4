"""Decoding the property values of a change by the list of its identifiers.

1. Messages repeat a few lists of identifiers.  For a frequent list, a reader is made once; until then, and
   for all other lists, values are read one by one.
2. Senders choose the lists, so the numbers of cached lists and of their readers are bounded.
"""

from __future__ import annotations

import struct
from codecs import utf_16_le_decode
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msmq_wire.values.guid import GUID
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.reject import Reject
from msmq_wire.values.wchar import find_terminator

from .forms import COUNT, NUMBERS
from .forms import READERS as READERS_BY_TYPE
from .types import BLOBS, CLSID, FORMATS, IDENTIFIERS, NOTHING, TEXTS, VECTORS, type_of, when_types_change
from .values import SHORT, PropertyValue, can_be_exceeded, from_wire, read_limited, read_values

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Read = Callable[[bytes, int, int], tuple[tuple[PropertyValue, ...], int]]

REMEMBERED = 128
MADE = 64
LONGEST = 64
OFTEN = 64
"""Number of cached lists, number of their readers, their maximum length, and uses before a reader is made."""


class _Readers(dict[bytes, tuple[tuple[int, ...], Any]]):
    """By the bytes of a list of identifiers: the list, and a reader of its values."""

    def __init__(self) -> None:
        self.readers: set[Read] = set()

    def __missing__(self, key: bytes) -> tuple[tuple[int, ...], Read]:
        numbers = struct.unpack(f"<{len(key) // 4}I", key)
        identifiers = tuple([IDENTIFIERS.get(number, number) for number in numbers])
        uses = 0

        def read(data: bytes, pos: int, end: int) -> tuple[tuple[PropertyValue, ...], int]:
            nonlocal uses
            uses += 1
            if uses == OFTEN:
                self._make(key, identifiers)
            return read_values(identifiers, data, pos, end)

        if len(identifiers) <= LONGEST:
            if len(self) >= REMEMBERED:
                kept = {vartypes: entry for vartypes, entry in self.items() if entry[1] in self.readers}
                self.clear()
                self.update(kept)
            self[key] = identifiers, read
        return identifiers, read

    def _make(self, key: bytes, identifiers: tuple[int, ...]) -> None:
        types = [vt for vt in map(type_of, identifiers) if vt is not None]
        if key in self and len(self.readers) < MADE and len(types) == len(identifiers):
            reader = reader_of(types)
            self.readers.add(reader)
            self[key] = identifiers, reader

    def forget(self) -> None:
        """Clear the cache, because types have changed."""
        self.clear()
        self.readers.clear()


class _ListBytes(dict[tuple[int, ...], bytes]):
    """The bytes of lists of identifiers."""

    def __missing__(self, identifiers: tuple[int, ...]) -> bytes:
        packed = struct.pack(f"<{len(identifiers)}I", *identifiers)
        if len(identifiers) <= LONGEST:
            if len(self) >= REMEMBERED:
                self.clear()
            self[identifiers] = packed
        return packed


_LEAST, _MANY = -5, 257
"""The interpreter itself shares the numbers between these."""
_SHARED_SIZE = 2
_unpack_count, _COUNT_SIZE = COUNT.unpack_from, COUNT.size
_OTHER, _TEXT, _BLOB = 0, -1, -2
"""In place of the size of a step."""


def reader_of(types: Sequence[int]) -> Read:
    """A function that reads values of these types.

    Consecutive values of fixed size are read together; texts and blobs are read here, because a call costs as
    much as reading one.
    """
    kinds = tuple(types)
    steps: list[tuple[int, Any]] = []
    for fixed, group in groupby(kinds, key=lambda vt: vt in FORMATS or vt == CLSID):
        if fixed:
            each = ["16s" if vt == CLSID else FORMATS[vt].format[1:] for vt in group]
            form = struct.Struct("<" + "".join(each))
            steps.append((form.size, form.unpack_from))
        else:
            steps += [
                (_TEXT if vt in TEXTS else _BLOB if vt in BLOBS else _OTHER, READERS_BY_TYPE[vt])
                for vt in group
            ]
    identifiers = [at for at, vt in enumerate(kinds) if vt == CLSID]
    shorts = [at for at, vt in enumerate(kinds) if vt in FORMATS and FORMATS[vt].size == _SHARED_SIZE]
    usual = from_wire if any(vt in VECTORS or vt in NOTHING for vt in kinds) else PropertyValue

    def read(data: bytes, pos: int, end: int) -> tuple[tuple[PropertyValue, ...], int]:
        values: list[Any] = []
        make = usual
        for size, step in steps:
            if size > 0:
                after = pos + size
                if after > end:
                    raise Reject
                values += step(data, pos)
                pos = after
            elif size == _TEXT:
                # As `find_terminator`, which is called for texts that do not end with a Latin letter.
                stop = data.find(b"\0\0", pos, end)
                if stop < 0:
                    raise Reject
                if (stop - pos) & 1:
                    stop += 1
                    if stop + 2 > end or data[stop + 1]:
                        stop = find_terminator(data, pos, end)
                        if stop < 0:
                            raise Reject
                text = utf_16_le_decode(data[pos:stop], "surrogatepass", True)[0]  # positional in `codecs`
                if len(text) <= SHORT and not text.isascii():
                    make = from_wire
                values.append(text)
                pos = stop + 2
            elif size == _BLOB:
                start = pos + _COUNT_SIZE
                if start > end:
                    raise Reject
                pos = start + _unpack_count(data, pos)[0]
                if pos > end:
                    raise Reject
                values.append(data[start:pos])
            else:
                value, pos = step(data, pos, end)
                values.append(value)
        for at in identifiers:
            values[at] = GUID(values[at])
        for at in shorts:
            number = values[at]
            if not _LEAST <= number < _MANY:
                values[at] = NUMBERS[number >> 8][number & 0xFF]
        return (*map(make, kinds, values),), pos

    return read


READERS = _Readers()
"""The readers by the bytes of a list of identifiers; there is one for every list."""
LIST_BYTES = _ListBytes()
"""The bytes of every list of identifiers."""
when_types_change(READERS.forget)


class _Limited:
    """Readers by the bytes of a list of identifiers, with other limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits

    def __getitem__(self, key: bytes) -> tuple[tuple[int, ...], Any]:
        identifiers, _ = READERS[key]
        return identifiers, partial(read_limited, self.limits, identifiers)


def readers_of(limits: Limits) -> _Readers | _Limited:
    """The readers that check these limits, by the bytes of a list of identifiers."""
    return READERS if limits is DEFAULT_LIMITS or not can_be_exceeded(limits) else _Limited(limits)
