"""Every wrong length: each length, count, size and offset, with each value that readers often mishandle.

1. The mutants are listed in a fixed order, by the offset of the number.  None is drawn by chance.
2. A mutant changes one number and nothing else; with `pairs` there are also mutants in which a second number
   agrees with the wrong one, so that a reader that compares them detects no error.
3. Counts within property values, and lengths of structures within bytes, are numbers like all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import Structure, count_of
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import in_bytes, need

from .numbers import View, named_structure, places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire import Record
    from msmq_wire.records.spans import FieldSpan

_COUNT_SIZE = 4
"""Bytes of a count within a property value."""
_BLOB = 65


class LengthMutant(NamedTuple):
    """Some bytes in which one number is wrong.

    Attributes:
        data: The bytes.
        path: Path of the number, as in `explain` and errors.
        offset: Its offset in bytes.
        value: The wrong value.
        truth: The value that it had.
        reason: Why a reader may mishandle this value; several reasons are separated by commas.
        reaches: Where the length leads: into which field, or how far past the input.
        agreeing: The numbers that agree with it, as paths and values; only in pairs.
    """

    data: bytes
    path: str
    offset: int
    value: int
    truth: int
    reason: str
    reaches: str
    agreeing: tuple[tuple[str, int], ...] = ()


class _Length(NamedTuple):
    """A number that states a length.

    Attributes:
        path: Its path.
        offset: Its offset.
        size: Its size in bytes.
        value: Its value.
        start: The offset from which it counts.
        unit: The number of bytes that it counts as one.
    """

    path: str
    offset: int
    size: int
    value: int
    start: int
    unit: int

    @property
    def top(self) -> int:
        """The largest value that fits."""
        return (1 << self.size * 8) - 1


class _Lie(NamedTuple):
    """A wrong value of a number, and of the numbers that agree with it."""

    length: _Length
    value: int
    reason: str
    agreeing: tuple[tuple[_Length, int], ...] = ()

    @property
    def written(self) -> frozenset[tuple[int, int]]:
        """The offsets and values of the wrong numbers."""
        return frozenset(
            (length.offset, value) for length, value in ((self.length, self.value), *self.agreeing)
        )


class LengthMutants(Sequence[LengthMutant]):
    """The mutants of `length_mutants`: a sequence that makes each mutant on access."""

    def __init__(self, view: View, lies: list[_Lie], numbers: tuple[str, ...]) -> None:
        """Create the sequence; use `length_mutants`."""
        self._view = view
        self._lies = lies
        self._numbers = numbers

    def __len__(self) -> int:
        """Return the number of mutants."""
        return len(self._lies)

    @overload
    def __getitem__(self, index: int) -> LengthMutant: ...
    @overload
    def __getitem__(self, index: slice) -> list[LengthMutant]: ...
    def __getitem__(self, index: int | slice) -> LengthMutant | list[LengthMutant]:
        """Return the mutant at an index, or several."""
        if isinstance(index, slice):
            return [self._mutant(lie) for lie in self._lies[index]]
        return self._mutant(self._lies[index])

    def _mutant(self, lie: _Lie) -> LengthMutant:
        data = bytearray(self._view.data)
        for length, value in ((lie.length, lie.value), *lie.agreeing):
            data[length.offset : length.offset + length.size] = value.to_bytes(length.size, "little")
        length = lie.length
        return LengthMutant(
            bytes(data),
            length.path,
            length.offset,
            lie.value,
            length.value,
            lie.reason,
            _reached(self._view, length.start + lie.value * length.unit),
            tuple((other.path, value) for other, value in lie.agreeing),
        )

    @property
    def coverage(self) -> dict[str, tuple[str, ...]]:
        """The reasons for the wrong values of each number, by path in wire order; of pairs, both paths."""
        covered: dict[str, list[str]] = {path: [] for path in self._numbers}
        for lie in self._lies:
            paths = (lie.length.path, *(other.path for other, _ in lie.agreeing))
            covered.setdefault(" with ".join(paths), []).append(lie.reason)
        return {path: tuple(reasons) for path, reasons in covered.items()}

    def table(self) -> str:
        """Return the coverage as lines of text: the number of mutants, the path, and the reasons."""
        return "\n".join(f"{len(rows):4} {path}: {'; '.join(rows)}" for path, rows in self.coverage.items())


def length_mutants(
    data: bytes, *, kind: type[Record] | str | None = None, pairs: bool = False
) -> LengthMutants:
    """List every mutant in which one length, count, size or offset is wrong.

    Args:
        data: The bytes; they may already be damaged, and are read as far as possible.
        kind: The structure of the bytes, as for `mutate`; by default a packet.
        pairs: Whether to add mutants in which a second number agrees with the first one: the size of what
            encloses it, or another statement of the same size.

    Returns:
        A sequence without duplicates, in the order of the numbers in the bytes; pairs come last.

    Raises:
        WrongTypeError: `data` is not a buffer, or `kind` is neither a class nor a name.
        MsmqWireError: There is no such structure.

    Examples:
        >>> from msmq_wire import mqmq
        >>> mutants = length_mutants(mqmq.UserMessage.of(MessageBody=b"body").encode())
        >>> mutants[0].path, mutants[0].value, mutants[0].reaches
        ('UserMessage.BaseHeader.PacketSize', 0, 'into UserMessage.BaseHeader.VersionNumber')
    """
    need("pairs", pairs, bool, "True or False")
    named_structure(kind)
    view = View(as_bytes(data), kind)
    lengths = sorted(_lengths(view), key=lambda length: (length.offset, length.size, length.path))
    lies = [lie for length in lengths for lie in _lies(length, len(view.data))]
    if pairs:
        distinct: dict[frozenset[tuple[int, int]], _Lie] = {}
        for pair in (pair for lie in lies for pair in _pairs(lie, lengths)):
            distinct.setdefault(pair.written, pair)
        lies += distinct.values()
    return LengthMutants(view, lies, tuple(length.path for length in lengths))


# ------------------------------------------------------------------------------------ the numbers


def _lengths(view: View) -> Iterator[_Length]:
    """Yield every number of the bytes that states a length."""
    stated = places().lengths | set(places().counts)
    for field in view.owned(stated):
        yield _with_start(view, field)
    for count, unit in view.value_counts():
        yield _Length(count.path, count.offset, count.size, count.value, count.offset + count.size, unit)


def _with_start(view: View, number: FieldSpan) -> _Length:
    """Determine the origin and the unit of a number."""
    path, value = number.path, int(number.value)
    name = path.rpartition(".")[2]
    extent = _extent_of(view, number)
    if extent is not None:
        return _Length(path, number.offset, number.size, value, extent, 1)
    for field in (*view.fields, *view.parts):
        counted = _counted_by(field, name) if field.offset >= number.offset else 0
        if counted:
            return _Length(path, number.offset, number.size, value, field.offset, counted)
    return _Length(path, number.offset, number.size, value, number.offset + number.size, 1)


def _extent_of(view: View, number: FieldSpan) -> int | None:
    """Return the start of the structure whose size a number states; None if it states no such size."""
    for part in (*view.parts, *_outermost(view)):
        extent = part.structure.extent
        if extent is not None and f"{part.path}.{extent.path}" == number.path:
            return part.offset
    return None


def _outermost(view: View) -> Iterator[FieldSpan]:
    """Yield the outermost structure, which is not among the parts, as a field that starts with the bytes."""
    for field in view.fields[:1]:
        name = field.path.partition(".")[0]
        yield field._replace(path=name, offset=0, value=None, structure=structures()[name])


def _counted_by(field: FieldSpan, number: str) -> int:
    """Return how many bytes a field has for each one that a number counts; 0 if it counts another field."""
    if field.field is None:
        return 0
    kind, count = field.field.kind, count_of(field.field.kind)
    if count is None or count.number.rpartition(".")[2] != number:
        return 0
    return kind.unit // count.per_unit


def _reached(view: View, position: int) -> str:
    """Describe in words where a length leads."""
    past = position - len(view.data)
    if past > 0:
        return f"{in_bytes(past)} past the input"
    inside = next(
        (field.path for field in view.fields if field.offset <= position < field.offset + field.size), ""
    )
    return f"into {inside}" if inside else "to the end of the input"


# ------------------------------------------------------------------------------------- the values


def _lies(length: _Length, size: int) -> Iterator[_Lie]:
    """Yield the wrong values of a number, each once."""
    left, unit, bits = max(size - length.start, 0), length.unit, length.size * 8
    sign = 1 << bits - 1
    values = [
        (0, "zero"),
        (1, "one"),
        (length.value - 1, "one less"),
        (length.value + 1, "one more"),
        (left // unit, "to the end of the input"),
        (left // unit + 1, "one past the end of the input"),
        (size, "the size of the input"),
        (sign - 1, "below the sign bit"),
        (sign, "the sign bit"),
        (1 << 31, "2^31"),
        (length.top, "the maximum"),
    ]
    for width in (16, 32):
        whole = 1 << width
        values += [
            (whole - 1, f"2^{width} - 1"),
            (-(-whole // unit), f"a product that wraps in {width} bits"),
            (-(-whole // unit) + length.value, f"a product that wraps to the true size in {width} bits"),
            ((whole - length.start) // unit, f"an end that wraps in {width} bits"),
        ]
    reasons: dict[int, list[str]] = {}
    for value, reason in values:
        if 0 <= value <= length.top and value != length.value:
            reasons.setdefault(value, []).append(reason)
    for value, why in reasons.items():
        yield _Lie(length, value, ", ".join(why))


def _pairs(lie: _Lie, lengths: list[_Length]) -> Iterator[_Lie]:
    """Yield the wrong value together with each number that can be made to agree with it."""
    length = lie.length
    change = (lie.value - length.value) * length.unit
    for other in lengths:
        if other is length or other.offset == length.offset:
            continue
        if _encloses(other, length):
            value = other.value + change
        elif _repeats(other, length):
            value = lie.value * length.unit // other.unit
        else:
            continue
        if 0 <= value <= other.top and value != other.value:
            yield lie._replace(agreeing=((other, value),))


def _encloses(outer: _Length, inner: _Length) -> bool:
    """Return whether a number is the size of a structure in which the other number is."""
    structure = _structure_of(outer.path)
    extent = structure.extent if structure is not None else None
    if extent is None or not outer.path.endswith(f".{extent.path}"):
        return False
    return inner.path.startswith(outer.path.removesuffix(extent.path)) and outer.start <= inner.offset


def _structure_of(path: str) -> Structure | None:
    """Return the structure whose extent a path can be: of a packet the outermost one."""
    names = path.split(".")
    outermost = structures().get(names[0])
    if outermost is None:
        return None
    if outermost.extent is not None and path == f"{outermost.name}.{outermost.extent.path}":
        return outermost
    try:
        field, _ = outermost.at(".".join(names[1:-1]))
    except KeyError:
        return None
    return next((part for part in field.structures if part.extent is not None), None)


def _repeats(other: _Length, length: _Length) -> bool:
    """Return whether another number of the same structure has the same size: AllocationBodySize."""
    same_owner = other.path.rpartition(".")[0] == length.path.rpartition(".")[0]
    return same_owner and 0 < length.value * length.unit == other.value * other.unit
