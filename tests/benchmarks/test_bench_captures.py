"""The benchmark of captures runs, and reports each job."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

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


def test_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each job at each size, and one for each size of packets that are put together."""
    cost = bench_captures.Cost(0.5, 1.0, 100.0)
    jobs = {"all tables": cost, "tshark with payload": cost._replace(processor=1.0)}
    monkeypatch.setattr(bench_captures, "tables", lambda *_: jobs)
    bench_captures.main(["1000", "--turns", "1", "--bytes", "9000"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 * 2 + 2 * 5
    assert " 0.50 of tshark" in lines[0]
    assert "500.0 us a packet" in lines[2]
    assert all("times decode" in line and "times copy" in line for line in lines[-10:])
