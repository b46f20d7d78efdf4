"""Builds frames with TCP segments and UDP datagrams, with all headers and checksums, also in a tunnel."""

from __future__ import annotations

import struct
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from ipaddress import IPv6Address

FIRST_PORT, LAST_PORT = 49152, 65535
"""The ports from which connections are opened."""

FIN, SYN, RST, PSH, ACK = 0x01, 0x02, 0x04, 0x08, 0x10
_TCP, _UDP = 6, 17
_IPV4, _IPV6, _VLAN = 0x0800, 0x86DD, 0x8100
_HEADER_4 = struct.Struct("!BBHHHBBH4s4s")
_HEADER_6 = struct.Struct("!IHBB16s16s")
_HEADER_TCP = struct.Struct("!HHIIBBHHH")
_HEADER_UDP = struct.Struct("!HHHH")
_DONT_FRAGMENT, _MORE = 0x4000, 0x2000
_FRAGMENT = 44  # the extension header of IPv6
_VXLAN_PORT = 4789
_MIRRORS = IPv4Address("192.0.2.1"), IPv4Address("192.0.2.2")
"""IP addresses of the ends of a tunnel."""
_WINDOW = 64240


class Address(NamedTuple):
    """The address of one end of a connection.

    Attributes:
        ip: IP address.
        port: Port.
        mac: Six bytes.
    """

    ip: IPv4Address | IPv6Address
    port: int
    mac: bytes


class Frame(NamedTuple):
    """One captured frame.

    Attributes:
        file: Name of the capture file, without extension.
        time: Microseconds since 1970.
        data: Its bytes.
    """

    file: str
    time: int
    data: bytes


def _sum(data: bytes) -> int:
    """Return the sum of 16-bit words modulo 0xFFFF, for checksums; 2**16 is 1 modulo 0xFFFF."""
    padded = data + b"\0" if len(data) % 2 else data
    return int.from_bytes(padded, "big") % 0xFFFF


def _checksum(total: int) -> int:
    """Return the checksum, which is never zero: in a datagram, zero would mean that there is no checksum."""
    return 0xFFFF - total % 0xFFFF


class Path:
    """One direction of a connection; builds frames from `src` to `dst`.

    Args:
        vlan: IEEE 802.1Q tags, the outer one first.
        tunnel: Number of the VXLAN in which the frames are captured (RFC 7348), or None.
    """

    __slots__ = (
        "_constant",
        "_ethernet",
        "_four",
        "_outer",
        "_pseudo",
        "_vxlan",
        "dst",
        "identification",
        "src",
    )  # fmt: skip

    def __init__(
        self, src: Address, dst: Address, vlan: tuple[int, ...] = (), tunnel: int | None = None
    ) -> None:
        self._outer: Path | None = None
        if tunnel is not None:
            mirror, collector = (Address(ip, _VXLAN_PORT, src.mac) for ip in _MIRRORS)
            self._outer = Path(mirror, collector)
            self._vxlan = struct.pack("!II", 1 << 27, tunnel << 8)
        self.src = src
        self.dst = dst
        self._four = src.ip.version == 4
        tags = b"".join(struct.pack("!HH", _VLAN, tag) for tag in vlan)
        self._ethernet = dst.mac + src.mac + tags + struct.pack("!H", _IPV4 if self._four else _IPV6)
        self.identification = 0
        self._pseudo = _sum(src.ip.packed + dst.ip.packed)
        self._constant = 0x4500 + _DONT_FRAGMENT + self._pseudo

    def tcp(self, seq: int, ack: int, flags: int, payload: bytes = b"") -> bytes:
        """Return the frame of a segment."""
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
        """Return the frame of a datagram."""
        size = 8 + len(payload)
        total = self._pseudo + _UDP + size + self.src.port + self.dst.port + size + _sum(payload)
        header = _HEADER_UDP.pack(self.src.port, self.dst.port, size, _checksum(total))
        return self._ip(_UDP, header + payload)

    def _ip(self, protocol: int, content: bytes) -> bytes:
        if not self._four:
            header = _HEADER_6.pack(
                0x6000_0000, len(content), protocol, 128, self.src.ip.packed, self.dst.ip.packed
            )
            return self._wrapped(self._ethernet + header + content)
        size = 20 + len(content)
        number = self.identification = (self.identification + 1) & 0xFFFF
        total = self._constant + size + number + (128 << 8) + protocol
        header = _HEADER_4.pack(
            0x45, 0, size, number, _DONT_FRAGMENT, 128, protocol, _checksum(total),
            self.src.ip.packed, self.dst.ip.packed,
        )  # fmt: skip
        return self._wrapped(self._ethernet + header + content)

    def _wrapped(self, frame: bytes) -> bytes:
        """Return the frame as it is captured."""
        return frame if self._outer is None else self._outer.udp(self._vxlan + frame)

    def fragments(self, frame: bytes) -> Iterator[bytes]:
        """Split a frame into two, each with a part of the IP packet; a short frame is returned unchanged."""
        inner = frame if self._outer is None else frame[_OUTER:]
        at = len(self._ethernet)
        head = 20 if self._four else 40
        content = inner[at + head :]
        cut = len(content) // 2 & ~7
        if not cut:
            yield frame
            return
        self.identification = (self.identification + 1) & 0xFFFF
        for start, part in ((0, content[:cut]), (cut, content[cut:])):
            more = not start
            if self._four:
                fragment_bits = start // 8 | (_MORE if more else 0)
                first = struct.pack(
                    "!HHHHH", 0x4500, 20 + len(part), self.identification, fragment_bits, 128 << 8 | _TCP
                )
                total = _sum(first) + self._pseudo
                ip = first + struct.pack("!H", _checksum(total)) + inner[at + 12 : at + 20]
            else:
                extension = struct.pack("!BBHI", _TCP, 0, start | more, self.identification)
                ip = inner[at : at + 4] + struct.pack("!HBB", 8 + len(part), _FRAGMENT, 128)
                ip += inner[at + 8 : at + 40] + extension
            yield self._wrapped(inner[:at] + ip + part)


_OUTER = 14 + 20 + 8 + 8
"""Size of the Ethernet, IP, UDP and VXLAN headers before a frame in a tunnel."""
