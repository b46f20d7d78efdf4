"""Tests of the tables come first, and if one of them fails, no other test is run.

1. The definitions, relations, rules, requirements and strategies are tables from which everything is made.  A
   wrong row would fail hundreds of tests; tests marked ``tables`` name the row.
2. The run ends after the file of the first that fails, with workers as soon as one ends for this reason.
   ``tables(0)`` comes before the others, and ``tables(-1)`` before that.
3. Files that cannot be imported for one cause are one failure: the first is reported, and those that raise an
   error of the same class are skipped, with the error as the reason.
4. With ``--keep-going`` the others are run nevertheless.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

__all__ = ["Tables"]

_MARK: Final = "tables"
_REASON: Final = "a table is wrong, see above: no other test was run (--keep-going runs them)"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that runs the other tests nevertheless."""
    parser.addoption("--keep-going", action="store_true", help="run all tests although a table is wrong")


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark and the hooks."""
    config.addinivalue_line("markers", f"{_MARK}(order): comes first; if it fails, no other test is run")
    if not config.getoption("--keep-going"):
        config.pluginmanager.register(Tables(), "tests of tables")


class Tables:
    """Whether a test of a table failed, in this process."""

    def __init__(self) -> None:
        self._failed = False
        self._errors: dict[str, str] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Put the tests of tables first."""
        items.sort(key=_order)

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Any, Any]:
        """Report an error once, with the first file that raises it."""
        report: Any = yield
        if report.failed:
            error = str(report.longrepr).splitlines()[-1].removeprefix("E").strip()
            first = self._errors.setdefault(error.partition(":")[0], collector.nodeid)
            if first != collector.nodeid:
                report.outcome = "skipped"
                report.longrepr = (str(collector.path), 0, f"Skipped: after an error of {first}: {error}")
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
        """End the run after the file in which one failed."""
        result = yield
        others = nextitem is not None and (
            nextitem.path != item.path or nextitem.get_closest_marker(_MARK) is None
        )
        if self._failed and others:
            item.session.shouldfail = _REASON
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a failure."""
        if report.failed and _MARK in report.keywords:
            self._failed = True


def _order(item: pytest.Item) -> int:
    mark = item.get_closest_marker(_MARK)
    if mark is None:
        return 2
    return int(mark.args[0]) if mark.args else 1
