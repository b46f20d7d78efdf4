"""Structures of RPC calls: immutable records that are encoded in NDR.

1. Omitted fields are computed: a count from its array, a number that has one from its `default`; all others
   are zero, empty or a null pointer.  Given fields are kept.  A value that cannot be encoded is rejected when
   the record is created.
2. ``decode(encode(record)) == record``.  Octets without meaning, which are gaps and the values of pointers,
   are always encoded in the same way: zeros, and 0x20000, 0x20004 and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import msgspec
from msgspec.structs import force_setattr

from msmq_wire.records.registry import CLASSES
from msmq_wire.records.replacing import without_root
from msmq_wire.values.buffers import as_bytes, brief
from msmq_wire.values.errors import (
    WITHOUT_NULL,
    EncodeError,
    MsmqWireError,
    WrongTypeError,
    left_over,
    need,
    null_character,
    plural,
    shortened,
    wrong_type,
    wrong_value,
)
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.plain import know
from msmq_wire.values.wchar import from_wchars, to_wchars

from .model import Array, Embedded, Guid, Packed, Pointer, Scalar, String, Structure, Type, Union
from .transfer import Reader, Writer

_SECTION = "SectionBuffer"
LEFT_OUT: Any = None
"""The value of an omitted field."""
_R = TypeVar("_R", bound="NdrRecord")


class _NdrRecordMeta(msgspec.StructMeta):
    if not TYPE_CHECKING:  # each class declares its own arguments

        def __call__(cls, *given: Any, **named: Any) -> Any:
            if not hasattr(cls, "layout"):
                raise WrongTypeError(
                    f"{cls.__name__} is a base class: use one of its classes, such as QUEUE_FORMAT"
                )
            layout = cls.layout
            names = [field.name for field in layout.fields]
            know(layout.name, layout.name, named, names, cls._owner_of)
            if len(given) > len(names):
                most = f"at most {len(names)} {plural(len(names), 'field')}"
                raise EncodeError(
                    wrong_value(most, len(given)),
                    structure=layout.name,
                    path=layout.name,
                    expected=most,
                    actual=len(given),
                )
            return super().__call__(*given, **named)

        def _owner_of(cls, name: str) -> str:
            """Return the end of the error for the name of a form: the field that has its value."""
            unions = [field for field in cls.layout.fields if isinstance(field.type, Union)]
            for field in unions:
                if name in {arm.name for arm in field.type.arms.values() if arm is not None}:
                    return f"; {name} is a form of {field.name}"
            return ""


class NdrRecord(msgspec.Struct, metaclass=_NdrRecordMeta, frozen=True):
    """The base class of all structures of remote calls.

    Raises:
        EncodeError: A value cannot be encoded.
    """

    layout: ClassVar[Structure]

    def __init_subclass__(cls) -> None:
        if "layout" in vars(cls):
            CLASSES[cls.layout.name] = cls

    def __post_init__(self) -> None:
        layout = self.layout
        for field in layout.fields:
            given = getattr(self, field.name)
            path = f"{layout.name}.{field.name}"
            if isinstance(field.type, Union):
                value = _form(field.type, getattr(self, field.type.selector), given, layout, field.name)
            elif given is None and (field.default or field.name in layout.counts):
                continue
            else:
                value = _accepted(field.type, given, layout.name, path)
            if value is not given:
                force_setattr(self, field.name, value)
        for count, array in layout.counts.items():
            if getattr(self, count) is None:
                elements = getattr(self, array)
                force_setattr(self, count, 0 if elements is None else len(elements))
        for field in layout.fields:
            if field.default and getattr(self, field.name) is None:
                force_setattr(self, field.name, getattr(self, field.default))

    @classmethod
    def decode(
        cls, data: bytes | bytearray | memoryview, *, ms_union: bool = False, limits: Limits = DEFAULT_LIMITS
    ) -> Self:
        """Decode one instance and its pointer targets.

        Args:
            data: The NDR of exactly one instance, little-endian.
            ms_union: Whether all arms of a union are aligned like the largest one ([MS-RPCE] 2.2.4.5).
            limits: Bounds for the decoder.

        Raises:
            DecodeError: There are too few or too many bytes, or they exceed a limit or contradict each other.
        """
        raw = as_bytes(data)
        record, end = decode(cls, raw, ms_union=ms_union, limits=limits)
        if end != len(raw):
            raise left_over(cls.layout.name, end, len(raw))
        return record

    def encode(self, *, ms_union: bool = False) -> bytes:
        """Encode this record and its pointer targets as NDR, little-endian, at the beginning of a stream.

        Args:
            ms_union: Whether all arms of a union are aligned like the largest one ([MS-RPCE] 2.2.4.5).
        """
        return encode(self, ms_union=ms_union)

    def __replace__(self, changes: Mapping[str, Any] | None = None, /, **fields: Any) -> Self:
        """Copy this record with some fields changed, as `replace` does; counts that are not named follow."""
        need("changes", changes, (Mapping, type(None)), "a mapping of fields to values")
        named = {**without_root(self.layout, changes or {}), **fields}
        given = {field.name: getattr(self, field.name) for field in self.layout.fields}
        for count, array in self.layout.counts.items():
            if array in named:
                del given[count]
        return type(self)(**(given | named))

    def __repr__(self) -> str:
        values = ((field.name, getattr(self, field.name)) for field in self.layout.fields)
        shown = [f"{name}={brief(value)}" for name, value in values if value is not None]
        return f"{type(self).__name__}({', '.join(shown)})"


# ---------------------------------------------------------------------------------------------- streams


def decode(
    kind: type[_R],
    data: bytes | bytearray | memoryview,
    *,
    offset: int = 0,
    ms_union: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[_R, int]:
    """Decode one record from a stream, such as the stub data of a call.

    Args:
        kind: The record class.
        data: The whole stream, because alignment is relative to its beginning.
        offset: Offset of the record, or of the gap before it.
        ms_union: Whether all arms of a union are aligned like the largest one ([MS-RPCE] 2.2.4.5).
        limits: Bounds for the decoder.

    Returns:
        The record, and the offset after its pointer targets.

    Raises:
        DecodeError: There are too few bytes, or they exceed a limit or contradict each other.
        ValueError: The offset is negative.
    """
    reader = _reader(kind, data, offset, limits, ms_union=ms_union)
    return reader.read(kind.layout.name), reader.pos


def decode_array(
    kind: type[_R],
    data: bytes | bytearray | memoryview,
    *,
    offset: int = 0,
    ms_union: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[tuple[_R, ...], int]:
    """Decode a conformant array of records from a stream, such as ``PROPVARIANT apVar[]``.

    The arguments are those of `decode`.

    Returns:
        The records, and the offset after their pointer targets.

    Raises:
        DecodeError: There are too few bytes, or they exceed a limit or contradict each other.
        ValueError: The offset is negative.
    """
    reader = _reader(kind, data, offset, limits, ms_union=ms_union)
    return reader.read_array(kind.layout.name), reader.pos


def _reader(kind: type[Any], data: Any, offset: int, limits: Limits, *, ms_union: bool) -> Reader:
    if not isinstance(kind, type) or not issubclass(kind, NdrRecord) or kind is NdrRecord:
        name = repr(kind) if isinstance(kind, (str, type)) else type(kind).__name__
        raise WrongTypeError(f"expected a class of records, such as QUEUE_FORMAT, got {name}")
    return reader_at(as_bytes(data), offset, limits, kind.layout.name, ms_union=ms_union)


def reader_at(raw: bytes, offset: int, limits: Limits, name: str, *, ms_union: bool = False) -> Reader:
    """Return a reader of a structure at an offset.

    Raises:
        DecodeError: There are more bytes than a limit allows.
        MsmqWireError: The offset is negative.
    """
    need_offset(offset)
    need("limits", limits, Limits, "Limits")
    hold_stream(len(raw) - offset, limits, name, offset)
    return Reader(raw, offset, limits, ms_union=ms_union)


def hold_stream(size: int, limits: Limits, name: str, offset: int = 0) -> None:
    """Check the size of a stream with a structure at an offset against the limit of packets.

    That of sections may be larger: it has more than a packet, which is checked when it is decoded.

    Raises:
        DecodeError: It is too large.
    """
    if name != _SECTION:
        limits.hold("packet_size", size, structure=name, path=name, offset=offset)


def need_offset(offset: int) -> None:
    """Raise an error for an offset that is negative or not a number."""
    need("offset", offset, int, "a number")
    if offset < 0:
        raise MsmqWireError(f"offset is {offset}, not 0 or more")


def encode(record: NdrRecord, *, offset: int = 0, ms_union: bool = False) -> bytes:
    """Encode a record and its pointer targets at an offset of a stream, including the gap before it."""
    need_offset(offset)
    writer = Writer(offset, ms_union=ms_union)
    writer.write(_record(record))
    return bytes(writer.data)


def encode_array(records: Iterable[NdrRecord], *, offset: int = 0, ms_union: bool = False) -> bytes:
    """Encode a conformant array of records at an offset of a stream."""
    need_offset(offset)
    need("records", records, Iterable, "records")
    writer = Writer(offset, ms_union=ms_union)
    writer.write_array(tuple(map(_record, records)))
    return bytes(writer.data)


def _record(given: Any) -> NdrRecord:
    if not isinstance(given, NdrRecord):
        raise WrongTypeError(wrong_type("a record", given))
    return given


# ----------------------------------------------------------------------------------- accepted values


def _refused(problem: str, structure: str, path: str, expected: object, value: Any) -> EncodeError:
    return EncodeError(problem, structure=structure, path=path, expected=expected, actual=value)


def _form(kind: Union, selected: int, value: Any, layout: Structure, name: str) -> Any:
    if selected not in kind.arms:
        forms = ", ".join(f"{item:#x}" for item in sorted(kind.arms))
        problem = wrong_value(f"one of {forms}", selected)
        raise _refused(problem, layout.name, f"{layout.name}.{kind.selector}", f"one of {forms}", selected)
    arm = kind.arms[selected]
    if arm is not None:
        return _accepted(arm.type, value, layout.name, f"{layout.name}.{name}.{arm.name}")
    if value is not None:
        problem = f"{shortened(value)} is given, but {kind.selector} {selected:#x} has no value"
        raise _refused(problem, layout.name, f"{layout.name}.{name}", None, value)
    return None


def _accepted(kind: Type, value: Any, structure: str, path: str) -> Any:
    """Return a value in the form that the record stores; None means omitted."""
    match kind:
        case Scalar():
            return _number(kind, value, structure, path)
        case Guid():
            return _guid(value, structure, path)
        case Packed() | Embedded():
            return _part(kind.name, value, structure, path)
        case Pointer(to=to):
            if value is None:
                return None
            match to:
                case String():
                    return _text(value, structure, path)
                case Guid():
                    return _guid(value, structure, path)
                case Array():
                    return _elements(to.element, value, structure, path)
    raise AssertionError(kind)


def _number(kind: Scalar, value: Any, structure: str, path: str) -> int:
    if value is None:
        return 0
    low, high = kind.bounds
    if not isinstance(value, int) or not low <= value <= high:
        problem = wrong_value(f"{low} to {high}", value)
        raise _refused(problem, structure, path, f"{low} to {high:#x}", value)
    return int(value)


def _guid(value: Any, structure: str, path: str) -> GUID:
    if value is None:
        return NULL_GUID
    try:
        return GUID.of(value)
    except EncodeError as error:
        raise _refused(error.problem, structure, path, error.expected, value) from None


def _part(name: str, value: Any, structure: str, path: str) -> Any:
    cls = CLASSES[name]
    if value is None:
        return cls()
    if type(value) is not cls:
        raise _refused(wrong_type(name, value), structure, path, name, value)
    return value


def _text(value: Any, structure: str, path: str) -> str:
    if not isinstance(value, str):
        raise _refused(wrong_type("text", value), structure, path, "str", value)
    if "\0" in value:
        raise _refused(null_character(value), structure, path, WITHOUT_NULL, value)
    return str(value) if value.isascii() else from_wchars(to_wchars(value))


def _elements(kind: Type, value: Any, structure: str, path: str) -> Any:
    if isinstance(kind, Scalar) and kind.size == 1:
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise _refused(wrong_type("bytes", value), structure, path, "bytes", value)
        return as_bytes(value)
    if isinstance(value, (str, bytes, bytearray)):
        raise _refused(wrong_type("a sequence", value), structure, path, "elements", value)
    try:
        elements = tuple(value)
    except TypeError:
        raise _refused(wrong_type("a sequence", value), structure, path, "elements", value) from None
    if isinstance(kind, Scalar):
        low, high = kind.bounds
        if all(type(item) is int and low <= item <= high for item in elements):
            return elements
    items = []
    for index, item in enumerate(elements):
        inner = f"{path}[{index}]"
        if item is None and not isinstance(kind, Pointer):
            raise _refused(wrong_type("an element", item), structure, inner, "an element", item)
        items.append(_accepted(kind, item, structure, inner))
    return tuple(items)
