"""For those who carry the project on: actions are pinned, rights are few, commands are those that exist."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

import pytest
from support_specs import SPECS, load_evidence

if TYPE_CHECKING:
    from pathlib import Path

ROOT = SPECS.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    used = re.findall(r"uses: (.*)", text)
    assert used
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", action) for action in used)
    assert "\npermissions:\n  contents: read\n" in text
    assert text.count("timeout-minutes:") == text.count("runs-on:")
    assert "secrets." not in text


def test_one_version_of_each_action() -> None:
    found: dict[str, set[str]] = {}
    for path in WORKFLOWS:
        for name, version in re.findall(r"uses: ([\w./-]+)@(.*)", path.read_text(encoding="utf-8")):
            found.setdefault(name, set()).add(version)
    assert all(len(versions) == 1 for versions in found.values())


def test_groups_and_sessions_exist() -> None:
    sessions = set(
        re.findall(r"^def (\w+)\(session", (ROOT / "noxfile.py").read_text(encoding="utf-8"), re.MULTILINE)
    )
    pages = [*WORKFLOWS, ROOT / "CONTRIBUTING.md"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in pages)
    assert set(re.findall(r"--group (\w+)", text)) <= set(PROJECT["dependency-groups"])
    assert set(re.findall(r"nox -s (\w+)", text)) <= sessions


def test_what_is_evidence_by_others_runs_from_a_wheel() -> None:
    """The session `installed` has the tests that are evidence by bytes of others."""
    _, _, text = (ROOT / "noxfile.py").read_text("utf-8").partition("_INDEPENDENT = (")
    paths = re.findall(r'"(tests/[^"]+)"', text.partition("\n)")[0])
    assert len(paths) > 10
    assert all((ROOT / path.partition("::")[0]).exists() for path in paths)
    for node, kind in load_evidence().items():
        if kind in {"published", "independent"}:
            assert any(node.startswith(path) for path in paths), node


def test_pytest_by_itself_has_what_its_options_need() -> None:
    assert "--dist" in PROJECT["tool"]["pytest"]["ini_options"]["addopts"]
    commands = [
        line for path in WORKFLOWS for line in re.findall(r'pip install .*"pytest.*', path.read_text("utf-8"))
    ]
    assert commands
    assert all('"pytest-xdist' in command for command in commands)


def test_every_version_that_is_tested_is_declared() -> None:
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    (listed,) = re.findall(r"python: \[(.*)\]", text)
    declared = {
        classifier.rpartition(" ")[2]
        for classifier in PROJECT["project"]["classifiers"]
        if re.search(r":: 3\.\d+$", classifier)
    }
    assert set(re.findall(r"[\d.]+", listed)) == declared


def test_the_citation_names_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {PROJECT['project']['version']}\n" in citation
    assert f"license: {PROJECT['project']['license']}\n" in citation


def test_paths_of_the_contributing_page_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:src|tests|specs|docs)/[\w./]+)`", text) + re.findall(
        r"\]\(([\w./-]+?)(?:#[\w-]+)?\)", text
    )
    assert named
    assert all((ROOT / path).exists() for path in named), named
