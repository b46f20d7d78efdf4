"""Arrays of packets: every row as the decoder of records has it, in every kind of array and of column."""

from __future__ import annotations

import datetime as dt
import gc
import re
import subprocess
import sys
import tracemalloc
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st
from pyarrow import feather
from strategies import PACKET_NAMES, messages, near_valid, packets
from support_examples import examples
from support_rows import for_each, table
from support_specs import load_vectors

import msmq_wire as mw
from msmq_wire import arrow as ma
from msmq_wire import mqdsrp, mqmq
from msmq_wire import testing as mt
from msmq_wire.arrow._filling.nested import TreeColumn
from msmq_wire.arrow._filling.store import Store
from msmq_wire.arrow._filling.text import utf8_array
from msmq_wire.arrow._input import Rows, rows_of
from msmq_wire.arrow._reading.vectors import directory_kinds, packet_kinds, read_chunks
from msmq_wire.arrow._rows import Outcomes
from msmq_wire.arrow.schema import SLOTS, directory_tree, packet_tree
from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.documents.layouts import structures
from msmq_wire.packets.packet import ORDER_LABEL
from msmq_wire.records.model import Choice, Flags, Items, Nested
from msmq_wire.values.properties import values as property_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

VECTORS = [vector.data for vector in load_vectors()]
LISTS = st.lists(st.one_of(packets().map(mw.encode), mt.order_acks().map(mw.encode)), max_size=6)
DAMAGED = st.lists(
    st.one_of(*(near_valid(name) for name in PACKET_NAMES), st.binary(max_size=80), st.sampled_from(VECTORS)),
    max_size=6,
)


def verdict(read: Callable[[bytes], Any], data: bytes) -> tuple[Any, dict[str, Any] | None]:
    """What the decoder of records says of some bytes: the name of the record, or the facts of the error."""
    try:
        return type(read(data)).__name__, None
    except mw.DecodeError as error:
        names = ("structure", "path", "offset", "expected", "actual", "limit")
        facts = {name: getattr(error, name) for name in names}
        for name in ("expected", "actual"):
            facts[name] = None if facts[name] is None else str(facts[name])
        return None, {**facts, "message": str(error)}


def check_packets(rows: list[bytes | None], **options: Any) -> pa.StructArray:
    """Decode, and hold every row against the decoder of records: same verdict, same bytes back.

    A row at the very end is always read by the decoder of records, so one more is put there.
    """
    return check([*rows, bytes(16)], ma.decode_packets, ma.encode_packets, mw.decode, **options)


def check_directory(rows: list[bytes | None], **options: Any) -> pa.StructArray:
    return check([*rows, bytes(16)], ma.decode_directory, ma.encode_directory, mqdsrp.decode, **options)


def check(rows: list[bytes | None], decode: Any, encode: Any, read: Any, **options: Any) -> pa.StructArray:
    found = decode(pa.array(rows, pa.binary()), **options)
    found.validate(full=True)
    verdicts = [(None, None) if data is None else verdict(read, data) for data in rows]
    errors = found.field("error").to_pylist()
    assert errors == [error for _, error in verdicts]
    kinds = found.field("kind").to_pylist()
    assert [None if error else kind for kind, error in zip(kinds, errors, strict=True)] == [
        kind for kind, _ in verdicts
    ]
    assert found.is_valid().to_pylist() == [data is not None for data in rows]
    expected = [data if kind else None for data, (kind, _) in zip(rows, verdicts, strict=True)]
    assert encode(found).to_pylist() == expected
    lax = mqdsrp.decode_lax if decode is ma.decode_directory else mw.decode_lax
    if options.get("text") != "utf8":
        check_parts([data for data, error in zip(rows, errors, strict=True) if error], decode, lax, **options)
    return found


def check_parts(rows: list[Any], decode: Any, lax: Any, **options: Any) -> int:
    """Hold the columns of what cannot be read whole against its fields; gives how many there were."""
    found = decode(pa.array(rows, pa.binary()), **options)
    compared = 0
    for data, row in zip(rows, found.to_pylist(), strict=True):
        result = lax(data)
        assert row.pop("reached") == (result.reached and result.reached._asdict())
        assert row.pop("error")
        row.pop("kind")
        there = dict(_leaves_of(row, ""))
        known = dict(_in_columns(result.fields))
        assert there == known
        compared += len(known)
    return compared


def _leaves_of(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The values in the columns of a row, by path; without nulls."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves_of(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _leaves_of(inner, f"{path}[{index}]")
    elif value is not None:
        yield path, value


def _in_columns(fields: Any) -> Iterator[tuple[str, Any]]:
    """Fields by path as the columns have them, up to the first element of a list that is not known."""
    counts: dict[str, int] = {}
    for path, value in fields.items():
        lists = [(path[: at.start()], int(at[1])) for at in re.finditer(r"\[(\d+)\]", path)]
        if any(index > counts.get(name, 0) for name, index in lists):
            continue
        for name, index in lists:
            counts[name] = index + 1
        yield from _as_columns(path, value)


def _as_columns(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _as_columns(f"{path}[{index}]", item)
    elif isinstance(value, mw.PropertyValue):
        yield f"{path}.vt", value.vt
        slot = SLOTS.get(value.vt)
        if slot is not None:
            nested = value.vt == VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT
            yield from _as_columns(f"{path}.{slot}", value.encode() if nested else value.value)
    elif hasattr(value, "to_dict"):
        yield from ((f"{path}.{name}", bits) for name, bits in value.to_dict().items())
    elif isinstance(value, str):
        yield path, value.encode("utf-16-le", "surrogatepass")
    elif isinstance(value, int):
        yield path, value - (1 << 64) if value >> 63 > 0 else value
    elif isinstance(value, bytes):
        yield path, value
    else:
        yield path, value.bytes_le if isinstance(value, mw.GUID) else value.raw


def test_lists_that_are_known_to_be_empty() -> None:
    """An empty list of a part is empty, and one that is not known is null."""
    queue = mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\b")
    signature = mqmq.MQFSignatureHeader(Signature=bytes(12))
    lists = mqmq.MultiQueueFormatHeader(Signature=signature)
    data = mqmq.UserMessage(UserHeader=queue, MultiQueueFormatHeader=lists).encode()
    cuts = [data[:-4], data[:-32], data[:-56]]
    for cut, names in zip(cuts, (3, 2, 0), strict=True):
        (row,) = ma.decode_packets(pa.array([cut])).to_pylist()
        plain = mw.to_dict(mw.decode_lax(cut))
        for at, name in enumerate(("Destination", "Administration", "Response")):
            for known in (row, plain):
                held = (known.get("MultiQueueFormatHeader") or {}).get(name) or {}
                assert held.get("FormatNameList") == ([] if at < names else None), (name, len(cut))
    message = mqdsrp.encode(mqdsrp.ChangePropagationMessage())
    (row,) = ma.decode_directory(pa.array([message[:-2]])).to_pylist()
    assert row["DirectoryChanges"] == []
    assert mw.to_dict(mqdsrp.decode_lax(message[:-2]))["DirectoryChanges"] == []


def test_parts_of_packets() -> None:
    """At every cut the columns have the fields that are there."""
    compared = 0
    for options in ({}, {"spark": True}):
        for data in VECTORS[::3]:
            compared += check_parts([data[:cut] for cut in range(0, len(data), 5)], ma.decode_packets,
                                    mw.decode_lax, **options)  # fmt: skip
    header = mqdsrp.BaseReplicationHeader(SiteID=mw.NULL_GUID, Operation=0)
    change = mqdsrp.DirectoryChange(
        Command=1, PathName="a\\b", PropertyID=(101, 103), PropertyValue=(mw.NULL_GUID, "label")
    )
    message = mqdsrp.ChangePropagationMessage(BaseReplicationHeader=header, DirectoryChanges=(change,) * 3)
    data = mqdsrp.encode(message)
    compared += check_parts([data[:cut] for cut in range(len(data))], ma.decode_directory, mqdsrp.decode_lax)
    assert compared > 50_000


def test_parts_in_some_columns() -> None:
    data = max(VECTORS, key=len)
    rows = pa.array([data, data[:200], data[:30], b"", None])
    paths = ["UserHeader.MessageID", "BaseHeader.PacketSize"]
    found = ma.decode_packets(rows, columns=paths)
    found.validate(full=True)
    assert found.field("kind").to_pylist() == ["UserMessage"] * 3 + [None] * 2
    numbers = [row and row["UserHeader"] for row in found.to_pylist()]
    (number, again), rest = numbers[:2], numbers[2:]
    assert number == again
    assert number["MessageID"] is not None
    assert rest == [None] * 3
    sizes = [row and row["BaseHeader"] and row["BaseHeader"]["PacketSize"] for row in found.to_pylist()]
    assert sizes == [len(data)] * 3 + [None] * 2


@given(LISTS)
def test_round_trip(rows: list[bytes]) -> None:
    check_packets([*rows])


@given(DAMAGED)
def test_errors_of_damaged_packets(rows: list[bytes]) -> None:
    """Damaged packets have the error that the decoder of records has."""
    check_packets([*rows])


@given(
    st.lists(messages().map(mqdsrp.encode), max_size=3), st.lists(near_valid("SyncReplyMessage"), max_size=2)
)
def test_directory(rows: list[bytes], damaged: list[bytes]) -> None:
    check_directory([*rows, *damaged])


def _propagated(count: int) -> Any:
    """A replication message with so many changes."""
    return mqdsrp.ChangePropagationMessage(DirectoryChanges=[_change(number) for number in range(count)])


def test_messages_that_are_cut_beside_sound_ones() -> None:
    """A list that ends with a partial item does not keep the others from being encoded."""
    empty, whole = mqdsrp.encode(_propagated(0)), mqdsrp.encode(_propagated(2))
    cut = [whole[:size] for size in range(len(whole))]
    rows = [empty, *cut, whole]
    assert ma.encode_directory(ma.decode_directory(pa.array(rows))).to_pylist() == [
        empty, *[None] * len(cut), whole
    ]  # fmt: skip


def test_the_row_of_an_item_that_cannot_be_encoded() -> None:
    found = ma.decode_directory(pa.array([mqdsrp.encode(_propagated(3))] * 2))
    first, second = found.to_pylist()
    second["DirectoryChanges"][1] |= {"UseGuid": None, "PathName": None, "GuidIdentifier": None}
    with pytest.raises(mw.EncodeError, match=r"^row 1: of PathName and GuidIdentifier one is needed"):
        ma.encode_directory(pa.array([first, second], found.type))


@given(LISTS, st.booleans())
def test_spark(rows: list[bytes], spark: bool) -> None:
    check_packets([*rows], spark=spark)


@given(st.sampled_from(sorted(mt.BENDABLE)).flatmap(mt.bent_packets))
@settings(max_examples=examples(100))
def test_bent(bent: tuple[str, Any]) -> None:
    """Packets and messages that break a requirement; what is neither has its error."""
    try:
        raw = bent[1].encode()
    except mw.EncodeError:
        reject()  # some break a requirement so that they cannot be written
    check_packets([raw])
    check_directory([raw])


def test_several_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs larger than a view can tell are cut into buffers; here they are small ones."""
    for module in ("_input", "_reading.gather"):
        monkeypatch.setattr(f"msmq_wire.arrow.{module}.VIEW_BITS", 12)
    found = check_packets([*VECTORS, *VECTORS, *VECTORS])
    bodies = found.field("MessagePropertiesHeader").field("MessageBody")
    assert len(bodies.buffers()) - 2 >= sum(map(len, VECTORS)) * 3 >> 12


class _Large(NamedTuple):
    """A buffer of so many bytes, of which there is none."""

    size: int
    start: int = 0

    def slice(self, start: int, size: int) -> _Large:
        return _Large(size, start)


@pytest.mark.parametrize("size", [1, 1 << 30, (1 << 30) + 1, (1 << 32) + 5])
def test_offsets_of_views_have_31_bits(size: int) -> None:
    none: Any = None
    whole: Any = _Large(size)
    found: Any = Rows(whole, none, none, none, none).buffers()
    assert [piece.start for piece in found] == list(range(0, size, 1 << 30))
    assert all(piece.size <= (1 << 31) - 1 for piece in found)
    assert found[-1].start + found[-1].size == size


@pytest.mark.parametrize("begin", [0, 1, 3])
def test_lists_of_some_rows_are_encoded(begin: int) -> None:
    """The lists of an array that is a part of another begin within their items."""
    rows = [mqdsrp.encode(_propagated(count)) for count in (2, 0, 1, 3)]
    found = ma.decode_directory(pa.array(rows)).slice(begin)
    assert ma.encode_directory(found).to_pylist() == rows[begin:]


@pytest.mark.parametrize("few", [1, 1 << 16])
@pytest.mark.parametrize("spark", [False, True])
def test_what_no_row_has(few: int, spark: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that no row has are null, down to the last, whether there are few rows or many."""
    monkeypatch.setattr("msmq_wire.arrow._filling.store.FEW", few)
    rows: list[bytes | None] = [mw.encode(mw.mqqb.ConnectionParameters())] * 3
    found = check_packets(rows, spark=spark)
    assert found.type == ma.packet_type(spark=spark)
    names = {"kind", "error", "reached"} | structures()["ConnectionParameters"].by_name.keys()
    absent = [found.field(field.name) for field in found.type if field.name not in names]
    assert absent
    while absent:
        assert {column.null_count for column in absent} == {len(found)}
        absent = [inner for column in absent if pa.types.is_struct(column.type) for inner in column.flatten()]


def test_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes of many rows are fetched ahead, also those that would lie after the input."""
    monkeypatch.setattr("msmq_wire.arrow._reading.selection.MANY", 1)
    cut = [data[: len(data) // 2] for data in VECTORS]
    check_packets([*VECTORS, *cut, None, *VECTORS])
    check_packets([data + bytes(4) for data in VECTORS])


@pytest.mark.long
def test_memory_is_given_back_at_once() -> None:
    """What was decoded does not wait for the collector of cycles."""
    array = pa.array(VECTORS)
    ma.decode_packets(array)
    gc.collect()
    before = pa.total_allocated_bytes()
    gc.disable()
    try:
        ma.decode_packets(array)
        assert pa.total_allocated_bytes() == before
    finally:
        gc.enable()


def test_little_input() -> None:
    """The whole input is smaller than the first run of what it pretends to be."""
    parameters = mw.encode(mw.mqqb.ConnectionParameters())
    bent = parameters[:2] + bytes(1) + parameters[3:]
    assert mw.decode(parameters)
    check_packets([bent])
    check_packets([bent, bent[:20]])


def test_too_large() -> None:
    """What exceeds a limit is refused as it is row by row."""
    found = check_packets([mw.encode(_message(bytes(0x0040_0000)))])
    assert found.field("error")[0].as_py()["limit"] == "Limits.packet_size"


def test_limits() -> None:
    """Any bound is held as the decoder of records holds it, whichever rows could be read at once."""
    limits = mw.Limits(string_length=3)
    found = ma.decode_packets(pa.array([*VECTORS, None]), limits=limits)
    errors = [error and error["limit"] for error in found.field("error").to_pylist()]
    alone = [mw.decode_lax(raw, limits=limits).error for raw in VECTORS]
    assert errors == [*(error and error.limit for error in alone), None]
    assert "Limits.string_length" in errors
    assert found.is_null().to_pylist() == [False] * len(VECTORS) + [True]
    message = mqdsrp.encode(
        mqdsrp.SyncReplyMessage(DirectoryChanges=[mqdsrp.DirectoryChange(PathName="a")] * 3)
    )
    (refused,) = (
        ma.decode_directory(pa.array([message]), limits=mw.Limits(changes=2)).field("error").to_pylist()
    )
    assert refused["limit"] == "Limits.changes"


def test_vectors() -> None:
    """The published frames, among them one that is cut off and one that is no packet."""
    found = check_packets([*VECTORS, None, b"", b"\x10"])
    kinds = set(found.field("kind").to_pylist())
    assert kinds == {None, "UserMessage", "SessionAck", "EstablishConnection", "ConnectionParameters"}
    assert found.field("error").null_count == len(VECTORS) - 3 + 1


def _has_plans(packet: Any) -> bool:
    """Whether none of its headers has a list, besides those of queues."""
    headers = [field.part for field in packet.layout.fields if field.part and getattr(packet, field.name)]
    return not any(isinstance(field.kind, Items) for header in headers for field in header.fields)


@pytest.mark.parametrize(
    "packets",
    [
        mt.user_messages(with_destinations=False, from_remote_read=False),
        mt.user_messages(with_destinations=True),
        mt.session_acks(),
        mt.establish_connections(),
        mt.connection_parameters(),
        mt.order_acks(),
        mt.final_acks(),
    ],
    ids=["messages", "lists", "session acks", "connections", "parameters", "order acks", "final acks"],
)
@given(data=st.data())
def test_at_once(packets: st.SearchStrategy[Any], data: st.DataObject) -> None:
    """What the plans are made for is read by them, and what they cannot read is left to others."""
    packet = data.draw(packets.filter(_has_plans))
    rows = rows_of(pa.array([mw.encode(packet), bytes(16)]))
    column = TreeColumn(packet_tree(), 2, Store())
    verdicts = Outcomes(list(packet_tree().forms), 2)
    left = read_chunks(rows, packet_kinds(), mw.decode, column, verdicts)
    assert left.tolist() == [1]
    assert verdicts.kinds[verdicts.codes[0]] == type(packet).__name__


@given(
    st.one_of(
        *(mt.user_messages(with_destinations=False), mt.session_acks(), mt.establish_connections()),
        *(mt.connection_parameters(), mt.order_acks(), mt.final_acks()),
    ).filter(_has_plans)
)
def test_written_at_once(packet: Any) -> None:
    """Packets without lists are written as whole columns; none of them becomes a record."""
    rows = ma.decode_packets(pa.array([mw.encode(packet)] * 2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("msmq_wire.arrow._encode.encode_record", None)
        assert ma.encode_packets(rows).to_pylist() == [mw.encode(packet)] * 2


@pytest.mark.each(4)
@pytest.mark.parametrize(
    "queue",
    ["DIRECT=OS:host\\private$\\order_queue$", "PRIVATE=" + "1" * 8 + "-1111-1111-1111-" + "1" * 12 + "\\4"],
)
@pytest.mark.parametrize("kind", [mw.mqqb.OrderAck, mw.mqqb.FinalAck])
def test_acknowledgments_alike(kind: Any, queue: str) -> None:
    """The kind is decided once for rows that are alike, and anew for one that differs in a bit or in size."""
    order = kind is mw.mqqb.OrderAck
    whole = mw.encode(
        kind(
            UserHeader=mw.mqmq.UserHeader(DestinationQueue=queue),
            MessagePropertiesHeader=mw.mqmq.MessagePropertiesHeader(
                Label=ORDER_LABEL,
                MessageClass=0xFF if order else 0x4000,
                MessageBody=(mw.mqqb.OrderAckBody() if order else mw.mqqb.FinalAckBody()).encode(),
            ),
        )
    )
    others = [whole + mw.mqrr.ExtensionHeader().encode(), whole[:-4], whole + bytes(4)]
    others = [data[:8] + len(data).to_bytes(4, "little") + data[12:] for data in others]
    others += [
        whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :]
        for at in range(len(whole))
        for bit in range(8)
    ]
    found = check_packets([whole, *others, whole])
    assert {kind.__name__, "UserMessage", None} <= set(found.field("kind").to_pylist())
    check_packets([*reversed(others), whole])


@given(st.lists(mt.user_messages(with_destinations=True), min_size=1, max_size=3), st.data())
def test_lists_of_queues(messages: list[Any], data: st.DataObject) -> None:
    """Lists that repeat, that end elsewhere than they say, and whose message cannot be read behind them."""
    encoded = [mw.encode(message) for message in messages]
    damaged = bytearray(encoded[0])
    place = damaged.index(mw.encode(messages[0].MultiQueueFormatHeader.Destination))
    damaged[place : place + 4] = data.draw(st.sampled_from([0, 4, 12, 16, 0xFFFFFFFF])).to_bytes(4, "little")
    check_packets([*encoded, encoded[0], bytes(damaged), encoded[0] + bytes(4), encoded[0][:-4]])


def test_what_was_refused_leaves_nothing() -> None:
    """Of a row that is refused after its lists were read, no column keeps anything."""
    direct = mw.mqmq.MQFDirectQueueFormatName(DirectFormatName="OS:host\\q")
    queues = mw.mqmq.MQFAddressHeader(FormatNameList=[mw.mqmq.MQFFormatNameElement(FormatName=direct)])
    good = mw.encode(
        mw.mqmq.UserMessage(
            UserHeader=mw.mqmq.UserHeader(DestinationQueue="DIRECT=OS:host\\q"),
            MultiQueueFormatHeader=mw.mqmq.MultiQueueFormatHeader(Destination=queues),
            MessagePropertiesHeader=mw.mqmq.MessagePropertiesHeader(MessageBody=b"body"),
        )
    )
    found = check_packets([good, good + bytes(4), good])
    destination = found.field("MultiQueueFormatHeader").field("Destination")
    names = destination.field("FormatNameList")
    assert names.value_lengths().to_pylist() == [1, 1, 1, 0]  # what is known of the row is put there anew
    assert destination.field("ElementCount").to_pylist() == [1, 1, 1, 0]
    assert len(names.values) == 3


MESSAGES = table(lambda: [kind.__name__ for kind in mqdsrp.Message.__args__])


def _left(encoded: list[bytes]) -> list[int]:
    """Which messages are left to the decoder of records."""
    rows = rows_of(pa.array([*encoded, bytes(16)]))
    column = TreeColumn(directory_tree(), len(rows), Store())
    verdicts = Outcomes(list(directory_tree().forms), len(rows))
    left: list[int] = read_chunks(rows, directory_kinds(), mqdsrp.decode, column, verdicts).tolist()
    return left[:-1]


def _is_plain(value: Any) -> bool:
    """Whether property values below a record are of types that are read at once."""
    if isinstance(value, mw.PropertyValue):
        return not value.vt & VARTYPE.VT_VECTOR or isinstance(value.value, bytes)
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return all(_is_plain(getattr(value, name)) for name in getattr(value, "__struct_fields__", ()))


def _is_straight(message: Any) -> bool:
    """Whether no text lies where an offset says."""
    return not isinstance(message, mqdsrp.ChangeRequestMessage) or (
        message.ChangeRequestHeader.PSCNameOffset == 0
    )


@pytest.mark.each(4)
@for_each("name", MESSAGES)
@given(data=st.data())
def test_directory_at_once(name: str, data: st.DataObject) -> None:
    """Messages are read by plans, lists and values of properties too; values that are vectors are not."""
    messages = data.draw(st.lists(mt.valid(name), min_size=1, max_size=4))
    encoded = [mqdsrp.encode(message) for message in messages]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("msmq_wire.arrow._reading.lists.FEWEST", 1)
        left = [index for index, item in enumerate(messages) if not (_is_plain(item) and _is_straight(item))]
        assert _left(encoded) == left
        check_directory([*encoded])


def test_directory_of_few() -> None:
    """A round of items is for many rows; those with more items than the others are read one by one."""
    few, many = (
        mqdsrp.encode(mqdsrp.ChangePropagationMessage(DirectoryChanges=[_change(n) for n in range(count)]))
        for count in (1, 3)
    )
    assert _left([few] * 40) == list(range(40))
    assert _left([few] * 60) == []
    assert _left([few] * 60 + [many]) == [60]
    check_directory([many, *[few] * 60, many, None, few])
    check_directory([many, *[few] * 60, many, None, few, many])
    check_directory([*[few] * 60, many])


def _change(number: int) -> Any:
    return mqdsrp.DirectoryChange(
        PathName=f"server\\q{number}", SeqNumber=number, PropertyID=(108,), PropertyValue=("a label",)
    )


@pytest.mark.each(4)
@for_each("name", MESSAGES)
@given(data=st.data())
def test_directory_verdicts(name: str, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("msmq_wire.arrow._reading.lists.FEWEST", 1)
        rows = data.draw(st.lists(near_valid(name), max_size=5))
        check_directory([*rows], spark=data.draw(st.booleans()))


@pytest.mark.parametrize("count", [b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff"])
def test_values_behind_the_end(count: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that says it ends after its message never becomes a column."""
    monkeypatch.setattr("msmq_wire.arrow._reading.lists.FEWEST", 1)
    blob = min(property_values.identifiers_by_type()[VARTYPE.VT_BLOB])
    change = mw.replace(_change(1), PropertyID=(blob,), PropertyValue=(b"some bytes",))
    good = mqdsrp.encode(mqdsrp.ChangePropagationMessage(DirectoryChanges=[change]))
    size = len(b"some bytes").to_bytes(4, "little")
    bent = good.replace(size + b"some", count + b"some")
    assert bent != good
    found = check_directory([bent, good], spark=True)
    assert found.field("error").null_count == 1


def test_properties_that_are_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that is no property is an error, even where the rest of the message needs no value."""
    monkeypatch.setattr("msmq_wire.arrow._reading.lists.FEWEST", 1)
    good = mqdsrp.encode(mqdsrp.ChangePropagationMessage(DirectoryChanges=[_change(1)]))
    label = (108).to_bytes(4, "little") + "a label\0".encode("utf-16-le")
    assert label in good
    bent = good.replace(label, (0xFFFF).to_bytes(4, "little"))
    found = check_directory([bent, good])
    assert found.field("error").to_pylist()[0]["actual"] == "65535"


@pytest.mark.long
def test_a_count_that_lies_takes_no_memory() -> None:
    """It is held against the bytes of its own row, not against all that come before them."""
    good = mqdsrp.encode(mqdsrp.SyncReplyMessage(DirectoryChanges=[_change(1)]))
    count = structures()["SyncReplyHeader"].offset_of("Count")
    assert good[count : count + 4] == (1).to_bytes(4, "little")
    bent = good[:count] + (7_500).to_bytes(4, "little") + good[count + 4 :]
    before, peaks = [bytes(1 << 13)] * 64, []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("msmq_wire.arrow._reading.lists.FEWEST", 1)
        for last in (good, good, bent):  # the first time fills caches
            array = pa.array([*before, last, bytes(64)])
            tracemalloc.start()
            found = ma.decode_directory(array)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
            assert found.field("error")[len(before)].is_valid == (last is bent)
    assert peaks[2] < peaks[1]


@given(LISTS, DAMAGED, st.integers(1, 5))
def test_chunks(rows: list[bytes], damaged: list[bytes], size: int) -> None:
    """Borders between chunks change nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("msmq_wire.arrow._reading.vectors.CHUNK", size)
        check_packets([*rows, *damaged, None, *rows])


@pytest.mark.each(5)
@pytest.mark.parametrize("spark", [False, True])
@pytest.mark.parametrize("size", [1, 2, 3, 16_384])
def test_what_was_in_memory_is_never_in_a_column(
    size: int, spark: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that nobody writes are zero, before the first that is written, between others and behind them."""
    allocate = pa.allocate_buffer

    def used_before(size: int) -> Any:
        made = allocate(size)
        np.frombuffer(made, np.uint8)[:] = 0xFF
        return made

    monkeypatch.setattr(pa, "allocate_buffer", used_before)
    monkeypatch.setattr("msmq_wire.arrow._reading.vectors.CHUNK", size)
    header = mqmq.UserHeader(SourceQueueManager=mw.GUID(b"\1" * 16), SentTime=2, MessageID=3)
    for some in (mqmq.UserMessage(), mqmq.UserMessage(UserHeader=header, SessionHeader=mqmq.SessionHeader())):
        other = mqmq.UserMessage() if some.SessionHeader else mqmq.UserMessage(UserHeader=header)
        few, many = some.encode(), other.encode()
        for rows in (
            [few, many],
            [few, few, many, few, few],
            [few, many[:-3], many, many[:40], few, None, few],
        ):
            check_packets([*rows], spark=spark)
    for counts in ((0, 1, 0, 3, 0), (0, 3, 0, 1, 0)):
        check_directory([mqdsrp.encode(_propagated(count)) for count in counts], spark=spark)


@pytest.mark.parametrize("fewest", [1, 1000])
@pytest.mark.parametrize("number", [0, 1, (1 << 62) - 1, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1])
def test_numbers_of_64_bits(number: int, fewest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that have no sign are in a column of signed ones with the same bits."""
    monkeypatch.setattr("msmq_wire.arrow._reading.lists.FEWEST", fewest)
    private = 99_999
    property_values.register_type(private, VARTYPE.VT_UI8)
    try:
        change = mw.replace(_change(1), PropertyID=(private,), PropertyValue=(number,))
        data = mqdsrp.encode(mqdsrp.ChangePropagationMessage(DirectoryChanges=[change]))
        found = check_directory([data]).to_pylist()[0]["DirectoryChanges"][0]["PropertyValue"]
    finally:
        property_values.unregister_type(private)
    assert found[0]["integer"].to_bytes(8, "little", signed=True) == number.to_bytes(8, "little")


# -------------------------------------------------------------------------------------------- schema


def _paths(kind: Any, prefix: str = "") -> Iterator[str]:
    for field in kind:
        path = f"{prefix}{field.name}"
        inner = field.type.value_type if pa.types.is_list(field.type) else field.type
        if pa.types.is_struct(inner) and field.name != "PropertyValue":
            yield from _paths(inner, f"{path}.")
        else:
            yield path


def _fields(name: str, prefix: str = "") -> Iterator[str]:
    for field in structures()[name].fields:
        path = f"{prefix}{field.name}"
        match field.kind:
            case Flags(groups=groups):
                yield from (f"{path}.{group.name}" for group in groups)
            case Nested(structure=inner) | Items(structure=inner):
                yield from _fields(inner.name, f"{path}.")
            case Choice(forms=forms):
                for form in forms.values():
                    yield from _fields(form.name, f"{path}.") if form else ()
            case _:
                yield path


@pytest.mark.parametrize(
    ("kind", "union"),
    [(ma.packet_type(), mw.Packet), (ma.directory_type(), mqdsrp.Message)],
    ids=["packets", "directory"],
)
def test_columns_are_the_fields(kind: pa.StructType, union: Any) -> None:
    """Every field of every kind is a column under its name, and no other is."""
    wanted = {path for member in union.__args__ for path in _fields(member.__name__)}
    assert set(_paths(list(kind)[3:])) == wanted
    assert [field.name for field in kind][:3] == ["kind", "error", "reached"]


def _types(kind: pa.DataType) -> Iterator[pa.DataType]:
    if pa.types.is_struct(kind):
        for field in kind:
            yield from _types(field.type)
    elif pa.types.is_list(kind):
        assert kind.value_field.name == "element"
        yield from _types(kind.value_type)
    else:
        yield kind


@pytest.mark.parametrize("make", [ma.packet_type, ma.directory_type])
def test_spark_has_all_types(make: Any) -> None:
    known = {pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.string(), pa.binary(), pa.decimal128(20, 0)}
    assert set(_types(make(spark=True))) <= known
    assert set(_types(make(spark=True, text="utf8"))) <= known


@pytest.mark.parametrize("spark", [False, True])
def test_what_may_be_null(spark: bool) -> None:
    """Of a packet that is cut off any field may be missing, but no part of a word, and no item of a list."""
    kind = ma.packet_type(spark=spark)
    assert all(field.nullable for field in kind)
    header = kind.field("UserHeader").type
    assert all(field.nullable for field in header)
    names = kind.field("MultiQueueFormatHeader").type.field("Destination").type.field("FormatNameList").type
    assert not names.value_field.nullable
    assert not any(group.nullable for group in header.field("Flags").type)
    assert all(field.nullable for field in header.field("AdminQueue").type)


STYLES = [{"spark": spark, "text": text} for spark in (False, True) for text in ("utf16", "utf8")]


@pytest.mark.each(3)
@pytest.mark.parametrize("style", STYLES)
def test_writing_columns(style: Any, tmp_path: Path) -> None:
    """What is decoded can be written to files and databases, and is the same when it is read again."""
    broken = [*VECTORS, None, b"", VECTORS[0][:-1]]
    for rows in (VECTORS, broken, []):
        made = ma.decode_packets(pa.array(rows, pa.binary()), **style)
        made.validate(full=True)
        table = pa.Table.from_batches([pa.RecordBatch.from_struct_array(made)])
        feather.write_feather(table, tmp_path / "packets.feather")
        assert feather.read_table(tmp_path / "packets.feather").equals(table)
        pq.write_table(table, tmp_path / "packets.parquet")
        assert pq.read_table(tmp_path / "packets.parquet").to_pylist() == table.to_pylist()


@pytest.mark.each(4)
@pytest.mark.parametrize("style", STYLES)
def test_columns_elsewhere(style: Any) -> None:
    """DuckDB and polars take what is decoded."""
    made = ma.decode_packets(pa.array([*VECTORS, b""], pa.binary()), **style)
    table = pa.Table.from_batches([pa.RecordBatch.from_struct_array(made)])
    sizes = [size for header in table["BaseHeader"].to_pylist() for size in [header and header["PacketSize"]]]
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.register("packets", table)
        found = connection.execute("select BaseHeader.PacketSize from packets").fetchall()
        assert [size for (size,) in found] == sizes
        connection.execute("create table kept as select * from packets")
    polars = pytest.importorskip("polars")
    assert polars.from_arrow(table)["BaseHeader"].struct.field("PacketSize").to_list() == sizes


def test_numbers_for_spark() -> None:
    """The smallest signed type that holds every value."""
    header = ma.packet_type(spark=True).field("UserHeader").type
    assert header.field("SentTime").type == pa.int64()
    assert header.field("Flags").type.field("DQ").type == pa.int8()
    properties = ma.packet_type(spark=True).field("MessagePropertiesHeader").type
    assert properties.field("LabelLength").type == pa.int16()
    assert properties.field("MessageClass").type == pa.int32()
    transaction = ma.packet_type(spark=True).field("TransactionHeader").type
    assert transaction.field("Flags").type.field("ID").type == pa.int32()
    operating = (
        ma.packet_type(spark=True).field("EstablishConnectionHeader").type.field("OperatingSystem").type
    )
    assert operating.field("RE").type == pa.int16()


def test_what_is_not_there_takes_no_bytes() -> None:
    """Columns for Spark have bytes of any length; rows without a header have none of its bytes."""
    header = ma.decode_packets(pa.array(VECTORS), spark=True).field("EstablishConnectionHeader")
    there = header.is_valid().to_pylist()
    assert 0 < there.count(True) < len(there)
    padding = header.field("Padding")
    assert padding.null_count == 0  # it is always there within its header
    assert [len(value) for value in padding.to_pylist()] == [512 * here for here in there]
    assert padding.buffers()[2].size == there.count(True) * 512


@pytest.mark.parametrize("kind", ["ChangeRequest", "SyncReply"])
def test_what_is_not_there_takes_no_bytes_at_any_depth(kind: str) -> None:
    """A site is in a header that is always in another one, which only one kind of message has."""
    site = mw.GUID(b"\5" * 16)
    header = getattr(mqdsrp, f"{kind}Header")(BaseReplicationHeader=mqdsrp.BaseReplicationHeader(SiteID=site))
    more = {"DirectoryChange": _change(1)} if kind == "ChangeRequest" else {}
    message = getattr(mqdsrp, f"{kind}Message")(**{f"{kind}Header": header, **more})
    other = mqdsrp.encode(mqdsrp.ChangePropagationMessage())
    found = ma.decode_directory(pa.array([other, mqdsrp.encode(message), other]), spark=True)
    held = found.field(f"{kind}Header").field("BaseReplicationHeader").field("SiteID")
    assert held.to_pylist() == [b"", site.bytes_le, b""]
    assert held.buffers()[2].size == 16


# ---------------------------------------------------------------------------------------- projection

COLUMNS = [
    ["UserHeader.Flags.DQ", "MessagePropertiesHeader.Label"],
    ["BaseHeader"],
    ["SecurityHeader.SecurityData.Signature", "SessionHeader.WindowSize"],
    ["MultiQueueFormatHeader.Destination.FormatNameList.FormatName.DirectFormatName"],
    ["UserHeader.DestinationQueue.DirectFormatName", "UserHeader.ConnectorType"],
    [],
]


def _part(value: Any, kind: pa.DataType) -> Any:
    """What a narrower type has of a value."""
    if value is None:
        return None
    if pa.types.is_struct(kind):
        return {field.name: _part(value[field.name], field.type) for field in kind}
    return [_part(item, kind.value_type) for item in value] if pa.types.is_list(kind) else value


@pytest.mark.each(3)
@for_each("columns", lambda: COLUMNS, ids=lambda columns: " ".join(columns) or "none")
@given(rows=LISTS, damaged=DAMAGED)
def test_projection(columns: list[str], rows: list[bytes], damaged: list[bytes]) -> None:
    """A projection has what the whole has, and every verdict."""
    data = pa.array([*rows, *damaged, None], pa.binary())
    kind = ma.packet_type(columns)
    found = ma.decode_packets(data, columns=columns)
    assert found.type == kind
    assert found.to_pylist() == [_part(row, kind) for row in ma.decode_packets(data).to_pylist()]


@pytest.mark.parametrize(
    "path",
    [
        "DirectoryChanges.PathName",
        "DirectoryChanges.PropertyID",
        "DirectoryChanges.PropertyValue.vt",
        "DirectoryChanges.PropertyValue.text",
        "SeqNumberHeader",
    ],
)
@given(messages=st.lists(mt.valid("ChangePropagationMessage"), max_size=3))
def test_directory_projection(path: str, messages: list[Any]) -> None:
    """Items of lists that are read at once have what the whole has."""
    data = pa.array([*map(mqdsrp.encode, messages), bytes(16)], pa.binary())
    kind = ma.directory_type([path])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("msmq_wire.arrow._reading.lists.FEWEST", 1)
        found = ma.decode_directory(data, columns=[path])
    assert found.type == kind
    assert found.to_pylist() == [_part(row, kind) for row in ma.decode_directory(data).to_pylist()]


@pytest.mark.parametrize(
    "path",
    [
        "Nope",
        "UserHeader.Nope",
        "UserHeader.Flags.Nope",
        "UserHeader.Flags.DQ.x",
        "BaseHeader.Signature.x",
        "error.Nope",
        "",
    ],
)
def test_unknown_column(path: str) -> None:
    with pytest.raises(mw.MsmqWireError, match=re.escape(f"there is no column {path}".rstrip())):
        ma.packet_type([path])


@pytest.mark.parametrize("path", ["kind", "error", "reached", "error.path", "reached.offset"])
def test_columns_of_every_result_can_be_selected(path: str) -> None:
    rows = pa.array([VECTORS[0], b"junk"])
    paths = ["BaseHeader.PacketSize", path]
    expected = ma.decode_packets(rows, columns=paths[:1])
    assert ma.decode_packets(rows, columns=paths).equals(expected)
    assert ma.decode_packets(rows, columns=path).type == ma.packet_type([])
    assert ma.decode_and_clear(rows, columns=iter(paths))[0].equals(expected)


# -------------------------------------------------------------------------------------------- inputs


@given(LISTS, DAMAGED)
def test_arrays(rows: list[bytes], damaged: list[bytes]) -> None:
    """All kinds of array give the same."""
    data: list[bytes | None] = [*rows, None, *damaged]
    expected = ma.decode_packets(pa.array(data, pa.binary())).to_pylist()
    for kind in (pa.large_binary(), pa.binary_view()):
        assert ma.decode_packets(pa.array(data, kind)).to_pylist() == expected
    whole = pa.array([b"before", *data, b"behind"], pa.binary())
    assert ma.decode_packets(whole.slice(1, len(data))).to_pylist() == expected
    chunks = pa.chunked_array([pa.array(data[:2], pa.binary()), pa.array(data[2:], pa.binary())])
    assert ma.decode_packets(chunks).to_pylist() == expected
    ends = [0]
    for item in data:
        ends.append(ends[-1] + len(item or b""))
    joined = b"".join(item or b"" for item in data)
    empty = ma.decode_packets(pa.array([b""], pa.binary())).to_pylist()[0]
    sliced = ma.decode_packets(joined, offsets=ends).to_pylist()
    assert sliced == [empty if row is None else row for row in expected]


def test_fixed_size() -> None:
    frames = [data for data in VECTORS if len(data) == 572]
    assert len(frames) == 2
    array = pa.array(frames, pa.binary(572))
    assert ma.decode_packets(array).to_pylist() == ma.decode_packets(pa.array(frames)).to_pylist()
    assert (
        ma.decode_packets(array.slice(1)).to_pylist() == ma.decode_packets(pa.array(frames[1:])).to_pylist()
    )


def test_empty_arrays_and_nulls() -> None:
    for empty in (pa.array([], pa.binary()), pa.chunked_array([], pa.binary())):
        found = ma.decode_packets(empty)
        assert len(found) == 0
        assert found.type == ma.packet_type()
    assert ma.decode_packets(b"", offsets=[0]).to_pylist() == []
    nulls = pa.nulls(3, pa.binary())
    assert ma.decode_packets(nulls).to_pylist() == [None] * 3
    assert ma.encode_packets(ma.decode_packets(nulls)).to_pylist() == [None] * 3


@pytest.mark.parametrize(
    ("array", "offsets", "problem"),
    [
        (b"abc", None, "expected an Arrow array of bytes, got bytes"),
        (pa.array([1]), None, "expected an Arrow array of bytes, got one of int64"),
        (pa.array(["x"]), None, "expected an Arrow array of bytes, got one of string"),
        (b"abc", [0, 4], "in ascending order"),
        (b"abc", [2, 1], "in ascending order"),
        (b"abc", [-1, 1], "in ascending order"),
        (b"abc", [], "offsets as whole numbers"),
        (b"abc", [0.5, 1.5], "offsets as whole numbers"),
        (b"abc", np.array([[0, 1], [1, 3]]), "offsets as whole numbers"),
        (b"abc", np.array([[], []], np.int64), "offsets as whole numbers"),
        (b"abc", 3, "offsets as whole numbers"),
        (b"abc", np.array([], np.int64), "offsets as whole numbers"),
        (7, [0, 1], "expected a buffer, got int"),
    ],
)
def test_no_array(array: Any, offsets: Any, problem: str) -> None:
    with pytest.raises(mw.MsmqWireError, match=problem):
        ma.decode_packets(array, offsets=offsets)


def test_views_keep_the_input() -> None:
    """A body is where it was: in the buffer of the input."""
    body = bytes(range(256))
    array = pa.array([mw.encode(_message(body)), bytes(16)])
    found = ma.decode_packets(array).field("MessagePropertiesHeader").field("MessageBody")
    assert found.type == pa.binary_view()
    data = array.buffers()[2]
    assert any(data.address <= buffer.address < data.address + data.size for buffer in found.buffers()[2:])
    del array, data
    assert found.to_pylist()[0] == body


def _message(body: bytes, label: str = "hello") -> Any:
    return mw.mqmq.UserMessage(
        UserHeader=mw.mqmq.UserHeader(DestinationQueue="DIRECT=OS:host\\q"),
        MessagePropertiesHeader=mw.mqmq.MessagePropertiesHeader(Label=label, MessageBody=body),
    )


# ---------------------------------------------------------------------------------------------- text


def test_sizes_of_utf8() -> None:
    """A character takes up to three bytes from U+0080 and from U+0800 on, and four from U+10000 on."""
    texts = ["\x7f", "\x80", "\u07ff", "\u0800", "\uffff", "\U00010000"]
    found = utf8_array(pa.array([text.encode("utf-16-le") for text in texts], pa.binary_view()))
    assert found.to_pylist() == texts


@pytest.mark.long
@given(
    st.lists(
        st.one_of(
            st.none(), st.binary(max_size=12), st.text(max_size=8).map(lambda text: text.encode("utf-16-le"))
        )
    )
)
@example(["\ud83d".encode("utf-16-le", "surrogatepass"), "\ude00".encode("utf-16-le", "surrogatepass")])
def test_utf8(rows: list[bytes | None]) -> None:
    """Half a pair becomes U+FFFD, also where the other half begins the next row."""
    expected = [
        None
        if row is None
        else row[: len(row) & ~1].decode("utf-16-le", "surrogatepass").encode("utf-16", "surrogatepass")
        for row in rows
    ]
    texts = [None if raw is None else raw.decode("utf-16", "replace") for raw in expected]
    array = pa.array(rows, pa.binary_view())
    found = utf8_array(array)
    found.validate(full=True)
    alike = [None if text is None else _replaced(row) for row, text in zip(rows, texts, strict=True)]
    assert found.to_pylist() == alike
    assert utf8_array(array.slice(1)).to_pylist() == alike[1:]


def _replaced(row: bytes | None) -> str:
    text = (row or b"")[: len(row or b"") & ~1].decode("utf-16-le", "surrogatepass")
    return "".join("\ufffd" if 0xD800 <= ord(unit) < 0xE000 else unit for unit in text)


def test_text_columns() -> None:
    rows = [mw.encode(_message(b"x", label)) for label in ("plain", "gr\u00fc\u00df", "\U0001f600", "\ud800")]
    array = pa.array(rows)
    labels = ma.decode_packets(array, text="utf8").field("MessagePropertiesHeader").field("Label")
    assert labels.type == pa.string()
    assert labels.to_pylist() == ["plain\0", "gr\u00fc\u00df\0", "\U0001f600\0", "\ufffd\0"]
    assert ma.encode_packets(ma.decode_packets(array, text="utf8")).to_pylist()[:3] == rows[:3]
    assert ma.encode_packets(ma.decode_packets(array)).to_pylist() == rows


@pytest.mark.parametrize(("most", "kind"), [(17, pa.large_string()), (18, pa.string())])
def test_texts_that_are_too_long_for_small_offsets(
    most: int, kind: pa.DataType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are in an array with large offsets, and are encoded as others are; here there are 18 bytes."""
    monkeypatch.setattr("msmq_wire.arrow._filling.text.LONGEST", most)
    rows = [mw.encode(_message(b"x", label)) for label in ("one", "gr\u00fc\u00df", "four\u0100")]
    found = ma.decode_packets(pa.array(rows), text="utf8")
    labels = found.field("MessagePropertiesHeader").field("Label")
    assert labels.to_pylist() == ["one\0", "gr\u00fc\u00df\0", "four\u0100\0"]
    assert labels.type == kind
    assert ma.encode_packets(found).to_pylist() == rows


def test_many_encoded_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are a binary array up to a size, and then one with large offsets."""
    rows = ma.decode_packets(pa.array([mw.encode(_message(b"x"))] * 2))
    for most, kind in ((1 << 20, pa.binary()), (0, pa.large_binary())):
        monkeypatch.setattr("msmq_wire.arrow._encode.LONGEST", most)
        assert ma.encode_packets(rows).type == kind
        chunks = ma.encode_packets(pa.chunked_array([rows, rows[:1]]))
        assert chunks.type == kind
        assert chunks.to_pylist() == [mw.encode(_message(b"x"))] * 3
    sizes = [ma.encode_packets(part).nbytes for part in (rows, rows[:1])]
    monkeypatch.setattr("msmq_wire.arrow._encode.LONGEST", sizes[1])
    assert ma.encode_packets(pa.chunked_array([rows[:1], rows])).type == pa.large_binary()
    assert [ma.encode_packets(part).type for part in (rows, rows[:1])] == [pa.large_binary(), pa.binary()]


# ------------------------------------------------------------------------------------------ encoding


LEFT_OUT = [
    "BaseHeader.Flags.PR",
    "BaseHeader.TimeToReachQueue",
    "UserHeader.Flags.JN",
    "UserHeader.SentTime",
    "UserHeader.SourceQueueManager",
    "SecurityHeader.Flags.ST",
    "SecurityHeader.SenderIdSize",
    "MessagePropertiesHeader.Flags.PA",
    "MessagePropertiesHeader.CorrelationID",
    "MessagePropertiesHeader.Padding",
    "MessagePropertiesHeader.Label",
]


@pytest.mark.parametrize("path", LEFT_OUT)
def test_only_the_row_that_leaves_something_out_becomes_a_record(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are written as columns, and all are what they were."""
    message = mqmq.UserMessage(SecurityHeader=mqmq.SecurityHeader())
    data = mw.encode(message)
    found = ma.decode_packets(pa.array([data] * 4))
    rows = found.to_pylist()
    *around, last = path.split(".")
    part = rows[2]
    for name in around:
        part = part[name]
    assert last in part
    part[last] = None
    made = []

    def encode(record: Any) -> bytes:
        made.append(record)
        return mw.encode(record)

    monkeypatch.setattr("msmq_wire.arrow._encode.encode_record", encode)
    written = ma.encode_packets(pa.array(rows, _all_null(found.type))).to_pylist()
    assert written[:2] + written[3:] == [data] * 3
    assert len(made) == 1
    assert written[2] == mw.encode(made[0])


def _all_null(kind: pa.DataType) -> pa.DataType:
    """The same type, of which any part may be null."""
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(field.name, _all_null(field.type)) for field in kind])
    if pa.types.is_dictionary(kind):
        return pa.string()
    return pa.list_(_all_null(kind.value_type)) if pa.types.is_list(kind) else kind


def test_what_is_left_out_is_computed() -> None:
    """A struct of the few columns that matter makes a whole packet."""
    kind = pa.struct(
        [
            ("kind", pa.string()),
            (
                "UserHeader",
                pa.struct(
                    [
                        ("DestinationQueue", pa.struct([("DirectFormatName", pa.string())])),
                        ("Flags", pa.struct([("JN", pa.uint8())])),
                    ]
                ),
            ),
            ("MessagePropertiesHeader", pa.struct([("Label", pa.string()), ("MessageBody", pa.binary())])),
        ]
    )
    row = {
        "kind": "UserMessage",
        "UserHeader": {"DestinationQueue": {"DirectFormatName": "OS:host\\q\0"}, "Flags": {"JN": 1}},
        "MessagePropertiesHeader": {"Label": "hello", "MessageBody": b"body"},
    }
    (data,) = ma.encode_packets(pa.array([row], kind)).to_pylist()
    message: Any = mw.decode(data)
    assert message.UserHeader.Flags.JN == 1
    assert message.UserHeader.Flags.DQ == 7
    assert message.MessagePropertiesHeader.Label == "hello\0"
    assert message.MessagePropertiesHeader.MessageSize == 4
    assert mw.validate(message) == ()


SIGNED, SIGNED_LIST = "integer", "integers"
SLOTS_BY_TYPE = {
    0x02: SIGNED, 0x03: SIGNED, 0x0B: SIGNED, 0x10: SIGNED, 0x11: SIGNED, 0x12: SIGNED, 0x13: SIGNED,
    0x14: SIGNED, 0x15: SIGNED, 0x08: "text", 0x1F: "text", 0x41: "binary", 0x48: "guid",
    0x1002: SIGNED_LIST, 0x1003: SIGNED_LIST, 0x100B: SIGNED_LIST, 0x1010: SIGNED_LIST, 0x1012: SIGNED_LIST,
    0x1013: SIGNED_LIST, 0x1014: SIGNED_LIST, 0x1015: SIGNED_LIST, 0x1008: "texts", 0x101F: "texts",
    0x1041: "binaries", 0x1048: "guids", 0x1011: "binary", 0x100C: "binary",
}  # fmt: skip
"""The column of a value, by its type."""


def test_columns_of_values() -> None:
    assert SLOTS == SLOTS_BY_TYPE


@pytest.mark.parametrize("fewest", [1, 1000])
def test_a_value_is_in_one_column(fewest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("msmq_wire.arrow._reading.lists.FEWEST", fewest)
    values = (5, "label", mw.GUID(b"\1" * 16), b"some bytes", [mw.GUID(b"\2" * 16)])
    change = mw.replace(_change(1), PropertyID=(105, 108, 101, 1101, 207), PropertyValue=values)
    message = mqdsrp.encode(mqdsrp.ChangePropagationMessage(DirectoryChanges=[change]))
    found = ma.decode_directory(pa.array([message] * 2 + [bytes(16)]))[0].as_py()
    (read,) = found["DirectoryChanges"]
    assert [{k: v for k, v in value.items() if v is not None} for value in read["PropertyValue"]] == [
        {"vt": 19, "integer": 5},
        {"vt": 31, "text": "label".encode("utf-16-le")},
        {"vt": 72, "guid": b"\1" * 16},
        {"vt": 65, "binary": b"some bytes"},
        {"vt": 0x1048, "guids": [b"\2" * 16]},
    ]


@pytest.mark.parametrize(
    ("held", "written"),
    [(-1, b"\xff" * 8), (0, bytes(8)), (1, b"\1" + bytes(7)), (-(1 << 63), bytes(7) + b"\x80")],
)
def test_numbers_above_the_largest_signed_one(held: int, written: bytes) -> None:
    """A column of signed numbers has those of VT_UI8 as their two's complement."""
    message = mqdsrp.ChangePropagationMessage(DirectoryChanges=[_change(1)])
    array = ma.decode_directory(pa.array([mqdsrp.encode(message)]))
    row = array[0].as_py()
    value = row["DirectoryChanges"][0]["PropertyValue"][0]
    value.update(vt=int(VARTYPE.VT_UI8), integer=held, text=None)
    (encoded,) = ma.encode_directory(pa.array([row], array.type)).to_pylist()
    number = (108).to_bytes(4, "little")  # PROPID_Q_LABEL
    assert encoded.endswith(number + written + bytes(2))


def test_chunks_are_kept() -> None:
    array = pa.array(VECTORS)
    found = ma.decode_packets(array)
    chunked = ma.encode_packets(pa.chunked_array([found.slice(0, 4), found.slice(4)]))
    assert [len(chunk) for chunk in chunked.chunks] == [4, len(VECTORS) - 4]
    assert chunked.to_pylist() == ma.encode_packets(found).to_pylist()


def test_what_cannot_be_encoded() -> None:
    with pytest.raises(mw.MsmqWireError, match="expected an Arrow array of structs, got int"):
        ma.encode_packets(1)
    for array in (pa.array([1]), pa.array([{"a": 1}])):
        with pytest.raises(mw.MsmqWireError, match="a column `kind`, got one of"):
            ma.encode_packets(array)
    with pytest.raises(mw.MsmqWireError, match=r"expected a kind of row \(UserMessage.*, got 'Nope'"):
        ma.encode_packets(pa.array([{"kind": "Nope"}]))
    with pytest.raises(mw.EncodeError, match=r"^row 1: expected a kind of row .*, got None"):
        ma.encode_packets(pa.array([{"kind": "SessionAck"}, {"kind": None}]))
    with pytest.raises(mw.MsmqWireError, match="a column `kind`, got one of"):
        ma.encode_packets(pa.array([{"kind": [1]}]))
    wide = pa.array([{"kind": "SessionAck", "InternalHeader": {"Flags": {"PT": 16}}}])
    with pytest.raises(mw.EncodeError, match="row 0: expected 0 to 15, got 16"):
        ma.encode_packets(wide)
    both = {"PrivateQueueIdentifier": 1, "DirectFormatName": "OS:a\\b\0"}
    with pytest.raises(mw.EncodeError, match="row 0: the fields do not determine the form"):
        ma.encode_packets(pa.array([{"kind": "UserMessage", "UserHeader": {"DestinationQueue": both}}]))


def test_a_group_of_bits_that_is_too_wide() -> None:
    """In columns that are written at once it is an error too; it never becomes bits of other groups."""
    array = ma.decode_packets(pa.array([mw.encode(mw.mqqb.SessionAck())]))
    row = array[0].as_py()
    row["InternalHeader"]["Flags"]["PT"] = 16
    with pytest.raises(mw.EncodeError, match="row 0: expected 0 to 15, got 16"):
        ma.encode_packets(pa.array([row], array.type))


def _steps(value: Any, *before: Any) -> Iterator[tuple[Any, ...]]:
    """The way to each value of a row that is not null."""
    for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, (dict, list)):
            yield from _steps(inner, *before, step)
        elif inner is not None:
            yield *before, step


LISTED = table(
    lambda: mqmq.MQFAddressHeader(
        FormatNameList=[
            mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName(DirectFormatName=name))
            for name in ("OS:a\\q", "OS:ab\\q")
        ]
    )
)
CONTENT = {"kind", "DirectFormatName", "Label", "MessageBody", "PathName", "RequesterName"}
"""What nothing else in a row tells."""


@for_each(
    "packet",
    lambda: [
        _message(b"body", "a label"),
        mqmq.UserMessage(TransactionHeader=mqmq.TransactionHeader(), SessionHeader=mqmq.SessionHeader()),
        mqmq.UserMessage(MultiQueueFormatHeader=mqmq.MultiQueueFormatHeader(Destination=LISTED())),
        *(mw.mqqb.SessionAck(), mw.mqqb.EstablishConnection(), mw.mqqb.ConnectionParameters()),
        mqdsrp.ChangePropagationMessage(DirectoryChanges=[mqdsrp.DirectoryChange(PathName="a\\b")] * 2),
        mqdsrp.SyncRequestMessage(RequesterName="psc"),
    ],
)
def test_any_number_that_is_left_out_is_computed(packet: Any) -> None:
    """A size, a group of bits or a padding of one row, in whatever part of it, while all others are there."""
    directory = hasattr(packet, "BaseReplicationHeader") or hasattr(packet, "SyncRequestHeader")
    decode, encode = (
        (ma.decode_directory, ma.encode_directory) if directory else (ma.decode_packets, ma.encode_packets)
    )
    data = packet.encode()
    array = decode(pa.array([data]))
    ways = [way for way in _steps(array[0].as_py()) if way[-1] not in CONTENT]
    rows = array.to_pylist() * len(ways)
    for at, way in enumerate(ways):
        rows[at] = whole = array[0].as_py()
        for step in way[:-1]:
            whole = whole[step]
        whole[way[-1]] = None
    found = encode(pa.array(rows, array.type)).to_pylist()
    assert [way for way, made in zip(ways, found, strict=True) if made != data] == []


_MISFITS: list[tuple[str, Any, str]] = [
    ("UserHeader.SourceQueueManager", b"\1\2\3", "expected a GUID, got b'"),
    ("UserHeader.SourceQueueManager", bytes(17), "expected a GUID, got b'"),
    ("UserHeader.SourceQueueManager", "0123456789abcdef", "expected a GUID, got '0123456789abcdef'"),
    ("MessagePropertiesHeader.CorrelationID", bytes(25), "expected 20 bytes, got 25"),
    ("MessagePropertiesHeader.Label", b"abc", "expected an even number of bytes, got 3"),
    ("MessagePropertiesHeader.Label", 5, "expected a column of bytes or text, got one of int64"),
    ("UserHeader.MessageID", 1 << 32, "expected 0 to 4294967295, got 4294967296"),
    ("UserHeader.MessageID", -1, "expected 0 to 4294967295, got -1"),
    ("UserHeader.MessageID", Decimal("5.5"), "expected 0 to 4294967295, got Decimal('5.5')"),
    *(
        ("UserHeader.MessageID", value, f"expected a column of whole numbers, got one of {kind}")
        for value, kind in (
            *((1.9, "double"), (float("nan"), "double"), ("5", "string"), (True, "bool"), ([1], "list<")),
            *(
                (dt.datetime(2020, 1, 1, tzinfo=dt.UTC), "timestamp[us"),
                (dt.date(2020, 1, 1), "date32[day]"),
            ),
            *((dt.timedelta(1), "duration[us]"), (np.datetime64(1, "ns"), "timestamp[ns]")),
        )
    ),
    ("UserHeader.MesageID", 7, "no such field; did you mean MessageID?"),
    ("UserHeader.Flags.XX", 1, "UserHeaderFlags has no group XX"),
    ("UserHeader.Flags.DQ", 0.5, "expected a column of whole numbers, got one of double"),
    ("UserHeader.Flags", 1 << 32, "expected 0 to 4294967295, got 4294967296"),
    ("UserHeader.Flags", "x", "expected a column of structs of bit groups, got one of string"),
    ("UserHeader.DestinationQueue", 5, "expected a column of structs or names, got one of int64"),
    ("UserHeader.DestinationQueue", "nothing", "expected one of PUBLIC="),
    ("UserHeader", [1], "expected a column of structs of the fields of UserHeader, got one of list<"),
    ("InternalHeader", {"Reserved": 0}, "no such field"),
]
"""A path, a value that it cannot have, and the error."""


def _with(row: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The row with another value at a path."""
    head, _, rest = path.partition(".")
    return {**row, head: _with(row.get(head) or {}, rest, value) if rest else value}


@pytest.mark.parametrize("form", ["columns", "records"])
@pytest.mark.parametrize(("path", "value", "problem"), _MISFITS)
def test_a_value_that_a_row_cannot_have(path: str, value: Any, problem: str, form: str) -> None:
    """It is an error with the row and the field, in complete rows and in rows that omit others."""
    rows = [{"kind": "UserMessage"}] * 2
    if form == "columns":
        rows = ma.decode_packets(pa.array([mw.encode(_message(b"x", "ab"))] * 2)).to_pylist()
    blank = [_with(row, path, None) for row in rows]
    array = pa.array([blank[0], _with(blank[1], path, value)])
    with pytest.raises(mw.EncodeError, match=f"^row 1: {re.escape(problem)}") as caught:
        ma.encode_packets(array)
    assert caught.value.path == f"UserMessage.{path}"
    with pytest.raises(mw.EncodeError, match=f"^row 3: {re.escape(problem)}"):
        ma.encode_packets(pa.chunked_array([array[:1], array[:1], array]))


@pytest.mark.parametrize(
    ("path", "value", "column"),
    [
        ("UserHeader.MessageID", 5, pa.array([Decimal(5)])),
        ("UserHeader.SourceQueueManager", mw.GUID(b"\1" * 16), pa.array([str(mw.GUID(b"\1" * 16))])),
        ("UserHeader.Flags", mqmq.UserHeaderFlags(7 << 10), pa.array([7 << 10])),
        ("UserHeader.DestinationQueue", "DIRECT=OS:a\\q", pa.array(["DIRECT=OS:a\\q"])),
        ("MessagePropertiesHeader.Label", "ab", pa.array(["ab".encode("utf-16-le")]).dictionary_encode()),
    ],
)
def test_a_value_in_a_form_that_records_accept(path: str, value: Any, column: pa.Array) -> None:
    header, _, field = path.partition(".")
    part = pa.StructArray.from_arrays([column], [field])
    array = pa.StructArray.from_arrays([pa.array(["UserMessage"]), part], ["kind", header])
    expected = mqmq.UserMessage(**{header: getattr(mqmq, header)(**{field: value})})
    assert ma.encode_packets(array).to_pylist() == [mw.encode(expected)]


def test_rows_without_types() -> None:
    """Columns that are null in all rows have no type, if Arrow infers types from rows."""
    data = [mw.encode(_message(b"x")), mw.encode(mw.mqqb.SessionAck())]
    assert ma.encode_packets(pa.array(ma.decode_packets(pa.array(data)).to_pylist())).to_pylist() == data
    (encoded,) = ma.encode_packets(pa.array([{"kind": "SessionAck", "UserHeader": None}])).to_pylist()
    assert encoded == mw.encode(mw.mqqb.SessionAck())


def test_values_of_rows_that_are_null_are_not_read() -> None:
    """Such values may be of types that Python does not have."""
    times = pa.array([None, 1], pa.timestamp("ns"))
    kinds = pa.array(["UserMessage"] * 2)
    for part, name in ((pa.StructArray.from_arrays([times], ["DQ"]), "Flags"), (times, "MessageID")):
        header = pa.StructArray.from_arrays([part, pa.array([7, 8])], [name, "SentTime"])
        array = pa.StructArray.from_arrays(
            [kinds, header], ["kind", "UserHeader"], mask=pa.array([False, True])
        )
        message = mqmq.UserMessage(UserHeader=mqmq.UserHeader(SentTime=7))
        assert ma.encode_packets(array).to_pylist() == [mw.encode(message), None]


def test_two_columns_of_the_same_name() -> None:
    kinds = pa.StructArray.from_arrays([pa.array(["SessionAck"])] * 2, ["kind", "kind"])
    inner = pa.StructArray.from_arrays([kinds.field(0), kinds], ["kind", "BaseHeader"])
    for array in (kinds, inner):
        with pytest.raises(mw.MsmqWireError, match="expected columns with different names, got two named"):
            ma.encode_packets(array)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_text_that_is_not_utf8(kind: pa.DataType) -> None:
    """Arrow reads files without checking their texts."""
    ends = pa.py_buffer(np.array([0, 1, 2], np.int32))
    texts = pa.Array.from_buffers(pa.string(), 2, [None, ends, pa.py_buffer(b"a\xff")]).cast(kind)
    rows = pa.StructArray.from_arrays([texts], ["Label"])
    array = pa.StructArray.from_arrays(
        [pa.array(["UserMessage"] * 2), rows], ["kind", "MessagePropertiesHeader"]
    )
    with pytest.raises(mw.EncodeError, match=r"^row 1: expected UTF-8, got b'\\xff'"):
        ma.encode_packets(array)
    hidden = pa.StructArray.from_arrays(
        array.flatten(), fields=list(array.type), mask=pa.array([False, True])
    )
    message = mqmq.UserMessage(MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="a"))
    assert ma.encode_packets(hidden).to_pylist() == [mw.encode(message), None]


def _changes(changes: pa.Array) -> pa.StructArray:
    kind = pa.array(["ChangePropagationMessage"] * len(changes))
    return pa.StructArray.from_arrays([kind, changes], ["kind", "DirectoryChanges"])


@pytest.mark.parametrize(
    "lists",
    [
        lambda items: pa.FixedSizeListArray.from_arrays(items, 2),
        lambda items: pa.LargeListArray.from_arrays(pa.array([0, 2]), items),
    ],
)
def test_lists_of_other_types(lists: Callable[[pa.Array], pa.Array]) -> None:
    names = ["server\\a", "server\\b"]
    array = _changes(lists(pa.array([{"PathName": name} for name in names])))
    expected = mqdsrp.ChangePropagationMessage(
        DirectoryChanges=[mqdsrp.DirectoryChange(PathName=name) for name in names]
    )
    assert ma.encode_directory(array).to_pylist() == [mqdsrp.encode(expected)]


@pytest.mark.parametrize(
    ("change", "path", "problem"),
    [
        (None, "", "expected DirectoryChange, got NoneType"),
        ({"PropertyID": [1.5]}, ".PropertyID[0]", "expected a column of whole numbers, got one of double"),
        ({"PropertyID": 108}, ".PropertyID", "expected a column of lists, got one of int64"),
        *(
            ({"PropertyID": [108], "PropertyValue": [value]}, f".PropertyValue[0]{path}", problem)
            for value, path, problem in (
                ({"text": "x"}, ".vt", "expected a known variant type, got None"),
                ({"vt": 77, "integer": 1}, ".vt", "expected a known variant type, got 77"),
                ({"vt": 31, "integer": 5}, "", "expected text for the type 0x1f, got integer"),
                ({"vt": 31, "integer": 5, "text": "x"}, "", "expected text for the type 0x1f, got "),
                ({"vt": 3}, "", "expected integer for the type 0x3, got no value"),
                ({"vt": 0, "integer": 1}, "", "expected no value for the type 0x0, got integer"),
                ({"vt": 72, "guid": b"abc"}, "", "expected a GUID for VT_CLSID"),
                ({"vt": 3, "integer": 1 << 31}, "", "expected an integer from"),
                ({"vt": 31, "txt": "x"}, ".txt", "no such field; did you mean text?"),
                ({"vt": 31, "text": b"abc"}, ".text", "expected an even number of bytes, got 3"),
                ({"vt": 0x100C, "binary": b"abc"}, "", "expected 4 bytes for its count, found 3"),
            )
        ),
    ],
)
def test_a_change_that_cannot_be_encoded(change: Any, path: str, problem: str) -> None:
    array = _changes(pa.array([[], [{"PathName": "a\\b"}, change]]))
    with pytest.raises(mw.EncodeError, match=f"^row 1: {re.escape(problem)}") as caught:
        ma.encode_directory(array)
    assert caught.value.path == f"ChangePropagationMessage.DirectoryChanges[1]{path}"


@pytest.mark.parametrize("kind", [pa.string(), pa.list_view(pa.string()), pa.large_list_view(pa.string())])
def test_changes_that_are_no_lists(kind: pa.DataType) -> None:
    array = _changes(pa.array(["abc" if kind == pa.string() else ["abc"]], kind))
    with pytest.raises(mw.EncodeError, match=f"^row 0: expected a column of lists, got one of {kind}"):
        ma.encode_directory(array)


def test_a_text_with_a_terminator_has_no_other_null_character() -> None:
    """It would end there when it is read; zeros in two characters are none."""
    array = ma.decode_directory(pa.array([mqdsrp.encode(mqdsrp.SyncRequestMessage(RequesterName="psc"))]))
    names = ["a\u0100", "a\0b"]
    rows = [array[0].as_py() | {"RequesterName": name.encode("utf-16-le")} for name in names]
    expected = mqdsrp.encode(mqdsrp.SyncRequestMessage(RequesterName=names[0]))
    assert ma.encode_directory(pa.array(rows[:1], array.type)).to_pylist() == [expected]
    with pytest.raises(mw.EncodeError, match=r"^row 1: expected text without null characters, got"):
        ma.encode_directory(pa.array(rows, array.type))


def test_import_is_light() -> None:
    """Only who asks for it pays for pyarrow."""
    code = (
        "import sys, msmq_wire; msmq_wire.decode; sys.exit(bool({'pyarrow', 'numpy'} & sys.modules.keys()))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603  # our own interpreter


@pytest.mark.parametrize("encode", [ma.encode_packets, ma.encode_directory])
def test_rows_that_are_null_with_an_empty_dictionary_of_kinds_are_encoded_as_null(encode: Any) -> None:
    """Such an array has an index 0 below the null, which its dictionary does not have."""
    for kind in (ma.packet_type(), ma.directory_type()):
        assert encode(pa.array([None, None], kind)).to_pylist() == [None, None]


UNTYPED: Any = ma


@pytest.mark.parametrize(
    "refused",
    [
        lambda: UNTYPED.decode_packets(pa.array([b""]), columns=[1]),
        lambda: UNTYPED.decode_packets(pa.array([b""]), columns=5),
        lambda: UNTYPED.decode_packets(pa.array([b""]), text="latin1"),
        lambda: UNTYPED.decode_packets(pa.array([b""]), text=[]),
        lambda: UNTYPED.packet_type(text="latin1"),
        lambda: UNTYPED.validate(pa.array([b""]), []),
        lambda: UNTYPED.validate(pa.array([b""]), "must", channel={}),
        lambda: UNTYPED.decode_packets(memoryview(b"abcd")[::2], offsets=[0, 1]),
        lambda: UNTYPED.cleared(pa.array([b""]), receiver_address=["\ud800"]),
        lambda: UNTYPED.cleared(pa.array([b""]), seen_at=[1 << 70]),
    ],
)
def test_odd_arguments_raise_an_error_of_ours(refused: Callable[[], object]) -> None:
    with pytest.raises(mw.MsmqWireError):
        refused()
