"""The monitor lets every legal session pass and names the requirement that a bent one breaks."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from support_bent_sessions import BENDS, ping
from support_examples import share
from support_histories import History
from support_histories import judged as judged_views
from support_rows import for_each
from support_sessions import CLIENT, SERVER, STRANGER, WAYS, Wire, bend
from support_specs import load_requirements, load_vectors

import msmq_wire as mw
from msmq_wire import GUID, NULL_GUID, DecodeError, mqmq, mqqb
from msmq_wire import testing as mt
from msmq_wire.checks.sessions import state as _session_state
from msmq_wire.checks.sessions import steps as _session_steps
from msmq_wire.checks.sessions.monitor import SessionMonitor, Tally
from msmq_wire.checks.sessions.state import MAX_FINISHED
from msmq_wire.checks.sessions.steps import reportable
from msmq_wire.packets.stream import Skipped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from msmq_wire.checks.sessions.monitor import Direction

CHOICES = st.binary(max_size=30)


def judged(monitor: SessionMonitor, tape: Iterable[tuple[Direction, Any]]) -> list[mw.Violation]:
    return [finding for way, packet in tape for finding in monitor.feed(way, packet)]


@given(CHOICES, st.sampled_from([1, 2, 64]))
def test_legal_sessions_pass(choices: bytes, window: int) -> None:
    wire = Wire(window)
    wire.open()
    assert judged(SessionMonitor(), wire.talk(choices).tape) == []


@given(CHOICES, st.integers(0, 40))
def test_within_a_session(choices: bytes, start: int) -> None:
    wire = Wire()
    wire.open()
    assert judged(SessionMonitor(), wire.talk(choices).tape[start:]) == []


def _without_reconnects(choices: bytes) -> bytes:
    return bytes(choice for choice in choices if choice & 0xFC != 0xFC)


@pytest.mark.each(4)
@for_each("requirement", lambda: BENDS)
def test_bent_sessions(requirement: str) -> None:
    bend = BENDS[requirement]

    @given(CHOICES, CHOICES.map(_without_reconnects), st.sampled_from(WAYS))
    @settings(phases=[Phase.generate])
    def names_it(before: bytes, after: bytes, way: Direction) -> None:
        wire = Wire()
        wire.open()
        wire.talk(before).settle()
        wire.reconnect()
        wire.settle()
        length = len(wire.tape)
        bend(wire, way)
        wire.talk(after)
        monitor = SessionMonitor(routes=False)
        assert judged(monitor, wire.tape[:length]) == []
        monitor.state.one_connection = requirement == "MQQB-3.1.5.3-01"
        found = judged(monitor, wire.tape[length:])
        assert {finding.requirement for finding in found} == {requirement}
        assert all(finding.message.endswith(".") for finding in found)
        assert sum(monitor.summary.violations.values()) <= len(found)

    names_it()


BY_PARTS = (
    *("MQQB-3.1.5.3-01", "MQQB-3.1.5.4-01", "MQQB-3.1.5.5-01", "MQQB-3.1.5.8-01", "MQQB-3.1.5.3.2-01"),
    *("MQQB-3.1.5.2.3-01", "MQQB-3.1.5.3.2-02", "MQQB-3.1.5.4.1-01", "MQQB-3.1.5.4.1-02"),
    *(
        "MQQB-3.1.5.4.1-03",
        "MQQB-2.2.1-06",
        "MQQB-2.2.3.1-03",
        "MQQB-2.2.3.1-08",
        "MQQB-2.2.3.1-09",
        "MQQB-2.2.3.1-25",
    ),
    *("MQQB-2.2.3.1-26", "MQQB-3.1.1.3-01", "MQQB-3.1.1.5-01", "MQMQ-2.2.20.5-26", "MQMQ-2.2.20.5-27"),
    *("MQMQ-2.2.20.5-28", "MQMQ-2.2.20.5-29", "MQQB-3.1.5.6-01", "MQQB-3.1.5.7-01", "MQQB-3.1.7.1-01"),
    *("MQQB-2.2.4.1-01", "MQQB-2.2.4.1-02", "MQQB-3.1.1.6.2-01", "MQQB-3.1.5.5.5-01", "MQQB-3.1.6.4-01"),
    *("MQMQ-2.2.20.4-06", "MQMQ-2.2.20.4-07", "MQMQ-2.2.20.4-08", "MQMQ-2.2.20.4-09", "MQMQ-2.2.20.4-11"),
)
"""Requirements that the fields before the end of a packet decide, given the packets before it."""


@pytest.mark.long
@for_each("requirement", lambda: BY_PARTS)
def test_parts_of_bent_packets(requirement: str) -> None:
    """The longer the part, the more is known; nothing is said of a part that is not said of the whole."""
    wire = Wire()
    wire.open()
    wire.send("->")
    wire.settle()
    length = len(wire.tape)
    BENDS[requirement](wire, "->")
    monitor = SessionMonitor(routes=False)
    all_told = set()
    for index, (way, packet) in enumerate(wire.tape):
        if index == length:
            monitor.state.one_connection = requirement == "MQQB-3.1.5.3-01"
        before, data = monitor.snapshot(), packet.encode()
        whole = {said(item) for item in monitor.feed(way, packet)}
        told: set[Any] = set()
        for size in (*range(8, len(data) - 1, 11), len(data) - 1):
            part = SessionMonitor.restore(before)
            found = {said(item) for item in part.truncated(way, part=mw.decode_lax(data[:size]))}
            assert told <= found <= whole, size
            told = found
        all_told |= {item[0] for item in told}
    assert requirement in all_told


@given(CHOICES, st.integers(0, 40), st.integers(0, 600))
def test_parts_of_legal_packets_pass(choices: bytes, index: int, lost: int) -> None:
    wire = Wire()
    wire.open()
    tape = wire.talk(choices).tape
    index %= len(tape)
    monitor = SessionMonitor()
    assert judged(monitor, tape[:index]) == []
    way, packet = tape[index]
    data = packet.encode()
    part = mw.decode_lax(data[: max(len(data) - 1 - lost, 8)])
    assert monitor.truncated(way, part=part) == ()
    assert judged(monitor, tape[index + 1 :]) == []


def said(violation: Any) -> tuple[Any, ...]:
    return violation.requirement, violation.path, violation.offset, violation.found, violation.message


def test_what_may_be_an_acknowledgment() -> None:
    """An OrderAck has a requirement of its own: none is given until it is known what the packet is."""
    plain = mqmq.UserMessage.of(MessageBody=b"text").encode()
    wire = Wire()
    wire.open()
    wire.transact("->")
    wire.settle()
    wire.order_ack("<-")
    order = wire.tape[-1][1].encode()
    assert type(wire.tape[-1][1]) is mqqb.OrderAck
    as_message, as_order = ["MQQB-3.1.5.8-01"], ["MQQB-3.1.5.6-01"]
    for data, told in ((plain[:16], as_message), (order[:16], []), (order[:-1], as_order)):
        monitor = SessionMonitor(idle=True, one_connection=True, opener="->")
        part = mw.decode_lax(data)
        found = [item.requirement for item in monitor.truncated("->", part=part, offset=7)]
        assert found == told
        error = DecodeError("1 byte left over", structure="UserMessage", path="UserMessage", offset=9)
        monitor = SessionMonitor(idle=True, one_connection=True, opener="->")
        found = [item.requirement for item in monitor.unreadable("->", error, part=part)]
        assert found == ["MQQB-3.1.5.1.3-01", *told]
        assert monitor.summary.handshake == "none"


@pytest.mark.parametrize("is_asked", [False, True])
def test_an_acknowledgment_of_any_message(is_asked: bool) -> None:
    """A FinalAck that is cut before its MessageID violates what it would for each message that was sent."""
    wire = Wire()
    wire.open()
    for number in (0, int(is_asked)):
        wire.transact("<-", bent=partial(bend, path="TransactionHeader.Flags.FA", value=number))
    wire.settle()
    wire.final_ack("->")
    *tape, (way, ack) = wire.tape
    monitor, data = SessionMonitor(), ack.encode()
    assert judged(monitor, tape) == []
    for lost in (1, 4, 5):  # the last bytes are those of the MessageID, behind the SourceGUID
        part = SessionMonitor.restore(monitor.snapshot())
        violations = part.truncated(way, part=mw.decode_lax(data[:-lost]))
        certain = lost <= 4 and not is_asked
        assert [item.requirement for item in violations] == ["MQQB-3.1.7.2.2-01"] * certain
    (whole,) = monitor.feed(way, ack)
    assert whole.requirement == "MQQB-3.1.7.2.2-01"


@pytest.mark.parametrize("lost", range(6))
def test_an_acknowledgment_of_a_message_that_was_not_captured(lost: int) -> None:
    """A FinalAck violates nothing if a message in a gap may be the one that it acknowledges, cut or not."""
    wire = Wire()
    wire.open()
    for number in (0, 1):
        wire.transact("<-", bent=partial(bend, path="TransactionHeader.Flags.FA", value=number))
        index = len(wire.tape) - 1
    wire.settle()
    del wire.sides["->"].unread[0]
    wire.final_ack("->")
    assert type(wire.tape[index][1]) is mqmq.UserMessage
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape[:index]) == []
    monitor.gap("<-")
    assert judged(monitor, wire.tape[index + 1 : -1]) == []
    way, ack = wire.tape[-1]
    data = ack.encode()
    part = mw.decode_lax(data[: len(data) - lost])
    assert (monitor.truncated(way, part=part) if lost else monitor.feed(way, ack)) == ()


UNREADABLE = {
    "MQQB-3.1.5.1.2-01": b"\x11" + bytes(15),
    "MQQB-3.1.5.1.3-01": b"\x10\0\0\0LIOR\5" + bytes(7),
    "MQQB-2.2.1-04": b"\x10\0\x0b\0LIOR\x14\0\0\0\xff\xff\xff\xff\0\0\7\0",
}


@for_each("requirement", lambda: UNREADABLE)
def test_bytes_that_are_no_packet(requirement: str) -> None:
    wire = Wire()
    wire.open()
    monitor = SessionMonitor()
    judged(monitor, wire.tape)
    stream = mw.PacketStream(origin=604)
    (skipped,) = stream.frames(UNREADABLE[requirement], final=True)
    assert isinstance(skipped, Skipped)
    (finding,) = monitor.unreadable("<-", skipped.error, at=1.5, offset=skipped.offset)
    assert (finding.requirement, finding.direction, finding.packet) == (requirement, "<-", 4)
    field = {"MQQB-3.1.5.1.2-01": 4, "MQQB-3.1.5.1.3-01": 8, "MQQB-2.2.1-04": 18}[requirement]
    assert (finding.at, finding.stream_offset, finding.offset) == (1.5, 604, field)
    found = {"MQQB-3.1.5.1.2-01": 0, "MQQB-3.1.5.1.3-01": 5, "MQQB-2.2.1-04": 7}[requirement]
    assert finding.found == found
    assert monitor.summary.violations == {requirement: 1}
    assert monitor.summary.backward.tally.gaps == 1
    assert monitor.summary.backward.unacknowledged is None


@pytest.mark.parametrize("size", range(1, 17))
def test_bytes_that_are_too_short_for_the_beginning_of_a_packet(size: int) -> None:
    """They break the session, but are no packet that could not be read."""
    with pytest.raises(DecodeError) as caught:
        mw.decode(UNREADABLE["MQQB-3.1.5.1.3-01"][:size])
    monitor = SessionMonitor()
    assert len(monitor.unreadable("->", caught.value)) == 1
    assert monitor.summary.forward.tally.unreadable == (size >= 8)


def test_a_signature_that_is_not_that_of_packets() -> None:
    """Bytes that cannot be read are not taken for unsigned ones because a field has a similar name."""
    path = "UserMessage.SecurityHeader.SecurityData.Signature"
    error = DecodeError("expected 9 bytes, found 4", structure="SecurityData", path=path, offset=150)
    (finding,) = SessionMonitor().unreadable("->", error)
    assert finding.requirement == "MQQB-3.1.5.1.3-01"
    assert finding.message == f"{path}: expected 9 bytes, found 4."


@pytest.mark.parametrize("kind", ["UserMessage", "EstablishConnection", None])
@pytest.mark.parametrize("asked", [False, True])
def test_what_an_unreadable_packet_tells_of_the_handshake(asked: bool, kind: str | None) -> None:
    """A message is no part of it: there was none before it, or it was not completed."""
    error = DecodeError("expected 9 bytes, found 4", structure="UserMessage", path="UserMessage", offset=9)
    for whole in (False, True):
        monitor = SessionMonitor(idle=True, one_connection=True, opener="->")
        if asked:
            wire = Wire()
            wire.open()
            judged(monitor, wire.tape[:1])
        if whole:
            monitor.unreadable("->", error, kind=kind)
        else:
            monitor.truncated("->", kind=kind)
        known = "incomplete" if asked else "none"
        assert monitor.summary.handshake == (known if kind == "UserMessage" else "unseen")
        monitor.gap("<-")
        assert monitor.summary.handshake == (
            "none" if known == "none" and kind == "UserMessage" else "unseen"
        )


def test_bytes_between_packets() -> None:
    stream = mw.PacketStream()
    stream.feed(b"\x10\0\x03\0LIAR" + bytes(8))
    stream.close()
    (skip,) = stream.skipped
    (finding,) = SessionMonitor().unreadable("->", skip.error)
    assert finding.message == (
        "BaseHeader.Signature: expected 0x524f494c, found 0x5241494c; no packet starts here."
    )


def test_a_gap_that_may_be_elsewhere() -> None:
    """Where a gap may be as well, as much is unknown as where it was told; it is counted once."""
    wire = Wire()
    wire.open()
    monitor = SessionMonitor()
    judged(monitor, wire.tape)
    for again in (False, True, True):
        assert monitor.state.sides["->"].sent == 0
        assert monitor.state.sides["<-"].acknowledged == 0
        monitor.gap("->", again=again)
        assert monitor.state.sides["->"].sent is None
        assert monitor.state.sides["<-"].acknowledged is None
        monitor.state.sides["->"].sent = monitor.state.sides["<-"].acknowledged = 0
    assert monitor.summary.forward.tally.gaps == 1


def test_parameters_behind_a_gap() -> None:
    """No message was sent before an answer to ConnectionParameters; the window that was announced stays."""
    wire = Wire()
    wire.open()
    monitor = SessionMonitor(idle=True, one_connection=True, opener="->")
    for index, (way, packet) in enumerate(wire.tape[:4]):
        if index == 3:
            monitor.gap("->")
        assert monitor.feed(way, packet) == ()
    summary = monitor.summary
    assert summary.forward.window == wire.tape[2][1].ConnectionParametersHeader.WindowSize
    for side in (summary.forward, summary.backward):
        assert (side.acknowledged, side.unacknowledged, side.recoverable_unacknowledged) == (0, 0, 0)


def test_every_requirement_has_a_bend() -> None:
    rows = {row.id: row for row in load_requirements()}
    have_sequences = {row.id for row in rows.values() if row.violated_by}
    assert reportable() == {*BENDS, *UNREADABLE, *have_sequences}
    watched = {
        row.id for row in rows.values() if any("sessions.monitor" in path for path in row.performed_by)
    }
    judged_by_validate = {name for name in reportable() if "validate" in rows[name].checked}
    assert reportable() - judged_by_validate <= watched


def test_a_ping_with_another_signature() -> None:
    monitor = SessionMonitor()
    assert monitor.feed("->", mqqb.PingPacket(Signature=1, QMGuid=STRANGER, Cookie=1)) == ()
    assert monitor.feed("->", mqqb.PingPacket(QMGuid=CLIENT, Cookie=2)) == ()
    assert monitor.feed("<-", mqqb.PingPacket(QMGuid=SERVER, Cookie=2)) == ()


@given(mt.sessions())
@settings(suppress_health_check=list(HealthCheck))
def test_sessions_of_the_testing_package_pass(session: list[tuple[Direction, Any]]) -> None:
    assert judged(SessionMonitor(), session) == []


# ------------------------------------------------------------------------------------ the printed session


FRAMES = [vector for vector in load_vectors() if not vector.truncated]


def frame(vector: Any) -> tuple[Direction, Any]:
    read = mqqb.PingPacket.decode if vector.packet == "PingPacket" else mw.decode
    return "->" if vector.direction == "client to server" else "<-", read(vector.data)


def test_the_printed_session() -> None:
    """Its fourth frame has the GUIDs of other queue managers, as erratum Q12 says; all else is legal."""
    monitor = SessionMonitor()
    found = judged(monitor, map(frame, FRAMES))
    assert [(finding.packet, finding.requirement) for finding in found] == [
        (3, "MQQB-2.2.3.1-25"),
        (3, "MQQB-2.2.3.1-03"),
    ]
    summary = monitor.disconnect()
    assert (summary.handshake, summary.outcome, summary.initiator) == ("complete", "closed", "->")
    assert (summary.time_stamp, summary.ack_timeout, summary.forward.window) == (501140046, 120000, 64)
    assert summary.forward.manager == "557358d1-9150-9595-4997-b6e611ea26c6"
    assert (summary.forward.tally.express, summary.forward.acknowledged) == (1, 1)
    assert summary.backward.tally.session_acks == 1


def test_the_printed_session_with_the_right_managers_is_legal() -> None:
    asked = mw.decode(FRAMES[2].data)
    tape = [(way, asked if index == 3 else packet) for index, (way, packet) in enumerate(map(frame, FRAMES))]
    assert judged(SessionMonitor(), tape) == []


# --------------------------------------------------------------------------- captures that miss something


@given(CHOICES, st.integers(0, 63), st.integers(1, 5), st.sampled_from([1, 2, 64]), st.booleans())
def test_gaps(choices: bytes, first: int, count: int, window: int, idle: bool) -> None:
    wire = Wire(window)
    wire.open()
    wire.talk(choices)
    monitor = SessionMonitor(idle=idle)
    found: list[mw.Violation] = []
    for index, (way, packet) in enumerate(wire.tape):
        if first <= index < first + count:
            monitor.gap(way)
        else:
            found += monitor.feed(way, packet)
    assert found == []


@given(CHOICES, st.sampled_from(WAYS))
def test_one_direction_only(choices: bytes, way: Direction) -> None:
    wire = Wire()
    wire.open()
    wire.talk(choices)
    tape = [item for item in wire.tape if item[0] == way]
    assert judged(SessionMonitor(only=way), tape) == []
    assert judged(SessionMonitor(only=way, opener="->"), tape) == []


@given(CHOICES, st.integers(65000, 65535))
def test_numbers_wrap(choices: bytes, start: int) -> None:
    wire = Wire()
    for side in wire.sides.values():
        side.begin(start)
    assert judged(SessionMonitor(), wire.talk(_without_reconnects(choices)).tape) == []


def _second_sequence() -> Wire:
    """A session in which a sequence was acknowledged as a whole, so that the next one begins in it."""
    wire = Wire()
    wire.open()
    wire.transact("->")
    wire.settle()
    wire.order_ack("<-")
    wire.settle()
    return wire


def test_a_sequence_stays_known_after_its_last_message_is_acknowledged() -> None:
    wire = _second_sequence()
    wire.transact("->")
    wire.arrive("->")
    wire.order_ack("<-")  # still under way when the next message is sent
    wire.transact("->", bent=lambda packet: bend(packet, "TransactionHeader.TxSequenceNumber", 3))
    assert [row.requirement for row in judged(SessionMonitor(), wire.tape)] == ["MQMQ-2.2.20.5-26"]


def test_the_last_message_of_a_sequence_sent_again() -> None:
    """In the same session it keeps its place, and its predecessor."""
    wire = Wire()
    wire.open()
    for _ in range(3):
        wire.transact("->")
    tape = [*wire.tape, wire.tape[-1]]
    assert judged(SessionMonitor(), tape) == []


def test_the_first_of_several_messages_sent_again_may_be_acknowledged_first() -> None:
    """An OrderAck is for any of the messages that were sent again, not only for the last (Q24)."""
    wire = Wire()
    wire.open()
    for _ in range(4):
        wire.transact("->")
    wire.arrive("->", 2)
    wire.order_ack("<-")
    wire.arrive("<-")
    wire.reconnect()  # the last two go again
    wire.arrive("->")
    wire.order_ack("<-")
    wire.arrive("<-")
    wire.arrive("->")
    wire.order_ack("<-")
    assert judged(SessionMonitor(), wire.tape) == []


def test_a_message_that_changes_its_place_in_its_session() -> None:
    """What was sent before at another place is told from what is new."""
    wire = Wire()
    wire.open()
    first = wire.transact("->")
    wire.transact("->")
    moved = bend(first, "TransactionHeader.TxSequenceNumber", 3)
    found = judged(SessionMonitor(), [*wire.tape, ("->", moved)])
    assert "MQMQ-2.2.20.5-26" in {row.requirement for row in found}


@pytest.mark.parametrize("idle", [True, False])
def test_one_handshake_within_a_connection(idle: bool) -> None:
    """The first is expected whether the capture saw the connection begin or not; a second one is not."""
    wire = Wire()
    wire.open()
    monitor = SessionMonitor(one_connection=True, idle=idle)
    assert judged(monitor, wire.tape) == []
    del wire.tape[:]
    wire.open()
    assert "MQQB-3.1.5.3-01" in {row.requirement for row in judged(monitor, wire.tape)}


def test_number_zero_of_a_recoverable_message() -> None:
    """The 65,536th recoverable message has the number that otherwise means none (Q25)."""
    wire = Wire()
    for side in wire.sides.values():
        side.begin(0xFFFE)
    for _ in range(3):
        wire.send("->", recoverable=True, riding=True)
        wire.settle()
        wire.session_ack("<-")
        wire.settle()
    acks = [packet.SessionHeader for way, packet in wire.tape if way == "<-"]
    assert [ack.RecoverableMsgAckSeqNumber for ack in acks] == [0xFFFF, 0, 1]
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape) == []
    assert monitor.summary.forward.recoverable_unacknowledged == 0


def _acknowledges(first: int, flags: int, received: int = 3) -> Any:
    header = mqmq.SessionHeader(
        AckSequenceNumber=received, RecoverableMsgAckSeqNumber=first, RecoverableMsgAckFlags=flags
    )
    return mqqb.SessionAck(SessionHeader=header)


def _three_recoverable() -> tuple[Wire, SessionMonitor]:
    """A session in which three recoverable messages were sent, and who has judged it."""
    wire = Wire()
    wire.open()
    for _ in range(3):
        wire.send("->", recoverable=True)
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape) == []
    return wire, monitor


def test_recoverable_messages_that_are_saved_out_of_order() -> None:
    wire, monitor = _three_recoverable()
    assert monitor.feed("<-", _acknowledges(1, 0b101)) == ()
    assert monitor.summary.forward.recoverable_unacknowledged == 1
    again = SessionMonitor.restore(monitor.snapshot())
    assert [row.requirement for row in again.feed("<-", _acknowledges(3, 1))] == ["MQMQ-2.2.20.4-07"]
    fresh = SessionMonitor.restore(monitor.snapshot())
    assert monitor.feed("<-", _acknowledges(2, 1)) == ()
    assert monitor.summary.forward.recoverable_unacknowledged == 0
    assert [row.requirement for row in monitor.feed("<-", _acknowledges(3, 1))] == ["MQMQ-2.2.20.4-08"]
    # In the next session everything counts anew.
    del wire.tape[:]
    wire.open()
    for _ in range(2):
        wire.send("->", recoverable=True)
    assert judged(fresh, wire.tape) == []
    for number in (1, 2):
        assert fresh.feed("<-", _acknowledges(number, 1, number)) == ()


def test_number_zero_with_another_behind_it() -> None:
    """Number zero is the first of two that await acknowledgment (Q25)."""
    wire = Wire()
    for side in wire.sides.values():
        side.begin(0xFFFE)
    for count in (1, 2):
        for _ in range(count):
            wire.send("->", recoverable=True, riding=True)
        wire.settle()
        wire.session_ack("<-")
        wire.settle()
    assert (wire.tape[-1][1].SessionHeader.RecoverableMsgAckSeqNumber, wire.tape[-1][0]) == (0, "<-")
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape) == []
    assert monitor.summary.forward.recoverable_unacknowledged == 0


@pytest.mark.parametrize(
    ("first", "flags", "allowed"),
    [
        (0, 0b1, "0 without RecoverableMsgAckSeqNumber"),
        (2, 0b111, "without bits of messages that were not sent"),
    ],
)
def test_flags_that_acknowledge_nothing(first: int, flags: int, allowed: str) -> None:
    wire = Wire()
    wire.open()
    for _ in range(3):
        wire.send("->", recoverable=True)
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape) == []
    (found,) = monitor.feed("<-", _acknowledges(first, flags))
    assert found.requirement == "MQMQ-2.2.20.4-09"
    assert allowed in found.message


@pytest.mark.parametrize(
    ("packets", "when"),
    [
        (0, "before any EstablishConnection"),
        (1, "before the answer to the EstablishConnection"),
        (2, "before any ConnectionParameters"),
        (3, "before the answer to the ConnectionParameters"),
    ],
)
def test_a_message_in_the_middle_of_a_handshake(packets: int, when: str) -> None:
    wire = Wire()
    wire.open(last=packets)
    wire.send("->")
    (found,) = judged(SessionMonitor(idle=True), wire.tape)
    assert (found.requirement, when in found.message) == ("MQQB-3.1.5.8-01", True)


def test_a_message_in_a_session_that_was_refused() -> None:
    wire = Wire()
    wire.open(bent={1: lambda packet: bend(packet, "InternalHeader.Flags.CS", 1)}, last=2)
    wire.send("->")
    found = judged(SessionMonitor(), wire.tape)[-1]
    assert found.requirement == "MQQB-3.1.5.8-01"
    assert "after the session was refused" in found.message


def test_number_zero_while_nothing_waits() -> None:
    """Then it is no number, although it would be the next (Q25)."""
    wire = Wire()
    for side in wire.sides.values():
        side.begin(0xFFFE)
    wire.send("->", recoverable=True, riding=True)
    wire.settle()
    wire.session_ack("<-")
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape) == []
    header = wire.tape[-1][1].SessionHeader
    header = mw.replace(header, RecoverableMsgAckSeqNumber=0, RecoverableMsgAckFlags=1)
    (found,) = monitor.feed("<-", mqqb.SessionAck(SessionHeader=header))
    assert found.requirement == "MQMQ-2.2.20.4-09"


def test_a_sequence_that_is_sent_again_in_another_session() -> None:
    wire = Wire()
    wire.open()
    wire.transact("->")
    wire.settle()
    wire.order_ack("<-")
    wire.settle()
    for _ in range(3):
        wire.transact("->")
    wire.reconnect()
    assert sum(way == "->" and isinstance(packet, mqmq.UserMessage) for way, packet in wire.tape) == 7
    assert judged(SessionMonitor(), wire.tape) == []


def test_an_answer_to_an_offer_that_was_not_seen() -> None:
    wire = Wire()
    wire.open()
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape[:2]) == []
    monitor.gap("->")
    assert judged(monitor, wire.tape[3:]) == []


def test_the_predecessor_of_the_second_message() -> None:
    wire = _second_sequence()
    wire.transact("->")
    wire.transact("->", bent=lambda packet: bend(packet, "TransactionHeader.PreviousTxSequenceNumber", 0))
    assert [row.requirement for row in judged(SessionMonitor(), wire.tape)] == ["MQMQ-2.2.20.5-28"]


def test_no_message_is_its_own_predecessor() -> None:
    """Even where the sequence is not known from its beginning."""
    wire = Wire()
    wire.open()
    for _ in range(4):
        wire.transact("->")
    wire.transact("->", bent=lambda packet: bend(packet, "TransactionHeader.PreviousTxSequenceNumber", 5))
    tape = [*wire.tape[:4], *wire.tape[6:]]
    assert "MQMQ-2.2.20.5-28" in {row.requirement for row in judged(SessionMonitor(idle=False), tape)}


@pytest.mark.parametrize(
    ("source", "address", "theirs"),
    [
        (SERVER, CLIENT, True),
        (SERVER, NULL_GUID, True),
        (SERVER, STRANGER, False),
        (STRANGER, CLIENT, False),
        (STRANGER, NULL_GUID, False),
    ],
)
def test_acknowledgments_that_are_passed_on(source: GUID, address: GUID, theirs: bool) -> None:
    """They are about messages of other sessions."""
    wire = Wire()
    wire.open()
    BENDS["MQQB-2.2.4.1-02"](wire, "<-")
    *tape, (way, packet) = wire.tape
    monitor = SessionMonitor()
    assert judged(monitor, tape) == []
    packet = bend(packet, "UserHeader.SourceQueueManager", source)
    packet = bend(packet, "UserHeader.QueueManagerAddress", address)
    found = {row.requirement for row in monitor.feed(way, packet)}
    assert ("MQQB-2.2.4.1-02" in found) == theirs


def test_a_recoverable_message_that_is_acknowledged_again() -> None:
    _, monitor = _three_recoverable()
    assert monitor.feed("<-", _acknowledges(1, 1)) == ()
    assert [row.requirement for row in monitor.feed("<-", _acknowledges(1, 1))] == ["MQMQ-2.2.20.4-07"]


def test_an_order_ack_that_is_repeated() -> None:
    wire = Wire()
    wire.open()
    for _ in range(2):
        wire.transact("->")
    wire.settle()
    for _ in range(2):
        wire.order_ack("<-")
    assert judged(SessionMonitor(), wire.tape) == []


@pytest.mark.parametrize(("first", "flags"), [(1, 0b10), (1, 0), (3, 0b10), (0, 0b10)])
@pytest.mark.parametrize("seen", [False, True])
def test_bit_0_is_proved_by_one_packet(first: int, flags: int, seen: bool) -> None:
    """`validate` reports it, and the monitor does not; what was acknowledged is unknown afterwards."""
    wire = Wire()
    if seen:
        wire.open()
        for _ in range(3):
            wire.send("->", recoverable=True)
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape) == []
    packet = _acknowledges(first, flags)
    assert monitor.feed("<-", packet) == ()
    assert {item.requirement for item in mw.validate(packet)} == {"MQMQ-2.2.20.4-09"}
    assert monitor.feed("<-", _acknowledges(3, 1)) == ()


# ------------------------------------------------------------------------------------ state and summaries


@given(CHOICES, st.data())
def test_a_snapshot_carries_on(choices: bytes, data: st.DataObject) -> None:
    wire = Wire()
    wire.open()
    BENDS[data.draw(st.sampled_from(sorted(BENDS)))](wire, "->")
    wire.talk(choices)
    whole = SessionMonitor()
    monitor = SessionMonitor()
    for way, packet in wire.tape:
        monitor = SessionMonitor.restore(json.loads(json.dumps(monitor.snapshot())))
        assert monitor.feed(way, packet) == whole.feed(way, packet)
    assert monitor.state == whole.state
    assert monitor.disconnect() == whole.disconnect()
    assert monitor.take_finished() == whole.take_finished()


def test_no_snapshot() -> None:
    wrong: Any
    for wrong in ({"phase": "elsewhere"}, {"sides": 3}, {"sides": {}}, {"packets": "x"}, []):
        with pytest.raises(ValueError, match="not a snapshot of a SessionMonitor"):
            SessionMonitor.restore(wrong)


def test_summary() -> None:
    wire = Wire()
    wire.open()
    wire.send("->")
    wire.send("->", recoverable=True)
    wire.transact("->")
    wire.transact("->")
    wire.settle()
    wire.session_ack("<-")
    wire.send("->", recoverable=True)
    wire.order_ack("<-", TxSequenceNumber=1, TxPreviousSequenceNumber=0)
    wire.final_ack("<-")
    monitor = SessionMonitor(idle=True, opener="->")
    for index, (way, packet) in enumerate(wire.tape):
        assert monitor.feed(way, packet, at=index / 4) == ()
    assert (monitor.summary.handshake, monitor.summary.outcome) == ("complete", "open")
    summary = monitor.disconnect()
    assert summary.outcome == "broken"
    forward, backward = summary.forward, summary.backward
    assert (forward.manager, backward.manager) == (str(CLIENT), str(SERVER))
    assert forward.tally == Tally(packets=7, express=1, recoverable=2, transactional=2)
    assert backward.tally == Tally(packets=5, session_acks=1, order_acks=1, final_acks=1)
    assert (forward.messages, forward.acknowledged, forward.unacknowledged) == (5, 4, 1)
    assert (forward.recoverable_unacknowledged, forward.order_unacknowledged) == (1, 1)
    assert (backward.messages, backward.unacknowledged) == (2, 2)
    assert (summary.recoverable_ack_timeout, summary.ack_timeout) == (1000, 30000)
    assert (summary.first_packet, summary.last_packet, summary.first_at, summary.last_at) == (
        0,
        11,
        0.0,
        2.75,
    )


def test_reconnects() -> None:
    wire = Wire()
    wire.open()
    wire.open()
    wire.sides["<-"].guid = STRANGER
    wire.open(bent={1: lambda packet: bend(packet, "InternalHeader.Flags.CS", 1)}, last=2)
    wire.sides["<-"].guid = SERVER
    wire.open(last=1)
    wire.open("<-")
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape) == []
    monitor.disconnect()
    finished = monitor.take_finished()
    assert [(row.number, row.outcome, row.initiator, row.reconnect_of) for row in finished] == [
        (0, "closed", "->", None),
        (1, "closed", "->", 0),
        (2, "refused", "->", None),
        (3, "broken", "->", None),
        (4, "closed", "<-", 1),
    ]
    assert monitor.take_finished() == ()
    assert judged(monitor, wire.tape[:1]) == []
    assert monitor.summary.number == 5


def test_finished_sessions_are_bounded() -> None:
    wire = Wire()
    wire.open(last=2)
    monitor = SessionMonitor()
    for _ in range(MAX_FINISHED + 3):
        judged(monitor, wire.tape)
    assert len(monitor.state.finished) == MAX_FINISHED
    assert monitor.state.forgotten == 2
    assert monitor.take_finished()[0].number == 2


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages that are forgotten are held against nobody when they are sent again."""
    for limit in ("MAX_REMEMBERED", "MAX_SEQUENCES", "MAX_QUEUES", "MAX_PINGS"):
        assert getattr(_session_steps, limit) == getattr(_session_state, limit)
        monkeypatch.setattr(_session_steps, limit, 3)
    wire = Wire(0xFFFF)
    for _ in range(9):
        ping(wire, "->")
    wire.open()
    for number in range(7):
        us = wire.sides["->"]
        us.waiting, us.ordinal, us.number = [], us.ordinal + 1, 1
        for _ in range(5):
            wire.transact("->", queue=number)
    wire.resend("->")
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape[:18]) == []
    side = monitor.state.sides["->"]
    assert len(side.pings) == 3
    assert judged(monitor, wire.tape[18:]) == []
    assert [len(table) for table in (side.transactional, side.sequences, side.newest)] == [3, 3, 3]


def test_first_packet_of_an_idle_connection() -> None:
    wire = Wire()
    wire.send("->")
    (finding,) = judged(SessionMonitor(idle=True), wire.tape)
    assert str(finding) == (
        "UserMessage comes before any EstablishConnection, but may come only while the session is open. "
        "(MQQB-3.1.5.8-01, packet 0 ->)"
    )


def test_request_of_the_wrong_side() -> None:
    wire = Wire()
    wire.open("<-", last=1)
    (finding,) = judged(SessionMonitor(idle=True, opener="->"), wire.tape)
    assert finding.requirement == "MQQB-3.1.5.3-01"


def test_a_violation_has_path_and_offset() -> None:
    wire = Wire()
    wire.open()
    BENDS["MQQB-2.2.4.1-02"](wire, "<-")
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape[:-1]) == []
    way, packet = wire.tape[-1]
    (finding,) = monitor.feed(way, packet, offset=700)
    assert finding.path == "OrderAck.MessagePropertiesHeader.MessageBody.TxSequenceNumber"
    assert packet.encode()[finding.offset :][:4] == b"\3\0\0\0"
    assert (finding.found, finding.allowed) == (3, "at most 2, the last sent")
    assert str(finding).endswith("(MQQB-2.2.4.1-02, packet 7 <-, byte 700)")


def test_what_cannot_be_fed() -> None:
    monitor = SessionMonitor()
    up: Any = "up"
    with pytest.raises(ValueError, match="direction is 'up'"):
        monitor.feed(up, mqqb.SessionAck())
    with pytest.raises(ValueError, match="direction is 'up'"):
        monitor.gap(up)
    with pytest.raises(ValueError, match="BaseHeader is not a packet of a session"):
        monitor.feed("->", mqmq.BaseHeader())  # type: ignore[arg-type]  # this is the mistake


@given(st.lists(st.tuples(st.sampled_from(WAYS), mt.packets() | mt.pings()), max_size=12))
@settings(suppress_health_check=list(HealthCheck))
def test_anything_can_be_fed(tape: list[tuple[Direction, Any]]) -> None:
    monitor = SessionMonitor()
    for way, packet in tape:
        assert {finding.requirement for finding in monitor.feed(way, packet)} <= reportable()
    monitor.disconnect()
    json.dumps(monitor.snapshot())


@for_each("way", lambda: WAYS)
def test_a_window_that_shrinks_does_not_limit_what_was_allowed(way: Direction) -> None:
    """The larger window of both sides limits (erratum Q23), and no header takes back what was announced."""
    wire = Wire(8)
    wire.open()
    wire.session_ack(way, lambda packet: bend(packet, "SessionHeader.WindowSize", 1))
    for _ in range(8):
        wire.send(way)
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape) == []
    sides = {"->": monitor.summary.forward, "<-": monitor.summary.backward}
    assert sides[way].window == 8


@for_each("way", lambda: WAYS)
def test_parameters_of_a_handshake_that_was_not_seen_take_no_window_back(way: Direction) -> None:
    wire = Wire(8)
    monitor = SessionMonitor()
    for window in (8, 1):
        wire.sides[way].window = window
        monitor.feed(way, wire.parameters(way))
    sides = {"->": monitor.summary.forward, "<-": monitor.summary.backward}
    assert sides[way].window == 8


def test_a_connection_that_follows_another_begins_with_a_request() -> None:
    """After the end of a connection was seen, nothing of the next one is missing."""
    wire = Wire()
    wire.open(bent={0: lambda packet: bend(packet, "InternalHeader.Flags.CS", 1)}, last=1)
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape) == []  # the request may have been lost
    monitor.disconnect()
    assert [row.requirement for row in judged(monitor, wire.tape)] == ["MQQB-3.1.5.2.3-01"]


def test_a_ping_before_a_session_says_nothing_of_the_next_one() -> None:
    """What a Ping announced holds for the handshake that follows it; then another may answer."""
    wire = Wire()
    ping(wire, "->")
    wire.open()
    wire.sides["<-"].guid = STRANGER
    wire.open()
    assert judged(SessionMonitor(), wire.tape) == []


def test_an_answer_to_no_ping_is_compared_with_the_latest() -> None:
    """Of several Pings without an answer; one of an earlier Ping is an answer to that."""
    monitor = SessionMonitor()
    pings = [mqqb.PingPacket(Cookie=cookie, Flags=mqqb.PingPacketFlags(RC=flag)) for cookie, flag in
             ((11, 0), (22, 0), (33, 1))]  # fmt: skip
    for asked in pings:
        assert monitor.feed("->", mw.replace(asked, QMGuid=CLIENT)) == ()
    for asked in pings[::-1]:
        assert monitor.feed("<-", mw.replace(asked, QMGuid=SERVER)) == ()
    (found,) = monitor.feed("<-", mw.replace(pings[2], QMGuid=SERVER, Cookie=44))
    assert (found.requirement, found.found) == ("MQQB-2.2.7-24", 44)


@pytest.mark.parametrize("refused", [False, True])
def test_an_answer_whose_request_is_missing(refused: bool) -> None:
    """It names both queue managers, and no message was sent before it."""
    monitor = SessionMonitor(opener="->")
    header = mqqb.EstablishConnectionHeader(ClientGuid=CLIENT, ServerGuid=SERVER, TimeStamp=77)
    answer = mqqb.EstablishConnection(
        InternalHeader=mqqb.InternalHeader(Flags=mqqb.InternalHeaderFlags(CS=int(refused))),
        EstablishConnectionHeader=header,
    )
    monitor.state.sides["->"].window = monitor.state.sides["<-"].window = 9
    assert monitor.feed("<-", answer) == ()
    state = monitor.state
    assert (state.phase, state.handshake) == (("refused",) * 2 if refused else ("accepted", "incomplete"))
    assert (state.initiator, state.time_stamp, state.request, state.missing) == ("->", 77, None, False)
    assert state.sides["->"].manager == str(CLIENT)
    assert state.sides["<-"].manager == (None if refused else str(SERVER))
    for side in state.sides.values():
        assert (side.sent, side.recoverable_sent, side.acknowledged) == (0, 0, 0)
        assert (side.recoverable_acknowledged, side.recoverable_flags, side.whole) == (0, 0, True)
        assert side.window is None


def test_a_request_begins_both_sides() -> None:
    """Nothing was sent or acknowledged yet, and no window was announced."""
    monitor = SessionMonitor()
    for side in monitor.state.sides.values():
        side.window, side.sent, side.recoverable_flags = 9, 7, 2
    header = mqqb.EstablishConnectionHeader(ClientGuid=CLIENT, ServerGuid=SERVER, TimeStamp=77)
    assert monitor.feed("->", mqqb.EstablishConnection(EstablishConnectionHeader=header)) == ()
    state = monitor.state
    assert (state.phase, state.handshake, state.initiator) == ("asked", "incomplete", "->")
    assert (state.time_stamp, state.sides["->"].manager) == (77, str(CLIENT))
    assert state.sides["<-"].manager is None
    for side in state.sides.values():
        assert (side.sent, side.recoverable_sent, side.acknowledged) == (0, 0, 0)
        assert (side.recoverable_flags, side.whole, side.window) == (0, True, None)


@pytest.mark.parametrize("known", [None, 0])
def test_parameters_in_the_middle_of_a_handshake_begin_the_counts(known: int | None) -> None:
    """Of a side of which something is not known; what is known stays."""
    monitor = SessionMonitor()
    for side in monitor.state.sides.values():
        side.sent, side.acknowledged, side.whole = 5, known, False
    assert monitor.feed("->", mqqb.ConnectionParameters()) == ()
    for side in monitor.state.sides.values():
        wanted = (0, 0, True) if known is None else (5, 0, False)
        assert (side.sent, side.acknowledged, side.whole) == wanted
    assert monitor.state.sides["->"].window == 64
    assert monitor.state.sides["<-"].window is None
    assert monitor.state.offered is not None


def test_packets_of_a_session_are_counted_by_kind() -> None:
    wire = Wire()
    wire.open()
    wire.send("->")
    wire.send("->", recoverable=True)
    wire.transact("->")
    monitor = SessionMonitor()
    assert judged(monitor, wire.tape) == []
    tally = monitor.state.sides["->"].tally
    assert (tally.express, tally.recoverable, tally.transactional) == (1, 1, 1)
    assert tally.packets == 5  # with two of the handshake
    assert (tally.acknowledgments, tally.order_acks, tally.final_acks, tally.session_acks) == (0, 0, 0, 0)
    assert monitor.state.sides["->"].sent == 3
    assert monitor.state.sides["->"].recoverable_sent == 2


def _alarms(first: int, last: int) -> list[tuple[int, str, str]]:
    return [
        (seed, view, str(findings[0]))
        for seed in range(first, last)
        for view, findings in judged_views(History(seed), seed)
        if findings
    ]


def test_legal_histories_cause_no_findings() -> None:
    """Messages expire, are rejected and removed; connections break; taps lose packets, and join late."""
    assert _alarms(0, 40) == []


@pytest.mark.long
def test_many_legal_histories_cause_no_findings() -> None:
    assert _alarms(40, 40 + share(1000)) == []


def test_the_monitor_and_validate_say_the_same_sentence() -> None:
    """If `validate` is given the packet whose value has to be repeated."""
    wire = Wire()
    wire.open(bent={3: lambda packet: bend(packet, "ConnectionParametersHeader.AckTimeout", 99_999)})
    (found, *more) = judged(SessionMonitor(), wire.tape)
    assert more == []
    context = mw.Context(request=wire.tape[2][1])
    (alone,) = mw.validate(wire.tape[3][1], context=context)
    assert (alone.requirement, alone.path, alone.offset) == (found.requirement, found.path, found.offset)
    assert (alone.found, alone.allowed, alone.message) == (found.found, found.allowed, found.message)
    assert found.allowed.endswith(", as in the request")
