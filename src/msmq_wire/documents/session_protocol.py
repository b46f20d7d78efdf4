"""The facts of the session protocol that both ends and an observer need ([MS-MQQB] 3.1).

1. Counts of messages are modulo 65,536.  A function with a count of None returns None: the count is unknown.
2. A SessionHeader acknowledges recoverable messages by a first number and 32 flags ([MS-MQMQ] 2.2.20.4).
3. The handshake is one table: which packet moves a session from which phase to which, and who sends it.  An
   endpoint waits for the packets of the other side, and has its own name for each phase (3.1.1.3.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, overload

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NUMBERS: Final = 0x1_0000
"""Counts of messages are modulo this number."""

PAUSED: Final = 1
"""WindowSize in the SessionHeader of a side whose queue is paused, whatever its window is (3.1.7.13)."""

# --------------------------------------------------------------------------------------------- counts


def unacknowledged(sent: int | None, acknowledged: int | None) -> int | None:
    """Return how many sent messages are unacknowledged; None if unknown."""
    return None if sent is None or acknowledged is None else distance(sent, acknowledged)


def distance(number: int, base: int) -> int:
    """Return how many numbers there are from a base up to a number, from 0 to 65,535."""
    return (number - base) % NUMBERS


@overload
def ahead(number: int, base: int) -> int: ...
@overload
def ahead(number: NDArray[np.int64], base: NDArray[np.int64] | int) -> NDArray[np.int64]: ...
def ahead(number: Any, base: Any) -> Any:
    """Return how far a number is ahead of a base, from -32,768 to 32,767; negative for one before it.

    The numbers are integers, or arrays of them.
    """
    return (number - base + NUMBERS // 2) % NUMBERS - NUMBERS // 2


def acknowledge(number: int | None, flags: int, first: int, acknowledged: int) -> tuple[int, int]:
    """Return which recoverable messages are acknowledged after a SessionHeader.

    Args:
        number: All messages up to this one were acknowledged before; None if unknown.
        flags: Further ones: bit k is the message with the number `number` + 1 + k.
        first: RecoverableMsgAckSeqNumber.  All messages before it are acknowledged too ([MS-MQQB] 3.1.5.5.3).
        acknowledged: RecoverableMsgAckFlags; bit 0 is the first message.

    Returns: The same two, with the number modulo 65,536; bit 0 of the flags is clear.
    """
    step = 0 if number is None else ahead(first, number)
    if number is None:
        number, flags = first, acknowledged >> 1
    elif step < 0:  # acknowledged before
        flags |= acknowledged >> 1 - step
    else:
        number, flags = first, flags >> step | acknowledged >> 1
    while flags & 1:
        number, flags = number + 1, flags >> 1
    return number % NUMBERS, flags


def names_none(first: int, flags: int, acknowledged: int | None, most: int = 1) -> bool:
    """Return whether a SessionHeader acknowledges no recoverable message (errata Q25).

    Zero is the number of a message only where that is the next one, and there are flags.

    Args:
        first: RecoverableMsgAckSeqNumber.
        flags: RecoverableMsgAckFlags.
        acknowledged: All messages up to this one were acknowledged before; None if that is unknown, or if
            no message waits.
        most: How many messages after it may be the next one, because its acknowledgment may be missing.
    """
    if first:
        return False
    return not flags or acknowledged is None or not 1 <= distance(first, acknowledged) <= most


# ------------------------------------------------------------------------------------------ handshake

Role: TypeAlias = Literal["initiator", "acceptor"]
Phase: TypeAlias = Literal["idle", "asked", "accepted", "offered", "open", "refused"]
"""The phase of a session, as known to every observer of its packets.

``idle``: the transport is connected, and no packet was sent.  ``asked`` and ``accepted``: after an
EstablishConnection and its answer.  ``offered``: after the first ConnectionParameters.  ``refused``: after a
packet that refuses the session (`InternalHeader.Flags.CS`).
"""


class Transition(NamedTuple):
    """A packet of the handshake.

    Attributes:
        packet: Its class.
        sender: The side that sends it.
        leads_to: The next phase, unless the packet refuses the session.
        waits: SessionState of the other side before it ([MS-MQQB] 3.1.1.3.1).
    """

    packet: Literal["EstablishConnection", "ConnectionParameters"]
    sender: Role
    leads_to: Phase
    waits: str


HANDSHAKE: Final[dict[Phase, Transition]] = {
    "idle": Transition("EstablishConnection", "initiator", "asked", "WAITING_EC_MSG"),
    "asked": Transition("EstablishConnection", "acceptor", "accepted", "WAITING_ECR_MSG"),
    "accepted": Transition("ConnectionParameters", "initiator", "offered", "WAITING_CP_MSG"),
    "offered": Transition("ConnectionParameters", "acceptor", "open", "WAITING_CPR_MSG"),
}
"""The packet that each phase of a handshake ends with ([MS-MQQB] 3.1.5.3, 3.1.5.4)."""

HANDSHAKE_PACKETS: Final = frozenset(transition.packet for transition in HANDSHAKE.values())
"""The packets of handshakes."""

ACKNOWLEDGMENTS: Final = ("OrderAck", "FinalAck")
"""The acknowledgments that are messages on the wire, with the same headers."""

COUNTED: Final = frozenset({*ACKNOWLEDGMENTS, "UserMessage"})
"""The packets that are messages, which both sides count."""

OPENED: Final = COUNTED | {"SessionAck"}
"""The packets of an open session."""

PHASE_OF: Final[dict[str, Phase]] = {
    **{transition.waits: phase for phase, transition in HANDSHAKE.items()},
    "OPEN": "open",
}
"""The phase that an endpoint with this SessionState is in."""

UNEXPECTED: Final = {
    "EstablishConnection": "MQQB-3.1.5.3-01",
    "ConnectionParameters": "MQQB-3.1.5.4-01",
    "SessionAck": "MQQB-3.1.5.5-01",
    "OrderAck": "MQQB-3.1.5.6-01",
    "FinalAck": "MQQB-3.1.5.7-01",
    "UserMessage": "MQQB-3.1.5.8-01",
}
"""The requirement that a packet violates in a phase that does not await it, by its class."""


def awaits(phase: Phase, packet: str, sender: Role) -> bool:
    """Return whether a packet of this class and sender is expected in a phase."""
    if phase == "open":
        return packet in OPENED
    transition = HANDSHAKE.get(phase)
    return transition is not None and (packet, sender) == transition[:2]
