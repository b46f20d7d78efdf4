"""From the pages to the model: what the cstruct types and the relation tables say, in one place.

1. `dissect.cstruct` reads the C texts; each C structure becomes a `Structure`.
2. Its comments are read here: the section of a structure, what it is, and what each field is.
"""

from __future__ import annotations

import re
from typing import Any

from dissect.cstruct import cstruct

from msmq_wire.definitions import relations
from msmq_wire.definitions.c_mqcn import MQCN
from msmq_wire.definitions.c_mqdsrp import MQDSRP
from msmq_wire.definitions.c_mqmq import MQMQ
from msmq_wire.definitions.c_mqqb import MQQB
from msmq_wire.definitions.c_mqrr import MQRR
from msmq_wire.definitions.c_user_message import USER_MESSAGE
from msmq_wire.records import expression
from msmq_wire.records.model import (
    EOF,
    NUL,
    Bytes,
    Choice,
    Extent,
    Field,
    Flags,
    Group,
    Guid,
    Integer,
    Items,
    Kind,
    Nested,
    Numbers,
    Padding,
    Sequence,
    Structure,
    Text,
    Values,
    register,
)

__all__ = ["DOCUMENTS", "Pages"]

DOCUMENTS = {
    "mqmq": MQMQ,
    "mqrr": MQRR,
    "user_message": USER_MESSAGE,
    "mqqb": MQQB,
    "mqdsrp": MQDSRP,
    "mqcn": MQCN,
}
"""The C texts by the module that their records are in, each after those that it uses."""

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

_RULE = re.compile(r"// -{10,} (?P<section>\[[A-Z-]+\] [0-9.]+)")
_OPEN = re.compile(r"\s*(?:typedef )?struct\b\s*(?P<name>\w*) ?\{(?!.*\})")
_CLOSE = re.compile(r"\s*\}\s*(?P<name>\w*)\s*;(?:\s*// ?(?P<doc>.*))?")
_SUMMARY = re.compile(r"// (?!-)(?P<doc>.*)")
_LINE = re.compile(r"\s*\w+\s+(?P<name>\w+)[^;]*;(?:\s*// ?(?P<doc>.*))?")


def _comments(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """Sections by structure and descriptions by path, from the comments that cstruct skips."""
    sections: dict[str, str] = {}
    summary = ""
    docs: dict[str, str] = {}
    section = outer = ""
    inner: list[tuple[str, str]] | None = None
    for line in text.splitlines():
        if match := _RULE.match(line):
            section, summary = match["section"], ""
        elif not outer and (match := _SUMMARY.match(line)):
            summary = match["doc"]
        elif match := _OPEN.match(line):
            if outer:
                inner = []
            else:
                outer = match["name"]
                sections[outer] = section
                docs[outer] = summary
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


class Pages:
    """Turns cstruct types into the model, one C text after the other.

    Attributes:
        done: Every structure by its name.
        homes: The module of each.
    """

    def __init__(self) -> None:
        self.types = cstruct()
        self.sections: dict[str, str] = {}
        self.docs: dict[str, str] = {}
        self.done: dict[str, Structure] = {}
        self.homes: dict[str, str] = {}

    def read(self) -> None:
        """Read all C texts."""
        self.types.load("\n".join(DOCUMENTS.values()), compiled=False)
        for document, text in DOCUMENTS.items():
            sections, docs = _comments(text)
            self.sections |= sections
            self.docs |= docs
            for name in sections:
                self.structure(name)
            self.homes |= {name: document for name in self.done if name not in self.homes}
        register(*self.done.values())

    def enumerations(self) -> dict[str, dict[str, int]]:
        """Every C enumeration: its members and their values by its name."""
        return {
            name: {member: int(value) for member, value in kind.__members__.items()}
            for name, kind in self.types.typedefs.items()
            if hasattr(kind, "__members__")
        }

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
        return Structure(
            name, section, fields, Extent(*bound) if bound else None, scoped, self.docs.get(path, "")
        )

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
