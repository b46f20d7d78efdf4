"""What workers do with ordered segments: batches of Arrow in, batches of pieces out, flow by flow.

1. The rows of a flow come one behind the other, ordered by their place; `flows.ordered` sees to it.
2. One flow is in hand at a time, and of it only what its `FlowReader` holds; pieces go out in batches of a
   bounded size.
3. The first place of a flow is its offset 0: the byte behind its SYN, or the first byte that was captured.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.errors import DecodeError
from msmq_wire.mqqb import PingPacket
from msmq_wire.packets import MAX_PACKET_SIZE
from msmq_wire.reassembly import FlowReader, Kind, Origin, Piece

from .schemas import FLOW, PLACE, plain, schema_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["PIECES", "pieces_of"]

_PIECE: Final = (
    ("kind", pa.string(), "A member of `msmq_wire.reassembly.Kind`."),
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
_ROW: Final = ("place", "seen", "length", "payload", "time", "file", "frame")
_NOWHERE: Final = Origin(0, "", 0)
_INDEX: Final = re.compile(r"\[\d+\]")
_NO_PACKET: Final = {"BaseHeader", "BaseHeader.VersionNumber", "BaseHeader.Signature"}
_CAUSES: Final = {
    Kind.HEAD: "cut by a gap",
    Kind.REST: "rest of a packet cut by a gap",
    Kind.TAIL: "unfinished at the end",
    Kind.CONFLICT: "differs from what was captured first",
}
_ROWS = 4096
_BYTES = 4 << 20


_NO_SEGMENT: Final = {Kind.GAP, Kind.CONFLICT}
"""Pieces without bytes of the stream; conflicts are told before what lies in front of them."""


class _Output:
    """Rows that wait to go out together."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self.keys: list[tuple[Any, ...]] = []
        self.pieces: list[Piece] = []
        self.repeated: list[int] = []
        self.turns: list[int] = []
        self.seen: list[int] = []
        self.size = 0

    def add(self, key: tuple[Any, ...], piece: Piece, repeated: int, turn: int, seen: int) -> None:
        """Take a piece of a flow."""
        self.keys.append(key)
        self.pieces.append(piece)
        self.repeated.append(repeated)
        self.turns.append(turn)
        self.seen.append(seen)
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
        errors = [piece.error for piece in pieces]
        firsts = [piece.first or piece.last or _NOWHERE for piece in pieces]
        lasts = [piece.last or piece.first or _NOWHERE for piece in pieces]
        columns: list[Any] = [*zip(*self.keys, strict=True)] or [[]] * len(_KEYS)
        columns += [
            [piece.offset for piece in pieces],
            [piece.size for piece in pieces],
            [origin.time or None for origin in firsts],
            [origin.time or None for origin in lasts],
            [origin.file or None for origin in firsts],
            [origin.frame or None for origin in firsts],
            [origin.file or None for origin in lasts],
            [origin.frame or None for origin in lasts],
            [str(piece.kind) for piece in pieces],
            [None if piece.packet is None else type(piece.packet).__name__ for piece in pieces],
            [None if piece.kind is Kind.GAP else piece.data for piece in pieces],
            [error and _cause(piece.kind, error) for piece, error in zip(pieces, errors, strict=True)],
            [error and str(error) for error in errors],
            [error and error.path for error in errors],
            [error and error.offset for error in errors],
            self.repeated,
            self.turns,
            self.seen,
        ]
        arrays = [pa.array(column, field.type) for column, field in zip(columns, PIECES, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=_PLAIN)


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
        self.reader: Any = _Datagrams() if key[_TRANSPORT] == "udp" else FlowReader(max_packet_size)
        self._told = 0
        self._seen: deque[tuple[int, int]] = deque()  # the end of each segment and what its sender had seen
        self._most = 0

    def feed(self, place: int, seen: int, length: int, payload: bytes, origin: Origin) -> Iterable[Piece]:
        """Take the next segment."""
        offset = place - self.start
        self._seen.append((offset + length, seen))
        found: Iterable[Piece] = self.reader.feed(offset, payload, origin, length)
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


def pieces_of(
    max_packet_size: int = MAX_PACKET_SIZE,
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function for `mapInArrow` that makes pieces of ordered segments.

    Args:
        max_packet_size: The largest PacketSize to wait for.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        flow: _Flow | None = None
        output = _Output()
        for batch in batches:
            rows = [*zip(*(_values(batch.column(name)) for name in _ROW), strict=True)]
            keys = [batch.column(name) for name in _KEYS]
            for start, stop in _runs(batch):
                key = tuple(column[start].as_py() for column in keys)
                if flow is None or flow.key != key:
                    if flow is not None:
                        yield from flow.send(flow.reader.close(), output)
                    flow = _Flow(key, rows[start][0], max_packet_size)
                for place, seen, length, payload, time, file, frame in rows[start:stop]:
                    origin = Origin(time or 0, file, frame)
                    yield from flow.send(flow.feed(place, seen, length, payload, origin), output)
        if flow is not None:
            yield from flow.send(flow.reader.close(), output)
        yield output.take()

    return run


def _values(column: Any) -> list[Any]:
    return list((column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist())


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
