"""The validation rules, one module for each part of the documents; `checks.validation` applies them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msmq_wire.documents.mqqb  # noqa: F401  # its blobs are inside structures of [MS-MQMQ]
from msmq_wire.definitions import relations
from msmq_wire.values.violation import Level

from . import (
    calls,
    carriers,
    changes,
    mqcn,
    mqdsrp,
    mqmq_common,
    mqmq_message,
    mqmq_structures,
    mqqb,
    mqrr,
    properties,
    reports,
)
from .captured import CAPTURED, CONTENT, CaptureRule, Compared, Pairing
from .vocabulary import (
    CHANNELS,
    LEVELS,
    OPERATORS,
    OTHER_FIELD,
    SHOULD,
    UNANNOUNCED,
    Channel,
    Comparison,
    Context,
    Embedded,
    RawViolation,
    Repeats,
    Role,
    Rule,
    RuleFunction,
    allowed_values,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeVar

    _T = TypeVar("_T")

__all__ = [
    "CALL_RULES",
    "CAPTURED",
    "CHANNELS",
    "CONTENT",
    "EMBEDDED",
    "FUNCTION_IDS",
    "FUNCTION_IDS_BY_STRUCTURE",
    "LEVELS",
    "OF_CALLS",
    "OPERATORS",
    "OTHER_FIELD",
    "RULES",
    "RULE_FUNCTIONS",
    "SHOULD",
    "UNANNOUNCED",
    "CaptureRule",
    "Channel",
    "Compared",
    "Comparison",
    "Context",
    "Embedded",
    "Level",
    "Pairing",
    "RawViolation",
    "Repeats",
    "Role",
    "Rule",
    "RuleFunction",
    "allowed_values",
    "embedded_in",
    "requirement_of_presence",
    "rows_by_id",
    "shown",
]


def _merged(tables: Iterable[Mapping[str, tuple[_T, ...]]]) -> dict[str, tuple[_T, ...]]:
    merged: dict[str, tuple[_T, ...]] = {}
    for table in tables:
        for name, rows in table.items():
            merged[name] = merged.get(name, ()) + rows
    return merged


_PARTS = (mqmq_common, mqmq_message, mqmq_structures, properties, mqqb, reports, mqrr, mqdsrp, mqcn)

RULES: dict[str, tuple[Rule, ...]] = _merged(part.RULES for part in _PARTS)
"""Rules by structure."""
EMBEDDED: dict[str, tuple[Embedded, ...]] = _merged(
    part.EMBEDDED for part in (mqmq_message, mqmq_structures, properties, mqqb, carriers)
)
"""Structures inside bytes, by the structure with the byte field."""
RULE_FUNCTIONS: dict[str, tuple[RuleFunction, ...]] = _merged(
    (properties.RULE_FUNCTIONS, changes.RULE_FUNCTIONS, mqcn.RULE_FUNCTIONS)
)
"""Functions that report violations of several requirements, by structure."""
CALL_RULES = calls.CALL_RULES
"""Rules for RPC calls, by record."""
OF_CALLS = calls.OF_CALLS
"""Requirements of these rules; some of them also have rules for packets."""
UNCHECKED: dict[str, str] = {
    "SecurityHeader.SecurityData": "no flag announces it: it is there if one of five sizes is not 0",
    **dict.fromkeys(
        (
            *("UserMessage.SubqueueHeader", "UserMessage.ExtendedAddressHeader"),
            *("MessagePacket.SubqueueHeader", "MessagePacket.ExtendedAddressHeader"),
        ),
        "the flag is always set, by rules of its own, and the header always present (erratum R8)",
    ),
    **dict.fromkeys(
        ("DirectoryChange.PathName", "NotificationUpdate.PathName", "SeqNumberHeader.MachineName"),
        "the page states when it is absent, but not that it has to be present otherwise",
    ),
}
"""Parts of `PRESENT` without the two presence checks, each with the reason."""
FUNCTION_IDS_BY_STRUCTURE: dict[str, frozenset[str]] = {
    **dict.fromkeys(properties.RULE_FUNCTIONS, properties.FUNCTION_IDS),
    **dict.fromkeys(carriers.EMBEDDED, carriers.FUNCTION_IDS),
    **changes.FUNCTION_IDS,
    **{name: ids | properties.FUNCTION_IDS for name, ids in mqcn.FUNCTION_IDS.items()},
}
"""Requirements that these functions, and the readers of embedded structures, can report, by structure."""
FUNCTION_IDS: frozenset[str] = frozenset().union(*FUNCTION_IDS_BY_STRUCTURE.values())
"""All of them."""


def rows_by_id(rows: Iterable[Rule]) -> dict[str, Rule]:
    """Return the rules of a structure by the id of the requirement.

    If several rules of the structure have one requirement, ``/2``, ``/3`` and so on are appended from the
    second on, in the order of the rows.
    """
    keyed: dict[str, Rule] = {}
    counts: dict[str, int] = {}
    for row in rows:
        number = counts[row.requirement] = counts.get(row.requirement, 0) + 1
        keyed[row.requirement if number == 1 else f"{row.requirement}/{number}"] = row
    return keyed


def embedded_in(structure: str, path: str) -> Embedded:
    """Return the embedded structure of a byte field; a field has one row at most."""
    (row,) = (row for row in EMBEDDED[structure] if row.path == path)
    return row


def requirement_of_presence(part: str, *, is_missing: bool) -> str:
    """Return the requirement of the rule that compares an optional part with its flag; empty without a rule.

    Args:
        part: The part, as in `PRESENT`.
        is_missing: Whether the flag is set and the part is missing, or the part is there without the flag.
    """
    owner, _, name = part.partition(".")
    flag = relations.PRESENT[part].partition(" == ")[0]
    actual, required = ("is absent", "is there") if is_missing else ("is there", "is absent")
    for row in RULES.get(owner, ()):
        if row.path == flag and any((each.path, each.operator) == (name, actual) for each in row.when):
            return row.requirement
        if (row.path, row.operator) == (name, required) and any(each.path == flag for each in row.when):
            return row.requirement
    return ""
