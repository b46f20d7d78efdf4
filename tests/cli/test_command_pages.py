"""The pages about the command: each example prints what stands below it; the reference is whole."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from support_docs import DOCS, PAGES, ROOT, ids

from msmq_wire.cli import main
from msmq_wire.cli.commands import app
from msmq_wire.cli.output import Status
from msmq_wire.testing.captures import main as generate

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


_FIRST = re.compile(
    r"(?P<program>msmq-wire|python -m msmq_wire\.testing\.captures) "
    r"(?P<words>(?:[\w ./=,:-]|'[^']*')*?)(?= *(?:\d?>|[|;\n]))(?!.*(?:msmq-wire|python))",
    re.DOTALL,
)
"""The program that a command begins with, if it is ours and the only one."""


def programs_in(folder: Path, **lines: str) -> str:
    """Programs of these names, each of such lines; return the path of their folder."""
    folder.mkdir()
    for name, text in lines.items():
        program = folder / name.replace("_", "-")
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
    return str(folder)


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="the examples are for a POSIX shell")
@pytest.mark.parametrize("page", SHOWING, ids=ids)
def test_examples(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What begins a command runs in this process, if it can, and the shell gets what it said."""
    said = f'cat "{tmp_path}/out"; cat "{tmp_path}/err" >&2; exit $(cat "{tmp_path}/status")'
    again = programs_in(tmp_path / "again", msmq_wire=said, python=said)
    called = programs_in(
        tmp_path / "called",
        msmq_wire=f'exec "{sys.executable}" -m msmq_wire "$@"',
        python=f'exec "{sys.executable}" "$@"',
    )
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    checker, path = doctest.OutputChecker(), os.environ["PATH"]
    for command, wanted in steps(page):
        first = _FIRST.match(command)
        if first:
            run = main if first["program"] == "msmq-wire" else generate
            (tmp_path / "status").write_text(f"{run(shlex.split(first['words']))}")
            for name, text in capsys.readouterr()._asdict().items():
                (tmp_path / name).write_text(text, "utf-8")
        monkeypatch.setenv("PATH", os.pathsep.join([again if first else called, path]))
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)  # noqa: S602  # the examples are ours
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
