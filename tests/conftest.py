"""The plugin for requirements; how many examples property tests draw: few by default, many when asked for.

With pytest-xdist, all tests with a Spark session go to one worker, so that there is one session.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from support_invariants import checked

from msmq_wire.machines.replication import Machine

sys.dont_write_bytecode = False  # the processes that tests start would each compile the package again
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

setattr(Machine, "step", checked(Machine.step))  # noqa: B010  # after every step of every test

pytest_plugins = ["support_rows", "conformance_plugin"]

settings.register_profile(
    "ci",
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.register_profile("quick", parent=settings.get_profile("ci"), max_examples=5)
settings.register_profile("thorough", parent=settings.get_profile("ci"), max_examples=1000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that leaves nothing out."""
    parser.addoption(
        "--long",
        action="store_true",
        help="run the tests marked 'long' and every case of those marked 'each'",
    )
    parser.addoption(
        "--budget", type=float, help="begin no test after so many seconds; the others are skipped"
    )
    parser.addoption("--first", default="", help="words, separated by commas: files named so come first")


def pytest_configure(config: pytest.Config) -> None:
    """The marks of what takes long."""
    config.addinivalue_line("markers", "long: only with the option --long")
    config.addinivalue_line("markers", "each(n): each n-th case is run, and all with the option --long")


_STARTED = time.monotonic()
_NO_SESSION = "tests/spark/test_kill.py"
"""Tests that start Spark in processes of their own, and run beside those that share a session."""
_FIRST = ("tests/spark/", "tests/machines/test_replication_enterprise.py", "tests/fuzz/", "tests/project/")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes long, unless it is asked for; of the rest, what takes longest begins first."""
    if not config.getoption("--long"):
        _leave_out(config, items)
    items.sort(key=lambda item: not item.nodeid.startswith(_FIRST))
    words = [word for word in config.getoption("--first").split(",") if word]
    items.sort(key=lambda item: not any(word in item.path.stem for word in words))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what no longer fits into the time of a quick run."""
    budget = item.config.getoption("--budget")
    if budget is not None and time.monotonic() - _STARTED > budget:
        pytest.skip(f"not begun within {budget:g} s")


def _leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    seen: Counter[str] = Counter()
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        mark = item.get_closest_marker("each")
        test = item.nodeid.partition("[")[0]
        chosen = item.get_closest_marker("long") is None and (mark is None or seen[test] % mark.args[0] == 0)
        (kept if chosen else left).append(item)
        seen[test] += 1
    items[:] = kept
    config.hook.pytest_deselected(items=left)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: tests of Spark and of programs wait for other processes."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The examples of a test together, and all tests with a session of Spark.

    Each example by itself would be 10,000 units of work, and make the fixtures of a module in both workers.
    The mark ``xdist_group`` would say so, but pytest-xdist 3.8 loses it with pytest 9.2.
    """
    config.option.loadscopereorder = False
    scheduler = importlib.import_module("xdist.scheduler").LoadScopeScheduling(config, log)
    scheduler._split_scope = _scope
    return scheduler


def _scope(nodeid: str) -> str:
    test = nodeid.partition("[")[0]
    return "spark" if test.startswith("tests/spark/") and not test.startswith(_NO_SESSION) else test
