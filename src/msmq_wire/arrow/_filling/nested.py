"""Columns of structures, lists and property values."""

from __future__ import annotations

from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from msmq_wire.arrow.schema import SLOTS, Blob, Fixed, Lists, Node, Number, Property, Tree, Word, field_of
from msmq_wire.definitions.properties import VARTYPE

from .columns import BlobColumn, Column, FixedColumn, NumberColumn, WordColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from msmq_wire.values.properties.values import PropertyValue

    from .store import Store


class TreeColumn(Column):
    """A column of structures; the columns of the fields are created on first use."""

    def __init__(self, node: Tree | Property, size: int, store: Store) -> None:
        super().__init__(node, size, store)
        self.nodes: dict[str, Node] = {child.name: child for child in node.children}
        self._children: dict[str, Column] = {}

    def child(self, name: str) -> Column | None:
        """Return the column of a field; None if it was not selected."""
        return self._known(name, self.nodes[name]) if name in self.nodes else None

    def _known(self, name: str, node: Node) -> Column:
        column = self._children.get(name)
        if column is None:
            column = self._children[name] = column_of(node, self.size, self.store)
        return column

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        forms = {type(value) for value in values}
        for name in self.nodes:
            child = self.child(name) if any(hasattr(form, name) for form in forms) else None
            if child is not None:
                child.fill(rows, [getattr(value, name, None) for value in values])

    def put_known(self, rows: NDArray[np.int64], values: Sequence[dict[str, Any]]) -> None:
        for name, node in self.nodes.items():
            inner_values = [value.get(name) for value in values]
            if not node.optional or any(value is not None for value in inner_values):
                self._known(name, node).fill_known(rows, inner_values)

    def fill_repeated(
        self, rows: NDArray[np.int64], values: Sequence[Any], indices: NDArray[np.int64]
    ) -> None:
        """Write rows that share values: convert each distinct value once, then copy it to its rows."""
        distinct = column_of(self.node, len(values), self.store)
        distinct.fill(np.arange(len(values)), values)
        self.copy(rows, distinct, indices)

    def put_copies(self, rows: NDArray[np.int64], source: TreeColumn, indices: NDArray[np.int64]) -> None:
        for name in self.nodes:
            child, source_child = self.child(name), source.child(name)
            if child is not None:
                child.copy(rows, source_child, indices)

    def reset(self, rows: NDArray[np.int64]) -> None:
        super().reset(rows)
        for child in self._children.values():
            child.reset(rows)

    def set_enclosing(self, valid: NDArray[np.bool_]) -> None:
        self.valid = self.valid if self.optional else valid

    def array_of(self, node: Node) -> pa.Array:
        """Return the Arrow array of a field; `node` can have fewer fields than were read."""
        if node.optional and node.name not in self._children:
            return self.store.nulls(node, self.size)
        child = self._known(node.name, self.nodes[node.name])
        child.node = node
        return child.array()

    def values_array(self) -> pa.Array:
        nodes = self.node.children
        for node in nodes:
            child = None if node.optional else self.child(node.name)
            if child is not None and (there := self.there) is not None:
                child.set_enclosing(there)
        children = list(map(self.array_of, nodes))
        kind = self.type
        if self.store.outgrown:
            kind = pa.struct(
                [field_of(node, child_array.type) for node, child_array in zip(nodes, children, strict=True)]
            )
        return pa.StructArray.from_buffers(kind, self.size, [self.validity], children=children)


class Columns(dict[str, Column | None]):
    """The columns of nested fields outside lists, by path; None if a field was not selected."""

    def __init__(self, tree: TreeColumn | None) -> None:
        self.tree = tree

    def __missing__(self, path: str) -> Column | None:
        column: Column | None = self.tree
        for name in path.split("."):
            column = column.child(name) if isinstance(column, TreeColumn) else None
        self[path] = column
        return column


class PropertyColumn(TreeColumn):
    """A column of property values."""

    def put_known(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        self.put(rows, values)

    def put(self, rows: NDArray[np.int64], values: Sequence[PropertyValue]) -> None:
        by_slot: dict[str | None, list[int]] = {}
        for index, item in enumerate(values):
            by_slot.setdefault(SLOTS.get(item.vt), []).append(index)
        types = self.child("vt")
        if types is not None:
            types.fill(rows, [item.vt for item in values])
        for name, here in by_slot.items():
            child = self.child(name) if name else None
            if child is not None:
                child.fill(rows[here], [_held(values[index]) for index in here])


class ListColumn(Column):
    """A column of lists.

    Rows that were read together have their items in one column, in order.  Lists of rows that were read
    one at a time are collected and converted at the end.

    Attributes:
        items: The list of each row that was read alone.
        parts: The item columns of rows that were read together.
    """

    def __init__(self, node: Lists, size: int, store: Store) -> None:
        super().__init__(node, size, store)
        self.items: dict[int, Sequence[Any]] = {}
        self.parts: list[Column] = []
        self._places: NDArray[np.int64] | None = None

    @property
    def indices(self) -> NDArray[np.int64]:
        """For each row, the index of its part, the start of its items in the part, and their number."""
        if self._places is None:
            self._places = np.zeros((3, self.size), np.int64)
        return self._places

    def part(self, rows: NDArray[np.int64], counts: NDArray[np.int64]) -> Column:
        """Create a column for `counts` items of each of these rows."""
        self.mark(0, self.size, rows)
        ends = counts.cumsum()
        column = column_of(self.node.item, int(ends[-1]) if len(ends) else 0, self.store)
        for index, number in zip(self.indices, (len(self.parts), ends - counts, counts), strict=True):
            index[rows] = number
        self.parts.append(column)
        return column

    def put(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        self.items.update(zip(rows.tolist(), values, strict=True))

    def put_known(self, rows: NDArray[np.int64], values: Sequence[Any]) -> None:
        self.put(rows, [list(takewhile(lambda item: item is not None, items)) for items in values])

    def reset(self, rows: NDArray[np.int64]) -> None:
        super().reset(rows)
        if self._places is not None:
            self._places[2, rows] = 0
        for row in rows.tolist():
            self.items.pop(row, None)

    def put_copies(self, rows: NDArray[np.int64], source: ListColumn, indices: NDArray[np.int64]) -> None:
        source.gather_items()
        _, begin, count = source.indices[:, indices]
        part = self.part(rows, count)
        if part.size:
            index = np.arange(part.size)
            part.copy(index, source.parts[0], index + np.repeat(begin - (count.cumsum() - count), count))

    def gather_items(self) -> None:
        """Convert the collected lists of single rows to one part."""
        if self.items:
            rows = sorted(self.items)
            lists = [self.items[row] for row in rows]
            counts = np.fromiter(map(len, lists), np.int64, len(lists))
            column = self.part(np.array(rows), counts)
            items = list(chain.from_iterable(lists))
            is_dict = np.fromiter((type(item) is dict for item in items), np.bool_, len(items))
            for fill, chosen in ((column.fill, ~is_dict), (column.fill_known, is_dict)):
                indices = np.flatnonzero(chosen)
                fill(indices, [items[index] for index in indices.tolist()])
            self.items = {}

    def values_array(self) -> pa.Array:
        self.gather_items()
        lengths = np.zeros(self.size, np.int64) if self._places is None else self._places[2]
        offsets = np.append(0, lengths.cumsum()).astype(np.int32)
        buffers = [self.validity, pa.py_buffer(offsets)]
        return pa.ListArray.from_buffers(self.type, self.size, buffers, children=[self._joined()])

    def _joined(self) -> pa.Array:
        """Return the items of all rows, in order."""
        if not self.parts:
            return column_of(self.node.item, 0, self.store).array()
        arrays = [part.array() for part in self.parts]
        part, begin, count = self.indices[:, self.indices[2].astype(np.bool_)]
        if not len(part):
            return arrays[0].slice(0, 0)
        ends = begin + count
        breaks = ((part[1:] != part[:-1]) | (begin[1:] != ends[:-1])).nonzero()[0]
        firsts, lasts = np.append(0, breaks + 1), np.append(breaks, len(part) - 1)
        pieces = zip(part[firsts].tolist(), begin[firsts].tolist(), ends[lasts].tolist(), strict=True)
        slices = [arrays[number].slice(start, stop - start) for number, start, stop in pieces]
        return slices[0] if len(slices) == 1 else pa.concat_arrays(slices)


def column_of(node: Node, size: int, store: Store) -> Column:
    """Create an empty column."""
    column: Column = _COLUMNS[type(node)](node, size, store)
    return column


_COLUMNS: dict[type[Any], Any] = {
    Number: NumberColumn,
    Fixed: FixedColumn,
    Blob: BlobColumn,
    Word: WordColumn,
    Tree: TreeColumn,
    Lists: ListColumn,
    Property: PropertyColumn,
}


def _held(item: PropertyValue) -> Any:
    """Return the stored form of a property value; nested variants stay encoded."""
    return item.encode() if item.vt == VARTYPE.VT_VARIANT | VARTYPE.VT_VECTOR else item.value
