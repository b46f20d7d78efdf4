"""A session is judged by facts of packets, which columns give, as it is by the packets themselves."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from pyarrow import dataset
from support_bent_sessions import BENDS
from support_by_hand import MICRO, A, B, pcap
from support_examples import share
from support_histories import History
from support_sessions import WAYS, Wire

import msmq_wire as mw
from msmq_wire import captures, mqmq, mqqb
from msmq_wire.arrow import decode_packets
from msmq_wire.captures.rows.session_facts import FACTS, FIELDS, fact_columns, packets_for_monitor
from msmq_wire.checks.sessions.facts import Facts, facts_of
from msmq_wire.checks.sessions.monitor import SessionMonitor
from msmq_wire.checks.sessions.steps import reportable
from msmq_wire.testing.captures.wire import Path as Way

if TYPE_CHECKING:
    from pathlib import Path

    from msmq_wire.checks.sessions.monitor import Direction

CHOICES = st.binary(max_size=30)
MESSAGES = {"UserMessage", "OrderAck", "FinalAck", "SessionAck"}


def seen_by_columns(packets: list[bytes | None]) -> list[Any]:
    """What the monitor is given of packets; None stands for a gap."""
    data = pa.array(packets, pa.binary())
    read = decode_packets(data, columns=FIELDS, spark=True)
    kinds = ["gap" if packet is None else "packet" for packet in packets]
    rows = pa.RecordBatch.from_arrays(
        [
            *fact_columns(data, read),
            read.field("kind"),
            pa.array(kinds, pa.string()),
            pa.array(range(len(packets)), pa.int64()),
        ],
        names=[*FACTS.names, "type", "kind", "data_index"],
    )
    return packets_for_monitor(rows, pa.chunked_array([data]))


@pytest.mark.each(16)
@pytest.mark.parametrize("requirement", BENDS)
def test_bent_sessions(requirement: str) -> None:
    """Findings, their words and what is known afterwards are the same."""
    judged = 0

    @given(CHOICES, CHOICES, st.sampled_from(WAYS))
    @settings(phases=[Phase.generate], max_examples=10)
    def same(before: bytes, after: bytes, way: Direction) -> None:
        nonlocal judged
        wire = Wire()
        wire.open()
        wire.talk(before).settle()
        BENDS[requirement](wire, way)
        wire.talk(after)
        tape = [(one, packet) for one, packet in wire.tape if type(packet).__name__ != "PingPacket"]
        seen = seen_by_columns([packet.encode() for _, packet in tape])
        judged += sum(isinstance(one, Facts) for one in seen)
        for (_, packet), light in zip(tape, seen, strict=True):
            if isinstance(light, Facts):
                bare = {"data": None, "row": 0}
                expected = msgspec.structs.replace(facts_of(packet), **bare)
                assert msgspec.structs.replace(light, **bare) == expected
        by_record, by_facts = SessionMonitor(routes=False), SessionMonitor(routes=False)
        for (one, packet), light in zip(tape, seen, strict=True):
            assert by_facts.feed(one, light) == by_record.feed(one, packet)
            assert isinstance(light, Facts) is (type(packet).__name__ in MESSAGES)
        assert by_facts.snapshot() == by_record.snapshot()

    same()
    assert judged


def test_what_is_no_message_is_the_packet_itself() -> None:
    wire = Wire()
    wire.open()
    found = seen_by_columns([None, *(packet.encode() for _, packet in wire.tape)])
    assert found == [None, *(packet for _, packet in wire.tape)]


def test_only_transactional_messages_have_digests_of_their_queues() -> None:
    """Equal ones for equal queues, in whatever order the messages are."""

    def message(queue: str, *, transactional: bool = True) -> bytes:
        name = mqmq.DirectQueueFormatName(DirectFormatName=f"OS:{queue}\0")
        transaction = mqmq.TransactionHeader(TxSequenceNumber=1) if transactional else None
        header = mqmq.UserHeader(DestinationQueue=name)
        return mqmq.UserMessage(UserHeader=header, TransactionHeader=transaction).encode()

    packets = [message("a", transactional=False), message("b"), message("a"), mqqb.SessionAck().encode()]
    packets += [message("b"), message("b", transactional=False)]
    queues = [one.queue for one in seen_by_columns([*packets]) if isinstance(one, Facts)]
    assert [queue is None for queue in queues] == [True, False, False, True, False, True]
    assert queues[1] == queues[4] != queues[2]


# ----------------------------------------------------------------------------------------- histories


def _differences(seeds: range) -> list[tuple[int, str]]:
    """Where columns lead a monitor to something else than records, or to a finding in a legal history."""
    different = []
    for seed in seeds:
        tapes = [connection.tapes["middle"] for connection in History(seed).connections]
        tape = [row for one in tapes for row in one]
        light = seen_by_columns([mw.encode(packet) for _, packet in tape])
        by_record, by_facts = SessionMonitor(), SessionMonitor()
        for (way, packet), facts in zip(tape, light, strict=True):
            if by_record.feed(way, packet) or by_facts.feed(way, facts):
                different.append((seed, "finding"))
        if by_record.snapshot() != by_facts.snapshot():
            different.append((seed, "state"))
    return different


def test_histories_by_columns() -> None:
    assert _differences(range(15)) == []


@pytest.mark.long
def test_many_histories_by_columns() -> None:
    assert _differences(range(15, share(1000))) == []


def _captured(tapes: list[list[tuple[Direction, Any]]], dice: Random) -> bytes:
    """A pcap file of connections; segments have any size, and some were not captured."""
    frames = []
    for number, tape in enumerate(tapes):
        client = A._replace(port=1024 + number)
        ways = {"->": Way(client, B), "<-": Way(B, client)}
        seq = {"->": 1000, "<-": 5000}
        for way, flags in (("->", 2), ("<-", 18), ("->", 16)):
            back = "<-" if way == "->" else "->"
            frames.append(ways[way].tcp(seq[way], seq[back], flags))
            seq[way] += flags & 2 and 1
        for way, packet in tape:
            back = "<-" if way == "->" else "->"
            data = mw.encode(packet)
            size = dice.choice((100, 536, 1460))
            for start in range(0, len(data), size):
                piece = data[start : start + size]
                if dice.random() > 0.02:
                    frames.append(ways[way].tcp(seq[way], seq[back], 24, piece))
                seq[way] += len(piece)
    return pcap(((1_700_000_000 + at) * MICRO, frame) for at, frame in enumerate(frames))


def _violations(seeds: range, folder: Path) -> list[dict[str, Any]]:
    """What the tables say of captures of legal histories.

    The histories have the same queue managers and do not know of each other, so two messages of several
    histories may have one identifier.
    """
    tapes = [connection.tapes["middle"] for seed in seeds for connection in History(seed).connections]
    path = folder / "histories.pcap"
    path.write_bytes(_captured([tape for tape in tapes if tape], Random(1)))  # noqa: S311  # no secret
    captures.write(path, folder / "tables")
    assert len(_rows(folder, "sessions")) >= len(seeds)
    rows = [row for row in _rows(folder, "violations") if row["requirement"] in reportable()]
    return [row for row in rows if row["other"] is None or len(seeds) == 1]


def _rows(folder: Path, table: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = dataset.dataset(folder / "tables" / table).to_table().to_pylist()
    return rows


@pytest.mark.long
def test_histories_by_captures(tmp_path: Path) -> None:
    assert _violations(range(40), tmp_path) == []
    assert _violations(range(40, 41), tmp_path) == []


@pytest.mark.long
def test_many_histories_by_captures(tmp_path: Path) -> None:
    assert _violations(range(40, share(1000)), tmp_path) == []
