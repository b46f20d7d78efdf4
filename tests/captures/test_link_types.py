"""Captures whose header states another link type than that of their frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support_by_hand import MICRO, Capture, pcap
from support_specs import load_tcp_packets

from msmq_wire import captures
from msmq_wire.captures.files.reading import MAX_FRAME, ReadLimits, rows_of
from msmq_wire.captures.files.sources import files_of
from msmq_wire.captures.files.splits import parts_of
from msmq_wire.captures.network.frames import Ports

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FRAMES: dict[int, Callable[[bytes], bytes]] = {
    0: lambda frame: b"\2\0\0\0" + frame[14:],
    1: lambda frame: frame,
    101: lambda frame: frame[14:],
    113: lambda frame: bytes(14) + frame[12:],
    276: lambda frame: frame[12:14] + bytes(18) + frame[14:],
}
"""Frames of each link type, made of those of Ethernet."""


def capture(stated: int, frames: list[bytes]) -> bytes:
    return pcap(enumerate(frames, 1_700_000_000 * MICRO), stated)


def tables(path: Path, data: bytes) -> dict[str, list[dict[str, Any]]]:
    path.write_bytes(data)
    names = ["packets", "quarantine", "frames"]
    return {name: table.read_all().to_pylist() for name, table in captures.tables(path, names).items()}


@pytest.mark.parametrize("stated", [1, 101, 113, 147, 0x4001])
@pytest.mark.parametrize("actual", FRAMES)
def test_a_wrong_link_type(stated: int, actual: int, tmp_path: Path) -> None:
    """The frames are read as what they are, and one row tells it."""
    packet = next(iter(load_tcp_packets().values()))
    frames = [FRAMES[actual](frame) for _, frame in Capture().open().send(packet, packet).close().frames]
    right, wrong = (tables(tmp_path / "a.pcap", capture(link, frames)) for link in (actual, stated))
    assert len(right["packets"]) == 2
    assert (right["packets"], right["frames"]) == (wrong["packets"], wrong["frames"])
    told = f"the header states link type {stated}, but frames begin as those of {actual}; they are read so"
    rows = [(row["kind"], row["error"], row["error_offset"]) for row in wrong["quarantine"]]
    assert rows == [("file", told, 20)] * (stated != actual)


def test_parts_of_a_file(tmp_path: Path) -> None:
    """Each part is read by the link type that the first frames prove; the first part tells it."""
    path = tmp_path / "a.pcap"
    frames = [frame for _, frame in Capture().open().send(*[b"x" * 100] * 20).frames]
    path.write_bytes(capture(101, frames))
    parts = parts_of(files_of([str(path)]), "auto", MAX_FRAME, 400)
    limits = ReadLimits(Ports(frozenset({1801}), frozenset()))
    rows = [[row[-1] for row in rows_of(part, limits)] for part in parts]
    assert len(rows) > 3
    assert [error for part in rows for error in part if error is not None] == [rows[0][-1]]
    assert sum(map(len, rows)) == len(frames) + 1


@pytest.mark.parametrize("frame", [bytes(60), b"\xff" * 60, b"\x45" + bytes(59), b"", b"\x60" + bytes(8)])
@pytest.mark.parametrize("stated", [1, 101])
def test_frames_that_prove_nothing(stated: int, frame: bytes, tmp_path: Path) -> None:
    """The header counts if nothing contradicts it."""
    found = tables(tmp_path / "a.pcap", capture(stated, [frame or b"\0"] * 5))
    assert found["packets"] == []
    assert [row for row in found["quarantine"] if "link type" in row["error"]] == []


def test_one_frame_proves_nothing(tmp_path: Path) -> None:
    _, frame = Capture().open().frames[0]
    found = tables(tmp_path / "a.pcap", capture(101, [frame]))
    assert [row for row in found["quarantine"] if "link type" in row["error"]] == []
