"""Records: typed, immutable, slotted values, one class for each structure.

1. The classes are in `documents`, generated from the definitions; this module has their base class.
2. Calling a class builds a record: omitted fields are computed or have their default, given fields are kept,
   and a value that cannot be encoded raises `EncodeError`.
3. Decoders do not call the class; `raw` creates the instance directly from all values.
4. A value that only an enclosing record can compute (`PacketSize`, presence flags) is marked as omitted by
   its type until that record is built: `Omitted` numbers and bytes, `Flags` with a mask of given groups.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Mapping as MappingABC
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, ParamSpec, Protocol, Self, TypeVar, overload

import msgspec
from msgspec import StructMeta

from msmq_wire.values.buffers import as_bytes, brief, no_record
from msmq_wire.values.errors import DecodeError, EncodeError, WrongTypeError, deferred, kept, left_over, need
from msmq_wire.values.hooks import about_flag, import_layouts, require_conformance
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.refusals import Problem, say
from msmq_wire.values.reject import Reject

from .flags import Flags
from .registry import CLASSES, DECODERS, Later

__all__ = [
    "UNWRITABLE",
    "Flags",
    "Later",
    "Record",
    "cannot_be_written",
    "decode_record",
    "diagnostic_reader",
    "encode",
    "encode_record",
    "hold_size",
    "read",
    "record_class",
    "replace",
    "require",
    "size_of_record",
]


def record_class(name: str) -> Any:
    """The record class of a structure; its module has to be imported."""
    return CLASSES[name]


# ----------------------------------------------------------------------------------------- the classes


if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .diagnostic_reader import DiagnosticReader
    from .model import Structure

    class RecordMeta(StructMeta):
        """Makes a call of the class build a record."""

else:

    class RecordMeta(StructMeta):
        """Makes a call of the class build a record."""

        # Each class has its own `build`; a method would double the cost of a call.
        __call__ = property(attrgetter("build"))

        @property
        def raw(cls) -> Any:
            """Creates an instance from all values, without checks."""
            return StructMeta.__call__.__get__(cls)

        @property
        def __signature__(cls) -> Any:
            """The fields with their types and defaults; `...` marks computed fields."""
            from inspect import Parameter, Signature  # noqa: PLC0415  # decoding does not need it

            if cls is Record:
                return Signature()
            from .plan import omitted  # noqa: PLC0415  # as above

            layout, kind = cls.layout, Parameter.POSITIONAL_OR_KEYWORD
            return Signature(
                [
                    Parameter(
                        field.name,
                        kind,
                        default=omitted(layout, field),
                        annotation=cls.__annotations__[field.name],
                    )
                    for field in layout.fields
                ]
            )


class _Layout:
    """The layout of a record class, which is imported when it is first read."""

    def __get__(self, record: Any, cls: Any) -> Any:
        layouts = import_layouts()
        for kind in cls.__mro__[: -len(Record.__mro__)]:
            if kind.__name__ in layouts.__all__:
                kind.layout = getattr(layouts, kind.__name__)
                return kind.layout
        raise AttributeError(f"{cls.__name__} has no layout")


class Record(msgspec.Struct, metaclass=RecordMeta, frozen=True, gc=False):
    """The base class of all records: immutable, slotted, and not tracked by the garbage collector."""

    flags: ClassVar[dict[str, type[Flags]]]
    build: ClassVar[Any] = Later()

    if TYPE_CHECKING:
        layout: ClassVar[Structure]
        raw: ClassVar[Any]
        # The codec of the class, which raises errors of Python for values that cannot be written.
        _write: ClassVar[Callable[[Any], bytes]]
        _size: ClassVar[Callable[[Any], int]]
        _plain: ClassVar[Callable[[Any], dict[str, Any]]]
        _from_plain: ClassVar[Callable[[Any, str], Any]]
    else:
        layout = _Layout()
        _size, _plain, _from_plain = Later(), Later(), Later()

    @classmethod
    def decode(
        cls, data: bytes | bytearray | memoryview, *, strict: bool = False, limits: Limits = DEFAULT_LIMITS
    ) -> Self:
        """Decode one instance.

        Args:
            data: The bytes of exactly one instance.
            strict: Whether to raise `ConformanceError` for a record that violates a MUST of the documents, as
                `validate` reports it.
            limits: Bounds for the decoder.

        Raises:
            DecodeError: There are too few or too many bytes, or they exceed a limit or contradict each other.
            ConformanceError: The record violates a requirement, and `strict` is set.
        """
        record: Self = decode_record(cls.layout, data, limits)
        if strict:
            require(record)
        return record

    def encode(self) -> bytes:
        """Encode this record, with exactly the values of its fields.

        Raises:
            EncodeError: A value cannot be encoded.
        """
        try:
            return self._write()
        except UNWRITABLE as error:
            raise cannot_be_written(self, error) from error

    @staticmethod
    def class_of(name: str) -> Any:
        """The record class of a structure."""
        return CLASSES[name]

    def __replace__(self, changes: Mapping[str, Any] | None = None, /, **fields: Any) -> Self:
        """Copy this record with some fields changed, as `replace` does."""
        from .replacing import rebuild, without_root  # noqa: PLC0415  # decoding does not need it

        need("changes", changes, (MappingABC, type(None)), "a mapping of fields to values")
        record: Self = rebuild(self, {**without_root(self.layout, changes or {}), **fields})
        return record

    def __repr__(self) -> str:
        shown = []
        for field in self.layout.fields:
            value = getattr(self, field.name)
            if value is None or (
                field.is_filler and not any(value if isinstance(value, bytes) else (value,))
            ):
                continue
            shown.append(f"{field.name}={brief(value)}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def __reduce__(self) -> tuple[Any, ...]:
        values = tuple(getattr(self, field.name) for field in self.layout.fields)
        return _restore, (type(self), values)


def _restore(cls: Any, values: tuple[Any, ...]) -> Any:
    return cls.raw(*values)


_Fields = ParamSpec("_Fields")
_Replaced_co = TypeVar("_Replaced_co", covariant=True)


class _Replaceable(Protocol[_Fields, _Replaced_co]):
    """Arguments of `replace`: a record class has its own fields as parameters, so type checkers know them."""

    def __replace__(self, *args: _Fields.args, **fields: _Fields.kwargs) -> _Replaced_co: ...


@overload
def replace(
    record: _Replaceable[_Fields, _Replaced_co], /, *args: _Fields.args, **fields: _Fields.kwargs
) -> _Replaced_co: ...
@overload  # two, so that type checkers look at each class of a union by itself
def replace(record: None, /, *args: Any, **fields: Any) -> NoReturn: ...
def replace(record: Any, /, *args: Any, **fields: Any) -> Any:
    """Copy a record with some fields changed, and recompute the fields that depend on them.

    Named fields are kept as given.  Of all others, lengths, counts, paddings and presence flags are
    recomputed and the rest is unchanged.

    Args:
        record: The record.
        args: At most one mapping of fields to values.  Its keys may be paths: of a field in a part
            (``"BaseHeader.TimeToReachQueue"``), of a bit group (``"BaseHeader.Flags.PR"``), or of an element
            (``"DirectoryChanges[0].PathName"``); the name of the record may precede, as in the paths of
            errors, violations and mutants.  Fields that depend on a field at a path are recomputed,
            also in the parts around it, whereas a part that is given as a whole is kept as given.  A part
            that is absent is created.
        fields: Fields by name, likewise.

    Raises:
        EncodeError: A field does not exist, or a value cannot be encoded.
        TypeError: The argument is not a record, or `args` is not one mapping.
    """
    if not isinstance(record, Record) and not _is_of_calls(record):
        from .flags import Flags  # noqa: PLC0415  # only for this error

        wrong = no_record(record)
        raise WrongTypeError(f"{wrong}; call its method replace") if isinstance(record, Flags) else wrong
    return record.__replace__(*args, **fields)


def _is_of_calls(record: Any) -> bool:
    """Return whether a value is a structure of remote calls, whose classes are not here."""
    return not isinstance(record, type) and CLASSES.get(type(record).__name__) is type(record)


# --------------------------------------------------------------------------------------------- the codec


def diagnostic_reader(
    data: bytes,
    limits: Limits = DEFAULT_LIMITS,
    *,
    lax: bool = False,
    whole: bool = False,
    rejected: bool = False,
    shown: int = sys.maxsize,
    fields: int = sys.maxsize,
) -> DiagnosticReader:
    """Create a diagnostic reader; the arguments are those of its class."""
    from .diagnostic_reader import DiagnosticReader  # noqa: PLC0415  # only needed for errors

    return DiagnosticReader(data, limits, lax=lax, whole=whole, rejected=rejected, shown=shown, fields=fields)


def read(
    structure: Structure, data: bytes, pos: int, end: int, limits: Limits = DEFAULT_LIMITS
) -> tuple[Any, int]:
    """Decode a structure between `pos` and `end`.

    Returns:
        The record and the offset after it.

    Raises:
        DecodeError: The bytes cannot be decoded, or exceed a limit other than that of the whole input.
    """
    try:
        decoded = DECODERS[structure.name](data, pos, end, limits)
    except Reject:
        pass
    else:
        return decoded
    return diagnostic_reader(data, limits, whole=True, rejected=True).read(structure, pos, end)


def hold_size(structure: Structure, data: bytes, limits: Limits) -> None:
    """Check the size of the input against the limit; the size of a packet is its PacketSize.

    What follows the packet in a message packet of a remote read is checked by itself.

    Raises:
        DecodeError: The input is too large.
    """
    size, name = len(data), structure.name
    if size <= limits.packet_size:
        return
    packet, path, first = structure, name, structure.fields[0]
    if first.part is not None and _states_its_size(first.part):
        packet, path = first.part, f"{name}.{first.name}"
    if packet.extent is None or not _states_its_size(packet):
        limits.hold("packet_size", size, structure=name, path=name, offset=0)
        return
    part, _, field = packet.extent.path.partition(".")
    (header,) = packet.by_name[part].structures
    offset = packet.offset_of(part) + header.offset_of(field)
    stated = int.from_bytes(data[offset : offset + 4], "little")
    path = f"{path}.{packet.extent.path}"
    limits.hold("packet_size", stated, structure=header.name, path=path, offset=offset)
    if packet is not structure:
        limits.hold("packet_size", size - stated, structure=name, path=name, offset=stated)


def _states_its_size(structure: Structure) -> bool:
    return structure.extent is not None and "." in structure.extent.path


def decode_record(
    structure: Structure, data: bytes | bytearray | memoryview, limits: Limits = DEFAULT_LIMITS
) -> Any:
    """Decode a structure from all bytes of `data`.

    Raises:
        DecodeError: There are too few or too many bytes, or they exceed a limit or contradict each other.
    """
    raw = data if type(data) is bytes else as_bytes(data)
    try:
        if len(raw) > limits.packet_size:
            hold_size(structure, raw, limits)
    except AttributeError:
        need("limits", limits, Limits, "Limits")
        raise
    if structure.scoped:
        raise DecodeError(
            say(Problem.ALONE),
            structure=structure.name,
            path=structure.name,
            offset=0,
        )
    try:
        record, pos = DECODERS[structure.name](raw, 0, len(raw), limits)
    except Reject:
        pos = -1
    if pos != len(raw):
        raise deferred(partial(_rejected, structure, raw, limits), of_properties=True)
    return record


def _rejected(structure: Structure, data: bytes, limits: Limits) -> DecodeError:
    """Return the error about bytes that are not exactly one instance."""
    try:
        error = left_over(structure.name, read(structure, data, 0, len(data), limits)[1], len(data))
    except DecodeError as caught:
        error = kept(caught)
    named: DecodeError = about_flag(error, data, limits)
    return named


def require(record: Any) -> None:
    """Raise an error for a record that violates a MUST of the documents.

    Raises:
        ConformanceError: The record violates a requirement.
    """
    require_conformance(record)


def encode(record: Record) -> bytes:
    """Encode a packet or any other record, with exactly the values of its fields.

    Raises:
        EncodeError: A value cannot be encoded.
        TypeError: The argument is not a record.
    """
    try:
        return record._write()
    except UNWRITABLE as error:
        if _is_of_calls(record):
            return record.encode()
        if not isinstance(record, Record):
            raise no_record(record) from None
        raise cannot_be_written(record, error) from error


UNWRITABLE = (struct.error, TypeError, AttributeError, KeyError, UnicodeError)
"""What the functions of a record raise if a value cannot be encoded."""


def cannot_be_written(record: Any, error: Exception) -> EncodeError:
    """Return the error about a record with a value that cannot be encoded."""
    name = type(record).__name__
    return EncodeError(f"cannot be written: {error}", structure=name, path=name, actual=record)


def size_of_record(record: Record) -> int:
    """The size of an encoded record in bytes, computed without encoding it.

    Raises:
        EncodeError: A value cannot be encoded.
    """
    try:
        return record._size()
    except UNWRITABLE as error:
        raise cannot_be_written(record, error) from error


encode_record = encode  # for modules that have an `encode` of their own
