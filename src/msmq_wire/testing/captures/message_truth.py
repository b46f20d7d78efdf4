"""Interprets messages from the records that are about to be written, as ground truth.

1. The texts are composed here from the fields, without the readings of the library, because the ground truth
   is used to check these.
2. A message of the pool is sent by many queue managers, so sender, time and number are inserted for each
   sending.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from msmq_wire import mqmq
from msmq_wire.documents.propid import VARTYPE

if TYPE_CHECKING:
    from msmq_wire import GUID

__all__ = ["Message", "message_truth"]

_SENDER = "{sender}"
"""Placeholder for the queue manager that sends the message."""
_FOR_EVER = 0xFFFFFFFF
_NONE = bytes(20)


class Message(NamedTuple):
    r"""An interpreted UserMessage.

    Attributes:
        message: Its identifier: the sender's GUID, a backslash and the number.
        sent_at: Seconds since 1970.
        destination: Format name of the destination queue; None if there is none.
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

    def sent(self, sender: GUID, number: int, at: int) -> Message:
        """Return the message as sent by a queue manager, with that number, in that second."""
        guid = _guid(sender)
        return self._replace(
            message=f"{guid.lower()}\\{number}",
            sent_at=at,
            destination=_filled(self.destination, guid),
            admin_queue=_filled(self.admin_queue, guid),
            response_queue=_filled(self.response_queue, guid),
        )


def _guid(guid: GUID) -> str:
    return str(UUID(bytes_le=guid.bytes_le)).upper()


def _filled(name: str | None, sender: str) -> str | None:
    return None if name is None else name.replace(_SENDER, sender)


def message_truth(packet: Any, carries: str | None = None) -> Message:
    """Return the interpretation of a UserMessage; `Message.sent` inserts the sender.

    Args:
        packet: The message.
        carries: Name of the directory queue for which it was created.
    """
    base, user, properties = packet.BaseHeader, packet.UserHeader, packet.MessagePropertiesHeader
    receiver = _guid(user.QueueManagerAddress)
    admin_host = _SENDER if user.Flags.AQ == 2 else receiver
    return Message(
        message="",
        sent_at=0,
        destination=_queue(user.DestinationQueue, receiver),
        admin_queue=_queue(user.AdminQueue, admin_host),
        response_queue=_response(user, receiver, admin_host),
        message_class=_class(properties.MessageClass),
        label=properties.Label.partition("\0")[0],
        correlation=_correlation(properties.CorrelationID),
        time_to_reach_queue=_seconds(base.TimeToReachQueue),
        time_to_be_received=_seconds(user.TimeToBeReceived),
        priority=base.Flags.PR,
        recoverable=bool(user.Flags.DM),
        transactional=packet.TransactionHeader is not None,
        sender=_sender(packet.SecurityHeader),
        body_type=properties.BodyType,
        application_tag=properties.ApplicationTag,
        body=properties.MessageBody,
        text=_text(packet),
        carries=carries,
    )


def _queue(name: Any, host: str) -> str | None:
    match name:
        case mqmq.PublicQueueFormatName():
            return f"PUBLIC={_guid(name.PublicQueueIdentifier)}"
        case mqmq.PrivateQueueFormatName():
            return f"PRIVATE={_guid(name.SourceQueueManager)}\\{name.PrivateQueueIdentifier:08X}"
        case mqmq.PrivateQueueFormatNameId():
            return f"PRIVATE={host}\\{name.PrivateQueueIdentifier:08X}"
        case mqmq.DirectQueueFormatName():
            return f"DIRECT={name.DirectFormatName.removesuffix(chr(0))}"
    return None


def _response(user: Any, receiver: str, admin_host: str) -> str | None:
    match user.Flags.RQ:
        case 1:  # the administration queue
            return _queue(user.AdminQueue, admin_host)
        case 2:
            return _queue(user.ResponseQueue, _SENDER)
        case 4:  # on the host of the administration queue
            admin = _queue(user.AdminQueue, admin_host) or ""
            host = admin.removeprefix("PRIVATE=").partition("\\")[0] if admin.startswith("PRIVATE=") else None
            return None if host is None else _queue(user.ResponseQueue, host)
    return _queue(user.ResponseQueue, receiver)


def _class(number: int) -> str:
    named = {int(member): member.name for member in mqmq.MESSAGE_CLASS_VALUES}
    return named.get(number, str(number))


def _correlation(raw: bytes) -> str | None:
    return None if raw == _NONE else f"{UUID(bytes_le=raw[:16])}\\{int.from_bytes(raw[16:], 'little')}"


def _seconds(number: int) -> int | None:
    return None if number == _FOR_EVER else number


def _sender(header: Any) -> str | None:
    raw = b"" if header is None or header.SecurityData is None else header.SecurityData.SecurityID
    if raw and header.Flags.ST == 2 and len(raw) == 16:
        return str(UUID(bytes_le=raw))
    if raw and header.Flags.ST == 1 and raw[0] == 1 and raw[1] < 16 and len(raw) == 8 + 4 * raw[1]:
        parts = struct.unpack(f"<{raw[1]}I", raw[8:])
        authority = f"0x{raw[2:8].hex()}" if any(raw[2:4]) else int.from_bytes(raw[4:8], "big")
        return "-".join(map(str, ("S-1", authority, *parts)))
    return None


def _text(packet: Any) -> str | None:
    properties, security = packet.MessagePropertiesHeader, packet.SecurityHeader
    if properties.BodyType not in {VARTYPE.VT_BSTR, VARTYPE.VT_LPWSTR} or (
        security is not None and security.Flags.EB
    ):
        return None
    written: str = properties.MessageBody.decode("utf-16-le")
    return written
