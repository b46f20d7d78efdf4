"""Which numbers a rule permits: every edge of what the document prints, and the numbers around it."""

from __future__ import annotations

from typing import Any

import pytest
from support_marks import proves
from support_rows import for_each

from msmq_wire import GUID, NULL_GUID, decode_lax, mqcn, mqdsrp, mqmq, mqqb, mqrr
from msmq_wire.checks.rules.mqqb import is_order_queue
from msmq_wire.checks.rules.vocabulary import presence
from msmq_wire.checks.validation import Context, validate
from msmq_wire.testing.bent.records import bend
from msmq_wire.testing.strategies.directory import signed

_WORD = 0xFFFFFFFF
_FROM_SITE: Any = {"BaseReplicationHeader": mqdsrp.BaseReplicationHeader(SiteID=GUID(b"s" * 16))}
_SYNC = mqdsrp.SyncRequestMessage(RequesterName="psc", **_FROM_SITE)
_NOTICE = mqcn.ChangeNotificationMessage(Version=2, Data=mqcn.NotificationBody.of(1, NULL_GUID, "server"))
_HEADER = mqmq.UserHeader(DestinationQueue="DIRECT=OS:host\\queue")
_NAME = mqmq.MQFFormatNameElement(3, b"", mqmq.MQFDirectQueueFormatName(DirectFormatName="OS:host\\queue"))
_ADMIN = mqmq.UserHeader(DestinationQueue=mqmq.PrivateQueueFormatNameId(4))
_PROPERTIES = mqmq.MessagePropertiesHeader(Label="QM Ordering Ack")
_NEGATIVE = (0x8000, 0x8003, 0x8004, 0x8006, 0x8007, 0x8009, 0x800B, 0xC000, 0xC001, 0xC002)

PERMITTED: list[tuple[str, Any, str, int, tuple[int | range, ...]]] = [
    ("MQCN-2.2.4-04", _NOTICE, "Version", 8, (1, 2)),
    ("MQCN-2.2.6-01", mqcn.NotificationUpdate(PathName="host"), "Command", 8, (0, 1, 2)),
    ("MQDSRP-2.2.4-01", mqdsrp.DirectoryChange(PathName="host"), "Command", 8, (0, 1, 2, 3)),
    ("MQDSRP-2.2.5.1-02", mqdsrp.BaseReplicationHeader(), "Operation", 8, (range(8),)),
    ("MQDSRP-2.2.6.4-02", _SYNC, "IsSync0", 8, (0, 1)),
    ("MQDSRP-2.2.6.4-03", _SYNC, "Scope", 8, (0, 1)),
    ("MQDSRP-2.2.5.3-02", mqdsrp.SyncReplyHeader(), "CompleteSync0", 32, (0, 1, 2)),
    ("MQDSRP-2.2.6.9-02", mqdsrp.ChangePropagationMessage(), "Flush", 8, (0, 1)),
    ("MQMQ-2.2.1-04", mqmq.MQDSPUBLICKEY(), "ulProviderType", 32, (0x01, 0x18)),
    ("MQMQ-2.2.4-03", mqmq.TA_ADDRESS(), "AddressType", 16, (1, 2, 3, 5)),
    ("MQMQ-2.2.18.1.4-01", _NAME, "FormatType", 16, (1, 2, 3, 6)),
    ("MQMQ-2.2.19.2-08", _HEADER, "Flags.RC", 5, (range(0x1E),)),
    ("MQMQ-2.2.19.2-09", _HEADER, "Flags.DM", 2, (0, 1)),
    ("MQMQ-2.2.19.2-16", _HEADER, "Flags.DQ", 3, (0, 3, 5, 7)),
    ("MQMQ-2.2.19.2-17", _HEADER, "Flags.AQ", 3, (0, 2, 3, 5, 6, 7)),
    ("MQMQ-2.2.19.3-25", mqmq.MessagePropertiesHeader(), "PrivacyLevel", 32, (0, 1, 3, 5)),
    ("MQMQ-2.2.19.3-42", mqmq.MessagePropertiesHeader(), "LabelLength", 8, (range(0xFB),)),
    (
        "MQMQ-2.2.19.3-43",
        mqmq.MessagePropertiesHeader(),
        "HashAlgorithm",
        32,
        (0x8001, 0x8002, 0x8003, 0x8004, 0x800C, 0x800E),
    ),
    ("MQMQ-2.2.20.2-02", mqmq.MQFAddressHeader(), "HeaderID", 16, (0x64, 0xC8, 0x12C)),
    ("MQMQ-2.2.20.4-15", mqmq.SessionHeader(), "WindowSize", 16, (range(1, 0x10000),)),
    ("MQMQ-2.2.20.5-33", mqmq.TransactionHeader(), "TxSequenceNumber", 32, (range(1, _WORD + 1),)),
    ("MQMQ-2.2.20.5-34", mqmq.TransactionHeader(), "PreviousTxSequenceNumber", 32, (range(_WORD),)),
    ("MQMQ-2.2.20.6-01", mqmq.SecurityHeader(), "Flags.ST", 4, (0, 1, 2)),
    ("MQMQ-2.2.20.6-32", mqmq.SenderCertPublicKey(), "KeyType", 32, (0x2400, 0xA400)),
    ("MQMQ-2.2.20.6-44", mqmq.SecurityHeader(), "SenderCertSize", 32, (range(0x10000),)),
    ("MQMQ-2.2.20.8-01", mqmq.DebugHeader(), "Flags.QT", 2, (0, 1)),
    ("MQQB-2.2.1-03", mqqb.InternalHeader(), "Flags.PT", 4, (1, 2, 3)),
    (
        "MQQB-2.2.2.1-03",
        mqqb.ConnectionParametersHeader(),
        "RecoverableAckTimeout",
        32,
        (range(0x1F4, 0x1D4C1),),
    ),
    ("MQQB-2.2.2.1-04", mqqb.ConnectionParametersHeader(), "AckTimeout", 32, (range(0x4E20, 0x1D4C1),)),
    (
        "MQQB-2.2.4-04",
        mqqb.OrderAck(UserHeader=_ADMIN, MessagePropertiesHeader=_PROPERTIES),
        "UserHeader.Flags.DQ",
        3,
        (3, 7),
    ),
    ("MQQB-2.2.4.1-06", mqqb.OrderAckBody(), "TxSequenceNumber", 32, (range(1, _WORD + 1),)),
    ("MQQB-2.2.4.1-07", mqqb.OrderAckBody(), "TxPreviousSequenceNumber", 32, (range(_WORD),)),
    (
        "MQQB-2.2.5-05",
        mqqb.FinalAck(UserHeader=_ADMIN, MessagePropertiesHeader=_PROPERTIES),
        "UserHeader.Flags.DQ",
        3,
        (3, 7),
    ),
    (
        "MQQB-2.2.5-13",
        mqqb.FinalAck(UserHeader=_ADMIN, MessagePropertiesHeader=_PROPERTIES),
        "MessagePropertiesHeader.MessageClass",
        16,
        (0x4000, *_NEGATIVE),
    ),
    ("MQQB-2.2.5.1-04", mqqb.FinalAckBody(), "TxSequenceNumber", 32, (range(1, _WORD + 1),)),
    ("MQQB-2.2.5.1-05", mqqb.FinalAckBody(), "TxPreviousSequenceNumber", 32, (range(_WORD),)),
    (
        "MQQB-2.4.2-01",
        mqqb.SIMPLEBLOB(),
        "sessionKeyAlgorithm",
        32,
        (0x6602, 0x660E, 0x660F, 0x6610, 0x6801),
    ),
    ("MQRR-2.2.5.5-03", mqrr.ExtendedAddressHeader(), "AddressType", 16, (0, 1, 6)),
]
"""Requirement, record, field, its bits, and the numbers that it may hold."""


@pytest.mark.requirement
@for_each(("requirement", "record", "path", "bits", "permitted"), lambda: [proves(*r) for r in PERMITTED])
def test_permitted_numbers(
    requirement: str, record: Any, path: str, bits: int, permitted: tuple[int | range, ...]
) -> None:
    ranges = [item if isinstance(item, range) else range(item, item + 1) for item in permitted]
    edges = {
        0,
        (1 << bits) - 1,
        *(edge for r in ranges for edge in (r.start - 1, r.start, r.stop - 1, r.stop)),
    }
    for number in sorted(edge for edge in edges if 0 <= edge < 1 << bits):
        found = {violation.requirement for violation in validate(bend(record, path, number), "practice")}
        assert (requirement not in found) == any(number in r for r in ranges), number


@pytest.mark.parametrize("size", [0, 1, 11, 12, 13])
def test_a_session_key_has_twelve_bytes_in_front(size: int) -> None:
    data = mqmq.SecurityData(
        EncryptionKey=mqqb.SIMPLEBLOB().encode().ljust(12, b"k")[:size].ljust(size, b"k")
    )
    found = {item.requirement for item in validate(data)}
    assert ("MQQB-2.4.2-02" in found) == (0 < size < 12)


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (4, "VT_R4"), (5, "VT_R8"), (6, "VT_CY"), (7, "VT_DATE"), (8, "VT_BSTR"), (30, "VT_LPSTR"),
        (68, "VT_STREAMED_OBJECT"), (69, "VT_STORED_OBJECT"), (768, "BinaryMessageFormatter"),
        (0x2011, "VT_ARRAY"),
    ],
)  # fmt: skip
def test_types_of_bodies_that_programs_send(number: int, name: str) -> None:
    """Each by the name that COM and .NET have for it (erratum M3)."""
    properties = mqmq.MessagePropertiesHeader(BodyType=number)
    assert validate(properties) == ()
    (found,) = validate(properties, "practice")
    assert (found.requirement, found.level, found.erratum) == ("MQMQ-2.2.19.3-20", "practice", "M3")
    assert name in found.message


@pytest.mark.parametrize("number", [9, 10, 13, 14, 22, 29, 32, 67, 70, 767, 769, 0x2010, 0x2012])
def test_types_of_bodies_that_nobody_sends(number: int) -> None:
    (found,) = validate(mqmq.MessagePropertiesHeader(BodyType=number))
    assert (found.requirement, found.level) == ("MQMQ-2.2.19.3-20", "must")


def test_a_request_tells_that_a_packet_answers_it() -> None:
    assert not Context(sender=NULL_GUID).knows("is_response")
    assert Context(is_response=False).knows("is_response")
    assert Context(request=mqqb.PingPacket()).knows("is_response")
    assert not Context(request=mqqb.PingPacket()).knows("sender")


def test_an_order_queue_without_an_address_may_be_anywhere() -> None:
    """Only a direct name says at which address a queue for acknowledgments is."""
    known = Context(receiver_address="10.0.0.2")
    for ack, requirement in ((mqqb.OrderAck, "MQQB-2.2.4-07"), (mqqb.FinalAck, "MQQB-2.2.5-08")):
        assert requirement not in {
            found.requirement for found in validate(ack(UserHeader=_ADMIN), context=known)
        }


PARTS = ("SecurityID", "EncryptionKey", "Signature", "SenderCert", "ProviderInfo")


@for_each("part", lambda: PARTS)
@pytest.mark.parametrize("padding", range(8))
@pytest.mark.parametrize(("size", "right"), [(4, 0), (5, 3)])
def test_each_part_is_padded(part: str, size: int, right: int, padding: int) -> None:
    """Only the bytes to the next multiple of 4 obey, not those to a later one; the padding is named."""
    data = mqmq.SecurityData(**{part: bytes(size), f"{part}Padding": bytes(padding)})
    paths = {found.path for found in validate(data) if found.requirement == "MQMQ-2.2.20.6-25"}
    assert paths == (set() if padding == right else {f"SecurityData.{part}Padding"})


def test_what_may_be_said_in_words() -> None:
    """The longer time first, and the higher priority; one byte is no bytes."""
    message: Any = signed(mqdsrp.wrap(_SYNC, "host", NULL_GUID))
    late = bend(message, "BaseHeader.TimeToReachQueue", 5)
    assert [found.allowed for found in validate(late)] == ["1200 or 10 seconds"]
    message = signed(
        mqdsrp.wrap(mqdsrp.ChangeReplyMessage(RequesterName="bsc", **_FROM_SITE), "host", NULL_GUID)
    )
    other = bend(message, "BaseHeader.Flags.PR", 5)
    assert [found.allowed for found in validate(other)] == ["7 or 3"]  # 8 has no room, erratum D10
    unread = bend(message, "MessagePropertiesHeader.MessageBody", b"no message")
    assert "a replication message and nothing else" in {found.allowed for found in validate(unread)}
    unread = bend(
        signed(mqcn.wrap(_NOTICE, NULL_GUID, NULL_GUID)), "MessagePropertiesHeader.MessageBody", b"none"
    )
    assert "a change notification and nothing else" in {found.allowed for found in validate(unread)}
    (left,) = validate(mqcn.NotificationUpdates(Unused=bytes(3)))
    assert left.allowed.startswith("at most 1 byte of ")


def requirements(record: Any, **how: Any) -> list[str]:
    return [found.requirement for found in validate(record, **how)]


@pytest.mark.parametrize("vector", [0, 0x1000])
@pytest.mark.parametrize("number", [0, 1, 2, 3, 11, 12, 16, 17, 18, 19, 20, 21, 31, 65, 72])
def test_types_of_bodies_of_the_page(number: int, vector: int) -> None:
    """[MS-MQMQ] 2.2.12, each also as the element of a vector."""
    found = requirements(mqmq.MessagePropertiesHeader(BodyType=vector | number), level="practice")
    alone = {
        0x1000: ["MQMQ-2.2.12-17"],
        12: ["MQMQ-2.2.12-07"],
    }  # a vector of nothing, and what only vectors have
    assert found == alone.get(vector | number, [])


@pytest.mark.parametrize("bit", range(16))
def test_classes_of_applications(bit: int) -> None:
    """An application may set the bits of 0xE1FF."""
    found = requirements(mqmq.MessagePropertiesHeader(MessageClass=0xE0A4 | 1 << bit))
    assert ("MQMQ-2.2.19.3-16" in found) == (bit in {9, 10, 11, 12})


@pytest.mark.parametrize("size", [0, 1, 2, 128])
def test_a_signature_of_any_size_has_a_hash(size: int) -> None:
    data = mqmq.SecurityData(Signature=bytes(size), SignaturePadding=bytes(-size % 4))
    message = mqmq.UserMessage(
        UserHeader=_HEADER,
        SecurityHeader=mqmq.SecurityHeader(SecurityData=data),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(HashAlgorithm=0),
    )
    assert ("MQMQ-2.2.19.3-43" in requirements(message)) == (size > 0)


@pytest.mark.parametrize("size", range(6))
def test_the_padding_of_a_list(size: int) -> None:
    """Up to three bytes are padding; more could be another name."""
    found = requirements(mqmq.MQFAddressHeader(FormatNameList=[_NAME], Padding=bytes(size)))
    assert ("MQMQ-2.2.20.2-05" in found) == (size > 3)


@pytest.mark.parametrize("channel", ["session", "remote-read"])
@pytest.mark.parametrize("size", range(9))
def test_the_padding_behind_a_path(size: int, channel: Any) -> None:
    """Bytes that hide are reported on every channel, and once; what pads too little only in remote reads."""
    header = mqrr.DeadLetterHeader(DeadLetterPathName="ab", Padding=bytes(size))
    bare = len(header.encode()) - size
    wrong = size > 3 or (channel == "remote-read" and (bare + size) % 4 != 0)
    found = requirements(header, channel=channel)
    assert ("MQRR-2.2.5.4-03" in found) == wrong
    assert found.count("MQRR-2.2.5.4-03") <= 1 + ((bare + size) % 4 != 0)


@pytest.mark.parametrize(
    ("name", "has_null", "counts"),
    [
        (b"a\0\0b", False, True),  # the two zeros belong to two characters
        (b"a\0b\0\0\0", True, True),
        (b"\0\0", True, False),
        (b"\0\0a\0\0\0", True, False),
        (b"\0a\0\0", True, True),  # U+6100
        (b"a" * 64, False, True),
        (b"a\0" * 31 + b"\0\0", True, True),
    ],
)
def test_names_of_subqueues(name: bytes, has_null: bool, counts: bool) -> None:
    """A name ends at a character of zero; a header with an empty name is disregarded."""
    name = name.ljust(64, b"\0" if has_null else b"c")
    header = mqrr.SubqueueHeader(SubqueueName=name, TargetSubqueueName=b"c" * 64)
    found = requirements(header, channel="remote-read")
    assert ("MQRR-2.2.5.3-05" in found) != has_null
    assert ("MQRR-2.2.5.3-08" in found) == counts


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("10.0.0.1", True),
        ("999.0.0.1", False),
        ("[10.0.0.1]", False),
        ("fe80::1", True),
        ("[fe80::1]", False),
        ("[fe80::1", False),
        ("[fe80::x]", False),
        ("[fe80::1%3]", False),
    ],
)
def test_order_queues_at_an_address(address: str, is_one: bool) -> None:
    assert is_order_queue(f"TCP:{address}\\private$\\order_queue$\0") is is_one


@pytest.mark.parametrize("size", range(10))
def test_a_provider_is_a_number_and_a_text(size: int) -> None:
    """Four bytes and a text with one null, at its end."""
    data = mqmq.SecurityData(
        ProviderInfo=(b"\1\0\0\0" + b"a\0" * 3)[: max(size - 2, 0)] + bytes(min(size, 2))
    )
    assert ("MQMQ-2.2.20.6-46" in requirements(mqmq.SecurityHeader(SecurityData=data))) == (
        size not in {0, 6, 8}
    )


def cut_body(message: Any) -> set[str]:
    """The requirements that are not judged in a message of whose body one byte is known."""
    data = message.encode()
    begin = data.index(message.MessagePropertiesHeader.MessageBody)
    return {one.requirement for one in validate(decode_lax(data[: begin + 1])).unjudged}


def test_what_an_unknown_body_may_hold() -> None:
    """A queue for directory messages says which structures its messages carry."""
    replication, notification = "MQDSRP-2.2.5.1-02", "MQCN-2.2.4-04"
    left = cut_body(signed(mqdsrp.wrap(_SYNC, "host", NULL_GUID)))
    assert replication in left
    assert notification not in left
    left = cut_body(signed(mqcn.wrap(_NOTICE, NULL_GUID, NULL_GUID)))
    assert notification in left
    assert replication not in left
    properties = mqmq.MessagePropertiesHeader(MessageBody=b"text of an order")
    left = cut_body(mqmq.UserMessage(UserHeader=_HEADER, MessagePropertiesHeader=properties))
    assert not left & {replication, notification}


def test_what_unknown_values_may_hold() -> None:
    """Of properties that are cut off, structures in the known ones are not judged; others have none."""
    change = mqdsrp.DirectoryChange(PathName="host", PropertyID=(103, 206), PropertyValue=("host", b""))
    data = mqdsrp.encode(mqdsrp.ChangePropagationMessage(DirectoryChanges=[change]))
    begin = data.index((103).to_bytes(4, "little"))
    data = data[: begin + 4] + (206).to_bytes(4, "little") + data[begin + 8 :]
    cut = decode_lax(data[: begin + 8 + 3], "ChangePropagationMessage")
    assert "MQMQ-2.2.4-03" in {one.requirement for one in validate(cut).unjudged}
    other = data[: begin + 4] + (60_000).to_bytes(4, "little") + data[begin + 8 : begin + 8 + 3]
    cut = decode_lax(other, "ChangePropagationMessage")
    assert "MQMQ-2.2.4-03" not in {one.requirement for one in validate(cut).unjudged}


@pytest.mark.parametrize(("missing", "extra"), [("A-1-1", ""), ("", "A-1-1"), ("A-1-1", "B-1-1")])
def test_a_part_that_no_relation_announces(missing: str, extra: str) -> None:
    """The row that the compiler refuses names a requirement."""
    (row,) = presence("UserMessage.Nothing", missing=missing, extra=extra)
    assert row.requirement == "A-1-1"
