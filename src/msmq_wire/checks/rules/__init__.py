"""The conformance rules, one module for each part of the documents; `msmq_wire.checks.validation` runs them.

1. `RULES` has the rules of each structure by its name, `JUDGES` the functions that find the requirement by
   looking a value up, `EMBEDDED` the structures that lie within bytes.
2. Where each requirement of the documents is seen to, also those that no rule can check, is said by the
   catalogue in ``specs/requirements``; the tests hold it against these tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import (
    _carriers,
    _mqcn,
    _mqdsrp,
    _mqmq_common,
    _mqmq_message,
    _mqmq_structures,
    _mqqb,
    _mqrr,
    _properties,
)
from ._vocabulary import (
    CHANNELS,
    LEVELS,
    SHOULD,
    Channel,
    Context,
    Embedded,
    Finding,
    Judge,
    Level,
    Role,
    Rule,
    Scope,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeVar

    _T = TypeVar("_T")

__all__ = [
    "CHANNELS",
    "EMBEDDED",
    "JUDGED",
    "JUDGES",
    "LEVELS",
    "RULES",
    "SHOULD",
    "Channel",
    "Context",
    "Embedded",
    "Finding",
    "Judge",
    "Level",
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
JUDGES: dict[str, tuple[Judge, ...]] = _merged(part.JUDGES for part in (_properties, _carriers))
"""Judges by the name of the structure that they look at."""
JUDGED: frozenset[str] = _properties.JUDGED | _carriers.JUDGED
"""Requirements that a judge can name."""
