"""The facts of a packet that the rules of sessions need, as numbers and names, from a record or from columns.

1. `Facts` is flat, so that it can be made from columns without records.  The record is decoded if a rule is
   violated.
2. Packets of the handshake and Pings are rare and judged as records.
"""

from __future__ import annotations

import struct
from hashlib import blake2b
from typing import Any, Final

import msgspec

from msmq_wire.documents.transactions import sequence_of
from msmq_wire.packets.packet import decode
from msmq_wire.values.guid import GUID, NULL_GUID

__all__ = ["Facts", "body_facts", "facts_of", "queue_digest"]

_ORDER: Final = struct.Struct("<QII20x")
_FINAL: Final = struct.Struct("<QII16sI")
_Body = tuple[Any, ...]
NO_BODY: Final[_Body] = (None, 0, 0, None, 0)


class Facts(msgspec.Struct, frozen=True, gc=False):
    """The facts of a UserMessage, OrderAck, FinalAck or SessionAck.

    Attributes:
        kind: The class of the packet.
        manager: UserHeader.SourceQueueManager as text; empty in a SessionAck, as the following.
        address: UserHeader.QueueManagerAddress as text; empty for the null GUID.
        message_id: UserHeader.MessageID.
        sent_at: UserHeader.SentTime.
        recoverable: Whether UserHeader.Flags.DM is 1.
        message_class: MessagePropertiesHeader.MessageClass.
        size: MessagePropertiesHeader.MessageSize.
        final: Whether a FinalAck is due when the message is removed from its queue: Flags.JP, JN or FA.
        sequence: TxSequenceID as a 64-bit number, of the message, or of the message that an OrderAck or a
            FinalAck names; None if there is none.
        number: TxSequenceNumber, likewise.
        previous: PreviousTxSequenceNumber, likewise.
        named_manager: SourceGUID of a FinalAck's body, as text; None in other packets.
        named_message: MessageID of a FinalAck's body.
        queue: The `queue_digest` of a transactional message; None in other packets.
        acknowledged: SessionHeader.AckSequenceNumber; None without a SessionHeader.
        first: SessionHeader.RecoverableMsgAckSeqNumber, and so on.
        flags: SessionHeader.RecoverableMsgAckFlags.
        sent: SessionHeader.UserMsgSequenceNumber.
        recoverable_sent: SessionHeader.RecoverableMsgSeqNumber.
        window: SessionHeader.WindowSize.
        data: The record, or an Arrow array with the bytes of packets.
        row: The index of the packet in the array; -1 if `data` is the record.
    """

    kind: str
    manager: str
    address: str
    message_id: int
    sent_at: int
    recoverable: bool
    message_class: int
    size: int
    final: bool
    sequence: int | None
    number: int
    previous: int
    named_manager: str | None
    named_message: int
    queue: str | None
    acknowledged: int | None
    first: int
    flags: int
    sent: int
    recoverable_sent: int
    window: int
    data: Any
    row: int

    def record(self) -> Any:
        """Return the packet itself."""
        return self.data if self.row < 0 else decode(self.data[self.row].as_py())


def facts_of(packet: Any) -> Facts:
    """Return the facts of a record of one of the classes in `session_protocol.OPENED`."""
    kind = type(packet).__name__
    header = getattr(packet, "SessionHeader", None)
    counts: tuple[Any, ...] = (None, 0, 0, 0, 0, 0)
    if header is not None:
        counts = (
            header.AckSequenceNumber, header.RecoverableMsgAckSeqNumber, header.RecoverableMsgAckFlags,
            header.UserMsgSequenceNumber, header.RecoverableMsgSeqNumber, header.WindowSize,
        )  # fmt: skip
    if kind == "SessionAck":
        nothing: tuple[Any, ...] = ("", "", 0, 0, False, 0, 0, False, *NO_BODY, None)
        fields: tuple[Any, ...] = (kind, *nothing, *counts, packet, -1)
        return Facts(*fields)
    user, properties = packet.UserHeader, packet.MessagePropertiesHeader
    transaction = getattr(packet, "TransactionHeader", None)
    modes, address, final = user.Flags, user.QueueManagerAddress, False
    body: _Body = NO_BODY
    queue = None
    if kind != "UserMessage":
        body = body_facts(kind, properties.MessageBody)
    elif transaction is not None:
        final = bool(modes.JP or modes.JN or transaction.Flags.FA)
        queue = queue_digest(user)
        numbers = transaction.TxSequenceNumber, transaction.PreviousTxSequenceNumber
        body = (sequence_of(transaction.TxSequenceID), *numbers, None, 0)
    values: tuple[Any, ...] = (
        str(user.SourceQueueManager), "" if address == NULL_GUID else str(address), user.MessageID,
        user.SentTime, modes.DM == 1, properties.MessageClass, properties.MessageSize, final, *body, queue,
    )  # fmt: skip
    fields = (kind, *values, *counts, packet, -1)
    return Facts(*fields)


def body_facts(kind: str, body: bytes) -> _Body:
    """Return the fields of an OrderAck or a FinalAck: sequence, number, previous number, manager, message."""
    if kind == "OrderAck" and len(body) == _ORDER.size:
        return (*_ORDER.unpack(body), None, 0)
    if kind == "FinalAck" and len(body) == _FINAL.size:
        sequence, number, previous, manager, message = _FINAL.unpack(body)
        return sequence, number, previous, str(GUID(manager)), message
    return NO_BODY


def queue_digest(header: Any) -> str:
    """Return a digest of the destination queue of a UserHeader."""
    queue = header.DestinationQueue
    name = b"" if queue is None else queue.encode()
    address: bytes = header.QueueManagerAddress.bytes_le
    return blake2b(address + name, digest_size=8).hexdigest()
