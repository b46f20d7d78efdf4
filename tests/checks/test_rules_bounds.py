"""Which numbers a rule permits: every edge of what the document prints, and the numbers around it."""

from __future__ import annotations

from typing import Any

import pytest
from support_marks import proves

from msmq_wire import NULL_GUID, mqcn, mqdsrp, mqmq, mqqb, mqrr
from msmq_wire.checks.validation import Context, validate
from msmq_wire.testing.bent.records import bend

_WORD = 0xFFFFFFFF
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
    ("MQDSRP-2.2.6.4-02", mqdsrp.SyncRequestMessage(RequesterName="psc"), "IsSync0", 8, (0, 1)),
    ("MQDSRP-2.2.6.4-03", mqdsrp.SyncRequestMessage(RequesterName="psc"), "Scope", 8, (0, 1)),
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


@pytest.mark.parametrize(
    ("requirement", "record", "path", "bits", "permitted"), [proves(*r) for r in PERMITTED]
)
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


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("padding", range(8))
@pytest.mark.parametrize(("size", "right"), [(4, {0, 4}), (5, {3, 7})])
def test_each_part_is_padded(part: str, size: int, right: set[int], padding: int) -> None:
    """Only whole multiples of 4 bytes obey, also where one byte is too many."""
    data = mqmq.SecurityData(**{part: bytes(size), f"{part}Padding": bytes(padding)})
    broken = "MQMQ-2.2.20.6-25" in {found.requirement for found in validate(data)}
    assert broken == (padding not in right)


def test_what_may_be_said_in_words() -> None:
    """The longer time first, and the higher priority; one byte is no bytes."""
    message: Any = mqdsrp.wrap(mqdsrp.SyncRequestMessage(RequesterName="psc"), "host", NULL_GUID)
    late = bend(message, "BaseHeader.TimeToReachQueue", 5)
    assert [found.allowed for found in validate(late)] == ["1200 or 10 seconds"]
    message = mqdsrp.wrap(mqdsrp.ChangeReplyMessage(RequesterName="bsc"), "host", NULL_GUID)
    other = bend(message, "BaseHeader.Flags.PR", 5)
    assert [found.allowed for found in validate(other)] == ["7 or 3"]  # 8 has no room, erratum D10
    unread = bend(message, "MessagePropertiesHeader.MessageBody", b"no message")
    assert "a replication message and nothing else" in {found.allowed for found in validate(unread)}
    unread = bend(mqcn.wrap(_NOTICE, NULL_GUID, NULL_GUID), "MessagePropertiesHeader.MessageBody", b"none")
    assert "a change notification and nothing else" in {found.allowed for found in validate(unread)}
    (left,) = validate(mqcn.NotificationUpdates(Unused=bytes(3)))
    assert left.allowed.startswith("at most 1 byte of ")
