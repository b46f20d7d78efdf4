"""Bytes of the second reader and bytes put together from the pages: each field, and every byte back.

1. The second reader of `specs/vectors/independent.jsonl.gz` was written from the documents alone.  What it
   reads in a vector is what is read here, field by field; what is read is written as the same bytes.
2. Every structure is met in bytes that the encoder of the package did not make.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support_outside import (
    ByHand,
    Outside,
    by_hand,
    independent,
    joined,
    leaves,
    parts_of_a_remote_read,
    said,
    structures_met,
)
from support_rows import for_each, table
from support_specs import load_requirements, load_vectors

import msmq_wire as mw
from msmq_wire import GUID, PropertyValue

if TYPE_CHECKING:
    from collections.abc import Iterator

VECTORS = table(independent)
REMARKS = {"form", "packet", "message", "Size", "Header", "KeyExchange"}
"""What it has beside the fields: names of forms, sizes that are no fields here, key blobs as a whole."""
UNREAD = {"bType", "bVersion", "reserved", "aiKeyAlg", "magic", "OperatingSystem", "Flags"}
"""Fields of which it has the parts, or only that they are right."""


def alike(ours: Any, theirs: Any) -> bool:
    """Whether values are the same; it has texts as bytes, with or without a terminator."""
    if isinstance(ours, str) and ours != theirs:
        text = bytes.fromhex(theirs).decode("utf-16-le", "surrogatepass")
        return text.removesuffix("\0") == ours.removesuffix("\0")
    return bool(ours == theirs)


@for_each("vector", VECTORS)
def test_each_field_and_every_byte(vector: Outside) -> None:
    assert vector.record.encode() == vector.data
    ours, theirs = dict(leaves(vector.record)), dict(said(vector.fields))
    theirs = {path.replace(".Bits", ".Flags"): value for path, value in theirs.items()}
    for path, value in ours.items():
        if path in theirs:
            assert alike(value, theirs[path]), (path, value, theirs[path])
        elif value not in ("", 0):
            assert path.rpartition(".")[2] in UNREAD, path
    for path, value in theirs.items():
        if path not in ours and value not in ("", 0):
            assert path.rpartition(".")[2] in REMARKS or ".value[" in path, path


def inner(record: Any) -> Iterator[mw.Record]:
    """The records within a record, those in lists too."""
    for field in record.layout.fields:
        held = getattr(record, field.name)
        for one in held if isinstance(held, tuple) else (held,):
            if isinstance(one, mw.Record):
                yield one
                yield from inner(one)


PARTS = table(
    lambda: [
        (name, data, part)
        for name, data, record in (
            *((vector.name, vector.data, vector.record) for vector in VECTORS()),
            *(
                (row.name, row.data, mw.decode(row.data, row.packet))
                for row in load_vectors()
                if not row.truncated
            ),
        )
        if isinstance(record, mw.Record)
        for part in inner(record)
        if not part.layout.scoped
    ]
)


@for_each("structure", lambda: sorted({part.layout.name for _, _, part in PARTS()}))
def test_each_part_alone(structure: str) -> None:
    """A structure within others is read and written by itself as it stands in them."""
    for name, data, part in PARTS():
        if part.layout.name == structure:
            alone = part.encode()
            assert alone in data, name
            assert mw.decode(alone, structure) == part, name


@for_each("vector", by_hand)
def test_structures_by_hand(vector: ByHand) -> None:
    record = mw.decode(vector.data, vector.structure)
    assert record.encode() == vector.data
    for name, value in vector.fields.items():
        held = getattr(record, name)
        shown = held.hex() if isinstance(held, bytes) else str(held) if isinstance(held, GUID) else held
        assert (shown.removesuffix("\0") if isinstance(shown, str) else shown) == value, name


def test_a_message_of_a_remote_read_is_its_parts() -> None:
    """The second reader has each part, and no whole that can be read."""
    packet: Any = joined()
    assert packet.encode() == b"".join(part.data for part in parts_of_a_remote_read())
    for part in parts_of_a_remote_read():
        assert getattr(packet, part.kind) == part.record


def test_every_structure_is_met_in_bytes_of_others() -> None:
    assert [name for name, origins in structures_met().items() if not origins] == []


# ------------------------------------------------------------------------------------ what is disregarded


def _disregarded() -> list[Any]:
    """Requirements on fields that receivers disregard, each with a vector where such a field is not zero."""
    found = []
    valid = [vector for vector in VECTORS() if vector.verdict == "valid"]
    fields = [
        (vector, [*said(vector.fields)]) for vector in valid if not isinstance(vector.record, PropertyValue)
    ]
    for row in load_requirements():
        if "decode" not in row.checked or not row.why.startswith("any value is read"):
            continue
        structure, _, path = row.subject.partition(".")
        for vector, values in fields:
            held = [(where, value) for where, value in values if _is(vector, where, structure, path)]
            if any(value not in (0, "", "0" * len(str(value))) for _, value in held):
                mark = pytest.mark.requirement(row.id)
                found.append(pytest.param(vector, structure, path, id=row.id, marks=mark))
                break
    return found


def _is(vector: Outside, where: str, structure: str, path: str) -> bool:
    """Whether a path is that of a field of a structure."""
    alone = {"Ping": "PingPacket"}.get(vector.kind, vector.kind) == structure and where == f".{path}"
    return alone or where.endswith(f".{structure}.{path}")


@for_each(("vector", "structure", "path"), _disregarded)
def test_what_receivers_disregard_is_read_whatever_it_holds(
    vector: Outside, structure: str, path: str
) -> None:
    """The second reader takes such a value; it is read, kept and written, and no rule forbids it."""
    held = {where: value for where, value in leaves(vector.record) if _is(vector, where, structure, path)}
    assert held == {where: value for where, value in said(vector.fields) if where in held}
    assert any(held.values())
    assert vector.record.encode() == vector.data
    found = [item for item in mw.validate(vector.record, "must") if item.path.endswith(f".{path}")]
    assert found == []
