"""Texts of 16-bit code units."""

from __future__ import annotations

__all__ = ["find_terminator"]

_FIRST_CHUNK = 64


def find_terminator(data: bytes, start: int, end: int) -> int:
    """Where the first WCHAR 0x0000 at or behind `start` begins, or -1 if none lies before `end`.

    Takes time in proportion to what it passes over, whatever the bytes are.
    """
    found = data.find(b"\0\0", start, end)
    if found < 0 or not (found - start) & 1:
        return found
    # Two zeros that belong to neighbours: from here on compare whole units, some at a time.
    at = found - 1
    chunk = _FIRST_CHUNK
    while at < end - 1:
        stop = min(at + chunk, end - ((end - at) & 1))
        chunk *= 2
        units = memoryview(data[at:stop]).cast("H").tolist()
        if 0 in units:
            return at + 2 * units.index(0)
        at = stop
    return -1
