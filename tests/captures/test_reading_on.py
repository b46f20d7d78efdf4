"""Reading goes on behind damage: at most the frames in which the damage is are lost.

The captures are put together here from the documentation of the formats, with frames that are told apart by
their TCP sequence number; what is damaged is known by the offsets of the records.
"""

from __future__ import annotations

import bz2
import gzip
import itertools
import random
import struct
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support_examples import examples

from msmq_wire.captures.files import pcap
from msmq_wire.captures.files.containers import HOLE, JOINED, NO_MARK
from msmq_wire.captures.files.pcapng import PCAPNG_MAGIC, PcapngReader
from msmq_wire.captures.files.reading import Tally, live_rows, rows_of
from msmq_wire.captures.files.segments import SEGMENTS
from msmq_wire.captures.files.sources import Source, files_of
from msmq_wire.captures.files.splits import FileSlice, parts_of
from msmq_wire.packets.mistaken import PACKED

from .test_reading import LIMITS, PACKERS, V4, block, interface, path, section, way

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator


OFFSET = SEGMENTS.names.index("offset")


class Built(NamedTuple):
    """A capture: its bytes, and where each record begins; behind the last is the end."""

    data: bytes
    places: list[int]


def frame(number: int, size: int) -> bytes:
    """A frame whose TCP sequence number is its number; with small numbers and text, as MSMQ has them."""
    dice = random.Random(number)  # noqa: S311  # no cryptography
    parts = [b"LIOR\x10\0\3\0", bytes(12), b"a\0label\0", bytes([dice.randrange(256) for _ in range(9)])]
    payload = b"".join(dice.choices(parts, k=size // 8))[:size]
    return way().tcp(number, 7, 0x18, payload)  # a path counts its frames


def records(
    frames: list[bytes], *, order: str = "<", magic: int = 0xA1B2C3D4, start: int = 0
) -> Iterator[bytes]:
    """The records of a pcap file, which are a second and a bit apart."""
    for at, data in enumerate(frames):
        ticks = 1_000_000_000 if magic == 0xA1B23C4D else 1_000_000
        head = struct.pack(
            f"{order}IIII", 1_700_000_000 + start + at, at * 7919 % ticks, len(data), len(data)
        )
        yield head + bytes(8 if magic == 0xA1B2CD34 else 0) + data


def pcap_of(frames: list[bytes], order: str, magic: int) -> Built:
    header = struct.pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, 262144, 1)
    return built([header], [*records(frames, order=order, magic=magic)])


def pcapng_of(frames: list[bytes], order: str, kind: int) -> Built:
    start = [section(order) + interface(1, order)]
    blocks = []
    for at, data in enumerate(frames):
        head, size = b"", len(data)
        if kind == 6:
            head = struct.pack(f"{order}IIIII", 0, 395_812, at, size, size)
        elif kind == 2:
            head = struct.pack(f"{order}HHIIII", 0, 0, 395_812, at, size, size)
        else:
            head = struct.pack(f"{order}I", size)
        blocks.append(block(kind, head + data + bytes(-size % 4), order))
    return built(start, blocks)


def built(start: list[bytes], rest: list[bytes]) -> Built:
    places = [len(b"".join(start))]
    for each in rest:
        places.append(places[-1] + len(each))
    return Built(b"".join([*start, *rest]), places)


SUFFIXES = {"gzip": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst", "lz4": ".lz4"}
CONTAINERS = {
    **{f"pcap {order} {magic:x}": (pcap_of, order, magic)
       for order in "<>" for magic in (0xA1B2C3D4, 0xA1B23C4D, 0xA1B2CD34)},
    **{f"pcapng {order} {kind}": (pcapng_of, order, kind) for order in "<>" for kind in (6, 3, 2)},
}  # fmt: skip


def numbers(rows: list[Any]) -> list[int]:
    """The sequence numbers of whole segments with the right checksum."""
    return [row[9] for row in rows if row[-1] is None and row[15]]


def read_all(path: pathlib.Path, data: bytes, tally: Tally | None = None) -> list[Any]:
    path.write_bytes(data)
    return [*rows_of(FileSlice(str(path), "auto", 0, len(data)), LIMITS, tally)]


def noise(size: int) -> st.SearchStrategy[bytes]:
    return st.integers(0, 999).map(lambda seed: random.Random(seed).randbytes(size))  # noqa: S311


@st.composite
def damages(draw: st.DrawFn, size: int, first: int) -> tuple[int, int, bytes]:
    """Bytes that replace others: where, how many are replaced, and by what."""
    at = draw(st.integers(first, size - 1))
    count = draw(st.one_of(st.integers(0, 40), st.integers(0, 3000)))
    match draw(st.sampled_from(("zeros", "noise", "gone", "more", "bit", "ones"))):
        case "zeros":
            return at, min(count, size - at), bytes(min(count, size - at))
        case "ones":
            return at, min(count, size - at), b"\xff" * min(count, size - at)
        case "noise":
            count = min(count, size - at)
            return at, count, draw(noise(count))
        case "gone":
            return at, min(count, size - at), b""
        case "more":
            return at, 0, draw(noise(count))
    return at, 1, bytes([draw(st.integers(0, 255))])


def is_told(whole: bytes, broken: bytes, start: int, kind: int, *, proved: bool) -> bool:
    """Whether what is left of the header of a damaged capture tells how to read it.

    Args:
        whole: The capture.
        broken: The same with damage.
        start: Where its records or blocks of packets begin.
        kind: The kind of these blocks.
        proved: Whether all frames are there, in their place, so that they prove their link type.
    """
    if whole[:4] != PCAPNG_MAGIC:
        is_linked = proved or broken[20:start] == whole[20:start]
        return is_linked and (broken[:4] == whole[:4] or broken[4:16] == whole[4:16])
    interface_at = start - len(interface())
    # Frames of the kind 3 have as many bytes as their interface says.
    is_linked = (proved and kind != 3) or broken[interface_at:start] == whole[interface_at:start]
    return is_linked and (broken[:4] == whole[:4] or broken[4:interface_at] == whole[4:interface_at])


@pytest.mark.each(12)
@pytest.mark.parametrize("name", CONTAINERS)
@settings(max_examples=examples(60))
@given(data=st.data())
def test_at_most_the_damaged_frames_are_lost(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: Any
) -> None:
    """Wherever bytes are replaced, taken out or put in: all frames that have all their bytes are read."""
    make, order, kind = CONTAINERS[name]
    sizes = data.draw(st.lists(st.one_of(st.integers(0, 60), st.integers(0, 1400)), min_size=3, max_size=30))
    frames = [frame(number, size) for number, size in enumerate(sizes, 1)]
    whole, places = make(frames, order, kind)
    at, count, new = data.draw(damages(len(whole), 0))
    broken = whole[:at] + new + whole[at + count :]
    assume(len(broken) not in places)  # then nothing tells that bytes are missing
    if at < places[0]:  # what tells the format, and how to read the frames, has to be there
        proved = at + count <= places[0] and len(new) == count
        assume(is_told(whole, broken, places[0], kind, proved=proved))
    sound = {
        number
        for number, (start, end) in enumerate(pairwise(places), 1)
        if (end <= at or start >= at + count) and not (start < at < end)
    }
    path = tmp_path_factory.getbasetemp() / "broken"
    tally = Tally()
    rows = read_all(path, broken, tally)
    seen = numbers(rows)
    assert sound <= set(seen), (at, count, len(new), places)
    assert len(seen) == len(set(seen))
    if broken != whole and len(sound) < len(frames) and len(set(seen)) < len(frames):
        assert any(row[-1] for row in rows) or tally.wrong
    parts = parts_of(files_of([str(path)]), "auto", LIMITS.most, 500)
    again = [row for part in parts for row in rows_of(part, LIMITS)]
    assert [row for row in again if row[-1] is None] == [row for row in rows if row[-1] is None]


__all__ = ["path"]  # the fixture


@pytest.mark.each(3)
@pytest.mark.parametrize("name", [name for name in CONTAINERS if name.startswith("pcapng ")])
def test_a_block_ends_with_the_size_of_another(path: pathlib.Path, name: str) -> None:
    """Bytes are missing, and where a block ends by its size, the same size stands in a later block."""
    make, order, kind = CONTAINERS[name]
    whole, (first, second, third, fourth, end) = make(
        [frame(number, 32) for number in range(1, 5)], order, kind
    )
    assert second - first == third - second == end - fourth
    missing = fourth + 8 - second
    places = range(first + 8, second - 8)
    assert all(4 in numbers(read_all(path, whole[:at] + whole[at + missing :])) for at in places)


@pytest.mark.parametrize("form", ["pcap", "pcapng"])
@pytest.mark.parametrize("size", [16, 4096, 4099, 70_000, 3_000_000])
def test_a_hole_of_zeros(form: str, size: int, path: pathlib.Path) -> None:
    """A hole between records is passed over; records of zeros are numbered, as Wireshark does."""
    frames = [frame(number, 100) for number in range(1, 6)]
    whole, places = pcap_of(frames, "<", 0xA1B2C3D4) if form == "pcap" else pcapng_of(frames, "<", 6)
    tally = Tally()
    rows = read_all(path, whole[: places[2]] + bytes(size) + whole[places[2] :], tally)
    assert numbers(rows) == [1, 2, 3, 4, 5]
    ((number, offset, length, problem),) = [(row[1], row[2], row[13], row[-1]) for row in rows if row[-1]]
    assert (offset, length) == (places[2], size)
    assert (
        problem
        == f"a hole of {size} bytes of zeros, as if they were not written; {size} bytes were passed over"
    )
    lost = 0 if form == "pcapng" else 1 if size % 16 else size // 16
    assert number == (None if form == "pcapng" else 3)
    assert [row[1] for row in rows if row[-1] is None] == [1, 2, *range(3 + lost, 6 + lost)]
    assert sum(tally.frames.values()) == 5 + lost


@pytest.mark.parametrize("size", [1, 17, 4097])
def test_a_hole_before_the_first_record(size: int, path: pathlib.Path) -> None:
    """A byte before the first record, numbers are sound, too: a time in 2014, and 256 times the size."""
    whole, places = pcap_of([frame(number, 40) for number in range(1, 301)], "<", 0xA1B2C3D4)
    odd = struct.unpack_from("<IIII", bytes(1) + whole, places[0])
    assert odd[1:] == (0x65, 94 << 8, 94 << 8)
    rows = read_all(path, whole[: places[0]] + bytes(size) + whole[places[0] :])
    assert numbers(rows) == [*range(1, 301)]
    assert any(row[-1] for row in rows)


def test_a_capture_in_a_frame_is_none(path: pathlib.Path) -> None:
    """Behind damage, the records of a capture that a frame carries are not taken for those of the file."""
    inner = pcap_of([frame(90 + at, 20) for at in range(9)], "<", 0xA1B2C3D4).data
    frames = [frame(1, 50), V4.tcp(2, 7, 0x18, inner), V4.tcp(3, 7, 0x18, inner), frame(4, 50), frame(5, 50)]
    whole, places = pcap_of(frames, "<", 0xA1B2C3D4)
    broken = bytearray(whole)
    broken[places[3] + 8 : places[3] + 12] = b"\xff" * 4
    rows = read_all(path, bytes(broken))
    assert numbers(rows) == [1, 2, 3, 5]
    assert [(row[1], row[2]) for row in rows if row[-1]] == [(4, places[3])]


def test_a_section_without_its_blocks(path: pathlib.Path) -> None:
    """Frames are read though the mark of the byte order, or the block of the interface, is damaged."""
    whole, _ = pcapng_of([frame(number, 40) for number in range(1, 5)], ">", 6)
    first, second = len(section()), len(section() + interface())
    rows = read_all(path, whole[:8] + b"abcd" + whole[12:])
    assert numbers(rows) == [1, 2, 3, 4]
    assert [row[-1] for row in rows if row[-1]] == ["a section header has no byte-order magic"]
    rows = read_all(path, whole[:first] + bytes(second - first) + whole[second:])
    assert numbers(rows) == [1, 2, 3, 4]
    assert {row[-1] for row in rows if row[-1]} == {
        HOLE.format(zeros=second - first, size=second - first),
        "nothing describes interface 0; its frames are read as Ethernet, with microseconds",
    }


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("version", [(0, 4), (1, 0), (1, 2), (2, 3), (2, 4), (2, 5), (3, 0), (543, 0)])
def test_versions_that_are_not_known(version: tuple[int, int], order: str, path: pathlib.Path) -> None:
    """They are read as a known version, with a message, also from a pipe."""
    major, minor = version
    said = f"version {major}.{minor} of {{}} is unknown; the {{}} is read as version {{}}"
    packed = struct.pack(f"{order}HH", major, minor)
    for whole, at, known, problem in (
        (pcap_of([frame(1, 40)], order, 0xA1B2C3D4), 4, {(2, 4)}, said.format("pcap", "file", "2.4")),
        (pcapng_of([frame(1, 40)], order, 6), 12, {(1, 0), (1, 2)}, said.format("pcapng", "section", "1.0")),
    ):
        data = whole.data[:at] + packed + whole.data[at + 4 :]
        pipe = Source(iter([data]), live=True)
        live = [row for rows in live_rows(pipe, str(path), LIMITS, Tally()) for row in rows]
        for rows in (read_all(path, data), live):
            assert numbers(rows) == [1]
            told = [(row[OFFSET], row[-1]) for row in rows if row[-1]]
            assert told == [(at, problem)] * (version not in known)


@pytest.mark.parametrize("jump", [0, 1 << 29])
@pytest.mark.parametrize("odd", ["part", "size", "empty", "cut"])
def test_odd_records_that_go_on_well(odd: str, jump: int, path: pathlib.Path) -> None:
    """Impossible fractions of seconds, more bytes than on the wire, jumps in time: all frames are read."""
    data = pcap_of([], "<", 0xA1B2C3D4).data
    frames = [frame(number, 0 if odd == "empty" else 40) for number in range(1, 30)]
    for number, each in enumerate(frames):
        size = len(each) * (odd != "empty")
        wire = len(each) + {"size": -20, "cut": 900}.get(odd, 0)
        part = 3_000_000_000 if odd == "part" else 0
        data += struct.pack("<IIII", 1_700_000_000 + jump * (number // 7), part, size, wire) + each[:size]
    tally = Tally()
    rows = read_all(path, data, tally)
    assert sum(tally.frames.values()) == 29
    assert [row[1] for row in rows if row[-1] is None] == ([] if odd == "empty" else [*range(1, 30)])
    assert {row[-1] for row in rows if row[-1]} <= {"the frame ends within its link header"}


@pytest.mark.parametrize("size", [7, 1000, 1 << 20])
def test_damage_in_a_pipe(size: int, path: pathlib.Path) -> None:
    """What comes through a pipe goes on behind damage as well, with the same numbers and sentences."""
    for make, order, kind in CONTAINERS.values():
        whole, places = make([frame(number, 90) for number in range(1, 12)], order, kind)
        broken = whole[: places[4] + 20] + whole[places[4] + 33 : places[8]] + bytes(99) + whole[places[8] :]
        pipe = Source((broken[at : at + size] for at in range(0, len(broken), size)), live=True)
        live = [row for rows in live_rows(pipe, str(path), LIMITS, Tally()) for row in rows]
        rows = read_all(path, broken)
        assert numbers(live) == numbers(rows) == [1, 2, 3, 4, *range(6, 12)]
        assert [row[1] for row in live if not row[-1]] == [row[1] for row in rows if not row[-1]]
        assert {row[-1] for row in live if row[-1]} == {row[-1] for row in rows if row[-1]}


@pytest.mark.parametrize("empty", range(6))
def test_an_empty_frame_among_others(empty: int, path: pathlib.Path) -> None:
    """It is one, also at the beginning, and where times count from 0 as those of randpkt do."""
    data = pcap_of([], "<", 0xA1B2C3D4).data
    for number in range(6):
        each = b"" if number == empty else random.Random(number).randbytes(28 + number)  # noqa: S311
        data += struct.pack("<IIII", number, 0, len(each), len(each)) + each
    tally = Tally()
    rows = read_all(path, data, tally)
    assert sum(tally.frames.values()) == 6
    assert not any("record" in (row[-1] or "") for row in rows if empty)


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_capture_in_a_frame_that_is_cut_has_no_frames(path: pathlib.Path, name: str) -> None:
    """Somebody sent a capture over the network, and its end was not written: its frames are not ours."""
    make, order, kind = CONTAINERS[name]
    inner = [frame(number, 9) for number in range(50, 60)]
    of_other, of_own = {}, {}
    for count, later in itertools.product((1, 2, 4), (0, 30_000, -700_000_000)):
        own = [frame(number, 9) for number in range(1, count)]
        if make is pcap_of:
            sent = b"".join(records(inner, order=order, magic=kind, start=later))
        else:
            sent = make(inner, order, kind)[0]
        whole, _ = make([*own, frame(count, 9) + bytes(40) + sent], order, kind)
        of_own[count, later] = [*range(1, count)]
        of_other[count, later] = numbers(read_all(path, whole[:-20]))
    assert of_other == of_own


@pytest.mark.parametrize("name", [name for name in CONTAINERS if name.startswith("pcap ")])
def test_the_time_of_the_first_record_is_damaged(path: pathlib.Path, name: str) -> None:
    """Then nothing tells near which time the others are."""
    make, order, kind = CONTAINERS[name]
    whole, (first, *_) = make([frame(number, 0) for number in range(1, 5)], order, kind)
    for gone in range(1, 13):
        assert numbers(read_all(path, whole[:first] + whole[first + gone :])) == [2, 3, 4]


@pytest.mark.each(5)
@pytest.mark.parametrize("is_joined", [True, False])
@pytest.mark.parametrize("packing", PACKERS)
@settings(max_examples=examples(60))
@given(data=st.data())
def test_at_most_the_damaged_member_is_lost(
    tmp_path_factory: pytest.TempPathFactory, packing: str, is_joined: bool, data: Any
) -> None:
    """Members that are captures, or parts of one: wherever bytes are replaced, the others are read."""
    make, order, kind = CONTAINERS[data.draw(st.sampled_from([*CONTAINERS]))]
    counts = data.draw(st.lists(st.integers(2, 12), min_size=2, max_size=4))
    sizes = st.lists(st.integers(0, 1400), min_size=sum(counts), max_size=sum(counts))
    frames = [frame(number, size) for number, size in enumerate(data.draw(sizes), 1)]
    starts = [sum(counts[:at]) for at in range(len(counts) + 1)]
    if is_joined:
        parts = [make(frames[start:end], order, kind).data for start, end in pairwise(starts)]
    else:
        whole, places = make(frames, order, kind)
        places = [0, *(places[start] for start in starts[1:])]
        parts = [whole[start:end] for start, end in pairwise(places)]
    packed = [PACKERS[packing](part) for part in parts]
    joined = b"".join(packed)
    at, count, new = data.draw(damages(1 << 20, 0))
    at %= len(joined)
    path = tmp_path_factory.getbasetemp() / f"members{SUFFIXES[packing]}"
    rows = read_all(path, joined[:at] + new + joined[at + count :])
    lost, begin = set(), 0
    for member, (start, end) in zip(packed, pairwise(starts), strict=True):
        if begin < at + max(count, 1) and at < begin + len(member):
            # Without the first part, nothing tells what the others are.
            lost |= {*range(start + 1, end + 1 if start or is_joined else len(frames) + 1)}
        begin += len(member)
    # If its header unpacks to other bytes, nothing tells what the file is.
    assume(all(row[-1] is None or "the file does not begin as" not in row[-1] for row in rows))
    seen = numbers(rows)
    assert {*range(1, len(frames) + 1)} - lost <= set(seen), (at, count, len(new), [*map(len, packed)])


@pytest.mark.parametrize("name", [name for name in CONTAINERS if name.startswith("pcap ")])
@settings(max_examples=examples(60))
@given(data=st.data())
def test_two_equal_wrong_sizes_in_joined_captures(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: Any
) -> None:
    """A record that says to reach into later captures, or behind them all, takes none of their frames."""
    sizes = data.draw(
        st.lists(st.lists(st.integers(0, 1400), min_size=2, max_size=6), min_size=2, max_size=4)
    )
    whole, number = b"", 0
    at = data.draw(st.integers(1, len(sizes[0]) - 1))
    for part in sizes:
        frames = [frame(number + each, size) for each, size in enumerate(part, 1)]
        make, order, kind = CONTAINERS[name]
        joined, places = make(frames, order, kind)
        if not whole:
            wrong = struct.pack(f"{order}I", data.draw(st.integers(1, LIMITS.most)))
            joined = joined[: places[at] + 8] + wrong * 2 + joined[places[at] + 16 :]
        whole, number = whole + joined, number + len(part)
    seen = numbers(read_all(tmp_path_factory.getbasetemp() / "joined", whole))
    assert {*range(1, number + 1)} - {at + 1} <= {*seen}


@pytest.mark.parametrize(
    ("counted", "repeated"),
    [
        ((PcapngReader, "_block"), block(0xBAD, bytes(4))),
        ((pcap._Headers, "is_joined"), pcap_of([], "<", 0xA1B2C3D4).data),
        ((pcap._Headers, "sound"), struct.pack("<IIII", 1_700_000_000, 0, 1, 1) + b"\0"),
    ],
    ids=["blocks", "headers", "records"],
)
@pytest.mark.parametrize("rest", [b"\6\0\0\0\x80" + bytes(50), b"\xff" * 60], ids=["cut", "wrong"])
def test_a_frame_of_many_headers(
    counted: tuple[type, str],
    repeated: bytes,
    rest: bytes,
    path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Bytes of a frame that look like records of the file: the effort grows with their number alone."""
    calls = 0
    function = getattr(*counted)

    def counting(*args: Any) -> Any:
        nonlocal calls
        calls += 1
        return function(*args)

    monkeypatch.setattr(*counted, counting)
    of_size = []
    for count in (250, 1000):
        inner, calls = V4.tcp(1, 7, 0x18, repeated * count + b"\1" * 9), 0
        make = pcapng_of if counted[0] is PcapngReader else pcap_of
        whole = make([frame(1, 9), frame(2, 9), inner], "<", 6 if make is pcapng_of else 0xA1B2C3D4).data
        assert numbers(read_all(path, whole + rest))[:2] == [1, 2]
        of_size.append(calls)
    assert of_size[1] < 6 * of_size[0]


@pytest.mark.parametrize("packing", PACKERS)
def test_the_mark_of_compressed_data_is_damaged(packing: str, path: pathlib.Path) -> None:
    """A file that is such data by its name is read with the mark, or from the next member."""
    first, second = (
        PACKERS[packing](pcap_of([frame(number, 400) for number in some], "<", 0xA1B2C3D4).data)
        for some in (range(1, 10), range(10, 19))
    )
    named, data = path.with_name(f"a{SUFFIXES[packing]}"), first + second
    mark = next(magic for magic, name in PACKED.items() if name == packing)
    rows = read_all(named, bytes(len(mark)) + data[len(mark) :])
    assert numbers(rows) == [*range(1, 19)]
    (problem,) = (row[-1] for row in rows if row[-1] not in {None, JOINED})
    assert problem.endswith(f"which is no mark of {packing}; it is read as {packing}")
    rows = read_all(named, bytes(len(first) - 5) + data[len(first) - 5 :])
    assert numbers(rows) == [*range(10, 19)]
    told = [(row[2], row[13], row[-1]) for row in rows if row[-1]]
    assert [place[:2] for place in told] == [(0, len(first))]
    assert told[0][-1].endswith(f"which is no mark of {packing}; {len(first)} bytes were passed over")
    (row,) = read_all(named, bytes(len(first)))
    assert row[-1] == f"the file is {packing} data by its name, but does not begin as such"
    assert not numbers(read_all(path, bytes(len(mark)) + data[len(mark) :]))  # nothing tells what it is


@pytest.mark.each(11)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("gone", [*range(1, 5), 8, 12])
@pytest.mark.parametrize("name", CONTAINERS)
def test_the_first_bytes_are_damaged(name: str, gone: int, packed: bool, path: pathlib.Path) -> None:
    """The format is told by the bytes behind them; a section header by its mark or its byte order."""
    make, order, kind = CONTAINERS[name]
    whole, _ = make([frame(number, 60) for number in range(1, 9)], order, kind)
    times = [row[3] for row in read_all(path, whole)]
    for value in (0, 0xA1, 0xFF):
        if gone <= 4:
            broken = bytes([value]) * gone + whole[gone:]
        else:  # the size of the section header, or its byte order, too
            broken = whole[:4] + bytes([value]) * (gone - 4) + whole[gone:]
        if broken == whole or (gone > 4 and not name.startswith("pcapng")):
            continue
        rows = read_all(path, gzip.compress(broken) if packed else broken)
        assert numbers(rows) == [*range(1, 9)]
        if f"{kind:x}" != "a1b23c4d" or gone <= (1 if order == "<" else 3):  # else nothing tells their unit
            assert [row[3] for row in rows if not row[-1]] == times
        ((number, offset, size, problem),) = [(row[1], row[2], row[13], row[-1]) for row in rows if row[-1]]
        assert (number, offset) == (None, 0)
        if gone <= 4:
            form, *_ = name.split()
            assert (size, problem) == (4, NO_MARK.format(broken[:4].hex(), form=form))
        else:
            assert problem.endswith(f"; {len(section())} bytes were passed over")
            assert size == len(section())
        pipe = Source(iter([broken[:16], broken[16:30], broken[30:]]), live=True)
        live = [row for rows in live_rows(pipe, str(path), LIMITS, Tally()) for row in rows]
        assert numbers(live) == [*range(1, 9)]
        assert [row[-1] for row in live if row[-1]] == [problem]
        parts = parts_of(files_of([str(path)]), "auto", LIMITS.most, 200)
        assert packed or gone > 4 or len(parts) > 2  # damage and what follows are not split
        again = [row for part in parts for row in rows_of(part, LIMITS)]
        assert sorted(again, key=str) == sorted(rows, key=str)


def test_a_later_section_header_has_a_wrong_size(path: pathlib.Path) -> None:
    """Its blocks are read in its own byte order, and with its own interfaces."""
    first, _ = pcapng_of([frame(number, 60) for number in range(1, 4)], "<", 6)
    other, _ = pcapng_of([frame(number, 60) for number in range(4, 8)], ">", 6)
    for size in (0, 24, 29, 64, 1 << 20, 0xFFFF_FFFF):
        rows = read_all(path, first + other[:4] + size.to_bytes(4, "big") + other[8:])
        assert numbers(rows) == [*range(1, 8)]
        assert [(row[2], row[13]) for row in rows if row[-1]] == [(len(first), len(section()))]


def test_header_damage_does_not_make_reading_slow(
    path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of damaged section headers is searched once, also with sound blocks between them."""
    searched, candidates = 0, PcapngReader._candidates

    def counted(reader: PcapngReader, first: int, last: int) -> Iterator[int]:
        nonlocal searched
        reach = first
        try:
            for reach in candidates(reader, first, last):
                yield reach
            reach = min(last, len(reader._window.data))
        finally:
            searched += max(reach - first, 1)

    monkeypatch.setattr(PcapngReader, "_candidates", counted)
    header = section()[:4] + b"\xff" * 4 + section()[8:]
    count = 400
    for damaged in (header, header + block(6, bytes(20)), header[:8] + bytes(20) + block(6, bytes(20))):
        path.write_bytes(damaged * count)
        searched = 0
        rows = [*rows_of(FileSlice(str(path), "auto", 0, len(damaged) * count), LIMITS)]
        assert rows[0][-2] <= count
        assert searched < count * 1_200


def test_a_first_member_that_unpacks_to_something_else(path: pathlib.Path) -> None:
    """Its checksum comes behind bytes that are no capture; the captures behind it are read."""
    frames = [frame(number, 1400) for number in range(1, 101)]
    packed = bytearray(bz2.compress(pcap_of(frames, "<", 0xA1B2C3D4).data))
    packed[16] ^= 0x10  # where the bytes of the block begin
    rows = read_all(path, bytes(packed) + bz2.compress(pcap_of([frame(101, 40)], "<", 0xA1B2C3D4).data))
    assert numbers(rows) == [101]
    assert [row[-1].startswith("the bzip2 data is damaged: ") for row in rows if row[-1]] == [True]
