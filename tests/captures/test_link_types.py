"""Captures whose headers, or blocks of interfaces, state another link type than that of their frames."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_by_hand import MICRO, Capture, pcap
from support_specs import load_tcp_packets

from msmq_wire import captures
from msmq_wire.captures.files import containers, splits
from msmq_wire.captures.files import pcap as pcap_reader
from msmq_wire.captures.files import pcapng as pcapng_reader
from msmq_wire.captures.files.containers import Damage
from msmq_wire.captures.files.pcapng import PcapngReader
from msmq_wire.captures.files.reading import MAX_FRAME, ReadLimits, Tally, live_rows, rows_of, segment_batches
from msmq_wire.captures.files.sources import Source, files_of
from msmq_wire.captures.files.splits import FileSlice, parts_of
from msmq_wire.captures.network.frames import Ports
from msmq_wire.captures.network.links import LINK_TYPES, LinkVote
from msmq_wire.cli.output import Status

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


@pytest.mark.each(5)
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


@pytest.mark.each(5)
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
    at = len(section() + interface() * 2 + enhanced(frames[0]))
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
    """The header counts if nothing contradicts it, and a row says that frames of usual sizes are not IP."""
    told = f"the first 5 frames are not IP by link type {stated}, and prove no other"
    contents = tables(tmp_path / "a.pcap", capture(stated, [frame or b"\0"] * 5))
    assert contents["packets"] == []
    rows = [row["error"] for row in contents["quarantine"] if "link type" in row["error"]]
    assert rows == [told] * (len(frame) == 60 and (stated, frame[:1]) != (101, b"\x45"))


def test_one_frame_proves_nothing(tmp_path: Path) -> None:
    _, frame = Capture().open().frames[0]
    found = tables(tmp_path / "a.pcap", capture(101, [frame]))
    assert [row for row in found["quarantine"] if "link type" in row["error"]] == []


ARP = b"\0\1\x08\0\6\4\0\1" + bytes(20)
ONE, OTHER = b"\2\0\0\0\0\1", b"\2\0\0\0\0\2"
UNKNOWN = ONE + OTHER + b"\x88\xb5" + bytes(46)
"""A frame of Ethernet whose type is for experiments."""


def packet_frames(count: int = 2) -> list[bytes]:
    """Frames of Ethernet of a connection with so many packets."""
    packet = next(iter(load_tcp_packets().values()))
    return [frame for _, frame in Capture().open().send(*[packet] * count).close().frames]


def left_to_the_card(frame: bytes) -> bytes:
    """A frame of Ethernet whose checksums the network card would fill in."""
    return frame[:24] + bytes(2) + frame[26:50] + bytes(2) + frame[52:]


def tagged(frame: bytes) -> bytes:
    """A frame of Ethernet with two tags."""
    return frame[:12] + b"\x88\xa8\0\7\x81\0\0\5" + frame[12:]


ODD: dict[str, Callable[[], list[bytes]]] = {
    "other frames first": lambda: [UNKNOWN] * 300 + packet_frames(),
    "ARP first": lambda: [ONE + OTHER + b"\x08\x06" + ARP] * 9 + packet_frames(),
    "other frames between": lambda: [frame for pair in packet_frames() for frame in (UNKNOWN, UNKNOWN, pair)],
    "no checksums": lambda: [left_to_the_card(frame) for frame in packet_frames()],
    "tags": lambda: [tagged(frame) for frame in packet_frames()],
    "tags and no checksums": lambda: [tagged(left_to_the_card(frame)) for frame in packet_frames()],
}
"""Frames of Ethernet of which the first ones prove nothing, or prove less."""


@pytest.mark.each(20)
@pytest.mark.parametrize("form", ["pcap", "pcapng"])
@pytest.mark.parametrize("actual", [1, 113, 276])
@pytest.mark.parametrize("name", ODD)
def test_frames_that_prove_a_link_type_late(name: str, actual: int, form: str, tmp_path: Path) -> None:
    """Other frames before, tags, and checksums that are left to the network card hide no link type."""
    frames = [FRAMES[actual](frame) for frame in ODD[name]()]
    for stated in {1, 101, 147} - {actual}:
        contents = [
            tables(
                tmp_path / "a", capture(link, frames) if form == "pcap" else blocks([link], numbered(frames))
            )
            for link in (actual, stated)
        ]
        right, wrong = contents
        assert len(right["packets"]) == 2
        assert right["quarantine"] == []
        assert (right["packets"], right["frames"]) == (wrong["packets"], wrong["frames"])
        whose = "the header" if form == "pcap" else "interface 0"
        (row,) = wrong["quarantine"]
        assert row["error"] == (
            f"{whose} states link type {stated}, but frames begin as those of {actual}; they are read so"
        )


def numbered(frames: list[bytes]) -> list[tuple[int, bytes]]:
    return [(0, frame) for frame in frames]


def test_an_interface_whose_frames_come_late(tmp_path: Path) -> None:
    """Its link type is proved by its own frames, however many interfaces and blocks are before it."""
    frames = [(at % 40, UNKNOWN) for at in range(4000) if at % 40 != 29]
    frames += [(29, FRAMES[101](frame)) for frame in packet_frames()]
    contents = tables(tmp_path / "a.pcapng", blocks([1] * 40, frames))
    assert len(contents["packets"]) == 2
    told = "interface 29 states link type 1, but frames begin as those of 101; they are read so"
    assert [row["error"] for row in contents["quarantine"] if "29" in row["error"]] == [told]


def test_a_frame_before_the_block_of_its_interface(tmp_path: Path) -> None:
    """There is no such interface yet, also if its block was seen ahead."""
    frames = packet_frames()
    pieces = [section(), interface(), *[enhanced(UNKNOWN)] * 3, enhanced(frames[0], 1), interface()]
    contents = tables(tmp_path / "a.pcapng", b"".join([*pieces, *(enhanced(frame, 1) for frame in frames)]))
    errors = [row["error"] for row in contents["quarantine"]]
    assert "a block of type 6 cannot be read: there is no interface 1" in errors
    assert len(contents["packets"]) == 2


def test_frames_are_compared_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many interfaces a file has, the work is that of its frames."""
    compared: list[bytes] = []
    usual = LinkVote.add

    def counted(self: LinkVote, frame: bytes, wire: int) -> None:
        compared.append(frame)
        usual(self, frame, wire)

    monkeypatch.setattr(LinkVote, "add", counted)
    frames = [(at % 500, UNKNOWN) for at in range(3000)]
    tables(tmp_path / "a.pcapng", blocks([1] * 500, frames))
    assert 2500 < len(compared) <= len(frames)


@pytest.mark.parametrize("form", ["pcap", "pcapng"])
@pytest.mark.parametrize("bound", [4000, 100_000])
def test_the_bytes_that_prove_a_link_type(
    form: str, bound: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Frames count up to a bound; a row says if they prove nothing, in whatever parts the file is read."""
    for module in (pcap_reader, pcapng_reader):
        monkeypatch.setattr(module, "AHEAD", bound)
    frames = [UNKNOWN] * 200 + packet_frames(9)
    data = capture(101, frames) if form == "pcap" else blocks([101], numbered(frames))
    path = tmp_path / "a"
    whole = tables(path, data)
    (row,) = whole["quarantine"]
    assert ("are read so" in row["error"]) == (bound == 100_000)
    assert len(whole["packets"]) == 9 * (bound == 100_000)
    monkeypatch.setattr(splits, "_FAR", 0)
    parts = parts_of(files_of([str(path)]), "auto", 2000, 3000)
    limits = ReadLimits(Ports(frozenset({1801}), frozenset()))
    errors = [row[-1] for part in parts for row in rows_of(part, limits) if row[-1] is not None]
    assert len(parts) > 2
    assert errors == [row["error"]]


@given(st.data())
def test_parts_have_the_link_types_of_the_whole_file(data: st.DataObject) -> None:
    """Whatever interfaces a file has, and wherever their frames are, its parts are read as it is."""
    bound, frame_size = data.draw(st.sampled_from([200, 1000, 4000])), 300
    stated = data.draw(st.lists(st.sampled_from([1, 101, 147]), min_size=1, max_size=5))
    kinds = data.draw(st.lists(st.sampled_from([0, 1, 101, 113]), min_size=len(stated), max_size=len(stated)))
    usual_frames = [frame for frame in packet_frames() if len(frame) <= frame_size]
    pieces = [section(), *map(interface, stated[:-1])]
    indices = data.draw(st.lists(st.integers(0, len(stated) - 2), max_size=20)) if len(stated) > 1 else []
    later = data.draw(st.lists(st.integers(0, len(stated) - 1), max_size=50))
    for index in [*indices, None, *later]:
        if index is None:
            pieces.append(interface(stated[-1]))
            continue
        is_other = data.draw(st.integers(0, 3)) == 0
        frame = UNKNOWN if is_other else data.draw(st.sampled_from(usual_frames))
        pieces.append(enhanced(FRAMES[kinds[index]](frame), index))
    contents = b"".join(pieces)
    part = FileSlice("a", "pcapng", 0, len(contents))
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(pcapng_reader, "AHEAD", bound)
        changed.setattr(splits, "_FAR", 0)
        changed.setattr(containers, "CHUNK", data.draw(st.sampled_from([100, 700, 1 << 20])))
        file = pa.BufferReader(contents)
        target = data.draw(st.sampled_from([1, 500, 2000]))
        parts = splits.scanned(file, part, frame_size, target).parts
        whole = items_of(contents, [part], frame_size)
        assert items_of(contents, parts, frame_size) == whole


def items_of(contents: bytes, parts: list[FileSlice], most: int) -> list[tuple[int, ...] | Damage]:
    """The frames of parts, each with its offset and its link type, and the damages between them."""
    items: list[tuple[int, ...] | Damage] = []
    for part in parts:
        source = Source([contents[part.start : part.end]], part.start)
        for item in PcapngReader(source, part.preamble, most, part.number).run():
            if isinstance(item, Damage):
                items.append(item)
            else:
                items += zip(item.offsets.tolist(), item.links.tolist(), strict=True)
    return items


@pytest.mark.parametrize("form", ["pcap", "pcapng"])
def test_a_link_type_in_a_pipe(form: str) -> None:
    """A pipe is not waited for: frames are read by the stated link type until enough of them have come."""
    frames = [FRAMES[113](frame) for frame in packet_frames(5)]
    data = capture(1, frames) if form == "pcap" else blocks([1], numbered(frames))
    size = len(data) // 90
    source = Source((data[at : at + size] for at in range(0, len(data), size)), live=True)
    limits = ReadLimits(Ports(frozenset({1801}), frozenset()))
    rows = [row for chunk in live_rows(source, "-", limits, Tally()) for row in chunk]
    errors = [row[-1] for row in rows if row[-1] is not None]
    whose = "the header" if form == "pcap" else "interface 0"
    assert errors == [f"{whose} states link type 1, but frames begin as those of 113; they are read so"]
    assert len(rows) - 1 >= len(frames) - 2


@pytest.mark.parametrize("form", ["pcap", "pcapng"])
def test_a_pipe_of_which_nothing_is_read(form: str) -> None:
    """At its end, a row says that its frames are not IP."""
    data = capture(1, [UNKNOWN] * 30) if form == "pcap" else blocks([1], numbered([UNKNOWN] * 30))
    source = Source((data[at : at + 100] for at in range(0, len(data), 100)), live=True)
    limits = ReadLimits(Ports(frozenset({1801}), frozenset()))
    rows = [row for chunk in live_rows(source, "-", limits, Tally()) for row in chunk]
    whose = "" if form == "pcap" else " of interface 0"
    assert [row[-1] for row in rows] == [
        f"the first 30 frames{whose} are not IP by link type 1, and prove no other"
    ]


def test_damage_before_the_frames_that_prove_a_link_type(tmp_path: Path) -> None:
    """Frames behind damage prove it, too: here the first record states a wrong size."""
    frames = [FRAMES[113](frame) for frame in packet_frames()]
    data = bytearray(capture(1, frames))
    data[24 + 8 : 24 + 12] = b"\xff" * 4
    contents = tables(tmp_path / "a.pcap", bytes(data))
    told = "the header states link type 1, but frames begin as those of 113; they are read so"
    assert told in [row["error"] for row in contents["quarantine"]]
    assert len(contents["packets"]) == 2


@pytest.mark.parametrize("size", [7, 100, 1000])
@pytest.mark.parametrize("record", [16, 20])
def test_longer_records_in_a_pipe(size: int, record: int) -> None:
    """The size of the headers of records is known when the second one has come."""
    frames = packet_frames(5)
    data = capture(1, [])
    for frame in frames:
        data += struct.pack("<4I", 1_700_000_000, 0, len(frame), len(frame)) + bytes(record - 16) + frame
    source = Source((data[at : at + size] for at in range(0, len(data), size)), live=True)
    limits = ReadLimits(Ports(frozenset({1801}), frozenset()))
    rows = [row for chunk in live_rows(source, "-", limits, Tally()) for row in chunk]
    assert [(row[1], row[-1]) for row in rows] == [(number, None) for number in range(1, len(frames) + 1)]


HEADS: dict[int, Callable[[int], bytes]] = {
    0: lambda kind: b"\2\0\0\0" if kind == 0x800 else b"\x1e\0\0\0",
    1: lambda kind: ONE + OTHER + kind.to_bytes(2, "big"),
    9: lambda kind: b"\0\x21" if kind == 0x800 else b"\0\x57",
    50: lambda kind: b"\xff\3\0\x21" if kind == 0x800 else b"\xff\3\0\x57",
    51: lambda kind: b"\x11\0\0\1\0\2" + (b"\0\x21" if kind == 0x800 else b"\0\x57"),
    101: lambda _: b"",
    104: lambda kind: b"\x0f\0" + kind.to_bytes(2, "big"),
    105: lambda kind: b"\x08\1" + bytes(22) + b"\xaa\xaa\3\0\0\0" + kind.to_bytes(2, "big"),
    108: lambda kind: b"\0\0\0\2" if kind == 0x800 else b"\0\0\0\x18",
    113: lambda kind: bytes(14) + kind.to_bytes(2, "big"),
    127: lambda kind: b"\0\0\x0a\0" + bytes(6) + HEADS[105](kind),
    204: lambda kind: b"\1\xff\3\0\x21" if kind == 0x800 else b"\1\xff\3\0\x57",
    276: lambda kind: kind.to_bytes(2, "big") + bytes(18),
}
"""Headers of the link types, before IPv4 and before IPv6."""
for same in (12, 14, 228, 229):
    HEADS[same] = HEADS[101]


def test_every_link_type_has_a_header() -> None:
    assert HEADS.keys() == LINK_TYPES.keys()


ADDRESSES = st.one_of(
    st.binary(min_size=6, max_size=6),
    st.sampled_from([b"\x45\0\0\x2a\0\0", b"\x60\0\0\0\0\x14", b"\x08\0\x27\0\0\1", b"\x86\xdd\0\0\0\0",
                     b"\2\0\0\0\x45\0", b"\0\0\0\1\0\6", b"\x40\0\x40\6\0\0", b"\xff" * 6]),
)  # fmt: skip
"""Addresses of Ethernet, also such as look like the beginning of a header of another layer."""


@st.composite
def sound_frames(draw: st.DrawFn, link: int) -> list[bytes]:
    """Frames of a link type: IP of any version and protocol, and what else may be on such a link."""
    frames = []
    for _ in range(draw(st.integers(2, 30))):
        which = draw(st.integers(0, 5))
        body = draw(st.binary(max_size=80))
        if link == 1 and which < 4:
            kind = draw(
                st.sampled_from([0x0806, 0x88B5, 0x88CC, 0x8892, 0x2A, 0x8100, 0x8847, 0x8863, 0x9000])
            )
            head = draw(ADDRESSES) + draw(ADDRESSES) + kind.to_bytes(2, "big")
            frames.append(head + (ARP if kind == 0x0806 else body))
        elif which < 2:
            frames.append(HEADS[link](0x0800) + b"\x45" + body)
        else:
            source, destination = (draw(st.ip_addresses(v=4)).packed for _ in range(2))
            protocol = draw(st.sampled_from([1, 6, 17, 47, 50]))
            fields = struct.pack(
                "!BBHHHBBH", 0x45, 0, 20 + len(body), 0, 0, 64, protocol, draw(st.integers(0, 9))
            )
            frames.append(HEADS[link](0x0800) + fields + source + destination + body)
    return frames


@given(st.data(), st.sampled_from(sorted(HEADS)), st.booleans())
def test_sound_captures_keep_their_link_type(data: st.DataObject, link: int, is_pcapng: bool) -> None:
    """Whatever is on a link, no other link type is proved: also where no checksum is right."""
    frames = data.draw(sound_frames(link))
    contents = blocks([link], numbered(frames)) if is_pcapng else capture(link, frames)
    source = pa.BufferReader(contents)
    part = FileSlice("a", "auto", 0, len(contents))
    batches = segment_batches(part, ReadLimits(Ports(None, None)), Tally(), file=source)
    errors = [error for batch in batches for error in batch.column("error").to_pylist() if error]
    assert [error for error in errors if "are read so" in error] == []


@pytest.mark.parametrize("verb", ["packets", "messages", "tables"])
def test_what_is_said_of_frames_that_are_not_read(
    verb: str, run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    """A line on standard error names the interface, its link type and the number of frames."""
    path = tmp_path / "a.pcapng"
    frames = [(0, frame) for frame in packet_frames()] + [(1, UNKNOWN[14:])] * 30
    path.write_bytes(blocks([1, 1], frames))
    output = ["--output", str(tmp_path / "out"), "--strict"] if verb == "tables" else []
    status, _, told = run(verb, path, *output)
    assert status == Status.UNREADABLE
    assert "the first 30 frames of interface 1 are not IP by link type 1, and prove no other" in told
