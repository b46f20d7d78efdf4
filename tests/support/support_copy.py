"""A copy of the repository, on which the steps of a how-to are done."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from copy import copy
from typing import TYPE_CHECKING

from support_specs import SPECS

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Copy", "add_structure", "complaints"]

_ROOT = SPECS.parent
_PARTS = ("src", "specs", "tests", "docs", "pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md")
_IGNORED = shutil.ignore_patterns("node_modules", "*.pyc.*")
"""Compiled modules are copied, so that the tests of a copy need not compile them; not those half written."""


_UNSHRUNK = """\
from hypothesis import Phase, settings
settings.register_profile("unshrunk", phases=[Phase.generate])
settings.load_profile("unshrunk")
"""


def complaints(folder: Path, changes: dict[str, tuple[str, str]], *specs: str) -> list[str]:
    """What the compiler says of a copy of the package with other texts, beside these parts of the specs."""
    package = folder / "src" / "msmq_wire"
    shutil.copytree(_ROOT / "src" / "msmq_wire", package, ignore=_IGNORED)
    for name in specs:
        shutil.copytree(SPECS / name, folder / "specs" / name)
    for name, (old, new) in changes.items():
        text = (package / name).read_text("utf-8")
        assert text.count(old) == 1
        (package / name).write_text(text.replace(old, new), "utf-8")
    done = subprocess.run(  # our own interpreter and our own text
        [sys.executable, "-m", "msmq_wire.compiler", "--check"],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(package.parent)},
    )
    assert done.returncode == 1
    return done.stderr.splitlines()


def _text_of(page: str) -> str:
    return (_ROOT / "docs" / "how-to" / f"{page}.md").read_text("utf-8")


class Copy:
    """A copy of the repository, and the page whose steps are done on it.

    Args:
        folder: Where it is made.
        page: The name of the page in `docs/how-to`.
    """

    def __init__(self, folder: Path, page: str) -> None:
        self._folder = folder
        self._page = _text_of(page)
        for name in _PARTS:
            source = _ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=_IGNORED)
            else:
                shutil.copy(source, folder)

    # ------------------------------------------------------------------------------------------- the page

    def blocks(self, mark: str) -> list[tuple[str, str]]:
        """The text of each such mark, and the code that follows it."""
        pairs = re.findall(rf"<!-- {mark}(.*?) -->\n```\w+\n(.*?)```", self._page, re.DOTALL)
        assert pairs, mark
        return [(said.removeprefix(" "), code) for said, code in pairs]

    def block(self, mark: str) -> tuple[str, str]:
        """The only step."""
        (pair,) = self.blocks(mark)
        return pair

    def tests(self) -> list[str]:
        """The paths of all tests that the page runs."""
        commands = re.findall(r"python -m pytest ([^`\n]+)", self._page)
        assert commands
        return [path for command in commands for path in command.split()]

    def on_page(self, page: str) -> Copy:
        """The same copy with another page."""
        other = copy(self)
        other._page = _text_of(page)
        return other

    # ------------------------------------------------------------------------------------------ the files

    def write(self, name: str, text: str) -> None:
        """Add a file."""
        (self._folder / name).write_text(text, "utf-8")

    def read(self, name: str) -> str:
        """The text of a file."""
        return (self._folder / name).read_text("utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        """Replace a text that occurs once in a file."""
        text = self.read(name)
        assert text.count(old) == 1, (name, old, text.count(old))
        (self._folder / name).write_text(text.replace(old, new), "utf-8")

    def change_line(self, name: str, line: int, old: str, new: str) -> None:
        """Replace a text in a line of a file, counted from 1."""
        lines = self.read(name).splitlines(keepends=True)
        assert old in lines[line - 1], (name, line, old)
        lines[line - 1] = lines[line - 1].replace(old, new)
        (self._folder / name).write_text("".join(lines), "utf-8")

    def insert(self, name: str, mark: str, text: str, *, behind: bool = False) -> None:
        """Insert text before the first matching line, or behind it."""
        whole = self.read(name)
        at = whole.index(mark)
        at += len(mark) if behind else 0
        (self._folder / name).write_text(whole[:at] + text + whole[at:], "utf-8")

    def insert_line(self, name: str, words: str, text: str) -> None:
        """Insert text before the first line that ends with these words."""
        whole = self.read(name)
        at = whole.rindex("\n", 0, whole.index(f"{words}\n")) + 1
        (self._folder / name).write_text(whole[:at] + text + whole[at:], "utf-8")

    def insert_row(self, name: str, table: str, text: str) -> None:
        """Insert a row as the first one of a table."""
        whole = self.read(name)
        at = whole.index("{\n", whole.index(f"\n{table}: ")) + 2
        (self._folder / name).write_text(whole[:at] + text + whole[at:], "utf-8")

    def replace_sentence(self, name: str, requirement: str, text: str) -> None:
        """Give a requirement another sentence."""
        whole = self.read(name)
        begin = whole.index("requirement = ", whole.index(f'id = "{requirement}"\n'))
        end = whole.index("\n", begin) + 1
        (self._folder / name).write_text(whole[:begin] + text + whole[end:], "utf-8")

    def replace_requirement(self, name: str, requirement: str, text: str) -> None:
        """Give a requirement another row."""
        whole = self.read(name)
        begin = whole.index(f'id = "{requirement}"\n')
        end = whole.index("\n\n[[requirement]]", begin) + 1
        (self._folder / name).write_text(whole[:begin] + text + whole[end:], "utf-8")

    def add_requirements(self, name: str, section: str, text: str) -> None:
        """Add rows after the last one of a section."""
        whole = self.read(name)
        begin = whole.rindex(f'id = "{section}-')
        at = whole.index("\n\n[[requirement]]", begin) + 2
        (self._folder / name).write_text(f"{whole[:at]}{text}\n{whole[at:]}", "utf-8")

    # --------------------------------------------------------------------------------------- the commands

    def run(self, *words: str) -> str:
        """The output of Python with these arguments; it has to succeed without writing to standard error."""
        environment = {**os.environ, "PYTHONPATH": str(self._folder / "src"), "HYPOTHESIS_PROFILE": "quick"}
        done = subprocess.run(  # noqa: S603  # our own interpreter and our own text
            [sys.executable, *words],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            cwd=self._folder,
        )
        assert (done.returncode, done.stderr) == (0, ""), f"{done.stderr}\n{done.stdout[-4000:]}"
        return done.stdout

    def example(self, text: str) -> None:
        """Run an example; that it finds something is enough, which need not be the smallest."""
        self.run("-c", f"{_UNSHRUNK if 'hypothesis' in text else ''}{text}")

    def refused(self) -> list[tuple[str, int]]:
        """The places that the compiler names: file and line."""
        done = subprocess.run(  # our own interpreter and our own text
            [sys.executable, "-m", "msmq_wire.compiler"],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(self._folder / "src")},
        )
        assert done.returncode == 1, done.stderr
        places = []
        for sentence in done.stderr.splitlines():
            name, line, _ = sentence.split(":", 2)
            assert (self._folder / name).is_file(), sentence
            places.append((name, int(line)))
        return places

    def compile(self) -> None:
        """Run the compiler on the definitions and rules."""
        self.run("-m", "msmq_wire.compiler")

    def test(self, *paths: str) -> None:
        """Run tests of the copy."""
        self.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", *paths)


def add_structure(copy: Copy) -> None:
    """Do the steps of `add-a-structure` that define the header and its rules."""
    copy = copy.on_page("add-a-structure")
    name, text = copy.block("add:")
    name, _, section = name.partition(" ")
    copy.insert_line(f"src/msmq_wire/{name}", section, text)
    name, text = copy.block("field:")
    name, _, before = name.partition(" ")
    copy.insert(f"src/msmq_wire/{name}", f"    {before}", text)
    relations = "src/msmq_wire/definitions/relations.py"
    for table in ("PRESENT", "DEFAULTS"):
        copy.insert_row(relations, table, copy.block(f"relations: {table}")[1])
    name, text = copy.block("taken:")
    copy.change(f"src/msmq_wire/{name}", text.strip("\n"), "")
    catalogue = "specs/requirements/MS-MQMQ.toml"
    requirement, text = copy.block("sentence:")
    copy.replace_sentence(catalogue, requirement, text)
    copy.replace_requirement(catalogue, *copy.block("replaced:"))
    copy.add_requirements(catalogue, *copy.block("requirements:"))
    name, text = copy.block("row:")
    name, _, structure = name.partition(" ")
    copy.insert(f"src/msmq_wire/{name}", f'    "{structure}": (\n', text, behind=True)
    name, text = copy.block("rule:")
    name, _, structure = name.partition(" ")
    copy.insert(f"src/msmq_wire/{name}", f'    "{structure}": (\n', text)
    name, text = copy.block("allowed:")
    name, _, old = name.partition(" ")
    copy.change(f"src/msmq_wire/{name}", f"        {old}\n", text)
    for place, rows in copy.blocks("typed:"):
        name, _, before = place.partition(" ")
        copy.insert(name, f"{before}\n", rows)
    name, text = copy.block("bytes:")
    copy.write(name, copy.read(name) + text)
