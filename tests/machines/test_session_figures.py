"""The benchmark of sessions runs, and an idle session stays small; how fast anything is plays no part."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support_calls import calls_of

from benchmarks.bench_session import GOALS, idle, measure, talk


@pytest.mark.long
def test_an_idle_session_is_small() -> None:
    assert idle() < GOALS["bytes of an idle session"]


@pytest.mark.long
def test_the_benchmark_runs() -> None:
    found = measure(64)
    assert set(found) == set(GOALS)
    assert all(value > 0 for value in found.values())


def test_the_benchmark_runs_with_a_bound_of_seconds() -> None:
    """A process whose seconds are bounded has a coarse clock, by which a round takes no time."""
    pytest.importorskip("resource")
    code = (
        "import resource; from benchmarks.bench_session import talk\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (100, resource.getrlimit(resource.RLIMIT_CPU)[1]))\n"
        "assert min(talk(64) for _ in range(7)) > 0"
    )
    paths = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": paths})  # noqa: S603  # ours


def test_calls_for_a_message() -> None:
    """What a message costs is bounded by counted calls: building it, both ends, and its acknowledgment."""
    talk(64)
    _, calls = calls_of(lambda: talk(640))
    assert calls / 640 < 100
