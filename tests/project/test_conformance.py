"""The plugin that judges a run by the requirements: what it counts, when it fails, what it writes."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from conformance_report import RESULTS

if TYPE_CHECKING:
    from pathlib import Path

pytest_plugins = ["pytester"]

CATALOGUE = """
document = "X-DOC"

[[requirement]]
id = "DOC-1-01"
section = "1"
level = "MUST"
kind = "wire"
subject = "Header.Field"
requirement = "Is <one> & only"
checked = ["validate"]

[[requirement]]
id = "DOC-1-02"
section = "1"
level = "MUST NOT"
kind = "wire"
subject = "Header.Field"
requirement = "Is not two"
checked = ["validate"]
same_as = ["DOC-1-01"]

[[requirement]]
id = "DOC-1-03"
section = "1"
level = "SHOULD"
kind = "wire"
subject = "Header.Other"
requirement = "Is zero"
checked = ["validate"]

[[requirement]]
id = "DOC-2-01"
section = "2"
level = "MUST"
kind = "processing"
subject = "Server"
requirement = "Answers"
checked = ["machine"]
performed_by = ["msmq_wire.decode"]
proved_by = ["test_two.py::test_answers"]

[[requirement]]
id = "DOC-2-02"
section = "2"
level = "MUST"
kind = "processing"
subject = "Server"
requirement = "Sleeps"
checked = ["machine"]

[[requirement]]
id = "DOC-2-04"
section = "2"
level = "MUST"
kind = "processing"
subject = "Server"
requirement = "Performs the listed steps"
checked = ["machine"]
umbrella = true
performed_by = ["msmq_wire.decode"]
proved_by = ["test_two.py::test_answers"]

[[requirement]]
id = "DOC-2-03"
section = "2"
level = "MUST"
kind = "processing"
subject = "Server"
requirement = "Dreams"
checked = ["nowhere"]
why = "who would know"
"""
EVIDENCE = """
[typed]
tests = ["test_one.py::test_one"]
[generated]
tests = ["test_many.py::test_many"]
"""
FAULTS = """
[[fault]]
path = "packets/packet.py"
before = "x"
after = "y"
tests = ["test_two.py::test_answers"]
"""
ONE = """
import pytest

@pytest.mark.requirement("DOC-1-01")
@pytest.mark.parametrize("number", [1, 2])
def test_one(number):
    assert number
"""
TWO = """
def test_answers():
    pass

def test_nothing():
    pass
"""
COMPLETE = {"test_one": ONE, "test_two": TWO}


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with a catalogue of seven requirements and no test."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    specs = pytester.mkdir("requirements")
    (specs / "X-DOC.toml").write_text(CATALOGUE, encoding="utf-8")
    (pytester.path / "evidence.toml").write_text(EVIDENCE, encoding="utf-8")
    (pytester.path / "faults.toml").write_text(FAULTS, encoding="utf-8")
    pytester.makeini(
        f"""
        [pytest]
        addopts = -p conformance_plugin -p no:cacheprovider --strict-markers
        conformance_specs = {pytester.path}
        """
    )
    return pytester


def run(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """The tests of the project; in this process where there are no workers, which is faster."""
    if "-n" in arguments:
        return project.runpytest_subprocess(*arguments)
    return project.runpytest_inprocess(*arguments)


def complaints(result: pytest.RunResult) -> list[str]:
    """The lines of the summary that are about requirements."""
    words = ("has no test", "no requirement", "has other numbers")
    return [line for line in result.outlines if any(some in line for some in words)]


def written(project: pytest.Pytester, *arguments: str) -> dict[str, str]:
    """The result of each requirement as the report has it."""
    run(project, "--conformance-report=out", *arguments)
    rows = json.loads((project.path / "out" / "requirements.json").read_text(encoding="utf-8"))
    return {row["id"]: row["result"] for row in rows}


@pytest.mark.each(3)
@pytest.mark.parametrize("more", [(), ("-n", "1"), ("-m", "requirement")])
def test_complete(project: pytest.Pytester, more: tuple[str, ...]) -> None:
    project.makepyfile(**COMPLETE)
    result = run(project, *more)
    assert result.ret == 0
    assert complaints(result) == []
    result.assert_outcomes(passed=3 if "-m" in more else 4, deselected=1 if "-m" in more else 0)


@pytest.mark.each(2)
@pytest.mark.parametrize("more", [(), ("-n", "1")])
def test_missing(project: pytest.Pytester, more: tuple[str, ...]) -> None:
    project.makepyfile(test_two=TWO)
    result = run(project, *more)
    assert result.ret == 1
    assert complaints(result) == [
        "DOC-1-01 (MUST, validate) has no test that passed",
        "DOC-1-02 (MUST NOT, validate) has no test that passed",
    ]


@pytest.mark.each(2)
@pytest.mark.parametrize("more", [(), ("-n", "1")])
def test_rows_prove_one_by_one(project: pytest.Pytester, more: tuple[str, ...]) -> None:
    """Of a test over a table, the row that fails takes no evidence from the others."""
    rows = 'lambda: [proves("DOC-1-01", 1), proves("DOC-1-03", 0), proves("DOC-2-02", 2)]'
    project.makepyfile(
        test_one="import pytest\nfrom support_marks import proves\nfrom support_rows import for_each\n\n"
        f"@pytest.mark.requirement()\n@for_each(('requirement', 'number'), {rows})\n"
        "def test_one(requirement, number):\n    assert number\n",
    )
    result = written(project, "-p", "support_rows", *more)
    assert result["DOC-1-01"] == result["DOC-1-02"] == result["DOC-2-02"] == "passed"
    assert result["DOC-1-03"] == "failed"


def test_code_without_a_test(project: pytest.Pytester) -> None:
    project.makepyfile(test_one=ONE)
    assert complaints(run(project)) == [
        "DOC-2-01 (MUST, machine) has no test that passed",
        "DOC-2-04 (MUST, machine) has no test that passed",
    ]


@pytest.mark.parametrize(
    "partial", [("test_two.py",), ("-k", "answers"), ("--deselect", "test_one.py"), ("--collect-only",)]
)
def test_part_of_a_run(project: pytest.Pytester, partial: tuple[str, ...]) -> None:
    project.makepyfile(test_two=TWO)
    result = run(project, *partial)
    assert result.ret == 0
    assert complaints(result) == []


def test_stopped(project: pytest.Pytester) -> None:
    project.makepyfile(test_a="def test_fails():\n    assert False\n", test_two=TWO)
    result = run(project, "-x")
    assert result.parseoutcomes()["failed"] == 1
    assert complaints(result) == []


def test_broken_file(project: pytest.Pytester) -> None:
    project.makepyfile(test_a="1 / 0", test_two=TWO)
    result = run(project, "--continue-on-collection-errors")
    result.assert_outcomes(passed=2, errors=1)
    assert complaints(result) == []


@pytest.mark.each(3)
@pytest.mark.parametrize("more", [(), ("-n", "1"), ("test_odd.py",)])
def test_unknown(project: pytest.Pytester, more: tuple[str, ...]) -> None:
    odd = "import pytest\n@pytest.mark.requirement('DOC-9-99')\ndef test_odd():\n    pass\n"
    project.makepyfile(test_odd=odd, **COMPLETE)
    result = run(project, *more)
    assert result.ret == 1
    assert complaints(result) == ["test_odd.py::test_odd names 'DOC-9-99', which is no requirement"]


PAGE = """# Numbers

<!-- results: level -->

| level | rows | passed | umbrella | untested | open | nowhere |
|---|---|---|---|---|---|---|
| MUST | 5 | 2 | 1 | 0 | 1 | 1 |
| MUST NOT | 1 | 1 | 0 | 0 | 0 | 0 |
| SHOULD | 1 | 0 | 0 | 1 | 0 | 0 |

<!-- end of results -->
"""


@pytest.fixture
def committed(project: pytest.Pytester) -> Path:
    """A project with a page, and with a directory for reports."""
    project.makepyfile(**COMPLETE)
    ini = project.path / "tox.ini"
    ini.write_text(
        f"{ini.read_text('utf-8')}\nconformance_report = out\nconformance_page = page.md\n", "utf-8"
    )
    page: Path = project.path / "page.md"
    page.write_text(PAGE, "utf-8")
    return page


def test_numbers_of_the_page(project: pytest.Pytester, committed: Path) -> None:
    """A complete run whose tests passed is compared with the page; others are not."""
    assert run(project).ret == 0
    committed.write_text(PAGE.replace("| 5 | 2 |", "| 5 | 3 |"), "utf-8")
    result = run(project)
    assert result.ret == 1
    assert complaints(result) == ["page.md has other numbers than this run: run nox -s report"]
    assert run(project, "test_two.py").ret == 0
    assert run(project, "--conformance-page", "test_two.py").ret == 0
    assert committed.read_text("utf-8") != PAGE
    assert run(project, "--conformance-page").ret == 0
    assert committed.read_text("utf-8") == PAGE
    committed.write_text(PAGE.replace("| 5 | 2 |", "| 5 | 3 |"), "utf-8")
    project.makepyfile(test_one=ONE.replace("assert number", "number == 1 or pytest.skip('no')"))
    assert run(project).ret == 0


@pytest.mark.usefixtures("committed")
def test_a_complete_run_writes_the_report(project: pytest.Pytester) -> None:
    report = project.path / "out" / "requirements.html"
    run(project, "test_two.py")
    assert not report.exists()
    run(project)
    assert report.exists()


@pytest.mark.usefixtures("committed")
def test_the_other_half_is_not_complete(project: pytest.Pytester) -> None:
    """A run of what the README's command leaves out says nothing of requirements that have no test in it."""
    option = "def pytest_addoption(parser): parser.addoption('--left-out', action='store_true')\n"
    (project.path / "conftest.py").write_text(option, encoding="utf-8")
    project.makepyfile(test_two="def test_of_no_requirement(): pass")
    result = run(project, "--left-out")
    assert (result.ret, complaints(result)) == (0, [])
    assert not (project.path / "out" / "requirements.html").exists()
    assert run(project).ret == 1


def test_results(project: pytest.Pytester) -> None:
    project.makepyfile(**COMPLETE)
    assert written(project) == {
        "DOC-1-01": "passed",
        "DOC-1-02": "passed",
        "DOC-1-03": "untested",
        "DOC-2-01": "passed",
        "DOC-2-02": "open",
        "DOC-2-04": "umbrella",
        "DOC-2-03": "nowhere",
    }


def evidence(project: pytest.Pytester) -> dict[str, object]:
    """The result of each requirement that has evidence, and its kinds."""
    rows = json.loads(page(project)[0])
    return {row["id"]: (row["result"], row["evidence"]) for row in rows if "evidence" in row}


def test_evidence(project: pytest.Pytester) -> None:
    project.makepyfile(**COMPLETE)
    assert evidence(project) == {
        "DOC-1-01": ("passed", ["typed"]),
        "DOC-1-02": ("passed", ["typed"]),
        "DOC-2-01": ("passed", ["fault"]),
        "DOC-2-04": ("umbrella", ["fault"]),
    }


def test_tests_that_hold_the_code_against_itself(project: pytest.Pytester) -> None:
    """A population of the package's own, a test whose faults nobody named; a failure is one all the same."""
    project.makepyfile(test_many=ONE.replace("test_one", "test_many"), test_two=TWO)
    (project.path / "faults.toml").write_text("", encoding="utf-8")
    assert evidence(project) == {
        "DOC-1-01": ("circular", ["generated"]),
        "DOC-1-02": ("circular", ["generated"]),
        "DOC-2-01": ("circular", ["own"]),
        "DOC-2-04": ("umbrella", ["own"]),
    }
    assert "circular: a generated population</td><td>2<" in page(project)[1].decode()
    project.makepyfile(test_many=ONE.replace("test_one", "test_many").replace("assert number", "assert 0"))
    assert evidence(project)["DOC-2-01"] == ("circular", ["own"])
    assert written(project)["DOC-1-01"] == "failed"


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("assert number == 1", "failed"),
        ("pytest.skip('no')", "skipped"),
        ("number == 1 or pytest.skip('no')", "passed"),
    ],
)
def test_outcomes(project: pytest.Pytester, body: str, result: str) -> None:
    project.makepyfile(test_one=ONE.replace("assert number", body), test_two=TWO)
    found = written(project)
    assert result in RESULTS
    assert found["DOC-1-01"] == found["DOC-1-02"] == result


def test_skipped_is_not_tested(project: pytest.Pytester) -> None:
    project.makepyfile(test_one=ONE.replace("assert number", "pytest.skip('no')"), test_two=TWO)
    result = run(project)
    assert result.ret == 1
    assert len(complaints(result)) == 2


def test_broken_fixture(project: pytest.Pytester) -> None:
    broken = ONE.replace("(number):", "(number, broken):")
    broken += "\n@pytest.fixture\ndef broken():\n    raise OSError\n"
    project.makepyfile(test_one=broken, test_two=TWO)
    assert written(project)["DOC-1-01"] == "failed"


def page(project: pytest.Pytester, *arguments: str) -> tuple[bytes, bytes]:
    """Both files of a report."""
    run(project, "--conformance-report=out", *arguments)
    out: Path = project.path / "out"
    return (out / "requirements.json").read_bytes(), (out / "requirements.html").read_bytes()


@pytest.mark.long
def test_same_run_same_bytes(project: pytest.Pytester) -> None:
    project.makepyfile(**COMPLETE)
    assert page(project) == page(project, "-n", "1") == page(project, "-m", "requirement")


def test_page(project: pytest.Pytester) -> None:
    project.makepyfile(**COMPLETE)
    text = page(project)[1].decode()
    assert "<!-- " not in text
    assert "Is &lt;one&gt; &amp; only" in text
    for one in ("DOC-1-01", "DOC-1-03", "DOC-2-03"):
        assert text.count(f'<tr id="{one}"') == 1
    assert "says the same as <code>DOC-1-01</code>" in text
    assert "tests <code>test_two.py::test_answers</code>" in text
    assert "http" not in text


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), ": 3 passed, 1 umbrella, 1 untested, 1 open, 1 nowhere"),
        (("test_two.py",), " (a part of the tests): 1 passed, 1 umbrella, 3 untested, 1 open, 1 nowhere"),
    ],
)
def test_summary(project: pytest.Pytester, more: tuple[str, ...], said: str) -> None:
    project.makepyfile(**COMPLETE)
    assert f"conformance report in out{said}" in run(project, "--conformance-report=out", *more).outlines


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("why =", "wye =", "DOC-2-03 has unknown keys*wye*"),
        ('kind = "processing"\n', "", "DOC-2-* has no kind"),
        ('level = "SHOULD"', 'level = "SHOULD', "*(at line*"),
    ],
)
def test_rows_that_cannot_be_read_are_named(project: pytest.Pytester, old: str, new: str, said: str) -> None:
    """In one sentence, without a traceback."""
    path = project.path / "requirements" / "X-DOC.toml"
    path.write_text(CATALOGUE.replace(old, new), encoding="utf-8")
    result = project.runpytest_subprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: X-DOC.toml: {said}"])
    assert "Traceback" not in result.stderr.str()
