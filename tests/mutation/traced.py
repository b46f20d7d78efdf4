"""A pytest plugin: coverage notes which test comes to a line, and ``.coverage.times`` how long each takes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from coverage import Coverage

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let what runs now count for this test."""
    running = Coverage.current()
    if running is not None:
        running.switch_context(item.nodeid)
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note the time, in the process that hears of all tests."""
    if report.when != "teardown" and "PYTEST_XDIST_WORKER" not in os.environ:
        with Path(".coverage.times").open("a", encoding="utf-8") as file:
            file.write(f"{report.duration:.3f} {report.nodeid}\n")
