"""The words that rules are written in.

1. A `Rule` is a row: the requirement, the field it speaks of, the condition, and what is allowed.
2. A rule stands with the smallest structure that holds all that it compares; its path starts there.
3. A rule that needs more than its structure takes the `Scope` as well; one that needs a `Context` names the
   part of it that has to be known.
4. A condition never raises for a record that was decoded or built, whatever that holds.
5. A rule names the channels that it speaks of; without any it speaks of all.
6. A rule of the level "practice" is about what a page forbids, or leaves open, and implementations are known
   to do.  It names the erratum that has the evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from msmq_wire.records.record import Record, encode_record, record_class
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.guid import GUID
from msmq_wire.values.wchar import wchar_count

if TYPE_CHECKING:
    from collections.abc import Iterator


__all__ = [
    "CHANNELS",
    "LEVELS",
    "SENT",
    "SHOULD",
    "Channel",
    "Context",
    "Embedded",
    "Finding",
    "Judge",
    "Level",
    "Role",
    "Rule",
    "Scope",
    "absent_unless",
    "byte_count",
    "count",
    "ends_with_null",
    "form",
    "given",
    "in_range",
    "inside",
    "leftover",
    "must_be",
    "on",
    "one_of",
    "practice",
    "present_when",
    "rule",
    "shown",
    "size",
    "size_of",
    "unused",
    "wchars",
]

Level: TypeAlias = Literal["must", "should", "practice"]
Channel: TypeAlias = Literal["session", "remote-read", "directory", "stored"]
Role: TypeAlias = Literal["PSC", "BSC", "directory", "queue manager"]
SHOULD: Level = "should"
LEVELS: tuple[Level, ...] = ("must", "should", "practice")
"""From the strictest on; each level has the findings of those before it as well."""
CHANNELS: tuple[Channel, ...] = ("session", "remote-read", "directory", "stored")
"""Where a packet may have been met."""
SENT: tuple[Channel, ...] = ("session", "directory")
"""Channels of packets that one queue manager sent to another."""


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What bytes alone do not tell.  Rules that need an unknown part are left out.

    Attributes:
        request: The packet or message that this one answers or acknowledges.
        is_response: Whether this packet answers another; follows from `request` if that is given.
        sender: The queue manager that made this packet.
        receiver: The queue manager that this packet is for.
        role: What the sender is: ``"PSC"`` or ``"BSC"`` in replication, ``"directory"`` (an MSMQ Directory
            Service) or ``"queue manager"`` in change notification.
        server_class: Whether the operating system of the initiator of a session is of the server class.
        receiver_address: Network address of the machine that the packet is for, as text.
        seen_at: When the packet was seen on its way, in seconds since 1970.
    """

    request: Any = None
    is_response: bool | None = None
    sender: GUID | None = None
    receiver: GUID | None = None
    role: Role | None = None
    server_class: bool | None = None
    receiver_address: str | None = None
    seen_at: float | None = None

    def knows(self, part: str) -> bool:
        """Whether a part is known."""
        return bool(part == "is_response" and self.request is not None) or getattr(self, part) is not None

    @property
    def answers(self) -> bool:
        """Whether this packet answers another."""
        return self.request is not None if self.is_response is None else self.is_response


class Scope(msgspec.Struct, frozen=True):
    """Where a structure is being looked at.

    Attributes:
        packet: The outermost record.
        context: What the caller knows.
        channel: Where the packet was met.
    """

    packet: Any
    context: Context
    channel: Channel = "session"


class Rule(msgspec.Struct, frozen=True):
    """One requirement as a condition.

    Attributes:
        requirement: Its id.
        path: The field, from the structure that the rule stands with.
        holds: The condition, for the record and, if `scoped`, the `Scope`.
        allowed: What the field may hold, in words that follow "has to be".
        level: How strict the document is.
        scoped: Whether the condition takes the scope.
        needs: Part of the `Context` that has to be known.
        channels: Where the packet has to have been met; empty for anywhere.
        erratum: Of a rule of the level "practice", the erratum with the evidence.
        practice: What implementations are known to do, in words that follow "known implementations".
    """

    requirement: str
    path: str
    holds: Callable[..., Any]
    allowed: str
    level: Level = "must"
    scoped: bool = False
    needs: str = ""
    channels: tuple[Channel, ...] = ()
    erratum: str = ""
    practice: str = ""


class Finding(msgspec.Struct, frozen=True):
    """What a judge has against a record.

    Attributes:
        requirement: Id of what is broken.
        steps: Names and indices that lead to the value.
        found: The value.
        allowed: What it may be, in words that follow "has to be".
        fault: A sentence without its stop that says it better than these words.
    """

    requirement: str
    steps: tuple[str | int, ...]
    found: Any
    allowed: str
    fault: str = ""


Judge: TypeAlias = "Callable[[Any], Iterator[Finding]]"
"""A judge names the requirement itself: there is one for each property, and the value tells which."""


class Embedded(msgspec.Struct, frozen=True):
    """A structure within the bytes of a field.

    Attributes:
        path: The field, from the structure that holds it, such as ``MessageBody``.
        read: Gives the inner records for the record that holds the field: for each the further steps to its
            bytes, its offset from their beginning, and the record.  What cannot be read gives none.
    """

    path: str
    read: Callable[[Any], Iterable[tuple[tuple[int, ...], int, Record]]]


# ------------------------------------------------------------------------------------------ conditions


def shown(value: Any) -> str:
    """A value as the documents print it: numbers from ten on in hexadecimal."""
    if isinstance(value, int) and not isinstance(value, bool) and type(value).__str__ is int.__str__:
        return f"{value:#x}" if value > 9 else str(value)
    return str(value) if isinstance(value, GUID) else repr(value)


def rule(
    requirement: str, path: str, holds: Callable[[Any], Any], allowed: str, level: Level = "must"
) -> Rule:
    """Any condition on the record."""
    return Rule(requirement, path, holds, allowed, level)


def given(
    needs: str, requirement: str, path: str, holds: Callable[[Any, Context], Any], allowed: str
) -> Rule:
    """Any condition on the record and the context, checked only where that part of the context is known."""
    return Rule(
        requirement,
        path,
        lambda record, scope: holds(record, scope.context),
        allowed,
        scoped=True,
        needs=needs,
    )


def on(channels: tuple[Channel, ...], *rules: Rule) -> tuple[Rule, ...]:
    """The rules, for packets that were met on one of some channels."""
    return tuple(msgspec.structs.replace(row, channels=channels) for row in rules)


def practice(
    requirement: str, path: str, holds: Callable[[Any], Any], allowed: str, *, erratum: str, known: str
) -> Rule:
    """What a page forbids or leaves open, and implementations do.

    Args:
        requirement: The requirement that the page states.
        path: The field.
        holds: The condition that they do not keep.
        allowed: What the page allows.
        erratum: Where the evidence is.
        known: What they do, in words that follow "known implementations".
    """
    return Rule(requirement, path, holds, allowed, "practice", erratum=erratum, practice=known)


def must_be(requirement: str, path: str, value: Any, level: Level = "must") -> Rule:
    """The field has one value."""
    get = attrgetter(path)
    return Rule(requirement, path, lambda record: get(record) == value, shown(value), level)


def one_of(requirement: str, path: str, *values: Any) -> Rule:
    """The field has one of some values."""
    get, known = attrgetter(path), frozenset(values)
    return Rule(
        requirement, path, lambda record: get(record) in known, "one of " + ", ".join(map(shown, values))
    )


def in_range(requirement: str, path: str, low: int, high: int) -> Rule:
    """The field lies between two values, both included."""
    get = attrgetter(path)
    return Rule(
        requirement, path, lambda record: low <= get(record) <= high, f"{shown(low)} to {shown(high)}"
    )


def unused(section: str, word: str, **numbers: int) -> tuple[Rule, ...]:
    """Groups of a flags word that a sender leaves clear, each with the number of its requirement."""
    return tuple(
        must_be(f"{section}-{number:02}", f"{word}.{group}", 0, SHOULD) for group, number in numbers.items()
    )


def size(requirement: str, path: str, array: str) -> Rule:
    """The field is the size of a sibling's bytes."""
    get, held = attrgetter(path), attrgetter(array)
    return Rule(
        requirement, path, lambda record: get(record) == len(held(record)), f"the size of {array} in bytes"
    )


def wchars(requirement: str, path: str, text: str) -> Rule:
    """The field is the number of WCHARs in a sibling."""
    get, held = attrgetter(path), attrgetter(text)
    return Rule(
        requirement,
        path,
        lambda record: get(record) == wchar_count(held(record)),
        f"the number of WCHARs in {text}",
    )


def count(requirement: str, path: str, array: str) -> Rule:
    """The field is the number of a sibling's elements."""
    get, held = attrgetter(path), attrgetter(array)
    return Rule(
        requirement,
        path,
        lambda record: get(record) == len(held(record)),
        f"the number of elements of {array}",
    )


def leftover(requirement: str, path: str, most: int, allowed: str) -> Rule:
    """What is left in a field for bytes that nothing else has is at most so much."""
    get = attrgetter(path)
    return Rule(
        requirement,
        path,
        lambda record: len(get(record)) <= most,
        f"at most {most} {'byte' if most == 1 else 'bytes'} of {allowed}",
    )


def byte_count(requirement: str, path: str) -> Rule:
    """The field is the size of its whole structure."""
    get = attrgetter(path)
    return Rule(
        requirement,
        path,
        lambda record: get(record) == len(encode_record(record)),
        "the size of the structure in bytes",
    )


def ends_with_null(requirement: str, path: str, *, empty: bool = False) -> Rule:
    """A text with one null character, which is its last; or no text at all, if it may be `empty`."""
    get = attrgetter(path)

    def holds(record: Any) -> bool:
        text = get(record)
        return bool(text.find("\0") == len(text) - 1 if text else empty)

    return Rule(
        requirement,
        path,
        holds,
        f"{'empty, or ' if empty else ''}a text that ends at its only null character",
    )


def present_when(requirement: str, part: str, flag: str) -> Rule:
    """Where a flag is set, a part is there."""
    get, held = attrgetter(flag), attrgetter(part)
    return Rule(
        requirement,
        flag,
        lambda record: not get(record) or held(record) is not None,
        f"0 without {part}",
    )


def absent_unless(requirement: str, part: str, flag: str) -> Rule:
    """Where a flag is clear, a part is not there."""
    get, held = attrgetter(flag), attrgetter(part)
    return Rule(
        requirement,
        flag,
        lambda record: get(record) or held(record) is None,
        f"1 with {part}",
    )


def form(requirement: str, part: str, selector: str) -> Rule:
    """A part has the form that its selector asks for; an unknown selector asks for none."""
    select, held = attrgetter(selector), attrgetter(part)

    def holds(record: Any) -> bool:
        forms = record.layout.by_name[part].kind.forms
        wanted = select(record)
        if wanted not in forms:
            return True
        value = held(record)
        structure = forms[wanted]
        return value is None if structure is None else value is not None and value.layout is structure

    return Rule(requirement, part, holds, f"in the form that {selector} selects")


def inside(path: str, structure: str, begins: bytes = b"") -> Embedded:
    """A structure that fills a field's bytes, if they begin so and can be read."""
    held = attrgetter(path)

    def read(record: Any) -> Iterator[tuple[tuple[int, ...], int, Record]]:
        data = held(record)
        if data and data.startswith(begins):
            try:
                yield (), 0, record_class(structure).decode(data)
            except DecodeError:
                return

    return Embedded(path, read)


def size_of(*records: Any) -> int:
    """Bytes that some records take; those that are None take none."""
    return sum(len(encode_record(record)) for record in records if record is not None)
