"""The delivery of messages between simulated servers: loss, duplication and delay."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msmq_wire.values.errors import need, need_within

if TYPE_CHECKING:
    from .events import SendMessage

_LONGEST = sys.float_info.max
_SECONDS = "a number of seconds, 0 or more"


class Posting(NamedTuple):
    """One message that a server sent.

    Attributes:
        time: The time of sending.
        sender: Name of the machine that sent it.
        sent: The effect, with destination and message.
        arrivals: When copies of it arrive; none if it is lost, several if it is duplicated.
    """

    time: float
    sender: str
    sent: SendMessage
    arrivals: tuple[float, ...]


class Network(Protocol):
    """Decides the delivery of messages."""

    def delays(self, sender: str, sent: SendMessage) -> tuple[float, ...]:
        """Seconds after which each copy of a message arrives; an empty tuple loses it."""
        ...


class Reliable:
    """A network that delivers every message once, in order.

    Args:
        latency: Seconds that a message takes.
    """

    def __init__(self, latency: float = 0.01) -> None:
        need_within("latency", latency, 0, _LONGEST, _SECONDS)
        self._delays = (latency,)

    def delays(self, sender: str, sent: SendMessage) -> tuple[float, ...]:  # noqa: ARG002  # for those that need it
        """One copy after the latency."""
        return self._delays


class RandomNetwork:
    """A network that loses, duplicates, delays and so reorders messages, in the same way for the same seed.

    Args:
        seed: The seed of the random numbers.
        drop: Probability that a message is lost.
        duplicate: Probability that it arrives twice.
        delay: The largest delay in seconds.
    """

    def __init__(self, seed: int, *, drop: float = 0.1, duplicate: float = 0.1, delay: float = 30.0) -> None:
        need("seed", seed, int, "a whole number")
        need_within("drop", drop, 0, 1, "a probability, 0 to 1")
        need_within("duplicate", duplicate, 0, 1, "a probability, 0 to 1")
        need_within("delay", delay, 0, _LONGEST, _SECONDS)
        self._random = random.Random(seed)  # noqa: S311  # a simulation, to be repeated
        self.drop = drop
        self.duplicate = duplicate
        self.delay = delay

    def delays(self, sender: str, sent: SendMessage) -> tuple[float, ...]:  # noqa: ARG002  # for those that need it
        """Random loss, duplication and delay, from the seed."""
        dice = self._random
        if dice.random() < self.drop:
            return ()
        copies = 2 if dice.random() < self.duplicate else 1
        return tuple(dice.uniform(0, self.delay) for _ in range(copies))
