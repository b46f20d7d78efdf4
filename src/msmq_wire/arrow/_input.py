"""The input of the decoders: rows of bytes in one buffer, from any type of array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from msmq_wire.values.errors import MsmqWireError, wrong_type

from ._join import has_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

VIEW_BITS = 30


class Rows(NamedTuple):
    """Rows of bytes in one buffer.

    Attributes:
        buffer: The buffer with the bytes.
        data: The same bytes as a numpy array.
        starts: Start of each row.
        ends: End of each row.
        valid: Which rows are not null; None if all are valid.
    """

    buffer: pa.Buffer
    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    valid: NDArray[np.bool_] | None

    def __len__(self) -> int:
        return len(self.starts)

    def bytes_of(self, row: int) -> bytes:
        """Return the bytes of one row."""
        return self.data[self.starts[row] : self.ends[row]].tobytes()

    def some(self, which: slice | NDArray[np.int64]) -> Rows:
        """Return some of the rows."""
        valid = None if self.valid is None else self.valid[which]
        return Rows(self.buffer, self.data, self.starts[which], self.ends[which], valid)

    def buffers(self) -> list[pa.Buffer]:
        """Split the buffer for views, whose offsets have 31 bits; a piece starts every 2**30 bytes."""
        step = 1 << VIEW_BITS
        return [
            self.buffer.slice(start, min(2 * step - 1, self.buffer.size - start))
            for start in range(0, self.buffer.size, step)
        ]


def rows_of(array: Any, offsets: Any = None) -> Rows:
    """Return the rows of a binary array of any type, plain or chunked, or of a buffer with offsets.

    Raises:
        MsmqWireError: The argument is neither, or the offsets are outside the buffer.
    """
    if offsets is not None:
        return _sliced(array, offsets)
    if isinstance(array, pa.ChunkedArray):  # several chunks may need large offsets
        array = array.chunk(0) if array.num_chunks == 1 else _large(array).combine_chunks()
    if not isinstance(array, pa.Array):
        raise MsmqWireError(wrong_type("an Arrow array of bytes", array))
    kind = array.type
    if pa.types.is_binary_view(kind):
        array = _large(array)
        kind = array.type
    if pa.types.is_fixed_size_binary(kind):
        validity, buffer = array.buffers()
        starts = np.arange(array.offset, array.offset + len(array), dtype=np.int64) * kind.byte_width
        ends = starts + kind.byte_width
    elif pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        validity, bounds, buffer = array.buffers()
        code = np.dtype("<i4" if pa.types.is_binary(kind) else "<i8")
        firsts = np.zeros(1, np.int64)
        if bounds is not None and len(array):
            firsts = np.frombuffer(bounds, code, len(array) + 1, array.offset * code.itemsize)
        firsts = firsts.astype(np.int64)
        starts, ends = firsts[:-1], firsts[1:]
    else:
        raise MsmqWireError(f"expected an Arrow array of bytes, got one of {kind}")
    valid = None
    if validity is not None and array.null_count:
        valid = np.asarray(array.is_valid())
        ends = np.where(valid, ends, starts)
    return _rows(buffer, starts, ends, valid)


def _large(array: Any) -> Any:
    """Return bytes of a type without offsets, or with small ones, with large ones."""
    return array.cast(pa.large_binary()) if has_bytes(array.type) else array


def _rows(
    buffer: pa.Buffer | None,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    valid: NDArray[np.bool_] | None,
) -> Rows:
    buffer = pa.py_buffer(b"") if buffer is None else buffer
    return Rows(buffer, np.frombuffer(buffer, np.uint8), starts, ends, valid)


def _sliced(data: Any, offsets: Any) -> Rows:
    """Return the rows between consecutive offsets of a buffer."""
    try:
        buffer = data if isinstance(data, pa.Buffer) else pa.py_buffer(data)
        bounds = np.asarray(offsets)
    except (TypeError, ValueError, BufferError) as error:
        raise MsmqWireError(wrong_type("a buffer", data)) from error
    if bounds.ndim != 1 or not bounds.size or bounds.dtype.kind not in "iu":
        raise MsmqWireError("expected offsets as whole numbers, one more than there are rows")
    starts = bounds.astype(np.int64)
    if starts[0] < 0 or starts[-1] > buffer.size or (np.diff(starts) < 0).any():
        raise MsmqWireError(f"expected offsets in ascending order, from 0 to {buffer.size}")
    return _rows(buffer, starts[:-1], starts[1:], None)
