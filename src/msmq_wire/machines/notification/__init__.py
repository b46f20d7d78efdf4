"""Change notification as pure functions: [MS-MQCN] section 3.

- `machine`: what a sender prepares, and what a receiver does.
- `effects`: what a receiver asks its surroundings to do.
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
