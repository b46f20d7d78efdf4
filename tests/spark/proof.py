"""A run of any size against its ground truth: captures with every fault, the job, a comparison in Spark.

1. Packets and gaps have to be the same rows, each at its place with its bytes; of what is neither, each flow
   has to have the same number of bytes.
2. It prints what each stage took, and ends with 1 if anything differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # as everybody calls it

from msmq_wire.spark.pipeline import Pipeline
from msmq_wire.spark.summary import summary_of
from msmq_wire.testing.captures import Faults, write_captures

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ENDS = ["file", "src", "src_port", "dst", "dst_port"]


def rows_of(table: DataFrame, size: str, *more: str) -> DataFrame:
    """Rows in the form that compares."""
    named = table.withColumn("file", F.element_at(F.split("file", "/"), -1)).withColumnRenamed(size, "size")
    return named.select(*ENDS, F.col("offset").cast("bigint"), F.col("size").cast("bigint"), *more)


def differences(pipeline: Pipeline, truth: DataFrame) -> dict[str, int]:
    """How many rows the tables have too many and too few."""
    table = pipeline.table
    digest = F.sha2("data", 256).alias("digest")
    found = {
        "packet": rows_of(
            table("packets").where("transport = 'tcp'").withColumn("digest", digest), "size", "digest"
        ),
        "gap": rows_of(table("gaps").withColumn("file", F.coalesce("file", "last_file")), "size"),
        "junk": rows_of(table("quarantine").where("transport = 'tcp' and kind <> 'conflict'"), "size"),
    }
    different = {}
    for kind, rows in found.items():
        right = truth.where(F.col("kind") == kind)
        if kind == "packet":
            right = rows_of(right.withColumn("digest", digest), "length", "digest")
        elif kind == "gap":
            right = rows_of(right, "length")
        else:
            right = rows_of(right, "length").groupBy(*ENDS).agg(F.sum("size").alias("size"))
            rows = rows.groupBy(*ENDS).agg(F.sum("size").alias("size"))  # noqa: PLW2901  # the same, in another form
        different[f"{kind}, too many"] = rows.exceptAll(right).count()
        different[f"{kind}, too few"] = right.exceptAll(rows).count()
    return different


def main() -> int:
    """Generate, run and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--packets", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--master", default="local[*]")
    parser.add_argument("--memory", default="4g", help="of the driver, which in local mode does it all")
    given = parser.parse_args()
    written = write_captures(
        given.directory, given.packets, seed=given.seed, faults=Faults.all(), managers=200, files=8
    )
    print(f"{written.packets:,} packets, {written.gaps:,} gaps, {written.junk:,} pieces of junk")  # noqa: T201
    builder = SparkSession.builder.master(given.master).appName("proof")
    builder = builder.config("spark.driver.memory", given.memory).config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.session.timeZone", "UTC").config("spark.log.level", "ERROR")
    spark = builder.config("spark.sql.shuffle.partitions", "16").getOrCreate()
    start = time.monotonic()
    pipeline = Pipeline(spark, str(given.directory / "tables"), told=lambda line: print(line, flush=True))  # noqa: T201
    pipeline.read([str(given.directory / "captures")])
    pipeline.make()
    print(summary_of(pipeline, time.monotonic() - start))  # noqa: T201  # a program that prints its findings
    different = differences(pipeline, spark.read.parquet(str(written.truth)))
    print("\n".join(f"{count:>12,}  {name}" for name, count in different.items()))  # noqa: T201  # as above
    spark.stop()
    return int(any(different.values()))


if __name__ == "__main__":
    sys.exit(main())
