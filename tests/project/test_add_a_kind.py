"""The page that says how to add a kind of field: done as it says, on a copy, the kind works everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support_copy import Copy, add_structure

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.long
def test_the_steps_of_the_page_work(tmp_path: Path) -> None:
    copy: Copy = add_structure(tmp_path).on_page("add-a-kind")
    for name, text in copy.blocks("file:"):
        copy.write(name, text)
    for where in ("before", "behind"):
        for place, text in copy.blocks(f"{where}:"):
            name, _, mark = place.partition(" ")
            addition = text.removesuffix("\n") if where == "behind" else text
            copy.insert(name, mark, addition, behind=where == "behind")
    copy.compile()
    works = copy.block("works")[1]
    assert works.count("\nassert ") > 1  # the page says what the kind does, and this runs it
    copy.run("-c", works)
