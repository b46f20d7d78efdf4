"""Limits: each bound holds exactly, says where, and costs nothing where it cannot be exceeded."""

from __future__ import annotations

import re
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support_rows import for_each

import msmq_wire as mw
from msmq_wire import (
    GUID,
    DecodeError,
    Limits,
    MsmqWireError,
    PacketStream,
    PropertyValue,
    WrongTypeError,
    mqcn,
    mqdsrp,
    mqmq,
    mqqb,
)
from msmq_wire.checks.sessions import state
from msmq_wire.documents.propid import VARTYPE, by_name
from msmq_wire.values.limits import DEFAULT_LIMITS, UNLIMITED
from msmq_wire.values.properties.values import can_be_exceeded

PARTS: Any = mqmq
MESSAGES: Any = mqdsrp
QUEUE = "OS:a\\b"


def lists(count: int) -> Any:
    """A UserMessage that went to that many queues."""
    element = PARTS.MQFFormatNameElement(FormatName=PARTS.MQFDirectQueueFormatName(DirectFormatName=QUEUE))
    header = PARTS.MultiQueueFormatHeader(
        Destination=PARTS.MQFAddressHeader(FormatNameList=[element] * count)
    )
    return PARTS.UserMessage(MultiQueueFormatHeader=header)


def changes(count: int, properties: int = 0) -> Any:
    one = MESSAGES.DirectoryChange(
        PathName="abc", PropertyID=[104] * properties, PropertyValue=[1] * properties
    )
    return MESSAGES.SyncReplyMessage(DirectoryChanges=[one] * count)


PACKET = mw.encode(lists(3))
REPLY = mw.encode(changes(3, 2))
CERTIFICATES = PARTS.MQUSERSIGNCERTS(Certificates=[PARTS.MQUSERSIGNCERT(Certificate=b"12")] * 3).encode()
TEXT = PropertyValue.of(VARTYPE.VT_LPWSTR, "abcd").encode()
TEXTS = PropertyValue.of(VARTYPE.VT_LPWSTR | VARTYPE.VT_VECTOR, ["a", "abcd"]).encode()
NUMBERS = PropertyValue.of(VARTYPE.VT_UI4 | VARTYPE.VT_VECTOR, [1, 2, 3]).encode()
VALUED = MESSAGES.DirectoryChange(PathName="", PropertyID=[108], PropertyValue=["abcd"]).encode()


def decode_value(vt: int) -> Any:
    return lambda data, **options: PropertyValue.decode(vt, data, **options)


PACKET_SIZE = "UserMessage.BaseHeader.PacketSize"
COUNT = "SyncReplyMessage.SyncReplyHeader.Count"
PING = mqqb.PingPacket().encode()
CASES: list[tuple[str, Any, bytes, str, int, str, str, int]] = [
    ("packet", mw.decode, PACKET, "packet_size", len(PACKET), "BaseHeader", PACKET_SIZE, 8),
    ("body", mqdsrp.decode, REPLY, "packet_size", len(REPLY), "SyncReplyMessage", "SyncReplyMessage", 0),
    ("class", mqqb.PingPacket.decode, PING, "packet_size", 24, "PingPacket", "PingPacket", 0),
    ("value", decode_value(VARTYPE.VT_LPWSTR), TEXT, "packet_size", 10, "PropertyValue", "PropertyValue", 0),
    ("names", mw.decode, PACKET, "queues", 3, "MQFAddressHeader",
     "UserMessage.MultiQueueFormatHeader.Destination.ElementCount", 128),
    ("certificates", mqmq.MQUSERSIGNCERTS.decode, CERTIFICATES, "elements", 3, "MQUSERSIGNCERTS",
     "MQUSERSIGNCERTS.CertificateCount", 0),
    ("direct name", mw.decode, PACKET, "string_length", 6, "MQFDirectQueueFormatName", "", -1),
    ("changes", mqdsrp.decode, REPLY, "changes", 3, "SyncReplyHeader", COUNT, 58),
    ("properties", mqdsrp.decode, REPLY, "properties", 2, "DirectoryChange",
     "SyncReplyMessage.DirectoryChanges[0].NumberOfProperties", 116),
    ("path name", mqdsrp.decode, REPLY, "string_length", 3, "DirectoryChange",
     "SyncReplyMessage.DirectoryChanges[0].PathName", 68),
    ("text", decode_value(VARTYPE.VT_LPWSTR), TEXT, "string_length", 4, "PropertyValue", "PropertyValue", 0),
    ("texts", decode_value(VARTYPE.VT_LPWSTR | VARTYPE.VT_VECTOR), TEXTS, "string_length", 4, "PropertyValue",
     "PropertyValue", 0),
    ("vector", decode_value(VARTYPE.VT_UI4 | VARTYPE.VT_VECTOR), NUMBERS, "elements", 3, "PropertyValue",
     "PropertyValue", 0),
    ("value of a change", mqdsrp.DirectoryChange.decode, VALUED, "string_length", 4, "DirectoryChange",
     "DirectoryChange.PropertyValue[0]", 49),
]  # fmt: skip


@for_each(
    ("read", "data", "name", "least", "structure", "path", "offset"), lambda: [case[1:] for case in CASES]
)
def test_bound(read: Any, data: bytes, name: str, least: int, structure: str, path: str, offset: int) -> None:
    """Exactly as much is taken as is allowed, and what is too much is named with its place."""
    assert read(data, limits=Limits(**{name: least})) == read(data)
    with pytest.raises(DecodeError) as caught:
        read(data, limits=Limits(**{name: least - 1}))
    error = caught.value
    assert error.structure == structure
    assert error.limit == f"Limits.{name}"
    assert (error.expected, error.actual) == (f"at most {least - 1}", least)
    assert str(error).startswith(f"{name.replace('_', ' ')}: expected at most {least - 1}, found {least} (")
    if path:
        assert (error.path, error.offset) == (path, offset)


REFUSE_NOTHING = {"fields", "lax_fields", "violations"}


@for_each("name", lambda: sorted({*Limits.__struct_fields__} - REFUSE_NOTHING))
def test_every_limit_has_a_case(name: str) -> None:
    assert any(case[3] == name for case in CASES)


def test_both_readers_come_to_the_same_verdict() -> None:
    for name in ("queues", "string_length"):
        for most in range(9):
            limits = Limits(**{name: most})
            result = mw.decode_lax(PACKET, limits=limits)
            assert (result.packet is None) == (result.error is not None)
            verdict: object
            try:
                verdict = mw.decode(PACKET, limits=limits)
            except DecodeError as error:
                verdict = str(error)
            assert verdict == (result.packet or str(result.error))


def test_lax_reading_stops_at_a_limit() -> None:
    result = mw.decode_lax(PACKET, limits=Limits(queues=2))
    assert list(result.headers) == ["BaseHeader", "UserHeader", "MessagePropertiesHeader"]
    large = mw.decode_lax(PACKET, limits=Limits(packet_size=len(PACKET) - 1))
    assert list(large.headers) == ["BaseHeader"]
    assert large.error is not None
    assert large.error.limit == "Limits.packet_size"
    assert large.rest == PACKET[16:]
    change = mqdsrp.decode_lax(REPLY, limits=Limits(properties=1))
    assert change.error is not None
    assert change.error.limit == "Limits.properties"
    assert change.headers["DirectoryChanges"] == ()
    whole = mqdsrp.decode_lax(REPLY, limits=Limits(packet_size=9))
    assert (dict(whole.headers), whole.rest) == ({}, REPLY)


def test_changes_one_at_a_time() -> None:
    taken = mqdsrp.iter_changes(REPLY, limits=Limits(properties=1))
    with pytest.raises(DecodeError, match="properties: expected at most 1, found 2"):
        next(taken)
    with pytest.raises(DecodeError, match="changes: expected at most 2, found 3"):
        next(mqdsrp.iter_changes(REPLY, limits=Limits(changes=2)))
    with pytest.raises(DecodeError, match="packet size"):
        next(mqdsrp.iter_changes(REPLY, limits=Limits(packet_size=20)))


def test_notifications() -> None:
    parts: Any = mqcn
    update = parts.NotificationUpdate(PathName="abc")
    data = parts.ChangeNotificationMessage(Data=parts.NotificationUpdates(Updates=[update] * 2)).encode()
    assert mqcn.decode(data, limits=Limits(changes=2)).NumberOfUpdateNotifications == 2
    with pytest.raises(DecodeError, match="changes: expected at most 1, found 2"):
        mqcn.decode(data, limits=Limits(changes=1))
    result = mqcn.decode_lax(data, limits=Limits(string_length=2))
    assert result.error is not None
    assert result.error.limit == "Limits.string_length"


def test_streams() -> None:
    stream = PacketStream(limits=Limits(queues=2))
    assert stream.feed(PACKET + mw.encode(lists(2))) == [lists(2)]
    (skipped,) = stream.skipped
    assert skipped.error.limit == "Limits.queues"
    large = PacketStream(2 * DEFAULT_LIMITS.packet_size)
    body = bytes(DEFAULT_LIMITS.packet_size)
    packet = PARTS.UserMessage(MessagePropertiesHeader=PARTS.MessagePropertiesHeader(MessageBody=body))
    assert large.feed(packet.encode()) == [packet]


def test_the_largest_packet() -> None:
    """What the documents allow is taken; one byte more is not, unless somebody wants it."""
    room = DEFAULT_LIMITS.packet_size - 120
    rider = PARTS.SessionHeader()
    packet = PARTS.UserMessage(
        MessagePropertiesHeader=PARTS.MessagePropertiesHeader(MessageBody=bytes(room)), SessionHeader=rider
    )
    data = packet.encode()
    assert len(data) == DEFAULT_LIMITS.packet_size + 16
    assert mw.decode(data) == packet
    body = PARTS.MessagePropertiesHeader(MessageBody=bytes(room + 4))
    over = PARTS.UserMessage(MessagePropertiesHeader=body).encode()
    with pytest.raises(DecodeError, match="packet size: expected at most 4194304, found 4194308"):
        mw.decode(over)
    assert mw.decode(over, limits=UNLIMITED).encode() == over
    assert mw.decode(over, limits=Limits(packet_size=len(over))).encode() == over


def test_bytes_behind_a_packet_are_no_part_of_its_size() -> None:
    with pytest.raises(DecodeError, match="5 bytes left over"):
        mw.decode(PACKET + bytes(5), limits=Limits(packet_size=len(PACKET)))


@pytest.mark.parametrize("value", [-1, None, "9", 1.5])
def test_no_limit(value: Any) -> None:
    with pytest.raises(
        MsmqWireError, match=r"^Limits\.changes(?: is -1, which is not a count|: expected a number, got )"
    ):
        Limits(changes=value)


def test_none_can_be_exceeded_without_limits() -> None:
    assert UNLIMITED.bound("changes", 59) is None
    assert UNLIMITED.packet_size == sys.maxsize


def test_a_limit_that_no_input_exceeds_is_none() -> None:
    """One element more has to fit the largest packet, and the field that counts the elements."""
    limits = Limits(changes=9, packet_size=100)
    assert limits.bound("changes", 10) == 9
    assert limits.bound("changes", 11) is None
    assert limits.bound("changes", 1, 10) == 9
    assert limits.bound("changes", 1, 9) is None


@pytest.mark.parametrize(
    ("limits", "possible"),
    [
        ({"elements": 99}, True),  # a vector of bytes
        ({"elements": 100}, False),
        ({"string_length": 49}, True),
        ({"string_length": 50}, False),
    ],
)
def test_values_are_counted_only_if_a_limit_can_be_exceeded(limits: dict[str, int], possible: bool) -> None:
    assert (
        can_be_exceeded(Limits(**{"packet_size": 100, "elements": 100, "string_length": 100} | limits))
        == possible
    )


def test_vectors_are_refused_before_they_are_read() -> None:
    """What is refused takes no memory in proportion to the vector."""
    count = 200_000
    vector = count.to_bytes(4, "little") + b"".join(number.to_bytes(4, "little") for number in range(count))
    small = Limits(elements=10)
    tracemalloc.start()
    with pytest.raises(DecodeError, match="elements"):
        PropertyValue.decode(VARTYPE.VT_UI4 | VARTYPE.VT_VECTOR, vector, limits=small)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < len(vector) // 4


def test_vectors_among_other_values_are_refused_before_they_are_read() -> None:
    """Within a message, where the bytes of a vector are a copy."""
    wanted = by_name("PROPID_QM_CNS")
    assert wanted is not None
    vector = PropertyValue.of(wanted.vartype, [GUID(bytes(16))] * 50_000)
    change = mqdsrp.DirectoryChange(
        GuidIdentifier=GUID(bytes(16)), PropertyID=[wanted.number], PropertyValue=[vector]
    ).encode()
    tracemalloc.start()
    with pytest.raises(DecodeError, match="elements"):
        mqdsrp.DirectoryChange.decode(change, limits=Limits(elements=10))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < len(change) // 4


def test_explanations_are_held_to_limits() -> None:
    last = mw.explain(PACKET, limits=Limits(queues=2)).splitlines()[-1]
    assert last.startswith("error")
    assert "queues: expected at most 2, found 3" in last
    assert "error" not in mw.explain(PACKET, limits=Limits(queues=3))
    assert "Limits.packet_size" in mw.explain(PACKET, limits=Limits(packet_size=len(PACKET) - 1))
    assert "Limits.packet_size" in mw.explain(PING, "PingPacket", limits=Limits(packet_size=23))
    assert "Limits.changes" in mw.explain(REPLY, "SyncReplyMessage", limits=Limits(changes=2))
    assert "Limits.elements" in mw.explain(CERTIFICATES, "MQUSERSIGNCERTS", limits=Limits(elements=2))
    many = lists(DEFAULT_LIMITS.queues + 1)
    assert "Limits.queues" in mw.explain(many)
    assert "Limits.queues" not in mw.explain(many, limits=UNLIMITED)


@pytest.mark.parametrize("variant", [VARTYPE.VT_VARIANT, VARTYPE.VT_LPWSTR])
def test_texts_within_a_vector_are_held_to_limits(variant: VARTYPE) -> None:
    value = PropertyValue(VARTYPE.VT_LPWSTR, "four") if variant is VARTYPE.VT_VARIANT else "four"
    data = PropertyValue.of(variant | VARTYPE.VT_VECTOR, (value,)).encode()
    kept = PropertyValue.decode(variant | VARTYPE.VT_VECTOR, data, limits=Limits(string_length=4))
    assert kept.encode() == data
    with pytest.raises(DecodeError) as caught:
        PropertyValue.decode(variant | VARTYPE.VT_VECTOR, data, limits=Limits(string_length=3))
    assert (caught.value.limit, caught.value.actual) == ("Limits.string_length", 4)


PAGE = (Path(__file__).parents[2] / "docs/reference/limits.md").read_text("utf-8")
NUMBER = re.compile(r"\d[\d,]*")


def numbers(row: str) -> list[int]:
    """The numbers in the second column of a row of the page, without those in names of documents."""
    (line,) = re.findall(rf"^\| {re.escape(row)} \| (.*) \|", PAGE, re.MULTILINE)
    return [int(found.replace(",", "")) for found in NUMBER.findall(line.split(" | ")[0])]


def test_the_page_says_each_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .* \| (\d[\d,]*)", PAGE, re.MULTILINE)
    assert {name: int(shown.replace(",", "")) for name, shown in rows} == msgspec.structs.asdict(Limits())


@pytest.mark.parametrize(
    ("row", "bounds"),
    [
        ("messages of each side that a `SessionMonitor` tracks",
         [state.MAX_REMEMBERED, state.MAX_SEQUENCES, state.MAX_QUEUES, *[state.MAX_REMEMBERED] * 2]),
        ("finished sessions that a `SessionMonitor` keeps", [state.MAX_FINISHED]),
    ],
)  # fmt: skip
def test_the_page_says_each_bound(row: str, bounds: list[int]) -> None:
    assert numbers(row) == bounds


def test_limits_are_counts() -> None:
    for name in Limits.__struct_fields__:
        for wrong in (None, "1", 1.5):
            with pytest.raises(WrongTypeError, match=f"^Limits.{name}: expected a number, got "):
                Limits(**{name: wrong})  # type: ignore[arg-type]  # the point of the test
        with pytest.raises(mw.MsmqWireError, match=f"^Limits.{name} is -1, which is not a count") as caught:
            Limits(**{name: -1})
        assert not isinstance(caught.value, TypeError)
