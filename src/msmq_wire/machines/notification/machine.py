"""The behaviour of [MS-MQCN] section 3: preparing and processing change notifications.

1. Sending: `notification_update` and `prepare_version_1` for a directory service (3.3.5.2),
   `prepare_version_2` for a queue manager (3.3.5.1), then `send` (3.3.5.3).  They raise errors for forbidden
   notifications.
2. Receiving: `receive` takes a message from the notification queue, `process` its notification (3.2.5).  Both
   return effects, in the order in which they have to be executed, and do nothing themselves.
3. The result of a read from the directory is passed to `resume`, which returns the next effects.
4. The errata decide ambiguous statements: the order of checks C9, names of attributes C16, updates before one
   for which the message is disregarded C18.
5. The lists of properties are in `documents.notification_contents`, shared by sender, receiver and rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msmq_wire.checks.located import located, ruled, said_of, unreadable
from msmq_wire.checks.rules.carriers import NORMAL_CLASS
from msmq_wire.checks.validation import Context, Violation, require
from msmq_wire.definitions.properties import ObjectClass
from msmq_wire.documents.directory_properties import Properties, pack
from msmq_wire.documents.notification_contents import (
    CONTENTS,
    QUEUE_ATTRIBUTES,
    QUEUE_MANAGER_ATTRIBUTES,
    READ_QUEUE,
    READ_QUEUE_MANAGER,
    Content,
    Operation,
)
from msmq_wire.documents.notification_text import parse_notification
from msmq_wire.documents.propid import object_type
from msmq_wire.documents.readings import is_encrypted
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.packets.carriers import DirectoryQueue, queue_of
from msmq_wire.packets.directory import notification as mqcn
from msmq_wire.packets.directory.carried import carried_by
from msmq_wire.packets.directory.notification import ChangeNotificationMessage, NotificationUpdate
from msmq_wire.values.errors import ConformanceError, DecodeError, EncodeError, need, wrong_value
from msmq_wire.values.guid import GUID
from msmq_wire.values.numbers import SENT_BY_QUEUE_MANAGER

from .effects import (
    CreateQueue,
    DeleteQueue,
    Disregard,
    Effect,
    EnqueueMessage,
    ReadDirectory,
    UpdateQueue,
    UpdateQueueManager,
)

if TYPE_CHECKING:
    import uuid

    from msmq_wire.values.properties.values import PropertyValue

__all__ = [
    "CreateQueue",
    "DeleteQueue",
    "Disregard",
    "Effect",
    "EnqueueMessage",
    "Operation",
    "ReadDirectory",
    "UpdateQueue",
    "UpdateQueueManager",
    "notification_update",
    "prepare_version_1",
    "prepare_version_2",
    "process",
    "receive",
    "resume",
    "send",
]

_CREATE, _CHANGE, _DELETE = (
    CONTENTS[operation].command
    for operation in (Operation.QueueCreation, Operation.QueueUpdate, Operation.QueueDeletion)
)
_BY_EVENT = {content.event: operation for operation, content in CONTENTS.items()}
_MACHINE_ID = CONTENTS[Operation.QueueManagerUpdate].required[0]
_UPDATE = NotificationUpdate.layout.name
_MESSAGE = ChangeNotificationMessage.layout.name


# ------------------------------------------------------------------------------------------- preparing


def _content(operation: Operation) -> Content:
    if not isinstance(operation, Operation):
        raise EncodeError(
            wrong_value("an Operation", operation),
            structure=_UPDATE,
            path="iOperation",
            expected="an Operation",
            actual=operation,
        )
    return CONTENTS[operation]


def notification_update(
    operation: Operation,
    properties: Mapping[str, Any] | Mapping[int, Any] | Mapping[str | int, Any] | None = None,
    *,
    originator: GUID | uuid.UUID | str | bytes,
    path_name: str | None = None,
    identifier: GUID | uuid.UUID | str | bytes | None = None,
) -> NotificationUpdate:
    """Create a NotificationUpdate ([MS-MQCN] 3.3.5.2).

    Required properties come first, because the receiver derives the class of the object from the first one.
    The values of a deletion, and PROPID_QM_MACHINE_ID of a changed queue manager, may be omitted.

    Args:
        operation: The operation.
        properties: The properties by name or number, as for `directory_properties.pack`: all of a new queue,
            otherwise the changed and the required ones.
        originator: The directory service that sends the notification.
        path_name: Path name of a new queue.
        identifier: GUID of an existing queue or queue manager.

    Raises:
        ConformanceError: The document forbids the update; `violations` has the requirements.
        EncodeError: A value does not fit its field.
    """
    content = _content(operation)
    values = _known_values(operation, content, identifier) | dict(zip(*pack(properties or {}), strict=True))
    order = [number for number in content.required if number in values]
    order += [number for number in values if number not in content.required]
    update: Any = NotificationUpdate(
        Command=content.command,
        PathName=path_name,
        GuidIdentifier=identifier,
        GuidMasterId=originator,
        PropertyId=order,
        PropertyValue=[values[number] for number in order],
    )
    require(update)
    checked: NotificationUpdate = update
    return checked


def _known_values(operation: Operation, content: Content, identifier: Any) -> dict[int, PropertyValue]:
    """Values that may be omitted."""
    fixed_values: dict[int, Any] = dict(zip(content.required, content.fixed, strict=False))
    if operation is Operation.QueueManagerUpdate and identifier is not None:
        fixed_values[_MACHINE_ID] = GUID.of(identifier)
    return dict(zip(*pack(fixed_values), strict=True))


def prepare_version_1(updates: Iterable[NotificationUpdate]) -> ChangeNotificationMessage:
    """Create a notification of a directory service ([MS-MQCN] 3.3.5.2).

    Args:
        updates: One to 255 updates, as from `notification_update`.

    Raises:
        ConformanceError: There is no update, or one violates a requirement.
        EncodeError: There are more than 255.
    """
    need("updates", updates, Iterable, "updates")
    all_updates = tuple(updates)
    for update in all_updates:
        need("updates", update, NotificationUpdate, "a NotificationUpdate")
    message = ChangeNotificationMessage(Data=mqcn.NotificationUpdates(Updates=all_updates))
    require(message, context=Context(role="directory"))
    return message


def prepare_version_2(
    operation: Operation, identifier: GUID | uuid.UUID | str | bytes, domain_controller: str
) -> ChangeNotificationMessage:
    """Create a notification of a queue manager ([MS-MQCN] 3.3.5.1).

    Args:
        operation: The operation.
        identifier: The queue or queue manager.
        domain_controller: The directory service where the object was changed.

    Raises:
        ConformanceError: The name does not have 1 to 256 visible ASCII characters without ``<`` (errata C5).
        EncodeError: The identifier is not a GUID.
    """
    event = _content(operation).event
    try:
        body = mqcn.NotificationBody.of(event, identifier, domain_controller)
    except EncodeError as error:
        if not error.path.endswith("DomainController"):
            raise
        allowed, path = str(error.expected), f"{_MESSAGE}.Data.Text"
        raise ConformanceError(
            [Violation("MQCN-2.2.5-08", path, 2, domain_controller, allowed, f"{error}.")]
        ) from error
    message = ChangeNotificationMessage(Data=body)
    require(message, context=Context(role="queue manager"))
    return message


def send(
    message: ChangeNotificationMessage,
    destination: GUID | uuid.UUID | str,
    queue_manager: GUID | uuid.UUID | str,
    *,
    msmq_version: int = 6,
    message_id: int = 0,
    sent_time: int = 0,
) -> EnqueueMessage:
    """Create the effect that sends a notification: its message and its queue ([MS-MQCN] 3.3.5.3).

    The arguments are those of `mqcn.wrap`; the version of MSMQ also determines the signature.

    Raises:
        EncodeError: `mqcn.wrap` rejects the arguments.
    """
    enclosing = mqcn.wrap(
        message,
        destination,
        queue_manager,
        msmq_version=msmq_version,
        message_id=message_id,
        sent_time=sent_time,
    )
    return EnqueueMessage(
        queue=str(enclosing.UserHeader.destination),
        message=enclosing,
        authentication_level="Sig10" if msmq_version == 1 else "Sig20",
    )


# ------------------------------------------------------------------------------------------- receiving


def receive(message: UserMessage, *, authenticated: bool) -> tuple[Effect, ...]:
    """Process a message from the notification queue ([MS-MQCN] 3.2.5).

    Args:
        message: The message.
        authenticated: Whether its signature was verified, for example with `crypto.authenticate`, so that its
            AuthenticationLevel is not None.

    Returns:
        The effects to execute, in order.

    Raises:
        WrongTypeError: `message` is not a UserMessage.
    """
    need("message", message, UserMessage, "a UserMessage")
    if queue_of(message) is not DirectoryQueue.NOTIFICATION:
        allowed, fault = "the notification queue", "The message is not for the notification queue"
        return (_disregard(message, "MQCN-3.2.5-02", "UserHeader.DestinationQueue", allowed, fault),)
    security = message.SecurityHeader
    try:
        notification = carried_by(message)
    except DecodeError as error:
        if is_encrypted(message):  # the body may be a notification
            return (Disregard(unreadable("MQCN-3.2.5-02", error)),)
        return (Disregard(said_of(message, "", "MessagePropertiesHeader.MessageBody")),)
    if notification is None:
        return (_disregard(message, "MQCN-3.3.5.3-06", "MessagePropertiesHeader.MessageClass", NORMAL_CLASS),)
    identified = security is not None and security.Flags.ST == SENT_BY_QUEUE_MANAGER
    if not identified and isinstance(notification.Data, mqcn.NotificationUpdates):
        return (Disregard(said_of(message, "", "SecurityHeader", "SecurityHeader.Flags.ST")),)
    return process(notification, sent_by_queue_manager=identified, authenticated=authenticated)


def process(
    notification: ChangeNotificationMessage, *, sent_by_queue_manager: bool, authenticated: bool
) -> tuple[Effect, ...]:
    """Process a notification ([MS-MQCN] 3.2.5.1 and 3.2.5.2).

    Version 1 is trusted, so a queue manager has to sign it; version 2 causes a read of the directory, and may
    come from any sender, but one that says that a queue was deleted deletes it without a read.  If the
    message is disregarded because of one update, the updates before it remain processed.

    Args:
        notification: The notification.
        sent_by_queue_manager: Whether SenderIdentifierType of its message is QueueManagerIdentifier
            (SecurityHeader.Flags.ST 0x2).
        authenticated: Whether AuthenticationLevel of its message is not None.

    Returns:
        The effects to execute, in order.

    Raises:
        WrongTypeError: `notification` is not a ChangeNotificationMessage.
    """
    need("notification", notification, mqcn.ChangeNotificationMessage, "a ChangeNotificationMessage")
    message: Any = notification
    if isinstance(message.Data, mqcn.NotificationBody):
        return (_notice(message),)
    if not isinstance(message.Data, mqcn.NotificationUpdates):
        return (Disregard(ruled(message, "MQCN-2.2.4-04", "Version")),)
    if not sent_by_queue_manager:
        fault = "The sender is not identified as a queue manager"
        return (_disregard(message, "MQCN-3.2.5.1-04", "", "from a queue manager", fault),)
    if not authenticated:
        return (
            _disregard(message, "MQCN-3.2.5.1-05", "", "authenticated", "The message is not authenticated"),
        )
    effects: list[Effect] = []
    for number in range(len(message.Data.Updates)):
        effect = _update(message, number)
        effects.append(effect)
        if isinstance(effect, Disregard) and effect.rest:
            break
    return tuple(effects)


def _disregard(record: Any, requirement: str, path: str, allowed: str, fault: str = "") -> Disregard:
    """Return the effect that disregards a message; the arguments are those of `located`."""
    return Disregard(located(record, requirement, path, allowed, fault))


def _update(notification: Any, number: int) -> Effect:
    """Process one NotificationUpdate, 3.2.5.1."""
    update, path = notification.Data.Updates[number], f"Data.Updates[{number}]"
    if update.Command == _DELETE:
        return _deletion(notification, update, path)
    if update.Command not in {_CREATE, _CHANGE}:
        return Disregard(ruled(notification, "MQCN-2.2.6-01", f"{path}.Command"), rest=False)
    kind = object_type(update.PropertyId[0]) if update.PropertyId else 0
    if kind not in {ObjectClass.QUEUE, ObjectClass.MACHINE}:
        return Disregard(said_of(notification, path, "PropertyId"))
    if kind == ObjectClass.MACHINE:
        if update.Command == _CREATE:
            return Disregard(said_of(notification, path, "PropertyId"), rest=False)
        taken, ignored = _taken(update, Operation.QueueManagerUpdate, QUEUE_MANAGER_ATTRIBUTES)
        return UpdateQueueManager(update.GuidIdentifier, taken, ignored)
    if update.Command == _CREATE:
        return CreateQueue(*_taken(update, Operation.QueueCreation, QUEUE_ATTRIBUTES))
    taken, ignored = _taken(update, Operation.QueueUpdate, QUEUE_ATTRIBUTES)
    return UpdateQueue(update.GuidIdentifier, update.PathName, taken, ignored)


def _taken(
    update: Any, operation: Operation, attributes: Mapping[str, int]
) -> tuple[dict[str, Any], tuple[int, ...]]:
    """The applied values by attribute, and the ignored PROPIDs."""
    applied = CONTENTS[operation].applied
    values = Properties(update.PropertyId, update.PropertyValue)
    taken = {
        name: values[number] for name, number in attributes.items() if number in applied and number in values
    }
    return taken, tuple(number for number in update.PropertyId if number not in applied)


def _deletion(notification: Any, update: Any, path: str) -> Effect:
    kind = update.PropertyValue[1].value if len(update.PropertyValue) > 1 else None
    if kind != ObjectClass.QUEUE:
        return Disregard(said_of(notification, path, "PropertyId", "PropertyValue[1]"))
    if update.GuidIdentifier is None:
        return Disregard(ruled(notification, "MQCN-3.3.5.2-06", f"{path}.UseGuid"), rest=False)
    return DeleteQueue(update.GuidIdentifier)


def _notice(notification: Any) -> Effect:
    """Process a NotificationBody, 3.2.5.2."""
    try:
        event, identifier, server, _ = parse_notification(notification.Data.Text, whole=False)
    except DecodeError:
        return Disregard(said_of(notification, "Data", "Text"))
    operation = _BY_EVENT[event]
    if operation is Operation.QueueDeletion:
        return DeleteQueue(identifier)
    if operation is Operation.QueueManagerUpdate:
        return ReadDirectory("QueueManager", identifier, READ_QUEUE_MANAGER, server, operation)
    return ReadDirectory("Queue", identifier, READ_QUEUE, server, operation)


def resume(read: ReadDirectory, found: Mapping[str, Any] | None) -> tuple[Effect, ...]:
    """Continue after a read of the directory ([MS-MQCN] 3.2.5.2).

    Args:
        read: The effect that requested the read.
        found: The attributes of the object by name; attributes that were not requested are ignored.  None if
            the directory has no such object, or could not be read.

    Returns:
        The effects to execute.

    Raises:
        WrongTypeError: `read` is not a ReadDirectory, or `found` is not a mapping.
    """
    need("read", read, ReadDirectory, "ReadDirectory")
    need("found", found, (Mapping, type(None)), "a mapping or None")
    if found is None:
        fault = "The directory has no such object."
        return (Disregard(Violation("MQCN-3.2.5.2-02", "", 0, None, "an object of the directory", fault)),)
    attributes = {name: found[name] for name in read.attributes if name in found}
    if read.operation is Operation.QueueCreation:
        return (CreateQueue(attributes),)
    if read.operation is Operation.QueueManagerUpdate:
        return (UpdateQueueManager(read.identifier, attributes),)
    return (UpdateQueue(read.identifier, None, attributes),)
