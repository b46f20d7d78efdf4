"""The conformance rules, one module for each part of the documents; `msmq_wire.validation` runs them.

1. `RULES` has the rules of each structure by its name, `JUDGES` the functions that find the requirement by
   looking a value up, `EMBEDDED` the structures that lie within bytes.
2. `SAME` has requirements that repeat others, with the ids of those, separated by spaces.
3. `ELSEWHERE` has requirements that no rule can check: ``decode`` refuses such bytes; ``encode``, because no
   record can hold or write them; ``session`` and ``machine``, which take knowledge of what happened before
   or of a computer; ``nowhere``, because nothing in the bytes tells, or because the structure is never sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _mqcn, _mqdsrp, _mqmq_common, _mqmq_message, _mqmq_structures, _mqqb, _mqrr, _properties
from ._vocabulary import SHOULD, Context, Embedded, Finding, Judge, Level, Place, Role, Rule, Scope, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeVar

    _T = TypeVar("_T")

__all__ = [
    "ELSEWHERE",
    "EMBEDDED",
    "JUDGED",
    "JUDGES",
    "RULES",
    "SAME",
    "SHOULD",
    "Context",
    "Embedded",
    "Finding",
    "Judge",
    "Level",
    "Place",
    "Role",
    "Rule",
    "Scope",
    "shown",
]


def _merged(tables: Iterable[Mapping[str, tuple[_T, ...]]]) -> dict[str, tuple[_T, ...]]:
    made: dict[str, tuple[_T, ...]] = {}
    for table in tables:
        for name, rows in table.items():
            made[name] = made.get(name, ()) + rows
    return made


_PARTS = (_mqmq_common, _mqmq_message, _mqmq_structures, _properties, _mqqb, _mqrr, _mqdsrp, _mqcn)

RULES: dict[str, tuple[Rule, ...]] = _merged(part.RULES for part in _PARTS)
"""Rules by the name of the structure that they stand with."""
EMBEDDED: dict[str, tuple[Embedded, ...]] = _merged(
    part.EMBEDDED for part in (_mqmq_message, _mqmq_structures, _properties, _mqqb, _mqcn)
)
"""Structures within bytes, by the name of the structure that has the bytes."""
JUDGES: dict[str, tuple[Judge, ...]] = _properties.JUDGES
"""Judges by the name of the structure that they look at."""
JUDGED: frozenset[str] = _properties.JUDGED
"""Requirements that a judge can name."""
SAME: dict[str, str] = {key: value for part in _PARTS for key, value in part.SAME.items()}
"""Requirements that repeat others, and the ids of those."""
ELSEWHERE: dict[str, tuple[Place, str]] = {
    key: value for part in _PARTS for key, value in part.ELSEWHERE.items()
}
"""Requirements that no rule checks: where they are seen to, and why."""
