"""Violations of packets by facts beyond their bytes, for the session monitor and for endpoints.

1. Sentences about fields have one form, for all callers.
2. A path may lead into the body of an acknowledgment.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from msmq_wire.records.record import record_class
from msmq_wire.values.limits import UNLIMITED
from msmq_wire.values.violation import Violation

from .offsets import Inside, offset_of
from .rules import RULES, shown
from .validation import validate

if TYPE_CHECKING:
    from msmq_wire.values.errors import DecodeError

    from .parts import PartialOffsets

_STEP: Final = re.compile(r"(\w+)|\[(\d+)\]")


def located(
    packet: Any,
    requirement: str,
    path: str,
    allowed: str,
    fault: str = "",
    offsets: PartialOffsets | None = None,
) -> Violation:
    """Return the violation of a packet, or of another record.

    Args:
        packet: The record; a `PartialRecord` if only a part of it is known.
        requirement: The id of the requirement.
        path: The field, from the packet, with indices in brackets; empty for the packet itself.
        allowed: The allowed values, in words that follow "has to be".
        fault: A better sentence, without full stop.
        offsets: The offsets of the fields of a part.
    """
    kind = type(packet).__name__ if offsets is None else packet.layout.name
    steps: list[Any] = []
    value: Any = packet if path else None
    for name, index in _STEP.findall(path):
        if isinstance(value, bytes):
            value = record_class(f"{kind}Body").decode(value)
            steps.append(Inside(0, value))
        value = getattr(value, name) if name else value[int(index)]
        steps.append(name or int(index))
    where = f"{kind}.{path}".rstrip(".")
    return Violation(
        requirement,
        where,
        offset_of(packet, tuple(steps)) if offsets is None else offsets.offset_of((kind, *steps)),
        value if isinstance(value, int) else None if value is None else str(value),
        allowed,
        f"{fault or f'{where} is {shown(value)}, but has to be {allowed}'}.",
    )


def plain(violation: Violation) -> Violation:
    """Return a violation of `validate` as those of sessions are: the value is a number or text."""
    value = violation.found
    return Violation(
        violation.requirement,
        violation.path,
        violation.offset,
        value if value is None or isinstance(value, int) else str(value),
        violation.allowed,
        violation.message,
    )


def ruled(packet: Any, requirement: str, path: str) -> Violation:
    """Return the violation of a rule by a field, in the words of the rule.

    Args:
        packet: The record.
        requirement: The id of the requirement, which has one rule for the field.
        path: The field, as in `located`.
    """
    name = path.rpartition(".")[2]
    (allowed,) = {
        row.allowed
        for rows in RULES.values()
        for row in rows
        if (row.requirement, row.path, row.level) == (requirement, name, "must") and not row.needs
    }
    return located(packet, requirement, path, allowed)


def said_of(packet: Any, path: str, *fields: str) -> Violation:
    """Return the first violation that `validate` finds in some fields of a part of a record.

    Args:
        packet: The record.
        path: The part, as in `located`; empty for the record itself.
        fields: The fields, of which one breaks a rule; paths from the part.
    """
    part, steps = packet, []
    for name, index in _STEP.findall(path):
        part = getattr(part, name) if name else part[int(index)]
        steps.append(name or int(index))
    kind = type(part).__name__
    paths = {f"{kind}.{field}" for field in fields}
    violation = next(item for item in validate(part, limits=UNLIMITED) if item.path in paths)
    where = f"{type(packet).__name__}.{path}".rstrip(".") + violation.path.removeprefix(kind)
    return msgspec.structs.replace(
        violation,
        path=where,
        offset=offset_of(packet, tuple(steps)) + violation.offset,
        message=where + violation.message.removeprefix(violation.path),
    )


def unreadable(requirement: str, error: DecodeError, start: int = 0) -> Violation:
    """Return the violation by bytes that are not a packet.

    Args:
        requirement: The id of the requirement.
        error: The error.
        start: The offset of the packet, from the same origin as the offset of the error.
    """
    actual = error.actual if isinstance(error.actual, int) else None
    sentence = f"{error.path}: {error.problem}."
    return Violation(requirement, error.path, error.offset - start, actual, "a packet", sentence)
