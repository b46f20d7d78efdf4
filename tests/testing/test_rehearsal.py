"""Days of an enterprise: what a reader of the captures finds is what was done."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from support_examples import share

from msmq_wire import captures
from msmq_wire.testing.captures import Faults, main, write_rehearsal
from msmq_wire.testing.captures.rehearsal import seconds_of
from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from pathlib import Path

Rows = list[dict[str, Any]]
HOURS = 3600
STATES = {"refused", "received", "expired", "reached", "accepted", "unknown", "sent"}
TRUE: dict[str | None, set[str]] = {
    "received": {"received"},
    "refused": {"refused"},
    "expired": {"expired"},
    "reached": {"reached", "received", "refused", "expired"},
    "accepted": {"forwarded", "reached", "received", "refused", "expired"},
}
"""What has become of a message in truth, by what is told of it."""
SEVERE = {"warning", "alert"}
STRANGER = "directory-stranger"
UNSEVERE = {STRANGER, "message-flood"}
"""The patterns of attacks that are not severe."""
SHORT = 4 / HOURS
"""Hours in which directory servers replicate, and a stranger comes once; other attacks begin later."""
UNUSED = {"spoil", "bend", "diverge", "reuse", "clock"}
"""The faults that have no effect in a rehearsal."""
SERVERS = ("10.2.0.1", "10.2.0.2")
COUNTED = ("messages", "bytes", "encrypted", "signed")
"""What is added up for the messages of a dependency."""


def rows(path: Path) -> Rows:
    return list(pq.read_table(path).to_pylist())


def judge(place: Path, hours: float, faults: Faults, **options: Any) -> tuple[Counter[Any], Counter[Any]]:
    """Hold tables of a rehearsal against its truth; count states, and pairs of states that differ."""
    done = write_rehearsal(place, hours * HOURS, faults=faults, **options)
    names = ["deliveries", "dependencies", "findings", "hosts", "packets", "queues", "violations"]
    readers = captures.tables(done.captures, names, captures.Settings(processes=1))
    found = {name: readers[name].read_all() for name in names}
    tables = {name: found[name].to_pylist() for name in names if name != "packets"}
    is_whole = faults == Faults()
    if is_whole:
        assert done.packets == found["packets"].column("error").null_count
        broken = {row["src"] for row in tables["violations"] if row["level"] == "must"}
        assert broken <= {row["src"] for row in rows(done.attacks)}
    of_faults = {"segment-conflict"} if faults.conflict else set()
    signs = [row for row in tables["findings"] if row["id"] not in of_faults]
    _judge_attacks(rows(done.attacks), signs)
    _judge_dependencies(rows(done.dependencies), tables, is_whole=is_whole)
    _judge_reads(rows(done.reads), tables, is_whole=is_whole)
    _judge_copies(rows(done.copies), tables["deliveries"], is_whole=is_whole)
    _judge_hosts(rows(done.hosts), tables["hosts"])
    _judge_senders(rows(done.hosts), tables["dependencies"], is_whole=is_whole)
    return _judge_states(rows(done.outcomes), tables["deliveries"], is_whole=is_whole)


def _judge_states(outcomes: Rows, deliveries: Rows, *, is_whole: bool) -> tuple[Counter[Any], Counter[Any]]:
    known, other = {row["message"]: row for row in deliveries}, Counter[Any]()
    for outcome in outcomes:
        row = known.get(outcome["message"])
        state = outcome["state"] if outcome["state"] != "unseen" else None
        stated = row["state"] if row is not None else None
        if row is not None and row["destinations"]:
            assert len(row["destinations"]) <= outcome["queues"]  # a distribution list does not tell them
        sent = max((hop["sent"] for hop in row["hops"]), default=0) if row is not None else 0
        assert sent == outcome["sent"] or not is_whole, (outcome, row)
        assert stated not in TRUE or outcome["fate"] in TRUE[stated], (outcome, row)
        if state != stated:
            assert not outcome["certain"], (outcome, row)
            other[state, stated] += 1
    return Counter(outcome["state"] for outcome in outcomes), other


def _judge_dependencies(truth: Rows, tables: dict[str, Rows], *, is_whole: bool) -> None:
    """What was captured completely counts, and what was written may: a part of a packet may tell enough."""
    sums, by_queue = defaultdict[Any, Counter[str]](Counter), defaultdict[Any, Counter[str]](Counter)
    for table, counts, keys in (
        ("dependencies", sums, ("queue_manager", "queue")),
        ("queues", by_queue, ("queue",)),
    ):
        for row in tables[table]:
            if row["purpose"] == "application":
                counts[tuple(row[key] for key in keys)] += Counter({name: row[name] for name in COUNTED})
    totals = defaultdict[Any, Counter[str]](Counter)
    for row in truth:
        told = sums[row["queue_manager"], row["destination"]]
        own = Counter({name: row["captured" if name == "messages" else name] for name in COUNTED})
        totals[row["destination"],] += own
        assert own <= told
        assert told["messages"] <= row["messages"]
        assert not is_whole or told == own
    for (manager, queue), told in sums.items():
        if manager not in {row["queue_manager"] for row in truth}:  # an attacker
            totals[queue,] += told
    assert not is_whole or by_queue == {queue: counts for queue, counts in totals.items() if counts}


def _judge_reads(truth: Rows, tables: dict[str, Rows], *, is_whole: bool) -> None:
    sure, every = (
        Counter((row["message"], row["address"]) for row in truth if row["captured"] or known)
        for known in (False, True)
    )
    assert (sure == every) or not is_whole
    found = Counter((row["message"], read["by"]) for row in tables["deliveries"] for read in row["reads"])
    assert sure <= found <= every
    of_queues = Counter(
        read["by"]
        for row in tables["deliveries"]
        for read in row["reads"]
        for _ in row["destinations"] or ()  # a part of a packet may not tell them
    )
    for table in ("dependencies", "queues"):
        counts = Counter[str]()
        for row in tables[table]:
            counts.update(dict(row["remote_readers"]))
        assert counts == of_queues


def _judge_copies(truth: Rows, deliveries: Rows, *, is_whole: bool) -> None:
    """A copy counts for its message; alone it makes no row."""
    known = {row["message"] for row in deliveries}
    sure, every = (
        Counter(
            (row["message"], row["to"])
            for row in truth
            if row["message"] in known and (row["captured"] or allowed)
        )
        for allowed in (False, True)
    )
    assert (sure == every) or not is_whole
    told = Counter((row["message"], copy["to"]) for row in deliveries for copy in row["copies"])
    assert sure <= told <= every


def _judge_hosts(truth: Rows, hosts: Rows) -> None:
    """Nothing else is told than what is so, and all that captured packets prove."""
    known = {row["queue_manager"]: row for row in hosts}
    for row in truth:
        host = known.get(row["queue_manager"], {"addresses": [], "machines": []})
        for name, value, is_proved in (
            ("addresses", row["address"], row["located"]),
            ("machines", row["machine"], row["named"]),
        ):
            assert host[name] in ([value], [value] if is_proved else [])


def _judge_senders(truth: Rows, dependencies: Rows, *, is_whole: bool) -> None:
    """The host of a dependency is that of its queue manager, if captured packets prove it.

    Of a hop whose handshake is missing, they do not.
    """
    known = {row["queue_manager"]: row for row in truth}
    for row in dependencies:
        host = known.get(row["queue_manager"])
        if host is not None:
            allowed = [host["address"]] if host["located"] and is_whole else [host["address"], None]
            assert row["host"] in allowed, (row, host)


def _judge_attacks(attacks: Rows, findings: Rows) -> None:
    found = {_place(row["id"], row) for row in findings if row["severity"] in SEVERE or row["id"] in UNSEVERE}
    sure = {_place(attack["pattern"], attack) for attack in attacks if attack["captured"]}
    every = {_place(attack["pattern"], attack) for attack in attacks}
    assert found >= sure
    assert found <= every


def _place(pattern: str, row: dict[str, Any]) -> tuple[str, str, str | None]:
    """Return what was seen, and between whom; a scan has many destinations."""
    return pattern, row["src"], None if pattern == "scan" else row["dst"]


def test_half_a_day(tmp_path: Path) -> None:
    """Without faults, every state is that of the truth, and every attack is found."""
    states, other = judge(tmp_path, 9.5, Faults(), seed=13, managers=6)
    assert other == {}
    assert {*states} - {"unseen"} == STATES - {"unknown"}
    assert all(states[state] > 2 for state in ("refused", "expired", "sent"))
    attacks = {attack["pattern"] for attack in rows(tmp_path / "attacks.parquet") if attack["captured"]}
    assert attacks == {
        *("scan", "no-handshake", "srmp-probe", "srmp-overflow", "executable-body", "dotnet-gadget"),
        *("length-beyond-packet", "forged-identity", "connection-flood", *UNSEVERE),
    }
    uses = rows(tmp_path / "dependencies.parquet")
    assert all(sum(row[name] for row in uses) > 0 for name in COUNTED)
    of_several = [row for row in rows(tmp_path / "outcomes.parquet") if row["queues"] > 1]
    assert {row["queues"] for row in of_several} == {2, 3}
    assert Counter(row["sent"] for row in rows(tmp_path / "outcomes.parquet"))[2] > 3
    assert {row["state"] for row in of_several} >= {"received", "refused"}
    by_encrypted = {(row["source"], row["home"]) for row in uses if row["encrypted"]}
    assert by_encrypted >= {("erp", "billing"), ("branch01", "billing")}  # the latter over a router
    assert Counter(row["to"] for row in rows(tmp_path / "copies.parquet"))["dead-letter"] > 2
    assert {row["to"] for row in rows(tmp_path / "copies.parquet")} == {"dead-letter", "journal"}
    assert any(row["named"] for row in rows(tmp_path / "hosts.parquet"))
    reads = rows(tmp_path / "reads.parquet")
    assert {row["home"] for row in reads} == {"warehouse", "branch02"}
    by_label = {row["label"]: row for row in rows(tmp_path / "outcomes.parquet")}
    assert by_label["stocktaking 1"]["fate"] == "received"


@pytest.mark.long
def test_half_a_day_with_faults(tmp_path: Path) -> None:
    """Where bytes are missing, a state is unknown or weaker, or a part of a packet tells what is true.

    The truth has the state that complete packets prove.
    """
    pairs = set[tuple[str, str]]()
    for seed, faults in ((22, Faults.all()), (3, Faults.all()), (4, Faults(truncate=0.2))):
        _, other = judge(tmp_path / str(seed), 9, faults, seed=seed, managers=6)
        assert {state for _, state in other} >= {"unknown"}
        pairs |= {pair for pair in other if pair[1] != "unknown"}
    weaker = {("reached", "accepted"), ("received", "accepted")}
    stronger = {("sent", "accepted"), ("accepted", "reached"), ("accepted", "received"), ("sent", "reached")}
    stronger |= {pair for pair in pairs if pair[0] is None}
    assert pairs <= weaker | stronger
    assert ("accepted", "reached") in pairs


@pytest.mark.long
@pytest.mark.parametrize(("seed", "faults"), [(7, Faults()), (11, Faults.all())])
def test_days_of_few_sensors(tmp_path: Path, seed: int, faults: Faults) -> None:
    """Some messages pass no sensor, but a copy of them does; some are sent again after a link broke.

    Nobody is told to have got a message too late who got it in time.
    """
    states, _ = judge(tmp_path, share(24, 12), faults, seed=seed, managers=5, files=2)
    outcomes = rows(tmp_path / "outcomes.parquet")
    assert states["unseen"] > 0
    assert states["unknown"] > 0
    assert states["expired"] > 0
    assert {row["sent"] for row in outcomes} >= {0, 1, 2}
    ended = [row for row in outcomes if row["label"] == "tariff" and row["fate"] == "received"]
    assert {"sent"} <= {row["state"] for row in ended} <= {"sent", "reached", "received", "accepted"}


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


@pytest.mark.each(28)
@pytest.mark.parametrize("chance", [0.3, 0.95])
@pytest.mark.parametrize("fault", sorted({*Faults.__struct_fields__} - UNUSED))
def test_a_stranger_with_faults(fault: str, chance: float, tmp_path: Path) -> None:
    """Of a single fault, with one sensor and with several."""
    for seed in range(share(3)):
        files = 1 if chance < 0.5 else 3
        judge(
            tmp_path / str(seed), SHORT, Faults.parse(f"{fault}={chance}"), seed=seed, managers=5, files=files
        )


@pytest.mark.long
def test_a_stranger_where_much_is_missing(tmp_path: Path) -> None:
    """The truth has the stranger if captured packets tell who sends and receives, and who only sends."""
    known: set[bool] = set()
    for seed in range(12):
        place = tmp_path / str(seed)
        judge(place, SHORT, Faults(loss=0.5, midstream=0.6), seed=seed, managers=5, files=1)
        known.update(row["captured"] for row in rows(place / "attacks.parquet") if row["pattern"] == STRANGER)
    assert known == {False, True}


@pytest.mark.long
@pytest.mark.parametrize("seed", (1, 0, 2)[: share(3)])
def test_a_week(tmp_path: Path, seed: int) -> None:
    """Or half a day of few queue managers; the first seed has all faults."""
    faults = Faults.all() if seed else Faults()
    states, _ = judge(tmp_path, share(7 * 24), faults, seed=seed, managers=share(24, 6))
    assert {*states} >= STATES - {"unknown"}


@pytest.mark.long
def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (
        write_rehearsal(tmp_path / name, 8.5 * HOURS, seed=5, managers=5, files=2) for name in ("a", "b")
    )
    for one, other in zip(first.captures, second.captures, strict=True):
        assert one.read_bytes() == other.read_bytes()
    assert rows(first.outcomes) == rows(second.outcomes)


@pytest.mark.long
def test_the_sizes_of_messages_with_riders(tmp_path: Path) -> None:
    """Some messages are sent with a SessionHeader behind them, which is for others."""
    judge(tmp_path, share(36, 12), Faults(), seed=21, managers=share(24, 6))


@pytest.mark.long
def test_the_readers_of_queues(tmp_path: Path) -> None:
    """Each packet that a remote read returned names its reader, and the queue."""
    done = write_rehearsal(tmp_path, 9 * HOURS, seed=6, managers=6)
    table = captures.tables(done.captures, ["messages"], captures.Settings(processes=1))["messages"]
    read = table.read_all().filter(pc.field("channel") == "remote-read").to_pylist()
    told = Counter((row["message"], row["reader"], row["queue"].lower()) for row in read)
    assert told == Counter(
        (row["message"], row["reader"], row["destination"].lower()) for row in rows(done.reads)
    )
    assert {row["encrypted"] for row in read} == {False}


@pytest.mark.long
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
    assert "1 capture, " in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--duration", "30m", "--packets", "5"])
