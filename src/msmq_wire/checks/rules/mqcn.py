"""[MS-MQCN] 2.2 and 3.3.5: change notifications.

1. The errata decide ambiguous statements: tags in any case and with spaces C1 to C3, what may follow the text
   C4, a name that ends at the first closing tag C5, PathName of machines C14.
2. A version 1 notification for a queue is distinguished from one for a machine by its properties.
3. The directory message in a UserMessage is validated too; its offsets count from the start of the packet.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msmq_wire.definitions.properties import ObjectClass
from msmq_wire.documents.notification_contents import CONTENTS, Content, Operation
from msmq_wire.documents.notification_text import EVENT, OBJECT_GUID, SERVER, TAGS
from msmq_wire.documents.propid import breach, by_name, by_number, is_allowed_by_sdk

from .vocabulary import (
    NAMES_OF_SDK,
    RawViolation,
    Rule,
    RuleFunction,
    count,
    fits,
    form,
    given,
    identifies,
    in_range,
    leftover,
    one_of,
    practice,
    presence,
    rule,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_TEXT = re.compile(
    (
        r"{Notification}{Event}(?P<event>[^<]*){/Event}{ObjectGuid}(?P<guid>[^<]*){/ObjectGuid}"
        r"{DomainController}(?P<server>(?:(?!{/DomainController}).)*){/DomainController}{/Notification}\0?"
    ).format_map({name: tag.pattern for name, tag in TAGS.items()}),
    re.IGNORECASE | re.ASCII | re.DOTALL,
)
_PARTS = {"event": EVENT, "guid": OBJECT_GUID, "server": SERVER}
_VERSIONS = {"directory": 1, "queue manager": 2}
_NEW_QUEUE = CONTENTS[Operation.QueueCreation]
_CHANGED_QUEUE = CONTENTS[Operation.QueueUpdate]
_CHANGED_MACHINE = CONTENTS[Operation.QueueManagerUpdate]
_DELETED_QUEUE = CONTENTS[Operation.QueueDeletion]
_CHANGES = {content.object_class: content for content in (_CHANGED_QUEUE, _CHANGED_MACHINE)}
_IDENTIFIERS = ("PropertyId",)
_MACHINE_ID = _CHANGED_MACHINE.required[0]
_CREATED, _CHANGED, _DELETED = _NEW_QUEUE.command, _CHANGED_QUEUE.command, _DELETED_QUEUE.command


# -------------------------------------------------------------------------------------- conditions


def _text_part(requirement: str, part: str, allowed: str) -> Rule:
    """Return a rule for one part of a text that has all its tags."""

    def holds(body: Any) -> bool:
        match = _TEXT.fullmatch(body.Text)
        return match is None or _PARTS[part].fullmatch(match[part]) is not None

    return fits(requirement, "Text", holds, allowed)


def _names_object(body: Any) -> bool:
    """Return whether the GUID is not null; other rules report what is no GUID."""
    match = _TEXT.fullmatch(body.Text)
    return (
        match is None or not OBJECT_GUID.fullmatch(match["guid"]) or any(c not in "0-" for c in match["guid"])
    )


def _is_path_name(update: Any) -> bool:
    property_row = by_name("PROPID_Q_PATHNAME")
    return update.PathName is None or property_row is None or breach(property_row, update.PathName) is None


def _is_path_name_of_sdk(update: Any) -> bool:
    property_row = by_name("PROPID_Q_PATHNAME")
    return _is_path_name(update) or (
        property_row is not None and is_allowed_by_sdk(property_row, update.PathName)
    )


def _content(update: Any) -> Content | None:
    """Return the contents that an update of a queue or machine may have; for a change, by its first property.

    The properties of a deletion have a fixed order, so other rules check them.
    """
    if update.Command == _CREATED:
        return _NEW_QUEUE
    first = by_number(update.PropertyId[0]) if update.Command == _CHANGED and update.PropertyId else None
    return None if first is None else _CHANGES.get(first.object_class)


def _contents(update: Any) -> Iterator[RawViolation]:
    """Yield properties that are missing in an update or may not be there, by name."""
    content = _content(update)
    if content is None:
        return
    identifiers = update.PropertyId
    missing = content.missing(identifiers)
    excess = [number for number in content.excess(identifiers) if by_number(number)]  # the others are unknown
    if missing:
        yield RawViolation(content.required_by, _IDENTIFIERS, identifiers, f"with {_names(missing)}")
    if excess:
        yield RawViolation(content.forbidden_by, _IDENTIFIERS, identifiers, f"without {_names(excess)}")
    if content is _CHANGED_MACHINE and update.GuidIdentifier is not None:
        for number, value in zip(identifiers, update.PropertyValue, strict=False):
            if number == _MACHINE_ID and value.value != update.GuidIdentifier:
                allowed = f"{value.value}, as PROPID_QM_MACHINE_ID"
                yield RawViolation("MQCN-3.3.5.2-09", ("GuidIdentifier",), update.GuidIdentifier, allowed)


def _names(identifiers: Iterable[int]) -> str:
    return ", ".join(listed.name for number in identifiers if (listed := by_number(number)) is not None)


def _is_about(*classes: ObjectClass) -> Callable[[Any], bool]:
    """Return whether the first property is of these; other rules say whether there is one, and is known."""

    def holds(update: Any) -> bool:
        first = by_number(update.PropertyId[0]) if update.PropertyId else None
        return first is None or first.object_class in classes

    return holds


def _has_updates(message: Any) -> bool:
    return getattr(message.Data, "Updates", None) != ()


def _deleted(update: Any) -> Iterator[RawViolation]:
    """Yield wrong values of a deleted queue, which has two properties in a fixed order."""
    if update.Command != _DELETED or update.PropertyId != _DELETED_QUEUE.required:
        return
    for index, (value, fixed) in enumerate(zip(update.PropertyValue, _DELETED_QUEUE.fixed, strict=False)):
        if value.value != fixed:
            steps = "PropertyValue", index
            yield RawViolation("MQCN-3.3.5.2-26", steps, value.value, f"{fixed} for a deleted queue")


def _counted(message: Any) -> bool:
    updates = getattr(message.Data, "Updates", None)
    return updates is None or message.NumberOfUpdateNotifications == len(updates)


# ------------------------------------------------------------------------------------------- rules

RULES: dict[str, tuple[Rule, ...]] = {
    "ChangeNotificationMessage": (
        fits("MQCN-3.3.5.2-01", "Data", _has_updates, "one update or more"),
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
            lambda m, context: m.Version == _VERSIONS.get(context.role or "", m.Version),
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
        fits("MQCN-2.2.5-03", "Text", _names_object, "a text with the ObjectGuid of an object"),
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
        fits("MQCN-2.2.6-05", "PathName", _is_path_name_of_sdk, "a path name of a queue"),
        practice(
            fits("MQCN-2.2.6-05", "PathName", _is_path_name, "a path name of a queue"),
            erratum="M47",
            known=NAMES_OF_SDK,
        ),
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
        identifies("MQCN-2.2.6-07", "GuidIdentifier", "the object"),
        identifies("MQCN-3.3.5.2-10", "GuidMasterId", "the directory service"),
        rule("MQCN-3.3.5.2-05", "UseGuid", "==", 0, "0 for a created queue", ("Command", "==", _CREATED)),
        rule("MQCN-3.3.5.2-06", "UseGuid", "!=", 0, "1 unless Command is 0", ("Command", "!=", _CREATED)),
        rule(
            _CHANGED_QUEUE.required_by,
            "PropertyId",
            "!=",
            (),
            "with 115 for a changed queue, or with 202 and 219 for a changed machine",
            ("Command", "==", _CHANGED),
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
            "MQCN-3.3.5.2-02",
            "PropertyId",
            lambda u: _is_about(ObjectClass.QUEUE)(u) or _NEW_QUEUE.missing(u.PropertyId),
            "begun by a property of a queue, because Command is 0",
            ("Command", "==", _CREATED),
        ),
        fits(
            "MQCN-3.3.5.2-03",
            "PropertyId",
            _is_about(ObjectClass.QUEUE, ObjectClass.MACHINE),
            "begun by a property of a queue or of a machine, because Command is 1",
            ("Command", "==", _CHANGED),
        ),
    ),
}

RULE_FUNCTIONS: Mapping[str, tuple[RuleFunction, ...]] = {"NotificationUpdate": (_contents, _deleted)}
FUNCTION_IDS: Mapping[str, frozenset[str]] = {
    "NotificationUpdate": frozenset({"MQCN-3.3.5.2-09", "MQCN-3.3.5.2-26"}).union(
        {row.required_by for row in (_NEW_QUEUE, *_CHANGES.values())},
        {row.forbidden_by for row in (_NEW_QUEUE, *_CHANGES.values())},
    )
}
