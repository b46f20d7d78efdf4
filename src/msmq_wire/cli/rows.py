"""Selecting the columns of tables, and formatting rows as JSON lines or as a table.

A path is a column or a dotted path into a header, with the field names of the documents; into the structs of
a list; or to the value that a map has for a key.
"""

from __future__ import annotations

import csv
import datetime as dt
import difflib
import io
import json
import unicodedata
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.events import EVENT_SCHEMAS, ZEEK_TEXT, ZeekLog, event_of, scalar
from msmq_wire.captures.tables import PACKETS
from msmq_wire.views.texts import padded, printable, text_width

from .outcome import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

ADDRESSES: Final = frozenset({"src", "dst", "host", "address", "addresses"})
"""The columns with addresses."""
_WIDEST: Final = 44
"""The most characters of a value, if the values do not fit the terminal as they are."""
_PADDED: Final = 100
"""The maximum number of characters to which values of a column are padded."""
_NARROWEST: Final = {"destination": 24}
"""The number of characters to which a column of text is narrowed; `_NARROW` for other columns."""
_NARROW: Final = 12
_TIME_WIDTHS: Final = (23, 19)
"""A time to a millisecond, and to a second."""
_GAP: Final = "  "
_ELLIPSIS: Final = "..."


def paths_of(schema: pa.Schema) -> Iterator[str]:
    """Yield all paths into the columns of a table."""

    def within(name: str, kind: pa.DataType) -> Iterator[str]:
        yield name
        kind = kind.value_type if pa.types.is_list(kind) else kind
        if pa.types.is_struct(kind):
            for field in kind:
                yield from within(f"{name}.{field.name}", field.type)

    for field in schema:
        yield from within(field.name, field.type)


def kind_at(schema: pa.Schema, path: str) -> pa.DataType:
    """Return the type at a path; within a list it is a list of the type in each element.

    Raises:
        OptionError: There is no such field.
    """
    name, *inner = path.split(".")
    kind = _kind_within(schema.field(name).type, inner) if name in schema.names else None
    if kind is None:
        paths = [*paths_of(schema)]
        near = [path_known for path_known in paths if path_known.lower().endswith(f".{path.lower()}")][:3]
        near = near or difflib.get_close_matches(path, paths, 3)
        if near:
            hint = f"; did you mean {' or '.join(near)}?"
        elif inner and path in paths_of(PACKETS):
            hint = "; the fields of headers are columns of msmq-wire packets"
        else:
            hint = f"; expected one of {', '.join(schema.names)}"
        raise OptionError(f"there is no field {path!r}{hint}")
    return kind


def _kind_within(kind: pa.DataType, steps: Sequence[str]) -> pa.DataType | None:
    """Return the type at a path into a column; None if there is no such field."""
    if not steps:
        return kind
    if pa.types.is_list(kind):
        element = _kind_within(kind.value_type, steps)
        return None if element is None else pa.list_(element)
    if pa.types.is_map(kind):
        return kind.item_type
    index = kind.get_field_index(steps[0]) if pa.types.is_struct(kind) else -1
    return _kind_within(kind.field(index).type, steps[1:]) if index >= 0 else None


def column_at(batch: pa.RecordBatch, path: str) -> Any:
    """Return the column or field at a path, of the type that `kind_at` returns."""
    name, *inner = path.split(".")
    return _column_within(batch.column(name), inner)


def _column_within(column: Any, steps: Sequence[str]) -> Any:
    if not steps:
        return column
    if pa.types.is_list(column.type):
        ends = np.cumsum(pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False))
        absent = np.append(column.is_null().to_numpy(zero_copy_only=False), False)
        starts = pa.array(np.append(0, ends).astype(np.int32), mask=absent)
        return pa.ListArray.from_arrays(starts, _column_within(pc.list_flatten(column), steps))
    if pa.types.is_map(column.type):  # its keys may have points
        return pc.map_lookup(column, ".".join(steps), "first")
    return _column_within(pc.struct_field(column, steps[0]), steps[1:])


# ------------------------------------------------------------------------------------------ output

_FORMULAS: Final = frozenset("=+-@")
"""The characters with which formulas begin in spreadsheets, which also take wide forms of them."""
_SORTED_ROWS: Final = 1024
MAX_SORTED: Final = 256 << 20
"""Maximum size of rows to sort, in bytes."""


def by_time(batches: Iterable[pa.RecordBatch], columns: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
    """Yield all rows in the order of their times, those without a time last.

    Args:
        batches: The rows.
        columns: The columns that are needed beside the time; None for all.

    Raises:
        OptionError: The rows are larger than `MAX_SORTED`.
    """
    pending: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        pending.append(batch if columns is None else batch.select([*{"time": 0} | dict.fromkeys(columns)]))
        size += pending[-1].nbytes
        if size > MAX_SORTED:
            raise OptionError(
                f"the rows are larger than {MAX_SORTED >> 20} MiB, too large to sort: choose some with "
                "--where and --fields, or sort the table of msmq-wire tables"
            )
    if pending:
        yield from pa.Table.from_batches(pending).sort_by("time").to_batches(max_chunksize=_SORTED_ROWS)


def ordered(rows: pa.Table, keys: Sequence[tuple[str, str]]) -> pa.Table:
    """Return rows in the order of some columns, each with its direction; addresses by their numbers."""
    order = pa.table({name: rows.column(name) for name, _ in keys})
    for name in ADDRESSES.intersection(order.column_names):
        numbers = pa.array([*map(_number, order.column(name).to_pylist())], pa.binary())
        order = order.set_column(order.column_names.index(name), name, numbers)
    return rows.take(pc.sort_indices(order, sort_keys=[*keys]))


def _number(address: str | None) -> bytes | None:
    """Return the bytes of an address, IPv4 before IPv6."""
    if address is None:
        return None
    packed = ip_address(address).packed
    return bytes([len(packed)]) + packed


def selected(fields: Sequence[str], schema: pa.Schema) -> Callable[[pa.RecordBatch], pa.RecordBatch]:
    """Create a function that selects fields, each as a column with its path as the name.

    Raises:
        OptionError: There is no such field.
    """
    for path in fields:
        kind_at(schema, path)

    def select(batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays([column_at(batch, path) for path in fields], names=[*fields])

    return select


def _bare(value: Any) -> Any:
    """Convert a value to JSON types without absent values; bytes become hexadecimal, times ISO 8601."""
    match value:
        case dict():
            return {name: _bare(item) for name, item in value.items() if item is not None}
        case list():
            if value and all(isinstance(item, tuple) for item in value):  # a map
                return {str(name): _bare(item) for name, item in value}
            return [_bare(item) for item in value]
        case bytes():
            return value.hex()
    return scalar(value)


def json_lines(batch: pa.RecordBatch) -> Iterator[str]:
    """Yield one JSON line for each row, without absent values."""
    maps = [field.name for field in batch.schema if pa.types.is_map(field.type)]
    for row in batch.to_pylist():
        yield _line(_bare(row | {name: dict(row[name]) for name in maps if row[name] is not None}))


def lines_of(schema: str, table: str) -> Callable[[pa.RecordBatch], Iterator[str]]:
    """Return the function that yields JSON lines of rows of a table, or the lines of a log of Zeek.

    Args:
        schema: ``own`` for the names of columns, or one of `EVENT_SCHEMAS`.
        table: The table.
    """
    if schema not in EVENT_SCHEMAS:
        return json_lines
    if schema == ZEEK_TEXT:
        return _log_lines(table)
    event = event_of(schema, table)
    return lambda batch: (_line(event(row)) for row in batch.to_pylist())


def _log_lines(table: str) -> Callable[[pa.RecordBatch], Iterator[str]]:
    log: ZeekLog | None = None

    def lines(batch: pa.RecordBatch) -> Iterator[str]:
        nonlocal log
        if log is None:
            log = ZeekLog(table, batch.schema)
            yield log.header
        yield from map(log.line, batch.to_pylist())

    return lines


def _line(value: Any) -> str:
    return printable(json.dumps(value, ensure_ascii=False), in_json=True) + "\n"


def csv_lines() -> Callable[[pa.RecordBatch], Iterator[str]]:
    """Create a function that formats batches as CSV, with a header before the first.

    Items of lists are joined by semicolons, and counts by value are texts such as ``sent=2; refused=1``.  A
    text that a spreadsheet may take for a formula, also behind a semicolon, has an apostrophe before it,
    because senders choose labels and names of queues.
    """
    begun = False

    def lines(batch: pa.RecordBatch) -> Iterator[str]:
        nonlocal begun
        if not begun:
            begun = True
            yield _csv(batch.schema.names)
        for row in batch.to_pylist():
            yield _csv([_csv_cell(value) for value in row.values()])

    return lines


def _csv_cell(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(item, tuple) for item in value):
        return "; ".join(f"{name}={count}" for name, count in value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    bare = _bare(value)
    return json.dumps(bare, ensure_ascii=False) if isinstance(bare, (dict, list, bool)) else bare


def _csv(cells: Sequence[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(
        [_inert(printable(cell)) if isinstance(cell, str) else cell for cell in cells]
    )
    return text.getvalue() + "\n"


def _inert(text: str) -> str:
    """Where the comma is a decimal sign, spreadsheets begin a cell at a semicolon, also within quotes."""
    return ";".join(
        f"'{part}" if unicodedata.normalize("NFKC", part[:1]) in _FORMULAS else part
        for part in text.split(";")
    )


def table_lines(
    room: int | None = None, expendable: Sequence[str] = ()
) -> Callable[[pa.RecordBatch], Iterator[str]]:
    """Create a function that formats batches as a table; the first batch determines the column widths.

    Args:
        room: The width of the terminal, or None for a table of any width, in which no value is cut.
        expendable: The columns to omit, in this order, if the others are too wide when narrowed.
    """
    widths: dict[str, int] = {}
    narrowed = False

    def lines(batch: pa.RecordBatch) -> Iterator[str]:
        nonlocal narrowed
        rows = [{name: _cell(value) for name, value in row.items()} for row in batch.to_pylist()]
        if not widths:
            columns = {name: [name, *(row[name] for row in rows)] for name in batch.schema.names}
            wide = {name: max(map(text_width, texts)) for name, texts in columns.items()}
            widths.update({name: min(most, _PADDED) for name, most in wide.items()})
            if room is not None and sum(wide.values()) + len(_GAP) * (len(wide) - 1) > room:
                widths.update({name: min(most, _WIDEST) for name, most in wide.items()})
                _fit(widths, batch.schema, room, expendable)
            narrowed = room is not None and widths != wide
            yield _joined([*widths], widths.values())
        for row in rows:
            line = _joined([row[name] for name in widths], widths.values())
            if narrowed or (room is not None and text_width(line) > room + len("\n")):
                cells = [_cut(row[name], batch.schema.field(name), most) for name, most in widths.items()]
                line = _joined(cells, widths.values())
            yield line

    return lines


def _least(field: pa.Field, width: int) -> int:
    """Return the width to which a column can be narrowed; numbers and addresses are never narrowed."""
    if pa.types.is_timestamp(field.type):
        return min(width, _TIME_WIDTHS[-1])
    if field.name in ADDRESSES or _is_number(field.type):
        return width
    return min(width, max(len(field.name), _NARROWEST.get(field.name, _NARROW)))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_decimal(kind) or pa.types.is_boolean(kind))


def _fit(widths: dict[str, int], fields: Iterable[pa.Field], room: int, expendable: Sequence[str]) -> None:
    """Omit columns and narrow others, the widest first, until they fit the terminal, if possible."""
    room += len(_GAP)
    times = {field.name for field in fields if pa.types.is_timestamp(field.type)}
    least = {field.name: _least(field, widths[field.name]) for field in fields}
    for name in expendable:
        if sum(least[name] + len(_GAP) for name in widths) > room:
            widths.pop(name, None)
    while sum(widths.values()) + len(_GAP) * len(widths) > room:
        widest = max(widths, key=lambda name: widths[name] - least[name] and widths[name])
        if widths[widest] == least[widest]:
            break
        widths[widest] = _narrower(widths[widest], widest in times)


def _narrower(width: int, time: bool) -> int:
    return next((step for step in _TIME_WIDTHS if step < width), width) if time else width - 1


def _cut(cell: str, field: pa.Field, columns: int) -> str:
    if pa.types.is_timestamp(field.type):
        return cell[:columns]
    if text_width(cell) <= columns or field.name in ADDRESSES or _is_number(field.type):
        return cell
    end = columns - len(_ELLIPSIS)
    while text_width(cell[:end]) > columns - len(_ELLIPSIS):
        end -= 1
    return cell[:end] + _ELLIPSIS


def _cell(value: Any) -> str:
    bare = _bare(value)
    if isinstance(bare, (dict, list)):
        bare = json.dumps(bare, ensure_ascii=False)
    elif isinstance(bare, bool):
        bare = "yes" if bare else "no"
    elif isinstance(value, dt.datetime):
        bare = f"{value:%Y-%m-%d %H:%M:%S.%f}"
    return "" if bare is None else printable(str(bare))


def _joined(cells: Iterable[str], widths: Iterable[int]) -> str:
    return _GAP.join(map(padded, cells, widths)).rstrip() + "\n"
