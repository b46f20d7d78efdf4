"""The data that the columns of one result share: view buffers, zero buffers and Arrow types."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from msmq_wire.arrow.schema import Node, Style, arrow_type

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

INLINE = 12
"""Largest value in bytes that a view stores inline."""
LONGEST: int = np.iinfo(np.int32).max
"""Largest number of bytes in an array with 32-bit offsets."""
NOWHERE = sys.maxsize
"""Offset of a structure that was not found: after all bytes."""
_VIEW = 16
FEW = 1 << 16
"""For up to this many rows, the null arrays of empty columns are cached."""
_SMALLEST: NDArray[np.uint8] = np.zeros(1 << 22, np.uint8)
"""A zero buffer that is never written, so that its pages take no memory."""


class Store:
    """The buffers that views refer to: those of the input, and added bytes.

    Attributes:
        style: The Arrow types that are requested at the time.
        buffers: The buffers, by the index that views use.
        outgrown: Whether a column exceeded the size limit of its type and got a larger type.
    """

    def __init__(self, buffers: Sequence[pa.Buffer] = (), style: Style = Style()) -> None:  # noqa: B008  # it is immutable
        self.style = style
        self.buffers = list(buffers)
        self.outgrown = False
        self._zeros = _SMALLEST

    def zeros(self, size: int) -> pa.Buffer:
        """Return a shared buffer of at least this many zero bytes."""
        if self._zeros.nbytes < size:
            self._zeros = np.zeros(size, np.uint8)
        return pa.py_buffer(self._zeros)

    def nulls(self, node: Node, size: int) -> pa.Array:
        """Return the array of a column in which no row has a value."""
        if size > FEW:
            return _nulls(arrow_type(node, self.style), size, self.zeros)
        return _kept_nulls(node, self.style, FEW).slice(0, size)

    def views(self, values: list[bytes]) -> NDArray[np.void]:
        """Add bytes to the buffers and return views of them."""
        lengths = np.fromiter(map(len, values), np.int64, len(values))
        data = np.frombuffer(b"".join(values), np.uint8)
        starts = np.cumsum(lengths) - lengths
        views_of_data = views_of(data, starts, lengths, len(self.buffers))
        if data.size and int(lengths.max()) > INLINE:
            self.buffers.append(pa.py_buffer(data))
        return views_of_data


@lru_cache(maxsize=1024)
def _kept_nulls(node: Node, style: Style, size: int) -> pa.Array:
    return _nulls(arrow_type(node, style), size, Store(style=style).zeros)


def _nulls(
    kind: pa.DataType, size: int, zeros: Callable[[int], pa.Buffer], *, nullable: bool = True
) -> pa.Array:
    """Return an array of nulls; children that cannot be null are zeros, all in the shared zero buffer."""
    children = None
    if pa.types.is_struct(kind):
        children = [_nulls(field.type, size, zeros, nullable=field.nullable) for field in kind]
    elif pa.types.is_list(kind):
        children = [_nulls(kind.value_type, 0, zeros)]
    try:
        width = kind.byte_width
    except ValueError:  # variable-length types have no byte width
        width = _VIEW
    room = zeros(width * size)
    buffers = [room if nullable else None, *[room] * (kind.num_buffers - 1)]
    return pa.Array.from_buffers(kind, size, buffers, null_count=size if nullable else 0, children=children)


def views_of(
    data: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int64], buffer: int
) -> NDArray[np.void]:
    """Return views of slices of one buffer."""
    views = np.zeros((len(starts), 16), np.uint8)
    views.view("<i4")[:, 0] = lengths
    if data.size:
        window = starts[:, None] + np.arange(INLINE)
        head = data.take(window, mode="clip")
        head[np.arange(INLINE) >= lengths[:, None]] = 0
        views[:, 4:] = head
    apart = np.flatnonzero(lengths > INLINE)
    words = views.view("<i4")
    words[apart, 2] = buffer
    words[apart, 3] = starts[apart]
    return views.view("V16")[:, 0]


def bitmap(mask: NDArray[np.bool_] | None) -> pa.Buffer | None:
    """Return the validity buffer of a mask; None if all rows are valid."""
    if mask is None or mask.all():
        return None
    return pa.py_buffer(np.packbits(mask, bitorder="little"))
