"""The layouts of what calls carry: types as in IDL, and how NDR aligns them.

1. A `Structure` has `Field`s, each of a type; a field's type may be a pointer, to a text or to an array.
2. NDR puts a number where its offset is a multiple of its size, a pointer (a number of 32 bits) at a multiple
   of four, a structure where its largest part may stand ([C706] 14.2 and 14.3).
"""

from __future__ import annotations

from functools import cache

import msgspec

from msmq_wire.records.model import Integer

__all__ = [
    "Arm",
    "Array",
    "Embedded",
    "Field",
    "Guid",
    "Packed",
    "Pointer",
    "Scalar",
    "String",
    "Structure",
    "Type",
    "Union",
    "alignment",
    "least_size",
    "register",
    "structures",
]


class Scalar(Integer, frozen=True):
    """A number, as a structure of a packet has it, too."""


class Guid(msgspec.Struct, frozen=True):
    """Sixteen bytes that are a GUID."""


class Packed(msgspec.Struct, frozen=True):
    """A structure of numbers that has no gaps, and whose record is that of packets."""

    name: str
    size: int
    alignment: int


class Embedded(msgspec.Struct, frozen=True):
    """A structure in the place where it is declared."""

    name: str


class String(msgspec.Struct, frozen=True):
    """WCHARs that end with a terminator: conformant and varying, the target of a pointer."""


class Array(msgspec.Struct, frozen=True):
    """As many elements as the sibling `count` says: conformant, the target of a pointer."""

    element: Type
    count: str


class Pointer(msgspec.Struct, frozen=True):
    """A unique pointer: zero for none, otherwise what it points to follows later."""

    to: String | Array | Guid


class Arm(msgspec.Struct, frozen=True):
    """One form of a union."""

    name: str
    type: Type
    doc: str


class Union(msgspec.Struct, frozen=True):
    """The form that the sibling `selector` selects, after a copy of the selector.

    Attributes:
        selector: Name of the sibling.
        tag: Its type.
        arms: Form by the selector's value; None for one without a form.
    """

    selector: str
    tag: Scalar
    arms: dict[int, Arm | None]


Type = Scalar | Guid | Packed | Embedded | Pointer | Union


class Field(msgspec.Struct, frozen=True):
    """One field of a structure: its name as on the page, its type, and what it is."""

    name: str
    type: Type
    doc: str


class Structure(msgspec.Struct, frozen=True, eq=False):
    """One structure of a document."""

    name: str
    section: str
    fields: tuple[Field, ...]
    doc: str

    @property
    def counts(self) -> dict[str, str]:
        """The array that a number counts, by the name of the number."""
        return {
            field.type.to.count: field.name
            for field in self.fields
            if isinstance(field.type, Pointer) and isinstance(field.type.to, Array)
        }


_STRUCTURES: dict[str, Structure] = {}


def register(*found: Structure) -> None:
    """Make structures known by their names."""
    _STRUCTURES.update({structure.name: structure for structure in found})


def structures() -> dict[str, Structure]:
    """Every structure that is known, by its name."""
    return _STRUCTURES


@cache
def _of_structure(name: str) -> tuple[int, int]:
    """Alignment of a structure, and the bytes that it takes at least."""
    size, most = 0, 1
    for field in _STRUCTURES[name].fields:
        step = alignment(field.type)
        size, most = size + -size % step + least_size(field.type), max(most, step)
    return most, size


def alignment(kind: Type) -> int:
    """The number that the offset of a type is a multiple of."""
    match kind:
        case Scalar():
            return kind.size
        case Packed():
            return kind.alignment
        case Embedded():
            return _of_structure(kind.name)[0]
        case Union():
            return max(kind.tag.size, *(alignment(arm.type) for arm in kind.arms.values() if arm))
    return 4


def least_size(kind: Type) -> int:
    """The bytes that a type takes at least where it is declared, without what pointers point to."""
    match kind:
        case Scalar() | Packed():
            return kind.size
        case Guid():
            return 16
        case Embedded():
            return _of_structure(kind.name)[1]
        case Union():
            return kind.tag.size
    return 4
