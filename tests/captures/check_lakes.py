"""DuckDB's own readers read the lakes.  Named so that only ``nox -s lakes``, which installs them, runs it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest

from msmq_wire import captures
from msmq_wire.testing.captures import write_captures

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the extensions, which are installed from their packages."""
    with duckdb.connect() as connection:
        for name in ("avro", "delta", "iceberg"):
            folder = Path(str(import_module(f"duckdb_extension_{name}").__file__)).parent
            (file,) = folder.rglob("*.duckdb_extension")
            connection.execute(f"install '{file}'")
            connection.execute(f"load {name}")
        yield connection


@pytest.mark.parametrize("form", ["delta", "iceberg"])
def test_duckdb_reads(form: str, connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """The rows of the Parquet files, after they were written twice."""
    write_captures(tmp_path / "made", 300, seed=2, managers=5, files=2)
    inputs = tmp_path / "made" / "captures"
    captures.write(inputs, tmp_path / "parquet")
    for _ in range(2):
        captures.write(inputs, tmp_path / form, form)
    for name, schema in captures.SCHEMAS.items():
        table = tmp_path / form / name
        metadata = max(table.glob("metadata/*.metadata.json"), default=None)
        scan = f"delta_scan('{table}')" if form == "delta" else f"iceberg_scan('{metadata}')"
        rows = connection.sql(f"from {scan}")
        wanted = connection.sql(f"from '{tmp_path}/parquet/{name}/*.parquet'")
        assert rows.columns == wanted.columns == schema.names
        assert sorted(map(repr, rows.fetchall())) == sorted(map(repr, wanted.fetchall())), name
