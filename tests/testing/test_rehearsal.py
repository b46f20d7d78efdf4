"""Days of an enterprise: what a reader of the captures finds is what was done."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from msmq_wire import captures
from msmq_wire.testing.captures import Faults, main, write_rehearsal
from msmq_wire.testing.captures.rehearsal import seconds_of
from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from pathlib import Path

HOURS = 3600
SEVERE = {"warning", "alert"}
STRANGER = "directory-stranger"
"""The pattern of an attack that is not severe."""
SHORT = 4 / HOURS
"""Hours in which directory servers replicate, and a stranger comes once; other attacks begin later."""
UNUSED = {"spoil", "bend", "diverge", "reuse", "clock"}
"""The faults that have no effect in a rehearsal."""
SERVERS = ("10.2.0.1", "10.2.0.2")
COUNTED = ("messages", "bytes")
"""What is added up for the messages of a dependency."""


def rows(path: Path) -> list[dict[str, Any]]:
    return list(pq.read_table(path).to_pylist())


def judge(place: Path, hours: float, faults: Faults, **options: Any) -> tuple[Counter[Any], Counter[Any]]:
    """Hold tables of a rehearsal against its truth; count fates, and pairs of states that differ."""
    done = write_rehearsal(place, hours * HOURS, faults=faults, **options)
    found = captures.tables(
        done.captures, ["deliveries", "findings", "packets", "violations"], captures.Settings(processes=1)
    )
    deliveries = {row["message"]: row for row in found["deliveries"].read_all().to_pylist()}
    outcomes, other = rows(done.outcomes), Counter[Any]()
    for outcome in outcomes:
        row, state = deliveries.get(outcome["message"]), outcome["state"]
        stated = row["state"] if row is not None else None
        if state not in {"unseen", stated}:
            assert not outcome["certain"], (outcome, row)
            other[state, stated] += 1
    if faults == Faults():
        errors = found["packets"].read_all().column("error")
        assert done.packets == errors.null_count
        violations = found["violations"].read_all().filter(pc.field("level") == "must")
        assert {*violations.column("src").to_pylist()} <= {row["src"] for row in rows(done.attacks)}
    _judge_attacks(rows(done.attacks), found["findings"].read_all().to_pylist())
    return Counter(outcome["fate"] for outcome in outcomes), other


def _judge_attacks(attacks: list[dict[str, Any]], findings: list[dict[str, Any]]) -> None:
    found = {_place(row["id"], row) for row in findings if row["severity"] in SEVERE or row["id"] == STRANGER}
    sure = {_place(attack["pattern"], attack) for attack in attacks if attack["captured"]}
    every = {_place(attack["pattern"], attack) for attack in attacks}
    assert found >= sure
    assert found <= every


def _place(pattern: str, row: dict[str, Any]) -> tuple[str, str, str | None]:
    """Return what was seen, and between whom; a scan has many destinations."""
    return pattern, row["src"], None if pattern == "scan" else row["dst"]


def test_half_a_day(tmp_path: Path) -> None:
    """Without faults, every state is that of the truth, and every attack is found."""
    fates, other = judge(tmp_path, 12, Faults(), seed=4, managers=6)
    assert other == {}
    assert {"received", "refused"} <= {*fates}
    attacks = {attack["pattern"] for attack in rows(tmp_path / "attacks.parquet") if attack["captured"]}
    assert attacks == {
        *("scan", "no-handshake", "srmp-probe", "srmp-overflow", "executable-body", "dotnet-gadget"),
        *("forged-identity", "connection-flood", STRANGER),
    }


@pytest.mark.long
def test_half_a_day_with_faults(tmp_path: Path) -> None:
    """Where bytes are missing, a state is unknown or weaker, or a part of a packet tells enough."""
    _, other = judge(tmp_path, 12, Faults.all(), seed=4, managers=6)
    assert {state for _, state in other} >= {"unknown"}
    assert {pair for pair in other if pair[1] != "unknown"} <= {
        ("accepted", "reached"),
        ("reached", "accepted"),
    }


def test_attacks_that_the_end_cuts(tmp_path: Path) -> None:
    """Of a scan, the first request was captured, and too few others."""
    judge(tmp_path, SHORT, Faults(), seed=1, managers=5, files=1)
    assert "scan" not in {
        attack["pattern"] for attack in rows(tmp_path / "attacks.parquet") if attack["captured"]
    }


def test_directory_servers(tmp_path: Path) -> None:
    """They and the stranger speak as the documents say; only the stranger is found."""
    done = write_rehearsal(tmp_path, 60, seed=3, managers=5, files=1)
    names = ["findings", "violations", "directory_changes", "sessions"]
    readers = captures.tables(done.captures, names, captures.Settings(processes=1))
    tables = {
        name: [
            row
            for row in readers[name].read_all().to_pylist()
            if any(ip in row["connection"] for ip in SERVERS)
        ]
        for name in names
    }
    (attack,) = [attack for attack in rows(done.attacks) if attack["pattern"] == STRANGER]
    stranger = attack["src"]
    assert attack["captured"]
    assert [(row["id"], row["src"], row["count"]) for row in tables["findings"]] == [(STRANGER, stranger, 4)]
    assert tables["violations"] == []
    assert Counter(row["src"] for row in tables["directory_changes"]) == {
        "10.2.0.1": 8,
        "10.2.0.2": 8,
        stranger: 4,
    }
    ends = [(row["handshake"], row["forward"], row["backward"]) for row in tables["sessions"]]
    assert len(ends) == 8 + 2
    assert {handshake for handshake, _, _ in ends} == {"complete"}
    assert {side["unacknowledged"] for _, *sides in ends for side in sides} == {0}


@pytest.mark.each(3)
@pytest.mark.parametrize("share", [0.3, 0.95])
@pytest.mark.parametrize("fault", sorted({*Faults.__struct_fields__} - UNUSED))
def test_a_stranger_with_faults(fault: str, share: float, tmp_path: Path) -> None:
    """Of a single fault, with one sensor and with several."""
    for seed in range(3):
        judge(
            tmp_path / str(seed),
            SHORT,
            Faults.parse(f"{fault}={share}"),
            seed=seed,
            managers=5,
            files=1 + 2 * seed,
        )


def test_a_stranger_where_much_is_missing(tmp_path: Path) -> None:
    """The truth has the stranger if captured packets tell who sends and receives, and who only sends."""
    known: set[bool] = set()
    for seed in range(12):
        place = tmp_path / str(seed)
        judge(place, SHORT, Faults(loss=0.5, midstream=0.6), seed=seed, managers=5, files=1)
        known.update(row["captured"] for row in rows(place / "attacks.parquet") if row["pattern"] == STRANGER)
    assert known == {False, True}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_a_week(tmp_path: Path, seed: int) -> None:
    fates, _ = judge(tmp_path, 7 * 24, Faults.all() if seed else Faults(), seed=seed)
    assert {"received", "refused", "expired"} <= {*fates}


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (
        write_rehearsal(tmp_path / name, 8.5 * HOURS, seed=5, managers=5, files=2) for name in ("a", "b")
    )
    for one, other in zip(first.captures, second.captures, strict=True):
        assert one.read_bytes() == other.read_bytes()
    assert rows(first.outcomes) == rows(second.outcomes)


@pytest.mark.parametrize(("hours", "seed"), [(9, 6), pytest.param(36, 21, marks=pytest.mark.long)])
def test_the_truth_of_dependencies(hours: int, seed: int, tmp_path: Path) -> None:
    """Without faults, each message of an application is in `messages`, and counts once in the answers."""
    done = write_rehearsal(tmp_path, hours * HOURS, seed=seed, managers=5)
    names = ["messages", "dependencies", "queues"]
    readers = captures.tables(done.captures, names, captures.Settings(processes=1))
    tables = {name: readers[name].read_all().to_pylist() for name in names}
    seen: dict[tuple[str, str], set[str]] = {}
    for row in tables["messages"]:
        if row["message_class"] == "MQMSG_CLASS_NORMAL":
            seen.setdefault((row["source_queue_manager"], row["destination"]), set()).add(row["message"])
    truth = {(row["queue_manager"], row["destination"]): row for row in rows(done.dependencies)}
    assert {key: len(seen[key]) for key in truth} == {key: row["captured"] for key, row in truth.items()}
    uses, queues = defaultdict[Any, Counter[str]](Counter), defaultdict[Any, Counter[str]](Counter)
    for table, sums, keys in (
        ("dependencies", uses, ("queue_manager", "queue")),
        ("queues", queues, ("queue",)),
    ):
        for row in tables[table]:
            if row["purpose"] == "application":
                sums[tuple(row[key] for key in keys)] += Counter({name: row[name] for name in COUNTED})
    by_queue = defaultdict[Any, Counter[str]](Counter)
    for (manager, queue), row in truth.items():
        own = Counter({name: row["captured" if name == "messages" else name] for name in COUNTED})
        assert uses[manager, queue] == own
        by_queue[queue,] += own
    assert {queue: queues[queue] for queue in by_queue} == by_queue


@pytest.mark.parametrize("faults", [Faults.all(), Faults(midstream=0.5)])
def test_the_hosts_of_dependencies(faults: Faults, tmp_path: Path) -> None:
    """Whatever is missing, no address of a router is given as that of the sender."""
    done = write_rehearsal(tmp_path, 9 * HOURS, seed=3, managers=8, faults=faults)
    readers = captures.tables(done.captures, ["dependencies"], captures.Settings(processes=1))
    truth = {row["queue_manager"]: row["address"] for row in rows(done.dependencies)}
    given = [
        (row["host"], truth[row["queue_manager"]])
        for row in readers["dependencies"].read_all().to_pylist()
        if row["queue_manager"] in truth
    ]
    assert [pair for pair in given if pair[0] not in {None, pair[1]}] == []
    assert sum(host is not None for host, _ in given) > len(given) / 2


@pytest.mark.parametrize("text", ["7", "7w", "d", "", "x7d"])
def test_a_wrong_duration(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(MsmqWireError, match="expected a duration"):
        seconds_of(text)
    assert main([str(tmp_path), "--duration", text]) == 1
    assert "expected a duration" in capsys.readouterr().err


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--duration", "30m", "--managers", "5", "--files", "1"]) == 0
    assert "1 captures" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--duration", "30m", "--packets", "5"])
