"""One transport connection, shared by both halves of a session: state, output, events, timers.

1. Code that detects that the session must end raises `Ended`; the endpoint then closes the session ([MS-MQQB]
   3.1.5.9).
2. Timers are points in time by name.  If the clock is set back, they are moved back with it, so their
   durations do not change.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from msmq_wire.values.errors import need, need_within

from .events import Violated
from .management import MAX_ATTEMPTS, Attempt

if TYPE_CHECKING:
    from msmq_wire.values.violation import Violation

    from .events import Event
    from .management import Status
    from .manager import QueueManager
    from .state import SessionState

_END = 1 << 32


def need_time(now: object, name: str = "now") -> None:
    """Raise an error for a time that is not a number of seconds since 1970, or not within 32 bits.

    Raises:
        WrongTypeError: The time is not a number.
        MsmqWireError: The time cannot be represented on the wire.
    """
    need(name, now, (int, float), "a time in seconds")
    need_within(name, now, 0, _END - 1, f"a time in seconds since 1970, 0 to {_END - 1}")


class Ended(Exception):  # not an error, and not raised outside of this package
    """The session must be closed.

    Args:
        reason: The reason, for `Closed`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Link:
    """The data that the halves of a session share.

    Attributes:
        manager: The queue manager.
        state: The state of the session.
        output: Packets to send, as bytes.
        events: Events for the caller.
        packet: The packet that is being received.
        attempts: ConnectionHistory: connection attempts, and their progress.
    """

    __slots__ = ("attempts", "events", "manager", "output", "packet", "state")

    def __init__(self, manager: QueueManager, state: SessionState) -> None:
        """Create a link without timers."""
        self.manager = manager
        self.state = state
        self.output: list[bytes] = []
        self.events: list[Event] = []
        self.packet: Any = None
        self.attempts: deque[Attempt] = deque(maxlen=MAX_ATTEMPTS)

    def at(self, now: float) -> None:
        """Set the current time.

        Raises:
            WrongTypeError: The time is not a number.
            MsmqWireError: The time is not within 32 bits.
        """
        need_time(now)
        state = self.state
        if now < state.now:
            back = state.now - now
            for name in state.timers:
                state.timers[name] -= back
            state.ack_started -= back
            state.last_order -= back
        state.now = now
        self.manager.clean_history(now)

    def start(self, name: str, duration: float) -> None:
        """Start or restart a timer."""
        self.state.timers[name] = self.state.now + duration

    def start_if_stopped(self, name: str, duration: float) -> None:
        """Start a timer unless it is running."""
        if name not in self.state.timers:
            self.state.timers[name] = self.state.now + duration

    def stop(self, name: str) -> None:
        """Stop a timer."""
        self.state.timers.pop(name, None)

    def attempted(self, status: Status, error: int = 0) -> None:
        """Append an entry to ConnectionHistory ([MS-MQQB] 3.1.5.2)."""
        self.attempts.append(Attempt(status, self.state.now, error, self.state.address))

    def ended_by(self, violation: Violation) -> Ended:
        """Report a violation that closes the session; raise the result of this method."""
        self.events.append(Violated(violation))
        return Ended("violated")
