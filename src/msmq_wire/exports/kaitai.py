"""The layouts as a Kaitai Struct description, `msmq.ksy`, generated from the model.

1. Each structure is a type; a field keeps its name in the document as ``-orig-id``.  Identifiers are the same
   words in snake_case: ``UserHeader.DestinationQueue`` is ``user_header.destination_queue``.
2. A flags word is a type of bit fields.  A name that is a keyword of a target language ends in ``_field``:
   ``in_field``.
3. The top level reads a stream of session packets.  `packet` gives each packet a stream of its own, so the
   types of packets, and all others when they are used alone, expect that their stream begins with them.
4. A structure that states its own size is read from a stream of that size: its parent looks ahead for it.
5. Kaitai cannot decide by later bytes, so `LIMITS` lists the limitations of its readers.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from msmq_wire.definitions.properties import PROPERTIES, VARTYPE
from msmq_wire.definitions.relations import DEFAULTS, MARKS, OPENING, announced
from msmq_wire.records import model
from msmq_wire.values.enumerations import ENUMERATIONS
from msmq_wire.values.properties.types import BYTES, FORMATS, FORMS, VECTOR, type_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

LIMITS = """\
Limitations of this description, because Kaitai Struct does not decide by later bytes:

- In a stream, a SessionHeader is read behind PacketSize, as the document states; some senders include it in
  the size.
- An ExtensionHeader where BaseHeader.Flags.SH announces a SessionHeader is read as a SessionHeader.
- Elements of a list of queues are aligned, as the document states; lists of some senders have no padding.
- OrderAck and FinalAck are messages with a class and a label of their own: use their types for these.
- Lists and texts are limited by the bytes only, and only requirements that reading needs are checked.
"""
_NUMBERS = {"B": "u1", "H": "u2", "I": "u4", "Q": "u8", "b": "s1", "h": "s2", "i": "s4", "q": "s8"}
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_KEYWORDS = frozenset({"and", "as", "do", "if", "in", "is", "not", "or"})
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


def identifier(name: str) -> str:
    """Convert a name of the documents to an identifier: ``HTTPBodySize`` to ``http_body_size``."""
    words = _WORDS.sub("_", name).lower()
    return f"{words}_field" if words in _KEYWORDS else words


def description() -> str:
    """Return the text of ``msmq.ksy``: YAML in the language of Kaitai Struct 0.11."""
    structures = model.structures()
    conditions = _conditions(structures.values())
    types = {"packet": _packet(structures)}
    types |= {
        identifier(structure.name): _Type(structure, conditions).as_yaml()
        for structure in structures.values()
    }
    document = {
        "meta": {
            "id": "msmq",
            "title": "Microsoft Message Queuing (MSMQ)",
            "license": "MIT",
            "ks-version": "0.11",
            "encoding": "UTF-16LE",
            "endian": "le",
        },
        "doc": f"Packets of sessions, headers, and messages of the directory service.\n\n{LIMITS}",
        "seq": [{"id": "packets", "type": "packet", "repeat": "eos"}],
        "types": types | _value_types(),
        "enums": _enumerations(),
    }
    return "\n".join(("# Generated from the definitions: do not edit.", *_lines(document))) + "\n"


# ------------------------------------------------------------------------------------------ packets


def _packet(structures: dict[str, model.Structure]) -> dict[str, Any]:
    """Describe one packet of a session, whose first headers state its type and its size."""
    base, behind = structures[OPENING["BASE"]], structures[OPENING["SESSION_HEADER"]].fixed_size
    internal = announced(OPENING["INTERNAL_TYPE"])
    marks = [f"base.{identifier(path.partition('.')[2])} == {DEFAULTS[path]}" for path in sorted(MARKS)]
    marks.append("base.packet_size <= _io.size")  # some runtimes take memory for the bytes first
    return {
        "doc": "A packet of a session, and the SessionHeader behind it.",
        "seq": [
            {"id": "begin", "size": 0, "valid": {"expr": " and ".join(marks)}},
            {
                "id": "record",
                "size": f"base.packet_size + (base.flags.sh and not base.flags.in_field ? {behind} : 0)",
                "type": {
                    "switch-on": "internal_type",
                    "cases": {-1: identifier("UserMessage")}
                    | {number: identifier(name) for number, name in internal.items()},
                },
            },
        ],
        "instances": {
            "start": {"value": "_io.pos"},
            "base": {"pos": "start", "type": identifier(base.name)},
            "internal": {
                "pos": f"start + {base.fixed_size}",
                "type": identifier(OPENING["INTERNAL_HEADER"]),
                "if": "base.flags.in_field",
            },
            "internal_type": {"value": "base.flags.in_field ? internal.flags.pt.as<s4> : -1"},
        },
    }


# --------------------------------------------------------------------------------------- structures


def _conditions(structures: Collection[model.Structure]) -> dict[str, dict[str, Any]]:
    """Collect the values with which reading can continue, of fields and groups by path."""
    conditions: dict[str, dict[str, Any]] = {}
    for structure in structures:
        for field in structure.fields:
            if isinstance(field.kind, model.Choice):
                conditions[f"{structure.name}.{field.kind.selector}"] = {"any-of": list(field.kind.forms)}
            if field.known is not None:
                conditions[f"{structure.name}.{field.name}"] = {"any-of": list(field.known)}
            count = model.count_of(field.kind)
            if count is None:
                continue
            for owner in structures:
                if count.number in owner.by_name and (owner is structure or _contains(owner, structure)):
                    conditions[f"{owner.name}.{count.number}"] = {"expr": _fits(field.kind, count)}
    return conditions


def _contains(owner: model.Structure, part: model.Structure) -> bool:
    """Return whether a part that depends on its parent is in a structure."""
    return part.scoped and any(part in field.structures for field in owner.fields)


def _fits(kind: model.Kind, count: model.Count) -> str:
    """Return the condition that a length is within the stream; some runtimes use only 32 bits of a size."""
    if count.per_unit > 1:
        return f"_ % {count.per_unit} == 0 and _ <= _io.size"
    return "_ <= _io.size / 2" if isinstance(kind, model.Text) else "_ <= _io.size"


def _rounded(size: str, multiple: int) -> str:
    return size if multiple == 1 else f"({size} + {multiple - 1}) / {multiple} * {multiple}"


class _Type:
    """Builds the type of one structure.

    Attributes:
        structure: The structure.
        conditions: The values with which reading can continue, of fields and groups by path.
        instances: The values that the type computes or looks ahead for.
        types: The types of its flags words.
    """

    def __init__(self, structure: model.Structure, conditions: dict[str, dict[str, Any]]) -> None:
        self.structure = structure
        self.conditions = conditions
        self.instances: dict[str, Any] = {}
        self.types: dict[str, Any] = {}

    def as_yaml(self) -> dict[str, Any]:
        """Return the type as nested dictionaries and lists."""
        structure = self.structure
        inner = [field for field in structure.fields if not field.outside]
        outer = [field for field in structure.fields if field.outside]
        sequence = [attribute for field in inner for attribute in self._attributes(field)]
        sequence += [*self._end(), *map(self._attribute, outer)]
        if any(field.alignment for field in inner):
            sequence.insert(0, {"id": "begin", "size": 0, "if": "start >= 0"})
            self.instances = {"start": {"value": "_io.pos"}} | self.instances
        parts = {"seq": sequence, "instances": self.instances, "types": self.types}
        return {
            "-orig-id": structure.name,
            "doc": structure.doc,
            "doc-ref": structure.section,
        } | {key: part for key, part in parts.items() if part}

    def _end(self) -> Iterator[dict[str, Any]]:
        """Require that the fields end where the structure states that it ends."""
        if self.structure.extent is not None:
            yield {"id": "end", "size": 0, "valid": {"expr": f"_io.pos == {self._stated_end()}"}}

    def _stated_end(self) -> str:
        """Return where the size that is stated ends, without a part that belongs behind it."""
        extent = self.structure.extent
        if extent is None:
            return "_io.size"
        size = _rounded(self._path(extent.path), extent.multiple)
        for field in self.structure.fields:
            if field.outside and field.part:
                counted = f"{self._presence(field)} and _io.size == {size}"
                self.instances["stated_end"] = {
                    "value": f"{size} - ({counted} ? {field.part.fixed_size} : 0)"
                }
                return "stated_end"
        return size

    def _attributes(self, field: model.Field) -> Iterator[dict[str, Any]]:
        """Yield a field, and before it the requirement that it begins where another field states."""
        if field.offset_in is not None:
            offset, origin = (self._path(name) for name in field.offset_in)
            name, stated = f"{identifier(field.name)}_begin", f"{offset} == {origin}.units.size"
            yield {"id": name, "size": 0, "if": self._presence(field), "valid": {"expr": stated}}
        yield self._attribute(field)

    def _attribute(self, field: model.Field) -> dict[str, Any]:
        name = identifier(field.name)
        attribute: dict[str, Any] = {"id": name, "-orig-id": field.name}
        if field.doc:
            attribute["doc"] = field.doc
        if field.present is not None:
            attribute["if"] = self._presence(field)
        attribute |= self._content(field, name)
        path = f"{self.structure.name}.{field.name}"
        if path in self.conditions:
            attribute["valid"] = self.conditions[path]
        return attribute

    def _content(self, field: model.Field, name: str) -> dict[str, Any]:
        """Return the keys that describe how the bytes of a field are read."""
        match field.kind:
            case model.Integer(format=code, enumeration=enumeration):
                if enumeration is not None:
                    self.instances[f"{name}_name"] = {"value": name, "enum": identifier(enumeration)}
                return {"type": _NUMBERS[code]}
            case model.Flags() as word:
                self.types[name] = self._flags(word, field.name)
                return {"type": name}
            case model.Guid():
                return {"type": "guid"}
            case model.Numbers(format=code, count=count):
                return {"type": _NUMBERS[code], "repeat": "expr", "repeat-expr": self._count(count)}
            case model.Values(identifiers=identifiers):
                numbers = self.structure.by_name[identifiers].kind_as(model.Numbers)
                return {
                    "type": f"property_value({identifier(identifiers)}[_index])",
                    "repeat": "expr",
                    "repeat-expr": self._count(numbers.count),
                }
            case model.Bytes(count=count) if not field.kind.code:
                return {"size-eos": True} if count == model.EOF else {"size": self._size(count)}
            case model.Text(count=count):
                return {"type": self._text(count)}
            case model.Nested(structure=structure):
                return {"type": identifier(structure.name)} | self._own_size(structure, name)
            case model.Items(structure=structure, count=count):
                return {
                    "type": identifier(structure.name),
                    "repeat": "expr",
                    "repeat-expr": self._count(count),
                }
            case model.Choice(selector=selector, forms=forms):
                cases = {value: identifier(form.name) for value, form in forms.items() if form is not None}
                return {"type": {"switch-on": self._path(selector), "cases": cases}}
            case model.Padding(alignment=alignment):
                return {"size": self._padding(alignment)}
        return {"size": field.kind.least_size}

    def _flags(self, word: model.Flags, name: str) -> dict[str, Any]:
        """Return the type of a flags word: its groups from the lowest bit on."""
        groups: list[dict[str, Any]] = []
        position = 0
        for group in sorted(word.groups, key=lambda group: group.shift):
            if group.shift > position:
                groups.append({"id": f"bit{position}", "type": f"b{group.shift - position}"})
            row = {"id": identifier(group.name), "-orig-id": group.name, "type": f"b{group.width}"}
            if group.doc:
                row["doc"] = group.doc
            condition = self.conditions.get(f"{self.structure.name}.{name}.{group.name}")
            groups.append(row | ({"valid": condition} if condition is not None else {}))
            position = group.shift + group.width
        if position < word.size * 8:
            groups.append({"id": f"bit{position}", "type": f"b{word.size * 8 - position}"})
        return {"meta": {"bit-endian": "le"}, "seq": groups}

    def _text(self, count: str | model.Count) -> str:
        """Return the type of a text, which keeps its bytes, because not all of them are valid UTF-16."""
        if count == model.NUL:
            return "terminated_text"
        if isinstance(count, str):
            return "counted_text((_io.size - _io.pos) & ~1)"
        units = self._path(count.number)
        return f"counted_text({units if count.per_unit == 2 else f'{units} * 2'})"

    def _own_size(self, structure: model.Structure, name: str) -> dict[str, Any]:
        """Return the size of a part that states it, for which the type looks ahead."""
        extent = structure.extent
        if extent is None or "." in extent.path:
            return {}
        number = structure.by_name[extent.path].kind_as(model.Integer)
        self.instances[f"{name}_size"] = {
            "pos": f"_io.pos + {structure.offset_of(extent.path)}",
            "type": _NUMBERS[number.format],
        }
        return {"size": _rounded(f"{name}_size", extent.multiple)}

    def _padding(self, alignment: model.Alignment) -> str:
        """Return the number of bytes up to the boundary."""
        inner = alignment.origin != self.structure.name  # then the stream begins with the origin
        behind = "_io.pos" if inner else "(_io.pos - start)"

        def up_to(boundary: int) -> str:
            return f"-{behind} & {boundary - 1}"

        size = up_to(alignment.boundary)
        for value, boundary in alignment.boundaries:
            size = f"{self._path(alignment.selector)} == {value} ? {up_to(boundary)} : {size}"
        if alignment.before is not None:
            number = alignment.before[1]
            self._look_ahead("next_number", "_io.pos")
            self._look_ahead("number_behind", f"_io.pos + ({size})")
            size = f"next_number != {number} and number_behind == {number} ? {size} : 0"
        if alignment.cut_short:
            left = "_io.size - _io.pos"
            size = f"({size}) < {left} ? {size} : {left}"
        return size

    def _look_ahead(self, name: str, position: str) -> None:
        """Read the number at a later position; -1 if the stream ends before."""
        self.instances[f"{name}_read"] = {"pos": position, "type": "u2", "if": f"{position} + 2 <= _io.size"}
        self.instances[name] = {"value": f"{position} + 2 <= _io.size ? {name}_read.as<s4> : -1"}

    def _presence(self, field: model.Field) -> str:
        """Return the condition under which a field is present; the deciding header may be absent."""
        presence = field.present
        if presence is None:
            return ""
        if not presence.numbers:
            self.instances[f"has_{identifier(field.name)}"] = {"value": f"_io.pos < {self._stated_end()}"}
            return f"has_{identifier(field.name)}"
        terms = [self._test(path, presence.value) for path in presence.numbers]
        condition = " or ".join(terms)
        owner = presence.numbers[0].partition(".")[0]
        deciding = self.structure.by_name.get(owner)
        if deciding is not None and deciding.present is not None:
            return f"{self._presence(deciding)} and {condition}"
        return condition

    def _test(self, path: str, value: int | None) -> str:
        group = self.structure.group(path)
        number = self._path(path)
        if value is not None:
            return f"{number} == {value}"
        return number if group is not None and group.width == 1 else f"{number} != 0"

    def _count(self, count: model.Count) -> str:
        return self._path(count.number)

    def _size(self, count: int | str | model.Count | model.Fill) -> Any:
        match count:
            case int():
                return count
            case model.Fill():
                return _PATH.sub(lambda match: self._path(match[0]), str(count))
            case model.Count():
                return self._path(count.number)
        return self._path(str(count))

    def _path(self, path: str) -> str:
        """Return a path as an expression; of a part that depends on its parent, the parent's fields."""
        name = ".".join(map(identifier, path.split(".")))
        return name if path.partition(".")[0] in self.structure.by_name else f"_parent.{name}"


# ------------------------------------------------------------------------------- values of properties


def _variant(vartype: int) -> str:
    """Return the name of the type of a variant type: ``vt_ui4``, ``vt_ui4_vector``."""
    name = VARTYPE(vartype & ~VECTOR).name.lower()
    return f"{name}_vector" if vartype & VECTOR else name


def _value(vartype: int) -> list[dict[str, Any]]:
    """Return the fields of one value ([MS-MQCN] 2.2.3)."""
    if vartype in FORMATS:
        return [{"id": "value", "type": _NUMBERS[FORMATS[vartype].format.lstrip("<")]}]
    match vartype:
        case VARTYPE.VT_CLSID:
            return [{"id": "value", "type": "guid"}]
        case VARTYPE.VT_LPWSTR | VARTYPE.VT_BSTR:
            return [{"id": "value", "type": "terminated_text"}]
        case VARTYPE.VT_BLOB:
            return [{"id": "count", "type": "u4"}, {"id": "value", "size": "count"}]
        case VARTYPE.VT_EMPTY | VARTYPE.VT_NULL:
            return [{"id": "value", "size": 0}]
    if vartype == BYTES:
        return [{"id": "count", "type": "u4"}, {"id": "value", "size": "count"}]
    element = _variant(vartype & ~VECTOR)
    if vartype & ~VECTOR == VARTYPE.VT_VARIANT:
        element = "variant"
    return [
        {"id": "count", "type": "u4"},
        {"id": "value", "type": element, "repeat": "expr", "repeat-expr": "count"},
    ]


def _value_types() -> dict[str, Any]:
    """Describe GUIDs, texts, and the values of properties, whose type follows from their identifier."""
    typed = [(row, type_of(row.number)) for row in PROPERTIES]
    return {
        "guid": {
            "doc": "A GUID in the order of its bytes on the wire.",
            "seq": [
                {"id": "data1", "type": "u4"},
                {"id": "data2", "type": "u2"},
                {"id": "data3", "type": "u2"},
                {"id": "data4", "size": 8},
            ],
        },
        "counted_text": {
            "doc": "A text: its bytes, which may be invalid UTF-16, and on request its characters.",
            "params": [{"id": "size", "type": "u4"}],
            "seq": [{"id": "raw", "size": "size"}],
            "instances": {"text": {"value": 'raw.to_s("UTF-16LE")'}},
        },
        "terminated_text": {
            "doc": "A text up to a null character: its bytes before it, and on request its characters.",
            "seq": [
                {"id": "begin", "size": 0, "if": "start >= 0"},
                {"id": "units", "type": "u2", "repeat": "until", "repeat-until": "_ == 0"},
            ],
            "instances": {
                "start": {"value": "_io.pos"},
                "raw": {"pos": "start", "size": "units.size * 2 - 2"},
                "text": {"value": 'raw.to_s("UTF-16LE")'},
            },
        },
        "property_value": {
            "doc": "The value of a property.",
            "doc-ref": "[MS-MQCN] 2.2.3",
            "params": [{"id": "property_id", "type": "u4"}],
            "instances": {"property_name": {"value": "property_id", "enum": "propid"}},
            "seq": [
                {
                    "id": "variant",
                    "type": {
                        "switch-on": "property_name",
                        "cases": {
                            f"propid::{row.name.lower()}": _variant(vartype)
                            for row, vartype in typed
                            if vartype is not None
                        }
                        | {"_": "unknown_property"},
                    },
                }
            ],
        },
        "unknown_property": {
            "doc": "Its size is unknown, so that nothing behind it can be read.",
            "seq": [{"id": "value", "size": 0, "valid": {"expr": "false"}}],
        },
        "variant": {
            "doc": "An element of a vector of variants: its type, and its value.",
            "seq": [
                {"id": "vartype", "type": "u2"},
                {
                    "id": "variant",
                    "type": {
                        "switch-on": "vartype",
                        "cases": {vartype: _variant(vartype) for vartype in sorted(FORMS)}
                        | {"_": "unknown_property"},
                    },
                },
            ],
        },
    } | {_variant(vartype): {"seq": _value(vartype)} for vartype in sorted(FORMS)}


def _enumerations() -> dict[str, Any]:
    used = {
        field.enumeration
        for structure in model.structures().values()
        for field in structure.fields
        if field.enumeration
    }
    words = {
        identifier(name): {
            int(member): word.lower() for word, member in ENUMERATIONS[name].__members__.items()
        }
        for name in sorted(used)
    }
    return words | {
        "propid": {row.number: row.name.lower() for row in PROPERTIES if type_of(row.number) is not None}
    }


# --------------------------------------------------------------------------------------------- YAML


def _lines(value: dict[Any, Any], indent: int = 0) -> Iterator[str]:
    """Format a document as lines of YAML."""
    space = " " * indent
    for key, content in value.items():
        match content:
            case dict():
                yield f"{space}{key}:"
                yield from _lines(content, indent + 2)
            case [dict(), *_]:
                yield f"{space}{key}:"
                for row in content:
                    first, *rest = _lines(row, indent + 4)
                    yield f"{space}  - {first.lstrip()}"
                    yield from rest
            case str() if "\n" in content:
                yield f"{space}{key}: |"
                yield from (f"{space}  {line}".rstrip() for line in content.strip().split("\n"))
            case _:
                yield f"{space}{key}: {json.dumps(content, ensure_ascii=False)}"
