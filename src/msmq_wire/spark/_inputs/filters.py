"""Filters of the source: they exclude rows before rows are converted to columns.

1. Only comparisons of one column with a value are supported.  Spark applies all filters again, so an
   unsupported filter costs time but loses no rows.
2. A comparison with null excludes all rows, as in SQL.
3. Files that a filter excludes by name are not opened.
"""

from __future__ import annotations

import datetime as dt
import operator
from typing import TYPE_CHECKING, Any, Final

from pyspark.sql.datasource import (
    EqualTo,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    LessThan,
    LessThanOrEqual,
    StringContains,
    StringEndsWith,
    StringStartsWith,
)

from msmq_wire.captures.files.segments import SEGMENTS
from msmq_wire.values.times import EPOCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyspark.sql.datasource import Filter

    from msmq_wire.captures.files.reading import Row

_TESTS: Final[dict[type, Callable[[Any, Any], bool]]] = {
    EqualTo: operator.eq,
    GreaterThan: operator.gt,
    GreaterThanOrEqual: operator.ge,
    LessThan: operator.lt,
    LessThanOrEqual: operator.le,
    In: lambda value, several: value in several,
    StringContains: operator.contains,
    StringEndsWith: str.endswith,
    StringStartsWith: str.startswith,
}
_COLUMNS: Final = ("file", "frame", "time", "transport", "src", "src_port", "dst", "dst_port")


class Filters:
    """Conditions that must all hold.

    Args:
        filters: The filters of Spark; unsupported ones are left to Spark.
    """

    def __init__(self, filters: Iterable[Filter] = ()) -> None:
        self._tests: list[tuple[int, Callable[[Any, Any], bool], Any]] = []
        for condition in filters:
            test, column = _TESTS.get(type(condition)), ".".join(getattr(condition, "attribute", ()))
            value = _value(getattr(condition, "value", None))
            if test is not None and column in _COLUMNS and value is not None:
                self._tests.append((SEGMENTS.get_field_index(column), test, value))

    def __bool__(self) -> bool:
        return bool(self._tests)

    def file(self, name: str) -> bool:
        """Return whether a file with this name can have matching rows."""
        return all(test(name, value) for column, test, value in self._tests if column == 0)

    def row(self, row: Row) -> bool:
        """Return whether a row matches."""
        return all(
            row[column] is not None and test(row[column], value) for column, test, value in self._tests
        )


def _value(value: Any) -> Any:
    """Return a value in the type of the column; None if it cannot be compared."""
    if isinstance(value, dt.datetime):
        return None if value.tzinfo is None else (value - EPOCH) // dt.timedelta(microseconds=1)
    if isinstance(value, tuple | list):
        return frozenset(map(_value, value)) - {None}
    return value
