"""The benchmark runs and reports; how fast anything is plays no part here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import msmq_wire as mw

from . import report, sections
from .sections import Effort, Table
from .timing import Result, race

EFFORT = Effort(rounds=1, seconds=0, stream_size=20_000)


@pytest.mark.each(4)
@pytest.mark.parametrize("name", ["building", "tools", "streams", "cuts"])
def test_sections_run(name: str) -> None:
    """Those that need nothing but the library give a result for every row and contender."""
    for table in sections.SECTIONS[name](EFFORT):
        assert table.rows
        assert all(result.seconds > 0 for row in table.rows.values() for result in row.values())
        assert set(table.goals) <= set(table.rows)
        shown = report.markdown([table])
        assert all(f"| {row} |" in shown for row in table.rows)


def test_race() -> None:
    """Everybody has a turn in every round, and ratios are to the base."""
    calls: list[str] = []
    found = race({"a": lambda: calls.append("a"), "b": lambda: sum(range(10000))}, "a", rounds=3, seconds=0)
    assert found["a"].ratio == 1
    assert found["b"].seconds > 0
    assert len(calls) == 1 + 1 + 3
    assert race({"a": lambda: None}, None, rounds=1, seconds=0)["a"].ratio is None


def test_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times with their unit, ratios in brackets, goals at the end; nothing for who did not take part."""
    rows = {"x": {"HAND": Result(2e-6, 1.0), "ours": Result(3e-6, 1.5)}, "y": {"HAND": Result(1e-3, 1.0)}}
    table = Table("decode", "Decoding", ("us", 1e6), "HAND", rows, {"x": 1.3})
    assert "| x | 2.00 | 3.00 (1.50) | 1.3 |" in report.markdown([table])
    assert "| y | 1,000 |  |  |" in report.markdown([table])
    monkeypatch.setattr(report, "_SHOWN", ("msgspec",))
    plain = json.loads(json.dumps(report.plain([table])))
    assert plain["tables"]["decode"]["rows"]["x"]["ours"] == {"seconds": 3e-6, "ratio": 1.5}
    assert plain["python"].startswith(f"{sys.version_info.major}.")


def test_it_starts_as_the_page_says() -> None:
    """In the folder `tests`, without what pytest adds to the path."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["PYTHONPATH"] = str(Path(mw.__file__).parents[1])
    command = [sys.executable, "-m", "benchmarks", "--help"]
    told = subprocess.run(  # noqa: S603  # our own words
        command, cwd=Path(__file__).parents[1], env=environment, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    assert "--write FOLDER" in told.stdout
