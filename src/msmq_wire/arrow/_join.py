"""Encodes many packets of one kind together: columns of pieces, which Arrow joins for each row.

1. A run of fixed fields is one piece; every other field is a piece of its own.  An absent part is null and
   adds no bytes.
2. Rows with values that a record's class must compute, check or reject are left to it.  If this applies to
   all rows, `joined` raises `Unfit`.
3. `columns_of` and the tests of types are those of records made from columns, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.values.errors import MsmqWireError

from ._filling.store import bitmap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from msmq_wire.records import model as layout

    Mask = NDArray[np.bool_]

_LARGE = pa.large_binary()


class Unfit(Exception):
    """These columns cannot be encoded together."""


def columns_of(array: pa.Array) -> dict[str, pa.Array]:
    """Return the columns of a struct array by name, without dictionaries.

    Raises:
        MsmqWireError: Two of them have the same name.
    """
    columns: dict[str, pa.Array] = {}
    for index, field in enumerate(array.type):
        if field.name in columns:
            raise MsmqWireError(f"expected columns with different names, got two named {field.name!r}")
        kind = field.type
        if isinstance(kind, pa.DictionaryType) and not pa.types.is_nested(kind.value_type):
            # Not `field`: an entry that is null may have an index that its dictionary does not have.
            columns[field.name] = pc.struct_field(array, [index]).cast(kind.value_type)
        else:
            columns[field.name] = array.field(index)
    return columns


def valid(array: pa.Array) -> Mask:
    """Return which entries are not null."""
    mask: Mask = np.asarray(array.is_valid())
    return mask


def has_numbers(kind: pa.DataType) -> bool:
    """Return whether values of a type may be whole numbers."""
    return bool(pa.types.is_integer(kind) or pa.types.is_decimal(kind))


def has_bytes(kind: pa.DataType) -> bool:
    """Return whether values of a type are bytes."""
    return bool(
        pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_binary_view(kind)
        or pa.types.is_fixed_size_binary(kind)
    )


def has_text(kind: pa.DataType) -> bool:
    """Return whether values of a type are texts."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def joined(structure: layout.Structure, columns: Mapping[str, pa.Array], rows: Mask) -> tuple[pa.Array, Mask]:
    """Encode the rows of a mask; return their bytes, and which of the rows are left to the records."""
    pieces = _Pieces(len(rows))
    # Each row starts with an empty piece, because the join would drop rows of nulls only.
    pieces.arrays.append(pa.array(np.zeros(len(rows), "S1"), _LARGE))
    try:
        pieces.structure(structure, columns, rows)
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

    def structure(self, structure: layout.Structure, columns: Mapping[str, pa.Array], rows: Mask) -> None:
        """Add the fields of a structure, for the rows that have it."""
        for name in columns.keys() - structure.by_name.keys():
            self.reject(columns[name], rows)
        for field in structure.fields:
            if field.name not in columns:
                raise Unfit
            self.field(field, columns[field.name], rows)

    def reject(self, array: pa.Array, rows: Mask) -> None:
        """Leave rows with a value that they cannot have to the record's class."""
        if array.null_count < len(array):
            self.left |= rows & valid(array)

    def field(self, field: layout.Field, array: pa.Array, rows: Mask) -> None:
        there = rows
        if field.can_be_none:
            there = rows & valid(array)
            if not there.any():
                return
        elif array.null_count:
            self.left |= rows & ~valid(array)  # the record's class computes omitted values
        kind = field.kind
        if field.word:
            self.fixed(f"<u{field.word.size}", self.word(field.word, array, there), there)
        elif kind.is_number:
            number = np.dtype(f"<{kind.code}")
            self.fixed(number.str, _numbers(array, pa.from_numpy_dtype(number)), there)
        elif kind.code:
            self.fixed(f"V{kind.least_size}", _cells(array, kind.least_size), there)
        elif field.part:
            self.structure(field.part, _parts(array), there)
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
        if not has_bytes(array.type):
            raise Unfit  # UTF-8 must be converted to UTF-16 first
        self.flush()
        converted = array.cast(_LARGE)
        self.arrays.append(converted if rows.all() else _held(rows, converted))
        if kind.unit > 1:
            self.left |= np.asarray(pc.binary_length(converted).fill_null(0)) % kind.unit != 0
        if kind.least_size:  # the field has a terminator
            ends = pc.match_substring(converted, b"\0\0").fill_null(False)  # also two halves of characters
            self.left |= rows & np.asarray(ends)
            self.arrays.append(_held(rows, bytes(kind.least_size)))

    def choice(self, forms: list[layout.Structure], array: pa.Array, rows: Mask) -> None:
        """Add each form for the rows in which exactly its fields are not null."""
        columns = _parts(array)
        there = {name: valid(column) for name, column in columns.items()}
        fitting = np.zeros(self.size, np.bool_)
        for form in forms:
            fits = rows.copy()
            for name, held in there.items():
                fits &= held if name in form.by_name else ~held
            if fits.any():
                self.structure(form, {name: columns[name] for name in there if name in form.by_name}, fits)
                fitting |= fits
        self.left |= rows & ~fitting

    def word(self, kind: layout.Flags, array: pa.Array, rows: Mask) -> NDArray[Any]:
        """Return the words that consist of the groups."""
        code = np.dtype(f"<u{kind.size}")
        word = np.zeros(len(array), code)
        columns = _parts(array)
        for name in columns.keys() - {group.name for group in kind.groups}:
            self.reject(columns[name], rows)
        for group in kind.groups:
            if group.name not in columns:
                raise Unfit
            column = columns[group.name]
            if column.null_count:
                self.left |= rows & ~valid(column)
            values = _numbers(column, pa.from_numpy_dtype(code))
            self.left |= values >> group.width != 0
            word |= values << group.shift
        return word


def _held(rows: Mask, array: Any) -> pa.Array:
    """Return the value for some rows, null for all others; a module-level scalar would import pandas."""
    values = array if isinstance(array, pa.Array) else pa.scalar(array, _LARGE)
    return pc.if_else(pa.array(rows), values, pa.scalar(None, _LARGE))


def _parts(array: pa.Array) -> dict[str, pa.Array]:
    if not pa.types.is_struct(array.type):
        raise Unfit
    return columns_of(array)


def _numbers(array: pa.Array, kind: pa.DataType) -> NDArray[Any]:
    if not has_numbers(array.type):
        raise Unfit
    converted = array if array.type == kind else array.cast(kind)
    numbers: NDArray[Any] = (converted.fill_null(0) if converted.null_count else converted).to_numpy(
        zero_copy_only=False
    )
    return numbers


def _cells(array: pa.Array, size: int) -> NDArray[Any]:
    """Return fixed-size values as numpy cells."""
    if array.type != pa.binary(size):
        if not has_bytes(array.type):
            raise Unfit
        array = array.cast(pa.binary(size))
    buffer = array.buffers()[1]
    if buffer is None:
        return np.zeros(len(array), f"V{size}")
    return np.frombuffer(buffer, f"V{size}", len(array), array.offset * size)
