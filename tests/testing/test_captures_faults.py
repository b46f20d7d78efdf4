"""What each fault does to a connection, segment by segment."""

from __future__ import annotations

import struct
from ipaddress import ip_address
from itertools import pairwise
from random import Random
from typing import Any

import dpkt
import pytest

from msmq_wire.testing.captures import Faults, Frame, Span
from msmq_wire.testing.captures import files as captures
from msmq_wire.testing.captures.connections import Connection
from msmq_wire.testing.captures.session_truth import Step
from msmq_wire.testing.captures.truth import Sent
from msmq_wire.testing.captures.wire import Address, Path

ENDS = (
    Address(ip_address("10.0.0.1"), 50000, b"\2\0\0\0\0\1"),
    Address(ip_address("10.0.0.2"), 1801, b"\2\0\0\0\0\2"),
)
MSS = 1460
DATA = bytes(at * 7 % 251 for at in range(5 * MSS))
"""Five segments."""
FIN, SYN, ACK = 1, 2, 16


def line(seed: int = 1, **faults: Any) -> Connection:
    return Connection(Random(seed), ENDS, vlan=(), file="a", number=0, faults=Faults(**faults))  # noqa: S311  # any


def packet(data: bytes, way: int = 0) -> Sent:
    return Sent(way, data, "SessionAck", Step())


def split(events: Any) -> tuple[list[bytes], list[Span]]:
    found = list(events)
    return [one for one in found if isinstance(one, bytes)], [one for one in found if isinstance(one, Span)]


def segment(frame: bytes) -> Any:
    """The segment of a frame, or its fragment."""
    return dpkt.ethernet.Ethernet(frame).data.data


def is_right(frame: bytes) -> bool:
    """Whether the checksum is right."""
    raw = frame[34:]
    return bool(dpkt.in_cksum(frame[26:34] + struct.pack("!II", len(raw), 6) + raw) == 0)


def carried(seed: int = 1, **faults: Any) -> tuple[list[tuple[int, bytes, bytes]], list[Span]]:
    """Place, data and frame of each segment with data, of a packet of five segments; and its truth."""
    connection = line(seed, **faults)
    opened, _ = split(connection.open())
    first = segment(opened[0]).seq + 1
    frames, spans = split(connection.send(packet(DATA)))
    more, rest = split(connection.close())
    parsed = [(frame, segment(frame)) for frame in (*frames, *more)]
    found = [
        ((one.seq - first) % (1 << 32), bytes(one.data), frame)
        for frame, one in parsed
        if isinstance(one, dpkt.tcp.TCP) and one.data and one.dport == 1801
    ]
    return found, spans + rest


PLACES = [at * MSS for at in range(5)]


def places(*order: int) -> list[tuple[int, bytes]]:
    return [(at * MSS, DATA[at * MSS : (at + 1) * MSS]) for at in order]


@pytest.mark.parametrize(
    ("fault", "order"),
    [
        ("bend", (0, 1, 2, 3, 4)),  # of messages only
        ("retransmit", (0, 1, 1, 2, 2, 3, 3, 4, 4)),
        ("reorder", (0, 2, 1, 4, 3)),
        ("loss", (0, 1, 2, 3, 4)),  # what nothing follows is late
    ],
)
def test_order_of_segments(fault: str, order: tuple[int, ...]) -> None:
    """The first has no fault; the last is there."""
    shares: dict[str, Any] = {fault: 1.0}
    found, spans = carried(**shares)
    assert [(at, data) for at, data, _ in found] == places(*order)
    assert [span[6:10] for span in spans] == [("packet", 0, len(DATA), DATA)]
    assert all(is_right(frame) for _, _, frame in found)


def test_segments_that_are_missing() -> None:
    """Those that others follow; the truth has a gap there."""
    seen = set()
    for seed in range(12):
        found, spans = carried(seed, loss=0.5)
        there = {at for at, _, _ in found}
        assert {0, 4 * MSS} <= there
        runs = [span for span in spans if span.kind == "gap"]
        missing = {
            at for span in runs for at in range(span.offset or 0, (span.offset or 0) + span.length, MSS)
        }
        assert missing == {*PLACES} - there
        seen |= missing
    assert seen == {MSS, 2 * MSS, 3 * MSS}


def test_segments_with_old_bytes_behind_them() -> None:
    """A keep-alive has one byte, the last that was sent."""
    found, _ = carried(keepalive=1.0)
    wanted = places(0)
    for at in range(1, 5):
        wanted += [*places(at), ((at + 1) * MSS - 1, b"\0")]
    assert [(at, data) for at, data, _ in found] == wanted


def test_segments_with_a_wrong_checksum() -> None:
    """One byte is wrong; the right one follows."""
    found, _ = carried(damage=1.0)
    assert [at for at, _, _ in found] == [0, *(at * MSS for at in range(1, 5) for _ in range(2))]
    assert [is_right(frame) for _, _, frame in found] == [True, *(False, True) * 4]
    for (_, wrong, _), (_, right, _) in zip(found[1::2], found[2::2], strict=True):
        assert sum(one != other for one, other in zip(wrong, right, strict=True)) == 1


def test_segments_in_two_packets() -> None:
    connection = line(fragment=1.0)
    split(connection.open())
    frames, _ = split((*connection.send(packet(DATA)), *connection.close()))
    fragments = [dpkt.ethernet.Ethernet(frame).data for frame in frames]
    parts = [one for one in fragments if one.mf or one.offset]
    assert len(parts) == 8
    assert [bool(one.mf) for one in parts] == [True, False] * 4
    whole = [bytes(one.data) + bytes(other.data) for one, other in zip(parts[::2], parts[1::2], strict=True)]
    assert [data[20:] for data in whole] == [data for _, data in places(1, 2, 3, 4)]


def test_segments_that_begin_with_old_bytes() -> None:
    """Of the segment before; as sent, or with another last byte and only after the right one."""
    for fault in ("overlap", "conflict"):
        begins = set()
        for seed in range(10):
            there: dict[int, int] = {}
            for at, data, frame in carried(seed, **{fault: 1.0})[0]:
                assert is_right(frame)
                start = -(-at // MSS) * MSS
                wrong = [where for where, byte in enumerate(data, at) if byte != DATA[where]]
                assert all(where in there for where in wrong)  # the right one came first
                if at % MSS:
                    begins.add(start - at)
                    assert at + len(data) == start + MSS
                    assert wrong == ([start - 1] if fault == "conflict" else [])
                elif wrong:
                    assert fault == "conflict"
                    assert len(wrong) == len(data) == MSS
                there |= dict.fromkeys(range(at, at + len(data)), 1)
            assert len(there) == len(DATA)
        assert len(begins) > 5
        assert all(1 <= size <= MSS for size in begins)


def test_segments_that_are_captured_in_part() -> None:
    """At least one byte; the rest of the last is late, all others have a gap behind them."""
    found, spans = carried(truncate=1.0)
    assert [at for at, _, _ in found[:5]] == PLACES
    cuts = [len(data) for _, data, _ in found[:5]]
    assert cuts[0] == MSS
    assert all(1 <= cut < MSS for cut in cuts[1:])
    for at, data, frame in found[:5]:
        assert data == DATA[at : at + len(data)]
        assert int.from_bytes(frame[16:18], "big") == 40 + MSS  # its size says more
    (late,) = found[5:]
    assert late[:2] == (4 * MSS + cuts[4], DATA[4 * MSS + cuts[4] :])
    gaps = [(span.offset, span.length) for span in spans if span.kind == "gap"]
    assert gaps == [(at * MSS + cuts[at], MSS - cuts[at]) for at in (1, 2, 3)]


def test_a_segment_of_one_byte_is_not_truncated() -> None:
    connection = line(truncate=1.0)
    _, spans = split(
        event
        for sent in (packet(b"a"), packet(b"b", 1), packet(b"c"), packet(b"d", 1))
        for event in connection.send(sent)
    )
    _, rest = split(connection.close())
    assert {span.kind for span in spans + rest} == {"packet"}
    assert sum(span.length for span in spans + rest) == 4


def test_numbers_of_bytes_go_around() -> None:
    """Within the first 5000 bytes of each direction."""
    for seed in range(30):
        opened, _ = split(line(seed, wrap=1.0).open())
        numbers = [segment(frame).seq for frame in opened[:2]]
        assert all((1 << 32) - 5000 < number < 1 << 32 for number in numbers)


@pytest.mark.parametrize("size", [1, MSS, MSS + 1])
def test_a_connection_that_is_opened_with_data(size: int) -> None:
    """TCP Fast Open (RFC 7413): the first packet is in the SYN if it fits, and is acknowledged with it."""
    connection = line(fastopen=1.0)
    assert list(connection.open()) == []
    frames, spans = split(connection.send(packet(DATA[:size])))
    more, rest = split(connection.close())
    syn, answer, third, *others = map(segment, frames + more)
    held = DATA[:size] if size <= MSS else b""
    assert (syn.flags, syn.ack, bytes(syn.data)) == (SYN, 0, held)
    assert (answer.flags, answer.ack, bytes(answer.data)) == (
        SYN | ACK,
        (syn.seq + 1 + len(held)) % 2**32,
        b"",
    )
    assert (third.flags, third.seq, third.ack) == (ACK, answer.ack, (answer.seq + 1) % 2**32)
    assert [(span.kind, span.offset, span.data) for span in spans + rest] == [("packet", 0, DATA[:size])]
    assert b"".join(bytes(one.data) for one in others) == DATA[len(held) : size]


def test_a_connection_without_data_is_opened_too() -> None:
    connection = line(fastopen=1.0)
    frames, _ = split((*connection.open(), *connection.close()))
    assert [segment(frame).flags for frame in frames] == [SYN, SYN | ACK, ACK, ACK | FIN, ACK | FIN, ACK]


def test_the_answer_is_not_within_the_first_segment() -> None:
    """Only the initiator opens with data."""
    connection = line(fastopen=1.0)
    frames, _ = split(connection.send(packet(b"abc", 1)))
    assert bytes(segment(frames[0]).data) == b""


@pytest.mark.parametrize("late", [0.0, 1.0])
def test_ends_of_connections(late: float) -> None:
    """Each side ends its own direction; with the fault also before the last bytes, which come again."""
    connection = line(late=late)
    split(connection.open())
    split((*connection.send(packet(b"abc")), *connection.send(packet(b"defg", 1))))
    more, _ = split(connection.close())
    found = [(one.flags & FIN, one.sport, bytes(one.data)) for one in map(segment, more)]
    fins = [(FIN, 50000, b""), (FIN, 1801, b"")]
    again = [*fins, (0, 50000, b"abc"), (0, 1801, b"defg")] if late else []
    at = found.index(fins[0])
    assert found[at:] == [*again, *fins, (0, 50000, b"")]
    first, second, last = map(segment, more[-3:])
    assert (first.ack, second.ack) == (second.seq, first.seq)
    assert (last.seq, last.ack) == (first.seq + 1, second.seq + 1)


@pytest.mark.parametrize("version", [4, 6])
def test_bytes_of_fragments(version: int) -> None:
    """Both have the addresses, the hops and the number of their packet; half of the content in units of 8."""
    hosts = ("10.0.0.1", "10.0.0.2") if version == 4 else ("2001:db8::1", "2001:db8::2")
    one, other = (Address(ip_address(host), 9, bytes(6)) for host in hosts)
    path = Path(one, other, (7,))
    numbers = []
    for size in (44, 100):
        frame = path.tcp(1, 2, 24, bytes(range(size)))
        first, second = (part[18:] for part in path.fragments(frame))
        cut = (20 + size) // 2 // 8 * 8
        for part, place, length, more in ((first, 0, cut, 1), (second, cut, 20 + size - cut, 0)):
            if version == 4:
                head = struct.unpack_from("!BBHHHBB", part)
                assert head[:3] + head[4:] == (0x45, 0, 20 + length, more << 13 | place // 8, 128, 6)
                assert part[12:20] == one.ip.packed + other.ip.packed
                assert dpkt.in_cksum(part[:20]) == 0
            else:
                assert struct.unpack_from("!IHBB", part) == (0x60000000, 8 + length, 44, 128)
                assert part[8:40] == one.ip.packed + other.ip.packed
                assert struct.unpack_from("!BBH", part, 40) == (6, 0, place | more)
            assert len(part) == (20 if version == 4 else 48) + length
        numbers += [part[4:6] if version == 4 else part[44:48] for part in (first, second)]
    assert numbers[0] == numbers[1] != numbers[2] == numbers[3]


def test_the_outside_of_a_tunnel() -> None:
    """From one address of documentation to another (RFC 5737), with checksums and without tags."""
    frame = Path(*ENDS, (7,), 5).tcp(1, 2, 24, b"abc")
    packet = dpkt.ethernet.Ethernet(frame).data
    assert (packet.src, packet.dst) == (b"\xc0\0\2\1", b"\xc0\0\2\2")
    assert frame[:12] == ENDS[0].mac * 2
    raw = bytes(packet.data)
    assert dpkt.in_cksum(frame[26:34] + struct.pack("!II", len(raw), 17) + raw) == 0
    assert packet.data.ulen == len(raw)
    assert frame[50:] == Path(*ENDS, (7,)).tcp(1, 2, 24, b"abc")


def frames_of(packets: int = 600, **faults: Any) -> list[Frame]:
    made = captures.events(packets, seed=2, faults=Faults(**faults), managers=6)
    return [one for one in made if isinstance(one, Frame)]


def test_clocks_that_are_set_back() -> None:
    """By up to a second, that of one sensor alone; they go on from there."""
    steps = []
    for name in ("sensor00", "sensor01", "sensor02", "sensor03"):
        times = [frame.time for frame in frames_of(clock=0.02) if frame.file == name]
        steps += [later - earlier for earlier, later in pairwise(times)]
    back = [step for step in steps if step < 0]
    assert 0.005 < len(back) / len(steps) < 0.05
    assert min(back) >= -1_000_000
    assert min(back) < -700_000
    assert max(back) > -300_000


def test_connections_that_had_begun_before() -> None:
    """Each lacks its SYN, and few of its first segments."""
    assert not [frame for frame in frames_of(midstream=1.0) if _flags(frame.data) == SYN]
    whole = [frame for frame in frames_of() if _flags(frame.data) == SYN]
    assert len(whole) > 3


def _flags(data: bytes) -> int:
    while data[12:14] == b"\x81\0":
        data = data[:12] + data[16:]
    inner: Any = dpkt.ethernet.Ethernet(data).data.data
    return inner.flags if isinstance(inner, dpkt.tcp.TCP) else 0


def test_how_much_is_missing_at_the_beginning() -> None:
    """From one segment to 29, with and without data."""
    seen = {line(seed, midstream=1.0).muted for seed in range(300)}
    assert seen == {*range(1, 30)}


@pytest.mark.parametrize("missing", [1, 3, 5])
def test_segments_before_the_beginning_are_not_told(missing: int) -> None:
    """Places count from the first byte that was captured."""
    seed = next(at for at in range(300) if line(at, midstream=1.0).muted == missing)
    connection = line(seed, midstream=1.0)
    opened, _ = split(connection.open())
    assert len(opened) == 3 - min(missing, 3)
    _, spans = split((*connection.send(packet(DATA)), *connection.close()))
    held = DATA[(missing - 3) * MSS if missing > 3 else 0 :]
    kind = "packet" if missing <= 3 else "junk"
    assert [(span.kind, span.offset, span.data) for span in spans] == [(kind, 0, held)]


def test_a_segment_of_two_bytes_is_captured_in_half() -> None:
    connection = line(truncate=1.0)
    sent = (packet(DATA), packet(b"ab", 1), packet(b"cd"), packet(b"ef", 1), packet(b"gh"))
    frames, _ = split(event for one in sent for event in connection.send(one))
    more, _ = split(connection.close())
    short = [frame for frame in (*frames, *more) if frame[16:18] == (42).to_bytes(2, "big")]
    assert {len(frame) for frame in short[1:]} == {14 + 41}
