"""Delta and Iceberg tables: written, written again, with new columns, and read by others."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from msmq_wire import MsmqWireError, captures, mqqb
from msmq_wire.captures import lakes

from .segments import MESSAGE

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ["packets", "messages", "directory_changes", "frames"]


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    path = tmp_path / "some.packets"
    path.write_bytes(MESSAGE * 3 + mqqb.SessionAck().encode() + MESSAGE[:100])
    return path


def expected(capture: Path, name: str) -> list[dict[str, Any]]:
    return rows_of(captures.tables(capture, [name])[name].read_all(), name)


def rows_of(table: pa.Table, name: str) -> list[dict[str, Any]]:
    """The rows of a table, whoever has read it: the columns of ours, and times in UTC."""
    rows = [_in_utc(row) for row in table.select(captures.SCHEMAS[name].names).to_pylist()]
    return sorted(rows, key=lambda row: (row.get("offset", 0), str(row)))


def _in_utc(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _in_utc(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_in_utc(inner) for inner in value]
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def older(name: str) -> pa.Schema:
    """The columns of an earlier version, which lacks one."""
    schema = captures.SCHEMAS[name]
    return schema.remove(schema.names.index("destinations"))


def write_older(form: str, output: Path, capture: Path) -> None:
    """Writes `messages` as an earlier version would have done."""
    stage = output.parent / "older"
    captures.write(capture, stage, names=["messages"])
    table = pa.parquet.read_table(stage / "messages").drop_columns(["destinations"])
    (stage / "messages" / "part-00000.parquet").unlink()
    pa.parquet.write_table(table, stage / "messages" / "part-00000.parquet")
    output.mkdir()
    lakes.LAKES[form]()(stage / "messages", output / "messages", older("messages"))


@pytest.mark.long
def test_delta(capture: Path, tmp_path: Path) -> None:
    deltalake, duckdb, polars = (pytest.importorskip(name) for name in ("deltalake", "duckdb", "polars"))
    output = tmp_path / "lake"
    write_older("delta", output, capture)
    for version in (1, 2):
        captures.write(capture, output, "delta", NAMES)
        for name in NAMES:
            table = deltalake.DeltaTable(output / name)
            assert table.version() == (version if name == "messages" else version - 1)
            comments = {field.name: field.metadata.get("comment") for field in table.schema().fields}
            assert comments == {
                field.name: field.metadata[b"comment"].decode() for field in captures.SCHEMAS[name]
            }
            rows = expected(capture, name)
            assert rows_of(table.to_pyarrow_table(), name) == rows
            own = table.to_pyarrow_dataset()  # noqa: F841  # DuckDB looks for it
            assert rows_of(duckdb.sql("select * from own").to_arrow_table(), name) == rows
            assert rows_of(polars.read_delta(str(output / name)).to_arrow(), name) == rows


@pytest.mark.long
def test_iceberg(capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyiceberg.catalog.sql")
    monkeypatch.setenv("POLARS_ICEBERG_PLANNER", "pyiceberg")
    polars = pytest.importorskip("polars")
    output = tmp_path / "lake"
    write_older("iceberg", output, capture)
    for _ in range(2):
        captures.write(capture, output, "iceberg", NAMES)
        for name in NAMES:
            table = lakes.catalog_of(output).load_table(f"{lakes.NAMESPACE}.{name}")
            comments = {field.name: field.doc for field in table.schema().fields}
            assert comments == {
                field.name: field.metadata[b"comment"].decode() for field in captures.SCHEMAS[name]
            }
            rows = expected(capture, name)
            assert rows_of(table.scan().to_arrow(), name) == rows
            with table.scan().to_duckdb("rows") as connection:
                assert rows_of(connection.sql("select * from rows").to_arrow_table(), name) == rows
            assert rows_of(polars.scan_iceberg(table).collect().to_arrow(), name) == rows


@pytest.mark.long
@pytest.mark.parametrize(("form", "package"), [("delta", "deltalake"), ("iceberg", "pyiceberg.catalog.sql")])
def test_formats_replace_each_other(form: str, package: str, capture: Path, tmp_path: Path) -> None:
    """Tables of one format are replaced by those of another; other files are not."""
    pytest.importorskip(package)
    output = tmp_path / "lake"
    captures.write(capture, output, "parquet", NAMES)
    captures.write(capture, output, form, NAMES)
    assert not list((output / "messages").glob("part-00000.parquet"))
    captures.write(capture, output, "parquet", NAMES)
    assert [path.name for path in (output / "messages").iterdir()] == ["part-00000.parquet"]
    captures.write(capture, output, form, NAMES)
    (folder,) = (path for path in (output / "messages").iterdir() if path.name in {"_delta_log", "metadata"})
    (folder / "mine.json").write_text("{}")
    with pytest.raises(MsmqWireError, match=r"mine\.json is not a file of a table"):
        captures.write(capture, output, "parquet", NAMES)


@pytest.mark.long
def test_nothing_of_an_older_catalog_remains(capture: Path, tmp_path: Path) -> None:
    """It has the tables of one run, and goes with them."""
    pytest.importorskip("pyiceberg.catalog.sql")
    output = tmp_path / "lake"
    captures.write(capture, output, "iceberg", NAMES)
    captures.write(capture, output, "iceberg", ["frames"])
    assert lakes.catalog_of(output).list_tables(lakes.NAMESPACE) == [(lakes.NAMESPACE, "frames")]
    captures.write(capture, output, "parquet", NAMES)
    assert {path.name for path in output.iterdir()} == {*NAMES, "run"}
    (output / lakes.CATALOG).write_text("mine")
    with pytest.raises(MsmqWireError, match=r"catalog\.db is not a file of a table"):
        captures.write(capture, output, "parquet", NAMES)


@pytest.mark.parametrize("form", ["delta", "iceberg"])
def test_a_missing_package_is_named(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name=name.partition(".")[0])

    monkeypatch.setattr(lakes, "import_module", missing)
    with pytest.raises(MsmqWireError, match=rf"format {form} needs .*: pip install 'msmq_wire\[{form}\]'"):
        captures.write(tmp_path, tmp_path / "out", form)
