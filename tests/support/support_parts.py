"""Parts of packets that tests state by hand, completed by newly added parts."""

from __future__ import annotations

from typing import Any

from msmq_wire import Record
from msmq_wire.records.model import Nested

__all__ = ["defaults"]


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
