"""Framing of remote procedure calls: the packets in them, which the headers of fragments interrupt.

1. A connection of DCE/RPC is a sequence of frames, each with a header that has its size ([C706] 12.6.3).
   The stub of a request or a response is divided into fragments; those of a call follow each other.
2. The stub of each call is searched for packets as a stream of its own: a packet continues in the next
   fragment, and ends with its call at the latest.
3. Headers, authentication trailers and other frames are skips.  A packet has the offset of its first byte;
   the headers that interrupt it are reported after it.
4. Bytes that are no header are skipped up to the next ones that are one.
"""

from __future__ import annotations

import struct
from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from .mistaken import RPC_HEADER
from .skips import Skipped, wrong_mark
from .stream import Frame, PacketStream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.values.limits import Limits

__all__ = ["CallStream", "next_frame"]

_HEADER, _MARK = 16, 8
"""The size of a header, and how many bytes of it `RPC_HEADER` reads."""
_REQUEST, _RESPONSE = 0, 2
_STUB_AT, _OBJECT = 24, 16
"""Where the stub of both begins, and the size of an object before it."""
_FIRST, _LAST, _HAS_OBJECT = 0x01, 0x02, 0x80
"""Bits of `_Header.flags`."""
_TRAILER, _PADDING_AT = 8, 2
"""The size of an authentication trailer before its value; where it has the size of the padding before it."""
_MAX_FRAGMENTS: Final = 1 << 16
"""A packet in more fragments is not read whole: the headers within it are in memory until it ends."""


class _Header(NamedTuple):
    """What the header of a frame says.

    Attributes:
        kind: `_REQUEST`, `_RESPONSE`, or another one, which has no stub.
        flags: Whether it is the first or the last fragment of a call, and whether it names an object.
        size: The size of the frame.
        value_size: The size of the value of its authentication trailer; 0 without one.
        call: The identifier of the call.
    """

    kind: int
    flags: int
    size: int
    value_size: int
    call: int


def _read_header(data: bytes | bytearray) -> _Header | None:
    """Return what a header says; None for bytes that are none."""
    if len(data) < _HEADER or not RPC_HEADER.match(data):
        return None
    numbers = struct.unpack_from("<HHI" if data[4] else ">HHI", data, 8)
    header = _Header(data[2], data[3], *numbers)
    return header if header.size >= _HEADER else None


def next_frame(data: bytes, stop: int, *, final: bool) -> tuple[int, int]:
    """Search for a frame of which another one follows, or the end of the data.

    Args:
        data: The first bytes may be the rest of a frame.
        stop: Where to end the search.
        final: Whether nothing follows the data.

    Returns:
        Where the frame begins, or -1; and where the first one begins for which more data is needed, or -1.
    """
    undecided = -1
    for match in RPC_HEADER.finditer(data, 0, stop):
        begin = match.start()
        header = _read_header(data[begin : begin + _HEADER])
        if header is None:
            continue
        end = begin + header.size
        if RPC_HEADER.match(data, end) or (final and end == len(data)):
            return begin, undecided
        if undecided < 0 and end + _MARK > len(data):
            undecided = begin
    return -1, undecided


class CallStream:
    """Splits one direction of a connection of DCE/RPC; it replaces a `PacketStream` of a `FlowReader`.

    Args:
        max_packet_size: The largest accepted PacketSize in bytes.
        limits: Further bounds for packets.
        origin: The offset of the first byte.
        is_lost: Whether the first bytes may be the rest of a frame.

    Attributes:
        origin: As given.
        bytes_fed: Number of bytes fed.
        interruption: Number of bytes of headers and trailers within the last packet.
    """

    synchronised = idle = False
    pending = b""
    missing = 1
    """As those of `PacketStream`: a gap within a packet ends it, and each next byte may complete a packet."""

    def __init__(self, max_packet_size: int, limits: Limits, origin: int, *, is_lost: bool = False) -> None:
        self.origin = origin
        self.bytes_fed = self.interruption = 0
        self._max_packet_size = max_packet_size
        self._limits = limits
        self._buffer = bytearray()
        self._at = origin  # the offset of its first byte
        self._is_lost = is_lost
        self._awaited = 0  # how many bytes to wait for before the next search
        self._stub: PacketStream | None = None  # of the call that is being read
        self._call = 0
        self._fragments: deque[tuple[int, int]] = deque()  # where they begin in the stub, and in the stream
        self._between: deque[Skipped] = deque()  # headers and trailers that are not reported yet

    def wait(self, _: bytes) -> bool:
        """Return that bytes cannot be appended without being examined."""
        return False

    def pass_over(self, _: int) -> None:
        """Do nothing: the stream is never idle."""

    def frames(self, chunk: bytes | bytearray = b"", *, final: bool = False) -> Iterator[Frame | Skipped]:
        """Feed the next bytes, or end the stream; as `PacketStream.frames`."""
        self.bytes_fed += len(chunk)
        self._buffer += chunk
        return self._items(final=final)

    def _items(self, *, final: bool) -> Iterator[Frame | Skipped]:
        buffer = self._buffer
        while buffer:
            if self._is_lost:
                if len(buffer) < self._awaited and not final:
                    break
                yield from self._search(final=final)
                if self._is_lost:
                    break
            header = _read_header(buffer)
            if header is None:
                if len(buffer) < _HEADER and not final:
                    break
                self._is_lost, self._awaited = True, 0
            elif header.size > len(buffer) and not final:
                break
            else:
                at = self._at
                yield from self._frame(header, self._taken(header.size), at)
        if final:
            yield from self._end_call()

    def _taken(self, size: int) -> bytes:
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        self._at += len(data)
        return data

    def _search(self, *, final: bool) -> Iterator[Frame | Skipped]:
        """Skip to the next frame that another one follows, or to where one may begin."""
        yield from self._end_call()
        buffer, at = bytes(self._buffer), self._at
        start, undecided = next_frame(buffer, len(buffer), final=final)
        self._is_lost = start < 0
        self._awaited = 0
        if start < 0 <= undecided:
            self._is_lost = not final
            start = undecided
            self._awaited = 2 * (len(buffer) - start)  # so that the work stays linear
        elif start < 0:
            start = len(buffer) if final else max(len(buffer) - _HEADER + 1, 0)
        if start:
            data = self._taken(start)
            yield Skipped(at, data, (wrong_mark, data[:_HEADER]))

    def _frame(self, header: _Header, data: bytes, at: int) -> Iterator[Frame | Skipped]:
        """Read a frame; of the last one, the end may be missing."""
        if header.kind not in {_REQUEST, _RESPONSE}:
            yield from self._end_call()
            yield Skipped(at, data, (wrong_mark, data[:_HEADER]))
            return
        begin = _STUB_AT + (_OBJECT if header.kind == _REQUEST and header.flags & _HAS_OBJECT else 0)
        end = header.size
        if header.value_size:
            end -= header.value_size + _TRAILER
            end -= data[end + _PADDING_AT] if begin <= end < len(data) - _PADDING_AT else 0
        end = max(end, begin)
        is_next = header.call == self._call and not header.flags & _FIRST
        if not is_next or end == begin or len(self._between) > _MAX_FRAGMENTS:
            yield from self._end_call()
        if self._stub is None:
            self._stub = PacketStream(self._max_packet_size, max_skipped=0, limits=self._limits)
            self._call = header.call
        if not self._stub.pending:
            self._fragments.clear()
        self._fragments.append((self._stub.bytes_fed, at + begin))
        self._between.append(Skipped(at, data[:begin], (wrong_mark, data[:_HEADER])))
        yield from self._placed(self._stub.frames(data[begin:end]))
        if rest := data[end:]:
            self._between.append(Skipped(at + end, rest, (wrong_mark, rest[:_HEADER])))
        if header.flags & _LAST:
            yield from self._end_call()
        elif not self._stub.pending:
            yield from self._headers()

    def _end_call(self) -> Iterator[Frame | Skipped]:
        """Report what is left of the call."""
        if self._stub is not None:
            yield from self._placed(self._stub.frames(final=True))
        yield from self._headers()
        self._stub = None
        self._fragments.clear()

    def _headers(self) -> Iterator[Skipped]:
        while self._between:
            yield self._between.popleft()

    def _placed(self, items: Iterator[Frame | Skipped]) -> Iterator[Frame | Skipped]:
        """Yield what is in the stub with its offset in the stream, after the headers before it."""
        fragments, between = self._fragments, self._between
        for item in items:
            while len(fragments) > 1 and fragments[1][0] <= item.offset:
                fragments.popleft()
            in_stub, in_stream = fragments[0]
            offset = in_stream + item.offset - in_stub
            while between and between[0].offset < offset:
                yield between.popleft()
            end_in_stub = item.offset + len(item.data)
            in_stub, in_stream = next(pair for pair in reversed(fragments) if pair[0] < end_in_stub)
            self.interruption = in_stream + end_in_stub - in_stub - offset - len(item.data)
            yield msgspec.structs.replace(item, offset=offset)
            self.interruption = 0
