"""Explanations: complete, safe to print, bounded, and the same whether bytes or a record are explained."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_rows import for_each, table
from support_specs import load_vectors
from test_plain import (
    CHANGE,
    FULL,
    GUID,
    RECORDS,
    ChangePropagationMessage,
    DirectoryChange,
    acknowledgment,
    element,
)

import msmq_wire as mw
from msmq_wire import mqdsrp, mqmq, mqqb, mqrr, rpc
from msmq_wire.documents.layouts import structures
from msmq_wire.records.record import record_class
from msmq_wire.values.properties.values import PropertyValue
from msmq_wire.views import known_values as documented
from msmq_wire.views import texts
from msmq_wire.views.explanation import explain

VECTORS = table(lambda: {vector.name: vector for vector in load_vectors()})
FRAME_6 = table(lambda: VECTORS()["frame-6-connection-parameters-response"].data)
FRAME_7 = table(lambda: VECTORS()["frame-7-user-message-completed"].data)

EXPECTED = """\
offset     bytes        field                         value         meaning
0000    0  32 bytes     ConnectionParameters          [MS-MQQB] 2.2.2

0000    0  16 bytes       BaseHeader                  [MS-MQMQ] 2.2.19.1
0000    0  10               VersionNumber             0x10          as documented
0001    1  c0               Reserved                  192
0002    2  0b 00            Flags                     0x000b
             bits 0-2         PR                      3             default priority
                bit 3         IN                      1             internal packet: connection establishment or session acknowledgment
0004    4  4c 49 4f 52      Signature                 0x524f494c    as documented
0008    8  20 00 00 00      PacketSize                32            size of the packet in bytes, at most 0x00400000
000c   12  ff ff ff ff      TimeToReachQueue          4294967295    for ever

0010   16  4 bytes        InternalHeader              [MS-MQQB] 2.2.1
0010   16  00 00            Reserved                  0
0012   18  03 00            Flags                     0x0003
             bits 0-3         PT                      3             ConnectionParameters

0014   20  12 bytes       ConnectionParametersHeader  [MS-MQQB] 2.2.2.1
0014   20  d8 05 00 00      RecoverableAckTimeout     1496          1.496 s
0018   24  c0 d4 01 00      AckTimeout                120000        2 min
001c   28  00 00            Reserved                  0
001e   30  40 00            WindowSize                64            unacknowledged packets allowed"""  # noqa: E501  # a line of the listing

LINE = re.compile(r"(?P<hex>[0-9a-f]{4,}) +(?P<offset>\d+)  (?P<bytes>.{1,23}?)(  +(?P<rest>.*))?$")


def row(text: str, name: str, at: int = 0) -> str:
    """What stands after the name of a field, in the lines where it is the name."""
    return re.findall(rf"^.{{9,}}?  +{re.escape(name)}(?: +(.*))?$", text, re.MULTILINE)[at]  # type: ignore[no-any-return]  # groups of this pattern are texts


def check_ranges(text: str, size: int) -> None:
    """Offsets start at zero, never go back, and no gap between leaves is left unexplained."""
    body = re.split(r"\n\n(?:stopped|error|note): ", text, maxsplit=1)[0]
    reached = 0
    for line in body.splitlines()[1:]:
        match = LINE.match(line)
        if not match:
            continue
        offset, shown, rest = int(match["offset"]), match["bytes"], match["rest"] or ""
        assert int(match["hex"], 16) == offset
        ranged = re.fullmatch(r"([\d,]+) bytes?", shown)
        if ranged and ("(not read)" in rest or "(left over)" in rest or "... " in rest):
            assert offset == reached
            reached += int(ranged[1].replace(",", ""))
            if "... " not in rest:
                break
        elif ranged or shown == "truncated":
            assert offset == reached
        else:
            assert offset == reached
            if ".." not in shown:
                reached += len(bytes.fromhex(shown))
            else:
                reached = following(body, line, size)
    assert reached == size


def following(body: str, line: str, size: int) -> int:
    """Where the next field starts; for fields whose bytes are shortened."""
    for after in body.partition(line)[2].splitlines():
        match = LINE.match(after)
        if match:
            return int(match["offset"])
    return size


def check_safe(text: str) -> None:
    assert all(" " <= char <= "~" or char == "\n" for char in text)
    assert max(map(len, text.split("\n"))) < 260
    assert not re.search(r"[ ]$", text, re.MULTILINE)


# ------------------------------------------------------------------------------------------------ vectors


def test_a_whole_packet() -> None:
    assert explain(FRAME_6()) == EXPECTED


@for_each("name", VECTORS)
def test_vectors(name: str) -> None:
    vector = VECTORS()[name]
    text = explain(vector.data)
    check_safe(text)
    check_ranges(text, len(vector.data))
    assert text.splitlines()[1].split()[-3 if "[" in text.splitlines()[1] else -1] == vector.packet
    if not vector.truncated:
        assert "error" not in text
        kind = record_class(vector.packet)
        assert explain(kind.decode(vector.data)) == text
        assert explain(vector.data, kind) == explain(memoryview(vector.data), vector.packet) == text


@pytest.mark.long
@for_each("name", VECTORS)
def test_every_prefix(name: str) -> None:
    data = VECTORS()[name].data
    ends = range(len(data)) if len(data) < 100 else [*range(300), *range(300, len(data), 37), len(data) - 1]
    for end in ends:
        text = explain(data[:end])
        last = text.splitlines()[-1]
        assert last.startswith("error: ")
        assert re.search(r"at `[\w.]+`, byte \d+$", last)
        check_safe(text)
        check_ranges(text, end)


def test_frame_7() -> None:
    text = explain(FRAME_7())
    assert row(text, "DestinationQueue").startswith(
        "DIRECT=OS:a04bm02\\q  DirectQueueFormatName  [MS-MQMQ] 2.2.18.1.5.2"
    )
    assert row(text, "SecurityID") == "28 bytes      S-1-5-21-3181267629-1039849782-3663111779-1000"
    assert row(text, "SentTime") == "1380927820    2013-10-04 23:03:40 UTC"
    assert row(text, "TimeToReachQueue") == "345600        4 d"
    assert row(text, "TimeToBeReceived") == "4294967295    for ever"
    assert row(text, "BodyType") == "8             VT_BSTR"
    assert row(text, "HashAlgorithm") == "0x00008004    CALG_SHA1"
    assert row(text, "Label") == '"mqsender label"  15 WCHARs'
    assert row(text, "MessageBody").startswith('2,000 bytes, "aaaa')
    assert row(text, "DM") == "0             express"
    assert row(text, "(absent)").startswith("AdminQueue")


def test_body_types_of_implementations_have_names() -> None:
    """Also those that the document lacks."""
    for number, said in {
        0x300: "768           an object of .NET that BinaryMessageFormatter wrote",
        7: "7             VT_DATE, a time of COM",
        0x1011: "4113          VT_UI1 | VT_VECTOR",
        0x77: "119           0x0077",
    }.items():
        assert row(mw.explain(mqmq.UserMessage.of(BodyType=number)), "BodyType") == said


def test_bodies_of_numbers_have_their_values() -> None:
    for kind, octets, said in (
        (5, "0000000000000440", "8 bytes       2.5"),
        (6, "c01dfeffffffffff", "8 bytes       -12.3456"),
        (7, "000000000000f43f", "8 bytes       1899-12-31 06:00:00"),
        (3, "05000000", "4 bytes       5"),
        (5, "00000440", "4 bytes"),
    ):
        message = mqmq.UserMessage.of(BodyType=kind, MessageBody=bytes.fromhex(octets))
        assert row(mw.explain(message), "MessageBody") == said
    secret = mqmq.SecurityHeader(Flags=mqmq.SecurityHeaderFlags(EB=1))
    properties = mqmq.MessagePropertiesHeader(BodyType=3, MessageBody=b"\5\0\0\0")
    message = mqmq.UserMessage(MessagePropertiesHeader=properties, SecurityHeader=secret)
    assert row(mw.explain(message), "MessageBody") == "4 bytes"


@pytest.mark.parametrize(
    ("kind", "body", "said"),
    [
        (
            0,
            "<a>Gr\xfc\xdfe \u041c\u0438\u0440</a>".encode(),
            r'21 bytes, "<a>Gr\xfc\xdfe \u041c\u0438\u0440</a>"',
        ),
        (0, ("\xe9" * 40).encode(), '80 bytes, "' + r"\xe9" * 15 + '" ..'),
        (0, b"x" + ("\xe9" * 40).encode(), '81 bytes, "x' + r"\xe9" * 14 + '" ..'),
        (0, "Gr\xfc\xdfe".encode("utf-16-le"), r'10 bytes, "Gr\xfc\xdfe"'),
        (8, "\u6d88\u606f".encode("utf-16-le"), r'4 bytes, "\u6d88\u606f"'),
        (0, "\u6d88\u606f".encode("utf-16-le"), "4 bytes"),
        (0, b"caf\xe9", "4 bytes"),
        (0, b"caf\xc3", "4 bytes"),
        (0, bytes(range(200, 240)), "40 bytes"),
    ],
)
def test_bodies_in_all_languages_are_previewed(kind: int, body: bytes, said: str) -> None:
    assert row(mw.explain(mqmq.UserMessage.of(BodyType=kind, MessageBody=body)), "MessageBody") == said


def test_damage_is_marked_where_it_is() -> None:
    text = explain(VECTORS()["frame-7-user-message-as-printed"].data)
    assert row(text, "PacketSize").endswith("<-- expected a size of at most 1650 bytes, found 2224")
    assert text.splitlines()[-2].startswith("stopped: expected 2000 bytes, found 1428")
    assert text.splitlines()[-1].startswith("error: expected a size of at most 1650 bytes, found 2224")
    wrong = bytearray(FRAME_7())
    wrong[61] = 0x08  # DQ 2
    text = explain(bytes(wrong))
    assert row(text, "DQ").startswith(
        "2             not a documented value  <-- expected one of 0x0, 0x3, 0x5, 0x7, found 0x2"
    )


# ----------------------------------------------------------------------------------- what cannot be a packet


def test_bytes_that_are_no_packet() -> None:
    assert explain(b"").splitlines()[-1].startswith("error: expected 1 byte, found 0")
    text = explain(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert row(text, "Signature").endswith(
        "should be 0x524f494c  <-- expected 0x524f494c, found 0x5448202f; these bytes are HTTP"
    )
    assert "(not read)" in text
    text = explain(FRAME_6()[:18] + b"\x09" + FRAME_6()[19:])
    assert row(text, "PT").startswith(
        "9             not a documented value  <-- expected one of 0x1, 0x2, 0x3, found 0x9"
    )
    assert text.splitlines()[-1].startswith("error: expected one of 0x1, 0x2, 0x3, found 0x9")


def test_bytes_behind_a_packet() -> None:
    text = explain(FRAME_6() + bytes(range(0x20, 0x70)))
    assert re.search(r"^0020   32  80 bytes +\(left over\)$", text, re.MULTILINE)
    assert "28 29 2a 2b 2c 2d 2e 2f" in text
    check_ranges(text, len(FRAME_6()) + 80)
    assert "error" not in text
    assert "1 byte " in explain(FRAME_6() + b"\0")


def test_ping_datagrams() -> None:
    data = VECTORS()["frame-1-ping-request"].data
    assert explain(data).splitlines()[1].endswith("PingPacket   [MS-MQQB] 2.2.7")
    assert explain(data[:9]).splitlines()[-1].endswith("at `PingPacket.QMGuid`, byte 8")
    # A signature further on wins: these flags are those of a packet.
    assert "BaseHeader" in explain(FRAME_6()[:2] + b"\x48\x55" + FRAME_6()[4:])


def test_structures_that_need_another_around_them() -> None:
    text = explain(b"abc", "SecurityData")
    assert "error: cannot be decoded alone" in text
    check_ranges(text, 3)
    assert "error: cannot be decoded alone" in explain(b"", "SecurityData")
    assert "SecurityID" in explain(mqmq.SecurityData(SecurityID=b"abc"))
    with pytest.raises(mw.MsmqWireError, match="there is no structure 'Nothing'"):
        explain(b"", "Nothing")
    with pytest.raises(TypeError, match=r"^expected bytes or a record, got int$"):
        explain(5)  # type: ignore[arg-type]  # this is the mistake
    with pytest.raises(TypeError, match=r"^expected bytes or a record, got str: use bytes\.fromhex"):
        explain("10c0")  # type: ignore[arg-type]  # as above


# ----------------------------------------------------------------------------------------------- records


@for_each("record", lambda: RECORDS, ids=lambda record: type(record).__name__)
def test_records(record: Any) -> None:
    text = explain(record)
    raw = record.encode()
    check_safe(text)
    assert explain(record) == text
    try:
        again = type(record).decode(raw)
    except mw.DecodeError:
        assert text.splitlines()[-1].startswith("error: ")
    else:
        if again == record:
            check_ranges(text, len(raw))
            assert explain(raw, type(record)) == text
        else:
            assert text.splitlines()[-1] == "note: these bytes decode to another record"


def test_bent_records_say_that_they_do_not_read_back() -> None:
    longer = mqmq.PublicQueueFormatName(GUID)
    bent = mqmq.UserHeader(DestinationQueue=longer, Flags=mqmq.UserHeaderFlags(DQ=3))
    assert explain(bent).splitlines()[-1].startswith("error: 12 bytes left over")
    same_size = mqmq.UserHeader(
        DestinationQueue=mqmq.PrivateQueueFormatNameId(0), Flags=mqmq.UserHeaderFlags(DQ=7)
    )
    assert "note: these bytes decode to another record" in explain(same_size)
    cut = mqmq.MessagePropertiesHeader(MessageSize=9, MessageBody=b"abcd")
    assert row(explain(cut), "MessageBody") == '4 bytes, "abcd"  <-- expected 9 bytes, found 4'
    assert explain(cut).splitlines()[-1].startswith("error: expected 9 bytes, found 4")


def test_queue_names() -> None:
    text = explain(FULL)
    assert row(text, "AdminQueue").startswith(f"PRIVATE={str(GUID).upper()}\\00000004  Priv")
    flags = mqmq.UserHeaderFlags
    there = mw.GUID.of("00000000-0000-0000-0000-000000000001")

    def named(name: str, **fields: Any) -> str:
        header = mqmq.UserHeader(SourceQueueManager=GUID, QueueManagerAddress=there, **fields)
        return row(explain(header), name).split("  ")[0]

    number = mqmq.PrivateQueueFormatNameId(26)
    here, other = f"PRIVATE={str(GUID).upper()}\\0000001A", f"PRIVATE={there}\\0000001A"
    assert named("DestinationQueue", DestinationQueue=number) == other
    assert named("AdminQueue", AdminQueue=number, Flags=flags(AQ=2)) == here
    assert named("AdminQueue", AdminQueue=number, Flags=flags(AQ=3)) == other
    for form, expected in ((2, here), (3, other), (4, here)):
        made = {"AdminQueue": number, "ResponseQueue": number, "Flags": flags(AQ=2, RQ=form)}
        assert named("ResponseQueue", **made) == expected
    private = mqmq.PrivateQueueFormatName(there, 1)
    made = {"AdminQueue": private, "ResponseQueue": number, "Flags": flags(AQ=6, RQ=4)}
    assert named("ResponseQueue", **made) == other
    assert named("ResponseQueue", ResponseQueue=number, Flags=flags(RQ=4)) == "PRIVATE=?\\0000001A"
    assert "PRIVATE=?\\0000001A" in explain(number)
    assert (
        named("DestinationQueue", DestinationQueue=mqmq.PublicQueueFormatName(GUID))
        == f"PUBLIC={GUID}".upper()
    )
    direct = mqmq.DirectQueueFormatName(DirectFormatName="nonsense")
    assert named("DestinationQueue", DestinationQueue=direct) == "DIRECT=nonsense (not a format name)"
    long = mqmq.DirectQueueFormatName(DirectFormatName="OS:" + "x" * 90 + "\\q")
    assert '" .. "' in named("DestinationQueue", DestinationQueue=long)
    lists = FULL.MultiQueueFormatHeader
    assert lists
    names = explain(lists)
    assert row(names, "FormatNameList[3]").startswith(f"DL={GUID}".upper())
    assert row(names, "FormatNameList[0]").startswith("DIRECT=OS:a\\b  MQFFormatNameElement")


def test_names_that_break_off() -> None:
    for name in (
        mqmq.PublicQueueFormatName(GUID),
        mqmq.PrivateQueueFormatName(GUID, 1),
        mqmq.MQFDirectQueueFormatName("x"),
        mqmq.MQFDistributionQueueFormatName(GUID),
    ):
        raw = element(name).encode()
        for end in range(len(raw)):
            text = explain(raw[:end], "MQFFormatNameElement")
            check_ranges(text, end)
            assert text.splitlines()[-1].startswith("error: ")


def test_embedded_structures() -> None:
    ack = acknowledgment(mqqb.OrderAck, 0xFF)
    assert "OrderAckBody  [MS-MQQB] 2.2.4.1" in explain(ack)
    assert explain(ack.encode()) == explain(ack)
    assert "FinalAckBody  [MS-MQQB] 2.2.5.1" in explain(acknowledgment(mqqb.FinalAck, 0x4000).encode())
    # As plain bytes where they do not fit.
    short = mw.replace(ack, MessagePropertiesHeader=mw.replace(ack.MessagePropertiesHeader, MessageBody=b"x"))
    assert "OrderAckBody" not in explain(short)
    data = mqmq.SecurityData(
        EncryptionKey=mqqb.SIMPLEBLOB(encryptedKey=b"k").encode(),
        ProviderInfo=mqmq.ProviderInfo(ProviderType=1, ProviderName="p").encode(),
    )
    text = explain(mqmq.SecurityHeader(SecurityData=data))
    assert row(text, "EncryptionKey") == "SIMPLEBLOB  [MS-MQQB] 2.4.2"
    assert row(text, "ProviderName") == '"p"'
    assert row(explain(mqmq.SecurityData(EncryptionKey=b"abc")), "EncryptionKey") == '3 bytes, "abc"'


def test_meanings_of_single_fields() -> None:
    def meaning(record: Any, name: str) -> str:
        return row(explain(record), name).rpartition("  ")[2]

    properties = mqmq.MessagePropertiesHeader
    assert meaning(properties(MessageClass=0x8004), "MessageClass") == "MQMSG_CLASS_NACK_ACCESS_DENIED"
    assert meaning(properties(MessageClass=9), "MessageClass") == "not in MESSAGE_CLASS_VALUES"
    assert meaning(properties(PrivacyLevel=5), "PrivacyLevel") == "AES encryption"
    assert meaning(properties(PrivacyLevel=2), "PrivacyLevel") == "not a documented value"
    identifier = mqmq.MessageIdentifier(GUID, 77).encode()
    assert (
        meaning(properties(MessageClass=2, CorrelationID=identifier), "CorrelationID")
        == f"message {GUID}\\77"
    )
    assert meaning(properties(CorrelationID=identifier), "CorrelationID") == "20 bytes"
    assert meaning(properties(LabelLength=1, Label="x"), "Label") == "no terminator"
    assert row(explain(properties(Label="abc")), "Label") == '"abc"'  # 8 bytes with the terminator
    assert row(explain(properties(Label="abcd")), "Label").endswith("  5 WCHARs")
    security = mqmq.SecurityData
    assert meaning(security(SecurityID=GUID.bytes_le), "SecurityID") == str(GUID)
    assert meaning(security(SecurityID=b"\1\2\3"), "SecurityID") == "3 bytes"
    session = mqmq.SessionHeader(RecoverableMsgAckSeqNumber=5, RecoverableMsgAckFlags=0b10111)
    assert meaning(session, "RecoverableMsgAckFlags") == "on disk: 5-7, 9"
    assert meaning(mqmq.TransactionHeader(), "PreviousTxSequenceNumber") == "none before it"
    assert meaning(mqmq.TransactionHeader(Flags=mqmq.TransactionHeaderFlags(ID=9)), "ID").startswith(
        "identifier"
    )
    assert meaning(mqmq.SoapHeader(BodySectionID=1), "BodySectionID") == "should be 0x384"
    assert meaning(mqrr.ExtensionHeader(HeaderSize=13), "HeaderSize") == "should be 12"
    assert meaning(mqqb.EstablishConnectionHeader(OperatingSystem=0x17), "RE") == "should be 0x10"
    assert meaning(mqmq.DebugHeader(Flags=2), "QT") == "not a documented value"
    for bits in (1, 3):
        assert meaning(mqmq.UserHeader(Flags=mqmq.UserHeaderFlags(X3=bits)), "X3").startswith(
            "unused; implementations"
        )
    assert not meaning(mqmq.UserHeader(Flags=mqmq.UserHeaderFlags(X3=2)), "X3").startswith(
        "unused; implementations"
    )
    assert meaning(mqrr.SubqueueHeader(), "LastMoveTime") == "never moved"
    assert meaning(mqrr.SubqueueHeader(LastMoveTime=1), "LastMoveTime") == "1970-01-01 00:00:01 local time"
    subqueue = mqrr.SubqueueHeader(SubqueueName="sub".encode("utf-16-le").ljust(64, b"\0"))
    assert meaning(subqueue, "SubqueueName") == '"sub"'
    acknowledged = mqrr.SubqueueHeader(Flags=mqrr.SubqueueHeaderFlags(AcknowledgementClass=0x4000))
    assert meaning(acknowledged, "AcknowledgementClass") == "MQMSG_CLASS_ACK_RECEIVE"
    host = mqrr.ExtendedAddressHeader
    assert meaning(host(AddressType=1, Address=b"\x0a\0\0\1".ljust(16, b"\0")), "Address") == "10.0.0.1"
    assert meaning(host(AddressType=6, Address=b"\xfe\x80".ljust(15, b"\0") + b"\1"), "Address") == "fe80::1"
    assert meaning(host(AddressType=7, Address=b"\1" * 16), "AddressType") == "not in ADDRESS_TYPE"
    assert meaning(host(AddressType=0), "AddressType") == "no address, ignore this header"
    assert meaning(mqmq.XACTUOW(b"\1" * 16), "rgb") == "16 bytes, all 01"
    assert meaning(mqmq.DebugHeader(QueueIdentifier=mw.NULL_GUID), "QueueIdentifier") == "null"


QUEUES = {
    0: "none",
    2: "private queue on the source host",
    3: "private queue on the destination host",
    5: "public queue",
    6: "private queue on another host",
    7: "direct format name",
}
MEANINGS: dict[str, dict[int, str]] = {
    "BaseHeader.Flags.PR": {0: "lowest priority", 3: "default priority", 7: "highest priority"},
    "UserHeader.Flags.DM": {0: "express", 1: "recoverable"},
    "UserHeader.Flags.DQ": {
        0: "none",
        3: "private queue on the destination host",
        5: "public queue",
        7: "direct format name",
    },
    "UserHeader.Flags.AQ": QUEUES,
    "UserHeader.Flags.RQ": {
        0: "none",
        1: "the same as AdminQueue",
        2: "private queue on the source host",
        3: "private queue on the destination host",
        4: "private queue on the host of AdminQueue",
        5: "public queue",
        6: "private queue on another host",
        7: "direct format name",
    },
    "MessagePropertiesHeader.PrivacyLevel": {
        0: "not encrypted",
        1: "40-bit encryption",
        3: "128-bit encryption",
        5: "AES encryption",
    },
    "SecurityHeader.Flags.ST": {0: "no SecurityID", 1: "SID of the sender", 2: "GUID of the queue manager"},
    "DebugHeader.Flags.QT": {0: "no queue", 1: "public queue"},
    "MQFAddressHeader.HeaderID": {100: "Destination", 200: "Administration", 300: "Response"},
    "InternalHeader.Flags.PT": {1: "SessionAck", 2: "EstablishConnection", 3: "ConnectionParameters"},
    "EstablishConnectionHeader.OperatingSystem.SE": {0: "a ping was sent", 1: "no ping was sent"},
    "EstablishConnectionHeader.OperatingSystem.OS": {0: "no server system", 1: "server system"},
    "BaseReplicationHeader.Operation": {
        0: "ChangePropagationMessage",
        1: "ChangeRequestMessage",
        2: "SyncRequestMessage",
        3: "SyncReplyMessage",
        4: "ChangeReplyMessage",
        5: "AlreadyPurgedMessage",
        6: "PSCAckMessage",
        7: "BSCAckMessage",
    },
}


def test_meanings_are_those_of_the_documents() -> None:
    assert {path: documented.VALUES[path] for path in MEANINGS} == MEANINGS
    assert documented.UNITS == {
        "BaseHeader.TimeToReachQueue": "s",
        "UserHeader.TimeToBeReceived": "s",
        "UserHeader.SentTime": "date",
        "SubqueueHeader.LastMoveTime": "local date",
        "ConnectionParametersHeader.RecoverableAckTimeout": "ms",
        "ConnectionParametersHeader.AckTimeout": "ms",
        "EstablishConnectionHeader.TimeStamp": "ms",
    }
    assert documented.EXPECTED == {
        "BaseHeader.VersionNumber": 0x10,
        "BaseHeader.Signature": 0x524F494C,
        "MQFSignatureHeader.ID": 0x15E,
        "SoapHeader.HeaderSectionID": 0x320,
        "SoapHeader.BodySectionID": 0x384,
        "ExtensionHeader.HeaderSize": 12,
        "SubqueueHeader.HeaderSize": 148,
        "ExtendedAddressHeader.HeaderSize": 28,
        "EstablishConnectionHeader.OperatingSystem.RE": 0x10,
        "PingPacket.Signature": 0x5548,
    }


def test_remote_reads_mean_other_things() -> None:
    def packet(queue: Any, address: bytes) -> Any:
        message = mqmq.UserMessage(
            BaseHeader=mqmq.BaseHeader(TimeToReachQueue=1),
            UserHeader=mqmq.UserHeader(DestinationQueue=queue, QueueManagerAddress=mw.GUID(address)),
        )
        return explain(mqrr.MessagePacket(UserMessage=message))

    direct = mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\q")
    overlay = mqrr.UserHeaderAddress
    text = packet(direct, overlay(AddressLength=4, AddressType=1, Address=b"\x0a\0\0\1\0\0\0\0").encode())
    assert row(text, "QueueManagerAddress").endswith("sent by 10.0.0.1")
    assert row(text, "TimeToReachQueue") == "1             until 1970-01-01 00:00:01 UTC"
    text = packet(direct, overlay(AddressLength=16, AddressType=6, Address=b"\xfe\x80\0\0\0\0\0\0").encode())
    assert row(text, "QueueManagerAddress").endswith("sent by fe80:: (truncated)")
    text = packet(direct, b"\1" * 16)
    assert row(text, "QueueManagerAddress").endswith("sent by a host of unknown address")
    text = packet(mqmq.PublicQueueFormatName(GUID), GUID.bytes_le)
    assert row(text, "QueueManagerAddress").endswith("host that sent it")


def test_directory_messages() -> None:
    text = explain(CHANGE)
    assert row(text, "PropertyID") == "101 103 1201 102  4 numbers"
    assert row(text, "PropertyValue[0]") == f"{GUID}  PROPID_Q_INSTANCE, VT_CLSID"
    assert row(text, "PropertyValue[1]").startswith('"label"')
    assert row(text, "PropertyValue[2]").startswith("5 elements")
    assert row(text, "SeqNumber").startswith("0000000000000005")
    values = [PropertyValue(65, b"abc"), PropertyValue(1, None), PropertyValue(0x1013, (1,))]
    many = DirectoryChange(PathName="q", PropertyID=[4_000_000_000] * 12, PropertyValue=values * 4)
    text = explain(many)
    assert " ..  12 numbers  <-- expected a property identifier of" in row(text, "PropertyID")
    assert row(text, "PropertyValue[0]") == '3 bytes, "abc"  4000000000, VT_BLOB'
    assert row(text, "PropertyValue[1]") == "nothing       4000000000, VT_NULL"
    assert row(text, "PropertyValue[2]").startswith("1 element ")
    assert row(text, "PropertyValue[..]") == "... 2 more"
    message = ChangePropagationMessage(DirectoryChanges=[CHANGE] * 3)
    assert row(explain(message), "Operation").endswith("ChangePropagationMessage")
    changed = mw.replace(CHANGE, PropertyID=[101, 103, 102], PropertyValue=[GUID, "x", GUID])
    raw = ChangePropagationMessage(DirectoryChanges=[changed] * 3).encode()
    for end in range(len(raw)):
        text = explain(raw[:end], ChangePropagationMessage, max_elements=1)
        check_safe(text)
        check_ranges(text, end)


# --------------------------------------------------------------------------------- hostile, large, arbitrary


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("\x1b[31mred", r'"\x1b[31mred"'),
        ("a\nerror: b", r'"a\nerror: b"'),
        ("a\r\t\x07\x9b\u202e\ufeff", r'"a\r\t\x07\x9b\u202e\ufeff"'),
        ('"  <-- all is well', r'"\"  <-- all is well"'),
        ("\ud800", r'"\ud800"'),
        ("\U0001f600", r'"\U0001f600"'),
        ("a\0b", r'"a\x00b"'),
        ("C:\\x1b", r'"C:\x1b"'),
    ],
)
def test_hostile_labels(label: str, shown: str) -> None:
    text = explain(mqmq.MessagePropertiesHeader(Label=label))
    check_safe(text)
    assert row(text, "Label").startswith(shown)
    direct = mqmq.DirectQueueFormatName(DirectFormatName=label)
    check_safe(explain(mqmq.UserHeader(DestinationQueue=direct)))


def test_long_texts_are_short() -> None:
    for char in ("x", "\U0001f600", "\x1b", '"'):
        label = char * 120
        text = explain(mqmq.MessagePropertiesHeader(Label=label))
        check_safe(text)
        assert " .. " in row(text, "Label")


@pytest.mark.parametrize(
    "packet",
    [mqmq.UserMessage(), mqqb.ConnectionParameters(), mqqb.SessionAck()],
    ids=lambda one: type(one).__name__,
)
def test_bytes_left_over_in_a_packet(packet: Any) -> None:
    """The packet before them is whole, so it has its size."""
    whole = mw.encode(packet)
    size = len(whole)
    name = type(packet).__name__
    for more in (1, 4):
        raw = whole[:8] + (size + more).to_bytes(4, "little") + whole[12:] + bytes(more)
        first = explain(raw).splitlines()[1]
        assert first.split()[:5] == ["0000", "0", f"{size}", "bytes", name]
        assert explain(raw).splitlines()[-1].startswith(f"error: {more} byte")
    assert explain(whole[:-1]).splitlines()[1].split()[2] == "truncated"


def test_many_elements() -> None:
    count = 100_000
    header = mqmq.MQUSERSIGNCERTS(Certificates=[mqmq.MQUSERSIGNCERT()] * count)
    raw = header.encode()
    text = explain(raw, mqmq.MQUSERSIGNCERTS)
    assert text == explain(header)
    assert len(text.splitlines()) < 100
    assert "... 99,990 more" in text
    check_ranges(text, len(raw))
    assert "... 99,998 more" in explain(header, max_elements=2)
    assert "... 100,000 more" in explain(header, max_elements=0)
    with pytest.raises(mw.MsmqWireError, match="max_elements is -1, which is not a count"):
        explain(header, max_elements=-1)


@pytest.mark.each(2)
@pytest.mark.parametrize("cut", [0, 30])
def test_the_listing_is_bounded(cut: int) -> None:
    """However many elements are asked for; the bound can be raised, and every byte is in some line."""
    names = [element(mqmq.PrivateQueueFormatName(GUID, index)) for index in range(1000)]
    raw = mqmq.MQFAddressHeader(FormatNameList=names).encode()
    data = raw[: len(raw) - cut]
    text = explain(data, mqmq.MQFAddressHeader, max_elements=1000)
    assert 500 <= sum(map(bool, text.splitlines())) < 520
    assert "FormatNameList[..]" in text
    check_ranges(text, len(data))
    whole = explain(data, mqmq.MQFAddressHeader, max_elements=1000, limits=mw.Limits(fields=1 << 20))
    assert ("FormatNameList[..]" in whole, "FormatNameList[998]" in whole) == (False, True)
    check_ranges(whole, len(data))
    for fields in (0, 1, 7, 8, 9, 100):
        for most in (0, 1, 5, 1000):
            limits = mw.Limits(fields=fields)
            check_ranges(explain(data, mqmq.MQFAddressHeader, max_elements=most, limits=limits), len(data))


@pytest.mark.parametrize("cut", [0, 3])
@pytest.mark.parametrize("fields", [0, 1, 5, 20, 60])
def test_the_listing_of_values_is_bounded(fields: int, cut: int) -> None:
    change = mw.replace(
        CHANGE, PropertyID=[*CHANGE.PropertyID] * 9, PropertyValue=[*CHANGE.PropertyValue] * 9
    )
    raw = change.encode()
    data = raw[: len(raw) - cut]
    for most in (0, 1, 5, 100):
        text = explain(data, type(change), max_elements=most, limits=mw.Limits(fields=fields))
        check_ranges(text, len(data))
        assert len(text.splitlines()) < 80 + fields


def test_an_element_that_breaks_off_is_shown() -> None:
    names = [element(mqmq.PrivateQueueFormatName(GUID, index)) for index in range(40)]
    raw = mqmq.MQFAddressHeader(FormatNameList=names).encode()
    text = explain(raw[:-30], mqmq.MQFAddressHeader, max_elements=3)
    assert "... 35 more" in text
    assert row(text, "FormatNameList[38]").startswith("MQFFormatNameElement") or "FormatNameList[38]" in text
    check_ranges(text, len(raw) - 30)
    for most in (0, 1, 38, 39, 40):
        check_ranges(explain(raw[:-30], mqmq.MQFAddressHeader, max_elements=most), len(raw) - 30)


@given(st.binary(max_size=200), st.sampled_from([None, *sorted(structures())]))
def test_arbitrary_bytes(data: bytes, kind: str | None) -> None:
    text = explain(data, kind)
    check_safe(text)
    check_ranges(text, len(data))


@given(st.sampled_from(RECORDS), st.integers(0), st.integers(0, 255), st.booleans())
def test_damaged_records(record: Any, place: int, value: int, named: bool) -> None:
    raw = bytearray(record.encode() or b"\0")
    raw[place % len(raw)] = value
    text = explain(bytes(raw), type(record) if named else None)
    check_safe(text)
    check_ranges(text, len(raw))


# ----------------------------------------------------------------------------------------------- texts


def test_durations() -> None:
    assert texts.duration(0, "s") == "0 s"
    assert texts.duration(500, "ms") == "0.500 s"
    assert texts.duration(59, "s") == "59 s"
    assert texts.duration(60, "s") == "1 min"
    assert texts.duration(59_999, "ms") == "59.999 s"
    assert texts.duration(90061, "s") == "1 d 1 h 1 min 1 s"
    assert texts.duration(0xFFFFFFFF, "s") == "for ever"
    assert texts.duration(0xFFFFFFFF, "ms") == "49 d 17 h 2 min 47 s"


def test_addresses() -> None:
    assert texts.address(3, bytes(range(10))) == "00010203.040506070809"
    assert texts.address(1, b"\x01") is None


def test_every_table_names_what_exists() -> None:
    known = set()
    for structure in structures().values():
        for field in structure.fields:
            known.add(f"{structure.name}.{field.name}")
            known |= {
                f"{structure.name}.{field.name}.{group.name}" for group in getattr(field.kind, "groups", ())
            }
    tables: list[Any] = [
        documented.VALUES,
        documented.EXPECTED,
        documented.UNITS,
        documented.HEXADECIMAL,
        documented.OPTIONAL,
    ]
    assert {path for table in tables for path in table} <= known
    assert {name for name, _ in documented.EMBEDDED.values()} <= set(structures())
    assert documented.VALUES.keys() >= documented.OPTIONAL


def test_bytes_left_over_stand_at_their_offsets() -> None:
    data = mqqb.PingPacket().encode()
    lines = explain(data + bytes(range(0x30, 0x44)), "PingPacket").splitlines()
    first = next(at for at, line in enumerate(lines) if "(left over)" in line)
    assert [line.split()[:4] for line in lines[first:]] == [
        ["0018", "24", "20", "bytes"],
        ["0018", "24", "30", "31"],
        ["0020", "32", "38", "39"],
        ["0028", "40", "40", "41"],
    ]


def test_the_end_of_time_in_a_remote_read() -> None:
    """The time to reach the queue is a date there, but for the number that stands for none."""
    for seconds, meaning in ((0xFFFFFFFF, "for ever"), (5, "until 1970-01-01 00:00:05 UTC")):
        packet = mqrr.MessagePacket(
            UserMessage=mqmq.UserMessage(BaseHeader=mqmq.BaseHeader(TimeToReachQueue=seconds))
        )
        (line,) = (line for line in explain(packet).splitlines() if "TimeToReachQueue" in line)
        assert line.endswith(meaning)


def test_what_is_omitted_of_a_call_has_its_place_and_size() -> None:
    """The 67 bytes of a value with three elements: all but the first three, or all after one element."""
    inner = [mw.PropertyValue(17, number) for number in range(3)]
    record = rpc.PROPVARIANT.of(0x100C, inner)
    assert len(record.encode()) == 67
    for options, place in (({"limits": mw.Limits(fields=3)}, 3), ({"max_elements": 1}, 35)):
        words = explain(record, **options).splitlines()[-1].split()
        assert words[1:4] == [str(place), str(67 - place), "bytes"]
        assert words[-2:] == ["...", "more"]


def test_characters_of_bytes_that_are_left_over() -> None:
    """The printable ones of ASCII, from the space to the tilde; a point for each other."""
    text = explain(mqmq.BaseHeader().encode() + b"\x1f \x21~\x7f\xff", mqmq.BaseHeader)
    assert "1f 20 21 7e 7f ff" in text
    assert ". !~.." in text


@pytest.mark.parametrize("count", [1, 8, 9])
def test_up_to_eight_numbers_are_shown(count: int) -> None:
    change = mw.mqdsrp.DirectoryChange(PathName="a", PropertyID=[105] * count, PropertyValue=[1] * count)
    shown = " ".join(["105"] * min(count, 8)) + (" .." if count > 8 else "")
    assert row(explain(change), "PropertyID") == f"{shown:<12}  {count} numbers"


def test_the_error_of_a_given_structure_is_that_of_decode() -> None:
    """Also where a size before the damage is what is wrong."""
    packet = mqrr.MessagePacket(UserMessage=mqmq.UserMessage(), ExtensionHeader=mqrr.ExtensionHeader())
    data = bytearray(packet.encode())
    data[8] += 4  # PacketSize
    with pytest.raises(mw.DecodeError) as caught:
        mqrr.MessagePacket.decode(data)
    assert caught.value.path.endswith("PacketSize")
    assert explain(data, "MessagePacket").endswith(f"\nerror: {caught.value}")
    change = bytearray(mqdsrp.DirectoryChange(PathName="machine\\q").encode())
    change[1] = 1  # UseGuid, so that four bytes are left over
    assert explain(change, "DirectoryChange").endswith("at `DirectoryChange.UseGuid`, byte 1")


def test_profiles_of_calls() -> None:
    queue = rpc.QUEUE_FORMAT.of("DIRECT=OS:a\\b;sub")
    for data in (queue, queue.encode()):
        text = explain(data, "QUEUE_FORMAT", profile="windows-xp")
        assert (
            "\nwindows-xp: QUEUE_FORMAT.m_qft: from windows-xp it has to be a kind without a subqueue" in text
        )
    for data in (queue, b"abc"):
        with pytest.raises(mw.MsmqWireError, match="profile is 'none'"):
            explain(data, profile="none")  # type: ignore[arg-type]  # it is the error
