"""A judge of [MS-MQQB] 3.1.5.8.3 at an endpoint: what it refuses, and with which class."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from support_talk import QUEUE, SERVER, START, Talk
from test_crypto import AES256, CERTIFICATE, LONG, RC2, SHORT, certificate_of

import msmq_wire as mw
from msmq_wire import crypto, mqmq
from msmq_wire.session import Message, Received, Rejected
from msmq_wire.values.errors import WrongTypeError

BAD_SIGNATURE = mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_SIGNATURE
BAD_ENCRYPTION = mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_ENCRYPTION
ACCESS_DENIED = mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_ACCESS_DENIED
KEY = bytes(range(32))


def message(**fields: Any) -> mqmq.UserMessage:
    made = Talk().managers["->"].shapes.packet(Message(QUEUE, b"the body", **fields), SERVER, 1, int(START))
    properties = mw.replace(made.MessagePropertiesHeader, HashAlgorithm=0x800C)
    return mw.replace(made, MessagePropertiesHeader=properties)


@pytest.mark.parametrize("name", ["private_key", "known", "may_write", "refuses_short_keys", "forms", "then"])
@pytest.mark.parametrize("value", [1, "x", b"x", [], object()])
def test_a_wrong_argument_is_refused_before_any_message(name: str, value: Any) -> None:
    with pytest.raises(WrongTypeError, match=f"^{name}: expected"):
        crypto.security_judge(**{name: value})


def signed(packet: mqmq.UserMessage | None = None) -> mqmq.UserMessage:
    return crypto.sign(packet or message(), LONG, certificate=CERTIFICATE)


def encrypted(packet: mqmq.UserMessage | None = None, **options: Any) -> mqmq.UserMessage:
    return crypto.encrypt_body(packet or message(), KEY, public_key=LONG.public_key(), **options)


def bent(packet: mqmq.UserMessage, body: bytes) -> mqmq.UserMessage:
    return mw.replace(
        packet, MessagePropertiesHeader=mw.replace(packet.MessagePropertiesHeader, MessageBody=body)
    )


def with_sender(packet: mqmq.UserMessage) -> mqmq.UserMessage:
    header: Any = packet.SecurityHeader
    return mw.replace(packet, SecurityHeader=mw.replace(header, Flags=header.Flags.replace(ST=1)))


def no_certificate() -> mqmq.UserMessage:
    return crypto.sign(message(), LONG)


def level(number: int) -> mqmq.UserMessage:
    packet = encrypted()
    properties = mw.replace(packet.MessagePropertiesHeader, PrivacyLevel=number)
    return mw.replace(packet, MessagePropertiesHeader=properties)


@pytest.mark.parametrize(
    ("packet", "options", "wanted"),
    [
        (message(), {}, None),
        (signed(), {}, None),
        (encrypted(), {"private_key": LONG}, None),
        (encrypted(signed()), {"private_key": LONG}, None),
        (bent(signed(), b"The body"), {}, BAD_SIGNATURE),
        (no_certificate(), {}, BAD_SIGNATURE),
        (encrypted(bent(signed(), b"The body")), {"private_key": LONG}, BAD_SIGNATURE),
        (encrypted(), {}, BAD_ENCRYPTION),
        (encrypted(), {"private_key": SHORT}, BAD_ENCRYPTION),
        (bent(encrypted(), b"x" * 15), {"private_key": LONG}, BAD_ENCRYPTION),
        (level(2), {"private_key": LONG}, BAD_ENCRYPTION),
        (with_sender(signed()), {"known": lambda *_: True}, None),
        (with_sender(signed()), {"known": lambda *_: False}, BAD_SIGNATURE),
        (signed(), {"known": lambda *_: False}, None),
        (signed(), {"may_write": lambda _: False}, ACCESS_DENIED),
        (message(), {"may_write": lambda _: False}, None),
        (signed(), {"may_write": lambda _: True, "then": lambda _: 0x8000}, 0x8000),
    ],
)
def test_verdicts(packet: mqmq.UserMessage, options: dict[str, Any], wanted: int | None) -> None:
    assert crypto.security_judge(**options)(packet) == wanted


@pytest.mark.parametrize(
    ("level", "zeros", "refused"), [(3, 11, BAD_ENCRYPTION), (3, 10, None), (1, 11, None)]
)
def test_keys_of_40_bits(level: int, zeros: int, refused: int | None) -> None:
    key = bytes([*range(1, 17 - zeros), *bytes(zeros)])
    packet = crypto.encrypt_body(message(), key, RC2, privacy_level=level, public_key=LONG.public_key())
    assert crypto.security_judge(LONG)(packet) is None
    assert crypto.security_judge(LONG, refuses_short_keys=True)(packet) == refused


def test_another_certificate() -> None:
    packet = signed()
    header: Any = packet.SecurityHeader
    other = certificate_of(SHORT).public_bytes(Encoding.DER)
    data = mw.replace(header.SecurityData, SenderCert=other)
    packet = mw.replace(packet, SecurityHeader=mw.replace(header, SecurityData=data))
    assert crypto.security_judge()(packet) == BAD_SIGNATURE


@pytest.mark.parametrize("transactional", [False, True])
def test_at_an_endpoint(transactional: bool) -> None:
    """The sender of a refused message is told what it asked for, and the session goes on."""
    talk = Talk().opened()
    talk.managers["<-"].judge = crypto.security_judge(LONG)
    fields = {
        "transactional": transactional,
        "negative_arrival": True,
        "admin_queue": f"PRIVATE={SERVER}\\00000009",
    }
    good = encrypted(signed(message(**fields)), algorithm=AES256)
    bad = bent(signed(message(**fields)), b"The body")
    bad = mw.replace(bad, UserHeader=mw.replace(bad.UserHeader, MessageID=2))
    talk.client.send(good, talk.now)
    talk.client.send(bad, talk.now)
    talk.write()
    for _ in range(5):
        talk.arrive("->")
        talk.arrive("<-")
        talk.wait(1.0)
    events = talk.events["<-"]
    assert [event.message.UserHeader.MessageID for event in events if isinstance(event, Received)] == [1]
    (rejected,) = (event for event in events if isinstance(event, Rejected))
    assert rejected.message_class == BAD_SIGNATURE
    finals = [packet for way, packet in talk.tape if way == "<-" and type(packet) is mw.mqqb.FinalAck]
    assert [packet.MessagePropertiesHeader.MessageClass for packet in finals] == [
        BAD_SIGNATURE
    ] * transactional
    assert not talk.findings
