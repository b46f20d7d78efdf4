"""The text of a Notification Body ([MS-MQCN] 2.2.5): lenient decoding, strict encoding.

1. Tags are case-insensitive and may have spaces before ``>`` (errata C1, C3); the digits of the identifier
   are case-insensitive.  Encoding uses the case of the document and no spaces.
2. The tag is ``DomainController`` (errata C2); its content ends at the first closing tag (errata C5).
   Encoding rejects ``<`` and all other characters that the grammar does not allow there.
3. After the closing tag there may be one WCHAR 0x0000 and nothing else (errata C4).  Encoding adds none.
4. An error has the offset at which the text stops being a notification.
"""

from __future__ import annotations

import enum
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from msmq_wire.values.errors import DecodeError, EncodeError, wrong_type, wrong_value
from msmq_wire.values.guid import GUID
from msmq_wire.values.refusals import Problem, say
from msmq_wire.values.wchar import wchar_count

if TYPE_CHECKING:
    import uuid

__all__ = [
    "EVENT",
    "OBJECT_GUID",
    "SERVER",
    "TAGS",
    "Notification",
    "NotificationEvent",
    "notification_text",
    "parse_notification",
]


class NotificationEvent(enum.IntEnum):
    """The events of notifications; the document defines the numbers, this library the names."""

    QUEUE_CREATED = 1
    QUEUE_CHANGED = 2
    QUEUE_DELETED = 3
    MACHINE_CHANGED = 4


class Notification(NamedTuple):
    """The contents of the text of a notification.

    Attributes:
        event: The event.
        object_guid: The queue or queue manager of the event.
        domain_controller: The directory server of the event.
        end: The number of characters of the notification, including a terminator.
    """

    event: NotificationEvent
    object_guid: GUID
    domain_controller: str
    end: int


_EVENTS = frozenset(map(int, NotificationEvent))
_MOST_CHARACTERS = 256
_SHOWN = 24
EVENT: Final = re.compile("[1-4]")
OBJECT_GUID: Final = re.compile("[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}", re.IGNORECASE | re.ASCII)
SERVER: Final = re.compile(rf"[\x21-\x7e]{{1,{_MOST_CHARACTERS}}}")
"""The name of a directory server; one with ``<`` can be read, and is not written (errata C5)."""
TAGS: Final = {
    name: re.compile(f"<{name} *>", re.IGNORECASE | re.ASCII)
    for tag in ("Notification", "Event", "ObjectGuid", "DomainController")
    for name in (tag, "/" + tag)
}
"""The tags in any case, and with spaces at the end (errata C1, C3)."""
_PROBLEMS = {
    "event from 1 to 4": Problem.EVENT,
    "</Event>": Problem.EVENT,
    "GUID": Problem.OBJECT_GUID,
    "</ObjectGuid>": Problem.OBJECT_GUID,
}
"""The problem, by the expected part."""


class _Cursor:
    """A position in the text, while it is decoded."""

    def __init__(self, text: str, path: str, offset: int) -> None:
        self.text = text
        self.path = path
        self.offset = offset
        self.at = 0

    def take(self, pattern: re.Pattern[str], expected: str) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            self.refuse(expected)
        self.at = match.end()
        return match.group()

    def tag(self, name: str) -> None:
        self.take(TAGS[name], f"<{name}>")

    def until(self, name: str) -> str:
        match = TAGS[name].search(self.text, self.at)
        if match is None:
            self.refuse(f"<{name}>", " from here on")
        content = self.text[self.at : match.start()]
        self.at = match.end()
        return content

    def refuse(self, expected: str, where: str = "") -> NoReturn:
        actual = self.text[self.at : self.at + _SHOWN]
        raise DecodeError(
            say(_PROBLEMS.get(expected, Problem.VALUE), expected + where, repr(actual)),
            structure="NotificationBody",
            path=self.path,
            offset=self.offset + 2 * wchar_count(self.text[: self.at]),
            expected=expected,
            actual=actual,
        )


def parse_notification(
    text: str, *, path: str = "NotificationBody.Text", offset: int = 0, whole: bool = True
) -> Notification:
    """Read the text of a notification.

    Args:
        text: The text.
        path: Path of the field that holds it, for errors.
        offset: Where the field starts, in bytes, for errors.
        whole: Whether anything but a terminator after the notification is an error.

    Raises:
        DecodeError: The text is not a notification.
    """
    cursor = _Cursor(text, path, offset)
    cursor.tag("Notification")
    cursor.tag("Event")
    event = NotificationEvent(int(cursor.take(EVENT, "event from 1 to 4")))
    cursor.tag("/Event")
    cursor.tag("ObjectGuid")
    identifier = GUID.of(cursor.take(OBJECT_GUID, "GUID"))
    cursor.tag("/ObjectGuid")
    cursor.tag("DomainController")
    name = cursor.until("/DomainController")
    cursor.tag("/Notification")
    if text.startswith("\0", cursor.at):
        cursor.at += 1
    if whole and cursor.at != len(text):
        cursor.refuse("nothing, or one terminator", " behind the end")
    return Notification(event, identifier, name, cursor.at)


def notification_text(
    event: NotificationEvent | int, object_guid: GUID | uuid.UUID | str | bytes, domain_controller: str
) -> str:
    """Write the text of a notification.

    Raises:
        EncodeError: The event is not 1 to 4, the identifier is not a GUID, or the name has not 1 to 256
            visible ASCII characters without ``<``.
    """
    if not isinstance(event, int) or event not in _EVENTS:
        _unfit("Event", wrong_value("an event from 1 to 4", event), "1 to 4", event)
    try:
        identifier = GUID.of(object_guid)
    except EncodeError as error:
        _unfit("ObjectGuid", error.problem, error.expected, object_guid)
    expected = f"1 to {_MOST_CHARACTERS} visible ASCII characters without <"
    if not isinstance(domain_controller, str):
        _unfit("DomainController", wrong_type("text", domain_controller), expected, domain_controller)
    if not _is_allowed(domain_controller):
        _unfit("DomainController", _fault(domain_controller), expected, domain_controller)
    return (
        f"<Notification><Event>{int(event)}</Event><ObjectGuid>{str(identifier).upper()}</ObjectGuid>"
        f"<DomainController>{domain_controller}</DomainController></Notification>"
    )


def _is_allowed(name: str) -> bool:
    return SERVER.fullmatch(name) is not None and "<" not in name


def _fault(name: str) -> str:
    if not 1 <= len(name) <= _MOST_CHARACTERS:
        return f"has {len(name)} characters"
    at = next(at for at, character in enumerate(name) if not _is_allowed(character))
    return f"has {name[at]!r} at {at}, which the grammar does not allow"


def _unfit(part: str, problem: str, expected: object, actual: Any) -> NoReturn:
    raise EncodeError(
        problem,
        structure="NotificationBody",
        path=f"NotificationBody.Text.{part}",
        expected=expected,
        actual=actual,
    )
