"""Adds up equal rows as columns: connections with a single message are frequent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_HELD: Final = 1 << 16
"""The number of rows that wait until they are added up."""


class Sums:
    """Rows with equal keys, added up; the other columns are those of the first row.

    Args:
        schema: The columns.
        keys: Those that tell rows apart.
        totals: For each column that is added up, ``sum``, ``min`` or ``max``.
        order: The columns that decide which row is the first, null last; if they are equal, or there are
            none, the row that was added first.
    """

    def __init__(
        self, schema: pa.Schema, keys: Sequence[str], totals: Mapping[str, str], order: Sequence[str] = ()
    ) -> None:
        self._schema = schema
        self._keys = [*keys]
        self._totals = totals
        self._order = [(name, "ascending") for name in order]
        self._batches: list[pa.RecordBatch] = []
        self._rows, self._most = 0, _HELD

    def add(self, batch: pa.RecordBatch) -> None:
        """Add rows."""
        self._batches.append(batch)
        self._rows += len(batch)
        if self._rows > self._most:
            self._batches = [self.batch()]
            self._rows = len(self._batches[0])
            self._most = max(_HELD, 2 * self._rows)

    def batch(self) -> pa.RecordBatch:
        """Return the rows, added up, in the order of the first ones."""
        table = pa.Table.from_batches(self._batches, self._schema)
        if self._order:
            table = table.take(pc.sort_indices(table, sort_keys=self._order))
        numbered = table.select([*self._keys, *self._totals])
        numbered = numbered.append_column("row", pa.array(np.arange(table.num_rows)))
        sums = (
            numbered.group_by(self._keys, use_threads=False)
            .aggregate([*self._totals.items(), ("row", "min")])
            .sort_by("row_min")
        )
        first = table.take(sums.column("row_min"))
        columns = [
            sums.column(f"{name}_{self._totals[name]}") if name in self._totals else first.column(name)
            for name in self._schema.names
        ]
        arrays = [column.combine_chunks() for column in columns]
        return pa.RecordBatch.from_arrays(arrays, schema=self._schema)


def keys_of(rows: pa.RecordBatch, *names: str) -> pa.Array:
    """Return one text for each row, which is equal for equal values of these columns of texts."""
    return pc.binary_join_element_wise(*(rows.column(name) for name in names), "\0")
