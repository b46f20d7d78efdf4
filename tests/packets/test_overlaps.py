"""Segments that overlap: who has which byte, and that hostile overlaps cost little more than a plain flow."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_hostile import events
from support_rows import for_each

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire.packets.overlaps import Window
from msmq_wire.packets.reassembly import FlowReader, Kind, Origin, Piece
from msmq_wire.packets.stream import PacketStream

if TYPE_CHECKING:
    from collections.abc import Callable

Segment = tuple[int, bytes, Origin]
SIZE = 1 << 16
BODY = mqmq.MessagePropertiesHeader(MessageBody=bytes(900))
PACKET = mw.encode(mqmq.UserMessage(MessagePropertiesHeader=BODY))
FLOW = (PACKET * (2 * SIZE // len(PACKET) + 1))[: 2 * SIZE]


def origin(number: int) -> Origin:
    return Origin(number, "a.pcap", number)


# -------------------------------------------------------------------------------------------- who has what


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3), st.lists(st.sampled_from(b"ab"), min_size=1, max_size=12), st.integers(0, 8)
        ),
        max_size=20,
    )
)
def test_against_a_model_of_single_bytes(found: list[tuple[int, list[int], int]]) -> None:
    """Each byte is that of the first; what lost and differs is told once, with the first difference."""
    window, at = Window(), 0
    model: dict[int, tuple[int, int]] = {}
    taken: dict[int, tuple[int, int]] = {}
    told: list[tuple[int, int]] = []
    expected: list[tuple[int, int]] = []

    def take(stop: int) -> None:
        start = window.start
        data, marks = window.take(stop)
        assert marks[-1][0] == start + len(data)
        assert all(one < other for (one, _), (other, _) in pairwise(marks))
        for end, who in marks:
            taken.update(
                (place, (data[place - start], who)) for place in range(start, end) if place not in taken
            )

    for step, raw, who in found:
        at += step
        if window and window.start < at:
            take(at)
        before = dict(model)
        for place, byte in enumerate(raw, at):
            held = model.get(place)
            if held is None or who < held[1]:
                model[place] = (byte, who)
            if held is not None and held[0] != byte:
                expected.append((place, max(who, held[1])))
        repeated = window.repeated
        for one in window.add(at, bytes(raw), who):
            assert one.at == next(
                place for place, byte in enumerate(one.data, one.start) if byte != model[place][0]
            )
            assert one.counts == model[one.at][0]
            told += [
                (place, one.origin)
                for place, byte in enumerate(one.data, one.start)
                if byte != model[place][0]
            ]
        assert window.repeated - repeated == sum(place in before for place in range(at, at + len(raw)))
    while window:
        take(window.start + 3)
    assert taken == model
    assert sorted(told) == sorted(expected)


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(1, 30), st.integers(0, 1 << 16), st.sampled_from(b"ab")),
        max_size=60,
    )
)
def test_at_most_three_contradictions_a_segment(found: list[tuple[int, int, int, int]]) -> None:
    window, at, told = Window(), 0, 0
    for step, size, who, byte in found:
        at += step
        if window and window.start < at:
            window.take(at)
        told += len(window.add(at, bytes([byte]) * size, who))
    assert told <= 3 * len(found)


# ------------------------------------------------------------------------------------------------ the cost


def longer_and_longer(size: int) -> list[Segment]:
    """Segments at one offset, each a byte longer than the one before and another byte throughout."""
    made: list[Segment] = []
    total = 0
    while total < size:
        count = len(made) + 1
        made.append((0, bytes([count & 0xFF]) * count, origin(count)))
        total += count
    return made


def captured_backwards(segments: list[Segment]) -> list[Segment]:
    return [(at, data, origin(-number)) for number, (at, data, _) in enumerate(segments)]


def sliding(size: int) -> list[Segment]:
    """Each segment begins a byte after the one before."""
    return [(at, bytes([at & 0xFF]) * 1460, origin(at)) for at in range(size // 1460)]


def one_byte_differs(size: int) -> list[Segment]:
    return [(0, bytes(1459) + bytes([number & 0xFF]), origin(number)) for number in range(size // 1460)]


def steps_and_their_end(size: int) -> list[Segment]:
    """Many short steps, half of them right, and long segments over all of them."""
    steps = longer_and_longer(size // 2)
    short = [(at, bytes(len(data) - 1) + bytes([len(data) & 1]), who) for at, data, who in steps]
    return short + [(0, bytes(len(steps)), origin(1 << 20 | n)) for n in range(size // 2 // len(steps))]


def one_large_and_many_small(size: int) -> list[Segment]:
    small = [(at, bytes([at & 0xFF]) * 100, origin(at + 1)) for at in range(size // 200)]
    return [(0, bytes(size // 2), origin(0)), *small]


def a_packet_full_of_gaps(size: int) -> list[Segment]:
    """A packet of which every second part is missing, and whose size proves right."""
    body = mqmq.MessagePropertiesHeader(MessageBody=bytes(2 * size))
    packet = mw.encode(mqmq.UserMessage(MessagePropertiesHeader=body))
    parts = [(at, packet[at : at + 200], origin(at)) for at in range(0, len(packet), 400)]
    return [*parts, (len(packet), mw.encode(mqqb.SessionAck()), origin(len(packet)))]


PLANS: dict[str, Callable[[int], list[Segment]]] = {
    "longer and longer": longer_and_longer,
    "longer and longer, captured backwards": lambda size: captured_backwards(longer_and_longer(size)),
    "shorter and shorter": lambda size: longer_and_longer(size)[::-1],
    "sliding": sliding,
    "sliding, captured backwards": lambda size: captured_backwards(sliding(size)),
    "one byte differs": one_byte_differs,
    "steps and their end": steps_and_their_end,
    "one large and many small": one_large_and_many_small,
    "a packet full of gaps": a_packet_full_of_gaps,
}


def read(segments: list[Segment]) -> list[Piece]:
    reader = FlowReader()
    found = [piece for at, data, who in segments for piece in reader.feed(at, data, who)]
    found += reader.close()
    assert sum(map(len, (piece.data for piece in found))) <= reader.fed
    return found


def work(segments: list[Segment]) -> int:
    return events(lambda _: read(segments), b"")


def plain(segments: list[Segment]) -> list[Segment]:
    """A flow without overlap, in segments of the same sizes."""
    made, at = [], 0
    for number, (_, data, _) in enumerate(segments):
        made.append((at, FLOW[at : at + len(data)], origin(number)))
        at += len(data)
    return made


@for_each("name", lambda: PLANS)
def test_cost(name: str) -> None:
    """At most twenty times a plain flow of the same bytes, a few rows a segment, and linear."""
    segments = PLANS[name](SIZE)
    found = read(segments)
    assert len(found) <= 3 * len(segments) + len(plain(segments))
    work(segments)
    usual = [(at, FLOW[at : at + 1460], origin(at)) for at in range(0, SIZE, 1460)]
    assert work(segments) <= 5 * work(plain(segments))
    assert work(segments) <= 20 * work(usual)
    assert work(segments) <= 2.5 * work(PLANS[name](SIZE // 2)) + 2000


def test_only_the_origin_that_differs_is_contradicted() -> None:
    """Of two held segments behind the beginning of the flow, the first has the bytes of the new one."""
    window = Window()
    window.add(100, b"aaaa", origin(5))
    window.add(100, b"aaaabb", origin(6))
    (found,) = window.add(100, b"aaaabX", origin(1))
    assert found == (104, b"bb", origin(6), 105, ord("X"))


def test_conflicts_of_a_segment_are_one() -> None:
    """Segments at one offset: each is told once, with all that it says otherwise."""
    found = read(longer_and_longer(5000))
    conflicts = [piece for piece in found if piece.kind is Kind.CONFLICT]
    assert [(piece.offset, piece.size) for piece in conflicts] == [(0, size) for size in range(1, 100)]
    assert [piece.first for piece in conflicts] == [origin(number) for number in range(2, 101)]


@pytest.mark.each(2)
@pytest.mark.parametrize("size", [1, 2])
def test_small_segments_cost_little_each(size: int) -> None:
    """A segment of a byte or two costs less than one of the usual size, however many there are."""

    def cut(step: int, total: int) -> list[Segment]:
        return [(at, FLOW[at : at + step], origin(at)) for at in range(0, total, step)]

    small, usual = cut(size, 8_000), cut(1460, SIZE)
    work(small)
    assert work(small) / len(small) <= 0.12 * work(usual) / len(usual)
    assert work(small) <= 2.2 * work(cut(size, 4_000))


@given(cuts=st.lists(st.integers(1, 3000), max_size=60))
def test_waiting_is_feeding(cuts: list[int]) -> None:
    """What a stream takes in while it waits makes no other packets than what it is fed."""
    data, at = FLOW[:40_000], 0
    waiting, fed = PacketStream(), PacketStream()
    found, expected = [], []
    for size in [*cuts, len(data)]:
        chunk, at = data[at : at + size], at + size
        expected += list(fed.frames(chunk))
        if not waiting.wait(chunk):
            found += list(waiting.frames(chunk))
        assert found == expected
        assert (waiting.bytes_fed, waiting.pending) == (fed.bytes_fed, fed.pending)


def test_a_window_without_bytes() -> None:
    window = Window()
    assert (bool(window), window.start, window.repeated) == (False, 0, 0)
    assert window.add(7, b"abc", origin(1)) == []
    assert (bool(window), window.start, window.repeated) == (True, 7, 0)
    assert window.take(10) == (b"abc", [(10, origin(1))])
    assert not window


def test_where_segments_end_when_bytes_are_taken() -> None:
    """A part of a segment is named with its end; bytes that are known twice are counted."""
    window = Window()
    window.add(0, b"abcd", origin(1))
    window.add(0, b"abcdefgh", origin(2))
    assert window.repeated == 4
    assert window.take(4) == (b"abcd", [(4, origin(1))])
    assert window.take(6) == (b"ef", [(6, origin(2))])
    assert window.start == 6
    assert window.take(8) == (b"gh", [(8, origin(2))])


@pytest.mark.parametrize("at", range(5))
def test_the_first_byte_that_differs(at: int) -> None:
    """Of a segment that loses and of one that wins: where it differs, and which byte counts."""
    held, other = b"abcde", bytearray(b"abcde")
    other[at] = 0
    for who, counts in ((2, held[at]), (0, 0)):
        window = Window()
        window.add(10, held, origin(1))
        (told,) = window.add(10, bytes(other), origin(who))
        assert (told.start, told.at, told.counts) == (10, 10 + at, counts)
        assert (told.data, told.origin) == ((bytes(other), origin(2)) if who else (held, origin(1)))
