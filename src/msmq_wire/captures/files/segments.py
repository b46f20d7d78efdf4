"""The rows of a capture: one for each TCP segment, UDP datagram, or error.

1. A row without `error` is complete: its payload is the captured payload of a segment or datagram.
2. A row with `error` reports where and why the capture could not be read.  Columns that are known have
   values, and the payload has the damaged bytes, up to `MAX_ERROR_BYTES`.  Errors of the same kind, which
   differ only in numbers, are one row per part of a file, with the first location and the total count.
3. A file of concatenated packets has no segments.  Its bytes are read as pieces with the transport ``"raw"``,
   in order, with the offset in the file as `seq`.
"""

from __future__ import annotations

import re
from typing import Final

import pyarrow as pa

from msmq_wire.captures.schemas import schema_of

FIN: Final = 0x01
SYN: Final = 0x02
RST: Final = 0x04
ACK: Final = 0x10
"""Bits of the column `flags`."""

MAX_ERROR_BYTES: Final = 0x1_0000
"""Maximum payload of an error row in bytes; `length` is the size of all errors of its kind."""

_ONE: Final = re.compile(r"\b1 byte( (?:was|that follows))?\b|\b(?:0x[0-9a-f]+|\d+(?:,\d{3})*)")
_MANY: Final = {None: "N bytes", " was": "N bytes were", " that follows": "N bytes that follow"}
"""Numbers, in which errors of one kind differ, and words with one; digits in names such as lz4 are none."""

_COLUMNS: Final = (
    ("file", pa.string(), "The capture: a path or the URL of an object store."),
    ("frame", pa.int64(), "Number of the frame from 1, as Wireshark counts; null for the file as a whole."),
    (
        "offset",
        pa.int64(),
        "Offset of the frame's record in bytes; in a compressed file, of the decompressed data.",
    ),
    ("time", pa.timestamp("us", tz="UTC"), "Time of capture of the frame; null if unknown."),
    ("transport", pa.string(), "``tcp``, ``udp`` or ``raw``; null if unknown."),
    ("src", pa.string(), "IP address of the sender, in its canonical text form."),
    ("src_port", pa.int32(), "Port of the sender."),
    ("dst", pa.string(), "IP address of the receiver."),
    ("dst_port", pa.int32(), "Port of the receiver."),
    ("seq", pa.int64(), "Sequence number, 0 to 2**32 - 1; null for UDP; for a raw piece, its offset."),
    ("ack", pa.int64(), "Acknowledgment number; null if not TCP."),
    ("flags", pa.int32(), "Flags of the TCP header, FIN in the lowest bit; null if not TCP."),
    ("payload", pa.binary(), "The captured bytes after the TCP or UDP header; never null."),
    ("length", pa.int32(), "Size of the payload by the IP header, in bytes; not less than `captured`."),
    (
        "captured",
        pa.int32(),
        "Number of captured payload bytes; less than `length` if the capture truncated the frame.",
    ),
    (
        "checksum",
        pa.bool_(),
        "Whether the checksum is correct; null if unknown: for a truncated frame, or an offloaded checksum.",
    ),
    ("marked", pa.bool_(), "Whether it may be MSMQ: by its port, or because a packet begins in it."),
    ("frame_bytes", pa.int32(), "Captured bytes of the frame, with its headers; null for an error."),
    (
        "places",
        pa.int64(),
        "Number of errors of the same kind in the file, or in the part of it that a task reads.",
    ),
    ("error", pa.string(), "The error of an unreadable part; null for a valid row."),
)

SEGMENTS: Final = schema_of(_COLUMNS)
"""The columns, in order; each field's metadata has its meaning as ``comment``."""


def cause_of(error: str) -> str:
    """Return what errors of one kind have in common."""
    return _ONE.sub(lambda match: _MANY[match[1]] if "byte" in match[0] else "N", error)


def named(file: str, content: int, turn: int) -> str:
    """Return a file name that distinguishes its contents, for the column `file` of segments in transit.

    Args:
        file: The name.
        content: The number of the content; the same if it continues in another file.
        turn: How many contents the file had before.
    """
    return f"{file}\0{content}.{turn}"


def file_of(name: str) -> str:
    """Return the name of the file."""
    return name.partition("\0")[0]


def content_of(name: str) -> str:
    """Return the text that all files of a content share; without a number, the name of the file."""
    file, mark, numbers = name.partition("\0")
    return numbers.partition(".")[0] if mark else file
