"""The files of all writers have one schema: on a desk, by workers, by Spark, in increments and of queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from support_contract import WRITER_COLUMNS, columns_of, files_of

from msmq_wire import captures
from msmq_wire.spark import MsmqDataSource
from msmq_wire.spark.pipeline import Pipeline
from msmq_wire.testing.captures import write_captures

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A capture without faults, so that some tables have no rows."""
    place = tmp_path_factory.mktemp("inputs")
    write_captures(place / "made", 60, seed=2, managers=5, files=1)

    return place / "made" / "captures"


@pytest.fixture(scope="module")
def desk(inputs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of the desk."""
    output = tmp_path_factory.mktemp("desk")
    captures.write(inputs, output)
    return output


@pytest.fixture(scope="module", params=["spark", "workers", "increments", "query"])
def output(
    request: pytest.FixtureRequest,
    spark: SparkSession,
    inputs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Tables of a writer of Spark."""
    output = tmp_path_factory.mktemp(request.param)
    columns = ["date", "sensor"] if request.param == "spark" else None  # Spark's own writer makes partitions
    pipeline = Pipeline(spark, str(output), partition_by=columns)
    if request.param == "increments":
        pipeline.take([str(inputs)])
    elif request.param == "query":
        spark.dataSource.register(MsmqDataSource)
        pipeline.add(spark.read.format("msmq").option("tcpPorts", "any").load(str(inputs)), 0)
    else:
        pipeline.read([str(inputs)])
        pipeline.make()
    return output


@pytest.mark.long
def test_files_have_the_schema_of_the_desk(output: Path, desk: Path) -> None:
    differences: list[Any] = []
    for name in captures.SCHEMAS:
        (one,) = files_of(desk / name)
        wanted = columns_of(one)
        files = files_of(output / name)
        if not files:
            differences.append((name, "no file"))
        for file in files:
            own = columns_of(file)
            missing = {path for path in wanted.keys() - own.keys() if path not in WRITER_COLUMNS}
            differences += [(name, path, "missing") for path in missing]
            differences += [
                (name, path, own[path], wanted.get(path))
                for path in own
                if path not in WRITER_COLUMNS and own[path] != wanted.get(path)
            ]
            metadata = pq.ParquetFile(file).metadata
            for group in range(metadata.num_row_groups):
                if metadata.row_group(group).sorting_columns:
                    differences.append((name, "rows in an order"))
                parts = (metadata.row_group(group).column(at) for at in range(metadata.num_columns))
                differences += [
                    (name, part.path_in_schema, "no statistics")
                    for part in parts
                    if part.path_in_schema in {"time", "end_time", "sent_at"}
                    and part.num_values
                    and not part.is_stats_set
                ]
    assert not differences


@pytest.mark.long
def test_spark_knows_the_comments(output: Path, spark: SparkSession) -> None:
    for name in ("packets", "messages", "flows"):
        known = {field.name: field for field in spark.read.parquet(str(output / name)).schema}
        for field in captures.SCHEMAS[name]:
            if field.name not in WRITER_COLUMNS:
                assert known[field.name].metadata.get("comment") == field.metadata[b"comment"].decode()
                assert known[field.name].nullable
