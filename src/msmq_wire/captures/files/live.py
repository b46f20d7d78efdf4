"""Reads a capture while it is written: takes segments as they arrive, returns pieces as soon as possible.

1. An out-of-order segment waits for earlier ones until `_SEGMENTS` segments or `_BYTES` bytes of its flow
   wait.  Then the missing bytes are reported as a gap.
2. A segment with a wrong checksum is omitted if its sender has sent correct ones before, because it will be
   retransmitted.  Retransmissions of bytes that were already read are omitted; results are never revised.
   `ordering`, which reads complete captures, is more precise.
3. A connection is read from the first segment that may be MSMQ.  At most `_CONNECTIONS` are read at a time;
   for a new one, the connection that was silent for longest is closed.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msmq_wire.captures.flows.framing import Datagrams, Output
from msmq_wire.captures.flows.ordering import endpoint, flow_of
from msmq_wire.captures.tables import sensor_of
from msmq_wire.packets.reassembly import FlowReader, Origin

from .segments import ACK, FIN, RST, SYN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

    from msmq_wire.packets.reassembly import Piece

    from .reading import Row

__all__ = ["LiveFlows"]

_SEGMENTS: Final = 64
_BYTES: Final = 1 << 20
_CONNECTIONS: Final = 4096
_WRAP: Final = 1 << 32
_HALF: Final = 1 << 31


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
    places: int | None
    error: str | None

    @property
    def origin(self) -> Origin:
        return Origin(self.time or 0, self.file, self.frame)


class _Flow:
    """One direction of a connection.

    Attributes:
        key: The columns of `FLOW`.
        seq: The sequence number of the next byte.
    """

    def __init__(self, key: tuple[Any, ...], seq: int, reader: FlowReader) -> None:
        self.key = key
        self.seq = seq
        self.ended = False
        self._sums = False  # whether the sender's checksums are complete when its frames are captured
        self._reader = reader
        self._next = 0  # offset of that byte in the flow
        self._waiting: list[tuple[int, int, _Segment]] = []
        self._size = 0

    def feed(self, segment: _Segment) -> Iterator[Piece]:
        """Take a segment; yield the pieces that are complete."""
        seq = (segment.seq or 0) + bool((segment.flags or 0) & SYN)
        ahead = (seq - self.seq + _HALF) % _WRAP - _HALF
        self._sums = self._sums or segment.checksum is True
        if segment.length and not (self._sums and segment.checksum is False):  # the receiver drops it, too
            heapq.heappush(self._waiting, (self._next + ahead, segment.frame, segment))
            self._size += segment.captured
        yield from self._settle()
        if len(self._waiting) > _SEGMENTS or self._size > _BYTES:
            self._jump(self._waiting[0][0])
            yield from self._settle()
        if (segment.flags or 0) & (FIN | RST) and not self._waiting:
            yield from self.close()

    def _jump(self, place: int) -> None:
        self.seq = (self.seq + place - self._next) % _WRAP
        self._next = place

    def _settle(self) -> Iterator[Piece]:
        """Read waiting segments up to the next gap."""
        while self._waiting and self._waiting[0][0] <= self._next:
            place, _, segment = heapq.heappop(self._waiting)
            self._size -= segment.captured
            data = segment.payload[self._next - place :]
            end = place + segment.length
            if end <= self._next:
                continue
            if data:
                marks = [(self._next + len(data), segment.origin)]
                yield from self._reader.feed_joined(self._next, data, marks)
            self._jump(end)  # after the segment's end, even if the capture truncated its bytes

    def close(self) -> Iterator[Piece]:
        """Read all waiting segments, then close the flow."""
        while self._waiting:
            self._jump(max(self._waiting[0][0], self._next))
            yield from self._settle()
        if not self.ended:
            self.ended = True
            yield from self._reader.close(self._next)


class _Connection:
    """Both directions of a connection.

    Attributes:
        opening: The sequence number of the SYN, as in `ordering.Placed`.
        flows: The flows, by whether they go from the endpoint that is named first.
    """

    def __init__(self, opening: int) -> None:
        self.opening = opening
        self.flows: dict[bool, _Flow] = {}


class LiveFlows:
    """Reads rows of segments in the order of capture.

    Args:
        max_packet_size: The largest PacketSize to wait for.
    """

    def __init__(self, max_packet_size: int) -> None:
        self._most = max_packet_size
        self._connections: dict[str, _Connection] = {}
        self._datagrams: dict[str, int] = {}
        self._output = Output()
        self.others = 0
        self.other_bytes = 0

    def take(self, rows: Iterable[Row]) -> pa.RecordBatch:
        """Read rows without errors; return the pieces that are complete."""
        for row in rows:
            segment = _Segment._make(row)
            one, other = endpoint(segment.src, segment.src_port), endpoint(segment.dst, segment.dst_port)
            forward = one <= other
            ends = f"{one} {other}" if forward else f"{other} {one}"
            pair = segment.file if segment.transport == "raw" else f"{segment.transport} {ends}"
            if segment.transport == "udp":
                self._datagram(segment, pair, forward=forward)
            else:
                self._segment(segment, pair, forward=forward)
        return self._output.take()

    def close(self) -> pa.RecordBatch:
        """Close all connections; return the last pieces."""
        for connection in self._connections.values():
            self._end(connection)
        self._connections.clear()
        return self._output.take()

    def _end(self, connection: _Connection) -> None:
        for flow in connection.flows.values():
            self._send(flow.key, flow.close())

    def _send(self, key: tuple[Any, ...], pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            self._output.add(key, piece, 0, 0, 0)

    def _key(self, segment: _Segment, pair: str, opening: int, *, forward: bool) -> tuple[Any, ...]:
        ends = segment.src, segment.src_port, segment.dst, segment.dst_port
        values = (sensor_of(segment.file), pair, segment.transport, segment.file, *ends)
        return flow_of(values, opening, forward=forward)

    def _datagram(self, segment: _Segment, pair: str, *, forward: bool) -> None:
        key = self._key(segment, pair, -1, forward=forward)
        at = self._datagrams.pop(key[3], 0)
        if len(self._datagrams) >= _CONNECTIONS:
            del self._datagrams[next(iter(self._datagrams))]
        self._datagrams[key[3]] = at + segment.length
        self._send(key, Datagrams().feed(at, segment.payload, segment.origin, segment.length))

    def _segment(self, segment: _Segment, pair: str, *, forward: bool) -> None:
        connection = self._connection(segment, pair, forward=forward)
        if connection is None:
            self.others += 1
            self.other_bytes += segment.captured
            return
        flow = connection.flows.get(forward)
        if flow is None:
            key = self._key(segment, pair, connection.opening, forward=forward)
            seq = (segment.seq or 0) + bool((segment.flags or 0) & SYN)
            flow = connection.flows[forward] = _Flow(key, seq, FlowReader(self._most))
        if not flow.ended:
            self._send(flow.key, flow.feed(segment))

    def _connection(self, segment: _Segment, pair: str, *, forward: bool) -> _Connection | None:
        """Return the connection of a segment; None if nothing in it looked like MSMQ so far."""
        flags, found = segment.flags or 0, self._connections.pop(pair, None)
        opening = -1
        if flags & SYN and not flags & ACK:
            opening = (segment.seq or 0) * 2 + forward
        elif flags & SYN:
            opening = ((segment.ack or 0) - 1) % _WRAP * 2 + (not forward)
        if found is not None and opening not in {-1, found.opening} and not flags & ACK:
            self._end(found)
            found = None
        if found is None:
            if not segment.marked:
                return None
            found = _Connection(opening)
            if len(self._connections) >= _CONNECTIONS:
                self._end(self._connections.pop(next(iter(self._connections))))
        self._connections[pair] = found
        return found
