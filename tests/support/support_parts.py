"""Parts of packets that tests state by hand, completed by newly added parts."""

from __future__ import annotations

from typing import Any

from msmq_wire import Record
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import Nested

__all__ = ["defaults", "fields_of_kind"]


def defaults(packet: str) -> dict[str, Any]:
    """Each part of a packet with default values; parts that need an argument are stated by hand."""
    fields = Record.class_of(packet).layout.fields
    parts = {}
    for field in fields:
        kind = field.kind
        if isinstance(kind, Nested):
            try:
                parts[field.name] = Record.class_of(kind.structure.name)()
            except (TypeError, ValueError):
                continue
    return parts


def fields_of_kind(kind: type) -> list[tuple[str, str]]:
    """The fields of a kind, with their structures."""
    return [
        (name, field.name)
        for name, structure in structures().items()
        for field in structure.fields
        if isinstance(field.kind, kind)
    ]
