"""Validates structures of RPC calls: QUEUE_FORMAT, PROPVARIANT, SectionBuffer and their contents."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msmq_wire.ndr.model import Union
from msmq_wire.ndr.record import NdrRecord
from msmq_wire.ndr.transfer import Octets, Reader
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.limits import UNLIMITED

from .profiles import lacks
from .rules import CALL_RULES, LEVELS, RawViolation, allowed_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .profiles import Profile
    from .rules import Level


def violated(
    record: NdrRecord, level: Level, profile: Profile | None = None
) -> list[tuple[RawViolation, int]]:
    """Return the violations up to a level, in a record and in all that it contains, ordered by offset.

    Each with the offset of its field; of a text or an array, that of its elements.

    Args:
        record: The record.
        level: The level.
        profile: The version of Windows whose missing features are violations too.
    """
    broken: dict[tuple[str, tuple[str, ...]], RawViolation] = {}
    for path, part in _parts(record, record.layout.name):
        for breach in _of_part(part, path, level, profile):
            broken.setdefault((breach.requirement, breach.steps), breach)
    if not broken:
        return []
    pieces: list[Octets] = []
    with suppress(DecodeError):  # a count is wrong; the fields before it have offsets
        Reader(record.encode(), 0, UNLIMITED, ms_union=False, pieces=pieces).read(record.layout.name)
    offsets: dict[str, int] = {}
    for piece in sorted(pieces, key=lambda piece: piece.what != "field"):
        if piece.what != "gap":
            offsets.setdefault(piece.path, piece.offset)
    places = [(breach, _offset_of(breach.steps[0], offsets)) for breach in broken.values()]
    return sorted(places, key=lambda item: (item[1], item[0].requirement))


def _offset_of(path: str, offsets: Mapping[str, int]) -> int:
    """Return the offset of a field; of one behind a wrong count, that of what is around it."""
    while path and path not in offsets:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return offsets.get(path, 0)


def _of_part(part: NdrRecord, path: str, level: Level, profile: Profile | None) -> Iterator[RawViolation]:
    """Yield the violations of one record; the strictest level of a requirement comes first."""
    name = part.layout.name
    for rule in CALL_RULES.get(name, ()):
        if LEVELS.index(rule.level) <= LEVELS.index(level) and not rule.holds(part):
            yield RawViolation(
                rule.requirement,
                (f"{path}.{_place(part, rule.field)}",),
                getattr(part, rule.field),
                allowed_values(rule.allowed, rule.holds, part),
                level=rule.level,
                erratum=rule.erratum,
                practice=rule.practice,
            )
    if profile is None:
        return
    for row in lacks(name, profile):
        if row.has(part, profile.msmq_version):
            steps = (f"{path}.{_place(part, row.path)}",)
            value = getattr(part, row.path)
            fault = row.fault(profile)
            yield RawViolation(
                row.requirement, steps, value, row.allowed, fault, level="practice", note=row.note
            )


def _place(record: NdrRecord, name: str) -> str:
    """Return the path of a field; that of a union ends in the selected arm."""
    kind = next(field.type for field in record.layout.fields if field.name == name)
    arm = kind.arms[getattr(record, kind.selector)] if isinstance(kind, Union) else None
    return f"{name}.{arm.name}" if arm else name


def _parts(value: Any, path: str) -> Iterator[tuple[str, NdrRecord]]:
    """Yield a record and all records inside it, with their paths."""
    if isinstance(value, NdrRecord):
        yield path, value
        for field in value.layout.fields:
            yield from _parts(getattr(value, field.name), f"{path}.{_place(value, field.name)}")
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _parts(item, f"{path}[{index}]")
