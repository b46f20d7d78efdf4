"""Generated from the layouts; do not edit.  The nox session `stubs` writes it anew."""

from collections.abc import Iterable
from typing import Any
import uuid
from msmq_wire.documents import mqdsrp
from msmq_wire.documents import mqcn
from msmq_wire.documents import directory_properties
from msmq_wire.documents import notification_text
from msmq_wire.values import propid
from msmq_wire.records.record import Record
from msmq_wire.values.guid import GUID
from msmq_wire.values.property_values import PropertyValue

__all__ = [
    "ChangeNotificationMessage",
    "NotificationBody",
    "NotificationUpdate",
    "NotificationUpdates",
]

_Bytes = bytes | bytearray | memoryview

_Guid = GUID | uuid.UUID | str | bytes

class ChangeNotificationMessage(Record):
    """Tells a queue manager what changed in the directory.

    Attributes:
        Version: 1: from a directory service, 2: from a queue manager.
        NumberOfUpdateNotifications: count of updates; 1 in version 2.
        Data: updates or a body, as Version says.
    """
    def __init__(
        self,
        Version: int = ...,
        NumberOfUpdateNotifications: int = ...,
        Data: mqcn.NotificationUpdates | mqcn.NotificationBody = ...,
    ) -> None: ...
    @property
    def Version(self) -> int:
        """1: from a directory service, 2: from a queue manager."""
    @property
    def NumberOfUpdateNotifications(self) -> int:
        """Count of updates; 1 in version 2."""
    @property
    def Data(self) -> mqcn.NotificationUpdates | mqcn.NotificationBody:
        """Updates or a body, as Version says."""

class NotificationBody(Record):
    """A queue manager's notification, as text.

    Attributes:
        Text: the notification as text, and what follows it; the name is ours.
        Unused: the odd byte behind the text, if there is one; the name is ours.
    """
    def __init__(
        self,
        Text: str = ...,
        Unused: _Bytes = ...,
    ) -> None: ...
    @property
    def Text(self) -> str:
        """The notification as text, and what follows it; the name is ours."""
    @property
    def Unused(self) -> bytes:
        """The odd byte behind the text, if there is one; the name is ours."""
    @property
    def event(self) -> notification_text.NotificationEvent:
        """From `Text`: what happened to the object.

        Raises:
            DecodeError: The text is no notification.
        """
    @property
    def object_guid(self) -> GUID:
        """From `Text`: the queue or queue manager that was changed.

        Raises:
            DecodeError: The text is no notification.
        """
    @property
    def domain_controller(self) -> str:
        """From `Text`: the directory server where the object was changed.

        Raises:
            DecodeError: The text is no notification.
        """
    @classmethod
    def of(
        cls,
        event: notification_text.NotificationEvent | int,
        object_guid: GUID | uuid.UUID | str | bytes,
        domain_controller: str,
    ) -> NotificationBody:
        """Make the body that says what happened to which object.

        Args:
            event: What happened; 4 is about a queue manager, the others about a queue.
            object_guid: The queue or queue manager.
            domain_controller: The directory server where it happened.

        Raises:
            EncodeError: The event is not 1 to 4, the identifier is no GUID, or the name has not 1 to 256
                visible ASCII characters without ``<``, which would end it (errata C5).
        """

class NotificationUpdate(Record):
    """One change of a queue or a machine; byte for byte a `mqdsrp.DirectoryChange`.

    Attributes:
        Command: what is done to the object.
        UseGuid: 0: PathName names the object, 1: GuidIdentifier does.
        PathName: path name of the object, terminator not included; present if UseGuid is 0.
        GuidIdentifier: identifier of the object; present if UseGuid is 1.
        GuidMasterId: directory server where the change was made.
        Reserved: any value.
        NumberOfProperties: count of properties.
        PropertyId: identifiers of the properties.
        PropertyValue: their values, each in the form that its identifier asks for.
    """
    def __init__(
        self,
        Command: int = ...,
        UseGuid: int = ...,
        PathName: str | None = ...,
        GuidIdentifier: _Guid | None = ...,
        GuidMasterId: _Guid = ...,
        Reserved: _Bytes = ...,
        NumberOfProperties: int = ...,
        PropertyId: Iterable[int] = ...,
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
    def GuidMasterId(self) -> GUID:
        """Directory server where the change was made."""
    @property
    def Reserved(self) -> bytes:
        """Any value."""
    @property
    def NumberOfProperties(self) -> int:
        """Count of properties."""
    @property
    def PropertyId(self) -> tuple[int, ...]:
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

class NotificationUpdates(Record):
    """The updates of one message of version 1.

    Attributes:
        Updates: the updates, without padding between them; the name is ours.
        Unused: the byte that the sender's buffer has too many; the name is ours.
    """
    def __init__(
        self,
        Updates: Iterable[mqcn.NotificationUpdate] = ...,
        Unused: _Bytes = ...,
    ) -> None: ...
    @property
    def Updates(self) -> tuple[mqcn.NotificationUpdate, ...]:
        """The updates, without padding between them; the name is ours."""
    @property
    def Unused(self) -> bytes:
        """The byte that the sender's buffer has too many; the name is ours."""
