"""The classes of packets; a module of its own, because it imports all of them."""

from __future__ import annotations

from typing import Any

from msmq_wire.documents.mqqb import (
    ConnectionParameters,
    EstablishConnection,
    FinalAck,
    OrderAck,
    PingPacket,
    SessionAck,
)
from msmq_wire.documents.user_message import UserMessage

from .packet import decode
from .packet_starts import is_signed

Packet = UserMessage | OrderAck | FinalAck | SessionAck | EstablishConnection | ConnectionParameters
"""The union of the classes that `decode` returns."""


def record_of(data: bytes) -> Any:
    """Decode a packet; a Ping is detected by its size, because it has no signature.

    Raises:
        DecodeError: The bytes are not a packet.
    """
    if not is_signed(data) and len(data) == PingPacket.layout.least_size:
        return PingPacket.decode(data)
    return decode(data)
