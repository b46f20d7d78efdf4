"""Writes tables as Parquet files, JSON lines, a DuckDB database, or tables of a lake.

1. A table is a directory with the names that Spark uses: ``output/<table>/part-00000.parquet``.  A database
   has one table per name.
2. All files are written to a hidden directory in the output, and replace the old tables when all are
   complete.  A killed run therefore leaves the old tables unchanged, and no row is duplicated; the next run
   removes its directory.  The output can be a file system of its own.
3. The table `run` states to which run the tables belong, and whether all are complete: a reader who finds the
   same complete run before and after has read the tables of this run.  Nothing of older runs remains.
4. Only tables are replaced: `check_output` refuses an output where anything else would be lost.
"""

from __future__ import annotations

import base64
import datetime as dt
import errno
import json
import os
import re
import shutil
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, Self
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from msmq_wire.packets.foreign import TABLE_FILES
from msmq_wire.values.errors import MsmqWireError, need, null_character
from msmq_wire.values.paths import is_address
from msmq_wire.values.wchar import has_surrogate

from .events import EVENT_SCHEMAS, ZEEK_TEXT, ZeekLog, event_of, scalar
from .files.sources import matching, shown
from .lakes import CATALOG, KEPT, LAKES, package
from .schemas import TIME, schema_of
from .spark_schema import spark_metadata
from .table_builder import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

FORMATS: Final = ("parquet", "jsonl", "duckdb", "delta", "iceberg", *EVENT_SCHEMAS)
"""The formats of tables."""
_BINARY: Final = frozenset({"parquet", "duckdb", "delta", "iceberg"})
"""Those whose libraries take only names of files in UTF-8."""
SCHEMA_VERSION: Final = 1
"""The version of all table schemas; it increases when columns are added, and none is changed or removed."""
RUN: Final = schema_of(
    [
        ("id", pa.string(), "Identifier of the run that made the tables."),
        ("state", pa.string(), "``complete``, or ``running`` while tables are replaced."),
        ("at", TIME, "When the state was set."),
        ("schema_version", pa.int32(), "The version of the columns of all tables."),
    ]
)
"""The columns of `run`, which has one row."""
BATCH: Final = "batch"
"""The column with the number of an increment, in tables and in `run`."""
OPEN: Final = "open"
"""The column that is 1 for rows that the next increment replaces."""
_IN_LIST: Final = re.compile(r"\.(?:list\.element|key_value\.)")
"""The elements that lists and maps add to the path of a column in a Parquet file."""
_IN_FILES: Final = frozenset({"offset", "first_frame", "last_frame"})
"""The columns of numbers that say where a packet is."""
_ROWS: Final = 20_000
_BYTES: Final = 32 << 20
_LINES: Final = 1024
"""The number of rows that are Python objects at once; these take far more memory than columns."""
_NEW: Final = re.compile(r"\.new-[0-9a-f]{32}")
"""The names of directories in which tables are made."""
DATABASE: Final = "tables.duckdb"
"""The file of the tables in the format of DuckDB, in the output."""
_LINES_OF_JSON: Final = frozenset({".jsonl", ".json"})
_MARKS: Final = re.compile(r"_SUCCESS|\..+\.crc|_(?:started|committed)_\d+")
"""Files that Spark writes beside those of a table."""
_FOLDER: Final = re.compile(r"[^=]+=.*|_temporary")
"""Folders that Spark makes in a table: partitions, and remains of a killed run."""
_LOGGED: Final = {
    "_delta_log": re.compile(r"\d{20}\.(json|crc|checkpoint.*\.parquet)|_last_checkpoint"),
    "metadata": re.compile(r"\d+-[0-9a-f-]{36}\.metadata\.json|.*[0-9a-f-]{36}.*\.avro"),
    "data": re.compile(r"\d+-\d+-[0-9a-f-]{36}\.parquet"),
}
"""Folders of Delta and Iceberg tables, and the names of their files."""
_RUN: Final = "run"
_WORK: Final = ("stage", "state")
"""Folders of Spark's runs, with other folders in them."""
_OF_ALL_TABLES: Final = (DATABASE, CATALOG)
"""Files that belong to all tables."""
_OURS: Final = (*TABLES, "segments", "pieces", _RUN, *_WORK, *_OF_ALL_TABLES)
"""All that a run replaces in an output."""
REPORT: Final = "report.html"
"""The report that a job writes beside its tables."""
GENERATOR: Final = '<meta name="generator" content="msmq_wire">'
"""The tag by which a report is known."""
_HEAD: Final = 200
"""Bytes of a report that contain what generated it."""


class Sink(Protocol):
    """Takes the rows of one table."""

    def write(self, rows: pa.Table) -> None:
        """Add rows."""

    def close(self) -> None:
        """Finish the table."""


class Written:
    """Tables that are being written; leaving the context replaces the old tables.

    Args:
        output: The directory for them.
        sink: Creates a table in a directory.
        schemas: The tables and their columns.
        run: The identifier of the run, for the table `run`; older tables are then removed.  Without it,
            only these tables are written.
        is_file: Whether all tables are in one file, which then has the table `run` too.
        put: Replaces the rows of a table by those in a directory, as in `lakes`; None to replace the table.
        kept: Names in the output that are not removed with older tables.

    Attributes:
        rows: Number of rows of each table.
    """

    def __init__(
        self,
        output: Path,
        sink: Callable[[Path, str, pa.Schema], Sink],
        schemas: Mapping[str, pa.Schema],
        run: str | None = None,
        *,
        is_file: bool = False,
        put: Callable[[Path, Path, pa.Schema], None] | None = None,
        kept: Iterable[str] = (),
    ) -> None:
        self.rows = dict.fromkeys(schemas, 0)
        self._schemas = schemas
        self._output = output
        self._folder = output
        self._run = run
        self._is_file = is_file
        self._make = sink
        self._put = put
        self._kept = frozenset(kept)
        self._sinks: dict[str, Sink] = {}
        self._is_new = False
        self._held: dict[str, list[pa.RecordBatch]] = {}
        self._sizes: dict[str, tuple[int, int]] = {}
        """Number of rows and of bytes that are buffered."""

    def __enter__(self) -> Self:
        self._is_new = not self._output.exists()
        self._output.mkdir(parents=True, exist_ok=True)  # errors are reported at once
        _remove_unused(self._output)
        self._folder = self._output / f".new-{uuid4().hex}"
        self._folder.mkdir()
        try:
            for name, schema in self._schemas.items():
                self._sinks[name] = self._make(self._folder, name, schema)
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
            if self._is_file:
                self._make(self._folder, _RUN, RUN).write(self._row("complete"))
            while self._sinks:
                self._sinks.pop(next(iter(self._sinks))).close()
            self._replace()
        except BaseException:
            self._give_up()
            raise
        self._remove()

    def _give_up(self) -> None:
        """Remove the new files after an error, such as a full disk; the old tables stay."""
        for sink in self._sinks.values():
            with suppress(OSError):  # closing writes the buffered data again
                sink.close()
        self._remove()
        if self._is_new:
            with suppress(OSError):  # it contains files of another program
                self._output.rmdir()

    def _remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

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
        batches, self._sizes[name] = self._held.pop(name, []), (0, 0)
        if batches:
            self._sinks[name].write(pa.Table.from_batches(batches))

    def _replace(self) -> None:
        """Move the new tables to their places, one by one."""
        there = sorted(path.name for path in self._folder.iterdir())
        marks = self._run is not None and not self._is_file
        if marks:
            self._mark("running")
            remove_older(self._output, {*there, _RUN, *self._kept})
        for name in there:
            old = self._output / name
            if self._put is not None:
                self._put(self._folder / name, old, self._schemas[name])
                continue
            if old.is_dir():
                shutil.rmtree(old)
            (self._folder / name).replace(old)
        if marks:
            self._mark("complete")
        elif self._run is not None:
            remove_older(self._output, there)

    def _row(self, state: str) -> pa.Table:
        """Return the row of `run`."""
        now = dt.datetime.now(dt.UTC)
        row = {"id": self._run, "state": state, "at": now, "schema_version": SCHEMA_VERSION}
        return pa.Table.from_pylist([row], RUN)

    def _mark(self, state: str) -> None:
        """Write `run`; readers find all rows of the old one, this, or nothing."""
        folder, there = self._folder / state, self._output / _RUN
        folder.mkdir()
        sink = self._make(folder, _RUN, RUN)
        sink.write(self._row(state))
        sink.close()
        if there.exists():
            there.rename(folder / "older")
        (folder / _RUN).rename(there)


def _remove(path: Path) -> None:
    """Remove a file, or a directory at once: readers find all of it or nothing."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path.rename(path.with_name(f".new-{uuid4().hex}")))
    else:
        path.unlink(missing_ok=True)


def _remove_unused(output: Path) -> None:
    """Remove the directories of runs that were killed; the caller has the lock of the output."""
    for folder in output.iterdir():
        if _NEW.fullmatch(folder.name) and not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)


def remove_older(output: Path, names: Iterable[str]) -> None:
    """Remove the tables of older runs in an output, and the report about them.

    Args:
        output: The output, which `check_output` has checked.
        names: The tables to keep.
    """
    # Without `run` no reader takes the others for whole.
    for name in sorted({*_OURS} - {*names}, key=lambda name: name != _RUN):
        _remove(output / name)
    report = output / REPORT
    if is_report(report):
        report.unlink()


def is_report(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is a report, by its first bytes."""
    if not Path(path).is_file():
        return False
    with Path(path).open("rb") as file:
        return GENERATOR.encode() in file.read(_HEAD)


def run_of(output: str | os.PathLike[str]) -> str | None:
    """Return the identifier of the run whose tables are in an output, written as Parquet.

    If it is the same before and after tables were read, all of them are of this run:

    >>> before = run_of("tables")
    >>> packets, balance = pq.read_table("tables/packets"), pq.read_table("tables/balance")
    >>> assert before and before == run_of("tables")

    Args:
        output: The directory of the tables.

    Returns:
        The identifier; None if there is no complete run, while its tables are replaced, or if the tables are
        those of increments.
    """
    need("output", output, (str, os.PathLike), "a path")
    rows = run_rows(output)
    is_whole = len(rows) == 1 and rows[0].get("state") == "complete" and BATCH not in rows[0]
    return rows[0].get("id") if is_whole else None


def run_rows(output: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Return the rows of `run`: its only one, or one for each valid increment, in order.

    Args:
        output: The directory of the tables.

    Returns:
        Identifier, state, and number of the increment; nothing if there is no such table.
    """
    try:
        run = pq.ParquetDataset(Path(output, _RUN))
        rows = run.read([name for name in ("id", "state", BATCH) if name in run.schema.names]).to_pylist()
    except (OSError, UnicodeError, pa.ArrowException):
        return []
    return sorted(rows, key=lambda row: row.get(BATCH) or 0)


def valid_rows(runs: Sequence[Mapping[str, Any]]) -> pc.Expression | None:
    """Return the condition for the rows of the last increment, as `run_rows` has it; None for other runs."""
    last = runs[-1].get(BATCH) if runs else None
    if last is None:
        return None
    batch, is_open = pc.field(BATCH), pc.field(OPEN)
    return (batch <= last) & ((is_open == 0) | (batch == last))


def check_apart(output: str, inputs: Iterable[str]) -> None:
    """Check that the output of a run is not in its input.

    Args:
        output: The directory or URL of the tables.
        inputs: Paths, URLs and patterns of captures.

    Raises:
        MsmqWireError: The output is in an input.
    """
    for given in inputs:
        if given and "\0" not in given and _is_inside(output, given):
            raise MsmqWireError(
                f"{shown(output)} is inside {shown(given)}, which is an input: choose another output"
            )


def _is_inside(output: str, given: str) -> bool:
    output, given = (re.sub(r"^file:(?://)?(?=/)", "", text) for text in (output, given))
    if is_address(output) or is_address(given):
        return f"{output.rstrip('/')}/".startswith(f"{given.rstrip('/')}/")
    real = os.path.realpath(output)
    if os.path.lexists(given):
        return Path(given).is_dir() and Path(real).is_relative_to(os.path.realpath(given))
    file = Path(real, "packets", "part-00000.parquet")
    return any(matching(path, given) for path in (file, *file.parents))


def check_place(output: str) -> None:
    """Check that an output can be a directory of this machine; nothing is changed.

    Raises:
        MsmqWireError: The output cannot be a directory.
    """
    if not output:
        raise MsmqWireError("output: expected a path, got ''")
    if "\0" in output:
        raise MsmqWireError(f"output: {null_character(output)}")
    if is_address(output):
        raise MsmqWireError(f"{shown(output)} is a URL; tables need a directory of this machine")
    if os.path.lexists(output) and not Path(output).is_dir():
        raise MsmqWireError(f"{shown(output)} is a file; tables need a directory")


def check_output(output: str, inputs: Iterable[str], names: Iterable[str] | None = None) -> None:
    """Check that a run replaces only what runs have written, and not its own input; nothing is changed.

    Args:
        output: The directory for the tables.
        inputs: The paths of the captures.
        names: The tables that are replaced; None for all that runs write.

    Raises:
        MsmqWireError: The output is not a directory or is in an input, or the run would replace an input or
            anything that is not a table.
        OSError: A directory cannot be read.
    """
    check_place(output)
    inputs = [*inputs]
    check_apart(output, inputs)
    given = [Path(os.path.realpath(path)) for path in inputs if path and "\0" not in path]
    for name in _OURS if names is None else names:
        folder = Path(output, name)
        if not os.path.lexists(folder):
            continue
        for foreign in _foreign(folder, is_folder=name not in _OF_ALL_TABLES, has_folders=name in _WORK):
            raise MsmqWireError(
                f"{shown(str(foreign))} is not a file of a table, and {shown(str(folder))} would be "
                "replaced: choose another output"
            )
        real = Path(os.path.realpath(folder))
        for path in given:
            if path.is_relative_to(real):
                raise MsmqWireError(
                    f"{shown(str(path))} is an input, and {shown(str(folder))} would be replaced: "
                    "choose another output"
                )


def _foreign(folder: Path, *, is_folder: bool, has_folders: bool = False) -> Iterator[Path]:
    """Yield files and folders at the place of a table that are not part of one; links are not followed."""
    if not is_folder or not folder.is_dir() or folder.is_symlink():
        if is_folder or not is_table_file(folder):
            yield folder
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            path = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                if entry.name in _LOGGED:
                    yield from (
                        file for file in path.iterdir() if not _LOGGED[entry.name].fullmatch(file.name)
                    )
                elif has_folders or _FOLDER.fullmatch(entry.name) or "_temporary" in folder.parts:
                    yield from _foreign(path, is_folder=True, has_folders=has_folders)
                else:
                    yield path
            elif not is_table_file(path):
                yield path


def is_table_file(path: Path) -> bool:
    """Return whether a file belongs to a table, by its name and its first bytes."""
    if path.is_symlink() or not path.is_file():
        return False
    if _MARKS.fullmatch(path.name):
        return True
    if path.name not in _OF_ALL_TABLES and not path.name.startswith("part-"):
        return False
    with path.open("rb") as file:
        head = file.read(16)
    if path.suffix in _LINES_OF_JSON:
        return head[:1] in {b"", b"{"}
    if path.suffix not in TABLE_FILES:
        return False
    start, magic, _ = TABLE_FILES[path.suffix]
    return not head or head[start:].startswith(magic)


def output_of(file: Path) -> Path | None:
    """Return the output of a run to which a file belongs, by its name, folders and first bytes."""
    logged = _LOGGED.get(file.parent.name)
    if not is_table_file(file) and (logged is None or not logged.fullmatch(file.name)):
        return None
    if file.name in _OF_ALL_TABLES:
        return file.parent
    return next((folder.parent for folder in file.parents if folder.name in _OURS), None)


class _Parquet:
    def __init__(self, folder: Path, name: str, schema: pa.Schema) -> None:
        (folder / name).mkdir()
        leaves = [leaf for field in schema for leaf in _leaves(field.name, field.type)]
        self._writer = pq.ParquetWriter(
            folder / name / "part-00000.parquet",
            schema,
            compression="zstd",
            use_dictionary=[path for path, kind in leaves if not _hardly_repeats(path, kind)],
            # No reader skips rows by the values in their lists.
            write_statistics=[path for path, _ in leaves if not _IN_LIST.search(path)],
        )
        self._writer.add_key_value_metadata(spark_metadata(schema))

    def write(self, rows: pa.Table) -> None:
        self._writer.write_table(rows)

    def close(self) -> None:
        try:
            self._writer.close()
        finally:
            self._writer.is_open = False  # otherwise its destructor closes it again, with a traceback


def _hardly_repeats(path: str, kind: pa.DataType) -> bool:
    """Return whether a column of a Parquet file is larger with a dictionary: times and places."""
    return pa.types.is_timestamp(kind) or path.rpartition(".")[2] in _IN_FILES


def _leaves(path: str, kind: pa.DataType) -> Iterator[tuple[str, pa.DataType]]:
    """Yield the paths of the columns that a Parquet file has for a column, and their types."""
    inner: list[tuple[str, pa.DataType]] = []
    if pa.types.is_struct(kind):
        inner = [(field.name, field.type) for field in kind]
    elif pa.types.is_map(kind):
        inner = [("key_value.key", kind.key_type), ("key_value.value", kind.item_type)]
    elif pa.types.is_list(kind):
        inner = [("list.element", kind.value_type)]
    else:
        yield path, kind
    for name, part in inner:
        yield from _leaves(f"{path}.{name}", part)


class _Lines:
    """Writes rows as JSON lines, under the names of columns, or as the events of another tool."""

    def __init__(self, folder: Path, name: str, _schema: pa.Schema, *, tool: str | None = None) -> None:
        (folder / name).mkdir()
        self._written: Callable[[Mapping[str, Any]], Any] = dict if tool is None else event_of(tool, name)
        self._file = (folder / name / "part-00000.jsonl").open("w", encoding="utf-8")

    def write(self, rows: pa.Table) -> None:
        for batch in rows.to_batches(max_chunksize=_LINES):
            for row in batch.to_pylist():
                self._file.write(json.dumps(self._written(row), default=plain, ensure_ascii=False) + "\n")

    def close(self) -> None:
        self._file.close()


class _Log:
    """Writes rows as a log in the text format of Zeek."""

    def __init__(self, folder: Path, name: str, schema: pa.Schema) -> None:
        (folder / name).mkdir()
        self._log = ZeekLog(name, schema)
        self._file = (folder / name / "part-00000.log").open("w", encoding="utf-8", newline="\n")
        self._file.write(self._log.header)

    def write(self, rows: pa.Table) -> None:
        for batch in rows.to_batches(max_chunksize=_LINES):
            self._file.writelines(map(self._log.line, batch.to_pylist()))

    def close(self) -> None:
        self._file.close()


def plain(value: Any) -> Any:
    """Convert values that JSON lacks: bytes to base64, times to ISO 8601, large numbers to numbers."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    converted = scalar(value)
    return str(value) if converted is value else converted


class _Database:
    """Creates tables in one DuckDB database."""

    def __init__(self) -> None:
        self._duckdb: Any = package("duckdb", "duckdb")
        self._connection: Any = None

    def table(self, folder: Path, name: str, schema: pa.Schema) -> Sink:
        """Create a table."""
        with _errors(self._duckdb):
            if self._connection is None:
                self._connection = self._duckdb.connect(str(folder / DATABASE))
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


def writer_of(
    output: str | Path, form: str, schemas: Mapping[str, pa.Schema], run: str | None = None
) -> Written:
    """Return a writer of tables.

    Args:
        output: The directory for them.
        form: One of `FORMATS`.
        schemas: The tables and their columns.
        run: As in `Written`.

    Raises:
        MsmqWireError: There is no such format, or its package is not installed.
    """
    if form not in FORMATS:
        raise MsmqWireError(f"there is no format {form!r}; there are {', '.join(FORMATS)}")
    if form in _BINARY and has_surrogate(str(output)):
        raise MsmqWireError(f"output: expected a name in UTF-8, as {form} needs, got {str(output)!r}")
    if form in LAKES:
        kept = KEPT.get(form, ())
        return Written(Path(output).absolute(), _Parquet, schemas, run, put=LAKES[form](), kept=kept)
    sinks: dict[str, Callable[[Path, str, pa.Schema], Sink]] = {
        "parquet": _Parquet,
        "jsonl": _Lines,
        **{tool: partial(_Lines, tool=tool) for tool in EVENT_SCHEMAS},
        ZEEK_TEXT: _Log,
    }
    make = sinks[form] if form in sinks else _Database().table
    return Written(Path(output).absolute(), make, schemas, run, is_file=form not in sinks)
