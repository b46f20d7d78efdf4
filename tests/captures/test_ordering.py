"""Flows of segments: whatever TCP and captures do, the packets come out and every byte is accounted for."""

from __future__ import annotations

import random
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from msmq_wire.captures.files.segments import ACK, FIN, RST, SYN
from msmq_wire.captures.flows import ordering, valid_packets
from msmq_wire.captures.flows.connections import NONE
from msmq_wire.captures.flows.framing import pieces_of
from msmq_wire.captures.flows.ordering import Segments
from msmq_wire.mqqb import PingPacket

from .segments import MESSAGE, SESSION_ACK, Capture, Row, Talk, batch_of, cut, part_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable

WHOLE = MESSAGE + SESSION_ACK + MESSAGE
SIZE = len(MESSAGE)
PING = PingPacket().encode()


SCENARIOS: dict[str, Callable[[Capture], None]] = {}
"""What happens, by name; each in a directory of its own, as if another sensor had captured it."""


def scenario(function: Callable[[Capture], None]) -> Callable[[Capture], None]:
    SCENARIOS[function.__name__] = function
    return function


class Outcome:
    """What was made of all scenarios in one bucket."""

    def __init__(self) -> None:
        self.captures = {name: Capture(f"/captures/{name}/a.pcap") for name in SCENARIOS}
        for name, function in SCENARIOS.items():
            function(self.captures[name])
        captures = [part for capture in self.captures.values() for part in (capture, *capture.others)]
        bucket = part_of(batch_of(*captures))
        pieces = [row for batch in pieces_of()(bucket.ordered()) for row in rows_of(batch)]
        self.rows: list[Row] = sorted(pieces, key=lambda row: (row.flow, row.offset, row.kind))
        self.spans: list[Row] = rows_of(bucket.flows())

    def __call__(self, name: str) -> list[Row]:
        """The pieces of one scenario."""
        return [row for row in self.rows if row.sensor.startswith(f"/captures/{name}/")]


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return Outcome()


def test_balance(outcome: Outcome) -> None:
    """Every byte of every flow is in one piece, and every captured one besides was there already."""
    assert len(outcome.spans) > 20
    for span in outcome.spans:
        own = [row for row in outcome.rows if (row.sensor, row.flow) == (span.sensor, span.flow)]
        stream = [row for row in own if row.kind != "conflict"]
        assert sum(row["size"] for row in stream) == span["size"]
        captured = sum(row["size"] for row in stream if row.kind != "gap")
        assert captured + sum(row.repeated for row in own) == span.captured
    keys = {(span.sensor, span.flow) for span in outcome.spans}
    assert {(row.sensor, row.flow) for row in outcome.rows} <= keys


def spans_of(rows: list[Row], direction: str = "->") -> list[tuple[str, int, int]]:
    return [(row.kind, row.offset, row["size"]) for row in rows if row.direction == direction]


THREE = [("packet", 0, SIZE), ("packet", SIZE, 36), ("packet", SIZE + 36, SIZE)]
FAMILIES = ({"src_port": 5000}, {"src": "2001:db8::2", "dst": "2001:db8::1"})


def over_both(happens: Callable[[Talk], None]) -> None:
    """The same over IPv4 and IPv6."""

    def function(capture: Capture) -> None:
        for ends in FAMILIES:
            happens(Talk(capture, **ends))

    SCENARIOS[happens.__name__] = function
    WHOLE_THREE.append(happens.__name__)


WHOLE_THREE: list[str] = []


@over_both
def clean(talk: Talk) -> None:
    talk.open().send("->", *cut(WHOLE, 700)).close()


@over_both
def wrapped(talk: Talk) -> None:
    talk.next["->"] = 2**32 - 1000
    talk.open().send("->", *cut(WHOLE, 700)).close()


@over_both
def begun_before(talk: Talk) -> None:
    talk.send("->", *cut(WHOLE, 700))


@over_both
def syn_again(talk: Talk) -> None:
    talk.segment("->", talk.next["->"], flags=SYN)
    talk.open().send("->", *cut(WHOLE, 700)).close()


@over_both
def keep_alive(talk: Talk) -> None:
    talk.open().send("->", *cut(WHOLE, 700))
    talk.segment("->", talk.next["->"] - 1)
    talk.segment("->", talk.next["->"] - 1, WHOLE[-1:])
    talk.reset()


@over_both
def repeated(talk: Talk) -> None:
    talk.open()
    start = talk.next["->"]
    talk.send("->", *cut(WHOLE, 700))
    for at in range(0, len(WHOLE), 500):
        talk.segment("->", start + at, WHOLE[at : at + 900])
    talk.close()


@over_both
def shuffled(talk: Talk) -> None:
    talk.open()
    parts = [(talk.next["->"] + at, WHOLE[at : at + 100]) for at in range(0, len(WHOLE), 100)]
    random.Random(5).shuffle(parts)  # noqa: S311  # a seed, not a secret
    for seq, data in parts:
        talk.segment("->", seq, data)
    talk.next["->"] += len(WHOLE)
    talk.close()


@over_both
def fin_is_missing(talk: Talk) -> None:
    talk.open().send("->", WHOLE)
    talk.segment("->", talk.next["->"] + 1)


@over_both
def fin_is_missing_after_a_copy(talk: Talk) -> None:
    talk.open().send("->", *cut(WHOLE, 700))
    talk.segment("->", talk.next["->"] - len(WHOLE), WHOLE[:100])
    talk.segment("->", talk.next["->"] + 1)


@over_both
def syn_behind_its_answer(talk: Talk) -> None:
    talk.next["->"] += 1
    talk.segment("<-", talk.next["<-"], flags=SYN | ACK)
    talk.segment("->", talk.next["->"] - 1, flags=SYN)
    talk.send("->", WHOLE)


@pytest.mark.parametrize("name", WHOLE_THREE)
def test_nothing_is_lost(outcome: Outcome, name: str) -> None:
    """Three packets come out whole, over IPv4 and over IPv6."""
    rows = outcome(name)
    for flow in (rows[:3], rows[3:]):
        assert spans_of(flow) == THREE
        assert [row.type for row in flow] == ["UserMessage", "SessionAck", "UserMessage"]
        assert b"".join(row.data for row in flow) == WHOLE


@scenario
def columns(capture: Capture) -> None:
    Talk(capture).open().send("->", *cut(MESSAGE, 1000)).send("<-", SESSION_ACK)


def test_columns(outcome: Outcome) -> None:
    """Where a packet was: the frames, their times, the flow."""
    first, second = outcome("columns")
    capture = outcome.captures["columns"]
    assert first | {"data": None} == {
        "sensor": "/captures/columns/",
        "transport": "tcp",
        "connection": "tcp 10.0.0.1:49152 10.0.0.2:1801 #3e8",
        "flow": "tcp 10.0.0.1:49152 > 10.0.0.2:1801 #3e8",
        "direction": "->",
        "src": "10.0.0.1",
        "src_port": 49152,
        "dst": "10.0.0.2",
        "dst_port": 1801,
        "offset": 0,
        "size": SIZE,
        "time": capture.rows[3]["time"],
        "end_time": capture.rows[5]["time"],
        "file": capture.file,
        "first_frame": 4,
        "last_file": capture.file,
        "last_frame": 6,
        "kind": "packet",
        "type": "UserMessage",
        "data": None,
        "cause": None,
        "error": None,
        "problem": None,
        "path": None,
        "error_offset": None,
        "protocol": None,
        "repeated": 0,
        "turn": SIZE + 2,
        "seen": 1,
        "call": None,
    }
    assert (second.connection, second.direction, second.src) == (first.connection, "<-", "10.0.0.2")


def asks(talk: Talk, way: str, payload: bytes, *, late: bool = False) -> Callable[[], None]:
    """A segment that is sent now, and captured now or when what is returned is called."""
    row = len(talk.capture.rows)
    talk.send(way, payload)
    if not late:
        return lambda: None
    sent = talk.capture.rows.pop(row)
    return lambda: talk.capture.add(
        **{name: sent[name] for name in sent.keys() - {"frame", "time", "offset"}}
    )


def test_segments_that_say_nothing() -> None:
    """An acknowledgment without bytes makes no flow; a segment that opens or ends one does."""
    for flags, count in ((ACK, 0), (SYN, 1), (FIN | ACK, 1), (RST, 1)):
        capture = Capture()
        Talk(capture).segment("->", 1000, flags=flags)
        bucket = part_of(batch_of(capture))
        assert (bucket.rows, bucket.flows().num_rows) == (1, count)


@pytest.mark.parametrize(("closed", "kinds"), [(True, ["packet"]), (False, ["packet", "gap"])])
def test_numbers_behind_the_end_show_no_lost_bytes(closed: bool, kinds: list[str]) -> None:
    """No byte follows a FIN; without one, a number behind the bytes shows that some were lost."""
    capture = Capture()
    talk = Talk(capture).open().send("->", MESSAGE)
    if closed:
        talk.segment("->", talk.next["->"], flags=FIN | ACK)
    talk.segment("->", talk.next["->"] + 50)
    bucket = part_of(batch_of(capture))
    pieces = [row for batch in pieces_of()(bucket.ordered()) for row in rows_of(batch)]
    assert [row.kind for row in pieces if row.direction == "->"] == kinds


@pytest.mark.parametrize("flags", [(ACK, ACK), (FIN | ACK, FIN | ACK), (FIN | ACK, ACK), (ACK, FIN | ACK)])
def test_the_segment_after_missing_bytes_at_the_end(flags: tuple[int, int]) -> None:
    """The first one whose number shows them, whether a FIN or not."""
    capture = Capture()
    talk = Talk(capture).open().send("->", MESSAGE).send("->", bytes(50), lost=True)
    for each in flags:
        talk.segment("->", talk.next["->"], flags=each)
    before, after, _ = capture.rows[-3:]
    pieces = [row for batch in pieces_of()(part_of(batch_of(capture)).ordered()) for row in rows_of(batch)]
    (gap,) = [row for row in pieces if row.kind == "gap"]
    assert (gap.time, gap.end_time) == (before["time"], after["time"])
    assert (gap.first_frame, gap.last_frame) == (before["frame"], after["frame"])


@scenario
def answers_first(capture: Capture) -> None:
    """In each connection both sides answer each other; some questions are captured after their answers."""
    numbers = (1000, 5000), (2**32 - 50, 2**32 - 700), (7, 2**31)
    for port, (client, server) in enumerate(numbers, 50000):
        talk = Talk(capture, client, server, src_port=port)
        if client > 7:
            talk.open()
        late = [asks(talk, "->", MESSAGE, late=True)]
        asks(talk, "<-", SESSION_ACK)
        late.append(asks(talk, "->", SESSION_ACK, late=True))
        asks(talk, "<-", MESSAGE)
        for capture_now in reversed(late):
            capture_now()
        asks(talk, "->", SESSION_ACK * 2)
        asks(talk, "<-", SESSION_ACK)


def test_acknowledgments_order_both_directions(outcome: Outcome) -> None:
    """What comes before what is told by the acknowledgments, whenever it was captured."""
    rows = outcome("answers_first")
    by_connection: dict[str, list[Row]] = {}
    for row in rows:
        by_connection.setdefault(row.connection, []).append(row)
    small, large = len(SESSION_ACK), len(MESSAGE)
    for pieces in by_connection.values():
        pieces.sort(key=lambda row: row.turn)
        assert [(row.direction, row.size) for row in pieces] == [
            ("->", large), ("<-", small), ("->", small), ("<-", large), ("->", small), ("->", small),
            ("<-", small),
        ]  # fmt: skip
    assert len(by_connection) == 3


@scenario
def midstream(capture: Capture) -> None:
    talk = Talk(capture, src="10.0.0.9")
    talk.send("<-", MESSAGE[-40:], MESSAGE).send("->", SESSION_ACK)


def test_both_directions_of_a_connection_that_begins_before_the_capture(outcome: Outcome) -> None:
    """The one who connects to the lower port is taken for the one who opened."""
    rows = outcome("midstream")
    assert spans_of(rows, "->") == [("packet", 0, 36)]
    assert spans_of(rows, "<-") == [("junk", 0, 40), ("packet", 40, SIZE)]
    assert {row.cause for row in rows} == {None, "no packet begins here"}


@scenario
def midstream_of_equal_ports(capture: Capture) -> None:
    Talk(capture, src_port=1801).send("->", MESSAGE).send("<-", SESSION_ACK)
    for src, dst in (("10.0.0.1", "10.0.0.2"), ("10.0.0.2", "10.0.0.1")):
        ends = {"src": src, "src_port": 3527, "dst": dst, "dst_port": 3527}
        capture.add(transport="udp", payload=PING, **ends)


def test_directions_between_equal_ports(outcome: Outcome) -> None:
    """Both directions of a connection are told apart, whatever its ports are."""
    rows = outcome("midstream_of_equal_ports")
    assert len({row.connection for row in rows}) == 2
    assert {(row.transport, row.src, row.direction) for row in rows} == {
        (transport, src, way)
        for transport in ("tcp", "udp")
        for src, way in (("10.0.0.1", "->"), ("10.0.0.2", "<-"))
    }


@scenario
def gaps(capture: Capture) -> None:
    lost = Talk(capture).open().send("->", MESSAGE[:500])
    lost.send("->", MESSAGE[500:600], lost=True).send("->", MESSAGE[600:] + SESSION_ACK)
    lost.send("->", SESSION_ACK, lost=True).close()
    Talk(capture, src_port=2000).open().send("->", SESSION_ACK, lost=True).send("->", MESSAGE)
    Talk(capture, src_port=3000).open().send("->", SESSION_ACK, lost=True).close()
    late = Talk(capture, src_port=4000).open().send("->", SESSION_ACK).send("->", SESSION_ACK * 2, lost=True)
    late.segment("->", late.next["->"])


def test_gaps(outcome: Outcome) -> None:
    """Missing segments: in the midst, at the beginning, at the end, and all of them."""
    by_port: dict[int, list[Row]] = {}
    for row in outcome("gaps"):
        by_port.setdefault(row.src_port, []).append(row)
    assert spans_of(by_port[49152]) == [
        ("head", 0, 500),
        ("gap", 500, 100),
        ("rest", 600, SIZE - 600),
        ("packet", SIZE, 36),
        ("gap", SIZE + 36, 36),
    ]
    causes = [row.cause for row in by_port[49152]]
    assert causes == ["cut by a gap", None, "rest of a packet cut by a gap", None, None]
    assert spans_of(by_port[2000]) == [("gap", 0, 36), ("packet", 36, SIZE)]
    assert spans_of(by_port[3000]) == [("gap", 0, 36)]
    assert spans_of(by_port[4000]) == [("packet", 0, 36), ("gap", 36, 72)]


@scenario
def cut_frames(capture: Capture) -> None:
    talk = Talk(capture).open()
    start = talk.next["->"]
    talk.segment("->", start, SESSION_ACK[:20], length=36)
    talk.segment("->", start + 36, SESSION_ACK[:20], length=36)
    talk.segment("->", start + 36, SESSION_ACK)
    talk.segment("->", start + 72, SESSION_ACK[:20], length=36)


def test_cut_frames(outcome: Outcome) -> None:
    """What the capture cut off is missing, but not what a repetition brings."""
    assert spans_of(outcome("cut_frames")) == [
        ("head", 0, 20),
        ("gap", 20, 16),
        ("packet", 36, 36),
        ("head", 72, 20),
        ("gap", 92, 16),
    ]


@scenario
def port_again(capture: Capture) -> None:
    Talk(capture).open().send("->", SESSION_ACK).close()
    Talk(capture, 700_000_000, 3_000_000_000).open().send("->", MESSAGE).send("<-", SESSION_ACK).close()
    back = Talk(capture, 3, 4, src="10.0.0.2", dst="10.0.0.1", src_port=1801, dst_port=49152)
    back.open().send("->", SESSION_ACK)


def test_a_port_is_used_again(outcome: Outcome) -> None:
    """The same endpoints with another SYN are another connection, in either direction."""
    rows = outcome("port_again")
    assert [
        (row.src, row.direction, row.type, row.offset) for row in sorted(rows, key=lambda row: row.time)
    ] == [
        ("10.0.0.1", "->", "SessionAck", 0),
        ("10.0.0.1", "->", "UserMessage", 0),
        ("10.0.0.2", "<-", "SessionAck", 0),
        ("10.0.0.2", "->", "SessionAck", 0),
    ]
    assert len({row.flow for row in rows}) == 4
    assert len({row.connection for row in rows}) == 3


def reused(capture: Capture) -> tuple[Talk, Talk]:
    """A complete connection, and another one between the same ports that the client has just requested."""
    old = Talk(capture).open().send("->", MESSAGE).send("<-", SESSION_ACK).close()
    new = Talk(capture, 400_000, 900_000)
    new.segment("->", new.next["->"], flags=SYN)
    return old, new


@scenario
def port_again_at_once(capture: Capture) -> None:
    numbers = {"->": 1000, "<-": 5000}
    for end in (None, FIN | ACK, RST, FIN | ACK):
        talk = Talk(capture, *numbers.values()).open().send("->", SESSION_ACK).send("<-", SESSION_ACK)
        if end is not None:
            talk.close(end)
        numbers = talk.next


def test_a_port_is_used_again_at_once(outcome: Outcome) -> None:
    """The SYN begins the next connection, whatever ended the one before, also with the next number."""
    rows = outcome("port_again_at_once")
    assert [spans_of(rows, way) for way in ("->", "<-")] == [[("packet", 0, 36)] * 4] * 2
    assert len({row.connection for row in rows}) == 4


@scenario
def fin_with_the_number_of_a_byte(capture: Capture) -> None:
    talk = Talk(capture).open().send("->", MESSAGE)
    talk.segment("->", talk.next["->"] - 9, flags=FIN | ACK)
    talk.send("->", SESSION_ACK, MESSAGE).close()


def test_a_fin_with_the_number_of_a_byte_ends_nothing(outcome: Outcome) -> None:
    assert spans_of(outcome("fin_with_the_number_of_a_byte")) == THREE


@scenario
def numbers_after_the_end(capture: Capture) -> None:
    for port, ahead in ((2000, (1, 2)), (2001, (15, 16)), (2002, (15, 17))):
        talk = Talk(capture, src_port=port).open().send("->", SESSION_ACK)
        for number in ahead:
            talk.segment("->", talk.next["->"] + number)


@pytest.mark.parametrize(("port", "missing"), [(2000, 0), (2001, 15), (2002, 17)])
def test_each_number_may_be_that_after_a_fin(outcome: Outcome, port: int, missing: int) -> None:
    """One more than the number before it shows no missing byte."""
    rows = [row for row in outcome("numbers_after_the_end") if row.src_port == port]
    assert spans_of(rows) == [("packet", 0, 36), *[("gap", 36, missing)] * bool(missing)]


@scenario
def a_single_byte(capture: Capture) -> None:
    Talk(capture).open().send("->", MESSAGE, SESSION_ACK[:1])


def test_a_single_byte_at_the_end(outcome: Outcome) -> None:
    """It is one of the flow, and the beginning of a packet."""
    assert spans_of(outcome("a_single_byte")) == [("packet", 0, SIZE), ("tail", SIZE, 1)]
    spans = [span for span in outcome.spans if "a_single_byte" in span.sensor]
    told_of = {span.direction: (span["size"], span.opened, span.closed) for span in spans}
    assert told_of == {"->": (SIZE + 1, True, False), "<-": (0, True, False)}


@scenario
def number_zero(capture: Capture) -> None:
    ends = {"src": "10.0.0.2", "src_port": 1801, "dst": "10.0.0.1", "dst_port": 49152}
    Talk(capture, 0, 5000, **ends).open().send("->", MESSAGE).send("<-", SESSION_ACK).close()


def test_a_syn_with_the_number_zero(outcome: Outcome) -> None:
    """It opens a connection as any other does, also one of the side that is named second."""
    rows = outcome("number_zero")
    assert {row.connection for row in rows} == {"tcp 10.0.0.1:49152 10.0.0.2:1801 #0"}
    spans = [span for span in outcome.spans if "number_zero" in span.sensor]
    told_of = {span.src: (span.direction, span.opened, span.closed) for span in spans}
    assert told_of == {"10.0.0.2": ("->", True, True), "10.0.0.1": ("<-", True, True)}


@scenario
def delayed_before_the_answer(capture: Capture) -> None:
    old, new = reused(capture)
    old.segment("<-", old.next["<-"] - 1, flags=FIN | ACK)
    old.segment("<-", old.next["<-"], flags=RST)
    new.open().send("->", MESSAGE).send("<-", SESSION_ACK).close()


@scenario
def delayed_after_the_answer(capture: Capture) -> None:
    old, new = reused(capture)
    new.open().send("->", MESSAGE)
    old.segment("->", 1001, MESSAGE)
    old.segment("<-", 5001, SESSION_ACK)
    old.segment("<-", old.next["<-"] - 1, flags=FIN | ACK)
    new.send("<-", SESSION_ACK).close()


@scenario
def delayed_syns(capture: Capture) -> None:
    old, new = reused(capture)
    new.open()
    old.segment("->", 1000, flags=SYN)
    old.next["->"] = 1001
    old.segment("<-", 5000, flags=SYN | ACK)
    new.send("->", MESSAGE).send("<-", SESSION_ACK).close()


@scenario
def delayed_syn_is_answered(capture: Capture) -> None:
    old, new = reused(capture)
    new.open().send("->", MESSAGE).send("<-", SESSION_ACK)
    old.next["->"] = 1001
    old.segment("<-", 950_000, flags=SYN | ACK)
    old.segment("->", 1001, flags=RST)
    old.segment("<-", 5001, flags=ACK)
    new.close()


@scenario
def delayed_syn_of_the_other_side(capture: Capture) -> None:
    old = Talk(capture, 1000, 5000).open().send("->", MESSAGE).send("<-", SESSION_ACK).close()
    ends = {"src": "10.0.0.2", "src_port": 1801, "dst": "10.0.0.1", "dst_port": 49152}
    new = Talk(capture, 400_000, 900_000, **ends).open().send("->", MESSAGE)
    old.segment("->", 1000, flags=SYN)
    new.send("<-", SESSION_ACK).close()


@scenario
def twice_with_another_clock(capture: Capture) -> None:
    for _ in range(2):
        for numbers in ((1000, 5000), (400_000, 900_000)):
            Talk(capture, *numbers).open().send("->", MESSAGE).send("<-", SESSION_ACK).close()


DELAYED = (
    "twice_with_another_clock",
    "delayed_before_the_answer",
    "delayed_after_the_answer",
    "delayed_syns",
    "delayed_syn_is_answered",
    "delayed_syn_of_the_other_side",
)


@pytest.mark.parametrize("name", DELAYED)
def test_delayed_segments_remain_part_of_their_connection(outcome: Outcome, name: str) -> None:
    """Copies that arrive after the next SYN of the same ports make no gap, and take no bytes of it."""
    rows = outcome(name)
    assert len({row.flow for row in rows}) == 4
    assert sorted((row.kind, row.direction, row.offset, row.size) for row in rows) == [
        ("packet", "->", 0, SIZE),
        ("packet", "->", 0, SIZE),
        ("packet", "<-", 0, len(SESSION_ACK)),
        ("packet", "<-", 0, len(SESSION_ACK)),
    ]
    spans = [span for span in outcome.spans if span.sensor.startswith(f"/captures/{name}")]
    assert sorted(span.size for span in spans) == [len(SESSION_ACK)] * 2 + [SIZE] * 2


@scenario
def opened_by_both(capture: Capture) -> None:
    """Each answers with the number of its own SYN (RFC 9293, 3.5)."""
    for port, first, second in ((2000, "->", "<-"), (2001, "<-", "->")):
        talk = Talk(capture, src_port=port)
        syns = talk.next
        for way in (first, second):
            talk.segment(way, syns[way], flags=SYN)
        talk.next = {way: number + 1 for way, number in syns.items()}
        for way in (second, first):
            talk.segment(way, syns[way], flags=SYN | ACK)
        talk.send("->", MESSAGE).send("<-", SESSION_ACK).close()


def test_a_connection_that_both_open(outcome: Outcome) -> None:
    """It has the number of the earlier SYN."""
    rows = outcome("opened_by_both")
    assert sorted((row.connection.partition("#")[2], row.direction, row.kind) for row in rows) == [
        ("1388", "->", "packet"), ("1388", "<-", "packet"), ("3e8", "->", "packet"), ("3e8", "<-", "packet")
    ]  # fmt: skip


@scenario
def copies_that_differ(capture: Capture) -> None:
    talk = Talk(capture).open()
    start, half = talk.next["->"], len(MESSAGE) // 2
    talk.segment("->", start, MESSAGE[:half], checksum=None)
    talk.segment("->", start, bytes(half), checksum=True)
    talk.next["->"] += half
    talk.send("->", MESSAGE[half:]).close()


def test_a_checksum_that_is_unknown_is_not_wrong(outcome: Outcome) -> None:
    """The copy that was captured first counts."""
    rows = outcome("copies_that_differ")
    assert sorted((row.kind, row.offset, row.size) for row in rows) == [
        ("conflict", 0, SIZE // 2),
        ("packet", 0, SIZE),
    ]


@scenario
def delayed_without_a_home(capture: Capture) -> None:
    old = Talk(capture, 1000, 5000)
    new = Talk(capture, 400_000, 900_000).open()
    old.segment("->", 1001, MESSAGE)
    new.send("->", MESSAGE).close()


def test_bytes_before_the_syn_are_of_a_connection_without_one(outcome: Outcome) -> None:
    rows = outcome("delayed_without_a_home")
    assert [(row.kind, row.offset, row.size) for row in rows] == [("packet", 0, SIZE)] * 2
    assert sorted("#" in row.flow for row in rows) == [False, True]


@scenario
def conflicts(capture: Capture) -> None:
    talk = Talk(capture).open()
    start = talk.next["->"]
    talk.segment("->", start + 16, SESSION_ACK[16:])
    talk.segment("->", start, bytes(36))
    talk.segment("->", start, SESSION_ACK[:16])


@scenario
def wrong_copies(capture: Capture) -> None:
    for port, way in ((2000, "->"), (2001, "<-")):
        talk = Talk(capture, src_port=port).open().send(way, SESSION_ACK)
        talk.segment(way, talk.next[way] - 36, bytes(36), checksum=False)


def test_a_wrong_copy_at_the_end_of_a_flow(outcome: Outcome) -> None:
    """It is of its flow, although the other one was captured before it."""
    for way in ("->", "<-"):
        assert sorted(spans_of(outcome("wrong_copies"), way)) == [("conflict", 0, 36), ("packet", 0, 36)]


def test_conflicts(outcome: Outcome) -> None:
    """Of segments that contradict each other the first captured counts."""
    rows = outcome("conflicts")
    assert spans_of(rows) == [("conflict", 0, 16), ("junk", 0, 36), ("conflict", 16, 20)]
    first, junk, second = rows
    assert junk.data == bytes(16) + SESSION_ACK[16:]
    assert (first.data, second.data) == (SESSION_ACK[:16], bytes(20))
    assert {first.cause, second.cause} == {"differs from the selected copy"}
    assert (first.first_frame, second.first_frame) == (6, 5)


@scenario
def files(capture: Capture) -> None:
    one = Talk(capture).open().send("->", MESSAGE[:500])
    later = Capture("/captures/files/b.pcap")
    capture.others = [later, Capture("/captures/files/elsewhere/a.pcap")]
    later.rows = [{**row, "file": later.file, "error": "not whole"} for row in capture.rows]
    one.capture = later
    one.send("->", MESSAGE[500:])
    Talk(capture.others[1]).open().send("->", SESSION_ACK)


def test_files_and_sensors(outcome: Outcome) -> None:
    """A flow goes on in the next file of its directory; another directory is another sensor."""
    rows = outcome("files")
    assert sorted((row.sensor[15:], row.type, row.file[15:], row.last_file[15:]) for row in rows) == [
        ("/", "UserMessage", "/a.pcap", "/b.pcap"),
        ("/elsewhere/", "SessionAck", "/elsewhere/a.pcap", "/elsewhere/a.pcap"),
    ]


@scenario
def datagrams(capture: Capture) -> None:
    ends = {"src": "10.0.0.1", "src_port": 50000, "dst": "10.0.0.2", "dst_port": 3527}
    for payload in (PING, b"junk", PING):
        capture.add(transport="udp", payload=payload, **ends)
    capture.add(transport="udp", payload=PING[:5], length=len(PING), **ends)


def test_datagrams(outcome: Outcome) -> None:
    """Each datagram is a ping or nothing."""
    size = len(PING)
    assert [(row.kind, row.type, row.offset) for row in outcome("datagrams")] == [
        ("packet", "PingPacket", 0),
        ("junk", None, size),
        ("packet", "PingPacket", size + 4),
        ("junk", None, 2 * size + 4),
        ("gap", None, 2 * size + 9),
    ]


@scenario
def raw(capture: Capture) -> None:
    for number, part in enumerate(cut(WHOLE, 1000)):
        capture.add(transport="raw", payload=part, seq=number * 1000, time=None)


def test_raw_files(outcome: Outcome) -> None:
    """A file of packets without a capture around them is one flow."""
    rows = outcome("raw")
    assert spans_of(rows) == THREE
    file = outcome.captures["raw"].file
    assert {(row.flow, row.connection, row.file, row.time, row.src) for row in rows} == {
        (file, file, file, None, None)
    }
    assert (rows[0].first_frame, rows[0].last_frame) == (1, SIZE // 1000 + 1)


@scenario
def errors_and_resets(capture: Capture) -> None:
    talk = Talk(capture).open().send("->", MESSAGE[:900])
    capture.add(error="a damaged frame", payload=b"xyz")
    talk.reset()
    talk.send("->", MESSAGE[900:])
    talk.segment("->", 5, flags=ACK | RST)


def test_errors_and_resets_are_no_bytes(outcome: Outcome) -> None:
    """Rows that could not be read, and the odd numbers of resets, do not touch a flow."""
    assert spans_of(outcome("errors_and_resets")) == [("packet", 0, SIZE)]


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_batches_of_a_few_rows(size: int) -> None:
    """Wherever a batch ends, also between segments that overlap, the pieces are the same."""
    capture = Capture()
    talk = Talk(capture).open()
    start = talk.next["->"]
    for at in range(0, len(WHOLE), 300):
        talk.segment("->", start + at, WHOLE[at : at + 300])
        talk.segment("->", start + at + 100, bytes(100) + WHOLE[at + 200 : at + 500])
    talk.next["->"] += len(WHOLE)
    talk.send("<-", *cut(WHOLE, 90)).close()
    other = Talk(capture, src_port=7).open().send("->", *cut(WHOLE, 200))
    other.send("->", *cut(WHOLE, 50))

    def pieces(batches: list[Any]) -> list[Row]:
        return [row for batch in pieces_of()(batches) for row in rows_of(batch)]

    ordered = [*part_of(batch_of(capture)).ordered()]
    few = [batch.slice(at, size) for batch in ordered for at in range(0, batch.num_rows, size)]
    found = pieces(ordered)
    assert {row.kind for row in found} == {"packet", "conflict"}
    assert [row.data for row in found if row.kind == "packet"].count(MESSAGE) == 8
    assert pieces(few) == found


@pytest.mark.each(11)
@pytest.mark.parametrize("few", [1, 32])
@pytest.mark.parametrize("size", [1, 7, 9, 32, 41, 50, 69, 1000])
def test_what_the_sender_of_a_packet_had_seen(size: int, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is what the segment with the packet's last byte acknowledges, however many rows a batch has."""
    monkeypatch.setattr(valid_packets, "FEW", few)
    talk = Talk(Capture()).open()
    whole, part = WHOLE * 4 + SESSION_ACK * 20 + WHOLE, 90
    ends = [*accumulate(chain([SIZE, 36, SIZE] * 4, [36] * 20, [SIZE, 36, SIZE]))]
    again = 40
    assert again not in {(end - 1) // part for end in ends}
    for number, data in enumerate(cut(whole, part)):
        talk.send("->", data)
        if number in {again, again + 1}:
            talk.segment("->", talk.next["->"] - part, data)
        talk.send("<-", SESSION_ACK)
    rows = [*part_of(batch_of(talk.capture)).ordered()]
    batches = [batch.slice(at, size) for batch in rows for at in range(0, batch.num_rows, size)]
    found = [row for batch in pieces_of()(batches) for row in rows_of(batch) if row.direction == "->"]
    seen = [1 + 36 * ((end - 1) // part) for end in ends]
    assert [(row.kind, row.offset + row.size) for row in found] == [("packet", end) for end in ends]
    assert [row.seen for row in found] == seen
    assert [row.turn for row in found] == [1 + end + one for end, one in zip(ends, seen, strict=True)]
    assert sum(row.repeated for row in found) == 2 * part


def test_a_batch_that_begins_with_repeated_bytes() -> None:
    """Consecutive segments of which the first begins before the end of the batch before, with other bytes."""
    capture = Capture()
    talk = Talk(capture).open()
    start = talk.next["->"]
    talk.segment("->", start, WHOLE[:1000])
    talk.segment("->", start + 900, bytes(100) + WHOLE[1000:1100])
    for at in range(1100, len(WHOLE), 100):
        talk.segment("->", start + at, WHOLE[at : at + 100])
    (batch,) = part_of(batch_of(capture)).ordered()
    for cut_at in range(batch.num_rows + 1):
        batches = [batch.slice(0, cut_at), batch.slice(cut_at)]
        rows = [row for made in pieces_of()(batches) for row in rows_of(made)]
        assert spans_of(rows) == [("conflict", 900, 100), *THREE], cut_at
        assert next(row.data for row in rows if row.direction == "->") == bytes(100)
        assert sum(row.repeated for row in rows) == 100


def openings(rows: Segments, *, usual: bool) -> dict[str, Any]:
    """What the SYN rows begin; without `usual`, each of them is looked at."""
    start_of = np.searchsorted(rows.pair, rows.pair)
    syns = np.flatnonzero(rows.flags & SYN)
    with pytest.MonkeyPatch.context() as patch:
        if not usual:
            nothing = np.full(len(syns), NONE), np.arange(len(syns)), dict[int, int]()
            patch.setattr(ordering, "_usual", lambda *_: nothing)
        begun = ordering._begun(rows, syns, start_of)
    return {
        name: value if isinstance(value, (dict, bool)) else value.tolist()
        for name, value in begun._asdict().items()
    }


def test_usual_openings_are_those_of_single_rows() -> None:
    """Of a pair with one SYN, or with one and its answer, nothing else is known row by row."""
    dice = random.Random(0)  # noqa: S311  # repeatable on purpose
    domains = (0, 1), (0, SYN, SYN, SYN | ACK), (7, 8, 2**32 - 1), (0, 8, 9, 10), (0, 0, 1, 2)
    drawn = [
        (pair, *map(dice.choice, domains)) for pair in range(5000) for _ in range(dice.choice((1, 2, 2, 3)))
    ]
    pair, forward, flags, seq, ack, length = np.array(drawn, np.int64).T
    yes = np.ones(len(pair), np.bool_)
    rows = Segments(pair, forward.astype(np.bool_), yes, ~yes, seq, ack, flags, length)
    assert openings(rows, usual=True) == openings(rows, usual=False)
    syns = np.flatnonzero(flags & SYN)
    begun, others, _ = ordering._usual(ordering._part(rows, syns), syns, np.searchsorted(pair, pair)[syns])
    assert len(np.unique(pair[syns[begun != NONE]])) < (begun != NONE).sum()  # some with their answers
    assert len(others) > 0
