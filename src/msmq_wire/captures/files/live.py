"""Reads a capture while it is written: takes segments as they arrive, returns pieces as soon as possible.

1. An out-of-order segment is buffered until `_SEGMENTS` segments or `BYTES` bytes of its flow are buffered.
   Then the missing bytes are reported as a gap.  A flow whose beginning was not captured begins at its
   earliest segment, when its bytes are acknowledged or `_FIRST` segments wait.
2. A segment with a wrong checksum, if its sender has sent correct ones before, is used only if no other copy
   of its bytes arrives in this time.  Results are never revised: copies of bytes that were already read only
   give conflicts, if they differ from the last `_PAST` bytes and `_SEGMENTS` segments of their flow.
3. Within these bounds, pieces are those of a complete capture, in any order that keeps the segments of each
   flow in order and the SYN before them.
4. A connection is read from the first segment that may be MSMQ, with the `_BEFORE` segments before it.  What
   waits is bounded by `CONNECTIONS` and `HELD` bytes; beyond them, the connection that was silent for
   longest is closed.
5. Delayed copies of segments of an older connection between the same ports are omitted: those before the SYN
   of their flow, and SYNs of the last `_OLDER` connections.
6. A segment before the place where its flow began, or after the end of its flow, is omitted and counted.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter, deque
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msmq_wire.captures.flows.buckets import NAMING
from msmq_wire.captures.flows.connections import (
    LEAST,
    NONE,
    Openings,
    flow_of,
    is_before,
    is_keep_alive,
    may_be_of,
    near,
    pair_of,
    read_order,
)
from msmq_wire.captures.flows.framing import Datagrams, Output
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

__all__ = ["LiveFlows"]

_SEGMENTS: Final = 64
BYTES: Final = 1 << 20
_FIRST: Final = 4
_BEFORE: Final = 16
_BEFORE_BYTES: Final = 4096
CONNECTIONS: Final = 4096
HELD: Final = 256 << 20
_OLDER: Final = 4
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


class _Flow:
    """One direction of a connection.

    Attributes:
        key: The columns of `FLOW`; None before the first piece.
        earliest: The first captured segment.
        reported: Number of bytes in pieces.
        first: The sequence number of the earliest byte so far.
        begun: Whether the place where the flow begins is decided.
        ended: Whether its FIN was reached.
    """

    def __init__(self, reader: FlowReader, segment: _Segment) -> None:
        self.key: tuple[Any, ...] | None = None
        self.earliest = segment
        self.reported = 0
        self.first = segment.first
        self.begun = False
        self.ended = False
        self._reader = reader
        self._seq = segment.first  # the sequence number at the place `_next`
        self._next = 0  # the place of the next byte; places count from the first captured byte
        self._start = 0  # the place where the flow begins
        self._syn: int | None = None  # the place after its SYN
        self._fin: int | None = None
        self._longest = self._data = LEAST  # as in `is_keep_alive`
        self._shown = 0  # the last place where a segment begins
        self._shown_by = self._fin_by = segment  # the first segment there, or at the FIN
        self._sums = False  # whether the sender's checksums are complete when its frames are captured
        self._waiting: list[_Copy] = []  # in their order
        self._size = 0
        self._past: deque[_Copy] = deque()  # the last ones that were read
        self._past_size = 0

    def is_too_late(self, segment: _Segment) -> bool:
        """Return whether a segment is outside the range of the flow that is still accepted.

        Retransmissions, bytes of a gap and the byte of a keep-alive are accepted.
        """
        stream_offset = self._stream_offset(segment.first)
        end = stream_offset + segment.length
        early = self.begun and end <= self._start and (stream_offset, end) != (self._start - 1, self._start)
        return segment.length > 0 and (early or (self.ended and end > self._next))

    @property
    def bytes_held(self) -> int:
        """Number of bytes in memory."""
        return self._size + self._next - self._start - self.reported

    @property
    def protocol(self) -> str | None:
        """As `FlowReader.protocol`."""
        return self._reader.protocol

    def feed(self, segment: _Segment) -> Iterator[Piece]:
        """Take a segment; yield the pieces that are complete."""
        self._sums = self._sums or segment.checksum is True
        flags, stream_offset = segment.bits, self._stream_offset(segment.first)
        if self._syn is not None and is_before(stream_offset, self._syn, segment.length, flags):
            return  # of an older connection
        if flags & SYN:
            if self._syn is None:
                self._syn = stream_offset
                self._omit_before(stream_offset)
            elif stream_offset != self._syn and not segment.length:
                return  # the answer to a delayed copy of a SYN
        if self._is_keep_alive(stream_offset, segment):
            return
        wrong = self._sums and segment.checksum is False  # the receiver drops it, too
        copy = _Copy(stream_offset, wrong, segment)
        if segment.length and stream_offset < self._next and self.begun:
            yield from self._compare(copy)
        if self.ended:
            return
        if stream_offset > self._shown:
            self._shown, self._shown_by = stream_offset, segment
        end = stream_offset + segment.length
        if flags & FIN and (self._fin is None or end > self._fin):
            self._fin, self._fin_by = end, self._shown_by if end == self._shown else segment
        if segment.length:
            insort(self._waiting, copy, key=_in_order)
            self._size += segment.captured
            if not self.begun:
                self._jump(min(stream_offset, self._next))
                self.first = self._seq
        if flags & SYN:
            self.begin(stream_offset)
        elif len(self._waiting) >= _FIRST:
            self.begin(self._next)
        yield from self._advance()

    def _is_keep_alive(self, stream_offset: int, segment: _Segment) -> bool:
        """Return whether a segment is a keep-alive."""
        end = stream_offset + segment.length
        if segment.length > 1 or segment.bits & SYN:
            self._longest = max(self._longest, end)
        elif segment.length and not segment.bits & FIN:
            if is_keep_alive(end, self._longest, self._data):
                return True
            self._data = max(self._data, end)
        return False

    def _compare(self, late: _Copy) -> Iterator[Piece]:
        """Yield the bytes of a segment that differ from those that were read before it came."""
        overlapping = [
            copy for copy in self._past if copy.stream_offset < late.end and copy.end > late.stream_offset
        ]
        window, origin = Window(), late.segment.origin(wrong=True)  # so the bytes that were read are selected
        for copy in sorted([*overlapping, late], key=_in_order):
            at, segment = copy.stream_offset - self._start, copy.segment
            window.take(at)
            origin_of_copy = origin if copy is late else segment.origin(wrong=copy.wrong)
            for contradiction in window.add(at, segment.payload, origin_of_copy):
                if contradiction.origin is origin:
                    yield conflict(contradiction)

    def _remember(self, copy: _Copy) -> None:
        self._past.append(copy)
        self._past_size += copy.segment.captured
        while len(self._past) > 1 and (self._past_size > _PAST or len(self._past) > _SEGMENTS):
            self._past_size -= self._past.popleft().segment.captured

    def _omit_before(self, stream_offset: int) -> None:
        """Omit the segments of an older connection that arrived before the SYN."""
        if self.begun:
            return
        self._waiting = [copy for copy in self._waiting if copy.stream_offset >= stream_offset]
        self._size = sum(copy.segment.captured for copy in self._waiting)
        if self._fin is not None and self._fin < stream_offset:
            self._fin = None

    def acknowledge(self, ack: int) -> Iterator[Piece]:
        """Take the number up to which the other side has all bytes; yield the pieces that are complete."""
        if self._waiting and self._stream_offset(ack) > self._next:
            self.begin(self._next)
            yield from self._advance()

    def begin(self, stream_offset: int) -> None:
        """Decide where the flow begins, once."""
        if not self.begun:
            self.begun = True
            self._jump(stream_offset)
            self._start = stream_offset

    def begin_after(self, seq: int) -> None:
        """Begin with the byte after a SYN."""
        self.begin(self._stream_offset(seq + 1))

    def _stream_offset(self, seq: int) -> int:
        distance: int = near(seq, self._seq)
        return self._next + distance

    def _jump(self, stream_offset: int) -> None:
        self._seq += stream_offset - self._next
        self._next = stream_offset

    def _advance(self) -> Iterator[Piece]:
        """Read all contiguous segments, and report a gap for bytes that are missing for too long."""
        if not self.begun:
            return
        if self._waiting:
            yield from self._read(self._reach())
        while len(self._waiting) > _SEGMENTS or self._size > BYTES:
            yield from self._force()
        if self._fin is not None and self._next >= self._fin:
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
        return shown if self._fin is not None and shown >= self._fin else reach

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
                yield from self._reader.feed(at - self._start, data, origin, end - at)
            if end < copy.end:  # another copy of the rest may come
                rest = _Copy(end, copy.wrong, segment.after(end - copy.stream_offset))
                insort(self._waiting, rest, key=_in_order)
                self._size += rest.segment.captured
        if reach > self._next:
            yield from self._reader.settle(reach - self._start)
            self._jump(reach)

    def close(self) -> Iterator[Piece]:
        """Read all waiting segments, then close the flow."""
        self.begin(self._next)
        yield from self._read(self._reach())
        while self._waiting:
            yield from self._force()
        if not self.ended:
            self.ended = True
            # A FIN has a sequence number but no byte; without it, a later number shows what is missing.
            end, by = self._shown, self._shown_by
            if self._fin is not None:
                end, by = self._fin, self._fin_by
            if end > self._next + (self._fin is None):
                self._jump(end)
                yield from self._reader.feed(end - self._start, b"", by.origin(wrong=False))
            yield from self._reader.close(self._next - self._start)


class _Connection:
    """Both directions of a connection.

    Attributes:
        openings: The connections between these endpoints, this one and the last ones before it.
        opening: The opening of this one; `NONE` if its SYN was not captured, or too late.
        flows: The flows, by whether they go from the endpoint that is named first.
        acks: For each flow, the last number that the other side acknowledged.
        before: The segments before the first one that may be MSMQ.
        protocol: The protocol of these, if their first bytes name it.
        omitted: Number of such segments that are not kept.
        omitted_bytes: Number of captured bytes of their frames.
        fed: Number of segments that were read.
        fed_bytes: Number of captured bytes of their frames.
        over: Whether a FIN or RST was captured.
        is_msmq: Whether a packet began in it.
    """

    def __init__(self, openings: Openings) -> None:
        self.openings = openings
        self.opening = openings.current
        self.flows: dict[bool, _Flow] = {}
        self.acks: dict[bool, int] = {}
        self.before: deque[_Segment] = deque()
        self.protocol = ""
        self.omitted = self.omitted_bytes = 0
        self.fed = self.fed_bytes = 0
        self._named_by: Counter[bool] = Counter()
        self.over = self.is_msmq = False

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

    def other_protocol(self) -> str:
        """Return the protocol of a connection without a packet, as `Protocols` names it; empty if unknown."""
        if self.is_msmq:
            return ""
        named = {flow.key[_DIRECTION]: flow.protocol for flow in self.flows.values() if flow.key}
        return min(((way, name) for way, name in named.items() if name), default=("", ""))[1]

    def is_marked_by(self, segment: _Segment) -> bool:
        """Return whether a packet may begin in a segment, or in the bytes that precede it."""
        _, forward = segment.pair
        before = b"".join(each.payload for each in self.before if each.pair[1] == forward)
        return segment.marked or marked(before[-MARK_SIZE:] + segment.payload[:MARK_SIZE])

    def is_opened_by(self, syn: _Segment, opening: int, *, forward: bool) -> bool:
        """Take a SYN that came after other segments; return whether it is of this connection."""
        numbers = {forward: syn.first}
        if syn.bits & ACK:
            numbers[not forward] = syn.acknowledged
        late = (may_be_of(numbers.get(way, NONE), flow.first) for way, flow in self.flows.items())
        if self.over or not any(late):
            return False
        if not any(flow.begun for flow in self.flows.values()):
            self.opening = opening
            for way, number in numbers.items():
                if way in self.flows:
                    self.flows[way].begin_after(number - 1)
        return True


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
        self.connections: dict[str, _Connection] = {}
        self.other_connections: dict[str, _Connection] = {}
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
        for pair in [*self.connections]:
            self._end(pair)
        for pair in [*self.other_connections]:
            self._drop(pair)
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
        pair, forward = segment.pair
        connection = self._connection(pair, segment, forward=forward)
        if connection is None:
            return
        if pair not in self.connections:
            self.other_connections.pop(pair, None)
            if not connection.is_marked_by(segment):
                self._keep(pair, connection, segment)
                return
            if len(self.connections) >= CONNECTIONS:
                self._end(next(iter(self.connections)))
            self._omit(connection)
        self.connections.pop(pair, None)
        self.connections[pair] = connection  # the last one that was not silent
        while connection.before:
            earlier = connection.before.popleft()
            self._feed(connection, earlier, forward=earlier.pair[1])
        self._feed(connection, segment, forward=forward)
        while self.held_bytes > HELD and len(self.connections) > 1:
            self._end(next(iter(self.connections)))

    def _connection(self, pair: str, segment: _Segment, *, forward: bool) -> _Connection | None:
        """Return the connection of a segment, closing the previous one; None for a delayed copy of a SYN."""
        connection = self.connections.get(pair) or self.other_connections.get(pair)
        openings = Openings(most=_OLDER) if connection is None else connection.openings
        if segment.bits & SYN:
            before, ack = openings.current, segment.acknowledged if segment.bits & ACK else None
            opening, is_current, _ = openings.take(segment.seq or 0, ack, segment.length, forward=forward)
            if not is_current:
                return None
            is_other = before not in {NONE, opening} or (
                before == NONE
                and connection is not None
                and not connection.is_opened_by(segment, opening, forward=forward)
            )
            if is_other and connection is not None:
                (self._end if pair in self.connections else self._drop)(pair)
                connection = None
        return connection or _Connection(openings)

    def _keep(self, pair: str, connection: _Connection, segment: _Segment) -> None:
        """Keep a segment of a connection in which nothing looked like MSMQ so far."""
        connection.name(segment)
        connection.before.append(segment)
        while (
            len(connection.before) > _BEFORE
            or sum(segment_before.captured for segment_before in connection.before) > _BEFORE_BYTES
        ):
            connection.omit(connection.before.popleft())
        if len(self.other_connections) >= CONNECTIONS:
            self._drop(next(iter(self.other_connections)))
        self.other_connections[pair] = connection

    def _drop(self, pair: str) -> None:
        """Remove a connection that is not MSMQ."""
        connection = self.other_connections.pop(pair)
        for segment in connection.before:
            connection.omit(segment)
        self._omit(connection)

    def _omit(self, connection: _Connection) -> None:
        """Count the segments of a connection that were not read."""
        self.others[connection.protocol] += connection.omitted
        self.other_bytes[connection.protocol] += connection.omitted_bytes

    def _feed(self, connection: _Connection, segment: _Segment, *, forward: bool) -> None:
        """Read a segment of a connection that is MSMQ."""
        flags = segment.bits
        connection.count(segment)
        connection.over = connection.over or bool(flags & (FIN | RST))
        if flags & RST:
            return
        if flags & ACK:
            connection.acks[not forward] = segment.acknowledged
            self._see(connection, way=not forward)
        flow = connection.flows.get(forward)
        if flow is None:
            if not segment.length and not flags & (SYN | FIN):
                return
            flow = connection.flows[forward] = _Flow(FlowReader(self._most), segment)
            if segment.transport == "raw":
                flow.begin(0)
        if flow.is_too_late(segment):
            self.late += 1
            self.late_bytes += segment.frame_bytes
            connection.count(segment, -1)
        else:
            self._send(connection, flow, flow.feed(segment))
            self._see(connection, way=forward)

    def _see(self, connection: _Connection, *, way: bool) -> None:
        flow, ack = connection.flows.get(way), connection.acks.get(way)
        if flow is not None and ack is not None and not flow.begun:
            self._send(connection, flow, flow.acknowledge(ack))

    def _end(self, pair: str) -> None:
        """Close a connection."""
        connection = self.connections.pop(pair)
        for flow in connection.flows.values():
            self._send(connection, flow, flow.close())
        protocol = connection.other_protocol()
        if protocol and pair.startswith("tcp "):
            self.others[protocol] += connection.fed
            self.other_bytes[protocol] += connection.fed_bytes

    def _send(self, connection: _Connection, flow: _Flow, pieces: Iterable[Piece]) -> None:
        before = flow.bytes_held
        for piece in pieces:
            if flow.key is None:
                flow.key = self._key(flow.earliest, connection.opening)
            self._output.add(flow.key, piece, flow.protocol)
            connection.is_msmq = connection.is_msmq or piece.is_begun
            flow.reported += piece.size * piece.kind.in_stream
        self.held_bytes += flow.bytes_held - before
