"""[MS-MQCN] 2.2: change notifications.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from codecs import utf_16_le_decode as decode_utf16
from codecs import utf_16_le_encode as encode_utf16
from functools import partial
from struct import Struct
from typing import TYPE_CHECKING, Any, ClassVar

from msmq_wire.records import accept, replacing
from msmq_wire.records.flags import Flags
from msmq_wire.records.plain import Taken
from msmq_wire.records.record import Record
from msmq_wire.records.registry import ELEMENTS, ENCODERS, PLAIN, SIZES, register
from msmq_wire.values import plain, plain_properties
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.properties.lists import LIST_BYTES, readers_of
from msmq_wire.values.properties.values import write_values
from msmq_wire.values.reject import Reject
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER
from msmq_wire.values.wchar import find_terminator, wchar_count

from . import layouts, readings

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterable

    from msmq_wire.documents import (
        directory_properties,
        mqcn,
        notification_text,
        propid,
    )
    from msmq_wire.records.model import Structure
    from msmq_wire.values.limits import Limits
    from msmq_wire.values.properties.values import PropertyValue

    _Bytes = bytes | bytearray | memoryview
    _Guid = GUID | uuid.UUID | str | bytes
    _Number = SEQUENCE_NUMBER | int | str | bytes
__all__ = ["ChangeNotificationMessage", "NotificationBody", "NotificationUpdate", "NotificationUpdates"]
join = b"".join


# --------------------------------------------------------------------- [MS-MQCN] 2.2.5 NotificationBody


class NotificationBody(Record, frozen=True, gc=False):
    """A queue manager's notification, as text ([MS-MQCN] 2.2.5).

    Attributes:
        Text: The text of the notification, and the bytes after it; the name is ours.
        Unused: The odd byte after the text, if there is one; the name is ours.
    """

    layout: ClassVar[Structure] = layouts.NotificationBody
    flags: ClassVar[dict[str, type[Flags]]] = {}

    Text: str
    Unused: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            Text: str = "",
            Unused: _Bytes = ...,
        ) -> None: ...

    @property
    def event(self) -> notification_text.NotificationEvent:
        """From `Text`: the event.

        Raises:
            DecodeError: The text is not a notification.
        """
        return readings.event(self)

    @property
    def object_guid(self) -> GUID:
        """From `Text`: the queue or queue manager that was changed.

        Raises:
            DecodeError: The text is not a notification.
        """
        return readings.object_guid(self)

    @property
    def domain_controller(self) -> str:
        """From `Text`: the directory server where the object was changed.

        Raises:
            DecodeError: The text is not a notification.
        """
        return readings.domain_controller(self)

    @classmethod
    def of(
        cls,
        event: notification_text.NotificationEvent | int,
        object_guid: GUID | uuid.UUID | str | bytes,
        domain_controller: str,
    ) -> mqcn.NotificationBody:
        """Create the body of a notification.

        Args:
            cls: NotificationBody.
            event: The event; 4 concerns a queue manager, the others a queue.
            object_guid: The queue or queue manager.
            domain_controller: The directory server where the object was changed.

        Raises:
            EncodeError: The event is not 1 to 4, the identifier is not a GUID, or the name does not have 1 to 256
                visible ASCII characters without ``<``, which would end it (errata C5).
        """
        return readings.of(cls, event, object_guid, domain_controller)


new_NotificationBody = NotificationBody.raw


def decode_NotificationBody(data: bytes, pos: int, end: int, limits: Limits) -> tuple[NotificationBody, int]:
    text_end = end - (end - (pos) & 1)
    if (text_end - (pos)) // 2 > limits.string_length:
        raise Reject
    return new_NotificationBody(
        *(decode_utf16(data[pos:text_end], "surrogatepass", True)[0], data[text_end:end])
    ), end


def encode_NotificationBody(record: NotificationBody) -> bytes:
    return join((encode_utf16(record.Text, "surrogatepass")[0], record.Unused))


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
    _out_Unused = Unused is None
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
    made: NotificationBody = new_NotificationBody(*(Text, Unused))
    return made


def plain_NotificationBody(record: NotificationBody) -> dict[str, Any]:
    return {
        "Text": record.Text,
        "Unused": record.Unused.hex(),
    }


def from_plain_NotificationBody(fields: Any, path: str) -> NotificationBody:
    taken = Taken(layouts.NotificationBody, fields, path)
    made: NotificationBody = taken.make(
        NotificationBody, Text=taken.one("Text", plain.text), Unused=taken.one("Unused", plain.octets)
    )
    return made


register(
    NotificationBody,
    decode_NotificationBody,
    encode_NotificationBody,
    size_NotificationBody,
    build_NotificationBody,
    plain_NotificationBody,
    from_plain_NotificationBody,
)


# ------------------------------------------------------------------- [MS-MQCN] 2.2.6 NotificationUpdate


class NotificationUpdate(Record, frozen=True, gc=False):
    """One change of a queue or a machine, with the layout of `mqdsrp.DirectoryChange` ([MS-MQCN] 2.2.6).

    Attributes:
        Command: The operation on the object.
        UseGuid: 0: PathName names the object, 1: GuidIdentifier does.
        PathName: Path name of the object, terminator not included; present if UseGuid is 0.
        GuidIdentifier: Identifier of the object; present if UseGuid is 1.
        GuidMasterId: Directory server where the change was made.
        Reserved: Any value.
        NumberOfProperties: Count of properties.
        PropertyId: Identifiers of the properties.
        PropertyValue: Their values, each in the form that its identifier asks for.
    """

    layout: ClassVar[Structure] = layouts.NotificationUpdate
    flags: ClassVar[dict[str, type[Flags]]] = {}

    Command: int
    UseGuid: int
    PathName: str | None
    GuidIdentifier: GUID | None
    GuidMasterId: GUID
    Reserved: bytes
    NumberOfProperties: int
    PropertyId: tuple[int, ...]
    PropertyValue: tuple[PropertyValue, ...]

    if TYPE_CHECKING:

        def __init__(
            self,
            Command: int = 0,
            UseGuid: int = ...,
            PathName: str | None = None,
            GuidIdentifier: _Guid | None = None,
            GuidMasterId: _Guid = ...,
            Reserved: _Bytes = ...,
            NumberOfProperties: int = ...,
            PropertyId: Iterable[int] = (),
            PropertyValue: Iterable[Any] = (),
        ) -> None: ...

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
unpack_16s24sB = Struct("<16s24sB").unpack_from
new_NotificationUpdate = NotificationUpdate.raw


def decode_NotificationUpdate(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[NotificationUpdate, int]:
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
    guid_master_id, reserved, number_of_properties = unpack_16s24sB(data, use_guid_end)
    if number_of_properties > limits.properties:
        raise Reject
    property_id_end = number_of_properties_end + number_of_properties * 4
    if property_id_end > end:
        raise Reject
    property_id, read_values = readers[data[number_of_properties_end:property_id_end]]
    property_value, property_value_end = read_values(data, property_id_end, end)
    return new_NotificationUpdate(
        *(
            command,
            use_guid,
            path_name,
            guid_identifier,
            GUID(guid_master_id),
            reserved,
            number_of_properties,
            property_id,
            property_value,
        )
    ), property_value_end


pack_BB = Struct("<BB").pack
pack_16s24sB = Struct("<16s24sB").pack


def encode_NotificationUpdate(record: NotificationUpdate) -> bytes:
    path_name = record.PathName
    guid_identifier = record.GuidIdentifier
    return join(
        (
            pack_BB(record.Command, record.UseGuid),
            (b"" if path_name is None else encode_utf16(path_name, "surrogatepass")[0] + b"\0\0"),
            (b"" if guid_identifier is None else guid_identifier.bytes_le),
            pack_16s24sB(record.GuidMasterId.bytes_le, record.Reserved, record.NumberOfProperties),
            LIST_BYTES[record.PropertyId],
            write_values(record.PropertyValue),
        )
    )


def size_NotificationUpdate(record: NotificationUpdate) -> int:
    path_name = record.PathName
    guid_identifier = record.GuidIdentifier
    property_id = record.PropertyId
    property_value = record.PropertyValue
    size = 43 + len(property_id) * 4 + len(write_values(property_value))
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
    if PropertyValue is None:
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
    if UseGuid is None:
        UseGuid = 0
    made: NotificationUpdate = new_NotificationUpdate(
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
    return made


def plain_NotificationUpdate(record: NotificationUpdate) -> dict[str, Any]:
    path_name = record.PathName
    guid_identifier = record.GuidIdentifier
    return {
        "Command": record.Command,
        "UseGuid": record.UseGuid,
        "PathName": None if path_name is None else path_name,
        "GuidIdentifier": None if guid_identifier is None else guid_identifier.__str__(),
        "GuidMasterId": record.GuidMasterId.__str__(),
        "Reserved": record.Reserved.hex(),
        "NumberOfProperties": record.NumberOfProperties,
        "PropertyId": list(record.PropertyId),
        "PropertyValue": plain_properties.properties(record.PropertyValue),
    }


def from_plain_NotificationUpdate(fields: Any, path: str) -> NotificationUpdate:
    taken = Taken(layouts.NotificationUpdate, fields, path)
    made: NotificationUpdate = taken.make(
        NotificationUpdate,
        Command=taken.one("Command", plain.number),
        UseGuid=taken.one("UseGuid", plain.number),
        PathName=taken.one("PathName", plain.text),
        GuidIdentifier=taken.one("GuidIdentifier", plain.guid),
        GuidMasterId=taken.one("GuidMasterId", plain.guid),
        Reserved=taken.one("Reserved", plain.octets),
        NumberOfProperties=taken.one("NumberOfProperties", plain.number),
        PropertyId=taken.each("PropertyId", plain.number),
        PropertyValue=taken.properties("PropertyValue", "PropertyId"),
    )
    return made


register(
    NotificationUpdate,
    decode_NotificationUpdate,
    encode_NotificationUpdate,
    size_NotificationUpdate,
    build_NotificationUpdate,
    plain_NotificationUpdate,
    from_plain_NotificationUpdate,
)


# ------------------------------------------------------------------ [MS-MQCN] 2.2.4 NotificationUpdates


class NotificationUpdates(Record, frozen=True, gc=False):
    """The updates of one message of version 1 ([MS-MQCN] 2.2.4).

    Attributes:
        Updates: The updates, without padding between them; the name is ours.
        Unused: The byte that the sender's buffer has too many; the name is ours.
    """

    layout: ClassVar[Structure] = layouts.NotificationUpdates
    flags: ClassVar[dict[str, type[Flags]]] = {}

    Updates: tuple[mqcn.NotificationUpdate, ...]
    Unused: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            Updates: Iterable[mqcn.NotificationUpdate] = (),
            Unused: _Bytes = ...,
        ) -> None: ...


def decode_NotificationUpdate_in_NotificationUpdates(
    data: bytes, pos: int, end: int, origin: int, limits: Limits
) -> tuple[NotificationUpdate, int]:
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
    guid_master_id, reserved, number_of_properties = unpack_16s24sB(data, use_guid_end)
    if number_of_properties > limits.properties:
        raise Reject
    property_id_end = number_of_properties_end + number_of_properties * 4
    if property_id_end > end:
        raise Reject
    property_id, read_values = readers[data[number_of_properties_end:property_id_end]]
    property_value, property_value_end = read_values(data, property_id_end, end)
    return new_NotificationUpdate(
        *(
            command,
            use_guid,
            path_name,
            guid_identifier,
            GUID(guid_master_id),
            reserved,
            number_of_properties,
            property_id,
            property_value,
        )
    ), property_value_end


ELEMENTS["NotificationUpdates", "NotificationUpdate"] = decode_NotificationUpdate_in_NotificationUpdates


def encode_NotificationUpdates(record: NotificationUpdates) -> bytes:
    return join((join([encode_NotificationUpdate(item) for item in record.Updates]), record.Unused))


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
new_NotificationUpdates = NotificationUpdates.raw


def build_NotificationUpdates(
    Updates: Any = None, Unused: Any = None, *more: Any, **unknown: Any
) -> NotificationUpdates:
    if more or unknown:
        refuse_arguments_NotificationUpdates(more, unknown)
    _out_Unused = Unused is None
    if Updates is None:
        Updates = ()
    else:
        Updates = parts_NotificationUpdates_Updates(Updates)
    if Unused is None:
        Unused = b""
    else:
        if Unused.__class__ is not bytes:
            Unused = raw_bytes_NotificationUpdates_Unused(Unused)
    made: NotificationUpdates = new_NotificationUpdates(*(Updates, Unused))
    return made


def plain_NotificationUpdates(record: NotificationUpdates) -> dict[str, Any]:
    return {
        "Updates": [plain_NotificationUpdate(item) for item in record.Updates],
        "Unused": record.Unused.hex(),
    }


def from_plain_NotificationUpdates(fields: Any, path: str) -> NotificationUpdates:
    taken = Taken(layouts.NotificationUpdates, fields, path)
    made: NotificationUpdates = taken.make(
        NotificationUpdates,
        Updates=taken.parts("Updates", from_plain_NotificationUpdate),
        Unused=taken.one("Unused", plain.octets),
    )
    return made


register(
    NotificationUpdates,
    None,
    encode_NotificationUpdates,
    size_NotificationUpdates,
    build_NotificationUpdates,
    plain_NotificationUpdates,
    from_plain_NotificationUpdates,
)


# ------------------------------------------------------------ [MS-MQCN] 2.2.4 ChangeNotificationMessage


class ChangeNotificationMessage(Record, frozen=True, gc=False):
    """Notifies a queue manager of changes in the directory ([MS-MQCN] 2.2.4).

    Attributes:
        Version: 1: from a directory service, 2: from a queue manager.
        NumberOfUpdateNotifications: Count of updates; 1 in version 2.
        Data: Updates or a body, as Version says.
    """

    layout: ClassVar[Structure] = layouts.ChangeNotificationMessage
    flags: ClassVar[dict[str, type[Flags]]] = {}

    Version: int
    NumberOfUpdateNotifications: int
    Data: mqcn.NotificationUpdates | mqcn.NotificationBody

    if TYPE_CHECKING:

        def __init__(
            self,
            Version: int = ...,
            NumberOfUpdateNotifications: int = ...,
            Data: mqcn.NotificationUpdates | mqcn.NotificationBody = ...,
        ) -> None: ...


new_ChangeNotificationMessage = ChangeNotificationMessage.raw


def decode_ChangeNotificationMessage(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[ChangeNotificationMessage, int]:
    readers = readers_of(limits)
    number_of_update_notifications_end = pos + 2
    if number_of_update_notifications_end > end:
        raise Reject
    version, number_of_update_notifications = unpack_BB(data, pos)
    data__form = version
    if data__form == 2:
        text_end = end - (end - (number_of_update_notifications_end) & 1)
        if (text_end - (number_of_update_notifications_end)) // 2 > limits.string_length:
            raise Reject
        data_ = new_NotificationBody(
            *(
                decode_utf16(data[number_of_update_notifications_end:text_end], "surrogatepass", True)[0],
                data[text_end:end],
            )
        )
        data__end = end
    elif data__form == 1:
        if number_of_update_notifications > limits.changes:
            raise Reject
        if (number_of_update_notifications) * 43 > end - (number_of_update_notifications_end):
            raise Reject
        updates = []
        updates_start = number_of_update_notifications_end
        for _ in range(number_of_update_notifications):
            use_guid_end = updates_start + 2
            if use_guid_end > end:
                raise Reject
            command, use_guid = unpack_BB(data, updates_start)
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
            guid_master_id, reserved, number_of_properties = unpack_16s24sB(data, use_guid_end)
            if number_of_properties > limits.properties:
                raise Reject
            property_id_end = number_of_properties_end + number_of_properties * 4
            if property_id_end > end:
                raise Reject
            property_id, read_values = readers[data[number_of_properties_end:property_id_end]]
            property_value, property_value_end = read_values(data, property_id_end, end)
            updates.append(
                new_NotificationUpdate(
                    *(
                        command,
                        use_guid,
                        path_name,
                        guid_identifier,
                        GUID(guid_master_id),
                        reserved,
                        number_of_properties,
                        property_id,
                        property_value,
                    )
                )
            )
            updates_start = property_value_end
        data_ = new_NotificationUpdates(*(tuple(updates), data[updates_start:end]))
        data__end = end
    else:
        raise Reject
    return new_ChangeNotificationMessage(*(version, number_of_update_notifications, data_)), data__end


def encode_ChangeNotificationMessage(record: ChangeNotificationMessage) -> bytes:
    data_ = record.Data
    return join(
        (
            pack_BB(record.Version, record.NumberOfUpdateNotifications),
            (b"" if data_ is None else ENCODERS[data_.__class__](data_)),
        )
    )


def size_ChangeNotificationMessage(record: ChangeNotificationMessage) -> int:
    data_ = record.Data
    size = 2
    if data_ is not None:
        size += SIZES[data_.__class__](data_)
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
    _out_Version = Version is None
    if Version is None:
        Version = 0
    else:
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
        if _array is not None or Data is None:
            NumberOfUpdateNotifications = 0 if _array is None else len(_array)
            if NumberOfUpdateNotifications > 255:
                refuse_size_ChangeNotificationMessage(NumberOfUpdateNotifications)
    if NumberOfUpdateNotifications is None:
        NumberOfUpdateNotifications = 1
    _numbers = numbers_ChangeNotificationMessage_Data.get(Data.__class__)
    if _numbers is None:
        refuse_missing_ChangeNotificationMessage()
    if _out_Version:
        Version = _numbers[0]
    made: ChangeNotificationMessage = new_ChangeNotificationMessage(
        *(Version, NumberOfUpdateNotifications, Data)
    )
    return made


def plain_ChangeNotificationMessage(record: ChangeNotificationMessage) -> dict[str, Any]:
    data_ = record.Data
    return {
        "Version": record.Version,
        "NumberOfUpdateNotifications": record.NumberOfUpdateNotifications,
        "Data": None if data_ is None else PLAIN[data_.__class__](data_),
    }


def from_plain_ChangeNotificationMessage(fields: Any, path: str) -> ChangeNotificationMessage:
    taken = Taken(layouts.ChangeNotificationMessage, fields, path)
    made: ChangeNotificationMessage = taken.make(
        ChangeNotificationMessage,
        Version=taken.one("Version", plain.number),
        NumberOfUpdateNotifications=taken.one("NumberOfUpdateNotifications", plain.number),
        Data=taken.form("Data"),
    )
    return made


register(
    ChangeNotificationMessage,
    decode_ChangeNotificationMessage,
    encode_ChangeNotificationMessage,
    size_ChangeNotificationMessage,
    build_ChangeNotificationMessage,
    plain_ChangeNotificationMessage,
    from_plain_ChangeNotificationMessage,
)
