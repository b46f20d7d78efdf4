"""The effects of change notifications, as values; the public module is `machines.notification`.

The names are those of the events of [MS-MQDMPR] 3.1.7.1 where there is one.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from msmq_wire.documents.notification_contents import Operation
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.values.guid import GUID
from msmq_wire.values.violation import Violation


class EnqueueMessage(msgspec.Struct, frozen=True):
    """Enqueue Message ([MS-MQDMPR] 3.1.7.1.9): put a message into the queue for outgoing notifications.

    Attributes:
        queue: Format name of the destination queue.
        message: The message, unsigned.
        authentication_level: The required signature: MSMQ 1.0 or 2.0 ([MS-MQMQ] 2.5.1, 2.5.2).
    """

    queue: str
    message: UserMessage
    authentication_level: Literal["Sig10", "Sig20"]


class ReadDirectory(msgspec.Struct, frozen=True):
    """Read Directory ([MS-MQDMPR] 3.1.7.1.20): read an object, and pass the result to `resume`.

    Attributes:
        object_type: Type of the object, iDirectoryObjectType.
        identifier: The Identifier of the object, for the filter.
        attributes: The attributes to read, iAttributeList.
        server: The directory service to ask.
        operation: The operation on the object.
    """

    object_type: Literal["Queue", "QueueManager"]
    identifier: GUID
    attributes: tuple[str, ...]
    server: str
    operation: Operation


class CreateQueue(msgspec.Struct, frozen=True):
    """Create Queue ([MS-MQDMPR] 3.1.7.1.3) without changing the directory (iSkipDirectory).

    Attributes:
        attributes: Attributes of the queue by name; the others have their defaults.
        ignored: PROPIDs of the notification that were ignored.
    """

    attributes: dict[str, Any]
    ignored: tuple[int, ...] = ()


class UpdateQueue(msgspec.Struct, frozen=True):
    """Update a local queue.

    Attributes:
        identifier: Its GUID; None if only its path name is known.
        path_name: Its path name; None if its GUID is known.
        attributes: The new values by name; all others are unchanged.
        ignored: PROPIDs of the notification that were ignored.
    """

    identifier: GUID | None
    path_name: str | None
    attributes: dict[str, Any]
    ignored: tuple[int, ...] = ()


class UpdateQueueManager(msgspec.Struct, frozen=True):
    """Update the local queue manager.

    Attributes:
        identifier: The GUID in the notification; None if it names none.
        attributes: The new values by name; all others are unchanged.
        ignored: PROPIDs of the notification that were ignored.
    """

    identifier: GUID | None
    attributes: dict[str, Any]
    ignored: tuple[int, ...] = ()


class DeleteQueue(msgspec.Struct, frozen=True):
    """Delete Queue ([MS-MQDMPR] 3.1.7.1.4) without changing the directory (iSkipDirectory).

    Attributes:
        identifier: GUID of the local queue.
    """

    identifier: GUID


class Disregard(msgspec.Struct, frozen=True):
    """Disregard an update or a message.

    Attributes:
        violation: The reason: what it violates, or the requirement to disregard it.
        rest: Whether the rest of the message is disregarded too.
    """

    violation: Violation
    rest: bool = True


Effect: TypeAlias = ReadDirectory | CreateQueue | UpdateQueue | UpdateQueueManager | DeleteQueue | Disregard
"""The union of the effects of a receiver."""
