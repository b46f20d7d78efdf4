"""What a reply violates beside its request: each rule bent once through a capture, and its straight twin."""

from __future__ import annotations

from itertools import count, product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_fates import FAULTS, LOSSES, History, write
from support_rows import for_each, table

import msmq_wire as mw
from msmq_wire import GUID, captures, mqdsrp, mqmq
from msmq_wire.captures import replying
from msmq_wire.captures.rows import exchanges
from msmq_wire.checks.replies import BESIDE_REQUESTS, NAMING, violations_beside
from msmq_wire.checks.sessions.steps import reportable
from msmq_wire.testing.bent.in_context import IN_CONTEXT
from msmq_wire.testing.bent.records import bent
from msmq_wire.testing.strategies.choices import rolled
from msmq_wire.testing.strategies.directory import signed

from .conversations import NO_QUEUE, QUEUE, REACHED, RECEIVER, ROUTER, SENDER, Wire, session
from .conversations import message as sent
from .segments import Talk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from msmq_wire.testing.captures.connections import Faults

_P = "MessagePropertiesHeader"
CORRELATION = "MQMQ-2.2.19.3-19"
NEEDING = {name: {row.requirement for row in rows} for name, rows in BESIDE_REQUESTS.items()}
OF_MESSAGES = NEEDING["UserMessage"]
OF_DIRECTORY = NEEDING["ChangeReplyMessage"] | NEEDING["SyncReplyMessage"] | NEEDING["AlreadyPurgedMessage"]
JUDGED = (OF_MESSAGES | OF_DIRECTORY) - NAMING - {CORRELATION}
ADMIN = "DIRECT=OS:sender\\private$\\admin"
DESTINATION, RESPONSE, BODY = (f"MQQB-3.1.7.15-{number}" for number in ("01", "02", "09"))
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


OTHER_QUEUE = "DIRECT=OS:other\\private$\\orders"
SECOND = sent(7, **ASKS, DestinationQueue=OTHER_QUEUE)
"""Another message with the identifier of the first."""


def _in_gap(wire: Wire) -> None:
    talk(wire, port=40002).send("->", SECOND, lost=True).send("->", sent(8))


def _at_end(wire: Wire) -> None:
    talk(wire, port=40002).send("->", SECOND, lost=True).send("<-", sent(8, RECEIVER))


def _in_one_direction(wire: Wire) -> None:
    line = session(wire.captures[0], SENDER, src_port=40002)
    wire.captures[0].rows = [row for row in wire.captures[0].rows if row["dst_port"] != 40002]
    line.send("->", SECOND, lost=True).send("<-", sent(8, RECEIVER))


def _before_capture(wire: Wire) -> None:
    Talk(wire.captures[0], src_port=40002).send("->", sent(8))


def _cut(wire: Wire) -> None:
    talk(wire, port=40002).send("->", SECOND[:-3]).close()


def _damaged(wire: Wire) -> None:
    at = 64  # of DestinationQueue.Count
    talk(wire, port=40002).send("->", SECOND[:at] + b"\xff\xff" + SECOND[at + 2 :], sent(8))


def _spoiled(wire: Wire) -> None:
    talk(wire, port=40002).send("->", bytes(8) + SECOND[8:], sent(8))  # without its signature


def _overwritten(wire: Wire) -> None:
    line, first = talk(wire, port=40002), sent(8)
    at = line.next["->"]
    line.send("->", first)
    line.segment("->", at, SECOND[: len(first)])


def _without_session(wire: Wire) -> None:
    Talk(wire.captures[0], src_port=40002).open().send("->", bytes(len(SECOND)))


def _very_long(wire: Wire) -> None:
    more = {**ASKS, "DestinationQueue": OTHER_QUEUE, "MessageBody": bytes(exchanges.MOST)}
    talk(wire, port=40002).send("->", sent(7, **more))


def _between_others(wire: Wire) -> None:
    line = session(wire.captures[0], ROUTER, GUID(bytes(15) + b"4"), src_port=40002)
    line.send("->", SECOND, lost=True).send("->", sent(8, ROUTER))


def _elsewhere(wire: Wire) -> None:
    talk(wire, "b", 40002).send("->", SECOND, lost=True).send("->", sent(8))


@pytest.mark.each(6)
@pytest.mark.parametrize("first", [False, True], ids=["after", "before"])
@pytest.mark.parametrize(
    ("lose", "number"),
    [
        (_in_gap, 0), (_at_end, 0), (_in_one_direction, 0), (_before_capture, 0), (_cut, 0), (_damaged, 0),
        (_spoiled, 0), (_overwritten, 0), (_very_long, 0), (_without_session, 1), (_between_others, 1),
        (_elsewhere, 1),
    ],
)  # fmt: skip
def test_an_acknowledgment_of_what_was_not_captured(
    wire: Wire, lose: Callable[[Wire], None], number: int, first: bool
) -> None:
    """A second message with the same identifier may be in missing bytes, before or after the first."""
    wire.sensor()
    for step in [lose, _send_first][:: 1 if first else -1]:
        step(wire)
    talk(wire, port=40003).send("<-", acknowledgment(ResponseQueue=OTHER_QUEUE))
    wire.apart = True
    wrong = [row["requirement"] for row in violations(wire)]
    assert [requirement for requirement in wrong if requirement in JUDGED] == [RESPONSE] * number


def _send_first(wire: Wire) -> None:
    talk(wire).send("->", sent(7, **ASKS))


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
    assert row["requirement"] == RESPONSE
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


def test_a_reply_after_a_new_connection(wire: Wire) -> None:
    """It answers the request of the first connection, rather than that of its own."""
    talk(wire).send("->", asked(1, 5)).close()
    talk(wire, port=40002).send("->", asked(3, 8)).send("<-", refused(2, 7), refused(4, 9))
    assert violations(wire) == []
    talk(wire, port=40003).send("->", asked(5, 8)).send("<-", refused(6, 5))
    (row,) = violations(wire)
    assert (row["requirement"], row["connection"]) == (PURGED, row["other"]["connection"])


@pytest.mark.parametrize("lose", [_in_gap, _at_end, _before_capture])
def test_a_refusal_of_what_was_not_captured(wire: Wire, lose: Callable[[Wire], None]) -> None:
    talk(wire).send("->", asked(1)).send("<-", refused(2, 5))
    assert len(violations(wire)) == 1
    lose(wire)
    assert violations(wire) == []


NAMED = "MQDSRP-3.2.7.3-24"


@pytest.mark.parametrize(
    ("request_name", "reply_name", "number"),
    [
        ("requester", "REQUESTER.corp.example", 0), ("requester.corp.example", "requester", 0),
        ("requester.corp.example", "requester.lab.example", 1), ("requester", "requester2", 1),
        ("requester", "other.corp.example", 1),
    ],
)  # fmt: skip
def test_names_of_machines(request_name: str, reply_name: str, number: int) -> None:
    request = mqdsrp.SyncRequestMessage(RequesterName=request_name)
    reply = signed(mqdsrp.wrap(mqdsrp.SyncReplyMessage(), reply_name, RECEIVER, message_id=2))
    carrier = signed(mqdsrp.wrap(request, "server", SENDER, message_id=1))
    wrong = [violation.requirement for violation in violations_beside(reply, carrier)]
    assert wrong.count(NAMED) == number


def test_a_reply_between_others(wire: Wire) -> None:
    """By names nobody knows who asked, in another connection."""
    talk(wire).send("->", asked(1))
    talk(wire, port=40002).send("<-", refused(2, 5))
    assert violations(wire) == []


# ------------------------------------------------------------------------------------- missing bytes


def changed(number: int, server: str) -> bytes:
    """A request for a change that a server passes on."""
    header = mqdsrp.ChangeRequestHeader(RequestIdentifier=44, RequesterName="requester", PSCName=server)
    change = mqdsrp.DirectoryChange(PathName="host\\queue")
    request = mqdsrp.ChangeRequestMessage(ChangeRequestHeader=header, DirectoryChange=change)
    return mw.encode(signed(mqdsrp.wrap(request, "server", SENDER, message_id=number)))


def decided(number: int, server: str) -> bytes:
    """Its reply, which goes to a server."""
    reply = mqdsrp.ChangeReplyMessage(RequestIdentifier=44, RequesterName="requester")
    return mw.encode(signed(mqdsrp.wrap(reply, server, RECEIVER, message_id=number)))


NUMBERS_AND_QUEUES = [*product((7, 8), (QUEUE, OTHER_QUEUE))]
EVENTS = table(
    lambda: [
        *(("->", sent(number, DestinationQueue=queue, **ASKS)) for number, queue in NUMBERS_AND_QUEUES),
        ("->", SECOND[:-2]),
        *(
            ("<-", acknowledgment(number, about=about, ResponseQueue=queue))
            for number, (about, queue) in enumerate(NUMBERS_AND_QUEUES, 90)
        ),
        ("<-", elsewhere(acknowledgment(95))),
        *(("->", asked(number, start)) for number, start in enumerate((5, 8), 1)),
        *(("<-", refused(number, purged)) for number, purged in enumerate((4, 7, 9), 20)),
        *(("->", changed(number, server)) for number, server in enumerate(("psc1", "psc2"), 30)),
        *(("<-", decided(number, server)) for number, server in enumerate(("psc1", "psc2", "psc3"), 40)),
    ]
)
"""Requests and replies, of which some share their identifiers or numbers."""


def _wrong(wire: Wire) -> set[tuple[str, str, int]]:
    """The requirements that replies violate, with the frames of these."""
    return {(row["requirement"], row["file"], row["first_frame"]) for row in violations(wire)}


@given(st.data())
def test_missing_bytes_accuse_nobody(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Without some frames, and with cut ones, no reply is wrong that is not wrong in the whole capture.

    The ends of the connections are captured, so that every missing byte is known to be missing.
    """
    wire = Wire(tmp_path_factory.mktemp("wire"))
    wire.apart = data.draw(st.booleans())
    lines = [talk(wire, sensor, port) for sensor, port in (("a", 40001), ("a", 40002), ("b", 40003))]
    events = st.tuples(st.sampled_from(lines), st.sampled_from(EVENTS()))
    for line, (way, packet) in data.draw(st.lists(events, min_size=2, max_size=14)):
        line.send(way, packet)
    captured = [len(capture.rows) for capture in wire.captures]
    for line in lines:
        line.close()
    whole = _wrong(wire)
    for capture, size in zip(wire.captures, captured, strict=True):
        missing = data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=4))
        cuts = data.draw(st.dictionaries(st.integers(0, size - 1), st.integers(0, 300), max_size=1))
        for frame, length in cuts.items():
            row = capture.rows[frame]
            payload = row["payload"][:length]
            capture.rows[frame] = {**row, "payload": payload, "captured": len(payload)}
        capture.rows = [row for frame, row in enumerate(capture.rows) if frame not in missing]
    assert _wrong(wire) <= whole


@pytest.mark.each(2)
@pytest.mark.parametrize("faults", [LOSSES, FAULTS], ids=["losses", "faults"])
def test_no_endpoint_replies_wrongly(tmp_path: Path, faults: Faults) -> None:
    """Whatever sensors miss of what endpoints exchange."""
    paths = write(tmp_path, [History(seed, faults) for seed in range(10)])
    settings = captures.Settings(processes=1)
    rows = captures.tables(paths, ["violations"], settings)["violations"].read_all().to_pylist()
    assert [row for row in rows if row["requirement"] in JUDGED and row["other"] is not None] == []
