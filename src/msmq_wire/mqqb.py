"""[MS-MQQB]: the packets of the binary protocol; one record class a structure, named as on the page."""

from __future__ import annotations

from .documents.mqqb import (
    PUBLICKEYBLOB,
    SIMPLEBLOB,
    ConnectionParameters,
    ConnectionParametersHeader,
    EstablishConnection,
    EstablishConnectionHeader,
    EstablishConnectionHeaderOperatingSystem,
    FinalAck,
    FinalAckBody,
    InternalHeader,
    InternalHeaderFlags,
    OrderAck,
    OrderAckBody,
    PingPacket,
    PingPacketFlags,
    SessionAck,
)

__all__ = [
    "PUBLICKEYBLOB",
    "SIMPLEBLOB",
    "ConnectionParameters",
    "ConnectionParametersHeader",
    "EstablishConnection",
    "EstablishConnectionHeader",
    "EstablishConnectionHeaderOperatingSystem",
    "FinalAck",
    "FinalAckBody",
    "InternalHeader",
    "InternalHeaderFlags",
    "OrderAck",
    "OrderAckBody",
    "PingPacket",
    "PingPacketFlags",
    "SessionAck",
]
