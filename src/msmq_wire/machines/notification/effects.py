"""What sender and receiver of a change notification do, as values; users find them in `change_notification`.

The names are those of the events of [MS-MQDMPR] 3.1.7.1 where there is one.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from msmq_wire.documents.notification_contents import Operation
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.values.guid import GUID

__all__ = [
    "CreateQueue",
    "DeleteQueue",
    "Disregard",
    "Effect",
    "EnqueueMessage",
    "ReadDirectory",
    "UpdateQueue",
    "UpdateQueueManager",
]


class EnqueueMessage(msgspec.Struct, frozen=True):
    """Enqueue Message ([MS-MQDMPR] 3.1.7.1.9): put a message into the queue for outgoing notifications.

    Attributes:
        queue: Format name of the destination queue.
        message: The message, unsigned.
        authentication_level: How it is to be signed: by MSMQ 1.0 or 2.0 ([MS-MQMQ] 2.5.1, 2.5.2).
    """

    queue: str
    message: UserMessage
    authentication_level: Literal["Sig10", "Sig20"]


class ReadDirectory(msgspec.Struct, frozen=True):
    """Read Directory ([MS-MQDMPR] 3.1.7.1.20): read an object, and go on with `resume`.

    Attributes:
        object_type: Type of the object, iDirectoryObjectType.
        identifier: The object: the filter is that its Identifier equals this.
        attributes: What to read of it, iAttributeList.
        server: The directory service to ask.
        operation: What happened to the object.
    """

    object_type: Literal["Queue", "QueueManager"]
    identifier: GUID
    attributes: tuple[str, ...]
    server: str
    operation: Operation


class CreateQueue(msgspec.Struct, frozen=True):
    """Create Queue ([MS-MQDMPR] 3.1.7.1.3) without telling the directory (iSkipDirectory).

    Attributes:
        attributes: Attributes of the queue by name; the others have their defaults.
        ignored: PROPIDs of the notification that were not taken over.
    """

    attributes: dict[str, Any]
    ignored: tuple[int, ...] = ()


class UpdateQueue(msgspec.Struct, frozen=True):
    """Give a local queue new values.

    Attributes:
        identifier: Its GUID; None if only its path name is known.
        path_name: Its path name; None if its GUID is known.
        attributes: The new values by name; what is not there stays as it is.
        ignored: PROPIDs of the notification that were not taken over.
    """

    identifier: GUID | None
    path_name: str | None
    attributes: dict[str, Any]
    ignored: tuple[int, ...] = ()


class UpdateQueueManager(msgspec.Struct, frozen=True):
    """Give the local queue manager new values.

    Attributes:
        identifier: The GUID in the notification; None if it names none.
        attributes: The new values by name; what is not there stays as it is.
        ignored: PROPIDs of the notification that were not taken over.
    """

    identifier: GUID | None
    attributes: dict[str, Any]
    ignored: tuple[int, ...] = ()


class DeleteQueue(msgspec.Struct, frozen=True):
    """Delete Queue ([MS-MQDMPR] 3.1.7.1.4) without telling the directory (iSkipDirectory).

    Attributes:
        identifier: GUID of the local queue.
    """

    identifier: GUID


class Disregard(msgspec.Struct, frozen=True):
    """Do nothing about an update, or about a message.

    Attributes:
        reason: Why, in one sentence.
        requirement: Id of the requirement that has it disregarded, or that it breaks.
        rest: Whether the rest of the message is disregarded too.
    """

    reason: str
    requirement: str
    rest: bool = True


Effect: TypeAlias = ReadDirectory | CreateQueue | UpdateQueue | UpdateQueueManager | DeleteQueue | Disregard
"""What the receiver of a notification does."""
