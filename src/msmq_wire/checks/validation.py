"""The requirements that a packet violates: which requirement, which field, which byte.

1. `validate` runs every rule of `checks.rules` that speaks of a structure within the record, also of
   structures within bytes: the body of an acknowledgment, keys, property values, directory messages.
2. Decoding is lenient and validating is strict, so that a packet can be read and found wrong.  Where the
   documents contradict themselves the errata decide.
3. Rules go by the fields of a record.  A record that contradicts itself, such as one with a header and
   without its flag, can be built but does not decode again; it is found wrong here too.
4. The rules of a structure are put together when it is first met.  Paths and offsets are worked out for
   violations only, and what precedes a field is measured once.
5. Where a packet was met is said by the caller and never taken from its bytes.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from msmq_wire.records.model import NUL, Choice, Items, Nested, Numbers, Text, Values, structures
from msmq_wire.records.record import Flags, Record, encode_record
from msmq_wire.values.errors import ConformanceError
from msmq_wire.values.limits import DEFAULT_LIMITS
from msmq_wire.values.wchar import wchar_count

from .profiles import PROFILES, Lack, Profile, ProfileName, lacks
from .rules import (
    CHANNELS,
    EMBEDDED,
    JUDGES,
    LEVELS,
    RULES,
    Channel,
    Context,
    Embedded,
    Finding,
    Judge,
    Level,
    Rule,
    Scope,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from msmq_wire.packets.packet import LaxResult
    from msmq_wire.records.model import Field, Structure
    from msmq_wire.values.limits import Limits

__all__ = ["Channel", "Context", "Level", "Violation", "Violations", "require", "validate"]

_SHOWN = 80
_DOCUMENTS = {
    "MQMQ": "MS-MQMQ",
    "MQQB": "MS-MQQB",
    "MQRR": "MS-MQRR",
    "MQDSRP": "MC-MQDSRP",
    "MQCN": "MS-MQCN",
}
_OF_REMOTE_READS = frozenset(
    {
        "MessagePacket",
        "UserHeaderAddress",
        "SRMPEnvelopeHeader",
        "CompoundMessageHeader",
        "ExtensionHeader",
        "SubqueueHeader",
        "DeadLetterHeader",
        "ExtendedAddressHeader",
    }
)
"""Structures of [MS-MQRR] 2.2.5, which alone belong to a remote read."""


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
        level: How strict the document is, or ``"practice"`` for what implementations are known to do.
        erratum: The erratum that has the evidence for what implementations do; otherwise empty.
        note: The note on product behavior that a finding about a profile rests on; otherwise empty.
    """

    requirement: str
    path: str
    offset: int
    found: Any
    allowed: str
    message: str
    level: Level = "must"
    erratum: str = ""
    note: str = ""

    @property
    def section(self) -> str:
        """Where the requirement is stated, such as ``[MS-MQMQ] 2.2.19.1``."""
        document, section, _ = self.requirement.split("-")
        return f"[{_DOCUMENTS[document]}] {section}"

    def __str__(self) -> str:
        return f"{self.message} ({self.requirement}, byte {self.offset})"


class Violations(tuple[Violation, ...]):  # noqa: SLOT001  # a tuple has no slots
    """What was found, in the order of the offsets, then of the ids; a tuple that knows what it leaves out.

    Attributes:
        left_out: How many findings there were beyond ``Limits.findings``.
    """

    left_out: int

    def __new__(cls, found: Iterable[Violation] = (), left_out: int = 0) -> Self:
        """Keep what was found, and how many findings were not."""
        made = super().__new__(cls, found)
        made.left_out = left_out
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (tuple(self), self.left_out)

    def __str__(self) -> str:
        more = [f"{self.left_out} more findings are left out (limit: Limits.findings)"] * bool(self.left_out)
        return "; ".join([*map(str, self), *more])


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
    erratum: str = ""
    practice: str = ""
    note: str = ""


class _Plan(NamedTuple):
    """What there is to do with a structure."""

    rules: tuple[tuple[Any, Rule], ...]
    scoped: tuple[tuple[Any, Rule], ...]
    judges: tuple[Judge, ...]
    parts: tuple[tuple[str, bool], ...]
    embedded: tuple[tuple[tuple[str, ...], Embedded], ...]


class _Search:
    """What was found so far, and what is looked for."""

    def __init__(
        self, scope: Scope, level: Level, ignored: frozenset[str], limit: int, profile: Profile | None
    ) -> None:
        self.scope, self.level, self.ignored, self.limit = scope, level, ignored, limit
        self.profile = profile
        self.found: dict[tuple[str, tuple[_Step, ...]], _Breach] = {}
        self.left_out = 0

    def add(self, breach: _Breach) -> None:
        """Keep a breach, unless nobody wants to hear of it, or it is known, or there are too many."""
        if breach.requirement in self.ignored:
            return
        key = breach.requirement, tuple(step for step in breach.trail if not isinstance(step, Inside))
        if key in self.found:
            return
        if len(self.found) < self.limit:
            self.found[key] = breach
        else:
            self.left_out += 1


def validate(
    packet: Record | LaxResult,
    level: Level = "must",
    *,
    channel: Channel | None = None,
    context: Context | None = None,
    profile: ProfileName | None = None,
    ignore: str | Collection[str] = (),
    limits: Limits = DEFAULT_LIMITS,
) -> Violations:
    """List the requirements that a record violates.

    Args:
        packet: A packet, a header on its own, a directory message, or any other record; or what `decode_lax`
            made of damaged bytes, of which every header that was read is looked at.
        level: ``"must"`` for the absolute requirements, ``"should"`` for the recommendations as well,
            ``"practice"`` also for what a page forbids or leaves open and implementations are known to do.
        channel: Where the packet was met: ``"session"`` for the binary protocol, ``"remote-read"`` for what
            [MS-MQRR] returns, ``"directory"`` for what is known to be from or for a directory service,
            ``"stored"`` for a message that is not under way.  If not given, a message packet of
            [MS-MQRR], and any of its headers on its own, is of a remote read, all else of a session.
        context: What bytes alone do not tell.  Rules that need an unknown part of it are left out.
        profile: A version of Windows that sent the packet, such as ``"windows-xp"``.  What that version does
            not do, by the documents' notes on product behavior, is reported as well, on any level.
        ignore: Requirements that are not reported, one id or several.
        limits: `Limits.findings` bounds what is reported.

    Returns:
        The violations in the order of their offsets, then of their ids, and how many more there are.
        Empty where nothing is wrong.

    Raises:
        EncodeError: The record cannot be written.
        ValueError: There is no such level, channel or profile.
    """
    if profile is not None and profile not in PROFILES:
        raise ValueError(f"profile is {profile!r}, not one of {', '.join(map(repr, PROFILES))}")
    if level not in LEVELS:
        raise ValueError(f"level is {level!r}, not one of {', '.join(map(repr, LEVELS))}")
    if channel is not None and channel not in CHANNELS:
        raise ValueError(f"channel is {channel!r}, not one of {', '.join(map(repr, CHANNELS))}")
    ignored = frozenset((ignore,) if isinstance(ignore, str) else ignore)
    if not isinstance(packet, Record):
        return _validate_parts(packet, level, channel, context, ignored, limits, profile)
    name = packet.layout.name
    scope = Scope(
        packet, context or Context(), channel or ("remote-read" if name in _OF_REMOTE_READS else "session")
    )
    known = None if profile is None else PROFILES[profile]
    search = _Search(scope, level, ignored, limits.findings, known)
    _visit(packet, (name,), search)
    places = _Places(packet)
    made = [_violation(places, breach) for breach in search.found.values()]
    return Violations(sorted(made, key=_in_order), search.left_out)


def _in_order(violation: Violation) -> tuple[int, str, str]:
    return violation.offset, violation.requirement, violation.path


def require(
    packet: Record,
    level: Level = "must",
    *,
    channel: Channel | None = None,
    context: Context | None = None,
    ignore: str | Collection[str] = (),
) -> None:
    """Refuse a record that breaks a requirement; the arguments are those of `validate`.

    Raises:
        ConformanceError: It breaks one or more.
        EncodeError: The record cannot be written.
        ValueError: There is no such level or channel.
    """
    violations = validate(packet, level, channel=channel, context=context, ignore=ignore)
    if violations:
        raise ConformanceError(violations)


def _validate_parts(
    result: LaxResult,
    level: Level,
    channel: Channel | None,
    context: Context | None,
    ignored: frozenset[str],
    limits: Limits,
    profile: ProfileName | None,
) -> Violations:
    """What is wrong with the parts of a packet that could be read; places count from the packet's start."""
    if result.packet is not None:
        return validate(result.packet, level, channel=channel, context=context, ignore=ignored, limits=limits)
    found: list[Violation] = []
    left_out = at = 0
    places = _Places(None)
    for field, part in _parts(result):
        start = at
        for one in part if isinstance(part, tuple) else (part,):
            if isinstance(one, Record):
                own = validate(
                    one,
                    level,
                    channel=channel or "session",
                    context=context,
                    profile=profile,
                    ignore=ignored,
                    limits=limits,
                )
                found += (msgspec.structs.replace(item, offset=at + item.offset) for item in own)
                left_out += own.left_out
                at += places.size(None, one)
        at = start + places.size(field, part)
    kept = sorted(found, key=_in_order)[: limits.findings]
    return Violations(kept, left_out + len(found) - len(kept))


def _parts(result: LaxResult) -> Iterator[tuple[Field | None, Any]]:
    """What was read of a packet or message, in order, each with the field that it is the value of."""
    root = structures().get(result.error.path.partition(".")[0]) if result.error else None
    for path, part in result.headers.items():
        field: Field | None = None
        inside = root
        for step in path.split("."):
            field = inside.by_name.get(step.partition("[")[0]) if inside else None
            inner = _inner(field) if field else []
            inside = inner[0] if len(inner) == 1 else None
        if field is None and not isinstance(part, Record):
            return  # nothing says how many bytes it takes, and so where the next begins
        yield field, part


# ------------------------------------------------------------------------------------------- the walk


@cache
def _plan(structure: Structure, level: Level, channel: Channel) -> _Plan:
    wanted = LEVELS[: LEVELS.index(level) + 1]
    rows = [
        row
        for row in RULES.get(structure.name, ())
        if row.level in wanted and (not row.channels or channel in row.channels)
    ]
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


def _visit(record: Any, trail: tuple[_Step, ...], search: _Search) -> None:
    scope = search.scope
    plan = _plan(record.layout, search.level, scope.channel)
    for holds, row in plan.rules:
        if not holds(record):
            search.add(_broken(record, trail, row))
    for holds, row in plan.scoped:
        if (not row.needs or scope.context.knows(row.needs)) and not holds(record, scope):
            search.add(_broken(record, trail, row))
    if search.profile is not None:
        for lack in lacks(record.layout.name, search.profile.msmq_version):
            if lack.has(record, search.profile.msmq_version):
                search.add(_lacking(record, trail, lack, search.profile))
    for judge in plan.judges:
        for finding in judge(record):
            search.add(_judged(trail, finding))
    for name, many in plan.parts:
        part = getattr(record, name)
        if many:
            for index, element in enumerate(part):
                _visit(element, (*trail, name, index), search)
        elif part is not None:
            _visit(part, (*trail, name), search)
    for steps, embedded in plan.embedded:
        for where, offset, inner in embedded.read(record):
            _visit(inner, (*trail, *steps, *where, Inside(offset, inner)), search)


def _judged(trail: tuple[_Step, ...], finding: Finding) -> _Breach:
    """What a judge has found; judges go by requirements only, not by recommendations."""
    return _Breach(
        trail + finding.steps, finding.requirement, finding.found, finding.allowed, "must", finding.fault
    )


def _lacking(record: Any, trail: tuple[_Step, ...], lack: Lack, profile: Profile) -> _Breach:
    steps = tuple(lack.path.split("."))
    value = record
    for step in steps:
        value = getattr(value, step, None)
    fault = f"from {profile.name} it has to be {lack.allowed} ({lack.note})"
    return _Breach(trail + steps, lack.requirement, value, lack.allowed, "practice", fault, note=lack.note)


def _broken(record: Any, trail: tuple[_Step, ...], row: Rule) -> _Breach:
    steps = tuple(row.path.split("."))
    value = record
    for step in steps:
        value = getattr(value, step, None)
    return _Breach(
        trail + steps, row.requirement, value, row.allowed, row.level, "", row.erratum, row.practice
    )


# ------------------------------------------------------------------------------------------- places


_VERBS: dict[Level, str] = {"must": "has to be", "should": "should be", "practice": "by the page would be"}


def _violation(places: _Places, breach: _Breach) -> Violation:
    path = _path(breach.trail)
    held = "absent" if breach.found is None else _short(breach.found)
    text = f"{path}: {breach.fault}" if breach.fault else f"{path} is {held}"
    if not breach.fault:
        text += f", but {_VERBS[breach.level]} {breach.allowed}"
    if breach.practice:
        text += f"; known implementations {breach.practice} ({breach.erratum})"
    return Violation(
        breach.requirement,
        path,
        places.offset_of(breach.trail[1:]),
        breach.found,
        breach.allowed,
        f"{text}.",
        breach.level,
        breach.erratum,
        breach.note,
    )


def _short(value: Any) -> str:
    if isinstance(value, bytes) and len(value) > 1:
        return f"{len(value)} bytes {value[:8].hex()}{'...' if len(value) > _SHOWN // 10 else ''}"
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
                at += self.size(field, getattr(record, field.name))
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

    def size(self, field: Field | None, value: Any) -> int:
        """Bytes that a field takes."""
        if value is None:
            return 0
        if isinstance(value, Record):
            return self._record_size(value)
        assert field is not None  # noqa: S101  # only a record is measured without
        if isinstance(field.kind, Text):
            return 2 * wchar_count(value) + (2 if field.kind.count == NUL else 0)
        if isinstance(value, tuple):
            return self._before_elements(field, value)[-1]
        if isinstance(value, bytes):
            return len(value)
        if isinstance(field.kind, Values):
            return self._element_size(field, value)  # one that was read before another was cut off
        return int(field.kind.size)  # type: ignore[union-attr]  # all other kinds have one
