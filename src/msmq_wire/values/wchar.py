"""Texts of 16-bit code units, UTF-16 in little-endian order, in which lone surrogates survive.

The functions of `codecs` are called directly: looking the codec up by its name would import a module, and
would cost more than the decoding.
"""

from __future__ import annotations

from codecs import utf_16_le_decode, utf_16_le_encode

_FIRST_CHUNK = 64


def find_terminator(data: bytes, start: int, end: int) -> int:
    """The offset of the first WCHAR 0x0000 between `start` and `end`, or -1 if there is none.

    The time is linear in the bytes searched, whatever they are.
    """
    terminator = data.find(b"\0\0", start, end)
    if terminator < 0 or not (terminator - start) & 1:
        return terminator
    if terminator + 2 < end and not data[terminator + 2]:
        return terminator + 1  # the zero before it is the upper half of a Latin letter
    # The two zeros belong to different units: compare whole units from here on, some at a time.
    at = terminator - 1
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
    """Decode an even number of bytes to a text."""
    return utf_16_le_decode(raw, "surrogatepass", True)[0]  # positional in `codecs`


def to_wchars(text: str) -> bytes:
    """Encode a text, without adding a terminator."""
    return utf_16_le_encode(text, "surrogatepass")[0]


def wchar_count(text: str) -> int:
    """The number of WCHARs of a text."""
    return len(text) if text.isascii() else len(to_wchars(text)) // 2


def has_surrogate(text: str) -> bool:
    """Return whether a text has a lone surrogate, so that it cannot be written in UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
