"""The page that says how to add a structure: done as it says, on a copy, it ends with a codec that works."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support_specs import SPECS

import msmq_wire

PAGE = (SPECS.parent / "docs" / "how-to" / "add-a-structure.md").read_text("utf-8")
SOURCE = Path(msmq_wire.__file__).parent


def block(mark: str) -> tuple[str, str]:
    """What a mark says, and the code that follows it."""
    found = re.search(rf"<!-- {mark}(.*?) -->\n```\w+\n(.*?)```", PAGE, re.DOTALL)
    assert found, mark
    return found[1].strip(), found[2]


@pytest.mark.long
def test_done_as_it_says(tmp_path: Path) -> None:
    package = tmp_path / "msmq_wire"
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(SPECS.parent / "pyproject.toml", tmp_path)

    name, text = block("add:")
    path = package / name
    whole = path.read_text("utf-8")
    assert whole.endswith('\n"""\n')
    path.write_text(whole.removesuffix('"""\n') + "\n" + text + '"""\n', "utf-8")

    name, text = block("field:")
    name, _, before = name.partition(" ")
    path = package / name
    head, found, tail = path.read_text("utf-8").partition(f"    {before}")
    assert found
    path.write_text(head + text + found + tail, "utf-8")

    path = package / "definitions" / "relations.py"
    for table in ("PRESENT", "DEFAULTS"):
        _, text = block(f"relations: {table}")
        head, found, tail = path.read_text("utf-8").partition(f"\n{table}: ")
        opening, brace, rest = tail.partition("{\n")
        path.write_text(head + found + opening + brace + text + rest, "utf-8")

    name, text = block("row:")
    name, _, structure = name.partition(" ")
    path = package / name
    head, found, tail = path.read_text("utf-8").partition(f'    "{structure}": (\n')
    assert found
    path.write_text(head + found + text + tail, "utf-8")

    name, text = block("rule:")
    name, _, structure = name.partition(" ")
    rules = package / name
    head, found, tail = rules.read_text("utf-8").partition(f'    "{structure}": (\n')
    assert found

    def add_rules() -> None:
        rules.write_text(head + text + found + tail, "utf-8")

    environment = {"PYTHONPATH": str(tmp_path)}
    generate = ["-m", "msmq_wire.compiler"]
    for words in (generate, ["-c", block("works")[1]], generate, ["-c", block("checked")[1]]):
        done = subprocess.run(  # noqa: S603  # our own interpreter and our own text
            [sys.executable, *words],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            cwd=tmp_path,
        )
        assert (done.returncode, done.stderr) == (0, "")
        add_rules()
    assert "class NoteHeader(Record" in (package / "documents" / "mqmq.py").read_text("utf-8")
