"""What workers do: files to segments, segments to rows of all tables, and rows out of what was set aside.

1. What goes from worker to worker is few large rows: a bucket, the name of a table, and some of its rows as a
   stream of Arrow.  Java moves them and does not look inside.
2. Segments go to the bucket of their pair of endpoints, and what is damaged in a file to that of the file.
3. A bucket is made to tables by `captures.engine`: what it has beyond its share of memory waits in files of
   the worker, and of a flow only its numbers are in memory at once, and not its bytes.
4. Each task says what it made, as a row of `said`.
5. In an increment, connections of which more may come are made to rows that are marked as open, and their
   segments are handed on as they are, for the next increment.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from msmq_wire.captures.engine import Settings
    from msmq_wire.captures.files.reading import ReadLimits
    from msmq_wire.captures.spool import Spool

    from ._facts import Facts
    from ._open import Keeping
    from ._options import Settings as Options

    Worker = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

__all__ = [
    "CHANGES",
    "FOUND",
    "KEPT",
    "MOVED",
    "SAID",
    "SEGMENTS",
    "TASK",
    "bucketed",
    "directory",
    "finding",
    "making",
    "more_columns",
    "reading",
    "reading_whole",
    "regrouped",
    "unpacked",
    "with_more",
]

MOVED: Final = "bucket int, open int, table string, data binary"
"""The columns of what goes from worker to worker; `open` is 1 for what the next increment replaces."""
SAID: Final = "said"
SEGMENTS: Final = "segments"
KEPT: Final = "kept"
"""Segments of connections that are still open."""
TASK: Final = "task"
FOUND: Final = "found"
CHANGES: Final = "changes"
DAMAGES: Final = "damages"
PARTITIONS: Final = 16
_ROWS: Final = 20_000
_BYTES: Final = 4 << 20
_HELD: Final = 32 << 20
_OPTIONS: Final = pa.ipc.IpcWriteOptions(compression="lz4")
_SCHEMA: Final = pa.schema(
    [("bucket", pa.int32()), ("open", pa.int32()), ("table", pa.string()), ("data", pa.binary())]
)


def _moved(bucket: int, table: str, data: bytes, *, is_open: bool = False) -> pa.RecordBatch:
    row = {"bucket": bucket, "open": int(is_open), "table": table, "data": data}
    return pa.RecordBatch.from_pylist([row], schema=_SCHEMA)


def _packed(batches: Sequence[pa.RecordBatch]) -> bytes:
    """Batches of one schema as a stream of Arrow."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batches[0].schema, options=_OPTIONS) as stream:
        for batch in batches:
            stream.write_batch(batch)
    return bytes(sink.getvalue())


def _opened(data: pa.BinaryScalar) -> pa.RecordBatchReader:
    return pa.ipc.open_stream(data.as_buffer())


class _Rows:
    """Rows of tables that wait until they are many enough to move."""

    def __init__(self, wanted: Iterable[str], *, is_open: bool = False) -> None:
        from ._facts import Facts  # noqa: PLC0415  # what only unpacks does without

        self.facts = Facts()
        self.is_open = is_open
        self._wanted = frozenset(wanted)
        self._held: dict[str, list[pa.RecordBatch]] = {}
        self._sizes: dict[str, tuple[int, int]] = {}

    def take(self, table: str, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Count rows, and give those that are many enough."""
        if not batch.num_rows:
            return
        self.facts.take(table, batch)
        if table not in self._wanted:
            return
        self._held.setdefault(table, []).append(batch)
        rows, size = self._sizes.get(table, (0, 0))
        self._sizes[table] = rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= _ROWS or size >= _BYTES:
            yield from self._given(table)

    def _given(self, table: str) -> Iterator[pa.RecordBatch]:
        del self._sizes[table]
        whole = pa.Table.from_batches(self._held.pop(table)).combine_chunks()
        for batch in whole.to_batches():
            for start, stop in _portions(batch):
                yield _moved(0, table, _packed([batch.slice(start, stop - start)]), is_open=self.is_open)

    def rest(self) -> Iterator[pa.RecordBatch]:
        """All that wait, and what was said."""
        for table in [*self._held]:
            yield from self._given(table)
        yield _moved(0, SAID, self.facts.encode(), is_open=self.is_open)


def _portions(batch: pa.RecordBatch) -> Iterator[tuple[int, int]]:
    """Where to cut a batch, so that no part has too many bytes; rows count as of one size."""
    step = max(1, batch.num_rows * _BYTES // max(batch.nbytes, 1))
    for start in range(0, batch.num_rows, step):
        yield start, min(start + step, batch.num_rows)


# ------------------------------------------------------------------------------------------ reading


def finding(options: Options, marks: bytes | None = None) -> Worker:
    """What finds files, and says what each task shall read.

    With marks it finds only what has come since they were set, and says how far that goes.  Its rows are
    one for each task, and one with three things: how many bytes it found, what cannot be reached, new marks.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from msmq_wire.captures.files.sources import files_of  # noqa: PLC0415  # workers need it, and drivers not
        from msmq_wire.captures.files.splits import parts_of, shared  # noqa: PLC0415  # as above

        if not sum(batch.num_rows for batch in batches):
            return
        unread: list[tuple[str, str]] = []
        if marks is None:
            files = files_of(options.places, names=options.names, recursive=options.recursive, unread=unread)
            total = sum(file.size for file in files)
            parts = parts_of(files, options.form, options.limits.most, options.bytes_per_part)
            tasks, after = shared(parts, options.target(total)), b""
        else:
            from ._stream import news  # noqa: PLC0415  # as above

            tasks, after = news(options, marks)
            total = sum(part.end - part.start for task in tasks for part in task)
        for task in tasks:
            yield _moved(0, TASK, msgspec.msgpack.encode(task))
        yield _moved(0, FOUND, msgspec.msgpack.encode((total, unread, after)))

    return run


def reading(
    tasks: Sequence[bytes], limits: ReadLimits, count: int, unread: Sequence[tuple[str, str]]
) -> Worker:
    """What reads the parts of files of tasks, which come by their numbers, for so many buckets.

    The first one tells of what cannot be reached.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from msmq_wire.captures.engine import part_batches, unreadable  # noqa: PLC0415  # as above
        from msmq_wire.captures.files.reading import Tally  # noqa: PLC0415  # as above
        from msmq_wire.captures.files.sources import shown  # noqa: PLC0415  # as above
        from msmq_wire.captures.files.splits import Part  # noqa: PLC0415  # as above

        from ._facts import Facts  # noqa: PLC0415  # as above

        wanted = frozenset({"quarantine"})
        for number in (number for batch in batches for number in batch.column(0).to_pylist()):
            facts, exchange = Facts(), _Exchange(count)
            if not number:
                for _, batch in unreadable(unread, wanted):
                    yield from exchange.damaged(batch)
            for part in msgspec.msgpack.decode(tasks[number], type=list[Part]) if tasks else ():
                tally = Tally()
                try:
                    for table, batch in part_batches(part, limits, tally):
                        yield from exchange.take(batch) if table == SEGMENTS else exchange.damaged(batch)
                except PermissionError as error:  # whoever tries again fails again
                    problem = f"cannot be read: {error.strerror or error}"
                    for _, batch in unreadable([(part.place, problem)], wanted):
                        yield from exchange.damaged(batch)
                facts.tally(shown(part.place), tally)
            yield from exchange.rest()
            yield _moved(number % count, SAID, facts.encode())

    return run


def reading_whole(limits: ReadLimits, form: str, count: int) -> Worker:
    """What reads files whose paths and bytes come as rows, for so many buckets."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from msmq_wire.captures.engine import part_batches  # noqa: PLC0415  # as above
        from msmq_wire.captures.files.reading import Tally  # noqa: PLC0415  # as above
        from msmq_wire.captures.files.splits import Part  # noqa: PLC0415  # as above

        from ._facts import Facts  # noqa: PLC0415  # as above
        from ._options import place_of  # noqa: PLC0415  # as above

        facts, exchange = Facts(), _Exchange(count)
        for rows in batches:
            for path, data in zip(rows.column(0).to_pylist(), rows.column(1), strict=True):
                place, tally, content = place_of(path), Tally(), data.as_buffer()
                part = Part(place, form, 0, content.size)
                for table, batch in part_batches(part, limits, tally, file=pa.BufferReader(content)):
                    yield from exchange.take(batch) if table == SEGMENTS else exchange.damaged(batch)
                facts.tally(place, tally)
        yield from exchange.rest()
        yield _moved(0, SAID, facts.encode())

    return run


def regrouped(count: int) -> Worker:
    """What brings segments that were kept to their buckets, of which there may be another number now."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        exchange = _Exchange(count, KEPT)
        for some in batches:
            for data in some.column("data"):
                for batch in _opened(data):
                    yield from exchange.take(batch)
        yield from exchange.rest()

    return run


def bucketed(count: int) -> Worker:
    """What brings rows of segments, as `format("msmq")` has them, to their buckets."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from msmq_wire.captures.files.segments import SEGMENTS as COLUMNS  # noqa: PLC0415  # as above
        from msmq_wire.captures.schemas import plain  # noqa: PLC0415  # as above
        from msmq_wire.captures.tables import quarantine_of_segments  # noqa: PLC0415  # as above

        exchange = _Exchange(count)
        for some in batches:
            batch = pa.RecordBatch.from_arrays(some.columns, schema=plain(COLUMNS))
            yield from exchange.damaged(quarantine_of_segments(batch))
            yield from exchange.take(batch.filter(pc.is_null(batch.column("error"))))
        yield from exchange.rest()

    return run


class _Exchange:
    """Segments on their way to buckets."""

    def __init__(self, count: int, table: str = SEGMENTS) -> None:
        self._count = count
        self._table = table
        self._held: list[pa.RecordBatch] = []
        self._numbers: list[NDArray[np.int64]] = []
        self._size = 0

    def take(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Take segments, and give them when they are many enough."""
        from msmq_wire.captures.engine import bucket_numbers  # noqa: PLC0415  # as above

        if not batch.num_rows:
            return
        self._held.append(batch)
        self._numbers.append(bucket_numbers(batch, self._count))
        self._size += batch.nbytes
        if self._size >= _HELD:
            yield from self.rest()

    def damaged(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Give rows of `quarantine` about frames and files; those of one file come together."""
        files = batch.column("file").to_pylist()
        for file in dict.fromkeys(files):
            own = batch.filter(pc.equal(batch.column("file"), file))
            yield _moved(zlib.crc32(file.encode()) % self._count, DAMAGES, _packed([own]))

    def rest(self) -> Iterator[pa.RecordBatch]:
        """The segments that wait, bucket by bucket."""
        if not self._held:
            return
        numbers = np.concatenate(self._numbers)
        whole = pa.Table.from_batches(self._held).combine_chunks()
        self._held, self._numbers, self._size = [], [], 0
        order = np.argsort(numbers, kind="stable")
        there, starts = np.unique(numbers[order], return_index=True)
        stops = [*starts[1:].tolist(), len(order)]
        for bucket, start, stop in zip(there.tolist(), starts.tolist(), stops, strict=True):
            own = whole.take(pa.array(order[start:stop])).combine_chunks() if len(there) > 1 else whole
            for batch in own.to_batches():
                for first, last in _portions(batch):
                    yield _moved(bucket, self._table, _packed([batch.slice(first, last - first)]))


# ------------------------------------------------------------------------------------------ making


def making(settings: Settings, wanted: frozenset[str], keeping: Keeping | None = None) -> Worker:
    """What makes the tables of a bucket, which is a partition; with `keeping`, as an increment."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with TemporaryDirectory(prefix="msmq_wire-") as place:
            bucket = _Bucket(settings, wanted, Path(place))
            yield from bucket.take(batches)
            yield from bucket.made(keeping)

    return run


class _Bucket:
    """What came to a bucket, and the rows of tables that are made of it."""

    def __init__(self, settings: Settings, wanted: frozenset[str], place: Path) -> None:
        self._settings = settings
        self._wanted = wanted
        self._place = place
        self._segments = {name: self._spool(name) for name in (KEPT, SEGMENTS)}
        self._damages: list[pa.RecordBatch] = []

    def _spool(self, name: str) -> Spool:
        from msmq_wire.captures.files.segments import SEGMENTS as COLUMNS  # noqa: PLC0415  # as above
        from msmq_wire.captures.schemas import plain  # noqa: PLC0415  # as above
        from msmq_wire.captures.spool import Spool  # noqa: PLC0415  # as above

        return Spool(plain(COLUMNS), self._place / name, self._settings.memory)

    def take(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Put aside what comes; what others said is given on."""
        for batch in batches:
            for table, data in zip(batch.column("table").to_pylist(), batch.column("data"), strict=True):
                if table == SAID:
                    yield _moved(0, SAID, data.as_py())
                    continue
                for own in _opened(data):
                    if table == DAMAGES:
                        self._damages.append(own)
                    else:
                        self._segments[table].add(own)

    def made(self, keeping: Keeping | None) -> Iterator[pa.RecordBatch]:
        """The rows of all tables."""
        rows = _Rows(self._wanted)
        if self._damages:
            yield from rows.take("quarantine", _merged(self._damages))
        if keeping is None:
            yield from self._tables(self._segments[SEGMENTS].batches(), rows)
            yield from rows.rest()
            return
        for is_open, batches in self._split(keeping, rows.facts):
            own = _Rows(self._wanted, is_open=True) if is_open else rows
            for batch in batches if is_open else ():
                for start, stop in _portions(batch):
                    yield _moved(0, KEPT, _packed([batch.slice(start, stop - start)]), is_open=True)
            yield from self._tables(batches, own)
            yield from own.rest()

    def _split(self, keeping: Keeping, facts: Facts) -> Iterator[tuple[bool, list[pa.RecordBatch]]]:
        """The segments of connections that are over, and of those that are open."""
        from ._open import Connections, among  # noqa: PLC0415  # as above

        found = {name: spool.batches() for name, spool in self._segments.items()}
        connections = Connections(keeping)
        for name, batches in found.items():
            for batch in batches:
                connections.take(batch, new=name == SEGMENTS)
        facts.last |= connections.last
        wanted = connections.open()
        if not wanted:
            yield False, [*found[KEPT], *found[SEGMENTS]]
            return
        for is_open in (False, True):
            spool = self._spool(f"open-{is_open}")
            for batch in (*found[KEPT], *found[SEGMENTS]):
                mask = among(batch, wanted)
                spool.add(batch.filter(mask if is_open else pc.invert(mask)))
            yield is_open, spool.batches()
            spool.close()

    def _tables(self, batches: list[pa.RecordBatch], rows: _Rows) -> Iterator[pa.RecordBatch]:
        from msmq_wire.captures.engine import ImbalanceError, Maker  # noqa: PLC0415  # as above

        maker = Maker(self._wanted | {"flows", "balance"}, self._settings, self._place)
        try:
            for table, made in maker.made(batches, 0):
                if table == CHANGES:
                    rows.facts.rows[CHANGES] = rows.facts.rows.get(CHANGES, 0) + made.num_rows
                    yield from _changes(made, is_open=rows.is_open)
                else:
                    yield from rows.take(table, made)
        except ImbalanceError as error:
            rows.facts.wrong.append(str(error))
        rows.facts.hear(maker.others)


def _merged(batches: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    """One row for each kind of damage of a file, that of the first place: it may have been read in parts."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in pa.Table.from_batches(batches).to_pylist():
        key = row["file"], row["kind"], row["cause"]
        first = found.setdefault(key, row)
        if first is row:
            continue
        sums = {name: first[name] + row[name] for name in ("size", "places")}
        earlier = min(first, row, key=lambda one: one["error_offset"])
        found[key] = {**earlier, **sums, "size": min(sums["size"], 0x7FFF_FFFF)}
    return pa.RecordBatch.from_pylist([*found.values()], schema=batches[0].schema)


def _changes(batch: pa.RecordBatch, *, is_open: bool) -> Iterator[pa.RecordBatch]:
    """Changes of the directory, by partition of the directory."""
    partitions = batch.column("PartitionID").to_pylist()
    numbers = np.array([zlib.crc32(str(partition).encode()) % PARTITIONS for partition in partitions])
    for number in np.unique(numbers).tolist():
        own = batch.take(pa.array(np.flatnonzero(numbers == number)))
        yield _moved(number, CHANGES, _packed([own]), is_open=is_open)


def directory(wanted: frozenset[str], *, is_open: bool = False) -> Worker:
    """What makes the tables of the directory, of all changes of some of its partitions."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from msmq_wire.captures.directory import directory_tables  # noqa: PLC0415  # as above

        rows = _Rows(wanted, is_open=is_open)
        changes = [own for batch in batches for data in batch.column("data") for own in _opened(data)]
        if changes:
            for table, batch in directory_tables(changes):
                yield from rows.take(table, batch)
        yield from rows.rest()

    return run


# ------------------------------------------------------------------------------------------ writing


def with_more(schema: pa.Schema, names: Iterable[str]) -> pa.Schema:
    """The columns of a table with those that it has besides: `date`, if it has times, and `open`."""
    more = [_MORE[name] for name in names if name != "date" or _time_of(schema) is not None]
    return pa.schema([*schema, *more])


_MORE: Final = {
    "date": pa.field("date", pa.date32(), metadata={"comment": "The day of its time, in UTC."}),
    "open": pa.field(
        "open", pa.int32(), metadata={"comment": "1 for what only counts until the next increment."}
    ),
}


def _time_of(schema: pa.Schema) -> str | None:
    return next((name for name in ("time", "first_at") if name in schema.names), None)


def more_columns(rows: pa.Table, schema: pa.Schema, *, is_open: int) -> pa.Table:
    """Rows with the columns that a table has besides."""
    if "date" in schema.names:
        rows = rows.append_column("date", rows.column(_time_of(schema)).cast(pa.date32()))
    if "open" in schema.names:
        rows = rows.append_column("open", pa.repeat(pa.scalar(is_open, pa.int32()), rows.num_rows))
    return rows


def unpacked(schema: pa.Schema) -> Worker:
    """What gives the rows of a table that were moved, with `with_more`."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for data, is_open in zip(batch.column("data"), batch.column("open").to_pylist(), strict=True):
                for own in _opened(data):
                    rows = more_columns(pa.Table.from_batches([own]), schema, is_open=is_open)
                    columns = [_cast(rows.column(field.name), field.type) for field in schema]
                    yield from pa.table(columns, schema=schema).combine_chunks().to_batches()

    return run


def _cast(column: Any, kind: pa.DataType) -> Any:
    return column if column.type.equals(kind) else column.cast(kind)
