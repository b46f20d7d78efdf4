"""The servers that receive changes: PSCs of other sites and BSCs of the own site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.machines.replication.events import ChangePropagationTimer, PropagationScope
from msmq_wire.machines.replication.state import PEC_PARTITION_ID, DirectoryNeighbor, NeighborState
from msmq_wire.packets.directory import replication as mqdsrp

from .partitions import NO_NUMBERS

if TYPE_CHECKING:
    from msmq_wire.machines.replication.state import ServerState
    from msmq_wire.values.guid import GUID

    from .outbox import Outbox
    from .partitions import Partitions

MOST_CHANGES = 0xFFFF


class Neighbors:
    """PSCNeighborCollection and BSCNeighborCollection, [MC-MQDSRP] 3.1.1.3.

    A neighbor is identified by its MachineName; a server is not its own neighbor (errata D57).

    Args:
        shared: The state that the parts of the server share.
        outbox: Takes propagations and timers.
        partitions: The state of the partitions.
    """

    def __init__(self, shared: ServerState, outbox: Outbox, partitions: Partitions) -> None:
        self._shared = shared
        self._outbox = outbox
        self._partitions = partitions

    def of(self, scope: PropagationScope) -> dict[str, DirectoryNeighbor]:
        """Return PSCNeighborCollection or BSCNeighborCollection, by MachineName."""
        shared = self._shared.persistent
        intersite = scope is PropagationScope.INTERSITE
        return shared.PSCNeighborCollection if intersite else shared.BSCNeighborCollection

    def state(self, name: str, scope: PropagationScope) -> NeighborState:
        """Return the state of a neighbor that is not persisted."""
        return self._shared.volatile.of_neighbor(scope, name)

    def is_known(self, name: str) -> bool:
        """Return whether a machine is a neighbor of either kind."""
        return any(name in self.of(scope) for scope in PropagationScope)

    # ------------------------------------------------------------------------------ adding and removing

    def add_neighbor(self, name: str, site: GUID, scope: PropagationScope) -> None:
        """Add a neighbor and start its Change Propagation Timer, unless it exists."""
        neighbors = self.of(scope)
        if name in neighbors or name == self._shared.server.MachineName:
            return
        neighbors[name] = DirectoryNeighbor(site, name)
        self._shared.volatile.neighbors.pop((scope, name), None)
        self.start_propagation_timer(name, scope)

    def remove_neighbor(self, name: str, scope: PropagationScope) -> None:
        """Remove a neighbor, if it exists."""
        if self.of(scope).pop(name, None) is not None:
            self._shared.volatile.neighbors.pop((scope, name), None)
            self._outbox.cancel_timer(ChangePropagationTimer(name, scope))

    def rename_neighbor(self, site: GUID, name: str) -> None:
        """Replace the PSC of a site by another machine, which takes over the waiting changes."""
        scope = PropagationScope.INTERSITE
        neighbors = self.of(scope)
        old = next((item for item in neighbors.values() if item.PartitionID == site), None)
        if old is None or old.MachineName == name:
            return
        waiting = self.state(old.MachineName, scope)
        self.remove_neighbor(old.MachineName, scope)
        if name != self._shared.server.MachineName and name not in neighbors:
            old.MachineName = name
            neighbors[name] = old
            self._shared.volatile.neighbors[scope, name] = waiting
            self.start_propagation_timer(name, scope)

    def start_propagation_timer(self, name: str, scope: PropagationScope) -> None:
        """Start the Change Propagation Timer of a neighbor, [MC-MQDSRP] 3.3.2.1."""
        settings = self._shared.settings
        period = settings.intersite if scope is PropagationScope.INTERSITE else settings.intrasite
        self._outbox.start_timer(ChangePropagationTimer(name, scope), period)

    # ------------------------------------------------------------------------------------- propagation

    def queue(self, change: mqdsrp.DirectoryChange) -> None:
        """Queue an own change for all neighbors."""
        for scope in (PropagationScope.INTERSITE, PropagationScope.INTRASITE):
            for name in self.of(scope):
                self.state(name, scope).AvailableChangeCollection.append(change)

    def relay(self, change: mqdsrp.DirectoryChange, *, at_once: bool) -> None:
        """Queue a change of another server for the BSCs, and send it immediately if required."""
        scope = PropagationScope.INTRASITE
        for name in self.of(scope):
            self.state(name, scope).AvailableChangeCollection.append(change)
            if at_once:
                self.send_change_propagation(name, scope)

    def send_change_propagation(self, name: str, scope: PropagationScope) -> None:
        """Send Change Propagation, [MC-MQDSRP] 3.3.7.2; too many changes for one message are split."""
        shared, state = self._shared, self.state(name, scope)
        numbers = NO_NUMBERS
        if self._header_is_due(state.header_sent):
            numbers = self._partitions.seq_number_header(scope)
            state.header_sent = shared.volatile.header_sent = shared.time
        changes = tuple(state.AvailableChangeCollection)
        if not changes and not numbers.Count and not shared.settings.empty_propagations:
            return
        flush = int(shared.readings.flush_to_bsc and scope is PropagationScope.INTRASITE)
        for start in range(0, len(changes) or 1, MOST_CHANGES):
            part = changes[start : start + MOST_CHANGES]
            last = start + MOST_CHANGES >= len(changes)
            message = mqdsrp.ChangePropagationMessage.raw(
                self._outbox.header(0), flush, len(part), part, numbers if last else NO_NUMBERS
            )
            self._outbox.send_replication_message(name, message)
        state.AvailableChangeCollection.clear()

    def _header_is_due(self, sent: float | None) -> bool:
        """Return whether a SeqNumberHeader is due; each neighbor gets one regularly (errata D43)."""
        shared = self._shared
        if shared.readings.one_header_clock:
            sent = shared.volatile.header_sent
        return sent is None or shared.time - sent >= shared.settings.header

    # --------------------------------------------------------------------------------- acknowledgments

    def receive_psc_ack(self, message: mqdsrp.PSCAckMessage) -> None:
        """Receive PSC Ack, [MC-MQDSRP] 3.2.7.4."""
        neighbor = self.of(PropagationScope.INTERSITE).get(message.PSCName)
        if neighbor is None or not self._partitions.is_authority(message.AckedPartitionID):
            return
        if message.AckedPartitionID == PEC_PARTITION_ID:
            neighbor.AckedPECSeqNumber = message.AckedSeqNumber
        else:
            neighbor.AckedSeqNumber = message.AckedSeqNumber

    def receive_bsc_ack(self, message: mqdsrp.BSCAckMessage) -> None:
        """Receive BSC Ack, [MC-MQDSRP] 3.2.7.5."""
        neighbor = self.of(PropagationScope.INTRASITE).get(message.BSCName)
        if neighbor is not None and self._shared.server.is_psc:
            neighbor.LastAckedTime = self._shared.time

    def least_acknowledged(self, identifier: GUID) -> int | None:
        """Return the number that all PSCs acknowledged of a partition; None without PSCs (errata D49)."""
        enterprise = identifier == PEC_PARTITION_ID
        acknowledged = (
            int(item.AckedPECSeqNumber if enterprise else item.AckedSeqNumber)
            for item in self.of(PropagationScope.INTERSITE).values()
        )
        return min(acknowledged, default=None)

    def send_bsc_ack(self) -> None:
        """Send a BSC Ack, on the BSC Ack Timer Event, [MC-MQDSRP] 3.3.6.2."""
        server = self._shared.server
        message = mqdsrp.BSCAckMessage(
            BaseReplicationHeader=self._outbox.header(7),
            BSCMachineID=server.Identifier,
            BSCName=server.MachineName,
        )
        self._outbox.send_replication_message(self._shared.volatile.MyPSCName, message)
