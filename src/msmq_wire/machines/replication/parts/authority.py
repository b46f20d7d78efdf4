"""Numbers and publishes changes of the partitions for which this server is the object authority."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.documents.directory_objects import KINDS, chosen_identifier, identifier_in, path_in
from msmq_wire.documents.propid import VARTYPE
from msmq_wire.machines.replication.directory import MQ_ERROR, MQ_OK, MQDS_OBJECT_NOT_FOUND
from msmq_wire.machines.replication.events import Command
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.values.errors import MsmqWireError, wrong_value
from msmq_wire.values.numbers import MAX_PROPERTIES
from msmq_wire.values.properties.values import PropertyValue
from msmq_wire.values.sequence_number import MAX_SEQ_NUMBER, MIN_SEQ_NUMBER

from .objects import Subject

if TYPE_CHECKING:
    from msmq_wire.machines.replication.events import PropagateDirectoryChange
    from msmq_wire.machines.replication.state import DirectoryPartition, ServerState
    from msmq_wire.packets.directory.replication import DirectoryChange
    from msmq_wire.values.guid import GUID
    from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

    from .deletions import Deletions
    from .neighbors import Neighbors
    from .objects import Objects
    from .partitions import Partitions

_COMMANDS = frozenset(map(int, Command))


class Authority:
    """The own partitions of a server.

    Args:
        shared: The state that the parts of the server share.
        partitions: The state of the partitions.
        neighbors: The servers that receive changes.
        deletions: The remembered deletions.
        objects: Applies changes.
    """

    def __init__(
        self,
        shared: ServerState,
        partitions: Partitions,
        neighbors: Neighbors,
        deletions: Deletions,
        objects: Objects,
    ) -> None:
        self._shared = shared
        self._partitions = partitions
        self._neighbors = neighbors
        self._deletions = deletions
        self._objects = objects

    def next_number(self, identifier: GUID) -> SEQUENCE_NUMBER:
        """Return the number of the next change of an own partition; MIN_SEQ_NUMBER for any other one."""
        partition = self._partitions.own_partition(identifier)
        return MIN_SEQ_NUMBER if partition is None else partition.LastSeqNumber + 1

    def propagate_directory_change(self, event: PropagateDirectoryChange) -> None:
        """Propagate Directory Change, [MC-MQDSRP] 3.1.7.1.2.

        Raises:
            ValueError: The number is not after LastSeqNumber or is MAX_SEQ_NUMBER (errata D58), the object
                has no name, or there are too many properties for a change.
        """
        partition = self._partitions.own_partition(event.PartitionID)
        if partition is None:
            return
        number, last = event.SeqNumber, partition.LastSeqNumber
        if number <= last:
            raise MsmqWireError(f"SeqNumber {int(number)} is not after LastSeqNumber {int(last)}")
        if number == MAX_SEQ_NUMBER and not self._shared.readings.impossible_changes:
            raise MsmqWireError("SeqNumber is MAX_SEQ_NUMBER, which no change has")
        subject = Subject.of(
            event.Operation, event.PathName, event.GuidIdentifier, event.PropertyID, event.PropertyValue
        )
        if subject is None:
            return
        if event.Operation == Command.CREATE:
            subject = self.identified(partition.PartitionID, subject, number)
        if subject.path is None and subject.identifier is None:
            raise MsmqWireError("the object has neither PathName nor GuidIdentifier")
        if len(subject.numbers) > MAX_PROPERTIES:
            raise MsmqWireError(wrong_value(f"at most {MAX_PROPERTIES} properties", len(subject.numbers)))
        outcome = self._objects.carry_out(partition, event.Operation, subject, number, post=True)
        if outcome.status == MQ_OK:
            self.publish(partition, event.Operation, subject, number)

    def execute(self, partition: DirectoryPartition, change: DirectoryChange) -> int:
        """Apply a requested change (errata D51, D53) and publish it (D47), while there are numbers (D58).

        Returns: The HRESULT.
        """
        readings = self._shared.readings
        subject = Subject.of_change(change)
        if subject is None or change.Command not in _COMMANDS:
            return MQ_ERROR
        number = partition.LastSeqNumber + 1
        exhausted = number in (MIN_SEQ_NUMBER, MAX_SEQ_NUMBER)
        if exhausted and not readings.impossible_changes:
            return MQ_ERROR
        item = self._shared.directory.read(subject.kind, subject.path, subject.identifier)
        created = change.Command == Command.CREATE or (change.Command == Command.SYNC and item is None)
        foreign = item is None or item.PartitionID != partition.PartitionID
        if foreign and not created and not readings.any_partition:
            return MQDS_OBJECT_NOT_FOUND
        if change.Command == Command.CREATE:
            subject = self.identified(partition.PartitionID, subject, number)
            if len(subject.numbers) > MAX_PROPERTIES:
                return MQ_ERROR
        if created and not readings.deleted_come_back:
            _, given = self._objects.written_names(subject)
            if given in self._deletions.of(partition.PartitionID):
                return MQ_ERROR
        path, identifier = self._objects.names(subject)
        outcome = self._objects.carry_out(partition, change.Command, subject, number, requested=True)
        if outcome.status == MQ_OK:
            if readings.requests_not_propagated:
                partition.LastSeqNumber = number
            else:
                named = subject._replace(path=path, identifier=identifier)
                self.publish(partition, change.Command, named, number)
        return outcome.status

    def identified(self, partition: GUID, subject: Subject, number: SEQUENCE_NUMBER) -> Subject:
        """Add GUID and path name to the properties of a creation, the same for all replicas (errata D50)."""
        kind, path, given, numbers, values = subject
        if self._shared.readings.creation_as_given:
            return subject
        identifier = identifier_in(kind, numbers, values)
        if identifier is None:
            identifier = chosen_identifier(partition, number.raw) if given is None else given
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

        The change identifies the object by its GUID if known, otherwise by its path name (errata D4).
        """
        readings = self._shared.readings
        by_path = subject.identifier is None
        change = mqdsrp.DirectoryChange(
            Command=command,
            UseGuid=0 if by_path else 1,
            PathName=subject.path if by_path else None,
            GuidIdentifier=subject.identifier,
            PartitionID=partition.PartitionID,
            PreviousSeqNumber=partition.LastSeqNumber,
            SeqNumber=number,
            PurgedSeqNumber=number if readings.own_number_as_purged else partition.PurgedSeqNumber,
            PropertyID=subject.numbers,
            PropertyValue=subject.values,
        )
        self._neighbors.queue(change)
        partition.LastSeqNumber = number
        if not readings.authority_never_purges:
            self._deletions.purge_when_due(partition)
