"""The columns that a task of the source reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from msmq_wire.captures.files.reading import batches_of, rows_of
from msmq_wire.captures.files.segments import SEGMENTS
from msmq_wire.values.errors import MsmqWireError

from .filters import Filters

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyspark.sql.types import StructType

    from msmq_wire.captures.files.splits import FileSlice

    from .options import Settings


class Task(InputPartition):
    """The parts that one task reads."""

    def __init__(self, parts: list[FileSlice]) -> None:
        super().__init__(parts)


class Columns:
    """The selected columns; converts rows to batches.

    Attributes:
        settings: What to read.
        filters: Which rows to read.

    Raises:
        MsmqWireError: There is no such column, or it has another type.
    """

    def __init__(self, settings: Settings, schema: StructType) -> None:
        self.settings = settings
        self.filters = Filters()
        self._schema = schema
        self._columns = [self._place(field.name, field.dataType) for field in schema.fields]

    @staticmethod
    def _place(name: str, kind: Any) -> int:
        index = int(SEGMENTS.get_field_index(name))
        if index < 0:
            raise MsmqWireError(f"there is no column {name}; there are {', '.join(SEGMENTS.names)}")
        right = from_arrow_schema(SEGMENTS)[name].dataType
        if kind != right:
            raise MsmqWireError(
                f"the column {name} is of type {right.simpleString()}, not {kind.simpleString()}"
            )
        return index

    def batches(self, task: Task) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a task."""
        schema = to_arrow_schema(self._schema, timezone="UTC")
        for part in task.value or ():  # without partitions, Spark passes one empty task
            rows = rows_of(part, self.settings.limits)
            left = filter(self.filters.row, rows) if self.filters else rows
            yield from batches_of(left, schema, self._columns)
