"""The model of a layout: what the cstruct types and the relation tables say, in one place.

1. `structures` loads the C texts once and turns each C structure into a `Structure`.
2. A `Structure` holds `Field`s in wire order; a field's `Kind` says how its bytes are read.
3. Everything else (decoder, encoder, records, explanations, stubs) is derived from this model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from dissect.cstruct import cstruct

from . import _relations as relations
from .c_mqmq import MQMQ
from .c_mqqb import MQQB
from .c_mqrr import MQRR

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
    "Structure",
    "Text",
    "enumerations",
    "structures",
]

EOF = "EOF"
"""Count of an array that takes what its structure leaves."""
NUL = "NUL"
"""Count of a text that ends at its terminator."""

_INTEGERS = {"uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q", "int8": "b", "int16": "h", "int32": "i",
             "int64": "q"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Integer:
    """A number of fixed width; `enumeration` names the C enumeration it was declared with, if any."""

    format: str
    size: int
    enumeration: str | None = None

    @property
    def bounds(self) -> tuple[int, int]:
        """Smallest and largest value."""
        bits = self.size * 8
        return (-(1 << bits - 1), (1 << bits - 1) - 1) if self.format.islower() else (0, (1 << bits) - 1)


@dataclass(frozen=True, slots=True)
class Group:
    """Some bits of a flags field."""

    name: str
    shift: int
    width: int
    doc: str

    @property
    def mask(self) -> int:
        """The group's bits in the flags word."""
        return (1 << self.width) - 1 << self.shift


@dataclass(frozen=True, slots=True)
class Flags:
    """A word of bit groups."""

    name: str
    format: str
    size: int
    groups: tuple[Group, ...]

    def group(self, name: str) -> Group:
        """The group of that name."""
        return next(group for group in self.groups if group.name == name)


@dataclass(frozen=True, slots=True)
class Guid:
    """Sixteen bytes that are a GUID."""

    size: int = 16


@dataclass(frozen=True, slots=True)
class Bytes:
    """Bytes; `count` is a number, a C expression, or `EOF`."""

    count: int | str


@dataclass(frozen=True, slots=True)
class Text:
    """WCHARs; `count` is a C expression, or `NUL`."""

    count: str


@dataclass(frozen=True, slots=True)
class Nested:
    """One structure."""

    structure: Structure


@dataclass(frozen=True, slots=True)
class Items:
    """As many structures as the C expression `count` says."""

    structure: Structure
    count: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several structures, or nothing, by the value of `selector`."""

    selector: str
    forms: dict[int, Structure | None]


@dataclass(frozen=True, slots=True)
class Padding:
    """Bytes up to a boundary."""

    alignment: relations.Alignment


Kind = Integer | Flags | Guid | Bytes | Text | Nested | Items | Choice | Padding


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a structure, in page order."""

    name: str
    kind: Kind
    doc: str
    present: str | None = None
    outside: bool = False

    @property
    def is_filler(self) -> bool:
        """Whether the field carries no information: padding or reserved."""
        return "Padding" in self.name or self.name.lower().startswith("reserved")


@dataclass(frozen=True, slots=True)
class Extent:
    """Which field bounds a structure, and to what multiple its value is rounded up."""

    path: str
    multiple: int


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """One structure of a document."""

    name: str
    section: str
    fields: tuple[Field, ...]
    extent: Extent | None = None
    scoped: bool = False
    by_name: dict[str, Field] = field(default_factory=dict)

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


def _fixed_size(item: Field) -> int | None:
    kind = item.kind
    if item.present is not None:
        return None
    if isinstance(kind, (Integer, Flags, Guid)):
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

_TEXTS = (MQMQ, MQRR, MQQB)
_RULE = re.compile(r"// -{10,} (?P<section>\[[A-Z-]+\] [0-9.]+)")
_OPEN = re.compile(r"\s*(?:typedef )?struct\b\s*(?P<name>\w*) ?\{")
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
    """Turns cstruct types into the model; holds what is needed on the way and is then dropped."""

    def __init__(self) -> None:
        self.types = cstruct()
        self.sections: dict[str, str] = {}
        self.docs: dict[str, str] = {}
        self.done: dict[str, Structure] = {}
        for text in _TEXTS:
            self.types.load(text, compiled=False)
            sections, docs = _comments(text)
            self.sections |= sections
            self.docs |= docs

    def read_all(self) -> dict[str, Structure]:
        for name in self.sections:
            if name and name not in self.done:
                self.structure(name)
        return self.done

    def structure(self, name: str) -> Structure:
        if name not in self.done:
            declared = getattr(self.types, name)
            made = self._build(name, name, declared.__fields__, self.sections[name], scoped=False)
            self.done[name] = made
        return self.done[name]

    def _build(self, name: str, path: str, declared: Any, section: str, *, scoped: bool) -> Structure:
        fields = tuple(self._field(path, item, section) for item in declared)
        bound = relations.EXTENTS.get(path)
        return Structure(name, section, fields, Extent(*bound) if bound else None, scoped)

    def _field(self, owner: str, declared: Any, section: str) -> Field:
        path = f"{owner}.{declared.name}"
        return Field(
            declared.name,
            self._kind(owner, path, declared, section),
            self.docs.get(path, ""),
            relations.PRESENT.get(path),
            path in relations.OUTSIDE,
        )

    def _kind(self, owner: str, path: str, declared: Any, section: str) -> Kind:
        kind = declared.type
        name = kind.__name__
        if path in relations.CHOICES:
            selector, forms = relations.CHOICES[path]
            return Choice(selector, {value: form and self.structure(form) for value, form in forms.items()})
        if path in relations.ALIGNED:
            return Padding(relations.ALIGNED[path])
        if hasattr(kind, "num_entries"):
            return self._array(kind)
        if name == "GUID":
            return Guid()
        if name in _INTEGERS:
            return Integer(_INTEGERS[name], kind.size)
        if hasattr(kind, "__members__"):
            return Integer(_INTEGERS[kind.type.__name__], kind.size, name)
        members = kind.__fields__
        if any(member.bits for member in members):
            return self._flags(owner, path, declared.name, members)
        if name in self.sections:
            return Nested(self.structure(name))
        made = self._build(declared.name, path, members, section, scoped=True)
        self.done[declared.name] = made
        return Nested(made)

    def _array(self, kind: Any) -> Kind:
        element = kind.type.__name__
        count = kind.num_entries
        if not isinstance(count, int) and count is not None:
            count = count.expression
        if element == "char":
            return Bytes(count)
        if element == "wchar":
            return Text(NUL if kind.null_terminated else count)
        return Items(self.structure(element), count)

    def _flags(self, owner: str, path: str, name: str, members: Any) -> Flags:
        groups = []
        shift = 0
        for member in members:
            groups.append(Group(member.name, shift, member.bits, self.docs[f"{path}.{member.name}"]))
            shift += member.bits
        word = members[0].type
        return Flags(owner + name, _INTEGERS[word.__name__], word.size, tuple(groups))


@lru_cache(maxsize=1)
def _reader() -> _Reader:
    reader = _Reader()
    reader.read_all()
    return reader


def structures() -> dict[str, Structure]:
    """Every structure of the C texts by its name."""
    return _reader().done


def enumerations() -> dict[str, dict[str, int]]:
    """Every C enumeration: its members and their values by its name."""
    return {
        name: {member: int(value) for member, value in kind.__members__.items()}
        for name, kind in _reader().types.typedefs.items()
        if hasattr(kind, "__members__")
    }
