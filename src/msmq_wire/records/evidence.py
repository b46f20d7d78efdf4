"""Which of the fields that were read stand where they should, in bytes that contradict themselves.

1. The place of a field follows from numbers before it: sizes, counts, presence flags, forms.  Where
   bytes contradict each other one of these numbers is wrong, and nobody knows which.  What follows from it
   was read at a wrong place.
2. What stands at a fixed place follows from no number, and is certain; in a packet that is its first header,
   whose flags say what follows.
3. A place is confirmed where bytes agree that need not: a label that ends with its only terminator,
   algorithms that all are known ones, a header's number or flags that always are the same, identifiers that
   all are known properties, a reading that ends exactly where the packet does.  What stands before it
   was read in step, and is certain.
4. What stands between the last confirmed place and a contradiction is doubtful.
5. A packet that is truncated contradicts nothing: what was read of it is certain.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from msmq_wire.definitions.relations import FIXED, SIGNS
from msmq_wire.values.enumerations import ENUMERATIONS

from .model import Integer, Nested, Structure

__all__ = ["Evidence", "is_known"]


class Evidence:
    """Ranges of pieces that are doubtful.

    Attributes:
        fixed: Whether what follows stands at a fixed distance from what is certain.
        doubts: Numbers of the first piece and of the one after the last, for each range.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin anew."""
        self.fixed = True
        self.doubts: list[tuple[int, int]] = []
        self._since = 0
        self._contradicted = False

    def confirm(self, count: int) -> None:
        """The first `count` pieces stand where they should, but for those that are doubtful already."""
        self._since = count
        self.fixed = True

    def doubt(self, count: int) -> None:
        """A contradiction follows the first `count` pieces."""
        if self._since < count:
            self.doubts.append((self._since, count))
        self._since = count
        self.fixed = False
        self._contradicted = True

    def end(self, count: int) -> None:
        """Reading ended after the first `count` pieces, at a place that nothing confirms."""
        if self._contradicted:
            self.doubt(count)


def is_known(structure: Structure, around: Structure | None, name: str, values: dict[str, Any]) -> bool:
    """Whether the values of a part tell that it is what it was taken for.

    Args:
        structure: The part.
        around: The structure around it.
        name: Its name there.
        values: Its fields that were read.
    """
    if any(all(values.get(field) in known for field, known in facts.items()) for facts in _facts(structure)):
        return True
    for word, groups in _signs(structure):
        if word in values and all(getattr(values[word], group) == bits for group, bits in groups.items()):
            return True
    numbers = _numbers(around).get(name) if around is not None else None
    return numbers is not None and all(values.get(field) == number for field, number in numbers.items())


@cache
def _facts(structure: Structure) -> tuple[dict[str, frozenset[int]], ...]:
    """The 32-bit numbers of a structure that have few values, and these; fewer than two confirm nothing."""
    found = {
        field.name: frozenset(map(int, ENUMERATIONS[field.kind.enumeration]))
        for field in structure.fields
        if isinstance(field.kind, Integer) and field.kind.size == 4 and field.kind.enumeration
    }
    return (found,) if len(found) > 1 else ()


@cache
def _signs(structure: Structure) -> tuple[tuple[str, dict[str, int]], ...]:
    """Flags words and the groups that always have the same value."""
    return tuple(
        (path.partition(".")[2], groups)
        for path, groups in SIGNS.items()
        if path.startswith(f"{structure.name}.")
    )


@cache
def _numbers(structure: Structure) -> dict[str, dict[str, int]]:
    """The numbers by which the parts of a structure are told apart, by part and field."""
    found: dict[str, dict[str, int]] = {}
    for path, value in FIXED.get(structure.name, {}).items():
        part, _, name = path.partition(".")
        field = structure.by_name[part]
        if isinstance(value, int) and isinstance(field.kind, Nested) and name in field.kind.structure.by_name:
            found.setdefault(part, {})[name] = value
    return found
