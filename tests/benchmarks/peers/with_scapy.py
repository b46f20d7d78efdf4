"""scapy, with a Packet class for each structure.  Texts stay bytes while it works."""

from __future__ import annotations

from typing import Any

from scapy.fields import (
    ByteField,
    FieldLenField,
    FieldListField,
    LEIntField,
    LEShortField,
    LESignedShortField,
    PacketField,
    PacketListField,
    StrFixedLenField,
    StrLenField,
    StrNullField,
)
from scapy.packet import Packet

from benchmarks.codec import Codec

from . import CHANGE_VALUES, by_sample

__all__ = ["CODECS"]


class _Part(Packet):
    """A structure with more after it."""

    def extract_padding(self, s: bytes) -> tuple[bytes, bytes]:
        return b"", s


class _WideNull(StrNullField):
    """Text up to a WCHAR 0x0000."""

    def __init__(self, name: str) -> None:
        super().__init__(name, b"")

    def addfield(self, pkt: Any, s: bytes, val: Any) -> bytes:
        return s + bytes(self.i2m(pkt, val)) + b"\0\0"

    def getfield(self, pkt: Any, s: bytes) -> tuple[bytes, Any]:
        end = s.find(b"\0\0")
        while end & 1:
            end = s.find(b"\0\0", end + 1)
        return s[end + 2 :], self.m2i(pkt, s[:end])


class BaseHeader(_Part):
    fields_desc = [
        ByteField("VersionNumber", 16),
        ByteField("Reserved", 0),
        LEShortField("Flags", 3),
        LEIntField("Signature", 0x524F494C),
        LEIntField("PacketSize", 0),
        LEIntField("TimeToReachQueue", 0xFFFFFFFF),
    ]


class DirectQueueFormatName(_Part):
    fields_desc = [
        LEShortField("Count", 0),
        StrLenField("DirectFormatName", b"", length_from=lambda p: p.Count),
        StrLenField("Padding", b"", length_from=lambda p: -(2 + p.Count) & 3),
    ]


class UserHeader(_Part):
    fields_desc = [
        StrFixedLenField("SourceQueueManager", bytes(16), 16),
        StrFixedLenField("QueueManagerAddress", bytes(16), 16),
        LEIntField("TimeToBeReceived", 0xFFFFFFFF),
        LEIntField("SentTime", 0),
        LEIntField("MessageID", 0),
        LEIntField("Flags", 0),
        PacketField("DestinationQueue", None, DirectQueueFormatName),
    ]


class SecurityHeader(_Part):
    fields_desc = [
        LEShortField("Flags", 0),
        LEShortField("SenderIdSize", 0),
        LEShortField("EncryptionKeySize", 0),
        LEShortField("SignatureSize", 0),
        LEIntField("SenderCertSize", 0),
        LEIntField("ProviderInfoSize", 0),
        StrLenField("SecurityID", b"", length_from=lambda p: p.SenderIdSize),
        StrLenField("SecurityIDPadding", b"", length_from=lambda p: -p.SenderIdSize & 3),
        StrLenField("EncryptionKey", b"", length_from=lambda p: p.EncryptionKeySize),
        StrLenField("EncryptionKeyPadding", b"", length_from=lambda p: -p.EncryptionKeySize & 3),
        StrLenField("Signature", b"", length_from=lambda p: p.SignatureSize),
        StrLenField("SignaturePadding", b"", length_from=lambda p: -p.SignatureSize & 3),
        StrLenField("SenderCert", b"", length_from=lambda p: p.SenderCertSize),
        StrLenField("SenderCertPadding", b"", length_from=lambda p: -p.SenderCertSize & 3),
        StrLenField("ProviderInfo", b"", length_from=lambda p: p.ProviderInfoSize),
        StrLenField("ProviderInfoPadding", b"", length_from=lambda p: -p.ProviderInfoSize & 3),
    ]


class MessagePropertiesHeader(_Part):
    fields_desc = [
        ByteField("Flags", 0),
        ByteField("LabelLength", 0),
        LEShortField("MessageClass", 0),
        StrFixedLenField("CorrelationID", bytes(20), 20),
        LEIntField("BodyType", 0),
        LEIntField("ApplicationTag", 0),
        LEIntField("MessageSize", 0),
        LEIntField("AllocationBodySize", 0),
        LEIntField("PrivacyLevel", 0),
        LEIntField("HashAlgorithm", 0),
        LEIntField("EncryptionAlgorithm", 0),
        LEIntField("ExtensionSize", 0),
        StrLenField("Label", b"", length_from=lambda p: p.LabelLength * 2),
        StrLenField("ExtensionData", b"", length_from=lambda p: p.ExtensionSize),
        StrLenField("MessageBody", b"", length_from=lambda p: p.MessageSize),
        StrLenField(
            "Padding", b"", length_from=lambda p: -(p.LabelLength * 2 + p.ExtensionSize + p.MessageSize) & 3
        ),
    ]


class UserMessage(Packet):
    fields_desc = [
        PacketField("BaseHeader", None, BaseHeader),
        PacketField("UserHeader", None, UserHeader),
        PacketField("SecurityHeader", None, SecurityHeader),
        PacketField("MessagePropertiesHeader", None, MessagePropertiesHeader),
    ]


class InternalHeader(_Part):
    fields_desc = [LEShortField("Reserved", 0), LEShortField("Flags", 0)]


class EstablishConnectionHeader(_Part):
    fields_desc = [
        StrFixedLenField("ClientGuid", bytes(16), 16),
        StrFixedLenField("ServerGuid", bytes(16), 16),
        LEIntField("TimeStamp", 0),
        LEShortField("OperatingSystem", 0),
        LEShortField("Reserved", 0),
        StrFixedLenField("Padding", bytes(512), 512),
    ]


class EstablishConnection(Packet):
    fields_desc = [
        PacketField("BaseHeader", None, BaseHeader),
        PacketField("InternalHeader", None, InternalHeader),
        PacketField("EstablishConnectionHeader", None, EstablishConnectionHeader),
    ]


class BaseReplicationHeader(_Part):
    fields_desc = [
        ByteField("Version", 0),
        StrFixedLenField("SiteID", bytes(16), 16),
        ByteField("Operation", 0),
    ]


class DirectoryChange(_Part):
    fields_desc = [
        ByteField("Command", 0),
        ByteField("UseGuid", 0),
        _WideNull("PathName"),
        StrFixedLenField("PartitionID", bytes(16), 16),
        StrFixedLenField("PreviousSeqNumber", bytes(8), 8),
        StrFixedLenField("SeqNumber", bytes(8), 8),
        StrFixedLenField("PurgedSeqNumber", bytes(8), 8),
        ByteField("NumberOfProperties", 0),
        FieldListField("PropertyID", [], LEIntField("", 0), count_from=lambda p: p.NumberOfProperties),
        StrFixedLenField("Value0", bytes(16), 16),
        StrFixedLenField("Value1", bytes(16), 16),
        _WideNull("Value2"),
        ByteField("Value3", 0),
        LEIntField("Value4", 0),
        LESignedShortField("Value5", 0),
        _WideNull("Value6"),
        FieldLenField("Size", None, length_of="Value7", fmt="<I"),
        StrLenField("Value7", b"", length_from=lambda p: p.Size),
    ]


class PartitionSeqNumbers(_Part):
    fields_desc = [
        StrFixedLenField("PartitionID", bytes(16), 16),
        StrFixedLenField("LastSeqNumber", bytes(8), 8),
        StrFixedLenField("PurgedSeqNumber", bytes(8), 8),
    ]


class SeqNumberHeader(_Part):
    fields_desc = [
        LEShortField("Count", 0),
        _WideNull("MachineName"),
        PacketListField("PartitionSeqNumbers", [], PartitionSeqNumbers, count_from=lambda p: p.Count),
    ]


class ChangePropagationMessage(Packet):
    fields_desc = [
        PacketField("BaseReplicationHeader", None, BaseReplicationHeader),
        ByteField("Flush", 0),
        LEShortField("Count", 0),
        PacketListField("DirectoryChanges", [], DirectoryChange, count_from=lambda p: p.Count),
        PacketField("SeqNumberHeader", None, SeqNumberHeader),
    ]


_TEXTS = {"DirectFormatName", "Label", "PathName", "MachineName", "Value2", "Value6"}


def _part(node: Any, name: str) -> Any:
    if name == "PropertyValue":
        return [_part(node, key) for key in CHANGE_VALUES]
    if name == "SecurityData":
        return node
    if name not in node.fields:
        return None
    value = node.fields[name]
    return value.decode("utf-16-le") if name in _TEXTS else value


def _fresh(packet: Packet) -> Packet:
    """The same packet as a user builds it, without the bytes that scapy keeps from reading."""
    fields = {}
    for name, value in packet.fields.items():
        items = [_fresh(item) if isinstance(item, Packet) else item for item in _listed(value)]
        fields[name] = items if isinstance(value, list) else items[0]
    return type(packet)(**fields)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _codec(kind: type[Packet]) -> Codec:
    return Codec(kind, bytes, _part, _fresh)


CODECS = by_sample(
    _codec(BaseHeader), _codec(UserMessage), _codec(EstablishConnection), _codec(ChangePropagationMessage)
)
"""scapy by sample."""
