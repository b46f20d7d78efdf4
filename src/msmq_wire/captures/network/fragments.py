"""Fragments of IP datagrams, joined.

1. A datagram is told by its addresses, protocol and identification; where fragments overlap, the bytes that
   were captured first count.
2. What waits is bounded: the datagrams that wait longest give way and are reported as incomplete.
3. What a file leaves waiting at its end can be `Left`, for a file that goes on where it ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_WAITING", "Fragment", "Incomplete", "Left", "Waiting"]

MAX_WAITING: Final = 1024
"""How many datagrams wait for fragments at most, in one file."""
_MOST_PARTS: Final = 8192
"""How many fragments a datagram can have: 64 KiB in units of eight bytes."""


class Fragment(NamedTuple):
    """A fragment.

    Attributes:
        key: What all fragments of its datagram have in common.
        place: Where its bytes belong in the datagram.
        data: Its bytes.
        more: Whether others follow it.
    """

    key: tuple[bytes, bytes, int, int]
    place: int
    data: bytes
    more: bool


class Incomplete(NamedTuple):
    """A datagram of which fragments are missing.

    Attributes:
        key: As of its fragments.
        frames: Numbers and captured sizes of the frames with its fragments.
        first: What whoever called `Waiting.take` noted with its first fragment that was captured.
        head: The bytes from its beginning, as far as there are no gaps.
        size: How many bytes there are.
    """

    key: tuple[bytes, bytes, int, int]
    frames: list[tuple[int, int]]
    first: object
    head: bytes
    size: int


class Left(NamedTuple):
    """A datagram of which fragments are missing in a file, and may be in another one.

    Attributes:
        key: As of its fragments.
        parts: The bytes, by their places in the datagram.
        end: How many bytes it has; None if that is not known.
        frames: Numbers and captured sizes of the frames with its fragments.
        first: What was noted with the first of them.
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
        """All bytes, if they are there."""
        if self.end is None or self.size < self.end:
            return None
        data = self.head()
        return data[: self.end] if len(data) >= self.end else None

    def head(self) -> bytes:
        """The bytes from the beginning up to the first gap."""
        data = bytearray()
        for place in sorted(self.parts):
            if place > len(data):
                break
            data += self.parts[place][len(data) - place :]
        return bytes(data)


class Waiting:
    """Datagrams that wait for fragments.

    Attributes:
        joined: Captured sizes of the frames whose fragments were joined, but for those that came last.
    """

    def __init__(self) -> None:
        self.joined: list[int] = []
        self._datagrams: dict[tuple[bytes, bytes, int, int], _Datagram] = {}

    def take(self, fragment: Fragment, frame: tuple[int, int], note: object) -> bytes | None:
        """Take a fragment; gives the payload of its datagram once that is whole.

        Args:
            fragment: The fragment.
            frame: Number and captured size of its frame.
            note: What to give back if the datagram stays incomplete.
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
        """The datagrams that wait no longer: those that are too many, or all."""
        while self._datagrams and (all_of_them or len(self._datagrams) > MAX_WAITING):
            key = next(iter(self._datagrams))
            datagram = self._datagrams.pop(key)
            yield Incomplete(key, datagram.frames, datagram.first, datagram.head(), datagram.size)

    def left(self) -> Iterator[Left]:
        """What waits now, which waits here no longer."""
        for key, datagram in self._datagrams.items():
            yield Left(key, datagram.parts, datagram.end, datagram.frames, datagram.first)
        self._datagrams = {}
