"""The files of all writers have one schema: on a desk, by workers, by Spark, in increments and of queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql.pandas.types import from_arrow_schema
from support_contract import WRITER_COLUMNS, columns_of, comments_of, files_of
from support_examples import share

from msmq_wire import captures
from msmq_wire.spark import MsmqDataSource
from msmq_wire.spark._outputs.schema import spark_type
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


@pytest.fixture(scope="module", params=["spark", "workers", "increments", "query"][: share(4, 3)])
def writer(request: pytest.FixtureRequest) -> Any:
    """How a job of Spark makes tables."""
    return request.param


@pytest.fixture(scope="module")
def output(writer: str, spark: SparkSession, inputs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of this writer."""
    output = tmp_path_factory.mktemp(writer)
    is_spark = writer == "spark"  # its own writer makes what is at a URL
    columns = ["date", "sensor"] if is_spark else None
    pipeline = Pipeline(spark, f"file:{output}" if is_spark else str(output), partition_by=columns)
    if writer == "increments":
        pipeline.take([str(inputs)])
    elif writer == "query":
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
        (of_desk,) = files_of(desk / name)
        wanted = columns_of(of_desk)
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
def test_arrow_knows_the_comments(writer: str, output: Path, desk: Path) -> None:
    """Where workers write, with the types of the desk; Spark's own writer stores them under its key alone."""
    for name in captures.SCHEMAS:
        (of_desk,) = files_of(desk / name)
        for file in files_of(output / name):
            schema = pa.schema([*pq.read_schema(file)])
            folders = {part.partition("=")[0] for part in file.parts if "=" in part}
            wanted = pa.schema([field for field in pq.read_schema(of_desk) if field.name not in folders])
            assert schema.names == wanted.names
            if writer == "spark":
                assert not any(field.metadata for field in schema)
            else:
                assert schema.equals(wanted, check_metadata=True), name


@pytest.mark.long
def test_every_writer_stores_the_comments(output: Path) -> None:
    """Under the same key, with the types of Spark."""
    for name, schema in captures.SCHEMAS.items():
        for file in files_of(output / name):
            folders = {part.partition("=")[0] for part in file.parts if "=" in part}
            fields = [field for field in schema if field.name not in folders]
            assert comments_of(file) == {field.name: field.metadata[b"comment"].decode() for field in fields}


@pytest.mark.long
def test_spark_knows_the_comments(desk: Path, spark: SparkSession) -> None:
    """As every writer stores them."""
    for name, schema in captures.SCHEMAS.items():
        known = {field.name: field for field in spark.read.parquet(str(desk / name)).schema}
        for field in schema:
            assert known[field.name].metadata.get("comment") == field.metadata[b"comment"].decode()
            assert known[field.name].nullable


@pytest.mark.long
def test_types_are_those_of_spark() -> None:
    """By Spark's own conversion."""
    for schema in captures.SCHEMAS.values():
        converted = from_arrow_schema(schema)
        types = [(field.name, field.dataType, field.nullable) for field in spark_type(schema)]
        assert types == [(field.name, field.dataType, field.nullable) for field in converted]
