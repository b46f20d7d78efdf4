"""Steps that read a structure, compiled once from its layout.

1. Consecutive fields that are always present and have a fixed size are one `Row`, which one `struct.Struct`
   reads.  Every other field is a `Step`.
2. A structure without other fields, also in its parts, is one `FixedStructure`.
3. `diagnostic_reader` has a function for each kind of step, and `spans` takes records apart by the same
   program.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import accumulate
from operator import attrgetter
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

from .cursors import is_placed
from .model import Bytes, Count, Fill, Integer, Presence
from .registry import CLASSES, DECODERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .cursors import StructureCursor
    from .model import Field, Structure

_PREFIXES = 64
"""The number of places of a structure in others whose paths are cached; elements of arrays have more."""


class Step:
    """A field that is read by itself.

    Attributes:
        field: Its layout.
        fields: This field, and the next ones if they are read together with it.
        kind: How its bytes are read.
        reader: The key of the function that reads it, in `DiagnosticReader.readers`.
        kind_reader: The key for its kind; `reader` differs if it determines whether the field is present.
        is_present: Whether an optional field is present, from the structure and the bytes that remain.
        form: Size, conversion and `struct` format of a field of fixed size; None for any other field.
        sizes: For bytes whose size follows from numbers, a function for each of `fields` that computes its
            size; empty for any other field.
        numbers: The paths of these numbers.
        outside: Whether it is after the size that the structure states.
        narrows: Whether the size of the structure is known after it.
    """

    __slots__ = (
        *("field", "fields", "form", "is_present", "kind", "kind_reader", "narrows"),
        *("numbers", "outside", "reader", "sizes"),
    )

    def __init__(self, structure: Structure, field: Field) -> None:
        self.field = field
        self.kind: Any = field.kind
        self.fields = [field]
        self.form = fixed_form(structure, field)
        size = _size(field)
        self.sizes = [size] if size else []
        self.numbers = {*field.kind.numbers}
        self.reader: type = Integer if self.form else Count if size else type(field.kind)
        self.kind_reader = self.reader
        if field.present:
            self.reader, self.is_present = Presence, _condition(structure, field.present)
        self.outside = field.outside
        self.narrows = _narrows(structure, field)


class FixedFields:
    """Consecutive fields of fixed size.

    Attributes:
        names: Their names.
        offsets: Where they begin and where the last one ends, in bytes from the start of the first.
        size: Their size together.
    """

    def __init__(self, names: Iterable[str], forms: Iterable[tuple[int, Any, str]]) -> None:
        self.names = tuple(names)
        sizes, converters, codes = zip(*forms, strict=True)
        self.offsets = (0, *accumulate(sizes))
        self.size: int = self.offsets[-1]
        self._converters = [(at, convert) for at, convert in enumerate(converters) if convert]
        self._first = [Struct("<" + "".join(codes[:count])).unpack_from for count in range(len(codes) + 1)]
        self._paths: dict[str, tuple[str, ...]] = {}

    def paths(self, prefix: str) -> tuple[str, ...]:
        """Return the paths of the fields in a structure whose path is `prefix`, with a trailing dot."""
        paths = self._paths.get(prefix)
        if paths is None:
            paths = tuple([f"{prefix}{name}" for name in self.names])
            if len(self._paths) < _PREFIXES:
                self._paths[prefix] = paths
        return paths

    def values(self, data: bytes, pos: int, room: int) -> tuple[Any, ...] | list[Any]:
        """Return the values of the fields that are complete within `room` bytes."""
        count = len(self.names) if room >= self.size else bisect_right(self.offsets, room) - 1
        values = self._first[count](data, pos)
        if not self._converters:
            return values
        converted = list(values)
        for at, convert in self._converters:
            if at < count:
                converted[at] = convert(converted[at])
        return converted

    def incomplete(self, room: int) -> tuple[str, int, int]:
        """Return name, begin and end of the first field that is not complete within `room` bytes."""
        index = bisect_right(self.offsets, room) - 1
        return self.names[index], self.offsets[index], self.offsets[index + 1]


class Row(FixedFields):
    """Consecutive fields of a structure that have a fixed size.

    Attributes:
        structure: The structure that contains them.
        fields: Their layouts.
    """

    outside = False

    def __init__(self, structure: Structure, fields: list[Field], forms: list[tuple[int, Any, str]]) -> None:
        super().__init__((field.name for field in fields), forms)
        self.reader = Row
        self.structure = structure
        self.fields = tuple(fields)
        self.narrows = _narrows(structure, fields[-1])


class FixedStructure(FixedFields):
    """All fields of a structure, by their paths in it; each is always present and has a fixed size.

    Attributes:
        parts: Name, decoder, begin and end of each part.
    """

    def __init__(self, structure: Structure, forms: dict[str, tuple[int, Any, str]]) -> None:
        super().__init__(forms, forms.values())
        ends = accumulate(field.least_size for field in structure.fields)
        self.parts = tuple(
            (field.name, DECODERS[field.part.name], end - field.least_size, end)
            for field, end in zip(structure.fields, ends, strict=True)
            if field.part is not None
        )


@cache
def fixed_structure(structure: Structure) -> FixedStructure | None:
    """Return all fields of a structure; None if the offset of one depends on the bytes."""
    forms = dict(_forms(structure, ""))
    fixed = {path: form for path, form in forms.items() if form is not None}
    return FixedStructure(structure, fixed) if len(fixed) == len(forms) else None


def _forms(structure: Structure, prefix: str) -> Iterator[tuple[str, tuple[int, Any, str] | None]]:
    """Yield path and form of each field; the form is None if its offset or size depends on the bytes."""
    for field in structure.fields:
        path, part = prefix + field.name, field.part
        if _stands_alone(field):
            yield path, None
        elif part is not None and part.extent is None:
            yield from _forms(part, f"{path}.")
        else:
            yield path, fixed_form(structure, field)


def _stands_alone(field: Field) -> bool:
    """Return whether a field is no part of a row, whatever its size is."""
    return bool(field.present or field.known or field.outside)


class RecordField(NamedTuple):
    """A field of a record.

    Attributes:
        name: Its name.
        field: Its layout.
        size: Its size in bytes if it is the same in every record that has it, else None.
        has_fields: Whether its value, or each element, is a record.
        has_elements: Whether its value is a tuple of records or property values.
    """

    name: str
    field: Field
    size: int | None
    has_fields: bool
    has_elements: bool


class Program:
    """The steps of a structure.

    Attributes:
        structure: The structure.
        fields: Its fields, in wire order.
        leading: The number of fields before the first one that can be absent or has fields or elements.
        steps: Its steps, in wire order.
        rows: The row of each field that is in one, and its offset there.
        decode: The compiled decoder; None if its sizes are in the enclosing structure.
        least_size: Its smallest possible size in bytes.
        is_placed: Whether it can be read alone and has every number at a fixed offset.
        is_padded: Whether it ends with a padding whose size depends on the bytes that remain.
    """

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self.fields = tuple([_record_field(field) for field in structure.fields])
        varying = (field.field.can_be_none or field.has_fields or field.has_elements for field in self.fields)
        self.leading = next((at for at, varies in enumerate(varying) if varies), len(self.fields))
        self.decode = None if structure.scoped else DECODERS[structure.name]
        self.least_size = structure.least_size
        self.is_placed = is_placed(structure)
        self.steps: list[Row | Step] = []
        waiting: list[Field] = []
        for field in structure.fields:
            single = _stands_alone(field) or fixed_form(structure, field) is None
            if not single:
                waiting.append(field)
            if waiting and (single or _narrows(structure, field) or field is structure.fields[-1]):
                forms = [form for each in waiting if (form := fixed_form(structure, each))]
                self.steps.append(Row(structure, waiting, forms))
                waiting = []
            if single:
                self._append(Step(structure, field))
        last = self.steps[-1] if self.steps else None
        self.is_padded = (
            isinstance(last, Step) and last.field.is_filler and not last.sizes and not structure.extent
        )
        self.rows = {
            name: (step, offset)
            for step in self.steps
            if isinstance(step, Row)
            for name, offset in zip(step.names, step.offsets, strict=False)
        }

    def _append(self, step: Step) -> None:
        """Add a step; bytes whose sizes follow from numbers are added to such a step before it."""
        before = self.steps[-1] if self.steps else None
        joins = not _stands_alone(step.field) and step.sizes
        if joins and isinstance(before, Step) and before.sizes and not _stands_alone(before.field):
            before.fields += step.fields
            before.sizes += step.sizes
            before.numbers |= step.numbers
        else:
            self.steps.append(step)


@cache
def program_of(structure: Structure) -> Program:
    """Return the steps of a structure; each is compiled once."""
    return Program(structure)


def _record_field(field: Field) -> RecordField:
    has_fields, has_elements = bool(field.structures), bool(field.element or field.identifiers)
    return RecordField(field.name, field, field.kind.fixed_size, has_fields, has_elements)


def _narrows(structure: Structure, field: Field) -> bool:
    extent = structure.extent
    return extent is not None and extent.path.partition(".")[0] == field.name


def _condition(structure: Structure, present: Presence) -> Callable[[StructureCursor, int], Any]:
    """Return a function that returns whether an optional field is present."""
    path = present.path
    if not path:
        return lambda cursor, left: present.test(cursor.lookup, left)
    head, _, more = path.partition(".")
    group = structure.group(path)
    mask, value = -1, present.value
    if group is not None:  # a group of a flags word takes longer to read than the word
        more, mask = more.rpartition(".")[0], group.mask
        value = value and value << group.shift
    number_in = attrgetter(more) if more else int

    def is_present(cursor: StructureCursor, left: int) -> bool:
        holder = cursor.values.get(head)  # None if it is absent, broken, or not in this structure
        if holder is None:
            return bool(present.test(cursor.lookup, left))
        number = number_in(holder) & mask
        return bool(number != 0 if value is None else number == value)

    return is_present


def _size(field: Field) -> Callable[[Callable[[str], Any]], Any] | None:
    """Return a function that computes the size of bytes, from one that returns the number at a path."""
    count = getattr(field.kind, "count", None) if isinstance(field.kind, Bytes) else None
    if isinstance(count, Fill):
        if len(count.sizes) > 1:
            return count.size
        ((path, unit),), more, most = count.sizes, count.more, count.boundary - 1
        return lambda value: -(more + value(path) * unit) & most
    if not isinstance(count, Count) or count.per_unit > 1:
        return None
    number = count.number
    return lambda value: value(number)


def fixed_form(structure: Structure, field: Field) -> tuple[int, Any, str] | None:
    """Return size, conversion and struct format of a fixed-size field; None for any other field."""
    kind = field.kind
    if not kind.code:
        return None
    convert: Any = kind.value_class
    if field.word:
        convert = CLASSES[structure.name].flags[field.name].cache.__getitem__
    return kind.least_size, convert, kind.code
