"""One writer for an output, and readers who find the tables of one run."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections import Counter
from itertools import permutations
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from msmq_wire import captures
from msmq_wire.captures import LockedError, locks, writing
from msmq_wire.captures.locks import FolderClaims, Lock
from msmq_wire.captures.reports.report import Report, written
from msmq_wire.captures.writing import run_rows
from msmq_wire.cli import main
from msmq_wire.testing.captures import write_captures
from msmq_wire.values.errors import MsmqWireError

HOLD = """
import sys
from msmq_wire.captures import locks
from msmq_wire.captures.locks import FolderClaims, Lock
if sys.argv[2:]:
    def none(*_, **__):
        raise OSError(95, "no locks")
    locks.lock_descriptor = none
with Lock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("captures")
    write_captures(place, 40, seed=3, files=1)
    return place / "captures"


@pytest.fixture(name="no_locks")
def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system without locks."""

    def none(*_: object, **__: object) -> bool:
        raise OSError(errno.EOPNOTSUPP, "no locks")

    monkeypatch.setattr(locks, "lock_descriptor", none)


def holding(output: Path, *words: str) -> subprocess.Popen[str]:
    """Start a process that holds the lock until it is killed."""
    process = subprocess.Popen(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", HOLD, str(output), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "held\n"
    return process


def contents(output: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in output.rglob("*") if path.is_file()}


def test_the_second_writer_is_refused(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says who writes, and touches nothing; a writer that was killed holds nothing up."""
    captures.write(folder, tmp_path)
    with holding(tmp_path) as process:
        before = contents(tmp_path)
        with pytest.raises(
            LockedError, match=rf"{tmp_path} is being written by .* \(process {process.pid}, "
        ):
            captures.write(folder, tmp_path)
        with pytest.raises(LockedError, match=r"wait for its end, or choose another output$"):
            captures.write(folder, tmp_path, break_lock=True)  # it is not stale
        assert main(["tables", str(folder), "--output", str(tmp_path)]) == 4
        assert f"(process {process.pid}, " in capsys.readouterr().err
        assert contents(tmp_path) == before
        process.send_signal(signal.SIGKILL)
    assert captures.write(folder, tmp_path)["packets"] > 0
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.long
@pytest.mark.usefixtures("no_locks")
def test_without_locks_a_claim_that_is_stale_is_broken(folder: Path, tmp_path: Path) -> None:
    with holding(tmp_path, "claim") as process:
        process.send_signal(signal.SIGKILL)
    before = contents(tmp_path)
    with pytest.raises(LockedError, match=rf"process {process.pid}, .*if it was killed, break its lock"):
        captures.write(folder, tmp_path)
    assert contents(tmp_path) == before
    captures.write(folder, tmp_path, break_lock=True)
    captures.write(folder, tmp_path)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.long
@pytest.mark.parametrize("words", [(), ("claim",)], ids=["the second has no locks", "the first has none"])
def test_a_file_system_that_one_of_two_machines_sees_without_locks(
    words: tuple[str, ...], folder: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The second is refused; after a kill, what remains of the first can be broken."""
    with holding(tmp_path, *words) as process:
        before = contents(tmp_path)
        if not words:
            request.getfixturevalue("no_locks")
        with pytest.raises(LockedError, match=rf"process {process.pid}, .*if it was killed, break its lock"):
            captures.write(folder, tmp_path)
        assert contents(tmp_path) == before
        process.send_signal(signal.SIGKILL)
    with pytest.raises(LockedError, match=rf"process {process.pid}, "):
        captures.write(folder, tmp_path)
    captures.write(folder, tmp_path, break_lock=True)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


class Store:
    """An object store, with a step before each of its answers."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def names(self) -> list[str]:
        return [*self.files]

    def read(self, name: str) -> bytes | None:
        return self.files.get(name)

    def write(self, name: str, data: bytes) -> None:
        self.files[name] = data

    def remove(self, name: str) -> None:
        self.files.pop(name, None)


class Turns:
    """A store that one of two writers sees, which waits for its turn before each call."""

    def __init__(self, store: Store, turns: list[Event], done: list[Event]) -> None:
        self._store, self._turns, self._done = store, iter(turns), iter(done)

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> Any:
            turn, done = next(self._turns, None), next(self._done, None)
            if turn is not None:
                turn.wait()
            try:
                return getattr(self._store, name)(*arguments)
            finally:
                if done is not None:
                    done.set()

        return call


def test_of_two_claims_in_any_order_one_at_most_writes() -> None:
    """Each first writes its claim and then asks for all; the four steps in each order."""
    both: list[object] = []
    for order in sorted({*permutations("aabb")}):
        events = [Event() for _ in range(5)]
        events[0].set()
        store = Store()
        held: list[Lock] = []
        entered: dict[str, bool] = {}

        def claim(
            name: str, order: tuple[str, ...] = order, events: list[Event] = events, store: Store = store,
            entered: dict[str, bool] = entered, held: list[Lock] = held,
        ) -> None:  # fmt: skip
            own = [number for number, who in enumerate(order) if who == name]
            turns = Turns(store, [events[number] for number in own], [events[number + 1] for number in own])
            lock = Lock("s3://bucket/output", turns)
            try:
                lock.__enter__()
            except LockedError:
                entered[name] = False
            else:
                entered[name] = True
                held.append(lock)

        threads = [Thread(target=claim, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if all(entered.values()):
            both.append(order)
        for lock in held:
            lock.__exit__()
        if store.files:
            both.append((order, "a claim is left"))
    assert both == []


def test_an_output_that_another_writer_removes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was new, and is removed with its claims or its lock between any two steps of this writer."""
    output = tmp_path / "tables"
    calls: dict[str, Any] = {"write_bytes": Path.write_bytes, "open": os.open}
    removals = Counter[str]()

    def removing(name: str, *arguments: Any) -> Any:
        removals[name] += 1
        if removals[name] < 3:
            for folder in [*output.iterdir(), output]:
                folder.rmdir()
        return calls[name](*arguments)

    claims = FolderClaims(str(output))
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", lambda *given: removing("write_bytes", *given))
        claims.write("one", b"{}")
    assert claims.names() == ["one"]
    claims.remove("one")
    with monkeypatch.context() as patched:
        patched.setattr(Path, "is_dir", lambda _: True)
        assert claims.names() == []
    with monkeypatch.context() as patched:
        patched.setattr(os, "open", lambda *given: removing("open", *given))
        with Lock(str(output)) as lock:
            assert lock.files
    assert removals == {"write_bytes": 3, "open": 3}


def test_output_in_an_input(folder: Path, tmp_path: Path) -> None:
    """However the input is named."""
    inside = folder / "tables"
    (tmp_path / "link").symlink_to(folder)
    places = (folder, folder.parent, tmp_path / "link", folder / "**", folder / "t*", folder.parent / "*")
    for given in places:
        with pytest.raises(MsmqWireError, match="which is an input: choose another output"):
            captures.write([given], inside)
    assert not inside.exists()
    captures.write([f"{folder}/**/*.pcap"], inside)
    assert captures.run_of(inside)
    captures.write([next(folder.glob("*.pcap"))], inside)
    for path in sorted(inside.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    inside.rmdir()


@pytest.mark.skipif(os.name != "posix", reason="links need rights")
def test_a_link_in_the_place_of_the_lock_is_not_followed(folder: Path, tmp_path: Path) -> None:
    """Otherwise its target would be truncated."""
    target, output = tmp_path / "target", tmp_path / "tables"
    target.write_text("mine")
    output.mkdir()
    (output / ".msmq_wire.lock").symlink_to(target)
    with pytest.raises(OSError, match=r"\.msmq_wire\.lock"):
        captures.write(folder, output)
    assert target.read_text() == "mine"
    assert [path.name for path in output.iterdir()] == [".msmq_wire.lock"]


def test_one_run_lies_in_an_output(folder: Path, tmp_path: Path) -> None:
    """Nothing older remains, of whatever format; other files stay."""
    (tmp_path / "report.html").write_text("a page")
    runs = set()
    for form in ("parquet", "jsonl", "parquet"):
        captures.write(folder, tmp_path, form)
        names = {path.name for path in tmp_path.iterdir()}
        assert names == {*captures.TABLES, "run", "report.html"}
        suffixes = {path.suffix for path in tmp_path.rglob("part-*")}
        assert suffixes == {f".{form}"}
        runs.add(captures.run_of(tmp_path))
    assert len(runs) == 3
    captures.write(folder, tmp_path, names=["packets"])
    assert {path.name for path in tmp_path.iterdir()} == {"packets", "run", "report.html"}
    (tmp_path / "report.html").write_text(Report().page("of older tables"), "utf-8")
    captures.write(folder, tmp_path, names=["packets"])
    assert {path.name for path in tmp_path.iterdir()} == {"packets", "run"}


@pytest.mark.long
def test_a_reader_finds_one_run(folder: Path, tmp_path: Path) -> None:
    """A reader in a loop, while tables of two captures take turns: what it calls whole is whole."""
    output, other = tmp_path / "tables", tmp_path / "other"
    write_captures(other, 10, seed=4, files=1)
    rows = []
    for given in (folder, other / "captures"):
        counts = captures.write(given, output)
        rows.append((counts["packets"], counts["flows"]))
    assert rows[0] != rows[1]
    found: list[tuple[int, int]] = []
    ended = Event()

    def read() -> None:
        while not ended.is_set() or not found:
            before = captures.run_of(output)
            try:
                counts = tuple(pq.read_table(output / name).num_rows for name in ("packets", "flows"))
            except (OSError, ValueError):  # tables are being replaced
                continue
            if before is not None and before == captures.run_of(output):
                found.append(counts)

    reader = Thread(target=read)
    reader.start()
    for given in (folder, other / "captures") * 2:
        captures.write(given, output)
    ended.set()
    reader.join()
    assert {*found} <= {*rows}


def increments(output: Path, *numbers: int) -> None:
    """Write what readers look at in an output of increments: `run`, with a row for each."""
    for number in numbers:
        place = output / "run" / f"batch={number}"
        place.mkdir(parents=True)
        rows = pa.table({"id": [f"run {number}"], "state": ["complete"]})
        pq.write_table(rows, place / "part-00000.parquet")


def rows_at_removals(output: Path, patch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return a list that receives the identifiers in `run`, after each file is removed."""
    seen: list[list[str]] = []
    unlink = os.unlink

    def look(*arguments: Any, **named: Any) -> None:
        unlink(*arguments, **named)
        seen.append([row["id"] for row in run_rows(output)])

    patch.setattr(os, "unlink", look)
    return seen


@pytest.mark.parametrize("form", ["parquet", "duckdb"])
def test_increments_are_replaced_at_once(
    form: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader finds all of them or none."""
    increments(tmp_path, 1, 2, 3)
    assert captures.run_of(tmp_path) is None
    with monkeypatch.context() as patched:
        seen = rows_at_removals(tmp_path, patched)
        captures.write(folder, tmp_path, form, names=["flows"])
    assert seen
    assert {sum(name.startswith("run ") for name in names) for names in seen} <= {0, 3}


def test_increments_are_no_run(tmp_path: Path) -> None:
    """Of the first one, too: plain files of a table may be those of the second, which is not complete."""
    increments(tmp_path, 1)
    assert captures.run_of(tmp_path) is None


@pytest.mark.long
def test_a_database_replaces_the_tables_of_a_run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No reader takes what is left of them for the run."""
    captures.write(folder, tmp_path)
    removed: dict[str, str | None] = {}
    remove = writing._remove

    def look(path: Path) -> None:
        remove(path)
        removed[path.name] = captures.run_of(tmp_path)

    monkeypatch.setattr(writing, "_remove", look)
    captures.write(folder, tmp_path, "duckdb")
    assert {*captures.TABLES} < removed.keys()
    assert {*removed.values()} == {None}


def test_a_run_without_tables(folder: Path, tmp_path: Path) -> None:
    """It does not remove those that are there."""
    captures.write(folder, tmp_path)
    before = contents(tmp_path)
    with pytest.raises(MsmqWireError, match=r"^names: expected a table, got none$"):
        captures.write(folder, tmp_path, names=[])
    assert contents(tmp_path) == before


def test_a_report_of_tables_that_are_replaced_meanwhile(folder: Path, tmp_path: Path) -> None:
    captures.write(folder, tmp_path)
    batches = written(tmp_path, captures.SCHEMAS)
    next(batches)
    captures.write(folder, tmp_path)
    with pytest.raises(MsmqWireError, match="was written while it was read: run it again"):
        list(batches)
    assert [*written(tmp_path, captures.SCHEMAS)]


def test_a_run_that_is_killed_while_it_replaces(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No reader takes what is there for a run; the next one puts it right."""
    captures.write(folder, tmp_path)
    replace = Path.replace

    def fail(self: Path, target: Path) -> Path:
        if target.name == "messages":
            raise KeyboardInterrupt
        return replace(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", fail)
        with pytest.raises(KeyboardInterrupt):
            captures.write(folder, tmp_path)
    assert captures.run_of(tmp_path) is None
    with pytest.raises(MsmqWireError, match=r"has tables of several runs: .* if it was killed, run it again"):
        next(written(tmp_path, captures.SCHEMAS))
    captures.write(folder, tmp_path)
    assert captures.run_of(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*captures.TABLES, "run"}
