"""Files are told apart by what they hold: whatever they are called, tables are those of one file."""

from __future__ import annotations

import gzip
import os
import shutil
import struct
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pyarrow as pa
import pytest

from msmq_wire import captures
from msmq_wire.captures.engine import Settings, part_batches
from msmq_wire.captures.files import reading as file_reading
from msmq_wire.captures.files.reading import Tally
from msmq_wire.captures.files.sources import Omitted, files_of, hidden_entry, opened
from msmq_wire.captures.table_builder import TableBuilder
from msmq_wire.spark._inputs import contents, inputs
from msmq_wire.spark._inputs.contents import missing, news
from msmq_wire.spark._inputs.options import settings_of
from msmq_wire.spark._reports.statistics import TaskStatistics
from msmq_wire.spark._workers import reading
from msmq_wire.spark._workers.moving import FOUND, TASK
from msmq_wire.testing.captures import Faults, write_captures
from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyspark.sql import SparkSession

    from msmq_wire.captures.files.sources import File

HEADER = 24
NAMES = ("packets", "gaps", "violations", "sessions", "flows")
OF_FILES = {"file", "first_frame", "last_file", "last_frame"}


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A capture with every fault but fragments and steps of the clock, which need the order of one file."""
    faults = msgspec.structs.replace(Faults.all(), fragment=0.0, clock=0.0)
    return write_captures(tmp_path_factory.mktemp("made"), 150, seed=51, faults=faults, files=1).captures[0]


@pytest.fixture(scope="module")
def whole(capture: Path) -> dict[str, Counter[str]]:
    made = captures.tables(capture, NAMES)
    return {name: rows_of(made[name].read_all().to_pylist()) for name in NAMES}


def rows_of(rows: list[dict[str, Any]]) -> Counter[str]:
    """Rows without what says in which file they are."""
    return Counter(
        repr({name: value for name, value in row.items() if name not in OF_FILES | {"sensor"}})
        for row in rows
    )


class Folder:
    """A folder of captures that increments read.

    Attributes:
        copies: The names of files that had nothing new.
        marks: What was read.
    """

    def __init__(self, location: Path, capture: Path) -> None:
        self.location = location
        data, self.records, at = capture.read_bytes(), list[bytes](), HEADER
        self.header = data[:HEADER]
        while at < len(data):
            end = at + 16 + struct.unpack_from("<I", data, at + 8)[0]
            self.records.append(data[at:end])
            at = end
        self.copies: list[str] = []
        self.settings = settings_of({"path": str(location), "tcpports": "any"})
        self.marks = b""
        self._segments: list[Any] = []
        self.frame_sums: list[contents.FrameSums] = []
        self._clock = 0

    def part(self, start: float, stop: float) -> bytes:
        """The records of a part of the capture, from 0 to 1."""
        count = len(self.records)
        return b"".join(self.records[int(start * count) : int(stop * count)])

    def write(self, name: str, start: float, stop: float) -> None:
        """Write a part as a file, over what has this name."""
        (self.location / name).write_bytes(self.header + self.part(start, stop))

    def append(self, name: str, start: float, stop: float) -> None:
        with (self.location / name).open("ab") as file:
            file.write(self.part(start, stop))

    def rename(self, name: str, to: str) -> None:
        (self.location / name).rename(self.location / to)

    def take(self) -> int:
        """Read what is new; return the number of segments."""
        found = news(self.settings, self.marks)
        if found.differing:
            known = [sums for sums in self.frame_sums if sums.content in found.differing]
            found = news(self.settings, self.marks, known)
        self.marks = found.marks
        self.frame_sums += found.frame_sums
        self.copies += [Path(location).name for location, _ in found.copies]
        batches = [
            batch
            for task in found.tasks
            for part in task
            for table, batch in part_batches(part, self.settings.limits, Tally())
            if table == "segments"
        ]
        self._segments += batches
        return sum(batch.num_rows for batch in batches)

    def missing(self) -> list[str]:
        return [Path(location).name for location in missing(self.settings, self.marks)]

    def tables(self, location: Path) -> dict[str, Counter[str]]:
        made: dict[str, list[dict[str, Any]]] = {name: [] for name in NAMES}
        for name, batch in TableBuilder(frozenset(NAMES), Settings(), location).tables(self._segments, 0):
            if name in made:
                made[name] += batch.to_pylist()
        return {name: rows_of(rows) for name, rows in made.items()}


def ring(folder: Folder) -> None:
    """The second half over the first one."""
    for start, stop in ((0, 0.5), (0.5, 1)):
        folder.write("a.pcap", start, stop)
        folder.take()


def slots(folder: Folder) -> None:
    """Three slots for eight parts, read after each."""
    for number in range(8):
        folder.write(f"{number % 3}.pcap", number / 8, (number + 1) / 8)
        folder.take()


def earlier(folder: Folder) -> None:
    """The second half under an earlier name."""
    folder.write("b.pcap", 0, 0.5)
    folder.take()
    folder.write("a.pcap", 0.5, 1)
    folder.take()


def rotated(folder: Folder) -> None:
    """Files that are renamed when they are full, as logrotate does, and have grown meanwhile."""
    for number in range(4):
        for older in range(number, 0, -1):
            folder.rename("c.pcap" if older == 1 else f"c.pcap.{older - 1}", f"c.pcap.{older}")
        if number:
            folder.append("c.pcap.1", (2 * number - 1) / 8, 2 * number / 8)
        folder.write("c.pcap", 2 * number / 8, (2 * number + 1) / 8)
        folder.take()
    folder.append("c.pcap", 7 / 8, 1)
    folder.take()


def copied(folder: Folder) -> None:
    """A copy beside it, before and after it was read, and a copy of its first part."""
    folder.write("a.pcap", 0, 0.6)
    shutil.copy(folder.location / "a.pcap", folder.location / "b.pcap")
    folder.take()
    assert folder.copies == ["b.pcap"]
    folder.write("c.pcap", 0, 0.3)
    shutil.copy(folder.location / "a.pcap", folder.location / "d.pcap")
    assert folder.take() == 0
    assert folder.copies == ["b.pcap", "c.pcap", "d.pcap"]
    for name in ("d.pcap", "a.pcap"):
        folder.append(name, 0.6, 1)
    folder.take()


def truncated(folder: Folder) -> None:
    """It is emptied and written again, as a copy over it does, and grows on."""
    folder.write("a.pcap", 0, 0.5)
    folder.take()
    (folder.location / "a.pcap").write_bytes(b"")
    assert folder.take() == 0
    for stop in (0.2, 0.4):
        folder.write("a.pcap", 0, stop)
        assert folder.take() == 0
    assert folder.copies == []
    folder.write("a.pcap", 0, 0.8)
    folder.take()
    folder.append("a.pcap", 0.8, 1)
    folder.take()


def differing(folder: Folder) -> None:
    """It is cut at a record and goes on otherwise: what both have counts once, and the rest of each."""
    folder.write("a.pcap", 0, 0.3)
    folder.take()
    folder.append("a.pcap", 0.3, 0.6)
    folder.take()
    folder.write("a.pcap", 0, 0.3)
    folder.append("a.pcap", 0.6, 1)
    folder.take()


def torn(folder: Folder) -> None:
    """It is cut anywhere, twice, and goes on otherwise each time; frames before the difference count once."""
    folder.write("a.pcap", 0, 0.3)
    folder.take()
    folder.write("a.pcap", 0, 0.171)
    folder.append("a.pcap", 0.3, 0.6)
    folder.take()
    folder.write("a.pcap", 0, 0.102)
    folder.append("a.pcap", 0.6, 1)
    assert folder.take() > len(folder.records) * 0.4


def overlapping(folder: Folder) -> None:
    """The file that is written over it begins with frames that were read."""
    folder.write("a.pcap", 0, 0.6)
    folder.take()
    folder.write("a.pcap", 0.4, 1)
    folder.take()


def pcapng(header: bytes, records: Iterable[bytes]) -> bytes:
    """Records of a pcap in microseconds as a pcapng, with a block without a frame behind every seventh."""
    link, longest = struct.unpack_from("<I", header, 20)[0], 1 << 18
    parts = [struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)]
    parts.append(struct.pack("<IIHHII", 1, 20, link, 0, longest, 20))
    for number, record in enumerate(records):
        seconds, micros, size, wire = struct.unpack_from("<IIII", record)
        time, padded = seconds * 1_000_000 + micros, size + (-size & 3)
        block = 32 + padded
        parts.append(struct.pack("<IIIIIII", 6, block, 0, time >> 32, time & 0xFFFF_FFFF, size, wire))
        parts += [record[16:], bytes(padded - size), struct.pack("<I", block)]
        if number % 7 == 6:
            parts.append(struct.pack("<IIIIII", 5, 24, 0, time >> 32, time & 0xFFFF_FFFF, 24))
    return b"".join(parts)


@pytest.mark.parametrize("form", ["pcap", "pcapng"])
def test_frames_before_a_difference_are_not_read_again(form: str, capture: Path, tmp_path: Path) -> None:
    """Wherever it is, and whatever became of their connections."""
    folder = Folder(tmp_path, capture)
    records, location = folder.records, tmp_path / "a"
    count = len(records)
    earlier, later = records[: count * 3 // 5], records[count * 3 // 5 :]

    def taken(*parts: list[bytes]) -> int:
        joined = [record for part in parts for record in part]
        data = folder.header + b"".join(joined) if form == "pcap" else pcapng(folder.header, joined)
        location.write_bytes(data)
        return folder.take()

    new = taken(later)
    wrong = []
    for cut in (0, 1, 13, 14, 15, len(earlier) // 3, len(earlier) // 2, len(earlier) - 1):
        location.unlink()
        folder = Folder(tmp_path, capture)
        taken(earlier[: len(earlier) // 2])
        taken(earlier)
        if (segments := taken(earlier[:cut], later)) != new:
            wrong.append((cut, segments))
    assert wrong == []


def test_a_shorter_file_that_begins_like_another(capture: Path, tmp_path: Path) -> None:
    """What differs is read, wherever it begins; what is equal to the end is a copy."""
    records = Folder(tmp_path, capture).records
    count = len(records)
    earlier, later = records[: count // 2], records[-10:]

    def taken(folder: Folder, name: str, *parts: list[bytes]) -> int:
        (folder.location / name).write_bytes(folder.header + b"".join(b"".join(part) for part in parts))
        return folder.take()

    wrong = []
    for cut in (1, 2, 13, len(earlier) // 3, len(earlier) // 2, len(earlier) * 2 // 3):
        folders = [Folder(tmp_path / f"{cut}{name}", capture) for name in "ab"]
        for folder in folders:
            folder.location.mkdir()
        new = taken(folders[0], "a.pcap", later)
        taken(folders[1], "a.pcap", earlier)
        segments = taken(folders[1], "b.pcap", earlier[:cut], later)
        copied = taken(folders[1], "c.pcap", earlier[:cut])
        if (segments, copied, folders[1].copies) != (new, 0, ["c.pcap"]):
            wrong.append((cut, segments, copied, folders[1].copies))
    assert wrong == []


WAYS: list[Callable[[Folder], None]] = [
    ring,
    slots,
    earlier,
    rotated,
    copied,
    truncated,
    differing,
    torn,
    overlapping,
]


@pytest.mark.long
def test_names_do_not_matter(capture: Path, whole: dict[str, Counter[str]], tmp_path: Path) -> None:
    wrong = []
    for way in WAYS:
        location, work = tmp_path / way.__name__, tmp_path / f"{way.__name__} work"
        location.mkdir()
        work.mkdir()
        folder = Folder(location, capture)
        way(folder)
        assert folder.take() == 0
        found = folder.tables(work)
        for name in NAMES:
            if found[name] != whole[name]:
                more, less = (found[name] - whole[name]).total(), (whole[name] - found[name]).total()
                wrong.append((way.__name__, name, f"{more} too many, {less} too few"))
    assert wrong == []


@pytest.mark.each(4)
@pytest.mark.parametrize("there", [1.0, 0.9])
@pytest.mark.parametrize("name", ["a.pcap", "b.pcap"])
def test_a_hole_that_is_filled(
    name: str, there: float, capture: Path, whole: dict[str, Counter[str]], tmp_path: Path
) -> None:
    """A file that was copied block by block, and read before all were there; it may have grown since."""
    location, work = tmp_path / "captures", tmp_path / "work"
    location.mkdir()
    work.mkdir()
    folder = Folder(location, capture)
    records = folder.records
    count = len(records)
    hole = range(count // 10, count // 5)
    folder.records = [
        record[:16] + bytes(len(record) - 16) if number in hole else record
        for number, record in enumerate(records)
    ]
    folder.write("a.pcap", 0, there)
    folder.take()
    assert whole["packets"] - folder.tables(work)["packets"]
    folder.records = records
    folder.write(name, 0, 1)
    assert folder.take() > 0
    made = folder.tables(work)
    assert not whole["packets"] - made["packets"]
    assert not [row for row, count in made["packets"].items() if count > whole["packets"][row] > 0]
    assert folder.take() == 0


def test_a_compressed_file_that_grows(capture: Path, tmp_path: Path) -> None:
    """It is read once, when it is complete; what is added later is not silently omitted."""
    location = tmp_path / "in"
    location.mkdir()
    file = location / "a.pcap.gz"
    packed = gzip.compress(capture.read_bytes())
    settings = settings_of({"path": str(location), "tcpports": "any"})
    marks, told = b"", []
    for data in (packed[:-9], packed, packed + gzip.compress(capture.read_bytes()[HEADER:])):
        file.write_bytes(data)
        for _ in range(2):
            rows = [
                row
                for batch in reading.finding(settings, marks)([pa.record_batch({"id": [0]})])
                for row in batch.to_pylist()
            ]
            (found,) = (msgspec.msgpack.decode(row["data"]) for row in rows if row["table"] == FOUND)
            marks = found[2]
            told.append((found[4], [text for _, text in found[1]]))
    grown = "is compressed, and has grown since it was read: the added data is not read"
    assert told == [(0, []), (0, []), (1, []), (0, []), (1, [grown]), (0, [])]


def test_what_is_missing(capture: Path, tmp_path: Path) -> None:
    """Of what was read, under whatever name."""
    folder = Folder(tmp_path, capture)
    folder.write("a.pcap", 0, 0.5)
    folder.write("b.pcap", 0.5, 1)
    folder.take()
    assert folder.missing() == []
    folder.rename("a.pcap", "c.pcap")
    assert folder.missing() == []
    folder.write("b.pcap", 0.5, 0.9)
    assert folder.missing() == ["b.pcap"]
    (tmp_path / "c.pcap").unlink()
    assert folder.missing() == ["a.pcap", "b.pcap"]


SERVER = "ftp://user:secret@host"


def test_marks_have_no_password(capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither those of this version, nor those of an earlier one after the next increment."""
    for module in (contents, file_reading):
        monkeypatch.setattr(module, "opened", lambda location: opened(location.removeprefix(SERVER)))

    def at_host(locations: tuple[str, ...], **more: Any) -> list[File]:
        return [file._replace(location=f"{SERVER}{file.location}") for file in files_of(locations, **more)]

    monkeypatch.setattr(contents, "files_of", at_host)
    folder = Folder(tmp_path, capture)
    folder.write("a.pcap", 0, 0.5)
    assert folder.take() > 0
    assert b"secret" not in folder.marks
    shown = f"ftp://user@host{tmp_path}/a.pcap".encode()
    secret = f"{SERVER}{tmp_path}/a.pcap".encode()
    prefix, longer = (b"\xd9" + bytes([len(text)]) for text in (shown, secret))
    assert prefix + shown in folder.marks
    folder.marks = folder.marks.replace(prefix + shown, longer + secret)
    assert folder.take() == 0
    assert b"secret" not in folder.marks
    shutil.copy(tmp_path / "a.pcap", tmp_path / "b.pcap")
    assert (folder.take(), folder.copies, folder.missing()) == (0, ["b.pcap"], [])
    folder.append("a.pcap", 0.5, 1)
    assert folder.take() > 0
    assert b"secret" not in folder.marks


def test_marks_of_spark_have_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor do those that Spark's own access leaves, which a new password does not change."""
    names = [f"{SERVER}/in/{name}.pcap" for name in "ab"]
    facts = dict.fromkeys(names, (10, 1))
    monkeypatch.setattr(inputs, "_listed", lambda *_: facts)
    monkeypatch.setattr(inputs, "hidden_in", lambda *_, **__: [])
    options, spark = settings_of({"path": f"{SERVER}/in"}), cast("SparkSession", None)
    before = msgspec.msgpack.encode({names[0]: (10, 1)})  # as an earlier version had it
    came = inputs.inputs_of(spark, options, before)
    assert (came.files, b"secret" in came.marks) == (1, False)
    facts = {name.replace("secret", "new"): own for name, own in facts.items()}
    again = inputs.inputs_of(spark, options, came.marks)
    assert (again.files, again.marks) == (0, came.marks)
    assert inputs.missing_inputs(spark, options, came.marks) == []
    facts.popitem()
    assert inputs.missing_inputs(spark, options, came.marks) == ["ftp://user@host/in/b.pcap"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text")
def test_a_name_that_is_not_utf_8(capture: Path, tmp_path: Path) -> None:
    location = tmp_path / "in"
    location.mkdir()
    for name in (b"_\xff.pcap", b"\xff.pcap"):
        shutil.copy(capture, os.fsdecode(os.fsencode(location) + b"/" + name))
    settings = settings_of({"path": str(location), "tcpports": "any"})
    one = pa.record_batch({"id": [0]})
    for marks in (None, b""):
        rows = [row for batch in reading.finding(settings, marks)([one]) for row in batch.to_pylist()]
        tasks = [row["data"] for row in rows if row["table"] == TASK]
        (told,) = (msgspec.msgpack.decode(row["data"]) for row in rows if row["table"] == FOUND)
        omitted = [Omitted(*entry) for entry in told[3]]
        assert omitted == [hidden_entry(f"{location}/_\\xff.pcap")]
        sent = [*reading.reading(tasks, settings.limits, 1, [], omitted)([one])]
        facts = [msgspec.msgpack.decode(batch["data"][0].as_py(), type=TaskStatistics) for batch in sent[-1:]]
        assert set(facts[0].tallies()) == {f"{location}/\\xff.pcap", f"{location}/_\\xff.pcap"}
        assert sum(batch.num_rows for batch in sent) > 1


def test_a_state_of_another_version(tmp_path: Path) -> None:
    with pytest.raises(MsmqWireError, match="the state of the increments is of another version"):
        news(settings_of({"path": str(tmp_path)}), msgspec.msgpack.encode({"offset": {}}))
