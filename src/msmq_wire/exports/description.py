"""The layouts as plain data: every structure, field, count, presence, enumeration and named value.

1. `describe` reads the model and its tables; the result has only numbers, texts, lists and names, so that
   generators for other languages need nothing of this package.
2. The JSON document is the serialised form of these classes, and its schema is generated from them.
3. A path refers to a number, relative to the structure of the field: a field of it, ``Flags.DQ`` a group of a
   flags field, ``BaseHeader.PacketSize`` a field of an earlier header.  A name that the structure does not
   have is a field of the enclosing structure.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from msmq_wire.checks.rules import RULES
from msmq_wire.checks.rules import Rule as RuleRow
from msmq_wire.definitions.properties import PROPERTIES, VARTYPE
from msmq_wire.definitions.relations import DEFAULTS, FIXED
from msmq_wire.packets.carriers import NACKS, DirectoryQueue
from msmq_wire.packets.directory.replication import Message
from msmq_wire.packets.packet import ORDER_LABEL
from msmq_wire.records import model
from msmq_wire.values.body_types import BODY_TYPES
from msmq_wire.values.enumerations import enumerations
from msmq_wire.values.guid import GUID
from msmq_wire.values.properties import types as property_types
from msmq_wire.views.known_values import EMBEDDED, EXPECTED, HEXADECIMAL, OPTIONAL, UNITS, VALUES

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Description", "as_json", "describe", "schema"]


# ------------------------------------------------------------------------------------------------ lengths


class Fixed(msgspec.Struct, frozen=True, omit_defaults=True, tag="fixed"):
    """A fixed number of bytes."""

    bytes: int


class Counted(msgspec.Struct, frozen=True, omit_defaults=True, tag="counted"):
    """The number of elements, WCHARs or bytes is the number at `number`, divided by `per_unit`."""

    number: str
    per_unit: int = 1


class Fill(msgspec.Struct, frozen=True, omit_defaults=True, tag="fill"):
    """Padding to a multiple of `boundary` after fields whose sizes are known.

    The size of these fields is `more` bytes plus, for each of `sizes`, the number at its path times its
    factor.
    """

    boundary: int
    sizes: tuple[tuple[str, int], ...]
    more: int = 0


class Rest(msgspec.Struct, frozen=True, omit_defaults=True, tag="rest"):
    """All remaining bytes of the structure; for a text all complete WCHARs."""


class Terminated(msgspec.Struct, frozen=True, omit_defaults=True, tag="terminated"):
    """Up to the first WCHAR 0x0000, which is not part of the text."""


class Aligned(msgspec.Struct, frozen=True, omit_defaults=True, tag="aligned"):
    """Up to a multiple of `boundary`, relative to the start of the nearest enclosing structure `origin`.

    If the number at `selector` is one of `boundaries`, that boundary applies instead.  With `cut_short` the
    bytes may end earlier.  If the selector is one of `packed`, an array whose size fits only without padding
    has none.  With `before`, a following field and its number, there is padding only if that number follows
    the padding and not the preceding field.
    """

    origin: str
    boundary: int
    selector: str = ""
    boundaries: tuple[tuple[int, int], ...] = ()
    cut_short: bool = False
    packed: tuple[int, ...] = ()
    before: tuple[str, int] | None = None


Length = Fixed | Counted | Fill | Rest | Terminated | Aligned


# -------------------------------------------------------------------------------------------------- kinds


class Integer(msgspec.Struct, frozen=True, omit_defaults=True, tag="integer"):
    """A little-endian number of `size` bytes."""

    size: int
    signed: bool = False
    enumeration: str | None = None


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """`width` bits of a flags field, starting at bit `shift`."""

    name: str
    shift: int
    width: int
    doc: str
    values: dict[int, str] = {}
    all_values: bool = False
    default: int | None = None


class Flags(msgspec.Struct, frozen=True, omit_defaults=True, tag="flags"):
    """A little-endian number of `size` bytes that consists of groups of bits."""

    size: int
    groups: tuple[Group, ...]


class Guid(msgspec.Struct, frozen=True, omit_defaults=True, tag="guid"):
    """16 bytes: a GUID with its first three parts little-endian."""


class Sequence(msgspec.Struct, frozen=True, omit_defaults=True, tag="sequence"):
    """8 bytes: a number, the most significant byte first."""


class Numbers(msgspec.Struct, frozen=True, omit_defaults=True, tag="numbers"):
    """Little-endian numbers of `size` bytes each."""

    size: int
    count: Counted


class Values(msgspec.Struct, frozen=True, omit_defaults=True, tag="property_values"):
    """A property value for each number in the sibling `identifiers`; `properties` has its type."""

    identifiers: str


class Bytes(msgspec.Struct, frozen=True, omit_defaults=True, tag="bytes"):
    """Bytes; for padding, `length` is its end."""

    length: Length


class Text(msgspec.Struct, frozen=True, omit_defaults=True, tag="text"):
    """UTF-16LE with `length` in WCHARs; there may be lone surrogates."""

    length: Counted | Rest | Terminated


class Nested(msgspec.Struct, frozen=True, omit_defaults=True, tag="structure"):
    """One structure."""

    structure: str


class Items(msgspec.Struct, frozen=True, omit_defaults=True, tag="array"):
    """Structures back to back."""

    structure: str
    count: Counted


class Choice(msgspec.Struct, frozen=True, omit_defaults=True, tag="choice"):
    """The structure that the number at `selector` selects; null if it selects none.

    Decoding fails for a number that is not in `forms`.
    """

    selector: str
    forms: dict[int, str | None]


Kind = Integer | Flags | Guid | Sequence | Numbers | Values | Bytes | Text | Nested | Items | Choice


# --------------------------------------------------------------------------------------------- structures


class Presence(msgspec.Struct, frozen=True, omit_defaults=True):
    """The condition for the presence of a field.

    Attributes:
        numbers: Paths of the numbers that decide; empty if the field is present as long as bytes remain.
        value: The required number; null if one of the numbers has to be non-zero.
    """

    numbers: tuple[str, ...]
    value: int | None = None


class Offset(msgspec.Struct, frozen=True, omit_defaults=True):
    """The number at `number` has to be the offset of the text from the start of `origin`, in WCHARs."""

    number: str
    origin: str


class Rival(msgspec.Struct, frozen=True, omit_defaults=True):
    """A structure that may replace a header, which then is absent.

    It is present if it has `size` of the remaining bytes, which are not `room`, states this size at `own`,
    and states at `rest` that all other bytes follow it.  Both are numbers of four bytes.

    In a nested structure, the header may also be absent without a replacement: if the bytes end with the size
        of the structure, so that decoding would fail if the header were taken for the last bytes of that
        size.
    """

    structure: str
    size: int
    own: int
    rest: int
    room: int


class Inside(msgspec.Struct, frozen=True, omit_defaults=True):
    """Bytes that begin with `begins` (hexadecimal) contain this structure, if it fills them."""

    structure: str
    begins: str = ""


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field, in the order of the wire.

    Attributes:
        name: Its name in the document.
        kind: Its kind, which determines how its bytes are decoded.
        doc: Its description.
        present: The condition for its presence; null if it is always present.
        outside: Whether it follows the size that the structure's extent states.
        known: Values that are required to decode the following fields; null for any.
        offset: For a text, the number with its offset.
        values: Names of some values.
        all_values: Whether no other values are documented.
        expected: The only documented value.
        unit: What a number counts: ``s``, ``ms``, ``date`` or ``local date`` (seconds since 1970).
        hexadecimal: Whether the number is an identifier and not a quantity.
        default: The default value for encoding, if it is not zero.
        inside: The structure in its bytes.
        rival: The structure that may replace it although it is announced.
    """

    name: str
    kind: Kind
    doc: str
    present: Presence | None = None
    outside: bool = False
    known: tuple[int, ...] | None = None
    offset: Offset | None = None
    values: dict[int, str] = {}
    all_values: bool = False
    expected: int | None = None
    unit: Literal["", "s", "ms", "date", "local date"] = ""
    hexadecimal: bool = False
    default: int | None = None
    inside: Inside | None = None
    rival: Rival | None = None


Operator = Literal[
    "==", "!=", "<=", "in", "not in", "within", "with bits", "without bits", "is there", "is absent",
    "at least field", "bytes of", "WCHARs of", "WCHAR bytes of", "elements of", "own size",
    "at most bytes", "ends with null", "empty or ends with null", "form of",
]  # fmt: skip
NUMERIC = frozenset(get_args(Operator)[:10])
"""Operators that compare a number with numbers, or ask whether a field is there."""


class Comparison(msgspec.Struct, frozen=True, omit_defaults=True):
    """A comparison of a field with a value or with another field; it holds for absent fields.

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
        """Whether it compares numbers only, or asks whether a field is there."""
        several = self.operator in {"in", "not in", "within"}
        return self.operator in NUMERIC and isinstance(self.value, tuple if several else int | None)


class Rule(msgspec.Struct, frozen=True, omit_defaults=True):
    """A requirement that is a comparison.

    Attributes:
        requirement: Its id.
        holds: The comparison.
        allowed: The allowed values, as text after "has to be".
        level: How strict the document is.
        when: Comparisons that all have to hold, otherwise the rule does not apply.
        channels: The channels to which the rule applies; empty for all.
    """

    requirement: str
    holds: Comparison
    allowed: str
    level: Literal["must", "should", "practice"]
    when: tuple[Comparison, ...] = ()
    channels: tuple[str, ...] = ()

    @property
    def is_numeric(self) -> bool:
        """Whether all of it compares numbers."""
        return self.holds.is_numeric and all(each.is_numeric for each in self.when)


class Extent(msgspec.Struct, frozen=True, omit_defaults=True):
    """The number at `number`, rounded up to a multiple, is the size of the structure in bytes."""

    number: str
    multiple: int = 1


class Structure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One structure of a document.

    Attributes:
        name: Its name in the document.
        section: Document and section, such as ``[MS-MQMQ] 2.2.19.1``.
        doc: Its description.
        fields: Its fields in wire order.
        extent: The number that bounds it; null if its fields do.
        fixed_size: Its size in bytes; null if it varies.
        least_size: Its minimum size in bytes.
        asks: Required values of numbers in its headers, by their paths.
        rules: Requirements that are comparisons; those that need a function or a context are omitted.
    """

    name: str
    section: str
    doc: str
    fields: tuple[Field, ...]
    extent: Extent | None
    fixed_size: int | None
    least_size: int
    asks: dict[str, int] = {}
    rules: tuple[Rule, ...] = ()


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
        returned: First and last class of the acknowledgments that bring a replication message back.
    """

    internal: dict[int, str]
    message: str
    rider: str
    acknowledgment_label: str
    operations: dict[int, str]
    directory_queues: dict[str, tuple[int, str]]
    returned: tuple[int, int]


class Description(msgspec.Struct, frozen=True, omit_defaults=True):
    """The complete description.

    Attributes:
        format: Version of this format; it changes if readers have to change.
        structures: The structures, each after its parts.
        enumerations: Names by value, by enumeration.
        properties: Every property identifier that is published.
        vartypes: Names of the variant types by number; 0x1000 added makes a vector: a count of four bytes,
            then the elements.
        packets: Types that more than one field determines.
    """

    format: int
    structures: tuple[Structure, ...]
    enumerations: dict[str, dict[int, str]]
    properties: tuple[Property, ...]
    vartypes: dict[int, str]
    packets: Packets


# --------------------------------------------------------------------------------------- from the model


def _counted(count: model.Count) -> Counted:
    return Counted(count.number, count.per_unit)


def _length(count: Any) -> Any:
    """The length of an array of bytes or WCHARs."""
    match count:
        case model.Count():
            return _counted(count)
        case model.Fill():
            return Fill(count.boundary, count.sizes, count.more)
        case model.EOF:
            return Rest()
        case model.NUL:
            return Terminated()
    return Fixed(count)


def _kind(owner: str, field: model.Field) -> Kind:
    match field.kind:
        case model.Integer() as kind:
            return Integer(kind.size, kind.format.islower(), kind.enumeration)
        case model.Flags() as kind:
            groups = tuple(_group(f"{owner}.{field.name}.{group.name}", group) for group in kind.groups)
            return Flags(kind.size, groups)
        case model.Guid():
            return Guid()
        case model.Sequence():
            return Sequence()
        case model.Numbers() as kind:
            return Numbers(kind.size, _counted(kind.count))
        case model.Values() as kind:
            return Values(kind.identifiers)
        case model.Bytes() as kind:
            return Bytes(_length(kind.count))
        case model.Padding() as kind:
            return Bytes(Aligned(*msgspec.structs.astuple(kind.alignment)))
        case model.Text() as kind:
            return Text(_length(kind.count))
        case model.Nested() as kind:
            return Nested(kind.structure.name)
        case model.Items() as kind:
            return Items(kind.structure.name, _counted(kind.count))
        case model.Choice() as kind:
            return Choice(
                kind.selector, {value: form.name if form else None for value, form in kind.forms.items()}
            )
    raise AssertionError(field.kind)


_BODY_TYPES = {int(member): member.name for member in VARTYPE} | BODY_TYPES


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def _group(path: str, group: model.Group) -> Group:
    values = VALUES.get(path, {})
    return Group(
        group.name,
        group.shift,
        group.width,
        group.doc,
        values,
        bool(values) and path not in OPTIONAL,
        _number(DEFAULTS.get(path)),
    )


def _field(owner: str, field: model.Field) -> Field:
    path = f"{owner}.{field.name}"
    values = _BODY_TYPES if path == "MessagePropertiesHeader.BodyType" else VALUES.get(path, {})
    kind = _kind(owner, field)
    inside = EMBEDDED.get(path)
    return Field(
        field.name,
        kind,
        field.doc,
        Presence(field.present.numbers, field.present.value) if field.present else None,
        field.outside,
        field.known,
        Offset(*field.offset_in) if field.offset_in else None,
        values,
        path in VALUES and path not in OPTIONAL and not (isinstance(kind, Integer) and kind.enumeration),
        EXPECTED.get(path),
        UNITS.get(path, ""),  # type: ignore[arg-type]  # the table has no other units
        path in HEXADECIMAL,
        _number(DEFAULTS.get(path)),
        Inside(inside[0], inside[1].hex()) if inside else None,
        Rival(**msgspec.structs.asdict(field.rival)) if field.rival else None,
    )


def _structure(structure: model.Structure) -> Structure:
    asks = {path: value for path, value in FIXED.get(structure.name, {}).items() if isinstance(value, int)}
    return Structure(
        structure.name,
        structure.section,
        structure.doc,
        tuple(_field(structure.name, field) for field in structure.fields),
        Extent(structure.extent.path, structure.extent.multiple) if structure.extent else None,
        structure.fixed_size,
        structure.least_size,
        asks,
        tuple(filter(None, map(_rule, RULES.get(structure.name, ())))),
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
    return Comparison(path, operator, value)  # type: ignore[arg-type]  # one of those


def _rule(row: RuleRow) -> Rule | None:
    """Return a rule that is a comparison and needs no context, or None for any other."""
    holds = _comparison(row.path, row.operator, row.value)
    when = [_comparison(*each) for each in row.when]
    if row.needs or holds is None or None in when:
        return None
    return Rule(row.requirement, holds, row.allowed, row.level, tuple(filter(None, when)), row.channels)


def describe(structures: Iterable[model.Structure]) -> Description:
    """Return the description of these structures, from the model and its tables."""
    found = tuple(structures)
    kinds = {
        name: {number: member for member, number in members.items()}
        for name, members in enumerations().items()
    }
    typed = property_types.type_of
    internal = "InternalHeader.Flags.PT"
    return Description(
        1,
        tuple(map(_structure, found)),
        kinds,
        tuple(
            Property(row.number, row.name, int(row.vartype))
            for row in PROPERTIES
            if typed(row.number) is not None
        ),
        {int(member): member.name for member in VARTYPE if member != VARTYPE.VT_VECTOR},
        Packets(
            {fixed[internal]: name for name, fixed in FIXED.items() if internal in fixed},
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
    compact = msgspec.json.encode(value, order="deterministic" if isinstance(value, dict) else None)
    return msgspec.json.format(compact, indent=1).decode() + "\n"


def schema(kind: Any = Description) -> dict[str, Any]:
    """Return the JSON Schema of a document, with the texts that every version of Python gives.

    Docstrings keep their indentation before Python 3.13.
    """
    made: dict[str, Any] = msgspec.json.schema(kind)
    for one in (made, *made.get("$defs", {}).values()):
        if "description" in one:
            one["description"] = cleandoc(one["description"])
    return made
