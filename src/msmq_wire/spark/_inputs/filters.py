"""Filters that the source takes: what rows they leave, decided before rows become columns.

1. Only what is certain is taken: comparisons of one column with a value.  Spark applies all filters again, so
   that one that is not taken costs time and no rows.
2. A comparison with null leaves nothing, as in SQL.
3. Files that a filter rules out by their names are not opened.
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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyspark.sql.datasource import Filter

    from msmq_wire.captures.files.reading import Row

__all__ = ["Filters"]

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
_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class Filters:
    """Conditions of which all have to hold.

    Args:
        filters: Those that Spark has; what is none of these conditions is left to Spark.
    """

    def __init__(self, filters: Iterable[Filter] = ()) -> None:
        self._tests: list[tuple[int, Callable[[Any, Any], bool], Any]] = []
        for one in filters:
            test, column = _TESTS.get(type(one)), ".".join(getattr(one, "attribute", ()))
            value = _value(getattr(one, "value", None))
            if test is not None and column in _COLUMNS and value is not None:
                self._tests.append((SEGMENTS.get_field_index(column), test, value))

    def __bool__(self) -> bool:
        return bool(self._tests)

    def file(self, name: str) -> bool:
        """Whether a file of this name can have rows that are left."""
        return all(test(name, value) for column, test, value in self._tests if column == 0)

    def row(self, row: Row) -> bool:
        """Whether a row is left."""
        return all(
            row[column] is not None and test(row[column], value) for column, test, value in self._tests
        )


def _value(value: Any) -> Any:
    """A value as rows have it; None if it cannot be compared with them."""
    if isinstance(value, dt.datetime):
        return None if value.tzinfo is None else (value - _EPOCH) // dt.timedelta(microseconds=1)
    if isinstance(value, tuple | list):
        return frozenset(map(_value, value)) - {None}
    return value
