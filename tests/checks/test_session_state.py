"""What a session monitor knows at first, and what each event leaves known of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from support_rows import for_each

from msmq_wire.checks.sessions.monitor import SessionMonitor
from msmq_wire.checks.sessions.state import (
    MAX_FINISHED,
    MAX_PINGS,
    MAX_QUEUES,
    MAX_REMEMBERED,
    MAX_SEQUENCES,
    Direction,
    Phase,
    Sent,
    Sequence,
    SessionState,
    SideState,
    SideSummary,
    Tally,
    other,
)
from msmq_wire.documents.session_protocol import NUMBERS, unacknowledged

if TYPE_CHECKING:
    from collections.abc import Callable


SENT = Sent("UserMessage", 4, 7, 2, 3, 2, final=True, sent_at=9, size=1, recoverable=True)


def side(**changes: Any) -> SideState:
    """A side of which everything is known."""
    values: dict[str, Any] = {
        "manager": "one", "announced": "two", "window": 64, "sent": 9, "recoverable_sent": 5,
        "acknowledged": 7, "recoverable_acknowledged": 2, "recoverable_flags": 4, "whole": True,
        "session": 4,
        "stretch": 7,
        "sequences": {1: Sequence(6, 2, whole=True, floor=2), 2: Sequence(3, whole=True, messages={3: 77})},
        "newest": {"queue": 2}, "transactional": {77: SENT}, "others": {78: SENT}, "finals": {5: (4, 6)},
        "pings": ["00"], "tally": Tally(packets=12),
        **changes,
    }  # fmt: skip
    return SideState(**values)


COUNTS = {"sent": 0, "recoverable_sent": 0, "acknowledged": 0, "recoverable_acknowledged": 0}
LOST = {
    "acknowledged": None,
    "recoverable_acknowledged": None,
    "least": (7, 2),
    "recoverable_flags": 0,
    "sequences": {1: Sequence(6, 2), 2: Sequence(3, messages={3: 77})},
}


LOST_COUNT: dict[str, Any] = {
    "sent": None,
    "recoverable_sent": None,
    "whole": False,
    "stretch": 8,
    "sequences": {1: Sequence(6, 2), 2: Sequence(3, messages={3: 77})},
}


@pytest.mark.parametrize(
    ("event", "changed"),
    [
        (SideState.begin, {**COUNTS, "recoverable_flags": 0, "window": None, "session": 5, "stretch": 8}),
        (SideState.count_anew, {**COUNTS, "recoverable_flags": 0, "session": 5, "stretch": 8}),
        (
            SideState.end,
            {
                **LOST,
                "least": None,
                "window": None,
                "sent": None,
                "recoverable_sent": None,
                "tally": Tally(),
                "whole": False,
                "session": 5,
                "stretch": 8,
            },
        ),
        (lambda one: one.lose_count(renewed=False), LOST_COUNT),
        (lambda one: one.lose_count(renewed=True), {**LOST_COUNT, "session": 5}),
        (lambda one: one.lose_acknowledgments(renewed=False), LOST),
        (lambda one: one.lose_acknowledgments(renewed=True), LOST),
        (
            lambda one: (one.lose_acknowledgments(renewed=False), one.lose_count(renewed=False)),
            {**LOST, **LOST_COUNT, "least": None},
        ),
        (SideState.forget_sequences, {"whole": False, "newest": {}, "sequences": {}}),
        (lambda one: one.speaks_for("one"), {}),
        (
            lambda one: one.speaks_for("new"),
            {
                "manager": "new",
                "newest": {},
                "sequences": {},
                "transactional": {},
                "others": {},
                "finals": {},
            },
        ),
        (lambda one: one.acknowledge(3, 1), {"recoverable_acknowledged": 3, "recoverable_flags": 2}),
        (lambda one: one.acknowledge(4, 1), {"recoverable_acknowledged": 5, "recoverable_flags": 0}),
        (lambda one: one.acknowledge(3, 0b11), {"recoverable_acknowledged": 5, "recoverable_flags": 0}),
    ],
)
def test_what_an_event_leaves_known_of_a_side(
    event: Callable[[SideState], None], changed: dict[str, Any]
) -> None:
    """All recoverable messages up to 2 are acknowledged, and 5; those of 3 and 4 close the hole."""
    known = side()
    event(known)
    assert msgspec.structs.asdict(known) == msgspec.structs.asdict(side(**changed))


def test_a_whole_side_begins_with_its_session() -> None:
    known = side(whole=False)
    known.begin()
    assert known.whole
    first = SideState()
    first.speaks_for("one")
    assert first == SideState(manager="one")


def test_nothing_is_known_at_first() -> None:
    none: dict[str, Any] = dict.fromkeys(SideState.__struct_fields__)
    none |= {"recoverable_flags": 0, "whole": False, "sequences": {}, "newest": {}}
    none |= {"session": 0, "stretch": 0, "transactional": {}, "others": {}, "finals": {}}
    none |= {"pings": [], "tally": Tally()}
    assert msgspec.structs.asdict(SideState()) == none
    assert msgspec.structs.asdict(Tally()) == dict.fromkeys(Tally.__struct_fields__, 0)
    assert Sequence(5) == Sequence(
        5,
        acknowledged=0,
        whole=False,
        stretch=-1,
        session=-1,
        last=0,
        complete=False,
        begun=False,
        floor=0,
        messages={},
    )
    summary = msgspec.structs.asdict(SessionMonitor().summary)
    assert summary.pop("forward") == summary.pop("backward") == SideSummary.of(SideState())
    assert summary == {
        **dict.fromkeys(summary), "number": 0, "handshake": "unseen", "outcome": "open", "violations": {},
    }  # fmt: skip
    state = SessionState()
    flags = (state.missing, state.talked, state.one_connection, state.packets, state.forgotten)
    assert flags == (True, False, False, 0, 0)


@pytest.mark.parametrize(
    ("sent", "acknowledged", "waiting"),
    [(5, 3, 2), (3, 3, 0), (2, 0xFFFF, 3), (None, 3, None), (3, None, None), (None, None, None)],
)
def test_unacknowledged(sent: int | None, acknowledged: int | None, waiting: int | None) -> None:
    """Counts have 16 bits ([MS-MQMQ] 2.2.20.4)."""
    assert unacknowledged(sent, acknowledged) == waiting
    assert NUMBERS == 1 << 16


def test_a_side_is_summarized() -> None:
    """Of three recoverable messages two are acknowledged out of order; sequences have 4 and 3 left."""
    tally = Tally(20, 1, 2, 3, 4, 5, 6, 7, 8)
    known = side(tally=tally, recoverable_sent=5, recoverable_flags=0b110)
    known.sequences[3] = Sequence(100)
    made = SideSummary.of(known)
    assert made == SideSummary(
        manager="one", window=64, messages=1 + 2 + 3 + 5 + 6, tally=tally, acknowledged=7, unacknowledged=2,
        recoverable_unacknowledged=1, order_unacknowledged=4 + 3,
    )  # fmt: skip
    assert made.tally is not tally  # it does not change with the session


@pytest.mark.parametrize("way", ["->", "<-"])
@pytest.mark.parametrize("one_connection", [True, False])
@pytest.mark.parametrize("phase", ["unseen", "idle", "asked", "accepted", "offered", "open", "refused"])
def test_what_a_gap_leaves_known(phase: Phase, one_connection: bool, way: Direction) -> None:
    """An open session stays open on one connection; a handshake is not known to be incomplete any more."""
    state = SessionState(
        phase=phase, handshake="incomplete", missing=False, one_connection=one_connection, request="00"
    )
    state.sides = {"->": side(), "<-": side()}
    state.lose(way)
    stays = phase == "open" and one_connection
    assert (state.phase, state.request) == ((phase, "00") if stays else ("unseen", None))
    assert (state.missing, state.handshake) == (True, "unseen")
    assert (state.sides[way].sent, state.sides[way].acknowledged) == (None, 7)
    assert (state.sides[other(way)].sent, state.sides[other(way)].acknowledged) == (9, None)
    for handshake in ("complete", "refused"):
        state.handshake = handshake
        state.lose(way)
        assert state.handshake == handshake


@for_each(
    ("phase", "now", "quiet", "waiting"),
    lambda: [
        ("unseen", "open", "closed", "broken"),
        ("open", "open", "closed", "broken"),
        *((phase, "opening", "broken", "broken") for phase in ("idle", "asked", "accepted", "offered")),
    ],
)
def test_outcomes(phase: Phase, now: str, quiet: str, waiting: str) -> None:
    """While the session lasts, when it ends with all messages acknowledged, and when it ends otherwise."""
    for sent, outcome in ((0, quiet), (1, waiting)):
        monitor = SessionMonitor()
        monitor.state.phase = phase
        monitor.state.sides["<-"].sent, monitor.state.sides["<-"].acknowledged = sent, 0
        assert monitor.summary.outcome == now
        assert monitor.ended.outcome == outcome
        assert monitor.ended == monitor.disconnect()
    monitor.state.handshake = "refused"
    assert monitor.summary.outcome == monitor.disconnect().outcome == "refused"


def test_the_end_of_a_session_forgets_it() -> None:
    """The next one has the next number; what belongs to the queue managers stays."""
    state = SessionState(
        phase="open", handshake="complete", talked=True, initiator="->", time_stamp=5, offered=(1, 2),
        reconnect_of=0, request="00", first_packet=1, last_packet=2, first_at=1.0, last_at=2.0,
        violations={"a": 1}, pair=("one", "two", 3), packets=9, number=3,
    )  # fmt: skip
    state.sides = {"->": side(), "<-": side()}
    state.end()
    ended = side()
    ended.end()
    assert state == SessionState(
        packets=9, number=4, pair=("one", "two", 3), sides={"->": ended, "<-": ended}
    )


def test_a_snapshot_has_json_types_alone() -> None:
    """Also where the keys are numbers."""
    monitor = SessionMonitor()
    monitor.state.sides["->"] = side()
    snapshot = monitor.snapshot()
    assert json.loads(json.dumps(snapshot, sort_keys=True)).keys() == snapshot.keys()
    known = snapshot["sides"]["->"]
    assert list(known["sequences"]) == ["1", "2"]
    assert list(known["transactional"]) == ["77"]
    assert SessionMonitor.restore(json.loads(json.dumps(snapshot))).state == monitor.state


def test_limits_of_what_is_remembered() -> None:
    """As docs/reference/limits.md says: 4,096 messages in 64 sequences to 256 queues, and 1,024 sessions.

    A client asks a few times at most before it is answered: 16 Pings are enough.
    """
    assert (MAX_REMEMBERED, MAX_SEQUENCES, MAX_QUEUES) == (4096, 64, 256)
    assert (MAX_FINISHED, MAX_PINGS) == (1024, 16)
