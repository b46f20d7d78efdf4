"""[MS-MQCN]: change notification; the records as on the page, and their codec."""

from __future__ import annotations

from .packets.directory.notification import (
    ChangeNotificationMessage,
    NotificationBody,
    NotificationEvent,
    NotificationUpdate,
    NotificationUpdates,
    decode,
    decode_lax,
    encode,
    wrap,
)

__all__ = [
    "ChangeNotificationMessage",
    "NotificationBody",
    "NotificationEvent",
    "NotificationUpdate",
    "NotificationUpdates",
    "decode",
    "decode_lax",
    "encode",
    "wrap",
]
