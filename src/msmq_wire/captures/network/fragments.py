"""Reassembles fragments of IP datagrams.

1. A datagram is identified by addresses, protocol and identification.  If fragments overlap, the bytes that
   were captured first are used.  Numbers are used again: a first fragment, or one that contradicts the
   others, begins another datagram if it comes much later than they.
2. The number of waiting datagrams is bounded; the oldest ones are dropped and reported as incomplete.
3. Datagrams that are incomplete at the end of a file, or of a part of it, are returned as `PendingDatagram`,
   because the next one may have their other fragments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from msmq_wire.values.times import MINUTE, SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_Key: TypeAlias = tuple[bytes, bytes, int, int]

MAX_WAITING: Final = 1024
"""Largest number of datagrams that wait for fragments in one file."""
PATIENCE: Final = MINUTE
"""How long a datagram waits for its fragments, in microseconds ([RFC 1122] 3.3.2: 60 to 120 seconds)."""
_TOGETHER: Final = SECOND
"""How long after the first captured fragment others may contradict it, in microseconds: senders send them
together, and use a number again later ([RFC 4963])."""
_MAX_COMPLETE: Final = 64
"""Maximum number of complete datagrams whose fragments are recognised if they were captured again."""
_UNIT: Final = 8
"""Bytes in which offsets of fragments are counted; only the last fragment has a part of a unit."""


class Fragment(NamedTuple):
    """A fragment.

    Attributes:
        key: Identifies the datagram.
        fragment_offset: Offset of the bytes in the datagram.
        data: The bytes.
        more: Whether other fragments follow.
    """

    key: _Key
    fragment_offset: int
    data: bytes
    more: bool


class Incomplete(NamedTuple):
    """A datagram with missing fragments.

    Attributes:
        key: As in its fragments.
        frames: Numbers and captured sizes of the frames with its fragments.
        first: The `note` of the first captured fragment.
        head: Its bytes up to the first gap.
        size: Number of captured bytes.
    """

    key: _Key
    frames: list[tuple[int, int]]
    first: object
    head: bytes
    size: int


class PendingDatagram(NamedTuple):
    """A datagram with fragments that are missing in a file, or a part of it, and may be in another one.

    Attributes:
        key: As in its fragments.
        parts: The bytes by offset in the datagram.
        end: Size of the datagram; None if unknown.
        frames: Numbers and captured sizes of the frames with its fragments.
        first: The `note` of the first fragment.
        last: The `note` of the last fragment that had new bytes.
    """

    key: _Key
    parts: dict[int, bytes]
    end: int | None
    frames: list[tuple[int, int]]
    first: Any
    last: Any


class _Datagram:
    """A datagram that is not complete.

    Attributes:
        first: Noted with its first captured fragment.
        last: Noted with the last captured fragment that had new bytes.
        since: Time of that fragment, in microseconds; None if unknown.
        repeats: Whether all its bytes are those of the complete datagram before it, captured again.
        frames: Numbers and captured sizes of the frames of its fragments.
        end: Size in bytes; None if unknown.
        size: Number of captured bytes.
    """

    __slots__ = ("_captured", "_data", "end", "first", "frames", "last", "repeats", "since", "size")

    def __init__(self, first: object, since: int | None, *, repeats: bool) -> None:
        self.first = self.last = first
        self.since = since
        self.repeats = repeats
        self.frames: list[tuple[int, int]] = []
        self.end: int | None = None
        self.size = 0
        self._data = bytearray()
        self._captured = 0  # a bit for each unit of `_data`

    def add(self, fragment: Fragment) -> bool:
        """Add a fragment; return whether it differs from bytes captured before it."""
        fragment_offset, data = fragment.fragment_offset, fragment.data
        if fragment.more:
            data = data[: len(data) // _UNIT * _UNIT]
        elif self.end is None:
            self.end = fragment_offset + len(data)
        units = -(-len(data) // _UNIT)
        every = (1 << units) - 1
        captured = self._captured >> fragment_offset // _UNIT & every
        self._captured |= every << fragment_offset // _UNIT
        self._data += bytes(max(fragment_offset + len(data) - len(self._data), 0))
        if not captured:
            self._data[fragment_offset : fragment_offset + len(data)] = data
            self.size += len(data)
            return False
        differs = False
        for unit in range(units):
            new = data[unit * _UNIT : (unit + 1) * _UNIT]
            there = slice(fragment_offset + unit * _UNIT, fragment_offset + unit * _UNIT + len(new))
            if captured >> unit & 1:
                differs = differs or self._data[there] != new
            else:
                self._data[there] = new
                self.size += len(new)
        return differs

    def is_over(self, fragment: Fragment, time: int | None) -> bool:
        """Return whether a fragment captured at this time is one of another datagram."""
        if self.since is None or time is None:
            return False
        waited = time - self.since
        return waited > PATIENCE or (waited > _TOGETHER and self._contradicts(fragment))

    def _contradicts(self, fragment: Fragment) -> bool:
        """Return whether a fragment is a first one that is not there, or has other bytes or another end."""
        fragment_offset, data, more = fragment.fragment_offset, fragment.data, fragment.more
        if not fragment_offset and not self._captured & 1:
            return True
        end = fragment_offset + len(data)
        if self.end is not None and (end > self.end if more else end != self.end):
            return True
        if not more and self._captured >> -(-end // _UNIT):
            return True
        captured = self._captured >> fragment_offset // _UNIT
        return any(
            captured >> at // _UNIT & 1
            and self._data[fragment_offset + at : fragment_offset + at + _UNIT] != data[at : at + _UNIT]
            for at in range(0, len(data) // _UNIT * _UNIT if more else len(data), _UNIT)
        )

    def whole(self) -> bytes | None:
        """Return all bytes if the datagram is complete."""
        if self.end is None:
            return None
        wanted = (1 << -(-self.end // _UNIT)) - 1
        return bytes(self._data[: self.end]) if self._captured & wanted == wanted else None

    def head(self) -> bytes:
        """Return the bytes up to the first gap."""
        return next(iter(self.parts().values()), b"") if self._captured & 1 else b""

    def parts(self) -> dict[int, bytes]:
        """Return the bytes between gaps, by offset."""
        parts, at, left = {}, 0, self._captured
        while left:
            skipped = (left & -left).bit_length() - 1
            left >>= skipped
            units = (~left & left + 1).bit_length() - 1
            at += skipped * _UNIT
            parts[at] = bytes(self._data[at : at + units * _UNIT])
            at += units * _UNIT
            left >>= units
        return parts


class Waiting:
    """Datagrams that wait for fragments.

    Attributes:
        joined: Captured sizes of frames in complete datagrams, except the frame that completed each, and of
            frames with fragments of these datagrams that were captured again.
        differing: Fragments that differ from bytes captured before them, each with its note.
    """

    def __init__(self, *, leaves: bool = False) -> None:
        """Start without datagrams.

        Args:
            leaves: Whether `left` is called at the end; then it has datagrams whose number is used again too.
        """
        self._leaves = leaves
        self.joined: list[int] = []
        self.differing: list[tuple[Fragment, object]] = []
        self._datagrams: dict[_Key, _Datagram] = {}
        self._late: list[tuple[_Key, _Datagram]] = []
        self._complete: dict[_Key, bytes] = {}  # the latest ones

    def take(
        self, fragment: Fragment, frame: tuple[int, int], note: object, time: int | None = None
    ) -> bytes | None:
        """Add a fragment; return the payload of its datagram when it is complete.

        Args:
            fragment: The fragment.
            frame: Number and captured size of its frame.
            note: Returned if the datagram stays incomplete.
            time: Time of capture in microseconds, if known.
        """
        key = fragment.key
        repeats = self._repeats(fragment)
        datagram = self._datagrams.get(key)
        if datagram is not None and (datagram.repeats > repeats or datagram.is_over(fragment, time)):
            self._late.append((key, self._datagrams.pop(key)))
            datagram = None
        if datagram is None:
            datagram = self._datagrams[key] = _Datagram(note, time, repeats=repeats)
        datagram.frames.append(frame)
        size = datagram.size
        if datagram.add(fragment):
            self.differing.append((fragment, note))
        if datagram.size > size:
            datagram.last = note
        whole = datagram.whole()
        if whole is not None:
            del self._datagrams[key]
            self.joined += [size for _, size in datagram.frames[:-1]]
            self._complete.pop(key, None)
            self._complete[key] = whole
            if len(self._complete) > _MAX_COMPLETE:
                del self._complete[next(iter(self._complete))]
        return whole

    def _repeats(self, fragment: Fragment) -> bool:
        """Return whether a complete datagram of the same key has the same bytes there."""
        whole = self._complete.get(fragment.key)
        if whole is None:
            return False
        end = fragment.fragment_offset + len(fragment.data)
        return whole[fragment.fragment_offset : end] == fragment.data and (fragment.more or end == len(whole))

    def is_over(self, fragments: Iterable[Fragment], time: int) -> bool:
        """Return whether one of these fragments begins another datagram than the waiting one."""
        return any(
            fragment.key in self._datagrams and self._datagrams[fragment.key].is_over(fragment, time)
            for fragment in fragments
        )

    def given_up(self, *, all_of_them: bool = False) -> Iterator[Incomplete]:
        """Remove and yield datagrams that are too old or beyond the limit, or all datagrams."""
        kept = MAX_WAITING if self._leaves and not all_of_them else 0
        stop = max(len(self._late) - kept, 0)
        over, self._late = self._late[:stop], self._late[stop:]
        while self._datagrams and (all_of_them or len(self._datagrams) > MAX_WAITING):
            key = next(iter(self._datagrams))
            over.append((key, self._datagrams.pop(key)))
        for key, datagram in self._missing(over):
            yield Incomplete(key, datagram.frames, datagram.first, datagram.head(), datagram.size)

    def left(self) -> Iterator[PendingDatagram]:
        """Remove and yield all waiting datagrams."""
        waiting = [*self._late, *self._datagrams.items()]
        self._late, self._datagrams = [], {}
        for key, datagram in self._missing(waiting):
            yield PendingDatagram(
                key, datagram.parts(), datagram.end, datagram.frames, datagram.first, datagram.last
            )

    def _missing(self, over: Iterable[tuple[_Key, _Datagram]]) -> Iterator[tuple[_Key, _Datagram]]:
        """Yield those with missing fragments; the others are partial copies of complete datagrams."""
        for key, datagram in over:
            if datagram.repeats:
                self.joined += [size for _, size in datagram.frames]
            else:
                yield key, datagram
