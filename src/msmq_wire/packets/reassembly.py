"""Segments of one direction of a TCP connection in, packets out, whatever was lost on the way.

1. Segments come in the order of their offsets, as a sort leaves them; where several hold the same byte, the
   one counts whose checksum is not wrong, and of those the one that was captured first.  A segment that says
   otherwise is reported, with its bytes; `_overlaps` bounds how often.
2. A gap is reported where bytes are missing, and costs nothing else.  A packet that a gap cuts is believed if
   the next one, a gap or the end of the flow begins where its size says: then what there is of it is reported
   as `HEAD` and `REST`, and reading goes on after it.  If not, its size is not to be trusted, and the bytes
   on both sides of the gap are searched for packets.  Of a piece that begins with the mark of a packet and is
   none `Piece.partial` has what is known; what follows a gap within a packet stays bytes.
3. Packets, bytes without a packet and gaps follow one another without a hole from offset 0 to the end.
   What was captured again and differs lies beside them.
4. Work is linear in the bytes.  Memory is bounded by the largest packet and the largest segment, not by the
   flow: a byte is held until later segments cannot change it and the packet around it has ended.
"""

from __future__ import annotations

import enum
from collections import deque
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from msmq_wire.documents.mqqb import PingPacket  # annotates a field, which msgspec evaluates
from msmq_wire.values.errors import DecodeError, MsmqWireError, in_bytes
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits

from .lax import decode_lax
from .marks import BASE_SIZE, MARK_SIZE, begins_packet, ends, is_marked, unpack_base
from .overlaps import Contradiction, Window
from .packet import MAX_PACKET_SIZE, Packet
from .stream import Frame, PacketStream, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .partial import LaxResult

__all__ = ["FlowReader", "Kind", "Origin", "Piece"]


_NOTHING: Iterator[Any] = iter(())


class Kind(enum.StrEnum):
    """What a piece of a flow is."""

    PACKET = "packet"
    JUNK = "junk"
    """Bytes between packets, and packets that cannot be read."""
    HEAD = "head"
    """What there is of a packet before the gap that cuts it."""
    REST = "rest"
    """What there is of it after a gap."""
    TAIL = "tail"
    """A packet that had begun when the flow ended."""
    GAP = "gap"
    CONFLICT = "conflict"
    """Bytes of a segment for places that one that counts has otherwise, at least one of them; beside the
    stream."""

    @property
    def in_stream(self) -> bool:
        """Whether such pieces are part of the stream, so that their sizes add up to its length."""
        return self is not Kind.CONFLICT


_PARTS = frozenset({Kind.HEAD, Kind.TAIL, Kind.JUNK})
"""The kinds of piece that a packet may begin with which is not whole."""


class Origin(NamedTuple):
    """Where a segment was captured.  The less of two is the one that counts where both hold the same byte.

    Attributes:
        time: Microseconds since 1970, or 0 if not known.
        file: The capture.
        frame: Number of the frame in it.
        rank: What tells the order of capture where times do not, as after a clock was set back.
        wrong: Whether its checksum is wrong; one whose checksum is not wrong counts before all that are.
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


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A part of a flow.

    Attributes:
        kind: What it is.
        offset: Where it begins, in bytes from the beginning of the flow.
        size: How many bytes it has.
        data: The bytes; empty for a gap.
        first: The segment among those that hold its bytes that was captured first; for a gap the one before
            it, if there is one.
        last: The one that was captured last; for a gap the one after it.
        reason: What knows why it is no packet, if it is none.
        packet: What `decode` makes of the bytes of a packet; a Ping for a datagram.
    """

    kind: Kind
    offset: int
    size: int
    data: bytes
    first: Origin | None
    last: Origin | None
    reason: Skipped | DecodeError | None = None
    packet: Packet | PingPacket | None = None

    @property
    def partial(self) -> LaxResult | None:
        """What is known of the packet that this is a part of, with places from its own beginning.

        None for a packet, and for bytes that do not begin with the mark of one: what has lost its beginning
        stays bytes.  It is made at each asking.
        """
        of_packet = self.kind in _PARTS and len(self.data) >= MARK_SIZE and is_marked(self.data, 0)
        return decode_lax(self.data) if of_packet else None

    @property
    def error(self) -> DecodeError | None:
        """Why it is no packet; its offset counts from the beginning of the flow."""
        return self.reason.error if isinstance(self.reason, Skipped) else self.reason


class _Cut:
    """A packet that a gap cuts.

    Attributes:
        begin: Where it begins.
        ends: Where it may end: with a SessionHeader after it there are two such places.
        parts: What there is of it and after it, with offsets.
        gaps: What lies between the parts; the last one may lie after them.
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
        """Where the packet ends, if another one, a gap or the end of the flow begins there."""
        start, part = self.parts[-1]
        for end in self.ends:
            if end == end_of_flow or (0 <= end - start <= len(part) and begins_packet(part, end - start)):
                return end
        return None

    def there(self, end: int) -> int:
        """How many of its bytes there are, if it ends at `end`."""
        return sum(min(len(part), max(end - start, 0)) for start, part in self.parts)


class FlowReader:
    """Puts the segments of one direction of a connection together and cuts packets out.

    Reading goes on as pieces are taken, so that few are in memory at a time; what is left of an iterator that
    is dropped comes first from the next one.

    >>> reader = FlowReader()
    >>> for segment in sorted(segments):
    ...     for piece in reader.feed(segment.offset, segment.data, segment.origin):
    ...         handle(piece)
    >>> last = reader.close()

    Attributes:
        position: Up to where the flow was reported or is pending.
        end: How long the flow is, as far as the segments tell.
        fed: Bytes taken in.
    """

    def __init__(self, max_packet_size: int = MAX_PACKET_SIZE, *, limits: Limits = DEFAULT_LIMITS) -> None:
        """Begin a flow.

        Args:
            max_packet_size: The largest PacketSize to wait for.
            limits: What else packets are held to, as `PacketStream` does.
        """
        self._max_packet_size = max_packet_size
        self._limits = limits
        self._stream = self._new_stream(0)
        self._cut: _Cut | None = None
        self._window = Window()
        self._held: tuple[int, int, bytes, Origin] | None = None  # all that is held, if it is one segment
        self._marks: deque[tuple[int, Origin]] = deque()  # up to where the bytes are from which segment
        self._before: Origin | None = None  # the last segment before the position
        self._last_offset = 0
        self._closed = False
        self._jobs: deque[Iterator[Piece]] = deque()  # what has still to be looked at
        self.position = 0
        self.end = 0
        self.fed = 0

    @property
    def repeated(self) -> int:
        """How many of the bytes taken in were there already."""
        return self._window.repeated

    def feed(self, offset: int, data: bytes, origin: Origin, length: int | None = None) -> Iterator[Piece]:
        """Take the next segment.

        Args:
            offset: Where its bytes belong, from the beginning of the flow; not less than that of the segment
                before.
            data: The bytes; there may be none.
            origin: Where it was captured.
            length: How many bytes it had on the wire, if the capture cut it.

        Returns:
            An iterator over the pieces that cannot change any more.

        Raises:
            MsmqWireError: The segment is out of order, or the flow was closed.
        """
        if self._closed or offset < self._last_offset:
            raise MsmqWireError(
                f"a segment at offset {offset} is fed after "
                + ("the end of the flow" if self._closed else f"one at {self._last_offset}")
            )
        size = len(data)
        self._last_offset = offset
        self.fed += size
        if offset + (length or size) > self.end:
            self.end = offset + max(size, length or 0)
        if not self._jobs and self._absorbed(offset):
            if data:
                self._held = offset, offset + size, data, origin
            return _NOTHING
        self._jobs.append(self._settle(offset))
        if data:
            self._jobs.append(self._hold(offset, data, origin))
        return self._pieces()

    def _absorbed(self, offset: int) -> bool:
        """Whether nothing is held before `offset` any more, with no piece to report."""
        if self._held is None:
            return not self._window
        start, end, data, origin = self._held
        if end > offset or start != self.position or self._cut is not None or not self._stream.wait(data):
            return False
        self._held = None
        self._marks.append((end, origin))
        self.position, self._before = end, origin
        return True

    def feed_joined(self, offset: int, data: bytes, marks: Iterable[tuple[int, Origin]]) -> Iterator[Piece]:
        """Take several segments at once that follow each other without gap or overlap.

        It is what `feed` does with one after the other, if no segment before or after them reaches into them.

        Args:
            offset: Where the bytes of the first of them belong; not less than where any segment before ends.
            data: The bytes of all.
            marks: Where each of them ends, and where it was captured.

        Returns:
            An iterator over the pieces that cannot change any more.

        Raises:
            MsmqWireError: The segments are out of order, or the flow was closed.
        """
        if self._closed or offset < max(self._last_offset, self.end):
            raise MsmqWireError(f"segments at offset {offset} come after the end of others or of the flow")
        self._last_offset = offset
        self.fed += len(data)
        self.end = offset + len(data)
        self._jobs.append(self._settle(offset))
        self._jobs.append(self._deliver(offset, data, list(marks)))
        return self._pieces()

    def settle(self, offset: int) -> Iterator[Piece]:
        """Say that no segment follows that begins before an offset, which the one before does not.

        Returns:
            An iterator over the pieces that cannot change any more.
        """
        self._last_offset = offset
        self._jobs.append(self._settle(offset))
        return self._pieces()

    def idle_at(self, offset: int) -> bool:
        """Whether all bytes before an offset were handed out, so that a packet may begin there."""
        return (
            self.position == offset
            and self._cut is None
            and not self._jobs
            and not self._window
            and self._held is None
            and self._stream.idle
        )

    def pass_over(self, offset: int, origin: Origin) -> None:
        """Go on at an offset: a reader that is idle need not see packets that are known to be sound.

        Args:
            offset: Where the last of them ends; no segment before reaches after it.
            origin: Where its last byte was captured.
        """
        size = offset - self.position
        self._stream.pass_over(size)
        self._marks.clear()
        self._before = origin
        self.fed += size
        self.position = self._last_offset = offset
        self.end = max(self.end, offset)

    def close(self, end: int = 0) -> Iterator[Piece]:
        """End the flow.

        Args:
            end: How long it is known to be from elsewhere, such as the sequence number of a FIN.

        Returns:
            An iterator over the last pieces.
        """
        if not self._closed:
            self._closed = True
            self.end = max(self.end, end)
            self._jobs.append(self._finish())
        return self._pieces()

    def _finish(self) -> Iterator[Piece]:
        """Report everything that is left."""
        yield from self._settle(self.end)
        if self.end > self.position:
            yield from self._gap(self.end, None)
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
        """Hand on what is held before `offset`: no segment can follow there."""
        held, window = self._held, self._window
        if held is not None and held[1] <= offset:
            self._held = None
            yield from self._deliver(held[0], held[2], [(held[1], held[3])])
        elif held is not None:
            self._share(held)
        if window and window.start < offset:
            start = window.start
            data, marks = window.take(offset)
            yield from self._deliver(start, data, marks)

    def _share(self, held: tuple[int, int, bytes, Origin]) -> None:
        """Put the one segment that is held where others may overlap it."""
        self._held = None
        self._window.add(held[0], held[2], held[3])

    def _hold(self, offset: int, data: bytes, origin: Origin) -> Iterator[Piece]:
        """Hold a segment.  All that is held starts at its offset."""
        if not self._window and self._held is None:
            self._held = offset, offset + len(data), data, origin
            return
        if self._held is not None:
            self._share(self._held)
        yield from map(_conflict, self._window.add(offset, data, origin))

    # --------------------------------------------------------------------------------- gaps and packets

    def _deliver(
        self, start: int, data: bytes | bytearray, marks: list[tuple[int, Origin]]
    ) -> Iterator[Piece]:
        """Take bytes that nothing can change any more."""
        if start > self.position:
            yield from self._gap(start, marks[0][1])
        self._marks.extend(marks)
        self.position, self._before = marks[-1]
        if self._cut is None:
            yield from self._report(self._stream.frames(data))
        else:
            self._cut.add(start, data)
            if self.position >= max(self._cut.ends) + MARK_SIZE:
                yield from self._decide(self._cut, None)

    def _gap(self, end: int, behind: Origin | None) -> Iterator[Piece]:
        """Go on at `end`."""
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

    def _cut_packet(self) -> _Cut | None:
        """The packet in whose midst the stream is, if there is one."""
        head = self._stream.pending if self._stream.synchronised else b""
        if len(head) < BASE_SIZE:
            return None
        _, flags, _, size = unpack_base(head)
        begin = self.position - len(head)
        end = begin + size
        return _Cut(begin, head, ends(end, flags)) if end > self.position else None

    def _decide(self, cut: _Cut, end_of_flow: int | None) -> Iterator[Piece]:
        """Believe that a packet was cut, or search what there is of it; then go on in the last part."""
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
                yield from self._end_stream(Kind.JUNK if index else Kind.HEAD)
                yield cut.gaps[index]
        if len(cut.gaps) == len(cut.parts):
            self._stream = self._new_stream(self.position)

    def _end_stream(self, kind: Kind) -> Iterator[Piece]:
        """Report what is pending; the beginning of a packet as this kind."""
        stream = self._stream
        begun = stream.origin + stream.bytes_fed - len(stream.pending) if stream.synchronised else -1
        for piece in self._report(stream.frames(final=True)):
            is_begun = piece.offset == begun and piece.kind is Kind.JUNK
            yield msgspec.structs.replace(piece, kind=kind) if is_begun else piece

    # ------------------------------------------------------------------------------------------- pieces

    def _new_stream(self, offset: int) -> PacketStream:
        return PacketStream(self._max_packet_size, max_skipped=0, limits=self._limits, origin=offset)

    def _report(self, items: Iterable[Frame | Skipped]) -> Iterator[Piece]:
        for item in items:
            if isinstance(item, Frame):
                yield self._piece(Kind.PACKET, item.offset, item.data, None, item.packet)
            else:
                yield self._piece(Kind.JUNK, item.offset, item.data, item)

    def _piece(
        self, kind: Kind, offset: int, data: bytes, reason: Skipped | DecodeError | None, packet: Any = None
    ) -> Piece:
        marks, end = self._marks, offset + len(data)
        while marks[0][0] <= offset:
            marks.popleft()
        first = last = marks[0][1]
        if marks[0][0] < end:
            least = most = _captured(first)
            for stop, origin in marks:
                order = _captured(origin)
                if order < least:
                    least, first = order, origin
                elif order > most:
                    most, last = order, origin
                if stop >= end:
                    break
        return Piece(kind, offset, len(data), data, first, last, reason, packet)


def _conflict(found: Contradiction) -> Piece:
    error = DecodeError(
        "is not what the copy that counts has",
        structure="BaseHeader",
        path="segment",
        offset=found.at,
        expected=found.counts,
        actual=found.data[found.at - found.start],
    )
    origin = found.origin
    return Piece(Kind.CONFLICT, found.start, len(found.data), found.data, origin, origin, error)


def _cut_by_gap(cut: _Cut, kind: Kind, end: int, there: int) -> DecodeError:
    size = end - cut.begin
    what = "the beginning" if kind is Kind.HEAD else f"a part of the packet at {cut.begin}"
    return DecodeError(
        f"is {what}, of whose {in_bytes(size)} some are missing",
        structure="BaseHeader",
        path="BaseHeader.PacketSize",
        offset=cut.begin,
        expected=size,
        actual=there,
        limit="gap",
    )
