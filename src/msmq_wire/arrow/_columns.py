"""Columns being filled: arrays of numpy, which become Arrow arrays at the end without being copied.

1. A column of `size` rows is made of zeros that take no memory until something is written.
2. `fill` writes the values of some rows; whatever reads packets in another way writes the arrays itself.
3. Bytes of any length are 16-byte views, as Arrow's binary_view has them: the length; then up to 12 bytes in
   place, or 4 bytes, the number of a buffer and an offset in it.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from msmq_wire._propid_table import VARTYPE
from msmq_wire._wchar import to_wchars

from ._schema import (
    SLOTS,
    Blob,
    Fixed,
    Lists,
    Node,
    Number,
    Property,
    Tree,
    Word,
    group_size,
    number_type,
)
from ._store import Store, bitmap
from ._text import utf8_array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from msmq_wire._layout import Group
    from msmq_wire.property_values import PropertyValue

__all__ = ["BlobColumn", "Column", "ListColumn", "PropertyColumn", "TreeColumn", "ValueColumn", "column_of"]


class Column:
    """What all columns share."""

    def __init__(self, node: Node, size: int, store: Store) -> None:
        self.node: Any = node
        self.size = size
        self.store = store
        self.valid: NDArray[np.bool_] | None = np.zeros(size, np.bool_) if node.optional else None

    @property
    def type(self) -> pa.DataType:
        """The Arrow type of this column."""
        return self.store.type_of(self.node)

    def fill(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        """Set the values of some rows; None leaves a row without a value."""
        if self.valid is not None:
            here = [index for index, value in enumerate(values) if value is not None]
            if len(here) < len(values):
                rows = rows[here]
                values = [values[index] for index in here]
            self.valid[rows] = True
        if len(rows):
            self.put(rows, values)

    def reset(self, rows: NDArray[np.int64]) -> None:
        """Forget what was written to some rows."""
        if self.valid is not None:
            self.valid[rows] = False

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        """Set values, none of which is None."""
        raise NotImplementedError

    def fill_repeated(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        """Set values of which many are the same object: each is taken apart once, and then copied."""
        known: dict[int, int] = {}
        places = [known.setdefault(id(value), len(known)) for value in values]
        distinct = column_of(self.node, len(known), self.store)
        distinct.fill(np.arange(len(known)), list({id(value): value for value in values}.values()))
        self.copy(rows, distinct, np.array(places, np.int64))

    def copy(self, rows: NDArray[np.int64], source: Any, places: NDArray[np.int64]) -> None:
        """Set rows to what a column of the same kind, which was filled at once, has at these places."""
        if self.valid is not None:
            here = source.valid[places]
            rows, places = rows[here], places[here]
            self.valid[rows] = True
        if len(rows):
            self.put_copies(rows, source, places)

    def put_copies(self, rows: NDArray[np.int64], source: Any, places: NDArray[np.int64]) -> None:
        """Copy values, all of which are there."""
        raise NotImplementedError

    def lie_within(self, valid: NDArray[np.bool_]) -> None:
        """Hear which rows have the structure around this column; others have no value."""

    def array(self) -> pa.Array:
        """The Arrow array of this column."""
        raise NotImplementedError


class ValueColumn(Column):
    """A column with one array of values, made when something is first written.

    Attributes:
        width: Bytes that a value takes.
        done: All rows before this one have been written, or set to zero.
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

    def is_fresh(self, start: int) -> bool:
        """Whether no row from this one on has been written."""
        return self.done <= start

    def reach(self, start: int, stop: int) -> None:
        """Let all rows before `start` be written or zero, and those before `stop` be there to be written."""
        if self.buffer is None:
            # The pool of pyarrow hands out memory used before; fresh pages cost more than the decoding.
            self.buffer = pa.allocate_buffer(self.size * self.width)
            self.raw = np.frombuffer(self.buffer, np.uint8)
            self.cells = self.raw.view(self.dtype)
        if self.done < start:
            self.raw[self.done * self.width : start * self.width] = 0
        self.done = max(self.done, stop)

    def room(self, start: int, size: int) -> NDArray[Any]:
        """Where to write the values of so many rows from one on, none of which was set."""
        self.reach(start, start + size)
        cells: NDArray[Any] = self.cells[start : start + size]
        return cells

    def write_all(self, start: int, values: NDArray[Any]) -> None:
        """Set the values from a row on, where none was set."""
        stop = start + len(values)
        if self.buffer is None or self.done != start:
            self.reach(start, stop)
        self.done = stop
        np.copyto(self.cells[start:stop], values, casting="unsafe")

    def write_some(self, start: int, size: int, rows: NDArray[np.int64], values: NDArray[Any]) -> None:
        """Set the values of some rows of a chunk."""
        self.reach(start + size, start + size)
        # Values that do not lie side by side are scattered one by one, each at three times the cost.
        self.cells[start : start + size][rows] = np.ascontiguousarray(values, self.dtype)

    def put_copies(self, rows: NDArray[np.int64], source: ValueColumn, places: NDArray[np.int64]) -> None:
        self.values[rows] = source.values[places]

    def reset(self, rows: NDArray[np.int64]) -> None:
        super().reset(rows)
        if self.buffer is not None and len(rows):
            self.values[rows] = np.zeros((), self.dtype)

    @property
    def values(self) -> NDArray[Any]:
        """The values; zeros where nothing was written."""
        self.reach(self.size, self.size)
        cells: NDArray[Any] = self.cells
        return cells

    def memory(self) -> pa.Buffer:
        """The buffer of the values."""
        if self.buffer is None:
            return self.store.zeros(self.size * self.width)
        self.reach(self.size, self.size)
        return self.buffer

    def plain(self, kind: pa.DataType) -> pa.Array:
        """An array of a type whose values are stored as they are here."""
        return pa.Array.from_buffers(kind, self.size, [bitmap(self.valid), self.memory()])


class NumberColumn(ValueColumn):
    """Numbers."""

    def __init__(self, node: Number, size: int, store: Store) -> None:
        super().__init__(node, size, store)
        self.dtype = np.dtype(f"<{'i' if node.signed else 'u'}{node.size}")

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        if self.node.signed:
            # Unsigned 64-bit property values share the column of signed ones, with the same bits.
            values = [value - (1 << 64) if value >> 63 > 0 else value for value in values]
        self.values[rows] = np.array(values, self.dtype)

    def array(self) -> pa.Array:
        node = self.node
        return _cast(
            self.plain(number_type(node.bits, node.size, signed=node.signed, spark=False)), self.type
        )


class FixedColumn(ValueColumn):
    """Bytes of one length."""

    def __init__(self, node: Fixed, size: int, store: Store) -> None:
        super().__init__(node, size, store)
        self.dtype = np.dtype(f"V{node.size}")

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        self.values[rows] = np.frombuffer(b"".join(map(_raw, values)), self.dtype)

    def lie_within(self, valid: NDArray[np.bool_]) -> None:
        self.valid = valid if self.valid is None else self.valid

    def array(self) -> pa.Array:
        if self.valid is None or self.type != pa.binary():
            return _cast(self.plain(pa.binary(self.node.size)), self.type)
        # Bytes of any length: rows without a value have none, where in an array of one length they take room.
        ends = np.append(0, self.valid.cumsum()) * self.width
        buffers = [bitmap(self.valid), pa.py_buffer(ends), pa.py_buffer(self.values[self.valid])]
        return pa.Array.from_buffers(pa.large_binary(), self.size, buffers).cast(pa.binary())


class BlobColumn(ValueColumn):
    """Bytes or text of any length, as views."""

    dtype = np.dtype("V16")

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        if self.node.text:
            values = [to_wchars(value) for value in values]
        self.values[rows] = self.store.views(list(values))

    def array(self) -> pa.Array:
        if self.buffer is None and self.type != pa.binary_view():
            empty = [bitmap(self.valid), self.store.zeros(4 * self.size + 4), self.store.zeros(1)]
            return pa.Array.from_buffers(self.type, self.size, empty)
        buffers = [bitmap(self.valid), self.memory(), *self.store.buffers]
        made = pa.Array.from_buffers(pa.binary_view(), self.size, buffers)
        if self.type == pa.string():
            return utf8_array(made)
        return made if self.type == pa.binary_view() else made.cast(pa.binary())


class WordColumn(ValueColumn):
    """Words of bit groups."""

    def __init__(self, node: Word, size: int, store: Store) -> None:
        super().__init__(node, size, store)
        self.dtype = np.dtype(f"<u{node.size}")

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        self.values[rows] = np.array(list(map(int, values)), self.dtype)

    def array(self) -> pa.Array:
        kind = self.type
        used = 0 if self.buffer is None else int(np.bitwise_or.reduce(self.values)) if self.size else 0
        lanes: dict[int, NDArray[Any]] = {}
        made = [
            _cast(self.group(group, lanes if used & group.mask else None), field.type)
            for group, field in zip(self.node.groups, kind, strict=True)
        ]
        return pa.StructArray.from_buffers(kind, self.size, [bitmap(self.valid)], children=made)

    def group(self, group: Group, lanes: dict[int, NDArray[Any]] | None) -> pa.Array:
        """The array of one group; `lanes` are the bytes of the words, by place, and None if all are zero."""
        size = group_size(group)
        lane, shift = divmod(group.shift, 8)
        if lanes is None:
            buffer = self.store.zeros(self.size * size)
        elif shift + group.width <= 8:
            if lane not in lanes:
                lanes[lane] = np.ascontiguousarray(self.values.view(np.uint8)[lane :: self.width])
            buffer = pa.py_buffer(lanes[lane] >> shift & (1 << group.width) - 1)
        else:
            buffer = pa.py_buffer((self.values >> group.shift & (1 << group.width) - 1).astype(f"<u{size}"))
        return pa.Array.from_buffers(_GROUP_TYPES[size], self.size, [None, buffer])


_GROUP_TYPES = {1: pa.uint8(), 2: pa.uint16(), 4: pa.uint32()}


class TreeColumn(Column):
    """Structures."""

    def __init__(self, node: Tree | Property, size: int, store: Store) -> None:
        super().__init__(node, size, store)
        self.children = {child.name: column_of(child, size, store) for child in node.children}

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        forms = {type(value) for value in values}
        for name, child in self.children.items():
            if any(hasattr(form, name) for form in forms):
                child.fill(rows, [getattr(value, name, None) for value in values])

    def put_copies(self, rows: NDArray[np.int64], source: TreeColumn, places: NDArray[np.int64]) -> None:
        for name, child in self.children.items():
            child.copy(rows, source.children[name], places)

    def by_path(self, prefix: str = "") -> dict[str, Column]:
        """All columns below this one that are not within lists, by their paths."""
        found: dict[str, Column] = {}
        for name, child in self.children.items():
            found[prefix + name] = child
            if isinstance(child, TreeColumn):
                found |= child.by_path(f"{prefix}{name}.")
        return found

    def arrays(self) -> list[pa.Array]:
        """The Arrow arrays of the children."""
        return [child.array() for child in self.children.values()]

    def lie_within(self, valid: NDArray[np.bool_]) -> None:
        self.valid = valid if self.valid is None else self.valid

    def array(self) -> pa.Array:
        if self.valid is not None:
            for child in self.children.values():
                child.lie_within(self.valid)
        children = self.arrays()
        kind = pa.struct([(name, made.type) for name, made in zip(self.children, children, strict=True)])
        return pa.StructArray.from_buffers(kind, self.size, [bitmap(self.valid)], children=children)


class PropertyColumn(TreeColumn):
    """Property values."""

    def put(self, rows: NDArray[np.int64], values: Sequence[PropertyValue]) -> None:
        by_slot: dict[str | None, list[int]] = {}
        for index, item in enumerate(values):
            by_slot.setdefault(SLOTS.get(item.vt), []).append(index)
        for name, child in self.children.items():
            if name == "vt":
                child.fill(rows, [item.vt for item in values])
            elif here := by_slot.get(name):
                child.fill(rows[here], [_held(values[index]) for index in here])


class ListColumn(Column):
    """Lists.

    Those of many rows that were read at once have their items in one column, in order; those of rows that
    were read one by one are put together at the end.

    Attributes:
        items: The list of each row that was read by itself.
        parts: The items of rows that were read at once.
    """

    def __init__(self, node: Lists, size: int, store: Store) -> None:
        super().__init__(node, size, store)
        self.items: dict[int, Sequence[Any]] = {}
        self.parts: list[Column] = []
        self._places: NDArray[np.int64] | None = None

    @property
    def places(self) -> NDArray[np.int64]:
        """Of each row the number of its part, where its items begin in that, and how many there are."""
        if self._places is None:
            self._places = np.zeros((3, self.size), np.int64)
        return self._places

    def part(self, rows: NDArray[np.int64], counts: NDArray[np.int64]) -> Column:
        """A column to be filled with so many items for each of these rows."""
        if self.valid is not None:
            self.valid[rows] = True
        ends = counts.cumsum()
        made = column_of(self.node.item, int(ends[-1]) if len(ends) else 0, self.store)
        for place, number in zip(self.places, (len(self.parts), ends - counts, counts), strict=True):
            place[rows] = number
        self.parts.append(made)
        return made

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        self.items.update(zip(rows.tolist(), values, strict=True))

    def reset(self, rows: NDArray[np.int64]) -> None:
        super().reset(rows)
        if self._places is not None:
            self._places[2, rows] = 0
        for row in rows.tolist():
            self.items.pop(row, None)

    def put_copies(self, rows: NDArray[np.int64], source: ListColumn, places: NDArray[np.int64]) -> None:
        source.gather_items()
        _, begin, count = source.places[:, places]
        part = self.part(rows, count)
        if part.size:
            index = np.arange(part.size)
            part.copy(index, source.parts[0], index + np.repeat(begin - (count.cumsum() - count), count))

    def gather_items(self) -> None:
        """Make one part of the lists of rows that were read by themselves."""
        if self.items:
            rows = sorted(self.items)
            lists = [self.items[row] for row in rows]
            counts = np.fromiter(map(len, lists), np.int64, len(lists))
            made = self.part(np.array(rows), counts)
            made.fill(np.arange(made.size), list(chain.from_iterable(lists)))
            self.items = {}

    def array(self) -> pa.Array:
        self.gather_items()
        lengths = np.zeros(self.size, np.int64) if self._places is None else self._places[2]
        offsets = np.append(0, lengths.cumsum()).astype(np.int32)
        buffers = [bitmap(self.valid), pa.py_buffer(offsets)]
        return pa.ListArray.from_buffers(self.type, self.size, buffers, children=[self._joined()])

    def _joined(self) -> pa.Array:
        """The items of all rows, in order."""
        if not self.parts:
            return column_of(self.node.item, 0, self.store).array()
        arrays = [part.array() for part in self.parts]
        part, begin, count = self.places[:, self.places[2] > 0]
        if not len(part):
            return arrays[0].slice(0, 0)
        ends = begin + count
        breaks = ((part[1:] != part[:-1]) | (begin[1:] != ends[:-1])).nonzero()[0]
        firsts, lasts = np.append(0, breaks + 1), np.append(breaks, len(part) - 1)
        pieces = zip(part[firsts].tolist(), begin[firsts].tolist(), ends[lasts].tolist(), strict=True)
        found = [arrays[number].slice(start, stop - start) for number, start, stop in pieces]
        return found[0] if len(found) == 1 else pa.concat_arrays(found)


def _cast(array: pa.Array, kind: pa.DataType) -> pa.Array:
    own = array.type
    if own == kind:
        return array
    if pa.types.is_integer(kind) and pa.types.is_integer(own) and kind.bit_width == own.bit_width:
        return array.view(kind)  # a type of the same size is only taken where all values fit
    return array.cast(kind)


def column_of(node: Node, size: int, store: Store) -> Column:
    """An empty column."""
    made: Column = _COLUMNS[type(node)](node, size, store)
    return made


_COLUMNS: dict[type[Any], Any] = {
    Number: NumberColumn,
    Fixed: FixedColumn,
    Blob: BlobColumn,
    Word: WordColumn,
    Tree: TreeColumn,
    Lists: ListColumn,
    Property: PropertyColumn,
}


def _raw(value: Any) -> bytes:
    """The bytes of a value of fixed size."""
    if isinstance(value, bytes):
        return value
    return bytes(value.bytes_le if hasattr(value, "bytes_le") else value.raw)


def _held(item: PropertyValue) -> Any:
    """What the column of a property value holds; nested variants stay as they are on the wire."""
    return item.encode() if item.vt == VARTYPE.VT_VARIANT | VARTYPE.VT_VECTOR else item.value
