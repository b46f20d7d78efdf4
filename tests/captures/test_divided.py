"""Rows that are joined at the end: divided by their keys, they give the same tables in less memory."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmq_wire import captures
from msmq_wire.captures import engine
from msmq_wire.captures.gathering import LATE
from msmq_wire.captures.schemas import coded, uncoded
from msmq_wire.captures.spool import Spool, divided
from msmq_wire.testing.captures import Faults, write_captures

SCHEMA = pa.schema([("key", pa.string()), ("number", pa.int64())])
KEYS = st.lists(st.sampled_from(["a", "b", "c", "é", "", None]), max_size=9)


@given(st.lists(KEYS, max_size=6), st.integers(1, 20), st.sampled_from([0, 100, 1 << 20]))
def test_each_row_once_and_equal_keys_together(keys: list[list[str | None]], most: int, memory: int) -> None:
    count = 0
    with TemporaryDirectory() as place:
        spool = Spool(SCHEMA, Path(place, "rows"), memory)
        for batch in keys:
            numbers = range(count, count := count + len(batch))
            spool.add(
                pa.record_batch([pa.array(batch, pa.string()), pa.array(numbers, pa.int64())], schema=SCHEMA)
            )
        groups = [pa.Table.from_batches(group, SCHEMA).to_pylist() for group in divided(spool, "key", most)]
        assert not [*Path(place).iterdir()]
    rows = [row for group in groups for row in group]
    assert sorted(row["number"] for row in rows) == [*range(count)]
    wanted = [key for batch in keys for key in batch]
    assert all(row["key"] == wanted[row["number"]] for row in rows)
    for key in {*wanted}:
        assert sum(any(row["key"] == key for row in group) for group in groups) == 1
    for group in groups:
        assert [row["number"] for row in group] == sorted(row["number"] for row in group)
        assert len(group) <= most or len({row["key"] for row in group}) == 1


@pytest.mark.parametrize("memory", [0, 1 << 20])
def test_batches_with_dictionaries_of_their_own(memory: int, tmp_path: Path) -> None:
    """Each group has the texts of its own rows, and not the dictionaries of all."""
    schema = coded([("key", pa.string()), ("number", pa.int64())])
    texts = [["b", "a", None], ["c", "a", "c"]]
    spool = Spool(schema, tmp_path / "rows", memory)
    for batch in texts:
        spool.add(pa.record_batch([pa.array(batch).dictionary_encode(), pa.array(range(3))], schema=schema))
    groups = [pa.Table.from_batches(group) for group in divided(spool, "key", 2)]
    assert {group.schema for group in groups} == {uncoded(schema)} == {SCHEMA}
    assert [group.column("key").to_pylist() for group in groups] == [[None], ["a", "a"], ["b"], ["c", "c"]]


@pytest.mark.parametrize("most", [1, 3, 9])
def test_shared_rows_come_to_all_groups(most: int, tmp_path: Path) -> None:
    spool = Spool(SCHEMA, tmp_path / "rows", 1 << 20)
    for keys, numbers in ((["a", "b", None], [0, 1, 2]), (["c", "b2", "a"], [3, 4, 5])):
        spool.add(pa.record_batch([pa.array(keys, pa.string()), pa.array(numbers)], schema=SCHEMA))
    groups = [
        pa.Table.from_batches(group).column("number").to_pylist()
        for group in divided(spool, "key", most, lambda rows: pc.equal(rows.column("number"), 4))
    ]
    assert (
        groups
        == {
            1: [[2, 4], [0, 4, 5], [1, 4], [3, 4]],
            3: [[0, 2, 4, 5], [1, 3, 4]],
            9: [[0, 1, 2, 3, 4, 5]],
        }[most]
    )


@pytest.mark.each(2)
@pytest.mark.parametrize("most", [1, 60])
def test_the_same_tables(most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few rows are joined at once."""
    folder = write_captures(tmp_path, 80, seed=3, faults=Faults.all(), managers=8, files=2).captures[0].parent
    names = [*sorted(LATE), "findings", "violations"]

    def rows() -> dict[str, list[str]]:
        tables = captures.tables(folder, names)
        return {name: sorted(map(str, tables[name].read_all().to_pylist())) for name in names}

    whole = rows()
    groups = []

    def few(spool: Spool, key: str, **more: Any) -> object:
        for batches in divided(spool, key, most, **more):
            groups.append(key)
            yield batches

    monkeypatch.setattr(engine, "divided", few)
    assert rows() == whole
    assert len(groups) > len({*groups}) > 3
    assert whole["deliveries"]
