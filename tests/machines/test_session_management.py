"""What management may ask: ConnectionHistory, State, and how far transactional messages are."""

from __future__ import annotations

import json

import pytest
from support_talk import CLIENT, QUEUE, SERVER, START, Talk

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire.checks.sessions import state as monitored
from msmq_wire.machines.session import state
from msmq_wire.machines.session.management import GENERIC_ERROR, outgoing_transfer
from msmq_wire.machines.session.state import Entry, Outbox
from msmq_wire.packets.stream import PacketStream
from msmq_wire.session import Acceptor, Initiator, Message, QueueManager, Settings, Violated


def statuses(session: Initiator) -> list[str]:
    return [attempt.status for attempt in session.connection_history]


def test_a_session_that_opens() -> None:
    talk = Talk(remote=SERVER, address="10.0.0.1").opened()
    assert statuses(talk.client) == ["InProcess", "EstablishPacketReceived", "Established"]
    assert {attempt.error for attempt in talk.client.connection_history} == {0}
    assert {attempt.address for attempt in talk.client.connection_history} == {"10.0.0.1"}
    assert [attempt.at for attempt in talk.client.connection_history] == [START] * 3


def test_attempts_that_fail() -> None:
    session = Initiator(QueueManager(CLIENT), remote=SERVER)
    session.send(Message(QUEUE), START)
    session.disconnected(START, "PingFailure", 0xC00E0023)
    session.disconnected(START + 1)
    session.connected(START + 2)
    session.disconnected(START + 3)
    session.connected(START + 4)
    refusal = mqqb.EstablishConnection(
        InternalHeader=mqqb.InternalHeader(Flags=mqqb.InternalHeaderFlags(PT=2, CS=1))
    )
    session.receive(refusal.encode(), START + 5)
    assert [(one.status, one.error) for one in session.connection_history] == [
        ("PingFailure", 0xC00E0023),
        ("SocketConnectFailure", GENERIC_ERROR),
        ("InProcess", 0),
        ("UnknownFailure", GENERIC_ERROR),
        ("InProcess", 0),
        ("ConnectionRefused", GENERIC_ERROR),
    ]
    again = Initiator.restore(json.loads(json.dumps(session.snapshot())), QueueManager(CLIENT))
    assert again.connection_history == session.connection_history
    with pytest.raises(ValueError, match="'Nonsense', not one of"):
        session.disconnected(START + 6, "Nonsense")  # type: ignore[arg-type]  # what has no such value


def test_attempts_are_bounded() -> None:
    session = Initiator(QueueManager(CLIENT), remote=SERVER)
    for moment in range(3 * 64):
        session.disconnected(START + moment)
    assert [attempt.at - START for attempt in session.connection_history] == [*range(2 * 64, 3 * 64)]


def test_states_of_the_outgoing_queue() -> None:
    talk = Talk()
    states = [talk.client.queue_state]
    talk.send(Message(QUEUE))
    states.append(talk.client.queue_state)
    talk.connect()
    states.append(talk.client.queue_state)
    for _ in range(2):
        talk.arrive("->")
        talk.arrive("<-")
    states.append(talk.client.queue_state)
    talk.client.pause(talk.now)
    states.append(talk.client.queue_state)
    talk.client.resume(talk.now)
    talk.settle()
    talk.client.close(talk.now)
    talk.client.data_to_send()
    states.append(talk.client.queue_state)
    assert states == ["Inactive", "Waiting", "Waiting", "Connected", "OnHold", "Disconnected"]


def test_what_a_closed_session_still_has_to_say() -> None:
    session = Acceptor(QueueManager(SERVER, Settings(max_sessions=0)))
    session.connected(START)
    asked = mqqb.EstablishConnection(
        EstablishConnectionHeader=mqqb.EstablishConnectionHeader(ClientGuid=CLIENT, ServerGuid=SERVER)
    )
    session.receive(asked.encode(), START)
    states = [session.queue_state]
    assert session.data_to_send()
    states.append(session.queue_state)
    assert states == ["Disconnecting", "Disconnected"]


def test_messages_of_two_sequences_wait() -> None:
    box = Outbox({1: Entry(b"", sequence=7, number=2), 2: Entry(b"", sequence=1 << 63, number=1)})
    found = outgoing_transfer(box, (1, 2, 3), (30.0,), 0)
    assert found.EodFirstNonAck == mqmq.SEQUENCE_INFO(SeqID=7, SeqNo=2, PrevNo=1)
    assert found.EodLastNonAck == mqmq.SEQUENCE_INFO(SeqID=-(1 << 63), SeqNo=1, PrevNo=0)


def test_how_far_transactional_messages_are() -> None:
    talk = Talk().opened()
    before = talk.client.transfer
    assert before.EodLastAckCount == 0
    assert (before.EodFirstNonAck, before.EodNoAckCount, before.EodNextSeq.SeqNo) == (None, 0, 1)
    for _ in range(3):
        talk.send(Message(QUEUE, transactional=True, journal=True))
    under_way = talk.client.transfer
    assert under_way.EodFirstNonAck is not None
    assert under_way.EodLastNonAck is not None
    assert (
        under_way.EodFirstNonAck.SeqNo,
        under_way.EodLastNonAck.SeqNo,
        under_way.EodLastNonAck.PrevNo,
    ) == (
        1,
        3,
        2,
    )
    assert (under_way.EodNoAckCount, under_way.EodNextSeq.SeqNo, under_way.EodResendTime) == (
        3,
        4,
        START + 30,
    )
    assert (under_way.EodResendInterval, under_way.EodResendCount) == (30.0, 0)
    talk.arrive("->")
    (known,) = talk.managers["<-"].incoming_transfers
    assert known.FormatName == QUEUE
    assert known.SenderIdentifier == CLIENT
    assert (known.SequenceNumber, known.RejectCount, known.LastAccessTime) == (3, 0, START)
    assert known.SequenceIdentifier.TimeStamp << 32 | known.SequenceIdentifier.Ordinal == (
        under_way.EodNextSeq.SeqID
    )
    for _ in range(20):
        talk.wait(0.5)
        talk.arrive("<-")
        talk.arrive("->")
    after = talk.client.transfer
    assert (after.EodNoAckCount, after.EodNoReadCount, after.EodLastAckCount) == (0, 3, 1)
    assert after.EodLastAckTime > START
    assert after.EodNextSeq.SeqID == under_way.EodNextSeq.SeqID + 1


def test_names_of_queues_that_messages_come_to() -> None:
    wanted = {QUEUE, r"DIRECT=TCP:10.0.0.1\private$\orders", "PUBLIC=11111111-2222-3333-4444-555555555555"}
    talk = Talk().opened()
    for queue in sorted(wanted):
        talk.send(Message(queue, transactional=True))
        talk.settle()
    assert {known.FormatName for known in talk.managers["<-"].incoming_transfers} == wanted
    inbox = talk.managers["<-"].inbox(CLIENT)
    odd = mqmq.DirectQueueFormatName(DirectFormatName="nonsense\0")
    inbox.newest = {"": 1, f"DirectQueueFormatName:{odd.encode().hex()}": 2}
    assert [known.FormatName for known in talk.managers["<-"].incoming_transfers] == ["", "DIRECT=nonsense"]
    inbox.sequences.clear()
    assert [known.SequenceNumber for known in talk.managers["<-"].incoming_transfers] == [0, 0]


def test_the_error_of_attempts_whose_error_is_unknown() -> None:
    """MQ_ERROR of [MS-MQMQ] 2.4."""
    assert GENERIC_ERROR == 0xC00E0001


def test_sequences_are_newer_than_all_before() -> None:
    """The time is the upper half of the number, the ordinal the lower; in one second the time goes on."""
    manager = QueueManager(CLIENT)
    found = [manager.next_sequence(now) for now in (1000.9, 1000, 999, 5000, 0xFFFFFFFF)]
    assert found == [second << 32 | 1 for second in (1000, 1001, 1002, 5000, 0xFFFFFFFF)]


def test_how_much_is_remembered_of_others() -> None:
    """Of each as much as a monitor remembers that watches the session, and of 1,024 others."""
    assert (state.MAX_SEQUENCES, state.MAX_QUEUES) == (monitored.MAX_SEQUENCES, monitored.MAX_QUEUES)
    assert state.MAX_SOURCES == 1024
    manager = QueueManager(CLIENT)
    sources = [mw.GUID(number.to_bytes(16, "big")) for number in range(1, 1026)]
    kept = [manager.inbox(source) for source in sources]
    assert manager.inbox(sources[1]) is kept[1]
    assert manager.inbox(sources[0]) is not kept[0]  # the first was forgotten
    assert manager.inbox(sources[2]) is kept[2]
    assert len(manager.snapshot()["inboxes"]) == 1024


def _only_acknowledgments(size: int) -> Outbox:
    return Outbox({1: Entry(b"", acknowledges=True)}, acknowledgments=1, acknowledgment_bytes=size)


def test_acknowledgments_for_peers_that_never_come_back_are_bounded() -> None:
    """By four times the bytes of one peer, the oldest first; what the caller sent stays."""
    manager = QueueManager(CLIENT, Settings(max_acknowledgment_bytes=100))
    manager.keep_outbox("mine", Outbox({1: Entry(b"")}))
    manager.keep_outbox("final", Outbox(awaiting_final={1: (True, False)}))
    for number in range(4):
        manager.keep_outbox(f"peer {number}", _only_acknowledgments(100))
    assert len(manager.snapshot()["outboxes"]) == 6
    manager.keep_outbox("peer 4", _only_acknowledgments(1))
    assert list(manager.snapshot()["outboxes"]) == ["mine", "final", "peer 1", "peer 2", "peer 3", "peer 4"]
    manager.keep_outbox("nothing", Outbox())
    assert "nothing" not in manager.snapshot()["outboxes"]


def test_so_many_peers_are_remembered_that_never_come_back() -> None:
    manager = QueueManager(CLIENT)
    for number in range(1024):
        manager.keep_outbox(f"{number}", _only_acknowledgments(1))
    assert len(manager.snapshot()["outboxes"]) == 1024
    manager.keep_outbox("one more", _only_acknowledgments(1))
    kept = manager.snapshot()["outboxes"]
    assert len(kept) == 1024
    assert "0" not in kept
    assert {"1", "one more"} <= kept.keys()


def test_outboxes_of_a_peer_are_one_again() -> None:
    """But for messages that have a number in another sequence, which wait for a session of their own."""
    manager = QueueManager(CLIENT)
    for box in (
        Outbox({1: Entry(b"a")}, {7: (True, False)}, acknowledgments=1, acknowledgment_bytes=3),
        Outbox({2: Entry(b"b", number=1)}),
        Outbox({3: Entry(b"c")}, {8: (False, True)}, acknowledgments=2, acknowledgment_bytes=4),
    ):
        manager.keep_outbox("peer", box)
    box = manager.take_outbox("peer")
    assert (list(box.table), list(box.awaiting_final)) == ([1, 3], [7, 8])
    assert (box.acknowledgments, box.acknowledgment_bytes) == (3, 7)
    assert list(manager.take_outbox("peer").table) == [2]
    assert manager.take_outbox("peer").table == {}
    assert manager.snapshot()["outboxes"] == {}


def test_numbers_of_messages_and_pings_go_around() -> None:
    """No message has the number 0; a Ping may."""
    snapshot = QueueManager(CLIENT).snapshot()
    snapshot |= {"message_id": 0xFFFFFFFE, "cookie": 0xFFFFFFFE}
    manager = QueueManager.restore(snapshot)
    assert [manager.next_message_id() for _ in range(3)] == [0xFFFFFFFF, 1, 2]
    assert [manager.next_cookie() for _ in range(3)] == [0xFFFFFFFF, 0, 1]
    fresh = QueueManager(CLIENT)
    assert (fresh.next_message_id(), fresh.next_cookie()) == (1, 1)


@pytest.mark.parametrize(
    ("internal", "size", "accepted"),
    [(True, 16, True), (True, 15, False), (True, 572, True), (True, 573, False),
     (False, 16, True), (False, 15, False), (False, 5000, True), (False, 5001, False)],
)  # fmt: skip
def test_sizes_of_packets_that_a_session_takes(internal: bool, size: int, accepted: bool) -> None:
    """The largest internal packet is an EstablishConnection; of others the settings say it."""
    header = mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(IN=int(internal)), PacketSize=size)
    stream = PacketStream(5000, strict=True)
    assert stream.feed(header.encode() + bytes(max(size - 17, 0))) == []
    if not accepted:
        assert stream.error is not None
        assert (stream.error.path, stream.error.actual) == ("BaseHeader.PacketSize", size)
    elif size > 16:
        assert stream.error is None
        assert stream.missing == 1


def test_what_a_snapshot_leaves_out_is_nothing() -> None:
    """So that one of an earlier version, which knew less, can be restored."""
    key = SERVER.bytes_le.hex()
    waiting = {"table": {"1": {"data": ""}}}
    snapshot = {"identifier": CLIENT.bytes_le.hex(), "inboxes": {key: {}}, "outboxes": {key: [waiting]}}
    assert QueueManager.restore(snapshot).snapshot() == {
        "identifier": CLIENT.bytes_le.hex(),
        "message_id": 0, "cookie": 0, "stamp": 0, "sessions": 0, "initiators": {}, "history": {},
        "cleanup": -1,
        "inboxes": {key: {"sequences": {}, "newest": {}, "rejects": 0, "accessed": 0}},
        "outboxes": {key: [{
            "table": {"1": {
                "data": "", "stored": False, "transactional": False, "acknowledges": False, "final": False,
                "journal": False, "dead_letter": False, "deadline": None, "sequence": 0, "number": 0,
                "flying": False, "traced": False,
            }},
            "awaiting_final": {}, "sequence": 0, "next_number": 1, "last_ack": 0, "ack_count": 0,
            "ack_time": 0, "resend_index": 0, "acknowledgments": 0, "acknowledgment_bytes": 0,
        }]},
    }  # fmt: skip


def test_what_the_state_of_a_session_leaves_out_is_that_of_a_new_one() -> None:
    """Closed, before any time and any message; RecoverableAckSendTimeout as [MS-MQQB] 3.1.3.2 has it."""
    session = Initiator(QueueManager(CLIENT))
    snapshot = {**session.snapshot(), "state": {}}
    assert Initiator.restore(snapshot, QueueManager(CLIENT)).snapshot()["state"] == {
        "phase": "CLOSED", "now": -1, "remote": "", "address": "", "direct": False, "time_stamp": 0,
        "quick": False, "server_system": False, "peer_window": 0, "ack_timeout": 0,
        "recoverable_ack_timeout": 0xFFFFFFFF, "sent": 0, "recoverable_sent": 0, "received": 0,
        "recoverable_received": 0, "acknowledged": 0, "recoverable_acknowledged": 0, "recoverable_flags": 0,
        "unacknowledged": 0,
        "last_acknowledged": 0, "flags": 0, "ack_started": 0, "active": False, "heard": False,
        "paused": False, "last_order": 0, "previous": 0, "timers": {}, "orders": {},
        "sendable_orders": False, "established": False, "begun": False, "asked": False,
    }  # fmt: skip


@pytest.mark.parametrize(("version", "signature"), [(17, b"LIOR"), (16, b"LIAR"), (16, b"ROIL")])
@pytest.mark.parametrize("there", [8, 16, 40])
def test_bytes_without_the_marks_of_a_packet(version: int, signature: bytes, there: int) -> None:
    """However many come at once, and whatever size they state ([MS-MQQB] 3.1.5.1.2)."""
    head = bytes([version, 0, 3, 0]) + signature + (40).to_bytes(4, "little")
    events = Talk().opened().side("<-").receive(head.ljust(40, b"\0")[:there], START)
    assert [event.violation.requirement for event in events if isinstance(event, Violated)] == [
        "MQQB-3.1.5.1.2-01"
    ]


def test_an_acceptor_has_sent_no_ping() -> None:
    assert Acceptor(QueueManager(CLIENT)).snapshot()["pinged"] is False
