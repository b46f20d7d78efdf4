"""Records: typed, immutable, slotted values, one class a structure.

1. The classes are in `documents`, generated from the definitions; what they share is here.
2. Calling a class builds: what is left out is computed or takes its default, what is given is kept, and what
   cannot be written is refused with an `EncodeError`.
3. Decoders do not call the class; `raw` makes the instance at once from all values.
4. A value that only an enclosing record can compute (`PacketSize`, presence flags) is marked as left out
   by its type until that record is built: `LeftOut` numbers and bytes, `Flags` with a mask of given groups.
"""

from __future__ import annotations

import struct
import sys
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import msgspec
from msgspec import StructMeta

from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import DecodeError, EncodeError, in_bytes
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.reject import Reject

from .flags import Flags
from .model import Structure  # documentation tools look the annotation up
from .plan import omitted, structure_of
from .registry import CLASSES, DECODERS, ENCODERS, SIZES
from .replacing import rebuild

__all__ = [
    "Flags",
    "Record",
    "decode_record",
    "encode",
    "encode_record",
    "hold_size",
    "left_over",
    "read",
    "record_class",
    "replace",
    "require",
    "size_of_record",
    "walker",
]

_SHOWN_BYTES = 32


def record_class(name: str) -> Any:
    """The record class of a structure, whose module is loaded."""
    return CLASSES[name]


# ----------------------------------------------------------------------------------------- the classes


if TYPE_CHECKING:
    from .slow_reader import Walker

    class RecordMeta(StructMeta):
        """Lets the call of a class build."""

else:

    class RecordMeta(StructMeta):
        """Lets the call of a class build."""

        __call__ = property(attrgetter("build"))  # each class has its own; a method would cost twice the call

        @property
        def raw(cls) -> Any:
            """What makes an instance of all values, unchecked."""
            return StructMeta.__call__.__get__(cls)

        @property
        def __signature__(cls) -> Any:
            """The fields with their types and defaults; `...` stands for what is worked out."""
            from inspect import Parameter, Signature  # noqa: PLC0415  # for help() and editors alone

            if cls is Record:
                return Signature()
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


class Record(msgspec.Struct, metaclass=RecordMeta, frozen=True, gc=False):
    """The base of every record: immutable, slotted, and without garbage collection, as no cycle holds one."""

    layout: ClassVar[Structure]
    flags: ClassVar[dict[str, type[Flags]]]
    build: ClassVar[Any]

    if TYPE_CHECKING:
        raw: ClassVar[Any]

    @classmethod
    def decode(
        cls,
        data: bytes | bytearray | memoryview,
        *,
        strict: bool = False,
        limits: Limits = DEFAULT_LIMITS,
    ) -> Self:
        """Read one instance; `data` holds it and nothing else.

        Args:
            data: The bytes.
            strict: Whether to refuse a record that breaks a MUST of the documents, as `validate` finds it.
            limits: How much to take at most.

        Raises:
            DecodeError: The bytes are too few, too many, exceed a limit or contradict themselves.
            ConformanceError: The record violates a requirement, and `strict` was asked for.
        """
        made: Self = decode_record(cls.layout, data, limits)
        if strict:
            require(made)
        return made

    def encode(self) -> bytes:
        """The bytes of this record, exactly as its fields say.

        Raises:
            EncodeError: A field holds what cannot be written.
        """
        try:
            return ENCODERS[self.__class__](self)
        except _UNWRITABLE as error:
            raise _cannot_be_written(self, error) from error

    @staticmethod
    def class_of(name: str) -> Any:
        """The record class of a structure."""
        return CLASSES[name]

    def __repr__(self) -> str:
        shown = []
        for field in self.layout.fields:
            value = getattr(self, field.name)
            if value is None or (
                field.is_filler and not any(value if isinstance(value, bytes) else (value,))
            ):
                continue
            if isinstance(value, bytes) and len(value) > _SHOWN_BYTES:
                shown.append(f"{field.name}=<{len(value)} bytes {value[:8].hex()}...>")
            else:
                shown.append(f"{field.name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def __reduce__(self) -> tuple[Any, ...]:
        values = tuple(getattr(self, field.name) for field in self.layout.fields)
        return _restore, (type(self), values)


_R = TypeVar("_R", bound=Record)


def _restore(cls: Any, values: tuple[Any, ...]) -> Any:
    return cls.raw(*values)


def replace(record: _R, **fields: Any) -> _R:
    """A new record with some fields changed and what depends on them computed anew.

    Fields that are named are kept as given.  Of those that are not named, lengths, counts, paddings and
    presence flags are computed anew and everything else stays.

    Raises:
        EncodeError: A field does not exist or holds what cannot be written.
    """
    made: _R = rebuild(record, fields)
    return made


# --------------------------------------------------------------------------------------------- the codec


def walker(
    data: bytes,
    limits: Limits = DEFAULT_LIMITS,
    *,
    lax: bool = False,
    shown: int = sys.maxsize,
    fields: int = sys.maxsize,
) -> Walker:
    """A slow reader of these bytes, which looks into so many elements of each array, up to so many fields."""
    from .slow_reader import Walker  # noqa: PLC0415  # what is in order does not need it

    return Walker(data, limits, lax=lax, shown=shown, fields=fields)


def read(
    structure: Structure, data: bytes, pos: int, end: int, limits: Limits = DEFAULT_LIMITS
) -> tuple[Any, int]:
    """Read a structure that starts at `pos` and may reach to `end`.

    Returns:
        The record and the offset after it.

    Raises:
        DecodeError: The bytes cannot be read, or exceed a limit other than the one of the whole input.
    """
    try:
        found = DECODERS[structure.name](data, pos, end, limits)
    except Reject:
        pass
    else:
        return found
    return walker(data, limits, shown=0).read(structure, pos, end)


def hold_size(structure: Structure, data: bytes, limits: Limits) -> None:
    """Refuse input that is larger than its limit; what a packet says about its size is what counts.

    Raises:
        DecodeError: It is.
    """
    size, path, offset = len(data), structure.name, 0
    if size <= limits.packet_size:
        return
    owner = structure.name
    if structure.extent and "." in structure.extent.path:
        part, _, field = structure.extent.path.partition(".")
        header = structure_of(structure, part)
        owner, path = header.name, f"{path}.{structure.extent.path}"
        offset = structure.offset_of(part) + header.offset_of(field)
        size = int.from_bytes(data[offset : offset + 4], "little")
    limits.hold("packet_size", size, structure=owner, path=path, offset=offset)


def decode_record(
    structure: Structure, data: bytes | bytearray | memoryview, limits: Limits = DEFAULT_LIMITS
) -> Any:
    """Read a structure that fills the whole of `data`.

    Raises:
        DecodeError: The bytes are too few, too many, exceed a limit or contradict themselves.
    """
    raw = data if type(data) is bytes else as_bytes(data)
    if len(raw) > limits.packet_size:
        hold_size(structure, raw, limits)
    if structure.scoped:
        raise DecodeError(
            "cannot be read alone, because its sizes stand in the structure around it",
            structure=structure.name,
            path=structure.name,
            offset=0,
        )
    record, pos = read(structure, raw, 0, len(raw), limits)
    if pos != len(raw):
        raise left_over(structure.name, pos, len(raw))
    return record


def left_over(name: str, pos: int, end: int) -> DecodeError:
    """The error for bytes after the end of a structure that should fill its buffer."""
    return DecodeError(
        f"{in_bytes(end - pos)} left over",
        structure=name,
        path=name,
        offset=pos,
        expected=0,
        actual=end - pos,
    )


def require(record: Any, channel: str | None = None) -> None:
    """Refuse a record that breaks a MUST of the documents.

    Raises:
        ConformanceError: It does.
    """
    import_module("msmq_wire.checks.validation").require(record, channel=channel)  # the rules are large


def encode(record: Record) -> bytes:
    """The bytes of a packet or of any other record, exactly as its fields say.

    Raises:
        EncodeError: A field holds what cannot be written.
    """
    try:
        return ENCODERS[record.__class__](record)
    except _UNWRITABLE as error:
        raise _cannot_be_written(record, error) from error


_UNWRITABLE = (struct.error, TypeError, AttributeError, KeyError, UnicodeError)


def _cannot_be_written(record: Any, error: Exception) -> EncodeError:
    name = type(record).__name__
    return EncodeError(f"cannot be written: {error}", structure=name, path=name, actual=record)


def size_of_record(record: Record) -> int:
    """How many bytes a record takes; it is not written for that.

    Raises:
        EncodeError: A field holds what cannot be written.
    """
    try:
        return SIZES[record.__class__](record)
    except _UNWRITABLE as error:
        raise _cannot_be_written(record, error) from error


encode_record = encode  # for modules that have an `encode` of their own
