"""Files of workers in the folders of partitions, which have the names that Spark gives them."""

from __future__ import annotations

import datetime as dt
import string
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from msmq_wire.captures.schemas import plain
from msmq_wire.captures.tables import FLOWS
from msmq_wire.spark._outputs.partitions import folders_of, has_texts
from msmq_wire.spark._outputs.schema import spark_type
from msmq_wire.spark._outputs.sink import Sink
from msmq_wire.spark._workers import files as files_module
from msmq_wire.spark._workers.files import Files

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

NONE = "__HIVE_DEFAULT_PARTITION__"
TEXTS = [None, "", " ", "/a b/", "ä\U0001f600", "a=b", "%2F", "\x1f\x7f\x80", *string.punctuation]


def test_folders_are_those_of_spark(spark: SparkSession, tmp_path: Path) -> None:
    count = len(TEXTS)
    columns = {
        "text": pa.array(TEXTS),
        "date": pa.array([None, *[dt.date(1969, 12, 31)] * (count - 1)]),
        "number": pa.array([None, *range(-1, count - 2)], pa.int16()),
        "flag": pa.array([None, True, *[False] * (count - 2)]),
    }
    rows = pa.table({**columns, "value": pa.array(range(count))})
    assert all(has_texts(column.type) for column in columns.values())
    written = spark.createDataFrame(rows, spark_type(rows.schema)).coalesce(1).write
    written.partitionBy(*columns).parquet(str(tmp_path / "out"))
    folders = {str(file.parent.relative_to(tmp_path / "out")) for file in tmp_path.rglob("*.parquet")}
    assert folders == {*folders_of(rows, columns).to_pylist()}


@pytest.mark.parametrize("memory", [0, 1 << 20])
def test_files_in_folders(
    memory: int, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows keep their order in a folder; a table without rows has a file, and is replaced as a whole."""
    monkeypatch.setattr(files_module, "_MEMORY", memory)
    columns = ["open", "date", "sensor"]
    schema = pa.schema([field for field in FLOWS if field.name not in columns])
    files = Files(str(tmp_path / "stage" / "files"), {"flows": schema}, {"flows": columns})
    sink = Sink(spark, str(tmp_path))
    folder = tmp_path / "flows" / "batch=1"
    empty = f"open=0/date={NONE}/sensor={NONE}"
    days = {None: NONE, dt.datetime(2023, 11, 14, 23, 59, tzinfo=dt.UTC): "2023-11-14"}
    for tasks in (0, 2, 0):
        written: list[str] = []
        expected: dict[str, list[int]] = {} if tasks else {empty: []}
        for is_open in range(tasks):
            task = files.task(["flows"], is_open=bool(is_open))
            for size in range(40):
                sensor, time = "ab"[size % 2], [*days][size // 2 % 2]
                row = dict.fromkeys(FLOWS.names) | {"sensor": sensor, "time": time, "size": size}
                task.add("flows", pa.RecordBatch.from_pylist([row], plain(FLOWS)))
                expected.setdefault(f"open={is_open}/date={days[time]}/sensor={sensor}", []).append(size)
            written += task.close()["flows"]
        sink.put("flows", files, written, str(tmp_path / "stage"), 1)
        tables = {
            str(file.parent.relative_to(folder)): pq.ParquetFile(file).read() for file in folder.rglob("*.*")
        }
        assert {name: rows["size"].to_pylist() for name, rows in tables.items()} == expected
        assert all(
            rows.schema.remove_metadata().equals(schema, check_metadata=True) for rows in tables.values()
        )
