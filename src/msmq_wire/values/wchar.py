"""Texts of 16-bit code units, UTF-16 in little-endian order, in which lone surrogates survive.

The functions of `codecs` are called directly: looking the codec up by its name would import a module, and
would cost more than the decoding.
"""

from __future__ import annotations

from codecs import utf_16_le_decode, utf_16_le_encode

__all__ = ["find_terminator", "from_wchars", "to_wchars", "wchar_count"]

_FIRST_CHUNK = 64


def find_terminator(data: bytes, start: int, end: int) -> int:
    """Where the first WCHAR 0x0000 at or after `start` begins, or -1 if none lies before `end`.

    Takes time in proportion to what it passes over, whatever the bytes are.
    """
    found = data.find(b"\0\0", start, end)
    if found < 0 or not (found - start) & 1:
        return found
    if found + 2 < end and not data[found + 2]:
        return found + 1  # the zero before it is the upper half of a Latin letter
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


def from_wchars(raw: bytes) -> str:
    """The text of an even number of bytes."""
    return utf_16_le_decode(raw, "surrogatepass", True)[0]  # positional in `codecs`


def to_wchars(text: str) -> bytes:
    """The bytes of a text, without a terminator of its own."""
    return utf_16_le_encode(text, "surrogatepass")[0]


def wchar_count(text: str) -> int:
    """How many WCHARs a text takes."""
    return len(text) if text.isascii() else len(to_wchars(text)) // 2
