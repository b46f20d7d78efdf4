"""Data that moves between workers: few large rows, which Java moves without parsing them.

A row has a bucket, the name of a table, and rows of that table as an Arrow stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Worker = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

MOVED: Final = "bucket int, open int, table string, data binary"
"""The columns of moved rows; `open` is 1 for rows that the next increment replaces."""
STATISTICS: Final = "statistics"
"""Statistics of a task: `TaskStatistics`."""
SEGMENTS: Final = "segments"
KEPT: Final = "kept"
"""Segments of connections that are still open."""
LEFT: Final = "left"
"""Datagrams with fragments that are missing in a part of a file: a list of `fragments.PendingDatagram`.

Before it, the list of `reading.row_digests` of those that were sent to their buckets.
"""
TASK: Final = "task"
FOUND: Final = "found"
DAMAGES: Final = "damages"
MOST: Final = 4 << 20
"""Approximate number of bytes in one moved row."""
_OPTIONS: Final = pa.ipc.IpcWriteOptions(compression="lz4")
_SCHEMA: Final = pa.schema(
    [("bucket", pa.int32()), ("open", pa.int32()), ("table", pa.string()), ("data", pa.binary())]
)


def moved(bucket: int, table: str, data: bytes, *, is_open: bool = False) -> pa.RecordBatch:
    """Return a row of `MOVED`."""
    row = {"bucket": bucket, "open": int(is_open), "table": table, "data": data}
    return pa.RecordBatch.from_pylist([row], schema=_SCHEMA)


def packed(batches: Sequence[pa.RecordBatch]) -> bytes:
    """Encode batches of one schema as an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batches[0].schema, options=_OPTIONS) as stream:
        for batch in batches:
            stream.write_batch(batch)
    return bytes(sink.getvalue())


def opened(data: pa.BinaryScalar) -> pa.RecordBatchReader:
    """Decode the batches from `packed`."""
    return pa.ipc.open_stream(data.as_buffer())


def portions(batch: pa.RecordBatch) -> Iterator[tuple[int, int]]:
    """Yield ranges of a batch with bounded size, assuming rows of equal size."""
    step = max(1, batch.num_rows * MOST // max(batch.nbytes, 1))
    for start in range(0, batch.num_rows, step):
        yield start, min(start + step, batch.num_rows)
