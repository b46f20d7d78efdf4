"""What goes from worker to worker: few large rows, which Java moves and does not look inside.

A row is a bucket, the name of a table, and some of its rows as a stream of Arrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Worker = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

__all__ = [
    "CHANGES",
    "DAMAGES",
    "FOUND",
    "KEPT",
    "MOST",
    "MOVED",
    "SAID",
    "SEGMENTS",
    "TASK",
    "moved",
    "opened",
    "packed",
    "portions",
]  # fmt: skip

MOVED: Final = "bucket int, open int, table string, data binary"
"""The columns of what goes from worker to worker; `open` is 1 for what the next increment replaces."""
SAID: Final = "said"
"""What a task said of the rows that it made: `Facts`."""
SEGMENTS: Final = "segments"
KEPT: Final = "kept"
"""Segments of connections that are still open."""
TASK: Final = "task"
FOUND: Final = "found"
CHANGES: Final = "changes"
DAMAGES: Final = "damages"
MOST: Final = 4 << 20
"""How many bytes of rows one row holds, about."""
_OPTIONS: Final = pa.ipc.IpcWriteOptions(compression="lz4")
_SCHEMA: Final = pa.schema(
    [("bucket", pa.int32()), ("open", pa.int32()), ("table", pa.string()), ("data", pa.binary())]
)


def moved(bucket: int, table: str, data: bytes, *, is_open: bool = False) -> pa.RecordBatch:
    """A row of `MOVED`."""
    row = {"bucket": bucket, "open": int(is_open), "table": table, "data": data}
    return pa.RecordBatch.from_pylist([row], schema=_SCHEMA)


def packed(batches: Sequence[pa.RecordBatch]) -> bytes:
    """Batches of one schema as a stream of Arrow."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batches[0].schema, options=_OPTIONS) as stream:
        for batch in batches:
            stream.write_batch(batch)
    return bytes(sink.getvalue())


def opened(data: pa.BinaryScalar) -> pa.RecordBatchReader:
    """The batches that `packed` made bytes of."""
    return pa.ipc.open_stream(data.as_buffer())


def portions(batch: pa.RecordBatch) -> Iterator[tuple[int, int]]:
    """Where to cut a batch, so that no part has too many bytes; rows count as of one size."""
    step = max(1, batch.num_rows * MOST // max(batch.nbytes, 1))
    for start in range(0, batch.num_rows, step):
        yield start, min(start + step, batch.num_rows)
