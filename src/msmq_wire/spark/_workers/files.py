"""Writes tables as Parquet files in the task that makes them, where the driver can reach these files.

1. Each attempt of a task writes to a directory of its own, with the writer of the local engine.
2. Its statistics name the files.  Spark keeps only the statistics of tasks that succeeded, so files of failed
   or repeated attempts do not become part of a table.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from msmq_wire.captures.writing import writer_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pyarrow as pa


class Files(NamedTuple):
    """Where tasks write.

    Attributes:
        directory: The directory for all of them.
        schemas: The columns of the tables.
    """

    directory: str
    schemas: Mapping[str, pa.Schema]

    def task(self, names: Iterable[str]) -> TaskFiles:
        """Return the files of an attempt of a task, which makes these tables."""
        return TaskFiles(Path(self.directory, uuid4().hex), {name: self.schemas[name] for name in names})


class TaskFiles:
    """The files of an attempt of a task, one for each table."""

    def __init__(self, directory: Path, schemas: Mapping[str, pa.Schema]) -> None:
        self._directory = directory
        self._open = ExitStack()
        self._written = self._open.enter_context(writer_of(directory, "parquet", schemas))

    def add(self, table: str, batch: pa.RecordBatch) -> None:
        """Write rows."""
        self._written.add(table, batch)

    def whole(self, table: str, batches: Iterable[pa.RecordBatch]) -> dict[str, list[str]]:
        """Write all rows of the only table; return as `close` does."""
        for batch in batches:
            self.add(table, batch)
        return self.close()

    def close(self) -> dict[str, list[str]]:
        """Finish the files, and return those that have rows, by table."""
        self._open.close()
        names = [name for name, rows in self._written.rows.items() if rows]
        return {name: [str(file) for file in Path(self._directory, name).iterdir()] for name in names}
