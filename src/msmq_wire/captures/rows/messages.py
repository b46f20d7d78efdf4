"""The table `messages`: interpreted messages with their positions.

Nothing is decoded again: only the requested headers are passed as columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyarrow as pa

from msmq_wire.arrow._messages import FIELDS, MESSAGE, readings
from msmq_wire.captures.schemas import plain, schema_of

from .packets import CARRIED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .packets import Worker

__all__ = ["FIELDS", "MESSAGES", "messages"]

_NAMES: Final = [name for name, _, _ in CARRIED]
_WHOLE: Final = schema_of(
    [
        (
            "partial",
            pa.bool_(),
            "Whether it is truncated or damaged; then unknown values are null.",
        ),
        ("packet_size", pa.int64(), "Of a partial message, its announced size in bytes; otherwise null."),
        ("reached", pa.string(), "Of a partial message, the first unknown field; otherwise null."),
        ("error", pa.string(), "Of a partial message, the error; otherwise null."),
    ]
)
MESSAGES: Final = pa.schema([*schema_of(CARRIED), *MESSAGE, *_WHOLE])
"""The columns of `messages`."""


def messages() -> Worker:
    """Return the worker that creates a row for each UserMessage, from columns `CARRIED` and `FIELDS`."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            # Spark treats a dot in a name as a path into a struct, so the names are set here.
            fields = pa.RecordBatch.from_arrays(batch.columns[-len(FIELDS) :], names=FIELDS)
            own = readings(fields).values()
            whole = [pa.repeat(pa.scalar(False), len(fields))]
            whole += [pa.nulls(len(fields), field.type) for field in _WHOLE if field.name != "partial"]
            arrays = [*batch.select(_NAMES).columns, *own, *whole]
            yield pa.RecordBatch.from_arrays(arrays, schema=plain(MESSAGES))

    return run
