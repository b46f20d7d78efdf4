"""The state of a `SessionMonitor`, as plain data: numbers, text, lists and dictionaries of them.

1. None means unknown: the capture begins in the middle of the session, or packets are missing.
2. Counts are kept modulo 65,536, as on the wire.
3. Messages of a later session are not compared with those of an earlier one: a message may have been sent in
   between without being captured.  `SideState.session` distinguishes sessions, also if one may have begun in
   a gap.
4. Everything that grows with the packets of a session is bounded; beyond the bound, the oldest entry is
   dropped.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from msmq_wire.documents.session_protocol import NUMBERS, acknowledge, unacknowledged
from msmq_wire.documents.session_protocol import Phase as KnownPhase

__all__ = [
    "MAX_FINISHED",
    "MAX_PINGS",
    "MAX_QUEUES",
    "MAX_REMEMBERED",
    "MAX_SEQUENCES",
    "NUMBERS",
    "Direction",
    "Handshake",
    "Outcome",
    "Phase",
    "Sent",
    "Sequence",
    "SessionState",
    "SessionSummary",
    "SideState",
    "SideSummary",
    "Tally",
    "other",
    "unacknowledged",
]

Direction: TypeAlias = Literal["->", "<-"]
"""Direction of a packet: names for the two sides, whichever of them opened the session."""

Phase: TypeAlias = Literal["unseen", KnownPhase]
"""Phase of a session.  ``unseen``: the capture started within it, or its handshake has a gap."""

Handshake: TypeAlias = Literal["unseen", "none", "incomplete", "refused", "complete"]
Outcome: TypeAlias = Literal["opening", "refused", "open", "closed", "broken"]

MAX_REMEMBERED = 4096
"""Number of messages per side with which later packets are compared, of either kind."""
MAX_SEQUENCES = 64
"""Number of transactional sequences per side."""
MAX_QUEUES = 256
"""Number of destination queues per side whose newest sequence is known."""
MAX_PINGS = 16
"""Number of Pings per side that wait for an answer."""
MAX_FINISHED = 1024
"""Number of summaries of finished sessions that wait for `take_finished`."""


def other(way: Direction) -> Direction:
    """The opposite direction."""
    return "<-" if way == "->" else "->"


class Tally(msgspec.Struct):
    """Packets of one side in one session.

    Attributes:
        packets: All that could be read.
        express: UserMessages that are not recoverable.
        recoverable: UserMessages that are recoverable and not transactional.
        transactional: UserMessages with a TransactionHeader.
        acknowledgments: Those of these three whose MessageClass is not MQMSG_CLASS_NORMAL: administration
            acknowledgments and reports.
        order_acks: OrderAcks.
        final_acks: FinalAcks.
        session_acks: SessionAcks; SessionHeaders after other packets are not counted.
        gaps: Number of gaps; unreadable packets and other unreadable bytes are gaps too.
        unreadable: Packets that could not be read whole: damaged, or truncated.
    """

    packets: int = 0
    express: int = 0
    recoverable: int = 0
    transactional: int = 0
    acknowledgments: int = 0
    order_acks: int = 0
    final_acks: int = 0
    session_acks: int = 0
    gaps: int = 0
    unreadable: int = 0


class Sent(msgspec.Struct, frozen=True, gc=False):
    """The properties of a sent message with which later packets are compared.

    Attributes:
        kind: The class of the packet: UserMessage, or OrderAck or FinalAck, which are messages too.
        session: The `SideState.session` in which it was sent.
        stretch: The `SideState.stretch` in which it was sent last.
        sequence: TxSequenceID as a 64-bit number; 0 for a message that is not transactional.  Of an OrderAck
            or a FinalAck, that of the message that it acknowledges.
        number: TxSequenceNumber, likewise.
        previous: The lowest PreviousTxSequenceNumber with which it was sent; 0 likewise.
        final: Whether a FinalAck is due when it is removed from its queue.
        sent_at: SentTime.
        size: MessageSize.
        recoverable: Whether it is recoverable.
        address: QueueManagerAddress as text; empty for the null GUID.
    """

    kind: str
    session: int
    stretch: int
    sequence: int
    number: int
    previous: int
    final: bool
    sent_at: int
    size: int
    recoverable: bool
    address: str = ""

    @property
    def transactional(self) -> bool:
        """Whether it is a transactional message."""
        return self.kind == "UserMessage" and self.number > 0


class Sequence(msgspec.Struct):
    """A sequence of transactional messages.

    Attributes:
        highest: The highest TxSequenceNumber that was sent.
        acknowledged: The highest TxSequenceNumber in an OrderAck.
        whole: Whether every message and OrderAck since the first message was captured.
        stretch: The `SideState.stretch` in which one of its messages was sent last.
        session: The `SideState.session` to which the following attributes belong.
        last: The highest TxSequenceNumber that was sent in it.
        complete: Whether every message of the sequence that was sent in it was captured.
        begun: Whether the sequence began in it, after another one to the same queue.
        floor: The lowest allowed number of the next OrderAck; lower after a message was sent again (Q24).
        messages: MessageIDs of the messages that were sent in it, by TxSequenceNumber.
    """

    highest: int = 0
    acknowledged: int = 0
    whole: bool = False
    stretch: int = -1
    session: int = -1
    last: int = 0
    complete: bool = False
    begun: bool = False
    floor: int = 0
    messages: dict[int, int] = msgspec.field(default_factory=dict)


class SideState(msgspec.Struct):
    """The known state of one side.

    Attributes:
        manager: GUID of its queue manager, from the handshake.
        announced: GUID of its queue manager from its Pings, until the handshake.
        window: The largest WindowSize that it announced in this session; None if it announced none, or only 1
            in SessionHeaders, as a paused queue does.
        sent: Messages that it sent in this session.
        recoverable_sent: The recoverable ones of them.
        acknowledged: Number of its messages that the other side has acknowledged.
        recoverable_acknowledged: The number up to which its recoverable messages are acknowledged.
        least: The previous two before a gap of the other side, while they are unknown: a lower bound.  None
            if the numbers may have wrapped around or started over since.
        recoverable_flags: Further acknowledged recoverable messages, from the next number on; bit 0 is
            clear.
        whole: Whether all its packets of this session were captured.
        session: Number of the session, also counting those that may have begun in a gap.
        stretch: Number of the stretch of packets without a gap or the begin of a session in between.
        sequences: Its transactional sequences by TxSequenceID, as a 64-bit number.
        newest: The newest TxSequenceID to each destination queue, by a digest of the queue's name.
        transactional: Its transactional messages, by MessageID.
        others: Its other messages, by MessageID, with OrderAcks and FinalAcks.
        finals: By the MessageID of a message that was removed from its queue on this side: the session and
            the MessageID of the FinalAck that reported it.
        pings: Its latest requesting Pings, as hexadecimal text.
        tally: Its packets in this session.
    """

    manager: str | None = None
    announced: str | None = None
    window: int | None = None
    sent: int | None = None
    recoverable_sent: int | None = None
    acknowledged: int | None = None
    recoverable_acknowledged: int | None = None
    least: tuple[int, int] | None = None
    recoverable_flags: int = 0
    whole: bool = False
    session: int = 0
    stretch: int = 0
    sequences: dict[int, Sequence] = msgspec.field(default_factory=dict)
    newest: dict[str, int] = msgspec.field(default_factory=dict)
    transactional: dict[int, Sent] = msgspec.field(default_factory=dict)
    others: dict[int, Sent] = msgspec.field(default_factory=dict)
    finals: dict[int, tuple[int, int]] = msgspec.field(default_factory=dict)
    pings: list[str] = msgspec.field(default_factory=list)
    tally: Tally = msgspec.field(default_factory=Tally)

    def begin(self) -> None:
        """Start a session; keep the state that belongs to the queue manager and not to the session."""
        self.window = None
        self.count_anew()

    def count_anew(self) -> None:
        """Reset the counts, because no message was sent yet."""
        self.sent = self.recoverable_sent = self.acknowledged = self.recoverable_acknowledged = 0
        self.least, self.recoverable_flags = None, 0
        self.session += 1
        self.stretch += 1
        self.whole = True

    def end(self) -> None:
        """End a session; the state of the next one is unknown."""
        self.window = self.sent = self.recoverable_sent = None
        self.lose_acknowledgments(renewed=True)
        self.session += 1
        self.stretch += 1
        self.whole = False
        self.tally = Tally()

    def lose_count(self, *, renewed: bool) -> None:
        """Mark the number of sent messages as unknown, because packets of this side are missing.

        Args:
            renewed: Whether another session may have begun among them.
        """
        self.sent = self.recoverable_sent = self.least = None
        self.session += renewed
        self.stretch += 1
        self.whole = False
        for sequence in self.sequences.values():
            sequence.whole = sequence.complete = sequence.begun = False
            sequence.floor = 0

    def lose_acknowledgments(self, *, renewed: bool) -> None:
        """Mark the acknowledgments as unknown, because packets of the other side are missing.

        Args:
            renewed: Whether another session may have begun among them, unless packets of this side show that
                none did.
        """
        if self.acknowledged is not None and self.recoverable_acknowledged is not None:
            self.least = self.acknowledged, self.recoverable_acknowledged
        if self.sent is None or self.recoverable_sent is None or (renewed and not self.whole):
            self.least = None
        self.acknowledged = self.recoverable_acknowledged = None
        self.recoverable_flags = 0
        for sequence in self.sequences.values():
            sequence.whole, sequence.floor = False, 0

    def acknowledge(self, first: int, flags: int) -> None:
        """Mark recoverable messages as acknowledged: all up to the first, and those of the flags."""
        self.recoverable_acknowledged, self.recoverable_flags = acknowledge(
            self.recoverable_acknowledged, self.recoverable_flags, first, flags
        )

    def speaks_for(self, manager: str) -> None:
        """Set the queue manager; discard the messages of another one."""
        if self.manager not in {None, manager}:
            for table in (self.sequences, self.newest, self.transactional, self.others, self.finals):
                table.clear()
        self.manager = manager

    def forget_sequences(self) -> None:
        """Discard sequences, because transactional messages contradict earlier ones."""
        self.whole = False
        self.newest.clear()
        self.sequences.clear()

    def sends_now(self, sequence: int) -> bool:
        """Return whether a message of a sequence was sent, and no packets are missing since."""
        known = self.sequences.get(sequence)
        return known is not None and known.stretch == self.stretch

    def current(self, sequence: int) -> Sequence | None:
        """Return the state of a sequence in this session; None if no message was sent in it yet."""
        known = self.sequences.get(sequence)
        return known if known is not None and known.session == self.session else None


class SideSummary(msgspec.Struct, frozen=True):
    """A summary of one side of a session.

    Attributes:
        manager: GUID of its queue manager; None if unknown.
        window: The largest WindowSize that it announced; None if it announced none, or only 1 in
            SessionHeaders, as a paused queue does.
        messages: Number of UserMessages, OrderAcks and FinalAcks that it sent.
        tally: Its packets by kind.
        acknowledged: Number of its messages that the other side acknowledged, modulo 65,536; None if unknown.
        unacknowledged: Number of its messages that were unacknowledged at the end; None if unknown.
        recoverable_unacknowledged: The recoverable ones of these, by RecoverableMsgAckFlags.
        order_unacknowledged: Transactional messages without an OrderAck, of the sequences that are known from
            their first message; they may be of earlier sessions.
    """

    manager: str | None
    window: int | None
    messages: int
    tally: Tally
    acknowledged: int | None
    unacknowledged: int | None
    recoverable_unacknowledged: int | None
    order_unacknowledged: int

    @classmethod
    def of(cls, side: SideState) -> SideSummary:
        """Summarize a side."""
        tally = side.tally
        kinds = (tally.express, tally.recoverable, tally.transactional, tally.order_acks, tally.final_acks)
        recoverable = unacknowledged(side.recoverable_sent, side.recoverable_acknowledged)
        return cls(
            manager=side.manager,
            window=side.window,
            messages=sum(kinds),
            tally=msgspec.structs.replace(tally),
            acknowledged=side.acknowledged,
            unacknowledged=unacknowledged(side.sent, side.acknowledged),
            recoverable_unacknowledged=None
            if recoverable is None
            else recoverable - side.recoverable_flags.bit_count(),
            order_unacknowledged=sum(
                row.highest - row.acknowledged for row in side.sequences.values() if row.whole
            ),
        )


class SessionSummary(msgspec.Struct, frozen=True):
    """A summary of a session.

    Attributes:
        number: Index of the session in this monitor, or in its connection, from 0.
        handshake: ``complete``, ``refused`` by the acceptor, ``incomplete``, ``none`` if another packet is
            the first of a connection whose begin was captured, or the first of its opener, or ``unseen``:
            before the capture began, or in a gap.
        outcome: ``opening`` and ``open`` while it lasts; ``refused``; ``closed`` when it ended with every
            known message acknowledged; ``broken`` when it ended within the handshake or with messages
            outstanding.
        initiator: The side that requested it; None if unknown.
        time_stamp: TimeStamp of the request, in milliseconds since the initiator's system started.
        reconnect_of: Number of the latest earlier session between the same queue managers; None if none was
            captured.
        recoverable_ack_timeout: Milliseconds, as negotiated; None if not seen.
        ack_timeout: Milliseconds, as negotiated; None if not seen.
        forward: The side that sends ``->``.
        backward: The side that sends ``<-``.
        violations: Number of violations of each requirement by its packets, given those before, by id.
        first_packet: Index of its first packet among those of the monitor; None if it has none.
        last_packet: Index of its last packet.
        first_at: Time of its first packet, or of first unreadable bytes.
        last_at: Time of its last packet, or of last unreadable bytes.
    """

    number: int
    handshake: Handshake
    outcome: Outcome
    initiator: Direction | None
    time_stamp: int | None
    reconnect_of: int | None
    recoverable_ack_timeout: int | None
    ack_timeout: int | None
    forward: SideSummary
    backward: SideSummary
    violations: dict[str, int]
    first_packet: int | None
    last_packet: int | None
    first_at: float | None
    last_at: float | None


class SessionState(msgspec.Struct):
    """The complete state of a monitor.

    Attributes:
        phase: Phase of the session.
        handshake: Result of its handshake.
        missing: Whether packets of the handshake may be missing: the capture starts here, or has a gap.
        talked: Whether the session had any packet except Pings.
        one_connection: Whether all packets are of one transport connection.
        routes: Whether the two queue managers may also exchange messages that this monitor does not see.
        only: The only side whose packets were captured; None if both were.
        opener: The side that opened the connection, if the caller knows it.
        unasked: Whether the next packet of the opener is the first that it sent.
        packets: Number of packets fed; the index of the next one.
        number: Index of the session, starting at 0.
        initiator: The side that requested the session.
        request: The requesting EstablishConnection, as hexadecimal text, until it is answered.
        time_stamp: Its TimeStamp.
        offered: RecoverableAckTimeout and AckTimeout.
        reconnect_of: The latest earlier session of the same queue managers.
        pair: The queue managers of the latest complete handshake, and its session's index.
        first_packet: Index of the session's first packet.
        last_packet: Index of its last packet.
        first_at: Time of its first packet, or of first unreadable bytes.
        last_at: Time of its last packet, or of last unreadable bytes.
        violations: Number of violations in the session, by requirement.
        sides: The two sides by direction.
        finished: Summaries of ended sessions.
        forgotten: Number of summaries that were dropped.
    """

    phase: Phase = "unseen"
    handshake: Handshake = "unseen"
    missing: bool = True
    talked: bool = False
    one_connection: bool = False
    routes: bool = True
    only: Direction | None = None
    opener: Direction | None = None
    unasked: bool = False
    packets: int = 0
    number: int = 0
    initiator: Direction | None = None
    request: str | None = None
    time_stamp: int | None = None
    offered: tuple[int, int] | None = None
    reconnect_of: int | None = None
    pair: tuple[str, str, int] | None = None
    first_packet: int | None = None
    last_packet: int | None = None
    first_at: float | None = None
    last_at: float | None = None
    violations: dict[str, int] = msgspec.field(default_factory=dict)
    sides: dict[Direction, SideState] = msgspec.field(
        default_factory=lambda: {"->": SideState(), "<-": SideState()}
    )
    finished: list[SessionSummary] = msgspec.field(default_factory=list)
    forgotten: int = 0

    def lose(self, way: Direction) -> None:
        """Handle missing packets of a direction; another session may have started in the gap."""
        renewed = self.phase != "open" or not self.one_connection
        self.sides[way].lose_count(renewed=renewed)
        self.sides[other(way)].lose_acknowledgments(renewed=renewed)
        self.missing = True
        if renewed:
            self.phase, self.request = "unseen", None
        if self.handshake == "incomplete":
            self.handshake = "unseen"

    def seen_at(self, at: float | None, since: float | None) -> None:
        """Record when a packet, or unreadable bytes, were captured: its last and first segment."""
        if at is not None:
            if self.first_at is None:
                self.first_at = at if since is None else since
            self.last_at = at

    def end(self) -> None:
        """Reset the state for the next session."""
        self.number += 1
        self.phase, self.handshake, self.request = "unseen", "unseen", None
        self.talked = False
        self.initiator = self.time_stamp = self.offered = self.reconnect_of = None
        self.first_packet = self.last_packet = self.first_at = self.last_at = None
        self.violations = {}
        for side in self.sides.values():
            side.end()
