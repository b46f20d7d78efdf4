"""What workers do with ordered segments: batches of Arrow in, batches of pieces out, flow by flow.

1. The rows are those of `ordering`, flow by flow, those of a flow ordered by their place.
2. One flow is in hand at a time, and of it only what its `FlowReader` holds; pieces go out in batches of a
   bounded size.  Segments that follow each other without gap or overlap go to it in one piece.
3. The first place of a flow is its offset 0: the byte after its SYN, or the first byte that was captured.
4. A segment without bytes shows that bytes before its place are missing, unless what is missing is the FIN.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.documents.mqqb import PingPacket
from msmq_wire.packets.packet import MAX_PACKET_SIZE
from msmq_wire.packets.reassembly import FlowReader, Kind, Origin, Piece
from msmq_wire.values.errors import DecodeError

from .schemas import FLOW, PLACE, plain, schema_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["PIECES", "pieces_of"]

_PIECE: Final = (
    ("kind", pa.string(), "A member of `msmq_wire.packets.reassembly.Kind`."),
    ("type", pa.string(), "Name of the packet's structure; null for what is no packet."),
    ("data", pa.binary(), "The bytes; null for a gap."),
    ("cause", pa.string(), "Why it is no packet, in a few words that count."),
    ("error", pa.string(), "Why it is no packet."),
    ("path", pa.string(), "The field where reading failed."),
    ("error_offset", pa.int64(), "Where that is, in bytes from the beginning of the flow."),
    ("repeated", pa.int64(), "Bytes that were captured again since the piece before."),
    ("turn", pa.int64(), "The order of the pieces of a connection, both directions together."),
    (
        "seen",
        pa.int64(),
        "Up to which place its sender had seen the other flow; places count with the turns.",
    ),
)

PIECES: Final = schema_of(FLOW + PLACE + _PIECE)
"""The columns of pieces."""

_PLAIN: Final = plain(PIECES)
_KEYS: Final = [name for name, _, _ in FLOW]
_TRANSPORT: Final = _KEYS.index("transport")
_NOWHERE: Final = Origin(0, "", 0)
_INDEX: Final = re.compile(r"\[\d+\]")
_NO_PACKET: Final = {"BaseHeader", "BaseHeader.VersionNumber", "BaseHeader.Signature"}
_CAUSES: Final = {
    Kind.HEAD: "cut by a gap",
    Kind.REST: "rest of a packet cut by a gap",
    Kind.TAIL: "unfinished at the end",
    Kind.CONFLICT: "differs from the copy that counts",
}
_ROWS = 4096
_BYTES = 4 << 20


_NO_SEGMENT: Final = {Kind.GAP, Kind.CONFLICT}
"""Pieces without bytes of the stream; conflicts are told before what lies in front of them."""


class _Output:
    """Pieces that wait to go out together."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self.keys: list[tuple[Any, ...]] = []
        self.key_of: list[int] = []
        self.pieces: list[Piece] = []
        self.counts: list[tuple[int, int, int]] = []
        self.size = 0

    def add(self, key: tuple[Any, ...], piece: Piece, repeated: int, turn: int, seen: int) -> None:
        """Take a piece of a flow."""
        if not self.keys or self.keys[-1] is not key:
            self.keys.append(key)
        self.key_of.append(len(self.keys) - 1)
        self.pieces.append(piece)
        self.counts.append((repeated, turn, seen))
        self.size += len(piece.data)

    @property
    def full(self) -> bool:
        """Whether they should go out."""
        return len(self.pieces) >= _ROWS or self.size >= _BYTES

    def take(self) -> pa.RecordBatch:
        """The rows, which wait no longer."""
        taken = self._batch()
        self._clear()
        return taken

    def _batch(self) -> pa.RecordBatch:
        pieces = self.pieces
        key_of = pa.array(self.key_of, pa.int32())
        keys: list[Any] = [*zip(*self.keys, strict=True)] or [[]] * len(_KEYS)
        fields = [*_PLAIN]
        columns = [
            pa.array(values, field.type).take(key_of)
            for values, field in zip(keys, fields[: len(_KEYS)], strict=True)
        ]
        firsts = [piece.first or piece.last or _NOWHERE for piece in pieces]
        lasts = [piece.last or piece.first or _NOWHERE for piece in pieces]
        reasons = [None if piece.reason is None else piece.error for piece in pieces]
        errors: list[Any] = [(None,) * 4] * len(pieces)
        for at, error in enumerate(reasons):
            if error is not None:
                errors[at] = _cause(pieces[at].kind, error), str(error), error.path, error.offset
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
            *(zip(*errors, strict=True) if errors else [[]] * 4),
            *(zip(*self.counts, strict=True) if self.counts else [[]] * 3),
        ]
        columns += [
            pa.array(column, field.type) for column, field in zip(values, fields[len(_KEYS) :], strict=True)
        ]
        return pa.RecordBatch.from_arrays(columns, schema=_PLAIN)


class _Datagrams:
    """Reads a flow of datagrams: each is a packet of its own ([MS-MQQB] 2.1), or none."""

    repeated = 0

    def feed(self, offset: int, data: bytes, origin: Origin, length: int) -> list[Piece]:
        """Take the next datagram."""
        found: list[Piece] = []
        if data:
            kind, error, packet = Kind.JUNK, None, None
            try:
                packet = PingPacket.decode(data)
                kind = Kind.PACKET
            except DecodeError as caught:
                error = caught
            found.append(Piece(kind, offset, len(data), data, origin, origin, error, packet))
        if length > len(data):
            found.append(Piece(Kind.GAP, offset + len(data), length - len(data), b"", origin, origin))
        return found

    def close(self) -> list[Piece]:
        """Nothing is pending."""
        return []


class _Flow:
    """The flow in hand.

    The turn of a packet is its end plus what its sender had seen of the other flow.  Whatever the other side
    sent after it had seen the packet has a later turn: it lies further on in its own flow, and has seen more.
    Of what is no packet the first byte counts, for that may be what the other side answers.
    """

    def __init__(self, key: tuple[Any, ...], start: int, max_packet_size: int) -> None:
        self.key = key
        self.start = start
        self.end = start
        self.reader: Any = _Datagrams() if key[_TRANSPORT] == "udp" else FlowReader(max_packet_size)
        self._joins = key[_TRANSPORT] != "udp"
        self._fin: int | None = None
        self._solid: int | None = None  # where the rows end that say where bytes are
        self._told = 0
        self._seen: deque[tuple[int, int]] = deque()  # the end of each segment and what its sender had seen
        self._most = 0

    def feed(self, rows: _Rows, start: int, stop: int) -> Iterator[Iterable[Piece]]:
        """Take the next segments."""
        at = start
        for first, last in rows.joined(start, stop, self.end) if self._joins else ():
            for single in range(at, first):
                yield self._feed_one(rows, single)
            yield self._feed_run(rows, first, last)
            at = last
        for single in range(at, stop):
            yield self._feed_one(rows, single)

    def _feed_one(self, rows: _Rows, at: int) -> Iterable[Piece]:
        place, length = rows.places[at], rows.lengths[at]
        end = place + length
        if rows.fins[at]:
            self._fin = end if self._fin is None else max(self._fin, end)
        if rows.solid[at]:
            self._solid = max(self._solid or end, end)
        elif self._fin is not None or (self._solid is not None and end == self._solid + 1):
            return ()  # a FIN has a number and no byte, and the number that follows shows no more than that
        self.end = max(self.end, end)
        self._seen.append((end - self.start, rows.seen[at]))
        found: Iterable[Piece] = self.reader.feed(
            place - self.start, rows.payload(at), rows.origin(at), length
        )
        return found

    def _feed_run(self, rows: _Rows, first: int, last: int) -> Iterable[Piece]:
        start = self.start
        ends = [end - start for end in rows.ends[first:last].tolist()]
        self._seen.extend(zip(ends, rows.seen[first:last], strict=True))
        self.end = start + ends[-1]
        self._solid = self.end
        if any(rows.fins[first:last]):
            self._fin = max(end + start for end, fin in zip(ends, rows.fins[first:last], strict=True) if fin)
        marks = zip(ends, map(rows.origin, range(first, last)), strict=True)
        found: Iterable[Piece] = self.reader.feed_joined(
            rows.places[first] - start, rows.payload(first, last), marks
        )
        return found

    def send(self, pieces: Iterable[Piece], output: _Output) -> Iterator[pa.RecordBatch]:
        """Let pieces wait to go out, with the bytes repeated before each; give batches that are full."""
        for piece in pieces:
            turn, repeated = self._turn(piece), self.reader.repeated
            output.add(self.key, piece, repeated - self._told, turn, self._most)
            self._told = repeated
            if output.full:
                yield output.take()

    def _turn(self, piece: Piece) -> int:
        seen = self._seen
        end = piece.offset + (piece.size if piece.kind is Kind.PACKET else 1)
        if piece.kind not in _NO_SEGMENT:
            while len(seen) > 1 and seen[0][0] < end:
                seen.popleft()
            self._most = max(self._most, seen[0][1])
        return self.start + end + self._most


class _Rows:
    """The rows of a batch.

    Attributes:
        places: Where the bytes of each belong.
        lengths: How many bytes each had on the wire.
        ends: Where they end.
        seen: What their senders had seen.
        solid: Whether each has bytes, a SYN or a FIN.
        fins: Whether each has a FIN.
    """

    def __init__(self, batch: pa.RecordBatch) -> None:
        def numbers(name: str) -> Any:
            return batch.column(name).cast(pa.int64()).fill_null(0).to_numpy()

        place, length = numbers("place"), numbers("length")
        data = batch.column("payload")
        offsets = np.frombuffer(data.buffers()[1], np.int32, len(data) + 1, data.offset * 4)
        self._data = memoryview(data.buffers()[2] or b"")
        self._offsets = offsets.tolist()
        self._size = np.diff(offsets)
        self.ends = place + length
        self._place = place
        self._whole = (self._size == length) & (length > 0)
        self.places, self.lengths, self.seen = place.tolist(), length.tolist(), numbers("seen").tolist()
        self.solid, self.fins = batch.column("solid").to_pylist(), batch.column("fin").to_pylist()
        self._origins = [
            numbers("time").tolist(), batch.column("file").to_pylist(), numbers("frame").tolist(),
            numbers("position").tolist(), batch.column("wrong").to_pylist(),
        ]  # fmt: skip

    def payload(self, first: int, last: int | None = None) -> bytes:
        """The bytes of a row, or of rows that follow each other."""
        return bytes(self._data[self._offsets[first] : self._offsets[first + 1 if last is None else last]])

    def origin(self, at: int) -> Origin:
        """Where a row was captured."""
        time, file, frame, position, wrong = self._origins
        return Origin(time[at], file[at], frame[at], position[at], wrong[at])

    def joined(self, start: int, stop: int, end: int) -> list[tuple[int, int]]:
        """Where rows of a flow begin and end that follow each other, so that no other one reaches into them.

        Args:
            start: The first row of the flow.
            stop: The row after its last one in this batch; that one may not be the last of the flow.
            end: Where the rows before end.
        """
        place, ends = self._place[start:stop], self.ends[start:stop]
        reached = np.maximum.accumulate(ends)
        before = np.r_[end, np.maximum(reached[:-1], end)]
        clean = self._whole[start:stop] & (place >= before)
        clean[:-1] &= place[1:] >= ends[:-1]
        clean[-1] = False  # what follows it is not known
        follows = np.r_[False, clean[1:] & clean[:-1] & (place[1:] == ends[:-1])]
        edges = np.flatnonzero(np.diff(np.r_[False, follows, False].astype(np.int8)))
        return [
            (start + int(first) - 1, start + int(last))
            for first, last in zip(edges[::2], edges[1::2], strict=True)
        ]


def pieces_of(
    max_packet_size: int = MAX_PACKET_SIZE,
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function that makes pieces of ordered segments.

    Args:
        max_packet_size: The largest PacketSize to wait for.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        flow: _Flow | None = None
        output = _Output()
        for batch in batches:
            if not batch.num_rows:
                continue
            rows = _Rows(batch)
            keys = [batch.column(name) for name in _KEYS]
            for start, stop in _runs(batch):
                key = tuple(column[start].as_py() for column in keys)
                if flow is None or flow.key != key:
                    if flow is not None:
                        yield from flow.send(flow.reader.close(), output)
                    flow = _Flow(key, rows.places[start], max_packet_size)
                for found in flow.feed(rows, start, stop):
                    yield from flow.send(found, output)
        if flow is not None:
            yield from flow.send(flow.reader.close(), output)
        yield output.take()

    return run


def _runs(batch: pa.RecordBatch) -> Iterator[tuple[int, int]]:
    """Where rows of one flow begin and end."""
    ends: set[int] = set()
    for name in ("sensor", "flow"):
        ends.update(pc.run_end_encode(batch.column(name)).run_ends.to_pylist())
    start = 0
    for stop in sorted(ends):
        yield start, stop
        start = stop


def _cause(kind: Kind, error: DecodeError) -> str:
    """Why a piece is no packet, so that equal causes have equal words."""
    if kind is not Kind.JUNK:
        return _CAUSES[kind]
    if error.path in _NO_PACKET:
        return "no packet begins here"
    return f"unreadable: {_INDEX.sub('[]', error.path)}"
