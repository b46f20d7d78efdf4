"""Streams capture files that are added or grow: each record is read exactly once.

1. An offset stores how far each file was read, always to the end of a complete record.  An incomplete record
   waits until it is complete.  A compressed file is read when it can be decompressed completely.
2. The driver only checks files that changed since the last check.  It compares the bytes that were read
   before by a checksum, and scans only the new bytes.
3. The contents of a micro-batch depend only on its two offsets and the files.  A repeated batch therefore
   reads the same rows.  If a file was overwritten in between, the batch fails with an error.
4. A file that was overwritten, wholly or in part, is read from the start.  A file that is only shorter waits
   until it is as long as before, because it may be in the process of being rewritten.
5. If bytes of a file cannot be a record, an error row reports it, and the rest of the file is not read.
6. Offsets name files as `shown`, because they are stored in the checkpoint: without passwords.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from pyspark.sql.datasource import DataSourceStreamReader
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadMaxBytes,
    ReadMaxFiles,
    SupportsTriggerAvailableNow,
)

from msmq_wire.captures.files.sources import File, files_of, opened, shown, unpacked
from msmq_wire.captures.files.splits import HEAD, FileSlice, form_of, scanned, shared
from msmq_wire.values.errors import MsmqWireError

from .columns import Columns, Task

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa
    from pyspark.sql.datasource import InputPartition
    from pyspark.sql.streaming.datasource import ReadLimit
    from pyspark.sql.types import StructType

    from msmq_wire.captures.files.splits import FrameEnds

    from .options import Settings

TOLD_BY = 64
"""Number of first bytes by which most files differ, compared before the other bytes; all
pcapng files of one program may begin with the same bytes."""
WINDOW = 1 << 22
"""Number of bytes that are read at once."""


class _Mark(NamedTuple):
    """How far a file was read; an offset has one mark for each file.

    Attributes:
        at: Number of bytes that were read.
        number: The number of the next frame.
        turn: How often the file was overwritten.
        told_by: Number of first bytes that identify it.
        head: CRC-32 of these bytes.
        closed: Whether the rest of the file is ignored.
        whole: CRC-32 of all bytes that were read; None in offsets of earlier versions.
    """

    at: int = 0
    number: int = 1
    turn: int = 0
    told_by: int = 0
    head: int = 0
    closed: bool = False
    whole: int | None = None

    def tells(self, data: Any) -> bool:
        """Return whether the open file starts with the same bytes."""
        return zlib.crc32(data.read_at(self.told_by, 0)) == self.head

    def begins(self, data: Any) -> bool:
        """Return whether the open file begins with all bytes that were read."""
        return self.whole is None or checksum(data, 0, self.at) == self.whole


class Extent(NamedTuple):
    """The part of a file that can be read now.

    Attributes:
        parts: The parts, in order.
        at: The end of the last one: where the next record begins, or may begin.
        number: The number of the next frame.
        closed: Whether the rest of the file is ignored.
    """

    parts: list[FileSlice]
    at: int
    number: int
    closed: bool = False


class CaptureStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads capture files that are added or grow.

    Attributes:
        looked: By place, the state of files when they had no unread data.
    """

    def __init__(self, settings: Settings, schema: StructType) -> None:
        self._columns = Columns(settings, schema)
        self._settings = settings
        self.looked: dict[str, File] = {}
        self._ready: dict[tuple[str, _Mark], list[FileSlice]] = {}  # parts found together with an offset
        self._last: list[File] | None = None  # the files to read before the query ends, if it is to end

    def initialOffset(self) -> dict[str, Any]:  # Spark's name
        """Return the offset before anything was read."""
        return {}

    def getDefaultReadLimit(self) -> ReadLimit:  # Spark's name
        """Return the limit from the options."""
        if self._settings.files_per_batch is not None:
            return ReadMaxFiles(self._settings.files_per_batch)
        if self._settings.bytes_per_batch is not None:
            return ReadMaxBytes(self._settings.bytes_per_batch)
        return ReadAllAvailable()

    def prepareForTriggerAvailableNow(self) -> None:  # Spark's name
        """Read only the files that exist now."""
        self._last = self._files()

    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:  # Spark's name
        """Return how far files can be read now, the oldest first, within a limit."""
        marks = _marks_of(start)
        files = size = 0
        there = self._files() if self._last is None else self._last
        for file in sorted(there, key=lambda file: (file.changed, file.location)):
            if self.looked.get(file.location) == file:
                continue
            if isinstance(limit, ReadMaxFiles) and files >= limit.max_files:
                break
            if isinstance(limit, ReadMaxBytes) and size >= limit.max_bytes:
                break
            before = marks.get(shown(file.location), _Mark())
            mark = self._look(file, before)
            self.looked[file.location] = file
            if mark is not None:
                marks[shown(file.location)] = mark
                files += 1
                size += mark.at - (before.at if before.turn == mark.turn else 0)
        return {name: mark._asdict() for name, mark in sorted(marks.items())}

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[InputPartition]:
        """Return the parts between two offsets, divided into tasks."""
        parts: list[FileSlice] = []
        marks = _marks_of(start)
        locations: dict[str, str] | None = None
        for name, mark in _marks_of(end).items():
            before = marks.get(name, _Mark())
            if before == mark:
                continue
            ready = self._ready.get((name, mark))
            if ready is None and locations is None:
                locations = {shown(file.location): file.location for file in self._files()}
            parts += self._parts_again(name, locations or {}, before, mark) if ready is None else ready
        self._ready.clear()
        target = self._settings.target(sum(part.end - part.start for part in parts))
        return [Task(several) for several in shared(parts, target)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a task, in the order of its files."""
        # Spark passes a task of this source.
        return self._columns.batches(partition)  # type: ignore[arg-type]

    # ------------------------------------------------------------------------------------- on the driver

    def _files(self) -> list[File]:
        settings = self._settings
        return files_of(settings.locations, names=settings.names, recursive=settings.recursive, growing=True)

    def _look(self, file: File, before: _Mark) -> _Mark | None:
        """Return how far a file can be read now; None if there is nothing new."""
        with opened(file.location) as data:
            if (file.size >= before.told_by and not before.tells(data)) or (
                file.size >= before.at and not before.begins(data)
            ):
                before = _Mark(turn=before.turn + 1)
            if before.closed or file.size < before.at:  # if shorter, it may be being rewritten
                return None
            parts, mark = self._extent(data, file.location, file.size, before)
            if mark == before or is_unfinished(data, file.size):
                return None
            if not mark.told_by:
                size = min(TOLD_BY, mark.at)
                mark = mark._replace(told_by=size, head=zlib.crc32(data.read_at(size, 0)))
            start = (0, 0) if before.whole is None else (before.at, before.whole)
            mark = mark._replace(whole=checksum(data, start[0], mark.at, start[1]))
        self._ready[shown(file.location), mark] = parts
        return mark

    def _parts_again(
        self, name: str, locations: Mapping[str, str], before: _Mark, mark: _Mark
    ) -> list[FileSlice]:
        """Find the parts between two marks again, after the process that set them has ended."""
        if before.turn != mark.turn:
            before = _Mark(turn=mark.turn)
        if name not in locations:
            raise MsmqWireError(f"{name} was removed before it was read; its data is missing")
        location = locations[name]
        with opened(location) as data:
            if not (mark.tells(data) and mark.begins(data)):
                raise MsmqWireError(f"{name} was overwritten before it was read; its data is missing")
            return self._extent(data, location, mark.at, before)[0]

    def _extent(self, data: Any, location: str, size: int, before: _Mark) -> tuple[list[FileSlice], _Mark]:
        """Return the parts from a mark up to a size, and the mark after them."""
        parts = extent(
            self._settings, data, location, size, before.at, before.number, self._settings.bytes_per_part
        )
        return parts.parts, before._replace(at=parts.at, number=parts.number, closed=parts.closed)


def _marks_of(offset: Mapping[str, Any]) -> dict[str, _Mark]:
    """Return the marks of an offset; earlier versions had names of files with passwords."""
    return {shown(name): _Mark(**values) for name, values in offset.items()}


def checksum(data: Any, start: int, end: int, whole: int = 0) -> int:
    """Return the CRC-32 of all bytes of an open file before an end, given that of those before a start."""
    for at in range(start, end, WINDOW):
        whole = zlib.crc32(data.read_at(min(WINDOW, end - at), at), whole)
    return whole


def extent(
    settings: Settings,
    data: Any,
    location: str,
    size: int,
    at: int,
    number: int,
    target: int,
    ends: FrameEnds | None = None,
) -> Extent:
    """Return the part of an open file that can be read.

    Args:
        settings: How to read it.
        data: The file.
        location: Its path or URL.
        size: Its size in bytes.
        at: Where its unread part begins: at a record.
        number: The number of the next frame.
        target: Target size of a part in bytes.
        ends: Receives the ends of all records with frames, as in `scanned`.
    """
    head = data.read_at(min(HEAD, size), 0)
    kind, form = form_of(head), settings.form
    if kind == "packed":
        return Extent([FileSlice(location, form, 0, size)], size, number, closed=True)
    form = kind if form == "auto" else form
    if form == "packets":
        return Extent([FileSlice(location, form, at, size)] if size > at else [], size, number)
    if kind != form or not kind:
        if len(head) < HEAD:
            return Extent([], at, number)
        return Extent([FileSlice(location, settings.form, 0, size)], size, number, closed=True)
    most = settings.limits.most
    preamble = scanned(data, FileSlice(location, form, 0, at), most, at).preamble if at else b""
    scan = scanned(data, FileSlice(location, form, at, size, number, preamble), most, target, ends)
    if scan.sound:
        return Extent(scan.parts, scan.end, scan.number)
    broken = FileSlice(location, form, scan.end, size, scan.number, scan.preamble)
    return Extent([*scan.parts, broken], size, scan.number, closed=True)


def is_unfinished(data: Any, size: int) -> bool:
    """Return whether an open file is compressed, and cannot be decompressed completely."""
    if form_of(data.read_at(HEAD, 0)) != "packed":
        return False
    source = unpacked(data, size)
    while source.read(1 << 20):
        pass
    return source.trouble is not None
