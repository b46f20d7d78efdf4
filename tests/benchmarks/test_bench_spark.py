"""The rows that the benchmark of the whole job writes into a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support_spark import Stage, Usage

from benchmarks.bench_spark import row_of, stage_row, write_rows

if TYPE_CHECKING:
    from pathlib import Path


def test_rows_of_a_page(tmp_path: Path) -> None:
    """Rows of sizes that were measured are replaced, others stay, and all are in the order of sizes."""
    page = tmp_path / "page.md"
    tables = "".join(
        f"<!-- {name} -->\n| head |\n|---|\n<!-- end of {name} -->\n" for name in ("scale", "stages")
    )
    page.write_text(f"a\n{tables}b\n", "utf-8")
    spark, desk = Usage(500.4, 100, 300, 40, 30), Usage(0, 90, 0, 4, 0)
    write_rows(page, "scale", [row_of(100_000, 0.1, "Spark", 20, spark)], (1, 3))
    rows = [row_of(1_000_000, 0.8, "desk", 41, desk), row_of(100_000, 0.1, "desk", 5, desk)]
    write_rows(page, "scale", rows, (1, 3))
    write_rows(page, "scale", [row_of(100_000, 0.1, "Spark", 22, spark)], (1, 3))
    for seconds in (3, 4):
        stages = [Stage("start", 1, 50), Stage("reading", seconds, 80.4)]
        write_rows(page, "stages", [stage_row(100_000, "desk", stage) for stage in stages], (1, 2, 3))
    assert page.read_text("utf-8").splitlines() == [
        *("a", "<!-- scale -->", "| head |", "|---|"),
        "| 100,000 | 0.1 GB | Spark | 22 s | 400 µs | 300 µs | 300 MB | 500 MB |",
        "| 100,000 | 0.1 GB | desk | 5 s | 40 µs |  | 90 MB |  |",
        "| 1,000,000 | 0.8 GB | desk | 41 s | 4 µs |  | 90 MB |  |",
        *("<!-- end of scale -->", "<!-- stages -->", "| head |", "|---|"),
        "| 100,000 | desk | start | 10.0 µs | 50 MB |",
        "| 100,000 | desk | reading | 40.0 µs | 80 MB |",
        *("<!-- end of stages -->", "b"),
    ]
    page.write_text("nothing", "utf-8")
    with pytest.raises(SystemExit, match="has no table"):
        write_rows(page, "scale", [], (1, 3))
