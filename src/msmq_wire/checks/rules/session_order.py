"""[MS-MQQB] 3.1.1.5, 3.1.1.6.2, 3.1.7.2.2 and [MS-MQMQ] 2.2.20.5: transactional messages and their answers.

1. Sequences are end to end.  Only messages and acknowledgments between the two queue managers are checked,
   not those that one of them forwards.
2. A message has its number and its predecessor when it is sent for the first time; when it is sent again, its
   predecessor may be an earlier one, because messages in between have expired or were removed (3.1.7.1.3).
   In a session without the beginning of the sequence, every message may have been sent before.
3. There is one current sequence for each destination queue.  The documents have one for each session, but a
   queue manager that sends from several outgoing queues over one session has several.
4. The errata decide ambiguous statements: OrderAcks after a message was sent again Q24, numbers of messages
   that are sent again Q26, the previous number of a FinalAck Q33, a MessageID that starts over M51; and
   unchecked rules Q34.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.documents.transactions import transaction_id

from .captured import is_of_one_round
from .session import PacketInContext, SessionRule
from .vocabulary import of_acknowledged, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from msmq_wire.checks.sessions.facts import Facts
    from msmq_wire.checks.sessions.state import Sent, SideState

# ------------------------------------------------------------------------------------------ messages


def is_transactional(packet: Facts) -> bool:
    """Return whether a packet is a transactional message, and not an acknowledgment of one."""
    return packet.kind == "UserMessage" and packet.sequence is not None


def _before(side: SideState, packet: Facts) -> Sent | None:
    """Return the message that was sent in this session with the MessageID of a packet."""
    table = side.transactional if is_transactional(packet) else side.others
    earlier = table.get(packet.message_id)
    return earlier if earlier is not None and earlier.session == side.session else None


def _is_one_message(moment: PacketInContext) -> bool:
    """Return whether the MessageID was not that of another message; places are compared by another rule."""
    packet, side = moment.packet, moment.ours
    number = packet.message_id
    if not number:
        return True
    alike, unlike = side.others, side.transactional
    if is_transactional(packet):
        alike, unlike = unlike, alike
    elsewhere, earlier = unlike.get(number), alike.get(number)
    if elsewhere is not None and elsewhere.session == side.session:
        return not is_of_one_round(elsewhere.sent_at, packet.sent_at)
    if (
        earlier is None
        or earlier.session != side.session
        or not is_of_one_round(earlier.sent_at, packet.sent_at)
    ):
        return True
    if packet.kind != "UserMessage" and (earlier.sequence, earlier.number) != (
        packet.sequence,
        packet.number,
    ):
        return False
    return (earlier.kind, earlier.sent_at, earlier.size, earlier.recoverable) == (
        packet.kind, packet.sent_at, packet.size, packet.recoverable,
    )  # fmt: skip


def is_new(moment: PacketInContext) -> bool:
    """Return whether no remembered message had the MessageID, as usual: no rule below is violated."""
    number, side = moment.packet.message_id, moment.ours
    return number not in side.transactional and number not in side.others


MESSAGE: tuple[SessionRule, ...] = (
    SessionRule(
        "MQQB-3.1.1.3-01",
        "UserHeader.MessageID",
        _is_one_message,
        lambda _: "a number that no other message of this session had",
    ),
)
"""Rules for a message from the queue manager that sends the packet; its acknowledgments are messages too."""


def _keeps_its_place(moment: PacketInContext) -> bool:
    """Return whether a message that was sent in this session has the number that it had."""
    packet, side = moment.packet, moment.ours
    earlier = _before(side, packet)
    if earlier is not None:
        return (earlier.sequence, earlier.number) == (packet.sequence, packet.number)
    sequence = side.current(packet.sequence)
    if sequence is None:
        return True
    if packet.number in sequence.messages:
        return not packet.message_id or sequence.messages[packet.number] == packet.message_id
    if sequence.begun:
        return bool(packet.number == sequence.last + 1)
    return not sequence.complete or bool(packet.number > sequence.last)


def _follows(moment: PacketInContext) -> bool:
    """Return whether the predecessor is an earlier message; for a new message, the last one."""
    packet = moment.packet
    if packet.number <= 1:
        return True
    sequence = moment.ours.current(packet.sequence)
    if sequence is not None and sequence.begun and packet.number == sequence.last + 1:
        return bool(packet.previous == sequence.last)
    return bool(packet.previous < packet.number)


def _newest(moment: PacketInContext) -> int | None:
    """Return the newest sequence that was sent to this destination."""
    return moment.ours.newest.get(moment.packet.queue)


def _begins_at_one(moment: PacketInContext) -> bool:
    """Return whether a sequence that certainly begins here, after another one, begins with number 1."""
    packet, newest = moment.packet, _newest(moment)
    if packet.number == 1 or newest is None or packet.sequence <= newest:
        return True
    return packet.sequence in moment.ours.sequences or not moment.ours.sends_now(newest)


def _is_current(moment: PacketInContext) -> bool:
    newest = _newest(moment)
    return newest is None or moment.packet.sequence >= newest


def is_next(moment: PacketInContext) -> bool:
    """Return whether a message is the next one of the sequence in use, which violates no rule below.

    Most messages are: this one question about them is cheaper than all rules.
    """
    packet, side = moment.packet, moment.ours
    sequence = side.sequences.get(packet.sequence)
    return (
        sequence is not None
        and sequence.session == side.session
        and packet.previous == sequence.last == packet.number - 1
        and side.newest.get(packet.queue) == packet.sequence
        and packet.message_id not in side.transactional
    )


TRANSACTION: tuple[SessionRule, ...] = (
    SessionRule(
        "MQQB-3.1.1.5-01",
        "TransactionHeader.TxSequenceID",
        _is_current,
        lambda moment: f"{shown(_newest(moment))} or later as a 64-bit number, the sequence in use",
    ),
    SessionRule(
        "MQMQ-2.2.20.5-26",
        "TransactionHeader.TxSequenceNumber",
        _keeps_its_place,
        lambda _: "the next number of the sequence, or the one that this message had before",
    ),
    SessionRule(
        "MQMQ-2.2.20.5-27",
        "TransactionHeader.TxSequenceNumber",
        _begins_at_one,
        lambda _: "1 in the first message of a sequence",
    ),
    SessionRule(
        "MQMQ-2.2.20.5-28",
        "TransactionHeader.PreviousTxSequenceNumber",
        _follows,
        lambda _: "the number of the message before in the sequence",
    ),
    SessionRule(
        "MQMQ-2.2.20.5-29",
        "TransactionHeader.PreviousTxSequenceNumber",
        lambda moment: moment.packet.number != 1 or not moment.packet.previous,
        lambda _: "0 in the first message of a sequence",
    ),
)
"""Rules for a transactional message from the queue manager that sends the packet."""


# ------------------------------------------------------------------------------------- acknowledgments


def acknowledges_ours(moment: PacketInContext) -> bool:
    """Return whether an acknowledgment is from one of these queue managers to the other, not forwarded."""
    packet = moment.packet
    return packet.manager == moment.ours.manager and packet.address in {"", moment.theirs.manager}


def reaches_sender(moment: PacketInContext) -> bool:
    """Return whether an acknowledgment is for the queue manager that gets it, whoever sent it first."""
    return moment.packet.address == moment.theirs.manager or acknowledges_ours(moment)


def _destination(moment: PacketInContext) -> str:
    """Return the queue manager that the message of this session is for that an OrderAck names; or ""."""
    packet, side = moment.packet, moment.theirs
    sequence = side.current(packet.sequence)
    message = None if sequence is None else side.transactional.get(sequence.messages.get(packet.number, 0))
    return "" if message is None else message.address


def _sequence_was_sent(moment: PacketInContext) -> bool:
    """Return whether the sequence was sent; on another route, it may have been."""
    theirs = moment.theirs
    newest = None if moment.state.routes else max(theirs.sequences, default=None)
    earlier = theirs.current(newest) if newest is not None else None
    return earlier is None or not earlier.begun or moment.packet.sequence <= newest


def _message_was_sent(moment: PacketInContext) -> bool:
    sequence = moment.theirs.current(moment.packet.sequence)
    return sequence is None or not sequence.begun or moment.packet.number <= sequence.last


def _in_order(moment: PacketInContext) -> bool:
    sequence = moment.theirs.sequences.get(moment.packet.sequence)
    return sequence is None or moment.packet.number >= sequence.floor


_BODY = "MessagePropertiesHeader.MessageBody"

BY_DESTINATION: tuple[SessionRule, ...] = (
    SessionRule(
        "MQMQ-2.2.18.1.6-01",
        "UserHeader.SourceQueueManager",
        lambda moment: _destination(moment) in {"", moment.packet.manager},
        lambda moment: f"{_destination(moment)}, {of_acknowledged('UserHeader.QueueManagerAddress')}",
    ),
)
"""The rule for an OrderAck for the other queue manager, also if it is passed on."""

ORDER_ACK: tuple[SessionRule, ...] = (
    *BY_DESTINATION,
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
        lambda moment: f"at most {moment.theirs.sequences[moment.packet.sequence].last}, the last sent",
    ),
    SessionRule(
        "MQQB-3.1.1.6.2-01",
        f"{_BODY}.TxSequenceNumber",
        _in_order,
        lambda moment: (
            f"{moment.theirs.sequences[moment.packet.sequence].floor} or more, acknowledged before"
        ),
    ),
)
"""Rules for an OrderAck from one of the two queue managers to the other."""


def sent_message(moment: PacketInContext) -> tuple[int, Sent] | None:
    """Return MessageID and message of this session that a FinalAck names, by MessageID or by its sequence."""
    packet, side = moment.packet, moment.theirs
    if packet.named_manager == side.manager:
        for table in (side.transactional, side.others):
            earlier = table.get(packet.named_message)
            if earlier is not None and earlier.session == side.session:
                return packet.named_message, earlier
    sent = _in_its_place(moment)
    # With another sender, only a message that agrees in everything else is certainly the same.
    same = packet.named_manager == side.manager or (sent is not None and packet.named_message == sent[0])
    return sent if same else None


def _in_its_place(moment: PacketInContext) -> tuple[int, Sent] | None:
    """Return MessageID and message of this session that a FinalAck names by sequence and number."""
    packet, side = moment.packet, moment.theirs
    sequence = side.current(packet.sequence)
    number = None if sequence is None else sequence.messages.get(packet.number)
    earlier = None if number is None else side.transactional.get(number)
    if number is None or earlier is None or packet.sequence != earlier.sequence:
        return None
    return number, earlier


_MOST_COMPARED = 64
"""Number of messages up to which each is compared with a FinalAck that may acknowledge any of them."""


def possibly_sent(moment: PacketInContext) -> Iterator[tuple[int, Sent] | None]:
    """Yield each result that `sent_message` can have for a FinalAck whose MessageID is unknown.

    Where there are many, the last one is None, as if there were all.
    """
    side = moment.theirs
    if moment.packet.named_manager != side.manager:
        yield None
        return
    yield _in_its_place(moment)
    if len(side.others) + len(side.transactional) > _MOST_COMPARED:
        yield None
        return
    for number, earlier in (*side.others.items(), *side.transactional.items()):
        if earlier.session == side.session:
            yield number, earlier


def _repeats(requirement: str, field: str, value: Callable[[int, Sent], int], of: str) -> SessionRule:
    """Return a rule: a FinalAck repeats a field of the message that it acknowledges."""
    name = {"TxSequenceID": "sequence", "TxSequenceNumber": "number", "MessageID": "named_message"}[field]

    def holds(moment: PacketInContext) -> bool:
        earlier = moment.acknowledges
        return (
            earlier is None or not earlier[1].transactional or getattr(moment.packet, name) == value(*earlier)
        )

    def allowed(moment: PacketInContext) -> str:
        earlier = moment.acknowledges
        wanted = 0 if earlier is None else value(*earlier)
        text = transaction_id(wanted) if field == "TxSequenceID" else shown(wanted)
        return f"{text}, {of_acknowledged(of)}"

    return SessionRule(requirement, f"{_BODY}.{field}", holds, allowed)


def _from_its_sender(moment: PacketInContext) -> bool:
    return moment.acknowledges is None or moment.packet.named_manager == moment.theirs.manager


def _is_transactional(moment: PacketInContext) -> bool:
    earlier = moment.acknowledges
    return earlier is None or earlier[1].transactional


def _lowest_previous(moment: PacketInContext) -> int:
    """Return the lowest previous number of the message; 0 if it may have been sent with a lower one.

    Previous numbers never increase when a message is sent again, because messages are only removed.
    """
    packet, earlier = moment.packet, moment.acknowledges
    sequence = moment.theirs.current(packet.sequence)
    if (
        earlier is None
        or sequence is None
        or earlier[1].sequence != packet.sequence
        or not earlier[1].transactional
    ):
        return 0
    if earlier[1].stretch != moment.theirs.stretch:  # it may have been sent again, with a lower one
        return 0
    previous = earlier[1].previous
    before = moment.theirs.transactional.get(sequence.messages.get(previous, 0))
    shown_here = before is not None and before.stretch == moment.theirs.stretch
    return previous if shown_here and earlier[1].number == packet.number else 0


def _was_asked_for(moment: PacketInContext) -> bool:
    """Return whether an acknowledgment of the removal from a queue was requested; rejections always are."""
    earlier = moment.acknowledges
    return (
        earlier is None
        or not earlier[1].transactional
        or earlier[1].final
        or not moment.packet.message_class & REMOVED
    )


def _is_removed_once(moment: PacketInContext) -> bool:
    packet, ours = moment.packet, moment.ours
    if packet.named_manager != moment.theirs.manager:
        return True
    before = ours.finals.get(packet.named_message)
    return before is None or before[0] != ours.session or before[1] == packet.message_id


REMOVED = 0x4000
"""The bit of the classes that report that a message was removed from its queue, or not received."""

FINAL_ACK: tuple[SessionRule, ...] = (
    SessionRule(
        "MQQB-2.2.5-16",
        f"{_BODY}.MessageID",
        _is_transactional,
        lambda _: "that of a transactional message",
    ),
    _repeats(
        "MQQB-2.2.5.1-01", "TxSequenceID", lambda _, sent: sent.sequence, "TransactionHeader.TxSequenceID"
    ),
    _repeats(
        "MQQB-2.2.5.1-02",
        "TxSequenceNumber",
        lambda _, sent: sent.number,
        "TransactionHeader.TxSequenceNumber",
    ),
    SessionRule(
        "MQQB-2.2.5.1-03",
        f"{_BODY}.TxPreviousSequenceNumber",
        lambda moment: moment.packet.previous >= _lowest_previous(moment),
        lambda moment: f"{_lowest_previous(moment)} or more, the predecessor of the message acknowledged",
    ),
    SessionRule(
        "MQQB-2.2.5.1-07",
        f"{_BODY}.SourceGUID",
        _from_its_sender,
        lambda moment: f"{moment.theirs.manager}, {of_acknowledged('UserHeader.SourceQueueManager')}",
    ),
    _repeats("MQQB-2.2.5.1-08", "MessageID", lambda number, _: number, "UserHeader.MessageID"),
    SessionRule(
        "MQQB-3.1.7.2.2-01",
        "MessagePropertiesHeader.MessageClass",
        _was_asked_for,
        lambda _: "a negative arrival class: the message asked for no acknowledgment of its removal",
    ),
    SessionRule(
        "MQQB-3.1.7.2.2-02",
        f"{_BODY}.MessageID",
        lambda moment: not moment.packet.message_class & REMOVED or _is_removed_once(moment),
        lambda _: "that of a message whose removal was not acknowledged before",
    ),
)
"""Rules for a FinalAck from one of the two queue managers to the other."""

TABLES = (MESSAGE, TRANSACTION, ORDER_ACK, FINAL_ACK)
"""All of these rules."""
