"""What the documents have against a packet: which requirement, which field, which byte.

1. `validate` runs every rule of `msmq_wire.rules` that speaks of a structure within the record, also of
   structures within bytes: the body of an acknowledgment, keys, property values, directory messages.
2. Decoding is lenient and validating is strict, so that a packet can be read and found wrong.  Where the
   documents contradict themselves the errata decide.
3. Rules go by the fields of a record.  A record that contradicts itself, such as one with a header and
   without its flag, can be built but does not decode again; it is found wrong here too.
4. The rules of a structure are put together when it is first met.  Paths and offsets are worked out for
   violations only, and what precedes a field is measured once.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ._layout import NUL, Choice, Items, Nested, Numbers, Text
from ._record import Flags, Record, encode_record
from .errors import ConformanceError
from .rules import EMBEDDED, JUDGES, RULES, Context, Embedded, Finding, Judge, Level, Rule, Scope, shown

if TYPE_CHECKING:
    from ._layout import Field, Structure

__all__ = ["Context", "Violation", "require", "validate"]

_SHOWN = 80


class Violation(msgspec.Struct, frozen=True):
    """One breach of a document.

    Attributes:
        requirement: Id of the requirement that is broken, such as ``MQMQ-2.2.19.1-31``.
        path: Dotted path of the field from the outermost structure, such as
            ``UserMessage.BaseHeader.PacketSize``.
        offset: Where the field starts, or would, in bytes from the beginning of the encoded record.
        found: What the field holds; None if it is absent.
        allowed: What it may hold, in words.
        message: One sentence about it.
    """

    requirement: str
    path: str
    offset: int
    found: Any
    allowed: str
    message: str

    def __str__(self) -> str:
        return f"{self.message} ({self.requirement}, byte {self.offset})"


class Inside(NamedTuple):
    """A step into bytes that hold a structure."""

    offset: int
    record: Any


_Step = str | int | Inside


class _Breach(NamedTuple):
    trail: tuple[_Step, ...]
    requirement: str
    found: Any
    allowed: str
    level: Level
    fault: str = ""


class _Plan(NamedTuple):
    """What there is to do with a structure."""

    rules: tuple[tuple[Any, Rule], ...]
    scoped: tuple[tuple[Any, Rule], ...]
    judges: tuple[Judge, ...]
    parts: tuple[tuple[str, bool], ...]
    embedded: tuple[tuple[tuple[str, ...], Embedded], ...]


def validate(
    packet: Record, level: Level = "must", *, context: Context | None = None
) -> tuple[Violation, ...]:
    """List what a record has against the documents.

    Args:
        packet: A packet, a header on its own, a directory message, or any other record.
        level: ``"must"`` for the absolute requirements, ``"should"`` for the recommendations as well.
        context: What bytes alone do not tell.  Rules that need an unknown part of it are left out.

    Returns:
        The violations in the order of their offsets, then of their ids.  None where nothing is wrong.

    Raises:
        EncodeError: The record cannot be written.
        ValueError: There is no such level.
    """
    if level not in {"must", "should"}:
        raise ValueError(f"level is {level!r}, not 'must' or 'should'")
    found: list[_Breach] = []
    _visit(packet, (packet.layout.name,), level, Scope(packet, context or Context()), found)
    made: dict[tuple[str, str], Violation] = {}
    places = _Places(packet)
    for breach in found:
        violation = _violation(places, breach)
        made.setdefault((violation.requirement, violation.path), violation)
    return tuple(sorted(made.values(), key=lambda item: (item.offset, item.requirement, item.path)))


def require(packet: Record, level: Level = "must", *, context: Context | None = None) -> None:
    """Refuse a record that breaks a requirement; the arguments are those of `validate`.

    Raises:
        ConformanceError: It breaks one or more.
        EncodeError: The record cannot be written.
        ValueError: There is no such level.
    """
    violations = validate(packet, level, context=context)
    if violations:
        raise ConformanceError(violations)


# ------------------------------------------------------------------------------------------- the walk


@cache
def _plan(structure: Structure, level: Level) -> _Plan:
    rows = [row for row in RULES.get(structure.name, ()) if level == "should" or row.level == "must"]
    return _Plan(
        tuple((row.holds, row) for row in rows if not row.scoped),
        tuple((row.holds, row) for row in rows if row.scoped),
        JUDGES.get(structure.name, ()),
        tuple(
            (field.name, isinstance(field.kind, Items))
            for field in structure.fields
            if any(_speaks(inner) for inner in _inner(field))
        ),
        tuple((tuple(row.path.split(".")), row) for row in EMBEDDED.get(structure.name, ())),
    )


def _inner(field: Field) -> list[Structure]:
    kind = field.kind
    if isinstance(kind, (Nested, Items)):
        return [kind.structure]
    if isinstance(kind, Choice):
        return [structure for structure in kind.forms.values() if structure is not None]
    return []


@cache
def _speaks(structure: Structure) -> bool:
    """Whether any rule speaks of a structure or of what is within it."""
    return any(structure.name in table for table in (RULES, JUDGES, EMBEDDED)) or any(
        _speaks(inner) for field in structure.fields for inner in _inner(field)
    )


def _visit(record: Any, trail: tuple[_Step, ...], level: Level, scope: Scope, found: list[_Breach]) -> None:
    plan = _plan(record.layout, level)
    for holds, row in plan.rules:
        if not holds(record):
            found.append(_broken(record, trail, row))
    for holds, row in plan.scoped:
        if (not row.needs or scope.context.knows(row.needs)) and not holds(record, scope):
            found.append(_broken(record, trail, row))
    for judge in plan.judges:
        for finding in judge(record):
            found.append(_judged(trail, finding))  # noqa: PERF401  # no faster, and rarely run
    for name, many in plan.parts:
        part = getattr(record, name)
        if many:
            for index, element in enumerate(part):
                _visit(element, (*trail, name, index), level, scope, found)
        elif part is not None:
            _visit(part, (*trail, name), level, scope, found)
    for steps, embedded in plan.embedded:
        for where, offset, inner in embedded.read(record):
            _visit(inner, (*trail, *steps, *where, Inside(offset, inner)), level, scope, found)


def _judged(trail: tuple[_Step, ...], finding: Finding) -> _Breach:
    """What a judge has found; judges go by requirements only, not by recommendations."""
    return _Breach(
        trail + finding.steps, finding.requirement, finding.found, finding.allowed, "must", finding.fault
    )


def _broken(record: Any, trail: tuple[_Step, ...], row: Rule) -> _Breach:
    steps = tuple(row.path.split("."))
    value = record
    for step in steps:
        value = getattr(value, step, None)
    return _Breach(trail + steps, row.requirement, value, row.allowed, row.level)


# ------------------------------------------------------------------------------------------- places


def _violation(places: _Places, breach: _Breach) -> Violation:
    path = _path(breach.trail)
    verb = "has to be" if breach.level == "must" else "should be"
    held = "absent" if breach.found is None else _short(breach.found)
    return Violation(
        breach.requirement,
        path,
        places.offset_of(breach.trail[1:]),
        breach.found,
        breach.allowed,
        f"{path}: {breach.fault}." if breach.fault else f"{path} is {held}, but {verb} {breach.allowed}.",
    )


def _short(value: Any) -> str:
    if isinstance(value, bytes) and len(value) > _SHOWN // 4:
        return f"{len(value)} bytes {value[:8].hex()}..."
    if isinstance(value, Record):
        return f"a {value.layout.name}"
    text = f"{int(value):#x}" if isinstance(value, Flags) else shown(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _path(trail: tuple[_Step, ...]) -> str:
    path = ""
    for step in trail:
        if isinstance(step, str):
            path += f".{step}" if path else step
        elif isinstance(step, int):
            path += f"[{step}]"
    return path


def offset_of(record: Any, trail: tuple[_Step, ...]) -> int:
    """Where a field starts; for an absent field, where it would."""
    return _Places(record).offset_of(trail)


class _Places:
    """Offsets of fields within one record; what precedes a field is measured once, however many ask.

    The caches go by identity, which is safe while the outermost record is held.
    """

    def __init__(self, packet: Any) -> None:
        self.packet = packet
        self._fields: dict[int, dict[str, int]] = {}
        self._elements: dict[int, list[int]] = {}
        self._sizes: dict[int, int] = {}

    def offset_of(self, trail: tuple[_Step, ...]) -> int:
        """Where a field starts; for an absent field, where it would."""
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
            else:
                break  # a group of a flags word, or something within an absent part
        return offset

    def _before_fields(self, record: Any) -> dict[str, int]:
        known = self._fields.get(id(record))
        if known is None:
            known, at = {}, 0
            for field in record.layout.fields:
                known[field.name] = at
                at += self._size(field, getattr(record, field.name))
            self._fields[id(record)] = known
            self._sizes[id(record)] = at
        return known

    def _before_elements(self, field: Field | None, elements: Any) -> list[int]:
        known = self._elements.get(id(elements))
        if known is None:
            known = [0]
            for element in elements:
                known.append(known[-1] + self._element_size(field, element))
            self._elements[id(elements)] = known
        return known

    def _element_size(self, field: Field | None, element: Any) -> int:
        if field is not None and isinstance(field.kind, Numbers):
            return field.kind.size
        return self._record_size(element) if isinstance(element, Record) else len(element.encode())

    def _record_size(self, record: Any) -> int:
        known = self._sizes.get(id(record))
        if known is None:
            known = self._sizes[id(record)] = len(encode_record(record))
        return known

    def _size(self, field: Field, value: Any) -> int:
        """Bytes that a field takes."""
        if value is None:
            return 0
        if isinstance(value, Record):
            return self._record_size(value)
        if isinstance(field.kind, Text):
            return len(value.encode("utf-16-le", "surrogatepass")) + (2 if field.kind.count == NUL else 0)
        if isinstance(value, tuple):
            return self._before_elements(field, value)[-1]
        if isinstance(value, bytes):
            return len(value)
        return int(field.kind.size)  # type: ignore[union-attr]  # all other kinds have one
