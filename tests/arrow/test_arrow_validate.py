"""Outcomes on many packets are those on each: valid ones, bent ones, damaged ones."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption
from support_examples import examples, share
from support_rows import for_each, table

import msmq_wire as mw
from msmq_wire import arrow, mqdsrp, mqmq, mqqb
from msmq_wire import testing as mt
from msmq_wire.arrow import VIOLATION, cleared, validate
from msmq_wire.arrow._filling.nested import TreeColumn
from msmq_wire.arrow._filling.store import Store
from msmq_wire.arrow._input import rows_of
from msmq_wire.arrow._reading.vectors import directory_kinds, packet_kinds, read_chunks
from msmq_wire.arrow._rows import Outcomes
from msmq_wire.arrow._validators import clearing, functions
from msmq_wire.arrow._validators.comparisons import among, ended
from msmq_wire.arrow.schema import directory_tree, packet_tree
from msmq_wire.checks.rules import CHANNELS, LEVELS
from msmq_wire.packets.kinds import record_of
from msmq_wire.testing.bent import records as _bent
from msmq_wire.testing.strategies.choices import rolled

if TYPE_CHECKING:
    from collections.abc import Callable

FEW = settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
G1 = mw.GUID(b"\x11" * 16)
QUEUES: tuple[Any, ...] = (
    "DIRECT=OS:host\\queue",
    "DIRECT=TCP:10.0.0.1\\private$\\queue",
    f"PUBLIC={G1}",
    mqmq.PrivateQueueFormatNameId(7),
)


def _to(number: int) -> dict[str, Any]:
    """One of `QUEUES` as a destination, with the queue manager that a queue without a direct name has."""
    return {"DestinationQueue": QUEUES[number], "QueueManagerAddress": G1 if number > 1 else mw.NULL_GUID}


def _plain(**fields: Any) -> Any:
    properties = mqmq.MessagePropertiesHeader(
        **{"Label": "label", "ExtensionData": b"more", "MessageBody": b"body", **fields}
    )
    return mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(SourceQueueManager=G1, DestinationQueue=QUEUES[0]),
        MessagePropertiesHeader=properties,
    )


def _one_by_one(data: list[bytes | None], level: Any, channel: Any) -> list[Any]:
    rows: list[Any] = []
    for one in data:
        try:
            found = None if one is None else mw.validate(record_of(one), level, channel=channel)
        except mw.MsmqWireError:
            found = None
        rows.append(None if found is None else [(item.requirement, item.path, item.offset) for item in found])
    return rows


def _compare(data: list[bytes | None], level: Any, channel: Any, *, exact: bool = False) -> None:
    """Hold verdicts on columns against those on records; `exact` if columns alone clear each valid packet."""
    found = validate(pa.array(data, pa.binary()), level, channel=channel)
    assert found.type == pa.list_(VIOLATION)
    rows = [
        None if row is None else [(item["requirement"], item["path"], item["offset"]) for item in row]
        for row in found.to_pylist()
    ]
    expected = _one_by_one(data, level, channel)
    assert rows == expected
    clear = cleared(pa.array(data, pa.binary()), level, channel=channel).to_pylist()
    assert all(row == [] for row, known in zip(expected, clear, strict=True) if known)
    assert not exact or clear == [row == [] for row in expected]


def _records(requirement: str, count: int) -> list[bytes | None]:
    """Packets that break a requirement."""
    found: list[bytes | None] = []
    for seed in range(count):
        try:
            places = _bent.sites_of_rules()[requirement]
            dice = rolled(Random(seed))  # noqa: S311  # any will do
            record = _bent.broken_record(dice, requirement, places[seed % len(places)])
            found.append(record.encode())
        except (KeyError, UnsatisfiedAssumption, mw.EncodeError):
            continue
    return found


@pytest.mark.each(2)
@FEW
@given(st.lists(st.one_of(st.none(), st.binary(max_size=200), mt.packets().map(mw.encode)), max_size=8))
@pytest.mark.parametrize("columns", [None, ["BaseHeader.TimeToReachQueue", "UserHeader.Flags.DM"]])
@pytest.mark.parametrize("style", [{}, {"spark": True, "text": "utf8"}])
def test_columns_and_verdicts_together(
    columns: list[str] | None, style: dict[str, Any], data: list[bytes | None]
) -> None:
    """Columns that are read for both are those that are read for one, whatever was selected."""
    rows = pa.array(data, pa.binary())
    decoded, clear = arrow.decode_and_clear(rows, "practice", columns=columns, **style)
    assert decoded.equals(arrow.decode_packets(rows, columns=columns, **style))
    assert clear.equals(arrow.cleared(rows, "practice"))


@pytest.mark.each(24)
@for_each("requirement", lambda: mt.BENDABLE)
def test_bent_packets(requirement: str) -> None:
    data = _records(requirement, share(4))
    _compare(data, mt.BENDABLE[requirement], "session", exact=True)
    _compare(data, "practice", "stored", exact=True)


def _set(message: Any, path: str, value: Any) -> bytes:
    return _bent.bend(message, path, value).encode()  # type: ignore[no-any-return]  # bytes


NUMBERS = (0, 1, 2, 3, 5, 8, 0x10, 0x1E, 0x5A, 0xFF, 0x3FFF, 0x4000, 0x6601, 0x8004, 0xFFFF)
PATHS = (
    "BaseHeader.VersionNumber",
    "BaseHeader.Reserved",
    "BaseHeader.Flags",
    "BaseHeader.PacketSize",
    "UserHeader.Flags",
    "UserHeader.Flags.RC",
    "UserHeader.Flags.DM",
    "UserHeader.Flags.DQ",
    "UserHeader.Flags.MP",
    "UserHeader.QueueManagerAddress",
    "MessagePropertiesHeader.Flags",
    "MessagePropertiesHeader.LabelLength",
    "MessagePropertiesHeader.MessageClass",
    "MessagePropertiesHeader.BodyType",
    "MessagePropertiesHeader.MessageSize",
    "MessagePropertiesHeader.AllocationBodySize",
    "MessagePropertiesHeader.PrivacyLevel",
    "MessagePropertiesHeader.HashAlgorithm",
    "MessagePropertiesHeader.EncryptionAlgorithm",
    "MessagePropertiesHeader.ExtensionSize",
)


@pytest.mark.long
@for_each("path", lambda: PATHS)
def test_each_number_of_a_plain_message(path: str) -> None:
    data: list[bytes | None] = []
    for number in NUMBERS:
        try:
            value: Any = mw.GUID(bytes([number & 255] * 16)) if "Address" in path else number
            data.append(_set(_plain(), path, value))
        except (mw.EncodeError, ValueError, TypeError):
            continue  # a number that does not fit
    assert data
    for level in LEVELS:
        _compare(data, level, "session", exact=True)


LABELS = ("", "\0", "x", "x\0", "x\0\0", "x\0y\0", "\0x", "l" * 249 + "\0", "\u0100\0", "\0\0", "xy\0")


def _labelled(label: str) -> bytes:
    header = mqmq.MessagePropertiesHeader(MessageBody=b"b")
    header = mw.replace(header, Label=label, LabelLength=len(label))
    return mw.encode(mw.replace(_plain(), MessagePropertiesHeader=header))


@for_each("label", lambda: LABELS)
def test_labels(label: str) -> None:
    _compare([_labelled(label), _plain().encode()], "practice", "session", exact=True)


def test_labels_together() -> None:
    """Null characters of one text are not those of its neighbours."""
    data: list[bytes | None] = [*map(_labelled, LABELS)]
    for rows in (data, data[::-1], [None, *data], data[3:] + data, data[:1] * 3, data[:2] * 2):
        _compare(rows, "practice", "session", exact=True)
    array = pa.array(data)[2:]
    assert cleared(array, "practice").to_pylist() == cleared(pa.array(data), "practice").to_pylist()[2:]


def _ack(kind: Any, **properties: Any) -> Any:
    """An acknowledgment to a machine with a known address."""
    return _to_address(
        kind(
            UserHeader=mqmq.UserHeader(
                SourceQueueManager=G1, DestinationQueue=mqmq.PrivateQueueFormatNameId(4)
            ),
            MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="QM Ordering Ack", **properties),
        )
    )


CONTEXTS: tuple[dict[str, Any], ...] = ({}, {"seen_at": [1.0], "receiver_address": ["10.0.0.1"]})
SOUND: dict[str, Any] = {
    "OrderAck": lambda: _ack(
        mqqb.OrderAck,
        MessageClass=0xFF,
        MessageBody=mqqb.OrderAckBody(TxSequenceNumber=3, TxPreviousSequenceNumber=2).encode(),
    ),
    "FinalAck": lambda: _ack(
        mqqb.FinalAck, MessageClass=0x4000, MessageBody=mqqb.FinalAckBody(SourceGUID=G1).encode()
    ),
    "SessionAck": mqqb.SessionAck,
    "EstablishConnection": lambda: mqqb.EstablishConnection(
        EstablishConnectionHeader=mqqb.EstablishConnectionHeader(ClientGuid=G1)
    ),
    "ConnectionParameters": mqqb.ConnectionParameters,
    "UserMessage": _plain,
}


@pytest.mark.long
@for_each("level", lambda: LEVELS)
@for_each("kind", lambda: SOUND)
def test_columns_clear_each_kind_of_packet(kind: str, level: Any) -> None:
    """A valid one is not decoded as a record, also where the context is known; among others as alone."""
    others = [one().encode() for one in SOUND.values()]
    data = SOUND[kind]().encode()
    channels: tuple[Any, ...] = ("session", "stored")
    for channel in channels:
        for more in CONTEXTS:
            assert not mw.validate(mw.decode(data), level, channel=channel)
            assert cleared(pa.array([data]), level, channel=channel, **more).to_pylist() == [True]
            rows = pa.array([*others, data])
            several = {name: value * len(rows) for name, value in more.items()}
            assert cleared(rows, level, channel=channel, **several).to_pylist() == [True] * len(rows)


@pytest.mark.parametrize(
    "name",
    [
        "OS:host\\queue",
        "DIRECT=OS:host\\queue",
        "nothing",
        "OS:host\\private$\\mqis_queue$",
        "SPX:1.2\\q",
        "",
    ],
)
def test_names(name: str) -> None:
    queue = mqmq.DirectQueueFormatName(DirectFormatName=name + "\0")
    header = mw.replace(_plain().UserHeader, DestinationQueue=queue)
    _compare([mw.replace(_plain(), UserHeader=header).encode()], "practice", "session", exact=True)


@pytest.mark.each(3)
@for_each("channel", lambda: CHANNELS)
@for_each("level", lambda: LEVELS)
def test_any_packets(level: Any, channel: Any) -> None:
    @FEW
    @given(st.lists(st.one_of(st.none(), st.binary(max_size=200), mt.packets().map(mw.encode)), max_size=4))
    def look(data: list[bytes | None]) -> None:
        _compare(data, level, channel)

    look()


@FEW
@given(mt.near_valid_bytes(mqmq.UserMessage), st.randoms(use_true_random=False), st.integers(0, 3))
def test_damaged_plain_messages(near: bytes, random: Random, queue: int) -> None:
    header = mw.replace(_plain().UserHeader, **_to(queue))
    data = bytearray(mw.replace(_plain(), UserHeader=header).encode())
    for _ in range(random.randrange(3)):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    _compare([bytes(data), near], "practice", "session")


def test_plain_messages_are_not_judged_one_by_one() -> None:
    """Work, not time: none of 20,000 plain rows reaches the record validator, but the one with a fault."""
    data = [
        mw.replace(_plain(), UserHeader=mqmq.UserHeader(**_to(queue), MessageID=number)).encode()
        for queue in range(len(QUEUES))
        for number in range(50)
    ]
    bad = _plain(BodyType=9).encode()
    array = pa.array([*data * 100, bad], pa.binary())
    with mock.patch.object(clearing, "record_of", wraps=mw.decode) as judged:
        found = validate(array)
    assert judged.call_count == 1
    assert found[len(array) - 1].as_py()[0]["requirement"] == "MQMQ-2.2.19.3-20"
    assert pa.compute.list_value_length(found).to_numpy().sum() == 1


def _varied(number: int) -> Any:
    """A valid message, in one of many forms."""
    sid = b"\x01\x05\0\0\0\0\0\x05" + bytes([number % 7] * 20)
    signed = {"Signature": b"s" * 20, "SenderCert": b"\x30\x82" + bytes(40)} if number % 3 else {}
    security = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(SecurityID=sid, **signed))
    return mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=G1,
            **_to(number % 4),
            AdminQueue=QUEUES[number % 2] if number % 5 else None,
            ResponseQueue=QUEUES[2] if number % 3 else None,
        ),
        TransactionHeader=mqmq.TransactionHeader() if number % 2 else None,
        SecurityHeader=security if number % 7 else None,
        SessionHeader=mqmq.SessionHeader(AckSequenceNumber=number) if number % 11 == 0 else None,
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Flags=mqmq.MessagePropertiesHeaderFlags(PA=int(number % 5 != 0)),
            Label="label" * (number % 2),
            MessageBody=b"body",
            BodyType=(0, 8, 0x1011)[number % 3],
        ),
    )


KEY = mqqb.SIMPLEBLOB(encryptedKey=b"k" * 64)
NAMES = (
    mqmq.MQFDirectQueueFormatName(DirectFormatName="OS:host\\queue"),
    mqmq.PublicQueueFormatName(PublicQueueIdentifier=G1),
)


def _rare(number: int) -> Any:
    """A valid message with parts that few have."""
    several = mqmq.MultiQueueFormatHeader(
        Destination=mqmq.MQFAddressHeader(
            HeaderID=0x64,
            FormatNameList=[mqmq.MQFFormatNameElement(FormatName=NAMES[number % 2])] * (number % 3 + 1),
        ),
        Administration=mqmq.MQFAddressHeader(HeaderID=0xC8),
        Response=mqmq.MQFAddressHeader(HeaderID=0x12C),
    )
    secured = mqmq.SecurityData(
        SecurityID=b"\x01\x01\0\0\0\0\0\x05\x12\0\0\0", EncryptionKey=KEY.encode(), Signature=b"s" * 20,
        ProviderInfo=mqmq.ProviderInfo(ProviderType=1, ProviderName=f"provider {number % 4}").encode(),
    )  # fmt: skip
    return mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(**_to(number % 4)),
        SecurityHeader=mqmq.SecurityHeader(SecurityData=secured) if number % 3 else None,
        SoapHeader=mqmq.SoapHeader(Header="<h/>", Body="<b/>") if number % 5 else None,
        DebugHeader=mqmq.DebugHeader(QueueIdentifier=G1) if number % 2 else None,
        MultiQueueFormatHeader=several if number % 7 else None,
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=b"body"),
    )


def test_rare_parts_are_judged_once() -> None:
    records = [_rare(number) for number in range(420)]
    assert not any(mw.validate(record) for record in records)
    array = pa.array([record.encode() for record in records], pa.binary())
    with mock.patch.object(functions, "validate", wraps=mw.validate) as judged:
        assert pc.all(cleared(array)).as_py()
        assert cleared(array).equals(cleared(array))
    assert judged.call_count < 100  # the lists, keys and providers that differ, and none of the messages
    assert {type(call.args[0]).__name__ for call in judged.call_args_list} <= {
        "MultiQueueFormatHeader", "SIMPLEBLOB", "ProviderInfo", "DirectQueueFormatName",
    }  # fmt: skip


@pytest.mark.parametrize("read", [cleared, lambda array: arrow.decode_and_clear(array)[1]])
def test_lists_of_queues_are_judged_where_they_are(read: Any) -> None:
    """They begin and end in their row: no row is decoded for them."""
    last = mqqb.SessionAck()  # the last row is never read with others
    array = pa.array([record.encode() for record in (*map(_rare, range(90)), last)], pa.binary())
    with mock.patch.object(clearing, "record_of", wraps=mw.decode) as judged:
        assert pc.all(read(array)).as_py()
    assert judged.call_count == 0


@FEW
@given(st.integers(0, 420), st.integers(0, 2**32), st.sampled_from(LEVELS), st.sampled_from(CHANNELS))
def test_rare_parts_with_faults(number: int, seed: int, level: Any, channel: Any) -> None:
    chance = Random(seed)  # noqa: S311  # drawn faults need no secrecy
    data = [_rare(number).encode()]
    for _ in range(6):
        whole = bytearray(data[0])
        for _ in range(chance.randrange(1, 4)):
            whole[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        data.append(bytes(whole))
    _compare([*data], level, channel)


@pytest.mark.parametrize("end", [b"\x40\0", b"\0\xd8", b"\0\0"])
@pytest.mark.parametrize("field", ["DestinationQueue", "AdminQueue", "ResponseQueue"])
def test_names_without_a_terminator(field: str, end: bytes) -> None:
    """They are judged as they were sent, although one that is given gets a terminator."""
    name = mqmq.DirectQueueFormatName(DirectFormatName="TCP:10.0.0.1\\private$\\q")
    queues: Any = {"DestinationQueue": QUEUES[0], field: name}
    whole = mqmq.UserMessage(UserHeader=mqmq.UserHeader(**queues)).encode()
    at = whole.index("q\0".encode("utf-16-le")) + 2
    data = [whole[:at] + end + whole[at + 2 :], whole]
    _compare([*data], "must", "session")
    sound = [not mw.validate(mw.decode(one), channel="session") for one in data]
    assert sound[0] == (sound[1] and end == b"\0\0")
    assert cleared(pa.array(data, pa.binary())).to_pylist() == sound


def test_messages_of_many_forms_are_not_judged_one_by_one() -> None:
    records = [_varied(number) for number in range(400)]
    assert not any(mw.validate(record) for record in records)
    acks = [mqqb.SessionAck().encode()] * 10
    array = pa.array([*(record.encode() for record in records), *acks], pa.binary())
    with mock.patch.object(clearing, "record_of", wraps=mw.decode) as judged:
        found = validate(array)
    assert judged.call_count == 0
    assert pa.compute.list_value_length(found).to_numpy().sum() == 0


@FEW
@given(st.integers(0, 400), st.integers(0, 2**32), st.sampled_from(LEVELS), st.sampled_from(CHANNELS))
def test_messages_of_many_forms_with_faults(number: int, seed: int, level: Any, channel: Any) -> None:
    chance = Random(seed)  # noqa: S311  # drawn faults need no secrecy
    data = []
    for _ in range(6):
        whole = bytearray(_varied(number).encode())
        for _ in range(chance.randrange(1, 4)):
            whole[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        data.append(bytes(whole))
    _compare([*data, _varied(number).encode()], level, channel)


def test_messages_to_a_directory_are_judged() -> None:
    request = mqdsrp.wrap(mqdsrp.SyncRequestMessage(RequesterName="psc"), "host", G1)
    _compare([request.encode(), _set(request, "BaseHeader.Flags.PR", 0)], "must", "session")


def test_forms_of_input() -> None:
    one, other = _plain().encode(), _plain(BodyType=9).encode()
    whole = validate(pa.array([one, None, other, b"no packet"], pa.large_binary()))
    assert [row and len(row) for row in whole.to_pylist()] == [[], None, whole.to_pylist()[2] and 1, None]
    assert validate(pa.array([one, other])[1:]).to_pylist() == whole.to_pylist()[2:3]
    assert validate(one + other, offsets=np.array([0, len(one), len(one + other)])).to_pylist() == [
        [],
        whole.to_pylist()[2],
    ]
    assert validate(pa.array([], pa.binary())).to_pylist() == []
    with pytest.raises(mw.MsmqWireError, match="expected an Arrow array of bytes"):
        validate(pa.array([1]))
    with pytest.raises(ValueError, match="level is 'may', not one of"):
        validate(pa.array([one]), "may")  # type: ignore[arg-type]  # this is the mistake


@pytest.mark.parametrize("part", ["SessionHeader", "TransactionHeader"])
def test_what_every_message_has(part: str) -> None:
    """A part that no message lacks is cleared as one that some lack."""
    header: Any = {"SessionHeader": mqmq.SessionHeader(), "TransactionHeader": mqmq.TransactionHeader()}[part]
    message = mqmq.UserMessage(**{part: header})
    assert cleared(pa.array([message.encode()] * 3)).to_pylist() == [True] * 3
    mixed = [message.encode(), mqmq.UserMessage().encode()]
    assert cleared(pa.array(mixed)).to_pylist() == [True] * 2
    size = message.BaseHeader.PacketSize
    wrong = mw.replace(message, BaseHeader=mw.replace(message.BaseHeader, PacketSize=size + 16))
    assert not cleared(pa.array([wrong.encode()])).to_pylist()[0]


def _sent(sent: int, lasts: int) -> Any:
    header = mw.replace(_plain().UserHeader, SentTime=sent)
    return mw.replace(
        _plain(), UserHeader=header, BaseHeader=mw.replace(_plain().BaseHeader, TimeToReachQueue=lasts)
    )


def _to_address(ack: Any) -> Any:
    queue = mqmq.DirectQueueFormatName(DirectFormatName="TCP:10.0.0.1\\private$\\order_queue$\0")
    return mw.replace(ack, UserHeader=mw.replace(ack.UserHeader, DestinationQueue=queue))


@FEW
@given(
    st.lists(
        st.tuples(
            st.integers(0, 2**32 - 1),
            st.one_of(st.just(2**32 - 1), st.integers(0, 300), st.integers(0, 2**32 - 1)),
            st.one_of(st.none(), st.integers(-2, 2), st.integers(0, 2**34)),
        ),
        max_size=6,
    ),
    st.booleans(),
    st.booleans(),
)
def test_when_packets_were_seen(
    rows: list[tuple[int, int, int | None]], stamps: bool, is_coded: bool
) -> None:
    """A time within a second of the last one in time, far from it, or none."""
    records = [_sent(sent, lasts) for sent, lasts, _ in rows]
    times = [
        None if seen is None else seen if seen > 2 else max(sent + lasts + seen / 2, 0)
        for sent, lasts, seen in rows
    ]
    given_times = pa.array(times, pa.float64())
    if stamps:
        given_times = pa.array([time and time * 1000 for time in times], pa.timestamp("ms", "UTC"))
    if is_coded:
        given_times = given_times.dictionary_encode()
    array = pa.array([record.encode() for record in records], pa.binary())
    expected = [
        [one.requirement for one in mw.validate(record, context=mw.Context(seen_at=time))]
        for record, time in zip(records, times, strict=True)
    ]
    found = validate(array, seen_at=given_times).to_pylist()
    assert [[one["requirement"] for one in row] for row in found] == expected
    clear = cleared(array, seen_at=given_times).to_pylist()
    assert clear == [not row for row in expected]


def test_where_packets_were_seen() -> None:
    """An acknowledgment goes to the address in the name of its queue."""
    header = mqmq.UserHeader(DestinationQueue=mqmq.PrivateQueueFormatNameId(4))
    properties = mqmq.MessagePropertiesHeader(
        Label="QM Ordering Ack",
        MessageClass=0x00FF,
        MessageBody=mqqb.OrderAckBody(TxSequenceNumber=3, TxPreviousSequenceNumber=2).encode(),
    )
    ack = _to_address(mqqb.OrderAck(UserHeader=header, MessagePropertiesHeader=properties))
    addresses = ["10.0.0.1", "10.0.0.2", None]
    found = validate(pa.array([ack.encode()] * 3), receiver_address=addresses).to_pylist()
    others = [{one["requirement"] for one in row} for row in found]
    assert others[0] == others[2] == others[1] - {"MQQB-2.2.4-07"}
    assert "MQQB-2.2.4-07" in others[1]


def test_times_and_addresses_of_other_rows() -> None:
    array = pa.array([_plain().encode()])
    with pytest.raises(mw.MsmqWireError, match="expected times and addresses of 1 packet, got 2"):
        validate(array, seen_at=[1.0, 2.0])
    with pytest.raises(mw.MsmqWireError, match="texts in receiver_address"):
        validate(array, receiver_address=[[1]])
    for times in (["soon"], ["5"], [True]):
        with pytest.raises(mw.MsmqWireError, match="expected times in seen_at"):
            cleared(array, seen_at=times)
    with pytest.raises(mw.MsmqWireError, match="texts in receiver_address: got addresses of int64"):
        validate(array, receiver_address=pa.array([5]).dictionary_encode())


@pytest.mark.parametrize("judge", [validate, cleared, arrow.decode_and_clear])
@pytest.mark.parametrize("time", [1.7e12, -1.7e12, float("inf"), float("nan")])
def test_times_that_a_context_does_not_accept(judge: Any, time: float) -> None:
    """They are an error, as in a `Context`, and hide no violation."""
    with pytest.raises(mw.MsmqWireError) as refused:
        mw.Context(seen_at=time)
    array = pa.array([_sent(100, 10).encode()] * 3)
    with pytest.raises(mw.MsmqWireError, match=f"^row 1: {refused.value}$"):
        judge(array, seen_at=pa.array([None, time, 1.0], pa.float64()))


def test_timestamps_that_microseconds_cannot_hold() -> None:
    array = pa.array([_sent(100, 10).encode()])
    with pytest.raises(mw.MsmqWireError, match="expected times in seen_at"):
        validate(array, seen_at=pa.array([1 << 62], pa.timestamp("s")))
    assert cleared(array, seen_at=pa.array([105 * 10**9 + 1], pa.timestamp("ns"))).to_pylist() == [True]


def test_a_ping_is_validated() -> None:
    ping = mqqb.PingPacket()
    wrong = mw.replace(ping, Signature=ping.Signature ^ 1)
    rows = validate(pa.array([ping.encode(), wrong.encode(), ping.encode()[:-1]])).to_pylist()
    assert rows[0] == []
    assert (
        [row["requirement"] for row in rows[1]] == [fault.requirement for fault in mw.validate(wrong)] != []
    )
    assert rows[2] is None


@pytest.mark.parametrize("kind", [pa.binary(), pa.binary_view(), pa.large_binary()])
def test_chunked_packets(kind: pa.DataType) -> None:
    late = _sent(100, 10)
    data = [late.encode(), None, _plain().encode()]
    whole, times = pa.array(data, kind), [1e6, None, 1.0]
    chunked = pa.chunked_array([whole[:1], whole[1:]])
    for judge in (validate, cleared):
        assert judge(chunked, seen_at=times).equals(judge(whole, seen_at=times))
    decoded, clear = arrow.decode_and_clear(chunked, seen_at=times)
    assert decoded.equals(arrow.decode_packets(whole))
    assert clear.to_pylist() == cleared(whole, seen_at=times).to_pylist()
    assert validate(pa.chunked_array([], kind)).to_pylist() == []


CONTEXTED: list[Any] = [None, _sent(100, 10), SOUND["OrderAck"](), _rare(1), _sent(100, 10)]
CONTEXTED = [*CONTEXTED, SOUND["FinalAck"](), _rare(2)] * 3
TIMES = [(30.0, 1e6, None)[number % 3] for number in range(len(CONTEXTED))]
PLACES = [("10.0.0.1", None, "10.0.0.2")[number // 7] for number in range(len(CONTEXTED))]


def _expected() -> list[list[str] | None]:
    found: list[list[str] | None] = []
    for record, time, place in zip(CONTEXTED, TIMES, PLACES, strict=True):
        context = mw.Context(seen_at=time, receiver_address=place)
        faults = record and mw.validate(record, context=context)
        found.append(record and [fault.requirement for fault in faults])
    return found


@pytest.mark.parametrize("size", [2, 8, 1 << 18])
def test_contexts_of_chunks(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row has its own time and address, however many rows are compared together."""
    monkeypatch.setattr(clearing, "CHUNK", size)
    expected = _expected()
    assert {"MQMQ-2.2.19.1-34", "MQQB-2.2.4-07"} <= {name for row in expected for name in row or ()}
    assert expected.count([]) > 6
    array = pa.array([record and record.encode() for record in CONTEXTED], pa.binary())
    context: dict[str, Any] = {"seen_at": pa.array(TIMES), "receiver_address": PLACES}
    found = validate(array, **context).to_pylist()
    assert [row if row is None else [one["requirement"] for one in row] for row in found] == expected
    decoded, clear = arrow.decode_and_clear(array, **context)
    assert clear.to_pylist() == [row == [] for row in expected]
    assert decoded.equals(arrow.decode_packets(array))


@pytest.mark.parametrize(
    "places",
    [
        pa.array(PLACES),
        pa.array(PLACES).dictionary_encode(),
        pa.array([*PLACES, "10.0.0.3"]).dictionary_encode()[:-1],
        pa.array(["10.0.0.3", *PLACES]).dictionary_encode()[1:],
        pa.chunked_array([PLACES[:4], PLACES[4:]]),
    ],
)
def test_forms_of_contexts(places: Any) -> None:
    array = pa.array([record and record.encode() for record in CONTEXTED], pa.binary())
    for times in (pa.array(TIMES), pa.chunked_array([TIMES[:9], TIMES[9:]])):
        clear = cleared(array, seen_at=times, receiver_address=places).to_pylist()
        assert clear == [row == [] for row in _expected()]


def test_addresses_that_are_not_known() -> None:
    """They are no reason for a doubt, nor are those of rows without a direct name."""
    private = mw.replace(
        SOUND["OrderAck"](),
        UserHeader=mqmq.UserHeader(QueueManagerAddress=G1, DestinationQueue=mqmq.PrivateQueueFormatNameId(4)),
    )
    data = [private.encode(), SOUND["OrderAck"]().encode(), _plain().encode()]
    sound = [not mw.validate(mw.decode(one)) for one in data]
    assert sound == [True, True, True]
    for places in ([None] * 3, ["10.0.0.9", None, "10.0.0.9"], ["10.0.0.9", "10.0.0.1", "10.0.0.9"]):
        context = {"receiver_address": pa.array(places, pa.string())}
        assert cleared(pa.array(data), **context).to_pylist() == sound
    assert cleared(pa.array(data[:1] * 2), receiver_address=["10.0.0.9"] * 2).to_pylist() == [True] * 2


def test_what_is_read_for_both_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        None,
        *(one().encode() for one in SOUND.values()),
        *(_rare(number).encode() for number in range(8)),
    ]
    monkeypatch.setattr(arrow, "_read", None)
    decoded, clear = arrow.decode_and_clear(pa.array(rows), columns=["BaseHeader.PacketSize"])
    assert clear.to_pylist() == [data is not None for data in rows]
    sizes = [row and row["BaseHeader"]["PacketSize"] for row in decoded.to_pylist()]
    assert sizes == [data and len(data) for data in rows]


# --------------------------------------------------------------------------------------------- bounds


def _secured(**fields: Any) -> bytes:
    """A message with such a security header."""
    data = mqmq.SecurityData(**{"SecurityID": b"\1\1\0\0\0\0\0\5\x12\0\0\0", **fields})
    return mw.replace(_varied(21), SecurityHeader=mqmq.SecurityHeader(SecurityData=data)).encode()  # type: ignore[no-any-return]  # bytes


def _sid(authorities: int, revision: int = 1, more: int = 0) -> bytes:
    return bytes([revision, authorities]) + bytes(6 + 4 * authorities + more)


def _der(tag: int, *contents: bytes) -> bytes:
    content = b"".join(contents)
    return bytes([tag, 0x82]) + len(content).to_bytes(2, "big") + content


def _x509(size: int) -> bytes:
    """A certificate with an RSA key of so many bytes, as far as it is read."""
    key = _der(0x30, _der(2, b"\0" + b"\xee" * size), _der(2, b"\1\0\1"))
    algorithm = _der(0x30, _der(6, bytes.fromhex("2a864886f70d010101")), _der(5))
    before = [_der(0xA0, b"\2\1\2"), _der(2, b"\1"), *[_der(0x30)] * 4]
    return _der(0x30, _der(0x30, *before, _der(0x30, algorithm, _der(3, b"\0", key))), algorithm)


SECURED: Callable[[], list[dict[str, Any]]] = table(
    lambda: [
        *({"SecurityID": _sid(authorities)} for authorities in (0, 1, 2, 7, 8, 14, 15, 16, 17)),
        *({"SecurityID": _sid(3, revision)} for revision in (0, 2, 3, 0x81, 0xFF)),
        *({"SecurityID": _sid(4, 1, more)} for more in (-4, -1, 1, 4)),
        *({"SenderCert": (b"\6\2\0\0" + bytes(4))[:size], "Signature": b"s"} for size in (1, 2, 3)),
        *({"SenderCert": begin + bytes(4)} for begin in (b"\6\2\0\1", b"\6\2\1\0", b"\6\0\0\0", b"\0\2\0\0")),
        *({"EncryptionKey": b"k" * size} for size in (1, 4, 11, 12, 13)),
        *({"SenderCert": _x509(64), "Signature": bytes(size)} for size in (0, 4, 63, 64, 65, 128)),
        {"SenderCert": _x509(64)[:-1], "Signature": b"s"},
    ]
)


@pytest.mark.each(8)
@for_each("fields", SECURED)
def test_bounds_of_the_security_header(fields: dict[str, Any]) -> None:
    data = _secured(**fields)
    assert cleared(pa.array([_secured()]), "practice").to_pylist() == [True]
    for level in LEVELS:
        _compare([data, _secured()], level, "session", exact=True)
        _compare([data, data], level, "session", exact=True)


@pytest.mark.parametrize("several", [False, True])
def test_signatures_are_as_long_as_their_keys(several: bool) -> None:  # a parameter of a test
    """A right one is cleared, in either header."""
    for size, is_right in ((64, True), (60, False), (68, False)):
        signature = bytes(size)
        signed: Any = mw.decode(_secured(SenderCert=_x509(64), Signature=b"" if several else signature))
        lists = mqmq.MultiQueueFormatHeader(
            Destination=mw.queue_names.to_wire_list("DIRECT=OS:a\\b"),
            Signature=mqmq.MQFSignatureHeader(Signature=signature if several else b""),
        )
        data = mw.replace(signed, MultiQueueFormatHeader=lists).encode()
        ids = {one.requirement for one in mw.validate(mw.decode(data))}
        assert ids == (set() if is_right else {f"MQQB-3.1.7.1.4-0{1 + several}"})
        assert cleared(pa.array([data, _secured()])).to_pylist() == [is_right, True]


@pytest.mark.parametrize("size", [4, 5, 8])
def test_public_keys_are_judged(size: int) -> None:
    """A certificate that begins like a public key is doubted at four bytes."""
    assert cleared(pa.array([_secured(SenderCert=(b"\6\2\0\0" + bytes(4))[:size])])).to_pylist() == [False]


@pytest.mark.each(5)
@pytest.mark.parametrize("before", [0, 1, 6, 7, 8, 0xFFFF_FFFE, 0xFFFF_FFFF])
@pytest.mark.parametrize("number", [0, 1, 7, 0xFFFF_FFFF])
def test_numbers_of_transactions(before: int, number: int) -> None:
    header = mqmq.TransactionHeader(PreviousTxSequenceNumber=before, TxSequenceNumber=number)
    for level in LEVELS:
        _compare([mw.replace(_plain(), TransactionHeader=header).encode()], level, "session", exact=True)


@pytest.mark.parametrize(
    "raw", [b"\1" + bytes(15), bytes(7) + b"\1" + bytes(8), bytes(8) + b"\1" + bytes(7), bytes(15) + b"\1"]
)
def test_each_byte_of_a_guid_counts(raw: bytes) -> None:
    for address in (raw, bytes(16)):
        data = _set(_plain(), "UserHeader.QueueManagerAddress", mw.GUID(address))
        _compare([data, _plain().encode()], "practice", "session", exact=True)
        assert cleared(pa.array([data])).to_pylist() == [address == bytes(16)]


@pytest.mark.parametrize("number", [8, 0x1_0008, 0xFFFF, 0xFFFE, 0x1_0000, 0xFFFF_FFFF, 9, 0])
@pytest.mark.parametrize("code", ["u1", "<u2", "<u4", "<u8"])
def test_numbers_among_others(code: str, number: int) -> None:
    """Those with more bits than 16 are none of them, alone and among others."""
    known, kind = frozenset({8, 0xFF, 0xFFFE}), np.dtype(code)
    if number >= 1 << 8 * kind.itemsize:
        return
    for values in ([number], [number] * 3, [8, number, 0xFF], [number, 7], []):
        assert among(np.array(values, kind), known).tolist() == [value in known for value in values]


# ------------------------------------------------------------------------------------- many forms at once


def _left(rows: list[bytes], kinds: Any, tree: Any, read: Any) -> list[int]:
    """Which rows are not read as vectors; one at the very end never is."""
    return _alone(rows_of(pa.array([*rows, bytes(16)])), kinds, tree, read)[:-1]


def _alone(data: Any, kinds: Any, tree: Any, read: Any) -> list[int]:
    """Which rows are read one at a time."""
    verdicts = Outcomes(list(tree.forms), len(data))
    found = read_chunks(data, kinds, read, TreeColumn(tree, len(data), Store()), verdicts)
    return [*found.tolist()]


def _refused(rows: list[bytes], read: Any) -> list[int]:
    found = []
    for at, data in enumerate(rows):
        try:
            read(data)
        except mw.DecodeError:
            found.append(at)
    return found


@for_each("kind", lambda: SOUND)
def test_the_last_row(kind: str) -> None:
    """It is read like the others, as a vector if what a view holds fits behind it."""
    data = SOUND[kind]().encode()
    offsets = [0, len(data), 2 * len(data)]
    for behind in range(18):
        buffer = data * 2 + b"\xff" * behind
        first, last = arrow.decode_packets(buffer, offsets=offsets).to_pylist()
        assert first == last
        left = _alone(rows_of(buffer, offsets), packet_kinds(), packet_tree(), mw.decode)
        assert left == ([] if behind >= 12 else [1])


def test_the_largest_packet() -> None:
    """One of 4 MiB is read as a vector, and is valid."""
    room = 0x40_0000 - len(_plain(MessageBody=b"").encode())
    data = _plain(MessageBody=bytes(room)).encode()
    assert len(data) == 0x40_0000
    assert _left([data], packet_kinds(), packet_tree(), mw.decode) == []
    assert cleared(pa.array([data, bytes(16)])).to_pylist() == [True, False]


@pytest.mark.parametrize("most", [1, 600, 1 << 24])
def test_chunks_of_some_bytes(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chunk has a row at least, however large the row is."""
    monkeypatch.setattr("msmq_wire.arrow._reading.vectors.BYTES", most)
    rows = [kind().encode() for kind in SOUND.values()] * 2
    assert _left(rows, packet_kinds(), packet_tree(), mw.decode) == []
    found = arrow.decode_packets(pa.array([None, *rows, None]))
    assert arrow.encode_packets(found).to_pylist() == [None, *rows, None]


SIZES = [
    (0, 1, 2),
    (4,),
    (0, 0, 0, 3),
    (3, 4),
    (4, 5),
    (12,),
    (12, 13),
    (11, 12, 40),
    (13, 40),
    (0, 5, 13, 4),
]


@pytest.mark.parametrize("others", [0, 1])
@for_each("sizes", lambda: SIZES)
def test_bytes_of_some_sizes(sizes: tuple[int, ...], others: int) -> None:
    """They end where they end, whatever comes after them and whichever sizes are read together."""
    data = [
        _plain(ExtensionData=b"\xee" * size, MessageBody=b"\xff" * (20 - size % 2)).encode() for size in sizes
    ]
    rows = [mqqb.SessionAck().encode()] * others + data * 2
    found = arrow.decode_packets(pa.array([*rows, bytes(16)]))
    found.validate(full=True)
    properties = found.field("MessagePropertiesHeader").to_pylist()[others:-1]
    assert [row["ExtensionData"] for row in properties] == [b"\xee" * size for size in sizes] * 2
    assert [row["MessageBody"] for row in properties] == [b"\xff" * (20 - size % 2) for size in sizes] * 2
    assert _left(rows, packet_kinds(), packet_tree(), mw.decode) == []


@pytest.mark.each(3)
@pytest.mark.parametrize("first", [0, 1, 2])
def test_only_what_is_damaged_is_not_read_as_vectors(first: int) -> None:
    """Among rows with any parts, those that end within one of them spoil no other row."""
    rows = [kind().encode() for kind in SOUND.values()]
    for number in range(first, 400, 44):
        for whole in (_varied(number).encode(), _rare(number).encode()):
            sizes = range(len(whole), 60, -36)
            rows += [whole[:8] + size.to_bytes(4, "little") + whole[12:size] for size in sizes]
    refused = _refused(rows, mw.decode)
    assert len(rows) > 2 * len(SOUND) + len(refused) > 80
    assert _left(rows, packet_kinds(), packet_tree(), mw.decode) == refused
    found = arrow.decode_packets(pa.array([*rows, bytes(16)]))
    written = [None if at in refused else data for at, data in enumerate(rows)]
    assert arrow.encode_packets(found).to_pylist() == [*written, None]


@pytest.mark.each(4)
@pytest.mark.parametrize("number", [0, 1, 7, 8, 21])
def test_each_cut_of_a_message(number: int) -> None:
    """A row that ends anywhere in a part, as it says, is refused or read like one that ends between parts."""
    rows = []
    for whole in (_varied(number).encode(), _rare(number).encode()):
        sizes = range(60, len(whole) + 5)
        cuts = [(whole[:8] + size.to_bytes(4, "little") + whole[12:] + bytes(4))[:size] for size in sizes]
        rows += [row for cut in cuts for row in (cut, bytes(8))]  # what is read behind a cut is zero
    refused = _refused(rows, mw.decode)
    assert len(rows) - len(refused) >= 2
    assert _left(rows, packet_kinds(), packet_tree(), mw.decode) == refused


@pytest.mark.parametrize(("body", "room"), [("x", 2), ("xx", 0), ("xxx", 2)])
def test_a_padding_that_is_cut_short_by_the_end_of_the_message(body: str, room: int) -> None:
    """Behind the last text of SOAP it fills a word, or what is left of the message; more is refused."""
    whole = mqmq.UserMessage(SoapHeader=mqmq.SoapHeader(Header="<h/>", Body=body, Padding=b"")).encode()
    sizes = [len(whole) + size for size in range(5)]
    rows = [whole[:8] + size.to_bytes(4, "little") + whole[12:] + bytes(size - len(whole)) for size in sizes]
    refused = [*range(room + 1, 5)]
    assert _refused(rows, mw.decode) == refused
    assert _left(rows, packet_kinds(), packet_tree(), mw.decode) == refused
    found = arrow.decode_packets(pa.array([*rows, bytes(16)])).field("SoapHeader").to_pylist()
    assert [row["Padding"] for row in found[: room + 1]] == [bytes(size) for size in range(room + 1)]


def test_packets_of_many_forms_are_written_as_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """With any parts, among others and null; only what a column cannot say becomes a record."""
    records = [*(kind() for kind in SOUND.values()), *(_varied(number) for number in range(0, 400, 9))]
    rows = [None, *(record.encode() for record in records), None]
    found = arrow.decode_packets(pa.array(rows))
    with monkeypatch.context() as patch:
        patch.setattr("msmq_wire.arrow._encode.encode_record", None)
        assert arrow.encode_packets(found).to_pylist() == rows
        assert arrow.encode_packets(found[3:]).to_pylist() == rows[3:]


def test_only_damaged_changes_are_not_read_as_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among messages with any number of changes and of their properties."""
    monkeypatch.setattr("msmq_wire.arrow._reading.lists.FEWEST", 1)
    values = {105: 5, 108: "label", 101: G1, 1101: b"some bytes", 111: 1}
    rows = []
    for count in (0, 1, 3, 2):
        changes = [
            mqdsrp.DirectoryChange(
                PathName="server\\q" * (number + 1),
                SeqNumber=number,
                PropertyID=tuple(values)[: count + number],
                PropertyValue=tuple(values.values())[: count + number],
            )
            for number in range(count)
        ]
        for kind in (mqdsrp.ChangePropagationMessage, mqdsrp.SyncReplyMessage):
            whole = mqdsrp.encode(kind(DirectoryChanges=changes))
            rows += [whole, *(whole[:size] for size in range(len(whole) - 1, 8, -11))]
    refused = _refused(rows, mqdsrp.decode)
    assert len(rows) - len(refused) == 8
    assert _left(rows, directory_kinds(), directory_tree(), mqdsrp.decode) == refused
    found = arrow.decode_directory(pa.array([*rows, bytes(16)]))
    written = [None if at in refused else data for at, data in enumerate(rows)]
    assert arrow.encode_directory(found).to_pylist() == [*written, None]


@pytest.mark.parametrize("count", [0, 1, 2, 5])
@pytest.mark.parametrize("kind", [mqdsrp.ChangePropagationMessage, mqdsrp.SyncReplyMessage])
def test_each_cut_of_changes(kind: Any, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of changes with up to five properties, one of each form."""
    monkeypatch.setattr("msmq_wire.arrow._reading.lists.FEWEST", 1)
    values = {101: G1, 105: 5, 108: "label", 1101: b"some bytes", 111: 1}
    held: dict[str, Any] = {
        "PropertyID": tuple(values)[:count],
        "PropertyValue": tuple(values.values())[:count],
    }
    changes = [
        mqdsrp.DirectoryChange(PathName="s\\q", **held),
        mqdsrp.DirectoryChange(UseGuid=1, GuidIdentifier=G1),
    ]
    whole = mqdsrp.encode(kind(DirectoryChanges=changes))
    cuts = [(whole + bytes(4))[:size] for size in range(10, len(whole) + 5)]
    rows = [row for cut in cuts for row in (cut, bytes(8))]
    refused = _refused(rows, mqdsrp.decode)
    assert len(rows) - len(refused) == 1
    assert _left(rows, directory_kinds(), directory_tree(), mqdsrp.decode) == refused


def test_texts_of_a_part_of_a_column() -> None:
    """Which begins behind others, so that its offsets do not begin at the first one."""
    texts = pa.array(
        [text.encode("utf-16-le") for text in ("x", "a\0", "", "b", "c\0d\0", "\0")], pa.binary()
    )
    assert ended(texts).tolist() == [False, True, True, False, False, True]
    assert ended(texts.slice(1, 3)).tolist() == [True, True, False]
