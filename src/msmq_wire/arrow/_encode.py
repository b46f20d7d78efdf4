"""Encodes struct arrays through records, row by row.

1. Columns are found by name.  Numbers may be wider than on the wire, and texts may be UTF-8.
2. A value that a row omits (null, or a missing column) is computed by the record's class.
3. The form of a field with several forms is the one whose fields are not null.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.records import model as layout
from msmq_wire.records.record import encode_record, record_class
from msmq_wire.values.errors import EncodeError, MsmqWireError, wrong_value
from msmq_wire.values.guid import GUID
from msmq_wire.values.properties.values import PropertyValue
from msmq_wire.values.wchar import from_wchars

from ._filling.store import LONGEST
from ._join import Unfit, joined
from .schema import SLOTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_VARIANTS = VARTYPE.VT_VARIANT | VARTYPE.VT_VECTOR


def encode_rows(array: pa.Array, kinds: tuple[str, ...]) -> pa.Array:
    """Return the encoded bytes of each row; None for a null and for a row with an error.

    Raises:
        MsmqWireError: The array is not a struct array with the column `kind`.
        EncodeError: A row cannot be encoded.
    """
    names = {field.name for field in array.type} if pa.types.is_struct(array.type) else set()
    if "kind" not in names:
        raise MsmqWireError(f"expected an array of structs with a column `kind`, got one of {array.type}")
    # Not `field`: a row that is null may have an index that its dictionary does not have.
    row_kinds = pc.struct_field(array, "kind").cast(pa.string())
    wanted = np.asarray(array.is_valid())
    if "error" in names:
        wanted = wanted & ~np.asarray(array.field("error").is_valid())
    done: list[tuple[NDArray[np.bool_], pa.Array]] = []
    for kind in row_kinds.filter(pa.array(wanted)).unique().to_pylist():
        if kind not in kinds:
            raise MsmqWireError(wrong_value(f"a kind of row ({', '.join(kinds)})", kind))
        mask = wanted & np.asarray(pc.equal(row_kinds, kind).fill_null(False))  # pyarrow takes it by position
        done.append((mask, _kind_rows(layout.structures()[kind], array, mask)))
    return _merged(len(array), done)


def _kind_rows(structure: layout.Structure, array: pa.Array, mask: NDArray[np.bool_]) -> pa.Array:
    """Encode the rows of one kind: as whole columns if possible, else record by record."""
    encoded, left = None, mask
    with suppress(Unfit):
        encoded, left = joined(structure, array, mask)
    if not left.any() and encoded is not None:
        return encoded
    records = _Maker(structure).records(array, left, np.arange(len(array)))
    rows = [None if record is None else _encoded(record, row) for row, record in enumerate(records)]
    slow = pa.array(rows, pa.large_binary())
    return slow if encoded is None else pc.if_else(pa.array(left), slow, encoded)


def _merged(size: int, parts: list[tuple[NDArray[np.bool_], pa.Array]]) -> pa.Array:
    """Merge the encoded rows of several kinds into one array."""
    merged = pa.nulls(size, pa.large_binary())
    for mask, part in parts:
        merged = part if mask.all() else pc.if_else(pa.array(mask), part, merged)
    return merged.cast(pa.binary()) if merged.nbytes <= LONGEST else merged


def _encoded(record: Any, row: int) -> bytes:
    try:
        return encode_record(record)
    except EncodeError as error:
        raise _in_row(error, row) from None


def _in_row(error: EncodeError, row: int) -> EncodeError:
    """Return the error with the number of the row."""
    return EncodeError(
        f"row {row}: {error.problem}",
        structure=error.structure,
        path=error.path,
        expected=error.expected,
        actual=error.actual,
    )


class _Maker:
    """Creates the records of one structure from columns.

    Attributes:
        open: The entries that omit something; the enclosing records may have to compute it.
    """

    def __init__(self, structure: layout.Structure) -> None:
        self.structure = structure
        self.cls = record_class(structure.name)
        self.fields = structure.fields
        self.open: set[int] = set()

    def records(self, array: pa.Array, mask: NDArray[np.bool_], numbers: NDArray[np.int64]) -> list[Any]:
        """Return a record for each entry of the mask, None for all others.

        Args:
            array: The entries: rows, or items of lists in rows.
            mask: The entries that are wanted.
            numbers: The row of each entry, for errors.
        """
        columns = {field.name for field in array.type}
        values = [
            self.values(field, array.field(field.name), mask, numbers)
            if field.name in columns
            else [None] * len(array)
            for field in self.fields
        ]
        needed = [not field.can_be_none for field in self.fields]
        return [
            self.record(at, row, items, needed) if here else None
            for at, (row, here, items) in enumerate(
                zip(numbers.tolist(), mask.tolist(), zip(*values, strict=True), strict=True)
            )
        ]

    def record(self, at: int, row: int, items: tuple[Any, ...], needed: list[bool]) -> Any:
        """Return the record of an entry; omitted values are computed."""
        if any(item is None and need for item, need in zip(items, needed, strict=True)):
            self.open.add(at)
        if at not in self.open:
            return self.cls.raw(*items)
        given = {field.name: item for field, item in zip(self.fields, items, strict=True) if item is not None}
        try:
            return self.cls(**given)
        except EncodeError as error:
            raise _in_row(error, row) from None

    def values(
        self, field: layout.Field, array: pa.Array, mask: NDArray[np.bool_], numbers: NDArray[np.int64]
    ) -> list[Any]:
        """Return the values of a field; the arguments are those of `records`."""
        kind, mask = field.kind, mask & np.asarray(array.is_valid())
        match kind:
            case layout.Flags():
                return self.words(field, kind, array, mask, numbers)
            case layout.Nested():
                return self.parts(kind.structure, array, mask, numbers)
            case layout.Choice():
                return self.choices(field, kind, array, mask, numbers)
            case layout.Items():
                inner = _Maker(kind.structure)

                def items_of(items: pa.Array, wanted: NDArray[np.bool_], of: NDArray[np.int64]) -> list[Any]:
                    records = inner.records(items, wanted, numbers[of])
                    self.open.update(of[[*inner.open]].tolist())
                    return records

                return _lists(array, mask, items_of)
            case layout.Numbers():
                return _lists(array, mask, lambda items, *_: items.to_pylist())
            case layout.Values():
                return _lists(array, mask, lambda items, wanted, _: _property_values(items, wanted))
        convert: Any = kind.value_class or _CONVERSIONS.get(type(kind), _same)
        return [None if value is None else convert(value) for value in array.to_pylist()]

    def parts(
        self,
        structure: layout.Structure,
        array: pa.Array,
        mask: NDArray[np.bool_],
        numbers: NDArray[np.int64],
    ) -> list[Any]:
        """Return the records of a part."""
        inner = _Maker(structure)
        records = inner.records(array, mask, numbers)
        self.open |= inner.open
        return records

    def words(
        self,
        field: layout.Field,
        kind: layout.Flags,
        array: pa.Array,
        mask: NDArray[np.bool_],
        numbers: NDArray[np.int64],
    ) -> list[Any]:
        """Return flags words from columns of groups; a word without some groups stores which were given."""
        make = self.cls.flags[field.name]
        columns = {item.name for item in array.type}
        names = [group.name for group in kind.groups if group.name in columns]
        groups = [array.field(name).to_pylist() for name in names]
        words_of_rows: list[Any] = [None] * len(array)
        for row in np.flatnonzero(mask).tolist():
            given = {
                name: group[row] for name, group in zip(names, groups, strict=True) if group[row] is not None
            }
            try:
                words_of_rows[row] = make(**given)
            except EncodeError as error:
                raise _in_row(error, int(numbers[row])) from None
            if len(given) < len(kind.groups):
                self.open.add(row)
            else:
                words_of_rows[row] = make(int(words_of_rows[row]))
        return words_of_rows

    def choices(
        self,
        field: layout.Field,
        kind: layout.Choice,
        array: pa.Array,
        mask: NDArray[np.bool_],
        numbers: NDArray[np.int64],
    ) -> list[Any]:
        """Return records of the form whose fields are not null."""
        there = {item.name: np.asarray(array.field(item.name).is_valid()) & mask for item in array.type}
        alternatives: list[Any] = [None] * len(array)
        fits: dict[tuple[str, ...], NDArray[np.bool_]] = {}
        for row in np.flatnonzero(mask).tolist():
            given = tuple(name for name, valid in there.items() if valid[row])
            fits.setdefault(given, np.zeros(len(array), np.bool_))[row] = True
        for given, rows in fits.items():
            wider = [form for form in kind.structures if form.by_name.keys() >= set(given)]
            fitting = [form for form in wider if len(form.by_name) == len(given)] or wider
            if len(fitting) != 1:
                raise EncodeError(
                    f"row {int(numbers[rows.argmax()])}: the fields do not determine the form",
                    structure=self.structure.name,
                    path=f"{self.structure.name}.{field.name}",
                    expected=", ".join(form.name for form in kind.structures),
                    actual=given,
                )
            for row, record in enumerate(self.parts(fitting[0], array, rows, numbers)):
                if record is not None:
                    alternatives[row] = record
        return alternatives


def _same(value: Any) -> Any:
    return value


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return from_wchars(value[: len(value) & ~1])


_CONVERSIONS: dict[type[Any], Callable[[Any], Any]] = {
    layout.Integer: int,
    layout.Text: _text,
}


def _lists(
    array: pa.Array,
    mask: NDArray[np.bool_],
    convert: Callable[[pa.Array, NDArray[np.bool_], NDArray[np.int64]], list[Any]],
) -> list[Any]:
    """Return tuples from the lists of the entries of the mask; the items of all lists are converted together.

    `convert` takes the items, which of them are wanted, and the entry of each.  Other lists may end with a
    partial item, which cannot be converted.
    """
    bounds = np.asarray(array.offsets).astype(np.int64)
    sizes, first = np.diff(bounds), int(bounds[0])
    items = array.values.slice(first, int(bounds[-1]) - first)
    values = convert(items, np.repeat(mask, sizes), np.repeat(np.arange(len(array)), sizes))
    ends = (bounds[1:] - first).tolist()
    return [
        tuple(values[end - size : end]) if here else None
        for here, end, size in zip(mask.tolist(), ends, sizes.tolist(), strict=True)
    ]


def _property_values(array: pa.Array, mask: NDArray[np.bool_]) -> list[Any]:
    columns = {item.name: array.field(item.name) for item in array.type}
    kinds = columns.pop("vt").to_pylist()
    values_by_slot = {name: column.to_pylist() for name, column in columns.items()}
    return [
        _property(int(vt), values_by_slot, row) if here else None
        for row, (vt, here) in enumerate(zip(kinds, mask.tolist(), strict=True))
    ]


def _property(vt: int, values_by_slot: dict[str, list[Any]], row: int) -> PropertyValue:
    slot = SLOTS.get(vt)
    value: Any = values_by_slot[slot][row] if slot else None
    if vt == _VARIANTS:
        return PropertyValue.decode(vt, value)
    if slot and slot.endswith("s"):
        return PropertyValue(vt, tuple(_held(vt & ~VARTYPE.VT_VECTOR, item) for item in value))
    return PropertyValue(vt, _held(vt, value))


def _held(vt: int, value: Any) -> Any:
    match vt:
        case VARTYPE.VT_CLSID:
            return GUID(value)
        case VARTYPE.VT_LPWSTR | VARTYPE.VT_BSTR:
            return _text(value)
        case VARTYPE.VT_UI8 if value < 0:
            return value + (1 << 64)
    return value
