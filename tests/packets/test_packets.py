"""Telling packets apart, and what belongs to one."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from support_rows import for_each, table

import msmq_wire
from msmq_wire import DecodeError, LaxResult, Limits, Record
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.values.errors import in_bytes

# Parts are looked up by name throughout, so the types of the stubs are not asked.
mw: Any = msmq_wire
mqmq, mqqb, mqrr = mw.mqmq, mw.mqqb, mw.mqrr

QM = "557358d1-9150-9595-4997-b6e611ea26c6"
ORDER_QUEUE = mqmq.PrivateQueueFormatNameId(PrivateQueueIdentifier=4)


def facts(error: DecodeError) -> dict[str, Any]:
    """Every fact of an error."""
    names = ("problem", "structure", "path", "offset", "expected", "actual", "limit")
    return {name: getattr(error, name) for name in names}


def refused(data: bytes) -> dict[str, Any]:
    """The facts of the error that `decode` raises; `decode_lax` reports the same."""
    with pytest.raises(DecodeError) as caught:
        mw.decode(data)
    error = caught.value
    lax = mw.decode_lax(data)
    assert lax.packet is None
    assert lax.error is not None
    assert facts(lax.error) == facts(error)
    return facts(error)


def acknowledgment(queue: Any = ORDER_QUEUE, **changes: Any) -> Any:
    """A message that is an OrderAck, with some properties changed."""
    properties = {
        "Label": "QM Ordering Ack",
        "MessageClass": 0xFF,
        "MessageBody": mqqb.OrderAckBody(TxSequenceNumber=3).encode(),
    }
    return mqmq.UserMessage(
        BaseHeader=mqmq.BaseHeader(Flags=0),
        UserHeader=mqmq.UserHeader(DestinationQueue=queue),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(**{**properties, **changes}),
    )


def direct(name: str) -> Any:
    """A direct name in a UserHeader."""
    return mqmq.DirectQueueFormatName(DirectFormatName=name)


# -------------------------------------------------------------------------------------- kinds of packets


@pytest.mark.parametrize(
    ("kind", "number"),
    [(mqqb.SessionAck, 1), (mqqb.EstablishConnection, 2), (mqqb.ConnectionParameters, 3)],
)
def test_internal_packets(kind: Any, number: int) -> None:
    """Internal packets go by their type."""
    packet = kind()
    assert number == packet.InternalHeader.Flags.PT
    found = mw.decode(packet.encode())
    assert type(found) is kind
    assert found == packet


@pytest.mark.parametrize("number", [0, 4, 7, 15])
def test_unknown_internal_packet(number: int) -> None:
    """A type that no document names is refused."""
    packet = mqqb.ConnectionParameters(
        InternalHeader=mqqb.InternalHeader(Flags=mqqb.InternalHeaderFlags(PT=number, CS=1, X15=1))
    )
    assert refused(packet.encode()) == {
        "problem": f"expected one of 0x1, 0x2, 0x3, found {number:#x}",
        "structure": "InternalHeader",
        "path": "InternalHeader.Flags.PT",
        "offset": 18,
        "expected": "one of 0x1, 0x2, 0x3",
        "actual": number,
        "limit": "BaseHeader.PacketSize",
    }
    result = mw.decode_lax(packet.encode())
    assert result.headers == {"BaseHeader": packet.BaseHeader}
    assert result.rest == packet.encode()[16:]


def test_internal_packet_of_wrong_size() -> None:
    """An internal packet has the size of its kind."""
    data = bytearray(mqqb.SessionAck().encode())
    data[8] = 35
    assert refused(bytes(data[:35]))["path"] == "SessionAck.SessionHeader.Reserved"
    data[8] = 40
    found = refused(bytes(data) + bytes(4))
    assert (found["path"], found["offset"], found["actual"]) == ("SessionAck", 36, 4)
    assert found["limit"] == "BaseHeader.PacketSize"


def test_session_flag_of_internal_packets() -> None:
    """SH of an internal packet adds nothing; the kind says what it holds."""
    for kind in (mqqb.SessionAck, mqqb.ConnectionParameters):
        for flag in (0, 1):
            base = mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(SH=flag))
            packet = kind(BaseHeader=base)
            assert flag == packet.BaseHeader.Flags.SH
            assert mw.decode(packet.encode()) == packet


@pytest.mark.parametrize(
    "queue",
    [
        ORDER_QUEUE,
        direct("TCP:10.0.0.1\\PRIVATE$\\order_queue$"),
        direct("TCP:10.0.0.1\\private$\\ORDER_QUEUE$"),
        direct("SPX:00000001.00AABBCCDDEE\\PRIVATE$\\order_queue$"),
        direct("OS:host\\Private$\\Order_Queue$"),
    ],
    ids=str,
)
def test_order_ack(queue: Any) -> None:
    """An OrderAck goes by label, class, size and queue, whose name has no case."""
    message = acknowledgment(queue)
    found = mw.decode(message.encode())
    assert type(found) is mqqb.OrderAck
    assert found == mqqb.OrderAck.decode(message.encode())
    assert (found.BaseHeader, found.UserHeader) == (message.BaseHeader, message.UserHeader)
    assert mw.encode(found) == message.encode()
    assert mqqb.OrderAckBody.decode(found.MessagePropertiesHeader.MessageBody).TxSequenceNumber == 3
    lax = mw.decode_lax(message.encode() + b"x")
    assert (lax.packet, lax.error, lax.rest) == (found, None, b"x")
    assert list(lax.headers) == ["BaseHeader", "UserHeader", "MessagePropertiesHeader"]


@pytest.mark.parametrize("number", [0x4000, 0x8000, 0x8005, 0x800B, 0xC000, 0xC004, 0xFFFF])
@pytest.mark.parametrize(
    "queue", [ORDER_QUEUE, direct("TCP:1.2.3.4\\PRIVATE$\\order_queue$")], ids=["id", "direct"]
)
def test_final_ack(number: int, queue: Any) -> None:
    """A FinalAck has any class from 0x4000 on."""
    message = acknowledgment(queue, MessageClass=number)
    found = mw.decode(message.encode())
    assert type(found) is mqqb.FinalAck
    assert mw.encode(found) == message.encode()


def test_built_acknowledgments() -> None:
    """What the classes build is recognised."""
    user = mqmq.UserHeader(DestinationQueue=ORDER_QUEUE)
    order = mqqb.OrderAck(
        UserHeader=user,
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Label="QM Ordering Ack",
            MessageClass=mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_ORDER_ACK,
            MessageBody=mqqb.OrderAckBody().encode(),
        ),
    )
    assert mw.decode(order.encode()) == order
    final = mqqb.FinalAck(
        UserHeader=user,
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Label="QM Ordering Ack",
            MessageClass=mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_RECEIVE,
            MessageBody=mqqb.FinalAckBody(SourceGUID=QM).encode(),
        ),
    )
    assert mw.decode(final.encode()) == final


@pytest.mark.parametrize(
    "message",
    [
        acknowledgment(Label="QM Ordering ack"),
        acknowledgment(Label="QM Ordering Ack "),
        acknowledgment(Label="QM Ordering Ack", LabelLength=15),
        acknowledgment(MessageClass=0xFE),
        acknowledgment(MessageClass=0),
        acknowledgment(MessageClass=2),
        acknowledgment(MessageClass=0x3FFF),
        acknowledgment(MessageBody=bytes(35)),
        acknowledgment(mqmq.PrivateQueueFormatNameId(PrivateQueueIdentifier=5)),
        acknowledgment(mqmq.PublicQueueFormatName(PublicQueueIdentifier=QM)),
        acknowledgment(None),
        acknowledgment(direct("TCP:10.0.0.1\\private$\\order_queue")),
        acknowledgment(direct("TCP:10.0.0.1\\order_queue$")),
        acknowledgment(direct("TCP:10.0.0.1\\private$\\order_queue$;sub")),
    ],
    ids=lambda message: repr(message)[-60:],
)
def test_no_acknowledgment(message: Any) -> None:
    """A message that only resembles one is a message."""
    found = mw.decode(message.encode())
    assert type(found) is mqmq.UserMessage
    assert found == message


@pytest.mark.parametrize("word", [1, 3, 1 << 8, 1 << 15])
def test_acknowledgment_with_flags(word: int) -> None:
    """Any bit of BaseHeader.Flags makes it a message."""
    message = mw.replace(acknowledgment(), BaseHeader=mqmq.BaseHeader(Flags=word))
    assert type(mw.decode(message.encode())) is mqmq.UserMessage


@pytest.mark.parametrize(
    "part",
    [
        mqmq.TransactionHeader(),
        mqmq.SecurityHeader(),
        mqmq.SoapHeader(),
        mqmq.MultiQueueFormatHeader(),
        mqrr.ExtensionHeader(),
    ],
    ids=lambda part: type(part).__name__,
)
def test_acknowledgment_with_more_headers(part: Any) -> None:
    """A header that an acknowledgment cannot hold keeps the message a message."""
    message = mw.replace(acknowledgment(), **{type(part).__name__: part})
    found = mw.decode(message.encode())
    assert type(found) is mqmq.UserMessage
    assert found == message


# ---------------------------------------------------------------------------------- version and signature


def test_wrong_signature() -> None:
    """Bytes without the signature are no packet."""
    data = bytearray(mqmq.UserMessage().encode())
    data[4:8] = b"ROIL"
    assert refused(bytes(data)) == {
        "problem": "expected 0x524f494c, found 0x4c494f52; this is not a packet",
        "structure": "BaseHeader",
        "path": "BaseHeader.Signature",
        "offset": 4,
        "expected": 0x524F494C,
        "actual": 0x4C494F52,
        "limit": "buffer",
    }
    lax = mw.decode_lax(data)
    assert (lax.headers, lax.rest) == ({}, bytes(data))


@pytest.mark.parametrize("version", [0, 0x0F, 0x11, 0xFF])
def test_wrong_version(version: int) -> None:
    """Another version is no packet that we know."""
    data = bytes([version]) + mqmq.UserMessage().encode()[1:]
    assert refused(data) == {
        "problem": f"expected 0x10, found {version:#x}; this is not a packet",
        "structure": "BaseHeader",
        "path": "BaseHeader.VersionNumber",
        "offset": 0,
        "expected": 0x10,
        "actual": version,
        "limit": "buffer",
    }


def test_version_and_signature_by_class() -> None:
    """The classes read what they are asked to read; the two numbers are just fields."""
    data = b"\x11" + mqmq.UserMessage().encode()[1:4] + b"ROIL" + mqmq.UserMessage().encode()[8:]
    message = mqmq.UserMessage.decode(data)
    assert (message.BaseHeader.VersionNumber, message.BaseHeader.Signature) == (0x11, 0x4C494F52)
    assert message.encode() == data


@pytest.mark.parametrize("length", range(16))
def test_less_than_a_base_header(length: int) -> None:
    """Too few bytes are told from wrong ones."""
    found = refused(mqmq.UserMessage().encode()[:length])
    starts = [0, 1, 2, 4, 8, 12, 16]
    at = max(start for start in starts if start <= length)
    name = dict(
        zip(
            starts,
            ["VersionNumber", "Reserved", "Flags", "Signature", "PacketSize", "TimeToReachQueue"],
            strict=False,
        )
    )[at]
    assert found["path"].endswith(f"BaseHeader.{name}")
    size = starts[starts.index(at) + 1] - at
    assert found["problem"] == f"expected {in_bytes(size)}, found {length - at}"
    assert (found["offset"], found["expected"], found["actual"]) == (at, size, length - at)
    assert found["limit"] == "buffer"


# ------------------------------------------------------------------------------------ the session header


def with_session(**given: Any) -> Any:
    """A message with an acknowledgment that rides along."""
    return mqmq.UserMessage(SessionHeader=mqmq.SessionHeader(AckSequenceNumber=9, Reserved=7), **given)


def test_session_header_outside() -> None:
    """PacketSize does not count the SessionHeader of a message."""
    message = with_session()
    data = message.encode()
    assert message.BaseHeader.PacketSize == len(data) - 16
    assert mw.decode(data) == message
    assert data[-16:] == message.SessionHeader.encode()


def test_session_header_inside() -> None:
    """A sender that counts it is understood, and its bytes come back."""
    data = bytearray(with_session().encode())
    data[8:12] = len(data).to_bytes(4, "little")
    message = mw.decode(data)
    assert message.BaseHeader.PacketSize == len(data)
    assert message.SessionHeader == mqmq.SessionHeader(AckSequenceNumber=9, Reserved=7)
    assert message.encode() == data
    assert message.ExtensionHeader is None
    inside_extension = bytearray(with_session(ExtensionHeader=mqrr.ExtensionHeader()).encode())
    inside_extension[8:12] = len(inside_extension).to_bytes(4, "little")
    message = mw.decode(inside_extension)
    assert message.ExtensionHeader == mqrr.ExtensionHeader()
    assert message.SessionHeader is not None
    assert mw.encode(message) == inside_extension


def test_session_header_missing() -> None:
    """A message that promises one and ends before it is refused."""
    data = with_session().encode()
    found = refused(data[:-16])
    assert found["path"].startswith("UserMessage.")
    data = with_session().encode()
    assert refused(data[:-1])["offset"] >= len(data) - 16


def test_session_header_without_flag() -> None:
    """Without the flag the sixteen bytes belong to nobody."""
    data = bytearray(with_session().encode())
    data[2] &= ~0x10
    with pytest.raises(DecodeError) as caught:
        mw.decode(data)
    assert (caught.value.problem, caught.value.offset) == ("16 bytes left over", len(data) - 16)
    lax = mw.decode_lax(data)
    assert lax.packet.SessionHeader is None
    assert lax.rest == bytes(data[-16:])


def test_session_header_in_a_stream() -> None:
    """A lax reader takes the SessionHeader with its message, then the next packet."""
    data = with_session().encode()
    lax = mw.decode_lax(data + mqqb.SessionAck().encode())
    assert lax.packet == mw.decode(data)
    assert mw.decode(lax.rest) == mqqb.SessionAck()


# ---------------------------------------------------------------------------------- headers of [MS-MQRR]

SRMP = {
    "SRMPEnvelopeHeader": mqrr.SRMPEnvelopeHeader(HeaderId=100, Data="<se:Envelope/>"),
    "CompoundMessageHeader": mqrr.CompoundMessageHeader(
        Data=b"POST / HTTP/1.1\r\n\r\nbody", MsgBodySize=4, MsgBodyOffset=19
    ),
}
EXTENSION = {
    "ExtensionHeader": mqrr.ExtensionHeader(),
    "SubqueueHeader": mqrr.SubqueueHeader(SubqueueName="sub".encode("utf-16-le").ljust(64, b"\0")),
    "DeadLetterHeader": mqrr.DeadLetterHeader(DeadLetterPathName="DIRECT=OS:.\\private$\\dead"),
    "ExtendedAddressHeader": mqrr.ExtendedAddressHeader(
        AddressLength=4, AddressType=1, Address=b"\x0a\0\0\1".ljust(16, b"\0")
    ),
}

ANNOUNCED = table(
    lambda: [(), *((name,) for name in EXTENSION if name != "ExtensionHeader"), tuple(EXTENSION)[1:]]
)


def test_srmp_message() -> None:
    """AH announces both headers of a message that came over HTTP."""
    message = mqmq.UserMessage(**SRMP, SoapHeader=mqmq.SoapHeader(Header="h"))
    assert message.UserHeader.Flags.AH == 1
    found = mw.decode(message.encode())
    assert found == message
    assert found.SRMPEnvelopeHeader.Data == "<se:Envelope/>\0"
    start = found.CompoundMessageHeader.MsgBodyOffset
    assert (
        found.CompoundMessageHeader.Data[start : start + found.CompoundMessageHeader.MsgBodySize] == b"body"
    )


def test_srmp_flag_without_headers() -> None:
    """AH without them is what is wrong."""
    flags = mqmq.UserHeaderFlags(AH=1)
    message = mqmq.UserMessage(UserHeader=mqmq.UserHeader(Flags=flags))
    assert refused(message.encode()) == {
        "problem": "expected 0 without SRMPEnvelopeHeader, found 1",
        "structure": "UserHeader",
        "path": "UserMessage.UserHeader.Flags.AH",
        "offset": 60,
        "expected": 0,
        "actual": 1,
        "limit": "buffer",
    }


@pytest.mark.parametrize("extra", [{}, SRMP], ids=["binary", "srmp"])
@for_each("names", ANNOUNCED, ids=len)
def test_extension_inside(names: tuple[str, ...], extra: dict[str, Any]) -> None:
    """The headers of a remote read may stand within PacketSize."""
    given = {name: EXTENSION[name] for name in ("ExtensionHeader", *names)}
    message = mqmq.UserMessage(**extra, **given)
    assert message.BaseHeader.PacketSize == len(message.encode())
    found = mw.decode(message.encode())
    assert found == message
    for name in EXTENSION:
        assert (getattr(found, name) is not None) == (name in given)


@for_each("names", ANNOUNCED, ids=len)
@pytest.mark.parametrize("session", [None, mqmq.SessionHeader(Reserved=1)], ids=["", "session"])
def test_message_packet(names: tuple[str, ...], session: Any) -> None:
    """The same headers after PacketSize make a packet of a remote read."""
    given = {name: EXTENSION[name] for name in ("ExtensionHeader", *names)}
    message = mqmq.UserMessage(**SRMP, SessionHeader=session)
    packet = mqrr.MessagePacket(UserMessage=message, **given)
    assert packet.UserMessage == message
    found = mqrr.MessagePacket.decode(packet.encode())
    assert found == packet
    assert mw.encode(found) == message.encode() + b"".join(getattr(packet, name).encode() for name in given)
    with pytest.raises(DecodeError) as caught:
        mw.decode(packet.encode())
    assert caught.value.problem.endswith(
        'bytes left over; these bytes are a MessagePacket: decode(data, "MessagePacket")'
    )
    lax = mw.decode_lax(packet.encode())
    assert lax.packet == message
    assert lax.rest == packet.encode()[len(message.encode()) :]


ANNOUNCED_ONLY = mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(SH=1, PR=3))
"""Of a message that lost its SessionHeader when it was stored."""


@for_each("names", ANNOUNCED, ids=len)
def test_message_packet_with_nothing_but_the_flag_of_a_session_header(names: tuple[str, ...]) -> None:
    """An ExtensionHeader whose sizes fit stands in the place of a SessionHeader that is announced."""
    given = {name: EXTENSION[name] for name in ("ExtensionHeader", *names)}
    packet = mqrr.MessagePacket(UserMessage=mqmq.UserMessage(BaseHeader=ANNOUNCED_ONLY, **SRMP), **given)
    data = packet.encode()
    found = mqrr.MessagePacket.decode(data)
    assert found == packet
    assert found.encode() == data
    assert found.UserMessage.is_without_announced_session_header
    assert not found.has_trailers_inside
    lax = mw.decode_lax(data, mqrr.MessagePacket)
    assert (lax.packet, lax.error) == (found, None)
    assert mw.from_dict(mw.to_dict(found)) == found
    assert [one.requirement for one in mw.validate(found) if "SH" in one.path] == ["MQMQ-2.2.20-11"]


FLAG_ONLY = {
    "": mqmq.UserMessage(BaseHeader=ANNOUNCED_ONLY),
    "body": mqmq.UserMessage(
        BaseHeader=ANNOUNCED_ONLY,
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=bytes(range(99))),
    ),
    "srmp": mqmq.UserMessage(BaseHeader=ANNOUNCED_ONLY, **SRMP),
    "trailers inside": mqmq.UserMessage(BaseHeader=ANNOUNCED_ONLY, **EXTENSION),
}
"""Messages of remote reads that end at PacketSize."""


@for_each("name", lambda: FLAG_ONLY)
def test_message_packet_that_ends_at_its_size_with_the_flag_of_a_session_header(name: str) -> None:
    """Nothing stands in the place of a SessionHeader that is announced, and all bytes are the message's."""
    packet = mqrr.MessagePacket(UserMessage=FLAG_ONLY[name])
    data = packet.encode()
    assert packet.UserMessage.BaseHeader.PacketSize == len(data)
    found = mqrr.MessagePacket.decode(data)
    assert found == packet
    assert found.encode() == data
    assert found.UserMessage.SessionHeader is None
    assert found.UserMessage.is_without_announced_session_header
    lax = mw.decode_lax(data, mqrr.MessagePacket)
    assert (lax.packet, lax.error, lax.rest) == (found, None, b"")
    slow = diagnostic_reader(data, Limits())
    assert slow.read(mqrr.MessagePacket.layout, 0, len(data)) == (found, len(data))
    assert mw.from_dict(mw.to_dict(found)) == found
    assert [one.requirement for one in mw.validate(found) if "SH" in one.path] == ["MQMQ-2.2.20-11"]
    for decode in (mw.decode, mqmq.UserMessage.decode):  # on a session the header has to follow
        with pytest.raises(DecodeError) as caught:
            decode(data)
        assert caught.value.path.startswith("UserMessage.SessionHeader")


@for_each("name", lambda: FLAG_ONLY)
def test_message_packet_whose_size_counts_its_session_header(name: str) -> None:
    """The last 16 bytes of a message of a remote read are a SessionHeader if it can be read so."""
    size = len(FLAG_ONLY[name].encode()) + 16
    counted = mw.replace(
        FLAG_ONLY[name],
        BaseHeader=mw.replace(ANNOUNCED_ONLY, PacketSize=size),
        SessionHeader=mqmq.SessionHeader(AckSequenceNumber=12),
    )
    data = counted.encode()
    assert mqrr.MessagePacket.decode(data) == mqrr.MessagePacket(UserMessage=counted)
    assert mw.decode(data) == counted


@for_each("name", lambda: FLAG_ONLY)
def test_message_packet_that_is_cut_has_one_verdict(name: str) -> None:
    """What ends within the size of its message is refused, whatever SH says."""
    data = mqrr.MessagePacket(UserMessage=FLAG_ONLY[name]).encode()
    for size in range(0, len(data), 7):
        with pytest.raises(DecodeError) as caught:
            mqrr.MessagePacket.decode(data[:size])
        lax = mw.decode_lax(data[:size], mqrr.MessagePacket)
        assert lax.packet is None
        assert caught.value.path == lax.error.path or caught.value.path.endswith("PacketSize")
    with pytest.raises(DecodeError):
        mqrr.MessagePacket.decode(data + b"\0")


def test_a_session_header_is_one_unless_the_sizes_of_another_header_fit() -> None:
    """Of 16 bytes nothing but a SessionHeader can be made, whatever their numbers say."""
    alike = mqmq.SessionHeader(AckSequenceNumber=12, RecoverableMsgAckFlags=4, WindowSize=1)
    message = mqmq.UserMessage(SessionHeader=alike)
    assert mqrr.MessagePacket.decode(message.encode()).UserMessage == message
    assert mw.decode(message.encode()) == message
    more = mqrr.MessagePacket(UserMessage=message, **EXTENSION)
    assert mqrr.MessagePacket.decode(more.encode()) == more
    header = bytearray(
        mqrr.MessagePacket(UserMessage=mqmq.UserMessage(BaseHeader=ANNOUNCED_ONLY), **EXTENSION).encode()
    )
    at = mqmq.UserMessage(BaseHeader=ANNOUNCED_ONLY).BaseHeader.PacketSize + 4
    header[at] ^= 1  # RemainingHeadersSize
    with pytest.raises(DecodeError):
        mqrr.MessagePacket.decode(bytes(header))


def test_trailers_within_the_message_of_a_remote_read() -> None:
    message = mqmq.UserMessage(**EXTENSION)
    packet = mqrr.MessagePacket.decode(message.encode())
    assert packet.has_trailers_inside
    assert packet.encode() == message.encode()
    assert packet.UserMessage == message


def test_message_packet_alone() -> None:
    """Windows Server 2003 sends none of the headers after the message."""
    message = mqmq.UserMessage(**SRMP)
    packet = mqrr.MessagePacket.decode(message.encode())
    assert packet == mqrr.MessagePacket(UserMessage=message)
    assert packet.ExtensionHeader is None
    assert packet.encode() == message.encode()


def test_message_packet_without_announcement() -> None:
    """The flag that should announce a header is named; bytes that are no header are left over."""
    packet = mqrr.MessagePacket(
        ExtensionHeader=mqrr.ExtensionHeader(Flags=mqrr.ExtensionHeaderFlags(0)),
        SubqueueHeader=EXTENSION["SubqueueHeader"],
    )
    with pytest.raises(DecodeError) as caught:
        mqrr.MessagePacket.decode(packet.encode())
    error = caught.value
    assert (error.problem, error.path, error.offset) == (
        "expected 1 with SubqueueHeader, found 0",
        "MessagePacket.ExtensionHeader.Flags.SQ",
        128,
    )
    with pytest.raises(DecodeError) as caught:
        mqrr.MessagePacket.decode(packet.encode()[:-1])
    error = caught.value
    assert (error.problem, error.path, error.offset) == ("147 bytes left over", "MessagePacket", 132)


def test_address_overlay() -> None:
    """The address that a remote read puts into UserHeader.QueueManagerAddress."""
    overlay = mqrr.UserHeaderAddress(
        AddressLength=16, AddressType=6, AddressScope=1, Address=b"\xfe\x80" + bytes(6)
    )
    user = mqmq.UserHeader(QueueManagerAddress=overlay.encode())
    assert mqrr.UserHeaderAddress.decode(user.QueueManagerAddress.bytes_le) == overlay


# ------------------------------------------------------------------------------------------ queue names


@pytest.mark.parametrize(("group", "known", "values"), [
    ("DQ", "0x0, 0x3, 0x5, 0x7", (1, 2, 4, 6)),
    ("AQ", "0x0, 0x2, 0x3, 0x5, 0x6, 0x7", (1, 4)),
])  # fmt: skip
def test_unknown_queue_forms(group: str, known: str, values: tuple[int, ...]) -> None:
    """Values that the tables do not have close the session, so they are refused."""
    for value in values:
        user = mqmq.UserHeader(Flags=mqmq.UserHeaderFlags(**{group: value}))
        message = mqmq.UserMessage(UserHeader=user)
        assert refused(message.encode()) == {
            "problem": f"expected one of {known}, found {value:#x}",
            "structure": "UserHeader",
            "path": f"UserMessage.UserHeader.Flags.{group}",
            "offset": 16 + 44,
            "expected": f"one of {known}",
            "actual": value,
            "limit": "BaseHeader.PacketSize",
        }


@pytest.mark.parametrize("value", range(8))
def test_response_queue_forms(value: int) -> None:
    """Every value of RQ has a form: none for 0 and 1, a number for 2 to 4."""
    forms = {
        0: None, 1: None, 2: mqmq.PrivateQueueFormatNameId, 3: mqmq.PrivateQueueFormatNameId,
        4: mqmq.PrivateQueueFormatNameId, 5: mqmq.PublicQueueFormatName, 6: mqmq.PrivateQueueFormatName,
        7: mqmq.DirectQueueFormatName,
    }  # fmt: skip
    form = forms[value]
    user = mqmq.UserHeader(ResponseQueue=form and form(), Flags=mqmq.UserHeaderFlags(RQ=value))
    message = mqmq.UserMessage(UserHeader=user)
    found = mw.decode(message.encode())
    assert found == message
    assert value == found.UserHeader.Flags.RQ


# -------------------------------------------------------------------------------------------- decode_lax


def test_lax_result() -> None:
    """A whole packet with something after it."""
    message = mqmq.UserMessage(DebugHeader=mqmq.DebugHeader(QueueIdentifier=QM))
    result = mw.decode_lax(message.encode() + b"tail")
    assert isinstance(result, LaxResult)
    assert result.packet == message
    assert result.error is None
    assert result.rest == b"tail"
    assert list(result.headers) == ["BaseHeader", "UserHeader", "MessagePropertiesHeader", "DebugHeader"]
    assert result.headers["DebugHeader"] is result.packet.DebugHeader
    with pytest.raises(AttributeError):
        result.rest = b""  # type: ignore[misc]  # that is the point


def test_lax_of_damaged_header() -> None:
    """What stands before the damage is kept, and everything from it on is the rest."""
    message = mqmq.UserMessage(
        SecurityHeader=mqmq.SecurityHeader(
            SignatureSize=5000, SecurityData=mqmq.SecurityData(Signature=b"short")
        )
    )
    data = message.encode()
    result = mw.decode_lax(data)
    assert result.packet is None
    assert list(result.headers) == ["BaseHeader", "UserHeader"]
    assert result.error is not None
    assert result.error.path == "UserMessage.SecurityHeader.SecurityData.Signature"
    assert (result.error.offset, result.error.expected) == (80, 5000)
    assert result.rest == data[64:]


def test_lax_says_what_strict_says() -> None:
    """Whether a SessionHeader is within PacketSize or after it, both readers settle for the same error."""
    name = mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName("OS:a\\b"))
    header = mqmq.MQFAddressHeader(FormatNameList=[name])
    lists = mqmq.MultiQueueFormatHeader(Destination=header)
    data = mw.encode(mqmq.UserMessage(MultiQueueFormatHeader=lists, SessionHeader=mqmq.SessionHeader()))
    at = data.index("OS:a".encode("utf-16-le")) - 14  # HeaderSize
    for size in range(100, 200):
        lie = data[:at] + size.to_bytes(4, "little") + data[at + 4 :]
        with pytest.raises(DecodeError) as caught:
            mw.decode(lie)
        lax = mw.decode_lax(lie).error
        assert lax is not None
        assert (str(lax), lax.actual) == (str(caught.value), caught.value.actual)


def test_lax_of_wrong_size() -> None:
    """A size beyond the end is reported, but all headers are there."""
    message = mqmq.UserMessage(
        BaseHeader=mqmq.BaseHeader(PacketSize=5000), SoapHeader=mqmq.SoapHeader(Body="b")
    )
    result = mw.decode_lax(message.encode())
    assert result.packet is None
    assert list(result.headers) == ["BaseHeader", "UserHeader", "MessagePropertiesHeader", "SoapHeader"]
    assert result.error is not None
    assert facts(result.error) == {
        "problem": f"expected a size of at most {len(message.encode())} bytes, found 5000",
        "structure": "BaseHeader",
        "path": "UserMessage.BaseHeader.PacketSize",
        "offset": 8,
        "expected": f"at most {len(message.encode())}",
        "actual": 5000,
        "limit": "buffer",
    }
    assert result.rest == b""


def test_lax_of_small_size() -> None:
    """A size that ends within the message ends it there."""
    message = mqmq.UserMessage(BaseHeader=mqmq.BaseHeader(PacketSize=60))
    result = mw.decode_lax(message.encode())
    assert list(result.headers) == ["BaseHeader"]
    assert result.error is not None
    assert result.error.path == "UserMessage.BaseHeader.PacketSize"
    tiny = mqmq.UserMessage(BaseHeader=mqmq.BaseHeader(PacketSize=10))
    error = refused(tiny.encode())
    assert (error["problem"], error["path"]) == (
        "expected a size of at least 16 bytes, found 10",
        "UserMessage.BaseHeader.PacketSize",
    )


@pytest.mark.parametrize("data", [b"", b"\x10", b"no packet at all", bytes(100)])
def test_lax_of_no_packet(data: bytes) -> None:
    """What is no packet is all rest."""
    result = mw.decode_lax(data)
    assert (result.packet, result.headers, result.rest) == (None, {}, data)
    assert result.error is not None


def test_inputs() -> None:
    """Bytes of any kind; the result does not hang on a buffer that changes."""
    message = mqmq.UserMessage(MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=b"body"))
    buffer = bytearray(message.encode())
    found = mw.decode(buffer)
    view = mw.decode(memoryview(buffer))
    lax = mw.decode_lax(memoryview(buffer))
    buffer[:] = bytes(len(buffer))
    assert found == view == lax.packet == message
    assert type(found.MessagePropertiesHeader.MessageBody) is bytes


@pytest.mark.parametrize("name", ["SyncReplyMessage", "NotificationBody"])
def test_a_name_of_a_structure_is_enough(name: str) -> None:
    """Nothing else has to be imported before, whatever the structure belongs to."""
    text = f"import msmq_wire as mw; mw.decode_lax(b'', {name!r}); print('read')"
    done = subprocess.run(  # noqa: S603  # our own interpreter and our own text
        [sys.executable, "-c", text], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("read\n", "")


def test_encode_any_record() -> None:
    """`encode` writes any record, not only packets."""
    assert mw.encode(mqmq.TxSequenceID(1, 2)) == bytes([1, 0, 0, 0, 2, 0, 0, 0])


@pytest.mark.parametrize("length", range(16, 20))
def test_cut_internal_packet_with_its_size(length: int) -> None:
    """A size that fits leaves the InternalHeader to blame; nothing claims to know the kind."""
    data = mqqb.EstablishConnection().encode()
    cut = data[:8] + length.to_bytes(4, "little") + data[12:length]
    at = 18 if length >= 18 else 16
    found = refused(cut)
    assert found["structure"] == "InternalHeader"
    assert found["path"] == f"InternalHeader.{'Flags' if at == 18 else 'Reserved'}"
    assert (found["offset"], found["expected"], found["actual"]) == (at, 2, length - at)


@pytest.mark.parametrize("wrong", [5, "text", None, [1, 2]])
def test_only_buffers_are_read(wrong: Any) -> None:
    """A number is no buffer: `bytes(5)` would be five zeros."""
    for read in (mw.decode, mw.decode_lax, mqmq.BaseHeader.decode):
        with pytest.raises(TypeError):
            read(wrong)


def test_strict_decoding() -> None:
    good = mqmq.UserMessage().encode()
    assert mw.decode(good, strict=True) == mw.decode(good)
    header = mw.replace(mqmq.UserMessage().MessagePropertiesHeader, BodyType=9)
    bad = mqmq.UserMessage(MessagePropertiesHeader=header).encode()
    with pytest.raises(mw.ConformanceError) as caught:
        mw.decode(bad, strict=True)
    found = mw.validate(mw.decode(bad))
    assert caught.value.violations == found
    assert [violation.requirement for violation in found] == ["MQMQ-2.2.19.3-20"]
    assert found[0].path == "UserMessage.MessagePropertiesHeader.BodyType"
    assert "MQMQ-2.2.19.3-20" in str(caught.value)


@pytest.mark.parametrize(
    "name", ["SessionAck", "EstablishConnection", "ConnectionParameters", "OrderAck", "FinalAck"]
)
@pytest.mark.parametrize("more", [1, 2, 3])
def test_packet_size_is_not_rounded(name: str, more: int) -> None:
    data = bytearray(Record.class_of(name)().encode())
    end = len(data)
    data += bytes(more)
    data[8:12] = len(data).to_bytes(4, "little")
    with pytest.raises(DecodeError, match=f"{more} bytes? left over") as caught:
        Record.class_of(name).decode(bytes(data))
    assert caught.value.offset == end


def test_a_list_of_keys_may_end_anywhere() -> None:
    for size in range(20, 25):
        key = mqmq.MQDSPUBLICKEY(sProviderName="p", aBuf=b"\6\2" + bytes(size - 2))
        keys = mqmq.MQDSPUBLICKEYS(aPublicKeys=(key,))
        assert mqmq.MQDSPUBLICKEYS.decode(keys.encode()) == keys
        with pytest.raises(DecodeError, match="limit: buffer") as caught:
            mqmq.MQDSPUBLICKEYS.decode(keys.encode() + b"\0")
        assert caught.value.offset == keys.ulLen
