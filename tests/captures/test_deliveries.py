"""What became of each message: connections by hand, the states typed in from the table of the page."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest

import msmq_wire as mw
from msmq_wire import GUID, mqmq, mqqb
from msmq_wire.captures.answers.deliveries import STATES, delivery_rows
from msmq_wire.captures.engine import Settings
from msmq_wire.captures.gathering import EVIDENT
from msmq_wire.captures.making import Maker

from .segments import EPOCH, Capture, Talk, batch_of

if TYPE_CHECKING:
    from pathlib import Path

SENDER = GUID.of("11111111-1111-1111-1111-111111111111")
ROUTER = GUID.of("22222222-2222-2222-2222-222222222222")
RECEIVER = GUID.of("33333333-3333-3333-3333-333333333333")
SENT = 1767225600  # 2026-01-01, when captures by hand begin
MESSAGE = f"{SENDER}\\7"
REACHED, RECEIVED = 0x0002, 0x4000
DENIED, NO_QUEUE, LATE, NOT_TAKEN = 0x8004, 0x8001, 0x8002, 0xC001
FINALLY_LATE = 0xC002
QUEUE = "DIRECT=OS:receiver\\private$\\orders"


class Wire:
    """Captures of one or more sensors, and the rows that come of them."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self.captures: list[Capture] = []

    def sensor(self, name: str = "a") -> Capture:
        self.captures.append(Capture(f"/captures/{name}/1.pcap"))
        return self.captures[-1]

    def rows(self) -> list[dict[str, Any]]:
        """All rows of `deliveries`."""
        maker = Maker(frozenset({EVIDENT}), Settings(), self._place)
        tables = [*maker.made([batch_of(*self.captures)], 0)]
        batches = [batch for name, batch in tables if name == EVIDENT]
        deliveries = delivery_rows(batches, None, maker.until)
        return [row for _, batch in deliveries for row in batch.to_pylist()]

    def row(self, message: str = MESSAGE) -> dict[str, Any]:
        """The row of a message."""
        (row,) = [row for row in self.rows() if row["message"] == message]
        return row


@pytest.fixture
def wire(tmp_path: Path) -> Wire:
    return Wire(tmp_path)


def session(capture: Capture, client: GUID = SENDER, server: GUID = RECEIVER, **ends: Any) -> Talk:
    """A connection with a complete handshake."""
    talk = Talk(capture, **ends).open()
    header = mqqb.EstablishConnectionHeader(ClientGuid=client, ServerGuid=server)
    establish = mw.encode(mqqb.EstablishConnection(EstablishConnectionHeader=header))
    parameters = mw.encode(mqqb.ConnectionParameters())
    return talk.send("->", establish).send("<-", establish).send("->", parameters).send("<-", parameters)


def message(number: int = 7, manager: GUID = SENDER, *, recoverable: bool = False, **more: Any) -> bytes:
    flags = mqmq.UserHeaderFlags(DM=int(recoverable))
    fields = {
        "SourceQueueManager": manager, "MessageID": number, "SentTime": SENT, "DestinationQueue": QUEUE,
        "MessageBody": b"order", "UserHeaderFlags": flags,
    }  # fmt: skip
    return mw.encode(mqmq.UserMessage.of(**{**fields, **more}))


def told(kind: int, about: int = 7, number: int = 90, by: GUID = RECEIVER, **more: Any) -> bytes:
    """An administration acknowledgment of a message of the sender."""
    named = SENDER.bytes_le + about.to_bytes(4, "little")
    return message(
        number, by, MessageClass=kind, CorrelationID=named,
        DestinationQueue="DIRECT=OS:sender\\private$\\admin", MessageBody=b"", **more,
    )  # fmt: skip


def session_ack(count: int, *, stored: int = 0) -> bytes:
    """So many messages of the other side are acknowledged, and so many of its recoverable ones as stored."""
    flags = (1 << stored) - 1  # one bit for each from the number on
    return mw.encode(
        mqqb.SessionAck.of(
            AckSequenceNumber=count,
            RecoverableMsgAckSeqNumber=1 if stored else 0,
            RecoverableMsgAckFlags=flags,
        )
    )


def order_ack(number: int, sequence: Any, by: GUID = RECEIVER) -> bytes:
    body = mqqb.OrderAckBody(
        TxSequenceID=sequence, TxSequenceNumber=number, TxPreviousSequenceNumber=number - 1
    )
    return mw.encode(
        mqqb.OrderAck.of(
            SourceQueueManager=by, QueueManagerAddress=SENDER, MessageID=50, MessageBody=body.encode()
        )
    )


def final_ack(kind: int, sequence: Any, about: int = 7) -> bytes:
    body = mqqb.FinalAckBody(
        TxSequenceID=sequence,
        TxSequenceNumber=1,
        TxPreviousSequenceNumber=0,
        SourceGUID=SENDER,
        MessageID=about,
    )
    return mw.encode(
        mqqb.FinalAck.of(
            SourceQueueManager=RECEIVER, QueueManagerAddress=SENDER, MessageID=51, MessageClass=kind,
            MessageBody=body.encode(),
        )
    )  # fmt: skip


SEQUENCE = mqmq.TxSequenceID(Ordinal=3, TimeStamp=SENT)


def transactional(number: int = 7, at: int = 1) -> bytes:
    header = mqmq.TransactionHeader(
        TxSequenceID=SEQUENCE, TxSequenceNumber=at, PreviousTxSequenceNumber=at - 1
    )
    return message(number, recoverable=True, TransactionHeader=header)


# ------------------------------------------------------------------------------------------------ states


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


# ------------------------------------------------------------------------------------- hops and identifiers


def test_two_sensors_and_copies_are_one_hop(wire: Wire) -> None:
    """Behind NAT addresses differ, and the message is sent again: one hop, captured four times."""
    for name, address in (("a", "10.0.0.1"), ("b", "192.0.2.1")):
        talk = session(wire.sensor(name), src=address)
        talk.send("->", message(), message()).send("<-", session_ack(2)).close()
    row = wire.row()
    (hop,) = row["hops"]
    assert (hop["from"], hop["to"], hop["count"]) == (str(SENDER), str(RECEIVER), 4)
    assert (row["state"], row["variants"]) == ("accepted", 1)


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


@pytest.mark.parametrize(
    ("later", "answers", "state", "passed"),
    [(2, [], "sent", False), (9, [], "expired", True), (9, [told(REACHED)], "reached", False)],
)
def test_deadlines(wire: Wire, later: int, answers: list[bytes], state: str, passed: bool) -> None:
    """A deadline passes while the capture goes on, without evidence that the message arrived."""
    capture = wire.sensor()
    session(capture).send("->", message(TimeToReachQueue=5)).send("<-", *answers)
    end = EPOCH + dt.timedelta(seconds=later)
    Talk(capture, src="10.0.0.77").segment("->", 1, b"x", time=end)
    row = wire.row()
    assert (row["state"], row["reach_passed"], row["receive_by"]) == (state, passed, None)
    assert row["reach_by"] == EPOCH + dt.timedelta(seconds=5)


def test_responses_and_copies(wire: Wire) -> None:
    named = SENDER.bytes_le + (7).to_bytes(4, "little")
    response = message(40, RECEIVER, CorrelationID=named, DestinationQueue="DIRECT=OS:sender\\private$\\in")
    dead = message(DestinationQueue="DIRECT=OS:sender\\SYSTEM$;DEADLETTER")
    session(wire.sensor()).send("->", message(), dead).send("<-", response).close()
    row = wire.row()
    assert row["responses"] == [f"{RECEIVER}\\40"]
    assert (row["dead_letter_copies"], row["journal_copies"]) == (1, 0)


# ------------------------------------------------------------------------------------ several queues


def to_two(manager: GUID, host: str) -> bytes:
    """The copy of a message to two queues that goes to one queue manager."""
    names = tuple(
        mqmq.MQFFormatNameElement(
            FormatName=mqmq.MQFDirectQueueFormatName(DirectFormatName=f"OS:{name}\\private$\\orders")
        )
        for name in ("one", "two")
    )
    lists = mqmq.MultiQueueFormatHeader(Destination=mqmq.MQFAddressHeader(FormatNameList=names))
    queue = f"DIRECT=OS:{host}\\private$\\orders"
    return message(QueueManagerAddress=manager, MultiQueueFormatHeader=lists, DestinationQueue=queue)


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
    session(capture).send("->", to_two(RECEIVER, "one")).send("<-", told(REACHED)).close()
    if second is not None:
        session(capture, SENDER, ROUTER, dst="10.0.0.9").send("->", to_two(ROUTER, "two")).send(
            "<-", *second
        ).close()
    row = wire.row()
    assert len(row["destinations"]) == 2
    assert row["state"] == state


def test_every_state_has_its_words() -> None:
    assert [*STATES] == ["refused", "received", "expired", "reached", "accepted", "unknown", "sent"]
