"""Extracts the segment or datagram from a captured frame.

1. `Dissector` parses link layer, tags, tunnels and IP.  It keeps fragments until their datagram is complete.
   Every frame has an `Outcome` with a reason.
2. The size is taken from the IP header.  If it is zero there, because the network card splits the segment
   later, the size of the frame is used.
3. Other ports and other protocols produce no row; such frames are only counted.
4. A checksum is right, wrong or unknown.  It is unknown for truncated segments, and for segments whose
   checksum the network card fills in later; these contain the sum of the pseudo header instead.  Segments
   with a wrong checksum are kept.
5. The text in a segment that resets a connection is not data ([RFC 1122] 4.2.2.12), and is left out.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from msmq_wire.captures.files.segments import RST
from msmq_wire.packets.packet_starts import marked
from msmq_wire.values.errors import in_bytes, plural
from msmq_wire.values.numbers import PING_PORT, PORT

from .fragments import Fragment, Incomplete, PendingDatagram, Waiting
from .links import CUT, IPV4, IPV6, LINK_TYPES, own_version, stripped
from .tunnels import IP_TUNNELS, udp_tunnel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HINTS: Final = frozenset({PORT, PING_PORT})

SegmentColumns: TypeAlias = tuple[
    "str | None", "str | None", "int | None", "str | None", "int | None",
    "int | None", "int | None", "int | None", bytes, int, int, "bool | None", bool, "str | None",
]  # fmt: skip
"""The columns of a row from `transport` on."""

_TCP, _UDP = 6, 17
_NAMES = {_TCP: "tcp", _UDP: "udp"}
_HEADER_4 = struct.Struct("!BxHHHxBxx4s4s")
_HEADER_6 = struct.Struct("!xxxxHBx16s16s")
_HEADER_TCP = struct.Struct("!HHIIBB")
_WORD = struct.Struct("!H")
_PORTS = struct.Struct("!HH")
_HEADER_UDP = struct.Struct("!HHHxx")
_FRAGMENT, _AUTHENTICATION = 44, 51
_OPTIONS_6 = frozenset({0, 43, 60, 135, 139, 140})
"""Extension headers that state their size in units of eight bytes."""
_JUMBO: Final = b"\xc2\4"
"""The option with the size of a packet of more than 65,535 bytes (RFC 2675), which is aligned."""
_MORE, _FRAGMENT_OFFSET = 0x2000, 0x1FFF
_MOST = 1 << 24
"""Size limit of frames whose size on the wire only the capture states."""
_DEPTH = 16
"""Largest number of nested IP headers."""
MODULUS: Final = 0xFFFF
"""Sums of 16-bit words for checksums are computed modulo this number, where 2**16 is 1."""


class Reason:
    """The result of reading a frame; the column `reason` of the table `frames`."""

    READ = "read"
    """Its segment or datagram is a row."""
    OTHER = "other protocol"
    """It has another protocol or other ports."""
    NOT_IP = "not IP"
    FRAGMENT = "fragment"
    """Its datagram was reassembled; the frame that completed it is counted by its contents."""
    MISSING = "fragment missing"
    CUT = "cut"
    """The capture truncated it too early."""
    DAMAGED = "damaged"
    """Its headers contradict each other, or its record cannot be read."""
    LINK = "link type unknown"
    STREAM = "other stream"
    """Its segment is in a connection without MSMQ."""
    LATE = "late"
    """Its segment came from a pipe after its bytes had been reported as a gap."""
    EMPTY = "no MSMQ bytes"
    NO_FRAMES = "no frames"
    """No frame of the file can be read: it has none, or `quarantine` has the error."""
    HIDDEN = "hidden"
    """The file or directory was not read, because of its name; its frames are not counted."""
    NO_FILE = "not a file"
    """The entry of a directory was not read, because of what it is, such as a link that is not followed."""


OMITTED: Final = frozenset({Reason.HIDDEN, Reason.NO_FILE})
"""The reasons of entries of directories that are not read."""


class Outcome(NamedTuple):
    """The result of reading a frame.

    Attributes:
        reason: One of `Reason`.
        detail: The protocol, type or error; one of few different texts.
        facts: The columns of its row, with an error if a relevant frame cannot be read; None without a
            row.
    """

    reason: str
    detail: str
    facts: SegmentColumns | None


class Ports(NamedTuple):
    """Which segments and datagrams are read: those with one of these ports at either end.

    Attributes:
        tcp: TCP ports; None for all.
        udp: UDP ports; None for all.
    """

    tcp: frozenset[int] | None
    udp: frozenset[int] | None

    def wants(self, protocol: int, sport: int, dport: int) -> bool:
        """Return whether a segment or datagram is read."""
        wanted = self.tcp if protocol == _TCP else self.udp
        return wanted is None or sport in wanted or dport in wanted

    def misses(self, protocol: int, sport: int, dport: int) -> bool:
        """Return whether an unreadable segment gets an error row; if all ports are read, only known ones."""
        wanted = self.tcp if protocol == _TCP else self.udp
        wanted = HINTS if wanted is None else wanted
        return sport in wanted or dport in wanted


class _Layer(NamedTuple):
    """The payload of an IP packet, after its headers."""

    protocol: int
    start: int
    end: int
    src: bytes
    dst: bytes
    sized: bool  # whether the header states the size


class Dissector:
    """Reads the frames of one file, in order.

    Args:
        ports: Which segments and datagrams are read.
        leaves: Whether `left` is called at the end.
    """

    def __init__(self, ports: Ports, *, leaves: bool = False) -> None:
        self._ports = ports
        self._waiting = Waiting(leaves=leaves)
        self._now: int | None = None

    def read(
        self,
        frame: bytes,
        link: int,
        wire: int,
        number: int = 0,
        note: object = None,
        time: int | None = None,
    ) -> Outcome:
        """Read a frame.

        Args:
            frame: The captured bytes.
            link: Link type.
            wire: Size on the wire.
            number: Number of the frame in the file.
            note: Returned by `missing` if the frame is a fragment of an incomplete datagram.
            time: Time of capture in microseconds, if known.
        """
        self._now = time
        finder = LINK_TYPES.get(link)
        if finder is None:
            return Outcome(Reason.LINK, f"link type {link}", None)
        kind, at = finder(frame)
        return self._down(frame, kind, at, max(min(wire, _MOST), len(frame)), (number, len(frame)), note)

    def read_whole(self, key: tuple[bytes, bytes, int, int], data: bytes) -> Outcome:
        """Read a datagram whose fragments were reassembled elsewhere.

        Args:
            key: As in its fragments.
            data: Its payload.
        """
        src, dst, protocol, _ = key
        layer = _extended(data, _Layer(protocol, 0, len(data), src, dst, sized=True))
        if isinstance(layer, Outcome):
            return _broken(data, layer.detail, layer.reason)
        outcome = self._carried(data, layer)
        if isinstance(outcome, Outcome):
            return outcome
        if outcome[0] == 0:
            return Outcome(Reason.OTHER, f"IP protocol {protocol}", None)
        return self._down(data, *outcome, len(data), (0, len(data)), None)

    def _down(
        self, frame: bytes, kind: int, at: int, end: int, counted: tuple[int, int], note: object
    ) -> Outcome:
        """Read a header of type `kind` at an offset of a frame, and everything inside."""
        data = frame
        for _ in range(_DEPTH):
            kind, at = stripped(data, kind, at)
            if kind == CUT:
                return _broken(frame, "the frame ends within its link header", Reason.CUT)
            if kind not in {IPV4, IPV6}:
                return Outcome(Reason.NOT_IP, f"type {kind:#06x}", None)
            is_four = own_version(data, kind, at) == IPV4
            layer = _ipv4(data, at, end) if is_four else _ipv6(data, at, end)
            if isinstance(layer, Outcome):
                return _broken(frame, layer.detail, layer.reason)
            if isinstance(layer, _Piece):
                whole = self._joined(layer, counted, note)
                if isinstance(whole, Outcome):
                    return whole
                data = whole
                layer = _Layer(layer.protocol, 0, len(whole), layer.src, layer.dst, sized=True)
            within = _extended(data, layer)
            if isinstance(within, Outcome):
                return _broken(frame, within.detail, within.reason)
            layer = within
            outcome = self._carried(data, layer)
            if isinstance(outcome, Outcome):
                return outcome
            (kind, at), end = outcome, layer.end
            if kind == 0:
                return Outcome(Reason.OTHER, f"IP protocol {layer.protocol}", None)
        return Outcome(Reason.OTHER, "too many headers", None)

    def _joined(self, piece: _Piece, counted: tuple[int, int], note: object) -> bytes | Outcome:
        if piece.missing:
            return Outcome(Reason.CUT, "a fragment that the capture truncated", None)
        fragment = Fragment(
            (piece.src, piece.dst, piece.protocol, piece.identification),
            piece.fragment_offset,
            piece.data,
            piece.more,
        )
        whole = self._waiting.take(fragment, counted, note, self._now)
        return Outcome(Reason.FRAGMENT, "", None) if whole is None else whole

    def _carried(self, data: bytes, layer: _Layer) -> tuple[int, int] | Outcome:
        """Return type and offset of the packet inside an IP packet, or the outcome of a segment."""
        protocol, start = layer.protocol, layer.start
        if protocol in _NAMES:
            if protocol == _UDP and len(data) >= start + 8:
                tunnel = udp_tunnel(*_PORTS.unpack_from(data, start))
                if tunnel is not None:
                    inner = tunnel(data, start + 8)
                    if inner[0] and (inner[0] != CUT or layer.end > len(data)):
                        return inner
            return _transport(data, layer, self._ports)
        parser = IP_TUNNELS.get(protocol)
        return (0, start) if parser is None else parser(data, start)

    def joined(self) -> list[int]:
        """Return the captured sizes of frames in reassembled datagrams; each is returned once."""
        joined, self._waiting.joined = self._waiting.joined, []
        return joined

    def left(self) -> Iterator[PendingDatagram]:
        """Remove and yield all datagrams that wait for fragments."""
        return self._waiting.left()

    def missing(self, *, at_end: bool = False) -> Iterator[tuple[object, Outcome, list[tuple[int, int]]]]:
        """Yield incomplete datagrams and differing fragments: a note, the outcome, and the frames to count.

        Args:
            at_end: Whether the file has ended, so no more fragments follow.
        """
        yield from self.missing_of(self._waiting.given_up(all_of_them=at_end))
        yield from self.differing_of(self._waiting)

    def missing_of(
        self, incomplete: Iterable[Incomplete]
    ) -> Iterator[tuple[object, Outcome, list[tuple[int, int]]]]:
        """Yield the same for these datagrams."""
        for lost in incomplete:
            there = f"{in_bytes(lost.size)} of it {plural(lost.size, 'was', 'were')} captured"
            problem = f"fragments of a datagram are missing; {there}"
            facts = self._wrong_fragment(lost.key, lost.head, lost.head, problem)
            yield lost.first, Outcome(Reason.MISSING, "", facts), lost.frames

    def differing_of(self, waiting: Waiting) -> Iterator[tuple[object, Outcome, list[tuple[int, int]]]]:
        """Yield the same for the differing fragments of these datagrams, whose frames are counted there."""
        differing, waiting.differing = waiting.differing, []
        for fragment, note in differing:
            head = b"" if fragment.fragment_offset else fragment.data
            problem = "a fragment differs from bytes captured before it, which are used"
            facts = self._wrong_fragment(fragment.key, head, fragment.data, problem)
            yield note, Outcome(Reason.FRAGMENT, "", facts), []

    def _wrong_fragment(
        self, key: tuple[bytes, bytes, int, int], head: bytes, data: bytes, problem: str
    ) -> SegmentColumns | None:
        """Return the columns of a row for fragments, or None if their ports are not of interest."""
        src, dst, protocol, _ = key
        sport = dport = None
        if head:  # of eight bytes at least
            sport, dport = _PORTS.unpack_from(head)
        wanted = protocol == _TCP if sport is None else self._ports.misses(protocol, sport, dport or 0)
        if protocol not in _NAMES or not wanted:
            return None
        return _wrong((_NAMES[protocol], _text(src), sport, _text(dst), dport), data, problem)


# ------------------------------------------------------------------------------------------ IP


class _Piece(NamedTuple):
    """A fragment of a datagram; `missing` if the capture truncated it."""

    protocol: int
    src: bytes
    dst: bytes
    identification: int
    fragment_offset: int
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
    first, total, identification, fragment_offset, protocol, src, dst = _HEADER_4.unpack_from(frame, at)
    header = (first & 15) * 4
    if first >> 4 != 4 or header < _HEADER_4.size:
        return _broken(b"", f"the IPv4 header begins with {first:#04x}", Reason.DAMAGED)
    end = at + total if total else frame_end
    start = at + header
    if fragment_offset & (_MORE | _FRAGMENT_OFFSET):
        return _Piece(
            protocol, src, dst, identification,
            (fragment_offset & _FRAGMENT_OFFSET) * 8, bool(fragment_offset & _MORE),
            frame[start:end], end > len(frame) or end <= start,
        )  # fmt: skip
    return _Layer(protocol, start, end, src, dst, total > 0)


def _ipv6(frame: bytes, at: int, frame_end: int) -> _Layer | _Piece | Outcome:
    start = at + 40
    if len(frame) < start:
        return _cut("its IP header")
    if frame[at] >> 4 != 6:
        return _broken(b"", f"the IPv6 header begins with {frame[at]:#04x}", Reason.DAMAGED)
    size, kind, src, dst = _HEADER_6.unpack_from(frame, at)
    if not size and kind == 0 and frame[start + 2 : start + 4] == _JUMBO:
        size = int.from_bytes(frame[start + 4 : start + 8], "big")
    end = start + size if size else frame_end
    layer = _extended(frame, _Layer(kind, start, end, src, dst, size > 0))
    if isinstance(layer, Outcome) or layer.protocol != _FRAGMENT:
        return layer
    start = layer.start
    if len(frame) < start + 8:
        return _cut("an extension header")
    fragment_offset, identification = struct.unpack_from("!HI", frame, start + 2)
    if fragment_offset & 0xFFF9:
        return _Piece(
            frame[start], src, dst, identification, fragment_offset & 0xFFF8, bool(fragment_offset & 1),
            frame[start + 8 : end], end > len(frame) or end <= start + 8,
        )  # fmt: skip
    return layer._replace(protocol=frame[start], start=start + 8)


def _extended(frame: bytes, layer: _Layer) -> _Layer | Outcome:
    """Skip extension headers; IPv4 has only that of authentication ([RFC 4302])."""
    kind, start = layer.protocol, layer.start
    six = len(layer.src) == 16
    while kind == _AUTHENTICATION or (six and kind in _OPTIONS_6):
        if len(frame) < start + 8:
            return _cut("an extension header")
        units = frame[start + 1]
        kind, start = (
            frame[start],
            start + ((units + 2) * 4 if kind == _AUTHENTICATION else (units + 1) * 8),
        )
    return layer._replace(protocol=kind, start=start)


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
            return wrong(
                f"the UDP header states a size of {in_bytes(length + _HEADER_UDP.size)}", Reason.DAMAGED
            )
        payload = frame[start : start + length]
        good = None
        if len(payload) == length and frame[at + 6 : at + 8] != b"\0\0":
            good = _checked(frame, at, start + length, 6, layer)
        facts: SegmentColumns = (*ends, None, None, None, payload, length, len(payload), good, missed, None)
        return Outcome(Reason.READ, "", facts)
    if len(frame) < at + _HEADER_TCP.size:
        return wrong("the frame ends within its TCP header", Reason.CUT)
    _, _, seq, ack, offset, flags = _HEADER_TCP.unpack_from(frame, at)
    start = at + (offset >> 4) * 4
    length = end - start
    if offset >> 4 < 5 or length < 0:
        return wrong(f"the TCP header states a size of {(offset >> 4) * 4} bytes", Reason.DAMAGED)
    payload = frame[start:end]
    good = _checked(frame, at, end, 16, layer) if sized and end <= len(frame) else None
    if flags & RST:
        payload, length = b"", 0
    hint = PORT in {sport, dport} or marked(payload)
    return Outcome(Reason.READ, "", (*ends, seq, ack, flags, payload, length, len(payload), good, hint, None))


def _checked(frame: bytes, at: int, end: int, field: int, layer: _Layer) -> bool | None:
    """Return whether a checksum is right; None if the network card fills it in later."""
    pseudo = int.from_bytes(layer.src + layer.dst, "big") + layer.protocol + end - at
    data = frame[at:end]
    total = pseudo + int.from_bytes(data if len(data) % 2 == 0 else data + b"\0", "big")
    if total % MODULUS == 0:
        return True
    (checksum,) = _WORD.unpack_from(data, field)
    return None if checksum % MODULUS == pseudo % MODULUS else False


def _wrong(ends: tuple[str, str, int | None, str, int | None], frame: bytes, problem: str) -> SegmentColumns:
    return (*ends, None, None, None, frame, len(frame), len(frame), None, True, problem)


def _broken(frame: bytes, problem: str, reason: str) -> Outcome:
    facts: SegmentColumns = (
        None, None, None, None, None, None, None, None, frame, len(frame), len(frame), None, True, problem
    )  # fmt: skip
    return Outcome(reason, problem, facts)
