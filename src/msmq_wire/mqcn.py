"""[MS-MQCN]: change notifications; one record class for each structure, and the codec."""

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
