"""A judge of [MS-MQQB] 3.1.5.8.3 at an endpoint: what it refuses, and with which class."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from support_talk import BACK, QUEUE, SERVER, START, Talk
from test_crypto import AES256, CERTIFICATE, LONG, RC2, SHORT, certificate_of

import msmq_wire as mw
from msmq_wire import crypto, mqmq, mqqb
from msmq_wire.session import Acknowledged, Established, Expired, Message, Received, Rejected, Settings
from msmq_wire.values.errors import WrongTypeError

BAD_SIGNATURE = mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_SIGNATURE
BAD_ENCRYPTION = mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_ENCRYPTION
ACCESS_DENIED = mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_ACCESS_DENIED
KEY = bytes(range(32))


def message(**fields: Any) -> mqmq.UserMessage:
    made = Talk().managers["->"].shapes.packet(Message(QUEUE, b"the body", **fields), SERVER, 1, int(START))
    properties = mw.replace(made.MessagePropertiesHeader, HashAlgorithm=0x800C)
    return mw.replace(made, MessagePropertiesHeader=properties)


@pytest.mark.parametrize(
    "name", ["private_key", "first", "known", "may_write", "refuses_short_keys", "forms", "then"]
)
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
def test_classes_of_refusals(packet: mqmq.UserMessage, options: dict[str, Any], wanted: int | None) -> None:
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


# ------------------------------------------------------------------------------------------ sessions

QUOTA = mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA
BAD_QUEUE = mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q
TIMEOUT = mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT
ASKS: dict[str, Any] = {"admin_queue": BACK, "negative_arrival": True, "positive_arrival": True}


def secured(talk: Talk, *, spoiled: bool = False, **fields: Any) -> mqmq.UserMessage:
    """A message of the client, signed and encrypted; a spoiled one has another body than was signed."""
    packet = talk.managers["->"].shapes.packet(
        Message(QUEUE, b"the body", **fields), SERVER, 0, int(talk.now)
    )
    properties = mw.replace(packet.MessagePropertiesHeader, HashAlgorithm=0x800C)
    packet = mw.replace(packet, MessagePropertiesHeader=properties)
    packet = mw.replace(packet, UserHeader=mw.replace(packet.UserHeader, MessageID=77))
    packet = signed(packet)
    return encrypted(bent(packet, b"The body") if spoiled else packet)


def outcome(talk: Talk) -> tuple[list[str], list[int]]:
    """What the server made of the messages, and the classes of what it answered."""
    for _ in range(3):
        talk.arrive("->")
        talk.arrive("<-")
        talk.wait(0.6)
    events = [type(event).__name__ for event in talk.events["<-"] if not isinstance(event, Established)]
    classes = [
        packet.MessagePropertiesHeader.MessageClass
        for way, packet in talk.tape
        if way == "<-" and isinstance(packet, (mqmq.UserMessage, mqqb.FinalAck))
    ]
    return events, classes


def talk_of(judge: Any, *, insecure: bool = True) -> Talk:
    talk = Talk(server=Settings(insecure_nacks=insecure)).opened()
    talk.managers["<-"].judge = judge
    return talk


def test_the_classes_of_refusals_in_sessions() -> None:
    """[MS-MQQB] 3.1.5.8.3: an administration acknowledgment if the message asks, and a FinalAck."""
    bad: dict[str, Any] = {"spoiled": True}
    both: dict[str, Any] = {"transactional": True}
    late: dict[str, Any] = {"reach_queue": 5}
    cases: list[tuple[str, dict[str, Any], dict[str, Any], bool, list[int]]] = [
        ("3.1.5.8.3 accepted", {}, {}, True, [0x0002]),
        ("3.1.5.8.3 accepted, transactional", {}, both, True, [0x0002]),
        ("3.1.5.8.3 signature", {}, bad, True, [BAD_SIGNATURE]),
        ("3.1.5.8.3 signature, transactional", {}, bad | both, True, [BAD_SIGNATURE] * 2),
        ("3.1.7.15 insecure", {}, bad, False, []),
        ("3.1.7.15 insecure, transactional", {}, bad | both, False, [BAD_SIGNATURE]),
        ("3.1.5.8.3 key", {"private_key": SHORT}, {}, True, [BAD_ENCRYPTION]),
        ("3.1.5.8.3 key, transactional", {"private_key": SHORT}, both, True,
         [BAD_ENCRYPTION] * 2),
        ("3.1.5.8.3 access", {"may_write": lambda _: False}, {}, True, [ACCESS_DENIED]),
        ("3.1.5.8.3 signature before access", {"may_write": lambda _: False}, bad, True,
         [BAD_SIGNATURE]),
        ("3.1.5.8.2 queue before security", {"first": lambda _: BAD_QUEUE}, bad, True, [BAD_QUEUE]),
        ("3.1.5.8.8 quota behind security", {"then": lambda _: QUOTA}, bad, True, [BAD_SIGNATURE]),
        ("3.1.5.8.8 quota", {"then": lambda _: QUOTA}, both, True, [QUOTA] * 2),
        ("3.1.5.8 security before expiration", {}, bad | late, True, [BAD_SIGNATURE]),
        ("3.1.7.1.2 expired", {}, late, True, [TIMEOUT]),
        ("3.1.7.1.2 quota behind expiration", {"then": lambda _: QUOTA}, late, True,
         [TIMEOUT]),
        ("3.1.7.1.2 not expired at its last second", {}, {"reach_queue": 6}, True, [0x0002]),
    ]  # fmt: skip
    different = {}
    for name, options, fields, insecure, wanted in cases:
        talk = talk_of(crypto.security_judge(**{"private_key": LONG, **options}), insecure=insecure)
        talk.send(secured(talk, **ASKS, **fields))
        talk.now += 6.0 if "reach_queue" in fields else 0.0
        _, classes = outcome(talk)
        if sorted(classes) != sorted(wanted) or talk.findings:
            different[name] = classes, talk.findings
    assert different == {}


def test_a_refused_message_with_an_encrypted_body_comes_back_without_it() -> None:
    """[MS-MQQB] 3.1.7.15: the body is put into the acknowledgment only where it is not encrypted."""
    talk = talk_of(crypto.security_judge(LONG))
    talk.send(secured(talk, spoiled=True, **ASKS))
    outcome(talk)
    (refusal,) = [packet for way, packet in talk.tape if way == "<-" and isinstance(packet, mqmq.UserMessage)]
    assert refusal.MessagePropertiesHeader.MessageBody == b""


def test_security_is_the_receiver_s_and_not_that_of_hosts_between() -> None:
    """[MS-MQQB] 3.1.5.8.3 asks for the own QueueManagerAddress; others pass the message on as it is."""
    talk = talk_of(crypto.security_judge(LONG))
    packet = secured(talk, spoiled=True)
    header = mw.replace(packet.UserHeader, QueueManagerAddress=mw.GUID(bytes([9]) * 16))
    talk.send(mw.replace(packet, UserHeader=header))
    events, classes = outcome(talk)
    assert (events, classes) == (["Received"], [])
    (received,) = [event for event in talk.events["<-"] if isinstance(event, Received)]
    assert received.action == "forward"
    assert received.message.MessagePropertiesHeader.MessageBody == packet.MessagePropertiesHeader.MessageBody


def test_a_signature_outlives_numbers_and_sessions() -> None:
    """What the session adds, numbers and SessionHeaders, is not signed."""
    talk = talk_of(crypto.security_judge(LONG))
    talk.send(secured(talk, transactional=True))
    talk.cut()
    talk.wait(5.0)
    talk.settle()
    (received,) = [event for event in talk.events["<-"] if isinstance(event, Received)]
    clear = crypto.decrypt_body(received.message, crypto.session_key_of(received.message, LONG))
    assert clear.MessagePropertiesHeader.MessageBody == b"the body"
    assert crypto.authenticate(clear, CERTIFICATE) is not None


def test_what_the_sender_learns_of_a_refusal() -> None:
    """[MS-MQQB] 3.1.5.7: the message moves to the dead-letter queue that it asked for."""
    talk = talk_of(crypto.security_judge(LONG))
    token = talk.send(secured(talk, spoiled=True, transactional=True, dead_letter=True))
    outcome(talk)
    done = [event for event in talk.events["->"] if isinstance(event, Acknowledged) and event.done]
    assert [(one.token, one.message_class, one.journal) for one in done] == [
        (token, BAD_SIGNATURE, "transactional dead-letter")
    ]


def test_a_secured_message_that_expires_before_it_is_sent() -> None:
    """[MS-MQQB] 3.1.7.1: expiration comes before signing and encrypting; nothing is sent."""
    talk = Talk()
    talk.send(secured(talk, reach_queue=3, **ASKS))
    talk.wait(10.0)
    (expired,) = [event for event in talk.events["->"] if isinstance(event, Expired)]
    assert expired.acknowledgment is not None
    assert (expired.acknowledgment.message_class, expired.acknowledgment.body) == (TIMEOUT, b"")
    assert talk.tape == []
