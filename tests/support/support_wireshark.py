"""The fields that tshark finds with the dissector, and those that the library finds, in the same form."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import shutil
import struct
import subprocess
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.documents import mqcn, mqdsrp, mqmq, mqqb, mqrr, user_message  # noqa: F401  # they register their records
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import (
    Bytes,
    Choice,
    Flags,
    Items,
    Nested,
    Numbers,
    Padding,
    Text,
    Values,
)
from msmq_wire.records.record import diagnostic_reader, record_class
from msmq_wire.values.errors import DecodeError, left_over
from msmq_wire.values.properties.values import PropertyValue
from msmq_wire.views.known_values import EMBEDDED
from msmq_wire.wireshark import path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from msmq_wire.records.spans import FieldSpan

__all__ = [
    "FIELDS",
    "TSHARK",
    "Layer",
    "as_shown",
    "captured",
    "differences",
    "exported",
    "fields_of",
    "run",
    "same",
    "why_not",
]

TSHARK = shutil.which("tshark")


@cache
def why_not() -> str:
    """Why the tshark of this machine cannot load the dissector; empty if it can."""
    assert TSHARK is not None
    listed = [TSHARK, "-G", "protocols", "-X", f"lua_script:{path()}"]
    if b"msmq" not in subprocess.run(listed, capture_output=True, check=True).stdout:
        return "this tshark loads no scripts when the administrator runs it"
    return ""


# ------------------------------------------------------------------------------------------- input


def _tag(number: int, value: bytes) -> bytes:
    padded = value + bytes(-len(value) % 4)
    return struct.pack(">HH", number, len(padded)) + padded


def exported(target: Path, packets: Iterable[tuple[str, bytes]]) -> Path:
    """Write a capture whose frames name the structure that they are, or ``msmq`` for a stream's bytes."""
    numbers = {name: number for number, name in enumerate(structures(), 1)}
    frames = []
    for name, data in packets:
        if name == "msmq":
            head = _tag(12, b"msmq")
        else:
            head = _tag(14, b"msmq.structure") + _tag(32, struct.pack(">I", numbers[name]))
        frame = head + bytes(4) + data
        frames.append(struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame)
    target.write_bytes(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 0x1000000, 252) + b"".join(frames))
    return target


# ------------------------------------------------------------------------------------------- tshark


class Layer(NamedTuple):
    """The fields of one packet in the output of tshark.

    Attributes:
        way: Addresses and ports, if the frame has them.
        fields: Its fields in order: name and value as text.
        frame: Number of the frame.
    """

    way: tuple[str, ...]
    fields: list[tuple[str, str]]
    frame: int

    def all(self, name: str) -> list[str]:
        """The values of a field."""
        return [value for key, value in self.fields if key == name]


def run(*arguments: str | Path) -> str:
    """Run tshark with the dissector of this tree and with no other settings.

    Returns:
        The output.
    """
    assert TSHARK
    done = subprocess.run(
        [TSHARK, "-X", f"lua_script:{path()}", "-n", *map(str, arguments)],
        capture_output=True,
        check=False,
        env={**os.environ, "WIRESHARK_CONFIG_DIR": "/nonexistent", "TZ": "UTC"},
    )
    errors = done.stderr.decode("utf-8", "replace")
    assert "Lua" not in errors, errors
    assert done.returncode == 0, errors
    return done.stdout.decode("utf-8", "replace")


def _flat(pairs: Any) -> Iterator[tuple[str, str]]:
    for key, value in pairs:
        if isinstance(value, list):
            yield from _flat(value)
        else:
            yield key, value


def captured(capture: Path, *arguments: str) -> list[Layer]:
    """Every MSMQ layer of a capture, in order."""
    text = run("-r", capture, "-T", "json", "-J", "msmq ip ipv6 tcp udp frame", *arguments)
    layers = []
    for packet in json.loads(text, object_pairs_hook=list):
        shown = dict(dict(packet)["_source"])["layers"]
        flat = list(_flat(pairs for pairs in [shown] for pairs in pairs))
        facts = dict(reversed(flat))
        way = tuple(facts.get(name, facts.get(other, "")) for name, other in _WAY)
        layers += [
            Layer(way, list(_flat(fields)), int(facts["frame.number"]))
            for key, fields in shown
            if key == "msmq" and isinstance(fields, list)
        ]
    return layers


_WAY = (
    ("ip.src", "ipv6.src"),
    ("tcp.srcport", "udp.srcport"),
    ("ip.dst", "ipv6.dst"),
    ("tcp.dstport", "udp.dstport"),
)


# ------------------------------------------------------------------------------------------ library


def fields_of(name: str, data: bytes) -> list[tuple[str, Any]]:
    """Every field that the library reads in a structure, and in the structures within its bytes, in order.

    Raises:
        DecodeError: The bytes are not such a structure.
    """
    reader = diagnostic_reader(data)
    layout = structures()["UserMessage" if name in {"OrderAck", "FinalAck"} else name]
    _, after = reader.read(layout, 0, len(data))
    if after != len(data):
        raise left_over(name, after, len(data))
    found: list[tuple[str, Any]] = []
    for piece in reader.spans:
        found += _of_piece(name, piece, data)
    return found


def _of_piece(packet: str, piece: FieldSpan, data: bytes) -> Iterator[tuple[str, Any]]:
    if piece.field is None:
        if isinstance(piece.value, PropertyValue):
            yield from _of_value(piece.value)
        return
    kind = piece.field.kind
    if isinstance(kind, (Nested, Choice)) or (piece.size == 0 and isinstance(kind, (Bytes, Padding, Text))):
        return
    name = f"msmq.{piece.structure.name}.{piece.field.name}".lower()
    match kind:
        case Flags():
            yield name, int(piece.value)
            for group in kind.groups:
                yield f"{name}.{group.name.lower()}", getattr(piece.value, group.name)
        case Numbers():
            for number in piece.value:
                yield name, number
        case _:
            yield name, piece.value
    if isinstance(kind, Bytes):
        yield from _inside(packet, piece, data)


def _inside(packet: str, piece: FieldSpan, data: bytes) -> Iterator[tuple[str, Any]]:
    """The fields of the structure that some bytes hold."""
    assert piece.field
    place = f"{piece.structure.name}.{piece.field.name}"
    whole = place if packet == "UserMessage" else f"{packet}.{piece.path.partition('.')[2]}"
    name, begins = EMBEDDED.get(whole, EMBEDDED.get(place, ("", b"")))
    held = piece.cut(data)
    if place == "MessagePropertiesHeader.MessageBody" and packet == "UserMessage":
        found = record_class("UserMessage").decode(data)
        try:
            inner = getattr(found, "directory_message", None)
        except DecodeError:
            inner = None
        name, begins = (inner.layout.name if inner is not None else ""), b""
    if name and held.startswith(begins):
        try:
            yield from fields_of(name, held)
        except DecodeError:
            return


def _of_value(value: PropertyValue) -> Iterator[tuple[str, Any]]:
    names = {0x41: "vt_blob", 0x1011: "vt_vector_ui1"}
    if value.vt in names:
        yield "msmq.property.count", len(value.value)
        if value.value:
            yield f"msmq.property.{names[value.vt]}", value.value
    elif value.vt & 0x1000:
        yield "msmq.property.count", len(value.value)
        for element in value.value:
            if isinstance(element, PropertyValue):
                yield "msmq.property.vartype", element.vt
                yield from _of_value(element)
            else:
                yield from _of_value(PropertyValue(value.vt & ~0x1000, element))
    elif value.value is not None:
        yield f"msmq.property.{VARTYPE(value.vt).name.lower()}", value.value


# ------------------------------------------------------------------------------------------- comparing

_DATE = re.compile(r"(\w{3} {1,2}\d{1,2}, \d{4} \d\d:\d\d:\d\d)\.0+ UTC")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.0+Z")
"""Dates of Wireshark before 4.6, and since."""


def same(shown: str, value: Any) -> bool:
    """Whether a text of tshark equals a value of the library."""
    if isinstance(value, bool):
        return shown in {"1", "True"} if value else shown in {"0", "False"}
    if isinstance(value, int):
        date = _DATE.fullmatch(shown)
        if date:
            moment = dt.datetime.strptime(date[1], "%b %d, %Y %H:%M:%S").replace(tzinfo=dt.UTC)
            return int(moment.timestamp()) == value
        if _ISO_DATE.fullmatch(shown):
            return int(dt.datetime.fromisoformat(shown).timestamp()) == value
        if shown in {"True", "False"}:
            return value == (shown == "True")
        return int(shown, 0) == value
    if isinstance(value, bytes):
        return bytes.fromhex(shown.replace(":", "")) == value
    if isinstance(value, str):
        return shown == value
    if type(value).__name__ == "SEQUENCE_NUMBER":
        return int(shown, 0) == int(value)
    return shown == str(value)


def as_shown(value: Any) -> Any:
    """A value of the library in the form of Wireshark.

    A text of Wireshark is UTF-8 and ends at a null character: a terminator that a length includes, and the
    characters after a null character, are not part of it, and a surrogate without its other half is U+FFFD;
    so are U+FFFE and U+FFFF, which no XML has.
    """
    if not isinstance(value, str):
        return value
    return re.sub("[\ud800-\udfff\ufffe\uffff]", "\ufffd", value.partition("\0")[0])


def differences(layer: Layer, wanted: Iterable[tuple[str, Any]]) -> list[tuple[str, Any, Any]]:
    """The fields in which tshark and the library differ: name, value of the library, text of tshark."""
    expected: dict[str, list[Any]] = {}
    for name, value in wanted:
        expected.setdefault(name, []).append(as_shown(value))
    shown: dict[str, list[str]] = {}
    for name, text in layer.fields:
        shown.setdefault(name, []).append(text)
    found: list[tuple[str, Any, Any]] = []
    for name, values in expected.items():
        texts = shown.pop(name, [])
        if len(texts) != len(values):
            found.append((name, values, texts))
        else:
            found += [
                (name, value, text)
                for value, text in zip(values, texts, strict=True)
                if not same(text, value)
            ]
    # Fields that only Wireshark has: parts, readings and properties by name have no value of their own.
    found += [
        (name, None, texts)
        for name, texts in shown.items()
        if name in FIELDS and any(text != "" for text in texts)
    ]
    return found


FIELDS = {
    f"msmq.{structure.name}.{field.name}{group}".lower()
    for structure in structures().values()
    for field in structure.fields
    if not isinstance(field.kind, (Nested, Choice, Items, Values))
    for group in ("", *(f".{one.name}" for one in getattr(field.kind, "groups", ())))
}
"""Every field of the library that has a value, by its name in Wireshark."""
