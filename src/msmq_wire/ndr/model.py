"""Layouts of RPC structures: IDL types, and their NDR alignment.

1. A `Structure` has `Field`s, each with a type, which may be a pointer to a text or to an array.
2. NDR aligns a number to a multiple of its size, a pointer (a 32-bit number) to a multiple of four, and a
   structure like its largest part ([C706] 14.2 and 14.3).  A pointer of NDR64 is a 64-bit number.
"""

from __future__ import annotations

from functools import cache

import msgspec

from msmq_wire.records.model import Integer


class Scalar(Integer, frozen=True):
    """A number, as in the structures of packets."""


class Guid(msgspec.Struct, frozen=True):
    """A GUID of 16 bytes."""


class Packed(msgspec.Struct, frozen=True):
    """A structure of numbers without gaps, whose record class is that of packets.

    Attributes:
        name: Its name.
        size: Its size in octets.
        alignment: The multiple at which it begins.
        form: Its numbers, for `struct`.
    """

    name: str
    size: int
    alignment: int
    form: str


class Embedded(msgspec.Struct, frozen=True):
    """A nested structure."""

    name: str


class String(msgspec.Struct, frozen=True):
    """A null-terminated text of WCHARs: conformant and varying, the target of a pointer."""


class Array(msgspec.Struct, frozen=True):
    """An array whose length is in the sibling `count`: conformant, the target of a pointer."""

    element: Type
    count: str


class Pointer(msgspec.Struct, frozen=True):
    """A unique pointer: zero for null; otherwise its target follows later."""

    to: String | Array | Guid


class Arm(msgspec.Struct, frozen=True):
    """One arm of a union."""

    name: str
    type: Type
    doc: str


class Union(msgspec.Struct, frozen=True):
    """A union: a copy of the sibling `selector`, then the selected arm.

    Attributes:
        selector: Name of the sibling.
        tag: Its type.
        arms: Arm by the selector's value; None for a value without an arm.
    """

    selector: str
    tag: Scalar
    arms: dict[int, Arm | None]


Type = Scalar | Guid | Packed | Embedded | Pointer | Union


class Field(msgspec.Struct, frozen=True):
    """A field of a structure: its name in the document, type, and description.

    Attributes:
        default: The field whose value it has if it is omitted; None for zero.
    """

    name: str
    type: Type
    doc: str
    default: str | None = None


class Structure(msgspec.Struct, frozen=True, eq=False):
    """A structure of a document."""

    name: str
    section: str
    fields: tuple[Field, ...]
    doc: str

    @property
    def counts(self) -> dict[str, str]:
        """The arrays, by the name of their count."""
        return {
            field.type.to.count: field.name
            for field in self.fields
            if isinstance(field.type, Pointer) and isinstance(field.type.to, Array)
        }


_STRUCTURES: dict[str, Structure] = {}


def register(*structures: Structure) -> None:
    """Register structures under their names."""
    _STRUCTURES.update({structure.name: structure for structure in structures})


def structures() -> dict[str, Structure]:
    """Return all registered structures by name."""
    return _STRUCTURES


@cache
def _of_structure(name: str, word: int) -> tuple[int, int]:
    """Return the alignment and the smallest size of a structure."""
    size, most = 0, 1
    for field in _STRUCTURES[name].fields:
        step = alignment(field.type, word)
        size, most = size + -size % step + least_size(field.type, word), max(most, step)
    return most, size


def alignment(kind: Type, word: int = 4) -> int:
    """Return the alignment of a type.

    Args:
        kind: The type.
        word: The size of a pointer.
    """
    match kind:
        case Scalar():
            return kind.size
        case Packed():
            return kind.alignment
        case Embedded():
            return _of_structure(kind.name, word)[0]
        case Union():
            return max(kind.tag.size, *(alignment(arm.type, word) for arm in kind.arms.values() if arm))
        case Pointer():
            return word
    return 4


def least_size(kind: Type, word: int = 4) -> int:
    """Return the smallest size of a type, without pointer targets; the arguments are those of `alignment`."""
    match kind:
        case Scalar() | Packed():
            return kind.size
        case Guid():
            return 16
        case Embedded():
            return _of_structure(kind.name, word)[1]
        case Union():
            return kind.tag.size
    return word
