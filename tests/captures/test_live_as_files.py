"""A capture that comes through a pipe gives what its file gives, in any order that TCP allows."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support_examples import examples

from msmq_wire.captures.files.live import LiveFlows
from msmq_wire.captures.files.reading import ReadLimits, Tally, segment_batches
from msmq_wire.captures.files.segments import ACK, FIN, RST, SEGMENTS, SYN
from msmq_wire.captures.files.splits import FileSlice
from msmq_wire.captures.flows.buckets import Bucket
from msmq_wire.captures.flows.connections import OLDER
from msmq_wire.captures.flows.framing import PIECES, pieces_of
from msmq_wire.captures.network.frames import Ports
from msmq_wire.testing.captures import Faults, write_captures
from msmq_wire.values.numbers import PING_PORT

from .segments import EPOCH, SESSION_ACK, Capture, Talk, batch_of, cut
from .test_ordering import SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Callable

Segments = list[tuple[Any, ...]]
FRAME, TIME, SOURCE, FLAGS = (SEGMENTS.names.index(name) for name in ("frame", "time", "src", "flags"))
ONLY_IN_FILES = {"sensor", "repeated", "turn", "seen"}
"""Columns that need the whole capture, and the sensor."""
COLUMNS = [name for name in PIECES.names if name not in ONLY_IN_FILES]
OFTEN = msgspec.structs.replace(
    Faults.all(), bend=0.0, loss=0.02, reorder=0.08, retransmit=0.06, overlap=0.05, conflict=0.03,
    keepalive=0.03, damage=0.03, spoil=0.02, wrap=0.3, midstream=0.2, reuse=0.4, late=0.3, fastopen=0.3,
    clock=0.002, truncate=0,
)  # fmt: skip
ANY = Ports(None, frozenset({PING_PORT}))
_SYNS = 256
"""Of how many connections between two endpoints the SYNs are remembered."""
FAULTS = (OFTEN, msgspec.structs.replace(OFTEN, truncate=0.03, late=0))
"""Many of all.  Where frames are truncated, no FIN precedes copies of their bytes: it ends the flow."""


def counted(batches: list[pa.RecordBatch]) -> Counter[str]:
    """The pieces."""
    return Counter(repr([row[name] for name in COLUMNS]) for batch in batches for row in batch.to_pylist())


class Read:
    """A capture file.

    Attributes:
        pieces: The pieces of the file.
        segments: Its segments in the order of capture.
        flows: Of each pair of endpoints, the connections one after the other, and in each the segments of
            both directions.
    """

    def __init__(self, rows: pa.Table, place: Path) -> None:
        rows = rows.sort_by("frame")
        known = rows.column("frame_bytes").fill_null(1)
        rows = rows.set_column(rows.schema.get_field_index("frame_bytes"), "frame_bytes", known)
        parts = [*Bucket(rows.to_batches(), place).parts()]
        self.pieces = counted([batch for part in parts for batch in pieces_of()(part.ordered())])
        time = rows.column("time").cast(pa.int64())
        columns = rows.set_column(TIME, "time", time).columns
        self.segments: Segments = [*zip(*(column.to_pylist() for column in columns), strict=True)]
        self.flows = self._flows(
            {
                frame: opening
                for part in parts
                for frame, opening in zip(part._numbers.frame, part._placed.opening, strict=True)
            }
        )

    def _flows(self, opening_of: dict[int, int]) -> list[list[list[Segments]]]:
        pairs: dict[frozenset[Any], dict[int | None, dict[Any, Segments]]] = {}
        for segment in self.segments:
            way = segment[SOURCE : SOURCE + 4]
            pair = pairs.setdefault(frozenset((way[:2], way[2:])), {})
            connection = pair.setdefault(opening_of.get(segment[FRAME]), {})
            connection.setdefault(way, []).append(segment)
        for flows in (flows for pair in pairs.values() for flows in pair.values()):
            for flow in flows.values():
                flow.sort(key=lambda segment: not (segment[FLAGS] or 0) & SYN)  # stable: its SYNs are first
        return [[[*flows.values()] for flows in pair.values()] for pair in pairs.values()]

    def interleaved(self, dice: random.Random, most: int) -> Segments:
        """All segments, up to so many of a flow at once; a connection begins with what opens it.

        That is its SYN, or the SYN|ACK where the SYN was not captured.
        """
        left = [[[[*flow] for flow in flows] for flows in pair] for pair in self.flows]
        order: Segments = []
        begun: list[list[Segments]] = []
        while left:
            pair = dice.choice(left)
            flows = pair[0]
            opening = [flow for flow in flows if (flow[0][FLAGS] or 0) & (SYN | ACK) == SYN]
            if not any(flows is other for other in begun):
                opening = opening or [flow for flow in flows if (flow[0][FLAGS] or 0) & SYN]
                begun.append(flows)
            flow = opening[0] if opening else dice.choice(flows)
            count = 1 if opening else dice.randint(1, most)
            order += flow[:count]
            del flow[:count]
            if not flow:
                flows.remove(flow)
            if not flows:
                del pair[0]
            if not pair:
                left.remove(pair)
        return order


def live(segments: Segments, size: int) -> Counter[str]:
    flows = LiveFlows(1 << 22)
    batches = [flows.take(segments[at : at + size]) for at in range(0, len(segments), size)]
    return counted([*batches, flows.close()])


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Read]:
    """A function of a seed."""

    @cache
    def read(seed: int) -> Read:
        place = tmp_path_factory.mktemp("live")
        path = write_captures(place, 50, seed=seed, files=1, faults=FAULTS[seed % 2]).captures[0]
        part = FileSlice(str(path), "auto", 0, path.stat().st_size)
        rows = pa.Table.from_batches([*segment_batches(part, ReadLimits(ANY), Tally())])
        return Read(rows.filter(pc.is_null(rows.column("error"))), place)

    return read


@settings(max_examples=examples(100))
@given(
    st.integers(0, 5), st.randoms(use_true_random=False), st.sampled_from((1, 3, 1 << 20)), st.integers(1, 99)
)
def test_any_interleaving(
    capture: Callable[[int], Read], seed: int, dice: random.Random, most: int, size: int
) -> None:
    """Losses, copies, conflicts, damage, reused ports: each piece, with its frames and errors."""
    read = capture(seed)
    assert live(read.segments, size) == read.pieces
    assert live(read.interleaved(dice, most), size) == read.pieces


PLACE = {"file", "frame", "offset", "time"}
"""The columns that differ in copies of a segment."""


def end(dice: random.Random, talk: Talk) -> None:
    """Any end: both sides or one, with a FIN or a RST, also with bytes, or none."""
    way = dice.choice(("->", "<-"))
    match dice.randrange(7):
        case 0 | 1:
            talk.close()
        case 2:
            talk.close(RST)
        case 3:
            talk.reset()
        case 4:
            for _ in range(2):
                talk.segment(way, talk.next[way], flags=FIN | ACK)
            talk.next[way] += 1
        case 5:
            talk.segment(way, talk.next[way], SESSION_ACK, flags=FIN | ACK)
            talk.next[way] += len(SESSION_ACK) + 1


def history(dice: random.Random, count: int, apart: int, *, may_be_late: bool) -> Capture:
    """Connections between the same endpoints, one after the other, in any order that keeps that of each flow.

    The SYN of a connection is its first segment.  Copies of segments, and segments with bytes, may come up to
    `OLDER` connections later; or only SYNs do, because an older connection begins again with its data.  The
    clock of the capture is set back now and then.
    """
    events: list[tuple[tuple[int, float], dict[str, Any]]] = []
    only_syns = dice.random() < 0.3
    sizes = (7, 20, 36) if may_be_late else (20, 36)  # the client's SYN and next segment are not far apart
    client, server = dice.randrange(1 << 32), dice.randrange(1 << 32)
    for number in range(count):
        talk = Talk(Capture(), client, server).open()
        is_lossy = dice.random() < 0.2
        for _ in range(dice.randint(0, 4)):
            way, size = dice.choice(("->", "<-")), dice.choice(sizes)
            talk.send(way, *cut(SESSION_ACK, size), lost=is_lossy and dice.random() < 0.3)
            if size == 36 and not is_lossy and dice.random() < 0.1:
                talk.segment(way, talk.next[way] - 20, flags=FIN | ACK)  # the number of a byte
        end(dice, talk)
        client, server = (next_number + apart + dice.randrange(100) for next_number in talk.next.values())
        sides = {
            src: [row for row in talk.capture.rows if row["src"] == src] for src in ("10.0.0.1", "10.0.0.2")
        }
        for rows in sides.values():
            moments = sorted(dice.random() for _ in rows)
            for row, moment in zip(rows, moments, strict=True):
                later = number + dice.randint(1, OLDER), dice.random()
                may_come_later = may_be_late and bool(row["flags"] & SYN) == only_syns
                if row["payload"] and may_come_later and dice.random() < 0.1:
                    events.append((later, row))
                    continue
                events.append(((number, -1 if row["flags"] == SYN else moment), row))
                if may_come_later and dice.random() < 0.15:
                    events.append((later, row))
    capture, clock = Capture(), EPOCH
    for _, row in sorted(events, key=lambda event: event[0]):
        clock += dt.timedelta(milliseconds=1 if dice.random() < 0.9 else -dice.randrange(3_600_000))
        capture.add(time=clock, **{name: row[name] for name in row.keys() - PLACE})
    return capture


@pytest.mark.long
@settings(max_examples=examples(400))
@given(
    st.randoms(use_true_random=False),
    st.integers(2, 3 * OLDER // 2),
    st.sampled_from((0, 1000, 1 << 21, 1 << 26)),
    st.integers(1, 99),
    st.booleans(),
)
def test_delayed_segments_of_older_connections(
    dice: random.Random, count: int, apart: int, size: int, is_twice: bool
) -> None:
    """Ports that are used more often than connections remain open, or twice as another capture has them."""
    capture = history(dice, min(count, OLDER) if is_twice else count, apart, may_be_late=not is_twice)
    if is_twice:
        for row in [*capture.rows]:
            capture.add(**{name: row[name] for name in row.keys() - PLACE})
    read = Read(pa.Table.from_batches([batch_of(capture)]), Path("nowhere"))
    assert live(read.segments, size) == read.pieces
    assert live(read.interleaved(dice, size), size) == read.pieces


@pytest.mark.parametrize("ago", [1, 4, 5, OLDER, OLDER + 1])
def test_so_many_older_connections_remain_open(ago: int) -> None:
    """Bytes that come later are of a connection without a SYN, in a file and in a pipe."""
    capture, talks = Capture(), list[Talk]()
    for number in range(OLDER + 2):
        talks.append(Talk(capture, number << 22, number << 22).open())
        is_lost = number == OLDER + 1 - ago
        talks[-1].send("->", SESSION_ACK, lost=is_lost).send("->", SESSION_ACK)
    delayed = talks[-1 - ago]
    delayed.segment("->", delayed.next["->"] - 2 * len(SESSION_ACK), SESSION_ACK)
    read = Read(pa.Table.from_batches([batch_of(capture)]), Path("nowhere"))
    assert live(read.segments, 1) == read.pieces
    assert any(" 10.0.0.2:1801'" in piece for piece in read.pieces) == (ago > OLDER)


def test_a_fin_with_a_wrong_checksum_ends_nothing() -> None:
    """The receiver drops it, in a pipe as in a file."""
    talk = Talk(Capture()).open()
    talk.segment("->", talk.next["->"], SESSION_ACK, checksum=True)
    talk.next["->"] += len(SESSION_ACK)
    talk.segment("->", talk.next["->"], flags=FIN | ACK, checksum=False)
    talk.send("->", SESSION_ACK, SESSION_ACK)
    read = Read(pa.Table.from_batches([batch_of(talk.capture)]), Path("nowhere"))
    assert packets(live(read.segments, 1)) == packets(read.pieces)
    assert packets(read.pieces).total() == 3


@pytest.mark.parametrize("is_first", [False, True])
def test_an_acknowledgment_of_an_older_connection_shows_nothing(is_first: bool) -> None:
    """A side that knows an older connection answers a SYN with its numbers (RFC 9293, 3.5.1)."""
    talk = Talk(Capture())
    older = {way: number + (1 << 29) for way, number in talk.next.items()}
    if not is_first:
        talk.open()
    now, talk.next = talk.next, older
    talk.segment("<-", older["<-"])
    talk.next = now
    if is_first:
        talk.open()
    talk.send("->", SESSION_ACK).send("<-", SESSION_ACK)
    read = Read(pa.Table.from_batches([batch_of(talk.capture)]), Path("nowhere"))
    assert live(read.segments, 1) == read.pieces
    assert not any("'gap'" in piece and "'->'" in piece for piece in read.pieces)


@pytest.mark.parametrize("is_wrong", [False, True])
def test_what_a_damaged_segment_acknowledges(is_wrong: bool) -> None:
    """Nothing, in a file and in a pipe: the receiver drops it."""
    talk = Talk(Capture()).open().send("->", SESSION_ACK)
    talk.segment("<-", talk.next["<-"], SESSION_ACK, checksum=True)
    talk.next["<-"] += len(SESSION_ACK)
    talk.send("->", SESSION_ACK, lost=True).segment("<-", talk.next["<-"], checksum=not is_wrong)
    read = Read(pa.Table.from_batches([batch_of(talk.capture)]), Path("nowhere"))
    assert live(read.segments, 1) == read.pieces
    assert sum("'gap'" in piece for piece in read.pieces) == 1 - is_wrong


def packets(pieces: Counter[str]) -> Counter[str]:
    return Counter({piece: count for piece, count in pieces.items() if "'packet'" in piece})


@pytest.mark.each(3)
@pytest.mark.parametrize("apart", [1 << 8, 1 << 12, 1 << 22])
@pytest.mark.parametrize("ago", [_SYNS - 1, _SYNS])
def test_so_many_syns_are_remembered(ago: int, apart: int) -> None:
    """A copy of one begins nothing, that of an earlier SYN its connection, in a file and in a pipe."""
    capture, dice, talks = Capture(), random.Random(apart), list[Talk]()  # noqa: S311  # a seed, not a secret
    for number in range(_SYNS + 2):
        talks.append(Talk(capture, number * apart, number * apart).open())
        copied = dice.randrange(max(number + 1 - _SYNS, 0), number + 1) if number else 0
        talks[copied].segment("->", copied * apart, flags=SYN)
        talks[-1].send("->", SESSION_ACK)
    copied = _SYNS + 1 - ago
    talks[copied].segment("->", copied * apart, flags=SYN)
    talks[-1].send("->", SESSION_ACK)
    read = Read(pa.Table.from_batches([batch_of(capture)]), Path("nowhere"))
    assert packets(live(read.segments, 99)) == packets(read.pieces)
    assert (live(read.segments, 99) == read.pieces) == (ago < _SYNS)  # else it is listed again
    own = [piece for piece in read.pieces if f" #{copied * apart:x}'," in piece and "'->'" in piece]
    assert len(own) == 1 + 2 * (ago == _SYNS)


_LATE = "answers_first"
"""A scenario of which a pipe gives less: the first bytes of a connection without a SYN come late."""


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_scenarios(name: str, tmp_path: Path) -> None:
    capture = Capture()
    SCENARIOS[name](capture)
    read = Read(pa.Table.from_batches([batch_of(capture)]), tmp_path)
    assert (live(read.segments, 1) == read.pieces) == (name != _LATE)
