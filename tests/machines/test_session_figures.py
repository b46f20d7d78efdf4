"""The benchmark of sessions runs, and an idle session stays small; how fast anything is plays no part."""

from __future__ import annotations

from benchmarks import bench_session


def test_an_idle_session_is_small() -> None:
    assert bench_session.idle() < bench_session.GOALS["bytes of an idle session"]


def test_the_benchmark_runs() -> None:
    found = bench_session.measure(64)
    assert set(found) == set(bench_session.GOALS)
    assert all(value > 0 for value in found.values())
