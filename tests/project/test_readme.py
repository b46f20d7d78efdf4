"""The commands that README gives."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

from support_specs import SPECS, load_vectors

ROOT = SPECS.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND = re.compile(r"<!-- (main|test)-command -->\n```sh\n(.+)\n```")
SESSION = [vector for vector in load_vectors() if vector.source == "mqqb-4.1.toml"]
WHOLE = {vector.name: vector.data for vector in SESSION if not vector.truncated}


def commands() -> dict[str, list[list[str]]]:
    """The words of the steps of each of the two commands."""
    found = COMMAND.findall(README)
    assert [name for name, _ in found] == ["main", "test"]
    return {name: [shlex.split(step) for step in text.split(" && ")] for name, text in found}


def run(*words: str, data: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, *words], cwd=ROOT, input=data, capture_output=True, check=False)  # noqa: S603  # our own commands


def test_commands_set_up_by_themselves() -> None:
    """Both begin with an environment and need nothing but Python and pip."""
    for steps in commands().values():
        assert steps[0] == ["python3", "-m", "venv", ".venv"]
        assert all(
            step[0] in {".venv/bin/pip", ".venv/bin/python", ".venv/bin/msmq-wire"} for step in steps[1:]
        )
    assert commands()["test"][-1][:3] == [".venv/bin/python", "-m", "pytest"]


def test_the_main_command() -> None:
    """Its third step explains eight frames and ends as README says; the tests of Spark look at the others."""
    done = run(*commands()["main"][2][1:])
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode("ascii").splitlines()
    assert sum(line.startswith("[MS-MQQB] 4.1.") for line in lines) == 8
    total = sum(map(len, WHOLE.values()))
    assert lines[-1] == f"8 frames, {total:,} bytes: all encode back to the same bytes"
    assert lines[-1] in README


def test_the_command_line_of_readme() -> None:
    line = re.search(r"^\.venv/bin/msmq-wire (explain .+)$", README, re.MULTILINE)
    assert line
    done = run("-m", "msmq_wire", *shlex.split(line[1]))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"== ConnectionParameters: 32 bytes at byte 0\n")
