"""What is read of capture files, whole and damaged; nothing here needs Spark."""

from __future__ import annotations

import bz2
import contextlib
import gc
import gzip
import io
import lzma
import os
import random
import re
import socket
import struct
import zlib
from collections import Counter
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import dpkt
import msgspec
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import fs
from support_by_hand import Capture as HandMade
from support_by_hand import pcap as capture_file
from support_examples import examples, share

import msmq_wire as mw
from msmq_wire import captures, mqdsrp, mqmq
from msmq_wire.captures.engine import run, run_live
from msmq_wire.captures.files import reading, sources
from msmq_wire.captures.files.reading import (
    ReadLimits,
    Tally,
    batches_of,
    live_rows,
    rows_of,
    segment_batches,
)
from msmq_wire.captures.files.segments import MAX_ERROR_BYTES, cause_of
from msmq_wire.captures.files.sources import Omitted, Source, files_of, opened
from msmq_wire.captures.files.splits import PIECE, FileSlice, Scan, parts_of, scanned, shared
from msmq_wire.captures.network.frames import Ports
from msmq_wire.captures.network.links import LINK_TYPES
from msmq_wire.captures.tables import sensor_of
from msmq_wire.spark import SEGMENTS
from msmq_wire.spark._inputs.options import NAMES, settings_of
from msmq_wire.testing.captures import Faults, write_captures
from msmq_wire.testing.captures.wire import Address, Path
from msmq_wire.values.paths import with_slashes

from .test_frames import fragments

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Callable, Iterable

LIMITS = ReadLimits(Ports(frozenset({1801}), frozenset({3527})))
ONE, OTHER = (b"\x02\0\0\0\0" + bytes([number]) for number in (1, 2))
NAMES_OF_COLUMNS = SEGMENTS.names
TIME = 1_700_000_000_000_000


def way(one: str = "10.0.0.1", other: str = "10.0.0.2", port: int = 1801, vlan: tuple[int, ...] = ()) -> Path:
    return Path(Address(ip_address(one), 50000, ONE), Address(ip_address(other), port, OTHER), vlan)


V4, V6 = way(), way("2001:db8::1", "fe80::ff")
SEGMENT = V4.tcp(0xFFFFFFFF, 7, 0x18, b"payload")
SIX = V6.tcp(0xFFFFFFFF, 7, 0x18, b"payload")
VXLAN = way(port=4789).udp(b"\x08" + bytes(7) + SEGMENT)
TAGGED = way(vlan=(1, 2)).tcp(1, 2, 0x18, b"payload")


def pcap(*frames: bytes, link: int = 1, order: str = "<", nano: bool = False) -> bytes:
    """A capture file, put together from the documentation of the format."""
    header = struct.pack(f"{order}IHHiIII", 0xA1B23C4D if nano else 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    records = [
        struct.pack(f"{order}IIII", 1_700_000_000, at * (1000 if nano else 1), len(frame), len(frame)) + frame
        for at, frame in enumerate(frames)
    ]
    return header + b"".join(records)


def block(kind: int, body: bytes, order: str = "<") -> bytes:
    """A block of pcapng."""
    size = struct.pack(f"{order}I", 12 + len(body))
    return struct.pack(f"{order}I", kind) + size + body + size


def section(order: str = "<") -> bytes:
    return block(0x0A0D0D0A, struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1), order)


def interface(link: int = 1, order: str = "<", options: bytes = b"", snaplen: int = 0) -> bytes:
    return block(1, struct.pack(f"{order}HHI", link, 0, snaplen) + options, order)


def option(code: int, value: bytes, order: str = "<") -> bytes:
    return struct.pack(f"{order}HH", code, len(value)) + value + bytes(-len(value) % 4)


def enhanced(frame: bytes, number: int = 0, ticks: int = TIME, order: str = "<") -> bytes:
    head = struct.pack(f"{order}IIIII", number, ticks >> 32, ticks & 0xFFFFFFFF, len(frame), len(frame))
    return block(6, head + frame + bytes(-len(frame) % 4), order)


def read(
    path: pathlib.Path, data: bytes, limits: ReadLimits = LIMITS, form: str = "auto"
) -> list[dict[str, Any]]:
    """The rows of a file, as dictionaries."""
    path.write_bytes(data)
    rows = rows_of(FileSlice(str(path), form, 0, len(data)), limits)
    return [dict(zip(NAMES_OF_COLUMNS, row, strict=True)) for row in rows]


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "capture"


def seen(row: dict[str, Any]) -> tuple[Any, ...]:
    """What a row says of its segment, if it is in order."""
    assert row["error"] is None
    return tuple(row[name] for name in ("transport", "src", "src_port", "dst", "dst_port", "seq", "payload"))


IN_SEGMENT = ("tcp", "10.0.0.1", 50000, "10.0.0.2", 1801, 0xFFFFFFFF, b"payload")
IN_SIX = ("tcp", "2001:db8::1", 50000, "fe80::ff", 1801, 0xFFFFFFFF, b"payload")


# ------------------------------------------------------------------------------------------ containers


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("nano", [False, True])
def test_pcap(order: str, nano: bool, path: pathlib.Path) -> None:
    arp = ONE + OTHER + b"\x08\x06" + bytes(28)
    rows = read(path, pcap(SEGMENT, arp, SIX, order=order, nano=nano))
    assert [seen(row) for row in rows] == [IN_SEGMENT, IN_SIX]
    assert [(row["frame"], row["offset"], row["time"]) for row in rows] == [
        (1, 24, TIME),
        (3, 24 + 3 * 16 + len(SEGMENT) + len(arp) - 16, TIME + 2),
    ]
    assert rows[0] == {
        "file": str(path), "frame": 1, "offset": 24, "time": TIME, "transport": "tcp", "src": "10.0.0.1",
        "src_port": 50000, "dst": "10.0.0.2", "dst_port": 1801, "seq": 0xFFFFFFFF, "ack": 7, "flags": 0x18,
        "payload": b"payload", "length": 7, "captured": 7, "checksum": True, "marked": True,
        "frame_bytes": len(SEGMENT), "places": None, "error": None,
    }  # fmt: skip


def test_modified_pcap(path: pathlib.Path) -> None:
    """The form with longer record headers, of old Linux systems."""
    data = struct.pack("<IHHiIII", 0xA1B2CD34, 2, 4, 0, 0, 65535, 1)
    data += struct.pack("<IIIIIHBB", 1_700_000_000, 5, len(SEGMENT), len(SEGMENT), 0, 0, 0, 0) + SEGMENT
    (row,) = read(path, data)
    assert seen(row) == IN_SEGMENT
    assert row["time"] == TIME + 5


def test_pcapng_with_several_interfaces_and_sections(path: pathlib.Path) -> None:
    """Each interface has its link type and its clock, each section its byte order."""
    cooked = bytes(14) + b"\x08\x00" + SEGMENT[14:]
    nano, shifted = option(9, b"\x09"), option(14, struct.pack(">q", 100), ">")
    binary = option(9, bytes([0x80 | 10]), ">")
    data = (
        section() + interface() + interface(113, options=nano) + block(10, b"skipskip") + enhanced(SEGMENT)
        + enhanced(cooked, 1, TIME * 1000 + 999)
        + section(">") + interface(101, ">", shifted + binary) + enhanced(SIX[14:], 0, 1024 * 5, ">")
    )  # fmt: skip
    rows = read(path, data)
    assert [seen(row) for row in rows] == [IN_SEGMENT, IN_SEGMENT, IN_SIX]
    assert [row["time"] for row in rows] == [TIME, TIME, 105_000_000]
    assert [row["frame"] for row in rows] == [1, 2, 3]
    assert [data[row["offset"]] for row in rows] == [6, 6, 0]


def test_other_blocks_with_frames(path: pathlib.Path) -> None:
    """Simple Packet Blocks, which have no time, and the obsolete Packet Block."""
    simple = block(3, struct.pack("<I", len(SEGMENT)) + SEGMENT + bytes(-len(SEGMENT) % 4))
    head = struct.pack("<HHIIII", 0, 3, TIME >> 32, TIME & 0xFFFFFFFF, len(SEGMENT), len(SEGMENT))
    old = block(2, head + SEGMENT + bytes(-len(SEGMENT) % 4))
    rows = read(path, section() + interface() + simple + old)
    assert [seen(row) for row in rows] == [IN_SEGMENT, IN_SEGMENT]
    assert [row["time"] for row in rows] == [None, TIME]


def lz4_or_zstd(name: str) -> Any:
    def pack(data: bytes) -> bytes:
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, name) as stream:
            stream.write(data)
        return bytes(sink.getvalue())

    return pack


PACKERS = {
    "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": lz4_or_zstd("zstd"),
    "lz4": lz4_or_zstd("lz4"),
}  # fmt: skip


@pytest.mark.each(5)
@pytest.mark.parametrize("name", PACKERS)
def test_packed(name: str, path: pathlib.Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Packed once, and in two members; what is cut or damaged is told by one row."""
    data, pack = pcap(SEGMENT, SIX), PACKERS[name]
    for packed in (pack(data), pack(data[:50]) + pack(data[50:])):
        assert [seen(row) for row in read(path, packed)] == [IN_SEGMENT, IN_SIX]
        assert len(read(path, packed, form="pcap")) == 2
    noise = random.Random(1).randbytes(300_000)  # noqa: S311  # a seed, not a secret
    packed = pack(pcap(*[V4.tcp(at, 7, 16, noise[at : at + 1000]) for at in range(0, 300_000, 1000)]))
    for broken in (packed[: len(packed) * 9 // 10], packed[:-3]):
        ((_, _, problem),) = errors(read(path, broken))
        assert problem.startswith(f"the {name} data is damaged: ")
    gc.collect()  # what pyarrow thinks of its files it writes when they are gone, without an exception
    assert capfd.readouterr().err == ""


@pytest.mark.each(4)
@pytest.mark.parametrize(("name", "lost"), [("gzip", 70), ("bzip2", 900), ("xz", 70), ("zstd", 200)])
def test_packed_and_cut(name: str, lost: int, path: pathlib.Path) -> None:
    """All but the last block of truncated data is read; the blocks of lz4 can have megabytes."""
    noise = random.Random(1).randbytes(1_900_000)  # noqa: S311  # a seed, not a secret
    data = pcap(*[V4.tcp(at, 7, 16, noise[at : at + 1000]) for at in range(0, len(noise), 1000)])
    rows = read(path, PACKERS[name](data)[: len(data) * 9 // 10])
    assert len(rows) > 1900 * 9 // 10 - lost


@pytest.mark.parametrize("location", [0.02, 0.5, 0.98])
@pytest.mark.parametrize("name", ["gzip", "xz"])
@pytest.mark.parametrize("count", [pytest.param(1500, marks=pytest.mark.long), 12])
def test_packed_and_damaged(count: int, name: str, location: float, path: pathlib.Path) -> None:
    """All that unpacks before the damage is read, also if few packed bytes hold much."""
    dice = random.Random(2)  # noqa: S311  # a seed, not a secret
    words = [dice.randbytes(40) for _ in range(9)]
    data = pcap(*[V4.tcp(at, 7, 16, b"".join(dice.choices(words, k=20))) for at in range(count)])
    packed = bytearray(PACKERS[name](data))
    packed[int(len(packed) * location)] ^= 0x55
    unpacker: Any = zlib.decompressobj(31) if name == "gzip" else lzma.LZMADecompressor()
    whole = b""
    with contextlib.suppress(zlib.error, lzma.LZMAError, OSError, EOFError):
        for at in range(len(packed)):
            whole += unpacker.decompress(packed[at : at + 1])
    rows = read(path, bytes(packed))
    size = 16 + len(V4.tcp(0, 7, 16, bytes(800)))
    # Damage may as well unpack to other bytes.
    sound = next(
        (at for at, pair in enumerate(zip(whole, data, strict=False)) if pair[0] != pair[1]), len(whole)
    )
    assert len(rows) > (sound - 24) // size
    (told,) = {row["error"] for row in rows if "data is damaged" in (row["error"] or "")}
    # Behind wrong bytes of gzip, others follow that unpack, and only its checksum tells.
    left = re.search(r"; the last ([\d,]+) of its ([\d,]+) bytes are not read$", told)
    assert left or name == "gzip" or location > 0.9
    if left:
        rest, all_bytes = (int(number.replace(",", "")) for number in left.groups())
        assert all_bytes == len(packed)
        assert 0 < rest < len(packed) * (1 - location)


@pytest.mark.each(9)
@pytest.mark.parametrize("wrong", range(4))
@pytest.mark.parametrize("name", PACKERS)
def test_packed_one_by_one_and_damaged(name: str, wrong: int, path: pathlib.Path) -> None:
    """Of captures that were compressed one by one and joined, only the damaged one is lost."""
    dice = random.Random(4)  # noqa: S311  # a seed, not a secret
    parts = [
        bytearray(
            PACKERS[name](pcap(*[V4.tcp(100 * part + at, 7, 16, dice.randbytes(500)) for at in range(40)]))
        )
        for part in range(4)
    ]
    # Without checksums, zstd and lz4 unpack other wrong bytes than those of the header to other data.
    at = 4 if name in {"zstd", "lz4"} else len(parts[wrong]) // 2
    parts[wrong][at] ^= 0xFF
    rows = read(path, b"".join(parts))
    ((_, _, problem),) = [error for error in errors(rows) if "another capture begins" not in error[2]]
    assert problem.startswith(f"the {name} data is damaged: ")
    told = re.search(
        r"; (?:the last )?([\d,]+) of its ([\d,]+) bytes (were passed over|are not read)$", problem
    )
    assert told or name == "gzip"  # whose other wrong bytes unpack, and only its checksum tells
    if told:
        assert (told[3] == "are not read") == (wrong == 3)
        assert int(told[1].replace(",", "")) <= len(parts[wrong])
    sound = [row for row in rows if row["error"] is None and row["seq"] // 100 != wrong]
    assert [row["seq"] for row in sound] == [
        100 * part + at for part in range(4) if part != wrong for at in range(40)
    ]
    locations = [(row["frame"], row["offset"]) for row in sound]
    assert locations == sorted(set(locations))


def test_many_damaged_captures_in_a_packed_file(path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How often reading goes on is bounded, and what is not read is told."""
    monkeypatch.setattr(reading, "_CAPTURES", 3)
    packed = bytearray(gzip.compress(pcap(SEGMENT), mtime=0))
    packed[-1] ^= 1
    for count, rest in ((3, 0), (4, 1), (6, 3)):
        rows = read(path, bytes(packed) * count)
        assert [seen(row) for row in rows if row["error"] is None] == [IN_SEGMENT] * 3
        left = f"; the last {rest * len(packed):,} of its {count * len(packed):,} bytes are not read"
        told = [row["error"] for row in rows if (row["error"] or "").endswith("are not read")]
        assert [text.endswith(left) for text in told] == [True] * bool(rest)


@pytest.mark.each(3)
@pytest.mark.parametrize("name", ["zstd", "lz4"])
@pytest.mark.parametrize("tail", [b"no packed data", bytes(8), b"\x28\xb5", b"\x04\x22\x4d\x18"])
def test_packed_with_something_behind(name: str, tail: bytes, path: pathlib.Path) -> None:
    """Everything before the damage is read, from a file and from a pipe."""
    packed = PACKERS[name](pcap(*[SEGMENT] * 1000)) + tail
    rows = read(path, packed)
    assert [seen(row) for row in rows[:-1]] == [IN_SEGMENT] * 1000
    assert rows[-1]["error"].startswith(f"the {name} data is damaged: ")
    tables = [*run_live(Source(iter([packed]), live=True), "pipe", ["quarantine", "frames"])]
    told = {
        table: batch.to_pylist() for table, batch in tables if table == "frames" or "file" in kinds(batch)
    }
    assert [row["frames"] for row in told["frames"]] == [1000]
    assert [row["cause"].partition(":")[0] for row in told["quarantine"]] == [f"the {name} data is damaged"]


@pytest.mark.parametrize("name", ["zstd", "lz4"])
def test_a_last_byte_that_is_like_an_unused_one(name: str, path: pathlib.Path) -> None:
    """Pyarrow does not tell how many bytes it wrote before an error; all of the sound member are read."""
    size = len(pcap(SEGMENT))
    for more in range(4):
        last = sources.UNUSED[size + more - 1 :][:1]
        payload = b"payload"[: 7 - 1] + bytes(more) + last
        (row,) = [
            row
            for row in read(path, PACKERS[name](pcap(V4.tcp(1, 7, 0x18, payload))) + b"no packed data")
            if row["error"] is None
        ]
        assert row["payload"] == payload


@pytest.mark.parametrize("name", ["bzip2", "xz"])
def test_members_of_bzip2_and_xz(name: str, path: pathlib.Path) -> None:
    """Zeros may be between members, as after the streams of xz; anything else is told, and never dropped."""
    pack = PACKERS[name]
    data = [pcap(SEGMENT), pcap(SIX)[24:]]  # each a member, which ends with a frame
    first, second = map(pack, data)
    zeros = bytes(40_000)
    for packed in (first + bytes(4) + second, first + zeros + second + zeros, pack(b"") + first + second):
        assert [seen(row) for row in read(path, packed)] == [IN_SEGMENT, IN_SIX]
    for tail in (b"garbage", b"\r\n", b"X" + second[1:], second[:7], zeros + b"!"):
        rows = read(path, first + tail)
        assert [seen(row) for row in rows[:-1]] == [IN_SEGMENT]
        assert rows[-1]["error"].startswith(f"the {name} data is damaged: ")
    tables = [*run_live(Source(iter([first, zeros, second]), live=True), "pipe", ["frames"])]
    assert [batch.column("frames").to_pylist() for _, batch in tables] == [[2]]


@pytest.mark.parametrize("name", ["zstd", "lz4"])
@pytest.mark.parametrize("size", [0, 4, 200, 5000])
def test_skippable_frames(name: str, size: int, path: pathlib.Path) -> None:
    """Frames without data may be anywhere; pzstd writes one before each of zstd."""
    skip = b"\x5a\x2a\x4d\x18" + struct.pack("<I", size) + bytes(size)
    pack, data = PACKERS[name], pcap(SEGMENT, SIX)
    packed = skip + skip + pack(data[:70]) + skip + pack(data[70:]) + skip
    if name == "lz4" and size > 200:
        packed = packed[2 * len(skip) :]  # with long ones first, it is taken for zstd
    assert [seen(row) for row in read(path, packed)] == [IN_SEGMENT, IN_SIX]


def kinds(batch: pa.RecordBatch) -> list[str]:
    return [*batch.column("kind").to_pylist()]


@pytest.mark.parametrize("size", [16, 100, 3_000_000])
def test_zeros_behind_the_records(size: int, path: pathlib.Path) -> None:
    """A file whose space was reserved: the zeros are told once, and are no frames."""
    blocks = section() + interface() + enhanced(SEGMENT)
    for data, location in ((pcap(SEGMENT), 1), (blocks, None)):
        whole = data + bytes(size)
        rows = read(path, whole)
        assert seen(rows[0]) == IN_SEGMENT
        problem = f"{size} bytes of zeros follow, as if the rest of the file was not written"
        assert errors(rows[1:]) == [(location and location + 1, len(data), problem)]
        parts = parts_of(files_of([str(path)]), "auto", LIMITS.most, 1)
        found = [row for part in parts for row in rows_of(part, LIMITS)]
        assert [row[-1] for row in found] == [None, problem]


@pytest.mark.parametrize("name", PACKERS)
def test_packed_twice(name: str, path: pathlib.Path) -> None:
    """Data is unpacked once, from a file and from a pipe."""
    packed = gzip.compress(PACKERS[name](pcap(SEGMENT)))
    problem = f"the file unpacks to {name} data, which is not unpacked again"
    assert errors(read(path, packed)) == [(None, 0, problem)]
    ((table, batch),) = run_live(Source(iter([packed]), live=True), "pipe", ["quarantine"])
    assert (table, batch.column("error").to_pylist()) == ("quarantine", [problem])


@pytest.mark.long
def test_bound_on_expansion(path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "FREE", 1 << 17)
    packed = gzip.compress(pcap() + struct.pack("<IIII", 1, 0, 0, 0) * 12_500)
    problems = [problem for *_, problem in errors(read(path, packed, LIMITS._replace(expansion=3)))]
    bound = (
        "the gzip data unpacks to more than 131072 bytes, 3 times its size, which is the bound on expansion"
    )
    assert bound in problems
    assert len(problems) == 2
    problems = [problem for *_, problem in errors(read(path, packed, LIMITS._replace(expansion=10_000)))]
    assert not any("bound" in problem for problem in problems)


@pytest.mark.parametrize(("size", "allowed"), [(999, True), (1000, True), (1001, False)])
def test_the_bound_on_expansion(size: int, allowed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "FREE", 1000)
    packed = gzip.compress(bytes(size))
    source = sources.unpacked_live(Source(iter([packed]), live=True), expansion=1)
    assert (source.read(2000), bool(source.trouble)) == (bytes(size if allowed else 0), not allowed)


@pytest.mark.long
def test_repeated_damage(path: pathlib.Path) -> None:
    """Damage of one kind is one row with a count; however a file is cut, the parts come to the same."""
    count = share(50_000)
    bad, head = enhanced(SEGMENT)[:-4] + bytes(4), section() + interface()
    rows = read(path, head + bad * count + enhanced(SEGMENT))
    assert len(rows) == 2
    assert rows[0]["error"] is None
    assert [rows[1][name] for name in ("frame", "offset", "places")] == [1, len(head), count]
    assert rows[1]["length"] == len(bad) * count
    assert rows[1]["payload"] == bad
    found = [row for name, batch in run([str(path)]) if name == "quarantine" for row in batch.to_pylist()]
    found = [row for row in found if row["kind"] == "frame"]
    assert [(row["places"], row["size"], row["first_frame"]) for row in found] == [
        (count, len(bad) * count, 1)
    ]


@pytest.mark.parametrize("size", [65_532, 65_536, 65_540])
def test_bytes_of_damage_are_bounded(size: int, path: pathlib.Path) -> None:
    """An error has up to 65,536 of its bytes, and the size of all."""
    bad = enhanced(bytes(size - 32))[:-4] + bytes(4)
    (row,) = read(path, section() + interface() + bad)
    shown = min(size, MAX_ERROR_BYTES)
    assert MAX_ERROR_BYTES == 65_536
    assert (row["length"], row["captured"], row["payload"]) == (size, shown, bad[:shown])


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (option(9, b""), "option 9 has 0 bytes instead of 1"),
        (option(9, b"\x09\0"), "option 9 has 2 bytes instead of 1"),
        (option(14, bytes(4)), "option 14 has 4 bytes instead of 8"),
        (struct.pack("<HH", 2, 600) + b"eth0", "an option is longer than the block"),
    ],
)
def test_damaged_options_of_an_interface(options: bytes, problem: str, path: pathlib.Path) -> None:
    """They are reported, and the frames of the interface are read."""
    data = section() + interface(101, options=options) + enhanced(SEGMENT[14:]) * 20
    rows = read(path, data)
    assert [row["payload"] for row in rows if row["error"] is None] == [b"payload"] * 20
    assert errors(rows) == [(None, len(section()), f"a block of type 1 cannot be read: {problem}")]
    nothing = read(path, section() + block(1, bytes(4)) + enhanced(SEGMENT))
    assert errors(nothing) == [
        (None, len(section()), "a block of type 1 cannot be read: 16 bytes are too few for it")
    ]


def test_repeated_damage_in_parts(path: pathlib.Path) -> None:
    """However a file is cut, the rows of its parts add up to those of the whole."""
    limits = LIMITS._replace(links=frozenset({1}))
    cut = SEGMENT[:30]
    whole = read(path, pcap(*([SEGMENT, cut, SEGMENT[:16]] * 300)), limits)
    parts = parts_of(files_of([str(path)]), "auto", LIMITS.most, 4000)
    assert len(parts) > 5
    rows = [dict(zip(NAMES_OF_COLUMNS, row, strict=True)) for part in parts for row in rows_of(part, limits)]
    assert _summed(rows) == _summed(whole)
    assert {row["places"] for row in whole} == {None, 600}


def _summed(rows: list[dict[str, Any]]) -> dict[str, tuple[int, int, int]]:
    """Places, bytes and the first place of each kind of damage."""
    found: dict[str, tuple[int, int, int]] = {}
    for row in rows:
        if row["error"] is not None:
            kind = cause_of(row["error"])
            locations, size, offset = found.get(kind, (0, 0, row["offset"]))
            found[kind] = locations + row["places"], size + row["length"], min(offset, row["offset"])
    return found


def test_parts_are_as_large_as_wanted(path: pathlib.Path) -> None:
    """Each ends with the record that reaches the size; the first one has the header of the file as well."""
    record = len(pcap(SEGMENT)) - 24
    path.write_bytes(pcap(*[SEGMENT] * 13))
    for wanted, ends in ((4 * record, (4, 8, 12, 13)), (4 * record + 1, (4, 9, 13))):
        found = parts_of(files_of([str(path)]), "pcap", LIMITS.most, wanted)
        assert [part.end for part in found] == [24 + record * end for end in ends]
        assert [part.start for part in found] == [0, *(part.end for part in found[:-1])]


def test_whether_more_records_may_follow(path: pathlib.Path) -> None:
    """Not behind a record that is larger than the largest; and always in a format that is not split."""
    path.write_bytes(pcap(bytes(100), bytes(100)))
    size = path.stat().st_size
    with opened(str(path)) as file:
        for most, found in ((100, (size, 3, True)), (99, (24, 1, False))):
            scan = scanned(file, FileSlice(str(path), "pcap", 0, size), most, size)
            assert (scan.end, scan.number, scan.sound) == found
        assert scanned(file, FileSlice(str(path), "packets", 5, size, 2, b"head"), 99, size) == Scan(
            [], 5, 2, b"head", sound=True
        )


@pytest.mark.parametrize("size", range(4, 24))
def test_a_header_that_was_not_written_whole_is_followed_by_no_record(path: pathlib.Path, size: int) -> None:
    path.write_bytes(pcap(bytes(100))[:size])
    with opened(str(path)) as file:
        assert scanned(file, FileSlice(str(path), "pcap", 0, size), 1 << 16, size) == Scan(
            [], 0, 1, b"", sound=True
        )


def test_parts_of_a_task() -> None:
    """Small files share tasks, as many as their bytes alone would have; large ones have their own."""

    def tasks(sizes: list[int], target: int) -> list[list[int]]:
        parts = [FileSlice(f"file {at}", "pcap", 0, size) for at, size in enumerate(sizes)]
        groups = shared(parts, target)
        assert [part for group in groups for part in group] == parts
        return [[part.end for part in group] for group in groups]

    thousands = tasks([4096] * 3000, 3_072_000)
    assert [len(task) for task in thousands] == [750] * 4
    assert tasks([64 << 20] * 3, 64 << 20) == [[64 << 20]] * 3
    assert tasks([100] * 5, 128 << 20) == [[100] * 5]
    assert len(tasks([100] * 5000, 128 << 20)) == 5  # a task opens about a thousand files
    assert tasks([], 1) == []


@pytest.mark.long
def test_repeated_damage_live() -> None:
    """Through a pipe the first place is told at once, and the others at the end."""
    bad = enhanced(SEGMENT)[:-4] + bytes(4)
    data = section() + interface() + enhanced(SEGMENT) + bad * 1000 + enhanced(SEGMENT)
    source = Source(iter([data[:700], data[700:]]), live=True)
    found = [
        row for name, batch in run_live(source, "pipe") if name == "quarantine" for row in batch.to_pylist()
    ]
    assert [(row["places"], row["first_frame"]) for row in found if row["kind"] == "frame"] == [
        (1, 2),
        (999, 3),
    ]


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"GMBU\0\x02\x01\0", "Microsoft Network Monitor"),
        (b"snoop\0\0\0\0\0\0\2\0\0\0\4", "Solaris snoop"),
        (
            b"".join(
                struct.pack("<QBB", (1_700_000_000 + at) << 32, 2, 4)
                + struct.pack("!HHH", 36, 0, 20)
                + bytes(20)
                for at in range(3)
            ),
            "Endace card (ERF)",
        ),
        (bytes(8) + b"\x9b\x04" + struct.pack("!HHH", 128, 0, 104) + bytes(112), "Endace card (ERF)"),
    ],
)
def test_formats_that_are_not_read(head: bytes, name: str, path: pathlib.Path) -> None:
    ((frame, offset, problem),) = errors(read(path, head + bytes(100)))
    assert (frame, offset) == (None, 0)
    assert name in problem
    assert problem.endswith("convert it with: editcap -F pcapng FILE FILE.pcapng")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.erf", "a capture of an Endace card (ERF), which is not read; convert it with: editcap -F"),
        ("A.ERF", "a capture of an Endace card (ERF), which is not read; convert it with: editcap -F"),
        (
            "a.etl",
            "a trace of Windows (ETL) as pktmon and netsh write it, which is not read; convert it with: pk",
        ),
    ],
)
def test_formats_that_only_the_name_tells(name: str, said: str, path: pathlib.Path) -> None:
    """A record of ERF has no mark: where the bytes tell nothing, the name of the file does."""
    named = path.with_name(name)
    (problem,) = [told for *_, told in errors(read(named, b"\xff" * 100))]
    assert problem.startswith(f"the file is by its name {said}")
    (problem,) = [told for *_, told in errors(read(named, b"PK\3\4" + bytes(100)))]
    assert problem.startswith("the file is a ZIP archive")
    assert [told for *_, told in errors(read(named, b""))] == ["the file is empty"]
    data = mw.encode(mw.mqqb.ConnectionParameters())
    assert [row["payload"] for row in read(named, data)] == [data]


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_few_records_of_erf_before_other_bytes(count: int, path: pathlib.Path) -> None:
    """Three in order of time are no accident; fewer can be, if what follows is something else."""
    records = [
        struct.pack("<QBB", (1_700_000_000 + at) << 32, 2, 4) + struct.pack("!HHH", 36, 0, 20) + bytes(20)
        for at in range(count)
    ]
    told = [problem for *_, problem in errors(read(path, b"".join(records) + b"\xff" * 100))]
    assert any("ERF" in problem for problem in told) is (count > 2)


def test_files_of_packets(path: pathlib.Path) -> None:
    data = mw.encode(mw.mqqb.ConnectionParameters()) * 5000
    for stored in (data, gzip.compress(data)):
        rows = read(path, stored)
        assert b"".join(row["payload"] for row in rows) == data
        assert {row["transport"] for row in rows} == {"raw"}
        assert [row["seq"] for row in rows] == list(range(0, len(data), PIECE))
        assert [row["frame"] for row in rows] == [1, 2, 3]
        assert {row["src"] for row in rows} == {None}
    assert read(path, b"\0anything", form="packets")[0]["payload"] == b"\0anything"


# ------------------------------------------------------------------------------------------ link and IP layer


@pytest.mark.parametrize(
    ("link", "head"),
    [
        (1, ONE + OTHER + b"\x08\x00"),
        (1, ONE + OTHER + b"\x81\x00\x00\x05\x08\x00"),
        (1, ONE + OTHER + b"\x88\xa8\x00\x05\x81\x00\x00\x06\x08\x00"),
        (0, b"\x02\0\0\0"),
        (108, b"\0\0\0\x02"),
        (101, b""),
        (12, b""),
        (14, b""),
        (228, b""),
        (113, bytes(14) + b"\x08\x00"),
        (113, bytes(14) + b"\x81\x00\x00\x05\x08\x00"),
        (276, b"\x08\x00" + bytes(18)),
        (1 | 0x5400_0000, ONE + OTHER + b"\x08\x00"),
    ],
)
def test_link_types(link: int, head: bytes, path: pathlib.Path) -> None:
    content = SEGMENT[14:]
    assert [seen(row) for row in read(path, pcap(head + content, link=link))] == [IN_SEGMENT]
    if b"\x08\x00" not in head:
        assert [seen(row) for row in read(path, pcap(head + SIX[14:], link=link))] == [IN_SIX]
    for size in range(len(head)):
        rows = read(path, pcap(head[:size], link=link))
        assert [row["error"] for row in rows] == ["the frame ends within its link header"]
        assert rows[0]["payload"] == head[:size]


def test_a_link_type_that_is_not_read(path: pathlib.Path) -> None:
    """One row says so, however many frames there are and into however many parts the file is cut."""
    problem = "frames have the link type 147, which is not read"
    data = pcap(*[bytes(3) + SEGMENT] * 9, link=147)
    assert [(row["frame"], row["error"]) for row in read(path, data)] == [(None, problem)]
    parts = parts_of(files_of([str(path)]), "auto", 1 << 18, 100)
    assert len(parts) > 2
    assert [row[-1] for part in parts for row in rows_of(part, LIMITS)] == [problem]
    data = section() + interface(147) + interface() + enhanced(SEGMENT) + enhanced(SEGMENT, 1) * 5
    rows = read(path, data)
    assert rows[-1]["error"] == "frames of interface 0 have the link type 147, which is not read"
    assert [row["frame"] for row in rows[:-1]] == [2, 3, 4, 5, 6]
    parts = parts_of(files_of([str(path)]), "auto", 1 << 18, 100)
    found = [row for part in parts for row in rows_of(part, LIMITS)]
    assert sorted(map(str, found)) == sorted(str(tuple(row.values())) for row in rows)


def six(*headers: tuple[int, bytes]) -> bytes:
    """The segment with extension headers: their numbers, and what follows the number of the next one."""
    kinds = [kind for kind, _ in headers]
    chain = b"".join(
        bytes([following]) + rest for (_, rest), following in zip(headers, [*kinds[1:], 6], strict=True)
    )
    content = chain + SIX[54:]
    return SIX[:18] + struct.pack("!HB", len(content), kinds[0]) + SIX[21:54] + content


def test_extension_headers(path: pathlib.Path) -> None:
    longer = (0, b"\x01" + bytes(14))
    authentication = (51, b"\x04" + bytes(22))
    atomic = (44, b"\0\0\0" + b"abcd")
    for headers in ([longer], [longer, (60, bytes(7))], [authentication], [(43, bytes(7)), atomic]):
        assert [seen(row) for row in read(path, pcap(six(*headers)))] == [IN_SIX]
    (row,) = read(path, pcap(six(longer)[:60]))
    assert row["error"] == "the frame ends within an extension header"
    (row,) = read(path, pcap(six(longer)[:72]))
    assert row["error"] == "the frame ends before the ports of TCP"
    assert read(path, pcap(six((59, bytes(7))))) == []


def test_sizes(path: pathlib.Path) -> None:
    """Padding of Ethernet is not payload; what the network card was to cut has no size in its IP header."""
    padded = SEGMENT + bytes(20)
    unfinished = SEGMENT[:16] + b"\0\0" + SEGMENT[18:]
    big = SIX[:18] + b"\0\0" + SIX[20:]
    for frame in (padded, unfinished, big):
        (row,) = read(path, pcap(frame))
        assert (row["payload"], row["length"], row["captured"], row["error"]) == (b"payload", 7, 7, None)
    cut = struct.pack("<IIII", 1, 1, len(unfinished) - 3, len(unfinished)) + unfinished[:-3]
    (row,) = read(path, pcap() + cut)
    assert (row["payload"], row["length"], row["captured"]) == (b"payl", 7, 4)


@pytest.mark.parametrize("padding", [b"", b"padding"])
def test_jumbograms(padding: bytes, path: pathlib.Path) -> None:
    """The size of an IPv6 packet may be in an option (RFC 2675); what follows the packet is padding."""
    for payload in (b"payload", bytes(range(256)) * 300):
        head = struct.pack("!BBHI", 6, 0, 0xC204, 8 + len(SIX) - 54 - 7 + len(payload))
        frame = SIX[:18] + b"\0\0\0" + SIX[21:54] + head + SIX[54:-7] + payload
        (row,) = read(path, pcap(frame + padding))
        assert (row["payload"], row["length"], row["error"]) == (payload, len(payload), None)


def test_every_prefix_of_a_frame(path: pathlib.Path) -> None:
    """A frame that the capture has cut is a row as soon as its ports may be ours, and no byte is lost."""
    ping = way(port=3527).udp(b"payload")
    for frame, headers, unneeded in ((SEGMENT, 54, 6), (SIX, 74, 6), (ping, 42, 0)):
        for size in range(len(frame)):
            (row,) = read(path, pcap(frame[:size]))
            if size < headers - unneeded:
                assert row["error"].startswith("the frame ends ")
                assert row["payload"] == frame[:size]
            else:
                assert row["error"] is None
                assert (row["payload"], row["length"]) == (frame[headers:size], 7)
            assert row["captured"] == len(row["payload"])


@pytest.mark.parametrize(
    ("at", "value", "problem"),
    [
        (14, b"\x44", "the IPv4 header begins with 0x44"),
        (14, b"\x55", "the IPv4 header begins with 0x55"),
        (46, b"\x40", "the TCP header states a size of 16 bytes"),
        (46, b"\xf0", "the TCP header states a size of 60 bytes"),
        (16, b"\0\x20", "the TCP header states a size of 20 bytes"),
    ],
)
def test_headers_that_contradict(at: int, value: bytes, problem: str, path: pathlib.Path) -> None:
    frame = SEGMENT[:at] + value + SEGMENT[at + len(value) :]
    (row,) = read(path, pcap(frame))
    assert (row["error"], row["payload"]) == (problem, frame)


def test_udp_that_contradicts(path: pathlib.Path) -> None:
    frame = way(port=3527).udp(b"payload")
    for size in (b"\0\x07", b"\0\x10", b"\xff\xff"):
        (row,) = read(path, pcap(frame[:38] + size + frame[40:]))
        assert row["error"] == f"the UDP header states a size of {int.from_bytes(size, 'big')} bytes"


def test_ports(path: pathlib.Path) -> None:
    frames = [way(port=port).tcp(1, 1, 16, b"t") for port in (1801, 80)]
    frames += [way(port=port).udp(b"u") for port in (3527, 53)]
    data = pcap(*frames)

    def numbers(tcp: frozenset[int] | None, udp: frozenset[int] | None) -> list[int]:
        return [row["frame"] for row in read(path, data, ReadLimits(Ports(tcp, udp)))]

    assert numbers(frozenset({1801}), frozenset({3527})) == [1, 3]
    assert numbers(frozenset({80, 1801}), frozenset()) == [1, 2]
    assert numbers(frozenset({50000}), None) == [1, 2, 3, 4]
    assert numbers(None, frozenset({53})) == [1, 2, 4]
    chosen = LIMITS._replace(links=frozenset({101}))
    assert read(path, data, chosen) == []


# ------------------------------------------------------------------------------------------ damage


def errors(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(row["frame"], row["offset"], row["error"]) for row in rows if row["error"] is not None]


def test_fragments_in_files_whose_names_are_not_in_the_order_of_time(tmp_path: pathlib.Path) -> None:
    """What they make is in the file that was captured last, whatever it is called."""
    first, second = fragments(way(port=3527).udp(b"no packet" * 8), 48)
    (tmp_path / "b.pcap").write_bytes(pcap(first))
    later = bytearray(pcap(second))
    later[24:28] = (1_700_000_001).to_bytes(4, "little")
    (tmp_path / "a.pcap").write_bytes(later)
    ((_, batch),) = run([str(tmp_path)], ["quarantine"])
    (row,) = batch.to_pylist()
    assert (row["kind"], row["data"]) == ("junk", b"no packet" * 8)
    assert (row["file"], row["first_frame"]) == (str(tmp_path / "a.pcap"), 1)


@pytest.mark.parametrize("cut", range(1, 5))
def test_frames_of_a_datagram_in_two_files(cut: int, tmp_path: pathlib.Path) -> None:
    """The frame that was captured last counts as read, all others of both files as fragments."""
    parts = fragments(V4.tcp(9, 7, 0x18, bytes(141)), 40)
    frames = [frame + bytes(at) for at, frame in enumerate(parts)]  # of different sizes, by their padding
    (tmp_path / "a.pcap").write_bytes(pcap(*frames[:cut]))
    later = [bytearray(pcap(frame)[24:]) for frame in frames[cut:]]
    for record in later:
        record[:4] = (1_700_000_001).to_bytes(4, "little")
    (tmp_path / "b.pcap").write_bytes(pcap() + b"".join(later))
    ((_, batch),) = run([str(tmp_path)], ["frames"])
    sizes = [*map(len, frames)]
    assert len(sizes) == 5
    assert [(row["file"][-6:], row["reason"], row["frames"], row["bytes"]) for row in batch.to_pylist()] == [
        ("a.pcap", "fragment", cut, sum(sizes[:cut])),
        *[("b.pcap", "fragment", 4 - cut, sum(sizes[cut:-1]))] * (cut < 4),
        ("b.pcap", "read", 1, sizes[-1]),
    ]


@pytest.mark.parametrize(
    "order",
    [
        [("a0", 0.0), ("b0", 2.0), ("b1", 2.0), ("b2", 2.0)],
        [("a0", 0.0), ("a1", 0.0), ("b0", 2.0), ("b1", 2.0), ("b2", 2.0)],
        [("a2", 0.0), ("a1", 0.0), ("b0", 2.0), ("b2", 2.0), ("b1", 2.0)],
        [("a0", 0.0), ("a1", 0.9), ("a2", 0.9), ("b0", 2.0), ("b1", 2.0)],
        [("a1", 0.0), ("a0", 0.5), ("b0", 4.0), ("a2", 4.0), ("b2", 40.0), ("a0", 80.0)],
    ],
)
def test_a_number_used_again_in_one_file_and_in_several(
    order: list[tuple[str, float]], tmp_path: pathlib.Path
) -> None:
    """The same datagrams are complete and incomplete wherever a file ends, and in a pipe."""
    parts = {
        f"{name}{at}": part
        for name, text in (("a", b"no packet" * 8), ("b", b"not a one" * 8))
        for at, part in enumerate(fragments(way(port=3527).udp(text), 32))
    }
    records = []
    for name, time in order:
        seconds, rest = divmod(int(time * 1_000_000), 1_000_000)
        record = pcap(parts[name])[24:]
        records.append(struct.pack("<II", 1_700_000_000 + seconds, rest) + record[8:])

    def result(batches: Iterable[tuple[str, pa.RecordBatch]]) -> tuple[Any, ...]:
        counts, pieces = Counter[str](), list[tuple[bytes, str]]()
        for name, batch in batches:
            for row in batch.to_pylist():
                if name == "frames":
                    counts[row["reason"]] += row["frames"]
                else:  # rows of incomplete datagrams may be one, with the bytes of the first
                    is_whole = "datagram" not in row["cause"]
                    pieces += [(row["data"] if is_whole else b"", row["cause"])] * row["places"]
        return +counts, sorted(pieces, key=repr)

    tables = ["frames", "quarantine"]
    (tmp_path / "whole").mkdir()
    file = tmp_path / "whole" / "a.pcap"
    file.write_bytes(pcap() + b"".join(records))
    whole = result(run([str(file)], tables))
    assert sum(whole[0].values()) == len(order)
    assert result(run_live(Source([file.read_bytes()], live=True), "-", tables)) == whole
    for cut in range(1, len(order)):
        folder = tmp_path / f"{cut}"
        folder.mkdir()
        (folder / "a.pcap").write_bytes(pcap() + b"".join(records[:cut]))
        (folder / "b.pcap").write_bytes(pcap() + b"".join(records[cut:]))
        assert result(run([str(folder)], tables)) == whole


def test_damaged_pcap(path: pathlib.Path) -> None:
    """What comes before the damage is read, and one row says where it is."""
    data = pcap(SEGMENT, SIX)
    second = 24 + 16 + len(SEGMENT)
    for size in range(len(data)):
        rows = read(path, data[:size])
        whole = (size >= second) + (size == len(data))
        assert len(rows) - len(errors(rows)) == whole
        if size in (24, second):
            assert errors(rows) == []
        elif size == 0:
            assert errors(rows) == [(None, 0, "the file is empty")]
        elif size < 16:
            problem = "the file does not begin as pcap, pcapng or MSMQ packets does"
            if size < 4:
                assert errors(rows) == [(None, 0, problem)]
        elif size >= 24:
            ((frame, offset, problem),) = errors(rows)
            assert (frame, offset) == ((1, 24) if size < second else (2, second))
            within = "the header of a record" if size - offset < 16 else "a frame"
            assert problem.startswith(f"the file ends within {within}: ")
            assert rows[-1]["payload"] == data[offset:size]


def test_a_record_that_is_too_long(path: pathlib.Path) -> None:
    data = pcap(SEGMENT, SIX)
    second = 24 + 16 + len(SEGMENT)
    broken = data[: second + 8] + b"\x01\x00\x04\x00" + data[second + 12 :] + bytes(300_000)
    size = len(broken) - second
    problem = f"a record states a size of 262145 bytes, and no frame has more than 262144; in {size} bytes"
    problem += " that follow, no record is found"
    assert errors(read(path, broken)) == [(2, second, problem)]
    longer = LIMITS._replace(most=300_000)
    assert errors(read(path, broken, longer)) != [(2, second, problem)]


@pytest.mark.parametrize("order", "<>")
def test_captures_back_to_back(order: str, path: pathlib.Path) -> None:
    """They are read as one, and it is said that another one begins; each has its form and its link type."""
    data = pcap(SEGMENT, SIX, order=order)
    raw = pcap(SIX[14:], link=101, nano=True)
    rows = read(path, data + raw + pcap(SIX, order=order))
    assert [row["frame"] for row in rows if row["error"] is None] == [1, 2, 3, 4]
    assert [seen(row) for row in rows[1:4]] == [IN_SIX] * 3
    problem = "another capture begins within the file; its frames are read as later ones"
    assert errors(rows) == [(None, len(data), problem)]
    assert rows[-1]["places"] == 2


@pytest.mark.parametrize("packing", [None, "gzip", "xz"])
def test_captures_of_two_formats_back_to_back(packing: str | None, path: pathlib.Path) -> None:
    """They are read as one, in the format of each, from a file, from its parts, and from a pipe."""
    blocks = section(">") + interface(1, ">") + enhanced(SEGMENT, order=">") + enhanced(SIX, order=">")
    pack = PACKERS.get(packing or "", bytes)
    problem = "another capture begins within the file; its frames are read as later ones"
    for parts, size in (((pcap(SIX), blocks, pcap(SIX, nano=True)), 4), ((blocks, pcap(SIX), blocks), 5)):
        data = b"".join(map(pack, parts))
        rows = read(path, data)
        assert [row["frame"] for row in rows if row["error"] is None] == [*range(1, size + 1)]
        assert {row["seq"] for row in rows if row["error"] is None} == {0xFFFFFFFF}
        assert errors(rows) == [(None, len(parts[0]), problem)]
        assert rows[-1]["places"] == 2
        slices = parts_of(files_of([str(path)]), "auto", LIMITS.most, 100)
        divided = [row for part in slices for row in rows_of(part, LIMITS)]
        assert sorted(row[1] for row in divided if row[-1] is None) == [*range(1, size + 1)]
        for chunk in (5, 1000):
            pipe = Source(iter([data[at : at + chunk] for at in range(0, len(data), chunk)]), live=True)
            live = [row for rows in live_rows(pipe, "pipe", LIMITS, Tally()) for row in rows]
            assert [row[1] for row in live if row[-1] is None] == [*range(1, size + 1)]
            assert [row[-1] for row in live if row[-1]] == [problem] * 2
        if packing:  # what follows is read although the last one lacks its end
            rows = read(path, data[:-3])
            assert [row["frame"] for row in rows if row["error"] is None][:3] == [1, 2, 3]
            assert {row["error"] for row in rows if row["error"]} > {problem}


def test_damaged_pcapng(path: pathlib.Path) -> None:
    start = section() + interface()
    whole = start + enhanced(SEGMENT) + enhanced(SIX)
    for size in range(16, len(whole)):
        rows = read(path, whole[:size])
        assert len(errors(rows)) <= 1
        assert all(row["error"].startswith("the file ends within ") for row in rows if row["error"])
    assert errors(read(path, whole[:-1]))[0][:2] == (2, len(start + enhanced(SEGMENT)))
    at = len(start)
    cases = {
        start
        + enhanced(SEGMENT, 5)
        + enhanced(SIX): "a block of type 6 cannot be read: there is no interface 5",
        start + block(6, b"1234") + enhanced(SIX): "a block of type 6 cannot be read: ",
        start + enhanced(SEGMENT)[:-4] + b"\0\0\0\0" + enhanced(SIX): "length fields do not match",
    }
    for data, problem in cases.items():
        rows = read(path, data)
        ((frame, offset, found),) = errors(rows)
        assert (frame, offset) == (1, at)
        assert problem in found
        assert [row["frame"] for row in rows] == [2, 1]
    for size in (0, 8, 13, 1 << 25):
        ((_, offset, found),) = errors(read(path, start + struct.pack("<III", 5, size, 0)))
        why = f"a block of type 5 states a size of {size} bytes; in 12 bytes that follow, no block is found"
        assert (offset, found) == (at, why)
    no_order = section()[:8] + b"\1\2\3\4" + section()[12:]
    assert errors(read(path, no_order)) == [(None, 0, "a section header has no byte-order magic")]


def test_damaged_gzip(path: pathlib.Path) -> None:
    """Everything up to the damage is read, and the reason is that of the packed data."""
    line = way()  # of its own: other tests move the numbers of V4, and what the damage meets with them
    data = pcap(*[line.tcp(number, 7, 0x18, bytes([number]) * 1000) for number in range(50)])
    packed = gzip.compress(data)
    rows = read(path, packed[: len(packed) // 2])
    assert 5 < len(rows) < 50
    assert [row["error"] for row in rows[:-1]] == [None] * (len(rows) - 1)
    assert rows[-1]["error"].startswith("the gzip data is damaged: it ends before")
    middle = len(packed) // 2
    broken = packed[:middle] + bytes(9) + packed[middle + 9 :]
    assert len(errors(read(path, broken))) == 1
    ((_, _, problem),) = errors(read(path, packed[:-8] + bytes(8)))
    assert problem.startswith(
        "the gzip data is damaged: Error -3 while decompressing data: incorrect data check"
    )
    packets = gzip.compress(mw.encode(mw.mqqb.ConnectionParameters()) * 5000)
    rows = read(path, packets[:-9])
    assert rows[-1]["error"].startswith("the gzip data is damaged: ")


def test_a_file_of_another_kind(path: pathlib.Path) -> None:
    data = b"GET / HTTP/1.1\r\nHost: nobody\r\n\r\n"
    assert errors(read(path, data)) == [
        (None, 0, "the file does not begin as pcap, pcapng or MSMQ packets does")
    ]
    assert errors(read(path, data, form="pcapng")) == [(None, 0, "the file does not begin as pcapng does")]
    assert errors(read(path, pcap(SEGMENT), form="pcapng")) == [
        (None, 0, "the file does not begin as pcapng does")
    ]


SAMPLES = (
    pcap(SEGMENT, SIX, SEGMENT + b"\0" * 9),
    pcap(SEGMENT[14:], SIX[14:], link=101, order=">", nano=True),
    section() + interface() + interface(113) + enhanced(SEGMENT) + enhanced(SIX, 0) + enhanced(b"", 1),
    gzip.compress(pcap(SEGMENT, SIX), mtime=0),
)


@settings(max_examples=examples(300))
@given(st.sampled_from(SAMPLES), st.data())
def test_nothing_raises(tmp_path_factory: pytest.TempPathFactory, sample: bytes, data: Any) -> None:
    """Whatever happens to a file, it has rows that Arrow takes; so it has in parts, and the same."""
    broken = bytearray(sample)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(broken) - 1))
        match data.draw(st.sampled_from(("set", "set", "cut", "drop", "double"))):
            case "set":
                broken[at] = data.draw(st.sampled_from((0, 1, 0x7F, 0x80, 0xFF)))
            case "cut" if at:
                del broken[at:]
            case "drop":
                del broken[at : at + 4]
            case "double":
                broken[at:at] = broken[at : at + 30]
        if not broken:
            return
    path = tmp_path_factory.getbasetemp() / "broken"
    path.write_bytes(broken)
    rows = list(rows_of(FileSlice(str(path), "auto", 0, len(broken)), LIMITS))
    list(batches_of(rows, SEGMENTS, list(range(len(SEGMENTS)))))
    for row in rows:
        assert row[14] == len(row[12])
    parts = parts_of(files_of([str(path)]), "auto", LIMITS.most, 60)
    again = [row for part in parts for row in rows_of(part, LIMITS)]
    assert [row for row in again if row[-1] is None] == [row for row in rows if row[-1] is None]
    named = [[dict(zip(NAMES_OF_COLUMNS, row, strict=True)) for row in some] for some in (again, rows)]
    assert _summed(named[0]) == _summed(named[1])


# ------------------------------------------------------------------------------------------ parts and files


@pytest.mark.each(3)
@pytest.mark.parametrize("form", ["pcap", "pcapng", "pcap.gz"])
def test_parts(form: Any, tmp_path: pathlib.Path) -> None:
    """However a file is cut, its parts have the rows of the whole, with the same numbers and places."""
    faults = msgspec.structs.replace(Faults.all(), fragment=0.0, bend=0.0)  # fragments can be in two
    done = write_captures(tmp_path, 60, seed=8, faults=faults, files=1, form=form)
    (file,) = files_of([str(done.captures[0])])
    whole = list(rows_of(FileSlice(file.location, "auto", 0, file.size), LIMITS))
    assert len(whole) == done.frames
    for target in (1, 1000, 20_000, file.size - 1, file.size):
        parts = parts_of([file], "auto", LIMITS.most, target)
        assert [row for part in parts for row in rows_of(part, LIMITS)] == whole
        assert (len(parts) > 1) == (form != "pcap.gz" and target <= 20_000)
    tasks = shared(parts_of([file], "auto", LIMITS.most, 20_000), 40_000)
    assert [part for task in tasks for part in task] == parts_of([file], "auto", LIMITS.most, 20_000)


def test_frames_of_the_generator(tmp_path: pathlib.Path) -> None:
    """Every frame of a capture with faults is a row that dpkt's own reading agrees with."""
    # dpkt leaves fragments and tunnels as they are.
    faults = msgspec.structs.replace(Faults.all(), bend=0.0, fragment=0.0, tunnel=0.0)
    done = write_captures(tmp_path, 100, seed=3, faults=faults, files=1)
    path = done.captures[0]
    rows = list(rows_of(FileSlice(str(path), "auto", 0, path.stat().st_size), LIMITS))
    frames = [frame for _, frame in dpkt.pcap.Reader(io.BytesIO(path.read_bytes()))]
    assert [row[1] for row in rows] == list(range(1, len(frames) + 1))
    for row, frame in zip(rows, frames, strict=True):
        packet = dpkt.ethernet.Ethernet(frame).data.data
        assert (row[6], row[8], row[12]) == (packet.sport, packet.dport, packet.data)
        assert row[9:12] == ((packet.seq, packet.ack, packet.flags) if row[4] == "tcp" else (None,) * 3)


@pytest.mark.long
@pytest.mark.parametrize("ports", [LIMITS.ports, Ports(None, frozenset({3527}))])
@pytest.mark.parametrize("form", ["pcap", "pcapng"])
def test_many_at_once(form: Any, ports: Ports, tmp_path: pathlib.Path) -> None:
    """Frames that are read many at once have the rows and counts of those that are read one by one."""
    done = write_captures(tmp_path, 150, seed=4, faults=Faults.all(), files=1, form=form)
    strange = [
        six((0, b"\x01" + bytes(14))), SEGMENT + bytes(20), SEGMENT[:16] + b"\0\0" + SEGMENT[18:], SIX[:60],
        SEGMENT[:46] + b"\x40" + SEGMENT[47:], SEGMENT[:50] + b"\1\2" + SEGMENT[52:],
        way(port=80).tcp(1, 1, 16, b"x"),
        way(port=80).tcp(1, 1, 16, mw.encode(mw.mqqb.ConnectionParameters())), way(port=3527).udp(b"ping"),
        SEGMENT[:20] + b"\x20\0" + SEGMENT[22:], SEGMENT[:14] + b"\x46" + SEGMENT[15:], b"short",
        *(way(port=port).udp(vxlan + frame) for port in (4789, 8472, 53)
          for vxlan in (b"\x08" + bytes(7), bytes(8), b"\x08" + bytes(6) + b"\1")
          for frame in (SEGMENT, SIX, SIX[:20], b"short", TAGGED, VXLAN)),
    ]  # fmt: skip
    frames = [frame for frame in strange for _ in range(5)]
    random.Random(3).shuffle(frames)  # noqa: S311  # a seed, not a secret
    mixed = tmp_path / "mixed.pcap"
    mixed.write_bytes(pcap(*frames, *[SEGMENT, SIX] * 20, *frames))
    raw = tmp_path / "raw.pcap"
    raw.write_bytes(pcap(*[frame[14:] for frame in [*frames, *[SEGMENT, SIX] * 20]], link=101))
    for path in (done.captures[0], mixed, raw):
        part = FileSlice(str(path), "auto", 0, path.stat().st_size)
        limits, one, other = ReadLimits(ports), Tally(), Tally()
        rows = list(rows_of(part, limits, one))
        batches = list(segment_batches(part, limits, other))
        assert len(batches) > 1
        found = [row for batch in batches for row in batch.to_pylist()]
        schema = pa.schema([(field.name, field.type) for field in SEGMENTS])
        (whole,) = (
            pa.Table.from_batches(batches_of(rows, schema, [*range(len(schema))]))
            .combine_chunks()
            .to_batches()
        )
        key = str
        assert sorted(map(key, found)) == sorted(map(key, whole.to_pylist()))
        assert (one.frames, one.bytes, one.wrong) == (other.frames, other.bytes, other.wrong)


def test_files(tmp_path: pathlib.Path) -> None:
    for name in (
        "a.pcap",
        "b.pcapng",
        ".hidden",
        "_SUCCESS",
        "x/c.pcap",
        "x/y/d.pcap",
        "_x/e.pcap",
        "a?.pcap",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"12345")

    def names(*locations: str, **options: Any) -> list[str]:
        files = files_of([f"{tmp_path}{location}" for location in locations], **options)
        assert {file.size for file in files} <= {5}
        return [file.location.removeprefix(f"{tmp_path}/") for file in files]

    every = ["a.pcap", "a?.pcap", "b.pcapng", "x/c.pcap", "x/y/d.pcap"]
    assert names("") == names("/") == every
    assert names("", recursive=False) == every[:3]
    assert names("", names="*.pcap") == ["a.pcap", "a?.pcap", "x/c.pcap", "x/y/d.pcap"]
    assert names("/*.pcap") == ["a.pcap", "a?.pcap"]
    assert names("/?.pcap*", "/a.pcap") == ["a.pcap", "b.pcapng"]
    assert names("/**/*.pcap", "/b.pcapng") == [
        "a.pcap",
        "a?.pcap",
        "x/c.pcap",
        "x/y/d.pcap",
        "b.pcapng",
    ]
    assert names("/x*") == ["x/c.pcap", "x/y/d.pcap"]
    assert names("/*/[c-d].pcap") == ["x/c.pcap"]
    (tmp_path / "x" / "f g.pcap").write_bytes(b"1")
    for scheme in ("file:", "file://"):
        for name in ("a.pcap", "x/f g.pcap", "x/f%20g.pcap", "x/f*"):
            (found,) = files_of([f"{scheme}{tmp_path}/{name}"])
            assert found.location == f"{tmp_path}/{name.replace('%20', ' ').replace('*', ' g.pcap')}"
    with pytest.raises(mw.MsmqWireError, match=r"there is no file .*/z\*"):
        names("/z*")
    with pytest.raises(mw.MsmqWireError, match="is not an address of a file system that pyarrow knows"):
        files_of(["nowhere://bucket/a"])


def test_what_is_no_file(tmp_path: pathlib.Path) -> None:
    """Pipes in a directory are passed over, wherever they are among its files."""
    for number in range(8):
        (tmp_path / f"{number}.pcap").write_bytes(b"1")
        os.mkfifo(tmp_path / f"{number}.pipe")
    found = [file.location.removeprefix(f"{tmp_path}/") for file in files_of([str(tmp_path)])]
    assert found == [f"{number}.pcap" for number in range(8)]


def test_names_that_are_no_text(tmp_path: pathlib.Path) -> None:
    """They are read like all others, and shown escaped."""
    (tmp_path / os.fsdecode(b"caf\xe9\xff.pcap")).write_bytes(pcap(SEGMENT))
    (file,) = files_of([str(tmp_path)])
    (row,) = rows_of(FileSlice(file.location, "auto", 0, file.size), LIMITS)
    assert row[0] == f"{tmp_path}/caf\\xe9\\xff.pcap"
    assert row[0].encode()
    ((location, *_),) = files_of([file.location])
    assert location == file.location
    with pytest.raises(mw.MsmqWireError, match=r"there is no file .*\\xfe"):
        files_of([str(tmp_path / os.fsdecode(b"\xfe"))])


@pytest.mark.skipif(os.sep == "\\", reason="there a backslash is in no name")
def test_the_sensor_of_any_name(tmp_path: pathlib.Path) -> None:
    """A backslash in a name, as in the escape of a byte that is not text, separates no folders."""
    for name in (b"a\\b.pcap", b"caf\xe9.pcap", b"z.pcap"):
        (tmp_path / os.fsdecode(name)).write_bytes(pcap(SEGMENT))
    rows = captures.tables(tmp_path, ["frames"])["frames"].read_all().to_pylist()
    assert [row["sensor"] for row in rows] == [f"{tmp_path}/"] * 3


def test_paths_of_windows() -> None:
    """There a backslash separates folders, and tables have a slash instead."""
    path = with_slashes(r"C:\captures\a.pcap", "\\")
    assert (path, sensor_of(path)) == ("C:/captures/a.pcap", "C:/captures/")


def test_links(tmp_path: pathlib.Path) -> None:
    """Links in directories are not followed unless asked for; a file is read once, and loops end."""
    inside, outside = tmp_path / "in", tmp_path / "out"
    (inside / "deep").mkdir(parents=True)
    outside.mkdir()
    for location in (inside / "a.pcap", inside / "deep" / "b.pcap", outside / "c.pcap"):
        location.write_bytes(pcap(SEGMENT))
    (inside / "deep" / "loop").symlink_to(inside)
    (inside / "away").symlink_to(outside)
    (inside / "again.pcap").symlink_to(inside / "a.pcap")
    (inside / "z.pcap").hardlink_to(inside / "a.pcap")

    def locations_of(*locations: str, **options: Any) -> list[str]:
        return [file.location.removeprefix(f"{tmp_path}/") for file in files_of(locations, **options)]

    assert locations_of(str(inside)) == ["in/a.pcap", "in/deep/b.pcap"]
    assert locations_of(str(inside), str(inside / "again.pcap"), str(inside)) == [
        "in/a.pcap",
        "in/deep/b.pcap",
    ]
    assert len(locations_of(str(inside), links=True)) == 3
    (counts,) = (batch for _, batch in run([str(inside)], ("frames",)))
    assert sum(counts.column("frames").to_pylist()) == 2
    assert locations_of(str(inside / "again.pcap")) == ["in/again.pcap"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to the administrator")
def test_a_directory_that_is_closed(tmp_path: pathlib.Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    (tmp_path / "a.pcap").write_bytes(pcap(SEGMENT))
    unread: list[tuple[str, str]] = []
    assert len(files_of([str(tmp_path)], unread=unread)) == 1
    assert unread == [(str(tmp_path / "closed"), "cannot be read: Permission denied")]


class Bucket:
    """A file system of another kind than the local one."""

    type_name = "s3"

    def __init__(self, root: pathlib.Path) -> None:
        self._files = fs.SubTreeFileSystem(str(root), fs.LocalFileSystem())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def from_uri(self, uri: str) -> tuple[Bucket, str]:
        address = urlsplit(unquote(uri))
        assert (address.scheme, address.query) == ("s3", "region=here")
        return self, address.netloc + address.path


def test_files_of_an_object_store(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The address of each file leads back to it, with the parameters of the store."""
    (tmp_path / "bucket" / "in").mkdir(parents=True)
    (tmp_path / "bucket" / "in" / "a b.pcap").write_bytes(pcap(SEGMENT))
    monkeypatch.setattr(fs, "FileSystem", Bucket(tmp_path))
    for location in (
        "s3://bucket/in",
        "s3://bucket/in/*.pcap",
        "s3://bucket/i*",
        "s3://bucket/in/a%20b.pcap",
    ):
        (file,) = files_of([f"{location}?region=here"])
        assert file.location == "s3://bucket/in/a b.pcap?region=here"
        ((name, *_),) = rows_of(FileSlice(file.location, "auto", 0, file.size), LIMITS)
        assert name == file.location


def test_files_below_here(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.pcap").write_bytes(b"1")
    monkeypatch.chdir(tmp_path)
    assert [file.location for location in ("a.pcap", "*.pcap", ".") for file in files_of([location])] == [
        str(tmp_path / "a.pcap")
    ] * 3


# ------------------------------------------------------------------------------------------ options


def test_options() -> None:
    usual = settings_of({"path": "here"})
    assert usual.locations == ("here",)
    assert usual.limits == LIMITS
    given_all = settings_of(
        {"PATHS": '["a", "b"]', "Format": "PCAP", "tcpPorts": "1, 2", "udpports": "any", "linkTypes": "1,113",
         "maxframe": "70000", "bytesPerPartition": "5", "minPartitions": "3", "recursiveFileLookup": "False",
         "pathGlobFilter": "*.pcap", "maxFilesPerTrigger": "7"}
    )  # fmt: skip
    assert given_all.locations == ("a", "b")
    assert given_all.limits == ReadLimits(Ports(frozenset({1, 2}), None), 70000, frozenset({1, 113}))
    assert given_all[3:] == (5, 3, False, "*.pcap", 7, None, False, False)
    for path, access, expected in (
        ("a", {}, False), ("file:/a", {}, False), ("c:/a", {}, False), ("s3a://a/b", {}, True),
        ("s3a://a/b", {"access": "own"}, False), ("a", {"access": "Spark"}, True),
    ):  # fmt: skip
        assert settings_of({"path": path, **access}).through_spark is expected
    assert (given_all.form, given_all.target(12), given_all.target(100), given_all.target(0)) == (
        "pcap",
        4,
        5,
        1,
    )


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("port", "1", f"there is no option 'port'; there are {', '.join(NAMES)}"),
        ("format", "cap", "the option format is 'cap', not one of auto, pcap, pcapng, packets"),
        (
            "tcpPorts",
            "msmq",
            "the option tcpPorts is 'msmq', not a list of numbers up to 65535, or \"any\"",
        ),
        (
            "udpPorts",
            "65536",
            "the option udpPorts is '65536', not a list of numbers up to 65535, or \"any\"",
        ),
        ("linkTypes", "147", f"the option linkTypes is '147'; {', '.join(map(str, LINK_TYPES))} can be read"),
        ("maxFrame", "0", "the option maxFrame is '0', not a number above 0"),
        ("bytesPerPartition", "1m", "the option bytesPerPartition is '1m', not a number above 0"),
        ("recursiveFileLookup", "1", "the option recursiveFileLookup is '1', not true or false"),
        ("maxFilesPerTrigger", "1", "maxFilesPerTrigger and maxBytesPerTrigger exclude each other"),
    ],
)
def test_options_that_mean_nothing(name: str, value: str, problem: str) -> None:
    with pytest.raises(mw.MsmqWireError) as caught:
        settings_of({"path": "a", "maxBytesPerTrigger": "1", name: value})
    assert str(caught.value) == problem


def test_no_path() -> None:
    with pytest.raises(mw.MsmqWireError, match="there is no path"):
        settings_of({})


UNTYPED: Any = captures


@pytest.mark.parametrize(
    "refused",
    [
        lambda: UNTYPED.tables("x.pcap", [[]]),
        lambda: UNTYPED.tables("x.pcap", 5),
        lambda: UNTYPED.tables("x.pcap", settings=UNTYPED.Settings(tcp_ports=b"ab")),
        lambda: UNTYPED.tables("x.pcap", settings=UNTYPED.Settings(progress=5)),
        lambda: UNTYPED.tables("x.pcap", settings=UNTYPED.Settings(aliases=5)),
        lambda: UNTYPED.tables("x.pcap", settings=UNTYPED.Settings(aliases=("ab", "-"))),
        lambda: UNTYPED.tables("x.pcap", settings=UNTYPED.Settings(level=None)),
        lambda: UNTYPED.tables("x.pcap", settings=UNTYPED.Settings(level=[])),
        lambda: UNTYPED.tables("x.pcap", settings=UNTYPED.Settings(profile={})),
        lambda: UNTYPED.write("x.pcap", None),
        lambda: UNTYPED.write("x.pcap", 5),
        lambda: UNTYPED.write("x.pcap", "a\0b"),
        lambda: UNTYPED.write("x.pcap", "s3://bucket/tables"),
        lambda: UNTYPED.write("x.pcap", "a", notice=5),
        lambda: UNTYPED.tables("x.pcap", settings=UNTYPED.Settings(tcp_ports={1 << 70})),
        lambda: UNTYPED.tables("x.pcap", settings=UNTYPED.Settings(udp_ports=[-1])),
        lambda: UNTYPED.tables("x.pcap", settings=UNTYPED.Settings(tcp_ports=[65536])),
        lambda: UNTYPED.tables("x.pcap", settings=UNTYPED.Settings(names=5)),
        lambda: UNTYPED.tables("x.pcap", settings=UNTYPED.Settings(aliases=(("x.pcap", 5),))),
        lambda: UNTYPED.tables("x.pcap", settings=UNTYPED.Settings(aliases=((None, "-"),))),
    ],
)
def test_odd_arguments_raise_an_error_of_ours(
    refused: Callable[[], object], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written: `None` is not the name of a directory."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(mw.MsmqWireError, match=r"^(?!there is no file)"):
        refused()
    assert list(tmp_path.iterdir()) == []


def test_names_that_no_file_can_have() -> None:
    with pytest.raises(mw.MsmqWireError, match=r"there is no file .*\\ud800"):
        captures.tables("\ud800.pcap")


def test_a_path_of_bytes(path: pathlib.Path) -> None:
    """A directory that is listed by a name of bytes has such entries."""
    path.write_bytes(pcap(SEGMENT))
    with os.scandir(os.fsencode(path.parent)) as entries:
        (entry,) = entries
    (frames,) = UNTYPED.tables(entry, ["frames"])["frames"].read_all()["frames"].to_pylist()
    assert frames == 1


@pytest.mark.each(2)
@pytest.mark.parametrize("processes", [1, 2])
def test_files_with_one_alias(processes: int, path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The frames of all of them are counted."""
    monkeypatch.setattr("msmq_wire.captures.engine.LEAST_BUCKET", 1)
    path.mkdir()
    files = [path / name for name in "abcd"]
    for number, file in enumerate(files):
        file.write_bytes(pcap(*[SEGMENT] * (number + 1)))
    settings = captures.Settings(processes=processes, aliases=tuple((str(file), "one") for file in files))
    found = captures.tables(path, ["frames"], settings)["frames"].read_all().to_pylist()
    assert [(row["file"], row["frames"], row["bytes"]) for row in found] == [("one", 10, 10 * len(SEGMENT))]


# ------------------------------------------------------------------------------------------ whole rows


NO_SEGMENT: dict[str, Any] = dict.fromkeys(NAMES_OF_COLUMNS) | {"marked": True}
"""A row of what is no segment; its columns that say nothing are null."""


def test_rows_of_errors_and_pieces(path: pathlib.Path) -> None:
    """Each column: of a record that is cut, of headers that contradict each other, and of a piece."""
    data = pcap(SEGMENT, SEGMENT[:46] + b"\x40" + SEGMENT[47:], SEGMENT)[:-9]
    _, wrong, cut = read(path, data)
    at = 24 + 2 * (16 + len(SEGMENT))
    problem = f"the file ends within a frame: {len(SEGMENT) - 9} of {len(SEGMENT)} bytes"
    assert cut == NO_SEGMENT | {
        "file": str(path), "frame": 3, "offset": at, "payload": data[at:], "length": len(data) - at,
        "captured": len(data) - at, "places": 1, "error": problem,
    }  # fmt: skip
    frame = data[24 + 32 + len(SEGMENT) : at]
    assert wrong == NO_SEGMENT | {
        "file": str(path), "frame": 2, "offset": 24 + 16 + len(SEGMENT), "time": TIME + 1, "transport": "tcp",
        "src": "10.0.0.1", "src_port": 50000, "dst": "10.0.0.2", "dst_port": 1801, "payload": frame,
        "length": len(frame), "captured": len(frame), "places": 1,
        "error": "the TCP header states a size of 16 bytes",
    }  # fmt: skip
    packet = mw.encode(mw.mqqb.SessionAck())
    assert read(path, packet) == [
        NO_SEGMENT | {"file": str(path), "frame": 1, "offset": 0, "transport": "raw", "seq": 0,
                      "payload": packet, "length": len(packet), "captured": len(packet),
                      "frame_bytes": len(packet)}
    ]  # fmt: skip


@pytest.mark.parametrize("count", [1, 20])
def test_link_types_that_are_not_wanted(count: int, path: pathlib.Path) -> None:
    """Their frames are counted, wherever they are among the others, and however many there are."""
    frames = (enhanced(SEGMENT) + enhanced(SEGMENT[14:], 1)) * count + enhanced(SEGMENT) * count
    path.write_bytes(section() + interface() + interface(101) + frames)
    part = FileSlice(str(path), "auto", 0, path.stat().st_size)
    limits = LIMITS._replace(links=frozenset({101}))
    tallies = Tally(), Tally()
    one_by_one = [row[1] for row in rows_of(part, limits, tallies[0])]
    batches = segment_batches(part, limits, tallies[1])
    at_once = [frame for batch in batches for frame in batch.column("frame").to_pylist()]
    assert one_by_one == at_once == [2 * at + 2 for at in range(count)]
    unwanted = "link type unknown", "link type 1 is not read"
    for tally in tallies:
        assert tally.frames == {unwanted: 2 * count, ("read", ""): count}
        assert tally.bytes[unwanted] == 2 * count * len(SEGMENT)


DAMAGED = {
    "a record that ends": pcap(SEGMENT, SEGMENT)[:-9],
    "a record that is too long": pcap(SEGMENT) + struct.pack("<IIII", 1, 1, 1 << 30, 1) + SEGMENT,
    "headers that contradict": pcap(SEGMENT, SEGMENT[:46] + b"\x40" + SEGMENT[47:], SEGMENT),
    "blocks of frames": section() + interface() + (enhanced(SEGMENT, 7) + enhanced(SEGMENT)) * 3,
    "a block that is none": section()
    + interface()
    + enhanced(SEGMENT)
    + struct.pack("<II", 6, 13)
    + bytes(9),
    "options": section() + interface(options=option(9, b"\6\6")) + enhanced(SEGMENT),
    "another link type": section() + interface(147) + interface() + enhanced(SEGMENT, 1) + enhanced(SEGMENT),
    "fragments": pcap(SEGMENT, *fragments(V4.tcp(9, 7, 0x18, bytes(200)))[1:], SEGMENT),
    "packed data": gzip.compress(pcap(*[SEGMENT] * 9))[:-9],
    "packed twice": gzip.compress(gzip.compress(pcap(SEGMENT))),
}


@pytest.mark.each(3)
@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.parametrize("size", [50, 1 << 20])
def test_damage_in_a_pipe_is_that_in_a_file(name: str, size: int, path: pathlib.Path) -> None:
    """The same frames are counted, and the same errors told, with their places and sizes."""
    data = DAMAGED[name]
    path.write_bytes(data)
    pipe = Source((data[at : at + size] for at in range(0, len(data), size)), live=True)
    wanted = ("frames", "quarantine", "packets")
    counts, errors = [], []
    for batches in (run([str(path)], wanted), run_live(pipe, str(path), wanted)):
        rows = [(table, row) for table, batch in batches for row in batch.to_pylist()]
        counts.append([row for table, row in rows if table == "frames"])
        told: dict[str, list[int]] = {}
        for table, row in rows:
            if table == "quarantine" and row["kind"] in {"file", "frame"}:
                key = f"{cause_of(row['error'])} {row['kind']}"
                locations, total, first = told.setdefault(key, [0, 0, row["error_offset"]])
                told[key] = [locations + row["places"], total + row["size"], min(first, row["error_offset"])]
        errors.append(told)
    assert counts[0] == counts[1]
    assert errors[0] == errors[1]
    assert errors[0]
    again = Source((data,), live=True)
    assert {table for table, _ in run_live(again, "-", ("packets", "gaps"))} <= {"packets", "gaps"}


# ------------------------------------------------------------------------------------------ counts


def test_frames_of_too_many_kinds_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with its reason; kinds that are known are counted apart for ever."""
    monkeypatch.setattr(reading, "KINDS", 2)
    tally = Tally()
    for reason, detail in ("ab", "ac", "ad", "be", "ab", "ad"):
        tally.add(reason, detail, 10)
    other = Tally()
    other.add("a", "b", 5, 3)
    other.wrong += 2
    tally.wrong += 1
    tally.include(other)
    assert tally.frames == {("a", "b"): 5, ("a", "c"): 1, ("a", "other"): 2, ("b", "other"): 1}
    assert tally.bytes == {("a", "b"): 25, ("a", "c"): 10, ("a", "other"): 20, ("b", "other"): 10}
    assert tally.wrong == 3


def test_frames_that_are_moved() -> None:
    tally = Tally()
    tally.add("read", "", 100, 5)
    tally.move("read", "late", 2, 20)
    assert (tally.frames, tally.bytes) == (
        {("read", ""): 3, ("late", ""): 2},
        {("read", ""): 80, ("late", ""): 20},
    )


def _damage(offset: int, error: str, size: int = 10, frame: int | None = 1) -> reading.Row:
    values = {"file": "f", "frame": frame, "offset": offset, "length": size, "places": 1, "error": error}
    return tuple(values.get(name) for name in SEGMENTS.names)


def _errors_of(damages: reading.Damages) -> list[tuple[Any, ...]]:
    names = ("offset", "length", "places", "error")
    return [tuple(row[SEGMENTS.get_field_index(name)] for name in names) for row in damages.rows()]


def test_errors_of_a_kind_are_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the first place, although later parts may come first; numbers make no other kind."""
    monkeypatch.setattr(reading, "KINDS", 3)
    damages = reading.Damages()
    rows = [_damage(50, "1 of 2"), _damage(20, "3 of 4"), _damage(70, "5 of 6"), _damage(30, "no")]
    assert [damages.add(row) for row in rows] == [True, False, False, True]
    assert damages.add(_damage(90, "no", frame=None))  # of the file, not of a frame
    assert damages.add(_damage(95, "yes"))
    assert not damages.add(_damage(96, "perhaps"))  # too many kinds
    damages.add(_damage(99, "no", 0x7FFF_FFFF))
    assert _errors_of(damages) == [
        (20, 30, 3, "3 of 4"), (30, 0x7FFF_FFFF, 2, "no"), (90, 10, 1, "no"), (95, 20, 2, "yes")
    ]  # fmt: skip


def test_hidden_files_are_named(tmp_path: pathlib.Path) -> None:
    """Files and directories whose names start so are not read, and are rows of `frames` that say why."""
    inner = tmp_path / "in" / "sub"
    inner.mkdir(parents=True)
    for name in (".hidden", "_hidden"):
        (tmp_path / "in" / name).mkdir()
        (tmp_path / "in" / name / "a.pcap").write_bytes(pcap(SEGMENT))
        (inner / f"{name}.pcap").write_bytes(pcap(SEGMENT))
    (inner / "b.pcap").write_bytes(pcap(SEGMENT))
    omitted: list[Omitted] = []
    assert [file.location for file in files_of([str(tmp_path / "in")], omitted=omitted)] == [
        str(inner / "b.pcap")
    ]
    hidden = [entry.location for entry in omitted]
    expected = [tmp_path / "in" / ".hidden", tmp_path / "in" / "_hidden"]
    expected += [inner / ".hidden.pcap", inner / "_hidden.pcap"]
    assert sorted(hidden) == sorted(map(str, expected))
    rows = captures.tables(tmp_path / "in", ["frames"])["frames"].read_all().to_pylist()
    columns = ("detail", "frames", "bytes")
    named = {row["file"]: tuple(map(row.get, columns)) for row in rows if row["reason"] == "hidden"}
    assert named == dict.fromkeys(hidden, ("its name starts with a dot or an underscore", 0, 0))
    assert sum(row["frames"] for row in rows) == 1
    asked = captures.tables(inner / "_hidden.pcap", ["frames"])["frames"]
    assert "hidden" not in asked.read_all()["reason"].to_pylist()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with a name")
def test_every_entry_of_a_folder_leaves_a_trace(tmp_path: pathlib.Path) -> None:
    """Also what is no file, and a capture without frames: `frames` says why nothing was read."""
    folder, outside = tmp_path / "in", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "a.pcap").write_bytes(pcap(SEGMENT))
    (folder / "again.pcap").hardlink_to(folder / "a.pcap")
    (folder / "header.pcap").write_bytes(pcap())
    (folder / "empty.pcap").touch()
    (folder / "link.pcap").symlink_to(folder / "a.pcap")
    (folder / "away").symlink_to(outside)
    (folder / "dangling").symlink_to(tmp_path / "nothing")
    os.mkfifo(folder / "pipe")
    os.mkfifo(folder / ".pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(folder / "socket"))
    entries = {entry.name for entry in folder.iterdir()}

    def rows_of_folder(settings: captures.Settings) -> dict[str, tuple[str, str, int]]:
        rows = captures.tables(folder, ["frames"], settings)["frames"].read_all().to_pylist()
        columns = ("reason", "detail", "frames")
        return {row["file"].removeprefix(f"{folder}/"): tuple(map(row.get, columns)) for row in rows}

    expected = {
        "again.pcap": ("not a file", "another name of a file that is read", 0),
        "header.pcap": ("no frames", "", 0),
        "empty.pcap": ("no frames", "", 0),
        "link.pcap": ("not a file", "a link, which is not followed", 0),
        "away": ("not a file", "a link, which is not followed", 0),
        "dangling": ("not a file", "a link to no file or directory", 0),
        "pipe": ("not a file", "a pipe, which is read live", 0),
        ".pipe": ("hidden", "its name starts with a dot or an underscore", 0),
        "socket": ("not a file", "a socket", 0),
    }
    rows = rows_of_folder(captures.Settings())
    assert {*rows} == entries
    assert rows.pop("a.pcap")[-1] == 1
    assert rows == expected
    followed = rows_of_folder(captures.Settings(links=True))
    assert followed["link.pcap"] == expected["again.pcap"]
    assert {*followed} == entries - {"away"}


@pytest.fixture(scope="module")
def clocked(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[bytes]]:
    """A capture, and its packets in ascending order."""
    (path,) = write_captures(tmp_path_factory.mktemp("clocked"), 500, seed=7, files=1).captures
    packets = captures.tables(path, ["packets"])["packets"].read_all()
    return path.read_bytes(), sorted(packets["data"].to_pylist())


@pytest.mark.each(7)
@pytest.mark.parametrize("late", [1, 2, 100, -2, -1])
@pytest.mark.parametrize("start", [10, 63_072_000, 4_000_000_000])
def test_a_clock_that_is_set_while_it_captures(
    start: int, late: int, clocked: tuple[bytes, list[bytes]], path: pathlib.Path
) -> None:
    """A sensor without a clock of its own begins in 1970; nothing is lost when it learns the time."""
    data, whole = bytearray(clocked[0]), clocked[1]
    records, at = [], 24
    while at < len(data):
        records.append(at)
        at += 16 + struct.unpack_from("<I", data, at + 8)[0]
    for number, at in enumerate(records[:late]):
        struct.pack_into("<I", data, at, start + number // 10)
    path.write_bytes(data)
    tables = captures.tables(path, ["packets", "quarantine"])
    packets = tables["packets"].read_all()
    assert sorted(packets["data"].to_pylist()) == whole
    assert tables["quarantine"].read_all().num_rows == 0


def test_a_capture_that_ends_within_a_large_message(tmp_path: pathlib.Path) -> None:
    """It is one part, and no violation of its sender."""
    properties = mqmq.MessagePropertiesHeader(MessageBody=bytes(500_000))
    header = mqmq.UserHeader(DestinationQueue="DIRECT=OS:s\\q")
    data = mqmq.UserMessage(UserHeader=header, MessagePropertiesHeader=properties).encode()[:200_000]
    talk = HandMade().open().send(*(data[at : at + 1400] for at in range(0, len(data), 1400)))
    (tmp_path / "a.pcap").write_bytes(capture_file(talk.frames))
    (tmp_path / "b.bin").write_bytes(data)
    for name in ("a.pcap", "b.bin"):
        tables = captures.tables(tmp_path / name, ["quarantine", "violations", "packets"])
        (row,) = tables["quarantine"].read_all().to_pylist()
        assert (row["kind"], row["offset"], row["size"]) == ("tail", 0, 200_000)
        assert "at most 200000 bytes, found 500" in row["error"]
        assert [row["size"] for row in tables["packets"].read_all().to_pylist()] == [200_000]
        broken = {row["requirement"] for row in tables["violations"].read_all().to_pylist()}
        assert "MQQB-3.1.5.1.2-01" not in broken  # which bytes that are no packet violate


def test_no_path_is_no_input(tmp_path: pathlib.Path) -> None:
    """A generator that was consumed would replace tables by empty ones."""
    captures.write([write_captures(tmp_path, 20, files=1).captures[0]], tmp_path / "tables")
    before = captures.run_of(tmp_path / "tables")
    with pytest.raises(mw.MsmqWireError, match="expected a path, got none"):
        captures.write(iter(()), tmp_path / "tables")
    assert captures.run_of(tmp_path / "tables") == before
    for form in ("parquet", "duckdb"):
        with pytest.raises(mw.MsmqWireError, match="expected a name in UTF-8"):
            captures.write(tmp_path / "captures", tmp_path / "o\udcff", form)


def test_processes_know_private_properties(tmp_path: pathlib.Path) -> None:
    """Those that are registered when the processes start."""
    manager = "11111111-1111-1111-1111-111111111111"
    mw.register_type(30_001, 31)
    try:
        change = mqdsrp.DirectoryChange(
            PathName="S\\q", PropertyID=[30_001], PropertyValue=[mw.PropertyValue.of(31, "x")]
        )
        message = mqdsrp.ChangePropagationMessage(DirectoryChanges=[change])
        data = mw.encode(mqdsrp.wrap(message, "S", manager))
        for name in "ab":
            (tmp_path / f"{name}.bin").write_bytes(data)
        rows = [
            captures.tables(tmp_path, ["directory_changes"], captures.Settings(processes=number))[
                "directory_changes"
            ].read_all()
            for number in (1, 2)
        ]
    finally:
        mw.unregister_type(30_001)
    assert [table.num_rows for table in rows] == [2, 2]
    with pytest.raises(mw.DecodeError, match="expected a property identifier"):
        mqdsrp.decode(mqdsrp.encode(message))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with a name")
def test_a_pipe_with_a_name_is_no_file(tmp_path: pathlib.Path) -> None:
    """Reading it would wait for its writer; a name that is too long is none."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(mw.MsmqWireError, match="pipe is neither a file nor a directory: read a pipe live"):
        captures.tables(tmp_path / "pipe")
    with pytest.raises(mw.MsmqWireError, match="there is no file"):
        captures.tables(tmp_path / ("x" * 300))
