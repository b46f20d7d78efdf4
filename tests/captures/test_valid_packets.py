"""Packets that are found many at once are those that a reader finds one by one."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from msmq_wire import captures, mqmq, mqqb
from msmq_wire.captures.flows import valid_packets
from msmq_wire.captures.flows.framing import pieces_of
from msmq_wire.testing.captures import Faults, write_captures

from .segments import SESSION_ACK, Capture, Talk, batch_of, part_of, rows_of

if TYPE_CHECKING:
    from pathlib import Path

NEVER = 1 << 60


def pieces(path: Path) -> pa.Table:
    batches = [batch for _, batch in captures.engine.run([str(path)], ["pieces"])]
    return pa.Table.from_batches(batches)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many packets were found at once, call by call."""
    counts: list[int] = []
    locate = valid_packets.ValidPackets.locate

    def counting(self: valid_packets.ValidPackets, *arguments: Any) -> None:
        counts.append(len(self.starts))
        locate(self, *arguments)

    monkeypatch.setattr(valid_packets.ValidPackets, "locate", counting)
    return counts


def both(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, pa.Table]:
    """Pieces found either way, which have to be the same; and how many were found at once."""
    counts = counted(monkeypatch)
    monkeypatch.setattr(valid_packets, "FEW", NEVER)
    single = pieces(path)
    assert not sum(counts)
    monkeypatch.setattr(valid_packets, "FEW", 1)
    many = pieces(path)
    assert many.equals(single)
    return sum(counts), many


@pytest.mark.each(4)
@pytest.mark.parametrize("seed", range(4))
def test_with_all_faults(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = Faults.all() if seed else Faults(loss=0.05, reorder=0.1, overlap=0.1, conflict=0.1, spoil=0.05)
    made = write_captures(tmp_path, 300, seed=seed, faults=faults, managers=6, files=2)
    found, many = both(made.captures[0].parent, monkeypatch)
    packets = sum(kind == "packet" for kind in many["kind"].to_pylist())
    assert packets // 4 < found < packets * 2


def message(body: bytes) -> bytes:
    properties = mqmq.MessagePropertiesHeader(Label="sound", MessageBody=body)
    return mqmq.UserMessage(MessagePropertiesHeader=properties).encode()


def rider(body: bytes) -> bytes:
    properties = mqmq.MessagePropertiesHeader(Label="rider", MessageBody=body)
    return mqmq.UserMessage(
        MessagePropertiesHeader=properties, SessionHeader=mqmq.SessionHeader(AckSequenceNumber=7)
    ).encode()


def as_file(path: Path, parts: list[bytes]) -> Path:
    path.write_bytes(b"".join(parts))
    return path


def test_bytes_that_came_twice_are_told_with_the_packet_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """One by one or many at once, a copy counts at the first packet that ends behind it, and nowhere else."""
    talk = Talk(Capture())
    talk.open()
    parts = [message(bytes([at]) * 900) for at in range(60)]
    for first in range(0, 60, 20):
        start = talk.next["->"]
        talk.send("->", parts[first])
        talk.segment("->", start, parts[first])
        talk.send("->", *parts[first + 1 : first + 20])
    talk.close()

    def repeated(few: int) -> list[tuple[int, int]]:
        monkeypatch.setattr(valid_packets, "FEW", few)
        batches = pieces_of()(part_of(batch_of(talk.capture)).ordered())
        rows = [row for batch in batches for row in rows_of(batch) if row.direction == "->"]
        return [(row.offset, row.repeated) for row in rows]

    single, many = repeated(NEVER), repeated(1)
    assert single == many
    assert len(single) == 60
    assert sum(count for _, count in single) == 3 * len(parts[0])
    assert sum(count > 0 for _, count in single) == 3


def test_times_near_1970(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zero stands for a time that is not known, whether packets are found one by one or many at once."""
    talk = Talk(Capture())
    times = [dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(microseconds=at) for at in range(-3, 40)]
    for time in times:
        talk.segment("->", talk.next["->"], SESSION_ACK, time=time)
        talk.next["->"] += len(SESSION_ACK)
    expected = [None if at == 3 else time for at, time in enumerate(times)]
    for few in (NEVER, 1):
        monkeypatch.setattr(valid_packets, "FEW", few)
        batches = pieces_of()(part_of(batch_of(talk.capture)).ordered())
        rows = [row for batch in batches for row in rows_of(batch)]
        assert [row.time for row in rows] == [row.end_time for row in rows] == expected
        assert [row.first_frame for row in rows] == [*range(1, 44)]


@pytest.mark.parametrize(
    "within",
    [
        [b""],
        [b"junk" * 40],
        [message(b"x")[:-30]],
        [message(message(b"inner"))[:-7], b"\0" * 9],
        [rider(b"y"), rider(b"z")],
        [rider(b"y")[:-16]],
        [b"\x10\0\0\0LIOR\xff\xff\xff\xff" + bytes(8)],
        [b"\x10\0\0\0LIOR" + (80).to_bytes(4, "little") + bytes(70)],
        [mqqb.SessionAck().encode() * 3],
    ],
)
def test_what_lies_between(within: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands between sound packets, in a file of them that is read in several pieces."""
    plain = [message(bytes([at]) * 900) for at in range(100)]
    path = as_file(tmp_path / "some.packets", [*plain, *within, *plain, *within, *plain])
    found, many = both(path, monkeypatch)
    assert found > 100
    assert sum(many["size"].to_pylist()) == path.stat().st_size


def test_end_within_a_packet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = b"".join(message(bytes([at]) * 900) for at in range(150))
    for cut in (1, 10, 25, 1000):
        path = as_file(tmp_path / f"{cut}.packets", [plain[:-cut]])
        _, many = both(path, monkeypatch)
        assert many["kind"].to_pylist()[-1] == "tail" if cut < 900 else many.num_rows
