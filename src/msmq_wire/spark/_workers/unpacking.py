"""What workers give to Spark's writers: the rows of a table out of what was set aside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from .moving import opened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .moving import Worker

__all__ = ["more_columns", "unpacked", "with_more"]


def with_more(schema: pa.Schema, names: Iterable[str]) -> pa.Schema:
    """The columns of a table with those that it has besides: `date`, if it has times, and `open`."""
    more = [_MORE[name] for name in names if name != "date" or _time_of(schema) is not None]
    return pa.schema([*schema, *more])


_MORE: Final = {
    "date": pa.field("date", pa.date32(), metadata={"comment": "The day of its time, in UTC."}),
    "open": pa.field(
        "open", pa.int32(), metadata={"comment": "1 for what only counts until the next increment."}
    ),
}


def _time_of(schema: pa.Schema) -> str | None:
    return next((name for name in ("time", "first_at") if name in schema.names), None)


def more_columns(rows: pa.Table, schema: pa.Schema, *, is_open: int) -> pa.Table:
    """Rows with the columns that a table has besides."""
    if "date" in schema.names:
        rows = rows.append_column("date", rows.column(_time_of(schema)).cast(pa.date32()))
    if "open" in schema.names:
        rows = rows.append_column("open", pa.repeat(pa.scalar(is_open, pa.int32()), rows.num_rows))
    return rows


def unpacked(schema: pa.Schema) -> Worker:
    """What gives the rows of a table that were moved, with `with_more`."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for data, is_open in zip(batch.column("data"), batch.column("open").to_pylist(), strict=True):
                for own in opened(data):
                    rows = more_columns(pa.Table.from_batches([own]), schema, is_open=is_open)
                    columns = [_cast(rows.column(field.name), field.type) for field in schema]
                    yield from pa.table(columns, schema=schema).combine_chunks().to_batches()

    return run


def _cast(column: Any, kind: pa.DataType) -> Any:
    return column if column.type.equals(kind) else column.cast(kind)
