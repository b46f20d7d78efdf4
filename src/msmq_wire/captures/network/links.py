"""Parses down to the IP header: link layers, tags, and encapsulations.

1. A parser returns the EtherType of the payload, and its offset.
2. It returns `CUT` if the frame ends inside the header.  A payload that is not IP keeps its type, so that it
   can be counted.
3. `stripped` skips everything between the link header and IP.
4. `LinkVote` compares the frames of a capture with the link type that its header states.  Frames prove a link
   type by headers of IP with a right checksum or size, by ARP, and by addresses of bridges.  Headers of IP
   whose checksum is left to the network card count half, if those of TCP or UDP agree with them.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

IPV4: Final = 0x0800
IPV6: Final = 0x86DD
CUT: Final = -1
"""The type returned if the frame ends inside a header."""
ETHERNET: Final = 0x6558  # Transparent Ethernet Bridging
MPLS: Final = 0x8847
NSH: Final = 0x894F
PPP: Final = 0x880B
ERSPAN: Final = 0x88BE
"""Types of encapsulated headers."""
_PPPOE, _ERSPAN_3, _TRILL, _MACSEC, _WCCP = 0x8864, 0x22EB, 0x22F3, 0x88E5, 0x883E
TAGS: Final = (0x8100, 0x88A8, 0x9100, 0x9200)
"""EtherTypes of tags, each four bytes long."""
_INSERTED: Final = {**dict.fromkeys(TAGS, 2), 0x8909: 6, 0x8926: 4, 0x892F: 4}  # CMD, VN-Tag, HSR
"""Bytes between the EtherType of a tag and the next EtherType."""
_SERVICE: Final = 0x88E7  # IEEE 802.1ah: four bytes, and another Ethernet header
_IP_FRAME: Final = 2  # the type of frame in ERSPAN III without an Ethernet header
_MPLS: Final = frozenset({MPLS, 0x8848})
_LEAST_TYPE: Final = 0x600  # smaller values of the Ethernet field are a length
_SNAP: Final = b"\xaa\xaa\x03\0\0\0"
_PPP_TYPES: Final = {0x21: IPV4, 0x57: IPV6, 0x281: MPLS, 0x283: MPLS}
_NSH_TYPES: Final = {1: IPV4, 2: IPV6, 3: ETHERNET, 5: MPLS}
_ENCRYPTED: Final = 0x0C  # bits of MACsec: encrypted, or changed otherwise
_WITH_CHANNEL: Final = 0x20  # a bit of MACsec: eight more bytes
_TYPE = struct.Struct("!H")
_IPV4_SIZE, _IPV6_SIZE = 20, 40
"""Sizes of headers without options."""

HeaderOffset = tuple[int, int]
"""Type and offset of a payload."""


def ethernet(frame: bytes, at: int = 0) -> HeaderOffset:
    """Parse an Ethernet header, also in the older form with a length and SNAP."""
    if len(frame) < at + 14:
        return CUT, at
    return _typed(frame, frame[at + 12] << 8 | frame[at + 13], at + 14)


def _typed(frame: bytes, kind: int, at: int) -> HeaderOffset:
    """Return the type behind a length."""
    if kind < _LEAST_TYPE and frame[at : at + 6] == _SNAP and len(frame) >= at + 8:
        return frame[at + 6] << 8 | frame[at + 7], at + 8
    return kind, at


def _wireless(frame: bytes, at: int = 0) -> HeaderOffset:
    """Parse a data frame of IEEE 802.11 that is not encrypted; type 0 for other frames."""
    if len(frame) < at + 2:
        return CUT, at
    kind, flags = frame[at], frame[at + 1]
    if kind & 0x4F != 0x08 or flags & 0x40:
        return 0, at
    quality = kind >> 7
    start = at + 24 + 6 * (flags & 3 == 3) + 2 * quality + 4 * (quality & flags >> 7)
    start += 2 * (frame[start + 2 : start + 8] == _SNAP)  # some cards align the payload
    if len(frame) < start + 8:
        return CUT, at
    return _typed(frame, 0, start)


def _radio(frame: bytes) -> HeaderOffset:
    """Skip the header of radiotap, which states its size."""
    return _wireless(frame, int.from_bytes(frame[2:4], "little")) if len(frame) >= 4 else (CUT, 0)


def _cooked(frame: bytes) -> HeaderOffset:
    return _typed(frame, _TYPE.unpack_from(frame, 14)[0], 16) if len(frame) >= 16 else (CUT, 0)


def _cooked_2(frame: bytes) -> HeaderOffset:
    return _typed(frame, _TYPE.unpack_from(frame)[0], 20) if len(frame) >= 20 else (CUT, 0)


def by_version(frame: bytes, at: int = 0) -> HeaderOffset:
    """Return which version of IP begins at an offset; type 0 if none."""
    if len(frame) <= at:
        return CUT, 0
    return {4: IPV4, 6: IPV6}.get(frame[at] >> 4, 0), at


def own_version(frame: bytes, kind: int, at: int) -> int:
    """Return the type of IP that a header itself names; some programs write the same type before both."""
    version, _ = by_version(frame, at)
    return version if version > 0 and kind in {IPV4, IPV6} else kind


def _loopback(frame: bytes) -> HeaderOffset:
    """Parse four bytes of address family; it is 2 for IPv4 on all systems and differs for IPv6."""
    return by_version(frame, 4)


def _point_to_point(frame: bytes, at: int = 0) -> HeaderOffset:
    """Parse PPP, with or without address and control bytes, with a protocol of one or two bytes."""
    if frame[at : at + 2] == b"\xff\x03":
        at += 2
    if len(frame) < at + 2:
        return CUT, at
    if frame[at] & 1:  # compressed
        return _PPP_TYPES.get(frame[at], 0), at + 1
    protocol = _TYPE.unpack_from(frame, at)[0]
    return _PPP_TYPES.get(protocol, 0), at + 2


LINK_TYPES: Final[dict[int, Callable[[bytes], HeaderOffset]]] = {
    0: _loopback,  # LINKTYPE_NULL
    1: ethernet,  # LINKTYPE_ETHERNET
    9: _point_to_point,  # LINKTYPE_PPP
    12: by_version,  # as some systems number it
    14: by_version,
    50: _point_to_point,  # LINKTYPE_PPP_HDLC
    51: lambda frame: (_PPPOE, 0),  # noqa: ARG005  # LINKTYPE_PPP_ETHER
    101: by_version,  # LINKTYPE_RAW
    104: lambda frame: (
        (_TYPE.unpack_from(frame, 2)[0], 4) if len(frame) >= 4 else (CUT, 0)
    ),  # LINKTYPE_C_HDLC
    105: _wireless,  # LINKTYPE_IEEE802_11
    108: _loopback,  # LINKTYPE_LOOP
    113: _cooked,  # LINKTYPE_LINUX_SLL
    127: _radio,  # LINKTYPE_IEEE802_11_RADIOTAP
    204: lambda frame: _point_to_point(frame, 1),  # LINKTYPE_PPP_WITH_DIR
    228: by_version,  # LINKTYPE_IPV4
    229: by_version,  # LINKTYPE_IPV6
    276: _cooked_2,  # LINKTYPE_LINUX_SLL2
}
"""Functions that return EtherType and offset of the network header, by link type."""


_COOKED_KINDS: Final = 8
"""Values of the packet type in a header of Linux cooked frames are below it."""
_FAMILIES: Final = frozenset(
    number.to_bytes(4, order) for number in (2, 10, 24, 28, 30) for order in ("little", "big")
)
"""The address families of IPv4 and of IPv6, in both byte orders."""
_DISTINCT: Final[dict[int, Callable[[bytes], bool]]] = {
    1: lambda frame: not frame[6] & 1,  # no group sends
    101: lambda frame: True,  # noqa: ARG005
    0: lambda frame: frame[:4] in _FAMILIES,
    113: lambda frame: not frame[0] and frame[1] < _COOKED_KINDS and not frame[4] and frame[5] <= 8,
    276: lambda frame: not any(frame[2:4]) and frame[10] < _COOKED_KINDS and frame[11] <= 8,
}
"""Link types with different headers, which captures usually have; and whether a header may be one of them."""
_ARP: Final = 0x0806
_ARP_HEAD: Final = b"\0\1\x08\0\6\4"
"""The first bytes of an ARP packet: Ethernet, IPv4, and the sizes of their addresses."""
_GROUPS: Final = (b"\xff" * 6, b"\x01\x80\xc2\0\0", b"\x01\0\x0c\xcc\xcc")
"""Addresses of all stations, of bridges (IEEE 802.1D), and of protocols of Cisco."""
_TRAILER: Final = 64
"""Bytes behind a packet at most: padding of short frames, and a frame check sequence."""
_LEAST_FRAME: Final = 20
"""Size of the smallest frame that tells something, in bytes: an IPv4 header without a link header."""
_NEXT_HEADERS: Final = frozenset({0, 4, 6, 17, 41, 43, 44, 47, 50, 51, 58, 59, 60, 89, 103, 112, 132, 135})
"""The usual values of the next header of IPv6."""
_MORE_OR_OFFSET: Final = 0x3FFF
_TCP, _UDP = 6, 17
_PROOF: Final = 2
"""The weight of a frame whose checksum or size is right beyond doubt; headers that agree weigh 1."""
_PROVED: Final = 2 * _PROOF


class LinkVote:
    """Judges by frames whether their link type is the stated one: one frame can prove it, or several another.

    Args:
        stated: The link type that a header states.

    Attributes:
        link: The link type of the frames, as far as it is known.
        frames: Number of frames that were counted.
        is_settled: Whether further frames change nothing.
    """

    __slots__ = ("_readable", "_weights", "frames", "is_settled", "link")

    def __init__(self, stated: int) -> None:
        self.link = stated
        self.frames = 0
        self.is_settled = False
        self._readable = 0
        self._weights = dict.fromkeys(_DISTINCT, 0)

    @property
    def is_unreadable(self) -> bool:
        """Whether fewer than a tenth of several frames begin with a header of IP."""
        return not self.is_settled and self.frames > 1 and 10 * self._readable < self.frames

    def add(self, frame: bytes, wire: int) -> None:
        """Count a frame, if it is long enough to tell something.

        Args:
            frame: The captured bytes.
            wire: Size on the wire.
        """
        if len(frame) < _LEAST_FRAME:
            return
        self.frames += 1
        wire = max(wire, len(frame))
        if self.link in LINK_TYPES:
            kind, at = stripped(frame, *LINK_TYPES[self.link](frame))
            self._readable += kind in {IPV4, IPV6} and by_version(frame, at)[0] > 0
            self.is_settled = _weight(frame, self.link, wire) > 0
        for link in _DISTINCT if not self.is_settled else ():
            if _DISTINCT[link](frame):
                self._weights[link] += _weight(frame, link, wire)
            if self._weights[link] >= _PROVED:
                self.link, self.is_settled = link, True
                return


def _weight(frame: bytes, link: int, wire: int) -> int:
    """Return how well a frame proves its link type; 0 if it does not."""
    kind, at = LINK_TYPES[link](frame)
    is_group = link == 1 and frame.startswith(_GROUPS) and not frame[6] & 1
    if is_group or (kind == _ARP and frame.startswith(_ARP_HEAD, at)):
        return _PROOF
    kind, at = stripped(frame, kind, at)
    kind, rest = own_version(frame, kind, at), wire - at
    if kind == IPV6 and len(frame) >= at + _IPV6_SIZE and frame[at] >> 4 == 6:
        size, following = _IPV6_SIZE, frame[at + 6]
        stated = _TYPE.unpack_from(frame, at + 4)[0] + size
        if stated == rest and following in _NEXT_HEADERS:
            return _PROOF
        is_sized = stated > size
    elif kind == IPV4 and len(frame) >= at + _IPV4_SIZE and frame[at] >> 4 == 4:
        size, following = 4 * (frame[at] & 15), frame[at + 9]
        if not _IPV4_SIZE <= size <= len(frame) - at:
            return 0
        total = sum(struct.unpack_from(f"!{size // 2}H", frame, at))
        if total and total % 0xFFFF == 0:  # the checksum is right
            return _PROOF
        if _TYPE.unpack_from(frame, at + 6)[0] & _MORE_OR_OFFSET:
            return 0
        stated = _TYPE.unpack_from(frame, at + 2)[0]
        is_sized = stated > 0
    else:
        return 0
    if is_sized and not 0 <= rest - stated <= _TRAILER:
        return 0
    return int(_carries(frame, at + size, at + (stated if is_sized else rest), following))


def _carries(frame: bytes, at: int, end: int, protocol: int) -> bool:
    """Return whether the header of TCP or UDP at an offset agrees with the end of its packet."""
    if len(frame) < at + 14 or not any(frame[at : at + 2]) or not any(frame[at + 2 : at + 4]):
        return False
    if protocol == _UDP:
        return bool(_TYPE.unpack_from(frame, at + 4)[0] == end - at)
    size, flags = 4 * (frame[at + 12] >> 4), frame[at + 13] & 0x3F
    return protocol == _TCP and 20 <= size <= end - at and flags > 0 and flags & 3 != 3


def stripped(frame: bytes, kind: int, at: int) -> HeaderOffset:
    """Skip tags, labels and nested link headers; other types are returned unchanged."""
    while True:
        if kind in _INSERTED:
            next_at = at + _INSERTED[kind] + 2
            if len(frame) < next_at:
                return CUT, at
            kind, at = _typed(frame, _TYPE.unpack_from(frame, next_at - 2)[0], next_at)
        elif kind in _MPLS:
            kind, at = _labels(frame, at)
        elif kind == _PPPOE:
            kind, at = _point_to_point(frame, at + 6) if len(frame) >= at + 8 else (CUT, at)
        elif kind == PPP:
            kind, at = _point_to_point(frame, at)
        elif kind == ETHERNET:
            kind, at = ethernet(frame, at)
        elif kind == _SERVICE:
            kind, at = ethernet(frame, at + 4)
        elif kind == ERSPAN:
            kind, at = ethernet(frame, at + 8)
        elif kind in _WRAPPED:
            (kind, at), wrapped = _WRAPPED[kind](frame, at), kind
            if kind == wrapped:
                return kind, at
        else:
            return kind, at


def _labels(frame: bytes, at: int) -> HeaderOffset:
    """Skip a stack of MPLS labels; the payload is IP, or Ethernet with or without a control word."""
    while len(frame) >= at + 4:
        last = frame[at + 2] & 1
        at += 4
        if last:
            kind, _ = by_version(frame, at)
            if kind:
                return kind, at
            # A control word begins with four zero bits, and so can the address of an Ethernet header.
            bare = frame[at] >> 4 or (not is_known(frame, at + 4) and is_known(frame, at))
            return ETHERNET, at if bare else at + 4
    return CUT, at


def is_known(frame: bytes, at: int) -> bool:
    """Return whether an Ethernet header at an offset has a supported type."""
    kind, start = ethernet(frame, at)
    if kind in {IPV4, IPV6}:
        return by_version(frame, start)[0] == kind
    return kind in _INSERTED or kind in _MPLS or kind in {_PPPOE, _SERVICE}


def _mirrored(frame: bytes, at: int) -> HeaderOffset:
    """Skip ERSPAN III: twelve bytes, and eight more if the last bit is set."""
    flags = int.from_bytes(frame[at + 10 : at + 12], "big")
    start = at + 12 + 8 * (flags & 1)
    return by_version(frame, start) if flags >> 10 & 0x1F == _IP_FRAME else (ETHERNET, start)


def _service_header(frame: bytes, at: int) -> HeaderOffset:
    """Skip a Network Service Header (RFC 8300)."""
    if len(frame) < at + 8:
        return CUT, at
    return _NSH_TYPES.get(frame[at + 3], 0), at + 4 * (frame[at + 1] & 0x3F)


def _trill(frame: bytes, at: int) -> HeaderOffset:
    """Skip the header of TRILL (RFC 6325) with its options."""
    return ETHERNET, at + 6 + 4 * (int.from_bytes(frame[at : at + 2], "big") >> 6 & 0x1F)


def _secured(frame: bytes, at: int) -> HeaderOffset:
    """Skip the tag of IEEE 802.1AE, if the payload is not encrypted."""
    if len(frame) < at + 16:
        return CUT, at
    if frame[at] & _ENCRYPTED:
        return _MACSEC, at
    start = at + 8 + (8 if frame[at] & _WITH_CHANNEL else 0)
    return _typed(frame, _TYPE.unpack_from(frame, start - 2)[0], start)


def _redirected(frame: bytes, at: int) -> HeaderOffset:
    """Skip the header of WCCP, which only its second version has."""
    kind, start = by_version(frame, at)
    return (kind, start) if kind else by_version(frame, at + 4)


_WRAPPED: Final[dict[int, Callable[[bytes, int], HeaderOffset]]] = {
    _ERSPAN_3: _mirrored,
    NSH: _service_header,
    _TRILL: _trill,
    _MACSEC: _secured,
    _WCCP: _redirected,
}
"""Parsers of other headers by type; an unreadable payload keeps the type."""
