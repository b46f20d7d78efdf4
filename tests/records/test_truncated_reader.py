"""The quick reader of headers that are cut off: rows of fields, and lists whose paddings are in doubt."""

from __future__ import annotations

from typing import Any

import pytest

from msmq_wire import mqmq
from msmq_wire.documents.layouts import structures
from msmq_wire.records import truncated_reader
from msmq_wire.records.diagnostic_reader import TruncatedField
from msmq_wire.records.truncated_reader import Reading, Row, Tail, Unusual, row_of, steps_of
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits

DATA = bytes.fromhex("0100 02000000 0300 0400")
FIELDS: list[tuple[str, int, Any, str]] = [
    ("A", 2, None, "H"),
    ("B", 4, lambda value: -value, "I"),
    ("C", 2, None, "H"),
]


def row() -> Row:
    return Row(FIELDS)


def test_a_row_that_is_there() -> None:
    """From any offset on; some values are converted."""
    assert (row().paths, row().ends, row().size) == (("A", "B", "C"), (2, 6, 8), 8)
    for before in (b"", b"zz"):
        found: dict[str, Any] = {}
        assert row().read(before + DATA, len(before), 8, found) == len(before) + 8
        assert found == {"A": 1, "B": -2, "C": 3}


@pytest.mark.parametrize(
    ("there", "found", "tail"),
    [
        (0, {}, Tail("A", 3, None)),
        (1, {}, Tail("A", 3, TruncatedField("A", 3, 1, 2, b"\1"))),
        (2, {"A": 1}, Tail("B", 5, None)),
        (5, {"A": 1}, Tail("B", 5, TruncatedField("B", 5, 3, 4, b"\2\0\0"))),
        (6, {"A": 1, "B": -2}, Tail("C", 9, None)),
        (7, {"A": 1, "B": -2}, Tail("C", 9, TruncatedField("C", 9, 1, 2, b"\3"))),
    ],
)
def test_a_row_that_is_cut(there: int, found: dict[str, Any], tail: Tail) -> None:
    """Its complete fields, and what is there of the next one; it has to end where the bytes should."""
    data = b"zzz" + DATA[:there]
    known: dict[str, Any] = {}
    assert row().read(data, 3, 11, known) == tail
    assert known == found
    end = 3 + next(end for end in row().ends if end > there)
    assert row().read(data, 3, end, {}) == tail
    with pytest.raises(Unusual):
        row().read(data, 3, end - 1, {})


def test_a_row_of_a_structure() -> None:
    """Also of the structures that it holds."""
    found: dict[str, Any] = {}
    identifier = mqmq.MessageIdentifier("557358d1-9150-9595-4997-b6e611ea26c6", 7)
    data = identifier.encode()
    flat = row_of(mqmq.MessageIdentifier.layout, "Id.")
    assert flat.size == len(data)
    assert flat.read(data, 0, len(data), found) == len(data)
    assert found == {f"Id.{field}": getattr(identifier, field) for field in identifier.__struct_fields__}


@pytest.mark.parametrize(
    ("data", "pos", "doubted"),
    [
        (b"\1\0\0\0", 2, False),  # two bytes of padding, as documented
        (b"\1\0\1\0", 2, True),
        (b"\1\0\0\1", 2, True),
        (b"\1\0\1\1", 0, True),  # the padding begins at 2, and ends at 4
        (b"\1\0\1\1", 4, True),
        (b"\1\0", 2, False),  # nothing is there yet
        (b"\2\0\1\1", 2, False),  # a private name is aligned in any case
    ],
)
def test_a_padding_may_be_a_part_of_a_name(data: bytes, pos: int, doubted: bool) -> None:
    """If a public name follows its type at once, the bytes of the padding belong to it."""
    doubts = truncated_reader._doubts(structures()["MQFFormatNameElement"])
    aligned = (pos + 2) % 4 == 0
    assert doubts(bytes(pos) + data, pos, 0) is (doubted and not aligned)
    assert truncated_reader._doubts(structures()["MQDSPUBLICKEY"])(b"\1\0\1\1", 0, 0) is False


def read(name: str, data: bytes, says: int, limits: Limits = DEFAULT_LIMITS) -> tuple[Any, dict[str, Any]]:
    reading = Reading(data, limits, {})
    return steps_of(structures()[name], "")(reading, 0, says, 0, 0), reading.found


def test_texts_that_are_cut() -> None:
    """Whole characters are shown; how long a counted text should be is known."""
    counted = mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\b").encode()
    for end in range(2, 16):
        tail, found = read("DirectQueueFormatName", counted[:end], len(counted))
        assert found == {"Count": 14}
        text = "OS:a\\b\0"[: (end - 2) // 2]
        cut = TruncatedField("DirectFormatName", 2, end - 2, 14, text) if end > 2 else None
        assert tail == Tail("DirectFormatName", 2, cut)


@pytest.mark.parametrize(("most", "usual"), [(7, True), (6, False)])
def test_texts_that_are_too_long(most: int, usual: bool) -> None:
    counted = mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\b").encode()[:10]
    limits = Limits(string_length=most)
    if usual:
        assert isinstance(read("DirectQueueFormatName", counted, 16, limits)[0], Tail)
    else:
        with pytest.raises(Unusual):
            read("DirectQueueFormatName", counted, 16, limits)
    with pytest.raises(Unusual):
        read("DirectQueueFormatName", b"\5\0" + bytes(2), 16)  # no even number of bytes


def test_more_than_there_should_be() -> None:
    counted = mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\b").encode()[:10]
    with pytest.raises(Unusual):
        read("DirectQueueFormatName", counted, 15)  # the text alone ends at 16


@pytest.mark.parametrize(("shown", "left_out"), [(0, 2), (1, 1), (3, 1), (100, 0)])
def test_elements_that_are_left_out(shown: int, left_out: int) -> None:
    """A list that is cut in its third element, with bounds on the number of fields."""
    one = mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName(DirectFormatName="OS:a\\b"))
    data = mqmq.MQFAddressHeader(FormatNameList=[one] * 3).encode()
    end = len(data) - len(one.encode()) + 3
    limits = Limits(lax_fields=4 + shown)
    reading = Reading(data[:end], limits, {})
    tail = steps_of(structures()["MQFAddressHeader"], "")(reading, 0, len(data), 0, 0)
    assert isinstance(tail, Tail)
    assert tail.path.startswith("FormatNameList[2].")
    assert reading.left_out == left_out
    elements = {path[: path.index("]")] for path in reading.found if "[" in path}
    assert elements - {"FormatNameList[2"} == {f"FormatNameList[{at}" for at in range(2 - left_out)}


@pytest.mark.parametrize(("most", "usual"), [(3, True), (2, False)])
def test_lists_that_are_too_long(most: int, usual: bool) -> None:
    one = mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName(DirectFormatName="OS:a\\b"))
    data = mqmq.MQFAddressHeader(FormatNameList=[one] * 3).encode()
    limits = Limits(queues=most)
    if usual:
        assert isinstance(read("MQFAddressHeader", data[:-9], len(data), limits)[0], Tail)
    else:
        with pytest.raises(Unusual):
            read("MQFAddressHeader", data[:-9], len(data), limits)
