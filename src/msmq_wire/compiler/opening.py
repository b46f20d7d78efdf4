"""The constants that distinguish packets by their first bytes, from the rows of `relations.OPENING`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.definitions import relations

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from msmq_wire.records.model import Structure


def constants_of(name: str, path: str, structures: Mapping[str, Structure]) -> Iterator[tuple[str, str]]:
    """Yield the names and the values, as source, of the constants of a row whose path resolves."""
    owner, _, rest = path.partition(".")
    structure = structures[owner]
    group = structure.group(rest)
    if group:
        yield name, f"{group.mask:#x}"
    elif rest:
        if offset := structure.offset_of(rest):
            yield f"{name}_AT", str(offset)
        if path in relations.DEFAULTS:
            yield name, f"{relations.DEFAULTS[path]:#x}"
    else:
        yield f"{name}_SIZE", str(structure.least_size)
        read = {field for field in structure.by_name if f"{owner}.{field}" in relations.OPENING.values()}
        if len(read) > 1:
            yield f"{name}_FORMAT", f'"{_format(structure, read)}"'


def row_of(constant: str) -> str:
    """Return the name of the row of a constant; empty if there is none."""
    rows = (name for name in relations.OPENING if constant == name or constant.startswith(f"{name}_"))
    return max(rows, key=len, default="")


def _format(structure: Structure, wanted: Collection[str]) -> str:
    """Return the format with which `struct` reads some fields of a structure and skips the others."""
    parts, end = [], 0
    for item in structure.fields:
        if item.name in wanted and item.kind.is_number:
            start = structure.offset_of(item.name)
            parts += ["x" * (start - end), item.kind.code]
            end = start + item.least_size
    return f"<{''.join(parts)}"
