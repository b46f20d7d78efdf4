"""What became of each message: connections by hand, the states typed in from the table of the page."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest
from support_examples import share

import msmq_wire as mw
from msmq_wire import GUID, NULL_GUID, mqmq
from msmq_wire.captures import tables
from msmq_wire.captures.answers.deliveries.reasons import STATES
from msmq_wire.captures.engine import Settings
from msmq_wire.captures.files.segments import ACK, FIN
from msmq_wire.captures.reports.stories import delivery_line, story

from .conversations import (
    DENIED,
    FINALLY_LATE,
    LATE,
    MESSAGE,
    NO_QUEUE,
    NOT_TAKEN,
    ONE,
    OTHER_SEQUENCE,
    QUEUE,
    REACHED,
    RECEIVED,
    RECEIVER,
    ROUTER,
    SENDER,
    SENT,
    SEQUENCE,
    TWO,
    TWO_QUEUES,
    Wire,
    answered,
    final_ack,
    in_sequence,
    listed,
    message,
    order_ack,
    session,
    session_ack,
    to_two,
    told,
    transactional,
)
from .segments import EPOCH, Capture, Talk

if TYPE_CHECKING:
    from pathlib import Path


AT_ONCE, ALONE = 1 << 18, 1
"""How many rows are joined at once: all, or those of each queue manager for themselves."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Join rows the second way, too, in about a third of the tests; in a thorough run, in all."""
    if "wire" in metafunc.fixturenames:
        is_chosen = share(2) == 2 or crc32(metafunc.function.__name__.encode()) % 3 == 0
        both = [AT_ONCE, pytest.param(ALONE, marks=pytest.mark.long)]
        metafunc.parametrize("wire", both if is_chosen else both[:1], indirect=True)


@pytest.fixture
def wire(tmp_path: Path, request: pytest.FixtureRequest) -> Wire:
    """Captures whose rows are joined so many at once."""
    wire = Wire(tmp_path)
    wire.joined = request.param
    return wire


# ------------------------------------------------------------------------------------------------ states


@pytest.mark.each(4)
@pytest.mark.parametrize(
    ("state", "answers"),
    [
        ("sent", []),
        ("accepted", [session_ack(1)]),
        ("reached", [session_ack(1), told(REACHED)]),
        ("reached", [told(REACHED)]),
        ("received", [told(REACHED), told(RECEIVED, number=91)]),
        ("received", [told(RECEIVED)]),
        ("refused", [told(DENIED)]),
        ("refused", [session_ack(1), told(REACHED), told(NO_QUEUE, number=91)]),
        ("expired", [told(LATE)]),
        ("expired", [told(REACHED), told(FINALLY_LATE, number=91)]),
        ("sent", [told(RECEIVED, about=8)]),
    ],
)
def test_express(wire: Wire, state: str, answers: list[bytes]) -> None:
    """The first state of the table that an answer proves counts."""
    session(wire.sensor()).send("->", message()).send("<-", *answers).close()
    row = wire.row()
    assert (row["state"], row["mode"], row["purpose"]) == (state, "express", "application")
    assert row["variants"] == 1
    assert row["destination"] == QUEUE


@pytest.mark.parametrize(
    ("state", "answers"),
    [
        ("accepted", [session_ack(1)]),
        ("reached", [session_ack(1, stored=1)]),
        ("reached", [session_ack(1), session_ack(1, stored=1)]),
        ("received", [session_ack(1, stored=1), told(RECEIVED)]),
    ],
)
def test_recoverable(wire: Wire, state: str, answers: list[bytes]) -> None:
    """A queue manager that has the queue says that it stored the message."""
    data = message(recoverable=True, QueueManagerAddress=RECEIVER)
    session(wire.sensor()).send("->", data).send("<-", *answers).close()
    row = wire.row()
    assert (row["state"], row["mode"]) == (state, "recoverable")
    (hop,) = row["hops"]
    assert hop["session_acknowledged_at"] is not None
    assert (hop["stored_at"] is None) == (state == "accepted")


@pytest.mark.parametrize(
    ("state", "answers"),
    [
        ("reached", [order_ack(1, SEQUENCE)]),
        ("reached", [order_ack(4, SEQUENCE)]),
        ("accepted", [session_ack(1), order_ack(1, mqmq.TxSequenceID(Ordinal=4, TimeStamp=SENT))]),
        ("received", [order_ack(1, SEQUENCE), final_ack(RECEIVED, SEQUENCE)]),
        ("refused", [order_ack(1, SEQUENCE), final_ack(NOT_TAKEN - 1, SEQUENCE)]),
        ("expired", [final_ack(FINALLY_LATE, SEQUENCE)]),
    ],
)
def test_transactional(wire: Wire, state: str, answers: list[bytes]) -> None:
    """An OrderAck is for all messages of its sequence up to a number, a FinalAck for one."""
    session(wire.sensor()).send("->", transactional()).send("<-", *answers).close()
    row = wire.row()
    assert (row["state"], row["mode"]) == (state, "transactional")
    assert row["number_in_sequence"] == 1


def test_the_packets_that_acknowledge(wire: Wire) -> None:
    """The frame of each is that of its segment, counted by hand."""
    capture = wire.sensor()
    talk = session(capture).send("->", transactional())
    answers = {
        "session_acknowledgment": session_ack(1),
        "stored_acknowledgment": session_ack(1, stored=1),
        "order_acknowledgment": order_ack(1, SEQUENCE),
        "acknowledgment": told(REACHED),
        "final_acknowledgment": final_ack(RECEIVED, SEQUENCE),
    }
    expected, offset = {}, sum(len(row["payload"]) for row in capture.rows if row["src"] == "10.0.0.2")
    for name, data in answers.items():
        talk.send("<-", data)
        expected[name] = len(capture.rows), offset, capture.rows[-1]["time"]
        offset += len(data)
    talk.send("<-", session_ack(1, stored=1), order_ack(1, SEQUENCE), final_ack(RECEIVED, SEQUENCE)).close()
    row = wire.row()
    (hop,), (acknowledgment,) = row["hops"], row["acknowledgments"]
    packets = {
        "session_acknowledgment": (hop["session_acknowledgment"], hop["session_acknowledged_at"]),
        "stored_acknowledgment": (hop["stored_acknowledgment"], hop["stored_at"]),
        "order_acknowledgment": (row["order_acknowledgment"], row["order_acknowledged_at"]),
        "acknowledgment": (acknowledgment, acknowledgment["time"]),
        "final_acknowledgment": (row["final_acknowledgment"], row["final_acknowledged_at"]),
    }
    assert {
        name: (packet["first_frame"], packet["offset"], time) for name, (packet, time) in packets.items()
    } == expected
    assert {(packet["file"], packet["sensor"]) for packet, _ in packets.values()} == {
        ("/captures/a/1.pcap", hop["sensor"])
    }
    assert {packet["connection"] for packet, _ in packets.values()} == {hop["connection"]}
    (back,) = {packet["flow"] for packet, _ in packets.values()}
    assert back.startswith("tcp 10.0.0.2:1801 > 10.0.0.1:49152 ")


@pytest.mark.parametrize("stored", [0, 1])
def test_the_acknowledgment_of_the_session_is_the_last_of_a_message(wire: Wire, stored: int) -> None:
    talk = session(wire.sensor()).send("->", message(recoverable=True)).send("<-", session_ack(1))
    talk.send("<-", session_ack(1, stored=stored)).close()
    row = wire.row()
    (hop,) = row["hops"]
    assert row["last_at"] == hop["stored_at" if stored else "session_acknowledged_at"] > hop["last_at"]


def test_packets_that_nothing_acknowledges(wire: Wire) -> None:
    session(wire.sensor()).send("->", transactional()).close()
    row = wire.row()
    (hop,) = row["hops"]
    names = "session_acknowledgment", "stored_acknowledgment"
    assert [hop[name] for name in names] == [None, None]
    assert [row[name] for name in ("order_acknowledgment", "final_acknowledgment")] == [None, None]


# ------------------------------------------------------------------------------------- hops and identifiers


def test_two_sensors_and_copies_are_one_hop(wire: Wire) -> None:
    """Behind NAT addresses differ, and the message is sent again: one hop, captured four times."""
    for name, address in (("a", "10.0.0.1"), ("b", "192.0.2.1")):
        talk = session(wire.sensor(name), src=address)
        talk.send("->", message(), message()).send("<-", session_ack(2)).close()
    row = wire.row()
    (hop,) = row["hops"]
    assert (hop["from"], hop["to"], hop["count"]) == (str(SENDER), str(RECEIVER), 4)
    assert (hop["sent"], [sensor.rsplit("/", 2)[-2] for sensor in hop["sensors"]]) == (2, ["a", "b"])
    assert (row["state"], row["variants"]) == ("accepted", 1)


@pytest.mark.parametrize(
    ("connections", "sent", "sensors"),
    [
        ({"a": [49152], "b": [49152]}, 1, ["a", "b"]),
        ({"a": [49152, 49153]}, 2, ["a"]),
        ({"a": [49152, 49153], "b": [49153]}, 2, ["a", "b"]),
        ({"a": [49152], "b": [49153]}, 2, ["a", "b"]),
    ],
)
def test_copies_at_sensors_are_told_from_what_is_sent_again(
    wire: Wire, connections: dict[str, list[int]], sent: int, sensors: list[str]
) -> None:
    """A packet has one place in its connection, wherever it is captured; in another one it was sent again."""
    for name, ports in connections.items():
        capture = wire.sensor(name)
        for port in ports:
            session(capture, src_port=port).send("->", message()).close()
    (hop,) = wire.row()["hops"]
    assert (hop["count"], hop["sent"]) == (sum(map(len, connections.values())), sent)
    assert [sensor.rsplit("/", 2)[-2] for sensor in hop["sensors"]] == sensors


def test_copies_at_sensors_that_captured_no_beginning(wire: Wire) -> None:
    """Places in the connection differ, so what one sensor saw was sent at least."""
    before = session_ack(0)
    for name, captured in (("a", [before, before]), ("b", [before])):
        lost = [before] * (2 - len(captured))
        Talk(wire.sensor(name)).send("->", *lost, lost=True).send("->", *captured, message())
    (hop,) = wire.row()["hops"]
    assert (hop["count"], hop["sent"], len(hop["sensors"])) == (2, 1, 2)


READER: Any = {"src": "10.0.0.50", "src_port": 50_100, "dst_port": 2105}


def test_a_message_that_was_sent_and_read_remotely(wire: Wire) -> None:
    """The answer of a read is no hop, and its sender does not depend on the queue."""
    session(wire.sensor()).send("->", message()).send("<-", session_ack(1)).close()
    Talk(wire.sensor(), **READER).open().send("<-", answered(message())).close()
    row = wire.row()
    assert (row["state"], len(row["hops"])) == ("accepted", 1)
    assert [read["by"] for read in row["reads"]] == ["10.0.0.50"]
    (queue,) = wire.rows("queues")
    assert (queue["messages"], queue["hosts"], queue["remote_readers"]) == (1, 1, [("10.0.0.50", 1)])
    (dependency,) = wire.rows("dependencies")
    assert (dependency["host"], dependency["remote_readers"]) == ("10.0.0.1", [("10.0.0.50", 1)])


def test_a_message_that_was_only_read_remotely(wire: Wire) -> None:
    """Twice; what became of it, no packet says, nor who has sent it."""
    talk = Talk(wire.sensor(), **READER).open()
    talk.send("<-", answered(message()), answered(message(), 2)).close()
    row = wire.row()
    assert (row["state"], row["why"].partition(" ")[0], row["hops"]) == ("unknown", "Only", [])
    assert "remote read" in row["why"]
    assert [(proof["what"], proof["first_frame"]) for proof in row["proof"]] == [("remote read", 4)]
    assert (row["destination"], row["size"], row["partial"]) == (QUEUE, len(message()), False)
    assert len(row["reads"]) == 2
    assert (row["first_at"], row["last_at"]) == tuple(read["time"] for read in row["reads"])
    (dependency,) = wire.rows("dependencies")
    assert (dependency["host"], dependency["queue_manager"]) == (None, str(SENDER))
    assert dependency["remote_readers"] == [("10.0.0.50", 2)]


def test_hops_over_a_router(wire: Wire) -> None:
    """The last hop counts: the router took the message, and the receiver did not."""
    capture = wire.sensor()
    session(capture, SENDER, ROUTER).send("->", message()).send("<-", session_ack(1)).close()
    session(capture, ROUTER, RECEIVER, src="10.0.0.9", src_port=50_000).send("->", message()).close()
    row = wire.row()
    assert [(hop["from"], hop["to"]) for hop in row["hops"]] == [
        (str(SENDER), str(ROUTER)),
        (str(ROUTER), str(RECEIVER)),
    ]
    assert [hop["session_acknowledged_at"] is None for hop in row["hops"]] == [False, True]
    assert row["state"] == "sent"


def test_an_identifier_used_twice(wire: Wire) -> None:
    """Different messages are two rows, and each says so; what comes back belongs to the one before it."""
    talk = session(wire.sensor()).send("->", message(MessageBody=b"first")).send("<-", told(REACHED))
    talk.send("->", message(MessageBody=b"second!")).close()
    rows = [row for row in wire.rows() if row["message"] == MESSAGE]
    assert [(row["variant"], row["variants"], row["state"]) for row in rows] == [
        (1, 2, "reached"),
        (2, 2, "sent"),
    ]
    assert all("used for 2 different messages" in row["why"] for row in rows)


@pytest.mark.parametrize("lost", [False, True])
def test_missing_bytes_leave_the_answer_unknown(wire: Wire, lost: bool) -> None:
    talk = session(wire.sensor()).send("->", message())
    talk.send("<-", session_ack(1), lost=lost).send("<-", told(REACHED, about=8)).close()
    row = wire.row()
    assert row["state"] == ("unknown" if lost else "accepted")
    assert row["proof"][0]["what"] == "message"
    assert len(row["proof"]) == 2


def test_only_the_acknowledgment_was_captured(wire: Wire) -> None:
    session(wire.sensor()).send("<-", told(REACHED)).close()
    row = wire.row()
    assert (row["state"], row["first_at"], row["hops"]) == ("reached", None, [])


def test_a_message_that_is_cut(wire: Wire) -> None:
    """What was read of it counts, with its identifier; without it there is no row."""
    data = message(MessageBody=b"x" * 2000)
    talk = session(wire.sensor()).send("->", data[:1500]).send("->", data[1500:], lost=True)
    talk.send("->", message(8)).send("<-", told(REACHED)).close()
    row = wire.row()
    assert (row["state"], row["partial"], row["destination"]) == ("reached", True, QUEUE)
    assert wire.row(f"{SENDER}\\8")["state"] in {"sent", "unknown"}


def unreadable(number: int = 8, **more: Any) -> bytes:
    """A message whose body has more bytes than the packet."""
    data = bytearray(message(number, MessageBody=b"z" * 99, **more))
    at = data.index((99).to_bytes(4, "little"))
    data[at] = 250
    return bytes(data)


@pytest.mark.parametrize("recoverable", [False, True])
def test_messages_after_an_unreadable_one(wire: Wire, recoverable: bool) -> None:
    more: Any = {"recoverable": recoverable, "QueueManagerAddress": RECEIVER}
    talk = session(wire.sensor()).send("->", message(**more), unreadable(**more), message(9, **more))
    talk.send("<-", session_ack(3, stored=3 * recoverable)).close()
    states = [wire.row(f"{SENDER}\\{number}")["state"] for number in (7, 8, 9)]
    assert states == ["reached" if recoverable else "accepted"] * 3


@pytest.mark.parametrize("lost", [False, True])
def test_what_a_later_packet_states_counts_for_those_before_it(wire: Wire, lost: bool) -> None:
    """In a session whose beginning was not captured, up to missing bytes."""
    more: Any = {"recoverable": True, "QueueManagerAddress": RECEIVER}
    talk = Talk(wire.sensor()).send("->", message(**more)).send("->", message(8, **more), lost=lost)
    talk.send("->", message(9, **more))
    talk.send("->", session_ack(0, UserMsgSequenceNumber=40, RecoverableMsgSeqNumber=3))
    talk.send("<-", session_ack(39, stored=2)).close()
    rows = [wire.row(f"{SENDER}\\{number}") for number in (7, 9)]
    assert [row["state"] for row in rows] == ["unknown" if lost else "accepted", "sent"]
    assert [row["hops"][0]["stored_at"] is None for row in rows] == [lost, True]


@pytest.mark.each(5)
@pytest.mark.parametrize(
    ("first", "stop", "states"),
    [
        (900, 1500, ("accepted", "reached")),
        (900, 0, ("accepted", "reached")),  # as far as the next message
        (20, 1500, ("accepted", "accepted")),  # which does not tell whether it is recoverable
        (900, 40, ("unknown", "unknown")),  # and the beginning of the next one
        (10, 1500, ("unknown", "unknown")),
    ],
)
def test_messages_after_one_with_missing_bytes(
    wire: Wire, first: int, stop: int, states: tuple[str, str]
) -> None:
    """They are counted on, unless the missing bytes may be a message, or do not tell what it was."""
    for recoverable, state in zip((False, True), states, strict=True):
        more: Any = {"recoverable": recoverable, "QueueManagerAddress": RECEIVER}
        data = message(MessageBody=b"x" * 2000, **more)
        whole = data + message(8, **more)
        end = stop if stop > first else len(data) + stop
        talk = session(wire.sensor()).send("->", whole[:first]).send("->", whole[first:end], lost=True)
        talk.send("->", whole[end:], message(9, **more))
        talk.send("<-", session_ack(3, stored=3 * recoverable)).close()
        assert wire.row(f"{SENDER}\\9")["state"] == state
        del wire.captures[:]


def asks(*flags: str) -> dict[str, Any]:
    """The fields of a message that asks for acknowledgments, such as ``PA``: that it came to its queue."""
    wanted = mqmq.MessagePropertiesHeaderFlags(**dict.fromkeys(flags, 1))
    return {"AdminQueue": "DIRECT=OS:sender\\private$\\admin", "MessagePropertiesHeaderFlags": wanted}


@pytest.mark.parametrize(
    ("later", "tolerance", "answers", "state", "passed"),
    [
        (2, 0, [], "sent", False),
        (9, 0, [], "expired", True),
        (9, 3, [], "expired", True),
        (9, 4, [], "sent", False),
        (9, 0, [told(REACHED)], "reached", False),
        (65, 60, [], "sent", False),
        (66, 60, [], "expired", True),
    ],
)
def test_deadlines(
    wire: Wire, later: int, tolerance: int, answers: list[bytes], state: str, passed: bool
) -> None:
    """A deadline passes while the capture goes on, without evidence that the message arrived."""
    wire.settings = Settings(clock_tolerance=tolerance)
    capture = wire.sensor()
    session(capture).send("->", message(TimeToReachQueue=5, **asks("PA"))).send("<-", *answers)
    end = EPOCH + dt.timedelta(seconds=later)
    Talk(capture, src="10.0.0.77").segment("->", 1, b"x", time=end)
    row = wire.row()
    assert (row["state"], row["reach_passed"], row["receive_by"]) == (state, passed, None)
    assert row["reach_by"] == EPOCH + dt.timedelta(seconds=5)


@pytest.mark.each(3)
@pytest.mark.parametrize(
    ("limit", "asked", "state"),
    [
        ("TimeToReachQueue", {}, "sent"),
        ("TimeToReachQueue", asks("NA", "NR"), "sent"),
        ("TimeToReachQueue", asks("PR"), "sent"),  # it may be in its queue
        ("TimeToReachQueue", asks("PA"), "expired"),
        ("TimeToReachQueue", {**asks("PA", "PR"), "AdminQueue": None}, "sent"),
        ("TimeToReachQueue", {**asks("PA"), "AdminQueue": f"PRIVATE={ROUTER}\\00000009"}, "sent"),
        ("TimeToReachQueue", {**asks("PA"), "AdminQueue": f"PRIVATE={SENDER}\\00000009"}, "expired"),
        ("TimeToBeReceived", {}, "sent"),
        ("TimeToBeReceived", asks("NA", "NR"), "sent"),
        ("TimeToBeReceived", asks("PR"), "expired"),
        ("TimeToBeReceived", asks("PA"), "expired"),
    ],
)
@pytest.mark.parametrize("to", [QUEUE, TWO])
def test_a_deadline_of_a_message_that_asks_for_nothing(
    wire: Wire, limit: str, asked: dict[str, Any], state: str, to: str
) -> None:
    """It may have been in time, and nobody would have said so; the columns say that the deadline passed."""
    wire.settings = Settings(clock_tolerance=0)
    more = {limit: 5, **asked}
    capture = wire.sensor()
    if to == TWO:
        told_of = told(REACHED, ResponseQueue=ONE), told(RECEIVED, 7, 91, ResponseQueue=ONE)
        session(capture).send("->", to_two(RECEIVER, ONE, **more)).send("<-", *told_of).close()
        session(capture, SENDER, ROUTER, dst="10.0.0.9").send("->", to_two(ROUTER, TWO, **more))
    else:
        session(capture).send("->", message(**more))
    Talk(capture, src="10.0.0.77").segment("->", 1, b"x", time=EPOCH + dt.timedelta(seconds=9))
    row = wire.row()
    passed = {name: row[f"{name}_passed"] for name in ("reach", "receive")}
    which = "reach" if limit == "TimeToReachQueue" else "receive"
    assert passed == {**dict.fromkeys(passed), which: True}
    assert row["state"] == state
    assert ("Its time ended" in row["why"], "would tell" in row["why"]) == (True, state == "sent")
    assert {use["states"][0] for use in wire.rows("queues") if use["queue"] == to} == {(state, 1)}


@pytest.mark.parametrize("limit", ["TimeToReachQueue", "TimeToBeReceived"])
@pytest.mark.parametrize("asked", [{}, asks("PA")])
def test_a_deadline_of_a_transactional_message(wire: Wire, limit: str, asked: dict[str, Any]) -> None:
    """It asks for a FinalAck, whose absence does not count; the sentence is about the other ones."""
    wire.settings = Settings(clock_tolerance=0)
    header = in_sequence()
    header = mw.replace(header, Flags=header.Flags.replace(FA=1))
    capture = wire.sensor()
    more: dict[str, Any] = {"TransactionHeader": header, limit: 5, **asked}
    session(capture).send("->", message(recoverable=True, **more))
    Talk(capture, src="10.0.0.77").segment("->", 1, b"x", time=EPOCH + dt.timedelta(seconds=9))
    row = wire.row()
    assert row["state"] == ("expired" if asked else "sent")
    assert ("it asks for no administration acknowledgment" in row["why"]) == (not asked)


@pytest.mark.each(2)
@pytest.mark.parametrize(
    ("sent", "is_lost", "is_told"),
    [
        (message(**asks("PA", "NR")), True, True),
        (message(**asks("PA", "NR")), False, False),
        (message(), True, False),
        (transactional(), True, True),
    ],
)
def test_a_later_acknowledgment_may_be_missing(
    wire: Wire, sent: bytes, *, is_lost: bool, is_told: bool
) -> None:
    """The state is what was captured; if the message asks for more, the reason says what may be missing."""
    capture = wire.sensor()
    talk = session(capture).send("->", message(6)).send("<-", message(89, RECEIVER), lost=not is_lost)
    talk.send("->", sent).send("<-", session_ack(2)).send("<-", told(0xC001), lost=is_lost)
    talk.send("<-", message(91, RECEIVER)).close()
    row = wire.row()
    assert row["state"] == ("accepted" if is_lost else "refused")
    assert ("A later acknowledgment may be among missing bytes." in row["why"]) == is_told
    assert "among missing bytes" not in wire.row(f"{SENDER}\\6")["why"]


IN = "DIRECT=OS:sender\\private$\\in"
READS_FROM_AFAR = GUID.of("44444444-4444-4444-4444-444444444444")


def response(by: GUID = RECEIVER, number: int = 40, to: str = IN) -> bytes:
    """A message of a program that names the message of the sender."""
    named = SENDER.bytes_le + (7).to_bytes(4, "little")
    return message(number, by, CorrelationID=named, DestinationQueue=to)


def test_responses_and_copies(wire: Wire) -> None:
    """Each has its place, also in the story, and is told once."""
    copies = [f"DIRECT=OS:sender\\SYSTEM$;{name}" for name in ("DEADLETTER", "DEADXACT", "JOURNAL")]
    talk = session(wire.sensor()).send("->", message(), *(message(DestinationQueue=to) for to in copies))
    talk.send("<-", response(), response(), response(ROUTER, 41)).close()
    row = wire.row()
    assert [(told["message"], told["destination"], told["first_frame"]) for told in row["responses"]] == [
        (f"{RECEIVER}\\40", IN, 12),
        (f"{ROUTER}\\41", IN, 14),
    ]
    assert [(copy["to"], copy["first_frame"]) for copy in row["copies"]] == [
        ("dead-letter", 9),
        ("dead-letter", 10),
        ("journal", 11),
    ]
    lines = [*story(row)]
    assert (
        sum("a copy goes to a dead-letter queue: /captures/a/1.pcap, frame 9" in line for line in lines) == 1
    )
    assert (
        sum(f"sends message {RECEIVER}\\40 about it: /captures/a/1.pcap, frame 12" in line for line in lines)
        == 1
    )


def test_only_a_copy_was_captured(wire: Wire) -> None:
    """It names the message, and not the queue to which that was sent."""
    copy = message(DestinationQueue="DIRECT=OS:sender\\SYSTEM$;DEADLETTER", Label="order\0")
    session(wire.sensor()).send("->", copy).close()
    row = wire.row()
    assert (row["state"], row["hops"], row["destination"], row["label"]) == ("unknown", [], None, "order")
    assert row["why"].startswith("Only a copy of it")
    assert [told["first_frame"] for told in row["copies"]] == [8]
    assert [(told["what"], told["first_frame"]) for told in row["proof"]] == [("message", 8)]
    assert row["first_at"] == row["last_at"] == row["copies"][0]["time"]
    assert wire.rows("queues") == []


@pytest.mark.each(3)
@pytest.mark.parametrize(
    ("asks", "answers", "state", "proof"),
    [
        (False, [response()], "received", "response"),
        (True, [response(), told(REACHED)], "received", "response"),
        (False, [response(), told(RECEIVED)], "received", "acknowledgment"),
        (False, [response(), told(NOT_TAKEN - 1)], "refused", "acknowledgment"),
        (True, [response(), told(FINALLY_LATE)], "expired", "acknowledgment"),
        (True, [response(SENDER)], "sent", None),  # whose application sent both
        (False, [response(READS_FROM_AFAR)], "sent", None),
        (True, [response(READS_FROM_AFAR)], "received", "response"),
        (True, [response(READS_FROM_AFAR, to=IN.upper())], "received", "response"),
        (True, [response(READS_FROM_AFAR, to=QUEUE)], "sent", None),
    ],
)
def test_a_response(wire: Wire, asks: bool, answers: list[bytes], state: str, proof: str | None) -> None:
    """One from the queue manager with the queue, or to the queue that the message names for it."""
    data = message(ResponseQueue=IN) if asks else message()
    session(wire.sensor()).send("->", data).send("<-", *answers).close()
    row = wire.row()
    assert row["state"] == state
    assert [told["what"] for told in row["proof"]] == ["message", *([proof] if proof else [])]
    assert (row["class"] is None) == (proof != "acknowledgment")
    assert ("response" in row["why"]) == (proof == "response")


def test_a_response_to_a_message_whose_receiver_is_unknown(wire: Wire) -> None:
    """There was no handshake, or the message was not captured: whoever answers it has read it."""
    talk = Talk(wire.sensor()).open().send("->", message())
    talk.send("<-", response(READS_FROM_AFAR)).close()
    assert wire.row()["state"] == "received"
    del wire.captures[:]
    session(wire.sensor()).send("<-", told(REACHED), response()).close()
    row = wire.row()
    assert (row["state"], [told["what"] for told in row["proof"]]) == ("received", ["response"])


def test_a_report_of_a_queue_manager_is_no_response(wire: Wire) -> None:
    """It says where the message is on its way, and not that a program has read it."""
    named = SENDER.bytes_le + (7).to_bytes(4, "little")
    report = message(60, RECEIVER, MessageClass=1, CorrelationID=named, DestinationQueue=IN)
    session(wire.sensor()).send("->", message()).send("<-", session_ack(1), report).close()
    row = wire.row()
    assert (row["state"], row["responses"]) == ("accepted", [])


@pytest.mark.parametrize("is_read", [False, True])
def test_the_class_of_a_dead_letter(wire: Wire, is_read: bool) -> None:
    """A negative class in a dead-letter queue is about the message there, not about the one it answers."""
    named = SENDER.bytes_le + (7).to_bytes(4, "little")
    to = IN if is_read else "DIRECT=OS:receiver\\SYSTEM$;DEADLETTER"
    answer = message(40, RECEIVER, MessageClass=LATE, CorrelationID=named, DestinationQueue=to)
    capture = wire.sensor()
    talk = session(capture).send("->", message()).send("<-", told(REACHED))
    if is_read:
        Talk(capture, **READER).open().send("<-", answered(answer))
    else:
        talk.send("<-", answer)
    row = wire.row()
    assert (row["state"], [told["class"] for told in row["acknowledgments"]]) == (
        "reached" if is_read else "received",
        ["MQMSG_CLASS_ACK_REACH_QUEUE"],
    )
    assert is_read or wire.row(f"{RECEIVER}\\40")["purpose"] == "application"


@pytest.mark.parametrize("milliseconds", [-1, 1])
def test_the_end_of_a_capture_of_two_sensors(wire: Wire, milliseconds: int) -> None:
    """A deadline has passed if one of the sensors went on, whichever has the earlier clock."""
    ends = {"a": 0, "b": 200}
    for name, end in ends.items():
        capture = wire.sensor(name)
        later = dt.timedelta(milliseconds=milliseconds if end else 0)
        talk = session(capture)
        data = message(TimeToReachQueue=5, **asks("PA"))
        talk.segment("->", talk.next["->"], data, time=EPOCH + later)
        if end:
            at = EPOCH + dt.timedelta(seconds=end)
            Talk(capture, src="10.0.0.77").segment("->", 1, b"x", time=at)
    row = wire.row()
    assert (len(row["hops"]), row["state"], row["reach_passed"]) == (1, "expired", True)


def test_another_sensor_that_has_one_direction(wire: Wire) -> None:
    """What one of them has captured completely is not in doubt."""
    for name in ("a", "b"):
        session(wire.sensor(name)).send("->", message()).send("<-", session_ack(0)).close()
    worse = wire.captures[1].rows
    worse[:] = [row for row in worse if row["src"] == "10.0.0.1"]
    row = wire.row()
    assert (row["state"], len(row["hops"][0]["sensors"])) == ("sent", 2)
    del wire.captures[0]
    assert wire.row()["state"] == "unknown"


@pytest.mark.parametrize("goes_on", [False, True])
def test_an_answer_that_passed_one_of_two_sensors(wire: Wire, goes_on: bool) -> None:
    """A connection may break between them: a sensor proves that nothing is missing as far as it went on."""
    sent = [message(8), message(9), message()]
    session(wire.sensor("a")).send("->", *sent).send("<-", *[session_ack(2)] * goes_on)
    second = session(wire.sensor("b")).send("->", sent[0], lost=True).send("->", *sent[1:])
    second.send("<-", session_ack(2)).close()
    assert wire.row()["state"] == ("sent" if goes_on else "unknown")


def test_a_deadline_that_was_met_before_the_message_was_lost(wire: Wire) -> None:
    """It was in its queue in time, whatever became of it there."""
    data = message(TimeToReachQueue=5)
    session(wire.sensor()).send("->", data).send("<-", told(REACHED), told(FINALLY_LATE, number=91)).close()
    row = wire.row()
    assert row["state"] == "expired"
    assert [line.rpartition(": ")[2] for line in story(row) if "has to reach" in line] == ["met"]


def test_a_read_at_two_sensors_is_one(wire: Wire) -> None:
    for name in ("a", "b"):
        capture = wire.sensor(name)
        session(capture).send("->", message()).close()
        reader = Talk(capture, **READER).open()
        reader.send("<-", answered(message())).close()
    assert [read["by"] for read in wire.row()["reads"]] == ["10.0.0.50"]
    (queue,) = wire.rows("queues")
    assert (queue["messages"], queue["remote_readers"]) == (1, [("10.0.0.50", 1)])


def test_a_read_shows_a_message_that_was_captured_in_part(wire: Wire) -> None:
    """Its hop has the first bytes; what a reader got is whole."""
    data = message(MessageBody=b"x" * 2000)
    capture = wire.sensor()
    session(capture).send("->", data[:60]).send("->", data[60:], lost=True).close()
    reader = Talk(capture, **READER).open()
    reader.send("<-", answered(data)).close()
    row = wire.row()
    assert (row["partial"], row["destination"], len(row["hops"]), len(row["reads"])) == (False, QUEUE, 1, 1)
    assert [queue["queue"] for queue in wire.rows("queues")] == [QUEUE]


def test_a_response_to_one_of_several_queues(wire: Wire) -> None:
    """It says nothing of the other queue."""
    capture = wire.sensor()
    session(capture).send("->", to_two(RECEIVER, ONE)).send("<-", response()).close()
    assert wire.row()["state"] == "unknown"
    session(capture, SENDER, ROUTER, dst="10.0.0.9").send("->", to_two(ROUTER, TWO)).close()
    assert wire.row()["state"] == "sent"
    session(capture, SENDER, ROUTER, dst="10.0.0.9").send("<-", response(ROUTER, 41)).close()
    row = wire.row()
    assert (row["state"], row["why"].partition(" sent")[0][-36:]) == ("received", str(RECEIVER))


@pytest.mark.parametrize(
    ("answers", "state", "reach", "receive"),
    [
        ([], "expired", True, True),
        ([told(REACHED)], "expired", False, True),
        ([response()], "received", False, False),
        ([told(RECEIVED)], "received", False, False),
    ],
)
def test_what_comes_back_late_tells_what_was_in_time(
    wire: Wire, answers: list[bytes], state: str, reach: bool, receive: bool
) -> None:
    """A program gets no message whose time has ended; its answer may take long."""
    wire.settings = Settings(clock_tolerance=0)
    capture = wire.sensor()
    data = message(TimeToReachQueue=5, TimeToBeReceived=5, **asks("PA"))
    talk = session(capture).send("->", data)
    for answer in answers:
        talk.segment("<-", talk.next["<-"], answer, time=EPOCH + dt.timedelta(seconds=60))
    end = EPOCH + dt.timedelta(seconds=61)
    Talk(capture, src="10.0.0.77").segment("->", 1, b"x", time=end)
    row = wire.row()
    state = "reached" if answers == [told(REACHED)] else state
    assert (row["state"], row["reach_passed"], row["receive_passed"]) == (state, reach, receive)
    lines = [line.rpartition(": ")[2] for line in story(row) if "has to " in line]
    ends = {True: "passed, without a sign of it", False: "met"}
    assert lines == [ends[reach], ends[receive]]


def test_a_deadline_that_is_open(wire: Wire) -> None:
    session(wire.sensor()).send("->", message(TimeToReachQueue=5)).close()
    (line,) = [line for line in story(wire.row()) if "has to " in line]
    assert line.endswith(": not certainly over when the capture ended")


@pytest.mark.parametrize(
    ("kind", "lines"),
    [
        (LATE, ["missed, as an acknowledgment says", "not certainly over when the capture ended"]),
        (FINALLY_LATE, ["met", "missed, as an acknowledgment says"]),
    ],
)
def test_a_deadline_that_was_missed(wire: Wire, kind: int, lines: list[str]) -> None:
    """An acknowledgment says so, however soon the capture ends."""
    data = message(TimeToReachQueue=5, TimeToBeReceived=5, **asks("PA"))
    answers = [told(REACHED)] * (kind == FINALLY_LATE) + [told(kind, number=91)]
    session(wire.sensor()).send("->", data).send("<-", *answers).close()
    assert [line.rpartition(": ")[2] for line in story(wire.row()) if "has to " in line] == lines


STRANGER = GUID.of("66666666-6666-6666-6666-666666666666")


@pytest.mark.each(3)
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(
    ("by", "is_seen"), [(RECEIVER, True), (SENDER, True), (STRANGER, False), (ROUTER, False)]
)
def test_who_refuses(wire: Wire, by: GUID, is_seen: bool, named: bool) -> None:
    """Its sender, those to which it was seen going, and the one that it names; others may be on its way."""
    data = message(QueueManagerAddress=ROUTER) if named else message()
    session(wire.sensor()).send("->", data).send("<-", told(DENIED, by=by)).close()
    row = wire.row()
    assert (row["state"], row["class"]) == ("refused", "MQMSG_CLASS_NACK_ACCESS_DENIED")
    known = is_seen or (named and by == ROUTER)
    assert ("It was not seen going there." in row["why"]) != known


def test_who_refuses_what_nobody_was_seen_to_have(wire: Wire) -> None:
    """Without a handshake, or without the message, nothing is said of who has it."""
    refusal = told(DENIED, by=STRANGER)
    Talk(wire.sensor()).open().send("->", message()).send("<-", refusal).close()
    assert wire.row()["state"] == "refused"
    assert "not seen" not in wire.row()["why"]
    del wire.captures[:]
    session(wire.sensor()).send("<-", refusal).close()
    assert "not seen" not in wire.row()["why"]


@pytest.mark.parametrize(
    ("data", "state"),
    [
        (message(recoverable=True, QueueManagerAddress=RECEIVER, TimeToReachQueue=60), "reached"),
        (message(recoverable=True, QueueManagerAddress=RECEIVER, TimeToReachQueue=0), "accepted"),
        (transactional(), "accepted"),
    ],
)
def test_what_is_stored_may_be_dropped(wire: Wire, data: bytes, state: str) -> None:
    """A message that came too late, or out of order, is acknowledged as stored, too."""
    session(wire.sensor()).send("->", data).send("<-", session_ack(1, stored=1)).close()
    row = wire.row()
    assert row["state"] == state
    assert row["hops"][0]["stored_at"] is not None


@pytest.mark.parametrize("is_named", [False, True])
def test_the_last_hop_is_the_last_on_the_way(wire: Wire, is_named: bool) -> None:
    """The sensor of the first hop is late; the second one may have no handshake, but begins where it ends."""
    second, first = wire.sensor("b"), wire.sensor("a")
    if is_named:
        talk = session(second, ROUTER, RECEIVER, src="10.0.0.9")
    else:
        talk = Talk(second, src="10.0.0.9").open()
    talk.send("->", message()).close()
    first.rows += [{}] * 1000  # its clock
    session(first, SENDER, ROUTER, dst="10.0.0.9").send("->", message()).send("<-", session_ack(1)).close()
    del first.rows[:1000]
    row = wire.row()
    assert [hop["to"] for hop in row["hops"]] == [str(ROUTER), str(RECEIVER) if is_named else "10.0.0.2"]
    assert row["hops"][0]["time"] > row["hops"][1]["time"]
    assert row["state"] == ("sent" if is_named else "unknown")


def test_only_a_fin_shows_that_an_answer_is_missing(wire: Wire) -> None:
    """The bytes before it are missing until it comes."""
    session(wire.sensor()).send("->", message()).send("<-", session_ack(1), lost=True).close()
    row = wire.row()
    assert row["state"] == "unknown"
    assert [proof["what"] for proof in row["proof"]] == ["message", "missing bytes"]


@pytest.mark.parametrize("is_before", [False, True])
def test_an_acknowledgment_of_tcp_shows_that_an_answer_is_missing(wire: Wire, is_before: bool) -> None:
    """Nothing came after the answer but this, and then the message or the end of the capture."""
    talk = session(wire.sensor())
    if not is_before:
        talk.send("->", message())
    talk.send("<-", session_ack(1), lost=True)
    talk.segment("->", talk.next["->"])
    if is_before:
        talk.send("->", message())
    row = wire.row()
    assert row["state"] == ("sent" if is_before else "unknown")
    shown = [proof["first_frame"] for proof in row["proof"] if proof["what"] == "missing bytes"]
    assert len(shown) == 1 - is_before


def test_an_answer_that_was_lost_before_a_message(wire: Wire) -> None:
    """A FIN of the other side shows it, and came before the message."""
    talk = session(wire.sensor()).send("<-", session_ack(0), lost=True)
    talk.segment("<-", talk.next["<-"], flags=FIN | ACK)
    talk.send("->", message())
    assert wire.row()["state"] == "sent"


@pytest.mark.parametrize("way", ["->", "<-"])
def test_it_may_have_been_sent_again_in_missing_bytes(wire: Wire, way: str) -> None:
    """The next session of the two queue managers has a gap."""
    capture = wire.sensor()
    session(capture).send("->", message()).send("<-", session_ack(0)).close()
    again = session(capture, src_port=50_000).send(way, message(8), lost=True)
    again.send(way, session_ack(0)).close()
    row = wire.row()
    assert row["state"] == "unknown"
    assert [proof["what"] for proof in row["proof"]] == ["message", "missing bytes"]


@pytest.mark.parametrize("reordered", [False, True])
def test_a_router_may_have_sent_it_again_in_missing_bytes(wire: Wire, reordered: bool) -> None:
    """The gap is between two queue managers, neither of which is its sender; two sensors see it at once."""
    hops = [wire.sensor(name) for name in ("a", "b")]
    session(wire.sensor("c"), SENDER, ROUTER).send("->", message()).send("<-", session_ack(1)).close()
    for capture in hops:
        ends = {"src": "10.0.0.9", "src_port": 50_000}
        session(capture, ROUTER, RECEIVER, **ends).send("->", message()).send("<-", session_ack(0)).close()
        again = session(capture, ROUTER, RECEIVER, **{**ends, "src_port": 50_001})
        again.send("->", message(8), lost=True).send("->", session_ack(0)).close()
    wire.apart = True
    if reordered:
        wire.captures.reverse()
    row = wire.row()
    assert row["state"] == "unknown"
    assert [(proof["what"], proof["sensor"]) for proof in row["proof"]] == [
        ("message", "/captures/a/"),
        ("missing bytes", "/captures/b/"),
    ]


def test_an_order_acknowledgment_without_a_handshake(wire: Wire) -> None:
    """One to a direct name says by its sequence for whom it is."""
    talk = Talk(wire.sensor()).open().send("->", transactional())
    talk.send("<-", order_ack(1, SEQUENCE, to=NULL_GUID)).close()
    assert wire.row()["state"] == "reached"


# ------------------------------------------------------------------------------------ several queues


@pytest.mark.each(4)
@pytest.mark.parametrize(
    ("second", "state"),
    [
        (None, "unknown"),
        ([], "sent"),
        ([told(DENIED, by=ROUTER)], "refused"),
        ([told(REACHED, by=ROUTER)], "reached"),
    ],
)
def test_several_queues(wire: Wire, second: list[bytes] | None, state: str) -> None:
    """The queue of which the least good is known decides."""
    capture = wire.sensor()
    session(capture).send("->", to_two(RECEIVER, ONE)).send("<-", told(REACHED)).close()
    if second is not None:
        session(capture, SENDER, ROUTER, dst="10.0.0.9").send("->", to_two(ROUTER, TWO)).send(
            "<-", *second
        ).close()
    row = wire.row()
    assert len(row["destinations"]) == 2
    assert row["state"] == state
    states = {row["queue"]: row["states"] for row in wire.rows("queues") if row["purpose"] == "application"}
    assert states == {ONE: [("reached", 1)], TWO: [(state, 1)]}


def test_what_each_of_several_queues_gets(wire: Wire) -> None:
    """Its time and its receiver are those of the packet for it, and its name is not that of the message."""
    capture = wire.sensor()
    session(capture).send("->", to_two(RECEIVER, ONE)).send("<-", told(REACHED)).close()
    talk = session(capture, SENDER, ROUTER, dst="10.0.0.9").send("->", to_two(ROUTER, TWO))
    talk.send("<-", told(DENIED, by=ROUTER)).close()
    hops = {hop["destination"]: hop["time"] for hop in wire.row()["hops"]}
    assert hops[ONE] < hops[TWO]
    for table in ("queues", "dependencies"):
        rows = {row["queue"]: row for row in wire.rows(table) if row["purpose"] == "application"}
        assert {queue: row["first_at"] for queue, row in rows.items()} == hops
        assert rows[ONE]["receivers"] == [(str(RECEIVER), 1)]
        assert rows[TWO]["receivers"] == [(str(ROUTER), 1)]
    line = delivery_line(wire.row())
    assert ONE in line
    assert TWO in line


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        (0x8001, "says that it was deleted"),
        (0x8004, "refused it"),
        (0xC000, "says that its queue was deleted"),
        (0xC001, "says that its queue was purged"),
        (0xC004, "says that its reader rejected it"),
    ],
)
def test_what_a_negative_class_says(wire: Wire, kind: int, what: str) -> None:
    """A message that reached its queue was not refused by its queue manager."""
    session(wire.sensor()).send("->", message(**asks())).send("<-", told(kind)).close()
    row = wire.row()
    assert row["state"] == "refused"
    assert row["why"] == f"Queue manager {RECEIVER} {what}: {row['class']}."


@pytest.mark.each(3)
@pytest.mark.parametrize("kind", [0x8008, 0x800C, 0xC003, 0x80FF, 0xC0FF])
def test_an_unknown_negative_class(wire: Wire, kind: int) -> None:
    """In the queue for acknowledgments its form says that it is negative; its name is its number."""
    data = message(**asks())
    session(wire.sensor()).send("->", data).send("<-", session_ack(1), told(kind)).close()
    row = wire.row()
    assert (row["state"], row["class"]) == ("refused", str(kind))
    assert row["why"] == f"Queue manager {RECEIVER} refused it: {kind}."
    assert [(one["class"], one["message"]) for one in row["acknowledgments"]] == [
        (str(kind), f"{RECEIVER}\\90")
    ]
    assert row["responses"] == []
    assert wire.row(f"{RECEIVER}\\90")["purpose"] == "acknowledgment"
    for table in ("queues", "dependencies"):
        rows = {use["queue"]: use for use in wire.rows(table) if use["purpose"] == "application"}
        assert {queue: use["states"] for queue, use in rows.items()} == {QUEUE: [("refused", 1)]}
    assert any(f"says {kind}" in line for line in story(row))


@pytest.mark.parametrize("admin", ["DIRECT=OS:sender\\private$\\other", None])
def test_an_unknown_negative_class_in_another_queue(wire: Wire, admin: str | None) -> None:
    """No queue manager acknowledges there: an application answers with a class of its own."""
    data = message(ResponseQueue="DIRECT=OS:sender\\private$\\admin", AdminQueue=admin)
    session(wire.sensor()).send("->", data).send("<-", session_ack(1), told(0x8010)).close()
    row = wire.row()
    assert (row["state"], row["class"], row["acknowledgments"]) == ("received", None, [])
    assert [response["message"] for response in row["responses"]] == [f"{RECEIVER}\\90"]


def test_an_unknown_negative_class_in_the_second_queue_for_acknowledgments(wire: Wire) -> None:
    """The column has the first of them."""
    queues = [f"DIRECT=OS:sender\\private$\\{name}" for name in ("other", "admin")]
    header = mqmq.MultiQueueFormatHeader(Destination=listed(QUEUE), Administration=listed(*queues))
    data = message(MultiQueueFormatHeader=header)
    session(wire.sensor()).send("->", data).send("<-", session_ack(1), told(0x8008)).close()
    assert (wire.row()["state"], wire.row()["class"]) == ("refused", "32776")


def test_an_unknown_negative_class_about_a_message_that_was_not_captured(wire: Wire) -> None:
    session(wire.sensor()).send("<-", told(0x8010)).close()
    row = wire.row()
    assert (row["state"], row["class"]) == ("refused", "32784")


@pytest.mark.each(5)
@pytest.mark.parametrize("kind", [3, 0xFE, 0x100, 0x4001, 0x7FFF, 0x8100, 0xE0FF, 0x9999, 0xFFFF])
@pytest.mark.parametrize("is_told", [False, True])
def test_an_unknown_class_of_another_form(wire: Wire, kind: int, *, is_told: bool) -> None:
    """It is one that an application has set, but in the queue for acknowledgments it may acknowledge."""
    admin = QUEUE if is_told else "DIRECT=OS:sender\\private$\\other"
    back = message(90, RECEIVER, MessageClass=kind, CorrelationID=SENDER.bytes_le + (7).to_bytes(4, "little"))
    session(wire.sensor()).send("->", message(AdminQueue=admin)).send("<-", session_ack(1), back).close()
    row = wire.row()
    assert (row["state"], row["class"]) == ("accepted" if is_told else "received", None)
    assert (row["acknowledgments"], len(row["responses"])) == ([], 0 if is_told else 1)
    assert wire.row(f"{RECEIVER}\\90")["purpose"] == "application"


def test_an_unknown_class_of_a_final_ack(wire: Wire) -> None:
    """A FinalAck has the same classes."""
    talk = session(wire.sensor()).send("->", transactional())
    talk.send("<-", order_ack(1, SEQUENCE), final_ack(0xC003, SEQUENCE)).close()
    row = wire.row()
    assert (row["state"], row["class"], row["final_class"]) == ("refused", "49155", "49155")


def test_an_unknown_negative_class_of_a_message_that_was_read(wire: Wire) -> None:
    """No call names its queue: it may be a dead letter, whose class is about itself."""
    named = SENDER.bytes_le + (7).to_bytes(4, "little")
    answer = message(40, RECEIVER, MessageClass=0x8008, CorrelationID=named, DestinationQueue=IN)
    capture = wire.sensor()
    session(capture).send("->", message()).send("<-", told(REACHED))
    Talk(capture, **READER).open().send("<-", answered(answer))
    assert wire.row()["state"] == "reached"


def test_the_same_packet_from_another_address_later(wire: Wire) -> None:
    """The story says until when it was captured, because a replay is in no other row."""
    capture = wire.sensor()
    session(capture).send("->", message()).send("<-", session_ack(1)).close()
    session(capture, src="203.0.113.9").send("->", message()).send("<-", session_ack(1)).close()
    (hop,) = wire.row()["hops"]
    assert hop["count"] == 2
    assert hop["last_at"] > hop["time"]
    assert any("captured 2 times until" in line for line in story(wire.row()))


def states_at(wire: Wire) -> dict[str, str]:
    """The state of a message to two queues at each of them."""
    rows = [row for row in wire.rows("queues") if row["queue"].lower() in map(str.lower, TWO_QUEUES)]
    return {row["queue"]: state for row in rows for state, _ in row["states"]}


def named(kind: int, queue: str, number: int = 90, by: GUID = RECEIVER) -> bytes:
    """An administration acknowledgment that names the queue of the message, as [MS-MQQB] 3.1.7.15 says."""
    return told(kind, number=number, by=by, ResponseQueue=queue)


@pytest.mark.each(9)
@pytest.mark.parametrize(
    ("answers", "state", "states"),
    [
        ([], "sent", ["sent", "sent"]),
        ([session_ack(1)], "sent", ["accepted", "sent"]),
        ([session_ack(2)], "accepted", ["accepted", "accepted"]),
        ([named(DENIED, ONE)], "refused", ["refused", "sent"]),
        ([session_ack(2), named(DENIED, TWO.upper())], "refused", ["accepted", "refused"]),
        ([named(REACHED, ONE), named(RECEIVED, TWO, 91)], "reached", ["reached", "received"]),
        ([named(REACHED, ONE, by=STRANGER)], "sent", ["reached", "sent"]),
        ([told(DENIED)], "refused", ["unknown", "unknown"]),
        ([told(REACHED)], "unknown", ["unknown", "unknown"]),
        ([session_ack(2), told(REACHED)], "accepted", ["accepted", "accepted"]),
        ([session_ack(2), told(DENIED)], "refused", ["unknown", "unknown"]),
        ([session_ack(2), response()], "accepted", ["accepted", "accepted"]),
        ([response()], "unknown", ["unknown", "unknown"]),
        ([named(RECEIVED, ONE), told(DENIED, number=91)], "refused", ["received", "unknown"]),
        ([session_ack(2), told(DENIED, by=STRANGER)], "refused", ["unknown", "unknown"]),
        ([session_ack(1), told(REACHED, by=STRANGER)], "unknown", ["accepted", "unknown"]),
    ],
)
def test_two_queues_of_one_queue_manager(
    wire: Wire, answers: list[bytes], state: str, states: list[str]
) -> None:
    """Each has a hop and a state of its own, as far as an answer says which of them it is about."""
    copies = [to_two(RECEIVER, queue) for queue in TWO_QUEUES]
    session(wire.sensor()).send("->", *copies).send("<-", *answers).close()
    row = wire.row()
    ends = [(hop["from"], hop["to"], hop["destination"], hop["count"], hop["sent"]) for hop in row["hops"]]
    assert ends == [(str(SENDER), str(RECEIVER), queue, 1, 1) for queue in TWO_QUEUES]
    assert (row["state"], row["destinations"]) == (state, [*TWO_QUEUES])
    assert states_at(wire) == dict(zip(TWO_QUEUES, states, strict=True))
    lines = [line.partition("  ")[2].partition(": ")[0] for line in story(row)]
    assert lines.count(f"from {SENDER} to {RECEIVER}, for {ONE}") == 1


@pytest.mark.parametrize("several", [False, True])
def test_a_packet_that_is_cut_before_its_destination(wire: Wire, several: bool) -> None:
    """It is a copy of the message to its only queue; of several, it may be for another one."""
    body: dict[str, Any] = {"MessageBody": b"x" * 2000}
    first = to_two(RECEIVER, ONE, **body) if several else message(**body)
    second = to_two(RECEIVER, TWO, **body) if several else message(**body)
    talk = session(wire.sensor()).send("->", first, second[:70]).send("->", second[70:], lost=True)
    talk.send("<-", session_ack(2)).close()
    hops = [(hop["destination"], hop["count"]) for hop in wire.row()["hops"]]
    assert hops == ([(ONE, 1), (None, 1)] if several else [(QUEUE, 2)])
    if several:
        assert states_at(wire) == {ONE: "accepted", TWO: "unknown"}


def test_the_story_names_the_queue_of_an_acknowledgment(wire: Wire) -> None:
    copies = [to_two(RECEIVER, queue) for queue in TWO_QUEUES]
    session(wire.sensor()).send("->", *copies).send("<-", named(DENIED, TWO)).close()
    row = wire.row()
    assert [answer["queue"] for answer in row["acknowledgments"]] == [TWO]
    assert any(f"says MQMSG_CLASS_NACK_ACCESS_DENIED for {TWO}: " in line for line in story(row))


def test_what_queues_get_of_a_message_that_was_only_read_remotely(wire: Wire) -> None:
    """What an acknowledgment says of one queue is not said of the other one."""
    capture = wire.sensor()
    Talk(capture, **READER).open().send("<-", answered(to_two(RECEIVER, ONE))).close()
    session(capture).send("<-", named(DENIED, ONE), named(RECEIVED, TWO)).close()
    assert states_at(wire) == {ONE: "refused", TWO: "received"}


@pytest.mark.parametrize("is_named", [False, True])
def test_an_address_may_be_that_of_a_queue_manager_with_another_copy(wire: Wire, is_named: bool) -> None:
    """Only a handshake tells; what is stored may be the duplicate of a copy that passes through."""
    capture = wire.sensor()
    copies = [to_two(manager, queue, recoverable=True) for manager, queue in ((RECEIVER, ONE), (ROUTER, TWO))]
    session(capture).send("->", copies[0]).send("<-", session_ack(1, stored=1)).close()
    if is_named:
        session(capture, SENDER, ROUTER, dst="10.0.0.9").send("->", copies[1]).close()
    else:
        Talk(capture, dst="10.0.0.9").send("->", copies[1]).close()
    assert states_at(wire)[ONE] == ("reached" if is_named else "accepted")


def test_two_queues_of_one_queue_manager_whose_session_breaks(wire: Wire) -> None:
    """What is sent again is counted for its queue, also at two sensors."""
    for name in ("a", "b"):
        capture = wire.sensor(name)
        session(capture).send("->", *(to_two(RECEIVER, queue) for queue in TWO_QUEUES)).close()
        session(capture, src_port=50_000).send("->", to_two(RECEIVER, TWO)).send("<-", session_ack(1)).close()
    assert [(hop["destination"], hop["count"], hop["sent"]) for hop in wire.row()["hops"]] == [
        (ONE, 2, 1),
        (TWO, 4, 2),
    ]
    assert states_at(wire) == {ONE: "sent", TWO: "accepted"}


@pytest.mark.each(6)
@pytest.mark.parametrize("sequence", [SEQUENCE, OTHER_SEQUENCE])
@pytest.mark.parametrize(
    ("answers", "states"),
    [
        ([order_ack(1, SEQUENCE)], ["reached", "sent"]),
        ([order_ack(1, SEQUENCE), final_ack(RECEIVED, SEQUENCE)], ["received", "sent"]),
        ([final_ack(NOT_TAKEN - 1, SEQUENCE)], ["refused", "sent"]),
    ],
)
def test_transactional_messages_to_two_queues_of_one_queue_manager(
    wire: Wire, answers: list[bytes], states: list[str], sequence: Any
) -> None:
    """Each copy has a place of its own, in one sequence or in two."""
    places = [in_sequence(), in_sequence(1 if sequence is OTHER_SEQUENCE else 2, sequence)]
    copies = [
        to_two(RECEIVER, queue, recoverable=True, TransactionHeader=place)
        for queue, place in zip(TWO_QUEUES, places, strict=True)
    ]
    for order in (copies, copies[::-1]):
        session(wire.sensor()).send("->", *order).send("<-", *answers).close()
        assert states_at(wire) == dict(zip(TWO_QUEUES, states, strict=True))
        row = wire.row()
        assert row["state"] == ("refused" if "refused" in states else "sent")
        assert (row["order_acknowledged_at"] is None) == (states[0] == "refused")
        del wire.captures[:]


@pytest.mark.each(4)
@pytest.mark.parametrize(
    ("answers", "state", "states"),
    [
        ([named(REACHED, TWO)], "sent", ["sent", "reached"]),
        ([named(DENIED, TWO)], "refused", ["sent", "refused"]),
        ([told(DENIED)], "refused", ["refused", "unknown"]),
        ([final_ack(NOT_TAKEN - 1, OTHER_SEQUENCE)], "refused", ["sent", "unknown"]),
    ],
)
def test_a_queue_of_which_only_an_acknowledgment_was_captured(
    wire: Wire, answers: list[bytes], state: str, states: list[str]
) -> None:
    """An acknowledgment that names it says nothing of the other one."""
    copy = to_two(RECEIVER, ONE, recoverable=True, TransactionHeader=in_sequence())
    session(wire.sensor()).send("->", copy).send("<-", *answers).close()
    assert wire.row()["state"] == state
    assert states_at(wire) == dict(zip(TWO_QUEUES, states, strict=True))


def test_copies_that_list_no_queues(wire: Wire) -> None:
    """The queues are those of the copies."""
    copies = [message(DestinationQueue=queue) for queue in TWO_QUEUES]
    session(wire.sensor()).send("->", *copies).send("<-", session_ack(1), named(REACHED, TWO)).close()
    row = wire.row()
    assert [hop["destination"] for hop in row["hops"]] == row["destinations"] == [*TWO_QUEUES]
    assert states_at(wire) == {ONE: "accepted", TWO: "reached"}
    assert row["state"] == "accepted"


def test_queues_whose_names_differ_in_their_case(wire: Wire) -> None:
    """They are one queue."""
    session(wire.sensor()).send("->", to_two(RECEIVER, ONE.upper()), to_two(RECEIVER, TWO)).close()
    row = wire.row()
    assert (row["destinations"], len(row["hops"])) == ([ONE.upper(), TWO], 2)
    assert states_at(wire) == {ONE.upper(): "sent", TWO: "sent"}


def test_a_distribution_list(wire: Wire) -> None:
    """The packets do not tell its queues, but copies go to them."""
    element = mqmq.MQFFormatNameElement(
        FormatName=mqmq.MQFDistributionQueueFormatName(DistributionListIdentifier=ROUTER)
    )
    lists = mqmq.MultiQueueFormatHeader(Destination=mqmq.MQFAddressHeader(FormatNameList=[element]))
    queues = [f"DIRECT=OS:{host}\\private$\\orders" for host in ("one", "two")]
    capture = wire.sensor()
    for manager, queue, answer in zip((RECEIVER, ROUTER), queues, (REACHED, DENIED), strict=True):
        copy = message(QueueManagerAddress=manager, MultiQueueFormatHeader=lists, DestinationQueue=queue)
        talk = session(capture, SENDER, manager, dst=f"10.0.0.{answer % 7 + 2}").send("->", copy)
        talk.send("<-", told(answer, by=manager, number=answer)).close()
    row = wire.row()
    assert {*row["destinations"]} == {*queues, f"DL={ROUTER}"}
    assert (row["destination"], row["state"]) == (queues[0], "refused")
    for table in ("queues", "dependencies"):
        uses = {row["queue"]: row["messages"] for row in wire.rows(table) if row["purpose"] == "application"}
        assert uses == dict.fromkeys([*queues, f"DL={ROUTER}"], 1)
    states = {row["queue"]: row["states"] for row in wire.rows("queues") if row["purpose"] == "application"}
    assert states == {
        queues[0]: [("reached", 1)],
        queues[1]: [("refused", 1)],
        f"DL={ROUTER}": [("refused", 1)],
    }


@pytest.mark.parametrize(("seconds", "state"), [(60, "sent"), (62, "expired")])
def test_the_time_of_one_of_several_queues_ends(wire: Wire, seconds: int, state: str) -> None:
    """The message is in the other queue in time."""

    def limited(data: bytes) -> bytes:
        packet: Any = mw.decode(data)
        return mw.encode(mw.replace(packet, BaseHeader=mw.replace(packet.BaseHeader, TimeToReachQueue=1)))

    capture = wire.sensor()
    one, two = (limited(to_two(*end, **asks("PA"))) for end in ((RECEIVER, ONE), (ROUTER, TWO)))
    session(capture).send("->", one).send("<-", told(REACHED)).close()
    session(capture, SENDER, ROUTER, dst="10.0.0.9").send("->", two)
    Talk(capture, src="10.0.0.77").segment("->", 1, b"x", time=EPOCH + dt.timedelta(seconds=seconds))
    row = wire.row()
    assert (row["state"], row["reach_passed"], row["receive_passed"]) == (state, state == "expired", None)


# ------------------------------------------------------------------------ clocks, and one identifier twice


DAY = 86_400
AWAY = {
    "administration": (told(RECEIVED), "received"),
    "final": (final_ack(RECEIVED, SEQUENCE), "received"),
    "order": (order_ack(1, SEQUENCE), "reached"),
    "response": (response(), "received"),
}


def moved(capture: Capture, seconds: float) -> None:
    """The capture begins later."""
    for row in capture.rows:
        row["time"] += dt.timedelta(seconds=seconds)


@pytest.mark.each(21)
@pytest.mark.parametrize("kind", AWAY)
@pytest.mark.parametrize(
    ("sensor", "before", "sent_before", "counts"),
    [
        ("a", -1, 0, True),
        ("a", 1, 0, False),
        ("a", 3600, 0, False),
        ("a", DAY, 0, False),
        ("b", 55, 0, True),
        ("b", 65, 0, False),
        ("b", DAY, 0, False),
        ("a", 65, 70, True),  # the message was sent before it was captured
        ("a", 75, 70, False),
        ("a", 65, SENT + DAY, False),  # it states no time
    ],
)
def test_what_was_captured_before_a_message(
    wire: Wire, kind: str, sensor: str, before: float, sent_before: int, counts: bool
) -> None:
    """It answers another one with the identifier; clocks of two sensors may differ by the tolerance."""
    data, state = AWAY[kind]
    header: Any = mw.decode(transactional())
    sent_at = SENT + DAY - sent_before
    packet = mw.replace(header, UserHeader=mw.replace(header.UserHeader, SentTime=sent_at))
    first = wire.sensor("a")
    session(first).send("->", mw.encode(packet)).close()
    moved(first, DAY)
    back = wire.sensor(sensor)
    session(back, src_port=50_000).send("<-", data).close()
    moved(back, DAY - before)
    rows = sorted((row for row in wire.rows() if row["message"] == MESSAGE), key=lambda row: row["variant"])
    assert rows[0]["state"] == (state if counts else "sent")
    assert len(rows[0]["hops"]) == 1
    alone = not counts and kind in {"administration", "final"}
    assert [row["variants"] for row in rows] == ([2, 2] if alone else [1])
    if alone:
        assert (rows[1]["state"], rows[1]["hops"], rows[1]["first_at"]) == (state, [], None)
        assert all("used for 2 different messages" in row["why"] for row in rows)
    answers = "acknowledgments" if kind == "administration" else "responses"
    if kind in {"administration", "response"}:
        assert len(rows[0][answers]) == counts


def test_of_many_order_acknowledgments_the_first_after_the_message_counts(wire: Wire) -> None:
    """Whatever their numbers; those before it are for another message."""
    capture = wire.sensor()
    orders = [order_ack(number, SEQUENCE) for number in (5, 1, 2, 1, 3, 9)]
    session(capture).send("<-", *orders[:2]).close()
    moved(capture, -10)
    talk = session(capture, src_port=50_000).send("->", transactional(at=2)).send("<-", *orders[2:])
    expected = capture.rows[-4]["time"]
    talk.close()
    assert wire.row()["order_acknowledged_at"] == expected


@pytest.mark.parametrize("data", [told(DENIED, number=7, by=SENDER), response(SENDER, 7)])
def test_a_message_that_names_itself(wire: Wire, data: bytes) -> None:
    """What it says of itself proves nothing."""
    session(wire.sensor()).send("->", data).send("<-", session_ack(1)).close()
    row = wire.row()
    assert (row["state"], row["responses"], row["acknowledgments"]) == ("accepted", [], [])


LONG = b"x" * 2000


@pytest.mark.each(5)
@pytest.mark.parametrize("cut", [300, 1500])
@pytest.mark.parametrize(
    "other",
    [
        {},
        {"SentTime": SENT + 1},
        {"Label": "another\0"},
        {"MessageClass": 1},
        {"MessageBody": b"y" * 2000},
        {"MessageBody": b"x" * 200},
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_an_identifier_used_twice_where_a_packet_is_partial(
    wire: Wire, other: dict[str, Any], first: bool, cut: int
) -> None:
    """What is certain of it decides; a part of the same message is no other message."""
    own: dict[str, Any] = {"MessageBody": LONG, "Label": "order\0"}
    whole, part = message(**own), message(**own)[:cut]
    if other:
        whole = message(**{**own, **other})
    capture = wire.sensor()
    talks = [whole, part] if first else [part, whole]
    for port, data in enumerate(talks, 50_000):
        talk = session(capture, src_port=port).send("->", data)
        if data is part:
            talk.send("->", message(**own)[cut:], lost=True)
        talk.close()
    rows = [row for row in wire.rows() if row["message"] == MESSAGE]
    is_known = bool(other) and (other.get("MessageBody") != b"x" * 200 or cut > 700)
    assert len(rows) == 1 + is_known
    assert {row["variants"] for row in rows} == {1 + is_known}
    assert sorted(hop["count"] for row in rows for hop in row["hops"]) == ([1, 1] if is_known else [2])


def test_parts_of_several_messages_with_one_identifier(wire: Wire) -> None:
    """Each belongs to the message that it may be a part of, also to one that was never captured whole."""
    capture = wire.sensor()
    bodies = [b"a" * 900, b"b" * 900, b"c" * 900]
    packets = [message(MessageBody=body) for body in bodies]
    cuts = [(0, None), (1, None), (0, 600), (2, 500), (1, 700), (2, 600), (0, None)]
    for port, (which, cut) in enumerate(cuts, 50_000):
        talk = session(capture, src_port=port).send("->", packets[which][:cut])
        talk.send("->", packets[which][cut:] if cut else b"", lost=True).close()
    rows = sorted((row for row in wire.rows() if row["message"] == MESSAGE), key=lambda row: row["variant"])
    assert [(row["variants"], row["partial"], row["hops"][0]["count"]) for row in rows] == [
        (3, False, 3),
        (3, False, 2),
        (3, True, 2),
    ]


def test_a_remote_read_of_another_message_with_the_identifier(wire: Wire) -> None:
    """One of a dead-letter queue has another class, and is the same message."""
    session(wire.sensor()).send("->", message()).close()
    talk = Talk(wire.sensor(), **READER).open()
    talk.send("<-", answered(message(MessageClass=DENIED))).close()
    assert len(wire.row()["reads"]) == 1
    Talk(wire.sensor(), **{**READER, "src_port": 50_101}).open().send(
        "<-", answered(message(MessageBody=b"another"))
    ).close()
    rows = [row for row in wire.rows() if row["message"] == MESSAGE]
    assert [(len(row["hops"]), len(row["reads"]), row["variants"]) for row in rows] == [(1, 1, 2), (0, 1, 2)]


@pytest.mark.each(2)
@pytest.mark.parametrize("late", [[], [0], [1], [0, 1], [2], [0, 2]])
def test_hops_are_in_the_order_of_the_way(wire: Wire, late: list[int]) -> None:
    """Whatever the clocks of the sensors say; the story has them so, too."""
    managers = [SENDER, ROUTER, READS_FROM_AFAR, RECEIVER]
    for number, (one, two) in enumerate(pairwise(managers)):
        capture = wire.sensor(f"s{number}")
        talk = session(capture, one, two, src=f"10.0.1.{number}").send("->", message())
        talk.send("<-", session_ack(1)).close()
        moved(capture, number + (30 if number in late else 0))
    row = wire.row()
    way = [*pairwise(map(str, managers))]
    assert [(hop["from"], hop["to"]) for hop in row["hops"]] == way
    assert row["state"] == "accepted"
    lines = [line.partition("  ")[2].partition(": ")[0] for line in story(row)]
    begins = [lines.index(f"from {one} to {two}") for one, two in way]
    ends = [lines.index(f"{two} acknowledged it in the session") for _, two in way]
    assert begins == sorted(begins)
    assert all(begin < end for begin, end in zip(begins, ends, strict=True))


def test_hops_in_a_circle_are_in_the_order_of_time(wire: Wire) -> None:
    capture = wire.sensor()
    ways = [(SENDER, ROUTER), (ROUTER, READS_FROM_AFAR), (READS_FROM_AFAR, ROUTER), (ROUTER, RECEIVER)]
    for number, (one, two) in enumerate(ways):
        session(capture, one, two, src=f"10.0.1.{number}", src_port=50_000 + number).send(
            "->", message()
        ).close()
    assert [(hop["from"], hop["to"]) for hop in wire.row()["hops"]] == [(str(a), str(b)) for a, b in ways]


def test_the_story_names_the_frame_of_missing_bytes(wire: Wire) -> None:
    session(wire.sensor()).send("->", message()).send("<-", session_ack(1), lost=True).close()
    row = wire.row()
    (proof,) = [proof for proof in row["proof"] if proof["what"] == "missing bytes"]
    frame = f"{proof['file']}, frame {proof['first_frame']}"
    assert sum(line.endswith(f"are missing: {frame}") for line in story(row)) == 1


def test_bytes_that_cannot_be_read_are_not_missing(wire: Wire) -> None:
    talk = session(wire.sensor()).send("->", message()).send("<-", unreadable(91, manager=RECEIVER))
    talk.send("<-", message(92, RECEIVER)).close()
    row = wire.row()
    assert row["why"] == f"Queue manager {RECEIVER} may have answered in bytes that cannot be read."
    assert [proof["what"] for proof in row["proof"]] == ["message", "unreadable bytes"]
    assert sum("may have belonged to it cannot be read: " in line for line in story(row)) == 1


def test_it_may_have_been_sent_again_in_bytes_that_cannot_be_read(wire: Wire) -> None:
    session(wire.sensor()).send("->", message()).close()
    talk = session(wire.sensor(), src_port=50001)
    talk.send("->", unreadable(), message(9)).close()
    assert wire.row()["why"].endswith("again in bytes that cannot be read.")


def test_why_the_state_is_unknown(wire: Wire, tmp_path: Path) -> None:
    """A number that is not known, one direction, and no session are different reasons."""
    talk = Talk(wire.sensor()).send("->", message()).send("<-", session_ack(1))
    assert wire.row()["why"] == "Its number in its session is not known."
    del wire.captures[:]
    talk = session(wire.sensor())
    wire.captures[0].rows[:] = [row for row in talk.capture.rows if row["src"] == "10.0.0.1"]
    talk.send("->", message())
    told = "Of its connection, no packet from 10.0.0.2 was captured at the same sensor."
    assert wire.row()["why"] == told
    talk = session(wire.sensor("b"))
    talk.send("<-", session_ack(1))
    wire.captures[1].rows[:] = [row for row in talk.capture.rows if row["src"] == "10.0.0.2"]
    assert wire.row()["why"] == told
    path = tmp_path / "some.packets"
    path.write_bytes(message())
    (row,) = tables(path, ["deliveries"])["deliveries"].read_all().to_pylist()
    assert row["why"] == "It was captured outside of a session, where nothing acknowledges it."


@pytest.mark.parametrize(
    ("sent", "tolerance", "words"),
    [
        (SENT + 7260, 60.0, "captured 2 h 59 s earlier: this clock is ahead of that of the sensor"),
        (SENT - 3600, 60.0, "captured 1 h later: it waited, or this clock is behind that of the sensor"),
        (SENT + 7260, 7300.0, None),
        (SENT + 50, 60.0, None),
        (0, 60.0, None),
    ],
)
def test_the_story_says_by_how_much_clocks_differ(
    wire: Wire, sent: int, tolerance: float, words: str | None
) -> None:
    session(wire.sensor()).send("->", message(SentTime=sent)).close()
    lines = [line.strip() for line in story(wire.row(), tolerance) if "clock is" in line]
    assert lines == [words] * bool(words)


def test_every_state_has_its_words() -> None:
    assert [*STATES] == ["refused", "received", "expired", "reached", "accepted", "unknown", "sent"]


@pytest.mark.parametrize(
    "reason",
    [
        "an answer may be among bytes that are missing or cannot be read",
        "it may have been sent again",
        "its number in its session is not known",
        "no packet of the other direction was captured",
        "it was captured outside of a session",
        "only a remote read",
        "only a copy of it",
        "only an acknowledgment",
        "an answer to it may be for another one of its queues",
        "nothing was captured of one of its queues",
    ],
)
def test_every_reason_for_unknown_has_its_words(reason: str) -> None:
    assert reason in STATES["unknown"]
