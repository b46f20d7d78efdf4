"""Encodes struct arrays through records, row by row.

1. Columns are found by name.  Numbers may be wider than on the wire, and texts may be UTF-8.
2. A value that a row omits (null, or a missing column) is computed by the record's class, which also checks
   and converts the others.
3. The form of a field with several forms is the one whose fields are not null.
4. A value that a row cannot have is an error with the number of the row; nothing is ignored or cut.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.records import model as layout
from msmq_wire.records.plain import fitting
from msmq_wire.records.record import encode_record, record_class
from msmq_wire.records.replacing import refuse_arguments
from msmq_wire.values import plain
from msmq_wire.values.errors import EncodeError, MsmqWireError, wrong_value
from msmq_wire.values.properties.values import READERS, PropertyValue
from msmq_wire.values.wchar import from_wchars

from ._filling.store import LONGEST
from ._join import Unfit, columns_of, has_bytes, has_numbers, has_text, joined, valid
from .schema import PROPERTY, SLOTS, Blob, Lists, Node, Number, Property, node_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ._join import Mask

_VARIANTS = VARTYPE.VT_VARIANT | VARTYPE.VT_VECTOR
_RESULTS = frozenset({"kind", "error", "reached"})
"""The columns that are not fields."""


def encode_rows(array: pa.Array, kinds: tuple[str, ...], first: int = 0) -> pa.Array:
    """Return the encoded bytes of each row; None for a null and for a row with an error.

    Args:
        array: The rows.
        kinds: The structures that they may be.
        first: The number of the first row, for errors.

    Raises:
        MsmqWireError: The array is not a struct array with the column `kind`, or two columns have the same
            name.
        EncodeError: A row cannot be encoded.
    """
    columns = columns_of(array) if pa.types.is_struct(array.type) else {}
    row_kinds = columns.get("kind")
    if row_kinds is None or not (has_text(row_kinds.type) or pa.types.is_null(row_kinds.type)):
        raise MsmqWireError(f"expected an array of structs with a column `kind`, got one of {array.type}")
    wanted = valid(array)
    if "error" in columns:
        wanted = wanted & ~valid(columns["error"])
    fields = {name: column for name, column in columns.items() if name not in _RESULTS}
    known = pc.index_in(row_kinds.cast(pa.string()), pa.array(kinds)).fill_null(-1).to_numpy()
    unknown = wanted & (known < 0)
    if unknown.any():
        entries = _Entries("Record", lambda at: (first + at, "kind"))
        row, names = int(unknown.argmax()), ", ".join(kinds)
        kind = _listed(row_kinds, unknown, entries)[row]
        raise entries.error(row, wrong_value(f"a kind of row ({names})", kind), names, kind)
    done: list[tuple[Mask, pa.Array]] = []
    for number, kind in enumerate(kinds):
        mask = wanted & (known == number)
        if mask.any():
            done.append((mask, _kind_rows(layout.structures()[kind], fields, mask, first)))
    return _merged(len(array), done)


def _kind_rows(
    structure: layout.Structure, columns: Mapping[str, pa.Array], mask: Mask, first: int
) -> pa.Array:
    """Encode the rows of one kind: as whole columns if possible, else record by record."""
    encoded, left = None, mask
    with suppress(Unfit):
        encoded, left = joined(structure, columns, mask)
    if not left.any() and encoded is not None:
        return encoded
    entries = _Entries(structure.name, lambda at: (first + at, structure.name))
    records = _Maker(structure, entries).records(columns, left)
    slow = pa.array(
        [
            None if record is None else entries.call(row, structure.name, encode_record, record)
            for row, record in enumerate(records)
        ],
        pa.large_binary(),
    )
    return slow if encoded is None else pc.if_else(pa.array(left), slow, encoded)


def _merged(size: int, parts: list[tuple[Mask, pa.Array]]) -> pa.Array:
    """Merge the encoded rows of several kinds into one array."""
    merged = pa.nulls(size, pa.large_binary())
    for mask, part in parts:
        merged = part if mask.all() else pc.if_else(pa.array(mask), part, merged)
    return merged.cast(pa.binary()) if merged.nbytes <= LONGEST else merged


class _Entries(NamedTuple):
    """The entries of a column, for errors.

    Attributes:
        structure: The structure that has the field.
        locate: Returns the row and the path of an entry.
    """

    structure: str
    locate: Callable[[int], tuple[int, str]]

    def below(self, name: str) -> _Entries:
        """Return the same entries of a column below this one."""

        def locate(at: int) -> tuple[int, str]:
            row, path = self.locate(at)
            return row, f"{path}.{name}"

        return _Entries(self.structure, locate)

    def error(self, at: int, problem: str, expected: object, actual: object) -> EncodeError:
        """Return an error about an entry."""
        row, path = self.locate(at)
        return EncodeError(
            f"row {row}: {problem}", structure=self.structure, path=path, expected=expected, actual=actual
        )

    def call(self, at: int, start: str, function: Callable[..., Any], /, *args: Any, **given: Any) -> Any:
        """Call a function; its errors, whose paths begin with `start`, get the row and the whole path."""
        try:
            return function(*args, **given)
        except EncodeError as error:
            row, path = self.locate(at)
            raise EncodeError(
                f"row {row}: {error.problem}",
                structure=error.structure,
                path=path + error.path.removeprefix(start),
                expected=error.expected,
                actual=error.actual,
            ) from None

    def need(self, fits: bool, expected: str, array: pa.Array, mask: Mask) -> None:
        """Check the type of a column, if there are values in the entries of the mask.

        Raises:
            EncodeError: The type is wrong.
        """
        if not fits and mask.any():
            problem = f"expected a column of {expected}, got one of {array.type}"
            raise self.error(int(mask.argmax()), problem, expected, str(array.type))


class _Maker:
    """Creates the records of one structure from columns; masks have the entries that are not null."""

    def __init__(self, structure: layout.Structure, entries: _Entries) -> None:
        self.structure = structure
        self.entries = entries._replace(structure=structure.name)
        self.cls = record_class(structure.name)

    def records(self, columns: Mapping[str, pa.Array], mask: Mask) -> list[Any]:
        """Return a record for each entry of the mask, None for all others; omitted values are computed."""
        name = self.structure.name
        values: dict[str, list[Any]] = {}
        for key, column in columns.items():
            there = mask & valid(column)
            if not there.any():
                continue
            if key not in self.structure.by_name:
                at = int(there.argmax())
                self.entries.call(at, name, refuse_arguments, self.structure, (), {key: key})
            values[key] = self.values(self.structure.by_name[key], column, there)
        records: list[Any] = [None] * len(mask)
        for at in np.flatnonzero(mask).tolist():
            given = {key: items[at] for key, items in values.items() if items[at] is not None}
            records[at] = self.entries.call(at, name, self.cls, **given)
        return records

    def values(self, field: layout.Field, array: pa.Array, mask: Mask) -> list[Any]:
        """Return the values of a field, None for entries that are not in the mask."""
        kind, entries = field.kind, self.entries.below(field.name)
        match kind:
            case layout.Flags():
                return self.words(field.name, kind, array, mask)
            case layout.Nested():
                return _records(kind.structure, array, mask, entries)
            case layout.Choice():
                return self.choices(field.name, kind, array, mask)
            case layout.Items():
                return _lists(array, mask, entries, partial(_records, kind.structure))
        return _of_node(node_of(field), array, mask, entries)

    def words(self, name: str, kind: layout.Flags, array: pa.Array, mask: Mask) -> list[Any]:
        """Return flags words from numbers, or from groups; a word without some stores which were given."""
        make, entries, start = self.cls.flags[name], self.entries.below(name), f"{self.structure.name}.{name}"
        words: list[Any] = [None] * len(array)
        if has_numbers(array.type):
            for at, number in _present(_of_node(Number("", kind.size, signed=False), array, mask, entries)):
                words[at] = entries.call(at, start, make, number)
            return words
        entries.need(pa.types.is_struct(array.type), "structs of bit groups", array, mask)
        names = {group.name for group in kind.groups}
        groups = {}
        for key, column in columns_of(array).items():
            there = mask & valid(column)
            if key in names:
                item = Number("", kind.size, signed=False)
                groups[key] = _of_node(item, column, there, entries.below(key))
            elif there.any():
                entries.call(int(there.argmax()), start, make, **{key: 0})
        for at in np.flatnonzero(mask).tolist():
            given = {key: values[at] for key, values in groups.items() if values[at] is not None}
            word = entries.call(at, start, make, **given)
            words[at] = make(int(word)) if len(given) == len(names) else word
        return words

    def choices(self, name: str, kind: layout.Choice, array: pa.Array, mask: Mask) -> list[Any]:
        """Return names of queues, or records of the form whose fields are not null."""
        entries = self.entries.below(name)
        if has_text(array.type):
            return _listed(array, mask, entries)
        entries.need(pa.types.is_struct(array.type), "structs or names", array, mask)
        columns = columns_of(array)
        there = {key: valid(column) & mask for key, column in columns.items()}
        alternatives: list[Any] = [None] * len(array)
        fits: dict[tuple[str, ...], Mask] = {}
        for at in np.flatnonzero(mask).tolist():
            given = tuple(key for key, held in there.items() if held[at])
            fits.setdefault(given, np.zeros(len(array), np.bool_))[at] = True
        for given, some in fits.items():
            forms = fitting(dict.fromkeys(given), kind.structures)
            if len(forms) != 1:
                names = ", ".join(form.name for form in kind.structures)
                problem = "the fields do not determine the form"
                raise entries.error(int(some.argmax()), problem, names, given)
            records = _Maker(forms[0], entries).records({key: columns[key] for key in given}, some)
            for at, record in _present(records):
                alternatives[at] = record
        return alternatives


def _records(structure: layout.Structure, array: pa.Array, mask: Mask, entries: _Entries) -> list[Any]:
    """Return the records of a column of structs."""
    expected = f"structs of the fields of {structure.name}"
    entries.need(pa.types.is_struct(array.type), expected, array, mask)
    return _Maker(structure, entries).records(columns_of(array) if mask.any() else {}, mask)


def _of_node(node: Node, array: pa.Array, mask: Mask, entries: _Entries) -> list[Any]:
    """Return the values of a column without structures, None for entries that are not in the mask."""
    if not mask.any():
        return [None] * len(array)
    match node:
        case Lists():
            return _lists(array, mask, entries, partial(_of_node, node.item))
        case Property():
            return _property_values(array, mask, entries)
        case Number():
            entries.need(has_numbers(array.type), "whole numbers", array, mask)
            values = _listed(array, mask, entries)
            if not pa.types.is_decimal(array.type):
                return values
            return [int(value) if value is not None and value == int(value) else value for value in values]
    entries.need(has_bytes(array.type) or has_text(array.type), "bytes or text", array, mask)
    values = _listed(array, mask, entries)
    if isinstance(node, Blob) and node.text:
        for at, value in _present(values):
            if isinstance(value, bytes):
                if len(value) % 2:
                    problem = wrong_value("an even number of bytes", len(value))
                    raise entries.error(at, problem, "an even number of bytes", len(value))
                values[at] = from_wchars(value)
    return values


def _listed(array: pa.Array, mask: Mask, entries: _Entries) -> list[Any]:
    """Return the values of the entries of a mask, None for all others."""
    try:
        values = array.to_pylist()
    except UnicodeDecodeError:  # Arrow does not check what it reads
        values = array.cast(pa.large_binary()).to_pylist()
        for at in np.flatnonzero(mask).tolist():
            try:
                values[at] = values[at].decode()
            except UnicodeDecodeError:
                raise entries.error(at, wrong_value("UTF-8", values[at]), "UTF-8", values[at]) from None
    return [value if here else None for value, here in zip(values, mask.tolist(), strict=True)]


def _present(values: list[Any]) -> Iterator[tuple[int, Any]]:
    return ((at, value) for at, value in enumerate(values) if value is not None)


def _lists(
    array: pa.Array,
    mask: Mask,
    entries: _Entries,
    convert: Callable[[pa.Array, Mask, _Entries], list[Any]],
) -> list[Any]:
    """Return tuples from the lists of the entries of the mask; the items of all lists are converted together.

    Other lists may end with a partial item, which cannot be converted.
    """
    if pa.types.is_fixed_size_list(array.type):
        array = array.cast(pa.large_list(array.type.value_field))
    is_list = pa.types.is_list(array.type) or pa.types.is_large_list(array.type)
    entries.need(is_list, "lists", array, mask)
    bounds = np.asarray(array.offsets).astype(np.int64)
    sizes, first = np.diff(bounds), int(bounds[0])
    starts, of = bounds[:-1] - first, np.repeat(np.arange(len(array)), sizes)

    def locate(item: int) -> tuple[int, str]:
        row, path = entries.locate(int(of[item]))
        return row, f"{path}[{item - starts[of[item]]}]"

    items = array.values.slice(first, int(bounds[-1]) - first)
    values = convert(items, np.repeat(mask, sizes) & valid(items), _Entries(entries.structure, locate))
    return [
        tuple(values[start : start + size]) if here else None
        for here, start, size in zip(mask.tolist(), starts.tolist(), sizes.tolist(), strict=True)
    ]


def _property_values(array: pa.Array, mask: Mask, entries: _Entries) -> list[Any]:
    entries.need(pa.types.is_struct(array.type), "structs of `vt` and a value", array, mask)
    nodes = {node.name: node for node in PROPERTY.children}
    slots = {}
    for key, column in columns_of(array).items():
        there = mask & valid(column)
        if key in nodes:
            slots[key] = _of_node(nodes[key], column, there, entries.below(key))
        elif there.any():
            at = int(there.argmax())
            entries.call(at, "", plain.know, entries.structure, "", {key: None}, nodes)
    values: list[Any] = [None] * len(array)
    for at in np.flatnonzero(mask).tolist():
        given = {key: items[at] for key, items in slots.items() if items[at] is not None}
        values[at] = entries.call(at, "", _property, entries.structure, given)
    return values


def _property(structure: str, given: dict[str, Any]) -> PropertyValue:
    """Return a property value; the class of the record checks whether the value fits the type.

    Raises:
        EncodeError: There is no such type, or its value is not the only one.
    """
    vt = given.pop("vt", None)
    if vt not in READERS:
        expected = "a known variant type"
        raise EncodeError(
            wrong_value(expected, vt), structure=structure, path=".vt", expected=expected, actual=vt
        )
    slot = SLOTS.get(vt, "")
    if [*given] != [slot] * bool(slot):
        expected, actual = slot or "no value", ", ".join(given) or "no value"
        problem = f"expected {expected} for the type {vt:#x}, got {actual}"
        raise EncodeError(problem, structure=structure, path="", expected=expected, actual=actual)
    value: Any = given.get(slot)
    if vt == _VARIANTS:
        try:
            return PropertyValue.decode(vt, value)
        except MsmqWireError as error:
            raise EncodeError(str(error), structure=structure, path="", actual=value) from None
    if vt == VARTYPE.VT_UI8:
        value = _unsigned(value)
    elif vt == VARTYPE.VT_UI8 | VARTYPE.VT_VECTOR:
        value = tuple(map(_unsigned, value))
    return PropertyValue(vt, value)


def _unsigned(number: Any) -> Any:
    """Return a number of 64 bits, of which a column of signed numbers has the two's complement."""
    return number + (1 << 64) if isinstance(number, int) and number < 0 else number
