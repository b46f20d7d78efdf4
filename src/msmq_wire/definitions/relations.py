"""Facts that C cannot express, as tables with the dotted paths of the documents as keys.

1. `PRESENT`: when a field is present.
2. `CHOICES`: which sibling field selects the form of a field.
3. `EXTENTS`: which field states the size of a structure.
4. `ALIGNED`: to which boundary a padding extends, and from where the boundary counts.
5. `OUTSIDE`: which field follows after the size that `EXTENTS` names.
6. `SUPPORTED_VALUES`: with which values of a field the following fields can be read.
7. `OFFSETS`: which field states the offset of a text, and from where it counts.
8. `COUNTS`: which field of another part states the length of an array.
9. `VALUES`: which field has the identifiers that determine the types of property values.
10. `DEFAULTS` and `FIXED`: the values of omitted fields.
11. `MARKS`: which fields identify a packet by their value.
12. `LIMITS`: which limit of the caller bounds the length of an array.
13. `RIVALS`: which header can replace a field although it is announced.  In a nested structure, the field may
    also be absent without a replacement.
14. `CONSTANT_BITS`: which groups of a flags word are constant, so that they identify a header.
15. `FLAT_CONSTRUCTORS`: which structures have an `of` method, with the parts that it creates.
16. `PARTS`: the fields of the parts that a packet has unless the caller gives the part.
17. `OPENING`: the constants that distinguish packets by their first bytes.
18. `REFINED`: packets that are decoded as another one first.

Decoder and builder use each table in opposite directions: the decoder reads the flag to determine whether the
header is present, and the builder sets the flag if the header is present.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable


class Alignment(Struct, frozen=True):
    """Where a padding field ends.

    Attributes:
        origin: Name of the structure from whose start the boundary counts; the nearest enclosing one.
        boundary: The padding ends at a multiple of this, in bytes.
        selector: Sibling field that can select another boundary.
        boundaries: Other boundaries, by the selector's value.
        cut_short: Whether the packet may end before the boundary.
        packed: Values of the selector with which lists may have no padding; the bytes decide.
        before: The field that follows, and its number.  The padding is present only if that number
            follows it and is not at its offset; the bytes decide.
    """

    origin: str
    boundary: int
    selector: str = ""
    boundaries: tuple[tuple[int, int], ...] = ()
    cut_short: bool = False
    packed: tuple[int, ...] = ()
    before: tuple[str, int] | None = None


PRESENT: Final = {
    "UserHeader.ConnectorType": "Flags.CQ",
    "TransactionHeader.ConnectorQMGuid": "Flags.CG",
    "DebugHeader.QueueIdentifier": "Flags.QT == 1",
    "SecurityHeader.SecurityData": (
        "SenderIdSize | EncryptionKeySize | SignatureSize | SenderCertSize | ProviderInfoSize"
    ),
    "UserMessage.TransactionHeader": "UserHeader.Flags.TH",
    "UserMessage.SecurityHeader": "UserHeader.Flags.SH",
    "UserMessage.DebugHeader": "BaseHeader.Flags.DH",
    "UserMessage.SRMPEnvelopeHeader": "UserHeader.Flags.AH",
    "UserMessage.CompoundMessageHeader": "UserHeader.Flags.AH",
    "UserMessage.SoapHeader": "UserHeader.Flags.HH",
    "UserMessage.MultiQueueFormatHeader": "UserHeader.Flags.MQ",
    "UserMessage.ExtensionHeader": "remaining",
    "UserMessage.SubqueueHeader": "ExtensionHeader.Flags.SQ",
    "UserMessage.DeadLetterHeader": "ExtensionHeader.Flags.DL",
    "UserMessage.ExtendedAddressHeader": "ExtensionHeader.Flags.EA",
    "UserMessage.SessionHeader": "BaseHeader.Flags.SH",
    "DirectoryChange.PathName": "UseGuid == 0",
    "DirectoryChange.GuidIdentifier": "UseGuid == 1",
    "NotificationUpdate.PathName": "UseGuid == 0",
    "NotificationUpdate.GuidIdentifier": "UseGuid == 1",
    "ChangeRequestHeader.PSCName": "PSCNameOffset",
    "SeqNumberHeader.MachineName": "Count",
    "MessagePacket.ExtensionHeader": "remaining",
    "MessagePacket.SubqueueHeader": "ExtensionHeader.Flags.SQ",
    "MessagePacket.DeadLetterHeader": "ExtensionHeader.Flags.DL",
    "MessagePacket.ExtendedAddressHeader": "ExtensionHeader.Flags.EA",
}
"""The presence of fields, as expressions; `remaining` is the number of bytes left in the structure."""

CHOICES: Final[dict[str, tuple[str, dict[int, str | None]]]] = {
    "UserHeader.DestinationQueue": (
        "Flags.DQ",
        {0: None, 3: "PrivateQueueFormatNameId", 5: "PublicQueueFormatName", 7: "DirectQueueFormatName"},
    ),
    "UserHeader.AdminQueue": (
        "Flags.AQ",
        {
            0: None,
            2: "PrivateQueueFormatNameId",
            3: "PrivateQueueFormatNameId",
            5: "PublicQueueFormatName",
            6: "PrivateQueueFormatName",
            7: "DirectQueueFormatName",
        },
    ),
    "UserHeader.ResponseQueue": (
        "Flags.RQ",
        {
            0: None,
            1: None,
            2: "PrivateQueueFormatNameId",
            3: "PrivateQueueFormatNameId",
            4: "PrivateQueueFormatNameId",
            5: "PublicQueueFormatName",
            6: "PrivateQueueFormatName",
            7: "DirectQueueFormatName",
        },
    ),
    "MQFFormatNameElement.FormatName": (
        "FormatType",
        {
            1: "PublicQueueFormatName",
            2: "PrivateQueueFormatName",
            3: "MQFDirectQueueFormatName",
            6: "MQFDistributionQueueFormatName",
        },
    ),
    "ChangeNotificationMessage.Data": ("Version", {1: "NotificationUpdates", 2: "NotificationBody"}),
}
"""Field to its selector, and the structure for each value; the builder uses the first matching value."""

EXTENTS: Final = {
    "MQDSPUBLICKEYS": ("ulLen", 1),
    "MQFAddressHeader": ("HeaderSize", 4),
    "DeadLetterHeader": ("HeaderSize", 1),
    "UserMessage": ("BaseHeader.PacketSize", 1),
    "OrderAck": ("BaseHeader.PacketSize", 1),
    "FinalAck": ("BaseHeader.PacketSize", 1),
    "EstablishConnection": ("BaseHeader.PacketSize", 1),
    "ConnectionParameters": ("BaseHeader.PacketSize", 1),
    "SessionAck": ("BaseHeader.PacketSize", 1),
}
"""Structure to the field with its size in bytes, and the multiple to which the size is rounded up."""

ALIGNED: Final = {
    "MQFFormatNameElement.Padding": Alignment("MQFAddressHeader", 4, "FormatType", ((3, 2),), packed=(1,)),
    "MultiQueueFormatHeader.Padding": Alignment("MultiQueueFormatHeader", 4, cut_short=True),
    "SoapHeader.HeaderPadding": Alignment("SoapHeader", 4, before=("BodySectionID", 0x0384)),
    "SoapHeader.Padding": Alignment("SoapHeader", 4, cut_short=True),
}

SUPPORTED_VALUES: Final = {
    "DirectoryChange.UseGuid": (0, 1),
    "NotificationUpdate.UseGuid": (0, 1),
}
"""Field to the values with which reading can continue."""

COUNTS: Final = {
    "SyncReplyMessage.DirectoryChanges": "SyncReplyHeader.Count",
}
"""Array to its count in another part of the structure; C has no such paths."""

OFFSETS: Final = {
    "ChangeRequestHeader.PSCName": ("PSCNameOffset", "RequesterName"),
}
"""Text to the field with its offset in WCHARs, and to the text from which the offset counts."""

VALUES: Final = {
    "DirectoryChange.PropertyValue": "PropertyID",
    "NotificationUpdate.PropertyValue": "PropertyId",
}
"""Field of property values to the field that holds their identifiers."""

LIMITS: Final = {
    "MQFAddressHeader.FormatNameList": "queues",
    "ChangePropagationMessage.DirectoryChanges": "changes",
    "SyncReplyMessage.DirectoryChanges": "changes",
    "NotificationUpdates.Updates": "changes",
    "DirectoryChange.PropertyID": "properties",
    "NotificationUpdate.PropertyId": "properties",
}
"""Array to the attribute of `Limits` that bounds its length; other arrays have the limit of their kind."""

OUTSIDE: Final = frozenset({"UserMessage.SessionHeader"})

RIVALS: Final = {
    "UserMessage.SessionHeader": ("ExtensionHeader.HeaderSize", "ExtensionHeader.RemainingHeadersSize"),
}
"""Field to two numbers of its replacement: its own size, and the size of all that follows."""


def md5(data: bytes) -> bytes:
    """Return the MD5 of bytes."""
    import hashlib  # noqa: PLC0415  # imported late, because it is slow and rarely needed

    return hashlib.md5(data, usedforsecurity=False).digest()


FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {"md5": md5}
"""Functions that the expressions of `DEFAULTS`, `FIXED` and `COMPUTED` can call, besides those of Python."""

DEFAULTS: Final[dict[str, Any]] = {
    "BaseHeader.VersionNumber": 0x10,
    "BaseHeader.Flags.PR": 3,
    "BaseHeader.Signature": 0x524F494C,
    "BaseHeader.TimeToReachQueue": 0xFFFFFFFF,
    "UserHeader.TimeToBeReceived": 0xFFFFFFFF,
    "UserHeader.Flags.MP": 1,
    "MessagePropertiesHeader.HashAlgorithm": 0x800E,
    "MessagePropertiesHeader.EncryptionAlgorithm": "0x6610 if PrivacyLevel == 5 else 0x6801",
    # 0x0 without a SecurityID, 0x1 for bytes in the form of a SID, 0x2 for a GUID.
    "SecurityHeader.Flags.ST": (
        "0 if SecurityData is None or not SecurityData.SecurityID"
        " else 1 if SecurityData.SecurityID[0] == 1"
        " and len(SecurityData.SecurityID) >= 8"
        " and len(SecurityData.SecurityID) == 8 + 4 * SecurityData.SecurityID[1]"
        " else 2"
    ),
    "SecurityHeader.Flags.DE": (
        "1 if SecurityData is not None and SecurityData.Signature and not SecurityData.ProviderInfo else 0"
    ),
    "SecurityHeader.Flags.AI": "0 if SecurityData is None else 1",
    "MQFSignatureHeader.ID": 0x015E,
    "SessionHeader.WindowSize": 0x40,
    "TransactionHeader.TxSequenceNumber": 1,
    "SoapHeader.HeaderSectionID": 0x0320,
    "SoapHeader.BodySectionID": 0x0384,
    "CompoundMessageHeader.HeaderId": 500,
    "ExtensionHeader.HeaderSize": 12,
    "SubqueueHeader.HeaderSize": 148,
    "ExtendedAddressHeader.HeaderSize": 28,
    "ConnectionParametersHeader.RecoverableAckTimeout": 500,
    "ConnectionParametersHeader.AckTimeout": 20000,
    "ConnectionParametersHeader.WindowSize": 64,
    "EstablishConnectionHeader.OperatingSystem.RE": 0x10,
    "EstablishConnectionHeader.Padding": b"\x5a" * 512,
    "OrderAckBody.TxSequenceNumber": 1,
    "OrderAckBody.TxPreviousSequenceNumber": "max(TxSequenceNumber - 1, 0)",
    "FinalAckBody.TxSequenceNumber": 1,
    "PingPacket.Signature": 0x5548,
    "MQUSERSIGNCERT.Digest": "md5(Certificate)",
    "ChangeNotificationMessage.NumberOfUpdateNotifications": 1,
    "MQDSPUBLICKEY.ulProviderType": 0x01,
    "SenderCertPublicKey.bType": 0x06,
    "SenderCertPublicKey.bVersion": 0x02,
    "SenderCertPublicKey.KeyType": 0x2400,
    "SenderCertPublicKey.magic": b"RSA1",
    "SenderCertPublicKey.PublicExponent": 65537,
    "PUBLICKEYBLOB.bType": 0x06,
    "PUBLICKEYBLOB.bVersion": 0x02,
    "PUBLICKEYBLOB.aiKeyAlg": 0xA400,
    "PUBLICKEYBLOB.magic": b"RSA1",
    "PUBLICKEYBLOB.pubExp": 65537,
    "SIMPLEBLOB.bType": 0x01,
    "SIMPLEBLOB.bVersion": 0x02,
    "SIMPLEBLOB.sessionKeyAlgorithm": 0x6610,
    "SIMPLEBLOB.aiKeyAlg": 0xA400,
}
"""Values of omitted fields, if not zero or empty.

A text is a Python expression that computes the value from other fields of the record.
"""

OMITTABLE_HOSTS: Final[dict[str, tuple[tuple[int, str], ...]]] = {
    "UserHeader.DestinationQueue": ((3, "QueueManagerAddress"),),
    "UserHeader.AdminQueue": ((2, "SourceQueueManager"), (3, "QueueManagerAddress")),
    "UserHeader.ResponseQueue": ((2, "SourceQueueManager"), (3, "QueueManagerAddress")),
}
"""Field of a queue name to the hosts that a short name can omit, each with the value of its selector."""

INFERRED_HOST: Final = {"UserHeader.DestinationQueue": "QueueManagerAddress"}
"""Field of a queue name to the host field that is taken from the name if the caller omitted it."""


class Converter(Struct, frozen=True):
    """Converts other values to a form of a field.

    Attributes:
        function: The name of the function in `documents.converters`.
        takes: The types of the values, as in annotations.
    """

    function: str
    takes: tuple[str, ...]


CONVERTERS: Final = dict.fromkeys(
    OMITTABLE_HOSTS, Converter("queue_form", ("format_names.FormatName", "str"))
)
"""Field to its converter."""

MARKS: Final = frozenset({"BaseHeader.VersionNumber", "BaseHeader.Signature"})
"""Fields whose default values identify a packet."""

CONSTANT_BITS: Final = {"UserHeader.Flags": {"MP": 1, "X1": 0, "X2": 0, "X3": 0, "X4": 0}}
"""Flags word to the groups that are constant by [MS-MQMQ] 2.2.19.2."""

COMPUTED: Final = {
    "MessagePropertiesHeader.AllocationBodySize": "len(MessageBody)",
    "SenderCertPublicKey.LengthInBits": "len(Modulus) * 8",
    "PUBLICKEYBLOB.bitLen": "len(modulus) * 8",
}
"""Sizes that are not the count of an array, as expressions over the fields of the record."""

REMAINDERS: Final = {
    "ExtensionHeader.RemainingHeadersSize": ("SubqueueHeader", "DeadLetterHeader", "ExtendedAddressHeader"),
}
"""Field of a part to the sibling parts whose total size it states."""

FIXED: Final[dict[str, dict[str, Any]]] = {
    "UserMessage": {
        "BaseHeader.Flags.PR": "0 if TransactionHeader is not None else 3",
        "UserHeader.Flags.DM": "1 if TransactionHeader is not None else 0",
    },
    "MultiQueueFormatHeader": {
        "Destination.HeaderID": 0x0064,
        "Administration.HeaderID": 0x00C8,
        "Response.HeaderID": 0x012C,
    },
    "EstablishConnection": {"BaseHeader.Flags.IN": 1, "InternalHeader.Flags.PT": 2},
    "ConnectionParameters": {"BaseHeader.Flags.IN": 1, "InternalHeader.Flags.PT": 3},
    "SessionAck": {"BaseHeader.Flags.IN": 1, "BaseHeader.Flags.SH": 1, "InternalHeader.Flags.PT": 1},
    "ChangePropagationMessage": {"BaseReplicationHeader.Operation": 0},
    "ChangeRequestHeader": {"BaseReplicationHeader.Operation": 1},
    "SyncRequestMessage": {"BaseReplicationHeader.Operation": 2},
    "SyncReplyHeader": {"BaseReplicationHeader.Operation": 3},
    "ChangeReplyMessage": {"BaseReplicationHeader.Operation": 4},
    "AlreadyPurgedMessage": {"BaseReplicationHeader.Operation": 5},
    "PSCAckMessage": {"BaseReplicationHeader.Operation": 6},
    "BSCAckMessage": {"BaseReplicationHeader.Operation": 7},
    "OrderAck": {"BaseHeader.Flags.PR": 0},
    "FinalAck": {"BaseHeader.Flags.PR": 0, "UserHeader.Flags.DM": 1},
}
"""Values that a packet sets in its headers if the caller omitted them; a text is an expression."""


class Encoded(Struct, frozen=True):
    """The bytes of a structure with the defaults of all its fields.

    Attributes:
        structure: Its name.
    """

    structure: str


class Built(Struct, frozen=True):
    """A structure with one field that has no default.

    Attributes:
        structure: Its name.
        field: The field.
        value: Its value.
    """

    structure: str
    field: str
    value: int


# The identifier alone, so that it is a queue of whatever QueueManagerAddress the caller gives.
_ORDER_QUEUE = Built("PrivateQueueFormatNameId", "PrivateQueueIdentifier", 4)
ORDER_LABEL: Final = "QM Ordering Ack\0"
"""The label of OrderAck and FinalAck packets ([MS-MQQB] 2.2.4, 2.2.5)."""

PARTS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "OrderAck": {
        "UserHeader": {"DestinationQueue": _ORDER_QUEUE},
        "MessagePropertiesHeader": {
            "MessageClass": 0x00FF,
            "Label": ORDER_LABEL,
            "MessageBody": Encoded("OrderAckBody"),
        },
    },
    "FinalAck": {
        "UserHeader": {"DestinationQueue": _ORDER_QUEUE},
        "MessagePropertiesHeader": {
            "MessageClass": 0x4000,
            "Label": ORDER_LABEL,
            "MessageBody": Encoded("FinalAckBody"),
        },
    },
}
"""Packet to its parts with the values of their fields, which hold for a part that the caller omitted."""


FLAT_CONSTRUCTORS: Final[dict[str, tuple[str, ...]]] = {
    "UserMessage": ("SecurityHeader", "MessagePropertiesHeader", "UserHeader", "BaseHeader"),
    "EstablishConnection": ("EstablishConnectionHeader", "InternalHeader", "BaseHeader"),
    "ConnectionParameters": ("ConnectionParametersHeader", "InternalHeader", "BaseHeader"),
    "OrderAck": ("MessagePropertiesHeader", "UserHeader", "BaseHeader"),
    "FinalAck": ("MessagePropertiesHeader", "UserHeader", "BaseHeader"),
    "SessionAck": ("SessionHeader", "InternalHeader", "BaseHeader"),
}
"""Structure to the parts whose fields `of` takes; each part comes after the parts on which it depends."""


OPENING: Final = {
    "VERSION": "BaseHeader.VersionNumber",
    "FLAGS": "BaseHeader.Flags",
    "INTERNAL": "BaseHeader.Flags.IN",
    "TRAILING_SESSION_HEADER": "BaseHeader.Flags.SH",
    "SIGNATURE": "BaseHeader.Signature",
    "PACKET_SIZE": "BaseHeader.PacketSize",
    "BASE": "BaseHeader",
    "INTERNAL_HEADER": "InternalHeader",
    "INTERNAL_FLAGS": "InternalHeader.Flags",
    "INTERNAL_TYPE": "InternalHeader.Flags.PT",
    "SESSION_HEADER": "SessionHeader",
    "PING_SIGNATURE": "PingPacket.Signature",
}
"""Names of constants to the structures, fields and groups that distinguish packets.

A field has an offset in its structure, unless it is the first one, and may have a usual value; a group has a
mask.  A structure has a size, and a format that reads its fields if several of them are here.
"""

REFINED: Final = {"OrderAck": "UserMessage", "FinalAck": "UserMessage"}
"""Packets whose first bytes equal those of another one, and which only its fields distinguish."""


def is_filler(name: str) -> bool:
    """Return whether fields with this name carry no information."""
    return "Padding" in name or name.lower().startswith("reserved")


def announcing(part: str) -> tuple[str, int]:
    """Return the path of the number that announces a part of `PRESENT`, from its header on, and its value."""
    number, _, value = PRESENT[part].partition(" == ")
    is_in_header = number.startswith("Flags.") or "." not in number
    return f"{part.partition('.')[0]}.{number}" if is_in_header else number, int(value or 1)


def announced(path: str) -> dict[int, str]:
    """Return the structures that require a value of a header's field, by that value."""
    return dict(sorted((fixed[path], name) for name, fixed in FIXED.items() if path in fixed))
