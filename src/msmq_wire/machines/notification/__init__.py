"""Change notification as pure functions: [MS-MQCN] section 3.

- `machine`: preparing and processing notifications.
- `effects`: the effects of a receiver.
"""

from __future__ import annotations

from .machine import (
    CreateQueue,
    DeleteQueue,
    Disregard,
    Effect,
    EnqueueMessage,
    Operation,
    ReadDirectory,
    UpdateQueue,
    UpdateQueueManager,
    notification_update,
    prepare_version_1,
    prepare_version_2,
    process,
    receive,
    resume,
    send,
)

__all__ = [
    "CreateQueue",
    "DeleteQueue",
    "Disregard",
    "Effect",
    "EnqueueMessage",
    "Operation",
    "ReadDirectory",
    "UpdateQueue",
    "UpdateQueueManager",
    "notification_update",
    "prepare_version_1",
    "prepare_version_2",
    "process",
    "receive",
    "resume",
    "send",
]
