"""Distinguishes packets by their first bytes: offsets, masks, sizes and usual values.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

__all__ = [
    "BASE_FORMAT",
    "BASE_SIZE",
    "FLAGS_AT",
    "INTERNAL",
    "INTERNAL_FLAGS_AT",
    "INTERNAL_HEADER_SIZE",
    "INTERNAL_TYPE",
    "ORDER_LABEL",
    "PACKET_SIZE_AT",
    "PING_SIGNATURE",
    "PING_SIGNATURE_AT",
    "SESSION_HEADER_SIZE",
    "SIGNATURE",
    "SIGNATURE_AT",
    "TRAILING_SESSION_HEADER",
    "VERSION",
]

VERSION = 0x10
"""From `BaseHeader.VersionNumber`."""
FLAGS_AT = 2
"""From `BaseHeader.Flags`."""
INTERNAL = 0x8
"""From `BaseHeader.Flags.IN`."""
TRAILING_SESSION_HEADER = 0x10
"""From `BaseHeader.Flags.SH`."""
SIGNATURE_AT = 4
SIGNATURE = 0x524F494C
"""From `BaseHeader.Signature`."""
PACKET_SIZE_AT = 8
"""From `BaseHeader.PacketSize`."""
BASE_SIZE = 16
BASE_FORMAT = "<BxHII"
"""From `BaseHeader`."""
INTERNAL_HEADER_SIZE = 4
"""From `InternalHeader`."""
INTERNAL_FLAGS_AT = 2
"""From `InternalHeader.Flags`."""
INTERNAL_TYPE = 0xF
"""From `InternalHeader.Flags.PT`."""
SESSION_HEADER_SIZE = 16
"""From `SessionHeader`."""
PING_SIGNATURE_AT = 2
PING_SIGNATURE = 0x5548
"""From `PingPacket.Signature`."""
ORDER_LABEL = "QM Ordering Ack\x00"
"""The label of the messages that acknowledge others."""
