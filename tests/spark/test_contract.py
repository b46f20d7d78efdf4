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


def made_by(writer: str, spark: SparkSession, inputs: Path, output: Path) -> None:
    if writer == "desk":
        captures.write(inputs, output)
        return
    columns = ["date", "sensor"] if writer == "spark" else None
    pipeline = Pipeline(spark, str(output), partition_by=columns)
    if writer == "increments":
        pipeline.take([str(inputs)])
        return
    if writer == "query":
        spark.dataSource.register(MsmqDataSource)
        pipeline.add(spark.read.format("msmq").option("tcpPorts", "any").load(str(inputs)), 0)
        return
    pipeline.read([str(inputs)])
    pipeline.make()


@pytest.mark.long
@pytest.mark.parametrize("writer", ["spark", "workers", "increments", "query"])
def test_files_have_the_schema_of_the_desk(
    writer: str, spark: SparkSession, inputs: Path, tmp_path: Path
) -> None:
    made_by("desk", spark, inputs, tmp_path / "desk")
    made_by(writer, spark, inputs, tmp_path / writer)
    differences: list[Any] = []
    for name in captures.SCHEMAS:
        (one,) = files_of(tmp_path / "desk" / name)
        wanted = columns_of(one)
        files = files_of(tmp_path / writer / name)
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
@pytest.mark.parametrize("writer", ["spark", "increments", "query"])
def test_spark_knows_the_comments(writer: str, spark: SparkSession, inputs: Path, tmp_path: Path) -> None:
    made_by(writer, spark, inputs, tmp_path / writer)
    for name in ("packets", "messages", "flows"):
        known = {field.name: field for field in spark.read.parquet(str(tmp_path / writer / name)).schema}
        for field in captures.SCHEMAS[name]:
            if field.name not in WRITER_COLUMNS:
                assert known[field.name].metadata.get("comment") == field.metadata[b"comment"].decode()
                assert known[field.name].nullable
