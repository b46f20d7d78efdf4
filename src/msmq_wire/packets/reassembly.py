"""Reassembly of one direction of a captured TCP connection: segments in, packets out.

1. Segments have to be sorted by offset.  If several segments have the same byte, a segment whose checksum is
   not wrong takes precedence, then the one that was captured first.  A contradicting segment is reported with
   its bytes; `overlaps` bounds the number of reports.
2. A gap is reported where bytes are missing.  A packet with a gap is accepted if the next packet, a gap or
   the end of the flow begins where its size ends: its available bytes are reported as `HEAD` and `REST`, and
   reading continues after it.  Otherwise its size cannot be trusted, and the bytes on both sides of the gap
   are searched for packets.  For a piece that begins with the signature of an incomplete packet,
   `Piece.partial` has the decoded part; the bytes after a gap within a packet are not decoded.
3. Packets, other bytes and gaps cover the flow from offset 0 to the end without holes.  Differing copies of
   captured bytes are reported in addition.
4. If the first captured bytes are those of another protocol, `FlowReader.protocol` names it.  In a
   connection of remote procedure calls, packets are read from the stubs of calls, which may have several
   fragments.
5. Work is linear in the bytes.  Memory is bounded by the largest packet and the largest segment, not by the
   flow: a byte is held until later segments cannot change it and the packet around it has ended.
"""

from __future__ import annotations

import enum
from collections import deque
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from msmq_wire.documents.mqqb import PingPacket  # annotates a field, which msgspec evaluates
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import DecodeError, MsmqWireError, in_bytes, need
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.numbers import MAX_PACKET_SIZE
from msmq_wire.values.refusals import Problem, say

from .beginning import CALLS, protocol_of
from .calls import Call, CallStream  # annotates a field, which msgspec evaluates
from .kinds import Packet  # likewise
from .lax import decode_lax
from .mistaken import NAMED_BY
from .overlaps import Contradiction, Window
from .packet_starts import BASE_SIZE, MARK_SIZE, PACKET_SIZE, begins_packet, ends, starts_packet, unpack_base
from .stream import Frame, PacketStream, Partial, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .partial import LaxResult

_NOTHING: Iterator[Any] = iter(())


class Kind(enum.StrEnum):
    """The kind of a piece of a flow."""

    PACKET = "packet"
    UNREADABLE = "unreadable"
    """A packet that cannot be read: bytes from a version and signature up to the next ones."""
    JUNK = "junk"
    """Bytes in which no packet begins."""
    HEAD = "head"
    """The part of a packet before a gap."""
    REST = "rest"
    """The part of a packet after a gap."""
    TAIL = "tail"
    """A packet that was incomplete when the flow ended."""
    GAP = "gap"
    CONFLICT = "conflict"
    """Bytes of a segment that differ from the selected copy in at least one byte; not part of the stream."""

    @property
    def in_stream(self) -> bool:
        """Whether pieces of this kind are part of the stream, so that their sizes add up to its length."""
        return self is not Kind.CONFLICT


PARTS = frozenset({Kind.UNREADABLE, Kind.HEAD, Kind.TAIL})
"""The kinds of pieces that may begin with a packet that cannot be read whole."""


class Origin(NamedTuple):
    """The frame in which a segment was captured.  If two segments have the same byte, the lesser origin wins.

    Attributes:
        time: Microseconds since 1970, or 0 if unknown.
        file: The capture.
        frame: Number of the frame in it.
        rank: The order of capture if it differs from that of the times, for example after a clock was set
            back.
        wrong: Whether its checksum is wrong; segments without a wrong checksum win over those with one.
    """

    time: int
    file: str
    frame: int
    rank: int = 0
    wrong: bool = False

    def __lt__(self, other: Any) -> bool:
        return (self.wrong, _captured(self)) < (other.wrong, _captured(other))


_captured = itemgetter(3, 0, 1, 2)
"""The order of capture."""


class Origins(Protocol):
    """The origins of many consecutive segments, which are looked up only where a piece begins or ends."""

    def between(self, start: int, stop: int) -> tuple[Origin, Origin]:
        """Return the first and the last captured origin of some of these bytes.

        Args:
            start: Offset of the first byte in the flow.
            stop: Offset after the last one.
        """


def _between(source: Origin | Origins, start: int, stop: int) -> tuple[Origin, Origin]:
    return (source, source) if isinstance(source, Origin) else source.between(start, stop)


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A part of a flow.

    Attributes:
        kind: The kind of the piece.
        offset: Offset from the beginning of the flow, in bytes.
        size: Size in bytes.
        data: The bytes; empty for a gap.
        first: The first captured segment that has some of its bytes; for a gap, the segment before it, or
            None.
        last: The last captured segment that has some of its bytes; for a gap, the segment after it.
        reason: The source of `error`; None for a packet.
        packet: The decoded packet; a Ping for a datagram.
        call: The remote call whose answer has the packet, or which ends with the fragment of this header;
            otherwise None.
    """

    kind: Kind
    offset: int
    size: int
    data: bytes
    first: Origin | None
    last: Origin | None
    reason: Skipped | DecodeError | None = None
    packet: Packet | PingPacket | None = None
    call: Call | None = None

    @property
    def is_begun(self) -> bool:
        """Whether it is a packet, or a part of one that includes the beginning."""
        return self.kind is Kind.PACKET or self._is_part

    @property
    def _is_part(self) -> bool:
        return self.kind in PARTS and len(self.data) >= MARK_SIZE and starts_packet(self.data, 0)

    @property
    def partial(self) -> LaxResult | None:
        """The lenient decoding of an incomplete packet; offsets count from the beginning of the piece.

        None for a complete packet, and for bytes that do not begin with the signature of a packet.  It is
        computed on each access.
        """
        return decode_lax(self.data) if self._is_part else None

    @property
    def error(self) -> DecodeError | None:
        """Why the piece is not a packet; the offset counts from the beginning of the flow."""
        return self.reason.error if isinstance(self.reason, Skipped) else self.reason


class _GappedPacket:
    """A packet with a gap.

    Attributes:
        begin: Its offset.
        ends: Its possible ends; a trailing SessionHeader adds a second one.
        parts: The available bytes of the packet and after it, with offsets.
        gaps: The gaps between the parts; the last one may be after them.
    """

    def __init__(self, begin: int, head: bytes, ends: tuple[int, ...]) -> None:
        self.begin = begin
        self.ends = ends
        self.parts = [(begin, bytearray(head))]
        self.gaps: list[Piece] = []

    def add(self, offset: int, data: bytes | bytearray) -> None:
        if len(self.gaps) == len(self.parts):
            self.parts.append((offset, bytearray()))
        self.parts[-1][1].extend(data)

    def end(self, end_of_flow: int | None) -> int | None:
        """The end of the packet, if another packet, a gap or the end of the flow begins there."""
        start, part = self.parts[-1]
        for end in self.ends:
            if end == end_of_flow or (0 <= end - start <= len(part) and begins_packet(part, end - start)):
                return end
        return None

    def there(self, end: int) -> int:
        """The number of its available bytes, if it ends at `end`."""
        return sum(min(len(part), max(end - start, 0)) for start, part in self.parts)


class FlowReader:
    """Reassembles the segments of one direction of a connection and splits them into packets.

    Iterators are lazy, so that few pieces are in memory at a time.  If an iterator is abandoned, its
    remaining pieces come first from the next one.

    >>> reader = FlowReader()
    >>> for segment in sorted(segments):
    ...     for piece in reader.feed(segment.offset, segment.data, segment.origin):
    ...         handle(piece)
    >>> last = reader.close()

    Attributes:
        position: Offset up to which the flow was reported or is pending.
        end: Length of the flow, by the segments so far.
        fed: Number of bytes fed.
        protocol: The protocol of the first captured bytes if it is not MSMQ, such as ``RPC``, otherwise
            empty; None until enough bytes were fed.
    """

    def __init__(self, max_packet_size: int = MAX_PACKET_SIZE, *, limits: Limits = DEFAULT_LIMITS) -> None:
        """Begin a flow.

        Args:
            max_packet_size: The largest PacketSize to wait for.
            limits: Further bounds for packets, as for `PacketStream`.
        """
        self._max_packet_size = max_packet_size
        self._limits = limits
        self.protocol: str | None = None
        self._head = bytearray()  # the first bytes, until the protocol is known
        self._told_by = NAMED_BY  # how many of them to wait for
        self._contexts = dict[int, int]()  # of a connection of remote calls
        self._stream = self._new_stream(0)
        self._cut: _GappedPacket | None = None
        self._window = Window()
        self._held: tuple[int, int, bytes, Origin] | None = (
            None  # the only held segment, if there is just one
        )
        self._marks: deque[tuple[int, Origin | Origins]] = deque()  # where the bytes of segments end
        self._before: Origin | None = None  # the last segment before the position
        self._shown_by: Origin | None = None  # the first segment that ends at `end`, if bytes may be missing
        self._last_offset = 0
        self._closed = False
        self._jobs: deque[Iterator[Piece]] = deque()  # pending work
        self.position = 0
        self.end = 0
        self.fed = 0

    @property
    def repeated(self) -> int:
        """Number of bytes that were fed more than once."""
        return self._window.repeated

    @property
    def due(self) -> int:
        """The offset up to which bytes are needed to complete the pending packet, or to see one begin."""
        return self.position + (self._stream.missing if self._cut is None else 0)

    def feed(self, offset: int, data: bytes, origin: Origin, length: int | None = None) -> Iterator[Piece]:
        """Feed the next segment.

        Args:
            offset: Offset of its bytes from the beginning of the flow; not less than that of the previous
                segment.
            data: The bytes; may be empty.
            origin: The frame in which it was captured.
            length: Its size on the wire, if the capture truncated it.

        Returns:
            An iterator over the pieces that are final.

        Raises:
            MsmqWireError: The segment is out of order, its offset is negative, or the flow was closed.
            WrongTypeError: `offset` or `length` is not a number, `data` not a buffer, or `origin` not an
                `Origin`.
        """
        if offset.__class__ is not int:
            need("offset", offset, int, "a number")
        if origin.__class__ is not Origin:
            need("origin", origin, Origin, "an Origin")
        if length is not None and length.__class__ is not int:
            need("length", length, int, "a number or None")
        if self._closed or offset < self._last_offset:
            if offset < 0:
                raise MsmqWireError(f"offset is {offset}, but offsets are not negative")
            raise MsmqWireError(
                f"a segment at offset {offset} is fed after "
                + ("the end of the flow" if self._closed else f"one at {self._last_offset}")
            )
        if data.__class__ is not bytes:
            data = as_bytes(data)
        size = len(data)
        self._last_offset = offset
        self.fed += size
        if offset + (length or size) > self.end:
            self.end = offset + max(size, length or 0)
            self._shown_by = origin
        if not self._jobs and self._follows(offset):
            segment, self._held = self._held, (offset, offset + size, data, origin) if data else None
            if segment is None:
                return _NOTHING
            _, end, before, source = segment
            self.position, self._before = end, source
            self._marks.append((end, source))
            if self.protocol is None or not self._stream.wait(before):
                self._jobs.append(self._report(self._frames(before)))
                return self._pieces()
            return _NOTHING
        self._jobs.append(self._settle(offset))
        if data:
            self._jobs.append(self._hold(offset, data, origin))
        return self._pieces()

    def _follows(self, offset: int) -> bool:
        """Whether the held segment follows the bytes before it, and nothing overlaps it: the usual case."""
        segment = self._held
        if segment is None:
            return not self._window
        return segment[1] <= offset and segment[0] == self.position and self._cut is None

    def feed_joined(
        self, offset: int, data: bytes, marks: list[tuple[int, Origin | Origins]]
    ) -> Iterator[Piece]:
        """Feed several consecutive segments at once.

        The result is that of `feed` for each of them, if no segment before or after overlaps them.

        Args:
            offset: Offset of the first segment; not less than the end of any earlier segment.
            data: The bytes of all segments.
            marks: The end and the origin of each segment, or the end and the origins of several.

        Returns:
            An iterator over the pieces that are final.

        Raises:
            MsmqWireError: The segments are out of order, or the flow was closed.
        """
        if self._closed or offset < max(self._last_offset, self.end):
            raise MsmqWireError(f"segments at offset {offset} come after the end of others or of the flow")
        self._last_offset = offset
        self.fed += len(data)
        self.end = offset + len(data)
        self._jobs.append(self._settle(offset))
        self._jobs.append(self._deliver(offset, data, marks))
        return self._pieces()

    def settle(self, offset: int) -> Iterator[Piece]:
        """Declare that no further segment begins before an offset.

        Returns:
            An iterator over the pieces that are final.
        """
        self._last_offset = offset
        self._jobs.append(self._settle(offset))
        return self._pieces()

    def idle_at(self, offset: int) -> bool:
        """Whether all bytes before an offset were reported, so that a packet may begin there."""
        return (
            self.position == offset
            and self._cut is None
            and not self._jobs
            and not self._window
            and self._held is None
            and self._stream.idle
            and not self._head
        )

    def pass_over(self, offset: int, origin: Origin) -> None:
        """Skip packets that were read elsewhere; the reader has to be idle.

        Args:
            offset: The end of the last packet; no earlier segment extends beyond it.
            origin: The frame of its last byte.
        """
        size = offset - self.position
        self.protocol = self.protocol or ""
        self._stream.pass_over(size)
        self._marks.clear()
        self._before = origin
        self.fed += size
        self.position = self._last_offset = offset
        self.end = max(self.end, offset)

    def close(self, end: int = 0) -> Iterator[Piece]:
        """End the flow.

        Args:
            end: The length of the flow if known otherwise, for example from the sequence number of a FIN.

        Returns:
            An iterator over the last pieces.
        """
        if not self._closed:
            self._closed = True
            if end > self.end:
                self.end, self._shown_by = end, None
            self._jobs.append(self._finish())
        return self._pieces()

    def _finish(self) -> Iterator[Piece]:
        """Report all remaining pieces."""
        yield from self._settle(self.end)
        if self.end > self.position:
            yield from self._gap(self.end, self._shown_by)
        if self._cut is not None:
            yield from self._decide(self._cut, self.end)
        yield from self._end_stream(Kind.TAIL)

    def _pieces(self) -> Iterator[Piece]:
        jobs = self._jobs
        while jobs:
            piece = next(jobs[0], None)
            if piece is None:
                jobs.popleft()
            else:
                yield piece

    # ------------------------------------------------------------------------------- overlapping segments

    def _settle(self, offset: int) -> Iterator[Piece]:
        """Process the held bytes before `offset`, which no further segment can change."""
        segment, window = self._held, self._window
        if segment is not None and segment[1] <= offset:
            self._held = None
            yield from self._deliver(segment[0], segment[2], [(segment[1], segment[3])])
        elif segment is not None:
            self._share(segment)
        if window and window.start < offset:
            start = window.start
            data, marks = window.take(offset)
            yield from self._deliver(start, data, marks)

    def _share(self, segment: tuple[int, int, bytes, Origin]) -> None:
        """Move the only held segment to the window, because others may overlap it."""
        self._held = None
        self._window.add(segment[0], segment[2], segment[3])

    def _hold(self, offset: int, data: bytes, origin: Origin) -> Iterator[Piece]:
        """Hold a segment; all held bytes start at its offset."""
        if not self._window and self._held is None:
            self._held = offset, offset + len(data), data, origin
            return
        if self._held is not None:
            self._share(self._held)
        yield from map(conflict, self._window.add(offset, data, origin))

    # --------------------------------------------------------------------------------- gaps and packets

    def _deliver(
        self, start: int, data: bytes | bytearray, marks: list[tuple[int, Origin | Origins]]
    ) -> Iterator[Piece]:
        """Process final bytes."""
        if start > self.position:
            yield from self._gap(start, _between(marks[0][1], start, start + 1)[0])
        self._marks.extend(marks)
        self.position, source = marks[-1]
        self._before = _between(source, self.position - 1, self.position)[1]
        if self._cut is None:
            yield from self._report(self._frames(data))
        else:
            self._cut.add(start, data)
            if self.position >= max(self._cut.ends) + MARK_SIZE:
                yield from self._decide(self._cut, None)

    def _gap(self, end: int, behind: Origin | None) -> Iterator[Piece]:
        """Report a gap up to `end`."""
        gap = Piece(Kind.GAP, self.position, end - self.position, b"", self._before, behind)
        if self._cut is not None and self.position >= min(self._cut.ends):
            yield from self._decide(self._cut, None)
        self._cut = self._cut or self._cut_packet()
        if self._cut is None:
            yield from self._end_stream(Kind.HEAD)
            yield gap
            self._stream = self._new_stream(end)
        else:
            self._cut.gaps.append(gap)
        self.position = end

    def _cut_packet(self) -> _GappedPacket | None:
        """The packet that is currently incomplete, or None."""
        head = self._stream.pending if self._stream.synchronised else b""
        if len(head) < BASE_SIZE:
            return None
        _, flags, _, size = unpack_base(head)
        begin = self.position - len(head)
        end = begin + size
        return _GappedPacket(begin, head, ends(end, flags)) if end > self.position else None

    def _decide(self, cut: _GappedPacket, end_of_flow: int | None) -> Iterator[Piece]:
        """Accept a packet with a gap, or search its parts for packets; then continue in the last part."""
        self._cut = None
        end = cut.end(end_of_flow)
        there = 0 if end is None else cut.there(end)
        for index, (start, part) in enumerate(cut.parts):
            if end is None:
                if index:
                    self._stream = self._new_stream(start)
                    yield from self._report(self._stream.frames(part))
            else:
                if start < end:
                    kind = Kind.REST if index else Kind.HEAD
                    yield self._piece(
                        kind, start, bytes(part[: end - start]), _cut_by_gap(cut, kind, end, there)
                    )
                self._stream = self._new_stream(min(end, start + len(part)))
                yield from self._report(self._stream.frames(part[end - start :]))
            if index < len(cut.gaps):
                yield from self._end_stream(Kind.HEAD)
                yield cut.gaps[index]
        if len(cut.gaps) == len(cut.parts):
            self._stream = self._new_stream(self.position)

    def _end_stream(self, kind: Kind) -> Iterator[Piece]:
        """Report the pending bytes; the beginning of a packet gets this kind."""
        if self._head:
            yield from self._report(self._frames(is_last=True))
        stream = self._stream
        begun = stream.origin + stream.bytes_fed - len(stream.pending) if stream.synchronised else -1
        for piece in self._report(stream.frames(final=True)):
            is_begun = piece.offset == begun and piece.kind is not Kind.PACKET
            yield msgspec.structs.replace(piece, kind=kind) if is_begun else piece

    # ------------------------------------------------------------------------------------------- pieces

    def _frames(self, data: bytes | bytearray = b"", *, is_last: bool = False) -> Iterator[Frame | Skipped]:
        """Pass bytes to the stream; the first ones determine the kind of stream."""
        if self.protocol is None:
            self._head += data
            if len(self._head) < self._told_by and not is_last:
                return _NOTHING
            protocol = protocol_of(bytes(self._head), final=is_last)
            if protocol is None:
                self._told_by = 2 * len(self._head)  # doubled, so that the work stays linear
                return _NOTHING
            self.protocol = protocol.name
            if protocol.name == CALLS:
                self._stream = self._new_calls(self._stream.origin, is_lost=protocol.is_late)
            data = bytes(self._head)
            self._head.clear()
        return self._stream.frames(data)

    def _new_stream(self, offset: int) -> PacketStream | CallStream:
        if self.protocol == CALLS:
            return self._new_calls(offset, is_lost=True)
        return PacketStream(self._max_packet_size, max_skipped=0, limits=self._limits, origin=offset)

    def _new_calls(self, offset: int, *, is_lost: bool) -> CallStream:
        return CallStream(
            self._max_packet_size, self._limits, offset, is_lost=is_lost, contexts=self._contexts
        )

    def _report(self, items: Iterable[Frame | Skipped]) -> Iterator[Piece]:
        stream = self._stream
        for item in items:
            within, call = (stream.interruption, stream.call) if isinstance(stream, CallStream) else (0, None)
            if isinstance(item, Frame):
                yield self._piece(Kind.PACKET, item.offset, item.data, None, item.packet, within, call)
            else:
                kind = Kind.UNREADABLE if isinstance(item, Partial) else Kind.JUNK
                yield self._piece(kind, item.offset, item.data, item, None, 0, call)

    def _piece(
        self,
        kind: Kind,
        offset: int,
        data: bytes,
        reason: Skipped | DecodeError | None,
        packet: Any = None,
        within: int = 0,
        call: Call | None = None,
    ) -> Piece:
        marks, end = self._marks, offset + len(data) + within
        while marks[0][0] <= offset:
            marks.popleft()
        stop, source = marks[0]
        first, last = _between(source, offset, min(stop, end))
        if stop < end:
            least, most = _captured(first), _captured(last)
            for after, source in islice(marks, 1, None):
                for origin in (
                    (source,) if isinstance(source, Origin) else source.between(stop, min(after, end))
                ):
                    order = _captured(origin)
                    if order < least:
                        least, first = order, origin
                    elif order > most:
                        most, last = order, origin
                stop = after
                if stop >= end:
                    break
        return Piece(kind, offset, len(data), data, first, last, reason, packet, call)


def conflict(contradiction: Contradiction) -> Piece:
    """Return the piece that reports a contradiction."""
    actual = contradiction.data[contradiction.at - contradiction.start]
    error = DecodeError(
        say(Problem.VALUE, f"{contradiction.counts:#04x} as in the selected copy", f"{actual:#04x}"),
        structure="BaseHeader",
        path="segment",
        offset=contradiction.at,
        expected=contradiction.counts,
        actual=actual,
    )
    origin = contradiction.origin
    return Piece(
        Kind.CONFLICT, contradiction.start, len(contradiction.data), contradiction.data, origin, origin, error
    )


def _cut_by_gap(cut: _GappedPacket, kind: Kind, end: int, there: int) -> DecodeError:
    size = end - cut.begin
    whole = in_bytes(size) if kind is Kind.HEAD else f"{in_bytes(size)} of the packet at {cut.begin}"
    return DecodeError(
        say(Problem.VALUE, whole, f"{there} around a gap"),
        structure="BaseHeader",
        path=PACKET_SIZE,
        offset=cut.begin,
        expected=size,
        actual=there,
        limit="gap",
    )
