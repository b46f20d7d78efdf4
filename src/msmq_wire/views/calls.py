"""The structures of remote calls as dictionaries and as listings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.ndr.model import Array, Embedded, Guid, Packed, Pointer, Scalar, String, Structure, Union
from msmq_wire.ndr.record import NdrRecord, hold_stream
from msmq_wire.ndr.structures import structures
from msmq_wire.ndr.transfer import Octets, Reader
from msmq_wire.records.record import Record
from msmq_wire.records.registry import CLASSES
from msmq_wire.values.enumerations import QUEUE_FORMAT_TYPE, QUEUE_SUFFIX_TYPE, SectionType
from msmq_wire.values.errors import DecodeError, EncodeError, kept, left_over
from msmq_wire.values.guid import GUID
from msmq_wire.values.plain import know, octets, refuse, rooted

from . import texts
from .listing import Line, columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.ndr.model import Type
    from msmq_wire.values.limits import Limits

INDEX = re.compile(r"\[(\d+)\]")
"""The number of an element in a path."""
_SHOWN = 8
_NAMES = {
    "QUEUE_FORMAT.m_qft": QUEUE_FORMAT_TYPE,
    "PROPVARIANT.vt": VARTYPE,
    "SectionBuffer.SectionBufferType": SectionType,
}


def call_class(kind: Any) -> type[NdrRecord] | None:
    """Return the record class for a class or a name; None if remote calls have no such structure."""
    if isinstance(kind, str):
        return CLASSES[kind] if kind in structures() else None
    return (
        kind if isinstance(kind, type) and issubclass(kind, NdrRecord) and hasattr(kind, "layout") else None
    )


# ------------------------------------------------------------------------------------------ dictionaries


def to_plain(value: Any) -> Any:
    """Convert a record, or a value in one, to JSON types."""
    if isinstance(value, NdrRecord):
        return {field.name: to_plain(getattr(value, field.name)) for field in value.layout.fields}
    if isinstance(value, Record):
        return value._plain()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    return str(value) if isinstance(value, GUID) else value


def from_plain(cls: Any, plain: Any, path: str) -> Any:
    """Convert a dictionary to a record.

    Args:
        cls: The record class.
        plain: A result of `to_plain`, or a dictionary of the same form.
        path: The path of the record, for errors.

    Raises:
        EncodeError: A key is unknown, or a value has the wrong type or does not fit.
    """
    layout: Structure = cls.layout
    if not isinstance(plain, dict):
        refuse(layout.name, path, plain, f"a dictionary of the fields of {layout.name}")
    know(layout.name, path, plain, [field.name for field in layout.fields])
    given = {}
    for field in layout.fields:
        value = plain.get(field.name)
        if value is None:
            continue
        kind: Any = field.type
        if isinstance(kind, Union):
            selected = plain.get(kind.selector)
            arm = kind.arms.get(selected) if isinstance(selected, int) else None
            if arm is None:
                problem = f"is given, but {kind.selector} selects no form for it"
                raise EncodeError(
                    problem, structure=layout.name, path=f"{path}.{field.name}", actual=selected
                )
            kind = arm.type
        given[field.name] = _held(kind, value, layout.name, f"{path}.{field.name}")
    return rooted(lambda: cls(**given), layout.name, path)


def _held(kind: Type | String | Array, value: Any, structure: str, path: str) -> Any:
    """Convert a value to a type that the constructor accepts."""
    match kind:
        case Scalar() if not isinstance(value, int) or isinstance(value, bool):
            refuse(structure, path, value, "a whole number")
        case String() | Guid() if not isinstance(value, str):
            refuse(structure, path, value, "text")
        case Packed():
            return CLASSES[kind.name]._from_plain(value, path)
        case Embedded():
            return from_plain(CLASSES[kind.name], value, path)
        case Pointer():
            return _held(kind.to, value, structure, path)
        case Array(element=Scalar(size=1)):
            return octets(structure, path, value)
        case Array():
            if not isinstance(value, (list, tuple)):
                refuse(structure, path, value, "a list")
            return tuple(
                None if item is None else _held(kind.element, item, structure, f"{path}[{index}]")
                for index, item in enumerate(value)
            )
    return value


# -------------------------------------------------------------------------------------------- listings


def explain_call(raw: bytes, cls: type[NdrRecord], *, max_elements: int, limits: Limits) -> Iterator[str]:
    """Yield the lines of a listing of NDR, in the order of the octets."""
    pieces: list[Octets] = []
    reader = Reader(raw, 0, limits, ms_union=False, pieces=pieces)
    error = None
    try:
        hold_stream(len(raw), limits, cls.layout.name)
        reader.read(cls.layout.name)
        if reader.left:
            error = left_over(cls.layout.name, reader.pos, len(raw))
    except DecodeError as caught:
        error = kept(caught)
    lines = list(_lines(pieces, raw, max_elements, limits.fields))
    if reader.read_to < len(raw):
        lines.append(Line(reader.read_to, texts.size(len(raw) - reader.read_to), 0, "(not read)"))
    yield from columns(lines, len(raw))
    if error:
        yield ""
        yield f"error: {texts.escape(str(error))}"


def _lines(pieces: list[Octets], raw: bytes, most: int, room: int) -> Iterator[Line]:
    hidden: list[Octets] = []
    shown = 0
    for piece in pieces:
        beyond = any(int(index) >= most for index in INDEX.findall(piece.path))
        if beyond or shown >= room:
            hidden.append(piece)
            continue
        yield from _more(hidden)
        hidden.clear()
        shown += 1
        yield _line(piece, raw)
    yield from _more(hidden)


def _more(hidden: list[Octets]) -> Iterator[Line]:
    if hidden:
        start, end = hidden[0].offset, max(piece.offset + piece.size for piece in hidden)
        name = INDEX.sub("", hidden[0].path.partition(".")[2].partition("[")[0])
        yield Line(start, texts.size(end - start), 1, f"{name}[..]", "... more")


def _line(piece: Octets, raw: bytes) -> Line:
    data = raw[piece.offset : piece.offset + piece.size]
    root, _, name = piece.path.partition(".")
    if piece.what == "structure":
        section = structures()[piece.value].section
        shown = section if not name else f"{piece.value}  {section}"
        size = texts.size(piece.size) if piece.size else "truncated"
        return Line(piece.offset, size, bool(name), name or root, shown, "", not name)
    octets = texts.hex_bytes(data)
    if piece.what == "gap":
        return Line(piece.offset, octets, 1, "(gap)")
    if piece.what == "pointer":
        meaning = "pointer" if piece.value else "pointer to nothing"
        return Line(piece.offset, octets, 1, name, f"{piece.value:#x}", meaning)
    if piece.what == "selector":
        return Line(piece.offset, octets, 1, name, f"{piece.value:#x}", "copy of the selector")
    if piece.what == "count":
        if isinstance(piece.value, tuple):
            room, start, count = piece.value
            return Line(
                piece.offset, octets, 1, name, str(count), f"WCHARs from {start} on in a room of {room}"
            )
        return Line(piece.offset, octets, 1, name, str(piece.value), "elements")
    return Line(piece.offset, octets, 1, name, *_described(piece))


def _described(piece: Octets) -> tuple[str, str]:
    """Return the value and the meaning of a field."""
    value = piece.value
    if isinstance(value, str):
        return texts.quote(value), ""
    if isinstance(value, bytes):
        return texts.preview(value), ""
    if isinstance(value, tuple):
        shown = ", ".join(map(str, value[:_SHOWN]))
        return f"{shown}, ... {len(value) - _SHOWN:,} more" if len(value) > _SHOWN else shown, ""
    if isinstance(value, Record):
        return texts.escape(repr(value)), ""
    if isinstance(value, GUID):
        return str(value), ""
    if piece.path.endswith(".m_SuffixAndFlags"):
        suffix = [item.name for item in QUEUE_SUFFIX_TYPE if item == value & 0xF]
        return f"{value:#x}", ", ".join([*suffix, *(["system queue"] if value & 0x80 else [])])
    names = _NAMES.get(".".join(_owner(piece.path)))
    if names is not None:
        base = int(value) & ~VARTYPE.VT_VECTOR if names is VARTYPE else int(value)
        matching = [item.name for item in names if item == base]
        vector = ["VT_VECTOR"] if names is VARTYPE and value & VARTYPE.VT_VECTOR else []
        return f"{value:#x}", " | ".join([*matching, *vector])
    return str(value), ""


def _owner(path: str) -> tuple[str, str]:
    """Return the structure that a field is in, if names depend on it, and the field."""
    start, _, field = path.rpartition(".")
    return ("PROPVARIANT" if field == "vt" else start.partition(".")[0]), field
