"""A capture that comes through a pipe gives what its file gives, in any order that TCP allows."""

from __future__ import annotations

from collections import Counter
from functools import cache
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
from msmq_wire.captures.files.segments import ACK, SEGMENTS, SYN
from msmq_wire.captures.files.splits import FileSlice
from msmq_wire.captures.flows.buckets import Bucket
from msmq_wire.captures.flows.framing import PIECES, pieces_of
from msmq_wire.captures.network.frames import Ports
from msmq_wire.testing.captures import Faults, write_captures
from msmq_wire.values.numbers import PING_PORT

from .segments import Capture, batch_of
from .test_ordering import SCENARIOS

if TYPE_CHECKING:
    import pathlib
    import random
    from collections.abc import Callable

Segments = list[tuple[Any, ...]]
FRAME, TIME, SOURCE, FLAGS = (SEGMENTS.names.index(name) for name in ("frame", "time", "src", "flags"))
ONLY_IN_FILES = {"sensor", "repeated", "turn", "seen"}
"""Columns that need the whole capture, and the sensor."""
COLUMNS = [name for name in PIECES.names if name not in ONLY_IN_FILES]
OFTEN = msgspec.structs.replace(
    Faults.all(), loss=0.02, reorder=0.08, retransmit=0.06, overlap=0.05, conflict=0.03, keepalive=0.03,
    damage=0.03, spoil=0.02, wrap=0.3, midstream=0.2, reuse=0.4, late=0.3, fastopen=0.3, clock=0.002,
    truncate=0,
)  # fmt: skip
ANY = Ports(None, frozenset({PING_PORT}))
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

    def __init__(self, rows: pa.Table, place: pathlib.Path) -> None:
        rows = rows.sort_by("frame")
        known = rows.column("frame_bytes").fill_null(1)
        rows = rows.set_column(rows.schema.get_field_index("frame_bytes"), "frame_bytes", known)
        parts = [*Bucket(rows.to_batches(), place).parts()]
        ordered = [batch for part in parts for batch in part.ordered()]
        self.pieces = counted([batch for part in parts for batch in pieces_of()(part.ordered())])
        time = rows.column("time").cast(pa.int64())
        columns = rows.set_column(TIME, "time", time).columns
        self.segments: Segments = [*zip(*(column.to_pylist() for column in columns), strict=True)]
        self.flows = self._flows({row["frame"]: row["connection"] for b in ordered for row in b.to_pylist()})

    def _flows(self, connection_of: dict[int, str]) -> list[list[list[Segments]]]:
        pairs: dict[frozenset[Any], dict[str, dict[Any, Segments]]] = {}
        current: dict[Any, str] = {}  # an acknowledgment is of the connection of the segment before it
        for segment in self.segments:
            way = segment[SOURCE : SOURCE + 4]
            connection = connection_of.get(segment[FRAME]) or current.get(way, "")
            current[way] = connection
            pair = pairs.setdefault(frozenset((way[:2], way[2:])), {})
            pair.setdefault(connection, {}).setdefault(way, []).append(segment)
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


_LATE = {
    "answers_first": "the first bytes of a connection without a SYN come after later ones",
    "delayed_without_a_home": "bytes before the SYN come after it",
}
"""Scenarios of which a pipe gives less, and why."""


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_scenarios(name: str, tmp_path: pathlib.Path) -> None:
    capture = Capture()
    SCENARIOS[name](capture)
    read = Read(pa.Table.from_batches([batch_of(capture)]), tmp_path)
    assert (live(read.segments, 1) == read.pieces) == (name not in _LATE)
