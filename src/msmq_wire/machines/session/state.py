"""The state of endpoints as plain data: numbers, text, bytes, lists and dictionaries.

1. State that must survive a failure ([MS-MQQB] 3.1.1.3.2) is in `Outbox` and `Inbox`.  `SessionState` is
   created anew for each transport connection (3.1.3.2).
2. Counts are stored without limit, and sent modulo 65,536.
3. State that a peer can make grow has a limit; beyond it, the oldest entry is dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_SOURCES = 1024
"""Number of queue managers whose transactional sequences are stored."""
MAX_SEQUENCES = 64
"""Number of stored sequences for each of them."""
MAX_QUEUES = 256
"""Number of destination queues for each of them whose newest sequence is stored."""
NEVER = -1.0
"""A time before every time that a caller can pass."""

Guid: TypeAlias = Annotated[str, msgspec.Meta(pattern="^(?:[0-9a-f]{32})?$")]
"""The bytes of a GUID in hexadecimal; empty for none."""
Phase: TypeAlias = Literal[
    "CLOSED",
    "WAITING_EC_MSG",
    "WAITING_ECR_MSG",
    "WAITING_CP_MSG",
    "WAITING_CPR_MSG",
    "OPEN",
    "WAITING_RECONNECT",
]
"""`SessionState` of [MS-MQQB] 3.1.1.3.1."""


class Entry(msgspec.Struct):
    """A message in the OutgoingMessageTable ([MS-MQQB] 3.1.1.3.1.2).

    Attributes:
        data: The packet, without SessionHeader.
        stored: Whether it is recoverable.
        transactional: Whether it has a place in this side's transactional sequence.
        acknowledges: Whether it is an acknowledgment created by this side.
        final: Whether a FinalAck is expected after the OrderAck.
        journal: `Flags.JP`.
        dead_letter: `Flags.JN`.
        deadline: When it must have reached its queue; None for never.
        sequence: TxSequenceID with which it was sent, as a 64-bit number; 0 before.
        number: TxSequenceNumber with which it was sent; 0 before.
        flying: Whether it was sent in this session, so it need not be sent again.
        traced: Whether a report was sent that it was sent.
    """

    data: bytes
    stored: bool = False
    transactional: bool = False
    acknowledges: bool = False
    final: bool = False
    journal: bool = False
    dead_letter: bool = False
    deadline: float | None = None
    sequence: int = 0
    number: int = 0
    flying: bool = False
    traced: bool = False


class Outbox(msgspec.Struct):
    """Messages to one queue manager, and their transactional sequence.

    Attributes:
        table: OutgoingMessageTable, by token, in the order of the messages.
        awaiting_final: AwaitingFinalACKTable: flags JP and JN by token.
        sequence: OutgoingTxSequenceID, as a 64-bit number.
        next_number: OutgoingTxSequenceNumber.
        last_ack: `TxOutgoingSequence.LastAck.SeqNo`.
        ack_count: `TxOutgoingSequence.LastAckCount`.
        ack_time: `TxOutgoingSequence.TimeOfLastAck`.
        resend_index: `TxOutgoingSequence.ResendIntervalIndex`.
        acknowledgments: Number of entries that are acknowledgments created by this side.
        acknowledgment_bytes: Their size.
    """

    table: dict[int, Entry] = msgspec.field(default_factory=dict)
    awaiting_final: dict[int, tuple[bool, bool]] = msgspec.field(default_factory=dict)
    sequence: int = 0
    next_number: int = 1
    last_ack: int = 0
    ack_count: int = 0
    ack_time: float = 0.0
    resend_index: int = 0
    acknowledgments: int = 0
    acknowledgment_bytes: int = 0

    def interval(self, intervals: Sequence[float]) -> float:
        """Return the current one of the intervals, which may be fewer after a restart."""
        return intervals[min(self.resend_index, len(intervals) - 1)]


class Inbox(msgspec.Struct):
    """The transactional sequences of one queue manager.

    Attributes:
        sequences: The number of the message accepted last, by TxSequenceID as a 64-bit number.
        newest: The newest TxSequenceID for each destination queue, by class and bytes of its wire form.
        rejects: `TxMessageRejectCount`.
        accessed: `IncomingTransactionalTransferInfo.LastAccessTime`.
    """

    sequences: dict[int, int] = msgspec.field(default_factory=dict)
    newest: dict[str, int] = msgspec.field(default_factory=dict)
    rejects: int = 0
    accessed: float = 0.0


class Order(msgspec.Struct):
    """An OrderAck that is due.

    Attributes:
        source: The queue manager that sent the message, in hexadecimal.
        sequence: TxSequenceID, as a 64-bit number.
        number: TxSequenceNumber.
    """

    source: Guid
    sequence: int
    number: int


class SessionState(msgspec.Struct):
    """The ADM elements of [MS-MQQB] 3.1.1.3.1 that belong to one transport connection.

    Attributes:
        phase: SessionState.
        now: The latest time passed by the caller; NEVER before the first.
        remote: RemoteQMGuid, in hexadecimal; empty while unknown.
        address: RemoteQMAddress; empty while unknown.
        direct: DirectFormatSession.
        time_stamp: TimeStamp of the EstablishConnection.
        quick: `OperatingSystem.SE`.
        server_system: `OperatingSystem.OS`.
        peer_window: ReceivedWindowSize.
        ack_timeout: AckWaitTimeout, in milliseconds.
        recoverable_ack_timeout: RecoverableAckSendTimeout, in milliseconds.
        sent: MessageSentCount.
        recoverable_sent: RecoverableMessageSentCount.
        received: MessageReceivedCount.
        recoverable_received: RecoverableMessageReceivedCount.
        acknowledged: Number of messages that the other side has acknowledged.
        recoverable_acknowledged: Number up to which it has stored the recoverable ones.
        recoverable_flags: Further ones that it has stored, from the next number on; bit 0 is clear.
        unacknowledged: UnackedReceivedMsgCount.
        last_acknowledged: LastAckedRecoverableMsgSeqNumber.
        flags: RecoverableMsgAckFlags.
        ack_started: When the Session Ack Send Timer was started.
        active: SessionActive.
        heard: ReceivedAck.
        paused: Whether the outgoing queue is paused.
        last_order: LastOrderAckSendTime.
        previous: TxSequenceNumber of the transactional message that was sent last in this session.
        timers: Expiry time of each timer.
        orders: Due OrderAcks, by source and sequence.
        sendable_orders: Whether their timer has expired.
        established: Whether this connection was open.
        begun: Whether there was a connection before.
        asked: Whether the caller was requested to connect.
    """

    phase: Phase = "CLOSED"
    now: float = NEVER
    remote: Guid = ""
    address: str = ""
    direct: bool = False
    time_stamp: int = 0
    quick: bool = False
    server_system: bool = False
    peer_window: int = 0
    ack_timeout: int = 0
    recoverable_ack_timeout: int = 0xFFFFFFFF
    sent: int = 0
    recoverable_sent: int = 0
    received: int = 0
    recoverable_received: int = 0
    acknowledged: int = 0
    recoverable_acknowledged: int = 0
    recoverable_flags: int = 0
    unacknowledged: int = 0
    last_acknowledged: int = 0
    flags: int = 0
    ack_started: float = 0.0
    active: bool = False
    heard: bool = False
    paused: bool = False
    last_order: float = 0.0
    previous: int = 0
    timers: dict[str, float] = msgspec.field(default_factory=dict)
    orders: dict[str, Order] = msgspec.field(default_factory=dict)
    sendable_orders: bool = False
    established: bool = False
    begun: bool = False
    asked: bool = False
