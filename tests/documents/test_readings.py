"""What the fields mean."""

from __future__ import annotations

import datetime as dt
import ipaddress

import pytest
from support_specs import load_vectors

import msmq_wire as mw
from msmq_wire import GUID, DecodeError, mqmq, mqqb, mqrr
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.readings import READINGS
from msmq_wire.mqmq import MESSAGE_CLASS_VALUES
from msmq_wire.records.record import record_class

MACHINE = "557358d1-9150-9595-4997-b6e611ea26c6"
FRAMES = {vector.name: vector.data for vector in load_vectors()}


def test_frame_7() -> None:
    packet = mw.decode(FRAMES["frame-7-user-message-completed"])
    assert isinstance(packet, mqmq.UserMessage)
    assert packet.UserHeader.sent_at == dt.datetime(2013, 10, 4, 23, 3, 40, tzinfo=dt.UTC)
    assert packet.UserHeader.time_to_be_received is None
    assert packet.BaseHeader.time_to_reach_queue == dt.timedelta(days=4)
    assert str(packet.UserHeader.destination) == "DIRECT=OS:a04bm02\\q"
    assert packet.UserHeader.message_identifier == mqmq.MessageIdentifier(MACHINE, 0x8EE)
    assert packet.MessagePropertiesHeader.label == packet.label == "mqsender label"
    assert packet.destination == packet.UserHeader.destination
    assert packet.MessagePropertiesHeader.message_class is MESSAGE_CLASS_VALUES.MQMSG_CLASS_NORMAL
    assert packet.SecurityHeader
    assert packet.SecurityHeader.sender == "S-1-5-21-3181267629-1039849782-3663111779-1000"
    assert packet.SecurityHeader.provider is None
    assert not packet.is_transactional
    assert packet.body == packet.MessagePropertiesHeader.MessageBody


def test_durations() -> None:
    assert mqmq.BaseHeader(TimeToReachQueue=0xFFFFFFFF).time_to_reach_queue is None
    assert mqmq.UserHeader(TimeToBeReceived=5).time_to_be_received == dt.timedelta(seconds=5)


def test_message_class_without_name() -> None:
    assert mqmq.MessagePropertiesHeader(MessageClass=0x0007).message_class == 7
    assert type(mqmq.MessagePropertiesHeader(MessageClass=0x0007).message_class) is int


def test_correlation() -> None:
    identifier = mqmq.MessageIdentifier(MACHINE, 9)
    header = mqmq.MessagePropertiesHeader(CorrelationID=identifier.encode())
    assert header.correlation_identifier == identifier


@pytest.mark.parametrize(
    ("kind", "raw", "sender"),
    [
        (2, GUID.of(MACHINE).bytes_le, GUID.of(MACHINE)),
        (2, b"short", None),
        (1, bytes.fromhex("0101000000000005 12000000"), "S-1-5-18"),
        (1, bytes.fromhex("0100000000000005"), "S-1-5"),  # no subauthority
        (1, bytes.fromhex("0101 010000000000 07000000"), "S-1-0x010000000000-7"),
        (1, bytes.fromhex("0100000000000005")[::-1], None),  # another revision
        (1, b"\1\x10" + bytes(6 + 64), None),  # more subauthorities than 15
        (1, bytes.fromhex("01000000000000"), None),
        (1, b"\x01\x02" + bytes(10), None),
        (1, b"", None),
        (0, b"anything", None),
    ],
)
def test_sender(kind: int, raw: bytes, sender: object) -> None:
    data = mqmq.SecurityData(SecurityID=raw)
    header = mqmq.SecurityHeader(SecurityData=data, Flags=mqmq.SecurityHeaderFlags(ST=kind))
    assert header.sender == sender


def test_sender_type_is_recognised() -> None:
    sid = bytes.fromhex("0101000000000005 12000000")
    for raw, kind in ((sid, 1), (GUID.of(MACHINE).bytes_le, 2)):
        assert kind == mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(SecurityID=raw)).Flags.ST
    assert mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(Signature=b"s")).Flags.ST == 0
    assert mqmq.SecurityHeader().Flags == 0


def test_provider() -> None:
    provider = mqmq.ProviderInfo(ProviderType=1, ProviderName="Provider")
    header = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(ProviderInfo=provider.encode()))
    assert header.provider == provider
    with pytest.raises(DecodeError, match="expected 4 bytes, found 1"):
        mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(ProviderInfo=b"x")).provider  # noqa: B018  # reading it is what raises


@pytest.mark.parametrize(
    ("flags", "value"),
    [(None, "hi"), (mqmq.SecurityHeaderFlags(ST=1), "hi"), (mqmq.SecurityHeaderFlags(EB=1), b"h\0i\0")],
)
def test_an_encrypted_body_stays_bytes(flags: mqmq.SecurityHeaderFlags | None, value: str | bytes) -> None:
    message = mqmq.UserMessage(
        SecurityHeader=None if flags is None else mqmq.SecurityHeader(Flags=flags),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(BodyType=31, MessageBody=b"h\0i\0"),
    )
    assert message.typed_body == value


def test_body_of_a_message_sent_over_http() -> None:
    compound = mqrr.CompoundMessageHeader(Data=b"POST ..\r\n\r\nbody!", MsgBodyOffset=11, MsgBodySize=4)
    message = mqmq.UserMessage(
        SRMPEnvelopeHeader=mqrr.SRMPEnvelopeHeader(Data="<se:\0Envelope/>\0"), CompoundMessageHeader=compound
    )
    assert message.body == b"body"
    assert message.SRMPEnvelopeHeader
    assert message.SRMPEnvelopeHeader.envelope == "<se:\0Envelope/>"
    outside = mw.replace(message, CompoundMessageHeader=mw.replace(compound, MsgBodyOffset=0x80000000))
    assert outside.body == b""


def test_acknowledgments() -> None:
    body = mqqb.OrderAckBody(TxSequenceNumber=5)
    assert body.TxPreviousSequenceNumber == 4
    properties = mqmq.MessagePropertiesHeader(
        Label="QM Ordering Ack",
        MessageClass=MESSAGE_CLASS_VALUES.MQMSG_CLASS_ORDER_ACK,
        MessageBody=body.encode(),
    )
    header = mqmq.UserHeader(DestinationQueue=mqmq.PrivateQueueFormatNameId(4))
    order = mqqb.OrderAck(UserHeader=header, MessagePropertiesHeader=properties)
    assert order.acknowledged == body
    assert mw.decode(order.encode()) == order
    final_body = mqqb.FinalAckBody(MessageID=7)
    final = mqqb.FinalAck(
        UserHeader=header,
        MessagePropertiesHeader=mw.replace(
            properties,
            MessageClass=MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_RECEIVE,
            MessageBody=final_body.encode(),
        ),
    )
    assert final.acknowledged == final_body
    assert final.is_positive
    assert final.UserHeader.Flags.DM == 1
    assert mw.decode(final.encode()) == final


def test_refusal() -> None:
    internal = mqqb.InternalHeader(Flags=mqqb.InternalHeaderFlags(CS=1))
    assert mqqb.EstablishConnection(InternalHeader=internal).is_refused
    assert not mqqb.ConnectionParameters().is_refused


def test_subqueues() -> None:
    name = "sub".encode("utf-16-le").ljust(64, b"\0")
    header = mqrr.SubqueueHeader(SubqueueName=name)
    assert (header.subqueue_name, header.target_subqueue_name) == ("sub", "")


@pytest.mark.parametrize(
    ("kind", "length", "raw", "found"),
    [
        (1, 4, bytes([10, 0, 0, 1]) + bytes(12), ipaddress.ip_address("10.0.0.1")),
        (6, 16, ipaddress.ip_address("fe80::1").packed, ipaddress.ip_address("fe80::1")),
        (0, 0, bytes(16), None),
    ],
)
def test_extended_address(kind: int, length: int, raw: bytes, found: object) -> None:
    header = mqrr.ExtendedAddressHeader(AddressType=kind, AddressLength=length, Address=raw)
    assert header.ip_address == found


def test_address_in_place_of_the_queue_manager() -> None:
    overlay = mqrr.UserHeaderAddress(AddressLength=4, AddressType=1, Address=bytes([10, 0, 0, 1, 0, 0, 0, 0]))
    header = mqmq.UserHeader(QueueManagerAddress=overlay.encode())
    assert header.received_from == overlay
    assert header.received_from.ip_address == ipaddress.ip_address("10.0.0.1")
    cut = mqrr.UserHeaderAddress(AddressLength=16, AddressType=6, Address=bytes(8))
    assert cut.ip_address is None


@pytest.mark.parametrize(
    ("kind", "raw", "found"),
    [
        (1, bytes([10, 0, 0, 1]), ipaddress.ip_address("10.0.0.1")),
        (3, bytes(range(10)), mqmq.IPXAddress(bytes(range(4)), bytes(range(4, 10)))),
        (5, GUID.of(MACHINE).bytes_le, GUID.of(MACHINE)),
        (1, b"long address", None),
        (9, b"", None),
    ],
)
def test_transport_address(kind: int, raw: bytes, found: object) -> None:
    entry = mqmq.TA_ADDRESS(AddressType=kind, Address=raw)
    assert entry.AddressLength == len(raw)
    assert entry.address == found


def test_properties_of_classes_are_registered() -> None:
    """Columns and incomplete records find a property of a class where the class has it from."""
    found = {
        name: {key for key, one in vars(record_class(name)).items() if isinstance(one, property)}
        for name in structures()
    }
    assert {name: set(READINGS.get(name, ())) for name in structures()} == found
    assert {"destination", "label"} <= found["UserMessage"]


@pytest.mark.parametrize(("seconds", "time"), [(0, 0), (1, 1), (0xFFFFFFFE, 0xFFFFFFFE), (0xFFFFFFFF, None)])
def test_only_the_greatest_number_is_infinite(seconds: int, time: int | None) -> None:
    expected = None if time is None else dt.timedelta(seconds=time)
    assert mqmq.BaseHeader(TimeToReachQueue=seconds).time_to_reach_queue == expected
    assert mqmq.UserHeader(TimeToBeReceived=seconds).time_to_be_received == expected


@pytest.mark.parametrize(
    ("kind", "length", "raw", "found"),
    [
        (1, 4, bytes([10, 0, 0, 1]) + bytes([7] * 12), "10.0.0.1"),
        (1, 0, bytes([10, 0, 0, 1]) + bytes(12), "10.0.0.1"),  # four bytes, whatever the length says
        (6, 15, bytes(range(16)), None),
        (6, 17, bytes(range(16)), None),
        (6, 16, bytes(range(16)), "1:203:405:607:809:a0b:c0d:e0f"),
        (2, 16, bytes(range(16)), None),
        (0, 4, bytes(range(16)), None),
    ],
)
def test_addresses_of_a_type_and_a_length(kind: int, length: int, raw: bytes, found: str | None) -> None:
    header = mqrr.ExtendedAddressHeader(AddressType=kind, AddressLength=length, Address=raw)
    assert header.ip_address == (None if found is None else ipaddress.ip_address(found))


@pytest.mark.parametrize("positive", [True, False])
def test_final_acknowledgments_are_positive_or_not(positive: bool) -> None:
    number = (
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_RECEIVE
        if positive
        else MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_RECEIVE_REJECTED
    )
    properties = mqmq.MessagePropertiesHeader(
        MessageClass=number, MessageBody=mqqb.FinalAckBody(MessageID=7).encode()
    )
    assert mqqb.FinalAck(MessagePropertiesHeader=properties).is_positive is positive


def test_a_body_of_its_own_comes_before_that_of_a_request() -> None:
    compound = mqrr.CompoundMessageHeader(Data=b"0123456789", MsgBodyOffset=2, MsgBodySize=3)
    whole = mqmq.UserMessage(
        SRMPEnvelopeHeader=mqrr.SRMPEnvelopeHeader(Data="<se:Envelope/>"),
        CompoundMessageHeader=compound,
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=b"own"),
    )
    assert whole.body == b"own"
    empty = mqmq.MessagePropertiesHeader()
    assert mw.replace(whole, MessagePropertiesHeader=empty).body == b"234"


def test_what_a_message_is() -> None:
    plain = mqmq.UserMessage()
    assert not plain.is_transactional
    assert mqmq.UserMessage(TransactionHeader=mqmq.TransactionHeader()).is_transactional
    assert not plain.is_without_announced_session_header
    announced = mqmq.UserMessage(BaseHeader=mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(SH=1)))
    assert announced.is_without_announced_session_header
    assert not mqmq.UserMessage(SessionHeader=mqmq.SessionHeader()).is_without_announced_session_header
    outside = mqrr.MessagePacket(UserMessage=plain, ExtensionHeader=mqrr.ExtensionHeader())
    assert not outside.has_trailers_inside
    inside = mqmq.UserMessage(ExtensionHeader=mqrr.ExtensionHeader())
    assert mqrr.MessagePacket(UserMessage=inside).has_trailers_inside
    assert not mqmq.SoapHeader(Header="abc").is_padded
    assert mqmq.SoapHeader(Header="ab", HeaderPadding=b"\0\0").is_padded
