"""Parses down to the IP header: link layers, tags, and encapsulations.

1. A parser returns the EtherType of the payload, and its offset.
2. It returns `CUT` if the frame ends inside the header.  A payload that is not IP keeps its type, so that it
   can be counted.
3. Tunnels over IP and UDP are detected by protocol or port, and accepted only if their headers are valid.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "CUT",
    "IPV4",
    "IPV6",
    "LINK_TYPES",
    "TAGS",
    "UDP_TUNNELS",
    "VXLAN_PORTS",
    "ethernet",
    "gre",
    "stripped",
]

IPV4: Final = 0x0800
IPV6: Final = 0x86DD
CUT: Final = -1
"""The type returned if the frame ends inside a header."""
_ETHERNET: Final = 0x6558  # Transparent Ethernet Bridging
_PPPOE, _PPP = 0x8864, 0x880B
_ERSPAN, _ERSPAN_3 = 0x88BE, 0x22EB
TAGS: Final = (0x8100, 0x88A8, 0x9100, 0x9200)
"""EtherTypes of tags, each four bytes long."""
_INSERTED: Final = {**dict.fromkeys(TAGS, 2), 0x8909: 6, 0x8926: 4, 0x892F: 4}  # CMD, VN-Tag, HSR
"""Bytes between the EtherType of a tag and the next EtherType."""
_SERVICE: Final = 0x88E7  # IEEE 802.1ah: four bytes, and another Ethernet header
_IP_FRAME: Final = 2  # the type of frame in ERSPAN III without an Ethernet header
_MPLS: Final = frozenset({0x8847, 0x8848})
_LEAST_TYPE: Final = 0x600  # smaller values of the Ethernet field are a length
_SNAP: Final = b"\xaa\xaa\x03\0\0\0"
_PPP_TYPES: Final = {0x21: IPV4, 0x57: IPV6, 0x281: 0x8847, 0x283: 0x8848}
_TYPE = struct.Struct("!H")

_Place = tuple[int, int]


def ethernet(frame: bytes, at: int = 0) -> _Place:
    """Parse an Ethernet header, also in the older form with a length and SNAP."""
    if len(frame) < at + 14:
        return CUT, at
    kind = frame[at + 12] << 8 | frame[at + 13]
    if kind < _LEAST_TYPE and frame[at + 14 : at + 20] == _SNAP and len(frame) >= at + 22:
        return frame[at + 20] << 8 | frame[at + 21], at + 22
    return kind, at + 14


def _cooked(frame: bytes) -> _Place:
    return (_TYPE.unpack_from(frame, 14)[0], 16) if len(frame) >= 16 else (CUT, 0)


def _cooked_2(frame: bytes) -> _Place:
    return (_TYPE.unpack_from(frame)[0], 20) if len(frame) >= 20 else (CUT, 0)


def _by_version(frame: bytes, at: int = 0) -> _Place:
    if len(frame) <= at:
        return CUT, 0
    return {4: IPV4, 6: IPV6}.get(frame[at] >> 4, 0), at


def _loopback(frame: bytes) -> _Place:
    """Parse four bytes of address family; it is 2 for IPv4 on all systems and differs for IPv6."""
    return _by_version(frame, 4)


def _point_to_point(frame: bytes, at: int = 0) -> _Place:
    """Parse PPP, with or without address and control bytes, with a protocol of one or two bytes."""
    if frame[at : at + 2] == b"\xff\x03":
        at += 2
    if len(frame) < at + 2:
        return CUT, at
    if frame[at] & 1:  # compressed
        return _PPP_TYPES.get(frame[at], 0), at + 1
    protocol = _TYPE.unpack_from(frame, at)[0]
    return _PPP_TYPES.get(protocol, 0), at + 2


LINK_TYPES: Final[dict[int, Callable[[bytes], _Place]]] = {
    0: _loopback,  # LINKTYPE_NULL
    1: ethernet,  # LINKTYPE_ETHERNET
    9: _point_to_point,  # LINKTYPE_PPP
    12: _by_version,  # as some systems number it
    14: _by_version,
    50: _point_to_point,  # LINKTYPE_PPP_HDLC
    51: lambda frame: (_PPPOE, 0),  # noqa: ARG005  # LINKTYPE_PPP_ETHER
    101: _by_version,  # LINKTYPE_RAW
    108: _loopback,  # LINKTYPE_LOOP
    113: _cooked,  # LINKTYPE_LINUX_SLL
    228: _by_version,  # LINKTYPE_IPV4
    229: _by_version,  # LINKTYPE_IPV6
    276: _cooked_2,  # LINKTYPE_LINUX_SLL2
}
"""Functions that return EtherType and offset of the network header, by link type."""


def stripped(frame: bytes, kind: int, at: int) -> _Place:
    """Skip tags, labels and nested link headers; other types are returned unchanged."""
    while True:
        if kind in _INSERTED:
            next_at = at + _INSERTED[kind] + 2
            kind, at = (
                (_TYPE.unpack_from(frame, next_at - 2)[0], next_at) if len(frame) >= next_at else (CUT, at)
            )
        elif kind in _MPLS:
            kind, at = _labels(frame, at)
        elif kind == _PPPOE:
            kind, at = _point_to_point(frame, at + 6) if len(frame) >= at + 8 else (CUT, at)
        elif kind == _PPP:
            kind, at = _point_to_point(frame, at)
        elif kind == _ETHERNET:
            kind, at = ethernet(frame, at)
        elif kind == _SERVICE:
            kind, at = ethernet(frame, at + 4)
        elif kind == _ERSPAN:
            kind, at = ethernet(frame, at + 8)
        elif kind == _ERSPAN_3:
            kind, at = _mirrored(frame, at)
        else:
            return kind, at


def _labels(frame: bytes, at: int) -> _Place:
    """Skip a stack of MPLS labels; the payload is IP, or Ethernet with or without a control word."""
    while len(frame) >= at + 4:
        last = frame[at + 2] & 1
        at += 4
        if last:
            kind, _ = _by_version(frame, at)
            if kind:
                return kind, at
            # A control word begins with four zero bits, and so can the address of an Ethernet header.
            bare = frame[at] >> 4 or (not _is_known(frame, at + 4) and _is_known(frame, at))
            return _ETHERNET, at if bare else at + 4
    return CUT, at


def _is_known(frame: bytes, at: int) -> bool:
    """Return whether an Ethernet header at an offset has the type of something that can be read."""
    kind, start = ethernet(frame, at)
    if kind in {IPV4, IPV6}:
        return _by_version(frame, start)[0] == kind
    return kind in _INSERTED or kind in _MPLS or kind in {_PPPOE, _SERVICE}


def _mirrored(frame: bytes, at: int) -> _Place:
    """Skip ERSPAN III: twelve bytes, and eight more if the last bit is set."""
    if len(frame) < at + 12:
        return CUT, at
    start = at + 12 + 8 * (frame[at + 11] & 1)
    return _by_version(frame, start) if frame[at + 10] >> 2 & 0x1F == _IP_FRAME else (_ETHERNET, start)


def gre(frame: bytes, at: int) -> _Place:
    """Parse a GRE header; type 0 if it is invalid (RFC 2784, 2890, 2637)."""
    if len(frame) < at + 4:
        return CUT, at
    flags, kind = struct.unpack_from("!HH", frame, at)
    version = flags & 7
    if version > 1:
        return 0, at
    words = (flags >> 15 & 1) + (flags >> 13 & 1) + (flags >> 12 & 1)
    if version == 1:  # PPTP: the key is required, an acknowledgment is optional
        words += flags >> 7 & 1
    start = at + 4 + 4 * words
    if kind == _ERSPAN and not flags >> 12 & 1:  # the first form has no header of its own
        kind = _ETHERNET
    return (kind, start) if len(frame) >= start else (CUT, at)


def _vxlan(frame: bytes, at: int) -> _Place:
    if len(frame) < at + 8:
        return CUT, at
    return (_ETHERNET, at + 8) if frame[at] & 0x08 and not frame[at + 7] else (0, at)


def _geneve(frame: bytes, at: int) -> _Place:
    if len(frame) < at + 8:
        return CUT, at
    start = at + 8 + 4 * (frame[at] & 0x3F)
    return (_TYPE.unpack_from(frame, at + 2)[0], start) if frame[at] >> 6 == 0 else (0, at)


_GPE_TYPES: Final = {1: IPV4, 2: IPV6, 3: _ETHERNET, 5: 0x8847}


def _vxlan_gpe(frame: bytes, at: int) -> _Place:
    """Parse a VXLAN header that says what follows (draft-ietf-nvo3-vxlan-gpe)."""
    if len(frame) < at + 8:
        return CUT, at
    if frame[at] & 0x0C != 0x0C:
        return _vxlan(frame, at)
    return _GPE_TYPES.get(frame[at + 3], 0), at + 8


VXLAN_PORTS: Final = (4789, 8472)
"""UDP ports of VXLAN; Linux used the second one before the first was assigned."""
UDP_TUNNELS: Final[dict[int, Callable[[bytes, int], _Place]]] = {
    **dict.fromkeys(VXLAN_PORTS, _vxlan),
    4790: _vxlan_gpe,
    6081: _geneve,
}
"""Parsers of tunnels by UDP port; each returns type and offset of the payload."""
