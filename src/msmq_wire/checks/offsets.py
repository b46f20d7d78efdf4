"""Offsets of fields; the size of the fields before a field is computed once and cached."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.records.record import Record, size_of_record
from msmq_wire.records.record_spans import element_size, field_size

if TYPE_CHECKING:
    from msmq_wire.records.model import Field, Structure


class Inside(NamedTuple):
    """A step into a byte field that contains a structure."""

    offset: int
    record: Any


Step = str | int | Inside
"""The name of a field or group, the index of an element, or a structure inside bytes."""


def path_of(trail: tuple[Step, ...]) -> str:
    """Return the steps as a dotted path; a structure inside bytes adds no step."""
    path = ""
    for step in trail:
        if isinstance(step, str):
            path += f".{step}" if path else step
        elif isinstance(step, int):
            path += f"[{step}]"
    return path


def offset_of(record: Any, trail: tuple[Step, ...]) -> int:
    """Return the offset of a field; for an absent field, its expected offset."""
    return OffsetCache(record).offset_of(trail)


@cache
def _fixed_sizes(structure: Structure) -> tuple[tuple[Field, int | None], ...]:
    """Return the fields of a structure, each with its size if that is the same in every record."""
    return tuple((field, field.kind.fixed_size) for field in structure.fields)


class OffsetCache:
    """Offsets of fields in one record, with caches.

    The caches use identity, which is safe while the outermost record is referenced.
    """

    def __init__(self, packet: Any) -> None:
        self.packet = packet
        self._fields: dict[int, dict[str, int]] = {}
        self._elements: dict[int, list[int]] = {}
        self._sizes: dict[int, int] = {}

    def offset_of(self, trail: tuple[Step, ...]) -> int:
        """Return the offset of a field; for an absent field, its expected offset."""
        offset = 0
        here, field = self.packet, None
        for step in trail:
            if isinstance(step, Inside):
                offset, here = offset + step.offset, step.record
            elif isinstance(step, int):
                offset += self._before_elements(field, here)[min(step, len(here))]
                here = here[step] if step < len(here) else None
            elif isinstance(here, Record):
                offset += self._before_fields(here)[step]
                field = here.layout.by_name[step]
                here = getattr(here, step)
            # Else a group of a flags word, or a field inside an absent part.
        return offset

    def _before_fields(self, record: Any) -> dict[str, int]:
        offsets = self._fields.get(id(record))
        if offsets is None:
            offsets, at = {}, 0
            for field, size in _fixed_sizes(record.layout):
                offsets[field.name] = at
                value = getattr(record, field.name)
                if value is not None:
                    at += self._size(field, value) if size is None else size
            self._fields[id(record)] = offsets
            self._sizes[id(record)] = at
        return offsets

    def _before_elements(self, field: Field | None, elements: Any) -> list[int]:
        offsets = self._elements.get(id(elements))
        if offsets is None:
            offsets, at = [0], 0
            for element in elements:
                is_record = isinstance(element, Record)
                at += self._record_size(element) if is_record else element_size(field, element)
                offsets.append(at)
            self._elements[id(elements)] = offsets
        return offsets

    def _record_size(self, record: Any) -> int:
        offsets = self._sizes.get(id(record))
        if offsets is None:
            offsets = self._sizes[id(record)] = size_of_record(record)
        return offsets

    def _size(self, field: Field, value: Any) -> int:
        """Return the size of a field in bytes."""
        if isinstance(value, Record):
            return self._record_size(value)
        if field.element or field.identifiers:
            return self._before_elements(field, value)[-1]
        return field_size(field, value)
