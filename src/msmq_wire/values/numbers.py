"""Numbers of 16 bits, one object each: objects of their own take many times the two bytes."""

from __future__ import annotations

__all__ = ["NUMBERS"]


class _Pages(dict[int, tuple[int, ...]]):
    """``NUMBERS[number >> 8][number & 0xFF]``.

    A page of them is made when it is needed; all pages together take 3 MB.
    """

    def __missing__(self, page: int) -> tuple[int, ...]:
        made = self[page] = tuple(range(page << 8, (page + 1) << 8))
        return made


NUMBERS = _Pages()
