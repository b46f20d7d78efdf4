"""Tests of the tables come first, and if one of them fails, no other test is run.

1. The definitions, relations, rules, requirements and strategies are tables from which everything is made.  A
   wrong row would fail hundreds of tests; tests marked ``tables`` name the row.
2. The run ends after the file of the first that fails, with workers as soon as one ends for this reason.
   ``tables(0)`` comes before the others.
3. With ``--keep-going`` the others are run nevertheless.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

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

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Put the tests of tables first."""
        items.sort(key=_order)

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
