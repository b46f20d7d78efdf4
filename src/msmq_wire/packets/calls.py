"""Framing of remote procedure calls: the packets in them, which the headers of fragments interrupt.

1. A connection of DCE/RPC is a sequence of frames, each with a header that has its size ([C706] 12.6.3).
   The stub of a request or a response is divided into fragments.  Those of several calls may alternate.
2. The stub of each call is searched for packets as a stream of its own: a packet continues in the next
   fragment of its call, and ends with its call at the latest.
3. Headers, authentication trailers and other frames are skips.  A packet has the offset of its first byte;
   the bytes that interrupt it are reported after it.  So reports wait for a packet that began before them.
4. A call is ended early if too many are open, or if too many bytes are buffered since the beginning of its
   packet.
5. Bytes that are not a header are skipped up to the next header.
6. The header of the last fragment is reported with a `Call`, which has the stub of a request of [MS-MQRR] or
   of an answer, if it is short and not encrypted.
7. A frame that binds is reported with a `Call` that has the association group of the connection.  Context
   handles are valid in all connections of a group ([C706] 12.6.4).
"""

from __future__ import annotations

import struct
from collections import deque
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from msmq_wire.values.buffers import little_endian

from .mistaken import RPC_HEADER
from .packet import wrong_mark
from .remote_reads import (
    ANSWER_SIZES,
    INTERFACES,
    LONGEST_BEGINNING,
    OPERATIONS,
    SYNTAX,
    end_of_first,
    whole_section,
)
from .skips import Partial, Skipped
from .stream import Frame, PacketStream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.values.limits import Limits

_HEADER, _MARK = 16, 8
"""The size of a header, and how many bytes of it `RPC_HEADER` reads."""
_REQUEST, _RESPONSE = 0, 2
_ENDING: Final = frozenset({3, 19})
"""A fault and an orphaned call: the kinds of frames after which a call has no more fragments."""
_STUB_AT, _OBJECT = 24, 16
"""Where the stub of both begins, and the size of an object before it."""
_FIRST, _LAST, _HAS_OBJECT = 0x01, 0x02, 0x80
"""Bits of `_Header.flags`."""
_TRAILER, _LEVEL_AT, _PADDING_AT = 8, 1, 2
"""The size of an authentication trailer before its value; where it has the level of authentication and the
size of the padding before it.
"""
_PRIVACY: Final = 6
"""The level of authentication at which stubs are encrypted ([MS-RPCE] 2.2.1.1.8)."""
_BINDING: Final = frozenset({11, 14})
"""The kinds of frames that propose presentation contexts ([C706] 12.6.4.1 and 12.6.4.3)."""
_BOUND: Final = frozenset({12, 15})
"""The kinds of frames that answer them."""
_GROUP_AT: Final = 20
"""Where both have the association group."""
_COUNT_AT, _CONTEXTS_AT, _CONTEXT, _SYNTAX = 24, 28, 4, 20
"""Where a proposal has the number of contexts, and the contexts; the size of one, and of a syntax in it."""
_CONTEXT_AT: Final = 20
"""Where a request has the number of its context and its opnum."""
_MAX_CONTEXTS: Final = 1 << 10
_LONGEST_REQUEST: Final = 1 << 11
"""The longest stub of a request that is kept: names of queues have some hundred characters."""
_MAX_CALLS: Final = 64
"""How many calls may be open at a time."""
_MAX_HELD: Final = 1 << 16
"""How many reports may wait for a packet; each fragment within it is one at least."""
_MAX_SPAN: Final = 4
"""How many packets of maximum size there may be from the beginning of a packet to its end, with the bytes
that interrupt it; and as many frames.
"""
_MAX_FRAME: Final = 1 << 16
_NOWHERE: Final = 1 << 62
"""An offset after all bytes."""


class Call(msgspec.Struct, frozen=True, gc=False):
    """A remote call that contains a packet, or that ended; or a frame that binds.

    Attributes:
        number: Its identifier; a request and its answer have the same.
        begin: Offset of its first fragment; None if that was not captured.
        operation: The opnum of a request; None for an answer.
        word: The size of pointers in a request that is known to be one of [MS-MQRR]; None if its interface is
            unknown.
        stub: The stub of a call that ended; None if it is too long, or if the call has a packet.
        is_big: Whether the numbers of the stub are big-endian.
        group: The association group of the connection, of a frame that binds; None for a call.
        section: The size of the section that has the packet, if it states that the packet is whole.
    """

    number: int
    begin: int | None
    operation: int | None = None
    word: int | None = None
    stub: bytes | None = None
    is_big: bool = False
    group: int | None = None
    section: int | None = None


class _Header(NamedTuple):
    """The fields in the header of a frame.

    Attributes:
        kind: `_REQUEST`, `_RESPONSE`, or another one, which has no stub.
        flags: Whether it is the first or the last fragment of a call, and whether it names an object.
        size: The size of the frame.
        value_size: The size of the value of its authentication trailer; 0 without one.
        call: The identifier of the call.
        is_big: Whether numbers are big-endian.
    """

    kind: int
    flags: int
    size: int
    value_size: int
    call: int
    is_big: bool

    @property
    def order(self) -> str:
        """The order of numbers, for `struct`."""
        return ">" if self.is_big else "<"


def _read_header(data: bytes | bytearray) -> _Header | None:
    """Return the fields of a header; None for bytes that are not a header."""
    if len(data) < _HEADER or not RPC_HEADER.match(data):
        return None
    is_big = data[4] == 0
    size, value_size, call = struct.unpack_from(">HHI" if is_big else "<HHI", data, 8)
    header = _Header(data[2], data[3], size, value_size, call, is_big)
    return header if header.size >= _HEADER else None


def next_frame(data: bytes, stop: int, *, final: bool) -> tuple[int, int]:
    """Search for a frame that is followed by another one, or by the end of the data.

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


def _contexts(header: _Header, frame: bytes) -> Iterator[tuple[int, int]]:
    """Yield the presentation contexts that a frame proposes, as in `CallStream`."""
    at = _CONTEXTS_AT
    for _ in range(frame[_COUNT_AT] if len(frame) >= at else 0):
        end = at + _CONTEXT + _SYNTAX
        if len(frame) < end:
            break
        number, count = struct.unpack_from(f"{header.order}HB", frame, at)
        end += count * _SYNTAX
        syntaxes = frame[at + _CONTEXT : end]
        if len(syntaxes) == 2 * _SYNTAX:
            syntaxes = little_endian(syntaxes, 2 * SYNTAX, is_big=header.is_big)
        yield number, INTERFACES.get(syntaxes, 0)
        at = end


def _group(header: _Header, frame: bytes, at: int) -> Call | None:
    """Return the association group in a frame; None for a new one, which the answer has."""
    if header.kind not in _BINDING | _BOUND or len(frame) < _GROUP_AT + 4:
        return None
    (group,) = struct.unpack_from(f"{header.order}I", frame, _GROUP_AT)
    return Call(header.call, at, group=group) if group else None


class _Open:
    """A call whose last fragment was not read yet.

    Args:
        stub: A new stream.
        call: The call, from its first fragment; None if it is not reported.
        most: The size of the longest stub that is kept.

    Attributes:
        call: As given.
        begin: The offset of the first byte in the stream that is not reported yet; `_NOWHERE` without one.
    """

    __slots__ = ("_begun", "_end", "_fed", "_fragments", "_held", "_most", "_stub", "begin", "call")

    def __init__(self, stub: PacketStream, call: Call | None, most: int) -> None:
        self._stub = stub
        self._held = b""  # the bytes before it is known whether the stub has sections
        self._fed = 0  # how many bytes before these the stub has
        is_answer = call is not None and call.operation is None and most > 0
        # Where what may have a packet ends in the stub; None if that is not known yet.
        self._end = None if is_answer else _NOWHERE
        self._fragments: deque[tuple[int, int]] = deque()  # where they begin in the stub, and in the stream
        self._begun = bytearray()  # the first bytes of the stub, at most one more than are kept
        self._most = most
        self.call = call
        self.begin = _NOWHERE

    def ended(self) -> Call | None:
        """Return the call with its stub; None if it is not reported."""
        size = len(self._begun)
        if self.call is None or not self._most or (self.call.operation is None and size not in ANSWER_SIZES):
            return None
        return msgspec.structs.replace(self.call, stub=bytes(self._begun) if size <= self._most else None)

    def feed(self, data: bytes, at: int) -> Iterator[tuple[Frame | Skipped, int, Call | None]]:
        """Add a fragment at an offset of the stream; yield as `_placed`."""
        if self.begin == _NOWHERE:
            self._fragments.clear()
        self._fragments.append((self._fed + len(self._held), at))
        if len(self._begun) <= self._most:
            self._begun += data[: self._most + 1 - len(self._begun)]
        if self._end is None and len(self._begun) < self._most:
            self._held += data
            self.begin = self._offset(self._fed)
            return
        yield from self._read(data)
        position = self._stub.position
        is_open = position < self._fed and self._fed <= self._limit
        self.begin = self._offset(position) if is_open else _NOWHERE

    @property
    def _limit(self) -> int:
        """Where what may have a packet ends in the stub."""
        if self._end is None:
            end = None if self.call is None else end_of_first(self._begun, is_big=self.call.is_big)
            self._end = _NOWHERE if end is None else end
        return self._end

    def _read(self, data: bytes) -> Iterator[tuple[Frame | Skipped, int, Call | None]]:
        """Read what was held and the next bytes; yield as `_placed`."""
        data, self._held = self._held + data, b""
        begin, end = self._fed, self._limit
        self._fed += len(data)
        split = max(min(end - begin, len(data)), 0)
        if begin < end:
            yield from self._placed(self._stub.frames(data[:split], final=self._fed >= end))
        if data[split:]:  # what follows the first section has no packet of its own
            rest = data[split:]
            skipped = Skipped(begin + split, rest, (wrong_mark, rest[:_HEADER]))
            yield from self._placed(iter([skipped]))

    def close(self) -> Iterator[tuple[Frame | Skipped, int, Call | None]]:
        """Yield the remaining reports, as `_placed`."""
        if self._held:
            yield from self._read(b"")
        yield from self._placed(self._stub.frames(final=True))

    def _call_of(self, item: Frame | Skipped) -> Call | None:
        """Return the call of a packet in an answer; None for others."""
        call = self.call
        if call is None or call.operation is not None or not isinstance(item, (Frame, Partial)):
            return None
        section = whole_section(self._begun, item.offset, is_big=call.is_big)
        return call if section is None else msgspec.structs.replace(call, section=section)

    def _offset(self, in_stub: int) -> int:
        """Return the offset in the stream of a byte of the stub; earlier ones are dropped."""
        fragments = self._fragments
        while len(fragments) > 1 and fragments[1][0] <= in_stub:
            fragments.popleft()
        first, in_stream = fragments[0]
        return in_stream + in_stub - first

    def _placed(self, items: Iterator[Frame | Skipped]) -> Iterator[tuple[Frame | Skipped, int, Call | None]]:
        """Yield the frames and skips in the stub: each with offset in the stream, bytes between, and call."""
        for item in items:
            offset = self._offset(item.offset)
            end = item.offset + len(item.data)
            in_stub, in_stream = next(pair for pair in reversed(self._fragments) if pair[0] < end)
            within = in_stream + end - in_stub - offset - len(item.data)
            yield msgspec.structs.replace(item, offset=offset), within, self._call_of(item)


class CallStream:
    """Splits one direction of a connection of DCE/RPC; it replaces a `PacketStream` of a `FlowReader`.

    Args:
        max_packet_size: The largest accepted PacketSize in bytes.
        limits: Further bounds for packets.
        origin: The offset of the first byte.
        is_lost: Whether the first bytes may be the rest of a frame.
        contexts: The presentation contexts so far, by number: the size of pointers, or 0 for one that is not
            of `INTERFACES`.  The stream adds to them.

    Attributes:
        origin: As given.
        bytes_fed: Number of bytes fed.
        interruption: Number of bytes within the last packet that are not its own.
        call: The call of the last packet if it is in an answer, or the call that ends after the last header;
            None for others.
    """

    synchronised = idle = False
    pending = b""
    missing = 1
    """As those of `PacketStream`: a gap within a packet ends it, and each next byte may complete a packet."""

    def __init__(
        self,
        max_packet_size: int,
        limits: Limits,
        origin: int,
        *,
        is_lost: bool = False,
        contexts: dict[int, int] | None = None,
    ) -> None:
        self.call: Call | None = None
        self._contexts = {} if contexts is None else contexts
        self.origin = origin
        self.bytes_fed = self.interruption = 0
        self._max_packet_size = max_packet_size
        self._max_span = _MAX_SPAN * (max_packet_size + _MAX_FRAME)
        self._limits = limits
        self._buffer = bytearray()
        self._at = origin  # the offset of its first byte
        self._is_lost = is_lost
        self._awaited = 0  # how many bytes to wait for before the next search
        self._calls: dict[int, _Open] = {}  # by identifier, the oldest first
        # A heap of reports, with their offsets before them, and interruption and call.
        self._held: list[tuple[int, Frame | Skipped, int, Call | None]] = []

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
                self._search(final=final)
                yield from self._ready()
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
                self._frame(header, self._taken(header.size), at)
                yield from self._ready()
        if final:
            self._end_all()
            yield from self._ready()

    def _taken(self, size: int) -> bytes:
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        self._at += len(data)
        return data

    def _search(self, *, final: bool) -> None:
        """Skip to the next frame that is followed by another one, or to where one may begin."""
        self._end_all()
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
            self._skip(at, self._taken(start))

    def _frame(self, header: _Header, data: bytes, at: int) -> None:
        """Read a frame; of the last one, the end may be missing."""
        if header.kind not in {_REQUEST, _RESPONSE}:
            if header.kind in _ENDING:
                self._end(header.call)
            elif header.kind in _BINDING:
                self._bind(header, data)
            self._skip(at, data, _group(header, data, at))
            return
        begin = _STUB_AT + (_OBJECT if header.kind == _REQUEST and header.flags & _HAS_OBJECT else 0)
        end, is_private = header.size, False
        if header.value_size:
            end -= header.value_size + _TRAILER
            if begin <= end < len(data) - _PADDING_AT:
                is_private = data[end + _LEVEL_AT] == _PRIVACY
                end -= data[end + _PADDING_AT]
        end = max(end, begin)
        if header.flags & _FIRST or end == begin:
            self._end(header.call)
        call = self._calls.get(header.call)
        if call is None:
            if len(self._calls) >= _MAX_CALLS and not header.flags & _LAST:
                self._end(next(iter(self._calls)))
            stub = PacketStream(self._max_packet_size, max_skipped=0, limits=self._limits)
            request = (None, 0) if is_private else self._known(header, data, at)
            call = self._calls[header.call] = _Open(stub, *request)
        if stub_data := data[begin:end]:
            self._hold(call.feed(stub_data, at + begin))
        is_whole = header.flags & _LAST and len(data) == header.size
        self._skip(at, data[:begin], call.ended() if is_whole else None)
        self._skip(at + end, data[end:])
        if header.flags & _LAST:
            self._end(header.call)

    def _bind(self, header: _Header, frame: bytes) -> None:
        """Store the presentation contexts that a frame proposes."""
        for number, word in _contexts(header, frame):
            if len(self._contexts) < _MAX_CONTEXTS or number in self._contexts:
                self._contexts[number] = word

    def _known(self, header: _Header, data: bytes, at: int) -> tuple[Call | None, int]:
        """Return the call of a first captured fragment, and the size of the longest stub that is kept."""
        is_first = bool(header.flags & _FIRST)
        if header.kind == _RESPONSE:
            call = Call(header.call, at if is_first else None, is_big=header.is_big)
            return call, LONGEST_BEGINNING if is_first else 0
        if not is_first or len(data) < _STUB_AT:
            return None, 0
        context, operation = struct.unpack_from(f"{header.order}HH", data, _CONTEXT_AT)
        word = self._contexts.get(context)
        if operation not in OPERATIONS or word == 0:
            return None, 0
        return Call(header.call, at, operation, word, is_big=header.is_big), _LONGEST_REQUEST

    def _end(self, number: int) -> None:
        """Report the rest of a call, if it is open."""
        call = self._calls.pop(number, None)
        if call is not None:
            self._hold(call.close())

    def _end_all(self) -> None:
        for number in [*self._calls]:
            self._end(number)

    def _skip(self, at: int, data: bytes, call: Call | None = None) -> None:
        """Report bytes that are not in a stub."""
        if data:
            heappush(self._held, (at, Skipped(at, data, (wrong_mark, data[:_HEADER])), 0, call))

    def _hold(self, items: Iterator[tuple[Frame | Skipped, int, Call | None]]) -> None:
        for item, within, call in items:
            heappush(self._held, (item.offset, item, within, call))

    def _ready(self) -> Iterator[Frame | Skipped]:
        """Yield reports that no incomplete packet precedes; if too many wait for one, end its call."""
        waiting = self._held
        while waiting:
            begins = ((call.begin, number) for number, call in self._calls.items())
            least, number = min(begins, default=(_NOWHERE, 0))
            while waiting and waiting[0][0] < least:
                _, item, self.interruption, self.call = heappop(waiting)
                yield item
                self.interruption, self.call = 0, None
            if len(waiting) <= _MAX_HELD and self._at - least <= self._max_span:
                break
            self._end(number)
