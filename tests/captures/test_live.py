"""Captures that come through a pipe: what is known of a whole file, and what is bounded."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
from collections import Counter
from ipaddress import ip_address
from itertools import permutations
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from support_by_hand import MICRO, pcap

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire.captures.engine import Settings, run, run_live
from msmq_wire.captures.files import live
from msmq_wire.captures.files.live import LiveFlows
from msmq_wire.captures.files.segments import ACK, FIN, RST, SYN
from msmq_wire.captures.files.sources import Source
from msmq_wire.packets.mistaken import CAPTURES, PACKED
from msmq_wire.testing.captures import Faults, write_captures
from msmq_wire.testing.captures.wire import Address, Path

if TYPE_CHECKING:
    import pathlib

_FIRST, _SEGMENTS = 4, 64
"""How many segments wait for the beginning of a flow, and for bytes that are missing."""
_BEFORE, _BEFORE_BYTES = 16, 4096
"""How many segments before the first packet of a connection are kept, and how many bytes."""
_CONNECTIONS, _OLDER, _SYNS = 4096, 16, 256
"""How many connections are open, how many of them before the last one of the same ports, and how many SYNs of
these ports are known."""
BASE = mqqb.SessionAck()
PACKET = mw.encode(BASE)
NAMES = ["flow", "direction", "connection", "offset", "data"]


def chunks(data: bytes, size: int) -> Source:
    return Source((data[at : at + size] for at in range(0, len(data), size)), live=True)


def tables_of(batches: Any) -> dict[str, list[dict[str, Any]]]:
    rows: dict[str, list[dict[str, Any]]] = {}
    for name, batch in batches:
        rows.setdefault(name, []).extend(batch.to_pylist())
    return rows


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[pathlib.Path]:
    place = tmp_path_factory.mktemp("live")
    faults = msgspec.structs.replace(Faults.all(), damage=0.0, conflict=0.0)
    return [*write_captures(place, 160, seed=5, files=2, faults=faults).captures]


@pytest.mark.each(3)
@pytest.mark.parametrize("size", [4096, 100, 1 << 20])
def test_the_packets_are_those_of_the_file(paths: list[pathlib.Path], size: int) -> None:
    """Losses, repeats, fragments and tunnels included, however the pipe cuts the bytes."""
    for path in paths:
        whole = tables_of(run([str(path)], ("packets", "frames")))
        live = tables_of(run_live(chunks(path.read_bytes(), size), str(path), ("packets", "frames")))
        keys = [
            Counter(tuple(row[name] for name in NAMES) for row in one["packets"]) for one in (whole, live)
        ]
        assert keys[0] == keys[1]
        assert live["frames"] == whole["frames"]


@pytest.mark.each(3)
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_pipes(paths: list[pathlib.Path], pack: Any) -> None:
    packed = pack(paths[0].read_bytes())
    whole = tables_of(run([str(paths[0])], ("packets",)))["packets"]
    assert len(tables_of(run_live(chunks(packed, 999), "-", ("packets",)))["packets"]) == len(whole)
    cut = tables_of(run_live(chunks(packed[:-200], 999), "-", ("packets", "quarantine")))
    assert any("data is damaged" in row["error"] for row in cut["quarantine"])


def test_a_packed_pipe_of_packets_that_ends_early() -> None:
    packed = gzip.compress(PACKET * 9)[:-9]
    rows = tables_of(run_live(chunks(packed, 7), "-", ("packets", "quarantine")))
    assert (len(rows["packets"]), "data is damaged" in rows["quarantine"][0]["error"]) == (9, True)


@pytest.mark.parametrize(
    "read", [lambda chosen: run([], (), chosen), lambda chosen: run_live(chunks(b"", 1), "-", (), chosen)]
)
def test_what_is_no_requirement_is_refused_at_once(read: Any) -> None:
    with pytest.raises(mw.MsmqWireError, match=r"'MQMQ-2\.2' is not the id of a requirement"):
        next(iter(read(Settings(ignore=frozenset({"MQMQ-2.2"})))))


def test_what_is_no_capture() -> None:
    rows = tables_of(run_live(chunks(b"something else entirely", 5), "-", ("packets", "quarantine")))
    assert [row["error"] for row in rows["quarantine"]] == [
        "the file does not begin as pcap, pcapng or MSMQ packets does"
    ]
    assert (
        tables_of(run_live(chunks(b"", 5), "-", ("quarantine",)))["quarantine"][0]["error"]
        == "the file is empty"
    )


def test_packets_back_to_back() -> None:
    rows = tables_of(run_live(chunks(PACKET * 5 + b"junk", 7), "-", ("packets", "quarantine")))
    assert [(row["offset"], row["transport"], row["direction"]) for row in rows["packets"]] == [
        (at * len(PACKET), "raw", "->") for at in range(5)
    ]
    assert sum(row["size"] for row in rows["quarantine"]) == 4


def test_pieces_of_packets_are_numbered() -> None:
    """As in a file, the frame of a packet is the number of its piece of 65,536 bytes."""
    body = mqmq.MessagePropertiesHeader(MessageBody=bytes(40_000))
    message = mw.encode(mqmq.UserMessage(MessagePropertiesHeader=body))
    rows = tables_of(run_live(chunks(message * 4, 1 << 20), "-", ("packets",)))["packets"]
    ends = [(at + 1) * len(message) for at in range(4)]
    assert [row["last_frame"] for row in rows] == [(end - 1) // 65_536 + 1 for end in ends] == [1, 2, 2, 3]


# ------------------------------------------------------------------------------------------ one flow


def row(
    seq: int, data: bytes, flags: int = ACK, number: int = 1, port: int = 5000, marked: bool = True
) -> Any:
    ends = ("tcp", "10.0.0.1", port, "10.0.0.2", 1801)
    return (
        "f",
        number,
        0,
        number,
        *ends,
        seq % 2**32,
        0,
        flags,
        data,
        len(data),
        len(data),
        None,
        marked,
        len(data),
        None,
        None,
    )


def pieces(rows: list[Any]) -> list[tuple[str, int, int]]:
    flows = LiveFlows(1 << 22)
    batches = [flows.take(rows), flows.close()]
    return [(one["kind"], one["offset"], one["size"]) for batch in batches for one in batch.to_pylist()]


def with_checksum(segment: Any, right: bool | None) -> Any:
    return (*segment[:15], right, *segment[16:])


@pytest.mark.parametrize("times", [(None, None), (None, 5), (0, 9)])
def test_times_that_are_not_known(times: tuple[int | None, int | None]) -> None:
    """A packet in two frames has the times of both; that of a frame without one is null."""
    parts = [row(1, PACKET[:20]), row(21, PACKET[20:])]
    segments = [(*one[:3], time, *one[4:]) for one, time in zip(parts, times, strict=True)]
    found = LiveFlows(1 << 22).take([row(0, b"", SYN), *segments])
    assert {found.column(name)[0].as_py() for name in ("repeated", "turn", "seen")} == {
        0
    }  # of whole captures
    assert [found.column(name).cast("int64").to_pylist() for name in ("time", "end_time")] == [
        [time or None] for time in times
    ]


def test_datagrams_follow_each_other() -> None:
    """Each flow counts its own bytes."""
    ping = mw.encode(mqqb.PingPacket())
    flows = LiveFlows(1 << 22)
    found = []
    for port in (5000, 5001, 5000, 5000):
        segment = row(0, ping, port=port)
        found += flows.take([("f", 1, 0, 1, "udp", *segment[5:])]).to_pylist()
    places = [(one["src_port"], one["offset"]) for one in found]
    assert places == [(5000, 0), (5001, 0), (5000, len(ping)), (5000, 2 * len(ping))]
    assert {one[name] for one in found for name in ("repeated", "turn", "seen")} == {
        0
    }  # as of all live pieces


def test_segments_out_of_order_repeated_and_overlapping() -> None:
    data = PACKET * 4
    for seed in range(40):
        rng = random.Random(seed)  # noqa: S311  # for tests
        start = rng.randrange(2**32)
        rows = [row(start, b"", SYN)]
        cuts = sorted(rng.sample(range(1, len(data)), 6))
        parts = [row(start + 1 + a, data[a:b]) for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        parts += [row(start + 1 + cuts[1] - 1, data[cuts[1] - 1 : cuts[3]]), parts[2], row(start, data[:0])]
        rng.shuffle(parts)
        rows += [*parts, row(start + 1 + len(data), b"", FIN | ACK)]
        assert pieces(rows) == [("packet", at * len(PACKET), len(PACKET)) for at in range(4)]


def test_a_gap_is_waited_for_only_so_long() -> None:
    rows = [row(0, b"", SYN), row(1, PACKET)]
    later = [row(1 + len(PACKET) * (2 + at), PACKET, number=at) for at in range(_SEGMENTS + 1)]
    flows = LiveFlows(1 << 22)
    first = flows.take([*rows, *later[:-1]])
    assert [one["kind"] for one in first.to_pylist()] == ["packet"]
    then = flows.take(later[-1:]).to_pylist()
    assert [one["kind"] for one in then] == ["gap", *["packet"] * (_SEGMENTS + 1)]
    assert then[0]["size"] == len(PACKET)


def test_what_is_acknowledged_is_listed_at_once() -> None:
    """Without a SYN nobody knows where a flow begins, until the other side has its bytes."""
    flows = LiveFlows(1 << 22)
    assert flows.take([row(100, PACKET)]).num_rows == 0
    file, number, offset, frame, kind, src, port, dst, other, _, _, *rest = row(0, b"")
    for acknowledged, known in ((100, 0), (100 + len(PACKET), 1)):
        answer = (file, number, offset, frame, kind, dst, other, src, port, 900, acknowledged, *rest)
        assert [one["kind"] for one in flows.take([answer]).to_pylist()] == ["packet"] * known
    assert flows.close().num_rows == 0


def test_ports_are_used_again() -> None:
    """Another SYN begins another connection; a repeated one does not, and a RST ends one."""
    one = [row(100, b"", SYN), row(100, b"", SYN), row(101, PACKET)]
    two = [row(900, b"", SYN), row(901, PACKET), row(901 + len(PACKET), b"", RST), row(901, PACKET)]
    flows = LiveFlows(1 << 22)
    found = [*flows.take(one + two).to_pylist(), *flows.close().to_pylist()]
    assert [(piece["kind"], piece["flow"].rpartition("#")[2]) for piece in found] == [
        ("packet", "64"),
        ("packet", "384"),
    ]


def sent(way: str, seq: int, ack: int, data: bytes = b"", flags: int = ACK, number: int = 1) -> Any:
    """A segment of either side."""
    made = row(seq, data, flags, number, marked=bool(data))
    ends = made[5:9] if way == "->" else (*made[7:9], *made[5:7])
    return (*made[:5], *ends, made[9], ack, *made[11:])


OLD = [
    sent("->", 10, 0, flags=SYN),
    sent("<-", 50, 11, flags=SYN | ACK),
    sent("->", 11, 51, PACKET),
    sent("->", 11 + len(PACKET), 51, flags=FIN | ACK),
]
"""An older connection between the same ports."""


@pytest.mark.parametrize("answered", [False, True])
def test_delayed_segments_of_an_older_connection_are_omitted(*, answered: bool) -> None:
    """Its FIN does not end the new one, its SYNs do not begin it again, and its bytes make no gap."""
    size = len(PACKET)
    delayed = [
        sent("->", 11, 51, PACKET),
        sent("->", 11 + size, 51, flags=FIN | ACK),
        sent("<-", 51, 12 + size, flags=FIN | ACK),
        sent("->", 10, 0, flags=SYN),
        sent("<-", 50, 11, flags=SYN | ACK),
        sent("<-", 9500, 11, flags=SYN | ACK),
    ]
    new, answer = sent("->", 5000, 0, flags=SYN), sent("<-", 9000, 5001, flags=SYN | ACK)
    rest = [
        sent("->", 5001, 9001, PACKET),
        sent("<-", 9800, 5001, flags=SYN | ACK),
        sent("<-", 9001, 5001 + size, PACKET),
        sent("->", 5001 + size, 9001 + size, PACKET),
    ]
    order = [answer, *delayed] if answered else [*delayed, answer]
    expected = [("packet", 0, size)] * 3 + [("packet", size, size)]
    assert sorted(pieces([*OLD, new, *order, *rest])) == expected


@pytest.mark.parametrize("at", range(7))
def test_a_delayed_syn_of_the_other_side_is_omitted(at: int) -> None:
    """The older connection between the ports was opened by the other side."""
    size = len(PACKET)
    new = [
        sent("<-", 9000, 0, flags=SYN),
        sent("->", 5000, 9001, flags=SYN | ACK),
        sent("<-", 9001, 5001, PACKET),
        sent("->", 5001, 9001 + size, PACKET),
        sent("<-", 9001 + size, 5001 + size, PACKET),
        sent("->", 5001 + size, 9001 + 2 * size, PACKET),
    ]
    delayed = [*new[: at + 1], sent("->", 10, 0, flags=SYN), *new[at + 1 :]]
    assert sorted(pieces([*OLD, *delayed])) == [("packet", 0, size)] * 3 + [("packet", size, size)] * 2


def test_a_damaged_copy_does_not_count() -> None:
    """The next copy does, where the sender's checksums are right otherwise."""
    good, bad = row(1 + len(PACKET), PACKET), row(1 + len(PACKET), PACKET[:-1] + b"\xff")
    first = row(1, PACKET)
    right = (*first[:15], True, *first[16:])
    wrong = (*bad[:15], False, *bad[16:])
    flows = LiveFlows(1 << 22)
    found = flows.take([row(0, b"", SYN), right, wrong, good]).to_pylist()
    assert [(one["kind"], one["data"]) for one in found] == [
        ("packet", PACKET), ("conflict", bad[12]), ("packet", PACKET)
    ]  # fmt: skip
    offloaded = (*first[:15], False, *first[16:])
    assert pieces([offloaded]) == [("packet", 0, len(PACKET))]
    second = row(1 + len(PACKET), PACKET)
    only = (*second[:15], False, *second[16:])
    overlapping = row(1 + len(PACKET) * 2 - 4, PACKET[-4:] + PACKET, number=3)
    assert pieces([right, only, overlapping]) == [
        ("packet", at * len(PACKET), len(PACKET)) for at in range(3)
    ]


@pytest.mark.parametrize("more", [0, 1])
def test_copies_are_compared_with_the_last_16_kibibytes(more: int) -> None:
    """And with the last segment, however long it is; also behind the end of the flow."""
    flows, size = LiveFlows(1 << 22), len(PACKET)
    rest = bytes((16 << 10) - size + more)
    end = 1 + size + len(rest)
    flows.take([row(0, b"", SYN), row(1, PACKET), row(1 + size, rest)])
    copies = [row(1, PACKET[:-1] + b"?", number=2), row(1, PACKET, number=3)]
    found = flows.take(copies).to_pylist()
    assert [(one["kind"], one["offset"], one["data"]) for one in found] == [
        ("conflict", 0, copies[0][12])
    ] * (not more)
    flows.take([row(end, bytes(1 << 16)), row(end + (1 << 16), b"", FIN | ACK)])
    last = flows.take([row(end + (1 << 16) - 2, b"??", number=4)]).to_pylist()
    assert [(one["kind"], one["offset"], one["first_frame"]) for one in last] == [
        ("conflict", end + (1 << 16) - 3, 4)
    ]


@pytest.mark.parametrize("more", [0, 1])
def test_copies_are_compared_with_the_last_64_segments(more: int) -> None:
    rest = [row(2 + at, b"1", number=at) for at in range(_SEGMENTS - 1 + more)]
    flows = LiveFlows(1 << 22)
    flows.take([row(0, b"", SYN), row(1, b"1"), *rest])
    found = flows.take([row(1, b"23", number=99)]).to_pylist()
    assert [(one["kind"], one["offset"], one["data"]) for one in found] == [
        *[("conflict", 0, b"2")] * (not more), ("conflict", 1, b"3")
    ]  # fmt: skip


def test_a_damaged_copy_that_is_longer_is_used_behind_the_good_one() -> None:
    """Also where bytes before both are missing."""
    size = len(PACKET)
    first, good, longer = row(1, PACKET), row(1 + 2 * size, PACKET), row(1 + 2 * size, PACKET * 2, number=2)
    right, longer = (*first[:15], True, *first[16:]), (*longer[:15], False, *longer[16:])
    assert pieces([row(0, b"", SYN), right, longer, good]) == [
        ("packet", 0, size), ("gap", size, size), ("packet", 2 * size, size), ("packet", 3 * size, size)
    ]  # fmt: skip


def test_what_is_not_msmq_is_not_kept() -> None:
    """The few segments before a packet are, because a connection begins with them."""
    flows = LiveFlows(1 << 22)
    silent = [row(1 + at, b"G", marked=False) for at in range(_BEFORE + 4)]
    end = 1 + len(silent)
    rows = [*silent, row(end, PACKET), row(end + len(PACKET), b"x", marked=False)]
    found = flows.take(rows).to_pylist()
    others = range(6000, 6000 + _CONNECTIONS + 10)
    flows.take([row(1, b"GET /", marked=False, port=port) for port in others])
    assert len(flows.other_connections) == _CONNECTIONS
    found += flows.close().to_pylist()
    assert [(one["kind"], one["size"]) for one in found] == [
        ("junk", _BEFORE), ("packet", len(PACKET)), ("tail", 1)
    ]  # fmt: skip
    assert flows.others == {"": 4, "HTTP": _CONNECTIONS + 10}
    assert flows.other_bytes == {"": 4, "HTTP": 5 * (_CONNECTIONS + 10)}


def test_a_mark_across_segments() -> None:
    """A connection on another port is found, however its first packet is cut."""
    for size in range(1, len(PACKET)):
        parts = [row(1 + at, PACKET[at : at + size], marked=size >= 8) for at in range(0, len(PACKET), size)]
        assert pieces([row(0, b"", SYN, marked=False), *parts]) == [("packet", 0, len(PACKET))]


@pytest.mark.parametrize("start", [0, 2**32 - 40])
def test_a_connection_whose_first_frames_are_swapped(start: int) -> None:
    """Its SYN, or its first bytes, come after others: nothing is lost; it is the connection of the SYN."""
    syn, parts = row(start, b"", SYN), [row(start + 1 + at, PACKET[at : at + 9]) for at in range(0, 36, 9)]
    for order in permutations([syn, *parts[:3]]):
        flows = LiveFlows(1 << 22)
        found = [*flows.take([*order, *parts[3:]]).to_pylist(), *flows.close().to_pylist()]
        assert [(one["kind"], one["offset"], one["connection"].partition("#")[2]) for one in found] == [
            ("packet", 0, f"{start:x}")
        ]


def test_a_fin_before_the_last_bytes() -> None:
    """It ends the flow where it says; a RST ends nothing, because numbers and frames may be out of order."""
    end = 1 + 2 * len(PACKET)
    for last in (row(end, b"", FIN | ACK), row(end, b"", RST)):
        rows = [row(0, b"", SYN), row(1, PACKET), last, row(1 + len(PACKET), PACKET)]
        assert pieces(rows) == [("packet", at * len(PACKET), len(PACKET)) for at in range(2)]
    missing = [row(0, b"", SYN), row(1, PACKET), row(end, b"", FIN | ACK)]
    assert pieces(missing) == [("packet", 0, len(PACKET)), ("gap", len(PACKET), len(PACKET))]
    shown = [row(0, b"", SYN), row(1, PACKET), row(end, b"")]
    assert pieces(shown) == [("packet", 0, len(PACKET)), ("gap", len(PACKET), len(PACKET))]


@pytest.mark.parametrize("flags", [(ACK, ACK), (FIN | ACK, FIN | ACK), (FIN | ACK, ACK), (ACK, FIN | ACK)])
def test_the_segment_after_missing_bytes_at_the_end(flags: tuple[int, int]) -> None:
    """The first one whose number shows them, whether a FIN or not."""
    end = 1 + 2 * len(PACKET)
    rows = [row(0, b"", SYN), row(1, PACKET, number=2)]
    rows += [row(end, b"", each, number=number) for number, each in enumerate(flags, 3)]
    flows = LiveFlows(1 << 22)
    _, gap = (one for batch in (flows.take(rows), flows.close()) for one in batch.to_pylist())
    assert (gap["kind"], gap["first_frame"], gap["last_frame"]) == ("gap", 2, 3)
    assert (gap["end_time"] - gap["time"]).microseconds == 1


@pytest.mark.parametrize("is_first", [False, True])
def test_what_the_other_side_acknowledges_at_the_end(is_first: bool) -> None:
    """The first segment that acknowledges most, also if it comes before the flow begins."""
    answers = [sent("<-", 51, 101 + size) for size in (len(PACKET), 999, 999, 998)]
    flow = [sent("->", 100, 0, flags=SYN), sent("->", 101, 51, PACKET)]
    flows = LiveFlows(1 << 22)
    rows = [flow[0], *answers, flow[1]] if is_first else [*flow, *answers]
    batches = [flows.take(rows), flows.close()]
    packet, gap = (piece for batch in batches for piece in batch.to_pylist())
    assert (packet["kind"], gap["kind"]) == ("packet", "gap")
    assert (gap["offset"], gap["size"]) == (len(PACKET), 999 - len(PACKET))


@pytest.mark.parametrize("size", [9, len(PACKET), 2 * len(PACKET)])
def test_no_byte_is_lost_without_a_count(size: int) -> None:
    """Whatever the order, each byte is in a piece, in a gap, or in a segment that is counted as late."""
    data = PACKET * 8
    parts = [sent("->", 101 + at, 51, data[at : at + size]) for at in range(0, len(data), size)]
    answers = [sent("<-", 51, 101 + at + size) for at in range(0, len(data), size)]
    fin = sent("->", 101 + len(data), 51, flags=FIN | ACK)
    talk = [one for pair in zip(parts, answers, strict=True) for one in pair]
    orders = [[fin, *talk], [*reversed([*talk, fin])], [*reversed(parts), fin], [*answers, *parts, fin]]
    for seed in range(60):
        rng = random.Random(seed)  # noqa: S311  # for tests
        orders.append(rng.sample([*talk, fin], len(talk) + 1))
    late = 0
    for order in orders:
        flows = LiveFlows(1 << 22)
        batches = [flows.take(order), flows.close()]
        listed = sum(
            one["size"] for batch in batches for one in batch.to_pylist() if one["direction"] == "->"
        )
        assert listed + flows.late_bytes + flows.other_bytes.total() == len(data)
        late += flows.late
    assert late


def test_a_fin_that_comes_first_does_not_end_the_flow() -> None:
    """Nor does the acknowledgment of a FIN say where the flow begins."""
    end = 101 + 2 * len(PACKET)
    answer, fin = sent("<-", 51, end + 1), sent("->", end, 51, flags=FIN | ACK)
    parts = [sent("->", 101, 51, PACKET), sent("->", 101 + len(PACKET), 51, PACKET)]
    for order in ([fin, *parts], [answer, fin, *parts], [fin, answer, *parts]):
        assert pieces(order) == [("packet", 0, len(PACKET)), ("packet", len(PACKET), len(PACKET))]


def test_late_segments_are_in_the_table_of_frames() -> None:
    """The capture begins within a connection, and its first segment comes behind the second one."""
    sender = Address(ip_address("10.0.0.1"), 50000, b"\2\0\0\0\0\1")
    receiver = Address(ip_address("10.0.0.2"), 1801, b"\2\0\0\0\0\2")
    there, back = Path(sender, receiver), Path(receiver, sender)
    size = len(PACKET)
    frames = [
        there.tcp(100 + size, 50, ACK, PACKET),
        back.tcp(50, 100 + 2 * size, ACK, b""),
        there.tcp(100, 50, ACK, PACKET),
        there.tcp(100 + 2 * size, 50, ACK, PACKET),
    ]
    capture = pcap((at * MICRO, frame) for at, frame in enumerate(frames))
    rows = tables_of(run_live(chunks(capture, 50), "-", ("packets", "frames")))
    assert [row["offset"] for row in rows["packets"]] == [0, size]
    counts = {row["reason"]: (row["frames"], row["bytes"]) for row in rows["frames"]}
    assert counts["late"] == (1, len(frames[0]))
    assert counts["read"][0] == 3


def test_held_bytes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound the connection that was silent for longest is closed, whatever its packets promise."""
    monkeypatch.setattr(live, "HELD", 10 * len(PACKET))
    flows = LiveFlows(1 << 22)
    for port in range(100):
        flows.take([row(0, b"", SYN, port=port), row(1, PACKET[:-1], port=port)])
        assert (
            sum(flow.bytes_held for one in flows.connections.values() for flow in one.flows.values()) <= 360
        )
    assert len(flows.connections) == 10
    assert flows.close().num_rows == 10


@pytest.mark.long
def test_connections_are_bounded() -> None:
    flows = LiveFlows(1 << 22)
    for port in range(_CONNECTIONS + 10):
        flows.take([row(1, PACKET[:8], port=port)])
    assert len(flows.connections) == _CONNECTIONS


@pytest.mark.parametrize("count", [_FIRST - 1, _FIRST])
def test_segments_that_wait_for_a_beginning(count: int) -> None:
    """Without a SYN and an acknowledgment, a flow begins as soon as so many segments wait."""
    flows = LiveFlows(1 << 22)
    rows = [row(100 + at * len(PACKET), PACKET, number=at) for at in range(count)]
    assert flows.take(rows).num_rows == (count if count == _FIRST else 0)
    assert flows.close().num_rows == (0 if count == _FIRST else count)


@pytest.mark.parametrize("more", [0, 1])
def test_a_mebibyte_waits_for_what_is_missing(more: int) -> None:
    flows = LiveFlows(1 << 22)
    later = row(2, bytes((1 << 20) + more))
    assert bool(flows.take([row(0, b"", SYN), later]).num_rows) == bool(more)


@pytest.mark.parametrize("more", [0, 1])
def test_256_mebibytes_of_all_connections_are_held(more: int) -> None:
    flows = LiveFlows(1 << 22)
    flows.take([row(0, b"", SYN, port=1), row(1, PACKET[:9], port=1)])
    flows.held_bytes = (256 << 20) - 8 + more  # as other connections have
    flows.take([row(0, b"", SYN, port=2), row(1, PACKET[:8], port=2)])
    assert len(flows.connections) == 2 - more


@pytest.mark.parametrize("more", [0, 1])
def test_the_bytes_that_wait_are_bounded(monkeypatch: pytest.MonkeyPatch, more: int) -> None:
    """What is missing is waited for until more bytes than that wait, in however few segments."""
    monkeypatch.setattr(live, "BYTES", 2 * len(PACKET) - more)
    later = [row(2 + at * len(PACKET), PACKET, number=at) for at in range(2)]
    kinds = [one["kind"] for one in LiveFlows(1 << 22).take([row(0, b"", SYN), *later]).to_pylist()]
    assert kinds == ["gap", "packet", "packet"] * more


@pytest.mark.parametrize(("sizes", "kept"), [([_BEFORE_BYTES], 1), ([_BEFORE_BYTES, 1], 1), ([99] * 12, 12)])
def test_the_bytes_before_a_packet_are_bounded(sizes: list[int], kept: int) -> None:
    """The last segments before the first packet are kept, up to so many bytes."""
    flows, at, rows = LiveFlows(1 << 22), 1, []
    for size in sizes:
        rows.append(row(at, b"G" * size, marked=False))
        at += size
    found = [*flows.take([*rows, row(at, PACKET)]).to_pylist(), *flows.close().to_pylist()]
    assert [one["size"] for one in found] == [sum(sizes[-kept:]), len(PACKET)]
    assert (flows.others.total(), flows.other_bytes.total()) == (len(sizes) - kept, sum(sizes[:-kept]))


@pytest.mark.each(5)
@pytest.mark.parametrize("ago", [1, _OLDER, _OLDER + 1, _SYNS - 1, _SYNS])
def test_delayed_syns_of_so_many_older_connections(ago: int) -> None:
    """A copy of a SYN begins nothing, and is late if its connection was closed; a forgotten one does."""
    flows = LiveFlows(1 << 22)
    starts = range(1000, 1000 * (_SYNS + 2), 1000)
    for start in starts:
        flows.take([row(start, b"", SYN), row(start + 1, PACKET)])
    flows.take([row(starts[-1 - ago], b"", SYN)])
    after = row(starts[-1] + 1 + len(PACKET), PACKET)
    found = [*flows.take([after]).to_pylist(), *flows.close().to_pylist()]
    assert {one["connection"].rpartition("#")[2] for one in found} == (
        {f"{starts[-1]:x}"} if ago < _SYNS else {f"{starts[-1 - ago]:x}"}
    )
    assert flows.late == (_OLDER < ago < _SYNS)


def test_flows_of_datagrams_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more flows, the one that was silent for longest is counted from its beginning again."""
    monkeypatch.setattr(live, "CONNECTIONS", 2)
    ping, flows = mw.encode(mqqb.PingPacket()), LiveFlows(1 << 22)
    found = []
    for port in (1, 2, 1, 3, 1, 2):
        found += flows.take([(*row(0, b"")[:4], "udp", *row(0, ping, port=port)[5:])]).to_pylist()
    assert [one["offset"] // len(ping) for one in found] == [0, 0, 1, 0, 2, 0]


@pytest.mark.parametrize("acknowledged", [0, 4, 4 + len(PACKET)])
def test_the_answer_to_a_syn_with_bytes(acknowledged: int) -> None:
    """It acknowledges any number of them (RFC 7413), and is of the same connection."""
    talk = [
        sent("->", 100, 0, PACKET, SYN),
        sent("<-", 900, 101 + min(acknowledged, len(PACKET)), flags=SYN | ACK),
        sent("->", 101 + len(PACKET), 901, PACKET),
        sent("<-", 901, 101 + 2 * len(PACKET), PACKET),
    ]
    flows = LiveFlows(1 << 22)
    found = [*flows.take(talk).to_pylist(), *flows.close().to_pylist()]
    assert {one["connection"].rpartition("#")[2] for one in found} == {"64"}
    assert sorted((one["direction"], one["offset"]) for one in found) == [
        ("->", 0), ("->", len(PACKET)), ("<-", 0)
    ]  # fmt: skip


def test_what_is_held_is_counted_exactly() -> None:
    """After each segment it is the sum of what the connections hold; at the end nothing is held.

    Segments of an older connection, damaged copies, and bytes that are missing at the end are among them.
    """
    data = PACKET * 6
    size, syn = len(data), sent("->", 7, 0, flags=SYN)
    places = range(0, size, 30)
    parts = [sent("<-", 101 + at, 8, data[at : at + 30], number=at + 9) for at in places]
    damaged = [with_checksum((*one[:1], at, *one[2:]), at > 0) for at, one in enumerate(parts[:4])]
    older = [sent("<-", 1, 8, PACKET, number=5), with_checksum(sent("<-", 40, 8, PACKET, number=6), False)]
    for seed in range(30):
        rng, flows = random.Random(seed), LiveFlows(1 << 22)  # noqa: S311  # for tests
        rows = [syn, *older[: seed % 3], sent("<-", 100, 8, flags=SYN | ACK)]
        rows += rng.sample([*parts, *damaged], len(parts) + len(damaged))
        if seed % 2:
            rows.append(sent("<-", 101 + size + 5, 8, flags=FIN | ACK))
        for one in rows:
            flows.take([one])
            held = [flow.bytes_held for known in flows.connections.values() for flow in known.flows.values()]
            early = [segment.captured for known in flows.connections.values() for segment in known.early]
            assert flows.held_bytes == sum(held) + sum(early)
        assert flows.held_bytes == (seed % 3) * len(PACKET)  # those of the older connection
        flows.close()
        assert flows.held_bytes == 0


@pytest.mark.parametrize("old", [[], [1], [1, 40]])
def test_what_waits_is_held_once(old: list[int]) -> None:
    """Those of an older connection until its beginning is known, a damaged copy until there is a good one."""
    size, flows = len(PACKET), LiveFlows(1 << 22)
    flows.take([sent("->", 7, 0, flags=SYN), *(sent("<-", seq, 0, PACKET, flags=0) for seq in old)])
    flows.take([sent("<-", 101 + 2 * size, 0, PACKET, flags=0)])
    assert flows.held_bytes == (len(old) + 1) * size
    flows.take([sent("<-", 100, 8, flags=SYN | ACK)])
    assert flows.held_bytes == (len(old) + 1) * size
    good, bad = sent("<-", 101, 8, PACKET), sent("<-", 101 + size, 8, PACKET)
    flows.take([with_checksum(good, True), with_checksum(bad, False)])
    assert flows.held_bytes == (len(old) + 2) * size
    assert flows.take([bad]).num_rows == 2
    assert flows.held_bytes == len(old) * size


def connections(rows: list[Any]) -> list[tuple[str, str, int, int]]:
    """Of each piece its kind, the number of its connection, its offset and size."""
    flows = LiveFlows(1 << 22)
    found = [*flows.take(rows).to_pylist(), *flows.close().to_pylist()]
    return [(one["kind"], one["connection"].partition("#")[2], one["offset"], one["size"]) for one in found]


@pytest.mark.parametrize(
    ("seq", "size", "late"),
    [(99, 0, 0), (99, 1, 0), (99, 2, 0), (98, 0, 0), (98, 1, 1), (98, 2, 1), (98, 3, 0), (40, 60, 1)],
)
def test_the_byte_of_a_keep_alive_is_not_late(seq: int, size: int, late: int) -> None:
    """It precedes the flow by one ([RFC 9293] 3.8.4); all that is before the flow is late."""
    flows = LiveFlows(1 << 22)
    flows.take([sent("->", 100, 51, PACKET), sent("<-", 51, 100 + len(PACKET))])
    flows.take([sent("->", seq, 51, bytes(size))])
    assert (flows.late, flows.late_bytes) == (late, late * size)


@pytest.mark.parametrize(("back", "size", "late"), [(9, 9, 0), (1, 1, 0), (0, 0, 0), (0, 1, 1), (1, 2, 1)])
def test_what_follows_the_end_is_late(back: int, size: int, late: int) -> None:
    """At its FIN a flow is listed to its end; what repeats its bytes later is not late."""
    flows = LiveFlows(1 << 22)
    listed = flows.take([row(0, b"", SYN), row(1, PACKET[:9]), row(10, b"", FIN | ACK)]).to_pylist()
    assert [(one["kind"], one["size"]) for one in listed] == [("tail", 9)]
    flows.take([row(10 - back, bytes(size))])
    assert (flows.late, flows.late_bytes) == (late, late * size)
    assert flows.close().num_rows == 0


def test_checksums_that_the_card_fills_in() -> None:
    """Where the sender has sent no correct one, a wrong checksum is no reason to wait."""
    for before in (None, False):
        flows = LiveFlows(1 << 22)
        rows = [row(0, b"", SYN), with_checksum(row(1, PACKET), before)]
        rows.append(with_checksum(row(1 + len(PACKET), PACKET), False))
        assert flows.take(rows).num_rows == 2


def test_damaged_segments_count_among_those_that_wait() -> None:
    """For the beginning of a flow as for what is missing."""
    size = len(PACKET)
    first = [with_checksum(row(100 + at * size, PACKET, number=at), True) for at in range(_FIRST - 1)]
    damaged = with_checksum(row(100 + len(first) * size, PACKET), False)
    assert LiveFlows(1 << 22).take([*first, damaged]).num_rows == _FIRST - 1
    start = [row(0, b"", SYN), with_checksum(row(1, PACKET), True)]
    for behind in (_SEGMENTS - 1, _SEGMENTS):
        later = [row(1 + (2 + at) * size, PACKET, number=at) for at in range(behind)]
        later.append(with_checksum(row(1 + (2 + behind) * size, PACKET), False))
        assert LiveFlows(1 << 22).take([*start, *later]).num_rows == (1 if behind < _SEGMENTS else 2 + behind)


def test_damaged_segments_are_read_in_order() -> None:
    """Several without another copy, with a gap before and between them."""
    size = len(PACKET)
    start = [row(0, b"", SYN), with_checksum(row(1, PACKET), True)]
    damaged = [with_checksum(row(1 + at * size, PACKET, number=9 - at), False) for at in (4, 2, 5)]
    assert pieces([*start, *damaged]) == [
        ("packet", 0, size), ("gap", size, size), ("packet", 2 * size, size), ("gap", 3 * size, size),
        ("packet", 4 * size, size), ("packet", 5 * size, size)
    ]  # fmt: skip


def test_a_segment_without_bytes_begins_no_flow() -> None:
    """Its number may be any before the first byte, as that of a keep-alive."""
    assert pieces([row(90, b""), row(99, b""), row(100, PACKET)]) == [("packet", 0, len(PACKET))]


def test_a_flow_that_has_only_a_fin() -> None:
    assert pieces([row(100, b"", FIN | ACK)]) == []
    assert pieces([row(100, b"", FIN | ACK), row(100, b"", SYN)]) == []


@pytest.mark.parametrize(("ahead", "missing"), [(0, 0), (1, 0), (2, 2)])
def test_the_number_after_a_fin_that_was_lost(ahead: int, missing: int) -> None:
    """A FIN has a number and no byte; a later number shows bytes that are missing."""
    size = len(PACKET)
    rows = [row(0, b"", SYN), row(1, PACKET), row(1 + size + ahead, b"")]
    assert pieces(rows) == [("packet", 0, size), *[("gap", size, missing)] * bool(missing)]


@pytest.mark.parametrize(("fin", "late"), [(100, 1), (99, 0), (1, 0)])
def test_a_fin_that_comes_before_the_syn(fin: int, late: int) -> None:
    """It ends the flow if it is behind the SYN; one before it is of an older connection."""
    answer, syn = sent("<-", 50, 100, flags=SYN | ACK), sent("->", 99, 0, flags=SYN)
    flows = LiveFlows(1 << 22)
    flows.take([answer, sent("->", fin, 51, flags=FIN | ACK), syn, sent("->", 100, 51, PACKET)])
    assert flows.late == late
    assert flows.close().num_rows == 0


@pytest.mark.parametrize("ago", [1, 1000, (1 << 30) + 9, (1 << 31) - 100])
@pytest.mark.parametrize("start", [0, 5000, 1 << 31])
def test_numbers_up_to_half_of_all_are_before_a_syn(ago: int, start: int) -> None:
    """Segments of an older connection, wherever its numbers were, are of one without a SYN."""
    size, answer = len(PACKET), sent("<-", start, 8, flags=SYN | ACK)
    old = [sent("<-", start - ago, 0, PACKET[:1], 0), sent("<-", start - ago + 1, 0, b"", FIN)]
    for order in ([*old, answer], [answer, *old]):
        flows = LiveFlows(1 << 22)
        rows = [sent("->", 7, 0, flags=SYN), *order, sent("<-", start + 1, 8, PACKET)]
        found = flows.take([*rows, sent("<-", start + 1 + size, 8, PACKET)]).to_pylist()
        assert [(one["kind"], one["offset"]) for one in found] == [("packet", 0), ("packet", size)]
        rest = flows.close().to_pylist()
        assert [(one["kind"], one["connection"].partition("#")[2]) for one in rest] == [("tail", "")]


@pytest.mark.parametrize(("way", "back"), [("->", "<-"), ("<-", "->")])
@pytest.mark.parametrize("cut", range(1, 12))
def test_a_mark_across_two_segments(way: str, back: str, cut: int) -> None:
    """Wherever it is cut, and whatever the other side sends between."""
    parts = [
        sent(way, 100, 51, PACKET[:cut]),
        sent(back, 51, 100, b"?"),
        sent(way, 100 + cut, 51, PACKET[cut:]),
    ]
    rows = [(*one[:16], cut >= 8 and at == 0, *one[17:]) for at, one in enumerate(parts)]
    assert ("packet", 0, len(PACKET)) in pieces(rows)


@pytest.mark.parametrize("start", [100, 2**32 - 3])
@pytest.mark.parametrize(("more", "same"), [(0, True), (1, False)])
def test_an_answer_to_more_than_a_syn_has_is_of_another_connection(start: int, more: int, same: bool) -> None:
    answer = sent("<-", 900, (start + 1 + len(PACKET) + more) % 2**32, flags=SYN | ACK)
    rows = [sent("->", start, 0, PACKET, SYN), answer, sent("<-", 901, 0, PACKET)]
    other = f"{(start + len(PACKET) + more) % 2**32:x}"
    assert [one[:2] for one in connections(rows)] == [
        ("packet", f"{start:x}"), ("packet", f"{start:x}" if same else other)
    ]  # fmt: skip


def test_only_the_bytes_of_a_syn_may_be_acknowledged_with_it() -> None:
    """Not those of a later segment, whatever its flags are."""
    answer = sent("<-", 900, 101 + len(PACKET), flags=SYN | ACK)
    rows = [sent("->", 100, 0, flags=SYN), sent("->", 101, 0, PACKET, 0), answer, sent("<-", 901, 0, PACKET)]
    assert [one[1] for one in connections(rows)] == ["64", f"{100 + len(PACKET):x}"]


def test_answers_in_whose_syn_nothing_was_captured() -> None:
    """Each number that is acknowledged is another connection; the side that answers matters, too."""
    first, second = sent("<-", 900, 101, flags=SYN | ACK), sent("<-", 900, 102, flags=SYN | ACK)
    rows = [first, sent("<-", 901, 101, PACKET), second, sent("<-", 901, 102, PACKET)]
    assert [one[1] for one in connections(rows)] == ["64", "65"]
    rows = [
        sent("->", 100, 0, PACKET, SYN),
        sent("->", 7, 101 + 4, flags=SYN | ACK),
        sent("->", 8, 105, PACKET),
    ]
    assert [one[1] for one in connections(rows)] == ["64", "68"]


@pytest.mark.parametrize("bounded", [False, True])
def test_a_repeated_syn_waits_for_the_next_segment_of_its_flow(
    monkeypatch: pytest.MonkeyPatch, *, bounded: bool
) -> None:
    """Up to 16 segments, which are held; if too many bytes are held, it is decided at once."""
    if bounded:
        monkeypatch.setattr(live, "HELD", 0)
    flows, size = LiveFlows(1 << 22), len(PACKET)
    new = [sent("->", 5000, 0, flags=SYN), sent("<-", 9000, 5001, flags=SYN | ACK)]
    flows.take([*OLD, *new, sent("->", 10, 0, flags=SYN)])
    for at in range(16):
        count = 1 if bounded else 16 * (at == 15)
        assert flows.take([sent("<-", 9001 + at * size, 5001, PACKET)]).num_rows == count
        assert flows.held_bytes == (0 if count else (at + 1) * size)
    flows.take([sent("->", 10, 0, flags=SYN), sent("<-", 9001 + 16 * size, 5001, PACKET)])
    assert flows.close().num_rows == (not bounded)


def test_bytes_before_those_that_were_acknowledged_first_wait_for_the_syn() -> None:
    """The other side acknowledges its SYN, which is captured late, after a delayed segment."""
    rows = [sent("->", 7, 0, flags=SYN), sent("<-", 40, 0, PACKET, 0), sent("->", 8, 101)]
    rows += [sent("<-", 100, 8, flags=SYN | ACK), sent("<-", 101, 8, PACKET)]
    assert sorted(connections(rows)) == [("packet", "", 0, len(PACKET)), ("packet", "7", 0, len(PACKET))]


@pytest.mark.parametrize("end", [FIN | ACK, RST, ACK])
def test_a_syn_behind_what_has_ended_begins_another_connection(end: int) -> None:
    """Otherwise it may be the SYN of what was captured before it, if its number is a little less."""
    size = len(PACKET)
    rows = [row(101, PACKET), row(101 + size, b"", end), row(100, b"", SYN), row(101, PACKET)]
    found = sorted(connections(rows))
    assert found == [
        ("packet", "64" if end == ACK else "", 0, size),
        *[("packet", "64", 0, size)] * (end != ACK),
    ]


@pytest.mark.parametrize(
    ("before", "same"), [(1, True), (1 << 20, True), ((1 << 20) + 1, False), (-1, False)]
)
def test_how_far_a_late_syn_may_be_before_what_was_captured(before: int, same: bool) -> None:
    first = 1 << 22
    found = connections([row(first, PACKET), row(first - 1 - before + 1 - 1, b"", SYN)])
    assert found[-1][1] == (f"{first - 1 - before:x}" if same else "")


def test_a_late_answer_says_of_which_connection_the_other_flow_is() -> None:
    """The first segment is of this connection; without a SYN, nothing is missing before it, as in a file."""
    size = len(PACKET)
    for start in (101, 0):
        answer = sent("<-", 50, start, flags=SYN | ACK)
        found = connections([sent("->", start + size, 51, PACKET), answer, sent("<-", 51, start, PACKET)])
        number = f"{(start - 1) % 2**32:x}"
        assert found == [("packet", number, 0, size)] * 2


@pytest.mark.parametrize("ended", [False, True])
def test_a_syn_that_comes_when_the_flow_has_begun(*, ended: bool) -> None:
    """What was listed stays as it is; the rest is of the same connection, which still has no number.

    The end of an older connection, before its first bytes, is not its end.
    """
    size = len(PACKET)
    rows = [row(50, b"", FIN | ACK)] * ended
    rows += [row(101 + at * size, PACKET, number=2 + at) for at in range(_FIRST)]
    rows += [row(100, b"", SYN, number=9), row(101 + _FIRST * size, PACKET, number=10)]
    assert connections(rows) == [("packet", "", at * size, size) for at in range(_FIRST + 1)]


def test_a_far_syn_begins_another_connection() -> None:
    """Also if nobody saw the end, or the beginning, of the one before it; it says nothing of answers."""
    rows = [sent("->", 1 << 24, 51, PACKET), sent("<-", 51, 1 << 24, PACKET)]
    rows += [sent("->", 100, 0, flags=SYN), sent("->", 101, 51, PACKET)]
    for some in (rows, [rows[0], *rows[2:]]):
        assert sorted(one[1] for one in connections(some)) == [""] * (len(some) - 2) + ["64"]


def test_syns_of_connections_in_which_nothing_looked_like_msmq() -> None:
    """A repeated one is kept, as are copies of older ones; another one begins another connection."""
    size = len(PACKET)
    syn, other = row(100, b"", SYN, marked=False), row(900, b"", SYN, marked=False)
    noise = row(101, b"GET", marked=False)
    for rows, number, omitted in (
        ([syn, syn, row(101, PACKET)], "64", (0, 0)),
        ([syn, noise, other, row(901, PACKET)], "384", (2, 3)),
        ([syn, noise, other, syn, row(901, PACKET)], "384", (3, 3)),
    ):
        flows = LiveFlows(1 << 22)
        found = [*flows.take(rows).to_pylist(), *flows.close().to_pylist()]
        assert [(one["kind"], one["size"]) for one in found] == [("packet", size)]
        assert found[0]["connection"].partition("#")[2] == number
        assert (flows.others.total(), flows.other_bytes.total()) == omitted


def test_pairs_whose_repeated_syn_waits_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is decided when the connections of the pair are closed, and each segment is counted once."""
    monkeypatch.setattr(live, "CONNECTIONS", 4)
    flows = LiveFlows(1 << 22)
    for port in range(20):
        syns = [row(seq, b"", SYN, port=port, marked=False) for seq in (100, 900, 100)]
        flows.take([*syns[:1], row(101, b"GET", port=port, marked=False), *syns[1:]])
        assert len(flows._pairs) <= 3
    assert flows.close().num_rows == len(flows._pairs) == 0
    assert flows.others.total() + flows.late == 80


def test_one_connection_may_hold_more_than_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the only one, so that closing it would lose what it waits for."""
    monkeypatch.setattr(live, "HELD", 8)
    assert pieces([row(0, b"", SYN), row(1, PACKET[:20]), row(21, PACKET[20:])]) == [
        ("packet", 0, len(PACKET))
    ]


def test_nothing_is_acknowledged_at_the_number_0() -> None:
    """The flow begins with this number, so that the acknowledgment covers none of its bytes."""
    flows = LiveFlows(1 << 22)
    assert flows.take([sent("->", 0, 51, PACKET), sent("<-", 51, 0)]).num_rows == 0
    assert flows.take([sent("<-", 51, len(PACKET))]).num_rows == 1


def test_a_manager_that_talks_to_itself() -> None:
    """Both endpoints may be one; the direction is the same as in a file."""
    segment = row(1, PACKET, port=1801)
    own = (*segment[:7], segment[5], *segment[8:])
    flows = LiveFlows(1 << 22)
    found = [*flows.take([own]).to_pylist(), *flows.close().to_pylist()]
    assert [(one["kind"], one["direction"]) for one in found] == [("packet", "->")]


def test_a_frame_that_the_capture_cut() -> None:
    whole = row(1, PACKET)
    cut = (*whole[:12], PACKET[:10], len(PACKET), 10, *whole[15:])
    after = row(1 + len(PACKET), PACKET, number=2)
    assert pieces([cut, after]) == [
        ("head", 0, 10), ("gap", 10, len(PACKET) - 10), ("packet", len(PACKET), len(PACKET))
    ]  # fmt: skip


def test_the_magics_are_those_of_the_reader() -> None:
    """What the core tells captures by is what their reader reads."""
    from msmq_wire.captures.files import pcap, pcapng, sources  # noqa: PLC0415  # what is private is compared

    assert set(CAPTURES) == {*pcap.PCAP_MAGICS, pcapng.PCAPNG_MAGIC}
    assert sources.PACKINGS.keys() == set(PACKED.values())


def test_levels_and_what_is_ignored(paths: list[pathlib.Path], tmp_path: pathlib.Path) -> None:
    wrong = tmp_path / "wrong.bin"
    wrong.write_bytes(mw.encode(mw.replace(BASE, BaseHeader=mw.replace(BASE.BaseHeader, TimeToReachQueue=5))))

    def violations(**more: Any) -> Counter[str]:
        locations = [str(path) for path in (*paths, wrong)]
        rows = tables_of(run(locations, ("violations",), Settings(**more))).get("violations", [])
        assert {row["level"] for row in rows} <= {"must", "should", "practice"}
        return Counter(row["requirement"] for row in rows)

    must, practice = violations(), violations(level="practice")
    assert must <= practice
    assert must
    assert not violations(ignore=frozenset(must))
    live = tables_of(run_live(chunks(wrong.read_bytes(), 8), "-", ("violations",)))["violations"]
    assert [row["field_offset"] for row in live] == [12]
