"""Some servers and the messages between them, without a clock: all consequences of one message."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from support_machines import QUEUE, machine

from msmq_wire.documents.directory_properties import pack
from msmq_wire.machines.replication import (
    CancelTimer,
    ChangePropagationTimer,
    Command,
    Initialize,
    Machine,
    MessageReceived,
    PropagateDirectoryChange,
    ReadNextSequenceNumber,
    SendMessage,
    StartTimer,
    TimerFired,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from msmq_wire import GUID
    from msmq_wire.machines.replication import Effect

__all__ = ["Town"]


class Town:
    """Servers of three sites that know each other.

    Args:
        names: The names of the servers.
        options: Arguments of every `Machine`.

    Attributes:
        machines: The servers by name.
        said: Sender and effect of every message so far.
        lost: Messages to these servers get lost.
    """

    def __init__(self, names: Iterable[str] = ("PEC0", "PSC1", "PSC2", "BSC1a"), **options: Any) -> None:
        self.options = options
        self.machines: dict[str, Machine] = {name: machine(name, **options) for name in names}
        self.said: list[tuple[str, SendMessage]] = []
        self.lost: set[str] = set()
        self._queue: deque[tuple[str, MessageReceived]] = deque()
        self._timers: dict[tuple[str, Any], None] = {}
        for name, made in self.machines.items():
            self.carry_out(name, made.step(Initialize()))
        self.run()

    def carry_out(self, name: str, effects: Iterable[Effect]) -> None:
        """Remember the timers, and send the messages."""
        for effect in effects:
            if isinstance(effect, SendMessage):
                self.said.append((name, effect))
                if effect.Destination in self.machines and effect.Destination not in self.lost:
                    self._queue.append((effect.Destination, MessageReceived(effect.ReplicationMessage)))
            elif isinstance(effect, StartTimer):
                self._timers[name, effect.timer] = None
            elif isinstance(effect, CancelTimer):
                self._timers.pop((name, effect.timer), None)

    def deliver(self, name: str, message: Any, **given: Any) -> None:
        """A message from outside."""
        self.carry_out(name, self.machines[name].step(MessageReceived(message, **given)))

    def run(self, limit: int = 1000) -> int:
        """Deliver messages until none is in transit.

        Returns:
            The number of delivered messages; `limit` if they do not end.
        """
        count = 0
        while self._queue and count < limit:
            name, event = self._queue.popleft()
            count += 1
            self.carry_out(name, self.machines[name].step(event))
        if count == limit:
            self._queue.clear()
        return count

    def propagate(self, limit: int = 1000) -> int:
        """Every Change Propagation Timer fires once, and all consequences are delivered."""
        for name, timer in [key for key in self._timers if isinstance(key[1], ChangePropagationTimer)]:
            self.carry_out(name, self.machines[name].step(TimerFired(timer)))
        return self.run(limit)

    def queue(self, name: str, partition: GUID, path: str, identifier: GUID) -> None:
        """A new queue of an authority."""
        made = self.machines[name]
        (following,) = made.step(ReadNextSequenceNumber(partition))
        number: Any = getattr(following, "SeqNumber", None)
        numbers, values = pack(
            {"PROPID_Q_LABEL": path, "PROPID_Q_INSTANCE": identifier, "PROPID_Q_PATHNAME": path}
        )
        made.directory.create(
            QUEUE, path, identifier, partition, number, dict(zip(numbers, values, strict=True))
        )
        event = PropagateDirectoryChange(
            Operation=Command.CREATE,
            PartitionID=partition,
            SeqNumber=number,
            PathName=path,
            GuidIdentifier=identifier,
            PropertyID=numbers,
            PropertyValue=values,
        )
        self.carry_out(name, made.step(event))

    def restart(self, name: str) -> None:
        """A server goes down and comes back."""
        old = self.machines[name].shared
        for key in [key for key in self._timers if key[0] == name]:
            del self._timers[key]
        self.machines[name] = Machine(old.server, old.directory, old.persistent, **self.options)
        self.carry_out(name, self.machines[name].step(Initialize()))
