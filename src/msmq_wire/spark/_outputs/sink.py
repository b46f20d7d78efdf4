"""Writes tables with Spark's own writers: to directories of files, or to tables of a catalog.

1. A run over all captures replaces each table.
2. Each increment has a number, in the column `batch`.  Rows of connections that are still open have 1 in the
   column `open`.  They are valid until the next increment, which writes these connections again.  The table
   therefore consists of the rows up to the last complete increment with ``open = 0 OR batch = <that
   number>``.
3. In directories of files, each increment is a directory.  It is not read until the increment is complete,
   and a repeated increment overwrites it.  Formats that can replace rows by a condition, such as Delta and
   Iceberg, contain only the valid rows.
4. Where the workers share a machine with the driver, they write Parquet files themselves, and the driver
   moves the complete files of a table, or of an increment of it, to their place at once.
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from py4j.protocol import Py4JError
from pyspark.errors import AnalysisException, ParseException, PySparkException
from pyspark.sql import functions as F  # the usual name

from msmq_wire.captures.writing import BATCH, OPEN, writer_of
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.paths import is_address

from .partitions import folder_of_none
from .schema import spark_type

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from msmq_wire.spark._workers.files import Files

WRITING: Final = {"parquet.page.size.row.check.min": "10", "parquet.block.size.row.check.min": "10"}
"""Number of rows after which Parquet checks the size of its buffers; rows have up to 4 MB."""
_FILES: Final = frozenset({"parquet", "orc", "avro", "json"})
"""Formats that consist of files only."""
_FLAT: Final = frozenset({"csv", "text"})
"""Formats that do not have every type of column."""
_MORE_COLUMNS: Final = "mergeSchema"
"""The option with which tables of an earlier version get the columns of this one."""
_OWN: Final = frozenset({"parquet", "orc", "json"})
"""Formats that Spark supports without a package."""
_PATTERN: Final = re.compile(r"[*?\[{]")
_SPECIAL: Final = re.compile(r"([\\*?\[\]{}])")
_LOCAL: Final = re.compile(r"local(\[.*\])?")


@dataclass(frozen=True)
class Sink:
    """Where tables are written.

    Attributes:
        spark: The session.
        output: A directory or a URL.
        form: The format.
        catalog: The catalog and schema of the tables, such as ``lake.msmq``; None for paths.
        partition_by: Partition columns, for tables that have them; `date` is derived from the time.
    """

    spark: SparkSession
    output: str
    form: str = "parquet"
    catalog: str | None = None
    partition_by: tuple[str, ...] = ()

    def for_increments(self, columns: Iterable[str]) -> Sink:
        """Return the sink for increments, with these partition columns.

        Raises:
            MsmqWireError: The tables cannot replace rows by a condition.
        """
        if self.catalog is not None and self.form in _FILES:
            raise MsmqWireError(
                "increments in a catalog need a format that replaces rows, such as delta or iceberg, "
                f"not {self.form}"
            )
        return replace(self, partition_by=tuple(columns))

    def check(self, rows: Iterable[tuple[str, DataFrame]]) -> None:
        """Check that the format and the catalog exist; otherwise Spark reports it after all work is done.

        Args:
            rows: The tables: their names, and data frames with their columns and without rows.

        Raises:
            MsmqWireError: There is no such format or catalog, or the format cannot hold a table.
        """
        if self.catalog is not None:
            try:
                self.spark.sql(f"SHOW TABLES IN {self.catalog}")
            except ParseException as error:
                sentence = (error.getMessage() or "").strip().partition("\n")[0]
                raise MsmqWireError(f"{self.catalog!r} names no catalog and schema: {sentence}") from None
            except AnalysisException as error:  # others may create a schema with its first table
                if error.getCondition() == "NESTED_DATABASE_UNSUPPORTED_BY_V1_SESSION_CATALOG":
                    name = self.catalog.partition(".")[0]
                    raise MsmqWireError(
                        f"there is no catalog {name}; a setting spark.sql.catalog.{name} makes it known"
                    ) from None
                if error.getCondition() == "SCHEMA_NOT_FOUND" and "spark_catalog" in str(error):
                    name = self.catalog.removeprefix("spark_catalog.")
                    raise MsmqWireError(
                        f"Spark's own catalog has no schema {name}; CREATE SCHEMA {name} makes it"
                    ) from None
        if self.form in _OWN:
            return
        if self.form.lower() in _FLAT:
            self._check_columns(rows)
            return
        try:
            _ = self.spark.read.format(self.form).load(self.path("run")).schema
        except (PySparkException, Py4JError) as error:
            if any(word in str(error) for word in ("DATA_SOURCE_NOT_FOUND", "DATA_SOURCE_NOT_ENABLED")):
                raise MsmqWireError(
                    f"Spark has no format {self.form}; it needs a package, as with spark-submit --packages"
                ) from None

    def _check_columns(self, rows: Iterable[tuple[str, DataFrame]]) -> None:
        try:
            for name, empty in rows:
                try:
                    empty.write.format(self.form).mode("overwrite").save(self.path(f"stage/{name}"))
                except AnalysisException as error:
                    raise MsmqWireError(
                        f"the table {name} cannot have the format {self.form}: {error.getMessage()}"
                    ) from None
        finally:
            remove(self.spark, self.path("stage"))

    def path(self, name: str) -> str:
        """Return the path of a table that is not in a catalog."""
        return f"{self.output}/{name}"

    @property
    def is_here(self) -> bool:
        """Whether tables are plain Parquet files at a path, and the workers are on the machine of the driver.

        Through Spark Connect, the machine is not known.
        """
        if self.form != "parquet" or self.catalog or is_address(self.output):
            return False
        if local_path(self.spark, self.output) is None:
            return False
        return _LOCAL.fullmatch(str(self.spark.conf.get("spark.master"))) is not None

    def columns(self, names: Collection[str], batch: int | None) -> list[str]:
        """Return the partition columns of a table with these columns, or of an increment of it."""
        columns = [column for column in self.partition_by if column in names]
        return columns if batch is None else [OPEN, *columns]

    def put(
        self, name: str, files: Files, written: Iterable[str], stage: str, batch: int | None = None
    ) -> None:
        """Replace a table, or an increment of it, by files that are moved through one staging directory.

        Args:
            name: The table.
            files: Where the files were written.
            written: The files; none for an empty table.
            stage: The staging directory.
            batch: The number of the increment.
        """
        new, there = Path(stage, "tables", name), Path(self._location(name, batch))
        new.mkdir(parents=True)
        for number, file in enumerate(written):
            folder = new / files.folder(file)
            folder.mkdir(parents=True, exist_ok=True)
            Path(file).rename(folder / f"part-{number:05}.parquet")
        if not any(new.iterdir()):
            folder = new / folder_of_none(files.partition_by.get(name, ()))
            folder.mkdir(parents=True, exist_ok=True)
            empty = Path(stage, "empty", name)
            with writer_of(empty, "parquet", {name: files.schemas[name]}):
                pass
            (empty / name / "part-00000.parquet").rename(folder / "part-00000.parquet")
        if there.exists():
            shutil.rmtree(there)
        there.parent.mkdir(exist_ok=True)
        new.rename(there)

    def _location(self, name: str, batch: int | None) -> str:
        return self.path(name) if batch is None else f"{self.path(name)}/{BATCH}={batch}"

    def write(self, name: str, rows: DataFrame, batch: int | None = None, *, is_empty: bool = False) -> None:
        """Write a table, or an increment of it; a repeated write replaces the earlier one.

        Args:
            name: The table.
            rows: Its rows.
            batch: The number of the increment.
            is_empty: Whether there are no rows.
        """
        columns = self.columns(rows.columns, batch)
        if batch is not None and (self.catalog is not None or self.form not in _FILES):
            rows, columns = rows.withColumn(BATCH, F.lit(batch)), [BATCH, *columns]
        if batch is not None and self.catalog is not None:
            self._replace(f"{self.catalog}.{name}", rows, columns, batch)
            return
        writer = rows.write.format(self.form).mode("overwrite").partitionBy(*columns)
        if self.form not in _FILES - {"parquet"}:
            writer = writer.options(**WRITING)
        if self.catalog is not None:
            writer.saveAsTable(f"{self.catalog}.{name}")
        elif self.form in _FILES:
            location = self._location(name, batch)
            if is_empty and columns:  # partitions without rows would have no file, thus no schema
                remove(self.spark, location)
                folder = folder_of_none(columns)
                rows.drop(*columns).write.format(self.form).mode("overwrite").save(f"{location}/{folder}")
            else:
                writer.save(location)
        elif batch is None:
            writer.save(self.path(name))
        else:
            writer = writer.option("replaceWhere", f"{BATCH} = {batch} OR {OPEN} = 1")
            writer.option(_MORE_COLUMNS, "true").save(self.path(name))

    def _replace(self, table: str, rows: DataFrame, columns: Iterable[str], batch: int) -> None:
        writer = rows.writeTo(table).option(_MORE_COLUMNS, "true")
        if self.spark.catalog.tableExists(table):
            writer.overwrite((F.col(BATCH) == batch) | (F.col(OPEN) == 1))
        else:
            writer.using(self.form).partitionedBy(*map(F.col, columns)).create()

    def read(self, name: str, schema: pa.Schema, batch: int | None = None) -> DataFrame:
        """Read a table, up to an increment."""
        schema_of_table = spark_type(schema)
        if batch is not None:
            schema_of_table.add(BATCH, "integer").add(OPEN, "integer")
        if self.catalog is not None:
            rows = self.spark.table(f"{self.catalog}.{name}")
        elif self.form in _FILES:
            rows = self.spark.read.format(self.form).schema(schema_of_table).load(self.path(name))
        else:
            rows = self.spark.read.format(self.form).load(self.path(name))
        if batch is not None:
            rows = rows.where((F.col(BATCH) <= batch) & ((F.col(OPEN) == 0) | (F.col(BATCH) == batch)))
        missing = {field.name: field.dataType for field in schema_of_table if field.name not in rows.columns}
        return rows.select(
            *(
                F.lit(None).cast(missing[name]).alias(name) if name in missing else name
                for name in schema.names
            )
        )

    def has_folders(self) -> bool:
        """Whether increments are folders whose names can be listed."""
        is_known = is_classic(self.spark) or not is_address(self.output)
        return self.catalog is None and self.form in _FILES and is_known

    def forget(self, names: Iterable[str], batch: int) -> None:
        """Delete the rows of an old increment that are no longer valid."""
        if self.catalog is None and self.form in _FILES:
            for name in names:
                remove(self.spark, f"{self.path(name)}/{BATCH}={batch}/{OPEN}=1")


def remove(spark: SparkSession, location: str, inside: Iterable[str] = ()) -> None:
    """Delete a directory with all its contents, if it exists.

    Through Spark Connect, files at a URL cannot be deleted; its data sets are overwritten with no rows
    instead.

    Args:
        spark: The session.
        location: The directory.
        inside: Data sets in it.
    """
    path, system = _java(spark, location)
    if system is not None:
        system.delete(path, True)
    elif not is_address(location):
        shutil.rmtree(location, ignore_errors=True)
    else:
        for name in inside:
            spark.range(0).write.mode("overwrite").parquet(f"{location}/{name}")


def local_path(spark: SparkSession, location: str) -> Path | None:
    """Return the path of a file or directory of this machine; None if it is elsewhere, or not known."""
    path, system = _java(spark, location)
    is_local = system is not None and system.getUri().getScheme() == "file"
    return Path(path.toUri().getPath()) if is_local else None


def names_in(spark: SparkSession, location: str) -> list[str]:
    """Return the names in a directory; none if there is no such directory."""
    path, system = _java(spark, location)
    if system is None:
        return os.listdir(location) if Path(location).is_dir() else []  # noqa: PTH208  # names, not paths
    if not system.exists(path):
        return []
    return [status.getPath().getName() for status in system.listStatus(path)]


def literally(path: str) -> str:
    """Return the pattern of Spark that only this path matches."""
    return _SPECIAL.sub(r"\\\1", path)


def hidden_in(spark: SparkSession, location: str, *, deep: bool) -> list[str]:
    """Return the files and directories that Spark omits in a directory, because of their names.

    Args:
        spark: The session; through Spark Connect, none are found.
        location: The directory.
        deep: Whether directories in it are read.
    """
    path, system = _java(spark, location)
    if system is None or _PATTERN.search(location) or not system.isDirectory(path):
        return []
    java: Any = spark
    hidden, inner = [], literally(location.rstrip("/"))
    while True:
        pattern = java._jvm.org.apache.hadoop.fs.Path(f"{inner}/[._]*")  # noqa: SLF001  # as above
        hidden += [status.getPath().toString() for status in system.globStatus(pattern)]
        inner += "/[^._]*"
        more = system.globStatus(java._jvm.org.apache.hadoop.fs.Path(f"{inner}/*")) if deep else []  # noqa: SLF001  # as above
        if not more:
            return hidden


def count_files(spark: SparkSession, location: str) -> int:
    """Return the number of files in a directory and all directories in it; 0 if there is none."""
    path, system = _java(spark, location) if is_address(location) else (None, None)
    if system is None:
        return sum(not name.startswith((".", "_")) for _, _, names in os.walk(location) for name in names)
    return int(system.getContentSummary(path).getFileCount()) if system.exists(path) else 0


class HadoopClaims:
    """Claims of writers in a file system of Spark; see `captures.locks`.

    Args:
        spark: The session; not one of Spark Connect.
        output: The URL of the output.
    """

    def __init__(self, spark: SparkSession, output: str) -> None:
        self._spark = spark
        self._folder = f"{output}/.msmq_wire.claims"

    def names(self) -> list[str]:
        """As `Claims.names`."""
        return names_in(self._spark, self._folder)

    def read(self, name: str) -> bytes | None:
        """As `Claims.read`."""
        path, system = _java(self._spark, f"{self._folder}/{name}")
        if not system.exists(path):
            return None
        stream = system.open(path)
        try:
            return bytes(stream.readAllBytes())
        finally:
            stream.close()

    def write(self, name: str, data: bytes) -> None:
        """As `Claims.write`."""
        path, system = _java(self._spark, f"{self._folder}/{name}")
        stream = system.create(path, False)
        try:
            stream.write(bytearray(data))
        finally:
            stream.close()

    def remove(self, name: str) -> None:
        """As `Claims.remove`."""
        path, system = _java(self._spark, f"{self._folder}/{name}")
        system.delete(path, False)
        if not names_in(self._spark, self._folder):
            with suppress(Py4JError):  # another claim has been written
                system.delete(path.getParent(), False)


def is_classic(spark: SparkSession) -> bool:
    """Return whether the session is of this process, not of Spark Connect."""
    return type(spark).__module__ == "pyspark.sql.session"


def _java(spark: SparkSession, location: str) -> tuple[Any, Any]:
    """Return Hadoop's path of a place and its file system; twice None through Spark Connect."""
    session: Any = spark
    if not is_classic(spark):
        return None, None
    path = session._jvm.org.apache.hadoop.fs.Path(location)  # noqa: SLF001  # there is no other way
    return path, path.getFileSystem(session._jsparkSession.sessionState().newHadoopConf())  # noqa: SLF001  # as above
