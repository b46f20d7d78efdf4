"""Validates bytes that cannot be decoded completely: every rule whose fields are all known.

1. A structure whose fields are all known is a record, which its validator checks.  For any other structure,
   the rules are tested row by row, with a `PartialRecord` in place of the record.
2. Reading a field that is neither known nor known to be absent raises `Unknown`.  The rule is then not
   checked, and reported as unchecked.
3. A rule does not apply if one of its conditions is known to be false, even if other fields are unknown.
4. Parts are made of fields by path, because those are what every result of lenient decoding has; a reader
   made only some of them.  Fields after the last readable one are included if a flag or count before says
   that they are absent or empty.
5. An OrderAck or a FinalAck is a message on the wire.  A part of one is judged as such if that is certain.
   Where a message may be one of them or not, the rules on all of a packet are unchecked.
"""

from __future__ import annotations

import operator
from contextlib import suppress
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from msmq_wire.documents.readings import READINGS
from msmq_wire.documents.session_protocol import ACKNOWLEDGMENTS
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.packets.packet import ORDER_LABEL, acknowledgment_class, is_for_order_queue, kind_by_class
from msmq_wire.packets.partial import nested, of_structure
from msmq_wire.records.model import structures
from msmq_wire.records.record import Record, diagnostic_reader, record_class
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.wchar import wchar_count

from .offsets import Inside, OffsetCache, path_of
from .profiles import lacks
from .rules import EMBEDDED, FUNCTION_IDS_BY_STRUCTURE, RULE_FUNCTIONS, RULES, Level, RawViolation
from .validators import VALIDATORS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from msmq_wire.packets.partial import LaxResult
    from msmq_wire.records.model import Field, Structure
    from msmq_wire.records.spans import FieldSpan

    from .collector import Trail, ViolationCollector
    from .offsets import Step
    from .rules import Comparison, Embedded, Rule


class UncheckedRequirement(msgspec.Struct, frozen=True):
    """A requirement that could not be checked, because one of its fields is unknown.

    Attributes:
        requirement: Its id.
        path: Dotted path of its field, from the outermost structure.
        level: The level of the requirement.
    """

    requirement: str
    path: str
    level: Level = "must"


class Unknown(Exception):  # not an error: it signals an unknown field
    """A field is unknown."""


class PartialRecord:
    """A structure with unknown fields; the known fields are attributes, as in a record.

    `isinstance` treats it as an instance of the record class.
    """

    __slots__ = ("items", "layout", "values")

    def __init__(self, layout: Structure, values: dict[str, Any], items: dict[str, list[Any]]) -> None:
        """Store the known fields.

        Args:
            layout: The structure.
            values: The known fields by name; None for a field that is known to be absent.
            items: The known elements of arrays that are not completely known.
        """
        self.layout = layout
        self.values = values
        self.items = items

    @property  # type: ignore[misc]  # as proxies do
    def __class__(self) -> Any:
        return record_class(self.layout.name)

    def __getattr__(self, name: str) -> Any:
        if name in self.values:
            return self.values[name]
        reading = READINGS.get(self.layout.name, {}).get(name)
        if reading is not None:
            return reading(self)
        raise Unknown(name)


# ------------------------------------------------------------------------------------------- what is known


def part_of(structure: Structure, fields: Mapping[str, Any], around: tuple[Any, ...] = ()) -> Any:
    """Create a structure from its known fields: a record if all are known, else a `PartialRecord`.

    Args:
        structure: The structure.
        fields: Its fields, as `nested` returns them.
        around: The enclosing structures created so far, the innermost first.
    """
    part = PartialRecord(structure, {}, {})
    frames = (part, *around)
    for field in structure.fields:
        value = fields.get(field.name)
        try:
            if value is None:
                if _is_empty(field, frames):
                    part.values[field.name] = None if field.present else field.kind.omitted
                continue
            part.values[field.name] = _value(field, value, frames, part)
        except Unknown:
            continue
    if len(part.values) < len(structure.fields) or not all(map(is_whole, part.values.values())):
        return part
    return record_class(structure.name).raw(*(part.values[field.name] for field in structure.fields))


def is_whole(value: Any) -> bool:
    """Return whether the value of a field contains no structure with unknown fields."""
    return PartialRecord not in map(type, value if isinstance(value, tuple) else (value,))


def _value(field: Field, content: Any, frames: tuple[Any, ...], part: PartialRecord) -> Any:
    kind = field.kind
    if field.element:
        items = [None if item is None else part_of(field.element, item, frames) for item in content]
        certain = items
    elif field.identifiers:
        items = list(content)
        certain = list(takewhile(lambda value: value is not None, content))
    elif field.structures:
        form = kind.form(_number_in(frames))
        if form is None:
            raise Unknown(field.name)
        return part_of(form, content, frames)
    else:
        return content
    if len(items) == kind.length(_number_in(frames)) and None not in items:
        return tuple(items)
    part.items[field.name] = certain
    raise Unknown(field.name)


def _is_empty(field: Field, frames: tuple[Any, ...]) -> bool:
    """Return whether a field without a value is known to be absent or empty."""
    if field.present is not None:
        return bool(field.present.numbers) and not field.present.test(_number_in(frames), 0)
    return field.kind.is_empty(_number_in(frames))


def _number_in(frames: tuple[Any, ...]) -> Callable[[str], Any]:
    return lambda path: _value_at(path, frames)


def _value_at(path: str, frames: tuple[Any, ...]) -> Any:
    """Return the value at a path, starting from the innermost structure that has its first step."""
    first, *steps = path.split(".")
    for frame in frames:
        if first in frame.layout.by_name:
            value = getattr(frame, first)
            for step in steps:
                if value is None:
                    return 0
                value = getattr(value, step)
            return value
    raise Unknown(path)


_BODY: Final = "MessagePropertiesHeader.MessageBody"
_LEAST_HEADER: Final = 4
"""Fewer bytes are padding, not another header."""


class PacketPart(NamedTuple):
    """What is known of a packet.

    Attributes:
        kind: The name of its class; None for a message that may be an acknowledgment or not.
        known: Its certain fields: a `PartialRecord`, or a record if all are certain.
        body: What is known of the structure in the body of an acknowledgment, if the body is truncated.
    """

    kind: str | None
    known: Any
    body: Any = None


def packet_part(kind: str, result: LaxResult) -> PacketPart:
    """Return what is known of a packet, as the packet that it is.

    Args:
        kind: Name of the structure at its beginning.
        result: What `decode_lax` returned for it.
    """
    fields, reached = nested(result.fields), result.reached
    known = part_of(structures()[kind], fields)
    in_body = reached is not None and reached.path == _BODY
    name: str | None = kind
    if kind == UserMessage.__name__:
        if reached is not None and (in_body or not reached.path) and type(known) is PartialRecord:
            _end(known, reached.offset, in_body=in_body)
        name = _class_of(known)
    if name is None or name not in ACKNOWLEDGMENTS:
        return PacketPart(name, known)
    known, body = part_of(structures()[name], fields), structures()[f"{name}Body"]
    if not in_body or known.MessagePropertiesHeader.MessageSize != body.least_size:
        return PacketPart(name, known)
    begun = b"" if result.cut is None else result.cut.value
    inner = nested(of_structure(body.name, begun, 0).fields)
    return PacketPart(name, known, part_of(body, inner.get(body.name, {})))


def _end(message: PartialRecord, offset: int, *, in_body: bool) -> None:
    """Mark the headers behind the body as absent, if PacketSize has no room for them and no flag names one.

    Args:
        message: The message.
        offset: Where the first byte is missing, or the body begins.
        in_body: Whether the body is not read.
    """
    with suppress(Unknown):
        size = message.MessagePropertiesHeader.MessageSize if in_body else 0
        left = message.BaseHeader.PacketSize - offset - size
        if not message.BaseHeader.Flags and 0 <= left < _LEAST_HEADER:
            names = message.layout.by_name
            message.values |= {name: None for name in names if name not in message.values}


def _class_of(message: Any) -> str | None:
    """Return the class of a message of which a part is known; None if it may be an acknowledgment or not."""
    is_certain = True
    for differs in _NO_ACKNOWLEDGMENT:
        try:
            if differs(message):
                return UserMessage.__name__
        except Unknown:
            is_certain = False
    with suppress(Unknown):
        return str(acknowledgment_class(message).layout.name) if is_certain else None
    return None


def _has_another_header(message: Any) -> bool:
    """Return whether a flag announces a header that no acknowledgment has."""
    common, number = structures()[ACKNOWLEDGMENTS[0]].by_name, _number_in((message,))
    return any(
        field.present is not None and field.present.numbers and field.present.test(number, 0)
        for field in message.layout.fields
        if field.name not in common
    )


_NO_ACKNOWLEDGMENT: Final[tuple[Callable[[Any], bool], ...]] = (
    lambda message: bool(message.BaseHeader.Flags),
    _has_another_header,
    lambda message: not is_for_order_queue(message),
    lambda message: message.MessagePropertiesHeader.Label != ORDER_LABEL,
    lambda message: kind_by_class(message.MessagePropertiesHeader.MessageClass) is UserMessage,
)
"""What a message has that is no OrderAck and no FinalAck; one of them is enough."""


# ---------------------------------------------------------------------------------------- validation


class PartialValidator(NamedTuple):
    """Validates parts.

    Attributes:
        search: Options, and the violations found.
        unjudged: The unchecked rules, by requirement and path; None if nobody wants them, which saves most of
            the time.
        begun: What is known of structures in bytes that are truncated, by their path.
    """

    search: ViolationCollector
    unjudged: dict[tuple[str, str], UncheckedRequirement] | None
    begun: Mapping[str, Any] = MappingProxyType({})

    def validate(self, value: Any, trail: Trail, path: str) -> None:
        """Validate a record or a part."""
        if type(value) is PartialRecord:
            self._part(value, trail, path)
        elif isinstance(value, Record) and (validator := VALIDATORS.get(value.layout.name)) is not None:
            validator(value, trail, self.search)

    def undecided(self, message: PartialRecord) -> None:
        """Validate the headers of a message that may be an acknowledgment, but no rule on all of it."""
        self._all_fields(message, (None, message.layout.name), message.layout.name)
        for name in (message.layout.name, *ACKNOWLEDGMENTS):
            self._missed_alone(structures()[name], name)

    def _part(self, part: PartialRecord, trail: Trail, path: str) -> None:
        name, search = part.layout.name, self.search
        for row in self._rows(name):
            try:
                if _is_broken(part, row, search.context):
                    search.broken(part, trail, row, search.allowed_in_context(part, row))
            except Unknown:
                self._miss(row.requirement, f"{path}.{row.path}", row.level)
        if search.profile is not None:
            for lack in lacks(name, search.profile):
                try:
                    search.lacking_one(part, trail, lack, search.profile)
                except Unknown:
                    self._miss(lack.requirement, f"{path}.{lack.path}", "practice")
        shown: PartialRecord | None = _with_values(part)
        for rule_function in RULE_FUNCTIONS.get(name, ()):
            try:
                for finding in rule_function(shown or part):
                    search.add(trail, finding)
            except Unknown:
                shown = None
        if shown is not part and name in RULE_FUNCTIONS:
            self._miss_functions(name, path)
        for embedded in EMBEDDED.get(name, ()):
            begun = self.begun.get(f"{path}.{embedded.path}")
            if begun is not None:
                self.validate(begun, (trail, *embedded.path.split(".")), f"{path}.{embedded.path}")
                continue
            is_readable = shown is part or embedded.path not in part.items
            try:
                self._embedded(shown or part, embedded, trail, path)
            except Unknown:
                is_readable = False
                if embedded.reports:
                    self._miss_functions(name, f"{path}.{embedded.path}")
            if not is_readable:
                self._unread(part, embedded, f"{path}.{embedded.path}")
        self._all_fields(part, trail, path)

    def _embedded(self, part: PartialRecord, row: Embedded, trail: Trail, path: str) -> None:
        """Validate the structures inside a byte field; an empty field only if the row has `reports`."""
        if not row.reports:
            value = _at(part, row.path)
            if value is _ABSENT or not value or (row.begins and not value.startswith(row.begins)):
                return
        for embedded in row.read(part):
            if isinstance(embedded, RawViolation):
                self.search.add(trail, embedded)
            else:
                where, offset, inner = embedded
                steps = (*row.path.split("."), *where, Inside(offset, inner))
                self.validate(inner, (trail, *steps), f"{path}.{row.path}")

    def _unread(self, part: PartialRecord, row: Embedded, path: str) -> None:
        """Report the rules on the contents of unknown bytes as unchecked."""
        try:
            of = list(row.unread(part, len(part.items.get(row.path, ())))) if row.unread else None
        except Unknown:
            of = None
        for step, name in [("", name) for name in row.holds] if of is None else of:
            self._missed(structures()[name], path + step)

    def _rows(self, name: str) -> Iterator[Rule]:
        level, channel, known = self.search.level, self.search.channel, self.search.context
        for row in RULES.get(name, ()):
            is_known = not row.needs or (known is not None and known.knows(row.needs))
            if is_known and row.applies(level, channel):
                yield row

    def _all_fields(self, part: PartialRecord, trail: Trail, path: str) -> None:
        for field in part.layout.fields:
            self._field(part, field, trail, path)

    def _field(self, part: PartialRecord, field: Field, trail: Trail, path: str) -> None:
        inner = f"{path}.{field.name}"
        if field.name in part.values:
            value = part.values[field.name]
            if field.element:
                self._elements(value, field, trail, inner)
            else:
                self.validate(value, (trail, field.name), inner)
            return
        self._elements(part.items.get(field.name, ()), field, trail, inner)
        for structure in field.structures:
            self._missed(structure, f"{inner}[]" if field.element else inner)

    def _elements(self, items: Any, field: Field, trail: Trail, path: str) -> None:
        for index, item in enumerate(items):
            self.validate(item, (trail, field.name, index), f"{path}[{index}]")

    def _missed(self, structure: Structure, path: str) -> None:
        """Report the rules on a structure without known fields, and on those in it, as unchecked."""
        if self.unjudged is None:
            return
        self._missed_alone(structure, path)
        for field in structure.fields:
            for inner in field.structures:
                of = f"{path}.{field.name}"
                self._missed(inner, f"{of}[]" if field.element else of)

    def _missed_alone(self, structure: Structure, path: str) -> None:
        """Report the rules on a structure itself, and on what its bytes may hold, as unchecked."""
        if self.unjudged is None:
            return
        for row in self._rows(structure.name):
            self._miss(row.requirement, f"{path}.{row.path}", row.level)
        if structure.name in FUNCTION_IDS_BY_STRUCTURE:
            self._miss_functions(structure.name, path)
        for embedded in EMBEDDED.get(structure.name, ()):
            for name in embedded.holds:
                self._missed(structures()[name], f"{path}.{embedded.path}")

    def _miss_functions(self, name: str, path: str) -> None:
        for requirement in sorted(FUNCTION_IDS_BY_STRUCTURE[name]):
            self._miss(requirement, path, "must")

    def _miss(self, requirement: str, path: str, level: Level) -> None:
        if self.unjudged is not None and requirement not in self.search.ignored:
            self.unjudged.setdefault((requirement, path), UncheckedRequirement(requirement, path, level))


def _with_values(part: PartialRecord) -> PartialRecord:
    """Return the part with its known elements and property values, if those after them are unknown."""
    some = {
        field.name: tuple(takewhile(lambda item: item is not None and type(item) is not PartialRecord, items))
        for field in part.layout.fields
        if (items := part.items.get(field.name)) is not None
    }
    return PartialRecord(part.layout, part.values | some, part.items) if some else part


def validate_partial(
    result: LaxResult, search: ViolationCollector, *, tells_unjudged: bool = True
) -> tuple[UncheckedRequirement, ...]:
    """Validate the known part of bytes that could not be decoded; return what was not checked.

    Args:
        result: The result of `decode_lax`.
        search: Options; collects the violations.
        tells_unjudged: Whether to return what was not checked; else nothing is returned.
    """
    judging = PartialValidator(search, {} if tells_unjudged else None)
    if result.source is not None:
        name, known, body = packet_part(result.source.kind, result)
        if name is None:
            judging.undecided(known)
        else:
            judging._replace(begun={f"{name}.{_BODY}": body}).validate(known, (None, name), name)
    else:  # the kind is unknown, but these headers are known
        for name, inner in nested(result.fields).items():
            if name in structures():
                judging.validate(part_of(structures()[name], inner), (None, name), name)
    return tuple((judging.unjudged or {}).values())


# ------------------------------------------------------------------------------------------- rules


def _is_broken(part: PartialRecord, row: Rule, context: Any) -> bool:
    if row.needs:
        return not row.value(part, context)
    unknown = ""
    for each in row.when:
        try:
            if not comparison_holds(part, each, absent=False):
                return False
        except Unknown:
            unknown = each.path
    if unknown:
        raise Unknown(unknown)
    return not comparison_holds(part, row, absent=True)


def _at(part: Any, path: str) -> Any:
    """Return the value at a path; `_ABSENT` after an absent part."""
    for step in path.split("."):
        if part is None:
            return _ABSENT
        part = getattr(part, step)
    return part


_ABSENT = object()
_COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    "in": lambda value, values: value in values,
    "not in": lambda value, values: value not in values,
    "within": lambda value, bounds: bounds[0] <= value <= bounds[1],
    "with bits": operator.and_,
    "without bits": lambda value, mask: not value & mask,
    "at most bytes": lambda value, most: len(value) <= most,
    "is there": lambda value, _: value is not None,
    "is absent": lambda value, _: value is None,
    "ends with null": lambda text, _: bool(text) and text.find("\0") == len(text) - 1,
    "empty or ends with null": lambda text, _: text.find("\0") == len(text) - 1,
}
LENGTHS: Final[dict[str, Callable[[Any], int]]] = {
    "bytes of": len,
    "elements of": len,
    "WCHARs of": wchar_count,
    "WCHAR bytes of": lambda text: 2 * wchar_count(text),
}
"""The operators that compare with a length, and how it is measured."""


def comparison_holds(part: PartialRecord, each: Comparison | Rule, *, absent: bool) -> bool:
    """Return whether a comparison holds; `absent` is the result after an absent part."""
    if each.operator == "fits":
        return bool(each.value(part))
    value = _at(part, each.path)
    if value is _ABSENT:
        return absent
    match each.operator:
        case "own size":
            raise Unknown(each.path)  # the part is incomplete
        case "at least field":
            return bool(value >= _at(part, each.value))
        case "form of":
            return _has_form(part, each.path, each.value)
    measure = LENGTHS.get(each.operator)
    if measure is not None:
        measured = _at(part, each.value)
        return bool(value == (0 if measured is None or measured is _ABSENT else measure(measured)))
    return bool(_COMPARED[each.operator](value, each.value))


def _has_form(part: Any, path: str, selector: str) -> bool:
    outer, _, last = path.rpartition(".")
    owner = _at(part, outer) if outer else part
    forms = owner.layout.by_name[last].kind.forms
    wanted, value = int(_at(part, selector)), getattr(owner, last)
    if wanted not in forms:
        return True
    form = forms[wanted]
    return bool((form and form.name) == (value and value.layout.name))


# ---------------------------------------------------------------------------------------- locations


class PartialOffsets:
    """The offsets of the fields of a result.

    Args:
        result: The result.
    """

    def __init__(self, result: LaxResult) -> None:
        self._offsets: dict[str, int] = {}
        self._spans: list[FieldSpan] = []
        self._structures: dict[str, Structure] = {}
        self._end = result.reached.offset if result.reached else 0
        self._kind: str | None = None
        if result.source is not None:
            data, kind, limits = result.source
            self._kind = kind
            body = packet_part(kind, result).body
            if body is not None and result.cut is not None:
                self._offsets = {
                    f"{kind}.{_BODY}.{name}": result.cut.offset + body.layout.offset_of(name)
                    for name in body.layout.by_name
                }
            reader = diagnostic_reader(data, limits, lax=True, fields=limits.lax_fields)
            with suppress(DecodeError):  # the caller already has this error
                reader.read(structures()[kind], 0, len(data))
            self._spans = reader.spans
            for piece in self._spans:
                self._offsets.setdefault(piece.path, piece.offset)
                if piece.value is None:
                    self._structures[piece.path] = piece.structure
        else:
            at = 0
            for name in (name for name in nested(result.fields) if name in structures()):
                structure = structures()[name]
                self._offsets |= {
                    f"{name}.{field.name}": at + structure.offset_of(field.name) for field in structure.fields
                }
                at += structure.least_size

    def offset_of(self, steps: tuple[Step, ...]) -> int:
        """Return the offset of a field; for an absent field, the end of what precedes it."""
        steps = (self._kind or steps[0], *steps[1:])  # an acknowledgment has those of the message that it is
        for at, step in enumerate(steps):
            if isinstance(step, Inside):
                return self._before(steps[:at]) + OffsetCache(step.record).offset_of(steps[at:])
        return self._before(steps)

    def _before(self, steps: tuple[Step, ...]) -> int:
        path = path_of(steps)
        while path not in self._offsets and path:
            path, name = path[: max(path.rfind("."), path.rfind("["), 0)], path.rpartition(".")[2]
            structure = self._structures.get(path)
            if structure is not None and name in structure.by_name:
                return self._end_before(path, structure, name)
        return self._offsets.get(path, self._end)

    def _end_before(self, path: str, structure: Structure, name: str) -> int:
        """Return the offset at which the fields end that precede one of a structure."""
        names = takewhile(lambda other: other != name, (field.name for field in structure.fields))
        before = tuple(f"{path}.{other}{mark}" for other in names for mark in ".[")
        ends = [span.offset + span.size for span in self._spans if f"{span.path}.".startswith(before)]
        return max(ends, default=self._offsets[path])
