"""The fields of records and of bytes that were read, with their paths, offsets and sizes.

1. The program of a structure, with which the diagnostic reader reads bytes, also takes its records apart.
2. The diagnostic reader logs rows of fields, and records that the compiled decoder read; both are expanded
   here.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import astuple

from msmq_wire.values.limits import DEFAULT_LIMITS
from msmq_wire.values.properties.values import size_of_values

from .registry import is_record, size_of
from .steps import program_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .model import Field, Structure
    from .record import Record
    from .steps import Row


class FieldSpan(NamedTuple):
    """A field and its bytes.

    Attributes:
        path: Dotted path from the outermost structure; array elements have their index in brackets.
        offset: Bytes from the start of the input.
        size: Size of the field in bytes.
        value: The value; None for a structure that starts here.
        field: The layout of the field; None for the outermost structure and for array elements.
        structure: The structure that contains the field, or that starts here.
    """

    path: str
    offset: int
    size: int
    value: Any
    field: Field | None
    structure: Structure

    def cut(self, data: bytes) -> bytes:
        """Return the bytes of the field."""
        return data[self.offset : self.offset + self.size]


MORE = "[+]"
"""Path ending of a span that stands for several array elements; its value is their number."""


UNREAD = "[?]"
"""Path ending of a span for the skipped bytes of a broken part; its value is these bytes."""


# -------------------------------------------------------------------------------------------------- spans


def spans_of(
    record: Record,
    path: str = "",
    offset: int = 0,
    field: Field | None = None,
    *,
    elements: int = sys.maxsize,
    fields: int = sys.maxsize,
) -> list[FieldSpan]:
    """Return the fields of a record, structures included, in wire order.

    Args:
        record: The record.
        path: Its path; by default the name of its structure.
        offset: Its offset.
        field: The field that contains it, if any.
        elements: Number of elements of each array to list; one `MORE` span stands for the others.
        fields: Number of spans after which no further element is listed.
    """
    spans: list[FieldSpan] = []
    _add(spans, record, path or record.layout.name, offset, field, elements, fields)
    return spans


def row_spans(row: Row, prefix: str, pos: int, values: Iterable[Any]) -> Iterator[FieldSpan]:
    """Yield the fields of a row, of which the first have values; `prefix` has a trailing dot."""
    for field, (begin, end), value in zip(row.fields, pairwise(row.offsets), values, strict=False):
        yield FieldSpan(f"{prefix}{field.name}", pos + begin, end - begin, value, field, row.structure)


def _add(
    spans: list[FieldSpan],
    record: Any,
    path: str,
    start: int,
    field: Field | None,
    elements: int,
    fields: int,
) -> int:
    """Append the spans of a record; return the offset after it."""
    structure: Structure = record.layout
    opened, pos = len(spans), start
    spans.append(FieldSpan(path, start, 0, None, field, structure))
    for name, inner, fixed, has_fields, has_elements in program_of(structure).fields:
        value = getattr(record, name)
        if value is None:
            continue
        if has_elements:
            pos = _add_elements(spans, value, f"{path}.{name}", pos, structure, elements, fields)
        elif has_fields:
            pos = _add(spans, value, f"{path}.{name}", pos, inner, elements, fields)
        else:
            size = inner.kind.size_of(value) if fixed is None else fixed
            spans.append(FieldSpan(f"{path}.{name}", pos, size, value, inner, structure))
            pos += size
    spans[opened] = FieldSpan(path, start, pos - start, None, field, structure)
    return pos


def _add_elements(
    spans: list[FieldSpan],
    values: tuple[Any, ...],
    path: str,
    pos: int,
    owner: Structure,
    elements: int,
    fields: int,
) -> int:
    """Append the first elements of an array and one span for the others; return the offset after them."""
    shown = 0
    for index, element in enumerate(values[:elements]):
        if len(spans) >= fields:
            break
        shown += 1
        inner = f"{path}[{index}]"
        if is_record(element):
            pos = _add(spans, element, inner, pos, None, elements, fields)
        else:
            size = _element_size(None, element)
            spans.append(FieldSpan(inner, pos, size, element, None, owner))
            pos += size
    omitted = values[shown:]
    if omitted:
        size = sum(_element_size(None, element) for element in omitted)
        spans.append(FieldSpan(path + MORE, pos, size, len(omitted), None, owner))
        pos += size
    return pos


# ---------------------------------------------------------------------------------------- fields by path


def leaves(record: Record, limit: int = DEFAULT_LIMITS.lax_fields) -> tuple[dict[str, Any], int]:
    """Every field of a record that is not a structure, by its dotted path, in page order.

    Elements of arrays after this many fields are omitted.

    Returns:
        The fields, and the number of omitted elements.
    """
    fields: dict[str, Any] = {}
    return fields, lay_out(record, "", fields, limit)


def lay_out(record: Any, prefix: str, fields: dict[str, Any], limit: int) -> int:
    """Add the fields of a record to `fields`, with a path prefix; return the number of omitted elements."""
    paths, others = _paths(record.layout, prefix)
    values = astuple(record)
    fields.update(zip(paths, values, strict=False))
    omitted = 0
    if others:
        for (path, inner, has_elements), value in zip(others, values[len(paths) :], strict=True):
            if value is None:
                continue
            if has_elements:
                omitted += _lay_out_elements(value, path, fields, limit)
            elif inner:
                omitted += lay_out(value, inner, fields, limit)
            else:
                fields[path] = value
    return omitted


def _lay_out_elements(values: tuple[Any, ...], path: str, fields: dict[str, Any], limit: int) -> int:
    """Add the elements of an array as long as there is room; return the number of omitted elements."""
    omitted = 0
    for index, element in enumerate(values):
        if len(fields) >= limit:
            return omitted + len(values) - index
        if is_record(element):
            omitted += lay_out(element, f"{path}[{index}].", fields, limit)
        else:
            fields[f"{path}[{index}]"] = element
    return omitted


@lru_cache(maxsize=1024)  # more than the paths with structures, so those of short lists stay
def _paths(structure: Structure, prefix: str) -> tuple[tuple[str, ...], tuple[tuple[str, str, bool], ...]]:
    """Return the paths of the leading fields that are always present single values, and of all others.

    The latter each with the prefix of its own fields, empty if it has none, and whether it has elements.
    """
    program = program_of(structure)
    leading, others = program.fields[: program.leading], program.fields[program.leading :]
    return tuple([prefix + field.name for field in leading]), tuple(
        [
            (prefix + field.name, f"{prefix}{field.name}." if field.has_fields else "", field.has_elements)
            for field in others
        ]
    )


# ------------------------------------------------------------------------------------------------ offsets


def field_offsets(record: Record, elements_in: Callable[[Field, Any], list[int]]) -> dict[str, int]:
    """Return the offset of each field in a record; for an absent field, its expected offset.

    Args:
        record: The record.
        elements_in: Returns what `element_offsets` returns.
    """
    offsets: dict[str, int] = {}
    pos = 0
    for name, field, fixed, has_fields, has_elements in program_of(record.layout).fields:
        offsets[name] = pos
        value = getattr(record, name)
        if value is None:
            continue
        if fixed is not None:
            pos += fixed
        elif has_elements:
            pos += elements_in(field, value)[-1]
        else:
            pos += size_of(value) if has_fields else field.kind.size_of(value)
    return offsets


def element_offsets(field: Field | None, elements: Iterable[Any]) -> list[int]:
    """Return the offset of each element in an array, and the size of the array."""
    return [*accumulate((_element_size(field, element) for element in elements), initial=0)]


def _element_size(field: Field | None, element: Any) -> int:
    if is_record(element):
        return size_of(element)
    return size_of_values((element,)) if field is None or field.identifiers else field.kind.unit
