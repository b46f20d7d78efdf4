"""Expressions of the layouts as data."""

from __future__ import annotations

import pytest

from msmq_wire.compiler.expressions import Unreadable, count, presence
from msmq_wire.records.model import LEFT, Count, Fill, Presence


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("N", Count("N")),
        ("Header.N", Count("Header.N")),
        ("N / 2", Count("N", 2)),
        ("-N & 3", Fill(4, (("N", 1),))),
        ("-(2 + N) & 3", Fill(4, (("N", 1),), 2)),
        ("-(A * 2 + B + C) & 7", Fill(8, (("A", 2), ("B", 1), ("C", 1)))),
    ],
)
def test_counts(source: str, expected: object) -> None:
    found = count(source)
    assert found == expected
    assert str(found) == source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("remaining", LEFT),
        ("Count", Presence(("Count",))),
        ("Header.Flags.X", Presence(("Header.Flags.X",))),
        ("A | B | C", Presence(("A", "B", "C"))),
        ("Flags.QT == 1", Presence(("Flags.QT",), 1)),
    ],
)
def test_presence(source: str, expected: object) -> None:
    assert presence(source) == expected


@pytest.mark.parametrize("read", [count, presence])
@pytest.mark.parametrize("source", ["a ? b : c", "a, b", "a = 1", "'a'", "f(a)", "-a & 5", ""])
def test_what_has_no_known_form(read: object, source: str) -> None:
    with pytest.raises(Unreadable, match="cannot read"):
        read(source)  # type: ignore[operator]  # one of two functions


@pytest.mark.parametrize("total", range(9))
def test_fill(total: int) -> None:
    """What is filled in reaches the boundary, and is less than it."""
    size = Fill(4, (("A", 2), ("B", 1)), 1).size({"A": total, "B": 3}.__getitem__)
    assert 0 <= size < 4
    assert (total * 2 + 3 + 1 + size) % 4 == 0


@pytest.mark.parametrize(
    ("rule", "numbers", "left", "there"),
    [
        (LEFT, {}, 0, False),
        (LEFT, {}, 3, True),
        (Presence(("A",)), {"A": 0}, 9, False),
        (Presence(("A",)), {"A": 2}, 0, True),
        (Presence(("A", "B")), {"A": 0, "B": 4}, 0, True),
        (Presence(("A", "B")), {"A": 0, "B": 0}, 0, False),
        (Presence(("A",), 1), {"A": 2}, 0, False),
        (Presence(("A",), 0), {"A": 0}, 0, True),
    ],
)
def test_test(rule: Presence, numbers: dict[str, int], left: int, there: bool) -> None:
    assert bool(rule.test(numbers.__getitem__, left)) is there
