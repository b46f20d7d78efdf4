"""Events for other tools: the fields are those of the Elastic Common Schema, or look like Zeek's."""

from __future__ import annotations

import datetime as dt
import json
import re
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from support_docs import DOCS

from msmq_wire import captures
from msmq_wire.captures.events import EVENT_SCHEMAS, ZEEK_TEXT, ZeekLog, event_of
from msmq_wire.testing.captures import Faults, write_captures

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ECS: dict[str, type | tuple[type, ...]] = {
    "@timestamp": str, "ecs.version": str, "message": str, "event.kind": str, "event.category": list,
    "event.type": list, "event.module": str, "event.dataset": str, "event.action": str, "event.start": str,
    "event.end": str, "event.outcome": str, "event.severity": int, "event.reason": str,
    "source.address": str, "source.ip": str, "source.port": int, "destination.address": str,
    "destination.ip": str, "destination.port": int, "network.transport": str, "network.protocol": str,
    "network.community_id": str, "network.bytes": int, "observer.name": str, "observer.type": str,
    "log.file.path": str, "related.ip": list, "host.name": str, "host.ip": list,
    "rule.id": str, "rule.name": str, "rule.category": str,
    "rule.reference": str, "vulnerability.id": str, "vulnerability.enumeration": str, "error.message": str,
}  # fmt: skip
"""Fields of the Elastic Common Schema and their types, typed in from its reference."""
KINDS = {"alert", "asset", "event", "metric", "state", "pipeline_error"}
CATEGORIES = {"network", "intrusion_detection", "configuration", "host"}
TYPES = {"connection", "protocol", "info", "change"}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """All tables of generated captures with faults."""
    place = tmp_path_factory.mktemp("events")
    faults = Faults(loss=0.02, spoil=0.05, bend=0.1)
    write_captures(place, 250, seed=4, files=2, faults=faults)
    return {name: table.read_all().to_pylist() for name, table in captures.tables(place / "captures").items()}


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from leaves(item, f"{path}.{name}" if path else name)
    else:
        yield path, value


def test_fields_of_ecs(rows: dict[str, list[dict[str, Any]]]) -> None:
    """What is not a field of the schema is under ``msmq``, and the words are those that it allows."""
    for table, listed in rows.items():
        for row in listed:
            event = json.loads(json.dumps(event_of("ecs", table)(row)))
            own = event.pop("msmq", {})
            for path, value in leaves(event):
                assert isinstance(value, ECS[path]), (table, path)
            assert event["event"]["kind"] in KINDS
            assert {*event["event"].get("category", ())} <= CATEGORIES
            assert {*event["event"].get("type", ())} <= TYPES
            assert not {"data", "body"} & {*own}
            known = {name for name, value in row.items() if value not in (None, [], {})} - {"data", "body"}
            assert {*own} <= known
            assert known - {*own} <= {name for name in known if not isinstance(row[name], (str, int, bool))}


def test_an_alert() -> None:
    """Severity, rule, reason and CVE of a finding."""
    row = {
        "time": dt.datetime(2026, 1, 1, tzinfo=dt.UTC), "end_time": None, "transport": "tcp", "sensor": "s",
        "src": "10.0.0.1", "src_port": 5, "dst": "10.0.0.2", "dst_port": 1801, "file": "a.pcap",
        "severity": "alert", "id": "pattern-id", "name": "An attack",
        "references": ["CVE-2023-21554", "KB 1"], "evidence": "a length leads out of the packet",
        "direction": "->", "connection": "c", "data": b"x",
    }  # fmt: skip
    event = event_of("ecs", "findings")(row)
    assert event["@timestamp"] == "2026-01-01T00:00:00+00:00"
    assert (event["event"]["kind"], event["event"]["severity"]) == ("alert", 3)
    assert event["message"] == event["event"]["reason"] == "a length leads out of the packet"
    assert event["rule"] == {"id": "pattern-id", "name": "An attack", "reference": "KB 1"}
    assert event["vulnerability"] == {"id": "CVE-2023-21554", "enumeration": "CVE"}
    assert event["related"] == {"ip": ["10.0.0.1", "10.0.0.2"]}
    assert event_of("ecs", "findings")({**row, "severity": "info"})["event"]["kind"] == "event"


def test_a_delivery_has_the_ends_of_its_first_hop() -> None:
    """Without a hop on a network, it has none."""
    hop = {"flow": "tcp [2001:db8::1]:1801 > 10.0.0.2:50000 #ab", "connection": "c", "sensor": "s"}
    row = {"state": "sent", "why": ".", "hops": [hop, {**hop, "flow": "tcp 10.0.0.8:1 > 10.0.0.9:2 #ab"}]}
    event = event_of("ecs", "deliveries")(row)
    assert event["source"] == {"address": "2001:db8::1", "ip": "2001:db8::1", "port": 1801}
    assert event["destination"]["ip"] == "10.0.0.2"
    assert event["network"]["transport"] == "tcp"
    log = event_of("zeek", "deliveries")(row)
    assert (log["id.orig_h"], log["id.resp_h"], log["id.resp_p"]) == ("10.0.0.2", "2001:db8::1", 1801)
    assert {"uid", "community_id"} <= {*log}
    for hops in ([], None, [{**hop, "flow": "file a.bin"}]):
        assert "source" not in event_of("ecs", "deliveries")({**row, "hops": hops})


def test_deliveries_can_be_joined(rows: dict[str, list[dict[str, Any]]]) -> None:
    """Their Community IDs are those of the packets."""
    known = {row["community_id"] for row in rows["packets"]}
    hopped = [row for row in rows["deliveries"] if row["hops"]]
    found = {event_of("zeek", "deliveries")(row).get("community_id") for row in hopped}
    assert found
    assert found <= known


@pytest.mark.parametrize(
    ("state", "outcome"),
    [("received", "success"), ("reached", "success"), ("refused", "failure"), ("expired", "failure"),
     ("sent", "unknown"), ("unknown", "unknown"), ("accepted", "unknown")],
)  # fmt: skip
def test_outcomes(state: str, outcome: str) -> None:
    assert event_of("ecs", "deliveries")({"state": state, "why": "."})["event"]["outcome"] == outcome


def test_zeek_names_the_originator(rows: dict[str, list[dict[str, Any]]]) -> None:
    """Both directions of a connection have one identifier and the same originator, in all logs."""
    known: dict[str, tuple[Any, ...]] = {}
    sides = set()
    for table in ("flows", "packets", "messages", "violations", "sessions", "deliveries"):
        for row in rows[table]:
            if not row.get("hops", True):  # no hop was captured
                continue
            event = json.loads(json.dumps(event_of("zeek", table)(row)))
            assert event["_path"] == ("msmq" if table == "packets" else f"msmq_{table}")
            assert not any(isinstance(value, dict) for value in event.values())
            ends = tuple(event[f"id.{name}"] for name in ("orig_h", "orig_p", "resp_h", "resp_p"))
            assert known.setdefault(event["uid"], ends) == ends
            sides.add(event.get("is_orig"))
            if table == "packets":
                assert event["ts"] == round(row["time"].timestamp(), 6)
    assert sides == {True, False, None}
    assert len(known) > 5


def test_only_a_connection_has_an_id(rows: dict[str, list[dict[str, Any]]]) -> None:
    """A row has both addresses and both ports, or no field of a connection: a dependency has many."""
    ids = {"id.orig_h", "id.orig_p", "id.resp_h", "id.resp_p"}
    for table, listed in rows.items():
        names = {*ZeekLog(table, captures.SCHEMAS[table]).fields}
        assert names & ids in (ids, set()), table
        assert ("uid" in names) >= bool(names & ids), table
        for row in listed:
            assert {*event_of("zeek", table)(row)} & ids in (ids, set()), table
    event = event_of("zeek", "dependencies")({"host": "10.0.0.1", "queue": "q"})
    assert event == {"_path": "msmq_dependencies", "host": "10.0.0.1", "queue": "q"}
    text = (DOCS / "how-to" / "siem.md").read_text("utf-8")
    (sentence,) = re.findall(r"Tables that are not about one connection, (.*?) for example", text, re.DOTALL)
    for table in re.findall(r"`(\w+)`", sentence):
        assert not ids & {*ZeekLog(table, captures.SCHEMAS[table]).fields}, table


def test_the_page_has_all_fields_of_the_log_of_packets() -> None:
    """With their types: a row for each, or for those of a header that have one type."""
    text = (DOCS / "reference" / "zeek-fields.md").read_text("utf-8")
    own, _, inner = text.partition("| header | type | fields |")
    listed = dict(re.findall(r"^\| `([\w.]+)` \| `([\w\[\]]+)` \| .+ \|$", own, re.MULTILINE))
    for header, kind, names in re.findall(r"^\| `(\w+)` \| `([\w\[\]]+)` \| (.+) \|$", inner, re.MULTILINE):
        listed |= {f"{header}.{name}": kind for name in re.findall(r"`([\w.]+)`", names)}
    assert listed == ZeekLog("packets", captures.SCHEMAS["packets"]).fields


def test_columns_that_zeek_names_otherwise(rows: dict[str, list[dict[str, Any]]]) -> None:
    """They are those of the page, which says that all others have their own names."""
    text = (DOCS / "how-to" / "siem.md").read_text("utf-8")
    (sentence,) = re.findall(
        r"all other columns of the table by their names: (.*?) are only in", text, re.DOTALL
    )
    seen: set[str] = set()
    for table, listed in rows.items():
        for row in listed:
            event = event_of("zeek", table)(row)
            paths = {name.partition(".")[0] for name in event}
            values = {name: value for name, value in row.items() if not isinstance(value, bytes | None)}
            seen |= {name for name, value in values.items() if value != {} and name not in paths}
    assert seen - {"id"} == {*re.findall(r"`(\w+)`", sentence)}


def test_no_field_of_zeek_is_within_another(rows: dict[str, list[dict[str, Any]]]) -> None:
    """A field that is a value and the beginning of others cannot be indexed."""
    for table, listed in rows.items():
        for row in listed:
            names = {*event_of("zeek", table)(row)}
            for name in names:
                parts = name.split(".")
                assert not any(".".join(parts[:count]) in names for count in range(1, len(parts))), name


def read_log(text: str) -> tuple[str, list[dict[str, Any]]]:
    """Read a log as Zeek's documentation describes it: the path, and the fields that are set by name."""
    lines = text.split("\n")
    assert lines.pop() == ""
    settings = dict(line[1:].split("\t", 1) for line in lines[1:5])
    assert lines[0] == r"#separator \x09"
    names, types = (line.split("\t")[1:] for line in lines[5:7])
    assert (lines[5].split("\t")[0], lines[6].split("\t")[0]) == ("#fields", "#types")
    assert len(names) == len(types)
    rows = []
    for line in lines[7:]:
        values = line.split("\t")
        assert len(values) == len(names)
        assert not line.startswith("#")
        rows.append({
            name: log_value(value, kind, settings)
            for name, kind, value in zip(names, types, values, strict=True)
            if value != settings["unset_field"]
        })  # fmt: skip
    return settings["path"], rows


def log_value(value: str, kind: str, settings: dict[str, str]) -> Any:
    if kind.startswith("vector["):
        items = [] if value == settings["empty_field"] else value.split(settings["set_separator"])
        return [log_value(item, kind[len("vector[") : -1], settings) for item in items]
    if kind == "bool":
        return {"T": True, "F": False}[value]
    if kind in {"count", "int", "port"}:
        return int(value)
    if kind in {"time", "double"}:
        return float(value)
    assert kind in {"string", "addr", "enum"}
    if value == settings["empty_field"]:
        return ""
    plain = re.sub(rb"\\x([0-9a-f]{2})", lambda match: bytes.fromhex(match[1].decode()), value.encode())
    return plain.decode("utf-8", "surrogatepass")


def test_logs_of_zeek(rows: dict[str, list[dict[str, Any]]]) -> None:
    """A log as text has the values of the JSON log, for each row of each table."""
    for table, listed in rows.items():
        log = ZeekLog(table, captures.SCHEMAS[table])
        path, read = read_log(log.header + "".join(map(log.line, listed)))
        assert path == ("msmq" if table == "packets" else f"msmq_{table}")
        assert len(read) == len(listed)
        for row, values in zip(listed, read, strict=True):
            event = event_of("zeek", table)(row)
            del event["_path"]
            wanted = {name: as_logged(value) for name, value in event.items() if value is not None}
            assert {name: value for name, value in values.items() if value != []} == {
                name: value for name, value in wanted.items() if value != []
            }, table


def as_logged(value: Any) -> Any:
    """Return what a log has for a value of an event: lists of records are lists of JSON."""
    if isinstance(value, list):
        return [
            json.dumps(item, ensure_ascii=False) if isinstance(item, dict | list) else item for item in value
        ]
    return value


@pytest.mark.parametrize(
    ("text", "logged"),
    [
        ("", "(empty)"),
        ("-", r"\x2d"),
        ("(empty)", r"\x28empty)"),
        ("a\tb\nc", r"a\x09b\x0ac"),
        ("a\\x09", r"a\x5cx09"),
        ("очередь", "очередь"),
        ("\u202eevil", r"\xe2\x80\xaeevil"),
        ("\ud800", r"\xed\xa0\x80"),
        ("#path", r"\x23path"),
        ("a,b", "a,b"),
    ],
)
def test_texts_of_zeek(text: str, logged: str) -> None:
    """Texts that a log uses for itself, and characters that would break its lines, are escaped."""
    log = ZeekLog("notes", pa.schema([("note", pa.string()), ("list", pa.list_(pa.string()))]))
    line = log.line({"note": text, "list": [text, None]})
    item = logged.replace(r"\x23", "#").replace(",", r"\x2c")  # only a line must not begin with a number sign
    assert line == f"{logged}\t{item},-\n"
    _, [values] = read_log(log.header + log.line({"note": text, "list": [text, "b"]}))
    assert values == {"note": text, "list": [text, "b"]}


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small capture."""
    return write_captures(tmp_path_factory.mktemp("few"), 40, seed=4, files=1).captures[0]


@pytest.mark.each(2)
@pytest.mark.parametrize("schema", [name for name in EVENT_SCHEMAS if name != ZEEK_TEXT])
def test_tables_as_events(few: Path, tmp_path: Path, schema: str) -> None:
    """The tables are written as lines, and a second run replaces them."""
    for _ in range(2):
        captures.write(few, tmp_path, schema)
    lines = (tmp_path / "findings" / "part-00000.jsonl").read_text("utf-8").splitlines()
    assert all(isinstance(json.loads(line), dict) for line in lines)
    packets = (tmp_path / "packets" / "part-00000.jsonl").read_text("utf-8").splitlines()
    event = json.loads(packets[0])
    assert (event["event"]["dataset"] == "msmq.packets") if schema == "ecs" else event["_path"] == "msmq"


def test_tables_as_logs(few: Path, tmp_path: Path) -> None:
    """Each table is a log, those without rows too, and a second run replaces them."""
    for _ in range(2):
        counts = captures.write(few, tmp_path, ZEEK_TEXT)
    read = {log.parent.name: read_log(log.read_text("utf-8")) for log in tmp_path.glob("*/*")}
    assert {*read} >= {*captures.TABLES}
    assert read["directory_changes"] == ("msmq_directory_changes", [])
    assert len(read["packets"][1]) == counts["packets"]
