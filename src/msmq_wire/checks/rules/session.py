"""[MS-MQQB] 3.1 and [MS-MQMQ] 2.2.20.4: packets checked against earlier ones.

1. A rule takes a `PacketInContext`: a packet and the known state when it arrived.  If it needs unknown state,
   it holds.
2. Both directions were captured at one point of the network.  A packet captured there may not have arrived
   yet.  An acknowledgment may therefore lag behind, but never run ahead, and a sender knows of no more
   acknowledgments than were captured.
3. The conclusions of a rule depend on the captured packets:

   | captured | conclusion |
   |---|---|
   | a side from the start of the session on | its counts; nothing else was sent in this session (`whole`) |
   | a sequence from its start in this session on | its next number and its predecessor (`Sequence.begun`) |
   | a gap | nothing of the counts and sequences of that side, until a packet states them again |
   | a gap of the other side | no fewer messages are acknowledged than before it (`SideState.least`) |
   | no handshake | nothing of the order of messages: which of them are passed on for others is unknown |
   | two packets of one session | they do not contradict each other, whatever lies between them |
   | a session that ended | only which sequence was the newest: the end of it may be lost, or went elsewhere |
   | a SessionHeader of a window of 1 | nothing of the window: the queue may be paused |
   | one of several routes | an acknowledgment may be for a message of another route (`SessionState.routes`) |

4. The errata decide ambiguous statements: which window limits Q23, number zero Q25, messages that the
   receiver has not counted Q27.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import msgspec

from msmq_wire.checks.sessions.facts import Facts
from msmq_wire.checks.sessions.state import Direction, Phase, Sent, SessionState, SideState, other
from msmq_wire.documents import session_protocol as protocol
from msmq_wire.documents.session_protocol import OPENED, PAUSED, UNEXPECTED, awaits, distance, unacknowledged
from msmq_wire.values.errors import plural

from .vocabulary import AS_REQUESTED, NO_REFUSAL, shown

_PHASES = {
    "unseen": "in a session whose beginning was not seen",
    "idle": "before any EstablishConnection",
    "asked": "before the answer to the EstablishConnection",
    "accepted": "before any ConnectionParameters",
    "offered": "before the answer to the ConnectionParameters",
    "open": "while the session is open",
    "refused": "after the session was refused",
}


class PacketInContext:
    """A packet, and the known state when it arrives.

    Attributes:
        packet: Its `Facts`; the record of a packet of the handshake and of a Ping.
        kind: The class of the packet.
        way: Its direction.
        state: The state of the session.
        ours: The side that sent the packet.
        theirs: The side that receives it.
        waits: The recoverable messages that its SessionHeader can acknowledge, cached on first use.
        acknowledges: The MessageID and the message that a FinalAck acknowledges; None if unknown.
    """

    __slots__ = ("acknowledges", "kind", "ours", "packet", "state", "theirs", "waits", "way")

    def __init__(self, packet: Any, way: Direction, state: SessionState) -> None:
        self.packet, self.way, self.state = packet, way, state
        self.kind: str = packet.kind if type(packet) is Facts else type(packet).__name__
        self.ours, self.theirs = state.sides[way], state.sides[other(way)]
        self.waits: tuple[tuple[int, int] | None, bool] | None = None
        self.acknowledges: tuple[int, Sent] | None = None

    @property
    def initiates(self) -> bool:
        """Whether the sender opened the session."""
        return self.way == self.state.initiator


class SessionRule(msgspec.Struct, frozen=True):
    """One requirement as a condition on a moment.

    Attributes:
        requirement: Its id.
        path: The field of the record, relative to the packet; empty for the packet itself.
        holds: The condition; true if it needs unknown state.
        allowed: The allowed values, in words that follow "has to be".
        fault: A better sentence, without full stop.
    """

    requirement: str
    path: str
    holds: Callable[[PacketInContext], Any]
    allowed: Callable[[PacketInContext], str]
    fault: Callable[[PacketInContext], str] | None = None


# ------------------------------------------------------------------------------------------ handshake


def comes(kind: str, phase: Phase, when: str) -> str:
    """Return the fault of a packet that is not expected in a phase, without full stop."""
    return f"{kind} comes {_PHASES[phase]}, but may come only {when}"


def _only(requirement: str, holds: Callable[[PacketInContext], Any], when: str) -> SessionRule:
    """Return a rule: this packet closes the session if it is not expected."""

    def fault(moment: PacketInContext) -> str:
        return comes(moment.kind, moment.state.phase, when)

    return SessionRule(requirement, "", holds, lambda _: when, fault)


def _opens(moment: PacketInContext) -> bool:
    """Return whether a requesting EstablishConnection is expected; a connection has only one."""
    state = moment.state
    if state.opener not in {None, moment.way}:
        return False
    return not state.one_connection or state.phase in {"unseen", "idle"}


def _negotiates(moment: PacketInContext) -> bool:
    phase = moment.state.phase
    if phase == "unseen":
        return True
    if phase == "refused":
        return moment.initiates  # the other rule reports the initiator
    return awaits(phase, "ConnectionParameters", "initiator" if moment.initiates else "acceptor")


def may_be_open(phase: Phase) -> bool:
    """Return whether a session in this phase is open, as far as it is known."""
    return phase in {"open", "unseen"}


def _is_open(moment: PacketInContext) -> bool:
    return may_be_open(moment.state.phase)


EXPECTED = {
    "EstablishConnection": "once, from the initiator, and once as the answer to that",
    "ConnectionParameters": "from the initiator of an accepted session and as the answer",
    **dict.fromkeys(OPENED, "while the session is open"),
}
"""When a packet may come, by its class."""


def _expected(kind: str, holds: Callable[[PacketInContext], Any]) -> SessionRule:
    return _only(UNEXPECTED[kind], holds, EXPECTED[kind])


def _offered(requirement: str, field: str, index: int) -> SessionRule:
    """Return a rule: the answer repeats what was offered."""

    def value(moment: PacketInContext) -> int | None:
        offered = moment.state.offered
        return offered[index] if offered is not None else None

    def holds(moment: PacketInContext) -> bool:
        return value(moment) in {None, getattr(moment.packet.ConnectionParametersHeader, field)}

    return SessionRule(
        requirement,
        f"ConnectionParametersHeader.{field}",
        holds,
        lambda moment: f"{shown(value(moment))}, {AS_REQUESTED}",
    )


def _accepts(requirement: str) -> SessionRule:
    return SessionRule(
        requirement,
        "InternalHeader.Flags.CS",
        lambda moment: not moment.packet.InternalHeader.Flags.CS,
        lambda _: NO_REFUSAL,
    )


ARRIVAL: dict[str, tuple[SessionRule, ...]] = {
    "EstablishConnection": (_expected("EstablishConnection", _opens),),
    "ConnectionParameters": (
        _expected("ConnectionParameters", _negotiates),
        _only(
            "MQQB-3.1.5.3.2-01",
            lambda moment: not (moment.state.phase == "refused" and moment.initiates),
            "after an answer that accepts the session",
        ),
    ),
    **{kind: (_expected(kind, _is_open),) for kind in UNEXPECTED if kind in OPENED},
}
"""Whether a packet of that kind is expected, by kind."""

REQUEST: tuple[SessionRule, ...] = (_accepts("MQQB-3.1.5.2.3-01"),)
"""Rules for the requesting EstablishConnection."""

OFFER: tuple[SessionRule, ...] = (_accepts("MQQB-3.1.5.3.2-02"),)
"""Rules for the initiator's ConnectionParameters."""

ANSWER: tuple[SessionRule, ...] = (
    _accepts("MQQB-3.1.5.4.1-01"),
    _offered("MQQB-3.1.5.4.1-02", "RecoverableAckTimeout", 0),
    _offered("MQQB-3.1.5.4.1-03", "AckTimeout", 1),
)
"""Rules for the acceptor's ConnectionParameters."""


# --------------------------------------------------------------------------------------------- counts


def _limit(moment: PacketInContext) -> int | None:
    """Return how many messages may be unacknowledged: the larger of both windows (Q23)."""
    ours, theirs = moment.ours.window, moment.theirs.window
    return None if ours is None or theirs is None else max(ours, theirs)


def _is_within_window(moment: PacketInContext) -> bool:
    """Return whether no more messages of the sender are unacknowledged than may be."""
    ours = moment.ours
    waiting = unacknowledged(ours.sent, ours.acknowledged)
    if not waiting or (ours.window is not None and waiting <= ours.window):
        return True
    limit = _limit(moment)
    return limit is None or waiting <= limit


def _too_many(moment: PacketInContext) -> str:
    waiting = unacknowledged(moment.ours.sent, moment.ours.acknowledged)
    return (
        f"{moment.kind} leaves {waiting} {plural(waiting, 'message')} without acknowledgment, but a window "
        f"of {_limit(moment)} was announced"
    )


COUNTED: tuple[SessionRule, ...] = (
    SessionRule("MQQB-3.1.7.1-01", "", _is_within_window, lambda _: "within the window", _too_many),
)
"""Rules for a message, after it was counted."""


def _counts(requirement: str, field: str, of: str, what: str) -> SessionRule:
    """Return a rule: the header has the number of messages that its sender has sent."""
    count, stated = attrgetter(f"ours.{of}"), attrgetter(f"packet.{of}")
    return SessionRule(
        requirement,
        f"SessionHeader.{field}",
        lambda moment: (known := count(moment)) is None or known == stated(moment),
        lambda moment: f"{count(moment)}, the number of {what} sent",
    )


def _acknowledged(side: SideState) -> tuple[int | None, int | None]:
    """Return how many messages of a side, and up to which recoverable one, are acknowledged at least."""
    number, recoverable = side.acknowledged, side.recoverable_acknowledged
    if side.least is None or (number is not None and recoverable is not None):
        return number, recoverable
    least = side.least
    return least[0] if number is None else number, least[1] if recoverable is None else recoverable


def _acknowledges_sent(moment: PacketInContext) -> bool:
    """Return whether acknowledgments neither decrease nor exceed what was sent."""
    theirs = moment.theirs
    before, _ = _acknowledged(theirs)
    waiting = unacknowledged(theirs.sent, before)
    if waiting is None or before is None:
        return True
    return distance(moment.packet.acknowledged, before) <= waiting


def _recoverable(moment: PacketInContext) -> tuple[tuple[int, int] | None, bool]:
    """Return the recoverable messages that a header can acknowledge, and whether it acknowledges none.

    The first item is the number of unacknowledged ones and the distance to the header's first one; None if
    unknown.
    """
    if moment.waits is None:
        theirs, packet = moment.theirs, moment.packet
        _, before = _acknowledged(theirs)
        waiting, expected = unacknowledged(theirs.recoverable_sent, before), None
        first, flags = packet.first, packet.flags
        if waiting is not None and before is not None:
            expected = waiting, distance(first, before)
        most = waiting if theirs.recoverable_acknowledged is None and waiting else 1  # behind a gap
        none = protocol.names_none(first, flags, before if waiting else None, most)
        moment.waits = expected, none
    return moment.waits


def names_none(moment: PacketInContext) -> bool:
    """Return whether a header acknowledges no recoverable message."""
    return _recoverable(moment)[1]


def _none_waits(moment: PacketInContext) -> bool:
    expected, none = _recoverable(moment)
    return expected is None or none or bool(expected[0])


def first_waits(moment: PacketInContext) -> bool:
    """Return whether the first number that a header acknowledges is an unacknowledged one."""
    expected, none = _recoverable(moment)
    if expected is None or none or not expected[0]:
        return True
    waiting, first = expected
    return 1 <= first <= waiting and not moment.theirs.recoverable_flags >> (first - 1) & 1


def _flags_fit(moment: PacketInContext) -> bool:
    """Return whether no bit exceeds the messages sent; bit 0 is checked from the packet alone."""
    flags = moment.packet.flags
    expected, none = _recoverable(moment)
    if expected is None or not flags & 1:
        return True
    if none:
        return False
    waiting, first = expected
    return not (waiting and first_waits(moment) and first - 1 + flags.bit_length() > waiting)


def contradicts_itself(packet: Facts) -> bool:
    """Return whether a header names recoverable messages without bit 0, which `validate` reports."""
    return bool(packet.first or packet.flags) and not packet.flags & 1


ACKNOWLEDGED: tuple[SessionRule, ...] = (
    SessionRule(
        "MQMQ-2.2.20.4-06",
        "SessionHeader.AckSequenceNumber",
        _acknowledges_sent,
        lambda moment: (
            f"from {_acknowledged(moment.theirs)[0]}, acknowledged before, to {moment.theirs.sent}, the "
            "largest possible number of messages received"
        ),
    ),
)
"""The rule for AckSequenceNumber."""

STORED: tuple[SessionRule, ...] = (
    SessionRule(
        "MQMQ-2.2.20.4-08",
        "SessionHeader.RecoverableMsgAckSeqNumber",
        _none_waits,
        lambda _: "0 while no recoverable message awaits acknowledgment",
    ),
    SessionRule(
        "MQMQ-2.2.20.4-07",
        "SessionHeader.RecoverableMsgAckSeqNumber",
        first_waits,
        lambda moment: (
            f"a number after {_acknowledged(moment.theirs)[1]} and up to "
            f"{moment.theirs.recoverable_sent} that is not acknowledged yet"
        ),
    ),
    SessionRule(
        "MQMQ-2.2.20.4-09",
        "SessionHeader.RecoverableMsgAckFlags",
        _flags_fit,
        lambda moment: (
            "0 without RecoverableMsgAckSeqNumber"
            if names_none(moment)
            else "without bits of messages that were not sent"
        ),
    ),
)
"""Rules for the recoverable messages that a SessionHeader acknowledges."""

STATED: tuple[SessionRule, ...] = (
    _counts("MQQB-3.1.5.5.5-01", "UserMsgSequenceNumber", "sent", "messages"),
    _counts("MQMQ-2.2.20.4-11", "RecoverableMsgSeqNumber", "recoverable_sent", "recoverable messages"),
)
"""Rules for the numbers of messages that the sender of a SessionHeader has sent."""

HEADER: tuple[SessionRule, ...] = (*ACKNOWLEDGED, *STORED, *STATED)
"""Rules for a SessionHeader, after the message before it was counted."""


def agrees(moment: PacketInContext) -> bool:
    """Return whether all counts are known, and a SessionHeader agrees with them: no rule above is violated.

    Most headers do: this one question about them is cheaper than all rules.
    """
    packet, ours, theirs = moment.packet, moment.ours, moment.theirs
    if packet.sent != ours.sent or packet.recoverable_sent != ours.recoverable_sent:
        return False
    sent, before = theirs.sent, theirs.acknowledged
    if sent is None or before is None or distance(packet.acknowledged, before) > distance(sent, before):
        return False
    first, flags = packet.first, packet.flags
    if not first or theirs.recoverable_flags:  # zero can be a number (Q25)
        return not first and not flags
    sent, before = theirs.recoverable_sent, theirs.recoverable_acknowledged
    if sent is None or before is None or not flags & 1:
        return False
    most: int = flags.bit_length()
    return distance(first - 1, before) + most <= distance(sent, before)


def _acknowledges_something(moment: PacketInContext) -> Any:
    """Return whether a SessionAck acknowledges a message, or reports that the queue is paused."""
    packet = moment.packet
    return packet.acknowledged != moment.theirs.acknowledged or packet.flags or packet.window == PAUSED


SESSION_ACK: tuple[SessionRule, ...] = (
    SessionRule(
        "MQQB-3.1.6.4-01",
        "",
        _acknowledges_something,
        lambda _: "sent only for messages that were not acknowledged",
        lambda moment: (
            f"SessionAck acknowledges {(count := moment.packet.acknowledged)} "
            f"{plural(count, 'message, which was', 'messages, all of them')} acknowledged before"
        ),
    ),
)
"""Rules for a SessionAck, before its SessionHeader is taken into account."""

_UNREADABLE = {
    "BaseHeader.VersionNumber": "MQQB-3.1.5.1.2-01",
    "BaseHeader.Signature": "MQQB-3.1.5.1.2-01",
    "InternalHeader.Flags.PT": "MQQB-2.2.1-04",
}
"""Requirements for bytes that are not a packet, by the end of the path at which decoding stopped."""
_UNSTRUCTURED = "MQQB-3.1.5.1.3-01"
"""The requirement for all other bytes that are not a packet."""
UNREADABLE = frozenset({*_UNREADABLE.values(), _UNSTRUCTURED})
"""All of these requirements."""


def requirement_of_unreadable(path: str) -> str:
    """Return the requirement for bytes that are not a packet, by the path at which decoding stopped."""
    return next((known for end, known in _UNREADABLE.items() if path.endswith(end)), _UNSTRUCTURED)


TABLES = (*ARRIVAL.values(), REQUEST, OFFER, ANSWER, COUNTED, SESSION_ACK, HEADER)
"""All of these rules."""
