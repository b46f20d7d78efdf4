"""Interpreted messages with values typed in from the pages: several rows together, each with its own."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import msmq_wire as mw
from msmq_wire import mqmq, mqrr
from msmq_wire.arrow import decode_messages, distinct
from msmq_wire.arrow.columns import Column, Columns, Copied, Joined
from msmq_wire.arrow.distinct import Distinct

ONE, OTHER = (f"11111111-2222-3333-4444-55555555550{number}" for number in (1, 2))
HOST = "00010004-0000-0000-0a00-000100000000"
"""The GUID whose bytes are those of a UserHeaderAddress, 10.0.0.1 ([MS-MQRR] 2.2.5.1)."""
NUMBER = mqmq.PrivateQueueFormatNameId
LIST = mqmq.MQFDistributionQueueFormatName(DistributionListIdentifier=ONE)
SEQUENCES = [
    None,
    mqmq.TransactionHeader(
        TxSequenceID=mqmq.TxSequenceID(Ordinal=10, TimeStamp=11),
        TxSequenceNumber=12,
        PreviousTxSequenceNumber=9,
    ),
    mqmq.TransactionHeader(TxSequenceID=mqmq.TxSequenceID(Ordinal=1, TimeStamp=0xFFFFFFFF)),
]
HEADER = {field.name for field in mqmq.UserHeader.layout.fields}


def message(**fields: Any) -> bytes:
    """A message with these fields of its UserHeader, headers, and of its MessagePropertiesHeader."""
    header = {name: fields.pop(name) for name in HEADER & fields.keys()}
    parts = {name: fields.pop(name) for name in mqmq.UserMessage.layout.by_name.keys() & fields.keys()}
    properties = mqmq.MessagePropertiesHeader(**fields)
    made = mqmq.UserMessage(UserHeader=mqmq.UserHeader(**header), MessagePropertiesHeader=properties, **parts)
    return made.encode()


def column(name: str, *data: bytes) -> list[Any]:
    """What a column has for some messages, also as a part of a longer array."""
    found: list[Any] = decode_messages(pa.array(data)).field(name).to_pylist()
    behind = decode_messages(pa.array([message(MessageID=9), *data])[1:])
    assert behind.field(name).to_pylist() == found
    return found


def private(guid: str, number: str) -> str:
    return f"PRIVATE={guid}\\{number}"


def test_the_host_of_a_queue_that_has_only_a_number() -> None:
    """[MS-MQMQ] 2.2.19.2: with 2 the source has it, with 3 the destination; RQ 1 and 4 are of AdminQueue."""

    def message_between(source: str, at: str, aq: int, rq: int, **queues: Any) -> bytes:
        flags = mqmq.UserHeaderFlags(AQ=aq, RQ=rq)
        return message(SourceQueueManager=source, QueueManagerAddress=at, Flags=flags, **queues)

    numbers = {"DestinationQueue": NUMBER(7), "AdminQueue": NUMBER(0xA8)}
    data = (
        message_between(ONE, OTHER, 2, 3, ResponseQueue=NUMBER(9), **numbers),
        message_between(ONE, OTHER, 3, 2, ResponseQueue=NUMBER(9), **numbers),
        message_between(OTHER, ONE, 2, 1, **numbers),
        message_between(OTHER, ONE, 2, 4, ResponseQueue=NUMBER(9), **numbers),
        message_between(
            OTHER, ONE, 6, 4, ResponseQueue=NUMBER(9), AdminQueue=mqmq.PrivateQueueFormatName(ONE, 0xABCDEF01)
        ),
        message_between(ONE, ONE, 5, 7, ResponseQueue="DIRECT=OS:a\\b", AdminQueue=f"PUBLIC={OTHER}"),
    )
    seven = {ONE: private(ONE, "00000007"), OTHER: private(OTHER, "00000007")}
    assert column("destination", *data) == [seven[OTHER], seven[OTHER], seven[ONE], seven[ONE], None, None]
    assert column("destinations", *data) == [[seven[OTHER]]] * 2 + [[seven[ONE]]] * 2 + [[]] * 2
    assert column("admin_queue", *data) == [
        *(private(guid, "000000A8") for guid in (ONE, OTHER, OTHER, OTHER)),
        *(private(ONE, "ABCDEF01"), f"PUBLIC={OTHER}"),
    ]
    assert column("response_queue", *data) == [
        *(private(OTHER, "00000009"), private(ONE, "00000009"), private(OTHER, "000000A8")),
        *(private(OTHER, "00000009"), private(ONE, "00000009"), "DIRECT=OS:a\\b"),
    ]
    assert column("problems", *data) == [[]] * 6


def several(*forms: Any) -> Any:
    """Lists of queues with these destinations."""
    elements = [mqmq.MQFFormatNameElement(FormatName=form) for form in forms]
    return mqmq.MultiQueueFormatHeader(Destination=mqmq.MQFAddressHeader(FormatNameList=elements))


def test_destinations_of_several_messages() -> None:
    """Each has its own, in its order; what is no name is a problem of its message, and no destination."""

    def direct(text: str) -> Any:
        return mqmq.MQFDirectQueueFormatName(DirectFormatName=text)

    data = (
        message(MultiQueueFormatHeader=several(direct("OS:a\\b"), LIST, direct("OS:c\\d"))),
        message(DestinationQueue="DIRECT=OS:x\\y"),
        message(MultiQueueFormatHeader=several()),
        message(),
        message(MultiQueueFormatHeader=several(direct("none"), direct("OS:e\\f"), direct("no more"))),
        message(
            MultiQueueFormatHeader=several(
                mqmq.PublicQueueFormatName(OTHER), mqmq.PrivateQueueFormatName(ONE, 0x1F), direct("OS:a\\b")
            )
        ),
        message(DestinationQueue=mqmq.DirectQueueFormatName(DirectFormatName="nothing")),
    )
    assert column("destinations", *data) == [
        ["DIRECT=OS:a\\b", f"DL={ONE}", "DIRECT=OS:c\\d"],
        ["DIRECT=OS:x\\y"],
        [],
        [],
        ["DIRECT=OS:e\\f"],
        [f"PUBLIC={OTHER}", private(ONE, "0000001F"), "DIRECT=OS:a\\b"],
        [],
    ]
    problems = column("problems", *data)
    assert [[problem.partition(":")[0] for problem in own] for own in problems] == [
        *([], [], [], []),
        *(["destinations"] * 2, [], ["destination"]),
    ]
    assert ["'none'" in problems[4][0], "'no more'" in problems[4][1], "'nothing'" in problems[6][0]] == [
        True
    ] * 3


def test_the_own_queue_of_a_copy_is_one_of_the_list() -> None:
    """Whether its host is told beside the number of the queue, or in the list."""
    lists = several(*(mqmq.PrivateQueueFormatName(guid, 7) for guid in (ONE, OTHER)))
    data = [
        message(QueueManagerAddress=at, DestinationQueue=NUMBER(number), MultiQueueFormatHeader=lists)
        for at, number in ((ONE, 7), (OTHER, 7), (OTHER, 8))
    ]
    listed = [private(guid, "00000007") for guid in (ONE, OTHER)]
    assert column("destinations", *data) == [listed, listed, [private(OTHER, "00000008"), *listed]]


@pytest.mark.parametrize(
    ("name", "fields", "values"),
    [
        ("message", {"SourceQueueManager": [ONE, OTHER, ONE], "MessageID": [1, 0xFFFFFFFF, 0]},
         [f"{ONE}\\1", f"{OTHER}\\4294967295", f"{ONE}\\0"]),
        ("source_queue_manager", {"SourceQueueManager": [ONE, OTHER, ONE]}, [ONE, OTHER, ONE]),
        ("message_number", {"MessageID": [0, 1, 0xFFFFFFFF]}, [0, 1, 0xFFFFFFFF]),
        ("destination_queue_manager", {"QueueManagerAddress": [ONE, mw.NULL_GUID, OTHER]},
         [ONE, None, OTHER]),
        ("destination_queue_manager",  # of a remote read: an address for a direct name
         {"QueueManagerAddress": [HOST, HOST, ONE],
          "DestinationQueue": ["DIRECT=OS:a\\b", None, "DIRECT=OS:a\\b"]},
         [None, HOST, ONE]),
        ("sent_at", {"SentTime": [0, 1, 0xFFFFFFFF]},
         [dt.datetime.fromisoformat(f"{time}Z")
          for time in ("1970-01-01T00:00:00", "1970-01-01T00:00:01", "2106-02-07T06:28:15")]),
        ("time_to_be_received", {"TimeToBeReceived": [0, 0xFFFFFFFE, 0xFFFFFFFF]}, [0, 0xFFFFFFFE, None]),
        ("time_to_reach_queue",
         {"BaseHeader": [mqmq.BaseHeader(TimeToReachQueue=time) for time in (0, 0xFFFFFFFE, 0xFFFFFFFF)]},
         [0, 0xFFFFFFFE, None]),
        ("priority", {"BaseHeader": [mqmq.BaseHeader(Flags=one) for one in (0, 3, 7)]},
         [0, 3, 7]),
        ("recoverable", {"Flags": [mqmq.UserHeaderFlags(DM=one) for one in (0, 1, 0)]}, [False, True, False]),
        ("dead_letter", {"Flags": [mqmq.UserHeaderFlags(JN=one, JP=1) for one in (0, 1, 0)]},
         [False, True, False]),
        ("journal", {"Flags": [mqmq.UserHeaderFlags(JP=one, JN=1) for one in (1, 0, 1)]},
         [True, False, True]),
        ("transactional", {"TransactionHeader": [None, mqmq.TransactionHeader(), None]},
         [False, True, False]),
        ("sequence", {"TransactionHeader": SEQUENCES}, [None, "0000000b0000000a", "ffffffff00000001"]),
        ("number_in_sequence", {"TransactionHeader": SEQUENCES}, [None, 12, 1]),
        ("previous_in_sequence", {"TransactionHeader": SEQUENCES}, [None, 9, 0]),
        ("acknowledged_in_session",
         {"SessionHeader": [None, *(mqmq.SessionHeader(AckSequenceNumber=one) for one in (0, 0xFFFF))]},
         [None, 0, 0xFFFF]),
        ("message_class", {"MessageClass": [0, 0x8003, 0x1234]},
         ["MQMSG_CLASS_NORMAL", "MQMSG_CLASS_NACK_Q_EXCEED_QUOTA", "4660"]),
        ("label", {"Label": ["", "a", "\u20ac"]}, ["", "a", "\u20ac"]),
        ("correlation", {"CorrelationID": [bytes(20), bytes(16) + b"\1\0\0\0", b"\1" + bytes(19)]},
         [None, f"{mw.NULL_GUID}\\1", "00000001-0000-0000-0000-000000000000\\0"]),
        ("acknowledged_message",
         {"CorrelationID": [bytes(16) + b"\7\0\0\0"] * 2 + [bytes(20)], "MessageClass": [2, 0, 2]},
         [f"{mw.NULL_GUID}\\7", None, None]),
        ("body_type", {"BodyType": [0, 8, 0x2011]}, [0, 8, 0x2011]),
        ("application_tag", {"ApplicationTag": [0, 1, 0xFFFFFFFF]}, [0, 1, 0xFFFFFFFF]),
        ("body", {"MessageBody": [b"", b"a", b"\0" * 20]}, [b"", b"a", b"\0" * 20]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_values_of_three_messages(name: str, fields: dict[str, list[Any]], values: list[Any]) -> None:
    rows = [message(**{key: given[at] for key, given in fields.items()}) for at in range(3)]
    assert column(name, *rows) == values


def test_senders() -> None:
    """[MS-MQMQ] 2.2.20.6: ST 0 none, 1 a SID, 2 the GUID of the queue manager."""

    def message_from(kind: int, identifier: bytes) -> bytes:
        data = mqmq.SecurityData(SecurityID=identifier)
        flags = mqmq.SecurityHeaderFlags(ST=kind)
        return message(SecurityHeader=mqmq.SecurityHeader(Flags=flags, SecurityData=data))

    system = bytes.fromhex("010100000000000512000000")
    rows = message(), message_from(1, system), message_from(2, mw.GUID.of(ONE).bytes_le), message_from(0, b"")
    assert column("sender", *rows) == [None, "S-1-5-18", ONE, None]


def test_bodies_of_compound_messages() -> None:
    """[MS-MQRR] 2.2.5.1.2.2: the body is so many bytes of Data, from an offset on; others keep their own."""
    compound = mqrr.CompoundMessageHeader(Data=b"POST <a/> end", MsgBodySize=4, MsgBodyOffset=5)
    rows = message(MessageBody=b"own"), message(CompoundMessageHeader=compound), message(MessageBody=b"\0")
    assert column("body", *rows) == [b"own", b"<a/>", b"\0"]
    assert column("text", *rows) == ["own", "<a/>", None]
    assert column("body_form", *rows) == ["UTF-8", "UTF-8 XML", "bytes"]


def test_an_encrypted_body_is_not_read() -> None:
    """[MS-MQMQ] 2.2.20.6: EB says that the body is encrypted."""
    secured = [mqmq.SecurityHeader(Flags=mqmq.SecurityHeaderFlags(EB=bit)) for bit in (1, 0)]
    rows = [message(MessageBody=b"<a/>", SecurityHeader=one) for one in (*secured, None)]
    assert column("encrypted", *rows) == [True, False, False]
    assert column("body_form", *rows) == ["encrypted", "UTF-8 XML", "UTF-8 XML"]
    assert column("text", *rows) == [None, "<a/>", "<a/>"]


@pytest.mark.parametrize(("body", "replication"), [(b"x", "REPLICATION"), (b"", None)])
def test_messages_of_the_directory(body: bytes, replication: str | None) -> None:
    """[MC-MQDSRP] 2.1 and [MS-MQCN] 2.1: the queues 1 and 3; an acknowledgment to the first has no body."""
    rows = [message(DestinationQueue=NUMBER(number), MessageBody=body) for number in (0, 1, 2, 3, 4)]
    found = column("carries", *rows, message(MessageBody=b"x"))
    assert found == [None, replication, None, "NOTIFICATION", None, None]


@pytest.mark.parametrize("count", [0, 1, 5])
def test_rows_without_any_value_are_one_combination(count: int) -> None:
    found = Distinct(*[pa.nulls(count, pa.int8())] * 2)
    assert found.values == [(None, None)] * min(count, 1)
    assert found.indices.to_pylist() == [0] * count


def test_values_of_combinations_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for combinations of several arrays, of which no more than a bound are remembered."""
    monkeypatch.setattr(distinct, "_MOST_KNOWN", 2)
    known: dict[tuple[Any, ...], str] = {}
    rows: list[int] = []

    def value(row: int) -> str:
        rows.append(row)
        return f"row {row}"

    def each(*values: str) -> list[str]:
        return Distinct(pa.array(values)).each(known, value)

    assert each("a", "b", "a") == ["row 0", "row 1"]
    assert each("b", "c") == ["row 1", "row 1"]
    assert rows == [0, 1, 1]
    assert each("a") == ["row 0"]
    assert known == {("a",): "row 0"}


def test_combinations_of_many_columns() -> None:
    """More than a number of 64 bits can tell apart."""
    count, width = 48, 14
    rows = [
        tuple((row * (at + 1)) % count if row < 40 else row % 8 for at in range(width))
        for row in range(count)
    ]
    found = Distinct(*(pa.array(values) for values in zip(*rows, strict=True)))
    assert [found.values[at] for at in found.indices.to_pylist()] == rows
    assert len(found.values) == len(set(rows))


MISTAKES = [
    (Column("wrong", pa.int64(), "A.", Copied("UserHeader.RC")), "UserHeader.RC: UserHeader has no field RC"),
    (Column("wrong", pa.int64(), "A.", Copied("Header.Flags")), "Header.Flags: there is no structure Header"),
    (Column("wrong", pa.bool_(), "A.", bool, ("UserHeader.Flags.RX",)), "UserHeader.Flags has no group RX"),
    (
        Column("wrong", pa.bool_(), "A.", bool, ("UserHeader.RC?",)),
        "UserHeader.RC: UserHeader has no field RC",
    ),
    (Column("wrong", pa.string(), "A.", Joined(("right", "write"))), "there is no column write"),
    (Column("right", pa.string(), "A."), "another column has this name"),
    (Column("wrong", pa.int64(), "A.", within="UserHeader.RC"), "UserHeader.RC: UserHeader has no field RC"),
]


@pytest.mark.parametrize(("column", "problem"), MISTAKES)
def test_a_mistake_in_a_column_has_its_line(column: Column, problem: str) -> None:
    right = Column("right", pa.int64(), "A.", Copied("UserHeader.MessageID"))
    with pytest.raises(LookupError) as caught:
        Columns(right, column)
    said = re.fullmatch(r"tests/arrow/test_messages\.py:(\d+): (\w+): (.*)", str(caught.value))
    assert said
    assert said[2] == column.name
    assert said[3].endswith(problem)
    assert f'"{column.name}",' in Path(__file__).read_text("utf-8").splitlines()[int(said[1]) - 1]
