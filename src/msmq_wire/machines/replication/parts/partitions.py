"""The state of the partitions, their authority, and the messages about them.

A partition is own if this server is its object authority.  Messages of other servers about it are
ignored (errata D54): code that handles such a message looks the partition up with `told_partition`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.machines.replication.events import PropagationScope
from msmq_wire.machines.replication.state import (
    PEC_PARTITION_ID,
    DirectoryPartition,
    PartitionState,
    PurgeState,
)
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.values.sequence_number import MAX_SEQ_NUMBER

if TYPE_CHECKING:
    from msmq_wire.machines.replication.state import ServerState
    from msmq_wire.values.guid import GUID

    from .outbox import Outbox

NO_NUMBERS = mqdsrp.SeqNumberHeader(Count=0)
"""The SeqNumberHeader of a propagation without sequence numbers."""


class Partitions:
    """DirectoryPartitionCollection, [MC-MQDSRP] 3.1.1.3.

    Args:
        shared: The state that the parts of the server share.
        outbox: Takes requests and acknowledgments.
    """

    def __init__(self, shared: ServerState, outbox: Outbox) -> None:
        self._shared = shared
        self._outbox = outbox

    def get(self, identifier: GUID) -> DirectoryPartition | None:
        """Return the DirectoryPartition with that PartitionID, or None."""
        return self._shared.persistent.DirectoryPartitionCollection.get(identifier)

    def all(self) -> list[DirectoryPartition]:
        """Return all partitions, in the order in which they were added."""
        return list(self._shared.persistent.DirectoryPartitionCollection.values())

    def add(self, identifier: GUID, authority: str) -> DirectoryPartition:
        """Add a new, empty partition."""
        partition = DirectoryPartition(identifier, authority)
        self._shared.persistent.DirectoryPartitionCollection[identifier] = partition
        self._shared.volatile.partitions.pop(identifier, None)
        return partition

    def remove(self, identifier: GUID) -> DirectoryPartition | None:
        """Remove a partition.

        Returns: The partition, or None.
        """
        self._shared.volatile.partitions.pop(identifier, None)
        return self._shared.persistent.DirectoryPartitionCollection.pop(identifier, None)

    def state(self, partition: DirectoryPartition) -> PartitionState:
        """Return the state of a partition that is not persisted."""
        return self._shared.volatile.of_partition(partition)

    # --------------------------------------------------------------------------------------- authority

    @property
    def my_enterprise_partition(self) -> DirectoryPartition | None:
        """QueueManager.MyEnterprisePartition of [MC-MQDSRP] 3.1.1.1; only on the PEC."""
        return self.get(PEC_PARTITION_ID) if self._shared.server.is_pec else None

    @property
    def my_site_partition(self) -> DirectoryPartition | None:
        """QueueManager.MySitePartition of [MC-MQDSRP] 3.1.1.1; None while the site is unknown."""
        return self.get(self._shared.server.SiteIdentifier)

    def is_my_site(self, partition: DirectoryPartition) -> bool:
        """Return whether this server is the PSC of the site of a partition."""
        return self._shared.server.is_psc and partition is self.my_site_partition

    def is_authority(self, identifier: GUID) -> bool:
        """Return whether this server is the object authority of a partition, and has the partition."""
        return self.own_partition(identifier) is not None

    def own_partition(self, identifier: GUID) -> DirectoryPartition | None:
        """Return the DirectoryPartition if this server is its object authority and has it (errata D60)."""
        server = self._shared.server
        is_own = server.is_pec if identifier == PEC_PARTITION_ID else identifier == server.SiteIdentifier
        return self.get(identifier) if is_own and server.is_psc else None

    def told_partition(self, identifier: GUID) -> DirectoryPartition | None:
        """Return the DirectoryPartition if other servers may change it: any except own ones (D54)."""
        if self.is_authority(identifier) and not self._shared.readings.own_partition_from_others:
            return None
        return self.get(identifier)

    # -------------------------------------------------------------------------- messages about partitions

    def seq_number_header(self, scope: PropagationScope) -> mqdsrp.SeqNumberHeader:
        """Return the numbers that a neighbor needs to know of the partitions, [MC-MQDSRP] 3.3.7.2 (D13)."""
        candidates = (self.my_enterprise_partition, self.my_site_partition)
        own_partitions = {
            partition.PartitionID: partition for partition in candidates if partition is not None
        }
        intersite = scope is PropagationScope.INTERSITE
        reported = list(own_partitions.values()) if intersite else self.all()
        allowed = self._shared.readings.allowed_purge_in_headers and not intersite
        if not reported:
            return NO_NUMBERS
        return mqdsrp.SeqNumberHeader(
            MachineName=self._shared.server.MachineName,
            PartitionSeqNumbers=tuple(
                mqdsrp.PARTITION_SEQ_NUMBERS(
                    PartitionID=partition.PartitionID,
                    LastSeqNumber=partition.LastSeqNumber,
                    PurgedSeqNumber=partition.AllowedPurgeSeqNumber
                    if allowed and partition.PartitionID not in own_partitions
                    else partition.PurgedSeqNumber,
                )
                for partition in reported
            ),
        )

    def send_sync_request(self, partition: DirectoryPartition) -> None:
        """Send Sync Request, [MC-MQDSRP] 3.3.7.3.  It requests all existing changes (errata D36)."""
        if partition.PurgeState not in {PurgeState.NORMAL, PurgeState.SYNC0}:
            return
        server, readings = self._shared.server, self._shared.readings
        first = partition.LastSeqNumber
        window = self.state(partition).ChangeMissingWindow
        request = mqdsrp.SyncRequestMessage(
            BaseReplicationHeader=self._outbox.header(2),
            PartitionID=partition.PartitionID,
            FromSeqNumber=first + 1 if readings.ask_from_next else first,
            ToSeqNumber=window if readings.ask_up_to_window else MAX_SEQ_NUMBER,
            KnownPurgedSeqNumber=partition.PurgedSeqNumber,
            IsSync0=int(partition.PurgeState is PurgeState.SYNC0),
            Scope=0 if server.is_bsc else 1,
            RequesterName=server.MachineName,
        )
        destination = self._shared.volatile.MyPSCName if server.is_bsc else partition.AuthorityName
        self._outbox.send_replication_message(destination, request)

    def send_psc_ack(self, partition: DirectoryPartition) -> None:
        """Send PSC Ack, [MC-MQDSRP] 3.3.7.4; PSCSiteID is the server's site (errata D11)."""
        server = self._shared.server
        message = mqdsrp.PSCAckMessage(
            BaseReplicationHeader=self._outbox.header(6),
            PSCSiteID=server.SiteIdentifier,
            AckedPartitionID=partition.PartitionID,
            AckedSeqNumber=partition.LastSeqNumber,
            PSCName=server.MachineName,
        )
        self._outbox.send_replication_message(partition.AuthorityName, message)

    def send_already_purged(self, partition: DirectoryPartition, requester: str) -> None:
        """Send Already Purged, [MC-MQDSRP] 3.2.7.7."""
        message = mqdsrp.AlreadyPurgedMessage(
            BaseReplicationHeader=self._outbox.header(5),
            PartitionID=partition.PartitionID,
            PurgedSeqNumber=partition.PurgedSeqNumber,
        )
        self._outbox.send_replication_message(requester, message)
