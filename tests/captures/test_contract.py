"""One contract of tables, whoever reads them: types, time zone, statistics, nullability and comments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support_contract import comments_of, files_of

from msmq_wire import captures, mqqb

from .segments import MESSAGE

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def parquet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of packets without directory messages, so that several are empty."""
    place = tmp_path_factory.mktemp("contract")
    (place / "some.packets").write_bytes(MESSAGE + mqqb.SessionAck().encode() + MESSAGE[:100])
    captures.write(place / "some.packets", place / "tables")
    return place / "tables"


def test_every_column_says_what_it_is() -> None:
    """In a sentence; and each column of each table has another name."""
    for name, schema in captures.SCHEMAS.items():
        comments = {field.name: (field.metadata or {}).get(b"comment", b"").decode() for field in schema}
        wrong = [column for column, text in comments.items() if not text.endswith(".") or text[0].islower()]
        wrong += [column for column, text in comments.items() if re.search("``|  |\n", text)]
        assert not wrong, name
        assert len(set(schema.names)) == len(schema.names)


def test_files_have_the_schema(parquet: Path) -> None:
    """Also those of empty tables, with comments; columns are nullable, times have statistics."""
    for name, schema in captures.SCHEMAS.items():
        (file,) = files_of(parquet / name)
        found = pq.read_schema(file)
        assert found.equals(schema, check_metadata=False), name
        assert {field.name: field.metadata[b"comment"] for field in found} == {
            field.name: field.metadata[b"comment"] for field in schema
        }
        assert comments_of(file) == {field.name: field.metadata[b"comment"].decode() for field in schema}
        assert all(field.nullable for field in found)
        metadata = pq.ParquetFile(file).metadata
        for group in range(metadata.num_row_groups):
            columns = (metadata.row_group(group).column(at) for at in range(metadata.num_columns))
            times = [one for one in columns if one.path_in_schema in {"time", "end_time", "sent_at"}]
            assert all(one.physical_type == "INT64" and one.is_stats_set for one in times)
            assert metadata.row_group(group).sorting_columns == ()


KINDS = {
    "string": "VARCHAR", "int64": "BIGINT", "int32": "INTEGER", "int16": "SMALLINT", "bool": "BOOLEAN",
    "binary": "BLOB", "timestamp[us, tz=UTC]": "TIMESTAMP WITH TIME ZONE",
}  # fmt: skip
"""The types of columns in DuckDB."""


def test_duckdb_reads_them(parquet: Path, tmp_path: Path) -> None:
    """A database has the rows of the files, with the same types and comments."""
    duckdb = pytest.importorskip("duckdb")
    captures.write(parquet.parent / "some.packets", tmp_path, "duckdb")
    with duckdb.connect() as connection, duckdb.connect(str(tmp_path / "tables.duckdb")) as database:
        for name, schema in captures.SCHEMAS.items():
            of_files = connection.execute(f"describe from '{parquet}/{name}/*.parquet'").fetchall()
            assert [row[0] for row in of_files] == schema.names
            plain = {field.name: KINDS[str(field.type)] for field in schema if str(field.type) in KINDS}
            assert {row[0]: row[1] for row in of_files if row[0] in plain} == plain
            query = "select column_name, data_type, comment from duckdb_columns() where table_name = ?"
            columns = database.execute(query, [name]).fetchall()
            assert {column: comment for column, _, comment in columns} == {
                field.name: field.metadata[b"comment"].decode() for field in schema
            }
            assert {column: kind for column, kind, _ in columns if column in plain} == plain
            count = pq.read_table(parquet / name).num_rows
            assert database.table(name).aggregate("count(*)").fetchall() == [(count,)]


def test_polars_and_pandas_read_them(parquet: Path) -> None:
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    for name, schema in captures.SCHEMAS.items():
        (file,) = files_of(parquet / name)
        frame = polars.read_parquet(file)
        assert frame.columns == schema.names
        for field in schema:
            if field.type == pa.timestamp("us", tz="UTC"):
                assert frame.schema[field.name] == polars.Datetime("us", "UTC")
        table = pandas.read_parquet(file)
        assert [*table.columns] == schema.names
        times = [field.name for field in schema if pa.types.is_timestamp(field.type)]
        assert {str(table[column].dtype) for column in times} <= {"datetime64[us, UTC]"}
