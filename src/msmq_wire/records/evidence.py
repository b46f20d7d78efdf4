"""Decides which fields of contradictory bytes were read at the right offset.

1. The offset of a field depends on earlier numbers: sizes, counts, presence flags, selectors.  If bytes
   contradict each other, one of these numbers is wrong, but it is unknown which one.  Every field whose
   offset depends on it was read at a wrong offset.
2. A field at a fixed offset depends on no number, so it is certain.  In a packet this is the first header,
   whose flags announce what follows.
3. An offset is confirmed if the bytes there match by more than chance: a label with exactly one terminator at
   its end, algorithm fields with known values only, a number or flags of a header that are always the same,
   identifiers that are all known properties, or an end of reading exactly at the end of the packet.  Fields
   before a confirmed offset are certain.
4. Fields between the last confirmed offset and a contradiction are doubtful.
5. A truncated packet contradicts nothing, so all fields read from it are certain.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from msmq_wire.definitions.relations import CONSTANT_BITS, FIXED
from msmq_wire.values.enumerations import ENUMERATIONS

if TYPE_CHECKING:
    from .model import Structure


class Evidence:
    """Collects the ranges of doubtful pieces.

    Attributes:
        fixed: Whether the next field is at a fixed distance from a certain one.
        doubts: For each range, the index of the first piece and of the piece after the last.
    """

    def __init__(self) -> None:
        self.fixed = True
        self.doubts: list[tuple[int, int]] = []
        self._since = 0
        self._contradicted = False

    def confirm(self, count: int) -> None:
        """Mark the first `count` pieces as certain, except those that are already doubtful."""
        self._since = count
        self.fixed = True

    def doubt(self, count: int) -> None:
        """Record a contradiction after the first `count` pieces."""
        if self._since < count:
            self.doubts.append((self._since, count))
        self._since = count
        self.fixed = False
        self._contradicted = True

    def end(self, count: int) -> None:
        """Record that reading ended after the first `count` pieces, at an offset that nothing confirms."""
        if self._contradicted:
            self.doubt(count)


def is_known(structure: Structure, around: Structure | None, name: str, values: dict[str, Any]) -> bool:
    """Return whether the values of a part confirm that it is this part.

    Args:
        structure: The part.
        around: The enclosing structure.
        name: The name of the part there.
        values: Its fields that were read.
    """
    if any(
        all(values.get(field) in allowed for field, allowed in facts.items()) for facts in _facts(structure)
    ):
        return True
    for word, groups in _signs(structure):
        if word in values and all(getattr(values[word], group) == bits for group, bits in groups.items()):
            return True
    numbers = numbers_of(around).get(name) if around is not None else None
    return numbers is not None and all(values.get(field) == number for field, number in numbers.items())


@cache
def _facts(structure: Structure) -> tuple[dict[str, frozenset[int]], ...]:
    """Return the enumerated 32-bit fields with their known values, if there are at least two."""
    facts = {
        field.name: frozenset(map(int, ENUMERATIONS[field.enumeration]))
        for field in structure.fields
        if field.enumeration and field.fixed_size == 4
    }
    return (facts,) if len(facts) > 1 else ()


@cache
def _signs(structure: Structure) -> tuple[tuple[str, dict[str, int]], ...]:
    """Return the flags words with groups that always have the same value."""
    return tuple(
        (path.partition(".")[2], groups)
        for path, groups in CONSTANT_BITS.items()
        if path.startswith(f"{structure.name}.")
    )


@cache
def numbers_of(structure: Structure) -> dict[str, dict[str, int]]:
    """Return the numbers that identify the parts of a structure, by part and field."""
    numbers: dict[str, dict[str, int]] = {}
    for path, value in FIXED.get(structure.name, {}).items():
        part, _, name = path.partition(".")
        inner = structure.by_name[part].part
        if isinstance(value, int) and inner is not None and name in inner.by_name:
            numbers.setdefault(part, {})[name] = value
    return numbers
