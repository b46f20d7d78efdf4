"""Detecting the beginning and end of packets from the bytes of a BaseHeader.

A mark is the version and signature of a BaseHeader.
"""

from __future__ import annotations

import struct
from functools import cache, lru_cache

from msmq_wire.documents.opening import (
    BASE_FORMAT,
    BASE_SIZE,
    FLAGS_AT,
    INTERNAL,
    PACKET_SIZE_AT,
    PING_SIGNATURE,
    PING_SIGNATURE_AT,
    SESSION_HEADER_SIZE,
    SIGNATURE,
    SIGNATURE_AT,
    TRAILING_SESSION_HEADER,
    VERSION,
)
from msmq_wire.values.errors import DecodeError, in_bytes
from msmq_wire.values.refusals import Problem, say

__all__ = [
    "BASE_SIZE",
    "FLAGS_AT",
    "INTERNAL",
    "INTERNAL_MAX_SIZE",
    "MARK_SIZE",
    "PACKET_SIZE",
    "PACKET_SIZE_AT",
    "REREADS",
    "SESSION_HEADER_SIZE",
    "SIGNATURE",
    "SIGNATURE_AT",
    "SIGNATURE_BYTES",
    "TRAILING_SESSION_HEADER",
    "VERSION",
    "VERSION_BYTES",
    "RereadBudget",
    "bad_size",
    "begins_packet",
    "begins_ping",
    "cut_off",
    "ends",
    "is_signed",
    "likelier_first",
    "marked",
    "no_packet",
    "search",
    "start_mask",
    "starts_packet",
    "unpack_base",
]

INTERNAL_MAX_SIZE = 572
"""Size of the largest internal packet, an EstablishConnection, in bytes."""
SIGNATURE_BYTES = SIGNATURE.to_bytes(4, "little")
MARK_SIZE = SIGNATURE_AT + len(SIGNATURE_BYTES)
"""Size of a mark in bytes."""

PACKET_SIZE = "BaseHeader.PacketSize"
"""The path of PacketSize in a packet."""
VERSION_BYTES = bytes([VERSION])
_PING_BYTES = PING_SIGNATURE.to_bytes(2, "little")

REREADS = 4
"""How many bytes of false packets may be read again for each byte that was passed."""

unpack_base = struct.Struct(BASE_FORMAT).unpack_from
"""Unpacks version, flags, signature and size of a BaseHeader from a buffer and an offset."""

# ------------------------------------------------------------------------------------------ begin and end


def is_signed(data: bytes | bytearray) -> bool:
    """Whether the bytes have the signature of a BaseHeader."""
    return data[SIGNATURE_AT:MARK_SIZE] == SIGNATURE_BYTES


def starts_packet(data: bytes | bytearray, pos: int) -> bool:
    """Whether a BaseHeader starts at `pos`, which must be inside `data`; False for a truncated signature."""
    return data[pos] == VERSION and data[pos + SIGNATURE_AT : pos + MARK_SIZE] == SIGNATURE_BYTES


def begins_ping(data: bytes | bytearray) -> bool:
    """Whether the bytes begin like a Ping datagram, and not like a packet."""
    return data[PING_SIGNATURE_AT : PING_SIGNATURE_AT + len(_PING_BYTES)] == _PING_BYTES and not is_signed(
        data
    )


def begins_packet(data: bytes | bytearray | memoryview, pos: int) -> bool:
    """Whether the available bytes at `pos` could be the beginning of a BaseHeader."""
    begins = data[pos : pos + 1] in (b"", VERSION_BYTES)
    return begins and SIGNATURE_BYTES.startswith(data[pos + SIGNATURE_AT : pos + MARK_SIZE])


def search(data: bytes | bytearray, pos: int) -> int:
    """The offset of the next BaseHeader, or -1."""
    at = data.find(SIGNATURE_BYTES, pos + SIGNATURE_AT)
    while at >= 0 and data[at - SIGNATURE_AT] != VERSION:
        at = data.find(SIGNATURE_BYTES, at + 1)
    return at - SIGNATURE_AT if at >= 0 else -1


def marked(data: bytes | bytearray) -> bool:
    """Whether a BaseHeader begins somewhere in the bytes."""
    return search(data, 0) >= 0


_SOUGHT = {0: VERSION, **{SIGNATURE_AT + offset: byte for offset, byte in enumerate(SIGNATURE_BYTES)}}
"""The bytes of a mark, by their offsets."""


@cache
def _bits() -> bytes:
    """For each byte value, one bit for each position of the mark that has it."""
    return bytes(
        sum(1 << bit for bit, sought in enumerate(_SOUGHT.values()) if sought == byte) for byte in range(256)
    )


@lru_cache(maxsize=2)
def _ones(size: int) -> int:
    return int.from_bytes(b"\1" * size, "little")


def start_mask(data: bytes) -> bytes:
    """A byte mask: 1 where the mark of a packet begins, else 0; empty if no mark was found.

    All bytes are compared at once, as the bits of one large integer, so the time does not depend on the
    contents.
    """
    if SIGNATURE_BYTES not in data:
        return b""
    bits = int.from_bytes(data.translate(_bits()), "little")
    marks = bits & _ones(len(data))
    for bit, offset in enumerate(_SOUGHT):
        marks &= bits >> 8 * offset + bit
    return marks.to_bytes(len(data), "little") if marks else b""


def ends(stop: int, flags: int) -> tuple[int, ...]:
    """The possible ends of a packet whose size ends at `stop`, in ascending order.

    With the flag SH, a SessionHeader follows a UserMessage, and not an internal packet ([MS-MQMQ] 2.2.20).
    Some senders include it in PacketSize.
    """
    rides = flags & (TRAILING_SESSION_HEADER | INTERNAL) == TRAILING_SESSION_HEADER
    return (stop, stop + SESSION_HEADER_SIZE) if rides else (stop,)


def likelier_first(data: bytes | bytearray | memoryview, stops: tuple[int, ...]) -> tuple[int, ...]:
    """The possible ends of a packet, the likelier one first: the one before a packet or the end."""
    return stops if len(stops) == 1 or begins_packet(data, stops[0]) else stops[::-1]


class RereadBudget:
    """Bounds how many bytes of false packets are read again.

    After a false packet, its bytes are searched again.  Headers at every 16 bytes that each claim megabytes
    would make that quadratic.  So each byte passed earns `REREADS` bytes, up to that number of packets of
    maximum size.

    Args:
        packet_size: The maximum size of a packet in bytes.
        offset: The offset of the first byte.
    """

    __slots__ = ("_allowance", "_earned_at", "_most")

    def __init__(self, packet_size: int, offset: int = 0) -> None:
        self._most = self._allowance = REREADS * packet_size
        self._earned_at = offset

    def pay(self, size: int, offset: int) -> bool:
        """Return whether this many bytes may be read again, after all bytes before `offset` were passed."""
        self._allowance = min(self._allowance + REREADS * (offset - self._earned_at), self._most)
        self._earned_at = offset
        if self._allowance < size:
            return False
        self._allowance -= size
        return True


# ------------------------------------------------------------------------------------------------- errors


def no_packet(mark: bytes, offset: int, meaning: str) -> DecodeError:
    """The error for bytes that do not have the mark of a packet, or of its beginning, with an explanation."""
    name, at, actual, expected = "VersionNumber", 0, mark[0], VERSION
    if not is_signed(mark) and (actual == VERSION or len(mark) >= MARK_SIZE):
        name, at, expected = "Signature", SIGNATURE_AT, SIGNATURE
        actual = int.from_bytes(mark[SIGNATURE_AT:MARK_SIZE], "little")
    return DecodeError(
        f"{say(Problem.VALUE, f'{expected:#x}', f'{actual:#x}')}; {meaning}",
        code=Problem.VALUE,
        structure="BaseHeader",
        path=f"BaseHeader.{name}",
        offset=offset + at,
        expected=expected,
        actual=actual,
    )


def cut_off(size: int, left: int, offset: int, kind: str = "") -> DecodeError:
    """The error for the truncated packet at `offset`; `kind` is its type, if known."""
    path = f"{kind}.{PACKET_SIZE}" if kind else PACKET_SIZE
    return DecodeError(
        say(Problem.SIZE_ABOVE, in_bytes(left), size),
        structure="BaseHeader",
        path=path,
        offset=offset + PACKET_SIZE_AT,
        expected=f"at most {left}",
        actual=size,
        source_path=path,
        source_offset=offset + PACKET_SIZE_AT,
    )


def bad_size(size: int, most: int, offset: int) -> DecodeError:
    """The error for a PacketSize that is invalid or above the limit."""
    return DecodeError(
        say(Problem.VALUE, f"{BASE_SIZE} to {most}", size),
        structure="BaseHeader",
        path=PACKET_SIZE,
        offset=offset + PACKET_SIZE_AT,
        expected=f"{BASE_SIZE} to {most}",
        actual=size,
        limit="PacketStream.max_packet_size",
        source_path=PACKET_SIZE,
        source_offset=offset + PACKET_SIZE_AT,
    )
