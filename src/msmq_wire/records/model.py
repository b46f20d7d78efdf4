"""The model of a layout: structures, their fields, and how the bytes of each are read.

1. A `Structure` holds `Field`s in wire order; a field's `Kind` says how its bytes are read.
2. The compiler makes the model from the definitions and writes it down; everything else is derived from it.
"""

from __future__ import annotations

from itertools import takewhile

import msgspec

from msmq_wire.definitions.relations import Alignment

__all__ = [
    "EOF",
    "NUL",
    "Alignment",
    "Bytes",
    "Choice",
    "Extent",
    "Field",
    "Flags",
    "Group",
    "Guid",
    "Integer",
    "Items",
    "Kind",
    "Nested",
    "Numbers",
    "Padding",
    "Sequence",
    "Structure",
    "Text",
    "Values",
    "register",
    "structures",
]

EOF = "EOF"
"""Count of an array that takes what its structure leaves."""
NUL = "NUL"
"""Count of a text that ends at its terminator."""


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
    """As many numbers as the C expression `count` says."""

    format: str
    size: int
    count: str


class Values(msgspec.Struct, frozen=True):
    """Property values, one for each identifier in the sibling `identifiers`."""

    identifiers: str


class Bytes(msgspec.Struct, frozen=True):
    """Bytes; `count` is a number, a C expression, or `EOF`."""

    count: int | str


class Text(msgspec.Struct, frozen=True):
    """WCHARs; `count` is a C expression, `NUL`, or `EOF` for as many as fit."""

    count: str


class Nested(msgspec.Struct, frozen=True):
    """One structure."""

    structure: Structure


class Items(msgspec.Struct, frozen=True):
    """As many structures as the C expression `count` says."""

    structure: Structure
    count: str


class Choice(msgspec.Struct, frozen=True):
    """One of several structures, or nothing, by the value of `selector`."""

    selector: str
    forms: dict[int, Structure | None]


class Padding(msgspec.Struct, frozen=True):
    """Bytes up to a boundary."""

    alignment: Alignment


Kind = Integer | Flags | Guid | Sequence | Numbers | Values | Bytes | Text | Nested | Items | Choice | Padding


class Field(msgspec.Struct, frozen=True):
    """One field of a structure, in page order.

    Attributes:
        name: As on the page.
        kind: How its bytes are read.
        doc: What it is, in a few words.
        present: Expression that is not zero when the field is there; None when it always is.
        outside: Whether it lies behind the size that the structure's extent names.
        known: The values without which nothing behind it can be read.
        offset_in: Field that holds this field's offset in WCHARs, and the field that it counts from.
    """

    name: str
    kind: Kind
    doc: str
    present: str | None = None
    outside: bool = False
    known: tuple[int, ...] | None = None
    offset_in: tuple[str, str] | None = None

    @property
    def limit(self) -> str | None:
        """The attribute of `Limits` that bounds how many elements or WCHARs the field has."""
        match self.kind:
            case Text():
                return "string_length"
            case Items(structure=structure):
                kinds = {type(field.kind) for field in structure.fields}
                return "changes" if Values in kinds else "queues" if Choice in kinds else "elements"
            case Numbers():
                return "properties"  # the identifiers of a change's properties: there are no other numbers
        return None

    @property
    def is_filler(self) -> bool:
        """Whether the field carries no information: padding or reserved."""
        return "Padding" in self.name or self.name.lower().startswith("reserved")


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

    def offset_of(self, name: str) -> int:
        """Bytes in front of a field that is there in every instance, at the same place."""
        return sum(_least_size(item) for item in takewhile(lambda item: item.name != name, self.fields))


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


_STRUCTURES: dict[str, Structure] = {}


def register(*structures: Structure) -> None:
    """Make structures known by their names."""
    _STRUCTURES.update({structure.name: structure for structure in structures})


def structures() -> dict[str, Structure]:
    """Every structure that is known, by its name."""
    return _STRUCTURES
