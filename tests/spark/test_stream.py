"""`format("msmq")` as a stream: whatever happens to the files in between, each record exactly once."""

from __future__ import annotations

import gzip
import json
import os
import struct
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxBytes, ReadMaxFiles

import msmq_wire as mw
from msmq_wire.captures.files import reading as file_reading
from msmq_wire.captures.files.reading import ReadLimits, rows_of
from msmq_wire.captures.files.sources import files_of, opened
from msmq_wire.captures.files.splits import FileSlice
from msmq_wire.captures.network.frames import Ports
from msmq_wire.spark import MsmqDataSource
from msmq_wire.spark._inputs import stream as stream_reader
from msmq_wire.testing.captures import write_captures

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from msmq_wire.captures.files.sources import File

LIMITS = ReadLimits(Ports(frozenset({1801}), frozenset({3527})))
ALL = ReadAllAvailable()


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """One capture in each format, and another pcap."""
    location = tmp_path_factory.mktemp("samples")
    made: dict[str, bytes] = {}
    for form in ("pcap", "pcapng"):
        done = write_captures(location / form, 120, seed=9, files=1, form=form)
        made[form] = done.captures[0].read_bytes()
    made["other"] = write_captures(location / "other", 50, seed=10, files=1).captures[0].read_bytes()
    made["gzip"] = gzip.compress(made["pcap"], mtime=0)
    made["packets"] = mw.encode(mw.mqqb.ConnectionParameters()) * 5000
    return made


class Stream:
    """A query without Spark: takes batches, keeps the rows, and can be started anew from its offset."""

    def __init__(self, location: Path, **options: str) -> None:
        self.options = {"path": str(location), **options}
        self.offset: dict[str, Any] = {}
        self.rows: list[tuple[Any, ...]] = []
        self.restart()

    def restart(self) -> None:
        source = MsmqDataSource(self.options)
        self.reader = source.streamReader(source.schema())

    def plan(self, limit: Any = ALL) -> dict[str, Any]:
        offset: dict[str, Any] = json.loads(json.dumps(self.reader.latestOffset(self.offset, limit)))
        return offset

    def run(self, end: dict[str, Any]) -> int:
        """Read up to an offset; how many rows there were."""
        before = len(self.rows)
        for task in self.reader.partitions(self.offset, end):
            for batch in self.reader.read(task):
                columns = [
                    column.cast("int64") if name == "time" else column
                    for name, column in zip(batch.schema.names, batch.columns, strict=True)
                ]
                self.rows += zip(*(column.to_pylist() for column in columns), strict=True)
        self.offset = end
        return len(self.rows) - before

    def step(self, limit: Any = ALL) -> int:
        return self.run(self.plan(limit))


def expected(path: Path) -> list[tuple[Any, ...]]:
    return list(rows_of(FileSlice(str(path), "auto", 0, path.stat().st_size), LIMITS))


@pytest.mark.parametrize("restarts", [False, True], ids=["one process", "a new process each time"])
@pytest.mark.parametrize("form", ["pcap", "pcapng"])
def test_a_file_that_grows(form: str, restarts: bool, samples: dict[str, bytes], tmp_path: Path) -> None:
    """Wherever the writer stops, what is there is read up to the last whole record, and no record twice."""
    data = samples[form]
    path = tmp_path / f"growing.{form}"
    stream = Stream(tmp_path)
    assert stream.step() == 0
    cuts = [0, 3, 20, 24, 30, 100, 1000, 1001, len(data) // 3, len(data) // 2, len(data) - 1, len(data)]
    for cut in cuts:
        path.write_bytes(data[:cut])
        end = stream.plan()
        if restarts:
            stream.restart()
        stream.run(end)
        assert all(row[-1] is None for row in stream.rows)
        assert stream.step() == 0
    assert stream.rows == expected(path)


def test_a_batch_that_is_run_again(samples: dict[str, bytes], tmp_path: Path) -> None:
    """A batch reads what its offsets say, though more was written since."""
    path = tmp_path / "a.pcap"
    data = samples["pcap"]
    path.write_bytes(data[: len(data) // 2])
    stream = Stream(tmp_path)
    start, end = stream.offset, stream.plan()
    number = stream.run(end)
    path.write_bytes(data)
    (tmp_path / "b.pcap").write_bytes(samples["other"])
    stream.restart()
    stream.offset = start
    assert stream.run(end) == number
    assert stream.rows[:number] == stream.rows[number:]
    stream.step()
    assert sorted(stream.rows[number:]) == sorted(expected(path) + expected(tmp_path / "b.pcap"))


def test_a_gzip_file_waits_until_it_is_whole(samples: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "a.pcap.gz"
    stream = Stream(tmp_path)
    for cut in (1, 10, 500, len(samples["gzip"]) - 1):
        path.write_bytes(samples["gzip"][:cut])
        assert stream.step() == 0
    path.write_bytes(samples["gzip"])
    stream.step()
    assert stream.rows == expected(path)
    assert stream.step() == 0


def test_packets_that_are_appended(samples: dict[str, bytes], tmp_path: Path) -> None:
    """Bytes come in pieces with their offsets; together they are the file."""
    path = tmp_path / "a.bin"
    stream = Stream(tmp_path)
    data = samples["packets"]
    for cut in (5, 100, 70_000, 140_000, len(data)):
        path.write_bytes(data[:cut])
        stream.step()
    assert [row[9] for row in stream.rows] == [
        sum(len(row[12]) for row in stream.rows[:index]) for index in range(len(stream.rows))
    ]
    assert b"".join(row[12] for row in stream.rows) == data


def test_a_file_that_is_written_anew(samples: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "ring.pcap"
    stream = Stream(tmp_path)
    path.write_bytes(samples["other"])
    stream.step()
    first = expected(path)
    path.write_bytes(samples["pcap"])
    stream.step()
    assert stream.rows == first + expected(path)
    path.write_bytes(samples["other"])
    planned = stream.plan()
    path.write_bytes(samples["pcap"])
    stream.restart()
    with pytest.raises(mw.MsmqWireError, match="was overwritten before it was read; its data is missing"):
        stream.run(planned)


@pytest.mark.parametrize("restarts", [False, True], ids=["one process", "a new process each time"])
def test_files_that_begin_alike(restarts: bool, samples: dict[str, bytes], tmp_path: Path) -> None:
    """A slot of a ring buffer whose file has the same section and interface, as one program writes them."""
    section = block(
        0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1) + b"\x04\0\x40\0" + b"x" * 64 + bytes(4)
    )
    start = section + block(1, struct.pack("<HHI", 1, 0, 0))
    assert len(start) > 64
    data = samples["pcap"]
    frames = []
    at = 24
    while at < len(data):
        seconds, micros, size, whole = struct.unpack_from("<IIII", data, at)
        time = seconds * 10**6 + micros
        body = data[at + 16 : at + 16 + size]
        head = struct.pack("<IIIII", 0, time >> 32, time & 0xFFFFFFFF, size, whole)
        frames.append(block(6, head + body + bytes(-size % 4)))
        at += 16 + size
    half = len(frames) // 2
    path = tmp_path / "ring.pcapng"
    stream = Stream(tmp_path)
    want = []
    for part in (frames[: half // 2], frames[half:]):
        path.write_bytes(start + b"".join(part))
        want += expected(path)
        end = stream.plan()
        if restarts:
            stream.restart()
        stream.run(end)
    assert stream.rows == want
    assert stream.step() == 0


def test_a_hole_that_is_filled(samples: dict[str, bytes], tmp_path: Path) -> None:
    """A file whose blocks came in another order, and which has grown since: nothing of it is lost."""
    path = tmp_path / "a.pcap"
    data = samples["pcap"]
    sizes, at = [], 24
    while at < len(data):
        sizes.append((at, at + 16 + int.from_bytes(data[at + 8 : at + 12], "little")))
        at = sizes[-1][1]
    first, last = sizes[5], sizes[-1]
    hole = data[: first[0] + 16] + bytes(first[1] - first[0] - 16) + data[first[1] :]
    path.write_bytes(hole[: last[0]])
    stream = Stream(tmp_path)
    stream.step()
    path.write_bytes(data)
    stream.step()
    assert {row[1:] for row in expected(path)} <= {row[1:] for row in stream.rows}
    stream.restart()
    assert stream.step() == 0


def test_an_offset_of_an_earlier_version(samples: dict[str, bytes], tmp_path: Path) -> None:
    """Which had no checksum of all that was read, and places with passwords."""
    path = tmp_path / "a.pcap"
    data = samples["pcap"]
    path.write_bytes(data[: len(data) // 2])
    stream = Stream(tmp_path)
    stream.step()
    (mark,) = stream.offset.values()
    del mark["whole"]
    assert stream.step() == 0
    path.write_bytes(data)
    stream.restart()
    stream.step()
    assert stream.rows == expected(path)


def test_an_offset_has_no_password(
    samples: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new process finds the file by its name without it."""
    server = "ftp://user:secret@host"
    for module in (stream_reader, file_reading):
        monkeypatch.setattr(module, "opened", lambda location: opened(location.removeprefix(server)))

    def at_host(locations: tuple[str, ...], **more: Any) -> list[File]:
        return [file._replace(location=f"{server}{file.location}") for file in files_of(locations, **more)]

    monkeypatch.setattr(stream_reader, "files_of", at_host)
    path = tmp_path / "a.pcap"
    path.write_bytes(samples["other"])
    stream = Stream(tmp_path)
    planned = stream.plan()
    assert [*planned] == [f"ftp://user@host{path}"]
    stream.restart()
    assert stream.run(planned) == len(expected(path))
    stream.offset = {f"{server}{path}": mark for mark in planned.values()}  # of an earlier version
    assert stream.step() == 0
    stream.restart()
    assert "secret" not in json.dumps(stream.plan())
    path.unlink()
    stream.offset = {}
    with pytest.raises(mw.MsmqWireError, match=r"ftp://user@host/.*/a\.pcap was removed before it was read"):
        stream.run(planned)


def block(kind: int, body: bytes) -> bytes:
    size = struct.pack("<I", 12 + len(body))
    return struct.pack("<I", kind) + size + body + size


def test_damage_within_a_file(samples: dict[str, bytes], tmp_path: Path) -> None:
    """One error row; what follows the damage is read, also what comes later."""
    data = samples["pcap"]
    size = int.from_bytes(data[32:36], "little")
    second = 24 + 16 + size
    broken = data[: second + 8] + b"\xff\xff\xff\x7f" + data[second + 12 :]
    path = tmp_path / "a.pcap"
    path.write_bytes(broken)
    (tmp_path / "b.txt").write_bytes(b"this is no capture of any kind")
    stream = Stream(tmp_path)
    stream.step()
    errors = {row[0].rpartition("/")[2]: (row[1], row[2], row[-1]) for row in stream.rows if row[-1]}
    lost = 16 + int.from_bytes(data[second + 8 : second + 12], "little")
    problem = "a record states a size of 2147483647 bytes, and no frame has more than 262144"
    assert errors == {
        "a.pcap": (2, second, f"{problem}; {lost} bytes were passed over"),
        "b.txt": (None, 0, "the file does not begin as pcap, pcapng or MSMQ packets does"),
    }
    (tmp_path / "_whole").mkdir()
    (tmp_path / "_whole" / "a.pcap").write_bytes(data)
    count = len(expected(tmp_path / "_whole" / "a.pcap"))
    assert len(stream.rows) == count + 1
    path.write_bytes(broken + data[24:])
    assert stream.step() == count


def test_limits(samples: dict[str, bytes], tmp_path: Path) -> None:
    """The oldest files come first, and each batch takes no more than the limit."""
    for index in range(4):
        path = tmp_path / f"{3 - index}.pcap"
        path.write_bytes(samples["other"])
        os.utime(path, ns=(index * 10**9, index * 10**9))
    one = len(expected(tmp_path / "0.pcap"))
    stream = Stream(tmp_path, maxFilesPerTrigger="1")
    assert stream.reader.getDefaultReadLimit() == ReadMaxFiles(1)
    assert [stream.step(ReadMaxFiles(1)) for _ in range(5)] == [one] * 4 + [0]
    assert [row[0][-6] for row in stream.rows[::one]] == ["3", "2", "1", "0"]
    stream = Stream(tmp_path, maxBytesPerTrigger="1")
    limit = stream.reader.getDefaultReadLimit()
    assert limit == ReadMaxBytes(1)
    assert [stream.step(ReadMaxBytes(len(samples["other"]) + 1)) for _ in range(3)] == [2 * one, 2 * one, 0]
    assert Stream(tmp_path).reader.getDefaultReadLimit() == ALL


def test_what_comes_after_the_end_was_set(samples: dict[str, bytes], tmp_path: Path) -> None:
    stream = Stream(tmp_path)
    (tmp_path / "a.pcap").write_bytes(samples["other"])
    stream.reader.prepareForTriggerAvailableNow()
    (tmp_path / "b.pcap").write_bytes(samples["pcap"])
    stream.step()
    assert stream.rows == expected(tmp_path / "a.pcap")
    assert stream.step() == 0


def test_patterns_may_stand_for_nothing_yet(samples: dict[str, bytes], tmp_path: Path) -> None:
    stream = Stream(tmp_path / "*.pcap")
    assert stream.step() == 0
    (tmp_path / "a.pcap").write_bytes(samples["other"])
    assert stream.step() > 0
    with pytest.raises(mw.MsmqWireError, match=r"there is no file .*/nowhere"):
        Stream(tmp_path / "nowhere").step()


@pytest.mark.long
def test_a_query_that_is_started_again(
    spark: SparkSession, samples: dict[str, bytes], tmp_path: Path
) -> None:
    """Spark itself, with a checkpoint, a file that grows between two runs, and a limit."""
    spark.dataSource.register(MsmqDataSource)
    location = tmp_path / "in"
    location.mkdir()
    data = samples["pcap"]
    (location / "a.pcap").write_bytes(data[: len(data) // 2])
    (location / "b.pcap").write_bytes(samples["other"])

    def run() -> int:
        query = (
            spark.readStream.format("msmq")
            .option("maxFilesPerTrigger", "1")
            .load(str(location))
            .writeStream.format("parquet")
            .option("path", str(tmp_path / "out"))
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        return sum(1 for progress in query.recentProgress if progress.numInputRows)

    assert run() == 2
    (location / "a.pcap").write_bytes(data)
    assert run() == 1
    assert run() == 0
    found = spark.read.parquet(str(tmp_path / "out")).orderBy("file", "frame").toArrow()
    want = expected(location / "a.pcap") + expected(location / "b.pcap")
    assert found["frame"].to_pylist() == [row[1] for row in want]
    assert found["payload"].to_pylist() == [row[12] for row in want]
