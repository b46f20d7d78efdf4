"""The input bytes as numpy views, and selections of rows.

1. The input is accessed as overlapping windows: one for each byte, as wide as the bytes to gather.
2. A `Selection` is a subset of the rows of a chunk.  Values read for a larger selection are narrowed on
   access.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Mask = NDArray[np.bool_]

_LINE = 64
"""Size of a cache line in bytes."""
_AHEAD = 4
"""Cache lines per row that are prefetched; they contain most headers."""
_DENSE = 10
"""Up to this many lines per row, prefetching all in order is faster than only the needed ones."""
MANY = 2048
"""Gathers with at least this many positions prefetch first."""


class Windows(dict[int, Any]):
    """The input as arrays of overlapping windows, one at each byte, by window size."""

    def __init__(self, data: NDArray[np.uint8]) -> None:
        self.data = data

    def __missing__(self, size: int) -> Any:
        count = max(self.data.size - size + 1, 0)
        view = self[size] = np.ndarray((count,), f"V{size}", self.data, strides=(1,))
        return view

    def touch(self, at: Integers) -> None:
        """Prefetch the first cache lines after each position.

        Reading single bytes lets many memory accesses overlap; gathering wide records waits for each
        one.
        """
        first, last = int(at[0]), int(at[-1]) + _AHEAD * _LINE
        if 0 < last - first < len(at) * _DENSE * _LINE:
            self.data[first:last:_LINE].max()
            return
        for line in range(_AHEAD):
            self.data.take(at + line * _LINE, mode="clip")

    def gather(self, size: int, at: Integers) -> Any:
        """Return the bytes at each position; arbitrary bytes too close to the end of the input."""
        window = self[size]
        if len(at) >= MANY:
            # Taking single bytes first makes the processor fetch many cache lines in parallel.
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
    """Positions of WCHARs that are zero, computed on first use."""

    def __init__(self, data: NDArray[np.uint8], first: int, last: int) -> None:
        self.data = data
        self.first = first
        self.last = last

    @cached_property
    def nexts(self) -> list[tuple[int, NDArray[np.int32]]]:
        """For even and odd offsets: the start, and the distance of each WCHAR to the next zero, in WCHARs."""
        pairs = []
        for odd in (0, 1):
            start = self.first + (self.first + odd & 1)
            count = self.last - start >> 1
            numbers = np.arange(count + 1, dtype=np.int32)
            zeros = np.full(count + 1, count, np.int32)
            words = np.ndarray((count,), "<u2", self.data, start)
            np.copyto(zeros[:-1], numbers[:-1], where=words == 0)
            np.minimum.accumulate(zeros[::-1], out=zeros[::-1])
            zeros -= numbers
            pairs.append((start, zeros))
        return pairs

    def sizes(self, at: Integers) -> Integers:
        """Return the number of bytes from each position to the next zero; past the input if there is none."""
        size = np.empty(len(at), np.int64)
        for odd, (start, nexts) in enumerate(self.nexts):
            (same,) = (at & 1 == odd).nonzero()
            size[same] = nexts.take(at[same] - start >> 1, mode="clip")
        return size << 1


class GatheredBytes(NamedTuple):
    """Bytes of rows that were already gathered.

    Attributes:
        at: The positions of the remaining bytes; compared by identity.
        records: The gathered bytes.
        offset: Start of the remaining bytes in `records`.
    """

    at: Integers
    records: Any
    offset: int

    def fields(self, dtype: np.dtype[Any], offset: int = 0) -> Any:
        """Return fields of all rows at an offset in the remaining bytes."""
        step = self.records.itemsize
        return np.ndarray((len(self.records),), dtype, self.records, self.offset + offset, (step,))

    def has(self, size: int) -> bool:
        """Return whether this many bytes remain."""
        return bool(self.offset + size <= self.records.itemsize)


class Selection:
    """A subset of the rows of a chunk.

    Attributes:
        rows: Row indices in the chunk; None for all rows.
        at: Current read position of each row.
        parent: The selection from which this one was narrowed.
        index: Positions of these rows in the parent.
        values: Values read so far, by path; marks start with ``@``.
        gathered: Gathered bytes that were not read yet, if any.
    """

    def __init__(
        self, rows: Integers | None, at: Integers, parent: Selection | None = None, index: Any = None
    ) -> None:
        self.rows = rows
        self.at = at
        self.parent = parent
        self.index = index
        self.values: dict[str, Any] = {}
        self.gathered: GatheredBytes | None = None
        self._bits: dict[str, int] = {}

    @classmethod
    def of_structures(cls, rows: Integers | None, at: Integers, limit: Integers) -> Selection:
        """Return a selection of structures that start at these positions, each with its own limit."""
        selection = cls(rows, at)
        selection.values["@"] = at
        selection.values["@limit"] = selection.values["@end"] = limit
        return selection

    def ahead(self, at: Integers, size: int) -> GatheredBytes | None:
        """Return the gathered bytes at these positions, if enough were gathered."""
        gathered = self.gathered
        return gathered if gathered is not None and gathered.at is at and gathered.has(size) else None

    def narrowed(self, index: Integers) -> Selection:
        """Return a selection of the rows at these positions."""
        return Selection(index if self.rows is None else self.rows[index], self.at[index], self, index)

    def kept(self, good: Mask) -> Selection:
        """Return a selection of the rows of a mask."""
        return self if good.all() else self.narrowed(np.flatnonzero(good))

    def value(self, path: str) -> Any:
        """Return the values of a field for these rows."""
        numbers = self.values.get(path)
        if numbers is None:
            assert self.parent is not None  # noqa: S101  # the plan uses only values that were read
            numbers = self.values[path] = self.parent.value(path)[self.index]
        return numbers

    def bits(self, path: str) -> int:
        """Return the bitwise OR of all values of a field."""
        bits = self._bits.get(path)
        if bits is None:
            if self.parent is not None and path not in self.values and not self.parent.bits(path):
                bits = 0
            else:
                bits = int(np.bitwise_or.reduce(self.value(path)))
            self._bits[path] = bits
        return bits

    def number(self, path: str) -> Any:
        """Return the values of a field as 64-bit numbers."""
        numbers = self.value(path)
        if numbers.dtype != np.int64:
            numbers = self.values[path] = numbers.astype(np.int64)
        return numbers

    def set_values(self, path: str, values: Any) -> None:
        """Store the values of a field."""
        self.values[path] = values
        self._bits.pop(path, None)

    def places_in(self, outer: Selection) -> Integers:
        """Return the positions of these rows in a selection from which this one was narrowed."""
        rows: Integers = self.index
        if self.parent is not outer:
            assert self.parent is not None  # noqa: S101  # the caller passes an ancestor
            rows = self.parent.places_in(outer)[rows]
        return rows
