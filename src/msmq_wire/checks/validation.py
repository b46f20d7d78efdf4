"""The requirements that a packet violates, each with its field and offset.

1. `validate` runs every rule of `checks.rules` on the structures of the record, including structures inside
   bytes: the body of an acknowledgment, keys, property values, directory messages.
2. Decoding is lenient and validation is strict, so that an invalid packet can be decoded and reported.  Where
   the documents contradict themselves, the errata decide.
3. Rules check the fields of a record.  A record that contradicts itself, such as one with a header and
   without its flag, can be built but not decoded again; it is reported too.
4. The compiler generates `checks.validators` from the rules, one function for each structure.  Paths and
   offsets are computed for violations only.
5. The caller states the channel of a packet; it is never guessed from the bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

from msmq_wire.ndr.record import NdrRecord
from msmq_wire.packets.partial import LaxResult
from msmq_wire.records.record import Flags, Record
from msmq_wire.values.buffers import no_record
from msmq_wire.values.errors import ConformanceError, MsmqWireError, need, need_one_of, plural, shortened
from msmq_wire.values.hints import did_you_mean
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.properties.values import PropertyValue
from msmq_wire.values.violation import Violation

from .calls import violated
from .collector import ViolationCollector
from .offsets import OffsetCache, path_of
from .parts import PartialOffsets, UncheckedRequirement, validate_partial
from .profiles import PROFILES, ProfileName
from .rules import CALL_RULES, CHANNELS, LEVELS, RULES, Channel, Context, Level, shown
from .validators import VALIDATORS

if TYPE_CHECKING:
    from collections.abc import Collection

    from .profiles import Profile
    from .rules import RawViolation

__all__ = [
    "Channel",
    "Context",
    "Level",
    "UncheckedRequirement",
    "Violation",
    "Violations",
    "require",
    "requirement_ids",
    "validate",
]

_SHOWN = 80
_NOTHING: frozenset[str] = frozenset()
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
"""Structures of [MS-MQRR] 2.2.5, which only remote reads return."""


_ID = re.compile(r"(?:MQMQ|MQQB|MQRR|MQDSRP|MQCN)-[1-3](?:\.\d+)*-\d\d+")
"""Ids of requirements; the documents state them in their first three sections."""


def requirement_ids(ignore: str | Collection[str]) -> frozenset[str]:
    """Return the ids of one or several requirements to ignore.

    A malformed id is an error.  An id without a rule has no effect, because not every requirement has one.

    Raises:
        WrongTypeError: The argument is not a collection of texts.
        MsmqWireError: A text is not the id of a requirement.
    """
    need("ignore", ignore, Iterable, "ids of requirements")
    ids = (ignore,) if isinstance(ignore, str) else tuple(ignore)
    for identifier in ids:
        need("ignore", identifier, str, "ids of requirements")
        if not _ID.fullmatch(identifier):
            hint = did_you_mean(
                identifier, sorted({row.requirement for rows in RULES.values() for row in rows})
            )
            raise MsmqWireError(f"ignore: {shortened(identifier)} is not the id of a requirement{hint}")
    return frozenset(ids)


class Violations(tuple[Violation, ...]):  # noqa: SLOT001  # a tuple has no slots
    """A tuple of violations, ordered by offset and id, with counts of omitted ones.

    Attributes:
        left_out: The number of violations beyond ``Limits.violations``.
        unjudged: For truncated or damaged bytes, the requirements that could not be checked because one of
            their fields is unknown, each with the path of the field, in wire order.  Empty for a record.
    """

    left_out: int
    unjudged: tuple[UncheckedRequirement, ...]

    def __new__(
        cls,
        violations: Iterable[Violation] = (),
        left_out: int = 0,
        unjudged: tuple[UncheckedRequirement, ...] = (),
    ) -> Self:
        """Create the tuple with the number of omitted violations and the unchecked requirements."""
        violated = super().__new__(cls, violations)
        violated.left_out = left_out
        violated.unjudged = unjudged
        return violated

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (tuple(self), self.left_out, self.unjudged)

    def __str__(self) -> str:
        left_out = self.left_out
        more = [f"{left_out} more {plural(left_out, 'violation')} omitted (limit: Limits.violations)"] * bool(
            left_out
        )
        if self.unjudged:
            count = len({violation.requirement for violation in self.unjudged})
            more.append(f"{count} {plural(count, 'requirement was', 'requirements were')} not judged")
        return "; ".join([*map(str, self), *more])


def validate(
    packet: Record | NdrRecord | LaxResult,
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
        packet: A packet, a single header, a directory message, a structure of remote calls, or any other
            record; or a result of `decode_lax`, of which every rule is checked whose fields are all in
            `LaxResult.fields`, also on a header that is incomplete.
        level: ``"must"`` for absolute requirements, ``"should"`` to add recommendations, ``"practice"`` to
            add known deviations of implementations.
        channel: How the packet was transferred: ``"session"`` by the binary protocol, ``"remote-read"`` by
            [MS-MQRR], ``"directory"`` from or for a directory service, ``"stored"`` for a message that is not
            in transit. By default, ``"remote-read"`` for a message packet of [MS-MQRR] and its headers,
            otherwise ``"session"``.
        context: Facts that are not in the bytes.  Rules that need unknown facts are omitted.
        profile: The version of Windows that sent the packet, such as ``"windows-xp"``.  Features that this
            version lacks, by the documents' notes on product behavior, are reported as well, on any level.
        ignore: Ids of requirements to ignore, one or several.
        limits: `Limits.violations` bounds the number of reported violations.

    Returns:
        The violations, ordered by offset and id, with the number of omitted ones; empty if there are none.
        For truncated or damaged bytes, `unjudged` has the requirements that could not be checked.

    Raises:
        EncodeError: The record cannot be encoded.
        TypeError: The argument is not a record; the error explains how to pass bytes.
        ValueError: There is no such level, channel or profile, or a malformed id in `ignore`.
    """
    need_one_of("level", level, LEVELS)
    if profile is not None:
        need_one_of("profile", profile, PROFILES)
    if channel is not None:
        need_one_of("channel", channel, CHANNELS)
    if context is not None:
        need("context", context, Context, "a Context")
        need("context.request", context.request, (Record, type(None)), "a packet")
    need("limits", limits, Limits, "Limits")
    ignored = requirement_ids(ignore) if ignore != () else _NOTHING
    version = None if profile is None else PROFILES[profile]
    call: Any = packet.packet if isinstance(packet, LaxResult) else packet
    if isinstance(call, NdrRecord):
        return _validate_call(call, level, version, ignored, limits.violations)
    if version is not None:
        ignored |= version.replaced
    result = None
    if isinstance(packet, LaxResult):
        whole: Any = packet.packet
        result, packet = packet, whole
    elif not isinstance(packet, Record):
        raise no_record(packet)
    if packet is None and result is not None:
        name = result.source.kind if result.source else ""
        if name in CALL_RULES:
            return Violations((), 0, _unjudged_of_call(name, level, ignored))
    elif not isinstance(packet, Record):
        return Violations()  # a property value: no rule concerns it alone
    else:
        name = packet.__class__.__name__
    search = ViolationCollector(
        level, channel or channel_of(name), context, version, ignored, limits.violations
    )
    if result is not None and packet is None:
        return _validate_result(result, search)
    validator = VALIDATORS.get(name)
    if validator is not None:
        validator(packet, (None, name), search)
    if not search.violations:
        return Violations((), search.left_out)
    offsets = OffsetCache(packet)
    violations = [
        _violation(breach, offsets.offset_of(breach.steps[1:])) for breach in search.violations.values()
    ]
    return Violations(sorted(violations, key=_in_order), search.left_out)


def channel_of(name: str) -> Channel:
    """The default channel of a structure: some structures exist only in [MS-MQRR]."""
    return "remote-read" if name in _OF_REMOTE_READS else "session"


def _validate_call(
    record: NdrRecord, level: Level, profile: Profile | None, ignored: frozenset[str], most: int
) -> Violations:
    """The violations of a structure of remote calls."""
    broken = [item for item in violated(record, level, profile) if item[0].requirement not in ignored]
    violations = [_violation(breach, offset) for breach, offset in broken[:most]]
    return Violations(violations, len(broken) - len(violations))


def _unjudged_of_call(name: str, level: Level, ignored: frozenset[str]) -> tuple[UncheckedRequirement, ...]:
    """The requirements on a structure of remote calls that could not be read whole: none was checked."""
    return tuple(
        UncheckedRequirement(rule.requirement, f"{name}.{rule.field}", rule.level)
        for rule in CALL_RULES[name]
        if LEVELS.index(rule.level) <= LEVELS.index(level) and rule.requirement not in ignored
    )


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
    """Raise an error for a record that violates a requirement; the arguments are those of `validate`.

    Raises:
        ConformanceError: The record violates one or more requirements.
        EncodeError: The record cannot be encoded.
        ValueError: There is no such level or channel.
    """
    violations = validate(packet, level, channel=channel, context=context, ignore=ignore)
    if violations:
        raise ConformanceError(violations)


def violations_in_part(
    result: LaxResult,
    level: Level,
    *,
    channel: Channel,
    context: Context,
    profile: ProfileName | None,
    ignore: Collection[str],
) -> Violations:
    """List the violations of bytes that could not be decoded, without those that could not be checked.

    The arguments are those of `validate`, which takes several times as long.
    """
    version = None if profile is None else PROFILES[profile]
    ignored = requirement_ids(ignore) | (version.replaced if version is not None else _NOTHING)
    search = ViolationCollector(level, channel, context, version, ignored, DEFAULT_LIMITS.violations)
    return _validate_result(result, search, tells_unjudged=False)


def _validate_result(
    result: LaxResult, search: ViolationCollector, *, tells_unjudged: bool = True
) -> Violations:
    """The violations of truncated or damaged bytes."""
    unjudged = validate_partial(result, search, tells_unjudged=tells_unjudged)
    if not search.violations:
        return Violations((), search.left_out, unjudged)
    offsets = PartialOffsets(result)
    violations = [
        _violation(breach, offsets.offset_of(breach.steps)) for breach in search.violations.values()
    ]
    return Violations(sorted(violations, key=_in_order), search.left_out, unjudged)


# ------------------------------------------------------------------------------------------- words


_VERBS: dict[Level, str] = {
    "must": "has to be",
    "should": "should be",
    "practice": "according to the document has to be",
}


def _violation(breach: RawViolation, offset: int) -> Violation:
    path = path_of(breach.steps)
    actual = "absent" if breach.found is None else short(breach.found)
    text = f"{path}: {breach.fault}" if breach.fault else f"{path} is {actual}"
    if not breach.fault:
        text += f", but {_VERBS[breach.level]} {breach.allowed}"
    if breach.practice:
        text += f"; known implementations {breach.practice} ({breach.erratum})"
    return Violation(
        breach.requirement,
        path,
        offset,
        breach.found,
        breach.allowed,
        f"{text}.",
        breach.level,
        breach.erratum,
        breach.note,
    )


def short(value: Any) -> str:
    if isinstance(value, bytes) and len(value) > 1:
        return f"{len(value)} bytes {value[:8].hex()}{'...' if len(value) > _SHOWN // 10 else ''}"
    if isinstance(value, tuple) and value and isinstance(value[0], PropertyValue):
        value = tuple(PropertyValue(int(item.vt), item.value) for item in value[:_SHOWN])  # as decoded
    text = (
        _of_record(value) if isinstance(value, Record)
        else f"{int(value):#x}" if isinstance(value, Flags)
        else shown(value)
    )  # fmt: skip
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _of_record(record: Record) -> str:
    """Return a structure with its own fields; those of the structures in it are omitted."""
    texts = []
    for field in record.layout.fields:
        value = getattr(record, field.name)
        if isinstance(value, Record):
            texts.append(f"{field.name}=a {value.layout.name}")
        elif isinstance(value, tuple):
            texts.append(f"{field.name}={len(value)} {plural(len(value), 'element')}")
        elif value is not None:
            texts.append(f"{field.name}={short(value)}")
    return f"{record.layout.name}({', '.join(texts)})"
