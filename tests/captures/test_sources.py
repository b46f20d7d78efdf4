"""Where files are found, how their bytes are read, and where they are split."""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

import pyarrow as pa
import pytest
from support_docs import DOCS

import msmq_wire as mw
from msmq_wire.captures.files import containers, sources, splits
from msmq_wire.captures.files.reading import Tally, batches_of, rows_of, segment_batches
from msmq_wire.captures.files.segments import SEGMENTS
from msmq_wire.captures.files.sources import File, Omitted, files_of, hidden_entry, opened, region
from msmq_wire.captures.files.splits import HEAD, PIECE, FileSlice, form_of, parts_of, scanned
from msmq_wire.packets.foreign import foreign

from .test_reading import (
    IN_SEGMENT,
    LIMITS,
    SEGMENT,
    SIX,
    TIME,
    block,
    enhanced,
    errors,
    interface,
    option,
    pcap,
    read,
    section,
    seen,
    way,
)

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator

# ------------------------------------------------------------------------------------------ bytes


class _Damaged(NamedTuple):
    """Some bytes are written, then there is an error, as in pyarrow."""

    content: bytes

    def __call__(self, buffer: bytearray) -> int:
        buffer[: len(self.content)] = self.content
        raise pa.ArrowInvalid("damaged")


@pytest.mark.parametrize("size", [1, 3, 65_536])
def test_bytes_before_an_error_of_packed_data(size: int) -> None:
    """They are returned, however many there are, and the error is raised after them."""
    content = bytes(one ^ 0xFF for one in sources.UNUSED)
    for there in {0, 1, size // 2, size - 1, size}:
        stream = mock.Mock(spec=["readinto"], readinto=mock.Mock(side_effect=_Damaged(content[:there])))
        packed = sources.Unpacking.__new__(sources.Unpacking)
        packed.stream, packed.failure = stream, None
        if there:
            assert packed.read(size) == content[:there]
        for _ in range(2):
            with pytest.raises(pa.ArrowInvalid, match="damaged"):
                packed.read(size)
        assert stream.readinto.call_count == 1


def test_parts_of_an_open_file(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All bytes from one place to another and no more, in whatever pieces they come."""
    data = bytes(range(50))
    (tmp_path / "a").write_bytes(data)
    monkeypatch.setattr(sources, "CHUNK", 7)
    with opened(str(tmp_path / "a")) as file:
        for start in (0, 1, 7, 49, 50):
            for end in (start, start + 6, start + 7, start + 8, 50):
                part = region(file, start, min(end, 50))
                assert (part.offset, part.read(99)) == (start, data[start : min(end, 50)])
                assert part.offset == min(end, 50)
        assert [file.read_at(size, 45) for size in (0, 1, 5, 6)] == [b"", b"-", data[45:], data[45:]]
        assert file.read_at(3, 50) == b""
        file.seek(48)
        assert [file.read(1), file.read(), file.read()] == [b"0", b"1", b""]
        assert not file.closed
    assert file.closed


def test_files_that_give_less_than_was_asked_for(tmp_path: pathlib.Path) -> None:
    """They are read on until there is enough, or nothing more."""
    (tmp_path / "a").write_bytes(b"abcdefghij")
    with opened(str(tmp_path / "a")) as file:
        raw = file.file
        file.file = mock.Mock(seek=raw.seek, close=raw.close, read=lambda size: raw.read(min(size, 3)))
        assert [file.read_at(size, 1) for size in (2, 3, 4, 7, 99)] == [
            b"bc", b"bcd", b"bcde", b"bcdefgh", b"bcdefghij"
        ]  # fmt: skip


# ------------------------------------------------------------------------------------------ finding files


def test_patterns_of_the_root(tmp_path: pathlib.Path) -> None:
    """A pattern may begin behind the first slash."""
    root, first, *_ = tmp_path.resolve().parts
    pattern = f"{root}[{first[0]}]{first[1:]}"
    assert files_of([pattern], recursive=False, names="no file has this name") == []
    with pytest.raises(mw.MsmqWireError, match="there is no file"):
        files_of([f"{root}no[t]hing"])


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*", ["a", "x/b", "x/y/c", "x/y/d e"]),  # a directory stands for its files
        ("?", ["a", "x/b", "x/y/c", "x/y/d e"]),
        ("[a]", ["a"]),
        ("**", ["a", "x/b", "x/y/c", "x/y/d e"]),
        ("**/b", ["x/b"]),
        ("**/a", ["a"]),
        ("x/**", ["x/b", "x/y/c", "x/y/d e"]),
        ("x/**/c", ["x/y/c"]),
        ("x/**/b", ["x/b"]),
        ("**/y/*", ["x/y/c", "x/y/d e"]),
        ("x/*/*", ["x/y/c", "x/y/d e"]),
        ("*/b", ["x/b"]),
        ("x/y/d ?", ["x/y/d e"]),
        ("x*/y/c", ["x/y/c"]),
        ("*/*/*/*", None),
        ("[!ax]", None),
    ],
)
def test_patterns(
    pattern: str, found: list[str] | None, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a shell: no star but two of them goes across directories; from here as from the root."""
    for name in ("a", "x/b", "x/y/c", "x/y/d e"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"1")
    monkeypatch.chdir(tmp_path)
    for location in (pattern, f"{tmp_path}/{pattern}"):
        if found is None:
            with pytest.raises(mw.MsmqWireError, match="there is no file"):
                files_of([location])
            assert files_of([location], growing=True) == []
            continue
        names = [file.location.removeprefix(f"{tmp_path}/") for file in files_of([location])]
        assert names == found


@pytest.mark.parametrize(
    ("pattern", "found", "hidden"),
    [
        ("*", ["a"], [".a", "_b", "_c"]),
        ("_*", ["_b", "_c/d"], []),
        (".a", [".a"], []),
        ("*a", ["a"], [".a"]),
        ("[_]b", [], ["_b"]),
        ("**/d", [], ["_c/d"]),
        ("_c/*", ["_c/d"], []),
    ],
)
def test_hidden_names_that_match(
    pattern: str, found: list[str], hidden: list[str], tmp_path: pathlib.Path
) -> None:
    """A dot or an underscore at the start is in the pattern, or the name is hidden, as in a directory."""
    (tmp_path / "_c").mkdir()
    for name in ("a", ".a", "_b", "_c/d"):
        (tmp_path / name).touch()
    omitted: list[Omitted] = []
    files = files_of([f"{tmp_path}/{pattern}"], omitted=omitted)
    assert [file.location for file in files] == [f"{tmp_path}/{name}" for name in found]
    assert omitted == [hidden_entry(f"{tmp_path}/{name}") for name in hidden]


def test_hidden_files(tmp_path: pathlib.Path) -> None:
    """Those below a directory are left out, also below one that is hidden; a place may itself be hidden."""
    for name in (".a/b", ".a/.c", ".a/_d/e", ".a/f/_g", ".a/f/h_.i", "_j"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"1")

    def locations_of(location: str) -> list[str]:
        return [file.location.removeprefix(f"{tmp_path}/") for file in files_of([f"{tmp_path}{location}"])]

    assert locations_of("") == []
    assert locations_of("/.a") == locations_of("/.a/") == [".a/b", ".a/f/h_.i"]
    assert locations_of("/.a/.c") == [".a/.c"]
    assert locations_of("/_j") == ["_j"]


@pytest.mark.parametrize("page", ["captures", "captures-to-tables", "read-captures", "command-line"])
def test_packings_on_pages(page: str) -> None:
    """Each page that names formats of compression names all."""
    text = (DOCS / "how-to" / f"{page}.md").read_text("utf-8")
    assert {name for name in sources.PACKINGS if name not in text} == set()


def test_places_without_a_file(tmp_path: pathlib.Path) -> None:
    """A pattern may match nothing yet where a directory grows; a name must be there, and not be empty."""
    for location, shown in ((f"{tmp_path}/a", f"{tmp_path}/a"), ("", "''")):
        for growing in (False, True):
            with pytest.raises(mw.MsmqWireError) as told:
                files_of([location], growing=growing)
            assert str(told.value) == f"there is no file {shown}"


def test_directories_that_cannot_be_read(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that has gone meanwhile is passed over; another is collected, or raises its error."""
    for name in ("closed", "gone", "open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_bytes(b"1")
    scandir = os.scandir

    def scanned_directory(path: str) -> Any:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        if path.endswith("gone"):
            raise FileNotFoundError(2, "No such file or directory", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", scanned_directory)
    unread: list[tuple[str, str]] = []
    (file,) = files_of([str(tmp_path)], unread=unread)
    assert file.location == f"{tmp_path}/open/a"
    assert unread == [(f"{tmp_path}/closed", "cannot be read: Permission denied")]
    with pytest.raises(PermissionError):
        files_of([str(tmp_path)])


# ------------------------------------------------------------------------------------------ formats

PACKET = mw.encode(mw.mqqb.ConnectionParameters())


@pytest.mark.parametrize(
    ("head", "form"),
    [
        (PACKET[:HEAD], "packets"),
        (PACKET[:8], "packets"),
        (PACKET[:7], ""),
        (bytes(4) + PACKET[4:HEAD], "packets"),
        (PACKET[:4] + b"LIOS" + PACKET[8:HEAD], ""),
        *((struct.pack(f"{order}I", magic) + bytes(12), "pcap")
          for magic in (0xA1B2C3D4, 0xA1B23C4D, 0xA1B2CD34) for order in "<>"),
        (b"\xa1\xb2\xc3\xd5" + bytes(12), ""),
        (section()[:16], "pcapng"),
        (b"\x0a\x0d\x0d\x0b" + bytes(12), ""),
        (b"\x1f\x8b" + bytes(14), "packed"),
        (b"", ""),
    ],
)  # fmt: skip
def test_formats_by_their_first_bytes(head: bytes, form: str) -> None:
    assert form_of(head) == form


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"GMBU", "Microsoft Network Monitor,"),
        (b"RTSS", "Microsoft Network Monitor 1"),
        (b"snoop\0\0\0", "Solaris snoop"),
        (b"TRSNIFF data", "Network General Sniffer"),
        (b"XCP\0", "Network Associates Sniffer"),
        (b"iptrace 2.0", "AIX iptrace"),
        (b"btsnoop\0", "Bluetooth (btsnoop)"),
        (b"VL\0\0", "Cinco NetXRay"),
        (b"\xaa\xaa\xaa\xaa", "InfoVista 5View"),
        (b"\x05VNF", "Visual Networks"),
        (b"\x7fver", "Savvius or WildPackets Peek"),
        (b"ObserverPktBuffe", "Viavi (Network Instruments) Observer"),
        (b"\x42\xd2\0\x34\x12\x66\x22\x88", "RADCOM WAN/LAN Analyzer"),
        (b"\x01\x10\x4c\0\x01\x05Trace Display Trace File", "Novell LANalyzer"),
        (b"\x07\x10\x4c\0\x01\x05Trace Display Trace File", "Novell LANalyzer"),
    ],
)
def test_formats_that_others_read(head: bytes, name: str) -> None:
    """Each begins with a mark of its own; a part of it is none."""
    assert foreign(head + b"more").startswith(f"a capture of {name}")
    assert foreign(head) == foreign(head + b"more")
    for other in (head[:-1], b"." + head, head[:-1] + b"\xff"):
        assert foreign(other) == ""


@pytest.mark.parametrize("order", "<>")
def test_records_of_old_systems(order: str, tmp_path: pathlib.Path) -> None:
    """Their headers have 24 bytes; the time is in microseconds, from 1970 to 2106."""
    data = struct.pack(f"{order}IHHiIII", 0xA1B2CD34, 2, 4, 0, 0, 65535, 1)
    for seconds in (1, 0xFFFFFFFF):
        data += struct.pack(f"{order}IIII", seconds, 999_999, len(SEGMENT), len(SEGMENT)) + bytes(8) + SEGMENT
    rows = read(tmp_path / "a", data)
    assert [seen(row) for row in rows] == [IN_SEGMENT] * 2
    assert [row["time"] for row in rows] == [1_999_999, 0xFFFFFFFF * 1_000_000 + 999_999]
    assert [row["offset"] for row in rows] == [24, 48 + len(SEGMENT)]
    problem = "the file ends within the header of a record: 23 of 24 bytes"
    assert errors(read(tmp_path / "a", data[: 24 + 23])) == [(1, 24, problem)]
    problem = f"the file ends within a frame: 0 of {len(SEGMENT)} bytes"
    assert errors(read(tmp_path / "a", data[:48])) == [(1, 24, problem)]


@pytest.mark.parametrize(("most", "whole"), [(len(SEGMENT), True), (len(SEGMENT) - 1, False)])
def test_the_largest_frame(most: int, whole: bool, tmp_path: pathlib.Path) -> None:
    """One of just this size is read."""
    rows = read(tmp_path / "a", pcap(SEGMENT, SEGMENT), LIMITS._replace(most=most))
    assert [row["error"] is None for row in rows] == ([True, True] if whole else [False])


def test_frames_that_fill_their_blocks(tmp_path: pathlib.Path) -> None:
    """Up to three bytes follow a frame, so that its block has a multiple of four."""
    for size in range(4):
        frame = SEGMENT + bytes(size)
        simple = block(3, struct.pack("<I", len(frame)) + frame + bytes(-len(frame) % 4))
        head = struct.pack("<HHIIII", 0, 3, TIME >> 32, TIME & 0xFFFFFFFF, len(frame), len(frame))
        old = block(2, head + frame + bytes(-len(frame) % 4))
        rows = read(tmp_path / "a", section() + interface() + enhanced(frame) + simple + old)
        assert [seen(row) for row in rows] == [IN_SEGMENT] * 3


@pytest.mark.parametrize("order", "<>")
def test_a_frame_without_bytes_at_the_end(order: str, tmp_path: pathlib.Path) -> None:
    """Its record is whole, as that of any other frame."""
    rows = read(tmp_path / "a", pcap(SEGMENT, b"", order=order))
    assert [seen(row) for row in rows[:1]] == [IN_SEGMENT]
    assert errors(rows) == [(2, 24 + 16 + len(SEGMENT), "the frame ends within its link header")]


@pytest.mark.parametrize(
    ("power", "ticks"), [(0x80, 5), (0x81, 10), (0x80 | 61, 5 << 61), (6, 5_000_000), (0, 5)]
)
def test_units_of_time(power: int, ticks: int, tmp_path: pathlib.Path) -> None:
    """A power of ten, or of two if the highest bit is set."""
    data = section() + interface(options=option(9, bytes((power,)))) + enhanced(SEGMENT, ticks=ticks)
    assert [row["time"] for row in read(tmp_path / "a", data)] == [5_000_000]


def test_units_of_time_that_are_very_small(tmp_path: pathlib.Path) -> None:
    """All seven bits count: 64 bits of a fraction are less than a second."""
    data = section() + interface(options=option(9, b"\xc0")) + enhanced(SEGMENT, ticks=1 << 63)
    assert [row["time"] for row in read(tmp_path / "a", data)] == [500_000]


# ------------------------------------------------------------------------------------------ batches


@pytest.mark.parametrize(
    ("sizes", "batches"),
    [([0] * 4097, [4096, 1]), ([0] * 4096, [4096]), ([2 << 20, 0], [1, 1]), ([(2 << 20) - 1, 0, 0], [3]),
     ([1 << 20] * 3, [2, 1]), ([], [])],
)  # fmt: skip
def test_rows_of_a_batch(sizes: list[int], batches: list[int]) -> None:
    """4,096, or 2 MiB of them."""
    schema = pa.schema([("payload", pa.binary())])
    column = SEGMENTS.get_field_index("payload")
    rows = [(*(None,) * column, bytes(size)) for size in sizes]
    assert [batch.num_rows for batch in batches_of(rows, schema, [column])] == batches


def test_rows_of_a_batch_of_a_file(tmp_path: pathlib.Path) -> None:
    """The same for frames that are read one by one; vectors have a batch for each chunk."""
    pings = [way(port=3527).udp(b"ping")] * 4097
    (tmp_path / "a").write_bytes(pcap(*pings))
    part = FileSlice(str(tmp_path / "a"), "auto", 0, (tmp_path / "a").stat().st_size)
    assert [batch.num_rows for batch in segment_batches(part, LIMITS, Tally())] == [4096, 1]


# ------------------------------------------------------------------------------------------ parts


def files(path: pathlib.Path, data: bytes) -> list[File]:
    path.write_bytes(data)
    return files_of([str(path)])


@pytest.mark.parametrize(
    ("target", "step"), [(1, 1), (PIECE, 1), (2 * PIECE - 1, 1), (2 * PIECE, 2), (3 * PIECE - 1, 2)]
)
@pytest.mark.parametrize("form", ["auto", "packets"])
def test_parts_of_files_of_packets(form: str, target: int, step: int, tmp_path: pathlib.Path) -> None:
    """Whole pieces of 65,536 bytes, as many as are wanted, but one at least; the last part has the rest."""
    size = 4 * PIECE + 99
    found = parts_of(files(tmp_path / "a", PACKET + bytes(size - len(PACKET))), form, 1, target)
    starts = [*range(0, size, step * PIECE)]
    assert [(part.form, part.start, part.end) for part in found] == [
        ("packets", start, end) for start, end in zip(starts, [*starts[1:], size], strict=True)
    ]


def test_files_that_are_no_larger_than_wanted(tmp_path: pathlib.Path) -> None:
    """They are not opened, and are one part of the form that was given."""
    found = files(tmp_path / "a", PACKET + bytes(3 * PIECE))
    size = found[0].size
    with mock.patch.object(splits, "opened", side_effect=AssertionError):
        assert parts_of(found, "auto", 1, size) == [FileSlice(str(tmp_path / "a"), "auto", 0, size)]
    assert len(parts_of(found, "auto", 1, size - 1)) == 2


@pytest.mark.parametrize("size", [0, 4, 8, 11, 12, 13, 14, 15, 16, 20, 1 << 24, (1 << 24) + 4])
def test_where_blocks_end(size: int, tmp_path: pathlib.Path) -> None:
    """At multiples of four, of twelve bytes at least and 16 MiB at most; more may come of one that is cut."""
    start = section() + interface()
    data = start + struct.pack("<III", 5, size, 0)
    (tmp_path / "a").write_bytes(data)
    with opened(str(tmp_path / "a")) as file:
        scan = scanned(file, FileSlice(str(tmp_path / "a"), "pcapng", 0, len(data)), 1 << 18, 1)
    valid = size in {12, 16, 20, 1 << 24}
    assert (scan.end, scan.number, scan.sound) == (len(start) + 12 * (size == 12), 1, valid)
    assert scan.preamble == start
    assert bool(scan.parts[-1].end == len(data)) is (size == 12)


def captures(order: str) -> Iterator[tuple[str, bytes]]:
    frames = [SEGMENT, SIX, bytes(14), SEGMENT + b"1", SIX + b"12", SEGMENT + b"123"] * 3
    yield "pcap", pcap(*frames, order=order)
    blocks = [enhanced(frame, at % 2, order=order) for at, frame in enumerate(frames)]
    head = section(order) + interface(1, order) + interface(1, order)
    yield "pcapng", head + b"".join(blocks) + block(0xBAD, b"skip", order) + head + b"".join(blocks)


@pytest.mark.parametrize("window", [24, 25, 100, 101, 1000])
@pytest.mark.parametrize("order", "<>")
def test_parts_do_not_depend_on_what_is_read_at_once(
    window: int, order: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not on the bytes that are looked at when a file is split, nor on the chunks in which it is read."""
    for form, data in captures(order):
        found = files(tmp_path / form, data)
        usual = {target: parts_of(found, "auto", LIMITS.most, target) for target in (1, 200, 1000)}
        whole = [*rows_of(FileSlice(found[0].location, "auto", 0, len(data)), LIMITS)]
        assert [len(row[12]) for row in whole][:2] == [7, 7]
        with monkeypatch.context() as changed:
            changed.setattr(containers, "CHUNK", window)
            for target, parts in usual.items():
                assert parts_of(found, "auto", LIMITS.most, target) == parts
                assert [row for part in parts for row in rows_of(part, LIMITS)] == whole
                assert all(part.end - part.start >= target for part in parts[:-1])
                assert [part.start for part in parts] == [0, *(part.end for part in parts[:-1])]
                assert parts[-1].end == len(data)
                assert all(part.start < part.end for part in parts)


@pytest.mark.each(2)
@pytest.mark.parametrize("order", "<>")
def test_headers_that_are_read_in_two_parts(
    order: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the bytes that are looked at end, the records are the same."""
    for form, data in captures(order):
        found = files(tmp_path / form, data)
        usual = parts_of(found, "auto", LIMITS.most, 200)
        for window in range(24, 140):
            monkeypatch.setattr(containers, "CHUNK", window)
            monkeypatch.setattr(sources, "CHUNK", window)
            assert parts_of(found, "auto", LIMITS.most, 200) == usual
        monkeypatch.undo()


@pytest.mark.parametrize(
    ("location", "text"),
    [
        ("s3://key:secret@bucket/a.pcap?scheme=http", "s3://key@bucket/a.pcap?scheme=http"),
        ("ftp://user:se:cret@192.0.2.1:2121/a@b:c", "ftp://user@192.0.2.1:2121/a@b:c"),
        ("abfss://container@account.dfs/a:b@c", "abfss://container@account.dfs/a:b@c"),
        ("s3://bucket/a:b@c", "s3://bucket/a:b@c"),
        ("/a/s3:b@c://d:e@f", "/a/s3:b@c://d:e@f"),
    ],
)
def test_a_password_in_a_url_is_not_shown(location: str, text: str) -> None:
    assert sources.shown(location) == text


def test_a_password_is_in_no_error() -> None:
    with pytest.raises(mw.MsmqWireError) as told:
        files_of(["nothing://user:secret@host/a.pcap"])
    assert "nothing://user@host" in str(told.value)
    assert "secret" not in str(told.value)
