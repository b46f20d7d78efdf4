"""The fields of a complete record by path, structures aside, as the slow reader lists those that it reads."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec.structs import astuple

from msmq_wire.values.limits import DEFAULT_LIMITS

from .model import Choice, Items, Nested, Structure, Values

if TYPE_CHECKING:
    from .record import Record

__all__ = ["lay_out", "leaves"]


def leaves(record: Record, limit: int = DEFAULT_LIMITS.lax_fields) -> tuple[dict[str, Any], int]:
    """Every field of a record that is not a structure, by its dotted path, in page order.

    Elements of arrays that follow so many fields are omitted.

    Returns:
        The fields, and how many elements were omitted.
    """
    found: dict[str, Any] = {}
    return found, lay_out(record, "", found, limit)


def lay_out(record: Any, prefix: str, found: dict[str, Any], limit: int) -> int:
    """Add the fields of a record to `found`, with a path prefix; return the number of omitted elements."""
    if "[" in prefix:  # elements are not cached: there are too many indices
        paths, rest = _fields(record.layout, "")
        paths, outer = tuple([prefix + path for path in paths]), prefix
    else:
        paths, rest = _fields(record.layout, prefix)
        outer = ""
    values = astuple(record)
    found.update(zip(paths, values, strict=False))
    left_out = 0
    for (name, kind), value in zip(rest, islice(values, len(paths), None), strict=True) if rest else ():
        if value is None:
            continue
        path = outer + name
        if kind is None:
            found[path] = value
        elif kind is Nested:
            left_out += lay_out(value, f"{path}.", found, limit)
        else:
            for index, item in enumerate(value):
                if len(found) >= limit:
                    left_out += len(value) - index
                    break
                if kind is Items:
                    left_out += lay_out(item, f"{path}[{index}].", found, limit)
                else:
                    found[f"{path}[{index}]"] = item
    return left_out


@lru_cache(maxsize=512)  # more than the number of paths with structures
def _fields(structure: Structure, prefix: str) -> tuple[tuple[str, ...], tuple[tuple[str, Any], ...]]:
    """Split a structure into the leading fields that are always present single values, and all others.

    Returns: The paths of the leading fields; for each other field the path, and its kind (None for a
    single value).
    """
    steps = [(f"{prefix}{field.name}", _made_of(field.kind)) for field in structure.fields]
    plain = [
        made_of is None and not field.present
        for (_, made_of), field in zip(steps, structure.fields, strict=True)
    ]
    count = plain.index(False) if False in plain else len(plain)
    return tuple(path for path, _ in steps[:count]), tuple(steps[count:])


def _made_of(kind: Any) -> Any:
    if isinstance(kind, (Nested, Choice)):
        return Nested
    return type(kind) if isinstance(kind, (Items, Values)) else None
