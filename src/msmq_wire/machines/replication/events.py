"""Events and effects of a directory server.

1. An event is immutable and complete: it has its message, time and identifiers.
2. An effect is a request to the program that runs the machine.  The machine itself accesses objects only
   through its `Directory`.
3. A timer is named by its purpose.  Starting a running timer restarts it.
4. Times and durations are in seconds; the caller chooses the epoch.
"""

from __future__ import annotations

import enum

import msgspec

from msmq_wire.documents.mqmq import BaseHeaderFlags
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.packets.carriers import NORMAL
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.records.record import replace
from msmq_wire.values.errors import need
from msmq_wire.values.guid import GUID
from msmq_wire.values.properties import values as property_values
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER


class Command(enum.IntEnum):
    """The operation on an object, [MC-MQDSRP] 2.2.4."""

    CREATE = 0
    UPDATE = 1
    DELETE = 2
    SYNC = 3


class PropagationScope(enum.Enum):
    """The destination of a propagation: a BSC of the own site, or another site's PSC."""

    INTRASITE = "Intrasite"
    INTERSITE = "Intersite"


class Acknowledgment(enum.Enum):
    """The values of Message.AcknowledgmentRequested that [MC-MQDSRP] uses."""

    NONE = "None"
    NACK_REACH_QUEUE = "AckNackReachQueue"


# ---------------------------------------------------------------------------------------------- timers


class ChangePropagationTimer(msgspec.Struct, frozen=True, gc=False):
    """When changes go to a neighbor, [MC-MQDSRP] 3.3.2.1.

    Attributes:
        MachineName: The neighbor.
        Scope: Whether it is a BSC of this site or the PSC of another.
    """

    MachineName: str
    Scope: PropagationScope


class BSCAckTimer(msgspec.Struct, frozen=True, gc=False):
    """When a BSC acknowledges, [MC-MQDSRP] 3.3.2.2."""


class ChangeRequestTimer(msgspec.Struct, frozen=True, gc=False):
    """How long a change request waits for its reply, [MC-MQDSRP] 3.3.7.1.

    Attributes:
        RequesterName: The server that sent the request first.
        RequestIdentifier: The request, unique within that server.
    """

    RequesterName: str
    RequestIdentifier: int


class ResetTimer(msgspec.Struct, frozen=True, gc=False):
    """When a failed Reset Directory Partition is tried again, [MC-MQDSRP] 3.3.7.10 and 3.3.7.11.

    Attributes:
        PartitionID: The partition.
    """

    PartitionID: GUID


Timer = ChangePropagationTimer | BSCAckTimer | ChangeRequestTimer | ResetTimer


# ---------------------------------------------------------------------------------------------- events


class Initialize(msgspec.Struct, frozen=True, gc=False):
    """The server starts, for the first time or after a crash, [MC-MQDSRP] 3.1.3 and 3.3.3."""


class MessageReceived(msgspec.Struct, frozen=True, gc=False):
    """A message arrived in the replication queue, [MC-MQDSRP] 3.1.5.1.

    Attributes:
        message: The replication message; None if the body was empty.
        time: The time of arrival.
        Class: Class of the message that carried it ([MS-MQMQ] 2.2.18.1.6); 0: a normal one.  A negative
            acknowledgment brings back what this server had sent.
        destination: The machine to which a returned message had been sent.
    """

    message: mqdsrp.Message | None
    time: float = 0
    Class: int = NORMAL
    destination: str = ""

    @classmethod
    def of(cls, carrier: UserMessage, time: float = 0, destination: str = "") -> MessageReceived:
        """Create the event for a UserMessage from the replication queue.

        Args:
            carrier: The received message.
            time: The time of arrival.
            destination: For a negative acknowledgment, the machine that did not receive the message.

        Raises:
            DecodeError: The body cannot be decoded.
            WrongTypeError: `carrier` is not a UserMessage.
        """
        need("carrier", carrier, UserMessage, "a UserMessage")
        body = carrier.MessagePropertiesHeader.MessageBody
        return cls(
            mqdsrp.decode(body) if body else None,
            time,
            carrier.MessagePropertiesHeader.MessageClass,
            destination,
        )


class ChangeRemoteObject(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """This server's directory service requests a change of an object of another authority, 3.1.7.1.1.

    Attributes:
        Operation: The operation.
        PartitionID: Partition of the object.
        RequestIdentifier: Number of this request, unique within this server; `ChangeCompleted` repeats it.
        PathName: The object by its path name.
        GuidIdentifier: The object by its GUID; used where there is no path name.
        PropertyID: The properties; the first one determines the object type.
        PropertyValue: Their values.
    """

    Operation: Command
    PartitionID: GUID
    RequestIdentifier: int
    PathName: str | None = None
    GuidIdentifier: GUID | None = None
    PropertyID: tuple[int, ...] = ()
    PropertyValue: tuple[property_values.PropertyValue, ...] = ()


class PropagateDirectoryChange(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """This server's directory service has changed an object of its own, [MC-MQDSRP] 3.1.7.1.2.

    The directory already has the change, under the number that answered `ReadNextSequenceNumber`.

    Attributes:
        Operation: The operation.
        PartitionID: Partition of the object.
        SeqNumber: Number of the change.
        PathName: Path name of the object, if it has one.
        GuidIdentifier: GUID of the object.  A deletion needs it: the directory no longer knows it.
        PropertyID: The properties; of a deletion PROPID_D_SCOPE and PROPID_D_OBJTYPE.
        PropertyValue: Their values.
    """

    Operation: Command
    PartitionID: GUID
    SeqNumber: SEQUENCE_NUMBER
    PathName: str | None = None
    GuidIdentifier: GUID | None = None
    PropertyID: tuple[int, ...] = ()
    PropertyValue: tuple[property_values.PropertyValue, ...] = ()


class ReadNextSequenceNumber(msgspec.Struct, frozen=True, gc=False):
    """This server's directory service requests the number of its next change, [MC-MQDSRP] 3.1.7.1.3.

    Attributes:
        PartitionID: The partition to change.
    """

    PartitionID: GUID


class TimerFired(msgspec.Struct, frozen=True, gc=False):
    """A timer that was started has expired.

    Attributes:
        timer: The timer.
        time: The time of expiry.
    """

    timer: Timer
    time: float = 0


Event = (
    Initialize
    | MessageReceived
    | ChangeRemoteObject
    | PropagateDirectoryChange
    | ReadNextSequenceNumber
    | TimerFired
)


# --------------------------------------------------------------------------------------------- effects


class SendMessage(msgspec.Struct, frozen=True, gc=False):
    """A message is to be sent, [MC-MQDSRP] 3.1.7.2.1.

    Attributes:
        Destination: Name of the machine.
        ReplicationMessage: The message.
        Timeout: Seconds to reach the queue and to be received.
        Priority: 0 to 7.
        AckRequested: Whether a failure is reported.
        AdminQueueFormatName: Queue for that report, or None.
        ResponseQueueFormatName: Queue for answers, or None.
        again: Whether it was rejected for its signature and is sent a second time (3.3.7.9).
    """

    Destination: str
    ReplicationMessage: mqdsrp.Message
    Timeout: int
    Priority: int
    AckRequested: Acknowledgment
    AdminQueueFormatName: str | None
    ResponseQueueFormatName: str | None
    again: bool = False

    def to_user_message(self, queue_manager: GUID, *, message_id: int = 0, sent_time: int = 0) -> UserMessage:
        """Build the unsigned UserMessage that carries the message; see `mqdsrp.wrap`.

        Args:
            queue_manager: The sending queue manager.
            message_id: Number of the message, unique within its sender.
            sent_time: When it is sent, seconds since 1970.

        Raises:
            EncodeError: The message cannot be encoded, or the destination is not the name of a machine.
        """
        carrier = mqdsrp.wrap(
            self.ReplicationMessage,
            self.Destination,
            queue_manager,
            again=self.again,
            message_id=message_id,
            sent_time=sent_time,
        )
        header = carrier.BaseHeader
        if self.Priority == header.Flags.PR:
            return carrier
        flags = BaseHeaderFlags(PR=self.Priority)  # the switch `masked_priority` (errata D10)
        return replace(carrier, BaseHeader=replace(header, Flags=flags))


class StartTimer(msgspec.Struct, frozen=True, gc=False):
    """Start a timer that fires once; a running timer is restarted.

    Attributes:
        timer: The timer.
        after: Seconds from now.
    """

    timer: Timer
    after: float


class CancelTimer(msgspec.Struct, frozen=True, gc=False):
    """Cancel a timer.

    Attributes:
        timer: The timer.
    """

    timer: Timer


class ChangeCompleted(msgspec.Struct, frozen=True, gc=False):
    """The result of a `ChangeRemoteObject`.

    Attributes:
        RequestIdentifier: That of the event.
        Status: The HRESULT, 0 for success.
    """

    RequestIdentifier: int
    Status: int


class NextSequenceNumber(msgspec.Struct, frozen=True, gc=False):
    """The answer to `ReadNextSequenceNumber`.

    Attributes:
        PartitionID: That of the event.
        SeqNumber: Number for the next change; MIN_SEQ_NUMBER where this server is not the authority.
    """

    PartitionID: GUID
    SeqNumber: SEQUENCE_NUMBER


class OpenQueue(msgspec.Struct, frozen=True, gc=False):
    """Open the replication queue; its messages become `MessageReceived` events, 3.1.3.3.

    Attributes:
        FormatName: The queue.
        RequiredAccess: The required access.
        SharedMode: The sharing mode.
    """

    FormatName: str
    RequiredAccess: str = "ReceiveAccess"
    SharedMode: str = "DenyNone"


Effect = OpenQueue | SendMessage | StartTimer | CancelTimer | ChangeCompleted | NextSequenceNumber
