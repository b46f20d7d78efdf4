"""PEP 561: mypy and pyright find the types of the package, the same, and find mistakes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mypy import api

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"
_MODULE = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z])")


def marked(name: str) -> dict[int, str]:
    """The comments of a file, by line."""
    lines = (HERE / name).read_text("utf-8").splitlines()
    return {number: line.partition("  # ")[2] for number, line in enumerate(lines, 1) if "  # " in line}


def plain(revealed: str) -> str:
    """A type without modules, as both checkers would print it."""
    text = _MODULE.sub("", revealed).replace('"', "")
    if "UUID" in text:  # a body: mypy takes a bool for an int, and each unfolds the tuple as far as it likes
        text = re.sub(r"tuple\[.*\]", "tuple", text).removeprefix("bool | ")
    union = re.fullmatch(r"Union\[(.*)\]", text)
    return " | ".join(re.split(r", (?![^\[]*\])", union[1])) if union else text


@pytest.fixture(scope="module")
def by_mypy(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, int, str, str]]:
    """File, line, severity and message of each thing that mypy says with strict settings."""
    folder = tmp_path_factory.mktemp("mypy")
    (folder / "mypy.ini").write_text(f"[mypy]\nstrict = True\nmypy_path = {SOURCE}\n")
    paths = [shutil.copy(HERE / name, folder / name) for name in ("reveal.py", "mistakes.py")]
    config = ["--config-file", str(folder / "mypy.ini"), "--cache-dir", str(folder / "cache")]
    out, err, _ = api.run([*config, *map(str, paths)])
    assert err == ""
    matches = (re.match(r"(.*?):(\d+): (error|note): (.*)", line) for line in out.splitlines())
    return [(Path(match[1]).name, int(match[2]), match[3], match[4]) for match in matches if match]


@pytest.fixture(scope="module")
def by_pyright(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, int, str, str]]:
    """The same of pyright, from the package basedpyright, which brings it along whole."""
    folder = tmp_path_factory.mktemp("pyright")
    settings = {"typeCheckingMode": "standard", "pythonVersion": "3.11", "extraPaths": [str(SOURCE)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    for name in ("reveal.py", "mistakes.py"):
        shutil.copy(HERE / name, folder / name)
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert done.stdout.lstrip().startswith("{"), f"pyright does not run: {done.stdout}{done.stderr}"
    return [
        (Path(said["file"]).name, said["range"]["start"]["line"] + 1, said["severity"], said["message"])
        for said in json.loads(done.stdout)["generalDiagnostics"]
    ]


@pytest.mark.long
@pytest.mark.parametrize("checker", ["by_mypy", "by_pyright"])
def test_types_that_users_see(checker: str, request: pytest.FixtureRequest) -> None:
    said = [item for item in request.getfixturevalue(checker) if item[0] == "reveal.py"]
    revealed = {
        line: plain(re.sub(r'^.*? is "(.*)"$', r"\1", text))
        for _, line, _, text in said
        if "evealed type is" in text or text.startswith("Type of")
    }
    assert revealed == marked("reveal.py")
    assert not [item for item in said if item[2] == "error"]


@pytest.mark.long
@pytest.mark.parametrize("checker", ["by_mypy", "by_pyright"])
def test_mistakes_that_users_are_told_of(checker: str, request: pytest.FixtureRequest) -> None:
    said = request.getfixturevalue(checker)
    assert {item[1] for item in said if item[0] == "mistakes.py" and item[2] == "error"} == set(
        marked("mistakes.py")
    )
