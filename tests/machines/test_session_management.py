"""What management may ask: ConnectionHistory, State, and how far transactional messages are."""

from __future__ import annotations

import json

import pytest
from support_talk import CLIENT, QUEUE, SERVER, START, Talk

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire.checks.sessions import state as monitored
from msmq_wire.machines.session import state
from msmq_wire.machines.session.management import GENERIC_ERROR, MAX_ATTEMPTS, outgoing_transfer
from msmq_wire.machines.session.state import Entry, Outbox
from msmq_wire.session import Acceptor, Initiator, Message, QueueManager, Settings


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
    for moment in range(3 * MAX_ATTEMPTS):
        session.disconnected(START + moment)
    assert len(session.connection_history) == MAX_ATTEMPTS
    assert session.connection_history[-1].at == START + 3 * MAX_ATTEMPTS - 1


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
