"""Changes in their order: [MC-MQDSRP] 3.1.5.2, 3.1.7.2.2 to 3.1.7.2.4, and the sync0 states, 3.3.7.10 and 11.

What makes a replica right is one sentence: at LastSeqNumber n it holds what its authority held at n.  A
propagated change keeps that true from n to n + 1; a sync reply, applied whole, from any number at or behind
the one it starts from to the one it ends at; in between it does not hold (errata D36 and D37).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.propid import ObjectClass
from msmq_wire.sequence_number import MAX_SEQ_NUMBER, MIN_SEQ_NUMBER

from ._applying import Applying, Outcome, Subject
from ._objects import type_of_change
from .directory import MQ_ERROR, MQ_OK
from .events import Command, PropagationScope, ResetTimer, StartTimer
from .state import PEC_PARTITION_ID, PurgeState

if TYPE_CHECKING:
    from msmq_wire.mqdsrp import DirectoryChange
    from msmq_wire.sequence_number import SEQUENCE_NUMBER

    from .state import DirectoryPartition

__all__ = ["Changes", "subject_of"]

_ACK_ALWAYS = 256


def subject_of(change: DirectoryChange) -> Subject | None:
    """What a DirectoryChange is about; None where that cannot be told."""
    kind = type_of_change(change.Command, change.PropertyID, change.PropertyValue)
    if kind is None:
        return None
    return Subject(kind, change.PathName, change.GuidIdentifier, change.PropertyID, change.PropertyValue)


class Changes(Applying):
    """A server that keeps changes in order."""

    def process_directory_change(
        self, change: DirectoryChange, *, check_flush: bool, look_at_pending: bool = True
    ) -> None:
        """Processing Directory Changes, [MC-MQDSRP] 3.1.5.2."""
        partition = self.told_partition(change.PartitionID)
        if partition is not None:
            self.handle_directory_change(partition, change, check_flush, look_at_pending)

    def handle_directory_change(
        self,
        partition: DirectoryPartition,
        change: DirectoryChange,
        check_flush: bool,  # an argument of the event
        look_at_pending: bool = True,
    ) -> None:
        """Handle Directory Change, [MC-MQDSRP] 3.1.7.2.2."""
        last = partition.LastSeqNumber
        if change.SeqNumber <= last or change.PurgedSeqNumber < partition.PurgedSeqNumber:
            return
        if not self.readings.impossible_changes and (
            change.PreviousSeqNumber >= change.SeqNumber or change.SeqNumber == MAX_SEQ_NUMBER
        ):
            return
        if change.PreviousSeqNumber <= last:
            status = self.handle_in_sync_change(partition, change, check_flush)
            if status == MQ_OK and look_at_pending:
                self.check_pending_changes(partition)
            return
        state = self.volatile.of_partition(partition)
        pending = state.PendingChangeCollection
        number = change.SeqNumber
        if not pending:
            pending[number] = change
            beyond = number > state.ChangeMissingWindow
            if beyond:
                state.ChangeMissingWindow = number
            if beyond or self.readings.ask_each_time:
                self.send_sync_request(partition)
        elif len(pending) < self.settings.pending and number not in pending:
            newest = next(reversed(pending))
            pending[number] = change
            if number < newest:
                state.PendingChangeCollection = dict(sorted(pending.items()))

    def handle_in_sync_change(
        self,
        partition: DirectoryPartition,
        change: DirectoryChange,
        flush: bool,
    ) -> int:
        """Handle In-Sync Change, [MC-MQDSRP] 3.1.7.2.3.

        Returns:
            The HRESULT; what is wrong with a change leaves the partition where it is.
        """
        status, need_flush = self._apply(partition, change)
        if status != MQ_OK:
            return status
        partition.LastSeqNumber = last = change.SeqNumber
        normal = partition.PurgeState is PurgeState.NORMAL
        if normal:
            for neighbor in self.persistent.BSCNeighborCollection.values():
                self.volatile.of_neighbor(neighbor).AvailableChangeCollection.append(change)
                if flush and need_flush:
                    self.send_change_propagation(neighbor, PropagationScope.INTRASITE)
            self.purge_when_due(partition)
        if (normal or last >= partition.PurgedSeqNumber) and self.server.is_psc and self._ack_falls_due(last):
            self.send_psc_ack(partition)
        return MQ_OK

    def _ack_falls_due(self, number: SEQUENCE_NUMBER) -> bool:
        interval = self.settings.ack_interval
        return not number.raw[7] if interval == _ACK_ALWAYS else int(number) % interval == 0

    def _apply(self, partition: DirectoryPartition, change: DirectoryChange) -> Outcome:
        subject = subject_of(change)
        if subject is None:
            return Outcome(MQ_ERROR)
        return self.carry_out(partition, change.Command, subject, change.SeqNumber)

    def carry_out(
        self,
        partition: DirectoryPartition,
        command: int,
        subject: Subject,
        number: SEQUENCE_NUMBER,
        *,
        post: bool = False,
        requested: bool = False,
    ) -> Outcome:
        """Raise the event for a command; of a deletion the first value is the scope.

        Args:
            partition: Partition of the object.
            command: What is done.
            subject: To which object.
            number: The change.
            post: Whether the directory has the change already.
            requested: Whether this server is the authority and was asked for it.
        """
        match command:
            case Command.CREATE:
                return self.handle_directory_create(partition, subject, number, post=post)
            case Command.UPDATE:
                return self.handle_directory_update(partition, subject, number, post=post)
            case Command.DELETE:
                scope = subject.values[0].value if subject.values else 0
                return self.handle_directory_delete(
                    partition, subject, number, scope, post=post, requested=requested
                )
            case Command.SYNC:
                return self.handle_directory_sync(partition, subject, number)
        return Outcome(MQ_ERROR)

    def check_pending_changes(self, partition: DirectoryPartition) -> None:
        """Check Pending Changes, [MC-MQDSRP] 3.1.7.2.4; PreviousSeqNumber tells what is missing (D34).

        What is not beyond LastSeqNumber is old, whatever its PreviousSeqNumber says.
        """
        state = self.volatile.of_partition(partition)
        pending = state.PendingChangeCollection
        while pending:
            number, change = next(iter(pending.items()))
            if change.PurgedSeqNumber < partition.PurgedSeqNumber:
                del pending[number]
                continue
            last = partition.LastSeqNumber
            if self.readings.pending_by_own_number:
                if number > last and number > state.ChangeMissingWindow:
                    self.send_sync_request(partition)
                    return
            elif number > last and change.PreviousSeqNumber > last:
                if number > state.ChangeMissingWindow:
                    state.ChangeMissingWindow = number
                    self.send_sync_request(partition)
                return
            del pending[number]
            if change.PreviousSeqNumber == last or (
                number > last > change.PreviousSeqNumber and not self.readings.pending_by_own_number
            ):
                self.handle_in_sync_change(partition, change, flush=True)

    # ---------------------------------------------------------------------------------------- sync0

    def start_sync0_state(self, partition: DirectoryPartition, purged: SEQUENCE_NUMBER) -> None:
        """Start Sync0 State, [MC-MQDSRP] 3.3.7.10."""
        if partition.LastSeqNumber >= purged or partition.PurgedSeqNumber >= purged:
            return
        partition.PurgeState = PurgeState.STARTSYNC0
        partition.LastSeqNumber = MIN_SEQ_NUMBER
        partition.PurgedSeqNumber = purged
        state = self.volatile.of_partition(partition)
        state.ChangeMissingWindow = MAX_SEQ_NUMBER
        state.PendingChangeCollection.clear()
        self.resume_reset(partition)

    def complete_sync0_state(self, partition: DirectoryPartition) -> None:
        """Complete Sync0 State, [MC-MQDSRP] 3.3.7.11; the states are those of 3.1.1.2.3 (D14)."""
        if partition.PurgeState not in {PurgeState.SYNC0, PurgeState.COMPLETESYNC0}:
            return
        partition.PurgeState = PurgeState.COMPLETESYNC0
        self.resume_reset(partition)

    def resume_reset(self, partition: DirectoryPartition) -> None:
        """Start or Complete Sync0 State from Reset Directory Partition on; if that fails, later again."""
        if partition.PurgeState is PurgeState.STARTSYNC0:
            if self.directory.mark(partition.PartitionID) == MQ_OK:
                for item in self.persistent.DeletedObjectCollection.get(partition.PartitionID, {}).values():
                    item.SeqNumber = MIN_SEQ_NUMBER
                partition.PurgeState = PurgeState.SYNC0
                self.send_sync_request(partition)
                return
        elif partition.PurgeState is PurgeState.COMPLETESYNC0:
            if self.directory.sweep(partition.PartitionID) == MQ_OK:
                self._end_sync0(partition)
                return
        else:
            return
        self._effects.append(StartTimer(ResetTimer(partition.PartitionID), self.settings.reset_retry))

    def _end_sync0(self, partition: DirectoryPartition) -> None:
        kept = self.persistent.DeletedObjectCollection.get(partition.PartitionID, {})
        for identifier in [key for key, item in kept.items() if item.SeqNumber == MIN_SEQ_NUMBER]:
            del kept[identifier]
        partition.PurgeState = PurgeState.NORMAL
        self.volatile.of_partition(partition).ChangeMissingWindow = MIN_SEQ_NUMBER
        if partition.PartitionID == PEC_PARTITION_ID and not self.readings.only_pec_deletes_sites:
            for site in list(self.persistent.DirectoryPartitionCollection):
                if site != PEC_PARTITION_ID and self.directory.read(ObjectClass.SITE, None, site) is None:
                    self._remove_site(site)
        self.check_pending_changes(partition)
