"""Events of an endpoint.

1. Events are immutable and have everything that the caller needs to handle them.
2. Events request the work of the queue manager (queues, storage, the directory).  The endpoint itself sends
   all packets of the session.
3. A token is the result of `send`: the `UserHeader.MessageID` of the message.
"""

from __future__ import annotations

import enum
from typing import Literal, TypeAlias

import msgspec

from msmq_wire import GUID, mqmq, mqqb
from msmq_wire.values.violation import Violation

from .message import Message

Journal: TypeAlias = Literal["", "journal", "dead-letter", "transactional dead-letter"]
"""System queue to which a message moves; empty for none ([MS-MQQB] 3.1.5.5.4, 3.1.5.7, 3.1.7.1.2)."""


class AcknowledgedBy(enum.Enum):
    """The kind of acknowledgment of a message."""

    SESSION = "session"
    """An express message arrived."""
    STORED = "stored"
    """The receiver stored a recoverable message."""
    ORDER = "order"
    """A transactional message was accepted in order."""
    FINAL = "final"
    """A transactional message was taken from its queue, or was rejected."""
    ADMINISTRATION = "administration"
    """An administration acknowledgment arrived."""


class Connect(msgspec.Struct, frozen=True):
    """Request to open a transport connection and to call `connected` ([MS-MQQB] 3.1.5.2, 3.1.6.1).

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
        window: The window that the other side announced.
        ack_timeout: `AckTimeout` of the session, in seconds.
        recoverable_ack_timeout: `RecoverableAckTimeout` of the session, in seconds.
        quick: Whether the initiator states that it sent no Ping (`OperatingSystem.SE`).
        server_system: Whether the initiator states that it runs on a server system.
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
        remote: The other queue manager, by its own statement.
        by_us: Whether this side refused.
        reason: The reason, if this side knows it.
    """

    remote: GUID
    by_us: bool
    reason: str


class Received(msgspec.Struct, frozen=True):
    """A new message arrived.

    Store a recoverable or transactional message before you send the bytes that `data_to_send` returns,
    because they acknowledge it as stored.

    Attributes:
        message: The packet; in a packet to forward, `RC` is already incremented.
        action: ``deliver``: put it into the local queue of `DestinationQueue`; ``forward``: it is for another
            queue manager ([MS-MQQB] 3.1.5.8.5).
        store: Whether it has to be stored on disk (`Flags.DM` is 1).
        trace: The public queue for a report ([MS-MQQB] 3.1.5.8.9), which follows as `Elsewhere`; or None.
    """

    message: mqmq.UserMessage
    action: Literal["deliver", "forward"]
    store: bool
    trace: GUID | None


class Rejected(msgspec.Struct, frozen=True):
    """A message was rejected; requested negative acknowledgments are sent.

    Attributes:
        message: The packet.
        message_class: The reason, a negative class of [MS-MQMQ] 2.2.18.1.6; `mqmq.MESSAGE_CLASS_VALUES` has
            its name.
        journal: The local queue to which it moves.
    """

    message: mqmq.UserMessage
    message_class: int
    journal: Journal


class Duplicate(msgspec.Struct, frozen=True):
    """A duplicate of a message was dropped ([MS-MQQB] 3.1.5.8.1, 3.1.5.8.6).

    Attributes:
        message: The packet.
    """

    message: mqmq.UserMessage


class OutOfOrder(msgspec.Struct, frozen=True):
    """A transactional message arrived before its predecessor and was dropped ([MS-MQQB] 3.1.5.8.6).

    Attributes:
        message: The packet.
        last: The last accepted number of its sequence; 0 for none.
        rejects: `TxMessageRejectCount`: number of messages dropped since the last accepted one.
    """

    message: mqmq.UserMessage
    last: int
    rejects: int


class Acknowledged(msgspec.Struct, frozen=True):
    """A sent message was acknowledged.

    Attributes:
        token: The message.
        kind: The kind of acknowledgment.
        message_class: Class of a FinalAck or an administration acknowledgment; 0 for the others.
            `mqmq.MESSAGE_CLASS_VALUES` has its name: ``MESSAGE_CLASS_VALUES(0x8004).name``.
        done: Whether this is the last acknowledgment, so that the message may be deleted.
        journal: The local queue to which it moves.
    """

    token: int
    kind: AcknowledgedBy
    message_class: int
    done: bool
    journal: Journal

    @property
    def rejected(self) -> bool:
        """Whether the message was not delivered, or not taken: the class is a negative one."""
        return bool(self.message_class & 0x8000)


class Expired(msgspec.Struct, frozen=True):
    """A message did not reach its queue in time, and is not sent ([MS-MQQB] 3.1.7.1.2).

    Attributes:
        token: A message of this side; None for a received one.
        message: The received packet that is too late; None for a message of this side.
        journal: The local queue to which it moves.
        acknowledgment: The negative acknowledgment for the sender's own administration queue; None if none
            was requested, or if it was sent to the other side.
    """

    token: int | None
    message: mqmq.UserMessage | None
    journal: Journal
    acknowledgment: Message | None


class Elsewhere(msgspec.Struct, frozen=True):
    """An acknowledgment or a report for a queue of another host: send it in another session.

    Attributes:
        content: The message to `send` there.
        manager: Its queue manager; None if only the destination of the message determines it.
    """

    content: Message | mqqb.OrderAck | mqqb.FinalAck
    manager: GUID | None


class Returned(msgspec.Struct, frozen=True):
    """A message that this session can no longer take, because it ended before the other side was known.

    Attributes:
        token: The message.
        content: The packet: `send` it in another session.
    """

    token: int
    content: mqmq.UserMessage | mqqb.OrderAck | mqqb.FinalAck


class Violated(msgspec.Struct, frozen=True):
    """The other side violated a requirement, so the session is closed; `Closed` follows.

    Attributes:
        violation: The violation.
    """

    violation: Violation


class Closed(msgspec.Struct, frozen=True):
    """The session is closed ([MS-MQQB] 3.1.5.9): send the result of `data_to_send`, then close the transport.

    Attributes:
        reason: ``stopped``, ``disconnected``, ``refused``, ``violated``, ``idle``, ``no answer``,
            ``no acknowledgment``, ``no room`` or ``acknowledgments are not taken``.
        waiting: Number of undelivered messages.
        retry: Whether a `Connect` event follows later.
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
    | Returned
    | Violated
    | Closed
)
"""The union of all events."""
