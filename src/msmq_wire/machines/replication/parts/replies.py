"""Answers to sync requests: [MC-MQDSRP] 3.2.7.3 and 3.2.7.8."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msmq_wire.documents.directory_objects import ENTERPRISE_TYPES, SITE_TYPES, deletion
from msmq_wire.machines.replication.events import Command
from msmq_wire.machines.replication.state import PEC_PARTITION_ID, PurgeState
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.values.sequence_number import MAX_SEQ_NUMBER

if TYPE_CHECKING:
    from msmq_wire.machines.replication.state import DirectoryPartition, ServerState
    from msmq_wire.packets.directory.replication import DirectoryChange
    from msmq_wire.values.guid import GUID
    from msmq_wire.values.properties.values import PropertyValue
    from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

    from .deletions import Deletions
    from .outbox import Outbox
    from .partitions import Partitions

    _Row: TypeAlias = tuple[SEQUENCE_NUMBER, Command, GUID, tuple[int, ...], tuple[PropertyValue, ...]]

_NOT_IN_SYNC0, _COMPLETING, _COMPLETED = range(3)


class Replies:
    """The answers of this server about its partitions.

    Args:
        shared: The state that the parts of the server share.
        outbox: Takes replies.
        partitions: The state of the partitions.
        deletions: The remembered deletions.
    """

    def __init__(
        self, shared: ServerState, outbox: Outbox, partitions: Partitions, deletions: Deletions
    ) -> None:
        self._shared = shared
        self._outbox = outbox
        self._partitions = partitions
        self._deletions = deletions

    def receive_sync_request(self, message: mqdsrp.SyncRequestMessage) -> None:
        """Receive Sync Request, [MC-MQDSRP] 3.2.7.3."""
        partition = self._partitions.get(message.PartitionID)
        if partition is None or partition.PurgeState is not PurgeState.NORMAL:
            return
        first, last = message.FromSeqNumber, message.ToSeqNumber
        purged = partition.PurgedSeqNumber
        if first < purged and message.KnownPurgedSeqNumber < purged:
            self._partitions.send_already_purged(partition, message.RequesterName)
            return
        if last == MAX_SEQ_NUMBER:
            last = partition.LastSeqNumber
        changes = self._changes(partition, first, last, message.Scope)
        complete = _NOT_IN_SYNC0
        if message.IsSync0:
            complete = _COMPLETED if last == partition.LastSeqNumber else _COMPLETING
        reply = mqdsrp.SyncReplyMessage(
            SyncReplyHeader=mqdsrp.SyncReplyHeader(
                BaseReplicationHeader=self._outbox.header(3),
                PartitionID=partition.PartitionID,
                FromSeqNumber=first,
                ToSeqNumber=last,
                PurgedSeqNumber=purged,
                Count=len(changes),
                CompleteSync0=complete,
            ),
            DirectoryChanges=changes,
        )
        self._outbox.send_replication_message(message.RequesterName, reply)

    def _changes(
        self, partition: DirectoryPartition, first: SEQUENCE_NUMBER, last: SEQUENCE_NUMBER, scope: int
    ) -> tuple[DirectoryChange, ...]:
        """Return the changes of a sync reply: objects and deletions in order, linked by their numbers."""
        rows = self.lookup_directory_objects(partition, first, last, scope)
        for item in self._deletions.between(partition, first, last):
            numbers, values = deletion(item.Scope, item.ObjectType)
            rows.append((item.SeqNumber, Command.DELETE, item.Identifier, numbers, values))
        rows.sort(key=lambda row: row[0], reverse=self._shared.readings.descending_replies)
        changes = []
        previous = first
        for number, command, identifier, numbers, values in rows:
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
    ) -> list[_Row]:
        """Lookup Directory Objects, [MC-MQDSRP] 3.2.7.8, for all types of the partition (errata D40).

        Returns: SeqNumber, command, GUID and the two arrays of properties of each object, in any
        order.
        """
        readings, identifier = self._shared.readings, partition.PartitionID
        if readings.own_types_only and not self._partitions.is_authority(identifier):
            return []
        kinds = ENTERPRISE_TYPES if identifier == PEC_PARTITION_ID else SITE_TYPES
        restricted = scope if readings.scope_in_lookup else 0
        return [
            (item.SeqNumber, Command.SYNC, item.Identifier, *item.carried())
            for kind in kinds
            for item in self._shared.directory.lookup(kind, identifier, first, last, restricted)
        ]
