"""Expressions of the layouts as data."""

from __future__ import annotations

import pytest

from msmq_wire.compiler.expressions import (
    Unreadable,
    count,
    fields_of,
    functions_of,
    presence,
    simplified,
    value_without,
)
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
def test_a_presence_is_evaluated(rule: Presence, numbers: dict[str, int], left: int, there: bool) -> None:
    assert bool(rule.test(numbers.__getitem__, left)) is there


def test_an_expression_of_an_omitted_value() -> None:
    """Its fields and functions, what is left of it beside a part, and its value without the part."""
    source = "0 if Part is None or not Part.Size else 1 if len(Part.Data) == 8 else 2"
    assert fields_of(source) == ("Part",)
    assert simplified(source) == f"({source})"
    assert simplified(source, "Part") == "(0 if not Part.Size else 1 if len(Part.Data) == 8 else 2)"
    assert value_without(source) == 0
    assert (simplified("1 if Part is not None else 0", "Part"), simplified("Part")) == ("1", "Part")
    assert value_without("3 if Part is None and Other is None else 1") == 3
    assert (fields_of("md5(Data + More)"), functions_of("md5(Data)")) == (("Data", "More"), ("md5",))


@pytest.mark.parametrize("source", ["Part + 1", "0 if Part else 1", "'text'"])
def test_an_expression_that_has_no_value_without_its_parts(source: str) -> None:
    with pytest.raises(Unreadable, match="is not constant"):
        value_without(source)


@pytest.mark.parametrize("source", ["", "len(", "a = 1"])
def test_no_expression(source: str) -> None:
    with pytest.raises(Unreadable, match="cannot read"):
        fields_of(source)
