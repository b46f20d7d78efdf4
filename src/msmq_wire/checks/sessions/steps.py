"""Updates the state of a session for each packet, with one function for each kind of packet.

1. A step checks its packet against the previous state, then updates the state.  A SessionHeader is checked
   after the message before it was counted, because it counts that message too ([MS-MQQB] 3.1.7.1.3).
2. After a violation, the state that the packet contradicts is unknown, so each fault is reported once.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from msmq_wire import mqqb
from msmq_wire.checks.located import located, plain
from msmq_wire.checks.parts import PartialOffsets, Unknown, packet_part
from msmq_wire.checks.rules import RULES, session_order
from msmq_wire.checks.rules import session as session_rules
from msmq_wire.checks.rules.session import PacketInContext
from msmq_wire.checks.rules.vocabulary import Context
from msmq_wire.checks.validation import validate
from msmq_wire.documents.opening import PING_SIGNATURE
from msmq_wire.documents.session_protocol import HANDSHAKE, NUMBERS, OPENED, PAUSED
from msmq_wire.values.guid import GUID

from .facts import Facts, PartialFacts
from .state import (
    MAX_PINGS,
    MAX_QUEUES,
    MAX_REMEMBERED,
    MAX_SEQUENCES,
    Direction,
    Sent,
    Sequence,
    SessionState,
    SideState,
    other,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.checks.rules.session import SessionRule
    from msmq_wire.packets.partial import LaxResult
    from msmq_wire.values.violation import Violation

    Broken: TypeAlias = tuple[Violation, ...]

_IN_CONTEXT = frozenset(
    rule.requirement
    for name in ("EstablishConnection", "EstablishConnectionHeader", "PingPacket")
    for rule in RULES[name]
    if rule.needs in {"request", "sender", "is_response"}
)
"""Requirements that `validate` checks if the answered packet is given; it reports all others without it."""


def broken(moment: PacketInContext, rule: SessionRule) -> Violation:
    """Return the violation of a rule that does not hold for a moment."""
    packet = moment.packet.record() if type(moment.packet) in {Facts, PartialFacts} else moment.packet
    fault = "" if rule.fault is None else rule.fault(moment)
    offsets = PartialOffsets(moment.result) if type(moment) is PartInContext else None
    return located(packet, rule.requirement, rule.path, rule.allowed(moment), fault, offsets)


def _check(moment: PacketInContext, rules: tuple[SessionRule, ...]) -> Broken:
    for rule in rules:
        if not rule.holds(moment):
            return tuple(broken(moment, each) for each in rules if not each.holds(moment))
    return ()  # the usual case, which costs no object


def _in_context(moment: PacketInContext, context: Context) -> Broken:
    """Return the requirements that a packet violates only in relation to another packet."""
    return tuple(
        plain(item)
        for item in validate(
            moment.result if type(moment) is PartInContext else moment.packet,
            channel="session",
            context=context,
        )
        if item.requirement in _IN_CONTEXT
    )


@lru_cache(maxsize=1024)
def _guid(text: str | None) -> GUID | None:
    return None if text is None else GUID.of(text)


# ------------------------------------------------------------------------------------------ handshake


def _in_doubt(moment: PacketInContext) -> bool:
    """Return whether an EstablishConnection may answer one that was not captured or seemed an answer.

    Only the ConnectionParameters prove which side requested the session.
    """
    return moment.state.missing and moment.state.opener is None


def _answers(moment: PacketInContext) -> bool:
    """Return whether an EstablishConnection answers the request; otherwise it requests another session."""
    state = moment.state
    if state.phase != "asked" or moment.initiates:
        return state.missing and state.opener not in {None, moment.way}
    if state.one_connection:
        return True
    header = moment.packet.EstablishConnectionHeader
    if header.TimeStamp == state.time_stamp:
        return True
    return not _in_doubt(moment) and str(header.ClientGuid) == moment.theirs.manager


def begins(moment: PacketInContext) -> bool:
    """Return whether a packet requests a session that replaces the current one."""
    asks = type(moment.packet) is mqqb.EstablishConnection and not _answers(moment)
    return asks and not _check(moment, session_rules.ARRIVAL["EstablishConnection"])


def _establish(moment: PacketInContext) -> Broken:
    if _answers(moment):
        return _answered(moment)
    return _check(moment, session_rules.ARRIVAL["EstablishConnection"]) or _asked(moment)


def _asked(moment: PacketInContext) -> Broken:
    state, packet = moment.state, moment.packet
    broken = () if _in_doubt(moment) else _check(moment, session_rules.REQUEST)
    header = packet.EstablishConnectionHeader
    state.phase, state.handshake, state.initiator = HANDSHAKE["idle"].leads_to, "incomplete", moment.way
    state.request, state.time_stamp = packet.encode().hex(), header.TimeStamp
    for side in state.sides.values():
        side.begin()
    moment.ours.speaks_for(str(header.ClientGuid))
    return broken


def _answered(moment: PacketInContext) -> Broken:
    state, packet = moment.state, moment.packet
    broken: Broken = ()
    if state.request is not None:
        request = mqqb.EstablishConnection.decode(bytes.fromhex(state.request))
        broken = _in_context(moment, Context(request=request, sender=_guid(moment.ours.announced)))
    else:
        _answers_the_missing(moment, packet)
    state.request, state.missing = None, _in_doubt(moment)
    for side in state.sides.values():
        side.pings, side.announced = [], None
    if packet.InternalHeader.Flags.CS:
        state.phase = state.handshake = "refused"
        return broken
    state.phase = HANDSHAKE["asked"].leads_to
    moment.ours.speaks_for(str(packet.EstablishConnectionHeader.ServerGuid))
    _recognise(state)
    return broken


def _answers_the_missing(moment: PacketInContext, answer: Any) -> None:
    """Handle an EstablishConnection that answers one that was not captured."""
    state, header = moment.state, answer.EstablishConnectionHeader
    state.initiator = other(moment.way)
    state.handshake, state.time_stamp = "incomplete", header.TimeStamp
    for side in state.sides.values():
        side.begin()
    moment.theirs.speaks_for(str(header.ClientGuid))


def _recognise(state: SessionState) -> None:
    """Store which earlier session had the same queue managers."""
    pair = sorted(side.manager or "" for side in state.sides.values())
    if state.pair is not None and list(state.pair[:2]) == pair:
        state.reconnect_of = state.pair[2]
    state.pair = (pair[0], pair[1], state.number)


def _reconsider(moment: PacketInContext) -> None:
    """Handle ConnectionParameters that prove that an apparent request was the answer to a missing one."""
    state = moment.state
    if state.phase == "asked" and not moment.initiates and _in_doubt(moment):
        answer = mqqb.EstablishConnection.decode(bytes.fromhex(state.request or ""))
        state.request = None
        _answered(PacketInContext(answer, other(moment.way), state))


def _parameters(moment: PacketInContext) -> Broken:
    state, packet = moment.state, moment.packet
    _reconsider(moment)
    broken = _check(moment, session_rules.ARRIVAL["ConnectionParameters"])
    if broken:
        return broken
    header = packet.ConnectionParametersHeader
    if state.phase in HANDSHAKE:
        answers = state.phase == "offered"
        broken = _check(moment, session_rules.ANSWER if answers else session_rules.OFFER)
        state.phase, state.missing = HANDSHAKE[state.phase].leads_to, False
        state.handshake = "complete" if answers else state.handshake
    else:  # in the middle of a handshake, no message was sent yet
        for side in state.sides.values():
            if side.sent is None or side.acknowledged is None:
                side.count_anew()
    if state.offered is None:
        state.offered = header.RecoverableAckTimeout, header.AckTimeout
    moment.ours.window = max(header.WindowSize, moment.ours.window or 0)
    return broken


def _ping(moment: PacketInContext) -> Broken:
    """Handle a Ping; the side that is seen first is the requester."""
    ours, theirs, packet = moment.ours, moment.theirs, moment.packet
    if packet.Signature != PING_SIGNATURE:  # the receiver drops it
        return ()
    under_way = moment.state.phase not in {"unseen", "idle", "refused"}
    known = Context(sender=_guid(ours.announced or (ours.manager if under_way else None)), is_response=False)
    if theirs.pings:
        asked = [mqqb.PingPacket.decode(bytes.fromhex(text)) for text in theirs.pings]
        request = next((ping for ping in reversed(asked) if ping.Cookie == packet.Cookie), asked[-1])
        known = Context(sender=known.sender, request=request)
    else:
        ours.pings = [*ours.pings, packet.encode().hex()][-MAX_PINGS:]
    broken = _in_context(moment, known)
    if not broken:
        ours.announced = str(packet.QMGuid)
    return broken


# ------------------------------------------------------------------------------------------- messages


def _opened(moment: PacketInContext) -> Broken:
    """Handle a packet that only occurs in an open session."""
    state = moment.state
    if state.phase == "open":
        return ()
    broken = _check(moment, session_rules.ARRIVAL[moment.kind])
    if broken:  # packets are missing
        for side in state.sides.values():
            side.lose_count(renewed=True)
    state.phase = "open"
    return broken


def _counted(moment: PacketInContext) -> Broken:
    ours = moment.ours
    if ours.sent is not None:
        ours.sent = (ours.sent + 1) % NUMBERS
        if ours.least is not None and ours.sent == ours.least[0]:  # the number has wrapped around
            ours.least = None
    if ours.recoverable_sent is not None:
        ours.recoverable_sent = (ours.recoverable_sent + moment.packet.recoverable) % NUMBERS
    return _check(moment, session_rules.COUNTED)


def _header(moment: PacketInContext) -> Broken:
    """Check a SessionHeader and update the state."""
    ours, theirs, packet = moment.ours, moment.theirs, moment.packet
    broken: Broken = ()
    if session_rules.agrees(moment):
        theirs.acknowledged = packet.acknowledged
        if packet.first:
            theirs.acknowledge(packet.first, packet.flags)
    else:
        broken = _compared(moment)
    if ours.window is not None or packet.window != PAUSED:
        ours.window = max(packet.window, ours.window or 0)
    return broken


def _compared(moment: PacketInContext) -> Broken:
    """Check a SessionHeader by every rule; the counts that it contradicts are unknown afterwards."""
    ours, theirs, packet = moment.ours, moment.theirs, moment.packet
    broken = _check(moment, session_rules.HEADER)
    wrong = {item.path.rpartition(".")[2] for item in broken} if broken else ()
    if "AckSequenceNumber" in wrong:
        theirs.sent = theirs.least = None
    else:
        theirs.acknowledged = packet.acknowledged
    if (
        "RecoverableMsgAckSeqNumber" in wrong
        or "RecoverableMsgAckFlags" in wrong
        or session_rules.contradicts_itself(packet)
    ):
        theirs.recoverable_sent = theirs.least = None
    elif not session_rules.names_none(moment):
        theirs.acknowledge(packet.first, packet.flags)
    ours.sent = None if "UserMsgSequenceNumber" in wrong else packet.sent
    ours.recoverable_sent = None if "RecoverableMsgSeqNumber" in wrong else packet.recoverable_sent
    if ours.sent is None or ours.recoverable_sent is None:
        ours.least = None
    return broken


def _session_ack(moment: PacketInContext) -> Broken:
    moment.ours.tally.session_acks += 1
    broken = _opened(moment) or _check(moment, session_rules.SESSION_ACK)
    return broken + _header(moment)


def _user_message(moment: PacketInContext) -> Broken:
    ours, packet = moment.ours, moment.packet
    broken = _opened(moment)
    recoverable, transactional = packet.recoverable, packet.sequence is not None
    tally = ours.tally
    tally.transactional += transactional
    tally.recoverable += recoverable and not transactional
    tally.express += not (recoverable or transactional)
    tally.acknowledgments += packet.message_class != 0
    broken += _counted(moment)
    if packet.acknowledged is not None:
        broken += _header(moment)
    if packet.manager == ours.manager:
        broken += _identified(moment, transactional=transactional)
        if transactional:
            broken += _transactional(moment)
    return broken


def _identified(moment: PacketInContext, *, transactional: bool = False) -> Broken:
    """Check the MessageID of a message of the sender; store the message if it is not transactional."""
    packet = moment.packet
    broken = () if session_order.is_new(moment) else _check(moment, session_order.MESSAGE)
    if not (broken or transactional):
        _keep(moment.ours.others, packet.message_id, _sent(moment), MAX_REMEMBERED)
    return broken


def _sent(moment: PacketInContext, previous: int = 0) -> Sent:
    packet = moment.packet
    return Sent(
        packet.kind, moment.ours.session, moment.ours.stretch, packet.sequence or 0, packet.number,
        previous, packet.final, packet.sent_at, packet.size, packet.recoverable, packet.address,
    )  # fmt: skip


def _transactional(moment: PacketInContext) -> Broken:
    ours, packet = moment.ours, moment.packet
    is_next = session_order.is_next(moment)
    broken = () if is_next else _check(moment, session_order.TRANSACTION)
    if broken:
        ours.forget_sequences()
        return broken
    number, previous = packet.number, packet.previous
    sequence = ours.sequences[packet.sequence] if is_next else _sequence(moment)
    sequence.stretch = ours.stretch
    if number > sequence.highest:
        sequence.highest = number
    else:  # sent again
        sequence.floor = min(sequence.floor, number)
    sequence.last = max(sequence.last, number)
    sequence.messages[number] = packet.message_id
    before = ours.transactional.get(packet.message_id)
    if before is not None and before.session == ours.session:
        previous = min(previous, before.previous)
    dropped = _keep(ours.transactional, packet.message_id, _sent(moment, previous), MAX_REMEMBERED)
    if dropped is not None:
        _forget(ours, dropped)
    return broken


def _sequence(moment: PacketInContext) -> Sequence:
    """Return the sequence of a message, as it is known in this session."""
    ours, packet = moment.ours, moment.packet
    identifier, newest = packet.sequence, ours.newest.get(packet.queue)
    begun = newest is not None and identifier > newest and ours.sends_now(newest)
    sequence = ours.sequences.get(identifier)
    if sequence is None:
        first, all_seen = packet.number == 1, ours.whole and moment.theirs.whole
        sequence = Sequence(whole=first and (begun or all_seen))
        _keep(ours.sequences, identifier, sequence, MAX_SEQUENCES)
    if sequence.session != ours.session:
        sequence.session, sequence.last, sequence.messages = ours.session, 0, {}
        sequence.begun = begun and not sequence.highest
        sequence.complete = ours.whole or sequence.begun
    if newest is None or newest < identifier:
        _keep(ours.newest, packet.queue, identifier, MAX_QUEUES)
    return sequence


def _forget(side: SideState, dropped: Sent) -> None:
    """Handle a message that is no longer remembered."""
    sequence = side.current(dropped.sequence)
    if sequence is not None and dropped.session == side.session:
        sequence.messages.pop(dropped.number, None)
        sequence.complete = sequence.begun = sequence.whole = False


def _keep(table: dict[Any, Any], key: Any, value: Any, most: int) -> Any:
    """Append an entry to a table; return the entry that was dropped for it."""
    table.pop(key, None)
    table[key] = value
    return table.pop(next(iter(table))) if len(table) > most else None


def _order_ack(moment: PacketInContext) -> Broken:
    moment.ours.tally.order_acks += 1
    broken = _opened(moment)
    broken += _counted(moment)
    packet = moment.packet
    if packet.manager == moment.ours.manager:
        broken += _identified(moment)
    if packet.sequence is None or not session_order.reaches_sender(moment):
        return broken
    if not session_order.acknowledges_ours(moment):
        return broken + _check(moment, session_order.BY_DESTINATION)
    wrong = _check(moment, session_order.ORDER_ACK)
    sequence = moment.theirs.sequences.get(packet.sequence)
    if sequence is not None and not wrong:
        if packet.number > sequence.highest:  # sent before the capture started
            sequence.highest, sequence.whole = packet.number, False
        sequence.floor = packet.number
        sequence.acknowledged = max(sequence.acknowledged, packet.number)
    return broken + wrong


def _final_ack(moment: PacketInContext) -> Broken:
    moment.ours.tally.final_acks += 1
    broken = _opened(moment)
    broken += _counted(moment)
    ours, packet = moment.ours, moment.packet
    if packet.manager == ours.manager:
        broken += _identified(moment)
    if packet.sequence is None or not session_order.acknowledges_ours(moment):
        return broken
    moment.acknowledges = session_order.sent_message(moment)
    wrong = _check(moment, session_order.FINAL_ACK)
    ours_named = packet.named_manager == moment.theirs.manager
    if not wrong and ours_named and packet.message_class & session_order.REMOVED:
        _keep(ours.finals, packet.named_message, (ours.session, packet.message_id), MAX_REMEMBERED)
    return broken + wrong


STEPS: dict[str, Callable[[PacketInContext], Broken]] = {
    "EstablishConnection": _establish,
    "ConnectionParameters": _parameters,
    "PingPacket": _ping,
    "SessionAck": _session_ack,
    "UserMessage": _user_message,
    "OrderAck": _order_ack,
    "FinalAck": _final_ack,
}
"""Handlers by name of the record."""


# ---------------------------------------------------------------------------------------------- parts


class PartInContext(PacketInContext):
    """A packet of which only a part can be read, and the known state when it arrives.

    Attributes:
        packet: Its certain fields: a `PartialRecord`, a record if all are certain, or the `PartialFacts`.
        kind: The class of the packet; empty for a message that may be an acknowledgment or not.
        result: What `decode_lax` returned.
    """

    __slots__ = ("result",)

    def __init__(self, result: LaxResult, kind: str, way: Direction, state: SessionState) -> None:
        name, known, body = packet_part(kind, result)
        super().__init__(known, way, state)
        self.kind = name or ""
        self.result = result
        if body is not None:
            known.MessagePropertiesHeader.values["MessageBody"] = body


def of_part(result: LaxResult, kind: str, way: Direction, state: SessionState) -> Broken:
    """Return the requirements that a packet violates by its fields that are certain."""
    is_expected = kind in OPENED and session_rules.may_be_open(state.phase)
    ours, theirs = state.sides[way], state.sides[other(way)]
    known = {ours.manager, ours.sent, theirs.sent, theirs.acknowledged} != {None}
    if kind not in _OF_PARTS or (is_expected and not known):
        return ()  # the usual case, which costs no object
    try:
        return _OF_PARTS[kind](PartInContext(result, kind, way, state))
    except Unknown:
        return ()


def _check_part(moment: PartInContext, rules: tuple[SessionRule, ...]) -> Broken:
    violations = []
    for rule in rules:
        with suppress(Unknown):
            if not rule.holds(moment):
                violations.append(broken(moment, rule))
    return tuple(violations)


def _part_of_establish(moment: PartInContext) -> Broken:
    request = moment.state.request
    if not _answers(moment):
        unexpected = _check_part(moment, session_rules.ARRIVAL[moment.kind])
        return unexpected or (() if _in_doubt(moment) else _check_part(moment, session_rules.REQUEST))
    if request is None:
        return ()
    asked = mqqb.EstablishConnection.decode(bytes.fromhex(request))
    return _in_context(moment, Context(request=asked, sender=_guid(moment.ours.announced)))


def _part_of_parameters(moment: PartInContext) -> Broken:
    state = moment.state
    if state.phase == "asked" and _in_doubt(moment):
        return ()  # the side that seemed to answer may have asked
    unexpected = _check_part(moment, session_rules.ARRIVAL[moment.kind])
    if unexpected or state.phase not in HANDSHAKE:
        return unexpected
    return _check_part(moment, session_rules.ANSWER if state.phase == "offered" else session_rules.OFFER)


def _part_of_session_ack(moment: PartInContext) -> Broken:
    unexpected = _check_part(moment, session_rules.ARRIVAL[moment.kind])
    moment.packet = PartialFacts(moment.kind, moment.packet)
    return unexpected or _check_part(moment, (*session_rules.SESSION_ACK, *session_rules.HEADER))


def _part_of_message(moment: PartInContext) -> Broken:
    """Check a message, or an acknowledgment that is one on the wire."""
    if not moment.kind:
        return ()
    unexpected = _check_part(moment, session_rules.ARRIVAL[moment.kind])
    if unexpected:
        return unexpected
    moment.packet = PartialFacts(moment.kind, moment.packet)
    try:
        broken = _counted(moment)
    except Unknown:  # whether it is recoverable
        moment.ours.recoverable_sent = None
        broken = _check(moment, session_rules.COUNTED)
    for check in (_part_of_header, _part_of_identity, _part_of_order):
        with suppress(Unknown):
            broken += check(moment)
    return broken


def _part_of_header(moment: PartInContext) -> Broken:
    """Check the SessionHeader of a message; an acknowledgment has none."""
    if moment.kind != "UserMessage" or moment.packet.acknowledged is None:
        return ()
    return _check_part(moment, session_rules.HEADER)


def _part_of_identity(moment: PartInContext) -> Broken:
    """Check the MessageID of a message, or an acknowledgment, of the queue manager that sends it."""
    is_own = moment.packet.manager == moment.ours.manager
    return _check_part(moment, session_order.MESSAGE) if is_own else ()


def _part_of_order(moment: PartInContext) -> Broken:
    """Check the place of a message in its sequence, or of the one that it acknowledges."""
    packet = moment.packet
    if packet.sequence is None:
        return ()
    if packet.manager != moment.ours.manager:
        is_passed_on = moment.kind == "OrderAck" and session_order.reaches_sender(moment)
        return _check_part(moment, session_order.BY_DESTINATION) if is_passed_on else ()
    if moment.kind == "UserMessage":
        return _check_part(moment, session_order.TRANSACTION)
    if not session_order.acknowledges_ours(moment):
        return ()
    if moment.kind == "OrderAck":
        return _check_part(moment, session_order.ORDER_ACK)
    return _part_of_final(moment)


def _part_of_final(moment: PartInContext) -> Broken:
    """Check a FinalAck; without its MessageID, by what it violates whichever message it acknowledges."""
    try:
        messages = iter((session_order.sent_message(moment),))
    except Unknown:
        messages = session_order.possibly_sent(moment)
    certain: Broken | None = None
    for message in messages:
        moment.acknowledges = message
        violations = _check_part(moment, session_order.FINAL_ACK)
        certain = tuple(item for item in violations if certain is None or item in certain)
        if not certain:
            break
    return certain or ()


_OF_PARTS: dict[str, Callable[[PartInContext], Broken]] = {
    "EstablishConnection": _part_of_establish,
    "ConnectionParameters": _part_of_parameters,
    "SessionAck": _part_of_session_ack,
    "UserMessage": _part_of_message,
}


def reportable() -> frozenset[str]:
    """Return the ids of all requirements that a monitor can report."""
    ruled = {rule.requirement for table in (*session_rules.TABLES, *session_order.TABLES) for rule in table}
    return _IN_CONTEXT | ruled | session_rules.UNREADABLE
