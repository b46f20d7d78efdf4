"""Property values: the packed forms of [MS-MQCN] 2.2.3 and their like for the other variant types.

1. A value stands on the wire without its type; the property identifier says what type it has.
2. `PropertyValue.value` is what is on the wire: a VT_BOOL is its 16-bit pattern, so that every pattern
   round-trips.  `natural` is what it means: there a VT_BOOL is a `bool`.  What a value means for the property
   that it belongs to (a time, a list of addresses) is told in `directory_properties`.
3. A vector is a count of four bytes and its elements, without padding.  The count is held against the bytes
   that are left before anything is read.  A vector of VT_UI1 is `bytes`, any other a tuple.
4. Fifteen forms are in the document.  The others are built in the same way, because nothing else says how:
   VT_EMPTY and VT_NULL take no bytes; an element of a VT_VARIANT vector is its type in two bytes and then
   its value.
"""

from __future__ import annotations

import codecs
import datetime as dt
import struct
from typing import TYPE_CHECKING, Any

import msgspec

from ._buffers import as_bytes
from ._emit import Reject
from ._propid_table import PROPERTIES, VARTYPE, ObjectClass
from ._wchar import find_terminator, from_wchars, to_wchars, wchar_count
from .errors import DecodeError, EncodeError, MsmqWireError, in_bytes, shortened
from .guid import GUID
from .limits import DEFAULT_LIMITS, Limits
from .sequence_number import SEQUENCE_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["MAX_DEPTH", "PropertyValue", "identifiers_by_type", "register_type", "type_of", "unregister_type"]

MAX_DEPTH = 8
"""How deep VT_VARIANT vectors may lie within each other."""

_VECTOR = int(VARTYPE.VT_VECTOR)
_VARIANTS = VARTYPE.VT_VARIANT | _VECTOR
_BYTES = VARTYPE.VT_UI1 | _VECTOR
_BLOB = int(VARTYPE.VT_BLOB)
BLOBS = frozenset({_BLOB, int(_BYTES)})
_CLSID = int(VARTYPE.VT_CLSID)
_BOOL = int(VARTYPE.VT_BOOL)
_TIMES = frozenset({VARTYPE.VT_I4, VARTYPE.VT_UI4, VARTYPE.VT_I8, VARTYPE.VT_UI8})
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_SCALARS = {
    VARTYPE.VT_I1: "b",
    VARTYPE.VT_UI1: "B",
    VARTYPE.VT_I2: "h",
    VARTYPE.VT_UI2: "H",
    VARTYPE.VT_BOOL: "H",
    VARTYPE.VT_I4: "i",
    VARTYPE.VT_UI4: "I",
    VARTYPE.VT_I8: "q",
    VARTYPE.VT_UI8: "Q",
}
FORMATS = {int(vt): struct.Struct("<" + code) for vt, code in _SCALARS.items()}
_NOTHING = frozenset({int(VARTYPE.VT_EMPTY), int(VARTYPE.VT_NULL)})
TEXTS = frozenset({int(VARTYPE.VT_LPWSTR), int(VARTYPE.VT_BSTR)})
_COUNT = struct.Struct("<I")
_TYPE = struct.Struct("<H")

_OCTETS = {
    int(VARTYPE.VT_I1): (*range(128), *range(-128, 0)),
    int(VARTYPE.VT_UI1): tuple(range(256)),
}
"""What each byte is as a number, one object each: a vector takes memory for its places only."""

_utf16_decode = codecs.utf_16_le_decode
_utf16_encode = codecs.utf_16_le_encode

_TYPES: dict[int, int] = {
    row.number: int(row.vartype)
    for row in PROPERTIES
    if row.object_class not in {ObjectClass.MANAGEMENT_MACHINE, ObjectClass.MANAGEMENT_QUEUE}
}
_PUBLISHED = frozenset(_TYPES)


_LISTENERS: list[Callable[[], None]] = []


def when_types_change(listener: Callable[[], None]) -> None:
    """Have a function called whenever a type is registered or forgotten."""
    _LISTENERS.append(listener)


def _types_changed() -> None:
    for listener in _LISTENERS:
        listener()


def type_of(identifier: int) -> int | None:
    """Variant type of a property identifier, [MS-MQMQ] 2.3; None for one that is not known."""
    return _TYPES.get(identifier)


def identifiers_by_type() -> dict[int, tuple[int, ...]]:
    """Every identifier whose type is known, registered ones too, by variant type."""
    found: dict[int, list[int]] = {}
    for identifier, vartype in _TYPES.items():
        found.setdefault(vartype, []).append(identifier)
    return {vartype: tuple(identifiers) for vartype, identifiers in found.items()}


def register_type(identifier: int, vartype: int) -> None:
    """Make the type of a private property identifier known to every decoder of this process.

    Args:
        identifier: The identifier, 0 to 0xFFFFFFFF.
        vartype: A variant type that has a form here.

    Raises:
        MsmqWireError: The identifier is published with another type, or the variant type has no form.
    """
    if identifier in _PUBLISHED and _TYPES[identifier] != vartype:
        raise MsmqWireError(f"property {identifier} is published with type {_TYPES[identifier]:#x}")
    if _reader(vartype) is None:
        raise MsmqWireError(f"variant type {vartype:#x} has no form")
    _TYPES[identifier] = int(vartype)
    _types_changed()


def unregister_type(identifier: int) -> None:
    """Forget the type of a private identifier; published and unknown ones are left alone."""
    if identifier not in _PUBLISHED:
        _TYPES.pop(identifier, None)
        _types_changed()


class PropertyValue(msgspec.Struct, frozen=True, gc=False):
    """A value and its variant type.

    Attributes:
        vt: The variant type, a `VARTYPE` or one of those with VT_VECTOR added.
        value: What is on the wire: `int` (VT_BOOL as its 16-bit pattern), `str` without terminator, `bytes`
            for VT_BLOB and VT_UI1 | VT_VECTOR, `GUID`, None for VT_EMPTY and VT_NULL, a tuple of these for
            another vector, a tuple of `PropertyValue` for VT_VARIANT | VT_VECTOR.
    """

    vt: int
    value: Any

    @classmethod
    def of(cls, vt: int, value: Any) -> PropertyValue:
        """Make a value from what a Python program has, and check that it can be written.

        Args:
            vt: The variant type.
            value: What `value` or `natural` of such a value is; or a moment with its time zone for a number,
                a record, several records or a SEQUENCE_NUMBER for VT_BLOB, text or bytes for VT_CLSID, any
                sequence for a vector.

        Raises:
            EncodeError: The value does not fit its type.
        """
        number = int(vt)
        try:
            made = cls(number, _from_natural(number, value))
        except (TypeError, ValueError) as error:
            raise _no_value(number, value) from error
        made.encode()
        return made

    @classmethod
    def decode(
        cls, vt: int, data: bytes | bytearray | memoryview, *, limits: Limits = DEFAULT_LIMITS
    ) -> PropertyValue:
        """Read a value that fills the whole of `data`.

        Raises:
            DecodeError: The bytes are too few or too many, exceed a limit, or the type has no form.
        """
        raw = as_bytes(data)
        limits.hold("packet_size", len(raw), structure="PropertyValue", path="PropertyValue", offset=0)
        value, pos = read_one(int(vt), raw, 0, len(raw), "PropertyValue", "PropertyValue", "buffer", limits)
        if pos != len(raw):
            raise DecodeError(
                f"{in_bytes(len(raw) - pos)} left over",
                structure="PropertyValue",
                path="PropertyValue",
                offset=pos,
                expected=0,
                actual=len(raw) - pos,
            )
        return value

    def encode(self) -> bytes:
        """The value without its type.

        Raises:
            EncodeError: The value does not fit its type.
        """
        return write_values((self,))

    @property
    def natural(self) -> Any:
        """The value for a Python program: `bool`, `int`, `str`, `uuid.UUID`, `bytes`, `tuple` or None."""
        return _to_natural(self.vt, self.value)


# ------------------------------------------------------------------------------------------- reading


def _read_scalar(vt: int) -> Callable[[bytes, int, int], tuple[Any, int]]:
    form = FORMATS[vt]
    unpack, size = form.unpack_from, form.size

    def read(data: bytes, pos: int, end: int) -> tuple[Any, int]:
        after = pos + size
        if after > end:
            raise Reject
        return unpack(data, pos)[0], after

    return read


def _read_text(data: bytes, pos: int, end: int) -> tuple[str, int]:
    stop = find_terminator(data, pos, end)
    if stop < 0:
        raise Reject
    return _utf16_decode(data[pos:stop], "surrogatepass", True)[0], stop + 2


def _read_blob(data: bytes, pos: int, end: int) -> tuple[bytes, int]:
    if pos + 4 > end:
        raise Reject
    after = pos + 4 + _COUNT.unpack_from(data, pos)[0]
    if after > end:
        raise Reject
    return data[pos + 4 : after], after


def _read_guid(data: bytes, pos: int, end: int) -> tuple[GUID, int]:
    after = pos + 16
    if after > end:
        raise Reject
    return GUID(data[pos:after]), after


def _read_nothing(data: bytes, pos: int, end: int) -> tuple[None, int]:
    del data, end
    return None, pos


def _read_count(data: bytes, pos: int, end: int, least: int) -> int:
    if pos + 4 > end:
        raise Reject
    count: int = _COUNT.unpack_from(data, pos)[0]
    if count * least > end - pos - 4:
        raise Reject
    return count


def _read_scalars(vt: int) -> Callable[[bytes, int, int], tuple[Any, int]]:
    code, size = FORMATS[vt].format[1:], FORMATS[vt].size

    def read(data: bytes, pos: int, end: int) -> tuple[Any, int]:
        count = _read_count(data, pos, end, size)
        start, after = pos + 4, pos + 4 + count * size
        if size > 1:
            return struct.unpack_from(f"<{count}{code}", data, start), after
        return tuple(map(_OCTETS[vt].__getitem__, data[start:after])), after

    return read


def _read_vector(
    element: Callable[[bytes, int, int], tuple[Any, int]], least: int
) -> Callable[[bytes, int, int], tuple[Any, int]]:
    def read(data: bytes, pos: int, end: int) -> tuple[Any, int]:
        count = _read_count(data, pos, end, least)
        pos += 4
        found = []
        for _ in range(count):
            value, pos = element(data, pos, end)
            found.append(value)
        return tuple(found), pos

    return read


_EMPTY = {vt: PropertyValue(vt, None) for vt in _NOTHING}
"""The values without bytes, one object each: a vector takes memory for its places only."""


def _read_variants(depth: int) -> Callable[[bytes, int, int], tuple[Any, int]]:
    def element(data: bytes, pos: int, end: int) -> tuple[PropertyValue, int]:
        if pos + 2 > end:
            raise Reject
        vt: int = _TYPE.unpack_from(data, pos)[0]
        if vt == _VARIANTS:
            if depth >= MAX_DEPTH:
                raise Reject
            value, pos = _read_variants(depth + 1)(data, pos + 2, end)
            return PropertyValue(vt, value), pos
        if vt in _NOTHING:
            return _EMPTY[vt], pos + 2
        reader = _reader(vt)
        if reader is None:
            raise Reject
        value, pos = reader(data, pos + 2, end)
        return PropertyValue(vt, value), pos

    return _read_vector(element, 2)


READERS: dict[int, Callable[[bytes, int, int], tuple[Any, int]]] = {
    **{vt: _read_scalar(vt) for vt in FORMATS},
    **{vt | _VECTOR: _read_scalars(vt) for vt in FORMATS},
    _BYTES: _read_blob,
    **dict.fromkeys(_NOTHING, _read_nothing),
    **dict.fromkeys(TEXTS, _read_text),
    **{vt | _VECTOR: _read_vector(_read_text, 2) for vt in TEXTS},
    _BLOB: _read_blob,
    _BLOB | _VECTOR: _read_vector(_read_blob, 4),
    _CLSID: _read_guid,
    _CLSID | _VECTOR: _read_vector(_read_guid, 16),
    _VARIANTS: _read_variants(1),
}


def _reader(vt: int) -> Callable[[bytes, int, int], tuple[Any, int]] | None:
    return READERS.get(vt)


def read_values(
    identifiers: Iterable[int], data: bytes, pos: int, end: int
) -> tuple[tuple[PropertyValue, ...], int]:
    """The values of these identifiers, or `Reject`; the fast path."""
    found = []
    for identifier in identifiers:
        vt = _TYPES.get(identifier)
        if vt is None:
            raise Reject
        value, pos = READERS[vt](data, pos, end)
        found.append(PropertyValue(vt, value))
    return tuple(found), pos


def values_reader(limits: Limits) -> Callable[..., tuple[tuple[PropertyValue, ...], int]]:
    """`read_values` under limits."""
    if limits.bound("elements", 1) is None and limits.bound("string_length", 2) is None:
        return read_values

    def read(
        identifiers: Iterable[int], data: bytes, pos: int, end: int
    ) -> tuple[tuple[PropertyValue, ...], int]:
        found = []
        for identifier in identifiers:
            try:
                _hold_count(_TYPES.get(identifier, 0), data, pos, end, limits, "", "")
                (value,), after = read_values((identifier,), data, pos, end)
                _hold_value(value, limits, structure="", path="", offset=pos)
            except DecodeError:
                raise Reject from None
            found.append(value)
            pos = after
        return tuple(found), pos

    return read


def _hold_count(vt: int, data: bytes, pos: int, end: int, limits: Limits, structure: str, path: str) -> None:
    """Hold what a vector says of its length against the limits, before anything is made of it.

    Raises:
        DecodeError: It exceeds its limit.
    """
    if vt & _VECTOR and vt != _BYTES and pos + 4 <= end:
        count = min(_COUNT.unpack_from(data, pos)[0], end - pos - 4)  # more than are left do not fit anyway
        limits.hold("elements", count, structure=structure, path=path, offset=pos)


def _hold_value(value: PropertyValue, limits: Limits, *, structure: str, path: str, offset: int) -> None:
    """Hold a value's texts and vectors against the limits; the other arguments are its place.

    Raises:
        DecodeError: One exceeds its limit.
    """
    items = [value.value]
    while items:
        item = items.pop()
        if isinstance(item, PropertyValue):
            items.append(item.value)
        elif isinstance(item, str):
            count = wchar_count(item)
            limits.hold("string_length", count, structure=structure, path=path, offset=offset)
        elif isinstance(item, tuple):
            limits.hold("elements", len(item), structure=structure, path=path, offset=offset)
            if item and not isinstance(item[0], int):
                items += item


def read_one(
    vt: int, data: bytes, pos: int, end: int, structure: str, path: str, limit: str, limits: Limits
) -> tuple[PropertyValue, int]:
    """One value of a known type; says what is wrong when it cannot be read.

    Raises:
        DecodeError: The bytes are too few or exceed a limit, or the type has no form.
    """
    _hold_count(vt, data, pos, end, limits, structure, path)
    reader = READERS.get(vt)
    problem: tuple[str, object, object] | None = None
    if reader is None:
        problem = (f"has variant type {vt:#x}, which has no form", "a variant type of [MS-MQMQ] 2.2.12", vt)
    else:
        try:
            value, after = reader(data, pos, end)
        except Reject:
            problem = _shortage(vt, data, pos, end)
        else:
            found = PropertyValue(vt, value)
            _hold_value(found, limits, structure=structure, path=path, offset=pos)
            return found, after
    raise DecodeError(
        problem[0],
        structure=structure,
        path=path,
        offset=pos,
        expected=problem[1],
        actual=problem[2],
        limit=limit,
    )


def _shortage(vt: int, data: bytes, pos: int, end: int) -> tuple[str, object, object]:
    left = end - pos
    if vt in TEXTS:
        return "has no terminator", "a WCHAR 0x0000", f"{left} bytes without one"
    if vt in FORMATS or vt == VARTYPE.VT_CLSID:
        size = FORMATS[vt].size if vt in FORMATS else 16
        return f"needs {in_bytes(size)}, {left} left", size, left
    if left < 4:
        return f"needs 4 bytes for its count, {left} left", 4, left
    count = _COUNT.unpack_from(data, pos)[0]
    return (
        f"says {count} elements, which do not fit the {left - 4} bytes left",
        f"at most {left - 4} bytes",
        count,
    )


# ------------------------------------------------------------------------------------------- writing


def write_values(values: Iterable[PropertyValue]) -> bytes:
    """The values one behind the other, without padding.

    Raises:
        EncodeError: A value does not fit its type.
    """
    parts: list[bytes] = []
    for item in values:
        _write(item.vt, item.value, parts.append, 0)
    return b"".join(parts)


def _write(vt: int, value: Any, add: Callable[[bytes], None], depth: int) -> None:
    writer = _WRITERS.get(vt)
    try:
        if writer is not None:
            add(writer(value))
        elif vt not in READERS:
            raise _unfit(vt, value, f"has variant type {vt:#x}, which has no form here")
        elif vt == _VARIANTS:
            if depth == MAX_DEPTH:
                raise _unfit(vt, value, f"lies within {MAX_DEPTH} other vectors")
            add(_COUNT.pack(len(value)))
            for item in value:
                add(_TYPE.pack(item.vt))
                _write(item.vt, item.value, add, depth + 1)
        else:
            if isinstance(value, str):
                raise _no_value(vt, value)
            add(_COUNT.pack(len(value)))
            for item in value:
                _write(vt & ~_VECTOR, item, add, depth)
    except (struct.error, TypeError, AttributeError) as error:
        raise _no_value(vt, value) from error


def write_one(vt: int, value: Any) -> bytes:
    """One value of a known type.

    Raises:
        EncodeError: The value does not fit its type.
    """
    parts: list[bytes] = []
    _write(vt, value, parts.append, 0)
    return b"".join(parts)


def _write_text(value: str) -> bytes:
    if "\0" in value:
        problem = f"has a null character at {value.index(chr(0))}, which would end it there"
        raise _unfit(int(VARTYPE.VT_LPWSTR), value, problem)
    return _utf16_encode(value, "surrogatepass")[0] + b"\0\0"


def _write_blob(value: bytes) -> bytes:
    return _COUNT.pack(len(value)) + value


def _write_guid(value: GUID) -> bytes:
    return GUID.of(value).bytes_le


def _write_nothing(value: None) -> bytes:
    if value is not None:
        raise TypeError
    return b""


_WRITERS: dict[int, Callable[[Any], bytes]] = {
    **{vt: form.pack for vt, form in FORMATS.items()},
    **dict.fromkeys(TEXTS, _write_text),
    **dict.fromkeys(BLOBS, _write_blob),
    **dict.fromkeys(_NOTHING, _write_nothing),
    _CLSID: _write_guid,
}


def _no_value(vt: int, value: Any) -> EncodeError:
    return _unfit(vt, value, f"{shortened(value)} is no value of variant type {vt:#x}")


def _unfit(vt: int, value: Any, problem: str) -> EncodeError:
    return EncodeError(
        problem,
        structure="PropertyValue",
        path="PropertyValue.value",
        expected=f"variant type {vt:#x}",
        actual=value,
    )


# ------------------------------------------------------------------------------------- natural values


def _to_natural(vt: int, value: Any) -> Any:
    if vt == _VARIANTS:
        return tuple(item.natural for item in value)
    if vt & _VECTOR and vt != _BYTES:
        return tuple(_to_natural(vt & ~_VECTOR, item) for item in value)
    if vt == _BOOL:
        return value != 0
    return value.uuid if vt == _CLSID else value


def _from_natural(vt: int, value: Any) -> Any:
    if vt in BLOBS:
        return _raw(value)
    if vt == _VARIANTS:
        return tuple(value)
    if vt & _VECTOR and not isinstance(value, str):
        return tuple(_from_natural(vt & ~_VECTOR, item) for item in value)
    if vt == _BOOL and isinstance(value, bool):
        return 0xFFFF if value else 0
    if vt == _CLSID:
        return GUID.of(value)
    if vt in _TIMES and isinstance(value, dt.datetime):
        return (value - _EPOCH) // dt.timedelta(seconds=1)
    if vt in FORMATS and isinstance(value, int):
        return int(value)
    if vt in TEXTS and isinstance(value, str) and not value.isascii():
        # Two halves of a surrogate pair are one character on the wire.
        return from_wchars(to_wchars(value))
    return value


def _raw(value: Any) -> bytes:
    """The bytes that a blob gets from bytes, numbers, a sequence number, a record or several records."""
    if isinstance(value, SEQUENCE_NUMBER):
        return SEQUENCE_NUMBER.of(value).raw
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if hasattr(value, "layout"):
        return bytes(value.encode())
    items = tuple(value)
    if items and all(hasattr(item, "layout") for item in items):
        return b"".join(item.encode() for item in items)
    return bytes(items)
