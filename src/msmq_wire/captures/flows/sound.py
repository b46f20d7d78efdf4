"""Packets that follow one another in whole segments: found many at once, and read as columns.

1. In a run of segments that follow each other, a packet begins where the one before ends, as its PacketSize
   says.  The first one is looked for.
2. What is found so is a guess until its bytes are read; of a batch of segments, all are read at once.  What
   cannot be read is left to the `FlowReader`, as is every byte between the packets.
3. `FlowReader` says at which of them it has nothing left to look at; from there on they are what it would
   have found one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from msmq_wire.arrow import decode_packets
from msmq_wire.packets.marks import (
    BASE_SIZE,
    RIDER,
    RIDER_MASK,
    SIGNATURE,
    VERSION,
    begins_packet,
    ends,
    search,
    unpack_base,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

__all__ = ["Sound"]

_CHECKED: Final = ("BaseHeader.PacketSize",)
"""Every packet is checked as a whole, whatever columns are wanted."""
_FEW: Final = 32
"""How many packets are not worth it."""


class Sound:
    """The sound packets in some runs of bytes.

    Attributes:
        starts: Where they begin, in order.
        ends: Where they end.
        kinds: The name of the structure of each.
        data: Their bytes.
        earliest: For each, the row that was captured first among those that hold its bytes.
        latest: The one that was captured last.
        last: The row that holds its last byte.
        places: Where it begins in its flow, as rows count.
    """

    def __init__(self, data: bytes, runs: Iterable[tuple[int, int]], max_packet_size: int) -> None:
        """Find them.

        Args:
            data: The bytes of all runs.
            runs: Where runs begin and end, in order.
            max_packet_size: The largest PacketSize to wait for.
        """
        starts: list[int] = []
        stops: list[int] = []
        for begin, end in runs:
            _walk(data, begin, end, max_packet_size, starts, stops)
        if len(starts) < _FEW:
            del starts[:], stops[:]
        found = pa.array([data[one:other] for one, other in zip(starts, stops, strict=True)], pa.binary())
        self.starts, self.ends = np.array(starts, np.int64), np.array(stops, np.int64)
        self.kinds, self.data = pa.nulls(0, pa.string()), found
        if starts:
            read = decode_packets(found, columns=_CHECKED, spark=True)
            good = read.field("error").is_null()
            kept = good.to_numpy(zero_copy_only=False)
            self.starts, self.ends = self.starts[kept], self.ends[kept]
            self.kinds, self.data = read.field("kind").filter(good), found.filter(good)
        self._edges = np.flatnonzero(np.r_[True, self.starts[1:] != self.ends[:-1]])

    def place(self, offsets: Numbers, places: Numbers, positions: Numbers) -> None:
        """Find the rows that hold the packets.

        Args:
            offsets: Where the bytes of each row begin, and where those of the last end.
            places: Where they begin in their flow.
            positions: Their numbers in the order of capture.
        """
        first = np.searchsorted(offsets, self.starts, side="right") - 1
        self.last = np.searchsorted(offsets, self.ends) - 1
        self.places = places[first] + self.starts - offsets[first]
        keys = np.r_[positions * len(offsets) + np.arange(len(positions)), 0]
        ranges = np.ravel(np.column_stack([first, self.last + 1]))
        reach = (np.minimum, np.maximum) if len(ranges) else ()
        found = [each.reduceat(keys, ranges)[::2] % len(offsets) for each in reach] or [first, first]
        self.earliest, self.latest = found

    def within(self, begin: int, end: int) -> tuple[int, int]:
        """The numbers of the first packet in these bytes, and of the one after the last."""
        first, last = np.searchsorted(self.starts, (begin, end))
        return int(first), int(last)

    def together(self, first: int, last: int) -> int:
        """Up to which of these packets each begins where the one before ends."""
        at = int(np.searchsorted(self._edges, first, side="right"))
        return min(last, int(self._edges[at])) if at < len(self._edges) else last


def _walk(data: bytes, begin: int, end: int, most: int, starts: list[int], stops: list[int]) -> None:
    """Add where packets begin and end, if they are packets."""
    pos = begin
    last = end - BASE_SIZE
    looked = False
    while pos <= last:
        version, flags, signature, size = unpack_base(data, pos)
        if signature != SIGNATURE or version != VERSION or not BASE_SIZE <= size <= most:
            # Once in a run; what is damaged in more than one place is not a matter of many at once.
            pos = -1 if looked else search(data, pos + 1)
            looked = True
            if not begin < pos <= last:
                return
            continue
        stop = pos + size
        if flags & RIDER_MASK == RIDER:
            stop, further = ends(stop, flags)
            if further > end:
                return
            if not begins_packet(data, stop):
                stop = further
        if stop > end:
            return
        starts.append(pos)
        stops.append(stop)
        pos = stop
