"""What an endpoint tells its caller.

1. An event is frozen and complete: what the page says to do about it stands in it.
2. What is the business of a queue manager (queues, disks, the directory) is asked for by events; what can be
   said over the session the endpoint says itself.
3. A token is what `send` returned: the `UserHeader.MessageID` of the message.
"""

from __future__ import annotations

import enum
from typing import Literal, TypeAlias

import msgspec

from msmq_wire import GUID, mqmq, mqqb

from .message import Message

__all__ = [
    "Acknowledged",
    "AcknowledgedBy",
    "Closed",
    "Connect",
    "Duplicate",
    "Elsewhere",
    "Established",
    "Event",
    "Expired",
    "Journal",
    "OutOfOrder",
    "Received",
    "Refused",
    "Rejected",
    "Violated",
]

Journal: TypeAlias = Literal["", "journal", "dead-letter", "transactional dead-letter"]
"""System queue that a message moves to; empty for none ([MS-MQQB] 3.1.5.5.4, 3.1.5.7, 3.1.7.1.2)."""


class AcknowledgedBy(enum.Enum):
    """What acknowledged a message."""

    SESSION = "session"
    """An express message has arrived."""
    STORED = "stored"
    """A recoverable message is on the receiver's disk."""
    ORDER = "order"
    """A transactional message was accepted in its order."""
    FINAL = "final"
    """A transactional message was taken from its queue, or was rejected."""
    ADMINISTRATION = "administration"
    """A message came to the administration queue."""


class Connect(msgspec.Struct, frozen=True):
    """Open a transport connection and call `connected`; messages wait ([MS-MQQB] 3.1.5.2, 3.1.6.1).

    Attributes:
        again: Whether there was a session before.
        ping: Whether to send a Ping first, and to connect when it is answered.
    """

    again: bool
    ping: bool


class Established(msgspec.Struct, frozen=True):
    """The session is open ([MS-MQQB] 3.1.5.4).

    Attributes:
        remote: The other queue manager.
        window: The window that it announced.
        ack_timeout: `AckTimeout` of the session, in seconds.
        recoverable_ack_timeout: `RecoverableAckTimeout` of the session, in seconds.
        quick: Whether the initiator said that it sent no Ping (`OperatingSystem.SE`).
        server_system: Whether the initiator said that it runs on a server system.
    """

    remote: GUID
    window: int
    ack_timeout: float
    recoverable_ack_timeout: float
    quick: bool
    server_system: bool


class Refused(msgspec.Struct, frozen=True):
    """A session was refused, by the other side or by this one (`InternalHeader.Flags.CS`).

    Attributes:
        remote: The other queue manager, as it calls itself.
        by_us: Whether this side refused.
        reason: Why, where this side knows.
    """

    remote: GUID
    by_us: bool
    reason: str


class Received(msgspec.Struct, frozen=True):
    """A message came that has not come before.

    Store a recoverable or transactional message before sending what `data_to_send` returns: that acknowledges
    it as stored.

    Attributes:
        message: The packet; of one to forward, `RC` is already one higher.
        action: ``deliver``: put it into the local queue of `DestinationQueue`; ``forward``: it is for another
            queue manager ([MS-MQQB] 3.1.5.8.5).
        store: Whether it has to be on disk (`Flags.DM` is 1).
        trace: The public queue that a report goes to ([MS-MQQB] 3.1.5.8.9), which an `Elsewhere` has; None
            for none.
    """

    message: mqmq.UserMessage
    action: Literal["deliver", "forward"]
    store: bool
    trace: GUID | None


class Rejected(msgspec.Struct, frozen=True):
    """A message came that is not taken; negative acknowledgments that it asks for are under way.

    Attributes:
        message: The packet.
        message_class: Why, a negative class of [MS-MQMQ] 2.2.18.1.6.
        journal: The local queue that it goes to.
    """

    message: mqmq.UserMessage
    message_class: int
    journal: Journal


class Duplicate(msgspec.Struct, frozen=True):
    """A message came again, and is dropped ([MS-MQQB] 3.1.5.8.1, 3.1.5.8.6).

    Attributes:
        message: The packet.
    """

    message: mqmq.UserMessage


class OutOfOrder(msgspec.Struct, frozen=True):
    """A transactional message came before its predecessor, and is dropped ([MS-MQQB] 3.1.5.8.6).

    Attributes:
        message: The packet.
        last: The number in its sequence that was accepted last; 0 for none.
        rejects: `TxMessageRejectCount`: how many were dropped since one was accepted.
    """

    message: mqmq.UserMessage
    last: int
    rejects: int


class Acknowledged(msgspec.Struct, frozen=True):
    """A message that was sent is acknowledged.

    Attributes:
        token: The message.
        kind: By what.
        message_class: Class of a FinalAck or an administration acknowledgment; 0 for the others.
        done: Whether the endpoint has nothing more to do with it; it may be deleted.
        journal: The local queue that it moves to.
    """

    token: int
    kind: AcknowledgedBy
    message_class: int
    done: bool
    journal: Journal


class Expired(msgspec.Struct, frozen=True):
    """A message did not reach its queue in time, and is not sent ([MS-MQQB] 3.1.7.1.2).

    Attributes:
        token: A message of this side; None for one that came too late.
        message: The packet that came too late; None for a message of this side.
        journal: The local queue that it moves to.
        acknowledgment: The negative acknowledgment for the sender's own administration queue; None where
            none was asked for, and where the other side gets it.
    """

    token: int | None
    message: mqmq.UserMessage | None
    journal: Journal
    acknowledgment: Message | None


class Elsewhere(msgspec.Struct, frozen=True):
    """An acknowledgment or a report for a queue that this session does not lead to: give it to another one.

    Attributes:
        content: What to `send` there.
        manager: The queue manager that it is for; None if only the destination tells.
    """

    content: Message | mqqb.OrderAck | mqqb.FinalAck
    manager: GUID | None


class Violated(msgspec.Struct, frozen=True):
    """The other side broke a rule for which the session is closed; `Closed` follows.

    Attributes:
        requirement: Its id in `specs/requirements`.
        message: What was wrong, in a sentence.
    """

    requirement: str
    message: str


class Closed(msgspec.Struct, frozen=True):
    """The session is closed ([MS-MQQB] 3.1.5.9): send what `data_to_send` returns, then close the transport.

    Attributes:
        reason: ``stopped``, ``disconnected``, ``refused``, ``violated``, ``idle``, ``no answer``,
            ``no acknowledgment``, ``no room`` or ``acknowledgments are not taken``.
        waiting: Messages that are not delivered.
        retry: Whether `Connect` follows after a while.
    """

    reason: str
    waiting: int
    retry: bool


Event: TypeAlias = (
    Connect
    | Established
    | Refused
    | Received
    | Rejected
    | Duplicate
    | OutOfOrder
    | Acknowledged
    | Expired
    | Elsewhere
    | Violated
    | Closed
)
"""What the methods of an endpoint return lists of."""
