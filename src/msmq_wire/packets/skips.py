"""What a stream skips: bytes that are no packet, why that is, and which of them are remembered.

What begins with the mark of a packet and is none is a `Partial`: it is skipped like any other bytes, and what
is known of it can be had.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable  # annotates a field, which msgspec evaluates
from typing import TYPE_CHECKING, Any

import msgspec

from msmq_wire.values.errors import DecodeError, moved

from .lax import decode_lax
from .marks import MARK_SIZE, no_packet, too_short
from .packet import decode

if TYPE_CHECKING:
    from msmq_wire.values.limits import Limits

    from .partial import LaxResult

__all__ = ["Partial", "SkipLog", "Skipped", "no_mark", "unreadable"]

_ENTRY = 1024
"""What one remembered skip is charged beyond its data, so that many short ones are bounded too."""
_OVERLAP = 8
"""How often bytes are charged that a remembered skip holds beyond its data: other skips have them too."""


class Skipped(msgspec.Struct, frozen=True, gc=False):
    """Bytes that are no packet, and why.

    Attributes:
        offset: Where they start, in bytes from the beginning of the stream.
        data: The bytes: one packet that cannot be read, or what lies before the next BaseHeader.
        reason: What `error` is made of: a function and its arguments, but for the offset.
    """

    offset: int
    data: bytes
    reason: tuple[Callable[..., DecodeError], *tuple[Any, ...]]

    @property
    def error(self) -> DecodeError:
        """Why no packet starts at `offset`.  Its own offset counts from the beginning of the stream.

        It is made each time that it is asked for: it takes many times the bytes, and longer than to skip
        them.
        """
        make, *facts = self.reason
        return make(*facts, self.offset)

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}(offset={self.offset}, data={self.data!r}, error={self.error!r})"


class Partial(Skipped, frozen=True, gc=False):
    """A packet that is cut off or damaged: bytes that begin with the mark of one, up to where another begins.

    Attributes:
        offset: Where it starts, in bytes from the beginning of the stream.
        data: What there is of it.
        reason: As of any other skip.
    """

    @property
    def result(self) -> LaxResult:
        """What `decode_lax` makes of its bytes, with places from its own beginning; made at each asking."""
        return decode_lax(self.data)


class SkipLog:
    """The newest skips.

    Args:
        most: How many bytes they may take together, each counted as its data and 1024 bytes; None for any
            number.

    Attributes:
        forgotten: How many had to be dropped.
    """

    __slots__ = ("_size", "_skips", "forgotten", "most")

    def __init__(self, most: int | None) -> None:
        self.most = most
        self.forgotten = 0
        self._skips: deque[Skipped] = deque()
        self._size = 0

    @property
    def skips(self) -> tuple[Skipped, ...]:
        """Those that are remembered, oldest first."""
        return tuple(self._skips)

    def take(self) -> tuple[Skipped, ...]:
        """Those that are remembered, which then are not any more."""
        taken = self.skips
        self._skips.clear()
        self._size = 0
        return taken

    def add(self, skip: Skipped) -> None:
        """Remember one more; the oldest are dropped for it, it never."""
        self._skips.append(skip)
        self._size += _charge(skip)
        if self.most is not None:
            while self._size > self.most and len(self._skips) > 1:
                self._size -= _charge(self._skips.popleft())
                self.forgotten += 1


def _charge(skip: Skipped) -> int:
    """What a skip counts among those that are remembered."""
    beside = skip.reason[1] if skip.reason[0] is unreadable else skip.data
    return len(skip.data) + _ENTRY + (0 if beside is skip.data else _OVERLAP * len(beside))


def no_mark(mark: bytes, offset: int) -> DecodeError:
    """The error for bytes that do not begin like a BaseHeader."""
    if len(mark) < MARK_SIZE:
        return too_short(len(mark), offset)
    return no_packet(mark, offset, "no packet starts here")


def unreadable(data: bytes, limits: Limits, offset: int) -> DecodeError:
    """The error for a packet that was not accepted."""
    try:
        decode(data, limits=limits)
    except DecodeError as error:
        return moved(error, offset)
    raise AssertionError(data)
