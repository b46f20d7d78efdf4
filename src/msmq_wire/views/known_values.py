"""Documented values, as tables keyed by ``Structure.Field`` or ``Structure.Field.Group``.

Names are those of the documents.  Values that the layouts contain, as defaults or as conditions of a packet
on its headers, are taken from there.
"""

from __future__ import annotations

from typing import Final

from msmq_wire.definitions.error_codes import ERROR_CODES
from msmq_wire.definitions.relations import DEFAULTS, FIXED, announced
from msmq_wire.values.enumerations import enumerations

NAMES: Final = {
    kind: {value: name for name, value in members.items()} for kind, members in enumerations().items()
}
"""Names of numbers by enumeration."""

_QUEUES: Final = {
    0: "none",
    2: "private queue on the source host",
    3: "private queue on the destination host",
    5: "public queue",
    6: "private queue on another host",
    7: "direct format name",
}

VALUES: Final[dict[str, dict[int, str]]] = {
    "BaseHeader.Flags.PR": {0: "lowest priority", 3: "default priority", 7: "highest priority"},
    "UserHeader.Flags.DM": {0: "express", 1: "recoverable"},
    "UserHeader.Flags.DQ": {key: _QUEUES[key] for key in (0, 3, 5, 7)},
    "UserHeader.Flags.AQ": _QUEUES,
    "UserHeader.Flags.RQ": {
        **_QUEUES,
        1: "the same as AdminQueue",
        4: "private queue on the host of AdminQueue",
    },
    "MessagePropertiesHeader.PrivacyLevel": {
        0: "not encrypted",
        1: "40-bit encryption",
        3: "128-bit encryption",
        5: "AES encryption",
    },
    "SecurityHeader.Flags.ST": {0: "no SecurityID", 1: "SID of the sender", 2: "GUID of the queue manager"},
    "DebugHeader.Flags.QT": {0: "no queue", 1: "public queue"},
    "MQFAddressHeader.HeaderID": {
        value: path.partition(".")[0] for path, value in FIXED["MultiQueueFormatHeader"].items()
    },
    "TransactionHeader.PreviousTxSequenceNumber": {0: "none before it"},
    "InternalHeader.Flags.PT": announced("InternalHeader.Flags.PT"),
    "EstablishConnectionHeader.OperatingSystem.SE": {0: "a ping was sent", 1: "no ping was sent"},
    "EstablishConnectionHeader.OperatingSystem.OS": {0: "no server system", 1: "server system"},
    "ExtendedAddressHeader.AddressType": {0: "no address, ignore this header"},
    "SubqueueHeader.LastMoveTime": {0: "never moved"},
    "BaseReplicationHeader.Operation": {
        value: name.replace("Header", "Message")  # two messages have their own header, with a condition
        for value, name in announced("BaseReplicationHeader.Operation").items()
    },
    "ChangeReplyMessage.Result": {0: "done", **ERROR_CODES},
    "UserHeader.Flags.X3": dict.fromkeys(
        (1, 3), "unused; implementations are known to read one more header (erratum M37)"
    ),
    "SubqueueHeader.Flags.AcknowledgementClass": NAMES["MESSAGE_CLASS_VALUES"],
}
"""Documented values; for other values, the description of the field is shown."""

OPTIONAL: Final = frozenset(
    {
        "BaseHeader.Flags.PR",
        "ChangeReplyMessage.Result",
        "UserHeader.Flags.X3",
        "TransactionHeader.PreviousTxSequenceNumber",
        "ExtendedAddressHeader.AddressType",
        "SubqueueHeader.LastMoveTime",
    }
)
"""Fields of `VALUES` with unnamed valid values; unnamed values of other fields are undocumented."""

EXPECTED: Final = {
    path: DEFAULTS[path]
    for path in (
        "BaseHeader.VersionNumber",
        "BaseHeader.Signature",
        "MQFSignatureHeader.ID",
        "SoapHeader.HeaderSectionID",
        "SoapHeader.BodySectionID",
        "ExtensionHeader.HeaderSize",
        "SubqueueHeader.HeaderSize",
        "ExtendedAddressHeader.HeaderSize",
        "EstablishConnectionHeader.OperatingSystem.RE",
        "PingPacket.Signature",
    )
}
"""The only value that the document allows."""

UNITS: Final = {
    "BaseHeader.TimeToReachQueue": "s",
    "UserHeader.TimeToBeReceived": "s",
    "UserHeader.SentTime": "date",
    "SubqueueHeader.LastMoveTime": "local date",
    "ConnectionParametersHeader.RecoverableAckTimeout": "ms",
    "ConnectionParametersHeader.AckTimeout": "ms",
    "EstablishConnectionHeader.TimeStamp": "ms",
}
"""Units of numbers: seconds or milliseconds of a duration, or seconds since 1970."""

HEXADECIMAL: Final = frozenset(
    {
        *(path for path in EXPECTED if not path.endswith("Size")),
        "MQFAddressHeader.HeaderID",
        "SessionHeader.RecoverableMsgAckFlags",
        "PingPacket.Cookie",
        "ChangeReplyMessage.Result",
    }
)
"""Numbers that are not quantities."""

EMBEDDED: Final = {
    "OrderAck.MessagePropertiesHeader.MessageBody": ("OrderAckBody", b""),
    "FinalAck.MessagePropertiesHeader.MessageBody": ("FinalAckBody", b""),
    "SecurityData.EncryptionKey": ("SIMPLEBLOB", b"\x01\x02"),
    "SecurityData.ProviderInfo": ("ProviderInfo", b""),
    "MQDSPUBLICKEY.aBuf": ("PUBLICKEYBLOB", b"\x06\x02"),
}
"""Byte fields that contain a structure: its name and first bytes; by full path or by ``Structure.Field``."""
