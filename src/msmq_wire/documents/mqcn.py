"""The record classes of [MS-MQCN]; users find them in `mqcn`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.definitions.c_mqcn import MQCN
from msmq_wire.records import model as _layout
from msmq_wire.records.record import Record

from . import notification_text

if TYPE_CHECKING:
    import uuid

    from msmq_wire.values.guid import GUID

__all__ = [
    "ChangeNotificationMessage",
    "NotificationBody",
    "NotificationUpdate",
    "NotificationUpdates",
]

_layout.load(MQCN)


class NotificationBody(Record):
    """A queue manager's notification, as text."""

    @classmethod
    def of(
        cls,
        event: notification_text.NotificationEvent | int,
        object_guid: GUID | uuid.UUID | str | bytes,
        domain_controller: str,
    ) -> NotificationBody:
        """Make the body that says what happened to which object.

        Args:
            event: What happened; 4 is about a queue manager, the others about a queue.
            object_guid: The queue or queue manager.
            domain_controller: The directory server where it happened.

        Raises:
            EncodeError: The event is not 1 to 4, the identifier is no GUID, or the name has not 1 to 256
                visible ASCII characters without ``<``, which would end it (errata C5).
        """
        text = notification_text.notification_text(event, object_guid, domain_controller)
        made: NotificationBody = cls.raw(text, b"")
        return made


class NotificationUpdate(Record):
    """One change of a queue or a machine; byte for byte a `mqdsrp.DirectoryChange`."""


class NotificationUpdates(Record):
    """The updates of one message of version 1."""


class ChangeNotificationMessage(Record):
    """Tells a queue manager what changed in the directory."""
