"""Offsets of fields; those in one structure or array are computed once and cached."""

from __future__ import annotations

from typing import Any, NamedTuple

from msmq_wire.records.record import UNWRITABLE, Record, cannot_be_written
from msmq_wire.records.spans import element_offsets, field_offsets


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


class OffsetCache:
    """Offsets of fields in one record, with a cache.

    The cache uses identity, which is safe while the outermost record is referenced.
    """

    def __init__(self, packet: Any) -> None:
        self.packet = packet
        self._cached: dict[int, Any] = {}

    def offset_of(self, trail: tuple[Step, ...]) -> int:
        """Return the offset of a field; for an absent field, its expected offset.

        Raises:
            EncodeError: A value cannot be encoded.
        """
        offset = 0
        here, field = self.packet, None
        for step in trail:
            if isinstance(step, Inside):
                offset, here = offset + step.offset, step.record
            elif isinstance(step, int):
                offset += self._elements(field, here)[min(step, len(here))]
                here = here[step] if step < len(here) else None
            elif isinstance(here, Record):
                offset += self._fields(here)[step]
                field = here.layout.by_name[step]
                here = getattr(here, step)
            # Else a group of a flags word, or a field inside an absent part.
        return offset

    def _fields(self, record: Record) -> dict[str, int]:
        offsets = self._cached.get(id(record))
        if offsets is None:
            try:
                offsets = self._cached[id(record)] = field_offsets(record, self._elements)
            except UNWRITABLE as error:
                raise cannot_be_written(record, error) from error
        return offsets

    def _elements(self, field: Any, elements: Any) -> list[int]:
        offsets = self._cached.get(id(elements))
        if offsets is None:
            offsets = self._cached[id(elements)] = element_offsets(field, elements)
        return offsets
