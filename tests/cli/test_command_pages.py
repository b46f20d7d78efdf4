"""The pages about the command: each example prints what stands below it; the reference is whole."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from support_docs import DOCS, PAGES, ROOT, ids

from msmq_wire.cli.commands import app
from msmq_wire.cli.output import Status

if TYPE_CHECKING:
    from pathlib import Path

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_STEP = re.compile(r"^\$ (.+\n(?:>(?: .*)?\n)*)((?:(?!\$ ).*\n)*)", re.MULTILINE)
"""A command, which ``>`` continues as in a shell, and what it prints."""
SHOWING = [page for page in PAGES if _BLOCK.search(page.read_text("utf-8"))]


def steps(page: Path) -> list[tuple[str, str]]:
    """Commands of a page, each with what stands below it."""
    blocks = _BLOCK.findall(page.read_text("utf-8"))
    pairs = (step for block in blocks for step in _STEP.findall(block))
    return [(re.sub(r"^> ?", "", command, flags=re.MULTILINE), printed) for command, printed in pairs]


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="the examples are for a POSIX shell")
@pytest.mark.parametrize("page", SHOWING, ids=ids)
def test_examples(page: Path, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, words in (("msmq-wire", "-m msmq_wire"), ("python", "")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        program.chmod(0o755)
    place = tmp_path / "place"
    place.mkdir()
    checker = doctest.OutputChecker()
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
    }
    for command, wanted in steps(page):
        done = subprocess.run(  # noqa: S602  # the examples are ours
            command, shell=True, cwd=place, env=environment, capture_output=True, text=True, check=False
        )
        assert done.stderr == "", command
        assert checker.check_output(wanted, done.stdout, doctest.ELLIPSIS), (
            f"$ {command}\n{done.stdout}\ninstead of\n{wanted}"
        )


def test_every_verb_has_an_example() -> None:
    shown = "\n".join(command for page in SHOWING for command, _ in steps(page))
    for verb in app.commands:
        assert f"msmq-wire {verb}" in shown or verb == "completion"


def test_the_reference() -> None:
    """It has each verb with each option, and each status."""
    text = (DOCS / "reference" / "command-line.md").read_text("utf-8")
    for name, command in app.commands.items():
        section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert any(f"`{word}`" in section or f"`{word} " in section for word in parameter.opts), (
                    name,
                    parameter.opts,
                )
    for status in Status:
        assert f"| {status.value} |" in text
