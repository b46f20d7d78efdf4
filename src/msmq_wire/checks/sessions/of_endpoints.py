"""The violations of a packet that an endpoint rejects, in the sentences of the session monitor.

An endpoint decides by its own state, because it need not be as strict as an observer.  The description of the
fault comes from the rules, which get the packets that the endpoint sent and received as the state of a side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire.checks.located import plain
from msmq_wire.checks.rules import session as session_rules
from msmq_wire.checks.rules import session_order
from msmq_wire.checks.rules.session import PacketInContext
from msmq_wire.checks.rules.vocabulary import Context
from msmq_wire.checks.validation import validate
from msmq_wire.documents.session_protocol import UNEXPECTED
from msmq_wire.values.violation import Violation

from .facts import facts_of
from .state import Sequence, SessionState, SideState
from .steps import broken

if TYPE_CHECKING:
    from msmq_wire import mqqb
    from msmq_wire.checks.rules.session import SessionRule
    from msmq_wire.documents.session_protocol import Phase

    from .state import Direction

_GUIDS = frozenset({"MQQB-2.2.3.1-03", "MQQB-2.2.3.1-25"})
_BITS = "MQMQ-2.2.20.4-09"


def unexpected(kind: str, phase: Phase) -> Violation:
    """Return the violation by a packet, or the beginning of one, that is not allowed in a phase."""
    allowed = session_rules.EXPECTED[kind]
    return Violation(
        UNEXPECTED[kind], kind, 0, None, allowed, f"{session_rules.comes(kind, phase, allowed)}."
    )


def names_unsent(packet: Any, sent: SideState) -> Violation:
    """Return the violation by a SessionHeader that acknowledges messages that were not sent."""
    return _broken(packet, session_rules.ACKNOWLEDGED, theirs=sent)[0]


def stores_unsent(packet: Any, sent: SideState) -> Violation:
    """Return the violation by a SessionHeader that acknowledges recoverable messages that were not sent."""
    violations = _broken(packet, session_rules.STORED, theirs=sent)
    if violations:
        return violations[0]
    # A header that contradicts itself proves nothing about the messages sent: its bits are wrong.
    return next(plain(item) for item in validate(packet) if item.requirement == _BITS)


def contradicts_arrived(packet: Any, arrived: SideState) -> Violation:
    """Return the violation by a SessionHeader that counts other messages than those that arrived."""
    return _broken(packet, session_rules.STATED, ours=arrived)[0]


def not_ordered(packet: mqqb.OrderAck, sequence: int, last: int) -> Violation:
    """Return the violation by an OrderAck for messages that were not sent.

    Args:
        packet: The OrderAck.
        sequence: The sequence that is sent.
        last: The number of its last message; 0 if there is none.
    """
    sent = SideState(sequences={sequence: Sequence(last=last, begun=True, session=0)})
    return _broken(packet, session_order.ORDER_ACK, theirs=sent)[0]


def another_answer(packet: mqqb.EstablishConnection, request: mqqb.EstablishConnection) -> Violation:
    """Return the violation by an EstablishConnection that answers another request."""
    violations = validate(packet, context=Context(request=request))
    return next(plain(item) for item in violations if item.requirement in _GUIDS)


def _broken(
    packet: Any,
    rules: tuple[SessionRule, ...],
    *,
    ours: SideState | None = None,
    theirs: SideState | None = None,
) -> list[Violation]:
    """Return the violations, given the side that sent the packet and the one that received it."""
    sides: dict[Direction, SideState] = {"->": ours or SideState(), "<-": theirs or SideState()}
    moment = PacketInContext(facts_of(packet), "->", SessionState(phase="open", routes=False, sides=sides))
    return [broken(moment, rule) for rule in rules if not rule.holds(moment)]
