"""The conformance rules, one module for each part of the documents; `msmq_wire.checks.validation` runs them.

1. `RULES` has the rules of each structure by its name, `JUDGES` the functions that find the requirement by
   looking a value up, `EMBEDDED` the structures that lie within bytes.
2. Where each requirement of the documents is seen to, also those that no rule can check, is said by the
   catalogue in ``specs/requirements``; the tests compare it with these tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msmq_wire.documents.mqqb  # noqa: F401  # its blobs lie within structures of [MS-MQMQ]

from . import (
    _calls,
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
    OPERATORS,
    OTHER_FIELD,
    SHOULD,
    UNANNOUNCED,
    Channel,
    Comparison,
    Context,
    Embedded,
    Finding,
    Judge,
    Level,
    Role,
    Rule,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeVar

    _T = TypeVar("_T")

__all__ = [
    "CALL_RULES",
    "CHANNELS",
    "EMBEDDED",
    "JUDGED",
    "JUDGED_BY",
    "JUDGES",
    "LEVELS",
    "OF_CALLS",
    "OPERATORS",
    "OTHER_FIELD",
    "RULES",
    "SHOULD",
    "UNANNOUNCED",
    "Channel",
    "Comparison",
    "Context",
    "Embedded",
    "Finding",
    "Judge",
    "Level",
    "Role",
    "Rule",
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
    part.EMBEDDED for part in (_mqmq_message, _mqmq_structures, _properties, _mqqb, _carriers)
)
"""Structures within bytes, by the name of the structure that has the bytes."""
JUDGES: dict[str, tuple[Judge, ...]] = _properties.JUDGES
"""Judges by the name of the structure that they look at."""
CALL_RULES = _calls.CALL_RULES
"""Rules of what calls carry, by the name of the record."""
OF_CALLS = _calls.OF_CALLS
"""Requirements that these rules name; some of them have rules for packets, too."""
UNCHECKED: dict[str, str] = {
    "SecurityHeader.SecurityData": "no flag announces it: it is there if one of five sizes is not 0",
    **dict.fromkeys(
        (
            *("UserMessage.SubqueueHeader", "UserMessage.ExtendedAddressHeader"),
            *("MessagePacket.SubqueueHeader", "MessagePacket.ExtendedAddressHeader"),
        ),
        "the flag is always set, by rules of its own, and the header always there (erratum R8)",
    ),
    **dict.fromkeys(
        ("DirectoryChange.PathName", "NotificationUpdate.PathName", "SeqNumberHeader.MachineName"),
        "the page says when it is absent, and not that it has to be there otherwise",
    ),
}
"""Parts of `PRESENT` without the two checks of presence, each with the reason."""
JUDGED_BY: dict[str, frozenset[str]] = {
    **dict.fromkeys(_properties.JUDGES, _properties.JUDGED),
    **dict.fromkeys(_carriers.EMBEDDED, _carriers.JUDGED),
}
"""Requirements that the judges of a structure, or of what is within its bytes, can name, by its name."""
JUDGED: frozenset[str] = frozenset().union(*JUDGED_BY.values())
"""Requirements that a judge can name."""
