"""Where tables go: files of other formats, catalogs, and formats that replace rows by a condition."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyspark import cloudpickle
from pyspark.sql import DataFrameWriter
from pyspark.sql.datasource import DataSource, DataSourceWriter, WriterCommitMessage

from msmq_wire.captures.schemas import plain
from msmq_wire.captures.tables import FLOWS
from msmq_wire.spark._outputs.schema import spark_type
from msmq_wire.spark._outputs.sink import Sink
from msmq_wire.spark._workers.files import Files
from msmq_wire.spark._workers.unpacking import with_more
from msmq_wire.spark.pipeline import Pipeline
from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession


class Lake(DataSource):
    """A format that says what it was asked to write."""

    @classmethod
    def name(cls) -> str:
        return "lake"

    def writer(self, schema: Any, overwrite: bool) -> DataSourceWriter:
        return Writer(dict(self.options), overwrite, schema.names)


class Writer(DataSourceWriter):
    """Writes what it was told to a file."""

    def __init__(self, options: dict[str, str], overwrite: bool, names: list[str]) -> None:
        self.options = options
        self.overwrite = overwrite
        self.names = names

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        rows = [dict(zip(self.names, map(str, row), strict=True)) for row in iterator]
        if rows:
            said = {"options": self.options, "overwrite": self.overwrite, "rows": rows}
            Path(self.options["path"], "said").write_text(json.dumps(said), encoding="utf-8")
        return WriterCommitMessage()


def rows_of(spark: SparkSession, rows: list[tuple[str, int]], *, is_open: int | None = None) -> DataFrame:
    """Rows of `flows`, of which only flow and size differ; with `open` in an increment."""
    schema = FLOWS if is_open is None else with_more(FLOWS, ["open"])
    made = [dict.fromkeys(schema.names) | {"sensor": "/a b/", "flow": flow, "size": size, "open": is_open}
            for flow, size in rows]  # fmt: skip
    table = pa.Table.from_pylist([{name: row[name] for name in schema.names} for row in made], schema)
    return spark.createDataFrame(table, spark_type(schema))


def flows_of(rows: DataFrame) -> list[tuple[str, int]]:
    return sorted((row.flow, row.size) for row in rows.collect())


@pytest.mark.long
def test_files(spark: SparkSession, tmp_path: Path) -> None:
    """Increments are directories beside each other; what was open counts until the next one."""
    sink = Sink(spark, str(tmp_path), "orc", partition_by=("date", "sensor"))
    for number, over, still in ((1, ("a", 1), ("b", 1)), (2, ("b", 2), ("c", 1)), (2, ("b", 3), ("c", 2))):
        first, second = (rows_of(spark, [row], is_open=at) for at, row in enumerate((over, still)))
        sink.write("flows", first.union(second), number)
    assert flows_of(sink.read("flows", FLOWS, 1)) == [("a", 1), ("b", 1)]
    assert flows_of(sink.read("flows", FLOWS, 2)) == [("a", 1), ("b", 3), ("c", 2)]
    assert sink.read("flows", FLOWS, 2).columns == FLOWS.names
    sink.forget(["flows"], 1)
    locations = {str(path.relative_to(tmp_path)) for path in (tmp_path / "flows").rglob("sensor=*")}
    assert locations == {
        f"flows/batch={place}/sensor=%2Fa b%2F" for place in ("1/open=0", "2/open=0", "2/open=1")
    }


def test_files_of_workers(spark: SparkSession, tmp_path: Path) -> None:
    """Files that have rows become the table, with the types and comments that Spark itself writes."""
    files = Files(str(tmp_path / "stage" / "files"), {"flows": FLOWS, "gaps": FLOWS}, {})
    sink = Sink(spark, str(tmp_path))
    for sizes in ([1, 2], [3], []):
        locations = []
        for size in sizes:
            task = files.task(["flows", "gaps"])
            (batch,) = rows_of(spark, [("a", size)]).toArrow().cast(plain(FLOWS)).to_batches()
            task.add("flows", batch)
            written = task.close()
            assert [*written] == ["flows"]
            locations += written["flows"]
        files.task(["flows"]).add("flows", batch)  # an attempt that fails
        sink.put("flows", files, locations, str(tmp_path / "stage"))
        rows = spark.read.parquet(sink.path("flows"))
        assert rows.schema == spark_type(FLOWS)
        assert flows_of(rows) == [("a", size) for size in sizes]


def test_where_workers_write(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They do so on the machine of the driver alone; Spark writes all that is not plain Parquet at a path.

    Only Spark knows its names of partitions by times.
    """
    place = str(tmp_path)
    assert Sink(spark, place).is_here
    assert not Sink(spark, f"file:{place}").is_here
    assert not Sink(spark, place, "orc").is_here
    assert not Sink(spark, place, catalog="spark_catalog.of_tables").is_here
    assert Pipeline(spark, place, partition_by=["date", "sensor"])._own_files() is not None
    assert Pipeline(spark, place, partition_by=["time"])._own_files() is None
    monkeypatch.setattr(type(spark.conf), "get", lambda *_: "local-cluster[1,1,1024]")
    assert not Sink(spark, place).is_here


@pytest.mark.long
def test_catalog(spark: SparkSession, tmp_path: Path) -> None:
    """Tables of a catalog are replaced as a whole by a run over everything."""
    spark.sql("CREATE DATABASE of_tables")
    sink = Sink(spark, str(tmp_path), catalog="spark_catalog.of_tables", partition_by=("sensor",))
    try:
        for rows in ([("a", 1), ("b", 1)], [("c", 2)]):
            sink.write("flows", rows_of(spark, rows))
            assert flows_of(spark.sql("SELECT * FROM of_tables.flows")) == rows
        assert flows_of(sink.read("flows", FLOWS)) == [("c", 2)]
        assert [row.partition for row in spark.sql("SHOW PARTITIONS of_tables.flows").collect()]
        rows_of(spark, [("d", 3)]).drop("size").write.saveAsTable("of_tables.gaps")  # an earlier version
        assert [(row.flow, row.size) for row in sink.read("gaps", FLOWS).collect()] == [("d", None)]
    finally:
        spark.sql("DROP DATABASE of_tables CASCADE")


def test_increments_in_a_catalog_of_files(spark: SparkSession, tmp_path: Path) -> None:
    """Spark's own catalog cannot replace rows of files; the error comes before anything is read."""
    pipeline = Pipeline(spark, str(tmp_path), catalog="spark_catalog.of_files")
    with pytest.raises(MsmqWireError, match="need a format that replaces rows, such as delta or iceberg"):
        pipeline.take([str(tmp_path / "nothing")])
    assert not [*tmp_path.iterdir()]


@pytest.mark.each(4)
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"form": "lakes"}, "Spark has no format lakes"),
        ({"form": "avro"}, "Spark has no format avro"),
        ({"form": "csv"}, "the table packets cannot have the format csv: .*BaseHeader"),
        ({"form": "text", "tables": ["gaps"]}, "the table gaps cannot have the format text: .*src_port"),
        ({"catalog": "no_lake.msmq"}, "there is no catalog no_lake"),
        ({"catalog": "no_schema"}, "has no schema no_schema"),
        ({"catalog": "spark_catalog.no_schema"}, "has no schema no_schema"),
        ({"catalog": "a b"}, "'a b' names no catalog and schema: .*Syntax error at or near 'b'"),
        ({"catalog": "a-b"}, "'a-b' names no catalog and schema: .*identifier a-b is invalid"),
    ],
)
def test_formats_that_are_none(
    options: dict[str, str], problem: str, spark: SparkSession, tmp_path: Path
) -> None:
    """It is told before anything is read, not after hours."""
    pipeline = Pipeline(spark, str(tmp_path / "out"), **options)  # type: ignore[arg-type]
    with pytest.raises(MsmqWireError, match=problem):
        pipeline.read([str(tmp_path / "in")])
    if "catalog" not in options:
        with pytest.raises(MsmqWireError, match=problem):
            pipeline.take([str(tmp_path / "in")])
    assert not [*tmp_path.iterdir()]


@pytest.mark.long
def test_other_formats(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Formats that are not files are asked to replace what an increment replaces, in one commit."""
    columns: list[str] = []

    def partition_by(writer: DataFrameWriter, *names: str) -> DataFrameWriter:
        columns.extend(names)  # which a source in Python cannot have
        return writer

    monkeypatch.setattr(DataFrameWriter, "partitionBy", partition_by)
    pickling: Any = cloudpickle
    pickling.register_pickle_by_value(sys.modules[__name__])  # workers do not know the tests
    spark.dataSource.register(Lake)
    sink = Sink(spark, str(tmp_path), "lake")
    (tmp_path / "flows").mkdir()
    sink.write("flows", rows_of(spark, [("a", 1)], is_open=1), 7)
    said = json.loads((tmp_path / "flows" / "said").read_text(encoding="utf-8"))
    options = {name.lower(): value for name, value in said["options"].items()}
    assert said["overwrite"]
    assert columns == ["batch", "open"]
    assert options["replacewhere"] == "batch = 7 OR open = 1"
    assert options["mergeschema"] == "true"
    (row,) = said["rows"]
    assert (row["flow"], row["open"], row["batch"]) == ("a", "1", "7")


@pytest.mark.parametrize(("names", "expected"), [([], []), (["date", "open"], ["date", "open"])])
def test_more_columns(names: list[str], expected: list[str]) -> None:
    assert with_more(FLOWS, names).names == [*FLOWS.names, *expected]
    without = pa.schema([field for field in FLOWS if field.name != "time"])
    assert "date" not in with_more(without, names).names
