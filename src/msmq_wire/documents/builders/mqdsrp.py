"""Building the records of [MC-MQDSRP] 2.2: the messages of directory replication.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from msmq_wire.documents import layouts
from msmq_wire.documents.mqdsrp import (
    PARTITION_SEQ_NUMBERS,
    AlreadyPurgedMessage,
    BaseReplicationHeader,
    BSCAckMessage,
    ChangePropagationMessage,
    ChangeReplyMessage,
    ChangeRequestHeader,
    ChangeRequestMessage,
    DirectoryChange,
    PSCAckMessage,
    SeqNumberHeader,
    SyncReplyHeader,
    SyncReplyMessage,
    SyncRequestMessage,
    new_AlreadyPurgedMessage,
    new_BaseReplicationHeader,
    new_BSCAckMessage,
    new_ChangePropagationMessage,
    new_ChangeReplyMessage,
    new_ChangeRequestHeader,
    new_ChangeRequestMessage,
    new_DirectoryChange,
    new_PARTITION_SEQ_NUMBERS,
    new_PSCAckMessage,
    new_SeqNumberHeader,
    new_SyncReplyHeader,
    new_SyncReplyMessage,
    new_SyncRequestMessage,
)
from msmq_wire.records import accept, replacing
from msmq_wire.records.omitted import Omitted
from msmq_wire.records.plain import FieldSource
from msmq_wire.records.registry import register_builders as register
from msmq_wire.values import plain, plain_properties
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.properties.values import size_of_values
from msmq_wire.values.sequence_number import MIN_SEQ_NUMBER, SEQUENCE_NUMBER
from msmq_wire.values.wchar import wchar_count

if TYPE_CHECKING:
    import uuid

    _Guid = GUID | uuid.UUID | str | bytes
    _Number = SEQUENCE_NUMBER | int | str | bytes


# -------------------------------------------------------------- [MC-MQDSRP] 2.2.3 PARTITION_SEQ_NUMBERS


def size_PARTITION_SEQ_NUMBERS(record: PARTITION_SEQ_NUMBERS) -> int:
    size = 32
    return size


refuse_arguments_PARTITION_SEQ_NUMBERS = partial(replacing.refuse_arguments, layouts.PARTITION_SEQ_NUMBERS)
guid_PARTITION_SEQ_NUMBERS_PartitionID = accept.for_field(
    accept.guid, layouts.PARTITION_SEQ_NUMBERS, "PartitionID"
)
sequence_number_PARTITION_SEQ_NUMBERS_LastSeqNumber = accept.for_field(
    accept.sequence_number, layouts.PARTITION_SEQ_NUMBERS, "LastSeqNumber"
)
sequence_number_PARTITION_SEQ_NUMBERS_PurgedSeqNumber = accept.for_field(
    accept.sequence_number, layouts.PARTITION_SEQ_NUMBERS, "PurgedSeqNumber"
)


def build_PARTITION_SEQ_NUMBERS(
    PartitionID: Any = None,
    LastSeqNumber: Any = None,
    PurgedSeqNumber: Any = None,
    *more: Any,
    **unknown: Any,
) -> PARTITION_SEQ_NUMBERS:
    if more or unknown:
        refuse_arguments_PARTITION_SEQ_NUMBERS(more, unknown)
    if PartitionID is None:
        PartitionID = NULL_GUID
    else:
        if not (
            PartitionID.__class__ is GUID
            and (_raw := PartitionID.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            PartitionID = guid_PARTITION_SEQ_NUMBERS_PartitionID(PartitionID)
    if LastSeqNumber is None:
        LastSeqNumber = MIN_SEQ_NUMBER
    else:
        LastSeqNumber = sequence_number_PARTITION_SEQ_NUMBERS_LastSeqNumber(LastSeqNumber)
    if PurgedSeqNumber is None:
        PurgedSeqNumber = MIN_SEQ_NUMBER
    else:
        PurgedSeqNumber = sequence_number_PARTITION_SEQ_NUMBERS_PurgedSeqNumber(PurgedSeqNumber)
    record: PARTITION_SEQ_NUMBERS = new_PARTITION_SEQ_NUMBERS(*(PartitionID, LastSeqNumber, PurgedSeqNumber))
    return record


def plain_PARTITION_SEQ_NUMBERS(record: PARTITION_SEQ_NUMBERS) -> dict[str, Any]:
    return {
        "PartitionID": record.PartitionID.__str__(),
        "LastSeqNumber": record.LastSeqNumber.__str__(),
        "PurgedSeqNumber": record.PurgedSeqNumber.__str__(),
    }


def from_plain_PARTITION_SEQ_NUMBERS(fields: Any, path: str) -> PARTITION_SEQ_NUMBERS:
    taken = FieldSource(layouts.PARTITION_SEQ_NUMBERS, fields, path)
    record: PARTITION_SEQ_NUMBERS = taken.make(
        PARTITION_SEQ_NUMBERS,
        PartitionID=taken.value("PartitionID", plain.guid),
        LastSeqNumber=taken.value("LastSeqNumber", plain.sequence),
        PurgedSeqNumber=taken.value("PurgedSeqNumber", plain.sequence),
    )
    return record


register(
    PARTITION_SEQ_NUMBERS,
    size_PARTITION_SEQ_NUMBERS,
    build_PARTITION_SEQ_NUMBERS,
    plain_PARTITION_SEQ_NUMBERS,
    from_plain_PARTITION_SEQ_NUMBERS,
)


# -------------------------------------------------------------------- [MC-MQDSRP] 2.2.4 DirectoryChange


def size_DirectoryChange(record: DirectoryChange) -> int:
    path_name = record.PathName
    guid_identifier = record.GuidIdentifier
    property_id = record.PropertyID
    property_value = record.PropertyValue
    size = 43 + len(property_id) * 4 + size_of_values(property_value)
    if path_name is not None:
        size += (len(path_name) if path_name.isascii() else wchar_count(path_name)) * 2 + 2
    if guid_identifier is not None:
        size += 16
    return size


refuse_arguments_DirectoryChange = partial(replacing.refuse_arguments, layouts.DirectoryChange)
integer_DirectoryChange_Command = accept.for_field(accept.integer, layouts.DirectoryChange, "Command")
integer_DirectoryChange_UseGuid = accept.for_field(accept.integer, layouts.DirectoryChange, "UseGuid")
text_DirectoryChange_PathName = accept.for_field(accept.text, layouts.DirectoryChange, "PathName")
guid_DirectoryChange_GuidIdentifier = accept.for_field(accept.guid, layouts.DirectoryChange, "GuidIdentifier")
guid_DirectoryChange_PartitionID = accept.for_field(accept.guid, layouts.DirectoryChange, "PartitionID")
sequence_number_DirectoryChange_PreviousSeqNumber = accept.for_field(
    accept.sequence_number, layouts.DirectoryChange, "PreviousSeqNumber"
)
sequence_number_DirectoryChange_SeqNumber = accept.for_field(
    accept.sequence_number, layouts.DirectoryChange, "SeqNumber"
)
sequence_number_DirectoryChange_PurgedSeqNumber = accept.for_field(
    accept.sequence_number, layouts.DirectoryChange, "PurgedSeqNumber"
)
integer_DirectoryChange_NumberOfProperties = accept.for_field(
    accept.integer, layouts.DirectoryChange, "NumberOfProperties"
)
numbers_DirectoryChange_PropertyID = accept.for_field(accept.numbers, layouts.DirectoryChange, "PropertyID")
property_values_DirectoryChange_PropertyValue = accept.for_field(
    accept.property_values, layouts.DirectoryChange, "PropertyValue"
)
refuse_size_DirectoryChange = partial(
    replacing.refuse_size, layouts.DirectoryChange, "PropertyID", "NumberOfProperties", "elements", 255
)
alternative_DirectoryChange = partial(
    replacing.alternative, layouts.DirectoryChange, {0: "PathName", 1: "GuidIdentifier"}
)


def build_DirectoryChange(
    Command: Any = None,
    UseGuid: Any = None,
    PathName: Any = None,
    GuidIdentifier: Any = None,
    PartitionID: Any = None,
    PreviousSeqNumber: Any = None,
    SeqNumber: Any = None,
    PurgedSeqNumber: Any = None,
    NumberOfProperties: Any = None,
    PropertyID: Any = None,
    PropertyValue: Any = None,
    *more: Any,
    **unknown: Any,
) -> DirectoryChange:
    if more or unknown:
        refuse_arguments_DirectoryChange(more, unknown)
    if Command is None:
        Command = 0
    else:
        if Command.__class__ is not int or not 0 <= Command <= 255:
            Command = integer_DirectoryChange_Command(Command)
    if UseGuid is not None:
        if UseGuid.__class__ is not int or not 0 <= UseGuid <= 255:
            UseGuid = integer_DirectoryChange_UseGuid(UseGuid)
    if PathName is not None:
        if PathName.__class__ is not str or not PathName.isascii() or "\0" in PathName:
            PathName = text_DirectoryChange_PathName(PathName)
    if GuidIdentifier is not None:
        if not (
            GuidIdentifier.__class__ is GUID
            and (_raw := GuidIdentifier.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            GuidIdentifier = guid_DirectoryChange_GuidIdentifier(GuidIdentifier)
    if PartitionID is None:
        PartitionID = NULL_GUID
    else:
        if not (
            PartitionID.__class__ is GUID
            and (_raw := PartitionID.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            PartitionID = guid_DirectoryChange_PartitionID(PartitionID)
    if PreviousSeqNumber is None:
        PreviousSeqNumber = MIN_SEQ_NUMBER
    else:
        PreviousSeqNumber = sequence_number_DirectoryChange_PreviousSeqNumber(PreviousSeqNumber)
    if SeqNumber is None:
        SeqNumber = MIN_SEQ_NUMBER
    else:
        SeqNumber = sequence_number_DirectoryChange_SeqNumber(SeqNumber)
    if PurgedSeqNumber is None:
        PurgedSeqNumber = MIN_SEQ_NUMBER
    else:
        PurgedSeqNumber = sequence_number_DirectoryChange_PurgedSeqNumber(PurgedSeqNumber)
    if NumberOfProperties is not None:
        if NumberOfProperties.__class__ is not int or not 0 <= NumberOfProperties <= 255:
            NumberOfProperties = integer_DirectoryChange_NumberOfProperties(NumberOfProperties)
    if PropertyID is None:
        PropertyID = ()
    else:
        PropertyID = numbers_DirectoryChange_PropertyID(PropertyID)
    if PropertyValue is None and not PropertyID:
        PropertyValue = ()
    else:
        PropertyValue = property_values_DirectoryChange_PropertyValue(PropertyID, PropertyValue)
    _true_NumberOfProperties = len(PropertyID)
    if NumberOfProperties is None:
        NumberOfProperties = _true_NumberOfProperties
        if NumberOfProperties > 255:
            refuse_size_DirectoryChange(NumberOfProperties)
    if UseGuid is None:
        UseGuid = alternative_DirectoryChange(
            (
                PathName,
                GuidIdentifier,
            )
        )
    record: DirectoryChange = new_DirectoryChange(
        *(
            Command,
            UseGuid,
            PathName,
            GuidIdentifier,
            PartitionID,
            PreviousSeqNumber,
            SeqNumber,
            PurgedSeqNumber,
            NumberOfProperties,
            PropertyID,
            PropertyValue,
        )
    )
    return record


def plain_DirectoryChange(record: DirectoryChange) -> dict[str, Any]:
    guid_identifier = record.GuidIdentifier
    return {
        "Command": record.Command,
        "UseGuid": record.UseGuid,
        "PathName": record.PathName,
        "GuidIdentifier": None if guid_identifier is None else guid_identifier.__str__(),
        "PartitionID": record.PartitionID.__str__(),
        "PreviousSeqNumber": record.PreviousSeqNumber.__str__(),
        "SeqNumber": record.SeqNumber.__str__(),
        "PurgedSeqNumber": record.PurgedSeqNumber.__str__(),
        "NumberOfProperties": record.NumberOfProperties,
        "PropertyID": list(record.PropertyID),
        "PropertyValue": plain_properties.properties(record.PropertyValue),
    }


def from_plain_DirectoryChange(fields: Any, path: str) -> DirectoryChange:
    taken = FieldSource(layouts.DirectoryChange, fields, path)
    record: DirectoryChange = taken.make(
        DirectoryChange,
        Command=taken.value("Command", plain.number),
        UseGuid=taken.value("UseGuid", plain.number),
        PathName=taken.value("PathName", plain.text),
        GuidIdentifier=taken.value("GuidIdentifier", plain.guid),
        PartitionID=taken.value("PartitionID", plain.guid),
        PreviousSeqNumber=taken.value("PreviousSeqNumber", plain.sequence),
        SeqNumber=taken.value("SeqNumber", plain.sequence),
        PurgedSeqNumber=taken.value("PurgedSeqNumber", plain.sequence),
        NumberOfProperties=taken.value("NumberOfProperties", plain.number),
        PropertyID=taken.each("PropertyID", plain.number),
        PropertyValue=taken.properties("PropertyValue", "PropertyID"),
    )
    return record


register(
    DirectoryChange,
    size_DirectoryChange,
    build_DirectoryChange,
    plain_DirectoryChange,
    from_plain_DirectoryChange,
)


# ------------------------------------------------------------ [MC-MQDSRP] 2.2.5.1 BaseReplicationHeader


def size_BaseReplicationHeader(record: BaseReplicationHeader) -> int:
    size = 18
    return size


refuse_arguments_BaseReplicationHeader = partial(replacing.refuse_arguments, layouts.BaseReplicationHeader)
integer_BaseReplicationHeader_Version = accept.for_field(
    accept.integer, layouts.BaseReplicationHeader, "Version"
)
guid_BaseReplicationHeader_SiteID = accept.for_field(accept.guid, layouts.BaseReplicationHeader, "SiteID")
LEFT_OUT_0 = Omitted(0)
integer_BaseReplicationHeader_Operation = accept.for_field(
    accept.integer, layouts.BaseReplicationHeader, "Operation"
)


def build_BaseReplicationHeader(
    Version: Any = None, SiteID: Any = None, Operation: Any = None, *more: Any, **unknown: Any
) -> BaseReplicationHeader:
    if more or unknown:
        refuse_arguments_BaseReplicationHeader(more, unknown)
    if Version is None:
        Version = 0
    else:
        if Version.__class__ is not int or not 0 <= Version <= 255:
            Version = integer_BaseReplicationHeader_Version(Version)
    if SiteID is None:
        SiteID = NULL_GUID
    else:
        if not (
            SiteID.__class__ is GUID and (_raw := SiteID.bytes_le).__class__ is bytes and len(_raw) == 16
        ):
            SiteID = guid_BaseReplicationHeader_SiteID(SiteID)
    if Operation is None:
        Operation = LEFT_OUT_0
    else:
        if Operation.__class__ is not int or not 0 <= Operation <= 255:
            Operation = integer_BaseReplicationHeader_Operation(Operation)
    record: BaseReplicationHeader = new_BaseReplicationHeader(*(Version, SiteID, Operation))
    return record


def plain_BaseReplicationHeader(record: BaseReplicationHeader) -> dict[str, Any]:
    return {
        "Version": record.Version,
        "SiteID": record.SiteID.__str__(),
        "Operation": int(record.Operation),
    }


def from_plain_BaseReplicationHeader(fields: Any, path: str) -> BaseReplicationHeader:
    taken = FieldSource(layouts.BaseReplicationHeader, fields, path)
    record: BaseReplicationHeader = taken.make(
        BaseReplicationHeader,
        Version=taken.value("Version", plain.number),
        SiteID=taken.value("SiteID", plain.guid),
        Operation=taken.value("Operation", plain.number),
    )
    return record


register(
    BaseReplicationHeader,
    size_BaseReplicationHeader,
    build_BaseReplicationHeader,
    plain_BaseReplicationHeader,
    from_plain_BaseReplicationHeader,
)


# -------------------------------------------------------------- [MC-MQDSRP] 2.2.5.2 ChangeRequestHeader


def size_ChangeRequestHeader(record: ChangeRequestHeader) -> int:
    requester_name = record.RequesterName
    psc_name = record.PSCName
    size = 42 + ((len(requester_name) if requester_name.isascii() else wchar_count(requester_name)) * 2 + 2)
    if psc_name is not None:
        size += (len(psc_name) if psc_name.isascii() else wchar_count(psc_name)) * 2 + 2
    return size


refuse_arguments_ChangeRequestHeader = partial(replacing.refuse_arguments, layouts.ChangeRequestHeader)
default_BaseReplicationHeader = cache(BaseReplicationHeader)
part_ChangeRequestHeader_BaseReplicationHeader = accept.for_field(
    accept.part, layouts.ChangeRequestHeader, "BaseReplicationHeader", BaseReplicationHeader
)
class_BaseReplicationHeader = BaseReplicationHeader
guid_ChangeRequestHeader_PartitionID = accept.for_field(
    accept.guid, layouts.ChangeRequestHeader, "PartitionID"
)
integer_ChangeRequestHeader_RequestIdentifier = accept.for_field(
    accept.integer, layouts.ChangeRequestHeader, "RequestIdentifier"
)
integer_ChangeRequestHeader_PSCNameOffset = accept.for_field(
    accept.integer, layouts.ChangeRequestHeader, "PSCNameOffset"
)
text_ChangeRequestHeader_RequesterName = accept.for_field(
    accept.text, layouts.ChangeRequestHeader, "RequesterName"
)
text_ChangeRequestHeader_PSCName = accept.for_field(accept.text, layouts.ChangeRequestHeader, "PSCName")


def build_ChangeRequestHeader(
    BaseReplicationHeader: Any = None,
    PartitionID: Any = None,
    RequestIdentifier: Any = None,
    PSCNameOffset: Any = None,
    RequesterName: Any = None,
    PSCName: Any = None,
    *more: Any,
    **unknown: Any,
) -> ChangeRequestHeader:
    if more or unknown:
        refuse_arguments_ChangeRequestHeader(more, unknown)
    if BaseReplicationHeader is None:
        BaseReplicationHeader = default_BaseReplicationHeader()
    else:
        if BaseReplicationHeader.__class__ is not class_BaseReplicationHeader:
            part_ChangeRequestHeader_BaseReplicationHeader(BaseReplicationHeader)
    if PartitionID is None:
        PartitionID = NULL_GUID
    else:
        if not (
            PartitionID.__class__ is GUID
            and (_raw := PartitionID.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            PartitionID = guid_ChangeRequestHeader_PartitionID(PartitionID)
    if RequestIdentifier is None:
        RequestIdentifier = 0
    else:
        if RequestIdentifier.__class__ is not int or not 0 <= RequestIdentifier <= 4294967295:
            RequestIdentifier = integer_ChangeRequestHeader_RequestIdentifier(RequestIdentifier)
    if PSCNameOffset is not None:
        if PSCNameOffset.__class__ is not int or not 0 <= PSCNameOffset <= 4294967295:
            PSCNameOffset = integer_ChangeRequestHeader_PSCNameOffset(PSCNameOffset)
    if RequesterName is None:
        RequesterName = ""
    else:
        if RequesterName.__class__ is not str or not RequesterName.isascii() or "\0" in RequesterName:
            RequesterName = text_ChangeRequestHeader_RequesterName(RequesterName)
    if PSCName is not None:
        if PSCName.__class__ is not str or not PSCName.isascii() or "\0" in PSCName:
            PSCName = text_ChangeRequestHeader_PSCName(PSCName)
    if PSCNameOffset is None:
        PSCNameOffset = (
            0
            if PSCName is None
            else (len(RequesterName) if RequesterName.isascii() else wchar_count(RequesterName)) + 1
        )
    if BaseReplicationHeader.Operation.__class__ is Omitted:
        _Operation = 1
        BaseReplicationHeader = replace(BaseReplicationHeader, Operation=_Operation)
    record: ChangeRequestHeader = new_ChangeRequestHeader(
        *(BaseReplicationHeader, PartitionID, RequestIdentifier, PSCNameOffset, RequesterName, PSCName)
    )
    return record


def plain_ChangeRequestHeader(record: ChangeRequestHeader) -> dict[str, Any]:
    return {
        "BaseReplicationHeader": plain_BaseReplicationHeader(record.BaseReplicationHeader),
        "PartitionID": record.PartitionID.__str__(),
        "RequestIdentifier": record.RequestIdentifier,
        "PSCNameOffset": record.PSCNameOffset,
        "RequesterName": record.RequesterName,
        "PSCName": record.PSCName,
    }


def from_plain_ChangeRequestHeader(fields: Any, path: str) -> ChangeRequestHeader:
    taken = FieldSource(layouts.ChangeRequestHeader, fields, path)
    record: ChangeRequestHeader = taken.make(
        ChangeRequestHeader,
        BaseReplicationHeader=taken.part("BaseReplicationHeader", from_plain_BaseReplicationHeader),
        PartitionID=taken.value("PartitionID", plain.guid),
        RequestIdentifier=taken.value("RequestIdentifier", plain.number),
        PSCNameOffset=taken.value("PSCNameOffset", plain.number),
        RequesterName=taken.value("RequesterName", plain.text),
        PSCName=taken.value("PSCName", plain.text),
    )
    return record


register(
    ChangeRequestHeader,
    size_ChangeRequestHeader,
    build_ChangeRequestHeader,
    plain_ChangeRequestHeader,
    from_plain_ChangeRequestHeader,
)


# ------------------------------------------------------------------ [MC-MQDSRP] 2.2.5.3 SyncReplyHeader


def size_SyncReplyHeader(record: SyncReplyHeader) -> int:
    size = 66
    return size


refuse_arguments_SyncReplyHeader = partial(replacing.refuse_arguments, layouts.SyncReplyHeader)
part_SyncReplyHeader_BaseReplicationHeader = accept.for_field(
    accept.part, layouts.SyncReplyHeader, "BaseReplicationHeader", BaseReplicationHeader
)
guid_SyncReplyHeader_PartitionID = accept.for_field(accept.guid, layouts.SyncReplyHeader, "PartitionID")
sequence_number_SyncReplyHeader_FromSeqNumber = accept.for_field(
    accept.sequence_number, layouts.SyncReplyHeader, "FromSeqNumber"
)
sequence_number_SyncReplyHeader_ToSeqNumber = accept.for_field(
    accept.sequence_number, layouts.SyncReplyHeader, "ToSeqNumber"
)
sequence_number_SyncReplyHeader_PurgedSeqNumber = accept.for_field(
    accept.sequence_number, layouts.SyncReplyHeader, "PurgedSeqNumber"
)
integer_SyncReplyHeader_Count = accept.for_field(accept.integer, layouts.SyncReplyHeader, "Count")
integer_SyncReplyHeader_CompleteSync0 = accept.for_field(
    accept.integer, layouts.SyncReplyHeader, "CompleteSync0"
)


def build_SyncReplyHeader(
    BaseReplicationHeader: Any = None,
    PartitionID: Any = None,
    FromSeqNumber: Any = None,
    ToSeqNumber: Any = None,
    PurgedSeqNumber: Any = None,
    Count: Any = None,
    CompleteSync0: Any = None,
    *more: Any,
    **unknown: Any,
) -> SyncReplyHeader:
    if more or unknown:
        refuse_arguments_SyncReplyHeader(more, unknown)
    if BaseReplicationHeader is None:
        BaseReplicationHeader = default_BaseReplicationHeader()
    else:
        if BaseReplicationHeader.__class__ is not class_BaseReplicationHeader:
            part_SyncReplyHeader_BaseReplicationHeader(BaseReplicationHeader)
    if PartitionID is None:
        PartitionID = NULL_GUID
    else:
        if not (
            PartitionID.__class__ is GUID
            and (_raw := PartitionID.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            PartitionID = guid_SyncReplyHeader_PartitionID(PartitionID)
    if FromSeqNumber is None:
        FromSeqNumber = MIN_SEQ_NUMBER
    else:
        FromSeqNumber = sequence_number_SyncReplyHeader_FromSeqNumber(FromSeqNumber)
    if ToSeqNumber is None:
        ToSeqNumber = MIN_SEQ_NUMBER
    else:
        ToSeqNumber = sequence_number_SyncReplyHeader_ToSeqNumber(ToSeqNumber)
    if PurgedSeqNumber is None:
        PurgedSeqNumber = MIN_SEQ_NUMBER
    else:
        PurgedSeqNumber = sequence_number_SyncReplyHeader_PurgedSeqNumber(PurgedSeqNumber)
    if Count is None:
        Count = LEFT_OUT_0
    else:
        if Count.__class__ is not int or not 0 <= Count <= 4294967295:
            Count = integer_SyncReplyHeader_Count(Count)
    if CompleteSync0 is None:
        CompleteSync0 = 0
    else:
        if CompleteSync0.__class__ is not int or not 0 <= CompleteSync0 <= 4294967295:
            CompleteSync0 = integer_SyncReplyHeader_CompleteSync0(CompleteSync0)
    if BaseReplicationHeader.Operation.__class__ is Omitted:
        _Operation = 3
        BaseReplicationHeader = replace(BaseReplicationHeader, Operation=_Operation)
    record: SyncReplyHeader = new_SyncReplyHeader(
        *(
            BaseReplicationHeader,
            PartitionID,
            FromSeqNumber,
            ToSeqNumber,
            PurgedSeqNumber,
            Count,
            CompleteSync0,
        )
    )
    return record


def plain_SyncReplyHeader(record: SyncReplyHeader) -> dict[str, Any]:
    return {
        "BaseReplicationHeader": plain_BaseReplicationHeader(record.BaseReplicationHeader),
        "PartitionID": record.PartitionID.__str__(),
        "FromSeqNumber": record.FromSeqNumber.__str__(),
        "ToSeqNumber": record.ToSeqNumber.__str__(),
        "PurgedSeqNumber": record.PurgedSeqNumber.__str__(),
        "Count": int(record.Count),
        "CompleteSync0": record.CompleteSync0,
    }


def from_plain_SyncReplyHeader(fields: Any, path: str) -> SyncReplyHeader:
    taken = FieldSource(layouts.SyncReplyHeader, fields, path)
    record: SyncReplyHeader = taken.make(
        SyncReplyHeader,
        BaseReplicationHeader=taken.part("BaseReplicationHeader", from_plain_BaseReplicationHeader),
        PartitionID=taken.value("PartitionID", plain.guid),
        FromSeqNumber=taken.value("FromSeqNumber", plain.sequence),
        ToSeqNumber=taken.value("ToSeqNumber", plain.sequence),
        PurgedSeqNumber=taken.value("PurgedSeqNumber", plain.sequence),
        Count=taken.value("Count", plain.number),
        CompleteSync0=taken.value("CompleteSync0", plain.number),
    )
    return record


register(
    SyncReplyHeader,
    size_SyncReplyHeader,
    build_SyncReplyHeader,
    plain_SyncReplyHeader,
    from_plain_SyncReplyHeader,
)


# ------------------------------------------------------------------ [MC-MQDSRP] 2.2.5.4 SeqNumberHeader


def size_SeqNumberHeader(record: SeqNumberHeader) -> int:
    machine_name = record.MachineName
    partition_seq_numbers = record.PartitionSeqNumbers
    size = 2 + sum(map(size_PARTITION_SEQ_NUMBERS, partition_seq_numbers))
    if machine_name is not None:
        size += (len(machine_name) if machine_name.isascii() else wchar_count(machine_name)) * 2 + 2
    return size


refuse_arguments_SeqNumberHeader = partial(replacing.refuse_arguments, layouts.SeqNumberHeader)
integer_SeqNumberHeader_Count = accept.for_field(accept.integer, layouts.SeqNumberHeader, "Count")
text_SeqNumberHeader_MachineName = accept.for_field(accept.text, layouts.SeqNumberHeader, "MachineName")
parts_SeqNumberHeader_PartitionSeqNumbers = accept.for_field(
    accept.parts, layouts.SeqNumberHeader, "PartitionSeqNumbers", PARTITION_SEQ_NUMBERS
)
refuse_size_SeqNumberHeader = partial(
    replacing.refuse_size, layouts.SeqNumberHeader, "PartitionSeqNumbers", "Count", "elements", 65535
)
accompany_SeqNumberHeader_MachineName = accept.for_field(
    replacing.accompany, layouts.SeqNumberHeader, "MachineName"
)


def build_SeqNumberHeader(
    Count: Any = None, MachineName: Any = None, PartitionSeqNumbers: Any = None, *more: Any, **unknown: Any
) -> SeqNumberHeader:
    if more or unknown:
        refuse_arguments_SeqNumberHeader(more, unknown)
    _out_Count = Count is None
    if Count is not None:
        if Count.__class__ is not int or not 0 <= Count <= 65535:
            Count = integer_SeqNumberHeader_Count(Count)
    if MachineName is not None:
        if MachineName.__class__ is not str or not MachineName.isascii() or "\0" in MachineName:
            MachineName = text_SeqNumberHeader_MachineName(MachineName)
    if PartitionSeqNumbers is None:
        PartitionSeqNumbers = ()
    else:
        PartitionSeqNumbers = parts_SeqNumberHeader_PartitionSeqNumbers(PartitionSeqNumbers)
    _true_Count = len(PartitionSeqNumbers)
    if Count is None:
        Count = _true_Count
        if Count > 65535:
            refuse_size_SeqNumberHeader(Count)
    MachineName = accompany_SeqNumberHeader_MachineName(MachineName, Count, _out_Count)
    record: SeqNumberHeader = new_SeqNumberHeader(*(Count, MachineName, PartitionSeqNumbers))
    return record


def plain_SeqNumberHeader(record: SeqNumberHeader) -> dict[str, Any]:
    return {
        "Count": record.Count,
        "MachineName": record.MachineName,
        "PartitionSeqNumbers": [plain_PARTITION_SEQ_NUMBERS(item) for item in record.PartitionSeqNumbers],
    }


def from_plain_SeqNumberHeader(fields: Any, path: str) -> SeqNumberHeader:
    taken = FieldSource(layouts.SeqNumberHeader, fields, path)
    record: SeqNumberHeader = taken.make(
        SeqNumberHeader,
        Count=taken.value("Count", plain.number),
        MachineName=taken.value("MachineName", plain.text),
        PartitionSeqNumbers=taken.parts("PartitionSeqNumbers", from_plain_PARTITION_SEQ_NUMBERS),
    )
    return record


register(
    SeqNumberHeader,
    size_SeqNumberHeader,
    build_SeqNumberHeader,
    plain_SeqNumberHeader,
    from_plain_SeqNumberHeader,
)


# ------------------------------------------------------------- [MC-MQDSRP] 2.2.6.2 ChangeRequestMessage


def size_ChangeRequestMessage(record: ChangeRequestMessage) -> int:
    change_request_header = record.ChangeRequestHeader
    directory_change = record.DirectoryChange
    size = (
        85
        + (
            (
                len(change_request_header.RequesterName)
                if change_request_header.RequesterName.isascii()
                else wchar_count(change_request_header.RequesterName)
            )
            * 2
            + 2
        )
        + len(directory_change.PropertyID) * 4
        + size_of_values(directory_change.PropertyValue)
    )
    if (_part := change_request_header.PSCName) is not None:
        size += (len(_part) if _part.isascii() else wchar_count(_part)) * 2 + 2
    if (_part_2 := directory_change.PathName) is not None:
        size += (len(_part_2) if _part_2.isascii() else wchar_count(_part_2)) * 2 + 2
    if (_part_3 := directory_change.GuidIdentifier) is not None:
        size += 16
    return size


refuse_arguments_ChangeRequestMessage = partial(replacing.refuse_arguments, layouts.ChangeRequestMessage)
default_ChangeRequestHeader = cache(ChangeRequestHeader)
part_ChangeRequestMessage_ChangeRequestHeader = accept.for_field(
    accept.part, layouts.ChangeRequestMessage, "ChangeRequestHeader", ChangeRequestHeader
)
class_ChangeRequestHeader = ChangeRequestHeader
default_DirectoryChange = cache(DirectoryChange)
part_ChangeRequestMessage_DirectoryChange = accept.for_field(
    accept.part, layouts.ChangeRequestMessage, "DirectoryChange", DirectoryChange
)
class_DirectoryChange = DirectoryChange


def build_ChangeRequestMessage(
    ChangeRequestHeader: Any = None, DirectoryChange: Any = None, *more: Any, **unknown: Any
) -> ChangeRequestMessage:
    if more or unknown:
        refuse_arguments_ChangeRequestMessage(more, unknown)
    if ChangeRequestHeader is None:
        ChangeRequestHeader = default_ChangeRequestHeader()
    else:
        if ChangeRequestHeader.__class__ is not class_ChangeRequestHeader:
            part_ChangeRequestMessage_ChangeRequestHeader(ChangeRequestHeader)
    if DirectoryChange is None:
        DirectoryChange = default_DirectoryChange()
    else:
        if DirectoryChange.__class__ is not class_DirectoryChange:
            part_ChangeRequestMessage_DirectoryChange(DirectoryChange)
    record: ChangeRequestMessage = new_ChangeRequestMessage(*(ChangeRequestHeader, DirectoryChange))
    return record


def plain_ChangeRequestMessage(record: ChangeRequestMessage) -> dict[str, Any]:
    return {
        "ChangeRequestHeader": plain_ChangeRequestHeader(record.ChangeRequestHeader),
        "DirectoryChange": plain_DirectoryChange(record.DirectoryChange),
    }


def from_plain_ChangeRequestMessage(fields: Any, path: str) -> ChangeRequestMessage:
    taken = FieldSource(layouts.ChangeRequestMessage, fields, path)
    record: ChangeRequestMessage = taken.make(
        ChangeRequestMessage,
        ChangeRequestHeader=taken.part("ChangeRequestHeader", from_plain_ChangeRequestHeader),
        DirectoryChange=taken.part("DirectoryChange", from_plain_DirectoryChange),
    )
    return record


register(
    ChangeRequestMessage,
    size_ChangeRequestMessage,
    build_ChangeRequestMessage,
    plain_ChangeRequestMessage,
    from_plain_ChangeRequestMessage,
)


# --------------------------------------------------------------- [MC-MQDSRP] 2.2.6.3 ChangeReplyMessage


def size_ChangeReplyMessage(record: ChangeReplyMessage) -> int:
    requester_name = record.RequesterName
    size = 26 + ((len(requester_name) if requester_name.isascii() else wchar_count(requester_name)) * 2 + 2)
    return size


refuse_arguments_ChangeReplyMessage = partial(replacing.refuse_arguments, layouts.ChangeReplyMessage)
part_ChangeReplyMessage_BaseReplicationHeader = accept.for_field(
    accept.part, layouts.ChangeReplyMessage, "BaseReplicationHeader", BaseReplicationHeader
)
integer_ChangeReplyMessage_RequestIdentifier = accept.for_field(
    accept.integer, layouts.ChangeReplyMessage, "RequestIdentifier"
)
integer_ChangeReplyMessage_Result = accept.for_field(accept.integer, layouts.ChangeReplyMessage, "Result")
text_ChangeReplyMessage_RequesterName = accept.for_field(
    accept.text, layouts.ChangeReplyMessage, "RequesterName"
)


def build_ChangeReplyMessage(
    BaseReplicationHeader: Any = None,
    RequestIdentifier: Any = None,
    Result: Any = None,
    RequesterName: Any = None,
    *more: Any,
    **unknown: Any,
) -> ChangeReplyMessage:
    if more or unknown:
        refuse_arguments_ChangeReplyMessage(more, unknown)
    if BaseReplicationHeader is None:
        BaseReplicationHeader = default_BaseReplicationHeader()
    else:
        if BaseReplicationHeader.__class__ is not class_BaseReplicationHeader:
            part_ChangeReplyMessage_BaseReplicationHeader(BaseReplicationHeader)
    if RequestIdentifier is None:
        RequestIdentifier = 0
    else:
        if RequestIdentifier.__class__ is not int or not 0 <= RequestIdentifier <= 4294967295:
            RequestIdentifier = integer_ChangeReplyMessage_RequestIdentifier(RequestIdentifier)
    if Result is None:
        Result = 0
    else:
        if Result.__class__ is not int or not 0 <= Result <= 4294967295:
            Result = integer_ChangeReplyMessage_Result(Result)
    if RequesterName is None:
        RequesterName = ""
    else:
        if RequesterName.__class__ is not str or not RequesterName.isascii() or "\0" in RequesterName:
            RequesterName = text_ChangeReplyMessage_RequesterName(RequesterName)
    if BaseReplicationHeader.Operation.__class__ is Omitted:
        _Operation = 4
        BaseReplicationHeader = replace(BaseReplicationHeader, Operation=_Operation)
    record: ChangeReplyMessage = new_ChangeReplyMessage(
        *(BaseReplicationHeader, RequestIdentifier, Result, RequesterName)
    )
    return record


def plain_ChangeReplyMessage(record: ChangeReplyMessage) -> dict[str, Any]:
    return {
        "BaseReplicationHeader": plain_BaseReplicationHeader(record.BaseReplicationHeader),
        "RequestIdentifier": record.RequestIdentifier,
        "Result": record.Result,
        "RequesterName": record.RequesterName,
    }


def from_plain_ChangeReplyMessage(fields: Any, path: str) -> ChangeReplyMessage:
    taken = FieldSource(layouts.ChangeReplyMessage, fields, path)
    record: ChangeReplyMessage = taken.make(
        ChangeReplyMessage,
        BaseReplicationHeader=taken.part("BaseReplicationHeader", from_plain_BaseReplicationHeader),
        RequestIdentifier=taken.value("RequestIdentifier", plain.number),
        Result=taken.value("Result", plain.number),
        RequesterName=taken.value("RequesterName", plain.text),
    )
    return record


register(
    ChangeReplyMessage,
    size_ChangeReplyMessage,
    build_ChangeReplyMessage,
    plain_ChangeReplyMessage,
    from_plain_ChangeReplyMessage,
)


# --------------------------------------------------------------- [MC-MQDSRP] 2.2.6.4 SyncRequestMessage


def size_SyncRequestMessage(record: SyncRequestMessage) -> int:
    requester_name = record.RequesterName
    size = 60 + ((len(requester_name) if requester_name.isascii() else wchar_count(requester_name)) * 2 + 2)
    return size


refuse_arguments_SyncRequestMessage = partial(replacing.refuse_arguments, layouts.SyncRequestMessage)
part_SyncRequestMessage_BaseReplicationHeader = accept.for_field(
    accept.part, layouts.SyncRequestMessage, "BaseReplicationHeader", BaseReplicationHeader
)
guid_SyncRequestMessage_PartitionID = accept.for_field(accept.guid, layouts.SyncRequestMessage, "PartitionID")
sequence_number_SyncRequestMessage_FromSeqNumber = accept.for_field(
    accept.sequence_number, layouts.SyncRequestMessage, "FromSeqNumber"
)
sequence_number_SyncRequestMessage_ToSeqNumber = accept.for_field(
    accept.sequence_number, layouts.SyncRequestMessage, "ToSeqNumber"
)
sequence_number_SyncRequestMessage_KnownPurgedSeqNumber = accept.for_field(
    accept.sequence_number, layouts.SyncRequestMessage, "KnownPurgedSeqNumber"
)
integer_SyncRequestMessage_IsSync0 = accept.for_field(accept.integer, layouts.SyncRequestMessage, "IsSync0")
integer_SyncRequestMessage_Scope = accept.for_field(accept.integer, layouts.SyncRequestMessage, "Scope")
text_SyncRequestMessage_RequesterName = accept.for_field(
    accept.text, layouts.SyncRequestMessage, "RequesterName"
)


def build_SyncRequestMessage(
    BaseReplicationHeader: Any = None,
    PartitionID: Any = None,
    FromSeqNumber: Any = None,
    ToSeqNumber: Any = None,
    KnownPurgedSeqNumber: Any = None,
    IsSync0: Any = None,
    Scope: Any = None,
    RequesterName: Any = None,
    *more: Any,
    **unknown: Any,
) -> SyncRequestMessage:
    if more or unknown:
        refuse_arguments_SyncRequestMessage(more, unknown)
    if BaseReplicationHeader is None:
        BaseReplicationHeader = default_BaseReplicationHeader()
    else:
        if BaseReplicationHeader.__class__ is not class_BaseReplicationHeader:
            part_SyncRequestMessage_BaseReplicationHeader(BaseReplicationHeader)
    if PartitionID is None:
        PartitionID = NULL_GUID
    else:
        if not (
            PartitionID.__class__ is GUID
            and (_raw := PartitionID.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            PartitionID = guid_SyncRequestMessage_PartitionID(PartitionID)
    if FromSeqNumber is None:
        FromSeqNumber = MIN_SEQ_NUMBER
    else:
        FromSeqNumber = sequence_number_SyncRequestMessage_FromSeqNumber(FromSeqNumber)
    if ToSeqNumber is None:
        ToSeqNumber = MIN_SEQ_NUMBER
    else:
        ToSeqNumber = sequence_number_SyncRequestMessage_ToSeqNumber(ToSeqNumber)
    if KnownPurgedSeqNumber is None:
        KnownPurgedSeqNumber = MIN_SEQ_NUMBER
    else:
        KnownPurgedSeqNumber = sequence_number_SyncRequestMessage_KnownPurgedSeqNumber(KnownPurgedSeqNumber)
    if IsSync0 is None:
        IsSync0 = 0
    else:
        if IsSync0.__class__ is not int or not 0 <= IsSync0 <= 255:
            IsSync0 = integer_SyncRequestMessage_IsSync0(IsSync0)
    if Scope is None:
        Scope = 0
    else:
        if Scope.__class__ is not int or not 0 <= Scope <= 255:
            Scope = integer_SyncRequestMessage_Scope(Scope)
    if RequesterName is None:
        RequesterName = ""
    else:
        if RequesterName.__class__ is not str or not RequesterName.isascii() or "\0" in RequesterName:
            RequesterName = text_SyncRequestMessage_RequesterName(RequesterName)
    if BaseReplicationHeader.Operation.__class__ is Omitted:
        _Operation = 2
        BaseReplicationHeader = replace(BaseReplicationHeader, Operation=_Operation)
    record: SyncRequestMessage = new_SyncRequestMessage(
        *(
            BaseReplicationHeader,
            PartitionID,
            FromSeqNumber,
            ToSeqNumber,
            KnownPurgedSeqNumber,
            IsSync0,
            Scope,
            RequesterName,
        )
    )
    return record


def plain_SyncRequestMessage(record: SyncRequestMessage) -> dict[str, Any]:
    return {
        "BaseReplicationHeader": plain_BaseReplicationHeader(record.BaseReplicationHeader),
        "PartitionID": record.PartitionID.__str__(),
        "FromSeqNumber": record.FromSeqNumber.__str__(),
        "ToSeqNumber": record.ToSeqNumber.__str__(),
        "KnownPurgedSeqNumber": record.KnownPurgedSeqNumber.__str__(),
        "IsSync0": record.IsSync0,
        "Scope": record.Scope,
        "RequesterName": record.RequesterName,
    }


def from_plain_SyncRequestMessage(fields: Any, path: str) -> SyncRequestMessage:
    taken = FieldSource(layouts.SyncRequestMessage, fields, path)
    record: SyncRequestMessage = taken.make(
        SyncRequestMessage,
        BaseReplicationHeader=taken.part("BaseReplicationHeader", from_plain_BaseReplicationHeader),
        PartitionID=taken.value("PartitionID", plain.guid),
        FromSeqNumber=taken.value("FromSeqNumber", plain.sequence),
        ToSeqNumber=taken.value("ToSeqNumber", plain.sequence),
        KnownPurgedSeqNumber=taken.value("KnownPurgedSeqNumber", plain.sequence),
        IsSync0=taken.value("IsSync0", plain.number),
        Scope=taken.value("Scope", plain.number),
        RequesterName=taken.value("RequesterName", plain.text),
    )
    return record


register(
    SyncRequestMessage,
    size_SyncRequestMessage,
    build_SyncRequestMessage,
    plain_SyncRequestMessage,
    from_plain_SyncRequestMessage,
)


# ----------------------------------------------------------------- [MC-MQDSRP] 2.2.6.5 SyncReplyMessage


def size_SyncReplyMessage(record: SyncReplyMessage) -> int:
    directory_changes = record.DirectoryChanges
    size = 66 + sum(map(size_DirectoryChange, directory_changes))
    return size


refuse_arguments_SyncReplyMessage = partial(replacing.refuse_arguments, layouts.SyncReplyMessage)
default_SyncReplyHeader = cache(SyncReplyHeader)
part_SyncReplyMessage_SyncReplyHeader = accept.for_field(
    accept.part, layouts.SyncReplyMessage, "SyncReplyHeader", SyncReplyHeader
)
class_SyncReplyHeader = SyncReplyHeader
parts_SyncReplyMessage_DirectoryChanges = accept.for_field(
    accept.parts, layouts.SyncReplyMessage, "DirectoryChanges", DirectoryChange
)


def build_SyncReplyMessage(
    SyncReplyHeader: Any = None, DirectoryChanges: Any = None, *more: Any, **unknown: Any
) -> SyncReplyMessage:
    if more or unknown:
        refuse_arguments_SyncReplyMessage(more, unknown)
    if SyncReplyHeader is None:
        SyncReplyHeader = default_SyncReplyHeader()
    else:
        if SyncReplyHeader.__class__ is not class_SyncReplyHeader:
            part_SyncReplyMessage_SyncReplyHeader(SyncReplyHeader)
    if DirectoryChanges is None:
        DirectoryChanges = ()
    else:
        DirectoryChanges = parts_SyncReplyMessage_DirectoryChanges(DirectoryChanges)
    if SyncReplyHeader.Count.__class__ is Omitted:
        _Count = len(DirectoryChanges)
        SyncReplyHeader = replace(SyncReplyHeader, Count=_Count)
    record: SyncReplyMessage = new_SyncReplyMessage(*(SyncReplyHeader, DirectoryChanges))
    return record


def plain_SyncReplyMessage(record: SyncReplyMessage) -> dict[str, Any]:
    return {
        "SyncReplyHeader": plain_SyncReplyHeader(record.SyncReplyHeader),
        "DirectoryChanges": [plain_DirectoryChange(item) for item in record.DirectoryChanges],
    }


def from_plain_SyncReplyMessage(fields: Any, path: str) -> SyncReplyMessage:
    taken = FieldSource(layouts.SyncReplyMessage, fields, path)
    record: SyncReplyMessage = taken.make(
        SyncReplyMessage,
        SyncReplyHeader=taken.part("SyncReplyHeader", from_plain_SyncReplyHeader),
        DirectoryChanges=taken.parts("DirectoryChanges", from_plain_DirectoryChange),
    )
    return record


register(
    SyncReplyMessage,
    size_SyncReplyMessage,
    build_SyncReplyMessage,
    plain_SyncReplyMessage,
    from_plain_SyncReplyMessage,
)


# -------------------------------------------------------------------- [MC-MQDSRP] 2.2.6.6 BSCAckMessage


def size_BSCAckMessage(record: BSCAckMessage) -> int:
    bsc_name = record.BSCName
    size = 34 + ((len(bsc_name) if bsc_name.isascii() else wchar_count(bsc_name)) * 2 + 2)
    return size


refuse_arguments_BSCAckMessage = partial(replacing.refuse_arguments, layouts.BSCAckMessage)
part_BSCAckMessage_BaseReplicationHeader = accept.for_field(
    accept.part, layouts.BSCAckMessage, "BaseReplicationHeader", BaseReplicationHeader
)
guid_BSCAckMessage_BSCMachineID = accept.for_field(accept.guid, layouts.BSCAckMessage, "BSCMachineID")
text_BSCAckMessage_BSCName = accept.for_field(accept.text, layouts.BSCAckMessage, "BSCName")


def build_BSCAckMessage(
    BaseReplicationHeader: Any = None,
    BSCMachineID: Any = None,
    BSCName: Any = None,
    *more: Any,
    **unknown: Any,
) -> BSCAckMessage:
    if more or unknown:
        refuse_arguments_BSCAckMessage(more, unknown)
    if BaseReplicationHeader is None:
        BaseReplicationHeader = default_BaseReplicationHeader()
    else:
        if BaseReplicationHeader.__class__ is not class_BaseReplicationHeader:
            part_BSCAckMessage_BaseReplicationHeader(BaseReplicationHeader)
    if BSCMachineID is None:
        BSCMachineID = NULL_GUID
    else:
        if not (
            BSCMachineID.__class__ is GUID
            and (_raw := BSCMachineID.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            BSCMachineID = guid_BSCAckMessage_BSCMachineID(BSCMachineID)
    if BSCName is None:
        BSCName = ""
    else:
        if BSCName.__class__ is not str or not BSCName.isascii() or "\0" in BSCName:
            BSCName = text_BSCAckMessage_BSCName(BSCName)
    if BaseReplicationHeader.Operation.__class__ is Omitted:
        _Operation = 7
        BaseReplicationHeader = replace(BaseReplicationHeader, Operation=_Operation)
    record: BSCAckMessage = new_BSCAckMessage(*(BaseReplicationHeader, BSCMachineID, BSCName))
    return record


def plain_BSCAckMessage(record: BSCAckMessage) -> dict[str, Any]:
    return {
        "BaseReplicationHeader": plain_BaseReplicationHeader(record.BaseReplicationHeader),
        "BSCMachineID": record.BSCMachineID.__str__(),
        "BSCName": record.BSCName,
    }


def from_plain_BSCAckMessage(fields: Any, path: str) -> BSCAckMessage:
    taken = FieldSource(layouts.BSCAckMessage, fields, path)
    record: BSCAckMessage = taken.make(
        BSCAckMessage,
        BaseReplicationHeader=taken.part("BaseReplicationHeader", from_plain_BaseReplicationHeader),
        BSCMachineID=taken.value("BSCMachineID", plain.guid),
        BSCName=taken.value("BSCName", plain.text),
    )
    return record


register(
    BSCAckMessage, size_BSCAckMessage, build_BSCAckMessage, plain_BSCAckMessage, from_plain_BSCAckMessage
)


# -------------------------------------------------------------------- [MC-MQDSRP] 2.2.6.7 PSCAckMessage


def size_PSCAckMessage(record: PSCAckMessage) -> int:
    psc_name = record.PSCName
    size = 58 + ((len(psc_name) if psc_name.isascii() else wchar_count(psc_name)) * 2 + 2)
    return size


refuse_arguments_PSCAckMessage = partial(replacing.refuse_arguments, layouts.PSCAckMessage)
part_PSCAckMessage_BaseReplicationHeader = accept.for_field(
    accept.part, layouts.PSCAckMessage, "BaseReplicationHeader", BaseReplicationHeader
)
guid_PSCAckMessage_PSCSiteID = accept.for_field(accept.guid, layouts.PSCAckMessage, "PSCSiteID")
guid_PSCAckMessage_AckedPartitionID = accept.for_field(accept.guid, layouts.PSCAckMessage, "AckedPartitionID")
sequence_number_PSCAckMessage_AckedSeqNumber = accept.for_field(
    accept.sequence_number, layouts.PSCAckMessage, "AckedSeqNumber"
)
text_PSCAckMessage_PSCName = accept.for_field(accept.text, layouts.PSCAckMessage, "PSCName")


def build_PSCAckMessage(
    BaseReplicationHeader: Any = None,
    PSCSiteID: Any = None,
    AckedPartitionID: Any = None,
    AckedSeqNumber: Any = None,
    PSCName: Any = None,
    *more: Any,
    **unknown: Any,
) -> PSCAckMessage:
    if more or unknown:
        refuse_arguments_PSCAckMessage(more, unknown)
    if BaseReplicationHeader is None:
        BaseReplicationHeader = default_BaseReplicationHeader()
    else:
        if BaseReplicationHeader.__class__ is not class_BaseReplicationHeader:
            part_PSCAckMessage_BaseReplicationHeader(BaseReplicationHeader)
    if PSCSiteID is None:
        PSCSiteID = NULL_GUID
    else:
        if not (
            PSCSiteID.__class__ is GUID
            and (_raw := PSCSiteID.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            PSCSiteID = guid_PSCAckMessage_PSCSiteID(PSCSiteID)
    if AckedPartitionID is None:
        AckedPartitionID = NULL_GUID
    else:
        if not (
            AckedPartitionID.__class__ is GUID
            and (_raw := AckedPartitionID.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            AckedPartitionID = guid_PSCAckMessage_AckedPartitionID(AckedPartitionID)
    if AckedSeqNumber is None:
        AckedSeqNumber = MIN_SEQ_NUMBER
    else:
        AckedSeqNumber = sequence_number_PSCAckMessage_AckedSeqNumber(AckedSeqNumber)
    if PSCName is None:
        PSCName = ""
    else:
        if PSCName.__class__ is not str or not PSCName.isascii() or "\0" in PSCName:
            PSCName = text_PSCAckMessage_PSCName(PSCName)
    if BaseReplicationHeader.Operation.__class__ is Omitted:
        _Operation = 6
        BaseReplicationHeader = replace(BaseReplicationHeader, Operation=_Operation)
    record: PSCAckMessage = new_PSCAckMessage(
        *(BaseReplicationHeader, PSCSiteID, AckedPartitionID, AckedSeqNumber, PSCName)
    )
    return record


def plain_PSCAckMessage(record: PSCAckMessage) -> dict[str, Any]:
    return {
        "BaseReplicationHeader": plain_BaseReplicationHeader(record.BaseReplicationHeader),
        "PSCSiteID": record.PSCSiteID.__str__(),
        "AckedPartitionID": record.AckedPartitionID.__str__(),
        "AckedSeqNumber": record.AckedSeqNumber.__str__(),
        "PSCName": record.PSCName,
    }


def from_plain_PSCAckMessage(fields: Any, path: str) -> PSCAckMessage:
    taken = FieldSource(layouts.PSCAckMessage, fields, path)
    record: PSCAckMessage = taken.make(
        PSCAckMessage,
        BaseReplicationHeader=taken.part("BaseReplicationHeader", from_plain_BaseReplicationHeader),
        PSCSiteID=taken.value("PSCSiteID", plain.guid),
        AckedPartitionID=taken.value("AckedPartitionID", plain.guid),
        AckedSeqNumber=taken.value("AckedSeqNumber", plain.sequence),
        PSCName=taken.value("PSCName", plain.text),
    )
    return record


register(
    PSCAckMessage, size_PSCAckMessage, build_PSCAckMessage, plain_PSCAckMessage, from_plain_PSCAckMessage
)


# ------------------------------------------------------------- [MC-MQDSRP] 2.2.6.8 AlreadyPurgedMessage


def size_AlreadyPurgedMessage(record: AlreadyPurgedMessage) -> int:
    size = 42
    return size


refuse_arguments_AlreadyPurgedMessage = partial(replacing.refuse_arguments, layouts.AlreadyPurgedMessage)
part_AlreadyPurgedMessage_BaseReplicationHeader = accept.for_field(
    accept.part, layouts.AlreadyPurgedMessage, "BaseReplicationHeader", BaseReplicationHeader
)
guid_AlreadyPurgedMessage_PartitionID = accept.for_field(
    accept.guid, layouts.AlreadyPurgedMessage, "PartitionID"
)
sequence_number_AlreadyPurgedMessage_PurgedSeqNumber = accept.for_field(
    accept.sequence_number, layouts.AlreadyPurgedMessage, "PurgedSeqNumber"
)


def build_AlreadyPurgedMessage(
    BaseReplicationHeader: Any = None,
    PartitionID: Any = None,
    PurgedSeqNumber: Any = None,
    *more: Any,
    **unknown: Any,
) -> AlreadyPurgedMessage:
    if more or unknown:
        refuse_arguments_AlreadyPurgedMessage(more, unknown)
    if BaseReplicationHeader is None:
        BaseReplicationHeader = default_BaseReplicationHeader()
    else:
        if BaseReplicationHeader.__class__ is not class_BaseReplicationHeader:
            part_AlreadyPurgedMessage_BaseReplicationHeader(BaseReplicationHeader)
    if PartitionID is None:
        PartitionID = NULL_GUID
    else:
        if not (
            PartitionID.__class__ is GUID
            and (_raw := PartitionID.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            PartitionID = guid_AlreadyPurgedMessage_PartitionID(PartitionID)
    if PurgedSeqNumber is None:
        PurgedSeqNumber = MIN_SEQ_NUMBER
    else:
        PurgedSeqNumber = sequence_number_AlreadyPurgedMessage_PurgedSeqNumber(PurgedSeqNumber)
    if BaseReplicationHeader.Operation.__class__ is Omitted:
        _Operation = 5
        BaseReplicationHeader = replace(BaseReplicationHeader, Operation=_Operation)
    record: AlreadyPurgedMessage = new_AlreadyPurgedMessage(
        *(BaseReplicationHeader, PartitionID, PurgedSeqNumber)
    )
    return record


def plain_AlreadyPurgedMessage(record: AlreadyPurgedMessage) -> dict[str, Any]:
    return {
        "BaseReplicationHeader": plain_BaseReplicationHeader(record.BaseReplicationHeader),
        "PartitionID": record.PartitionID.__str__(),
        "PurgedSeqNumber": record.PurgedSeqNumber.__str__(),
    }


def from_plain_AlreadyPurgedMessage(fields: Any, path: str) -> AlreadyPurgedMessage:
    taken = FieldSource(layouts.AlreadyPurgedMessage, fields, path)
    record: AlreadyPurgedMessage = taken.make(
        AlreadyPurgedMessage,
        BaseReplicationHeader=taken.part("BaseReplicationHeader", from_plain_BaseReplicationHeader),
        PartitionID=taken.value("PartitionID", plain.guid),
        PurgedSeqNumber=taken.value("PurgedSeqNumber", plain.sequence),
    )
    return record


register(
    AlreadyPurgedMessage,
    size_AlreadyPurgedMessage,
    build_AlreadyPurgedMessage,
    plain_AlreadyPurgedMessage,
    from_plain_AlreadyPurgedMessage,
)


# --------------------------------------------------------- [MC-MQDSRP] 2.2.6.9 ChangePropagationMessage


def size_ChangePropagationMessage(record: ChangePropagationMessage) -> int:
    directory_changes = record.DirectoryChanges
    seq_number_header = record.SeqNumberHeader
    size = (
        23
        + sum(map(size_DirectoryChange, directory_changes))
        + sum(map(size_PARTITION_SEQ_NUMBERS, seq_number_header.PartitionSeqNumbers))
    )
    if (_part := seq_number_header.MachineName) is not None:
        size += (len(_part) if _part.isascii() else wchar_count(_part)) * 2 + 2
    return size


refuse_arguments_ChangePropagationMessage = partial(
    replacing.refuse_arguments, layouts.ChangePropagationMessage
)
part_ChangePropagationMessage_BaseReplicationHeader = accept.for_field(
    accept.part, layouts.ChangePropagationMessage, "BaseReplicationHeader", BaseReplicationHeader
)
integer_ChangePropagationMessage_Flush = accept.for_field(
    accept.integer, layouts.ChangePropagationMessage, "Flush"
)
integer_ChangePropagationMessage_Count = accept.for_field(
    accept.integer, layouts.ChangePropagationMessage, "Count"
)
parts_ChangePropagationMessage_DirectoryChanges = accept.for_field(
    accept.parts, layouts.ChangePropagationMessage, "DirectoryChanges", DirectoryChange
)
default_SeqNumberHeader = cache(SeqNumberHeader)
part_ChangePropagationMessage_SeqNumberHeader = accept.for_field(
    accept.part, layouts.ChangePropagationMessage, "SeqNumberHeader", SeqNumberHeader
)
class_SeqNumberHeader = SeqNumberHeader
refuse_size_ChangePropagationMessage = partial(
    replacing.refuse_size, layouts.ChangePropagationMessage, "DirectoryChanges", "Count", "elements", 65535
)


def build_ChangePropagationMessage(
    BaseReplicationHeader: Any = None,
    Flush: Any = None,
    Count: Any = None,
    DirectoryChanges: Any = None,
    SeqNumberHeader: Any = None,
    *more: Any,
    **unknown: Any,
) -> ChangePropagationMessage:
    if more or unknown:
        refuse_arguments_ChangePropagationMessage(more, unknown)
    if BaseReplicationHeader is None:
        BaseReplicationHeader = default_BaseReplicationHeader()
    else:
        if BaseReplicationHeader.__class__ is not class_BaseReplicationHeader:
            part_ChangePropagationMessage_BaseReplicationHeader(BaseReplicationHeader)
    if Flush is None:
        Flush = 0
    else:
        if Flush.__class__ is not int or not 0 <= Flush <= 255:
            Flush = integer_ChangePropagationMessage_Flush(Flush)
    if Count is not None:
        if Count.__class__ is not int or not 0 <= Count <= 65535:
            Count = integer_ChangePropagationMessage_Count(Count)
    if DirectoryChanges is None:
        DirectoryChanges = ()
    else:
        DirectoryChanges = parts_ChangePropagationMessage_DirectoryChanges(DirectoryChanges)
    if SeqNumberHeader is None:
        SeqNumberHeader = default_SeqNumberHeader()
    else:
        if SeqNumberHeader.__class__ is not class_SeqNumberHeader:
            part_ChangePropagationMessage_SeqNumberHeader(SeqNumberHeader)
    _true_Count = len(DirectoryChanges)
    if Count is None:
        Count = _true_Count
        if Count > 65535:
            refuse_size_ChangePropagationMessage(Count)
    if BaseReplicationHeader.Operation.__class__ is Omitted:
        _Operation = 0
        BaseReplicationHeader = replace(BaseReplicationHeader, Operation=_Operation)
    record: ChangePropagationMessage = new_ChangePropagationMessage(
        *(BaseReplicationHeader, Flush, Count, DirectoryChanges, SeqNumberHeader)
    )
    return record


def plain_ChangePropagationMessage(record: ChangePropagationMessage) -> dict[str, Any]:
    return {
        "BaseReplicationHeader": plain_BaseReplicationHeader(record.BaseReplicationHeader),
        "Flush": record.Flush,
        "Count": record.Count,
        "DirectoryChanges": [plain_DirectoryChange(item) for item in record.DirectoryChanges],
        "SeqNumberHeader": plain_SeqNumberHeader(record.SeqNumberHeader),
    }


def from_plain_ChangePropagationMessage(fields: Any, path: str) -> ChangePropagationMessage:
    taken = FieldSource(layouts.ChangePropagationMessage, fields, path)
    record: ChangePropagationMessage = taken.make(
        ChangePropagationMessage,
        BaseReplicationHeader=taken.part("BaseReplicationHeader", from_plain_BaseReplicationHeader),
        Flush=taken.value("Flush", plain.number),
        Count=taken.value("Count", plain.number),
        DirectoryChanges=taken.parts("DirectoryChanges", from_plain_DirectoryChange),
        SeqNumberHeader=taken.part("SeqNumberHeader", from_plain_SeqNumberHeader),
    )
    return record


register(
    ChangePropagationMessage,
    size_ChangePropagationMessage,
    build_ChangePropagationMessage,
    plain_ChangePropagationMessage,
    from_plain_ChangePropagationMessage,
)
