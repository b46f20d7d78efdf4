"""[MS-MQCN]: change notification.  One record class a structure, named as on the page."""

from __future__ import annotations

from . import _layout
from ._record import Record
from .c_mqcn import MQCN

_layout.load(MQCN)

__all__ = ["ChangeNotificationMessage", "NotificationBody", "NotificationUpdate", "NotificationUpdates"]


class NotificationBody(Record):
    """A queue manager's notification, as text."""


class NotificationUpdate(Record):
    """One change of a queue or a machine; byte for byte a `mqdsrp.DirectoryChange`."""


class NotificationUpdates(Record):
    """The updates of one message of version 1."""


class ChangeNotificationMessage(Record):
    """Tells a queue manager what changed in the directory."""
