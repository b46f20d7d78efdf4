"""[MS-MQCN] 2.2 and 3.3.5: change notifications.

1. The errata decide ambiguous statements: tags in any case and with spaces C1 to C3, what may follow the text
   C4, a name that ends at the first closing tag C5, PathName of machines C14.
2. A version 1 notification for a queue is distinguished from one for a machine by its properties.
3. The directory message in a UserMessage is validated too; its offsets count from the start of the packet.
"""

from __future__ import annotations

import re
from typing import Any

from msmq_wire.definitions.properties import ObjectClass
from msmq_wire.documents.notification_contents import CONTENTS, Operation
from msmq_wire.documents.propid import breach, by_name, by_number

from ._vocabulary import Rule, count, fits, form, given, in_range, leftover, one_of, presence, rule

__all__ = ["RULES"]

_TEXT = re.compile(
    r"<Notification *><Event *>(?P<event>[^<]*)</Event *><ObjectGuid *>(?P<guid>[^<]*)</ObjectGuid *>"
    r"<DomainController *>(?P<server>(?:(?!</DomainController *>).)*)</DomainController *>"
    r"</Notification *>\0?",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)
_PARTS = {
    "event": re.compile("[1-4]"),
    "guid": re.compile("[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}", re.IGNORECASE | re.ASCII),
    "server": re.compile(r"[\x21-\x7e]{1,256}"),
}
_VERSIONS = {"directory": 1, "queue manager": 2}
_NEW_QUEUE = CONTENTS[Operation.QueueCreation]
_CHANGED_QUEUE = CONTENTS[Operation.QueueUpdate]
_CHANGED_MACHINE = CONTENTS[Operation.QueueManagerUpdate]
_DELETED_QUEUE = CONTENTS[Operation.QueueDeletion]
_CREATED, _CHANGED, _DELETED = _NEW_QUEUE.command, _CHANGED_QUEUE.command, _DELETED_QUEUE.command


# -------------------------------------------------------------------------------------- conditions


def _text_part(requirement: str, part: str, allowed: str) -> Rule:
    """Return a rule for one part of a text that has all its tags."""

    def holds(body: Any) -> bool:
        found = _TEXT.fullmatch(body.Text)
        return found is None or _PARTS[part].fullmatch(found[part]) is not None

    return fits(requirement, "Text", holds, allowed)


def _is_path_name(update: Any) -> bool:
    known = by_name("PROPID_Q_PATHNAME")
    return update.PathName is None or known is None or breach(known, update.PathName) is None


def _about(update: Any, kind: ObjectClass) -> bool:
    """Return whether a changed object is of that kind, by its first property."""
    first = by_number(update.PropertyId[0]) if update.PropertyId else None
    return update.Command == _CHANGED and first is not None and first.object_class is kind


def _values(update: Any) -> tuple[Any, ...]:
    return tuple(value.value for value in update.PropertyValue)


def _counted(message: Any) -> bool:
    updates = getattr(message.Data, "Updates", None)
    return updates is None or message.NumberOfUpdateNotifications == len(updates)


# ------------------------------------------------------------------------------------------- rules

RULES: dict[str, tuple[Rule, ...]] = {
    "ChangeNotificationMessage": (
        fits("MQCN-2.2.4-02", "NumberOfUpdateNotifications", _counted, "the number of updates"),
        rule(
            "MQCN-2.2.4-03",
            "NumberOfUpdateNotifications",
            "==",
            1,
            "1 while Version is 2",
            ("Version", "==", 2),
        ),
        one_of("MQCN-2.2.4-04", "Version", 1, 2),
        given(
            "role",
            "MQCN-2.2.4-01",
            "Version",
            lambda m, known: m.Version == _VERSIONS.get(known.role or "", m.Version),
            "1 from a directory service and 2 from a queue manager",
        ),
        form("MQCN-2.2.4-05", "Data", "Version"),
    ),
    "NotificationUpdates": (
        leftover(
            "MQCN-2.2.4-02", "Unused", 1, "a buffer, because NumberOfUpdateNotifications counts all updates"
        ),
    ),
    "NotificationBody": (
        leftover("MQCN-2.2.5-05", "Unused", 1, "a buffer, because the text is the whole notification"),
        _text_part("MQCN-2.2.5-02", "event", "a text with an Event of 1 to 4"),
        fits(
            "MQCN-2.2.5-05",
            "Text",
            lambda b: _TEXT.fullmatch(b.Text),
            "a notification with Event, ObjectGuid and DomainController",
        ),
        _text_part("MQCN-2.2.5-07", "guid", "a text with an ObjectGuid of 8-4-4-4-12 hexadecimal digits"),
        _text_part(
            "MQCN-2.2.5-08", "server", "a text with a DomainController of 1 to 256 visible characters"
        ),
    ),
    "NotificationUpdate": (
        in_range("MQCN-2.2.6-01", "Command", 0, 2),
        *presence("NotificationUpdate.GuidIdentifier", extra="MQCN-2.2.6-02"),
        rule(
            "MQCN-2.2.6-03", "UseGuid", "==", 0, "0 without GuidIdentifier", ("GuidIdentifier", "is absent")
        ),
        fits("MQCN-2.2.6-05", "PathName", _is_path_name, "a path name of a queue"),
        rule(
            "MQCN-2.2.6-06", "PathName", "is absent", None, "absent while UseGuid is 1", ("UseGuid", "==", 1)
        ),
        count("MQCN-2.2.6-10", "NumberOfProperties", "PropertyId"),
        fits(
            "MQCN-2.2.6-11",
            "PropertyValue",
            lambda u: len(u.PropertyValue) == len(u.PropertyId),
            "as long as PropertyId",
        ),
        fits(
            "MQCN-2.2.2-01",
            "PropertyId",
            lambda u: all(by_number(identifier) for identifier in u.PropertyId),
            "identifiers of [MS-MQMQ] 2.3",
        ),
        rule("MQCN-3.3.5.2-05", "UseGuid", "==", 0, "0 for a created queue", ("Command", "==", _CREATED)),
        rule("MQCN-3.3.5.2-06", "UseGuid", "!=", 0, "1 unless Command is 0", ("Command", "!=", _CREATED)),
        fits(
            _NEW_QUEUE.required_by,
            "PropertyId",
            lambda u: not _NEW_QUEUE.missing(u.PropertyId),
            "with 101 to 114 and 1101 for a created queue",
            ("Command", "==", _CREATED),
        ),
        fits(
            _NEW_QUEUE.forbidden_by,
            "PropertyId",
            lambda u: not _NEW_QUEUE.excess(u.PropertyId),
            "without 126 for a created queue",
            ("Command", "==", _CREATED),
        ),
        fits(
            _CHANGED_QUEUE.required_by,
            "PropertyId",
            lambda u: not _about(u, ObjectClass.QUEUE) or not _CHANGED_QUEUE.missing(u.PropertyId),
            "with 115 for a changed queue",
        ),
        rule(
            _CHANGED_QUEUE.required_by,
            "PropertyId",
            "!=",
            (),
            "with 115 for a changed queue, or with 202 and 219 for a changed machine",
            ("Command", "==", _CHANGED),
        ),
        fits(
            _CHANGED_MACHINE.required_by,
            "PropertyId",
            lambda u: not _about(u, ObjectClass.MACHINE) or not _CHANGED_MACHINE.missing(u.PropertyId),
            "with 202 and 219 for a changed machine",
        ),
        rule(
            _DELETED_QUEUE.required_by,
            "PropertyId",
            "==",
            _DELETED_QUEUE.required,
            "1403 and 1404 for a deleted queue",
            ("Command", "==", _DELETED),
        ),
        fits(
            "MQCN-3.3.5.2-26",
            "PropertyValue",
            lambda u: (
                len(u.PropertyValue) != len(_DELETED_QUEUE.required) or _values(u) == _DELETED_QUEUE.fixed
            ),
            "1 and 1 for a deleted queue",
            ("Command", "==", _DELETED),
            ("PropertyId", "==", _DELETED_QUEUE.required),
        ),
    ),
}
