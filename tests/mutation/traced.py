"""A pytest plugin: coverage notes which test comes to a line."""

from __future__ import annotations

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
