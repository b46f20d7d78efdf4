"""Arrays in files, and the order of their values, for data that does not fit into memory."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import DTypeLike, NDArray

    Numbers = NDArray[np.int64]

SMALL: Final = 1 << 21
"""Arrays up to this size in bytes stay in memory."""
WINDOW: Final = 1 << 16
"""Number of rows that are processed at once."""
SORTED: Final = 1 << 20
"""Number of rows that are sorted at once."""


class Disk:
    """Makes arrays in files of a directory; a file lives as long as its array.

    Args:
        directory: The directory.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def array(self, count: int, dtype: DTypeLike = np.int64) -> NDArray[Any]:
        """Return an array of zeros.

        Raises:
            OSError: The file cannot be made, or the disk is full.
        """
        kind = np.dtype(dtype)
        if count * kind.itemsize <= SMALL:
            return np.zeros(count, kind)
        handle, name = mkstemp(dir=self._directory)
        path = Path(name)
        with open(handle, "wb") as file:  # noqa: PTH123  # it is open already
            # Not a sparse file: a write to mapped memory without disk space would end the process.
            file.writelines(bytes((stop - start) * kind.itemsize) for start, stop in windows(0, count))
        array = np.asarray(np.memmap(path, kind, "r+", shape=(count,)))
        with suppress(PermissionError):  # Windows: it is removed with its directory
            path.unlink()
        return array


def windows(start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of a bounded number of rows."""
    for at in range(start, stop, WINDOW):
        yield at, min(at + WINDOW, stop)


def order_of(keys: Numbers, disk: Disk) -> Numbers | None:
    """Return the stable order of keys as indices; None if they are in order.

    Parts are sorted in memory.  A row's place is its index in its part, plus the number of rows before it in
    each other part; usually few parts have keys in the same range.
    """
    count = len(keys)
    if all((keys[start:stop] >= keys[start - 1 : stop - 1]).all() for start, stop in windows(1, count)):
        return None
    sorted_keys, rows = disk.array(count), disk.array(count)
    parts = [(start, min(start + SORTED, count)) for start in range(0, count, SORTED)]
    for start, stop in parts:
        order = np.argsort(keys[start:stop], kind="stable")
        sorted_keys[start:stop] = keys[start:stop][order]
        rows[start:stop] = order
        rows[start:stop] += start
    if len(parts) == 1:
        return rows
    numbers = disk.array(count)
    for start, stop in parts:
        for first, last in windows(start, stop):
            chunk_keys = sorted_keys[first:last]
            position = np.arange(first - start, last - start)
            for other_start, other_stop in parts:
                if other_start == start:
                    continue
                other = sorted_keys[other_start:other_stop]
                side: Any = (
                    "right" if other_start < start else "left"
                )  # of equal keys, the earlier row is first
                low, high = np.searchsorted(other, chunk_keys[[0, -1]], side).tolist()
                position += low + np.searchsorted(other[low:high], chunk_keys, side)
            numbers[position] = rows[first:last]
    return numbers
