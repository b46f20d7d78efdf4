"""The plugin for requirements; how many examples property tests draw: few by default, many when asked for.

With pytest-xdist, all tests with a Spark session go to one worker, so that there is one session.
"""

from __future__ import annotations

import importlib
import os
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
settings.register_profile("thorough", parent=settings.get_profile("ci"), max_examples=1000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Every test by itself, but for those with a session of Spark.

    The mark ``xdist_group`` would say so, but pytest-xdist 3.8 loses it with pytest 9.2.
    """
    scheduler = importlib.import_module("xdist.scheduler").LoadScopeScheduling(config, log)
    scheduler._split_scope = _scope
    return scheduler


def _scope(nodeid: str) -> str:
    """The jobs of `test_job.py` are processes with sessions of their own."""
    in_session = nodeid.startswith("tests/spark/") and not nodeid.startswith("tests/spark/test_job.py")
    return "spark" if in_session else nodeid
