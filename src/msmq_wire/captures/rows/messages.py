"""The table `messages`: interpreted messages with their positions.

Nothing is decoded again: only the requested headers are passed as columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyarrow as pa

from msmq_wire.arrow.columns import Column
from msmq_wire.arrow.messages import FIELDS, interpreted
from msmq_wire.arrow.messages import MESSAGES as INTERPRETED
from msmq_wire.captures.schemas import plain, schema_of

from .numbers import IN_SESSION
from .packets import CARRIED, POSITION
from .readings import READ

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .packets import Worker

PASSED: Final = [*POSITION, *(column.name for column in IN_SESSION)]
"""The columns that are those of `packets`, not made from headers."""
_GIVEN: Final = [name for name in INTERPRETED.schema.names if name in READ.schema.names]
SHARED: Final = [*PASSED, *_GIVEN]
"""The columns of complete messages that are those of `packets`."""
_WHOLE: Final = (
    Column("partial", pa.bool_(), "Whether it is truncated or damaged; then unknown values are null."),
    Column("packet_size", pa.int64(), "Of a partial message, its announced size in bytes; otherwise null."),
    Column("reached", pa.string(), "Of a partial message, the first unknown field; otherwise null."),
    Column("error", pa.string(), "Of a partial message, the error; otherwise null."),
)
MESSAGES: Final = pa.schema([*schema_of((*CARRIED, *IN_SESSION)), *INTERPRETED.schema, *schema_of(_WHOLE)])
"""The columns of `messages`."""


def messages() -> Worker:
    """Return the worker that creates a row for each UserMessage, from columns `SHARED` and `FIELDS`."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            # Spark treats a dot in a name as a path into a struct, so the names are set here.
            fields = dict(zip(FIELDS, batch.columns[-len(FIELDS) :], strict=True))
            given = {name: batch.column(name) for name in _GIVEN}
            columns = interpreted(fields, len(batch), given).values()
            whole = [pa.repeat(pa.scalar(False), len(batch))]
            whole += [pa.nulls(len(batch), column.type) for column in _WHOLE if column.name != "partial"]
            arrays = [*batch.select(PASSED).columns, *columns, *whole]
            yield pa.RecordBatch.from_arrays(arrays, schema=plain(MESSAGES))

    return run
