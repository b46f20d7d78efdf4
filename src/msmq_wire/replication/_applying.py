"""What a change does to a server: the events of [MC-MQDSRP] 3.1.7.2.5 to 3.1.7.2.12.

1. The arguments that these events share are one `Subject`.
2. `post` means that the directory has the change already and only the protocol's state follows.
3. Where a step compares a name or a GUID and the change has only the other, the directory is asked
   (errata D46).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.propid import ObjectClass
from msmq_wire.sequence_number import MIN_SEQ_NUMBER

from ._objects import (
    E_PECNAME,
    KINDS,
    QM_SERVICE,
    S_PSC,
    SERVICE_BSC,
    chosen_identifier,
    identifier_in,
    path_in,
    property_in,
)
from ._sending import Sending
from .directory import MQ_ERROR, MQ_OK, MQDS_OBJECT_NOT_FOUND
from .events import PropagationScope
from .state import PEC_PARTITION_ID, DeletedObject, DirectoryPartition, PurgeState

if TYPE_CHECKING:
    from msmq_wire.guid import GUID
    from msmq_wire.property_values import PropertyValue
    from msmq_wire.sequence_number import SEQUENCE_NUMBER

__all__ = ["Applying", "Outcome", "Subject"]

_MODULUS = 1 << 64


class Subject(NamedTuple):
    """What a change is about: iObjectType, iPathName, iGuidIdentifier, iPropertyID and iPropertyValue."""

    kind: Any
    path: str | None
    identifier: GUID | None
    numbers: tuple[int, ...]
    values: tuple[PropertyValue, ...]

    def get(self, number: int) -> Any:
        """Value of a property; None where the change does not have it."""
        return property_in(number, self.numbers, self.values)


class Outcome(NamedTuple):
    """What an event returns: rStatus and rNeedFlush."""

    status: int = MQ_OK
    flush: bool = False


class Applying(Sending):
    """A server that applies changes."""

    def _names(self, subject: Subject) -> tuple[str | None, GUID | None]:
        """Path name and GUID of an object, both where the directory knows it."""
        path, identifier = subject.path, subject.identifier
        if (path is None or identifier is None) and not self.readings.given_name_only:
            found = self.directory.read(subject.kind, path, identifier)
            if found is not None:
                return found.PathName, found.Identifier
        return path, identifier

    # ------------------------------------------------------------------------------- the four commands

    def handle_directory_create(
        self, partition: DirectoryPartition, subject: Subject, number: SEQUENCE_NUMBER, *, post: bool = False
    ) -> Outcome:
        """Handle Directory Create, [MC-MQDSRP] 3.1.7.2.5."""
        kind, path, identifier, numbers, values = subject
        if identifier is None:
            identifier = identifier_in(kind, numbers, values)
        if identifier is None:
            identifier = chosen_identifier(partition.PartitionID, number.raw)
        if path is None:
            path = path_in(kind, numbers, values)
        if not post:
            status = self.directory.create(
                kind, path, identifier, partition.PartitionID, number, dict(zip(numbers, values, strict=True))
            )
            if status != MQ_OK:
                return Outcome(status)
        flush = False
        if kind is ObjectClass.SITE and subject.get(S_PSC) is not None:
            self._add_site(identifier, subject.get(S_PSC))
            flush = True
        if (
            kind is ObjectClass.MACHINE
            and subject.get(QM_SERVICE) == SERVICE_BSC
            and path is not None
            and self._is_my_site(partition)
        ):
            self.add_neighbor(path, partition.PartitionID, PropagationScope.INTRASITE)
        return Outcome(flush=flush)

    def handle_directory_update(
        self, partition: DirectoryPartition, subject: Subject, number: SEQUENCE_NUMBER, *, post: bool = False
    ) -> Outcome:
        """Handle Directory Update, [MC-MQDSRP] 3.1.7.2.6."""
        kind = subject.kind
        if not post:
            properties = dict(zip(subject.numbers, subject.values, strict=True))
            status = self.directory.update(kind, subject.path, subject.identifier, number, properties)
            if status != MQ_OK:
                return Outcome(status)
        if kind is ObjectClass.SITE:
            return self.handle_site_update(subject, sync=False)
        if kind is ObjectClass.ENTERPRISE:
            return self.handle_enterprise_update(partition, subject)
        if kind is ObjectClass.MACHINE and self._is_my_site(partition):
            self.handle_machine_update(partition, subject)
        return Outcome()

    def handle_directory_delete(
        self,
        partition: DirectoryPartition,
        subject: Subject,
        number: SEQUENCE_NUMBER,
        scope: int,
        *,
        post: bool = False,
        requested: bool = False,
    ) -> Outcome:
        """Handle Directory Delete, [MC-MQDSRP] 3.1.7.2.7, and what 3.2.7.2 remembers of it.

        A replica that does not have the object is content (errata D38), and every server remembers the
        deletion, because every PSC may be asked for it (errata D39).
        """
        path, identifier = self._names(subject)
        if not post:
            status = self.directory.delete(subject.kind, subject.path, subject.identifier)
            if status == MQDS_OBJECT_NOT_FOUND and not requested and not self.readings.absent_is_error:
                status = MQ_OK
            if status != MQ_OK:
                return Outcome(status)
        if identifier is not None and (requested or not self.readings.authority_keeps_deletions):
            kept = self.persistent.DeletedObjectCollection.setdefault(partition.PartitionID, {})
            kept[identifier] = DeletedObject(
                identifier, partition.PartitionID, number, int(subject.kind), scope
            )
        if subject.kind is ObjectClass.SITE and (
            self.server.is_pec or not self.readings.only_pec_deletes_sites
        ):
            return Outcome(flush=identifier is not None and self._remove_site(identifier))
        if subject.kind is ObjectClass.MACHINE and self.server.is_psc and path is not None:
            self.remove_neighbor(path, PropagationScope.INTRASITE)
        return Outcome()

    def handle_directory_sync(
        self, partition: DirectoryPartition, subject: Subject, number: SEQUENCE_NUMBER
    ) -> Outcome:
        """Handle Directory Sync, [MC-MQDSRP] 3.1.7.2.8: the object becomes what the change says.

        Properties with undefined values ([MC-MQDSRP] 3.2.7.8) are left alone.
        """
        kind, path, identifier, numbers, values = subject
        undefined = KINDS[kind].undefined
        properties = {key: value for key, value in zip(numbers, values, strict=True) if key not in undefined}
        if self.directory.read(kind, path, identifier) is not None:
            status = self.directory.update(kind, path, identifier, number, properties)
        else:
            if path is None:
                path = path_in(kind, numbers, values)
            if identifier is None:
                identifier = identifier_in(kind, numbers, values)
            if identifier is None:
                return Outcome(MQ_ERROR)
            status = self.directory.create(kind, path, identifier, partition.PartitionID, number, properties)
        if status != MQ_OK:
            return Outcome(status)
        if kind is ObjectClass.ENTERPRISE:
            return self.handle_enterprise_update(partition, subject)
        if kind is ObjectClass.SITE:
            return self.handle_site_update(subject, sync=True)
        if kind is ObjectClass.MACHINE and self._is_my_site(partition):
            self.handle_machine_update(partition, subject)
        return Outcome()

    def _is_my_site(self, partition: DirectoryPartition) -> bool:
        return self.server.is_psc and partition is self.my_site_partition

    # ------------------------------------------------------------------- enterprise, sites, machines

    def handle_enterprise_update(self, partition: DirectoryPartition, subject: Subject) -> Outcome:
        """Handle Enterprise Update, [MC-MQDSRP] 3.1.7.2.10: there may be another PEC."""
        name = subject.get(E_PECNAME)
        if not name or name == partition.AuthorityName:
            return Outcome()
        partition.AuthorityName = name
        return Outcome(flush=True)

    def handle_site_update(self, subject: Subject, *, sync: bool) -> Outcome:
        """Handle Site Update, [MC-MQDSRP] 3.1.7.2.11: another PSC, or a site that is new here."""
        name = subject.get(S_PSC)
        if name is None:
            return Outcome()
        site = self._names(subject)[1]
        if sync and self.readings.site_from_property:
            site = identifier_in(ObjectClass.SITE, subject.numbers, subject.values)
        if site is None or site == PEC_PARTITION_ID:
            return Outcome()
        partition = self.partition(site)
        if partition is not None:
            self._change_psc(partition, name)
            return Outcome(flush=True)
        if not sync:
            return Outcome()
        self._add_site(site, name)
        return Outcome(flush=True)

    def _change_psc(self, partition: DirectoryPartition, name: str) -> None:
        partition.AuthorityName = name
        neighbors = self.persistent.PSCNeighborCollection
        old = next((item for item in neighbors.values() if item.PartitionID == partition.PartitionID), None)
        if old is None or old.MachineName == name:
            return
        waiting = self.volatile.of_neighbor(old)
        self.remove_neighbor(old.MachineName, PropagationScope.INTERSITE)
        if name != self.server.MachineName and name not in neighbors:
            old.MachineName = name
            neighbors[name] = old
            self.volatile.neighbors[name] = waiting
            self.start_propagation_timer(name, PropagationScope.INTERSITE)

    def _add_site(self, site: GUID, psc: str) -> None:
        """The partition of a site that is new here; its PSC becomes a neighbor and is asked for its objects.

        A BSC has no neighbors of its own (errata D41).
        """
        if site == PEC_PARTITION_ID:  # no site's, errata D57
            return
        partition = self.partition(site)
        if partition is not None:
            self._change_psc(partition, psc)
            return
        partition = DirectoryPartition(site, psc)
        self.persistent.DirectoryPartitionCollection[site] = partition
        self.volatile.partitions.pop(site, None)
        if psc == self.server.MachineName:
            return
        self.send_sync_request(partition)
        if self.server.is_psc or self.readings.bsc_propagates:
            self.add_neighbor(psc, site, PropagationScope.INTERSITE)

    def _remove_site(self, site: GUID) -> bool:
        """A site is gone: its partition and its PSC as a neighbor, and its objects (errata D42).

        Returns:
            Whether there was such a partition.
        """
        if site == PEC_PARTITION_ID:
            return False
        partition = self.persistent.DirectoryPartitionCollection.pop(site, None)
        if partition is None:
            return False
        self.volatile.partitions.pop(site, None)
        self.remove_neighbor(partition.AuthorityName, PropagationScope.INTERSITE)
        if not self.readings.only_pec_deletes_sites:
            self.persistent.DeletedObjectCollection.pop(site, None)
            self.directory.mark(site)
            self.directory.sweep(site)
        return True

    def handle_machine_update(self, partition: DirectoryPartition, subject: Subject) -> None:
        """Handle Machine Update, [MC-MQDSRP] 3.1.7.2.12: a machine of this site becomes a BSC, or is none."""
        service = subject.get(QM_SERVICE)
        name = self._names(subject)[0]
        if service is None or name is None:
            return
        if service == SERVICE_BSC:
            self.add_neighbor(name, partition.PartitionID, PropagationScope.INTRASITE)
        else:
            self.remove_neighbor(name, PropagationScope.INTRASITE)

    # -------------------------------------------------------------------------------------- purging

    def purge_when_due(self, partition: DirectoryPartition) -> None:
        """Raise Purge Deleted Objects every so many changes, as [MC-MQDSRP] 3.1.7.2.3 does."""
        state = self.volatile.of_partition(partition)
        last = partition.LastSeqNumber
        if int(last) > int(state.PreviousPurgedSeqNumber) + self.settings.purge_interval:
            self.purge_deleted_objects(partition)
            state.PreviousPurgedSeqNumber = last

    def purge_deleted_objects(self, partition: DirectoryPartition) -> None:
        """Purge Deleted Objects, [MC-MQDSRP] 3.1.7.2.9; a young partition keeps all (errata D18, D55)."""
        last, purged = int(partition.LastSeqNumber), int(partition.PurgedSeqNumber)
        if last < self.settings.purge_buffer and not self.readings.purge_below_zero:
            return
        limit = (last - self.settings.purge_buffer) % _MODULUS
        if partition.PurgeState is not PurgeState.NORMAL or purged >= limit:
            return
        if self.is_authority(partition.PartitionID):
            enterprise = partition.PartitionID == PEC_PARTITION_ID
            acked = [
                int(item.AckedPECSeqNumber if enterprise else item.AckedSeqNumber)
                for item in self.persistent.PSCNeighborCollection.values()
            ]
            if acked:
                least = min(acked)
                if least <= purged:
                    return
                limit = least if self.readings.acknowledged_is_purged else min(limit, least)
        elif int(partition.AllowedPurgeSeqNumber) < limit:
            limit = int(partition.AllowedPurgeSeqNumber)
            if limit < purged:
                return
        kept = self.persistent.DeletedObjectCollection.get(partition.PartitionID, {})
        for identifier in [key for key, item in kept.items() if int(item.SeqNumber) <= limit]:
            del kept[identifier]
        if not self.readings.purge_below_zero:
            # An acknowledgment may claim any number; what has not been changed is not purged.
            partition.PurgedSeqNumber = MIN_SEQ_NUMBER + min(limit, last)
