"""Replication between directory servers, with changes and faults.

1. The servers are a PEC, the PSC of another site and a BSC of that site.  They run the state machine of
   [MC-MQDSRP] section 3, so that sequence numbers, requests and replies are consistent.
2. Objects are created, changed and deleted at any server; messages are lost; servers are down for a while and
   have to catch up, from the beginning if the missing changes were purged.
3. The limits of [MC-MQDSRP] are lowered, so that acknowledgments and purges occur after few changes.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.documents.propid import PROPERTIES, ObjectClass
from msmq_wire.machines.replication import Command, Enterprise, SendMessage, Settings
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.testing.strategies.directory import property_value
from msmq_wire.testing.strategies.packets import from_dice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis import strategies as st

    from msmq_wire.testing.strategies.choices import Dice

_SMALL = Settings(purge_buffer=2, purge_interval=2, ack_interval=2, bsc_ack=60, empty_propagations=False)
_PROPERTIES = tuple(
    row.number
    for row in PROPERTIES
    if row.name in {"PROPID_Q_LABEL", "PROPID_Q_QUOTA", "PROPID_Q_JOURNAL", "PROPID_Q_BASEPRIORITY"}
)
_QUEUES = 64
_A_WHILE = 30


class Delivery(NamedTuple):
    """One message of a history.

    Attributes:
        sender: Name of the server that sends it.
        receiver: Name of the server that it is for.
        message: One of the messages of `mqdsrp`.
        lost: Whether it never arrives.
        request: The message that this one answers, if it is a reply.
    """

    sender: str
    receiver: str
    message: Any
    lost: bool = False
    request: Any = None


class Replicas:
    """Directory servers that send each other their changes.

    Args:
        names: Names of the servers: the PEC, the PSC of another site if there is a second, BSCs of that
            site.
        losses: One in this many messages is lost; 0 for none.
        outages: Whether servers are sometimes down, and purge changes that others may lack.
    """

    def __init__(self, names: Sequence[str], *, losses: int = 5, outages: bool = True) -> None:
        pec, *others = names
        self._losses = 0
        self.dice: Any = None
        self._asked: dict[tuple[Any, ...], Any] = {}
        settings = _SMALL if outages else Settings(empty_propagations=False)
        self._enterprise = Enterprise(pec, network=self, settings=settings, keep_log=True)
        self._site = "site0"
        if others:
            self._site = "site1"
            self._enterprise.add_site(others[0], self._site)
            self._enterprise.run(_A_WHILE)
        for name in others[1:]:
            self._enterprise.add_bsc(name, self._site)
            self._enterprise.run(_A_WHILE)
        self._names = tuple(names)
        self.queues: deque[str] = deque(maxlen=_QUEUES)
        self._made = 0
        self._losses = losses
        self._outages = outages
        self._sent()  # the messages of the first contact

    def delays(self, sender: str, sent: SendMessage) -> tuple[float, ...]:  # noqa: ARG002  # required by Network
        """Return the delays of a message: this object is the network of the servers."""
        lost = self._losses and self.dice.byte() % self._losses == self._losses - 1
        return () if lost else (0.01,)

    def step(self, dice: Dice) -> list[Delivery]:
        """Perform one action; return the resulting messages in order."""
        self.dice = dice
        what, at = dice.byte() % 8, dice.pick(self._names)
        if what == 7 and self._outages:
            self._miss(at, 1 + dice.byte() % 3)
        elif what == 6 and self.queues:
            self._delete(at, dice.pick(self.queues))
        elif what >= 4 and self.queues:
            self._update(dice, at, dice.pick(self.queues))
        else:
            self._create(at)
        self._enterprise.run(_A_WHILE)
        return self._sent()

    def _miss(self, name: str, count: int) -> None:
        """Stop a server while queues are created and deleted; it must catch up."""
        authority = self._enterprise.authority(self._enterprise.site(self._site))
        self._enterprise.crash(name)
        for _ in range(count if name != authority else 0):
            self._create(authority)
            self._delete(authority, self.queues[-1])
        self._enterprise.run(_A_WHILE)
        self._enterprise.start(name)

    def _create(self, at: str) -> None:
        self._made += 1
        path = f"host{self._made}\\queue"
        self.queues.append(path)
        self._enterprise.create(at, ObjectClass.QUEUE, path, partition=self._enterprise.site(self._site))

    def _delete(self, at: str, path: str) -> None:
        self.queues.remove(path)
        self._enterprise.delete(at, ObjectClass.QUEUE, path, partition=self._enterprise.site(self._site))

    def _update(self, dice: Dice, at: str, path: str) -> None:
        number = dice.pick(_PROPERTIES)
        value, site = property_value(dice, number), self._enterprise.site(self._site)
        self._enterprise.change(at, Command.UPDATE, ObjectClass.QUEUE, site, path, None, (number,), (value,))

    def _sent(self) -> list[Delivery]:
        """Return the messages sent since the last call."""
        deliveries = []
        for posting in self._enterprise.log:
            message, receiver = posting.sent.ReplicationMessage, posting.sent.Destination
            request = None
            if isinstance(message, mqdsrp.SyncRequestMessage):
                self._asked[posting.sender, receiver, message.PartitionID] = message
            elif isinstance(message, mqdsrp.ChangeRequestMessage):
                self._asked[message.ChangeRequestHeader.RequestIdentifier, receiver] = message
            elif isinstance(message, mqdsrp.ChangeReplyMessage):
                request = self._asked.get((message.RequestIdentifier, posting.sender))
            elif isinstance(message, mqdsrp.SyncReplyMessage):
                request = self._asked.get((receiver, posting.sender, message.SyncReplyHeader.PartitionID))
            elif isinstance(message, mqdsrp.AlreadyPurgedMessage):
                request = self._asked.get((receiver, posting.sender, message.PartitionID))
            deliveries.append(Delivery(posting.sender, receiver, message, not posting.arrivals, request))
        self._enterprise.log.clear()
        return deliveries


def delivery_history(dice: Dice) -> list[Delivery]:
    """Return the messages after the first contact of two or three servers."""
    names = ("pec", "psc", "bsc")[: 2 + dice.byte() % 2]
    replicas = Replicas(names)
    return [delivery for _ in range(dice.byte() % 6) for delivery in replicas.step(dice)]


def replication_histories() -> st.SearchStrategy[list[Delivery]]:
    """Generate the messages between two or three directory servers, in order, after their first contact.

    Every message is conformant, and every reply also in the context of its request.

    Examples:
        >>> from hypothesis import find
        >>> for delivery in find(replication_histories(), bool):
        ...     print(delivery.sender, delivery.receiver, type(delivery.message).__name__)
        pec psc ChangeRequestMessage
        psc pec ChangeReplyMessage
        psc pec ChangePropagationMessage
    """
    return from_dice(delivery_history)
