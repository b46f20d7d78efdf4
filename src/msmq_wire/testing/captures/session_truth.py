"""The ground truth of sessions, as far as they were captured.

1. The sender of a packet states the effect of the packet on the session, and the counts after it; see `Step`.
2. When it is known which bytes were captured, a completely captured packet updates the known state.  If bytes
   are missing or unreadable, the counts of their sender, and its acknowledgments, are unknown until a
   SessionHeader states them again.
3. Packets are processed in the order in which they were sent, whatever the order of their segments is.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .wire import Address

TALLY: Final = (
    "express",
    "recoverable",
    "transactional",
    "acknowledgments",
    "order_acks",
    "final_acks",
    "session_acks",
)
"""Kinds of packets that a `Party` counts; a UserMessage is one of the first three, and maybe the fourth."""
_MESSAGES: Final = ("express", "recoverable", "transactional", "order_acks", "final_acks")

_LAST: Final = 4

Fate = Literal["whole", "lost", "before"]
"""Which bytes of a packet were captured.

``whole``: all; ``lost``: some are missing or unreadable; ``before``: all were sent before the capture
started.
"""


class Step(NamedTuple):
    """The effect of a packet on its session.

    Attributes:
        handshake: Number of the packet in the handshake, 1 to 4; 0 for any other packet.
        refused: Whether it refuses the session.
        managers: GUIDs of the initiator and of the acceptor, or None.
        time_stamp: TimeStamp of the request that opens the session.
        timeouts: RecoverableAckTimeout and AckTimeout.
        window: The window that it announces.
        tally: The kinds of `TALLY` as which it is counted.
        sent: Number of messages that its sender has sent, including this one.
        recoverable: Number of recoverable ones among them.
        acknowledges: Number of messages of the other side that it acknowledges, if it has a
            SessionHeader.
        recoverable_acknowledges: Number of recoverable ones among these, if it acknowledges any.
        sequence_number: Its number in the sequence of its sender's transactional messages.
        ordered: The number in the other side's sequence that it acknowledges.
    """

    handshake: int = 0
    refused: bool = False
    managers: tuple[str | None, str | None] = (None, None)
    time_stamp: int | None = None
    timeouts: tuple[int, int] | None = None
    window: int | None = None
    tally: tuple[str, ...] = ()
    sent: int = 0
    recoverable: int = 0
    acknowledges: int | None = None
    recoverable_acknowledges: int | None = None
    sequence_number: int | None = None
    ordered: int | None = None


class Party(NamedTuple):
    """One side of a session, as far as it was captured.

    Attributes:
        manager: GUID of its queue manager; None if it was not captured.
        window: The largest window that it announced.
        packets: Number of its captured packets.
        tally: Number of packets of each kind in `TALLY`.
        messages: Number of UserMessages, OrderAcks and FinalAcks.
        lost: Whether some of its bytes are missing or unreadable.
        acknowledged: Number of its acknowledged messages; None if unknown.
        unacknowledged: Number of its unacknowledged messages; None if unknown.
        recoverable_unacknowledged: Number of recoverable ones among these; None if unknown.
        order_unacknowledged: Number of transactional messages without an OrderAck.
    """

    manager: str | None
    window: int | None
    packets: int
    tally: tuple[int, ...]
    messages: int
    lost: bool
    acknowledged: int | None
    unacknowledged: int | None
    recoverable_unacknowledged: int | None
    order_unacknowledged: int


class Session(NamedTuple):
    """A session, as far as it was captured.

    Attributes:
        file: Name of the capture file.
        src: IP address of the initiator.
        src_port: Port of the initiator.
        dst: IP address of the acceptor.
        dst_port: Port of the acceptor.
        connection: Index of the connection among those with these addresses and ports, in the order of
            time.
        handshake: ``complete``, ``refused``, ``incomplete``, or ``unseen`` if one of its packets is
            missing.
        outcome: ``refused``, ``closed``, or ``broken``: within the handshake, or with messages that are
            known to be unacknowledged.
        initiator: ``->`` if the captured packets show who requested the session, otherwise None.
        time_stamp: TimeStamp of the request.
        recoverable_ack_timeout: Milliseconds.
        ack_timeout: Milliseconds.
        forward: The initiator.
        backward: The acceptor.
    """

    file: str
    src: str
    src_port: int
    dst: str
    dst_port: int
    connection: int
    handshake: str
    outcome: str
    initiator: str | None
    time_stamp: int | None
    recoverable_ack_timeout: int | None
    ack_timeout: int | None
    forward: Party
    backward: Party


class _Side:
    """The known state of one side; unknown counts are None."""

    def __init__(self) -> None:
        self.manager: str | None = None
        self.window: int | None = None
        self.packets = 0
        self.tally: Counter[str] = Counter()
        self.lost = False
        self.sent: int | None = None
        self.recoverable: int | None = None
        self.acknowledged: int | None = None
        self.recoverable_acknowledged: int | None = None
        self.sequence: int | None = None  # its last number, if all numbers since the first one are known
        self.ordered = 0

    def begin(self) -> None:
        self.sent = self.recoverable = self.acknowledged = self.recoverable_acknowledged = 0

    def lose_counts(self) -> None:
        self.lost = True
        self.sent = self.recoverable = None

    def lose_acknowledgments(self) -> None:
        self.acknowledged = self.recoverable_acknowledged = None

    def count(self, step: Step) -> None:
        """Count sent messages; without a SessionHeader, only if the earlier count is known."""
        if self.sent is not None or step.acknowledges is not None:
            self.sent, self.recoverable = step.sent, step.recoverable

    def result(self) -> Party:
        waiting, recoverable = (
            None if sent is None or acknowledged is None else sent - acknowledged
            for sent, acknowledged in (
                (self.sent, self.acknowledged),
                (self.recoverable, self.recoverable_acknowledged),
            )
        )
        return Party(
            self.manager,
            self.window,
            self.packets,
            tuple(self.tally[kind] for kind in TALLY),
            sum(self.tally[kind] for kind in _MESSAGES),
            self.lost,
            self.acknowledged,
            waiting,
            recoverable,
            0 if self.sequence is None else self.sequence - self.ordered,
        )


class Entry:
    """A packet or junk that was sent, and which of its bytes were captured."""

    __slots__ = ("fate", "step", "way")

    def __init__(self, way: int, step: Step | None) -> None:
        self.way = way
        self.step = step
        self.fate: Fate | None = None


class Ledger:
    """The ground truth of the session on a connection.

    Args:
        ends: The addresses of the initiator and of the acceptor.
        file: Name of the capture file.
        number: The connection's number.
    """

    def __init__(self, ends: tuple[Address, Address], file: str, number: int) -> None:
        initiator, acceptor = ends
        self._labels = file, str(initiator.ip), initiator.port, str(acceptor.ip), acceptor.port, number
        self._waiting: deque[Entry] = deque()
        self._sides = _Side(), _Side()
        self._handshake = "unseen"
        self._reached = 0  # number of the last handshake packet, if the earlier ones are known
        self._time_stamp: int | None = None
        self._timeouts: tuple[int, int] | None = None
        self._whole = False  # whether nothing is missing since the handshake
        self._captured = False

    def send(self, way: int, step: Step | None) -> Entry:
        """Add a sent packet; None stands for junk."""
        while self._waiting and self._waiting[0].fate:
            self._take(self._waiting.popleft())
        entry = Entry(way, step)
        self._waiting.append(entry)
        return entry

    def close(self) -> Iterator[Session]:
        """Close the session; return its captured part, or None."""
        for entry in self._waiting:
            self._take(entry)
        if self._captured:
            yield self._session()

    def _session(self) -> Session:
        forward, backward = (side.result() for side in self._sides)
        open_ends = self._handshake == "incomplete" or forward.unacknowledged or backward.unacknowledged
        outcome = "refused" if self._handshake == "refused" else "broken" if open_ends else "closed"
        asked = None if self._time_stamp is None else "->"
        recoverable, usual = self._timeouts or (None, None)
        return Session(
            *self._labels, self._handshake, outcome, asked, self._time_stamp, recoverable, usual, forward,
            backward,
        )  # fmt: skip

    def _take(self, entry: Entry) -> None:
        if entry.fate == "before":
            return
        self._captured = True
        ours, theirs = self._sides[entry.way], self._sides[1 - entry.way]
        if entry.fate != "whole" or entry.step is None:
            self._lose(ours, theirs)
            return
        step = entry.step
        ours.packets += 1
        ours.tally.update(step.tally)
        if step.handshake:
            self._shake(step)
        if step.window is not None:
            ours.window = max(step.window, ours.window or 0)
        ours.count(step)
        if step.acknowledges is not None:
            theirs.acknowledged = step.acknowledges
        if step.recoverable_acknowledges is not None:
            theirs.recoverable_acknowledged = step.recoverable_acknowledges
        is_certain = self._whole and ours.manager
        if (
            step.sequence_number is not None
            and is_certain
            and (step.sequence_number == 1 or ours.sequence is not None)
        ):
            ours.sequence = step.sequence_number
        if step.ordered is not None:
            theirs.ordered = step.ordered

    def _lose(self, ours: _Side, theirs: _Side) -> None:
        ours.lose_counts()
        theirs.lose_acknowledgments()
        self._whole = False
        ours.sequence = theirs.sequence = None
        if self._handshake == "incomplete":
            self._handshake, self._reached = "unseen", 0

    def _shake(self, step: Step) -> None:
        """Process a packet of the handshake; no messages were sent or acknowledged before it."""
        for side, manager in zip(self._sides, step.managers, strict=True):
            side.begin()
            side.manager = manager or side.manager
        self._whole = True
        if step.time_stamp is not None:
            self._time_stamp = step.time_stamp
        self._timeouts = self._timeouts or step.timeouts
        if step.time_stamp is not None or step.handshake == self._reached + 1:
            self._reached = step.handshake
            self._handshake = "complete" if step.handshake == _LAST else "incomplete"
        if step.refused:
            self._handshake = "refused"
