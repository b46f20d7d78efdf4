"""Reads the header in which a truncated packet ends, with the results of the diagnostic reader but faster.

1. A layout is compiled once into steps for each position in a packet, with all paths precomputed.
   Consecutive fixed-size fields form one step, also across nested structures.
2. The compiled decoders read complete parts and elements.
3. If anything is wrong other than missing bytes, the caller uses the diagnostic reader instead.  Tests check
   that both return the same results.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from functools import cache
from itertools import accumulate
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.values.reject import Reject
from msmq_wire.values.wchar import find_terminator, from_wchars

from .diagnostic_reader import TruncatedField, fixed_form, is_undecided, padding_size
from .model import (
    EOF,
    NUL,
    Bytes,
    Choice,
    Count,
    Extent,
    Field,
    Fill,
    Items,
    Nested,
    Padding,
    Presence,
    Structure,
    Text,
)
from .packing import BOUNDARY, is_packed, packing
from .record_spans import lay_out
from .registry import DECODERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from msmq_wire.values.limits import Limits

    Read = Callable[["Reading", int, int, int, int], "int | Tail"]
    """A step: ``read(reading, pos, says, start, around)`` returns the offset after it, or a `Tail`.

    `says` is the offset where the bytes should end.  `start` and `around` are the offsets of the structure
    and of the enclosing structure.
    """

__all__ = ["Reading", "Row", "Tail", "Unusual", "row_of", "steps_of"]


class Unusual(Exception):
    """The bytes need the diagnostic reader."""


class Tail(NamedTuple):
    """The first field of a truncated header that was not read, its offset, and its available bytes."""

    path: str
    offset: int
    cut: TruncatedField | None


class Reading:
    """The input and the fields read so far.

    Args:
        data: The bytes.
        limits: Bounds for the decoder.
        found: The fields by path; steps add the fields that they read.

    Attributes:
        left_out: Number of array elements that were not added.
        doubted: Prefix of the paths from which on offsets are uncertain; None if all are certain.
    """

    __slots__ = ("data", "doubted", "found", "left_out", "limits")

    def __init__(self, data: bytes, limits: Limits, found: dict[str, Any]) -> None:
        self.data = data
        self.limits = limits
        self.found = found
        self.left_out = 0
        self.doubted: str | None = None


class Row:
    """A step that reads consecutive fixed-size fields.

    Attributes:
        paths: Paths of the fields.
        ends: End of each field, in bytes from the start of the first.
        size: Total size in bytes.
    """

    def __init__(self, fields: Iterable[tuple[str, int, Any, str]]) -> None:
        self.paths, sizes, converters, codes = zip(*fields, strict=True)
        self.ends = tuple(accumulate(sizes))
        self.size: int = self.ends[-1]
        self._converted = tuple(
            (at, path, convert)
            for at, (path, convert) in enumerate(zip(self.paths, converters, strict=True))
            if convert is not None
        )
        self._first = [Struct("<" + "".join(codes[:count])).unpack_from for count in range(len(codes) + 1)]
        self._unpack = self._first[-1]

    def __call__(self, reading: Reading, pos: int, says: int, *_: int) -> int | Tail:
        return self.read(reading.data, pos, says, reading.found)

    def read(self, data: bytes, pos: int, says: int, found: dict[str, Any]) -> int | Tail:
        """Read the fields that are complete and add them to `found`.

        Returns: The offset after the fields, or where the bytes end.

        Raises:
            Unusual: A field ends after `says`.
        """
        left = len(data) - pos
        if left >= self.size:
            values = self._unpack(data, pos)
            found.update(zip(self.paths, values, strict=True))
            for at, path, convert in self._converted:
                found[path] = convert(values[at])
            return pos + self.size
        ends = self.ends
        whole = bisect_right(ends, left)
        if not whole:
            return _ended(data, self.paths[0], pos, ends[0], says)
        values = self._first[whole](data, pos)
        found.update(zip(self.paths, values, strict=False))
        for at, path, convert in self._converted:
            if at < whole:
                found[path] = convert(values[at])
        there = ends[whole - 1]
        return _ended(data, self.paths[whole], pos + there, ends[whole] - there, says)


def row_of(structure: Structure, prefix: str) -> Row:
    """Return the step for all fields of a fixed-size structure."""
    return Row(_flat(structure, prefix))


def _flat(structure: Structure, prefix: str) -> Iterator[tuple[str, int, Any, str]]:
    for field in structure.fields:
        if isinstance(field.kind, Nested):
            yield from _flat(field.kind.structure, f"{prefix}{field.name}.")
        else:
            form = fixed_form(structure, field)
            assert form  # noqa: S101  # the caller checked this
            yield f"{prefix}{field.name}", *form


def _ended(data: bytes, path: str, pos: int, size: int | None, says: int, *, wide: bool = False) -> Tail:
    """Return the truncated field at `pos`; its size is None if only missing bytes could determine it."""
    there = len(data) - pos
    if size is not None and pos + size > says:
        raise Unusual
    if not there:
        return Tail(path, pos, None)
    value = from_wchars(data[pos : pos + there // 2 * 2]) if wide else data[pos:]
    return Tail(path, pos, TruncatedField(path, pos, there, size, value))


# ---------------------------------------------------------------------------------------------- steps


class _Place(NamedTuple):
    """A structure's position in a packet: its path prefix, and that of the structure with its sizes."""

    structure: Structure
    prefix: str
    scope: str

    def number(self, path: str) -> Callable[[dict[str, Any]], Any]:
        """Return a function that looks up the number at a path among the fields that were read."""
        name, _, group = path.partition(".")
        where = (self.prefix if name in self.structure.by_name else self.scope) + name
        if group:
            return lambda found: getattr(found[where], group)
        return lambda found: found[where]


@cache
def steps_of(structure: Structure, prefix: str, scope: str = "") -> Read:
    """Return the step that reads a structure.

    Args:
        structure: Its layout.
        prefix: Its path, with a trailing dot.
        scope: The same for the structure that states its sizes.
    """
    place = _Place(structure, prefix, scope)
    extent = structure.extent if structure.extent and structure.extent.path in structure.by_name else None
    parts: list[list[Read]] = [[]]
    run: list[tuple[str, int, Any, str]] = []

    def end_row() -> None:
        if run:
            parts[-1].append(Row(run))
            run.clear()

    for field in structure.fields:
        path, kind = f"{prefix}{field.name}", field.kind
        form = None if field.known else fixed_form(structure, field)
        if isinstance(kind, Nested) and field.fixed_size is not None:
            run += _flat(kind.structure, f"{path}.")
        elif form is not None and not field.present:
            run.append((path, *form))
        else:
            end_row()
            step = Row([(path, *form)]) if form is not None else _step(place, field, path)
            parts[-1].append(_optional(place, field.present, step) if field.present else step)
        if extent and field.name == extent.path:
            end_row()
            parts.append([])
    end_row()
    first, rest = tuple(parts[0]), tuple(parts[-1])
    bound = _bound(place, extent) if extent else None

    def read(reading: Reading, pos: int, says: int, around: int, _: int) -> int | Tail:
        start = pos
        for step in first:
            after = step(reading, pos, says, start, around)
            if isinstance(after, Tail):
                return after
            pos = after
        if bound is not None:
            says = bound(reading, start, says)
            for step in rest:
                after = step(reading, pos, says, start, around)
                if isinstance(after, Tail):
                    return after
                pos = after
        return pos

    return read


def _bound(place: _Place, extent: Extent) -> Callable[[Reading, int, int], int]:
    """Return a function that computes the stated end of a structure; bytes must be missing before it."""
    number, multiple = place.number(extent.path), extent.multiple

    def bound(reading: Reading, start: int, says: int) -> int:
        end: int = start + (number(reading.found) + multiple - 1) // multiple * multiple
        if not len(reading.data) < end <= says:
            raise Unusual
        return end

    return bound


def _optional(place: _Place, present: Presence, step: Read) -> Read:
    """Wrap a step so that it runs only if the field is present."""
    numbers = {path: place.number(path) for path in present.numbers}

    def read(reading: Reading, pos: int, says: int, start: int, around: int) -> int | Tail:
        found = reading.found
        if not present.test(lambda path: numbers[path](found), says - pos):
            return pos
        return step(reading, pos, says, start, around)

    return read


def _step(place: _Place, field: Field, path: str) -> Read:
    kind = field.kind
    match kind:
        case Nested(structure=structure):
            return _part(place, structure, path)
        case Choice():
            return _choice(place, kind, path)
        case Text(count=Count(number=number, per_unit=unit)):
            return _text(path, place.number(number), unit)
        case Text(count=str() as count) if count == NUL:
            return lambda reading, pos, says, *_: _terminated(reading, path, pos, says)
        case Bytes(count=Count(number=number)):
            size = place.number(number)
            return lambda reading, pos, says, *_: _bytes(reading, path, pos, size(reading.found), says)
        case Bytes(count=Fill() as fill):
            parts = {number: place.number(number) for number, _ in fill.sizes}
            return lambda reading, pos, says, *_: _bytes(
                reading, path, pos, fill.size(lambda number: parts[number](reading.found)), says
            )
        case Bytes(count=str() as count) if count == EOF:
            return lambda reading, pos, says, *_: _bytes(reading, path, pos, says - pos, says)
        case Padding():
            return _padding(place, kind, path)
        case Items():
            return _items(place, field, kind, path)
    return _unusual


def _unusual(*_: Any) -> int | Tail:
    raise Unusual


def _bytes(reading: Reading, path: str, pos: int, size: int, says: int) -> int | Tail:
    raw = reading.data[pos : pos + size]
    if len(raw) < size:
        return _ended(reading.data, path, pos, size, says)
    reading.found[path] = raw
    return pos + size


def _text(path: str, number: Callable[[dict[str, Any]], int], unit: int) -> Read:
    def read(reading: Reading, pos: int, says: int, *_: int) -> int | Tail:
        units, odd = divmod(number(reading.found), unit)
        if odd or units > reading.limits.string_length:
            raise Unusual
        raw = reading.data[pos : pos + 2 * units]
        if len(raw) < 2 * units:
            return _ended(reading.data, path, pos, 2 * units, says, wide=True)
        reading.found[path] = from_wchars(raw)
        return pos + 2 * units

    return read


def _terminated(reading: Reading, path: str, pos: int, says: int) -> int | Tail:
    """Read a null-terminated text."""
    data = reading.data
    stop = find_terminator(data, pos, len(data))
    if stop < 0:
        return _ended(data, path, pos, None, says, wide=True)
    if (stop - pos) // 2 > reading.limits.string_length:
        raise Unusual
    reading.found[path] = from_wchars(data[pos:stop])
    return stop + 2


def _padding(place: _Place, kind: Padding, path: str) -> Read:
    rule, structure = kind.alignment, place.structure
    selector = place.number(rule.selector) if rule.selector else None
    own = rule.origin == structure.name

    def read(reading: Reading, pos: int, says: int, start: int, around: int) -> int | Tail:
        selected = selector(reading.found) if selector else None
        origin = start if own else around
        if is_undecided(structure, rule, origin, reading.data, pos):
            return _ended(reading.data, path, pos, None, says)
        size = padding_size(structure, rule, selected, origin, reading.data, pos, says - pos)
        return _bytes(reading, path, pos, size, says)

    return read


def _choice(place: _Place, kind: Choice, path: str) -> Read:
    selector = place.number(kind.selector)
    forms: dict[int, Read | None] = {
        number: None if form is None else _part(place, form, path) for number, form in kind.forms.items()
    }

    def read(reading: Reading, pos: int, says: int, start: int, around: int) -> int | Tail:
        step: Read | None = forms.get(selector(reading.found), _unusual)
        return pos if step is None else step(reading, pos, says, start, around)

    return read


def _part(place: _Place, structure: Structure, path: str) -> Read:
    """Return the step for a nested structure; if it states its size, its compiled decoder is tried first."""
    prefix = f"{path}."
    step = steps_of(structure, prefix, place.prefix if structure.scoped else prefix)
    if structure.extent is None:
        return step

    def read(reading: Reading, pos: int, says: int, start: int, around: int) -> int | Tail:
        data, limits = reading.data, reading.limits
        try:
            made, after = DECODERS[structure.name](data, pos, len(data), limits)
        except Reject:
            pass
        else:
            reading.left_out += lay_out(made, prefix, reading.found, limits.lax_fields)
            return int(after)
        # Outside of the `except`, so that later errors do not get this one as context.
        return step(reading, pos, says, start, around)

    return read


def _items(place: _Place, field: Field, kind: Items, path: str) -> Read:
    element, limit = kind.structure, field.limit
    assert limit  # noqa: S101  # every array has a limit
    number, least = place.number(kind.count.number), element.least_size
    skip, step = DECODERS[element.name], steps_of(element, "")
    extent = place.structure.extent if packing(element) else None
    stated = place.number(extent.path) if extent else None
    doubts = _doubts(element)

    def read(reading: Reading, pos: int, says: int, start: int, _: int) -> int | Tail:
        data, limits, found = reading.data, reading.limits, reading.found
        count, end = number(found), len(data)
        if count > getattr(limits, limit) or count * least > says - pos:
            raise Unusual
        stop = start + stated(found) if stated else sys.maxsize
        if stop <= end and is_packed(element, skip, data, pos, end, start, count, stop, limits):
            raise Unusual
        for index in range(count):
            prefix = f"{path}[{index}]."
            if reading.doubted is None and doubts(data, pos, start):
                reading.doubted = prefix
            try:
                made, pos = skip(data, pos, end, limits, start)
            except Reject:
                made = None
            if made is None:
                return _last(reading, step, prefix, pos, says, start)
            if len(found) >= limits.lax_fields:
                reading.left_out += 1
            else:
                reading.left_out += lay_out(made, prefix, found, limits.lax_fields)
        return pos

    return read


def _doubts(element: Structure) -> Callable[[bytes, int, int], bool]:
    """Return a function that tells whether a padding in a truncated list may be data of a packed element."""
    packed = packing(element)
    if packed is None:
        return lambda *_: False
    selectors, size, head = packed

    def doubts(data: bytes, pos: int, start: int) -> bool:
        if int.from_bytes(data[pos : pos + size], "little") not in selectors:
            return False
        return any(data[pos + head : pos + head + (start - pos - head) % BOUNDARY])

    return doubts


def _last(reading: Reading, step: Read, prefix: str, pos: int, says: int, around: int) -> Tail:
    """Read the truncated element with steps that have no index; then prefix all paths."""
    inner = Reading(reading.data, reading.limits, {})
    tail = step(inner, pos, says, around, 0)
    if not isinstance(tail, Tail):
        raise Unusual
    reading.found.update((prefix + path, value) for path, value in inner.found.items())
    path, cut = prefix + tail.path, tail.cut
    return Tail(path, tail.offset, cut and cut._replace(path=path))
