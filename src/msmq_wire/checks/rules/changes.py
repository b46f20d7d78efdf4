"""[MC-MQDSRP] 3.1.7.1 and 3.2.7: changes compared with the message that contains them.

1. A rule compares one change with its message and with the change before it.  A violation has the index of
   the change, and the field of the change that is wrong.
2. The header of a SyncReplyMessage repeats fields of its request: changes are compared with the header, and
   the header with the request of a `Context`.
3. The errata decide ambiguous statements: the order of a reply D7, which numbers a reply has D8 and D9, the
   partition of an object type D40, numbers of changes D58, the type of a deletion D23 and D59.
4. A partition that is not the enterprise's may have objects of either kind here, because only the directory
   knows the meaning of its identifier.  The objects of one reply belong to one partition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from msmq_wire.documents.directory_objects import ENTERPRISE_TYPES, KINDS, SITE_TYPES, type_of_change
from msmq_wire.documents.propid import ObjectClass
from msmq_wire.values.guid import NULL_GUID

from .vocabulary import RawViolation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .vocabulary import RuleFunction

_CREATE, _UPDATE, _DELETE, _SYNC = range(4)
_DELETION = (1403, 1404)
_ARRAY = "DirectoryChanges"


class ChangeRule(msgspec.Struct, frozen=True):
    """One requirement as a condition on a change in a message.

    Attributes:
        requirement: Its id.
        path: The field of the change.
        holds: The condition on the change, its message, and the change before it in the message, which is
            None for the first.
        allowed: The allowed values, in words that follow "has to be".
    """

    requirement: str
    path: str
    holds: Callable[[Any, Any, Any], Any]
    allowed: str


# -------------------------------------------------------------------------------------- conditions


def _is_deletion(change: Any) -> bool:
    return bool(change.Command == _DELETE)


def _has_known_command(change: Any, _: Any, __: Any) -> bool:
    """Return whether a change of a reply is a synchronization or a deletion; -07 applies to the latter."""
    return change.Command in {_SYNC, _DELETE} or change.PropertyID[:2] == _DELETION


def _names_object(command: int) -> Callable[[Any, Any, Any], bool]:
    return lambda change, _, __: change.Command != command or change.UseGuid == 1


def _within(change: Any, reply: Any, _: Any) -> bool:
    """Return whether the number is in the range; for deletions the page does not require it (D9)."""
    header = reply.SyncReplyHeader
    return _is_deletion(change) or bool(header.FromSeqNumber <= change.SeqNumber <= header.ToSeqNumber)


def _is_another(change: Any, _: Any, before: Any) -> bool:
    """Return whether the change before has another number than this one, which identifies it.

    The first change may have the number from which the request is (D8), and deleted objects of other
    partitions have numbers of these (D9).
    """
    first_or_deleted = before is None or _is_deletion(before) or _is_deletion(change)
    return first_or_deleted or bool(change.PreviousSeqNumber != change.SeqNumber)


def _type(change: Any) -> Any:
    return type_of_change(change.Command, change.PropertyID, change.PropertyValue)


def _is_of_partition(change: Any, reply: Any, before: Any) -> bool:
    """Return whether the partition has objects of that type, by the reply and the change before it."""
    kind = _type(change)
    if kind is None:
        return bool(change.Command != _SYNC or change.PropertyID[:2] == _DELETION)
    if reply.SyncReplyHeader.PartitionID == NULL_GUID:
        return bool(kind in ENTERPRISE_TYPES)
    first = None if before is None else _type(before)
    return first is None or bool((first in SITE_TYPES) == (kind in SITE_TYPES))


def _has_list(kind: ObjectClass) -> Callable[[Any, Any, Any], bool]:
    def holds(change: Any, _: Any, __: Any) -> bool:
        return (
            change.Command != _SYNC or _type(change) is not kind or change.PropertyID == KINDS[kind].changes
        )

    return holds


def _begins_as_deletion(change: Any, _: Any, __: Any) -> bool:
    return not _is_deletion(change) or change.PropertyID[:2] == _DELETION


# ------------------------------------------------------------------------------------------- rules

LISTS: Mapping[ObjectClass, str] = {
    kind: f"MQDSRP-3.2.7.8-{number}"
    for kind, number in {
        ObjectClass.SITE: 11,
        ObjectClass.CONNECTED_NETWORK: 12,
        ObjectClass.ENTERPRISE: 13,
        ObjectClass.USER: 14,
        ObjectClass.ROUTING_LINK: 15,
        ObjectClass.MACHINE: 16,
        ObjectClass.QUEUE: 17,
    }.items()
}
"""Requirements on the list of properties of an object, by its type."""

OF_REPLIES: tuple[ChangeRule, ...] = (
    ChangeRule(
        "MQDSRP-3.2.7.3-07",
        "Command",
        lambda change, _, __: _is_deletion(change) or change.PropertyID[:2] != _DELETION,
        "2, because the properties are those of a deletion",
    ),
    ChangeRule("MQDSRP-3.2.7.8-07", "Command", _has_known_command, "3, or 2 for a deleted object"),
    ChangeRule("MQDSRP-3.2.7.3-08", "UseGuid", _names_object(_DELETE), "1 for a deleted object"),
    ChangeRule("MQDSRP-3.2.7.8-08", "UseGuid", _names_object(_SYNC), "1 for an object that was looked up"),
    ChangeRule(
        "MQDSRP-3.2.7.3-09",
        "PartitionID",
        lambda change, reply, _: change.PartitionID == reply.SyncReplyHeader.PartitionID,
        "that of SyncReplyHeader",
    ),
    ChangeRule(
        "MQDSRP-3.2.7.3-11",
        "PurgedSeqNumber",
        lambda change, reply, _: change.PurgedSeqNumber == reply.SyncReplyHeader.PurgedSeqNumber,
        "that of SyncReplyHeader",
    ),
    ChangeRule(
        "MQDSRP-3.2.7.3-13",
        "PropertyID",
        lambda change, _, __: not _is_deletion(change) or change.PropertyID == _DELETION,
        "1403 and 1404 in a deletion",
    ),
    ChangeRule(
        "MQDSRP-3.2.7.3-16",
        "PreviousSeqNumber",
        lambda change, reply, before: (
            before is not None or change.PreviousSeqNumber == reply.SyncReplyHeader.FromSeqNumber
        ),
        "FromSeqNumber in the first change",
    ),
    ChangeRule(
        "MQDSRP-3.2.7.3-17",
        "PreviousSeqNumber",
        lambda change, _, before: before is None or change.PreviousSeqNumber == before.SeqNumber,
        "SeqNumber of the change before",
    ),
    ChangeRule(
        "MQDSRP-3.2.7.3-15",
        "SeqNumber",
        lambda change, _, before: before is None or before.SeqNumber <= change.SeqNumber,
        "at least SeqNumber of the change before, because the changes are sorted",
    ),
    ChangeRule("MQDSRP-2.2.4-14", "PreviousSeqNumber", _is_another, "the number of another change"),
    ChangeRule("MQDSRP-3.2.7.8-04", "SeqNumber", _within, "from FromSeqNumber to ToSeqNumber"),
    ChangeRule(
        "MQDSRP-3.2.7.3-06", "PropertyID", _is_of_partition, "those of an object that the partition has"
    ),
    *(
        ChangeRule(
            requirement,
            "PropertyID",
            _has_list(kind),
            f"the properties of the object type {int(kind)} in the order of [MC-MQDSRP] 3.2.7.8",
        )
        for kind, requirement in LISTS.items()
    ),
)
"""Rules for the changes of a SyncReplyMessage."""

OF_PROPAGATIONS: tuple[ChangeRule, ...] = (
    ChangeRule(
        "MQDSRP-2.2.4-14",
        "PreviousSeqNumber",
        lambda change, _, __: change.PreviousSeqNumber < change.SeqNumber,
        "less than SeqNumber",
    ),
    ChangeRule(
        "MQDSRP-3.1.7.1.2-12",
        "PreviousSeqNumber",
        lambda change, _, before: (
            before is None
            or change.PartitionID != before.PartitionID
            or change.SeqNumber <= before.SeqNumber
            or change.PreviousSeqNumber >= before.SeqNumber
        ),
        "at least SeqNumber of the change before, which is of the same partition",
    ),
    ChangeRule(
        "MQDSRP-3.1.7.1.2-06", "PropertyID", _begins_as_deletion, "1403 and 1404 at first in a deletion"
    ),
)
"""Rules for the changes of a ChangePropagationMessage."""


def _broken(
    rules: tuple[ChangeRule, ...], index: int, change: Any, message: Any, before: Any
) -> Iterator[RawViolation]:
    for row in rules:
        if not row.holds(change, message, before):
            value = getattr(change, row.path)
            yield RawViolation(row.requirement, (_ARRAY, index, row.path), value, row.allowed)


def _wrong_reply(reply: Any) -> Iterator[RawViolation]:
    before = None
    for index, change in enumerate(reply.DirectoryChanges):
        yield from _broken(OF_REPLIES, index, change, reply, before)
        before = change


def _wrong_propagation(message: Any) -> Iterator[RawViolation]:
    """Apply the rules to changes that a quick test does not clear: deletions, or numbers out of order."""
    before, highest = None, b""
    for index, change in enumerate(message.DirectoryChanges):
        number, previous = change.SeqNumber.raw, change.PreviousSeqNumber.raw
        if not highest <= previous < number or change.Command == _DELETE:
            yield from _broken(OF_PROPAGATIONS, index, change, message, before)
        before, highest = change, number


RULE_FUNCTIONS: Mapping[str, tuple[RuleFunction, ...]] = {
    "SyncReplyMessage": (_wrong_reply,),
    "ChangePropagationMessage": (_wrong_propagation,),
}
FUNCTION_IDS: Mapping[str, frozenset[str]] = {
    "SyncReplyMessage": frozenset(row.requirement for row in OF_REPLIES),
    "ChangePropagationMessage": frozenset(row.requirement for row in OF_PROPAGATIONS),
}
