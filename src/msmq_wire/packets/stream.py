"""Framing: splitting one direction of a TCP session into packets.

1. A packet begins with the version and signature of a BaseHeader ([MS-MQQB] 3.1.5.1.2) and has
   `BaseHeader.PacketSize` bytes.  The stream does not wait for a size below 16 or above the limit.
2. A SessionHeader may follow a UserMessage and adds 16 bytes ([MS-MQMQ] 2.2.19.1).  Some senders include it
   in PacketSize, as the SessionAck of [MS-MQQB] 4.1.8 does.  So the bytes after PacketSize decide: if they
   begin like a BaseHeader, or the stream ends within 16 bytes, it was included.  If the packet cannot be read
   in one way, the other way is tried.
3. All other bytes are skipped and reported.  If a packet has a valid size but cannot be read, its bytes are
   one report and reading continues after them, if a BaseHeader or the end of the stream follows.  Otherwise
   its size cannot be trusted either: the search for the next BaseHeader continues one byte after the start of
   the bad one; likewise if the stream ends within a packet.  Such a report is a `Partial`.
4. No byte is lost: the data of all frames and skips in order, and then the pending bytes, are the bytes fed.
5. Reports depend only on the bytes, not on their division into chunks.  If more bytes could change a result,
   the stream waits for them, but for no more than 24 bytes after a packet.
6. Work is linear in the bytes fed.  Pending bytes are not examined again, and repeated reads are bounded
   (`RereadBudget`).
7. Reading is lazy: `frames` finds `_PORTION` packets at a time, however large a chunk is.  The reason for a
   skip is computed only when read.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import DecodeError, MsmqWireError, in_bytes, need, need_count, plural
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.numbers import MAX_PACKET_SIZE

from .kinds import Packet  # annotates a field, which msgspec evaluates
from .packet import SIGNATURE, VERSION, accept, wrong_mark
from .packet_starts import (
    BASE_SIZE,
    INTERNAL,
    INTERNAL_MAX_SIZE,
    MARK_SIZE,
    TRAILING_SESSION_HEADER,
    RereadBudget,
    bad_size,
    begins_packet,
    cut_off,
    ends,
    likelier_first,
    search,
    starts_packet,
    unpack_base,
)
from .skips import Partial, SkipLog, Skipped, no_mark, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_SKIPPED", "Frame", "PacketStream", "Partial", "Skipped", "begins_packet"]

MAX_SKIPPED = MAX_PACKET_SIZE
"""Default size of the log of skips: the maximum size of a packet."""

PIECE = 0x1_0000
"""Long junk is reported in pieces of this size, so that it need not be kept until it ends."""
LARGE = 0x1000
"""Chunks of at least this size are not copied while the stream waits for a packet."""
_PORTION = 256
"""Number of packets and skips that are found at a time."""


class Frame(msgspec.Struct, frozen=True, gc=False):
    """A packet with its bytes and its offset.

    Attributes:
        offset: Offset from the beginning of the stream, in bytes.
        data: Its bytes, including a trailing SessionHeader.
        packet: The decoded packet.
    """

    offset: int
    data: bytes
    packet: Packet


class PacketStream:
    """Splits one direction of a session into packets; accepts chunks of any size.

    >>> stream = PacketStream()
    >>> while chunk := receive():
    ...     for packet in stream.feed(chunk):
    ...         handle(packet)
    >>> last = stream.close()

    `feed` and `close` return packets.  `frames` iterates over packets with their bytes and offsets, and over
    the skipped bytes between them.  All methods store skips in `skipped`.

    [MS-MQQB] 3.1.5.1.2 requires that a session is closed at the first wrong signature.  A strict stream does
    that: it ends at the first byte that cannot be part of a packet, without waiting for more bytes, and
    `error` has the reason.  Otherwise the stream continues, because captures need it.

    Attributes:
        max_packet_size: The largest accepted PacketSize; [MS-MQMQ] 2.2.19.1 allows 0x00400000.
        origin: The offset of the first byte.
        bytes_fed: Number of bytes fed.
        packets: Number of packets found.
        skips: Number of skips.
        bytes_skipped: Number of skipped bytes.
        strict: Whether the first bytes that are not a packet end the stream.
        closed: Whether the stream has ended.
    """

    __slots__ = (
        "_at",
        "_budget",
        "_buffer",
        "_data",
        "_final",
        "_found",
        "_limits",
        "_log",
        "_missing",
        "_need",
        "_pos",
        "_queue",
        "_reason",
        "_reread",
        "_start",
        "_uncopied",
        "_waiting",
        "bytes_fed",
        "bytes_skipped",
        "closed",
        "max_packet_size",
        "origin",
        "packets",
        "skips",
        "strict",
    )

    def __init__(
        self,
        max_packet_size: int = MAX_PACKET_SIZE,
        *,
        max_skipped: int | None = MAX_SKIPPED,
        limits: Limits = DEFAULT_LIMITS,
        origin: int = 0,
        strict: bool = False,
    ) -> None:
        """Create a stream.

        Args:
            max_packet_size: The largest accepted PacketSize in bytes.  It bounds the memory that a sender can
                occupy.
            max_skipped: The maximum size of `skipped` in bytes, counting each skip as its data and 1024
                bytes, and more for an unreadable packet that may contain another one.  The oldest skips are
                dropped first; the latest one is always kept.  None stores all skips.
            limits: Further bounds for packets; `max_packet_size` replaces `Limits.packet_size`.
            origin: The offset of the first byte that will be fed, if the beginning of the stream is missing.
            strict: Whether the first bytes that are not a packet end the stream, as the protocol requires.
                Nothing is skipped then.

        Raises:
            MsmqWireError: `max_packet_size` is less than the size of a BaseHeader, or `max_skipped` is
                negative.
        """
        need("max_packet_size", max_packet_size, int, "a number")
        need("max_skipped", max_skipped, (int, type(None)), "a number or None")
        need_count("max_skipped", max_skipped or 0)
        need("origin", origin, int, "a number")
        need("limits", limits, Limits, "Limits")
        if max_packet_size < BASE_SIZE:
            raise MsmqWireError(
                f"max_packet_size is {max_packet_size}; a packet has at least {BASE_SIZE} bytes"
            )
        self.max_packet_size = max_packet_size
        if limits.packet_size < max_packet_size:
            limits = msgspec.structs.replace(limits, packet_size=max_packet_size)
        self._limits = limits
        self.origin = origin
        self.strict = strict
        self.packets = 0
        self.skips = 0
        self.bytes_skipped = 0
        self.closed = False
        self.bytes_fed = 0
        self._queue: deque[tuple[bytes | memoryview, bool]] = deque()  # chunks, and whether one is the last
        self._buffer = bytearray()  # the pending bytes
        self._waiting: list[bytes | bytearray] = []  # pending after the buffer, not examined yet
        self._data: bytes | bytearray | None = None  # the bytes being examined
        self._final = False  # whether nothing follows it
        self._uncopied = False  # whether it is an uncopied chunk
        self._found: deque[Frame | Skipped] = deque()  # found, not returned yet
        self._at = origin  # offset of the pending bytes, or of those being examined
        self._reread = 0  # bytes of unreadable packets in it that are examined again
        self._start = 0  # everything before it was reported; zero unless bytes are being examined
        self._pos = 0  # junk from start up to here; a packet may begin here
        self._need = 1 if strict else MARK_SIZE  # number of pending bytes that the next decision needs
        self._missing = self._need  # how many of them are missing; 0 while bytes are being examined
        self._reason: tuple[Any, ...] | None = None  # why no packet begins at start, if known
        self._log = SkipLog(max_skipped)
        self._budget = RereadBudget(max_packet_size, origin)

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{in_bytes(len(self.pending))} pending"
        read = f"{self.packets} {plural(self.packets, 'packet')}"
        return f"<PacketStream: {read}, {in_bytes(self.bytes_skipped)} skipped, {state}>"

    @property
    def pending(self) -> bytes:
        """The last bytes fed, which are not part of a packet or skip yet."""
        parts = [self._buffer, *self._waiting] if self._data is None else [self._data[self._start :]]
        return b"".join((*parts, *(chunk for chunk, _ in self._queue)))

    @property
    def position(self) -> int:
        """The offset of the pending bytes from the beginning of the stream."""
        return self._at + self._start

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The stored skips, oldest first, bounded by `max_skipped`."""
        return self._log.skips

    @property
    def max_skipped(self) -> int | None:
        """Maximum size of `skipped` in bytes; None for no bound."""
        return self._log.most

    @property
    def forgotten(self) -> int:
        """Number of skips that were dropped from `skipped`."""
        return self._log.forgotten

    @property
    def synchronised(self) -> bool:
        """Whether the pending bytes can be the beginning of a packet.

        It is False as soon as they cannot; the skip is reported only when its end is known.
        """
        return self._pos == self._start and self._reason is None

    @property
    def error(self) -> DecodeError | None:
        """Why a strict stream ended; None if it has not, or was closed by the caller.

        The offset of the error counts from the beginning of the stream.
        """
        if not self.strict or self._reason is None:
            return None
        make, *facts = self._reason
        error: DecodeError = make(*facts, self._at + self._start)
        return error

    @property
    def idle(self) -> bool:
        """Whether no bytes are pending, so that the next byte begins a packet or junk."""
        return not (
            self._buffer
            or self._waiting
            or self._queue
            or self._found
            or self._data is not None
            or self._reason is not None
            or self.closed
        )

    @property
    def missing(self) -> int:
        """Number of bytes that are missing to decide about the pending ones."""
        return self._missing

    def pass_over(self, size: int) -> None:
        """Count bytes of packets that were read elsewhere; the stream has to be `idle`."""
        self._at += size
        self.bytes_fed += size

    def wait(self, chunk: bytes) -> bool:
        """Append bytes that cannot complete the pending packet, at almost no cost.

        Returns:
            Whether the bytes were appended.  If they could complete a packet, or bytes have still to be
            examined, nothing is done; pass them to `frames`.
        """
        size = len(chunk)
        if size >= self._missing or self._queue or self._found or self._data is not None or self.closed:
            return False
        self.bytes_fed += size
        if self._waiting or size >= LARGE:
            self._wait(chunk)
        else:
            self._missing -= size
            self._buffer += chunk
        return True

    def take_skipped(self) -> tuple[Skipped, ...]:
        """Return `skipped` and clear it; for long-running streams."""
        return self._log.take()

    def feed(self, chunk: bytes | bytearray | memoryview) -> list[Packet]:
        """Feed the next bytes of the stream.

        Args:
            chunk: Any number of bytes.

        Returns:
            The packets that these bytes complete, in order, as `decode` returns them.

        Raises:
            MsmqWireError: The stream was closed.
        """
        if type(chunk) is bytes and LARGE <= len(chunk) < self._missing and not self._queue:
            # In the middle of a large packet there is nothing else to do.
            self.bytes_fed += len(chunk)
            self._missing -= len(chunk)
            self._waiting.append(chunk)
            return []
        self._take(chunk, final=False)
        return self._packets()

    def close(self) -> list[Packet]:
        """End the stream.  Closing it again does nothing.

        Returns:
            The packets that were waiting for following bytes.  All other pending bytes are skipped.
        """
        self._take(b"", final=True)
        return self._packets()

    def frames(
        self, chunk: bytes | bytearray | memoryview = b"", *, final: bool = False
    ) -> Iterator[Frame | Skipped]:
        """Feed the next bytes, or end the stream, and iterate over packets and skips with their offsets.

        Args:
            chunk: Any number of bytes.
            final: Whether the stream ends after them.

        Returns:
            A lazy iterator over packets and skips in the order of the stream, without gaps.  A skip that
            begins with the signature of a truncated or damaged packet is a `Partial`.  If an iterator is
            abandoned, its remaining items come first from the next one, or from `feed`.

        Raises:
            MsmqWireError: Bytes were fed to a closed stream.
        """
        self._take(chunk, final=final)
        return self._items()

    def _take(self, chunk: bytes | bytearray | memoryview, *, final: bool) -> None:
        """Queue a chunk."""
        if self.closed:
            if final and not chunk:
                return
            raise MsmqWireError(f"the stream was closed after {in_bytes(self.bytes_fed)}")
        if type(chunk) is not bytes:
            chunk = as_bytes(chunk)
        self.closed = final
        self.bytes_fed += len(chunk)
        if self._data is None and not self._queue:
            self._open(chunk, final)
        else:
            self._queue.append((chunk, final))

    def _items(self) -> Iterator[Frame | Skipped]:
        items = self._found
        while items or self._look_on():
            yield items.popleft()

    def _packets(self) -> list[Packet]:
        """Find all packets."""
        items = self._found
        packets: list[Packet] = []
        while items or self._look_on():
            packets += [item.packet for item in items if type(item) is Frame]
            items.clear()
        return packets

    def _look_on(self) -> bool:
        """Examine the queued bytes until something is found; False if there is nothing."""
        while not self._found:
            if self._data is not None:
                self._look(self._data, self._at, self._found)
            elif self._queue:
                self._open(*self._queue.popleft())
            else:
                return False
        return True

    def _open(self, chunk: bytes | memoryview, final: bool) -> None:  # as it was queued
        """Append a chunk to the pending bytes, and start to examine them if enough are available."""
        missing, self._missing = self._missing, 0
        if len(chunk) < missing and not final:
            self._missing = missing
            self._wait(bytes(chunk))
            return
        if not self._pos and self._need >= LARGE and 0 < missing < len(chunk):
            # A single packet need not be sliced, nor its end be copied twice.
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
            # Slicing bytes is cheaper, and copying at most the received bytes is linear.
            self._data = b"".join((buffer, *waiting, chunk))
            buffer.clear()
        else:
            for part in waiting:
                buffer += part
            buffer += chunk
            self._data = buffer
        waiting.clear()

    def _look(self, data: bytes | bytearray, base: int, items: deque[Frame | Skipped]) -> None:
        """Find up to one portion, or keep the remaining bytes until more arrive."""
        final = self._final
        self._reread = 0
        self._run(data, base, items)
        while len(items) < _PORTION and self._reread < PIECE:
            if self.strict and self._pauses(data):
                self._keep(data)
                return
            if not self._seek(data, base, items, final=final) or not self._judge(
                data, base, items, final=final
            ):
                self._keep(data)
                return
            self._run(data, base, items)

    def _pauses(self, data: bytes | bytearray) -> bool:
        """Whether a strict stream ends here, or waits for the rest of a BaseHeader that begins well."""
        pos, end = self._pos, len(data)
        if self._reason is None:
            if not begins_packet(data, pos):
                self._reason = wrong_mark, _cut(data, pos, pos + BASE_SIZE)
            elif self._final and 0 < end - pos < BASE_SIZE:
                self._reason = unreadable, _cut(data, pos, end), self._limits
            else:
                self._need = end + 1
                return end - pos < BASE_SIZE
        self._pos = self._start
        self._need = end
        self._queue.clear()
        self.closed = True
        return True

    def _keep(self, data: bytes | bytearray) -> None:
        """Keep the remaining bytes as pending."""
        start, self._start = self._start, 0
        self._data = None
        self._at += start
        self._pos -= start
        self._need -= start
        self._missing = 0 if self._final else self._need - len(data) + start
        if data is self._buffer:
            del self._buffer[:start]
        elif self._uncopied and len(data) - start >= LARGE:
            # Only new bytes may stay uncopied: joining them repeatedly would be worse than linear.
            self._waiting.append(data[start:])
        else:
            self._buffer += data[start:]

    def _wait(self, chunk: bytes) -> None:
        """Keep a chunk for later: a long chunk uncopied, short ones joined."""
        self._missing -= len(chunk)
        if len(chunk) >= LARGE:
            self._waiting.append(chunk)
        elif not self._waiting:
            self._buffer += chunk
        else:
            last = self._waiting[-1]
            if type(last) is bytearray:
                last += chunk
            else:
                self._waiting.append(bytearray(chunk))

    def _run(self, data: bytes | bytearray, base: int, items: deque[Frame | Skipped]) -> None:
        """Read consecutive packets as long as they are unambiguous."""
        pos = self._pos
        if pos != self._start or self._reason is not None:
            return
        last, limit, unpack = len(data) - BASE_SIZE, self.max_packet_size, unpack_base
        limits = self._limits
        before = len(items)
        while pos <= last and len(items) < _PORTION:
            version, flags, signature, size = unpack(data, pos)
            if (
                signature != SIGNATURE
                or version != VERSION
                or not BASE_SIZE <= size <= limit
                or pos + size - BASE_SIZE > last
                or flags & TRAILING_SESSION_HEADER
            ):
                break
            raw = _cut(data, pos, pos + size)
            packet = accept(raw, limits)
            if packet is None:
                self._reason = unreadable, raw, limits
                break
            items.append(Frame(base + pos, raw, packet))
            pos += size
        self.packets += len(items) - before
        self._start = self._pos = pos

    def _seek(
        self, data: bytes | bytearray, base: int, items: deque[Frame | Skipped], *, final: bool
    ) -> bool:
        """Move to the next BaseHeader and report the bytes before it; False if there is none yet."""
        end, pos = len(data), self._pos
        while True:
            left = end - pos
            if left >= BASE_SIZE and starts_packet(data, pos):
                self._pos = pos
                self._report(data, pos, base, items, whole=True)
                return True
            at = search(data, pos)
            # Unless the stream has ended, the last bytes may be the beginning of a BaseHeader.
            pos = at if at >= 0 else end if final else max(pos, end - MARK_SIZE + 1)
            self._report(data, pos, base, items, whole=at >= 0 or final)
            if at < 0 or (end - at < BASE_SIZE and not final):
                self._pos = pos
                self._need = pos + (MARK_SIZE if at < 0 else BASE_SIZE)
                return False
            if end - at < BASE_SIZE:
                self._reason = unreadable, _cut(data, at, end), self._limits
                pos += 1

    def _judge(
        self, data: bytes | bytearray, base: int, items: deque[Frame | Skipped], *, final: bool
    ) -> bool:
        """Accept or reject the packet at the current BaseHeader; False if more bytes are needed."""
        end, pos = len(data), self._pos
        _, flags, _, size = unpack_base(data, pos)
        stop = pos + size
        most = self.max_packet_size
        if self.strict and flags & INTERNAL:
            most = min(most, INTERNAL_MAX_SIZE)
        if not BASE_SIZE <= size <= most:
            self._reason = bad_size, size, most
            self._pos = pos + 1
            return True
        possible = places = ends(stop, flags)
        self._need = places[-1]
        if end < self._need and not final:
            return False
        if end < stop:
            self._reason = cut_off, size, end - pos
            self._pos = pos + 1
            return True
        places = places[:1] if end < places[-1] else likelier_first(data, places)
        # The reason is known if the stream has waited for bytes after an unreadable packet.
        if self._reason is None:
            frame = self._read(data, places, base)
            if frame:
                items.append(frame)
                self._start = self._pos = pos + len(frame.data)
                return True
        if self.strict:
            return True
        self._need = max(places) + MARK_SIZE
        if end < self._need and not final:
            return False
        # Fewer bytes than a mark may as well be the beginning of the SessionHeader.
        begins = [last for last in places if last > stop or len(possible) == 1 or end - stop >= MARK_SIZE]
        last = next((last for last in begins if begins_packet(data, last)), None)
        if last is None and self._budget.pay(len(places) * size, base + pos):
            self._pos = pos + 1
            self._reread += size
            return True
        self._skip(data, last or stop, base, items)
        self._pos = self._start
        return True

    def _read(self, data: bytes | bytearray, places: tuple[int, ...], base: int) -> Frame | None:
        """The packet that starts here and ends at the first of these offsets at which it can be read."""
        pos = self._pos
        for last in places:
            raw = _cut(data, pos, last)
            packet = accept(raw, self._limits)
            if packet is not None:
                self._reason = None
                self.packets += 1
                return Frame(base + pos, raw, packet)
            # The first reason is for the more likely end.
            self._reason = self._reason or (unreadable, raw, self._limits)
        return None

    def _report(
        self, data: bytes | bytearray, stop: int, base: int, items: deque[Frame | Skipped], *, whole: bool
    ) -> None:
        """Report the junk before `stop`, or only complete pieces if it may continue.

        A packet that the end of the stream cuts stays whole.
        """
        is_cut = self._reason is not None and self._reason[0] is cut_off
        while stop - self._start >= PIECE and not is_cut:
            self._skip(data, self._start + PIECE, base, items)
        if whole and self._start < stop:
            self._skip(data, stop, base, items)

    def _skip(self, data: bytes | bytearray, stop: int, base: int, items: deque[Frame | Skipped]) -> None:
        """Report everything before `stop` as one skip."""
        start = self._start
        reason = self._reason or (no_mark, _cut(data, start, start + MARK_SIZE))
        beside = reason[1] if reason[0] is unreadable else b""
        marked = stop - start >= MARK_SIZE and starts_packet(data, start)
        skip = (Partial if marked else Skipped)(
            base + start, beside if len(beside) == stop - start else _cut(data, start, stop), reason
        )
        items.append(skip)
        self._start = stop
        self._reason = None
        self.skips += 1
        self.bytes_skipped += stop - start
        self._log.add(skip)


def _cut(data: bytes | bytearray, start: int, stop: int) -> bytes:
    """Slice bytes; long slices are copied only once."""
    if type(data) is bytes or stop - start < PIECE:
        return bytes(data[start:stop])
    with memoryview(data) as view, view[start:stop] as part:
        return part.tobytes()
