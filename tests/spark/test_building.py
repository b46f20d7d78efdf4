"""The worker of a bucket, without Spark: in however little memory, it makes the same rows."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import TYPE_CHECKING

import msgspec
import pyarrow as pa
import pytest
from support_examples import share
from support_fates import LOSSES, History, write

from msmq_wire import captures
from msmq_wire.captures import disk
from msmq_wire.captures.answers.collecting import EVIDENT
from msmq_wire.captures.answers.evidence import EvidenceKind
from msmq_wire.captures.comparing import COMPARABLE
from msmq_wire.captures.files.reading import ReadLimits
from msmq_wire.captures.files.splits import FileSlice
from msmq_wire.captures.findings.joining import JOINED, joined_findings
from msmq_wire.captures.flows import buckets
from msmq_wire.captures.network.frames import Ports
from msmq_wire.captures.replying import EXCHANGED
from msmq_wire.captures.spool import Spool
from msmq_wire.spark._reports.statistics import TaskStatistics
from msmq_wire.spark._workers.building import building, joining
from msmq_wire.spark._workers.moving import KEPT, STATISTICS, opened
from msmq_wire.spark._workers.open_connections import RetentionPolicy
from msmq_wire.spark._workers.reading import reading
from msmq_wire.testing.captures import Faults, write_captures

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@pytest.mark.long
@pytest.mark.parametrize("keeping", [None, RetentionPolicy({})])
def test_a_bucket_in_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keeping: RetentionPolicy | None
) -> None:
    """Windows and files instead of memory, for whole captures and for increments with open connections."""
    made = write_captures(tmp_path, share(150, 70), seed=5, faults=Faults.all(), managers=6, files=2)
    files = [FileSlice(str(path), "auto", 0, path.stat().st_size) for path in made.captures]
    tasks = [pickle.dumps([part]) for part in files]
    numbers = pa.RecordBatch.from_pydict({"id": [1, 0]})
    segments = [*reading(tasks, ReadLimits(Ports(None, None)), 1, [])([numbers])]
    held = [0]
    add = Spool.add

    def watched(spool: Spool, batch: pa.RecordBatch) -> None:
        held.append(sum(map(len, spool.held_batches)))
        add(spool, batch)

    def rows(memory: int) -> dict[str, Counter[str]]:
        found: dict[str, Counter[str]] = {}
        facts: list[pa.RecordBatch] = []
        worker = building(captures.Settings(memory=memory), frozenset(captures.TABLES), keeping)
        for batch in worker(segments):
            for table, data in zip(batch.column("table").to_pylist(), batch.column("data"), strict=True):
                if table == JOINED:  # parts of a bucket are added up at the end
                    facts += opened(data)
                elif table != STATISTICS:
                    own = [row for one in opened(data) for row in one.to_pylist()]
                    found.setdefault(table, Counter()).update(map(repr, own))
        for table, batch in joined_findings(facts):
            found[f"joined {table}"] = Counter(map(repr, batch.to_pylist()))
        assert facts
        # Each part of a bucket states the missing bytes of its connections, and the addresses in these.
        kinds = [f"'kind': {int(kind)}," for kind in (EvidenceKind.CLAIM, EvidenceKind.ADDRESS)]
        for table, marks in (("exchanges", ["'asks': None"]), ("evidence", kinds)):
            for row in [row for row in found[table] if any(mark in row for mark in marks)]:
                found[table][row] = 1
        return found

    expected = rows(64 << 20)
    monkeypatch.setattr(buckets, "MOST", 0)
    monkeypatch.setattr(disk, "WINDOW", 50)
    monkeypatch.setattr(disk, "SORTED", 100)
    monkeypatch.setattr(disk, "SMALL", 0)
    monkeypatch.setattr(Spool, "add", watched)
    assert rows(1) == expected
    assert max(held) == 0  # what arrived before is not held in memory
    assert len(held) > 1
    assert (KEPT in expected) is (keeping is not None)
    assert expected["packets"].total() > 60


@pytest.mark.long
def test_what_two_messages_show_together(tmp_path: Path) -> None:
    """Queue managers count from 1 on both days: the tasks that join buckets find what the desk does."""
    days = [
        write_captures(tmp_path / name, 120, seed=31, faults=faults, managers=6, files=1).captures[0]
        for name, faults in (("early", Faults.all()), ("late", Faults()))
    ]
    wanted = frozenset({"violations"})
    rows = captures.tables(days, [*wanted])["violations"].read_all().to_pylist()
    pairs = [row for row in rows if row["other"] is not None]
    assert {row["file"] == row["other"]["file"] for row in pairs} == {False}
    both = joined(days, COMPARABLE, wanted) + joined(days, EXCHANGED, wanted)
    assert both == Counter(map(repr, pairs))


@pytest.mark.long
@pytest.mark.parametrize("keeping", [None, RetentionPolicy({})])
def test_messages_that_pass_missing_bytes(tmp_path: Path, keeping: RetentionPolicy | None) -> None:
    """Bytes may be missing between two queue managers, and the message that of a third, of another task."""
    wanted = frozenset({"deliveries"})
    seeds = {12, 16, *range(share(20))}  # the histories of the first two have such messages
    paths = write(tmp_path, [History(seed, LOSSES) for seed in seeds])
    rows = captures.tables(paths, [*wanted])["deliveries"].read_all().to_pylist()
    assert any(
        row["proof"][-1]["what"] == "missing bytes"
        and row["source_queue_manager"] not in {row["hops"][-1]["from"], row["hops"][-1]["to"]}
        for row in rows
    )
    assert joined(paths, EVIDENT, wanted, keeping) == Counter(map(repr, rows))


def joined(
    paths: Iterable[Path], name: str, wanted: frozenset[str], keeping: RetentionPolicy | None = None
) -> Counter[str]:
    """The rows of a table, of gathered rows that a task for each part joins."""
    (table,) = wanted
    settings, facts = captures.Settings(), TaskStatistics()
    gathered: dict[int, list[pa.RecordBatch]] = {}
    for path in paths:
        tasks = [pickle.dumps([FileSlice(str(path), "auto", 0, path.stat().st_size)])]
        segments = reading(tasks, ReadLimits(Ports(None, None)), 1, [])([pa.record_batch({"id": [0]})])
        for batch in building(settings, wanted, keeping)(segments):
            for number, row in enumerate(batch.to_pylist()):
                if row["table"] == name:
                    gathered.setdefault(row["bucket"], []).append(batch.slice(number, 1))
                elif row["table"] == STATISTICS:
                    facts.note_until(msgspec.msgpack.decode(row["data"], type=TaskStatistics).until)
    assert len(gathered) > 1
    rows = Counter[str]()
    for own in gathered.values():
        for batch in joining([name], wanted, settings, facts.until)(own):
            for given, data in zip(batch.column("table").to_pylist(), batch.column("data"), strict=True):
                if given == table:
                    rows.update(repr(row) for part in opened(data) for row in part.to_pylist())
    return rows
