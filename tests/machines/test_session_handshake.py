"""The session that [MS-MQQB] 4.1 prints, said by the endpoints: byte for byte where the page decides.

Where a printed frame has bytes that the page leaves open or that its own erratum explains, the offsets are
listed here, and nowhere else may a byte differ.
"""

from __future__ import annotations

from typing import Any

import pytest
from support_specs import load_vectors

import msmq_wire as mw
from msmq_wire.session import (
    Acceptor,
    Acknowledged,
    AcknowledgedBy,
    Established,
    Initiator,
    PingAnswer,
    PingAnswerer,
    PingClient,
    QueueManager,
    Received,
    Refused,
    Settings,
)

FRAMES = {
    int(vector.name.split("-")[1]): vector.data
    for vector in load_vectors()
    if vector.section.startswith("[MS-MQQB] 4.1") and not vector.truncated
}
CLIENT, SERVER = mw.GUID(FRAMES[3][20:36]), mw.GUID(FRAMES[3][36:52])
START = float(mw.decode(FRAMES[7]).UserHeader.SentTime)  # type: ignore[union-attr]  # a UserMessage
"""When the message of frame 7 says that it was sent, which is also when it expires from."""
ASKED_AT = 501_140_046
"""TimeStamp of frame 3, in milliseconds."""
ROUND_TRIP = 0.187
"""RecoverableAckTimeout of frame 5 is eight times so many seconds."""
SETTINGS = Settings(ack_timeout=120.0, answers_ping=True)

RESERVED = frozenset({1})
"""BaseHeader.Reserved: the sample has 0xC0, 0x5A and 0xCD there, [MS-MQMQ] 2.2.19.1 wants zero."""
GUIDS = frozenset(range(20, 52))
"""The GUIDs of frame 4, which are not those of the frames before (errata Q12)."""
UNUSED_BITS = frozenset({0, 1})
"""The unused bits of a Ping, of which the first byte has two that are used."""


def differing(data: bytes, frame: int) -> set[int]:
    """Offsets at which bytes are others than in a printed frame."""
    assert len(data) == len(FRAMES[frame])
    return {at for at, (ours, printed) in enumerate(zip(data, FRAMES[frame], strict=True)) if ours != printed}


def answer(frame: int) -> bytes:
    """A frame of the server, as it would be had it the GUIDs that were asked for."""
    data = FRAMES[frame]
    return data if frame != 4 else data[:20] + FRAMES[3][20:52] + data[52:]


def untyped(events: list[Any]) -> list[Any]:
    """Events, whose kinds are the test's business and not the type checker's."""
    return events


def manager(identifier: mw.GUID, **options: Any) -> QueueManager:
    return QueueManager(identifier, SETTINGS, booted=START - ASKED_AT / 1000, **options)


def test_ping_frames() -> None:
    asking = QueueManager.restore(
        {**QueueManager(CLIENT).snapshot(), "cookie": 3},
        Settings(server_system=False),
    )
    client, answerer = PingClient(asking), PingAnswerer(QueueManager(mw.GUID(FRAMES[2][8:24]), SETTINGS))
    request = client.request(START)
    assert differing(request, 1) <= UNUSED_BITS
    assert request[0] & 3 == FRAMES[1][0] & 3
    reply = answerer.receive(FRAMES[1])
    assert reply is not None
    assert differing(reply, 2) <= UNUSED_BITS
    assert reply[0] & 3 == FRAMES[2][0] & 3
    assert client.receive(FRAMES[2], START + 0.1) == [PingAnswer(mw.GUID(FRAMES[2][8:24]), accepts=True)]
    assert client.next_timeout is None


@pytest.mark.parametrize("answers", [False, True])
def test_what_is_no_ping_is_not_answered(answers: bool) -> None:
    """Nor is a Ping where the version of Windows answers none."""
    answerer = PingAnswerer(QueueManager(SERVER, Settings(answers_ping=answers)))
    ping = FRAMES[1]
    for datagram in (b"", b"junk", ping[:-1], ping + b"\0", ping[:2] + b"\0\0" + ping[4:]):
        assert answerer.receive(datagram) is None
    assert (answerer.receive(ping) is not None) is answers


def opened_initiator() -> Initiator:
    session = Initiator(manager(CLIENT), remote=SERVER)
    assert session.connected(START) == []
    assert differing(session.data_to_send(), 3) == RESERVED
    assert session.receive(answer(4), START + ROUND_TRIP) == []
    assert differing(session.data_to_send(), 5) == RESERVED
    (event,) = untyped(session.receive(FRAMES[6], START + 0.3))
    assert event == Established(SERVER, 64, 120.0, 1.496, quick=True, server_system=True)
    return session


def test_the_initiator_says_frames_3_5_and_7() -> None:
    session = opened_initiator()
    printed: Any = mw.decode(FRAMES[7])
    token = session.send(printed, START + 0.4)
    assert token == printed.UserHeader.MessageID
    assert session.data_to_send() == FRAMES[7]
    (event,) = untyped(session.receive(FRAMES[8], START + 0.5))
    assert event == Acknowledged(token, AcknowledgedBy.SESSION, 0, done=True, journal="")
    assert session.waiting == 0


def test_the_acceptor_says_frames_4_6_and_8() -> None:
    session = Acceptor(manager(SERVER))
    assert session.connected(START) == []
    assert session.receive(FRAMES[3], START) == []
    assert differing(session.data_to_send(), 4) == RESERVED | GUIDS
    (event,) = untyped(session.receive(FRAMES[5], START))
    assert event == Established(CLIENT, 64, 120.0, 1.496, quick=True, server_system=True)
    assert differing(session.data_to_send(), 6) == RESERVED
    (event,) = untyped(session.receive(FRAMES[7], START + 1.0))
    assert isinstance(event, Received)
    assert mw.encode(event.message) == FRAMES[7]
    due = session.next_timeout or 0.0
    assert due == pytest.approx(START + 61.0)
    asked_for = session.data_to_send()  # the acknowledgment that PA asks for has no queue to go to
    assert asked_for == b""
    assert session.timeout(due) == []
    assert differing(session.data_to_send(), 8) == RESERVED


def test_the_printed_answer_is_refused() -> None:
    """Frame 4 as printed answers somebody else (errata Q12)."""
    session = Initiator(manager(CLIENT), remote=SERVER)
    session.connected(START)
    broken, closed = untyped(session.receive(FRAMES[4], START))
    assert broken.violation.requirement == "MQQB-2.2.3.1-25"
    assert broken.violation.message.endswith(f"has to be {CLIENT}, as in the request.")
    assert closed.reason == "violated"


def test_a_service_that_returns_all_bytes_is_no_queue_manager() -> None:
    """A request to an address names no queue manager, an answer has to."""
    session = Initiator(manager(CLIENT), address="10.0.0.2")
    session.connected(START)
    broken, closed = untyped(session.receive(session.data_to_send(), START))
    assert broken.violation.requirement == "MQQB-2.2.3.1-03"
    assert closed.reason == "violated"


@pytest.mark.parametrize("size", [1, 2, 7, 571])
def test_any_chunks(size: int) -> None:
    session = Acceptor(manager(SERVER))
    session.connected(START)
    data = FRAMES[3] + FRAMES[5]
    events = [
        event for at in range(0, len(data), size) for event in session.receive(data[at : at + size], START)
    ]
    assert [type(event) for event in events] == [Established]
    assert len(session.data_to_send()) == 572 + 32


def test_another_queue_manager_is_refused() -> None:
    session = Acceptor(manager(mw.GUID(bytes([9]) * 16)))
    session.connected(START)
    refused, closed = untyped(session.receive(FRAMES[3], START))
    assert isinstance(refused, Refused)
    assert (refused.by_us, closed.reason) == (True, "refused")
    reply: Any = mw.decode(session.data_to_send())
    assert reply.InternalHeader.Flags.CS == 1
    asking = Initiator(manager(CLIENT), remote=SERVER)
    asking.connected(START)
    refused, closed = untyped(asking.receive(mw.encode(reply), START))
    assert isinstance(refused, Refused)
    assert (refused.by_us, closed.retry) == (False, False)


def test_too_many_sessions_are_refused() -> None:
    server = QueueManager(SERVER, Settings(max_sessions=1, answers_ping=True))
    first, second = Acceptor(server), Acceptor(server)
    for session in (first, second):
        session.connected(START)
    assert first.receive(FRAMES[3], START) == []
    assert PingAnswerer(server).receive(FRAMES[1])[0] & 2  # type: ignore[index]  # it answers
    assert [type(event).__name__ for event in second.receive(FRAMES[3], START)] == ["Refused", "Closed"]
    first.close(START)
    assert not PingAnswerer(server).receive(FRAMES[1])[0] & 2  # type: ignore[index]  # likewise
    third = Acceptor(server)
    third.connected(START)
    assert third.receive(FRAMES[3], START) == []


@pytest.mark.parametrize(
    ("trip", "timeout"),
    [
        (0, 500), (62, 500), (63, 504), (1000, 8000), (14_999, 119_992), (15_000, 120_000),
        (15_001, 120_000), (0x7FFFFFFF, 120_000), (0x80000000, 500), (0xFFFFFFFF, 500),
    ],
)  # fmt: skip
def test_recoverable_acknowledgments_wait_for_eight_round_trips(trip: int, timeout: int) -> None:
    """[MS-MQQB] 3.1.5.3.2: from half a second to two minutes; a clock that was set back measures nothing."""
    session = Initiator(QueueManager(CLIENT), remote=SERVER)
    session.connected(1_700_000_000)
    asked: Any = mw.decode(session.data_to_send())
    header = mw.replace(
        asked.EstablishConnectionHeader,
        TimeStamp=(asked.EstablishConnectionHeader.TimeStamp - trip) & 0xFFFFFFFF,
    )
    session.receive(mw.replace(asked, EstablishConnectionHeader=header).encode(), 1_700_000_000)
    offered: Any = mw.decode(session.data_to_send())
    assert offered.ConnectionParametersHeader.RecoverableAckTimeout == timeout
    assert offered.ConnectionParametersHeader.AckTimeout == 20_000
