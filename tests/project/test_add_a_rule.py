"""The page that says how to add a rule: done as it says, on a copy, it ends with a green suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support_copy import Copy

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """A copy of the repository after the two edits."""
    copy = Copy(tmp_path, "add-a-rule")
    copy.add_requirements("specs/requirements/MS-MQQB.toml", *copy.block("requirements:"))
    name, text = copy.block("rule:")
    name, _, before = name.partition(" ")
    copy.insert(f"src/msmq_wire/{name}", f"        {before}\n", text)
    return copy


@pytest.mark.long
def test_the_steps_of_the_page_work(copy: Copy) -> None:
    copy.compile()
    copy.run("docs/tables.py")
    copy.run("-c", copy.block("works")[1])
    copy.run("-c", copy.block("drawn")[1])
    copy.test(*copy.block("tests")[1].removeprefix("python -m pytest ").split())


@pytest.mark.long
def test_the_steps_for_a_rule_of_a_session_work(tmp_path: Path) -> None:
    copy = Copy(tmp_path, "add-a-rule")
    copy.add_requirements("specs/requirements/MS-MQQB.toml", *copy.block("session requirements:"))
    name, text = copy.block("session rule:")
    name, _, before = name.partition(" ")
    copy.insert(f"src/msmq_wire/{name}", f"{before}\n", text, behind=True)
    copy.test(*copy.block("session tests")[1].removeprefix("python -m pytest ").split())


@pytest.mark.long
def test_a_wrong_path_has_its_line(copy: Copy) -> None:
    right, wrong = copy.block("mistaken:")
    copy.change(
        "src/msmq_wire/checks/rules/mqqb.py",
        f'"MQQB-2.2.2.1-06", {right}',
        f'"MQQB-2.2.2.1-06", {wrong.strip()}',
    )
    ((path, line),) = copy.refused()
    assert path == "src/msmq_wire/checks/rules/mqqb.py"
    assert "RecoverableAckTimeouts" in copy.read(path).splitlines()[line - 1]
