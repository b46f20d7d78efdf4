"""Management queries about sessions: connection attempts, and progress of transactional messages.

1. Elements are those of [MS-MQDMPR] 3.1.1.3 to 3.1.1.5, computed from the state of the sessions on access.
2. Only `Attempt` is stored, because no other state contains it; the oldest entries are dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import msgspec

import msmq_wire as mw
from msmq_wire import GUID, mqmq
from msmq_wire.definitions.error_codes import NUMBERS
from msmq_wire.documents.transactions import transaction_id

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .state import Inbox, Outbox

MAX_ATTEMPTS = 64
"""Number of entries in ConnectionHistory."""
GENERIC_ERROR = NUMBERS["MQ_ERROR"]
"""The result of attempts whose error is unknown."""

Status: TypeAlias = Literal[
    "InProcess",
    "EstablishPacketReceived",
    "Established",
    "UnknownFailure",
    "PingFailure",
    "SocketCreateFailure",
    "SocketBindFailure",
    "SocketConnectFailure",
    "TcpNotEnabled",
    "SocketSendFailure",
    "ConnectionNotReady",
    "DnsFailure",
    "CertificateValidationFailure",
    "ConnectionLimitReached",
    "ConnectionRefused",
    "RoutingDataNotAvailable",
    "LowResource",
]
"""`OutgoingQueue.ConnectionHistory.Status` of [MS-MQDMPR] 3.1.1.3."""
STATUSES: frozenset[str] = frozenset(get_args(Status))

QueueState: TypeAlias = Literal[
    "Connected", "Disconnected", "Disconnecting", "Inactive", "NeedValidation", "Waiting", "OnHold"
]
"""`OutgoingQueue.State` of [MS-MQDMPR] 3.1.1.3."""


class Attempt(msgspec.Struct, frozen=True):
    """A step of a connection attempt: an entry of ConnectionHistory ([MS-MQDMPR] 3.1.1.3).

    Attributes:
        status: The progress of the attempt.
        at: The time, in seconds since 1970.
        error: HRESULT; 0 for none.
        address: The address of the other queue manager, empty if only its GUID is known.
    """

    status: Status
    at: float
    error: int
    address: str


class OutgoingTransfer(msgspec.Struct, frozen=True):
    """Progress of the transactional messages to a queue manager ([MS-MQDMPR] 3.1.1.4).

    Attributes:
        EodFirstNonAck: The first message without OrderAck; None for none.
        EodLastNonAck: The last one; None for none.
        EodLastAck: The last message with an OrderAck in this sequence.
        EodNextSeq: The next message.
        EodLastAckTime: When the last OrderAck came, in seconds since 1970; 0 for never.
        EodLastAckCount: How many OrderAcks came.
        EodNoAckCount: How many messages have no OrderAck.
        EodNoReadCount: How many have an OrderAck and await a FinalAck.
        EodResendInterval: Seconds between sending and sending again.
        EodResendCount: Index of that interval.
        EodResendTime: When messages are sent again, in seconds since 1970; 0 for never.
    """

    EodFirstNonAck: mqmq.SEQUENCE_INFO | None
    EodLastNonAck: mqmq.SEQUENCE_INFO | None
    EodLastAck: mqmq.SEQUENCE_INFO
    EodNextSeq: mqmq.SEQUENCE_INFO
    EodLastAckTime: float
    EodLastAckCount: int
    EodNoAckCount: int
    EodNoReadCount: int
    EodResendInterval: float
    EodResendCount: int
    EodResendTime: float


class IncomingTransfer(msgspec.Struct, frozen=True):
    """Progress of the transactional messages from a queue manager to a queue ([MS-MQDMPR] 3.1.1.5).

    Attributes:
        FormatName: The name of the queue that the sender uses.
        SenderIdentifier: The queue manager that sends.
        SequenceIdentifier: Its newest sequence to that queue.
        SequenceNumber: The message of that sequence that was accepted last; 0 for none.
        LastAccessTime: When one of its messages was last accepted or rejected, in seconds since 1970.
        RejectCount: How many of its messages were rejected since one was accepted.
    """

    FormatName: str
    SenderIdentifier: GUID
    SequenceIdentifier: mqmq.TxSequenceID
    SequenceNumber: int
    LastAccessTime: float
    RejectCount: int


def _info(sequence: int, number: int) -> mqmq.SEQUENCE_INFO:
    """Return a SEQUENCE_INFO, which has the identifier as a signed number ([MS-MQMQ] 2.2.5.1)."""
    signed = sequence - (1 << 64) if sequence >> 63 else sequence
    return mqmq.SEQUENCE_INFO(SeqID=signed, SeqNo=number, PrevNo=max(number - 1, 0))


def outgoing_transfer(
    box: Outbox, numbered: Iterable[int], intervals: tuple[float, ...], again_at: float
) -> OutgoingTransfer:
    """Return the progress of the transactional messages of an outbox.

    Args:
        box: The outbox.
        numbered: Tokens of messages that were sent and have no OrderAck, in order.
        intervals: ResendTimerTable.
        again_at: When they are sent again; 0 for never.
    """
    open_ones = [entry for entry in map(box.table.get, numbered) if entry is not None and entry.number]
    return OutgoingTransfer(
        EodFirstNonAck=_info(open_ones[0].sequence, open_ones[0].number) if open_ones else None,
        EodLastNonAck=_info(open_ones[-1].sequence, open_ones[-1].number) if open_ones else None,
        EodLastAck=_info(box.sequence, box.last_ack),
        EodNextSeq=_info(box.sequence, box.next_number),
        EodLastAckTime=box.ack_time,
        EodLastAckCount=box.ack_count,
        EodNoAckCount=len(open_ones),
        EodNoReadCount=len(box.awaiting_final),
        EodResendInterval=box.interval(intervals),
        EodResendCount=box.resend_index,
        EodResendTime=again_at,
    )


def incoming_transfers(sender: GUID, inbox: Inbox, host: GUID) -> list[IncomingTransfer]:
    """Return the progress of the transactional messages of a sender, for each queue of a host."""
    return [
        IncomingTransfer(
            FormatName=name,
            SenderIdentifier=sender,
            SequenceIdentifier=transaction_id(sequence),
            SequenceNumber=inbox.sequences.get(sequence, 0),
            LastAccessTime=inbox.accessed,
            RejectCount=inbox.rejects,
        )
        for name, sequence in ((_name(key, host), sequence) for key, sequence in inbox.newest.items())
    ]


def _name(key: str, host: GUID) -> str:
    """Return the format name for a queue's key in an inbox: class and bytes of its wire form."""
    kind, _, data = key.partition(":")
    if not kind:
        return ""
    queue = getattr(mqmq, kind).decode(bytes.fromhex(data))
    try:
        return str(mw.queue_names.from_wire(queue, host=host))
    except mw.EncodeError:  # a text that is not a direct name
        return f"DIRECT={queue.DirectFormatName.rstrip(chr(0))}"
