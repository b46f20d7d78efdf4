"""Streams capture files that are added or grow: each record is read exactly once.

1. An offset stores how far each file was read, always to the end of a complete record.  An incomplete record
   waits until it is complete.  A gzip file is read when it can be decompressed completely.
2. The driver only checks files that changed since the last check, and scans only their new bytes.
3. The contents of a micro-batch depend only on its two offsets and the files.  A repeated batch therefore
   reads the same rows.  If a file was overwritten in between, the batch fails with an error.
4. A file that was overwritten under its old name is detected by its first bytes, and read from the start.
5. If bytes of a file cannot be a record, an error row reports it, and the rest of the file is not read.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from pyspark.sql.datasource import DataSourceStreamReader
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadMaxBytes,
    ReadMaxFiles,
    SupportsTriggerAvailableNow,
)

from msmq_wire.captures.files.segments import SEGMENTS
from msmq_wire.captures.files.sources import File, files_of, opened, shown, unpacked
from msmq_wire.captures.files.splits import HEAD, Part, form_of, scanned, shared
from msmq_wire.captures.tables import sensor_of
from msmq_wire.values.errors import MsmqWireError

from .columns import Columns, Task

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyspark.sql.datasource import InputPartition
    from pyspark.sql.streaming.datasource import ReadLimit
    from pyspark.sql.types import StructType

    from .options import Settings

__all__ = ["CaptureStreamReader", "news"]

_TOLD_BY = 64
"""Number of first bytes that identify a file; they include a file header and the time of a frame."""
_TAIL = 1 << 16
"""Number of last bytes that tell, together with the first ones, whether one file begins with another."""


class _Mark(NamedTuple):
    """How far a file was read; an offset has one mark for each file.

    Attributes:
        at: Number of bytes that were read.
        number: The number of the next frame.
        turn: How often the file was overwritten.
        told_by: Number of first bytes that identify it.
        head: CRC-32 of these bytes.
        closed: Whether the rest of the file is ignored.
        tail: CRC-32 of the last bytes that were read.
    """

    at: int = 0
    number: int = 1
    turn: int = 0
    told_by: int = 0
    head: int = 0
    closed: bool = False
    tail: int = 0

    def begins(self, data: Any, size: int) -> bool:
        """Return whether the open file of a size begins with what was read of the file of this mark."""
        return self.at <= size and self.tells(data) and _tail(data, self.at) == self.tail

    def tells(self, data: Any) -> bool:
        """Return whether the open file starts with the same bytes."""
        return zlib.crc32(data.read_at(self.told_by, 0)) == self.head


class _Known(msgspec.Struct):
    """What increments have read.

    Attributes:
        offset: The offset, as in `CaptureStreamReader`.
        files: Files without unread data, by place, with size and time.
    """

    offset: dict[str, Any] = {}
    files: dict[str, tuple[int, int]] = {}


def news(settings: Settings, marks: bytes) -> tuple[list[list[Part]], bytes, list[tuple[str, str]]]:
    """Return what is new since marks were set, divided into tasks, and the new marks; without a query.

    What a renamed file or a copy has from before is not new.

    Args:
        settings: What to read.
        marks: The marks; empty if nothing was read.

    Returns:
        The tasks, the marks, and the places of copies, each with a text that says so.
    """
    known = msgspec.msgpack.decode(marks, type=_Known) if marks else _Known()
    reader = CaptureStreamReader(settings, from_arrow_schema(SEGMENTS))
    reader.looked = {place: File(place, *facts) for place, facts in known.files.items()}
    for place, values in known.offset.items():
        mark = _Mark(**values)
        if mark.tail:
            reader.read_before[sensor_of(shown(place)), mark.head].append((place, mark))
    offset = reader.latestOffset(known.offset, ReadAllAvailable())
    tasks: list[list[Part]] = [task.value for task in reader.partitions(known.offset, offset)]
    files = {place: (file.size, file.changed) for place, file in reader.looked.items()}
    return tasks, msgspec.msgpack.encode(_Known(offset, files)), reader.copies


class CaptureStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads capture files that are added or grow.

    Attributes:
        looked: By place, the state of files when they had no unread data.
        read_before: The places and marks of files, by sensor and first bytes; what other files have from
            them is not read again.
        copies: Files that have nothing else, each with a text that says so.
    """

    def __init__(self, settings: Settings, schema: StructType) -> None:
        self._columns = Columns(settings, schema)
        self._settings = settings
        self.looked: dict[str, File] = {}
        self.read_before: defaultdict[tuple[str, int], list[tuple[str, _Mark]]] = defaultdict(list)
        self.copies: list[tuple[str, str]] = []
        self._ready: dict[tuple[str, _Mark], list[Part]] = {}  # parts found together with an offset
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
        marks = dict(start)
        files = size = 0
        there = self._files() if self._last is None else self._last
        for file in sorted(there, key=lambda file: (file.changed, file.place)):
            if self.looked.get(file.place) == file:
                continue
            if isinstance(limit, ReadMaxFiles) and files >= limit.max_files:
                break
            if isinstance(limit, ReadMaxBytes) and size >= limit.max_bytes:
                break
            before = _Mark(**marks[file.place]) if file.place in marks else self._from_before(file)
            mark = self._look(file, before)
            self.looked[file.place] = file
            if mark is not None:
                marks[file.place] = mark._asdict()
                files += 1
                size += mark.at - (before.at if before.turn == mark.turn else 0)
        return dict(sorted(marks.items()))

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[InputPartition]:
        """Return the parts between two offsets, divided into tasks."""
        parts: list[Part] = []
        for place, values in end.items():
            before, mark = _Mark(**start.get(place, {})), _Mark(**values)
            if before != mark:
                ready = self._ready.get((place, mark))
                parts += self._found_again(place, before, mark) if ready is None else ready
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
        return files_of(settings.places, names=settings.names, recursive=settings.recursive, growing=True)

    def _from_before(self, file: File) -> _Mark:
        """Return the mark of a file whose bytes another one begins with: it was renamed or copied."""
        if not self.read_before:
            return _Mark()
        sensor = sensor_of(shown(file.place))
        with opened(file.place) as data:
            head = zlib.crc32(data.read_at(min(_TOLD_BY, file.size), 0))
            for place, mark in self.read_before.get((sensor, head), ()):
                if mark.begins(data, file.size):
                    if mark.at == file.size and Path(place).exists():
                        self.copies.append((file.place, f"is a copy of {shown(place)}, which was read"))
                    return mark
        return _Mark()

    def _look(self, file: File, before: _Mark) -> _Mark | None:
        """Return how far a file can be read now; None if there is nothing new."""
        with opened(file.place) as data:
            if file.size < before.at or not before.tells(data):
                before = _Mark(turn=before.turn + 1)
            if before.closed:
                return None
            parts, mark = self._extent(data, file.place, file.size, before)
            if mark == before or (
                form_of(data.read_at(HEAD, 0)) == "packed" and not _is_whole(data, file.size)
            ):
                return None
            if not mark.told_by:
                size = min(_TOLD_BY, mark.at)
                mark = mark._replace(told_by=size, head=zlib.crc32(data.read_at(size, 0)))
            mark = mark._replace(tail=_tail(data, mark.at))
        self._ready[file.place, mark] = parts
        return mark

    def _found_again(self, place: str, before: _Mark, mark: _Mark) -> list[Part]:
        """Find the parts between two marks again, after the process that set them has ended."""
        if before.turn != mark.turn:
            before = _Mark(turn=mark.turn)
        with opened(place) as data:
            if not mark.tells(data):
                raise MsmqWireError(f"{place} was written anew before it was read; what it had is lost")
            return self._extent(data, place, mark.at, before)[0]

    def _extent(self, data: Any, place: str, size: int, before: _Mark) -> tuple[list[Part], _Mark]:
        """Return the parts from a mark up to a size, and the mark after them."""
        head = data.read_at(min(HEAD, size), 0)
        kind, form = form_of(head), self._settings.form
        if kind == "packed":
            return [Part(place, form, 0, size)], before._replace(at=size, closed=True)
        form = kind if form == "auto" else form
        if form == "packets":
            return [Part(place, form, before.at, size)], before._replace(at=size)
        if kind != form or not kind:
            if len(head) < HEAD:
                return [], before
            return [Part(place, self._settings.form, 0, size)], before._replace(at=size, closed=True)
        most = self._settings.limits.most
        preamble = b""
        if before.at:
            known = scanned(data, Part(place, form, 0, before.at), most, before.at)
            preamble = known.preamble
        rest = Part(place, form, before.at, size, before.number, preamble)
        scan = scanned(data, rest, most, self._settings.bytes_per_part)
        mark = before._replace(at=scan.end, number=scan.number)
        if scan.sound:
            return scan.parts, mark
        broken = Part(place, form, scan.end, size, scan.number, scan.preamble)
        return [*scan.parts, broken], mark._replace(at=size, closed=True)


def _tail(data: Any, end: int) -> int:
    size = min(_TAIL, end)
    return zlib.crc32(data.read_at(size, end - size))


def _is_whole(data: Any, size: int) -> bool:
    """Return whether an open compressed file can be decompressed completely."""
    source = unpacked(data, size)
    while source.read(1 << 20):
        pass
    return source.trouble is None
