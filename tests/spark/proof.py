"""A run of any size against its ground truth: captures with every fault, the job, a comparison in Spark.

1. Packets, gaps, messages, sessions and violations have to be the same rows; `support_differences` says how
   that is told.  The balance, which the job itself insists on, has to be 0.
2. The changes of the directory have to be those that were captured, and the tables about them what plain
   Python works out of these.
3. The job runs in a process of its own, and prints what each stage took.  It ends with 1 if anything differs.
4. Captures that are there already are taken.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from support_spark import run_job, session

from msmq_wire.spark.pipeline import Pipeline
from msmq_wire.testing.captures import Faults, write_captures

from .support_changes import expected_changes, expected_tables, found_changes, found_tables
from .support_differences import differences


def directory_differences(tables: Path, truth: Path) -> dict[str, int]:
    """How many changes are too many and too few, and how many rows of the other tables are not the same."""

    def rows(name: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = pq.read_table(tables / name).to_pylist()
        return found

    told = found_changes(rows("directory_changes"))
    found, right = Counter(one._replace(captured=()) for one in told), expected_changes(truth)
    different = {"change, too many": (found - right).total(), "change, too few": (right - found).total()}
    tables_found, tables_right = found_tables(rows), expected_tables(told)
    for name, known in tables_right.items():
        print(f"{len(known):>12,}  rows of {name}, by object or change")  # noqa: T201  # as below
        different[f"{name}, not the same"] = _unlike(known, tables_found[name])
    return different


def _unlike(one: Any, other: Any) -> int:
    if isinstance(one, set):
        return len(one ^ other)
    return sum(one.get(key) != other.get(key) for key in one.keys() | other.keys())


def captures(directory: Path, packets: int, seed: int) -> None:
    """Make captures and their ground truth, if they are not there yet."""
    made = directory / f"made {packets} {seed}"
    if not made.exists():
        write_captures(directory, packets, seed=seed, faults=Faults.all(), managers=200, files=8)
        made.touch()


def main() -> int:
    """Generate, run and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--packets", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--master", default="local[*]")
    parser.add_argument("--memory", default="4g", help="of the driver, which in local mode does it all")
    parser.add_argument("--compare", action="store_true", help="only compare what an earlier run has made")
    given = parser.parse_args()
    captures(given.directory, given.packets, given.seed)
    tables = given.directory / "tables"
    if not given.compare:
        seconds, usage, _ = run_job([given.directory / "captures"], tables, given.master, given.memory)
        print(f"{seconds:,.0f} s; {usage}", flush=True)  # noqa: T201  # a program that prints its findings
    spark = session(given.master, given.memory)
    table = Pipeline(spark, str(tables)).table
    different = differences(spark, table, given.directory)
    different["flow, not in balance"] = table("balance").where("difference <> 0").count()
    spark.stop()
    different |= directory_differences(tables, given.directory / "directory.parquet")
    print("\n".join(f"{count:>12,}  {name}" for name, count in different.items()))  # noqa: T201  # as above
    return int(any(different.values()))


if __name__ == "__main__":
    sys.exit(main())
