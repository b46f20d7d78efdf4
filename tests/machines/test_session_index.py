"""Each MUST of [MS-MQQB] 3.1 is met at a place that exists, or it is said why not."""

from __future__ import annotations

import pkgutil
import tomllib

from support_specs import SPECS

INDEX = tomllib.loads((SPECS / "sessions.toml").read_text(encoding="utf-8"))
SECTIONS, REASONS = INDEX["section"], INDEX["reasons"]
STATEMENTS = [statement for section in SECTIONS for statement in section["statements"]]
HOME = "msmq_wire.machines.session"
TOTAL = 666
"""How often [MS-MQQB] 3.1 says MUST, in revision 33.0."""


def test_every_statement_has_a_row() -> None:
    assert len(STATEMENTS) == TOTAL
    ids = [tuple(int(part) for part in section["id"].split(".")) for section in SECTIONS]
    assert ids == sorted(set(ids))
    for section in SECTIONS:
        assert section["title"]
        assert [row["n"] for row in section["statements"]] == list(range(1, len(section["statements"]) + 1))


def test_each_is_met_or_it_is_said_why_not() -> None:
    for statement in STATEMENTS:
        assert statement["says"]
        assert bool(statement.get("met")) != bool(statement.get("why"))
        assert set(statement) <= {"n", "says", "met", "why"}
    assert {statement["why"] for statement in STATEMENTS if "why" in statement} == set(REASONS)


def test_how_many_are_met() -> None:
    """The page says these numbers."""
    met = sum("met" in statement for statement in STATEMENTS)
    page = (SPECS / "README.md").read_text(encoding="utf-8")
    assert f"{met} are met, {TOTAL - met} are not" in page


def test_places_exist() -> None:
    missing = []
    for path in sorted({path for row in STATEMENTS for path in row.get("met", ())}):
        try:
            pkgutil.resolve_name(path if path.startswith("msmq_wire.") else f"{HOME}.{path}")
        except (AttributeError, ImportError) as error:
            missing.append(str(error))
    assert missing == []
