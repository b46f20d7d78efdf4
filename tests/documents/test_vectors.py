"""The frames of [MS-MQQB] 4.1: every field, and every byte back."""

from __future__ import annotations

from typing import Any

import pytest
from support_rows import for_each, table
from support_specs import Vector, load_vectors

import msmq_wire as mw
from msmq_wire import GUID, DecodeError, Record
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import Choice, Flags, Guid, Nested

VECTORS = table(load_vectors)
WHOLE = table(lambda: [vector for vector in VECTORS() if not vector.truncated])


def ids(vector: Vector) -> str:
    return vector.name


def shown(value: Any) -> object:
    """A field's value as the specs write it."""
    if isinstance(value, GUID):
        return str(value)
    return value.hex() if isinstance(value, bytes) else value


def flat(record: Any, prefix: str = "") -> dict[str, object]:
    """Every field of a record by its dotted path; a flags word is followed by its groups."""
    rows: dict[str, object] = {}
    for field in record.layout.fields:
        value = getattr(record, field.name)
        path = prefix + field.name
        if value is None:
            continue
        if isinstance(value, Record):
            rows |= flat(value, f"{path}.")
            continue
        rows[path] = shown(value)
        if isinstance(field.kind, Flags):
            rows[path] = int(value)
            rows |= {f"{path}.{group.name}": getattr(value, group.name) for group in field.kind.groups}
    return rows


def test_corpus() -> None:
    """All frames are there; an empty corpus proves nothing."""
    assert {vector.packet for vector in WHOLE()} == {
        "PingPacket",
        "EstablishConnection",
        "ConnectionParameters",
        "UserMessage",
        "SessionAck",
    }
    assert all(vector.data for vector in VECTORS())
    assert all(vector.fields for vector in WHOLE())
    assert [vector.name for vector in VECTORS() if vector.truncated] == ["frame-7-user-message-as-printed"]


@for_each("vector", WHOLE, ids=ids)
def test_fields(vector: Vector) -> None:
    """Each field holds what the table says, no row is left over, and no field but the empty ones."""
    record = Record.class_of(vector.packet).decode(vector.data)
    rows = flat(record)
    assert {path: rows[path] for path in vector.fields} == vector.fields
    unlisted = {path: value for path, value in rows.items() if path not in vector.fields}
    assert set(unlisted.values()) <= {""}


@for_each("vector", WHOLE, ids=ids)
def test_order(vector: Vector) -> None:
    """The rows stand in wire order, which is the order of the layout."""
    record = Record.class_of(vector.packet).decode(vector.data)
    assert [path for path in flat(record) if path in vector.fields] == list(vector.fields)


@for_each("vector", WHOLE, ids=ids)
def test_round_trip(vector: Vector) -> None:
    """The bytes come back, by the class and by the packet functions."""
    record = Record.class_of(vector.packet).decode(vector.data)
    assert record.encode() == vector.data
    assert mw.encode(record) == vector.data
    if vector.packet != "PingPacket":
        assert mw.decode(vector.data) == record
        lax = mw.decode_lax(vector.data)
        assert (lax.packet, lax.error, lax.rest) == (record, None, b"")


@for_each("vector", WHOLE, ids=ids)
def test_rebuilt(vector: Vector) -> None:
    """The classes build the same bytes out of the same values."""

    def rebuilt(record: Any) -> Any:
        values = {}
        for field in record.layout.fields:
            value = getattr(record, field.name)
            inner = isinstance(field.kind, (Nested, Choice)) and value is not None
            if isinstance(field.kind, Guid) and value is not None:
                value = str(value)
            values[field.name] = rebuilt(value) if inner else value
        return type(record)(**values)

    record = Record.class_of(vector.packet).decode(vector.data)
    assert rebuilt(record) == record
    assert rebuilt(record).encode() == vector.data


def test_frame_7_as_printed() -> None:
    """The dump stops in the middle of the body: the size that cannot be true is named."""
    (vector,) = (vector for vector in VECTORS() if vector.truncated)
    assert len(vector.data) == 1650
    for read in (mw.decode, mw.mqmq.UserMessage.decode):
        with pytest.raises(DecodeError) as caught:
            read(vector.data)
        error = caught.value
        assert error.problem == "expected a size of at most 1650 bytes, found 2224"
        assert error.structure == "BaseHeader"
        assert error.path == "UserMessage.BaseHeader.PacketSize"
        assert error.offset == 8
        assert error.expected == "at most 1650"
        assert error.actual == 2224
        assert error.limit == "buffer"
        assert str(error) == (
            "expected a size of at most 1650 bytes, found 2224 (limit: buffer)"
            " - at `UserMessage.BaseHeader.PacketSize`, byte 8"
        )


def test_frame_7_as_printed_lax() -> None:
    """A lax reader still shows what stands in front of the body that is cut off."""
    (vector,) = (vector for vector in VECTORS() if vector.truncated)
    completed = next(other for other in VECTORS() if other.completed)
    whole = mw.decode(completed.data)
    lax = mw.decode_lax(vector.data)
    assert lax.packet is None
    assert lax.headers == {
        name: getattr(whole, name) for name in ("BaseHeader", "UserHeader", "SecurityHeader")
    }
    assert lax.error is not None
    assert lax.error.path == "UserMessage.BaseHeader.PacketSize"
    assert lax.rest == vector.data[16 + 76 + 44 :]


def test_packet_names() -> None:
    """Every vector is of a structure that the layouts know."""
    assert {vector.packet for vector in VECTORS()} <= set(structures())
