"""Reads captures with a query of Structured Streaming into tables, a file in each batch, and ends.

``python -m stream_into INPUT --output DIR --tables NAME,... CHECKPOINT --conf=NAME=VALUE...``
"""

from __future__ import annotations

import sys
from typing import Any

from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession

from msmq_wire.spark import MsmqDataSource, Pipeline


def _tell(line: object) -> None:
    sys.stderr.write(f"{line}\n")


def main(place: str, _: str, output: str, __: str, tables: str, checkpoint: str, *settings: str) -> int:
    builder: Any = SparkSession.builder.master("local[1]")
    for setting in settings:
        builder = builder.config(*setting.removeprefix("--conf=").split("=", 1))
    spark = builder.getOrCreate()
    pipeline = Pipeline(
        spark, output, tables=tables.split(","), progress=_tell
    )  # workers run this interpreter now
    spark.dataSource.register(MsmqDataSource)
    query = (
        spark.readStream.format("msmq")
        .options(tcpPorts="any", maxFilesPerTrigger="1")
        .load(place)
        .writeStream.foreachBatch(pipeline.add)
        .option("checkpointLocation", checkpoint)
        .trigger(availableNow=True)
        .start()
    )
    try:
        query.awaitTermination()
    except StreamingQueryException as error:
        _tell(error)
        return 1
    finally:
        spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
