"""Building records: what the caller leaves out is worked out here, what he gives is kept.

1. Every value is checked once, when its record is built; encoding a built record cannot fail.
2. A length or count that is left out follows from its array, a selector or presence flag from its part, a
   padding from its boundary, a size from what it bounds.
3. What only an enclosing record can know stays marked as left out until that record is built.
4. Replacing works like building: what depends on other fields counts as left out, the rest as given.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from . import _expression as expression
from . import _relations as relations
from ._layout import (
    EOF,
    NUL,
    Bytes,
    Choice,
    Field,
    Flags,
    Guid,
    Integer,
    Items,
    Nested,
    Numbers,
    Padding,
    Sequence,
    Structure,
    Text,
    Values,
    structures,
)
from ._wchar import from_wchars, to_wchars, wchar_count
from .errors import EncodeError, shortened
from .guid import GUID, NULL_GUID
from .sequence_number import MIN_SEQ_NUMBER, SEQUENCE_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["LeftOut", "LeftOutBytes", "build", "rebuild"]


class LeftOut(int):
    """A number that its maker left out and that an enclosing record computes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return LeftOut, (int(self),)


class LeftOutBytes(bytes):
    """Bytes that their maker left out and that an enclosing record computes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return LeftOutBytes, (bytes(self),)


_HOSTS = {
    "UserHeader.DestinationQueue": ((3, "QueueManagerAddress"),),
    "UserHeader.AdminQueue": ((2, "SourceQueueManager"), (3, "QueueManagerAddress")),
    "UserHeader.ResponseQueue": ((2, "SourceQueueManager"), (3, "QueueManagerAddress")),
}
"""The hosts that a short private name can leave out, and the selector that says which one."""


# ------------------------------------------------------------------------------------------ the plan


class _Source(NamedTuple):
    """Where a number comes from: the array that it counts."""

    part: str
    field: Field
    per_unit: int


class _Plan(NamedTuple):
    """What can be worked out for one structure, read off its layout."""

    counts: dict[str, _Source]
    selectors: dict[str, tuple[str, Choice]]
    presence: dict[str, dict[str, list[str]]]
    derived_groups: dict[str, int]
    part_groups: dict[str, int]
    part_numbers: dict[str, frozenset[str]]
    alternatives: dict[str, dict[int, str]]
    part_counts: tuple[tuple[str, str, str], ...]


def _unwrap(present: str) -> tuple[str, int] | None:
    """The flags path that a presence expression reads, and the value that means present."""
    path, _, value = present.partition(" == ")
    return (path, int(value or 1)) if "Flags." in path and "|" not in path else None


@cache
def _plan(structure: Structure) -> _Plan:
    counts: dict[str, _Source] = {}
    selectors: dict[str, tuple[str, Choice]] = {}
    presence: dict[str, dict[str, list[str]]] = {}
    own: dict[str, int] = {}
    part_groups: dict[str, int] = {}
    part_numbers: dict[str, set[str]] = {}
    alternatives: dict[str, dict[int, str]] = {}
    part_counts: list[tuple[str, str, str]] = []
    for field in structure.fields:
        source, _, value = (field.present or "").partition(" == ")
        if value and "." not in source:
            alternatives.setdefault(source, {})[int(value)] = field.name
        arrays = [("", field)]
        if isinstance(field.kind, Nested) and field.kind.structure.scoped:
            arrays = [(field.name, inner) for inner in field.kind.structure.fields]
        elif isinstance(field.kind, Choice):
            forms = [form for form in field.kind.forms.values() if form and form.scoped]
            arrays += [(field.name, inner) for form in forms for inner in form.fields]
        for part, array in arrays:
            count = getattr(array.kind, "count", None)
            turned = (
                expression.quotient(count) if isinstance(count, str) and count not in {EOF, NUL} else None
            )
            if turned and "." in turned[0]:
                owner, _, number = turned[0].partition(".")
                part_counts.append((owner, number, field.name))
                part_numbers.setdefault(owner, set()).add(number)
            elif turned and turned[0] in structure.by_name:
                counts[turned[0]] = _Source(part, array, turned[1])
        if isinstance(field.kind, Choice):
            selectors[field.name] = (field.kind.selector, field.kind)
            word, _, group = field.kind.selector.partition(".")
            if group:
                own[word] = own.get(word, 0) | _group(structure, word, group)
        turned_flag = _unwrap(field.present) if field.present else None
        if turned_flag:
            owner, _, group = turned_flag[0].rpartition(".")
            presence.setdefault(owner, {}).setdefault(group, []).append(field.name)
            part, _, word = owner.rpartition(".")
            if part:
                inner_structure = _structure_of(structure, part)
                part_groups[part] = part_groups.get(part, 0) | _group(inner_structure, word, group)
            else:
                own[word] = own.get(word, 0) | _group(structure, word, group)
        for path in relations.REMAINDERS:
            part, _, name = path.partition(".")
            if part == field.name:
                part_numbers.setdefault(part, set()).add(name)
    if structure.extent and "." in structure.extent.path:
        part, _, name = structure.extent.path.partition(".")
        part_numbers.setdefault(part, set()).add(name)
    numbers = {part: frozenset(names) for part, names in part_numbers.items()}
    return _Plan(counts, selectors, presence, own, part_groups, numbers, alternatives, tuple(part_counts))


def _structure_of(structure: Structure, part: str) -> Structure:
    kind = structure.by_name[part].kind
    assert isinstance(kind, Nested)  # noqa: S101  # only structures have flags
    return kind.structure


def _group(structure: Structure, word: str, group: str) -> int:
    kind = structure.by_name[word].kind
    assert isinstance(kind, Flags)  # noqa: S101  # presence is told by flags
    return kind.group(group).mask


def _awaited() -> frozenset[str]:
    """Paths of numbers that stay left out until an enclosing record is built."""
    return _awaited_among(len(structures()))


@lru_cache(maxsize=4)
def _awaited_among(count: int) -> frozenset[str]:
    found = set(relations.REMAINDERS)
    for name, structure in list(structures().items())[:count]:
        paths = [path for path in relations.FIXED.get(name, ()) if ".Flags." not in path]
        if structure.extent and "." in structure.extent.path:
            paths.append(structure.extent.path)
        paths += [f"{part}.{number}" for part, number, _ in _plan(structure).part_counts]
        for path in paths:
            part, _, field = path.partition(".")
            found.add(f"{_structure_of(structure, part).name}.{field}")
    return frozenset(found)


# ---------------------------------------------------------------------------------------- checking values


def _refuse(structure: Structure, name: str, problem: str, expected: object, actual: object) -> NoReturn:
    path = f"{structure.name}.{name}" if name else structure.name
    raise EncodeError(problem, structure=structure.name, path=path, expected=expected, actual=actual)


def _integer(structure: Structure, field: Field, kind: Integer, value: Any) -> int:
    low, high = kind.bounds
    if not isinstance(value, int) or not low <= value <= high:
        problem = f"{shortened(value)} does not fit {kind.size} bytes"
        _refuse(structure, field.name, problem, f"{low} to {high:#x}", value)
    return value if type(value) is LeftOut else int(value)


def _bytes(structure: Structure, field: Field, value: Any) -> bytes:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        _refuse(structure, field.name, f"{type(value).__name__} is not bytes", "bytes", value)
    raw = value if isinstance(value, LeftOutBytes) else bytes(value)
    count = getattr(field.kind, "count", None)
    if isinstance(count, int) and len(raw) != count:
        _refuse(structure, field.name, f"has {len(raw)} bytes, takes exactly {count}", count, len(raw))
    return raw


def _text(structure: Structure, field: Field, kind: Text, value: Any) -> str:
    if not isinstance(value, str):
        _refuse(structure, field.name, f"{type(value).__name__} is not text", "str", value)
    if kind.count == NUL and "\0" in value:
        _refuse(
            structure,
            field.name,
            f"has a null character at {value.index(chr(0))}, which would end it there",
            "text without null characters",
            value,
        )
    if value.isascii():
        return str(value)
    # Two halves of a surrogate pair are one character on the wire.
    return from_wchars(to_wchars(value))


def _guid(structure: Structure, field: Field, value: Any) -> GUID:
    try:
        return GUID.of(value)
    except EncodeError as error:
        _refuse(structure, field.name, error.problem, error.expected, value)


def _sequence_number(structure: Structure, field: Field, value: Any) -> SEQUENCE_NUMBER:
    try:
        return SEQUENCE_NUMBER.of(value)
    except EncodeError as error:
        _refuse(structure, field.name, error.problem, error.expected, value)


def _numbers(structure: Structure, field: Field, kind: Numbers, value: Any) -> tuple[int, ...]:
    top = (1 << kind.size * 8) - 1
    try:
        found = tuple(value)
    except TypeError:
        _refuse(structure, field.name, f"{type(value).__name__} is not a sequence", "numbers", value)
    for index, item in enumerate(found):
        if not isinstance(item, int) or not 0 <= item <= top:
            _refuse(
                structure,
                f"{field.name}[{index}]",
                f"{shortened(item)} does not fit {kind.size} bytes",
                f"0 to {top:#x}",
                item,
            )
    return found


def _units(value: Any) -> int:
    """How many elements an array value has on the wire."""
    if isinstance(value, str):
        return wchar_count(value)
    return len(value)


# ------------------------------------------------------------------------------------------- the builder


class _Builder:
    """Builds one record; lives for one call."""

    def __init__(
        self, cls: Any, given: Mapping[str, Any], named: frozenset[str], encoder: Callable[[str], Any]
    ) -> None:
        self.cls = cls
        self.structure: Structure = cls.layout
        self.plan = _plan(self.structure)
        self.given = given
        self.named = named
        self.encoder = encoder
        self.values: dict[str, Any] = {}
        self.chosen: dict[str, int] = {}

    def build(self) -> Any:
        for field in self.structure.fields:
            self.values[field.name] = self.accept(field, self.given.get(field.name))
        self.count()
        self.choose_alternatives()
        self.default()
        self.select()
        self.complete()
        self.mark_presence()
        self.align()
        self.pad()
        self.adjust_parts()
        self.measure()
        return self.cls.raw(*(self.values[field.name] for field in self.structure.fields))

    def accept(self, field: Field, value: Any) -> Any:
        """Check and convert a value that was given; None stays None where something will be computed."""
        structure, kind = self.structure, field.kind
        if isinstance(kind, Flags):
            return self.flags(field, value)
        if value is None:
            return self.empty(field)
        match kind:
            case Integer():
                return _integer(structure, field, kind, value)
            case Guid():
                return _guid(structure, field, value)
            case Sequence():
                return _sequence_number(structure, field, value)
            case Numbers():
                return _numbers(structure, field, kind, value)
            case Values():
                return self.property_values(field, kind, value)
            case Bytes() | Padding():
                return _bytes(structure, field, value)
            case Text():
                return self.terminated(field, _text(structure, field, kind, value))
            case Nested():
                return self.part(field, kind.structure.name, value)
            case Items():
                return self.parts(field, kind.structure.name, value)
            case Choice():
                return self.form(field, kind, value)

    def empty(self, field: Field) -> Any:
        match field.kind:
            case Guid() if field.present is None:
                return NULL_GUID
            case Sequence():
                return MIN_SEQ_NUMBER
            case Text() if field.present is None:
                return ""
            case Items() | Numbers() | Values():
                return ()
            case Nested() as kind if field.present is None:
                return self.cls.class_of(kind.structure.name)()
            case Bytes(count=count) if count != EOF or not field.is_filler:
                default = relations.DEFAULTS.get(f"{self.structure.name}.{field.name}")
                if default is not None:
                    return default
                turned = isinstance(count, str) and count != EOF and expression.quotient(count)
                return bytes(count) if isinstance(count, int) else b"" if turned or count == EOF else None
        return None

    def flags(self, field: Field, value: Any) -> Any:
        kind = self.cls.flags[field.name]
        if value is None:
            return kind._partial(kind.defaults, 0)  # noqa: SLF001  # one mechanism in two modules
        return value if isinstance(value, kind) else kind(value)

    def terminated(self, field: Field, text: str) -> str:
        """Text whose length is left out gets the terminator that it lacks."""
        count = next((name for name, source in self.plan.counts.items() if source.field is field), None)
        open_ended = count and self.is_left_out(count) and field.name in self.named
        if open_ended and text and not text.endswith("\0"):
            return text + "\0"
        return text

    def part(self, field: Field, name: str, value: Any) -> Any:
        if type(value) is not self.cls.class_of(name):
            _refuse(self.structure, field.name, f"{type(value).__name__} is not {name}", name, value)
        if value.layout.scoped and field.present and not self.part_size(value):
            return None  # parts without bytes cannot be told from absent ones
        return value

    def parts(self, field: Field, name: str, value: Any) -> tuple[Any, ...]:
        try:
            found = tuple(value)
        except TypeError:
            _refuse(self.structure, field.name, f"{type(value).__name__} is not a sequence", name, value)
        for index, item in enumerate(found):
            if type(item) is not self.cls.class_of(name):
                _refuse(
                    self.structure,
                    f"{field.name}[{index}]",
                    f"{type(item).__name__} is not {name}",
                    name,
                    item,
                )
        return found

    def property_values(self, field: Field, kind: Values, value: Any) -> tuple[Any, ...]:
        """Property values as given, or made of natural values with the types that the identifiers ask for."""
        from .property_values import PropertyValue, type_of  # noqa: PLC0415  # only the directory protocols need it

        identifiers = self.values[kind.identifiers]
        made = []
        try:
            items = tuple(value)
        except TypeError:
            _refuse(self.structure, field.name, f"{type(value).__name__} is not a sequence", "values", value)
        for index, item in enumerate(items):
            path = f"{field.name}[{index}]"
            try:
                if isinstance(item, PropertyValue):
                    made.append(PropertyValue.of(item.vt, item.value))
                    continue
                vartype = type_of(identifiers[index]) if index < len(identifiers) else None
                if vartype is None:
                    _refuse(self.structure, path, "has no known type", "a PropertyValue", item)
                made.append(PropertyValue.of(vartype, item))
            except EncodeError as error:
                _refuse(self.structure, path, error.problem, error.expected, item)
        if len(made) != len(identifiers):
            _refuse(
                self.structure,
                field.name,
                f"has {len(made)} values for {len(identifiers)} identifiers",
                len(identifiers),
                len(made),
            )
        return tuple(made)

    def form(self, field: Field, kind: Choice, value: Any) -> Any:
        names = dict.fromkeys(form.name for form in kind.forms.values() if form)
        if not hasattr(value, "layout"):
            try:
                value = self.queue_name(field, value)
            except EncodeError as error:
                _refuse(self.structure, field.name, error.problem, error.expected, value)
        if type(value).__name__ not in names or type(value) is not self.cls.class_of(type(value).__name__):
            _refuse(
                self.structure,
                field.name,
                f"{type(value).__name__} is no form of {field.name}",
                ", ".join(names),
                value,
            )
        return value

    def queue_name(self, field: Field, value: Any) -> Any:
        """The wire form of a format name or its text; a private queue of a known host takes its short form."""
        # Few build by name, and that module is large.
        from .format_names import FormatName, parse_format_name  # noqa: PLC0415
        from .queue_names import to_wire  # noqa: PLC0415

        if not isinstance(value, (str, FormatName)):
            return value
        wire: Any = None
        if field.name == "DestinationQueue" and self.is_left_out("QueueManagerAddress"):
            # The name of a private queue says which queue manager the message goes to.
            name = parse_format_name(value) if isinstance(value, str) else value
            self.values["QueueManagerAddress"] = getattr(name, "computer", NULL_GUID)
        for number, host in _HOSTS.get(f"{self.structure.name}.{field.name}", ()):
            wire = to_wire(value, host=self.values[host])
            if type(wire).__name__ == "PrivateQueueFormatNameId":
                self.chosen[field.name] = number
                break
        return wire

    # -- what is left out

    def is_left_out(self, name: str) -> bool:
        return self.given.get(name) is None

    def count(self) -> None:
        for name, source in self.plan.counts.items():
            if not self.is_left_out(name):
                continue
            owner = self.values[source.part] if source.part else self.values
            array = None
            if owner is not None:
                array = getattr(owner, source.field.name, None) if source.part else owner[source.field.name]
                if array is None and source.part:
                    continue  # this form has no such array; the default says what then holds
            units = 0 if array is None else _units(array) * source.per_unit
            kind = self.structure.by_name[name].kind
            assert isinstance(kind, Integer)  # noqa: S101  # counts are numbers
            if units > kind.bounds[1]:
                path = f"{source.part}.{source.field.name}" if source.part else source.field.name
                most = kind.bounds[1] // source.per_unit
                what = {Text: "WCHARs", Bytes: "bytes"}.get(type(source.field.kind), "elements")
                problem = f"has {units // source.per_unit} {what}, {name} can say at most {most}"
                _refuse(self.structure, path, problem, most, units // source.per_unit)
            self.values[name] = units

    def choose_alternatives(self) -> None:
        """Numbers that follow from which optional texts and GUIDs are there."""
        for name, fields in self.plan.alternatives.items():
            if not self.is_left_out(name):
                continue
            there = [value for value, field in fields.items() if self.values[field] is not None]
            if len(there) != 1:
                names = " and ".join(fields.values())
                problem = "both are given" if there else "one is needed"
                _refuse(self.structure, fields[0], f"of {names} {problem}", "exactly one", len(there))
            self.values[name] = there[0]
        for field in self.structure.fields:
            if field.offset_in and self.is_left_out(field.offset_in[0]):
                source, origin = field.offset_in
                there_units = _units(self.values[origin]) + 1
                self.values[source] = 0 if self.values[field.name] is None else there_units
            elif isinstance(field.kind, Text) and field.present in self.plan.counts:
                self.accompany(field)

    def accompany(self, field: Field) -> None:
        """A text that is there exactly when its neighbour array has elements."""
        count = self.values[str(field.present)]
        if count and self.values[field.name] is None:
            self.values[field.name] = ""
        elif not count and self.values[field.name] is not None and self.is_left_out(str(field.present)):
            _refuse(
                self.structure,
                field.name,
                f"must be absent when {field.present} is 0",
                None,
                self.values[field.name],
            )

    def default(self) -> None:
        for field in self.structure.fields:
            path = f"{self.structure.name}.{field.name}"
            if self.values[field.name] is None and isinstance(field.kind, (Integer, Bytes)):
                source = relations.COMPUTED.get(path, relations.DEFAULTS.get(path))
                if isinstance(field.kind, Integer):
                    number = source(self.values) if callable(source) else source or 0
                    self.values[field.name] = LeftOut(number) if path in _awaited() else number
                elif source is not None:
                    self.values[field.name] = source(self.values) if callable(source) else source
            elif isinstance(field.kind, Flags):
                self.default_groups(field, path)
            elif isinstance(field.kind, Bytes) and callable(relations.DEFAULTS.get(path)):
                if self.is_left_out(field.name):
                    self.values[field.name] = relations.DEFAULTS[path](self.values)

    def default_groups(self, field: Field, path: str) -> None:
        for group in getattr(field.kind, "groups", ()):
            source = relations.DEFAULTS.get(f"{path}.{group.name}")
            if callable(source):
                self.set_group(field.name, group.name, source(self.values), own=False)

    def set_group(self, word: str, group: str, value: int, *, own: bool) -> None:
        """Set a group of our own flags unless it was given."""
        self.values[word] = _with_group(self.values[word], group, value, keep=own)

    def select(self) -> None:
        for name, (selector, kind) in self.plan.selectors.items():
            value = self.values[name]
            form = None if value is None else type(value).__name__
            fitting = [number for number, known in kind.forms.items() if (known and known.name) == form]
            if not fitting:
                _refuse(self.structure, name, "is missing", "one of its forms", None)
            word, _, group = selector.partition(".")
            if group:
                present = getattr(self.values[word], group)
                if present not in fitting:
                    self.set_group(word, group, self.chosen.get(name, fitting[0]), own=True)
            elif self.is_left_out(word):
                self.values[word] = fitting[0]

    def complete(self) -> None:
        """Parts that others cannot do without: the header that announces them, or their twin."""
        for owner, groups in self.plan.presence.items():
            part, _, word = owner.rpartition(".")
            for group, names in groups.items():
                if not any(self.values[name] is not None for name in names):
                    continue
                if part and self.values[part] is None:
                    self.values[part] = self.cls.class_of(_structure_of(self.structure, part).name)()
                flags = getattr(self.values[part], word) if part else self.values[word]
                open_group = type(flags) is flags.partial and not flags.given & flags.kind.group(group).mask
                for name in names:
                    if self.values[name] is None and open_group and part:
                        self.values[name] = self.cls.class_of(_structure_of(self.structure, name).name)()

    def mark_presence(self) -> None:
        for owner, groups in self.plan.presence.items():
            if "." in owner:
                continue
            for group, names in groups.items():
                there = any(self.values[name] is not None for name in names)
                means_there = _unwrap(str(self.structure.by_name[names[0]].present))
                assert means_there  # noqa: S101  # the plan was made from these
                if (getattr(self.values[owner], group) == means_there[1]) != there:
                    self.set_group(owner, group, means_there[1] if there else 0, own=True)
                else:
                    self.set_group(owner, group, getattr(self.values[owner], group), own=True)

    def align(self) -> None:
        for field in self.structure.fields:
            if isinstance(field.kind, Items):
                self.values[field.name] = self.align_items(field)

    def pad(self) -> None:
        """Fill in paddings, in page order, so that each finds the sizes before it."""
        for field in self.structure.fields:
            if self.values[field.name] is not None:
                continue
            if isinstance(field.kind, Padding):
                rule = field.kind.alignment
                here = self.size_before(field.name)
                boundary = rule.boundary
                if rule.selector:
                    boundary = dict(rule.boundaries).get(self.values[rule.selector], boundary)
                zeros = bytes(-here % boundary)
                self.values[field.name] = zeros if rule.origin == self.structure.name else LeftOutBytes(zeros)
            elif isinstance(field.kind, Bytes):
                if field.kind.count == EOF:
                    self.values[field.name] = bytes(-self.size_before(field.name) & 3)
                else:
                    self.values[field.name] = bytes(self.evaluate(str(field.kind.count)))

    def evaluate(self, source: str) -> int:
        """A count expression over the arrays' true sizes, even where a count was given otherwise."""
        sizes: dict[str, int] = {}
        for field in self.structure.fields:
            count = getattr(field.kind, "count", None)
            turned = expression.quotient(count) if isinstance(count, str) else None
            if turned and self.values[field.name] is not None:
                sizes[turned[0]] = _units(self.values[field.name]) * turned[1]
        text = expression.to_python(source, lambda name: str(sizes.get(name, self.values.get(name))))
        return int(eval(text, {"__builtins__": {}}))  # noqa: S307  # numbers and operators only

    def size_before(self, name: str | None) -> int:
        total = 0
        for field in self.structure.fields:
            if field.name == name or field.outside:
                break
            total += self.size(field)
        return total

    def size(self, field: Field) -> int:
        value = self.values[field.name]
        if value is None:
            kind = field.kind
            return kind.size if isinstance(kind, (Integer, Flags)) else 0
        match field.kind:
            case Integer() | Flags() | Guid() | Sequence():
                return field.kind.size
            case Numbers():
                return len(value) * field.kind.size
            case Values():
                return sum(len(item.encode()) for item in value)
            case Text(count=count):
                return _units(value) * 2 + (2 if count == NUL else 0)
            case Nested() | Choice():
                return self.part_size(value)
            case Items():
                return sum(self.part_size(item) for item in value)
        return len(value)

    def part_size(self, record: Any) -> int:
        return len(self.encoder(type(record).__name__)(record))

    # -- what parts left to us

    def adjust_parts(self) -> None:
        fixed = relations.FIXED.get(self.structure.name, {})
        changes: dict[str, dict[str, Any]] = {}
        for path, source in fixed.items():
            part, _, name = path.partition(".")
            changes.setdefault(part, {})[name] = source(self.values) if callable(source) else source
        for owner, groups in self.plan.presence.items():
            part, _, word = owner.rpartition(".")
            if part:
                for group, names in groups.items():
                    there = int(any(self.values[name] is not None for name in names))
                    changes.setdefault(part, {})[f"{word}.{group}"] = there
        for owner, count, array in self.plan.part_counts:
            changes.setdefault(owner, {})[count] = len(self.values[array])
        for path, parts in relations.REMAINDERS.items():
            part, _, number = path.partition(".")
            if self.values.get(part) is not None:
                total = sum(self.size(self.structure.by_name[name]) for name in parts)
                changes.setdefault(part, {})[number] = total
        for field in self.structure.fields:
            if isinstance(field.kind, Nested) and self.values[field.name] is not None:
                part = self.values[field.name]
                self.values[field.name] = _fill(part, changes.get(field.name, {}))

    def align_items(self, field: Field) -> tuple[Any, ...]:
        """Items whose padding depends on where in this structure they stand."""
        items: tuple[Any, ...] = self.values[field.name]
        kind = field.kind
        assert isinstance(kind, Items)  # noqa: S101  # the caller chose by this type
        paddings = [
            inner
            for inner in kind.structure.fields
            if isinstance(inner.kind, Padding) and inner.kind.alignment.origin == self.structure.name
        ]
        if not paddings:
            return items
        at = self.size_before(field.name)
        made = []
        for item in items:
            record = item
            for inner in paddings:
                old = getattr(record, inner.name)
                if type(old) is LeftOutBytes:
                    start = at + _size_of_fields_before(record, inner.name)
                    assert isinstance(inner.kind, Padding)  # noqa: S101  # chosen by this type
                    rule = inner.kind.alignment
                    boundary = dict(rule.boundaries).get(getattr(record, rule.selector), rule.boundary)
                    record = _changed(record, {inner.name: bytes(-start % boundary)})
            at += self.part_size(record)
            made.append(record)
        return tuple(made)

    def measure(self) -> None:
        """Fill in the size of this structure where it was left out."""
        extent = self.structure.extent
        if extent is None:
            return
        part, _, name = extent.path.rpartition(".")
        if part:
            if type(getattr(self.values[part], name)) is LeftOut:
                size = self.size_before(None)
                self.values[part] = _changed(self.values[part], {name: size})
        elif self.is_left_out(name):
            for field in self.structure.fields:
                if isinstance(field.kind, Bytes) and field.kind.count == EOF and self.is_left_out(field.name):
                    self.values[field.name] = bytes(-self.size_before(field.name) & 3)
            self.values[name] = self.size_before(None)


def _size_of_fields_before(record: Any, name: str) -> int:
    total = 0
    for field in record.layout.fields:
        if field.name == name:
            break
        total += getattr(field.kind, "size", 0)
    return total


def _with_group(word: Any, group: str, value: int, *, keep: bool) -> Any:
    """The flags word with a group set, unless its maker gave that group."""
    mask = word.kind.group(group).mask
    if type(word) is not word.partial or word.given & mask:
        return word
    shifted = value * (mask & -mask)
    return word._partial(int(word) & ~mask | shifted, word.given | (mask if keep else 0))  # noqa: SLF001


def _changed(record: Any, changes: dict[str, Any]) -> Any:
    values = [changes.get(field.name, getattr(record, field.name)) for field in record.layout.fields]
    return type(record).raw(*values)


def _fill(record: Any, changes: dict[str, Any]) -> Any:
    """A part with what it left to the whole; its flags are settled by this."""
    made: dict[str, Any] = {}
    for path, value in changes.items():
        name, _, group = path.partition(".")
        present = made.get(name, getattr(record, name))
        if group:
            made[name] = _with_group(present, group, value, keep=True)
        elif type(present) is LeftOut and value is not None:
            made[name] = int(value)
    for name, kind in type(record).flags.items():
        word = made.get(name, getattr(record, name))
        if type(word) is kind.partial:
            made[name] = kind.seen[int(word)]
    return _changed(record, made) if made else record


def build(
    cls: Any,
    args: tuple[Any, ...],
    given: dict[str, Any],
    encoder: Callable[[str], Any],
    named: frozenset[str] | None = None,
) -> Any:
    """Make a record of a class from what the caller gave.

    Args:
        cls: The record class.
        args: Values by position.
        given: Values by name.
        encoder: Gives the encoder of a structure by its name.
        named: The fields that the caller named, if not all that are given.

    Raises:
        EncodeError: A field does not exist, is given twice, or holds what cannot be written.
    """
    structure: Structure = cls.layout
    if len(args) > len(structure.fields):
        _refuse(structure, "", f"has {len(structure.fields)} fields, {len(args)} were given", None, args)
    for field, value in zip(structure.fields, args, strict=False):
        if field.name in given:
            _refuse(structure, field.name, "is given twice", None, value)
        given[field.name] = value
    for name in given:
        if name not in structure.by_name:
            known = ", ".join(field.name for field in structure.fields)
            _refuse(structure, name, "no such field", known, given[name])
    return _Builder(cls, given, frozenset(given) if named is None else named, encoder).build()


def rebuild(record: Any, changes: dict[str, Any], encoder: Callable[[str], Any]) -> Any:
    """Make a record like another with some fields changed and what depends on them computed anew."""
    cls = type(record)
    structure: Structure = cls.layout
    plan = _plan(structure)
    given: dict[str, Any] = {}
    for field in structure.fields:
        if field.name in changes:
            continue
        value = getattr(record, field.name)
        given[field.name] = _relaxed(plan, structure, field, value)
    selectors = {selector for selector, _ in plan.selectors.values()}
    offsets = [field.offset_in[0] for field in structure.fields if field.offset_in]
    for name in [*plan.counts, *selectors, *plan.alternatives, *offsets]:
        given.pop(name, None)
    if structure.extent and "." not in structure.extent.path:
        given.pop(structure.extent.path, None)
    made = build(cls, (), {**given, **changes}, encoder, frozenset(changes))
    return _keep_paddings(record, made, changes)


def _relaxed(plan: _Plan, structure: Structure, field: Field, value: Any) -> Any:
    """A value of the old record with all that will be computed anew marked as left out."""
    path = f"{structure.name}.{field.name}"
    if path in relations.COMPUTED or value is None:
        return None
    if isinstance(field.kind, Padding) or (field.is_filler and isinstance(field.kind, Bytes)):
        return value if isinstance(getattr(field.kind, "count", None), int) else None
    if isinstance(field.kind, Flags):
        loose = plan.derived_groups.get(field.name, 0)
        return _loosened(value, loose)
    if isinstance(field.kind, Nested):
        changes: dict[str, Any] = {}
        if field.name in plan.part_groups:
            changes["Flags"] = _loosened(value.Flags, plan.part_groups[field.name])
        for name in plan.part_numbers.get(field.name, ()):
            changes[name] = LeftOut(getattr(value, name))
        return _changed(value, changes) if changes else value
    return value


def _loosened(word: Any, mask: int) -> Any:
    if not mask:
        return word
    kind = word._whole()  # noqa: SLF001  # one mechanism in two modules
    given = word.given if type(word) is kind.partial else (1 << kind.kind.size * 8) - 1
    return kind._partial(int(word), given & ~mask)  # noqa: SLF001


def _keep_paddings(old: Any, new: Any, changes: dict[str, Any]) -> Any:
    """Paddings that still have their size keep their bytes: a change touches no more than it must."""
    kept = {}
    for field in old.layout.fields:
        before, after = getattr(old, field.name), getattr(new, field.name)
        if (
            field.is_filler
            and field.name not in changes
            and isinstance(before, bytes)
            and before != after
            and len(before) == len(after)
        ):
            kept[field.name] = before
    return _changed(new, kept) if kept else new
