"""Building the records of [MS-MQCN] 2.2: change notifications.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from msmq_wire.documents import layouts
from msmq_wire.documents.mqcn import (
    ChangeNotificationMessage,
    NotificationBody,
    NotificationUpdate,
    NotificationUpdates,
    new_ChangeNotificationMessage,
    new_NotificationBody,
    new_NotificationUpdate,
    new_NotificationUpdates,
)
from msmq_wire.records import accept, replacing
from msmq_wire.records.plain import FieldSource
from msmq_wire.records.registry import register_builders as register
from msmq_wire.records.registry import size_of
from msmq_wire.values import plain, plain_properties
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.properties.values import size_of_values
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER
from msmq_wire.values.wchar import wchar_count

if TYPE_CHECKING:
    import uuid

    _Guid = GUID | uuid.UUID | str | bytes
    _Number = SEQUENCE_NUMBER | int | str | bytes


# --------------------------------------------------------------------- [MS-MQCN] 2.2.5 NotificationBody


def size_NotificationBody(record: NotificationBody) -> int:
    text = record.Text
    unused = record.Unused
    size = ((len(text) if text.isascii() else wchar_count(text)) * 2) + len(unused)
    return size


refuse_arguments_NotificationBody = partial(replacing.refuse_arguments, layouts.NotificationBody)
text_NotificationBody_Text = accept.for_field(accept.text, layouts.NotificationBody, "Text")
raw_bytes_NotificationBody_Unused = accept.for_field(accept.raw_bytes, layouts.NotificationBody, "Unused")


def build_NotificationBody(
    Text: Any = None, Unused: Any = None, *more: Any, **unknown: Any
) -> NotificationBody:
    if more or unknown:
        refuse_arguments_NotificationBody(more, unknown)
    if Text is None:
        Text = ""
    else:
        if Text.__class__ is not str or not Text.isascii():
            Text = text_NotificationBody_Text(Text)
    if Unused is None:
        Unused = b""
    else:
        if Unused.__class__ is not bytes:
            Unused = raw_bytes_NotificationBody_Unused(Unused)
    record: NotificationBody = new_NotificationBody(*(Text, Unused))
    return record


def plain_NotificationBody(record: NotificationBody) -> dict[str, Any]:
    return {
        "Text": record.Text,
        "Unused": record.Unused.hex(),
    }


def from_plain_NotificationBody(fields: Any, path: str) -> NotificationBody:
    taken = FieldSource(layouts.NotificationBody, fields, path)
    record: NotificationBody = taken.make(
        NotificationBody, Text=taken.value("Text", plain.text), Unused=taken.value("Unused", plain.octets)
    )
    return record


register(
    NotificationBody,
    size_NotificationBody,
    build_NotificationBody,
    plain_NotificationBody,
    from_plain_NotificationBody,
)


# ------------------------------------------------------------------- [MS-MQCN] 2.2.6 NotificationUpdate


def size_NotificationUpdate(record: NotificationUpdate) -> int:
    path_name = record.PathName
    guid_identifier = record.GuidIdentifier
    property_id = record.PropertyId
    property_value = record.PropertyValue
    size = 43 + len(property_id) * 4 + size_of_values(property_value)
    if path_name is not None:
        size += (len(path_name) if path_name.isascii() else wchar_count(path_name)) * 2 + 2
    if guid_identifier is not None:
        size += 16
    return size


refuse_arguments_NotificationUpdate = partial(replacing.refuse_arguments, layouts.NotificationUpdate)
integer_NotificationUpdate_Command = accept.for_field(accept.integer, layouts.NotificationUpdate, "Command")
integer_NotificationUpdate_UseGuid = accept.for_field(accept.integer, layouts.NotificationUpdate, "UseGuid")
text_NotificationUpdate_PathName = accept.for_field(accept.text, layouts.NotificationUpdate, "PathName")
guid_NotificationUpdate_GuidIdentifier = accept.for_field(
    accept.guid, layouts.NotificationUpdate, "GuidIdentifier"
)
guid_NotificationUpdate_GuidMasterId = accept.for_field(
    accept.guid, layouts.NotificationUpdate, "GuidMasterId"
)
ZEROS_24 = bytes(24)
raw_bytes_NotificationUpdate_Reserved = accept.for_field(
    accept.raw_bytes, layouts.NotificationUpdate, "Reserved"
)
integer_NotificationUpdate_NumberOfProperties = accept.for_field(
    accept.integer, layouts.NotificationUpdate, "NumberOfProperties"
)
numbers_NotificationUpdate_PropertyId = accept.for_field(
    accept.numbers, layouts.NotificationUpdate, "PropertyId"
)
property_values_NotificationUpdate_PropertyValue = accept.for_field(
    accept.property_values, layouts.NotificationUpdate, "PropertyValue"
)
refuse_size_NotificationUpdate = partial(
    replacing.refuse_size, layouts.NotificationUpdate, "PropertyId", "NumberOfProperties", "elements", 255
)
alternative_NotificationUpdate = partial(
    replacing.alternative, layouts.NotificationUpdate, {0: "PathName", 1: "GuidIdentifier"}
)


def build_NotificationUpdate(
    Command: Any = None,
    UseGuid: Any = None,
    PathName: Any = None,
    GuidIdentifier: Any = None,
    GuidMasterId: Any = None,
    Reserved: Any = None,
    NumberOfProperties: Any = None,
    PropertyId: Any = None,
    PropertyValue: Any = None,
    *more: Any,
    **unknown: Any,
) -> NotificationUpdate:
    if more or unknown:
        refuse_arguments_NotificationUpdate(more, unknown)
    if Command is None:
        Command = 0
    else:
        if Command.__class__ is not int or not 0 <= Command <= 255:
            Command = integer_NotificationUpdate_Command(Command)
    if UseGuid is not None:
        if UseGuid.__class__ is not int or not 0 <= UseGuid <= 255:
            UseGuid = integer_NotificationUpdate_UseGuid(UseGuid)
    if PathName is not None:
        if PathName.__class__ is not str or not PathName.isascii() or "\0" in PathName:
            PathName = text_NotificationUpdate_PathName(PathName)
    if GuidIdentifier is not None:
        if not (
            GuidIdentifier.__class__ is GUID
            and (_raw := GuidIdentifier.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            GuidIdentifier = guid_NotificationUpdate_GuidIdentifier(GuidIdentifier)
    if GuidMasterId is None:
        GuidMasterId = NULL_GUID
    else:
        if not (
            GuidMasterId.__class__ is GUID
            and (_raw := GuidMasterId.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            GuidMasterId = guid_NotificationUpdate_GuidMasterId(GuidMasterId)
    if Reserved is None:
        Reserved = ZEROS_24
    else:
        if Reserved.__class__ is not bytes or len(Reserved) != 24:
            Reserved = raw_bytes_NotificationUpdate_Reserved(Reserved)
    if NumberOfProperties is not None:
        if NumberOfProperties.__class__ is not int or not 0 <= NumberOfProperties <= 255:
            NumberOfProperties = integer_NotificationUpdate_NumberOfProperties(NumberOfProperties)
    if PropertyId is None:
        PropertyId = ()
    else:
        PropertyId = numbers_NotificationUpdate_PropertyId(PropertyId)
    if PropertyValue is None and not PropertyId:
        PropertyValue = ()
    else:
        PropertyValue = property_values_NotificationUpdate_PropertyValue(PropertyId, PropertyValue)
    _true_NumberOfProperties = len(PropertyId)
    if NumberOfProperties is None:
        NumberOfProperties = _true_NumberOfProperties
        if NumberOfProperties > 255:
            refuse_size_NotificationUpdate(NumberOfProperties)
    if UseGuid is None:
        UseGuid = alternative_NotificationUpdate(
            (
                PathName,
                GuidIdentifier,
            )
        )
    record: NotificationUpdate = new_NotificationUpdate(
        *(
            Command,
            UseGuid,
            PathName,
            GuidIdentifier,
            GuidMasterId,
            Reserved,
            NumberOfProperties,
            PropertyId,
            PropertyValue,
        )
    )
    return record


def plain_NotificationUpdate(record: NotificationUpdate) -> dict[str, Any]:
    guid_identifier = record.GuidIdentifier
    return {
        "Command": record.Command,
        "UseGuid": record.UseGuid,
        "PathName": record.PathName,
        "GuidIdentifier": None if guid_identifier is None else guid_identifier.__str__(),
        "GuidMasterId": record.GuidMasterId.__str__(),
        "Reserved": record.Reserved.hex(),
        "NumberOfProperties": record.NumberOfProperties,
        "PropertyId": list(record.PropertyId),
        "PropertyValue": plain_properties.properties(record.PropertyValue),
    }


def from_plain_NotificationUpdate(fields: Any, path: str) -> NotificationUpdate:
    taken = FieldSource(layouts.NotificationUpdate, fields, path)
    record: NotificationUpdate = taken.make(
        NotificationUpdate,
        Command=taken.value("Command", plain.number),
        UseGuid=taken.value("UseGuid", plain.number),
        PathName=taken.value("PathName", plain.text),
        GuidIdentifier=taken.value("GuidIdentifier", plain.guid),
        GuidMasterId=taken.value("GuidMasterId", plain.guid),
        Reserved=taken.value("Reserved", plain.octets),
        NumberOfProperties=taken.value("NumberOfProperties", plain.number),
        PropertyId=taken.each("PropertyId", plain.number),
        PropertyValue=taken.properties("PropertyValue", "PropertyId"),
    )
    return record


register(
    NotificationUpdate,
    size_NotificationUpdate,
    build_NotificationUpdate,
    plain_NotificationUpdate,
    from_plain_NotificationUpdate,
)


# ------------------------------------------------------------------ [MS-MQCN] 2.2.4 NotificationUpdates


def size_NotificationUpdates(record: NotificationUpdates) -> int:
    updates = record.Updates
    unused = record.Unused
    size = sum(map(size_NotificationUpdate, updates)) + len(unused)
    return size


refuse_arguments_NotificationUpdates = partial(replacing.refuse_arguments, layouts.NotificationUpdates)
parts_NotificationUpdates_Updates = accept.for_field(
    accept.parts, layouts.NotificationUpdates, "Updates", NotificationUpdate
)
raw_bytes_NotificationUpdates_Unused = accept.for_field(
    accept.raw_bytes, layouts.NotificationUpdates, "Unused"
)


def build_NotificationUpdates(
    Updates: Any = None, Unused: Any = None, *more: Any, **unknown: Any
) -> NotificationUpdates:
    if more or unknown:
        refuse_arguments_NotificationUpdates(more, unknown)
    if Updates is None:
        Updates = ()
    else:
        Updates = parts_NotificationUpdates_Updates(Updates)
    if Unused is None:
        Unused = b""
    else:
        if Unused.__class__ is not bytes:
            Unused = raw_bytes_NotificationUpdates_Unused(Unused)
    record: NotificationUpdates = new_NotificationUpdates(*(Updates, Unused))
    return record


def plain_NotificationUpdates(record: NotificationUpdates) -> dict[str, Any]:
    return {
        "Updates": [plain_NotificationUpdate(item) for item in record.Updates],
        "Unused": record.Unused.hex(),
    }


def from_plain_NotificationUpdates(fields: Any, path: str) -> NotificationUpdates:
    taken = FieldSource(layouts.NotificationUpdates, fields, path)
    record: NotificationUpdates = taken.make(
        NotificationUpdates,
        Updates=taken.parts("Updates", from_plain_NotificationUpdate),
        Unused=taken.value("Unused", plain.octets),
    )
    return record


register(
    NotificationUpdates,
    size_NotificationUpdates,
    build_NotificationUpdates,
    plain_NotificationUpdates,
    from_plain_NotificationUpdates,
)


# ------------------------------------------------------------ [MS-MQCN] 2.2.4 ChangeNotificationMessage


def size_ChangeNotificationMessage(record: ChangeNotificationMessage) -> int:
    data_ = record.Data
    size = 2
    if data_ is not None:
        size += size_of(data_)
    return size


refuse_arguments_ChangeNotificationMessage = partial(
    replacing.refuse_arguments, layouts.ChangeNotificationMessage
)
integer_ChangeNotificationMessage_Version = accept.for_field(
    accept.integer, layouts.ChangeNotificationMessage, "Version"
)
integer_ChangeNotificationMessage_NumberOfUpdateNotifications = accept.for_field(
    accept.integer, layouts.ChangeNotificationMessage, "NumberOfUpdateNotifications"
)
form_ChangeNotificationMessage_Data = accept.Forms(
    layouts.ChangeNotificationMessage, "Data", NotificationUpdates, NotificationBody
)
refuse_size_ChangeNotificationMessage = partial(
    replacing.refuse_size,
    layouts.ChangeNotificationMessage,
    "Data.Updates",
    "NumberOfUpdateNotifications",
    "elements",
    255,
)
numbers_ChangeNotificationMessage_Data = {NotificationUpdates: (1,), NotificationBody: (2,)}
refuse_missing_ChangeNotificationMessage = partial(
    replacing.refuse_missing, layouts.ChangeNotificationMessage, "Data"
)


def build_ChangeNotificationMessage(
    Version: Any = None, NumberOfUpdateNotifications: Any = None, Data: Any = None, *more: Any, **unknown: Any
) -> ChangeNotificationMessage:
    if more or unknown:
        refuse_arguments_ChangeNotificationMessage(more, unknown)
    if Version is not None:
        if Version.__class__ is not int or not 0 <= Version <= 255:
            Version = integer_ChangeNotificationMessage_Version(Version)
    if NumberOfUpdateNotifications is not None:
        if NumberOfUpdateNotifications.__class__ is not int or not 0 <= NumberOfUpdateNotifications <= 255:
            NumberOfUpdateNotifications = integer_ChangeNotificationMessage_NumberOfUpdateNotifications(
                NumberOfUpdateNotifications
            )
    if Data is not None:
        if Data.__class__ not in form_ChangeNotificationMessage_Data.classes:
            form_ChangeNotificationMessage_Data(Data)
    if NumberOfUpdateNotifications is None:
        _array = getattr(Data, "Updates", None)
        if _array is not None:
            NumberOfUpdateNotifications = len(_array)
            if NumberOfUpdateNotifications > 255:
                refuse_size_ChangeNotificationMessage(NumberOfUpdateNotifications)
    if NumberOfUpdateNotifications is None:
        NumberOfUpdateNotifications = 1
    _numbers = numbers_ChangeNotificationMessage_Data.get(Data.__class__)
    if _numbers is None:
        refuse_missing_ChangeNotificationMessage()
    if Version is None:
        Version = _numbers[0]
    record: ChangeNotificationMessage = new_ChangeNotificationMessage(
        *(Version, NumberOfUpdateNotifications, Data)
    )
    return record


def plain_ChangeNotificationMessage(record: ChangeNotificationMessage) -> dict[str, Any]:
    data_ = record.Data
    return {
        "Version": record.Version,
        "NumberOfUpdateNotifications": record.NumberOfUpdateNotifications,
        "Data": None if data_ is None else data_._plain(),
    }


def from_plain_ChangeNotificationMessage(fields: Any, path: str) -> ChangeNotificationMessage:
    taken = FieldSource(layouts.ChangeNotificationMessage, fields, path)
    record: ChangeNotificationMessage = taken.make(
        ChangeNotificationMessage,
        Version=taken.value("Version", plain.number),
        NumberOfUpdateNotifications=taken.value("NumberOfUpdateNotifications", plain.number),
        Data=taken.form("Data"),
    )
    return record


register(
    ChangeNotificationMessage,
    size_ChangeNotificationMessage,
    build_ChangeNotificationMessage,
    plain_ChangeNotificationMessage,
    from_plain_ChangeNotificationMessage,
)
