"""Structures of the remote calls of Message Queuing, in NDR: QUEUE_FORMAT, PROPVARIANT, SectionBuffer."""

from __future__ import annotations

from .ndr.record import NdrRecord, decode, decode_array, encode, encode_array
from .ndr.sections import ReadMessage, decode_sections, encode_sections, join_sections, split_message
from .ndr.structures import (
    BLOB,
    CACLSID,
    CAL,
    CALPWSTR,
    CAPROPVARIANT,
    CAUB,
    CAUH,
    CAUI,
    CAUL,
    DL_ID,
    PROPVARIANT,
    QUEUE_FORMAT,
    SectionBuffer,
)

__all__ = [
    "BLOB",
    "CACLSID",
    "CAL",
    "CALPWSTR",
    "CAPROPVARIANT",
    "CAUB",
    "CAUH",
    "CAUI",
    "CAUL",
    "DL_ID",
    "PROPVARIANT",
    "QUEUE_FORMAT",
    "NdrRecord",
    "ReadMessage",
    "SectionBuffer",
    "decode",
    "decode_array",
    "decode_sections",
    "encode",
    "encode_array",
    "encode_sections",
    "join_sections",
    "split_message",
]


def __dir__() -> list[str]:
    return sorted(__all__)
