"""Encodes many packets of one kind together: columns of pieces, which Arrow joins for each row.

1. A run of fixed fields is one piece; every other field is a piece of its own.  An absent part is null and
   adds no bytes.
2. Rows with values that a record's class must compute, check or reject are left to it.  If this applies to
   all rows, `joined` raises `Unfit`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._filling.store import bitmap

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from msmq_wire.records import model as layout

    Mask = NDArray[np.bool_]

_LARGE = pa.large_binary()


class Unfit(Exception):
    """These columns cannot be encoded together."""


def joined(structure: layout.Structure, array: pa.Array, rows: Mask) -> tuple[pa.Array, Mask]:
    """Encode the rows of a mask; return their bytes, and which of the rows are left to the records."""
    pieces = _Pieces(len(array))
    # Each row starts with an empty piece, because the join would drop rows of nulls only.
    pieces.arrays.append(pa.array(np.zeros(len(array), "S1"), _LARGE))
    try:
        pieces.structure(structure, array, rows)
        pieces.flush()
        encoded = pc.binary_join_element_wise(*pieces.arrays, pa.scalar(b"", _LARGE), null_handling="skip")
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError) as error:
        raise Unfit from error
    return encoded, pieces.left & rows


class _Pieces:
    """The pieces of a packet, in order."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.arrays: list[pa.Array] = []
        self.run: list[tuple[str, NDArray[Any]]] = []
        self.rows: Mask = np.ones(size, np.bool_)
        self.left: Mask = np.zeros(size, np.bool_)

    def structure(self, structure: layout.Structure, array: pa.Array, rows: Mask) -> None:
        """Add the fields of a structure, for the rows that have it."""
        columns = {field.name for field in array.type}
        for field in structure.fields:
            if field.name not in columns:
                raise Unfit
            self.field(field, array.field(field.name), rows)

    def field(self, field: layout.Field, array: pa.Array, rows: Mask) -> None:
        there = rows
        if field.can_be_none:
            there = rows & _valid(array)
            if not there.any():
                return
        elif array.null_count:
            self.left |= rows & ~_valid(array)  # the record's class computes omitted values
        kind = field.kind
        if field.word:
            self.fixed(f"<u{field.word.size}", self.word(field.word, array, there), there)
        elif kind.is_number:
            number = np.dtype(f"<{kind.code}")
            self.fixed(number.str, _numbers(array, pa.from_numpy_dtype(number)), there)
        elif kind.code:
            self.fixed(f"V{kind.least_size}", _cells(array, kind.least_size), there)
        elif field.part:
            self.structure(field.part, array, there)
        elif field.structures and not field.element:
            self.choice(field.structures, array, there)
        elif kind.is_list:
            self.left |= there
        else:
            self.bytes(kind, array, there)

    def flush(self) -> None:
        """Create one piece from the collected fixed fields."""
        if not self.run:
            return
        names = [f"f{index}" for index in range(len(self.run))]
        dtype = np.dtype([(name, code) for name, (code, _) in zip(names, self.run, strict=True)])
        records = np.zeros(self.size, dtype)
        for name, (_, values) in zip(names, self.run, strict=True):
            records[name] = values
        self.run = []
        buffers = [bitmap(self.rows), pa.py_buffer(records)]
        pieces = pa.Array.from_buffers(pa.binary(dtype.itemsize), self.size, buffers)
        self.arrays.append(pieces.cast(_LARGE))

    def fixed(self, code: str, values: NDArray[Any], rows: Mask) -> None:
        if rows is not self.rows:
            self.flush()
        self.rows = rows
        self.run.append((code, values))

    def bytes(self, kind: layout.Kind, array: pa.Array, rows: Mask) -> None:
        if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
            raise Unfit  # UTF-8 must be converted to UTF-16 first
        self.flush()
        converted = array.cast(_LARGE)
        self.arrays.append(converted if rows.all() else _held(rows, converted))
        if kind.unit > 1:
            self.left |= np.asarray(pc.binary_length(converted).fill_null(0)) % kind.unit != 0
        if kind.least_size:  # the field has a terminator
            self.arrays.append(_held(rows, bytes(kind.least_size)))

    def choice(self, forms: list[layout.Structure], array: pa.Array, rows: Mask) -> None:
        """Add each form for the rows in which exactly its fields are not null."""
        there = {item.name: _valid(array.field(item.name)) for item in array.type}
        fitting = np.zeros(self.size, np.bool_)
        for form in forms:
            fits = rows.copy()
            for name, valid in there.items():
                fits &= valid if name in form.by_name else ~valid
            if fits.any():
                self.structure(form, array, fits)
                fitting |= fits
        self.left |= rows & ~fitting

    def word(self, kind: layout.Flags, array: pa.Array, rows: Mask) -> NDArray[Any]:
        """Return the words that consist of the groups."""
        code = np.dtype(f"<u{kind.size}")
        word = np.zeros(len(array), code)
        columns = {item.name for item in array.type}
        for group in kind.groups:
            if group.name not in columns:
                raise Unfit
            column = array.field(group.name)
            if column.null_count:
                self.left |= rows & ~_valid(column)
            values = _numbers(column, pa.from_numpy_dtype(code))
            self.left |= values >> group.width != 0
            word |= values << group.shift
        return word


def _held(rows: Mask, array: Any) -> pa.Array:
    """Return the value for some rows, null for all others; a module-level scalar would import pandas."""
    values = array if isinstance(array, pa.Array) else pa.scalar(array, _LARGE)
    return pc.if_else(pa.array(rows), values, pa.scalar(None, _LARGE))


def _valid(array: pa.Array) -> Mask:
    valid: Mask = np.asarray(array.is_valid())
    return valid


def _numbers(array: pa.Array, kind: pa.DataType) -> NDArray[Any]:
    converted = array if array.type == kind else array.cast(kind)
    numbers: NDArray[Any] = (converted.fill_null(0) if converted.null_count else converted).to_numpy(
        zero_copy_only=False
    )
    return numbers


def _cells(array: pa.Array, size: int) -> NDArray[Any]:
    """Return fixed-size values as numpy cells."""
    if array.type != pa.binary(size):
        array = array.cast(pa.binary(size))
    buffer = array.buffers()[1]
    if buffer is None:
        return np.zeros(len(array), f"V{size}")
    return np.frombuffer(buffer, f"V{size}", len(array), array.offset * size)
