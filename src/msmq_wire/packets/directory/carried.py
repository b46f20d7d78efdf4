"""Decoding the directory message that a UserMessage carries; `carriers` detects these messages."""

from __future__ import annotations

from typing import Any

from msmq_wire.documents.readings import is_encrypted
from msmq_wire.packets.carriers import DirectoryQueue, carries
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.refusals import Problem, say

from . import notification as mqcn
from . import replication as mqdsrp


def carried_by(message: Any) -> Any:
    """The replication message or change notification that a UserMessage carries.

    Args:
        message: A UserMessage.

    Returns:
        One of the eight messages of `mqdsrp`, a `mqcn.ChangeNotificationMessage`, or None if the queue, the
        class or, in the replication queue, an empty body shows that the message carries none.

    Raises:
        DecodeError: The message should carry one, but its body cannot be decoded.  Offsets count from the
            beginning of the body.
    """
    queue = carries(message)
    return None if queue is None else read_carried(message, queue)


def read_carried(message: Any, queue: DirectoryQueue) -> Any:
    """Like `carried_by`, for a queue that `carries` has returned."""
    properties = message.MessagePropertiesHeader
    if is_encrypted(message):
        raise DecodeError(
            say(Problem.VALUE, "an unencrypted body", "an encrypted one"),
            structure="MessagePropertiesHeader",
            path="UserMessage.MessagePropertiesHeader.MessageBody",
            offset=0,
            expected="an unencrypted body",
            actual=len(properties.MessageBody),
        )
    decode = mqdsrp.decode if queue is DirectoryQueue.REPLICATION else mqcn.decode
    return decode(properties.MessageBody)
