"""The distinct rows of some columns, for which a function of these columns has to be called."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

_MOST_CODES: Final = 1 << 62
_SPARSE: Final = 8
"""Codes up to this many times the number of rows are counted; larger ones are sorted."""
_MOST_KNOWN: Final = 1 << 14
"""The number of combinations whose values are remembered for other arrays."""


class Distinct:
    """The distinct value combinations of some columns, and which one each row has.

    Attributes:
        first: The index of a row with each combination.
        indices: The combination of each row.
    """

    def __init__(self, *columns: pa.Array) -> None:
        codes = np.zeros(len(columns[0]), np.int64)
        first, most = np.zeros(min(len(codes), 1), np.int64), 1
        for column in columns:
            if column.null_count == len(column):
                continue
            encoded = column.dictionary_encode()
            size = len(encoded.dictionary) + 1
            column_codes = encoded.indices.fill_null(size - 1).to_numpy(zero_copy_only=False)
            if most * size > _MOST_CODES:
                _, codes = _consecutive(codes, most)
                most = len(codes)
            codes, most = codes * size + column_codes, most * size
        if most > 1:
            first, codes = _consecutive(codes, most)
        self.indices = pa.array(codes)
        self.first = first
        self._columns = columns

    @cached_property
    def values(self) -> list[tuple[Any, ...]]:
        """The distinct combinations."""
        taken = pa.array(self.first)
        return list(zip(*(_plain(column.take(taken)).to_pylist() for column in self._columns), strict=True))

    def each(self, cache: dict[tuple[Any, ...], Any], value: Callable[[int], Any]) -> list[Any]:
        """Return a value for each distinct combination, made once for those of several arrays.

        Args:
            cache: The values by combination so far; others are added, and all are dropped beyond a bound.
            value: Makes the value of a combination from the index of a row that has it.
        """
        if len(cache) > _MOST_KNOWN:
            cache.clear()
        for combination, row in zip(self.values, self.first.tolist(), strict=True):
            if combination not in cache:
                cache[combination] = value(row)
        return [cache[combination] for combination in self.values]

    def array(self, values: Iterable[Any], kind: pa.DataType) -> pa.Array:
        """Return a column, given one value for each distinct combination."""
        return pa.array(values, kind).take(self.indices)


def _plain(array: pa.Array) -> pa.Array:
    """Return an array whose values become Python values one by one faster than those of a dictionary."""
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _consecutive(codes: NDArray[np.int64], most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first row of each code, and the codes renumbered from 0."""
    if most > _SPARSE * len(codes):
        encoded = pa.array(codes).dictionary_encode()
        codes, most = encoded.indices.to_numpy().astype(np.int64), len(encoded.dictionary)
    first = np.full(most, -1, np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # of equal codes, the first row is written last
    used = first >= 0
    return first[used], (np.cumsum(used) - 1)[codes]
