"""Reassembles fragments of IP datagrams.

1. A datagram is identified by addresses, protocol and identification.  If fragments overlap, the bytes that
   were captured first are used.
2. The number of waiting datagrams is bounded; the oldest ones are dropped and reported as incomplete.
3. Datagrams that are incomplete at the end of a file are returned as `Left`, because the next file may have
   their other fragments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_WAITING", "Fragment", "Incomplete", "Left", "Waiting"]

MAX_WAITING: Final = 1024
"""Largest number of datagrams that wait for fragments in one file."""
_MOST_PARTS: Final = 8192
"""Largest number of fragments of a datagram: 64 KiB in units of eight bytes."""


class Fragment(NamedTuple):
    """A fragment.

    Attributes:
        key: Identifies the datagram.
        place: Offset of the bytes in the datagram.
        data: The bytes.
        more: Whether other fragments follow.
    """

    key: tuple[bytes, bytes, int, int]
    place: int
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

    key: tuple[bytes, bytes, int, int]
    frames: list[tuple[int, int]]
    first: object
    head: bytes
    size: int


class Left(NamedTuple):
    """A datagram with fragments that are missing in one file and may be in another one.

    Attributes:
        key: As in its fragments.
        parts: The bytes by offset in the datagram.
        end: Size of the datagram; None if unknown.
        frames: Numbers and captured sizes of the frames with its fragments.
        first: The `note` of the first fragment.
    """

    key: tuple[bytes, bytes, int, int]
    parts: dict[int, bytes]
    end: int | None
    frames: list[tuple[int, int]]
    first: Any


class _Datagram:
    __slots__ = ("end", "first", "frames", "parts", "size")

    def __init__(self, first: object) -> None:
        self.first = first
        self.parts: dict[int, bytes] = {}
        self.frames: list[tuple[int, int]] = []
        self.end: int | None = None
        self.size = 0

    def whole(self) -> bytes | None:
        """Return all bytes if the datagram is complete."""
        if self.end is None or self.size < self.end:
            return None
        data = self.head()
        return data[: self.end] if len(data) >= self.end else None

    def head(self) -> bytes:
        """Return the bytes up to the first gap."""
        data = bytearray()
        for place in sorted(self.parts):
            if place > len(data):
                break
            data += self.parts[place][len(data) - place :]
        return bytes(data)


class Waiting:
    """Datagrams that wait for fragments.

    Attributes:
        joined: Captured sizes of frames in complete datagrams, except the frame that completed each.
    """

    def __init__(self) -> None:
        self.joined: list[int] = []
        self._datagrams: dict[tuple[bytes, bytes, int, int], _Datagram] = {}

    def take(self, fragment: Fragment, frame: tuple[int, int], note: object) -> bytes | None:
        """Take a fragment; return the payload of its datagram when it is complete.

        Args:
            fragment: The fragment.
            frame: Number and captured size of its frame.
            note: Returned if the datagram stays incomplete.
        """
        datagram = self._datagrams.get(fragment.key)
        if datagram is None:
            datagram = self._datagrams[fragment.key] = _Datagram(note)
        datagram.frames.append(frame)
        if fragment.place not in datagram.parts and len(datagram.parts) < _MOST_PARTS:
            datagram.parts[fragment.place] = fragment.data
            datagram.size += len(fragment.data)
        elif len(fragment.data) > len(datagram.parts.get(fragment.place, b"")):
            known = datagram.parts[fragment.place]
            datagram.parts[fragment.place] = known + fragment.data[len(known) :]
            datagram.size += len(fragment.data) - len(known)
        if not fragment.more and datagram.end is None:
            datagram.end = fragment.place + len(fragment.data)
        whole = datagram.whole()
        if whole is not None:
            del self._datagrams[fragment.key]
            self.joined += [size for _, size in datagram.frames[:-1]]
        return whole

    def given_up(self, *, all_of_them: bool = False) -> Iterator[Incomplete]:
        """Remove and yield datagrams beyond the limit, or all datagrams."""
        while self._datagrams and (all_of_them or len(self._datagrams) > MAX_WAITING):
            key = next(iter(self._datagrams))
            datagram = self._datagrams.pop(key)
            yield Incomplete(key, datagram.frames, datagram.first, datagram.head(), datagram.size)

    def left(self) -> Iterator[Left]:
        """Remove and yield all waiting datagrams."""
        for key, datagram in self._datagrams.items():
            yield Left(key, datagram.parts, datagram.end, datagram.frames, datagram.first)
        self._datagrams = {}
