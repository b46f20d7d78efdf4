"""A pytest plugin: coverage notes which test comes to a line, also of tests that otherwise are not traced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from coverage import Coverage

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Take away the marks by which tests are left out of coverage."""
    for item in items:
        item.own_markers[:] = [mark for mark in item.own_markers if mark.name != "no_cover"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let what runs now count for this test."""
    running = Coverage.current()
    if running is not None:
        running.switch_context(item.nodeid)
    return (yield)
