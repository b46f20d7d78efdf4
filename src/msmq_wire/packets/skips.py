"""The bytes that a stream skips, with the reason, and a bounded log of them.

A skip that begins with the signature of a truncated or damaged packet is a `Partial`, which can be decoded
leniently.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable  # annotates a field, which msgspec evaluates
from typing import TYPE_CHECKING, Any

import msgspec

from msmq_wire.values.errors import DecodeError, moved
from msmq_wire.values.limits import DEFAULT_LIMITS

from .lax import decode_lax
from .packet import decode
from .packet_starts import begins_packet, no_packet

if TYPE_CHECKING:
    from msmq_wire.values.limits import Limits

    from .partial import LaxResult

_ENTRY = 1024
"""Bytes charged for each stored skip in addition to its data, so that many short skips are bounded too."""
_OVERLAP = 8
"""Factor for bytes that a stored skip references beyond its data, which several skips may share."""


class Skipped(msgspec.Struct, frozen=True, gc=False):
    """Bytes that are not a packet, with the reason.

    Attributes:
        offset: Offset from the beginning of the stream, in bytes.
        data: The bytes: one unreadable packet, or the bytes before the next BaseHeader.
        reason: The source of `error`: a function and its arguments without the offset.
    """

    offset: int
    data: bytes
    reason: tuple[Callable[..., DecodeError], *tuple[Any, ...]]

    @property
    def error(self) -> DecodeError:
        """Why no packet starts at `offset`; the offset of the error counts from the beginning of the stream.

        It is computed on each access, because it takes much more memory and time than the skip itself.
        """
        make, *facts = self.reason
        return make(*facts, self.offset)

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}(offset={self.offset}, data={self.data!r}, error={self.error!r})"


class Partial(Skipped, frozen=True, gc=False):
    """A truncated or damaged packet: bytes that begin with the signature of a packet, up to the next one.

    Attributes:
        offset: Offset from the beginning of the stream, in bytes.
        data: The available bytes.
        reason: As for any other skip.
    """

    @property
    def result(self) -> LaxResult:
        """The result of `decode_lax`, with offsets from its own beginning; computed on each access."""
        return decode_lax(self.data)


class SkipLog:
    """A bounded log of the latest skips.

    Args:
        most: Maximum size in bytes, counting each skip as its data and 1024 bytes; None for no bound.

    Attributes:
        forgotten: The number of dropped skips.
    """

    __slots__ = ("_size", "_skips", "forgotten", "most")

    def __init__(self, most: int | None) -> None:
        self.most = most
        self.forgotten = 0
        self._skips: deque[Skipped] = deque()
        self._size = 0

    @property
    def skips(self) -> tuple[Skipped, ...]:
        """The stored skips, oldest first."""
        return tuple(self._skips)

    def take(self) -> tuple[Skipped, ...]:
        """Return the stored skips and clear the log."""
        taken = self.skips
        self._skips.clear()
        self._size = 0
        return taken

    def add(self, skip: Skipped) -> None:
        """Store a skip; drop the oldest ones if necessary, but never the new one."""
        self._skips.append(skip)
        self._size += _charge(skip)
        if self.most is not None:
            while self._size > self.most and len(self._skips) > 1:
                self._size -= _charge(self._skips.popleft())
                self.forgotten += 1


def _charge(skip: Skipped) -> int:
    """The size that is charged for a skip."""
    beside = skip.reason[1] if skip.reason[0] is unreadable else skip.data
    return len(skip.data) + _ENTRY + (0 if beside is skip.data else _OVERLAP * len(beside))


def no_mark(mark: bytes, offset: int) -> DecodeError:
    """The error for bytes that do not begin with a BaseHeader."""
    if begins_packet(mark, 0):  # and ends there
        return unreadable(mark, DEFAULT_LIMITS, offset)
    return no_packet(mark, offset, "no packet starts here")


def unreadable(data: bytes, limits: Limits, offset: int) -> DecodeError:
    """The error for a rejected packet."""
    try:
        decode(data, limits=limits)
    except DecodeError as error:
        return moved(error, offset)
    raise AssertionError(data)
