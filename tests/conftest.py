"""The plugin for requirements; how many examples property tests draw: few by default, many when asked for."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

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
