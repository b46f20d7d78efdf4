"""Applies changes to a server: the events of [MC-MQDSRP] 3.1.7.2.5 to 3.1.7.2.8 and 3.1.7.2.10 to 12.

1. The arguments that these events share are one `Subject`.
2. `post` means that the directory already has the change, and only the protocol state is updated.
3. If a step compares a name or a GUID and the change has only the other, the directory provides it (errata
   D46).
4. The enterprise partition belongs to no site, whatever identifier a site object has (errata D57).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.documents.directory_objects import (
    E_PECNAME,
    KINDS,
    QM_SERVICE,
    S_PSC,
    SERVICE_BSC,
    chosen_identifier,
    identifier_in,
    path_in,
    property_in,
    type_of_change,
)
from msmq_wire.documents.propid import ObjectClass
from msmq_wire.machines.replication.directory import MQ_ERROR, MQ_OK, MQDS_OBJECT_NOT_FOUND
from msmq_wire.machines.replication.events import Command, PropagationScope
from msmq_wire.machines.replication.state import PEC_PARTITION_ID, DirectoryPartition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from msmq_wire.machines.replication.state import ServerState
    from msmq_wire.packets.directory.replication import DirectoryChange
    from msmq_wire.values.guid import GUID
    from msmq_wire.values.properties.values import PropertyValue
    from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

    from .deletions import Deletions
    from .neighbors import Neighbors
    from .partitions import Partitions


class Subject(NamedTuple):
    """The object of a change: iObjectType, iPathName, iGuidIdentifier, iPropertyID and iPropertyValue."""

    kind: Any
    path: str | None
    identifier: GUID | None
    numbers: tuple[int, ...]
    values: tuple[PropertyValue, ...]

    @classmethod
    def of(
        cls,
        command: int,
        path: str | None,
        identifier: GUID | None,
        numbers: Sequence[int],
        values: Sequence[PropertyValue],
    ) -> Subject | None:
        """Return the subject of a command; None if the object type cannot be determined."""
        kind = type_of_change(command, numbers, values)
        if kind is None or len(numbers) != len(values):
            return None
        return cls(kind, path, identifier, tuple(numbers), tuple(values))

    @classmethod
    def of_change(cls, change: DirectoryChange) -> Subject | None:
        """Return the subject of a DirectoryChange; None if the object type cannot be determined."""
        return cls.of(
            change.Command, change.PathName, change.GuidIdentifier, change.PropertyID, change.PropertyValue
        )

    def get(self, number: int) -> Any:
        """Return the value of a property; None if the change does not have it."""
        return property_in(number, self.numbers, self.values)

    @property
    def properties(self) -> dict[int, PropertyValue]:
        """The properties by PROPID."""
        return dict(zip(self.numbers, self.values, strict=True))


class Outcome(NamedTuple):
    """The result of an event: rStatus and rNeedFlush."""

    status: int = MQ_OK
    flush: bool = False


class Objects:
    """The objects of a server, and their effects on its partitions and neighbors.

    Args:
        shared: The state that the parts of the server share.
        partitions: The partitions of sites.
        neighbors: The neighbors, which depend on sites and machines.
        deletions: The remembered deletions.
    """

    def __init__(
        self, shared: ServerState, partitions: Partitions, neighbors: Neighbors, deletions: Deletions
    ) -> None:
        self._shared = shared
        self._partitions = partitions
        self._neighbors = neighbors
        self._deletions = deletions

    def names(self, subject: Subject) -> tuple[str | None, GUID | None]:
        """Return path name and GUID of an object, from the directory if necessary."""
        path, identifier = subject.path, subject.identifier
        if (path is None or identifier is None) and not self._shared.readings.given_name_only:
            item = self._shared.directory.read(subject.kind, path, identifier)
            if item is not None:
                return item.PathName, item.Identifier
        return path, identifier

    # ------------------------------------------------------------------------------- the four commands

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
        """Raise the event for a command; for a deletion, the first value is the scope.

        Args:
            partition: Partition of the object.
            command: The command.
            subject: The object.
            number: The number of the change.
            post: Whether the directory already has the change.
            requested: Whether this server is the authority and was requested to make the change.
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

    def handle_directory_create(
        self, partition: DirectoryPartition, subject: Subject, number: SEQUENCE_NUMBER, *, post: bool
    ) -> Outcome:
        """Handle Directory Create, [MC-MQDSRP] 3.1.7.2.5."""
        kind = subject.kind
        path, identifier = self.written_names(subject)
        if identifier is None:
            identifier = chosen_identifier(partition.PartitionID, number.raw)
        if not post:
            status = self._shared.directory.create(
                kind, path, identifier, partition.PartitionID, number, subject.properties
            )
            if status != MQ_OK:
                return Outcome(status)
        if kind is ObjectClass.SITE and subject.get(S_PSC):
            return Outcome(
                flush=self._add_site(identifier, subject.get(S_PSC), created_in=partition.PartitionID)
            )
        if (
            kind is ObjectClass.MACHINE
            and subject.get(QM_SERVICE) == SERVICE_BSC
            and path is not None
            and self._partitions.is_my_site(partition)
        ):
            self._neighbors.add_neighbor(path, partition.PartitionID, PropagationScope.INTRASITE)
        return Outcome()

    @staticmethod
    def written_names(subject: Subject) -> tuple[str | None, GUID | None]:
        """Return path name and GUID of an object, from its properties if the change has no field for them."""
        kind, path, identifier, numbers, values = subject
        if path is None:
            path = path_in(kind, numbers, values)
        if identifier is None:
            identifier = identifier_in(kind, numbers, values)
        return path, identifier

    def handle_directory_update(
        self, partition: DirectoryPartition, subject: Subject, number: SEQUENCE_NUMBER, *, post: bool
    ) -> Outcome:
        """Handle Directory Update, [MC-MQDSRP] 3.1.7.2.6."""
        if not post:
            status = self._shared.directory.update(
                subject.kind, subject.path, subject.identifier, number, subject.properties
            )
            if status != MQ_OK:
                return Outcome(status)
        return self._updated(partition, subject, sync=False)

    def _updated(self, partition: DirectoryPartition, subject: Subject, *, sync: bool) -> Outcome:
        """Update the protocol state after a change of an object."""
        if subject.kind is ObjectClass.SITE:
            return self.handle_site_update(subject, sync=sync)
        if subject.kind is ObjectClass.ENTERPRISE:
            return self.handle_enterprise_update(partition, subject)
        if subject.kind is ObjectClass.MACHINE and self._partitions.is_my_site(partition):
            self.handle_machine_update(partition, subject)
        return Outcome()

    def handle_directory_delete(
        self,
        partition: DirectoryPartition,
        subject: Subject,
        number: SEQUENCE_NUMBER,
        scope: int,
        *,
        post: bool,
        requested: bool = False,
    ) -> Outcome:
        """Handle Directory Delete, [MC-MQDSRP] 3.1.7.2.7, and store the deletion as in 3.2.7.2.

        A replica without the object reports success (errata D38).  Every server stores the deletion,
        because any PSC may receive a sync request for it (errata D39).
        """
        server, readings = self._shared.server, self._shared.readings
        path, identifier = self.names(subject)
        if not post:
            status = self._shared.directory.delete(subject.kind, subject.path, subject.identifier)
            if status == MQDS_OBJECT_NOT_FOUND and not requested and not readings.absent_is_error:
                status = MQ_OK
            if status != MQ_OK:
                return Outcome(status)
        if identifier is not None and (requested or not readings.authority_keeps_deletions):
            self._deletions.remember(partition, identifier, number, int(subject.kind), scope)
        if subject.kind is ObjectClass.SITE and (server.is_pec or not readings.only_pec_deletes_sites):
            return Outcome(flush=identifier is not None and self.remove_site(identifier))
        if subject.kind is ObjectClass.MACHINE and server.is_psc and path is not None:
            self._neighbors.remove_neighbor(path, PropagationScope.INTRASITE)
        return Outcome()

    def handle_directory_sync(
        self, partition: DirectoryPartition, subject: Subject, number: SEQUENCE_NUMBER
    ) -> Outcome:
        """Handle Directory Sync, [MC-MQDSRP] 3.1.7.2.8: replace the object by the contents of the change.

        Properties with undefined values ([MC-MQDSRP] 3.2.7.8) are not changed.
        """
        directory, kind = self._shared.directory, subject.kind
        undefined = KINDS[kind].undefined
        properties = {key: value for key, value in subject.properties.items() if key not in undefined}
        if directory.read(kind, subject.path, subject.identifier) is not None:
            status = directory.update(kind, subject.path, subject.identifier, number, properties)
        else:
            path, identifier = self.written_names(subject)
            if identifier is None:
                return Outcome(MQ_ERROR)
            status = directory.create(kind, path, identifier, partition.PartitionID, number, properties)
        if status != MQ_OK:
            return Outcome(status)
        return self._updated(partition, subject, sync=True)

    # ------------------------------------------------------------------- enterprise, sites, machines

    def handle_enterprise_update(self, partition: DirectoryPartition, subject: Subject) -> Outcome:
        """Handle Enterprise Update, [MC-MQDSRP] 3.1.7.2.10: the PEC may have changed."""
        name = subject.get(E_PECNAME)
        if not name or name == partition.AuthorityName:
            return Outcome()
        partition.AuthorityName = name
        return Outcome(flush=True)

    def handle_site_update(self, subject: Subject, *, sync: bool) -> Outcome:
        """Handle Site Update, [MC-MQDSRP] 3.1.7.2.11: the PSC may have changed, or the site may be new."""
        name = subject.get(S_PSC)
        if not name:
            return Outcome()
        site = self.names(subject)[1]
        unknown = site is None or self._partitions.get(site) is None
        if sync and unknown and self._shared.readings.site_from_property:
            site = identifier_in(ObjectClass.SITE, subject.numbers, subject.values)
        if site is None or (unknown and not sync):
            return Outcome()
        return Outcome(flush=self._add_site(site, name))

    def _add_site(self, site: GUID, psc: str, *, created_in: GUID | None = None) -> bool:
        """Set the PSC of a site; if the site is new, its PSC becomes a neighbor and is asked for its objects.

        A BSC has no neighbors of its own (errata D41).

        Args:
            site: The site, which is also its partition.
            psc: The name of its PSC.
            created_in: The partition in which its object was created, if it was (errata D17).

        Returns: Whether it is a site of which the BSCs must be informed immediately.
        """
        if site == PEC_PARTITION_ID:
            return False
        partition = self._partitions.get(site)
        if partition is not None:
            partition.AuthorityName = psc
            self._neighbors.rename_neighbor(site, psc)
            return True
        partition = self._partitions.add(site, psc)
        if psc != self._shared.server.MachineName:
            self._partitions.send_sync_request(partition)
            if self._shared.server.is_psc or self._shared.readings.bsc_propagates:
                printed = created_in if self._shared.readings.neighbor_of_enterprise else None
                self._neighbors.add_neighbor(
                    psc, site if printed is None else printed, PropagationScope.INTERSITE
                )
        return True

    def remove_site(self, site: GUID) -> bool:
        """Remove a site: its partition, its objects, and its PSC as a neighbor (errata D42).

        Returns: Whether its partition existed.
        """
        partition = None if site == PEC_PARTITION_ID else self._partitions.remove(site)
        if partition is None:
            return False
        self._neighbors.remove_neighbor(partition.AuthorityName, PropagationScope.INTERSITE)
        if not self._shared.readings.only_pec_deletes_sites:
            self._deletions.forget(site)
            self._shared.directory.mark(site)
            self._shared.directory.sweep(site)
        return True

    def remove_lost_sites(self) -> None:
        """Remove sites without an object, after a full synchronization of the enterprise partition (D42)."""
        if self._shared.readings.only_pec_deletes_sites:
            return
        for partition in self._partitions.all():
            site = partition.PartitionID
            if site != PEC_PARTITION_ID and self._shared.directory.read(ObjectClass.SITE, None, site) is None:
                self.remove_site(site)

    def handle_machine_update(self, partition: DirectoryPartition, subject: Subject) -> None:
        """Handle Machine Update, [MC-MQDSRP] 3.1.7.2.12: a machine of this site may become a BSC, or stop."""
        service = subject.get(QM_SERVICE)
        name = self.names(subject)[0]
        if service is None or name is None:
            return
        if service == SERVICE_BSC:
            self._neighbors.add_neighbor(name, partition.PartitionID, PropagationScope.INTRASITE)
        else:
            self._neighbors.remove_neighbor(name, PropagationScope.INTRASITE)
