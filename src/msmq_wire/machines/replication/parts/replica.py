"""Applies changes of other servers: [MC-MQDSRP] 3.1.5.2, 3.1.7.2.2 to 4, 3.2.7.1, 3.3.7.5, 7, 10, 11.

1. The invariant of a replica: at LastSeqNumber n it contains what its authority contained at n.  A propagated
   change preserves it from n to n + 1.  A sync reply preserves it when it was applied completely: from any
   number at or before its start to its end.  During a sync reply the invariant does not hold (errata D36 and
   D37).
2. Numbers never decrease: a change is applied only if its SeqNumber is above LastSeqNumber (errata D34, D58).
3. Requests terminate: ChangeMissingWindow has the requested changes, and only changes beyond it are
   requested.  The window is closed only where 3.3.7.5 requires it (errata D45).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.machines.replication.directory import MQ_ERROR, MQ_OK
from msmq_wire.machines.replication.events import ResetTimer
from msmq_wire.machines.replication.state import PEC_PARTITION_ID, PurgeState
from msmq_wire.values.sequence_number import MAX_SEQ_NUMBER, MIN_SEQ_NUMBER

from .objects import Subject

if TYPE_CHECKING:
    from msmq_wire.machines.replication.state import DirectoryPartition, ServerState
    from msmq_wire.packets.directory import replication as mqdsrp
    from msmq_wire.packets.directory.replication import DirectoryChange
    from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

    from .deletions import Deletions
    from .neighbors import Neighbors
    from .objects import Objects
    from .outbox import Outbox
    from .partitions import Partitions

_ACK_ALWAYS = 256
_COMPLETING, _COMPLETED = 1, 2


class Replica:
    """The partitions of other servers on this server.

    Args:
        shared: The state that the parts of the server share.
        outbox: Takes the timer of a reset.
        partitions: The state of the partitions.
        neighbors: The BSCs that receive forwarded changes.
        deletions: The remembered deletions.
        objects: Applies changes.
    """

    def __init__(
        self,
        shared: ServerState,
        outbox: Outbox,
        partitions: Partitions,
        neighbors: Neighbors,
        deletions: Deletions,
        objects: Objects,
    ) -> None:
        self._shared = shared
        self._outbox = outbox
        self._partitions = partitions
        self._neighbors = neighbors
        self._deletions = deletions
        self._objects = objects

    # -------------------------------------------------------------------------------------- propagation

    def receive_change_propagation(self, message: mqdsrp.ChangePropagationMessage) -> None:
        """Receive Change Propagation, [MC-MQDSRP] 3.2.7.1."""
        check_flush = not message.Flush
        for change in message.DirectoryChanges:
            self.process_directory_change(change, check_flush=check_flush)
        header = message.SeqNumberHeader
        for numbers in header.PartitionSeqNumbers:
            partition = self._partitions.told_partition(numbers.PartitionID)
            if partition is None or numbers.PurgedSeqNumber < partition.PurgedSeqNumber:
                continue
            partition.AllowedPurgeSeqNumber = max(partition.AllowedPurgeSeqNumber, numbers.PurgedSeqNumber)
            self._compare_numbers(partition, numbers.LastSeqNumber, header.MachineName or "")

    def _compare_numbers(self, partition: DirectoryPartition, last: SEQUENCE_NUMBER, sender: str) -> None:
        """Request changes that are missing by a SeqNumberHeader, also repeatedly (errata D35)."""
        shared, state = self._shared, self._partitions.state(partition)
        if last <= partition.LastSeqNumber:
            return
        if shared.readings.window_hides_loss and last < state.ChangeMissingWindow:
            return
        if sender and shared.server.is_psc:
            partition.AuthorityName = sender
        elif sender:
            shared.volatile.MyPSCName = sender
        state.ChangeMissingWindow = last + 1
        self._partitions.send_sync_request(partition)

    def process_directory_change(
        self, change: DirectoryChange, *, check_flush: bool, look_at_pending: bool = True
    ) -> None:
        """Processing Directory Changes, [MC-MQDSRP] 3.1.5.2."""
        partition = self._partitions.told_partition(change.PartitionID)
        if partition is not None:
            self.handle_directory_change(partition, change, check_flush, look_at_pending)

    # --------------------------------------------------------------------------------------------- order

    def handle_directory_change(
        self,
        partition: DirectoryPartition,
        change: DirectoryChange,
        check_flush: bool,  # an argument of the event
        look_at_pending: bool = True,
    ) -> None:
        """Handle Directory Change, [MC-MQDSRP] 3.1.7.2.2."""
        last, number = partition.LastSeqNumber, change.SeqNumber
        if number <= last or change.PurgedSeqNumber < partition.PurgedSeqNumber:
            return
        impossible = change.PreviousSeqNumber >= number or number == MAX_SEQ_NUMBER
        if impossible and not self._shared.readings.impossible_changes:
            return
        if change.PreviousSeqNumber > last:
            self._wait(partition, change)
            return
        status = self.handle_in_sync_change(partition, change, check_flush)
        if status == MQ_OK and look_at_pending:
            self.check_pending_changes(partition)

    def _wait(self, partition: DirectoryPartition, change: DirectoryChange) -> None:
        """Store a change that arrived before its predecessor, and request the missing changes."""
        state = self._partitions.state(partition)
        pending, number = state.PendingChangeCollection, change.SeqNumber
        if not pending:
            pending[number] = change
            beyond = number > state.ChangeMissingWindow
            if beyond:
                state.ChangeMissingWindow = number
            if beyond or self._shared.readings.ask_each_time:
                self._partitions.send_sync_request(partition)
        elif len(pending) < self._shared.settings.pending and number not in pending:
            newest = next(reversed(pending))
            pending[number] = change
            if number < newest:
                state.PendingChangeCollection = dict(sorted(pending.items()))

    def handle_in_sync_change(
        self,
        partition: DirectoryPartition,
        change: DirectoryChange,
        flush: bool,  # an argument of the event
    ) -> int:
        """Handle In-Sync Change, [MC-MQDSRP] 3.1.7.2.3.

        Returns: The HRESULT; after an error, the partition is unchanged.
        """
        subject = Subject.of_change(change)
        if subject is None:
            return MQ_ERROR
        outcome = self._objects.carry_out(partition, change.Command, subject, change.SeqNumber)
        if outcome.status != MQ_OK:
            return outcome.status
        partition.LastSeqNumber = last = change.SeqNumber
        normal = partition.PurgeState is PurgeState.NORMAL
        if normal:
            self._neighbors.relay(change, at_once=flush and outcome.flush)
            self._deletions.purge_when_due(partition)
        current = normal or last >= partition.PurgedSeqNumber
        if current and self._shared.server.is_psc and self._ack_falls_due(last):
            self._partitions.send_psc_ack(partition)
        return MQ_OK

    def _ack_falls_due(self, number: SEQUENCE_NUMBER) -> bool:
        interval = self._shared.settings.ack_interval
        return not number.raw[7] if interval == _ACK_ALWAYS else int(number) % interval == 0

    def check_pending_changes(self, partition: DirectoryPartition) -> None:
        """Check Pending Changes, [MC-MQDSRP] 3.1.7.2.4; PreviousSeqNumber determines missing changes (D34).

        A change with a number up to LastSeqNumber is old, whatever its PreviousSeqNumber is.
        """
        own_number = self._shared.readings.pending_by_own_number
        state = self._partitions.state(partition)
        pending = state.PendingChangeCollection
        while pending:
            number, change = next(iter(pending.items()))
            if change.PurgedSeqNumber < partition.PurgedSeqNumber:
                del pending[number]
                continue
            last, previous = partition.LastSeqNumber, change.PreviousSeqNumber
            if own_number:
                if number > last and number > state.ChangeMissingWindow:
                    self._partitions.send_sync_request(partition)
                    return
            elif number > last and previous > last:
                if number > state.ChangeMissingWindow:
                    state.ChangeMissingWindow = number
                    self._partitions.send_sync_request(partition)
                return
            del pending[number]
            if previous == last or (number > last > previous and not own_number):
                self.handle_in_sync_change(partition, change, flush=True)

    # ---------------------------------------------------------------------------------------- replies

    def receive_sync_reply(self, message: mqdsrp.SyncReplyMessage) -> None:
        """Receive Sync Reply, [MC-MQDSRP] 3.3.7.5; pending changes wait until it is applied (errata D37)."""
        header, readings = message.SyncReplyHeader, self._shared.readings
        partition = self._partitions.told_partition(header.PartitionID)
        if partition is None or header.PurgedSeqNumber < partition.PurgedSeqNumber:
            return
        before = partition.LastSeqNumber
        for change in message.DirectoryChanges:
            self.process_directory_change(change, check_flush=True, look_at_pending=readings.pending_between)
        if not readings.number_from_empty_reply:
            self._advance(partition, header, before, message.DirectoryChanges)
        if partition.PurgeState is PurgeState.SYNC0:
            whole = partition.LastSeqNumber >= max(header.ToSeqNumber, partition.PurgedSeqNumber)
            printed = readings.incomplete_sync0 or readings.number_from_empty_reply
            if header.CompleteSync0 == _COMPLETED and (whole or printed):
                self.complete_sync0_state(partition)
            elif header.CompleteSync0 == _COMPLETING:
                self._partitions.send_sync_request(partition)
        elif partition.PurgeState is PurgeState.NORMAL:
            self._close_window(partition, header)
            self.check_pending_changes(partition)

    @staticmethod
    def _advance(
        partition: DirectoryPartition,
        header: mqdsrp.SyncReplyHeader,
        before: SEQUENCE_NUMBER,
        changes: tuple[DirectoryChange, ...],
    ) -> None:
        """Set the partition to ToSeqNumber after a complete reply, but never decrease it (errata D45)."""
        whole = not changes or changes[-1].SeqNumber <= partition.LastSeqNumber
        last = header.ToSeqNumber
        if whole and header.FromSeqNumber <= before and partition.LastSeqNumber < last != MAX_SEQ_NUMBER:
            partition.LastSeqNumber = last

    def _close_window(self, partition: DirectoryPartition, header: mqdsrp.SyncReplyHeader) -> None:
        """Update ChangeMissingWindow for a reply."""
        state = self._partitions.state(partition)
        if state.ChangeMissingWindow == MAX_SEQ_NUMBER:
            state.ChangeMissingWindow = MIN_SEQ_NUMBER
        elif not header.Count and state.ChangeMissingWindow == header.ToSeqNumber:
            state.ChangeMissingWindow = MIN_SEQ_NUMBER
            if self._shared.readings.number_from_empty_reply:
                partition.LastSeqNumber = header.ToSeqNumber

    # ------------------------------------------------------------------------- full synchronization

    def receive_already_purged(self, message: mqdsrp.AlreadyPurgedMessage) -> None:
        """Receive Already Purged, [MC-MQDSRP] 3.3.7.7."""
        partition = self._partitions.told_partition(message.PartitionID)
        if partition is not None:
            self.start_sync0_state(partition, message.PurgedSeqNumber)

    def start_sync0_state(self, partition: DirectoryPartition, purged: SEQUENCE_NUMBER) -> None:
        """Start Sync0 State, [MC-MQDSRP] 3.3.7.10."""
        if partition.LastSeqNumber >= purged or partition.PurgedSeqNumber >= purged:
            return
        partition.PurgeState = PurgeState.STARTSYNC0
        partition.LastSeqNumber = MIN_SEQ_NUMBER
        partition.PurgedSeqNumber = purged
        state = self._partitions.state(partition)
        state.ChangeMissingWindow = MAX_SEQ_NUMBER
        state.PendingChangeCollection.clear()
        self.resume_reset(partition)

    def complete_sync0_state(self, partition: DirectoryPartition) -> None:
        """Complete Sync0 State, [MC-MQDSRP] 3.3.7.11; the states are those of 3.1.1.2.3 (D14)."""
        if partition.PurgeState not in {PurgeState.SYNC0, PurgeState.COMPLETESYNC0}:
            return
        partition.PurgeState = PurgeState.COMPLETESYNC0
        self.resume_reset(partition)

    def catch_up(self, partition: DirectoryPartition) -> None:
        """After a start, request missed changes, or continue an interrupted reset (errata D44)."""
        broken = partition.PurgeState in {PurgeState.STARTSYNC0, PurgeState.COMPLETESYNC0}
        if broken and not self._shared.readings.stuck_in_startsync0:
            self.resume_reset(partition)
        else:
            self._partitions.send_sync_request(partition)

    def resume_reset(self, partition: DirectoryPartition) -> None:
        """Continue Start or Complete Sync0 State from Reset Directory Partition on; retry after a failure."""
        directory = self._shared.directory
        if partition.PurgeState is PurgeState.STARTSYNC0:
            if directory.mark(partition.PartitionID) == MQ_OK:
                self._deletions.mark(partition)
                partition.PurgeState = PurgeState.SYNC0
                self._partitions.send_sync_request(partition)
                return
        elif partition.PurgeState is PurgeState.COMPLETESYNC0:
            if directory.sweep(partition.PartitionID) == MQ_OK:
                self._end_sync0(partition)
                return
        else:
            return
        self._outbox.start_timer(ResetTimer(partition.PartitionID), self._shared.settings.reset_retry)

    def _end_sync0(self, partition: DirectoryPartition) -> None:
        self._deletions.sweep(partition)
        partition.PurgeState = PurgeState.NORMAL
        self._partitions.state(partition).ChangeMissingWindow = MIN_SEQ_NUMBER
        if partition.PartitionID == PEC_PARTITION_ID:
            self._objects.remove_lost_sites()
        self.check_pending_changes(partition)
