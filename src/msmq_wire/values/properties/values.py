"""Property values: the packed forms of [MS-MQCN] 2.2.3, and analogous forms of the other variant types.

1. On the wire, a value does not state its type; the property identifier determines it.
2. `PropertyValue.value` is the wire value: a VT_BOOL is its 16-bit pattern, so that every pattern
   round-trips.  `natural` is the Python value: a VT_BOOL is a `bool`.  `directory_properties` interprets
   values by their property, for example as a time or a list of addresses.
3. A vector is a count of four bytes and its elements, without padding.  The count is checked against the
   remaining bytes before elements are read.  A vector of VT_UI1 is `bytes`, all others are tuples.
4. The document defines fifteen forms.  The others are analogous, because no document defines them: VT_EMPTY
   and VT_NULL have no bytes; an element of a VT_VARIANT vector is its type in two bytes, then its value.
5. Decoded values take memory in proportion to their bytes: a vector stays packed, and `value` creates the
   tuple on each access.
"""

from __future__ import annotations

import struct
from codecs import utf_16_le_encode
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import (
    DecodeError,
    EncodeError,
    WrongTypeError,
    left_over,
    need,
    wrong_type,
    wrong_value,
)
from msmq_wire.values.limits import DEFAULT_LIMITS, UNLIMITED, Limits
from msmq_wire.values.refusals import VARIANT_TYPE
from msmq_wire.values.reject import Reject
from msmq_wire.values.wchar import from_wchars, to_wchars, wchar_count

from .forms import (
    COUNT,
    FIXED,
    MAX_DEPTH,
    NUMBER_WRITERS,
    READERS,
    TYPE,
    WRITERS,
    elements,
    no_value,
    read_unknown,
    rejection,
    unfit,
)
from .natural import from_natural, to_natural
from .types import (
    BLOBS,
    BYTES,
    CLSID,
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
    from collections.abc import Callable, Collection, Iterable, Iterator

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
        vt: The variant type, a `VARTYPE`, possibly combined with VT_VECTOR.
        value: The wire value: `int` (VT_BOOL as its 16-bit pattern), `str` without terminator, `bytes` for
            VT_BLOB and VT_UI1 | VT_VECTOR, `GUID`, None for VT_EMPTY and VT_NULL, a tuple of these for
            another vector, a tuple of `PropertyValue` for VT_VARIANT | VT_VECTOR.  The tuple of a decoded
            vector is created on each access.
    """

    vt: int
    value: Any

    @classmethod
    def of(cls, vt: int, value: Any) -> PropertyValue:
        """Create a value from a Python value, and check that it can be encoded.

        Args:
            vt: The variant type.
            value: A value as in `value` or `natural`.  Also an aware `datetime` for a number, a record,
                several records or a SEQUENCE_NUMBER for VT_BLOB, text or bytes for VT_CLSID, and any sequence
                for a vector.  For VT_VARIANT | VT_VECTOR only as in `value`, because `natural` has no types.

        Raises:
            EncodeError: The value does not fit its type.
            TypeError: `vt` is not a number.
        """
        try:
            number = index(vt)
        except TypeError:
            raise WrongTypeError(wrong_type("the number of a variant type", vt)) from None
        if number not in WRITERS and number not in READERS:
            raise _no_type(number)
        try:
            property_value = PropertyValue(number, from_natural(number, value))
        except (TypeError, ValueError) as error:
            raise no_value(number, value) from error
        if number == VARIANTS and not all(isinstance(item, PropertyValue) for item in property_value.value):
            raise unfit(number, value, "has an element that is not a PropertyValue, so its type is unknown")
        property_value.encode()
        return property_value

    @classmethod
    def decode(
        cls, vt: int, data: bytes | bytearray | memoryview, *, limits: Limits = DEFAULT_LIMITS
    ) -> PropertyValue:
        """Decode a value from all bytes of `data`.

        Raises:
            DecodeError: There are too few or too many bytes, a limit is exceeded, or the type has no wire
                form.
        """
        raw = as_bytes(data)
        need("vt", vt, int, "the number of a variant type")
        need("limits", limits, Limits, "Limits")
        limits.hold("packet_size", len(raw), structure="PropertyValue", path="PropertyValue", offset=0)
        value, pos = read_one(int(vt), raw, 0, len(raw), "PropertyValue", "PropertyValue", "buffer", limits)
        if pos != len(raw):
            raise left_over("PropertyValue", pos, len(raw))
        return value

    def encode(self) -> bytes:
        """Encode the value, without its type.

        Raises:
            EncodeError: The value does not fit its type.
        """
        return write_values((self,))

    @property
    def natural(self) -> Any:
        """The value as a Python type: `bool`, `int`, `str`, `uuid.UUID`, `bytes`, `tuple` or None.

        Elements of VT_VARIANT | VT_VECTOR have no types here; use `value` to pass them to `of`.
        """
        return to_natural(self.vt, self.value)


# ---------------------------------------------------------------------------------------- packed values


class _Packed(PropertyValue, frozen=True, gc=False):
    """A decoded value in a compact form; it behaves like any other PropertyValue.

    Attributes:
        compact: The compact form of the value.
    """

    compact: ClassVar[Any] = PropertyValue.value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PropertyValue):
            return NotImplemented
        if type(other) is type(self) and self.compact == other.compact:
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

    @property  # type: ignore[misc]  # mypy does not allow a property that overrides an attribute
    def value(self) -> Any:
        """The elements."""
        return tuple(self.elements())

    @property
    def count(self) -> int:
        """The number of elements."""
        count: int = COUNT.unpack_from(self.compact)[0]
        return count

    def elements(self) -> Iterator[Any]:
        """Iterate over the elements."""
        items = elements(self.vt, self.compact)
        return (from_wire(kind, value) for kind, value in items) if self.vt == VARIANTS else items


class PackedText(_Packed, frozen=True, gc=False):
    """A text of one to three characters, stored as an integer: a non-ASCII `str` takes at least 73 bytes."""

    @property  # type: ignore[misc]  # as above
    def value(self) -> Any:
        """The text."""
        return from_wchars(self.compact.to_bytes(_MARKED, "little").rstrip(b"\0")[:-1])


SHORT = 3
_MARKED = 4 * SHORT + 1
"""The maximum length of a packed text; a non-zero byte marks the end of its bytes."""
_EMPTY = {vt: PropertyValue(vt, None) for vt in NOTHING}


def text_value(vt: int, text: str) -> PropertyValue:
    """Create the value of a decoded text; short non-ASCII texts are packed."""
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
    """Create the value from the result of a reader of that type."""
    maker = _MAKERS.get(vt)
    return PropertyValue(vt, value) if maker is None else maker(value)


def _restored(vt: int, raw: bytes) -> PropertyValue:
    return PropertyValue.decode(vt, raw, limits=UNLIMITED)


# ------------------------------------------------------------------------------------------- reading


def read_values(
    identifiers: Iterable[int], data: bytes, pos: int, end: int
) -> tuple[tuple[PropertyValue, ...], int]:
    """Decode the values of these identifiers, or raise `Reject`; the fast path."""
    values = []
    for identifier in identifiers:
        vt = type_of(identifier)
        if vt is None:
            raise Reject
        value, pos = READERS[vt](data, pos, end)
        values.append(from_wire(vt, value))
    return tuple(values), pos


def read_limited(
    limits: Limits, identifiers: Iterable[int], data: bytes, pos: int, end: int
) -> tuple[tuple[PropertyValue, ...], int]:
    """Decode values as `read_values` does, and check the limits."""
    values = []
    for identifier in identifiers:
        try:
            _hold_count(type_of(identifier) or 0, data, pos, end, limits, "", "")
            (value,), after = read_values((identifier,), data, pos, end)
            _hold_value(value, limits, structure="", path="", offset=pos)
        except DecodeError:
            raise Reject from None
        values.append(value)
        pos = after
    return tuple(values), pos


def can_be_exceeded(limits: Limits) -> bool:
    """Whether a value that fits into a packet can exceed the limits."""
    return limits.bound("elements", 1) is not None or limits.bound("string_length", 2) is not None


def _hold_count(vt: int, data: bytes, pos: int, end: int, limits: Limits, structure: str, path: str) -> None:
    """Check the count of a vector against the limits before its elements are read.

    Raises:
        DecodeError: The count exceeds its limit.
    """
    if vt & VECTOR and vt != BYTES and pos + 4 <= end:
        count = min(COUNT.unpack_from(data, pos)[0], end - pos - 4)  # larger counts do not fit anyway
        limits.hold("elements", count, structure=structure, path=path, offset=pos)


def _hold_value(value: Any, limits: Limits, *, structure: str, path: str, offset: int) -> None:
    """Check the texts and vectors of a value against the limits; the other arguments locate the value.

    Raises:
        DecodeError: One of them exceeds its limit.
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
    """Decode one value of a known type, with precise errors.

    Raises:
        DecodeError: There are too few bytes, a limit is exceeded, or the type has no form.
    """
    _hold_count(vt, data, pos, end, limits, structure, path)
    try:
        value, after = READERS.get(vt, read_unknown)(data, pos, end)
    except Reject:
        rejected = rejection(vt, data, pos, end)
    else:
        converted = from_wire(vt, value)
        if can_be_exceeded(limits):
            _hold_value(converted, limits, structure=structure, path=path, offset=pos)
        return converted, after
    path += rejected.indices
    raise DecodeError(
        rejected.problem,
        structure=structure,
        path=path,
        offset=rejected.offset,
        expected=rejected.expected,
        actual=rejected.actual,
        limit=limit,
        source_path=path if rejected.is_counted else None,
        source_offset=rejected.offset if rejected.is_counted else None,
    )


def whole_size(vt: int, data: bytes) -> int | None:
    """The size of a value in bytes, from its type or from the count at its beginning.

    None if the size depends on the contents: for texts, which end at their terminator, for vectors of
    elements of variable size, and for a value whose count is missing.
    """
    if vt in FIXED:
        return FIXED[vt]
    each = 1 if vt in BLOBS else FIXED.get(vt & ~VECTOR)
    if each is None or len(data) < COUNT.size:
        return None
    (count,) = COUNT.unpack_from(data)
    return COUNT.size + int(count) * each


def as_far_as(vt: int, data: bytes) -> Any:
    """The available part of a truncated value: text, elements, or bytes."""
    if vt in TEXTS:
        return from_wchars(data[: len(data) // 2 * 2])
    if vt in VECTORS and vt != BYTES and len(data) > COUNT.size:
        values, pos = [], COUNT.size
        base = vt & ~VECTOR
        while pos < len(data):
            kind = base
            try:
                if vt == VARIANTS:
                    (kind,) = TYPE.unpack_from(data, pos)
                value, after = READERS[kind](data, pos + TYPE.size * (vt == VARIANTS), len(data))
            except (Reject, KeyError, struct.error):
                break
            values.append(from_wire(kind, value) if vt == VARIANTS else value)
            pos = after
        return tuple(values)
    return data[COUNT.size :] if vt in BLOBS or vt == BYTES else data


# ------------------------------------------------------------------------------------------- writing


_TEXT, _BLOB = int(VARTYPE.VT_LPWSTR), int(VARTYPE.VT_BLOB)
_pack_count = COUNT.pack
_FULL, _MANY = 16384, 8192
"""Size of a list of parts at which its last ones are joined: small ones take much more memory than bytes."""


def write_values(values: Collection[PropertyValue]) -> bytes:
    """Encode values back to back, without padding.

    Raises:
        EncodeError: A value does not fit its type.
    """
    parts: list[bytes] = []
    for item in values:
        _add(item, parts.append, 0)
    return b"".join(parts)


def size_of_values(values: Collection[PropertyValue]) -> int:
    """Return the size of `write_values` without writing the values of the common types.

    Raises:
        EncodeError: A value does not fit its type.
    """
    size = 0
    try:
        for item in values:
            vt = item.vt
            if vt in FIXED:
                size += FIXED[vt]
            elif vt == _TEXT:
                size += 2 * wchar_count(item.value) + 2
            elif vt == _BLOB:
                size += 4 + len(item.value)
            else:
                size += len(write_values((item,)))
    except (TypeError, AttributeError):
        return len(write_values(values))
    return size


def add_values(values: Collection[PropertyValue], parts: list[bytes]) -> None:
    """Add the bytes of the values of a record to a list, in which earlier parts may then be joined.

    Every value is valid, because a record checks its values when it is built.  Values of the common types are
    written here, because a call costs more than the writing.

    Raises:
        EncodeError: A value does not fit its type.
    """
    start = len(parts)
    try:
        for item in values:
            vt = item.vt
            if vt == _TEXT:
                parts.append(utf_16_le_encode(item.value, "surrogatepass")[0])
                parts.append(b"\0\0")
            elif vt == CLSID:
                parts.append(item.value.bytes_le)
            elif vt in NUMBER_WRITERS:
                parts.append(NUMBER_WRITERS[vt](item.value))
            elif vt == _BLOB:
                blob = item.value
                parts.append(_pack_count(len(blob)))
                parts.append(blob)
            else:
                _add(item, parts.append, 0)
    except (struct.error, TypeError, AttributeError):
        del parts[start:]
        for item in values:
            _add(item, parts.append, 0)
    if len(parts) > _FULL:
        parts[-_MANY:] = [b"".join(parts[-_MANY:])]


def _add(item: PropertyValue, add: Callable[[bytes], None], depth: int) -> None:
    """Add the bytes of a value at a nesting depth."""
    if isinstance(item, PackedVector) and (not depth or item.vt != VARIANTS):
        add(item.compact)
    else:
        _write(item.vt, item.value, add, depth)


def _no_type(vt: int) -> EncodeError:
    """The error for a number that is not a variant type, or is one of elements only."""
    hint = f"; as a vector it is {vt | VECTOR:#x}" if vt | VECTOR in READERS else ""
    return EncodeError(
        f"{wrong_value(VARIANT_TYPE, vt)}{hint}",
        structure="PropertyValue",
        path="PropertyValue.vt",
        expected=VARIANT_TYPE,
        actual=vt,
    )


def _write(vt: int, value: Any, add: Callable[[bytes], None], depth: int) -> None:
    writer = WRITERS.get(vt)
    try:
        if writer is not None:
            add(writer(value))
        elif vt not in READERS:
            raise _no_type(vt)
        elif vt == VARIANTS:
            if depth == MAX_DEPTH:
                raise unfit(vt, value, f"is nested within {MAX_DEPTH} other vectors")
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
