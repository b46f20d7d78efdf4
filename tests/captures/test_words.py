"""What people read about sessions, places and tables, word by word."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pyarrow as pa
import pytest

from msmq_wire.captures.reports.recurring import Recurring
from msmq_wire.captures.reports.summary import Summary
from msmq_wire.captures.reports.words import Meanings, place_of, session_lines, sides_of, state_of, time_of

TIME = dt.datetime(2023, 11, 14, 22, 13, 20, 5, dt.UTC)
KINDS = ("express", "recoverable", "transactional", "order_acks", "final_acks", "session_acks")
LOST = ("gaps", "unreadable")


UNASKED = "no handshake, although the connection was captured from its beginning"


def side(
    packets: int,
    *,
    manager: str | None = None,
    acknowledged: int | None = None,
    unacknowledged: int | None = 0,
    **tally: int,
) -> dict[str, Any]:
    messages = sum(tally.get(kind, 0) for kind in KINDS[:3])
    counts = {**dict.fromkeys((*KINDS, *LOST), 0), "packets": packets, **tally}
    return {
        "manager": manager,
        "messages": messages,
        "acknowledged": acknowledged,
        "unacknowledged": unacknowledged,
        "tally": counts,
    }


def session(**more: Any) -> dict[str, Any]:
    return {
        "first_at": TIME,
        "first_packet": 0,
        "opener": "10.0.0.1:5000",
        "acceptor": "10.0.0.2:1801",
        "handshake": "complete",
        "outcome": "closed",
        "forward": side(4, manager="one", express=1, recoverable=2, gaps=1),
        "backward": side(1, session_acks=1),
        "reconnect_of": None,
        "violations": None,
        "sensor": "s",
        "connection": "c",
        **more,
    }


def test_a_session() -> None:
    assert list(session_lines(session(), Meanings())) == [
        (
            "2023-11-14 22:13:20.000005  10.0.0.1:5000 opened a connection to 10.0.0.2:1801: "
            "handshake complete; closed, all messages acknowledged"
        ),
        (
            "  10.0.0.1:5000 (queue manager one) sent 4 packets (1 express message, 2 recoverable messages, "
            "1 part missing or unreadable) to 10.0.0.2:1801"
        ),
        "  10.0.0.2:1801 sent 1 packet (1 SessionAck) to 10.0.0.1:5000",
    ]


def test_a_session_that_was_refused() -> None:
    row = session(
        handshake="refused",
        outcome="refused",
        forward=side(1200, unacknowledged=1100),
        backward=side(0, gaps=3, unreadable=2),
        reconnect_of=3,
        violations=[("MQQB-3.1.5.1.2-01", 1), ("MQQB-3.1.5.1.3-01", 1500)],
        first_at=None,
    )
    meanings = Meanings()
    for sensor, frame in (("other", 3), ("s", 7), ("s", 9)):
        violation = {
            "sensor": sensor, "connection": "c", "requirement": "MQQB-3.1.5.1.2-01",
            "message": f"the version is wrong at {sensor}", "first_frame": frame,
        }  # fmt: skip
        meanings.add(pa.RecordBatch.from_pylist([violation]))
    assert list(session_lines(row, meanings)) == [
        (
            "at an unknown time  10.0.0.1:5000 opened a connection to 10.0.0.2:1801: "
            "handshake refused by the acceptor; 2 packets could not be read"
        ),
        "  10.0.0.1:5000 sent 1,200 packets to 10.0.0.2:1801; 1,100 not acknowledged",
        "  10.0.0.2:1801 sent 2 packets (2 unreadable, 1 part missing or unreadable) to 10.0.0.1:5000",
        "  the same queue managers as in session 3 of this connection",
        "  violation: the version is wrong at s (MQQB-3.1.5.1.2-01, frame 7)",
        "  violation: a requirement was violated (MQQB-3.1.5.1.3-01, 1,500 times)",
    ]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"first_packet": None}, "no packet was captured"),
        ({"handshake": "unseen", "outcome": "open"},
         "no handshake captured; still open when the capture ended"),
        ({"forward": side(1, express=1, unacknowledged=None)},
         "handshake complete; closed; no acknowledgment of the messages of 10.0.0.1:5000 was captured"),
        ({"forward": side(4, express=4, acknowledged=3, unacknowledged=None)},
         "handshake complete; closed; not known whether all messages of 10.0.0.1:5000 were acknowledged"),
        ({"forward": side(1, unacknowledged=None)}, "handshake complete; closed"),
        ({"handshake": "none", "first_packet": None, "backward": side(0, unreadable=1, gaps=1)},
         f"{UNASKED}; closed, all messages acknowledged; 1 packet could not be read"),
        ({"handshake": "incomplete", "outcome": "opening"},
         "still in its handshake when the capture ended"),
        ({"handshake": "incomplete", "outcome": "broken", "forward": side(1)},
         "the connection ended within the handshake"),
        ({"handshake": "incomplete", "backward": side(1, unreadable=1, gaps=1)},
         "handshake not completed; closed, all messages acknowledged; 1 packet could not be read"),
        ({"outcome": "broken", "forward": side(3, express=2, unacknowledged=2)},
         "handshake complete; the connection ended with 2 messages not acknowledged"),
    ],
)  # fmt: skip
def test_states_of_a_session(more: dict[str, Any], expected: str) -> None:
    assert state_of(session(**more)) == expected


def test_where_and_when_a_row_was_captured() -> None:
    ends = {"src": "10.0.0.1", "src_port": 5000, "dst": "10.0.0.2", "dst_port": 1801}
    row = {"transport": "tcp", "file": "a.pcap", "first_frame": 7, "last_frame": 9, "time": TIME, **ends}
    row["last_file"] = "a.pcap"
    when = "2023-11-14 22:13:20.000005"
    assert place_of(row) == f"a.pcap, frames 7 to 9, {when}, 10.0.0.1:5000 to 10.0.0.2:1801"
    assert place_of({**row, "last_frame": 7}).startswith("a.pcap, frame 7, 2023")
    assert place_of({**row, "last_file": "b.pcap"}).startswith("a.pcap, frame 7 to frame 9 of b.pcap, 2023")
    assert place_of({**row, "src": "::1", "dst": "::2"}).endswith(", [::1]:5000 to [::2]:1801")
    assert (
        place_of({"transport": "raw", "file": "a.msmq", "flow": "a.msmq", "offset": 1234})
        == "a.msmq, byte 1,234"
    )
    assert time_of(None) == "at an unknown time"


def test_a_summary_of_nothing() -> None:
    summary = Summary()
    summary.add("gaps", pa.RecordBatch.from_pydict({"size": pa.array([], pa.int64())}))
    assert (summary.rows["gaps"], summary.bytes["gaps"]) == (0, 0)


def test_a_summary() -> None:
    summary = Summary()

    def add(table: str, **columns: list[Any]) -> None:
        summary.add(table, pa.RecordBatch.from_pydict(columns))

    add("frames", reason=["read", "not IP", "read"], frames=[1500, 1, 2])
    add(
        "packets",
        type=["UserMessage", "OrderAck", "UserMessage", "UserMessage"],
        size=[1000, 20, 300, 9],
        partial=[False, False, False, True],
    )
    one = ["d", "a", "b", "b", "c", "c", None, "d", None, "e"]
    several: list[list[str] | None] = [[name] if name else [] for name in one]
    several[1:3] = [None, ["b", "d"]]  # of two queues, with or without the one of the UserHeader
    add("messages", destination=one, destinations=several)
    add("sessions", at=[1, 2])
    add("flows", at=[1, 2, 3])
    add("gaps", size=[10, 2000])
    # Another copy of bytes, and the contents of a message, are in packets.
    add("quarantine", size=[7, None, 100, 1000], kind=["junk", "error", "conflict", "directory"])
    requirements = ["R1", "R2", "R2", "R3", "R3", "R3", "R4", "R4", "R4", "R4"]
    add(
        "violations",
        requirement=requirements,
        message=[f"{at} of {name}" for at, name in enumerate(requirements)],
    )
    add("findings", severity=["alert", "info", "alert"])
    add("directory_changes", at=[1] * 4)
    add("directory_objects", at=[1, 2])
    assert list(summary.lines()) == [
        "frames       1,503: read 1,502, not IP 1",
        "packets      3, 1,320 bytes: UserMessage 2, OrderAck 1; and 1 that cannot be read whole",
        "messages     10, most to d (3), b (2), c (2), and 2 others",
        "sessions     2; 3 flows",
        "directory    4 changes, 2 objects",
        "missing      2 gaps, 2,010 bytes not captured",
        "quarantine   4 rows, 7 bytes outside whole packets",
        "findings     3: alert 2, info 1",
        "violations   10, of 4 requirements",
        "         4 x R4, for example: 6 of R4",
        "         3 x R3, for example: 3 of R3",
        "         2 x R2, for example: 1 of R2",
    ]


def test_one_of_each() -> None:
    summary = Summary()
    for table in ("flows", "gaps", "quarantine", "directory_changes"):
        summary.add(table, pa.RecordBatch.from_pydict({"size": [1], "kind": ["junk"]}))
    summary.add("violations", pa.RecordBatch.from_pydict({"requirement": ["R"], "message": ["m"]}))
    assert [*summary.lines()][3:] == [
        "sessions     0; 1 flow",
        "directory    1 change, 0 objects",
        "missing      1 gap, 1 byte not captured",
        "quarantine   1 row, 1 byte outside whole packets",
        "findings     0",
        "violations   1, of 1 requirement",
        "         1 x R: m",
    ]


@pytest.mark.parametrize(
    ("count", "told"), [(1, "a (1)"), (3, "a (1), b (1), c (1)"), (4, "a (1), b (1), c (1), and 1 other")]
)
def test_three_destinations_are_named(count: int, told: str) -> None:
    summary = Summary()
    rows = {"destination": [*"abcd"[:count]], "destinations": pa.nulls(count, pa.list_(pa.string()))}
    summary.add("messages", pa.RecordBatch.from_pydict(rows))
    assert [*summary.lines()][2] == f"messages     {count}, most to {told}"


def test_all_kinds_of_packets() -> None:
    """Each has its noun, with one and with several, in the order of their importance."""
    names = ["express message", "recoverable message", "transactional message"]
    names += ["OrderAck", "FinalAck", "SessionAck"]
    for count, end in ((1, ""), (2000, "s")):
        counts: Any = dict.fromkeys(KINDS, count)
        told, _ = sides_of(session(forward=side(9, **counts)))
        listed = ", ".join(f"{count:,} {name}{end}" for name in names)
        assert told == f"10.0.0.1:5000 sent 9 packets ({listed}) to 10.0.0.2:1801"


def test_messages_of_the_acceptor_without_acknowledgments() -> None:
    """Either side may be the one whose acknowledgments were not captured."""
    row = session(forward=side(0), backward=side(1, express=1, unacknowledged=None))
    told = "closed; no acknowledgment of the messages of 10.0.0.2:1801 was captured"
    assert state_of(row).endswith(told)
    row["forward"] = side(1, express=1, acknowledged=1, unacknowledged=None)
    assert state_of(row).endswith(told)
    row["forward"] = side(1, express=1, unacknowledged=None)
    assert state_of(row).endswith("messages of 10.0.0.1:5000 and 10.0.0.2:1801 was captured")
    assert state_of({**row, "outcome": "open"}).endswith("still open when the capture ended")


def restored(line: str, known: tuple[list[str], dict[int, tuple[str, int]]]) -> list[tuple[str, str]]:
    """The heads and tails of an explanation, as the script of the page finds them."""
    tails, follows = known
    items = json.loads(line)[3:]
    found, before = [], -1
    for item in items:
        if item == 0:
            head, number = follows[before]
        elif isinstance(item, str):
            head, number = item, follows[before][1]
        else:
            head, tail = item
            if isinstance(tail, str):
                tails.append(tail)
            number = len(tails) - 1 if isinstance(tail, str) else tail
        follows[before] = head, number
        before = number
        found.append((head, tails[number]))
    return found


def test_explanations_come_back() -> None:
    """Offsets are those from the line before, expected lines are a zero, and known tails are numbers."""
    head = "offset     bytes  field  value"
    first = [
        head,
        "0000    0  01     a      one",
        "0004    4  02     b      two",
        "0009    9  03     a      one",
    ]
    third = [
        head,
        "0000    0  01     a      one",
        "0005    5  02     b      two",
        "0011   17  07     c      new",
    ]
    texts = ["\n".join(lines) for lines in (first, first, third)]
    encoder, known = Recurring(), (list[str](), dict[int, tuple[str, int]]())
    lines = [encoder.encoded(text) for text in texts]
    start = texts[0].index("bytes")
    assert [json.loads(line)[:3] for line in lines] == [[start, start + 7, start + 14]] * 3
    found = [restored(line, known) for line in lines]
    assert found[0] == found[1]
    assert [tail for _, tail in found[0]] == ["field\tvalue", "a\tone", "b\ttwo", "a\tone"]
    assert [tail for _, tail in found[2]] == ["field\tvalue", "a\tone", "b\ttwo", "c\tnew"]
    assert [head for head, _ in found[0]] == ["offset\tbytes", "0\t01", "4\t02", "5\t03"]
    assert [head for head, _ in found[2]] == ["offset\tbytes", "0\t01", "5\t02", "12\t07"]
    assert json.loads(lines[1])[3:5] == [0, 0]
    assert json.loads(lines[2])[5] == "5\t02"
    assert json.loads(encoder.encoded(texts[2]))[3:] == [0, 0, 0, 0]
