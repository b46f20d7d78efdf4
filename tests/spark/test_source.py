"""`format("msmq")`, read once."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from pyspark.errors import PySparkException
from pyspark.sql.datasource import EqualTo, IsNotNull, LessThan, StringEndsWith

from msmq_wire.captures.files.reading import ReadLimits, rows_of
from msmq_wire.captures.files.splits import FileSlice
from msmq_wire.captures.network.frames import Ports
from msmq_wire.spark import SEGMENTS, MsmqDataSource
from msmq_wire.testing.captures import Faults, write_captures

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

LIMITS = ReadLimits(Ports(frozenset({1801}), frozenset({3527})))


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """Capture files of one enterprise in several formats."""
    location = tmp_path_factory.mktemp("captures")
    forms: tuple[Any, ...] = ("pcap", "pcapng", "pcap.gz")
    # Fragments can be in two parts of a file.
    faults = msgspec.structs.replace(Faults.all(), fragment=0.0, bend=0.0)
    written = [
        write_captures(location / form, 60, seed=4, faults=faults, form=form, files=2) for form in forms
    ]
    return tuple(path for one in written for path in one.captures)


@pytest.fixture
def msmq(spark: SparkSession) -> SparkSession:
    spark.dataSource.register(MsmqDataSource)
    return spark


def expected(path: Path) -> list[tuple[Any, ...]]:
    return list(rows_of(FileSlice(str(path), "auto", 0, path.stat().st_size), LIMITS))


def rows(frame: Any) -> list[tuple[Any, ...]]:
    """Rows as the reading gives them."""
    arrow = frame.orderBy("file", "frame").toArrow()
    columns = [
        column.cast("int64") if name == "time" else column
        for name, column in zip(arrow.column_names, arrow.columns, strict=True)
    ]
    return list(zip(*(column.to_pylist() for column in columns), strict=True))


@pytest.mark.long
def test_directory(msmq: SparkSession, captures: tuple[Path, ...]) -> None:
    """All files of all formats below a directory, as rows; several tasks share one file."""
    root = captures[0].parents[2]
    frame = msmq.read.format("msmq").option("pathGlobFilter", "*.pcap*").option("minPartitions", 9)
    loaded = frame.load(str(root))
    assert loaded.schema == MsmqDataSource({"path": "x"}).schema()
    assert loaded.columns == SEGMENTS.names
    want = sorted((row for path in captures for row in expected(path)), key=lambda row: (row[0], row[1]))
    assert rows(loaded) == want
    tasks = loaded.selectExpr("spark_partition_id() as task", "file").distinct().groupBy("file").count()
    assert max(row["count"] for row in tasks.collect()) > 1


@pytest.mark.long
def test_without_a_call(spark: SparkSession, captures: tuple[Path, ...]) -> None:
    """Spark finds the format by itself, in a session that nothing was made known to."""
    found = spark.newSession().read.format("msmq").load(str(captures[0]))
    assert found.count() == len(expected(captures[0]))


def test_columns(msmq: SparkSession, captures: tuple[Path, ...]) -> None:
    """A schema of the user's names the columns to read."""
    frame = msmq.read.format("msmq").schema("seq bigint, file string").load(str(captures[0]))
    want = sorted((row[9], row[0]) for row in expected(captures[0]) if row[9] is not None)
    assert sorted((row.seq, row.file) for row in frame.dropna().collect()) == want


@pytest.mark.each(2)
@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ("sequence bigint", "there is no column sequence; there are file, frame, offset"),
        ("seq int", "the column seq is of type bigint, not int"),
    ],
)
def test_columns_that_are_none(msmq: SparkSession, schema: str, problem: str) -> None:
    with pytest.raises(PySparkException, match=problem):
        msmq.read.format("msmq").schema(schema).load("anywhere").collect()


@pytest.mark.long
def test_paths(msmq: SparkSession, captures: tuple[Path, ...]) -> None:
    """Several places at once, patterns, and SQL."""
    first, second = captures[:2]
    frame = msmq.read.format("msmq").load([str(first), str(second)])
    assert frame.count() == len(expected(first)) + len(expected(second))
    assert msmq.read.format("msmq").load(f"{first.parent}/*00.pcap").count() == len(expected(first))
    msmq.sql(f"CREATE OR REPLACE TEMP VIEW seen USING msmq OPTIONS (path '{first}', udpPorts 'any')")
    assert msmq.sql("SELECT count(*) AS n FROM seen").collect()[0].n == len(expected(first))
    msmq.catalog.dropTempView("seen")


def test_a_path_that_is_none(msmq: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(PySparkException, match=r"there is no file .*/nothing"):
        msmq.read.format("msmq").load(str(tmp_path / "nothing")).collect()


def test_a_directory_without_files(msmq: SparkSession, tmp_path: Path) -> None:
    assert msmq.read.format("msmq").load(str(tmp_path)).collect() == []


def test_an_option_that_is_none(msmq: SparkSession) -> None:
    with pytest.raises(PySparkException, match="there is no option 'port'; there are path"):
        msmq.read.format("msmq").option("port", "1801").load("anywhere").collect()


@pytest.mark.long
def test_damage_is_a_row(msmq: SparkSession, captures: tuple[Path, ...], tmp_path: Path) -> None:
    """A damaged file does not stop the others, and says where and why it ends."""
    data = captures[0].read_bytes()
    (tmp_path / "cut.pcap").write_bytes(data[:-5])
    (tmp_path / "no.pcap").write_bytes(b"nothing of the kind")
    (tmp_path / "whole.pcap").write_bytes(data)
    found = msmq.read.format("msmq").load(str(tmp_path))
    errors = {row.file.rpartition("/")[2]: row.error for row in found.where("error is not null").collect()}
    assert set(errors) == {"cut.pcap", "no.pcap"}
    assert errors["cut.pcap"].startswith("the file ends within a frame: ")
    assert errors["no.pcap"] == "the file does not begin as pcap, pcapng or MSMQ packets does"
    counts = found.groupBy("file").count().collect()
    number = len(expected(captures[0]))
    assert sorted(row["count"] for row in counts) == [1, number, number]


@pytest.mark.each(4)
@pytest.mark.parametrize("condition", [
    "time >= timestamp'2023-11-14 22:13:20.05 UTC' AND time < timestamp'2023-11-14 22:13:20.1 UTC'",
    "dst_port = 1801 AND file LIKE '%00.pcap'",
    "src IN ('10.0.0.1', '10.1.0.2') AND frame <= 100 AND error IS NULL",
    "frame > 7 OR file = 'nothing'",
])  # fmt: skip
def test_filters(msmq: SparkSession, captures: tuple[Path, ...], condition: str) -> None:
    """Filters that the source takes leave what Spark would leave."""
    source = msmq.read.format("msmq").option("tcpPorts", "any")
    wanted = rows(source.load(str(captures[0].parent)).where(condition))
    msmq.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    try:
        assert (
            rows(source.option("pushdown", "true").load(str(captures[0].parent)).where(condition)) == wanted
        )
    finally:
        msmq.conf.unset("spark.sql.python.filterPushdown.enabled")
    assert len(wanted) > 5


def test_what_filters_leave_out(captures: tuple[Path, ...], tmp_path: Path) -> None:
    """Rows are left out while files are read, and files by their names."""
    (tmp_path / "other.pcap").write_bytes(b"nothing that anybody opens")
    time = dt.datetime(2023, 11, 14, 22, 13, 20, 50_000, dt.UTC)
    options = {"paths": json.dumps([str(captures[0]), str(tmp_path)]), "pushdown": "true"}
    source = MsmqDataSource(options)
    reader = source.reader(source.schema())
    filters = [
        StringEndsWith(("file",), "00.pcap"), LessThan(("time",), time), EqualTo(("dst_port",), 1801),
        IsNotNull(("seq",)),
    ]  # fmt: skip
    assert [*reader.pushFilters(filters)] == filters
    found = [batch for task in reader.partitions() for batch in reader.read(task)]
    made = [row for batch in found for row in batch.to_pylist()]
    wanted = [row for row in expected(captures[0]) if row[3] is not None and row[8] == 1801]
    first = time.timestamp() * 1_000_000
    assert [row["frame"] for row in made] == [row[1] for row in wanted if row[3] < first]
    assert 0 < len(made) < len(wanted)
    unpushed = MsmqDataSource({**options, "pushdown": "false"})
    assert "pushFilters" not in vars(type(unpushed.reader(source.schema())))
