"""Validates structures of RPC calls: QUEUE_FORMAT, PROPVARIANT, SectionBuffer and their contents."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msmq_wire.ndr.model import Union
from msmq_wire.ndr.record import NdrRecord
from msmq_wire.ndr.transfer import Octets, Reader
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.limits import UNLIMITED

from .rules import CALL_RULES, LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .rules import Level
    from .rules._calls import CallRule

__all__ = ["violated"]


def violated(record: NdrRecord, level: Level) -> list[tuple[CallRule, str, int, Any]]:
    """Return the violated rules up to a level, in a record and in all that it contains, ordered by offset.

    Each with the path of its structure, and the offset and the value of the field.
    """
    broken = [
        (rule, path, held)
        for path, part in _parts(record, record.layout.name)
        for rule in CALL_RULES.get(part.layout.name, ())
        if LEVELS.index(rule.level) <= LEVELS.index(level) and not rule.holds(part)
        for held in [getattr(part, rule.field)]
    ]
    if not broken:
        return []
    pieces: list[Octets] = []
    with suppress(DecodeError):  # a count is wrong; the fields before it have offsets
        Reader(record.encode(), 0, UNLIMITED, ms_union=False, pieces=pieces).read(record.layout.name)
    offsets: dict[str, int] = {}
    for piece in pieces:
        if piece.what != "gap":
            offsets.setdefault(piece.path, piece.offset)
    return sorted(
        ((rule, path, offsets.get(f"{path}.{rule.field}", 0), held) for rule, path, held in broken),
        key=lambda item: (item[2], item[0].requirement),
    )


def _parts(value: Any, path: str) -> Iterator[tuple[str, NdrRecord]]:
    """Yield a record and all records inside it, with their paths."""
    if isinstance(value, NdrRecord):
        yield path, value
        for field in value.layout.fields:
            inner = f"{path}.{field.name}"
            if isinstance(field.type, Union):
                arm = field.type.arms[getattr(value, field.type.selector)]
                inner += f".{arm.name}" if arm else ""
            yield from _parts(getattr(value, field.name), inner)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _parts(item, f"{path}[{index}]")
