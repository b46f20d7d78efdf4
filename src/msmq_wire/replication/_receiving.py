"""What a server does with messages: [MC-MQDSRP] 3.2.7 and 3.3.7.5 to 3.3.7.9."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire import mqdsrp
from msmq_wire._enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.property_values import PropertyValue
from msmq_wire.propid import VARTYPE
from msmq_wire.sequence_number import MAX_SEQ_NUMBER, MIN_SEQ_NUMBER

from ._applying import Subject
from ._changes import Changes, subject_of
from ._objects import (
    ENTERPRISE_TYPES,
    KINDS,
    SITE_TYPES,
    chosen_identifier,
    deletion,
    identifier_in,
    path_in,
)
from ._sending import MQDS_OWNER_NOT_REACHED
from .directory import MQ_ERROR, MQ_OK, MQDS_OBJECT_NOT_FOUND
from .events import Command
from .state import PEC_PARTITION_ID, PurgeState

if TYPE_CHECKING:
    from msmq_wire.guid import GUID
    from msmq_wire.mqdsrp import DirectoryChange
    from msmq_wire.sequence_number import SEQUENCE_NUMBER

    from .events import MessageReceived
    from .state import DirectoryPartition

__all__ = ["MOST_PROPERTIES", "Receiving"]

_BAD_SIGNATURE = int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_SIGNATURE)
MOST_PROPERTIES = 0xFF  # NumberOfProperties has one byte
_NOT_IN_SYNC0, _COMPLETING, _COMPLETED = range(3)


class Receiving(Changes):
    """A server that answers messages."""

    # ----------------------------------------------------------------------------------- as a server

    def receive_change_propagation(self, message: mqdsrp.ChangePropagationMessage) -> None:
        """Receive Change Propagation, [MC-MQDSRP] 3.2.7.1."""
        check_flush = not message.Flush
        for change in message.DirectoryChanges:
            self.process_directory_change(change, check_flush=check_flush)
        header = message.SeqNumberHeader
        for numbers in header.PartitionSeqNumbers:
            partition = self.told_partition(numbers.PartitionID)
            if partition is None or numbers.PurgedSeqNumber < partition.PurgedSeqNumber:
                continue
            partition.AllowedPurgeSeqNumber = max(partition.AllowedPurgeSeqNumber, numbers.PurgedSeqNumber)
            self._compare_numbers(partition, numbers.LastSeqNumber, header.MachineName or "")

    def _compare_numbers(self, partition: DirectoryPartition, last: SEQUENCE_NUMBER, sender: str) -> None:
        """Ask for what a SeqNumberHeader shows to be missing, also a second time (errata D35)."""
        state = self.volatile.of_partition(partition)
        if last <= partition.LastSeqNumber:
            return
        if self.readings.window_hides_loss and last < state.ChangeMissingWindow:
            return
        if self.server.is_psc:
            partition.AuthorityName = sender
        else:
            self.volatile.MyPSCName = sender
        state.ChangeMissingWindow = last + 1
        self.send_sync_request(partition)

    def receive_change_request(self, message: mqdsrp.ChangeRequestMessage) -> None:
        """Receive Change Request, [MC-MQDSRP] 3.2.7.2: carry it out, or pass it on to the authority."""
        header = message.ChangeRequestHeader
        status: int | None
        if self.is_authority(header.PartitionID):
            partition = self.persistent.DirectoryPartitionCollection[header.PartitionID]
            status = self._execute(partition, message.DirectoryChange)
        else:
            if self.readings.site_of_forwarder:
                own = mqdsrp.ChangeRequestHeader.raw(
                    self._headers[1], *(getattr(header, field.name) for field in header.layout.fields[1:])
                )
                message = mqdsrp.ChangeRequestMessage.raw(own, message.DirectoryChange)
            status = self.process_change_request(message, forwarded=True)
        if status is not None:
            self.send_change_reply(status, message)

    def _execute(self, partition: DirectoryPartition, change: DirectoryChange) -> int:
        """Carry out a change of an own object (errata D51, D53) and propagate it (D47)."""
        subject = subject_of(change)
        if subject is None:
            return MQ_ERROR
        number = partition.LastSeqNumber + 1
        if change.Command == Command.CREATE:
            subject = self.identified(partition.PartitionID, subject, number)
            if len(subject.numbers) > MOST_PROPERTIES:
                return MQ_ERROR
            deleted = self.persistent.DeletedObjectCollection.get(partition.PartitionID, {})
            if subject.identifier in deleted and not self.readings.deleted_come_back:
                return MQ_ERROR
        elif change.Command != Command.SYNC and not self.readings.any_partition:
            found = self.directory.read(subject.kind, subject.path, subject.identifier)
            if found is None or found.PartitionID != partition.PartitionID:
                return MQDS_OBJECT_NOT_FOUND
        path, identifier = self._names(subject)
        outcome = self.carry_out(partition, change.Command, subject, number, requested=True)
        if outcome.status == MQ_OK:
            if self.readings.requests_not_propagated:
                partition.LastSeqNumber = number
            else:
                named = subject._replace(path=path, identifier=identifier)
                self.publish(partition, change.Command, named, number)
        return outcome.status

    def identified(self, partition: GUID, subject: Subject, number: SEQUENCE_NUMBER) -> Subject:
        """A creation with GUID and path name among its properties, for all replicas alike (errata D50)."""
        kind, path, given, numbers, values = subject
        if self.readings.creation_as_given:
            return subject
        identifier = identifier_in(kind, numbers, values)
        if identifier is None:
            identifier = given or chosen_identifier(partition, number.raw)
            numbers = (*numbers, KINDS[kind].identifier)
            values = (*values, PropertyValue(VARTYPE.VT_CLSID, identifier))
        if path is not None and KINDS[kind].path and path_in(kind, numbers, values) is None:
            numbers = (*numbers, KINDS[kind].path)
            values = (*values, PropertyValue(VARTYPE.VT_LPWSTR, path))
        return Subject(kind, path, identifier, numbers, values)

    def publish(
        self, partition: DirectoryPartition, command: int, subject: Subject, number: SEQUENCE_NUMBER
    ) -> None:
        """Queue an own change for all neighbors, as [MC-MQDSRP] 3.1.7.1.2 does at its end.

        It goes by the object's GUID where that is known, by its path name otherwise (errata D4).
        """
        by_path = subject.identifier is None
        change = mqdsrp.DirectoryChange(
            Command=command,
            UseGuid=0 if by_path else 1,
            PathName=subject.path if by_path else None,
            GuidIdentifier=None if by_path else subject.identifier,
            PartitionID=partition.PartitionID,
            PreviousSeqNumber=partition.LastSeqNumber,
            SeqNumber=number,
            PurgedSeqNumber=number if self.readings.own_number_as_purged else partition.PurgedSeqNumber,
            PropertyID=subject.numbers,
            PropertyValue=subject.values,
        )
        known = self.persistent
        for neighbors in (known.PSCNeighborCollection, known.BSCNeighborCollection):
            for neighbor in neighbors.values():
                self.volatile.of_neighbor(neighbor).AvailableChangeCollection.append(change)
        partition.LastSeqNumber = number
        if not self.readings.authority_never_purges:
            self.purge_when_due(partition)

    def receive_sync_request(self, message: mqdsrp.SyncRequestMessage) -> None:
        """Receive Sync Request, [MC-MQDSRP] 3.2.7.3."""
        partition = self.partition(message.PartitionID)
        if partition is None or partition.PurgeState is not PurgeState.NORMAL:
            return
        first, last = message.FromSeqNumber, message.ToSeqNumber
        purged = partition.PurgedSeqNumber
        if first < purged and message.KnownPurgedSeqNumber < purged:
            self.send_already_purged(partition, message.RequesterName)
            return
        if last == MAX_SEQ_NUMBER:
            last = partition.LastSeqNumber
        changes = self._sync_changes(partition, first, last, message.Scope)
        complete = _NOT_IN_SYNC0
        if message.IsSync0:
            complete = _COMPLETED if last == partition.LastSeqNumber else _COMPLETING
        reply = mqdsrp.SyncReplyMessage(
            SyncReplyHeader=mqdsrp.SyncReplyHeader(
                BaseReplicationHeader=self._headers[3],
                PartitionID=partition.PartitionID,
                FromSeqNumber=first,
                ToSeqNumber=last,
                PurgedSeqNumber=purged,
                Count=len(changes),
                CompleteSync0=complete,
            ),
            DirectoryChanges=changes,
        )
        self.send_replication_message(message.RequesterName, reply)

    def _sync_changes(
        self, partition: DirectoryPartition, first: SEQUENCE_NUMBER, last: SEQUENCE_NUMBER, scope: int
    ) -> tuple[DirectoryChange, ...]:
        """The changes of a sync reply: objects and deleted objects, oldest first, each behind the last."""
        found = self.lookup_directory_objects(partition, first, last, scope)
        for owner, kept in self.persistent.DeletedObjectCollection.items():
            if owner != partition.PartitionID and not self.readings.all_deleted_objects:
                continue
            for item in kept.values():
                if first <= item.SeqNumber <= last or self.readings.all_deleted_objects:
                    numbers, values = deletion(item.Scope, item.ObjectType)
                    found.append((item.SeqNumber, Command.DELETE, item.Identifier, numbers, values))
        found.sort(key=lambda row: row[0], reverse=self.readings.descending_replies)
        changes = []
        previous = first
        for number, command, identifier, numbers, values in found:
            changes.append(
                mqdsrp.DirectoryChange.raw(
                    int(command),
                    1,
                    None,
                    identifier,
                    partition.PartitionID,
                    previous,
                    number,
                    partition.PurgedSeqNumber,
                    len(numbers),
                    numbers,
                    values,
                )
            )
            previous = number
        return tuple(changes)

    def lookup_directory_objects(
        self, partition: DirectoryPartition, first: SEQUENCE_NUMBER, last: SEQUENCE_NUMBER, scope: int
    ) -> list[tuple[SEQUENCE_NUMBER, Command, GUID, tuple[int, ...], tuple[PropertyValue, ...]]]:
        """Lookup Directory Objects, [MC-MQDSRP] 3.2.7.8, for all types of the partition (errata D40).

        Returns:
            SeqNumber, command, GUID and the two arrays of properties of each object, in no order.
        """
        if self.readings.own_types_only and not self.is_authority(partition.PartitionID):
            return []
        kinds = ENTERPRISE_TYPES if partition.PartitionID == PEC_PARTITION_ID else SITE_TYPES
        restricted = scope if self.readings.scope_in_lookup else 0
        return [
            (found.SeqNumber, Command.SYNC, found.Identifier, *found.carried())
            for kind in kinds
            for found in self.directory.lookup(kind, partition.PartitionID, first, last, restricted)
        ]

    def receive_psc_ack(self, message: mqdsrp.PSCAckMessage) -> None:
        """Receive PSC Ack, [MC-MQDSRP] 3.2.7.4."""
        neighbor = self.persistent.PSCNeighborCollection.get(message.PSCName)
        if neighbor is None or not self.is_authority(message.AckedPartitionID):
            return
        if message.AckedPartitionID == PEC_PARTITION_ID:
            neighbor.AckedPECSeqNumber = message.AckedSeqNumber
        else:
            neighbor.AckedSeqNumber = message.AckedSeqNumber

    def receive_bsc_ack(self, message: mqdsrp.BSCAckMessage) -> None:
        """Receive BSC Ack, [MC-MQDSRP] 3.2.7.5."""
        neighbor = self.persistent.BSCNeighborCollection.get(message.BSCName)
        if neighbor is not None and self.server.is_psc:
            neighbor.LastAckedTime = self.time

    # ----------------------------------------------------------------------------------- as a client

    def receive_sync_reply(self, message: mqdsrp.SyncReplyMessage) -> None:
        """Receive Sync Reply, [MC-MQDSRP] 3.3.7.5; pending changes wait for its end (errata D37)."""
        header = message.SyncReplyHeader
        partition = self.told_partition(header.PartitionID)
        if partition is None or header.PurgedSeqNumber < partition.PurgedSeqNumber:
            return
        before = partition.LastSeqNumber
        for change in message.DirectoryChanges:
            self.process_directory_change(
                change, check_flush=True, look_at_pending=self.readings.pending_between
            )
        if not self.readings.number_from_empty_reply:
            self._advance(partition, header, before, message.DirectoryChanges)
        if partition.PurgeState is PurgeState.SYNC0:
            if header.CompleteSync0 == _COMPLETED:
                if partition.LastSeqNumber >= header.ToSeqNumber or self.readings.number_from_empty_reply:
                    self.complete_sync0_state(partition)
            elif header.CompleteSync0 == _COMPLETING:
                self.send_sync_request(partition)
        elif partition.PurgeState is PurgeState.NORMAL:
            self._close_window(partition, header)
            self.check_pending_changes(partition)

    def _advance(
        self,
        partition: DirectoryPartition,
        header: mqdsrp.SyncReplyHeader,
        before: SEQUENCE_NUMBER,
        changes: tuple[DirectoryChange, ...],
    ) -> None:
        """A reply that was applied whole brings the partition to ToSeqNumber, never back (errata D45)."""
        whole = not changes or changes[-1].SeqNumber <= partition.LastSeqNumber
        last = header.ToSeqNumber
        if whole and header.FromSeqNumber <= before and partition.LastSeqNumber < last != MAX_SEQ_NUMBER:
            partition.LastSeqNumber = last

    def _close_window(self, partition: DirectoryPartition, header: mqdsrp.SyncReplyHeader) -> None:
        """After a reply, 3.3.7.5: what else has been asked for stays asked for, so that requests end."""
        state = self.volatile.of_partition(partition)
        if state.ChangeMissingWindow == MAX_SEQ_NUMBER:
            state.ChangeMissingWindow = MIN_SEQ_NUMBER
        elif not header.Count and state.ChangeMissingWindow == header.ToSeqNumber:
            state.ChangeMissingWindow = MIN_SEQ_NUMBER
            if self.readings.number_from_empty_reply:
                partition.LastSeqNumber = header.ToSeqNumber

    def receive_change_reply(self, message: mqdsrp.ChangeReplyMessage) -> None:
        """Receive Change Reply, [MC-MQDSRP] 3.3.7.6, matched by requester and number (errata D20)."""
        self.end_change_request(
            message.RequesterName, message.RequestIdentifier, message.Result, expired=False
        )

    def receive_already_purged(self, message: mqdsrp.AlreadyPurgedMessage) -> None:
        """Receive Already Purged, [MC-MQDSRP] 3.3.7.7."""
        partition = self.told_partition(message.PartitionID)
        if partition is not None:
            self.start_sync0_state(partition, message.PurgedSeqNumber)

    def receive_change_request_nack(self, message: mqdsrp.ChangeRequestMessage) -> None:
        """Receive Change Request Nack, [MC-MQDSRP] 3.3.7.8."""
        header = message.ChangeRequestHeader
        self.end_change_request(
            header.RequesterName, header.RequestIdentifier, MQDS_OWNER_NOT_REACHED, expired=False
        )

    def receive_request_nack(self, event: MessageReceived) -> None:
        """Receive Request Nack, [MC-MQDSRP] 3.3.7.9: what was refused for its signature goes again."""
        if event.Class == _BAD_SIGNATURE and event.message is not None and event.destination:
            self.send_replication_message(event.destination, event.message, again=True)
