"""For those who carry the project on: actions are pinned, rights are few, commands are those that exist."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
import types
from pathlib import Path
from typing import Any

import pytest
from support_specs import SPECS, load_evidence

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


def test_a_release_says_where_it_is_published(tmp_path: Path) -> None:
    """The source does not; both distributions are made of the changed file."""
    steps = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    (command,) = re.findall(r"run: python (\.ci/urls\.py .*)", steps)
    assert steps.index(command) < steps.index("nox -s distributions")
    made = runpy.run_path(str(ROOT / ".ci" / "urls.py"))
    text = made["with_addresses"](
        (ROOT / "pyproject.toml").read_text("utf-8"), "https://github.com/Some/one.x"
    )
    (tmp_path / "pyproject.toml").write_text(text, "utf-8")
    core = runpy.run_path(str(ROOT / "core" / "hatch_build.py"))
    for project in tomllib.loads(text)["project"], core["project"](tmp_path):
        assert project["urls"] == PROJECT["project"]["urls"] | {
            "Homepage": "https://github.com/Some/one.x",
            "Documentation": "https://some.github.io/one.x/",
            "Changelog": "https://github.com/Some/one.x/blob/HEAD/CHANGELOG.md",
            "Issues": "https://github.com/Some/one.x/issues",
        }
    with pytest.raises(SystemExit, match="expected an address"):
        made["addresses"]("github.com/Some/one")


HOOKS = re.findall(r"entry: (.*)", (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="git brings bash along")
def test_hooks_run_without_an_activated_environment(tmp_path: Path) -> None:
    """The first python of the environment runs, wherever the one of the system is."""
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").write_text('#!/bin/sh\necho "$@"\n')
    (programs / "python").chmod(0o755)
    assert HOOKS
    for entry in HOOKS:
        done = subprocess.run(  # noqa: S603  # our own
            [*shlex.split(entry), "a file"], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert re.match(r"(-m|docs/tables\.py) .*a file\n$", done.stdout), entry


def sessions(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The functions of the file of nox."""
    nox = types.ModuleType("nox")
    setattr(nox, "options", types.SimpleNamespace())  # noqa: B010  # a module made here
    setattr(nox, "session", lambda function: function)  # noqa: B010  # as above
    monkeypatch.setitem(sys.modules, "nox", nox)
    return runpy.run_path(str(ROOT / "noxfile.py"))


@pytest.mark.long
@pytest.mark.parametrize("name", ["bench", "captures_bench", "spark_bench", "spark_proof"])
def test_programs_of_sessions_begin(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What a session runs in its folder, with its environment, is there, and so is what that imports."""
    runs: list[tuple[str, ...]] = []
    folders: list[str] = []
    session = types.SimpleNamespace(
        posargs=[],
        env={},
        run=lambda *command, **_: runs.append(command),
        install=lambda *_, **__: None,
        chdir=folders.append,
        create_tmp=lambda: tmp_path,
    )
    sessions(monkeypatch)[name](session)
    *_, command = runs
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(  # noqa: S603  # a program of this tree
        [sys.executable, *command[1:3], "--help"],
        cwd=ROOT / folders[0],
        env={**environment, **session.env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def quick_runs(monkeypatch: pytest.MonkeyPatch, changed: str, *chosen: str) -> list[tuple[str, ...]]:
    """The commands of the session `quick`, with the files that git lists."""
    quick = sessions(monkeypatch)["quick"]
    monkeypatch.chdir(ROOT)
    run: list[tuple[str, ...]] = []

    def record(*command: str, **_: object) -> str:
        if command[0] == "git":
            return changed
        run.append(command)
        return ""

    session = types.SimpleNamespace(posargs=list(chosen), env={}, run=record)
    quick(session)
    return run


def test_quick_runs_in_the_environment_of_nox(monkeypatch: pytest.MonkeyPatch) -> None:
    """It need not be activated; the tests of a changed module come first, for a limited time."""
    *style, tests = quick_runs(monkeypatch, "src/msmq_wire/packets/stream.py\n")
    assert [command[3] for command in style] == ["format", "check"]
    assert {command[0] for command in (*style, tests)} == {sys.executable}
    assert {"--budget=40", "--first=stream", "tests/packets"} <= set(tests)


def test_quick_runs_all_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ((*_, last),) = quick_runs(monkeypatch, "", "tests/names")
    assert last == "tests/names"
    assert not [word for word in _ if word.startswith("--budget")]


@pytest.mark.each(2)
@pytest.mark.parametrize(("budget", "ended"), [("0", "2 skipped"), ("600", "2 passed")])
def test_a_quick_run_ends_in_time(budget: str, ended: str) -> None:
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [
            *(
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                "-n",
                "0",
                f"--budget={budget}",
            ),
            *("-k", "citation or paths_of", str(Path(__file__).relative_to(ROOT))),
        ],
        env=os.environ | {"CI": ""},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended in done.stdout


@pytest.mark.long
def test_the_files_of_changed_modules_come_first() -> None:
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "--collect-only"),
            *("--first=packet_starts,wchar", "tests/values"),
        ],
        env={name: text for name, text in os.environ.items() if name != "PYTEST_ADDOPTS"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("tests/values/test_wchar.py::")


def collected(*options: str) -> int:
    """How many tests of many histories a run with these options has."""
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "--collect-only"),
            *(*options, "tests/captures/test_fates.py"),
        ],
        env={
            name: text
            for name, text in os.environ.items()
            if name not in {"PYTEST_ADDOPTS", "HYPOTHESIS_PROFILE"}
        },
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.count("::test_many_histories[")


@pytest.mark.long
def test_a_thorough_run_has_the_full_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[tuple[str, ...]] = []
    session = types.SimpleNamespace(
        posargs=[], install=lambda *_, **__: None, run=lambda *command, **_: runs.append(command)
    )
    sessions(monkeypatch)["thorough"](session)
    thorough = collected(*(word for word in runs[-1] if word.startswith("--")))
    assert thorough > collected("--long") > 0


def test_paths_of_the_contributing_page_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:src|tests|specs|docs)/[\w./]+)`", text) + re.findall(
        r"\]\(([\w./-]+?)(?:#[\w-]+)?\)", text
    )
    assert named
    assert all((ROOT / path).exists() for path in named), named
