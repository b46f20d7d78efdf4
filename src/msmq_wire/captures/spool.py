"""Stores batches: in memory while they are small, else in a file that is mapped on access."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .schemas import uncoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

_SMALL: Final = 1024
"""Batches with more rows than this on average are written unchanged."""
_ROWS: Final = 4096
_BYTES: Final = 4 << 20
_MOST_JOINED: Final = 1 << 18
"""Rows of which tables are made together."""
_MOST_GROUPS: Final = 256
"""The maximum number of groups, because each may have an open file."""


class Spool:
    """Batches of one schema, in the order of addition.

    Args:
        schema: The schema.
        path: The file for batches beyond the limit.
        limit: Number of bytes that are kept in memory; None if the owner calls `spill`.
    """

    def __init__(self, schema: pa.Schema, path: Path, limit: int | None) -> None:
        self.schema = schema
        self._path = path
        self._limit = limit
        self.held_batches: list[pa.RecordBatch] = []
        self._size = 0
        self._writer: Any = None

    def add(self, batch: pa.RecordBatch) -> None:
        """Add a batch."""
        if not batch.num_rows:
            return
        self.held_batches.append(batch)
        if self._limit is not None:
            self._size += batch.nbytes
            if self._size > self._limit:
                self.spill()

    def spill(self) -> None:
        """Move the batches in memory to the file; many small ones become one, which is faster to read."""
        batches, self.held_batches, self._size = self.held_batches, [], 0
        if not batches:
            return
        if self._writer is None:
            self._writer = pa.ipc.new_stream(str(self._path), self.schema)
        if sum(batch.num_rows for batch in batches) < _SMALL * len(batches):
            batches = pa.Table.from_batches(batches).combine_chunks().to_batches()
        for batch in batches:
            self._writer.write_batch(batch)

    def batches(self) -> list[pa.RecordBatch]:
        """Return all batches; afterwards none can be added."""
        if self._writer is None:
            batches, self.held_batches = self.held_batches, []
            return batches
        path = self.file()
        return [] if path is None else mapped(path)

    def file(self) -> Path | None:
        """Return the file with all batches, None if there are none; afterwards none can be added."""
        self.spill()
        if self._writer is None:
            return None
        self._writer.close()
        return self._path

    def parts(self, count: int) -> list[Spool]:
        """Return this many empty spools of `uncoded` columns, with files beside this one and one memory."""
        limit = None if self._limit is None else self._limit // count
        names = (f"{self._path.name}-{number}" for number in range(count))
        return [Spool(uncoded(self.schema), self._path.with_name(name), limit) for name in names]

    def close(self) -> None:
        """Delete everything; mapped batches stay valid while they are used."""
        self.held_batches = []
        if self._writer is not None:
            self._writer.close()
            self._writer = None  # it keeps the file open, and the file its space on the disk
            self._path.unlink(missing_ok=True)


def divided(
    spool: Spool,
    key: str,
    most: int = _MOST_JOINED,
    shared: Callable[[pa.RecordBatch], pa.Array] | None = None,
) -> Iterator[list[pa.RecordBatch]]:
    """Yield the batches of a spool in groups, and close it; rows with equal keys are in one group.

    So tables that need all rows of a key need memory for one group only.

    Args:
        spool: The batches; afterwards none can be added.
        key: A column of text.  Groups are in its order.
        most: Maximum number of rows of a group, besides the shared ones; more if one key has more.
        shared: Returns which rows all groups have; None if there are none.
    """
    batches = spool.batches()
    total = sum(batch.num_rows for batch in batches)
    if total <= most:
        if total:
            yield batches
        spool.close()
        return
    counts: Counter[str | None] = Counter()
    for batch in batches:
        own_rows = batch if shared is None else batch.filter(pc.invert(shared(batch)))
        values, numbers = own_rows.column(key).value_counts().flatten()
        counts.update(dict(zip(values.to_pylist(), numbers.to_pylist(), strict=True)))
    groups = _groups_of(counts, max(most, total // _MOST_GROUPS))
    spools = spool.parts(max(groups.values()) + 1)
    for own_batch in batches:
        batch = own_batch.cast(spools[0].schema)
        coded = batch.column(key).dictionary_encode()
        group_of_value = np.array([groups.get(value, 0) for value in (*coded.dictionary.to_pylist(), None)])
        of = group_of_value[coded.indices.fill_null(len(coded.dictionary)).to_numpy(zero_copy_only=False)]
        for number, rows in parts_of(of, len(spools), None if shared is None else shared(batch)):
            spools[number].add(batch.take(rows))
    del batches
    spool.close()
    for part in spools:
        yield part.batches()
        part.close()


def parts_of(
    of: NDArray[np.int64], count: int, shared: pa.Array | None = None
) -> Iterator[tuple[int, pa.Array]]:
    """Yield the numbers of parts and their rows, in order.

    Args:
        of: The number of the part of each row.
        count: How many parts there are.
        shared: Which rows all parts have; None if there are none.
    """
    everywhere = np.zeros(len(of), np.bool_) if shared is None else shared.to_numpy(zero_copy_only=False)
    for number in range(count) if everywhere.any() else np.unique(of).tolist():
        yield number, pa.array(np.flatnonzero((of == number) | everywhere))


def _groups_of(counts: Counter[str | None], most: int) -> dict[str | None, int]:
    """Return the number of the group of each key, and of null."""
    groups: dict[str | None, int] = {}
    number = size = 0
    for value in sorted(counts, key=lambda value: value or ""):
        if size and size + counts[value] > most:
            number, size = number + 1, 0
        groups[value] = number
        size += counts[value]
    return {None: 0, **groups}


def mapped(path: Path) -> list[pa.RecordBatch]:
    """Return the batches in a file of a `Spool`."""
    return [*pa.ipc.open_stream(pa.memory_map(str(path)))]


def gathered(chunks: list[pa.Array], starts: NDArray[np.int64], index: NDArray[np.int64]) -> pa.Array:
    """Take rows of an array that consists of several chunks.

    Args:
        chunks: The chunks.
        starts: Index of the first row of each chunk.
        index: The rows to take, in order.
    """
    of = np.searchsorted(starts, index, side="right") - 1
    edges = np.flatnonzero(np.r_[True, of[1:] != of[:-1]])
    if len(edges) > len(chunks):  # the rows alternate between chunks: taking them chunk by chunk is faster
        order = np.argsort(of, kind="stable")
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return gathered(chunks, starts, index[order]).take(pa.array(back))
    stops = np.r_[edges[1:], len(index)]
    parts = [
        taken(chunks[of[start]], index[start:stop] - starts[of[start]])
        for start, stop in zip(edges.tolist(), stops.tolist(), strict=True)
    ]
    return parts[0] if len(parts) == 1 else pa.concat_arrays(parts)


def taken(array: Any, index: NDArray[np.int64]) -> Any:
    """Take rows of an array or a batch; if they are consecutive, nothing is copied."""
    if (index[1:] - index[:-1] == 1).all():
        return array.slice(int(index[0]), len(index))
    return array.take(pa.array(index))


def batches_of(
    batches: list[pa.RecordBatch], starts: NDArray[np.int64], index: NDArray[np.int64]
) -> Iterator[pa.RecordBatch]:
    """Yield rows of several batches, batch by batch.

    Args:
        batches: The batches.
        starts: Index of the first row of each batch.
        index: The rows to take, ascending.
    """
    bounds = np.append(np.searchsorted(index, starts), len(index))
    for number in np.flatnonzero(np.diff(bounds)).tolist():
        yield taken(batches[number], index[bounds[number] : bounds[number + 1]] - starts[number])


def rows_of(
    batches: list[pa.RecordBatch], starts: NDArray[np.int64], index: NDArray[np.int64]
) -> pa.RecordBatch:
    """Take rows of several batches, in any order, as one batch.

    Args:
        batches: The batches.
        starts: Index of the first row of each batch.
        index: The rows to take; at least one.
    """
    order = np.argsort(index, kind="stable")
    parts = pa.Table.from_batches([*batches_of(batches, starts, index[order])])
    (batch,) = parts.combine_chunks().to_batches()
    return batch.take(pa.array(np.argsort(order)))


def portions(sizes: NDArray[np.int64], rows: int = _ROWS, most: int = _BYTES) -> Iterator[tuple[int, int]]:
    """Yield ranges of rows with at most this many rows and bytes; a larger row is a range of its own."""
    start, count = 0, len(sizes)
    total = np.cumsum(sizes)
    while start < count:
        before = int(total[start - 1]) if start else 0
        stop = int(np.searchsorted(total, before + most, side="right"))
        stop = min(max(stop, start + 1), start + rows, count)
        yield start, stop
        start = stop
