"""Typed access to the TOML files under `specs`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "SPECS",
    "Erratum",
    "Requirement",
    "Vector",
    "load_errata",
    "load_requirements",
    "load_vectors",
]

SPECS = Path(__file__).resolve().parent.parent / "specs"


@dataclass(frozen=True, slots=True)
class Vector:
    """One packet of known content.

    Attributes:
        name: The unique name.
        section: Where the packet stands in the documents.
        direction: Who sends it to whom.
        transport: What it travels over.
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


@dataclass(frozen=True, slots=True)
class Requirement:
    """One normative statement.

    Attributes:
        id: The unique identifier.
        document: The document that makes the statement.
        section: The section of that document.
        level: MUST, MUST NOT, SHOULD or SHOULD NOT.
        kind: What it takes to check the statement.
        subject: What the statement is about.
        requirement: What it demands.
        extra: The other keys of the table.
    """

    id: str
    document: str
    section: str
    level: str
    kind: str
    subject: str
    requirement: str
    extra: dict[str, object]


@dataclass(frozen=True, slots=True)
class Erratum:
    """One conflict, gap or error of the documents.

    Attributes:
        id: The unique identifier.
        documents: The documents concerned.
        sections: The sections concerned, each with its document.
        changes_wire: Whether the choice of a reading changes bytes or what a strict decoder rejects.
        certainty: What the reading rests on.
        conflict: What does not fit.
        reading: What this library does.
        switchable: Whether both readings may be met in the field; None where that was not judged.
    """

    id: str
    documents: tuple[str, ...]
    sections: tuple[str, ...]
    changes_wire: bool
    certainty: str
    conflict: str
    reading: str
    switchable: bool | None


def _tables(pattern: str, key: str) -> Iterator[tuple[Path, dict[str, Any], dict[str, Any]]]:
    """Yield each table of an array of tables, with its file and the whole content of that file."""
    for path in sorted(SPECS.glob(pattern)):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        for table in content[key]:
            yield path, content, table


def load_vectors() -> list[Vector]:
    """Read every golden vector, in the order of file names and within a file in its order."""
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
    ]


def load_requirements() -> list[Requirement]:
    """Read every normative statement, in the order of document names and within a document in its order."""
    own = ("id", "section", "level", "kind", "subject", "requirement")
    return [
        Requirement(
            document=content["document"],
            extra={key: value for key, value in table.items() if key not in own},
            **{key: table[key] for key in own},
        )
        for _, content, table in _tables("requirements/*.toml", "requirement")
    ]


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
        )
        for _, _, table in _tables("errata.toml", "erratum")
    ]
