"""Rows sorted by several numbers at once, equal rows in their order."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from msmq_wire.arrow.arrays import order_by

_BOUNDS = np.iinfo(np.int64)
_NUMBERS = st.one_of(
    st.integers(-2, 2), st.integers(0, 1 << 44), st.sampled_from([int(_BOUNDS.min), int(_BOUNDS.max)])
)


@given(st.lists(st.tuples(_NUMBERS, _NUMBERS, _NUMBERS)))
def test_rows_are_sorted_by_the_first_numbers_first(rows: list[tuple[int, int, int]]) -> None:
    keys = [np.array([row[number] for row in rows], np.int64) for number in range(3)]
    assert order_by(*keys).tolist() == sorted(range(len(rows)), key=lambda row: rows[row])
