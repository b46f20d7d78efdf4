"""The layout model: structures, their fields, and how the bytes of each field are read.

1. A `Structure` contains `Field`s in wire order; the `Kind` of a field defines how its bytes are read.
2. The compiler builds the model from the definitions and emits it as source; all other code is derived from
   it.
3. The classes of kinds and conditions have tags, because the exported layouts are the model itself.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from msmq_wire.definitions.relations import Alignment
from msmq_wire.values.hooks import import_layouts
from msmq_wire.values.wchar import wchar_count

from .registry import HOMES

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "EOF",
    "LEFT",
    "NUL",
    "Alignment",
    "Bytes",
    "Choice",
    "Count",
    "Extent",
    "Field",
    "Fill",
    "Flags",
    "Group",
    "Guid",
    "Integer",
    "Items",
    "Kind",
    "Nested",
    "Numbers",
    "Padding",
    "Presence",
    "Rival",
    "Sequence",
    "Structure",
    "Text",
    "Values",
    "count_of",
    "register",
    "structures",
]

EOF = "EOF"
"""Count of an array that takes all remaining bytes of its structure."""
NUL = "NUL"
"""Count of a text that ends at a null character."""


class Count(msgspec.Struct, frozen=True, omit_defaults=True, tag="count"):
    """The length of an array is in another field.

    Attributes:
        number: Path of that field, relative to the structure.
        per_unit: How much one element adds to the field: 2 if it counts the bytes of a text of WCHARs.
    """

    number: str
    per_unit: int = 1

    def __str__(self) -> str:
        return self.number if self.per_unit == 1 else f"{self.number} / {self.per_unit}"


class Fill(msgspec.Struct, frozen=True, omit_defaults=True, tag="fill"):
    """Bytes that fill up to a multiple of `boundary`, after parts whose sizes are in other fields.

    Attributes:
        boundary: The multiple, a power of two.
        sizes: Paths of the fields with these sizes, each with the number of bytes per unit.
        more: Additional bytes before the fill.
    """

    boundary: int
    sizes: tuple[tuple[str, int], ...]
    more: int = 0

    def size(self, value: Callable[[str], Any]) -> Any:
        """Return the number of fill bytes; `value` returns the number (or array of numbers) at a path."""
        return -sum(value(path) * unit for path, unit in self.sizes) - self.more & self.boundary - 1

    def __str__(self) -> str:
        terms = [str(self.more)] if self.more else []
        terms += [path if unit == 1 else f"{path} * {unit}" for path, unit in self.sizes]
        behind = " + ".join(terms)
        return f"-{behind if behind.isidentifier() else f'({behind})'} & {self.boundary - 1}"


class Presence(msgspec.Struct, frozen=True, omit_defaults=True):
    """When an optional field is present.

    Attributes:
        numbers: Paths of the numbers that decide; empty if the field is present when bytes remain.
        value: The required number; None if any of the numbers must be nonzero.
    """

    numbers: tuple[str, ...]
    value: int | None = None

    @property
    def path(self) -> str:
        """The path of the number that decides; empty if there is none or more than one."""
        return self.numbers[0] if len(self.numbers) == 1 else ""

    @property
    def means(self) -> int:
        """The number that announces the field."""
        return 1 if self.value is None else self.value

    def test(self, value: Callable[[str], Any], left: Any) -> Any:
        """Return whether the field is present; `value` returns the number (or array) at a path."""
        if not self.numbers:
            return left != 0
        tested = value(self.numbers[0])
        for number in self.numbers[1:]:
            tested = tested | value(number)
        return tested != 0 if self.value is None else tested == self.value

    def __str__(self) -> str:
        test = " | ".join(self.numbers) or "bytes left"
        return test if self.value is None else f"{test} == {self.value}"


LEFT = Presence(())
"""Present if bytes remain."""


class Integer(msgspec.Struct, frozen=True, omit_defaults=True, tag="integer"):
    """A fixed-width number.

    Attributes:
        format: Its letter in `struct` formats; lower case if it is signed.
        size: Its size in bytes.
        enumeration: The C enumeration with which it was declared; None if there is none.
    """

    format: str
    size: int
    enumeration: str | None = None

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest value."""
        bits = self.size * 8
        return (-(1 << bits - 1), (1 << bits - 1) - 1) if self.format.islower() else (0, (1 << bits) - 1)


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bit group of a flags word."""

    name: str
    shift: int
    width: int
    doc: str

    @property
    def mask(self) -> int:
        """The mask of the group in the flags word."""
        return (1 << self.width) - 1 << self.shift


class Flags(msgspec.Struct, frozen=True, omit_defaults=True, tag="flags"):
    """A flags word, which consists of bit groups."""

    name: str
    format: str
    size: int
    groups: tuple[Group, ...]

    def group(self, name: str) -> Group:
        """Return the group with that name."""
        return next(group for group in self.groups if group.name == name)


class Guid(msgspec.Struct, frozen=True, omit_defaults=True, tag="guid"):
    """A GUID of 16 bytes."""

    size: int = 16


class Sequence(msgspec.Struct, frozen=True, omit_defaults=True, tag="sequence"):
    """A SEQUENCE_NUMBER of 8 bytes."""

    size: int = 8


class Numbers(msgspec.Struct, frozen=True, omit_defaults=True, tag="numbers"):
    """An array of numbers."""

    format: str
    size: int
    count: Count


class Values(msgspec.Struct, frozen=True, omit_defaults=True, tag="property_values"):
    """Property values, one for each identifier in the sibling `identifiers`."""

    identifiers: str


class Bytes(msgspec.Struct, frozen=True, omit_defaults=True, tag="bytes"):
    """Bytes: a fixed number, counted by another field, up to a boundary, or all that remain (`EOF`)."""

    count: int | str | Count | Fill


class Text(msgspec.Struct, frozen=True, omit_defaults=True, tag="text"):
    """WCHARs: counted by another field, up to a terminator (`NUL`), or as many as fit (`EOF`)."""

    count: str | Count


class Nested(msgspec.Struct, frozen=True, omit_defaults=True, tag="structure"):
    """A nested structure."""

    structure: Structure


class Items(msgspec.Struct, frozen=True, omit_defaults=True, tag="array"):
    """An array of structures."""

    structure: Structure
    count: Count


class Choice(msgspec.Struct, frozen=True, omit_defaults=True, tag="choice"):
    """One of several structures, or nothing, selected by the value of `selector`."""

    selector: str
    forms: dict[int, Structure | None]

    @property
    def structures(self) -> list[Structure]:
        """The structures that can be selected, without duplicates."""
        return [*{form.name: form for form in self.forms.values() if form is not None}.values()]


class Padding(msgspec.Struct, frozen=True, omit_defaults=True, tag="padding"):
    """Bytes up to an alignment boundary."""

    alignment: Alignment


Kind = Integer | Flags | Guid | Sequence | Numbers | Values | Bytes | Text | Nested | Items | Choice | Padding
_Kind = TypeVar("_Kind", bound=Kind)


class Rival(msgspec.Struct, frozen=True, omit_defaults=True):
    """A structure that can replace a part; it states its own size and the size of all that follows.

    Attributes:
        structure: Its name.
        size: Its size in bytes.
        own: Offset of the field with its own size.
        rest: Offset of the field with the number of bytes that follow it.
        room: Size of the part in bytes.  If exactly this many bytes remain, they are the part.
    """

    structure: str
    size: int
    own: int
    rest: int
    room: int

    def stands(self, data: bytes, at: int, end: int) -> bool:
        """Return whether this structure, not the part, is at offset `at`, judged by its sizes."""
        left = end - at
        return (
            left >= self.size
            and left != self.room
            and int.from_bytes(data[at + self.own : at + self.own + 4], "little") == self.size
            and int.from_bytes(data[at + self.rest : at + self.rest + 4], "little") == left - self.size
        )


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field of a structure, in page order.

    Attributes:
        name: Its name in the specification.
        kind: How its bytes are read.
        doc: A short description.
        present: When the field is present; None if always.
        outside: Whether it is after the size that the structure's extent states.
        rival: A structure that can replace it although it is announced.
        known: The values with which reading can continue after the field; None if all.
        offset_in: The field with this field's offset in WCHARs, and the field from which it counts.
        limit: The attribute of `Limits` that bounds the number of elements or WCHARs.
        is_filler: Whether it carries no information: padding, or a reserved field.
    """

    name: str
    kind: Kind
    doc: str
    present: Presence | None = None
    outside: bool = False
    known: tuple[int, ...] | None = None
    offset_in: tuple[str, str] | None = None
    limit: str | None = None
    is_filler: bool = False
    rival: Rival | None = None

    @property
    def structures(self) -> list[Structure]:
        """The structures that the field, or each of its elements, can be."""
        kind = self.kind
        if isinstance(kind, Choice):
            return kind.structures
        return [kind.structure] if isinstance(kind, (Nested, Items)) else []

    @property
    def part(self) -> Structure | None:
        """The structure that the field is; None for other kinds."""
        return self.kind.structure if isinstance(self.kind, Nested) else None

    @property
    def element(self) -> Structure | None:
        """The structure of each element of an array; None for other kinds."""
        return self.kind.structure if isinstance(self.kind, Items) else None

    @property
    def groups(self) -> tuple[Group, ...]:
        """The bit groups of a flags word; empty for other kinds."""
        return self.kind.groups if isinstance(self.kind, Flags) else ()

    @property
    def fixed_size(self) -> int | None:
        """The size in bytes if it is the same in every record, else None."""
        match self.kind:
            case _ if self.present is not None:
                return None
            case Integer(size=size) | Flags(size=size) | Guid(size=size) | Sequence(size=size):
                return size
            case Bytes(count=int(count)):
                return count
            case Nested(structure=structure):
                return structure.fixed_size
        return None

    @property
    def least_size(self) -> int:
        """The smallest possible size in bytes."""
        match self.kind:
            case _ if self.present is not None:
                return 0
            case Nested(structure=structure):
                return structure.least_size
            case Text(count=count) if count == NUL:
                return 2
            case Choice(forms=forms):
                return min(form.least_size if form else 0 for form in forms.values())
        return self.fixed_size or 0

    def size_of(self, value: Any) -> int:
        """Return the size in bytes of a value that contains no structures."""
        match self.kind:
            case Integer(size=size) | Flags(size=size) | Guid(size=size) | Sequence(size=size):
                return size
            case Numbers(size=size):
                return len(value) * size
            case Text(count=count):
                return 2 * wchar_count(value) + (2 if count == NUL else 0)
        return len(value)

    def kind_as(self, wanted: type[_Kind]) -> _Kind:
        """Return the kind as the class that the caller knows it to have.

        Raises:
            TypeError: It has another class.
        """
        if not isinstance(self.kind, wanted):
            raise TypeError(f"expected {wanted.__name__} of {self.name}, got {type(self.kind).__name__}")
        return self.kind


class Extent(msgspec.Struct, frozen=True, omit_defaults=True):
    """The field that states the size of a structure, and the multiple to which it is rounded up."""

    path: str
    multiple: int


class Structure:
    """A structure of a document; the export has its name where another one refers to it.

    Attributes:
        name: Its name in the specification.
        section: Document and section, such as ``[MS-MQMQ] 2.2.19.1``.
        fields: Its fields in page order.
        extent: The field that states its size; None if its fields do.
        scoped: Whether its sizes are in the enclosing structure, so that it cannot be read alone.
        doc: A short description.
        by_name: Its fields by name.
    """

    __slots__ = ("by_name", "doc", "extent", "fields", "name", "scoped", "section")

    def __init__(
        self,
        name: str,
        section: str,
        fields: tuple[Field, ...],
        extent: Extent | None = None,
        *,
        scoped: bool = False,
        doc: str = "",
    ) -> None:
        self.name = name
        self.section = section
        self.fields = fields
        self.extent = extent
        self.scoped = scoped
        self.doc = doc
        self.by_name = {field.name: field for field in fields}

    def __repr__(self) -> str:
        return f"<Structure {self.name}>"

    @property
    def document(self) -> str:
        """Short name of the document, such as ``MS-MQMQ``."""
        return self.section[1:].partition("]")[0]

    @property
    def fixed_size(self) -> int | None:
        """The size in bytes if it is the same for every record, else None."""
        sizes = [item.fixed_size for item in self.fields]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    @property
    def least_size(self) -> int:
        """The smallest possible size in bytes."""
        return sum(item.least_size for item in self.fields)

    def flags(self, name: str) -> Flags:
        """Return the bit groups of a flags word."""
        return self.by_name[name].kind_as(Flags)

    def at(self, path: str) -> tuple[Field, Group | None]:
        """Return the field at a dotted path; for a bit group its word, and the group.

        Raises:
            KeyError: There is no such field.
        """
        name, _, rest = path.partition(".")
        field = self.by_name[name]
        if rest and isinstance(field.kind, Nested):
            return field.kind.structure.at(rest)
        return field, field.kind.group(rest) if rest and isinstance(field.kind, Flags) else None

    def group(self, path: str) -> Group | None:
        """Return the bit group at a dotted path; None if the path names none."""
        try:
            return self.at(path)[1]
        except KeyError:
            return None

    def owner_of(self, name: str) -> str:
        """The end of an error message with the part that has a field; empty if none has it."""
        for item in self.fields:
            if isinstance(item.kind, Nested) and name in item.kind.structure.by_name:
                return f"; {item.name} has it"
        return ""

    def offset_of(self, name: str) -> int:
        """Return the offset of a field that is at the same offset in every record."""
        return _offsets(self)[name]


@cache
def _offsets(structure: Structure) -> dict[str, int]:
    """Return the smallest possible offset of each field."""
    offsets, offset = {}, 0
    for item in structure.fields:
        offsets[item.name] = offset
        offset += item.least_size
    return offsets


def count_of(kind: Kind) -> Count | None:
    """Return the count of an array if another field holds it, else None."""
    count = getattr(kind, "count", None)
    return count if isinstance(count, Count) else None


_STRUCTURES: dict[str, Structure] = {}


def register(home: str, *structures: Structure) -> None:
    """Register structures under their names; `home` is the module of `documents` with their records."""
    for structure in structures:
        _STRUCTURES[structure.name] = structure
        HOMES[structure.name] = home


def structures() -> dict[str, Structure]:
    """Return all structures by name."""
    if not _STRUCTURES:
        import_layouts()
    return _STRUCTURES
