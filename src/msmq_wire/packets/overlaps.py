"""Segments that overlap: which of them has which byte, and which of them say otherwise.

1. Each byte is that of the segment whose origin is least; among equals, of the one that came first.
2. All that is held begins at one place, because segments come in the order of their offsets.  So the origins
   of the bytes increase along the window: a few steps, each an origin and where its bytes end, say it all.
3. A segment that comes in loses the bytes of the steps before its own, and takes all others up to its end.
   It is contradicted once for what it loses; each step that it shortens or removes is contradicted once.  A
   segment makes one step and shortens one, so that there are never more than three contradictions a segment.
4. Bytes are compared and moved as a whole.  The work is linear in the bytes that come in.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Contradiction", "Window"]


class Contradiction(NamedTuple):
    """Bytes that came for a place that another segment has.

    Attributes:
        start: Where they begin.
        data: The bytes.
        origin: The segment that they are from.
        at: The first of them that is another than what counts.
        counts: The byte that counts there.
    """

    start: int
    data: bytes
    origin: Any
    at: int
    counts: int


class Window:
    """What is held because later segments could still begin in it.

    Attributes:
        start: Where it begins.
        repeated: How many bytes came in that were there already.
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
        """Hand out what is held before `stop`: the bytes, and up to where they are of which segment."""
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
        """Take a segment in; all that is held begins at its `start`."""
        end = start + len(data)
        if not self._ends:
            self.start, self._data, self._ends, self._origins = start, data, [end], [origin]
            return []
        held_end = self._ends[-1]
        shared = min(end, held_end)
        self.repeated += shared - start
        step = bisect_right(self._origins, origin)
        own = self._ends[step - 1] if step else start  # where the bytes begin that the segment takes
        found = list(self._contradictions(step, min(own, shared), data[: shared - start], origin))
        if own < end:
            kept = self._owned()
            kept[own - start : shared - start] = data[own - start :]
            behind = bisect_right(self._ends, end)
            self._ends[step:behind] = [end]
            self._origins[step:behind] = [origin]
        return found

    def _contradictions(self, step: int, own: int, data: bytes, origin: Any) -> Iterator[Contradiction]:
        """What of the shared bytes differs: before `own` those that came in lose, from there those held."""
        start, lost = self.start, own - self.start
        held = self._data[: len(data)]
        if held == data:
            return
        if held[:lost] != data[:lost]:
            yield _contradiction(start, data[:lost], held[:lost], origin)
        while own < start + len(data):
            stop = min(self._ends[step], start + len(data))
            loses, counts = held[own - start : stop - start], data[own - start : stop - start]
            if loses != counts:
                yield _contradiction(own, loses, counts, self._origins[step])
            own, step = stop, step + 1

    def _owned(self) -> bytearray:
        """The bytes, to be changed."""
        if not isinstance(self._data, bytearray):
            self._data = bytearray(self._data)
        return self._data


def _contradiction(
    start: int, loses: bytes | bytearray, counts: bytes | bytearray, origin: Any
) -> Contradiction:
    at = _first_difference(loses, counts)
    return Contradiction(start, bytes(loses), origin, start + at, counts[at])


def _first_difference(one: bytes | bytearray, other: bytes | bytearray) -> int:
    """Where two different texts of one length differ first; by halves, so that bytes are not looped over."""
    low, high = 0, len(one)
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low
