"""Each thing that an endpoint does by itself: acknowledgments, expiry, refusals, order, windows, timers."""

from __future__ import annotations

import json
import tracemalloc
from array import array
from math import inf, nan
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from support_talk import BACK, CLIENT, QUEUE, SERVER, START, Talk

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire.machines.session.acknowledgments import administration
from msmq_wire.machines.session.message import PacketTemplateCache, packet_of
from msmq_wire.packets.stream import PacketStream
from msmq_wire.session import (
    NO_ROOM,
    PING_PORT,
    PROFILES,
    Acceptor,
    Acknowledged,
    AcknowledgedBy,
    Closed,
    Connect,
    Duplicate,
    Elsewhere,
    Expired,
    Initiator,
    Message,
    OutOfOrder,
    PingAnswerer,
    PingClient,
    PingUnanswered,
    QueueManager,
    Received,
    Rejected,
    Settings,
    Violated,
)
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES

if TYPE_CHECKING:
    from collections.abc import Callable

THIRD = mw.GUID(bytes([3]) * 16)


def of(talk: Talk, way: Any, kind: type) -> list[Any]:
    return [event for event in talk.events[way] if type(event) is kind]


def exchange(talk: Talk, seconds: float = 0.0) -> None:
    for _ in range(4):
        talk.arrive("->")
        talk.arrive("<-")
    if seconds:
        talk.wait(seconds)
        exchange(talk)


# ----------------------------------------------------------------------------------------------- sending


def test_a_message_that_no_packet_holds_is_refused() -> None:
    """The longest packet is sent ([MS-MQMQ] 2.2.19.1), a longer one is not even taken."""
    bare = Message(QUEUE, b"")
    session = Initiator(QueueManager(CLIENT), address="10.0.0.1")
    rest = mw.MAX_PACKET_SIZE - _size_of(bare)
    for body in (bytes(rest - 3), bytes(rest)):  # packets are padded to four bytes
        assert _size_of(Message(QUEUE, body)) == mw.MAX_PACKET_SIZE
    with pytest.raises(mw.EncodeError, match=r"at most 4,194,304 bytes, got 4,194,308"):
        session.send(Message(QUEUE, bytes(rest + 1)), START)
    session.send(Message(QUEUE, label="x" * 249), START)  # MQ_MAX_MSG_LABEL_LEN, less its terminator
    with pytest.raises(mw.EncodeError, match=r"a label of at most 249 characters of UTF-16, got 250"):
        session.send(Message(QUEUE, label="x" * 250), START)
    with pytest.raises(mw.EncodeError, match=r"a label of at most 249 characters of UTF-16, got 250"):
        session.send(Message(QUEUE, label="\N{GRINNING FACE}" * 125), START)


def _size_of(message: Message) -> int:
    session = Initiator(QueueManager(CLIENT), address="10.0.0.1")
    session.send(message, START)
    peer = Acceptor(QueueManager(SERVER), address="10.0.0.9")
    session.connected(START)
    peer.connected(START)
    got: list[Any] = []
    for source, target in [(session, peer), (peer, session)] * 3:
        got += target.receive(source.data_to_send(), START)
    (received,) = (event for event in got if type(event) is Received)
    return int(received.message.BaseHeader.PacketSize)


def test_what_a_message_says() -> None:
    talk = Talk().opened()
    token = talk.send(
        Message(
            QUEUE,
            b"body",
            label="label",
            priority=5,
            recoverable=True,
            journal=True,
            dead_letter=True,
            admin_queue=f"PRIVATE={CLIENT}\\0000000A",
            positive_arrival=True,
            negative_receive=True,
            response_queue="DIRECT=OS:host\\q",
            reach_queue=60,
            be_received=120,
            correlation=b"c",
            body_type=8,
            application_tag=7,
            extension=b"more",
        )
    )
    (packet,) = talk.packets("->", mqmq.UserMessage)
    header, properties = packet.UserHeader, packet.MessagePropertiesHeader
    assert mw.validate(packet, "should", channel="session") == ()
    assert (packet.BaseHeader.Flags.PR, packet.BaseHeader.TimeToReachQueue) == (5, 60)
    assert (header.MessageID, header.SentTime, header.TimeToBeReceived) == (token, int(START), 120)
    assert (header.SourceQueueManager, header.QueueManagerAddress) == (CLIENT, SERVER)
    assert header.DestinationQueue == mqmq.PrivateQueueFormatNameId(7)
    assert (header.Flags.DM, header.Flags.JN, header.Flags.JP) == (1, 1, 1)
    assert (header.Flags.DQ, header.Flags.AQ, header.Flags.RQ) == (3, 2, 7)
    assert (properties.Label, properties.MessageBody) == ("label\0", b"body")
    assert (properties.BodyType, properties.ApplicationTag) == (8, 7)
    assert (properties.CorrelationID, properties.ExtensionData) == (b"c" + bytes(19), b"more")
    assert int(properties.Flags) == 0b1001


@pytest.mark.parametrize(
    "message",
    [
        Message("nowhere"),
        Message("MACHINE=01010101-0101-0101-0101-010101010101"),
        Message(QUEUE, label="l" * 250),
        Message(QUEUE, priority=8),
        Message(QUEUE, correlation=bytes(21)),
        Message(QUEUE, reach_queue=-1),
        Message(QUEUE, admin_queue="nowhere"),
        Message(QUEUE, transactional=True, transaction=1 << 20),
        Message(QUEUE, "text"),  # type: ignore[arg-type]  # that is the test
        Message(QUEUE, label=["list"]),  # type: ignore[arg-type]  # likewise
        Message(None),  # type: ignore[arg-type]  # likewise
    ],
    ids=str,
)
def test_a_message_that_no_packet_can_hold(message: Message) -> None:
    talk = Talk().opened()
    with pytest.raises(mw.EncodeError):
        talk.client.send(message)
    assert talk.client.waiting == 0
    assert talk.client.data_to_send() == b""


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("destination", "nope"), ("admin_queue", "nope"), ("response_queue", "nope"), ("trace", "nope"),
        ("transaction", 5), ("final_ack", True),
    ],
)  # fmt: skip
def test_an_error_names_the_attribute_of_the_message(attribute: str, value: Any) -> None:
    """A transaction and a FinalAck are of transactional messages."""
    fields: dict[str, Any] = {"destination": QUEUE, attribute: value}
    with pytest.raises(mw.EncodeError) as caught:
        Talk().client.send(Message(**fields), START)
    assert (caught.value.structure, caught.value.path) == ("Message", f"Message.{attribute}")


def test_messages_alike_differ_in_what_they_say() -> None:
    """What is not built anew for a message like one before is nevertheless its own."""
    talk = Talk().opened()
    for number, body in enumerate((b"one", b"two", b"six", b"eleven", b"two")):
        talk.now += 1
        talk.send(Message(QUEUE, body, label="same", recoverable=number == 2))
    sent = talk.packets("->", mqmq.UserMessage)
    bodies = [packet.MessagePropertiesHeader.MessageBody for packet in sent]
    assert bodies == [b"one", b"two", b"six", b"eleven", b"two"]
    assert [packet.UserHeader.MessageID for packet in sent] == [1, 2, 3, 4, 5]
    assert [packet.UserHeader.SentTime - int(START) for packet in sent] == [1, 2, 3, 4, 5]
    assert [packet.UserHeader.Flags.DM for packet in sent] == [0, 0, 1, 0, 0]
    assert [mw.validate(packet, "should", channel="session") for packet in sent] == [()] * 5


def test_a_message_id_in_use() -> None:
    session = Initiator(QueueManager(CLIENT), remote=SERVER)
    packet = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=CLIENT, MessageID=9, DestinationQueue=mqmq.PrivateQueueFormatNameId(7)
        )
    )
    assert session.send(packet, START) == 9
    with pytest.raises(ValueError, match="in use"):
        session.send(packet, START)
    unnumbered = mw.replace(packet, UserHeader=mw.replace(packet.UserHeader, MessageID=0))
    assert session.send(unnumbered, START) == 1


def test_never_more_than_the_smaller_window() -> None:
    for ours, theirs in ((4, 64), (64, 4)):
        talk = Talk(Settings(window=ours), Settings(window=theirs)).opened()
        for number in range(20):
            talk.send(Message(QUEUE, b"%d" % number))
        assert talk.client.unacknowledged == 4
        talk.settle()
        assert talk.bodies() == [b"%d" % number for number in range(20)]
        assert talk.findings == []


def test_a_paused_peer_is_spared() -> None:
    talk = Talk().opened()
    assert talk.server is not None
    talk.server.pause(talk.now)
    talk.write()
    talk.arrive("<-")
    for number in range(3):
        talk.send(Message(QUEUE, b"%d" % number))
    assert talk.client.unacknowledged == 1
    talk.client.pause(talk.now)
    talk.client.resume(talk.now)
    assert talk.client.unacknowledged == 1


def test_counts_go_around() -> None:
    """Numbers on the wire have sixteen bits; a session goes on after the last of them (errata Q25)."""
    talk = Talk().opened()
    assert talk.server is not None
    talk.monitor.disconnect()  # it is not told of the jump
    client, server = talk.client.snapshot(), talk.server.snapshot()
    for name in (
        *("sent", "received", "acknowledged", "recoverable_sent", "recoverable_received"),
        *("recoverable_acknowledged", "last_acknowledged"),
    ):
        assert {client["state"][name], server["state"][name]} == {0}
        client["state"][name] = server["state"][name] = 65_530
    talk.client = Initiator.restore(client, talk.managers["->"])
    talk.server = Acceptor.restore(server, talk.managers["<-"])
    for number in range(20):
        talk.send(Message(QUEUE, b"%d" % number, recoverable=bool(number % 2)))
        if number % 3 == 0:
            exchange(talk, 2.0)
    talk.settle()
    assert talk.bodies() == [b"%d" % number for number in range(20)]
    assert talk.client.snapshot()["state"]["recoverable_acknowledged"] == 65_540


# ----------------------------------------------------------------------------------------------- acks


def test_more_recoverable_messages_than_flags() -> None:
    talk = Talk(Settings(window=200)).opened()
    for _ in range(90):
        talk.send(Message(QUEUE, recoverable=True))
    talk.arrive("->")
    acks = [ack.SessionHeader for ack in talk.packets("<-", mqqb.SessionAck)]
    assert [ack.RecoverableMsgAckSeqNumber for ack in acks] == [1, 33]
    assert {ack.RecoverableMsgAckFlags for ack in acks} == {0xFFFFFFFF}
    talk.settle()
    assert talk.findings == []


def test_journals() -> None:
    talk = Talk().opened()
    for kind in ({}, {"recoverable": True}, {"transactional": True}):
        talk.send(Message(QUEUE, journal=True, **kind))  # type: ignore[arg-type]  # one of three
    exchange(talk, 1.0)
    while talk.consume():
        pass
    talk.settle()
    kinds = {event.kind: event.journal for event in talk.events["->"] if getattr(event, "done", False)}
    assert kinds == {
        AcknowledgedBy.SESSION: "journal",
        AcknowledgedBy.STORED: "journal",
        AcknowledgedBy.FINAL: "journal",
    }


# ----------------------------------------------------------------------------------------------- order


def rejecting(talk: Talk, **refused: int) -> None:
    """Let the server refuse messages by their bodies."""
    talk.managers["<-"].judge = lambda packet: refused.get(
        f"b{packet.MessagePropertiesHeader.MessageBody.decode()}"
    )


def test_a_message_beyond_the_quota_of_its_queue_has_its_place_in_the_sequence() -> None:
    """The queue comes last ([MS-MQQB] 3.1.5.8.8), so the next message is in order (errata Q38)."""
    talk = Talk().opened()
    rejecting(talk, b1=MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA)
    tokens = [
        talk.send(Message(QUEUE, b"%d" % number, transactional=True, dead_letter=True)) for number in range(3)
    ]
    exchange(talk)
    assert talk.bodies() == [b"0", b"2"]
    assert of(talk, "<-", OutOfOrder) == []
    (rejected,) = of(talk, "<-", Rejected)
    assert rejected.message_class == MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA
    (final,) = [event for event in talk.events["->"] if getattr(event, "kind", None) is AcknowledgedBy.FINAL]
    assert (final.token, final.journal) == (tokens[1], "transactional dead-letter")
    assert talk.findings == []


def test_a_refused_transactional_message_does_not_hold_the_next_ones_up() -> None:
    talk = Talk().opened()
    rejecting(talk, b1=MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q)
    tokens = [
        talk.send(Message(QUEUE, b"%d" % number, transactional=True, dead_letter=True)) for number in range(4)
    ]
    exchange(talk)
    (rejected,) = of(talk, "<-", Rejected)
    assert rejected.message_class == MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q
    assert len(of(talk, "<-", OutOfOrder)) == 2
    assert of(talk, "<-", OutOfOrder)[0].last == 1
    (final,) = [event for event in talk.events["->"] if getattr(event, "kind", None) is AcknowledgedBy.FINAL]
    assert (final.token, final.journal) == (tokens[1], "transactional dead-letter")
    exchange(talk, 1.0)
    exchange(talk, 1.0)
    assert talk.bodies() == [b"0", b"2", b"3"]
    assert talk.acknowledged(AcknowledgedBy.ORDER) == [tokens[0], tokens[2], tokens[3]]
    assert talk.findings == []


@pytest.mark.parametrize("count", [10, 64])
def test_refused_transactional_messages_are_sent_once(count: int) -> None:
    """FinalAcks of messages that were sent together are waited for before the rest is sent again."""
    talk = Talk().opened()
    talk.managers["<-"].judge = lambda _: MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q
    tokens = [talk.send(Message(QUEUE, b"", transactional=True)) for _ in range(count)]
    exchange(talk, 1.0)
    assert [event.message.UserHeader.MessageID for event in of(talk, "<-", Rejected)] == tokens
    assert talk.acknowledged(AcknowledgedBy.FINAL) == tokens


def test_a_refusal_of_the_last_message_ends_no_sequence() -> None:
    """The messages before it still wait for an OrderAck ([MS-MQQB] 3.1.1.5)."""
    talk = Talk(Settings(order_ack=500.0, order_ack_delay=500.0)).opened()
    rejecting(talk, b2=MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA)
    tokens = [talk.send(Message(QUEUE, b"%d" % number, transactional=True)) for number in range(3)]
    exchange(talk)
    (final,) = [event for event in talk.events["->"] if getattr(event, "kind", None) is AcknowledgedBy.FINAL]
    assert final.token == tokens[2]
    talk.send(Message(QUEUE, b"3", transactional=True))
    headers = [packet.TransactionHeader for packet in talk.packets("->", mqmq.UserMessage)]
    assert len({header.TxSequenceID for header in headers}) == 1
    assert headers[-1].TxSequenceNumber == 4


def test_acknowledgments_for_direct_names_go_to_an_address() -> None:
    server = QueueManager(SERVER)
    talk = Talk(address="10.0.0.2")
    talk.managers["<-"] = server
    talk.connect()
    talk.server = Acceptor(server, address="10.0.0.9")
    talk.server.connected(talk.now)
    exchange(talk)
    talk.send(Message("DIRECT=TCP:10.0.0.2\\private$\\q", transactional=True, final_ack=True))
    exchange(talk, 1.0)
    talk.consume()
    (order,), (final,) = talk.packets("<-", mqqb.OrderAck), talk.packets("<-", mqqb.FinalAck)
    for packet in (order, final):
        name = packet.UserHeader.DestinationQueue.DirectFormatName
        assert name == "TCP:10.0.0.9\\PRIVATE$\\order_queue$\0"
        assert packet.UserHeader.QueueManagerAddress == mw.NULL_GUID
        assert mw.validate(packet, "should", channel="session") == ()
    exchange(talk)
    assert talk.client.waiting == 0


# ----------------------------------------------------------------------------------------------- refusing


def test_refusals_are_told_as_asked_for() -> None:
    talk = Talk(None, Settings(insecure_nacks=True)).opened()
    rejecting(talk, bx=MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q)
    token = talk.send(Message(QUEUE, b"x", admin_queue=BACK, negative_arrival=True))
    exchange(talk)
    (told,) = [
        event for event in talk.events["->"] if getattr(event, "kind", None) is AcknowledgedBy.ADMINISTRATION
    ]
    assert (told.token, told.message_class) == (token, MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q)
    (came,) = of(talk, "->", Received)
    properties = came.message.MessagePropertiesHeader
    assert properties.MessageBody == b"x"
    assert properties.CorrelationID == CLIENT.bytes_le + token.to_bytes(4, "little")
    assert came.message.UserHeader.ResponseQueue == mqmq.PrivateQueueFormatNameId(7)
    assert mw.validate(came.message, "should", channel="session") == ()


def test_insecure_refusals_are_not_told() -> None:
    talk = Talk().opened()
    rejecting(talk, bx=MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q)
    talk.send(Message(QUEUE, b"x", admin_queue=BACK, negative_arrival=True))
    exchange(talk)
    assert talk.packets("<-", mqmq.UserMessage) == []
    assert len(of(talk, "<-", Rejected)) == 1


def test_no_room_at_all() -> None:
    talk = Talk().opened()
    rejecting(talk, bx=NO_ROOM)
    talk.send(Message(QUEUE, b"x", recoverable=True))
    exchange(talk)
    assert NO_ROOM < 0  # no class of a message
    assert of(talk, "<-", Closed)[0].reason == "no room"
    assert of(talk, "<-", Received) == []
    assert talk.client.waiting == 1


def test_a_message_for_another_queue_manager() -> None:
    talk = Talk().opened()
    talk.send(Message(f"PRIVATE={THIRD}\\00000001", b"x", transactional=True))
    exchange(talk)
    (came,) = of(talk, "<-", Received)
    assert (came.action, came.message.UserHeader.Flags.RC) == ("forward", 1)
    onward = Initiator(talk.managers["<-"], remote=THIRD)
    onward.send(came.message, talk.now)
    onward.connected(talk.now)
    assert talk.packets("<-", mqqb.OrderAck) == []
    exchange(talk, 1.0)
    assert talk.packets("<-", mqqb.OrderAck) == []
    assert talk.acknowledged(AcknowledgedBy.STORED) == []
    assert talk.client.waiting == 1


def test_too_many_hops() -> None:
    talk = Talk(None, Settings()).opened()
    packet = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=CLIENT,
            QueueManagerAddress=THIRD,
            DestinationQueue=mqmq.PrivateQueueFormatNameId(1),
            AdminQueue=mqmq.PrivateQueueFormatNameId(9),
            Flags=mqmq.UserHeaderFlags(RC=0x1D),
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Flags=mqmq.MessagePropertiesHeaderFlags(NA=1)),
    )
    talk.client.send(packet, talk.now)
    talk.write()
    exchange(talk)
    (rejected,) = of(talk, "<-", Rejected)
    assert rejected.message_class == MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_HOP_COUNT_EXCEEDED
    (told,) = [
        event for event in talk.events["->"] if getattr(event, "kind", None) is AcknowledgedBy.ADMINISTRATION
    ]
    assert told.message_class == MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_HOP_COUNT_EXCEEDED


@pytest.mark.parametrize(("queue", "host"), [(2, CLIENT), (3, SERVER)])
def test_acknowledgments_for_a_queue_that_is_named_by_its_number(queue: int, host: mw.GUID) -> None:
    """Flags.AQ 2 is a queue of the source host, 3 one of the destination host ([MS-MQMQ] 2.2.19.2)."""
    header = mqmq.UserHeader(
        SourceQueueManager=CLIENT,
        QueueManagerAddress=SERVER,
        DestinationQueue=mqmq.PrivateQueueFormatNameId(5),
        AdminQueue=mqmq.PrivateQueueFormatNameId(7),
    )
    header = mw.replace(header, Flags=header.Flags.replace(AQ=queue))
    found = administration(mqmq.UserMessage(UserHeader=header), 2, insecure=True)
    assert found is not None
    assert found[0].destination == f"PRIVATE={host}\\00000007"
    assert found[1] == host


def test_what_an_acknowledgment_says_of_a_message_that_is_encrypted() -> None:
    """It leaves out the encrypted body, and the type of it ([MS-MQQB] 3.1.7.15)."""
    packet = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=CLIENT,
            QueueManagerAddress=SERVER,
            DestinationQueue=mqmq.PrivateQueueFormatNameId(5),
            AdminQueue=BACK,
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=b"body", BodyType=17),
    )
    for encrypted, body, body_type in ((False, b"body", 17), (True, b"", 0)):
        header = mqmq.SecurityHeader(Flags=mqmq.SecurityHeaderFlags(EB=int(encrypted)))
        sent = mw.replace(packet, SecurityHeader=header)
        found = administration(sent, MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA, insecure=True)
        assert found is not None
        assert (found[0].body, found[0].body_type, found[1]) == (body, body_type, CLIENT)


INSECURE = {
    MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q,
    MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_ENCRYPTION,
    MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_SIGNATURE,
    MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_ACCESS_DENIED,
    MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_UNSUPPORTED_CRYPTO_PROVIDER,
}


@pytest.mark.parametrize("kind", MESSAGE_CLASS_VALUES)
@pytest.mark.parametrize("delivery", [0, 1])
def test_which_acknowledgments_are_sent_without_insecure_nacks(kind: Any, delivery: int) -> None:
    """All but five ([MS-MQQB] 3.1.7.15); they are recoverable as the message is."""
    header = mqmq.UserHeader(
        SourceQueueManager=CLIENT,
        QueueManagerAddress=SERVER,
        DestinationQueue=mqmq.PrivateQueueFormatNameId(5),
        AdminQueue=BACK,
        Flags=mqmq.UserHeaderFlags(DM=delivery),
    )
    sent = mqmq.UserMessage(UserHeader=header)
    assert (administration(sent, kind, insecure=False) is None) is (kind in INSECURE)
    found = administration(sent, kind, insecure=True)
    assert found is not None
    assert (found[0].message_class, found[0].recoverable) == (kind, delivery == 1)


@pytest.mark.parametrize(("seconds", "there"), [(10, True), (10.5, False)])
def test_a_message_that_arrives_at_the_end_of_its_time_is_taken(seconds: float, there: bool) -> None:
    """At the last second that TimeToReachQueue leaves it, not after it."""
    talk = Talk().opened()
    talk.send(Message(QUEUE, b"x", reach_queue=10))
    talk.now += seconds
    talk.arrive("->")
    assert any(isinstance(event, Received) for event in talk.events["<-"]) is there


def test_only_a_direct_name_tells_who_gets_an_acknowledgment() -> None:
    header = mqmq.UserHeader(
        SourceQueueManager=CLIENT,
        QueueManagerAddress=SERVER,
        DestinationQueue=mqmq.PrivateQueueFormatNameId(5),
        AdminQueue="DIRECT=OS:other\\admin",
    )
    found = administration(mqmq.UserMessage(UserHeader=header), 2, insecure=True)
    assert found is not None
    assert (found[0].destination, found[1]) == ("DIRECT=OS:other\\admin", None)


def test_acknowledgments_that_arrived_take_no_room() -> None:
    talk = Talk().opened()
    talk.send(Message(QUEUE, b"x", admin_queue=BACK, positive_arrival=True))

    def kept() -> tuple[int, int]:
        box = talk.side("<-").snapshot()["box"]
        return box["acknowledgments"], box["acknowledgment_bytes"]

    talk.arrive("->")
    assert kept()[0] == 1
    assert kept()[1] > 100
    exchange(talk, 20.0)
    assert kept() == (0, 0)


@pytest.mark.parametrize(("seconds", "sent"), [(10.0, 1), (10.5, 0)])
def test_a_message_lasts_to_the_end_of_its_time(seconds: float, sent: int) -> None:
    talk = Talk()
    talk.send(Message(QUEUE, b"x", reach_queue=10))
    talk.now += seconds
    talk.connect()
    exchange(talk)
    assert len(talk.packets("->", mqmq.UserMessage)) == sent


def test_the_time_of_a_message_of_others_began_when_they_sent_it() -> None:
    session = Initiator(QueueManager(CLIENT), remote=SERVER)
    packet = mqmq.UserMessage(
        BaseHeader=mqmq.BaseHeader(TimeToReachQueue=10),
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=THIRD,
            QueueManagerAddress=SERVER,
            SentTime=int(START) - 8,
            MessageID=5,
            DestinationQueue=mqmq.PrivateQueueFormatNameId(5),
        ),
    )
    session.send(packet, START)
    assert not [event for event in session.timeout(START + 2) if isinstance(event, Expired)]
    assert [event for event in session.timeout(START + 2.1) if isinstance(event, Expired)]


def test_the_port_of_pings() -> None:
    assert PING_PORT == 3527  # [MS-MQQB] 2.1.2


def test_acknowledgments_for_others_go_elsewhere() -> None:
    talk = Talk().opened()
    talk.send(Message(QUEUE, admin_queue=f"PRIVATE={THIRD}\\00000001", positive_arrival=True))
    talk.send(Message(QUEUE, admin_queue="DIRECT=OS:other\\admin", positive_arrival=True), "->")
    routed = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=THIRD,
            QueueManagerAddress=SERVER,
            MessageID=77,
            DestinationQueue=mqmq.PrivateQueueFormatNameId(7),
            Flags=mqmq.UserHeaderFlags(DM=1, JP=1),
        ),
        TransactionHeader=mqmq.TransactionHeader(TxSequenceID=mqmq.TxSequenceID(1, 5)),
    )
    talk.client.send(routed, talk.now)
    talk.write()
    exchange(talk, 1.0)
    while talk.consume():
        pass
    elsewhere = of(talk, "<-", Elsewhere)
    assert [type(event.content) for event in elsewhere] == [Message, mqqb.OrderAck, mqqb.FinalAck]
    assert [event.manager for event in elsewhere] == [THIRD, THIRD, THIRD]
    order = elsewhere[1].content
    assert order.UserHeader.QueueManagerAddress == THIRD
    assert talk.acknowledged(AcknowledgedBy.STORED) != []
    other = Initiator(talk.managers["<-"], remote=THIRD)
    assert [other.send(event.content, talk.now) for event in elsewhere]


def test_removal_from_the_queue_is_told() -> None:
    talk = Talk().opened()
    asks = {"admin_queue": BACK, "positive_receive": True, "negative_receive": True}
    first = talk.send(Message(QUEUE, b"1", **asks))  # type: ignore[arg-type]  # each is what it says
    second = talk.send(Message(QUEUE, b"2", **asks))  # type: ignore[arg-type]  # likewise
    exchange(talk)
    talk.consume()
    talk.consume(message_class=MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_PURGED)
    exchange(talk)
    told = [
        (event.token, event.message_class)
        for event in talk.events["->"]
        if getattr(event, "kind", None) is AcknowledgedBy.ADMINISTRATION
    ]
    assert told == [
        (first, MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_RECEIVE),
        (second, MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_PURGED),
    ]
    bodies = [event.message.MessagePropertiesHeader.MessageBody for event in of(talk, "->", Received)]
    assert bodies == [b"", b"2"]


def test_what_an_acceptor_is_given_after_the_connection_goes_over_the_next() -> None:
    talk = Talk().opened()
    talk.send(Message(QUEUE, transactional=True, journal=True))
    exchange(talk, 1.0)
    server = talk.server
    assert server is not None
    talk.cut()
    (received,) = of(talk, "<-", Received)
    assert server.consumed(received.message, talk.now) == []
    server.send(Message(BACK, b"late"), talk.now)
    assert server.waiting == 0
    talk.opened()
    talk.settle()
    exchange(talk)
    assert [
        event.journal for event in of(talk, "->", Acknowledged) if event.kind is AcknowledgedBy.FINAL
    ] == ["journal"]
    assert talk.bodies("->") == [b"late"]
    assert talk.findings == []


# ----------------------------------------------------------------------------------------------- time


def test_a_message_expires_before_it_is_sent() -> None:
    session = Initiator(QueueManager(CLIENT), remote=SERVER)
    quick = session.send(
        Message(QUEUE, reach_queue=10, dead_letter=True, admin_queue=BACK, negative_arrival=True), START
    )
    slow = session.send(Message(QUEUE, reach_queue=20, transactional=True, dead_letter=True), START)
    assert session.timeout(START) == [Connect(again=False, ping=False)]
    assert session.timeout(START + 10) == []
    (expired,) = session.timeout(session.next_timeout or 0)
    assert isinstance(expired, Expired)
    assert (expired.token, expired.journal) == (quick, "dead-letter")
    assert expired.acknowledgment is not None
    assert expired.acknowledgment.message_class == MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT
    (expired,) = session.timeout(START + 21)
    assert isinstance(expired, Expired)
    assert (expired.token, expired.journal) == (slow, "transactional dead-letter")
    assert session.waiting == 0


def test_what_was_sent_does_not_expire_but_is_not_sent_again() -> None:
    talk = Talk().opened()
    token = talk.send(Message(QUEUE, b"x", reach_queue=10))
    talk.wait(11)
    assert of(talk, "->", Expired) == []
    talk.cut()
    talk.wait(1)
    talk.connect()
    exchange(talk)
    talk.wait(1)
    assert [event.token for event in of(talk, "->", Expired)] == [token]
    assert talk.packets("->", mqmq.UserMessage)[1:] == []


def test_a_message_that_came_too_late() -> None:
    talk = Talk().opened()
    talk.send(Message(QUEUE, b"x", reach_queue=10, admin_queue=BACK, negative_arrival=True))
    talk.now += 20
    exchange(talk)
    (expired,) = of(talk, "<-", Expired)
    assert expired.token is None
    (told,) = [
        event for event in talk.events["->"] if getattr(event, "kind", None) is AcknowledgedBy.ADMINISTRATION
    ]
    assert told.message_class == MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT


@pytest.mark.parametrize(("options", "waits"), [({"remote": SERVER}, 20), ({"address": "10.0.0.1"}, 40)])
def test_silence_is_borne_twice_as_long_for_a_direct_name(options: dict[str, Any], waits: int) -> None:
    """Product note 46 of [MS-MQQB]."""
    talk = Talk(**options).opened()
    talk.client.send(Message(QUEUE), talk.now)
    sent = talk.now
    assert talk.client.data_to_send()
    assert talk.client.next_timeout == sent + waits
    assert talk.client.timeout(sent + waits) == []  # there was the handshake since the session began
    (closed,) = talk.client.timeout(sent + 2 * waits)
    assert isinstance(closed, Closed)


def test_an_idle_session_is_closed() -> None:
    talk = Talk().opened()
    talk.send(Message(QUEUE))
    talk.settle()
    reasons = []
    for _ in range(3):
        due = talk.client.next_timeout
        assert due is not None
        reasons += [event.reason for event in talk.client.timeout(due) if isinstance(event, Closed)]
        if reasons:
            break
    assert reasons == ["idle"]
    assert talk.client.next_timeout is None
    talk.client.send(Message(QUEUE), START + 5000)
    assert talk.client.timeout(START + 5000) == [Connect(again=True, ping=False)]


def test_connections_are_retried_until_one_opens() -> None:
    session = Initiator(QueueManager(CLIENT, PROFILES["windows-server-2003"]), remote=SERVER)
    session.send(Message(QUEUE), START)
    assert session.timeout(START) == [Connect(again=False, ping=True)]
    for again in range(3):
        now = START + 10 * again
        assert session.disconnected(now) == []
        assert session.next_timeout == now + 5
        assert session.timeout(now + 5) == [Connect(again=False, ping=True)]
    session.connected(START + 100)
    (closed,) = session.close(START + 100)
    assert closed == Closed("stopped", 1, retry=False)


def test_a_clock_that_goes_back_does_not_stretch_timers() -> None:
    session = Acceptor(QueueManager(SERVER))
    session.connected(START)
    assert session.timeout(START - 7200) == []
    assert session.next_timeout == pytest.approx(START - 7200 + 60)


def _repeated_after(seconds: float, step: float) -> bool:
    """Return whether a message that comes again after some time is a duplicate; sessions last for a step."""
    manager = QueueManager(SERVER)
    packet = QueueManager(CLIENT).shapes.packet(Message(QUEUE), SERVER, 1, int(START)).encode()
    asked = mqqb.EstablishConnectionHeader(ClientGuid=CLIENT, ServerGuid=SERVER)
    head = mqqb.EstablishConnection(EstablishConnectionHeader=asked).encode()
    head += mqqb.ConnectionParameters().encode()
    events: list[Any] = []
    passed = 0.0
    while True:
        server = Acceptor(manager)
        server.connected(START + passed)
        data = head + (packet if passed in {0.0, seconds} else b"")
        events += server.receive(data, START + passed)
        if passed >= seconds:
            break
        server.disconnected(START + passed)
        passed = min(passed + step, seconds)
    received, duplicates = (
        [one for one in events if isinstance(one, kind)] for kind in (Received, Duplicate)
    )
    assert len(received) + len(duplicates) == 2
    return bool(duplicates)


@pytest.mark.parametrize("step", [60.0, 1e9])
def test_the_history_is_cleaned_by_the_clock_of_the_queue_manager(step: float) -> None:
    """However long sessions are, by the timer of 30 minutes ([MS-MQQB] 3.1.6.7, note 47).

    What came less than that before the timer fires stays until it fires again.
    """
    assert [_repeated_after(minutes * 60.0, step) for minutes in (10, 29, 59, 60.5, 61)] == [
        True, True, True, False, False,
    ]  # fmt: skip


def test_the_history_of_many_short_sessions_stays_small() -> None:
    manager = QueueManager(SERVER)
    asked = mqqb.EstablishConnectionHeader(ClientGuid=CLIENT, ServerGuid=SERVER)
    head = mqqb.EstablishConnection(EstablishConnectionHeader=asked).encode()
    head += mqqb.ConnectionParameters().encode()
    for hour in range(50):
        server = Acceptor(manager)
        now = START + hour * 3600.0
        server.connected(now)
        packet = manager.shapes.packet(Message(QUEUE), SERVER, hour % 7 + 1, int(now)).encode()
        events = server.receive(head + packet, now)
        server.disconnected(now + 1)
        assert len([event for event in events if isinstance(event, Received)]) == 1
        assert len(manager.snapshot()["history"]) <= 2


@pytest.mark.parametrize(("passed", "rides"), [(7.4, False), (7.5, False), (7.6, True)])
def test_an_acknowledgment_rides_along_after_three_quarters_of_its_time(passed: float, rides: bool) -> None:
    """More than 75 percent, [MS-MQQB] 3.1.7.11; it would be sent after ten seconds."""
    talk = Talk(server=Settings()).opened()
    talk.send(Message(QUEUE))
    talk.arrive("->")
    talk.now += passed
    talk.send(Message(f"PRIVATE={CLIENT}\\00000007"), "<-")
    (sent,) = talk.packets("<-", mqmq.UserMessage)
    assert (sent.SessionHeader is not None) is rides


@pytest.mark.parametrize(
    ("ahead", "violated"), [(0, False), (0x7FFF, True), (0x8000, False), (0xFFFF, False)]
)
def test_numbers_that_are_half_around_were_acknowledged_before(ahead: int, violated: bool) -> None:
    """Numbers of recoverable messages count modulo 65,536: one half lies ahead, the other one behind."""
    talk = Talk().opened()
    header = mqmq.SessionHeader(RecoverableMsgAckSeqNumber=ahead, RecoverableMsgAckFlags=0, WindowSize=64)
    events = talk.client.receive(mqqb.SessionAck(SessionHeader=header).encode(), talk.now)
    assert [event.violation.requirement for event in events if isinstance(event, Violated)] == (
        ["MQMQ-2.2.20.4-08"] if violated else []
    )


def test_a_sequence_of_one_message_ends_too() -> None:
    """And one of none does not: the next message is the first of the next sequence, or of this one."""
    talk = Talk().opened()
    seen = []
    for _ in range(2):
        talk.send(Message(QUEUE, transactional=True))
        seen.append(talk.client.transfer.EodNextSeq)
        talk.settle()
        talk.send(Message(QUEUE))
        talk.settle()
    assert [known.SeqNo for known in seen] == [2, 2]
    assert seen[1].SeqID == seen[0].SeqID + 1
    assert talk.client.transfer.EodNextSeq.SeqID == seen[1].SeqID + 1
    assert talk.client.transfer.EodNextSeq.SeqNo == 1


@pytest.mark.parametrize(
    ("timeout", "recoverable", "waits"),
    [(0, False, 0.001), (1, True, 0.001), (0, True, 0.001), (3, True, 0.001), (4, True, 0.002),
     (4, False, 0.002), (20_000, True, 0.5), (20_000, False, 10.0)],
)  # fmt: skip
def test_acknowledgments_wait_for_half_of_any_time(timeout: int, recoverable: bool, waits: float) -> None:
    """Of AckTimeout, or for RecoverableAckTimeout if that is less; for a millisecond at least."""
    talk = Talk()
    server = Acceptor(talk.managers["<-"])
    server.connected(START)
    times = mqqb.ConnectionParametersHeader(AckTimeout=timeout, RecoverableAckTimeout=500, WindowSize=64)
    asked = mqqb.EstablishConnectionHeader(ClientGuid=CLIENT, ServerGuid=SERVER)
    for packet in (
        mqqb.EstablishConnection(EstablishConnectionHeader=asked),
        mqqb.ConnectionParameters(ConnectionParametersHeader=times),
        talk.managers["->"].shapes.packet(Message(QUEUE, recoverable=recoverable), SERVER, 1, int(START)),
    ):
        server.receive(packet.encode(), START)
    assert server.snapshot()["state"]["timers"]["ack_send"] - START == pytest.approx(waits, abs=1e-5)


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("limit", ["max_acknowledgments", "max_acknowledgment_bytes"])
def test_a_peer_that_takes_no_acknowledgments_is_left(limit: str, most: int) -> None:
    """As soon as so many wait, or so many bytes of them: no message is taken any more."""
    message = Message(QUEUE, admin_queue=BACK, positive_arrival=True)
    probe = Talk().opened()
    probe.send(message)
    probe.arrive("->")
    size = probe.side("<-").snapshot()["box"]["acknowledgment_bytes"]
    limits = {limit: most * (size if limit.endswith("bytes") else 1)}
    talk = Talk(server=Settings(**limits)).opened()  # type: ignore[arg-type]  # both are numbers
    for _ in range(most + 2):
        talk.send(message)
    talk.arrive("->")
    assert len(of(talk, "<-", Received)) == most
    assert of(talk, "<-", Closed)[0].reason == "acknowledgments are not taken"


def test_a_message_is_not_given_up_in_its_last_second() -> None:
    session = Initiator(QueueManager(CLIENT), remote=SERVER)
    tokens = [session.send(Message(QUEUE, reach_queue=seconds), START) for seconds in (10, 11, 12)]

    def expired(now: float) -> list[int | None]:
        return [event.token for event in session.timeout(now) if isinstance(event, Expired)]

    assert expired(START + 10) == []
    assert expired(START + 11) == tokens[:1]
    assert expired(START + 11.5) == tokens[1:2]
    assert session.waiting == 1


def test_the_message_that_has_no_flag_left_is_acknowledged_with_the_next_ones() -> None:
    """32 recoverable messages fit into RecoverableMsgAckFlags; the next one is the first that waits."""
    talk = Talk(Settings(window=200)).opened()
    for _ in range(33):
        talk.send(Message(QUEUE, recoverable=True))
    talk.arrive("->")
    (packet,) = talk.packets("<-", mqqb.SessionAck)
    assert packet.SessionHeader.AckSequenceNumber == 32
    assert packet.SessionHeader.RecoverableMsgAckFlags == 0xFFFFFFFF
    state = talk.side("<-").snapshot()["state"]
    assert (state["unacknowledged"], state["received"], state["flags"]) == (1, 33, 1)


def test_an_order_ack_says_when_it_was_sent() -> None:
    talk = Talk().opened()
    talk.now += 1
    talk.send(Message(QUEUE, transactional=True))
    exchange(talk, 0.5)
    (packet,) = talk.packets("<-", mqqb.OrderAck)
    assert packet.UserHeader.SentTime == START + 1


def test_order_acks_are_put_off_for_ten_seconds_at_most() -> None:
    """MaximumOrderAckDelay: from then on no message puts them off, [MS-MQQB] 3.1.1.6.2."""
    talk = Talk().opened()
    for passed in (9.75, 0.25):
        talk.now += passed
        talk.send(Message(QUEUE, transactional=True))
        talk.arrive("->")
    assert talk.side("<-").snapshot()["state"]["timers"]["order_ack"] == START + 10.25
    talk.wait(0.25)
    assert len(talk.packets("<-", mqqb.OrderAck)) == 1


def test_the_first_message_of_a_sequence_that_was_forgotten_does_not_come_again() -> None:
    """The newest sequence of its queue is still known, and another one has to be newer."""
    talk = Talk().opened()
    talk.send(Message(QUEUE, transactional=True))
    talk.arrive("->")
    assert len(of(talk, "<-", Received)) == 1
    talk.managers["<-"].inbox(CLIENT).sequences.clear()
    talk.cut()
    talk.opened()
    talk.arrive("->")
    assert len(of(talk, "<-", Received)) == 1
    assert len(of(talk, "<-", OutOfOrder)) == 1


def test_as_many_messages_are_remembered_as_the_settings_say() -> None:
    manager = QueueManager(SERVER, Settings(history_size=2))
    sizes = []
    for number in (1, 2, 3, 4):
        assert not manager.has_come(CLIENT, number, START)
        sizes.append(len(manager.snapshot()["history"]))
    assert sizes == [1, 2, 2, 2]
    assert manager.has_come(CLIENT, 3, START)
    assert not manager.has_come(CLIENT, 2, START)


# ----------------------------------------------------------------------------------------------- Ping


def test_a_ping_without_answer() -> None:
    client = PingClient(QueueManager(CLIENT))
    request = client.request(START)
    assert client.receive(b"no", START) == []
    other = mw.replace(mqqb.PingPacket.decode(request), Cookie=99)
    assert client.receive(other.encode(), START) == []
    assert client.timeout(START + 0.9) == []
    assert client.timeout(START + 1.0) == [PingUnanswered()]
    assert client.receive(request, START + 1.1) == []


def test_a_ping_while_the_clock_is_set_back() -> None:
    """The answer may take a second, of which a tenth has passed."""
    client = PingClient(QueueManager(CLIENT))
    client.request(START)
    assert client.timeout(START + 0.1) == []
    assert client.timeout(START - 3600.0) == []
    assert client.next_timeout == pytest.approx(START - 3600.0 + 0.9, abs=1e-6)
    assert client.timeout(START - 3600.0 + 1.0) == [PingUnanswered()]


@pytest.mark.parametrize("counted", [False, True])
def test_a_session_header_that_the_size_counts_or_not(counted: bool) -> None:
    message = mqmq.UserMessage(UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\b"))
    first, second = mw.replace(message, SessionHeader=mqmq.SessionHeader()).encode(), message.encode()
    if counted:
        first = first[:8] + len(first).to_bytes(4, "little") + first[12:]
    stream = PacketStream(1 << 20, strict=True)
    assert [packet.encode() for packet in stream.feed(first + second)] == [first, second]
    assert stream.error is None


def test_a_direct_name_asks_for_nobody_in_particular() -> None:
    for remote in (None, SERVER):
        session = Initiator(QueueManager(CLIENT), remote=remote, address="10.0.0.1")
        session.connected(START)
        packet: Any = mw.decode(session.data_to_send())
        assert packet.EstablishConnectionHeader.ServerGuid == (remote or mw.NULL_GUID)


def test_a_ping_is_told_in_the_session() -> None:
    manager = QueueManager(CLIENT)
    for pinged in (True, False):
        session = Initiator(manager, remote=SERVER, pinged=pinged)
        session.connected(START)
        packet: Any = mw.decode(session.data_to_send())
        assert (not pinged) == packet.EstablishConnectionHeader.OperatingSystem.SE


# ----------------------------------------------------------------------------------------------- plain data


def test_snapshots_are_json() -> None:
    talk = Talk().opened()
    for kind in ({}, {"recoverable": True}, {"transactional": True, "reach_queue": 90}):
        talk.send(Message(QUEUE, **kind))
    talk.arrive("->", 300)
    for way in ("->", "<-"):
        side: Any = talk.side(way)
        manager = talk.managers[way]
        text = json.dumps([side.snapshot(), manager.snapshot()])
        one, all_of_it = json.loads(text)
        again = QueueManager.restore(all_of_it)
        copy = type(side).restore(one, again)
        assert json.dumps([copy.snapshot(), again.snapshot()]) == text


@pytest.mark.parametrize("snapshot", [{}, {"role": 3}, [], range(3), "\ud800"])
def test_what_is_no_snapshot(snapshot: Any) -> None:
    manager = QueueManager(CLIENT)
    for restore in (QueueManager.restore, lambda data: Initiator.restore(data, manager)):
        with pytest.raises(ValueError, match="not a snapshot"):
            restore(snapshot)
    with pytest.raises(ValueError, match="other end"):
        Acceptor.restore(Initiator(manager).snapshot(), manager)


def test_a_snapshot_that_has_no_order_acks_sends_none() -> None:
    talk = Talk().opened()
    snapshot = talk.client.snapshot()
    snapshot["state"]["sendable_orders"] = True
    again = Initiator.restore(snapshot, talk.managers["->"])
    assert again.timeout(START + 1) == []


@pytest.mark.parametrize("change", [{"remote": "zz"}, {"state": {"remote": "zz"}}, {"remote": "\ud800"}])
def test_a_snapshot_whose_guid_is_damaged(change: dict[str, Any]) -> None:
    manager = QueueManager(CLIENT)
    snapshot = Initiator(manager).snapshot()
    for name, value in change.items():
        snapshot[name] = {**snapshot[name], **value} if isinstance(value, dict) else value
    with pytest.raises(mw.MsmqWireError, match="not a snapshot of an Initiator"):
        Initiator.restore(snapshot, manager)
    with pytest.raises(mw.MsmqWireError, match="not a snapshot of a QueueManager"):
        QueueManager.restore({**manager.snapshot(), "inboxes": {"zz": {}}})


def test_a_queue_manager_that_failed_goes_on() -> None:
    """Both sides come back from what they wrote down, on a new connection; nothing is lost or comes twice."""
    talk = Talk(Settings(history=1e9)).opened()
    for number in range(6):
        talk.send(Message(QUEUE, b"%d" % number, transactional=number % 2 == 0, recoverable=True))
    talk.arrive("->", 500)
    talk.restart("->")
    talk.restart("<-")
    talk.cut()
    talk.settle()
    bodies = talk.bodies()
    assert sorted(bodies) == [b"%d" % number for number in range(6)]
    assert [body for body in bodies if int(body) % 2 == 0] == [b"0", b"2", b"4"]
    assert talk.findings == []


def test_wrong_calls() -> None:
    session = Acceptor(QueueManager(SERVER))
    session.connected(START)
    with pytest.raises(ValueError, match="there is already a transport connection"):
        session.connected(START)


@pytest.mark.parametrize(
    "change",
    [
        {"label": "other"}, {"priority": 5}, {"recoverable": True}, {"journal": True}, {"dead_letter": True},
        {"reach_queue": 60}, {"be_received": 70}, {"correlation": bytes([7] * 20)}, {"body_type": 8},
        {"application_tag": 9}, {"extension": b"more"}, {"message_class": 1},
        {"admin_queue": QUEUE, "positive_arrival": True}, {"response_queue": QUEUE},
    ],
    ids=str,
)  # fmt: skip
def test_packets_of_messages_alike_are_their_own(change: dict[str, Any]) -> None:
    """A packet that was made before is used again only if nothing but body, number and time differs."""
    shapes, plain = PacketTemplateCache(CLIENT), Message(QUEUE, b"body")
    for number, message in enumerate((plain, msgspec.structs.replace(plain, **change)), 1):
        made = packet_of(message, source=CLIENT, remote=SERVER, message_id=number, sent_at=number)
        assert shapes.packet(message, SERVER, number, number) == made


@pytest.mark.parametrize(
    ("field", "given", "told"),
    [
        ("correlation", "x", "expected bytes, got str"),
        ("extension", "x", "expected bytes, got str"),
        ("correlation", bytearray(2), "expected bytes, got bytearray"),
        ("body", "x", "expected bytes, got str"),
        ("label", 5, "expected str, got int"),
        ("priority", True, "expected int, got bool"),
        ("first", 1, "expected bool, got int"),
    ],
)
def test_the_wrong_field_of_a_message_is_named(field: str, given: Any, told: str) -> None:
    session = Initiator(QueueManager(CLIENT))
    with pytest.raises(mw.EncodeError, match=f"^{told} - at `Message.{field}`$"):
        session.send(Message(QUEUE, **{field: given}), START)
    for body in (bytearray(b"a"), memoryview(b"a")):
        assert session.send(Message(QUEUE, body), START)  # type: ignore[arg-type]  # taken, as the values of fields are


def test_a_value_that_equals_one_of_another_type_is_refused() -> None:
    session = Initiator(QueueManager(CLIENT))
    session.send(Message(QUEUE, priority=1, recoverable=False), START)
    for wrong in ({"priority": True}, {"priority": 1.0}, {"priority": 1, "recoverable": 0}):
        with pytest.raises(mw.EncodeError, match=r"^expected (int|bool), got"):
            session.send(Message(QUEUE, **wrong), START)


@pytest.mark.parametrize("swapped", [False, True])
def test_bodies_of_wide_items_have_their_bytes(swapped: bool) -> None:
    """As many items as another body has bytes are another size."""
    talk = Talk().opened()
    bodies = [memoryview(array("H", [1, 2, 3])), b"abc"]
    for body in reversed(bodies) if swapped else bodies:
        talk.send(Message(QUEUE, body))  # type: ignore[arg-type]  # taken, as the values of fields are
    exchange(talk)
    assert sorted(talk.bodies()) == [bytes(bodies[0]), b"abc"]


@pytest.mark.parametrize(
    ("fields", "requirement"),
    [
        ({"admin_queue": BACK}, "MQMQ-2.2.19.2-41"),
        ({"label": "a\0b"}, "MQMQ-2.2.19.3-36"),
        ({"trace": str(mw.NULL_GUID)}, "MQMQ-2.2.20.8-34"),
    ],
)
def test_a_message_that_violates_its_document_is_refused(fields: dict[str, Any], requirement: str) -> None:
    with pytest.raises(mw.EncodeError, match=requirement):
        Initiator(QueueManager(CLIENT)).send(Message(QUEUE, **fields), START)


def test_packets_with_long_extensions_are_not_kept() -> None:
    shapes = PacketTemplateCache(CLIENT)
    tracemalloc.start()
    for number in range(8):
        shapes.packet(Message(QUEUE, extension=number.to_bytes() * 1_000_000), SERVER, number + 1, 1)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 1_000_000


@pytest.mark.parametrize("field", Message.__struct_fields__)
def test_a_value_that_cannot_be_hashed_is_of_the_wrong_type(field: str) -> None:
    fields: dict[str, Any] = {"destination": QUEUE, field: memoryview(bytearray(8))[::2]}
    session = Initiator(QueueManager(CLIENT))
    if field == "body":
        assert session.send(Message(**fields), START)
    else:
        with pytest.raises(mw.EncodeError, match=f"got memoryview - at `Message.{field}`$"):
            session.send(Message(**fields), START)


@pytest.mark.parametrize(
    ("data", "chunk", "told", "at"),
    [
        (b"HTTP/1.1 400", 12, "expected 0x524f494c, found 0x312e312f; these bytes are HTTP ", 4),
        (b"HTTP/1.1 400", 7, "expected 0x10, found 0x48; these bytes are HTTP ", 0),
        (b"HTTP/1.1 400", 1, "expected 0x10, found 0x48; this is not a packet ", 0),
        (b"\x15\3\3\0\2\2\x28", 7, "expected 0x10, found 0x15; these bytes are TLS ", 0),
        (b"\x10\xc0\0\0LOIR", 6, "expected 0x524f494c, found 0x4f4c; this is not a packet ", 4),
        (b"\x10\xc0\0\0LOIR", 8, "expected 0x524f494c, found 0x52494f4c; this is not a packet ", 4),
    ],
)
def test_a_violation_names_what_came_however_it_came(data: bytes, chunk: int, told: str, at: int) -> None:
    """The first bytes that are no packet are named, not those that are still to come."""
    session = Initiator(QueueManager(CLIENT))
    session.connected(START)
    events = [
        event
        for start in range(0, len(data), chunk)
        for event in session.receive(data[start : start + chunk], START)
    ]
    assert isinstance(events[0], Violated)
    violation = events[0].violation
    assert f": {told.rstrip()}" in violation.message
    assert violation.offset == at


def test_the_first_call_states_the_time() -> None:
    """A message states when it was sent; without a time it would have been sent in 1970, and expire."""
    session = Initiator(QueueManager(CLIENT))
    message = Message(QUEUE, reach_queue=5)
    with pytest.raises(mw.MsmqWireError, match=r"^now: the first call has to state the time"):
        session.send(message)
    assert session.waiting == 0
    again = Initiator.restore(session.snapshot(), QueueManager(CLIENT))
    with pytest.raises(mw.MsmqWireError, match=r"^now: the first call has to state the time"):
        again.send(message)
    for first in (0.0, START):
        session = Initiator(QueueManager(CLIENT))
        assert session.send(message, first)
        assert session.send(message)
        assert session.timeout(first) == [Connect(again=False, ping=False)]


def test_the_times_that_a_session_can_have_are_told() -> None:
    session = Initiator(QueueManager(CLIENT))
    for now in (0, 0xFFFFFFFF):
        assert session.timeout(now) == []
    for now in (-1, 1 << 32):
        told = rf"^now is {now}, not a time in seconds since 1970, 0 to 4294967295$"
        with pytest.raises(mw.MsmqWireError, match=told):
            session.timeout(now)


@pytest.mark.parametrize(
    "now", [float("nan"), float("inf"), -float("inf"), 10**400, -1.0, 1 << 32, "x", None]
)
def test_times_are_seconds_of_the_wire(now: Any) -> None:
    """A time that no packet can state is refused by each call, which changes nothing."""
    session, ping = Initiator(QueueManager(CLIENT)), PingClient(QueueManager(CLIENT))
    session.connected(START)
    before = session.snapshot()
    calls: list[Callable[[Any], Any]] = [
        Initiator(QueueManager(CLIENT)).connected,
        lambda at: session.receive(b"", at),
        session.timeout,
        session.disconnected,
        session.close,
        lambda at: session.consumed(mqmq.UserMessage(), at),
        session.pause,
        session.resume,
        ping.request,
        ping.timeout,
        lambda at: ping.receive(b"", at),
    ]
    if now is not None:  # the time of the last call
        calls.append(lambda at: session.send(Message(QUEUE), at))
    for call in calls:
        with pytest.raises(mw.MsmqWireError, match=r"^now"):
            call(now)
    assert session.snapshot() == before
    with pytest.raises(mw.MsmqWireError, match=r"^booted"):
        QueueManager(CLIENT, booted=now)


@pytest.mark.parametrize(
    "wrong",
    [
        {"packet_size": 0}, {"packet_size": 15}, {"max_sessions": -1}, {"max_sessions": 1.5},
        {"order_ack": nan}, {"cleanup": inf}, {"history": -1.0}, {"history_size": -1},
        {"ack_wait_factor": nan}, {"resend": (nan,)}, {"resend": (1.0, inf)}, {"resend": (10**400,)},
        {"resend": ()}, {"resend": (0,)}, {"resend": (1, -1)}, {"ack_timeout": 1.0},
        {"server_system": "x"}, {"licenses": 1.5}, {"window": nan}, {"ack_timeout": nan},
        {"reconnect": 10**400},
    ],
    ids=str,
)  # fmt: skip
def test_settings_that_no_endpoint_can_have(wrong: dict[str, Any]) -> None:
    with pytest.raises(mw.MsmqWireError, match=f"^{next(iter(wrong))}"):
        Settings(**wrong)


def test_wrong_arguments_of_endpoints() -> None:
    manager: Any = QueueManager(CLIENT)
    wrong: Any = 5
    calls: dict[str, Callable[[], Any]] = {
        "judge: expected a function, got int": lambda: QueueManager(CLIENT, judge=wrong),
        "manager: expected a QueueManager, got int": lambda: PingClient(wrong),
        "manager: expected a QueueManager, got NoneType": lambda: PingAnswerer(None),  # type: ignore[arg-type]
        "manager: expected a QueueManager, got str": lambda: Acceptor("x"),  # type: ignore[arg-type]
        "address: expected an address, got int": lambda: Initiator(manager, address=wrong),
        "pinged: expected True or False, got int": lambda: Initiator(manager, pinged=wrong),
        "error: expected a whole number, got str": lambda: Initiator(manager).disconnected(START, error="x"),  # type: ignore[arg-type]
        "message_class: expected ACK_RECEIVE or a negative class, got str": lambda: Initiator(
            manager
        ).consumed(
            mqmq.UserMessage(),
            START,
            "x",  # type: ignore[arg-type]
        ),
    }
    for told, call in calls.items():
        with pytest.raises(mw.MsmqWireError, match=f"^{told}$"):
            call()


def test_a_session_begins_with_the_values_of_the_document() -> None:
    """[MS-MQQB] 3.1.3.2, for a session that was accepted; nothing else is known or under way."""
    session = Acceptor(QueueManager(SERVER))
    nothing = session.snapshot()
    session.connected(START)
    begun = session.snapshot()
    counts = ("sent", "recoverable_sent", "received", "recoverable_received", "flags", "last_acknowledged",
              "unacknowledged", "acknowledged", "recoverable_acknowledged", "previous")  # fmt: skip
    for state in (nothing["state"], begun["state"]):
        assert {name: state[name] for name in counts} == dict.fromkeys(counts, 0)
        assert (state["active"], state["heard"], state["direct"]) == (False, False, False)
        assert (state["paused"], state["sendable_orders"], state["established"]) == (False, False, False)
        assert (state["quick"], state["server_system"], state["time_stamp"]) == (False, False, 0)
        assert (state["peer_window"], state["remote"], state["orders"]) == (0, "", {})
        assert state["recoverable_ack_timeout"] == 0xFFFFFFFF
    for snapshot in (nothing, begun):
        assert snapshot["box"] == {
            "table": {}, "awaiting_final": {}, "sequence": 0, "next_number": 1, "last_ack": 0,
            "ack_count": 0, "ack_time": 0, "resend_index": 0, "acknowledgments": 0,
            "acknowledgment_bytes": 0,
        }  # fmt: skip
    assert nothing["state"]["phase"] == "CLOSED"
    assert begun["state"]["phase"] == "WAITING_EC_MSG"
    assert (nothing["state"]["begun"], begun["state"]["begun"]) == (False, True)
    assert begun["state"]["last_order"] == START
    assert begun["state"]["timers"] == {"initialization": START + Settings().initialization}


def test_settings_of_the_document() -> None:
    """[MS-MQQB] 3.1.1.2 and 3.1.3, with notes 24, 25, 43 to 47, 50 to 52 for Windows on a local network."""
    kept = Settings()
    assert (kept.window, kept.ack_timeout, kept.ack_wait_factor) == (64, 20, 2)
    assert (kept.initialization, kept.cleanup, kept.reconnect) == (60, 300, 5)
    assert (kept.order_ack, kept.order_ack_delay, kept.history) == (0.5, 10, 30 * 60)
    assert kept.resend == (30, 30, 30, 300, 300, 300, 1800, 1800, 1800, 21600)
    assert (kept.max_sessions, kept.licenses, kept.profile) == (0xFFFFFFFF, None, None)
    assert (kept.history_size, kept.max_acknowledgments) == (10_000, 4096)
    assert (kept.max_acknowledgment_bytes, kept.packet_size) == (1 << 24, 1 << 22)
    assert (kept.server_system, kept.asks_by_ping, kept.answers_ping) == (True, False, False)
    policies = (kept.insecure_nacks, kept.acknowledges_system_queues, kept.journals_system_queues)
    assert policies == (False, False, False)


DURATIONS = ("initialization", "cleanup", "reconnect", "order_ack", "order_ack_delay", "history")
COUNTS = ("ack_wait_factor", "history_size", "max_sessions", "max_acknowledgments",
          "max_acknowledgment_bytes")  # fmt: skip


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        *((name, 0, 0xFFFFFFFF) for name in DURATIONS),
        *((name, 0, None) for name in COUNTS),
        ("packet_size", 16, None),  # of a BaseHeader
        ("ack_timeout", 20, 120),
        ("window", 1, 0xFFFF),
        ("licenses", 0, None),
    ],
)
def test_a_setting_has_a_least_and_a_largest_value(name: str, least: int, most: int | None) -> None:
    made: Any = Settings  # of any field
    for value in (least, 10**12 if most is None else most):
        assert getattr(made(**{name: value}), name) == value
    for value in (least - 1, *(() if most is None else (most + 1,))):
        with pytest.raises(mw.MsmqWireError, match=rf"^{name} is {value}"):
            made(**{name: value})


def test_a_message_says_what_the_document_says_if_nobody_says_more() -> None:
    """Priority 3, express, kept for ever, without acknowledgments: the defaults of [MS-MQDMPR] 3.1.1.12."""
    packet = packet_of(Message(QUEUE), source=CLIENT, remote=SERVER, message_id=1, sent_at=2)
    base, user, properties = packet.BaseHeader, packet.UserHeader, packet.MessagePropertiesHeader
    assert (base.Flags.PR, base.Flags.TR, base.TimeToReachQueue) == (3, 0, 0xFFFFFFFF)
    assert (user.Flags.DM, user.Flags.JP, user.Flags.JN, user.TimeToBeReceived) == (0, 0, 0, 0xFFFFFFFF)
    assert (user.AdminQueue, user.ResponseQueue, user.ConnectorType) == (None, None, None)
    assert (properties.Flags, properties.MessageClass, properties.CorrelationID) == (0, 0, bytes(20))
    assert (properties.BodyType, properties.ApplicationTag, properties.Label) == (0, 0, "")
    assert (properties.ExtensionData, properties.MessageBody) == (b"", b"")
    assert (packet.TransactionHeader, packet.DebugHeader, packet.SecurityHeader) == (None, None, None)
    alone = packet_of(
        Message(QUEUE, transactional=True), source=CLIENT, remote=SERVER, message_id=1, sent_at=2
    )
    assert alone.TransactionHeader is not None
    flags = alone.TransactionHeader.Flags
    assert (flags.FM, flags.LM, flags.FA, flags.ID) == (1, 1, 0, 0)  # the only one of its transaction
    assert (alone.UserHeader.Flags.DM, alone.BaseHeader.Flags.PR) == (1, 0)
