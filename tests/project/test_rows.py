"""`for_each`: a test over a table is one failure, which names the rows."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from support_rows import for_each, table

if TYPE_CHECKING:
    from collections.abc import Callable

pytest_plugins = ["pytester"]

TESTS = """
import pytest
from hypothesis import given, settings, strategies as st
from support_rows import for_each, table
from support_marks import proves

seen = []

@for_each("number", lambda: range(100))
def test_numbers(number):
    assert number % 40 != 7, "expected another"

@for_each("name", table(lambda: 1 / 0))
def test_table(name):
    pass

@pytest.mark.parametrize("way", ["one", "other"])
@for_each(("name", "number"), lambda: [("a", 1), ("b", 2)])
@given(data=st.integers())
def test_property(way, name, number, data, tmp_path, request):
    assert tmp_path.is_dir() and request.node.name.startswith("test_property")
    seen.append((way, name, number, data))

def test_draws():
    drawn = {key: [data for *row, data in seen if row[0] == "one" and row[1] == key] for key in "ab"}
    assert len(drawn["a"]) > 2 and len(drawn["b"]) > 2 and drawn["a"] != drawn["b"]

@for_each("number", lambda: range(9))
def test_skipped(number):
    if number:
        pytest.skip("not here")

class TestOne:
    @for_each("number", lambda: range(9))
    def test_method(self, number, tmp_path):
        assert isinstance(self, TestOne)

@pytest.mark.each(3)
@for_each("number", lambda: range(9))
def test_some(number):
    assert number in {0, 3, 6}, number
"""


OPTIONS = ("-p", "no:cacheprovider", "-p", "no:randomly")
"""The order of the inner tests is that of the file, whatever plugins are installed."""


@pytest.fixture(name="run")
def _run(pytester: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    pytester.makeconftest(
        "def pytest_addoption(parser):\n    parser.addoption('--long', action='store_true')\n"
        "def pytest_configure(config):\n    config.addinivalue_line('markers', 'each(n)')\n"
    )
    pytester.makepyfile(test_one=TESTS)
    return lambda *words: pytester.runpytest_inprocess("-p", "support_rows", *OPTIONS, *words)


def test_all_rows_that_fail_are_one_failure(run: Callable[..., pytest.RunResult]) -> None:
    result = run()
    result.assert_outcomes(passed=6, failed=2)
    output = result.stdout.str()
    assert "AssertionError: 7: expected another" in output
    assert "3 of 100 rows fail; the others:" in output
    assert "47: expected another" in output
    assert "87: expected another" in output


def test_rows_by_name(run: Callable[..., pytest.RunResult]) -> None:
    result = run("-k", "numbers", "--row=8")
    assert "1 of" not in result.stdout.str()
    result.assert_outcomes(failed=1, deselected=7)
    run("-k", "numbers", "--row=5").assert_outcomes(passed=1, deselected=7)


def test_each_row_with_the_option(run: Callable[..., pytest.RunResult]) -> None:
    result = run("-k", "some", "--long")
    result.assert_outcomes(failed=1, deselected=7)
    assert "6 of 9 rows fail" in result.stdout.str()


def test_a_table_is_made_once() -> None:
    made: list[int] = []

    def make() -> list[int]:
        made.append(1)
        return made

    rows = table(make)
    assert not made
    assert rows() is rows()
    assert made == [1]


def test_a_test_keeps_its_name_and_its_marks() -> None:
    @for_each("number", lambda: range(3))
    @pytest.mark.long
    def test_something(number: int) -> None:
        """What it shows."""

    assert test_something.__doc__ == "What it shows."
    assert test_something.__name__ == "test_something"
    assert [mark.name for mark in getattr(test_something, "pytestmark")] == ["long"]  # noqa: B009


ORDER = """
import pytest

def test_other():
    assert False

@pytest.mark.tables
@pytest.mark.parametrize("number", range(3))
def test_table(number):
    assert number != 1

def test_another():
    assert False
"""


@pytest.mark.parametrize(("words", "passed", "failed"), [((), 2, 1), (("--keep-going",), 2, 3)])
def test_nothing_else_is_run_where_a_table_is_wrong(
    pytester: pytest.Pytester, words: tuple[str, ...], passed: int, failed: int
) -> None:
    pytester.makepyfile(test_one=ORDER)
    result = pytester.runpytest_inprocess("-p", "support_tables", *OPTIONS, *words)
    result.assert_outcomes(passed=passed, failed=failed)
    assert ("--keep-going runs them" in result.stdout.str()) == (not words)


@pytest.mark.long
def test_nothing_else_is_begun_by_workers(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker ends, and with it the run; with two, the other one gets nothing more to do."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    pytester.makepyfile(test_one=ORDER)
    result = pytester.runpytest_subprocess("-p", "support_tables", "-p", "no:cacheprovider", "-n", "1")
    assert "--keep-going runs them" in result.stdout.str()
    result.assert_outcomes(passed=2, failed=1)


def test_an_error_of_several_files_is_reported_once(pytester: pytest.Pytester) -> None:
    """It fails the run, with the first file; an error of another class is another failure."""
    pytester.makepyfile(
        test_first="raise ValueError('a row')",
        test_other="{}['a key']",
        test_second="raise ValueError('a use')",
    )
    result = pytester.runpytest_inprocess("-p", "support_tables", "-rs", *OPTIONS)
    result.assert_outcomes(errors=2, skipped=1)
    assert "after an error of test_first.py: ValueError: a use" in result.stdout.str()
