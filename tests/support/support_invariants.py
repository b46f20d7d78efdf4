"""Invariants that hold after every step of every replication machine in every test, for any message.

`conftest.py` puts `checked` around `Machine.step`.  An invariant that the literal document violates is not
checked for machines with that interpretation.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire import mqdsrp
from msmq_wire.machines.replication import PEC_PARTITION_ID, MessageReceived, PurgeState

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.machines.replication import Effect, Event, Machine
    from msmq_wire.values.guid import GUID

__all__ = ["checked"]

BACKWARDS = {
    "number_from_empty_reply", "incomplete_sync0", "impossible_changes", "own_partition_from_others",
}  # fmt: skip
"""Readings with which a sequence number may decrease, or a synchronization may end below purged numbers."""


class Numbers(NamedTuple):
    """The numbers of one partition at one moment."""

    record: Any
    last: int
    purged: int
    allowed: int
    state: PurgeState
    own: bool

    @property
    def sound(self) -> bool:
        """Purged numbers are not above changed ones; a full synchronization is in progress or not started."""
        return self.state is not PurgeState.NORMAL or self.purged <= self.last


def numbers(machine: Machine) -> dict[GUID, Numbers]:
    return {
        identifier: Numbers(
            partition,
            int(partition.LastSeqNumber),
            int(partition.PurgedSeqNumber),
            int(partition.AllowedPurgeSeqNumber),
            partition.PurgeState,
            machine.partitions.is_authority(identifier),
        )
        for identifier, partition in machine.persistent.DirectoryPartitionCollection.items()
    }


def checked(step: Callable[[Machine, Event], list[Effect]]) -> Callable[[Machine, Event], list[Effect]]:
    """`Machine.step` with checks of its result."""

    @wraps(step)
    def checking(machine: Machine, event: Event) -> list[Effect]:
        before = numbers(machine)
        named = own_name_free(machine)
        effects = step(machine, event)
        after = numbers(machine)
        taken = {name for name in BACKWARDS if getattr(machine.readings, name, False)}
        assert PEC_PARTITION_ID in after or PEC_PARTITION_ID not in before
        for identifier, then in before.items():
            now = after.get(identifier)
            if now is not None and now.record is then.record:
                one_partition(event, then, now, taken)
        pending_in_order(machine)
        assert own_name_free(machine) or not named
        return effects

    return checking


def one_partition(event: Event, then: Numbers, now: Numbers, taken: set[str]) -> None:
    assert now.purged >= then.purged
    assert now.allowed >= then.allowed
    if not taken:
        reset = now.purged > then.purged and now.state in {PurgeState.STARTSYNC0, PurgeState.SYNC0}
        assert now.last >= then.last or reset
        assert now.sound or not then.sound
    told = isinstance(event, MessageReceived) and not isinstance(event.message, mqdsrp.ChangeRequestMessage)
    if then.own and told and "own_partition_from_others" not in taken:
        assert now[1:] == then[1:]


def pending_in_order(machine: Machine) -> None:
    """Pending changes are sorted by their numbers and not too many."""
    for state in machine.volatile.partitions.values():
        pending = state.PendingChangeCollection
        assert list(pending) == sorted(pending)
        assert len(pending) <= max(1, machine.shared.settings.pending)
        assert all(number == change.SeqNumber for number, change in pending.items())


def own_name_free(machine: Machine) -> bool:
    """Whether no server is its own neighbor, and each is known by its name."""
    known = machine.persistent
    return all(
        name == neighbor.MachineName != machine.shared.server.MachineName
        for neighbors in (known.PSCNeighborCollection, known.BSCNeighborCollection)
        for name, neighbor in neighbors.items()
    )
