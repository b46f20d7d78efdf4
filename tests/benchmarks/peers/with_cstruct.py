"""Raw dissect.cstruct, with the C texts of msmq_wire where C alone can say how to read them."""

from __future__ import annotations

import io
import re
from types import SimpleNamespace
from typing import Any

from dissect.cstruct import cstruct

from benchmarks.codec import Codec
from msmq_wire.definitions.c_mqdsrp import MQDSRP
from msmq_wire.definitions.c_mqmq import MQMQ
from msmq_wire.definitions.c_mqqb import MQQB

from . import CHANGE_VALUES, by_sample

__all__ = ["CODECS", "TYPES"]

_FORM = """
struct Change {
    uint8 Command; uint8 UseGuid; wchar PathName[]; char PartitionID[16];
    char PreviousSeqNumber[8]; char SeqNumber[8]; char PurgedSeqNumber[8];
    uint8 NumberOfProperties; uint32 PropertyID[NumberOfProperties];
    char Value0[16]; char Value1[16]; wchar Value2[]; uint8 Value3; uint32 Value4; int16 Value5;
    wchar Value6[]; uint32 Size; char Value7[Size];
};
struct Propagation {
    BaseReplicationHeader BaseReplicationHeader; uint8 Flush; uint16 Count; Change DirectoryChanges[Count];
    SeqNumberHeader SeqNumberHeader;
};
"""

TYPES = cstruct()
# The optional GUID and the parts of type void are what C cannot say, and no inner structure sees the outer.
_FLAT = re.sub(
    r"\n    struct \{(\n        char   SecurityID.*?)\n    \} SecurityData[^\n]*",
    r"\1",
    MQMQ,
    flags=re.DOTALL,
)
TYPES.load(re.sub(r"\n    (void|GUID   ConnectorType)\b[^\n]*", "", _FLAT), compiled=True)
TYPES.load(MQQB, compiled=True)
TYPES.load(re.sub(r"\n    void\b[^\n]*", "", MQDSRP) + _FORM, compiled=True)


def _decode_message(data: bytes) -> SimpleNamespace:
    file = io.BytesIO(data)
    return SimpleNamespace(
        BaseHeader=TYPES.BaseHeader(file),
        UserHeader=TYPES.UserHeader(file),
        DestinationQueue=TYPES.DirectQueueFormatName(file),
        SecurityHeader=TYPES.SecurityHeader(file),
        MessagePropertiesHeader=TYPES.MessagePropertiesHeader(file),
    )


def _encode_message(message: SimpleNamespace) -> bytes:
    return b"".join(part.dumps() for part in vars(message).values())


def _part(node: Any, name: str) -> Any:
    if name == "UserHeader":
        return SimpleNamespace(header=node.UserHeader, DestinationQueue=node.DestinationQueue)
    if name == "SecurityData":
        return node
    if name == "PropertyValue":
        return [_plain(getattr(node, key)) for key in CHANGE_VALUES]
    found = getattr(getattr(node, "header", node), name, None)
    return getattr(node, name, None) if found is None else _plain(found)


def _plain(value: Any) -> Any:
    is_bytes = type(value).__name__ in {"GUID", "SEQUENCE_NUMBER"}
    return tuple(value) if isinstance(value, list) else value.dumps() if is_bytes else value


CODECS = by_sample(
    Codec(TYPES.BaseHeader, lambda record: record.dumps(), _part),
    Codec(_decode_message, _encode_message, _part),
    Codec(TYPES.EstablishConnection, lambda record: record.dumps(), _part),
    Codec(TYPES.Propagation, lambda record: record.dumps(), _part),
)
"""dissect.cstruct by sample."""
