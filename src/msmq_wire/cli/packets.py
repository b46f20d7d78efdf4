"""Packets as the subcommands take them: whole, or as far as they can be read."""

from __future__ import annotations

from typing import Any

from msmq_wire.packets.lax import decode_lax
from msmq_wire.packets.marks import begins_ping, is_marked
from msmq_wire.packets.packet import decode
from msmq_wire.packets.partial import LaxResult
from msmq_wire.values.errors import DecodeError
from msmq_wire.views.plain import class_of

__all__ = ["packet_name", "read_packet"]


def read_packet(data: bytes, kind: str | None = None) -> Any:
    """Decode a packet: a record, or a `LaxResult` if it cannot be read whole; None if no packet begins here.

    Args:
        data: The bytes.
        kind: The structure of the bytes; None to detect it.
    """
    try:
        if kind is None and begins_ping(data):
            return class_of("PingPacket").decode(data)
        return decode(data) if kind is None else class_of(kind).decode(data)
    except DecodeError:
        if kind is not None:
            return decode_lax(data, kind)
        return decode_lax(data) if data and is_marked(data, 0) else None


def packet_name(data: bytes) -> str:
    """Return what a packet is called: the name of its structure, and whether it cannot be read whole."""
    packet = read_packet(data)
    if isinstance(packet, LaxResult):
        return f"unreadable {'packet' if packet.source is None else packet.source.kind}"
    return type(packet).__name__
