"""Parses tunnels over IP and UDP.

1. A tunnel is detected by the protocol or the port, and accepted only if its header is valid.
2. A parser returns type and offset of the payload; type 0 if the header is not valid.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from .links import CUT, ERSPAN, ETHERNET, IPV4, IPV6, MPLS, NSH, PPP, by_version, is_known, stripped

if TYPE_CHECKING:
    from collections.abc import Callable

    from .links import HeaderOffset

_TYPE = struct.Struct("!H")
_SIZES: Final = {IPV4: (2, 0), IPV6: (4, 40)}
"""Where the size of a packet is, and how many bytes it does not count."""


def _gre(frame: bytes, at: int) -> HeaderOffset:
    """Parse a GRE header (RFC 2784, 2890, 2637)."""
    if len(frame) < at + 4:
        return CUT, at
    flags, kind = struct.unpack_from("!HH", frame, at)
    version = flags & 7
    if version > 1:
        return 0, at
    words = (flags >> 12 & 0b1011).bit_count()
    if version == 1:  # PPTP: the key is required, an acknowledgment is optional
        words += flags >> 7 & 1
    start = at + 4 + 4 * words
    if kind == ERSPAN and not flags >> 12 & 1:  # the first form has no header of its own
        kind = ETHERNET
    return (kind, start) if len(frame) >= start else (CUT, at)


def _vxlan(frame: bytes, at: int) -> HeaderOffset:
    if len(frame) < at + 8:
        return CUT, at
    return (ETHERNET, at + 8) if frame[at] & 0x08 and not frame[at + 7] else (0, at)


def _geneve(frame: bytes, at: int) -> HeaderOffset:
    if len(frame) < at + 8:
        return CUT, at
    start = at + 8 + 4 * (frame[at] & 0x3F)
    return (_TYPE.unpack_from(frame, at + 2)[0], start) if frame[at] >> 6 == 0 else (0, at)


_GPE_TYPES: Final = {1: IPV4, 2: IPV6, 3: ETHERNET, 4: NSH, 5: MPLS}


def _vxlan_gpe(frame: bytes, at: int) -> HeaderOffset:
    """Parse a VXLAN header that states the type of its payload (draft-ietf-nvo3-vxlan-gpe)."""
    if len(frame) < at + 8:
        return CUT, at
    if frame[at] & 0x0C != 0x0C:
        return _vxlan(frame, at)
    return _GPE_TYPES.get(frame[at + 3], 0), at + 8


def _mpls(frame: bytes, at: int) -> HeaderOffset:
    """Parse MPLS over UDP (RFC 7510)."""
    kind, start = stripped(frame, MPLS, at)
    return (kind, start) if kind in {CUT, IPV4, IPV6} else (0, at)


def _gtp(frame: bytes, at: int) -> HeaderOffset:
    """Parse the header of a packet in GTP-U, with its extensions (3GPP TS 29.281)."""
    if len(frame) < at + 12:
        return CUT, at
    if frame[at] >> 4 != 3 or frame[at + 1] != 0xFF:
        return 0, at
    if not frame[at] & 7:
        return _packet(frame, at + 8)
    start, kind = at + 12, frame[at + 11] if frame[at] & 4 else 0
    while kind:
        end = start + 4 * frame[start] if start < len(frame) else start
        if end == start or end > len(frame):
            return CUT, at
        start, kind = end, frame[end - 1]
    return _packet(frame, start)


def _gue(frame: bytes, at: int) -> HeaderOffset:
    """Parse Generic UDP Encapsulation, whose second form has no header (draft-ietf-intarea-gue)."""
    if len(frame) < at + 4:
        return CUT, at
    if frame[at] >> 6 == 1:
        return by_version(frame, at)
    inner = IP_TUNNELS.get(frame[at + 1]) if frame[at] < 0x20 else None
    return inner(frame, at + 4 + 4 * (frame[at] & 0x1F)) if inner is not None else (0, at)


def _l2tp(frame: bytes, at: int) -> HeaderOffset:
    """Parse the header of data in L2TP over UDP (RFC 2661; RFC 3931, 4.1.2)."""
    if len(frame) < at + 8:
        return CUT, at
    (flags,) = _TYPE.unpack_from(frame, at)
    if flags & 0x800F == 3:
        return _guessed(frame, at + 8)
    if flags & 0x800F != 2:
        return 0, at
    start = at + 6 + (2 if flags & 0x4000 else 0) + (4 if flags & 0x0800 else 0)
    if flags & 0x0200:
        if len(frame) < start + 2:
            return CUT, at
        start += 2 + int(_TYPE.unpack_from(frame, start)[0])
    return PPP, start


def _l2tp_3(frame: bytes, at: int) -> HeaderOffset:
    """Parse the header of data in L2TPv3 over IP (RFC 3931, 4.1.1); a session has a number."""
    return _guessed(frame, at + 4) if any(frame[at : at + 4]) else (0, at)


def _packet(frame: bytes, at: int) -> HeaderOffset:
    """Find Ethernet, or an IP packet."""
    return (ETHERNET, at) if is_known(frame, at) else by_version(frame, at)


def _guessed(frame: bytes, at: int) -> HeaderOffset:
    """Find a payload behind a cookie and a header of unknown sizes, which the two ends have agreed on."""
    starts = [at + 4 * words for words in range(4)]
    for start in starts:
        if is_known(frame, start):
            return ETHERNET, start
    for start in starts:
        if frame[start : start + 2] == b"\xff\x03":
            return PPP, start
        kind, _ = by_version(frame, start)
        if kind in _SIZES and len(frame) >= start + 8:
            size_offset, more = _SIZES[kind]
            if start + _TYPE.unpack_from(frame, start + size_offset)[0] + more == len(frame):
                return kind, start
    return 0, at


def _teredo(frame: bytes, at: int) -> HeaderOffset:
    """Skip the indications before an IPv6 packet (RFC 4380)."""
    if frame[at : at + 2] == b"\0\1":
        at += 13 + sum(frame[at + 2 : at + 4])
    if frame[at : at + 2] == b"\0\0":
        at += 8
    kind, _ = by_version(frame, at)
    return (kind, at) if kind == IPV6 else (0, at)


def _ether_ip(frame: bytes, at: int) -> HeaderOffset:
    """Parse EtherIP (RFC 3378)."""
    return (ETHERNET, at + 2) if frame[at : at + 2] == b"\x30\0" else (0, at)


VXLAN_PORTS: Final = (4789, 8472)
"""UDP ports of VXLAN; Linux used the second one before the first was assigned."""
_UDP_TUNNELS: Final[dict[int, Callable[[bytes, int], HeaderOffset]]] = {
    **dict.fromkeys(VXLAN_PORTS, _vxlan),
    2152: _gtp,
    4341: lambda frame, at: by_version(frame, at + 8),  # LISP (RFC 9300)
    4790: _vxlan_gpe,
    6080: _gue,
    6081: _geneve,
    6635: _mpls,
}
_TWO_WAYS: Final[dict[int, Callable[[bytes, int], HeaderOffset]]] = {1701: _l2tp, 3544: _teredo}
"""Tunnels whose answers come from their port."""


def udp_tunnel(sport: int, dport: int) -> Callable[[bytes, int], HeaderOffset] | None:
    """Return the parser of the tunnel between two UDP ports."""
    return _UDP_TUNNELS.get(dport) or _TWO_WAYS.get(dport) or _TWO_WAYS.get(sport)


IP_TUNNELS: Final[dict[int, Callable[[bytes, int], HeaderOffset]]] = {
    4: lambda _, at: (IPV4, at),
    41: lambda _, at: (IPV6, at),
    47: _gre,
    97: _ether_ip,
    115: _l2tp_3,
    137: lambda _, at: (MPLS, at),
}
"""Parsers of tunnels by IP protocol."""
