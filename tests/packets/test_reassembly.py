"""Reassembly: what arrived is found whatever happened to the rest, every byte accounted for."""

from __future__ import annotations

import tracemalloc
from itertools import islice, pairwise, product
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support_specs import load_tcp_packets

from msmq_wire import mqmq, replace
from msmq_wire.packets.lax import decode_lax
from msmq_wire.packets.packet import decode
from msmq_wire.packets.reassembly import FlowReader, Kind, Origin, Piece
from msmq_wire.packets.stream import Frame, PacketStream
from msmq_wire.values.errors import MsmqWireError, WrongTypeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

GOLDEN = load_tcp_packets()
ACK = GOLDEN["frame-8-session-acknowledgment"]
ASK = GOLDEN["frame-5-connection-parameters-request"]
MESSAGE = GOLDEN["frame-7-user-message-completed"]
PACKETS = [MESSAGE, ACK, ASK, MESSAGE, MESSAGE, ACK, ACK, MESSAGE]
STREAM = b"".join(PACKETS)
STARTS = [sum(map(len, PACKETS[:index])) for index in range(len(PACKETS))]


class Segment(NamedTuple):
    """A segment; the order of these is the order of offsets."""

    offset: int
    origin: Origin
    data: bytes
    length: int = 0


def origin(frame: int) -> Origin:
    return Origin(1000 + frame, "a.pcap", frame)


def segments(data: bytes, cuts: Iterable[int]) -> list[Segment]:
    """The data cut at these points, captured in order."""
    points = sorted({0, len(data), *(cut % len(data) for cut in cuts)})
    return [
        Segment(start, origin(frame), data[start:stop])
        for frame, (start, stop) in enumerate(pairwise(points), 1)
    ]


def read(found: Iterable[Segment], end: int = 0) -> list[Piece]:
    """All pieces of a flow; check on the way that its bytes are accounted for."""
    reader = FlowReader()
    pieces: list[Piece] = []
    known = fed = 0
    for segment in sorted(found):
        pieces += reader.feed(segment.offset, segment.data, segment.origin, segment.length or None)
        known = max(known, segment.offset + max(len(segment.data), segment.length))
        fed += len(segment.data)
        assert (reader.end, reader.fed) == (known, fed)
    pieces += reader.close(end)
    assert reader.end == max(known, end)
    at = 0
    for piece in pieces:
        assert piece.size > 0
        if piece.kind is Kind.GAP:
            assert (piece.data, piece.error) == (b"", None)
        else:
            assert len(piece.data) == piece.size
            assert (piece.error is None) == (piece.kind is Kind.PACKET)
        if piece.kind.in_stream:
            assert piece.offset == at
            at += piece.size
        if piece.kind is Kind.PACKET:
            assert piece.packet == decode(piece.data)
    assert at == reader.end
    captured = sum(len(piece.data) for piece in pieces if piece.kind.in_stream)
    assert captured + reader.repeated == reader.fed
    return pieces


def spans_of(pieces: Iterable[Piece]) -> list[tuple[str, int, int]]:
    return [(str(piece.kind), piece.offset, piece.size) for piece in pieces]


ALL = [("packet", start, len(packet)) for start, packet in zip(STARTS, PACKETS, strict=True)]


@given(st.lists(st.integers(0, len(STREAM)), max_size=60), st.data())
def test_what_arrived_is_found(cuts: list[int], data: st.DataObject) -> None:
    """Lost, repeated and shuffled segments: every packet that arrived whole is found, and nothing else."""
    whole = segments(STREAM, cuts)
    lost = data.draw(st.sets(st.sampled_from(range(len(whole)))))
    kept = [segment for index, segment in enumerate(whole) if index not in lost]
    again = data.draw(st.lists(st.tuples(st.integers(0, len(STREAM) - 1), st.integers(1, 500)), max_size=5))
    there = bytearray(len(STREAM))
    for number, (start, size) in enumerate(again, 1000):
        kept.append(Segment(start, origin(number), STREAM[start : start + size]))
    for segment in kept:
        there[segment.offset : segment.offset + len(segment.data)] = b"x" * len(segment.data)
    pieces = read(data.draw(st.permutations(kept)), len(STREAM))
    expected = [
        (offset, PACKETS[index])
        for index, offset in enumerate(STARTS)
        if there[offset : offset + len(PACKETS[index])].count(0) == 0
    ]
    assert [(piece.offset, piece.data) for piece in pieces if piece.kind is Kind.PACKET] == expected
    gaps = {
        at
        for piece in pieces
        if piece.kind is Kind.GAP
        for at in range(piece.offset, piece.offset + piece.size)
    }
    assert gaps == {at for at, byte in enumerate(there) if not byte}
    assert Kind.CONFLICT not in {piece.kind for piece in pieces}


@given(
    st.lists(st.integers(0, len(STREAM)), max_size=60),
    st.binary(max_size=200),
    st.integers(0, len(PACKETS) - 1),
)
def test_without_loss_it_is_the_stream(cuts: list[int], junk: bytes, place: int) -> None:
    """Without loss the pieces are those of `PacketStream`, junk and all."""
    data = b"".join(PACKETS[:place]) + junk + b"".join(PACKETS[place:])[:-5]
    expected = list(PacketStream().frames(data, final=True))
    pieces = read(segments(data, cuts))
    assert [(piece.offset, piece.data) for piece in pieces] == [(item.offset, item.data) for item in expected]
    assert [piece.kind is Kind.PACKET for piece in pieces] == [isinstance(item, Frame) for item in expected]
    assert pieces[-1].kind is Kind.TAIL


def test_a_gap_costs_what_is_missing() -> None:
    """A packet with a hole is one head and one rest, and its neighbours are whole."""
    start, size = STARTS[3], len(MESSAGE)
    lost = range(start + 100, start + 300)
    kept = [Segment(0, origin(1), STREAM[: lost.start]), Segment(lost.stop, origin(2), STREAM[lost.stop :])]
    pieces = read(kept)
    assert spans_of(pieces) == [
        *ALL[:3],
        ("head", start, 100),
        ("gap", lost.start, 200),
        ("rest", lost.stop, size - 300),
        *ALL[4:],
    ]
    head, gap, rest = pieces[3:6]
    assert (gap.first, gap.last) == (origin(1), origin(2))
    assert str(head.error) == (
        f"expected {size} bytes, found {size - 200} around a gap (limit: gap) - "
        f"at `BaseHeader.PacketSize`, byte {start}"
    )
    assert rest.error is not None
    assert (
        rest.error.problem
        == f"expected {size} bytes of the packet at {start}, found {size - 200} around a gap"
    )
    assert (rest.error.expected, rest.error.actual, rest.error.offset) == (size, size - 200, start)


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("what_follows", [ACK, b""], ids=["a packet", "nothing"])
def test_a_session_header_belongs_to_a_message_that_a_gap_cuts(what_follows: bytes, *, counted: bool) -> None:
    """PacketSize counts it or not: the rest ends where the next packet begins, or the flow ends."""
    header = mqmq.SessionHeader(AckSequenceNumber=3, WindowSize=64).encode()
    flags = MESSAGE[2] | 0x10  # BaseHeader.Flags.SH
    size = len(MESSAGE) + len(header) * counted
    message = MESSAGE[:2] + bytes([flags]) + MESSAGE[3:8] + size.to_bytes(4, "little") + MESSAGE[12:] + header
    assert mqmq.BaseHeader.decode(message[:16]).Flags.SH
    stream = message + what_follows
    lost = range(100, 300)
    for cut, part in product((lost, range(len(MESSAGE) - 20, len(MESSAGE) + 5)), (len(stream), 9)):
        behind = [
            Segment(at, origin(2 + at), stream[at : at + part]) for at in range(cut.stop, len(stream), part)
        ]
        pieces = read([Segment(0, origin(1), stream[: cut.start]), *behind], len(stream))
        assert spans_of(pieces) == [
            ("head", 0, cut.start),
            ("gap", cut.start, len(cut)),
            ("rest", cut.stop, len(message) - cut.stop),
            *([("packet", len(message), len(ACK))] if what_follows else []),
        ]
        assert pieces[0].error is not None
        assert pieces[0].error.expected == len(message)


def test_what_a_reader_waits_for() -> None:
    """It says up to where the pending packet needs bytes, and it is not idle before they are there."""
    reader = FlowReader()
    assert reader.idle_at(0)
    for at, stop in ((0, 20), (20, len(ACK))):
        list(reader.feed(at, ACK[at:stop], origin(1 + at)))
        list(reader.settle(stop))
        assert reader.position == stop
        assert reader.due >= len(ACK)
        assert reader.idle_at(stop) == (stop == len(ACK))
    start = len(ACK)
    for at, stop in ((0, 100), (150, 200)):  # while a packet has a gap it waits for nothing
        list(reader.feed(start + at, MESSAGE[at:stop], origin(3 + at)))
        list(reader.settle(start + stop))
    assert reader.due == reader.position == start + 200


@pytest.mark.parametrize("number", [3, 0x10, 0x110])
def test_a_session_header_that_a_gap_cuts(number: int) -> None:
    """Its bytes belong to the message, even if a packet could begin with them."""
    header = mqmq.SessionHeader(AckSequenceNumber=number, WindowSize=64)
    message = replace(mqmq.UserMessage.decode(MESSAGE), SessionHeader=header).encode()
    for cut in range(len(MESSAGE), len(message)):
        parts = [Segment(0, origin(1), message[:cut]), Segment(len(message), origin(2), ACK)]
        assert spans_of(read(parts, len(message) + len(ACK))) == [
            ("head", 0, cut),
            ("gap", cut, len(message) - cut),
            ("packet", len(message), len(ACK)),
        ]


@pytest.mark.parametrize("body", [b"", ACK * 3])
def test_packets_within_a_cut_body_are_not_packets(body: bytes) -> None:
    """If the size of a cut packet proves right, what its body holds is no packet."""
    packet = mqmq.UserMessage.decode(MESSAGE)
    properties = replace(packet.MessagePropertiesHeader, MessageBody=bytes(400) + body + bytes(8))
    data = replace(packet, MessagePropertiesHeader=properties).encode()
    at = data.index(bytes(400))
    stream = ACK + data + ACK
    start = len(ACK) + at
    kept = [Segment(0, origin(1), stream[: start + 10]), Segment(start + 20, origin(2), stream[start + 20 :])]
    assert [piece.kind for piece in read(kept)] == ["packet", "head", "gap", "rest", "packet"]


def test_a_wrong_size_hides_nothing() -> None:
    """If the size of a cut packet proves wrong, the packets within it are found."""
    liar = ACK[:8] + (5000).to_bytes(4, "little") + ACK[12:]
    stream = ACK + liar + ACK + bytes(10) + ACK + MESSAGE * 8
    gap = len(ACK) * 3 + 2
    pieces = read([Segment(0, origin(1), stream[:gap]), Segment(gap + 5, origin(2), stream[gap + 5 :])])
    kinds = [str(piece.kind) for piece in pieces]
    assert kinds == ["packet", "head", "packet", "junk", "gap", "junk", "packet", *["packet"] * 8]


@pytest.mark.parametrize("first", [1, 2])
def test_the_first_captured_counts(first: int) -> None:
    """Two segments that contradict each other: the later one is reported, whichever offset it has."""
    bent = bytes([*ASK[:20], ASK[20] ^ 1, *ASK[21:]])
    one = Segment(0, origin(first), ASK)
    two = Segment(4, origin(3 - first), bent[4:])
    pieces = read([one, two])
    winner = ASK if first == 1 else ASK[:4] + bent[4:]
    assert [piece.data for piece in pieces if piece.kind is Kind.PACKET] == [winner]
    (conflict,) = [piece for piece in pieces if piece.kind is Kind.CONFLICT]
    assert (conflict.offset, conflict.data) == (4, bent[4:] if first == 1 else ASK[4:])
    assert conflict.first == origin(2)
    assert conflict.error is not None
    assert conflict.error.offset == 20
    assert not conflict.kind.in_stream


@given(st.lists(st.tuples(st.integers(0, 40), st.binary(min_size=1, max_size=20)), max_size=12))
def test_overlaps_against_a_plain_model(found: list[tuple[int, bytes]]) -> None:
    """Byte by byte, the segment that was captured first has it."""
    made = [Segment(offset, origin(frame), data) for frame, (offset, data) in enumerate(found)]
    model: dict[int, tuple[int, Origin]] = {}
    for segment in made:
        for at, byte in enumerate(segment.data, segment.offset):
            model.setdefault(at, (byte, segment.origin))
    pieces = read(made)
    bytes_found = {
        at: byte
        for piece in pieces
        if piece.kind.in_stream
        for at, byte in enumerate(piece.data, piece.offset)
    }
    assert bytes_found == {at: byte for at, (byte, _) in model.items()}
    for piece in pieces:
        if piece.kind is Kind.CONFLICT:
            assert any(model[at][0] != byte for at, byte in enumerate(piece.data, piece.offset))
        elif piece.kind is not Kind.GAP:
            used = [model[at][1] for at in range(piece.offset, piece.offset + piece.size)]
            assert (piece.first, piece.last) == (min(used), max(used))


def test_provenance() -> None:
    """Each packet names the first and the last segment that it is made of."""
    pieces = read(segments(STREAM, range(0, len(STREAM), 50)))
    for piece in pieces:
        first, last = piece.offset // 50 + 1, (piece.offset + piece.size - 1) // 50 + 1
        assert (piece.first, piece.last) == (origin(first), origin(last))


def test_the_end_is_known_from_elsewhere() -> None:
    """Bytes that were sent and not captured are a gap, at the end too."""
    assert spans_of(read([Segment(0, origin(1), ACK)], 50)) == [("packet", 0, 36), ("gap", 36, 14)]
    assert spans_of(read([Segment(0, origin(1), MESSAGE[:60])], len(MESSAGE))) == [
        ("head", 0, 60),
        ("gap", 60, len(MESSAGE) - 60),
    ]
    cut = Segment(0, origin(1), ASK + ACK[:10], len(ASK + ACK))
    assert spans_of(read([cut])) == [("packet", 0, 32), ("head", 32, 10), ("gap", 42, 26)]
    assert spans_of(read([], 9)) == [("gap", 0, 9)]
    assert spans_of(read([Segment(5, origin(1), b"")])) == [("gap", 0, 5)]
    assert read([]) == []


def test_wrong_arguments_leave_the_flow_as_it_is() -> None:
    reader = FlowReader()
    feed: Any = reader.feed
    for wrong in (
        (None, b"x", origin(1)),
        (0, b"x", None),
        (0, b"x", (0, "a", 1)),
        (0, b"x", origin(1), "1"),
    ):
        with pytest.raises(WrongTypeError):
            feed(*wrong)
    with pytest.raises(MsmqWireError, match="offset is -1, but offsets are not negative"):
        feed(-1, b"x", origin(1))
    assert (reader.fed, reader.end) == (0, 0)


def test_order_is_the_callers_duty() -> None:
    reader = FlowReader()
    reader.feed(10, b"x", origin(1))
    with pytest.raises(MsmqWireError, match="a segment at offset 9 is fed after one at 10"):
        reader.feed(9, b"x", origin(2))
    assert [piece.data for piece in reader.close()] == [b"", b"x"]
    assert list(reader.close()) == []
    with pytest.raises(MsmqWireError, match="is fed after the end of the flow"):
        reader.feed(11, b"x", origin(3))


def test_nothing_is_lost_with_an_iterator_that_is_dropped() -> None:
    segments = [
        Segment(0, origin(1), ASK + b"junk" + MESSAGE),
        Segment(50, origin(2), bytes(40)),
        Segment(len(MESSAGE) + 500, origin(3), (ACK + b"x") * 40),
    ]
    dropped = FlowReader()
    found: list[Piece] = []
    for segment in segments:
        found += islice(dropped.feed(segment.offset, segment.data, segment.origin), 1)
    found += dropped.close()
    assert spans_of(found) == spans_of(read(segments))


def test_memory_does_not_grow_with_the_flow() -> None:
    """A flow of 10 MB with gaps takes no more than a small part of that."""
    reader = FlowReader()
    tracemalloc.start()
    packets = offset = 0
    block = MESSAGE * 40
    for frame in range(10_000_000 // len(block)):
        if frame % 7 != 3:
            packets += sum(piece.kind is Kind.PACKET for piece in reader.feed(offset, block, origin(frame)))
        offset += len(block)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert packets > 3_000
    assert peak < 2_000_000


def test_hostile_claims_cost_linear_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Headers that each claim megabytes, between gaps, are not read again for each other."""
    read_bytes = 0
    frames = PacketStream.frames

    def counted(self: PacketStream, chunk: bytes = b"", *, final: bool = False) -> Iterator[object]:
        nonlocal read_bytes
        read_bytes += len(chunk)
        return frames(self, chunk, final=final)

    monkeypatch.setattr(PacketStream, "frames", counted)
    header = ACK[:8] + (0x40_0000).to_bytes(4, "little") + ACK[12:16]
    reader = FlowReader()
    pieces: list[Piece] = []
    count = 20_000
    for number in range(count):
        pieces += reader.feed(number * 17, header, origin(number))
    pieces += reader.close()
    assert sum(piece.size for piece in pieces) == reader.end
    assert read_bytes <= 2 * count * len(header)


def test_parts_of_packets_say_what_is_known() -> None:
    """At gaps, at the end and at damage; what has lost its beginning stays bytes."""
    damaged = bytearray(MESSAGE)
    damaged[64] = 0xFF  # the size of the queue's name
    data = ACK + MESSAGE + ACK + bytes(damaged) + ACK + MESSAGE[:-9]
    lost = len(ACK) + 100
    found = read(
        [Segment(0, origin(1), data[:lost]), Segment(lost + 30, origin(2), data[lost + 30 :])], len(data)
    )
    assert [piece.kind for piece in found] == [
        Kind.PACKET, Kind.HEAD, Kind.GAP, Kind.REST, Kind.PACKET, Kind.UNREADABLE, Kind.PACKET, Kind.TAIL,
    ]  # fmt: skip
    whole = decode_lax(MESSAGE).fields
    parts = {piece.kind: piece.partial for piece in found}
    assert parts[Kind.PACKET] is parts[Kind.GAP] is parts[Kind.REST] is None
    for kind in (Kind.HEAD, Kind.TAIL, Kind.UNREADABLE):
        result = parts[kind]
        assert result is not None
        assert result.error is not None
        assert result.reached is not None
        assert result.fields["UserHeader.MessageID"] == whole["UserHeader.MessageID"]
    head, tail = parts[Kind.HEAD], parts[Kind.TAIL]
    assert head is not None
    assert tail is not None
    assert list(head.fields) == list(whole)[: len(head.fields)]
    assert len(tail.fields) > len(head.fields)
    junk = read([Segment(0, origin(1), b"junk, and no packet" + ACK)])
    assert [piece.partial for piece in junk] == [None, None]


class Many(NamedTuple):
    """The origins of consecutive segments, looked up by offset."""

    segments: list[Segment]

    def between(self, start: int, stop: int) -> tuple[Origin, Origin]:
        found = sorted(
            one.origin
            for one in self.segments
            if one.offset < stop and one.offset + max(len(one.data), 1) > start
        )
        return found[0], found[-1]


def comparable(piece: Piece) -> tuple[object, ...]:
    """All that a piece says; an error equals only itself."""
    return *msgspec.structs.astuple(msgspec.structs.replace(piece, reason=None)), str(piece.error)


@example([MESSAGE], [], [16], [1], Random(0))  # the head of a packet, with an error  # noqa: S311
@given(
    st.lists(st.sampled_from([MESSAGE, ACK, ASK, MESSAGE[:200], b"junk", bytes(70)]), min_size=1, max_size=8),
    st.lists(st.integers(1, 5000), max_size=30),
    st.lists(st.integers(1, 5000), max_size=3),
    st.lists(st.integers(0, 30), max_size=2),
    st.randoms(use_true_random=False),
)
def test_segments_together_are_read_as_one_by_one(
    parts: list[bytes], cuts: list[int], joints: list[int], lost: list[int], random: Random
) -> None:
    """Whether consecutive segments come one by one or together, with their origins or with a lookup."""
    data = b"".join(parts)
    cut = segments(data, [*cuts, *joints])
    frames = random.sample(range(1, 100), len(cut))
    there = [
        one._replace(origin=origin(frame))
        for at, (one, frame) in enumerate(zip(cut, frames, strict=True))
        if at not in lost
    ]
    expected = read(there, len(data))
    ends = {joint % len(data) for joint in joints}
    groups: list[list[Segment]] = []
    for one in there:
        last = groups[-1][-1] if groups else None
        if last is None or one.offset in ends or last.offset + len(last.data) != one.offset:
            groups.append([])
        groups[-1].append(one)
    for together in (True, False):
        reader, pieces = FlowReader(), list[Piece]()
        for group in groups:
            end = group[-1].offset + len(group[-1].data)
            each = [(one.offset + len(one.data), one.origin) for one in group]
            marks = [(end, Many(group))] if together else each
            pieces += reader.feed_joined(group[0].offset, b"".join(one.data for one in group), [*marks])
            assert reader.end == reader.position == end
        assert reader.fed == sum(len(one.data) for one in there)
        pieces += reader.close(len(data))
        assert list(map(comparable, pieces)) == list(map(comparable, expected))


def test_all_but_conflicts_are_the_stream() -> None:
    assert {kind for kind in Kind if not kind.in_stream} == {Kind.CONFLICT}
    assert {str(kind) for kind in Kind} == {
        "packet",
        "unreadable",
        "junk",
        "head",
        "rest",
        "tail",
        "gap",
        "conflict",
    }


def test_which_of_two_segments_is_the_first() -> None:
    """A checksum that is not wrong counts most, then the order of capture: rank, time, file, frame."""
    in_order = [
        Origin(9, "z", 9, 0),
        Origin(1, "a", 3, 1),
        Origin(1, "b", 2, 1),
        Origin(1, "b", 3, 1),
        Origin(2, "a", 1, 1),
        Origin(0, "a", 0, 0, wrong=True),
        Origin(0, "a", 0, 1, wrong=True),
    ]
    assert sorted([in_order[at] for at in (6, 2, 4, 0, 5, 1, 3)]) == in_order
    assert [one < in_order[2] for one in in_order] == [True, True, False, False, False, False, False]
    assert (in_order[2].rank, Origin(1, "a", 1).rank, Origin(1, "a", 1).wrong) == (1, 0, False)


def test_a_contradiction_has_both_bytes() -> None:
    reader = FlowReader()
    list(reader.feed(100, b"abcd", origin(1)))
    (piece,) = reader.feed(100, b"abXd", origin(2))
    assert (piece.kind, piece.offset, piece.size, piece.data) == (Kind.CONFLICT, 100, 4, b"abXd")
    assert piece.first is piece.last is not None
    assert (piece.first, piece.packet, piece.partial) == (origin(2), None, None)
    error = piece.error
    assert error is not None
    assert (error.path, error.offset, error.expected, error.actual) == ("segment", 102, ord("c"), ord("X"))
    assert error.problem == "expected 0x63 as in the selected copy, found 0x58"
    assert (reader.repeated, reader.fed, reader.end) == (4, 8, 104)


def test_packets_that_were_read_elsewhere() -> None:
    """They count as fed; what follows them is behind their last segment."""
    reader = FlowReader()
    assert (reader.position, reader.end, reader.fed, reader.repeated, reader.due) == (0, 0, 0, 0, 8)
    list(reader.feed(0, ACK, origin(1)))
    list(reader.settle(len(ACK)))
    assert reader.idle_at(len(ACK))
    assert not reader.idle_at(len(ACK) + 1)
    reader.pass_over(500, origin(2))
    assert (reader.position, reader.end, reader.fed, reader.due) == (500, 500, 500, 508)
    assert reader.idle_at(500)
    with pytest.raises(MsmqWireError, match="fed after one at 500"):
        reader.feed(499, ACK, origin(3))
    pieces = [*reader.feed(510, ACK, origin(3)), *reader.close(400)]
    assert [(piece.kind, piece.offset, piece.size) for piece in pieces] == [
        (Kind.GAP, 500, 10),
        (Kind.PACKET, 510, len(ACK)),
    ]
    assert (pieces[0].first, pieces[0].last) == (origin(2), origin(3))
    assert reader.end == 510 + len(ACK)


def test_a_reader_is_idle_only_if_nothing_is_held() -> None:
    reader = FlowReader()
    assert reader.idle_at(0)
    job = reader.feed(0, ACK, origin(1))
    assert not reader.idle_at(0)  # held, as others may overlap it
    assert list(job) == []
    assert not reader.idle_at(len(ACK))
    job = reader.settle(len(ACK))
    assert not reader.idle_at(len(ACK))  # nobody has taken the packet yet
    assert [piece.kind for piece in job] == [Kind.PACKET]
    assert reader.idle_at(len(ACK))
    list(reader.feed(len(ACK), ACK, origin(2)))
    list(reader.feed(len(ACK), ACK, origin(2)))
    assert not reader.idle_at(len(ACK))  # a window of two


def test_the_order_of_segments_together() -> None:
    """Not before the end of any other, and not after the end of the flow."""
    reader = FlowReader()
    list(reader.feed_joined(0, ACK, [(len(ACK), origin(1))]))
    for offset in (0, len(ACK) - 1):
        with pytest.raises(MsmqWireError, match=f"segments at offset {offset} come after the end of others"):
            reader.feed_joined(offset, ACK, [(offset + len(ACK), origin(2))])
    list(reader.settle(len(ACK) + 10))
    with pytest.raises(MsmqWireError, match="come after the end of others"):
        reader.feed_joined(len(ACK) + 9, ACK, [(2 * len(ACK) + 9, origin(2))])
    pieces = [*reader.feed_joined(len(ACK) + 10, ACK, [(2 * len(ACK) + 10, origin(2))])]
    assert [piece.kind for piece in pieces] == [Kind.GAP, Kind.PACKET]
    list(reader.close())
    with pytest.raises(MsmqWireError, match="come after the end of others or of the flow"):
        reader.feed_joined(1000, ACK, [(1000 + len(ACK), origin(3))])


def test_the_size_on_the_wire_tells_the_end() -> None:
    reader = FlowReader()
    list(reader.feed(0, b"abc", origin(1), 2))  # captured with padding, as it were
    assert (reader.fed, reader.end) == (3, 3)
    list(reader.feed(3, b"abc", origin(1), 10))
    assert (reader.fed, reader.end) == (6, 13)
    list(reader.feed(13, b"", origin(1), 1))
    assert (reader.fed, reader.end) == (6, 14)


def test_a_flow_has_packets_up_to_a_size() -> None:
    for most in (len(MESSAGE), len(MESSAGE) - 1):
        reader = FlowReader(most)
        pieces = [*reader.feed(0, MESSAGE + ACK, origin(1)), *reader.close()]
        first = "packet" if most == len(MESSAGE) else "unreadable"
        assert [piece.kind for piece in pieces] == [first, "packet"]


def test_the_segments_on_both_sides_of_a_gap() -> None:
    """Of several that came together, the last before it and the first behind it count."""

    def together(start: int, *frames: tuple[int, int]) -> tuple[int, bytes, list[tuple[int, Any]]]:
        cut, at = [], start
        for size, frame in frames:
            cut.append(Segment(at, origin(frame), bytes(size)))
            at += size
        return start, bytes(at - start), [(at, Many(cut))]

    reader = FlowReader()
    pieces = [*reader.feed_joined(*together(0, (5, 7), (1, 3), (1, 5)))]
    pieces += reader.feed_joined(*together(20, (1, 6), (1, 2), (5, 9)))
    pieces += reader.close()
    (gap,) = (piece for piece in pieces if piece.kind is Kind.GAP)
    assert (gap.offset, gap.size) == (7, 13)
    assert (gap.first, gap.last) == (origin(5), origin(6))
