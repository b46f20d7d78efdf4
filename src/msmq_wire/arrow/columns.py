"""Columns of tables: name, type, sentence, and the function that makes the value of a row.

1. A column is stated once.  Schemas, comments in files, pages of the reference and rows come from it.
2. The function takes an object that is like a packet: its attributes are headers, whose attributes are fields
   and properties, all with their names in the documents and in the records.  That is a record, or one row of
   header columns.
3. Of a packet that was not decoded completely, fields are unknown.  It is read as one row, from a `Part`:
   reading an unknown field raises `Unknown`, and a value that depends on it is null, which `PROBLEMS` tells.
4. Of columns, the function is called once for all rows with equal fields, because names of queues, classes,
   labels and senders repeat from message to message.
"""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.checks.parts import Unknown
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.readings import READINGS
from msmq_wire.records.model import Choice, Guid, Items
from msmq_wire.records.record import record_class
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.guid import GUID

from .distinct import Distinct
from .schema import schema_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from msmq_wire.records.model import Field, Structure


class Copied(NamedTuple):
    """The value is that of a field; null if its header is missing.

    Attributes:
        path: The path of the field.
        factor: The number by which it is multiplied.
    """

    path: str
    factor: int = 1

    def __call__(self, packet: Any) -> Any:
        """Return the value of a record."""
        value = packet
        for step in self.path.split("."):
            value = None if value is None else getattr(value, step)
        return value if value is None or self.factor == 1 else value * self.factor


class Derived(NamedTuple):
    """The value is computed from values of other columns.

    Attributes:
        columns: The names of the other columns.
        function: Returns a tuple of values of a row; they are None if one of the arguments is None.
        arrays: Returns the same tuple of whole columns.
        part: The index of the value in the tuple.
    """

    columns: tuple[str, ...]
    function: Callable[..., tuple[Any, ...]]
    arrays: Callable[..., tuple[pa.Array, ...]]
    part: int


class Joined(NamedTuple):
    r"""The value is the text of other columns, joined by a backslash; null if one of them is null.

    Attributes:
        columns: The names of the other columns.
    """

    columns: tuple[str, ...]


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        name: The name.
        type: The type.
        comment: Its meaning in a sentence, with the meaning of null.
        value: How the value is made: a function of a packet, or another rule.  None if the maker of the table
            provides it.
        reads: The fields that the function reads, by path.  After ``?`` only whether the field is empty
            counts.
        copied: GUIDs among them that the function only copies, in capitals, into its texts.
        same: Two fields: where the second is missing, the value is the first.
        within: A field; where it is missing or zero, the value is null.
        is_partial: Whether the first field of `reads`, if it is truncated, has the part that was captured.
    """

    name: str
    type: pa.DataType
    comment: str
    value: Callable[[Any], Any] | Copied | Derived | Joined | None = None
    reads: tuple[str, ...] = ()
    copied: tuple[str, ...] = ()
    same: tuple[str, str] | None = None
    within: str = ""
    is_partial: bool = False


def PROBLEMS(_: Any) -> None:  # a constant
    """The value of the column that lists the errors of the other columns."""


_HALVES: Final = re.compile("[\ud800-\udfff]")
_KNOWN: Final = 1 << 12
"""The number of cached values of each column."""
_MARKS: Final = tuple(str(GUID.of(uuid4())).upper() for _ in range(2))
"""Random placeholders for GUIDs that are copied, which no packet can contain."""


def writable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot represent."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)


@lru_cache(maxsize=1 << 14)
def guid_text(raw: bytes) -> str:
    """Return the text of a GUID from its bytes on the wire."""
    return str(GUID(raw))


class Columns:
    """Columns of a table that are made from headers.

    Args:
        columns: The columns.

    Attributes:
        columns: The columns.
        fields: The paths of the header columns that they need.
        schema: Names, types and comments.
        truncated: The paths of the fields that have a value in part if they are truncated.

    Raises:
        LookupError: A column reads a field or a column that there is not, or has the name of another one.
    """

    def __init__(self, *columns: Column) -> None:
        self.columns = columns
        for column in columns:
            try:
                _check(column, [each.name for each in columns])
            except LookupError as error:
                raise LookupError(f"{_place(column.name)}{column.name}: {error}") from None
        self.schema: pa.Schema = schema_of(columns)
        self._ordered = sorted(columns, key=lambda column: isinstance(column.value, (Derived, Joined)))
        self._makers = {column.name: _Maker(column) for column in columns if _is_function(column)}
        self.fields = tuple(dict.fromkeys(path for column in columns for path in self.fields_of(column)))
        self.truncated = frozenset(column.reads[0] for column in columns if column.is_partial)
        self._read_by = {column.name: frozenset(map(_field_of, self.fields_of(column))) for column in columns}

    def fields_of(self, column: Column) -> Iterator[str]:
        """Yield the paths of the header columns that a column needs."""
        match column.value:
            case Copied(path):
                yield path
            case Derived(columns) | Joined(columns):
                for other in self.columns:
                    if other.name in columns:
                        yield from self.fields_of(other)
            case _ if column.name in self._makers:
                yield from self._makers[column.name].paths
        yield from filter(None, (*(column.same or ()), column.within))

    # ------------------------------------------------------------------------------------------- one packet

    def row(self, packet: Any, captured: Any = None, doubtful: Iterable[str] = ()) -> dict[str, Any]:
        """Return the values of a packet.

        Args:
            packet: The packet, as a record; a `Part` if it was not decoded completely.
            captured: Such a part with the captured bytes of a truncated field; None if no column needs them.
            doubtful: Paths of the fields that such a part lacks because their offset is uncertain.
        """
        values: dict[str, Any] = {}
        problems: list[str] = []
        unknown: set[str] = set()
        for column in self._ordered:
            packet_read = captured if column.is_partial and captured is not None else packet
            try:
                values[column.name], wrong = self._value(column, packet_read, values)
            except Unknown:
                values[column.name], wrong = None, []
                unknown.add(column.name)
            if values[column.name] is None and isinstance(column.value, (Derived, Joined)):
                unknown |= {column.name} if unknown.intersection(column.value.columns) else set()
            problems += wrong
        problems += self._reasons(unknown, doubtful) if unknown else []
        for column in self.columns:
            if column.value is PROBLEMS:
                values[column.name] = problems
        return {column.name: values[column.name] for column in self.columns}

    def _reasons(self, unknown: Collection[str], doubtful: Iterable[str]) -> Iterator[str]:
        """Yield why columns are null: those with an uncertain offset, and those that were not read."""
        uncertain = {_field_of(path) for path in doubtful}
        names: dict[bool, list[str]] = {True: [], False: []}
        for name, paths in self._read_by.items():
            if name in unknown:
                names[uncertain.isdisjoint(paths)].append(name)
        for is_unread, reason in ((False, "at an uncertain offset"), (True, "not read")):
            if names[is_unread]:
                yield f"{', '.join(names[is_unread])}: {reason}"

    def _value(self, column: Column, packet: Any, row: dict[str, Any]) -> tuple[Any, list[str]]:
        match column.value:
            case Derived(columns, function, _, part):
                given = [row[name] for name in columns]
                return (None if None in given else function(*given)[part]), []
            case Joined(columns):
                given = [row[name] for name in columns]
                return (None if None in given else "\\".join(map(str, given))), []
            case None:
                return None, []
            case function if function is PROBLEMS:
                return None, []
            case function:
                value, problems = _result(column, function, packet)
                return (bool(value) if column.type == pa.bool_() and value is not None else value), problems

    # --------------------------------------------------------------------------------------------- many rows

    def arrays(
        self,
        fields: Mapping[str, pa.Array],
        count: int,
        given: Mapping[str, pa.Array] = MappingProxyType({}),
    ) -> dict[str, pa.Array]:
        """Return the columns of complete packets, in which null means an absent field.

        Args:
            fields: The header columns `fields`, by path, with Spark's types and texts in UTF-8.
            count: The number of rows.
            given: Columns that are already known, by name.
        """
        making = _Making(fields, count)
        arrays: dict[str, pa.Array] = {}
        for column in self._ordered:
            ready = given.get(column.name)
            arrays[column.name] = self._array(column, making, arrays) if ready is None else ready
        for column in self.columns:
            if column.value is PROBLEMS:
                arrays[column.name] = making.problem_lists(column.type)
        return {column.name: arrays[column.name] for column in self.columns}

    def _array(self, column: Column, making: _Making, arrays: Mapping[str, pa.Array]) -> pa.Array:
        match column.value:
            case Copied(path, factor):
                array = making.fields[path]
                if factor != 1:
                    array = pc.multiply(array.cast(pa.int64()), factor)
                return array.cast(column.type)
            case Joined(columns):
                return pc.binary_join_element_wise(
                    *(arrays[name].cast(pa.string()) for name in columns), "\\"
                )
            case Derived() as derived:
                return making.derived(derived, arrays)[derived.part].cast(column.type)
            case None:
                return pa.nulls(making.count, column.type)
        if column.value is PROBLEMS:
            return None
        return self._makers[column.name].array(making)


_FIELD: Final = re.compile(r"\w+(?:\.\w+)?")


@lru_cache(maxsize=_KNOWN)
def _field_of(path: str) -> str:
    """Return the header of a path and the field in it, without what is in the field."""
    match = _FIELD.match(path)
    return match[0] if match else path


def _is_function(column: Column) -> bool:
    value = column.value
    return value is not None and value is not PROBLEMS and not isinstance(value, (Copied, Derived, Joined))


def _result(column: Column, function: Any, packet: Any) -> tuple[Any, list[str]]:
    """Call the function of a column; return the value, and its problems, in sentences."""
    try:
        value = function(packet)
    except MsmqWireError as error:
        return None, [writable(f"{column.name}: {error}")]
    if isinstance(value, str):
        return writable(value), []
    if not isinstance(value, list):
        return value, []
    wrong = [writable(f"{column.name}: {item}") for item in value if isinstance(item, MsmqWireError)]
    kept = [item for item in value if not isinstance(item, MsmqWireError)]
    return [writable(item) if isinstance(item, str) else item for item in kept], wrong


# ----------------------------------------------------------------------------------------- rows of columns


class _Making:
    """The data that columns made from the same rows share.

    Attributes:
        fields: The header columns by path.
        count: The number of rows.
        problems: Values that could not be interpreted, by row.
    """

    def __init__(self, fields: Mapping[str, pa.Array], count: int) -> None:
        self.fields = fields
        self.count = count
        self.problems: defaultdict[int, list[str]] = defaultdict(list)
        self._leaves: dict[_Read, list[_Leaf]] = {}
        self._distinct: dict[tuple[str, ...], tuple[Distinct, list[tuple[Any, ...]]]] = {}
        self._derived: dict[tuple[Any, ...], tuple[pa.Array, ...]] = {}

    def distinct(self, reads: Sequence[_Read]) -> tuple[Distinct, list[tuple[Any, ...]]]:
        """Return the distinct rows of fields, and their values: lists instead of their numbers."""
        key = tuple(path for read in reads for path in read.paths)
        if key not in self._distinct:
            leaves = [leaf for read in reads for leaf in self._coded(read)]
            distinct = Distinct(*(array for array, _ in leaves))
            rows = distinct.values
            for index, (_, lists) in enumerate(leaves):
                if lists is not None:
                    rows = [
                        (*row[:index], None if row[index] is None else lists[row[index]], *row[index + 1 :])
                        for row in rows
                    ]
            self._distinct[key] = distinct, rows
        return self._distinct[key]

    def _coded(self, read: _Read) -> list[_Leaf]:
        """Return the leaves of a field, which several columns read, as dictionaries."""
        if read not in self._leaves:
            self._leaves[read] = [
                (array.dictionary_encode(), lists) for array, lists in read.leaves(self.fields)
            ]
        return self._leaves[read]

    def derived(self, derived: Derived, arrays: Mapping[str, pa.Array]) -> tuple[pa.Array, ...]:
        """Return the columns that are computed together from other columns."""
        key = derived.columns, derived.arrays
        if key not in self._derived:
            self._derived[key] = derived.arrays(*(arrays[name] for name in derived.columns))
        return self._derived[key]

    def some(self, rows: NDArray[np.int64], paths: Iterable[str]) -> _Making:
        """Return some of the rows, with these fields."""
        taken = pa.array(rows)
        fields = {path: self.fields[path].take(taken) for path in paths}
        return _Making(fields, len(rows))

    def problem_lists(self, kind: pa.DataType) -> pa.Array:
        """Return the problems of the rows as a column."""
        sizes = np.zeros(self.count + 1, np.int32)
        for row, texts in self.problems.items():
            sizes[row + 1] = len(texts)
        texts = [text for row in sorted(self.problems) for text in self.problems[row]]
        return pa.ListArray.from_arrays(
            pa.array(sizes.cumsum(dtype=np.int32)), pa.array(texts, kind.value_type)
        )


class _Maker:
    """Makes the values of one column from header columns.

    Attributes:
        paths: The header columns that it needs.
    """

    def __init__(self, column: Column) -> None:
        self._column = column
        self._copied = dict(zip(column.copied, _MARKS, strict=False))
        self._reads = [_read(path) for path in column.reads if path not in self._copied]
        self.paths = (*(path for read in self._reads for path in read.paths), *self._copied)
        self._tree = _tree([*(path for read in self._reads for path in read.attributes), *self._copied])
        self._marks = [GUID.of(mark) for mark in self._copied.values()]
        self._cached = lru_cache(maxsize=_KNOWN)(self._result)

    def array(self, making: _Making) -> pa.Array:
        """Return the values; problems are added by row."""
        column, fields = self._column, making.fields
        if column.same is not None:
            path, other = column.same
            return self._some(making, fields[other].is_valid(), fields[path].cast(column.type))
        if column.within:
            there = pc.fill_null(pc.not_equal(fields[column.within].cast(pa.int64()), 0), False)
            return self._some(making, there, pa.nulls(making.count, column.type))
        return self._all(making)

    def _some(self, making: _Making, chosen: pa.BooleanArray, other: pa.Array) -> pa.Array:
        """Return the values of chosen rows, and for the rest those of another column."""
        rows = np.flatnonzero(chosen.to_numpy(zero_copy_only=False))
        if not len(rows):
            return other
        some = making.some(rows, self.paths)
        values = self._all(some)
        for row, texts in some.problems.items():
            making.problems[int(rows[row])] += texts
        return _replaced(other, rows, values)

    def _all(self, making: _Making) -> pa.Array:
        distinct, rows = making.distinct(self._reads)
        results = [self._cached(row) for row in rows]
        array = distinct.array([value for value, _ in results], self._column.type)
        if any(wrong for _, wrong in results):
            are_wrong = np.array([bool(wrong) for _, wrong in results])[distinct.indices.to_numpy()]
            for row in np.flatnonzero(are_wrong).tolist():
                making.problems[row] += results[distinct.indices[row].as_py()][1]
        return self._unmarked(array, [value for value, _ in results], distinct, making)

    def _result(self, row: tuple[Any, ...]) -> tuple[Any, list[str]]:
        given: list[Any] = []
        at = 0
        for read in self._reads:
            given += read.values(row[at : at + read.width])
            at += read.width
        packet = _like(self._tree, (*given, *self._marks), "")
        return _result(self._column, self._column.value, packet)

    def _unmarked(self, array: pa.Array, values: list[Any], distinct: Distinct, making: _Making) -> pa.Array:
        """Replace the placeholders in texts by the GUIDs of each row."""
        for path, mark in self._copied.items():
            marked = np.array([mark in str(value) for value in values], np.bool_)
            if not marked.any():
                continue
            rows = np.flatnonzero(marked[distinct.indices.to_numpy()])
            taken = pa.array(rows)
            pairs = Distinct(
                array.take(taken) if array.type == pa.string() else distinct.indices.take(taken),
                making.fields[path].take(taken),
            )
            texts = [
                _with_guid(value if isinstance(value, str) else values[value], mark, guid_text(guid).upper())
                for value, guid in pairs.values
            ]
            array = _replaced(array, rows, pairs.array(texts, array.type))
        return array


def _with_guid(value: Any, mark: str, guid: str) -> Any:
    """Replace a placeholder in a text, or in all texts of a list."""
    if isinstance(value, list):
        return [_with_guid(item, mark, guid) for item in value]
    return value.replace(mark, guid)


def _replaced(array: pa.Array, rows: NDArray[np.int64], values: pa.Array) -> pa.Array:
    """Return an array with other values in some rows."""
    indices = np.arange(len(array))
    indices[rows] = len(array) + np.arange(len(rows))
    return pa.concat_arrays([array, values]).take(pa.array(indices))


# ---------------------------------------------------------------------------------- one row, like a packet


@cache
def _class(name: str) -> type:
    """Return the class of objects that are like a structure; other fields raise an error."""
    return type(name, (), {key: property(function) for key, function in READINGS.get(name, {}).items()})


def _tree(paths: Sequence[str]) -> dict[str, Any]:
    """Return the places of values by path, as nested dictionaries."""
    tree: dict[str, Any] = {}
    for index, path in enumerate(paths):
        here = tree
        *steps, last = path.split(".")
        for step in steps:
            here = here.setdefault(step, {})
        here[last] = index
    return tree


def _like(tree: Mapping[str, Any], values: Sequence[Any], name: str) -> Any:
    """Return an object with these values as attributes; None for a part of it without any value."""
    attributes = {
        key: values[inner] if type(inner) is int else _like(inner, values, key) for key, inner in tree.items()
    }
    if name and all(value is None for value in attributes.values()):
        return None
    record = _class(name or "UserMessage")()
    record.__dict__ = attributes
    return record


_Leaf: TypeAlias = "tuple[pa.Array, list[Any] | None]"
"""A column of values, or of numbers of lists, with the lists."""


class _Read:
    """A field as a column.

    Attributes:
        attributes: The paths of the values that `values` returns.
        paths: The header columns that it needs.
        width: The number of columns that `leaves` returns.
    """

    width = 1

    def __init__(self, path: str) -> None:
        self.attributes: tuple[str, ...] = (path,)
        self.paths: tuple[str, ...] = (path,)

    def leaves(self, fields: Mapping[str, pa.Array]) -> list[_Leaf]:
        """Return columns whose values distinguish the values of the field."""
        return [(fields[path], None) for path in self.paths]

    def values(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the values that a record has, from a row of `leaves`."""
        return row


class _Guid(_Read):
    def values(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        return (None if row[0] is None else GUID(row[0]),)


class _Whether(_Read):
    """Only whether the field is empty."""

    def leaves(self, fields: Mapping[str, pa.Array]) -> list[_Leaf]:
        return [(pc.greater(pc.binary_length(fields[path]), 0), None) for path in self.paths]


class _Form(_Read):
    """A field with several forms, and the field that selects one."""

    def __init__(self, path: str, kind: Choice) -> None:
        super().__init__(path)
        self._kind = kind
        self._names = _leaf_names(kind)
        self.attributes = self.paths = (f"{path.rpartition('.')[0]}.{kind.selector}", path)
        self.width = 1 + len(self._names)

    def leaves(self, fields: Mapping[str, pa.Array]) -> list[_Leaf]:
        selector, path = self.paths
        return [(array, None) for array in (fields[selector], *fields[path].flatten())]

    def values(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        selector, *leaves = row
        return selector, _form(self._kind, selector, dict(zip(self._names, leaves, strict=True)))


def _leaf_names(kind: Choice) -> list[str]:
    """Return the names of the columns of a field with several forms, in their order."""
    return [*dict.fromkeys(field.name for form in kind.structures for field in form.fields)]


def _form(kind: Choice, selector: int, values: Mapping[str, Any]) -> Any:
    """Return the record of a field with several forms; None if the selector has no such value."""
    form = kind.forms.get(selector)
    if form is None:
        return None
    converted = ((field.kind.value_class, values[field.name]) for field in form.fields)
    return record_class(form.name).raw(
        *(value if convert is None or value is None else convert(value) for convert, value in converted)
    )


class _List(_Read):
    """A list of names, each in one of several forms."""

    def __init__(self, path: str, kind: Items) -> None:
        super().__init__(path)
        self._element = kind.structure
        (self._field,) = (field for field in kind.structure.fields if isinstance(field.kind, Choice))

    def leaves(self, fields: Mapping[str, pa.Array]) -> list[_Leaf]:
        """Return a number for each list, equal for equal lists, and the lists by number."""
        column = fields[self.paths[0]]
        choice: Any = self._field.kind
        elements, sizes = column.flatten(), pc.list_value_length(column).fill_null(0).to_numpy()
        leaves = elements.field(self._field.name).flatten()
        distinct = Distinct(elements.field(choice.selector), *leaves)
        names = _leaf_names(choice)
        records = [
            self._record(selector, _form(choice, selector, dict(zip(names, values, strict=True))))
            for selector, *values in distinct.values
        ]
        ends = pa.array(np.append(0, sizes.cumsum()).astype(np.int32))
        texts = pc.binary_join(pa.ListArray.from_arrays(ends, distinct.indices.cast(pa.string())), " ")
        encoded = pc.if_else(column.is_valid(), texts, None).dictionary_encode()
        lists = [
            tuple(records[int(code)] for code in text.split()) for text in encoded.dictionary.to_pylist()
        ]
        return [(encoded.indices, lists)]

    def _record(self, selector: int, form: Any) -> Any:
        """Return an element."""
        values = {self._field.kind.selector: selector, self._field.name: form}  # type: ignore[union-attr]  # a choice
        return record_class(self._element.name).raw(
            *(values.get(field.name, b"") for field in self._element.fields)
        )


_STRUCTURES: Final = {"acknowledged": "FinalAckBody"}
"""The structures of properties of packets that are structures, too."""


def _check(column: Column, names: Sequence[str]) -> None:
    """Check what a column reads, given the names of all columns.

    Raises:
        LookupError: There is no such field or column, or another column of this name.
    """
    value = column.value
    if names.count(column.name) > 1:
        raise LookupError("another column has this name")
    for name in value.columns if isinstance(value, (Derived, Joined)) else ():
        if name not in names:
            raise LookupError(f"there is no column {name}")
    copied = (value.path,) if isinstance(value, Copied) else ()
    for path in (*copied, *column.reads, *(column.same or ()), *filter(None, (column.within,))):
        _check_path(path.removesuffix("?"))


def _place(name: str) -> str:
    """Return file and line of the row of a column in the module that is being imported."""
    frame = inspect.currentframe()
    while frame and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    file = Path(frame.f_code.co_filename if frame else __file__)
    row = re.compile(rf'(^\s*|\bColumn\()"{re.escape(name)}",')
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    root = Path(__file__).parents[3]
    shown = file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name
    return next((f"{shown}:{at}: " for at, line in enumerate(lines, 1) if row.search(line)), "")


def _check_path(path: str) -> None:
    """Check that a path is that of a field.

    Raises:
        LookupError: It is not the path of a field.
    """
    first, *steps = path.split(".")
    structure: Any = structures().get(_STRUCTURES.get(first, first))
    if structure is None:
        raise LookupError(f"{path}: there is no structure {first}")
    for index, step in enumerate(steps):
        field = _field(structure, step, path)
        if field.groups and index + 2 == len(steps):
            if steps[-1] not in {group.name for group in field.groups}:
                raise LookupError(f"{path}: {structure.name}.{step} has no group {steps[-1]}")
            return
        structure = field.part or field.element


def _field(structure: Structure | None, name: str, path: str) -> Field:
    """Return a field on a path.

    Raises:
        LookupError: There is none of this name.
    """
    field = structure.by_name.get(name) if structure else None
    if field is None:
        raise LookupError(
            f"{path}: {structure.name if structure else 'the field before'} has no field {name}"
        )
    return field


@cache
def _read(path: str) -> _Read:
    """Return how a field is read from columns."""
    if path.endswith("?"):
        return _Whether(path.removesuffix("?"))
    first, *steps = path.split(".")
    structure, field = structures().get(_STRUCTURES.get(first, first)), None
    for step in steps:
        if structure is None:
            break
        field = _field(structure, step, path)
        structure = field.part
    match field and field.kind:
        case Guid():
            return _Guid(path)
        case Choice() as kind:
            return _Form(path, kind)
        case Items() as kind:
            return _List(path, kind)
    return _Read(path)
