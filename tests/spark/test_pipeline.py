"""The job: generated captures with every fault come out as the ground truth says, to the byte."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow.parquet as pq
import pytest
from pyspark.sql import functions as F  # as everybody calls it
from scapy.layers.inet import fragment
from scapy.layers.l2 import Ether
from support_by_hand import Capture as HandMade
from support_by_hand import pcap
from support_examples import share

import msmq_wire as mw
from captures.segments import SESSION_ACK
from captures.test_real_stacks import WHY_NOT, Talked
from msmq_wire import captures
from msmq_wire.captures.answers.deliveries.reasons import STATES
from msmq_wire.captures.reports.report import Report, written
from msmq_wire.captures.table_builder import ImbalanceError
from msmq_wire.checks.rules.session import UNREADABLE
from msmq_wire.packets.carriers import carries
from msmq_wire.spark._reports import progress
from msmq_wire.spark._reports.report import written_by
from msmq_wire.spark._reports.statistics import TaskStatistics
from msmq_wire.spark._reports.summary import Summary, summary_of
from msmq_wire.spark.pipeline import MORE, TABLES, Pipeline, chosen
from msmq_wire.testing.captures import Faults, write_captures, write_rehearsal

from .support_changes import expected_changes, expected_tables, found_changes, found_tables
from .support_differences import differences
from .support_truth import as_text, expected_flows, found_flows, read_by_desk, read_without_spark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

PACKETS = 800
BENT = msgspec.structs.replace(Faults.all(), bend=0.1, truncate=0.01)


class Run:
    """One run over three directories: with faults, without, and with damaged files."""

    def __init__(self, spark: SparkSession, directory: Path) -> None:
        self.directory = directory
        self.output = str(directory / "tables")
        self.faulty = write_captures(
            directory / "faulty", PACKETS, seed=13, faults=BENT, managers=8, form="pcapng.gz"
        )
        self.clean = write_captures(directory / "clean", PACKETS, seed=14, managers=8, files=2)
        damaged = directory / "damaged"
        damaged.mkdir()
        whole = self.clean.captures[0].read_bytes()
        (damaged / "short.pcap").write_bytes(whole[: len(whole) // 2 + 7])
        (damaged / "no capture.pcap").write_bytes(b"this is no capture at all, and long enough")
        self.told: list[str] = []
        tables = [*TABLES, *MORE]
        self.pipeline = Pipeline(spark, self.output, tables=tables, progress=self.told.append)
        inputs = [str(directory / name) for name in ("faulty/captures", "clean/captures", "damaged")]
        self.pipeline.read(inputs)
        self.pipeline.make()
        self.inputs = inputs
        self._rows: dict[str, list[dict[str, Any]]] = {}

    def rows(self, name: str, *, parts: bool = False) -> list[dict[str, Any]]:
        """The rows of a table, read without Spark; of `packets` the parts as well if they are wanted."""
        if name not in self._rows:
            self._rows[name] = pq.read_table(f"{self.output}/{name}").to_pylist()
        found = self._rows[name]
        return [row for row in found if not row["partial"]] if name == "packets" and not parts else found

    def of(self, name: str, sensor: str) -> list[dict[str, Any]]:
        """The rows of one of the directories."""
        return [row for row in self.rows(name) if f"/{sensor}" in row["sensor"]]


@pytest.fixture(scope="module")
def run(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return Run(spark, tmp_path_factory.mktemp("run"))


@pytest.mark.parametrize("name", ["faulty", "clean"])
def test_ground_truth(run: Run, name: str) -> None:
    """Each flow has the packets, gaps and bytes without a packet that the truth has, each at its place."""
    truth = expected_flows(getattr(run, name).truth)
    rows = [*run.of("packets", name), *run.of("gaps", name), *run.of("quarantine", name)]
    found = found_flows(rows)
    assert len(truth) > 10
    assert found == truth
    kinds = Counter(kind for spans in truth.values() for _, kind, _, _ in spans)
    assert kinds["packet"] > 500
    assert (kinds["gap"] > 0) == (kinds["junk"] > 0) == (name == "faulty")


@pytest.mark.long
@pytest.mark.parametrize("name", ["faulty", "clean"][: share(2)])
def test_every_table(run: Run, spark: SparkSession, name: str) -> None:
    """Packets, gaps, junk, messages, sessions and violations are those that the generator meant."""
    written = getattr(run, name)
    found = differences(spark, run.pipeline.table, written.truth.parent, f"/{name}/")
    assert found == dict.fromkeys(found, 0)
    assert len(found) == 14
    rows = {kind: pq.read_table(getattr(written, kind)) for kind in ("messages", "sessions", "violations")}
    assert rows["messages"].num_rows > 500
    assert rows["sessions"].num_rows > 5
    broken = set(rows["violations"]["requirement"].to_pylist())
    assert (len(broken) > 10) == (name == "faulty")


@pytest.mark.long
def test_differences_are_found(run: Run, spark: SparkSession) -> None:
    """The comparison counts what is not the same."""
    spoilt = {
        "messages": ("label", F.concat("label", F.lit("!"))),
        "sessions": ("outcome", F.lit("open")),
        "violations": ("requirement", F.lit("MQMQ-2.2.19.1-01")),
        "packets": ("data", F.lit(b"")),
    }

    def table(name: str) -> DataFrame:
        rows = run.pipeline.table(name)
        return rows.withColumn(*spoilt[name]) if name in spoilt else rows

    found = differences(spark, table, run.faulty.truth.parent, "/faulty/")
    for kind in ("packet", "message", "session", "violation"):
        assert min(found[f"{kind}, too many"], found[f"{kind}, too few"]) > 0


def test_one_input_and_one_table(spark: SparkSession, tmp_path: Path) -> None:
    """A text is one of them, not its characters."""
    (tmp_path / "captures").mkdir()
    pipeline = Pipeline(spark, str(tmp_path / "captures" / "tables"), tables="frames")
    assert pipeline.tables == ["frames"]
    for method in (pipeline.read, pipeline.take):
        for inputs in (str(tmp_path / "captures"), tmp_path / "captures"):
            with pytest.raises(mw.MsmqWireError, match=rf"is inside {re.escape(str(inputs))}, which is an"):
                method(inputs)
        with pytest.raises(mw.MsmqWireError, match="expected a path, got int"):
            method([5])
    with pytest.raises(mw.MsmqWireError, match="there is no table 'foo'; there are flows, packets"):
        pipeline.table("foo")


@pytest.mark.long
def test_relative_paths(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are paths of the program; workers have other directories."""
    written = write_captures(tmp_path, 20, seed=7, files=1)
    monkeypatch.chdir(tmp_path)
    pipeline = Pipeline(spark, str(tmp_path / "tables"), tables="frames")
    pipeline.read("captures")
    pipeline.make()
    assert [row.file for row in pipeline.table("frames").collect()] == [str(written.captures[0])]


def test_progress_of_tasks(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a job runs, its tasks are told: one waits for that, and Spark may count the other late."""
    monkeypatch.setattr(progress, "EVERY", 0.01)
    lines: list[str] = []
    report = tmp_path / "told"

    def tell(line: str) -> None:
        lines.append(line)
        report.touch()

    def run_task(is_second: bool) -> None:  # within the test, because the workers cannot import its module
        limit = time.monotonic() + 300  # which ends only a hang
        while is_second and not report.exists():
            assert time.monotonic() < limit
            time.sleep(0.01)

    with progress.tasks_told(spark, "captures", tell):
        spark.sparkContext.parallelize([False, True], 2).foreach(run_task)
    matches = [
        re.fullmatch(r"captures: [01] of 2 tasks of stage \d+(, about \d+ s left)?", line) for line in lines
    ]
    assert matches
    assert all(matches), lines


@pytest.mark.long
def test_the_group_of_jobs_is_the_callers(
    spark: SparkSession, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Captures are read in the group of jobs of the caller, whose tasks are told."""
    groups: list[str | None] = []

    @contextmanager
    def tasks_told(session: SparkSession, name: str, tell: Callable[[str], None]) -> Iterator[None]:
        with progress.tasks_told(session, name, tell):
            groups.append(session.sparkContext.getLocalProperty("spark.jobGroup.id"))
            tell(name)
            yield

    monkeypatch.setattr("msmq_wire.spark.pipeline.tasks_told", tasks_told)
    lines: list[str] = []
    pipeline = Pipeline(spark, str(tmp_path), tables=["packets"], progress=lines.append)
    pipeline.read(run.inputs)
    spark.sparkContext.setLocalProperty("spark.jobGroup.id", "ours")
    try:
        pipeline.make()
        assert spark.sparkContext.getLocalProperty("spark.jobGroup.id") == "ours"
    finally:
        spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]  # PySpark has it so
    assert groups == ["ours"]
    assert "captures" in lines


def as_without_spark(pipeline: Pipeline, inputs: list[str], directory: Path) -> None:
    """Both engines make the same tables, row by row, with the same columns."""
    counts = captures.write(inputs, directory)
    assert {name: pipeline.facts.rows.get(name, 0) for name in TABLES if name != "frames"} == {
        name: count for name, count in counts.items() if name != "frames"
    }
    for name, schema in captures.SCHEMAS.items():
        own = pq.read_table(directory / name)
        assert own.column_names == pipeline.table(name).columns, name
        theirs = pq.read_table(f"{pipeline.output}/{name}")
        here, there = (Counter(map(as_text, rows.to_pylist())) for rows in (own, theirs))
        assert (here - there, there - here) == (Counter(), Counter()), name
        assert schema.names == own.column_names


def test_the_same_without_spark(run: Run, tmp_path: Path) -> None:
    as_without_spark(run.pipeline, run.inputs, tmp_path / "tables")


@pytest.mark.long
def test_settings_of_violations(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    """They are those of the desk; what cannot be is refused before anything is read."""
    chosen: dict[str, Any] = {"level": "practice", "profile": "windows-xp", "clock_tolerance": 0.0}
    ignored = "MQQB-3.1.5.1.2-01"
    inputs = [run.inputs[0]]
    pipeline = Pipeline(spark, str(tmp_path), tables=["violations"], ignore=[ignored], **chosen)
    pipeline.read(inputs)
    pipeline.make()
    settings = captures.Settings(ignore=frozenset({ignored}), **chosen)
    desk = captures.tables(inputs, ["violations"], settings)["violations"].read_all().to_pylist()
    rows = pq.read_table(f"{tmp_path}/violations").to_pylist()
    assert Counter(map(repr, rows)) == Counter(map(repr, desk))
    usual = captures.tables(inputs, ["violations"])["violations"].read_all()
    assert len(rows) > usual.num_rows > 0
    wrongs: list[dict[str, Any]] = [{"level": "all"}, {"profile": "windows-95"}, {"ignore": ["x"]}]
    for wrong in [*wrongs, {"clock_tolerance": -1}]:
        with pytest.raises((mw.MsmqWireError, ValueError)):
            Pipeline(spark, str(tmp_path), **wrong)


@pytest.mark.long
@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_real_stacks(spark: SparkSession, tmp_path: Path) -> None:
    """Of real TCP stacks over a bad wire, both hosts have all packets, and both engines the same tables."""
    talked = Talked(tmp_path, "losses, IPv6, another port")
    inputs = [str(path) for path in talked.captures.values()]
    pipeline = Pipeline(spark, str(tmp_path / "spark"), tables=[*TABLES, *MORE])
    pipeline.read(inputs)
    pipeline.make()
    as_without_spark(pipeline, inputs, tmp_path / "tables")
    found = pq.read_table(tmp_path / "spark" / "packets").column("data").to_pylist()
    assert Counter(found) == Counter(2 * [data for way in talked.sent for data in way])


@pytest.mark.long
def test_days_of_an_enterprise(spark: SparkSession, tmp_path: Path) -> None:
    """The answers are those without Spark, which `testing/test_rehearsal` holds against what was done."""
    made = write_rehearsal(tmp_path / "made", 6 * 3600, seed=13, managers=5)
    inputs = [str(path.parent) for path in made.captures]
    pipeline = Pipeline(spark, str(tmp_path / "spark"), tables=[*TABLES, *MORE])
    pipeline.read(inputs)
    pipeline.make()
    as_without_spark(pipeline, inputs, tmp_path / "tables")
    rows = {name: pq.read_table(tmp_path / "spark" / name).to_pylist() for name in ("deliveries", "findings")}
    assert {row["state"] for row in rows["deliveries"]} == {*STATES}
    assert {"message-flood", "connection-flood"} <= {row["id"] for row in rows["findings"]}
    assert any(len(row["destinations"] or ()) > 1 for row in rows["deliveries"])


def test_pings(run: Run) -> None:
    pings = [
        row for row in run.rows("packets") if row["type"] == "PingPacket" and "/damaged/" not in row["sensor"]
    ]
    assert len(pings) == run.faulty.pings + run.clean.pings > 0
    assert all(row["transport"] == "udp" and row["BaseHeader"] is None for row in pings)


def test_balance(run: Run) -> None:
    """Every flow balances, and the run is complete."""
    rows = run.rows("balance")
    assert {row["difference"] for row in rows} == {0}
    assert sum(row["bytes"] for row in rows) == sum(row["size"] for row in run.rows("flows")) > 500_000
    (state,) = run.rows("run")
    assert state["state"] == "complete"
    assert {stage["name"] for stage in json.loads(state["stages"])} == {"captures", *TABLES, *MORE}
    assert not (run.directory / "tables" / "stage").exists()


@pytest.mark.long
def test_large_packets(spark: SparkSession, tmp_path: Path) -> None:
    """Packets of the largest size are moved as others are, and the session is left as it was."""
    names = ("spark.sql.parquet.columnarReaderBatchSize", "spark.sql.maxConcurrentOutputFileWriters")
    before = [spark.conf.get(name) for name in names]
    body = bytes(index % 251 for index in range(4_000_000))
    properties = mw.mqmq.MessagePropertiesHeader(MessageBody=body)
    data = mw.encode(mw.mqmq.UserMessage(MessagePropertiesHeader=properties))
    (tmp_path / "few.msmq").write_bytes(data * 3)
    pipeline = Pipeline(spark, str(tmp_path / "tables"), tables=["packets", "messages"])
    pipeline.read([str(tmp_path / "few.msmq")])
    pipeline.make()
    rows = pq.read_table(tmp_path / "tables" / "packets").to_pylist()
    assert [row["data"] for row in rows] == [data] * 3
    assert pq.read_table(tmp_path / "tables" / "messages")["body"].to_pylist() == [body] * 3
    assert [spark.conf.get(name) for name in names] == before


@pytest.mark.long
def test_damage_in_parts(spark: SparkSession, tmp_path: Path) -> None:
    """A file that several tasks read has the same rows of damage as one that is read as a whole."""
    frame = bytes(12) + b"\x08\x00" + bytes(20)
    frames = [frame[: 14 + at % 3 * 8] for at in range(3000)] + [frame[:5]] * 7
    directory = tmp_path / "damaged.pcap"
    directory.write_bytes(pcap((0, frame) for frame in frames))
    pipeline = Pipeline(spark, str(tmp_path / "tables"), tables=["quarantine", "frames"])
    pipeline.read([str(directory)], {"bytesPerPartition": "20000"})
    pipeline.make()
    here = captures.tables(directory, ["quarantine", "frames"])
    for name in here:
        rows = pq.read_table(tmp_path / "tables" / name).to_pylist()
        assert sorted(map(as_text, rows)) == sorted(map(as_text, here[name].read_all().to_pylist())), name
    # the damaged and the cut frames, and the interface, of which nothing was read
    assert sorted(row["places"] for row in here["quarantine"].read_all().to_pylist()) == [1, 7, 3000]


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["", "file:"][: share(2)])
def test_fragments_in_parts(scheme: str, spark: SparkSession, tmp_path: Path) -> None:
    """Datagrams in fragments that several tasks read are reassembled, or reported once, as in one process."""
    faults = msgspec.structs.replace(Faults.all(), fragment=0.5)
    written = write_captures(tmp_path, 150, seed=8, faults=faults, managers=5, files=2)
    assert all(capture.stat().st_size > 30_000 for capture in written.captures)
    names = ("packets", "gaps", "quarantine", "frames")
    assert _passes(spark, tmp_path, scheme, names, bytesPerPartition="10000") == 2


@pytest.mark.parametrize(("earlier", "passes"), [(False, 1), pytest.param(True, 2, marks=pytest.mark.long)])
def test_fragments_in_files_of_a_task(
    spark: SparkSession, tmp_path: Path, earlier: bool, passes: int
) -> None:
    """They are reassembled in one pass, unless another task has read a fragment of the same datagram."""
    talk = HandMade().open().send(SESSION_ACK).close()
    frames = talk.frames
    (number,) = (number for number, (_, frame) in enumerate(frames) if SESSION_ACK in frame)
    time, whole = frames[number]
    first, second = (bytes(part) for part in fragment(Ether(whole), 32))
    files = [[*frames[:number], (time, first)], [(time, second), *frames[number + 1 :]]]
    files.append([(time, b"\xff" * 60)] * 4000)
    if earlier:  # it is the one that counts
        files[-1].append((time - 1, second[:-4] + b"\xff" * 4))
    (tmp_path / "captures").mkdir()
    for index, records in enumerate(files):
        (tmp_path / "captures" / f"{index}.pcap").write_bytes(pcap(records))
    size = (tmp_path / "captures" / "2.pcap").stat().st_size  # so a task reads the two others
    names = ["packets", "quarantine", "frames"]
    assert _passes(spark, tmp_path, "", names, bytesPerPartition=str(size), minPartitions="1") == passes


@pytest.mark.long
def test_a_number_of_fragments_that_is_used_again(spark: SparkSession, tmp_path: Path) -> None:
    """An incomplete datagram is none of the later one, in whichever parts of a file their fragments are."""
    frames = HandMade().open().send(SESSION_ACK).close().frames
    (number,) = (number for number, (_, frame) in enumerate(frames) if SESSION_ACK in frame)
    time, whole = frames[number]
    first, second = (bytes(part) for part in fragment(Ether(whole), 32))
    early, others = time - 2_000_000, [(time, b"\xff" * 60)] * 300
    incomplete = [(early, first[:-8] + b"\xff" * 8), *others]
    records = [*incomplete, *frames[:number], (time, first), *others, (time, second), *frames[number + 1 :]]
    (tmp_path / "captures").mkdir()
    (tmp_path / "captures" / "a.pcap").write_bytes(pcap(records))
    names = ["packets", "quarantine", "frames"]
    assert _passes(spark, tmp_path, "", names, bytesPerPartition="8000") == 2
    assert SESSION_ACK in pq.read_table(tmp_path / "tables" / "packets")["data"].to_pylist()


def _passes(spark: SparkSession, directory: Path, scheme: str, names: Sequence[str], **options: str) -> int:
    """Hold the tables against those of one process; return the number of passes over the captures."""
    told: list[str] = []
    pipeline = Pipeline(spark, f"{scheme}{directory}/tables", tables=names, progress=told.append)
    pipeline.read([str(directory / "captures")], options)
    pipeline.make()
    _, there = read_without_spark(directory / "tables", names)
    assert there == read_by_desk(directory / "captures", names)
    return 1 + sum(line.startswith("captures again") for line in told)


def test_imbalance(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker finds wrong ends the job before any table is written."""
    (tmp_path / "packets").write_bytes(SESSION_ACK)
    pipeline = Pipeline(spark, str(tmp_path / "tables"))
    pipeline.read([str(tmp_path / "packets")])
    monkeypatch.setattr(
        TaskStatistics, "add", lambda self, _other: self.wrong.append("here > there: +5 bytes")
    )
    with pytest.raises(ImbalanceError, match=r"here > there: \+5 bytes"):
        pipeline.make()
    assert not (tmp_path / "tables").exists()


def test_captured_bytes(run: Run) -> None:
    """What was captured is in a piece, or was there already."""
    pieces = run.rows("pieces")
    in_stream = sum(row["size"] for row in pieces if row["kind"] not in {"gap", "conflict"})
    captured = sum(row["captured"] for row in run.rows("flows"))
    assert in_stream + sum(row["repeated"] for row in pieces) == captured


def test_damage(run: Run) -> None:
    """Damaged files are named in quarantine, and what could be read of them is there."""
    rows = [row for row in run.of("quarantine", "damaged") if row["kind"] in {"file", "frame"}]
    assert {row["file"].rpartition("/")[2] for row in rows} == {"short.pcap", "no capture.pcap"}
    assert all(row["error"] and row["cause"] for row in rows)
    assert len(run.of("packets", "damaged")) > 50


def test_headers(run: Run) -> None:
    """The headers are those of the records, under the names of the page."""
    rows = run.of("packets", "clean")
    for row in rows[:: len(rows) // 50]:
        if row["type"] == "PingPacket":
            continue
        packet: Any = mw.decode(row["data"])
        assert row["type"] == type(packet).__name__
        assert row["BaseHeader"]["PacketSize"] == packet.BaseHeader.PacketSize
        assert row["BaseHeader"]["Flags"]["PR"] == packet.BaseHeader.Flags.PR
        for name in ("UserHeader", "SessionHeader", "InternalHeader"):
            assert (row[name] is None) == (getattr(packet, name, None) is None)


def test_messages(run: Run) -> None:
    """Each UserMessage is a row that says what its readings say."""
    packets = {(row["sensor"], row["flow"], row["offset"]): row for row in run.rows("packets")}
    known = run.rows("messages")
    assert any(row["partial"] for row in known)
    assert any(row["partial"] for row in run.rows("packets", parts=True))
    rows = [row for row in known if not row["partial"]]
    assert len(rows) == sum(row["type"] == "UserMessage" for row in packets.values())
    for row in rows[:: len(rows) // 50]:
        message: Any = mw.decode(packets[row["sensor"], row["flow"], row["offset"]]["data"])
        header, properties = message.UserHeader, message.MessagePropertiesHeader
        assert row["message"] == f"{header.SourceQueueManager}\\{header.MessageID}"
        assert row["sent_at"] == header.sent_at
        assert row["label"] == properties.label
        assert row["message_class"] == getattr(
            properties.message_class, "name", str(properties.message_class)
        )
        assert row["body"] == message.body
        assert row["transactional"] == message.is_transactional
        if not row["problems"]:
            first = next(iter(row["destinations"] or ()), None)  # of a list of queues, the first
            assert row["destination"] == (first if header.destination is None else str(header.destination))
        queue = carries(message)
        assert row["carries"] == (queue.name if queue else None)


def test_violations(run: Run) -> None:
    """What `validate` finds is there, and without faults nothing is found."""
    expected = Counter(
        (row["flow"], row["offset"], found.requirement, found.path, found.offset)
        for row in run.rows("packets", parts=True)
        if "/faulty" in row["sensor"] and row["type"] != "PingPacket"
        for found in mw.validate((mw.decode_lax if row["partial"] else mw.decode)(row["data"]))
    )
    rows = run.of("violations", "faulty")
    found = Counter(
        (row["flow"], row["offset"], row["requirement"], row["path"], row["field_offset"])
        for row in rows
        if row["requirement"] not in UNREADABLE
    )
    assert found == expected
    assert run.of("violations", "clean") == []


def test_sessions(run: Run) -> None:
    """Without faults every session with messages has its handshake, and an outcome."""
    rows = run.of("sessions", "clean")
    assert len(rows) > 5
    assert {row["handshake"] for row in rows if row["forward"]["messages"]} == {"complete"}
    messages = sum(row[side]["messages"] for row in rows for side in ("forward", "backward"))
    types = Counter(row["type"] for row in run.of("packets", "clean"))
    assert messages == types["UserMessage"] + types["OrderAck"] + types["FinalAck"]
    assert all(row["violations"] == [] for row in rows)


def test_directory_changes(run: Run) -> None:
    """Each change of each directory message is a row, as the generator made it."""
    for name in ("faulty", "clean"):
        expected = expected_changes(getattr(run, name).directory)
        found = found_changes(run.of("directory_changes", name))
        assert Counter(one._replace(captured=()) for one in found) == expected
        assert sum(expected.values()) == getattr(run, name).changes > 5


def test_reconstruction(run: Run) -> None:
    """History, objects, gaps and divergence are what plain Python works out of the same changes."""
    expected = expected_tables(found_changes(run.rows("directory_changes")))
    assert found_tables(run.rows) == expected
    assert all(expected.values())
    assert any(deleted for _, deleted, _, _ in expected["directory_objects"].values())


def test_progress(run: Run) -> None:
    """What takes time is told when it begins, and everything when it is done."""
    assert [line for line in run.told if line.endswith(" ...")] == ["segments ...", "captures ..."]
    told = [line for line in run.told if not line.endswith(" ...") and " tasks of stage " not in line]
    *done, last = [line.partition(":")[0] for line in told]
    assert done[:2] == ["segments", "captures"]
    assert sorted(done[2:]) == sorted({*TABLES, "pieces"})
    assert last == "complete"


@pytest.mark.long
def test_chosen(spark: SparkSession, run: Run, tmp_path: Path) -> None:
    """Only the tables that are asked for are written, and packets of any port are found."""
    pipeline = Pipeline(spark, str(tmp_path / "tables"), tables=["gaps", "directory_gaps"])
    pipeline.read(run.inputs[:1])
    pipeline.make()
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {"gaps", "directory_gaps", "run"}
    found = pq.read_table(tmp_path / "tables" / "gaps").num_rows
    assert found == run.faulty.gaps
    with pytest.raises(mw.MsmqWireError, match="there is no table 'gap'; there are flows, packets"):
        chosen(["gap"])
    with pytest.raises(mw.MsmqWireError, match=r"^tables: expected a table, got none$"):
        chosen([])


def test_summary(run: Run) -> None:
    """The summary counts what the tables have."""
    summary = summary_of(run.pipeline, 2.0)
    assert isinstance(summary, Summary)
    assert dict(summary.counts["packets"]) == Counter(row["type"] for row in run.rows("packets"))
    assert dict(summary.damaged).keys() == {
        f"{run.inputs[2]}/{name}.pcap" for name in ("short", "no capture")
    }
    text = str(summary)
    assert "Balance:" in text
    assert f"  {0:>18,}  difference\n" in text


@pytest.mark.long
def test_a_report_by_spark(run: Run) -> None:
    """It has the packets that the same report has of the files, with their messages."""
    by_spark, of_files = Report(), Report()
    for report, batches in (
        (by_spark, written_by(run.pipeline)),
        (of_files, written(run.output, captures.SCHEMAS)),
    ):
        for name, batch in batches:
            report.add(name, batch)
    assert len(of_files.kept) == len(run.rows("packets", parts=True))
    assert by_spark.kept == of_files.kept
    assert by_spark.pair_rows == of_files.pair_rows


@pytest.mark.long
def test_comments(run: Run, spark: SparkSession) -> None:
    """The columns of the tables say what they are, in the files too, and all may be null."""
    for name, schema in captures.SCHEMAS.items():
        expected = {field.name: (field.metadata[b"comment"].decode(), True) for field in schema}
        for rows in (run.pipeline.table(name), spark.read.parquet(f"{run.output}/{name}")):
            found = {field.name: (field.metadata.get("comment"), field.nullable) for field in rows.schema}
            assert found == expected, name
