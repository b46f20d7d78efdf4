"""Typed access to the TOML files under `specs`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "EVIDENCE",
    "PLACES",
    "SPECS",
    "AnnotatedVector",
    "Erratum",
    "Requirement",
    "Row",
    "ValueVector",
    "Vector",
    "load_annotated_vectors",
    "load_errata",
    "load_evidence",
    "load_requirements",
    "load_value_vectors",
    "load_vectors",
]

SPECS = Path(__file__).resolve().parents[2] / "specs"
EVIDENCE = ("published", "independent", "typed", "fault", "generated", "own")
"""Kinds of evidence, the best first, as `specs` explains."""
PLACES = ("decode", "encode", "validate", "session", "capture", "machine", "nowhere")
"""The parts of the code that can be responsible for a requirement, as `specs` explains."""


@dataclass(frozen=True, slots=True)
class Vector:
    """One packet of known content.

    Attributes:
        name: The unique name.
        section: The section of the documents with the packet.
        direction: Sender and receiver.
        transport: The transport protocol.
        packet: The name of the packet class.
        data: The bytes.
        fields: The value of each field by its dotted path, in wire order; empty for a truncated packet.
        provenance: Where the bytes and the values come from.
        truncated: Whether the bytes end before the packet does.
        completed: Whether bytes were added to those of the document.
        source: The name of the file.
    """

    name: str
    section: str
    direction: str
    transport: str
    packet: str
    data: bytes
    fields: dict[str, object]
    provenance: str
    truncated: bool
    completed: bool
    source: str


class Row(NamedTuple):
    """The bytes of one field.

    Attributes:
        path: The path of the field.
        offset: Where it starts in the packet.
        data: Its bytes.
    """

    path: str
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class AnnotatedVector:
    """One packet whose bytes were derived field by field.

    Attributes:
        name: The unique name.
        section: Where the packet is described.
        direction: Sender and receiver.
        transport: The transport protocol.
        packet: The name of the packet class.
        rows: The bytes of each field, in wire order.
        texts: Bytes that are text, each with the text.
        fields: The value of each field by its path, in wire order.
        notification: The contents of the text of a notification; empty for other packets.
        provenance: Where the bytes and the values come from.
        source: The name of the file.
    """

    name: str
    section: str
    direction: str
    transport: str
    packet: str
    rows: tuple[Row, ...]
    texts: tuple[tuple[bytes, str], ...]
    fields: dict[str, Any]
    notification: dict[str, Any]
    provenance: str
    source: str

    @property
    def data(self) -> bytes:
        """The whole packet."""
        return b"".join(row.data for row in self.rows)


@dataclass(frozen=True, slots=True)
class ValueVector:
    """One property value whose bytes were derived part by part.

    Attributes:
        name: The unique name.
        section: Where the form is described.
        type: The name of the variant type.
        number: The variant type.
        rows: The bytes of each part, in wire order.
        value: The wire value.
        natural: The Python value.
    """

    name: str
    section: str
    type: str
    number: int
    rows: tuple[Row, ...]
    value: Any
    natural: Any

    @property
    def data(self) -> bytes:
        """The whole value."""
        return b"".join(row.data for row in self.rows)


@dataclass(frozen=True, slots=True)
class Requirement:
    """One normative statement.

    Attributes:
        id: The unique identifier.
        document: The document that makes the statement.
        section: The section of that document.
        level: MUST, MUST NOT, SHOULD or SHOULD NOT.
        kind: The kind of check that the statement needs.
        subject: The subject of the statement.
        requirement: The requirement.
        checked: The responsible parts of the code, some of `PLACES`.
        why: The reason for these parts, or for none; can be empty.
        received: "refused" if decoding rejects received bytes that violate it; otherwise empty.
        same_as: Requirements with the same statement, whose rules and tests apply to this one, too.
        inseparable_from: Requirements that are violated whenever this one is.
        performed_by: Dotted paths of the code that performs it.
        proved_by: Node ids of tests that prove it and are not marked with its id.
        violated_by: A sequence of packets whose last one violates it, in the words of `session_packets.txt`.
        umbrella: Whether it only requires steps that have requirements of their own.
    """

    id: str
    document: str
    section: str
    level: str
    kind: str
    subject: str
    requirement: str
    checked: tuple[str, ...]
    why: str
    received: str
    same_as: tuple[str, ...]
    inseparable_from: tuple[str, ...]
    performed_by: tuple[str, ...]
    proved_by: tuple[str, ...]
    violated_by: str = ""
    umbrella: bool = False

    @property
    def absolute(self) -> bool:
        """Whether the level is MUST or MUST NOT."""
        return self.level.startswith("MUST")

    @property
    def testable(self) -> bool:
        """Whether a test can prove it: existing code is responsible for it."""
        return bool({"decode", "encode", "validate"}.intersection(self.checked) or self.performed_by)


@dataclass(frozen=True, slots=True)
class Erratum:
    """One conflict, gap or error of the documents.

    Attributes:
        id: The unique identifier.
        documents: The documents concerned.
        sections: The sections concerned, each with its document.
        changes_wire: Whether the choice of a reading changes bytes or what a strict decoder rejects.
        certainty: The kind of evidence for the interpretation.
        conflict: The contradiction.
        reading: The interpretation of this library.
        switchable: Whether implementations may follow either interpretation; None if unknown.
        evidence: The known behavior of implementations, with its source.
    """

    id: str
    documents: tuple[str, ...]
    sections: tuple[str, ...]
    changes_wire: bool
    certainty: str
    conflict: str
    reading: str
    switchable: bool | None
    evidence: tuple[str, ...]


@cache
def _content(path: Path, _changed: int) -> dict[str, Any]:
    """The contents of a file at a time."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.name}: {error}") from error


def _tables(
    pattern: str, key: str, specs: Path = SPECS
) -> Iterator[tuple[Path, dict[str, Any], dict[str, Any]]]:
    """Yield each table of an array of tables, with its file and the whole content of that file."""
    for path in sorted(specs.glob(pattern)):
        content = _content(path, path.stat().st_mtime_ns)
        for table in content.get(key, ()):
            yield path, content, table


def _rows(table: Iterable[list[str]]) -> tuple[Row, ...]:
    """Rows of path and bytes; neighbours with the same path are one field."""
    found: list[Row] = []
    offset = 0
    for path, shown, *_ in table:
        data = bytes.fromhex(shown)
        if found and found[-1].path == path:
            found[-1] = found[-1]._replace(data=found[-1].data + data)
        else:
            found.append(Row(path, offset, data))
        offset += len(data)
    return tuple(found)


def load_vectors() -> list[Vector]:
    """Read every golden vector that a document prints, in the order of file names and of each file."""
    return [
        Vector(
            name=table["name"],
            section=table["section"],
            direction=table["direction"],
            transport=table["transport"],
            packet=table["packet"],
            data=bytes.fromhex(table["hex"]),
            fields=table.get("fields", {}),
            provenance=table["provenance"],
            truncated=table.get("truncated", False),
            completed=table.get("completed", False),
            source=path.name,
        )
        for path, _, table in _tables("vectors/*.toml", "vector")
        if "hex" in table
    ]


def load_tcp_packets() -> dict[str, bytes]:
    """The whole packets of TCP sessions among the golden vectors, by name."""
    return {
        vector.name: vector.data
        for vector in load_vectors()
        if vector.transport.startswith("TCP") and not vector.truncated
    }


def load_annotated_vectors() -> list[AnnotatedVector]:
    """Read every golden vector that was derived field by field, in the same order."""
    return [
        AnnotatedVector(
            name=table["name"],
            section=table["section"],
            direction=table["direction"],
            transport=table["transport"],
            packet=table["packet"],
            rows=_rows(table["bytes"]),
            texts=tuple((bytes.fromhex(row[1]), row[2]) for row in table["bytes"] if len(row) > 2),
            fields=table["fields"],
            notification=table.get("notification", {}),
            provenance=table["provenance"],
            source=path.name,
        )
        for path, _, table in _tables("vectors/*.toml", "vector")
        if "bytes" in table
    ]


def load_value_vectors() -> list[ValueVector]:
    """Read every golden property value, in the same order."""
    return [
        ValueVector(
            name=table["name"],
            section=table["section"],
            type=table["type"],
            number=table["number"],
            rows=_rows(table["bytes"]),
            value=table.get("value"),
            natural=table.get("natural", table.get("value")),
        )
        for _, _, table in _tables("vectors/*.toml", "value")
    ]


def load_requirements(specs: Path = SPECS) -> list[Requirement]:
    """Read every normative statement, in the order of document names and within a document in its order."""
    own = ("id", "section", "level", "kind", "subject", "requirement")
    lists = ("checked", "same_as", "inseparable_from", "performed_by", "proved_by")
    optional = ("why", "received", "violated_by")
    found = []
    for path, content, table in _tables("requirements/*.toml", "requirement", specs):
        unknown = set(table) - {*own, *lists, *optional, "umbrella"}
        missing = [key for key in own if key not in table]
        if unknown or missing:
            said = f"unknown keys {sorted(unknown)}" if unknown else f"no {', '.join(missing)}"
            raise ValueError(f"{path.name}: {table.get('id', table)} has {said}")
        texts = {key: table.get(key, "") for key in optional}
        values: dict[str, Any] = {key: table[key] for key in own}
        values |= {key: tuple(table.get(key, ())) for key in lists}
        values["umbrella"] = table.get("umbrella", False)
        found.append(Requirement(document=content["document"], **texts, **values))
    return found


def load_evidence(specs: Path = SPECS) -> dict[str, str]:
    """Read what kind of evidence each test is, one of `EVIDENCE`, by its node id without parameters."""
    path = specs / "evidence.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    found = {test: kind for kind in EVIDENCE if kind in table for test in table[kind]["tests"]}
    named = tomllib.loads(path.with_name("faults.toml").read_text(encoding="utf-8")) if path.exists() else {}
    for fault in named.get("fault", ()):
        found.update((test, "fault") for test in fault["tests"] if test not in found)
    return found


def load_errata() -> list[Erratum]:
    """Read every erratum, in the order of the file."""
    return [
        Erratum(
            id=table["id"],
            documents=tuple(table["documents"]),
            sections=tuple(table["sections"]),
            changes_wire=table["changes_wire"],
            certainty=table["certainty"],
            conflict=table["conflict"],
            reading=table["reading"],
            switchable=table.get("switchable"),
            evidence=tuple(table.get("evidence", ())),
        )
        for _, _, table in _tables("errata.toml", "erratum")
    ]
