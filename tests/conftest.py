"""The plugin for requirements; how many examples property tests draw: few by default, many when asked for.

With pytest-xdist, all tests with a Spark session go to one worker, so that there is one session.
"""

from __future__ import annotations

import importlib
import os
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from support_invariants import checked

from msmq_wire.machines.replication import Machine

setattr(Machine, "step", checked(Machine.step))  # noqa: B010  # after every step of every test

pytest_plugins = ["conformance_plugin"]

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


def pytest_configure(config: pytest.Config) -> None:
    """The mark of pytest-cov, where that is not installed."""
    config.addinivalue_line("markers", "no_cover: lines that this test reaches are not counted")
    config.addinivalue_line(
        "markers", "each(n): each n-th example is run, and all with the profile 'thorough'"
    )


_TRACED = 16
"""The number of examples of a test that are traced for coverage."""
_LONG = ("tests/spark/", "tests/machines/test_replication_enterprise.py", "tests/fuzz/", "tests/project/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Which tests are traced for coverage, which takes 2 to 3 times as long, and their order.

    Not traced are tests that draw their examples, and all but the first examples of other tests: the bar of
    coverage holds without them.
    Tests that repeat one thing many times, to measure memory or to try every cut, have the mark themselves.
    What takes long begins first, so that no process waits for it in the end.
    """
    items[:] = _chosen(items)
    items.sort(key=lambda item: not item.nodeid.startswith(_LONG))
    seen: Counter[str] = Counter()
    for item in items:
        test = item.nodeid.partition("[")[0]
        seen[test] += 1
        if seen[test] > _TRACED or getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("no_cover")


def _chosen(items: list[pytest.Item]) -> list[pytest.Item]:
    """Without examples that only the profile ``thorough`` runs."""
    if settings.get_current_profile_name() == "thorough":
        return items
    seen: Counter[str] = Counter()
    kept = []
    for item in items:
        mark = item.get_closest_marker("each")
        test = item.nodeid.partition("[")[0]
        if mark is None or seen[test] % mark.args[0] == 0:
            kept.append(item)
        seen[test] += 1
    return kept


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
    return "spark" if nodeid.startswith("tests/spark/") else nodeid.partition("[")[0]
