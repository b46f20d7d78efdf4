"""The catalogue in the format of duvet: each statement once, each quote where duvet will look for it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import export_duvet
import pytest
from support_specs import load_requirements

REQUIREMENTS = {row.id: row for row in load_requirements()}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the export."""
    directory = tmp_path_factory.mktemp("duvet")
    assert export_duvet.export(directory) == len(REQUIREMENTS)
    return directory


@pytest.fixture(scope="module")
def files(exported: Path) -> dict[Path, dict[str, Any]]:
    """The files of the sections."""
    paths = sorted((exported / ".duvet" / "requirements").rglob("*.toml"))
    return {path: tomllib.loads(path.read_text(encoding="utf-8")) for path in paths}


def test_a_file_for_each_section(files: dict[Path, dict[str, Any]]) -> None:
    sections = {(row.document, row.section.replace(".", "-")) for row in REQUIREMENTS.values()}
    assert {(path.parent.name, path.stem) for path in files} == sections


def test_only_keys_that_duvet_knows(files: dict[Path, dict[str, Any]]) -> None:
    """It refuses all others."""
    for content in files.values():
        assert set(content) <= {"target", "spec", "exception"}
        assert all(set(row) == {"level", "quote"} for row in content["spec"])
        assert all(set(row) == {"quote", "reason"} for row in content.get("exception", ()))
        assert {row["level"] for row in content["spec"]} <= {"MUST", "SHOULD"}


def test_every_requirement_once(files: dict[Path, dict[str, Any]]) -> None:
    quotes = [row["quote"] for content in files.values() for row in content["spec"]]
    assert len(quotes) == len(REQUIREMENTS)
    assert {quote.partition(",")[0] for quote in quotes} == set(REQUIREMENTS)
    for quote in quotes:
        row = REQUIREMENTS[quote.partition(",")[0]]
        assert quote.endswith(row.requirement)
        assert row.level in quote


def test_exceptions(files: dict[Path, dict[str, Any]]) -> None:
    excepted = {
        row["quote"].partition(",")[0] for found in files.values() for row in found.get("exception", ())
    }
    assert excepted == {row.id for row in REQUIREMENTS.values() if row.checked == ("nowhere",)}


def test_quotes_stand_below_their_heading(exported: Path, files: dict[Path, dict[str, Any]]) -> None:
    for content in files.values():
        name, _, anchor = content["target"].partition("#")
        text = (exported / name).read_text(encoding="utf-8")
        parts = re.split(r"^## (\S+)$", text, flags=re.MULTILINE)
        below = {
            re.sub(r"[^0-9a-z]+", "-", one): part for one, part in zip(parts[1::2], parts[2::2], strict=True)
        }
        for row in content["spec"]:
            assert f"- {row['quote']}\n" in below[anchor] + "\n"


def test_configuration(exported: Path) -> None:
    config = tomllib.loads((exported / ".duvet" / "config.toml").read_text(encoding="utf-8"))
    sources = [row["source"] for row in config["specification"]]
    assert len(sources) == 5
    assert all((exported / source).is_file() for source in sources)


def test_command(tmp_path: Path) -> None:
    command = [sys.executable, str(Path(export_duvet.__file__)), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # our own script
    assert done.stdout.startswith(f"{len(REQUIREMENTS)} requirements below ")
    assert (tmp_path / ".duvet" / "config.toml").is_file()
