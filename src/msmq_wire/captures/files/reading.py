"""Reads a part of a file as rows, and converts rows to Arrow.

1. Reading never raises because of the contents of a file; damage becomes a row with an error.  Damage of the
   same kind becomes one row per part, at the end, with the first location and the total count.
2. Every frame is counted in a `Tally`, once, with a reason.
3. Rows are collected into batches, bounded by rows and by bytes.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

from msmq_wire.captures.network.fragments import Fragment, Waiting
from msmq_wire.captures.network.frames import Dissector, Ports, Reason
from msmq_wire.captures.network.vectors import usual
from msmq_wire.captures.schemas import plain
from msmq_wire.packets.foreign import FOREIGN_HEAD, FORMATS, NO_CAPTURE, foreign
from msmq_wire.packets.mistaken import packing_by_name

from .containers import NO_TIME, Damage, Frames
from .pcap import PCAP_HEADER, PcapReader
from .pcapng import EVENTS, PcapngReader
from .segments import MAX_ERROR_BYTES, SEGMENTS, cause_of
from .sources import (
    EXPANSION,
    Source,
    opened,
    packing_of,
    region,
    repaired,
    shown,
    unpacked,
    unpacked_live,
)
from .splits import HEAD, PIECE, FileSlice, form_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from msmq_wire.captures.network.fragments import PendingDatagram
    from msmq_wire.captures.network.frames import Outcome, SegmentColumns

Row: TypeAlias = tuple[Any, ...]
"""The columns of `SEGMENTS`."""

MAX_FRAME: Final = 262_144
"""Default size limit of a frame in bytes, which is also the limit of libpcap."""
KINDS: Final = 256
"""Number of error kinds that are counted separately; further kinds are counted together."""
_FRAME: Final = SEGMENTS.get_field_index("frame")
_OFFSET: Final = SEGMENTS.get_field_index("offset")
_PAYLOAD: Final = SEGMENTS.get_field_index("payload")
_LENGTH: Final = SEGMENTS.get_field_index("length")
_PLACES: Final = SEGMENTS.get_field_index("places")
_ERROR: Final = SEGMENTS.get_field_index("error")
_NOTHING: Final = (None,) * 8  # from `transport` to `flags`
_CAPTURES: Final = 1024
"""How often reading of a compressed file begins, at most: at its beginning, and behind damage."""
_LOOKED_AT: Final = 4 << 20
"""Number of bytes without a format in which an error of compressed data is looked for."""
_BATCH_ROWS, _BATCH_BYTES = 4096, 2 << 20
_MOST_LENGTH: Final = 0x7FFF_FFFF


class ReadLimits(NamedTuple):
    """What to read from a file.

    Attributes:
        ports: Which segments and datagrams to read.
        most: Largest size of a frame in bytes.
        links: The link types to read; None for all supported ones.
        expansion: Largest ratio of decompressed to compressed size.
    """

    ports: Ports
    most: int = MAX_FRAME
    links: frozenset[int] | None = None
    expansion: int = EXPANSION


class Tally:
    """Counts frames and their captured bytes by result.

    Attributes:
        frames: Number of frames by reason and detail.
        bytes: Captured bytes by reason and detail.
        wrong: Number of segments with a wrong checksum.
        until: The time of the last frame that has one, in microseconds since 1970; `NO_TIME` without one.
    """

    __slots__ = ("bytes", "frames", "until", "wrong")

    def __init__(self) -> None:
        self.frames: Counter[tuple[str, str]] = Counter()
        self.bytes: Counter[tuple[str, str]] = Counter()
        self.wrong = 0
        self.until = NO_TIME

    def add(self, reason: str, detail: str, size: int, frames: int = 1) -> None:
        """Count frames."""
        key = reason, detail
        if key not in self.frames and len(self.frames) >= KINDS:
            key = reason, "other"
        self.frames[key] += frames
        self.bytes[key] += size

    def include(self, other: Tally) -> None:
        """Add the counts of another tally."""
        self.frames.update(other.frames)
        self.bytes.update(other.bytes)
        self.wrong += other.wrong
        self.until = max(self.until, other.until)

    def move(self, reason: str, to: str, frames: int, size: int, detail: str = "") -> None:
        """Move frames without detail from one reason to another.

        Args:
            reason: The reason under which they were counted.
            to: The new reason.
            frames: Number of frames.
            size: Captured bytes of these frames.
            detail: The new detail.
        """
        self.frames[reason, ""] -= frames
        self.bytes[reason, ""] -= size
        self.add(to, detail, size, frames)


def rows_of(part: FileSlice, limits: ReadLimits, tally: Tally | None = None) -> Iterator[Row]:
    """Yield the rows of a part of a file.

    Args:
        part: The part.
        limits: What to read from it.
        tally: Counts its frames.

    Raises:
        OSError: The file cannot be opened.
    """
    return _once_each(_all_rows(part, limits, Tally() if tally is None else tally))


def segment_batches(
    part: FileSlice,
    limits: ReadLimits,
    tally: Tally,
    left: list[PendingDatagram] | None = None,
    file: Any = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the same rows as batches of `SEGMENTS`, in any order; common frames are read as vectors.

    Args:
        part: The part.
        limits: What to read from it.
        tally: Counts its frames.
        left: Collects datagrams with missing fragments at the end of the part, for `reunited_batches`.
            If None, they are reported as incomplete.
        file: The file as a pyarrow file, if it is already open or in memory.  If None, it is opened.

    Raises:
        OSError: The file cannot be opened.
    """
    rows = _once_each(_all_rows(part, limits, tally, many=True, left=left, there=file))
    yield from batches_of(rows, plain(SEGMENTS), [*range(len(SEGMENTS))])


def reunited_batches(
    left: Iterable[PendingDatagram],
    limits: ReadLimits,
    tallies: Mapping[str, Tally],
    sensor_of: Callable[[str], str],
) -> Iterator[pa.RecordBatch]:
    """Yield rows of datagrams whose fragments are in several files of a sensor; also of incomplete ones.

    A row has the location of the first fragment in the last of these files; of the last fragment if they are
    in several parts of one file.

    Args:
        left: Datagrams left after reading each file, or part of a file, in any order.
        limits: What to read.
        tallies: Count the frames of each file.
        sensor_of: Returns the sensor of a file.
    """
    dissector = Dissector(limits.ports)
    waiting: dict[Any, tuple[list[PendingDatagram], Waiting]] = {}
    rows: list[Row] = []

    def give_up(parts: list[PendingDatagram], joined: Waiting) -> None:
        count(parts, Reason.MISSING, "")
        tell(dissector.missing_of(joined.given_up(all_of_them=True)))
        tell(dissector.differing_of(joined))

    def tell(outcomes: Iterable[tuple[object, Outcome, object]]) -> None:
        for position, outcome, _ in outcomes:
            if outcome.facts is not None:
                rows.append((*position, *_columns(outcome.facts)))  # type: ignore[misc]  # `note` was a location

    def count(parts: list[PendingDatagram], reason: str, detail: str) -> None:
        for fragment in parts:
            tallies[fragment.first[0]].add(
                reason, detail, sum(size for _, size in fragment.frames), len(fragment.frames)
            )

    for fragment in sorted(
        left, key=lambda fragment: (fragment.first[3] or 0, fragment.first[0], fragment.first[1])
    ):
        file, _, _, time = fragment.first
        key = sensor_of(file), fragment.key
        parts, joined = waiting.get(key, ([], Waiting()))
        pieces = [
            Fragment(
                fragment.key, position, data, fragment.end is None or position + len(data) < fragment.end
            )
            for position, data in fragment.parts.items()
        ]
        if parts and (time is None or parts[0].first[3] is None or joined.is_over(pieces, time)):
            give_up(parts, joined)
            parts, joined = [], Waiting()
        whole = None
        for piece in pieces:
            whole = joined.take(piece, (0, 0), fragment.first, time) or whole
        waiting[key] = [*parts, fragment], joined
        if whole is not None:
            del waiting[key]
            tell(dissector.differing_of(joined))
            outcome = dissector.read_whole(fragment.key, whole)
            frames = fragment.frames[-1]
            count([*parts, fragment._replace(frames=fragment.frames[:-1])], Reason.FRAGMENT, "")
            here = [part for part in (*parts, fragment) if part.first[0] == file]
            position = fragment.last if len(here) > len(parts) else here[0].first
            row = _row(position, outcome, frames[1], tallies[file])
            if row is not None:
                rows.append(row)
    for parts, joined in waiting.values():
        give_up(parts, joined)
    yield from batches_of(_once_each(iter(rows)), plain(SEGMENTS), [*range(len(SEGMENTS))])


def live_rows(source: Source, name: str, limits: ReadLimits, tally: Tally) -> Iterator[list[Row]]:
    """Yield the rows of a capture from a pipe while it is written: one list for each available chunk.

    The first error of each kind is reported immediately, all later ones at the end.

    Args:
        source: The bytes.
        name: The value of the column `file`.
        limits: What to read from it.
        tally: Counts its frames.
    """
    form = form_of(source.peek(HEAD))
    if form == "packed":
        source = unpacked_live(source, limits.expansion)
        form = form_of(source.peek(HEAD))
    if form == "packets":
        yield from ([row] for row in _pieces(name, source))
        return
    dissector = Dissector(limits.ports)
    reported, others = Damages(), Damages()

    def news(rows: Iterable[Row]) -> list[Row]:
        return [row for row in rows if row[_ERROR] is None or reported.add(row) or others.add(row) is None]

    for item in _all_items(FileSlice(name, "auto", 0, 0), form, source, limits, None):
        yield news(_item_rows(name, item, dissector, limits, tally, many=False))
    yield [*news(_missing_rows(dissector, tally, at_end=True)), *others.rows()]


class Damages:
    """Combines error rows of the same kind into one row, with the first location and the total count."""

    __slots__ = ("_counts", "_first", "_sizes")

    def __init__(self) -> None:
        """Start without rows."""
        self._first: dict[tuple[bool, str], Row] = {}
        self._counts: Counter[tuple[bool, str]] = Counter()
        self._sizes: Counter[tuple[bool, str]] = Counter()

    def add(self, row: Row) -> bool:
        """Add a row; return whether it is the first of its kind."""
        kind = row[_FRAME] is None, cause_of(row[_ERROR])
        if kind not in self._first and len(self._first) >= KINDS:
            kind = False, ""
        self._counts[kind] += 1
        self._sizes[kind] += row[_LENGTH]
        first = self._first.setdefault(kind, row)
        if row[_OFFSET] < first[_OFFSET]:
            self._first[kind] = row
        return first is row

    def rows(self) -> Iterator[Row]:
        """Yield one row for each kind."""
        for kind, row in self._first.items():
            size = min(self._sizes[kind], _MOST_LENGTH)
            places = self._counts[kind]
            yield (*row[:_LENGTH], size, *row[_LENGTH + 1 : _PLACES], places, *row[_PLACES + 1 :])


def _once_each(rows: Iterator[Any]) -> Iterator[Any]:
    """Yield the rows; errors are combined to one row for each kind, at the end."""
    damages = Damages()
    for row in rows:
        if isinstance(row, pa.RecordBatch) or row[_ERROR] is None:
            yield row
        else:
            damages.add(row)
    yield from damages.rows()


def _all_rows(
    part: FileSlice,
    limits: ReadLimits,
    tally: Tally,
    *,
    many: bool = False,
    left: list[PendingDatagram] | None = None,
    there: Any = None,
) -> Iterator[Any]:
    name = part.name or shown(part.location)
    with opened(part.location) if there is None else there as file:
        source, packed, form = region(file, part.start, part.end), file, part.form
        head = b"" if part.start else source.peek(FOREIGN_HEAD)
        if packing_of(head):
            source = unpacked(file, part.end, limits.expansion)
        elif head and not form_of(head[:HEAD]) and not foreign(head):
            packing = packing_by_name(part.location)
            sound = repaired(file, part.end, packing) if packing else None
            if sound is not None:
                packed, damage = sound
                yield _damage_row(name, damage)
                source = unpacked(packed, part.end, limits.expansion, start=damage.size)
        if form == "auto":
            form = form_of(source.peek(HEAD))
        if form == "packets":
            yield from _pieces(name, source)
            return
        dissector = Dissector(limits.ports, leaves=left is not None)
        for item in _all_items(part, form, source, limits, packed):
            yield from _item_rows(name, item, dissector, limits, tally, many=many)
        if left is None:
            yield from _missing_rows(dissector, tally, at_end=True)
        else:
            left += dissector.left()
            yield from _missing_rows(dissector, tally)


def _item_rows(
    name: str, item: Frames | Damage, dissector: Dissector, limits: ReadLimits, tally: Tally, *, many: bool
) -> Iterator[Any]:
    """Yield the rows of frames or of a damage; if `many`, common frames as batches."""
    if isinstance(item, Damage):
        if item.frames:
            tally.add(Reason.DAMAGED, "a record cannot be read", item.bytes, item.frames)
        yield _damage_row(name, item)
        return
    timed = item.times[item.times != NO_TIME]
    if len(timed):  # the last frame, not the latest: a time within the file may be damaged
        tally.until = int(timed[-1])
    rest = None
    read = usual(name, item, limits.ports) if many and limits.links is None else None
    if read is not None:
        tally.add(Reason.READ, "", read.size, read.batch.num_rows)
        tally.wrong += read.wrong
        yield read.batch
        rest = read.rest
    yield from _frame_rows(name, item, dissector, limits, tally, rest)


def _frame_rows(
    name: str,
    frames: Frames,
    dissector: Dissector,
    limits: ReadLimits,
    tally: Tally,
    which: NDArray[np.int64] | None = None,
) -> Iterator[Row]:
    """Yield the rows of frames, or only of those with the given indices."""
    chunk = frames.chunk
    index = np.arange(len(frames.starts)) if which is None else which
    columns = (frames.offsets, frames.times, frames.links, frames.wires, frames.starts, frames.sizes)
    numbers = [(index + frames.number).tolist(), *(column[index].tolist() for column in columns)]
    for number, offset, since, link, wire, start, size in zip(*numbers, strict=True):
        if link < -1:
            tally.add(Reason.OTHER, EVENTS[~link], size)
            continue
        if limits.links is not None and link not in limits.links:
            tally.add(Reason.LINK, f"link type {link} is not read", size)
            continue
        time = None if since == NO_TIME else since
        position = (name, number, offset, time)
        outcome = dissector.read(chunk[start : start + size], link, wire, number, position, time)
        row = _row(position, outcome, size, tally)
        if row is not None:
            yield row
    yield from _missing_rows(dissector, tally)


def _row(position: tuple[Any, ...], outcome: Outcome, size: int, tally: Tally) -> Row | None:
    """Return the row of a frame, and count the frame."""
    reason, detail, facts = outcome
    if reason != Reason.FRAGMENT:
        tally.add(reason, detail, size)
    if facts is None:
        return None
    if facts[-3] is False:
        tally.wrong += 1
    return (*position, *_columns(facts, size))


def _columns(facts: SegmentColumns, size: int | None = None) -> Row:
    """Return the last columns of a row; the payload of an error row is truncated."""
    if facts[-1] is None:
        return (*facts[:-1], size, None, None)
    data = facts[8][:MAX_ERROR_BYTES]
    return (*facts[:8], data, facts[9], len(data), *facts[11:-1], None, 1, facts[-1])


def _missing_rows(dissector: Dissector, tally: Tally, *, at_end: bool = False) -> Iterator[Row]:
    """Yield the rows of incomplete datagrams, and count frames with fragments."""
    for position, outcome, frames in dissector.missing(at_end=at_end):
        if frames:
            tally.add(outcome.reason, outcome.detail, sum(size for _, size in frames), len(frames))
        if outcome.facts is not None:
            yield (*position, *_columns(outcome.facts))  # type: ignore[misc]  # `note` was a location
    joined = dissector.joined()
    if joined:
        tally.add(Reason.FRAGMENT, "", sum(joined), len(joined))


def _damage_row(name: str, damage: Damage) -> Row:
    data, size = damage.data[:MAX_ERROR_BYTES], min(damage.bytes, _MOST_LENGTH)
    return (
        name, damage.number, damage.offset, None, *_NOTHING, data, size, len(data), None, True,
        None, 1, damage.problem,
    )  # fmt: skip


def _records(part: FileSlice, form: str, source: Source, most: int) -> PcapReader | PcapngReader | Damage:
    """Return the reader of a capture; for other files, the damage."""
    head = part.preamble or source.peek(PCAP_HEADER)
    if form == "packed":
        problem = f"the file unpacks to {packing_of(head)} data, which is not unpacked again"
        return Damage(None, 0, problem, head)
    if form_of(head[:HEAD]) != form or not form:
        known = FORMATS if part.form == "auto" else part.form
        unread = foreign(source.peek(FOREIGN_HEAD), part.location)
        packing = "" if source.packing else packing_by_name(part.location)
        if unread:
            problem = f"the file is {unread}"
        elif not head:
            problem = "the file is empty"
        elif packing:
            problem = f"the file is {packing} data by its name, but does not begin as such"
        else:
            problem = NO_CAPTURE.format(known)
        return Damage(None, 0, problem, head)
    if form == "pcapng":
        return PcapngReader(source, part.preamble, most, part.number)
    header = part.preamble or source.read(PCAP_HEADER)
    return PcapReader(source, header, most, part.number)


def _items_of(reader: PcapReader | PcapngReader | Damage, source: Source) -> Iterator[Frames | Damage]:
    """Yield the items of a reader, or the damage."""
    return _settled(iter([reader]) if isinstance(reader, Damage) else reader.run(), source)


def _all_items(
    part: FileSlice, form: str, source: Source, limits: ReadLimits, file: Any
) -> Iterator[Frames | Damage]:
    """Yield the items of a source: of captures that were joined, and of sound members behind damage.

    Args:
        part: The part of the file.
        form: The format of the source.
        source: The bytes.
        limits: What to read from it.
        file: The file if it is compressed and not a pipe.
    """
    more = _CAPTURES
    while True:
        reader = _records(part, form, source, limits.most)
        if isinstance(reader, Damage) and file is not None:
            source.read(_LOOKED_AT)  # if it is damaged, its error tells why, and what is behind
        yield from _items_of(reader, source)
        if not isinstance(reader, Damage):
            part = part._replace(
                number=reader.number, preamble=b"" if reader.joined else bytes(reader.preamble)
            )
            if reader.joined:
                form = form_of(source.peek(HEAD))
                continue
        if source.behind is None:
            return
        more -= 1
        begin, offset = source.behind, source.offset
        source = unpacked(file, part.end, limits.expansion, start=begin, offset=offset, goes_on=more > 1)
        known = form_of(source.peek(HEAD))
        if known or isinstance(reader, Damage):  # a capture of its own, not more of the one before
            part, form = part._replace(preamble=b""), known


def _settled(items: Iterator[Frames | Damage], source: Source) -> Iterator[Frames | Damage]:
    """Yield the items, but replace damage at the end by the error of the compressed data, if there is one."""
    held: list[Damage] = []
    for item in items:
        yield from held
        held = [item] if source.trouble and isinstance(item, Damage) else []
        if not held:
            yield item
    if source.trouble and source.peek(1):  # for another reader
        yield from held
    elif source.trouble:
        yield Damage(None, source.offset, source.trouble, b"")


def _pieces(name: str, source: Source) -> Iterator[Row]:
    """Yield the rows of a file of concatenated packets."""
    while True:
        offset = source.offset
        # Pieces end at multiples of PIECE, independent of how the file is split.
        data = source.some(PIECE - offset % PIECE)
        if data:
            yield _piece(name, offset // PIECE + 1, offset, data)
        if source.trouble:
            yield _damage_row(name, Damage(None, source.offset, source.trouble, b""))
            return
        if not data:
            return


def _piece(name: str, number: int, offset: int, data: bytes) -> Row:
    row = (name, number, offset, None, "raw", *(None,) * 4, offset, None, None)
    return (*row, data, len(data), len(data), None, True, len(data), None, None)


def batches_of(
    rows: Iterable[Row | pa.RecordBatch], schema: pa.Schema, columns: list[int]
) -> Iterator[pa.RecordBatch]:
    """Convert rows to record batches.

    Args:
        rows: The rows; batches of them are yielded at once.
        schema: The schema of the batches.
        columns: For each column of the schema, its index in a row.
    """
    held: list[Row] = []
    size = 0
    for row in rows:
        if isinstance(row, pa.RecordBatch):
            yield row
            continue
        held.append(row)
        size += len(row[_PAYLOAD])
        if len(held) >= _BATCH_ROWS or size >= _BATCH_BYTES:
            yield _batch(held, schema, columns)
            held, size = [], 0
    if held:
        yield _batch(held, schema, columns)


def _batch(rows: list[Row], schema: pa.Schema, columns: list[int]) -> pa.RecordBatch:
    by_column = list(zip(*rows, strict=True))
    arrays = [pa.array(by_column[column], field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.record_batch(arrays, schema=schema)
