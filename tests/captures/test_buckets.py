"""Segments in the order of capture, and what their rows say."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from msmq_wire import captures
from msmq_wire.captures import disk
from msmq_wire.captures.files.segments import ACK, FIN, RST
from msmq_wire.captures.flows.buckets import Bucket, bucket_numbers, is_packet, set_clock
from msmq_wire.captures.flows.connections import group_of
from msmq_wire.captures.flows.pair_groups import UNTIMED
from msmq_wire.testing.captures import write_captures

from .segments import EPOCH, MESSAGE, SESSION_ACK, Capture, Row, Talk, batch_of, part_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def ordered(*captures: Capture) -> list[Row]:
    return [row for batch in part_of(batch_of(*captures)).ordered() for row in rows_of(batch)]


def test_what_rows_say() -> None:
    """Which rows open, end and describe a flow; a reset and a number alone have no bytes."""
    capture = Capture()
    talk = Talk(capture).open().send("->", MESSAGE)
    talk.segment("->", talk.next["->"], SESSION_ACK, checksum=False)
    talk.segment("->", talk.next["->"] + 36, flags=FIN | ACK, checksum=True)
    talk.segment("<-", 5001 + 50)
    talk.segment("<-", 0, flags=RST)
    rows = ordered(capture)
    names = ("direction", "stream_offset", "length", "opened", "closed", "fin", "solid", "wrong")
    end = 1 + len(MESSAGE)
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("<-", 1, 0, True, False, False, True, False),
        ("<-", 51, 0, True, False, False, False, False),
        ("<-", 51, 0, True, True, False, False, False),  # a reset, at the place of the row before it
        ("->", 1, 0, True, False, False, True, False),
        ("->", 1, len(MESSAGE), True, False, False, True, False),
        ("->", end, 36, True, False, False, True, True),
        ("->", end + 36, 0, True, True, True, True, False),
    ]
    assert [row.payload for row in rows if row.length] == [MESSAGE, SESSION_ACK]
    assert [(row.frame, row.position) for row in rows if row.direction == "->"] == [
        (1, 0), (4, 3), (5, 4), (6, 5)
    ]  # fmt: skip
    (alone,) = ordered_of_an_open_connection()
    assert (alone.opened, alone.solid, alone.stream_offset) == (False, True, 0)


def ordered_of_an_open_connection() -> list[Row]:
    capture = Capture()
    Talk(capture).send("->", MESSAGE)
    return ordered(capture)


def test_the_wrong_copy_comes_after_the_right_one() -> None:
    """At one place, the copy that was captured first counts among those with a right checksum."""
    capture = Capture()
    talk = Talk(capture).open()
    for name, checksum in ((b"1", False), (b"2", None), (b"3", False), (b"4", True)):
        talk.segment("->", 1001, MESSAGE[:-1] + name, checksum=checksum)
    rows = [row for row in ordered(capture) if row.length]
    assert [row.payload[-1:] for row in rows] == [b"2", b"4", b"1", b"3"]
    assert [row.wrong for row in rows] == [False, False, True, True]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ([1, 5, 3, 7], [1, 3, 3, 7]),
        ([9, 8, 7], [7, 7, 7]),
        ([None, 5, None, 6], [5, 5, 6, 6]),
        ([4, 5, None], [4, 5, 5]),
        ([6, None, 5, None], [5, 5, 5, 6]),
        ([9, 1, 2, None], [1, 1, 2, 9]),
        ([1, 9, 2, 3, None], [1, 2, 2, 3, 9]),
        ([None, None], [-1, -1]),
        ([-5, -7], [-7, -7]),
        ([3], [3]),
        ([], []),
    ],
)
def test_clocks(times: list[int | None], expected: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that was set back, and frames without a time: frames of a file stay in their order."""
    own = np.array([UNTIMED if time is None else time for time in times], np.int64)
    for window in (1, 2, 3, 100):  # the same a few rows at a time
        monkeypatch.setattr(disk, "WINDOW", window)
        made = np.zeros_like(own)
        set_clock(own, made)
        assert made.tolist() == expected


def captured(seconds: Iterable[int | None], file: str) -> Capture:
    """Datagrams with these times."""
    capture = Capture(f"/captures/{file}")
    for second in seconds:
        time = None if second is None else EPOCH + dt.timedelta(seconds=second)
        ends: dict[str, Any] = {"src": "10.0.0.1", "src_port": 50000, "dst": "10.0.0.2", "dst_port": 3527}
        capture.add(transport="udp", payload=file[-1:].encode(), time=time, **ends)  # no copies
    return capture


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1, 3], [2, 4], "abab"),
        ([2, 4], [1, 3], "baba"),
        ([1, 2], [1, 2], "abab"),  # at equal times the file that is named first
        ([1, 9, 2], [3], "aaab"),  # a clock that was set back
        ([None, 5], [5, 6], "aabb"),
        ([None, None], [1], "aab"),
        ([1], [None, None], "bba"),
        ([3, None], [4], "aab"),
    ],
)
def test_the_order_of_capture(first: list[int | None], second: list[int | None], expected: str) -> None:
    """Frames are in the order of their file, and files by their clocks."""
    captures = [captured(second, "b"), captured(first, "a")]
    rows = ordered(*captures)
    assert "".join(row.file[-1] for row in rows) == expected
    for name in "ab":
        frames = [row.frame for row in rows if row.file.endswith(name)]
        assert frames == sorted(frames)
    assert [row.stream_offset for row in rows] == [*range(len(expected))]
    assert [row.position for row in rows] == [*range(len(expected))]


@pytest.mark.parametrize("window", [1, 2, 100])
def test_each_pair_and_each_file_has_a_clock(window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A time that is set back in one of them changes no order in another one."""
    monkeypatch.setattr(disk, "WINDOW", window)
    first, second = captured([5, 9, 7, 8], "a"), captured([4, 6, 8], "b")
    for capture, at in ((first, 1), (second, 1)):
        capture.rows[at]["src_port"] = 50_001
    rows = ordered(first, second)
    assert [(row.src_port, row.file[-1], row.frame) for row in rows] == [
        (50_000, "b", 1), (50_000, "a", 1), (50_000, "a", 3), (50_000, "a", 4), (50_000, "b", 3),
        (50_001, "b", 2), (50_001, "a", 2)
    ]  # fmt: skip


def test_files_of_other_folders_are_of_other_sensors() -> None:
    """Their rows do not follow each other."""
    rows = ordered(captured([1, 2], "x/a"), captured([1, 2], "y/a"), captured([3], "x/b"))
    assert [(row.sensor, row.stream_offset, row.file[-3:]) for row in rows] == [
        ("/captures/x/", 0, "x/a"),
        ("/captures/x/", 1, "x/a"),
        ("/captures/x/", 2, "x/b"),
        ("/captures/y/", 0, "y/a"),
        ("/captures/y/", 1, "y/a"),
    ]


@pytest.mark.parametrize("wrap", [0, 2**32 - 3, 2**32 - 7])
def test_a_mark_in_several_segments(wrap: int) -> None:
    """The bytes of a mark are gathered by sequence number, in one direction, also where numbers wrap."""
    parts = {(wrap + at) % 2**32: MESSAGE[at : at + 2] for at in range(0, 40, 2)}
    for way in (0, 1):
        keys = sorted(way << 32 | seq for seq in parts)
        data = [parts[key % 2**32] for key in keys]
        assert is_packet(MESSAGE[:2], way, wrap, np.array(keys), data.__getitem__)
        assert not is_packet(MESSAGE[:2], 1 - way, wrap, np.array(keys), data.__getitem__)
        missing = keys.index(way << 32 | (wrap + 4) % 2**32)
        del keys[missing], data[missing]
        assert not is_packet(MESSAGE[:2], way, wrap, np.array(keys), data.__getitem__)


def test_a_connection_of_something_else(tmp_path: Path) -> None:
    """Its rows are counted for each file, with the bytes of their frames; the others are there as always."""
    captures = [Capture("/captures/b"), Capture("/captures/a")]
    for capture, sizes in zip(captures, ((10, 20), (5,)), strict=True):
        other = Talk(capture, src_port=9)
        for size in sizes:
            other.segment("->", other.next["->"], b"\xff" * size, marked=False)
            capture.rows[-1]["frame_bytes"] = size + 54
    Talk(captures[0]).open().send("->", MESSAGE)
    bucket = Bucket([batch_of(*captures)], tmp_path)
    assert sorted(bucket.others) == [("/captures/a", "", 1, 59), ("/captures/b", "", 2, 138)]
    (part,) = bucket.parts()
    assert part.rows == 4
    (back, flow) = rows_of(part.flows())
    assert (back["size"], flow["size"], flow.captured) == (0, len(MESSAGE), len(MESSAGE))


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("tcp 10.0.0.1:49152 10.0.0.2:2105", "10.0.0.1 10.0.0.2"),
        ("tcp 10.0.0.1:2105 10.0.0.2:49153", "10.0.0.1 10.0.0.2"),
        ("tcp [2001:db8::1]:5000 [2001:db8::2]:2103", "[2001:db8::1] [2001:db8::2]"),
        *((pair, pair) for pair in (
            "tcp 10.0.0.1:49152 10.0.0.2:1801", "tcp 10.0.0.1:80 10.0.0.2:49152", "tcp  10.0.0.2:2105",
            "udp 10.0.0.1:5000 10.0.0.2:3527", "/a/packets.bin", "tcp",
        )),
    ],
)  # fmt: skip
def test_pairs_that_belong_together(pair: str, expected: str) -> None:
    """Those of two hosts that may have remote calls, which share handles."""
    assert group_of(pair) == expected


@pytest.mark.parametrize(("port", "are_together"), [(2105, True), (1801, False)])
def test_in_which_bucket_they_are(port: int, are_together: bool) -> None:
    """Connections of two hosts that may have remote calls are in one, and those of sessions are divided."""
    ends = [("10.0.0.1", 50_000 + at, "10.0.0.2", port) for at in range(40)]
    ends += [(dst, dst_port, src, src_port) for src, src_port, dst, dst_port in ends]
    names = ("src", "src_port", "dst", "dst_port")
    batch = pa.RecordBatch.from_pylist(
        [{"transport": "tcp", "file": "a", **dict(zip(names, row, strict=True))} for row in ends]
    )
    numbers = bucket_numbers(batch, 64).tolist()
    assert numbers[:40] == numbers[40:]
    assert (len(set(numbers)) == 1) is are_together


def test_copies_of_frames_count_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a file and its second half beside a capture; frames of one file that are alike are no copies."""
    data = write_captures(tmp_path, 60, seed=5, files=1).captures[0].read_bytes()
    ends = [24]
    while ends[-1] < len(data):
        ends.append(ends[-1] + 16 + int.from_bytes(data[ends[-1] + 8 : ends[-1] + 12], "little"))
    twice = data + data[ends[0] : ends[9]]
    half = data[:24] + data[ends[len(ends) // 2] :]
    names = ("packets", "flows", "sessions", "gaps")

    def rows(stream_offset: str, *files: bytes) -> dict[str, list[str]]:
        folder = tmp_path / stream_offset
        folder.mkdir()
        for number, file in enumerate(files):
            (folder / f"{number}.pcap").write_bytes(file)
        of_files = {"sensor", "file", "first_frame", "last_file", "last_frame"}
        made = captures.tables(folder, names)
        return {
            name: sorted(
                repr({key: value for key, value in row.items() if key not in of_files})
                for row in made[name].read_all().to_pylist()
            )
            for name in names
        }

    expected = rows("one", twice)
    assert expected != rows("alike", data)
    assert rows("copies", twice, half, twice, data) == expected
    monkeypatch.setattr(disk, "WINDOW", 7)
    assert rows("windows", twice, half, twice, data) == expected
