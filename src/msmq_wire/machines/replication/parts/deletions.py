"""Deletions that other servers may not know of yet, and when they are purged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.machines.replication.state import DeletedObject, DirectoryPartition, PurgeState
from msmq_wire.values.sequence_number import MIN_SEQ_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.machines.replication.state import ServerState
    from msmq_wire.values.guid import GUID
    from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

    from .neighbors import Neighbors
    from .partitions import Partitions

_MODULUS = 1 << 64


class Deletions:
    """DeletedObjectCollection, [MC-MQDSRP] 3.1.1.3.

    Args:
        shared: The state that the parts of the server share.
        partitions: The state of the partitions.
        neighbors: The acknowledgments.
    """

    def __init__(self, shared: ServerState, partitions: Partitions, neighbors: Neighbors) -> None:
        self._shared = shared
        self._partitions = partitions
        self._neighbors = neighbors

    def of(self, identifier: GUID) -> dict[GUID, DeletedObject]:
        """Return the deletions of a partition by GUID; the result may be a copy, so do not modify it."""
        return self._shared.persistent.DeletedObjectCollection.get(identifier, {})

    def remember(
        self, partition: DirectoryPartition, identifier: GUID, number: SEQUENCE_NUMBER, kind: int, scope: int
    ) -> None:
        """Store the deletion of an object."""
        kept = self._shared.persistent.DeletedObjectCollection.setdefault(partition.PartitionID, {})
        kept[identifier] = DeletedObject(identifier, partition.PartitionID, number, kind, scope)

    def forget(self, identifier: GUID) -> None:
        """Remove the deletions of a partition."""
        self._shared.persistent.DeletedObjectCollection.pop(identifier, None)

    def between(
        self, partition: DirectoryPartition, first: SEQUENCE_NUMBER, last: SEQUENCE_NUMBER
    ) -> Iterator[DeletedObject]:
        """Return the deletions of a partition in a range, for a sync reply (errata D9)."""
        everything = self._shared.readings.all_deleted_objects
        for owner, kept in self._shared.persistent.DeletedObjectCollection.items():
            if owner == partition.PartitionID or everything:
                for item in kept.values():
                    if everything or first <= item.SeqNumber <= last:
                        yield item

    def mark(self, partition: DirectoryPartition) -> None:
        """Start a full synchronization: mark all deletions of the partition."""
        for item in self.of(partition.PartitionID).values():
            item.SeqNumber = MIN_SEQ_NUMBER

    def sweep(self, partition: DirectoryPartition) -> None:
        """End a full synchronization: remove deletions that were not received again."""
        self._purge(partition, 0)

    def _purge(self, partition: DirectoryPartition, limit: int) -> None:
        kept = self.of(partition.PartitionID)
        for identifier in [key for key, item in kept.items() if int(item.SeqNumber) <= limit]:
            del kept[identifier]

    # ------------------------------------------------------------------------------------------ purging

    def purge_when_due(self, partition: DirectoryPartition) -> None:
        """Raise Purge Deleted Objects after a number of changes, as [MC-MQDSRP] 3.1.7.2.3 does."""
        state = self._partitions.state(partition)
        last = partition.LastSeqNumber
        if int(last) > int(state.PreviousPurgedSeqNumber) + self._shared.settings.purge_interval:
            self.purge_deleted_objects(partition)
            state.PreviousPurgedSeqNumber = last

    def purge_deleted_objects(self, partition: DirectoryPartition) -> None:
        """Purge Deleted Objects, [MC-MQDSRP] 3.1.7.2.9; a young partition keeps all (errata D18, D55)."""
        readings, buffer = self._shared.readings, self._shared.settings.purge_buffer
        last, purged = int(partition.LastSeqNumber), int(partition.PurgedSeqNumber)
        if last < buffer and not readings.purge_below_zero:
            return
        limit = (last - buffer) % _MODULUS
        if partition.PurgeState is not PurgeState.NORMAL or purged >= limit:
            return
        if self._partitions.is_authority(partition.PartitionID):
            least = self._neighbors.least_acknowledged(partition.PartitionID)
            if least is not None:
                if least <= purged:
                    return
                limit = least if readings.acknowledged_is_purged else min(limit, least)
        elif int(partition.AllowedPurgeSeqNumber) < limit:
            limit = int(partition.AllowedPurgeSeqNumber)
            if limit < purged:
                return
        self._purge(partition, limit)
        if not readings.purge_below_zero:
            # An acknowledgment may have any number; deletions with later numbers than the last change are not
            # purged.
            partition.PurgedSeqNumber = MIN_SEQ_NUMBER + min(limit, last)
