"""construct, compiled to Python as its documentation advises for speed."""

from __future__ import annotations

from typing import Any

from construct import (
    Array,
    Bytes,
    CString,
    Int8ul,
    Int16sl,
    Int16ul,
    Int32ul,
    StringEncoded,
    Struct,
    this,
)

from benchmarks.codec import Codec

from . import CHANGE_VALUES, by_sample

__all__ = ["CODECS"]


def _text(size: Any) -> Any:
    return StringEncoded(Bytes(size), "utf_16_le")


_BASE = Struct(
    "VersionNumber" / Int8ul,
    "Reserved" / Int8ul,
    "Flags" / Int16ul,
    "Signature" / Int32ul,
    "PacketSize" / Int32ul,
    "TimeToReachQueue" / Int32ul,
)
_USER = Struct(
    "SourceQueueManager" / Bytes(16),
    "QueueManagerAddress" / Bytes(16),
    "TimeToBeReceived" / Int32ul,
    "SentTime" / Int32ul,
    "MessageID" / Int32ul,
    "Flags" / Int32ul,
    "DestinationQueue"
    / Struct(
        "Count" / Int16ul,
        "DirectFormatName" / _text(this.Count),
        "Padding" / Bytes(-(2 + this.Count) & 3),
    ),
)
_SECURITY = Struct(
    "Flags" / Int16ul,
    "SenderIdSize" / Int16ul,
    "EncryptionKeySize" / Int16ul,
    "SignatureSize" / Int16ul,
    "SenderCertSize" / Int32ul,
    "ProviderInfoSize" / Int32ul,
    "SecurityData"
    / Struct(
        "SecurityID" / Bytes(this._.SenderIdSize),
        "SecurityIDPadding" / Bytes(-this._.SenderIdSize & 3),
        "EncryptionKey" / Bytes(this._.EncryptionKeySize),
        "EncryptionKeyPadding" / Bytes(-this._.EncryptionKeySize & 3),
        "Signature" / Bytes(this._.SignatureSize),
        "SignaturePadding" / Bytes(-this._.SignatureSize & 3),
        "SenderCert" / Bytes(this._.SenderCertSize),
        "SenderCertPadding" / Bytes(-this._.SenderCertSize & 3),
        "ProviderInfo" / Bytes(this._.ProviderInfoSize),
        "ProviderInfoPadding" / Bytes(-this._.ProviderInfoSize & 3),
    ),
)
_PROPERTIES = Struct(
    "Flags" / Int8ul,
    "LabelLength" / Int8ul,
    "MessageClass" / Int16ul,
    "CorrelationID" / Bytes(20),
    "BodyType" / Int32ul,
    "ApplicationTag" / Int32ul,
    "MessageSize" / Int32ul,
    "AllocationBodySize" / Int32ul,
    "PrivacyLevel" / Int32ul,
    "HashAlgorithm" / Int32ul,
    "EncryptionAlgorithm" / Int32ul,
    "ExtensionSize" / Int32ul,
    "Label" / _text(this.LabelLength * 2),
    "ExtensionData" / Bytes(this.ExtensionSize),
    "MessageBody" / Bytes(this.MessageSize),
    "Padding" / Bytes(-(this.LabelLength * 2 + this.ExtensionSize + this.MessageSize) & 3),
)
_MESSAGE = Struct(
    "BaseHeader" / _BASE,
    "UserHeader" / _USER,
    "SecurityHeader" / _SECURITY,
    "MessagePropertiesHeader" / _PROPERTIES,
)
_ESTABLISH = Struct(
    "BaseHeader" / _BASE,
    "InternalHeader" / Struct("Reserved" / Int16ul, "Flags" / Int16ul),
    "EstablishConnectionHeader"
    / Struct(
        "ClientGuid" / Bytes(16),
        "ServerGuid" / Bytes(16),
        "TimeStamp" / Int32ul,
        "OperatingSystem" / Int16ul,
        "Reserved" / Int16ul,
        "Padding" / Bytes(512),
    ),
)
_VALUES = (
    Bytes(16),
    Bytes(16),
    CString("utf_16_le"),
    Int8ul,
    Int32ul,
    Int16sl,
    CString("utf_16_le"),
)
_CHANGE = Struct(
    "Command" / Int8ul,
    "UseGuid" / Int8ul,
    "PathName" / CString("utf_16_le"),
    "PartitionID" / Bytes(16),
    "PreviousSeqNumber" / Bytes(8),
    "SeqNumber" / Bytes(8),
    "PurgedSeqNumber" / Bytes(8),
    "NumberOfProperties" / Int8ul,
    "PropertyID" / Array(this.NumberOfProperties, Int32ul),
    *(name / kind for name, kind in zip(CHANGE_VALUES, _VALUES, strict=False)),
    "Size" / Int32ul,
    CHANGE_VALUES[-1] / Bytes(this.Size),
)
_PROPAGATION = Struct(
    "BaseReplicationHeader" / Struct("Version" / Int8ul, "SiteID" / Bytes(16), "Operation" / Int8ul),
    "Flush" / Int8ul,
    "Count" / Int16ul,
    "DirectoryChanges" / Array(this.Count, _CHANGE),
    "SeqNumberHeader"
    / Struct(
        "Count" / Int16ul,
        "MachineName" / CString("utf_16_le"),
        "PartitionSeqNumbers"
        / Array(
            this.Count,
            Struct("PartitionID" / Bytes(16), "LastSeqNumber" / Bytes(8), "PurgedSeqNumber" / Bytes(8)),
        ),
    ),
)


def _part(node: Any, name: str) -> Any:
    if name == "PropertyValue":
        return [node[key] for key in CHANGE_VALUES]
    return node.get(name)


def _codec(form: Any) -> Codec:
    compiled = form.compile()
    return Codec(compiled.parse, compiled.build, _part)


CODECS = by_sample(*map(_codec, (_BASE, _MESSAGE, _ESTABLISH, _PROPAGATION)))
"""construct by sample."""
