"""What is known of bytes that cannot be read whole: fields, where they end, what is wrong.

1. `fields` has each field whose bytes all are there and whose place is certain; `records.evidence` says when
   that is.  What was read and is not certain is in `doubtful`, so that nothing is lost.
2. Paths are as on the page, from within the packet: ``UserHeader.MessageID``,
   ``MultiQueueFormatHeader.Destination.FormatNameList[0].FormatType``.
3. A packet that is cut off is read header by header with the compiled decoders; the slow reader has the
   header that the bytes end within, and everything that contradicts itself.
4. Of a packet that was read whole the fields are laid out when they are asked for.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import astuple

from msmq_wire.definitions.relations import DEFAULTS
from msmq_wire.records.cut_reader import CutReader, Tail, Unusual
from msmq_wire.records.model import Choice, Items, Nested, Structure, Values, structures
from msmq_wire.records.plan import structure_of
from msmq_wire.records.record import walker
from msmq_wire.records.registry import DECODERS
from msmq_wire.records.slow_reader import MORE, UNREAD, Cut
from msmq_wire.values.errors import DecodeError, in_bytes
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.reject import Reject

from .headers import Headers
from .marks import (
    BASE_SIZE,
    FLAGS_AT,
    INTERNAL,
    MARK_SIZE,
    PACKET_SIZE_AT,
    begins_packet,
    cut_off,
    unpack_base,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from msmq_wire.records.record import Record
    from msmq_wire.records.slow_reader import Walker

__all__ = [
    "Cut",
    "Found",
    "LaxResult",
    "Reached",
    "Source",
    "leaves",
    "nested",
    "of_reader",
    "of_structure",
    "read_cut",
    "read_opening",
]

_REMAINING = "remaining"
_EXTENSION = "ExtensionHeader.HeaderSize"
_EXTENSION_SIZE = DEFAULTS[_EXTENSION]


class Reached(NamedTuple):
    """The first field that was not read.

    Attributes:
        path: Dotted path of the field within the packet; empty for the packet itself, of which every field
            was read, but which should be longer or shorter.
        offset: Where it starts, in bytes from the beginning of the input.
    """

    path: str
    offset: int


class Found(NamedTuple):
    """What was made of some bytes; the attributes are those of `LaxResult`."""

    fields: dict[str, Any]
    doubtful: dict[str, Any]
    reached: Reached | None
    cut: Cut | None
    errors: tuple[DecodeError, ...]
    left_out: int = 0


class Source(NamedTuple):
    """What has to be read once more for the fields.

    Attributes:
        data: The bytes.
        kind: Name of the structure that they begin with.
        limits: How much to take at most.
    """

    data: bytes
    kind: str
    limits: Limits = DEFAULT_LIMITS


class LaxResult(msgspec.Struct, frozen=True, dict=True):
    """What `decode_lax` made of some bytes.

    Attributes:
        packet: The packet, or None if it could not be read whole.
        headers: The headers that were understood, by name and in order; all of them when there is a packet.
        error: Why reading stopped, or None.
        rest: The bytes after what was understood.
        source: What the fields are read from, when they are asked for; None where there are none.
    """

    packet: Any
    headers: Headers
    error: DecodeError | None
    rest: bytes
    source: Source | None = None

    if TYPE_CHECKING:

        def __init__(
            self,
            packet: Any,
            headers: Mapping[str, Any],
            error: DecodeError | None,
            rest: bytes,
            source: Source | None = None,
        ) -> None: ...

    @property
    def fields(self) -> Mapping[str, Any]:
        """Every field whose bytes all are there, by its dotted path within the packet, in page order.

        The values are those of the record.  An element of an array has its index in brackets.  Each stands at
        a place that is certain: of a packet that is cut off all that were read do, of one that contradicts
        itself those in front of the last place that is confirmed; `doubtful` has the others.
        """
        return self.found.fields

    @property
    def doubtful(self) -> Mapping[str, Any]:
        """Fields that were read at a place that follows from a number that may be wrong, as `fields`."""
        return self.found.doubtful

    @property
    def reached(self) -> Reached | None:
        """Path and offset of the first field that was not read; None where all were."""
        return self.found.reached

    @property
    def cut(self) -> Cut | None:
        """The field that the bytes end within, and what there is of it; or None."""
        return self.found.cut

    @property
    def left_out(self) -> int:
        """How many elements of arrays `fields` leaves out, because it has ``Limits.lax_fields`` fields."""
        return self.found.left_out

    @property
    def errors(self) -> tuple[DecodeError, ...]:
        """What is wrong, one error for each part that is broken, in order; the first one is `error`."""
        return self.found.errors

    @cached_property
    def found(self) -> Found:
        """What `fields` and the others are taken from."""
        if self.packet is not None:
            fields, left_out = leaves(self.packet)
            return Found(fields, {}, None, None, (), left_out)
        errors = () if self.error is None else (self.error,)
        if self.source is None:
            return Found({}, {}, Reached("", 0), None, errors)
        data, kind, limits = self.source
        reader = walker(data, limits, lax=True, fields=limits.lax_fields)
        try:
            reader.read(structures()[kind], 0, len(data))
        except DecodeError:
            found = of_reader(reader, kind)
            return found._replace(errors=(*errors, *found.errors[1:]))
        raise AssertionError("two readers of one layout disagree")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.packet, dict(self.headers), self.error, self.rest, self.source, self.found)

    def with_found(self, found: Found) -> LaxResult:
        """The same, where what was found is known already."""
        self.__dict__["found"] = found
        return self


def _restored(packet: Any, headers: Any, error: Any, rest: bytes, source: Any, found: Found) -> LaxResult:
    return LaxResult(packet, headers, error, rest, source).with_found(found)


def of_reader(reader: Walker, kind: str, prefix: str = "", before: dict[str, Any] | None = None) -> Found:
    """What a lax reader found in a structure.

    Args:
        reader: The reader.
        kind: The structure.
        prefix: Its path within the packet, with its dot.
        before: The fields in front of it, to which its own are added.
    """
    begin = len(kind) + 1
    ranges = iter([*reader.evidence.doubts, (len(reader.pieces), len(reader.pieces))])
    start, stop = next(ranges)
    fields = {} if before is None else before
    doubtful: dict[str, Any] = {}
    left_out = 0
    for index, piece in enumerate(reader.pieces):
        while index >= stop:
            start, stop = next(ranges)
        if piece.path.endswith(MORE):
            left_out += piece.value
        elif piece.value is not None and not piece.path.endswith(UNREAD):
            (doubtful if index >= start else fields)[prefix + piece.path[begin:]] = piece.value
    reached = cut = None
    if reader.missed:
        path, offset = reader.missed
        reached = Reached((prefix + path[begin:]).removesuffix("."), offset)
    if reader.cut:
        cut = reader.cut._replace(path=prefix + reader.cut.path[begin:])
    return Found(fields, doubtful, reached, cut, tuple(reader.errors), left_out)


def of_structure(kind: str, data: bytes, start: int) -> Found:
    """What there is of a part of a packet that starts at `start`."""
    reader = walker(data, lax=True)
    with suppress(DecodeError):  # the caller has the error that matters
        reader.read(structures()[kind], start, len(data))
    return of_reader(reader, kind, f"{kind}.")


_STEP = re.compile(r"[^.\[\]]+")


def nested(fields: Mapping[str, Any], value_of: Callable[[Any], Any] | None = None) -> dict[str, Any]:
    """Fields by their paths as dictionaries and lists within each other; None for elements in between.

    Args:
        fields: The fields.
        value_of: What is made of each value; nothing if omitted.
    """
    found: dict[str, Any] = {}
    for path, value in fields.items():
        here: Any = found
        steps: list[Any] = [int(step) if step.isdecimal() else step for step in _STEP.findall(path)]
        for step, following in pairwise(steps):
            _room(here, step)
            if here[step] is None:
                here[step] = [] if isinstance(following, int) else {}
            here = here[step]
        _room(here, steps[-1])
        here[steps[-1]] = value if value_of is None else value_of(value)
    return found


def _room(here: Any, step: Any) -> None:
    """Let a dictionary or list have something at a key or index."""
    if isinstance(here, dict):
        here.setdefault(step)
    else:
        here.extend([None] * (step - len(here) + 1))


# ------------------------------------------------------------------------------------ packets cut off


class _Part(NamedTuple):
    """A header of a packet.

    Attributes:
        name: Its name.
        structure: Its layout.
        told_by: The header and the field whose bit says that it is there, and the bit; or `_REMAINING`;
            or None for one that always is.
    """

    name: str
    structure: Structure
    told_by: tuple[str, str, int] | str | None


@cache
def _parts(structure: Structure) -> tuple[_Part, ...]:
    """The headers of a packet within its size."""
    made = []
    for field in structure.fields:
        told_by: Any = None
        if field.present:
            told = structure.group(field.present.path)
            part, _, word = field.present.path.rpartition(".")[0].rpartition(".")
            told_by = (part, word, told[2].mask) if told else _REMAINING
        if not field.outside:
            made.append(_Part(field.name, structure_of(structure, field.name), told_by))
    return tuple(made)


def read_opening(data: bytes, limits: Limits) -> LaxResult | None:
    """What there is of a packet whose bytes end within its first headers; None if anything else is wrong."""
    left = len(data)
    told = left >= MARK_SIZE
    of_message = told and not data[FLAGS_AT] & INTERNAL
    if not begins_packet(data, 0) or (of_message and left >= BASE_SIZE):
        return None
    base, internal = structures()["BaseHeader"], structures()["InternalHeader"]
    fields: dict[str, Any] = {}
    reader = CutReader(data, sys.maxsize, limits, fields)
    tail = reader.read(base, "BaseHeader.", 0, {})
    source = None
    if isinstance(tail, Tail):
        path, here = tail.path, left - tail.offset
        if of_message:
            if int.from_bytes(data[PACKET_SIZE_AT : PACKET_SIZE_AT + 4], "little") > limits.packet_size:
                return None
            source = Source(data, "UserMessage", limits)
            path = f"{source.kind}.{path}"
        size: int = base.by_name[tail.path.partition(".")[2]].kind.size  # type: ignore[union-attr]  # all have one
        error = DecodeError(
            f"needs {in_bytes(size)}, {here} left",
            structure="BaseHeader",
            path=path,
            offset=tail.offset,
            expected=size,
            actual=here,
        )
    else:
        says = unpack_base(data)[3]
        if left >= BASE_SIZE + internal.least_size or says <= left:
            return None
        end = reader.read(internal, "InternalHeader.", BASE_SIZE, {})
        if not isinstance(end, Tail):
            return None
        tail, error = end, cut_off(says, left, 0)
    found = Found(fields, {}, Reached(tail.path, tail.offset), tail.cut, (error,))
    return LaxResult(None, {}, error, data, source).with_found(found)


def read_cut(structure: Structure, data: bytes, limits: Limits) -> LaxResult | None:
    """What there is of a packet whose bytes end too early; None if anything else is wrong as well."""
    left = len(data)
    says = unpack_base(data)[3] if left >= BASE_SIZE else 0
    if says <= left:
        return None
    headers: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    pos, reached, cut, left_out = 0, None, None, 0
    for name, part, told_by in _parts(structure):
        if told_by == _REMAINING:
            if pos >= says:
                continue
        elif told_by is not None:
            owner = headers.get(told_by[0])
            if owner is None or not getattr(owner, told_by[1]) & told_by[2]:
                continue
        header = None
        with suppress(Reject):
            header, after = DECODERS[part.name](data, pos, left, limits)
        if header is None or (after == left and part.fields[-1].is_filler):  # some padding may be missing
            tail: int | Tail | None
            try:
                tail = CutReader(data, says, limits, fields).read(part, f"{name}.", pos, {})
            except Unusual:
                tail, more = _slowly(part, name, data, pos, says, limits, fields)
                left_out += more
            if tail is None or (header is None and isinstance(tail, int)):
                return None
            if isinstance(tail, Tail):
                reached, cut = Reached(tail.path, tail.offset), tail.cut
                break
        else:
            left_out += _lay_out(header, f"{name}.", fields, limits.lax_fields)
        headers[name], pos = header, after
    else:
        if pos < left:
            return None
        reached = Reached("", pos)
    error = cut_off(says, left, 0, structure.name)
    doubtful: dict[str, Any] = {}
    extension = fields.get(_EXTENSION, _EXTENSION_SIZE)
    if extension != _EXTENSION_SIZE and headers["BaseHeader"].Flags.SH:
        # Where PacketSize is wrong, the SessionHeader that rides along is taken for this header.
        keys = list(fields)
        for key in keys[keys.index(_EXTENSION) :]:
            doubtful[key] = fields.pop(key)
    result = LaxResult(None, headers, error, data[pos:], Source(data, structure.name, limits))
    return result.with_found(Found(fields, doubtful, reached, cut, (error,), left_out))


def _slowly(
    part: Structure,
    name: str,
    data: bytes,
    pos: int,
    says: int,
    limits: Limits,
    fields: dict[str, Any],
) -> tuple[Tail | int | None, int]:
    """What the quick reader leaves to the slow one, and how many elements of arrays are left out.

    None if more is wrong than that bytes are missing.
    """
    reader = walker(data, limits, lax=True, fields=max(limits.lax_fields - len(fields), 0))
    try:
        _, after = reader.read(part, pos, len(data), says)
    except DecodeError:
        if reader.is_broken:
            return None, 0
        found = of_reader(reader, part.name, f"{name}.", fields)
        return (None if found.reached is None else Tail(*found.reached, found.cut)), found.left_out
    found = of_reader(reader, part.name, f"{name}.", fields)
    return int(after), found.left_out


# --------------------------------------------------------------------------------------- whole records


def leaves(record: Record, limit: int = DEFAULT_LIMITS.lax_fields) -> tuple[dict[str, Any], int]:
    """Every field of a record that is no structure, by its dotted path, in page order.

    Args:
        record: The record.
        limit: Elements of arrays that follow so many fields are left out.

    Returns:
        The fields, and how many elements were left out.
    """
    found: dict[str, Any] = {}
    return found, _lay_out(record, "", found, limit)


def _lay_out(record: Any, prefix: str, found: dict[str, Any], limit: int) -> int:
    left_out = 0
    for (path, kind), value in zip(_steps(record.layout, prefix), astuple(record), strict=True):
        if value is None:
            continue
        if kind is None:
            found[path] = value
        elif kind is Nested:
            left_out += _lay_out(value, f"{path}.", found, limit)
        else:
            for index, item in enumerate(value):
                if len(found) >= limit:
                    left_out += len(value) - index
                    break
                if kind is Items:
                    left_out += _lay_out(item, f"{path}[{index}].", found, limit)
                else:
                    found[f"{path}[{index}]"] = item
    return left_out


@lru_cache(maxsize=512)  # a packet has fewer parts; elements of arrays come and go
def _steps(structure: Structure, prefix: str) -> tuple[tuple[str, Any], ...]:
    """The paths of the fields of a structure, and what each is made of; None for what is one value."""
    return tuple((f"{prefix}{field.name}", _made_of(field.kind)) for field in structure.fields)


def _made_of(kind: Any) -> Any:
    if isinstance(kind, (Nested, Choice)):
        return Nested
    return type(kind) if isinstance(kind, (Items, Values)) else None
