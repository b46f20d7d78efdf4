"""The model of a layout: what the cstruct types and the relation tables say, in one place.

1. Each C text is loaded once and each C structure in it becomes a `Structure`.
2. A `Structure` holds `Field`s in wire order; a field's `Kind` says how its bytes are read.
3. Everything else (decoder, encoder, records, explanations, stubs) is derived from this model.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Any

import msgspec
from dissect.cstruct import cstruct

from msmq_wire.definitions import relations
from msmq_wire.definitions.c_mqmq import MQMQ
from msmq_wire.definitions.c_mqqb import MQQB
from msmq_wire.definitions.c_mqrr import MQRR

from . import expression

__all__ = [
    "EOF",
    "NUL",
    "Bytes",
    "Choice",
    "Extent",
    "Field",
    "Flags",
    "Group",
    "Guid",
    "Integer",
    "Items",
    "Kind",
    "Nested",
    "Numbers",
    "Padding",
    "Sequence",
    "Structure",
    "Text",
    "Values",
    "announced",
    "enumerations",
    "load",
    "structures",
]

EOF = "EOF"
"""Count of an array that takes what its structure leaves."""
NUL = "NUL"
"""Count of a text that ends at its terminator."""

_INTEGERS = {
    "uint8": "B",
    "uint16": "H",
    "uint32": "I",
    "uint64": "Q",
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "q",
}


class Integer(msgspec.Struct, frozen=True):
    """A number of fixed width; `enumeration` names the C enumeration it was declared with, if any."""

    format: str
    size: int
    enumeration: str | None = None

    @property
    def bounds(self) -> tuple[int, int]:
        """Smallest and largest value."""
        bits = self.size * 8
        return (-(1 << bits - 1), (1 << bits - 1) - 1) if self.format.islower() else (0, (1 << bits) - 1)


class Group(msgspec.Struct, frozen=True):
    """Some bits of a flags field."""

    name: str
    shift: int
    width: int
    doc: str

    @property
    def mask(self) -> int:
        """The group's bits in the flags word."""
        return (1 << self.width) - 1 << self.shift


class Flags(msgspec.Struct, frozen=True):
    """A word of bit groups."""

    name: str
    format: str
    size: int
    groups: tuple[Group, ...]

    def group(self, name: str) -> Group:
        """The group of that name."""
        return next(group for group in self.groups if group.name == name)


class Guid(msgspec.Struct, frozen=True):
    """Sixteen bytes that are a GUID."""

    size: int = 16


class Sequence(msgspec.Struct, frozen=True):
    """Eight bytes that are a SEQUENCE_NUMBER."""

    size: int = 8


class Numbers(msgspec.Struct, frozen=True):
    """As many numbers as the C expression `count` says."""

    format: str
    size: int
    count: str


class Values(msgspec.Struct, frozen=True):
    """Property values, one for each identifier in the sibling `identifiers`."""

    identifiers: str


class Bytes(msgspec.Struct, frozen=True):
    """Bytes; `count` is a number, a C expression, or `EOF`."""

    count: int | str


class Text(msgspec.Struct, frozen=True):
    """WCHARs; `count` is a C expression, `NUL`, or `EOF` for as many as fit."""

    count: str


class Nested(msgspec.Struct, frozen=True):
    """One structure."""

    structure: Structure


class Items(msgspec.Struct, frozen=True):
    """As many structures as the C expression `count` says."""

    structure: Structure
    count: str


class Choice(msgspec.Struct, frozen=True):
    """One of several structures, or nothing, by the value of `selector`."""

    selector: str
    forms: dict[int, Structure | None]


class Padding(msgspec.Struct, frozen=True):
    """Bytes up to a boundary."""

    alignment: relations.Alignment


Kind = Integer | Flags | Guid | Sequence | Numbers | Values | Bytes | Text | Nested | Items | Choice | Padding


class Field(msgspec.Struct, frozen=True):
    """One field of a structure, in page order.

    Attributes:
        name: As on the page.
        kind: How its bytes are read.
        doc: What it is, in a few words.
        present: Expression that is not zero when the field is there; None when it always is.
        outside: Whether it lies behind the size that the structure's extent names.
        known: The values without which nothing behind it can be read.
        offset_in: Field that holds this field's offset in WCHARs, and the field that it counts from.
    """

    name: str
    kind: Kind
    doc: str
    present: str | None = None
    outside: bool = False
    known: tuple[int, ...] | None = None
    offset_in: tuple[str, str] | None = None

    @property
    def limit(self) -> str | None:
        """The attribute of `Limits` that bounds how many elements or WCHARs the field has."""
        match self.kind:
            case Text():
                return "string_length"
            case Items(structure=structure):
                kinds = {type(field.kind) for field in structure.fields}
                return "changes" if Values in kinds else "queues" if Choice in kinds else "elements"
            case Numbers():
                return "properties"  # the identifiers of a change's properties: there are no other numbers
        return None

    @property
    def is_filler(self) -> bool:
        """Whether the field carries no information: padding or reserved."""
        return "Padding" in self.name or self.name.lower().startswith("reserved")


class Extent(msgspec.Struct, frozen=True):
    """Which field bounds a structure, and to what multiple its value is rounded up."""

    path: str
    multiple: int


class Structure(msgspec.Struct, frozen=True, eq=False):
    """One structure of a document."""

    name: str
    section: str
    fields: tuple[Field, ...]
    extent: Extent | None = None
    scoped: bool = False
    by_name: dict[str, Field] = {}

    def __post_init__(self) -> None:
        self.by_name.update({item.name: item for item in self.fields})

    @property
    def document(self) -> str:
        """Short name of the document, such as ``MS-MQMQ``."""
        return self.section[1:].partition("]")[0]

    @property
    def fixed_size(self) -> int | None:
        """Bytes that every instance takes, or None when that varies."""
        sizes = [_fixed_size(item) for item in self.fields]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    @property
    def least_size(self) -> int:
        """Bytes that the smallest instance takes."""
        return sum(_least_size(item) for item in self.fields)

    def offset_of(self, name: str) -> int:
        """Bytes in front of a field that is there in every instance, at the same place."""
        return sum(_least_size(item) for item in takewhile(lambda item: item.name != name, self.fields))


def _fixed_size(item: Field) -> int | None:
    kind = item.kind
    if item.present is not None:
        return None
    if isinstance(kind, (Integer, Flags, Guid, Sequence)):
        return kind.size
    if isinstance(kind, Bytes) and isinstance(kind.count, int):
        return kind.count
    return kind.structure.fixed_size if isinstance(kind, Nested) else None


def _least_size(item: Field) -> int:
    kind = item.kind
    if item.present is not None:
        return 0
    if isinstance(kind, Nested):
        return kind.structure.least_size
    if isinstance(kind, Text) and kind.count == NUL:
        return 2
    if isinstance(kind, Choice):
        return min(0 if form is None else form.least_size for form in kind.forms.values())
    return _fixed_size(item) or 0


# ---------------------------------------------------------------------------------- from C to the model

_RULE = re.compile(r"// -{10,} (?P<section>\[[A-Z-]+\] [0-9.]+)")
_OPEN = re.compile(r"\s*(?:typedef )?struct\b\s*(?P<name>\w*) ?\{(?!.*\})")
_CLOSE = re.compile(r"\s*\}\s*(?P<name>\w*)\s*;(?:\s*// ?(?P<doc>.*))?")
_LINE = re.compile(r"\s*\w+\s+(?P<name>\w+)[^;]*;(?:\s*// ?(?P<doc>.*))?")


def _comments(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """Sections by structure and descriptions by path, from the comments that cstruct skips."""
    sections: dict[str, str] = {}
    docs: dict[str, str] = {}
    section = outer = ""
    inner: list[tuple[str, str]] | None = None
    for line in text.splitlines():
        if match := _RULE.match(line):
            section = match["section"]
        elif match := _OPEN.match(line):
            if outer:
                inner = []
            else:
                outer = match["name"]
                sections[outer] = section
        elif match := _CLOSE.match(line):
            if inner is None:
                outer = ""
                continue
            path = f"{outer}.{match['name']}"
            docs[path] = match["doc"] or ""
            docs.update({f"{path}.{name}": doc for name, doc in inner})
            inner = None
        elif outer and (match := _LINE.match(line)):
            if inner is None:
                docs[f"{outer}.{match['name']}"] = match["doc"] or ""
            else:
                inner.append((match["name"], match["doc"] or ""))
    return sections, docs


class _Reader:
    """Turns cstruct types into the model, one C text after the other."""

    def __init__(self) -> None:
        self.types = cstruct()
        self.sections: dict[str, str] = {}
        self.docs: dict[str, str] = {}
        self.done: dict[str, Structure] = {}

    def load(self, text: str) -> None:
        self.types.load(text, compiled=False)
        sections, docs = _comments(text)
        self.sections |= sections
        self.docs |= docs
        for name in sections:
            self.structure(name)

    def structure(self, name: str) -> Structure:
        if name not in self.done:
            declared = getattr(self.types, name)
            self.done[name] = self.build(name, name, declared.__fields__, self.sections[name])
        return self.done[name]

    def build(self, name: str, path: str, declared: Any, section: str) -> Structure:
        fields = tuple(self.field(path, item, section) for item in declared)
        bound = relations.EXTENTS.get(path)
        own = {field.name for field in fields}
        scoped = any(head not in own for field in fields for head in _outer_names(field))
        return Structure(name, section, fields, Extent(*bound) if bound else None, scoped)

    def field(self, owner: str, declared: Any, section: str) -> Field:
        path = f"{owner}.{declared.name}"
        return Field(
            declared.name,
            self.kind(owner, path, declared, section),
            self.docs.get(path, ""),
            relations.PRESENT.get(path),
            path in relations.OUTSIDE,
            relations.KNOWN.get(path),
            relations.OFFSETS.get(path),
        )

    def kind(self, owner: str, path: str, declared: Any, section: str) -> Kind:
        kind = declared.type
        name = kind.__name__
        if path in relations.CHOICES:
            selector, forms = relations.CHOICES[path]
            return Choice(
                selector, {value: self.structure(form) if form else None for value, form in forms.items()}
            )
        if path in relations.ALIGNED:
            return Padding(relations.ALIGNED[path])
        if path in relations.VALUES:
            return Values(relations.VALUES[path])
        if hasattr(kind, "num_entries"):
            return self.array(kind, relations.COUNTS.get(path))
        if name in _VALUE_KINDS:
            return _VALUE_KINDS[name]
        if name in _INTEGERS:
            return Integer(_INTEGERS[name], kind.size)
        if hasattr(kind, "__members__"):
            return Integer(_INTEGERS[kind.type.__name__], kind.size, name)
        members = kind.__fields__
        if any(member.bits for member in members):
            return self.flags(owner, path, declared.name, members)
        if name in self.sections:
            return Nested(self.structure(name))
        made = self.build(declared.name, path, members, section)
        self.done[declared.name] = made
        return Nested(made)

    def array(self, kind: Any, count_elsewhere: str | None) -> Kind:
        element = kind.type.__name__
        count = kind.num_entries
        if not isinstance(count, int) and count is not None:
            count = count_elsewhere or count.expression
        if element == "char":
            return Bytes(count)
        if element == "wchar":
            return Text(NUL if kind.null_terminated else count)
        if element in _INTEGERS:
            return Numbers(_INTEGERS[element], kind.type.size, count)
        return Items(self.structure(element), count)

    def flags(self, owner: str, path: str, name: str, members: Any) -> Flags:
        groups = []
        shift = 0
        for member in members:
            groups.append(Group(member.name, shift, member.bits, self.docs[f"{path}.{member.name}"]))
            shift += member.bits
        word = members[0].type
        return Flags(owner + name, _INTEGERS[word.__name__], word.size, tuple(groups))


_VALUE_KINDS: dict[str, Kind] = {"GUID": Guid(), "SEQUENCE_NUMBER": Sequence()}


def _outer_names(field: Field) -> list[str]:
    """First parts of the names that a field's expressions use."""
    count = getattr(field.kind, "count", None)
    sources = [field.present or "", count if isinstance(count, str) and count not in {EOF, NUL} else ""]
    heads = [name.partition(".")[0] for source in sources for name in expression.names(source)]
    return [head for head in heads if head != "remaining"]


_READER = _Reader()
_READER.load(f"{MQMQ}\n{MQRR}\n{MQQB}")  # in one go: every call makes its parser anew


def load(text: str) -> None:
    """Add the structures of another C text, which may use those that are known."""
    _READER.load(text)


def structures() -> dict[str, Structure]:
    """Every structure of the C texts by its name."""
    return _READER.done


def enumerations() -> dict[str, dict[str, int]]:
    """Every C enumeration: its members and their values by its name."""
    return {
        name: {member: int(value) for member, value in kind.__members__.items()}
        for name, kind in _READER.types.typedefs.items()
        if hasattr(kind, "__members__")
    }


def announced(path: str) -> dict[int, str]:
    """The structures that ask for a value of a header's field, by that value."""
    return dict(sorted((fixed[path], name) for name, fixed in relations.FIXED.items() if path in fixed))
