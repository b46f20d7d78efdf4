"""Increments: whatever comes in between, the tables are those of one run over everything."""

from __future__ import annotations

import shutil
import struct
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.errors import StreamingQueryException
from support_by_hand import A, Capture, pcap
from support_examples import share
from support_remote_reads import PUBLIC, PUBLIC_QUEUE, QUEUE, READER, SECOND, SECOND_HANDLE, Frames

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.captures.files.segments import ACK, FIN, RST, SEGMENTS, SYN
from msmq_wire.captures.schemas import plain
from msmq_wire.spark import MsmqDataSource
from msmq_wire.spark._inputs.options import place_of
from msmq_wire.spark._workers.open_connections import Connections, RetentionPolicy, among
from msmq_wire.spark.pipeline import TABLES, Pipeline
from msmq_wire.testing.captures import Faults, write_captures, write_rehearsal
from msmq_wire.values.guid import GUID

from .conftest import usual_settings
from .support_truth import as_text, read_by_desk, read_without_spark, table_without_spark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

HEADER = 24
REMOTE_READ = GUID.of("1a9134dd-7b39-45ba-ad88-44d01ca47f28").bytes_le
DAY = 86_400


def records(path: Path, later: int = 0) -> tuple[bytes, list[bytes]]:
    """The header and the records of a pcap file, captured some seconds later."""
    data = path.read_bytes()
    found, at = [], HEADER
    while at < len(data):
        seconds, fraction, size = struct.unpack_from("<III", data, at)
        end = at + 16 + size
        found.append(struct.pack("<II", seconds + later, fraction) + data[at + 8 : end])
        at = end
    return data[:HEADER], found


def compare(
    pipeline: Pipeline, inputs: Sequence[Path], names: Sequence[str], moved: tuple[str, str] = ("", "")
) -> dict[str, int]:
    """Hold tables against those that the local engine makes of everything; how many rows they have."""
    _, there = read_without_spark(Path(place_of(pipeline.output)), names, moved)
    here = read_by_desk(inputs, names)
    for name in names:
        assert (here[name] - there[name], there[name] - here[name]) == (Counter(), Counter()), name
    return {name: rows.total() for name, rows in here.items()}


def rows_of(pipeline: Pipeline, name: str) -> list[dict[str, Any]]:
    """The rows of a table."""
    rows: list[dict[str, Any]] = table_without_spark(Path(place_of(pipeline.output)), name).to_pylist()
    return rows


ANSWERS = ("deliveries", "queues", "dependencies", "hosts", "findings")


@pytest.mark.long
def test_a_rehearsal_in_increments(spark: SparkSession, tmp_path: Path) -> None:
    """Sessions, answers and attacks go on in later files of each sensor; what was answered before changes."""
    made = write_rehearsal(tmp_path / "all", 3 * 3600, seed=13, faults=Faults.all(), managers=5, files=2)
    place, pipeline = tmp_path / "in", Pipeline(spark, str(tmp_path / "tables"), tables=ANSWERS)
    for step in range(2):
        for path in made.captures:
            header, frames = records(path)
            own = frames[len(frames) * step // 2 : len(frames) * (step + 1) // 2]
            folder = place / path.stem
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{step}.pcap").write_bytes(header + b"".join(own))
        assert pipeline.take([str(place)]) == len(made.captures)
    assert min(compare(pipeline, [place], ANSWERS).values()) > 0


@pytest.mark.long
def test_increments(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that grows, one that is killed on the way, and days later others: always what one run has."""
    made = [write_captures(tmp_path / name, 120, seed=seed, faults=Faults.all(), managers=6, files=1)
            for name, seed in (("early", 31), ("late", 32))]  # fmt: skip
    place, output = tmp_path / "in", str(tmp_path / "tables")
    place.mkdir()
    header, early = records(made[0].captures[0])
    _, late = records(made[1].captures[0], later=2 * DAY)
    (place / "0.pcap").write_bytes(header + b"".join(early[: len(early) // 3]))

    assert Pipeline(spark, output).take([str(place)]) == 1
    first = compare(Pipeline(spark, output), [place], ["packets"])

    with (place / "0.pcap").open("ab") as growing:
        growing.write(b"".join(early[len(early) // 3 : len(early) // 2]))
    (place / "1.pcap").write_bytes(header + b"".join(early[len(early) // 2 :]))
    with monkeypatch.context() as patch:
        patch.setattr(Pipeline, "_mark", lambda *_, **__: pytest.fail("killed"))
        with pytest.raises(pytest.fail.Exception, match="killed"):
            Pipeline(spark, output).take([str(place)])
    assert len(rows_of(Pipeline(spark, output), "packets")) == first["packets"]  # as if nothing had been
    assert Pipeline(spark, output).take([str(place)]) > 0
    second = compare(Pipeline(spark, output), [place], ["packets", "directory_changes"])
    assert second["packets"] > first["packets"]
    assert second["directory_changes"] > 0

    (place / "2.pcap").write_bytes(header + b"".join(late))
    pipeline = Pipeline(spark, output)
    assert pipeline.take([str(place)]) == 1
    assert compare(pipeline, [place], TABLES)["packets"] > second["packets"]
    names = TABLES[:: len(TABLES) // share(len(TABLES), 6)]
    _, rows_by_table = read_without_spark(Path(output), names)
    for name, rows in rows_by_table.items():
        by_spark = Counter(map(as_text, pipeline.table(name).toArrow().to_pylist()))
        assert (rows - by_spark, by_spark - rows) == (Counter(), Counter()), name
    # What was over two days ago is not kept any more, and counts for ever.
    kept = spark.read.parquet(f"{output}/state/kept/batch=3")
    times = [time for row in kept.collect() for time in pa.ipc.open_stream(row.data).read_all()["time"]]
    assert times
    assert {time.as_py().day for time in times} == {14 + 2}
    again = Pipeline(spark, output)
    assert again.take([str(place)]) == 0
    assert again.facts.rows["packets"] == second["packets"] + pipeline._statistics[1].rows["packets"]

    days = pq.read_table(f"{output}/packets", columns=["date"])["date"]
    assert {*map(str, days.to_pylist())} == {"2023-11-14", "2023-11-16"}
    with pytest.raises(mw.MsmqWireError, match="increments have no table segments"):
        Pipeline(spark, output, tables=["segments"]).take([str(place)])


SENDER = GUID(b"s" * 16)
REQUEST = mqmq.UserMessage.of(
    SourceQueueManager=SENDER, MessageID=7, DestinationQueue="DIRECT=OS:receiver\\orders",
    AdminQueue="DIRECT=OS:sender\\admin",
    MessagePropertiesHeaderFlags=mqmq.MessagePropertiesHeaderFlags(PA=1),
)  # fmt: skip
REPLY = mqmq.UserMessage.of(
    SourceQueueManager=GUID(b"r" * 16), MessageID=9, QueueManagerAddress=SENDER,
    DestinationQueue=f"PRIVATE={SENDER}\\00000009", ResponseQueue="DIRECT=OS:receiver\\orders",
    MessageClass=mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_REACH_QUEUE,
    CorrelationID=REQUEST.UserHeader.message_identifier.encode(),
)  # fmt: skip


OF_HTTP = (
    Capture().open().send(b"GET / HTTP/1.1\r\n\r\n").send(b"HTTP/1.1 200 OK\r\n", way="<-").close().frames
)


def _by_same_connection(begun: int) -> list[bytes]:
    frames = Frames(client=(f"10.0.0.{begun}", 50000)).bind().opened(2)
    frames.opened(3, PUBLIC, SECOND, SECOND_HANDLE).received(4).received(5, SECOND_HANDLE, size=100)
    captured = frames.talk.close().frames
    return [pcap(captured[:begun]), pcap(captured[begun:])]


def _by_another_connection() -> list[bytes]:
    opener = Frames().bind(group=7).opened(2)
    other = Frames(client=("10.0.0.1", 50001)).bind(wanted_group=7, group=7)
    other.received(3)
    other.talk.time += DAY * 1_000_000
    captured = other.received(4).talk.close().frames
    early = [*opener.talk.close().frames, *captured[:5]]
    return [pcap(part) for part in (early, captured[5:-5], captured[-5:])]


def _message(message: Any, day: int) -> Capture:
    talk = Capture(client=A._replace(port=50000 + day))
    talk.time += day * DAY * 1_000_000
    if day < 2:  # the beginning of the last connection was not captured
        talk.open()
    return talk.send(mw.encode(message), way="<-" if message is REPLY else "->").close()


@pytest.fixture(scope="module")
def by_step(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, list[Any]]]:
    """The rows of tables after each of three increments, which several sensors bring.

    They are those of one run over everything.  The second increment has the usual settings of Spark.
    """
    place = tmp_path_factory.mktemp("parts")
    sensors = {
        "opened late": _by_same_connection(5), "opened early": _by_same_connection(12),
        "opened by another": _by_another_connection(),
        "reply": [_message(message, day).data for day, message in enumerate((REQUEST, REPLY, REQUEST))],
        "HTTP": [pcap(part) for part in (OF_HTTP[:2], OF_HTTP[2:4], OF_HTTP[4:])],
    }  # fmt: skip
    names = ("packets", "messages", "quarantine", "violations", "frames", "balance")
    steps = []
    for step in range(3):
        parts = {sensor: files[step] for sensor, files in sensors.items() if step < len(files)}
        for sensor, data in parts.items():
            (place / "in" / sensor).mkdir(parents=True, exist_ok=True)
            (place / "in" / sensor / f"{step}.pcap").write_bytes(data)
        pipeline = Pipeline(spark, str(place / "tables"), tables=names)
        with usual_settings(spark) if step == 1 else nullcontext():
            assert pipeline.take([str(place / "in")]) == len(parts)
        compare(pipeline, [place / "in"], names)
        steps.append({name: rows_of(pipeline, name) for name in names})
    return steps


def of_sensor(rows: list[dict[str, Any]], sensor: str) -> list[dict[str, Any]]:
    return [row for row in rows if Path(row["file"]).parent.name == sensor]


@pytest.mark.long
@pytest.mark.parametrize("sensor", ["opened late", "opened early"])
def test_a_remote_read_whose_queue_was_opened_before(
    sensor: str, by_step: list[dict[str, list[Any]]]
) -> None:
    """Calls are joined across increments."""
    rows = of_sensor(by_step[1]["messages"], sensor)
    assert {(row["reader"], row["queue"]) for row in rows} == {(READER, QUEUE), (SECOND, PUBLIC_QUEUE)}


@pytest.mark.long
def test_a_remote_read_whose_queue_another_connection_opened(by_step: list[dict[str, list[Any]]]) -> None:
    """It is known as long as a connection of the association is open, of whatever increment."""
    rows = of_sensor(by_step[2]["messages"], "opened by another")
    assert [(row["reader"], row["queue"]) for row in rows] == [(READER, QUEUE)] * 2


@pytest.mark.long
def test_a_reply_in_a_later_increment(by_step: list[dict[str, list[Any]]]) -> None:
    """It is compared with its request, whose connection is over.

    A connection whose beginning was not captured may have had another message with this identifier.
    """
    none, (row,), neither = ([row for row in step["violations"] if row["other"]] for step in by_step)
    assert none == neither == []
    assert (row["requirement"], Path(row["file"]).name) == ("MQQB-3.1.7.15-01", "1.pcap")
    assert Path(row["other"]["file"]).name == "0.pcap"


@pytest.mark.long
def test_other_protocols_on_the_port_of_msmq(by_step: list[dict[str, list[Any]]]) -> None:
    """Their frames are counted by protocol, also of a connection that goes on in a later increment."""
    rows = of_sensor(by_step[2]["frames"], "HTTP")
    assert {(row["reason"], row["detail"]) for row in rows} == {("other stream", "HTTP")}
    assert sum(row["frames"] for row in rows) == len(OF_HTTP)


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["file:", ""][: share(2)])
def test_late_and_copied(scheme: str, spark: SparkSession, tmp_path: Path) -> None:
    """An earlier day in several late files, and files that are renamed, that grow then, or are copied.

    Spark writes the tables at a URL, and workers those at a path.
    """
    made = [write_captures(tmp_path / name, 60, seed=seed, faults=Faults.all(), managers=5, files=1)
            for name, seed in (("early", 35), ("late", 36))]  # fmt: skip
    place, output = tmp_path / "in", f"{scheme}{tmp_path / 'tables'}"
    place.mkdir()
    names = ("packets", "flows")
    header, early = records(made[0].captures[0])
    _, late = records(made[1].captures[0], later=5 * DAY)
    half = len(early) // 2
    for name, part in (("2.pcap", late), ("0.pcap", early[:half]), ("1.pcap", early[half:])):
        (place / name).write_bytes(header + b"".join(part[:-5]))
        assert Pipeline(spark, output, tables=names).take([str(place)]) == 1
    pipeline = Pipeline(spark, output, tables=names)
    counts = compare(pipeline, [place], names)
    assert counts["packets"] > 60
    (place / "2.pcap").rename(place / "3.pcap")
    shutil.copy(place / "0.pcap", place / "4.pcap")
    assert pipeline.take([str(place)]) == 0
    with (place / "3.pcap").open("ab") as growing:
        growing.write(b"".join(late[-5:]))
    pipeline = Pipeline(spark, output, tables=[*names, "quarantine"])
    assert pipeline.take([str(place)]) == 1
    problem = f"is a copy of {place}/0.pcap, which was read"
    copies = [row for row in rows_of(pipeline, "quarantine") if "is a copy of" in (row["error"] or "")]
    assert [(row["file"], row["error"]) for row in copies] == [(f"{place}/4.pcap", problem)]
    (place / "4.pcap").unlink()
    moved = (f"{place}/2.pcap", f"{place}/3.pcap")
    compare(pipeline, [place], names, moved)


def test_through_spark(spark: SparkSession, tmp_path: Path) -> None:
    """Files of another file system, by Spark's own access, in increments."""
    faults = msgspec.structs.replace(Faults.all(), bend=0.0)
    written = write_captures(tmp_path / "made", 80, seed=33, faults=faults, managers=6, files=2)
    place = tmp_path / "in #1"
    place.mkdir()
    first, second = (place / f"{name}.pcap" for name in ("1", "2 [of {2}]*"))
    first.write_bytes(written.captures[0].read_bytes())
    spark.conf.set("fs.viewfs.mounttable.msmq.link./in", place.as_uri())
    names = ("packets", "quarantine", "frames")
    moved = ("viewfs://msmq/in/", f"{place}/")
    try:
        growing = Pipeline(spark, str(tmp_path / "growing"), tables=names)
        assert growing.take(["viewfs://msmq/in"]) == 1
        second.write_bytes(written.captures[1].read_bytes())
        assert growing.take(["viewfs://msmq/in"]) == 1
        assert compare(growing, [place], names, moved)["packets"] > 60
        with second.open("ab") as file:
            file.write(bytes(8))
        assert growing.take(["viewfs://msmq/in"]) == 1
        changed = [
            row for row in rows_of(growing, "quarantine") if row["error"] == "has changed since it was read"
        ]
        assert [row["file"] for row in changed] == [f"viewfs://msmq/in/{second.name}"]
        assert growing.take(["viewfs://msmq/in"]) == 0
    finally:
        spark.conf.unset("fs.viewfs.mounttable.msmq.link./in")


@pytest.mark.long
def test_through_spark_at_once(usual: SparkSession, tmp_path: Path) -> None:
    """Spark reads a file and writes tables, with its usual settings; increments do not continue them."""
    (capture,) = write_captures(tmp_path / "made", 60, seed=33, managers=6, files=1).captures
    names = ("packets", "messages", "quarantine", "frames")
    whole = Pipeline(usual, f"file:{tmp_path}/whole", tables=names)
    whole.read([f"file:{capture}"], {"access": "spark"})
    whole.make()
    compare(whole, [capture], names)
    with pytest.raises(
        mw.MsmqWireError, match="has tables of one run, and increments can only continue increments"
    ):
        whole.take([str(capture)])


@pytest.mark.long
def test_a_stream_of_spark(spark: SparkSession, tmp_path: Path) -> None:
    """Structured Streaming brings segments, and a batch that comes twice counts once."""
    place = write_captures(tmp_path, 60, seed=34, files=2).captures[0].parent
    pipeline = Pipeline(spark, str(tmp_path / "tables"), tables=["packets"])
    seen = []

    def add(rows: Any, number: int) -> None:
        pipeline.add(rows, number)
        seen.append(len(rows_of(pipeline, "packets")))
        pipeline.add(rows, number)  # as after a crash

    def run(checkpoint: str) -> None:
        query = (
            spark.readStream.format("msmq").options(tcpPorts="any", maxFilesPerTrigger="1").load(str(place))
            .writeStream.foreachBatch(add).option("checkpointLocation", str(tmp_path / checkpoint))
            .trigger(availableNow=True).start()
        )  # fmt: skip
        query.awaitTermination()

    run("checkpoint")
    with pytest.raises(StreamingQueryException, match="has tables of another query: one without its check"):
        run("a new checkpoint")
    total = compare(pipeline, [place], ["packets"])["packets"]
    assert len(seen) == 2
    assert 0 < seen[0] < seen[1] == total
    with pytest.raises(
        mw.MsmqWireError, match="has tables of a query, and increments can only continue increments"
    ):
        pipeline.take([str(place)])
    assert len(rows_of(pipeline, "packets")) == total


@pytest.mark.long
def test_a_query_elsewhere(spark: SparkSession, tmp_path: Path) -> None:
    """A query does not go on with tables of others, nor with a part of its own."""
    captured = write_captures(tmp_path / "made", 60, seed=34, files=1).captures[0]
    spark.dataSource.register(MsmqDataSource)
    rows = spark.read.format("msmq").option("tcpPorts", "any").load(str(captured))
    taken = Pipeline(spark, str(tmp_path / "taken"), tables=["packets"])
    taken.take([str(captured)])
    count = len(rows_of(taken, "packets"))
    with pytest.raises(
        mw.MsmqWireError, match="has tables of increments, and a query can only continue tables of qu"
    ):
        taken.add(rows, 0)
    assert len(rows_of(taken, "packets")) == count
    added = Pipeline(spark, str(tmp_path / "added"), tables=["packets"])
    added.add(rows, 0)
    added.add(rows.where("false"), 1)
    shutil.rmtree(tmp_path / "added" / "packets" / "batch=1")
    with pytest.raises(
        mw.MsmqWireError, match=r"batch=1 is missing, and the input of a query, .* no longer exists"
    ):
        added.add(rows, 2)
    with pytest.raises(
        mw.MsmqWireError, match="has tables of a query, and increments can only continue increments"
    ):
        added.take([str(captured)])
    shutil.rmtree(tmp_path / "added")
    with pytest.raises(mw.MsmqWireError, match="lacks batch 0 of the query, and this is batch 2"):
        added.add(rows, 2)
    added.add(rows, 2, "a query")
    assert len(rows_of(added, "packets")) == count


def segment(time: int | None, flags: int, *, back: bool = False, **more: Any) -> dict[str, Any]:
    ends = ("10.0.0.1", 5000, "10.0.0.2", 1801)
    src, src_port, dst, dst_port = (*ends[2:], *ends[:2]) if back else ends
    return {
        **dict.fromkeys(SEGMENTS.names), "file": "/a/1.pcap", "time": time, "transport": "tcp", "src": src,
        "src_port": src_port, "dst": dst, "dst_port": dst_port, "flags": flags, "payload": b"", **more,
    }  # fmt: skip


def is_open(rows: Sequence[dict[str, Any]], *, last: int, new: bool = False) -> bool:
    batch = pa.RecordBatch.from_pylist([*rows], schema=plain(SEGMENTS))
    connections = Connections(RetentionPolicy({"/a/": last * 1_000_000}, idle=1000, linger=10))
    connections.take(batch, new=new)
    found = among(batch, connections.open()).to_pylist()
    assert len(set(found)) == 1
    return bool(found[0])


S = 1_000_000


@pytest.mark.parametrize(
    ("rows", "last", "expected"),
    [
        ([segment(0, SYN), segment(S, ACK)], 900, True),
        ([segment(0, SYN), segment(S, ACK)], 1002, False),
        ([segment(0, SYN), segment(S, FIN)], 100, True),
        ([segment(0, SYN), segment(S, FIN), segment(S, FIN, back=True)], 10, True),
        ([segment(0, SYN), segment(S, FIN), segment(S, FIN, back=True)], 100, False),
        ([segment(0, SYN), segment(S, RST, back=True)], 100, False),
        ([segment(0, RST), segment(S, SYN)], 100, True),
        ([segment(0, SYN), segment(S, FIN), segment(S, FIN, back=True), segment(2 * S, SYN)], 100, True),
        ([segment(0, FIN), segment(S, FIN, back=True)], 900, True),
        ([segment(0, FIN), segment(S, FIN, back=True)], 1002, False),
        ([segment(0, 0, transport="udp")], 100, True),
        ([segment(0, 0, transport="udp")], 2000, False),
    ],
)  # fmt: skip
def test_open_connections(rows: list[dict[str, Any]], last: int, expected: bool) -> None:
    assert is_open(rows, last=last) is expected


def test_open_connections_of_remote_calls() -> None:
    """One that opened a queue stays, as long as another one of its hosts may name its handles."""
    ends: dict[str, Any] = {"src_port": 5001, "dst_port": 2105}
    closed = [segment(0, SYN), segment(0, FIN), segment(0, FIN, back=True)]
    for row, port in zip(closed, (5000, 5000, 2105), strict=True):
        row |= {"src_port": port, "dst_port": 7105 - port}
    bind: dict[str, Any] = {
        "payload": bytes.fromhex("05000b0310000000") + bytes(20) + REMOTE_READ,
        "marked": False,
    }
    cases: list[tuple[dict[str, Any], dict[str, Any], bool]]
    cases = [(bind, bind, True), ({}, bind, False), (bind, {}, False)]
    for own, theirs, expected in cases:
        rows = [*closed, segment(0, ACK, **{**own, "src_port": 5000, "dst_port": 2105})]
        rows.append(segment(900 * S, ACK, **{**theirs, **ends}))
        batch = pa.RecordBatch.from_pylist(rows, schema=plain(SEGMENTS))
        connections = Connections(RetentionPolicy({"/a/": 900 * S}, idle=1000, linger=10))
        connections.take(batch, new=False)
        assert among(batch, connections.open()).to_pylist() == [expected] * 4 + [True]


def test_without_time() -> None:
    """What has no time waits as long as more of it comes."""
    assert is_open([segment(None, 0)], last=5000, new=True)
    assert not is_open([segment(None, 0)], last=0)


def test_late_segments() -> None:
    """For what comes late, time counts from when it came, by the clock of the sensor."""
    late: dict[tuple[str, str], int] = {}
    rows = pa.RecordBatch.from_pylist([segment(0, SYN), segment(S, ACK)], schema=plain(SEGMENTS))
    found = []
    for new, last in ((True, 5000), (False, 5900), (False, 6001)):
        connections = Connections(RetentionPolicy({"/a/": last * S}, idle=1000, linger=10, late=late))
        connections.take(rows, new=new)
        late = connections.late()
        found.append([*late.values()])
        assert late.keys() == connections.open()
    assert found == [[5000 * S], [5000 * S], []]


def test_urls_of_local_files_become_paths() -> None:
    assert place_of("file:/a b/c") == place_of("file:///a b/c") == "/a b/c"
    assert place_of("s3a://bucket/file:/a") == "s3a://bucket/file:/a"
    assert place_of("ftp://user:secret@host/a") == "ftp://user@host/a"
