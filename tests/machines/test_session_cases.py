"""What both halves of a session make of each value of a header, and of each wish of a message."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from support_talk import BACK, CLIENT, QUEUE, SERVER, START, Talk

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire.machines.session.acknowledgments import final_ack
from msmq_wire.machines.session.message import PacketTemplateCache
from msmq_wire.packets.stream import PacketStream
from msmq_wire.session import (
    Acknowledged,
    AcknowledgedBy,
    Closed,
    Connect,
    Elsewhere,
    Expired,
    Initiator,
    Message,
    QueueManager,
    Received,
    Rejected,
    Settings,
    Violated,
)
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES

THIRD = mw.GUID(bytes([3]) * 16)
MANY = (1 << 32) - 1


def of(events: list[Any], kind: type) -> list[Any]:
    return [event for event in events if type(event) is kind]


def events_for_ack(talk: Talk, **fields: int) -> list[Any]:
    """Events of the client for a SessionAck with these fields."""
    header = mqmq.SessionHeader(**{"WindowSize": 64, **fields})
    return talk.client.receive(mqqb.SessionAck(SessionHeader=header).encode(), talk.now)


def packet(**fields: Any) -> mqmq.UserMessage:
    """A message of the client for the server, with other fields of its UserHeader."""
    header = {
        "SourceQueueManager": CLIENT,
        "QueueManagerAddress": SERVER,
        "DestinationQueue": mqmq.PrivateQueueFormatNameId(7),
    }
    return mqmq.UserMessage(UserHeader=mqmq.UserHeader(**{**header, **fields}))


# ----------------------------------------------------------------------------------------------- session acks


@pytest.mark.parametrize(
    ("first", "flags", "stored"),
    [
        (1, 0, [1]), (2, 0, [1, 2]), (4, 0, [1, 2, 3, 4]), (1, 0b1, [1]), (1, 0b10, [1, 2]),
        (3, 0b1, [1, 2, 3]), (2, 0b101, [1, 2, 4]), (1, 0b1010, [1, 2, 4]), (0, 0b10, [1]),
        (0, 0b10100, [2, 4]),
    ],
)  # fmt: skip
def test_which_messages_are_stored(first: int, flags: int, stored: list[int]) -> None:
    """All up to the first, and those whose bit says so, counted from it ([MS-MQMQ] 2.2.20.4)."""
    talk = Talk().opened()
    tokens = [talk.send(Message(QUEUE, recoverable=True)) for _ in range(4)]
    events = events_for_ack(
        talk, AckSequenceNumber=4, RecoverableMsgAckSeqNumber=first, RecoverableMsgAckFlags=flags
    )
    assert [event.token for event in events] == [tokens[number - 1] for number in stored]
    assert {event.kind for event in events} == {AcknowledgedBy.STORED}
    assert talk.client.waiting == 4 - len(stored)
    again = events_for_ack(
        talk, AckSequenceNumber=4, RecoverableMsgAckSeqNumber=first, RecoverableMsgAckFlags=flags
    )
    assert again == []  # the same is no violation, and acknowledges nothing twice
    rest = events_for_ack(talk, AckSequenceNumber=4, RecoverableMsgAckSeqNumber=4)
    assert len(events) + len(rest) == 4


@pytest.mark.parametrize(
    ("first", "flags", "requirement"),
    [
        (2, 0, None), (3, 0, "MQMQ-2.2.20.4-07"), (2, 0b1, None), (2, 0b10, "MQMQ-2.2.20.4-09"),
        (1, 0b10, None), (1, 0b100, "MQMQ-2.2.20.4-09"), (3, 0b1, "MQMQ-2.2.20.4-07"),
    ],
)  # fmt: skip
def test_no_more_are_stored_than_were_sent(first: int, flags: int, requirement: str | None) -> None:
    """Of two; the number is wrong by itself, or only a bit is."""
    talk = Talk().opened()
    for _ in range(2):
        talk.send(Message(QUEUE, recoverable=True))
    events = events_for_ack(
        talk, AckSequenceNumber=2, RecoverableMsgAckSeqNumber=first, RecoverableMsgAckFlags=flags
    )
    violations = [event.violation.requirement for event in of(events, Violated)]
    assert violations == ([] if requirement is None else [requirement])


@pytest.mark.parametrize(("count", "kept"), [(0, 2), (1, 1), (2, 0), (3, None)])
def test_how_many_messages_arrived(count: int, kept: int | None) -> None:
    """Of two that are not recoverable; more than were sent cannot have."""
    talk = Talk().opened()
    tokens = [talk.send(Message(QUEUE)) for _ in range(2)]
    events = events_for_ack(talk, AckSequenceNumber=count)
    if kept is None:
        assert [event.violation.requirement for event in of(events, Violated)] == ["MQMQ-2.2.20.4-06"]
        return
    assert [event.token for event in events] == tokens[:count]
    assert (talk.client.waiting, talk.client.unacknowledged) == (kept, kept)


def test_a_message_that_arrived_and_is_not_stored_is_waited_for() -> None:
    """As long as the one that did not arrive: the Session Ack Wait Timer of [MS-MQQB] 3.1.2.4 goes on."""
    talk = Talk().opened()
    talk.send(Message(QUEUE, recoverable=True))
    assert events_for_ack(talk, AckSequenceNumber=1) == []
    assert talk.client.unacknowledged == 0
    assert talk.client.timeout(START + 20) == []
    (closed,) = talk.client.timeout(START + 40)
    assert (closed.reason, closed.retry) == ("no acknowledgment", True)  # type: ignore[union-attr]  # Closed
    talk = Talk().opened()
    talk.send(Message(QUEUE, recoverable=True))
    events_for_ack(talk, AckSequenceNumber=1, RecoverableMsgAckSeqNumber=1)
    assert talk.client.snapshot()["state"]["timers"].keys() == {"cleanup"}
    assert talk.client.timeout(START + 40) == []


@pytest.mark.parametrize(("window", "flying"), [(0, 1), (1, 1), (2, 2), (3, 3), (5, 4)])
def test_no_more_are_under_way_than_the_other_side_wants(window: int, flying: int) -> None:
    """One, if it wants none: that is how it would tell that it wants more."""
    talk = Talk(Settings(window=4)).opened()
    events_for_ack(talk, WindowSize=window)
    for _ in range(8):
        talk.send(Message(QUEUE))
    assert talk.client.unacknowledged == flying


@pytest.mark.parametrize(
    ("ours", "theirs", "enough"), [(1, 64, 1), (2, 64, 1), (3, 64, 2), (64, 7, 4), (7, 64, 4), (8, 64, 4)]
)
def test_half_of_the_smaller_window_is_acknowledged(ours: int, theirs: int, enough: int) -> None:
    talk = Talk(Settings(window=theirs), Settings(window=ours)).opened()
    for number in range(1, enough + 1):
        assert talk.packets("<-", mqqb.SessionAck) == []
        talk.send(Message(QUEUE, b"%d" % number))
        talk.arrive("->")
    (ack,) = talk.packets("<-", mqqb.SessionAck)
    assert ack.SessionHeader.AckSequenceNumber == enough


def test_what_an_acknowledgment_states() -> None:
    """Counts of both directions, and a window of one while the queue is on hold ([MS-MQQB] 3.1.7.13)."""
    talk = Talk(server=Settings(window=9)).opened()
    server = talk.side("<-")
    for recoverable in (False, True, False):
        talk.send(Message(QUEUE, recoverable=recoverable))
    talk.arrive("->")
    for recoverable in (True, False):
        talk.send(Message(BACK, recoverable=recoverable), "<-")
    talk.wait(0.5)
    server.pause(talk.now)
    talk.send(Message(QUEUE))
    talk.arrive("->")
    talk.wait(10)
    server.resume(talk.now)
    talk.send(Message(QUEUE, recoverable=True))
    talk.arrive("->")
    talk.wait(1)
    fields = ("AckSequenceNumber", "RecoverableMsgAckSeqNumber", "RecoverableMsgAckFlags",
              "UserMsgSequenceNumber", "RecoverableMsgSeqNumber", "WindowSize")  # fmt: skip
    found = [
        tuple(getattr(ack.SessionHeader, field) for field in fields)
        for ack in talk.packets("<-", mqqb.SessionAck)
    ]
    assert found == [(3, 1, 1, 2, 1, 9), (3, 0, 0, 2, 1, 1), (4, 0, 0, 2, 1, 1), (5, 2, 1, 2, 1, 9)]


@pytest.mark.parametrize("counted", [False, True])
def test_a_session_header_that_comes_byte_by_byte(counted: bool) -> None:
    """It is waited for behind the packet, unless the BaseHeader of another packet is there."""
    message = packet()
    first, second = mw.replace(message, SessionHeader=mqmq.SessionHeader()).encode(), message.encode()
    if counted:
        first = first[:8] + len(first).to_bytes(4, "little") + first[12:]
    stream = PacketStream(1 << 20, strict=True)
    received = [
        (at + 1, packet.encode())
        for at, byte in enumerate(first + second)
        for packet in stream.feed(bytes([byte]))
    ]
    decided = len(first) + (16 if counted else 0)
    assert received == [(decided, first), (len(first) + len(second), second)]


@pytest.mark.parametrize("kind", [0, 4, 15])
def test_a_packet_of_a_type_that_is_none(kind: int) -> None:
    raw = bytearray(mqqb.ConnectionParameters().encode())
    raw[18] = raw[18] & 0xF0 | kind  # PT of the InternalHeader ([MS-MQQB] 2.2.1)
    events = Talk().opened().side("<-").receive(raw, START)
    assert [event.violation.requirement for event in of(events, Violated)] == ["MQQB-2.2.1-04"]


@pytest.mark.parametrize(("at", "value"), [(0, 0x11), (4, 0), (8, 15), (18, 5)])
def test_bytes_that_are_no_packet_are_told_as_by_a_monitor(at: int, value: int) -> None:
    """Another version, signature, size, and type."""
    raw = bytearray(mqqb.ConnectionParameters().encode())
    raw[at] = value
    (event,) = of(Talk().opened().side("<-").receive(raw, START), Violated)
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(raw)
    (violation,) = mw.SessionMonitor().unreadable("->", caught.value)
    assert event.violation.requirement == violation.requirement


def test_a_signature_that_is_cut_off_is_not_that_of_the_packet() -> None:
    """BaseHeader.Signature is in order; it is a size that is wrong ([MS-MQQB] 3.1.5.1.3)."""
    data = mqmq.SecurityData(Signature=bytes(16))
    raw = bytearray(mw.replace(packet(), SecurityHeader=mqmq.SecurityHeader(SecurityData=data)).encode())
    at = raw.index(b"\x10\0", raw.index(bytes(16), 76) - 16)
    raw[at : at + 2] = b"\xf0\xff"  # SignatureSize
    events = Talk().opened().side("<-").receive(raw, START)
    (event,) = of(events, Violated)
    assert "SecurityData.Signature" in event.violation.message
    assert event.violation.requirement == "MQQB-3.1.5.1.3-01"


# ----------------------------------------------------------------------------------------------- what is kept


@pytest.mark.parametrize("wish", ["", "journal", "dead_letter", "final_ack"])
@pytest.mark.parametrize("ready", [False, True])
def test_what_waits_for_a_final_acknowledgment(wish: str, ready: bool) -> None:
    """Each of JP, JN and FA by itself; the OrderAck is the end of a message without them (3.1.5.6)."""
    talk = Talk().opened()
    message: Any = Message(QUEUE, transactional=True, **dict.fromkeys({wish} - {""}, True))  # type: ignore[arg-type]  # each is a flag
    if ready:
        message = PacketTemplateCache(CLIENT).packet(message, SERVER, 0, int(START))
    token = talk.send(message)
    talk.arrive("->")
    talk.wait(0.5)
    talk.arrive("<-")
    (event,) = of(talk.events["->"], Acknowledged)
    assert event == Acknowledged(token, AcknowledgedBy.ORDER, 0, done=not wish, journal="")
    assert talk.client.transfer.EodNoReadCount == bool(wish)
    assert talk.consume()
    talk.arrive("<-")
    finals = [one for one in of(talk.events["->"], Acknowledged) if one.kind is AcknowledgedBy.FINAL]
    assert [one.journal for one in finals] == ({"": [], "journal": ["journal"]}.get(wish, [""]))


@pytest.mark.parametrize("journal", [False, True])
@pytest.mark.parametrize("recoverable", [False, True])
@pytest.mark.parametrize("ready", [False, True])
def test_what_was_delivered_is_kept_if_the_message_says_so(
    journal: bool, recoverable: bool, ready: bool
) -> None:
    """Of a packet as of a message; nothing is kept twice ([MS-MQQB] 3.1.5.5.4)."""
    talk = Talk().opened()
    message: Any = Message(QUEUE, journal=journal, dead_letter=True, recoverable=recoverable)
    if ready:
        message = PacketTemplateCache(CLIENT).packet(message, SERVER, 0, int(START))
    token = talk.send(message)
    talk.settle()
    kind = AcknowledgedBy.STORED if recoverable else AcknowledgedBy.SESSION
    kept = "journal" if journal else ""
    assert of(talk.events["->"], Acknowledged) == [Acknowledged(token, kind, 0, done=True, journal=kept)]  # type: ignore[arg-type]  # one of two
    box = talk.client.snapshot()["box"]
    assert (box["acknowledgments"], box["acknowledgment_bytes"]) == (0, 0)  # the message is not one


@pytest.mark.parametrize("journal", [False, True])
@pytest.mark.parametrize("dead_letter", [False, True])
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("ordered", [False, True])
def test_where_a_message_goes_in_the_end(
    journal: bool, dead_letter: bool, positive: bool, ordered: bool
) -> None:
    """By its FinalAck, whether an OrderAck came before or not ([MS-MQQB] 3.1.5.7)."""
    talk = Talk().opened()
    token = talk.send(
        Message(QUEUE, transactional=True, journal=journal, dead_letter=dead_letter, final_ack=True)
    )
    talk.arrive("->")
    if ordered:
        talk.wait(0.5)
        talk.arrive("<-")
    (sent,) = talk.packets("->", mqmq.UserMessage)
    kind = (
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_RECEIVE
        if positive
        else MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_PURGED
    )
    answer = final_ack(sent, sent.TransactionHeader, kind, SERVER, "", 9, int(START), None)
    events = talk.client.receive(answer.encode(), talk.now)
    kept = (
        ("journal" if journal else "") if positive else ("transactional dead-letter" if dead_letter else "")
    )
    assert events == [Acknowledged(token, AcknowledgedBy.FINAL, kind, done=True, journal=kept)]  # type: ignore[arg-type]  # one of three
    assert talk.client.waiting == 0
    assert talk.client.receive(answer.encode(), talk.now) == []  # it is known no more


@pytest.mark.parametrize(
    "change",
    [
        {"TxSequenceNumber": 2},
        {"TxSequenceID": mqmq.TxSequenceID(1, 1)},
        {"SourceGUID": SERVER},
        {"MessageID": 99},
    ],
    ids=str,
)
def test_a_final_acknowledgment_of_another_message(change: dict[str, Any]) -> None:
    """Of another number, sequence or sender: it says nothing of this one."""
    talk = Talk().opened()
    talk.send(Message(QUEUE, transactional=True, final_ack=True))
    (sent,) = talk.packets("->", mqmq.UserMessage)
    answer = final_ack(sent, sent.TransactionHeader, 0x4000, SERVER, "", 9, int(START), None)
    body = mqqb.FinalAckBody.decode(answer.MessagePropertiesHeader.MessageBody)
    properties = mw.replace(answer.MessagePropertiesHeader, MessageBody=mw.replace(body, **change).encode())
    assert talk.client.receive(mw.replace(answer, MessagePropertiesHeader=properties).encode(), START) == []
    assert talk.client.waiting == 1


def test_a_message_that_is_too_late_holds_no_other_up() -> None:
    """It is reported at once, and the next one is sent ([MS-MQQB] 3.1.7.1.2)."""
    talk = Talk()
    first, _ = (
        talk.send(Message(QUEUE, body, reach_queue=lasts)) for body, lasts in ((b"1", 10), (b"2", 90))
    )
    talk.now += 11
    talk.opened()
    assert [one.MessagePropertiesHeader.MessageBody for one in talk.packets("->", mqmq.UserMessage)] == [b"2"]
    assert talk.client.next_timeout == talk.now
    (event,) = of(talk.client.timeout(talk.now), Expired)
    assert event.token == first


@pytest.mark.parametrize("stated", [0, 77, int(START) - 5])
def test_when_a_packet_without_a_number_was_sent(stated: int) -> None:
    """As it states itself; now, if it states nothing."""
    talk = Talk().opened()
    talk.now += 3
    talk.send(packet(SentTime=stated))
    (sent,) = talk.packets("->", mqmq.UserMessage)
    assert sent.UserHeader.MessageID == 1
    assert sent.UserHeader.SentTime == (stated or START + 3)


def test_a_packet_that_had_a_session_header_goes_without() -> None:
    """It was of another session."""
    talk = Talk().opened()
    talk.send(mw.replace(packet(), SessionHeader=mqmq.SessionHeader(AckSequenceNumber=5)))
    (sent,) = talk.packets("->", mqmq.UserMessage)
    assert sent.SessionHeader is None
    assert sent.BaseHeader.Flags.SH == 0


def test_packets_of_others_keep_their_place() -> None:
    """A message that is passed on is in no sequence of this queue manager, and keeps its number."""
    talk = Talk().opened()
    place = mqmq.TransactionHeader(
        TxSequenceID=mqmq.TxSequenceID(4, 5), TxSequenceNumber=6, PreviousTxSequenceNumber=3
    )
    theirs = mw.replace(packet(SourceQueueManager=THIRD, MessageID=8), TransactionHeader=place)
    assert talk.send(theirs) == 1
    (sent,) = talk.packets("->", mqmq.UserMessage)
    assert (sent.TransactionHeader, sent.UserHeader.MessageID) == (place, 8)
    assert talk.client.transfer.EodNextSeq.SeqNo == 1


# ----------------------------------------------------------------------------------------------- receiving


@pytest.mark.parametrize(("hops", "taken"), [(0, True), (1, True), (0x1C, True), (0x1D, False)])
def test_how_often_a_message_is_passed_on(hops: int, taken: bool) -> None:
    """RC is 0x1D at most ([MS-MQMQ] 2.2.19.2)."""
    talk = Talk().opened()
    flags = mqmq.UserHeaderFlags(RC=hops)
    talk.send(packet(SourceQueueManager=THIRD, QueueManagerAddress=THIRD, MessageID=1, Flags=flags))
    talk.arrive("->")
    assert [event.message.UserHeader.Flags.RC for event in of(talk.events["<-"], Received)] == (
        [hops + 1] if taken else []
    )
    assert len(of(talk.events["<-"], Rejected)) == (not taken)


@pytest.mark.parametrize(
    "kind",
    [
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA,
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_ACCESS_DENIED,
    ],
)
@pytest.mark.parametrize("dead_letter", [False, True])
@pytest.mark.parametrize("transactional", [False, True])
def test_where_a_rejected_message_goes(kind: int, dead_letter: bool, transactional: bool) -> None:
    """To the dead-letter queue of the receiver if its queue is full ([MS-MQQB] 3.1.5.8.2)."""
    talk = Talk().opened()
    talk.managers["<-"].judge = lambda _: kind
    talk.send(Message(QUEUE, dead_letter=dead_letter, transactional=transactional))
    talk.arrive("->")
    (event,) = of(talk.events["<-"], Rejected)
    full = kind == MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA
    assert (event.message_class, event.journal) == (
        kind,
        "dead-letter" if full and dead_letter and not transactional else "",
    )


def test_rejected_messages_of_a_sequence_are_counted() -> None:
    """Until one is accepted ([MS-MQQB] 3.1.5.8.6); duplicates count too."""
    talk = Talk().opened()
    numbers = [(3, 2), (2, 1), (1, 0), (1, 0), (4, 3), (2, 1)]
    counts = []
    for identifier, (number, previous) in enumerate(numbers, 1):
        place = mqmq.TransactionHeader(
            TxSequenceID=mqmq.TxSequenceID(1, 1), TxSequenceNumber=number, PreviousTxSequenceNumber=previous
        )
        sent = mw.replace(packet(MessageID=identifier), TransactionHeader=place)
        events = talk.side("<-").receive(sent.encode(), talk.now)
        found = [getattr(event, "rejects", None) for event in events]
        (known,) = talk.managers["<-"].incoming_transfers or (None,)
        counts.append((found, known and known.RejectCount))
    assert counts == [([1], None), ([2], None), ([None], 0), ([None], 1), ([2], 2), ([None], 0)]


def test_whether_an_administration_acknowledgment_is_the_last_one() -> None:
    """Not while the message waits for its OrderAck or FinalAck."""
    talk = Talk(server=Settings(order_ack=5)).opened()
    asks = Message(QUEUE, transactional=True, journal=True, admin_queue=BACK, positive_arrival=True)
    token = talk.send(replace(asks, positive_receive=True))
    for seconds in (0.0, 5.0):
        talk.arrive("->")
        talk.wait(seconds)
        talk.arrive("<-")
    talk.consume()
    talk.arrive("<-")
    found = [(one.kind, one.done) for one in of(talk.events["->"], Acknowledged) if one.token == token]
    named = AcknowledgedBy.ADMINISTRATION
    assert found == [
        (named, False), (AcknowledgedBy.ORDER, False), (named, False), (AcknowledgedBy.FINAL, True)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("address", "host", "here"),
    [
        ("10.0.0.9", "10.0.0.9", True),
        ("Host", "hOST", True),
        ("10.0.0.9", "10.0.0.8", False),
        ("", "x", True),
    ],
)
def test_an_acknowledgment_for_the_other_side_goes_over_the_session(
    address: str, host: str, here: bool
) -> None:
    """If its address is that of the other side, or that is not known; letters may be small or large."""
    session = Initiator(QueueManager(CLIENT), remote=SERVER, address=address)
    asked = packet(AdminQueue=f"DIRECT=OS:{host}\\admin", SourceQueueManager=SERVER)
    flags = mqmq.MessagePropertiesHeaderFlags(PR=1)
    asked = mw.replace(asked, MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Flags=flags))
    events = session.consumed(asked, START)
    assert (len(of(events, Elsewhere)), session.waiting) == (0 if here else 1, 1 if here else 0)


@pytest.mark.parametrize("phase", ["new", "opening", "open", "waiting", "closed"])
@pytest.mark.parametrize("paused", [False, True])
def test_who_asks_for_a_connection(phase: str, paused: bool) -> None:
    """Who has messages and no connection; if the queue is on hold, when it goes on."""
    talk = Talk()
    if phase == "opening":
        talk.connect()
    elif phase != "new":
        talk.opened()
    if phase == "waiting":
        talk.send(Message(QUEUE))
        talk.cut()
    elif phase == "closed":
        talk.cut()
    if paused:
        talk.client.pause(talk.now)
    talk.client.send(Message(QUEUE), talk.now)
    wanted = {"new": 0.0, "closed": 0.0, "waiting": 5.0}.get(phase)
    due = talk.client.snapshot()["state"]["timers"].get("retry")
    if phase == "waiting":
        assert due == START + 5.0  # since the break
    elif wanted is None or paused:
        assert due is None
    else:
        assert due == START + wanted
    talk.client.resume(talk.now)
    assert talk.client.snapshot()["state"]["timers"].get("retry") == (
        None if wanted is None else START + wanted
    )
    if wanted is not None:
        (event,) = talk.client.timeout(START + wanted)
        assert event == Connect(again=phase != "new", ping=False)


@pytest.mark.parametrize(("booted", "stamp"), [(0.0, 3_487_918_080), (START - 1.5, 1500), (START, 0)])
def test_the_time_stamp_of_a_request(booted: float, stamp: int) -> None:
    """Milliseconds since the system started, as many as 32 bits hold ([MS-MQQB] 2.2.3.1)."""
    session = Initiator(QueueManager(CLIENT, booted=booted), remote=SERVER)
    session.connected(START)
    request: Any = mw.decode(session.data_to_send())
    assert request.EstablishConnectionHeader.TimeStamp == stamp


def test_the_first_sequence_is_newer_than_none() -> None:
    """Also in the first second of 1970."""
    assert QueueManager(CLIENT).next_sequence(0.0) == 1 << 32 | 1


def test_the_end_of_a_session_says_how_many_messages_wait() -> None:
    """And that it is tried again, if one does."""
    for count in (0, 1, 2):
        talk = Talk().opened()
        for _ in range(count):
            talk.send(Message(QUEUE))
        assert talk.client.disconnected(talk.now) == [Closed("disconnected", count, retry=count > 0)]
        assert talk.client.phase == ("WAITING_RECONNECT" if count else "CLOSED")


def test_classes_with_which_a_message_leaves_its_queue() -> None:
    """A FinalAck of another class would be a message of an application, [MS-MQQB] 3.1.5.1.1."""
    session = Initiator(QueueManager(CLIENT))
    for number in (0x4000, 0x8000, 0x80FF, 0xC000, 0xC0FF):
        assert session.consumed(packet(), START, number) == []
    for number in (-1, 0, 2, 0x4001, 0x7FFF, 0x8100, 0xE000, 0xFFFF, 0x18000):
        with pytest.raises(mw.MsmqWireError, match=rf"^message_class is {number}, not ACK_RECEIVE or a neg"):
            session.consumed(packet(), START, number)


def test_nothing_is_sent_again_before_anything_was_sent() -> None:
    progress = Initiator(QueueManager(CLIENT)).transfer
    assert (progress.EodResendTime, progress.EodLastAckTime, progress.EodResendCount) == (0, 0, 0)
    assert (progress.EodNoAckCount, progress.EodNoReadCount) == (0, 0)
