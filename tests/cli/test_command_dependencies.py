"""The verb `dependencies`: what it lists, and the graphs of it."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from msmq_wire import captures
from msmq_wire.captures import FORMATS
from msmq_wire.captures.answers.purposes import PURPOSES
from msmq_wire.captures.events import EVENT_SCHEMAS
from msmq_wire.captures.findings.patterns import SEVERITIES
from msmq_wire.captures.reports.graphs import Edge, Machines, dot_lines, edges_of, mermaid_lines
from msmq_wire.cli import commands
from msmq_wire.cli.conditions import Where
from msmq_wire.cli.dependencies import graph_lines, names_of, table_of_rows, with_machines
from msmq_wire.cli.rows import csv_lines, ordered
from msmq_wire.testing.captures import write_captures

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("dependencies")
    write_captures(place, 200, seed=12, files=1)
    return place / "captures"


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[dict[str, Any]]:
    table = captures.tables(folder, ["dependencies"])["dependencies"]
    rows: list[dict[str, Any]] = table.read_all().to_pylist()
    return rows


@pytest.mark.parametrize(
    ("verb", "name", "known"),
    [
        ("dependencies", "purpose", (*PURPOSES, "all")),
        ("findings", "severity", SEVERITIES),
        ("tables", "form", FORMATS),
        ("packets", "schema", ("own", *EVENT_SCHEMAS)),
    ],
)
def test_choices_are_those_of_the_library(verb: str, name: str, known: Sequence[str]) -> None:
    """The command states them again, because it begins faster without the modules that have them."""
    (option,) = [item for item in commands.app.commands[verb].params if item.name == name]
    assert tuple(option.type.choices) == tuple(known)  # type: ignore[attr-defined]


def test_lists_applications(run: Run, folder: Path, rows: list[dict[str, Any]]) -> None:
    """JSON lines, those with the most messages first."""
    status, out, err = run("dependencies", folder)
    listed = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert len(listed) == sum(row["purpose"] == "application" for row in rows)
    assert [row["messages"] for row in listed] == sorted((row["messages"] for row in listed), reverse=True)
    _, out, _ = run("dependencies", folder, "--purpose", "all", "--where", "messages>1")
    assert len(out.splitlines()) == sum(row["messages"] > 1 for row in rows)


def test_table_and_csv(run: Run, folder: Path, rows: list[dict[str, Any]]) -> None:
    _, out, _ = run("dependencies", folder, "--format", "table", "--limit", "3")
    assert len(out.splitlines()) == 4
    assert out.split()[:3] == ["from", "queue", "purpose"]
    _, out, _ = run("dependencies", folder, "--format", "csv", "--purpose", "all")
    listed = [*csv.DictReader(out.splitlines())]
    assert sum(int(row["messages"]) for row in listed) == sum(row["messages"] for row in rows)
    for row in listed:
        states = dict(text.split("=") for text in row["states"].split("; "))
        assert sum(map(int, states.values())) == int(row["messages"])


def test_machines_in_conditions_and_fields(run: Run, folder: Path, rows: list[dict[str, Any]]) -> None:
    """What the table and CSV have beside the columns can be asked for, too."""
    _, out, _ = run("dependencies", folder, "--format", "csv", "--purpose", "all")
    listed = [*csv.DictReader(out.splitlines())]
    assert len(listed) == len(rows)
    for name in ("from", "machine", "on", "undelivered"):
        value = next(row[name] for row in listed if row[name])
        words = ("--purpose", "all", "--where", f"{name}={value}", "--fields", f"queue,{name}")
        status, out, _ = run("dependencies", folder, *words)
        answers = [str(json.loads(line)[name]) for line in out.splitlines()]
        assert (status, answers) == (0, [value] * sum(row[name] == value for row in listed))
    for form, lines in (("table", 3), ("csv", 3), ("jsonl", 2), ("auto", 2)):
        _, out, _ = run("dependencies", folder, "--fields", "from, queue", "--format", form, "--limit", "2")
        assert len(out.splitlines()) == lines
        assert form in ("jsonl", "auto") or re.split(r"[ ,]+", out.splitlines()[0]) == ["from", "queue"]
    status, _, err = run("dependencies", folder, "--fields", "queue", "--format", "dot")
    assert (status, "--fields cannot be used with --format dot" in err) == (2, True)


def test_graphs(run: Run, folder: Path) -> None:
    _, out, _ = run("dependencies", folder, "--format", "dot", "--limit", "5")
    assert sum(" -> " in line for line in out.splitlines()) == 5
    assert (out.splitlines()[0], out.splitlines()[-1]) == ("digraph msmq {", "}")
    _, out, _ = run("dependencies", folder, "--format", "mermaid", "--limit", "5")
    assert out.splitlines()[0] == "flowchart LR"
    assert sum(" -->|" in line for line in out.splitlines()) == 5


@pytest.mark.long
def test_a_server(run: Run, folder: Path, rows: list[dict[str, Any]]) -> None:
    """By an address or a GUID: what was sent there last, and what names it; nothing else."""
    hosts = captures.tables(folder, ["hosts"])["hosts"].read_all().to_pylist()
    machines = Counter(host["machine"] for host in hosts)
    addresses = Counter(address for host in hosts for address in host["addresses"])
    asked = 0
    for number, host in enumerate(hosts):
        if any(addresses[address] > 1 for address in host["addresses"]):
            continue
        names = {host["queue_manager"], *host["addresses"]}
        names |= {host["machine"]} if machines[host["machine"]] == 1 else set()
        starts = [
            *(f"DIRECT={protocol}:{name}\\".lower() for name in names - {None} for protocol in ("OS", "TCP")),
            f"private={host['queue_manager']}\\".lower(),
        ]
        wanted = Counter(
            (row["queue"], row["host"], row["queue_manager"], row["purpose"])
            for row in rows
            if names & {name for name, _ in row["receivers"]}
            or row["queue"].lower().startswith(tuple(starts))
        )
        name = host["addresses"][0] if number % 2 else host["queue_manager"].upper()
        _, out, _ = run("dependencies", folder, "--on", name, "--purpose", "all")
        listed = [json.loads(line) for line in out.splitlines()]
        assert wanted == Counter(
            (row["queue"], row.get("host"), row.get("queue_manager"), row["purpose"]) for row in listed
        )
        asked += bool(wanted)
    assert asked > 3
    assert run("dependencies", folder, "--on", "nowhere")[0] == 1


def test_a_server_by_its_name(run: Run, folder: Path, rows: list[dict[str, Any]]) -> None:
    named = (re.match(r"DIRECT=OS:([a-z]+-msmq\d+)\\", row["queue"]) for row in rows)
    machine = next(match[1] for match in named if match)
    for server, start in ((machine, f"DIRECT=OS:{machine}\\"), ("HOST", "DIRECT=HTTP://host/")):
        queues = {row["queue"] for row in rows if row["queue"].startswith(start)}
        _, out, _ = run("dependencies", folder, "--on", server, "--purpose", "all")
        assert queues
        assert queues <= {json.loads(line)["queue"] for line in out.splitlines()}


def test_a_name_that_two_queue_managers_have() -> None:
    """It stands for neither, and nothing stands for a queue manager without a name."""
    hosts: list[dict[str, Any]] = [
        {
            "queue_manager": name,
            "machine": next(iter(names), None),
            "machines": names,
            "address": address,
            "addresses": [address],
        }
        for name, names, address in [
            ("a", ["same"], "10.0.0.1"),
            ("b", ["same"], "10.0.0.2"),
            ("c", [], "10.0.0.3"),
            ("d", ["server", "server.example"], "10.0.0.4"),
        ]
    ]
    machines = Machines.of(hosts)
    assert names_of("same", hosts, machines) == {"same"}
    assert names_of("10.0.0.2", hosts, machines) == {"b", "10.0.0.2"}
    assert names_of("c", hosts, machines) == {"c", "10.0.0.3"}
    for name in ("server", "server.example"):
        assert names_of(name, hosts, machines) == {"d", "10.0.0.4", "server", "server.example"}


def test_examples_of_conditions() -> None:
    """What the help of each verb shows is a condition on its table."""
    options = [
        (verb, item)
        for verb, command in commands.app.commands.items()
        for item in command.params
        if item.name == "where" and verb in captures.SCHEMAS
    ]
    for verb, item in options:
        example = re.search(r"such as (\S+);", getattr(item, "help", ""))
        assert example, verb
        Where([example[1]], captures.SCHEMAS[verb])
    assert {verb for verb, _ in options} == {
        "packets", "messages", "findings", "deliveries", "dependencies", "queues", "hosts",
    }  # fmt: skip


def test_a_row_for_each_sender(run: Run, folder: Path) -> None:
    """The table has no sender twice for one queue; nothing is lost, and nothing cut outside of terminals."""
    _, out, _ = run("dependencies", folder, "--format", "table", "--purpose", "all")
    heads, *lines = out.splitlines()
    at = [heads.index(f" {name} ") + 1 for name in ("queue", "on", "purpose", "messages")]
    assert "..." not in out
    _, text, _ = run("dependencies", folder, "--format", "csv", "--purpose", "all")
    listed = [*csv.DictReader(text.splitlines())]
    cells = [[line[i:j].strip() for i, j in pairwise([0, *at])] for line in lines]
    senders = Counter(map(tuple, cells))
    assert max(senders.values()) == 1
    assert len(lines) <= len(listed)
    assert {row["queue"] for row in listed} == {queue for _, queue, *_ in cells}
    for row in listed:
        counts = [text.split("=")[1] for text in row["receivers"].split("; ") if text]
        assert [text.rsplit("=", 1)[1] for text in row["receiver_machines"].split("; ") if text] == counts


@pytest.mark.parametrize(
    "words", [("--where", "queue=none"), ("--purpose", "system", "--where", "messages>9999")]
)
def test_conditions_without_a_match_fail(run: Run, folder: Path, words: tuple[str, ...]) -> None:
    status, out, err = run("dependencies", folder, *words)
    assert (status, out) == (1, "")
    assert err == "msmq-wire: nothing matches\n"


# ---------------------------------------------------------------------------------- queues and hosts


@pytest.mark.each(2)
@pytest.mark.parametrize(
    ("verb", "first", "listed"),
    [
        ("queues", ("messages", max), "queue purpose messages bytes hosts last_at"),
        ("hosts", ("machine", min), "machine address queue_manager first_at last_at"),
    ],
)
def test_other_tables(run: Run, folder: Path, verb: str, first: tuple[str, Any], listed: str) -> None:
    """Each verb lists the rows of its table in each format."""
    table = captures.tables(folder, [verb])[verb].read_all()
    status, out, err = run(verb, folder)
    lines = [json.loads(line) for line in out.splitlines()]
    keys = ("queue", "purpose", "queue_manager")
    assert (status, err) == (0, "")
    assert Counter(tuple(row.get(key) for key in keys) for row in lines) == Counter(
        tuple(row.get(key) for key in keys) for row in table.to_pylist()
    )
    name, best = first
    assert lines[0][name] == best(row[name] for row in lines if name in row)
    _, out, _ = run(verb, folder, "--format", "table", "--limit", "2")
    assert (out.split("\n")[0].split(), out.count("\n")) == (listed.split(), 3)
    _, out, _ = run(verb, folder, "--format", "csv", "--where", f"{name}={lines[0][name]}")
    again = [*csv.DictReader(out.splitlines())]
    assert [*again[0]] == table.schema.names
    assert {row[name] for row in again} == {str(lines[0][name])}
    lists = {key: value for key, value in lines[0].items() if isinstance(value, list) and key != "evidence"}
    assert {key: again[0][key].split("; ") for key in lists if lists[key]} == {
        key: value for key, value in lists.items() if value
    }
    _, out, _ = run(verb, folder, "--fields", f"last_at,{name}", "--limit", "1")
    assert [*json.loads(out)] == ["last_at", name]
    status, out, err = run(verb, folder, "--where", f"{name}=0")
    assert (status, out, err) == (1, "", f"msmq-wire: none of the {verb} matches\n")


def test_hostile_texts_in_csv() -> None:
    """A cell is printable text, and stays one cell."""
    texts = ["a,b", 'a"b', "line\nbreak", "\x1b[2J", "\u202eright", "数据"]
    (batch,) = pa.table({"text": texts, "list": [[text] for text in texts]}).to_batches()
    lines = [*csv_lines()(batch)]
    assert all(line[:-1].isprintable() for line in lines)
    assert [*csv.reader(lines[1:])] == [
        [text if text.isprintable() else text.encode("unicode_escape").decode()] * 2 for text in texts
    ]


def test_no_text_is_a_formula_in_csv() -> None:
    """Senders choose labels; numbers and truth values are as other programs read them."""
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\uff1d1", "\t=1", "a=1", "a;=1;\uff1d2; b=2"]
    columns = {
        "text": texts,
        "list": [[text] for text in texts],
        "number": [-1] * 8,
        "truth": [True, False] * 4,
    }
    (batch,) = pa.table(columns).to_batches()
    cells = [*csv.reader([*csv_lines()(batch)][1:])]
    harmless = [f"'{text}" for text in texts[:5]] + ["\\t=1", "a=1", "a;'=1;'\uff1d2; b=2"]
    assert [row[:2] for row in cells] == [[text, text] for text in harmless]
    assert [row[2:] for row in cells] == [["-1", "true"], ["-1", "false"]] * 4


# ------------------------------------------------------------------------------------- graphs by hand


def row(queue: str, manager: Any = "a", host: Any = None, messages: int = 1, **states: int) -> dict[str, Any]:
    known = states or {"sent": messages}
    return {
        "queue": queue, "queue_manager": manager, "host": host, "messages": messages, "bytes": 10 * messages,
        "states": [*known.items()], "purpose": "application", "last_at": None,
    }  # fmt: skip


def test_edges() -> None:
    """Addresses of one machine come together; a name that two have is nobody's."""
    hosts: list[dict[str, Any]] = [
        {"queue_manager": "a", "machine": "one", "address": "10.0.0.1"},
        {"queue_manager": "b", "machine": None, "address": "10.0.0.3"},
    ]
    twice = [{"queue_manager": name, "machine": "same", "address": "10.0.0.9"} for name in ("c", "d")]
    machines = Machines.of([*hosts, *twice])
    assert machines == ({"a": "one"}, {"a": "10.0.0.1", "b": "10.0.0.3"})
    edges = edges_of(
        [
            row("q", "a", "10.0.0.1"),
            row("q", "a", "10.0.0.2", 3, sent=1, refused=1, expired=1),
            row("q", "b", "10.0.0.3"),
            row("q", "b", None),
            row("q", "c", None),
            row("q", None, None),
        ],
        machines,
    )
    assert [(edge.sender, edge.messages, edge.size, edge.undelivered) for edge in edges] == [
        ("one", 4, 40, 2),
        ("10.0.0.3", 2, 20, 0),
        ("c", 1, 10, 0),
        ("unknown sender", 1, 10, 0),
    ]


MANAGER = "5eb561a4-0000-0000-0000-000000000012"


def test_machines_of_queues() -> None:
    """A queue that is named by a GUID or an address has what is known of its machine beside it."""
    other = "5eb561a4-0000-0000-0000-000000000013"
    machines = Machines({MANAGER: "sales"}, {MANAGER: "10.0.0.1", other: "10.0.0.2"})
    known = {
        rf"PRIVATE={MANAGER.upper()}\00000012": "sales",
        rf"PRIVATE={other.upper()}\00000012": "10.0.0.2",
        r"DIRECT=TCP:10.0.0.1\private$\orders": "sales",
        r"DIRECT=TCP:10.0.0.2\private$\orders": None,
        r"DIRECT=OS:sales\private$\orders": None,
        f"PUBLIC={MANAGER.upper()}": None,
        r"PRIVATE=5EB561A4-0000-0000-0000-000000000014\00000012": None,
        "no name": None,
    }
    assert machines.of_queues(known) == [*known.values()]
    edges = edges_of([row(queue) for queue in known], machines)
    schema = captures.SCHEMAS["dependencies"]
    receivers = [(MANAGER, 2), (other, 1), ("10.0.0.2", 3)]  # the last two are one
    sent = [row(queue) | {"receivers": receivers} for queue in known]
    rows = with_machines(pa.RecordBatch.from_pylist(sent, schema), machines)
    table = table_of_rows(pa.Table.from_batches([rows]))
    assert dict(zip(*(table.column(name).to_pylist() for name in ("queue", "on")), strict=True)) == known
    few = table_of_rows(pa.Table.from_batches([rows]).slice(len(known) - 1))
    assert few.schema.names == [name for name in table.schema.names if name != "on"]
    assert "readers" not in table.schema.names
    listed = [*csv.DictReader(csv_lines()(rows))]
    assert {row["queue"]: row["on"] or None for row in listed} == known
    assert [dict(each) for each in rows.column("receiver_machines").to_pylist()] == [
        {"sales": 2, "10.0.0.2": 4}
    ] * len(known)
    assert {row["receiver_machines"].count("=") for row in listed} == {2}
    labels = {name if machine is None else f"{name} ({machine})" for name, machine in known.items()}
    assert {edge.queue for edge in edges} == labels
    assert "(sales)" in "".join(dot_lines(edges))
    assert "(sales)" in "".join(mermaid_lines(edges))


def test_who_reads_remotely() -> None:
    """Hosts that read a queue depend on its server as those that send to it do."""
    counts = [("10.0.0.7", 1), ("10.0.0.8", 5)], [("10.0.0.7", 9), ("10.0.0.9", 1), ("10.0.0.5", 1)], None
    sent = [row("q", "a", "10.0.0.1"), row("q", "a", None), row("p")]
    read = [one | {"remote_readers": count} for one, count in zip(sent, counts, strict=True)]
    rows = pa.RecordBatch.from_pylist(read, captures.SCHEMAS["dependencies"])
    table = table_of_rows(pa.Table.from_batches([with_machines(rows, Machines({}, {"a": "10.0.0.1"}))]))
    readers = dict(zip(*(table.column(name).to_pylist() for name in ("queue", "readers")), strict=True))
    assert readers == {"q": "10.0.0.7, 10.0.0.8, 10.0.0.5 and 1 more", "p": None}


@pytest.mark.parametrize(("count", "limit", "said"), [(500, None, 0), (501, None, 1), (501, 500, 0)])
def test_more_than_mermaid_draws(
    count: int, limit: int | None, said: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """It draws 500 edges; one line tells of more, and standard output has them all."""
    schema = captures.SCHEMAS["dependencies"]
    rows = pa.Table.from_pylist([row(f"q{index}") for index in range(count)], schema)
    lines = [*graph_lines(rows, Machines({}, {}), "mermaid", limit)]
    assert sum(" -->|" in line for line in lines) == min(count, limit or count)
    err = capsys.readouterr().err
    assert err.count("\n") == err.count("Mermaid draws 500 edges") == said


@pytest.mark.parametrize(
    ("limit", "weights", "comment"),
    [
        (None, [9, 8, 7, 2, 1], ""),
        (4, [9, 8, 2, 1], "left out: 1 edge, 0 queues"),
        (2, [9, 2], "left out: 3 edges, 1 queue"),
    ],
)
@pytest.mark.parametrize(("form", "mark"), [("dot", "  // "), ("mermaid", "  %% ")])
def test_a_limit_keeps_the_heaviest_edge_of_each_queue(
    form: str, mark: str, limit: int | None, weights: list[int], comment: str
) -> None:
    """Then the heaviest others; a comment of the graph counts what is left out."""
    counts = [(f"s{count}", "busy", count) for count in (7, 8, 9)] + [("a", "rare", 2), ("a", "rarest", 1)]
    rows = [row(queue, None, sender, count) for sender, queue, count in counts]
    table = pa.Table.from_pylist(rows, captures.SCHEMAS["dependencies"])
    lines = [*graph_lines(table, Machines({}, {}), form, limit)]
    edges = [line for line in lines if " ->" in line or " -->" in line]
    assert [int(re.search(r'"(\d+)"', line)[1]) for line in edges] == weights  # type: ignore[index]
    assert [line for line in lines if line.startswith(mark)] == ([f"{mark}{comment}\n"] if comment else [])


@pytest.mark.parametrize("lines", [dot_lines, mermaid_lines])
def test_the_nodes_with_most_messages_are_first(lines: Any) -> None:
    """As the edges are."""
    edges = [Edge("b", "q", 9, 9, 0), Edge("a", "p", 5, 5, 0), Edge("b", "p", 1, 1, 0)]
    text = "\n".join(lines(edges))
    nodes = [text.index(f'"{name}"') for name in "baqp"]
    assert nodes == sorted(nodes)


def test_addresses_are_in_the_order_of_their_numbers() -> None:
    addresses = ["10.0.0.2", "10.0.0.10", "2001:db8::9", "2001:db8::10", None]
    rows = pa.table({"address": sorted(addresses, key=str)})
    assert ordered(rows, [("address", "ascending")]).column("address").to_pylist() == addresses


HOSTILE = ['a"];evil[label="', "back\\", 'x"|end', "line\nbreak", "\u202eright", "数据", "]-->q9", "<script>"]


def test_hostile_names_stay_labels() -> None:
    """Whatever a name has, there is one line for each node and edge, and its quotes are closed."""
    edges = edges_of([row(name) for name in HOSTILE], Machines({}, {}))
    dot, mermaid = [*dot_lines(edges)], [*mermaid_lines(edges)]
    assert len(dot) == 3 + 1 + 2 * len(HOSTILE) + 1
    assert len(mermaid) == 1 + 1 + 2 * len(HOSTILE)
    for line in dot:
        bare = line.replace("\\\\", "").replace('\\"', "")
        assert bare.count('"') % 2 == 0
        assert "\n" not in line
    quotes = Counter(line.count('"') for line in mermaid)
    assert {*quotes} == {0, 2}
    assert not any(mark in "".join(mermaid) for mark in ("<", ">q9", "evil["))


# ------------------------------------------------------------------------------------------- schemas


@pytest.mark.each(8)
@pytest.mark.parametrize(
    "verb", ["packets", "messages", "sessions", "findings", "deliveries", "dependencies", "queues", "hosts"]
)
def test_schemas(run: Run, folder: Path, verb: str) -> None:
    """Each verb prints as many events as rows, in the names of the other tool."""
    count = len(run(verb, folder, "--format", "jsonl")[1].splitlines())
    for schema, name, value in (("ecs", "ecs", {"version": "8.17.0"}), ("zeek", "_path", f"msmq_{verb}")):
        events = [json.loads(line) for line in run(verb, folder, "--schema", schema)[1].splitlines()]
        assert len(events) == count
        expected = "msmq" if value == "msmq_packets" else value
        assert all(event[name] == expected for event in events)
    lines = run(verb, folder, "--schema", "zeek-tsv")[1].splitlines()
    head = [line for line in lines if line.startswith("#")]
    assert lines[: len(head)] == head
    assert head[4] == f"#path\t{expected}"
    assert {line.count("\t") for line in lines[len(head) :]} == {head[-1].count("\t") - 1}
    assert len(lines) - len(head) == count


@pytest.mark.parametrize(
    "words",
    [
        ("packets", "--schema", "ecs", "--format", "table"),
        ("messages", "--schema", "zeek", "--fields", "label"),
        ("queues", "--schema", "zeek", "--fields", "queue"),
        ("hosts", "--schema", "ecs", "--format", "csv"),
        ("dependencies", "--schema", "zeek-tsv", "--format", "csv"),
        ("dependencies", "--schema", "ecs", "--format", "dot"),
        ("sessions", "--schema", "ecs", "--format", "text"),
        ("findings", "--format", "text", "--schema", "zeek"),
        ("deliveries", "--schema", "zeek-tsv", "--format", "text"),
        ("tables", "--output", "out", "--schema", "ecs", "--format", "duckdb"),
        ("tables", "--output", "out", "--schema", "ecs", "--format", "parquet"),
        ("tables", "--report", "page.html", "--schema", "ecs"),
    ],
)
def test_schemas_are_for_lines(run: Run, folder: Path, words: tuple[str, ...]) -> None:
    status, out, err = run(words[0], folder, *words[1:])
    assert (status, out) == (2, "")
    assert "--schema" in err
    assert len(err.splitlines()) == 1
