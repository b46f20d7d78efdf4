"""The page that says how to add a column: done as it says, on a copy, it ends with a green suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support_copy import Copy

if TYPE_CHECKING:
    from pathlib import Path


def _with_columns(folder: Path, *, is_mended: bool = True) -> Copy:
    """A copy of the repository after the steps of the page."""
    copy = Copy(folder, "add-a-column")
    (columns, field), (_, function), (tests, values) = copy.blocks("row:")
    copy.insert(columns, '    Column("journal", ', field + function)
    if is_mended:
        wrong, right = copy.block("mended:")
        copy.change(columns, wrong, right.strip())
    copy.insert(tests, '        ("label", {"Label"', values)
    copy.run("docs/tables.py")
    return copy


@pytest.mark.long
def test_the_steps_of_the_page_work(tmp_path: Path) -> None:
    copy = _with_columns(tmp_path)
    copy.run("-c", copy.block("works")[1])
    assert "| `hops` | `int64` | Number of routing" in copy.read("docs/reference/table-columns.md")


@pytest.mark.long
def test_a_wrong_path_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"messages\.py:\d+: hops: UserHeader\.RC: UserHeader has no"):
        _with_columns(tmp_path, is_mended=False)


@pytest.mark.long
def test_the_suite_is_green_afterwards(tmp_path: Path) -> None:
    copy = _with_columns(tmp_path)
    copy.test("tests/arrow/test_messages.py", "tests/captures/test_messages.py")
    copy.test("tests/captures/test_partial_messages.py", "tests/captures/test_contract.py")
