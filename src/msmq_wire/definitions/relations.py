"""What C cannot say, as tables keyed by the document's own paths.

1. `PRESENT`: this field is there if and only if that expression is not zero.
2. `CHOICES`: this field's form is chosen by that sibling.
3. `EXTENTS`: this field says how many bytes its structure takes.
4. `ALIGNED`: this padding runs to that boundary, counted from the start of that structure.
5. `OUTSIDE`: this field lies after the size that `EXTENTS` names.
6. `KNOWN`: only these values of this field say how to read on.
7. `OFFSETS`: this text starts where that field says, counted from that text.
8. `COUNTS`: this array has as many elements as that field of another part says.
9. `VALUES`: these property values have the types that those identifiers ask for.
10. `DEFAULTS` and `FIXED`: what a record holds when its maker leaves a field out.
11. `MARKS`: the value of this field tells a packet from other bytes.
12. `LIMITS`: how many elements this array may have is one of the limits that a caller sets.
13. `RIVALS`: this field is not there, whatever announces it, where that header stands in its place; nor, in
    a structure within another one, where nothing does.
14. `SIGNS`: these groups of this flags word always have these values, so that a header is known by them.
15. `AT_ONCE`: a structure that can be made in one call, from what is said of these parts.

Each table is read in both directions: the decoder asks the flag whether the header is there, the builder
asks the header what the flag should be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "ALIGNED",
    "AT_ONCE",
    "CHOICES",
    "COMPUTED",
    "COUNTS",
    "DEFAULTS",
    "EXTENTS",
    "FIXED",
    "HOSTS",
    "KNOWN",
    "LIMITS",
    "MARKS",
    "OFFSETS",
    "OUTSIDE",
    "PRESENT",
    "REMAINDERS",
    "RIVALS",
    "SIGNS",
    "TOLD",
    "VALUES",
    "Alignment",
    "Converter",
    "announced",
    "is_filler",
]


class Alignment(NamedTuple):
    """Where a padding field ends.

    Attributes:
        origin: Name of the structure whose start is offset zero; the nearest one that encloses the field.
        boundary: The multiple of bytes to reach.
        selector: Sibling field whose value may ask for another boundary.
        boundaries: Boundary by the selector's value, where it differs.
        cut_short: Whether the end of the packet may come before the boundary.
        packed: Values of the selector for which lists may have no padding at all: the bytes decide.
        before: The field that follows and the number that it has.  The padding is there only if that number
            stands after it and not in its place: the bytes decide.
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
"""Field to expression; `remaining` is the number of bytes left in the structure."""

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
"""Field to its selector and the structure that each value selects; the first value wins when building."""

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
"""Structure to the field that bounds it, in bytes from its start, and the multiple to round that up to."""

ALIGNED: Final = {
    "MQFFormatNameElement.Padding": Alignment("MQFAddressHeader", 4, "FormatType", ((3, 2),), packed=(1,)),
    "MultiQueueFormatHeader.Padding": Alignment("MultiQueueFormatHeader", 4, cut_short=True),
    "SoapHeader.HeaderPadding": Alignment("SoapHeader", 4, before=("BodySectionID", 0x0384)),
    "SoapHeader.Padding": Alignment("SoapHeader", 4, cut_short=True),
}

KNOWN: Final = {
    "DirectoryChange.UseGuid": (0, 1),
    "NotificationUpdate.UseGuid": (0, 1),
}
"""Field to the values that say how to go on reading."""

COUNTS: Final = {
    "SyncReplyMessage.DirectoryChanges": "SyncReplyHeader.Count",
}
"""Array to the count that stands in another part of its structure; C knows no such path."""

OFFSETS: Final = {
    "ChangeRequestHeader.PSCName": ("PSCNameOffset", "RequesterName"),
}
"""Text to the field that holds its offset in WCHARs, and to the text that the offset counts from."""

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
"""Array to the attribute of `Limits` that bounds its elements; others have the limit of their kind."""

OUTSIDE: Final = frozenset({"UserMessage.SessionHeader"})

RIVALS: Final = {
    "UserMessage.SessionHeader": ("ExtensionHeader.HeaderSize", "ExtensionHeader.RemainingHeadersSize"),
}
"""Field to the numbers of what may stand in its place: its own size, and that of all that follows."""


def _md5(Certificate: bytes) -> bytes:
    from hashlib import md5  # noqa: PLC0415  # the import is not free and few need it

    return md5(Certificate, usedforsecurity=False).digest()


DEFAULTS: Final[dict[str, Any]] = {
    "BaseHeader.VersionNumber": 0x10,
    "BaseHeader.Flags.PR": 3,
    "BaseHeader.Signature": 0x524F494C,
    "BaseHeader.TimeToReachQueue": 0xFFFFFFFF,
    "UserHeader.TimeToBeReceived": 0xFFFFFFFF,
    "UserHeader.Flags.MP": 1,
    "MessagePropertiesHeader.HashAlgorithm": 0x800E,
    "MessagePropertiesHeader.EncryptionAlgorithm": (
        lambda PrivacyLevel: 0x6610 if PrivacyLevel == 5 else 0x6801
    ),
    # 0x0 without a SecurityID, 0x1 for what has the shape of a SID, 0x2 for a GUID.
    "SecurityHeader.Flags.ST": (
        lambda SecurityData: (
            0
            if SecurityData is None or not SecurityData.SecurityID
            else 1
            if SecurityData.SecurityID[0] == 1
            and len(SecurityData.SecurityID) >= 8
            and len(SecurityData.SecurityID) == 8 + 4 * SecurityData.SecurityID[1]
            else 2
        )
    ),
    "SecurityHeader.Flags.DE": (
        lambda SecurityData: (
            1 if SecurityData is not None and SecurityData.Signature and not SecurityData.ProviderInfo else 0
        )
    ),
    "SecurityHeader.Flags.AI": lambda SecurityData: 0 if SecurityData is None else 1,
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
    "OrderAckBody.TxPreviousSequenceNumber": lambda TxSequenceNumber: max(TxSequenceNumber - 1, 0),
    "FinalAckBody.TxSequenceNumber": 1,
    "PingPacket.Signature": 0x5548,
    "MQUSERSIGNCERT.Digest": _md5,
    "ChangeNotificationMessage.NumberOfUpdateNotifications": 1,
    "MQDSPUBLICKEY.ulProviderType": 0x01,
    "SenderCertPublicKey.bType": 0x06,
    "SenderCertPublicKey.bVersion": 0x02,
    "SenderCertPublicKey.KeyType": 0x2400,
    "SenderCertPublicKey.magic": b"RSA1",
    "PUBLICKEYBLOB.bType": 0x06,
    "PUBLICKEYBLOB.bVersion": 0x02,
    "PUBLICKEYBLOB.aiKeyAlg": 0xA400,
    "PUBLICKEYBLOB.magic": b"RSA1",
    "SIMPLEBLOB.bType": 0x01,
    "SIMPLEBLOB.bVersion": 0x02,
    "SIMPLEBLOB.sessionKeyAlgorithm": 0x6610,
    "SIMPLEBLOB.aiKeyAlg": 0xA400,
}
"""Values of fields that are left out, otherwise zero or empty.

A function computes from the record's other values, which it takes by the names of their fields.
"""

HOSTS: Final[dict[str, tuple[tuple[int, str], ...]]] = {
    "UserHeader.DestinationQueue": ((3, "QueueManagerAddress"),),
    "UserHeader.AdminQueue": ((2, "SourceQueueManager"), (3, "QueueManagerAddress")),
    "UserHeader.ResponseQueue": ((2, "SourceQueueManager"), (3, "QueueManagerAddress")),
}
"""Field of a name to the hosts that its short form can leave out, and the selector that says which one."""

TOLD: Final = {"UserHeader.DestinationQueue": "QueueManagerAddress"}
"""Field of a name to the host that the name itself tells where its maker left that out."""


class Converter(NamedTuple):
    """What makes the form of a field of a value that is no record.

    Attributes:
        module: The module to import for it.
        function: Its name there.
        takes: The types of such values, as annotations write them.
    """

    module: str
    function: str
    takes: tuple[str, ...]


CONVERTERS: Final = dict.fromkeys(
    HOSTS, Converter("msmq_wire.documents.queue_names", "form_of", ("format_names.FormatName", "str"))
)
"""Field to its converter."""

MARKS: Final = frozenset({"BaseHeader.VersionNumber", "BaseHeader.Signature"})
"""Fields whose default tells a packet from other bytes."""

SIGNS: Final = {"UserHeader.Flags": {"MP": 1, "X1": 0, "X2": 0, "X3": 0, "X4": 0}}
"""Flags word to the groups that [MS-MQMQ] 2.2.19.2 gives one value each."""

COMPUTED: Final[dict[str, Callable[..., int]]] = {
    "MessagePropertiesHeader.AllocationBodySize": lambda MessageBody: len(MessageBody),  # noqa: PLW0108  # named
    "SenderCertPublicKey.LengthInBits": lambda Modulus: len(Modulus) * 8,
    "PUBLICKEYBLOB.bitLen": lambda modulus: len(modulus) * 8,
}
"""Sizes that no array count states."""

REMAINDERS: Final = {
    "ExtensionHeader.RemainingHeadersSize": ("SubqueueHeader", "DeadLetterHeader", "ExtendedAddressHeader"),
}
"""Field of a part to the sibling parts whose sizes it sums."""

FIXED: Final[dict[str, dict[str, Any]]] = {
    "UserMessage": {
        "BaseHeader.Flags.PR": lambda TransactionHeader: 0 if TransactionHeader is not None else 3,
        "UserHeader.Flags.DM": lambda TransactionHeader: int(TransactionHeader is not None),
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
"""What a packet asks of its headers where their makers left it open."""


AT_ONCE: Final[dict[str, tuple[str, ...]]] = {
    "UserMessage": ("SecurityHeader", "MessagePropertiesHeader", "UserHeader", "BaseHeader"),
}
"""Structure to those of its parts whose fields `of` takes, each after those that its own fields depend on."""


def is_filler(name: str) -> bool:
    """Whether the pages give such a name to bytes without meaning."""
    return "Padding" in name or name.lower().startswith("reserved")


def announced(path: str) -> dict[int, str]:
    """The structures that ask for a value of a header's field, by that value."""
    return dict(sorted((fixed[path], name) for name, fixed in FIXED.items() if path in fixed))
