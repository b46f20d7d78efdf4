"""Converts columns of UTF-16 texts to UTF-8, a whole column at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from .store import LONGEST, bitmap

if TYPE_CHECKING:
    from numpy.typing import NDArray

_REPLACEMENT = 0xFFFD


def utf8_array(array: pa.Array) -> pa.Array:
    """Convert a column of UTF-16-LE bytes to a string column; a lone surrogate becomes U+FFFD.

    An odd byte at the end of a value is dropped.
    """
    plain = array.cast(pa.large_binary())
    validity, offsets_buffer, data = plain.buffers()
    offsets = np.frombuffer(offsets_buffer, np.int64)[plain.offset : plain.offset + len(plain) + 1]
    raw = np.frombuffer(data if data is not None else b"", np.uint8)[offsets[0] : offsets[-1]]
    starts, lengths = offsets[:-1] - offsets[0], np.diff(offsets)
    if (lengths & 1).any():
        keep = np.ones(raw.size, np.bool_)
        keep[(starts + lengths - 1)[lengths & 1 == 1]] = False
        raw, lengths = raw[keep], lengths & ~1
        starts = np.cumsum(lengths) - lengths
    units = np.ascontiguousarray(raw).view("<u2")
    ends = np.append(0, np.cumsum(lengths >> 1))
    utf8, ends = (units.astype(np.uint8), ends) if not (units > 0x7F).any() else _transcoded(units, ends)
    kind, number = (pa.string(), np.int32) if utf8.size <= LONGEST else (pa.large_string(), np.int64)
    if plain.offset and validity is not None:
        validity = bitmap(plain.is_valid().to_numpy(zero_copy_only=False))
    buffers = [validity, pa.py_buffer(ends.astype(number)), pa.py_buffer(utf8)]
    return pa.Array.from_buffers(kind, len(plain), buffers)


def _transcoded(units: NDArray[np.uint16], ends: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """Return the UTF-8 bytes of all texts, and the end of each text in them."""
    kinds = units & 0xFC00
    high, low = kinds == 0xD800, kinds == 0xDC00
    first = np.zeros(units.size + 1, np.bool_)
    first[ends] = True
    leads = np.append(high[:-1] & low[1:] & ~first[1:-1], False) if units.size else high
    trails = np.append(False, leads[:-1]) if units.size else low
    paired = leads | trails
    sound = np.where((high | low) & ~paired, np.uint16(_REPLACEMENT), units)
    sizes = np.where(paired, 2, 1 + (sound >= 0x80) + (sound >= 0x800))
    sums = np.append(0, np.cumsum(sizes))
    utf8 = np.frombuffer(sound.tobytes().decode("utf-16-le").encode(), np.uint8)
    return utf8, sums[ends]
