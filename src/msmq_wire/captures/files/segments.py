"""The rows of a capture: one for each TCP segment, UDP datagram or place that could not be read.

1. A row without `error` is whole: its payload is what was captured of a segment or datagram.
2. A row with `error` says where the capture could not be read and why; the columns that were known by then
   are filled, and its payload has the bytes in question, up to `MAX_ERROR_BYTES`.  Damage of one kind, whose
   errors differ in numbers only, is one row in a part of a file: that of the first place, which counts all.
3. A file of concatenated packets has no segments: its bytes come in pieces with the transport ``"raw"``, in
   order, with the piece's offset in the file as `seq`.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa

__all__ = ["ACK", "FIN", "MAX_ERROR_BYTES", "NUMBERS", "RST", "SEGMENTS", "SYN"]

FIN: Final = 0x01
SYN: Final = 0x02
RST: Final = 0x04
ACK: Final = 0x10
"""Bits of the column `flags`."""

MAX_ERROR_BYTES: Final = 0x1_0000
"""How many bytes the payload of an error row has at most; `length` says how many all its places have."""

NUMBERS: Final = r"0x[0-9a-f]+|\d+"
"""A pattern for what differs in errors of one kind."""

_COLUMNS: Final = (
    ("file", pa.string(), "Where the capture is: a path or an address of an object store."),
    ("frame", pa.int64(), "Number of the frame from 1, as Wireshark counts; null for the file as a whole."),
    ("offset", pa.int64(), "Where the frame's record begins, in bytes; in what a gzip file unpacks to."),
    ("time", pa.timestamp("us", tz="UTC"), "When the frame was captured; null if not known."),
    ("transport", pa.string(), "``tcp``, ``udp`` or ``raw``; null if not known."),
    ("src", pa.string(), "IP address of the sender, in its canonical text form."),
    ("src_port", pa.int32(), "Port of the sender."),
    ("dst", pa.string(), "IP address of the receiver."),
    ("dst_port", pa.int32(), "Port of the receiver."),
    ("seq", pa.int64(), "Sequence number, 0 to 2**32 - 1; null for UDP; of a raw piece, its offset."),
    ("ack", pa.int64(), "Acknowledgment number; null if not TCP."),
    ("flags", pa.int32(), "Flags of the TCP header, FIN in the lowest bit; null if not TCP."),
    ("payload", pa.binary(), "What was captured of the bytes behind the TCP or UDP header; never null."),
    ("length", pa.int32(), "How many bytes of payload the IP header announces; not less than `captured`."),
    ("captured", pa.int32(), "How many bytes of payload there are; fewer where the capture cut frames."),
    (
        "checksum",
        pa.bool_(),
        "Whether the checksum is right; null if that is not known: of a cut frame, or one to be filled in.",
    ),
    ("marked", pa.bool_(), "Whether it may be MSMQ: by its port, or because a packet begins in it."),
    (
        "places",
        pa.int64(),
        "How many places of the file, or of the part of it that was read at once, have an error of its kind.",
    ),
    ("error", pa.string(), "What could not be read and why; null for a row that is in order."),
)

SEGMENTS: Final = pa.schema(
    [pa.field(name, kind, metadata={"comment": comment}) for name, kind, comment in _COLUMNS]
)
"""The columns, in order; each field's metadata has its meaning as ``comment``."""
