"""What a server sends: [MC-MQDSRP] 3.1.7.2.1, 3.2.7.6, 3.2.7.7, 3.3.6.2 and 3.3.7.1 to 3.3.7.4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire import mqdsrp
from msmq_wire.sequence_number import MAX_SEQ_NUMBER

from .events import (
    Acknowledgment,
    CancelTimer,
    ChangeCompleted,
    ChangePropagationTimer,
    ChangeRequestTimer,
    PropagationScope,
    SendMessage,
    StartTimer,
)
from .readings import Readings, Settings
from .state import (
    PEC_PARTITION_ID,
    DirectoryNeighbor,
    DirectoryPartition,
    PersistentState,
    PurgeState,
    VolatileState,
    WaitingRequest,
)

if TYPE_CHECKING:
    from msmq_wire.guid import GUID

    from .directory import Directory
    from .events import Effect
    from .state import QueueManager

__all__ = ["MQDS_NO_RSP_FROM_OWNER", "MQDS_OWNER_NOT_REACHED", "MQDS_UNKNOWN_SOURCE", "Sending"]

MQDS_UNKNOWN_SOURCE = 0xC00E0504
# No document has the numbers of these two; they mean what these errors of [MS-MQMQ] 2.4 mean (errata D48).
MQDS_NO_RSP_FROM_OWNER = 0xC00E0049
MQDS_OWNER_NOT_REACHED = 0xC00E004A

_NO_NUMBERS = mqdsrp.SeqNumberHeader(Count=0)
_MOST_CHANGES = 0xFFFF


class Sending:
    """State of a server, and everything that it says to others.

    Attributes:
        server: Which server this is.
        directory: Its objects.
        persistent: What a crash leaves.
        volatile: What it takes away.
        readings: How the document is read.
        settings: Its numbers.
        time: When the latest event was that had a time.
    """

    def __init__(
        self,
        server: QueueManager,
        directory: Directory,
        persistent: PersistentState | None = None,
        *,
        readings: Readings | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.server = server
        self.directory = directory
        self.persistent = PersistentState() if persistent is None else persistent
        self.volatile = VolatileState()
        self.readings = readings or Readings()
        self.settings = settings or Settings()
        self.time: float = 0
        self._effects: list[Effect] = []
        self._headers = tuple(
            mqdsrp.BaseReplicationHeader(SiteID=server.SiteIdentifier, Operation=operation)
            for operation in range(8)
        )
        self._deliveries: dict[type, tuple[int, int, Acknowledgment, str | None]] = {}

    # ------------------------------------------------------------------------------- what is where

    def partition(self, identifier: GUID) -> DirectoryPartition | None:
        """The DirectoryPartition with that PartitionID, if there is one."""
        return self.persistent.DirectoryPartitionCollection.get(identifier)

    @property
    def my_enterprise_partition(self) -> DirectoryPartition | None:
        """QueueManager.MyEnterprisePartition of [MC-MQDSRP] 3.1.1.1; only on the PEC."""
        return self.partition(PEC_PARTITION_ID) if self.server.is_pec else None

    @property
    def my_site_partition(self) -> DirectoryPartition | None:
        """QueueManager.MySitePartition of [MC-MQDSRP] 3.1.1.1; None before the site is known."""
        return self.partition(self.server.SiteIdentifier)

    def is_authority(self, identifier: GUID) -> bool:
        """Whether this server is the object authority of a partition, and knows it."""
        server = self.server
        own = server.is_pec if identifier == PEC_PARTITION_ID else identifier == server.SiteIdentifier
        return own and server.is_psc and identifier in self.persistent.DirectoryPartitionCollection

    def told_partition(self, identifier: GUID) -> DirectoryPartition | None:
        """The DirectoryPartition that messages of others may change: any but an own one (errata D54)."""
        if self.is_authority(identifier) and not self.readings.own_partition_from_others:
            return None
        return self.partition(identifier)

    # ---------------------------------------------------------------------------------- messages

    def send_replication_message(
        self, destination: str, message: mqdsrp.Message, *, again: bool = False
    ) -> None:
        """Send Replication Message, [MC-MQDSRP] 3.1.7.2.1.

        Timeout, priority and acknowledgment follow from the message, as the event says that sends it.
        """
        known = self._deliveries.get(type(message)) if not again else None
        if known is None:
            made = mqdsrp.delivery_of(type(message), self.server.Identifier, again=again)
            priority = 0 if self.readings.masked_priority and made.priority == 7 else made.priority
            asked = Acknowledgment.NACK_REACH_QUEUE if made.negative_acknowledgment else Acknowledgment.NONE
            known = (made.time_to_reach_queue, priority, asked, made.reply_queue)
            if not again:
                self._deliveries[type(message)] = known
        timeout, priority, asked, queue = known
        self._effects.append(SendMessage(destination, message, timeout, priority, asked, queue, queue, again))

    def send_change_propagation(self, neighbor: DirectoryNeighbor, scope: PropagationScope) -> None:
        """Send Change Propagation, [MC-MQDSRP] 3.3.7.2; more changes than a message holds take several."""
        state = self.volatile.of_neighbor(neighbor)
        numbers = _NO_NUMBERS
        if self._header_is_due(state.header_sent):
            numbers = self._seq_number_header(scope)
            state.header_sent = self.volatile.header_sent = self.time
        changes = tuple(state.AvailableChangeCollection)
        if not changes and not numbers.Count and not self.settings.empty_propagations:
            return
        flush = int(self.readings.flush_to_bsc and scope is PropagationScope.INTRASITE)
        for start in range(0, len(changes) or 1, _MOST_CHANGES):
            part = changes[start : start + _MOST_CHANGES]
            last = start + _MOST_CHANGES >= len(changes)
            message = mqdsrp.ChangePropagationMessage.raw(
                self._headers[0], flush, len(part), part, numbers if last else _NO_NUMBERS
            )
            self.send_replication_message(neighbor.MachineName, message)
        state.AvailableChangeCollection.clear()

    def _header_is_due(self, sent: float | None) -> bool:
        if self.readings.one_header_clock:
            sent = self.volatile.header_sent
        return sent is None or self.time - sent >= self.settings.header

    def _seq_number_header(self, scope: PropagationScope) -> mqdsrp.SeqNumberHeader:
        """How far the partitions have come that the neighbor has to know of."""
        mine = (self.my_enterprise_partition, self.my_site_partition)
        own = {partition.PartitionID: partition for partition in mine if partition is not None}
        intersite = scope is PropagationScope.INTERSITE
        partitions = (own if intersite else self.persistent.DirectoryPartitionCollection).values()
        allowed = self.readings.allowed_purge_in_headers and not intersite
        if not partitions:
            return _NO_NUMBERS
        return mqdsrp.SeqNumberHeader(
            MachineName=self.server.MachineName,
            PartitionSeqNumbers=tuple(
                mqdsrp.PARTITION_SEQ_NUMBERS(
                    PartitionID=partition.PartitionID,
                    LastSeqNumber=partition.LastSeqNumber,
                    PurgedSeqNumber=partition.AllowedPurgeSeqNumber
                    if allowed and partition.PartitionID not in own
                    else partition.PurgedSeqNumber,
                )
                for partition in partitions
            ),
        )

    def send_sync_request(self, partition: DirectoryPartition) -> None:
        """Send Sync Request, [MC-MQDSRP] 3.3.7.3.  It asks for everything that there is (errata D36)."""
        if partition.PurgeState not in {PurgeState.NORMAL, PurgeState.SYNC0}:
            return
        known = self.volatile.of_partition(partition)
        first = partition.LastSeqNumber
        request = mqdsrp.SyncRequestMessage(
            BaseReplicationHeader=self._headers[2],
            PartitionID=partition.PartitionID,
            FromSeqNumber=first + 1 if self.readings.ask_from_next else first,
            ToSeqNumber=known.ChangeMissingWindow if self.readings.ask_up_to_window else MAX_SEQ_NUMBER,
            KnownPurgedSeqNumber=partition.PurgedSeqNumber,
            IsSync0=int(partition.PurgeState is PurgeState.SYNC0),
            Scope=0 if self.server.is_bsc else 1,
            RequesterName=self.server.MachineName,
        )
        destination = self.volatile.MyPSCName if self.server.is_bsc else partition.AuthorityName
        self.send_replication_message(destination, request)

    def send_psc_ack(self, partition: DirectoryPartition) -> None:
        """Send PSC Ack, [MC-MQDSRP] 3.3.7.4; PSCSiteID is the server's site (errata D11)."""
        message = mqdsrp.PSCAckMessage(
            BaseReplicationHeader=self._headers[6],
            PSCSiteID=self.server.SiteIdentifier,
            AckedPartitionID=partition.PartitionID,
            AckedSeqNumber=partition.LastSeqNumber,
            PSCName=self.server.MachineName,
        )
        self.send_replication_message(partition.AuthorityName, message)

    def send_bsc_ack(self) -> None:
        """What the BSC Ack Timer Event sends, [MC-MQDSRP] 3.3.6.2."""
        message = mqdsrp.BSCAckMessage(
            BaseReplicationHeader=self._headers[7],
            BSCMachineID=self.server.Identifier,
            BSCName=self.server.MachineName,
        )
        self.send_replication_message(self.volatile.MyPSCName, message)

    def send_already_purged(self, partition: DirectoryPartition, requester: str) -> None:
        """Send Already Purged, [MC-MQDSRP] 3.2.7.7."""
        message = mqdsrp.AlreadyPurgedMessage(
            BaseReplicationHeader=self._headers[5],
            PartitionID=partition.PartitionID,
            PurgedSeqNumber=partition.PurgedSeqNumber,
        )
        self.send_replication_message(requester, message)

    def send_change_reply(self, status: int, request: mqdsrp.ChangeRequestMessage) -> None:
        """Send Change Reply, [MC-MQDSRP] 3.2.7.6: to a neighbor, else by way of the requester's PSC."""
        header = request.ChangeRequestHeader
        requester = header.RequesterName
        reply = mqdsrp.ChangeReplyMessage(
            BaseReplicationHeader=self._headers[4],
            RequestIdentifier=header.RequestIdentifier,
            Result=status,
            RequesterName=requester,
        )
        known = self.persistent
        neighbor = requester in known.PSCNeighborCollection or requester in known.BSCNeighborCollection
        self.send_replication_message(requester if neighbor else header.PSCName or requester, reply)

    # ------------------------------------------------------------------------- requests and neighbors

    def process_change_request(self, request: mqdsrp.ChangeRequestMessage, *, forwarded: bool) -> int | None:
        """Process Change Request, [MC-MQDSRP] 3.3.7.1: send it on and wait.

        A request that comes back while it waits here is not sent on again (errata D56).

        Returns:
            MQDS_UNKNOWN_SOURCE where it cannot be sent; None while it waits.
        """
        header = request.ChangeRequestHeader
        timer = ChangeRequestTimer(header.RequesterName, header.RequestIdentifier)
        key = (timer.RequesterName, timer.RequestIdentifier)
        if forwarded and key in self.volatile.waiting and not self.readings.requests_in_circles:
            return None
        wait = self.settings.reply_wait
        partition = self.partition(header.PartitionID)
        if self.server.is_bsc:
            next_hop = self.volatile.MyPSCName
            if partition is not None and partition.AuthorityName != next_hop:
                wait = self.settings.forwarded_wait
        elif partition is None:
            return MQDS_UNKNOWN_SOURCE
        else:
            next_hop = partition.AuthorityName
        self.send_replication_message(next_hop, request)
        self.volatile.waiting[key] = WaitingRequest(request, forwarded)
        self._effects.append(StartTimer(timer, wait))
        return None

    def end_change_request(self, requester: str, identifier: int, status: int, *, expired: bool) -> None:
        """Continue a Process Change Request event with a status; none waits under that name: nothing."""
        found = self.volatile.waiting.pop((requester, identifier), None)
        if found is None:
            return
        if not expired:
            self._effects.append(CancelTimer(ChangeRequestTimer(requester, identifier)))
        if found.forwarded:
            self.send_change_reply(status, found.message)
        else:
            self._effects.append(ChangeCompleted(identifier, status))

    def add_neighbor(self, name: str, site: GUID, scope: PropagationScope) -> None:
        """Make another server a directory neighbor and start its Change Propagation Timer (errata D57)."""
        neighbors = self.neighbors(scope)
        if name in neighbors or name == self.server.MachineName:
            return
        neighbors[name] = DirectoryNeighbor(site, name)
        self.volatile.neighbors.pop(name, None)
        self.start_propagation_timer(name, scope)

    def remove_neighbor(self, name: str, scope: PropagationScope) -> None:
        """Forget a directory neighbor, if it is one."""
        if self.neighbors(scope).pop(name, None) is not None:
            self.volatile.neighbors.pop(name, None)
            self._effects.append(CancelTimer(ChangePropagationTimer(name, scope)))

    def neighbors(self, scope: PropagationScope) -> dict[str, DirectoryNeighbor]:
        """PSCNeighborCollection or BSCNeighborCollection."""
        known = self.persistent
        intersite = scope is PropagationScope.INTERSITE
        return known.PSCNeighborCollection if intersite else known.BSCNeighborCollection

    def start_propagation_timer(self, name: str, scope: PropagationScope) -> None:
        """Start the Change Propagation Timer of a neighbor, [MC-MQDSRP] 3.3.2.1."""
        intersite = scope is PropagationScope.INTERSITE
        period = self.settings.intersite if intersite else self.settings.intrasite
        self._effects.append(StartTimer(ChangePropagationTimer(name, scope), period))
