"""Endpoints that act like a version of Windows: what they send, refuse to send, and refuse."""

from __future__ import annotations

from typing import Any

import pytest
from support_talk import CLIENT, QUEUE, SERVER, START, Talk

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.checks import profiles
from msmq_wire.session import (
    PROFILES,
    Connect,
    Initiator,
    Message,
    QueueManager,
    Received,
    Rejected,
    Settings,
)

CLASS = mqmq.MESSAGE_CLASS_VALUES
OLD = {"windows-nt-4.0", "windows-2000", "windows-xp", "windows-server-2003"}


def packet_of(profile: str | None = None, **fields: Any) -> mqmq.UserMessage:
    manager = QueueManager(CLIENT, PROFILES[profile] if profile else None)  # type: ignore[index]
    made = manager.shapes.packet(Message(QUEUE, b"x"), SERVER, 1, int(START))
    properties = mw.replace(made.MessagePropertiesHeader, **fields)
    return mw.replace(made, MessagePropertiesHeader=properties)


def secured(packet: mqmq.UserMessage, *, encrypted: bool = False, signature: bytes = b"") -> mqmq.UserMessage:
    header = mqmq.SecurityHeader(
        Flags=mqmq.SecurityHeaderFlags(EB=int(encrypted), AI=int(bool(signature))),
        SecurityData=mqmq.SecurityData(Signature=signature) if signature else None,
    )
    return mw.replace(packet, SecurityHeader=header)


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_two_of_a_version_understand_each_other(name: Any) -> None:
    talk = Talk(PROFILES[name], PROFILES[name]).opened()
    for message in (Message(QUEUE), Message(QUEUE, recoverable=True), Message(QUEUE, transactional=True)):
        talk.send(message)
    talk.settle()
    assert not talk.findings
    came = [event.message for event in talk.events["<-"] if isinstance(event, Received)]
    assert len(came) == 3
    for packet in came:
        assert not mw.validate(packet, profile=name)
        assert packet.MessagePropertiesHeader.HashAlgorithm == profiles.PROFILES[name].hash_algorithm


def test_every_version_has_settings() -> None:
    assert set(PROFILES) == set(profiles.PROFILES)
    assert {name for name, settings in PROFILES.items() if settings.asks_by_ping} == OLD
    assert {name for name, settings in PROFILES.items() if settings.answers_ping} == OLD
    assert {name for name, settings in PROFILES.items() if settings.acknowledges_system_queues} == OLD | {
        "windows-vista"
    }
    assert not PROFILES["windows-11"].server_system
    assert PROFILES["windows-server-2025"].server_system
    with pytest.raises(ValueError, match="'windows-95', not one of"):
        Settings(profile="windows-95")  # type: ignore[arg-type]


def test_a_ping_comes_first_where_the_version_pings() -> None:
    for name, ping in (("windows-xp", True), ("windows-11", False)):
        session = Initiator(QueueManager(CLIENT, PROFILES[name]), remote=SERVER)  # type: ignore[index]
        session.send(Message(QUEUE), START)
        assert session.timeout(START) == [Connect(again=False, ping=ping)]


def test_what_a_version_lacks_it_does_not_send() -> None:
    dead_letter = Message(QUEUE, dead_letter=True)
    session = Initiator(QueueManager(CLIENT, PROFILES["windows-nt-4.0"]), remote=SERVER)
    with pytest.raises(mw.EncodeError, match=r"windows-nt-4.0 does not send this: .*JN") as refused:
        session.send(dead_letter, START)
    assert refused.value.path.endswith("Flags.JN")
    assert session.waiting == 0
    assert Initiator(QueueManager(CLIENT, PROFILES["windows-2000"]), remote=SERVER).send(dead_letter, START)


def test_packets_that_are_given_are_looked_at_too() -> None:
    packet = packet_of(HashAlgorithm=0x800E)
    old = Initiator(QueueManager(CLIENT, PROFILES["windows-xp"]), remote=SERVER)
    with pytest.raises(mw.EncodeError, match="HashAlgorithm"):
        old.send(packet, START)
    assert Initiator(QueueManager(CLIENT, PROFILES["windows-7"]), remote=SERVER).send(packet, START)


@pytest.mark.parametrize(
    ("packet", "taken", "refused", "why"),
    [
        (
            secured(packet_of(PrivacyLevel=5, EncryptionAlgorithm=0x6610), encrypted=True),
            "windows-vista",
            "windows-server-2003",
            CLASS.MQMSG_CLASS_NACK_BAD_ENCRYPTION,
        ),
        (
            secured(packet_of(HashAlgorithm=0x800E), signature=bytes(128)),
            "windows-7",
            "windows-xp",
            CLASS.MQMSG_CLASS_NACK_BAD_SIGNATURE,
        ),
        (
            secured(packet_of(HashAlgorithm=0x8003), signature=bytes(128)),
            "windows-8",
            None,
            CLASS.MQMSG_CLASS_NACK_BAD_SIGNATURE,
        ),
    ],
)
def test_what_a_version_does_not_know_it_refuses(
    packet: mqmq.UserMessage, taken: Any, refused: Any, why: int
) -> None:
    wanted = mw.replace(
        packet.MessagePropertiesHeader, Flags=packet.MessagePropertiesHeader.Flags.replace(NA=1)
    )
    packet = mw.replace(packet, MessagePropertiesHeader=wanted)
    for name in filter(None, (taken, refused)):
        talk = Talk(None, PROFILES[name]).opened()
        talk.client.send(packet, talk.now)
        talk.write()
        talk.settle()
        classes = [event.message_class for event in talk.events["<-"] if isinstance(event, Rejected)]
        assert classes == ([why] if name == refused else [])
        assert not talk.findings


def test_what_is_not_signed_or_encrypted_is_taken_whatever_it_names() -> None:
    for packet in (packet_of(HashAlgorithm=0x800E), secured(packet_of(HashAlgorithm=0x800E))):
        talk = Talk(None, PROFILES["windows-nt-4.0"]).opened()
        talk.client.send(packet, talk.now)
        talk.write()
        talk.settle()
        assert len([event for event in talk.events["<-"] if isinstance(event, Received)]) == 1
