"""Writes tables as Parquet files, JSON lines, a DuckDB database, or tables of a lake.

1. A table is a directory with the names that Spark uses: ``output/<table>/part-00000.parquet``.  A database
   has one table per name.
2. All files are written to a hidden directory in the output, and replace the old tables when all are
   complete.  A killed run therefore leaves the old tables unchanged, and no row is duplicated; the next run
   removes its directory, which is locked while it is used.  The output can be a file system of its own.
3. Only tables are replaced: `check_output` refuses an output where anything else would be lost.
"""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import errno
import json
import os
import re
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, Self
from uuid import uuid4

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None  # type: ignore[assignment]

import pyarrow as pa
import pyarrow.parquet as pq

from msmq_wire.values.errors import MsmqWireError, null_character

from .files.sources import is_address, shown
from .lakes import LAKES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

__all__ = ["FORMATS", "Written", "check_output", "writer_of"]

FORMATS: Final = ("parquet", "jsonl", "duckdb", "delta", "iceberg")
"""The formats of tables."""
_ROWS: Final = 20_000
_BYTES: Final = 32 << 20
_LINES: Final = 1024
"""Rows that are Python objects at once; they take far more memory than columns."""
_NEW: Final = re.compile(r"\.new-[0-9a-f]{32}")
"""The names of directories in which tables are made."""
_DATABASE: Final = "tables.duckdb"
_MAGIC: Final = {
    ".parquet": (0, b"PAR1"),
    ".orc": (0, b"ORC"),
    ".avro": (0, b"Obj\x01"),
    ".duckdb": (8, b"DUCK"),
}
"""Offset and bytes by which the files of tables are known, by suffix."""
_LINES_OF_JSON: Final = frozenset({".jsonl", ".json"})
_MARKS: Final = re.compile(r"_SUCCESS|\..+\.crc|_(?:started|committed)_\d+")
"""Files that Spark writes beside those of a table."""
_FOLDER: Final = re.compile(r"[^=]+=.*|_temporary")
"""Folders that Spark makes in a table: partitions, and what a killed run left."""
_LOGGED: Final = {
    "_delta_log": re.compile(r"\d{20}\.(json|crc|checkpoint.*\.parquet)|_last_checkpoint"),
    "metadata": re.compile(r"\d+-[0-9a-f-]{36}\.metadata\.json|.*[0-9a-f-]{36}.*\.avro"),
    "data": re.compile(r"\d+-\d+-[0-9a-f-]{36}\.parquet"),
}
"""Folders of Delta and Iceberg tables, and the names of their files."""


class Sink(Protocol):
    """Takes the rows of one table."""

    def write(self, rows: pa.Table) -> None:
        """Add rows."""

    def close(self) -> None:
        """Finish the table."""


class Written:
    """Tables that are being written; leaving the context replaces the old tables.

    Attributes:
        rows: Number of rows of each table.
    """

    def __init__(
        self,
        output: Path,
        sink: Callable[[Path, str, pa.Schema], Sink],
        schemas: Mapping[str, pa.Schema],
        put: Callable[[Path, Path, pa.Schema], None] | None = None,
    ) -> None:
        self.rows = dict.fromkeys(schemas, 0)
        self._schemas = schemas
        self._output = output
        self._place = output
        self._lock: int | None = None
        self._make = sink
        self._put = put
        self._sinks: dict[str, Sink] = {}
        self._is_new = False
        self._held: dict[str, list[pa.RecordBatch]] = {}
        self._sizes: dict[str, tuple[int, int]] = {}
        """Rows and bytes of what is held."""

    def __enter__(self) -> Self:
        self._is_new = not self._output.exists()
        self._output.mkdir(parents=True, exist_ok=True)  # what prevents it is reported at once
        _remove_unused(self._output)
        while True:
            self._place = self._output / f".new-{uuid4().hex}"
            self._place.mkdir()
            self._lock = _locked(self._place)
            if self._place.exists():  # otherwise another run took it for an unused one
                break
            self._unlock()
        try:
            for name, schema in self._schemas.items():
                self._sinks[name] = self._make(self._place, name, schema)
        except BaseException:
            self._give_up()
            raise
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._give_up()
            return
        try:
            for name in [*self._held]:
                self._flush(name)
            while self._sinks:
                self._sinks.pop(next(iter(self._sinks))).close()
            self._replace()
        except BaseException:
            self._give_up()
            raise
        self._remove()

    def _give_up(self) -> None:
        """Remove what was written, such as on a full disk; the old tables stay."""
        for sink in self._sinks.values():
            with suppress(OSError):  # closing writes again what could not be written
                sink.close()
        self._remove()
        if self._is_new:
            with suppress(OSError):  # another program has put something there
                self._output.rmdir()

    def _remove(self) -> None:
        shutil.rmtree(self._place, ignore_errors=True)
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def add(self, name: str, batch: pa.RecordBatch) -> None:
        """Add rows of a table; small batches are joined."""
        self.rows[name] += batch.num_rows
        if not batch.num_rows:
            return
        self._held.setdefault(name, []).append(batch)
        rows, size = self._sizes.get(name, (0, 0))
        rows, size = self._sizes[name] = rows + batch.num_rows, size + batch.nbytes
        if rows >= _ROWS or size >= _BYTES:
            self._flush(name)

    def _flush(self, name: str) -> None:
        held, self._sizes[name] = self._held.pop(name, []), (0, 0)
        if held:
            self._sinks[name].write(pa.Table.from_batches(held))

    def _replace(self) -> None:
        """Put what was written where it belongs, table by table."""
        for made in sorted(self._place.iterdir()):
            there = self._output / made.name
            if self._put is not None:
                self._put(made, there, self._schemas[made.name])
                continue
            if there.is_dir():
                shutil.rmtree(there)
            made.replace(there)


def _locked(place: Path) -> int | None:
    """Lock a directory while it is used; None if another process uses it, or the system has no such locks."""
    if fcntl is None:
        return None
    number = None
    try:
        number = os.open(place, os.O_RDONLY)
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        if number is not None:
            os.close(number)
        return None
    return number


def _remove_unused(output: Path) -> None:
    """Remove the directories of runs that were killed."""
    for place in output.iterdir():
        if _NEW.fullmatch(place.name) and not place.is_symlink():
            lock = _locked(place)
            if lock is not None:
                shutil.rmtree(place, ignore_errors=True)
                os.close(lock)


def check_output(output: str, form: str, names: Iterable[str], inputs: Iterable[str]) -> None:
    """Check that a run replaces only tables; nothing is touched.

    Args:
        output: The directory for the tables.
        form: One of `FORMATS`.
        names: The tables that will be written.
        inputs: The paths of the captures.

    Raises:
        MsmqWireError: The output is not a directory, or something else than a table, or an input, would be
            replaced.
        OSError: A directory cannot be read.
    """
    if not output:
        raise MsmqWireError("output: expected a path, got ''")
    if "\0" in output:
        raise MsmqWireError(f"output: {null_character(output)}")
    if is_address(output):
        raise MsmqWireError(f"{shown(output)} is a URL; tables need a directory of this machine")
    if os.path.lexists(output) and not Path(output).is_dir():
        raise MsmqWireError(f"{shown(output)} is a file; tables need a directory")
    given = [Path(os.path.realpath(path)) for path in inputs if path and "\0" not in path]
    for name in [_DATABASE] if form == "duckdb" else names:
        place = Path(output, name)
        if not os.path.lexists(place):
            continue
        for found in _foreign(place, is_folder=form != "duckdb"):
            raise MsmqWireError(
                f"{shown(str(found))} is no file of a table, and {shown(str(place))} would be replaced: "
                "choose another output"
            )
        real = Path(os.path.realpath(place))
        for path in given:
            if path.is_relative_to(real):
                raise MsmqWireError(
                    f"{shown(str(path))} is an input, and {shown(str(place))} would be replaced: "
                    "choose another output"
                )


def _foreign(place: Path, *, is_folder: bool) -> Iterator[Path]:
    """Yield what is not part of a table at the place of a table; links are not followed."""
    if not is_folder or not place.is_dir() or place.is_symlink():
        if is_folder or not _is_table_file(place):
            yield place
        return
    with os.scandir(place) as entries:
        for entry in entries:
            path = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                if entry.name in _LOGGED:
                    yield from (
                        file for file in path.iterdir() if not _LOGGED[entry.name].fullmatch(file.name)
                    )
                elif _FOLDER.fullmatch(entry.name) or "_temporary" in place.parts:
                    yield from _foreign(path, is_folder=True)
                else:
                    yield path
            elif not _is_table_file(path):
                yield path


def _is_table_file(path: Path) -> bool:
    """Return whether a file is one of a table, by its name and its first bytes."""
    if path.is_symlink() or not path.is_file():
        return False
    if _MARKS.fullmatch(path.name):
        return True
    if path.name != _DATABASE and not path.name.startswith("part-"):
        return False
    with path.open("rb") as file:
        head = file.read(16)
    if path.suffix in _LINES_OF_JSON:
        return head[:1] in {b"", b"{"}
    if path.suffix not in _MAGIC:
        return False
    start, magic = _MAGIC[path.suffix]
    return not head or head[start:].startswith(magic)


class _Parquet:
    def __init__(self, place: Path, name: str, schema: pa.Schema) -> None:
        (place / name).mkdir()
        self._writer = pq.ParquetWriter(place / name / "part-00000.parquet", schema, compression="zstd")

    def write(self, rows: pa.Table) -> None:
        self._writer.write_table(rows)

    def close(self) -> None:
        try:
            self._writer.close()
        finally:
            self._writer.is_open = False  # otherwise its destructor closes it again, with a traceback


class _JsonLines:
    def __init__(self, place: Path, name: str, _schema: pa.Schema) -> None:
        (place / name).mkdir()
        self._file = (place / name / "part-00000.jsonl").open("w", encoding="utf-8")

    def write(self, rows: pa.Table) -> None:
        for batch in rows.to_batches(max_chunksize=_LINES):
            for row in batch.to_pylist():
                self._file.write(json.dumps(row, default=_plain, ensure_ascii=False) + "\n")

    def close(self) -> None:
        self._file.close()


def _plain(value: Any) -> Any:
    """Convert values that JSON lacks: bytes to base64, times to ISO 8601, large numbers to numbers."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dt.datetime):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return int(value)
    return str(value)


class _Database:
    """Creates tables in one DuckDB database."""

    def __init__(self) -> None:
        try:
            import duckdb  # noqa: PLC0415  # an optional dependency
        except ImportError:
            raise MsmqWireError("the format duckdb needs the package duckdb: pip install duckdb") from None
        self._duckdb: Any = duckdb
        self._connection: Any = None

    def table(self, place: Path, name: str, schema: pa.Schema) -> Sink:
        """Create a table."""
        with _errors(self._duckdb):
            if self._connection is None:
                self._connection = self._duckdb.connect(str(place / _DATABASE))
            return _DatabaseTable(self._duckdb, self._connection, name, schema)


@contextmanager
def _errors(duckdb: Any) -> Iterator[None]:
    """Raise errors of DuckDB, such as for a full disk, as those of other files."""
    try:
        yield
    except duckdb.Error as error:
        raise OSError(errno.EIO, str(error)) from error


class _DatabaseTable:
    def __init__(self, duckdb: Any, connection: Any, name: str, schema: pa.Schema) -> None:
        self._duckdb = duckdb
        self._connection = connection
        self._name = name
        statement = f'create table "{name}" as select * from rows'  # noqa: S608  # a name from `TABLES`
        self._run(statement, pa.Table.from_batches([], schema))
        with _errors(duckdb):
            for field in schema:
                comment = (field.metadata or {}).get(b"comment", b"").decode().replace("'", "''")
                connection.execute(f'comment on column "{name}"."{field.name}" is \'{comment}\'')

    def write(self, rows: pa.Table) -> None:
        statement = f'insert into "{self._name}" select * from rows'  # noqa: S608  # as above
        self._run(statement, rows)

    def _run(self, statement: str, rows: pa.Table) -> None:
        with _errors(self._duckdb):
            self._connection.register("rows", rows)
            self._connection.execute(statement)
            self._connection.unregister("rows")

    def close(self) -> None:
        with _errors(self._duckdb):
            self._connection.close()


def writer_of(output: str | Path, form: str, schemas: Mapping[str, pa.Schema]) -> Written:
    """Return a writer of tables.

    Args:
        output: The directory for them.
        form: One of `FORMATS`.
        schemas: The tables and their columns.

    Raises:
        MsmqWireError: There is no such format, or its package is not installed.
    """
    if form not in FORMATS:
        raise MsmqWireError(f"there is no format {form!r}; there are {', '.join(FORMATS)}")
    if form in LAKES:
        return Written(Path(output).absolute(), _Parquet, schemas, LAKES[form]())
    sinks: dict[str, Callable[[Path, str, pa.Schema], Sink]] = {"parquet": _Parquet, "jsonl": _JsonLines}
    return Written(Path(output).absolute(), sinks[form] if form in sinks else _Database().table, schemas)
