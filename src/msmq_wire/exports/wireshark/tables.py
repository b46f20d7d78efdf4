"""Generates the tables of the dissector from the exported layouts: Wireshark fields, and structures."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

from msmq_wire.documents.opening import SIGNATURE, VERSION
from msmq_wire.records.model import (
    EOF,
    NUL,
    Bytes,
    Choice,
    Count,
    Fill,
    Flags,
    Guid,
    Integer,
    Items,
    Nested,
    Numbers,
    Padding,
    Sequence,
    Text,
    Values,
)
from msmq_wire.values.numbers import FOREVER, MAX_PACKET_SIZE, PING_PORT, PORT
from msmq_wire.values.properties.types import FORMATS
from msmq_wire.values.refusals import SENTENCES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.definitions.relations import Alignment
    from msmq_wire.exports.layouts import Comparison, Document, Layout, Rule
    from msmq_wire.records.model import Field, Group

_PROPERTY = "msmq.property"


def abbreviation(owner: str, field: str) -> str:
    """Return the name of a field for display filters."""
    return ".".join(part for part in ("msmq", owner, field) if part).lower()


def _name(owner: str, field: Field) -> str:
    """Return the name for a field; a part with the name of its structure has one name."""
    inner = field.part and field.part.name == field.name
    return abbreviation("", field.name) if inner else abbreviation(owner, field.name)


# ---------------------------------------------------------------------------------------------- literals

_PLAIN = set(string.printable) - set('"\\\n\r\t\x0b\x0c')


def _text(value: str) -> str:
    """Return a Lua string."""
    return '"' + "".join(char if char in _PLAIN else _escaped(char.encode()) for char in value) + '"'


def _escaped(data: bytes) -> str:
    return "".join(f"\\{byte:03}" for byte in data)


def _lua(value: Any) -> str:
    """Return a value of numbers, texts, lists and tables as Lua."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case str():
            return _text(value)
        case bytes():
            return f'"{_escaped(value)}"'
        case dict():
            inner = (f"{_key(key)} = {_lua(item)}" for key, item in value.items() if item is not None)
            return "{" + ", ".join(inner) + "}"
    return "{" + ", ".join(map(_lua, value)) + "}"


def _key(key: int | str) -> str:
    return f"[{key}]" if isinstance(key, int) else key if key.isidentifier() else f"[{_text(key)}]"


def _path(path: str) -> list[str]:
    return path.split(".")


# ------------------------------------------------------------------------------------------- declarations


def _declare(abbr: str, kind: str, name: str, doc: str = "", **more: Any) -> str:
    """Return a line that declares a field; its kind is the name of a `ProtoField` function."""
    extra = {"doc": doc or None, **more}
    return f"declare({_text(abbr)}, {_text(kind)}, {_text(name)}, {_lua(extra)})"


def _declarations(structure: Layout, document: Document) -> Iterator[str]:
    yield _declare(
        abbreviation("", structure.name), "none", structure.name, f"{structure.section} {structure.doc}"
    )
    for field in structure.fields:
        abbr = _name(structure.name, field)
        match field.kind:
            case Nested(structure=inner) if inner.name == field.name:
                continue  # declared with its structure
            case _ if field.structures or field.identifiers:
                yield _declare(abbr, "none", field.name, field.doc)
            case Integer() as number:
                yield _number(abbr, f"{structure.name}.{field.name}", field, number, document)
            case Flags(size=size, groups=groups):
                yield _declare(abbr, f"uint{size * 8}", field.name, field.doc, base="HEX")
                for group in groups:
                    path = f"{structure.name}.{field.name}.{group.name}"
                    yield _group(f"{abbr}.{group.name.lower()}", path, group, size, document)
            case Guid():
                yield _declare(abbr, "guid", field.name, field.doc)
            case Sequence():
                yield _declare(abbr, "uint64", field.name, field.doc, base="HEX")
            case Numbers() as number:
                yield _declare(
                    abbr, _integer_type(number), field.name, field.doc, base="DEC", properties=True
                )
            case Text():
                yield _declare(abbr, "string", field.name, field.doc)
            case _:
                yield _declare(abbr, "bytes", field.name, field.doc)


def _integer_type(kind: Integer | Numbers) -> str:
    return f"{'' if kind.format.islower() else 'u'}int{kind.size * 8}"


def _number(abbr: str, path: str, field: Field, kind: Integer, document: Document) -> str:
    unit = document.units.get(path)
    if unit and "date" in unit:
        return _declare(abbr, "absolute_time", field.name, field.doc)
    values = document.values.get(path, {})
    names: dict[int, str] = {}
    if kind.enumeration:
        names = document.enumerations[kind.enumeration] | values
    elif path not in document.open_values:
        names = values
    return _declare(
        abbr,
        _integer_type(kind),
        field.name,
        field.doc,
        base="HEX" if path in document.hexadecimal or kind.enumeration else "DEC",
        names=names or None,
        labels=None if names else values or None,
        unit=unit,
    )


def _group(abbr: str, path: str, group: Group, size: int, document: Document) -> str:
    values = document.values.get(path, {})
    is_open = path in document.open_values
    name = f"{group.name}, {group.doc.partition(';')[0]}"
    if group.width == 1 and not values:
        return _declare(abbr, "bool", name, group.doc, mask=group.mask, width=size * 8)
    return _declare(
        abbr,
        f"uint{size * 8}",
        name,
        group.doc,
        base="HEX" if group.width > 8 else "DEC",
        mask=group.mask,
        names=None if is_open else values or None,
        labels=(values or None) if is_open else None,
    )


# --------------------------------------------------------------------------------------------- structures


_ENDS = {EOF: "rest", NUL: "terminated"}


def _length(count: int | str | Count | Fill) -> dict[str, Any]:
    match count:
        case Count():
            return {"k": "counted", "path": _path(count.number), "per": count.per_unit}
        case Fill():
            sizes = [[_path(path), times] for path, times in count.sizes]
            return {"k": "fill", "boundary": count.boundary, "sizes": sizes, "more": count.more}
        case int():
            return {"k": "fixed", "n": count}
    return {"k": _ENDS[count]}


def _padding(alignment: Alignment) -> dict[str, Any]:
    return {
        "k": "aligned",
        "origin": alignment.origin,
        "boundary": alignment.boundary,
        "selector": _path(alignment.selector) if alignment.selector else None,
        "boundaries": dict(alignment.boundaries) or None,
        "cut_short": alignment.cut_short or None,
        "packed": dict.fromkeys(alignment.packed, True) or None,
        "before": alignment.before and alignment.before[1],
    }


def _field(owner: str, field: Field, document: Document) -> dict[str, Any]:
    row: dict[str, Any] = {"n": field.name, "p": _name(owner, field)}
    match field.kind:
        case Integer() as kind:
            row |= {"k": "i" if kind.format.islower() else "u", "z": kind.size}
        case Flags() as kind:
            groups = [[f"{row['p']}.{group.name.lower()}", group.shift, group.width] for group in kind.groups]
            row |= {"k": "flags", "z": kind.size, "g": groups}
        case Guid():
            row["k"] = "guid"
        case Sequence():
            row["k"] = "seq"
        case Numbers() as kind:
            row |= {"k": "numbers", "z": kind.size, "count": _path(kind.count.number)}
        case Values() as kind:
            row |= {"k": "values", "ids": kind.identifiers}
        case Bytes() as kind:
            row |= {"k": "bytes", "len": _length(kind.count)}
        case Padding() as kind:
            row |= {"k": "bytes", "len": _padding(kind.alignment)}
        case Text() as kind:
            row |= {"k": "text", "len": _length(kind.count)}
        case Nested() as kind:
            row |= {"k": "struct", "s": kind.structure.name}
        case Items() as kind:
            row |= {"k": "items", "s": kind.structure.name, "count": _path(kind.count.number)}
        case Choice() as kind:
            forms = {value: form.name if form else False for value, form in kind.forms.items()}
            row |= {"k": "choice", "sel": _path(kind.selector), "forms": forms}
        case kind:
            row |= {"k": "bytes", "len": _length(kind.least_size)}
    if field.present:
        numbers = [_path(path) for path in field.present.numbers]
        row["present"] = {"numbers": numbers, "value": field.present.value}
    if field.offset_in:
        number, origin = field.offset_in
        row["offset"] = {"path": _path(number), "origin": origin}
    if embedded := document.embedded.get(f"{owner}.{field.name}"):
        row["inside"] = {"s": embedded.structure, "begins": bytes.fromhex(embedded.begins)}
    if field.rival:
        sizes = ("size", "own", "rest", "room")
        row["rival"] = {name: getattr(field.rival, name) for name in sizes}
    return row | {"outside": field.outside or None, "known": field.known}


def _structure(structure: Layout, document: Document) -> Iterator[str]:
    extent = structure.extent
    head = {
        "name": structure.name,
        "section": structure.section,
        "least": structure.least_size,
        "fixed": structure.fixed_size,
        "extent": {"path": _path(extent.path), "multiple": extent.multiple} if extent else None,
    }
    groups = {
        field.name: {group.name: {"s": group.shift, "w": group.width} for group in field.groups}
        for field in structure.fields
        if field.groups
    }
    yield f"structure({_lua(head)}, {_lua(groups)}, {{"
    for field in structure.fields:
        yield f"  {_lua(_field(structure.name, field, document))},"
    rules = [
        _rule(row)
        for row in document.rules.get(structure.name, ())
        if row.is_numeric and row.level != "practice" and (not row.channels or "session" in row.channels)
    ]
    if rules:
        yield "}, {"
        yield from (f"  {_lua(row)}," for row in rules)
    yield "})"


def _comparison(row: Comparison) -> dict[str, Any]:
    value = row.value
    if isinstance(value, tuple) and row.operator != "within":
        value = dict.fromkeys(value, True)  # type: ignore[assignment]  # a set of Lua
    return {"path": _path(row.path), "op": row.operator, "value": value}


def _rule(row: Rule) -> dict[str, Any]:
    when = [_comparison(each) for each in row.when]
    return _comparison(row.holds) | {
        "id": row.requirement,
        "level": row.level,
        "words": row.allowed,
        "when": when or None,
    }


# ------------------------------------------------------------------------------------------------- tables

_INTRODUCTION = """\
-- ---------------------------------------------------------------------------------------------- tables

local DECLARED, STRUCTURES, PROPERTIES, VARTYPES = {}, {}, {}, {}

local function declare(abbr, kind, name, more)
  more.abbr, more.kind, more.name = abbr, kind, name
  DECLARED[#DECLARED + 1] = more
end

local function structure(head, groups, fields, rules)
  head.groups, head.fields, head.rules, head.names = groups, fields, rules, {}
  for _, field in ipairs(fields) do
    head.names[field.n] = field
    head.packs = head.packs or (field.len ~= nil and field.len.packed ~= nil)
  end
  STRUCTURES[head.name] = head
  STRUCTURES[#STRUCTURES + 1] = head
end

local VECTOR = 0x1000

local function vartype_name(number)
  if number < VECTOR then return VARTYPES[number] and VARTYPES[number].n or string.format("0x%x", number) end
  return "VT_VECTOR | " .. vartype_name(number - VECTOR)
end
"""


def _vartypes(document: Document) -> Iterator[str]:
    forms = {
        "VT_BSTR": "text",
        "VT_LPWSTR": "text",
        "VT_BLOB": "blob",
        "VT_CLSID": "guid",
        "VT_VARIANT": "variant",
    }
    least = {"text": 2, "blob": 4, "guid": 16, "variant": 2}
    yield _declare(f"{_PROPERTY}.count", "uint32", "Count", "elements or bytes", base="DEC")
    yield _declare(
        f"{_PROPERTY}.vartype", "uint16", "VARTYPE", "[MS-MQMQ] 2.2.12", base="HEX", names=document.vartypes
    )
    yield _declare(f"{_PROPERTY}.vt_vector_ui1", "bytes", "Bytes")
    rows = {}
    for number, name in document.vartypes.items():
        abbr = f"{_PROPERTY}.{name.lower()}"
        packed = FORMATS.get(number)
        row: dict[str, Any] = {"n": name, "p": abbr, "form": forms.get(name, "nothing")}
        if packed:
            signed = packed.format[-1].islower()
            row |= {"form": "number", "z": packed.size, "signed": signed, "least": packed.size}
            yield _declare(abbr, f"{'' if signed else 'u'}int{packed.size * 8}", name, base="DEC")
        elif row["form"] != "nothing":
            row["least"] = least[row["form"]]
            if row["form"] != "variant":
                kind = {"text": "string", "blob": "bytes", "guid": "guid"}[row["form"]]
                yield _declare(abbr, kind, name)
        rows[number] = row
    variant = next(number for number, row in rows.items() if row["form"] == "variant")
    del rows[variant]["p"]
    yield f"VARTYPES = {_lua(rows)}"
    byte = next(number for number, name in document.vartypes.items() if name == "VT_UI1")
    yield f"local BYTE = {byte}"


def tables(document: Document) -> str:
    """Return all tables as Lua."""
    packets, mark = document.packets, SIGNATURE.to_bytes(4, "little").decode()
    properties = {row.number: [row.name, row.vartype] for row in document.properties}
    lines = [_INTRODUCTION, *_vartypes(document)]
    lines += [f"PROPERTIES[{number}] = {_lua(row)}" for number, row in properties.items()]
    for structure in document.structures:
        lines += ["", *_declarations(structure, document), *_structure(structure, document)]
    lines += [
        "",
        f"local SENTENCES = {_lua(SENTENCES)}",
        f"local PORT, PING_PORT, FOREVER = {PORT}, {PING_PORT}, {FOREVER:#x}",
        f"local VERSION, MARK, MAX_PACKET_SIZE = {VERSION:#x}, {_lua(mark)}, {MAX_PACKET_SIZE:#x}",
        f"local INTERNAL = {_lua(packets.internal)}",
        f"local ORDER_LABEL = {_text(packets.acknowledgment_label.removesuffix(chr(0)))}",
        f"local OPERATIONS = {_lua(packets.operations)}",
        f"local DIRECTORY_QUEUES = {_lua(packets.directory_queues)}",
        f"local RETURNED = {_lua(packets.returned)}",
        f"local MESSAGE_CLASSES = {_lua(document.enumerations['MESSAGE_CLASS_VALUES'])}",
    ]
    return "\n".join(lines) + "\n"
