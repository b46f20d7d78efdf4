"""Reads a capture while it is written: takes segments as they arrive, returns pieces as soon as possible.

1. An out-of-order segment is buffered until `_SEGMENTS` segments or `BYTES` bytes of its flow are buffered.
   Then the missing bytes are reported as a gap.  A flow whose beginning was not captured begins at its
   earliest segment, when its bytes are acknowledged or `_FIRST` segments wait; `_SEGMENTS` if the SYN of the
   other side was captured.  A flow ends where its bytes reach a FIN, because otherwise its last packet would
   wait for the bytes after it.
2. A segment with a wrong checksum, if its sender has sent correct ones before, is used only if no other copy
   of its bytes arrives in this time.  Results are never revised: copies of bytes that were already read only
   give conflicts, if they differ from the last `_PAST` bytes and `_SEGMENTS` segments of their flow.
3. Within these bounds, pieces are those of a complete capture, in any order that keeps the segments of each
   flow in order and the SYN before them.
4. A connection is read from the first segment that may be MSMQ, with the `_BEFORE` segments before it.  At
   most `CONNECTIONS` such connections are open, and as many others, and at most `HELD` bytes wait; beyond
   that, the connection that was silent for longest is closed.
5. Delayed segments are of the connection that they have in a file.  Therefore the last `OLDER` connections
   between two endpoints remain open, and a repeated SYN waits for the next segment of its flow.  The SYNs
   that `Openings` remembers are forgotten with the last of their connections.
6. A segment before the place where its flow began, or after the end of its flow, is omitted and counted, and
   so is a copy of the SYN of a connection that was closed.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter, deque
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from msmq_wire.captures.flows.buckets import NAMING
from msmq_wire.captures.flows.connections import (
    LEAST,
    NONE,
    OLDER,
    Openings,
    flow_of,
    home_of,
    is_before,
    is_keep_alive,
    may_acknowledge,
    may_be_after_fin,
    may_be_alive,
    may_be_of,
    near,
    pair_of,
    read_order,
)
from msmq_wire.captures.flows.framing import Datagrams, Output
from msmq_wire.captures.flows.ordering import Segments, earliest
from msmq_wire.captures.schemas import FLOW
from msmq_wire.captures.tables import sensor_of
from msmq_wire.packets.mistaken import NAMED_BY, protocol_name
from msmq_wire.packets.overlaps import Window
from msmq_wire.packets.packet_starts import MARK_SIZE, marked
from msmq_wire.packets.reassembly import FlowReader, Origin, conflict

from .segments import ACK, FIN, RST, SYN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

    from msmq_wire.packets.reassembly import Piece

    from .reading import Row

_SEGMENTS: Final = 64
BYTES: Final = 1 << 20
_FIRST: Final = 4
_BEFORE: Final = 16
_BEFORE_BYTES: Final = 4096
CONNECTIONS: Final = 4096
HELD: Final = 256 << 20
_PAST: Final = 16 << 10
_DIRECTION: Final = [name for name, _, _ in FLOW].index("direction")


class _Segment(NamedTuple):
    """A row of `SEGMENTS`, with its columns as attributes."""

    file: str
    frame: int
    offset: int
    time: int | None
    transport: str
    src: str | None
    src_port: int | None
    dst: str | None
    dst_port: int | None
    seq: int | None
    ack: int | None
    flags: int | None
    payload: bytes
    length: int
    captured: int
    checksum: bool | None
    marked: bool
    frame_bytes: int
    places: int | None
    error: str | None

    def origin(self, *, wrong: bool) -> Origin:
        """Where it was captured, and whether its checksum is wrong."""
        return Origin(self.time or 0, self.file, self.frame, self.frame, wrong)

    def after(self, count: int) -> _Segment:
        """The segment without its first bytes."""
        captured = max(self.captured - count, 0)
        return self._replace(payload=self.payload[count:], length=self.length - count, captured=captured)

    @property
    def bits(self) -> int:
        """Its flags; a piece of a file has none."""
        return self.flags or 0

    @property
    def first(self) -> int:
        """The sequence number of its first byte."""
        return (self.seq or 0) + bool(self.bits & SYN)

    @property
    def acknowledged(self) -> int:
        """The number up to which its sender has all bytes, if the flag ACK is set."""
        return self.ack or 0

    @property
    def numbers(self) -> tuple[Any, ...]:
        """The entries of `Segments`, for a pair that is alone."""
        return 0, self.pair[1], True, False, self.seq or 0, self.acknowledged, self.bits, self.length

    @property
    def pair(self) -> tuple[str, bool]:
        """The endpoints as text, and whether it goes from the one that is named first."""
        return pair_of(self.transport, self.file, self.src, self.src_port, self.dst, self.dst_port)


class _Copy(NamedTuple):
    """A captured segment of a flow.

    Attributes:
        stream_offset: The place of its first byte.
        wrong: Whether its checksum is wrong, so that another copy of its bytes is preferred.
        segment: The segment.
    """

    stream_offset: int
    wrong: bool
    segment: _Segment

    @property
    def end(self) -> int:
        """The place after its last byte."""
        return self.stream_offset + self.segment.length

    @property
    def order(self) -> tuple[int, int]:
        """The order in which segments are read."""
        return read_order(self.stream_offset, self.wrong), self.segment.frame


_in_order = attrgetter("order")
_captured = attrgetter("frame")


class _Flow:
    """One direction of a connection, from the place on where it begins.

    Args:
        reader: Reads its bytes.
        segment: The first captured segment.
        start: The sequence number of the first byte.

    Attributes:
        key: The columns of `FLOW`; None before the first piece.
        earliest: The first captured segment.
        reported: Number of bytes in pieces.
        ended: Whether its FIN was reached.
    """

    def __init__(self, reader: FlowReader, segment: _Segment, start: int) -> None:
        self.key: tuple[Any, ...] | None = None
        self.earliest = segment
        self.reported = 0
        self.ended = False
        self._reader = reader
        self._seq = start  # the sequence number at the place `_next`
        self._next = 0  # the place of the next byte
        self._syn: int | None = None  # the place after its SYN
        self._number = 0  # the sequence number of its SYN
        self._reached = 0  # the end of its segments
        self._fin = LEAST  # the end of its FINs
        self._longest = self._data = LEAST  # as in `is_keep_alive`
        self._last = -LEAST  # the end of the segment before, and its FIN; the first one shows nothing
        self._shown = 0  # the last place where a segment begins that has bytes, or shows missing ones
        self._shown_by = self._fin_by = segment  # the first segment there, or at the FIN
        self._sums = False  # whether the sender's checksums are complete when its frames are captured
        self._waiting: list[_Copy] = []  # in their order
        self._size = 0
        self._past: deque[_Copy] = deque()  # the last ones that were read
        self._past_size = 0

    def precedes(self, segment: _Segment) -> bool:
        """Return whether a segment is of an older connection, because it is before the SYN."""
        offset = self._stream_offset(segment.first)
        return self._syn is not None and is_before(offset, self._syn, segment.length, segment.bits)

    @property
    def extent(self) -> tuple[int, int] | None:
        """The number of its SYN and its size, as in `home_of`; None without a SYN."""
        return None if self._syn is None else (self._number, self._reached - self._syn)

    def is_too_late(self, segment: _Segment) -> bool:
        """Return whether a segment is outside the range of the flow that is still accepted.

        Retransmissions, bytes of a gap and the byte of a keep-alive are accepted.
        """
        stream_offset = self._stream_offset(segment.first)
        end = stream_offset + segment.length
        is_early = end <= 0 and (stream_offset, end) != (-1, 0)
        return segment.length > 0 and (is_early or (self.ended and end > self._next))

    @property
    def bytes_held(self) -> int:
        """Number of bytes in memory."""
        return self._size + self._next - self.reported

    @property
    def protocol(self) -> str | None:
        """As `FlowReader.protocol`."""
        return self._reader.protocol

    def feed(self, segment: _Segment) -> Iterator[Piece]:
        """Take a segment; yield the pieces that are complete."""
        self._sums = self._sums or segment.checksum is True
        flags, stream_offset = segment.bits, self._stream_offset(segment.first)
        if self.precedes(segment):
            return  # another answer to a SYN of an older connection
        end, last = stream_offset + segment.length, self._last
        self._reached, self._last = max(self._reached, end), end + bool(flags & FIN)
        if flags & SYN:
            if self._syn is None:
                self._syn, self._number = stream_offset, segment.seq or 0
            elif stream_offset != self._syn and not segment.length:
                return  # the answer to a delayed copy of a SYN
        if self._is_keep_alive(stream_offset, segment):
            return
        wrong = self._sums and segment.checksum is False  # the receiver drops it, too
        copy = _Copy(stream_offset, wrong, segment)
        if segment.length and stream_offset < self._next:
            yield from self._compare(copy)
        if self.ended:
            return
        is_shown = segment.length or flags & FIN or not may_be_after_fin(stream_offset, last, is_ended=False)
        if is_shown and stream_offset > self._shown:
            self._shown, self._shown_by = stream_offset, segment
        if flags & FIN and end > self._fin and not copy.wrong:
            self._fin, self._fin_by = end, self._shown_by if end == self._shown else segment
        if segment.length:
            insort(self._waiting, copy, key=_in_order)
            self._size += segment.captured
        yield from self._advance()

    def may_be_acknowledged_by(self, segment: _Segment) -> bool:
        """Return whether a segment of the other side may acknowledge bytes of this flow."""
        end = max(self._reached, self._next)
        return bool(may_acknowledge(self._stream_offset(segment.acknowledged), end))

    def _is_keep_alive(self, stream_offset: int, segment: _Segment) -> bool:
        """Return whether a segment is a keep-alive."""
        end = stream_offset + segment.length
        if may_be_alive(segment.length, segment.bits):
            if is_keep_alive(end, self._longest, self._data):
                return True
            self._data = max(self._data, end)
        elif segment.length > 1 or segment.bits & SYN:
            self._longest = max(self._longest, end)
        return False

    def _compare(self, late: _Copy) -> Iterator[Piece]:
        """Yield the bytes of a segment that differ from those that were read before it came."""
        overlapping = [
            copy for copy in self._past if copy.stream_offset < late.end and copy.end > late.stream_offset
        ]
        window, origin = Window(), late.segment.origin(wrong=True)  # so the bytes that were read are selected
        for copy in sorted([*overlapping, late], key=_in_order):
            at, segment = copy.stream_offset, copy.segment
            window.take(at)
            origin_of_copy = origin if copy is late else segment.origin(wrong=copy.wrong)
            for contradiction in window.add(at, segment.payload, origin_of_copy):
                if contradiction.origin is origin:
                    own = late.segment.origin(wrong=late.segment.checksum is False)
                    yield conflict(contradiction._replace(origin=own))

    def _remember(self, copy: _Copy) -> None:
        self._past.append(copy)
        self._past_size += copy.segment.captured
        while len(self._past) > 1 and (self._past_size > _PAST or len(self._past) > _SEGMENTS):
            self._past_size -= self._past.popleft().segment.captured

    def _stream_offset(self, seq: int) -> int:
        distance: int = near(seq, self._seq)
        return self._next + distance

    def _jump(self, stream_offset: int) -> None:
        self._seq += stream_offset - self._next
        self._next = stream_offset

    def _advance(self) -> Iterator[Piece]:
        """Read all contiguous segments, and report a gap for bytes that are missing for too long."""
        if self._waiting:
            yield from self._read(self._reach())
        while len(self._waiting) > _SEGMENTS or self._size > BYTES:
            yield from self._force()
        if self._next == self._fin:  # a FIN with the number of a byte ends nothing
            yield from self.close()

    def _reach(self) -> int:
        """The place up to which no bytes are missing; segments with a wrong checksum count as missing.

        Until the next segment arrives, another copy may still supply bytes that the capture truncated.
        """
        reach = shown = self._next
        for copy in self._waiting:
            if copy.stream_offset > shown:
                break
            if not copy.wrong:
                reach = max(reach, copy.stream_offset + copy.segment.captured)
                shown = max(shown, copy.end)
        return shown if shown == self._fin else reach

    def _force(self) -> Iterator[Piece]:
        """Read the next segment, even if its checksum is wrong or bytes before it are missing."""
        copy = self._waiting[0]
        self._jump(max(copy.stream_offset, self._next))
        later = (
            other.stream_offset
            for other in self._waiting
            if not other.wrong and other.stream_offset > self._next
        )
        yield from self._read(min([copy.end, *later]))
        yield from self._read(self._reach())

    def _read(self, reach: int) -> Iterator[Piece]:
        """Read waiting segments up to a place."""
        while self._waiting and self._waiting[0].stream_offset < reach:
            copy = self._waiting.pop(0)
            segment, at, end = copy.segment, max(copy.stream_offset, self._next), min(copy.end, reach)
            self._size -= segment.captured
            if at < end:
                self._remember(copy)
                data = segment.payload[at - copy.stream_offset : end - copy.stream_offset]
                origin = segment.origin(wrong=copy.wrong)
                yield from self._reader.feed(at, data, origin, end - at)
            if end < copy.end:  # another copy of the rest may come
                rest = _Copy(end, copy.wrong, segment.after(end - copy.stream_offset))
                insort(self._waiting, rest, key=_in_order)
                self._size += rest.segment.captured
        if reach > self._next:
            yield from self._reader.settle(reach)
            self._jump(reach)

    def close(self, acknowledging: _Segment | None = None) -> Iterator[Piece]:
        """Read all waiting segments, then close the flow.

        Args:
            acknowledging: The segment of the other side that acknowledges most of its bytes.
        """
        yield from self._read(self._reach())
        while self._waiting:
            yield from self._force()
        if not self.ended:
            self.ended = True
            end, has_fin, by = max(self._next, self._fin), self._fin > LEAST, self._fin_by
            showing = [(self._shown, self._shown_by)]
            if acknowledging is not None and self.may_be_acknowledged_by(acknowledging):
                showing.append((self._stream_offset(acknowledging.acknowledged), acknowledging))
            for shown, shown_by in showing:
                if not may_be_after_fin(shown, end, is_ended=has_fin):
                    end, by = shown, shown_by
            if end > self._next:
                self._jump(end)
                yield from self._reader.feed(end, b"", by.origin(wrong=False))
            yield from self._reader.close(self._next)


class _Connection:
    """Both directions of a connection.

    Args:
        opening: Its opening; `NONE` if its SYN was not captured.

    Attributes:
        opening: The same, but `NONE` if pieces were returned before the SYN was captured.
        early: The segments that wait: of flows that have not begun, or as long as nothing looked like MSMQ.
        over: The last segment with a FIN or RST; empty without one.
        flows: The flows, by whether they go from the endpoint that is named first.
        acks: For each flow, the last number that the other side acknowledged.
        first_acks: The first one, likewise.
        acknowledging: The first segment of the other side that acknowledges most, likewise.
        protocol: The protocol of those before the first one that may be MSMQ, if their first bytes name it.
        omitted: Number of such segments that are not kept.
        omitted_bytes: Number of captured bytes of their frames.
        fed: Number of segments that were read.
        fed_bytes: Number of captured bytes of their frames.
        is_msmq: Whether a packet began in it.
    """

    def __init__(self, opening: int) -> None:
        self.opening = opening
        self.early: list[_Segment] = []
        self.over: list[_Segment] = []
        self.flows: dict[bool, _Flow] = {}
        self.acks: dict[bool, int] = {}
        self.first_acks: dict[bool, int] = {}
        self.acknowledging: dict[bool, _Segment] = {}
        self.protocol = ""
        self.omitted = self.omitted_bytes = 0
        self.fed = self.fed_bytes = 0
        self._named_by: Counter[bool] = Counter()
        self.is_msmq = False

    def name(self, segment: _Segment) -> None:
        """Look for the name of the protocol in one of the first segments with bytes."""
        _, forward = segment.pair
        if segment.payload and not self.protocol and self._named_by[forward] < NAMING:
            self._named_by[forward] += 1
            self.protocol = protocol_name(segment.payload[:NAMED_BY])

    def omit(self, segment: _Segment) -> None:
        """Count a segment that is not read."""
        self.omitted += 1
        self.omitted_bytes += segment.frame_bytes

    def count(self, segment: _Segment, by: int = 1) -> None:
        """Count a segment that is read, or with -1 one that is not after all."""
        self.fed += by
        self.fed_bytes += by * segment.frame_bytes

    def acknowledge(self, segment: _Segment) -> None:
        """Take a segment that acknowledges bytes of the other flow."""
        way = not segment.pair[1]
        last, flow = self.acknowledging.get(way), self.flows.get(way)
        if flow is not None and not flow.may_be_acknowledged_by(segment):
            return
        if flow is not None and last is not None and not flow.may_be_acknowledged_by(last):
            last = None
        if last is None or near(segment.acknowledged, last.acknowledged) > 0:
            self.acknowledging[way] = segment._replace(payload=b"")

    def other_protocol(self) -> str:
        """Return the protocol of a connection without a packet, as `Protocols` names it; empty if unknown."""
        if self.is_msmq:
            return ""
        named = {flow.key[_DIRECTION]: flow.protocol for flow in self.flows.values() if flow.key}
        return min(((way, name) for way, name in named.items() if name), default=("", ""))[1]

    def is_marked_by(self, segment: _Segment) -> bool:
        """Return whether a packet may begin in a segment, or in the bytes that precede it."""
        _, forward = segment.pair
        before = b"".join(each.payload for each in self.early if each.pair[1] == forward)
        return segment.marked or marked(before[-MARK_SIZE:] + segment.payload[:MARK_SIZE])

    def start(self, *, way: bool, is_opened: bool, at_end: bool) -> int | None:
        """Return the number of the first byte of a flow without a SYN; None if it does not begin yet.

        Args:
            way: The direction.
            is_opened: Whether its SYN is expected, because that of the connection was captured.  Then bytes
                before those that the other side acknowledged first may be of an older connection.
            at_end: Whether no other segment comes.
        """
        numbers = [row.first for row in self.early if row.pair[1] == way and row.length]
        if not numbers:
            return None
        start = min(numbers, key=lambda number: int(near(number, numbers[0])))
        is_acknowledged = self.acks.get(way, start) != start and may_be_of(start, self.acks[way])
        if is_opened and is_acknowledged:
            is_acknowledged = near(start, self.first_acks[way]) >= 0
        is_full = len(numbers) >= (_SEGMENTS if is_opened else _FIRST) or len(self.early) > _SEGMENTS
        return start if at_end or is_full or is_acknowledged else None

    def first_of(self, firsts: dict[bool, int]) -> int | None:
        """Return the index of the first early segment of the connection of a late SYN; None without one.

        If a flow has begun, the result is only whether this connection is that of the SYN.

        Args:
            firsts: The first number of each flow of that connection, as for `earliest`.
        """
        rows = self.early
        if self.flows:
            rows = sorted([*(flow.earliest for flow in self.flows.values()), *self.over], key=_captured)
        if not rows:
            return None
        numbers = zip(*(row.numbers for row in rows), strict=True)
        _, first = earliest(Segments(*map(np.array, numbers)), 0, len(rows), firsts)
        return first if first < len(rows) else None


class _Pair:
    """The connections between two endpoints, one after the other.

    Args:
        name: The endpoints as text.

    Attributes:
        openings: Determines which one is current.
        connections: Those that are known, by opening.
        waiting: The segments from a repeated SYN on, until the next one of its flow decides.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.openings = Openings()
        self.connections: dict[int, _Connection] = {}
        self.waiting: deque[_Segment] = deque()

    def home(self, opening: int, segment: _Segment) -> int:
        """Return the opening of the connection of a segment that precedes the SYN of its flow."""
        order = self.openings.order
        extents = {
            (other, way): flow.extent
            for other, connection in self.connections.items()
            for way, flow in connection.flows.items()
            if flow.extent is not None
        }
        stop = order.index(opening) if opening in order else 0
        return home_of(order, stop, extents, segment.seq or 0, forward=segment.pair[1])


class LiveFlows:
    """Reads rows of segments in the order of capture.

    Args:
        max_packet_size: The largest PacketSize to wait for.

    Attributes:
        others: Number of segments in connections without MSMQ, by protocol; "" if it is unknown.
        other_bytes: Number of captured bytes of their frames, likewise.
        late: Number of segments that came too late.
        late_bytes: Number of captured bytes of their frames.
    """

    def __init__(self, max_packet_size: int) -> None:
        self._most = max_packet_size
        self._pairs: dict[str, _Pair] = {}
        self.connections: dict[tuple[str, int], _Connection] = {}
        self.other_connections: dict[tuple[str, int], _Connection] = {}
        self._datagrams: dict[str, int] = {}
        self._output = Output()
        self.held_bytes = 0
        self.others: Counter[str] = Counter()
        self.other_bytes: Counter[str] = Counter()
        self.late = 0
        self.late_bytes = 0

    def take(self, rows: Iterable[Row]) -> pa.RecordBatch:
        """Read rows without errors; return the pieces that are complete."""
        for row in rows:
            segment = _Segment._make(row)
            if segment.transport == "udp":
                self._datagram(segment)
            else:
                self._segment(segment)
        return self._output.take()

    def close(self) -> pa.RecordBatch:
        """Close all connections; return the last pieces."""
        while connections := self.connections or self.other_connections:
            self._end_silent(connections)
        return self._output.take()

    def _key(self, segment: _Segment, opening: int) -> tuple[Any, ...]:
        pair, forward = segment.pair
        ends = segment.src, segment.src_port, segment.dst, segment.dst_port
        values = (sensor_of(segment.file), pair, segment.transport, segment.file, *ends)
        return flow_of(values, opening, forward=forward)

    def _datagram(self, segment: _Segment) -> None:
        key = self._key(segment, NONE)
        at = self._datagrams.pop(key[3], 0)
        if len(self._datagrams) >= CONNECTIONS:
            del self._datagrams[next(iter(self._datagrams))]
        self._datagrams[key[3]] = at + segment.length
        for piece in Datagrams().feed(at, segment.payload, segment.origin(wrong=False), segment.length):
            self._output.add(key, piece, None)

    def _segment(self, segment: _Segment) -> None:
        name, _ = segment.pair
        pair = self._pairs.get(name) or self._pairs.setdefault(name, _Pair(name))
        pair.waiting.append(segment)
        self.held_bytes += segment.captured
        self._settle(pair, at_end=self.held_bytes > HELD)
        while len(self.connections) > CONNECTIONS or (self.held_bytes > HELD and len(self.connections) > 1):
            self._end_silent(self.connections)
        while len(self.other_connections) > CONNECTIONS:
            self._end_silent(self.other_connections)

    def _end_silent(self, connections: dict[tuple[str, int], _Connection]) -> None:
        """Close the one of some connections that was silent for longest."""
        key = next(iter(connections))
        self._settle(self._pairs[key[0]], at_end=True)
        if key in connections:
            self._end(key)

    def _settle(self, pair: _Pair, *, at_end: bool) -> None:
        """Process the segments of a pair, up to a repeated SYN about which a later segment decides."""
        while pair.waiting:
            segment = pair.waiting[0]
            if not segment.bits & SYN:
                self._pass(pair, pair.openings.current, segment)
            elif not self._syn(pair, segment, at_end=at_end):
                return
            self.held_bytes -= segment.captured
            pair.waiting.popleft()

    def _syn(self, pair: _Pair, syn: _Segment, *, at_end: bool) -> bool:
        """Process a SYN; return False if a later segment decides whether its connection begins again."""
        _, forward = syn.pair
        ack = syn.acknowledged if syn.bits & ACK else None
        firsts = {**pair.openings.firsts}
        later = islice(pair.waiting, 1, None)
        following = ((other.pair[1] == forward, other.bits, other.seq or 0) for other in later)
        opening, is_current = pair.openings.take(
            syn.seq or 0, ack, syn.length, forward=forward, following=following
        )
        if is_current is None and not at_end:
            return False
        if not is_current and opening not in pair.connections:
            self._omit_late(syn)
            return True
        early = [] if firsts == pair.openings.firsts else self._early(pair, opening)
        for segment in (syn, *early):
            self._pass(pair, opening, segment)
        opened = [other for other in pair.connections if other != NONE]
        if len(opened) > OLDER + 1:
            self._end((pair.name, opened[0]))
        return True

    def _early(self, pair: _Pair, opening: int) -> list[_Segment]:
        """Return the segments that came before the SYN of their connection, and are read after it.

        If a flow has begun without the SYN, its connection is that of the SYN from now on.
        """
        connection, key = pair.connections.get(NONE), (pair.name, NONE)
        first = None if connection is None else connection.first_of(pair.openings.firsts)
        if connection is None or first is None or (connection.flows and opening in pair.connections):
            return []
        early = connection.early
        if connection.flows:
            pair.connections[opening] = pair.connections.pop(NONE)
            self.connections[pair.name, opening] = self.connections.pop(key)
            return []
        self._omit(connection)
        self._hold(connection, [])
        self._forget(key)
        for segment in early[:first]:
            self._pass(pair, NONE, segment)
        return early[first:]

    def _pass(self, pair: _Pair, opening: int, segment: _Segment) -> None:
        """Read a segment of a connection, or keep it as long as nothing looked like MSMQ."""
        key, connection = (pair.name, opening), pair.connections.get(opening)
        if connection is None:
            connection = pair.connections[opening] = _Connection(opening)
        segments = [segment]
        if key not in self.connections:
            self.other_connections.pop(key, None)
            if not connection.is_marked_by(segment):
                self._keep(key, connection, segment)
                return
            self._omit(connection)
            segments = [*connection.early, segment]
            self._hold(connection, [])
        self.connections.pop(key, None)
        self.connections[key] = connection  # the last one that was not silent
        for earlier in segments:
            self._feed(pair, opening, earlier)

    def _keep(self, key: tuple[str, int], connection: _Connection, segment: _Segment) -> None:
        """Keep a segment of a connection in which nothing looked like MSMQ so far."""
        connection.name(segment)
        early = deque((*connection.early, segment))
        while len(early) > _BEFORE or sum(earlier.captured for earlier in early) > _BEFORE_BYTES:
            connection.omit(early.popleft())
        self._hold(connection, [*early])
        self.other_connections[key] = connection

    def _forget(self, key: tuple[str, int]) -> None:
        """Remove a connection."""
        self.connections.pop(key, None)
        self.other_connections.pop(key, None)
        pair = self._pairs[key[0]]
        del pair.connections[key[1]]
        if not pair.connections and not pair.waiting:
            del self._pairs[pair.name]

    def _omit(self, connection: _Connection) -> None:
        """Count the segments of a connection that were not read."""
        self.others[connection.protocol] += connection.omitted
        self.other_bytes[connection.protocol] += connection.omitted_bytes
        connection.omitted = connection.omitted_bytes = 0

    def _omit_late(self, segment: _Segment) -> None:
        self.late += 1
        self.late_bytes += segment.frame_bytes

    def _feed(self, pair: _Pair, opening: int, segment: _Segment) -> None:
        """Read a segment of a connection that is MSMQ."""
        connection, flags, (_, forward) = pair.connections[opening], segment.bits, segment.pair
        flow = connection.flows.get(forward)
        if flow is not None and not flags & (SYN | RST) and flow.precedes(segment):
            self._pass(pair, pair.home(opening, segment), segment)
            return
        connection.count(segment)
        if flags & (FIN | RST):
            connection.over = [segment]
        if flags & (ACK | RST) == ACK:
            connection.acks[not forward] = segment.acknowledged
            connection.first_acks.setdefault(not forward, segment.acknowledged)
            if segment.checksum is not False:
                connection.acknowledge(segment)
        if flow is None and (flags & (SYN | RST) == SYN or segment.transport == "raw"):
            flow = connection.flows[forward] = _Flow(FlowReader(self._most), segment, segment.first)
        if flow is None:
            has_early = any(row.pair[1] == forward for row in connection.early)
            if segment.length or flags & (FIN | RST) or has_early:
                self._hold(connection, [*connection.early, segment])
        elif flow.is_too_late(segment) and not flags & RST:
            self._omit_late(segment)
            connection.count(segment, -1)
        elif not flags & RST:
            self._send(connection, flow, flow.feed(segment))
        if connection.early:
            self._read_early(pair, opening, at_end=False)

    def _read_early(self, pair: _Pair, opening: int, *, at_end: bool) -> None:
        """Read the segments of flows that begin now."""
        connection = pair.connections[opening]
        for way in (True, False):
            start = connection.start(way=way, is_opened=opening != NONE, at_end=at_end)
            early = [row for row in connection.early if row.pair[1] == way]
            if way not in connection.flows and start is not None:
                earliest_row = next(row for row in early if row.length)
                connection.flows[way] = _Flow(FlowReader(self._most), earliest_row, start)
            if way in connection.flows and early:
                self._hold(connection, [row for row in connection.early if row.pair[1] != way])
                for segment in early:
                    connection.count(segment, -1)
                    self._feed(pair, opening, segment)
        self._hold(connection, connection.early[-_SEGMENTS:])

    def _hold(self, connection: _Connection, early: list[_Segment]) -> None:
        """Keep segments of a connection until their flows begin, instead of those that it has."""
        self.held_bytes += sum(row.captured for row in early) - sum(row.captured for row in connection.early)
        connection.early = early

    def _end(self, key: tuple[str, int]) -> None:
        """Close a connection."""
        connection = self._pairs[key[0]].connections[key[1]]
        if key in self.connections:
            self._read_early(self._pairs[key[0]], key[1], at_end=True)
        else:
            for segment in connection.early:
                connection.omit(segment)
            self._omit(connection)
        self._hold(connection, [])
        for way, flow in connection.flows.items():
            self._send(connection, flow, flow.close(connection.acknowledging.get(way)))
        protocol = connection.other_protocol()
        if protocol and key[0].startswith("tcp "):
            self.others[protocol] += connection.fed
            self.other_bytes[protocol] += connection.fed_bytes
        self._forget(key)

    def _send(self, connection: _Connection, flow: _Flow, pieces: Iterable[Piece]) -> None:
        before = flow.bytes_held
        for piece in pieces:
            if flow.key is None:
                flow.key = self._key(flow.earliest, connection.opening)
            self._output.add(flow.key, piece, flow.protocol)
            connection.is_msmq = connection.is_msmq or piece.is_begun
            flow.reported += piece.size * piece.kind.in_stream
        self.held_bytes += flow.bytes_held - before
