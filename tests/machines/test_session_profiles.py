"""Endpoints that act like a version of Windows: what they send, refuse to send, and refuse."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from support_talk import CLIENT, QUEUE, SERVER, START, Talk

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire.checks import profiles
from msmq_wire.session import (
    PROFILES,
    Acceptor,
    Acknowledged,
    Connect,
    Initiator,
    Message,
    PingAnswer,
    PingAnswerer,
    PingClient,
    QueueManager,
    Received,
    Refused,
    Rejected,
    Settings,
)
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES

OLD = {"windows-nt-4.0", "windows-2000", "windows-xp", "windows-server-2003"}


def packet_of(profile: str | None = None, **fields: Any) -> mqmq.UserMessage:
    manager = QueueManager(CLIENT, PROFILES[profile] if profile else None)  # type: ignore[index]  # names of profiles
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
    journaling = {name for name, settings in PROFILES.items() if settings.journals_system_queues}
    assert journaling == OLD | {"windows-vista"}
    assert {name for name, settings in PROFILES.items() if settings.insecure_nacks} == journaling
    assert {settings.history_size for settings in PROFILES.values()} == {10_000}
    clients = {
        "windows-xp",
        "windows-vista",
        "windows-7",
        "windows-8",
        "windows-8.1",
        "windows-10",
        "windows-11",
    }
    assert {name for name, settings in PROFILES.items() if not settings.server_system} == clients & set(
        PROFILES
    )
    with pytest.raises(ValueError, match="'windows-95', not one of"):
        Settings(profile="windows-95")  # type: ignore[arg-type]  # what has no such value
    with pytest.raises(ValueError, match="licenses is 5, but windows-vista does not count licenses"):
        replace(PROFILES["windows-vista"], licenses=5)
    with pytest.raises(ValueError, match="licenses is -1, not 0 or more"):
        Settings(licenses=-1)


@pytest.mark.parametrize(
    ("profile", "marked"),
    [(None, 1), ("windows-nt-4.0", 0), ("windows-2000", 1), ("windows-xp", 1), ("windows-11", 1)],
)
def test_first_and_last_of_a_transaction_are_marked_since_windows_2000(profile: Any, marked: int) -> None:
    """[MS-MQMQ] note 18."""
    manager = QueueManager(CLIENT, PROFILES[profile] if profile else None)
    made = manager.shapes.packet(Message(QUEUE, b"x", transactional=True), SERVER, 1, int(START))
    assert made.TransactionHeader is not None
    assert (marked, marked) == (made.TransactionHeader.Flags.FM, made.TransactionHeader.Flags.LM)


def test_a_ping_comes_first_where_the_version_pings() -> None:
    for name, ping in (("windows-xp", True), ("windows-11", False)):
        session = Initiator(QueueManager(CLIENT, PROFILES[name]), remote=SERVER)  # type: ignore[index]  # names of profiles
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
            MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_ENCRYPTION,
        ),
        (
            secured(packet_of(HashAlgorithm=0x800E), signature=bytes(128)),
            "windows-7",
            "windows-xp",
            MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_SIGNATURE,
        ),
        (
            secured(packet_of(HashAlgorithm=0x8003), signature=bytes(128)),
            "windows-8",
            None,
            MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_SIGNATURE,
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


# ---------------------------------------------------------------------------------- licenses and journals


def asked(server: QueueManager, number: int) -> tuple[Acceptor, bool]:
    """A session of another initiator, and whether it was accepted."""
    client = Initiator(QueueManager(mw.GUID(bytes([number]) * 16)), remote=server.identifier)
    there = Acceptor(server)
    for side in (client, there):
        side.connected(START)
    refused = [event for event in there.receive(client.data_to_send(), START) if isinstance(event, Refused)]
    assert all("no access license" in event.reason for event in refused)
    events = client.receive(there.data_to_send(), START)
    assert len([event for event in events if isinstance(event, Refused)]) == len(refused)
    return there, not refused


@pytest.mark.parametrize("name", [*sorted(OLD), None])
def test_initiators_need_licenses(name: Any) -> None:
    """[MS-MQQB] notes 12, 57 and 70: several sessions of one initiator count as one."""
    settings = PROFILES[name] if name else Settings(answers_ping=True)
    server = QueueManager(SERVER, replace(settings, licenses=2))
    first, accepted = asked(server, 11)
    assert accepted
    assert asked(server, 11)[1]
    assert asked(server, 12)[1]
    assert not asked(server, 13)[1]
    assert asked(server, 12)[1]
    answers = {number: ping_of(server, number) for number in (12, 13)}
    assert answers == {12: True, 13: name == "windows-server-2003"}
    again = QueueManager.restore(server.snapshot(), server.settings)
    assert [asked(again, number)[1] for number in (12, 13)] == [True, False]
    first.close(START)
    assert not asked(server, 13)[1]  # the other session with 11 goes on


def test_a_license_is_free_again_when_the_last_session_ends() -> None:
    server = QueueManager(SERVER, Settings(licenses=1))
    first, second = asked(server, 11)[0], asked(server, 11)[0]
    first.close(START)
    assert not asked(server, 12)[1]
    second.close(START)
    assert asked(server, 12)[1]


def ping_of(server: QueueManager, number: int) -> bool:
    """Whether a Ping of an initiator is answered with yes."""
    client = PingClient(QueueManager(mw.GUID(bytes([number]) * 16)))
    answer = PingAnswerer(server).receive(client.request(START))
    assert answer is not None
    (told,) = client.receive(answer, START)
    assert isinstance(told, PingAnswer)
    return told.accepts


def test_who_was_asked_by_ping_is_not_counted_again() -> None:
    """Note 57 stands where `OperatingSystem.SE` says that there was no Ping."""
    server = QueueManager(SERVER, Settings(licenses=0))
    client = Initiator(QueueManager(CLIENT), remote=SERVER, pinged=True)
    there = Acceptor(server)
    for side in (client, there):
        side.connected(START)
    assert not there.receive(client.data_to_send(), START)
    assert there.phase == "WAITING_CP_MSG"
    assert not asked(server, 11)[1]


@pytest.mark.parametrize("full", [False, True])
def test_windows_nt_answers_pings_however_many_sessions_there_are(full: bool) -> None:
    """[MS-MQQB] note 70."""
    most = {"max_sessions": 0 if full else 9}
    nt, xp = (replace(PROFILES[name], **most) for name in ("windows-nt-4.0", "windows-xp"))
    assert ping_of(QueueManager(SERVER, nt), 11)
    assert ping_of(QueueManager(SERVER, xp), 11) is not full


@pytest.mark.parametrize("name", [None, *PROFILES])
def test_acknowledgments_are_as_the_version_sends_them(name: Any) -> None:
    """An OrderAck and a FinalAck have a hash algorithm that the version has, [MS-MQQB] note 1."""
    talk = Talk(None, PROFILES[name] if name else Settings()).opened()
    talk.send(Message(QUEUE, transactional=True, final_ack=True))
    talk.settle()
    assert talk.consume()
    talk.wait(1)
    talk.settle()
    for kind in (mqqb.OrderAck, mqqb.FinalAck):
        (sent,) = (packet for way, packet in talk.tape if way == "<-" and isinstance(packet, kind))
        assert not mw.validate(sent, channel="session", profile=name)
        assert START <= sent.UserHeader.SentTime <= talk.now


@pytest.mark.parametrize(
    ("message", "special"),
    [
        (Message(QUEUE, journal=True, message_class=MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_RECEIVE), True),
        (Message(f"PRIVATE={SERVER}\\00000004", journal=True), True),
        (Message("DIRECT=TCP:10.0.0.2\\private$\\order_queue$", journal=True), True),
        (Message("DIRECT=TCP:10.0.0.2\\private$\\notify_queue$", journal=True), True),
        (Message(f"PRIVATE={SERVER}\\00000003", journal=True), True),
        (Message(QUEUE, journal=True), False),
        (Message(QUEUE, journal=True, message_class=MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT), False),
    ],
)
def test_which_messages_are_journaled(message: Message, special: bool) -> None:
    """[MS-MQQB] note 2: the flag is sent in any case; a copy is kept or not."""
    for settings in (Settings(), PROFILES["windows-vista"], PROFILES["windows-server-2008"]):
        talk = Talk(settings, settings).opened()
        talk.send(message)
        talk.settle()
        (done,) = (event for event in talk.events["->"] if isinstance(event, Acknowledged))
        kept = not special or settings.profile == "windows-vista"
        assert done.journal == ("journal" if kept else "")
        packet = next(packet for _, packet in talk.tape if isinstance(packet, mqmq.UserMessage))
        assert packet.UserHeader.Flags.JP
        forwarded = Talk(settings, settings).opened()
        header = mw.replace(packet.UserHeader, MessageID=0)
        forwarded.send(mw.replace(packet, UserHeader=header, SessionHeader=None))
        forwarded.settle()
        (done,) = (event for event in forwarded.events["->"] if isinstance(event, Acknowledged))
        assert done.journal == ("journal" if kept else "")


@pytest.mark.parametrize("name", ["windows-vista", "windows-server-2008", None])
@pytest.mark.parametrize("queue", [f"PRIVATE={SERVER}\\00000003", f"PRIVATE={SERVER}\\00000004", QUEUE])
def test_which_messages_are_acknowledged(name: Any, queue: str) -> None:
    """[MS-MQQB] note 62: none to notification and order queues, from Windows 7 and Server 2008 on."""
    talk = Talk(None, PROFILES[name] if name else Settings()).opened()
    talk.send(Message(queue, admin_queue=f"PRIVATE={CLIENT}\\00000009", positive_arrival=True))
    talk.settle()
    came = [event for event in talk.events["->"] if isinstance(event, Received)]
    assert len(came) == (queue == QUEUE or name == "windows-vista")


@pytest.mark.parametrize(("name", "told"), [("windows-vista", 1), ("windows-7", 0)])
def test_which_versions_tell_that_there_is_no_such_queue(name: Any, told: int) -> None:
    """[MS-MQQB] note 28."""
    talk = Talk(None, PROFILES[name]).opened()
    talk.managers["<-"].judge = lambda _: MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q
    talk.send(Message(QUEUE, admin_queue=f"PRIVATE={CLIENT}\\00000009", negative_arrival=True))
    talk.settle()
    came = [event for event in talk.events["->"] if isinstance(event, Received)]
    assert [event.message.MessagePropertiesHeader.MessageClass for event in came] == [0x8000] * told
