"""What columns have in common: the buffers of their views, their zeros and their types."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ._schema import Node, Style, arrow_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Store", "bitmap", "views_of"]

_INLINE = 12
_SMALLEST: NDArray[np.uint8] = np.zeros(1 << 12, np.uint8)


class Store:
    """The buffers that views point into: those of the input, and bytes that stand nowhere else.

    Attributes:
        style: Which Arrow types are wanted.
        buffers: What the numbers in views mean.
    """

    def __init__(self, style: Style, buffers: Sequence[pa.Buffer] = ()) -> None:
        self.style = style
        self.buffers = list(buffers)
        self._zeros = _SMALLEST
        self._types: dict[int, pa.DataType] = {}

    def type_of(self, node: Node) -> pa.DataType:
        """The Arrow type of a column, worked out once for each."""
        made = self._types.get(id(node))
        if made is None:
            made = self._types[id(node)] = arrow_type(node, self.style)
        return made

    def zeros(self, size: int) -> pa.Buffer:
        """So many zero bytes, shared by all who ask."""
        if self._zeros.nbytes < size:
            self._zeros = np.zeros(size, np.uint8)
        return pa.py_buffer(self._zeros)

    def views(self, values: list[bytes]) -> NDArray[np.void]:
        """Views of bytes that are added to the buffers."""
        lengths = np.fromiter(map(len, values), np.int64, len(values))
        data = np.frombuffer(b"".join(values), np.uint8)
        starts = np.cumsum(lengths) - lengths
        made = views_of(data, starts, lengths, len(self.buffers))
        if data.size and int(lengths.max()) > _INLINE:
            self.buffers.append(pa.py_buffer(data))
        return made


def views_of(
    data: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int64], buffer: int
) -> NDArray[np.void]:
    """Views of the bytes at these places of one buffer."""
    made = np.zeros((len(starts), 16), np.uint8)
    made.view("<i4")[:, 0] = lengths
    if data.size:
        window = starts[:, None] + np.arange(_INLINE)
        head = data.take(window, mode="clip")
        head[np.arange(_INLINE) >= lengths[:, None]] = 0
        made[:, 4:] = head
    apart = np.flatnonzero(lengths > _INLINE)
    words = made.view("<i4")
    words[apart, 2] = buffer
    words[apart, 3] = starts[apart]
    return made.view("V16")[:, 0]


def bitmap(mask: NDArray[np.bool_] | None) -> pa.Buffer | None:
    """The validity buffer of a mask; None if all are valid."""
    if mask is None or mask.all():
        return None
    return pa.py_buffer(np.packbits(mask, bitorder="little"))
