"""Captures whose headers, or blocks of interfaces, state another link type than that of their frames."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest
from support_by_hand import MICRO, Capture, pcap
from support_specs import load_tcp_packets

from msmq_wire import captures
from msmq_wire.captures.files.reading import MAX_FRAME, ReadLimits, rows_of
from msmq_wire.captures.files.sources import files_of
from msmq_wire.captures.files.splits import parts_of
from msmq_wire.captures.network.frames import Ports

from .test_reading import enhanced, interface, section

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
    frames = [frame for _, frame in Capture().open().send(*[b"x" * 1000] * 420).frames]
    path.write_bytes(capture(101, frames))
    parts = parts_of(files_of([str(path)]), "auto", MAX_FRAME, 400)
    limits = ReadLimits(Ports(frozenset({1801}), frozenset()))
    rows = [[row[-1] for row in rows_of(part, limits)] for part in parts]
    assert len(rows) > 3
    assert [error for part in rows for error in part if error is not None] == [rows[0][-1]]
    assert sum(map(len, rows)) == len(frames) + 1


def blocks(stated: list[int], frames: list[tuple[int, bytes]]) -> bytes:
    """A pcapng file with interfaces of these link types, and frames of them."""
    return b"".join(
        [section(), *map(interface, stated), *(enhanced(frame, number) for number, frame in frames)]
    )


@pytest.mark.parametrize("actual", FRAMES)
@pytest.mark.parametrize("stated", [1, 101, 147])
def test_a_wrong_link_type_of_an_interface(stated: int, actual: int, tmp_path: Path) -> None:
    """Each interface is compared with its own frames, of which the first ones may follow those of others."""
    packet = next(iter(load_tcp_packets().values()))
    frames = [frame for _, frame in Capture().open().send(packet, packet).close().frames]
    mixed = [(at % 2, FRAMES[actual](frame) if at % 2 else frame) for at, frame in enumerate(frames)]
    right, wrong = (tables(tmp_path / "a.pcapng", blocks([1, link], mixed)) for link in (actual, stated))
    assert len(right["packets"]) == 2
    assert (right["packets"], right["frames"]) == (wrong["packets"], wrong["frames"])
    told = f"interface 1 states link type {stated}, but frames begin as those of {actual}; they are read so"
    at = len(section() + interface()) + 8
    rows = [(row["kind"], row["error"], row["error_offset"]) for row in wrong["quarantine"]]
    assert rows == [("file", told, at)] * (stated != actual)


def test_an_interface_that_nothing_describes(tmp_path: Path) -> None:
    """It has the link type that its frames prove, whatever became of its block."""
    frames = [(0, FRAMES[113](frame)) for _, frame in Capture().open().send(b"x" * 100).close().frames]
    whole, start = blocks([113], frames), len(section())
    for kind in (0, 3, 4, 9, 0x1234_5678):  # unknown, a frame without bytes, names, a journal, unknown
        data = whole[:start] + struct.pack("<I", kind) + whole[start + 4 :]
        damaged = tables(tmp_path / "a.pcapng", data)
        told = "nothing describes interface 0; its frames are read as link type 113, with microseconds"
        assert told in {row["error"] for row in damaged["quarantine"]}
        read = sum(row["frames"] for row in damaged["frames"] if row["reason"] in {"read", "other stream"})
        assert read == len(frames)


def test_parts_of_blocks(tmp_path: Path) -> None:
    path = tmp_path / "a.pcapng"
    frames = [(0, frame) for _, frame in Capture().open().send(*[b"x" * 1000] * 420).frames]
    path.write_bytes(blocks([101], frames))
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
