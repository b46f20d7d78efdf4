"""The model of a layout: structures, their fields, and how the bytes of each are read.

1. A `Structure` holds `Field`s in wire order; a field's `Kind` says how its bytes are read.
2. The compiler makes the model from the definitions and writes it down; everything else is derived from it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from msmq_wire.definitions.relations import Alignment

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
    "has_fixed_size",
    "register",
    "structures",
]

EOF = "EOF"
"""Count of an array that takes what its structure leaves."""
NUL = "NUL"
"""Count of a text that ends at its terminator."""


class Count(msgspec.Struct, frozen=True):
    """An array has as many elements as another field says.

    Attributes:
        number: Path of that field, as seen from the structure.
        per_unit: What one element adds to it: 2 where a text of WCHARs is counted in bytes.
    """

    number: str
    per_unit: int = 1

    def __str__(self) -> str:
        return self.number if self.per_unit == 1 else f"{self.number} / {self.per_unit}"


class Fill(msgspec.Struct, frozen=True):
    """As many bytes as are missing to a multiple of `boundary`, after parts of known sizes.

    Attributes:
        boundary: The multiple, a power of two.
        sizes: Paths of the fields that say these sizes, each with the bytes that one of its units takes.
        more: Bytes that are there besides.
    """

    boundary: int
    sizes: tuple[tuple[str, int], ...]
    more: int = 0

    def size(self, value: Callable[[str], Any]) -> Any:
        """Bytes to fill in, from the numbers (or arrays of them) that `value` gives for paths."""
        return -sum(value(path) * unit for path, unit in self.sizes) - self.more & self.boundary - 1

    def __str__(self) -> str:
        terms = [str(self.more)] if self.more else []
        terms += [path if unit == 1 else f"{path} * {unit}" for path, unit in self.sizes]
        behind = " + ".join(terms)
        return f"-{behind if behind.isidentifier() else f'({behind})'} & {self.boundary - 1}"


class Presence(msgspec.Struct, frozen=True):
    """When a field is there.

    Attributes:
        numbers: Paths of the numbers that decide; none if it is there as long as bytes are left.
        value: What the number has to be; None if one of the numbers is not zero.
    """

    numbers: tuple[str, ...]
    value: int | None = None

    @property
    def path(self) -> str:
        """The path of the only number that decides; empty where there is no such number, or several."""
        return self.numbers[0] if len(self.numbers) == 1 else ""

    @property
    def means(self) -> int:
        """The number that says that the field is there."""
        return 1 if self.value is None else self.value

    def test(self, value: Callable[[str], Any], left: Any) -> Any:
        """Whether it is there, by the numbers (or arrays of them) that `value` gives and the bytes left."""
        if not self.numbers:
            return left != 0
        found = value(self.numbers[0])
        for number in self.numbers[1:]:
            found = found | value(number)
        return found != 0 if self.value is None else found == self.value

    def __str__(self) -> str:
        test = " | ".join(self.numbers) or "bytes left"
        return test if self.value is None else f"{test} == {self.value}"


LEFT = Presence(())
"""There as long as bytes are left."""


class Integer(msgspec.Struct, frozen=True):
    """A number of fixed width; `enumeration` names the C enumeration it was declared with, if any."""

    format: str
    size: int
    enumeration: str | None = None

    @property
    def bounds(self) -> tuple[int, int]:
        """Smallest and largest value."""
        bits = self.size * 8
        return (-(1 << bits - 1), (1 << bits - 1) - 1) if self.format.islower() else (0, (1 << bits) - 1)


class Group(msgspec.Struct, frozen=True):
    """Some bits of a flags field."""

    name: str
    shift: int
    width: int
    doc: str

    @property
    def mask(self) -> int:
        """The group's bits in the flags word."""
        return (1 << self.width) - 1 << self.shift


class Flags(msgspec.Struct, frozen=True):
    """A word of bit groups."""

    name: str
    format: str
    size: int
    groups: tuple[Group, ...]

    def group(self, name: str) -> Group:
        """The group of that name."""
        return next(group for group in self.groups if group.name == name)


class Guid(msgspec.Struct, frozen=True):
    """Sixteen bytes that are a GUID."""

    size: int = 16


class Sequence(msgspec.Struct, frozen=True):
    """Eight bytes that are a SEQUENCE_NUMBER."""

    size: int = 8


class Numbers(msgspec.Struct, frozen=True):
    """Numbers in a row."""

    format: str
    size: int
    count: Count


class Values(msgspec.Struct, frozen=True):
    """Property values, one for each identifier in the sibling `identifiers`."""

    identifiers: str


class Bytes(msgspec.Struct, frozen=True):
    """Bytes: a fixed number, counted by another field, up to a boundary, or all there are (`EOF`)."""

    count: int | str | Count | Fill


class Text(msgspec.Struct, frozen=True):
    """WCHARs: counted by another field, up to a terminator (`NUL`), or as many as fit (`EOF`)."""

    count: str | Count


class Nested(msgspec.Struct, frozen=True):
    """One structure."""

    structure: Structure


class Items(msgspec.Struct, frozen=True):
    """Structures in a row."""

    structure: Structure
    count: Count


class Choice(msgspec.Struct, frozen=True):
    """One of several structures, or nothing, by the value of `selector`."""

    selector: str
    forms: dict[int, Structure | None]

    @property
    def structures(self) -> list[Structure]:
        """The structures that it can be, each once."""
        return [*{form.name: form for form in self.forms.values() if form is not None}.values()]


class Padding(msgspec.Struct, frozen=True):
    """Bytes up to a boundary."""

    alignment: Alignment


Kind = Integer | Flags | Guid | Sequence | Numbers | Values | Bytes | Text | Nested | Items | Choice | Padding


class Rival(msgspec.Struct, frozen=True):
    """A structure that may stand in the place of a part: it says its own size and that of all that follows.

    Attributes:
        structure: Its name.
        size: How many bytes it has.
        own: Where it says so.
        rest: Where it says how many bytes follow it.
        room: How many bytes the part has.  Where there are just as many, it is the part.
    """

    structure: str
    size: int
    own: int
    rest: int
    room: int

    def stands(self, data: bytes, at: int, end: int) -> bool:
        """Whether it stands there, by its sizes."""
        left = end - at
        return (
            left >= self.size
            and left != self.room
            and int.from_bytes(data[at + self.own : at + self.own + 4], "little") == self.size
            and int.from_bytes(data[at + self.rest : at + self.rest + 4], "little") == left - self.size
        )


class Field(msgspec.Struct, frozen=True):
    """One field of a structure, in page order.

    Attributes:
        name: As on the page.
        kind: How its bytes are read.
        doc: What it is, in a few words.
        present: When the field is there; None when it always is.
        outside: Whether it lies after the size that the structure's extent names.
        rival: What may stand in its place, although it is announced.
        known: The values without which nothing after it can be read.
        offset_in: Field that holds this field's offset in WCHARs, and the field that it counts from.
        limit: The attribute of `Limits` that bounds how many elements or WCHARs the field has.
        is_filler: Whether it carries no information: padding, or a field kept for later.
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
        """The structures that it, or each of its elements, can be."""
        kind = self.kind
        if isinstance(kind, Choice):
            return kind.structures
        return [kind.structure] if isinstance(kind, (Nested, Items)) else []


class Extent(msgspec.Struct, frozen=True):
    """Which field bounds a structure, and to what multiple its value is rounded up."""

    path: str
    multiple: int


class Structure(msgspec.Struct, frozen=True, eq=False):
    """One structure of a document."""

    name: str
    section: str
    fields: tuple[Field, ...]
    extent: Extent | None = None
    scoped: bool = False
    doc: str = ""
    by_name: dict[str, Field] = {}

    def __post_init__(self) -> None:
        self.by_name.update({item.name: item for item in self.fields})

    @property
    def document(self) -> str:
        """Short name of the document, such as ``MS-MQMQ``."""
        return self.section[1:].partition("]")[0]

    @property
    def fixed_size(self) -> int | None:
        """Bytes that every instance takes, or None when that varies."""
        sizes = [_fixed_size(item) for item in self.fields]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    @property
    def least_size(self) -> int:
        """Bytes that the smallest instance takes."""
        return sum(_least_size(item) for item in self.fields)

    def flags(self, name: str) -> Flags:
        """The bit groups of a field that is a flags word."""
        kind = self.by_name[name].kind
        assert isinstance(kind, Flags)  # noqa: S101  # the caller knows
        return kind

    def group(self, path: str) -> tuple[str, Flags, Group] | None:
        """The part ("" for this structure), the word and the group that a path from here names, if any."""
        owner, _, name = path.rpartition(".")
        part, _, word = owner.rpartition(".")
        structure: Structure | None = self
        if part:
            kind = self.by_name[part].kind if part in self.by_name else None
            structure = kind.structure if isinstance(kind, Nested) else None
        field = structure.by_name.get(word) if structure else None
        return (part, field.kind, field.kind.group(name)) if field and isinstance(field.kind, Flags) else None

    def offset_of(self, name: str) -> int:
        """Bytes before a field that is there in every instance, at the same place."""
        return _offsets(self)[name]


@cache
def _offsets(structure: Structure) -> dict[str, int]:
    """Bytes before each field, at least."""
    found, offset = {}, 0
    for item in structure.fields:
        found[item.name] = offset
        offset += _least_size(item)
    return found


def _fixed_size(item: Field) -> int | None:
    kind = item.kind
    if item.present is not None:
        return None
    if isinstance(kind, (Integer, Flags, Guid, Sequence)):
        return kind.size
    if isinstance(kind, Bytes) and isinstance(kind.count, int):
        return kind.count
    return kind.structure.fixed_size if isinstance(kind, Nested) else None


def _least_size(item: Field) -> int:
    kind = item.kind
    if item.present is not None:
        return 0
    if isinstance(kind, Nested):
        return kind.structure.least_size
    if isinstance(kind, Text) and kind.count == NUL:
        return 2
    if isinstance(kind, Choice):
        return min(0 if form is None else form.least_size for form in kind.forms.values())
    return _fixed_size(item) or 0


def has_fixed_size(field: Field) -> bool:
    """Whether every instance of a field takes as many bytes."""
    return _fixed_size(field) is not None


def count_of(kind: Kind) -> Count | None:
    """What counts the elements of an array, if another field does."""
    count = getattr(kind, "count", None)
    return count if isinstance(count, Count) else None


_STRUCTURES: dict[str, Structure] = {}


def register(*structures: Structure) -> None:
    """Make structures known by their names."""
    _STRUCTURES.update({structure.name: structure for structure in structures})


def structures() -> dict[str, Structure]:
    """Every structure that is known, by its name."""
    return _STRUCTURES
