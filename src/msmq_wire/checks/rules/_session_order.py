"""[MS-MQQB] 3.1.1.5, 3.1.1.6.2 and [MS-MQMQ] 2.2.20.5: the order of transactional messages and of OrderAcks.

1. Sequences are end to end.  Only messages and OrderAcks between the two queue managers are checked, not
   those that one of them forwards.
2. A message that is sent again looks like the first of a capture.  What was sent before is therefore only
   known for sequences that started within the capture.
3. There is one current sequence for each destination queue.  The documents have one for each session, but a
   queue manager that sends from several outgoing queues over one session has several.
4. The errata decide ambiguous statements: OrderAcks after a message was sent again Q24, numbers of messages
   that are sent again Q26.
"""

from __future__ import annotations

from typing import Any

from msmq_wire.checks.sessions.outline import Outline, queue_digest
from msmq_wire.documents.transactions import sequence_of
from msmq_wire.values.guid import NULL_GUID

from ._session import Moment, SessionRule
from ._vocabulary import shown

__all__ = ["ORDER_ACK", "TABLES", "TRANSACTION", "acknowledges_ours", "place", "position", "queue_key"]


def position(record: Any) -> tuple[int, int]:
    """Return TxSequenceID and TxSequenceNumber of a TransactionHeader or of an acknowledgment's body."""
    return sequence_of(record.TxSequenceID), record.TxSequenceNumber


def place(moment: Moment) -> tuple[int, int]:
    """Return the `position` of a message, or the one that it acknowledges, cached like `queue_key`."""
    if moment.place is None:
        moment.place = position(moment.packet.TransactionHeader if moment.body is None else moment.body)
    return moment.place


def queue_key(moment: Moment) -> str:
    """Return a digest of the destination queue of a message, cached because several rules need it."""
    if moment.queue is None:
        packet = moment.packet
        known = packet.UserHeader.queue if isinstance(packet, Outline) else None
        moment.queue = known or queue_digest(packet.UserHeader)
    return moment.queue


def _keeps_its_place(moment: Moment) -> bool:
    """Return whether a new message has the next number, and a repeated one its old number and session."""
    here = place(moment)
    sequence = moment.ours.sequences.get(here[0])
    before = moment.ours.remembered.get(moment.packet.UserHeader.MessageID)
    if before is not None and (before[2] == moment.state.number or before[:2] == here):
        return before[:2] == here
    return sequence is None or not sequence.whole or here[1] == sequence.highest + 1


def _follows(moment: Moment) -> bool:
    """Return whether the predecessor fits: a lower number, or the previous one if all messages are known."""
    identifier, number = place(moment)
    if number <= 1:
        return True
    previous = moment.packet.TransactionHeader.PreviousTxSequenceNumber
    sequence = moment.ours.sequences.get(identifier)
    if sequence is None or not sequence.whole or number <= sequence.highest:
        return bool(previous < number)
    return bool(previous == sequence.highest)


def _newest(moment: Moment) -> int | None:
    """Return the newest sequence that was sent to this destination."""
    return moment.ours.newest.get(queue_key(moment))


def _begins_at_one(moment: Moment) -> bool:
    identifier, number = place(moment)
    newest = _newest(moment)
    old = newest is None or identifier <= newest or identifier in moment.ours.sequences
    return old or number == 1


def _is_current(moment: Moment) -> bool:
    newest = _newest(moment)
    return newest is None or place(moment)[0] >= newest


_HEADER = "TransactionHeader"

TRANSACTION: tuple[SessionRule, ...] = (
    SessionRule(
        "MQQB-3.1.1.5-01",
        f"{_HEADER}.TxSequenceID",
        _is_current,
        lambda moment: f"{shown(_newest(moment))} or later as a 64-bit number, the sequence in use",
    ),
    SessionRule(
        "MQMQ-2.2.20.5-26",
        f"{_HEADER}.TxSequenceNumber",
        _keeps_its_place,
        lambda _: "the next number of the sequence, or the one that this message had before",
    ),
    SessionRule(
        "MQMQ-2.2.20.5-27",
        f"{_HEADER}.TxSequenceNumber",
        _begins_at_one,
        lambda _: "1 in the first message of a sequence",
    ),
    SessionRule(
        "MQMQ-2.2.20.5-28",
        f"{_HEADER}.PreviousTxSequenceNumber",
        _follows,
        lambda _: "the number of the message before in the sequence",
    ),
    SessionRule(
        "MQMQ-2.2.20.5-29",
        f"{_HEADER}.PreviousTxSequenceNumber",
        lambda moment: place(moment)[1] != 1 or not moment.packet.TransactionHeader.PreviousTxSequenceNumber,
        lambda _: "0 in the first message of a sequence",
    ),
)
"""Rules for a transactional message from the queue manager that sends the packet."""


# ---------------------------------------------------------------------------------------- OrderAck


def acknowledges_ours(moment: Moment) -> bool:
    """Return whether an acknowledgment is from one of these queue managers to the other, not forwarded."""
    header = moment.packet.UserHeader
    return str(header.SourceQueueManager) == moment.ours.manager and (
        header.QueueManagerAddress == NULL_GUID or str(header.QueueManagerAddress) == moment.theirs.manager
    )


def _sequence_was_sent(moment: Moment) -> bool:
    """Return whether the sequence was sent; if an earlier one started here, this one would be known."""
    sequences = moment.theirs.sequences
    newest = max(sequences, default=None)
    return newest is None or not sequences[newest].begun or place(moment)[0] <= newest


def _message_was_sent(moment: Moment) -> bool:
    identifier, number = place(moment)
    sequence = moment.theirs.sequences.get(identifier)
    return sequence is None or not sequence.begun or number <= sequence.highest


def _in_order(moment: Moment) -> bool:
    identifier, number = place(moment)
    sequence = moment.theirs.sequences.get(identifier)
    return sequence is None or number >= sequence.floor


_BODY = "MessagePropertiesHeader.MessageBody"

ORDER_ACK: tuple[SessionRule, ...] = (
    SessionRule(
        "MQQB-2.2.4.1-01",
        f"{_BODY}.TxSequenceID",
        _sequence_was_sent,
        lambda moment: f"at most {shown(max(moment.theirs.sequences))} as a 64-bit number, the newest sent",
    ),
    SessionRule(
        "MQQB-2.2.4.1-02",
        f"{_BODY}.TxSequenceNumber",
        _message_was_sent,
        lambda moment: f"at most {moment.theirs.sequences[place(moment)[0]].highest}, the last sent",
    ),
    SessionRule(
        "MQQB-3.1.1.6.2-01",
        f"{_BODY}.TxSequenceNumber",
        _in_order,
        lambda moment: f"{moment.theirs.sequences[place(moment)[0]].floor} or more, acknowledged before",
    ),
)
"""Rules for an OrderAck from one of the two queue managers to the other."""

TABLES = (TRANSACTION, ORDER_ACK)
"""All of these rules."""
