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
5. What was read takes memory in proportion to its bytes: a vector stays packed, and its tuple is made each
   time that `value` is asked for.
"""

from __future__ import annotations

import struct
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import DecodeError, in_bytes
from msmq_wire.values.limits import DEFAULT_LIMITS, UNLIMITED, Limits
from msmq_wire.values.reject import Reject
from msmq_wire.values.wchar import from_wchars, to_wchars, wchar_count

from .forms import COUNT, FIXED, MAX_DEPTH, READERS, TYPE, WRITERS, elements, no_value, shortage, unfit
from .natural import from_natural, to_natural
from .types import (
    BLOBS,
    BYTES,
    NOTHING,
    TEXTS,
    VARIANTS,
    VECTOR,
    VECTORS,
    identifiers_by_type,
    register_type,
    type_of,
    unregister_type,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = [
    "MAX_DEPTH",
    "READERS",
    "PropertyValue",
    "identifiers_by_type",
    "register_type",
    "type_of",
    "unregister_type",
]


class PropertyValue(msgspec.Struct, frozen=True, gc=False):
    """A value and its variant type.

    Attributes:
        vt: The variant type, a `VARTYPE` or one of those with VT_VECTOR added.
        value: What is on the wire: `int` (VT_BOOL as its 16-bit pattern), `str` without terminator, `bytes`
            for VT_BLOB and VT_UI1 | VT_VECTOR, `GUID`, None for VT_EMPTY and VT_NULL, a tuple of these for
            another vector, a tuple of `PropertyValue` for VT_VARIANT | VT_VECTOR.  The tuple of a vector that
            was read is made anew each time.
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
                sequence for a vector.  For VT_VARIANT | VT_VECTOR only `value`: `natural` lacks types.

        Raises:
            EncodeError: The value does not fit its type.
        """
        number = int(vt)
        try:
            made = PropertyValue(number, from_natural(number, value))
        except (TypeError, ValueError) as error:
            raise no_value(number, value) from error
        if number == VARIANTS and not all(isinstance(item, PropertyValue) for item in made.value):
            raise unfit(number, value, "has an element that is no PropertyValue: nothing tells its type")
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
        """The value for a Python program: `bool`, `int`, `str`, `uuid.UUID`, `bytes`, `tuple` or None.

        Of VT_VARIANT | VT_VECTOR it has the elements' values without their types, so that `of` takes `value`.
        """
        return to_natural(self.vt, self.value)


# ---------------------------------------------------------------------------------------- packed values


class _Packed(PropertyValue, frozen=True, gc=False):
    """A value that was read, in less memory than its object takes; to users no other than a PropertyValue.

    Attributes:
        held: What is kept instead of the value.
    """

    held: ClassVar[Any] = PropertyValue.value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PropertyValue):
            return NotImplemented
        if type(other) is type(self) and self.held == other.held:
            return self.vt == other.vt
        return (self.vt, self.value) == (other.vt, other.value)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(PropertyValue(self.vt, self.value))

    def __repr__(self) -> str:
        return repr(PropertyValue(self.vt, self.value))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.vt, self.encode())


class PackedVector(_Packed, frozen=True, gc=False):
    """A vector, as its bytes."""

    @property  # type: ignore[misc]  # mypy allows no property in the place of an attribute
    def value(self) -> Any:
        return tuple(self.elements())

    @property
    def count(self) -> int:
        """How many elements it has."""
        count: int = COUNT.unpack_from(self.held)[0]
        return count

    def elements(self) -> Iterator[Any]:
        """The elements one at a time."""
        found = elements(self.vt, self.held)
        return (from_wire(kind, value) for kind, value in found) if self.vt == VARIANTS else found


class PackedText(_Packed, frozen=True, gc=False):
    """A text of one to three characters, as a number: a `str` beyond ASCII takes 73 bytes and more."""

    @property  # type: ignore[misc]  # as above
    def value(self) -> Any:
        return from_wchars(self.held.to_bytes(_MARKED, "little").rstrip(b"\0")[:-1])


SHORT = 3
_MARKED = 4 * SHORT + 1
"""Characters of a short text; its bytes at most, with one after them that is no zero."""
_EMPTY = {vt: PropertyValue(vt, None) for vt in NOTHING}


def text_value(vt: int, text: str) -> PropertyValue:
    """A text that was read, packed if it is short and takes much memory."""
    if len(text) > SHORT or text.isascii():
        return PropertyValue(vt, text)
    return PackedText(vt, int.from_bytes(to_wchars(text) + b"\1", "little"))


def _nothing(vt: int, _: None) -> PropertyValue:
    return _EMPTY[vt]


_MAKERS: dict[int, Callable[[Any], PropertyValue]] = {
    **{vt: partial(PackedVector, vt) for vt in VECTORS},
    **{vt: partial(text_value, vt) for vt in TEXTS},
    **{vt: partial(_nothing, vt) for vt in NOTHING},
}


def from_wire(vt: int, value: Any) -> PropertyValue:
    """The value for what a reader of that type gave."""
    maker = _MAKERS.get(vt)
    return PropertyValue(vt, value) if maker is None else maker(value)


def _restored(vt: int, raw: bytes) -> PropertyValue:
    return PropertyValue.decode(vt, raw, limits=UNLIMITED)


# ------------------------------------------------------------------------------------------- reading


def read_values(
    identifiers: Iterable[int], data: bytes, pos: int, end: int
) -> tuple[tuple[PropertyValue, ...], int]:
    """The values of these identifiers, or `Reject`; the fast path."""
    found = []
    for identifier in identifiers:
        vt = type_of(identifier)
        if vt is None:
            raise Reject
        value, pos = READERS[vt](data, pos, end)
        found.append(from_wire(vt, value))
    return tuple(found), pos


def values_reader(limits: Limits) -> Callable[..., tuple[tuple[PropertyValue, ...], int]]:
    """`read_values` under limits."""
    if not can_be_exceeded(limits):
        return read_values

    def read(
        identifiers: Iterable[int], data: bytes, pos: int, end: int
    ) -> tuple[tuple[PropertyValue, ...], int]:
        found = []
        for identifier in identifiers:
            try:
                _hold_count(type_of(identifier) or 0, data, pos, end, limits, "", "")
                (value,), after = read_values((identifier,), data, pos, end)
                _hold_value(value, limits, structure="", path="", offset=pos)
            except DecodeError:
                raise Reject from None
            found.append(value)
            pos = after
        return tuple(found), pos

    return read


def can_be_exceeded(limits: Limits) -> bool:
    """Whether some value that fits into a packet exceeds them."""
    return limits.bound("elements", 1) is not None or limits.bound("string_length", 2) is not None


def _hold_count(vt: int, data: bytes, pos: int, end: int, limits: Limits, structure: str, path: str) -> None:
    """Hold what a vector says of its length against the limits, before anything is made of it.

    Raises:
        DecodeError: It exceeds its limit.
    """
    if vt & VECTOR and vt != BYTES and pos + 4 <= end:
        count = min(COUNT.unpack_from(data, pos)[0], end - pos - 4)  # more than are left do not fit anyway
        limits.hold("elements", count, structure=structure, path=path, offset=pos)


def _hold_value(value: Any, limits: Limits, *, structure: str, path: str, offset: int) -> None:
    """Check a value's texts and vectors against the limits; the other arguments are its place.

    Raises:
        DecodeError: One exceeds its limit.
    """
    if isinstance(value, PackedVector):
        limits.hold("elements", value.count, structure=structure, path=path, offset=offset)
        if value.vt == VARIANTS or value.vt & ~VECTOR in TEXTS:
            for element in value.elements():
                _hold_value(element, limits, structure=structure, path=path, offset=offset)
        return
    text = value.value if isinstance(value, PropertyValue) else value
    if isinstance(text, str):
        limits.hold("string_length", wchar_count(text), structure=structure, path=path, offset=offset)


def read_one(
    vt: int, data: bytes, pos: int, end: int, structure: str, path: str, limit: str, limits: Limits
) -> tuple[PropertyValue, int]:
    """One value of a known type; says what is wrong when it cannot be read.

    Raises:
        DecodeError: The bytes are too few or exceed a limit, or the type has no form.
    """
    _hold_count(vt, data, pos, end, limits, structure, path)
    reader = READERS.get(vt)
    problem: tuple[str, object, object, bool]
    if reader is None:
        problem = (
            f"has variant type {vt:#x}, which has no form",
            "a variant type of [MS-MQMQ] 2.2.12",
            vt,
            False,
        )
    else:
        try:
            value, after = reader(data, pos, end)
        except Reject:
            problem = shortage(vt, data, pos, end)
        else:
            found = from_wire(vt, value)
            if can_be_exceeded(limits):
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
        source_path=path if problem[3] else None,
        source_offset=pos if problem[3] else None,
    )


def whole_size(vt: int, data: bytes) -> int | None:
    """How many bytes a value takes by its type, or by the count that it begins with.

    None where only its end would say so: of texts, which end at their terminator, of vectors of what has no
    fixed size, and of a value whose count is not there.
    """
    if vt in FIXED:
        return FIXED[vt]
    each = 1 if vt in BLOBS else FIXED.get(vt & ~VECTOR)
    if each is None or len(data) < COUNT.size:
        return None
    (count,) = COUNT.unpack_from(data)
    return COUNT.size + int(count) * each


def as_far_as(vt: int, data: bytes) -> Any:
    """What there is of a value that the bytes end within: text, elements, or the bytes as they are."""
    if vt in TEXTS:
        return from_wchars(data[: len(data) // 2 * 2])
    if vt in VECTORS and vt != BYTES and len(data) > COUNT.size:
        found, pos = [], COUNT.size
        base = vt & ~VECTOR
        while pos < len(data):
            kind = base
            try:
                if vt == VARIANTS:
                    (kind,) = TYPE.unpack_from(data, pos)
                value, after = READERS[kind](data, pos + TYPE.size * (vt == VARIANTS), len(data))
            except (Reject, KeyError, struct.error):
                break
            if after == pos:  # without bytes there could be any number
                break
            found.append(from_wire(kind, value) if vt == VARIANTS else value)
            pos = after
        return tuple(found)
    return data[COUNT.size :] if vt in BLOBS or vt == BYTES else data


# ------------------------------------------------------------------------------------------- writing


def write_values(values: Iterable[PropertyValue]) -> bytes:
    """The values back to back, without padding.

    Raises:
        EncodeError: A value does not fit its type.
    """
    parts: list[bytes] = []
    for item in values:
        _add(item, parts.append, 0)
    return b"".join(parts)


def write_one(item: PropertyValue) -> bytes:
    """One value.

    Raises:
        EncodeError: The value does not fit its type.
    """
    return item.held if isinstance(item, PackedVector) else write_values((item,))


def _add(item: PropertyValue, add: Callable[[bytes], None], depth: int) -> None:
    """Add the bytes of a value that lies within so many vectors."""
    if isinstance(item, PackedVector) and (not depth or item.vt != VARIANTS):
        add(item.held)
    else:
        _write(item.vt, item.value, add, depth)


def _write(vt: int, value: Any, add: Callable[[bytes], None], depth: int) -> None:
    writer = WRITERS.get(vt)
    try:
        if writer is not None:
            add(writer(value))
        elif vt not in READERS:
            raise unfit(vt, value, f"has variant type {vt:#x}, which has no form here")
        elif vt == VARIANTS:
            if depth == MAX_DEPTH:
                raise unfit(vt, value, f"lies within {MAX_DEPTH} other vectors")
            add(COUNT.pack(len(value)))
            for item in value:
                add(TYPE.pack(item.vt))
                _add(item, add, depth + 1)
        else:
            if isinstance(value, str):
                raise no_value(vt, value)
            add(COUNT.pack(len(value)))
            for item in value:
                _write(vt & ~VECTOR, item, add, depth)
    except (struct.error, TypeError, AttributeError) as error:
        raise no_value(vt, value) from error
