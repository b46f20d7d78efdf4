"""Framing: one direction of a TCP session in, packets out.

1. A packet begins where a BaseHeader's version and signature stand ([MS-MQQB] 3.1.5.1.2) and takes
   `BaseHeader.PacketSize` bytes.  A size below 16 or above the cap is not waited for.
2. A SessionHeader that rides along after a UserMessage is 16 bytes more ([MS-MQMQ] 2.2.19.1).  Some senders
   count it in PacketSize, as the SessionAck of [MS-MQQB] 4.1.8 does, so the bytes after PacketSize decide:
   if they begin like a BaseHeader, or the stream ends before 16 of them came, it was counted.  If the
   packet cannot be read in the one way, the other way is tried.
3. Everything else is skipped and reported.  Where a packet has a right size but cannot be read, its bytes are
   one report and reading goes on after them, if a BaseHeader or the end of the stream follows.  Otherwise
   its size is not to be trusted either: the search for the next BaseHeader goes on one byte after the start
   of the bad one.  So it does where the stream ends within a packet.  Such a report is a `Partial`.
4. No byte is lost: the data of all frames and skips in order, and then the pending bytes, are the bytes fed.
5. What is reported depends on the bytes only, never on how they were cut into chunks.  Where more bytes could
   change an answer, the answer waits for them; no more than 24 bytes after a packet are waited for.
6. Work is linear in the bytes fed.  A byte that waits is not looked at again, and how often bytes are read
   in vain is bounded (`_REREADS`).
7. Reading goes on when what was found is taken: `frames` finds `_PORTION` at a time, however large a chunk
   is.  Why bytes were skipped is computed only when read.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits

from .marks import (
    BASE_SIZE,
    MARK_SIZE,
    RIDER,
    RIDER_MASK,
    bad_size,
    begins_packet,
    cut_off,
    ends,
    is_marked,
    search,
    too_short,
    unpack_base,
)
from .packet import MAX_PACKET_SIZE, SIGNATURE, VERSION, Packet, accept
from .skips import Partial, SkipLog, Skipped, no_mark, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_SKIPPED", "Frame", "PacketStream", "Partial", "Skipped", "begins_packet"]

MAX_SKIPPED = MAX_PACKET_SIZE
"""How many bytes of skips a stream remembers by default: as many as one packet may have."""

_PIECE = 0x1_0000
"""Junk without end is reported in pieces of this size, so that it need not be kept until it ends."""
_LARGE = 0x1000
"""Chunks of this size are not copied while a packet is waited for."""
_REREADS = 4
"""How often, on average, a byte may belong to packets that proved unreadable before one of them is believed.

Reading on within an unreadable packet reads its bytes again.  Headers at every 16 bytes that each claim
megabytes would make that quadratic, so the claims are paid for: each byte passed earns so many bytes, up to
so many packets of the largest size.  When nothing is left, reading goes on after the packet instead.
"""
_PORTION = 256
"""How many packets and skips are found before they are handed out."""
_MANY = 1024
"""Of so many packets that `feed` is to return at once, more share their small numbers."""


class Frame(msgspec.Struct, frozen=True, gc=False):
    """A packet and where it was.

    Attributes:
        offset: Where it starts, in bytes from the beginning of the stream.
        data: Its bytes; a SessionHeader that rides along belongs to it.
        packet: What `decode` makes of them.
    """

    offset: int
    data: bytes
    packet: Packet


class PacketStream:
    """Cuts one direction of a session into packets; takes bytes in whatever chunks they come.

    >>> stream = PacketStream()
    >>> while chunk := receive():
    ...     for packet in stream.feed(chunk):
    ...         handle(packet)
    >>> last = stream.close()

    `feed` and `close` return packets.  `frames` is what they are made of: it iterates over the packets with
    their bytes and offsets, and what was skipped between them.  Skips are remembered in `skipped`, however
    the bytes were fed.

    [MS-MQQB] 3.1.5.1.2 wants a session closed at the first wrong signature.  This class goes on, for the sake
    of captures and of those who look for faults; a program that speaks the protocol closes as soon as
    `synchronised` is false or `bytes_skipped` is not zero.  It should not act on a packet that lies within
    the size that a skipped header claims: it may have been the body of a message.

    Attributes:
        max_packet_size: The largest PacketSize that is waited for; [MS-MQMQ] 2.2.19.1 allows 0x00400000.
        origin: The offset of the first byte.
        bytes_fed: Bytes taken in.
        packets: Packets found.
        skips: Skips found.
        bytes_skipped: Bytes in them.
        closed: Whether the stream has ended.
    """

    __slots__ = (
        "_allowance",
        "_at",
        "_buffer",
        "_data",
        "_final",
        "_found",
        "_limits",
        "_log",
        "_missing",
        "_need",
        "_paid_at",
        "_pos",
        "_queue",
        "_reason",
        "_reread",
        "_start",
        "_thrifty",
        "_uncopied",
        "_waiting",
        "bytes_fed",
        "bytes_skipped",
        "closed",
        "max_packet_size",
        "origin",
        "packets",
        "skips",
    )

    def __init__(
        self,
        max_packet_size: int = MAX_PACKET_SIZE,
        *,
        max_skipped: int | None = MAX_SKIPPED,
        limits: Limits = DEFAULT_LIMITS,
        origin: int = 0,
    ) -> None:
        """Begin a stream.

        Args:
            max_packet_size: The largest PacketSize to wait for.  It bounds the memory that a sender can
                occupy.
            max_skipped: How many bytes of skips to remember, each skip counted as its data and 1024 bytes; an
                unreadable packet in which there may be another counts more.  The oldest are dropped first;
                the newest one is always kept.  None remembers all of them.
            limits: What else packets are held to; their size only to `max_packet_size`.
            origin: The offset of the first byte that will be fed, for a stream of which the beginning is not
                there.

        Raises:
            MsmqWireError: No packet could be that small.
        """
        if max_packet_size < BASE_SIZE:
            raise MsmqWireError(
                f"max_packet_size is {max_packet_size}; a packet has at least {BASE_SIZE} bytes"
            )
        self.max_packet_size = max_packet_size
        if limits.packet_size < max_packet_size:
            limits = msgspec.structs.replace(limits, packet_size=max_packet_size)
        self._limits = limits
        self.origin = origin
        self.packets = 0
        self.skips = 0
        self.bytes_skipped = 0
        self.closed = False
        self.bytes_fed = 0
        self._queue: deque[tuple[bytes | memoryview, bool]] = deque()  # chunks, and whether one is the last
        self._buffer = bytearray()  # what is pending
        self._waiting: list[bytes | bytearray] = []  # pending after the buffer, not looked at yet
        self._data: bytes | bytearray | None = None  # what is looked at
        self._final = False  # whether nothing follows it
        self._uncopied = False  # whether it is a chunk as it came
        self._found: deque[Frame | Skipped] = deque()  # in it, not handed out yet
        self._thrifty = False  # whether many packets are kept
        self._at = origin  # offset of what is pending, or looked at
        self._reread = 0  # bytes in it that belong to unreadable packets and are looked at again
        self._start = 0  # what lies before it was found; not zero only while something is looked at
        self._pos = 0  # between start and it is junk; at it may be a packet
        self._need = MARK_SIZE  # nothing can be decided before so many bytes are pending
        self._missing = MARK_SIZE  # how many of them have not come yet; 0 while something is looked at
        self._reason: tuple[Any, ...] | None = None  # why no packet begins at start, if known
        self._log = SkipLog(max_skipped)
        self._allowance = _REREADS * max_packet_size
        self._paid_at = origin  # offset up to which the allowance has been earned

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{len(self.pending)} bytes pending"
        return f"<PacketStream: {self.packets} packets, {self.bytes_skipped} bytes skipped, {state}>"

    @property
    def pending(self) -> bytes:
        """The bytes that were neither handed out nor skipped yet, the last of `bytes_fed`."""
        parts = [self._buffer, *self._waiting] if self._data is None else [self._data[self._start :]]
        return b"".join((*parts, *(chunk for chunk, _ in self._queue)))

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """What was skipped, oldest first, within `max_skipped`."""
        return self._log.skips

    @property
    def max_skipped(self) -> int | None:
        """How many bytes `skipped` may hold; None for no bound."""
        return self._log.most

    @property
    def forgotten(self) -> int:
        """Skips that `skipped` had to drop."""
        return self._log.forgotten

    @property
    def synchronised(self) -> bool:
        """Whether the pending bytes, as far as they can be judged, begin with a packet.

        False as soon as they are known not to; a skip is reported only when its end is known.
        """
        return self._pos == self._start and self._reason is None

    @property
    def idle(self) -> bool:
        """Whether nothing is pending, so that the next byte fed begins a packet or is none of one."""
        return not (
            self._buffer
            or self._waiting
            or self._queue
            or self._found
            or self._data is not None
            or self._reason is not None
            or self.closed
        )

    def pass_over(self, size: int) -> None:
        """Count bytes of packets that need not be read again; the stream has to be `idle`."""
        self._at += size
        self.bytes_fed += size

    def wait(self, chunk: bytes) -> bool:
        """Take bytes that cannot end what has begun, which costs next to nothing.

        Returns:
            Whether they were taken; if they could end it, or something has still to be looked at, they were
            not, and are for `frames`.
        """
        size = len(chunk)
        if size >= self._missing or self._queue or self._found or self._data is not None or self.closed:
            return False
        self.bytes_fed += size
        if self._waiting or size >= _LARGE:
            self._wait(chunk)
        else:
            self._missing -= size
            self._buffer += chunk
        return True

    def take_skipped(self) -> tuple[Skipped, ...]:
        """Return `skipped` and forget it; for streams that live long."""
        return self._log.take()

    def feed(self, chunk: bytes | bytearray | memoryview) -> list[Packet]:
        """Take the next bytes of the stream.

        Args:
            chunk: Any number of bytes.

        Returns:
            The packets that these bytes complete, in order: what `decode` returns for each.

        Raises:
            MsmqWireError: The stream was closed.
        """
        if type(chunk) is bytes and _LARGE <= len(chunk) < self._missing and not self._queue:
            # Within a large packet there is nothing else to do.
            self.bytes_fed += len(chunk)
            self._missing -= len(chunk)
            self._waiting.append(chunk)
            return []
        self._take(chunk, final=False)
        return self._packets()

    def close(self) -> list[Packet]:
        """End the stream: judge what is pending by what is there.  Closing again does nothing.

        Returns:
            The packets that no longer wait for what would follow.  All other pending bytes are skipped.
        """
        self._take(b"", final=True)
        return self._packets()

    def frames(
        self, chunk: bytes | bytearray | memoryview = b"", *, final: bool = False
    ) -> Iterator[Frame | Skipped]:
        """Take the next bytes, or end the stream, and learn where everything was.

        Args:
            chunk: Any number of bytes.
            final: Whether the stream ends after them.

        Returns:
            An iterator over packets and skips in the order of the stream, without gaps; a skip that begins
            with the mark of a packet, because that is cut off or damaged, is a `Partial`.  The bytes are
            looked at as it goes on, so that little is in memory at a time.  What is left of an iterator that
            is dropped comes first from the next one, or from `feed`.

        Raises:
            MsmqWireError: Bytes were fed to a closed stream.
        """
        self._take(chunk, final=final)
        return self._items()

    def _take(self, chunk: bytes | bytearray | memoryview, *, final: bool) -> None:
        """Put a chunk where it will be looked at."""
        if self.closed:
            if final and not chunk:
                return
            raise MsmqWireError(f"the stream was closed after {self.bytes_fed} bytes and takes no more")
        if type(chunk) is not bytes:
            chunk = as_bytes(chunk)
        self.closed = final
        self.bytes_fed += len(chunk)
        if self._data is None and not self._queue:
            self._open(chunk, final)
        else:
            self._queue.append((chunk, final))

    def _items(self) -> Iterator[Frame | Skipped]:
        found = self._found
        while found or self._look_on():
            yield found.popleft()

    def _packets(self) -> list[Packet]:
        """All packets that can be found."""
        found = self._found
        packets: list[Packet] = []
        while found or self._look_on():
            packets += [item.packet for item in found if type(item) is Frame]
            found.clear()
            self._thrifty = len(packets) > _MANY
        self._thrifty = False
        return packets

    def _look_on(self) -> bool:
        """Look at what was taken until something is found; False if there is nothing."""
        while not self._found:
            if self._data is not None:
                self._look(self._data, self._at, self._found)
            elif self._queue:
                self._open(*self._queue.popleft())
            else:
                return False
        return True

    def _open(self, chunk: bytes | memoryview, final: bool) -> None:  # as it was queued
        """Let a chunk wait, or begin to look at all that is pending, of which it is the last."""
        missing, self._missing = self._missing, 0
        if len(chunk) < missing and not final:
            self._missing = missing
            self._wait(bytes(chunk))
            return
        if not self._pos and self._need >= _LARGE and 0 < missing < len(chunk):
            # A packet by itself need not be cut out of what follows it, nor its end be copied twice.
            view = memoryview(chunk)
            self._queue.appendleft((view[missing:], final))
            chunk, final = view[:missing], False
        buffer, waiting = self._buffer, self._waiting
        waiting_size = self._need - missing - len(buffer)
        self._final = final
        self._uncopied = not buffer and not waiting
        if self._uncopied:
            self._data = chunk if type(chunk) is bytes else bytes(chunk)
            return
        if len(buffer) <= waiting_size + len(chunk):
            # Cutting from bytes is cheaper, and copying no more than what has come costs no more than that.
            self._data = b"".join((buffer, *waiting, chunk))
            buffer.clear()
        else:
            for part in waiting:
                buffer += part
            buffer += chunk
            self._data = buffer
        waiting.clear()

    def _look(self, data: bytes | bytearray, base: int, found: deque[Frame | Skipped]) -> None:
        """Find what fills a portion, or keep what is left for when more bytes come."""
        final = self._final
        self._reread = 0
        self._run(data, base, found)
        while len(found) < _PORTION and self._reread < _PIECE:
            if not self._seek(data, base, found, final=final) or not self._judge(
                data, base, found, final=final
            ):
                self._keep(data)
                return
            self._run(data, base, found)

    def _keep(self, data: bytes | bytearray) -> None:
        """Let what is left of the data wait for more."""
        start, self._start = self._start, 0
        self._data = None
        self._at += start
        self._pos -= start
        self._need -= start
        self._missing = 0 if self._final else self._need - len(data) + start
        if data is self._buffer:
            del self._buffer[:start]
        elif self._uncopied and len(data) - start >= _LARGE:
            # Only what is new may wait uncopied: joined again and again it would cost more than linear work.
            self._waiting.append(data[start:])
        else:
            self._buffer += data[start:]

    def _wait(self, chunk: bytes) -> None:
        """Keep a chunk for later: a long one as it is, to be copied only once, short ones together."""
        self._missing -= len(chunk)
        if len(chunk) >= _LARGE:
            self._waiting.append(chunk)
        elif not self._waiting:
            self._buffer += chunk
        else:
            last = self._waiting[-1]
            if type(last) is bytearray:
                last += chunk
            else:
                self._waiting.append(bytearray(chunk))

    def _run(self, data: bytes | bytearray, base: int, found: deque[Frame | Skipped]) -> None:
        """Take the packets that follow one another, as long as there is no question about them."""
        pos = self._pos
        if pos != self._start or self._reason is not None:
            return
        last, limit, unpack = len(data) - BASE_SIZE, self.max_packet_size, unpack_base
        limits, thrifty = self._limits, self._thrifty
        before = len(found)
        while pos <= last and len(found) < _PORTION:
            version, flags, signature, size = unpack(data, pos)
            if (
                signature != SIGNATURE
                or version != VERSION
                or not BASE_SIZE <= size <= limit
                or pos + size - BASE_SIZE > last
                or flags & RIDER_MASK == RIDER
            ):
                break
            raw = _cut(data, pos, pos + size)
            packet = accept(raw, limits, thrifty)
            if packet is None:
                self._reason = unreadable, raw, limits
                break
            found.append(Frame(base + pos, raw, packet))
            pos += size
        self.packets += len(found) - before
        self._start = self._pos = pos

    def _seek(
        self, data: bytes | bytearray, base: int, found: deque[Frame | Skipped], *, final: bool
    ) -> bool:
        """Move to the next BaseHeader and report what lies before it; False if it is not there yet."""
        end, pos = len(data), self._pos
        while True:
            left = end - pos
            if left >= BASE_SIZE and is_marked(data, pos):
                self._pos = pos
                self._report(data, pos, base, found, whole=True)
                return True
            at = search(data, pos)
            # The last bytes may be the first of a BaseHeader, unless these are the very last.
            pos = at if at >= 0 else end if final else max(pos, end - MARK_SIZE + 1)
            self._report(data, pos, base, found, whole=at >= 0 or final)
            if at < 0 or (end - at < BASE_SIZE and not final):
                self._pos = pos
                self._need = pos + (MARK_SIZE if at < 0 else BASE_SIZE)
                return False
            if end - at < BASE_SIZE:
                self._reason = too_short, end - at
                pos += 1

    def _judge(
        self, data: bytes | bytearray, base: int, found: deque[Frame | Skipped], *, final: bool
    ) -> bool:
        """Take or refuse the packet that the BaseHeader here announces; False if more bytes are needed."""
        end, pos = len(data), self._pos
        _, flags, _, size = unpack_base(data, pos)
        stop = pos + size
        if not BASE_SIZE <= size <= self.max_packet_size:
            self._reason = bad_size, size, self.max_packet_size
            self._pos = pos + 1
            return True
        places = ends(stop, flags)
        self._need = places[-1]
        if end < self._need and not final:
            return False
        if end < stop:
            self._reason = cut_off, size, end - pos
            self._pos = pos + 1
            return True
        places = _likelier_first(data, places)
        # A reason is known already if the bytes after an unreadable packet were waited for.
        if self._reason is None:
            frame = self._read(data, places, base)
            if frame:
                found.append(frame)
                self._start = self._pos = pos + len(frame.data)
                return True
        self._need = max(places) + MARK_SIZE
        if end < self._need and not final:
            return False
        last = next((last for last in places if begins_packet(data, last)), None)
        if last is None and self._pay(len(places) * size, base + pos):
            self._pos = pos + 1
            self._reread += size
            return True
        self._skip(data, last or stop, base, found)
        self._pos = self._start
        return True

    def _read(self, data: bytes | bytearray, places: tuple[int, ...], base: int) -> Frame | None:
        """The packet that starts here and stops at the first of these places where it can be read."""
        pos = self._pos
        for last in places:
            raw = _cut(data, pos, last)
            packet = accept(raw, self._limits, self._thrifty)
            if packet is not None:
                self._reason = None
                self.packets += 1
                return Frame(base + pos, raw, packet)
            # The first reason stays: it is for the likelier end.
            self._reason = self._reason or (unreadable, raw, self._limits)
        return None

    def _report(
        self, data: bytes | bytearray, stop: int, base: int, found: deque[Frame | Skipped], *, whole: bool
    ) -> None:
        """Report the junk before `stop`, or only the pieces that are full if it may go on."""
        while stop - self._start >= _PIECE:
            self._skip(data, self._start + _PIECE, base, found)
        if whole and self._start < stop:
            self._skip(data, stop, base, found)

    def _skip(self, data: bytes | bytearray, stop: int, base: int, found: deque[Frame | Skipped]) -> None:
        """Report everything before `stop` as one skip."""
        start = self._start
        reason = self._reason or (no_mark, _cut(data, start, start + MARK_SIZE))
        beside = reason[1] if reason[0] is unreadable else b""
        marked = stop - start >= MARK_SIZE and is_marked(data, start)
        skip = (Partial if marked else Skipped)(
            base + start, beside if len(beside) == stop - start else _cut(data, start, stop), reason
        )
        found.append(skip)
        self._start = stop
        self._reason = None
        self.skips += 1
        self.bytes_skipped += stop - start
        self._log.add(skip)

    def _pay(self, size: int, offset: int) -> bool:
        """Whether so many more bytes may be read in vain; see `_REREADS`."""
        earned = self._allowance + _REREADS * (offset - self._paid_at)
        self._allowance = min(earned, _REREADS * self.max_packet_size)
        self._paid_at = offset
        if self._allowance < size:
            return False
        self._allowance -= size
        return True


def _cut(data: bytes | bytearray, start: int, stop: int) -> bytes:
    """These bytes, and long ones copied only once."""
    if type(data) is bytes or stop - start < _PIECE:
        return bytes(data[start:stop])
    with memoryview(data) as view, view[start:stop] as part:
        return part.tobytes()


def _likelier_first(data: bytes | bytearray, places: tuple[int, ...]) -> tuple[int, ...]:
    """Where a packet may end, as far as there are bytes, the likelier end first."""
    if len(data) < places[-1]:
        return places[:1]
    return places if begins_packet(data, places[0]) else places[::-1]
