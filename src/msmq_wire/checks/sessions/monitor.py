"""Validation of [MS-MQQB] sessions, packet by packet, from a capture of both directions.

1. The monitor checks packets against earlier ones: the handshake, the counts of SessionHeaders, the window,
   the order of transactional messages and of their acknowledgments.  It does not check timers, the internal
   state of a queue manager, or single packets, which `validate` checks.
2. The monitor never guesses.  State that was not captured is unknown until a packet states it.  An illegal
   packet makes the state that it contradicts unknown, so that each fault is reported once.
3. The rules are data, in `rules.session`; the state is plain data too, so that `snapshot` and `restore` can
   move a monitor from one process to another.
4. Memory is bounded: see the limits in `sessions.state`.  Work is constant for each packet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from msmq_wire.checks.located import unreadable
from msmq_wire.checks.rules.session import PacketInContext, requirement_of_unreadable
from msmq_wire.documents.session_protocol import OPENED
from msmq_wire.values.errors import DecodeError, MsmqWireError, WrongTypeError, need, need_one_of, wrong_type

from .facts import Facts, facts_of
from .state import MAX_FINISHED, Direction, Outcome, SessionState, SessionSummary, SideSummary, Tally, other
from .steps import STEPS, begins, of_part

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from msmq_wire import mqqb
    from msmq_wire.packets.kinds import Packet
    from msmq_wire.packets.partial import LaxResult
    from msmq_wire.values.violation import Violation

    TimedFacts: TypeAlias = tuple[Direction, Facts, float | None, float | None, int | None]

__all__ = ["Direction", "SessionMonitor", "SessionSummary", "SideSummary", "Tally"]

_MARK = tuple(f"BaseHeader.{name}" for name in ("VersionNumber", "Reserved", "Flags", "Signature"))
"""The fields without which no packet begins."""
_DIRECTIONS: tuple[Direction, Direction] = ("->", "<-")


def _require_direction(direction: str) -> None:
    need_one_of("direction", direction, _DIRECTIONS)


def _kind_of(part: LaxResult | None) -> str | None:
    try:
        return None if part is None or part.source is None else part.source.kind
    except AttributeError:
        raise WrongTypeError(f"part: {wrong_type('what decode_lax returns', part)}") from None


class SessionMonitor:
    """Checks the packets of one session, or of several between the same hosts, in capture order.

    >>> monitor = SessionMonitor()
    >>> for direction, packet in capture:
    ...     for finding in monitor.feed(direction, packet):
    ...         print(finding)
    >>> monitor.disconnect()
    >>> monitor.take_finished()

    A monitor that begins in the middle of a session derives its state from the packets.  If `idle` is set,
    the capture shows the start of the transport connection, and there were no packets before.

    Attributes:
        state: The complete state, as plain data; read-only.
    """

    __slots__ = ("state",)

    def __init__(
        self,
        *,
        idle: bool = False,
        one_connection: bool = False,
        opener: Direction | None = None,
        only: Direction | None = None,
        routes: bool = True,
    ) -> None:
        """Begin.

        Args:
            idle: Whether the capture shows the start of the transport connection, so that the first packet
                has to be an EstablishConnection.
            one_connection: Whether all packets are of one transport connection.  A second
                EstablishConnection is illegal there; otherwise it is taken for a reconnect.
            opener: The side that opened the transport connection, if known.
            only: The direction that was captured, if the other was not.
            routes: Whether the two queue managers may also exchange messages where this monitor does not see
                it, for example through another queue manager.  An OrderAck may then be for one of them.

        Raises:
            MsmqWireError: There is no such direction, or an argument has the wrong type.
        """
        for name, flag in {"idle": idle, "one_connection": one_connection, "routes": routes}.items():
            need(name, flag, bool, "True or False")
        for direction in (opener, only):
            if direction is not None:
                _require_direction(direction)
        self.state = SessionState(
            phase="idle" if idle else "unseen",
            missing=not idle,
            one_connection=one_connection,
            routes=routes,
            opener=opener,
            unasked=idle and opener is not None,
            only=only,
        )

    # ------------------------------------------------------------------------------------------- events

    def feed(
        self,
        direction: Direction,
        packet: Packet | mqqb.PingPacket | Facts,
        *,
        at: float | None = None,
        since: float | None = None,
        offset: int | None = None,
    ) -> tuple[Violation, ...]:
        """Check the next packet.

        Args:
            direction: ``"->"`` or ``"<-"``; the assignment to sides is free but has to stay the same.
            packet: A packet that `decode` returned, a Ping, or the `Facts` of a packet.  The side of the
                first Ping is taken as the requester.
            at: Time of capture, in seconds of any clock; for violations and the summary only.
            since: Time of capture of its first segment, if it has several; for the summary only.
            offset: Its offset in its stream, in bytes; for violations only.

        Returns:
            The violations of the packet, given the packets before it.

        Raises:
            MsmqWireError: The direction is neither of the two, or the packet cannot be part of a session.
        """
        _require_direction(direction)
        state = self.state
        if type(packet) is not Facts and type(packet).__name__ in OPENED:
            packet = facts_of(packet)
        moment = PacketInContext(packet, direction, state)
        if moment.kind not in STEPS:
            raise MsmqWireError(f"{moment.kind} is not a packet of a session")
        if state.only is not None:
            state.lose(other(direction))
        if state.talked and type(packet) is not Facts and begins(moment):
            self._finish()
        idle, number = state.phase == "idle", state.packets
        violations = self._take(moment, at, offset)
        if moment.kind != "PingPacket":
            state.talked = True
            if idle or state.unasked:
                self._begin_with(direction, moment.kind, idle=idle)
        if state.first_packet is None:
            state.first_packet = number
        state.seen_at(at, since)
        return violations

    def feed_facts(self, packets: Iterable[TimedFacts]) -> list[tuple[int, Violation]]:
        """Check consecutive messages and acknowledgments, given by their facts; `feed` does the same.

        Args:
            packets: Of each packet, what `feed` takes: direction, facts, `at`, `since` and `offset`.

        Returns:
            The violations, each after the index of its packet.
        """
        state = self.state
        violations: list[tuple[int, Violation]] = []
        under_way = False
        for index, (direction, facts, at, since, offset) in enumerate(packets):
            if not under_way:
                broken = self.feed(direction, facts, at=at, since=since, offset=offset)
                under_way = state.first_at is not None and state.only is None and not state.unasked
            else:  # without what `feed` does for the first packets of a session only
                broken = self._take(PacketInContext(facts, direction, state), at, offset)
                if at is not None:
                    state.last_at = at
            if broken:
                violations += [(index, item) for item in broken]
        return violations

    def _take(self, moment: PacketInContext, at: float | None, offset: int | None) -> tuple[Violation, ...]:
        """Check a packet and count it."""
        state = self.state
        broken = STEPS[moment.kind](moment)
        violations = self._report(moment.way, at, offset, broken) if broken else ()
        moment.ours.tally.packets += 1
        state.last_packet = state.packets
        state.packets += 1
        return violations

    def gap(self, direction: Direction, *, again: bool = False) -> None:
        """Report missing bytes in one direction; the state that they could have changed becomes unknown.

        If the position of the gap among the packets of the other direction is uncertain, call this at each
        possible position.

        Args:
            direction: The direction of the gap.
            again: Whether these may be the bytes of the previous call, so that the gap is not counted again.

        Raises:
            MsmqWireError: There is no such direction.
        """
        _require_direction(direction)
        state = self.state
        if not again:
            state.sides[direction].tally.gaps += 1
            state.unasked = state.unasked and direction != state.opener
        state.lose(direction)

    def truncated(
        self,
        direction: Direction,
        *,
        kind: str | None = None,
        part: LaxResult | None = None,
        at: float | None = None,
        since: float | None = None,
        offset: int | None = None,
    ) -> tuple[Violation, ...]:
        """Report a packet of which only the beginning, or the beginning and other parts, were captured.

        It also counts as a `gap`.

        Args:
            direction: Its direction.
            kind: Name of its structure, if its first headers identify it.
            part: What `decode_lax` returned for it, instead of `kind`; its certain fields are checked.
            at: Time of capture.
            since: Time of capture of its first segment.
            offset: Its offset in its stream.

        Returns:
            The violations by its certain fields, given the packets before it.

        Raises:
            MsmqWireError: There is no such direction.
        """
        _require_direction(direction)
        violations = self._of_part(direction, part, at, offset)
        self._gap_of(direction, _kind_of(part) or kind)
        self.state.sides[direction].tally.unreadable += 1
        self.state.seen_at(at, since)
        return violations

    def _of_part(
        self, direction: Direction, part: LaxResult | None, at: float | None, offset: int | None
    ) -> tuple[Violation, ...]:
        kind = _kind_of(part)
        if part is None or kind is None:
            return ()
        if self.state.only is not None:
            self.state.lose(other(direction))
        return self._report(direction, at, offset, of_part(part, kind, direction, self.state))

    def _gap_of(self, direction: Direction, kind: str | None) -> None:
        """Report the gap of a packet of a kind; a message implies that the handshake is over."""
        state = self.state
        if kind in OPENED:
            self._begin_with(direction, kind, idle=state.phase == "idle")
        handshake = state.handshake
        self.gap(direction)
        if kind in OPENED:
            state.handshake, state.talked = handshake, True

    def _begin_with(self, direction: Direction, kind: str | None, *, idle: bool) -> None:
        """Note a packet that may be the first of a connection or of its opener, and no request."""
        state = self.state
        is_first = state.unasked and direction == state.opener
        if (idle and state.handshake == "unseen") or (is_first and kind != "EstablishConnection"):
            state.handshake = "none"
        state.unasked = state.unasked and not is_first

    def unreadable(
        self,
        direction: Direction,
        error: DecodeError,
        *,
        kind: str | None = None,
        part: LaxResult | None = None,
        at: float | None = None,
        since: float | None = None,
        offset: int | None = None,
    ) -> tuple[Violation, ...]:
        """Report bytes that cannot be read, for which the receiver has to close the session.

        They also count as a `gap`.  If bytes are unreadable because bytes before them are missing in the
        capture, call only `gap`; if a packet is unreadable because bytes after its beginning are missing,
        call `truncated`.

        Args:
            direction: The direction of the bytes.
            error: The reason, such as the ``error`` of a ``Skipped``; its offset has the same origin as
                `offset`.
            kind: Name of the structure, if they begin like a packet whose first headers identify it.
            part: What `decode_lax` returned for them, instead of `kind`; its certain fields are checked.
            at: Time of capture.
            since: Time of capture of their first segment.
            offset: Their offset in their stream.

        Returns:
            The violation by these bytes, and those by certain fields, given the packets before it.

        Raises:
            MsmqWireError: There is no such direction.
        """
        _require_direction(direction)
        need("error", error, DecodeError, "a DecodeError")
        broken = unreadable(requirement_of_unreadable(error.path), error, offset or 0)
        violations = self._report(direction, at, offset, [broken])
        violations += self._of_part(direction, part, at, offset)
        self._gap_of(direction, _kind_of(part) or kind)
        self.state.sides[direction].tally.unreadable += not error.path.endswith(_MARK)
        self.state.seen_at(at, since)
        return violations

    def disconnect(self) -> SessionSummary:
        """Report that the transport connection was closed; later packets belong to another session.

        Returns:
            The session that ended; `take_finished` returns it too.
        """
        summary = self._finish()
        state = self.state
        state.phase, state.missing, state.unasked = "idle", False, state.opener is not None
        return summary

    # ------------------------------------------------------------------------------------------ results

    @property
    def summary(self) -> SessionSummary:
        """A summary of the current session."""
        return self._summary(ended=False)

    @property
    def ended(self) -> SessionSummary:
        """The same, as if the transport connection were closed now."""
        return self._summary(ended=True)

    def take_finished(self) -> tuple[SessionSummary, ...]:
        """Return the summaries of ended sessions, oldest first, and clear them."""
        finished = tuple(self.state.finished)
        self.state.finished.clear()
        return finished

    def snapshot(self) -> dict[str, Any]:
        """Return the complete state of the monitor as JSON types."""
        snapshot: dict[str, Any] = msgspec.to_builtins(self.state, str_keys=True)
        return snapshot

    @classmethod
    def restore(cls, snapshot: dict[str, Any]) -> SessionMonitor:
        """Create a monitor from a `snapshot`.

        Raises:
            MsmqWireError: The argument is not a snapshot.
        """
        monitor = cls()
        try:
            state = msgspec.convert(snapshot, SessionState, strict=True, str_keys=True)
        except msgspec.ValidationError as error:
            raise MsmqWireError(f"not a snapshot of a SessionMonitor: {error}") from None
        if set(state.sides) != set(_DIRECTIONS):
            raise MsmqWireError("not a snapshot of a SessionMonitor: it does not have two sides")
        monitor.state = state
        return monitor

    def _report(
        self, direction: Direction, at: float | None, offset: int | None, broken: Sequence[Violation]
    ) -> tuple[Violation, ...]:
        counts, packet = self.state.violations, self.state.packets
        for item in broken:
            counts[item.requirement] = counts.get(item.requirement, 0) + 1
        return tuple(
            msgspec.structs.replace(item, direction=direction, packet=packet, at=at, stream_offset=offset)
            for item in broken
        )

    def _outcome(self, sides: Iterable[SideSummary], *, ended: bool) -> Outcome:
        state = self.state
        if state.handshake == "refused":
            return "refused"
        handshake_is_over = state.phase in {"open", "unseen"}
        if not ended:
            return "open" if handshake_is_over else "opening"
        waiting = any(side.unacknowledged for side in sides)
        return "closed" if handshake_is_over and not waiting else "broken"

    def _summary(self, *, ended: bool) -> SessionSummary:
        state = self.state
        forward, backward = (SideSummary.of(state.sides[way]) for way in _DIRECTIONS)
        return SessionSummary(
            number=state.number,
            handshake=state.handshake,
            outcome=self._outcome((forward, backward), ended=ended),
            initiator=state.initiator,
            time_stamp=state.time_stamp,
            reconnect_of=state.reconnect_of,
            recoverable_ack_timeout=state.offered[0] if state.offered else None,
            ack_timeout=state.offered[1] if state.offered else None,
            forward=forward,
            backward=backward,
            violations=dict(state.violations),
            first_packet=state.first_packet,
            last_packet=state.last_packet,
            first_at=state.first_at,
            last_at=state.last_at,
        )

    def _finish(self) -> SessionSummary:
        """End the session."""
        state = self.state
        summary = self._summary(ended=True)
        if state.first_packet is not None or any(side.tally.unreadable for side in state.sides.values()):
            state.finished.append(summary)
        if len(state.finished) > MAX_FINISHED:
            del state.finished[0]
            state.forgotten += 1
        state.end()
        return summary
