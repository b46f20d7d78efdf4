"""Reads pcap files, and goes on behind damage.

A record has no signature, so its header is checked by its numbers (`_Headers.sound`), and by the header that
follows its bytes.  If a header is odd, the reader searches for a sound one: first in the frame before it,
which may have lost bytes, and then in the bytes that follow.  An odd header is read as it is if the headers
behind it are sound.

The layout is that of draft-ietf-opsawg-pcap.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from msmq_wire.captures.network.links import LINK_TYPES, LinkVote
from msmq_wire.packets.mistaken import CAPTURES, PCAP_VERSIONS
from msmq_wire.values.errors import in_bytes, plural
from msmq_wire.values.times import SECOND

from .containers import (
    AHEAD,
    BEFORE,
    ENOUGH,
    HOLE,
    JOINED,
    NO_MARK,
    SAMPLE,
    STEP,
    ZEROS,
    CaptureReader,
    Damage,
    Frames,
    link_problem,
    passed_over,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from numpy.typing import NDArray

    from .sources import Source


class PcapForm(NamedTuple):
    """The form of a pcap file, determined by its first four bytes.

    Attributes:
        order: Byte order, as a prefix of `struct` formats.
        ticks: Time units per second.
        record: Size of a record header: seconds, units, captured and original size, and more in old
            files.
    """

    order: str
    ticks: int
    record: int


PCAP_MAGICS: Final = {
    struct.pack(f"{order}I", number): PcapForm(order, ticks, record)
    for number, ticks, record in (
        (0xA1B2C3D4, SECOND, 16),
        (0xA1B23C4D, 1_000_000_000, 16),
        (0xA1B2CD34, SECOND, 24),  # of old Linux systems
    )
    for order in "<>"
}
"""The forms of pcap files by their first four bytes."""
_LONGER: Final = {16: (20, 24), 24: (28,)}
"""Sizes of the record headers of Nokia, Red Hat 6.1 and SuSE 6.3, whose files begin as those with others."""
PCAP_HEADER: Final = 24
"""Size of the file header of pcap: magic, version, two unused numbers, largest frame, link type."""
_VERSION: Final = struct.unpack("<HH", PCAP_VERSIONS[0])
_VERSION_AT, _AFTER_VERSION = 4, 8
_SNAP_AT: Final = 16
_LINK_AT: Final = 20
_SIZE_AT: Final = 8
"""Offset of the captured size in the header of a record."""
_NOTHING: Final = bytes(16)

_MOST_WIRE: Final = 1 << 24
"""Sizes on the wire above it are odd; 64 KiB are usual, and offloading may join many segments."""
_YEARS: Final = 1 << 28
"""Seconds between two frames above which the time of the second is odd: eight years and a half."""
_DAY: Final = 86_400
_CHAIN: Final = 8
"""The number of records with bytes after which an odd header before them is accepted."""
_FEW: Final = 2
"""Up to this many sound records in a row may be chance."""
_LONG: Final = 64
"""More sound records in a row than a capture within a frame is expected to have."""


class _Headers:
    """Checks the headers of records.

    Args:
        header: The file header; behind it, the size of record headers if it is not that of the form.
        most: Largest size of a frame in bytes.
    """

    def __init__(self, header: bytes, most: int) -> None:
        self.form = PCAP_MAGICS[header[:4]]
        if len(header) > PCAP_HEADER:
            self.form = self.form._replace(record=header[PCAP_HEADER])
        order = self.form.order
        (self.magic,) = struct.unpack_from(f"{order}I", header)
        self.snap, link = struct.unpack_from(f"{order}II", header, _SNAP_AT)
        self.link = link & 0xFFFF  # the upper bits describe a frame check sequence
        self.size = self.form.record
        self.unpack = struct.Struct(f"{order}4I").unpack_from
        self.size_at = struct.Struct(f"{order}I").unpack_from
        self.most = most
        self.ticks = self.form.ticks
        self.most_wire = _MOST_WIRE
        self.longer = False  # whether frames may have more bytes than were on the wire
        self.empty = False  # whether frames may have no bytes
        self.cut = False  # whether frames may be cut before the size that the file header names

    def sound(self, data: bytes, at: int, near: int | None) -> bool:
        """Return whether the numbers in a header of a record are plausible.

        Args:
            data: The bytes.
            at: Offset of the header, which is whole.
            near: Seconds of the frame before; None if unknown.
        """
        seconds, part, size, wire = self.unpack(data, at)
        return (
            part < self.ticks
            and size <= self.most
            and wire <= self.most_wire
            and (size <= wire or self.longer)
            and (near is None or abs(seconds - near) < _YEARS)
            and any((seconds, part, size, wire))
        )

    def is_joined(self, data: bytes, at: int) -> bool:
        """Return whether the file header of a capture of the same form begins at an index."""
        return self.size_at(data, at)[0] == self.magic and _is_capture(data, at)

    def usual(self, data: bytes, at: int) -> bool:
        """Return whether a frame has the bytes that frames of this file have: all, or up to a limit."""
        _, _, size, wire = self.unpack(data, at)
        return (size > 0 or self.empty) and (self.cut or size >= wire or size == self.snap)

    def certain(self, data: bytes, at: int, near: int | None) -> bool:
        """Return whether a sound header is certain by itself: a time of the same day, and a usual size."""
        seconds, _, size, wire = self.unpack(data, at)
        usual = size in {wire, self.snap}
        return size > 0 and usual and near is not None and abs(seconds - near) < _DAY

    def bear(self, data: bytes, at: int) -> None:
        """Take the odd numbers of a header as usual in this file."""
        _, part, size, wire = self.unpack(data, at)
        if part >= self.ticks:
            self.ticks = 1 << 32
        if wire > self.most_wire:
            self.most_wire = 1 << 32
        self.longer = self.longer or size > wire
        self.empty = self.empty or not size
        self.cut = self.cut or (size < wire and size != self.snap)

    def sound_run(self, data: bytes, most: int) -> tuple[int, bool]:
        """Return how many sound headers follow each other at the beginning, and if an odd one ends them."""
        near: int | None = None
        at = count = 0
        while count < most and at + self.size <= len(data):
            if not self.sound(data, at, near):
                return count, True
            (near,) = self.size_at(data, at)
            at += self.size + self.size_at(data, at + _SIZE_AT)[0]
            count += 1
        return count, False

    def candidates(self, data: bytes, first: int, last: int, near: int | None) -> Iterator[int]:
        """Yield the offsets from `first` to before `last` at which a sound header with bytes begins.

        The header of a capture that was joined is one, too.
        """
        numbers = np.ndarray((max(len(data) - 3, 0),), f"{self.form.order}u4", data, strides=(1,))
        last = min(last, len(data) - self.size + 1)
        step = STEP
        while first < last:
            end = min(first + step, last)
            size, wire = (numbers[first + at : end + at] for at in (_SIZE_AT, 12))
            good = (size > 0) & (size <= self.most) & (wire <= self.most_wire)
            good |= numbers[first:end] == self.magic
            for at in (np.flatnonzero(good) + first).tolist():
                if self.sound(data, at, near) or self.is_joined(data, at):
                    yield at
            first, step = end, min(2 * step, 1 << 20)


def _is_capture(data: bytes, at: int) -> bool:
    """Return whether another capture, which was joined to this one, begins at an index."""
    name = CAPTURES.get(data[at : at + 4])
    return name == "pcapng" or (name == "pcap" and data[at + 4 : at + _AFTER_VERSION] in PCAP_VERSIONS)


class PcapReader(CaptureReader):
    """Reads the frames of a pcap file, or of a part of it.

    Args:
        source: The bytes after the file header, or from a later record on.
        header: The file header.
        most: Largest size of a frame in bytes.
        number: The number of the first frame.
        growing: As for `CaptureReader`.
    """

    preamble: bytes

    def __init__(
        self, source: Source, header: bytes, most: int, number: int, *, growing: bool = False
    ) -> None:
        super().__init__(source, most, number, growing=growing)
        self.preamble = header
        self._before: int | None = None  # index of the record before it
        self._near: int | None = None  # seconds of the last record whose time agrees with another one
        self._last: int | None = None  # seconds of the record before it
        self._alone = False  # whether that is the first one, with whose time no other agrees yet
        self._vote: LinkVote | None = None  # what frames prove of the link type, until it is judged
        self._told = ""  # what is wrong with it
        self._header_at = 0  # offset of the file header
        self._voted = 0  # offset behind the last frame that was compared with it

    def run(self) -> Iterator[Frames | Damage]:
        """Yield frames and damages."""
        yield from self._run()
        yield from self._judged(is_last=True)

    def _run(self) -> Iterator[Frames | Damage]:
        if len(self.preamble) < PCAP_HEADER:
            size = len(self.preamble)
            yield Damage(None, 0, f"the file ends within its header: {in_bytes(size)}", self.preamble)
            return
        if self.preamble[:4] not in PCAP_MAGICS:
            yield from self._mend()
        self._headers = _Headers(self.preamble, self._most)
        if self._window.base == PCAP_HEADER:
            self._lengthen()
            yield from self._described(0)
        window = self._window
        while self._end is None:
            problem = yield from self._walk()
            if problem:
                yield from self._resume(problem)
                self.resumed = self.end
            elif not window.over:
                self._more()
            elif self._at == len(window.data) or self._growing:
                return
            else:
                yield from self._cut()

    def _described(self, offset: int) -> Iterator[Damage]:
        """Yield the faults of the file header."""
        order = self._headers.form.order
        version = major, minor = struct.unpack_from(f"{order}HH", self.preamble, _VERSION_AT)
        if version != _VERSION:
            problem = f"version {major}.{minor} of pcap is unknown; the file is read as version 2.4"
            yield Damage(None, offset + _VERSION_AT, problem, self.preamble[_VERSION_AT:_AFTER_VERSION])
        self._vote, self._told, self._header_at, self._voted = (
            LinkVote(self._headers.link),
            "",
            offset,
            self.end,
        )
        yield from self._judged(is_last=self._is_seen_ahead(self._vote))

    def _judged(self, *, is_last: bool) -> Iterator[Damage]:
        """Read frames by the link type that they prove; yield what is wrong with that of the file header.

        Args:
            is_last: Whether later frames do not count.
        """
        vote = self._vote
        if vote is None:
            return
        headers, is_open = self._headers, not (vote.is_settled or is_last)
        problem = ""
        if not is_open or headers.link not in LINK_TYPES:
            problem = link_problem(vote, headers.link, "the header")
        if vote.link != headers.link:
            field = self.preamble[_LINK_AT:PCAP_HEADER]
            number = headers.size_at(field)[0] ^ headers.link ^ vote.link
            mended = struct.pack(f"{headers.form.order}I", number)
            self.preamble = self.preamble[:_LINK_AT] + mended + self.preamble[PCAP_HEADER:]
            headers.link = vote.link
            yield Damage(None, self._header_at + _LINK_AT, problem, field)
        elif problem and problem != self._told:
            yield Damage(None, self._header_at, problem, self.preamble)
        self._told = problem
        if not is_open:
            self._vote = None
            if vote.frames > 1 and (vote.is_settled or headers.link in LINK_TYPES):
                self.resumed = max(self.resumed, self._voted)  # these frames belong together

    def _is_seen_ahead(self, vote: LinkVote) -> bool:
        """Compare the next frames with a link type; return whether later ones do not count.

        A live source is not waited for, and frames behind damage are compared when they are read.
        """
        window = self._window
        while not vote.is_settled and self._voted < self._header_at + AHEAD:
            at = self._voted - window.base
            if at + self._headers.size <= len(window.data) and not self._headers.sound(window.data, at, None):
                return False
            size = self._add_to(vote, at)
            if size:
                self._voted += size
            elif window.over or window.live:
                return window.over
            else:
                self._more()
        return True

    def _add_to(self, vote: LinkVote, at: int) -> int:
        """Count the frame of the record at an index; return the record's size, or 0 if it lacks bytes."""
        headers, data = self._headers, self._window.data
        start = at + headers.size
        if start > len(data):
            return 0
        size, wire = headers.unpack(data, at)[2:]
        if start + size > len(data):
            return 0
        vote.add(data[start : start + size], wire)
        return int(headers.size + size)

    def _compare(self, records: list[int]) -> Iterator[Damage]:
        """Compare the frames of records with the link type, as far as they were not compared ahead."""
        vote, base = self._vote, self._window.base
        for at in records if vote is not None else ():
            if vote is not None and not vote.is_settled and base + at >= self._voted:
                self._voted = base + at + self._add_to(vote, at)
        yield from self._judged(is_last=self._voted >= self._header_at + AHEAD)

    def _more(self) -> None:
        """Omit what is before the last record, and read more."""
        keep = self._at if self._before is None else self._before
        self._window.more(keep)
        self._at -= keep
        self._before = None if self._before is None else 0

    def _lengthen(self) -> None:
        """Take longer record headers if those of the form are not sound, but longer ones are."""
        count, is_odd = self._sound_run(self._headers, _FEW)
        for record in _LONGER.get(self._headers.form.record, ()) if is_odd and count < _FEW else ():
            headers = _Headers(self.preamble[:PCAP_HEADER] + bytes((record,)), self._most)
            longer, is_odd = self._sound_run(headers, _FEW + 1)
            if longer > _FEW and not is_odd:
                self._headers = headers
                self.preamble = self.preamble[:PCAP_HEADER] + bytes((record,))

    def _sound_run(self, headers: _Headers, least: int) -> tuple[int, bool]:
        """Return the run of sound headers at the beginning; bytes are read until it is so long, or ends."""
        window = self._window
        while True:
            count, is_odd = headers.sound_run(window.data, _CHAIN)
            if count >= least or is_odd or window.over:
                return count, is_odd
            self._more()

    def _mend(self) -> Iterator[Damage]:
        """Find the mark of a header whose first bytes are damaged, by the records and what is left of it."""
        while len(self._window.data) < ENOUGH and not self._window.over:
            self._more()
        data, first, rest = self._window.data, self.preamble[:4], self.preamble[4:]
        order = "<" if rest[0] else ">"

        def fits(magic: bytes) -> tuple[int, int]:
            count, _ = _Headers(magic + rest, self._most).sound_run(data, _CHAIN)
            return count, sum(byte == other for byte, other in zip(first, magic, strict=True))

        magic = max((magic for magic, form in PCAP_MAGICS.items() if form.order == order), key=fits)
        self.preamble = magic + rest
        start = self._window.base - PCAP_HEADER
        yield Damage(None, start, NO_MARK.format(first.hex(), form="pcap"), first)

    # ------------------------------------------------------------------------------------- sound records

    def _walk(self) -> Generator[Frames | Damage, None, str]:
        """Yield the records in the window up to an odd one; return what is odd about it, or an empty text."""
        data, at = self._window.data, self._at
        head, most, size_at = self._headers.size, self._most, self._headers.size_at
        end = len(data)
        records: list[int] = []
        problem = ""
        while at + head <= end:
            (size,) = size_at(data, at + _SIZE_AT)
            if size > most:
                problem = f"a record states a size of {size} bytes, and no frame has more than {most}"
                break
            if not size and (data[at : at + 4] in PCAP_MAGICS or data.startswith(_NOTHING, at)):
                zeros = data.startswith(_NOTHING, at)
                problem = "zeros follow" if zeros else "the header of another capture is cut"
                break
            after = at + head + size
            if after > end:
                break
            records.append(at)
            at = after
        if records:
            offsets = np.array(records, np.int64)
            count, sound = self._accepted(offsets, at)
            if count:
                yield from self._compare(records[:count])
                yield self._frames(offsets[:count])
                self._before = records[count - 1]
                self.number += count
            if count < len(records):
                at = records[count]
                problem = "" if sound is None else "the numbers of a record are impossible"
        self._at = at
        return problem

    def _numbers(self, at: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
        """Return the numbers in the headers at some indices: seconds, units, and both sizes."""
        data = self._window.data
        numbers = np.ndarray((len(data) - 3,), f"{self._headers.form.order}u4", data, strides=(1,))
        return tuple(numbers[at + field].astype(np.int64) for field in (0, 4, _SIZE_AT, 12))

    def _frames(self, at: NDArray[np.int64]) -> Frames:
        """Return the frames of the records at some indices."""
        seconds, part, size, wire = self._numbers(at)
        previous = seconds[0] if self._last is None else self._last
        agree = np.abs(np.diff(seconds, prepend=previous)) < _YEARS
        self._alone = self._last is None and len(at) == 1
        if self._last is None and len(at) > 1:
            agree[0] = False
        if agree.any():
            self._near = int(seconds[np.flatnonzero(agree)[-1]])
        self._last = int(seconds[-1])
        form, window = self._headers.form, self._window
        times = seconds * SECOND + part // (form.ticks // SECOND)
        links = np.full(len(at), self._headers.link)
        starts = at + form.record
        offsets, ends = window.base + at, window.base + starts + size
        return Frames(window.data, self.number, offsets, times, links, wire, starts, size, ends)

    def _accepted(self, at: NDArray[np.int64], end: int) -> tuple[int, bool | None]:
        """Return how many of some records are read, and whether the next is a record; None if uncertain."""
        headers, data = self._headers, self._window.data
        seconds, part, size, wire = self._numbers(at)
        good = (part < headers.ticks) & (wire <= headers.most_wire) & (headers.longer | (size <= wire))
        if not headers.empty:
            good &= size > 0
        if not headers.cut:
            good &= (size >= wire) | (size == headers.snap)
        good &= np.abs(np.diff(seconds, prepend=seconds[0] if self._last is None else self._last)) < _YEARS
        for index in np.flatnonzero(~good).tolist():
            before = int(at[index - 1]) if index else self._before
            offset, near = int(at[index]), self._near
            if near is None and index > 1:
                near = int(seconds[index - 1])
            # It may be odd only because an earlier one is.
            if near is None or not headers.usual(data, offset) or not headers.sound(data, offset, near):
                follows = self._follows(before, offset, near, [*at[index + 1 :].tolist(), end])
                if not follows:
                    return index, follows
                headers.bear(data, offset)
                self.resumed = self._window.base + offset
        return len(at), True

    def _follows(self, before: int | None, at: int, near: int | None, later: list[int]) -> bool | None:
        """Return whether an odd record is a record, because sound ones follow it; None if uncertain.

        Args:
            before: The record before it, in whose bytes a sound one may begin.
            at: The record.
            near: Seconds of the record before.
            later: The records after it, by its size, and the end of the last one.
        """
        headers, data, over = self._headers, self._window.data, self._window.over
        (seconds,) = headers.size_at(data, at)
        whole = later[0] + headers.size <= len(data) and headers.sound(data, at, near)
        if whole and headers.certain(data, later[0], seconds) and headers.sound(data, later[0], seconds):
            return True  # only its size is unusual
        # Near 1970, zeros and small numbers are times, so that a run in the frame before proves nothing.
        if near is not None and near < _YEARS:
            is_set = self._begins_other_times(at, later[:_FEW])
            if is_set is not False:
                return is_set
        inside = self._inside(before, at, later[0], near)
        if inside is None:
            return None
        if inside >= 0:
            return False
        for count, offset in enumerate(later):
            if offset + headers.size > len(data):
                return True if over else None
            (size,) = headers.size_at(data, offset + _SIZE_AT)
            if headers.sound(data, offset, near) or (size and headers.sound(data, offset, seconds)):
                return True
            if size > self._most or not (size or headers.empty):
                return False
            if count == _CHAIN:
                return True
        return True if over else None

    def _begins_other_times(self, at: int, later: list[int]) -> bool | None:
        """Return whether only the time of a record is odd, and those behind it go on: the clock was set.

        None if more bytes are needed.
        """
        headers, data = self._headers, self._window.data
        if not headers.sound(data, at, None) or not headers.usual(data, at):
            return False
        for offset in later:
            if offset + headers.size > len(data):
                return offset == len(data) if self._window.over else None
            if not headers.usual(data, offset):
                return False
            before, seconds = (headers.size_at(data, index)[0] for index in (at, offset))
            if abs(seconds - before) >= _DAY or not headers.sound(data, offset, before):
                return False
            at = offset
        return True

    # ------------------------------------------------------------------------------------- behind damage

    def _inside(
        self, before: int | None, at: int, end: int, near: int | None, *, exact: bool = False
    ) -> int | None:
        """Return where in the frame before a record, or in its own, a run of sound records begins.

        The run has to go on behind the frame, so that a capture within the frame does not count; not if the
        size of the frame is odd itself.

        Args:
            before: Index of the record before it; None if a run in its frame is of no interest.
            at: Index of the record.
            end: Index up to which the run may begin.
            near: Seconds near which the first record of the run is; None if unknown.
            exact: Whether the run has to end with the file.

        Returns:
            Its index; -1 if there is none; None if more bytes are needed.
        """
        headers, data, over = self._headers, self._window.data, self._window.over
        failed: set[int] = set()
        first = (at if before is None else before) + 1
        for offset in headers.candidates(data, first, end, near):
            if offset in failed or offset == at:
                continue
            target, owner = (at, before) if offset < at else (end, at)
            here, seconds = offset, near
            passed: list[int] = []
            while here < target and here + headers.size <= len(data) and (exact or len(passed) < _LONG):
                is_joined = headers.is_joined(data, here)
                if here in failed or not (is_joined or headers.sound(data, here, seconds)):
                    break
                passed.append(here)
                if is_joined:
                    here, seconds = here + PCAP_HEADER, None
                    continue
                (seconds,) = headers.size_at(data, here)
                here += headers.size + headers.size_at(data, here + _SIZE_AT)[0]
            certain = headers.certain(data, offset, near)
            if here + headers.size > len(data):
                if not over:
                    return None
                if here == len(data) and (certain or len(passed) > 1):
                    return offset
                if len(passed) > 1 and not exact:
                    return offset
            elif here not in failed and (headers.sound(data, here, seconds) or _is_capture(data, here)):
                return offset
            odd = owner is None or owner + headers.size > len(data) or not headers.certain(data, owner, near)
            if odd and not exact and (certain or len(passed) > _FEW):
                return offset
            failed.update(passed)
        return -1

    def _is_record(self, at: int) -> bool | None:
        """Return whether a sound header behind damage is that of a record; None if more bytes are needed."""
        headers, data, near = self._headers, self._window.data, self._near
        if headers.certain(data, at, near) or headers.is_joined(data, at):
            return True
        (size,) = headers.size_at(data, at + _SIZE_AT)
        after = at + headers.size + size
        if near is None:
            (near,) = headers.size_at(data, at)
        if after + headers.size <= len(data):
            return headers.sound(data, after, near)
        return after == len(data) if self._window.over else None

    def _resume(self, problem: str) -> Iterator[Damage]:
        """Find the next sound record; yield the damage before it."""
        window = self._window
        start = window.base + self._at
        while (inside := self._inside(self._before, self._at, self._at, self._near)) is None:
            self._more()
        is_joined = window.data[self._at : self._at + 4] in CAPTURES
        if inside < 0 and self._alone and not is_joined:  # the first record may be none, and its time wrong
            while (inside := self._inside(self._before, self._at, self._at, None, exact=True)) is None:
                self._more()
        if inside >= 0:
            over = self._at - inside
            yield Damage(self.number - 1, start, BEFORE.format(size=in_bytes(over)), b"")
            self._at = inside
            return
        self._before = None
        while len(window.data) - self._at < PCAP_HEADER and not window.over:
            self._more()
        data = window.data[self._at : self._at + SAMPLE]
        if data[:4] in PCAP_MAGICS and len(data) >= PCAP_HEADER:
            self.preamble = data[:PCAP_HEADER]
            yield Damage(None, start, JOINED, self.preamble)
            self._headers = _Headers(self.preamble, self._most)
            self._at += PCAP_HEADER
            self._near = self._last = None
            yield from self._described(start)
            return
        if CAPTURES.get(data[:4]) == "pcapng":
            yield self._join(data[:PCAP_HEADER])
            return
        hole = 0
        if data.startswith(_NOTHING):
            hole, empty = self._skip_zeros()
            if self._at == len(window.data) and window.over:
                self._end, self.sound = start, False
                problem = ZEROS.format(size=hole)
                yield Damage(self.number, start, problem, data[: self._headers.size])
                return
            if empty:
                size = window.base + self._at - start
                yield Damage(
                    self.number, start, HOLE.format(zeros=size, size=size), b"", size=size, frames=empty
                )
                self.number += empty
                return
        else:
            self._at += 1
        found = self._search()
        size = window.base + self._at - start
        if found:
            problem = HOLE.format(zeros=hole, size=size) if hole else f"{problem}; {passed_over(size)}"
            yield Damage(self.number, start, problem, data[:size], size=size, frames=1)
            self.number += 1
        else:
            self._end, self.sound = start, False
            problem = (
                f"{problem}; in {in_bytes(size)} that {plural(size, 'follows', 'follow')}, no record is found"
            )
            yield Damage(self.number, start, problem, data, size=size)

    def _skip_zeros(self) -> tuple[int, int]:
        """Skip zeros; return their number, and that of records instead of them if a sound one follows."""
        window, head = self._window, self._headers.size
        start = end = window.base + self._at
        while (end := window.behind_zeros(end)) == window.base + len(window.data) and not window.over:
            self._at = max(len(window.data) - head, self._at)
            self._more()
        if end == window.base + len(window.data):
            self._at = len(window.data)
            return end - start, 0
        count = (end - start) // head
        self._at = start + count * head - window.base
        while self._at + head > len(window.data) and not window.over:
            self._more()
        if self._at + head <= len(window.data) and self._headers.sound(window.data, self._at, self._near):
            return end - start, count
        self._at = max(self._at - head, 0)
        return end - start, 0

    def _search(self) -> bool:
        """Go to the next sound record; return whether there is one before the end."""
        window = self._window
        while True:
            for offset in self._headers.candidates(window.data, self._at, len(window.data), self._near):
                self._at = offset
                is_record = self._is_record(offset)
                if is_record:
                    return True
                if is_record is None:
                    break
            else:
                self._at = max(len(window.data) - self._headers.size + 1, self._at)
                if window.over:
                    self._at = len(window.data)
                    return False
            self._more()

    def _cut(self) -> Iterator[Damage]:
        """Go to the next sound record within a record that lacks bytes; if there is none, the file ends."""
        window, headers = self._window, self._headers
        start, rest = window.base + self._at, window.data[self._at :]
        whole = len(rest) >= headers.size
        before = None if whole and headers.sound(window.data, self._at, self._near) else self._before
        near = self._near
        if near is None and whole:
            (near,) = headers.size_at(rest, 0)
        # Records that do not end with the file are those of a capture in a frame that was cut.
        inside = self._inside(before, self._at, len(window.data), near, exact=True)
        if inside is None or inside < 0:  # the time of the record may be damaged, too
            inside = self._inside(before, self._at, len(window.data), None, exact=True)
        if whole:
            (size,) = headers.size_at(rest, _SIZE_AT)
            problem = f"the file ends within a frame: {len(rest) - headers.size} of {in_bytes(size)}"
        else:
            problem = f"the file ends within the header of a record: {len(rest)} of {headers.size} bytes"
        if inside is None or inside < 0:
            self._end = start
            yield Damage(self.number, start, problem, rest)
            return
        self._before, passed = None, max(inside - self._at, 0)
        self._at = inside
        if passed:
            problem = f"the size of a record is wrong; {passed_over(passed)}"
            yield Damage(self.number, start, problem, rest[:passed], frames=1)
            self.number += 1
        else:
            problem = BEFORE.format(size=in_bytes(start - window.base - inside))
            yield Damage(self.number - 1, start, problem, b"")
