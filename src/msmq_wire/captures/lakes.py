"""Tables as Delta or Iceberg tables, on one machine.

1. The rows of a table are written to a Parquet file first, and then to the table in one commit, so that
   readers see the old rows or the new ones, never a part of them.
2. Each run replaces the rows, and removes tables that it does not write from the catalog.  Columns that an
   earlier version did not have are added, and comments are those of this version.
3. A Delta table is the directory ``output/<table>``.  The Iceberg tables are in the catalog
   ``output/catalog.db``, under the name ``msmq.<table>``, and their files are in ``output/<table>``.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CATALOG: Final = "catalog.db"
"""The file of the catalog of the Iceberg tables, in the output."""
NAMESPACE: Final = "msmq"
"""The namespace of the Iceberg tables."""
_ROWS: Final = 200_000
"""Number of rows of a file of an Iceberg table."""


def _batches(written: Path, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield the rows that were written to files, with the comments of the columns."""
    for file in sorted(written.iterdir()):
        with pq.ParquetFile(file) as parquet:
            for batch in parquet.iter_batches():
                yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)


def _emptied(there: Path, mark: str) -> None:
    """Remove a table of another format; the caller has checked that it is a table."""
    if there.is_dir() and not (there / mark).is_dir():
        shutil.rmtree(there)


def _delta() -> Callable[[Path, Path, pa.Schema], None]:
    deltalake = package("delta", "deltalake")

    def replace(written: Path, there: Path, schema: pa.Schema) -> None:
        _emptied(there, "_delta_log")
        rows = pa.RecordBatchReader.from_batches(schema, _batches(written, schema))
        deltalake.write_deltalake(str(there), rows, mode="overwrite", schema_mode="overwrite")

    return replace


def catalog_of(output: Path) -> Any:
    """Return the catalog of the Iceberg tables in an output.

    Raises:
        MsmqWireError: The package pyiceberg is not installed.
    """
    sql = package("iceberg", "pyiceberg.catalog.sql")
    output = output.absolute()
    return sql.SqlCatalog(NAMESPACE, uri=f"sqlite:///{output / CATALOG}", warehouse=output.as_uri())


def _iceberg() -> Callable[[Path, Path, pa.Schema], None]:
    package("iceberg", "pyiceberg.catalog.sql")
    errors, expressions = (import_module(f"pyiceberg.{name}") for name in ("exceptions", "expressions"))

    def replace(written: Path, there: Path, schema: pa.Schema) -> None:
        fields = [field.with_metadata({"doc": field.metadata[b"comment"]}) for field in schema]
        documented = pa.schema(fields)
        catalog, name = catalog_of(there.parent), f"{NAMESPACE}.{there.name}"
        catalog.create_namespace_if_not_exists(NAMESPACE)
        for older in catalog.list_tables(NAMESPACE):
            if not (there.parent / older[-1] / "metadata").is_dir():
                with suppress(errors.NoSuchTableError):
                    catalog.drop_table(older)  # its files were removed
        is_new = not (there / "metadata").is_dir()
        if is_new:
            _emptied(there, "metadata")
            catalog.create_table(name, documented, location=there.as_uri())
        table = catalog.load_table(name)
        with table.transaction() as transaction:
            if not is_new:
                with transaction.update_schema() as update:
                    update.union_by_name(documented)
                snapshot = table.current_snapshot()
                if snapshot is not None and snapshot.summary["total-records"] != "0":
                    transaction.delete(expressions.AlwaysTrue())
            for rows in _tables(written, documented):
                transaction.append(rows)

    return replace


def _tables(written: Path, schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield the rows that were written to files in tables of a bounded size."""
    pending: list[pa.RecordBatch] = []
    for batch in _batches(written, schema):
        pending.append(batch)
        if sum(len(rows) for rows in pending) >= _ROWS:
            yield pa.Table.from_batches(pending)
            pending = []
    if pending:
        yield pa.Table.from_batches(pending)


class MissingPackageError(MsmqWireError):
    """A package that a format needs is not installed."""


def package(extra: str, name: str) -> Any:
    """Import a package of an extra.

    Raises:
        MissingPackageError: It is not installed.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            f"the format {extra} needs the package {error.name}: pip install 'msmq_wire[{extra}]'"
        ) from None


LAKES: Final[dict[str, Callable[[], Callable[[Path, Path, pa.Schema], None]]]] = {
    "delta": _delta,
    "iceberg": _iceberg,
}
"""The formats whose tables have a log of commits; each returns the function that replaces the rows.

Its arguments are the directory with files of the new rows, the directory of the table, and its columns.
"""
KEPT: Final = {"iceberg": (CATALOG,)}
"""Files beside the tables of a format, which a run of this format continues."""
