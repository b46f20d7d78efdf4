"""Interprets messages from the records that are about to be written, as ground truth.

1. The values are those of the columns of `messages` for the record, before it was encoded, captured and
   reassembled.  The columns themselves are tested with values from the documents.
2. A message of the pool is sent by many queue managers, so sender, time and number are inserted for each
   sending.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import msgspec

from msmq_wire.arrow.messages import MESSAGES
from msmq_wire.documents.propid import VARTYPE
from msmq_wire.values.guid import GUID, NULL_GUID

_SENDER: Final = "{sender}"
"""Placeholder for the queue manager that sends the message, in texts."""
_RECEIVER: Final = "{receiver}"
"""Placeholder for the queue manager that a transactional message is for."""
_MARKS: Final = {_SENDER: GUID(b"\x5e" * 16), _RECEIVER: GUID(b"\x5d" * 16)}
"""The same in records."""
_QUEUES: Final = ("destination", "admin_queue", "response_queue")
_TEXTS: Final = frozenset({VARTYPE.VT_BSTR, VARTYPE.VT_LPWSTR})


class Message(NamedTuple):
    r"""An interpreted UserMessage.

    Attributes:
        message: Its identifier: the sender's GUID, a backslash and the number.
        sent_at: Seconds since 1970.
        destination: Format name of the destination queue, of several the first; None if there is none.
        admin_queue: The same of the administration queue.
        response_queue: The same of the response queue.
        message_class: Name of the class, or its number.
        label: The label, without its terminator.
        correlation: Identifier of the message to which it refers; None if zero.
        time_to_reach_queue: Seconds; None for infinite.
        time_to_be_received: Seconds; None for infinite.
        priority: From 0 to 7.
        recoverable: Whether it survives a restart.
        transactional: Whether it belongs to a transaction.
        sender: GUID or SID of the sender; None if the message does not contain it.
        body_type: Number of the body's type.
        application_tag: The application's number.
        body: The body.
        text: The body as text, if it is text.
        carries: Name of the directory queue for which it is; None for other messages.
    """

    message: str
    sent_at: int
    destination: str | None
    admin_queue: str | None
    response_queue: str | None
    message_class: str
    label: str
    correlation: str | None
    time_to_reach_queue: int | None
    time_to_be_received: int | None
    priority: int
    recoverable: bool
    transactional: bool
    sender: str | None
    body_type: int
    application_tag: int
    body: bytes
    text: str | None
    carries: str | None

    def sent(self, sender: GUID, number: int, at: int, receiver: GUID | None = None) -> Message:
        """Return the message as sent by a queue manager to another, with that number, in that second."""
        guid = _guid(sender)
        managers = {_SENDER: guid, _RECEIVER: "" if receiver is None else _guid(receiver)}
        return self._replace(
            message=f"{guid.lower()}\\{number}",
            sent_at=at,
            destination=_filled(self.destination, managers),
            admin_queue=_filled(self.admin_queue, managers),
            response_queue=_filled(self.response_queue, managers),
        )


def is_stamped(message: Any) -> bool:
    """Return whether the queue manager that a message is for is inserted, too: it acknowledges it."""
    return message.TransactionHeader is not None and message.UserHeader.QueueManagerAddress != NULL_GUID


def _guid(guid: GUID) -> str:
    return str(guid).upper()


def _filled(name: str | None, texts: dict[str, str]) -> str | None:
    if name is None:
        return None
    for old, new in texts.items():
        name = name.replace(old, new)
    return name


def message_truth(packet: Any, carries: str | None = None) -> Message:
    """Return the interpretation of a UserMessage; `Message.sent` inserts the queue managers.

    Args:
        packet: The message.
        carries: Name of the directory queue for which it was created.
    """
    replace, header = msgspec.structs.replace, packet.UserHeader
    managers = {"SourceQueueManager": _MARKS[_SENDER]}
    if is_stamped(packet):
        managers["QueueManagerAddress"] = _MARKS[_RECEIVER]
    row = MESSAGES.row(replace(packet, UserHeader=replace(header, **managers)))
    texts = {_guid(mark): text for text, mark in _MARKS.items()}
    row |= {name: _filled(row[name], texts) for name in _QUEUES}
    if row["body_type"] not in _TEXTS:
        row["text"] = None
    row |= {"message": "", "sent_at": 0, "carries": carries}
    return Message(*(row[name] for name in Message._fields))
