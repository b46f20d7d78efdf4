"""What workers do: files to segments, segments to rows of all tables, and rows out of what was set aside.

1. What goes from worker to worker is few large rows: a bucket, the name of a table, and some of its rows as a
   stream of Arrow.  Java moves them and does not look inside.
2. Segments go to the bucket of their pair of endpoints, and what is damaged in a file to that of the file.
3. A bucket is made to tables by `captures.engine`: what it has beyond its share of memory waits in files of
   the worker, and of a flow only its numbers are in memory at once, and not its bytes.
4. Each task says what it made, as a row of `said`.
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

    from ._options import Settings as Options

    Worker = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

__all__ = [
    "CHANGES",
    "MOVED",
    "SAID",
    "SEGMENTS",
    "bucketed",
    "directory",
    "finding",
    "making",
    "reading",
    "unpacked",
]

MOVED: Final = "bucket int, table string, data binary"
"""The columns of what goes from worker to worker."""
SAID: Final = "said"
SEGMENTS: Final = "segments"
CHANGES: Final = "changes"
DAMAGES: Final = "damages"
PARTITIONS: Final = 16
_ROWS: Final = 20_000
_BYTES: Final = 4 << 20
_HELD: Final = 32 << 20
_OPTIONS: Final = pa.ipc.IpcWriteOptions(compression="lz4")
_SCHEMA: Final = pa.schema([("bucket", pa.int32()), ("table", pa.string()), ("data", pa.binary())])


def _moved(bucket: int, table: str, data: bytes) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([{"bucket": bucket, "table": table, "data": data}], schema=_SCHEMA)


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

    def __init__(self, bucket: int, wanted: Iterable[str]) -> None:
        from ._facts import Facts  # noqa: PLC0415  # what only unpacks does without

        self.facts = Facts()
        self._bucket = bucket
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
                yield _moved(self._bucket, table, _packed([batch.slice(start, stop - start)]))

    def rest(self) -> Iterator[pa.RecordBatch]:
        """All that wait, and what was said."""
        for table in [*self._held]:
            yield from self._given(table)
        yield _moved(self._bucket, SAID, self.facts.encode())


def _portions(batch: pa.RecordBatch) -> Iterator[tuple[int, int]]:
    """Where to cut a batch, so that no part has too many bytes; rows count as of one size."""
    step = max(1, batch.num_rows * _BYTES // max(batch.nbytes, 1))
    for start in range(0, batch.num_rows, step):
        yield start, min(start + step, batch.num_rows)


# ------------------------------------------------------------------------------------------ reading


def finding(options: Options) -> Worker:
    """What finds files, and says what each task shall read and what cannot be reached."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from msmq_wire.captures.files.sources import files_of  # noqa: PLC0415  # workers need it, and drivers not
        from msmq_wire.captures.files.splits import parts_of, shared  # noqa: PLC0415  # as above

        if not sum(batch.num_rows for batch in batches):
            return
        unread: list[tuple[str, str]] = []
        files = files_of(options.places, names=options.names, recursive=options.recursive, unread=unread)
        total = sum(file.size for file in files)
        parts = parts_of(files, options.form, options.limits.most, options.bytes_per_part)
        for task in shared(parts, options.target(total)):
            yield _moved(min(total, 0x7FFF_FFFF), "task", msgspec.msgpack.encode(task))
        yield _moved(0, "unread", msgspec.msgpack.encode(unread))

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

    def __init__(self, count: int) -> None:
        self._count = count
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
                    yield _moved(bucket, SEGMENTS, _packed([batch.slice(first, last - first)]))


# ------------------------------------------------------------------------------------------ making


def making(settings: Settings, wanted: frozenset[str]) -> Worker:
    """What makes the tables of a bucket, which is a partition."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from msmq_wire.captures.engine import ImbalanceError, Maker  # noqa: PLC0415  # as above
        from msmq_wire.captures.files.segments import SEGMENTS as COLUMNS  # noqa: PLC0415  # as above
        from msmq_wire.captures.schemas import plain  # noqa: PLC0415  # as above
        from msmq_wire.captures.spool import Spool  # noqa: PLC0415  # as above

        with TemporaryDirectory(prefix="msmq_wire-") as place:
            spool = Spool(plain(COLUMNS), Path(place) / "segments", settings.memory)
            bucket, damages = 0, list[pa.RecordBatch]()
            for batch in batches:
                for table, data in zip(batch.column("table").to_pylist(), batch.column("data"), strict=True):
                    if table == SAID:
                        yield _moved(0, SAID, data.as_py())
                        continue
                    for own in _opened(data):
                        if table == SEGMENTS:
                            spool.add(own)
                        else:
                            damages.append(own)
                if batch.num_rows:
                    bucket = batch.column("bucket")[0].as_py()
            rows = _Rows(bucket, wanted)
            if damages:
                yield from rows.take("quarantine", _merged(damages))
            maker = Maker(wanted | {"flows", "balance"}, settings, Path(place))
            try:
                for table, made in maker.made(spool.batches(), 0):
                    if table == CHANGES:
                        rows.facts.rows[CHANGES] = rows.facts.rows.get(CHANGES, 0) + made.num_rows
                        yield from _changes(made)
                    else:
                        yield from rows.take(table, made)
            except ImbalanceError as error:
                rows.facts.wrong.append(str(error))
            rows.facts.others += maker.others
            spool.close()
            yield from rows.rest()

    return run


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


def _changes(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Changes of the directory, by partition of the directory."""
    partitions = batch.column("PartitionID").to_pylist()
    numbers = np.array([zlib.crc32(str(partition).encode()) % PARTITIONS for partition in partitions])
    for number in np.unique(numbers).tolist():
        own = batch.take(pa.array(np.flatnonzero(numbers == number)))
        yield _moved(number, CHANGES, _packed([own]))


def directory(wanted: frozenset[str]) -> Worker:
    """What makes the tables of the directory, of all changes of some of its partitions."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from msmq_wire.captures.directory import directory_tables  # noqa: PLC0415  # as above

        rows = _Rows(0, wanted)
        changes = [own for batch in batches for data in batch.column("data") for own in _opened(data)]
        if changes:
            for table, batch in directory_tables(changes):
                yield from rows.take(table, batch)
        yield from rows.rest()

    return run


# ------------------------------------------------------------------------------------------ writing


def unpacked(schema: pa.Schema) -> Worker:
    """What gives the rows of a table that were moved."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for data in batch.column("data"):
                for rows in _opened(data):
                    yield pa.RecordBatch.from_arrays(
                        [_cast(rows.column(field.name), field.type) for field in schema], schema=schema
                    )

    return run


def _cast(column: Any, kind: pa.DataType) -> Any:
    return column if column.type.equals(kind) else column.cast(kind)
