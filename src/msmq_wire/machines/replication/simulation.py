"""Simulation of many directory servers in one process: machines, a network and a clock.

1. Time is a number that `run` advances; nothing waits.  The same seed always gives the same run.
2. A `Network` decides the delivery of messages, which are passed as objects.  Encode the messages of `log` if
   you need bytes.
3. A server that is down loses arriving messages and its volatile state; `start` restarts it.
4. At the object authority, the directory makes a change and raises Propagate Directory Change; all other
   servers raise Change Remote Object.
"""

from __future__ import annotations

import hashlib
import heapq
import uuid
from math import inf
from types import NoneType
from typing import TYPE_CHECKING, Any

from msmq_wire.documents.directory_objects import ENTERPRISE_TYPES, KINDS, ObjectKind, deletion
from msmq_wire.documents.directory_properties import pack
from msmq_wire.documents.propid import ObjectClass
from msmq_wire.values.errors import MsmqWireError, need, wrong_value
from msmq_wire.values.guid import GUID

from .directory import MQ_OK, MQDS_OBJECT_NOT_FOUND, MemoryDirectory
from .events import (
    CancelTimer,
    ChangeCompleted,
    ChangeRemoteObject,
    Command,
    Initialize,
    MessageReceived,
    NextSequenceNumber,
    PropagateDirectoryChange,
    ReadNextSequenceNumber,
    SendMessage,
    StartTimer,
    TimerFired,
)
from .machine import Machine
from .network import Network, Posting, Reliable
from .readings import Readings, Settings
from .state import PEC_PARTITION_ID, DirectoryPartition, PersistentState, PurgeState, QueueManager, Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from msmq_wire.values.properties.values import PropertyValue

    from .directory import DirectoryObject
    from .events import Effect, Event, Timer

_NAMES = uuid.UUID("2a3c8a2e-1f0d-5c44-9c1e-7f55d6d2b8aa")


class Enterprise:
    """Directory servers that replicate.

    Args:
        pec: Name of the PEC's machine.
        site: Name of the PEC's site.
        network: Decides the delivery of messages; it may be replaced at any time.
        readings: Interpretations of all servers, unless `add_site` or `add_bsc` overrides them.
        settings: Constants of the document.
        keep_log: Whether to keep every message in `log`.

    Attributes:
        time: Seconds since the beginning.
        machines: The servers that are up, by name.
        network: Decides the delivery of messages.
        log: The sent messages, in order, if `keep_log` is set.
        completed: Status of each finished change request, by server and request.
    """

    def __init__(
        self,
        pec: str = "PEC0",
        site: str = "site0",
        *,
        network: Network | None = None,
        readings: Readings | None = None,
        settings: Settings | None = None,
        keep_log: bool = False,
    ) -> None:
        need("readings", readings, (Readings, NoneType), "Readings or None")
        need("settings", settings, (Settings, NoneType), "Settings or None")
        self.time: float = 0
        self.machines: dict[str, Machine] = {}
        self.network: Network = network or Reliable()
        self.log: list[Posting] = []
        self.completed: dict[tuple[str, int], int] = {}
        self._keep_log = keep_log
        self.readings_of_all = readings or Readings()
        self._settings = settings or Settings()
        self._pec = pec
        self.servers_by_name: dict[str, tuple[QueueManager, MemoryDirectory, PersistentState, Readings]] = {}
        self._sites: dict[str, GUID] = {}
        self._queue: list[tuple[float, int, str, MessageReceived | Timer]] = []
        self._timers: dict[tuple[str, Timer], int] = {}
        self._ticket = 0
        self._request = 0
        need("pec", pec, str, "the name of a server")
        need("site", site, str, "the name of a site")
        self._add(pec, site, Role.PEC, None)
        self.create(pec, ObjectClass.ENTERPRISE, "enterprise", {"PROPID_E_PECNAME": pec})
        self.create(pec, ObjectClass.SITE, site, {"PROPID_S_PSC": pec}, identifier=self._sites[site])

    # ---------------------------------------------------------------------------------------- servers

    @staticmethod
    def guid(name: str) -> GUID:
        """The GUID that stands for a name in every simulation."""
        need("name", name, str, "a name")
        # As uuid.uuid5, which refuses the lone surrogates that a name on the wire may have.
        digest = hashlib.sha1(_NAMES.bytes + name.encode("utf-8", "surrogatepass"), usedforsecurity=False)
        return GUID.of(uuid.UUID(bytes=digest.digest()[:16], version=5))

    def site(self, name: str) -> GUID:
        """PartitionID of a site.

        Raises:
            MsmqWireError: There was never such a site.
        """
        need("name", name, str, "the name of a site")
        identifier = self._sites.get(name)
        if identifier is None:
            raise MsmqWireError(f"there is no site {name}")
        return identifier

    def servers(self) -> Iterator[QueueManager]:
        """All servers, up or down, in the order in which they were added."""
        return (server for server, *_ in self.servers_by_name.values())

    def directory(self, name: str) -> MemoryDirectory:
        """The directory of a server, up or down.

        Raises:
            MsmqWireError: There is no such server.
        """
        return self._server(name)[1]

    def state(self, name: str) -> PersistentState:
        """The state of a server that survives a crash.

        Raises:
            MsmqWireError: There is no such server.
        """
        return self._server(name)[2]

    def _server(self, name: str) -> tuple[QueueManager, MemoryDirectory, PersistentState, Readings]:
        need("name", name, str, "the name of a server")
        server = self.servers_by_name.get(name)
        if server is None:
            raise MsmqWireError(f"there is no server {name}")
        return server

    def _up(self, name: str) -> Machine:
        need("name", name, str, "the name of a server")
        machine = self.machines.get(name)
        if machine is None:
            raise MsmqWireError(f"the server {name} is not running")
        return machine

    def add_site(self, psc: str, site: str, *, readings: Readings | None = None) -> None:
        """Create a site at the PEC and start its PSC, as [MC-MQDSRP] 4.1 does.

        Args:
            psc: Name of its PSC's machine.
            site: Its name.
            readings: How this server reads the document.

        Raises:
            MsmqWireError: There is such a server or such a site, or the PEC is down.
        """
        need("psc", psc, str, "the name of a server")
        need("site", site, str, "the name of a site")
        self._up(self._pec)
        if psc in self.servers_by_name or site in self._sites:
            raise MsmqWireError(f"the server {psc} or the site {site} already exists")
        identifier = self._sites[site] = self.guid(f"site {site}")
        self.create(self._pec, ObjectClass.SITE, site, {"PROPID_S_PSC": psc}, identifier=identifier)
        self._add(psc, site, Role.PSC, readings)

    def add_bsc(self, bsc: str, site: str, *, readings: Readings | None = None) -> None:
        """Make a machine a BSC of a site and start it, as [MC-MQDSRP] 4.2 does.

        Args:
            bsc: Name of its machine.
            site: Name of the site, whose PSC is up.
            readings: How this server reads the document.

        Raises:
            MsmqWireError: There is such a server, no such site, or its PSC is down.
        """
        need("bsc", bsc, str, "the name of a server")
        identifier = self.site(site)
        if bsc in self.servers_by_name:
            raise MsmqWireError(f"the server {bsc} already exists")
        values = {"PROPID_QM_SERVICE": 2, "PROPID_QM_SITE_ID": identifier}
        self.create(self._psc(identifier), ObjectClass.MACHINE, bsc, values, partition=identifier)
        self._add(bsc, site, Role.BSC, readings)

    def crash(self, name: str) -> None:
        """Stop a server; its volatile state and its timers are lost.

        Raises:
            MsmqWireError: The server is not running.
        """
        self._up(name)
        del self.machines[name]
        for owner, timer in list(self._timers):
            if owner == name:
                del self._timers[owner, timer]

    def retire(self, name: str) -> None:
        """Remove a server permanently, for example after its site was deleted.

        Raises:
            MsmqWireError: There is no such server.
        """
        self._server(name)
        if name in self.machines:
            self.crash(name)
        del self.servers_by_name[name]

    def start(self, name: str) -> None:
        """Start a server.

        Raises:
            MsmqWireError: There is no such server, or it is running.
        """
        need("name", name, str, "the name of a server")
        if name in self.machines:
            raise MsmqWireError(f"the server {name} is already running")
        server, directory, persistent, readings = self._server(name)
        machine = Machine(server, directory, persistent, readings=readings, settings=self._settings)
        machine.shared.time = self.time
        self.machines[name] = machine
        self._step(name, Initialize())

    def _add(self, name: str, site: str, role: Role, readings: Readings | None) -> None:
        identifier = self._sites.setdefault(site, self.guid(f"site {site}"))
        server = QueueManager(
            MachineName=name,
            Identifier=self.guid(f"machine {name}"),
            SiteIdentifier=identifier,
            role=role,
            pec=self._pec,
            psc=self._psc(identifier) if role is Role.BSC else name,
        )
        self.servers_by_name[name] = (
            server,
            MemoryDirectory(),
            PersistentState(),
            readings or self.readings_of_all,
        )
        self.start(name)

    def _psc(self, site: GUID) -> str:
        """The PSC of a site."""
        for server in self.servers():
            if server.is_psc and server.SiteIdentifier == site:
                return server.MachineName
        raise MsmqWireError(f"the site {site} has no PSC")

    def authority(self, partition: GUID) -> str:
        """Name of the object authority of a partition.

        Raises:
            MsmqWireError: No server is the authority.
        """
        return self._pec if partition == PEC_PARTITION_ID else self._psc(partition)

    # ---------------------------------------------------------------------------------------- changes

    def create(
        self,
        at: str,
        kind: ObjectClass,
        path: str | None,
        properties: Mapping[str, Any] | None = None,
        *,
        partition: GUID = PEC_PARTITION_ID,
        identifier: GUID | None = None,
    ) -> int:
        """Create an object through a server.

        Args:
            at: The server that is asked.
            kind: The object type.
            path: Its path name; None for users and routing links.
            properties: Its other properties, as `directory_properties.pack` takes them.
            partition: Its partition; the enterprise partition if none is given.
            identifier: Its GUID; one that follows from its name if none is given.

        Returns:
            The result of `change`.

        Raises:
            WrongTypeError: An argument has the wrong type.
            MsmqWireError: As `change`, or no object of this class is created.
            EncodeError: A property does not fit.
        """
        definition = _known(kind, path)
        guid = self.guid(f"{kind.name} {path} {self._request}") if identifier is None else identifier
        numbers, values = pack(properties or {})
        first: dict[int, Any] = {definition.identifier: guid}
        if path is not None:
            first[definition.path] = path
        more, packed = pack(first)
        return self.change(
            at, Command.CREATE, kind, partition, path, guid, (*more, *numbers), (*packed, *values)
        )

    def update(
        self,
        at: str,
        kind: ObjectClass,
        path: str | None,
        properties: Mapping[str, Any],
        *,
        partition: GUID = PEC_PARTITION_ID,
        identifier: GUID | None = None,
    ) -> int:
        """Change properties of an object through a server; the arguments are those of `create`."""
        _known(kind, path)
        return self.change(at, Command.UPDATE, kind, partition, path, identifier, *pack(properties))

    def delete(
        self,
        at: str,
        kind: ObjectClass,
        path: str | None,
        *,
        partition: GUID = PEC_PARTITION_ID,
        identifier: GUID | None = None,
    ) -> int:
        """Delete an object through a server; the arguments are those of `create`."""
        _known(kind, path)
        scope = int(kind in ENTERPRISE_TYPES)
        return self.change(at, Command.DELETE, kind, partition, path, identifier, *deletion(scope, int(kind)))

    def change(
        self,
        at: str,
        command: Command,
        kind: ObjectClass,
        partition: GUID,
        path: str | None,
        identifier: GUID | None,
        numbers: tuple[int, ...],
        values: tuple[PropertyValue, ...],
    ) -> int:
        """Change an object through a server: directly at the authority, through a request to it elsewhere.

        Args:
            at: The server that is asked.
            command: The operation.
            kind: The object type.
            partition: Partition of the object.
            path: Path name of the object.
            identifier: GUID of the object.
            numbers: The properties.
            values: Their values.

        Returns:
            The number of the request.  `completed` has its status as soon as it is known, by the name of
            the server and this number.

        Raises:
            MsmqWireError: The server is not running.
            EncodeError: The change does not fit its message.
        """
        machine = self._up(at)
        self._request += 1
        asked = ChangeRemoteObject(
            Operation=command,
            PartitionID=partition,
            RequestIdentifier=self._request,
            PathName=path,
            GuidIdentifier=identifier,
            PropertyID=numbers,
            PropertyValue=values,
        )
        if machine.partitions.is_authority(partition) or (
            at == self._pec and not machine.partitions.my_site_partition
        ):
            self.completed[at, asked.RequestIdentifier] = self._change_own(at, kind, asked)
        else:
            self._step(at, asked)
        return asked.RequestIdentifier

    def _change_own(self, at: str, kind: ObjectClass, asked: ChangeRemoteObject) -> int:
        """Make a change as the directory service of the object authority."""
        machine, directory = self._up(at), self.directory(at)
        partition, path, identifier = asked.PartitionID, asked.PathName, asked.GuidIdentifier
        (effect,) = machine.step(ReadNextSequenceNumber(partition))
        assert isinstance(effect, NextSequenceNumber)  # noqa: S101  # the only effect of that event
        number, properties = effect.SeqNumber, dict(zip(asked.PropertyID, asked.PropertyValue, strict=True))
        if asked.Operation == Command.CREATE:
            guid = self.guid(f"{kind.name} {path}") if identifier is None else identifier
            status = directory.create(kind, path, guid, partition, number, properties)
        else:
            item = directory.read(kind, path, identifier)
            if item is None or item.PartitionID != partition:
                return MQDS_OBJECT_NOT_FOUND
            path, identifier = item.PathName, item.Identifier
            if asked.Operation == Command.DELETE:
                status = directory.delete(kind, path, None if path else identifier)
            else:
                status = directory.update(kind, path, identifier, number, properties)
        if status == MQ_OK:
            event = PropagateDirectoryChange(
                Operation=asked.Operation,
                PartitionID=partition,
                SeqNumber=number,
                PathName=path,
                GuidIdentifier=identifier,
                PropertyID=asked.PropertyID,
                PropertyValue=asked.PropertyValue,
            )
            self._step(at, event)
        return status

    # ------------------------------------------------------------------------------------------- time

    def run(self, seconds: float, most: int | None = None) -> int:
        """Advance the time.

        Args:
            seconds: The duration.
            most: The maximum number of events, because servers may never stop sending.

        Returns:
            The number of events.

        Raises:
            MsmqWireError: The duration is negative, or endless without `most`.
        """
        need("seconds", seconds, (int, float), "a duration")
        if not seconds >= 0:
            raise MsmqWireError(wrong_value("a duration of 0 seconds or more", seconds))
        if seconds == inf and most is None:
            raise MsmqWireError("seconds is infinite: give most, because servers never stop sending")
        end = self.time + seconds
        queue, timers, machines = self._queue, self._timers, self.machines
        count = 0
        while queue and queue[0][0] <= end and (most is None or count < most):
            self.time, ticket, name, item = heapq.heappop(queue)
            count += 1
            if isinstance(item, MessageReceived):
                if name in machines:
                    self._step(name, item)
            elif timers.get((name, item)) == ticket:
                del timers[name, item]
                self._step(name, TimerFired(item, self.time))
        if most is None or count < most:
            self.time = end
        return count

    def _step(self, name: str, event: Event) -> None:
        for effect in self.machines[name].step(event):
            self.carry_out(name, effect)

    def carry_out(self, name: str, effect: Effect) -> None:
        """Carry out an effect of the server of this name."""
        if isinstance(effect, SendMessage):
            self.send(name, effect)
        elif isinstance(effect, StartTimer):
            self._ticket += 1
            self._timers[name, effect.timer] = self._ticket
            heapq.heappush(self._queue, (self.time + effect.after, self._ticket, name, effect.timer))
        elif isinstance(effect, CancelTimer):
            self._timers.pop((name, effect.timer), None)
        elif isinstance(effect, ChangeCompleted):
            self.completed[name, effect.RequestIdentifier] = effect.Status

    def send(self, name: str, sent: SendMessage) -> None:
        """Deliver a message of this server over the network."""
        arrivals = tuple(self.time + delay for delay in self.network.delays(name, sent))
        if self._keep_log:
            self.log.append(Posting(self.time, name, sent, arrivals))
        for time in arrivals:
            self._ticket += 1
            event = MessageReceived(sent.ReplicationMessage, time)
            heapq.heappush(self._queue, (time, self._ticket, sent.Destination, event))

    # ------------------------------------------------------------------------------------- comparison

    def differences(self) -> list[str]:
        """The differences of replicas from their authority; empty when the enterprise has converged.

        Properties that no synchronization transfers are not compared.
        """
        lines = []
        for name in self.servers_by_name:
            partitions = self.state(name).DirectoryPartitionCollection
            pec = self.state(self._pec).DirectoryPartitionCollection
            for identifier in sorted({*partitions, *pec}):
                partition_name = f"{name}, partition {identifier}"
                if identifier not in pec or identifier not in partitions:
                    lines.append(f"{partition_name}: not known by both")
                    continue
                original = self.state(self.authority(identifier)).DirectoryPartitionCollection.get(identifier)
                if original is None or original is partitions[identifier]:
                    continue
                lines += [
                    f"{partition_name}: {what}"
                    for what in self._compare(name, original, partitions[identifier])
                ]
        return lines

    def _compare(
        self, name: str, authoritative: DirectoryPartition, replica: DirectoryPartition
    ) -> Iterator[str]:
        if replica.PurgeState is not PurgeState.NORMAL:
            yield f"is in the state {replica.PurgeState.name}"
        if replica.LastSeqNumber != authoritative.LastSeqNumber:
            yield f"has come to {int(replica.LastSeqNumber)} of {int(authoritative.LastSeqNumber)}"
        here = self.directory(name).objects(authoritative.PartitionID)
        there = self.directory(self.authority(authoritative.PartitionID)).objects(authoritative.PartitionID)
        for identifier in sorted({*here, *there}):
            replicated, original = here.get(identifier), there.get(identifier)
            if replicated is None:
                yield f"lacks {_shown(there[identifier])}"
            elif original is None:
                yield f"still has {_shown(replicated)}"
            elif (replicated.SeqNumber, replicated.carried()) != (original.SeqNumber, original.carried()):
                yield f"differs in {_shown(replicated)}"


def _known(kind: ObjectClass, path: str | None) -> ObjectKind:
    need("kind", kind, ObjectClass, "an ObjectClass")
    need("path", path, (str, NoneType), "a path name or None")
    object_kind = KINDS.get(kind)
    if object_kind is None:
        raise MsmqWireError(f"{kind.name} is not the class of a replicated object")
    return object_kind


def _shown(item: DirectoryObject) -> str:
    return f"{item.ObjectType.name} {item.PathName or item.Identifier}"
