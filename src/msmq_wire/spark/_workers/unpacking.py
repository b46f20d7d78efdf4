"""Converts moved rows back to the rows of tables, for Spark's writers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from .moving import opened

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from .moving import Worker


def with_more(schema: pa.Schema, names: Iterable[str]) -> pa.Schema:
    """Return the schema with additional columns: `date`, if there is a time, and `open`."""
    more = [_MORE[name] for name in names if name != "date" or _time_of(schema) is not None]
    return pa.schema([*schema, *more])


_MORE: Final = {
    "date": pa.field("date", pa.date32(), metadata={"comment": "The day of its time, in UTC."}),
    "open": pa.field(
        "open", pa.int32(), metadata={"comment": "1 for rows that are valid only until the next increment."}
    ),
}


def _time_of(schema: pa.Schema) -> str | None:
    return next((name for name in ("time", "first_at") if name in schema.names), None)


def more_columns(rows: pa.Table, names: Collection[str], *, is_open: int) -> pa.Table:
    """Add the additional columns that are among these names to rows."""
    if "date" in names:
        rows = rows.append_column("date", rows.column(_time_of(rows.schema)).cast(pa.date32()))
    if "open" in names:
        rows = rows.append_column("open", pa.repeat(pa.scalar(is_open, pa.int32()), rows.num_rows))
    return rows


def unpacked(schema: pa.Schema) -> Worker:
    """Return the worker that yields the rows of a table from moved rows, with the columns of `with_more`."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for data, is_open in zip(batch.column("data"), batch.column("open").to_pylist(), strict=True):
                for part in opened(data):
                    rows = more_columns(pa.Table.from_batches([part]), schema.names, is_open=is_open)
                    columns = [_cast(rows.column(field.name), field.type) for field in schema]
                    yield from pa.table(columns, schema=schema).combine_chunks().to_batches()

    return run


def _cast(column: Any, kind: pa.DataType) -> Any:
    return column if column.type.equals(kind) else column.cast(kind)
