"""Arbitrary records of any structure, generated from its layout.

1. Optional headers are present or absent, choices take every form, numbers have any value, texts may have
   lone surrogates, property values have every type of a property, reserved bits and padding are arbitrary.
   The records encode and decode, but may violate requirements.
2. Lengths and counts are sometimes omitted and sometimes given, with the same value.
3. Slightly damaged bytes are the bytes of a record after one to three changes.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from msmq_wire import GUID, Record
from msmq_wire.documents.propid import VARTYPE
from msmq_wire.records.model import (
    EOF,
    NUL,
    Bytes,
    Choice,
    Count,
    Field,
    Fill,
    Flags,
    Integer,
    Items,
    Nested,
    Numbers,
    Padding,
    Presence,
    Structure,
    Text,
    Values,
    count_of,
)
from msmq_wire.values.properties.values import READERS, PropertyValue, identifiers_by_type, type_of

from .choices import LETTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_WILD = LETTERS + "\uffff\ud83d\ude00\udfff"
Pins = tuple[tuple[str, int], ...]
"""Values of fields and groups of flags by their path, such as ``BaseHeader.Flags.IN``."""
_NESTED = 3


def _joined(text: str) -> str:
    """Join surrogates that form a pair to one character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


@cache
def _text(tidy: bool, *, null: bool) -> st.SearchStrategy[str]:
    letters = (LETTERS if tidy else _WILD) + ("\0" if null else "")
    return st.text(st.sampled_from(letters), max_size=6).map(_joined)


@cache
def _integers(kind: Integer) -> st.SearchStrategy[int]:
    low, high = kind.bounds
    return st.integers(low, high) | st.sampled_from((0, 1, low, high))


@cache
def _filled(size: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=1, max_size=4).map(lambda some: (some * size)[:size])


def _counts(structure: Structure, chosen: Mapping[str, int]) -> dict[str, tuple[str, Field, int]]:
    """Return count fields: the scoped part with the array, the array, and how much one element adds."""
    counts = {}
    for item in structure.fields:
        arrays = [("", item)]
        inside = item.part
        if isinstance(item.kind, Choice):
            inside = item.kind.forms[chosen[item.kind.selector]]
        if inside is not None and inside.scoped:
            arrays = [(item.name, inner) for inner in inside.fields]
        for part, array in arrays:
            count = count_of(array.kind)
            if count and count.number.partition(".")[0] in structure.by_name:
                counts[count.number] = part, array, count.per_unit
    return counts


@cache
def property_values(vt: int, *, tidy: bool = False, depth: int = 0) -> st.SearchStrategy[PropertyValue]:
    """Generate any value of a variant type."""
    return _wire_values(vt, tidy, depth).map(lambda value: PropertyValue(vt, value))


@cache
def _wire_values(vt: int, tidy: bool, depth: int) -> st.SearchStrategy[Any]:
    base = VARTYPE(vt & ~VARTYPE.VT_VECTOR)
    if vt == VARTYPE.VT_UI1 | VARTYPE.VT_VECTOR:
        return st.binary(max_size=6)
    if base == VARTYPE.VT_VARIANT:
        inner = [number for number in READERS if number != vt or depth < _NESTED]
        elements = st.sampled_from(inner).flatmap(
            lambda number: property_values(number, tidy=tidy, depth=depth + 1)
        )
        return st.lists(elements, max_size=3).map(tuple)
    if vt & VARTYPE.VT_VECTOR:
        return st.lists(_wire_values(base, tidy, depth), max_size=3).map(tuple)
    match base:
        case VARTYPE.VT_EMPTY | VARTYPE.VT_NULL:
            return st.none()
        case VARTYPE.VT_LPWSTR | VARTYPE.VT_BSTR:
            return _text(tidy, null=False)
        case VARTYPE.VT_BLOB:
            return st.binary(max_size=6)
        case VARTYPE.VT_CLSID:
            return _filled(16).map(GUID)
    return _integers(_NUMBERS[base])


_NUMBERS = {
    VARTYPE.VT_I1: Integer("b", 1),
    VARTYPE.VT_UI1: Integer("B", 1),
    VARTYPE.VT_I2: Integer("h", 2),
    VARTYPE.VT_UI2: Integer("H", 2),
    VARTYPE.VT_BOOL: Integer("H", 2),
    VARTYPE.VT_I4: Integer("i", 4),
    VARTYPE.VT_UI4: Integer("I", 4),
    VARTYPE.VT_I8: Integer("q", 8),
    VARTYPE.VT_UI8: Integer("Q", 8),
}


def _units(value: Any) -> int:
    return len(value.encode("utf-16-le", "surrogatepass")) // 2 if isinstance(value, str) else len(value)


class _Draft:
    """One record while it is generated."""

    def __init__(
        self, draw: Any, structure: Structure, tidy: bool, loose: frozenset[str], pins: Pins
    ) -> None:
        self.draw = draw
        self.structure = structure
        self.tidy = tidy
        self.pins = pins
        self.loose = set(loose)
        self.given: dict[str, Any] = {}
        self.chosen: dict[str, int] = {}
        self.there: dict[str, bool] = {}
        self.parts_loose: dict[str, set[str]] = {}
        self.selectors: dict[str, int] = {}

    def make(self) -> Any:
        self.choose_parts()
        counts = _counts(self.structure, self.chosen)
        for path in counts:
            self.loosen(path)
        extent = self.structure.extent
        if extent:
            self.loosen(extent.path)
        for item in self.structure.fields:
            if item.name not in self.loose and self.there.get(item.name, True):
                value = self.value(item)
                if value is not None:
                    self.given[item.name] = value
        self.count(counts)
        self.tell()
        return Record.class_of(self.structure.name)(**self.given)

    def loosen(self, path: str) -> None:
        """Leave a field of this structure or of a part to the builder."""
        part, _, name = path.rpartition(".")
        (self.parts_loose.setdefault(part, set()) if part else self.loose).add(name)

    def choose_parts(self) -> None:
        """Choose which optional fields are present, and the form of each choice."""
        rules: dict[Presence, bool] = {}
        for item in self.structure.fields:
            rule = item.present
            path = rule.path if rule else ""
            selector = self.structure.by_name.get(path)
            if rule and rule.value is not None and selector and selector.known:
                if path not in self.selectors:
                    self.selectors[path] = self.draw(st.sampled_from(selector.known))
                    self.loose.add(path)
                self.there[item.name] = self.selectors[path] == rule.value
            elif item.offset_in:
                self.loose.add(item.offset_in[0])
                self.there[item.name] = self.draw(st.booleans())
            elif rule is not None:
                head, _, rest = path.partition(".")
                if rule not in rules:
                    rules[rule] = self.there.get(head, True) and self.draw(st.booleans())
                self.there[item.name] = rules[rule]
                if rest and head in self.structure.by_name:
                    if self.structure.by_name[head].word:
                        self.loose.add(path)
                    else:
                        self.parts_loose.setdefault(head, set()).add(rest)
            if isinstance(item.kind, Choice):
                self.chosen[item.kind.selector] = self.draw(st.sampled_from(list(item.kind.forms)))

    def value(self, item: Field) -> Any:
        kind = item.kind
        pinned = dict(self.pins).get(f"{self.structure.name}.{item.name}")
        if pinned is not None:
            return pinned
        match kind:
            case Integer():
                return self.chosen[item.name] if item.name in self.chosen else self.draw(_integers(kind))
            case Flags():
                return self.flags(item, kind)
            case Numbers():
                return self.numbers(item, kind)
            case Values():
                return self.property_values(self.given[kind.identifiers])
            case Bytes(count=(str() | Count() | Fill()) as count):
                return self.bytes(count)
            case Text():
                return self.draw(_text(self.tidy, null=kind.count != NUL))
            case Nested():
                return self.nested(item, kind.structure)
            case Items():
                elements = records_of(kind.structure, self.tidy, pins=self.pins)
                return self.draw(st.lists(elements, max_size=3))
            case Choice():
                form = kind.forms[self.chosen[kind.selector]]
                return form and self.draw(records_of(form, self.tidy, pins=self.pins))
            case Padding():
                return None
        make: Any = kind.value_class or bytes
        return make(self.draw(_filled(kind.least_size)))

    def bytes(self, count: str | Count | Fill) -> bytes | None:
        extent = self.structure.extent
        if count == EOF and extent and (extent.multiple > 1 or self.draw(st.booleans())):
            return None
        if not isinstance(count, Fill):
            # After a text that takes all remaining bytes, one byte can remain.
            texts = [getattr(item.kind, "count", None) for item in self.structure.fields if _is_text(item)]
            # Draw is untyped here.
            return self.draw(st.binary(max_size=1 if EOF in texts else 9))  # type: ignore[no-any-return]
        return None

    def numbers(self, item: Field, kind: Numbers) -> tuple[int, ...]:
        if any(other.identifiers == item.name for other in self.structure.fields):
            identifiers = st.sampled_from(sorted(identifiers_by_type().values())).flatmap(st.sampled_from)
            return tuple(self.draw(st.lists(identifiers, max_size=4)))
        return tuple(self.draw(st.lists(_integers(Integer(kind.format, kind.size)), max_size=4)))

    def property_values(self, identifiers: tuple[int, ...]) -> tuple[PropertyValue, ...]:
        types = [type_of(identifier) for identifier in identifiers]
        return tuple(self.draw(property_values(vt, tidy=self.tidy)) for vt in types if vt is not None)

    def nested(self, item: Field, structure: Structure) -> Any:
        loose = frozenset(self.parts_loose.get(item.name, ()))
        record = self.draw(records_of(structure, self.tidy, loose, self.pins))
        if structure.scoped and not record.encode():
            return None
        return record

    def flags(self, item: Field, kind: Flags) -> Any:
        word = self.draw(st.integers(0, (1 << kind.size * 8) - 1))
        groups = {}
        for group in kind.groups:
            path = f"{item.name}.{group.name}"
            value = self.chosen.get(path, word >> group.shift & (1 << group.width) - 1)
            if path not in self.loose:
                groups[group.name] = dict(self.pins).get(f"{self.structure.name}.{path}", value)
        return Record.class_of(self.structure.name).flags[item.name](**groups)

    def count(self, counts: dict[str, tuple[str, Field, int]]) -> None:
        """Sometimes state a count that would be computed; its text then gets no terminator."""
        for name, (part, array, per_unit) in counts.items():
            owner = self.given.get(part) if part else None
            value = getattr(owner, array.name, b"") if part else self.given.get(array.name, b"")
            for item in self.structure.fields:
                if item.present and item.present.path == name and _is_text(item) and not value:
                    self.given.pop(item.name, None)
            if "." not in name and self.draw(st.booleans()):
                self.given[name] = _units(value) * per_unit

    def tell(self) -> None:
        """Sometimes state the numbers that depend on the presence of optional parts."""
        for name, number in self.selectors.items():
            if self.draw(st.booleans()):
                self.given[name] = number


def _is_text(item: Field) -> bool:
    return isinstance(item.kind, Text)


@cache
def records_of(
    structure: Structure, tidy: bool, loose: frozenset[str] = frozenset(), pins: Pins = ()
) -> st.SearchStrategy[Any]:
    """Generate records of a structure whose loose fields, by name, are left to the builder."""

    @st.composite
    def record(draw: Any) -> Any:
        return _Draft(draw, structure, tidy, loose, pins).make()

    return record()


def scrambled(record: Any, draw: Callable[[st.SearchStrategy[bytes]], bytes]) -> Any:
    """Return the record with every field passed to its class, and arbitrary padding."""
    values = {}
    for item in record.layout.fields:
        value = getattr(record, item.name)
        if isinstance(value, Record):
            value = scrambled(value, draw)
        elif isinstance(value, tuple):
            value = tuple(scrambled(inner, draw) if isinstance(inner, Record) else inner for inner in value)
        elif item.is_filler and isinstance(value, bytes) and len(value) <= 4:
            value = draw(st.binary(min_size=len(value), max_size=len(value)))
        values[item.name] = value
    return type(record)(**values)


@cache
def drafts(structure: Structure, *, tidy: bool, pins: Pins = ()) -> st.SearchStrategy[Any]:
    """Generate records of a structure that encode and decode; if tidy, texts are well-formed UTF-16."""
    plain = records_of(structure, tidy, pins=pins)

    @st.composite
    def finished(draw: Any) -> Any:
        return scrambled(draw(plain), draw)

    return finished()


@st.composite
def damaged(draw: Any, data: bytes) -> bytes:
    """Apply one to three changes to bytes."""
    mutated = bytearray(data)
    for _ in range(draw(st.integers(1, 3))):
        here = draw(st.integers(0, max(len(mutated) - 1, 0)))
        match draw(st.sampled_from(("flip", "set", "set", "step", "cut", "extend", "drop", "insert"))):
            case "flip" if mutated:
                mutated[here] ^= 1 << draw(st.integers(0, 7))
            case "set" if mutated:
                mutated[here] = draw(st.sampled_from((0, 1, 2, 3, 7, 0x7F, 0xFF)))
            case "step" if mutated:
                mutated[here] = (mutated[here] + draw(st.integers(-4, 4))) & 0xFF
            case "cut":
                del mutated[here:]
            case "extend":
                mutated += draw(st.binary(max_size=20))
            case "drop":
                del mutated[here : here + draw(st.integers(1, 4))]
            case "insert":
                mutated[here:here] = draw(st.binary(min_size=1, max_size=4))
    return bytes(mutated)
