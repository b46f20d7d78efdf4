"""Replication among directory servers: what [MC-MQDSRP] sends, with sequence numbers that go together.

1. Each server is master of one partition.  A change takes the next number of its partition and names the
   number before it; propagations have changes in that order, each once.
2. A propagation says how far its sender's partition has come.  It can get lost on the way to a server, which
   then asks for what it lacks and gets exactly that, or hears that it has been purged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire import mqdsrp

from ._dice import GUIDS, Dice
from ._directory import directory_change
from ._packets import made

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis import strategies as st

__all__ = ["Delivery", "Network", "replication_histories"]


class Delivery(NamedTuple):
    """One message of a history.

    Attributes:
        sender: Name of the server that sends it.
        receiver: Name of the server that it is for.
        message: One of the messages of `mqdsrp`.
        lost: Whether it never arrives.
    """

    sender: str
    receiver: str
    message: Any
    lost: bool = False


class _Server:
    def __init__(self, index: int, name: str) -> None:
        self.name = name
        self.site = GUIDS[index + 1]
        self.partition = GUIDS[index + 33]
        self.last = 0
        self.recent: list[Any] = []  # the changes up to the last; those before are known everywhere
        self.purged = 0
        self.known: dict[str, int] = {}

    def since(self, number: int) -> tuple[Any, ...]:
        """The changes behind that one."""
        return tuple(self.recent[len(self.recent) - self.last + number :])

    def header(self, operation: int) -> Any:
        return mqdsrp.BaseReplicationHeader(SiteID=self.site, Operation=operation)


def _number(value: int) -> Any:
    return mqdsrp.SEQUENCE_NUMBER.of(value)


def _change(dice: Dice, server: _Server) -> Any:
    last = server.last
    change = directory_change(
        dice,
        PartitionID=server.partition,
        PreviousSeqNumber=_number(last),
        SeqNumber=_number(last + 1),
        PurgedSeqNumber=_number(server.purged),
    )
    server.recent.append(change)
    server.last += 1
    return change


def _propagation(server: _Server, changes: tuple[Any, ...]) -> Any:
    numbers = mqdsrp.PARTITION_SEQ_NUMBERS(
        PartitionID=server.partition,
        LastSeqNumber=_number(server.last),
        PurgedSeqNumber=_number(server.purged),
    )
    return mqdsrp.ChangePropagationMessage(
        BaseReplicationHeader=server.header(0),
        DirectoryChanges=changes,
        SeqNumberHeader=mqdsrp.SeqNumberHeader(MachineName=server.name, PartitionSeqNumbers=(numbers,)),
    )


def _catch_up(master: _Server, other: _Server) -> list[Delivery]:
    """A server that lacks changes asks for them."""
    since, last = other.known.get(master.name, 0), master.last
    request = mqdsrp.SyncRequestMessage(
        BaseReplicationHeader=other.header(2),
        PartitionID=master.partition,
        FromSeqNumber=_number(since),
        ToSeqNumber=_number(last),
        Scope=1,
        RequesterName=other.name,
    )
    answer: Any
    if since < master.purged:
        answer = mqdsrp.AlreadyPurgedMessage(
            BaseReplicationHeader=master.header(5),
            PartitionID=master.partition,
            PurgedSeqNumber=_number(master.purged),
        )
    else:
        changes = master.since(since)
        answer = mqdsrp.SyncReplyMessage(
            SyncReplyHeader=mqdsrp.SyncReplyHeader(
                BaseReplicationHeader=master.header(3),
                PartitionID=master.partition,
                FromSeqNumber=_number(since),
                ToSeqNumber=_number(last),
                PurgedSeqNumber=_number(master.purged),
                Count=len(changes),
            ),
            DirectoryChanges=changes,
        )
        other.known[master.name] = last
    return [Delivery(other.name, master.name, request), Delivery(master.name, other.name, answer)]


class Network:
    """Directory servers that tell each other what changes.

    Args:
        names: Names of the servers, no more than 30.
        losses: One message of so many is lost.
        purges: Whether servers purge what others may lack.
    """

    def __init__(self, names: Sequence[str], *, losses: int = 3, purges: bool = True) -> None:
        self.servers = [_Server(index, name) for index, name in enumerate(names)]
        self.losses = losses
        self.purges = purges

    def step(self, dice: Dice) -> list[Delivery]:
        """Something changes at one server: the messages that follow from it, in order."""
        sent = []
        master = dice.pick(self.servers)
        if dice.byte() % 4 == 3 and self.purges:
            master.purged = master.last
        before = master.last
        changes = tuple(_change(dice, master) for _ in range(1 + dice.byte() % 2))
        propagation = _propagation(master, changes)
        others = [server for server in self.servers if server is not master]
        for other in others:
            lost = dice.byte() % self.losses == self.losses - 1
            sent.append(Delivery(master.name, other.name, propagation, lost))
            if not lost and other.known.get(master.name, 0) == before:
                other.known[master.name] = master.last
            elif not lost:
                sent += _catch_up(master, other)
        lacking = master.last - min(other.known.get(master.name, 0) for other in others)
        del master.recent[: len(master.recent) - lacking]
        return sent


def _history(dice: Dice) -> list[Delivery]:
    network = Network([f"server{index}" for index in range(2 + dice.byte() % 2)])
    return [delivery for _ in range(dice.byte() % 4) for delivery in network.step(dice)]


def replication_histories() -> st.SearchStrategy[list[Delivery]]:
    """What two or three directory servers send each other, in order.

    Every message is conformant, and every reply also in the context of the request before it.

    Examples:
        >>> from hypothesis import find
        >>> for delivery in find(replication_histories(), bool):
        ...     print(delivery.sender, delivery.receiver, type(delivery.message).__name__)
        server0 server1 ChangePropagationMessage
    """
    return made(_history)
