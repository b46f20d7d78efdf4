"""[MS-MQCN] 2.2: change notifications.

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
from msmq_wire.values.wchar import find_terminator

from . import readings

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterable, Mapping
    from typing import Self

    from msmq_wire.documents import directory_properties, mqcn, notification_text, propid
    from msmq_wire.values.limits import Limits
    from msmq_wire.values.properties.values import PropertyValue

    _Bytes = bytes | bytearray | memoryview
    _Guid = GUID | uuid.UUID | str | bytes
__all__ = ["ChangeNotificationMessage", "NotificationBody", "NotificationUpdate", "NotificationUpdates"]
join = b"".join


# --------------------------------------------------------------------- [MS-MQCN] 2.2.5 NotificationBody


class NotificationBody(Record, frozen=True, gc=False):
    """A queue manager's notification, as text ([MS-MQCN] 2.2.5).

    Attributes:
        Text: The text of the notification, and the bytes after it; the name is ours.
        Unused: The odd byte after the text, if there is one; the name is ours.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    Text: str
    Unused: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            Text: str = "",
            Unused: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Text: str = ...,
            Unused: _Bytes = ...,
        ) -> Self: ...

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


register(NotificationBody, decode_NotificationBody, encode_NotificationBody)


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

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Command: int = ...,
            UseGuid: int = ...,
            PathName: str | None = ...,
            GuidIdentifier: _Guid | None = ...,
            GuidMasterId: _Guid = ...,
            Reserved: _Bytes = ...,
            NumberOfProperties: int = ...,
            PropertyId: Iterable[int] = ...,
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
unpack_16s24sB = Struct("<16s24sB").unpack_from
new_NotificationUpdate = NotificationUpdate.raw


def decode_NotificationUpdate(
    data: bytes, pos: int, end: int, limits: Limits, origin: int | None = None
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
    parts: list[bytes] = []
    parts.append(pack_BB(record.Command, record.UseGuid))
    if path_name is not None:
        parts.append(encode_utf16(path_name, "surrogatepass")[0])
        parts.append(b"\0\0")
    if guid_identifier is not None:
        parts.append(guid_identifier.bytes_le)
    parts.append(pack_16s24sB(record.GuidMasterId.bytes_le, record.Reserved, record.NumberOfProperties))
    parts.append(LIST_BYTES[record.PropertyId])
    add_values(record.PropertyValue, parts)
    return join(parts)


register(NotificationUpdate, decode_NotificationUpdate, encode_NotificationUpdate)


# ------------------------------------------------------------------ [MS-MQCN] 2.2.4 NotificationUpdates


class NotificationUpdates(Record, frozen=True, gc=False):
    """The updates of one message of version 1 ([MS-MQCN] 2.2.4).

    Attributes:
        Updates: The updates, without padding between them; the name is ours.
        Unused: The byte that the sender's buffer has too many; the name is ours.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    Updates: tuple[mqcn.NotificationUpdate, ...]
    Unused: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            Updates: Iterable[mqcn.NotificationUpdate] = (),
            Unused: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Updates: Iterable[mqcn.NotificationUpdate] = ...,
            Unused: _Bytes = ...,
        ) -> Self: ...


def encode_NotificationUpdates(record: NotificationUpdates) -> bytes:
    parts: list[bytes] = []
    for item in record.Updates:
        path_name = item.PathName
        guid_identifier = item.GuidIdentifier
        parts.append(pack_BB(item.Command, item.UseGuid))
        if path_name is not None:
            parts.append(encode_utf16(path_name, "surrogatepass")[0])
            parts.append(b"\0\0")
        if guid_identifier is not None:
            parts.append(guid_identifier.bytes_le)
        parts.append(pack_16s24sB(item.GuidMasterId.bytes_le, item.Reserved, item.NumberOfProperties))
        parts.append(LIST_BYTES[item.PropertyId])
        add_values(item.PropertyValue, parts)
    parts.append(record.Unused)
    return join(parts)


register(NotificationUpdates, None, encode_NotificationUpdates)


# ------------------------------------------------------------ [MS-MQCN] 2.2.4 ChangeNotificationMessage


class ChangeNotificationMessage(Record, frozen=True, gc=False):
    """Notifies a queue manager of changes in the directory ([MS-MQCN] 2.2.4).

    Attributes:
        Version: 1: from a directory service, 2: from a queue manager.
        NumberOfUpdateNotifications: Count of updates; 1 in version 2.
        Data: Updates or a body, selected by Version.
    """

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

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Version: int = ...,
            NumberOfUpdateNotifications: int = ...,
            Data: mqcn.NotificationUpdates | mqcn.NotificationBody = ...,
        ) -> Self: ...


new_NotificationUpdates = NotificationUpdates.raw
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
    parts: list[bytes] = []
    parts.append(pack_BB(record.Version, record.NumberOfUpdateNotifications))
    if data_ is not None:
        parts.append(data_._write())
    return join(parts)


register(ChangeNotificationMessage, decode_ChangeNotificationMessage, encode_ChangeNotificationMessage)
