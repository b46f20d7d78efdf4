"""Generated from the layouts; do not edit.  The nox session `stubs` writes it anew."""

from collections.abc import Iterable
from typing import Any
import uuid
from msmq_wire.documents import mqdsrp
from msmq_wire.documents import directory_properties
from msmq_wire.values import propid
from msmq_wire.records.record import Record
from msmq_wire.values.guid import GUID
from msmq_wire.values.property_values import PropertyValue
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

__all__ = [
    "PARTITION_SEQ_NUMBERS",
    "AlreadyPurgedMessage",
    "BSCAckMessage",
    "BaseReplicationHeader",
    "ChangePropagationMessage",
    "ChangeReplyMessage",
    "ChangeRequestHeader",
    "ChangeRequestMessage",
    "DirectoryChange",
    "PSCAckMessage",
    "SeqNumberHeader",
    "SyncReplyHeader",
    "SyncReplyMessage",
    "SyncRequestMessage",
]

_Guid = GUID | uuid.UUID | str | bytes

_Number = SEQUENCE_NUMBER | int | str | bytes

class PARTITION_SEQ_NUMBERS(Record):
    """How far a directory partition has come.

    Attributes:
        PartitionID: the directory partition.
        LastSeqNumber: its newest change.
        PurgedSeqNumber: its purged sequence number.
    """
    def __init__(
        self,
        PartitionID: _Guid = ...,
        LastSeqNumber: _Number = ...,
        PurgedSeqNumber: _Number = ...,
    ) -> None: ...
    @property
    def PartitionID(self) -> GUID:
        """The directory partition."""
    @property
    def LastSeqNumber(self) -> SEQUENCE_NUMBER:
        """Its newest change."""
    @property
    def PurgedSeqNumber(self) -> SEQUENCE_NUMBER:
        """Its purged sequence number."""

class AlreadyPurgedMessage(Record):
    """Says that the changes asked for are gone (operation 0x05).

    Attributes:
        BaseReplicationHeader: operation 0x05.
        PartitionID: partition that was asked for.
        PurgedSeqNumber: its purged sequence number.
    """
    def __init__(
        self,
        BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
        PartitionID: _Guid = ...,
        PurgedSeqNumber: _Number = ...,
    ) -> None: ...
    @property
    def BaseReplicationHeader(self) -> mqdsrp.BaseReplicationHeader:
        """Operation 0x05."""
    @property
    def PartitionID(self) -> GUID:
        """Partition that was asked for."""
    @property
    def PurgedSeqNumber(self) -> SEQUENCE_NUMBER:
        """Its purged sequence number."""

class BSCAckMessage(Record):
    """A backup site controller acknowledges to its primary (operation 0x07).

    Attributes:
        BaseReplicationHeader: operation 0x07.
        BSCMachineID: queue manager of the backup site controller.
        BSCName: its machine name, terminator not included.
    """
    def __init__(
        self,
        BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
        BSCMachineID: _Guid = ...,
        BSCName: str = ...,
    ) -> None: ...
    @property
    def BaseReplicationHeader(self) -> mqdsrp.BaseReplicationHeader:
        """Operation 0x07."""
    @property
    def BSCMachineID(self) -> GUID:
        """Queue manager of the backup site controller."""
    @property
    def BSCName(self) -> str:
        """Its machine name, terminator not included."""

class BaseReplicationHeader(Record):
    """The first header of every replication message: its operation and its sender's site.

    Attributes:
        Version: 0x00.
        SiteID: site of the sending queue manager.
        Operation: type of the message.
    """
    def __init__(
        self,
        Version: int = ...,
        SiteID: _Guid = ...,
        Operation: int = ...,
    ) -> None: ...
    @property
    def Version(self) -> int:
        """0x00."""
    @property
    def SiteID(self) -> GUID:
        """Site of the sending queue manager."""
    @property
    def Operation(self) -> int:
        """Type of the message."""

class ChangePropagationMessage(Record):
    """Brings new changes to the directory's neighbors (operation 0x00).

    Attributes:
        BaseReplicationHeader: operation 0x00.
        Flush: 1: a flush message, not to be flushed on.
        Count: count of changes.
        DirectoryChanges: the changes.
        SeqNumberHeader: numbers of the sender's partitions.
    """
    def __init__(
        self,
        BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
        Flush: int = ...,
        Count: int = ...,
        DirectoryChanges: Iterable[mqdsrp.DirectoryChange] = ...,
        SeqNumberHeader: mqdsrp.SeqNumberHeader = ...,
    ) -> None: ...
    @property
    def BaseReplicationHeader(self) -> mqdsrp.BaseReplicationHeader:
        """Operation 0x00."""
    @property
    def Flush(self) -> int:
        """1: a flush message, not to be flushed on."""
    @property
    def Count(self) -> int:
        """Count of changes."""
    @property
    def DirectoryChanges(self) -> tuple[mqdsrp.DirectoryChange, ...]:
        """The changes."""
    @property
    def SeqNumberHeader(self) -> mqdsrp.SeqNumberHeader:
        """Numbers of the sender's partitions."""

class ChangeReplyMessage(Record):
    """Says what became of a requested change (operation 0x04).

    Attributes:
        BaseReplicationHeader: operation 0x04.
        RequestIdentifier: of the request that this answers.
        Result: HRESULT of the change.
        RequesterName: machine that asked first, terminator not included.
    """
    def __init__(
        self,
        BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
        RequestIdentifier: int = ...,
        Result: int = ...,
        RequesterName: str = ...,
    ) -> None: ...
    @property
    def BaseReplicationHeader(self) -> mqdsrp.BaseReplicationHeader:
        """Operation 0x04."""
    @property
    def RequestIdentifier(self) -> int:
        """Of the request that this answers."""
    @property
    def Result(self) -> int:
        """HRESULT of the change."""
    @property
    def RequesterName(self) -> str:
        """Machine that asked first, terminator not included."""

class ChangeRequestHeader(Record):
    """Who asks the object authority for a change.

    Attributes:
        BaseReplicationHeader: operation 0x01.
        PartitionID: partition of the object.
        RequestIdentifier: correlates reply and request, unique within the requester.
        PSCNameOffset: WCHARs from the beginning of RequesterName to PSCName; 0: no PSCName.
        RequesterName: machine that asked first, terminator not included.
        PSCName: primary site controller of that machine, terminator not included; only from a BSC.
    """
    def __init__(
        self,
        BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
        PartitionID: _Guid = ...,
        RequestIdentifier: int = ...,
        PSCNameOffset: int = ...,
        RequesterName: str = ...,
        PSCName: str | None = ...,
    ) -> None: ...
    @property
    def BaseReplicationHeader(self) -> mqdsrp.BaseReplicationHeader:
        """Operation 0x01."""
    @property
    def PartitionID(self) -> GUID:
        """Partition of the object."""
    @property
    def RequestIdentifier(self) -> int:
        """Correlates reply and request, unique within the requester."""
    @property
    def PSCNameOffset(self) -> int:
        """WCHARs from the beginning of RequesterName to PSCName; 0: no PSCName."""
    @property
    def RequesterName(self) -> str:
        """Machine that asked first, terminator not included."""
    @property
    def PSCName(self) -> str | None:
        """Primary site controller of that machine, terminator not included; only from a BSC."""

class ChangeRequestMessage(Record):
    """Asks the object authority to change an object (operation 0x01).

    Attributes:
        ChangeRequestHeader: who asks, and for which partition.
        DirectoryChange: the change asked for.
    """
    def __init__(
        self,
        ChangeRequestHeader: mqdsrp.ChangeRequestHeader = ...,
        DirectoryChange: mqdsrp.DirectoryChange = ...,
    ) -> None: ...
    @property
    def ChangeRequestHeader(self) -> mqdsrp.ChangeRequestHeader:
        """Who asks, and for which partition."""
    @property
    def DirectoryChange(self) -> mqdsrp.DirectoryChange:
        """The change asked for."""

class DirectoryChange(Record):
    """One change of one directory object.

    Attributes:
        Command: what is done to the object.
        UseGuid: 0: PathName names the object, 1: GuidIdentifier does.
        PathName: path name of the object, terminator not included; present if UseGuid is 0.
        GuidIdentifier: identifier of the object; present if UseGuid is 1.
        PartitionID: partition that the change belongs to.
        PreviousSeqNumber: the change before this one in the partition.
        SeqNumber: this change.
        PurgedSeqNumber: purged sequence number of the partition.
        NumberOfProperties: count of properties.
        PropertyID: identifiers of the properties.
        PropertyValue: their values, each in the form that its identifier asks for.
    """
    def __init__(
        self,
        Command: int = ...,
        UseGuid: int = ...,
        PathName: str | None = ...,
        GuidIdentifier: _Guid | None = ...,
        PartitionID: _Guid = ...,
        PreviousSeqNumber: _Number = ...,
        SeqNumber: _Number = ...,
        PurgedSeqNumber: _Number = ...,
        NumberOfProperties: int = ...,
        PropertyID: Iterable[int] = ...,
        PropertyValue: Iterable[Any] = ...,
    ) -> None: ...
    @property
    def Command(self) -> int:
        """What is done to the object."""
    @property
    def UseGuid(self) -> int:
        """0: PathName names the object, 1: GuidIdentifier does."""
    @property
    def PathName(self) -> str | None:
        """Path name of the object, terminator not included; present if UseGuid is 0."""
    @property
    def GuidIdentifier(self) -> GUID | None:
        """Identifier of the object; present if UseGuid is 1."""
    @property
    def PartitionID(self) -> GUID:
        """Partition that the change belongs to."""
    @property
    def PreviousSeqNumber(self) -> SEQUENCE_NUMBER:
        """The change before this one in the partition."""
    @property
    def SeqNumber(self) -> SEQUENCE_NUMBER:
        """This change."""
    @property
    def PurgedSeqNumber(self) -> SEQUENCE_NUMBER:
        """Purged sequence number of the partition."""
    @property
    def NumberOfProperties(self) -> int:
        """Count of properties."""
    @property
    def PropertyID(self) -> tuple[int, ...]:
        """Identifiers of the properties."""
    @property
    def PropertyValue(self) -> tuple[PropertyValue, ...]:
        """Their values, each in the form that its identifier asks for."""
    @property
    def properties(self) -> directory_properties.Properties:
        """From the identifiers and `PropertyValue`: what the properties mean, by name."""
    @property
    def object_class(self) -> propid.ObjectClass | None:
        """From `Command` and the first properties: what kind of object changed; None if that is not told."""

class PSCAckMessage(Record):
    """A primary site controller acknowledges to the object authority (operation 0x06).

    Attributes:
        BaseReplicationHeader: operation 0x06.
        PSCSiteID: site of the primary site controller.
        AckedPartitionID: partition that is acknowledged.
        AckedSeqNumber: up to this change.
        PSCName: machine name of the controller, terminator not included.
    """
    def __init__(
        self,
        BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
        PSCSiteID: _Guid = ...,
        AckedPartitionID: _Guid = ...,
        AckedSeqNumber: _Number = ...,
        PSCName: str = ...,
    ) -> None: ...
    @property
    def BaseReplicationHeader(self) -> mqdsrp.BaseReplicationHeader:
        """Operation 0x06."""
    @property
    def PSCSiteID(self) -> GUID:
        """Site of the primary site controller."""
    @property
    def AckedPartitionID(self) -> GUID:
        """Partition that is acknowledged."""
    @property
    def AckedSeqNumber(self) -> SEQUENCE_NUMBER:
        """Up to this change."""
    @property
    def PSCName(self) -> str:
        """Machine name of the controller, terminator not included."""

class SeqNumberHeader(Record):
    """How far the sender's partitions have come.

    Attributes:
        Count: count of partitions.
        MachineName: machine that sends, terminator not included; absent if Count is 0.
        PartitionSeqNumbers: the partitions' numbers.
    """
    def __init__(
        self,
        Count: int = ...,
        MachineName: str | None = ...,
        PartitionSeqNumbers: Iterable[mqdsrp.PARTITION_SEQ_NUMBERS] = ...,
    ) -> None: ...
    @property
    def Count(self) -> int:
        """Count of partitions."""
    @property
    def MachineName(self) -> str | None:
        """Machine that sends, terminator not included; absent if Count is 0."""
    @property
    def PartitionSeqNumbers(self) -> tuple[mqdsrp.PARTITION_SEQ_NUMBERS, ...]:
        """The partitions' numbers."""

class SyncReplyHeader(Record):
    """Which changes a synchronization reply brings.

    Attributes:
        BaseReplicationHeader: operation 0x03.
        PartitionID: partition that the reply is about.
        FromSeqNumber: where the synchronization starts.
        ToSeqNumber: where it ends.
        PurgedSeqNumber: purged sequence number of the partition.
        Count: count of changes in the message.
        CompleteSync0: state of sync0 on the object authority.
    """
    def __init__(
        self,
        BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
        PartitionID: _Guid = ...,
        FromSeqNumber: _Number = ...,
        ToSeqNumber: _Number = ...,
        PurgedSeqNumber: _Number = ...,
        Count: int = ...,
        CompleteSync0: int = ...,
    ) -> None: ...
    @property
    def BaseReplicationHeader(self) -> mqdsrp.BaseReplicationHeader:
        """Operation 0x03."""
    @property
    def PartitionID(self) -> GUID:
        """Partition that the reply is about."""
    @property
    def FromSeqNumber(self) -> SEQUENCE_NUMBER:
        """Where the synchronization starts."""
    @property
    def ToSeqNumber(self) -> SEQUENCE_NUMBER:
        """Where it ends."""
    @property
    def PurgedSeqNumber(self) -> SEQUENCE_NUMBER:
        """Purged sequence number of the partition."""
    @property
    def Count(self) -> int:
        """Count of changes in the message."""
    @property
    def CompleteSync0(self) -> int:
        """State of sync0 on the object authority."""

class SyncReplyMessage(Record):
    """Brings the changes of a partition (operation 0x03).

    Attributes:
        SyncReplyHeader: partition, range and state.
        DirectoryChanges: the changes, as many as SyncReplyHeader.Count says.
    """
    def __init__(
        self,
        SyncReplyHeader: mqdsrp.SyncReplyHeader = ...,
        DirectoryChanges: Iterable[mqdsrp.DirectoryChange] = ...,
    ) -> None: ...
    @property
    def SyncReplyHeader(self) -> mqdsrp.SyncReplyHeader:
        """Partition, range and state."""
    @property
    def DirectoryChanges(self) -> tuple[mqdsrp.DirectoryChange, ...]:
        """The changes, as many as SyncReplyHeader.Count says."""

class SyncRequestMessage(Record):
    """Asks for the changes of a partition (operation 0x02).

    Attributes:
        BaseReplicationHeader: operation 0x02.
        PartitionID: partition to synchronize.
        FromSeqNumber: where to start.
        ToSeqNumber: where to end.
        KnownPurgedSeqNumber: purged sequence number that the requester knows.
        IsSync0: 1: the partition is in the sync0 state.
        Scope: 1: enterprise scope only.
        RequesterName: machine that sends, terminator not included.
    """
    def __init__(
        self,
        BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
        PartitionID: _Guid = ...,
        FromSeqNumber: _Number = ...,
        ToSeqNumber: _Number = ...,
        KnownPurgedSeqNumber: _Number = ...,
        IsSync0: int = ...,
        Scope: int = ...,
        RequesterName: str = ...,
    ) -> None: ...
    @property
    def BaseReplicationHeader(self) -> mqdsrp.BaseReplicationHeader:
        """Operation 0x02."""
    @property
    def PartitionID(self) -> GUID:
        """Partition to synchronize."""
    @property
    def FromSeqNumber(self) -> SEQUENCE_NUMBER:
        """Where to start."""
    @property
    def ToSeqNumber(self) -> SEQUENCE_NUMBER:
        """Where to end."""
    @property
    def KnownPurgedSeqNumber(self) -> SEQUENCE_NUMBER:
        """Purged sequence number that the requester knows."""
    @property
    def IsSync0(self) -> int:
        """1: the partition is in the sync0 state."""
    @property
    def Scope(self) -> int:
        """1: enterprise scope only."""
    @property
    def RequesterName(self) -> str:
        """Machine that sends, terminator not included."""
