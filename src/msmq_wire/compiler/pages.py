"""Builds the model from the cstruct types of the C texts and the tables of relations.

1. `dissect.cstruct` parses the C texts; each C structure becomes a `Structure`.
2. This module parses the comments: the section of a structure, its summary, and the description of each
   field.
"""

from __future__ import annotations

import enum
import re
from enum import EnumMeta
from pathlib import Path
from typing import Any

from dissect.cstruct import cstruct

from msmq_wire.definitions import load, relations
from msmq_wire.definitions.texts import TEXTS
from msmq_wire.documents.layouts import structures
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
    Rival,
    Sequence,
    Structure,
    Text,
    Values,
    register,
)

from . import expressions
from .checks.mistakes import DEFINITIONS, Mistake, Mistakes, find, line_of_field, line_of_row, of_renamed

INTEGERS = {
    "uint8": "B",
    "uint16": "H",
    "uint32": "I",
    "uint64": "Q",
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "q",
}

_UNKNOWN = object()


def annotation_of(kind: Any, name: str) -> Any:
    """Read an attribute of a cstruct type: ``size`` up to cstruct 4, ``__size__`` from cstruct 5 on."""
    value = getattr(kind, f"__{name}__", _UNKNOWN)
    return getattr(kind, name, None) if value is _UNKNOWN else value


def _types(types: Any) -> dict[str, Any]:
    """Return every cstruct type by its name: ``typedefs`` up to version 4, ``types`` from version 5 on."""
    definitions: dict[str, Any] = types.types if hasattr(types, "types") else types.typedefs
    return definitions


_RULE = re.compile(r"// -{10,} (?P<section>\[[A-Z-]+\] [0-9.]+)")
_OPEN = re.compile(r"\s*(?:typedef )?(?:struct|union)\b\s*(?P<name>\w*) ?\{(?!.*\})")
_CLOSE = re.compile(r"\s*\}\s*(?P<name>\w*)\s*;(?:\s*// ?(?P<doc>.*))?")
_SUMMARY = re.compile(r"// (?!-)(?P<doc>.*)")
_LINE = re.compile(r"\s*\w+[\s*]+(?P<name>\w+)[^;]*;(?:\s*// ?(?P<doc>.*))?")


def comments(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """Parse the comments, which cstruct skips: sections by structure, and descriptions by path."""
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
                outer = section = ""  # the next structure has a section of its own
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


_BEGIN = re.compile(r"(?:typedef )?(?:struct|enum|flag|union)\b")


def _check_braces(text: str, file: Path) -> None:
    """Check that each structure ends before the next one.

    Raises:
        Mistake: A brace is missing, or the semicolon behind one.
    """
    source = file.read_text("utf-8")
    first = source.count("\n", 0, source.index(text)) + 1
    opened: list[int] = []
    for number, line in enumerate([*text.splitlines(), "// ---"], first):
        code = line.partition("//")[0].rstrip()
        if opened and (line.startswith("// ---") or _BEGIN.match(line)):
            raise Mistake(
                file, opened[0], "a closing brace is missing between this structure and the next one"
            )
        if _BEGIN.match(code.lstrip()) and not re.search("[{;]", code):
            raise Mistake(file, number, "an opening brace is missing")
        if code.lstrip().startswith("}") and not code.endswith(";"):
            raise Mistake(file, number, "a semicolon is missing behind the closing brace")
        for brace in re.findall(r"[{}]", code):
            if brace == "{":
                opened.append(number)
            elif opened:
                opened.pop()
            else:
                raise Mistake(file, number, "no brace is open that this one closes")


def _load() -> Any:
    """Load the cstruct types of all C texts.

    Raises:
        Mistake: dissect.cstruct cannot parse one of them.
    """
    for text, _, name in TEXTS.values():
        _check_braces(text, DEFINITIONS / name)
    try:
        return load()
    except Exception as error:  # noqa: BLE001  # any exception means a mistake in the text
        problem = error
    types = cstruct()
    for text, _, name in TEXTS.values():
        file = DEFINITIONS / name
        source = file.read_text("utf-8")
        lines = source.splitlines()
        for part in re.split(r"(?m)^(?=// -{10,})", text):
            try:
                types.load(part, compiled=False)
            except Exception as error:  # noqa: BLE001  # as above
                culprit = str(error).rpartition(" ")[2]
                first = source.count("\n", 0, source.index(part)) + 1
                within = range(first, first + len(part.splitlines()))
                hit = [
                    number for number in within if re.search(rf"\b{re.escape(culprit)}\b", lines[number - 1])
                ]
                raise Mistake(
                    file, hit[0] if hit else first, f"dissect.cstruct cannot read it: {error}"
                ) from None
    raise problem  # each part parses alone, but not all of them together


class Pages:
    """Converts cstruct types into the model, one C text after the other.

    Attributes:
        done: Every structure by its name.
        homes: The document module of each structure.
    """

    def __init__(self) -> None:
        self.types = _load()
        self.sections: dict[str, str] = {}
        self.docs: dict[str, str] = {}
        self.done: dict[str, Structure] = {}
        self.homes: dict[str, str] = {}
        self.document = ""
        self.open: list[str] = []

    @classmethod
    def read(cls) -> Pages:
        """Build the model of all C texts.

        Raises:
            Mistakes: The definitions contain mistakes.
        """
        before = dict(structures())
        try:
            pages = cls()
            pages._read_texts()
        except Mistake as error:
            raise Mistakes([error]) from None
        mistakes = find(pages.done, pages.homes)
        if mistakes:
            told = {(mistake.file, mistake.line) for mistake in mistakes}
            for mistake in (*_in_rules(pages), *of_renamed(pages.done, before)):
                if (mistake.file, mistake.line) not in told:
                    told.add((mistake.file, mistake.line))
                    mistakes.append(mistake)
            raise Mistakes(mistakes)
        return pages

    def _read_texts(self) -> None:
        named: dict[str, list[str]] = {}
        for document, c_text in TEXTS.items():
            self.document = document
            sections, docs = comments(c_text.text)
            self.sections |= sections
            self.docs |= docs
            named[document] = [*sections]
        for document, names in named.items():
            self.document = document
            for name in names:
                self.structure(name)
            self.homes |= {name: document for name in self.done if name not in self.homes}
        for name, home in self.homes.items():
            register(home, self.done[name])

    def enumerations(self) -> dict[str, dict[str, int]]:
        """Return every C enumeration by its name, with its members and their values."""
        return {
            name: {member: int(getattr(kind, member)) for member in kind.__members__}
            for name, kind in _types(self.types).items()
            if isinstance(kind, EnumMeta)
        }

    def mistake(self, structure: str, field: str, sentence: str) -> Mistake:
        """Return a mistake in the C text that is being read."""
        path = f"{structure}.{field}" if field else structure
        return Mistake(*line_of_field(self.document, structure, field), f"{path} {sentence}")

    def enumeration_size(self, name: str) -> int:
        """Return the size of the numbers of a C enumeration in bytes."""
        size: int = annotation_of(_types(self.types)[name], "size")
        return size

    def is_mask(self, name: str) -> bool:
        """Return whether the members of an enumeration are bits that can be combined."""
        return issubclass(_types(self.types)[name], enum.Flag)

    def structure(self, name: str) -> Structure:
        if name not in self.done:
            if name in self.open:
                raise self.mistake(name, "", f"contains itself: {' > '.join([*self.open, name])}")
            if not self.sections.get(name):
                raise self.mistake(
                    name, "", "has no section: a rule such as `// ---------- [MS-MQMQ] 2.2.20` above it"
                )
            self.open.append(name)
            declared = getattr(self.types, name)
            try:
                self.done[name] = self.build(name, name, declared.__fields__, self.sections[name])
            except (TypeError, ValueError) as error:
                said = f"cannot be read with its rows in relations.py: {error}"
                raise self.mistake(name, "", said) from error
            self.open.pop()
        return self.done[name]

    def build(self, name: str, path: str, declared: Any, section: str) -> Structure:
        fields = tuple(self.field(path, item, section) for item in declared)
        bound = relations.EXTENTS.get(path)
        names = {field.name for field in fields}
        scoped = any(path.partition(".")[0] not in names for field in fields for path in field.numbers)
        extent = Extent(*bound) if bound else None
        return Structure(name, section, fields, extent, scoped=scoped, doc=self.docs.get(path, ""))

    def field(self, owner: str, declared: Any, section: str) -> Field:
        path = f"{owner}.{declared.name}"
        present = relations.PRESENT.get(path)
        try:
            rule = expressions.presence(present) if present else None
        except expressions.Unreadable as error:
            file = Path(relations.__file__)
            raise Mistake(file, line_of_row(file, "PRESENT", path), f"PRESENT: {path}: {error}") from None
        try:
            kind = self.kind(owner, path, declared, section)
        except expressions.Unreadable as error:
            raise self.mistake(owner, declared.name, f"has no known count: {error}") from None
        return Field(
            declared.name,
            kind,
            self.docs.get(path, ""),
            rule,
            path in relations.OUTSIDE,
            relations.SUPPORTED_VALUES.get(path),
            relations.OFFSETS.get(path),
            relations.LIMITS.get(path, _LIMITS.get(type(kind))),
            relations.is_filler(declared.name),
            self.rival(path, kind),
        )

    def rival(self, path: str, kind: Kind) -> Rival | None:
        """Return the structure that may replace a part, if there is one."""
        if path not in relations.RIVALS:
            return None
        stated, rest = (number.partition(".")[2] for number in relations.RIVALS[path])
        name = relations.RIVALS[path][0].partition(".")[0]
        structure = self.structure(name)
        size, room = structure.fixed_size, kind.fixed_size
        if size is None or room is None:
            file = Path(relations.__file__)
            line = line_of_row(file, "RIVALS", path)
            raise Mistake(file, line, f"RIVALS: {path}: expected two structures of fixed size")
        return Rival(name, size, structure.offset_of(stated), structure.offset_of(rest), room)

    def kind(self, owner: str, path: str, declared: Any, section: str) -> Kind:
        kind = declared.type
        name = kind.__name__
        if path in relations.CHOICES:
            selector, forms = relations.CHOICES[path]
            for form in filter(None, forms.values()):
                if form not in _types(self.types):
                    file = Path(relations.__file__)
                    line = line_of_row(file, "CHOICES", form)
                    raise Mistake(file, line, f"CHOICES: {path}: there is no structure {form}")
            return Choice(
                selector, {value: self.structure(form) if form else None for value, form in forms.items()}
            )
        if path in relations.ALIGNED:
            return Padding(relations.ALIGNED[path])
        if path in relations.VALUES:
            return Values(relations.VALUES[path])
        if annotation_of(kind, "num_entries") is not None or annotation_of(kind, "null_terminated"):
            return self.array(owner, declared.name, kind)
        if name in _VALUE_KINDS:
            return _VALUE_KINDS[name]
        if name in INTEGERS:
            return Integer(INTEGERS[name], annotation_of(kind, "size"))
        if isinstance(kind, EnumMeta):
            return Integer(INTEGERS[annotation_of(kind, "type").__name__], annotation_of(kind, "size"), name)
        if name == "void":
            raise self.without_kind(owner, declared.name)
        members = kind.__fields__
        if any(member.bits for member in members):
            return self.flags(owner, path, declared.name, members)
        if name in self.sections:
            return Nested(self.structure(name))
        built = self.build(declared.name, path, members, section)
        self.done[declared.name] = built
        return Nested(built)

    def without_kind(self, owner: str, name: str) -> Mistake:
        """Return the mistake of a field without a type in C: its row in a table is missing, or names another."""
        tables = ("CHOICES", "ALIGNED", "VALUES")
        unused = [
            (table, row) for table in tables for row in getattr(relations, table) if row not in self.docs
        ]
        if unused:
            file, (table, row) = Path(relations.__file__), unused[0]
            return Mistake(file, line_of_row(file, table, row), f"{table}: {row}: there is no such field")
        return self.mistake(owner, name, f"is void, and has no row in {', '.join(tables)}")

    def array(self, owner: str, name: str, kind: Any) -> Kind:
        element = annotation_of(kind, "type").__name__
        count = annotation_of(kind, "num_entries")
        if not isinstance(count, int) and count is not None:
            source = relations.COUNTS.get(f"{owner}.{name}") or count.expression
            count = EOF if source == EOF else expressions.count(source)
        if element == "char":
            return Bytes(count)
        if element == "wchar":
            return Text(NUL if annotation_of(kind, "null_terminated") else count)
        if element in INTEGERS:
            return Numbers(INTEGERS[element], annotation_of(annotation_of(kind, "type"), "size"), count)
        if element in _VALUE_KINDS:
            return Items(self.element(element, self.sections[owner.partition(".")[0]]), count)
        if element not in self.sections:
            raise self.mistake(
                owner,
                name,
                f"is an array of {element}: expected an array of uint8 to int64, char, wchar, GUID or a structure",
            )
        return Items(self.structure(element), count)

    def element(self, name: str, section: str) -> Structure:
        """Return the structure of the elements of an array of values: it has the field `Value`."""
        element_name = f"{name}Element"
        if element_name not in self.done:
            value = Field("Value", _VALUE_KINDS[name], f"the {name}")
            self.done[element_name] = Structure(
                element_name, section, (value,), doc=f"One {name} of an array."
            )
        return self.done[element_name]

    def flags(self, owner: str, path: str, name: str, members: Any) -> Flags:
        groups = []
        shift = 0
        for member in members:
            doc = self.docs.get(f"{path}.{member.name}", "")
            groups.append(Group(member.name, shift, member.bits, doc))
            shift += member.bits
        word = members[0].type
        return Flags(owner + name, INTEGERS[word.__name__], annotation_of(word, "size"), tuple(groups))


def _in_rules(pages: Pages) -> list[Mistake]:
    """Return the mistakes in rules, beside those in definitions; none if the rules cannot be imported yet."""
    try:
        from .checks.rule_mistakes import find as find_in_rules  # noqa: PLC0415  # the rules import the records, which may be older
    except (ImportError, AttributeError, KeyError, TypeError):
        return []
    return find_in_rules(pages.done)


_LIMITS = {Text: "string_length", Items: "elements", Numbers: "elements"}
"""The default limit by kind, for fields without a limit of their own."""

_VALUE_KINDS: dict[str, Kind] = {"GUID": Guid(), "SEQUENCE_NUMBER": Sequence()}
