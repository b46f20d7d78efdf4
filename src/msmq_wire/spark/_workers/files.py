"""Writes tables as Parquet files in the task that makes them, where the driver can reach these files.

1. Each attempt of a task writes to a directory of its own, with the writer of the local engine.
2. Its statistics name the files.  Spark keeps only the statistics of tasks that succeeded, so files of failed
   or repeated attempts do not become part of a table.
3. Rows of partitioned tables are kept until the task has all of them.  Then the files of one partition after
   the other are written, so that few are open at once.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol
from uuid import uuid4

import numpy as np
import pyarrow as pa

from msmq_wire.captures.spool import Spool, taken
from msmq_wire.captures.writing import writer_of
from msmq_wire.spark._outputs.partitions import folders_of

from .unpacking import more_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

_MEMORY: Final = 8 << 20
"""Bytes of a partitioned table that a task has in memory; the rest is in a file."""


class Files(NamedTuple):
    """Where tasks write.

    Attributes:
        directory: The directory for all of them.
        schemas: The columns of the files, by table.
        partition_by: The partition columns of each table; nothing for tables without partitions.
    """

    directory: str
    schemas: Mapping[str, pa.Schema]
    partition_by: Mapping[str, Sequence[str]]

    def task(self, names: Iterable[str], *, is_open: bool = False) -> TaskFiles:
        """Return the files of an attempt of a task, which makes these tables.

        Args:
            names: The tables.
            is_open: Whether the next increment replaces the rows.
        """
        directory = Path(self.directory, uuid4().hex)
        if self.partition_by:
            return _PartitionedFiles(directory, self, is_open=is_open)
        return _WholeFiles(directory, {name: self.schemas[name] for name in names})

    def folder(self, file: str) -> str:
        """Return the folder of a partition that a file of a task belongs to; empty without partitions."""
        return "/".join(Path(file).relative_to(self.directory).parts[1:-2])


class TaskFiles(Protocol):
    """The files of an attempt of a task, one for each table or for each partition of it."""

    def add(self, table: str, batch: pa.RecordBatch) -> None:
        """Add rows."""

    def close(self) -> dict[str, list[str]]:
        """Finish the files, and return those that have rows, by table."""


class _WholeFiles:
    def __init__(self, directory: Path, schemas: Mapping[str, pa.Schema]) -> None:
        self._directory = directory
        self._open = ExitStack()
        self._written = self._open.enter_context(writer_of(directory, "parquet", schemas))

    def add(self, table: str, batch: pa.RecordBatch) -> None:
        self._written.add(table, batch)

    def close(self) -> dict[str, list[str]]:
        self._open.close()
        names = [name for name, rows in self._written.rows.items() if rows]
        return {name: [*_files_in(self._directory / name)] for name in names}


class _PartitionedFiles:
    def __init__(self, directory: Path, files: Files, *, is_open: bool) -> None:
        self._directory = directory
        self._files = files
        self._is_open = is_open
        self._spools: dict[str, Spool] = {}

    def add(self, table: str, batch: pa.RecordBatch) -> None:
        if table not in self._spools:
            self._directory.mkdir(parents=True, exist_ok=True)
            self._spools[table] = Spool(batch.schema, self._directory / f"{table}.arrows", _MEMORY)
        self._spools[table].add(batch)

    def close(self) -> dict[str, list[str]]:
        return {table: [*self._write(table, spool)] for table, spool in self._spools.items()}

    def _write(self, table: str, spool: Spool) -> Iterator[str]:
        columns, schema = self._files.partition_by[table], self._files.schemas[table]
        parts: defaultdict[str, list[tuple[pa.RecordBatch, NDArray[np.int64]]]] = defaultdict(list)
        for batch in spool.batches():
            rows = more_columns(pa.Table.from_batches([batch]), columns, is_open=int(self._is_open))
            coded = folders_of(rows, columns).dictionary_encode()
            of = coded.indices.to_numpy()
            indices = np.split(np.argsort(of, kind="stable"), np.cumsum(np.bincount(of))[:-1])
            for folder, index in zip(coded.dictionary.to_pylist(), indices, strict=True):
                parts[folder].append((batch.select(schema.names), index))
        for folder, batches in parts.items():
            directory = self._directory / folder
            with writer_of(directory, "parquet", {table: schema}) as written:
                for batch, index in batches:
                    written.add(table, taken(batch, index))
            yield from _files_in(directory / table)
        spool.close()


def _files_in(directory: Path) -> Iterator[str]:
    return map(str, directory.iterdir())
