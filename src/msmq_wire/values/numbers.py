"""Shared objects for 16-bit integers; separate objects would take many times their two bytes."""

from __future__ import annotations

__all__ = ["NUMBERS"]


class _Pages(dict[int, tuple[int, ...]]):
    """``NUMBERS[number >> 8][number & 0xFF]``.

    A page of 256 numbers is created on demand; all pages together take 3 MB.
    """

    def __missing__(self, page: int) -> tuple[int, ...]:
        made = self[page] = tuple(range(page << 8, (page + 1) << 8))
        return made


NUMBERS = _Pages()
