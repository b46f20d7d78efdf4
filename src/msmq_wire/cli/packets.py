"""The packets of subcommands: whole, or only their readable part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire.packets.lax import decode_lax
from msmq_wire.packets.packet import class_of, decode
from msmq_wire.packets.packet_starts import begins_ping, starts_packet
from msmq_wire.packets.partial import LaxResult
from msmq_wire.values.errors import DecodeError, MsmqWireError
from msmq_wire.views.explanation import explain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .outcome import Outcome


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
        return decode_lax(data) if data and starts_packet(data, 0) else None


def opened_packet(packet: Any, keys: Sequence[Any], outcome: Outcome) -> Any:
    """Return a packet with its body decrypted; the packet itself if it is not encrypted, or no key fits."""
    try:
        return _decrypted(packet, keys) or packet
    except MsmqWireError:
        outcome.closed += 1
        return packet


def decrypted_packet(data: bytes, keys: Sequence[Any], outcome: Outcome) -> tuple[str, str] | None:
    """Return a heading and the explanation of the decrypted packet; None if it is not encrypted."""
    try:
        packet = _decrypted(read_packet(data), keys)
    except MsmqWireError as error:
        outcome.closed += 1
        return "decrypted", f"error: the body stays encrypted: {error}"
    return None if packet is None else ("decrypted", str(explain(packet)))


def _decrypted(packet: Any, keys: Sequence[Any]) -> Any:
    from msmq_wire.crypto import decrypted_by  # noqa: PLC0415  # needs an extra, as the keys do

    header = getattr(packet, "SecurityHeader", None)
    return decrypted_by(keys, packet) if header is not None and header.Flags.EB else None


def packet_error(data: bytes) -> str:
    """Return why a packet cannot be read whole, with offsets in it; empty if none begins in the bytes."""
    packet = read_packet(data)
    return error_text(packet.error) if isinstance(packet, LaxResult) and packet.error else ""


def error_text(error: DecodeError) -> str:
    """Return the text of an error, with the requirement that the bytes violate, if there is one."""
    return f"{error} ({error.requirement})" if error.requirement else str(error)


def packet_name(data: bytes) -> str:
    """Return the description of a packet: the name of its structure, and whether it cannot be read whole."""
    packet = read_packet(data)
    if isinstance(packet, LaxResult):
        return f"unreadable {'packet' if packet.source is None else packet.source.kind}"
    return type(packet).__name__
