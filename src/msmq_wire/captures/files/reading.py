"""From a part of a file to rows, and from rows to Arrow.

1. Whatever is in a file, its reading ends without an exception: damage becomes a row with an error.  Of one
   kind of damage in a part of a file there is one row, at the end, for its first place; it counts them all.
2. Every frame is counted in a `Tally`, once, with a reason.
3. Rows are gathered to batches of a few thousand, or of a few megabytes if that is less.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import pyarrow as pa

from msmq_wire.captures.network.fragments import Fragment, Waiting
from msmq_wire.captures.network.frames import Dissector, Ports, Reason
from msmq_wire.captures.network.vectors import usual
from msmq_wire.captures.schemas import plain

from .containers import PCAP_HEADER, Damage, Frames, foreign, pcap_frames, pcapng_frames
from .segments import MAX_ERROR_BYTES, NUMBERS, SEGMENTS
from .sources import EXPANSION, Source, opened, packing_of, region, shown, unpacked, unpacked_live
from .splits import HEAD, PIECE, Part, form_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from msmq_wire.captures.network.fragments import Left
    from msmq_wire.captures.network.frames import Facts, Outcome

__all__ = [
    "MAX_FRAME",
    "ReadLimits",
    "Row",
    "Tally",
    "batches_of",
    "live_rows",
    "reunited_batches",
    "rows_of",
    "segment_batches",
]

Row: TypeAlias = tuple[Any, ...]
"""The columns of `SEGMENTS`."""

MAX_FRAME: Final = 262_144
"""How many bytes a frame has at most, by default; libpcap captures no more."""
_KINDS: Final = 256
"""How many kinds of errors are told apart; what comes after them is of one kind."""
_NUMBERS: Final = re.compile(NUMBERS)
_FRAME: Final = SEGMENTS.get_field_index("frame")
_OFFSET: Final = SEGMENTS.get_field_index("offset")
_PAYLOAD: Final = SEGMENTS.get_field_index("payload")
_LENGTH: Final = SEGMENTS.get_field_index("length")
_PLACES: Final = SEGMENTS.get_field_index("places")
_ERROR: Final = SEGMENTS.get_field_index("error")
_NOTHING: Final = (None,) * 8  # from `transport` to `flags`
_BATCH_ROWS, _BATCH_BYTES = 4096, 2 << 20
_HEADS = 512


class ReadLimits(NamedTuple):
    """What to read of a file.

    Attributes:
        ports: Which segments and datagrams.
        most: How many bytes a frame can have.
        links: The link types to read; None for all that can be read.
        expansion: How many times its size a packed file may unpack to.
    """

    ports: Ports
    most: int = MAX_FRAME
    links: frozenset[int] | None = None
    expansion: int = EXPANSION


class Tally:
    """How many frames came to what, with their captured bytes.

    Attributes:
        frames: Frames by reason and detail.
        bytes: Captured bytes of them.
        wrong: Segments whose checksum is wrong.
    """

    __slots__ = ("bytes", "frames", "wrong")

    def __init__(self) -> None:
        self.frames: Counter[tuple[str, str]] = Counter()
        self.bytes: Counter[tuple[str, str]] = Counter()
        self.wrong = 0

    def add(self, reason: str, detail: str, size: int, frames: int = 1) -> None:
        """Count frames."""
        key = reason, detail
        if key not in self.frames and len(self.frames) >= _KINDS:
            key = reason, "other"
        self.frames[key] += frames
        self.bytes[key] += size

    def move(self, reason: str, to: str, frames: int, size: int) -> None:
        """Count frames differently that were counted for a reason without a detail.

        Args:
            reason: What they were counted as.
            to: What they turned out to be.
            frames: How many they are.
            size: How many captured bytes of payload they have.
        """
        before = reason, ""
        share = min(size, self.bytes[before])
        self.frames[before] -= frames
        self.bytes[before] -= share
        self.frames[to, ""] += frames
        self.bytes[to, ""] += share


def rows_of(part: Part, limits: ReadLimits, tally: Tally | None = None) -> Iterator[Row]:
    """The rows of a part of a file.

    Args:
        part: The part.
        limits: What to read of it.
        tally: Counts its frames.

    Raises:
        OSError: The file cannot be reached.
    """
    return _once_each(_all_rows(part, limits, Tally() if tally is None else tally))


def segment_batches(
    part: Part, limits: ReadLimits, tally: Tally, left: list[Left] | None = None, file: Any = None
) -> Iterator[pa.RecordBatch]:
    """The same rows as batches of `SEGMENTS`, in any order; those of the usual form are read many at once.

    Args:
        part: The part.
        limits: What to read of it.
        tally: Counts its frames.
        left: Takes datagrams that wait for fragments at the end of the part, for `reunited_batches`; they are
            missing if this is None.
        file: The file, if it is open already or in memory: a file of pyarrow.  None: it is opened.

    Raises:
        OSError: The file cannot be reached.
    """
    held: list[Row] = []
    size = 0
    columns = [*range(len(SEGMENTS))]
    for item in _once_each(_all_rows(part, limits, tally, many=True, left=left, there=file)):
        if isinstance(item, pa.RecordBatch):
            yield item
            continue
        held.append(item)
        size += len(item[_PAYLOAD])
        if len(held) >= _BATCH_ROWS or size >= _BATCH_BYTES:
            yield _batch(held, plain(SEGMENTS), columns)
            held, size = [], 0
    if held:
        yield _batch(held, plain(SEGMENTS), columns)


_PATIENCE: Final = 60_000_000
"""For how many microseconds a datagram waits for its fragments ([RFC 1122] 3.3.2: 60 to 120 seconds)."""


def reunited_batches(
    left: Iterable[Left], limits: ReadLimits, tallies: Mapping[str, Tally], sensor_of: Callable[[str], str]
) -> Iterator[pa.RecordBatch]:
    """Rows of datagrams whose fragments lie in several files of a sensor, and of those that stay incomplete.

    A row has the place of the first fragment in the last of these files.

    Args:
        left: What reading has left, file by file, in any order.
        limits: What to read.
        tallies: Count the frames of each file.
        sensor_of: Gives the sensor of a file.
    """
    dissector = Dissector(limits.ports)
    waiting: dict[Any, tuple[list[Left], Waiting]] = {}
    rows: list[Row] = []

    def give_up(parts: list[Left], joined: Waiting) -> None:
        (lost,) = joined.given_up(all_of_them=True)
        ((place, outcome, _),) = dissector.missing_of([lost])
        count(parts, outcome.reason, outcome.detail)
        if outcome.facts is not None:
            rows.append((*place, *_columns(outcome.facts)))  # type: ignore[misc]  # a place was noted

    def count(parts: list[Left], reason: str, detail: str) -> None:
        for one in parts:
            tallies[one.first[0]].add(reason, detail, sum(size for _, size in one.frames), len(one.frames))

    for one in sorted(left, key=lambda one: (one.first[3] or 0, one.first[0], one.first[1])):
        file, _, _, time = one.first
        key = sensor_of(file), one.key
        parts, joined = waiting.get(key, ([], Waiting()))
        if parts and (time is None or (parts[-1].first[3] or 0) + _PATIENCE < time):
            give_up(parts, joined)
            parts, joined = [], Waiting()
        whole = None
        for place, data in one.parts.items():
            more = one.end is None or place + len(data) < one.end
            whole = joined.take(Fragment(one.key, place, data, more), (0, 0), one.first) or whole
        waiting[key] = [*parts, one], joined
        if whole is not None:
            del waiting[key]
            outcome = dissector.read_whole(one.key, whole)
            frames = one.frames[-1]
            count([*parts, one._replace(frames=one.frames[:-1])], Reason.FRAGMENT, "")
            row = _row(one.first, outcome, frames[1], tallies[file])
            if row is not None:
                rows.append(row)
    for parts, joined in waiting.values():
        give_up(parts, joined)
    yield from batches_of(_once_each(iter(rows)), plain(SEGMENTS), [*range(len(SEGMENTS))])


def live_rows(source: Source, name: str, limits: ReadLimits, tally: Tally) -> Iterator[list[Row]]:
    """The rows of a capture that comes through a pipe, as they come: a list for each chunk that is there.

    The first place of each kind of damage is told at once, those after it at the end.

    Args:
        source: The bytes.
        name: What its rows have as their file.
        limits: What to read of it.
        tally: Counts its frames.
    """
    form = form_of(source.peek(HEAD))
    if form == "packed":
        source = unpacked_live(source, limits.expansion)
        form = form_of(source.peek(HEAD))
    if form == "packets":
        while data := source.some(PIECE):
            offset = source.offset - len(data)
            yield [_piece(name, offset // PIECE + 1, offset, data)]
        return
    dissector = Dissector(limits.ports)
    told, others = _Damages(), _Damages()

    def news(rows: Iterable[Row]) -> list[Row]:
        return [row for row in rows if row[_ERROR] is None or told.add(row) or others.add(row) is None]

    for found in _settled(_records(Part(name, "auto", 0, 0), form, source, limits.most), source):
        if isinstance(found, Damage):
            if found.counts:
                tally.add(Reason.DAMAGED, "a record cannot be read", len(found.data))
            yield news([_damage_row(name, found)])
        else:
            yield news(_frame_rows(name, found, dissector, limits, tally, range(len(found.starts))))
    yield [*news(_missing_rows(name, dissector, tally, at_end=True)), *others.rows()]


class _Damages:
    """Rows with errors, of which those of one kind become one: that of the first place, which counts them."""

    __slots__ = ("_first", "_places", "_sizes")

    def __init__(self) -> None:
        """Begin without any."""
        self._first: dict[tuple[bool, str], Row] = {}
        self._places: Counter[tuple[bool, str]] = Counter()
        self._sizes: Counter[tuple[bool, str]] = Counter()

    def add(self, row: Row) -> bool:
        """Take a row, and say whether it is the first of its kind."""
        kind = row[_FRAME] is None, _NUMBERS.sub("N", row[_ERROR])
        if kind not in self._first and len(self._first) >= _KINDS:
            kind = False, ""
        self._places[kind] += 1
        self._sizes[kind] += row[_LENGTH]
        first = self._first.setdefault(kind, row)
        if row[_OFFSET] < first[_OFFSET]:
            self._first[kind] = row
        return first is row

    def rows(self) -> Iterator[Row]:
        """One row for each kind."""
        for kind, row in self._first.items():
            size = min(self._sizes[kind], 0x7FFF_FFFF)
            places = self._places[kind]
            yield (*row[:_LENGTH], size, *row[_LENGTH + 1 : _PLACES], places, *row[_PLACES + 1 :])


def _once_each(rows: Iterator[Any]) -> Iterator[Any]:
    """The same rows, but at the end one for each kind of damage."""
    damages = _Damages()
    for row in rows:
        if isinstance(row, pa.RecordBatch) or row[_ERROR] is None:
            yield row
        else:
            damages.add(row)
    yield from damages.rows()


def _all_rows(
    part: Part,
    limits: ReadLimits,
    tally: Tally,
    *,
    many: bool = False,
    left: list[Left] | None = None,
    there: Any = None,
) -> Iterator[Any]:
    name = shown(part.place)
    with opened(part.place) if there is None else there as file:
        source = region(file, part.start, part.end)
        form = part.form
        if not part.start and packing_of(source.peek(HEAD)):
            source = unpacked(file, part.end, limits.expansion)
        if form == "auto":
            form = form_of(source.peek(HEAD))
        if form == "packets":
            yield from _pieces(name, source)
            return
        dissector = Dissector(limits.ports)
        for found in _settled(_records(part, form, source, limits.most), source):
            if isinstance(found, Damage):
                if found.counts:
                    tally.add(Reason.DAMAGED, "a record cannot be read", len(found.data))
                yield _damage_row(name, found)
            else:
                rest: Iterable[int] = range(len(found.starts))
                read = usual(name, found, limits.ports) if many and limits.links is None else None
                if read is not None:
                    tally.add(Reason.READ, "", read.size, read.batch.num_rows)
                    tally.wrong += read.wrong
                    yield read.batch
                    rest = read.rest
                yield from _frame_rows(name, found, dissector, limits, tally, rest)
        if left is None:
            yield from _missing_rows(name, dissector, tally, at_end=True)
        else:
            left += dissector.left()


def _frame_rows(
    name: str, found: Frames, dissector: Dissector, limits: ReadLimits, tally: Tally, which: Iterable[int]
) -> Iterator[Row]:
    """The rows of some frames, of which it says which."""
    chunk, number = found.chunk, found.number
    for at in which:
        link = found.links[at]
        start, size = found.starts[at], found.sizes[at]
        if limits.links is not None and link not in limits.links:
            tally.add(Reason.LINK, f"link type {link} is not wanted", size)
            continue
        place = (name, number + at, found.offsets[at], found.times[at])
        outcome = dissector.read(chunk[start : start + size], link, found.wires[at], number + at, place)
        row = _row(place, outcome, size, tally)
        if row is not None:
            yield row
    yield from _missing_rows(name, dissector, tally)


def _row(place: tuple[Any, ...], outcome: Outcome, size: int, tally: Tally) -> Row | None:
    """The row of a frame, which is counted."""
    reason, detail, facts = outcome
    if reason != Reason.FRAGMENT:
        tally.add(reason, detail, size)
    if facts is None:
        return None
    if facts[-3] is False:
        tally.wrong += 1
    return (*place, *_columns(facts))


def _columns(facts: Facts) -> Row:
    """Facts as the last columns of a row, with no more bytes than one with an error may have."""
    if facts[-1] is None:
        return (*facts[:-1], None, None)
    data = facts[8][:MAX_ERROR_BYTES]
    return (*facts[:8], data, facts[9], len(data), *facts[11:-1], 1, facts[-1])


def _missing_rows(name: str, dissector: Dissector, tally: Tally, *, at_end: bool = False) -> Iterator[Row]:
    """The rows of datagrams that are not whole; frames with fragments are counted now."""
    joined = dissector.joined()
    if joined:
        tally.add(Reason.FRAGMENT, "", sum(joined), len(joined))
    for place, outcome, frames in dissector.missing(at_end=at_end):
        tally.add(outcome.reason, outcome.detail, sum(size for _, size in frames), len(frames))
        if outcome.facts is not None:
            yield (*(place or (name, None, 0, None)), *_columns(outcome.facts))  # type: ignore[misc]  # as many as a row has


def _damage_row(name: str, found: Damage) -> Row:
    data = found.data[:MAX_ERROR_BYTES]
    return (
        name, found.number, found.offset, None, *_NOTHING, data, len(found.data), len(data), None, True,
        1, found.problem,
    )  # fmt: skip


def _records(part: Part, form: str, source: Source, most: int) -> Iterator[Frames | Damage]:
    head = part.preamble or source.peek(PCAP_HEADER)
    if form_of(head[:HEAD]) != form or not form:
        problem = foreign(source.peek(_HEADS))
        if not problem:
            known = "pcap, pcapng or MSMQ packets" if part.form == "auto" else part.form
            problem = f"the file does not begin as {known} does" if head else "the file is empty"
        return iter([Damage(None, 0, problem, head)])
    if form == "pcapng":
        return pcapng_frames(source, part.preamble, most, part.number)
    header = part.preamble or source.read(PCAP_HEADER)
    return pcap_frames(source, header, most, part.number)


def _settled(found: Iterator[Frames | Damage], source: Source) -> Iterator[Frames | Damage]:
    """The same, but with the true reason where packed data ended before their time."""
    for item in found:
        if source.trouble and isinstance(item, Damage):
            break
        yield item
    if source.trouble:
        yield Damage(None, source.offset, source.trouble, b"")


def _pieces(name: str, source: Source) -> Iterator[Row]:
    """The rows of a file of concatenated packets."""
    while True:
        offset = source.offset
        # Pieces end at the same places, wherever the parts of a file do.
        data = source.read(PIECE - offset % PIECE)
        if data:
            yield _piece(name, offset // PIECE + 1, offset, data)
        if source.trouble:
            yield _damage_row(name, Damage(None, source.offset, source.trouble, b""))
            return
        if not data:
            return


def _piece(name: str, number: int, offset: int, data: bytes) -> Row:
    row = (name, number, offset, None, "raw", *(None,) * 4, offset, None, None)
    return (*row, data, len(data), len(data), None, True, None, None)


def batches_of(rows: Iterable[Row], schema: pa.Schema, columns: list[int]) -> Iterator[pa.RecordBatch]:
    """Rows as record batches.

    Args:
        rows: The rows.
        schema: The schema of the batches.
        columns: For each of its columns the place in a row.
    """
    held: list[Row] = []
    size = 0
    for row in rows:
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
