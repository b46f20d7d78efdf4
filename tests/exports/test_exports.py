"""What readers in other languages are given: it fits its schema, and the library says the same of it."""

from __future__ import annotations

import gzip
import json
from typing import Any

import jsonschema
import pytest
from support_specs import SPECS

import vectors
from msmq_wire.documents.layouts import structures


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SPECS / name).read_bytes())
    return found


def test_layouts_fit_their_schema() -> None:
    layouts = json.loads((SPECS / "layouts.json").read_bytes())
    jsonschema.Draft202012Validator(schema("layouts.schema.json")).validate(layouts)
    assert [row["name"] for row in layouts["structures"]] == list(structures())


def test_paths_of_layouts_lead_somewhere() -> None:
    """Counts, presence and selectors name numbers of the structure, of its parts, or of one around it."""
    layouts = json.loads((SPECS / "layouts.json").read_bytes())
    fields = {row["name"]: {field["name"]: field for field in row["fields"]} for row in layouts["structures"]}
    around: dict[str, set[str]] = {name: set() for name in fields}
    for owner, rows in fields.items():
        for field in rows.values():
            kind = field["kind"]
            for inner in [kind.get("structure"), *kind.get("forms", {}).values()]:
                if inner:
                    around[inner].add(owner)

    def leads(owner: str, path: list[str]) -> bool:
        field = fields[owner].get(path[0])
        if field is None:
            return any(leads(outer, path) for outer in around[owner])
        kind = field["kind"]
        if len(path) == 1:
            return kind["type"] in {"integer", "flags"}
        if kind["type"] == "flags":
            return path[1] in {group["name"] for group in kind["groups"]}
        return leads(kind["structure"], path[1:])

    seen = 0
    for owner, rows in fields.items():
        for field in rows.values():
            kind = field["kind"]
            count = kind.get("count") if isinstance(kind.get("count"), dict) else {}
            paths = [count["number"]] if "number" in count else []
            paths += [size[0] for size in count.get("sizes", ())]
            paths += [kind["alignment"]["selector"]] if kind.get("alignment", {}).get("selector") else []
            paths += field.get("present", {}).get("numbers", ())
            paths += [kind["selector"]] if kind.get("selector") else []
            for path in paths:
                assert leads(owner, path.split(".")), (owner, field["name"], path)
                seen += 1
    assert seen > 60


def test_tables_of_layouts_name_fields() -> None:
    """Every path of a table is one of a field or of bits of one; every rule is about a field."""
    layouts = json.loads((SPECS / "layouts.json").read_bytes())
    known = structures()
    tables = ("values", "open_values", "expected", "units", "hexadecimal", "defaults", "embedded")
    paths = [path for table in tables for path in layouts[table]]
    paths += [f"{owner}.{path}" for owner, fixed in layouts["fixed"].items() for path in fixed]
    paths += [
        f"{owner}.{comparison['path']}"
        for owner, rules in layouts["rules"].items()
        for rule in rules
        for comparison in (rule["holds"], *rule.get("when", ()))
    ]
    wrong = []
    for path in paths:
        owner, _, rest = path.partition(".")
        try:
            known[owner].at(rest)
        except KeyError:
            wrong.append(path)
    assert wrong == []


@pytest.fixture(scope="module")
def document() -> vectors.Document:
    return vectors.read()


def test_the_schema_of_vectors_is_generated() -> None:
    assert (SPECS / "vectors.schema.json").read_text("utf-8") == vectors.schema()


@pytest.mark.long
def test_vectors_fit_their_schema(document: vectors.Document) -> None:
    text = (SPECS / "vectors.schema.json").read_text("utf-8")
    packed = gzip.decompress(vectors.FILE.read_bytes())
    jsonschema.Draft202012Validator(json.loads(text)).validate(json.loads(packed))
    assert document.count == sum(len(group.vectors) for group in document.groups) > 1800


def test_vectors_have_names_and_notes(document: vectors.Document) -> None:
    for group in document.groups:
        assert len({row.name for row in group.vectors}) == len(group.vectors)
        assert group.source
        for row in group.vectors:
            assert set(row.flags) <= set(document.notes)


@pytest.mark.parametrize("number", range(6))
def test_vectors_are_what_the_library_says(document: vectors.Document, number: int) -> None:
    group = document.groups[number]
    assert vectors.stale(group) == []
    results = {row.result for row in group.vectors}
    assert len(results) > 1 or group.name == "published"


def test_origins_are_complete(document: vectors.Document) -> None:
    """All of specs is in it; those that were drawn are not drawn anew."""
    made = vectors.origins(drawn=False)
    committed = {group.name: [row.name for row in group.vectors] for group in document.groups}
    for group in made:
        assert committed[group.name] == [row.name for row in group.vectors]
    assert len(committed["bent"]) > 400


BEYOND = {
    "MQCN-3.3.5.2-18": "the second reader takes any property in an update",
    "MQDSRP-3.1.7.1.1-14": "it judges the header and the change of a request each by itself",
    "MQDSRP-3.1.7.1.1-15": "it judges a change without the request around it",
    "MQDSRP-3.1.7.1.1-16": "it judges a change without the request around it",
    "MQDSRP-3.1.7.1.1-17": "it judges a change without the request around it",
    "MQDSRP-3.1.7.1.2-06": "it takes any properties in a deletion",
    "MQMQ-2.2.18.1.5.2-03": "it takes a name with a null character inside",
    "MQMQ-2.2.19.2-47": "it does not compare the queues of a header",
    "MQMQ-2.2.19.3-45": "it takes an encrypted body without any block",
    "MQMQ-2.2.20.1-01": "it takes a list of destinations without any",
    "MQMQ-2.2.20.4-09": "it takes any bits of acknowledgments",
    "MQMQ-2.2.20.6-06": "it does not ask what an encrypted body needs",
    "MQMQ-2.2.20.6-26": "it does not compare the sender with the header of the queue manager",
    **{
        f"MQQB-2.2.4-{number:02}": "it gives messages the class of an OrderAck"
        for number in (1, 3, 4, 5, 6, 8, 9, 10, 12)
    },
    "MQQB-3.1.7.17-01": "it gives messages the class of an OrderAck",
    "MQQB-3.1.5.3.2-02": "it asks for the direction first",
    "MQQB-2.4.2-01": "it does not look into key blobs",
    "MQQB-2.4.2-02": "it does not look into key blobs",
    "MQQB-2.4.2-03": "it does not look into key blobs",
}
"""Requirements of which the second reader says nothing, and why."""
ELSEWHERE = {
    "OrderAckPacket": "what is no OrderAck is an ordinary message",
    "FinalAckPacket": "what is no FinalAck is an ordinary message",
    "PROPVALUE(VT_BOOL)": "a requirement on a VT_BOOL is about the property that has it",
}
"""Kinds of which it says more than the bytes alone, and why."""


def test_independent_verdicts(document: vectors.Document) -> None:
    """What the second reader says of its own vectors: they can be read, or they cannot be valid."""
    lines = gzip.decompress((SPECS / "vectors" / "independent.jsonl.gz").read_bytes()).splitlines()
    ours = next(group for group in document.groups if group.name == "independent").vectors
    for line, row in zip(lines, ours, strict=True):
        theirs = json.loads(line)
        if theirs["verdict"] == "valid":
            assert row.result != "unreadable", row.name
            broken = {one.requirement for one in row.violations if one.level == "must"}
            assert broken <= set(BEYOND), row.name
        elif theirs["kind"] not in ELSEWHERE:
            assert row.result != "valid", row.name
