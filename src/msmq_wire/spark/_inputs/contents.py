"""The data that increments have read, by contents: a file is identified by its bytes, not by its name.

1. A content has a mark: how far it was read, always to the end of a complete record, and checksums of its
   first bytes and of all bytes before some records.  A file that begins with all these bytes continues the
   content.
2. So reading of a renamed file, or of a ring buffer with renamed slots, continues where it stopped; an
   overwritten file has another content; a copy, or the first part of a content, has nothing new.
3. A file that has become shorter waits until it is as long as before: it may be in the process of being
   rewritten.  If it differs then, it is read from the last known place before the difference.
4. The part of a file that was read is compared whenever its size or time has changed, because a block of it
   may have been rewritten.  So an increment costs one checksum of each growing file.
5. The column `file` of segments in transit contains the number of the content, too (`files.segments.named`),
   to distinguish frames of different contents of one file until they are in order.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from msmq_wire.captures.files.segments import named
from msmq_wire.captures.files.sources import File, files_of, opened, shown
from msmq_wire.captures.files.splits import HEAD, form_of, shared
from msmq_wire.captures.tables import sensor_of
from msmq_wire.values.errors import MsmqWireError

from .stream import TOLD_BY, checksum, extent, is_unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.captures.files.splits import FileSlice

    from .options import Settings

__all__ = ["News", "missing", "news"]

_PLACES: Final = 16
"""The approximate number of places of a content from which reading can continue."""
_GROWN: Final = "is compressed, and has grown since it was read: the added data is not read"
_LEAST: Final = 1 << 12
"""Bytes between two of these places."""


class RecordEnd(NamedTuple):
    """The end of a record of a content.

    Attributes:
        at: Number of bytes before it.
        frame: The number of the next frame.
        whole: CRC-32 of all bytes before it.
    """

    at: int
    frame: int
    whole: int


class _Content(msgspec.Struct):
    """A content.

    Attributes:
        location: The file from which it was read last, as `shown`: marks have no password.
        sensor: The sensor of this file.
        at: Number of bytes that were read.
        number: The number of the next frame.
        told_by: Number of first bytes that identify it.
        head: CRC-32 of these bytes.
        locations: Ends of records up to `at`.
        closed: Whether the rest is ignored.
    """

    location: str
    sensor: str
    at: int
    number: int
    told_by: int
    head: int
    record_ends: list[RecordEnd]
    closed: bool = False


class _Known(msgspec.Struct, forbid_unknown_fields=True):
    """The data that increments have read.

    Attributes:
        contents: The contents, by number.
        files: By place as `shown`, the last content of a file, and the number of its earlier ones.
        looked: By the same, size and time of a file when it had no unread data.
    """

    contents: list[_Content] = []
    files: dict[str, tuple[int, int]] = {}
    looked: dict[str, tuple[int, int]] = {}


class _Index:
    """The numbers of contents by sensor and first bytes.

    Attributes:
        known: The contents.
        there: The places of all files, as `shown`.
    """

    def __init__(self, known: _Known, files: list[File]) -> None:
        self.known = known
        self.there = {shown(file.location) for file in files}
        self._numbers: defaultdict[tuple[str, int, int], list[int]] = defaultdict(list)
        self._sizes: defaultdict[str, set[int]] = defaultdict(set)
        for number in range(len(known.contents)):
            self.add(number)

    def add(self, number: int) -> None:
        """Add a content."""
        own = self.known.contents[number]
        self._numbers[own.sensor, own.told_by, own.head].append(number)
        self._sizes[own.sensor].add(own.told_by)

    def alike(self, file: File, data: Any) -> list[int]:
        """Return the contents of the sensor of an open file with its first bytes, the longest first."""
        sensor = sensor_of(shown(file.location))
        numbers = [
            number
            for size in self._sizes[sensor]
            if size <= file.size
            for number in self._numbers.get((sensor, size, zlib.crc32(data.read_at(size, 0))), ())
        ]
        return sorted(numbers, key=lambda number: -self.known.contents[number].at)


class News(NamedTuple):
    """New data since the marks.

    Attributes:
        tasks: Parts of files, divided into tasks.
        marks: The marks after the tasks were read.
        copies: The places of files that have nothing new, each with a message.
        grown: The places of compressed files that have grown, each with a message.
        hidden: Files and directories that are omitted because of their names.
    """

    tasks: list[list[FileSlice]]
    marks: bytes
    copies: list[tuple[str, str]]
    grown: list[tuple[str, str]]
    hidden: list[str]


def _decoded(marks: bytes) -> _Known:
    try:
        known = msgspec.msgpack.decode(marks, type=_Known) if marks else _Known()
    except msgspec.ValidationError as error:
        raise MsmqWireError(f"the state of the increments is of another version: {error}") from None
    for own in known.contents:  # earlier versions had places as they were given
        own.location = shown(own.location)
    known.files = {shown(location): numbers for location, numbers in known.files.items()}
    known.looked = {shown(location): facts for location, facts in known.looked.items()}
    return known


def news(settings: Settings, marks: bytes) -> News:
    """Return the new data since marks were set.

    Args:
        settings: What to read.
        marks: The marks; empty if nothing was read.
    """
    known, hidden = _decoded(marks), list[str]()
    files = _found(settings, hidden)
    index = _Index(known, files)
    copies: list[tuple[str, str]] = []
    grown: list[tuple[str, str]] = []
    parts: list[FileSlice] = []
    for file in sorted(files, key=lambda file: (file.changed, file.location)):
        name = shown(file.location)
        if known.looked.get(name) != (file.size, file.changed):
            with opened(file.location) as data:
                parts += _Look(settings, index, file, data).parts(copies, grown)
            known.looked[name] = file.size, file.changed
    target = settings.target(sum(part.end - part.start for part in parts))
    return News(shared(parts, target), msgspec.msgpack.encode(known), copies, grown, hidden)


def missing(settings: Settings, marks: bytes) -> list[str]:
    """Return the places of contents whose bytes are no longer in any file."""
    known, files = _decoded(marks), _found(settings, [])
    index = _Index(known, files)
    there: set[int] = set()
    for file in files:
        with opened(file.location) as data:
            look = _Look(settings, index, file, data)
            there |= {number for number in look.alike if look.begins(number)}
    return [own.location for number, own in enumerate(known.contents) if number not in there]


def _found(settings: Settings, hidden: list[str]) -> list[File]:
    return files_of(
        settings.locations, names=settings.names, recursive=settings.recursive, growing=True, hidden=hidden
    )


_START: Final = RecordEnd(0, 1, 0)
"""The place before the first byte."""


class _Look:
    """An open file that is compared with the contents."""

    def __init__(self, settings: Settings, index: _Index, file: File, data: Any) -> None:
        self._settings = settings
        self._index = index
        self._known = index.known
        self._file = file
        self._name = shown(file.location)
        self._data = data
        self.alike = index.alike(file, data)

    def begins(self, number: int) -> bool:
        """Return whether the file begins with all bytes of a content that were read."""
        own = self._known.contents[number]
        last = own.record_ends[-1]
        return last.at <= self._file.size and self._last_same(own) == last

    def parts(self, copies: list[tuple[str, str]], grown: list[tuple[str, str]]) -> list[FileSlice]:
        """Return and record the new parts; record copies, and compressed files that have grown."""
        location, known = self._name, self._known
        before, turn = known.files.get(location, (-1, -1))
        whole = next(filter(self.begins, self.alike), None)
        if whole is not None:
            own = known.contents[whole]
            if own.closed and own.at < self._file.size and form_of(self._data.read_at(HEAD, 0)) == "packed":
                grown.append((location, _GROWN))
            return self._go_on(whole, copies)
        if before >= 0 and self._file.size < known.contents[before].told_by:
            return []  # it is being rewritten
        at, frame = 0, 1
        for number in self.alike:
            own = known.contents[number]
            last = self._last_same(own)
            if own.at > self._file.size and last == self._last_within(own):
                if number != before:
                    self._copied(own, copies)
                return []
            if last is not None and last.at > at:
                at, frame = last.at, last.frame
        mark = _Content(location, sensor_of(location), at, frame, 0, 0, [])
        known.contents.append(mark)
        known.files[location] = len(known.contents) - 1, turn + 1
        parts = self._read(len(known.contents) - 1)
        if parts:
            self._index.add(len(known.contents) - 1)
            return parts
        known.contents.pop()
        known.files.pop(location)
        if before >= 0:
            known.files[location] = before, turn
        return []

    def _go_on(self, number: int, copies: list[tuple[str, str]]) -> list[FileSlice]:
        """Continue a content; a file with no more of it than another file is a copy."""
        location, known = self._name, self._known
        own = known.contents[number]
        before, turn = known.files.get(location, (-1, -1))
        if before != number:
            if own.at == self._file.size and own.location != location and own.location in self._index.there:
                self._copied(own, copies)
            known.files[location] = number, turn + 1
        return [] if own.closed else self._read(number)

    def _copied(self, own: _Content, copies: list[tuple[str, str]]) -> None:
        if own.told_by == TOLD_BY:  # otherwise it has no frames
            copies.append((self._name, f"is a copy of {own.location}, which was read"))

    def _read(self, number: int) -> list[FileSlice]:
        """Return the new parts of a content, and move its mark."""
        own, size = self._known.contents[number], self._file.size
        step = max(_LEAST, -(-(size - own.at) // _PLACES))
        parts = extent(self._settings, self._data, self._file.location, size, own.at, own.number, step)
        if parts.at == own.at and parts.closed == own.closed:
            return []
        if is_unfinished(self._data, size):
            return []
        if not own.told_by:
            own.told_by = min(TOLD_BY, parts.at)
            own.head = zlib.crc32(self._data.read_at(own.told_by, 0))
        ends = [(part.start, part.number) for part in parts.parts if part.start > own.at]
        ends.append((parts.at, parts.number))
        before = own.record_ends[-1] if own.record_ends else _START
        for (at, frame), whole in zip(ends, self._sums(before, [at for at, _ in ends]), strict=True):
            own.record_ends.append(RecordEnd(at, frame, whole))
        if len(own.record_ends) > 4 * _PLACES:
            own.record_ends = [*own.record_ends[:-1:2], own.record_ends[-1]]
        own.location, own.at, own.number, own.closed = self._name, parts.at, parts.number, parts.closed
        name = named(self._name, number, self._known.files[self._name][1])
        return [part._replace(name=name) for part in _joined(parts.parts, self._settings.bytes_per_part)]

    def _last_same(self, own: _Content) -> RecordEnd | None:
        """Return the last known place of a content up to which the file is equal."""
        same = None
        within = [location for location in own.record_ends if location.at <= self._file.size]
        for location, whole in zip(
            within, self._sums(_START, [location.at for location in within]), strict=True
        ):
            if whole != location.whole:
                break
            same = location
        return same

    def _last_within(self, own: _Content) -> RecordEnd | None:
        """Return the last known place of a content that is not beyond the end of the file."""
        return next(
            (location for location in reversed(own.record_ends) if location.at <= self._file.size), None
        )

    def _sums(self, before: RecordEnd, ends: list[int]) -> Iterator[int]:
        """Yield the CRC-32 of all bytes before each of these ends; they ascend from the place before them."""
        at, whole = before.at, before.whole
        for end in ends:
            whole = checksum(self._data, at, end, whole)
            at = end
            yield whole


def _joined(parts: list[FileSlice], most: int) -> list[FileSlice]:
    """Join consecutive parts of a file up to a size."""
    joined: list[FileSlice] = []
    for part in parts:
        last = joined[-1] if joined else None
        if last and (last.end, last.form) == (part.start, part.form) and part.end - last.start <= most:
            joined[-1] = last._replace(end=part.end)
        else:
            joined.append(part)
    return joined
