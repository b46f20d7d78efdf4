"""The benchmark of sessions runs, and an idle session stays small; how fast anything is plays no part."""

from __future__ import annotations

from benchmarks.bench_session import GOALS, idle, measure


def test_an_idle_session_is_small() -> None:
    assert idle() < GOALS["bytes of an idle session"]


def test_the_benchmark_runs() -> None:
    found = measure(64)
    assert set(found) == set(GOALS)
    assert all(value > 0 for value in found.values())
