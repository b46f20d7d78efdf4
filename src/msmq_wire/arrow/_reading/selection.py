"""The bytes that packets are read from, and which of the packets are being read.

1. The input is seen as views that overlap: one for each byte, of as many bytes as are gathered.
2. A `Selection` is some of the rows of a chunk; what was read of more of them is narrowed when asked for.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Mask = NDArray[np.bool_]

__all__ = ["Seen", "Selection", "Terminators", "Windows"]

_LINE = 64
"""Bytes that come into the cache together."""
_AHEAD = 4
"""Lines of each row that are fetched ahead, in which most headers lie."""
_DENSE = 10
"""Lines of each row up to which fetching them all, in order, takes less time than only these."""
_MANY = 2048
"""Places from which on bytes are brought into the cache before they are gathered."""


class Windows(dict[int, Any]):
    """The input as arrays of so many bytes, one beginning at each byte."""

    def __init__(self, data: NDArray[np.uint8]) -> None:
        self.data = data

    def __missing__(self, size: int) -> Any:
        count = max(self.data.size - size + 1, 0)
        made = self[size] = np.ndarray((count,), f"V{size}", self.data, strides=(1,))
        return made

    def touch(self, at: Integers) -> None:
        """Bring the first lines after each place into the cache.

        Single bytes are read many at once, long ones one after the other, each waiting for the memory.
        """
        first, last = int(at[0]), int(at[-1]) + _AHEAD * _LINE
        if 0 < last - first < len(at) * _DENSE * _LINE:
            self.data[first:last:_LINE].max()
            return
        for line in range(_AHEAD):
            self.data.take(at + line * _LINE, mode="clip")

    def gather(self, size: int, at: Integers) -> Any:
        """So many bytes at each place; other bytes where they would lie after the input."""
        window = self[size]
        if len(at) >= _MANY:
            # To take single bytes first lets the cache fetch many lines at a time.
            self.data.take(at, mode="clip")
            if size > _LINE // 2:
                self.data.take(at + (size - 1), mode="clip")
        try:
            return window[at]
        except IndexError:
            if not len(window):
                return np.zeros(len(at), window.dtype)
            return window[np.minimum(at, len(window) - 1)]


class Terminators:
    """Where the WCHARs of zero are, computed when that is first asked for."""

    def __init__(self, data: NDArray[np.uint8], first: int, last: int) -> None:
        self.data = data
        self.first = first
        self.last = last

    @cached_property
    def nexts(self) -> list[tuple[int, NDArray[np.int32]]]:
        """For even places and odd ones: the first of them, and how many WCHARs each is before a zero."""
        found = []
        for odd in (0, 1):
            start = self.first + (self.first + odd & 1)
            count = max(self.last - start >> 1, 0)
            numbers = np.arange(count + 1, dtype=np.int32)
            zeros = np.full(count + 1, count, np.int32)
            words = np.ndarray((count,), "<u2", self.data, start) if count else zeros[:0]
            np.copyto(zeros[:-1], numbers[:-1], where=words == 0)
            np.minimum.accumulate(zeros[::-1], out=zeros[::-1])
            zeros -= numbers
            found.append((start, zeros))
        return found

    def sizes(self, at: Integers) -> Integers:
        """How many bytes stand between each place and the next one; more than there are if there is none."""
        size = np.empty(len(at), np.int64)
        for odd, (start, nexts) in enumerate(self.nexts):
            (mine,) = (at & 1 == odd).nonzero()
            size[mine] = nexts.take(at[mine] - start >> 1, mode="clip")
        return size << 1


class Seen(NamedTuple):
    """Bytes of rows that have been gathered.

    Attributes:
        at: The places that the rest of them was at; the very array, so that no other place is taken for it.
        records: What was gathered.
        offset: Where in that the rest begins.
    """

    at: Integers
    records: Any
    offset: int

    def fields(self, dtype: np.dtype[Any], offset: int = 0) -> Any:
        """Fields of all rows, so many bytes after the places."""
        step = self.records.itemsize
        return np.ndarray((len(self.records),), dtype, self.records, self.offset + offset, (step,))

    def has(self, size: int) -> bool:
        """Whether so many bytes are left."""
        return bool(self.offset + size <= self.records.itemsize)


class Selection:
    """Some rows of a chunk.

    Attributes:
        rows: Their numbers in the chunk; None for all.
        at: Where each has been read to.
        parent: The selection that they are some of.
        index: Their places in that.
        values: What was read of them, by path; marks begin with ``@``.
        seen: What has been gathered and lies ahead, if anything.
    """

    def __init__(self, rows: Integers | None, at: Integers, parent: Selection | None, index: Any) -> None:
        self.rows = rows
        self.at = at
        self.parent = parent
        self.index = index
        self.values: dict[str, Any] = {}
        self.seen: Seen | None = None
        self._bits: dict[str, int] = {}

    def ahead(self, at: Integers, size: int) -> Seen | None:
        """What was gathered of so many bytes at these places, if it was."""
        return self.seen if self.seen is not None and self.seen.at is at and self.seen.has(size) else None

    def narrowed(self, index: Integers) -> Selection:
        """Only the rows with these places in this selection."""
        return Selection(index if self.rows is None else self.rows[index], self.at[index], self, index)

    def kept(self, good: Mask) -> Selection:
        """Only the rows of a mask."""
        return self if good.all() else self.narrowed(good.nonzero()[0])

    def value(self, path: str) -> Any:
        """The values of a field for these rows."""
        found = self.values.get(path)
        if found is None:
            assert self.parent is not None  # noqa: S101  # the plan asks only for what was read
            found = self.values[path] = self.parent.value(path)[self.index]
        return found

    def bits(self, path: str) -> int:
        """The bits that are set in any of the values of a field."""
        found = self._bits.get(path)
        if found is None:
            if self.parent is not None and path not in self.values and not self.parent.bits(path):
                found = 0
            else:
                found = int(np.bitwise_or.reduce(self.value(path)))
            self._bits[path] = found
        return found

    def number(self, path: str) -> Any:
        """The values of a field, in 64 bits."""
        found = self.value(path)
        if found.dtype != np.int64:
            found = self.values[path] = found.astype(np.int64)
        return found

    def set_values(self, path: str, values: Any) -> None:
        """Set the values of a field."""
        self.values[path] = values
        self._bits.pop(path, None)

    def places_in(self, outer: Selection) -> Integers:
        """Where these rows are in a selection that this one was narrowed from."""
        found: Integers = self.index
        if self.parent is not outer:
            assert self.parent is not None  # noqa: S101  # it was narrowed from there
            found = self.parent.places_in(outer)[found]
        return found
