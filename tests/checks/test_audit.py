"""Packets of seven audits: each breaks one statement, and its twin breaks none.

The packets were written from the pages alone, those of the first five audits without sight of the
rules.  `specs/vectors/audit.jsonl` has one of each kind that `validate` or the decoders once did not
report.  `audit-second.jsonl.gz` to `audit-seventh.jsonl.gz` have those of later audits: broken ones with
their twins, clean ones, and those that violate nothing by a reading of `errata.toml` (`decided`, with the
errata).  Rows of the fourth to sixth audit also have the requirements that the author took for broken
(`wanted`) and the offset of the field that the author bent: `at` if it is reported, or `bent`.  If another
statement or field is reported, `instead` has the errata that say why.
"""

from __future__ import annotations

import fnmatch
import gzip
import json
from typing import Any, Final

import pytest
from support_marks import proves
from support_rows import for_each, table
from support_specs import SPECS, load_errata, load_requirements

import msmq_wire as mw
from msmq_wire import mqcn, mqdsrp, mqmq, mqqb, mqrr, rpc
from msmq_wire.checks.validation import Context, Violations, validate

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
    names = ("second", "third", "fourth", "fifth", "sixth", "seventh")
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
CATALOGUE = table(lambda: {row.id: row for row in load_requirements()})
BENT = table(lambda: [row for row in _later() if "wanted" in row])


def _decode(row: dict[str, Any], data: str) -> Any:
    module, _, name = row["decoder"].partition(".")
    if module == "packet":
        return mw.decode(bytes.fromhex(data))
    document = DOCUMENTS[module]
    return (getattr(document, name) if name else document).decode(bytes.fromhex(data))


def _validated(row: dict[str, Any], record: Any) -> Violations:
    facts = dict(row.get("context", {}))
    facts |= {name: mw.GUID.of(facts[name]) for name in ("sender", "receiver") if name in facts}
    if "request" in row:
        decoder = row.get("request_decoder", row["decoder"])
        facts["request"] = _decode({"decoder": decoder}, row["request"])
    context = Context(**facts) if facts else None
    return validate(record, row["level"], context=context, profile=row.get("profile"))


def _violations(row: dict[str, Any], record: Any) -> list[str]:
    return [violation.requirement for violation in _validated(row, record)]


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
    """The audit took it for one; by the reading of the errata it is none."""
    assert row["decided"]
    assert {*row["decided"]} <= {erratum.id for erratum in load_errata()}
    assert _violations(row, _decode(row, row["twin"])) == _violations(row, _decode(row, row["bad"])) == []


def _offsets(row: dict[str, Any]) -> set[int | None]:
    """Return the places of what is reported; empty if the packet passes."""
    try:
        record = _decode(row, row["bad"])
    except mw.DecodeError as error:
        return {error.offset, error.source_offset}
    return {violation.offset for violation in _validated(row, record)}


@for_each("row", BENT, ids=lambda row: row["id"])
def test_what_was_bent_is_named_or_decided(row: dict[str, Any]) -> None:
    """A packet that was written to break a statement is reported, or passes by the errata of its row."""
    offsets = _offsets(row)
    assert bool(offsets) == ("decided" not in row)
    assert "at" not in row or row["at"] in offsets
    assert "bent" not in row or row["bent"] not in offsets


@for_each("row", lambda: [row for row in BENT() if "decided" not in row], ids=lambda row: row["id"])
def test_the_statement_of_the_author_is_named_or_errata_say_why(row: dict[str, Any]) -> None:
    reported = _same(row["requirements"] if "refused" not in row else [row["refused"]])
    wanted = [name for pattern in row["wanted"] for name in fnmatch.filter(CATALOGUE(), pattern)]
    assert {*row.get("instead", ())} <= {erratum.id for erratum in load_errata()}
    is_as_wanted = bool(reported & _same(wanted)) and "bent" not in row
    assert is_as_wanted == ("instead" not in row)


def _same(requirements: list[str]) -> set[str]:
    """Return requirements and those that say the same."""
    rows = [CATALOGUE()[requirement] for requirement in requirements]
    return {*requirements}.union(*(row.same_as for row in rows))
