"""Framing: one direction of a TCP session in, packets out.

1. A packet begins where a BaseHeader's version and signature stand ([MS-MQQB] 3.1.5.1.2) and takes
   `BaseHeader.PacketSize` bytes.  A size below 16 or above the cap is not waited for.
2. A SessionHeader that rides along behind a UserMessage is 16 bytes more ([MS-MQMQ] 2.2.19.1).  Some senders
   count it in PacketSize, as the SessionAck of [MS-MQQB] 4.1.8 does, so the bytes behind PacketSize decide:
   if they begin like a BaseHeader, or the stream ends before 16 of them came, it was counted.  If the
   packet cannot be read in the one way, the other way is tried.
3. Everything else is skipped and reported.  Where a packet has a right size but cannot be read, its bytes are
   one report and reading goes on behind them, if a BaseHeader or the end of the stream follows.  Otherwise
   its size is not to be trusted either: the search for the next BaseHeader goes on one byte behind the start
   of the bad one.  So it does where the stream ends within a packet.
4. No byte is lost: the data of all frames and skips in order, and then the pending bytes, are the bytes fed.
5. What is reported depends on the bytes only, never on how they were cut into chunks.  Where more bytes could
   change an answer, the answer waits for them; no more than 24 bytes behind a packet are waited for.
6. Work is linear in the bytes fed.  A byte that waits is not looked at again, and how often bytes are read
   in vain is bounded (`_REREADS`).
"""

from __future__ import annotations

from collections import deque

import msgspec

from ._framing import (
    BASE_SIZE,
    MARK_SIZE,
    RIDER,
    RIDER_MASK,
    bad_size,
    begins_packet,
    cut_off,
    ends,
    is_marked,
    no_packet,
    search,
    too_short,
    unpack_base,
)
from .errors import DecodeError, MsmqWireError, elsewhere
from .limits import DEFAULT_LIMITS, Limits
from .packets import MAX_PACKET_SIZE, SIGNATURE, VERSION, Packet, decode

__all__ = ["MAX_SKIPPED", "Frame", "PacketStream", "Skipped", "begins_packet"]

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
so many packets of the largest size.  When nothing is left, reading goes on behind the packet instead.
"""
_ENTRY = 1024
"""What one remembered skip is charged beyond its data, so that many short ones are bounded too."""


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


class Skipped(msgspec.Struct, frozen=True):
    """Bytes that are no packet, and why.

    Attributes:
        offset: Where they start, in bytes from the beginning of the stream.
        data: The bytes: one packet that cannot be read, or what lies before the next BaseHeader.
        error: Why no packet starts at `offset`.  Its own offset counts from the beginning of the stream.
    """

    offset: int
    data: bytes
    error: DecodeError


class PacketStream:
    """Cuts one direction of a session into packets; takes bytes in whatever chunks they come.

    >>> stream = PacketStream()
    >>> while chunk := receive():
    ...     for packet in stream.feed(chunk):
    ...         handle(packet)
    >>> last = stream.close()

    `feed` and `close` return packets.  `frames` is what they are made of: it returns the packets with their
    bytes and offsets, and what was skipped between them.  Skips are remembered in `skipped`, however the
    bytes were fed.

    [MS-MQQB] 3.1.5.1.2 wants a session closed at the first wrong signature.  This class goes on, for the sake
    of captures and of those who look for faults; who speaks the protocol closes as soon as `synchronised` is
    false or `bytes_skipped` is not zero.  He should not act on a packet that lies within the size that a
    skipped header claims: it may have been the body of a message.

    Attributes:
        max_packet_size: The largest PacketSize that is waited for; [MS-MQMQ] 2.2.19.1 allows 0x00400000.
        max_skipped: How many bytes `skipped` may hold; None for no bound.
        origin: The offset of the first byte.
        packets: Packets handed out.
        skips: Skips reported.
        bytes_skipped: Bytes in them.
        forgotten: Skips that `skipped` had to drop.
        closed: Whether the stream has ended.
    """

    __slots__ = (
        "_allowance",
        "_buffer",
        "_due",
        "_error",
        "_limits",
        "_log",
        "_log_size",
        "_missing",
        "_need",
        "_paid_at",
        "_pos",
        "_start",
        "_waiting",
        "bytes_skipped",
        "closed",
        "forgotten",
        "max_packet_size",
        "max_skipped",
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
            max_skipped: How many bytes of skips to remember, each skip counted as its data and 1024 bytes.
                The oldest are dropped first; the newest one is always kept.  None remembers all of them.
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
        self.max_skipped = max_skipped
        if limits.packet_size < max_packet_size:
            limits = msgspec.structs.replace(limits, packet_size=max_packet_size)
        self._limits = limits
        self.origin = origin
        self.packets = 0
        self.skips = 0
        self.bytes_skipped = 0
        self.forgotten = 0
        self.closed = False
        self._buffer = bytearray()  # what is pending
        self._waiting: list[bytes | bytearray] = []  # pending behind the buffer, not looked at yet
        self._start = 0  # what lies before it was handed out; not zero only while a chunk is looked at
        self._pos = 0  # between start and it is junk; at it may be a packet
        self._need = MARK_SIZE  # nothing can be decided before so many bytes are pending
        self._missing = MARK_SIZE  # how many of them have not come yet
        self._due = MARK_SIZE  # how many bytes will have been fed by then
        self._error: DecodeError | None = None  # why no packet begins at start, if known
        self._log: deque[Skipped] = deque()
        self._log_size = 0
        self._allowance = _REREADS * max_packet_size
        self._paid_at = origin  # offset up to which the allowance has been earned

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{len(self.pending)} bytes pending"
        return f"<PacketStream: {self.packets} packets, {self.bytes_skipped} bytes skipped, {state}>"

    @property
    def bytes_fed(self) -> int:
        """Bytes taken in."""
        return self._due - self._missing

    @property
    def pending(self) -> bytes:
        """The bytes that were neither handed out nor skipped yet, the last of `bytes_fed`."""
        return b"".join((self._buffer, *self._waiting))

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """What was skipped, oldest first, within `max_skipped`."""
        return tuple(self._log)

    @property
    def synchronised(self) -> bool:
        """Whether the pending bytes, as far as they can be judged, begin with a packet.

        False as soon as they are known not to; a skip is reported only when its end is known.
        """
        return not self._pos and self._error is None

    def take_skipped(self) -> tuple[Skipped, ...]:
        """Return `skipped` and forget it; for streams that live long."""
        taken = self.skipped
        self._log.clear()
        self._log_size = 0
        return taken

    def feed(self, chunk: bytes | bytearray | memoryview) -> list[Packet]:
        """Take the next bytes of the stream.

        Args:
            chunk: Any number of bytes.

        Returns:
            The packets that these bytes complete, in order: what `decode` returns for each.

        Raises:
            MsmqWireError: The stream was closed.
        """
        if type(chunk) is bytes and _LARGE <= len(chunk) < self._missing:
            # Within a large packet there is nothing else to do.
            self._missing -= len(chunk)
            self._waiting.append(chunk)
            return []
        return [item.packet for item in self.frames(chunk) if type(item) is Frame]

    def close(self) -> list[Packet]:
        """End the stream: judge what is pending by what is there.  Closing again does nothing.

        Returns:
            The packets that no longer wait for what would follow.  All other pending bytes are skipped.
        """
        return [item.packet for item in self.frames(final=True) if type(item) is Frame]

    def frames(
        self, chunk: bytes | bytearray | memoryview = b"", *, final: bool = False
    ) -> list[Frame | Skipped]:
        """Take the next bytes, or end the stream, and learn where everything was.

        Args:
            chunk: Any number of bytes.
            final: Whether the stream ends behind them.

        Returns:
            Packets and skips in the order of the stream, without gaps.

        Raises:
            MsmqWireError: Bytes were fed to a closed stream.
        """
        if self.closed:
            if final and not chunk:
                return []
            raise MsmqWireError(f"the stream was closed after {self.bytes_fed} bytes and takes no more")
        if type(chunk) is not bytes:
            chunk = bytes(memoryview(chunk))  # through memoryview, for bytes(5) would be five zeros
        missing = self._missing
        if len(chunk) < missing and not final:
            self._wait(chunk)
            return []
        if self._need >= _LARGE and 0 < missing < len(chunk):
            # A packet by itself need not be cut out of what follows it, nor its end be copied twice.
            with memoryview(chunk) as view, view[:missing] as last:
                found = self._take(last, final=False)
            return found + self._take(chunk[missing:], final=final)
        return self._take(chunk, final=final)

    def _take(self, chunk: bytes | memoryview, *, final: bool) -> list[Frame | Skipped]:
        """Look at all that is pending, of which a chunk is the last."""
        buffer, waiting = self._buffer, self._waiting
        waiting_size = self._need - self._missing - len(buffer)
        fed = self.bytes_fed + len(chunk)
        self.closed = final
        data: bytes | bytearray
        if type(chunk) is bytes and not buffer and not waiting:
            data = chunk
        elif len(buffer) <= waiting_size + len(chunk):
            # Cutting from bytes is cheaper, and copying no more than what has come costs no more than that.
            data = b"".join((buffer, *waiting, chunk))
            buffer.clear()
        else:
            for part in waiting:
                buffer += part
            buffer += chunk
            data = buffer
        waiting.clear()
        found: list[Frame | Skipped] = []
        base = self.origin + fed - len(data)
        self._run(data, base, found)
        while self._seek(data, base, found, final=final) and self._judge(data, base, found, final=final):
            self._run(data, base, found)
        start, self._start = self._start, 0
        self._pos -= start
        self._need -= start
        self._missing = 0 if final else self._need - len(data) + start
        self._due = fed + self._missing
        if data is buffer:
            del buffer[:start]
        elif data is chunk and len(chunk) - start >= _LARGE:
            # Only what is new may wait uncopied: joined again and again it would cost more than linear work.
            waiting.append(data[start:])
        else:
            buffer += data[start:]
        return found

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

    def _run(self, data: bytes | bytearray, base: int, found: list[Frame | Skipped]) -> None:
        """Take the packets that stand one behind the other, as long as there is no question about them."""
        pos = self._pos
        if pos != self._start or self._error is not None:
            return
        last, limit, unpack = len(data) - BASE_SIZE, self.max_packet_size, unpack_base
        limits = self._limits
        before = len(found)
        while pos <= last:
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
            try:
                packet = decode(raw, limits=limits)
            except DecodeError as error:
                self._error = elsewhere(error, offset=base + pos + error.offset)
                break
            found.append(Frame(base + pos, raw, packet))
            pos += size
        self.packets += len(found) - before
        self._start = self._pos = pos

    def _seek(self, data: bytes | bytearray, base: int, found: list[Frame | Skipped], *, final: bool) -> bool:
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
                self._error = too_short(end - at, base + at)
                pos += 1

    def _judge(
        self, data: bytes | bytearray, base: int, found: list[Frame | Skipped], *, final: bool
    ) -> bool:
        """Take or refuse the packet that the BaseHeader here announces; False if more bytes are needed."""
        end, pos = len(data), self._pos
        _, flags, _, size = unpack_base(data, pos)
        stop = pos + size
        if not BASE_SIZE <= size <= self.max_packet_size:
            self._error = bad_size(size, self.max_packet_size, base + pos)
            self._pos = pos + 1
            return True
        places = ends(stop, flags)
        self._need = places[-1]
        if end < self._need and not final:
            return False
        if end < stop:
            self._error = cut_off(size, end - pos, base + pos)
            self._pos = pos + 1
            return True
        places = _likelier_first(data, places)
        # An error is known already if the bytes behind an unreadable packet were waited for.
        if self._error is None:
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
            return True
        self._skip(data, last or stop, base, found)
        self._pos = self._start
        return True

    def _read(self, data: bytes | bytearray, places: tuple[int, ...], base: int) -> Frame | None:
        """The packet that starts here and stops at the first of these places where it can be read."""
        pos = self._pos
        for last in places:
            raw = _cut(data, pos, last)
            try:
                packet = decode(raw, limits=self._limits)
            except DecodeError as error:
                # The first error stays: it is for the likelier end.
                self._error = self._error or elsewhere(error, offset=base + pos + error.offset)
            else:
                self._error = None
                self.packets += 1
                return Frame(base + pos, raw, packet)
        return None

    def _report(
        self, data: bytes | bytearray, stop: int, base: int, found: list[Frame | Skipped], *, whole: bool
    ) -> None:
        """Report the junk before `stop`, or only the pieces that are full if it may go on."""
        while stop - self._start >= _PIECE:
            self._skip(data, self._start + _PIECE, base, found)
        if whole and self._start < stop:
            self._skip(data, stop, base, found)

    def _skip(self, data: bytes | bytearray, stop: int, base: int, found: list[Frame | Skipped]) -> None:
        """Report everything before `stop` as one skip."""
        start = self._start
        error = self._error or _no_packet(_cut(data, start, start + MARK_SIZE), base + start)
        skip = Skipped(base + start, _cut(data, start, stop), error)
        found.append(skip)
        self._start = stop
        self._error = None
        self.skips += 1
        self.bytes_skipped += stop - start
        self._log.append(skip)
        self._log_size += stop - start + _ENTRY
        if self.max_skipped is not None:
            while self._log_size > self.max_skipped and len(self._log) > 1:
                self._log_size -= len(self._log.popleft().data) + _ENTRY
                self.forgotten += 1

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


def _no_packet(mark: bytes, offset: int) -> DecodeError:
    if len(mark) < MARK_SIZE:
        return too_short(len(mark), offset)
    return no_packet(mark, offset, "no packet starts here")
