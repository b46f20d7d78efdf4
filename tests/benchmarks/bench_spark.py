"""Stages of the Spark pipeline against the ceiling: an identity pass over the same rows in the same run."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import SparkSession

from msmq_wire.spark import flows, tables
from msmq_wire.spark.functions import register
from msmq_wire.testing.captures import Faults, write_captures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame

REPEATS = 3


def identity(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What every worker has to do at least."""
    yield from batches


def seconds(make: Callable[[], DataFrame]) -> float:
    """The best of a few runs that throw the rows away."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        make().write.format("noop").mode("overwrite").save()
        best = min(best, time.perf_counter() - start)
    return best


def passed(rows: DataFrame) -> DataFrame:
    return rows.mapInArrow(identity, rows.schema)


def peaks() -> dict[str, float]:
    """The largest resident memory of our processes in MB: of Java, and of one Python worker."""
    parents, names, sizes = {}, {}, {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            facts = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except (OSError, ValueError):
            continue
        number = int(facts["Pid"])
        parents[number], names[number] = int(facts["PPid"]), facts["Name"]
        sizes[number] = int(facts.get("VmHWM", "0 kB").split()[0]) / 1024
    found: dict[str, float] = {}
    for number, name in names.items():
        above = number
        while above in parents and above != os.getpid():
            above = parents[above]
        if above == os.getpid() and number != above:
            kind = "java" if name == "java" else "python worker"
            found[kind] = max(found.get(kind, 0.0), sizes[number])
    return found


def measure(spark: SparkSession, packets: int) -> None:
    """One size."""
    with tempfile.TemporaryDirectory() as place:
        write_captures(place, packets, seed=1, faults=Faults.all(), managers=100)
        read = spark.read.format("msmq").load(f"{place}/captures")
        start = time.perf_counter()
        read.write.parquet(f"{place}/segments")
        reading = time.perf_counter() - start
        segments = spark.read.parquet(f"{place}/segments")
        flows.reassembled(flows.ordered(segments)).write.parquet(f"{place}/pieces")
        pieces = spark.read.parquet(f"{place}/pieces")
        tables.packets(pieces).write.parquet(f"{place}/packets")
        found = spark.read.parquet(f"{place}/packets")
        slim: Any = found.select("sensor", "flow", "offset", "data")
        size = pieces.selectExpr("sum(length(data))").collect()[0][0] / 1e6
        count = found.count()
        print(f"\n{count:,} packets, {size:.1f} MB; captures to segments {reading:.1f} s")
        titles = ("ceiling s", "stage s", "packets/s", "MB/s", "us/packet", "ratio")
        print(f"{'stage':<12}" + "".join(f"{title:>12}" for title in titles))
        ceilings = {"pieces": seconds(lambda: passed(segments)), "packets": seconds(lambda: passed(pieces))}
        ceilings["messages"] = ceilings["violations"] = seconds(lambda: passed(slim))
        stages: dict[str, Callable[[], DataFrame]] = {
            "pieces": lambda: flows.reassembled(flows.ordered(segments)),
            "packets": lambda: tables.packets(pieces),
            "messages": lambda: tables.messages(found),
            "violations": lambda: tables.violations(found),
        }
        for name, make in stages.items():
            took = seconds(make)
            values = (
                ceilings[name],
                took,
                count / took,
                size / took,
                took / count * 1e6,
                ceilings[name] / took,
            )
            print(f"{name:<12}" + "".join(f"{value:>12,.2f}" for value in values))
        print("peak memory in MB: " + ", ".join(f"{name} {value:,.0f}" for name, value in peaks().items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packets", nargs="*", type=int, default=[100_000])
    parser.add_argument("--master", default="local[2]")
    given = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(given.master).config("spark.ui.enabled", "false")
    builder = builder.config("spark.log.level", "ERROR").config("spark.sql.shuffle.partitions", "4")
    spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    register(spark)
    for packets in given.packets:
        measure(spark, packets)
    spark.stop()


if __name__ == "__main__":
    main()
