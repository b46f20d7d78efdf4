"""What a reply violates beside its request: each rule bent once through a capture, and its straight twin."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from support_rows import for_each

import msmq_wire as mw
from msmq_wire import GUID, mqdsrp, mqmq
from msmq_wire.captures import replying
from msmq_wire.captures.rows import exchanges
from msmq_wire.checks.replies import BESIDE_REQUESTS, NAMING
from msmq_wire.checks.sessions.steps import reportable
from msmq_wire.testing.bent.in_context import IN_CONTEXT
from msmq_wire.testing.bent.records import bent
from msmq_wire.testing.strategies.choices import rolled
from msmq_wire.testing.strategies.directory import signed

from .conversations import NO_QUEUE, QUEUE, REACHED, RECEIVER, ROUTER, SENDER, Wire, session
from .conversations import message as sent

if TYPE_CHECKING:
    from pathlib import Path

    from .segments import Talk

_P = "MessagePropertiesHeader"
CORRELATION = "MQMQ-2.2.19.3-19"
NEEDING = {name: {row.requirement for row in rows} for name, rows in BESIDE_REQUESTS.items()}
OF_MESSAGES = NEEDING["UserMessage"]
OF_DIRECTORY = NEEDING["ChangeReplyMessage"] | NEEDING["SyncReplyMessage"] | NEEDING["AlreadyPurgedMessage"]
JUDGED = (OF_MESSAGES | OF_DIRECTORY) - NAMING - {CORRELATION}
ADMIN = "DIRECT=OS:sender\\private$\\admin"
DESTINATION, BODY = "MQQB-3.1.7.15-01", "MQQB-3.1.7.15-09"
ASKS: dict[str, Any] = {
    "AdminQueue": ADMIN,
    "MessagePropertiesHeaderFlags": mqmq.MessagePropertiesHeaderFlags(PA=1, NA=1),
}

SEVERAL: dict[str, Any] = {
    "MultiQueueFormatHeader": mqmq.MultiQueueFormatHeader(
        Destination=mqmq.MQFAddressHeader(
            FormatNameList=[
                mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName(f"OS:{name}\\orders"))
                for name in ("receiver", "other")
            ]
        )
    )
}


@pytest.fixture
def wire(tmp_path: Path) -> Wire:
    return Wire(tmp_path)


def talk(wire: Wire, sensor: str = "a", port: int = 40001, client: GUID = SENDER) -> Talk:
    """A connection at a sensor, with its handshake."""
    capture = next((known for known in wire.captures if f"/{sensor}/" in known.file), None)
    return session(capture or wire.sensor(sensor), client, src_port=port)


def offset(line: Talk, way: str) -> int:
    """Where the next packet of a direction will be in its flow."""
    return line.next[way] - {"->": 1001, "<-": 5001}[way]


def sender_of(packet: bytes) -> GUID:
    message: Any = mw.decode(packet)
    manager: GUID = message.UserHeader.SourceQueueManager
    return manager


def violations(wire: Wire) -> list[dict[str, Any]]:
    """The violations that two packets show."""
    return [row for row in wire.rows("violations") if row["other"] is not None]


def pair(requirement: str, *, is_bent: bool) -> tuple[bytes, bytes]:
    """A request, and a reply that fits or violates a requirement beside it."""
    bend = IN_CONTEXT[requirement]
    for seed in count():  # until the request is no acknowledgment itself, and has one queue
        dice = rolled(Random(seed))  # noqa: S311  # any numbers will do
        reply, context = bend.base(dice)
        request = context.request
        if not isinstance(request, mqmq.UserMessage):
            break
        if not request.MessagePropertiesHeader.MessageClass and request.MultiQueueFormatHeader is None:
            break
    changes = bend.changes(reply, dice) if is_bent else {}
    if not isinstance(request, mqmq.UserMessage):
        if isinstance(request, mqdsrp.SyncRequestMessage):
            request = mw.replace(request, RequesterName="requester")
        request = signed(mqdsrp.wrap(request, "server", SENDER, message_id=1))
    if isinstance(reply, mqmq.UserMessage):
        if not requirement.startswith("MQDSRP"):
            identifier = request.UserHeader.message_identifier.encode()
            reply = mw.replace(reply, {f"{_P}.CorrelationID": identifier})
        reply = bent(reply, changes)
    else:
        reply = signed(mqdsrp.wrap(bent(reply, changes), "requester", RECEIVER, message_id=2))
    return mw.encode(request), mw.encode(reply)


def test_every_rule_that_needs_a_request_is_asked() -> None:
    """By the session monitor, or of requests and replies; or it is about what names the request."""
    everything = set().union(*NEEDING.values())
    assert {CORRELATION, *NAMING} < OF_MESSAGES | OF_DIRECTORY
    assert everything - (OF_MESSAGES | OF_DIRECTORY) <= reportable()
    assert everything - reportable() - NAMING - {CORRELATION} == JUDGED


@pytest.mark.each(3)
@for_each("requirement", lambda: sorted(JUDGED))
def test_a_bent_reply(tmp_path: Path, requirement: str) -> None:
    wire = Wire(tmp_path)
    request, reply = pair(requirement, is_bent=True)
    line = talk(wire, client=sender_of(request))
    asked_at = offset(line, "->")
    line.send("->", request).send("<-", sent(3))
    replied_at = offset(line, "<-")
    line.send("<-", reply)
    (row,) = violations(wire)
    assert (row["requirement"], row["level"], row["type"]) == (requirement, "must", "UserMessage")
    assert (row["direction"], row["offset"]) == ("<-", replied_at)
    assert row["message"].endswith(".")
    assert (row["other"]["offset"], row["other"]["connection"]) == (asked_at, row["connection"])
    assert row["other"]["flow"] != row["flow"]


@pytest.mark.each(3)
@for_each("requirement", lambda: sorted(JUDGED))
def test_its_straight_twin(tmp_path: Path, requirement: str) -> None:
    wire = Wire(tmp_path)
    request, reply = pair(requirement, is_bent=False)
    line = talk(wire, client=sender_of(request))
    line.send("->", request).send("<-", reply)
    assert violations(wire) == []


@pytest.mark.each(3)
@for_each("requirement", lambda: sorted((NAMING & OF_DIRECTORY) | {CORRELATION}))
def test_what_names_a_request_cannot_be_wrong(tmp_path: Path, requirement: str) -> None:
    """Another request is the right one, which was not captured."""
    wire = Wire(tmp_path)
    request, reply = pair(requirement, is_bent=True)
    line = talk(wire, client=sender_of(request))
    line.send("->", request).send("<-", reply)
    assert violations(wire) == []


# ------------------------------------------------------------------------------------------- messages


def acknowledgment(number: int = 90, kind: int = REACHED, about: int = 7, **more: Any) -> bytes:
    """An administration acknowledgment that fits the message."""
    fields: dict[str, Any] = {
        "MessageClass": kind, "CorrelationID": SENDER.bytes_le + about.to_bytes(4, "little"),
        "DestinationQueue": ADMIN, "ResponseQueue": QUEUE, "MessageBody": b"",
    }  # fmt: skip
    return sent(number, RECEIVER, **{**fields, **more})


def elsewhere(packet: bytes) -> bytes:
    """The same acknowledgment, for a queue that the message did not name."""
    return packet.replace("admin".encode("utf-16-le"), "nimda".encode("utf-16-le"))


def test_acknowledgments(wire: Wire) -> None:
    wire.sensor()
    talk(wire).send("->", sent(7, **ASKS)).send("<-", acknowledgment())
    assert violations(wire) == []
    talk(wire, port=40002).send("<-", elsewhere(acknowledgment()))
    (row,) = violations(wire)
    assert (row["requirement"], row["path"]) == (DESTINATION, "UserMessage.UserHeader.DestinationQueue")
    assert row["message"].endswith("but has to be the administration queue of the message acknowledged.")


_U = "UserHeader"
_OTHER = mqmq.DirectQueueFormatName(DirectFormatName="OS:other\\q\0")
BENT_ACKNOWLEDGMENTS: list[tuple[str, dict[str, Any]]] = [
    ("01", {f"{_U}.DestinationQueue": _OTHER}),
    ("02", {f"{_U}.ResponseQueue": _OTHER}),
    ("03", {f"{_U}.Flags.DM": 1}),
    ("04", {f"{_P}.Flags.PA": 1, f"{_U}.AdminQueue": _OTHER, f"{_U}.Flags.AQ": 7}),
    ("05", {"BaseHeader.TimeToReachQueue": 0xFFFFFFFE}),
    ("05", {f"{_U}.TimeToBeReceived": 60}),
    ("06", {f"{_U}.Flags.JP": 1}),
    ("06", {f"{_U}.Flags.JN": 1}),
    ("07", {f"{_P}.PrivacyLevel": 5, f"{_P}.EncryptionAlgorithm": 0x6610}),
    ("08", {"SecurityHeader": signed(mqmq.UserMessage()).SecurityHeader, f"{_U}.Flags.SH": 1}),
]


def test_acknowledgments_after_one_that_fits(wire: Wire) -> None:
    """What fits once is known by its fields: each other value of one is looked at."""
    line = talk(wire).send("->", sent(7, **ASKS)).send("<-", acknowledgment(), acknowledgment(91))
    for number, (_, changes) in enumerate(BENT_ACKNOWLEDGMENTS, 92):
        line.send("<-", mw.encode(bent(mw.decode(acknowledgment(number)), changes)))
    line.send("<-", acknowledgment(120, MessageBody=b"body"))
    wrong = [f"MQQB-3.1.7.15-{number}" for number, _ in BENT_ACKNOWLEDGMENTS]
    assert [row["requirement"] for row in violations(wire)] == [*wrong, "MQQB-3.1.7.15-10"]


@pytest.mark.parametrize("apart", [False, True], ids=["one bucket", "a bucket for each"])
def test_a_reply_in_another_session_at_another_sensor(wire: Wire, apart: bool) -> None:
    wire.apart = apart
    talk(wire, "a").send("->", sent(7, **ASKS))
    talk(wire, "b", 40002).send("<-", elsewhere(acknowledgment()))
    (row,) = violations(wire)
    assert (row["requirement"], row["file"]) == (DESTINATION, "/captures/b/1.pcap")
    assert (row["other"]["sensor"], row["other"]["file"]) == ("/captures/a/", "/captures/a/1.pcap")
    wire.joined = 1
    talk(wire, "b", 40003).send("->", sent(8, **ASKS)).send("<-", elsewhere(acknowledgment(91, about=8)))
    assert [other["requirement"] for other in violations(wire)] == [DESTINATION] * 2


@pytest.mark.parametrize(
    "request_packet",
    [
        pytest.param(sent(7), id="that asked for nothing"),
        pytest.param(sent(8, **ASKS), id="with another number"),
        pytest.param(sent(7, ROUTER, **ASKS), id="of another queue manager"),
        pytest.param(sent(7, **ASKS)[:-3], id="cut"),
        pytest.param(sent(7, **{**ASKS, "MessageBody": bytes(exchanges.MOST)}), id="very long"),
        pytest.param(sent(7, **ASKS, **SEVERAL), id="to several queues"),
    ],
)  # fmt: skip
def test_what_is_no_request(wire: Wire, request_packet: bytes) -> None:
    talk(wire).send("->", request_packet).close()
    talk(wire, port=40002).send("<-", elsewhere(acknowledgment()))
    assert violations(wire) == []


@pytest.mark.parametrize(("client", "number"), [(SENDER, 1), (ROUTER, 0)])
def test_acknowledgments_go_back(wire: Wire, client: GUID, number: int) -> None:
    """One between others is no acknowledgment of the message, for all that the connection shows."""
    talk(wire).send("->", sent(7, **ASKS))
    talk(wire, port=40002, client=client).send("<-", elsewhere(acknowledgment()))
    assert len(violations(wire)) == number


def test_an_acknowledgment_before_the_message(wire: Wire) -> None:
    """It is of an earlier one with the same identifier."""
    talk(wire).send("<-", elsewhere(acknowledgment())).send("->", sent(7, **ASKS))
    assert violations(wire) == []


def test_names_of_queues_in_other_case(wire: Wire) -> None:
    reply = acknowledgment(DestinationQueue=ADMIN.upper(), ResponseQueue=QUEUE.upper())
    talk(wire).send("->", sent(7, **ASKS)).send("<-", reply)
    assert violations(wire) == []


def test_a_cut_reply(wire: Wire) -> None:
    talk(wire).send("->", sent(7, **ASKS)).send("<-", elsewhere(acknowledgment())[:-3]).close()
    assert violations(wire) == []


def test_a_message_to_several_queues(wire: Wire) -> None:
    """Each of its packets has one of the queues, of which an acknowledgment names one."""
    other = "DIRECT=OS:other\\private$\\orders"
    talk(wire).send("->", sent(7, **ASKS))
    talk(wire, port=40002).send("->", sent(7, **ASKS, DestinationQueue=other))
    back = talk(wire, port=40003).send("<-", acknowledgment(), acknowledgment(91, ResponseQueue=other))
    assert violations(wire) == []
    back.send("<-", acknowledgment(92, ResponseQueue="DIRECT=OS:third\\private$\\orders"))
    (row,) = violations(wire)
    assert row["requirement"] == "MQQB-3.1.7.15-02"
    assert "40001" in row["other"]["connection"]


def test_the_body_that_comes_back(wire: Wire) -> None:
    """Of an encrypted message none does."""
    encrypted: dict[str, Any] = {
        "EncryptionKey": b"k" * 76,
        "SecurityHeaderFlags": mqmq.SecurityHeaderFlags(EB=1),
        "MessageBody": b"12345678",
    }
    talk(wire).send("->", sent(7, **ASKS), sent(8, **{**ASKS, **encrypted}))
    wrong = b"redro"
    back = talk(wire, port=40002)
    for number, about, body in ((90, 7, b"order"), (91, 8, b""), (92, 7, wrong)):
        back.send("<-", acknowledgment(number, NO_QUEUE, about, MessageBody=body))
    (row,) = violations(wire)
    assert (row["requirement"], row["found"]) == (BODY, wrong.hex())


def test_a_copy_in_a_dead_letter_queue(wire: Wire) -> None:
    """It has the class of an acknowledgment, and the CorrelationID that its sender gave it."""
    copy = elsewhere(acknowledgment(DestinationQueue="DIRECT=OS:a\\SYSTEM$;DEADLETTER"))
    talk(wire).send("->", sent(7, **ASKS)).send("<-", copy)
    assert violations(wire) == []


def test_too_many_requests_decide_nothing(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    asking = talk(wire).send("->", sent(7, **ASKS))
    talk(wire, port=40002).send("<-", elsewhere(acknowledgment()))
    monkeypatch.setattr(replying, "_MOST", 1)
    assert len(violations(wire)) == 1
    asking.send("->", sent(7, **ASKS))
    assert violations(wire) == []


def test_a_report_without_a_correlation(wire: Wire) -> None:
    """Its label names the message."""
    request, reply = pair("MQQB-3.1.5.8.9-08", is_bent=True)
    blank = mw.encode(mw.replace(mw.decode(reply), {f"{_P}.CorrelationID": bytes(20)}))
    line = talk(wire, client=sender_of(request))
    line.send("->", request).send("<-", blank)
    assert [row["requirement"] for row in violations(wire)] == ["MQQB-3.1.5.8.9-08"]


def test_what_is_not_reported(wire: Wire) -> None:
    talk(wire).send("->", sent(7, **ASKS)).send("<-", elsewhere(acknowledgment()))
    wire.settings = wire.settings._replace(ignore=frozenset({DESTINATION}))
    assert violations(wire) == []


# ------------------------------------------------------------------------------------------ directory

PARTITION = GUID.of("44444444-4444-4444-4444-444444444444")


def asked(number: int, start: int = 5, manager: GUID = SENDER, purged: int = 0) -> bytes:
    request = mqdsrp.SyncRequestMessage(
        BaseReplicationHeader=mqdsrp.BaseReplicationHeader(SiteID=PARTITION),
        PartitionID=PARTITION, FromSeqNumber=start, ToSeqNumber=mqdsrp.MAX_SEQ_NUMBER,
        KnownPurgedSeqNumber=purged, RequesterName="requester",
    )  # fmt: skip
    return mw.encode(signed(mqdsrp.wrap(request, "server", manager, message_id=number)))


def refused(number: int, purged: int) -> bytes:
    reply = mqdsrp.AlreadyPurgedMessage(
        BaseReplicationHeader=mqdsrp.BaseReplicationHeader(SiteID=PARTITION),
        PartitionID=PARTITION, PurgedSeqNumber=purged,
    )  # fmt: skip
    return mw.encode(signed(mqdsrp.wrap(reply, "requester", RECEIVER, message_id=number)))


PURGED = "MQDSRP-3.2.7.3-04"


def test_a_refused_request_for_changes(wire: Wire) -> None:
    talk(wire).send("->", asked(1)).send("<-", refused(2, 9))
    assert violations(wire) == []
    talk(wire, port=40002).send("->", asked(3)).send("<-", refused(4, 5))
    (row,) = violations(wire)
    assert (row["requirement"], row["other"]["connection"]) == (PURGED, row["connection"])
    assert "40002" in row["connection"]


@pytest.mark.parametrize("purged", [5, 9])
def test_each_request_has_one_reply(wire: Wire, purged: int) -> None:
    """What comes for a second one, which is missing in the capture, is compared with none."""
    talk(wire).send("->", asked(1)).send("<-", refused(2, 9), refused(3, purged))
    assert violations(wire) == []


def test_a_reply_before_its_request(wire: Wire) -> None:
    """The clocks of both directions differ: later replies may be ahead of their requests, too."""
    line = talk(wire).send("<-", refused(2, 9)).send("->", asked(1))
    line.send("<-", refused(4, 5)).send("->", asked(3))
    assert violations(wire) == []


def test_a_reply_that_is_sent_again(wire: Wire) -> None:
    talk(wire).send("->", asked(1), asked(1)).send("<-", refused(2, 5), refused(2, 5), refused(3, 4))
    assert [row["requirement"] for row in violations(wire)] == [PURGED]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param([], [asked(1)], id="a later one"),
        pytest.param([asked(1)[:-3]], [], id="one that is cut"),
        pytest.param([asked(1, purged=7), asked(3)], [], id="one of two fits"),
    ],
)
def test_which_request_is_answered(wire: Wire, before: list[bytes], after: list[bytes]) -> None:
    talk(wire).send("->", *before).send("<-", refused(2, 6)).send("->", *after).close()
    assert violations(wire) == []


def test_a_reply_between_others(wire: Wire) -> None:
    """By names nobody knows who asked, in another connection."""
    talk(wire).send("->", asked(1))
    talk(wire, port=40002).send("<-", refused(2, 5))
    assert violations(wire) == []
