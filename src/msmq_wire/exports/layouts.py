"""The layouts as JSON for generators in other languages: the model itself, and the tables about its fields.

1. The kinds, counts and conditions of fields are the classes of `records.model`; ``type`` is the class.
   Where a field refers to a structure, the document has its name.
2. A path such as ``UserHeader.Flags.DQ`` refers to a field of a structure, or to bits of a flags field.  A
   number that a field depends on has a path relative to its structure: a field, bits of a flags field, a
   field of an earlier header, or a field of the enclosing structure.
3. The schema of the document is generated from these classes.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from msmq_wire.checks.rules import RULES
from msmq_wire.checks.rules import Rule as RuleRow
from msmq_wire.definitions.properties import PROPERTIES, VARTYPE
from msmq_wire.definitions.relations import DEFAULTS, FIXED, announced
from msmq_wire.packets.carriers import NACKS, DirectoryQueue
from msmq_wire.packets.directory.replication import Message
from msmq_wire.packets.packet import ORDER_LABEL
from msmq_wire.records import model
from msmq_wire.values.body_types import BODY_TYPES
from msmq_wire.values.enumerations import enumerations
from msmq_wire.values.guid import GUID
from msmq_wire.values.properties.types import type_of
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER
from msmq_wire.values.violation import Level
from msmq_wire.views.known_values import EMBEDDED, EXPECTED, HEXADECIMAL, OPTIONAL, UNITS, VALUES

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMAT = 2
"""Version of the format; it changes if readers have to change."""


class Layout(msgspec.Struct, frozen=True, omit_defaults=True):
    """One structure of a document.

    Attributes:
        name: Its name in the document.
        section: Document and section, such as ``[MS-MQMQ] 2.2.19.1``.
        doc: Its description.
        fields: Its fields in wire order.
        extent: The number that states its size; null if its fields do.
        scoped: Whether its sizes are in the enclosing structure, so that it cannot be decoded alone.
        fixed_size: Its size in bytes; null if it varies.
        least_size: Its minimum size in bytes.
    """

    name: str
    section: str
    doc: str
    fields: tuple[model.Field, ...]
    extent: model.Extent | None
    scoped: bool
    fixed_size: int | None
    least_size: int


class Embedded(msgspec.Struct, frozen=True, omit_defaults=True):
    """Bytes that begin with `begins` (hexadecimal) contain this structure, if it fills them."""

    structure: str
    begins: str = ""


Operator = Literal[
    "==", "!=", "<=", "in", "not in", "within", "with bits", "without bits", "is there", "is absent",
    "at least field", "bytes of", "WCHARs of", "WCHAR bytes of", "elements of", "own size",
    "at most bytes", "ends with null", "empty or ends with null", "form of",
]  # fmt: skip
NUMERIC = frozenset(get_args(Operator)[:10])
"""Operators that compare a number with numbers, or test whether a field is present."""


class Comparison(msgspec.Struct, frozen=True, omit_defaults=True):
    """A comparison of a field with a value or with another field.

    Attributes:
        path: The field, from the structure that has the rule.
        operator: The required relation: equal, one of, none of, between both (included), with or without one
            of the bits of the value, present, absent; equal to or at least another field; the size in bytes,
            the number of WCHARs, their size in bytes or the number of elements of another field; the size of
            its structure; at most this number of bytes; a text that ends at its only null character, or
            empty; the form that another field selects.
        value: One number, several numbers, the path of the other field, bytes in hexadecimal, a GUID as text,
            or nothing, depending on the operator.
    """

    path: str
    operator: Operator
    value: int | str | tuple[int, ...] | None = None

    @property
    def is_numeric(self) -> bool:
        """Whether it only compares numbers, or tests whether a field is present."""
        several = self.operator in {"in", "not in", "within"}
        return self.operator in NUMERIC and isinstance(self.value, tuple if several else int | None)


class Rule(msgspec.Struct, frozen=True, omit_defaults=True):
    """A requirement that is a comparison.

    Attributes:
        requirement: Its id.
        holds: The comparison; it also holds for an absent field.
        allowed: The allowed values, as text after "has to be".
        level: How strict the document is.
        when: Comparisons that all have to hold, otherwise the rule does not apply; none of a value holds in
            an absent structure.
        channels: The channels to which the rule applies; empty for all.
    """

    requirement: str
    holds: Comparison
    allowed: str
    level: Level
    when: tuple[Comparison, ...] = ()
    channels: tuple[str, ...] = ()

    @property
    def is_numeric(self) -> bool:
        """Whether it and its conditions only compare numbers."""
        return self.holds.is_numeric and all(each.is_numeric for each in self.when)


class Property(msgspec.Struct, frozen=True, omit_defaults=True):
    """A property identifier, its name, and the variant type of its value."""

    number: int
    name: str
    vartype: int


class Packets(msgspec.Struct, frozen=True, omit_defaults=True):
    """How to detect the structures that begin with a BaseHeader, and those within bodies.

    Attributes:
        internal: Packets by `InternalHeader.Flags.PT`, where `BaseHeader.Flags.IN` is set.
        message: All others.
        rider: The structure after PacketSize where `BaseHeader.Flags.SH` is set in a message.
        acknowledgment_label: The label of OrderAck and FinalAck packets.
        operations: Replication messages by `BaseReplicationHeader.Operation`.
        directory_queues: Private queues whose messages hold directory messages: what they hold, the queue's
            number, the end of its path name in lower case.
        returned: First and last class of the acknowledgments that return a replication message.
    """

    internal: dict[int, str]
    message: str
    rider: str
    acknowledgment_label: str
    operations: dict[int, str]
    directory_queues: dict[str, tuple[int, str]]
    returned: tuple[int, int]


class Document(msgspec.Struct, frozen=True, omit_defaults=True):
    """The complete document.

    Attributes:
        format: Version of this format; it changes if readers have to change.
        structures: The structures, each after its parts.
        values: Names of values, by the path of the field or group.
        open_values: Paths of `values` whose other values may be valid too.
        expected: The only documented value, by path.
        units: The unit of a number, by path: ``s``, ``ms``, ``date`` or ``local date`` (seconds since 1970).
        hexadecimal: Paths of numbers that are identifiers and not quantities.
        defaults: Default values for encoding that are not zero, by path.
        fixed: Values that a structure requires of numbers in its headers, by structure and path.
        embedded: The structure in the bytes of a field, by path.
        rules: Requirements that are comparisons, by structure; those that need a function or a context are
            omitted.
        enumerations: Names by value, by enumeration.
        properties: Every property identifier that is published.
        vartypes: Names of the variant types by number; 0x1000 added makes a vector: a count of four bytes,
            then the elements.
        packets: Types that more than one field determines.
    """

    format: int
    structures: tuple[Layout, ...]
    values: dict[str, dict[int, str]]
    open_values: tuple[str, ...]
    expected: dict[str, int]
    units: dict[str, str]
    hexadecimal: tuple[str, ...]
    defaults: dict[str, int]
    fixed: dict[str, dict[str, int]]
    embedded: dict[str, Embedded]
    rules: dict[str, tuple[Rule, ...]]
    enumerations: dict[str, dict[int, str]]
    properties: tuple[Property, ...]
    vartypes: dict[int, str]
    packets: Packets


def _layout(structure: model.Structure) -> Layout:
    return Layout(
        structure.name,
        structure.section,
        structure.doc,
        structure.fields,
        structure.extent,
        structure.scoped,
        structure.fixed_size,
        structure.least_size,
    )


def _comparison(path: str, operator: str, value: Any) -> Comparison | None:
    """Return a comparison, or None if the condition is a function."""
    if operator not in get_args(Operator):
        return None
    if operator in {"in", "not in"} and isinstance(value, frozenset):
        value = tuple(sorted(value))
    elif isinstance(value, bytes):
        value = value.hex()
    elif isinstance(value, GUID):
        value = str(value)
    elif isinstance(value, SEQUENCE_NUMBER):
        value = value.raw.hex()
    return Comparison(path, operator, value)  # type: ignore[arg-type]  # one of those


def _rule(row: RuleRow) -> Rule | None:
    """Return a rule that is a comparison and needs no context, or None for any other."""
    holds = _comparison(row.path, row.operator, row.value)
    when = [_comparison(*each) for each in row.when]
    if row.needs or holds is None or None in when:
        return None
    return Rule(row.requirement, holds, row.allowed, row.level, tuple(filter(None, when)), row.channels)


def _numbers(values: dict[str, Any]) -> dict[str, int]:
    return {path: value for path, value in values.items() if isinstance(value, int)}


def document(structures: Iterable[model.Structure]) -> Document:
    """Return the document with these structures, and the tables about all fields."""
    body_type = "MessagePropertiesHeader.BodyType"
    layouts = tuple(map(_layout, structures))
    rules = {layout.name: tuple(filter(None, map(_rule, RULES.get(layout.name, ())))) for layout in layouts}
    fixed = {name: _numbers(values) for name, values in FIXED.items()}
    return Document(
        format=FORMAT,
        structures=layouts,
        values=VALUES | {body_type: {int(member): member.name for member in VARTYPE} | BODY_TYPES},
        open_values=tuple(sorted(OPTIONAL | {body_type})),
        expected=EXPECTED,
        units=UNITS,
        hexadecimal=tuple(sorted(HEXADECIMAL)),
        defaults=_numbers(DEFAULTS),
        fixed={name: values for name, values in fixed.items() if values},
        embedded={path: Embedded(name, begins.hex()) for path, (name, begins) in EMBEDDED.items()},
        rules={name: rows for name, rows in rules.items() if rows},
        enumerations={
            name: {number: member for member, number in members.items()}
            for name, members in enumerations().items()
        },
        properties=tuple(
            Property(row.number, row.name, int(row.vartype))
            for row in PROPERTIES
            if type_of(row.number) is not None
        ),
        vartypes={int(member): member.name for member in VARTYPE if member != VARTYPE.VT_VECTOR},
        packets=Packets(
            announced("InternalHeader.Flags.PT"),
            "UserMessage",
            "SessionHeader",
            ORDER_LABEL,
            {number: kind.__name__ for number, kind in enumerate(get_args(Message))},
            {queue.name: queue.value for queue in DirectoryQueue},
            (NACKS.start, NACKS.stop - 1),
        ),
    )


def as_json(value: Any) -> str:
    """Return the JSON document, with one field per line, so that changes of definitions have short diffs."""
    order: Any = "deterministic" if isinstance(value, dict) else None
    compact = msgspec.json.encode(value, enc_hook=_name_of, order=order)
    return msgspec.json.format(compact, indent=1).decode() + "\n"


def _name_of(value: Any) -> str:
    """Return the name of a structure, which stands for it in the document."""
    if not isinstance(value, model.Structure):
        raise NotImplementedError(type(value).__name__)
    return value.name


def schema(kind: Any = Document) -> dict[str, Any]:
    """Return the JSON Schema of a document, with the texts that every version of Python gives.

    Docstrings keep their indentation before Python 3.13.
    """
    schemas: dict[str, Any] = msgspec.json.schema(kind, schema_hook=lambda _: {"type": "string"})
    for each in (schemas, *schemas.get("$defs", {}).values()):
        if "description" in each:
            each["description"] = cleandoc(each["description"])
    return schemas
