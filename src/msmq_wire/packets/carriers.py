"""Directory messages inside messages: detecting the UserMessages that carry one, and building them.

1. The destination queue decides: the replication queue of [MC-MQDSRP] 1.9 or the notification queue of
   [MS-MQCN] 1.9, by its private number or its path name.  No document prescribes a label.
2. Only messages of the class Normal carry directory messages, and negative acknowledgments in the replication
   queue, which return the original message ([MC-MQDSRP] 3.1.5.1).
3. Messages are built as [MC-MQDSRP] 3.1.7.2.1 and [MS-MQCN] 3.3.5.3 prescribe, except for the signature,
   which needs a key.  Sign the message and add the signature with `replace`.
4. A directory queue is addressed by the GUID of its queue manager or by the name of its machine; both kinds
   of messages accept either.
5. The caller provides the message number and the time of sending.
"""

from __future__ import annotations

import enum
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.documents.mqmq import (
    BaseHeader,
    BaseHeaderFlags,
    DirectQueueFormatName,
    MessagePropertiesHeader,
    MessagePropertiesHeaderFlags,
    PrivateQueueFormatName,
    PrivateQueueFormatNameId,
    SecurityData,
    SecurityHeader,
    SecurityHeaderFlags,
    UserHeader,
)
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.errors import EncodeError, WrongTypeError, need, wrong_type, wrong_value
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.numbers import FOREVER, SENT_BY_QUEUE_MANAGER

if TYPE_CHECKING:
    import uuid

__all__ = ["NACKS", "Address", "Delivery", "DirectoryQueue", "address_of", "carrier", "carries", "queue_of"]


class DirectoryQueue(enum.Enum):
    """The destination queues of directory messages, each with its private number and its path name."""

    REPLICATION = (1, "\\private$\\mqis_queue$")
    NOTIFICATION = (3, "\\private$\\notify_queue$")

    @property
    def number(self) -> int:
        """Number of the private queue, the same in every queue manager."""
        return self.value[0]

    @property
    def path(self) -> str:
        """Path name without the computer's name."""
        return self.value[1]


_BY_NUMBER = {queue.number: queue for queue in DirectoryQueue}
_BY_PATH = tuple((queue.path, queue) for queue in DirectoryQueue)
NORMAL = int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_NORMAL)
NACKS = range(
    int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q),
    int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_RECEIVE_REJECTED),
)
"""The negative classes that return a replication message ([MC-MQDSRP] 3.1.5.1, errata D62)."""


def queue_of(message: Any) -> DirectoryQueue | None:
    """The directory queue that is the destination of a message, or None."""
    try:
        queue = message.UserHeader.DestinationQueue
    except AttributeError:
        raise WrongTypeError(wrong_type("a message", message)) from None
    if isinstance(queue, (PrivateQueueFormatNameId, PrivateQueueFormatName)):
        return _BY_NUMBER.get(queue.PrivateQueueIdentifier)
    if isinstance(queue, DirectQueueFormatName):
        name = queue.DirectFormatName.removesuffix("\0")
        if name[-1:] != "$":  # as most names
            return None
        name = name.lower()
        for path, directory_queue in _BY_PATH:
            if name.endswith(path):
                return directory_queue
    return None


def carries(message: Any) -> DirectoryQueue | None:
    """The directory queue whose messages a UserMessage carries, by its destination, class and body.

    None for other messages.  `carried_by` decodes the carried message.
    """
    queue = queue_of(message)
    properties = message.MessagePropertiesHeader
    if queue is None:
        return None
    if properties.MessageClass != NORMAL and (
        queue is DirectoryQueue.NOTIFICATION or properties.MessageClass not in NACKS
    ):
        return None
    if queue is DirectoryQueue.REPLICATION and not properties.MessageBody:
        return None
    return queue


class Delivery(NamedTuple):
    """Delivery options of a directory message.

    Attributes:
        time_to_reach_queue: In seconds.
        hash_algorithm: The ALG_ID for the signature.
        time_to_be_received: In seconds; infinite if the document prescribes nothing.
        priority: 0 to 7; the default if the document prescribes nothing.
        negative_acknowledgment: Whether a failure to reach the queue is reported.
        reply_queue: Queue for acknowledgments and responses, as a format name, or None.
    """

    time_to_reach_queue: int
    hash_algorithm: int
    time_to_be_received: int = FOREVER
    priority: int = 3
    negative_acknowledgment: bool = False
    reply_queue: str | None = None


class Address(NamedTuple):
    """The destination of a directory message.

    Attributes:
        queue: Format name of the directory queue.
        manager: Its queue manager; the null GUID if only the name of the machine is known.
    """

    queue: str
    manager: GUID


_MACHINE = re.compile(r"[!-\[\]-~]{1,256}")  # [MC-MQDSRP] 3.1.1.2.1; a backslash separates the queue name


def is_machine_name(name: str) -> bool:
    """Return whether a text can be the name of a machine in the path name of a queue."""
    return _MACHINE.fullmatch(name) is not None


def address_of(queue: DirectoryQueue, destination: GUID | uuid.UUID | str) -> Address:
    """The address of a directory queue: by its number at a queue manager, or by its path name at a machine.

    Args:
        queue: The directory queue.
        destination: The GUID of a queue manager, or the name of its machine.  Text in the form of a GUID is a
            GUID.

    Raises:
        EncodeError: The destination is neither.
    """
    need("queue", queue, DirectoryQueue, "a DirectoryQueue")
    try:
        manager = GUID.of(destination)
    except EncodeError:
        if not isinstance(destination, str) or not is_machine_name(destination):
            raise EncodeError(
                wrong_value("a GUID or the name of a machine", destination),
                structure="UserHeader",
                path="UserMessage.UserHeader.DestinationQueue",
                expected="a GUID, or 1 to 256 visible ASCII characters without a backslash",
                actual=destination,
            ) from None
        return Address(f"DIRECT=OS:{destination}{queue.path}", NULL_GUID)
    return Address(f"PRIVATE={manager}\\{queue.number:08X}", manager)


def carrier(
    body: bytes,
    delivery: Delivery,
    *,
    destination: Address,
    queue_manager: GUID | uuid.UUID | str,
    identified: bool,
    message_id: int,
    sent_time: int,
) -> UserMessage:
    """Build the unsigned UserMessage that carries a directory message.

    Args:
        body: The message's bytes.
        delivery: The delivery options.
        destination: The destination.
        queue_manager: The sending queue manager.
        identified: Whether the message identifies its sender.
        message_id: Number of the message.
        sent_time: Seconds since 1970.

    Raises:
        EncodeError: A value does not fit its field.
        WrongTypeError: The options or the destination have another type.
    """
    need("delivery", delivery, Delivery, "a Delivery")
    need("destination", destination, Address, "an Address")
    sender = GUID.of(queue_manager)
    security = None
    if identified:
        # The type is explicit, because some GUIDs look like a SID.
        flags = SecurityHeaderFlags(ST=SENT_BY_QUEUE_MANAGER)
        security = SecurityHeader(Flags=flags, SecurityData=SecurityData(SecurityID=sender.bytes_le))
    return UserMessage(
        BaseHeader=BaseHeader(
            Flags=BaseHeaderFlags(PR=delivery.priority), TimeToReachQueue=delivery.time_to_reach_queue
        ),
        UserHeader=UserHeader(
            SourceQueueManager=sender,
            QueueManagerAddress=destination.manager,
            TimeToBeReceived=delivery.time_to_be_received,
            SentTime=sent_time,
            MessageID=message_id,
            DestinationQueue=destination.queue,
            AdminQueue=delivery.reply_queue,
            ResponseQueue=delivery.reply_queue,
        ),
        SecurityHeader=security,
        MessagePropertiesHeader=MessagePropertiesHeader(
            Flags=MessagePropertiesHeaderFlags(NA=int(delivery.negative_acknowledgment)),
            MessageClass=NORMAL,
            HashAlgorithm=delivery.hash_algorithm,
            MessageBody=body,
        ),
    )
