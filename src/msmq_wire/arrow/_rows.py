"""Reads rows one at a time with the record decoder.

A row that cannot be decoded has values for those fields whose bytes are complete and whose offset is certain.
"""

from __future__ import annotations

from traceback import clear_frames
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from msmq_wire.packets.partial import nested
from msmq_wire.records.model import structures
from msmq_wire.values.errors import DecodeError

from .schema import ERROR_TYPE, REACHED_TYPE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from msmq_wire.packets.partial import LaxResult

    from ._filling.nested import TreeColumn
    from ._input import Rows

AT_ONCE = 4096
MANY_FIELDS = 1 << 17
"""Write the known fields of failed rows after collecting this many."""


class Readers(NamedTuple):
    """Functions that read one row.

    Attributes:
        decode: Returns a record.
        decode_lax: Returns the decodable fields.
        kind_of: Returns the name of the structure that the first bytes announce.
    """

    decode: Callable[..., Any]
    decode_lax: Callable[..., LaxResult]
    kind_of: Callable[[bytes], str]


class Outcomes:
    """The kind of each row, or its error.

    Attributes:
        kinds: Names of the kinds, indexed by the codes.
        codes: The kind of each row; undefined for nulls, negative if unknown.
        errors: The error attributes of each row that was not decoded.
        reached: The first field that was not decoded, for each of these rows.
    """

    def __init__(self, kinds: list[str], size: int) -> None:
        self.kinds = kinds
        self.codes = np.zeros(size, np.int8)
        self.errors: dict[int, dict[str, Any]] = {}
        self.reached: list[dict[str, Any] | None] = []

    def fail(self, row: int, error: DecodeError, readers: Readers, data: bytes) -> LaxResult:
        """Store the error of a row; return its decodable fields."""
        try:
            self.codes[row] = self.kinds.index(readers.kind_of(data))
        except DecodeError:
            self.codes[row] = -1
        self.errors[row] = _facts(error)
        result = readers.decode_lax(data)
        self.reached.append(result.reached and result.reached._asdict())
        return result

    def arrays(self, valid: NDArray[np.bool_] | None) -> tuple[pa.Array, pa.Array, pa.Array]:
        """Return the columns `kind`, `error` and `reached`."""
        size = len(self.codes)
        absent = self.codes < 0
        if valid is not None:
            absent |= ~valid
        rows = np.fromiter(self.errors, np.int64, len(self.errors))
        codes = pa.array(np.where(absent, 0, self.codes), mask=absent if absent.any() else None)
        kind = pa.DictionaryArray.from_arrays(codes, pa.array(self.kinds))
        if not self.errors:
            return kind, pa.nulls(size, ERROR_TYPE), pa.nulls(size, REACHED_TYPE)
        indices = np.zeros(size, np.int64)
        indices[rows] = np.arange(len(rows))
        missing = np.ones(size, np.bool_)
        missing[rows] = False
        error_indices = pa.array(indices, mask=missing)
        errors = pa.array(list(self.errors.values()), ERROR_TYPE).take(error_indices)
        return kind, errors, pa.array(self.reached, REACHED_TYPE).take(error_indices)


def _facts(error: DecodeError) -> dict[str, Any]:
    names = ("structure", "path", "offset", "expected", "actual", "limit")
    facts: dict[str, Any] = {name: getattr(error, name) for name in names}
    for name in ("expected", "actual"):
        facts[name] = None if facts[name] is None else str(facts[name])
    return {**facts, "message": str(error)}


def read_rows(
    rows: Rows, wanted: NDArray[np.int64], readers: Readers, column: TreeColumn, outcomes: Outcomes
) -> None:
    """Decode these rows and write their values."""
    codes = {name: code for code, name in enumerate(outcomes.kinds)}
    for begin in range(0, len(wanted), AT_ONCE):
        read: list[int] = []
        records = []
        failed: list[int] = []
        certain: list[dict[str, Any]] = []
        count = 0
        for row in wanted[begin : begin + AT_ONCE].tolist():
            data = rows.bytes_of(row)
            try:
                record = readers.decode(data)
            except DecodeError as error:
                result = outcomes.fail(row, error, readers, data)
                kind = result.source and structures()[result.source.kind]
                certain.append(nested(result.fields, structure=kind))
                failed.append(row)
                count += len(result.fields)
                # A frame that refers to its own error is a reference cycle, which would keep all columns in
                # memory.
                clear_frames(error.__traceback__)
                if count >= MANY_FIELDS:
                    column.fill_known(np.array(failed, np.int64), certain)
                    failed, certain, count = [], [], 0
                continue
            read.append(row)
            records.append(record)
            outcomes.codes[row] = codes[type(record).__name__]
        column.fill(np.array(read, np.int64), records)
        column.fill_known(np.array(failed, np.int64), certain)
