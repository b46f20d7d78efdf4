"""Rows that are read one at a time, by the decoder of records."""

from __future__ import annotations

from traceback import clear_frames
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from msmq_wire.values.errors import DecodeError

from ._schema import ERROR_TYPE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from ._input import Rows
    from ._nested import TreeColumn

__all__ = ["Verdicts", "read_rows"]

_AT_ONCE = 4096


class Verdicts:
    """What each row is, or why it could not be read.

    Attributes:
        kinds: Names of the kinds of row, which the codes count.
        codes: The kind of each row; meaningless where there is none.
        errors: The facts of the error of each row that was not read.
    """

    def __init__(self, kinds: list[str], size: int) -> None:
        self.kinds = kinds
        self.codes = np.zeros(size, np.int8)
        self.errors: dict[int, dict[str, Any]] = {}

    def arrays(self, valid: NDArray[np.bool_] | None) -> tuple[pa.Array, pa.Array]:
        """The columns `kind` and `error`."""
        size = len(self.codes)
        absent = np.zeros(size, np.bool_) if valid is None else ~valid
        rows = np.fromiter(self.errors, np.int64, len(self.errors))
        absent[rows] = True
        codes = pa.array(self.codes, mask=absent if absent.any() else None)
        kind = pa.DictionaryArray.from_arrays(codes, pa.array(self.kinds))
        if not self.errors:
            return kind, pa.nulls(size, ERROR_TYPE)
        indices = np.zeros(size, np.int64)
        indices[rows] = np.arange(len(rows))
        missing = np.ones(size, np.bool_)
        missing[rows] = False
        found = pa.array(list(self.errors.values()), ERROR_TYPE).take(pa.array(indices, mask=missing))
        return kind, found


def _facts(error: DecodeError) -> dict[str, Any]:
    names = ("structure", "path", "offset", "expected", "actual", "limit")
    facts: dict[str, Any] = {name: getattr(error, name) for name in names}
    for name in ("expected", "actual"):
        facts[name] = None if facts[name] is None else str(facts[name])
    return {**facts, "message": str(error)}


def read_rows(
    rows: Rows,
    wanted: NDArray[np.int64],
    decode: Callable[[bytes], Any],
    column: TreeColumn,
    verdicts: Verdicts,
) -> None:
    """Decode these rows and write what they hold."""
    codes = {name: code for code, name in enumerate(verdicts.kinds)}
    for begin in range(0, len(wanted), _AT_ONCE):
        read: list[int] = []
        records = []
        for row in wanted[begin : begin + _AT_ONCE].tolist():
            try:
                record = decode(rows.bytes_of(row))
            except DecodeError as error:
                verdicts.errors[row] = _facts(error)
                # A frame that knows its error is a cycle, which keeps all columns until the collector comes.
                clear_frames(error.__traceback__)
                continue
            read.append(row)
            records.append(record)
            verdicts.codes[row] = codes[type(record).__name__]
        column.fill(np.array(read, np.int64), records)
