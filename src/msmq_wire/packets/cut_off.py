"""Truncated packets.

Complete headers are read with the compiled decoders, and the truncated header field by field.
"""

from __future__ import annotations

import sys
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.definitions.relations import DEFAULTS
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import Nested, Structure
from msmq_wire.records.plan import structure_of
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.records.record_spans import lay_out
from msmq_wire.records.registry import CLASSES, DECODERS
from msmq_wire.records.truncated_reader import Reading, Row, Tail, Unusual, row_of, steps_of
from msmq_wire.values.errors import DecodeError, in_bytes
from msmq_wire.values.refusals import Problem, say
from msmq_wire.values.reject import Reject

from .marks import (
    BASE_SIZE,
    FLAGS_AT,
    INTERNAL,
    MARK_SIZE,
    PACKET_SIZE_AT,
    RIDER,
    RIDER_MASK,
    begins_packet,
    cut_off,
    unpack_base,
)
from .partial import Found, LaxResult, Reached, Source, of_reader

if TYPE_CHECKING:
    from msmq_wire.values.limits import Limits

__all__ = ["read_cut", "read_opening", "read_riding"]

_REMAINING = "remaining"
_EXTENSION = "ExtensionHeader.HeaderSize"
_EXTENSION_SIZE = DEFAULTS[_EXTENSION]
_BASE, _INTERNAL = structures()["BaseHeader"], structures()["InternalHeader"]
_RIDER = structures()["SessionHeader"]
_RIDER_SIZE = _RIDER.least_size
_OPENING_SIZE = BASE_SIZE + _INTERNAL.least_size
_ROWS = cache(lambda structure: row_of(structure, f"{structure.name}."))
"""Headers of fixed size, by their layout."""


class _Part(NamedTuple):
    """A header of a packet.

    Attributes:
        name: Its name.
        structure: Its layout.
        told_by: The header and the field whose bit announces it, and the bit; or `_REMAINING`; or None for a
            header that is always present.
    """

    name: str
    structure: Structure
    told_by: tuple[str, str, int] | str | None


@cache
def _parts(structure: Structure) -> tuple[_Part, ...]:
    """The headers of a packet within its PacketSize."""
    made = []
    for field in structure.fields:
        told_by: Any = None
        if field.present:
            told = structure.group(field.present.path)
            part, _, word = field.present.path.rpartition(".")[0].rpartition(".")
            told_by = (part, word, told.mask) if told else _REMAINING
        if not field.outside:
            made.append(_Part(field.name, structure_of(structure, field.name), told_by))
    return tuple(made)


class _Fixed(NamedTuple):
    """A plan for decoding a packet of fixed size.

    Attributes:
        row: All its fields.
        parts: For each header, its name, its constructor, the indices of its fields, and its end.
    """

    row: Row
    parts: tuple[tuple[str, Any, int, int, int], ...]


@cache
def _fixed(structure: Structure) -> _Fixed | None:
    """The plan for a packet whose headers all have a fixed size and no nested structures; otherwise None."""
    parts = []
    first, row = 0, row_of(structure, "") if structure.fixed_size is not None else None
    if row is None:
        return None
    for name, part, _ in _parts(structure):
        if any(isinstance(field.kind, Nested) for field in part.fields):
            return None
        last = first + len(part.fields)
        parts.append((name, CLASSES[part.name].raw, first, last, row.ends[last - 1]))
        first = last
    return _Fixed(row, tuple(parts))


def read_opening(data: bytes, limits: Limits) -> LaxResult | None:
    """Decode a packet that is truncated within its first headers; None if anything else is wrong."""
    left = len(data)
    told = left >= MARK_SIZE
    of_message = told and not data[FLAGS_AT] & INTERNAL
    if not begins_packet(data, 0) or (of_message and left >= BASE_SIZE):
        return None
    fields: dict[str, Any] = {}
    tail = _ROWS(_BASE).read(data, 0, sys.maxsize, fields)
    source = None
    if isinstance(tail, Tail):
        path = tail.path
        if of_message:
            if int.from_bytes(data[PACKET_SIZE_AT : PACKET_SIZE_AT + 4], "little") > limits.packet_size:
                return None
            source = Source(data, "UserMessage", limits)
            path = f"{source.kind}.{path}"
        error = _needs(_BASE, path, tail, left)
    else:
        says = unpack_base(data)[3]
        if left >= _OPENING_SIZE or says <= left:
            return None
        end = _ROWS(_INTERNAL).read(data, BASE_SIZE, sys.maxsize, fields)
        if not isinstance(end, Tail):
            return None
        tail, error = end, cut_off(says, left, 0)
    found = Found(fields, {}, Reached(tail.path, tail.offset), tail.cut, (error,))
    headers = {}
    if left >= BASE_SIZE:
        headers["BaseHeader"] = CLASSES["BaseHeader"].raw(*islice(fields.values(), len(_BASE.fields)))
    return LaxResult(None, headers, error, data[BASE_SIZE:] if headers else data, source).with_found(found)


def _needs(structure: Structure, path: str, tail: Tail, left: int) -> DecodeError:
    """The error for a missing or truncated number."""
    size = structure.by_name[tail.path.partition(".")[2]].fixed_size or 0  # only numbers are truncated
    here = left - tail.offset
    return DecodeError(
        say(Problem.SHORT, in_bytes(size), here),
        structure=structure.name,
        path=path,
        offset=tail.offset,
        expected=size,
        actual=here,
    )


def read_cut(structure: Structure, data: bytes, limits: Limits) -> LaxResult | None:
    """Decode a packet whose PacketSize exceeds the available bytes.

    Returns None for other packets, and if anything else is wrong as well.
    """
    left = len(data)
    if left < BASE_SIZE:
        return None
    _, flags, _, says = unpack_base(data)
    if says <= left:
        return None
    fixed = _fixed(structure)
    if fixed is not None:
        return _read_fixed(structure, fixed, data, says, limits)
    read = _Headers(data, limits)
    tail = read.take(structure, says)
    if tail is None:
        return None
    fields, doubtful, doubted = read.fields, {}, read.doubted
    if flags & RIDER_MASK == RIDER and fields.get(_EXTENSION, _EXTENSION_SIZE) != _EXTENSION_SIZE:
        # If PacketSize is wrong, the trailing SessionHeader is taken for this header.
        doubted = _EXTENSION
    if doubted is not None:
        keys = list(fields)
        first = next((at for at, key in enumerate(keys) if key.startswith(doubted)), len(keys))
        for key in keys[first:]:
            doubtful[key] = fields.pop(key)
    return read.result(structure, tail, cut_off(says, left, 0, structure.name), doubtful)


def read_riding(structure: Structure, data: bytes, limits: Limits) -> LaxResult | None:
    """Decode a packet whose trailing SessionHeader is truncated.

    Returns None for other packets, and if anything else is wrong as well.
    """
    left = len(data)
    if left < BASE_SIZE:
        return None
    _, flags, _, says = unpack_base(data)
    if flags & RIDER_MASK != RIDER or not says <= left < says + _RIDER_SIZE:
        return None
    read = _Headers(data, limits)
    if read.take(structure, says) != says:
        return None
    tail = _ROWS(_RIDER).read(data, says, sys.maxsize, read.fields)
    assert isinstance(tail, Tail)  # noqa: S101  # it is truncated
    return read.result(structure, tail, _needs(_RIDER, f"{structure.name}.{tail.path}", tail, left), {})


class _Headers:
    """Reads the headers of a packet.

    Args:
        data: The bytes.
        limits: Bounds for the decoder.

    Attributes:
        fields: The decoded fields.
        headers: The complete headers.
        pos: The offset after the last header.
        left_out: The number of array elements that `fields` omits.
        doubted: Prefix of the paths from which on offsets are uncertain; None if all are certain.
    """

    def __init__(self, data: bytes, limits: Limits) -> None:
        self.data = data
        self.limits = limits
        self.fields: dict[str, Any] = {}
        self.headers: dict[str, Any] = {}
        self.pos = self.left_out = 0
        self.doubted: str | None = None

    def take(self, structure: Structure, says: int) -> Tail | int | None:
        """Decode the headers of a packet that ends at `says` according to its size.

        Returns:
            The position of the truncation, or the offset after the last header; None if anything else is
            wrong.
        """
        data, limits, fields, headers = self.data, self.limits, self.fields, self.headers
        end = min(len(data), says)
        pos = 0
        for name, part, told_by in _parts(structure):
            absent = False
            if told_by == _REMAINING:
                absent = pos >= says
            elif told_by is not None:
                owner = headers.get(told_by[0])
                absent = owner is None or not getattr(owner, told_by[1]) & told_by[2]
            if absent:
                continue
            header = None
            try:
                header, after = DECODERS[part.name](data, pos, end, limits)
            except Reject:
                if end == says:
                    return None
            # Part of the padding at its end may be missing.
            if header is None or (after == end < says and part.fields[-1].is_filler and not part.extent):
                tail = self._last(part, f"{name}.", pos, says)
                if header is None or not isinstance(tail, int):
                    return tail if isinstance(tail, Tail) else None
            else:
                self.left_out += lay_out(header, f"{name}.", fields, limits.lax_fields)
            headers[name], self.pos = header, after
            pos = after
        return pos if pos == end else None

    def _last(self, part: Structure, prefix: str, pos: int, says: int) -> Tail | int | None:
        """Decode the truncated header; None if anything else is wrong."""
        fields, limits = self.fields, self.limits
        reading = Reading(self.data, limits, fields)
        try:
            tail = steps_of(part, prefix)(reading, pos, says, pos, pos)
        except Unusual:
            pass
        else:
            self.left_out += reading.left_out
            self.doubted = reading.doubted
            return tail
        for key in [key for key in fields if key.startswith(prefix)]:
            del fields[key]
        reader = diagnostic_reader(
            self.data, limits, lax=True, fields=max(limits.lax_fields - len(fields), 0)
        )
        try:
            _, after = reader.read(part, pos, len(self.data), says)
        except DecodeError:
            if reader.is_broken:
                return None
        found = of_reader(reader, part.name, prefix, fields)
        self.left_out += found.left_out
        if not reader.errors:
            return int(after)
        return found.reached and Tail(*found.reached, found.cut)

    def result(
        self, structure: Structure, tail: Tail | int, error: DecodeError, doubtful: dict[str, Any]
    ) -> LaxResult:
        """Create the result: decoded fields, position of the truncation, error."""
        data = self.data
        reached, cut = Reached("", self.pos), None
        if isinstance(tail, Tail):
            reached, cut = Reached(tail.path, tail.offset), tail.cut
        source = Source(data, structure.name, self.limits)
        result = LaxResult(None, self.headers, error, data[self.pos :], source)
        return result.with_found(Found(self.fields, doubtful, reached, cut, (error,), self.left_out))


def _read_fixed(
    structure: Structure, fixed: _Fixed, data: bytes, says: int, limits: Limits
) -> LaxResult | None:
    """Decode a truncated packet of fixed size."""
    left = len(data)
    fields: dict[str, Any] = {}
    row, parts = fixed
    try:
        tail = row.read(data, 0, says, fields)
    except Unusual:
        return None
    if tail.__class__ is Tail:
        reached, cut = Reached(tail.path, tail.offset), tail.cut
    elif tail == left:
        reached, cut = Reached("", left), None
    else:
        return None
    whole = [part for part in parts if part[-1] <= left]  # the first one at least
    headers = {name: make(*islice(fields.values(), first, last)) for name, make, first, last, _ in whole}
    error = cut_off(says, left, 0, structure.name)
    rest = data[whole[-1][-1] :]
    result = LaxResult(None, headers, error, rest, Source(data, structure.name, limits))
    return result.with_found(Found(fields, {}, reached, cut, (error,)))
