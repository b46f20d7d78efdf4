"""Records that violate one requirement and no other.

1. The path of a rule gives the field to change, and its operator and operand give the values.  If the rule is
   a function, or another field violates it, the kind of the field gives other values: limits, neighbours,
   other forms, texts without terminator, presence and absence, and at last the numbers of fields beside it.
2. A change is used only if `validate` then reports this requirement and no other, so all returned records
   violate exactly one requirement by construction.
3. For a rule about a header, the header is changed within a packet if possible; all other fields except the
   size of the packet are unchanged.
4. For requirements on property values, invalid values are the candidates that the property rejects.
"""

from __future__ import annotations

import re
from functools import cache
from random import Random
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

from msmq_wire import mqmq, replace
from msmq_wire.checks.rules import FUNCTION_IDS, LEVELS, RULES, Level
from msmq_wire.checks.validation import Context, validate
from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.documents.layouts import structures
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.records.model import Choice, Flags, Guid, Integer, Nested, Text
from msmq_wire.records.record import Flags as FlagsWord
from msmq_wire.testing.strategies import packets as _packets
from msmq_wire.testing.strategies.choices import Dice, rolled
from msmq_wire.testing.strategies.directory import candidates, property_numbers
from msmq_wire.testing.strategies.generic import maker
from msmq_wire.testing.strategies.kinds import MAKERS, structure_name
from msmq_wire.values.errors import EncodeError, MsmqWireError, need
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.hints import did_you_mean
from msmq_wire.values.properties.values import PropertyValue
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

from .bases import BASES, OF_A_CLASS, TEXTS, WHOLE
from .in_context import IN_CONTEXT
from .operators import satisfying, violating
from .several_fields import INSEPARABLE, SEVERAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from msmq_wire import Record
    from msmq_wire.checks.rules import Rule

_TRIES = 24
_NUMBERS = (*range(10), 12, 0x10, 0x41, 0x5A, 0x1000, 0x6601, 0x7FFF, 0x8004, 0xFFFF,
            0x4C494F52, 0xFFFFFFFE, 0xFFFFFFFF)  # fmt: skip
_ADDRESSES = (b"\5\0\1\0" + bytes(12), b"\4\0\2\0" + bytes(12), b"\4\0\1\0\1" + bytes(11), b"\x11" * 16)


class BendSite(NamedTuple):
    """Where a requirement can be violated: the record, and the field, or several (an empty path)."""

    base: Callable[[Dice], Any]
    path: str
    level: Level
    changes: Callable[[Any, Dice], Mapping[str, Any]] | None = None
    rule: Rule | None = None
    prefix: str = ""


# ------------------------------------------------------------------------------------- other values


def walk(record: Any, path: str) -> tuple[Any, Any]:
    """Return the last field or group of a path and its value; None if a part is absent."""
    field: Any = None
    for step in path.split("."):
        if isinstance(record, FlagsWord):
            field = record.kind.group(step)
        elif record is not None:
            field = record.layout.by_name[step]
        record = getattr(record, step, None)
    return field, record


def others(field: Any, value: Any, dice: Dice) -> Iterator[Any]:
    """Return other values for a field."""
    kind = getattr(field, "kind", None)
    if kind is None:
        yield from (number for number in range(1 << min(field.width, 6)) if number != value)
    elif isinstance(kind, Integer):
        near = (value + 1, value - 1) if value is not None else ()
        yield from (n for n in (*near, *_NUMBERS) if n != value and kind.bounds[0] <= n <= kind.bounds[1])
    elif isinstance(kind, Flags):
        yield from (0,) * bool(value)
        yield from (int(value) ^ 1 << bit for bit in range(kind.size * 8))
    elif isinstance(kind, Guid):
        yield from (None, NULL_GUID, *map(GUID, _ADDRESSES))
    elif isinstance(kind, Choice):
        yield None
        for form in kind.structures:
            if form.name in MAKERS:
                yield MAKERS[form.name](dice)
        yield mqmq.PublicQueueFormatName(GUID(b"\x11" * 16))
        yield mqmq.PrivateQueueFormatNameId(5)
        yield mqmq.DirectQueueFormatName(DirectFormatName="TCP:10.0.0.1\\queue\0")
    elif isinstance(kind, Nested):
        yield None
        name = kind.structure.name
        if name in MAKERS or name in RULES:
            yield (MAKERS.get(name) or maker(name))(dice)
    elif isinstance(kind, Text) or isinstance(value, str):
        yield from (None, "x", *TEXTS)
        if value is not None:
            yield from (value + "x", value[:-1], value[:-1] + "x", "\0" + value)
            yield from (value.replace(*pair) for pair in _WORDS)
            yield re.sub("<ObjectGuid>[^<]*", f"<ObjectGuid>{NULL_GUID}", value)
    elif isinstance(value, SEQUENCE_NUMBER):
        yield from (value + 1, value - 1)
    elif isinstance(value, bytes):
        yield from (value + b"\1", value[:-1], b"", b"\1" * len(value), b"\2" + value[1:], b"\1" * 3)
        yield from (b"a\0\0\0b".ljust(64, b"\0"), bytes(63) + b"\1", b"\1\0\0\0a\0")
    elif isinstance(value, tuple):
        yield from ((), value[:-1], value[1:], value * 2, tuple(reversed(value)))


_WORDS = (
    ("<Event>", "<Event>9"),
    ("<Event>", "<Fact>"),
    ("-", ""),
    ("<DomainController>", "<DomainController> "),
)


def bend(record: Any, path: str, value: Any) -> Any:
    """Return the record with one field, element or group of flags changed, and nothing recomputed."""
    head, _, rest = path.partition(".")
    name, _, index = head.partition("[")
    old: Any = getattr(record, name)
    if index:
        items = list(old)
        at = int(index.removesuffix("]"))
        items[at] = bend(items[at], rest, value) if rest else value
        bent_value: Any = tuple(items)
    elif rest and isinstance(old, FlagsWord):
        word: Any = old  # each flags class declares its own groups
        bent_value = word.replace(**{rest: value})
    elif rest:
        bent_value = bend(old, rest, value)
    else:
        bent_value = type(record).flags[name](value) if name in type(record).flags else value
    return type(record).raw(
        *(bent_value if field.name == name else getattr(record, field.name) for field in record.layout.fields)
    )


def _settled(record: Any, changes: Mapping[str, Any]) -> Any:
    """Return the record with its actual size, unless the size was bent."""
    if "UserMessage" in record.layout.by_name:
        inner = {path.removeprefix("UserMessage."): value for path, value in changes.items()}
        return bend(record, "UserMessage", _settled(record.UserMessage, inner))
    if "BaseHeader" not in record.layout.by_name or "BaseHeader.PacketSize" in changes:
        return record
    outside = 16 if record.layout.name == "UserMessage" and record.SessionHeader is not None else 0
    return bend(record, "BaseHeader.PacketSize", len(record.encode()) - outside)


def _reported(record: Any, level: Level, context: Context | None = None) -> set[str]:
    return {violation.requirement for violation in validate(record, level, context=context)}


def bent(record: Any, changes: Mapping[str, Any]) -> Any:
    """Return the record with some fields changed; PacketSize is updated unless it is among them."""
    for path, value in changes.items():
        record = bend(record, path, value)
    return _settled(record, changes)


def ways_to_break(base: Any, site: BendSite, dice: Dice) -> list[Mapping[str, Any]]:
    """Return changes of a record, each of which may violate the requirement."""
    if site.changes is not None:
        return [site.changes(base, dice)]
    outer = site.path.rpartition(".")[0]
    if outer and walk(base, outer)[1] is None:
        return []
    derived = _derived(base, site) if site.rule is not None else []
    ways: list[Mapping[str, Any]] = [{site.path: other} for other in others(*walk(base, site.path), dice)]
    return [*_turned(derived, dice), *_turned(ways, dice), *_beside(base, site.path)]


def _beside(base: Any, path: str) -> list[Mapping[str, Any]]:
    """Return the numbers of the fields beside a number, and their neighbours: a rule may relate the two."""
    outer, _, name = path.rpartition(".")
    owner = walk(base, outer)[1] if outer else base
    kinds = {} if isinstance(owner, FlagsWord) else {field.name: field.kind for field in owner.layout.fields}
    kind = kinds.pop(name, None)
    if not isinstance(kind, Integer):
        return []
    numbers = [getattr(owner, other) for other, beside in kinds.items() if isinstance(beside, Integer)]
    low, high = kind.bounds
    return [{path: n} for number in numbers for n in (number, number + 1, number - 1) if low <= n <= high]


def _turned(ways: list[Mapping[str, Any]], dice: Dice) -> list[Mapping[str, Any]]:
    """Return the ways from any of them on."""
    start = dice.byte() % (len(ways) or 1)
    return ways[start:] + ways[:start]


def _derived(base: Any, site: BendSite) -> list[Mapping[str, Any]]:
    """Return the changes that follow from the operator of the rule, with its conditions fulfilled."""
    rule = site.rule
    assert rule is not None  # noqa: S101  # the caller has looked
    owner = walk(base, site.prefix)[1] if site.prefix else base
    inner = f"{site.prefix}." if site.prefix else ""
    around = {
        f"{inner}{path}": value for each in rule.when for path, value in satisfying(owner, each).items()
    }
    ways: list[Mapping[str, Any]] = [
        around | {f"{inner}{rule.path}": value} for value in violating(owner, rule)
    ]
    return ways


def broken_record(dice: Dice, requirement: str, site: BendSite) -> Any:
    """Return a record that violates this requirement and no other."""
    for _ in range(_TRIES):
        base = site.base(Dice(dice.draw))
        for changes in ways_to_break(base, site, dice):
            try:
                record = bent(base, changes)
                if _reported(record, site.level) == {requirement}:
                    return record
            except (EncodeError, TypeError, AttributeError):
                continue  # such a record cannot be encoded
    raise UnsatisfiedAssumption  # `reject` warns outside of a property-based test


# ------------------------------------------------------------------------------------------- places


def _site(structure: str, rule: Rule) -> BendSite:
    prefix, base = BASES.get(structure) or _base(structure)
    if structure == "UserMessage":
        base = OF_A_CLASS.get(rule.requirement.rpartition("-")[0], base)
    path = f"{prefix}.{rule.path}" if prefix else rule.path
    return BendSite(base, path, rule.level, rule=rule, prefix=prefix)


def _base(structure: str) -> tuple[str, Callable[[Dice], Any]]:
    """Return a header within a message; other structures alone."""
    field = structures()["UserMessage"].by_name.get(structure)
    if field is None or structure in MAKERS:
        return "", MAKERS.get(structure) or maker(structure)
    return structure, lambda dice: replace(_packets.message(dice), **{structure: maker(structure)(dice)})


@cache
def sites_of_rules() -> dict[str, tuple[BendSite, ...]]:
    """Return where each requirement can be violated alone, by its id."""
    sites: dict[str, tuple[BendSite, ...]] = {}
    for structure, rules in RULES.items():
        for rule in rules:
            if rule.needs or rule.requirement in INSEPARABLE or rule.requirement in SEVERAL:
                continue
            if rule.level != BENDABLE[rule.requirement]:
                continue  # a "practice" rule with the same requirement
            if rule.requirement in WHOLE:
                path, base = WHOLE[rule.requirement]
                site = BendSite(base, path, rule.level)
            else:
                site = _site(structure, rule)
            sites[rule.requirement] = (*sites.get(rule.requirement, ()), site)
    for requirement in FUNCTION_IDS & WHOLE.keys():
        path, base = WHOLE[requirement]
        sites[requirement] = (BendSite(base, path, "must"),)
    for requirement, several in SEVERAL.items():
        sites[requirement] = (BendSite(several.base, "", BENDABLE[requirement], several.changes),)
    return sites


def broken_fields(kind: type[Any]) -> Iterator[tuple[str, str, Callable[[Dice, Callable[[Any], Any]], Any]]]:
    """Requirements on a kind of packet that one field violates, the field that the rule names.

    Yields: The requirement, the path of the field, and a function that creates a bent packet.  It takes a
    `Dice` and a function to apply to the packet before it is bent; it raises `UnsatisfiedAssumption` if
    it finds none.
    """
    for requirement, sites in sites_of_rules().items():
        for site in sites:
            applies = site.level == "must" and site.path and requirement not in WHOLE
            applies = applies and requirement.rpartition("-")[0] not in OF_A_CLASS
            if applies and isinstance(site.base(rolled(Random(0))), kind):  # noqa: S311  # any seed will do
                yield requirement, site.path, _breaker(requirement, site)


def _breaker(requirement: str, site: BendSite) -> Callable[[Dice, Callable[[Any], Any]], Any]:
    def broken(dice: Dice, dressed: Callable[[Any], Any]) -> Any:
        return broken_record(dice, requirement, site._replace(base=lambda record: dressed(site.base(record))))

    return broken


# ------------------------------------------------------------------------------------- property values

_BAD = {
    VARTYPE.VT_LPWSTR: ("\x01", "l" * 125, "1.2.3.4:5", "a b"),
    VARTYPE.VT_BLOB: (b"\x09", b"\x02" * 9),
    VARTYPE.VT_UI1: (0xEE,),
    VARTYPE.VT_UI2: (0xEEEE,),
    VARTYPE.VT_UI4: (0xEEEEEEEE,),
}


def directory_change(dice: Dice, number: int, value: PropertyValue) -> Any:
    """Return a change with one property, with this value."""
    return mqdsrp.DirectoryChange.raw(
        3, 1, None, dice.identity(), dice.guid(), *(mqdsrp.MIN_SEQ_NUMBER,) * 3, 1, (number,), (value,)
    )


@cache
def bad_property_values() -> Mapping[str, tuple[tuple[int, PropertyValue], ...]]:
    """Return properties and values that violate one requirement, by its id."""
    bad_values: dict[str, list[tuple[int, PropertyValue]]] = {}
    plain = Dice(lambda _: bytes(16))
    for number, vartype in property_numbers():
        base = vartype & ~VARTYPE.VT_VECTOR
        bad: tuple[Any, ...] = _BAD.get(VARTYPE(base), ())
        if vartype & VARTYPE.VT_VECTOR:
            bad = tuple((content,) for content in bad)
        values = [PropertyValue(vartype, content) for content in (*bad, *candidates(vartype))]
        values.append(PropertyValue(VARTYPE.VT_I8, 0))
        for value in values:
            try:
                broken = _reported(directory_change(plain, number, value), "must")
            except (EncodeError, LookupError):
                continue  # the value does not fit its type
            if len(broken) == 1:
                bad_values.setdefault(broken.pop(), []).append((number, value))
    return {requirement: tuple(rows) for requirement, rows in bad_values.items()}


def bad_property(dice: Dice, requirement: str) -> Any:
    """Return a change with one property, whose value violates the requirement."""
    return directory_change(dice, *dice.pick(bad_property_values()[requirement]))


# ------------------------------------------------------------------------------------------- strategies


def _levels() -> dict[str, Level]:
    levels: dict[str, Level] = {}
    for rules in RULES.values():
        for rule in rules:
            if not rule.needs and rule.requirement not in INSEPARABLE:
                before = levels.get(rule.requirement, rule.level)
                levels[rule.requirement] = min(before, rule.level, key=LEVELS.index)
    return levels | dict.fromkeys(sorted(FUNCTION_IDS), "must")


BENDABLE: Final[Mapping[str, Level]] = _levels()
"""Requirements that can be violated alone, and the level on which `validate` reports them."""


def bent_packets(
    requirement: str | None = None, *, kind: type[Record] | str | None = None
) -> st.SearchStrategy[tuple[str, Record]]:
    """Generate records that violate exactly one requirement, each with the id of that requirement.

    ``validate(record, BENDABLE[id])`` reports that id and no other.  The record is a packet if the
    requirement concerns packets, otherwise a structure.  Every record can be encoded; a bent record may
    contradict itself, so not every record can be decoded again.

    Args:
        requirement: One of `BENDABLE`; by default any of those on the level "must", with equal probability
            for each class of records and for each requirement of a class.
        kind: The class of the records, or its name; by default any.

    Raises:
        WrongTypeError: An argument has another type.
        MsmqWireError: There is no such requirement or structure, or the requirement cannot be violated alone
            by a record of that class.

    Examples:
        >>> from hypothesis import find
        >>> import msmq_wire as mw
        >>> requirement, record = find(bent_packets("MQMQ-2.2.19.2-08"), lambda bent: True)
        >>> record.UserHeader.Flags.RC
        30
        >>> [str(violation.requirement) for violation in mw.validate(record)]
        ['MQMQ-2.2.19.2-08']
    """
    need("requirement", requirement, (str, NoneType), "the id of a requirement")
    if requirement is not None and requirement not in BENDABLE:
        if requirement in BENDABLE_IN_CONTEXT:
            raise MsmqWireError(f"{requirement!r} needs a context to be violated: use bent_in_context")
        near = "" if requirement in INSEPARABLE else did_you_mean(requirement, BENDABLE)
        raise MsmqWireError(f"{requirement!r} is not a requirement that can be violated alone{near}")
    name = None if kind is None else structure_name(kind)
    if requirement is not None:
        if name is not None and requirement not in by_kind().get(name, ()):
            raise MsmqWireError(f"no {name} can violate {requirement} alone")
        return _bent(requirement, name)
    wanted = {
        kind_name: [broken for broken in requirements if BENDABLE[broken] == "must"]
        for kind_name, requirements in by_kind().items()
        if name in (None, kind_name)
    }
    classes = sorted(kind_name for kind_name, requirements in wanted.items() if requirements)
    if not classes:
        raise MsmqWireError(f"no {name} can violate a requirement alone")
    return st.sampled_from(classes).flatmap(
        lambda kind_name: st.sampled_from(wanted[kind_name]).flatmap(lambda broken: _bent(broken, kind_name))
    )


@cache
def by_kind() -> Mapping[str, tuple[str, ...]]:
    """Return requirements by the class of the records that violate them."""
    fields_by_kind: dict[str, list[str]] = {}
    for requirement in BENDABLE:
        sites = sites_of_rules().get(requirement)
        for kind in {_kind_of(site) for site in sites} if sites else {mqdsrp.DirectoryChange.__name__}:
            fields_by_kind.setdefault(kind, []).append(requirement)
    return {kind: tuple(requirements) for kind, requirements in sorted(fields_by_kind.items())}


@cache
def _kind_of(site: BendSite) -> str:
    return type(site.base(rolled(Random(0)))).__name__  # noqa: S311  # any seed will do


@cache
def _bent(requirement: str, kind: str | None = None) -> st.SearchStrategy[tuple[str, Record]]:
    sites = sites_of_rules().get(requirement)
    if sites is None:
        strategy = _packets.from_dice(lambda dice: (requirement, bad_property(dice, requirement)))
    else:
        fitting = tuple(site for site in sites if kind in (None, _kind_of(site)))
        strategy = _packets.from_dice(
            lambda dice: (requirement, broken_record(dice, requirement, dice.pick(fitting)))
        )
    return strategy.filter(_encodes)


def _encodes(drawn: tuple[str, Any]) -> bool:
    try:
        drawn[1].encode()
    except EncodeError:
        return False
    return True


# ------------------------------------------------------------------------------------------- in a context

BENDABLE_IN_CONTEXT: Final[Mapping[str, Level]] = {
    rule.requirement: rule.level for rules in RULES.values() for rule in rules if rule.needs
}
"""Requirements that need a `Context`, and the level on which `validate` reports them."""
_OF_REQUESTS: Final = {rule.requirement for rules in RULES.values() for rule in rules if rule.of_requests}
"""Requirements that stand for those of answers where the context is unknown."""


def _broken_in_context(dice: Dice, requirement: str) -> tuple[str, Record, Context]:
    level = BENDABLE_IN_CONTEXT[requirement]
    for _ in range(_TRIES):
        base, context = IN_CONTEXT[requirement].base(Dice(dice.draw))
        record = bent(base, IN_CONTEXT[requirement].changes(base, dice))
        broken = _reported(record, level, context)
        if broken == {requirement} and _reported(record, level) <= _OF_REQUESTS:
            return requirement, record, context
    raise UnsatisfiedAssumption  # `reject` warns outside of a property-based test


def bent_in_context(requirement: str | None = None) -> st.SearchStrategy[tuple[str, Record, Context]]:
    """Generate records that violate a requirement only in a context, with its id and the context.

    ``validate(record, context=context)`` reports that id and no other, and without the context nothing, or
    the requirement of requests that stands for both directions.

    Args:
        requirement: One of `BENDABLE_IN_CONTEXT`; by default any of them.

    Raises:
        WrongTypeError: `requirement` has another type.
        MsmqWireError: There is no such requirement, or it needs no context.

    Examples:
        >>> from hypothesis import find
        >>> import msmq_wire as mw
        >>> requirement, ping, context = find(bent_in_context("MQQB-2.2.7-24"), lambda bent: True)
        >>> context.request.Cookie, ping.Cookie
        (0, 1)
        >>> [violation.requirement for violation in mw.validate(ping, context=context)]
        ['MQQB-2.2.7-24']
    """
    need("requirement", requirement, (str, NoneType), "the id of a requirement")
    if requirement is None:
        return st.sampled_from(sorted(BENDABLE_IN_CONTEXT)).flatmap(bent_in_context)
    if requirement not in BENDABLE_IN_CONTEXT:
        raise MsmqWireError(f"{requirement!r} is not a requirement that needs a context")
    return _packets.from_dice(lambda dice: _broken_in_context(dice, requirement))
