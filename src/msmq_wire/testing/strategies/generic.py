"""Conformant records of structures without a function of their own, made from their layout.

1. Numbers, sizes, paddings and flags are left to the builder, which computes them or takes the defaults.
2. Texts, bytes, GUIDs and arrays of structures are drawn.  Of the ways to fill a structure, the first without
   a violation is used; the last one is the structure without given values.
3. A message has the optional headers that `packets.message` does not know in half of the cases.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from msmq_wire import Record
from msmq_wire.checks.validation import validate
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import Bytes, Count, Field, Guid, Items, Structure, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from .choices import Dice


@cache
def maker(name: str) -> Callable[[Dice], Any]:
    """Return a function that creates a conformant record of a structure from a `Dice`."""
    structure = structures()[name]
    return lambda dice: _record(structure, dice)


def _record(structure: Structure, dice: Dice) -> Any:
    kind = Record.class_of(structure.name)
    drawn = {field.name: _drawn(field, dice) for field in structure.fields}
    given = {name: value for name, value in drawn.items() if value is not None}
    bare = {
        name: value.removesuffix("\0") if isinstance(value, str) else value for name, value in given.items()
    }
    for fields in (given, bare):
        record = kind(**fields)
        if not validate(record, "should"):
            return record
    return kind()


def _drawn(field: Field, dice: Dice) -> Any:
    """A value that the structure may have; None for a value that is left to the builder."""
    if field.present is not None or field.is_filler:
        return None
    match field.kind:
        case Text():
            return f"{dice.text()}\0"
        case Bytes(count=Count()):
            return dice.binary()
        case Guid():
            return dice.identity()
        case Items(structure=element, count=Count()):
            return tuple(_record(element, dice) for _ in range(dice.number(2)))
    return None


def optional_headers(packet: str, excluded: Collection[str], dice: Dice) -> Mapping[str, Any]:
    """Return some of the optional parts of a packet that are not among the known ones."""
    return {
        field.name: maker(field.part.name)(dice)
        for field in structures()[packet].fields
        if field.part and field.present is not None and field.name not in excluded and dice.flag()
    }
