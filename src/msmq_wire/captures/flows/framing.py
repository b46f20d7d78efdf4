"""Splits ordered segments into pieces: Arrow batches in, Arrow batches out, flow by flow.

1. The rows come from `ordering`, flow by flow, and those of a flow ordered by place.
2. One flow is processed at a time, and only the buffer of its `FlowReader` is in memory.  Pieces are returned
   in batches of a bounded size.  Consecutive segments without gap or overlap are passed on joined.  A short
   flow whose bytes are valid packets, and nothing else, is not read segment by segment.
3. The first place of a flow is its offset 0: the byte after its SYN, or the first captured byte.
4. A segment without bytes shows that bytes before its place are missing, unless only the FIN is missing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.schemas import FLOW, FLOW_NAMES, PLACE, arrow_of, plain, schema_of
from msmq_wire.captures.spool import taken
from msmq_wire.documents.mqqb import PingPacket
from msmq_wire.packets.calls import Call
from msmq_wire.packets.mistaken import protocol_name
from msmq_wire.packets.reassembly import FlowReader, Kind, Origin, Origins, Piece
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.numbers import MAX_PACKET_SIZE

from .connections import LEAST, may_be_after_fin
from .valid_packets import ValidPackets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

_PIECE: Final = (
    ("kind", pa.string(), "A member of `msmq_wire.packets.reassembly.Kind`."),
    ("type", pa.string(), "Name of the packet's structure; null if it is not a packet."),
    ("data", pa.binary(), "The bytes; null for a gap."),
    ("cause", pa.string(), "The reason why it is not a packet, in a few words, for counting."),
    ("error", pa.string(), "The error; null for a packet."),
    ("problem", pa.string(), "The error without its place and limit."),
    ("path", pa.string(), "The field at which decoding failed."),
    ("error_offset", pa.int64(), "Offset of the error in the flow."),
    (
        "protocol",
        pa.string(),
        "The protocol of its flow by the first captured bytes, such as RPC; null for MSMQ, and if unknown.",
    ),
    ("repeated", pa.int64(), "Number of repeated bytes since the previous piece."),
    ("turn", pa.int64(), "The order of the pieces of a connection, both directions together."),
    (
        "seen",
        pa.int64(),
        "Up to which place its sender had seen the other flow; places count with the turns.",
    ),
    ("call", arrow_of(Call), "The remote call to which a piece belongs, as `Piece.call`."),
)

PIECES: Final = schema_of(FLOW + PLACE + _PIECE)
"""The columns of pieces."""

_PLAIN: Final = plain(PIECES)
_TRANSPORT: Final = FLOW_NAMES.index("transport")
_NOWHERE: Final = Origin(0, "", 0)
_origin: Final[Callable[[Iterable[Any]], Origin]] = partial(tuple.__new__, Origin)
"""`Origin._make`, in a quarter of the time."""
_INDEX: Final = re.compile(r"\[\d+\]")
_NO_PACKET: Final = {"BaseHeader.VersionNumber", "BaseHeader.Signature"}
DIFFERS: Final = "differs from the selected copy"
"""The cause of a conflict whose checksum is not wrong."""
_CAUSES: Final = {
    Kind.HEAD: "cut by a gap",
    Kind.REST: "rest of a packet cut by a gap",
    Kind.TAIL: "unfinished at the end",
    Kind.CONFLICT: DIFFERS,
}
_ROWS = 4096
_BYTES = 4 << 20
_TRIES: Final = 4
"""How many packets of a run are tried to find one before which nothing is pending."""


_TURNS: Final = 16
"""How often valid packets and single pieces may alternate until it is cheaper to copy them together."""
_LONE: Final = 8
"""Up to about this many rows of a batch, origins are looked up one by one."""
_SHORT: Final = 64
"""The most rows of a flow that is read at once; a longer one is read segment by segment."""

_NO_SEGMENT: Final = {Kind.GAP, Kind.CONFLICT}
"""Pieces without bytes of the stream; conflicts are reported before the bytes that precede them."""


class _PacketRun(NamedTuple):
    """Consecutive valid packets, found by `ValidPackets`.

    Attributes:
        first: Index of the first packet in the batch of rows.
        last: Index after the last one.
        start: The place where their flow starts, or the flow of each.
        seen: For each packet, the place up to which its sender had seen the other flow.
        repeated: Retransmitted bytes before the first packet.
    """

    first: int
    last: int
    start: int | NDArray[np.int64]
    seen: NDArray[np.int64]
    repeated: int


class Output:
    """Pieces waiting to be returned: single ones, and valid packets of a batch of rows."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self.keys: list[tuple[Any, ...]] = []
        self.key_of: list[int] = []
        self.pieces: list[Piece] = []
        self.counts: list[tuple[int, int, int]] = []
        self.protocols: list[str | None] = []
        self.size = 0
        self.packet_runs: list[_PacketRun] = []
        self._order: list[tuple[bool, int]] = []  # whether valid packets, and the number of pieces

    def _key(self, key: tuple[Any, ...]) -> int:
        if not self.keys or self.keys[-1] is not key:
            self.keys.append(key)
        return len(self.keys) - 1

    def add(
        self,
        key: tuple[Any, ...],
        piece: Piece,
        protocol: str | None,
        repeated: int = 0,
        turn: int = 0,
        seen: int = 0,
    ) -> None:
        """Add a piece of a flow of a protocol, as `FlowReader.protocol` names it."""
        self.protocols.append(protocol or None)
        self.key_of.append(self._key(key))
        self.pieces.append(piece)
        self.counts.append((repeated, turn, seen))
        self.size += len(piece.data)
        if self._order and not self._order[-1][0]:
            self._order[-1] = False, self._order[-1][1] + 1
        else:
            self._order.append((False, 1))

    def add_run(self, run: _PacketRun) -> None:
        """Add valid packets, which are returned with their batch of rows."""
        self.packet_runs.append(run)
        count = run.last - run.first
        if self._order and self._order[-1][0]:
            self._order[-1] = True, self._order[-1][1] + count
        else:
            self._order.append((True, count))

    @property
    def full(self) -> bool:
        """Whether the output is large enough to be returned."""
        return len(self.pieces) >= _ROWS or self.size >= _BYTES

    def take(self) -> pa.RecordBatch:
        """Return all waiting pieces, if there are only single ones."""
        taken = self._batch()
        self._clear()
        return taken

    def take_all(self, rows: _Rows) -> Iterator[pa.RecordBatch]:
        """Yield all waiting pieces; the valid packets are in the batch of these rows."""
        if not self.packet_runs:
            yield self.take()
            return
        packets, order = self._batch_of_packets(rows), self._order
        single = self.take()
        if len(order) <= _TURNS:
            at = {True: 0, False: 0}
            for is_packet, count in order:
                yield (packets if is_packet else single).slice(at[is_packet], count)
                at[is_packet] += count
        else:
            both = pa.Table.from_batches([packets, single])
            yield from both.take(pa.array(interleave(order))).combine_chunks().to_batches()

    def _key_columns(self, key_of: pa.Array) -> list[pa.Array]:
        keys: list[Any] = [*zip(*self.keys, strict=True)] or [[]] * len(FLOW_NAMES)
        return [
            pa.array(values, field.type).take(key_of)
            for values, field in zip(keys, [*_PLAIN][: len(FLOW_NAMES)], strict=True)
        ]

    def _batch_of_packets(self, rows: _Rows) -> pa.RecordBatch:
        """Return the batch of the valid packets."""
        counts = np.array([run.last - run.first for run in self.packet_runs])
        which = np.concatenate([np.arange(run.first, run.last) for run in self.packet_runs])
        most = np.concatenate([run.seen for run in self.packet_runs])
        begins = np.concatenate([np.broadcast_to(run.start, len(run.seen)) for run in self.packet_runs])
        repeated = np.zeros(len(which), np.int64)
        repeated[np.cumsum(counts) - counts] = [run.repeated for run in self.packet_runs]
        valid_packets = rows.valid_packets
        offset = valid_packets.stream_offsets[which] - begins
        size = valid_packets.ends[which] - valid_packets.starts[which]
        nothing = pa.nulls(len(which), pa.string())
        columns = {
            "offset": pa.array(offset),
            "size": pa.array(size),
            "kind": pa.repeat(pa.scalar(Kind.PACKET.value), len(which)),
            "type": taken(valid_packets.kinds, which),
            "data": taken(valid_packets.data, which),
            **dict.fromkeys(("cause", "error", "problem", "path", "protocol"), nothing),
            "error_offset": pa.nulls(len(which), pa.int64()),
            "repeated": pa.array(repeated),
            "turn": pa.array(begins + offset + size + most),
            "seen": pa.array(most),
            "call": pa.nulls(len(which), PIECES.field("call").type),
        }
        names = ("time", "file", "first_frame"), ("end_time", "last_file", "last_frame")
        for own, of in zip(names, (valid_packets.earliest, valid_packets.latest), strict=True):
            columns |= zip(own, rows.captured(of[which]), strict=True)
        arrays = [
            *rows.keys(valid_packets.first[which]),
            *(columns[field.name] for field in [*_PLAIN][len(FLOW_NAMES) :]),
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=_PLAIN)

    def _batch(self) -> pa.RecordBatch:
        pieces = self.pieces
        fields = [*_PLAIN]
        columns = self._key_columns(pa.array(self.key_of, pa.int32()))
        firsts = [piece.first or piece.last or _NOWHERE for piece in pieces]
        lasts = [piece.last or piece.first or _NOWHERE for piece in pieces]
        reasons = [None if piece.reason is None else piece.error for piece in pieces]
        errors: list[Any] = [(None,) * 5] * len(pieces)
        for at, error in enumerate(reasons):
            if error is not None:
                errors[at] = *_why(pieces[at], error), error.path, error.offset
        values: list[Any] = [
            [piece.offset for piece in pieces],
            [piece.size for piece in pieces],
            [origin.time or None for origin in firsts],
            [origin.time or None for origin in lasts],
            [origin.file or None for origin in firsts],
            [origin.frame or None for origin in firsts],
            [origin.file or None for origin in lasts],
            [origin.frame or None for origin in lasts],
            [piece.kind.value for piece in pieces],
            [None if piece.packet is None else type(piece.packet).__name__ for piece in pieces],
            [None if piece.kind is Kind.GAP else piece.data for piece in pieces],
            *(zip(*errors, strict=True) if errors else [[]] * 5),
            self.protocols,
            *(zip(*self.counts, strict=True) if self.counts else [[]] * 3),
            [None if piece.call is None else msgspec.structs.asdict(piece.call) for piece in pieces],
        ]
        columns += [
            pa.array(column, field.type)
            for column, field in zip(values, fields[len(FLOW_NAMES) :], strict=True)
        ]
        return pa.RecordBatch.from_arrays(columns, schema=_PLAIN)


def interleave(order: list[tuple[bool, int]]) -> NDArray[np.int64]:
    """Return the order of pieces, as indices into valid packets followed by single pieces."""
    single = np.repeat(
        np.array([not is_packet for is_packet, _ in order]), np.array([count for _, count in order])
    )
    interleaved = np.empty(len(single), np.int64)
    start = len(single) - int(single.sum())
    interleaved[~single] = np.arange(start)
    interleaved[single] = np.arange(start, len(single))
    return interleaved


class Datagrams:
    """Reads a flow of datagrams, each of which is one packet ([MS-MQQB] 2.1) or invalid."""

    repeated = 0
    protocol = ""

    def feed(self, offset: int, data: bytes, origin: Origin, length: int) -> list[Piece]:
        """Take the next datagram."""
        pieces: list[Piece] = []
        if data:
            kind, error, packet = Kind.JUNK, None, None
            try:
                packet = PingPacket.decode(data)
                kind = Kind.PACKET
            except DecodeError as caught:
                error = caught
            pieces.append(Piece(kind, offset, len(data), data, origin, origin, error, packet))
        if length > len(data):
            pieces.append(Piece(Kind.GAP, offset + len(data), length - len(data), b"", origin, origin))
        return pieces

    def close(self) -> list[Piece]:
        """Return nothing, because nothing is pending."""
        return []


class _Flow:
    """The flow that is being processed.

    The turn of a packet is its end plus the place up to which its sender had seen the other flow.
    Everything that the other side sent after it had seen the packet has a later turn, because both
    numbers are larger.  For a piece that is not a packet, the first byte counts, because the other side
    may answer it.
    """

    def __init__(self, key: tuple[Any, ...], start: int, max_packet_size: int) -> None:
        self.key = key
        self.start = start
        self.end = start
        self.reader: Any = Datagrams() if key[_TRANSPORT] == "udp" else FlowReader(max_packet_size)
        self._ended = False  # by a FIN
        self._solid = LEAST  # end of the rows that have bytes, a SYN or a FIN
        self._reported = 0
        # The ends of segments, and the places up to which their senders had seen the other flow; or arrays of
        # both.
        self._seen: deque[tuple[int, int | tuple[NDArray[np.int64], NDArray[np.int64]]]] = deque()
        self._most = 0

    @property
    def due(self) -> int:
        """The place up to which no packet begins."""
        return self.start + int(self.reader.due)

    def feed(
        self, rows: _Rows, start: int, stop: int, runs: list[tuple[int, int]], output: Output
    ) -> Iterator[pa.RecordBatch]:
        """Process the next segments; yield full batches."""
        at = start
        for first, last in runs:
            for single in range(at, first):
                yield from self.send(self._feed_one(rows, single), output, rows)
            yield from self._feed_run(rows, first, last, output)
            at = last
        for single in range(at, stop):
            yield from self.send(self._feed_one(rows, single), output, rows)

    def _feed_one(self, rows: _Rows, at: int) -> Iterable[Piece]:
        stream_offset, length = rows.stream_offsets[at], rows.lengths[at]
        end = stream_offset + length
        self._ended |= rows.fins[at]
        if rows.solid[at]:
            self._solid = max(self._solid, end)
        elif may_be_after_fin(end, self._solid, is_ended=self._ended):
            return ()
        self.end = max(self.end, end)
        self._seen.append((end - self.start, rows.seen[at]))
        pieces: Iterable[Piece] = self.reader.feed(
            stream_offset - self.start, rows.payload(at), rows.origin(at), length
        )
        return pieces

    def _feed_run(self, rows: _Rows, first: int, last: int, output: Output) -> Iterator[pa.RecordBatch]:
        """Process consecutive segments: valid packets at once, the bytes around them one by one."""
        valid_packets, reader = rows.valid_packets, self.reader
        self.end = self._solid = rows.stream_offsets[last - 1] + rows.lengths[last - 1]
        self._ended |= any(rows.fins[first:last])
        at, end = rows.offsets[first], rows.offsets[last]
        shift = rows.stream_offsets[first] - at - self.start
        here, others = valid_packets.within(at, end)
        row, tries = first, 0
        while here < others and tries < _TRIES:
            begin = int(valid_packets.starts[here])
            if begin > at:
                pieces, row = self._feed_bytes(rows, at, begin, row)
            else:
                pieces = reader.settle(at + shift)
            yield from self.send(pieces, output, rows)
            at = begin
            if not reader.idle_at(at + shift):
                here, tries = here + 1, tries + 1
                continue
            stop = valid_packets.together(here, others)
            at, row = int(valid_packets.ends[stop - 1]), int(valid_packets.last[stop - 1])
            reader.pass_over(at + shift, rows.origin(row))
            self._send_run(rows, here, stop, output)
            self._seen.clear()
            self._seen.append((int(rows.ends[row]) - self.start, rows.seen[row]))
            row += rows.offsets[row + 1] == at
            here = stop
        if at < end:
            pieces, _ = self._feed_bytes(rows, at, end, row)
            yield from self.send(pieces, output, rows)

    def _feed_bytes(self, rows: _Rows, begin: int, end: int, row: int) -> tuple[Iterable[Piece], int]:
        """Process bytes of consecutive segments from a row on; return pieces and the row of the next byte."""
        shift = rows.stream_offsets[row] - rows.offsets[row] - self.start
        stop = bisect_left(rows.offsets, end, row, len(rows.stream_offsets))
        ends, seen = rows.ends[row:stop] - self.start, rows.seen_of[row:stop]
        last = shift + min(rows.offsets[stop], end)
        marks: list[tuple[int, Origin | Origins]]
        if stop - row < _LONE:
            self._seen.extend(zip(ends.tolist(), seen.tolist(), strict=True))
            marks = [(shift + rows.offsets[at + 1], rows.origin(at)) for at in range(row, stop)]
            marks[-1] = last, marks[-1][1]
        else:
            self._seen.append((int(ends[-1]), (ends, seen)))
            marks = [(last, _Run(rows, row, stop, ends))]
        pieces = self.reader.feed_joined(shift + begin, bytes(rows.data[begin:end]), marks)
        return pieces, stop - (rows.offsets[stop] > end)

    def _send_run(self, rows: _Rows, first: int, last: int, output: Output) -> None:
        """Add valid packets to the output."""
        seen = np.maximum(
            np.maximum.accumulate(rows.seen_of[rows.valid_packets.last[first:last]]), self._most
        )
        repeated = self.reader.repeated
        output.add_run(_PacketRun(first, last, self.start, seen, repeated - self._reported))
        self._reported, self._most = repeated, int(seen[-1])

    def send(self, pieces: Iterable[Piece], output: Output, rows: _Rows) -> Iterator[pa.RecordBatch]:
        """Add pieces to the output, with the retransmitted bytes before each; yield full batches."""
        for piece in pieces:
            turn, repeated = self._turn(piece), self.reader.repeated
            output.add(self.key, piece, self.reader.protocol, repeated - self._reported, turn, self._most)
            self._reported = repeated
            if output.full:
                yield from output.take_all(rows)

    def _turn(self, piece: Piece) -> int:
        seen = self._seen
        end = piece.offset + (piece.size if piece.kind is Kind.PACKET else 1)
        if piece.kind not in _NO_SEGMENT:
            while len(seen) > 1 and seen[0][0] < end:
                seen.popleft()
            value = seen[0][1]
            if not isinstance(value, int):
                ends, each = value
                value = int(each[min(int(np.searchsorted(ends, end)), len(ends) - 1)])
            self._most = max(self._most, value)
        return self.start + end + self._most


class _Run:
    """The origins of consecutive rows.

    Args:
        rows: All rows.
        first: The first one of these.
        last: The row after the last one.
        ends: Their ends in the flow.
    """

    def __init__(self, rows: _Rows, first: int, last: int, ends: NDArray[np.int64]) -> None:
        self._rows = rows
        self._first = first
        self._positions = rows.positions[first:last]
        self._ends = ends

    def between(self, start: int, stop: int) -> tuple[Origin, Origin]:
        """Return the first and the last captured origin of some bytes."""
        first, last = np.searchsorted(self._ends, (start, stop - 1), side="right").tolist()
        own = self._positions[first : last + 1]
        rows, first = self._rows, self._first + first
        return rows.origin(first + int(own.argmin())), rows.origin(first + int(own.argmax()))


class _Rows:
    """The rows of a batch.

    Attributes:
        stream_offsets: Places of the bytes in the flow.
        lengths: Sizes on the wire.
        ends: Ends in the flow.
        data: The bytes of all rows.
        offsets: Offsets of the rows in `data`, and the end of the last one.
        seen: The places up to which the senders had seen the other flow, as a list.
        seen_of: The same as an array.
        valid_packets: The packets that `find` has found.
        solid: Whether a row has bytes, a SYN or a FIN.
        fins: Whether a row has a FIN.
    """

    def __init__(self, batch: pa.RecordBatch) -> None:
        def numbers(name: str) -> Any:
            return batch.column(name).cast(pa.int64()).fill_null(0).to_numpy()

        stream_offset, length = numbers("stream_offset"), numbers("length")
        data = batch.column("payload")
        offsets = np.frombuffer(data.buffers()[1], np.int32, len(data) + 1, data.offset * 4)
        first, last = int(offsets[0]), int(offsets[-1])
        self.data = memoryview(data.buffers()[2] or b"")[first:last]
        self._starts = offsets.astype(np.int64) - first
        self.offsets = self._starts.tolist()
        self.ends = stream_offset + length
        self._stream_offsets = stream_offset
        self._empty = length == 0
        self._whole = (np.diff(offsets) == length) & ~self._empty
        self._empty_before = np.append(0, np.cumsum(self._empty))
        self.seen_of = numbers("seen")
        self.stream_offsets, self.lengths, self.seen = (
            stream_offset.tolist(),
            length.tolist(),
            self.seen_of.tolist(),
        )
        self.solid, self.fins = (
            batch.column(name).to_numpy(zero_copy_only=False).tolist() for name in ("solid", "fin")
        )
        self.positions = numbers("position")
        time, frame = (batch.column(name).cast(pa.int64()).fill_null(0) for name in ("time", "frame"))
        position, wrong = batch.column("position"), batch.column("wrong")
        self._origin_columns = [time, batch.column("file"), frame, position, wrong]
        self._batch = batch
        self._lookups = 0

    def find(self, flows: _Flows, max_packet_size: int, due: int | None) -> None:
        """Find the valid packets in consecutive rows.

        Args:
            flows: The flows of the batch.
            max_packet_size: The largest PacketSize to wait for.
            due: The place in the first flow up to which no packet begins, if known.
        """
        firsts, lasts = flows.ranges()
        ranges = [*zip(self._starts[firsts].tolist(), self._starts[lasts].tolist(), strict=True)]
        if due is not None:
            begin, end = ranges[0]
            ranges[0] = max(begin, min(begin + due - self.stream_offsets[firsts[0]], end)), end
        self.valid_packets = ValidPackets(self.data, ranges, max_packet_size)
        self.valid_packets.locate(self._starts, self._stream_offsets, self.positions)

    def keys(self, rows: NDArray[np.int64]) -> list[pa.Array]:
        """Return the columns of `FLOW` of rows."""
        return self._batch.select(FLOW_NAMES).take(pa.array(rows)).columns  # type: ignore[no-any-return]

    def complete(self, starts: NDArray[np.int64], stops: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which flows have each byte once and in order, and no row that indicates missing bytes.

        Args:
            starts: The first row of each flow; all rows belong to one of them.
            stops: The row after the last one of each.
        """
        counts, first = stops - starts, self._starts[starts]
        solid = np.array(self.solid, np.bool_)
        has_solid = np.repeat(np.logical_or.reduceat(solid, starts), counts)
        stream_offset = self._stream_offsets - np.repeat(self._stream_offsets[starts], counts)
        size = np.repeat(self._starts[stops] - first, counts)
        follows = self._whole & (stream_offset == self._starts[:-1] - np.repeat(first, counts))
        shows_nothing = self._empty & (
            stream_offset <= size + (has_solid & ~solid)
        )  # the FIN has a number, too
        every: NDArray[np.bool_] = np.logical_and.reduceat(follows | shows_nothing, starts)
        return every

    def packets_of(
        self, starts: NDArray[np.int64], stops: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Return the first packet of each complete flow, the end of its packets, and whether these are all.

        They are not if the flow has other bytes, or a row without bytes within a packet, because that row may
        have the last time.
        """
        valid_packets, begins, ends = self.valid_packets, self._starts[starts], self._starts[stops]
        is_apart = self._empty_before[valid_packets.last] > self._empty_before[valid_packets.first]
        first, last, fills = valid_packets.filling(begins, ends, is_apart)
        return first, last, fills | (begins == ends)

    def together(
        self, starts: NDArray[np.int64], first: NDArray[np.int64], last: NDArray[np.int64]
    ) -> _PacketRun:
        """Return the packets of flows that consist of them and follow each other.

        Args:
            starts: The first row of each flow.
            first: Its first packet.
            last: The one after its last.
        """
        counts = last - first
        packets = slice(int(first[0]), int(last[-1]))
        seen, rank = np.unique(
            np.maximum(self.seen_of[self.valid_packets.last[packets]], 0), return_inverse=True
        )
        below = np.repeat(np.arange(len(counts)), counts) * len(seen)
        most = np.maximum.accumulate(rank + below) - below  # within its flow
        return _PacketRun(
            packets.start, packets.stop, np.repeat(self._stream_offsets[starts], counts), seen[most], 0
        )

    def captured(self, rows: NDArray[np.int64]) -> list[pa.Array]:
        """Return time, file and frame of rows; a time of zero is unknown."""
        taken = pa.array(rows)
        time, file, frame = (self._batch.column(name).take(taken) for name in ("time", "file", "frame"))
        return [pc.if_else(pc.equal(time.cast(pa.int64()), 0), None, time), file, frame]

    def payload(self, at: int) -> bytes:
        """Return the bytes of a row."""
        return bytes(self.data[self.offsets[at] : self.offsets[at + 1]])

    def origin(self, at: int) -> Origin:
        """Return the origin of a row."""
        self._lookups += 1
        if self._lookups <= _LONE:
            return _origin([column[at].as_py() for column in self._origin_columns])
        return _origin([column[at] for column in self._origins])

    @cached_property
    def _origins(self) -> list[list[Any]]:
        """The columns of origins as lists, which take less time for many rows."""
        return [
            column.to_pylist()
            if pa.types.is_string(column.type)
            else column.to_numpy(zero_copy_only=False).tolist()
            for column in self._origin_columns
        ]

    def joined(self, start: int, stop: int, end: int) -> list[tuple[int, int]]:
        """Return ranges of consecutive rows of a flow that no other row overlaps.

        Args:
            start: The first row of the flow.
            stop: The row after its last one in this batch; later batches may have more rows of the
                flow.
            end: End of the earlier rows.
        """
        stream_offset, ends = self._stream_offsets[start:stop], self.ends[start:stop]
        before = np.full(len(ends), end)
        np.maximum(np.maximum.accumulate(ends[:-1]), end, out=before[1:])
        clean = self._whole[start:stop] & (stream_offset >= before)
        clean[:-1] &= stream_offset[1:] >= ends[:-1]
        clean[-1] = False  # the next row is unknown
        follows = np.zeros(len(ends) + 2, np.int8)  # whether rows continue the ones before
        follows[2:-1] = clean[1:] & clean[:-1] & (stream_offset[1:] == ends[:-1])
        edges = np.flatnonzero(np.diff(follows))
        return [
            (start + int(first) - 1, start + int(last))
            for first, last in zip(edges[::2], edges[1::2], strict=True)
        ]


def pieces_of(
    max_packet_size: int = MAX_PACKET_SIZE,
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the function that converts ordered segments to pieces.

    Args:
        max_packet_size: The largest PacketSize to wait for.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        flow: _Flow | None = None
        rows: _Rows | None = None
        output = Output()
        for batch in batches:
            if not batch.num_rows:
                continue
            rows = _Rows(batch)
            flows = _flows(batch, rows, flow)
            due = flow.due if flow is not None and flow.key == flows.key and flows.runs[0] else None
            rows.find(flows, max_packet_size, due)
            first, last, are_all = rows.packets_of(flows.starts, flows.stops)
            (others,) = (~(flows.complete & are_all)).nonzero()
            keys = zip(*(column.to_pylist() for column in rows.keys(flows.starts[others])), strict=True)
            at = 0  # the next flow
            for other, key in zip(others.tolist(), keys, strict=True):
                if flow is not None and (at < other or flow.key != key):
                    yield from flow.send(flow.reader.close(), output, rows)
                    flow = None
                if at < other and first[at] < last[other - 1]:
                    output.add_run(rows.together(flows.starts[at:other], first[at:other], last[at:other]))
                start, stop = int(flows.starts[other]), int(flows.stops[other])
                flow = flow or _Flow(key, rows.stream_offsets[start], max_packet_size)
                yield from flow.feed(rows, start, stop, flows.runs.get(other, []), output)
                at = other + 1
            if output.packet_runs:
                yield from output.take_all(rows)
        if flow is not None and rows is not None:
            yield from flow.send(flow.reader.close(), output, rows)
        yield output.take()

    return run


class _Flows(NamedTuple):
    """The flows of a batch; later batches may have more rows of the last one.

    Attributes:
        key: The columns of `FLOW` of the first one.
        starts: The first row of each.
        stops: The row after its last one.
        complete: Whether these are all its rows, few, and `_Rows.complete`; then they are consecutive.
        runs: Ranges of consecutive rows of each of the others.
    """

    key: tuple[Any, ...]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    complete: NDArray[np.bool_]
    runs: dict[int, list[tuple[int, int]]]

    def ranges(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return starts and ends of all consecutive rows, in order."""
        runs = np.array([run for runs in self.runs.values() for run in runs], np.int64).reshape(-1, 2)
        starts, stops = self.starts[self.complete], self.stops[self.complete]
        return np.sort(np.append(starts, runs[:, 0])), np.sort(np.append(stops, runs[:, 1]))


def _flows(batch: pa.RecordBatch, rows: _Rows, flow: _Flow | None) -> _Flows:
    """Return the flows of a batch, given the one of the last row of the batch before."""
    ends = (pc.run_end_encode(batch.column(name)).run_ends.to_numpy() for name in ("sensor", "flow"))
    stops = np.union1d(*ends).astype(np.int64)
    starts = np.append(0, stops[:-1])
    is_udp = pc.equal(batch.column("transport"), "udp").to_numpy(zero_copy_only=False)[starts]
    complete = rows.complete(starts, stops) & (stops - starts <= _SHORT) & ~is_udp
    complete[-1] = False
    (key,) = zip(*(column.to_pylist() for column in rows.keys(starts[:1])), strict=True)
    end = None
    if flow is not None and flow.key == key:
        complete[0], end = False, flow.end
    runs: dict[int, list[tuple[int, int]]] = {}
    for at in (~complete).nonzero()[0].tolist():
        start, stop = int(starts[at]), int(stops[at])
        before = rows.stream_offsets[start] if at or end is None else end
        runs[at] = [] if is_udp[at] else rows.joined(start, stop, before)
    return _Flows(key, starts, stops, complete, runs)


def _why(piece: Piece, error: DecodeError) -> tuple[str, str, str]:
    """Return why a piece is not a packet, in a few words that are equal for equal causes.

    Then the error, and the error without its place.
    """
    if piece.kind in _CAUSES:
        is_wrong = piece.kind is Kind.CONFLICT and piece.first is not None and piece.first.wrong
        cause = _CAUSES[piece.kind] + is_wrong * ", with a wrong checksum"
    elif error.path in _NO_PACKET:
        cause = "no packet begins here"
    else:
        cause = f"unreadable: {_INDEX.sub('[]', error.path)}"
    protocol = protocol_name(piece.data) if error.path in _NO_PACKET else ""
    if not protocol:
        return cause, str(error), error.problem
    named = f"these bytes are {protocol}"
    whole, problem = (f"{named}: {text.replace(f'; {named}', '')}" for text in (str(error), error.problem))
    return f"{cause}: {protocol}", whole, problem
