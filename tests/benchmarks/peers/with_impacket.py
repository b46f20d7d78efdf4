"""impacket.structure.  Texts stay bytes while it works; lists are cut by the code around it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from impacket.structure import Structure

from benchmarks.codec import Codec

from . import CHANGE_VALUES, by_sample

__all__ = ["CODECS"]


class BaseHeader(Structure):
    structure = (
        ("VersionNumber", "<B=16"),
        ("Reserved", "<B=0"),
        ("Flags", "<H=3"),
        ("Signature", "<L=0x524F494C"),
        ("PacketSize", "<L=0"),
        ("TimeToReachQueue", "<L=0xFFFFFFFF"),
    )


class DirectQueueFormatName(Structure):
    structure = (
        ("Count", "<H=0"),
        ("_DirectFormatName", "_-DirectFormatName", 'self["Count"]'),
        ("DirectFormatName", ":"),
        ("_Padding", "_-Padding", '-(2 + self["Count"]) & 3'),
        ("Padding", ":"),
    )


class UserHeader(Structure):
    structure = (
        ("SourceQueueManager", "16s"),
        ("QueueManagerAddress", "16s"),
        ("TimeToBeReceived", "<L=0xFFFFFFFF"),
        ("SentTime", "<L=0"),
        ("MessageID", "<L=0"),
        ("Flags", "<L=0"),
        ("DestinationQueue", ":", DirectQueueFormatName),
    )


class SecurityHeader(Structure):
    structure = (
        ("Flags", "<H=0"),
        ("SenderIdSize", "<H=0"),
        ("EncryptionKeySize", "<H=0"),
        ("SignatureSize", "<H=0"),
        ("SenderCertSize", "<L=0"),
        ("ProviderInfoSize", "<L=0"),
        ("_SecurityID", "_-SecurityID", 'self["SenderIdSize"]'),
        ("SecurityID", ":"),
        ("_SecurityIDPadding", "_-SecurityIDPadding", '-self["SenderIdSize"] & 3'),
        ("SecurityIDPadding", ":"),
        ("_EncryptionKey", "_-EncryptionKey", 'self["EncryptionKeySize"]'),
        ("EncryptionKey", ":"),
        ("_EncryptionKeyPadding", "_-EncryptionKeyPadding", '-self["EncryptionKeySize"] & 3'),
        ("EncryptionKeyPadding", ":"),
        ("_Signature", "_-Signature", 'self["SignatureSize"]'),
        ("Signature", ":"),
        ("_SignaturePadding", "_-SignaturePadding", '-self["SignatureSize"] & 3'),
        ("SignaturePadding", ":"),
        ("_SenderCert", "_-SenderCert", 'self["SenderCertSize"]'),
        ("SenderCert", ":"),
        ("_SenderCertPadding", "_-SenderCertPadding", '-self["SenderCertSize"] & 3'),
        ("SenderCertPadding", ":"),
        ("_ProviderInfo", "_-ProviderInfo", 'self["ProviderInfoSize"]'),
        ("ProviderInfo", ":"),
        ("_ProviderInfoPadding", "_-ProviderInfoPadding", '-self["ProviderInfoSize"] & 3'),
        ("ProviderInfoPadding", ":"),
    )


class MessagePropertiesHeader(Structure):
    structure = (
        ("Flags", "<B=0"),
        ("LabelLength", "<B=0"),
        ("MessageClass", "<H=0"),
        ("CorrelationID", "20s"),
        ("BodyType", "<L=0"),
        ("ApplicationTag", "<L=0"),
        ("MessageSize", "<L=0"),
        ("AllocationBodySize", "<L=0"),
        ("PrivacyLevel", "<L=0"),
        ("HashAlgorithm", "<L=0"),
        ("EncryptionAlgorithm", "<L=0"),
        ("ExtensionSize", "<L=0"),
        ("_Label", "_-Label", 'self["LabelLength"] * 2'),
        ("Label", ":"),
        ("_ExtensionData", "_-ExtensionData", 'self["ExtensionSize"]'),
        ("ExtensionData", ":"),
        ("_MessageBody", "_-MessageBody", 'self["MessageSize"]'),
        ("MessageBody", ":"),
        (
            "_Padding",
            "_-Padding",
            '-(self["LabelLength"] * 2 + self["ExtensionSize"] + self["MessageSize"]) & 3',
        ),
        ("Padding", ":"),
    )


class UserMessage(Structure):
    structure = (
        ("BaseHeader", ":", BaseHeader),
        ("UserHeader", ":", UserHeader),
        ("SecurityHeader", ":", SecurityHeader),
        ("MessagePropertiesHeader", ":", MessagePropertiesHeader),
    )


class InternalHeader(Structure):
    structure = (("Reserved", "<H=0"), ("Flags", "<H=0"))


class EstablishConnectionHeader(Structure):
    structure = (
        ("ClientGuid", "16s"),
        ("ServerGuid", "16s"),
        ("TimeStamp", "<L=0"),
        ("OperatingSystem", "<H=0"),
        ("Reserved", "<H=0"),
        ("Padding", "512s"),
    )


class EstablishConnection(Structure):
    structure = (
        ("BaseHeader", ":", BaseHeader),
        ("InternalHeader", ":", InternalHeader),
        ("EstablishConnectionHeader", ":", EstablishConnectionHeader),
    )


class Opening(Structure):
    structure = (
        ("Version", "<B=0"),
        ("SiteID", "16s"),
        ("Operation", "<B=0"),
        ("Flush", "<B=0"),
        ("Count", "<H=0"),
    )


class DirectoryChange(Structure):
    structure = (
        ("Command", "<B=0"),
        ("UseGuid", "<B=0"),
        ("PathName", "u"),
        ("PartitionID", "16s"),
        ("PreviousSeqNumber", "8s"),
        ("SeqNumber", "8s"),
        ("PurgedSeqNumber", "8s"),
        ("NumberOfProperties", "<B=0"),
        ("_PropertyID", "_-PropertyID", 'self["NumberOfProperties"] * 4'),
        ("PropertyID", ":"),
        ("Value0", "16s"),
        ("Value1", "16s"),
        ("Value2", "u"),
        ("Value3", "<B=0"),
        ("Value4", "<L=0"),
        ("Value5", "<h=0"),
        ("Value6", "u"),
        ("Size", "<L=0"),
        ("_Value7", "_-Value7", 'self["Size"]'),
        ("Value7", ":"),
    )


class Closing(Structure):
    structure = (("Count", "<H=0"), ("MachineName", "u"))


class PartitionSeqNumbers(Structure):
    structure = (("PartitionID", "16s"), ("LastSeqNumber", "8s"), ("PurgedSeqNumber", "8s"))


def _decode_propagation(data: bytes) -> SimpleNamespace:
    opening = Opening(data)
    changes, partitions = [], []
    at = len(opening)
    for _ in range(opening["Count"]):
        changes.append(DirectoryChange(data[at:]))
        at += len(changes[-1])
    closing = Closing(data[at:])
    at += len(closing)
    for _ in range(closing["Count"]):
        partitions.append(PartitionSeqNumbers(data[at:]))
        at += 32
    return SimpleNamespace(opening=opening, changes=changes, closing=closing, partitions=partitions)


def _encode_propagation(message: SimpleNamespace) -> bytes:
    parts = [message.opening, *message.changes, message.closing, *message.partitions]
    return b"".join(part.getData() for part in parts)


_WIDE_NULLS = {"PathName", "MachineName", "Value2", "Value6"}


def _part(node: Any, name: str) -> Any:
    if isinstance(node, SimpleNamespace):
        if name == "SeqNumberHeader":
            return SimpleNamespace(opening=node.closing, partitions=node.partitions)
        if name == "BaseReplicationHeader":
            return node.opening
        lists = {"DirectoryChanges": "changes", "PartitionSeqNumbers": "partitions"}
        return getattr(node, lists[name]) if name in lists else _part(node.opening, name)
    if name == "SecurityData":
        return node
    if name == "PropertyValue":
        return [_part(node, key) for key in CHANGE_VALUES]
    if name not in node.fields:
        return None
    value = node[name]
    if name == "PropertyID":
        return tuple(int.from_bytes(value[at : at + 4], "little") for at in range(0, len(value), 4))
    if name in _WIDE_NULLS:
        return value.decode("utf-16-le").rstrip("\0")
    return value.decode("utf-16-le") if name in {"DirectFormatName", "Label"} else value


def _codec(kind: type[Structure]) -> Codec:
    return Codec(kind, lambda record: record.getData(), _part)


CODECS = by_sample(
    _codec(BaseHeader),
    _codec(UserMessage),
    _codec(EstablishConnection),
    Codec(_decode_propagation, _encode_propagation, _part),
)
"""impacket by sample."""
