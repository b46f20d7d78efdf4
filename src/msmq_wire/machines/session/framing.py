"""Splits the bytes of a live connection into packets.

1. A packet is returned as soon as its last byte arrived; the framer does not wait for following bytes.
2. `BaseHeader.PacketSize` does not count an appended SessionHeader ([MS-MQMQ] 2.2.19.1).  If the bytes after
   PacketSize bytes start like a packet, the SessionHeader was counted.
3. Bytes that cannot be a packet are rejected at the first invalid byte, without waiting for more.
4. Each byte is copied at most twice, however the chunks are split.
"""

from __future__ import annotations

from msmq_wire.documents.opening import SESSION_HEADER_SIZE
from msmq_wire.packets.marks import (
    BASE_SIZE,
    INTERNAL,
    RIDER,
    RIDER_MASK,
    SIGNATURE,
    VERSION,
    begins_packet,
    is_marked,
    no_packet,
    unpack_base,
)

__all__ = ["Framer", "Unframed"]

_INTERNAL_SIZE = 572
"""Size of the largest internal packet, an EstablishConnection."""


class Unframed(Exception):  # not raised outside of this package
    """Bytes that are not a packet.

    Args:
        requirement: Id of the violated requirement.
        message: The reason.
    """

    def __init__(self, requirement: str, message: str) -> None:
        super().__init__(message)
        self.requirement = requirement


class Framer:
    """The bytes of one direction that are not a complete packet yet."""

    __slots__ = ("_data", "_pos", "largest")

    def __init__(self, largest: int, held: bytes = b"") -> None:
        """Create a framer.

        Args:
            largest: The largest accepted packet.
            held: Bytes that were received before.
        """
        self.largest = largest
        self._data: bytes | bytearray = held
        self._pos = 0

    @property
    def held(self) -> bytes:
        """The bytes that wait for more."""
        return bytes(self._data[self._pos :])

    def feed(self, data: bytes | bytearray | memoryview) -> None:
        """Add bytes."""
        if self._pos == len(self._data):
            self._data, self._pos = bytes(data), 0
            return
        if isinstance(self._data, bytes):
            self._data, self._pos = bytearray(self._data[self._pos :]), 0
        elif self._pos:
            del self._data[: self._pos]
            self._pos = 0
        self._data += data

    def take(self, *, internal: bool) -> bytes | None:
        """Return the next packet; None if it is not complete.

        Args:
            internal: Whether only internal packets are allowed, because the session is not open.

        Raises:
            Unframed: The bytes are not a packet.
        """
        data, pos = self._data, self._pos
        there = len(data) - pos
        if there < BASE_SIZE:
            if there:
                self._require_mark(there)
            return None
        version, flags, signature, size = unpack_base(data, pos)
        if version != VERSION or signature != SIGNATURE:
            self._require_mark(there)
        if internal and not flags & INTERNAL:
            raise Unframed("MQQB-3.1.5.8-01", "a message comes before the session is open")
        if not BASE_SIZE <= size <= (_INTERNAL_SIZE if flags & INTERNAL else self.largest):
            raise Unframed("MQQB-3.1.5.1.3-01", f"BaseHeader.PacketSize is {size}")
        end = size
        if flags & RIDER_MASK == RIDER and not (there > size and is_marked(data, pos + size)):
            end += SESSION_HEADER_SIZE
        if there < end:
            return None
        self._pos = pos + end
        return bytes(data[pos : pos + end])

    def _require_mark(self, there: int) -> None:
        head = bytes(self._data[self._pos : self._pos + min(there, BASE_SIZE)])
        if not begins_packet(head, 0):
            from msmq_wire.packets.mistaken import mistaken  # noqa: PLC0415  # only needed for errors

            wrong = no_packet(head, 0, mistaken(head) or "this is not a packet")
            raise Unframed("MQQB-3.1.5.1.2-01", str(wrong))
