"""Reads lists within packets, for many rows at once.

1. The start of an item is known only after the previous one was read.  So a first pass reads the first items
   of all rows together, then the second items, and so on, and stores only where they end.  A second pass then
   reads all items of all rows as rows of their own.
2. Rows with many more items than others are left to the record decoder, because a round for few rows takes
   longer than decoding them one at a time.
3. Property values are read in the same way; the identifier of each value determines its type.
"""

from __future__ import annotations

from functools import cache
from traceback import clear_frames
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from msmq_wire.arrow._filling.columns import BlobColumn, ValueColumn
from msmq_wire.arrow._filling.nested import Columns, ListColumn, PropertyColumn, TreeColumn
from msmq_wire.arrow._filling.store import views_of
from msmq_wire.arrow.schema import SLOTS
from msmq_wire.records.record import record_class
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.properties import types as values

from .plan import plan_of
from .selection import Selection

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from msmq_wire.arrow._filling.columns import Column

    from .gather import Chunk
    from .steps import Apart, Repeat, Series, Typed

    Integers = NDArray[np.int64]
    Mask = NDArray[np.bool_]

_REMEMBERED = 1024
FEWEST = 48
"""The smallest number of rows for which a round is faster than the record decoder."""
_COUNT = 4
_NO_COLUMNS = Columns(None)


class Records(dict[bytes, Any]):
    """Cached records by their bytes; None for bytes that cannot be decoded.

    The cache helps because lists of queues repeat from message to message.
    """

    def __init__(self, structure: str) -> None:
        self._decode = record_class(structure).decode

    def __missing__(self, data: bytes) -> Any:
        if len(self) >= _REMEMBERED:
            self.clear()
        try:
            value = self._decode(data)
        except DecodeError as error:
            clear_frames(error.__traceback__)
            value = None
        self[data] = value
        return value


def apart(chunk: Chunk, step: Apart, chosen: Selection) -> Selection:
    """Read structures that state their size; equal ones are decoded once."""
    head = chunk.windows.gather(step.head.size, chosen.at).view(step.head.dtype)
    size = head[step.size].astype(np.int64) + step.multiple - 1 & -step.multiple
    ends = chosen.at + size
    # A structure that ends after its limit is truncated to it, so it is not decoded.
    stops = np.maximum(np.minimum(ends, chosen.value("@limit")), chosen.at)
    distinct, numbers = _distinct(chunk.windows.data, chosen.at, stops)
    records = chunk.targets.records(step.structure)
    read = [records[data] for data in distinct]
    sound = np.array([record is not None for record in read])
    good = sound[numbers]
    column = chunk.columns[step.path]
    if isinstance(column, TreeColumn):
        rows = np.arange(len(ends)) if chosen.rows is None else chosen.rows
        indices = (sound.cumsum() - 1)[numbers[good]]
        column.fill_repeated(
            chunk.start + rows[good], [value for value in read if value is not None], indices
        )
    chosen.at = ends
    return chosen.kept(good)


def _distinct(data: NDArray[np.uint8], starts: Integers, stops: Integers) -> tuple[list[bytes], Integers]:
    """Return the distinct byte slices, and the index of the one at each position."""
    first, last = int(starts.min()), int(stops.max())
    views = views_of(data[first:last], starts - first, stops - starts, 0)
    buffers = [None, pa.py_buffer(views), pa.py_buffer(data[first:last])]
    viewed = pa.Array.from_buffers(pa.binary_view(), len(starts), buffers)
    coded = viewed.cast(pa.large_binary()).dictionary_encode()
    return coded.dictionary.to_pylist(), coded.indices.to_numpy()


# ----------------------------------------------------------------------------------------------- numbers


def _counted(chosen: Selection, path: str, count: Any, least: int) -> Selection:
    """Store the item counts, and keep the rows in which that many items can fit."""
    numbers = np.full(len(chosen.at), count, np.int64) if isinstance(count, int) else count
    chosen.values[f"#{path}"] = numbers
    return chosen.kept(numbers * least <= chosen.value("@limit") - chosen.at)


def rounds_of(count: Integers) -> int:
    """Return the number of rounds that are faster than single decoding."""
    if len(count) < FEWEST:
        return 0
    return int(np.partition(count, -FEWEST)[-FEWEST])


def _firsts(count: Integers) -> Integers:
    """Return the index of the first item of each row among all items."""
    firsts: Integers = count.cumsum() - count
    return firsts


def _part(chunk: Chunk, path: str, chosen: Selection, count: Integers) -> Column | None:
    """Return a column for all items, if it was selected."""
    column = chunk.columns[path]
    if not isinstance(column, ListColumn):
        return None
    rows = np.arange(len(count)) if chosen.rows is None else chosen.rows
    return column.part(chunk.start + rows, count)


def series(chunk: Chunk, step: Series, chosen: Selection) -> Selection:
    """Read arrays of numbers."""
    size = step.dtype.itemsize
    chosen = _counted(chosen, step.path, chunk.formula(step.number, chosen), size)
    count, at = chosen.value(f"#{step.path}"), chosen.at
    chosen.values[f"@{step.path}"] = at
    chosen.at = at + count * size
    part = _part(chunk, step.path, chosen, count)
    if isinstance(part, ValueColumn) and part.size:
        indices = np.arange(part.size) * size + np.repeat(at - _firsts(count) * size, count)
        part.write_all(0, chunk.windows.gather(size, indices).view(step.dtype))
    return chosen


# -------------------------------------------------------------------------------------------- structures


def repeat(chunk: Chunk, step: Repeat, chosen: Selection) -> Selection:
    """Read arrays of structures."""
    chosen = _counted(chosen, step.path, chunk.formula(step.number, chosen), step.least)
    count = chosen.value(f"#{step.path}")
    chosen = chosen.kept(count <= rounds_of(count))
    count = chosen.value(f"#{step.path}")
    starts, ends, good = _walked(chunk, step, chosen, count)
    chosen.at = ends
    starts = starts[np.repeat(good, count)]
    chosen = chosen.kept(good)
    count = chosen.value(f"#{step.path}")
    part = _part(chunk, step.path, chosen, count)
    if isinstance(part, TreeColumn) and part.size:
        items = Selection.of_structures(None, starts, np.repeat(chosen.value("@limit"), count))
        chunk.within(Columns(part), part.size).read(plan_of(step.structure), items)
    return chosen


def _walked(
    chunk: Chunk, step: Repeat, chosen: Selection, count: Integers
) -> tuple[Integers, Integers, Mask]:
    """Return the start of each item, the end of each row, and which rows can be read."""
    plan, firsts, limit = plan_of(step.structure), _firsts(count), chosen.value("@limit")
    starts = np.zeros(int(count.sum()), np.int64)
    ends, good = chosen.at.copy(), np.ones(len(count), np.bool_)
    inner = chunk.within(_NO_COLUMNS, len(count))
    for index in range(int(count.max(initial=0))):
        (active,) = (good & (count > index)).nonzero()
        at = ends[active]
        starts[firsts[active] + index] = at
        good[active] = False
        if len(active):
            read = inner.read(plan, Selection.of_structures(active, at, limit[active]))
            ends[read.rows] = read.at
            good[read.rows] = True
    # Rows that exceed their limit get no columns here, because their values could not be removed later.
    return starts, ends, good & (ends <= limit)


# ------------------------------------------------------------------------------------------------ values


@cache
def _types() -> tuple[Integers, Integers]:
    """Return all known identifiers in ascending order, and their types."""
    pairs = sorted(
        (identifier, vt) for vt, those in values.identifiers_by_type().items() for identifier in those
    )
    return np.array([identifier for identifier, _ in pairs]), np.array([vt for _, vt in pairs])


values.when_types_change(_types.cache_clear)


def types_of(identifiers: NDArray[Any]) -> Integers:
    """Return the type of each identifier; -1 if unknown."""
    numbers, types = _types()
    indices = np.minimum(np.searchsorted(numbers, identifiers), len(numbers) - 1)
    known_types: Integers = np.where(numbers[indices] == identifiers, types[indices], -1)
    return known_types


_FIXED = {
    **{vt: form.size for vt, form in values.FORMATS.items()},
    **dict.fromkeys(values.NOTHING, 0),
    values.CLSID: 16,
}


def _extent(chunk: Chunk, vt: int, at: Integers) -> tuple[Integers, Any, Integers] | None:
    """Return start, size and end of values of a type; None for types left to the record decoder."""
    fixed = _FIXED.get(vt)
    if fixed is not None:
        return at, fixed, at + fixed
    if vt in values.TEXTS:
        size = chunk.terminated(at)
        return at, size, at + size + 2
    if vt in values.BLOBS:
        size = chunk.windows.gather(_COUNT, at).view("<u4").astype(np.int64)
        return at + _COUNT, size, at + _COUNT + size
    return None


def typed(chunk: Chunk, step: Typed, chosen: Selection) -> Selection:
    """Read property values."""
    count = chosen.value(f"#{step.identifiers}")
    identifiers, firsts, total = chosen.value(f"@{step.identifiers}"), _firsts(count), int(count.sum())
    types, starts, sizes = (np.zeros(total, np.int64) for _ in range(3))
    ends, good = chosen.at.copy(), np.ones(len(count), np.bool_)
    for index in range(int(count.max(initial=0))):
        (active,) = (good & (count > index)).nonzero()
        kinds = types_of(chunk.windows.gather(_COUNT, identifiers[active] + _COUNT * index).view("<u4"))
        slots = firsts[active] + index
        types[slots] = kinds
        good[active] = False
        for vt in np.unique(kinds).tolist():
            (same,) = (kinds == vt).nonzero()
            rows = active[same]
            extent = _extent(chunk, vt, ends[rows])
            if extent is not None:
                starts[slots[same]], sizes[slots[same]], ends[rows] = extent
                good[rows] = True
    good &= ends <= chosen.value("@limit")
    chosen.at = ends
    kept = np.repeat(good, count)
    chosen.values[f"#{step.path}"] = count
    chosen = chosen.kept(good)
    part = _part(chunk, step.path, chosen, chosen.value(f"#{step.path}"))
    if isinstance(part, PropertyColumn) and part.size:
        _write_values(chunk.within(_NO_COLUMNS, part.size), part, types[kept], starts[kept], sizes[kept])
    return chosen


def _write_values(
    chunk: Chunk, column: PropertyColumn, types: Integers, starts: Integers, sizes: Integers
) -> None:
    """Write property values to the columns of their types."""
    vt_column = column.child("vt")
    if isinstance(vt_column, ValueColumn):
        vt_column.write_all(0, types)
    for vt in np.unique(types).tolist():
        child = column.child(SLOTS.get(vt, ""))
        if child is None:
            continue
        (rows,) = (types == vt).nonzero()
        child.mark(0, chunk.size, rows)
        at = starts[rows]
        if isinstance(child, BlobColumn):
            chunk.views(child, Selection(rows, at), at, sizes[rows])
        elif isinstance(child, ValueColumn):
            numbers = chunk.windows.gather(_FIXED[vt], at)
            if vt in values.FORMATS:
                numbers = numbers.view(values.FORMATS[vt].format).astype(child.dtype)
            child.write_some(0, chunk.size, rows, numbers)
