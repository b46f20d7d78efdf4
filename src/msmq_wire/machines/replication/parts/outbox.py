"""The effects of one step of a server, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msmq_wire.machines.replication.events import Acknowledgment, CancelTimer, SendMessage, StartTimer
from msmq_wire.packets.carriers import is_machine_name
from msmq_wire.packets.directory import replication as mqdsrp

if TYPE_CHECKING:
    from msmq_wire.machines.replication.events import Effect, Timer
    from msmq_wire.machines.replication.state import ServerState

_Delivery: TypeAlias = tuple[int, int, Acknowledgment, str | None]
_HIGHEST = 7


class Outbox:
    """The effects of a step.

    Args:
        shared: The state that the parts of the server share.
    """

    def __init__(self, shared: ServerState) -> None:
        self._shared = shared
        self._effects: list[Effect] = []
        self._headers = tuple(
            mqdsrp.BaseReplicationHeader(SiteID=shared.server.SiteIdentifier, Operation=operation)
            for operation in range(8)
        )
        self._deliveries: dict[tuple[type, bool], _Delivery] = {}

    def header(self, operation: int) -> mqdsrp.BaseReplicationHeader:
        """Return the first header of an own message, [MC-MQDSRP] 2.2.5.1 (errata D24).

        Args:
            operation: Its Operation, 0 to 7.
        """
        return self._headers[operation]

    def add(self, effect: Effect) -> None:
        """Add an effect."""
        self._effects.append(effect)

    def take(self) -> list[Effect]:
        """Return the effects so far, and clear them."""
        effects, self._effects = self._effects, []
        return effects

    def start_timer(self, timer: Timer, after: float) -> None:
        """Start a timer that fires once, after a number of seconds."""
        self._effects.append(StartTimer(timer, after))

    def cancel_timer(self, timer: Timer) -> None:
        """Cancel a timer."""
        self._effects.append(CancelTimer(timer))

    def send_replication_message(
        self, destination: str, message: mqdsrp.Message, *, again: bool = False
    ) -> None:
        """Send Replication Message, [MC-MQDSRP] 3.1.7.2.1; do nothing if no machine can have the name.

        Timeout, priority and acknowledgment depend on the message, as stated by the event that sends
        it.

        Args:
            destination: Name of the machine.
            message: The message.
            again: Whether it was rejected because of its signature (3.3.7.9).
        """
        if not is_machine_name(destination):
            return
        timeout, priority, asked, queue = self._delivery(type(message), again=again)
        self._effects.append(SendMessage(destination, message, timeout, priority, asked, queue, queue, again))

    def _delivery(self, kind: type, *, again: bool) -> _Delivery:
        """Return timeout, priority, acknowledgment and report queue; cached for each kind of message."""
        shared = self._deliveries.get((kind, again))
        if shared is None:
            delivery = mqdsrp.delivery_of(kind, self._shared.server.Identifier, again=again)
            asked = (
                Acknowledgment.NACK_REACH_QUEUE if delivery.negative_acknowledgment else Acknowledgment.NONE
            )
            shared = (delivery.time_to_reach_queue, delivery.priority, asked, delivery.reply_queue)
            self._deliveries[kind, again] = shared
        timeout, priority, asked, queue = shared
        masked = self._shared.readings.masked_priority and priority == _HIGHEST
        return timeout, 0 if masked else priority, asked, queue
