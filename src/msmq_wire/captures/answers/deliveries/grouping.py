"""Equal rows of columns as equal numbers, and lists by message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from msmq_wire.arrow.arrays import COUNTABLE, ints

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]


def equal_codes(left: list[pa.Array], right: list[pa.Array]) -> tuple[Ints, Ints]:
    """Return equal numbers for equal rows of columns of texts on the left and on the right."""
    encoded = [pa.concat_arrays(pair).dictionary_encode() for pair in zip(left, right, strict=True)]
    codes = numbered(*(ints(column.indices) for column in encoded))
    return codes[: len(left[0])], codes[len(left[0]) :]


def are_equal(texts: pa.Array, others: pa.Array) -> Bools:
    """Return which texts are equal; null equals none."""
    codes = ints(pa.concat_arrays([texts, others]).dictionary_encode().indices)
    own = codes[: len(texts)]
    same: Bools = (own == codes[len(texts) :]) & (own >= 0)
    return same


def numbered(*columns: Ints) -> Ints:
    """Return equal numbers for equal rows, from 0 without a gap."""
    codes = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        own = dense(column)
        codes = dense(codes * (own.max(initial=0) + 1) + own)
    return codes


def dense(values: Ints) -> Ints:
    """Return equal numbers for equal values, from 0 without a gap."""
    least = int(values.min(initial=0))
    span = int(values.max(initial=0)) - least + 1
    if span > COUNTABLE * len(values):
        return ints(pa.array(values).dictionary_encode().indices)
    used = np.zeros(span, np.bool_)
    used[values - least] = True
    numbers: Ints = (np.cumsum(used) - 1)[values - least]
    return numbers


def counts_of(codes: Ints, values: Ints) -> Ints:
    """Return how many different values are with each number, for numbers from 0 without a gap."""
    return np.bincount(codes[starts_of(numbered(codes, values))])


def starts_of(codes: Ints) -> Ints:
    """Return the first row with each number, for rows numbered from 0 without a gap."""
    first = np.full(int(codes.max(initial=-1)) + 1, -1, np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return first


def rows_alike(again: Bools) -> Ints:
    """Return the rows that equal a neighbour; `again`: whether each from 1 on equals the one before."""
    rows: Ints = (np.append(again, False) | np.append(False, again)).nonzero()[0]
    return rows


def struct_of(kind: pa.DataType, columns: Mapping[str, Any]) -> pa.Array:
    """Return structs of a type from columns by name."""
    names = [field.name for field in kind]
    return pa.StructArray.from_arrays([columns[name] for name in names], names)


def lists_of(of: Ints, kept: Ints, values: pa.Array) -> pa.Array:
    """Return a list for each kept message, of values that are in the order of messages."""
    ends = np.searchsorted(of, kept, side="right")
    return pa.ListArray.from_arrays(pa.array(np.append(0, ends).astype(np.int32)), values)
