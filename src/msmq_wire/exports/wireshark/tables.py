"""Generates the tables of the dissector: Wireshark fields, and structures for the reader."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

from msmq_wire.exports import description as form
from msmq_wire.values.properties.types import FORMATS
from msmq_wire.values.refusals import SENTENCES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.exports.description import Description, Field, Group, Structure

__all__ = ["abbreviation", "tables"]

_NUMBER = "msmq.property"


def abbreviation(owner: str, field: str) -> str:
    """Return the name of a field for display filters."""
    return ".".join(part for part in ("msmq", owner, field) if part).lower()


def _name(owner: str, field: Field) -> str:
    """Return the name for a field of the description; a part with the name of its structure has one name."""
    inner = isinstance(field.kind, form.Nested) and field.kind.structure == field.name
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


def _names(field: Field, enumerations: dict[str, dict[int, str]]) -> dict[int, str]:
    kind = field.kind
    known = dict(field.values)
    if isinstance(kind, form.Integer) and kind.enumeration:
        known = enumerations[kind.enumeration] | known
    return known


def _declarations(structure: Structure, enumerations: dict[str, dict[int, str]]) -> Iterator[str]:
    yield _declare(
        abbreviation("", structure.name), "none", structure.name, f"{structure.section} {structure.doc}"
    )
    for field in structure.fields:
        abbr = _name(structure.name, field)
        match field.kind:
            case form.Nested(structure=name) if name == field.name:
                continue  # declared with its structure
            case form.Nested() | form.Items() | form.Choice() | form.Values():
                yield _declare(abbr, "none", field.name, field.doc)
            case form.Integer(size=size, signed=signed):
                names = _names(field, enumerations) if field.all_values or field.kind.enumeration else {}
                labels = None if names else dict(field.values) or None
                if "date" in field.unit:
                    yield _declare(abbr, "absolute_time", field.name, field.doc)
                    continue
                base = "HEX" if field.hexadecimal or field.kind.enumeration else "DEC"
                kind = f"{'' if signed else 'u'}int{size * 8}"
                yield _declare(
                    abbr,
                    kind,
                    field.name,
                    field.doc,
                    base=base,
                    names=names or None,
                    labels=labels,
                    unit=field.unit or None,
                )
            case form.Flags(size=size, groups=groups):
                yield _declare(abbr, f"uint{size * 8}", field.name, field.doc, base="HEX")
                for group in groups:
                    yield _group(f"{abbr}.{group.name.lower()}", group, size)
            case form.Guid():
                yield _declare(abbr, "guid", field.name, field.doc)
            case form.Sequence():
                yield _declare(abbr, "uint64", field.name, field.doc, base="HEX")
            case form.Numbers(size=size):
                yield _declare(abbr, f"uint{size * 8}", field.name, field.doc, base="DEC", properties=True)
            case form.Bytes():
                yield _declare(abbr, "bytes", field.name, field.doc)
            case form.Text():
                yield _declare(abbr, "string", field.name, field.doc)


def _group(abbr: str, group: Group, size: int) -> str:
    mask = (1 << group.width) - 1 << group.shift
    name = f"{group.name}, {group.doc.partition(';')[0]}"
    if group.width == 1 and not group.values:
        return _declare(abbr, "bool", name, group.doc, mask=mask, width=size * 8)
    return _declare(
        abbr,
        f"uint{size * 8}",
        name,
        group.doc,
        base="HEX" if group.width > 8 else "DEC",
        mask=mask,
        names=dict(group.values) if group.all_values else None,
        labels=None if group.all_values else dict(group.values) or None,
    )


# --------------------------------------------------------------------------------------------- structures


def _length(length: form.Length) -> dict[str, Any]:
    match length:
        case form.Fixed():
            return {"k": "fixed", "n": length.bytes}
        case form.Counted():
            return {"k": "counted", "path": _path(length.number), "per": length.per_unit}
        case form.Fill():
            sizes = [[_path(path), times] for path, times in length.sizes]
            return {"k": "fill", "boundary": length.boundary, "sizes": sizes, "more": length.more}
        case form.Rest():
            return {"k": "rest"}
        case form.Terminated():
            return {"k": "terminated"}
        case form.Aligned():
            return {
                "k": "aligned",
                "origin": length.origin,
                "boundary": length.boundary,
                "selector": _path(length.selector) if length.selector else None,
                "boundaries": dict(length.boundaries) or None,
                "cut_short": length.cut_short or None,
                "packed": dict.fromkeys(length.packed, True) or None,
                "before": length.before and length.before[1],
            }


def _field(owner: str, field: Field) -> dict[str, Any]:
    row: dict[str, Any] = {"n": field.name, "p": _name(owner, field)}
    match field.kind:
        case form.Integer() as kind:
            row |= {"k": "i" if kind.signed else "u", "z": kind.size}
        case form.Flags() as kind:
            groups = [[f"{row['p']}.{group.name.lower()}", group.shift, group.width] for group in kind.groups]
            row |= {"k": "flags", "z": kind.size, "g": groups}
        case form.Guid():
            row["k"] = "guid"
        case form.Sequence():
            row["k"] = "seq"
        case form.Numbers() as kind:
            row |= {"k": "numbers", "z": kind.size, "count": _path(kind.count.number)}
        case form.Values() as kind:
            row |= {"k": "values", "ids": kind.identifiers}
        case form.Bytes() as kind:
            row |= {"k": "bytes", "len": _length(kind.length)}
        case form.Text() as kind:
            row |= {"k": "text", "len": _length(kind.length)}
        case form.Nested() as kind:
            row |= {"k": "struct", "s": kind.structure}
        case form.Items() as kind:
            row |= {"k": "items", "s": kind.structure, "count": _path(kind.count.number)}
        case form.Choice() as kind:
            forms = {value: name or False for value, name in kind.forms.items()}
            row |= {"k": "choice", "sel": _path(kind.selector), "forms": forms}
    if field.present:
        numbers = [_path(path) for path in field.present.numbers]
        row["present"] = {"numbers": numbers, "value": field.present.value}
    if field.offset:
        row["offset"] = {"path": _path(field.offset.number), "origin": field.offset.origin}
    if field.inside:
        row["inside"] = {"s": field.inside.structure, "begins": bytes.fromhex(field.inside.begins)}
    if field.rival:
        sizes = ("size", "own", "rest", "room")
        row["rival"] = {name: getattr(field.rival, name) for name in sizes}
    return row | {"outside": field.outside or None, "known": field.known}


def _structure(structure: Structure) -> Iterator[str]:
    extent = structure.extent
    head = {
        "name": structure.name,
        "section": structure.section,
        "least": structure.least_size,
        "fixed": structure.fixed_size,
        "extent": {"path": _path(extent.number), "multiple": extent.multiple} if extent else None,
    }
    groups = {
        field.name: {group.name: {"s": group.shift, "w": group.width} for group in field.kind.groups}
        for field in structure.fields
        if isinstance(field.kind, form.Flags)
    }
    yield f"structure({_lua(head)}, {_lua(groups)}, {{"
    for field in structure.fields:
        yield f"  {_lua(_field(structure.name, field))},"
    rules = [
        _rule(row)
        for row in structure.rules
        if row.is_numeric and row.level != "practice" and (not row.channels or "session" in row.channels)
    ]
    if rules:
        yield "}, {"
        yield from (f"  {_lua(row)}," for row in rules)
    yield "})"


def _comparison(row: form.Comparison) -> dict[str, Any]:
    value = row.value
    if isinstance(value, tuple) and row.operator != "within":
        value = dict.fromkeys(value, True)  # type: ignore[assignment]  # a set of Lua
    return {"path": _path(row.path), "op": row.operator, "value": value}


def _rule(row: form.Rule) -> dict[str, Any]:
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
    head.names[field.n] = true
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


def _vartypes(description: Description) -> Iterator[str]:
    forms = {
        "VT_BSTR": "text",
        "VT_LPWSTR": "text",
        "VT_BLOB": "blob",
        "VT_CLSID": "guid",
        "VT_VARIANT": "variant",
    }
    least = {"text": 2, "blob": 4, "guid": 16, "variant": 2}
    yield _declare(f"{_NUMBER}.count", "uint32", "Count", "elements or bytes", base="DEC")
    yield _declare(
        f"{_NUMBER}.vartype", "uint16", "VARTYPE", "[MS-MQMQ] 2.2.12", base="HEX", names=description.vartypes
    )
    yield _declare(f"{_NUMBER}.vt_vector_ui1", "bytes", "Bytes")
    rows = {}
    for number, name in description.vartypes.items():
        abbr = f"{_NUMBER}.{name.lower()}"
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
    byte = next(number for number, name in description.vartypes.items() if name == "VT_UI1")
    yield f"local BYTE = {byte}"


def tables(description: Description) -> str:
    """Return all tables as Lua."""
    packets = description.packets
    properties = {row.number: [row.name, row.vartype] for row in description.properties}
    lines = [_INTRODUCTION, *_vartypes(description)]
    lines += [f"PROPERTIES[{number}] = {_lua(row)}" for number, row in properties.items()]
    for structure in description.structures:
        lines += ["", *_declarations(structure, description.enumerations), *_structure(structure)]
    lines += [
        "",
        f"local SENTENCES = {_lua(SENTENCES)}",
        f"local INTERNAL = {_lua(packets.internal)}",
        f"local ORDER_LABEL = {_text(packets.acknowledgment_label.removesuffix(chr(0)))}",
        f"local OPERATIONS = {_lua(packets.operations)}",
        f"local DIRECTORY_QUEUES = {_lua(packets.directory_queues)}",
        f"local RETURNED = {_lua(packets.returned)}",
        f"local MESSAGE_CLASSES = {_lua(description.enumerations['MESSAGE_CLASS_VALUES'])}",
    ]
    return "\n".join(lines) + "\n"
