"""Stages of the Spark pipeline against the ceiling of each, and the whole job at several sizes.

1. The ceiling of a stage is `mapInArrow` with a function that gives back what it gets, over the rows and
   columns that the stage's worker gets: what Spark itself takes to bring them to Python and back.  Stage and
   ceiling take turns, both throw their rows away, and the best of each counts.
2. Both are timed on the clock and in processor time of all processes, which is steadier where others work on
   the same machine.
3. The input of a stage is a Parquet table that the stage before has written: `segments` for reassembly,
   `pieces` for `packets` (bytes to typed headers), `packets` for `messages` and `violations`, `pieces` and
   `flows` for `sessions`.
4. A job runs in a process of its own over captures, with all stages, the summary and the report.  More than a
   million packets are the same million, seen by several sensors.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pyspark.sql import functions as F  # as everybody calls it
from support_spark import Watch, run_job, session

from msmq_wire.captures.rows.messages import FIELDS
from msmq_wire.captures.rows.packets import CARRIED
from msmq_wire.spark import flows, tables
from msmq_wire.spark.functions import register
from msmq_wire.testing.captures import Faults, write_captures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

REPEATS = 5
MOST = 1_000_000
PLACES = [name for name, _, _ in CARRIED]


class Cost(NamedTuple):
    """Seconds on the clock, and of processor time."""

    clock: float
    processor: float


def identity(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What every worker has to do at least."""
    yield from batches


def cost(rows: DataFrame) -> Cost:
    """What it takes to make these rows and to throw them away."""
    with Watch() as watch:
        start = time.perf_counter()
        rows.write.format("noop").mode("overwrite").save()
        clock = time.perf_counter() - start
    return Cost(clock, watch.usage.seconds)


def best(costs: list[Cost]) -> Cost:
    return Cost(*map(min, zip(*costs, strict=True)))


def stages_of(spark: SparkSession, place: str) -> dict[str, tuple[DataFrame, Callable[[], DataFrame]]]:
    """The input of each stage's worker, and the stage."""
    table = {
        name: spark.read.parquet(f"{place}/{name}") for name in ("segments", "pieces", "packets", "flows")
    }
    pieces, found = table["pieces"], table["packets"]
    fields = [F.col(path).alias(path.replace(".", "_")) for path in FIELDS]
    return {
        "pieces": (table["segments"], lambda: flows.reassembled(flows.ordered(table["segments"]))),
        "packets": (
            pieces.where("kind = 'packet'").select(*PLACES, "type", "data"),
            lambda: tables.packets(pieces),
        ),
        "messages": (
            found.where("type = 'UserMessage'").select(*PLACES, *fields),
            lambda: tables.messages(found),
        ),
        "violations": (found.select(*PLACES, "data"), lambda: tables.violations(found)),
        "sessions": (pieces, lambda: tables.session_rows(pieces, table["flows"])),
    }


def measure(spark: SparkSession, packets: int, place: str) -> None:
    """The stages at one size."""
    write_captures(place, packets, seed=1, faults=Faults.all(), managers=100)
    spark.read.format("msmq").load(f"{place}/captures").write.parquet(f"{place}/segments")
    places = flows.ordered(spark.read.parquet(f"{place}/segments"))
    flows.reassembled(places).write.parquet(f"{place}/pieces")
    flows.spans(places).write.parquet(f"{place}/flows")
    tables.packets(spark.read.parquet(f"{place}/pieces")).write.parquet(f"{place}/packets")
    count = spark.read.parquet(f"{place}/packets").count()
    size = spark.read.parquet(f"{place}/packets").selectExpr("sum(size)").collect()[0][0] / 1e6
    print(f"\n{count:,} packets, {size:.1f} MB; us per packet, and the share of the ceiling")
    titles = ("ceiling", "stage", "ratio", "of cpu:", "ceiling", "stage", "ratio", "packets/s", "MB/s")
    print(f"{'stage':<11}" + "".join(f"{title:>11}" for title in titles), flush=True)
    for name, (rows, make) in stages_of(spark, place).items():
        turns = [(cost(rows.mapInArrow(identity, rows.schema)), cost(make())) for _ in range(REPEATS)]
        ceiling, stage = (best(list(costs)) for costs in zip(*turns, strict=True))
        shown = [
            *(f"{value / count * 1e6:.1f}" for value in (ceiling.clock, stage.clock)),
            f"{ceiling.clock / stage.clock:.2f}",
            "",
            *(f"{value / count * 1e6:.1f}" for value in (ceiling.processor, stage.processor)),
            f"{ceiling.processor / stage.processor:.2f}",
            f"{count / stage.clock:,.0f}",
            f"{size / stage.clock:.1f}",
        ]
        print(f"{name:<11}" + "".join(f"{value:>11}" for value in shown), flush=True)


def sensors(directory: Path, packets: int) -> list[Path]:
    """Captures of so many packets, a directory for each sensor; what is there is taken."""
    made = directory / f"made-{min(packets, MOST)}"
    if not made.exists():
        write_captures(made, min(packets, MOST), seed=1, faults=Faults.all(), managers=200, files=8)
    found = [made / "captures"]
    for number in range(1, packets // MOST):
        copy = directory / f"copy-{number}"
        copy.mkdir(exist_ok=True)
        for capture in found[0].iterdir():
            if not (copy / capture.name).exists():
                os.link(capture, copy / capture.name)
        found.append(copy)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packets", nargs="*", type=int, help="sizes for the stages")
    parser.add_argument("--jobs", nargs="*", type=int, default=[], help="sizes for the whole job")
    parser.add_argument("--directory", type=Path, help="where captures for jobs are, and stay")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--memory", default="4g")
    given = parser.parse_args()
    if given.packets or not given.jobs:
        spark = session(given.master, given.memory, **{"spark.sql.shuffle.partitions": "4"})
        register(spark)
        for packets in given.packets or [100_000]:
            with tempfile.TemporaryDirectory() as place:
                measure(spark, packets, place)
        spark.stop()
    with tempfile.TemporaryDirectory() as place:
        for packets in given.jobs:
            inputs = sensors(given.directory or Path(place), packets)
            seconds, usage = run_job(inputs, Path(place, f"tables-{packets}"), given.master, given.memory)
            each = f"{seconds / packets * 1e6:.0f} us a packet, {usage.seconds / packets * 1e6:.0f} of cpu"
            print(f"{packets:,} packets: {seconds:,.0f} s, {each}; {usage}", flush=True)


if __name__ == "__main__":
    main()
