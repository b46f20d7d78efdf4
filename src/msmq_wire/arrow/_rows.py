"""Rows that are read one at a time, by the decoder of records.

Of a row that cannot be read the columns have those fields whose bytes are there and whose place is certain.
"""

from __future__ import annotations

from traceback import clear_frames
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from msmq_wire.packets.partial import nested
from msmq_wire.records.model import structures
from msmq_wire.values.errors import DecodeError

from ._schema import ERROR_TYPE, REACHED_TYPE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from msmq_wire.packets.partial import LaxResult

    from ._filling.nested import TreeColumn
    from ._input import Rows

__all__ = ["Readers", "Verdicts", "read_rows"]

_AT_ONCE = 4096
_MANY_FIELDS = 1 << 17
"""So many known fields of rows that cannot be read are written before more are looked for."""


class Readers(NamedTuple):
    """What reads one row.

    Attributes:
        decode: Makes a record.
        decode_lax: Makes what there is of one.
        kind_of: Gives the name of the structure that the first bytes announce.
    """

    decode: Callable[..., Any]
    decode_lax: Callable[..., LaxResult]
    kind_of: Callable[[bytes], str]


class Verdicts:
    """What each row is, or why it could not be read.

    Attributes:
        kinds: Names of the kinds of row, which the codes count.
        codes: The kind of each row; meaningless where there is none, below 0 where it is not known.
        errors: The facts of the error of each row that was not read.
        reached: Up to where it was read.
    """

    def __init__(self, kinds: list[str], size: int) -> None:
        self.kinds = kinds
        self.codes = np.zeros(size, np.int8)
        self.errors: dict[int, dict[str, Any]] = {}
        self.reached: list[dict[str, Any] | None] = []

    def fail(self, row: int, error: DecodeError, readers: Readers, data: bytes) -> LaxResult:
        """Remember why a row cannot be read; gives what is known of it."""
        try:
            self.codes[row] = self.kinds.index(readers.kind_of(data))
        except DecodeError:
            self.codes[row] = -1
        self.errors[row] = _facts(error)
        result = readers.decode_lax(data)
        self.reached.append(result.reached and result.reached._asdict())
        return result

    def arrays(self, valid: NDArray[np.bool_] | None) -> tuple[pa.Array, pa.Array, pa.Array]:
        """The columns `kind`, `error` and `reached`."""
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
        places = pa.array(indices, mask=missing)
        errors = pa.array(list(self.errors.values()), ERROR_TYPE).take(places)
        return kind, errors, pa.array(self.reached, REACHED_TYPE).take(places)


def _facts(error: DecodeError) -> dict[str, Any]:
    names = ("structure", "path", "offset", "expected", "actual", "limit")
    facts: dict[str, Any] = {name: getattr(error, name) for name in names}
    for name in ("expected", "actual"):
        facts[name] = None if facts[name] is None else str(facts[name])
    return {**facts, "message": str(error)}


def read_rows(
    rows: Rows,
    wanted: NDArray[np.int64],
    readers: Readers,
    column: TreeColumn,
    verdicts: Verdicts,
) -> None:
    """Decode these rows and write what they hold."""
    codes = {name: code for code, name in enumerate(verdicts.kinds)}
    for begin in range(0, len(wanted), _AT_ONCE):
        read: list[int] = []
        records = []
        failed: list[int] = []
        known: list[dict[str, Any]] = []
        count = 0
        for row in wanted[begin : begin + _AT_ONCE].tolist():
            data = rows.bytes_of(row)
            try:
                record = readers.decode(data)
            except DecodeError as error:
                result = verdicts.fail(row, error, readers, data)
                kind = result.source and structures()[result.source.kind]
                known.append(nested(result.fields, structure=kind))
                failed.append(row)
                count += len(result.fields)
                # A frame that knows its error is a cycle, which keeps all columns until the collector comes.
                clear_frames(error.__traceback__)
                if count >= _MANY_FIELDS:
                    column.fill_known(np.array(failed, np.int64), known)
                    failed, known, count = [], [], 0
                continue
            read.append(row)
            records.append(record)
            verdicts.codes[row] = codes[type(record).__name__]
        column.fill(np.array(read, np.int64), records)
        column.fill_known(np.array(failed, np.int64), known)
