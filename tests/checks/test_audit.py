"""Packets of four blind audits: each breaks one statement, and its twin breaks none.

The packets were written from the pages alone, without sight of the rules.  `specs/vectors/audit.jsonl` has
one of each kind that `validate` or the decoders once did not report.  `audit-second.jsonl.gz`,
`audit-third.jsonl.gz` and `audit-fourth.jsonl.gz` have those of later audits: broken ones with their twins,
clean ones, and those that are not held against the documents (`decided`, with the reason).
"""

from __future__ import annotations

import gzip
import json
from typing import Any, Final

import pytest
from support_marks import proves
from support_rows import for_each, table
from support_specs import SPECS

import msmq_wire as mw
from msmq_wire import mqcn, mqdsrp, mqmq, mqqb, mqrr, rpc
from msmq_wire.checks.validation import Context, validate

DOCUMENTS: Final[dict[str, Any]] = {
    "mqcn": mqcn,
    "mqdsrp": mqdsrp,
    "mqmq": mqmq,
    "mqqb": mqqb,
    "mqrr": mqrr,
    "rpc": rpc,
}


def _rows() -> list[Any]:
    lines = (SPECS / "vectors" / "audit.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    return [proves((row.get("requirements") or [row["refused"]])[0], row) for row in rows]


ROWS = table(_rows)


def _later() -> list[dict[str, Any]]:
    names = ("second", "third", "fourth")
    packed = ((SPECS / "vectors" / f"audit-{name}.jsonl.gz").read_bytes() for name in names)
    return [json.loads(line) for data in packed for line in gzip.decompress(data).splitlines()]


def _first(row: dict[str, Any]) -> str | None:
    """Return the first requirement that a row breaks."""
    found: str | None = next(iter(row.get("requirements", ())), row.get("refused"))
    return found


BROKEN = table(
    lambda: [proves(first, row) for row in _later() if "decided" not in row and (first := _first(row))]
)
CLEAN = table(lambda: [row for row in _later() if "decided" not in row and not _first(row)])
DECIDED = table(lambda: [row for row in _later() if "decided" in row])


def _decode(row: dict[str, Any], data: str) -> Any:
    module, _, name = row["decoder"].partition(".")
    if module == "packet":
        return mw.decode(bytes.fromhex(data))
    document = DOCUMENTS[module]
    return (getattr(document, name) if name else document).decode(bytes.fromhex(data))


def _violations(row: dict[str, Any], record: Any) -> list[str]:
    facts = dict(row.get("context", {}))
    facts |= {name: mw.GUID.of(facts[name]) for name in ("sender", "receiver") if name in facts}
    if "request" in row:
        decoder = row.get("request_decoder", row["decoder"])
        facts["request"] = _decode({"decoder": decoder}, row["request"])
    context = Context(**facts) if facts else None
    found = validate(record, row["level"], context=context, profile=row.get("profile"))
    return [violation.requirement for violation in found]


@for_each("requirement, row", ROWS)
def test_a_broken_statement_is_named(requirement: str, row: dict[str, Any]) -> None:
    if "refused" in row:
        with pytest.raises(mw.DecodeError) as caught:
            _decode(row, row["bad"])
        assert caught.value.requirement == requirement
    else:
        assert _violations(row, _decode(row, row["bad"])) == row["requirements"]


@for_each("requirement, row", ROWS)
def test_the_twin_is_clean(requirement: str, row: dict[str, Any]) -> None:
    assert requirement not in _violations(row, _decode(row, row["twin"]))
    assert _violations(row, _decode(row, row["twin"])) == []


@for_each("requirement, row", BROKEN)
def test_a_statement_of_a_later_audit_is_named(requirement: str, row: dict[str, Any]) -> None:
    """And none of the twin's."""
    if "refused" in row:
        with pytest.raises(mw.DecodeError) as caught:
            _decode(row, row["bad"])
        assert caught.value.requirement == requirement
    else:
        assert _violations(row, _decode(row, row["bad"])) == row["requirements"]
    if "twin" in row:
        assert _violations(row, _decode(row, row["twin"])) == []


@for_each("row", CLEAN, ids=lambda row: row["id"])
def test_clean_packets_of_later_audits(row: dict[str, Any]) -> None:
    assert _violations(row, _decode(row, row["bad"])) == []
    if "twin" in row:
        assert _violations(row, _decode(row, row["twin"])) == []


@for_each("row", DECIDED, ids=lambda row: row["id"])
def test_what_is_no_violation(row: dict[str, Any]) -> None:
    """The audit took it for one; the row has the reason why it is none."""
    assert row["decided"]
    assert _violations(row, _decode(row, row["twin"])) == _violations(row, _decode(row, row["bad"])) == []
