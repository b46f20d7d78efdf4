"""Sessions of [MS-MQQB], judged packet by packet from a capture of both directions.

1. What one packet shows against another is judged: the handshake, the counts of SessionHeaders, the window,
   the order of transactional messages and of what acknowledges them.  Timers and the inside of a queue
   manager are not; what a packet has by itself is for `validate`.
2. Nothing is held against a packet on the strength of a guess.  What the capture does not show is unknown
   until learnt, and an illegal packet makes unknown what it contradicts, so that one fault is reported once.
3. The rules are data, in `rules._session`; what is known is plain data too, so that `snapshot` and `restore`
   carry a monitor from one process to another.
4. Memory is bounded: see the limits in `_session_state`.  Work is constant for each packet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from msmq_wire.checks.rules._session import Moment

from .state import MAX_FINISHED, Direction, Outcome, SessionState, SessionSummary, SideSummary, Tally, other
from .steps import STEPS, Broken, begins

if TYPE_CHECKING:
    from msmq_wire import mqqb
    from msmq_wire.packets.packet import Packet
    from msmq_wire.values.errors import DecodeError

    from .outline import Outline

__all__ = ["Direction", "SessionFinding", "SessionMonitor", "SessionSummary", "SideSummary", "Tally"]

_SIGNATURE = ("BaseHeader.VersionNumber", "BaseHeader.Signature")
_DIRECTIONS = {"->", "<-"}


def _require_direction(direction: str) -> None:
    if direction not in _DIRECTIONS:
        raise ValueError(f"direction is {direction!r}, not '->' or '<-'")


class SessionFinding(msgspec.Struct, frozen=True):
    """A packet that a queue manager may not send, or not then.

    Attributes:
        requirement: Id of the requirement that is broken, such as ``MQMQ-2.2.20.4-06``.
        direction: Which way the packet went.
        packet: Its index among the packets fed, from 0; of bytes that are no packet, that of the next one.
        at: Its time, as fed.
        offset: Where it starts in its stream, as fed.
        path: Dotted path of the field, such as ``SessionAck.SessionHeader.AckSequenceNumber``; of the packet
            itself if it comes at the wrong time.
        field_offset: Where the field starts in the packet, in bytes.
        found: What the field holds; None for the packet itself.
        allowed: What it may hold, in words.
        message: One sentence about it.
    """

    requirement: str
    direction: Direction
    packet: int
    at: float | None
    offset: int | None
    path: str
    field_offset: int
    found: Any
    allowed: str
    message: str

    def __str__(self) -> str:
        where = "" if self.offset is None else f", byte {self.offset}"
        return f"{self.message} ({self.requirement}, packet {self.packet} {self.direction}{where})"


class SessionMonitor:
    """Judges the packets of a session, or of several between the same hosts, in the order of a capture.

    >>> monitor = SessionMonitor()
    >>> for direction, packet in capture:
    ...     for finding in monitor.feed(direction, packet):
    ...         print(finding)
    >>> monitor.disconnect()
    >>> monitor.take_finished()

    A monitor that begins within a session learns as it goes.  One for which `idle` is set knows that the
    transport was just connected, and that no packet came before.

    Attributes:
        state: All that is known, as plain data; for reading.
    """

    __slots__ = ("state",)

    def __init__(
        self,
        *,
        idle: bool = False,
        one_connection: bool = False,
        opener: Direction | None = None,
        only: Direction | None = None,
    ) -> None:
        """Begin.

        Args:
            idle: Whether the transport connection was seen to open, so that the first packet has to be an
                EstablishConnection.
            one_connection: Whether all packets are of one transport connection.  A second
                EstablishConnection is illegal there; otherwise it is taken for a reconnect.
            opener: The side that opened the transport connection, if known.
            only: The direction that was captured, if the other was not.
        """
        self.state = SessionState(
            phase="idle" if idle else "unseen",
            missing=not idle,
            one_connection=one_connection,
            opener=opener,
            only=only,
        )

    # ------------------------------------------------------------------------------------------- events

    def feed(
        self,
        direction: Direction,
        packet: Packet | mqqb.PingPacket | Outline,
        *,
        at: float | None = None,
        offset: int | None = None,
    ) -> tuple[SessionFinding, ...]:
        """Take the next packet.

        Args:
            direction: ``"->"`` or ``"<-"``; which side is which does not matter, but it has to stay the same.
            packet: A packet that `decode` returned, a Ping, or an `outline` of a packet.  Of a Ping exchange
                the side that is seen first is taken to ask.
            at: When it was captured, in seconds of any clock; for findings and the summary only.
            offset: Where it starts in its stream, in bytes; for findings only.

        Returns:
            What is illegal about it, given the packets before it.

        Raises:
            ValueError: The direction is neither of the two, or the packet cannot be part of a session.
        """
        _require_direction(direction)
        step = STEPS.get(type(packet).__name__)
        if step is None:
            raise ValueError(f"{type(packet).__name__} is no packet of a session")
        state, moment = self.state, Moment(packet, direction, self.state)
        if state.only is not None:
            state.lose(other(direction))
        if state.talked and begins(moment):
            self._finish()
        broken = step(moment)
        found = self._report(direction, at, offset, broken)
        state.talked = state.talked or step is not STEPS["PingPacket"]
        if state.first_packet is None:
            state.first_packet, state.first_at = state.packets, at
        state.last_packet, state.last_at = state.packets, at
        moment.ours.tally.packets += 1
        state.packets += 1
        return found

    def gap(self, direction: Direction, *, again: bool = False) -> None:
        """Say that bytes of one direction are missing here: what they could have changed is unknown now.

        Where it is not known between which packets of the other direction they were sent, say so at each of
        these places.

        Args:
            direction: Which way they went.
            again: Whether these can be the bytes that were said to be missing before, so that the gap is not
                counted.

        Raises:
            ValueError: There is no such direction.
        """
        _require_direction(direction)
        self.state.sides[direction].tally.gaps += not again
        self.state.lose(direction)

    def unreadable(
        self,
        direction: Direction,
        error: DecodeError,
        *,
        at: float | None = None,
        offset: int | None = None,
    ) -> tuple[SessionFinding, ...]:
        """Take bytes that are no packet, which the receiver has to close the session for.

        What was meant by them is unknown, so they are a `gap` too.  Bytes that cannot be read because others
        before them were not captured are nobody's fault: call only `gap` for them.

        Args:
            direction: Which way they went.
            error: Why they cannot be read, such as the ``error`` of a ``Skipped``.
            at: When they were captured.
            offset: Where they start in their stream.

        Returns:
            The finding.

        Raises:
            ValueError: There is no such direction.
        """
        _require_direction(direction)
        unsigned = error.path.endswith(_SIGNATURE)
        broken = Broken(
            "MQQB-3.1.5.1.2-01" if unsigned else "MQQB-3.1.5.1.3-01",
            error.path,
            0,
            error.actual if isinstance(error.actual, int) else None,
            "a packet",
            f"What comes here is no packet: {error}.",
        )
        found = self._report(direction, at, offset, [broken])
        self.gap(direction)
        return found

    def disconnect(self) -> SessionSummary:
        """Say that the transport connection was closed; what follows is another session.

        Returns:
            The session that ended, which also waits in `take_finished`.
        """
        summary = self._finish()
        self.state.phase, self.state.missing = "idle", False
        return summary

    # ------------------------------------------------------------------------------------------ results

    @property
    def summary(self) -> SessionSummary:
        """The session as it is now."""
        return self._summary(ended=False)

    def take_finished(self) -> tuple[SessionSummary, ...]:
        """Return the sessions that have ended, oldest first, and forget them."""
        finished = tuple(self.state.finished)
        self.state.finished.clear()
        return finished

    def snapshot(self) -> dict[str, Any]:
        """Return all that the monitor knows, as dictionaries, lists, numbers and text that JSON can hold."""
        made: dict[str, Any] = msgspec.to_builtins(self.state, str_keys=True)
        return made

    @classmethod
    def restore(cls, snapshot: dict[str, Any]) -> SessionMonitor:
        """Make a monitor that goes on where another took its `snapshot`.

        Raises:
            ValueError: This is no snapshot.
        """
        monitor = cls()
        try:
            state = msgspec.convert(snapshot, SessionState, strict=True, str_keys=True)
        except msgspec.ValidationError as error:
            raise ValueError(f"no snapshot of a SessionMonitor: {error}") from None
        if set(state.sides) != _DIRECTIONS:
            raise ValueError("no snapshot of a SessionMonitor: it has not two sides")
        monitor.state = state
        return monitor

    def _report(
        self, direction: Direction, at: float | None, offset: int | None, broken: list[Broken]
    ) -> tuple[SessionFinding, ...]:
        if not broken:
            return ()
        counts, packet = self.state.findings, self.state.packets
        for item in broken:
            counts[item.requirement] = counts.get(item.requirement, 0) + 1
        return tuple(
            SessionFinding(requirement, direction, packet, at, offset, *facts)
            for requirement, *facts in broken
        )

    def _outcome(self, *, ended: bool) -> Outcome:
        state = self.state
        if state.handshake == "refused":
            return "refused"
        handshake_is_over = state.phase in {"open", "unseen"}
        if not ended:
            return "open" if handshake_is_over else "opening"
        waiting = any(SideSummary.of(side).unacknowledged for side in state.sides.values())
        return "closed" if handshake_is_over and not waiting else "broken"

    def _summary(self, *, ended: bool) -> SessionSummary:
        state = self.state
        return SessionSummary(
            number=state.number,
            handshake=state.handshake,
            outcome=self._outcome(ended=ended),
            initiator=state.initiator,
            time_stamp=state.time_stamp,
            reconnect_of=state.reconnect_of,
            recoverable_ack_timeout=state.offered[0] if state.offered else None,
            ack_timeout=state.offered[1] if state.offered else None,
            forward=SideSummary.of(state.sides["->"]),
            backward=SideSummary.of(state.sides["<-"]),
            findings=dict(state.findings),
            first_packet=state.first_packet,
            last_packet=state.last_packet,
            first_at=state.first_at,
            last_at=state.last_at,
        )

    def _finish(self) -> SessionSummary:
        """End the session."""
        state = self.state
        summary = self._summary(ended=True)
        if state.first_packet is not None:
            state.finished.append(summary)
        if len(state.finished) > MAX_FINISHED:
            del state.finished[0]
            state.forgotten += 1
        state.end()
        return summary
