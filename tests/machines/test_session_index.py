"""Each MUST of [MS-MQQB] 3.1 is met at a place that exists, or it is said why not."""

from __future__ import annotations

import pkgutil
import tomllib

import pytest
from support_specs import SPECS

SECTIONS = tomllib.loads((SPECS / "sessions.toml").read_text(encoding="utf-8"))["section"]
STATEMENTS = [statement for section in SECTIONS for statement in section["statements"]]
HOME = "msmq_wire.machines.session"
TOTAL = 666
"""How often [MS-MQQB] 3.1 says MUST, in revision 33.0."""


def test_every_statement_is_counted() -> None:
    assert sum(statement["count"] for statement in STATEMENTS) == TOTAL
    ids = [tuple(int(part) for part in section["id"].split(".")) for section in SECTIONS]
    assert ids == sorted(set(ids))
    assert all(section["title"] and section["statements"] for section in SECTIONS)


def test_each_is_met_or_it_is_said_why_not() -> None:
    for statement in STATEMENTS:
        assert statement["count"] > 0
        assert statement["says"]
        assert bool(statement.get("met")) != bool(statement.get("why"))


@pytest.mark.parametrize("path", sorted({path for row in STATEMENTS for path in row.get("met", ())}))
def test_places_exist(path: str) -> None:
    whole = path if path.startswith("msmq_wire.") else f"{HOME}.{path}"
    assert pkgutil.resolve_name(whole) is not None
