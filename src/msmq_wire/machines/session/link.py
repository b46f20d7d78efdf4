"""One transport connection, as both halves of a session see it: what is known, goes out, and is timed.

1. Whoever finds that the session has to end raises `Ended`; the endpoint closes it ([MS-MQQB] 3.1.5.9).
2. Timers are moments by name.  A clock that goes back moves them back with it, so that they last as long.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from .events import Violated
from .management import MAX_ATTEMPTS, Attempt

if TYPE_CHECKING:
    from .events import Event
    from .management import Status
    from .manager import QueueManager
    from .state import SessionState

__all__ = ["Ended", "Link"]


class Ended(Exception):  # no error: it never leaves this package
    """The session has to be closed.

    Args:
        reason: Why, for `Closed`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Link:
    """What the halves of a session share.

    Attributes:
        manager: The queue manager.
        state: What is known.
        output: Packets to send, as bytes.
        events: What the caller is to be told.
        attempts: ConnectionHistory: attempts to connect, and how far they came.
    """

    __slots__ = ("attempts", "events", "manager", "output", "state")

    def __init__(self, manager: QueueManager, state: SessionState) -> None:
        """Begin."""
        self.manager = manager
        self.state = state
        self.output: list[bytes] = []
        self.events: list[Event] = []
        self.attempts: deque[Attempt] = deque(maxlen=MAX_ATTEMPTS)

    def at(self, now: float) -> None:
        """It is now so late."""
        state = self.state
        if now < state.now:
            back = state.now - now
            for name in state.timers:
                state.timers[name] -= back
            state.ack_started -= back
            state.last_order -= back
        state.now = now

    def start(self, name: str, duration: float) -> None:
        """Start or restart a timer."""
        self.state.timers[name] = self.state.now + duration

    def start_if_stopped(self, name: str, duration: float) -> None:
        """Start a timer unless it runs."""
        if name not in self.state.timers:
            self.state.timers[name] = self.state.now + duration

    def stop(self, name: str) -> None:
        """Stop a timer."""
        self.state.timers.pop(name, None)

    def attempted(self, status: Status, error: int = 0) -> None:
        """Append an entry to ConnectionHistory ([MS-MQQB] 3.1.5.2)."""
        self.attempts.append(Attempt(status, self.state.now, error, self.state.address))

    def violated(self, requirement: str, message: str) -> Ended:
        """The other side broke a rule that the session is closed for; raise what this returns."""
        self.events.append(Violated(requirement, message))
        return Ended("violated")
