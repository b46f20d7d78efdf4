"""What the diagnostic reader shows of an array: the first elements, then one piece for all others."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from support_rows import for_each

from msmq_wire import DecodeError, mqcn, mqdsrp, mqmq
from msmq_wire.records.model import Bytes, Count, Field, Fill, Integer, Presence, Structure
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.records.spans import MORE, UNREAD
from msmq_wire.records.steps import Program, Row, Step

COUNT = 4
TEXTS = ("a", "bc", "def", "")
ARRAYS: dict[str, Any] = {
    "aPublicKeys": mqmq.MQDSPUBLICKEYS(aPublicKeys=[mqmq.MQDSPUBLICKEY(aBuf=bytes(n)) for n in range(COUNT)]),
    "FormatNameList": mqmq.MQFAddressHeader(
        FormatNameList=[
            mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName(DirectFormatName=text))
            for text in TEXTS
        ]
    ),
    "Certificates": mqmq.MQUSERSIGNCERTS(
        Certificates=[mqmq.MQUSERSIGNCERT(Certificate=bytes(n)) for n in range(COUNT)]
    ),
    "PartitionSeqNumbers": mqdsrp.SeqNumberHeader(
        PartitionSeqNumbers=[mqdsrp.PARTITION_SEQ_NUMBERS()] * COUNT
    ),
    "PropertyValue": mqdsrp.DirectoryChange(
        Command=1, PathName="a\\b", PropertyID=(103,) * COUNT, PropertyValue=TEXTS
    ),
    "Updates": mqcn.NotificationUpdates(
        Updates=[mqcn.NotificationUpdate(Command=1, PathName=f"{text}\\b") for text in TEXTS]
    ),
}
SCOPED = {"Updates"}
"""Their number is in the structure around them."""


def read(name: str, **bounds: Any) -> tuple[Any, str]:
    """The diagnostic reader of the record with this array, and the array's path."""
    record = ARRAYS[name]
    if name in SCOPED:
        record = mqcn.ChangeNotificationMessage(Version=1, NumberOfUpdateNotifications=COUNT, Data=record)
    data = record.encode()
    reader = diagnostic_reader(data, **bounds)
    made, end = reader.read(record.layout, 0, len(data))
    assert (made, end) == (record, len(data))
    around = f"{record.layout.name}.Data" if name in SCOPED else record.layout.name
    return reader, f"{around}.{name}"


def starts(reader: Any, path: str) -> list[int]:
    """For each element that is shown, the number of pieces before it."""
    at = {piece.path: number for number, piece in enumerate(reader.spans)}
    return [at[f"{path}[{index}]"] for index in range(COUNT) if f"{path}[{index}]" in at]


def check(reader: Any, path: str, shown: int) -> None:
    """The first elements are there, and the others are one piece that is as long as they are."""
    everything, _ = read(path.rpartition(".")[2])
    whole = {piece.path: piece for piece in everything.spans}
    assert len(starts(reader, path)) == shown
    assert reader.passed_over == (shown < COUNT)
    more = [piece for piece in reader.spans if piece.path == path + MORE]
    kept = [piece for piece in reader.spans if piece.path != path + MORE]
    assert kept == [
        piece
        for piece in everything.spans
        if not any(piece.path.startswith(f"{path}[{index}]") for index in range(shown, COUNT))
    ]
    if not more:
        assert shown in {0, COUNT}
        return
    (rest,) = more
    first, last = whole[f"{path}[{shown}]"], whole[f"{path}[{COUNT - 1}]"]
    assert (rest.value, rest.offset, rest.size) == (
        COUNT - shown,
        first.offset,
        last.offset + last.size - first.offset,
    )


@for_each("shown", lambda: range(COUNT + 2))
@for_each("name", lambda: ARRAYS)
def test_so_many_elements_are_shown(name: str, shown: int) -> None:
    reader, path = read(name, shown=shown)
    check(reader, path, min(shown, COUNT))
    assert any(piece.path == path + MORE for piece in reader.spans) == (0 < shown < COUNT)


@for_each("name", lambda: ARRAYS)
def test_no_element_is_shown_after_so_many_fields(name: str) -> None:
    """An element is shown as long as fewer pieces are before it."""
    whole, path = read(name)
    before = starts(whole, path)
    assert len(before) == COUNT
    assert all(one < other for one, other in pairwise(before))
    for fields in range(before[0], len(whole.spans) + 1):
        reader, _ = read(name, fields=fields)
        check(reader, path, sum(number < fields for number in before))


@pytest.mark.parametrize(("there", "passed"), [(6, False), (7, True), (8, True)])
def test_a_text_that_is_broken_is_passed_over_if_all_of_it_is_there(there: int, passed: bool) -> None:
    """Seven bytes are no text; the reader goes on behind them, also if nothing is there."""
    whole = mqmq.UserMessage(UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\b")).encode()
    at = 66  # behind the headers and the number of bytes
    data = whole[:8] + (at + there).to_bytes(4, "little") + whole[12:64] + b"\7\0" + bytes(there)
    reader = diagnostic_reader(data, lax=True)
    with pytest.raises(DecodeError, match="expected an even number of bytes, found 7"):
        reader.read(mqmq.UserMessage.layout, 0, len(data))
    path = "UserMessage.UserHeader.DestinationQueue.DirectFormatName"
    last = reader.spans[-1]
    assert reader.missed == (path.partition(".")[2], at)
    assert (last.path == path + UNREAD) == passed
    if passed:
        assert (last.offset, last.size, last.value) == (at, 7, bytes(7))
        assert len(reader.errors) == 2  # the padding behind it lacks bytes
    else:
        assert len(reader.errors) == 1


@pytest.mark.parametrize("lax", [False, True])
def test_what_is_behind_a_broken_part(lax: bool) -> None:
    """A lax reader goes on where the part says that it ends; another one does not."""
    one = mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName(DirectFormatName="OS:a\\b"))
    lists = mqmq.MultiQueueFormatHeader(Destination=mqmq.MQFAddressHeader(FormatNameList=[one]))
    data = bytearray(mqmq.UserMessage(MultiQueueFormatHeader=lists).encode())
    at = data.rindex(one.encode())
    data[at] = 9  # no type of a name
    reader = diagnostic_reader(bytes(data), lax=lax)
    with pytest.raises(DecodeError, match="found 0x9"):
        reader.read(mqmq.UserMessage.layout, 0, len(data))
    paths = [piece.path for piece in reader.spans]
    assert ("UserMessage.MultiQueueFormatHeader.Destination[?]" in paths) == lax
    assert ("UserMessage.MultiQueueFormatHeader.Signature.Signature" in paths) == lax
    assert len(reader.errors) == 1


def test_bytes_are_read_together_if_they_are_always_there() -> None:
    counted = Bytes(Count("Size"))
    optional = Field("Optional", counted, "", present=Presence(("Size",)))
    for fields, runs in (
        ([Field("First", counted, ""), Field("Second", Bytes(Fill(4, (("Size", 1),))), "")], [2]),
        ([Field("First", counted, ""), optional], [1, 1]),
        ([optional, Field("Last", counted, "")], [1, 1]),
    ):
        size = Field("Size", Integer("B", 1), "")
        structure = Structure("Some", "[X] 1", (size, *fields), scoped=True)
        row, *steps = Program(structure).steps
        assert isinstance(row, Row)
        assert [len(step.sizes) for step in steps if isinstance(step, Step)] == runs
