"""A directory server of [MC-MQDSRP] section 3 as a state machine: an event in, a list of effects out.

1. `Machine` is PEC, PSC or BSC, by its `QueueManager`.  Nothing in it reads a clock, waits or uses random
   numbers.
2. It consists of `parts`, each with a name and a task; this module passes events to them.  The methods of
   the parts are the events of the document, each with its section.
3. State changes in place.  A `Machine` over a deep copy of `persistent` and of the directory is a fork; one
   over the same `persistent` and directory is the server after a crash, and has to be initialized.
"""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, Any, Final

from msmq_wire.packets.carriers import NACKS, NORMAL, DirectoryQueue
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.errors import MsmqWireError, need, wrong_type
from msmq_wire.values.guid import GUID

from .events import (
    BSCAckTimer,
    ChangePropagationTimer,
    ChangeRemoteObject,
    ChangeRequestTimer,
    Initialize,
    MessageReceived,
    NextSequenceNumber,
    OpenQueue,
    PropagateDirectoryChange,
    PropagationScope,
    ReadNextSequenceNumber,
    ResetTimer,
    TimerFired,
)
from .parts.authority import Authority
from .parts.deletions import Deletions
from .parts.neighbors import Neighbors
from .parts.objects import Objects
from .parts.outbox import Outbox
from .parts.partitions import Partitions
from .parts.replica import Replica
from .parts.replies import Replies
from .parts.requests import Requests
from .readings import Readings, Settings
from .state import PEC_PARTITION_ID, PersistentState, QueueManager, ServerState, VolatileState

if TYPE_CHECKING:
    from collections.abc import Callable

    from .directory import Directory
    from .events import Effect, Event
    from .state import DirectoryPartition

_BAD_SIGNATURE = int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_SIGNATURE)


class Machine:
    """One directory server.

    Args:
        server: Which server this is.
        directory: Its objects.
        persistent: Its state on disk before a crash; None for a new server.
        readings: The interpretations of ambiguous statements of the document.
        settings: The constants of the document.

    Attributes:
        shared: The data that the parts share: the server, its directory, state, readings, settings and time.
        outbox: The effects of the step that is under way.
        partitions: The state of each partition.
        neighbors: The servers that receive changes.
        deletions: Deletions that other servers may not know of yet.
        objects: Applies changes to the directory.
        replica: The partitions of others.
        authority: The own partitions.
        replies: Answers to sync requests.
        requests: Change requests that wait.
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
        need("server", server, QueueManager, "a QueueManager")
        need("persistent", persistent, (PersistentState, NoneType), "a PersistentState or None")
        need("readings", readings, (Readings, NoneType), "Readings or None")
        need("settings", settings, (Settings, NoneType), "Settings or None")
        self.shared = shared = ServerState(
            server=server,
            directory=directory,
            persistent=PersistentState() if persistent is None else persistent,
            readings=readings or Readings(),
            settings=settings or Settings(),
        )
        self.outbox = outbox = Outbox(shared)
        self.partitions = partitions = Partitions(shared, outbox)
        self.neighbors = neighbors = Neighbors(shared, outbox, partitions)
        self.deletions = deletions = Deletions(shared, partitions, neighbors)
        self.objects = objects = Objects(shared, partitions, neighbors, deletions)
        self.replica = Replica(shared, outbox, partitions, neighbors, deletions, objects)
        self.authority = authority = Authority(shared, partitions, neighbors, deletions, objects)
        self.replies = Replies(shared, outbox, partitions, deletions)
        self.requests = Requests(shared, outbox, partitions, neighbors, authority)
        self._messages: dict[type, Callable[[Any], None]] = {
            mqdsrp.ChangePropagationMessage: self.replica.receive_change_propagation,
            mqdsrp.ChangeRequestMessage: self.requests.receive_change_request,
            mqdsrp.SyncRequestMessage: self.replies.receive_sync_request,
            mqdsrp.SyncReplyMessage: self.replica.receive_sync_reply,
            mqdsrp.ChangeReplyMessage: self.requests.receive_change_reply,
            mqdsrp.AlreadyPurgedMessage: self.replica.receive_already_purged,
            mqdsrp.PSCAckMessage: self.neighbors.receive_psc_ack,
            mqdsrp.BSCAckMessage: self.neighbors.receive_bsc_ack,
        }

    # ------------------------------------------------------------------------------------------- state

    @property
    def directory(self) -> Directory:
        """Its objects."""
        return self.shared.directory

    @property
    def persistent(self) -> PersistentState:
        """The state on disk, which survives a crash."""
        return self.shared.persistent

    @property
    def volatile(self) -> VolatileState:
        """The state that is lost in a crash."""
        return self.shared.volatile

    @property
    def readings(self) -> Readings:
        """The interpretations of ambiguous statements; may be exchanged between two steps."""
        return self.shared.readings

    @readings.setter
    def readings(self, readings: Readings) -> None:
        self.shared.readings = readings

    def partition(self, identifier: GUID) -> DirectoryPartition | None:
        """The DirectoryPartition with that PartitionID, if there is one."""
        need("identifier", identifier, GUID, "a GUID")
        return self.partitions.get(identifier)

    # ------------------------------------------------------------------------------------------- events

    def step(self, event: Event) -> list[Effect]:
        """Process one event.

        Returns:
            The effects, in the order in which they are to be carried out.

        Raises:
            ValueError: The argument is not an event, its message is not one of the eight, or its change
                cannot be propagated.
            EncodeError: The requested change does not fit its message.
        """
        take = _EVENTS.get(type(event))
        if take is None:
            raise MsmqWireError(wrong_type("an event", event))
        self.outbox.take()  # left from a rejected event
        take(self, event)
        return self.outbox.take()

    def initialize(self, _: Initialize) -> None:
        """Initialization of both roles, [MC-MQDSRP] 3.1.3 and 3.3.3."""
        shared, server = self.shared, self.shared.server
        shared.volatile = VolatileState()
        if not shared.persistent.DirectoryPartitionCollection:
            self.partitions.add(PEC_PARTITION_ID, server.MachineName if server.is_pec else server.pec)
        if server.is_bsc:
            site = self.partitions.my_site_partition
            shared.volatile.MyPSCName = server.psc if site is None else site.AuthorityName
        number = DirectoryQueue.REPLICATION.number
        self.outbox.add(OpenQueue(f"PRIVATE={server.Identifier}\\{number:08X}"))
        if server.is_bsc:
            self.outbox.start_timer(BSCAckTimer(), shared.settings.first_bsc_ack)
        else:
            for scope in PropagationScope:
                for name in self.neighbors.of(scope):
                    self.neighbors.start_propagation_timer(name, scope)
        for partition in self.partitions.all():
            if server.is_bsc or partition.AuthorityName != server.MachineName:
                self.replica.catch_up(partition)

    def receive(self, event: MessageReceived) -> None:
        """Receiving Replication Messages, [MC-MQDSRP] 3.1.5.1."""
        self.shared.time = event.time
        message: Any = event.message
        if message is None:
            return
        process = self._messages.get(type(message))
        if process is None:
            raise MsmqWireError(wrong_type("a replication message", message))
        if _header_of(message).Version:
            return
        if event.Class == NORMAL:
            process(message)
        elif event.Class in NACKS:
            if isinstance(message, mqdsrp.ChangeRequestMessage):
                self.requests.receive_change_request_nack(message)
            else:
                self.receive_request_nack(event)

    def receive_request_nack(self, event: MessageReceived) -> None:
        """Receive Request Nack, [MC-MQDSRP] 3.3.7.9: send a message with a rejected signature again."""
        if event.Class == _BAD_SIGNATURE and event.message is not None:
            self.outbox.send_replication_message(event.destination, event.message, again=True)

    def read_next_sequence_number(self, event: ReadNextSequenceNumber) -> None:
        """Read Next Sequence Number, [MC-MQDSRP] 3.1.7.1.3."""
        number = self.authority.next_number(event.PartitionID)
        self.outbox.add(NextSequenceNumber(event.PartitionID, number))

    def timer_fired(self, event: TimerFired) -> None:
        """The timer events, [MC-MQDSRP] 3.3.6, and the end of a wait, 3.3.7.1."""
        self.shared.time = event.time
        timer = event.timer
        if isinstance(timer, ChangePropagationTimer):
            if timer.MachineName in self.neighbors.of(timer.Scope):
                self.neighbors.send_change_propagation(timer.MachineName, timer.Scope)
                self.neighbors.start_propagation_timer(timer.MachineName, timer.Scope)
        elif isinstance(timer, BSCAckTimer):
            self.neighbors.send_bsc_ack()
            self.outbox.start_timer(timer, self.shared.settings.bsc_ack)
        elif isinstance(timer, ChangeRequestTimer):
            self.requests.expired(timer)
        elif isinstance(timer, ResetTimer):
            partition = self.partitions.get(timer.PartitionID)
            if partition is not None:
                self.replica.resume_reset(partition)


def _header_of(message: Any) -> Any:
    """The BaseReplicationHeader of a message; three messages have it within another header."""
    for name in ("ChangeRequestHeader", "SyncReplyHeader"):
        message = getattr(message, name, message)
    return message.BaseReplicationHeader


_EVENTS: Final[dict[type, Callable[[Machine, Any], None]]] = {
    Initialize: Machine.initialize,
    MessageReceived: Machine.receive,
    ChangeRemoteObject: lambda machine, event: machine.requests.change_remote_object(event),
    PropagateDirectoryChange: lambda machine, event: machine.authority.propagate_directory_change(event),
    ReadNextSequenceNumber: Machine.read_next_sequence_number,
    TimerFired: Machine.timer_fired,
}
