"""What columns are made of: views, ends of texts, distinct rows and lists, each beside plain Python."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import msmq_wire as mw
from msmq_wire import mqdsrp
from msmq_wire.arrow import decode_directory, decode_packets, directory_type, distinct, packet_type
from msmq_wire.arrow._filling.nested import column_of
from msmq_wire.arrow._filling.store import Store, bitmap, views_of
from msmq_wire.arrow._filling.text import utf8_array
from msmq_wire.arrow._input import Rows, rows_of
from msmq_wire.arrow._reading import lists
from msmq_wire.arrow._reading.selection import GatheredBytes, Selection, Terminators, Windows
from msmq_wire.arrow.distinct import Distinct
from msmq_wire.arrow.schema import Blob, Style, directory_tree, group_size, number_type, packet_tree
from msmq_wire.records.model import Group
from msmq_wire.values.properties import types


def dice(seed: int) -> Random:
    return Random(seed)  # noqa: S311  # a seed, not a secret


def bytes_of(random: Random, size: int) -> bytes:
    """Many zeros, so that texts end."""
    return bytes(random.choice((0, 0, 1, 65)) for _ in range(size))


@pytest.mark.parametrize("size", [0, 1, 11, 12, 13, 40])
def test_views_of_slices(size: int) -> None:
    """Up to twelve bytes are in the view, and longer ones where they are."""
    random = dice(size)
    data = np.frombuffer(random.randbytes(size), np.uint8)
    ranges = [(start, stop) for start in range(size + 1) for stop in range(start, size + 1)]
    starts, stops = (np.array(column, np.int64) for column in zip(*ranges, strict=True))
    buffers = [pa.py_buffer(b"other"), pa.py_buffer(data)]
    views = views_of(data, starts, stops - starts, 1)
    found = pa.Array.from_buffers(pa.binary_view(), len(ranges), [None, pa.py_buffer(views), *buffers])
    found.validate(full=True)
    assert found.to_pylist() == [data[start:stop].tobytes() for start, stop in ranges]


def test_bytes_that_are_added() -> None:
    """They are a buffer only if one of them does not fit into its view."""
    for values, count in (([b"a", b"", b"b" * 12], 0), ([b"a", b"b" * 13, b"", b"c" * 40], 1), ([], 0)):
        store = Store()
        views = [store.views(values), store.views(values)]
        assert len(store.buffers) == 2 * count
        for own in views:
            found = pa.Array.from_buffers(
                pa.binary_view(), len(values), [None, pa.py_buffer(own), *store.buffers]
            )
            assert found.to_pylist() == values


@pytest.mark.parametrize("mask", [None, [True] * 9, [False] * 9, [True, False] * 5])
def test_validity(mask: Any) -> None:
    made = bitmap(None if mask is None else np.array(mask))
    if mask is None or all(mask):
        assert made is None
    else:
        column = pa.Array.from_buffers(pa.int8(), len(mask), [made, pa.py_buffer(bytes(len(mask)))])
        assert column.is_valid().to_pylist() == mask


@pytest.mark.parametrize("seed", range(6))
def test_where_texts_end(seed: int) -> None:
    """At the next null character from a place on, which is even or odd; none behind it means out of reach."""
    random = dice(seed)
    data = bytes_of(random, 61)
    first, last = random.randrange(9), 61 - random.randrange(9)
    places = np.arange(first, last - 1)
    found = Terminators(np.frombuffer(data, np.uint8), first, last).sizes(places).tolist()
    for at, size in zip(places.tolist(), found, strict=True):
        ends = [end for end in range(at, last - 1, 2) if data[end : end + 2] == b"\0\0"]
        assert size % 2 == 0
        assert size == ends[0] - at if ends else at + size + 2 > last


@pytest.mark.parametrize("size", [1, 4, 33])
@pytest.mark.parametrize("many", [1, 2048])
def test_bytes_at_places(size: int, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too near to the end they are any, but as many."""
    monkeypatch.setattr("msmq_wire.arrow._reading.selection.MANY", many)
    data = np.arange(40, dtype=np.uint8)
    windows = Windows(data)
    places = np.arange(40)
    windows.touch(places)
    found = windows.gather(size, places)
    assert found.dtype.itemsize == size
    for at in range(40 - size + 1):
        assert found[at].tobytes() == data[at : at + size].tobytes()
    assert windows.gather(41, places).tobytes() == bytes(41 * 40)


def test_bytes_that_were_gathered_are_used_again() -> None:
    """Of the same places, as far as they reach."""
    data = np.arange(64, dtype=np.uint8)
    at = np.array([0, 10, 20])
    chosen = Selection(None, at)
    assert chosen.ahead(at, 1) is None
    chosen.gathered = GatheredBytes(at, Windows(data).gather(8, at), 3)
    assert chosen.ahead(at.copy(), 1) is None
    seen = chosen.ahead(at, 5)
    assert seen is not None
    assert chosen.ahead(at, 6) is None
    assert seen.fields(np.dtype("u1")).tolist() == [3, 13, 23]
    assert seen.fields(np.dtype("u1"), 4).tolist() == [7, 17, 27]


def test_rows_that_were_narrowed() -> None:
    """Values, bits and places are those of the rows that are left."""
    whole = Selection.of_structures(None, np.arange(0, 60, 10), np.full(6, 99))
    whole.set_values("a", np.array([1, 2, 4, 0, 16, 32], np.uint16))
    some = whole.kept(np.array([True, False, True, True, False, True]))
    few = some.narrowed(np.array([1, 3]))
    assert whole.kept(np.ones(6, np.bool_)) is whole
    assert (some.rows.tolist(), few.rows.tolist()) == ([0, 2, 3, 5], [2, 5])  # type: ignore[union-attr]
    assert (some.at.tolist(), few.at.tolist()) == ([0, 20, 30, 50], [20, 50])
    assert few.value("a").tolist() == [4, 32]
    assert (few.bits("a"), whole.bits("a")) == (36, 55)
    assert few.number("a").dtype == np.int64
    assert few.value("@").tolist() == [20, 50]
    assert few.places_in(some).tolist() == [1, 3]
    assert few.places_in(whole).tolist() == [2, 5]
    few.set_values("a", np.array([1, 2]))
    assert (few.bits("a"), few.value("a").tolist()) == (3, [1, 2])
    whole.set_values("b", np.zeros(6, np.int64))
    assert [each.bits("b") for each in (some, few, whole)] == [0, 0, 0]


@pytest.mark.parametrize("bounds", [{}, {"_MOST_CODES": 7}, {"_SPARSE": 0}, {"_SPARSE": 0, "_MOST_CODES": 1}])
@pytest.mark.parametrize("count", [0, 1, 40])
def test_distinct_rows(count: int, bounds: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each combination once, with the first row that has it; nulls are values, too."""
    for name, value in bounds.items():
        monkeypatch.setattr(distinct, name, value)
    random = dice(count)
    columns = [
        pa.array([random.choice((None, 1, 2)) for _ in range(count)], pa.int8()),
        pa.nulls(count, pa.string()),
        pa.array([random.choice((b"", b"a", None)) for _ in range(count)], pa.binary()),
        pa.array([random.randrange(3) for _ in range(count)], pa.int64()),
    ]
    rows = list(zip(*(column.to_pylist() for column in columns), strict=True))
    found = Distinct(*columns)
    assert [found.values[at] for at in found.indices.to_pylist()] == rows
    assert sorted(map(repr, found.values)) == sorted(map(repr, set(rows)))
    assert [rows.index(value) for value in found.values] == found.first.tolist()
    numbers = found.array(range(len(found.values)), pa.int32()).to_pylist()
    assert numbers == found.indices.to_pylist()


def test_rounds_are_for_48_rows() -> None:
    """As many items as 48 rows have; with fewer rows each is read alone."""
    counts = [5] * 40 + [3] * 7 + [2] + [0] * 20
    assert lists.rounds_of(np.array(counts)) == 2
    assert lists.rounds_of(np.array(counts[:48])) == 2
    assert lists.rounds_of(np.array(counts[:47])) == 0
    assert lists.rounds_of(np.array([7] * 48)) == 7


def test_types_of_property_numbers() -> None:
    by_type = types.identifiers_by_type()
    known = {number: int(vt) for vt, numbers in by_type.items() for number in numbers}
    numbers = sorted({0, 1, 0xFFFF_FFFF, *known, *(number + 1 for number in known)})
    found = lists.types_of(np.array(numbers, "<u4")).tolist()
    assert found == [known.get(number, -1) for number in numbers]


def test_records_that_repeat_are_decoded_once() -> None:
    """Up to 1,024 are remembered; what cannot be decoded is remembered as such."""
    records = lists.Records("BaseHeader")
    data = mw.mqmq.BaseHeader().encode()
    assert records[data] is records[data]
    assert records[data[:-1]] is None
    for size in range(1022):
        assert records[bytes(size)] is None or size == 16
    assert len(records) == 1024
    assert records[b"another"] is None
    assert len(records) == 1


@pytest.mark.parametrize("spark", [False, True])
@pytest.mark.parametrize("count", [0, 1, 9, 4096, 5000])
def test_nulls_of_many_rows(count: int, spark: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each type of column has memory for all rows, whichever is made first."""
    monkeypatch.setattr("msmq_wire.arrow._filling.store.FEW", 1)
    fields = [*packet_tree().children, *directory_tree().children]
    for node in fields:
        found = Store(style=Style(spark=spark)).nulls(node, count)
        found.validate(full=True)
        assert (len(found), found.null_count) == (count, count)


@pytest.mark.parametrize("count", [1, 4096, 70_000])
def test_columns_without_bytes(count: int) -> None:
    """Empty bytes of many rows are empty in each form of column."""
    for style in (Style(), Style(spark=True), Style(text="utf8")):
        found = column_of(Blob("any", text=True), count, Store(style=style)).array()
        found.validate(full=True)
        assert (len(found), found.null_count) == (count, 0)
        assert pc.max(pc.binary_length(found.cast(pa.large_binary()))).as_py() == 0


@pytest.mark.parametrize("text", ["\x7f", "\x80", "\u07ff", "\u0800", "\uffff", "\U00010000"])
def test_a_text_alone(text: str) -> None:
    assert utf8_array(pa.array([text.encode("utf-16-le")], pa.binary_view())).to_pylist() == [text]


# ------------------------------------------------------------------------------------------ types


@pytest.mark.parametrize(
    ("size", "unsigned", "signed", "wider"),
    [
        (1, pa.uint8(), pa.int8(), pa.int16()),
        (2, pa.uint16(), pa.int16(), pa.int32()),
        (4, pa.uint32(), pa.int32(), pa.int64()),
        (8, pa.uint64(), pa.int64(), pa.decimal128(20, 0)),
    ],
)
def test_types_of_numbers(size: int, unsigned: Any, signed: Any, wider: Any) -> None:
    """Spark has only signed numbers: one bit less fits into the same size."""
    whole = 8 * size
    for bits in (whole - 1, whole):
        assert number_type(bits, size, signed=False, spark=False) == unsigned
        for spark in (False, True):
            assert number_type(bits, size, signed=True, spark=spark) == signed
    assert number_type(whole - 1, size, signed=False, spark=True) == signed
    assert number_type(whole, size, signed=False, spark=True) == wider


@pytest.mark.parametrize(("width", "size"), [(1, 1), (8, 1), (9, 2), (16, 2), (17, 4), (32, 4)])
def test_sizes_of_groups_of_bits(width: int, size: int) -> None:
    assert group_size(Group("any", 0, width, "")) == size


@pytest.mark.parametrize(
    ("style", "number", "text", "guid", "data"),
    [
        ({}, pa.uint16(), pa.binary_view(), pa.binary(16), pa.binary_view()),
        ({"spark": True}, pa.int32(), pa.binary(), pa.binary(), pa.binary()),
        ({"spark": True, "text": "utf8"}, pa.int32(), pa.string(), pa.binary(), pa.binary()),
        ({"text": "utf8"}, pa.uint16(), pa.string(), pa.binary(16), pa.binary_view()),
    ],
)
def test_types_of_property_values(style: Any, number: Any, text: Any, guid: Any, data: Any) -> None:
    """One column for each kind of value, and a list of each."""
    changes = directory_type(**style).field("DirectoryChanges").type.value_type
    value = changes.field("PropertyValue").type.value_type

    def listed(kind: Any) -> Any:
        return pa.list_(pa.field("element", kind, nullable=False))

    assert [(field.name, field.type) for field in value] == [
        ("vt", number),
        ("integer", pa.int64()),
        ("text", text),
        ("guid", guid),
        ("binary", data),
        ("integers", listed(pa.int64())),
        ("texts", listed(text)),
        ("guids", listed(guid)),
        ("binaries", listed(data)),
    ]


def test_columns_of_paths() -> None:
    """Of a path the column and all below it, in the order of the page, whatever order was asked for."""
    kind = packet_type(["UserHeader.Flags.DQ", "BaseHeader.PacketSize", "UserHeader.Flags.MP"])
    assert [field.name for field in kind] == ["kind", "error", "reached", "BaseHeader", "UserHeader"]
    assert [field.name for field in kind.field("BaseHeader").type] == ["PacketSize"]
    (flags,) = kind.field("UserHeader").type
    assert [group.name for group in flags.type] == ["DQ", "MP"]
    whole = packet_type()
    assert packet_type(["UserHeader", "UserHeader.Flags.DQ"]).field("UserHeader") == whole.field("UserHeader")
    assert packet_type("BaseHeader").field("BaseHeader") == whole.field("BaseHeader")
    for path, told in (
        ("Nope", "there is no column Nope: a packet has BaseHeader, "),
        ("UserHeader.Nope", "there is no column UserHeader.Nope: UserHeader. has SourceQueueManager, "),
        ("UserHeader.Flags.Nope", "there is no column UserHeader.Flags.Nope"),
        ("UserHeader.Flags.DQ.x", "there is no column UserHeader.Flags.DQ"),
        ("BaseHeader.Signature.x", "there is no column BaseHeader.Signature.x"),
    ):
        with pytest.raises(mw.MsmqWireError) as caught:
            packet_type([path])
        assert str(caught.value).startswith(told)


# ------------------------------------------------------------------------------------------ inputs


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(3)])
def test_rows_of_arrays(kind: pa.DataType) -> None:
    """Also of a part of an array, and of nothing."""
    data = [b"abc", None, b"def", b"ghi", None]
    array = pa.array(data, kind)
    for part in (array, array[1:], array[2:4], array[:1], array[5:]):
        rows = rows_of(part)
        assert [
            None if rows.valid is not None and not rows.valid[at] else rows.bytes_of(at)
            for at in range(len(rows))
        ] == part.to_pylist()
        assert (rows.valid is None) == (part.null_count == 0)
    some = rows_of(array).some(np.array([3, 1]))
    assert (some.bytes_of(0), some.bytes_of(1), some.valid.tolist()) == (b"ghi", b"", [True, False])  # type: ignore[union-attr]


def test_rows_between_offsets() -> None:
    rows = rows_of(b"abcdef", [1, 3, 3, 6])
    assert [rows.bytes_of(at) for at in range(len(rows))] == [b"bc", b"", b"def"]
    assert isinstance(rows, Rows)
    assert len(rows_of(b"abc", [3])) == 0
    for offsets in ([0, 7], [-1, 2], [2, 1], [], [[0, 1]], [0.5]):
        with pytest.raises(mw.MsmqWireError, match="expected offsets"):
            rows_of(b"abcdef", offsets)


# ------------------------------------------------------------------------------------------ errors of rows


def test_facts_of_errors() -> None:
    """Of each row that is refused, in the order of the rows, with the kind that it seems to be."""
    good = mw.mqqb.SessionAck().encode()
    rows = [good[:20], b"\0", good, None, good + b"\0", good[:6]]
    found = decode_packets(pa.array(rows)).to_pylist()
    assert [row and row["kind"] for row in found] == [
        "SessionAck",
        None,
        "SessionAck",
        None,
        "SessionAck",
        None,
    ]
    assert [bool(row and row["error"]) for row in found] == [True, True, False, False, True, True]
    for data, row in zip(rows, found, strict=True):
        if row is None or not row["error"]:
            continue
        with pytest.raises(mw.DecodeError) as caught:
            mw.decode(data)  # type: ignore[arg-type]
        error = caught.value
        assert row["error"]["message"] == str(error)
        assert (row["error"]["path"], row["error"]["offset"]) == (error.path, error.offset)


@pytest.mark.parametrize("fields", [1, 1 << 17])
def test_what_is_known_of_many_refused_rows(fields: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written now and then, and is the same however often."""
    whole = mqdsrp.encode(
        mqdsrp.ChangePropagationMessage(DirectoryChanges=[mqdsrp.DirectoryChange(PathName="a\\b")] * 2)
    )
    rows = pa.array([whole[:size] for size in range(0, len(whole), 7)])
    expected = decode_directory(rows).to_pylist()
    monkeypatch.setattr("msmq_wire.arrow._rows.MANY_FIELDS", fields)
    monkeypatch.setattr("msmq_wire.arrow._rows.AT_ONCE", 3)
    assert decode_directory(rows).to_pylist() == expected
    assert any(row["DirectoryChanges"] for row in expected)
