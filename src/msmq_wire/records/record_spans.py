"""The fields of complete records with their offsets and sizes, without reading their bytes.

A structure is taken apart in steps, which are made once from its layout.
"""

from __future__ import annotations

import sys
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import astuple

from msmq_wire.values.limits import DEFAULT_LIMITS
from msmq_wire.values.properties.values import size_of_values

from .registry import is_record
from .spans import MORE, FieldSpan

if TYPE_CHECKING:
    from .model import Field, Structure
    from .record import Record

_ONE, _PART, _RECORDS, _VALUES = range(4)
"""The contents of a field: a single value, a structure, an array of structures, property values."""


class _Step(NamedTuple):
    """A field, its contents, and its size if that is the same in every record."""

    name: str
    field: Field
    form: int
    size: int | None


@cache
def _steps(structure: Structure) -> tuple[_Step, ...]:
    return tuple(_Step(field.name, field, _form(field), field.kind.fixed_size) for field in structure.fields)


def _form(field: Field) -> int:
    if field.structures:
        return _RECORDS if field.element else _PART
    return _VALUES if field.identifiers else _ONE


# -------------------------------------------------------------------------------------------------- sizes


def element_size(field: Field | None, element: Any) -> int:
    """Return the size of an element of an array in bytes."""
    if is_record(element):
        return int(element._size())
    return size_of_values((element,)) if field is None or field.identifiers else field.kind.unit


def field_size(field: Field, value: Any) -> int:
    """Return the size of a field in bytes; 0 if it is absent."""
    if value is None:
        return 0
    if is_record(value):
        return int(value._size())
    if field.element or field.identifiers:
        return sum(element_size(field, element) for element in value)
    return field.kind.size_of(value)


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
    for name, inner, form, fixed in _steps(structure):
        value = getattr(record, name)
        if value is None:
            continue
        if form == _ONE:
            size = inner.kind.size_of(value) if fixed is None else fixed
            spans.append(FieldSpan(f"{path}.{name}", pos, size, value, inner, structure))
            pos += size
        elif form == _PART:
            pos = _add(spans, value, f"{path}.{name}", pos, inner, elements, fields)
        else:
            pos = _add_elements(spans, value, f"{path}.{name}", pos, structure, elements, fields)
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
            size = element_size(None, element)
            spans.append(FieldSpan(inner, pos, size, element, None, owner))
            pos += size
    omitted = values[shown:]
    if omitted:
        size = sum(element_size(None, element) for element in omitted)
        spans.append(FieldSpan(path + MORE, pos, size, len(omitted), None, owner))
        pos += size
    return pos


# ------------------------------------------------------------------------------------------------- leaves


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
    if "[" in prefix:  # elements are not cached: there are too many indices
        paths, rest = _paths(record.layout, "")
        paths, outer = tuple([prefix + path for path in paths]), prefix
    else:
        paths, rest = _paths(record.layout, prefix)
        outer = ""
    values = astuple(record)
    fields.update(zip(paths, values, strict=False))
    if not rest:
        return 0
    omitted = 0
    for (path, inner, form), value in zip(rest, values[len(paths) :], strict=True):
        if value is None:
            continue
        if form == _ONE:
            fields[outer + path] = value
        elif form == _PART:
            omitted += lay_out(value, outer + inner, fields, limit)
        else:
            for index, item in enumerate(value):
                if len(fields) >= limit:
                    omitted += len(value) - index
                    break
                if form == _RECORDS:
                    omitted += lay_out(item, f"{outer}{path}[{index}].", fields, limit)
                else:
                    fields[f"{outer}{path}[{index}]"] = item
    return omitted


@lru_cache(maxsize=512)  # more than the number of paths with structures
def _paths(structure: Structure, prefix: str) -> tuple[tuple[str, ...], tuple[tuple[str, str, int], ...]]:
    """Split a structure into the leading fields that are always present single values, and all others.

    Returns: The paths of the leading fields; the path of each other field, the same with a trailing dot, and
        its contents.
    """
    steps = _steps(structure)
    plain = [step.form == _ONE and not step.field.present for step in steps]
    count = plain.index(False) if False in plain else len(plain)
    paths = [f"{prefix}{step.name}" for step in steps]
    return tuple(paths[:count]), tuple(
        (path, f"{path}.", step.form) for path, step in zip(paths[count:], steps[count:], strict=True)
    )
