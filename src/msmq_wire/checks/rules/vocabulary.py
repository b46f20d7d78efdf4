"""The vocabulary of rules: the types and functions with which rules are written.

1. A `Rule` is data: requirement, field, operator, value, and allowed values as text.  The compiler generates
   `checks.validators` from the rows, and columns of many packets are compared by the same rows.
2. A rule belongs to the smallest structure that contains all compared fields; its path starts there.
3. A rule that needs a `Context` names the attribute that must be known.
4. A requirement that is not a comparison has a function as condition.  The function never raises for a record
   that was decoded or built.
5. A rule names the channels to which it applies; without any, it applies to all.
6. A rule of the level "practice" describes what implementations are known to do although a document forbids
   it or does not state it.  It names the erratum with the evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec

from msmq_wire.definitions.relations import PRESENT
from msmq_wire.packets.directory.carried import carried_by
from msmq_wire.records.record import Record, record_class, size_of_record
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.errors import DecodeError, need, need_one_of, need_within
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.violation import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

Channel: TypeAlias = Literal["session", "remote-read", "directory", "stored"]
Role: TypeAlias = Literal["PSC", "BSC", "directory", "queue manager"]
SHOULD: Level = "should"
LEVELS: tuple[Level, ...] = get_args(Level)
"""Levels, the strictest first; each level includes the findings of those before it."""
CHANNELS: tuple[Channel, ...] = get_args(Channel)
"""Where a packet may have been captured."""
AS_SENT: tuple[Channel, ...] = ("session", "directory", "stored")
"""Those that show the fields as their sender set them: all but the remote read ([MS-MQRR] 2.2.5.1)."""
ACKNOWLEDGING: Final = frozenset(
    int(number)
    for number in MESSAGE_CLASS_VALUES
    if number
    not in {
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_NORMAL,
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT,
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_ORDER_ACK,
    }
)
"""The classes of administration acknowledgments."""
POSITIVE: Final = frozenset(
    {int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_REACH_QUEUE), int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_RECEIVE)}
)
"""The positive ones, which have no body."""
SENT: tuple[Channel, ...] = ("session", "directory")
"""Channels of packets that one queue manager sent to another."""
RECEIVED: tuple[Channel, ...] = ("remote-read", "stored")
"""Channels of messages as their receiver has them, which authenticated and decrypted them."""


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about a packet that its bytes do not show.  Rules that need unknown facts are omitted.

    Attributes:
        request: The packet or message that this one answers or acknowledges.
        is_response: Whether this packet answers another; follows from `request` if that is given.
        sender: The queue manager that sent this packet.
        receiver: The destination queue manager of this packet.
        role: The role of the sender: ``"PSC"`` or ``"BSC"`` in replication, ``"directory"`` (an MSMQ
            Directory Service) or ``"queue manager"`` in change notification.
        server_class: Whether the operating system of the initiator of a session is of the server class.
        receiver_address: Network address of the destination, as text.
        seen_at: Time at which the packet was captured in transit, in seconds since 1970.
        clock_tolerance: Seconds by which the sender's clock may be behind that of `seen_at`; by default 0,
            because no document states a tolerance (errata M41).

    Raises:
        WrongTypeError: A fact has the wrong type.
        MsmqWireError: There is no such role, or a number of seconds is none, or out of bounds.
    """

    request: Any = None
    is_response: bool | None = None
    sender: GUID | None = None
    receiver: GUID | None = None
    role: Role | None = None
    server_class: bool | None = None
    receiver_address: str | None = None
    seen_at: float | None = None
    clock_tolerance: float = 0.0

    def __post_init__(self) -> None:
        for name, (kind, expected) in _FACTS.items():
            value = getattr(self, name)
            if value is not None:
                need(name, value, kind, expected)
        if self.seen_at is not None:
            need_within("seen_at", self.seen_at, -_MOST_SECONDS, _MOST_SECONDS, "a time in seconds")
        need_within(
            "clock_tolerance", self.clock_tolerance, 0, _MOST_SECONDS, "a number of seconds from 0 on"
        )
        if self.role is not None:
            need_one_of("role", self.role, get_args(Role))

    def knows(self, part: str) -> bool:
        """Return whether an attribute is known."""
        return bool(part == "is_response" and self.request is not None) or getattr(self, part) is not None

    @property
    def answers(self) -> bool:
        """Return whether this packet answers another."""
        return self.request is not None if self.is_response is None else self.is_response


_MOST_SECONDS = 1 << 40
_FACTS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "is_response": (bool, "True or False"),
    "sender": (GUID, "a GUID"),
    "receiver": (GUID, "a GUID"),
    "server_class": (bool, "True or False"),
    "receiver_address": (str, "text"),
    "seen_at": ((int, float), "a time in seconds"),
    "clock_tolerance": ((int, float), "a number of seconds"),
}


class Comparison(NamedTuple):
    """A comparison of a field with a value; it holds if the field is absent.

    Attributes:
        path: The field, relative to the structure of the rule.
        operator: One of `OPERATORS`.
        value: The other operand: a number, a set, a pair of bounds, or the path of another field.
    """

    path: str
    operator: str
    value: Any = None


class Rule(msgspec.Struct, frozen=True):
    """One requirement as a condition: a field, an operator, a value.

    Attributes:
        requirement: Its id.
        path: The field, relative to the structure of the rule.
        operator: One of `OPERATORS`.
        value: The other operand; for the operator ``fits``, the condition on the record or, if the rule
            needs a context, on the record and that context.
        allowed: The allowed values, in words that follow "has to be".
        level: The level of the requirement.
        when: Comparisons that must all hold for the rule to apply.
        needs: Attribute of the `Context` that must be known.
        of_requests: Whether it does not apply to packets that are known to answer others.
        channels: Channels of packets to which the rule applies; empty for all.
        erratum: For a rule of the level "practice", the erratum with the evidence.
        practice: The known behavior of implementations, in words that follow "known implementations".
        by_decoding: Whether decoding ensures it, so that only a record that was built can violate it.
    """

    requirement: str
    path: str
    operator: str
    value: Any
    allowed: str
    level: Level = "must"
    when: tuple[Comparison, ...] = ()
    needs: str = ""
    of_requests: bool = False
    channels: tuple[Channel, ...] = ()
    erratum: str = ""
    practice: str = ""
    by_decoding: bool = False

    def applies(self, level: Level, channel: Channel) -> bool:
        """Return whether the rule is checked up to a level, for packets of a channel."""
        return LEVELS.index(self.level) <= LEVELS.index(level) and (
            not self.channels or channel in self.channels
        )


OPERATORS: Final = {
    "==": "the value",
    "!=": "not the value",
    "<=": "at most the value",
    "in": "one of the values",
    "not in": "none of the values",
    "within": "between the two values, both included",
    "with bits": "at least one of the bits of the value",
    "without bits": "none of the bits of the value",
    "is there": "present",
    "is absent": "absent",
    "at least field": "at least the field of that path",
    "bytes of": "the size of that field in bytes",
    "WCHARs of": "the number of WCHARs in the text of that path",
    "WCHAR bytes of": "the size of the text of that path in bytes",
    "elements of": "the number of elements of the array of that path",
    "own size": "the size of the structure in bytes",
    "at most bytes": "at most this number of bytes",
    "ends with null": "a text whose last character is its only null",
    "empty or ends with null": "empty, or a text whose last character is its only null",
    "form of": "the form that the selector of that path requires",
    "fits": "accepted by a function",
}
"""The allowed values as text, by operator."""
OTHER_FIELD: Final = frozenset(
    {"at least field", "bytes of", "WCHARs of", "WCHAR bytes of", "elements of", "form of"}
)
"""Operators whose value is the path of another field."""


NAMES_OF_SDK: Final = "name queues with spaces and with characters of any script"
"""Behavior that the pages of the SDK allow for queue names, in words that follow "known implementations"."""
AS_REQUESTED: Final = "as in the request"
NO_REFUSAL: Final = "0: only the answer to an EstablishConnection can refuse a session"
UNANNOUNCED: Final = "announced by a flag"
"""Not an operator: marks a presence rule for a part that no row of `PRESENT` announces."""


class RawViolation(NamedTuple):
    """A violation before its message is composed and its field located.

    Attributes:
        requirement: Id of the violated requirement.
        steps: Names and indices on the path to the field; in a `RuleFunction`, from its structure.
        found: The value of the field.
        allowed: The allowed values, in words that follow "has to be".
        fault: A better sentence, without full stop.
        channels: Channels of packets to which it applies; empty for all.
        level: The level of the requirement.
        erratum: The erratum with evidence about implementations.
        practice: The known behavior of implementations.
        note: The product behavior note, for a violation of a profile.
    """

    requirement: str
    steps: tuple[Any, ...]
    found: Any
    allowed: str
    fault: str = ""
    channels: tuple[Channel, ...] = ()
    level: Level = "must"
    erratum: str = ""
    practice: str = ""
    note: str = ""


RuleFunction: TypeAlias = "Callable[[Any], Iterator[RawViolation]]"
"""It returns the requirement itself, because there is one for each property, selected by the value."""


class Embedded(msgspec.Struct, frozen=True):
    """A structure inside a byte field.

    Attributes:
        path: The field, relative to its structure, such as ``MessageBody``.
        read: Returns the inner records for the record with the field: for each one the further steps, its
            offset in the field, and the record.  None for bytes that cannot be decoded.
        begins: First bytes of the fields to read; if empty, all nonempty fields are read.
        reports: Whether `read` also returns violations, because the contents determine how they may be sent.
        holds: Names of the structures that the bytes may contain.
        unread: Returns the possible contents of unknown bytes, given the known fields of the structure and
            the number of known elements: for each structure the rest of the path, and its name.
    """

    path: str
    read: Callable[[Any], Iterable[Any]]
    begins: bytes = b""
    reports: bool = False
    holds: tuple[str, ...] = ()
    unread: Callable[[Any, int], Iterable[tuple[str, str]]] | None = None


# ------------------------------------------------------------------------------------------ conditions


def shown(value: Any) -> str:
    """Return a value as the documents print it: numbers from ten on in hexadecimal."""
    if isinstance(value, int) and not isinstance(value, bool) and type(value).__str__ is int.__str__:
        return f"{value:#x}" if value > 9 else str(value)
    return str(value) if isinstance(value, GUID) else repr(value)


def rule(
    requirement: str,
    path: str,
    operator: str,
    value: Any,
    allowed: str,
    *when: tuple[Any, ...],
    level: Level = "must",
) -> Rule:
    """Return a rule: a comparison of a field, if other comparisons hold."""
    return Rule(requirement, path, operator, value, allowed, level, tuple(Comparison(*each) for each in when))


def fits(
    requirement: str,
    path: str,
    holds: Callable[[Any], Any],
    allowed: str,
    *when: tuple[Any, ...],
    level: Level = "must",
) -> Rule:
    """Return a rule: a condition on the record that is not a comparison, if other comparisons hold."""
    return rule(requirement, path, "fits", holds, allowed, *when, level=level)


def given(
    needs: str, requirement: str, path: str, holds: Callable[[Any, Context], Any], allowed: str
) -> Rule:
    """Return a rule: a condition on record and context, if that attribute of the context is known."""
    return Rule(requirement, path, "fits", holds, allowed, needs=needs)


def on(channels: tuple[Channel, ...], *rules: Rule) -> tuple[Rule, ...]:
    """Restrict rules to packets of some channels."""
    return tuple(msgspec.structs.replace(row, channels=channels) for row in rules)


def of_acknowledged(field: str) -> str:
    """Return the allowed value of a field that an acknowledgment repeats from its message, in words."""
    return f"{field} of the message acknowledged"


class Explains:
    """The condition of a rule that says what is wrong with a record that violates it.

    Args:
        problem: Returns what is wrong with a record; empty if nothing is.
    """

    def __init__(self, problem: Callable[[Any], str]) -> None:
        self.problem = problem

    def __call__(self, record: Any) -> bool:
        """Return whether nothing is wrong."""
        return not self.problem(record)


def allowed_values(allowed: str, condition: Any, record: Any) -> str:
    """Return the allowed values of a rule in words, with what is wrong with a record if it is known."""
    return f"{allowed}: {condition.problem(record)}" if isinstance(condition, Explains) else allowed


class Repeats:
    """The condition that a field has the value that the context determines, which is unknown if None.

    Args:
        path: The field.
        wanted: Finds the value, given the record and the context.
        why: Returns the words that follow the value; by default those of the rule.
    """

    def __init__(
        self,
        path: str,
        wanted: Callable[[Any, Context], Any],
        why: Callable[[Context], str] | None = None,
    ) -> None:
        self.wanted = wanted
        self.why = why
        self._read = attrgetter(path)

    def __call__(self, record: Any, context: Context) -> bool:
        """Return whether the field has this value."""
        value = self.wanted(record, context)
        return value is None or bool(self._read(record) == value)


def asked(context: Context, kind: str) -> Any:
    """Return the request of a context if it is of that kind, or if it is a message that carries one.

    Args:
        context: A context with a request.
        kind: The name of the class of the request.
    """
    request = context.request
    name = type(request).__name__
    if name == "UserMessage" != kind:
        try:
            request = carried_by(request)
        except DecodeError:
            return None
        name = type(request).__name__
    return request if name == kind else None


def practice(row: Rule, *, erratum: str, known: str) -> Rule:
    """Return a rule for behavior of implementations that a document forbids or does not state.

    Args:
        row: The requirement of the document.
        erratum: The erratum with the evidence.
        known: The behavior, in words that follow "known implementations".
    """
    return msgspec.structs.replace(row, level="practice", erratum=erratum, practice=known)


def identifies(requirement: str, path: str, what: str) -> Rule:
    """Return a rule: a GUID identifies something, so it is not null."""
    return rule(requirement, path, "!=", NULL_GUID, f"that of {what}, not null")


def must_be(requirement: str, path: str, value: Any, level: Level = "must") -> Rule:
    """Return a rule: the field has one value."""
    return rule(requirement, path, "==", value, shown(value), level=level)


def one_of(requirement: str, path: str, *values: Any) -> Rule:
    """Return a rule: the field has one of some values."""
    return rule(requirement, path, "in", frozenset(values), "one of " + ", ".join(map(shown, values)))


def in_range(requirement: str, path: str, low: int, high: int) -> Rule:
    """Return a rule: the field is between two values, both included."""
    return rule(requirement, path, "within", (low, high), f"{shown(low)} to {shown(high)}")


def unused(section: str, word: str, **numbers: int) -> tuple[Rule, ...]:
    """Return rules: groups of a flags word that must be clear, each with the number of its requirement."""
    return tuple(
        must_be(f"{section}-{number:02}", f"{word}.{group}", 0, SHOULD) for group, number in numbers.items()
    )


def size(requirement: str, path: str, array: str) -> Rule:
    """Return a rule: the field is the size of other bytes."""
    return rule(requirement, path, "bytes of", array, f"the size of {array} in bytes")


def wchars(requirement: str, path: str, text: str) -> Rule:
    """Return a rule: the field is the number of WCHARs in a text."""
    return rule(requirement, path, "WCHARs of", text, f"the number of WCHARs in {text}")


def wchar_bytes(requirement: str, path: str, text: str) -> Rule:
    """Return a rule: the field is the size of a text in bytes."""
    return rule(requirement, path, "WCHAR bytes of", text, f"the size of {text} in bytes")


def count(requirement: str, path: str, array: str) -> Rule:
    """Return a rule: the field is the number of an array's elements."""
    return rule(requirement, path, "elements of", array, f"the number of elements of {array}")


def leftover(requirement: str, path: str, most: int, allowed: str) -> Rule:
    """Return a rule: the bytes that remain for a field are at most this many."""
    bound = f"at most {most} {'byte' if most == 1 else 'bytes'} of {allowed}"
    return rule(requirement, path, "at most bytes", most, bound)


def fills(requirement: str, path: str, holds: Callable[[Any], bool], *when: tuple[Any, ...]) -> Rule:
    """Return a rule: a padding has the size that a reader takes.

    Args:
        requirement: Its id.
        path: The padding.
        holds: Returns whether the padding of a record ends at the next 4-byte boundary.
        when: Comparisons that must all hold for the rule to apply.
    """
    row = fits(requirement, path, holds, "what fills up to a multiple of 4 bytes and no more", *when)
    return msgspec.structs.replace(row, by_decoding=True)


def byte_count(requirement: str, path: str) -> Rule:
    """Return a rule: the field is the size of its whole structure."""
    return rule(requirement, path, "own size", None, "the size of the structure in bytes")


def ends_with_null(requirement: str, path: str, *, empty: bool = False) -> Rule:
    """Return a rule: a text has exactly one null character, at its end, or is empty if `empty` is set."""
    operator, either = ("empty or ends with null", "empty, or ") if empty else ("ends with null", "")
    return rule(requirement, path, operator, None, f"{either}a text that ends at its only null character")


def form(requirement: str, part: str, selector: str) -> Rule:
    """Return a rule: a part has the form that its selector requires; unknown selectors require none."""
    return rule(requirement, part, "form of", selector, f"in the form that {selector} selects")


def presence(part: str, *, missing: str = "", extra: str = "") -> tuple[Rule, ...]:
    """Return the two presence rules of a part that a flag announces; the relations state the flag.

    Args:
        part: The part, as in `PRESENT`, such as ``UserMessage.TransactionHeader``.
        missing: The requirement that is violated if the flag is set and the part is absent.
        extra: The requirement that is violated if the part is present and the flag is clear.
    """
    name = part.partition(".")[2]
    if part not in PRESENT:  # the compiler reports this with file and line
        return (rule(missing or extra, name, UNANNOUNCED, part, ""),)
    flag, _, number = PRESENT[part].partition(" == ")
    announcing, silent = (("==", int(number)), ("!=", int(number))) if number else (("!=", 0), ("==", 0))
    rows = (
        rule(missing, flag, *silent, f"0 without {name}", (name, "is absent")),
        rule(extra, flag, *announcing, f"{number or 1} with {name}", (name, "is there")),
    )
    return tuple(row for row in rows if row.requirement)


def inside(path: str, structure: str, begins: bytes = b"") -> Embedded:
    """Return an embedded structure that fills a byte field, if the bytes begin like it and can be decoded."""
    read_bytes = attrgetter(path)

    def read(record: Any) -> Iterator[tuple[tuple[int, ...], int, Record]]:
        try:
            yield (), 0, record_class(structure).decode(read_bytes(record))
        except DecodeError:
            return

    return Embedded(path, read, begins, holds=(structure,))


def size_of(*records: Any) -> int:
    """Return the total size of some records; None has size 0."""
    return sum(size_of_record(record) for record in records if record is not None)
