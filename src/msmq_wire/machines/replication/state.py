"""The state of a directory server: the data elements of [MC-MQDSRP] 3.1.1.

1. Persistent and volatile state are separate: after a crash, a new `VolatileState` is used with the old
   `PersistentState`.
2. The elements have the names of the document.  They are mutable; `copy.deepcopy` of the state is a snapshot.
3. References between elements (QueueManager.MySitePartition) are lookups here, so that none can be stale.
"""

from __future__ import annotations

import enum

import msgspec

from msmq_wire.packets.directory.replication import ChangeRequestMessage, DirectoryChange
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.sequence_number import MAX_SEQ_NUMBER, MIN_SEQ_NUMBER, SEQUENCE_NUMBER

from .directory import Directory
from .events import PropagationScope
from .readings import Readings, Settings

PEC_PARTITION_ID = NULL_GUID
"""The enterprise partition, [MC-MQDSRP] 1.9."""


class Role(enum.Enum):
    """The role of a directory server; rules for a PSC apply to the PEC too ([MC-MQDSRP] 1.3.1.1)."""

    PEC = "PEC"
    PSC = "PSC"
    BSC = "BSC"


class PurgeState(enum.IntEnum):
    """DirectoryPartition.PurgeState, [MC-MQDSRP] 3.1.1.2.3."""

    NORMAL = 0
    STARTSYNC0 = 1
    SYNC0 = 2
    COMPLETESYNC0 = 3


class QueueManager(msgspec.Struct, frozen=True, kw_only=True):
    """The identity of a server, which no protocol message changes.

    Attributes:
        MachineName: Name of the machine.
        Identifier: The queue manager.
        SiteIdentifier: The site that it resides in.
        role: Its role in the directory service.
        pec: Name of the PEC's machine, as an administrator configures it ([MC-MQDSRP] 3.1.3.1).
        psc: Name of the machine of the site's PSC; a BSC needs it before it knows its site.
    """

    MachineName: str
    Identifier: GUID
    SiteIdentifier: GUID
    role: Role
    pec: str
    psc: str = ""

    @property
    def is_pec(self) -> bool:
        """Whether it is the authority of the enterprise partition."""
        return self.role is Role.PEC

    @property
    def is_psc(self) -> bool:
        """Whether it is the authority of a site, as the PEC is too."""
        return self.role is not Role.BSC

    @property
    def is_bsc(self) -> bool:
        """Whether it is not the authority of any partition."""
        return self.role is Role.BSC


# ------------------------------------------------------------------------------------------ persisted


class DirectoryPartition(msgspec.Struct, gc=False):
    """The sequence numbers of a partition on this server, [MC-MQDSRP] 3.1.1.2.3; the persisted attributes.

    Attributes:
        PartitionID: The same on all servers: PEC_PARTITION_ID, or the site's GUID.
        AuthorityName: Machine of the object authority.
        LastSeqNumber: The last change in this partition.
        PurgedSeqNumber: Deleted objects up to here have been purged.
        AllowedPurgeSeqNumber: Deleted objects up to here may be purged.
        PurgeState: Whether the partition is being rebuilt.
    """

    PartitionID: GUID
    AuthorityName: str
    LastSeqNumber: SEQUENCE_NUMBER = MIN_SEQ_NUMBER
    PurgedSeqNumber: SEQUENCE_NUMBER = MIN_SEQ_NUMBER
    AllowedPurgeSeqNumber: SEQUENCE_NUMBER = MIN_SEQ_NUMBER
    PurgeState: PurgeState = PurgeState.NORMAL


class DirectoryNeighbor(msgspec.Struct, gc=False):
    """A server that changes are propagated to, [MC-MQDSRP] 3.1.1.2.4; the persisted attributes.

    Attributes:
        PartitionID: The site that the neighbor belongs to.
        MachineName: Its machine.
        AckedSeqNumber: The number that a PSC has acknowledged of this server's site partition.
        AckedPECSeqNumber: The number that a PSC has acknowledged of the enterprise partition; used by the
            PEC.
        LastAckedTime: When a BSC last acknowledged, in the caller's seconds; 0 before the first time.
    """

    PartitionID: GUID
    MachineName: str
    AckedSeqNumber: SEQUENCE_NUMBER = MIN_SEQ_NUMBER
    AckedPECSeqNumber: SEQUENCE_NUMBER = MIN_SEQ_NUMBER
    LastAckedTime: float = 0


class DeletedObject(msgspec.Struct, gc=False):
    """A deletion that other servers may not know of yet, [MC-MQDSRP] 3.1.1.2.2.

    Attributes:
        Identifier: The object that was deleted.
        PartitionID: The partition that it belonged to.
        SeqNumber: The deletion.
        ObjectType: Number of its object type, 1 to 8.
        Scope: 1: enterprise, 0: site.
    """

    Identifier: GUID
    PartitionID: GUID
    SeqNumber: SEQUENCE_NUMBER
    ObjectType: int
    Scope: int


class PersistentState(msgspec.Struct):
    """The state that survives a crash, [MC-MQDSRP] 3.1.1.3.

    Attributes:
        DirectoryPartitionCollection: The partitions by PartitionID.
        PSCNeighborCollection: PSC neighbors by MachineName.
        BSCNeighborCollection: BSC neighbors by MachineName.
        DeletedObjectCollection: For each partition its deleted objects by Identifier.
    """

    DirectoryPartitionCollection: dict[GUID, DirectoryPartition] = {}
    PSCNeighborCollection: dict[str, DirectoryNeighbor] = {}
    BSCNeighborCollection: dict[str, DirectoryNeighbor] = {}
    DeletedObjectCollection: dict[GUID, dict[GUID, DeletedObject]] = {}


# -------------------------------------------------------------------------------------- not persisted


class PartitionState(msgspec.Struct):
    """The attributes of a DirectoryPartition that are not persisted, [MC-MQDSRP] 3.1.1.2.3.

    Attributes:
        PreviousPurgedSeqNumber: LastSeqNumber when deleted objects were last purged.
        ChangeMissingWindow: Changes up to here have been requested.
        PendingChangeCollection: Changes that arrived before their predecessors, by SeqNumber.
    """

    PreviousPurgedSeqNumber: SEQUENCE_NUMBER = MIN_SEQ_NUMBER
    ChangeMissingWindow: SEQUENCE_NUMBER = MAX_SEQ_NUMBER
    PendingChangeCollection: dict[SEQUENCE_NUMBER, DirectoryChange] = {}


class NeighborState(msgspec.Struct):
    """The attributes of a DirectoryNeighbor that are not persisted, [MC-MQDSRP] 3.1.1.2.4.

    Attributes:
        AvailableChangeCollection: The changes of the next propagation.
        header_sent: Time of the last SeqNumberHeader to it; None: not since the start.
    """

    AvailableChangeCollection: list[DirectoryChange] = []
    header_sent: float | None = None


class WaitingRequest(msgspec.Struct, frozen=True):
    """A Process Change Request event that waits for its reply, [MC-MQDSRP] 3.3.7.1.

    Attributes:
        message: The message that was sent.
        forwarded: Whether it came from another server, which expects a reply.
    """

    message: ChangeRequestMessage
    forwarded: bool


class VolatileState(msgspec.Struct):
    """The state that is lost in a crash.

    Attributes:
        MyPSCName: On a BSC, the machine of its PSC.
        partitions: The volatile state of each partition, by PartitionID.
        neighbors: The volatile state of each neighbor, by scope and MachineName: a machine may be the PSC of
            another site and a BSC of this one.
        waiting: Requests without reply, by requester and RequestIdentifier.
        header_sent: When a SeqNumberHeader was last sent to any neighbor.
    """

    MyPSCName: str = ""
    partitions: dict[GUID, PartitionState] = {}
    neighbors: dict[tuple[PropagationScope, str], NeighborState] = {}
    waiting: dict[tuple[str, int], WaitingRequest] = {}
    header_sent: float | None = None

    def of_partition(self, partition: DirectoryPartition) -> PartitionState:
        """The volatile attributes of a partition, created if necessary."""
        state = self.partitions.get(partition.PartitionID)
        if state is None:
            state = self.partitions[partition.PartitionID] = PartitionState()
        return state

    def of_neighbor(self, scope: PropagationScope, name: str) -> NeighborState:
        """The volatile attributes of a neighbor, created if necessary."""
        state = self.neighbors.get((scope, name))
        if state is None:
            state = self.neighbors[scope, name] = NeighborState()
        return state


class ServerState(msgspec.Struct):
    """The shared state of the parts of one server.

    Attributes:
        server: The identity of the server.
        directory: Its objects.
        persistent: The state that survives a crash.
        volatile: The state that is lost in a crash.
        readings: Interpretations of ambiguous statements.
        settings: Constants of the document.
        time: Time of the latest event that had a time, in the caller's seconds.
    """

    server: QueueManager
    directory: Directory
    persistent: PersistentState
    volatile: VolatileState = msgspec.field(default_factory=VolatileState)
    readings: Readings = Readings()
    settings: Settings = Settings()
    time: float = 0
