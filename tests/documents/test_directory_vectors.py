"""The derived messages of the directory protocols and the derived property values.

What is expected of a message that breaks off is worked out from the annotated rows alone: the first row that
does not fit, unless a count in front of it says already that what it counts cannot fit.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from support_rows import for_each, table
from support_specs import AnnotatedVector, Row, ValueVector, load_annotated_vectors, load_value_vectors
from support_values import property_value

from msmq_wire import GUID, DecodeError, Record, mqcn, mqdsrp
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.notification_text import parse_notification
from msmq_wire.documents.propid import VARTYPE
from msmq_wire.records.model import Choice, Nested
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.values.errors import in_bytes
from msmq_wire.values.properties.values import PropertyValue, register_type, unregister_type
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VECTORS = table(load_annotated_vectors)
REPLICATION = table(lambda: [vector for vector in VECTORS() if vector.source == "mqdsrp.toml"])
NOTIFICATIONS = table(lambda: [vector for vector in VECTORS() if vector.source == "mqcn.toml"])
UPDATES = table(lambda: [vector for vector in NOTIFICATIONS() if not vector.notification])
TEXTS = table(lambda: [vector for vector in NOTIFICATIONS() if vector.notification])
VALUES = table(load_value_vectors)

# What the parts of a path are instances of, where the part's name is not the structure's.
PARTS = {
    "DirectoryChanges": "DirectoryChange",
    "PartitionSeqNumbers": "PARTITION_SEQ_NUMBERS",
    "Updates": "NotificationUpdate",
    "Data": "NotificationUpdates",
}
# Arrays, their counts, and the bytes of the smallest element: [MC-MQDSRP] 2.2.4 without name and identifier
# (1 + 1 + 16 + 3 * 8 + 1), [MS-MQCN] 2.2.6 likewise, and [MC-MQDSRP] 2.2.3 (16 + 8 + 8).
ARRAYS = {
    ("ChangePropagationMessage", "DirectoryChanges"): ("Count", 43),
    ("ChangePropagationMessage", "SeqNumberHeader.PartitionSeqNumbers"): ("SeqNumberHeader.Count", 32),
    ("SyncReplyMessage", "DirectoryChanges"): ("SyncReplyHeader.Count", 43),
    ("ChangeNotificationMessage", "Data.Updates"): ("NumberOfUpdateNotifications", 43),
}
HEADER_SIZE = 18
TRAILERS = (b"\x01", b"\0", b"\0\0", bytes(43), b"abc")


def named(vector: AnnotatedVector | ValueVector) -> str:
    return vector.name


def type_name(number: int) -> str:
    """A variant type as the specs write it."""
    name = VARTYPE(number & 0xFFF).name
    return f"{name} | VT_VECTOR" if number & 0x1000 else name


def shown(value: Any) -> Any:
    """A value as the specs write it."""
    match value:
        case GUID() | SEQUENCE_NUMBER():
            return str(value)
        case bytes():
            return value.hex()
        case PropertyValue(vt=vt, value=None):
            return {"type": type_name(vt)}
        case PropertyValue(vt=vt, value=inner):
            return {"type": type_name(vt), "value": shown(inner)}
        case tuple():
            return [shown(item) for item in value]
    return value


def flat(record: Any, prefix: str = "") -> dict[str, Any]:
    """Every field of a record by its path."""
    rows: dict[str, Any] = {}
    for field in record.layout.fields:
        value = getattr(record, field.name)
        path = prefix + field.name
        if isinstance(value, Record):
            rows |= flat(value, f"{path}.")
        elif isinstance(value, tuple) and value and isinstance(value[0], Record):
            for index, item in enumerate(value):
                rows |= flat(item, f"{path}[{index}].")
        elif isinstance(value, tuple) and (not value or isinstance(value[0], PropertyValue)):
            rows |= {f"{path}[{index}]": shown(item) for index, item in enumerate(value)}
            if hasattr(field.kind, "size"):
                rows[path] = []
        elif value is not None:
            rows[path] = shown(value)
    return rows


def codec(vector: AnnotatedVector) -> Any:
    """The module that reads such messages; its functions are looked up by name."""
    return mqdsrp if vector in REPLICATION() else mqcn


def read(vector: AnnotatedVector) -> Any:
    """The record of a message."""
    return Record.class_of(vector.packet).decode(vector.data)


def test_corpus() -> None:
    """An empty corpus proves nothing."""
    assert all((REPLICATION(), UPDATES(), TEXTS(), VALUES()))
    assert {vector.packet for vector in VECTORS()} <= set(structures())
    operations = {vector.data[HEADER_SIZE - 1] for vector in REPLICATION()}
    assert operations == set(range(8))


# ------------------------------------------------------------------------------------------- whole messages


@for_each("vector", VECTORS, ids=named)
def test_fields(vector: AnnotatedVector) -> None:
    """Each field holds what the table says, in wire order, and there is no other."""
    rows = flat(read(vector))
    assert rows == vector.fields
    assert list(rows) == list(vector.fields)


@for_each("vector", VECTORS, ids=named)
def test_round_trip(vector: AnnotatedVector) -> None:
    """The bytes come back, by the class and by the functions of the protocol."""
    record = read(vector)
    module = codec(vector)
    assert record.encode() == module.encode(record) == vector.data
    for data in (vector.data, bytearray(vector.data), memoryview(vector.data)):
        found = module.decode(data)
        assert found == record
        assert type(found) is Record.class_of(vector.packet)
        lax = module.decode_lax(data)
        assert (lax.packet, lax.error, lax.rest) == (record, None, b"")
        assert list(lax.headers) == [field.name for field in record.layout.fields]


@for_each("vector", REPLICATION, ids=named)
def test_changes(vector: AnnotatedVector) -> None:
    """The changes come one at a time as they come together."""
    record = read(vector)
    alone = getattr(record, "DirectoryChange", None)
    together = getattr(record, "DirectoryChanges", () if alone is None else (alone,))
    assert tuple(mqdsrp.iter_changes(vector.data)) == together


@for_each("vector", VECTORS, ids=named)
def test_the_diagnostic_reader_finds_each_offset(vector: AnnotatedVector) -> None:
    """The diagnostic reader finds each field at its offset with its size, and no other."""
    reader = diagnostic_reader(vector.data)
    record, end = reader.read(structures()[vector.packet], 0, len(vector.data))
    assert (record, end) == (read(vector), len(vector.data))
    fields = [piece for piece in reader.spans if piece.value is not None]
    found = [(piece.path, piece.offset, piece.size) for piece in fields]
    assert found == [(f"{vector.packet}.{row.path}", row.offset, len(row.data)) for row in vector.rows]
    assert [shown(piece.value) for piece in fields] == list(vector.fields.values())


def parameters(record: Any, *, derived: bool) -> dict[str, Any]:
    """What a caller gives to make a record again, with or without what follows from the rest."""
    follow = set()
    if not derived:
        follow = {"UseGuid", "NumberOfProperties", "Count", "NumberOfUpdateNotifications", "PSCNameOffset"}
        follow |= {"Operation", "Version"}
    given = {}
    for field in record.layout.fields:
        value = getattr(record, field.name)
        if isinstance(field.kind, (Nested, Choice)):
            value = type(value)(**parameters(value, derived=derived))
        elif isinstance(value, tuple) and value and isinstance(value[0], Record):
            value = [type(item)(**parameters(item, derived=derived)) for item in value]
        elif isinstance(value, (GUID, SEQUENCE_NUMBER)):
            value = str(value)
        if field.name not in follow:
            given[field.name] = value
    return given


@pytest.mark.parametrize("derived", [True, False])
@for_each("vector", VECTORS, ids=named)
def test_rebuilt(vector: AnnotatedVector, derived: bool) -> None:
    """The classes build the same bytes from the same values, whether counts and the like are given or not."""
    record = read(vector)
    made = type(record)(**parameters(record, derived=derived))
    assert made == record
    assert made.encode() == vector.data


@for_each("vector", TEXTS, ids=named)
def test_notification(vector: AnnotatedVector) -> None:
    """What a notification says."""
    body = read(vector).Data
    said = {name: shown(getattr(body, name)) for name in ("event", "object_guid", "domain_controller")}
    assert said == vector.notification
    parsed = parse_notification(body.Text)
    assert (parsed.event, str(parsed.object_guid), parsed.domain_controller) == tuple(said.values())
    assert parsed.end == len(body.Text)


# -------------------------------------------------------------------------------------------- cut messages


class Place(NamedTuple):
    """Where an error is expected; `size` only for a field whose size does not depend on its bytes."""

    path: str
    structure: str
    offset: int
    size: int | None = None


def place_of(vector: AnnotatedVector, row: Row) -> Place:
    """The place of a row."""
    path = f"{vector.packet}.{row.path}"
    parent = path.split(".")[-2].partition("[")[0]
    structure = PARTS.get(parent, parent)
    variable = row.path.endswith("Name") or "PropertyValue" in row.path
    return Place(path, structure, row.offset, None if variable else len(row.data))


def broken(vector: AnnotatedVector, length: int) -> Place | None:
    """What is wrong with the first bytes of a message, if anything."""
    rows = {row.path: row for row in vector.rows}
    entered = set()
    for row in vector.rows:
        for (packet, array), (count, least) in ARRAYS.items():
            if packet == vector.packet and row.path.startswith(f"{array}[") and array not in entered:
                entered.add(array)
                if row.offset + vector.fields[count] * least > length:
                    return place_of(vector, rows[count])._replace(size=None)
        if row.path in {"Data.Unused", "Data.Text"}:
            break
        if row.offset + len(row.data) > length:
            return place_of(vector, row)
    return None


def check(error: DecodeError, expected: Place, length: int) -> None:
    """Structure, path, offset, and the numbers where bytes do not fit."""
    assert (error.path, error.structure, error.offset) == expected[:3]
    assert error.limit == "buffer"
    if expected.size is not None:
        left = length - expected.offset
        assert (error.expected, error.actual) == (expected.size, left)
        assert error.problem == f"expected {in_bytes(expected.size)}, found {left}"


def refused(function: Callable[[bytes], Any], data: bytes) -> DecodeError:
    """The error that a function raises for some bytes."""
    with pytest.raises(DecodeError) as caught:
        function(data)
    assert caught.value.problem
    return caught.value


@for_each("vector", REPLICATION, ids=named)
def test_every_prefix(vector: AnnotatedVector) -> None:
    """Each prefix is refused by the first field that does not fit, or the count that says too much."""
    cls = Record.class_of(vector.packet)
    for length in range(len(vector.data)):
        data = vector.data[:length]
        expected = broken(vector, length)
        assert expected is not None
        check(refused(cls.decode, data), expected, length)
        if length < HEADER_SIZE:
            # Before the operation is known the header stands for itself.
            tail = expected.path.rpartition(".")[2]
            expected = expected._replace(path=f"BaseReplicationHeader.{tail}")
        error = refused(mqdsrp.decode, data)
        check(error, expected, length)
        assert str(refused(lambda raw: list(mqdsrp.iter_changes(raw)), data)) == str(error)
        lax = mqdsrp.decode_lax(data)
        assert lax.packet is None
        assert str(lax.error) == str(error)
        assert data.endswith(lax.rest)


@for_each("vector", UPDATES, ids=named)
def test_every_prefix_of_updates(vector: AnnotatedVector) -> None:
    """The same for notifications of version 1; only the byte after the updates may be missing."""
    end = vector.rows[-1].offset
    cls = Record.class_of(vector.packet)
    for length in range(len(vector.data)):
        data = vector.data[:length]
        expected = broken(vector, length)
        assert (expected is None) == (length >= end)
        if expected is None:
            assert mqcn.decode(data).encode() == cls.decode(data).encode() == data
            continue
        error = refused(cls.decode, data)
        check(error, expected, length)
        assert str(refused(mqcn.decode, data)) == str(error)
        assert str(mqcn.decode_lax(data).error) == str(error)


def tokens(text: str) -> list[str]:
    """The parts of a notification that are read at once, without the terminator."""
    parts = re.findall(r"<[^>]*>|[^<\0]+", text)
    assert "".join(parts) == text.rstrip("\0")
    assert len(parts) == 11
    # The name of the server and the tag after it are one part, because it ends where the tag begins.
    return [*parts[:8], parts[8] + parts[9], parts[10]]


@for_each("vector", TEXTS, ids=named)
def test_every_prefix_of_texts(vector: AnnotatedVector) -> None:
    """The same for notifications of version 2, whose text says what is missing."""
    (start,) = (row.offset for row in vector.rows if row.path == "Data.Text")
    parts = tokens(vector.fields["Data.Text"])
    cls = Record.class_of(vector.packet)
    for length in range(len(vector.data)):
        data = vector.data[:length]
        expected = broken(vector, length)
        assert (expected is None) == (length >= start)
        if expected is not None:
            check(refused(cls.decode, data), expected, length)
        else:
            # The record takes any text, and any byte after it.
            assert cls.decode(data).encode() == data
            at = start
            for part in parts:
                if at + 2 * len(part) > length:
                    expected = Place("ChangeNotificationMessage.Data.Text", "NotificationBody", at)
                    break
                at += 2 * len(part)
        if expected is None:
            assert mqcn.decode(data).encode() == data
        else:
            error = refused(mqcn.decode, data)
            check(error, expected, length)
            assert str(mqcn.decode_lax(data).error) == str(error)


# --------------------------------------------------------------------------- values that say nothing readable

# Last name of a field, and bytes with which nothing after it can be read.
UNREADABLE = {
    "UseGuid": ("02", "ff"),
    "PSCNameOffset": ("05000000", "07000000", "ffffffff"),
}


@for_each("vector", VECTORS, ids=named)
def test_unreadable_values(vector: AnnotatedVector) -> None:
    """A value that does not say how to read on, or says it wrongly, is refused at its place."""
    for row in vector.rows:
        name = row.path.rpartition(".")[2]
        for wrong in map(bytes.fromhex, UNREADABLE.get(name, ())):
            data = vector.data[: row.offset] + wrong + vector.data[row.offset + len(row.data) :]
            expected = place_of(vector, row)._replace(size=None)
            for function in (Record.class_of(vector.packet).decode, codec(vector).decode):
                if name == "PSCNameOffset" and not vector.fields[row.path]:
                    # Then a PSCName is looked for in the bytes of the change, whether or not the offset fits.
                    with pytest.raises(DecodeError):
                        function(data)
                else:
                    check(refused(function, data), expected, len(data))


@pytest.mark.parametrize("operation", [8, 255])
def test_unknown_operation(operation: int) -> None:
    """A replication message is one of eight."""
    for vector in REPLICATION():
        data = vector.data[: HEADER_SIZE - 1] + bytes([operation]) + vector.data[HEADER_SIZE:]
        error = refused(mqdsrp.decode, data)
        path = "BaseReplicationHeader.Operation"
        assert (error.path, error.structure, error.offset) == (path, "BaseReplicationHeader", HEADER_SIZE - 1)
        # The class of a message does not look: it was chosen by the caller.
        assert Record.class_of(vector.packet).decode(data).encode() == data


@pytest.mark.parametrize("version", [0, 3, 255])
def test_unknown_version(version: int) -> None:
    """A notification has one of two forms."""
    for vector in NOTIFICATIONS():
        for function in (mqcn.ChangeNotificationMessage.decode, mqcn.decode):
            error = refused(function, bytes([version]) + vector.data[1:])
            path = "ChangeNotificationMessage.Version"
            assert (error.path, error.structure, error.offset) == (path, "ChangeNotificationMessage", 0)


@for_each("vector", VECTORS, ids=named)
def test_unknown_identifiers(vector: AnnotatedVector) -> None:
    """Without the type of a property nobody knows how long its value is."""
    rows = {row.path: row for row in vector.rows}
    for row in vector.rows:
        match = re.fullmatch(r"(.*)\.PropertyValue\[(\d+)\]", row.path)
        if match is None:
            continue
        identifiers = rows.get(f"{match[1]}.PropertyID") or rows[f"{match[1]}.PropertyId"]
        at = identifiers.offset + 4 * int(match[2])
        named = f"{vector.packet}.{identifiers.path}"
        data = vector.data[:at] + b"\xff" * 4 + vector.data[at + 4 :]
        for function in (Record.class_of(vector.packet).decode, codec(vector).decode):
            error = refused(function, data)
            check(error, place_of(vector, row)._replace(path=f"{named}[{match[2]}]", offset=at), len(data))
            assert error.actual == 0xFFFFFFFF


# ----------------------------------------------------------------------------------------- trailing bytes


def check_left_over(error: DecodeError, name: str, offset: int, left: int) -> None:
    """The error for bytes that belong to nothing."""
    assert error.problem == f"{in_bytes(left)} left over"
    assert (error.structure, error.path, error.offset) == (name, name, offset)
    assert (error.expected, error.actual, error.limit) == (0, left, "buffer")


@for_each("rest", lambda: TRAILERS, ids=bytes.hex)
@for_each("vector", REPLICATION, ids=named)
def test_trailing_bytes(vector: AnnotatedVector, rest: bytes) -> None:
    """What follows is refused, and handed back by the lenient reader."""
    data = vector.data + rest
    for function in (Record.class_of(vector.packet).decode, mqdsrp.decode):
        check_left_over(refused(function, data), vector.packet, len(vector.data), len(rest))
    lax = mqdsrp.decode_lax(data)
    assert (lax.packet, lax.error, lax.rest) == (read(vector), None, rest)


@for_each("rest", lambda: TRAILERS, ids=bytes.hex)
@for_each("vector", UPDATES, ids=named)
def test_trailing_bytes_of_updates(vector: AnnotatedVector, rest: bytes) -> None:
    """The record takes all that follows; the protocol's reader one byte."""
    data = vector.data + rest
    record = mqcn.ChangeNotificationMessage.decode(data)
    assert record.encode() == data
    assert flat(record) == vector.fields | {"Data.Unused": vector.fields["Data.Unused"] + rest.hex()}
    end = vector.rows[-1].offset + 1
    if len(data) == end:
        assert mqcn.decode(data) == record
        return
    check_left_over(refused(mqcn.decode, data), vector.packet, end, len(data) - end)
    lax = mqcn.decode_lax(data)
    assert lax.packet == mqcn.decode(data[:end])
    assert (lax.error, lax.rest) == (None, data[end:])


@for_each("rest", lambda: TRAILERS, ids=bytes.hex)
@for_each("vector", TEXTS, ids=named)
def test_trailing_bytes_of_texts(vector: AnnotatedVector, rest: bytes) -> None:
    """The record takes all that follows; the protocol's reader one terminator and one byte."""
    data = vector.data + rest
    record = mqcn.ChangeNotificationMessage.decode(data)
    assert record.encode() == data
    end = 2 + 2 * len("".join(tokens(vector.fields["Data.Text"])))
    if data[end : end + 2] == b"\0\0":
        end += 2
    if len(data) <= end + 1:
        assert mqcn.decode(data) == record
        return
    check_left_over(refused(mqcn.decode, data), vector.packet, end, len(data) - end)
    lax = mqcn.decode_lax(data)
    assert lax.packet == mqcn.decode(data[:end])
    assert (lax.error, lax.rest) == (None, data[end:])


# ------------------------------------------------------------------------------------------ property values


def meant(value: PropertyValue) -> Any:
    """A natural value as the specs write it."""
    match value.natural:
        case bytes() as raw:
            return raw.hex()
        case tuple() as items if value.vt & 0xFFF == VARTYPE.VT_VARIANT:
            return [shown(item) for item in items]
        case tuple() as items:
            return [item.hex() if isinstance(item, bytes) else str_of(item) for item in items]
        case other:
            return str_of(other)


def str_of(value: Any) -> Any:
    """A GUID as text, anything else as it is."""
    return str(value) if hasattr(value, "bytes_le") else value


@for_each("vector", VALUES, ids=named)
def test_each_form_of_a_value_is_read_and_written(vector: ValueVector) -> None:
    """Each form is read, means what it should, and is written back."""
    value = PropertyValue.decode(vector.number, vector.data)
    assert value == property_value(vector.type, vector.value)
    assert type(value.value) is type(property_value(vector.type, vector.value).value)
    assert value.encode() == vector.data
    assert PropertyValue.decode(vector.number, memoryview(vector.data)) == value
    assert PropertyValue.of(vector.number, value.value) == value


@for_each("vector", VALUES, ids=named)
def test_natural_value(vector: ValueVector) -> None:
    """What a value means makes the value again; of the patterns of VT_BOOL, the two that are on the page."""
    value = PropertyValue.decode(vector.number, vector.data)
    if vector.type == "VT_VARIANT | VT_VECTOR":
        inner = ((None, 42), ("",))
        assert value.natural == (None, 1, "a", b"\x0a\x0b", True, *inner)
        return
    natural = vector.natural
    wanted = int(natural, 16) if vector.type == "VT_UI8" else natural
    assert meant(value) == wanted
    again = PropertyValue.of(vector.number, value.natural)
    if vector.type.startswith("VT_BOOL"):
        assert again.natural == value.natural
        assert set(again.encode()[4 if "VECTOR" in vector.type else 0 :]) <= {0, 0xFF}
    else:
        assert again == value


@for_each("vector", VALUES, ids=named)
def test_every_prefix_of_a_value(vector: ValueVector) -> None:
    """A value that breaks off is refused as a whole."""
    for length in range(len(vector.data)):
        error = refused(lambda raw: PropertyValue.decode(vector.number, raw), vector.data[:length])
        assert (error.structure, error.path, error.offset) == ("PropertyValue", "PropertyValue", 0)


@for_each("vector", VALUES, ids=named)
def test_trailing_bytes_of_a_value(vector: ValueVector) -> None:
    """A value takes no more than its form says."""
    for rest in TRAILERS:
        error = refused(lambda raw: PropertyValue.decode(vector.number, raw), vector.data + rest)
        check_left_over(error, "PropertyValue", len(vector.data), len(rest))


@pytest.fixture
def identifiers() -> Iterator[dict[int, int]]:
    """A private identifier for each variant type."""
    known = {vector.number: 0xFFFE0000 + vector.number for vector in VALUES()}
    for number, identifier in known.items():
        register_type(identifier, number)
    yield known
    for identifier in known.values():
        unregister_type(identifier)


def test_values_in_a_change(identifiers: dict[int, int]) -> None:
    """Each form among others in a message: no padding between them, and each at its place."""
    head = bytes.fromhex("01 01") + bytes(32) + bytes(24) + bytes([len(VALUES())])
    head += b"".join(identifiers[vector.number].to_bytes(4, "little") for vector in VALUES())
    data = head + b"".join(vector.data for vector in VALUES())
    change: Any = mqdsrp.DirectoryChange.decode(data)
    assert change.PropertyValue == tuple(property_value(vector.type, vector.value) for vector in VALUES())
    assert change.encode() == data
    reader = diagnostic_reader(data)
    assert reader.read(structures()["DirectoryChange"], 0, len(data)) == (change, len(data))
    found = {piece.path: (piece.offset, piece.size) for piece in reader.spans}
    at = len(head)
    for index, vector in enumerate(VALUES()):
        assert found[f"DirectoryChange.PropertyValue[{index}]"] == (at, len(vector.data))
        for length in range(at, at + len(vector.data)):
            error = refused(mqdsrp.DirectoryChange.decode, data[:length])
            path = f"DirectoryChange.PropertyValue[{index}]"
            assert (error.structure, error.path, error.offset) == ("DirectoryChange", path, at)
        at += len(vector.data)
