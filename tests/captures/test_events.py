"""Events for other tools: the fields are those of the Elastic Common Schema, or look like Zeek's."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any

import pytest

from msmq_wire import captures
from msmq_wire.captures.events import EVENT_SCHEMAS, event_of
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
    for table in ("flows", "packets", "messages", "violations", "sessions"):
        for row in rows[table]:
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


def test_no_field_of_zeek_is_within_another(rows: dict[str, list[dict[str, Any]]]) -> None:
    """A field that is a value and the beginning of others cannot be indexed."""
    for table, listed in rows.items():
        for row in listed:
            names = {*event_of("zeek", table)(row)}
            for name in names:
                parts = name.split(".")
                assert not any(".".join(parts[:count]) in names for count in range(1, len(parts))), name


@pytest.mark.parametrize("schema", EVENT_SCHEMAS)
def test_tables_as_events(tmp_path: Path, schema: str) -> None:
    """The tables are written as lines, and a second run replaces them."""
    write_captures(tmp_path, 40, seed=4, files=1)
    for _ in range(2):
        captures.write(tmp_path / "captures", tmp_path / "out", schema)
    lines = (tmp_path / "out" / "findings" / "part-00000.jsonl").read_text("utf-8").splitlines()
    assert all(isinstance(json.loads(line), dict) for line in lines)
    packets = (tmp_path / "out" / "packets" / "part-00000.jsonl").read_text("utf-8").splitlines()
    event = json.loads(packets[0])
    assert (event["event"]["dataset"] == "msmq.packets") if schema == "ecs" else event["_path"] == "msmq"
