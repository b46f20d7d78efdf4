"""From a captured frame to the segment or datagram in it.

1. The link type says where the IP header is; tags of IEEE 802.1Q and 802.1ad are stepped over.
2. The IP header says how many bytes there were.  Where it says none, because the network card was to cut the
   segment, the size of the frame does.
3. What has other ports, or is no TCP or UDP at all, is nothing; it is neither a row nor an error.
4. Fragments are not put together.  Those that may be of interest become error rows: first fragments with our
   ports, and all later ones of TCP, which have no ports.
5. Checksums are not looked at: in captures of a sender they are often not filled in yet.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LINK_TYPES", "Facts", "Ports", "facts_of"]

Facts: TypeAlias = tuple[
    "str | None", "str | None", "int | None", "str | None", "int | None",
    "int | None", "int | None", "int | None", bytes, int, int, "str | None",
]  # fmt: skip
"""The columns of a row from `transport` on."""

_TCP, _UDP = 6, 17
_NAMES = {_TCP: "tcp", _UDP: "udp"}
_IPV4, _IPV6 = 0x0800, 0x86DD
_TAGS = frozenset({0x8100, 0x88A8, 0x9100})
_HEADER_4 = struct.Struct("!BxHHHxBxx4s4s")
_HEADER_6 = struct.Struct("!xxxxHBx16s16s")
_HEADER_TCP = struct.Struct("!HHIIBB")
_TYPE = struct.Struct("!H")
_PORTS = struct.Struct("!HH")
_HEADER_UDP = struct.Struct("!HHHxx")
_FRAGMENT, _AUTHENTICATION = 44, 51
_OPTIONS_6 = frozenset({0, 43, 60, 135, 139, 140})
"""Extension headers that give their size in units of eight bytes."""
_MORE, _PLACE = 0x2000, 0x1FFF
_MOST = 1 << 24
"""The longest frame that is believed where only the capture says how long it was."""


class Ports(NamedTuple):
    """Which segments and datagrams are read: those with one of these ports at either end.

    Attributes:
        tcp: Ports of TCP; None for all.
        udp: Ports of UDP; None for all.
    """

    tcp: frozenset[int] | None
    udp: frozenset[int] | None


def facts_of(frame: bytes, link: int, wire: int, ports: Ports) -> Facts | None:
    """The segment or datagram in a frame.

    Args:
        frame: What was captured of it.
        link: Its link type, one of `LINK_TYPES`.
        wire: How many bytes the frame had on the wire.
        ports: Which ones are of interest.

    Returns:
        The columns of its row, with an error if it is of interest and cannot be read; else None.
    """
    kind, at = LINK_TYPES[link](frame)
    if kind in _TAGS:
        kind, at = _untagged(frame, kind, at)
    if kind == _IPV4:
        return _ipv4(frame, at, wire, ports)
    if kind == _IPV6:
        return _ipv6(frame, at, wire, ports)
    if kind < 0:
        return _broken(frame, "the frame ends within its link header")
    return None


# ------------------------------------------------------------------------------------------ link layer


def _ethernet(frame: bytes) -> tuple[int, int]:
    return (frame[12] << 8 | frame[13], 14) if len(frame) >= 14 else (-1, 0)


def _cooked(frame: bytes) -> tuple[int, int]:
    return (_TYPE.unpack_from(frame, 14)[0], 16) if len(frame) >= 16 else (-1, 0)


def _cooked_2(frame: bytes) -> tuple[int, int]:
    return (_TYPE.unpack_from(frame)[0], 20) if len(frame) >= 20 else (-1, 0)


def _by_version(frame: bytes, at: int = 0) -> tuple[int, int]:
    if len(frame) <= at:
        return -1, 0
    return {4: _IPV4, 6: _IPV6}.get(frame[at] >> 4, 0), at


def _loopback(frame: bytes) -> tuple[int, int]:
    """Four bytes of address family, which is 2 for IPv4 everywhere and differs for IPv6."""
    return _by_version(frame, 4)


LINK_TYPES: Final[dict[int, Callable[[bytes], tuple[int, int]]]] = {
    0: _loopback,  # LINKTYPE_NULL
    1: _ethernet,  # LINKTYPE_ETHERNET
    12: _by_version,  # DLT_RAW, as some systems number it
    14: _by_version,
    101: _by_version,  # LINKTYPE_RAW
    108: _loopback,  # LINKTYPE_LOOP
    113: _cooked,  # LINKTYPE_LINUX_SLL
    228: _by_version,  # LINKTYPE_IPV4
    229: _by_version,  # LINKTYPE_IPV6
    276: _cooked_2,  # LINKTYPE_LINUX_SLL2
}
"""What finds the EtherType and the network header in a frame, by link type; the type is -1 if it is cut."""


def _untagged(frame: bytes, kind: int, at: int) -> tuple[int, int]:
    while kind in _TAGS:
        if len(frame) < at + 4:
            return -1, at
        kind, at = _TYPE.unpack_from(frame, at + 2)[0], at + 4
    return kind, at


# ------------------------------------------------------------------------------------------ IP


@lru_cache(maxsize=0x1_0000)
def _text(packed: bytes) -> str:
    return str(ip_address(packed))


def _ipv4(frame: bytes, at: int, wire: int, ports: Ports) -> Facts | None:
    if len(frame) < at + _HEADER_4.size:
        return _broken(frame, "the frame ends within its IP header")
    first, total, _, place, protocol, src, dst = _HEADER_4.unpack_from(frame, at)
    if protocol not in _NAMES:
        return None
    header = (first & 15) * 4
    if first >> 4 != 4 or header < _HEADER_4.size:
        return _broken(frame, f"the IPv4 header begins with {first:#04x}")
    end = at + total if total else max(min(wire, _MOST), len(frame))
    start = at + header
    if place & (_MORE | _PLACE):
        return _fragment(frame, start, protocol, src, dst, (place & _PLACE) * 8, ports)
    return _transport(frame, start, end, protocol, src, dst, ports)


def _ipv6(frame: bytes, at: int, wire: int, ports: Ports) -> Facts | None:
    start = at + 40
    if len(frame) < start:
        return _broken(frame, "the frame ends within its IP header")
    size, kind, src, dst = _HEADER_6.unpack_from(frame, at)
    end = start + size if size else max(min(wire, _MOST), len(frame))
    while kind in _OPTIONS_6 or kind in {_FRAGMENT, _AUTHENTICATION}:
        if len(frame) < start + 8:
            return _broken(frame, "the frame ends within an extension header of IPv6")
        if kind == _FRAGMENT:
            place = _TYPE.unpack_from(frame, start + 2)[0]
            if place & 0xFFF9:
                return _fragment(frame, start + 8, frame[start], src, dst, place & 0xFFF8, ports)
        units = frame[start + 1]
        longer = 8 if kind == _FRAGMENT else (units + 2) * 4 if kind == _AUTHENTICATION else (units + 1) * 8
        kind, start = frame[start], start + longer
    if kind not in _NAMES:
        return None
    return _transport(frame, start, end, kind, src, dst, ports)


# ------------------------------------------------------------------------------------------ TCP and UDP


def _transport(
    frame: bytes, at: int, end: int, protocol: int, src: bytes, dst: bytes, ports: Ports
) -> Facts | None:
    wanted = ports.tcp if protocol == _TCP else ports.udp
    if len(frame) < at + 4:
        return _broken(frame, f"the frame ends before the ports of {_NAMES[protocol].upper()}")
    sport, dport = _PORTS.unpack_from(frame, at)
    if wanted is not None and sport not in wanted and dport not in wanted:
        return None
    ends = _NAMES[protocol], _text(src), sport, _text(dst), dport
    if protocol == _UDP:
        if len(frame) < at + _HEADER_UDP.size:
            return _wrong(ends, frame, "the frame ends within its UDP header")
        start = at + _HEADER_UDP.size
        length = _HEADER_UDP.unpack_from(frame, at)[2] - _HEADER_UDP.size
        if length < 0 or start + length > end:
            return _wrong(ends, frame, f"the UDP header says that {length} bytes follow it")
        payload = frame[start : start + length]
        return (*ends, None, None, None, payload, length, len(payload), None)
    if len(frame) < at + _HEADER_TCP.size:
        return _wrong(ends, frame, "the frame ends within its TCP header")
    _, _, seq, ack, offset, flags = _HEADER_TCP.unpack_from(frame, at)
    start = at + (offset >> 4) * 4
    length = end - start
    if offset >> 4 < 5 or length < 0:
        return _wrong(ends, frame, f"the TCP header says that it has {(offset >> 4) * 4} bytes")
    payload = frame[start:end]
    return (*ends, seq, ack, flags, payload, length, len(payload), None)


def _fragment(
    frame: bytes, at: int, protocol: int, src: bytes, dst: bytes, place: int, ports: Ports
) -> Facts | None:
    if protocol not in _NAMES:
        return None
    sport = dport = None
    if place == 0 and len(frame) >= at + 4:
        sport, dport = _PORTS.unpack_from(frame, at)
        wanted = ports.tcp if protocol == _TCP else ports.udp
        if wanted is not None and sport not in wanted and dport not in wanted:
            return None
    elif protocol == _UDP:
        return None  # a Ping is shorter than any fragment
    ends = _NAMES[protocol], _text(src), sport, _text(dst), dport
    return _wrong(ends, frame, f"is a fragment from byte {place} on, and fragments are not put together")


def _wrong(ends: tuple[str, str, int | None, str, int | None], frame: bytes, problem: str) -> Facts:
    return (*ends, None, None, None, frame, len(frame), len(frame), problem)


def _broken(frame: bytes, problem: str) -> Facts:
    return (None, None, None, None, None, None, None, None, frame, len(frame), len(frame), problem)
