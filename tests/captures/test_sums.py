"""Equal rows are added up alike, in whatever batches they come, and however many of them wait."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmq_wire.captures import sums
from msmq_wire.captures.sums import Sums

SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("key", "other")),
        *((name, pa.int64()) for name in ("at", "count", "since", "until", "number")),
    ]
)
TOTALS = {"count": "sum", "since": "min", "until": "max"}
texts = st.sampled_from(["a", "b", "ä"])
numbers = st.integers(0, 3)
rows_of_batches = st.lists(
    st.lists(st.tuples(texts, st.none() | texts, st.none() | numbers, numbers, numbers, numbers), max_size=5),
    max_size=6,
)


def added_up(rows: list[dict[str, Any]]) -> dict[tuple[Any, ...], dict[str, Any]]:
    groups: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        before = groups.setdefault((row["key"], row["other"]), {**row, "count": 0})
        before["count"] += row["count"]
        before["since"] = min(before["since"], row["since"])
        before["until"] = max(before["until"], row["until"])
    return groups


@pytest.mark.parametrize("order", [(), ("at",)])
@given(batches=rows_of_batches, held=st.integers(0, 8))
def test_rows_are_added_up(order: tuple[str, ...], batches: list[list[Any]], held: int) -> None:
    rows: list[dict[str, Any]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "_HELD", held)
        own = Sums(SCHEMA, ("key", "other"), TOTALS, order)
        for batch in batches:
            new = [
                dict(zip(SCHEMA.names, (*row, len(rows) + number), strict=True))
                for number, row in enumerate(batch)
            ]
            rows += new
            own.add(pa.RecordBatch.from_pylist(new, SCHEMA))
    if order:
        rows.sort(key=lambda row: (row["at"] is None, row["at"] or 0))
    result = own.batch().to_pylist()
    assert {(row["key"], row["other"]): row for row in result} == added_up(rows)
    assert len(result) == len(added_up(rows))
