"""Peers that lie, flood, fall silent or break off: one clear event, bounded memory, no foreign exception."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support_examples import examples
from support_talk import BACK, CLIENT, QUEUE, SERVER, START, Talk

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire.checks.sessions.monitor import SessionMonitor
from msmq_wire.documents.transactions import sequence_of
from msmq_wire.session import (
    Acceptor,
    AcknowledgedBy,
    Closed,
    Initiator,
    Message,
    QueueManager,
    Received,
    Settings,
    Violated,
)

KINDS = (
    Message(QUEUE, b"1"),
    Message(QUEUE, b"2", recoverable=True),
    Message(QUEUE, b"3", transactional=True),
    Message(QUEUE, b"4", admin_queue=BACK, positive_arrival=True),
)


@cache
def said(way: Any) -> bytes:
    """What a side says in a session with a message of each kind, as one piece."""
    talk = Talk()
    for message in KINDS:
        talk.send(message)
    talk.connect()
    talk.settle()
    return b"".join(mw.encode(packet) for direction, packet in talk.tape if direction == way)


def events_for(side: Any, data: bytes, size: int = 1 << 20) -> list[Any]:
    """Events for bytes in pieces; whatever they are, they end in a known way."""
    events: list[Any] = []
    for at in range(0, len(data), size):
        events += side.receive(data[at : at + size], START)
        side.data_to_send()
    ends = [event for event in events if isinstance(event, (Violated, Closed))]
    assert len([event for event in ends if isinstance(event, Violated)]) <= 1
    if ends:
        assert events[-1] is ends[-1]
        assert isinstance(ends[-1], Closed)
        assert side.receive(said("->"), START) == []
    return events


def ends(way: Any) -> Any:
    """A side that is to be lied to, and what the other one would say."""
    talk = Talk()
    if way == "->":
        acceptor = Acceptor(talk.managers["<-"])
        acceptor.connected(START)
        return acceptor, said("->")
    for message in KINDS:
        talk.send(message)
    talk.client.connected(START)
    return talk.client, said("<-")


@settings(max_examples=examples(300), deadline=None)
@given(
    way=st.sampled_from(("->", "<-")),
    changes=st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 255)), max_size=4),
    cut=st.integers(0, 3000),
    size=st.sampled_from((1, 13, 600, 1 << 20)),
)
def test_bent_bytes(way: Any, changes: list[tuple[int, int]], cut: int, size: int) -> None:
    side, data = ends(way)
    bent = bytearray(data[: len(data) - cut % 200])
    for at, value in changes:
        bent[at % len(bent)] = value
    events_for(side, bytes(bent), size)
    side.disconnected(START)
    assert side.data_to_send() is not None


@settings(max_examples=examples(200), deadline=None)
@given(data=st.binary(min_size=1, max_size=2000), opened=st.booleans(), size=st.sampled_from((1, 1 << 20)))
def test_any_bytes(data: bytes, size: int, *, opened: bool) -> None:
    if opened:
        side: Any = Talk().opened().server
    else:
        side, _ = ends("->")
    events = events_for(side, data, size)
    if data[0] != 0x10:
        assert [type(event) for event in events] == [Violated, Closed]


@settings(max_examples=examples(150), deadline=None)
@given(
    fields=st.fixed_dictionaries(
        {
            name: st.integers(0, 0xFFFF)
            for name in (
                "AckSequenceNumber",
                "RecoverableMsgAckSeqNumber",
                "UserMsgSequenceNumber",
                "RecoverableMsgSeqNumber",
                "WindowSize",
            )
        }
    ),
    flags=st.integers(0, 0xFFFFFFFF),
)
def test_any_session_header(fields: dict[str, int], flags: int) -> None:
    talk = Talk().opened()
    for message in KINDS:
        talk.send(message)
    header = mqmq.SessionHeader(**fields, RecoverableMsgAckFlags=flags)
    events = events_for(talk.client, mqqb.SessionAck(SessionHeader=header).encode())
    acknowledged = [event for event in events if not isinstance(event, (Violated, Closed))]
    assert len(acknowledged) <= len(KINDS)


@pytest.mark.long
def test_a_break_at_every_byte() -> None:
    """Wherever the connection breaks, everything arrives once, and transactional messages in their order."""
    ways: tuple[tuple[Any, int], ...] = (("->", len(said("->"))), ("<-", len(said("<-"))))
    for way, total in ways:
        for place in range(total):
            talk = Talk()
            for message in KINDS:
                talk.send(message)
            talk.connect()
            seen = 0
            for _ in range(60):
                if not talk.is_up or seen >= place:
                    break
                before = len(talk.flying[way])
                talk.arrive(way, min(before, place - seen))
                seen += min(before, place - seen)
                talk.arrive("<-" if way == "->" else "->")
                if not before:
                    talk.wait(0.5)
            if talk.is_up:
                talk.cut()
            talk.settle()
            assert talk.findings == []
            assert sorted(talk.bodies()) == [b"1", b"2", b"3", b"4"], (way, place)
            assert talk.client.waiting == 0


def test_a_message_before_the_session_is_open_is_not_waited_for() -> None:
    side, _ = ends("->")
    head = mqmq.UserMessage(
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=bytes(4_000_000))
    ).encode()[:16]
    broken, closed = events_for(side, head)
    assert broken.violation.requirement == "MQQB-3.1.5.8-01"
    assert closed.reason == "violated"


def test_a_packet_beyond_the_limit_is_not_waited_for() -> None:
    talk = Talk(Settings(packet_size=1000)).opened()
    packet = mqmq.UserMessage(MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=bytes(2000)))
    broken, _ = events_for(talk.server, packet.encode()[:16])
    assert broken.violation.requirement == "MQQB-3.1.5.1.3-01"


def test_a_flood_of_requests_for_acknowledgments() -> None:
    """A peer that wants acknowledgments and takes none fills a bounded table, over any number of sessions."""
    limit = 50
    server = QueueManager(SERVER, Settings(max_acknowledgments=limit))
    talk = Talk()
    asks = Message(QUEUE, bytes(1000), admin_queue=BACK, positive_arrival=True)
    for _ in range(500):
        talk.send(asks)
    reasons = []
    for _ in range(5):
        side = Acceptor(server)
        side.connected(START)
        talk.client.connected(START)
        for turn in range(4):
            events = side.receive(talk.client.data_to_send(), START)
            reasons += [event.reason for event in events if isinstance(event, Closed)]
            if turn < 2:
                talk.client.receive(side.data_to_send()[: 572 + 32], START)
        talk.client.disconnected(START)
        side.disconnected(START)
        talk.client.timeout(START)
    assert "acknowledgments are not taken" in reasons
    boxes = server.snapshot()["outboxes"]
    assert sum(len(box["table"]) for kept in boxes.values() for box in kept) <= limit + 64


def test_many_names_leave_bounded_traces() -> None:
    """Histories, sequences and outboxes of queue managers that appear once are forgotten in the end."""
    server = QueueManager(SERVER, Settings(history_size=100, max_acknowledgment_bytes=2000))
    for number in range(1200):
        guid = mw.GUID(number.to_bytes(16, "big"))
        side = Acceptor(server)
        side.connected(START)
        asking = mqqb.EstablishConnection(
            EstablishConnectionHeader=mqqb.EstablishConnectionHeader(ClientGuid=guid, ServerGuid=SERVER)
        )
        data = asking.encode() + mqqb.ConnectionParameters().encode()
        header = mqmq.UserHeader(
            SourceQueueManager=guid,
            QueueManagerAddress=SERVER,
            MessageID=1,
            DestinationQueue=mqmq.PrivateQueueFormatNameId(7),
            AdminQueue=mqmq.PrivateQueueFormatNameId(7),
            Flags=mqmq.UserHeaderFlags(DM=1),
        )
        message = mqmq.UserMessage(
            UserHeader=header,
            TransactionHeader=mqmq.TransactionHeader(TxSequenceID=mqmq.TxSequenceID(1, number)),
            MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
                Flags=mqmq.MessagePropertiesHeaderFlags(PA=1)
            ),
        )
        events = side.receive(data + message.encode(), START)
        assert not [event for event in events if isinstance(event, Violated)], events
        side.disconnected(START)
    memory = server.snapshot()
    assert len(memory["inboxes"]) <= 1024
    assert len(memory["history"]) <= 100
    assert len(memory["outboxes"]) <= 1024
    assert sum(box["acknowledgment_bytes"] for kept in memory["outboxes"].values() for box in kept) <= 10_000


@pytest.mark.parametrize("way", ["->", "<-"])
def test_silence_after_connecting(way: Any) -> None:
    side, _ = ends(way)
    side.data_to_send()
    due = side.next_timeout
    assert side.timeout(due - 1) == []
    (closed,) = side.timeout(due)
    assert closed.reason == "no answer"
    assert closed.retry == (way == "<-")


def test_silence_instead_of_acknowledgments() -> None:
    talk = Talk().opened()
    talk.send(KINDS[0])
    reasons: list[Any] = []
    for _ in range(2):  # the first one sees the handshake, and waits once more
        due = talk.client.next_timeout
        assert due is not None
        reasons += [event.reason for event in talk.client.timeout(due) if isinstance(event, Closed)]
    assert reasons == ["no acknowledgment"]
    assert talk.client.phase == "WAITING_RECONNECT"


@pytest.mark.parametrize(
    ("packet", "requirement"),
    [
        (mqqb.EstablishConnection(), "MQQB-3.1.5.3-01"),
        (mqqb.ConnectionParameters(), "MQQB-3.1.5.4-01"),
        (mqqb.SessionAck(SessionHeader=mqmq.SessionHeader(AckSequenceNumber=1)), "MQMQ-2.2.20.4-06"),
        (
            mqqb.SessionAck(SessionHeader=mqmq.SessionHeader(RecoverableMsgAckSeqNumber=1)),
            "MQMQ-2.2.20.4-08",
        ),
        (
            mqqb.SessionAck(
                SessionHeader=mqmq.SessionHeader(RecoverableMsgAckSeqNumber=1, RecoverableMsgAckFlags=3)
            ),
            "MQMQ-2.2.20.4-08",
        ),
        (mqqb.SessionAck(SessionHeader=mqmq.SessionHeader(UserMsgSequenceNumber=1)), "MQQB-3.1.5.5.5-01"),
        (mqqb.SessionAck(SessionHeader=mqmq.SessionHeader(RecoverableMsgSeqNumber=1)), "MQMQ-2.2.20.4-11"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_packet_that_may_not_come(packet: Any, requirement: str) -> None:
    talk = Talk().opened()
    broken, closed = events_for(talk.client, packet.encode())
    assert (broken.violation.requirement, closed.reason) == (requirement, "violated")
    assert _is_said_by_observer(talk, packet, broken.violation)


def _is_said_by_observer(talk: Talk, packet: Any, violation: Any) -> bool:
    """Return whether the session monitor, or `validate`, says the same of a packet of the server."""
    monitor = SessionMonitor(idle=True, one_connection=True, opener="->", routes=False)
    for way, earlier in talk.tape:
        assert monitor.feed(way, earlier) == ()
    said = [*monitor.feed("<-", packet), *mw.validate(packet)]
    facts = [(one.requirement, one.path, one.offset, one.allowed, one.message) for one in said]
    told = violation.requirement, violation.path, violation.offset, violation.allowed, violation.message
    return told in facts


@pytest.mark.parametrize("sent", [0, 1, 3])
@pytest.mark.parametrize("first", [0, 1, 4, 0xFFFF])
@pytest.mark.parametrize("flags", [0, 1, 2, 0b11111])
def test_what_is_stored_is_said_by_the_rules(sent: int, first: int, flags: int) -> None:
    """An endpoint is not as strict as an observer, but has no sentences of its own."""
    talk = Talk().opened()
    for _ in range(sent):
        talk.send(Message(QUEUE, recoverable=True))
    packet = mqqb.SessionAck(
        SessionHeader=mqmq.SessionHeader(
            AckSequenceNumber=sent, RecoverableMsgAckSeqNumber=first, RecoverableMsgAckFlags=flags
        )
    )
    for event in talk.client.receive(packet.encode(), START):
        if isinstance(event, Violated):
            assert _is_said_by_observer(talk, packet, event.violation)


@pytest.mark.parametrize("kind", ["EstablishConnection", "ConnectionParameters", "UserMessage", "SessionAck"])
@pytest.mark.parametrize("before", [0, 2, 4])
def test_a_packet_at_the_wrong_time_is_said_by_the_rules(kind: str, before: int) -> None:
    """To the server, after so many packets of the handshake."""
    packets: dict[str, Any] = {
        "EstablishConnection": mqqb.EstablishConnection(),
        "ConnectionParameters": mqqb.ConnectionParameters(),
        "UserMessage": mqmq.UserMessage(),
        "SessionAck": mqqb.SessionAck(),
    }
    monitor = SessionMonitor(idle=True, one_connection=True, opener="->")
    server = Acceptor(QueueManager(SERVER))
    server.connected(START)
    tape = Talk().opened().tape
    for way, packet in tape[:before]:
        assert monitor.feed(way, packet) == ()
        if way == "->":
            server.receive(packet.encode(), START)
    said = [(one.requirement, one.message) for one in monitor.feed("->", packets[kind])]
    events = server.receive(packets[kind].encode(), START)
    heard = [
        (event.violation.requirement, event.violation.message)
        for event in events
        if isinstance(event, Violated)
    ]
    awaited = {0: {"EstablishConnection"}, 2: {"ConnectionParameters"}, 4: {"UserMessage", "SessionAck"}}
    assert heard == said[: kind not in awaited[before]]


@pytest.mark.parametrize(
    ("sequence", "number", "requirement"), [(1, 1, "MQQB-2.2.4.1-01"), (0, 9, "MQQB-2.2.4.1-02")]
)
def test_an_order_ack_for_nothing(sequence: int, number: int, requirement: str) -> None:
    talk = Talk().opened()
    talk.send(KINDS[2])
    sent: Any = talk.tape[-1][1]
    identifier = sent.TransactionHeader.TxSequenceID
    body = mqqb.OrderAckBody(
        TxSequenceID=mw.replace(identifier, Ordinal=identifier.Ordinal + sequence), TxSequenceNumber=number
    )
    packet = mqqb.OrderAck(
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=SERVER,
            QueueManagerAddress=CLIENT,
            DestinationQueue=mqmq.PrivateQueueFormatNameId(4),
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Label="QM Ordering Ack\0", MessageClass=0xFF, MessageBody=body.encode()
        ),
    )
    broken, closed = events_for(talk.client, packet.encode())
    assert (broken.violation.requirement, closed.retry) == (requirement, True)
    assert talk.acknowledged(AcknowledgedBy.ORDER) == []
    newest = f"at most {sequence_of(identifier):#x} as a 64-bit number, the newest sent"
    assert broken.violation.allowed == (newest if sequence else "at most 1, the last sent")


def test_arguments_of_another_type() -> None:
    """One error of ours that says what was expected, before anything changes; 5 does not mean five zeros."""
    wrong: Any
    session = Talk().client
    session.connected(START)
    session.data_to_send()
    before = session.snapshot()
    for wrong in ("text", None, 5):
        with pytest.raises(TypeError, match="expected bytes, got"):
            session.receive(wrong, START)
    for wrong in (b"x", "text", mqqb.EstablishConnection()):
        with pytest.raises(TypeError, match="expected a Message or a packet that carries one, got"):
            session.send(wrong, START)
    for wrong in ("now", b"", [1]):
        for call in (
            lambda now: session.receive(b"", now),
            session.timeout,
            lambda now: session.send(KINDS[0], now),
        ):
            with pytest.raises(TypeError, match="expected a time in seconds, got"):
                call(wrong)
    assert session.snapshot() == before


def test_a_message_with_a_field_of_another_type() -> None:
    session = Talk().client
    for name, wrong, expected in (
        ("label", 5, "str"),
        ("recoverable", "yes", "bool"),
        ("body_type", "8", "int"),
    ):
        changed = replace(KINDS[0], **{name: wrong})
        with pytest.raises(mw.EncodeError) as caught:
            session.send(changed, START)
        said = f"expected {expected}, got {type(wrong).__name__} - at `Message.{name}`"
        assert str(caught.value) == said
        assert (caught.value.expected, caught.value.actual) == (expected, wrong)


@pytest.mark.parametrize(
    ("limits", "taken"),
    [
        *(({"max_acknowledgments": number}, number) for number in (1, 2, 3)),
        ({"max_acknowledgment_bytes": 2 * 128 - 1}, 2),
        ({"max_acknowledgment_bytes": 2 * 128}, 2),
        ({"max_acknowledgment_bytes": 2 * 128 + 1}, 3),
    ],
)
def test_messages_are_taken_while_there_is_room_for_acknowledgments(
    limits: dict[str, Any], taken: int
) -> None:
    """Until as many wait as the limit says, or as many bytes; one of these has 128."""
    talk = Talk(server=Settings(**limits)).opened()
    for _ in range(5):
        talk.send(Message(QUEUE, b"", admin_queue=BACK, positive_arrival=True))
    talk.arrive("->")
    events = talk.events["<-"]
    assert [event.reason for event in events if isinstance(event, Closed)] == [
        "acknowledgments are not taken"
    ]
    assert sum(isinstance(event, Received) for event in events) == taken


def _pair(ours: Settings | None = None, theirs: Settings | None = None) -> tuple[Initiator, Acceptor]:
    """Two sides of an open session."""
    first = Initiator(QueueManager(CLIENT, ours), address="10.0.0.1")
    second = Acceptor(QueueManager(SERVER, theirs), address="10.0.0.9")
    _connect(first, second, START)
    return first, second


def _connect(first: Any, second: Any, now: float) -> None:
    first.connected(now)
    second.connected(now)
    for _ in range(3):
        second.receive(first.data_to_send(), now)
        first.receive(second.data_to_send(), now)


def test_a_traced_message_whose_queue_has_a_lone_surrogate() -> None:
    """Its report has the name, as it was on the wire."""
    queue = mqmq.DirectQueueFormatName(DirectFormatName="OS:\ud800\\private$\\a\0")
    packet = mqmq.UserMessage(
        BaseHeader=mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(TR=1)),
        UserHeader=mqmq.UserHeader(SourceQueueManager=CLIENT, MessageID=1, DestinationQueue=queue),
        DebugHeader=mqmq.DebugHeader(QueueIdentifier=CLIENT),
    )
    _, acceptor = _pair()
    events = acceptor.receive(mw.encode(packet), START)
    assert any(isinstance(event, Received) for event in events)
    sender = Initiator(QueueManager(CLIENT), address="\ud800")
    other = Acceptor(QueueManager(SERVER))
    _connect(sender, other, START)
    sender.send(Message(QUEUE, b"x", trace=str(CLIENT)), START)
    assert any(isinstance(event, Received) for event in other.receive(sender.data_to_send(), START))


def test_negative_final_acks_do_not_multiply_what_waits() -> None:
    """A window of one keeps all but one message waiting, whatever is acknowledged."""
    count = 60
    wide = Settings(window=0xFFFF)
    first, _ = _pair(wide, wide)
    for _ in range(count):
        first.send(Message(QUEUE, b"x", transactional=True, journal=True), START)
    messages: list[Any] = mw.PacketStream().feed(first.data_to_send())
    narrow = mqmq.SessionHeader(AckSequenceNumber=count, RecoverableMsgAckSeqNumber=count, WindowSize=1)
    first.receive(mqqb.SessionAck(SessionHeader=narrow).encode(), START)
    for message in messages[::-1]:
        order = message.TransactionHeader
        body = mqqb.FinalAckBody(
            TxSequenceID=order.TxSequenceID,
            TxSequenceNumber=order.TxSequenceNumber,
            TxPreviousSequenceNumber=order.PreviousTxSequenceNumber,
            SourceGUID=CLIENT,
            MessageID=message.UserHeader.MessageID,
        )
        header = mqmq.UserHeader(
            SourceQueueManager=SERVER,
            QueueManagerAddress=CLIENT,
            DestinationQueue=f"PRIVATE={CLIENT}\\00000004",
        )
        properties = mqmq.MessagePropertiesHeader(
            Label="QM Ordering Ack\0", MessageClass=0xC001, MessageBody=body.encode()
        )
        answer = mqqb.FinalAck(UserHeader=header, MessagePropertiesHeader=properties)
        first.receive(answer.encode(), START)
        waiting = first.snapshot()["waiting"]
        assert len(waiting) == len(set(waiting)) <= count


def test_fewer_intervals_after_a_restart() -> None:
    ours = QueueManager(CLIENT)
    first = Initiator(ours, address="10.0.0.1")
    _connect(first, Acceptor(QueueManager(SERVER)), START)
    first.send(Message(QUEUE, b"x", transactional=True), START)
    first.data_to_send()
    now = START
    for _ in range(5):
        now += 35
        session_ack = mqqb.SessionAck(SessionHeader=mqmq.SessionHeader(WindowSize=64))
        first.receive(session_ack.encode(), now)
        first.timeout(now)
    manager = QueueManager.restore(ours.snapshot(), Settings(resend=(60.0,)))
    again = Initiator.restore(first.snapshot(), manager)
    again.disconnected(2 * START)
    other = Acceptor(QueueManager(SERVER))
    _connect(again, other, 2 * START)
    assert again.waiting == 1


def test_a_history_shorter_than_the_precision_of_the_time() -> None:
    theirs = QueueManager(SERVER, Settings(history=1e-8))
    first, second = Initiator(QueueManager(CLIENT), address="10.0.0.1"), Acceptor(theirs)
    _connect(first, second, 1e9)
    first.send(Message(QUEUE, b"x"), 1e9)
    second.receive(first.data_to_send(), 1e9)
    second.timeout(1e9 + 1)
    assert theirs.snapshot()["history"] == {}


@pytest.mark.parametrize("number", [0, 5])
def test_a_packet_that_cannot_be_read_is_not_sent(number: int) -> None:
    """A session reads what it has stored; the bytes of such a packet are sent without one."""
    first, _ = _pair()
    fields = {
        "BaseHeader.PacketSize": 2000,
        "UserHeader.SourceQueueManager": CLIENT,
        "UserHeader.MessageID": number,
    }
    with pytest.raises(mw.EncodeError, match="cannot be read from its bytes") as caught:
        first.send(mw.replace(mqmq.UserMessage.of(MessageBody=b"x"), fields), START)
    assert caught.value.path == "UserMessage.BaseHeader.PacketSize"
    assert first.waiting == 0


def _judge_with(judgment: Any) -> Any:
    return lambda _: judgment


def test_results_and_addresses_that_are_none() -> None:
    judgments: list[Any] = [70_000, -2, "x", 1.5, True, False, 0, 2, 0x4000, 0xFFFF]
    for judgment in judgments:
        manager = QueueManager(SERVER, judge=_judge_with(judgment))
        first, second = Initiator(QueueManager(CLIENT), address="10.0.0.1"), Acceptor(manager)
        _connect(first, second, START)
        first.send(Message(QUEUE, b"x"), START)
        with pytest.raises(mw.MsmqWireError, match=r"the result of judge.* NO_ROOM or a negative"):
            second.receive(first.data_to_send(), START)
        second.disconnected(START)
        first.disconnected(START)
        judged: list[mqmq.UserMessage] = []
        manager.judge = judged.append
        _connect(first, Acceptor(manager), START)
        assert len(judged) == 1
    with pytest.raises(mw.MsmqWireError, match="address has 70000 characters, not at most 255"):
        Acceptor(QueueManager(SERVER), address="x" * 70_000)
