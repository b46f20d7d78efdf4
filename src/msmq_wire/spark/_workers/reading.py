"""Reads files as segments, and sends segments to the buckets of their connections.

1. A segment goes to the bucket of its pair of endpoints, and a damage row to the bucket of its file.
2. Each task returns its statistics as a row of `STATISTICS`.
3. If wanted, it returns datagrams whose other fragments may be in other parts of files as rows of `LEFT`.
   What the parts of one task complete is sent to its bucket at once; the driver finds out whether that holds
   with the fragments of all tasks.
"""

from __future__ import annotations

import pickle
import zlib
from collections import defaultdict
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.engine import part_batches, unreadable
from msmq_wire.captures.files import segments
from msmq_wire.captures.files.reading import Tally, reunited_batches
from msmq_wire.captures.files.sources import Omitted, files_of, shown
from msmq_wire.captures.files.splits import FileSlice, parts_of, shared
from msmq_wire.captures.flows.buckets import bucket_numbers
from msmq_wire.captures.schemas import plain
from msmq_wire.captures.tables import quarantine_of_segments, sensor_of
from msmq_wire.spark._inputs.contents import FrameSums, missing, news
from msmq_wire.spark._inputs.options import place_of
from msmq_wire.spark._reports.statistics import TaskStatistics

from .moving import DAMAGES, FOUND, KEPT, LEFT, SEGMENTS, STATISTICS, TASK, moved, opened, packed, portions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from msmq_wire.captures.files.reading import ReadLimits
    from msmq_wire.captures.network.fragments import PendingDatagram
    from msmq_wire.spark._inputs.options import Settings

    from .moving import Worker

_HELD: Final = 32 << 20
"""Number of segment bytes that are collected before they are sent to their buckets."""


class Finding(NamedTuple):
    """The files that a worker has found.

    Attributes:
        size: The number of bytes.
        unread: The places that cannot be read, each with the reason.
        marks: The new marks; empty without marks.
        omitted: The entries of directories that are not read.
        files: The number of tasks, and of files that are newly reported as unread.
        frame_sums: As in `News`.
        differing: As in `News`.
    """

    size: int
    unread: list[tuple[str, str]]
    marks: bytes
    omitted: list[Omitted]
    files: int
    frame_sums: list[FrameSums]
    differing: list[int]


def finding(options: Settings, marks: bytes | None = None, frame_sums: Sequence[FrameSums] = ()) -> Worker:
    """Return the worker that finds files and divides them into tasks.

    With marks it finds only data that is new since they were set.  It returns one row for each task, and one
    row with a `Finding`.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        if not sum(batch.num_rows for batch in batches):
            return
        unread: list[tuple[str, str]] = []
        omitted: list[Omitted] = []
        if marks is None:
            files = files_of(
                options.locations,
                names=options.names,
                recursive=options.recursive,
                unread=unread,
                omitted=omitted,
            )
            total = sum(file.size for file in files)
            parts = parts_of(files, options.form, options.limits.most, options.bytes_per_part)
            tasks, after = shared(parts, options.target(total)), b""
            count, new_sums, differing = len(tasks), list[FrameSums](), set[int]()
        else:
            tasks, after, copies, grown, omitted, new_sums, differing = news(options, marks, frame_sums)
            unread, count = [*copies, *grown], len(tasks) + len(grown)
            total = sum(part.end - part.start for task in tasks for part in task)
        for task in tasks:
            yield moved(0, TASK, pickle.dumps(task))  # names of files may be bytes that are not UTF-8
        result = Finding(
            total,
            [(shown(location), problem) for location, problem in unread],
            after,
            [entry._replace(location=shown(entry.location)) for entry in omitted],
            count,
            new_sums,
            [*differing],
        )
        yield moved(0, FOUND, msgspec.msgpack.encode(result))

    return run


def checking(options: Settings, marks: bytes) -> Worker:
    """Return the worker that finds places that were read and no longer exist, as one row with their list."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        if sum(batch.num_rows for batch in batches):
            yield moved(0, FOUND, msgspec.msgpack.encode(missing(options, marks)))

    return run


_LEFT: Final = 1 << 20
"""Bytes of datagrams with missing fragments that are returned for a part."""


def reading(
    tasks: Sequence[bytes],
    limits: ReadLimits,
    count: int,
    unread: Sequence[tuple[str, str]],
    omitted: Sequence[Omitted] = (),
    *,
    leaves: bool = False,
    reunites: bool = True,
) -> Worker:
    """Return the worker that reads the files of tasks, given their indices and the number of buckets.

    The first task reports the unreadable and the omitted places.  With `leaves` it returns rows of `LEFT`,
    and with `reunites` it sends the datagrams that the parts of a task complete.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        wanted = frozenset({"quarantine"})
        for number in (number for batch in batches for number in batch.column(0).to_pylist()):
            facts, exchange = TaskStatistics(), _Exchange(count)
            waiting = _PendingFragments(limits, exchange, reunites=reunites)
            if not number:
                for _, batch in unreadable(unread, wanted):
                    yield from exchange.damaged(batch)
                for location, reason, detail in omitted:
                    tally = Tally()
                    tally.add(reason, detail, 0, 0)
                    facts.tally(shown(location), tally)
            for part in pickle.loads(tasks[number]) if tasks else ():  # noqa: S301  # our own bytes
                tally = Tally()
                left: list[PendingDatagram] | None = [] if leaves else None
                try:
                    for table, batch in part_batches(part, limits, tally, left):
                        yield from exchange.take(batch) if table == SEGMENTS else exchange.damaged(batch)
                    yield from waiting.take(left or [], tally)
                except PermissionError as error:  # a retry would fail again
                    problem = f"cannot be read: {error.strerror or error}"
                    for _, batch in unreadable([(part.location, problem)], wanted):
                        yield from exchange.damaged(batch)
                facts.tally(shown(part.location), tally)
            yield from waiting.rest()
            yield from exchange.rest()
            yield moved(number % count, STATISTICS, facts.encode())

    return run


def reading_whole(
    limits: ReadLimits, form: str, count: int, *, leaves: bool = False, reunites: bool = True
) -> Worker:
    """Return the worker that reads files whose paths and contents are rows, given the number of buckets.

    `leaves` and `reunites` are those of `reading`.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        facts, exchange = TaskStatistics(), _Exchange(count)
        waiting = _PendingFragments(limits, exchange, reunites=reunites)
        for rows in batches:
            for path, data in zip(rows.column(0).to_pylist(), rows.column(1), strict=True):
                location, tally, content = place_of(path), Tally(), data.as_buffer()
                part = FileSlice(location, form, 0, content.size)
                left: list[PendingDatagram] | None = [] if leaves else None
                for table, batch in part_batches(part, limits, tally, left, pa.BufferReader(content)):
                    yield from exchange.take(batch) if table == SEGMENTS else exchange.damaged(batch)
                yield from waiting.take(left or [], tally)
                facts.tally(location, tally)
        yield from waiting.rest()
        yield from exchange.rest()
        yield moved(0, STATISTICS, facts.encode())

    return run


def regrouped(count: int) -> Worker:
    """Return the worker that sends kept segments to their buckets, whose number may have changed."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        exchange = _Exchange(count, KEPT)
        for some in batches:
            for data in some.column("data"):
                for batch in opened(data):
                    yield from exchange.take(batch)
        yield from exchange.rest()

    return run


def sent(batch: pa.RecordBatch, count: int) -> Iterator[pa.RecordBatch]:
    """Yield segments as moved rows, given the number of buckets."""
    exchange = _Exchange(count)
    yield from exchange.take(batch)
    yield from exchange.rest()


def bucketed(count: int) -> Worker:
    """Return the worker that sends rows of the format ``msmq`` to their buckets."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        exchange = _Exchange(count)
        for some in batches:
            batch = pa.RecordBatch.from_arrays(some.columns, schema=plain(segments.SEGMENTS))
            yield from exchange.damaged(quarantine_of_segments(batch))
            yield from exchange.take(batch.filter(pc.is_null(batch.column("error"))))
        yield from exchange.rest()

    return run


class _Exchange:
    """Segments that are collected for their buckets."""

    def __init__(self, count: int, table: str = SEGMENTS) -> None:
        self._count = count
        self._table = table
        self._held: list[pa.RecordBatch] = []
        self._numbers: list[NDArray[np.int64]] = []
        self._size = 0

    def take(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Add segments; yield them when there are enough."""
        if not batch.num_rows:
            return
        self._held.append(batch)
        self._numbers.append(bucket_numbers(batch, self._count))
        self._size += batch.nbytes
        if self._size >= _HELD:
            yield from self.rest()

    def damaged(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Yield rows of `quarantine` about frames and files; those of one file go to the same bucket."""
        files = batch.column("file").to_pylist()
        for file in dict.fromkeys(files):
            part = batch.filter(pc.equal(batch.column("file"), file))
            yield moved(zlib.crc32(file.encode()) % self._count, DAMAGES, packed([part]))

    def rest(self) -> Iterator[pa.RecordBatch]:
        """Yield the remaining segments, bucket by bucket."""
        if not self._held:
            return
        numbers = np.concatenate(self._numbers)
        whole = pa.Table.from_batches(self._held).combine_chunks()
        self._held, self._numbers, self._size = [], [], 0
        order = np.argsort(numbers, kind="stable")
        there, starts = np.unique(numbers[order], return_index=True)
        stops = [*starts[1:].tolist(), len(order)]
        for bucket, start, stop in zip(there.tolist(), starts.tolist(), stops, strict=True):
            part = whole.take(pa.array(order[start:stop])).combine_chunks() if len(there) > 1 else whole
            for batch in part.to_batches():
                for first, last in portions(batch):
                    yield moved(bucket, self._table, packed([batch.slice(first, last - first)]))


class _PendingFragments:
    """The datagrams that the parts of a task have left."""

    def __init__(self, limits: ReadLimits, exchange: _Exchange, *, reunites: bool) -> None:
        self._limits = limits
        self._exchange = exchange
        self._reunites = reunites
        self._held: list[PendingDatagram] = []
        self._size = 0

    def take(self, left: list[PendingDatagram], tally: Tally) -> Iterator[pa.RecordBatch]:
        """Take those of a part of a file; of many, the oldest ones count as incomplete."""
        most = self._size + _LEFT
        while left and self._size < most:
            self._held.append(left.pop())
            self._size += sum(map(len, self._held[-1].parts.values()))
        if left:
            tallies = {left[0].first[0]: tally}
            for batch in reunited_batches(left, self._limits, tallies, sensor_of):
                yield from self._exchange.damaged(quarantine_of_segments(batch))
        if self._size >= _HELD:
            yield from self.rest()

    def rest(self) -> Iterator[pa.RecordBatch]:
        """Send the datagrams that are complete; yield all, and which were sent."""
        batches, self._held, self._size = self._held, [], 0
        sent_rows: list[bytes] = []
        tallies: defaultdict[str, Tally] = defaultdict(Tally)  # the driver counts the frames
        for batch in reunited_batches(batches, self._limits, tallies, sensor_of) if self._reunites else ():
            whole = batch.filter(pc.is_null(batch.column("error")))
            sent_rows += row_digests(whole)
            yield from self._exchange.take(whole)
        if batches:
            yield moved(0, LEFT, msgspec.msgpack.encode((sent_rows, batches)))


def row_digests(batch: pa.RecordBatch) -> list[bytes]:
    """Return a digest of each segment."""
    return [blake2b(repr(row).encode(), digest_size=16).digest() for row in batch.to_pylist()]
