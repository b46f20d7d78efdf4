"""Bytes that were not made by the encoder of the package, with independent readings of them and our own."""

from __future__ import annotations

import gzip
import json
import tomllib
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from support_specs import SPECS, load_annotated_vectors, load_vectors

import msmq_wire as mw
from msmq_wire import GUID, PropertyValue, Record, mqcn, mqdsrp
from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.propid import vartype_name
from msmq_wire.records.model import Flags

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "ByHand",
    "Outside",
    "by_hand",
    "independent",
    "joined",
    "leaves",
    "parts_of_a_remote_read",
    "said",
    "structures_met",
]

_KINDS = {
    "Ping": "PingPacket",
    "OrderAckPacket": "OrderAck",
    "FinalAckPacket": "FinalAck",
    "SessionPacket": None,
}
_PASSED_OVER = (
    "SecurityData", "FormatName", "ConnectionParametersHeader", "EstablishConnectionHeader", "BLOBHEADER",
)  # fmt: skip
"""Structures of ours whose fields the second reader has in the structure around them."""


class Outside(NamedTuple):
    """A vector of the second reader.

    Attributes:
        name: The name in the second reader.
        kind: Its structure there.
        verdict: ``valid``, or ``violation`` if it reports a violated rule.
        data: The bytes.
        record: The result of the package: a record or a property value.
        fields: The result of the second reader.
    """

    name: str
    kind: str
    verdict: str
    data: bytes
    record: Any
    fields: dict[str, Any]


def _read(kind: str, data: bytes) -> Any:
    if kind.startswith("PROPVALUE("):
        return PropertyValue.decode(sum(int(VARTYPE[part]) for part in kind[10:-1].split("|")), data)
    if kind == "ReplicationMessage":
        return mqdsrp.decode(data)
    if kind == "ChangeNotificationMessage":
        return mqcn.decode(data)
    return mw.decode(data, _KINDS.get(kind, kind))


@cache
def independent() -> tuple[Outside, ...]:
    """Every vector that both readers can read; the second one reports violated rules in some."""
    lines = gzip.decompress((SPECS / "vectors" / "independent.jsonl.gz").read_bytes()).splitlines()
    found = []
    for row in map(json.loads, lines):
        data = bytes.fromhex(row["hex"])
        if row["verdict"] == "undecodable":
            continue
        try:
            record = _read(row["kind"], data)
        except mw.DecodeError:
            if row["verdict"] == "valid":
                raise
            continue  # a violation is rejected here, and the second reader continues
        found.append(Outside(row["name"], row["kind"], row["verdict"], data, record, row["fields"]))
    return tuple(found)


def parts_of_a_remote_read() -> tuple[Outside, ...]:
    """A message, and one of each header that follows it in a remote read."""
    kinds = ("UserMessage", "ExtensionHeader", "SubqueueHeader", "DeadLetterHeader", "ExtendedAddressHeader")
    return tuple(next(row for row in independent() if row.kind == kind) for kind in kinds)


def joined() -> Record:
    """These packets back to back, which the second reader has separately."""
    return mw.decode(b"".join(part.data for part in parts_of_a_remote_read()), "MessagePacket")


class ByHand(NamedTuple):
    """A structure whose bytes were put together from its page.

    Attributes:
        structure: Its name.
        data: The bytes.
        fields: Values of its fields; bytes as hex.
    """

    structure: str
    data: bytes
    fields: dict[str, Any]


@cache
def by_hand() -> tuple[ByHand, ...]:
    """The structures of `structures.toml`."""
    table = tomllib.loads((SPECS / "vectors" / "structures.toml").read_text("utf-8"))
    return tuple(
        ByHand(row["structure"], bytes.fromhex("".join(piece for _, piece in row["bytes"])), row["fields"])
        for row in table["structure"]
    )


def said(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The values of the second reader by path; names with an underscore are its remarks, except for flags."""
    if isinstance(value, dict):
        for name, item in value.items():
            if name == "_Flags":
                yield f"{path}.Flags", item
            elif name == "Flags" and isinstance(item, dict):
                yield from ((f"{path}.Flags.{group}", number) for group, number in item.items())
            elif not name.startswith("_"):
                yield from said(item, f"{path}.{name}")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from said(item, f"{path}[{at}]")
    elif value is not None:
        yield path, value


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The values of a record in the form of the second reader, by the same paths."""
    if isinstance(value, Record):
        for field in value.layout.fields:
            held = getattr(value, field.name)
            inner = path if field.name in _PASSED_OVER else f"{path}.{field.name}"
            if isinstance(field.kind, Flags):
                yield inner, int(held)
                for group in field.kind.groups:
                    yield f"{inner}.{group.name}", int(getattr(held, group.name))
            elif held is not None:
                yield from leaves(held, inner)
    elif isinstance(value, PropertyValue):
        yield f"{path}.vt", vartype_name(value.vt).replace(" ", "")
        yield from leaves(value.value, f"{path}.value")
    elif isinstance(value, tuple) and not isinstance(value, GUID):
        for at, item in enumerate(value):
            yield from leaves(item, f"{path}[{at}]")
    elif isinstance(value, mw.SEQUENCE_NUMBER):
        yield path, f"{int(value):016x}"
    elif isinstance(value, bytes):
        yield path, value.hex()
    else:
        yield path, str(value) if isinstance(value, GUID) else value


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, Record):
        yield value.layout.name
        for field in value.layout.fields:
            yield from _names(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _names(item)


def structures_met() -> dict[str, Counter[str]]:
    """How many vectors of which origin have each structure, alone or within another."""
    found: dict[str, Counter[str]] = {name: Counter() for name in structures()}
    origins = {
        "printed": [mw.decode(row.data, row.packet) for row in load_vectors() if not row.truncated],
        "derived": [
            *(_read(row.packet, row.data) for row in load_annotated_vectors()),
            *(mw.decode(row.data, row.structure) for row in by_hand()),
        ],
        "independent": [*(row.record for row in independent()), joined()],
    }
    for origin, records in origins.items():
        for record in records:
            for name in {*_names(record)} & set(found):
                found[name][origin] += 1
    return found
