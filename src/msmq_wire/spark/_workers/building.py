"""Makes the tables of buckets, and those of gathered rows.

1. `captures.table_builder` makes the tables of a bucket.  Data beyond its share of memory is stored in files
   of the worker.
2. In an increment, rows of connections that may continue are marked as open, and their segments are passed on
   unchanged for the next increment.
3. Each task returns its statistics as a row of `STATISTICS`.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.files import segments
from msmq_wire.captures.gathering import GATHERED, LATE, needed, tables_of
from msmq_wire.captures.schemas import plain, uncoded
from msmq_wire.captures.spool import Spool, divided, parts_of
from msmq_wire.captures.table_builder import ImbalanceError, TableBuilder, collecting_rarely
from msmq_wire.spark._reports.statistics import TaskStatistics

from .moving import DAMAGES, KEPT, LEFT, MOST, SEGMENTS, STATISTICS, moved, opened, packed, portions
from .open_connections import Connections, among

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from msmq_wire.captures.engine import Settings

    from .files import Files
    from .moving import Worker
    from .open_connections import RetentionPolicy

PARTITIONS: Final = 16
"""Largest number of tasks over which the keys of gathered rows are distributed."""
_ROWS: Final = 20_000


class Rows:
    """Collects rows of tables until there are enough to move, or writes them to files."""

    def __init__(self, wanted: Iterable[str], files: Files | None = None, *, is_open: bool = False) -> None:
        self.facts = TaskStatistics()
        self.is_open = is_open
        self._wanted = frozenset(wanted)
        self._files = None if files is None else files.task(self._wanted, is_open=is_open)
        self._held: dict[str, list[pa.RecordBatch]] = {}
        self._sizes: dict[str, tuple[int, int]] = {}

    def take(self, table: str, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Count rows; yield collected rows when there are enough."""
        if not batch.num_rows:
            return
        self.facts.take(table, batch)
        if table not in self._wanted:
            return
        if self._files is not None:
            self._files.add(table, batch)
            return
        self._held.setdefault(table, []).append(batch)
        rows, size = self._sizes.get(table, (0, 0))
        self._sizes[table] = rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= _ROWS or size >= MOST:
            yield from self._given(table)

    def _given(self, table: str) -> Iterator[pa.RecordBatch]:
        del self._sizes[table]
        whole = pa.Table.from_batches(self._held.pop(table)).combine_chunks()
        for batch in whole.to_batches():
            for start, stop in portions(batch):
                yield moved(0, table, packed([batch.slice(start, stop - start)]), is_open=self.is_open)

    def rest(self) -> Iterator[pa.RecordBatch]:
        """Yield all remaining rows, and the statistics."""
        for table in [*self._held]:
            yield from self._given(table)
        if self._files is not None:
            self.facts.files = self._files.close()
        yield moved(0, STATISTICS, self.facts.encode(), is_open=self.is_open)


def building(
    settings: Settings,
    wanted: frozenset[str],
    keeping: RetentionPolicy | None = None,
    files: Files | None = None,
) -> Worker:
    """Return the worker that makes the tables of a bucket (a partition).

    `keeping` is for increments.  With `files` it writes the tables, else their rows are moved.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with collecting_rarely(), TemporaryDirectory(prefix="msmq_wire-") as directory:
            bucket = _Bucket(settings, wanted, Path(directory))
            yield from bucket.take(batches)
            yield from bucket.rows(keeping, files)

    return run


class _Bucket:
    """The rows of a bucket, and the tables made from them."""

    def __init__(self, settings: Settings, wanted: frozenset[str], directory: Path) -> None:
        self._settings = settings
        self._wanted = wanted
        self._directory = directory
        self._segments = {name: self._spool(name) for name in (KEPT, SEGMENTS)}
        self._damages: list[pa.RecordBatch] = []

    def _spool(self, name: str) -> Spool:
        return Spool(plain(segments.SEGMENTS), self._directory / name, self._settings.memory)

    def take(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Store incoming rows; yield statistics and the like of other tasks unchanged."""
        for batch in batches:
            for table, data in zip(batch.column("table").to_pylist(), batch.column("data"), strict=True):
                if table in {STATISTICS, LEFT}:
                    yield moved(0, table, data.as_py())
                    continue
                for part in opened(data):
                    if table == DAMAGES:
                        self._damages.append(part)
                    else:
                        self._segments[table].add(part)

    def rows(self, keeping: RetentionPolicy | None, files: Files | None) -> Iterator[pa.RecordBatch]:
        """Yield the rows of all tables that are not written to files."""
        names = self._wanted - LATE - {"frames"}
        rows = Rows(names, files)
        if self._damages:
            yield from rows.take("quarantine", _merged(self._damages))
        if keeping is None:
            yield from self._tables(self._segments[SEGMENTS].batches(), rows)
            yield from rows.rest()
            return
        still = Rows(names, files, is_open=True)
        for is_open, batches in self._split(keeping, rows.facts, still.facts):
            table_rows = still if is_open else rows
            for batch in batches if is_open else ():
                for start, stop in portions(batch):
                    yield moved(0, KEPT, packed([batch.slice(start, stop - start)]), is_open=True)
            yield from self._tables(batches, table_rows)
            yield from table_rows.rest()

    def _split(
        self, keeping: RetentionPolicy, facts: TaskStatistics, still: TaskStatistics
    ) -> Iterator[tuple[bool, list[pa.RecordBatch]]]:
        """Yield the segments of all connections; record those of open connections in `still`."""
        by_name = {name: spool.batches() for name, spool in self._segments.items()}
        connections = Connections(keeping)
        for name, batches in by_name.items():
            for batch in batches:
                connections.take(batch, new=name == SEGMENTS)
        facts.last |= connections.last
        still.late |= connections.late()
        wanted = connections.open()
        if not wanted:
            yield False, [*by_name[KEPT], *by_name[SEGMENTS]]
            return
        for is_open in (False, True):
            spool = self._spool(f"open-{is_open}")
            for batch in (*by_name[KEPT], *by_name[SEGMENTS]):
                mask = among(batch, wanted)
                spool.add(batch.filter(mask if is_open else pc.invert(mask)))
            yield is_open, spool.batches()
            spool.close()

    def _tables(self, batches: list[pa.RecordBatch], rows: Rows) -> Iterator[pa.RecordBatch]:
        maker = TableBuilder(self._wanted | {"flows", "balance"}, self._settings, self._directory)
        try:
            for table, batch in maker.tables(batches, 0):
                yield from _taken(table, batch, rows)
        except ImbalanceError as error:
            rows.facts.wrong.append(str(error))
        rows.facts.add_others(maker.others)
        rows.facts.note_until(maker.until)


def _merged(batches: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    """Merge error rows of the same kind of a file that was read in parts; keep the first location."""
    rows: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in pa.Table.from_batches(batches).to_pylist():
        key = row["file"], row["kind"], row["cause"]
        first = rows.setdefault(key, row)
        if first is row:
            continue
        sums = {name: first[name] + row[name] for name in ("size", "places")}
        earlier = min(first, row, key=lambda candidate: candidate["error_offset"])
        rows[key] = {**earlier, **sums, "size": min(sums["size"], 0x7FFF_FFFF)}
    return pa.RecordBatch.from_pylist([*rows.values()], schema=batches[0].schema)


def _taken(table: str, batch: pa.RecordBatch, rows: Rows) -> Iterator[pa.RecordBatch]:
    """Take rows of a table; yield gathered rows, divided by their keys; shared ones go to all tasks."""
    if table not in GATHERED:
        yield from rows.take(table, batch)
        return
    rows.facts.rows[table] = rows.facts.rows.get(table, 0) + batch.num_rows
    batch = batch.cast(uncoded(batch.schema))
    gathered = GATHERED[table]
    keys = batch.column(gathered.key).dictionary_encode()
    hashes = [zlib.crc32(str(key).encode()) % PARTITIONS for key in (*keys.dictionary.to_pylist(), None)]
    codes = keys.indices.fill_null(len(keys.dictionary)).to_numpy(zero_copy_only=False)
    shared = None if gathered.shared is None else gathered.shared(batch)
    for number, chosen in parts_of(np.array(hashes)[codes], PARTITIONS, shared):
        part = batch.take(chosen)
        for start, stop in portions(part):
            yield moved(number, table, packed([part.slice(start, stop - start)]), is_open=rows.is_open)


def joining(
    names: Sequence[str],
    wanted: frozenset[str],
    settings: Settings,
    until: Mapping[str, int],
    files: Files | None = None,
    *,
    is_open: bool = False,
) -> Worker:
    """Return the worker that makes the tables of all gathered rows with some keys.

    Args:
        names: The names of the rows, in the order of `GATHERED`.  Rows that are made of others are joined by
            the same task if they have one of these names.
        wanted: The wanted tables.
        settings: As in `gathering.tables_of`.
        until: As in `gathering.tables_of`.
        files: With them it writes the tables, else their rows are moved.
        is_open: Whether the next increment replaces the tables.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = Rows(
            wanted & {table for name in names for table in GATHERED[name].gives}, files, is_open=is_open
        )
        rows_wanted = wanted | needed(wanted)
        with TemporaryDirectory(prefix="msmq_wire-") as directory:
            share = settings.memory // (4 * len(names))
            spools = {
                name: Spool(uncoded(plain(GATHERED[name].schema)), Path(directory, name), share)
                for name in names
            }
            for batch in batches:
                for name, data in zip(batch.column("table").to_pylist(), batch.column("data"), strict=True):
                    for part in opened(data):
                        spools[name].add(part)
            for name, spool in spools.items():
                for group in divided(spool, GATHERED[name].key, shared=GATHERED[name].shared):
                    for table, batch in tables_of(name, group, rows_wanted, settings, until):
                        if table in spools:
                            spools[table].add(batch.cast(spools[table].schema))
                        else:
                            yield from _taken(table, batch, rows)
        yield from rows.rest()

    return run
