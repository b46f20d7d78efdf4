"""What a capture shows of a session, stated by who sends its packets.

1. Whoever sends a packet says what it does to the session, and the counts that hold from then on; see `Step`.
2. Once the fate of its bytes is settled, a packet that was captured whole adds to what is known.  Where bytes
   are missing, or are no packet, the counts of who sent them are unknown, until a SessionHeader says them
   again; so is what they had acknowledged.
3. Packets are taken in the order in which they were sent, whatever the order of their segments is.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .wire import Address

__all__ = ["TALLY", "Entry", "Ledger", "Party", "Session", "Step"]

TALLY: Final = (
    "express",
    "recoverable",
    "transactional",
    "acknowledgments",
    "order_acks",
    "final_acks",
    "session_acks",
)
"""Kinds of packets that a `Party` counts; UserMessages are one of the first three, and may be the fourth."""
_MESSAGES: Final = ("express", "recoverable", "transactional", "order_acks", "final_acks")

_LAST: Final = 4

Fate = Literal["whole", "lost", "before"]
"""What became of the bytes of a packet: all were captured; some are missing, or they are no packet; all were
sent before the capture began."""


class Step(NamedTuple):
    """What a packet does to its session.

    Attributes:
        handshake: Which one of the four packets of the handshake it is, from 1; 0 for any other.
        refused: Whether it refuses the session.
        managers: GUIDs of the initiator and of the acceptor, as far as it tells them.
        time_stamp: TimeStamp of the request that opens the session.
        timeouts: RecoverableAckTimeout and AckTimeout.
        window: The window that it announces.
        tally: The kinds of `TALLY` that it is counted as.
        sent: How many messages its sender has sent, this one among them.
        recoverable: How many of these are recoverable.
        acknowledges: How many messages of the other side it acknowledges, if it has a SessionHeader.
        recoverable_acknowledges: How many recoverable ones of these, if it names any.
        place: Its number in the sequence of its sender's transactional messages.
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
    place: int | None = None
    ordered: int | None = None


class Party(NamedTuple):
    """One side's part in a session, as far as the capture shows it.

    Attributes:
        manager: GUID of its queue manager; None if that was not captured.
        window: The largest window that it announced.
        packets: How many of its packets were captured.
        tally: How many of each kind in `TALLY`.
        messages: How many UserMessages, OrderAcks and FinalAcks.
        lost: Whether some of its bytes are missing, or are no packet.
        acknowledged: How many of its messages were acknowledged; None if unknown.
        unacknowledged: How many were not; None if unknown.
        recoverable_unacknowledged: How many recoverable ones of these were not; None if unknown.
        order_unacknowledged: How many transactional messages have no OrderAck.
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
    """A session, as far as the capture shows it.

    Attributes:
        file: Name of the capture file.
        src: IP address of the initiator.
        src_port: Port of the initiator.
        dst: IP address of the acceptor.
        dst_port: Port of the acceptor.
        connection: Number of the connection among those with these four, from 0, in the order of time.
        handshake: ``complete``, ``refused``, ``incomplete``, or ``unseen`` where a packet of it is missing.
        outcome: ``refused``, ``closed``, or ``broken``: within the handshake, or with messages that are known
            not to be acknowledged.
        initiator: ``->`` if the capture shows who asked for the session, otherwise None.
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
    """What the capture shows of one side; counts are None while they are unknown."""

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
        self.sequence: int | None = None  # its last number, if it is known from its first one on
        self.ordered = 0

    def begin(self) -> None:
        self.sent = self.recoverable = self.acknowledged = self.recoverable_acknowledged = 0

    def lose_counts(self) -> None:
        self.lost = True
        self.sent = self.recoverable = None

    def lose_acknowledgments(self) -> None:
        self.acknowledged = self.recoverable_acknowledged = None

    def count(self, step: Step) -> None:
        """Messages that were sent; without a SessionHeader only where those before are known."""
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
    """A packet or junk that was sent, and what became of it."""

    __slots__ = ("fate", "step", "way")

    def __init__(self, way: int, step: Step | None) -> None:
        self.way = way
        self.step = step
        self.fate: Fate | None = None


class Ledger:
    """Keeps account of the session on a connection.

    Args:
        ends: The addresses of the initiator and of the acceptor.
        file: Name of the capture file.
        number: The connection's number.
    """

    def __init__(self, ends: tuple[Address, Address], file: str, number: int) -> None:
        one, other = ends
        self._labels = file, str(one.ip), one.port, str(other.ip), other.port, number
        self._waiting: deque[Entry] = deque()
        self._sides = _Side(), _Side()
        self._handshake = "unseen"
        self._reached = 0  # the last packet of the handshake, if those before it are known
        self._time_stamp: int | None = None
        self._timeouts: tuple[int, int] | None = None
        self._whole = False  # whether nothing is missing since the handshake
        self._captured = False

    def send(self, way: int, step: Step | None) -> Entry:
        """Take note of what is sent; None for junk."""
        while self._waiting and self._waiting[0].fate:
            self._take(self._waiting.popleft())
        entry = Entry(way, step)
        self._waiting.append(entry)
        return entry

    def close(self) -> Iterator[Session]:
        """End the session; gives what was captured of it, if anything was."""
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
        known = self._whole and ours.manager
        if step.place is not None and known and (step.place == 1 or ours.sequence is not None):
            ours.sequence = step.place
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
        """A packet of the handshake: no message was sent before it, nor acknowledged."""
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
