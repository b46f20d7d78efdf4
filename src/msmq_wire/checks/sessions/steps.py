"""Updates the state of a session for each packet, with one function for each kind of packet.

1. A step checks its packet against what was known before, then updates the state.  A SessionHeader is checked
   after the message before it was counted, because it counts that message too ([MS-MQQB] 3.1.7.1.3).
2. After a violation, the state that the packet contradicts is unknown, so each fault is reported once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msmq_wire import mqmq, mqqb
from msmq_wire.checks.places import Inside, offset_of
from msmq_wire.checks.rules import RULES, _session, _session_order
from msmq_wire.checks.rules._session import Moment
from msmq_wire.checks.rules._vocabulary import Context, shown
from msmq_wire.checks.validation import validate
from msmq_wire.documents.transactions import transaction_id
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.violation import Violation

from . import outline
from .state import (
    MAX_PINGS,
    MAX_QUEUES,
    MAX_REMEMBERED,
    MAX_SEQUENCES,
    NUMBERS,
    Sequence,
    SessionState,
    other,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.checks.rules._session import SessionRule

__all__ = ["STEPS", "begins", "reportable"]

_IN_CONTEXT = frozenset(
    rule.requirement
    for name in ("EstablishConnection", "EstablishConnectionHeader", "PingPacket", "FinalAckBody")
    for rule in RULES[name]
    if rule.needs in {"request", "sender", "is_response"} and rule.requirement != "MQQB-2.2.5.1-03"
)
"""Requirements that `validate` checks if the answered packet is given.

One is excluded: what the receiver had received before may have been sent over an earlier session.
"""
_ALONE = frozenset(rule.requirement for rows in RULES.values() for rule in rows) - _IN_CONTEXT
"""Requirements on a single packet; `validate` reports their violations, and the session does not."""

_ACKNOWLEDGES = [row for row in RULES["FinalAckBody"] if row.requirement in _IN_CONTEXT]

_PING = 0x5548


def _whole(moment: Moment) -> Any:
    """Replace an outline of the packet by the packet itself."""
    if isinstance(moment.packet, outline.Outline):
        moment.packet = moment.packet.record()
    return moment.packet


def _broken(moment: Moment, rule: SessionRule) -> Violation:
    packet = _whole(moment)
    steps: list[Any] = []
    found: Any = packet if rule.path else None
    for step in rule.path.split(".") if rule.path else ():
        if isinstance(found, bytes):
            found = moment.body
            steps.append(Inside(0, found))
        found = getattr(found, step)
        steps.append(step)
    name = type(packet).__name__
    path, allowed = f"{name}.{rule.path}".rstrip("."), rule.allowed(moment)
    fault = f"{path} is {shown(found)}, but has to be {allowed}" if rule.fault is None else rule.fault(moment)
    return Violation(
        rule.requirement,
        path,
        offset_of(packet, tuple(steps)),
        found if isinstance(found, int) else None if found is None else str(found),
        allowed,
        f"{fault}.",
    )


def _check(moment: Moment, rules: tuple[SessionRule, ...]) -> list[Violation]:
    for rule in rules:
        if not rule.holds(moment):
            return [_broken(moment, one) for one in rules if not one.holds(moment)]
    return []  # the usual case


def _in_context(moment: Moment, context: Context) -> list[Violation]:
    """Return the requirements that a packet violates only given another packet."""
    return [
        Violation(
            item.requirement,
            item.path,
            item.offset,
            item.found if isinstance(item.found, int) else str(item.found),
            item.allowed,
            item.message,
        )
        for item in validate(_whole(moment), channel="session", context=context, ignore=_ALONE)
        if item.requirement in _IN_CONTEXT
    ]


@lru_cache(maxsize=1024)
def _guid(text: str | None) -> GUID | None:
    return None if text is None else GUID.of(text)


# ------------------------------------------------------------------------------------------ handshake


def _in_doubt(moment: Moment) -> bool:
    """Return whether an EstablishConnection may answer one that was not captured."""
    return moment.state.missing and moment.state.opener is None


def _answers(moment: Moment) -> bool:
    """Return whether an EstablishConnection answers the request; otherwise it requests another session."""
    state, header = moment.state, moment.packet.EstablishConnectionHeader
    if state.phase != "asked" or moment.initiates:
        return state.missing and state.opener not in {None, moment.way}
    if state.one_connection or header.TimeStamp == state.time_stamp:
        return True
    return not _in_doubt(moment) and str(header.ClientGuid) == moment.theirs.manager


def begins(moment: Moment) -> bool:
    """Return whether a packet requests a session that replaces the current one."""
    asks = type(moment.packet) is mqqb.EstablishConnection and not _answers(moment)
    return asks and not _check(moment, _session.ARRIVAL["EstablishConnection"])


def _establish(moment: Moment) -> list[Violation]:
    if _answers(moment):
        return _answered(moment)
    return _check(moment, _session.ARRIVAL["EstablishConnection"]) or _asked(moment)


def _asked(moment: Moment) -> list[Violation]:
    state, packet = moment.state, moment.packet
    broken = [] if _in_doubt(moment) else _check(moment, _session.REQUEST)
    header = packet.EstablishConnectionHeader
    state.phase, state.handshake, state.initiator = "asked", "incomplete", moment.way
    state.request, state.time_stamp = packet.encode().hex(), header.TimeStamp
    for side in state.sides.values():
        side.begin()
    moment.ours.speaks_for(str(header.ClientGuid))
    return broken


def _answered(moment: Moment) -> list[Violation]:
    state, packet = moment.state, moment.packet
    broken: list[Violation] = []
    if state.request is not None:
        request = mqqb.EstablishConnection.decode(bytes.fromhex(state.request))
        broken = _in_context(moment, Context(request=request, sender=_guid(moment.ours.announced)))
    else:
        _answers_the_missing(moment, packet)
    state.request, state.missing = None, False
    for side in state.sides.values():
        side.pings, side.announced = [], None
    if packet.InternalHeader.Flags.CS:
        state.phase = state.handshake = "refused"
        return broken
    state.phase = "accepted"
    moment.ours.speaks_for(str(packet.EstablishConnectionHeader.ServerGuid))
    _recognise(state)
    return broken


def _answers_the_missing(moment: Moment, answer: Any) -> None:
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


def _reconsider(moment: Moment) -> None:
    """Handle ConnectionParameters that show that an apparent request was the answer to a missing one."""
    state = moment.state
    if state.phase == "asked" and not moment.initiates and _in_doubt(moment):
        answer = mqqb.EstablishConnection.decode(bytes.fromhex(state.request or ""))
        state.request = None
        _answered(Moment(answer, other(moment.way), state))


def _parameters(moment: Moment) -> list[Violation]:
    state, packet = moment.state, moment.packet
    _reconsider(moment)
    broken = _check(moment, _session.ARRIVAL["ConnectionParameters"])
    if broken:
        return broken
    header = packet.ConnectionParametersHeader
    if state.phase == "accepted":
        broken = _check(moment, _session.OFFER)
        state.phase = "offered"
    elif state.phase == "offered":
        broken = _check(moment, _session.ANSWER)
        state.phase, state.handshake = "open", "complete"
    else:  # in the middle of a handshake, no message was sent yet
        for side in state.sides.values():
            if side.sent is None or side.acknowledged is None:
                side.count_anew()
    if state.offered is None:
        state.offered = header.RecoverableAckTimeout, header.AckTimeout
    moment.ours.window = max(header.WindowSize, moment.ours.window or 0)
    return broken


def _ping(moment: Moment) -> list[Violation]:
    """Handle a Ping; the side that is seen first is the requester."""
    ours, theirs, packet = moment.ours, moment.theirs, moment.packet
    if packet.Signature != _PING:  # the receiver drops it
        return []
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


def _opened(moment: Moment) -> list[Violation]:
    """Handle a packet that only occurs in an open session."""
    state = moment.state
    if state.phase == "open":
        return []
    broken = _check(moment, _session.ARRIVAL[type(moment.packet).__name__])
    if broken:  # packets are missing
        for side in state.sides.values():
            side.lose_count()
    state.phase = "open"
    return broken


def _counted(moment: Moment, *, recoverable: bool) -> list[Violation]:
    ours = moment.ours
    if ours.sent is not None:
        ours.sent = (ours.sent + 1) % NUMBERS
    if ours.recoverable_sent is not None:
        ours.recoverable_sent = (ours.recoverable_sent + recoverable) % NUMBERS
    return _check(moment, _session.COUNTED)


def _header(moment: Moment) -> list[Violation]:
    """Check a SessionHeader and update the state."""
    ours, theirs, header = moment.ours, moment.theirs, moment.packet.SessionHeader
    broken = _check(moment, _session.HEADER)
    wrong = {item.path.rpartition(".")[2] for item in broken}
    if "AckSequenceNumber" in wrong:
        theirs.sent = None
    else:
        theirs.acknowledged = header.AckSequenceNumber
    if wrong & {"RecoverableMsgAckSeqNumber", "RecoverableMsgAckFlags"}:
        theirs.recoverable_sent = None
    elif not _session.names_none(moment):
        theirs.acknowledge(header.RecoverableMsgAckSeqNumber, header.RecoverableMsgAckFlags)
    ours.sent = None if "UserMsgSequenceNumber" in wrong else header.UserMsgSequenceNumber
    ours.recoverable_sent = None if "RecoverableMsgSeqNumber" in wrong else header.RecoverableMsgSeqNumber
    ours.window = max(header.WindowSize, ours.window or 0)
    return broken


def _session_ack(moment: Moment) -> list[Violation]:
    moment.ours.tally.session_acks += 1
    return _opened(moment) + _header(moment)


def _user_message(moment: Moment) -> list[Violation]:
    ours, packet = moment.ours, moment.packet
    broken = _opened(moment)
    recoverable, transactional = packet.UserHeader.Flags.DM == 1, packet.TransactionHeader is not None
    tally = ours.tally
    tally.transactional += transactional
    tally.recoverable += recoverable and not transactional
    tally.express += not (recoverable or transactional)
    tally.acknowledgments += packet.MessagePropertiesHeader.MessageClass != 0
    broken += _counted(moment, recoverable=recoverable)
    if packet.SessionHeader is not None:
        broken += _header(moment)
    if transactional and str(packet.UserHeader.SourceQueueManager) == ours.manager:
        broken += _transactional(moment)
    return broken


def _transactional(moment: Moment) -> list[Violation]:
    ours, packet = moment.ours, moment.packet
    broken = _check(moment, _session_order.TRANSACTION)
    if broken:
        ours.forget_sequences()
        return broken
    identifier, number = _session_order.place(moment)
    sequence, queue = ours.sequences.get(identifier), _session_order.queue_key(moment)
    if sequence is None:
        first, all_seen = number == 1, ours.whole and moment.theirs.whole
        begun = first and queue in ours.newest
        sequence = Sequence(number, whole=begun or (first and all_seen), begun=begun)
        _keep(ours.sequences, identifier, sequence, MAX_SEQUENCES)
    elif number > sequence.highest:
        sequence.highest = number
    else:  # sent again
        sequence.floor = min(sequence.floor, number)
    if ours.newest.get(queue, 0) < identifier:
        _keep(ours.newest, queue, identifier, MAX_QUEUES)
    place = identifier, number, moment.state.number
    dropped = _keep(ours.remembered, packet.UserHeader.MessageID, place, MAX_REMEMBERED)
    if dropped is not None and dropped[0] in ours.sequences:
        ours.sequences[dropped[0]].whole = False
    return broken


def _keep(table: dict[Any, Any], key: Any, value: Any, most: int) -> Any:
    """Append an entry to a table; return the entry that was dropped for it."""
    table.pop(key, None)
    table[key] = value
    return table.pop(next(iter(table))) if len(table) > most else None


def _read(kind: Any, packet: Any) -> Any:
    try:
        return kind.decode(packet.MessagePropertiesHeader.MessageBody)
    except DecodeError:
        return None


def _order_ack(moment: Moment) -> list[Violation]:
    moment.ours.tally.order_acks += 1
    broken = _opened(moment)
    broken += _counted(moment, recoverable=moment.packet.UserHeader.Flags.DM == 1)
    moment.body = _read(mqqb.OrderAckBody, moment.packet)
    if moment.body is None or not _session_order.acknowledges_ours(moment):
        return broken
    wrong = _check(moment, _session_order.ORDER_ACK)
    identifier, number = _session_order.place(moment)
    sequence = moment.theirs.sequences.get(identifier)
    if sequence is not None and not wrong:
        if number > sequence.highest:  # sent before the capture started
            sequence.highest, sequence.whole = number, False
        sequence.floor = number
        sequence.acknowledged = max(sequence.acknowledged, number)
    return broken + wrong


def _final_ack(moment: Moment) -> list[Violation]:
    moment.ours.tally.final_acks += 1
    broken = _opened(moment)
    broken += _counted(moment, recoverable=moment.packet.UserHeader.Flags.DM == 1)
    body = moment.body = _read(mqqb.FinalAckBody, moment.packet)
    if body is None or not _session_order.acknowledges_ours(moment):
        return broken
    message = _acknowledged(moment, body)
    if message is None:
        return broken
    known = Context(request=message)
    if all(row.value(body, known) for row in _ACKNOWLEDGES):
        return broken  # the usual case; the following computations are only needed for violations
    header, sequence = message.UserHeader, message.TransactionHeader
    request = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(SourceQueueManager=header.SourceQueueManager, MessageID=header.MessageID),
        TransactionHeader=mqmq.TransactionHeader(
            TxSequenceID=sequence.TxSequenceID, TxSequenceNumber=sequence.TxSequenceNumber
        ),
    )
    return broken + _in_context(moment, Context(request=request))


def _acknowledged(moment: Moment, body: Any) -> Any:
    """Return the message that a FinalAck acknowledges, if it is cached; None if unknown."""
    theirs = moment.theirs
    place, source = _session_order.position(body), _guid(theirs.manager)
    message: int | None = body.MessageID
    if message not in theirs.remembered or body.SourceGUID != source:
        message = next((key for key, before in theirs.remembered.items() if before[:2] == place), None)
    if message is None or source is None:
        return None
    identifier, number, _ = theirs.remembered[message]
    of = transaction_id(identifier)
    return outline.UserMessage(
        outline.UserHeader(source, NULL_GUID, message, outline.SET),
        outline.Properties(0),
        outline.Transaction(of, number, number - 1),
    )


STEPS: dict[str, Callable[[Moment], list[Violation]]] = {
    "EstablishConnection": _establish,
    "ConnectionParameters": _parameters,
    "PingPacket": _ping,
    "SessionAck": _session_ack,
    "UserMessage": _user_message,
    "OrderAck": _order_ack,
    "FinalAck": _final_ack,
}
"""Handlers by name of the record."""


def reportable() -> frozenset[str]:
    """Return the ids of all requirements that a monitor can report."""
    ruled = {rule.requirement for table in (*_session.TABLES, *_session_order.TABLES) for rule in table}
    return _IN_CONTEXT | ruled | set(_session.UNREADABLE)
