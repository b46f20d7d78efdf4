"""[MC-MQDSRP] 2.2: the messages of directory replication.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from codecs import utf_16_le_decode as decode_utf16
from codecs import utf_16_le_encode as encode_utf16
from struct import Struct
from typing import TYPE_CHECKING, Any, ClassVar

from msmq_wire.records.flags import Flags
from msmq_wire.records.record import Record
from msmq_wire.records.registry import register
from msmq_wire.values.guid import GUID
from msmq_wire.values.properties.lists import LIST_BYTES, readers_of
from msmq_wire.values.properties.values import add_values
from msmq_wire.values.reject import Reject
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER
from msmq_wire.values.wchar import find_terminator

from . import readings

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterable, Mapping
    from typing import Self

    from msmq_wire.documents import directory_properties, mqdsrp, propid
    from msmq_wire.values.limits import Limits
    from msmq_wire.values.properties.values import PropertyValue

    _Guid = GUID | uuid.UUID | str | bytes
    _Number = SEQUENCE_NUMBER | int | str | bytes
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
join = b"".join


# -------------------------------------------------------------- [MC-MQDSRP] 2.2.3 PARTITION_SEQ_NUMBERS


class PARTITION_SEQ_NUMBERS(Record, frozen=True, gc=False):
    """The sequence numbers of a directory partition ([MC-MQDSRP] 2.2.3).

    Attributes:
        PartitionID: The directory partition.
        LastSeqNumber: Its newest change.
        PurgedSeqNumber: Its purged sequence number.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    PartitionID: GUID
    LastSeqNumber: SEQUENCE_NUMBER
    PurgedSeqNumber: SEQUENCE_NUMBER

    if TYPE_CHECKING:

        def __init__(
            self,
            PartitionID: _Guid = ...,
            LastSeqNumber: _Number = ...,
            PurgedSeqNumber: _Number = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            PartitionID: _Guid = ...,
            LastSeqNumber: _Number = ...,
            PurgedSeqNumber: _Number = ...,
        ) -> Self: ...


new_PARTITION_SEQ_NUMBERS = PARTITION_SEQ_NUMBERS.raw
unpack_16s8s8s = Struct("<16s8s8s").unpack_from


def decode_PARTITION_SEQ_NUMBERS(
    data: bytes, pos: int, end: int, limits: Limits, origin: int | None = None
) -> tuple[PARTITION_SEQ_NUMBERS, int]:
    purged_seq_number_end = pos + 32
    if purged_seq_number_end > end:
        raise Reject
    partition_id, last_seq_number, purged_seq_number = unpack_16s8s8s(data, pos)
    return new_PARTITION_SEQ_NUMBERS(
        *(GUID(partition_id), SEQUENCE_NUMBER(last_seq_number), SEQUENCE_NUMBER(purged_seq_number))
    ), purged_seq_number_end


pack_16s8s8s = Struct("<16s8s8s").pack


def encode_PARTITION_SEQ_NUMBERS(record: PARTITION_SEQ_NUMBERS) -> bytes:
    return pack_16s8s8s(record.PartitionID.bytes_le, record.LastSeqNumber.raw, record.PurgedSeqNumber.raw)


register(PARTITION_SEQ_NUMBERS, decode_PARTITION_SEQ_NUMBERS, encode_PARTITION_SEQ_NUMBERS)


# -------------------------------------------------------------------- [MC-MQDSRP] 2.2.4 DirectoryChange


class DirectoryChange(Record, frozen=True, gc=False):
    """One change of one directory object ([MC-MQDSRP] 2.2.4).

    Attributes:
        Command: The operation on the object.
        UseGuid: 0: PathName names the object, 1: GuidIdentifier does.
        PathName: Path name of the object, terminator not included; present if UseGuid is 0.
        GuidIdentifier: Identifier of the object; present if UseGuid is 1.
        PartitionID: Partition that the change belongs to.
        PreviousSeqNumber: The change before this one in the partition.
        SeqNumber: This change.
        PurgedSeqNumber: Purged sequence number of the partition.
        NumberOfProperties: Count of properties.
        PropertyID: Identifiers of the properties.
        PropertyValue: Their values, each in the form that its identifier asks for.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    Command: int
    UseGuid: int
    PathName: str | None
    GuidIdentifier: GUID | None
    PartitionID: GUID
    PreviousSeqNumber: SEQUENCE_NUMBER
    SeqNumber: SEQUENCE_NUMBER
    PurgedSeqNumber: SEQUENCE_NUMBER
    NumberOfProperties: int
    PropertyID: tuple[int, ...]
    PropertyValue: tuple[PropertyValue, ...]

    if TYPE_CHECKING:

        def __init__(
            self,
            Command: int = 0,
            UseGuid: int = ...,
            PathName: str | None = None,
            GuidIdentifier: _Guid | None = None,
            PartitionID: _Guid = ...,
            PreviousSeqNumber: _Number = ...,
            SeqNumber: _Number = ...,
            PurgedSeqNumber: _Number = ...,
            NumberOfProperties: int = ...,
            PropertyID: Iterable[int] = (),
            PropertyValue: Iterable[Any] = (),
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
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
        ) -> Self: ...

    @property
    def properties(self) -> directory_properties.Properties:
        """From the identifiers and `PropertyValue`: the values of the properties, by name."""
        return readings.properties(self)

    @property
    def object_class(self) -> propid.ObjectClass | None:
        """From `Command` and the first properties: the class of the changed object; None if unknown."""
        return readings.object_class(self)


unpack_BB = Struct("<BB").unpack_from
unpack_16s = Struct("<16s").unpack_from
unpack_16s8s8s8sB = Struct("<16s8s8s8sB").unpack_from
new_DirectoryChange = DirectoryChange.raw


def decode_DirectoryChange(
    data: bytes, pos: int, end: int, limits: Limits, origin: int | None = None
) -> tuple[DirectoryChange, int]:
    readers = readers_of(limits)
    use_guid_end = pos + 2
    if use_guid_end > end:
        raise Reject
    command, use_guid = unpack_BB(data, pos)
    if use_guid not in (0, 1):
        raise Reject
    if use_guid == 0:
        path_name_end = find_terminator(data, use_guid_end, end)
        if path_name_end < 0:
            raise Reject
        if (path_name_end - (use_guid_end)) // 2 > limits.string_length:
            raise Reject
        path_name = decode_utf16(data[use_guid_end:path_name_end], "surrogatepass", True)[0]
        use_guid_end = path_name_end + 2
    else:
        path_name = None
    if use_guid == 1:
        guid_identifier_2_end = use_guid_end + 16
        if guid_identifier_2_end > end:
            raise Reject
        (guid_identifier_2,) = unpack_16s(data, use_guid_end)
        guid_identifier = GUID(guid_identifier_2)
        use_guid_end = guid_identifier_2_end
    else:
        guid_identifier = None
    number_of_properties_end = use_guid_end + 41
    if number_of_properties_end > end:
        raise Reject
    partition_id, previous_seq_number, seq_number, purged_seq_number, number_of_properties = (
        unpack_16s8s8s8sB(data, use_guid_end)
    )
    if number_of_properties > limits.properties:
        raise Reject
    property_id_end = number_of_properties_end + number_of_properties * 4
    if property_id_end > end:
        raise Reject
    property_id, read_values = readers[data[number_of_properties_end:property_id_end]]
    property_value, property_value_end = read_values(data, property_id_end, end)
    return new_DirectoryChange(
        *(
            command,
            use_guid,
            path_name,
            guid_identifier,
            GUID(partition_id),
            SEQUENCE_NUMBER(previous_seq_number),
            SEQUENCE_NUMBER(seq_number),
            SEQUENCE_NUMBER(purged_seq_number),
            number_of_properties,
            property_id,
            property_value,
        )
    ), property_value_end


pack_BB = Struct("<BB").pack
pack_16s8s8s8sB = Struct("<16s8s8s8sB").pack


def encode_DirectoryChange(record: DirectoryChange) -> bytes:
    path_name = record.PathName
    guid_identifier = record.GuidIdentifier
    parts: list[bytes] = []
    parts.append(pack_BB(record.Command, record.UseGuid))
    if path_name is not None:
        parts.append(encode_utf16(path_name, "surrogatepass")[0])
        parts.append(b"\0\0")
    if guid_identifier is not None:
        parts.append(guid_identifier.bytes_le)
    parts.append(
        pack_16s8s8s8sB(
            record.PartitionID.bytes_le,
            record.PreviousSeqNumber.raw,
            record.SeqNumber.raw,
            record.PurgedSeqNumber.raw,
            record.NumberOfProperties,
        )
    )
    parts.append(LIST_BYTES[record.PropertyID])
    add_values(record.PropertyValue, parts)
    return join(parts)


register(DirectoryChange, decode_DirectoryChange, encode_DirectoryChange)


# ------------------------------------------------------------ [MC-MQDSRP] 2.2.5.1 BaseReplicationHeader


class BaseReplicationHeader(Record, frozen=True, gc=False):
    """The first header of every replication message: its operation and its sender's site ([MC-MQDSRP]
    2.2.5.1).

    Attributes:
        Version: 0x00.
        SiteID: Site of the sending queue manager.
        Operation: Type of the message.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    Version: int
    SiteID: GUID
    Operation: int

    if TYPE_CHECKING:

        def __init__(
            self,
            Version: int = 0,
            SiteID: _Guid = ...,
            Operation: int = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Version: int = ...,
            SiteID: _Guid = ...,
            Operation: int = ...,
        ) -> Self: ...


new_BaseReplicationHeader = BaseReplicationHeader.raw
unpack_B16sB = Struct("<B16sB").unpack_from


def decode_BaseReplicationHeader(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[BaseReplicationHeader, int]:
    operation_end = pos + 18
    if operation_end > end:
        raise Reject
    version, site_id, operation = unpack_B16sB(data, pos)
    return new_BaseReplicationHeader(*(version, GUID(site_id), operation)), operation_end


pack_B16sB = Struct("<B16sB").pack


def encode_BaseReplicationHeader(record: BaseReplicationHeader) -> bytes:
    return pack_B16sB(record.Version, record.SiteID.bytes_le, record.Operation)


register(BaseReplicationHeader, decode_BaseReplicationHeader, encode_BaseReplicationHeader)


# -------------------------------------------------------------- [MC-MQDSRP] 2.2.5.2 ChangeRequestHeader


class ChangeRequestHeader(Record, frozen=True, gc=False):
    """Identifies the queue manager that requests a change from the object authority ([MC-MQDSRP]
    2.2.5.2).

    Attributes:
        BaseReplicationHeader: Operation 0x01.
        PartitionID: Partition of the object.
        RequestIdentifier: Correlates reply and request, unique within the requester.
        PSCNameOffset: WCHARs from the beginning of RequesterName to PSCName; 0: no PSCName.
        RequesterName: Machine that asked first, terminator not included.
        PSCName: Primary site controller of that machine, terminator not included; only from a BSC.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseReplicationHeader: mqdsrp.BaseReplicationHeader
    PartitionID: GUID
    RequestIdentifier: int
    PSCNameOffset: int
    RequesterName: str
    PSCName: str | None

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            PartitionID: _Guid = ...,
            RequestIdentifier: int = 0,
            PSCNameOffset: int = ...,
            RequesterName: str = "",
            PSCName: str | None = None,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            PartitionID: _Guid = ...,
            RequestIdentifier: int = ...,
            PSCNameOffset: int = ...,
            RequesterName: str = ...,
            PSCName: str | None = ...,
        ) -> Self: ...


unpack_B16sB16sII = Struct("<B16sB16sII").unpack_from
new_ChangeRequestHeader = ChangeRequestHeader.raw


def decode_ChangeRequestHeader(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[ChangeRequestHeader, int]:
    psc_name_offset_end = pos + 42
    if psc_name_offset_end > end:
        raise Reject
    version, site_id, operation, partition_id, request_identifier, psc_name_offset = unpack_B16sB16sII(
        data, pos
    )
    requester_name_start = psc_name_offset_end
    requester_name_end = find_terminator(data, psc_name_offset_end, end)
    if requester_name_end < 0:
        raise Reject
    if (requester_name_end - (psc_name_offset_end)) // 2 > limits.string_length:
        raise Reject
    psc_name_start = requester_name_end + 2
    if psc_name_offset:
        if psc_name_start - requester_name_start != psc_name_offset * 2:
            raise Reject
        psc_name_end = find_terminator(data, psc_name_start, end)
        if psc_name_end < 0:
            raise Reject
        if (psc_name_end - (psc_name_start)) // 2 > limits.string_length:
            raise Reject
        psc_name = decode_utf16(data[psc_name_start:psc_name_end], "surrogatepass", True)[0]
        psc_name_start = psc_name_end + 2
    else:
        psc_name = None
    return new_ChangeRequestHeader(
        *(
            new_BaseReplicationHeader(*(version, GUID(site_id), operation)),
            GUID(partition_id),
            request_identifier,
            psc_name_offset,
            decode_utf16(data[psc_name_offset_end:requester_name_end], "surrogatepass", True)[0],
            psc_name,
        )
    ), psc_name_start


pack_B16sB16sII = Struct("<B16sB16sII").pack


def encode_ChangeRequestHeader(record: ChangeRequestHeader) -> bytes:
    base_replication_header = record.BaseReplicationHeader
    psc_name = record.PSCName
    return join(
        (
            pack_B16sB16sII(
                base_replication_header.Version,
                base_replication_header.SiteID.bytes_le,
                base_replication_header.Operation,
                record.PartitionID.bytes_le,
                record.RequestIdentifier,
                record.PSCNameOffset,
            ),
            encode_utf16(record.RequesterName, "surrogatepass")[0],
            b"\0\0",
            (b"" if psc_name is None else encode_utf16(psc_name, "surrogatepass")[0] + b"\0\0"),
        )
    )


register(ChangeRequestHeader, decode_ChangeRequestHeader, encode_ChangeRequestHeader)


# ------------------------------------------------------------------ [MC-MQDSRP] 2.2.5.3 SyncReplyHeader


class SyncReplyHeader(Record, frozen=True, gc=False):
    """The range of the changes in a synchronization reply ([MC-MQDSRP] 2.2.5.3).

    Attributes:
        BaseReplicationHeader: Operation 0x03.
        PartitionID: Partition that the reply is about.
        FromSeqNumber: Where the synchronization starts.
        ToSeqNumber: Where it ends.
        PurgedSeqNumber: Purged sequence number of the partition.
        Count: Count of changes in the message.
        CompleteSync0: State of sync0 on the object authority.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseReplicationHeader: mqdsrp.BaseReplicationHeader
    PartitionID: GUID
    FromSeqNumber: SEQUENCE_NUMBER
    ToSeqNumber: SEQUENCE_NUMBER
    PurgedSeqNumber: SEQUENCE_NUMBER
    Count: int
    CompleteSync0: int

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            PartitionID: _Guid = ...,
            FromSeqNumber: _Number = ...,
            ToSeqNumber: _Number = ...,
            PurgedSeqNumber: _Number = ...,
            Count: int = ...,
            CompleteSync0: int = 0,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            PartitionID: _Guid = ...,
            FromSeqNumber: _Number = ...,
            ToSeqNumber: _Number = ...,
            PurgedSeqNumber: _Number = ...,
            Count: int = ...,
            CompleteSync0: int = ...,
        ) -> Self: ...


new_SyncReplyHeader = SyncReplyHeader.raw
unpack_B16sB16s8s8s8sII = Struct("<B16sB16s8s8s8sII").unpack_from


def decode_SyncReplyHeader(data: bytes, pos: int, end: int, limits: Limits) -> tuple[SyncReplyHeader, int]:
    complete_sync0_end = pos + 66
    if complete_sync0_end > end:
        raise Reject
    (
        version,
        site_id,
        operation,
        partition_id,
        from_seq_number,
        to_seq_number,
        purged_seq_number,
        count,
        complete_sync0,
    ) = unpack_B16sB16s8s8s8sII(data, pos)
    return new_SyncReplyHeader(
        *(
            new_BaseReplicationHeader(*(version, GUID(site_id), operation)),
            GUID(partition_id),
            SEQUENCE_NUMBER(from_seq_number),
            SEQUENCE_NUMBER(to_seq_number),
            SEQUENCE_NUMBER(purged_seq_number),
            count,
            complete_sync0,
        )
    ), complete_sync0_end


pack_B16sB16s8s8s8sII = Struct("<B16sB16s8s8s8sII").pack


def encode_SyncReplyHeader(record: SyncReplyHeader) -> bytes:
    base_replication_header = record.BaseReplicationHeader
    return pack_B16sB16s8s8s8sII(
        base_replication_header.Version,
        base_replication_header.SiteID.bytes_le,
        base_replication_header.Operation,
        record.PartitionID.bytes_le,
        record.FromSeqNumber.raw,
        record.ToSeqNumber.raw,
        record.PurgedSeqNumber.raw,
        record.Count,
        record.CompleteSync0,
    )


register(SyncReplyHeader, decode_SyncReplyHeader, encode_SyncReplyHeader)


# ------------------------------------------------------------------ [MC-MQDSRP] 2.2.5.4 SeqNumberHeader


class SeqNumberHeader(Record, frozen=True, gc=False):
    """The sequence numbers of the sender's partitions ([MC-MQDSRP] 2.2.5.4).

    Attributes:
        Count: Count of partitions.
        MachineName: Machine that sends, terminator not included; absent if Count is 0.
        PartitionSeqNumbers: The partitions' numbers.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    Count: int
    MachineName: str | None
    PartitionSeqNumbers: tuple[mqdsrp.PARTITION_SEQ_NUMBERS, ...]

    if TYPE_CHECKING:

        def __init__(
            self,
            Count: int = ...,
            MachineName: str | None = None,
            PartitionSeqNumbers: Iterable[mqdsrp.PARTITION_SEQ_NUMBERS] = (),
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Count: int = ...,
            MachineName: str | None = ...,
            PartitionSeqNumbers: Iterable[mqdsrp.PARTITION_SEQ_NUMBERS] = ...,
        ) -> Self: ...


unpack_H = Struct("<H").unpack_from
new_SeqNumberHeader = SeqNumberHeader.raw


def decode_SeqNumberHeader(data: bytes, pos: int, end: int, limits: Limits) -> tuple[SeqNumberHeader, int]:
    count_end = pos + 2
    if count_end > end:
        raise Reject
    (count,) = unpack_H(data, pos)
    if count:
        machine_name_end = find_terminator(data, count_end, end)
        if machine_name_end < 0:
            raise Reject
        if (machine_name_end - (count_end)) // 2 > limits.string_length:
            raise Reject
        machine_name = decode_utf16(data[count_end:machine_name_end], "surrogatepass", True)[0]
        count_end = machine_name_end + 2
    else:
        machine_name = None
    if count > limits.elements:
        raise Reject
    partition_seq_numbers = []
    for _ in range(count):
        purged_seq_number_end = count_end + 32
        if purged_seq_number_end > end:
            raise Reject
        partition_id, last_seq_number, purged_seq_number = unpack_16s8s8s(data, count_end)
        partition_seq_numbers.append(
            new_PARTITION_SEQ_NUMBERS(
                *(GUID(partition_id), SEQUENCE_NUMBER(last_seq_number), SEQUENCE_NUMBER(purged_seq_number))
            )
        )
        count_end = purged_seq_number_end
    return new_SeqNumberHeader(*(count, machine_name, tuple(partition_seq_numbers))), count_end


pack_H = Struct("<H").pack


def encode_SeqNumberHeader(record: SeqNumberHeader) -> bytes:
    machine_name = record.MachineName
    return join(
        (
            pack_H(record.Count),
            (b"" if machine_name is None else encode_utf16(machine_name, "surrogatepass")[0] + b"\0\0"),
            join([encode_PARTITION_SEQ_NUMBERS(item) for item in record.PartitionSeqNumbers]),
        )
    )


register(SeqNumberHeader, decode_SeqNumberHeader, encode_SeqNumberHeader)


# ------------------------------------------------------------- [MC-MQDSRP] 2.2.6.2 ChangeRequestMessage


class ChangeRequestMessage(Record, frozen=True, gc=False):
    """Requests a change of an object from the object authority (operation 0x01) ([MC-MQDSRP] 2.2.6.2).

    Attributes:
        ChangeRequestHeader: The requester, and the partition.
        DirectoryChange: The change asked for.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    ChangeRequestHeader: mqdsrp.ChangeRequestHeader
    DirectoryChange: mqdsrp.DirectoryChange

    if TYPE_CHECKING:

        def __init__(
            self,
            ChangeRequestHeader: mqdsrp.ChangeRequestHeader = ...,
            DirectoryChange: mqdsrp.DirectoryChange = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            ChangeRequestHeader: mqdsrp.ChangeRequestHeader = ...,
            DirectoryChange: mqdsrp.DirectoryChange = ...,
        ) -> Self: ...


new_ChangeRequestMessage = ChangeRequestMessage.raw


def decode_ChangeRequestMessage(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[ChangeRequestMessage, int]:
    readers = readers_of(limits)
    psc_name_offset_end = pos + 42
    if psc_name_offset_end > end:
        raise Reject
    version, site_id, operation, partition_id, request_identifier, psc_name_offset = unpack_B16sB16sII(
        data, pos
    )
    requester_name_start = psc_name_offset_end
    requester_name_end = find_terminator(data, psc_name_offset_end, end)
    if requester_name_end < 0:
        raise Reject
    if (requester_name_end - (psc_name_offset_end)) // 2 > limits.string_length:
        raise Reject
    psc_name_start = requester_name_end + 2
    if psc_name_offset:
        if psc_name_start - requester_name_start != psc_name_offset * 2:
            raise Reject
        psc_name_end = find_terminator(data, psc_name_start, end)
        if psc_name_end < 0:
            raise Reject
        if (psc_name_end - (psc_name_start)) // 2 > limits.string_length:
            raise Reject
        psc_name = decode_utf16(data[psc_name_start:psc_name_end], "surrogatepass", True)[0]
        psc_name_start = psc_name_end + 2
    else:
        psc_name = None
    use_guid_end = psc_name_start + 2
    if use_guid_end > end:
        raise Reject
    command, use_guid = unpack_BB(data, psc_name_start)
    if use_guid not in (0, 1):
        raise Reject
    if use_guid == 0:
        path_name_end = find_terminator(data, use_guid_end, end)
        if path_name_end < 0:
            raise Reject
        if (path_name_end - (use_guid_end)) // 2 > limits.string_length:
            raise Reject
        path_name = decode_utf16(data[use_guid_end:path_name_end], "surrogatepass", True)[0]
        use_guid_end = path_name_end + 2
    else:
        path_name = None
    if use_guid == 1:
        directory_change_guid_identifier_end = use_guid_end + 16
        if directory_change_guid_identifier_end > end:
            raise Reject
        (directory_change_guid_identifier,) = unpack_16s(data, use_guid_end)
        guid_identifier = GUID(directory_change_guid_identifier)
        use_guid_end = directory_change_guid_identifier_end
    else:
        guid_identifier = None
    number_of_properties_end = use_guid_end + 41
    if number_of_properties_end > end:
        raise Reject
    (
        directory_change_partition_id,
        previous_seq_number,
        seq_number,
        purged_seq_number,
        number_of_properties,
    ) = unpack_16s8s8s8sB(data, use_guid_end)
    if number_of_properties > limits.properties:
        raise Reject
    property_id_end = number_of_properties_end + number_of_properties * 4
    if property_id_end > end:
        raise Reject
    property_id, read_values = readers[data[number_of_properties_end:property_id_end]]
    property_value, property_value_end = read_values(data, property_id_end, end)
    return new_ChangeRequestMessage(
        *(
            new_ChangeRequestHeader(
                *(
                    new_BaseReplicationHeader(*(version, GUID(site_id), operation)),
                    GUID(partition_id),
                    request_identifier,
                    psc_name_offset,
                    decode_utf16(data[psc_name_offset_end:requester_name_end], "surrogatepass", True)[0],
                    psc_name,
                )
            ),
            new_DirectoryChange(
                *(
                    command,
                    use_guid,
                    path_name,
                    guid_identifier,
                    GUID(directory_change_partition_id),
                    SEQUENCE_NUMBER(previous_seq_number),
                    SEQUENCE_NUMBER(seq_number),
                    SEQUENCE_NUMBER(purged_seq_number),
                    number_of_properties,
                    property_id,
                    property_value,
                )
            ),
        )
    ), property_value_end


def encode_ChangeRequestMessage(record: ChangeRequestMessage) -> bytes:
    change_request_header = record.ChangeRequestHeader
    base_replication_header = change_request_header.BaseReplicationHeader
    psc_name = change_request_header.PSCName
    directory_change = record.DirectoryChange
    path_name = directory_change.PathName
    guid_identifier = directory_change.GuidIdentifier
    parts: list[bytes] = []
    parts.append(
        pack_B16sB16sII(
            base_replication_header.Version,
            base_replication_header.SiteID.bytes_le,
            base_replication_header.Operation,
            change_request_header.PartitionID.bytes_le,
            change_request_header.RequestIdentifier,
            change_request_header.PSCNameOffset,
        )
    )
    parts.append(encode_utf16(change_request_header.RequesterName, "surrogatepass")[0])
    parts.append(b"\0\0")
    if psc_name is not None:
        parts.append(encode_utf16(psc_name, "surrogatepass")[0])
        parts.append(b"\0\0")
    parts.append(pack_BB(directory_change.Command, directory_change.UseGuid))
    if path_name is not None:
        parts.append(encode_utf16(path_name, "surrogatepass")[0])
        parts.append(b"\0\0")
    if guid_identifier is not None:
        parts.append(guid_identifier.bytes_le)
    parts.append(
        pack_16s8s8s8sB(
            directory_change.PartitionID.bytes_le,
            directory_change.PreviousSeqNumber.raw,
            directory_change.SeqNumber.raw,
            directory_change.PurgedSeqNumber.raw,
            directory_change.NumberOfProperties,
        )
    )
    parts.append(LIST_BYTES[directory_change.PropertyID])
    add_values(directory_change.PropertyValue, parts)
    return join(parts)


register(ChangeRequestMessage, decode_ChangeRequestMessage, encode_ChangeRequestMessage)


# --------------------------------------------------------------- [MC-MQDSRP] 2.2.6.3 ChangeReplyMessage


class ChangeReplyMessage(Record, frozen=True, gc=False):
    """Reports the result of a requested change (operation 0x04) ([MC-MQDSRP] 2.2.6.3).

    Attributes:
        BaseReplicationHeader: Operation 0x04.
        RequestIdentifier: Of the request that this answers.
        Result: HRESULT of the change.
        RequesterName: Machine that asked first, terminator not included.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseReplicationHeader: mqdsrp.BaseReplicationHeader
    RequestIdentifier: int
    Result: int
    RequesterName: str

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            RequestIdentifier: int = 0,
            Result: int = 0,
            RequesterName: str = "",
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            RequestIdentifier: int = ...,
            Result: int = ...,
            RequesterName: str = ...,
        ) -> Self: ...


unpack_B16sBII = Struct("<B16sBII").unpack_from
new_ChangeReplyMessage = ChangeReplyMessage.raw


def decode_ChangeReplyMessage(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[ChangeReplyMessage, int]:
    result_end = pos + 26
    if result_end > end:
        raise Reject
    version, site_id, operation, request_identifier, result = unpack_B16sBII(data, pos)
    requester_name_end = find_terminator(data, result_end, end)
    if requester_name_end < 0:
        raise Reject
    if (requester_name_end - (result_end)) // 2 > limits.string_length:
        raise Reject
    return new_ChangeReplyMessage(
        *(
            new_BaseReplicationHeader(*(version, GUID(site_id), operation)),
            request_identifier,
            result,
            decode_utf16(data[result_end:requester_name_end], "surrogatepass", True)[0],
        )
    ), requester_name_end + 2


pack_B16sBII = Struct("<B16sBII").pack


def encode_ChangeReplyMessage(record: ChangeReplyMessage) -> bytes:
    base_replication_header = record.BaseReplicationHeader
    return join(
        (
            pack_B16sBII(
                base_replication_header.Version,
                base_replication_header.SiteID.bytes_le,
                base_replication_header.Operation,
                record.RequestIdentifier,
                record.Result,
            ),
            encode_utf16(record.RequesterName, "surrogatepass")[0],
            b"\0\0",
        )
    )


register(ChangeReplyMessage, decode_ChangeReplyMessage, encode_ChangeReplyMessage)


# --------------------------------------------------------------- [MC-MQDSRP] 2.2.6.4 SyncRequestMessage


class SyncRequestMessage(Record, frozen=True, gc=False):
    """Requests the changes of a partition (operation 0x02) ([MC-MQDSRP] 2.2.6.4).

    Attributes:
        BaseReplicationHeader: Operation 0x02.
        PartitionID: Partition to synchronize.
        FromSeqNumber: Where to start.
        ToSeqNumber: Where to end.
        KnownPurgedSeqNumber: Purged sequence number that the requester knows.
        IsSync0: 1: the partition is in the sync0 state.
        Scope: 1: enterprise scope only.
        RequesterName: Machine that sends, terminator not included.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseReplicationHeader: mqdsrp.BaseReplicationHeader
    PartitionID: GUID
    FromSeqNumber: SEQUENCE_NUMBER
    ToSeqNumber: SEQUENCE_NUMBER
    KnownPurgedSeqNumber: SEQUENCE_NUMBER
    IsSync0: int
    Scope: int
    RequesterName: str

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            PartitionID: _Guid = ...,
            FromSeqNumber: _Number = ...,
            ToSeqNumber: _Number = ...,
            KnownPurgedSeqNumber: _Number = ...,
            IsSync0: int = 0,
            Scope: int = 0,
            RequesterName: str = "",
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            PartitionID: _Guid = ...,
            FromSeqNumber: _Number = ...,
            ToSeqNumber: _Number = ...,
            KnownPurgedSeqNumber: _Number = ...,
            IsSync0: int = ...,
            Scope: int = ...,
            RequesterName: str = ...,
        ) -> Self: ...


unpack_B16sB16s8s8s8sBB = Struct("<B16sB16s8s8s8sBB").unpack_from
new_SyncRequestMessage = SyncRequestMessage.raw


def decode_SyncRequestMessage(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[SyncRequestMessage, int]:
    scope_end = pos + 60
    if scope_end > end:
        raise Reject
    (
        version,
        site_id,
        operation,
        partition_id,
        from_seq_number,
        to_seq_number,
        known_purged_seq_number,
        is_sync0,
        scope,
    ) = unpack_B16sB16s8s8s8sBB(data, pos)
    requester_name_end = find_terminator(data, scope_end, end)
    if requester_name_end < 0:
        raise Reject
    if (requester_name_end - (scope_end)) // 2 > limits.string_length:
        raise Reject
    return new_SyncRequestMessage(
        *(
            new_BaseReplicationHeader(*(version, GUID(site_id), operation)),
            GUID(partition_id),
            SEQUENCE_NUMBER(from_seq_number),
            SEQUENCE_NUMBER(to_seq_number),
            SEQUENCE_NUMBER(known_purged_seq_number),
            is_sync0,
            scope,
            decode_utf16(data[scope_end:requester_name_end], "surrogatepass", True)[0],
        )
    ), requester_name_end + 2


pack_B16sB16s8s8s8sBB = Struct("<B16sB16s8s8s8sBB").pack


def encode_SyncRequestMessage(record: SyncRequestMessage) -> bytes:
    base_replication_header = record.BaseReplicationHeader
    return join(
        (
            pack_B16sB16s8s8s8sBB(
                base_replication_header.Version,
                base_replication_header.SiteID.bytes_le,
                base_replication_header.Operation,
                record.PartitionID.bytes_le,
                record.FromSeqNumber.raw,
                record.ToSeqNumber.raw,
                record.KnownPurgedSeqNumber.raw,
                record.IsSync0,
                record.Scope,
            ),
            encode_utf16(record.RequesterName, "surrogatepass")[0],
            b"\0\0",
        )
    )


register(SyncRequestMessage, decode_SyncRequestMessage, encode_SyncRequestMessage)


# ----------------------------------------------------------------- [MC-MQDSRP] 2.2.6.5 SyncReplyMessage


class SyncReplyMessage(Record, frozen=True, gc=False):
    """Carries the changes of a partition (operation 0x03) ([MC-MQDSRP] 2.2.6.5).

    Attributes:
        SyncReplyHeader: Partition, range and state.
        DirectoryChanges: The changes, SyncReplyHeader.Count of them.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    SyncReplyHeader: mqdsrp.SyncReplyHeader
    DirectoryChanges: tuple[mqdsrp.DirectoryChange, ...]

    if TYPE_CHECKING:

        def __init__(
            self,
            SyncReplyHeader: mqdsrp.SyncReplyHeader = ...,
            DirectoryChanges: Iterable[mqdsrp.DirectoryChange] = (),
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            SyncReplyHeader: mqdsrp.SyncReplyHeader = ...,
            DirectoryChanges: Iterable[mqdsrp.DirectoryChange] = ...,
        ) -> Self: ...


new_SyncReplyMessage = SyncReplyMessage.raw


def decode_SyncReplyMessage(data: bytes, pos: int, end: int, limits: Limits) -> tuple[SyncReplyMessage, int]:
    readers = readers_of(limits)
    complete_sync0_end = pos + 66
    if complete_sync0_end > end:
        raise Reject
    (
        version,
        site_id,
        operation,
        partition_id,
        from_seq_number,
        to_seq_number,
        purged_seq_number,
        count,
        complete_sync0,
    ) = unpack_B16sB16s8s8s8sII(data, pos)
    if count > limits.changes:
        raise Reject
    directory_changes = []
    for _ in range(count):
        use_guid_end = complete_sync0_end + 2
        if use_guid_end > end:
            raise Reject
        command, use_guid = unpack_BB(data, complete_sync0_end)
        if use_guid not in (0, 1):
            raise Reject
        if use_guid == 0:
            path_name_end = find_terminator(data, use_guid_end, end)
            if path_name_end < 0:
                raise Reject
            if (path_name_end - (use_guid_end)) // 2 > limits.string_length:
                raise Reject
            path_name = decode_utf16(data[use_guid_end:path_name_end], "surrogatepass", True)[0]
            use_guid_end = path_name_end + 2
        else:
            path_name = None
        if use_guid == 1:
            guid_identifier_2_end = use_guid_end + 16
            if guid_identifier_2_end > end:
                raise Reject
            (guid_identifier_2,) = unpack_16s(data, use_guid_end)
            guid_identifier = GUID(guid_identifier_2)
            use_guid_end = guid_identifier_2_end
        else:
            guid_identifier = None
        number_of_properties_end = use_guid_end + 41
        if number_of_properties_end > end:
            raise Reject
        partition_id_2, previous_seq_number, seq_number, purged_seq_number_2, number_of_properties = (
            unpack_16s8s8s8sB(data, use_guid_end)
        )
        if number_of_properties > limits.properties:
            raise Reject
        property_id_end = number_of_properties_end + number_of_properties * 4
        if property_id_end > end:
            raise Reject
        property_id, read_values = readers[data[number_of_properties_end:property_id_end]]
        property_value, property_value_end = read_values(data, property_id_end, end)
        directory_changes.append(
            new_DirectoryChange(
                *(
                    command,
                    use_guid,
                    path_name,
                    guid_identifier,
                    GUID(partition_id_2),
                    SEQUENCE_NUMBER(previous_seq_number),
                    SEQUENCE_NUMBER(seq_number),
                    SEQUENCE_NUMBER(purged_seq_number_2),
                    number_of_properties,
                    property_id,
                    property_value,
                )
            )
        )
        complete_sync0_end = property_value_end
    return new_SyncReplyMessage(
        *(
            new_SyncReplyHeader(
                *(
                    new_BaseReplicationHeader(*(version, GUID(site_id), operation)),
                    GUID(partition_id),
                    SEQUENCE_NUMBER(from_seq_number),
                    SEQUENCE_NUMBER(to_seq_number),
                    SEQUENCE_NUMBER(purged_seq_number),
                    count,
                    complete_sync0,
                )
            ),
            tuple(directory_changes),
        )
    ), complete_sync0_end


def encode_SyncReplyMessage(record: SyncReplyMessage) -> bytes:
    sync_reply_header = record.SyncReplyHeader
    base_replication_header = sync_reply_header.BaseReplicationHeader
    parts: list[bytes] = []
    parts.append(
        pack_B16sB16s8s8s8sII(
            base_replication_header.Version,
            base_replication_header.SiteID.bytes_le,
            base_replication_header.Operation,
            sync_reply_header.PartitionID.bytes_le,
            sync_reply_header.FromSeqNumber.raw,
            sync_reply_header.ToSeqNumber.raw,
            sync_reply_header.PurgedSeqNumber.raw,
            sync_reply_header.Count,
            sync_reply_header.CompleteSync0,
        )
    )
    for item in record.DirectoryChanges:
        path_name = item.PathName
        guid_identifier = item.GuidIdentifier
        parts.append(pack_BB(item.Command, item.UseGuid))
        if path_name is not None:
            parts.append(encode_utf16(path_name, "surrogatepass")[0])
            parts.append(b"\0\0")
        if guid_identifier is not None:
            parts.append(guid_identifier.bytes_le)
        parts.append(
            pack_16s8s8s8sB(
                item.PartitionID.bytes_le,
                item.PreviousSeqNumber.raw,
                item.SeqNumber.raw,
                item.PurgedSeqNumber.raw,
                item.NumberOfProperties,
            )
        )
        parts.append(LIST_BYTES[item.PropertyID])
        add_values(item.PropertyValue, parts)
    return join(parts)


register(SyncReplyMessage, decode_SyncReplyMessage, encode_SyncReplyMessage)


# -------------------------------------------------------------------- [MC-MQDSRP] 2.2.6.6 BSCAckMessage


class BSCAckMessage(Record, frozen=True, gc=False):
    """A backup site controller acknowledges to its primary (operation 0x07) ([MC-MQDSRP] 2.2.6.6).

    Attributes:
        BaseReplicationHeader: Operation 0x07.
        BSCMachineID: Queue manager of the backup site controller.
        BSCName: Its machine name, terminator not included.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseReplicationHeader: mqdsrp.BaseReplicationHeader
    BSCMachineID: GUID
    BSCName: str

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            BSCMachineID: _Guid = ...,
            BSCName: str = "",
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            BSCMachineID: _Guid = ...,
            BSCName: str = ...,
        ) -> Self: ...


unpack_B16sB16s = Struct("<B16sB16s").unpack_from
new_BSCAckMessage = BSCAckMessage.raw


def decode_BSCAckMessage(data: bytes, pos: int, end: int, limits: Limits) -> tuple[BSCAckMessage, int]:
    bsc_machine_id_end = pos + 34
    if bsc_machine_id_end > end:
        raise Reject
    version, site_id, operation, bsc_machine_id = unpack_B16sB16s(data, pos)
    bsc_name_end = find_terminator(data, bsc_machine_id_end, end)
    if bsc_name_end < 0:
        raise Reject
    if (bsc_name_end - (bsc_machine_id_end)) // 2 > limits.string_length:
        raise Reject
    return new_BSCAckMessage(
        *(
            new_BaseReplicationHeader(*(version, GUID(site_id), operation)),
            GUID(bsc_machine_id),
            decode_utf16(data[bsc_machine_id_end:bsc_name_end], "surrogatepass", True)[0],
        )
    ), bsc_name_end + 2


pack_B16sB16s = Struct("<B16sB16s").pack


def encode_BSCAckMessage(record: BSCAckMessage) -> bytes:
    base_replication_header = record.BaseReplicationHeader
    return join(
        (
            pack_B16sB16s(
                base_replication_header.Version,
                base_replication_header.SiteID.bytes_le,
                base_replication_header.Operation,
                record.BSCMachineID.bytes_le,
            ),
            encode_utf16(record.BSCName, "surrogatepass")[0],
            b"\0\0",
        )
    )


register(BSCAckMessage, decode_BSCAckMessage, encode_BSCAckMessage)


# -------------------------------------------------------------------- [MC-MQDSRP] 2.2.6.7 PSCAckMessage


class PSCAckMessage(Record, frozen=True, gc=False):
    """A primary site controller acknowledges to the object authority (operation 0x06) ([MC-MQDSRP]
    2.2.6.7).

    Attributes:
        BaseReplicationHeader: Operation 0x06.
        PSCSiteID: Site of the primary site controller.
        AckedPartitionID: Partition that is acknowledged.
        AckedSeqNumber: Up to this change.
        PSCName: Machine name of the controller, terminator not included.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseReplicationHeader: mqdsrp.BaseReplicationHeader
    PSCSiteID: GUID
    AckedPartitionID: GUID
    AckedSeqNumber: SEQUENCE_NUMBER
    PSCName: str

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            PSCSiteID: _Guid = ...,
            AckedPartitionID: _Guid = ...,
            AckedSeqNumber: _Number = ...,
            PSCName: str = "",
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            PSCSiteID: _Guid = ...,
            AckedPartitionID: _Guid = ...,
            AckedSeqNumber: _Number = ...,
            PSCName: str = ...,
        ) -> Self: ...


unpack_B16sB16s16s8s = Struct("<B16sB16s16s8s").unpack_from
new_PSCAckMessage = PSCAckMessage.raw


def decode_PSCAckMessage(data: bytes, pos: int, end: int, limits: Limits) -> tuple[PSCAckMessage, int]:
    acked_seq_number_end = pos + 58
    if acked_seq_number_end > end:
        raise Reject
    version, site_id, operation, psc_site_id, acked_partition_id, acked_seq_number = unpack_B16sB16s16s8s(
        data, pos
    )
    psc_name_end = find_terminator(data, acked_seq_number_end, end)
    if psc_name_end < 0:
        raise Reject
    if (psc_name_end - (acked_seq_number_end)) // 2 > limits.string_length:
        raise Reject
    return new_PSCAckMessage(
        *(
            new_BaseReplicationHeader(*(version, GUID(site_id), operation)),
            GUID(psc_site_id),
            GUID(acked_partition_id),
            SEQUENCE_NUMBER(acked_seq_number),
            decode_utf16(data[acked_seq_number_end:psc_name_end], "surrogatepass", True)[0],
        )
    ), psc_name_end + 2


pack_B16sB16s16s8s = Struct("<B16sB16s16s8s").pack


def encode_PSCAckMessage(record: PSCAckMessage) -> bytes:
    base_replication_header = record.BaseReplicationHeader
    return join(
        (
            pack_B16sB16s16s8s(
                base_replication_header.Version,
                base_replication_header.SiteID.bytes_le,
                base_replication_header.Operation,
                record.PSCSiteID.bytes_le,
                record.AckedPartitionID.bytes_le,
                record.AckedSeqNumber.raw,
            ),
            encode_utf16(record.PSCName, "surrogatepass")[0],
            b"\0\0",
        )
    )


register(PSCAckMessage, decode_PSCAckMessage, encode_PSCAckMessage)


# ------------------------------------------------------------- [MC-MQDSRP] 2.2.6.8 AlreadyPurgedMessage


class AlreadyPurgedMessage(Record, frozen=True, gc=False):
    """Reports that the requested changes were purged (operation 0x05) ([MC-MQDSRP] 2.2.6.8).

    Attributes:
        BaseReplicationHeader: Operation 0x05.
        PartitionID: Partition that was asked for.
        PurgedSeqNumber: Its purged sequence number.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseReplicationHeader: mqdsrp.BaseReplicationHeader
    PartitionID: GUID
    PurgedSeqNumber: SEQUENCE_NUMBER

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            PartitionID: _Guid = ...,
            PurgedSeqNumber: _Number = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            PartitionID: _Guid = ...,
            PurgedSeqNumber: _Number = ...,
        ) -> Self: ...


new_AlreadyPurgedMessage = AlreadyPurgedMessage.raw
unpack_B16sB16s8s = Struct("<B16sB16s8s").unpack_from


def decode_AlreadyPurgedMessage(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[AlreadyPurgedMessage, int]:
    purged_seq_number_end = pos + 42
    if purged_seq_number_end > end:
        raise Reject
    version, site_id, operation, partition_id, purged_seq_number = unpack_B16sB16s8s(data, pos)
    return new_AlreadyPurgedMessage(
        *(
            new_BaseReplicationHeader(*(version, GUID(site_id), operation)),
            GUID(partition_id),
            SEQUENCE_NUMBER(purged_seq_number),
        )
    ), purged_seq_number_end


pack_B16sB16s8s = Struct("<B16sB16s8s").pack


def encode_AlreadyPurgedMessage(record: AlreadyPurgedMessage) -> bytes:
    base_replication_header = record.BaseReplicationHeader
    return pack_B16sB16s8s(
        base_replication_header.Version,
        base_replication_header.SiteID.bytes_le,
        base_replication_header.Operation,
        record.PartitionID.bytes_le,
        record.PurgedSeqNumber.raw,
    )


register(AlreadyPurgedMessage, decode_AlreadyPurgedMessage, encode_AlreadyPurgedMessage)


# --------------------------------------------------------- [MC-MQDSRP] 2.2.6.9 ChangePropagationMessage


class ChangePropagationMessage(Record, frozen=True, gc=False):
    """Propagates new changes to the directory's neighbors (operation 0x00) ([MC-MQDSRP] 2.2.6.9).

    Attributes:
        BaseReplicationHeader: Operation 0x00.
        Flush: 1: a flush message, not to be flushed on.
        Count: Count of changes.
        DirectoryChanges: The changes.
        SeqNumberHeader: Numbers of the sender's partitions.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseReplicationHeader: mqdsrp.BaseReplicationHeader
    Flush: int
    Count: int
    DirectoryChanges: tuple[mqdsrp.DirectoryChange, ...]
    SeqNumberHeader: mqdsrp.SeqNumberHeader

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            Flush: int = 0,
            Count: int = ...,
            DirectoryChanges: Iterable[mqdsrp.DirectoryChange] = (),
            SeqNumberHeader: mqdsrp.SeqNumberHeader = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            BaseReplicationHeader: mqdsrp.BaseReplicationHeader = ...,
            Flush: int = ...,
            Count: int = ...,
            DirectoryChanges: Iterable[mqdsrp.DirectoryChange] = ...,
            SeqNumberHeader: mqdsrp.SeqNumberHeader = ...,
        ) -> Self: ...


unpack_B16sBBH = Struct("<B16sBBH").unpack_from
new_ChangePropagationMessage = ChangePropagationMessage.raw


def decode_ChangePropagationMessage(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[ChangePropagationMessage, int]:
    readers = readers_of(limits)
    count_end = pos + 21
    if count_end > end:
        raise Reject
    version, site_id, operation, flush, count = unpack_B16sBBH(data, pos)
    if count > limits.changes:
        raise Reject
    directory_changes = []
    for _ in range(count):
        use_guid_end = count_end + 2
        if use_guid_end > end:
            raise Reject
        command, use_guid = unpack_BB(data, count_end)
        if use_guid not in (0, 1):
            raise Reject
        if use_guid == 0:
            path_name_end = find_terminator(data, use_guid_end, end)
            if path_name_end < 0:
                raise Reject
            if (path_name_end - (use_guid_end)) // 2 > limits.string_length:
                raise Reject
            path_name = decode_utf16(data[use_guid_end:path_name_end], "surrogatepass", True)[0]
            use_guid_end = path_name_end + 2
        else:
            path_name = None
        if use_guid == 1:
            guid_identifier_2_end = use_guid_end + 16
            if guid_identifier_2_end > end:
                raise Reject
            (guid_identifier_2,) = unpack_16s(data, use_guid_end)
            guid_identifier = GUID(guid_identifier_2)
            use_guid_end = guid_identifier_2_end
        else:
            guid_identifier = None
        number_of_properties_end = use_guid_end + 41
        if number_of_properties_end > end:
            raise Reject
        partition_id, previous_seq_number, seq_number, purged_seq_number, number_of_properties = (
            unpack_16s8s8s8sB(data, use_guid_end)
        )
        if number_of_properties > limits.properties:
            raise Reject
        property_id_end = number_of_properties_end + number_of_properties * 4
        if property_id_end > end:
            raise Reject
        property_id, read_values = readers[data[number_of_properties_end:property_id_end]]
        property_value, property_value_end = read_values(data, property_id_end, end)
        directory_changes.append(
            new_DirectoryChange(
                *(
                    command,
                    use_guid,
                    path_name,
                    guid_identifier,
                    GUID(partition_id),
                    SEQUENCE_NUMBER(previous_seq_number),
                    SEQUENCE_NUMBER(seq_number),
                    SEQUENCE_NUMBER(purged_seq_number),
                    number_of_properties,
                    property_id,
                    property_value,
                )
            )
        )
        count_end = property_value_end
    seq_number_header, seq_number_header_end = decode_SeqNumberHeader(data, count_end, end, limits)
    return new_ChangePropagationMessage(
        *(
            new_BaseReplicationHeader(*(version, GUID(site_id), operation)),
            flush,
            count,
            tuple(directory_changes),
            seq_number_header,
        )
    ), seq_number_header_end


pack_B16sBBH = Struct("<B16sBBH").pack


def encode_ChangePropagationMessage(record: ChangePropagationMessage) -> bytes:
    base_replication_header = record.BaseReplicationHeader
    seq_number_header = record.SeqNumberHeader
    machine_name = seq_number_header.MachineName
    parts: list[bytes] = []
    parts.append(
        pack_B16sBBH(
            base_replication_header.Version,
            base_replication_header.SiteID.bytes_le,
            base_replication_header.Operation,
            record.Flush,
            record.Count,
        )
    )
    for item in record.DirectoryChanges:
        path_name = item.PathName
        guid_identifier = item.GuidIdentifier
        parts.append(pack_BB(item.Command, item.UseGuid))
        if path_name is not None:
            parts.append(encode_utf16(path_name, "surrogatepass")[0])
            parts.append(b"\0\0")
        if guid_identifier is not None:
            parts.append(guid_identifier.bytes_le)
        parts.append(
            pack_16s8s8s8sB(
                item.PartitionID.bytes_le,
                item.PreviousSeqNumber.raw,
                item.SeqNumber.raw,
                item.PurgedSeqNumber.raw,
                item.NumberOfProperties,
            )
        )
        parts.append(LIST_BYTES[item.PropertyID])
        add_values(item.PropertyValue, parts)
    parts.append(pack_H(seq_number_header.Count))
    if machine_name is not None:
        parts.append(encode_utf16(machine_name, "surrogatepass")[0])
        parts.append(b"\0\0")
    parts.append(join([encode_PARTITION_SEQ_NUMBERS(item) for item in seq_number_header.PartitionSeqNumbers]))
    return join(parts)


register(ChangePropagationMessage, decode_ChangePropagationMessage, encode_ChangePropagationMessage)
