"""Finds many consecutive valid packets at once in joined segments, and reads them as columns.

1. In a run of consecutive segments, a packet starts where the previous one ends, as its PacketSize states.
   The first one is searched for.
2. The packets found are candidates until they are decoded; all candidates of a batch are decoded together.
   The `FlowReader` reads candidates that cannot be decoded, and all bytes between the packets.
3. The `FlowReader` determines the candidate before which nothing is pending.  From there on, the candidates
   are the packets that it would find one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from msmq_wire.arrow import decode_packets
from msmq_wire.captures.network.vectors import cut_out
from msmq_wire.packets.packet_starts import (
    BASE_SIZE,
    PACKET_SIZE,
    SIGNATURE,
    TRAILING_SESSION_HEADER,
    VERSION,
    ends,
    likelier_first,
    search,
    unpack_base,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

_CHECKED: Final = (PACKET_SIZE,)
"""All packets are checked completely, whatever columns are read."""
FEW: Final = 32
"""With fewer packets, vectors are not faster."""


class ValidPackets:
    """The valid packets in some runs of bytes.

    Attributes:
        starts: Starts of the packets, in order.
        ends: Ends of the packets.
        kinds: Name of the structure of each packet.
        data: Bytes of the packets.
        earliest: For each packet, its row that was captured first.
        latest: For each packet, its row that was captured last.
        first: For each packet, the row with its first byte.
        last: For each packet, the row with its last byte.
        stream_offsets: Places of the packets in their flows.
    """

    def __init__(self, data: memoryview, runs: Iterable[tuple[int, int]], max_packet_size: int) -> None:
        """Find the packets.

        Args:
            data: The bytes of all runs.
            runs: Starts and ends of the runs, in order.
            max_packet_size: The largest PacketSize to wait for.
        """
        starts: list[int] = []
        stops: list[int] = []
        for begin, end in runs:
            _walk(data, begin, end, max_packet_size, starts, stops)
        if len(starts) < FEW:
            del starts[:], stops[:]
        self.starts, self.ends = np.array(starts, np.int64), np.array(stops, np.int64)
        self.kinds, self.data = pa.nulls(0, pa.string()), cut_out(data, self.starts, self.ends)
        if starts:
            read = decode_packets(self.data, columns=_CHECKED, spark=True)
            self.kinds, good = read.field("kind"), read.field("error").is_null()
            if good.false_count:
                kept = good.to_numpy(zero_copy_only=False)
                self.starts, self.ends = self.starts[kept], self.ends[kept]
                self.kinds, self.data = self.kinds.filter(good), self.data.filter(good)
        self._edges = np.flatnonzero(np.r_[True, self.starts[1:] != self.ends[:-1]])

    def locate(self, offsets: Numbers, stream_offsets: Numbers, positions: Numbers) -> None:
        """Find the rows that contain the packets.

        Args:
            offsets: Offsets of the rows in the data, and the end of the last one.
            stream_offsets: Places of the rows in their flows.
            positions: Indices of the rows in the order of capture.
        """
        self.first = first = np.searchsorted(offsets, self.starts, side="right") - 1
        self.last = np.searchsorted(offsets, self.ends) - 1
        self.stream_offsets = stream_offsets[first] + self.starts - offsets[first]
        keys = np.r_[positions * len(offsets) + np.arange(len(positions)), 0]
        ranges = np.ravel(np.column_stack([first, self.last + 1]))
        reach = (np.minimum, np.maximum) if len(ranges) else ()
        sums = [each.reduceat(keys, ranges)[::2] % len(offsets) for each in reach] or [first, first]
        self.earliest, self.latest = sums

    def within(self, begin: int, end: int) -> tuple[int, int]:
        """Return the index of the first packet in these bytes, and the index after the last one."""
        first, last = np.searchsorted(self.starts, (begin, end))
        return int(first), int(last)

    def together(self, first: int, last: int) -> int:
        """Return the index up to which each of these packets starts where the previous one ends."""
        at = int(np.searchsorted(self._edges, first, side="right"))
        return min(last, int(self._edges[at])) if at < len(self._edges) else last

    def filling(
        self, begins: Numbers, ends: Numbers, is_apart: NDArray[np.bool_]
    ) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
        """Return the first packet in each range of bytes, the one after its last, and whether they fill it.

        Args:
            begins: Starts of the ranges.
            ends: Ends of the ranges.
            is_apart: Which packets fill no range.
        """
        first, last = np.searchsorted(self.starts, begins), np.searchsorted(self.starts, ends)
        fills = first < last
        begin, end = first[fills], last[fills]
        apart = np.append(0, np.cumsum(is_apart))
        alone = apart[end] == apart[begin]
        behind = np.searchsorted(self._edges, begin, side="right")  # the next packet that follows none
        together = np.append(self._edges, len(self.starts))[behind] >= end
        at_both_ends = (self.starts[begin] == begins[fills]) & (self.ends[end - 1] == ends[fills])
        fills[fills] = alone & together & at_both_ends
        return first, last, fills


def _walk(data: memoryview, begin: int, end: int, most: int, starts: list[int], stops: list[int]) -> None:
    """Append the starts and ends of candidates."""
    pos = begin
    last = end - BASE_SIZE
    looked = False
    while pos <= last:
        version, flags, signature, size = unpack_base(data, pos)
        if signature != SIGNATURE or version != VERSION or not BASE_SIZE <= size <= most:
            # Search once per run; a run with more damage is left to the `FlowReader`.
            sound = -1 if looked else search(bytes(data[pos + 1 : end]), 0)
            if sound < 0:
                return
            pos += 1 + sound
            looked = True
            continue
        stop = pos + size
        if flags & TRAILING_SESSION_HEADER:
            possible = ends(stop, flags)
            stop = possible[-1] if possible[-1] > end else likelier_first(data, possible)[0]
        if stop > end:
            return
        starts.append(pos)
        stops.append(stop)
        pos = stop
