"""Records: typed, immutable, slotted values, one class a structure.

1. A record class is declared by its name; its fields come from the layout of that name.
2. Calling the class builds: what is left out is computed or takes its default, what is given is kept, and
   what cannot be written is refused with an `EncodeError`.
3. Decoders do not call the class; `raw` makes the instance at once from a tuple of all values.
4. A value that only an enclosing record can compute (`PacketSize`, presence flags) is marked as left out
   by its type until that record is built: `LeftOut` numbers and bytes, `Flags` with a mask of given groups.
"""

from __future__ import annotations

import struct
import sys
from functools import lru_cache
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import msgspec
from msgspec import StructMeta

from msmq_wire.compiler.generate import Compiler, Functions, Reject
from msmq_wire.documents.readings import READINGS
from msmq_wire.packets.marks import PACKET_SIZE_AT
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import DecodeError, EncodeError, in_bytes
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits

from . import model as layout
from .flags import Flags, make_flags
from .replacing import rebuild
from .slow_reader import Walker

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "COMPILER",
    "Flags",
    "Functions",
    "Record",
    "compiler_of",
    "decode_record",
    "decoders_of",
    "encode",
    "encode_record",
    "hold_size",
    "left_over",
    "read",
    "record_class",
    "replace",
    "walker",
]

_SHOWN_BYTES = 32


_HOMES = {
    "MS-MQMQ": "mqmq",
    "MS-MQRR": "mqrr",
    "MS-MQQB": "mqqb",
    "MC-MQDSRP": "mqdsrp",
    "MS-MQCN": "mqcn",
}
"""The module with the record classes of each document."""


class _Classes(dict[str, Any]):
    """Record classes by structure; a document's module is imported when one of its classes is needed."""

    __slots__ = ()

    def __missing__(self, name: str) -> Any:
        import_module(f"..documents.{_HOMES[layout.structures()[name].document]}", __package__)
        return dict.__getitem__(self, name)


_CLASSES = _Classes()


def record_class(name: str) -> Any:
    """The record class of a structure."""
    return _CLASSES[name]


# ----------------------------------------------------------------------------------------- the classes


def _first_build(cls: Any) -> Callable[..., Any]:
    """What compiles the builder of a class when it is called for the first time."""

    def build(*args: Any, **given: Any) -> Any:
        cls.build = COMPILER.builder(cls.__name__)
        return cls.build(*args, **given)

    return build


class RecordMeta(StructMeta):
    """Makes a record class from the layout that bears its name."""

    def __new__(
        mcs, name: str, bases: tuple[type[Any], ...], namespace: dict[str, Any], **options: Any
    ) -> Any:
        known = layout.structures().get(name)
        if known is None:
            return super().__new__(mcs, name, bases, namespace, **options)
        module = namespace["__module__"]
        annotations: dict[str, Any] = {}
        flags: dict[str, type[Flags]] = {}
        for field in known.fields:
            annotations[field.name] = Any
            if isinstance(field.kind, layout.Flags):
                flags[field.name] = make_flags(name, field, module)
        described = [f"    {field.name}: {field.doc}." for field in known.fields]
        text = (namespace.get("__doc__") or f"{name} of {known.section}.").rstrip()
        namespace = namespace | {
            "__annotations__": annotations,
            **{key: property(function) for key, function in READINGS.get(name, {}).items()},
            "__doc__": "\n".join([text, "", "Attributes:", *described, ""]),
        }
        made: Any = super().__new__(mcs, name, bases, namespace, frozen=True, gc=False, **options)
        made.layout = known
        made.flags = flags
        made.raw = StructMeta.__call__.__get__(made)
        made.build = _first_build(made)
        _CLASSES[name] = made
        return made

    __call__ = property(attrgetter("build"))  # compiled for each class; a method would cost twice the call


if TYPE_CHECKING:

    class _Struct:
        """What the stubs build upon: their classes state their own fields and constructors."""

else:

    class _Struct(msgspec.Struct, metaclass=RecordMeta, frozen=True, gc=False):
        """Immutable, slotted, without garbage collection: no record can be part of a cycle."""


class Record(_Struct):
    """The base of every record."""

    layout: ClassVar[layout.Structure]
    flags: ClassVar[dict[str, type[Flags]]]
    raw: ClassVar[Any]
    build: ClassVar[Any]

    @classmethod
    def decode(cls, data: bytes | bytearray | memoryview, *, limits: Limits = DEFAULT_LIMITS) -> Self:
        """Read one instance; `data` holds it and nothing else.

        Raises:
            DecodeError: The bytes are too few, too many, exceed a limit or contradict themselves.
        """
        made: Self = decode_record(cls.layout, data, limits)
        return made

    def encode(self) -> bytes:
        """The bytes of this record, exactly as its fields say.

        Raises:
            EncodeError: A field holds what cannot be written.
        """
        try:
            return _ENCODERS[self.__class__](self)
        except _UNWRITABLE as error:
            raise _cannot_be_written(self, error) from error

    @staticmethod
    def class_of(name: str) -> Any:
        """The record class of a structure."""
        return _CLASSES[name]

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
        return _restore, (self.layout.document, type(self).__name__, values)


_R = TypeVar("_R", bound=Record)


def _restore(document: str, name: str, values: tuple[Any, ...]) -> Any:
    import_module(f"..documents.{_HOMES[document]}", __package__)
    return _CLASSES[name].raw(*values)


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

COMPILER = Compiler(layout.structures(), _CLASSES, DEFAULT_LIMITS)
"""The compiled encoders of all structures, and their decoders under the default limits."""


def walker(
    data: bytes,
    limits: Limits = DEFAULT_LIMITS,
    *,
    lax: bool = False,
    shown: int = sys.maxsize,
    fields: int = sys.maxsize,
) -> Walker:
    """A slow reader of these bytes, which looks into so many elements of each array, up to so many fields."""
    return Walker(data, compiler_of(limits), lax=lax, shown=shown, fields=fields)


def read(
    structure: layout.Structure, data: bytes, pos: int, end: int, limits: Limits = DEFAULT_LIMITS
) -> tuple[Any, int]:
    """Read a structure that starts at `pos` and may reach to `end`.

    Returns:
        The record and the offset behind it.

    Raises:
        DecodeError: The bytes cannot be read, or exceed a limit other than the one of the whole input.
    """
    decoders = _DECODERS if limits is DEFAULT_LIMITS else decoders_of(limits)
    try:
        found: tuple[Any, int] = decoders[structure.name](data, pos, end)
    except Reject:
        pass
    else:
        return found
    return walker(data, limits, shown=0).read(structure, pos, end)


_DECODERS = Functions(COMPILER.decoder)
_ENCODERS = COMPILER.encoders_by_class()


@lru_cache(maxsize=16)
def compiler_of(limits: Limits) -> Compiler:
    """What compiles decoders under these limits; a program has few of them."""
    return COMPILER if limits == DEFAULT_LIMITS else Compiler(layout.structures(), _CLASSES, limits)


@lru_cache(maxsize=16)
def decoders_of(limits: Limits) -> Functions:
    """The compiled decoders of all structures under these limits."""
    return _DECODERS if limits == DEFAULT_LIMITS else Functions(compiler_of(limits).decoder)


def hold_size(structure: layout.Structure, data: bytes, limits: Limits) -> None:
    """Refuse input that is larger than its limit; what a packet says about its size is what counts.

    Raises:
        DecodeError: It is.
    """
    size, path, offset = len(data), structure.name, 0
    if size <= limits.packet_size:
        return
    owner = structure.name
    if structure.extent and structure.extent.path == _PACKET_SIZE:
        owner, path, offset = "BaseHeader", f"{path}.{_PACKET_SIZE}", PACKET_SIZE_AT
        size = int.from_bytes(data[offset : offset + 4], "little")
    limits.hold("packet_size", size, structure=owner, path=path, offset=offset)


_PACKET_SIZE = "BaseHeader.PacketSize"


def decode_record(
    structure: layout.Structure, data: bytes | bytearray | memoryview, limits: Limits = DEFAULT_LIMITS
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
    """The error for bytes behind the end of a structure that should fill its buffer."""
    return DecodeError(
        f"{in_bytes(end - pos)} left over",
        structure=name,
        path=name,
        offset=pos,
        expected=0,
        actual=end - pos,
    )


def encode(record: Record) -> bytes:
    """The bytes of a packet or of any other record, exactly as its fields say.

    Raises:
        EncodeError: A field holds what cannot be written.
    """
    try:
        return _ENCODERS[record.__class__](record)
    except _UNWRITABLE as error:
        raise _cannot_be_written(record, error) from error


_UNWRITABLE = (struct.error, TypeError, AttributeError, KeyError, UnicodeError)


def _cannot_be_written(record: Any, error: Exception) -> EncodeError:
    name = type(record).__name__
    return EncodeError(f"cannot be written: {error}", structure=name, path=name, actual=record)


encode_record = encode  # for modules that have an `encode` of their own
