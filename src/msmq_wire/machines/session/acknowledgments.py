"""Builds acknowledgments from the packets and messages that they acknowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msmq_wire as mw
from msmq_wire import GUID, NULL_GUID, mqmq, mqqb
from msmq_wire.checks.rules.vocabulary import POSITIVE
from msmq_wire.documents.readings import is_encrypted
from msmq_wire.documents.transactions import transaction_id
from msmq_wire.packets.packet import ORDER_LABEL
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.numbers import ORDER_QUEUE

from .message import Message, correlation, defaults_of

if TYPE_CHECKING:
    from msmq_wire.checks.profiles import ProfileName

_INSECURE = frozenset(
    {
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q,
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_ENCRYPTION,
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_SIGNATURE,
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_ACCESS_DENIED,
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_UNSUPPORTED_CRYPTO_PROVIDER,
    }
)
"""Negative acknowledgments that are sent only if `SendInsecureNacks` is set ([MS-MQQB] 3.1.7.15)."""
_RECEIVERS_QUEUE = 3
"""`UserHeader.Flags.AQ` of a private queue of the receiver, by its number."""


def _order_header(source: GUID, remote: GUID, address: str) -> dict[str, Any]:
    """Return UserHeader fields with the order queue of a sender as destination ([MS-MQQB] 3.1.7.17)."""
    queue: Any = mqmq.PrivateQueueFormatNameId(ORDER_QUEUE)
    if address:
        queue = mqmq.DirectQueueFormatName(DirectFormatName=f"TCP:{address}\\PRIVATE$\\order_queue$\0")
    return {
        "SourceQueueManager": source,
        "QueueManagerAddress": NULL_GUID if address else remote,
        "DestinationQueue": queue,
    }


def order_ack(
    source: GUID,
    remote: GUID,
    address: str,
    message_id: int,
    sent_at: int,
    sequence: int,
    number: int,
    profile: ProfileName | None,
) -> mqqb.OrderAck:
    """Return an OrderAck ([MS-MQQB] 2.2.4, 3.1.7.17); with an address, its destination is a direct name."""
    body = mqqb.OrderAckBody(TxSequenceID=transaction_id(sequence), TxSequenceNumber=number)
    return mqqb.OrderAck(
        UserHeader=mqmq.UserHeader(
            MessageID=message_id, SentTime=sent_at, **_order_header(source, remote, address)
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Label=ORDER_LABEL,
            MessageClass=MESSAGE_CLASS_VALUES.MQMSG_CLASS_ORDER_ACK,
            MessageBody=body.encode(),
            **defaults_of(profile),
        ),
    )


def final_ack(
    packet: mqmq.UserMessage,
    transaction: mqmq.TransactionHeader,
    message_class: int,
    source: GUID,
    address: str,
    message_id: int,
    sent_at: int,
    profile: ProfileName | None,
) -> mqqb.FinalAck:
    """Return the FinalAck for a transactional message ([MS-MQQB] 2.2.5, 3.1.7.17)."""
    header = packet.UserHeader
    body = mqqb.FinalAckBody(
        TxSequenceID=transaction.TxSequenceID,
        TxSequenceNumber=transaction.TxSequenceNumber,
        TxPreviousSequenceNumber=transaction.PreviousTxSequenceNumber,
        SourceGUID=header.SourceQueueManager,
        MessageID=header.MessageID,
    )
    return mqqb.FinalAck(
        UserHeader=mqmq.UserHeader(
            MessageID=message_id,
            SentTime=sent_at,
            Flags=mqmq.UserHeaderFlags(DM=1),
            **_order_header(source, header.SourceQueueManager, address),
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Label=ORDER_LABEL,
            MessageClass=message_class,
            MessageBody=body.encode(),
            **defaults_of(profile),
        ),
    )


def administration(
    packet: mqmq.UserMessage, message_class: int, *, insecure: bool
) -> tuple[Message, GUID | None] | None:
    """Return the administration acknowledgment for a message ([MS-MQQB] 3.1.7.15).

    Args:
        packet: The message.
        message_class: The class of the acknowledgment.
        insecure: SendInsecureNacks.

    Returns: The acknowledgment, and the queue manager that receives it (None if only its destination
    determines it); or None if there is none to send.
    """
    header, properties = packet.UserHeader, packet.MessagePropertiesHeader
    if header.AdminQueue is None or (message_class in _INSECURE and not insecure):
        return None
    queue: Any = header.AdminQueue
    named: Any = header.DestinationQueue
    host = header.QueueManagerAddress if header.Flags.AQ == _RECEIVERS_QUEUE else header.SourceQueueManager
    try:
        destination = mw.queue_names.from_wire(queue, host=host)
        response = mw.queue_names.from_wire(named, host=header.QueueManagerAddress)
    except mw.EncodeError:  # the name of the administration queue is invalid
        return None
    manager: GUID | None = host
    if isinstance(destination, mw.format_names.PrivateName):
        manager = destination.computer
    elif isinstance(destination, mw.format_names.DirectName):
        manager = None
    body = b"" if message_class in POSITIVE or is_encrypted(packet) else properties.MessageBody
    acknowledgment = Message(
        destination=str(destination),
        body=body,
        body_type=properties.BodyType if body else 0,
        recoverable=header.Flags.DM == 1,
        correlation=correlation(header.SourceQueueManager, header.MessageID),
        response_queue=str(response),
        message_class=message_class,
    )
    return acknowledgment, manager
