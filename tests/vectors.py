"""The vectors for readers in other languages: ``python tests/vectors.py [--check]`` writes or checks them.

1. One JSON document, packed, and its schema: `FILE` and `SCHEMA`.
2. What stands in it of bytes is what the library says of them; each group says where its bytes come from.
3. Fields are rows of path, offset, size and number.  Of what is no number, the bytes at that place are the
   value: a text as UTF-16LE, a GUID as it stands on the wire.
"""

# ruff: noqa: E402  # run as a program, it finds the package first

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tomllib
import warnings
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal

import msgspec

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "support"), str(ROOT / "tests")]

from hypothesis import Phase, find, settings
from support_specs import SPECS, load_annotated_vectors, load_value_vectors, load_vectors

import msmq_wire as mw
from msmq_wire import mqcn, mqdsrp
from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.documents.layouts import structures
from msmq_wire.exports.layouts import as_json
from msmq_wire.exports.layouts import schema as json_schema
from msmq_wire.records.model import Flags, Integer
from msmq_wire.records.record import diagnostic_reader, encode_record, record_class
from msmq_wire.testing import BENDABLE, bent_packets, mutate, samples

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FILE", "SCHEMA", "Document", "Vector", "origins", "read", "schema", "stale", "vector_of"]

FILE = SPECS / "vectors.json.gz"
SCHEMA = SPECS / "vectors.schema.json"
_DAMAGED = {"packet": 240, "replication": 60, "notification": 40}
_KINDS = {
    "OrderAckPacket": "packet",
    "FinalAckPacket": "packet",
    "SessionPacket": "packet",
    "Ping": "PingPacket",
}


class Violation(msgspec.Struct, frozen=True):
    """A requirement that the bytes break, and how strict the document is."""

    requirement: str
    level: Literal["must", "should"]


class Refusal(msgspec.Struct, frozen=True):
    """Why bytes cannot be read: the field, its offset, and the requirement that says so, if one does."""

    field: str
    offset: int | None
    requirement: str | None = None


class Vector(msgspec.Struct, frozen=True, omit_defaults=True):
    """Some bytes and what is to be said of them.

    Attributes:
        name: Unique within its group.
        structure: What the bytes are: a structure of the layouts, or ``packet``, ``replication`` or
            ``notification`` where they tell which of several it is, or ``property value``.
        bytes: Hexadecimal.
        result: ``valid``; ``violates`` for what can be read and breaks requirements; ``unreadable``.
        channel: Where they are taken to have been met, which some requirements depend on.
        vartype: The type of a property value.
        reads_as: The structure that they turned out to be.
        fields: Path, offset, size and number of each field that was read; null for what is no number.
        violations: The requirements that they break.
        refusal: Why they cannot be read.
        flags: What the vector is about, explained in the notes.
        comment: What it is, in words.
    """

    name: str
    structure: str
    bytes: str
    result: Literal["valid", "violates", "unreadable"]
    channel: Literal["session", "remote-read", "directory"] = "session"
    vartype: int | None = None
    reads_as: str = ""
    fields: tuple[tuple[str, int, int, int | None], ...] = ()
    violations: tuple[Violation, ...] = ()
    refusal: Refusal | None = None
    flags: tuple[str, ...] = ()
    comment: str = ""


class Group(msgspec.Struct, frozen=True):
    """Vectors of one origin."""

    name: str
    source: str
    vectors: tuple[Vector, ...]


class Document(msgspec.Struct, frozen=True):
    """All vectors.

    Attributes:
        format: Version of this form; it changes when a reader has to.
        count: How many vectors there are.
        notes: What the flags mean.
        groups: The vectors by their origin.
    """

    format: int
    count: int
    notes: dict[str, str]
    groups: tuple[Group, ...]


_NOTES = {
    "Bent": "breaks the one requirement that is its name",
    "Completed": "bytes were added to those of the document",
    "Damaged": "made from a sound packet by a change of the kind that the comment names",
    "FaultClass": "of a class of faults that was published for readers of this protocol",
    "Independent": "made by a reader that was written from the documents alone",
    "Published": "printed in a document",
    "Seen": "published by others, captured or sent by known tools",
    "Truncated": "the document prints only the beginning",
}


def _channel(structure: str) -> Any:
    if structure in {"replication", "notification"}:
        return "directory"
    known = structures().get(structure)
    return "remote-read" if known is not None and known.document == "MS-MQRR" else "session"


def _decoded(structure: str, data: bytes, vartype: int | None) -> Any:
    if structure == "property value":
        assert vartype is not None
        return mw.PropertyValue.decode(vartype, data)
    known: dict[str, Any] = {"packet": mw.decode, "replication": mqdsrp.decode, "notification": mqcn.decode}
    return known[structure](data) if structure in known else record_class(structure).decode(data)


def _rows(layout: Any, data: bytes) -> Iterator[tuple[str, int, int, int | None]]:
    if layout.scoped:
        return
    reader = diagnostic_reader(data)
    reader.read(layout, 0, len(data))
    for piece in reader.spans[1:]:
        kind = piece.field and piece.field.kind
        number = int(piece.value) if isinstance(kind, (Integer, Flags)) else None
        yield piece.path, piece.offset, piece.size, number
        if isinstance(kind, Flags):
            for group in kind.groups:
                yield f"{piece.path}.{group.name}", piece.offset, piece.size, getattr(piece.value, group.name)


def vector_of(  # what a vector has is given by name
    name: str,
    structure: str,
    data: bytes,
    *,
    vartype: int | None = None,
    flags: tuple[str, ...] = (),
    comment: str = "",
) -> Vector:
    """The vector of some bytes, with what the library says of them."""
    channel = _channel(structure)
    given = {"channel": channel, "vartype": vartype, "flags": flags, "comment": comment}
    try:
        record = _decoded(structure, data, vartype)
    except mw.DecodeError as error:
        refusal = Refusal(error.path, error.offset, error.requirement)
        return Vector(name, structure, data.hex(), "unreadable", refusal=refusal, **given)
    if vartype is not None:
        return Vector(name, structure, data.hex(), "valid", **given)
    found = mw.validate(record, level="should", channel=channel)
    violations = tuple(sorted({(item.requirement, item.level) for item in found}))
    acknowledges = record.layout.name in {"OrderAck", "FinalAck"}
    layout = structures()["UserMessage"] if acknowledges else record.layout
    return Vector(
        name,
        structure,
        data.hex(),
        "violates" if violations else "valid",
        reads_as=record.layout.name,
        fields=tuple(_rows(layout, data)),
        violations=tuple(Violation(one, level) for one, level in violations if level != "practice"),
        **given,
    )


# ------------------------------------------------------------------------------------------------ origins


def _documents() -> Iterator[Vector]:
    for row in load_vectors():
        flags = (
            "Published",
            *(["Truncated"] if row.truncated else []),
            *(["Completed"] if row.completed else []),
        )
        yield vector_of(
            row.name, row.packet, row.data, flags=flags, comment=f"{row.section}: {row.provenance.strip()}"
        )
    for one in load_annotated_vectors():
        yield vector_of(one.name, one.packet, one.data, comment=f"{one.section}: {one.provenance.strip()}")
    for value in load_value_vectors():
        data = b"".join(part.data for part in value.rows)
        yield vector_of(value.name, "property value", data, vartype=value.number, comment=value.section)


def _published() -> Iterator[Vector]:
    rows = tomllib.loads((SPECS / "vectors" / "published.toml").read_text("utf-8"))["published"]
    for row in rows:
        structure = "BaseHeader" if row.get("packet") == "BaseHeader" else "packet"
        yield vector_of(
            row["name"],
            structure,
            bytes.fromhex(row["hex"]),
            flags=("Seen",),
            comment=row["provenance"].strip(),
        )


def _faults() -> Iterator[Vector]:
    sys.path.append(str(ROOT / "tests" / "packets"))
    tests = import_module("test_fault_classes")  # it has the bases
    for row in tests.FAULTS:
        structure = "packet" if tests.BASES[row["start"]][0] is mw.decode else "DirectoryChange"
        yield vector_of(
            row["name"], structure, tests.hostile(row), flags=("FaultClass",), comment=row["class"]
        )


def _independent() -> Iterator[Vector]:
    names: set[str] = set()
    for line in gzip.decompress((SPECS / "vectors" / "independent.jsonl.gz").read_bytes()).splitlines():
        row = json.loads(line)
        kind, vartype = row["kind"], None
        if kind.startswith("PROPVALUE("):
            vartype = sum(int(VARTYPE[part]) for part in kind[10:-1].split("|"))
            kind = "property value"
        structure = {**_KINDS, "ReplicationMessage": "replication"}.get(kind, kind)
        name = row["name"] if row["name"] not in names else f"{row['name']} ({kind})"
        names.add(name)
        data = bytes.fromhex(row["hex"])
        yield vector_of(name, structure, data, vartype=vartype, flags=("Independent",), comment=row["why"])


def _bent() -> Iterator[Vector]:
    quick = settings(max_examples=40, database=None, deadline=None, phases=[Phase.generate])
    for requirement in sorted(BENDABLE):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _, record = find(bent_packets(requirement), lambda _: True, settings=quick, random=Random(0))  # noqa: S311  # no secrets
        try:
            data = encode_record(record)
        except mw.EncodeError:
            continue
        if not record.layout.scoped:
            packet = record.layout.name in {"UserMessage", "OrderAck", "FinalAck"}
            yield vector_of(requirement, "packet" if packet else record.layout.name, data, flags=("Bent",))


def _damaged() -> Iterator[Vector]:
    for kind, count in _DAMAGED.items():
        sound = samples(kind)
        for seed in range(count):
            mutant = mutate(
                sound[seed % len(sound)], seed, kind=None if kind == "packet" else kind, max_size=4096
            )
            comment = f"{mutant.mutation} {mutant.path or ''}".strip()
            yield vector_of(f"{kind}-{seed}", kind, mutant.data, flags=("Damaged",), comment=comment)


ORIGINS = {
    "documents": (
        "Packets that the documents print, and those derived from their layouts field by field.",
        _documents,
    ),
    "published": ("Packets that others published.", _published),
    "faults": ("Classes of faults, by hand.", _faults),
    "independent": ("A second reader of the documents, with its own packets.", _independent),
    "bent": ("One packet or structure for each requirement that can be broken alone.", _bent),
    "damaged": ("Sound packets and messages with one change each.", _damaged),
}


def origins(*, drawn: bool = True) -> tuple[Group, ...]:
    """The vectors by their origin, made anew, with those that are drawn at random or without them."""
    return tuple(
        Group(name, source, tuple(origin()))
        for name, (source, origin) in ORIGINS.items()
        if drawn or origin is not _bent
    )


def document() -> Document:
    """All vectors, made anew."""
    groups = origins()
    return Document(1, sum(len(group.vectors) for group in groups), _NOTES, groups)


def schema() -> str:
    """The text of the JSON Schema."""
    return as_json(json_schema(Document))


def read() -> Document:
    """The committed vectors."""
    return msgspec.json.decode(gzip.decompress(FILE.read_bytes()), type=Document)


def stale(group: Group) -> list[str]:
    """Names of the vectors of which the library no longer says what stands there."""
    return [
        row.name
        for row in group.vectors
        if vector_of(
            row.name,
            row.structure,
            bytes.fromhex(row.bytes),
            vartype=row.vartype,
            flags=row.flags,
            comment=row.comment,
        )
        != row
    ]


def main() -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a vector is stale")
    if parser.parse_args().check:
        wrong = [f"{group.name}: {name}" for group in read().groups for name in stale(group)]
        print("\n".join(wrong) or "nothing is stale")  # noqa: T201  # a command
        return 1 if wrong else 0
    found = document()
    FILE.write_bytes(gzip.compress(msgspec.json.encode(found), mtime=0))
    SCHEMA.write_text(schema(), "utf-8")
    print(f"{found.count} vectors, {FILE.stat().st_size:,} bytes packed")  # noqa: T201  # as above
    return 0


if __name__ == "__main__":
    sys.exit(main())
