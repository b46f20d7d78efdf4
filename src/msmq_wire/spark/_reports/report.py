"""The tables of a run for the report of `captures.reports`, read by Spark wherever they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from msmq_wire.captures.reports.report import TABLES, needed, timed
from msmq_wire.spark._workers.moving import opened, packed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from msmq_wire.spark.pipeline import Pipeline


def written_by(pipeline: Pipeline) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield the batches of `TABLES`, as `written` does; one partition is in memory at a time."""
    for name in TABLES:
        rows = pipeline.table(name)
        moved = rows.select(*needed(name, rows.columns)).mapInArrow(_packed, "data binary")
        for row in moved.toLocalIterator():
            yield from ((name, timed(batch)) for batch in opened(pa.scalar(bytes(row.data))))


def _packed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield pa.RecordBatch.from_pydict({"data": [packed([batch])]})
