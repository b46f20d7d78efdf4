"""What two verbs say of one packet agrees, whatever is damaged in a capture."""

from __future__ import annotations

import gzip
import io
import json
import re
import tomllib
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout, suppress
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support_browser import browser_page
from support_by_hand import A, Capture
from support_examples import share
from support_specs import SPECS

import msmq_wire as mw
from msmq_wire import captures, mqqb
from msmq_wire import scapy as scapy_layers
from msmq_wire.cli import main
from msmq_wire.packets.packet_starts import BASE_SIZE, MARK_SIZE
from msmq_wire.packets.reassembly import PARTS
from msmq_wire.records.model import structures
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.testing.captures import Faults, write_captures
from msmq_wire.values.errors import DecodeError

if TYPE_CHECKING:
    from pathlib import Path

_HEADING = re.compile(r"== ([\w ]+): ([\d,]+) bytes?, .*?, frames? (\d+)")
_VIOLATION = re.compile(r"\(([A-Z-]+-[\d.]+-\d+), byte -?\d+[;)]")
PUBLISHED = tomllib.loads((SPECS / "vectors" / "published.toml").read_text(encoding="utf-8"))["published"]
_ERROR = re.compile(r"^error: (.*)$", re.MULTILINE)
_HEAD = 24
UNREADABLE = "MQQB-3.1.5.1.3-01"


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    place = tmp_path_factory.mktemp("agreement")
    return (
        write_captures(place, 40, seed=5, files=1, managers=5, faults=Faults.all()).captures[0].read_bytes()
    )


def said(*words: object) -> str:
    """What a verb writes; for damage there is no other status than those of findings and unreadable parts."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        assert main([str(word) for word in words]) in {0, 1, 3}
    written: Any = out.buffer
    text: str = written.getvalue().decode()
    return text


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


Row = dict[str, Any]
_SHARED = frozenset(captures.SCHEMAS["packets"].names) & frozenset(captures.SCHEMAS["messages"].names)
_NEVER_NULL = (
    *("source_queue_manager", "message_number", "message", "sent_at", "message_class", "priority"),
    *("recoverable", "transactional", "body_type", "application_tag", "acknowledgments"),
)
"""Columns that no message has as null which was read whole."""


def position(row: Row) -> tuple[Any, ...]:
    return row["sensor"], row["flow"], row["offset"]


def check_messages(packets: list[Row], messages: list[Row]) -> None:
    """Each UserMessage has a row, whole or not, with the values of `packets`; each null has a reason."""
    rows = {position(row): row for row in messages}
    users = {position(row): row for row in packets if row["type"] == "UserMessage"}
    assert rows.keys() == users.keys()
    for key, message in rows.items():
        assert {name: message[name] for name in _SHARED} == {name: users[key][name] for name in _SHARED}
        told = {name for text in message["problems"] for name in text.partition(": ")[0].split(", ")}
        if message["partial"]:
            assert message["error"]
            assert message["reached"] is not None
            assert {name for name in _NEVER_NULL if message[name] is None} <= told
        assert {message[name] for name in told & {"destination", "label", "body_type"}} <= {None}
        assert message["destination"] is not None or "destination" in told or message["destinations"] == []


def check_sessions(packets: list[Row], tables: dict[str, list[Row]]) -> None:
    """A session counts as many packets that cannot be read as `packets` has, and its own violations."""
    unreadable = Counter(row["session"] for row in packets if row["partial"] and row["session"])
    counted: Counter[str] = Counter()
    broken: Counter[tuple[str, str]] = Counter()
    for row in tables["sessions"]:
        for side in ("forward", "backward"):
            counted[row["session"]] += row[side]["tally"]["unreadable"]
        broken.update({(row["session"], name): count for name, count in row["violations"]})
    assert +counted == unreadable
    all_broken = Counter((row["connection"], row["requirement"]) for row in tables["violations"])
    assert all(count <= all_broken[key] for key, count in broken.items())


def check(path: Path) -> int:
    """Hold the verbs against the tables; return how many packets cannot be read whole."""
    names = ["packets", "messages", "violations", "sessions", "deliveries", "queues", "hosts", "findings"]
    names.append("quarantine")
    tables = {name: table.read_all().to_pylist() for name, table in captures.tables(path, names).items()}
    packets = tables["packets"]
    partial = [row for row in packets if row["partial"]]
    listed = lines_of(said("packets", path))
    assert Counter((row["first_frame"], row["size"], row.get("type")) for row in listed) == Counter(
        (row["first_frame"], row["size"], row["type"]) for row in packets
    )
    explained = lines_of(said("explain", path, "--json"))
    errors = Counter(row["$error"] for row in explained if "$error" in row)
    kinds = Counter(row.get("$structure") for row in explained if "$error" in row)
    assert kinds == Counter(row["type"] for row in partial)
    assert len(explained) == len(packets)
    assert errors == Counter(row["error"] for row in partial)
    text = said("explain", path)
    assert Counter(_ERROR.findall(text)) == errors
    headings = Counter(
        (int(frame), int(size.replace(",", "")), "unreadable" in kind)
        for kind, size, frame in _HEADING.findall(text)
        if kind.split()[0] not in {"not", "missing", "gap"}
    )
    assert headings == Counter((row["first_frame"], row["size"], row["partial"]) for row in packets)
    whole = {position(row): row["error"] for row in tables["quarantine"] if row["kind"] in PARTS}
    for row in partial:
        assert row["error"] is None or whole[position(row)] == row["error"]
    for row in tables["quarantine"]:
        if row["kind"] in {*PARTS, "junk"} and row["error_offset"] is not None:
            assert row["error"].endswith(f" - at `{row['path']}`, byte {row['error_offset']}")
    told = {position(row): row["message"] for row in tables["violations"] if row["requirement"] == UNREADABLE}
    for row in partial:
        if position(row) in told and row["error"] is not None:
            assert row["error"].startswith(told[position(row)].removesuffix(".").partition(": ")[2])
    for verb in ("messages", "sessions", "deliveries", "queues", "hosts"):
        assert len(lines_of(said(verb, path, "--format", "jsonl"))) == len(tables[verb])
    judged = _VIOLATION.findall(said("validate", path))
    assert Counter(judged) == Counter(row["requirement"] for row in tables["violations"])
    unasked = {row["connection"] for row in tables["findings"] if row["id"] == "no-handshake"}
    assert unasked <= {row["connection"] for row in tables["sessions"] if row["handshake"] == "none"}
    check_messages(packets, tables["messages"])
    check_sessions(packets, tables)
    return len(partial)


def check_each(path: Path, numbers: list[int]) -> None:
    """Hold the ways to ask for one packet against each other, by the numbers of its frames."""
    rows = {
        row["first_frame"]: row
        for row in captures.tables(path, ["packets"])["packets"].read_all().to_pylist()
    }
    page = browser_page()
    listed = json.loads(page.from_bytes(path.read_bytes()))["packets"]
    whole = said("explain", path).split("== ")
    for number in numbers:
        row = rows[number]
        data = row["data"]
        listing = mw.explain(data)
        by_frame = said("explain", path, "--frame", number)
        assert by_frame == said("explain", path, "--where", f"first_frame={number}")
        assert by_frame.removeprefix("== ") in whole
        assert by_frame.partition("\n")[2].strip() == listing.strip()
        alone = path.with_suffix(".packets")
        alone.write_bytes(data)
        assert main(["diff", f"{path}#{number}", str(alone)]) == 0
        assert said("explain", alone).partition("\n")[2].strip() == listing.strip()
        name = f"unreadable {row['type'] or 'packet'}" if row["partial"] else row["type"]
        at = [*rows].index(number)
        assert f" {name}, {len(data):,} bytes" in listed[at]
        shown = json.loads(page.packet(at))
        assert shown["listing"] == listing
        assert not row["partial"] or shown["violations"][0].endswith(row["error"])
        layer = scapy_layers.MSMQ(data)
        assert bytes(layer) == data
        assert row["type"] in {None, layer.name}


@pytest.mark.each(8)
@pytest.mark.parametrize("row", PUBLISHED, ids=[row["name"] for row in PUBLISHED])
def test_published_packets(row: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(Capture().open().send(bytes.fromhex(row["hex"])).close().data)
    check(path)
    check_each(path, [4])


def boundaries(data: bytes) -> list[int]:
    """Where fields begin or end behind the mark of a packet, with its end."""
    result = mw.decode_lax(data)
    kind = type(result.packet).__name__ if result.source is None else result.source.kind
    reader = diagnostic_reader(data, lax=True)
    with suppress(DecodeError):
        reader.read(structures()[kind], 0, len(data))
    places = {place for span in reader.spans for place in (span.offset, span.offset + span.size)}
    return [*sorted(place for place in places if MARK_SIZE <= place < len(data)), len(data)]


@pytest.mark.each(10)
@pytest.mark.parametrize("row", PUBLISHED, ids=[row["name"] for row in PUBLISHED])
def test_published_packets_that_are_cut(row: dict[str, Any], tmp_path: Path) -> None:
    """Each cut is in a connection of its own, at the end of it, and in another with a whole packet behind it.

    A thorough run has all cuts, and others every fifth.
    """
    data = bytes.fromhex(row["hex"])
    whole: Capture | None = None
    numbers = []
    cuts = (boundaries(data) if len(data) > BASE_SIZE else [len(data)])[:: 5 // share(5)]
    for port, (behind, place) in enumerate(product((b"", mqqb.SessionAck().encode()), cuts), 20000):
        capture = Capture(client=A._replace(port=port)).open().send(data[:place])
        if behind:
            capture.send(behind)
        numbers.append(4 if whole is None else len(whole.frames) + 4)
        whole = capture.close() if whole is None else whole.join(capture.close())
    assert whole is not None
    path = tmp_path / "a.pcap"
    path.write_bytes(whole.data)
    assert check(path) >= len(cuts) + len(cuts) // 2  # the first bytes of the packet behind may complete one
    check_each(path, numbers[:: max(1, len(numbers) // 5)])


def test_a_packet_among_gaps(tmp_path: Path) -> None:
    """Bytes that are missing in both directions are no packets of the frame in which one is."""
    data = bytes.fromhex(PUBLISHED[0]["hex"])
    capture = Capture().open()
    for lost in (0, 300):
        for way in ("->", "<-"):
            capture.next[way] += lost
            capture.send(data, way=way)
    path, alone = tmp_path / "a.pcap", tmp_path / "a.packets"
    path.write_bytes(capture.close().data)
    alone.write_bytes(data)
    assert said("explain", path, "--frame", 6).count("== missing") == 2
    assert main(["diff", f"{path}#6", str(alone)]) == 0


TEXTS = (
    "\n",
    "10c0",
    "10c00b",
    "10c00b0g",
    "0x1ff",
    "char b[] = {0x10, 0xc0,",
    "{0x10, 0x1ff}",
    "EMALAExJT1Ig*A",
)


@pytest.mark.parametrize("text", TEXTS)
def test_texts_without_a_packet(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All verbs say the same of them."""
    path = tmp_path / "a.txt"
    path.write_text(text)
    reasons = set()
    for words in (["explain"], ["packets"], ["messages"], ["validate"], ["sessions"], ["diff", path]):
        assert main([*map(str, words), str(path)]) == 1
        out, error = capsys.readouterr()
        assert out == ""
        reasons.add(error)
    (reason,) = reasons
    assert reason.startswith(f"msmq-wire: {path}: not a capture, but text: ")


@pytest.mark.parametrize("data", [b"\0", bytes.fromhex("10c00b"), b"\x10\xff\x10" * 2, b"\x10\xc0\x0b\0LIO"])
def test_files_that_are_too_short(data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All verbs say the same of a file without room for the mark of a packet."""
    path = tmp_path / "a.bin"
    path.write_bytes(data)
    reasons = set()
    for words in (["explain"], ["packets"], ["messages"], ["validate"], ["sessions"], ["diff", path]):
        assert main([*map(str, words), str(path)]) == 1
        reasons.add(capsys.readouterr().err)
    said = "the file does not begin as pcap, pcapng or MSMQ packets does"
    assert reasons == {f"msmq-wire: {path}, byte 0: {said}\n"}


@pytest.mark.parametrize(
    ("lost", "reason", "is_read"),
    [
        (2, "the file begins with 0x000008, which is no mark of gzip; it is read as gzip", True),
        (1 << 20, "the file is gzip data by its name, but does not begin as such", False),
    ],
)
def test_a_file_that_is_compressed_by_its_name(
    lost: int, reason: str, is_read: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All verbs say the same of it, and read what is left."""
    whole = Capture().open().send(bytes.fromhex(PUBLISHED[0]["hex"])).close().data
    data, path = gzip.compress(whole), tmp_path / "a.pcap.gz"
    lost = min(lost, len(data))
    path.write_bytes(bytes(lost) + data[lost:])
    for verb in ("explain", "packets", "messages", "validate", "sessions", "findings", "deliveries"):
        assert main([verb, str(path)]) in {1, 3}
        out, error = capsys.readouterr()
        assert bool(out) is is_read
        assert error == f"msmq-wire: {path}, byte 0: {reason}\n"


@pytest.mark.parametrize("size", [MARK_SIZE, BASE_SIZE - 1, BASE_SIZE])
def test_a_file_with_the_beginning_of_a_packet(size: int, tmp_path: Path) -> None:
    """A packet begins where its mark can be read, in binary and in text."""
    data = bytes.fromhex(PUBLISHED[0]["hex"])[:size]
    for name, held in (("a.packets", data), ("a.txt", data.hex().encode())):
        path = tmp_path / name
        path.write_bytes(held)
        (packet,) = lines_of(said("packets", path))
        assert (packet["type"], packet["partial"], packet["size"]) == ("UserMessage", True, size)
        assert said("explain", path).endswith(f"error: {packet['error']}\n\n")


@pytest.mark.long
@settings(max_examples=share(24))
@given(
    st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(1, 255)), max_size=12), st.integers(0, 1 << 20)
)
def test_verbs_agree(
    capture: bytes, tmp_path_factory: pytest.TempPathFactory, wrong: list[tuple[int, int]], lost: int
) -> None:
    """Any bytes behind the header of the file are others, and up to half of it is lost."""
    path = tmp_path_factory.mktemp("damaged") / "a.pcap"
    damaged = bytearray(capture)
    for at, bits in wrong:
        damaged[_HEAD + at % (len(capture) - _HEAD)] ^= bits
    path.write_bytes(damaged[: len(damaged) - lost % (len(damaged) // 2)])
    check(path)


@pytest.mark.long
def test_packets_that_are_mostly_cut(tmp_path: Path) -> None:
    faults = Faults(truncate=0.5, damage=0.2, loss=0.1)
    written = write_captures(tmp_path, 80, seed=6, files=1, managers=5, faults=faults)
    assert check(written.captures[0]) > 5
