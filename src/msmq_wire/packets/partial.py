"""The results of lenient decoding: fields, the position of the truncation, errors.

1. `fields` has every complete field whose offset is certain, as `records.evidence` decides.  Uncertain fields
   are in `doubtful`, so that nothing is lost.
2. Paths are relative to the packet: ``UserHeader.MessageID``,
   ``MultiQueueFormatHeader.Destination.FormatNameList[0].FormatType``.
3. The diagnostic reader decodes truncated and contradictory packets.  Fields at fixed offsets need none.
4. The fields of a complete packet are computed on demand.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from itertools import dropwhile, pairwise
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

import msgspec

from msmq_wire.records.diagnostic_reader import TruncatedField
from msmq_wire.records.model import Structure, structures
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.records.spans import leaves
from msmq_wire.records.steps import fixed_structure
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits

from .headers import Headers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from typing_extensions import TypeVar

    from msmq_wire.records.diagnostic_reader import DiagnosticReader
    from msmq_wire.records.steps import FixedStructure

    _Packet = TypeVar("_Packet", default=Any)
else:
    from typing import TypeVar

    _Packet = TypeVar("_Packet")

__all__ = [
    "Decoded",
    "LaxResult",
    "Reached",
    "Source",
    "TruncatedField",
    "move_from",
    "nested",
    "of_fixed",
    "of_reader",
    "of_structure",
    "of_whole",
]


class Reached(NamedTuple):
    """The first field that could not be decoded.

    Attributes:
        path: Dotted path of the field within the packet; empty if every field was decoded, but the packet
            should be longer or shorter.
        offset: Offset of the field, in bytes from the beginning of the input.
    """

    path: str
    offset: int


class Decoded(NamedTuple):
    """The decoded fields; the attributes are those of `LaxResult`."""

    fields: dict[str, Any]
    doubtful: dict[str, Any]
    reached: Reached | None
    cut: TruncatedField | None
    errors: tuple[DecodeError, ...]
    left_out: int = 0


class Source(NamedTuple):
    """The input that has to be decoded again to compute the fields.

    Attributes:
        data: The bytes.
        kind: Name of the structure at the beginning of the bytes.
        limits: Bounds for the decoder.
    """

    data: bytes
    kind: str
    limits: Limits = DEFAULT_LIMITS


class LaxResult(msgspec.Struct, Generic[_Packet], frozen=True, dict=True):
    """The result of `decode_lax`; ``LaxResult[Packet]`` names the classes that its packet can have.

    Attributes:
        packet: The packet, or None if it is truncated or damaged.
        headers: The complete headers, by name and in order; all headers if there is a packet.
        error: Why decoding stopped, or None.
        rest: The bytes after the last complete header.
        source: The input of the lazily computed fields; None if there are none.
    """

    packet: _Packet | None
    headers: Headers
    error: DecodeError | None
    rest: bytes
    source: Source | None = None

    if TYPE_CHECKING:

        def __init__(
            self,
            packet: _Packet | None,
            headers: Mapping[str, Any],
            error: DecodeError | None,
            rest: bytes,
            source: Source | None = None,
        ) -> None: ...

    @property
    def fields(self) -> Mapping[str, Any]:
        """Every complete field with a certain offset, by its dotted path within the packet, in wire order.

        The values are those of the record.  Elements of arrays have their index in brackets.  In a truncated
        packet the offsets of all decoded fields are certain.  In a packet that contradicts itself, only the
        fields before the last confirmed offset are certain; `doubtful` has the others.
        """
        return self.decoded.fields

    @property
    def doubtful(self) -> Mapping[str, Any]:
        """Fields whose offset depends on a number that may be wrong, in the form of `fields`."""
        return self.decoded.doubtful

    @property
    def reached(self) -> Reached | None:
        """Path and offset of the first field that could not be decoded; None if all were decoded."""
        return self.decoded.reached

    @property
    def cut(self) -> TruncatedField | None:
        """The truncated field with its available bytes, or None."""
        return self.decoded.cut

    @property
    def left_out(self) -> int:
        """The number of array elements that `fields` omits because of ``Limits.lax_fields``."""
        return self.decoded.left_out

    @property
    def errors(self) -> tuple[DecodeError, ...]:
        """One error for each broken header, in order; the first one is `error`."""
        return self.decoded.errors

    @cached_property
    def decoded(self) -> Decoded:
        """The data behind `fields` and the other properties."""
        packet: Any = self.packet
        if packet is not None:
            fields, left_out = leaves(packet)
            return Decoded(fields, {}, None, None, (), left_out)
        errors = () if self.error is None else (self.error,)
        if self.source is None:
            return Decoded({}, {}, Reached("", 0), None, errors)
        data, kind, limits = self.source
        reader = diagnostic_reader(data, limits, lax=True, fields=limits.lax_fields)
        try:
            reader.read(structures()[kind], 0, len(data))
        except DecodeError:
            result = of_reader(reader, limits.lax_fields)
            return result._replace(errors=(*errors, *result.errors[1:]))
        raise AssertionError("two readers of one layout disagree")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LaxResult):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash((self.rest, *map(str, self.errors)))

    def _compared(self) -> tuple[Any, ...]:
        """Return what tells results apart: errors are equal only to themselves, but not their texts."""
        return self.packet, self.headers, self.rest, self.source, [*map(str, self.errors)]

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.packet, dict(self.headers), self.error, self.rest, self.source, self.decoded)

    def with_decoded(self, result: Decoded) -> LaxResult:
        """A copy of this result with known fields."""
        self.__dict__["decoded"] = result
        return self


def _restored(packet: Any, headers: Any, error: Any, rest: bytes, source: Any, result: Decoded) -> LaxResult:
    return LaxResult(packet, headers, error, rest, source).with_decoded(result)


def of_whole(record: Any, rest: bytes, limits: Limits) -> LaxResult:
    """The result for a complete record; its fields are computed later, unless the caller bounds them."""
    names = (field.name for field in record.layout.fields)
    headers = {name: part for name in names if (part := getattr(record, name)) is not None}
    result = LaxResult(record, headers, None, rest)
    if limits.lax_fields == DEFAULT_LIMITS.lax_fields:
        return result
    fields, left_out = leaves(record, limits.lax_fields)
    return result.with_decoded(Decoded(fields, {}, None, None, (), left_out))


def of_reader(reader: DiagnosticReader, most: int = DEFAULT_LIMITS.lax_fields) -> Decoded:
    """The fields that a lenient reader found; complete elements of arrays after `most` fields are omitted."""
    fields, doubtful, left_out = reader.by_path(most)
    if reader.doubted is not None:
        move_from(reader.doubted, fields, doubtful)
    reached = Reached(*reader.missed) if reader.missed else None
    return Decoded(fields, doubtful, reached, reader.cut, tuple(reader.errors), left_out)


def move_from(path: str, fields: dict[str, Any], doubtful: dict[str, Any]) -> None:
    """Move the first field whose path begins with `path`, and all after it, to the doubtful ones."""
    for key in [*dropwhile(lambda key: not key.startswith(path), fields)]:
        doubtful[key] = fields.pop(key)


def of_structure(kind: str, data: bytes, start: int, errors: tuple[DecodeError, ...] = ()) -> Decoded:
    """The available fields of a header that starts at `start` and has only fields at fixed offsets."""
    fixed = fixed_structure(structures()[kind])
    assert fixed is not None  # noqa: S101  # see above
    return of_fixed(fixed, data, start, f"{kind}.", errors)


def of_fixed(
    fixed: FixedStructure,
    data: bytes,
    start: int = 0,
    prefix: str = "",
    errors: tuple[DecodeError, ...] = (),
) -> Decoded:
    """The available fields of a structure with fields at fixed offsets.

    Args:
        fixed: The structure.
        data: The bytes, which may end before the structure does.
        start: Its offset.
        prefix: The path of the structure within the packet, with a trailing dot.
        errors: The errors of the result.
    """
    room = len(data) - start
    fields = dict(zip(fixed.paths(prefix), fixed.values(data, start, room), strict=False))
    if room >= fixed.size:
        return Decoded(fields, {}, None, None, errors)
    path, begin, end = fixed.incomplete(room)
    reached, cut = Reached(prefix + path, start + begin), None
    if room > begin:
        cut = TruncatedField(*reached, room - begin, end - begin, data[reached.offset :])
    return Decoded(fields, {}, reached, cut, errors)


_STEP = re.compile(r"[^.\[\]]+")
_PATHS = 4096


@lru_cache(_PATHS)
def _steps(path: str) -> tuple[Any, ...]:
    """Names and indices of a path; paths repeat from packet to packet."""
    return tuple(int(step) if step.isdecimal() else step for step in _STEP.findall(path))


def nested(
    fields: Mapping[str, Any],
    value_of: Callable[[Any], Any] | None = None,
    structure: Structure | None = None,
) -> dict[str, Any]:
    """Convert fields by path to nested dictionaries and lists, with None for missing elements.

    Args:
        fields: The fields.
        value_of: A function to convert each value; by default values are unchanged.
        structure: The structure of the fields.  If it is given, lists that are known to be empty are
            included.
    """
    nested_fields: dict[str, Any] = {}
    for path, value in fields.items():
        here: Any = nested_fields
        steps = _steps(path)
        for step, following in pairwise(steps):
            _room(here, step)
            if here[step] is None:
                here[step] = [] if isinstance(following, int) else {}
            here = here[step]
        _room(here, steps[-1])
        here[steps[-1]] = value if value_of is None else value_of(value)
    if structure is not None:
        for path in _empty_lists(structure, "", fields, nested_fields):
            outer, _, name = path.rpartition(".")
            here = nested_fields
            for step in _steps(outer):
                here = here[step]
            here[name] = []
    return nested_fields


def _empty_lists(
    structure: Structure, prefix: str, fields: Mapping[str, Any], known: dict[str, Any]
) -> Iterator[str]:
    """Paths of the lists in a structure that are known to be empty."""
    for field in structure.fields:
        path, value = f"{prefix}{field.name}", known.get(field.name)
        if field.part and isinstance(value, dict):
            yield from _empty_lists(field.part, f"{path}.", fields, value)
        elif field.element and value:
            for index, item in enumerate(value):
                if item is not None:
                    yield from _empty_lists(field.element, f"{path}[{index}].", fields, item)
        elif value is None and (field.element or field.identifiers):
            numbers = {name: fields.get(prefix + name, fields.get(name)) for name in field.kind.numbers}
            if None not in numbers.values() and field.kind.is_empty(numbers.__getitem__):
                yield path


def _room(here: Any, step: Any) -> None:
    """Extend a dictionary or list so that it has a key or index."""
    if isinstance(here, dict):
        here.setdefault(step)
    elif step >= len(here):
        here.extend([None] * (step - len(here) + 1))
