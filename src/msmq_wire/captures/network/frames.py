"""From a captured frame to the segment or datagram in it.

1. `Dissector` goes down through link layer, tags, tunnels and IP; fragments wait in it until their
   datagram is whole.  Every frame has an `Outcome`, whose reason says what became of it.
2. The IP header says how many bytes there were.  Where it says none, because the network card was to cut the
   segment, the size of the frame does.
3. What has other ports, or is no TCP or UDP at all, is no row; it is counted.
4. A checksum is right, wrong, or not known: of cut segments, and of those whose checksum the network card was
   to fill in, which then have the sum of the pseudo header there.  A wrong one is no reason to drop bytes.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from msmq_wire.documents.mqmq import BaseHeader
from msmq_wire.packets.packet import SIGNATURE

from .fragments import Fragment, Incomplete, Left, Waiting
from .links import CUT, IPV4, IPV6, LINK_TYPES, UDP_TUNNELS, gre, stripped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "HINTS",
    "LINK_TYPES",
    "MARK",
    "PING_PORT",
    "PORT",
    "Dissector",
    "Facts",
    "Outcome",
    "Ports",
    "Reason",
    "marked",
]

PORT: Final = 1801
"""The port of TCP that queue managers listen at ([MS-MQQB] 2.1)."""
PING_PORT: Final = 3527
"""The port of UDP for Pings ([MS-MQQB] 2.1)."""
HINTS: Final = frozenset({PORT, PING_PORT})

Facts: TypeAlias = tuple[
    "str | None", "str | None", "int | None", "str | None", "int | None",
    "int | None", "int | None", "int | None", bytes, int, int, "bool | None", bool, "str | None",
]  # fmt: skip
"""The columns of a row from `transport` on."""

_TCP, _UDP, _IN_4, _IN_6, _GRE, _MPLS_IN_IP = 6, 17, 4, 41, 47, 137
_NAMES = {_TCP: "tcp", _UDP: "udp"}
_HEADER_4 = struct.Struct("!BxHHHxBxx4s4s")
_HEADER_6 = struct.Struct("!xxxxHBx16s16s")
_HEADER_TCP = struct.Struct("!HHIIBB")
_WORD = struct.Struct("!H")
_PORTS = struct.Struct("!HH")
_HEADER_UDP = struct.Struct("!HHHxx")
_FRAGMENT, _AUTHENTICATION = 44, 51
_OPTIONS_6 = frozenset({0, 43, 60, 135, 139, 140})
"""Extension headers that give their size in units of eight bytes."""
_MORE, _PLACE = 0x2000, 0x1FFF
_MOST = 1 << 24
"""The longest frame that is believed where only the capture says how long it was."""
_DEPTH = 16
"""How many IP headers can be in each other."""
_MODULUS = 0xFFFF  # of the sums of 16-bit words: 2**16 is 1 there
MARK: Final = SIGNATURE.to_bytes(4, "little")
"""The bytes that every BaseHeader has at `MARK_AT` ([MS-MQMQ] 2.2.19.1)."""
_MARK_AT = 4
_VERSION = BaseHeader().VersionNumber


class Reason:
    """What became of a frame; the column `reason` of the table `frames`."""

    READ = "read"
    """Its segment or datagram is a row."""
    OTHER = "other protocol"
    """It has another protocol or other ports."""
    NOT_IP = "not IP"
    FRAGMENT = "fragment"
    """Its datagram was joined; the frame that made it whole is counted as what it was."""
    MISSING = "fragment missing"
    CUT = "cut"
    """The capture has too little of it."""
    DAMAGED = "damaged"
    """Its headers contradict each other, or its record cannot be read."""
    LINK = "link type unknown"
    STREAM = "other stream"
    """Its segment belongs to a connection in which nothing looks like MSMQ."""
    EMPTY = "no MSMQ bytes"


class Outcome(NamedTuple):
    """What became of a frame.

    Attributes:
        reason: One of `Reason`.
        detail: Which protocol, type or error it was; few different texts.
        facts: The columns of its row, with an error if it is of interest and cannot be read; else None.
    """

    reason: str
    detail: str
    facts: Facts | None


class Ports(NamedTuple):
    """Which segments and datagrams are read: those with one of these ports at either end.

    Attributes:
        tcp: Ports of TCP; None for all.
        udp: Ports of UDP; None for all.
    """

    tcp: frozenset[int] | None
    udp: frozenset[int] | None

    def wants(self, protocol: int, sport: int, dport: int) -> bool:
        """Whether a segment or datagram is read."""
        wanted = self.tcp if protocol == _TCP else self.udp
        return wanted is None or sport in wanted or dport in wanted

    def misses(self, protocol: int, sport: int, dport: int) -> bool:
        """Whether one that cannot be read is worth a row; of all ports, only the known."""
        wanted = self.tcp if protocol == _TCP else self.udp
        wanted = HINTS if wanted is None else wanted
        return sport in wanted or dport in wanted


def marked(payload: bytes) -> bool:
    """Whether bytes have the version and signature of a BaseHeader somewhere."""
    at = payload.find(MARK, _MARK_AT)
    while at >= 0:
        if payload[at - _MARK_AT] == _VERSION:
            return True
        at = payload.find(MARK, at + 1)
    return False


class _Layer(NamedTuple):
    """An IP packet, or what is left of its headers: what it carries and where."""

    protocol: int
    start: int
    end: int
    src: bytes
    dst: bytes
    sized: bool  # whether the header says how long it is


class Dissector:
    """Reads the frames of one file, in order.

    Args:
        ports: Which segments and datagrams are of interest.
    """

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._waiting = Waiting()

    def read(self, frame: bytes, link: int, wire: int, number: int = 0, note: object = None) -> Outcome:
        """What became of a frame.

        Args:
            frame: What was captured of it.
            link: Its link type.
            wire: How many bytes it had on the wire.
            number: Its number in the file.
            note: What `missing` gives back if it is a fragment whose datagram stays incomplete.
        """
        finder = LINK_TYPES.get(link)
        if finder is None:
            return Outcome(Reason.LINK, f"link type {link}", None)
        kind, at = finder(frame)
        return self._down(frame, kind, at, max(min(wire, _MOST), len(frame)), (number, len(frame)), note)

    def read_whole(self, key: tuple[bytes, bytes, int, int], data: bytes) -> Outcome:
        """What became of a datagram whose fragments were joined elsewhere.

        Args:
            key: As of its fragments.
            data: What it carries.
        """
        src, dst, protocol, _ = key
        found = self._carried(data, _Layer(protocol, 0, len(data), src, dst, sized=True))
        if isinstance(found, Outcome):
            return found
        if found[0] == 0:
            return Outcome(Reason.OTHER, f"IP protocol {protocol}", None)
        return self._down(data, *found, len(data), (0, len(data)), None)

    def _down(
        self, frame: bytes, kind: int, at: int, end: int, counted: tuple[int, int], note: object
    ) -> Outcome:
        """Go on at a place of a frame, where something of that kind begins."""
        data = frame
        for _ in range(_DEPTH):
            kind, at = stripped(data, kind, at)
            if kind == CUT:
                return _broken(frame, "the frame ends within its link header", Reason.CUT)
            if kind not in {IPV4, IPV6}:
                return Outcome(Reason.NOT_IP, f"type {kind:#06x}", None)
            layer = _ipv4(data, at, end) if kind == IPV4 else _ipv6(data, at, end)
            if isinstance(layer, Outcome):
                return _broken(frame, layer.detail, layer.reason)
            if isinstance(layer, _Piece):
                whole = self._joined(layer, counted, note)
                if isinstance(whole, Outcome):
                    return whole
                data = whole
                layer = _Layer(layer.protocol, 0, len(whole), layer.src, layer.dst, sized=True)
            found = self._carried(data, layer)
            if isinstance(found, Outcome):
                return found
            (kind, at), end = found, layer.end
            if kind == 0:
                return Outcome(Reason.OTHER, f"IP protocol {layer.protocol}", None)
        return Outcome(Reason.OTHER, "too many headers", None)

    def _joined(self, piece: _Piece, counted: tuple[int, int], note: object) -> bytes | Outcome:
        if piece.missing:
            return Outcome(Reason.CUT, "a fragment of which the capture has only a part", None)
        fragment = Fragment(
            (piece.src, piece.dst, piece.protocol, piece.identification), piece.place, piece.data, piece.more
        )
        whole = self._waiting.take(fragment, counted, note)
        return Outcome(Reason.FRAGMENT, "", None) if whole is None else whole

    def _carried(self, data: bytes, layer: _Layer) -> tuple[int, int] | Outcome:
        """What is in an IP packet: another packet, or a segment or datagram."""
        protocol, start = layer.protocol, layer.start
        if protocol in _NAMES:
            if protocol == _UDP and len(data) >= start + 8:
                tunnel = UDP_TUNNELS.get(_PORTS.unpack_from(data, start)[1])
                if tunnel is not None:
                    inner = tunnel(data, start + 8)
                    if inner[0]:
                        return inner
            return _transport(data, layer, self._ports)
        if protocol == _GRE:
            return gre(data, start)
        if protocol == _IN_4:
            return IPV4, start
        if protocol == _IN_6:
            return IPV6, start
        if protocol == _MPLS_IN_IP:
            return 0x8847, start
        return 0, start

    def joined(self) -> list[int]:
        """Captured sizes of the frames that are parts of others' rows by now, each told once."""
        found, self._waiting.joined = self._waiting.joined, []
        return found

    def left(self) -> Iterator[Left]:
        """Datagrams that still wait for fragments, and wait here no longer."""
        return self._waiting.left()

    def missing(self, *, at_end: bool = False) -> Iterator[tuple[object, Outcome, list[tuple[int, int]]]]:
        """Datagrams whose fragments did not all come: a note, the outcome, and the frames that it is for.

        Args:
            at_end: Whether the file is over, so that none can come any more.
        """
        return self.missing_of(self._waiting.given_up(all_of_them=at_end))

    def missing_of(
        self, incomplete: Iterable[Incomplete]
    ) -> Iterator[tuple[object, Outcome, list[tuple[int, int]]]]:
        """The same of these datagrams."""
        for lost in incomplete:
            src, dst, protocol, _ = lost.key
            facts = None
            sport = dport = None
            if len(lost.head) >= _PORTS.size:
                sport, dport = _PORTS.unpack_from(lost.head)
            wanted = protocol == _TCP if sport is None else self._ports.misses(protocol, sport, dport or 0)
            if protocol in _NAMES and wanted:
                ends = _NAMES[protocol], _text(src), sport, _text(dst), dport
                problem = f"fragments of a datagram are missing; {lost.size} bytes of it were captured"
                facts = _wrong(ends, lost.head, problem)
            yield lost.first, Outcome(Reason.MISSING, "", facts), lost.frames


# ------------------------------------------------------------------------------------------ IP


class _Piece(NamedTuple):
    """A fragment of a datagram; `missing` if the capture has not all of it."""

    protocol: int
    src: bytes
    dst: bytes
    identification: int
    place: int
    more: bool
    data: bytes
    missing: bool


@lru_cache(maxsize=0x1_0000)
def _text(packed: bytes) -> str:
    return str(ip_address(packed))


def _cut(what: str) -> Outcome:
    return _broken(b"", f"the frame ends within {what}", Reason.CUT)


def _ipv4(frame: bytes, at: int, frame_end: int) -> _Layer | _Piece | Outcome:
    if len(frame) < at + _HEADER_4.size:
        return _cut("its IP header")
    first, total, identification, place, protocol, src, dst = _HEADER_4.unpack_from(frame, at)
    header = (first & 15) * 4
    if first >> 4 != 4 or header < _HEADER_4.size:
        return _broken(b"", f"the IPv4 header begins with {first:#04x}", Reason.DAMAGED)
    end = at + total if total else frame_end
    start = at + header
    if place & (_MORE | _PLACE):
        return _Piece(
            protocol, src, dst, identification, (place & _PLACE) * 8, bool(place & _MORE),
            frame[start:end], end > len(frame) or end <= start,
        )  # fmt: skip
    return _Layer(protocol, start, end, src, dst, total > 0)


def _ipv6(frame: bytes, at: int, frame_end: int) -> _Layer | _Piece | Outcome:
    start = at + 40
    if len(frame) < start:
        return _cut("its IP header")
    size, kind, src, dst = _HEADER_6.unpack_from(frame, at)
    end = start + size if size else frame_end
    while kind in _OPTIONS_6 or kind in {_FRAGMENT, _AUTHENTICATION}:
        if len(frame) < start + 8:
            return _cut("an extension header of IPv6")
        if kind == _FRAGMENT:
            place, identification = struct.unpack_from("!HI", frame, start + 2)
            if place & 0xFFF9:
                return _Piece(
                    frame[start], src, dst, identification, place & 0xFFF8, bool(place & 1),
                    frame[start + 8 : end], end > len(frame) or end <= start + 8,
                )  # fmt: skip
        units = frame[start + 1]
        longer = 8 if kind == _FRAGMENT else (units + 2) * 4 if kind == _AUTHENTICATION else (units + 1) * 8
        kind, start = frame[start], start + longer
    return _Layer(kind, start, end, src, dst, size > 0)


# ------------------------------------------------------------------------------------------ TCP and UDP


def _transport(frame: bytes, layer: _Layer, ports: Ports) -> Outcome:
    protocol, at, end, src, dst, sized = layer
    if len(frame) < at + 4:
        return _broken(frame, f"the frame ends before the ports of {_NAMES[protocol].upper()}", Reason.CUT)
    sport, dport = _PORTS.unpack_from(frame, at)
    if not ports.wants(protocol, sport, dport):
        return Outcome(Reason.OTHER, f"port of {_NAMES[protocol].upper()}", None)
    ends = _NAMES[protocol], _text(src), sport, _text(dst), dport
    missed = ports.misses(protocol, sport, dport)

    def wrong(problem: str, reason: str) -> Outcome:
        detail = (
            "the frame ends within its headers" if reason == Reason.CUT else "sizes contradict each other"
        )
        return Outcome(reason, detail, _wrong(ends, frame, problem) if missed else None)

    if protocol == _UDP:
        if len(frame) < at + _HEADER_UDP.size:
            return wrong("the frame ends within its UDP header", Reason.CUT)
        start = at + _HEADER_UDP.size
        length = _HEADER_UDP.unpack_from(frame, at)[2] - _HEADER_UDP.size
        if length < 0 or start + length > end:
            return wrong(f"the UDP header says that {length} bytes follow it", Reason.DAMAGED)
        payload = frame[start : start + length]
        good = None
        if len(payload) == length and frame[at + 6 : at + 8] != b"\0\0":
            good = _checked(frame, at, start + length, 6, layer)
        facts: Facts = (*ends, None, None, None, payload, length, len(payload), good, missed, None)
        return Outcome(Reason.READ, "", facts)
    if len(frame) < at + _HEADER_TCP.size:
        return wrong("the frame ends within its TCP header", Reason.CUT)
    _, _, seq, ack, offset, flags = _HEADER_TCP.unpack_from(frame, at)
    start = at + (offset >> 4) * 4
    length = end - start
    if offset >> 4 < 5 or length < 0:
        return wrong(f"the TCP header says that it has {(offset >> 4) * 4} bytes", Reason.DAMAGED)
    payload = frame[start:end]
    good = _checked(frame, at, end, 16, layer) if sized and len(payload) == length else None
    hint = PORT in {sport, dport} or marked(payload)
    return Outcome(Reason.READ, "", (*ends, seq, ack, flags, payload, length, len(payload), good, hint, None))


def _checked(frame: bytes, at: int, end: int, field: int, layer: _Layer) -> bool | None:
    """Whether the checksum of a segment is right; None if the network card was to fill it in."""
    pseudo = int.from_bytes(layer.src + layer.dst, "big") + layer.protocol + end - at
    data = frame[at:end]
    total = pseudo + int.from_bytes(data if len(data) % 2 == 0 else data + b"\0", "big")
    if total % _MODULUS == 0:
        return True
    (found,) = _WORD.unpack_from(data, field) if len(data) >= field + 2 else (0,)
    return None if found % _MODULUS == pseudo % _MODULUS else False


def _wrong(ends: tuple[str, str, int | None, str, int | None], frame: bytes, problem: str) -> Facts:
    return (*ends, None, None, None, frame, len(frame), len(frame), None, True, problem)


def _broken(frame: bytes, problem: str, reason: str) -> Outcome:
    facts: Facts = (
        None, None, None, None, None, None, None, None, frame, len(frame), len(frame), None, True, problem
    )  # fmt: skip
    return Outcome(reason, problem, facts)
