"""The data that increments have read, by contents: a file is identified by its bytes, not by its name.

1. A content has a mark: how far it was read, always to the end of a complete record, and checksums of its
   first bytes and of all bytes before some records.  A file that begins with all these bytes continues the
   content.
2. So reading of a renamed file, or of a ring buffer with renamed slots, continues where it stopped; an
   overwritten file has another content; a copy, or the first part of a content, has nothing new.
3. A file that has become shorter waits until it is as long as before: it may be in the process of being
   rewritten.  If it differs then, it is read from the first frame that differs: increments also keep a
   checksum of all bytes before the end of each frame, apart from the marks, because only such a file needs
   them.
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
import numpy as np

from msmq_wire.captures.files.segments import named
from msmq_wire.captures.files.sources import File, Omitted, files_of, opened, shown
from msmq_wire.captures.files.splits import HEAD, form_of, shared
from msmq_wire.captures.tables import sensor_of
from msmq_wire.values.errors import MsmqWireError

from .stream import TOLD_BY, WINDOW, extent, is_unfinished

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from msmq_wire.captures.files.splits import FileSlice, FrameEnds

    from .options import Settings
    from .stream import Extent

_PLACES: Final = 16
"""The approximate number of places of a content from which reading can continue."""
_GROWN: Final = "is compressed, and has grown since it was read: the added data is not read"
_LEAST: Final = 1 << 12
"""Bytes between two of these places."""
_SUM: Final = "<u4"
"""The type of a checksum of `FrameSums`."""


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


class FrameSums(NamedTuple):
    """Checksums of consecutive frames of a content.

    Attributes:
        content: The number of the content.
        frame: The number of the first frame.
        sums: CRC-32 of all bytes before the end of each frame, little-endian.
    """

    content: int
    frame: int
    sums: bytes


class _Content(msgspec.Struct):
    """A content.

    Attributes:
        location: The file from which it was read last, as `shown`: marks have no password.
        sensor: The sensor of this file.
        at: Number of bytes that were read.
        number: The number of the next frame.
        told_by: Number of first bytes that identify it.
        head: CRC-32 of these bytes.
        record_ends: Ends of records up to `at`.
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


class _State(msgspec.Struct, forbid_unknown_fields=True):
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
        state: The contents.
        there: The places of all files, as `shown`.
        differing: The contents from which a file differs between two of their known places.
        new_sums: The checksums of the frames that are new.
    """

    def __init__(self, state: _State, files: list[File], frame_sums: Iterable[FrameSums] = ()) -> None:
        self.state = state
        self.there = {shown(file.location) for file in files}
        self.differing: set[int] = set()
        self.new_sums: list[FrameSums] = []
        self._frame_sums: defaultdict[int, list[FrameSums]] = defaultdict(list)
        for sums in frame_sums:
            self._frame_sums[sums.content].append(sums)
        self._numbers: defaultdict[tuple[str, int, int], list[int]] = defaultdict(list)
        self._sizes: defaultdict[str, set[int]] = defaultdict(set)
        for number in range(len(state.contents)):
            self.add(number)

    def add(self, number: int) -> None:
        """Add a content."""
        content = self.state.contents[number]
        self._numbers[content.sensor, content.told_by, content.head].append(number)
        self._sizes[content.sensor].add(content.told_by)

    def alike(self, file: File, data: Any) -> list[int]:
        """Return the contents of the sensor of an open file with its first bytes, the longest first."""
        sensor = sensor_of(shown(file.location))
        numbers = [
            number
            for size in self._sizes[sensor]
            if size <= file.size
            for number in self._numbers.get((sensor, size, zlib.crc32(data.read_at(size, 0))), ())
        ]
        return sorted(numbers, key=lambda number: -self.state.contents[number].at)

    def sums(self, number: int, first: int, stop: int) -> dict[int, int]:
        """Return the known checksums of a content, by number of the frame, in a range of frames."""
        sums = dict[int, int]()
        for _, frame, data in self._frame_sums[number]:
            numbers = np.frombuffer(data, _SUM)
            if frame < stop and frame + len(numbers) > first:
                sums |= enumerate(numbers.tolist(), frame)
        return sums


class News(NamedTuple):
    """New data since the marks.

    Attributes:
        tasks: Parts of files, divided into tasks.
        marks: The marks after the tasks were read.
        copies: The places of files that have nothing new, each with a message.
        grown: The places of compressed files that have grown, each with a message.
        omitted: Entries of directories that are not read.
        frame_sums: The checksums of the frames of the tasks.
        differing: The contents of which the checksums of frames are needed, to read no frame twice.
    """

    tasks: list[list[FileSlice]]
    marks: bytes
    copies: list[tuple[str, str]]
    grown: list[tuple[str, str]]
    omitted: list[Omitted]
    frame_sums: list[FrameSums]
    differing: set[int]


def _decoded(marks: bytes) -> _State:
    try:
        state = msgspec.msgpack.decode(marks, type=_State) if marks else _State()
    except msgspec.ValidationError as error:
        raise MsmqWireError(f"the state of the increments is of another version: {error}") from None
    for content in state.contents:  # earlier versions had places as they were given
        content.location = shown(content.location)
    state.files = {shown(location): numbers for location, numbers in state.files.items()}
    state.looked = {shown(location): facts for location, facts in state.looked.items()}
    return state


def news(settings: Settings, marks: bytes, frame_sums: Iterable[FrameSums] = ()) -> News:
    """Return the new data since marks were set.

    Args:
        settings: What to read.
        marks: The marks; empty if nothing was read.
        frame_sums: What is known of the contents in `differing` of an earlier call.
    """
    state, omitted = _decoded(marks), list[Omitted]()
    files = _files(settings, omitted)
    index = _Index(state, files, frame_sums)
    copies: list[tuple[str, str]] = []
    grown: list[tuple[str, str]] = []
    parts: list[FileSlice] = []
    for file in sorted(files, key=lambda file: (file.changed, file.location)):
        name = shown(file.location)
        if state.looked.get(name) != (file.size, file.changed):
            with opened(file.location) as data:
                parts += _Look(settings, index, file, data).parts(copies, grown)
            state.looked[name] = file.size, file.changed
    target = settings.target(sum(part.end - part.start for part in parts))
    after = msgspec.msgpack.encode(state)
    return News(shared(parts, target), after, copies, grown, omitted, index.new_sums, index.differing)


def missing(settings: Settings, marks: bytes) -> list[str]:
    """Return the places of contents whose bytes are no longer in any file."""
    state, files = _decoded(marks), _files(settings, [])
    index = _Index(state, files)
    there: set[int] = set()
    for file in files:
        with opened(file.location) as data:
            look = _Look(settings, index, file, data)
            there |= {number for number in look.alike if look.begins(number)}
    return [content.location for number, content in enumerate(state.contents) if number not in there]


def _files(settings: Settings, omitted: list[Omitted]) -> list[File]:
    return files_of(
        settings.locations, names=settings.names, recursive=settings.recursive, growing=True, omitted=omitted
    )


_START: Final = RecordEnd(0, 1, 0)
"""The place before the first byte."""


class _Look:
    """An open file that is compared with the contents."""

    def __init__(self, settings: Settings, index: _Index, file: File, data: Any) -> None:
        self._settings = settings
        self._index = index
        self._state = index.state
        self._file = file
        self._name = shown(file.location)
        self._data = data
        self.alike = index.alike(file, data)

    def begins(self, number: int) -> bool:
        """Return whether the file begins with all bytes of a content that were read."""
        content = self._state.contents[number]
        last = content.record_ends[-1]
        return last.at <= self._file.size and self._last_same(content) == last

    def parts(self, copies: list[tuple[str, str]], grown: list[tuple[str, str]]) -> list[FileSlice]:
        """Return and record the new parts; record copies, and compressed files that have grown."""
        location, state = self._name, self._state
        before, rewrites = state.files.get(location, (-1, -1))
        whole = next(filter(self.begins, self.alike), None)
        if whole is not None:
            content = state.contents[whole]
            if (
                content.closed
                and content.at < self._file.size
                and form_of(self._data.read_at(HEAD, 0)) == "packed"
            ):
                grown.append((location, _GROWN))
            return self._go_on(whole, copies)
        if before >= 0 and self._file.size < state.contents[before].told_by:
            return []  # it is being rewritten
        at, frame, begun_by = 0, 1, None
        for number in self.alike:
            content = state.contents[number]
            last = self._last_same(content)
            if number == before and content.at > self._file.size and last == self._last_within(content):
                return []  # it has become shorter
            last = self._last_same_frame(number, last or _START)
            if last.at > at:
                at, frame, begun_by = last.at, last.frame, content
        mark = _Content(location, sensor_of(location), at, frame, 0, 0, [])
        state.contents.append(mark)
        state.files[location] = len(state.contents) - 1, rewrites + 1
        parts = self._read(len(state.contents) - 1)
        if parts:
            self._index.add(len(state.contents) - 1)
            return parts
        state.contents.pop()
        state.files.pop(location)
        if before >= 0:
            state.files[location] = before, rewrites
        if begun_by is not None:
            self._copied(begun_by, copies)
        return []

    def _go_on(self, number: int, copies: list[tuple[str, str]]) -> list[FileSlice]:
        """Continue a content; a file with no more of it than another file is a copy."""
        location, state = self._name, self._state
        content = state.contents[number]
        before, rewrites = state.files.get(location, (-1, -1))
        if before != number:
            if (
                content.at == self._file.size
                and content.location != location
                and content.location in self._index.there
            ):
                self._copied(content, copies)
            state.files[location] = number, rewrites + 1
        return [] if content.closed else self._read(number)

    def _copied(self, content: _Content, copies: list[tuple[str, str]]) -> None:
        if content.told_by == TOLD_BY:  # otherwise it has no frames
            copies.append((self._name, f"is a copy of {content.location}, which was read"))

    def _read(self, number: int) -> list[FileSlice]:
        """Return the new parts of a content, and move its mark."""
        content, size = self._state.contents[number], self._file.size
        step = max(_LEAST, -(-(size - content.at) // _PLACES))
        parts, frames = self._extent(RecordEnd(content.at, content.number, 0), size, step)
        if parts.at == content.at and parts.closed == content.closed:
            return []
        if is_unfinished(self._data, size):
            return []
        if not content.told_by:
            content.told_by = min(TOLD_BY, parts.at)
            content.head = zlib.crc32(self._data.read_at(content.told_by, 0))
        ends = [(part.start, part.number) for part in parts.parts if part.start > content.at]
        ends.append((parts.at, parts.number))
        before = content.record_ends[-1] if content.record_ends else _START
        for (at, frame), whole in zip(ends, self._sums(before, [at for at, _ in ends]), strict=True):
            content.record_ends.append(RecordEnd(at, frame, whole))
        for first, frame_ends in frames:
            sums = [*self._sums(before, frame_ends.tolist())]
            before = RecordEnd(int(frame_ends[-1]), first + len(sums), sums[-1])
            self._index.new_sums.append(FrameSums(number, first, np.array(sums, _SUM).tobytes()))
        if len(content.record_ends) > 4 * _PLACES:
            content.record_ends = [*content.record_ends[:-1:2], content.record_ends[-1]]
        content.location, content.at, content.number, content.closed = (
            self._name,
            parts.at,
            parts.number,
            parts.closed,
        )
        name = named(self._name, number, self._state.files[self._name][1])
        return [part._replace(name=name) for part in _joined(parts.parts, self._settings.bytes_per_part)]

    def _last_same(self, content: _Content) -> RecordEnd | None:
        """Return the last known place of a content up to which the file is equal."""
        same = None
        within = [location for location in content.record_ends if location.at <= self._file.size]
        for location, whole in zip(
            within, self._sums(_START, [location.at for location in within]), strict=True
        ):
            if whole != location.whole:
                break
            same = location
        return same

    def _last_same_frame(self, number: int, last: RecordEnd) -> RecordEnd:
        """Return the end of the last frame up to which the file is equal to a content, from a known place."""
        record_ends = self._state.contents[number].record_ends
        following = next((end for end in record_ends if end.at > last.at), None)
        if following is None:
            return last
        sums = self._index.sums(number, last.frame, following.frame)
        if not sums:
            self._index.differing.add(number)
            return last
        _, frames = self._extent(last, min(self._file.size, following.at), following.at)
        before = last
        for first, offsets in frames:
            ends = offsets.tolist()
            for frame, (end, whole) in enumerate(zip(ends, self._sums(before, ends), strict=True), first):
                before = RecordEnd(end, frame + 1, whole)
                if sums.get(frame, whole) != whole:
                    return last
                if frame in sums:
                    last = before
        return last

    def _extent(self, start: RecordEnd, size: int, step: int) -> tuple[Extent, FrameEnds]:
        """Return what can be read from a place on, and the ends of its frames."""
        ends: FrameEnds = []
        location = self._file.location
        parts = extent(self._settings, self._data, location, size, start.at, start.frame, step, ends)
        return parts, ends

    def _last_within(self, content: _Content) -> RecordEnd | None:
        """Return the last known place of a content that is not beyond the end of the file."""
        return next(
            (location for location in reversed(content.record_ends) if location.at <= self._file.size), None
        )

    def _sums(self, before: RecordEnd, ends: Iterable[int]) -> Iterator[int]:
        """Yield the CRC-32 of all bytes before each of these ends; they ascend from the place before them."""
        at, whole = before.at, before.whole
        start, window = at, memoryview(b"")
        for end in ends:
            while at < end:
                if at == start + len(window):
                    start, window = at, memoryview(self._data.read_at(WINDOW, at))
                stop = min(end, start + len(window)) if window else end  # the file may have become shorter
                whole = zlib.crc32(window[at - start : stop - start], whole)
                at = stop
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
