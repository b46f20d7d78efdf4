"""Overlapping segments: selecting one segment for each byte, and reporting contradictions.

1. Each byte is taken from the segment with the least origin; among equals, from the one that arrived first.
2. All held bytes are one contiguous window, because segments arrive in the order of their offsets.  So the
   origins of the bytes increase along the window, and a few steps (an origin and the end of its bytes)
   describe it.
3. A new segment loses the bytes of the steps with lesser origins, and takes all others up to its end.  It is
   contradicted once for the bytes that it loses, and each step that it shortens or removes is contradicted
   once.  A segment adds one step and shortens one, so there are at most three contradictions for each
   segment.
4. Bytes are compared and moved in blocks.  The work is linear in the bytes added.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Contradiction(NamedTuple):
    """Bytes of a segment that differ from the selected segment.

    Attributes:
        start: Offset of the bytes.
        data: The bytes.
        origin: The segment that contains them.
        at: Offset of the first byte that differs.
        counts: The selected byte at that offset.
    """

    start: int
    data: bytes
    origin: Any
    at: int
    counts: int


class Window:
    """The bytes that later segments could still overlap.

    Attributes:
        start: Offset of the window.
        repeated: Number of added bytes that were already present.
    """

    def __init__(self) -> None:
        self.start = 0
        self.repeated = 0
        self._data: bytes | bytearray = b""
        self._ends: list[int] = []
        self._origins: list[Any] = []

    def __bool__(self) -> bool:
        return bool(self._ends)

    def take(self, stop: int) -> tuple[bytes | bytearray, list[tuple[int, Any]]]:
        """Remove the bytes before `stop` and return them, with the end of the bytes of each segment."""
        count = bisect_right(self._ends, stop)
        marks = list(zip(self._ends[:count], self._origins, strict=False))
        del self._ends[:count], self._origins[:count]
        if not self._ends:
            taken, self._data = self._data, b""
            return taken, marks
        if not marks or marks[-1][0] < stop:
            marks.append((stop, self._origins[0]))
        data = self._owned()
        taken = bytes(data[: stop - self.start])
        del data[: stop - self.start]
        self.start = stop
        return taken, marks

    def add(self, start: int, data: bytes, origin: Any) -> list[Contradiction]:
        """Add a segment; the window begins at its `start`."""
        end = start + len(data)
        if not self._ends:
            self.start, self._data, self._ends, self._origins = start, data, [end], [origin]
            return []
        held_end = self._ends[-1]
        shared = min(end, held_end)
        self.repeated += shared - start
        step = bisect_right(self._origins, origin)
        begin = self._ends[step - 1] if step else start  # offset of the first byte that the segment takes
        contradictions = list(self._contradictions(step, min(begin, shared), data[: shared - start], origin))
        if begin < end:
            kept = self._owned()
            kept[begin - start : shared - start] = data[begin - start :]
            behind = bisect_right(self._ends, end)
            self._ends[step:behind] = [end]
            self._origins[step:behind] = [origin]
        return contradictions

    def _contradictions(self, step: int, begin: int, data: bytes, origin: Any) -> Iterator[Contradiction]:
        """Report differences: before `begin` the added bytes lose, after it the held ones."""
        start, lost = self.start, begin - self.start
        window = self._data[: len(data)]
        if window == data:
            return
        if window[:lost] != data[:lost]:
            yield _contradiction(start, data[:lost], window[:lost], origin)
        while begin < start + len(data):
            stop = min(self._ends[step], start + len(data))
            loses, counts = window[begin - start : stop - start], data[begin - start : stop - start]
            if loses != counts:
                yield _contradiction(begin, loses, counts, self._origins[step])
            begin, step = stop, step + 1

    def _owned(self) -> bytearray:
        """The bytes as a mutable array."""
        if not isinstance(self._data, bytearray):
            self._data = bytearray(self._data)
        return self._data


def _contradiction(
    start: int, loses: bytes | bytearray, counts: bytes | bytearray, origin: Any
) -> Contradiction:
    at = _first_difference(loses, counts)
    return Contradiction(start, bytes(loses), origin, start + at, counts[at])


def _first_difference(left: bytes | bytearray, right: bytes | bytearray) -> int:
    """The index of the first difference of two byte strings of equal length, by bisection."""
    low, high = 0, len(left)
    while high - low > 1:
        middle = (low + high) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle
    return low
