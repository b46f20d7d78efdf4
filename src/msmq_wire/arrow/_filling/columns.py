"""Columns that are filled with decoded values: numpy arrays, converted to Arrow arrays without a copy.

1. A column allocates memory when a value is first written; a column without values is never allocated.
2. `fill` writes the values of some rows.  The vectorised readers write to the arrays directly.
3. In a truncated packet, even fields that are always present can be missing.  `fill_known` writes the fields
   of such rows that were read, and records which rows have no value.
4. Variable-length bytes are 16-byte views, as in Arrow's binary_view: the length, then up to 12 bytes inline;
   or 4 bytes, the index of a buffer and an offset in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from msmq_wire.arrow.schema import Fixed, Node, Number, Word, arrow_type, group_size
from msmq_wire.values.wchar import to_wchars

from .store import NOWHERE, Store, bitmap
from .text import utf8_array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from msmq_wire.records.model import Group


class Column:
    """Common base of all columns.

    Attributes:
        valid: Which rows have a value; None if all rows have one, or if nothing was written yet.
        unknown: Rows without a value that their structure always has; None if there is no such row.
        begins: The offset of the structure in the input, by row; `NOWHERE` if not known.  None if it
            was not requested.
    """

    def __init__(self, node: Node, size: int, store: Store) -> None:
        self.node: Any = node
        self.size = size
        self.store = store
        self.optional = node.optional
        self.valid: NDArray[np.bool_] | None = None
        self.unknown: NDArray[np.bool_] | None = None
        self.begins: NDArray[np.int64] | None = None

    @property
    def type(self) -> pa.DataType:
        """The Arrow type of this column."""
        return arrow_type(self.node, self.store.style)

    @property
    def validity(self) -> pa.Buffer | None:
        """The validity buffer; None if the column is always present in its structure."""
        return bitmap(self.there) if self.optional or self.unknown is not None else None

    @property
    def there(self) -> NDArray[np.bool_] | None:
        """Which rows have a value; None if all have one."""
        if self.unknown is None:
            return self.valid
        return ~self.unknown if self.valid is None else self.valid & ~self.unknown

    def mark(self, start: int, size: int, rows: NDArray[np.int64] | None) -> None:
        """Mark some rows of a chunk as valid, or all if `rows` is None."""
        if self.optional:
            if self.valid is None:
                self.valid = np.zeros(self.size, np.bool_)
            self.valid[start : start + size][slice(None) if rows is None else rows] = True

    def fill(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        """Write the values of some rows; None leaves a row without a value."""
        if self.optional:
            here = [index for index, value in enumerate(values) if value is not None]
            if len(here) < len(values):
                rows = rows[here]
                values = [values[index] for index in here]
        if len(rows):
            self.mark(0, self.size, rows)
            self.put(rows, values)

    def fill_known(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        """Write the known values of some rows: a dictionary of fields for a structure, None if not known."""
        here = [index for index, value in enumerate(values) if value is not None]
        if len(here) < len(values):
            if not self.optional:
                if self.unknown is None:
                    self.unknown = np.zeros(self.size, np.bool_)
                self.unknown[np.delete(rows, here)] = True
            rows = rows[here]
            values = [values[index] for index in here]
        if len(rows):
            self.mark(0, self.size, rows)
            self.put_known(rows, values)

    def reset(self, rows: NDArray[np.int64]) -> None:
        """Discard the values of some rows."""
        if self.valid is not None:
            self.valid[rows] = False
        if self.begins is not None:
            self.begins[rows] = NOWHERE

    def put_known(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        """Write known values, none of which is None."""
        self.put(rows, values)

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        """Write values, none of which is None."""
        raise NotImplementedError

    def copy(self, rows: NDArray[np.int64], source: Any, indices: NDArray[np.int64]) -> None:
        """Copy the rows at `indices` of a completely filled column of the same kind to `rows`."""
        if self.optional:
            if source.valid is None:
                return
            here = source.valid[indices]
            rows, indices = rows[here], indices[here]
        if len(rows):
            self.mark(0, self.size, rows)
            self.put_copies(rows, source, indices)

    def put_copies(self, rows: NDArray[np.int64], source: Any, indices: NDArray[np.int64]) -> None:
        """Copy values that are all present."""
        raise NotImplementedError

    def set_enclosing(self, valid: NDArray[np.bool_]) -> None:
        """Set which rows have the enclosing structure; other rows have no value."""

    def array(self) -> pa.Array:
        """Return the Arrow array of this column."""
        if self.optional and self.valid is None:
            return self.store.nulls(self.node, self.size)
        return self.values_array()

    def values_array(self) -> pa.Array:
        """Return the Arrow array of the written values."""
        raise NotImplementedError


class ValueColumn(Column):
    """A column with one array of values, which is allocated at the first write.

    Attributes:
        width: Size of a value in bytes.
        done: All rows before this one were written or set to zero.
    """

    dtype: np.dtype[Any]

    def __init__(self, node: Node, size: int, store: Store) -> None:
        super().__init__(node, size, store)
        self.buffer: pa.Buffer | None = None
        self.raw: Any = None
        self.cells: Any = None
        self.done = 0

    @property
    def width(self) -> int:
        return self.dtype.itemsize

    def reach(self, start: int, stop: int) -> None:
        """Set all rows before `start` that were not written to zero, and reserve the rows before `stop`."""
        if self.buffer is None:
            # pyarrow's pool reuses memory; page faults in new memory would cost more than the decoding.
            self.buffer = pa.allocate_buffer(self.size * self.width)
            self.raw = np.frombuffer(self.buffer, np.uint8)
            self.cells = self.raw.view(self.dtype)
        self.raw[self.done * self.width : start * self.width] = 0
        self.done = max(self.done, stop)

    def room(self, start: int, size: int) -> NDArray[Any]:
        """Return the array slice for the values of `size` rows from `start` on, none of which was written."""
        self.reach(start, start + size)
        cells: NDArray[Any] = self.cells[start : start + size]
        return cells

    def write_all(self, start: int, values: NDArray[Any]) -> NDArray[Any]:
        """Write values from row `start` on, where none was written; return them as a contiguous array."""
        if self.buffer is None and values.dtype.kind != "V" and not np.count_nonzero(values):
            return np.ascontiguousarray(values)  # unwritten rows become zero anyway
        cells = self.room(start, len(values))
        np.copyto(cells, values, casting="unsafe")
        return cells

    def write_some(
        self, start: int, size: int, rows: NDArray[np.int64], values: NDArray[Any]
    ) -> NDArray[Any]:
        """Write the values of some rows of a chunk; return them as a contiguous array."""
        # Scattering values that are not contiguous would take three times as long.
        near = np.ascontiguousarray(values, self.dtype)
        if self.buffer is not None or np.count_nonzero(near.view(np.uint8)):
            stop = start + size
            self.reach(stop, stop)
            self.cells[start:stop][rows] = near
        return near

    def set_values(self, rows: NDArray[np.int64], values: NDArray[Any]) -> None:
        """Write the values of some rows; zeros are skipped if nothing was written yet."""
        if self.buffer is not None or np.count_nonzero(values.view(np.uint8)):
            self.values[rows] = values

    def put_copies(self, rows: NDArray[np.int64], source: ValueColumn, indices: NDArray[np.int64]) -> None:
        if source.buffer is not None:
            self.values[rows] = source.values[indices]

    def reset(self, rows: NDArray[np.int64]) -> None:
        super().reset(rows)
        if self.buffer is not None and len(rows):
            self.values[rows] = np.zeros((), self.dtype)

    @property
    def values(self) -> NDArray[Any]:
        """The values; unwritten ones are zero."""
        self.reach(self.size, self.size)
        cells: NDArray[Any] = self.cells
        return cells

    def memory(self) -> pa.Buffer:
        """Return the buffer of the values."""
        if self.buffer is None:
            return self.store.zeros(self.size * self.width)
        self.reach(self.size, self.size)
        return self.buffer

    def numbers(
        self, kind: pa.DataType, values: NDArray[Any] | None, validity: pa.Buffer | None = None
    ) -> pa.Array:
        """Return an integer array of a type that fits the values; zeros if `values` is None."""
        if values is None:
            buffer = self.store.zeros(self.size * kind.byte_width)
        elif pa.types.is_decimal(kind):
            return self.numbers(pa.from_numpy_dtype(values.dtype), values, validity).cast(kind)
        elif values.itemsize == kind.byte_width:
            buffer = pa.py_buffer(values)
        else:
            buffer = pa.py_buffer(values.astype(f"<i{kind.byte_width}"))
        return pa.Array.from_buffers(kind, self.size, [validity, buffer])


class NumberColumn(ValueColumn):
    """A column of numbers."""

    def __init__(self, node: Number, size: int, store: Store) -> None:
        super().__init__(node, size, store)
        self.dtype = np.dtype(f"<{'i' if node.signed else 'u'}{node.size}")

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        if self.node.signed:
            # Unsigned 64-bit property values are stored in the signed column with the same bits.
            values = [value - (1 << 64) if value >> 63 > 0 else value for value in values]
        self.set_values(rows, np.array(values, self.dtype))

    def values_array(self) -> pa.Array:
        return self.numbers(self.type, None if self.buffer is None else self.values, self.validity)


class FixedColumn(ValueColumn):
    """A column of fixed-size bytes."""

    def __init__(self, node: Fixed, size: int, store: Store) -> None:
        super().__init__(node, size, store)
        self.dtype = np.dtype(f"V{node.size}")

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        self.set_values(rows, np.frombuffer(b"".join(map(_raw, values)), self.dtype))

    def set_enclosing(self, valid: NDArray[np.bool_]) -> None:
        self.valid = self.valid if self.optional else valid

    def values_array(self) -> pa.Array:
        if self.type != pa.binary():
            return pa.Array.from_buffers(self.type, self.size, [self.validity, self.memory()])
        # In a variable-length array, rows without a value must take no bytes.
        if (there := self.there) is None:
            counts, data = np.arange(self.size + 1), self.memory()
        else:
            counts, data = np.append(0, there.cumsum()), pa.py_buffer(self.values[there])
        offsets = (counts * self.width).astype(np.int64)
        buffers = [self.validity, pa.py_buffer(offsets), data]
        return pa.Array.from_buffers(pa.large_binary(), self.size, buffers).cast(pa.binary())


class BlobColumn(ValueColumn):
    """A column of variable-length bytes or texts, stored as views."""

    dtype = np.dtype("V16")

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        if self.node.text:
            values = [to_wchars(value) for value in values]
        self.set_values(rows, self.store.views(list(values)))

    def values_array(self) -> pa.Array:
        if self.buffer is None and self.type != pa.binary_view():
            empty = [self.memory()] * 2  # offsets are narrower than views
            return pa.Array.from_buffers(self.type, self.size, [self.validity, *empty])
        buffers = [self.validity, self.memory(), *self.store.buffers]
        views = pa.Array.from_buffers(pa.binary_view(), self.size, buffers)
        if self.type == pa.string():
            array = utf8_array(views)
            self.store.outgrown |= array.type != self.type
            return array
        return views if self.type == pa.binary_view() else views.cast(pa.binary())


class WordColumn(ValueColumn):
    """A column of flags words, which becomes a struct of bit groups."""

    def __init__(self, node: Word, size: int, store: Store) -> None:
        super().__init__(node, size, store)
        self.dtype = np.dtype(f"<u{node.size}")

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        self.set_values(rows, np.array(list(map(int, values)), self.dtype))

    def values_array(self) -> pa.Array:
        kind = self.type
        used = self.buffer is not None and int(np.bitwise_or.reduce(self.values))
        lanes: dict[int, NDArray[Any]] = {}
        arrays = [
            self.numbers(field.type, self.group(group, lanes) if used & group.mask else None)
            for group, field in zip(self.node.groups, kind, strict=True)
        ]
        return pa.StructArray.from_buffers(kind, self.size, [self.validity], children=arrays)

    def group(self, group: Group, lanes: dict[int, NDArray[Any]]) -> NDArray[Any]:
        """Return the values of one group; `lanes` caches the bytes of the words by position."""
        lane, shift = divmod(group.shift, 8)
        if shift + group.width > 8:
            return (self.values >> group.shift & (1 << group.width) - 1).astype(f"<u{group_size(group)}")
        if lane not in lanes:
            lanes[lane] = np.ascontiguousarray(self.values.view(np.uint8)[lane :: self.width])
        return lanes[lane] >> shift & (1 << group.width) - 1


def _raw(value: Any) -> bytes:
    """Return the bytes of a fixed-size value."""
    if isinstance(value, bytes):
        return value
    return bytes(value.bytes_le if hasattr(value, "bytes_le") else value.raw)
