"""The benchmark of captures runs, and reports each job."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from pyarrow import parquet

from benchmarks import bench_captures

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.long
def test_tables(tmp_path: Path) -> None:
    found = bench_captures.tables(60, 1, tmp_path)
    assert {"all tables", "packets"} <= found.keys()
    assert ("tshark with payload" in found) == bool(shutil.which("tshark"))
    for cost in found.values():
        assert cost.processor > 0
        assert cost.memory > 1
    assert (tmp_path / "tables" / "packets" / "part-00000.parquet").exists()


@pytest.mark.long
def test_connections(tmp_path: Path) -> None:
    costs = bench_captures.connections(40, 1, tmp_path)
    assert {*costs} == {"alone", "in one", "single"}
    assert all(cost.processor > 0 for cost in costs.values())
    sessions = parquet.read_table(tmp_path / "tables" / "sessions")
    assert sessions.num_rows == 1  # of the last job


def test_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each job at each size, and one for each size of packets that are put together."""
    cost = bench_captures.Cost(0.5, 1.0, 100.0)
    jobs = {"all tables": cost, "tshark with payload": cost._replace(processor=1.0)}
    lone = {"alone": cost, "in one": cost._replace(processor=0.3), "single": cost._replace(processor=0.1)}
    monkeypatch.setattr(bench_captures, "tables", lambda *_: jobs)
    monkeypatch.setattr(bench_captures, "connections", lambda *_: lone)
    bench_captures.main(["1000", "--turns", "1", "--bytes", "9000"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 * 2 + 1 + 2 * 5
    assert " 0.50 of tshark" in lines[0]
    assert "500.0 us a packet" in lines[2]
    assert " 2.00 of one connection" in lines[4]
    assert all("times decode" in line and "times copy" in line for line in lines[-10:])
