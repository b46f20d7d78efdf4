"""Makes many small decisions from few draws, because each draw of Hypothesis is slow.

1. A `Dice` draws sixteen bytes at a time and uses one byte for each choice.
2. The byte zero always selects the first and simplest option, so that shrinking leads to it.
3. Numbers are mostly limits; one in four is drawn separately and can have any value.
4. `rolled` draws from a random number generator instead, for callers that need many results without
   shrinking.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from hypothesis import strategies as st

from msmq_wire.values.guid import GUID, NULL_GUID

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

_T = TypeVar("_T")

_ROLLS: dict[st.SearchStrategy[Any], Callable[[Random], Any]] = {}


def _either(strategy: st.SearchStrategy[_T], roll: Callable[[Random], _T]) -> st.SearchStrategy[_T]:
    """Create a strategy, and register how `rolled` draws from it."""
    _ROLLS[strategy] = roll
    return strategy


_TAPE = _either(st.binary(min_size=16, max_size=16), lambda random: random.randbytes(16))
LETTERS = "aZ \\é\u4e00\U0001f600"
"""Characters of one, two, three and four bytes in UTF-8; the last one has two WCHARs."""
GUIDS = (NULL_GUID, *(GUID(bytes(range(first, first + 16))) for first in range(1, 64)))
"""GUIDs that are easy to distinguish; all sixteen bytes differ, except in the first one."""


@cache
def numbers(bits: int) -> st.SearchStrategy[int]:
    """Generate numbers of this many bits."""
    return _either(st.integers(0, (1 << bits) - 1), lambda random: random.getrandbits(bits))


@cache
def texts(most: int) -> st.SearchStrategy[str]:
    """Generate texts of at most this many characters."""
    return _either(
        st.text(LETTERS, max_size=most),
        lambda random: "".join(random.choices(LETTERS, k=random.randrange(most + 1))),
    )


@cache
def binaries(most: int) -> st.SearchStrategy[bytes]:
    """Generate at most this many bytes."""
    return _either(st.binary(max_size=most), lambda random: random.randbytes(random.randrange(most + 1)))


class Dice:
    """A source of choices.

    Args:
        draw: The argument of a composite strategy.
    """

    __slots__ = ("_at", "_tape", "draw")

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self._tape: bytes = draw(_TAPE)
        self._at = 0

    def byte(self) -> int:
        """Return a number below 256."""
        if self._at == len(self._tape):
            self._tape, self._at = self.draw(_TAPE), 0
        self._at += 1
        return self._tape[self._at - 1]

    def flag(self, wish: bool | None = None) -> bool:
        """Return the requested value, or a random one if it is None."""
        byte = self.byte()  # drawn even if not needed, so that the following bytes keep their meaning
        return bool(byte & 1) if wish is None else wish

    def pick(self, options: Sequence[_T]) -> _T:
        """Return one of up to 256 options."""
        return options[self.byte() % len(options)]

    def number(self, bits: int, usual: int = 0) -> int:
        """Return a number with this many bits; the usual one more often than others."""
        byte = self.byte()
        largest = (1 << bits) - 1
        match byte & 7:
            case 0 | 1:
                return usual
            case 2 | 3:
                return self.draw(numbers(bits))  # type: ignore[no-any-return]  # draw is untyped here
            case 4:
                return byte & largest
            case 5:
                return largest >> 1
            case 6:
                return largest
        return 1

    def guid(self) -> GUID:
        """Return one of `GUIDS`."""
        return self.pick(GUIDS)

    def identity(self) -> GUID:
        """Return one of `GUIDS` that is not null."""
        return self.pick(GUIDS[1:])

    def text(self, most: int = 6) -> str:
        """Return a text without null characters."""
        return self.draw(texts(most))  # type: ignore[no-any-return]  # draw is untyped here

    def binary(self, most: int = 8) -> bytes:
        """Return some bytes."""
        return self.draw(binaries(most))  # type: ignore[no-any-return]  # draw is untyped here


def rolled(random: Random) -> Dice:
    """Return a `Dice` that draws from a random number generator, also through its `draw`."""
    return Dice(lambda strategy: _ROLLS[strategy](random))


def guids() -> st.SearchStrategy[GUID]:
    """Generate GUIDs: mostly one of a few that are easy to distinguish, sometimes an arbitrary one.

    Examples:
        >>> from hypothesis import find
        >>> find(guids(), bool)
        GUID.of('04030201-0605-0807-090a-0b0c0d0e0f10')
    """
    return st.sampled_from(GUIDS) | st.binary(min_size=16, max_size=16).map(GUID)
