"""Finds the input: files that workers open themselves, or files that Spark reads.

1. Workers open paths without a scheme, and read large files in parts.  Spark reads URLs, with its own file
   systems and credentials; each file is then read by one task and is completely in memory, so it may have up
   to 1 GiB. The option ``access`` overrides this.
2. Marks store how much increments have read.  For files that workers open, they store how far each was read,
   so files may grow.  For files that Spark reads, they store size and time; each file is read once.  They
   name files as `shown`, without passwords.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from msmq_wire.captures.files.sources import hidden_entry, shown
from msmq_wire.spark._outputs.sink import hidden_in, literally
from msmq_wire.spark._workers.moving import FOUND, MOVED, TASK
from msmq_wire.spark._workers.reading import Finding, checking, finding, reading, reading_whole

from .options import place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from msmq_wire.spark._workers.moving import Worker

    from .contents import FrameSums
    from .options import Settings

_LARGEST: Final = 1 << 30

Marks = dict[str, tuple[int, int]]


class Inputs(NamedTuple):
    """The input.

    Attributes:
        size: Size in bytes.
        files: Number of files or parts of files.
        marks: The state for the next increment.
        moved: Creates the rows of segments, for a number of buckets, with the datagrams that are complete by
            the fragments of one task.
        moved_apart: Creates them without these.
        frame_sums: Checksums of the frames, for the increments after it.
    """

    size: int
    files: int
    marks: bytes
    moved: Callable[[int], DataFrame]
    moved_apart: Callable[[int], DataFrame]
    frame_sums: Sequence[FrameSums] = ()


def inputs_of(
    spark: SparkSession,
    options: Settings,
    marks: bytes | None = None,
    sums_of: Callable[[list[int]], list[FrameSums]] | None = None,
) -> Inputs:
    """Find the input.

    Args:
        spark: The session.
        options: What to read.
        marks: The marks of the previous increment; empty for the first one; None without increments.
        sums_of: Returns the checksums of the frames of contents; without it, frames before a difference of a
            file may be read again.
    """
    if options.through_spark:
        return _of_spark(spark, options, marks)
    return _of_workers(spark, options, marks, sums_of)


def _of_workers(
    spark: SparkSession,
    options: Settings,
    marks: bytes | None,
    sums_of: Callable[[list[int]], list[FrameSums]] | None,
) -> Inputs:
    tasks, files = _files_of(spark, finding(options, marks))
    if files.differing and sums_of is not None:
        tasks, files = _files_of(spark, finding(options, marks, sums_of(files.differing)))

    def moved(count: int, *, reunites: bool) -> DataFrame:
        numbers = spark.range(0, max(len(tasks), 1), 1, max(len(tasks), 1))
        worker = reading(
            tasks, options.limits, count, files.unread, files.omitted, leaves=marks is None, reunites=reunites
        )
        return numbers.mapInArrow(worker, MOVED)

    ways = partial(moved, reunites=True), partial(moved, reunites=False)
    return Inputs(files.size, files.files, files.marks, *ways, files.frame_sums)


def _files_of(spark: SparkSession, worker: Worker) -> tuple[list[bytes], Finding]:
    """Return the tasks that a worker has made, and what it has found."""
    rows = spark.range(1).mapInArrow(worker, MOVED).collect()
    tasks = [bytes(row.data) for row in rows if row.table == TASK]
    (files,) = (msgspec.msgpack.decode(bytes(row.data), type=Finding) for row in rows if row.table == FOUND)
    return tasks, files


def _of_spark(spark: SparkSession, options: Settings, marks: bytes | None) -> Inputs:
    facts_by_path, there = _decoded(marks), _listed(spark, options)
    omitted = [
        hidden_entry(location)
        for given in options.locations
        for location in hidden_in(spark, given, deep=options.recursive)
    ]
    new = {path: facts for path, facts in there.items() if facts_by_path.get(shown(path)) != facts}
    changed = {path for path in new if shown(path) in facts_by_path}
    unread = [
        (place_of(path), f"has {size} bytes, and through Spark a file may have {_LARGEST}: option access")
        for path, (size, _) in new.items()
        if size > _LARGEST
    ]
    unread += [(place_of(path), "has changed since it was read") for path in new if path in changed]
    wanted = [path for path, (size, _) in new.items() if size <= _LARGEST and path not in changed]

    def moved(count: int, *, reunites: bool) -> DataFrame:
        reported = spark.range(1).mapInArrow(reading([], options.limits, count, unread, omitted), MOVED)
        if not wanted:
            return reported
        # Without increments, pass the user's paths; with increments, only the new files.
        locations = [*options.locations] if marks is None else [literally(path) for path in wanted]
        content = (
            _reader(spark, options).load(locations).where(f"length <= {_LARGEST}").select("path", "content")
        )
        worker = reading_whole(options.limits, options.form, count, leaves=marks is None, reunites=reunites)
        read: DataFrame = content.mapInArrow(worker, MOVED)
        return read.union(reported) if unread or omitted else read

    sizes = sum(new[path][0] for path in wanted)
    after = facts_by_path | {shown(path): facts for path, facts in new.items()}
    number, state = len(wanted) + len(unread), msgspec.msgpack.encode(after)
    return Inputs(sizes, number, state, partial(moved, reunites=True), partial(moved, reunites=False))


def missing_inputs(spark: SparkSession, options: Settings, marks: bytes) -> list[str]:
    """Return the places that increments have read and that no longer exist.

    Args:
        spark: The session.
        options: What to read.
        marks: The marks of the increments.
    """
    if not options.through_spark:
        rows = spark.range(1).mapInArrow(checking(options, marks), MOVED).collect()
        return [name for row in rows for name in msgspec.msgpack.decode(bytes(row.data), type=list[str])]
    there = {shown(path): facts for path, facts in _listed(spark, options).items()}
    return [place_of(name) for name, facts in _decoded(marks).items() if there.get(name) != facts]


def _decoded(marks: bytes | None) -> Marks:
    facts_by_path = msgspec.msgpack.decode(marks, type=Marks) if marks else {}
    return {shown(path): facts for path, facts in facts_by_path.items()}  # earlier versions kept passwords


def _listed(spark: SparkSession, options: Settings) -> Marks:
    """Return size and time of the files that Spark finds."""
    rows = _reader(spark, options).load([*options.locations]).select("path", "length", "modificationTime")
    changed = "unix_micros(modificationTime) AS changed"
    return {
        row.path: (row.length, row.changed) for row in rows.selectExpr("path", "length", changed).collect()
    }


def _reader(spark: SparkSession, options: Settings) -> Any:
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", str(options.recursive).lower())
    return reader if options.names is None else reader.option("pathGlobFilter", options.names)
