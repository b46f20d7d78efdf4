"""Frames: bytes of TCP segments and UDP datagrams with all headers and right checksums."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

__all__ = ["ACK", "FIN", "PSH", "RST", "SYN", "Address", "Path"]

FIN, SYN, RST, PSH, ACK = 0x01, 0x02, 0x04, 0x08, 0x10
_TCP, _UDP = 6, 17
_IPV4, _IPV6, _VLAN = 0x0800, 0x86DD, 0x8100
_HEADER_4 = struct.Struct("!BBHHHBBH4s4s")
_HEADER_6 = struct.Struct("!IHBB16s16s")
_HEADER_TCP = struct.Struct("!HHIIBBHHH")
_HEADER_UDP = struct.Struct("!HHHH")
_DONT_FRAGMENT = 0x4000
_WINDOW = 64240


class Address(NamedTuple):
    """Where one end of a connection is.

    Attributes:
        ip: Its IP address.
        port: Its port.
        mac: Six bytes.
    """

    ip: IPv4Address | IPv6Address
    port: int
    mac: bytes


def _sum(data: bytes) -> int:
    """The sum of 16-bit words that checksums are made of, modulo 0xFFFF: 2**16 is 1 there."""
    padded = data + b"\0" if len(data) % 2 else data
    return int.from_bytes(padded, "big") % 0xFFFF


def _checksum(total: int) -> int:
    return 0xFFFF - total % 0xFFFF


class Path:
    """One way of a connection: makes frames from `src` to `dst`.

    Args:
        vlan: Tags of IEEE 802.1Q, the outer one first.
    """

    __slots__ = ("_constant", "_ethernet", "_four", "_identification", "_pseudo", "dst", "src")

    def __init__(self, src: Address, dst: Address, vlan: tuple[int, ...] = ()) -> None:
        self.src = src
        self.dst = dst
        self._four = src.ip.version == 4
        tags = b"".join(struct.pack("!HH", _VLAN, tag) for tag in vlan)
        self._ethernet = dst.mac + src.mac + tags + struct.pack("!H", _IPV4 if self._four else _IPV6)
        self._identification = 0
        self._pseudo = _sum(src.ip.packed + dst.ip.packed)
        self._constant = 0x4500 + _DONT_FRAGMENT + self._pseudo

    def tcp(self, seq: int, ack: int, flags: int, payload: bytes = b"") -> bytes:
        """The frame of a segment."""
        total = (
            self._pseudo + _TCP + 20 + len(payload) + self.src.port + self.dst.port
            + (seq >> 16) + (seq & 0xFFFF) + (ack >> 16) + (ack & 0xFFFF) + 0x5000 + flags + _WINDOW
            + _sum(payload)
        )  # fmt: skip
        header = _HEADER_TCP.pack(
            self.src.port, self.dst.port, seq, ack, 0x50, flags, _WINDOW, _checksum(total), 0
        )
        return self._ip(_TCP, header + payload)

    def udp(self, payload: bytes) -> bytes:
        """The frame of a datagram."""
        size = 8 + len(payload)
        total = self._pseudo + _UDP + size + self.src.port + self.dst.port + size + _sum(payload)
        header = _HEADER_UDP.pack(self.src.port, self.dst.port, size, _checksum(total) or 0xFFFF)
        return self._ip(_UDP, header + payload)

    def _ip(self, protocol: int, content: bytes) -> bytes:
        if not self._four:
            header = _HEADER_6.pack(
                0x6000_0000, len(content), protocol, 128, self.src.ip.packed, self.dst.ip.packed
            )
            return self._ethernet + header + content
        size = 20 + len(content)
        number = self._identification = (self._identification + 1) & 0xFFFF
        total = self._constant + size + number + (128 << 8) + protocol
        header = _HEADER_4.pack(
            0x45, 0, size, number, _DONT_FRAGMENT, 128, protocol, _checksum(total),
            self.src.ip.packed, self.dst.ip.packed,
        )  # fmt: skip
        return self._ethernet + header + content
