"""Rules that are data: the comparison that a rule states for a record, applied to whole columns.

1. `comparison` turns a row of `checks.rules` into a function of a table, so a rule is written once for
   records and columns.
2. Numbers, texts and GUIDs are compared without making a record or an object for each row.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from msmq_wire.records.model import Flags, Nested
from msmq_wire.values.guid import GUID
from msmq_wire.values.wchar import to_wchars

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa
    from numpy.typing import NDArray

    from msmq_wire.checks.rules import Comparison, Rule
    from msmq_wire.records.model import Structure

    from .table import Mask, Table

_MOST: int = np.iinfo(np.uint16).max


class Unchecked(Exception):
    """A rule has no column test."""


class Compared(NamedTuple):
    """A comparison of columns.

    Attributes:
        columns: The columns that it needs.
        part: The part that it reads; rows without this part are not compared.
        holds: Returns the rows for which the comparison holds.
    """

    columns: tuple[str, ...]
    part: str
    holds: Callable[[Table], Mask]


def comparison(structure: Structure, prefix: str, each: Comparison | Rule) -> Compared:
    """Return a comparison of a structure's fields as one of columns.

    Args:
        structure: The structure.
        prefix: The path of the structure in the packet.
        each: The comparison, or a rule that is a comparison.

    Raises:
        Unchecked: There is no such comparison of columns.
    """
    compared = _comparison(structure, prefix, each)
    field, group = structure.at(each.path)
    if field.present is None or group is not None or each.operator in {"is there", "is absent"}:
        return compared
    path, holds, unlike = join(prefix, each.path), compared.holds, each.operator in {"!=", "not in"}

    def holds_there(table: Table) -> Mask:
        """An absent field differs from each value, as in a record."""
        there = table.there(path)
        return holds(table) if there is None else np.where(there, holds(table), unlike)

    return compared._replace(holds=holds_there)


def _comparison(structure: Structure, prefix: str, each: Comparison | Rule) -> Compared:
    path, operator, value = join(prefix, each.path), each.operator, each.value
    part = path.rpartition(".")[0]
    if operator in {"is there", "is absent"}:
        inner = structure.at(each.path)[0].kind_as(Nested)  # the decoder ensures other parts
        return Compared((leaf(inner.structure, path),), "", lambda table: _present(table, path, operator))
    if operator == "empty or ends with null":
        return Compared((path,), part, lambda table: ended(table.bytes_of(path)))
    if operator == "at least field":
        other = join(prefix, value)
        return Compared((path, other), part, lambda table: table.values(path) >= table.values(other))
    if isinstance(value, str) and operator in {"==", "!="}:
        wanted, is_equal = to_wchars(value), operator == "=="
        return Compared((path,), part, lambda table: _is_text(table, path, wanted) == is_equal)
    if isinstance(value, GUID):
        halves, same = np.frombuffer(value.bytes_le, "<u8"), operator == "=="
        return Compared((path,), part, lambda table: _same(table.halves(path), halves) == same)
    if operator not in _SIGNS or (isinstance(value, frozenset) and max(value) >= _MOST):
        raise Unchecked
    field, group = structure.at(each.path)
    word = field.kind if isinstance(field.kind, Flags) and group is None else None
    return Compared((path,), part, lambda table: _SIGNS[operator](table.values(path, word), value))


# ------------------------------------------------------------------------------------------- operators


@cache
def _known(numbers: frozenset[int]) -> Mask:
    """Return a lookup table of 16-bit numbers; the last entry stands for all larger numbers."""
    is_member = np.zeros(_MOST + 1, np.bool_)
    is_member[[*numbers]] = True
    return is_member


def among(values: NDArray[Any], numbers: frozenset[int]) -> Mask:
    """Return which values are among the numbers, all of which have 16 bits."""
    if len(values) and (first := values[0]) == values.max() == values.min():  # most columns have one value
        return np.full(len(values), int(first) in numbers)
    is_member: Mask = _known(numbers)[
        values if values.itemsize <= 2 else np.minimum(values, _MOST)
    ]  # 16 bits
    return is_member


_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda values, value: values == value,
    "!=": lambda values, value: values != value,
    "<=": lambda values, value: values <= value,
    "in": among,
    "not in": lambda values, numbers: ~among(values, numbers),
    "within": lambda values, bounds: (values >= bounds[0]) & (values <= bounds[1]),
    "with bits": lambda values, mask: values & mask != 0,
    "without bits": lambda values, mask: values & mask == 0,
}
"""Comparisons of number columns."""


def _is_text(table: Table, path: str, wanted: bytes) -> Mask:
    """Return which texts equal this one; bytes are compared only if length and first bytes are equal."""
    same: Mask = table.lengths(path) == len(wanted)
    same &= table.begins(path) == np.frombuffer(wanted.ljust(4, b"\0"), "<i4", 1)[0]
    return same & ~table.each(path, lambda data: data != wanted) if same.any() else same


def _same(halves: NDArray[np.uint64], wanted: NDArray[np.uint64]) -> Mask:
    same: Mask = (halves[:, 0] == wanted[0]) & (halves[:, 1] == wanted[1])
    return same


def _present(table: Table, path: str, operator: str) -> Mask:
    there = table.there(path)
    if there is None:
        there = ~table.nowhere()
    return there if operator == "is there" else ~there


def ended(texts: pa.BinaryArray) -> Mask:
    """Return which texts are empty or have exactly one null character, at their end."""
    bounds = np.frombuffer(texts.buffers()[1], "<i4", len(texts) + 1, 4 * texts.offset) >> 1
    is_null = np.frombuffer(texts.buffers()[2] or b"", "<u2", int(bounds[-1])) == 0
    begins, ends = bounds[:-1], bounds[1:]
    lasts = (ends if (begins < ends).all() else ends[begins < ends]) - 1
    if is_null[lasts].all() and np.count_nonzero(is_null) == len(lasts):
        return np.ones(len(texts), np.bool_)
    nulls = np.flatnonzero(is_null)
    first, behind = np.searchsorted(nulls, begins), np.searchsorted(nulls, ends)
    last = np.searchsorted(nulls, ends - 1)
    good: Mask = (begins == ends) | ((behind - first == 1) & (last == first))
    return good


# ------------------------------------------------------------------------------------------- paths


def join(prefix: str, path: str) -> str:
    """Return the path of a part of the structure at `prefix`, which is "" for the whole packet."""
    return f"{prefix}.{path}" if prefix else path


def leaf(structure: Structure, prefix: str) -> str:
    """Return a column of a part that indicates whether the part is present."""
    field = structure.fields[0]
    path = join(prefix, field.name)
    return leaf(field.part, path) if field.part else path
