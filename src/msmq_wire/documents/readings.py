"""Properties that interpret the fields of records, in snake_case.

1. Each function here becomes a property of the record class for which it is registered.
2. A property never changes a field; the field itself stays available under its name in the document.
3. A property of a meaningless value (such as text that is not a format name) raises `EncodeError` or returns
   None, as its description states; decoding has already succeeded then.
"""

from __future__ import annotations

import datetime as dt
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msmq_wire.records.registry import CLASSES
from msmq_wire.values.guid import GUID
from msmq_wire.values.hooks import carried_by, from_wire, from_wire_list
from msmq_wire.values.numbers import FOREVER
from msmq_wire.values.sid import sid_text
from msmq_wire.values.wchar import from_wchars

if TYPE_CHECKING:
    import ipaddress
    import uuid
    from collections.abc import Callable

    from msmq_wire.names import format_names
    from msmq_wire.packets.directory import replication
    from msmq_wire.values import enumerations
    from msmq_wire.values.properties.natural import BodyValue

    from . import directory_properties, mqcn, mqmq, mqqb, mqrr, notification_text, propid, user_message

READINGS: dict[str, dict[str, Callable[[Any], Any]]] = {}
"""Properties by the name of the record class, then by their own name."""

MAKERS: dict[str, dict[str, Callable[..., Any]]] = {}
"""Class methods that create records from interpreted values, by class and name."""


@cache
def _late(module: str) -> Any:
    """Import a module of this folder on demand."""
    return import_module(f".{module}", __package__)


def _enumeration(name: str) -> Any:
    """Import an enumeration; to create all of them takes a quarter of the time of a first `decode`."""
    return getattr(import_module("msmq_wire.values.enumerations"), name)


_Function = TypeVar("_Function", bound="Callable[[Any], Any]")


def _reading(*classes: str, name: str = "") -> Callable[[_Function], _Function]:
    """Register a function as a property of these classes, under its own name or another."""

    def register(function: _Function) -> _Function:
        for owner in classes:
            READINGS.setdefault(owner, {})[name or function.__name__] = function
        return function

    return register


def _moment(seconds: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(seconds, dt.UTC)


def _duration(seconds: int) -> dt.timedelta | None:
    return None if seconds == FOREVER else dt.timedelta(seconds=seconds)


def _fixed_text(raw: bytes) -> str:
    """Text of a field of fixed size, whose rest after the first null character is unused."""
    return from_wchars(raw).partition("\0")[0]


def _ip(raw: bytes) -> Any:
    """The IP address of 4 or 16 bytes; the module is imported on demand."""
    return import_module("ipaddress").ip_address(raw)


def _address(kind: int, length: int, raw: bytes) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    ADDRESS_TYPE = _enumeration("ADDRESS_TYPE")
    if kind == ADDRESS_TYPE.IP_ADDRESS_TYPE:
        return _ip(raw[:4])
    if kind == ADDRESS_TYPE.IPV6_ADDRESS_TYPE and length == len(raw) == 16:
        return _ip(raw)
    return None


# ------------------------------------------------------------------------------------------ headers


@_reading("BaseHeader")
def time_to_reach_queue(header: mqmq.BaseHeader) -> dt.timedelta | None:
    """From `TimeToReachQueue`: the time to reach the queue manager; None means infinite.

    In a message of a remote read the field is the second since 1970 at which the message expires
    ([MS-MQRR] 2.2.5.1).
    """
    return _duration(header.TimeToReachQueue)


@_reading("UserHeader")
def time_to_be_received(header: mqmq.UserHeader) -> dt.timedelta | None:
    """From `TimeToBeReceived`: the time until the message expires; None means infinite."""
    return _duration(header.TimeToBeReceived)


@_reading("UserHeader")
def sent_at(header: mqmq.UserHeader) -> dt.datetime:
    """From `SentTime`: the time of sending, in UTC."""
    return _moment(header.SentTime)


@_reading("UserHeader")
def message_identifier(header: mqmq.UserHeader) -> mqmq.MessageIdentifier:
    """From `SourceQueueManager` and `MessageID`: the identifier of this message in acknowledgments."""
    return CLASSES["MessageIdentifier"](header.SourceQueueManager, header.MessageID)


@_reading("UserHeader")
def destination(header: mqmq.UserHeader) -> format_names.FormatName | None:
    """From `DestinationQueue`: the final destination; None if there is none.

    Raises:
        EncodeError: The text on the wire is not a direct name.
    """
    return _name(header.DestinationQueue, header.QueueManagerAddress)


@_reading("UserHeader")
def admin_queue(header: mqmq.UserHeader) -> format_names.FormatName | None:
    """From `AdminQueue`: the queue for administration acknowledgments; None if there is none.

    Raises:
        EncodeError: The text on the wire is not a direct name.
    """
    source = header.Flags.AQ == 2
    return _name(header.AdminQueue, header.SourceQueueManager if source else header.QueueManagerAddress)


@_reading("UserHeader")
def response_queue(header: mqmq.UserHeader) -> format_names.FormatName | None:
    """From `ResponseQueue`: the queue for replies; None if there is none.

    Raises:
        EncodeError: The text on the wire is not a direct name, or the host is that of the administration
            queue (Flags.RQ 0x4) and that queue does not state its host.
    """
    kind = header.Flags.RQ
    if kind == 1:
        return admin_queue(header)
    if kind == 4:
        return _name(header.ResponseQueue, getattr(admin_queue(header), "computer", None))
    source = kind == 2
    return _name(header.ResponseQueue, header.SourceQueueManager if source else header.QueueManagerAddress)


def _name(queue: Any, host: GUID | None) -> format_names.FormatName | None:
    return None if queue is None else from_wire(queue, host=host)


@_reading("UserHeader")
def received_from(header: mqmq.UserHeader) -> mqrr.UserHeaderAddress:
    """From `QueueManagerAddress` of a remote read: the address of the sender ([MS-MQRR] 2.2.5.1)."""
    return CLASSES["UserHeaderAddress"].decode(header.QueueManagerAddress.bytes_le)


@_reading("MessagePropertiesHeader")
def label(header: mqmq.MessagePropertiesHeader) -> str:
    """From `Label`: the application's description, without its terminator; null characters within it stay."""
    return header.Label.rstrip("\0")


@_reading("MessagePropertiesHeader")
def message_class(header: mqmq.MessagePropertiesHeader) -> enumerations.MESSAGE_CLASS_VALUES | int:
    """From `MessageClass`: the member of the enumeration, or the number if it has none."""
    number = header.MessageClass
    MESSAGE_CLASS_VALUES = _enumeration("MESSAGE_CLASS_VALUES")
    return MESSAGE_CLASS_VALUES(number) if number in MESSAGE_CLASS_VALUES._value2member_map_ else number


@_reading("MessagePropertiesHeader")
def correlation_identifier(header: mqmq.MessagePropertiesHeader) -> mqmq.MessageIdentifier:
    """From `CorrelationID`: the message to which an acknowledgment or an answer refers; zero for none."""
    return CLASSES["MessageIdentifier"].decode(header.CorrelationID)


@_reading("SecurityHeader")
def sender(header: mqmq.SecurityHeader) -> GUID | str | None:
    """From `SecurityData.SecurityID`: a queue manager's GUID, a SID as text, or None.

    None also if the bytes do not have the form that `Flags.ST` announces.
    """
    raw = b"" if header.SecurityData is None else header.SecurityData.SecurityID
    if header.Flags.ST == 2 and len(raw) == 16:
        return GUID(raw)
    return sid_text(raw) if header.Flags.ST == 1 else None


@_reading("SecurityHeader")
def provider(header: mqmq.SecurityHeader) -> mqmq.ProviderInfo | None:
    """From `SecurityData.ProviderInfo`: the alternative provider, or None.

    Raises:
        DecodeError: The bytes are not a ProviderInfo.
    """
    raw = b"" if header.SecurityData is None else header.SecurityData.ProviderInfo
    return CLASSES["ProviderInfo"].decode(raw) if raw else None


# ----------------------------------------------------------------------------------------- queue names


@_reading(
    "PublicQueueFormatName",
    "PrivateQueueFormatName",
    "DirectQueueFormatName",
    "MQFDirectQueueFormatName",
    "MQFDistributionQueueFormatName",
    "MQFFormatNameElement",
)
def format_name(name: Any) -> format_names.FormatName:
    """The format name of this wire form.

    Raises:
        EncodeError: The text on the wire is not a direct name.
    """
    return from_wire(name)


@_reading("MQFAddressHeader")
def names(header: mqmq.MQFAddressHeader) -> format_names.MultipleName | None:
    """From `FormatNameList`: the names as one multiple-element name; None for an empty list.

    Raises:
        EncodeError: The text of an element is not a direct name.
    """
    return from_wire_list(header)


@_reading("MQFAddressHeader")
def is_packed(header: mqmq.MQFAddressHeader) -> bool:
    """From `FormatNameList`: whether public names have no padding before them.

    The document does not state where they begin; the decoder determines it from `HeaderSize` and
    `ElementCount`.
    """
    at = header.layout.offset_of("FormatNameList")
    for element in header.FormatNameList:
        if element.FormatType == 1 and (at + 2 + len(element.Padding)) % 4:
            return True
        at += len(element.encode())
    return False


@_reading("SoapHeader")
def is_padded(header: mqmq.SoapHeader) -> bool:
    """From `HeaderPadding`: whether `BodySectionID` is aligned instead of directly after `Header`.

    The document shows no padding there; the position of the number of `BodySectionID` decides.
    """
    return bool(header.HeaderPadding)


# --------------------------------------------------------------------------------------------- packets


@_reading("MessagePacket")
def has_trailers_inside(packet: user_message.MessagePacket) -> bool:
    """From `UserMessage.ExtensionHeader`: whether it and its headers are within `PacketSize`.

    In the document they follow the message and are fields of the packet; some packets have them within the
    message.  Both forms are decoded.
    """
    return packet.UserMessage.ExtensionHeader is not None


@_reading("UserMessage")
def is_without_announced_session_header(message: user_message.UserMessage) -> bool:
    """From `BaseHeader.Flags.SH`: whether an announced SessionHeader is absent.

    This is possible in a packet of a remote read, which may have an ExtensionHeader or nothing in its place.
    """
    return bool(message.BaseHeader.Flags.SH) and message.SessionHeader is None


@_reading("UserMessage")
def is_transactional(message: user_message.UserMessage) -> bool:
    """Whether the message belongs to a transaction: it has a TransactionHeader."""
    return message.TransactionHeader is not None


@_reading("UserMessage", name="label")
def message_label(message: user_message.UserMessage) -> str:
    """From `MessagePropertiesHeader.Label`: as its `label`."""
    return label(message.MessagePropertiesHeader)


@_reading("UserMessage", name="destination")
def message_destination(message: user_message.UserMessage) -> format_names.FormatName | None:
    """From `UserHeader.DestinationQueue`: the final destination; None if there is none.

    Raises:
        EncodeError: The text on the wire is not a direct name.
    """
    return destination(message.UserHeader)


@_reading("UserMessage")
def body(message: user_message.UserMessage) -> bytes:
    """The payload: `MessageBody`, or for a message sent over HTTP the body part of the request.

    The SRMP body is given by the offset and size in CompoundMessageHeader, as far as it is within Data.
    """
    body = message.MessagePropertiesHeader.MessageBody
    if body or (compound := message.CompoundMessageHeader) is None:
        return body
    return compound.Data[compound.MsgBodyOffset : compound.MsgBodyOffset + compound.MsgBodySize]


@_reading("OrderAck", name="acknowledged")
def order_ack_body(packet: mqqb.OrderAck) -> mqqb.OrderAckBody:
    """From `MessagePropertiesHeader.MessageBody`: the message that arrived.

    Raises:
        DecodeError: The body does not have 36 bytes.
    """
    return CLASSES["OrderAckBody"].decode(packet.MessagePropertiesHeader.MessageBody)


@_reading("FinalAck", name="acknowledged")
def final_ack_body(packet: mqqb.FinalAck) -> mqqb.FinalAckBody:
    """From `MessagePropertiesHeader.MessageBody`: the message that was received or rejected.

    Raises:
        DecodeError: The body does not have 36 bytes.
    """
    return CLASSES["FinalAckBody"].decode(packet.MessagePropertiesHeader.MessageBody)


@_reading("FinalAck")
def is_positive(packet: mqqb.FinalAck) -> bool:
    """Whether the message was received by an application."""
    received: int = _enumeration("MESSAGE_CLASS_VALUES").MQMSG_CLASS_ACK_RECEIVE
    return packet.MessagePropertiesHeader.MessageClass == received


@_reading("EstablishConnection", "ConnectionParameters")
def is_refused(packet: Any) -> bool:
    """From `InternalHeader.Flags.CS`: whether the connection is refused."""
    return bool(packet.InternalHeader.Flags.CS)


# ----------------------------------------------------------------------------------------- remote read


@_reading("SRMPEnvelopeHeader")
def envelope(header: mqrr.SRMPEnvelopeHeader) -> str:
    """From `Data`: the SOAP envelope, without its terminator; null characters within it stay."""
    return header.Data.rstrip("\0")


@_reading("SubqueueHeader")
def subqueue_name(header: mqrr.SubqueueHeader) -> str:
    """From `SubqueueName`: the subqueue of the message; empty if there is none."""
    return _fixed_text(header.SubqueueName)


@_reading("SubqueueHeader")
def target_subqueue_name(header: mqrr.SubqueueHeader) -> str:
    """From `TargetSubqueueName`: the target of a pending move; empty if there is none."""
    return _fixed_text(header.TargetSubqueueName)


@_reading("ExtendedAddressHeader", "UserHeaderAddress")
def ip_address(header: Any) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """From `AddressType` and `Address`: the sender's address; None if it is absent or truncated."""
    return _address(header.AddressType, header.AddressLength, header.Address)


@_reading("TA_ADDRESS")
def address(entry: mqmq.TA_ADDRESS) -> ipaddress.IPv4Address | GUID | mqmq.IPXAddress | None:
    """From `AddressType` and `Address`: the address in its own type; None if they do not match."""
    ADDRESS_TYPE = _enumeration("ADDRESS_TYPE")
    raw = entry.Address
    match entry.AddressType, len(raw):
        case (ADDRESS_TYPE.IP_ADDRESS_TYPE | ADDRESS_TYPE.IP_RAS_ADDRESS_TYPE, 4):
            return _ip(raw)
        case (ADDRESS_TYPE.IPX_ADDRESS_TYPE, 10):
            return CLASSES["IPXAddress"].decode(raw)
        case (ADDRESS_TYPE.FOREIGN_ADDRESS_TYPE, 16):
            return GUID(raw)
    return None


# ------------------------------------------------------------------------------- bodies and the directory


def is_encrypted(message: Any) -> bool:
    """Return whether the body of a message is encrypted, by `SecurityHeader.Flags.EB`."""
    return message.SecurityHeader is not None and bool(message.SecurityHeader.Flags.EB)


ADDRESS_LENGTHS: Final = {1: 4, 6: 16}
"""The length of an address in bytes by its AddressType: IPv4 and IPv6, [MS-MQRR] 2.2.5.1."""
SIGNATURE_SIZES: Final = ("SecurityHeader.SignatureSize", "MultiQueueFormatHeader.Signature.Size")
"""The sizes of the two signatures that a message may have, [MS-MQQB] 3.1.7.1.4."""


def is_signed(message: Any) -> bool:
    """Return whether a message has a signature, by `SIGNATURE_SIZES`."""
    security, several = message.SecurityHeader, message.MultiQueueFormatHeader
    return bool(security is not None and security.SignatureSize) or bool(
        several is not None and several.Signature.Size
    )


@_reading("MessagePropertiesHeader", name="typed_body")
def typed_part(header: mqmq.MessagePropertiesHeader) -> BodyValue:
    """From `MessageBody` and `BodyType`: text, number, GUID or another value of that type.

    Bytes if the type is unknown, or if the body does not match it.
    """
    body_value: Callable[[int, bytes], BodyValue] = _late("directory_properties").body_value

    return body_value(header.BodyType, header.MessageBody)


@_reading("UserMessage")
def typed_body(message: user_message.UserMessage) -> BodyValue:
    """From `body` and `MessagePropertiesHeader.BodyType`: text, number, GUID or another value of that type.

    Bytes if the type is unknown, if the body does not match it, or if the body is encrypted.
    """
    body_value: Callable[[int, bytes], BodyValue] = _late("directory_properties").body_value

    data = body(message)
    if is_encrypted(message):
        return data
    return body_value(message.MessagePropertiesHeader.BodyType, data)


@_reading("UserMessage")
def directory_message(
    message: user_message.UserMessage,
) -> replication.Message | mqcn.ChangeNotificationMessage | None:
    """From queue, class and `MessageBody`: the replication message or change notification in the body.

    None for a message that carries neither; `carriers` describes how they are detected.

    Raises:
        DecodeError: The message should carry one, but its body cannot be decoded.
    """
    carried: replication.Message | mqcn.ChangeNotificationMessage | None = carried_by(message)
    return carried


@_reading("DirectoryChange", "NotificationUpdate")
def properties(change: Any) -> directory_properties.Properties:
    """From the identifiers and `PropertyValue`: the values of the properties, by name."""
    Properties = _late("directory_properties").Properties

    return Properties(_identifiers(change), change.PropertyValue)


@_reading("DirectoryChange", "NotificationUpdate")
def object_class(change: Any) -> propid.ObjectClass | None:
    """From `Command` and the first properties: the class of the changed object; None if unknown."""
    identifiers = _identifiers(change)
    if not identifiers:
        return None
    second = change.PropertyValue[1].value if len(change.PropertyValue) > 1 else None
    changed: propid.ObjectClass | None = _late("propid").changed_object_class(
        change.Command, identifiers[0], second
    )
    return changed


def _identifiers(change: Any) -> tuple[int, ...]:
    """The two documents spell the field's name differently."""
    name = "PropertyID" if "PropertyID" in change.layout.by_name else "PropertyId"
    identifiers: tuple[int, ...] = getattr(change, name)
    return identifiers


def _notification(text: Any) -> notification_text.Notification:
    parse_notification = _late("notification_text").parse_notification

    return parse_notification(text.Text)


@_reading("NotificationBody")
def event(text: mqcn.NotificationBody) -> notification_text.NotificationEvent:
    """From `Text`: the event.

    Raises:
        DecodeError: The text is not a notification.
    """
    return _notification(text).event


@_reading("NotificationBody")
def object_guid(text: mqcn.NotificationBody) -> GUID:
    """From `Text`: the queue or queue manager that was changed.

    Raises:
        DecodeError: The text is not a notification.
    """
    return _notification(text).object_guid


@_reading("NotificationBody")
def domain_controller(text: mqcn.NotificationBody) -> str:
    """From `Text`: the directory server where the object was changed.

    Raises:
        DecodeError: The text is not a notification.
    """
    return _notification(text).domain_controller


def of(
    cls: Any,
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
    notification_text = _late("notification_text").notification_text

    body: mqcn.NotificationBody = cls.raw(notification_text(event, object_guid, domain_controller), b"")
    return body


MAKERS["NotificationBody"] = {"of": of}
