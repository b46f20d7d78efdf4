"""A directory server of [MC-MQDSRP] section 3 as a state machine: an event in, a list of effects out.

1. `Machine` is PEC, PSC or BSC, by its `QueueManager`.  Nothing in it reads a clock, waits or draws lots.
2. The methods are the events of the document, each under its section, in four layers: sending, applying,
   keeping in order, receiving.  This module has the events that come from outside.
3. State changes in place.  A `Machine` over a deep copy of `persistent` and of the directory is a fork; one
   over the same `persistent` and directory is the server after a crash, and has to be initialized.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msmq_wire import mqdsrp
from msmq_wire.carriers import NACKS, DirectoryQueue
from msmq_wire.sequence_number import MIN_SEQ_NUMBER

from ._applying import Subject
from ._objects import type_of_change
from ._receiving import MOST_PROPERTIES, Receiving
from ._sending import MQDS_NO_RSP_FROM_OWNER
from .directory import MQ_OK
from .events import (
    BSCAckTimer,
    ChangeCompleted,
    ChangePropagationTimer,
    ChangeRemoteObject,
    ChangeRequestTimer,
    Command,
    Initialize,
    MessageReceived,
    NextSequenceNumber,
    OpenQueue,
    PropagateDirectoryChange,
    PropagationScope,
    ReadNextSequenceNumber,
    ResetTimer,
    StartTimer,
    TimerFired,
)
from .state import PEC_PARTITION_ID, DirectoryPartition, PurgeState, VolatileState

if TYPE_CHECKING:
    from collections.abc import Callable

    from .events import Effect, Event

__all__ = ["Machine"]

_NORMAL = 0


class Machine(Receiving):
    """One directory server.

    Args:
        server: Which server this is.
        directory: Its objects.
        persistent: What it knew before it went down; None for a new one.
        readings: How the document is read where it can be read in two ways.
        settings: Its numbers.
    """

    def step(self, event: Event) -> list[Effect]:
        """Take one event.

        Returns:
            The effects, in the order in which they are to be carried out.
        """
        effects: list[Effect] = []
        self._effects = effects
        _EVENTS[type(event)](self, event)
        return effects

    # --------------------------------------------------------------------------------- initialization

    def initialize(self, _: Initialize) -> None:
        """Initialization of both roles, [MC-MQDSRP] 3.1.3 and 3.3.3."""
        known, server = self.persistent, self.server
        self.volatile = VolatileState()
        if not known.DirectoryPartitionCollection:
            authority = server.MachineName if server.is_pec else server.pec
            known.DirectoryPartitionCollection[PEC_PARTITION_ID] = DirectoryPartition(
                PEC_PARTITION_ID, authority
            )
        if server.is_bsc:
            site = self.my_site_partition
            self.volatile.MyPSCName = server.psc if site is None else site.AuthorityName
        number = DirectoryQueue.REPLICATION.number
        self._effects.append(OpenQueue(f"PRIVATE={server.Identifier}\\{number:08X}"))
        if server.is_bsc:
            self._effects.append(StartTimer(BSCAckTimer(), self.settings.first_bsc_ack))
        else:
            for scope in PropagationScope:
                for name in self.neighbors(scope):
                    self.start_propagation_timer(name, scope)
        for partition in list(known.DirectoryPartitionCollection.values()):
            if server.is_bsc or partition.AuthorityName != server.MachineName:
                self._catch_up(partition)

    def _catch_up(self, partition: DirectoryPartition) -> None:
        """Ask for what was missed; a reset that was broken off is taken up again (errata D44)."""
        broken = partition.PurgeState in {PurgeState.STARTSYNC0, PurgeState.COMPLETESYNC0}
        if broken and not self.readings.stuck_in_startsync0:
            self.resume_reset(partition)
        else:
            self.send_sync_request(partition)

    # ---------------------------------------------------------------------------------------- messages

    def receive(self, event: MessageReceived) -> None:
        """Receiving Replication Messages, [MC-MQDSRP] 3.1.5.1."""
        self.time = event.time
        message: Any = event.message
        if message is None:
            return
        name = type(message).__name__
        if _header_of(message).Version:
            return
        if event.Class == _NORMAL:
            _MESSAGES[name](self, message)
        elif event.Class in NACKS:
            if name == mqdsrp.ChangeRequestMessage.__name__:
                self.receive_change_request_nack(message)
            else:
                self.receive_request_nack(event)

    # ---------------------------------------------------------------------- events of the directory

    def change_remote_object(self, event: ChangeRemoteObject) -> None:
        """Change Remote Object, [MC-MQDSRP] 3.1.7.1.1; an object without path name goes by its GUID (D5)."""
        server = self.server
        by_guid = (
            event.PathName is None
            and event.GuidIdentifier is not None
            and not self.readings.requests_by_path_only
        )
        request = mqdsrp.ChangeRequestMessage(
            ChangeRequestHeader=mqdsrp.ChangeRequestHeader(
                BaseReplicationHeader=self._headers[1],
                PartitionID=event.PartitionID,
                RequestIdentifier=event.RequestIdentifier,
                RequesterName=server.MachineName,
                PSCName=self.volatile.MyPSCName if server.is_bsc else None,
            ),
            DirectoryChange=mqdsrp.DirectoryChange(
                Command=event.Operation,
                UseGuid=int(by_guid),
                PathName=None if by_guid else event.PathName or "",
                GuidIdentifier=event.GuidIdentifier if by_guid else None,
                PartitionID=event.PartitionID,
                PreviousSeqNumber=MIN_SEQ_NUMBER,
                SeqNumber=MIN_SEQ_NUMBER,
                PurgedSeqNumber=MIN_SEQ_NUMBER,
                PropertyID=event.PropertyID,
                PropertyValue=event.PropertyValue,
            ),
        )
        status = self.process_change_request(request, forwarded=False)
        if status is not None:
            self._effects.append(ChangeCompleted(event.RequestIdentifier, status))

    def propagate_directory_change(self, event: PropagateDirectoryChange) -> None:
        """Propagate Directory Change, [MC-MQDSRP] 3.1.7.1.2.

        Raises:
            ValueError: The number is not after LastSeqNumber, the object has no name, or there are more
                properties than a change holds.
        """
        if not self.is_authority(event.PartitionID):
            return
        partition = self.persistent.DirectoryPartitionCollection[event.PartitionID]
        last = partition.LastSeqNumber
        if event.SeqNumber <= last:
            raise ValueError(f"SeqNumber {int(event.SeqNumber)} is not after LastSeqNumber {int(last)}")
        kind = type_of_change(event.Operation, event.PropertyID, event.PropertyValue)
        if kind is None or len(event.PropertyID) != len(event.PropertyValue):
            return
        subject = Subject(kind, event.PathName, event.GuidIdentifier, event.PropertyID, event.PropertyValue)
        if event.Operation == Command.CREATE:
            subject = self.identified(event.PartitionID, subject, event.SeqNumber)
        if subject.path is None and subject.identifier is None:
            raise ValueError("the object has neither PathName nor GuidIdentifier")
        if len(subject.numbers) > MOST_PROPERTIES:
            raise ValueError(f"{len(subject.numbers)} properties; a change holds {MOST_PROPERTIES}")
        outcome = self.carry_out(partition, event.Operation, subject, event.SeqNumber, post=True)
        if outcome.status == MQ_OK:
            self.publish(partition, event.Operation, subject, event.SeqNumber)

    def read_next_sequence_number(self, event: ReadNextSequenceNumber) -> None:
        """Read Next Sequence Number, [MC-MQDSRP] 3.1.7.1.3."""
        number = MIN_SEQ_NUMBER
        if self.is_authority(event.PartitionID):
            number = self.persistent.DirectoryPartitionCollection[event.PartitionID].LastSeqNumber + 1
        self._effects.append(NextSequenceNumber(event.PartitionID, number))

    # ------------------------------------------------------------------------------------------ timers

    def timer_fired(self, event: TimerFired) -> None:
        """The timer events, [MC-MQDSRP] 3.3.6, and the end of a wait, 3.3.7.1."""
        self.time = event.time
        timer = event.timer
        if type(timer) is ChangePropagationTimer:
            neighbor = self.neighbors(timer.Scope).get(timer.MachineName)
            if neighbor is not None:
                self.send_change_propagation(neighbor, timer.Scope)
                self.start_propagation_timer(timer.MachineName, timer.Scope)
        elif type(timer) is BSCAckTimer:
            self.send_bsc_ack()
            self._effects.append(StartTimer(timer, self.settings.bsc_ack))
        elif type(timer) is ChangeRequestTimer:
            self.end_change_request(
                timer.RequesterName, timer.RequestIdentifier, MQDS_NO_RSP_FROM_OWNER, expired=True
            )
        elif type(timer) is ResetTimer:
            partition = self.partition(timer.PartitionID)
            if partition is not None:
                self.resume_reset(partition)


def _header_of(message: Any) -> Any:
    """The first header of a message, which three messages have within another one."""
    for name in ("ChangeRequestHeader", "SyncReplyHeader"):
        message = getattr(message, name, message)
    return message.BaseReplicationHeader


_EVENTS: Final[dict[type, Callable[[Machine, Any], None]]] = {
    Initialize: Machine.initialize,
    MessageReceived: Machine.receive,
    ChangeRemoteObject: Machine.change_remote_object,
    PropagateDirectoryChange: Machine.propagate_directory_change,
    ReadNextSequenceNumber: Machine.read_next_sequence_number,
    TimerFired: Machine.timer_fired,
}
_MESSAGES: Final[dict[str, Callable[[Machine, Any], None]]] = {
    "ChangePropagationMessage": Machine.receive_change_propagation,
    "ChangeRequestMessage": Machine.receive_change_request,
    "SyncRequestMessage": Machine.receive_sync_request,
    "SyncReplyMessage": Machine.receive_sync_reply,
    "ChangeReplyMessage": Machine.receive_change_reply,
    "AlreadyPurgedMessage": Machine.receive_already_purged,
    "PSCAckMessage": Machine.receive_psc_ack,
    "BSCAckMessage": Machine.receive_bsc_ack,
}
