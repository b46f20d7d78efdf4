"""The generated readers, which only accept or refuse, against the slow one, which goes field by field.

Of each structure there are records with each part alone, each form of a choice, and each of the first
lengths of what has a length.  A generated reader takes them itself; and it agrees with the slow one, which
says why, when bytes lack and when any number is another one.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from support_rows import for_each, table
from test_generated import NEEDED, OPTIONAL, taken

from msmq_wire import GUID, DecodeError, EncodeError, Record, mqcn, mqdsrp, mqmq
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import (
    EOF,
    Bytes,
    Choice,
    Count,
    Field,
    Flags,
    Guid,
    Integer,
    Items,
    Nested,
    Numbers,
    Text,
)
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.records.registry import DECODERS, PACKETS
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.reject import Reject

if TYPE_CHECKING:
    from collections.abc import Iterator

LENGTHS = range(10)
MARKS = (0x10, int.from_bytes(b"LIOR", "little"))
"""The version and the signature, which the readers of packets look at and those of structures do not."""
ALONE = table(lambda: [name for name, structure in structures().items() if not structure.scoped])
DIRECT = mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\b")
MORE: dict[str, list[dict[str, Any]]] = {
    "DirectoryChange": [
        {"PropertyID": (103,) * count, "PropertyValue": ("abc",) * count} for count in range(1, 4)
    ]
    + [{"PathName": None, "UseGuid": 1, "GuidIdentifier": GUID(bytes(range(16)))}],
    "UserHeader": [
        {
            "DestinationQueue": DIRECT,
            "AdminQueue": DIRECT,
            "ResponseQueue": DIRECT,
            "ConnectorType": GUID(bytes(range(16))),
        },
        {"AdminQueue": mqmq.PrivateQueueFormatNameId(7), "ConnectorType": GUID(bytes(range(16)))},
    ],
    "UserMessage": [OPTIONAL],
    "NotificationBody": [{"Text": "ab", "Unused": b"\1"}],
    "SeqNumberHeader": [{"PartitionSeqNumbers": [mqdsrp.PARTITION_SEQ_NUMBERS()] * 2}],
}
"""What only goes together."""
MORE["NotificationUpdate"] = [
    {name.replace("PropertyID", "PropertyId"): value for name, value in said.items()}
    for said in MORE["DirectoryChange"]
]


def values(field: Field) -> Iterator[Any]:
    """What a field can hold that has another size or form than what it holds if nothing is given."""
    kind = field.kind
    if field.is_filler or field.name == "Unused":
        return  # how many bytes there are follows from what is before
    if isinstance(kind, Bytes) and (kind.count == EOF or isinstance(kind.count, Count)):
        yield from (bytes(range(1, 1 + size)) for size in LENGTHS)
    elif isinstance(kind, Text):
        yield from ("x" * size for size in LENGTHS)
    elif isinstance(kind, Guid) and field.present:
        yield GUID(bytes(range(16)))
    elif isinstance(kind, (Nested, Choice)):
        for structure in field.structures:
            yield from samples(structure.name)
    elif isinstance(kind, Items):
        every = samples(kind.structure.name)
        yield from ((one,) for one in every)
        yield every[:3]
        yield every[-2:] * 2


@cache
def samples(name: str) -> tuple[Any, ...]:
    """Records of a structure: the usual one, and one for each value of each field."""
    cls, usual = Record.class_of(name), NEEDED.get(name, {})
    made = [cls(**usual)]
    said = [{field.name: value} for field in structures()[name].fields for value in values(field)]
    for more in [*said, *MORE.get(name, [])]:
        with suppress(EncodeError):  # it needs other parts too, or they say that there is none
            made.append(cls(**{**usual, **more}))
    return tuple(made)


def whole_of(record: Any) -> Any:
    """What a record is read in: of some the number of elements is in the structure around them."""
    if not record.layout.scoped:
        return record
    count = len(record.Updates)
    return mqcn.ChangeNotificationMessage(Version=1, NumberOfUpdateNotifications=count, Data=record)


def pieces(record: Any) -> list[Any]:
    """The fields of a record as the diagnostic reader finds them."""
    data = record.encode()
    reader = diagnostic_reader(data)
    reader.read(record.layout, 0, len(data))
    return reader.spans


def slowly(name: str, data: bytes) -> tuple[Any, int] | None:
    try:
        return diagnostic_reader(data).read(structures()[name], 0, len(data))
    except DecodeError:
        return None


def agree(name: str, data: bytes) -> tuple[Any, int] | None:
    """What the diagnostic reader makes of bytes; all other readers make the same of them."""
    found = slowly(name, data)
    try:
        assert DECODERS[name](data, 0, len(data), DEFAULT_LIMITS) == found
    except Reject:
        assert found is None
    if name in PACKETS:
        record = found[0] if found and found[1] == len(data) else None
        if record is not None and (record.BaseHeader.VersionNumber, record.BaseHeader.Signature) != MARKS:
            record = None
        assert taken(PACKETS[name], data) == record
    return found


@for_each("name", ALONE)
def test_each_part_alone_and_each_length(name: str) -> None:
    """Every reader takes the record, wherever it begins, and no slow one is asked."""
    for record in samples(name):
        data = record.encode()
        end = 3 + len(data)
        assert DECODERS[name](b"abc" + data, 3, end, DEFAULT_LIMITS) == (record, end)
        if name in PACKETS:
            assert PACKETS[name](data, len(data), DEFAULT_LIMITS) == record


@for_each("name", lambda: PACKETS)
def test_limits_of_packets(name: str) -> None:
    """As many bytes as the limit says, and WCHARs of a text, but none more; no diagnostic reader is asked."""
    decode = PACKETS[name]
    for record in samples(name):
        data = record.encode()
        sizes = [len(piece.value) for piece in pieces(record) if isinstance(piece.value, str)]
        most, stated = max(sizes, default=0), record.BaseHeader.PacketSize
        assert decode(data, len(data), Limits(packet_size=stated, string_length=most)) == record
        with pytest.raises(Reject):
            decode(data, len(data), Limits(packet_size=stated - 1))
        if most:
            with pytest.raises(Reject):
                decode(data, len(data), Limits(string_length=most - 1))


LISTS = table(
    lambda: [
        (name, field.name, field.limit)
        for name, structure in structures().items()
        for field in structure.fields
        if field.limit and isinstance(field.kind, (Items, Numbers))
    ]
)


@for_each(("name", "field", "limit"), LISTS)
def test_limits_of_lists(name: str, field: str, limit: str) -> None:
    """As many elements as the limit says, but none more; no diagnostic reader is asked."""
    for record in samples(name):
        whole = whole_of(record)
        count, data, read = len(getattr(record, field)), whole.encode(), DECODERS[whole.layout.name]
        assert read(data, 0, len(data), Limits(**{limit: count})) == (whole, len(data))
        if count:
            with pytest.raises(Reject):
                read(data, 0, len(data), Limits(**{limit: count - 1}))


def owners() -> list[str]:
    """The structures with an array of structures."""
    return [
        name
        for name, known in structures().items()
        if any(isinstance(field.kind, Items) for field in known.fields)
    ]


@for_each("around", owners)
def test_each_element_alone(around: str) -> None:
    """Where it is in the structure around it, as the structure has it; and no byte of it can lack."""
    (field,) = (field for field in structures()[around].fields if isinstance(field.kind, Items))
    read = DECODERS[field.kind_as(Items).structure.name]
    made: set[Any] = set()
    for record in samples(around):
        whole, elements = whole_of(record), getattr(record, field.name)
        path = "ChangeNotificationMessage.Data" if record.layout.scoped else around
        data = bytes(4) + whole.encode()
        reader = diagnostic_reader(data)
        reader.read(whole.layout, 4, len(data))
        places = {piece.path: piece for piece in reader.spans}
        origin = places[path].offset
        for index, one in enumerate(elements):
            piece = places[f"{path}.{field.name}[{index}]"]
            end = piece.offset + piece.size
            assert read(data, piece.offset, end, DEFAULT_LIMITS, origin) == (one, end)
            if one not in made and len(made) < 40:
                made.add(one)
                for cut in range(piece.offset, end):
                    with pytest.raises(Reject):
                        read(data, piece.offset, cut, DEFAULT_LIMITS, origin)
    assert made


def others(field: Field, value: int) -> Iterator[int]:
    """What may be in the place of a number."""
    kind = field.kind
    if isinstance(kind, Flags):
        yield from (value ^ 1 << bit for bit in range(8 * kind.size))
        yield from (value & ~group.mask | one << group.shift for group in kind.groups if group.width > 1
                    for one in range(1 << min(group.width, 3)))  # fmt: skip
    elif isinstance(kind, Integer):
        yield from {0, 1, 2, 3, 7, value - 1, value + 1, value + 2, value + 4, -1}


def numbers(record: Any) -> Iterator[tuple[str, Field, int, int, int]]:
    """Each number in the bytes of a record: its path, field, place, size and value."""
    for piece in pieces(record):
        if piece.field is not None and isinstance(piece.field.kind, (Integer, Flags)):
            yield piece.path, piece.field, piece.offset, piece.size, int(piece.value)


@pytest.mark.each(4)
@for_each("name", ALONE)
def test_readers_agree_on_what_lacks_bytes(name: str) -> None:
    """At every cut of one record of each size."""
    seen: set[int] = set()
    for record in samples(name):
        data = record.encode()
        if len(data) not in seen:
            seen.add(len(data))
            for end in range(len(data)):
                agree(name, data[:end])


@pytest.mark.each(4)
@for_each("name", ALONE)
def test_readers_agree_on_other_numbers(name: str) -> None:
    """In the first record that has a field, with each other value of it, and each other bit of all flags."""
    seen: set[str] = set()
    for record in samples(name):
        data = record.encode()
        found = [*numbers(record)]
        if seen.issuperset(path for path, *_ in found):
            continue
        for path, field, at, size, value in found:
            if path not in seen or isinstance(field.kind, Flags):
                for other in {one & (1 << 8 * size) - 1 for one in others(field, value)}:
                    agree(name, data[:at] + other.to_bytes(size, "little") + data[at + size :])
        seen.update(path for path, *_ in found)


def test_what_is_read_within_others_is_written_as_it_is_there() -> None:
    """Behind the sizes of SecurityHeader, and behind the two numbers of ChangeNotificationMessage."""
    for data in samples("SecurityData"):
        assert data.encode() == mqmq.SecurityHeader(SecurityData=data).encode()[16:]
    for updates in samples("NotificationUpdates"):
        message = mqcn.ChangeNotificationMessage(Version=1, Data=updates)
        assert updates.encode() == message.encode()[2:]
