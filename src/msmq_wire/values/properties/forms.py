"""The wire form of each variant type: readers and writers.

1. A reader takes bytes, an offset and an end.  It returns the value and the offset after it, or raises
   `Reject`.
2. For a vector, other than a vector of bytes, the reader returns the bytes of the vector, because objects in
   a tuple take many times the size of a small element.  `elements` creates the objects on demand.
"""

from __future__ import annotations

import struct
from codecs import utf_16_le_decode, utf_16_le_encode
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.values.errors import EncodeError, in_bytes, null_character, wrong_value
from msmq_wire.values.guid import GUID
from msmq_wire.values.refusals import VARIANT_TYPE, Problem, say
from msmq_wire.values.reject import Reject
from msmq_wire.values.wchar import find_terminator

from .types import BLOBS, CLSID, FORMATS, NOTHING, TEXTS, VARIANTS, VECTOR, name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Reader = Callable[[bytes, int, int], tuple[Any, int]]

MAX_DEPTH = 8
"""The maximum nesting of VT_VARIANT vectors."""
COUNT = struct.Struct("<I")
TYPE = struct.Struct("<H")
_NO_ELEMENTS = bytes(COUNT.size)

_OCTETS = {int(VARTYPE.VT_I1): (*range(128), *range(-128, 0)), int(VARTYPE.VT_UI1): tuple(range(256))}
"""The integer of each single byte."""


class _Pages(dict[int, tuple[int, ...]]):
    """``NUMBERS[number >> 8][number & 0xFF]``; a page of 256 numbers is created on demand."""

    def __missing__(self, page: int) -> tuple[int, ...]:
        numbers = self[page] = tuple(range(page << 8, (page + 1) << 8))
        return numbers


NUMBERS = _Pages()
"""Shared objects for 16-bit integers; separate objects take 14 times their two bytes, and all pages 3 MB."""


# ------------------------------------------------------------------------------------------- reading


def _scalar(vt: int) -> Reader:
    form = FORMATS[vt]
    unpack, size = form.unpack_from, form.size

    def read(data: bytes, pos: int, end: int) -> tuple[Any, int]:
        after = pos + size
        if after > end:
            raise Reject
        return unpack(data, pos)[0], after

    def read_word(data: bytes, pos: int, end: int) -> tuple[Any, int]:
        after = pos + 2
        if after > end:
            raise Reject
        number = unpack(data, pos)[0]
        return NUMBERS[number >> 8][number & 0xFF], after

    return read_word if size == 2 else read


def _text(data: bytes, pos: int, end: int) -> tuple[str, int]:
    stop = find_terminator(data, pos, end)
    if stop < 0:
        raise Reject
    return utf_16_le_decode(data[pos:stop], "surrogatepass", True)[0], stop + 2  # positional in `codecs`


def _blob(data: bytes, pos: int, end: int) -> tuple[bytes, int]:
    if pos + 4 > end:
        raise Reject
    after = pos + 4 + COUNT.unpack_from(data, pos)[0]
    if after > end:
        raise Reject
    return data[pos + 4 : after], after


def _guid(data: bytes, pos: int, end: int) -> tuple[GUID, int]:
    after = pos + 16
    if after > end:
        raise Reject
    return GUID(data[pos:after]), after


def _nothing(data: bytes, pos: int, end: int) -> tuple[None, int]:
    del data, end
    return None, pos


def _vector(behind: Callable[[bytes, int, int, int], int], least: int) -> Reader:
    """Create a reader of vectors; `behind` skips elements, each of which has at least `least` bytes."""

    def read(data: bytes, pos: int, end: int) -> tuple[bytes, int]:
        if pos + 4 > end:
            raise Reject
        count: int = COUNT.unpack_from(data, pos)[0]
        if count * least > end - pos - 4:
            raise Reject
        if not count:
            return _NO_ELEMENTS, pos + 4
        after = behind(data, pos + 4, end, count)
        return data[pos:after], after

    return read


def _behind_fixed(size: int) -> Callable[[bytes, int, int, int], int]:
    return lambda _, pos, __, count: pos + count * size


def _behind_texts(data: bytes, pos: int, end: int, count: int) -> int:
    for _ in range(count):
        pos = find_terminator(data, pos, end) + 2
        if pos < 2:
            raise Reject
    return pos


def _behind_blobs(data: bytes, pos: int, end: int, count: int) -> int:
    for _ in range(count):
        if pos + 4 > end:
            raise Reject
        pos += 4 + COUNT.unpack_from(data, pos)[0]
    if pos > end:
        raise Reject
    return pos


def _behind_variants(depth: int) -> Callable[[bytes, int, int, int], int]:
    def behind(data: bytes, pos: int, end: int, count: int) -> int:
        for _ in range(count):
            if pos + 2 > end:
                raise Reject
            vt: int = TYPE.unpack_from(data, pos)[0]
            if vt == VARIANTS:
                if depth >= MAX_DEPTH:
                    raise Reject
                reader = _VARIANTS[depth]
            elif vt in READERS:
                reader = READERS[vt]
            else:
                raise Reject
            pos = reader(data, pos + 2, end)[1]
        return pos

    return behind


_VARIANTS = [_vector(_behind_variants(depth), 2) for depth in range(1, MAX_DEPTH + 1)]
"""Functions that skip variants, by nesting depth."""
FIXED = {**{vt: form.size for vt, form in FORMATS.items()}, CLSID: 16}

READERS: dict[int, Reader] = {
    **{vt: _scalar(vt) for vt in FORMATS},
    **{vt | VECTOR: _vector(_behind_fixed(size), size) for vt, size in FIXED.items()},
    **dict.fromkeys(NOTHING, _nothing),
    **dict.fromkeys(TEXTS, _text),
    **{vt | VECTOR: _vector(_behind_texts, 2) for vt in TEXTS},
    **dict.fromkeys(BLOBS, _blob),
    VARTYPE.VT_BLOB | VECTOR: _vector(_behind_blobs, 4),
    CLSID: _guid,
    VARIANTS: _VARIANTS[0],
}
"""By variant type."""


def read_unknown(data: bytes, pos: int, end: int) -> tuple[Any, int]:
    """Read a value of a type without a form."""
    del data, pos, end
    raise Reject


def elements(vt: int, raw: bytes) -> Iterator[Any]:
    """Iterate over the elements of a vector; elements of VT_VARIANT vectors have their types.

    Args:
        vt: The vector's type.
        raw: The bytes that the reader returned.
    """
    element = vt & ~VECTOR
    if element in _OCTETS:
        yield from map(_OCTETS[element].__getitem__, raw[4:])
    elif element in FORMATS:
        yield from (number for (number,) in FORMATS[element].iter_unpack(memoryview(raw)[4:]))
    else:
        pos, end = 4, len(raw)
        while pos < end:
            if vt == VARIANTS:
                kind: int = TYPE.unpack_from(raw, pos)[0]
                value, pos = READERS[kind](raw, pos + 2, end)
                yield kind, value
            else:
                value, pos = READERS[element](raw, pos, end)
                yield value


class Rejection(NamedTuple):
    """Why a reader rejected the bytes of a value.

    Attributes:
        problem: The sentence about it.
        expected: The expected value.
        actual: The value in the bytes.
        offset: Where the value begins, or the element whose type is wrong.
        indices: The indices of this element, such as ``[2]``; empty for the value itself.
        is_counted: Whether a count of elements is too large, in the first four bytes of what has them.
    """

    problem: str
    expected: object
    actual: object
    offset: int
    indices: str = ""
    is_counted: bool = False


def rejection(vt: int, data: bytes, pos: int, end: int) -> Rejection:
    """Describe why a reader rejected the bytes of a value.

    Args:
        vt: The type of the value.
        data: The bytes.
        pos: Where the value begins.
        end: The end of the readable bytes.
    """
    left = end - pos
    if vt not in READERS:
        return Rejection(say(Problem.VARIANT_TYPE, f"{vt:#x}"), VARIANT_TYPE, vt, pos)
    if vt in TEXTS:
        problem = say(Problem.UNTERMINATED, in_bytes(left))
        return Rejection(problem, "a WCHAR 0x0000", f"{in_bytes(left)} without one", pos)
    if vt in FIXED:
        return Rejection(say(Problem.SHORT, in_bytes(FIXED[vt]), left), FIXED[vt], left, pos)
    if left < COUNT.size:
        return Rejection(say(Problem.COUNT_SHORT, in_bytes(COUNT.size), left), COUNT.size, left, pos)
    if vt == VARIANTS:
        variant = _rejected_variant(data, pos, end, 1)
        if variant is not None:
            return variant
    left, count = left - COUNT.size, COUNT.unpack_from(data, pos)[0]
    problem = say(Problem.ELEMENTS_ABOVE, in_bytes(left), count)
    return Rejection(problem, f"at most {in_bytes(left)}", count, pos, is_counted=True)


def _rejected_variant(data: bytes, pos: int, end: int, depth: int) -> Rejection | None:
    """Describe the variant of a vector whose type is wrong; None if its count is, or the bytes end before.

    Args:
        data: The bytes.
        pos: Where the vector begins.
        end: The end of the readable bytes.
        depth: The number of vectors in each other, this one included.
    """
    if end - pos < COUNT.size:
        return None
    count, pos = COUNT.unpack_from(data, pos)[0], pos + COUNT.size
    if count * TYPE.size > end - pos:
        return None
    for index in range(count):
        if end - pos < TYPE.size:
            break
        begin, kind = pos, TYPE.unpack_from(data, pos)[0]
        pos += TYPE.size
        if kind not in READERS:
            return Rejection(say(Problem.VARIANT_TYPE, f"{kind:#x}"), VARIANT_TYPE, kind, begin, f"[{index}]")
        if kind == VARIANTS and depth == MAX_DEPTH:
            expected = f"at most {MAX_DEPTH} vectors of {name_of(VARIANTS & ~VECTOR)} in each other"
            problem = say(Problem.VALUE, expected, f"{MAX_DEPTH + 1} at least")
            return Rejection(problem, expected, MAX_DEPTH + 1, begin, f"[{index}]")
        reader = _VARIANTS[depth] if kind == VARIANTS else READERS[kind]
        try:
            pos = reader(data, pos, end)[1]
        except Reject:
            inner = _rejected_variant(data, pos, end, depth + 1) if kind == VARIANTS else None
            return inner and inner._replace(indices=f"[{index}]{inner.indices}")
    return None


# ------------------------------------------------------------------------------------------- writing


def _write_text(value: str) -> bytes:
    if "\0" in value:
        raise unfit(int(VARTYPE.VT_LPWSTR), value, null_character(value))
    return utf_16_le_encode(value, "surrogatepass")[0] + b"\0\0"


def _write_blob(value: bytes) -> bytes:
    return COUNT.pack(len(value)) + value


def _write_guid(value: GUID) -> bytes:
    return GUID.of(value).bytes_le


def _write_nothing(value: None) -> bytes:
    if value is not None:
        raise TypeError
    return b""


NUMBER_WRITERS = {vt: form.pack for vt, form in FORMATS.items()}
WRITERS: dict[int, Callable[[Any], bytes]] = {
    **NUMBER_WRITERS,
    **dict.fromkeys(TEXTS, _write_text),
    **dict.fromkeys(BLOBS, _write_blob),
    **dict.fromkeys(NOTHING, _write_nothing),
    CLSID: _write_guid,
}
"""Writers by variant type, of all types except vectors, and of vectors of bytes."""


def no_value(vt: int, value: Any) -> EncodeError:
    """The error for a value that does not match its type."""
    return unfit(vt, value, wrong_value(f"{_values_of(vt)} for {name_of(vt)}", value))


def _values_of(vt: int) -> str:
    """Describe the values of a type."""
    if vt & VECTOR and vt not in BLOBS:
        return "a sequence of PropertyValue" if vt == VARIANTS else "a sequence"
    if vt in FORMATS:
        signed, bits = FORMATS[vt].format[-1].islower(), FORMATS[vt].size * 8
        low = -(1 << bits - 1) if signed else 0
        return f"an integer from {low} to {low + (1 << bits) - 1}"
    return "bytes" if vt in BLOBS else "text" if vt in TEXTS else "a GUID" if vt == CLSID else "None"


def unfit(vt: int, value: Any, problem: str) -> EncodeError:
    """The error for a value, with a description of the problem."""
    return EncodeError(
        problem,
        structure="PropertyValue",
        path="PropertyValue.value",
        expected=f"variant type {vt:#x}",
        actual=value,
    )
