"""C expressions as Python."""

from __future__ import annotations

import pytest

from msmq_wire.records.expression import evaluator, names, quotient, to_python


@pytest.mark.parametrize(
    ("expression", "values", "result"),
    [
        ("N", {"N": 7}, 7),
        ("N / 2", {"N": 7}, 3),
        ("-(2 + Count) & 3", {"Count": 26}, 0),
        ("-(2 + Count) & 3", {"Count": 27}, 3),
        ("A * 2 + B << 1 | 0x10", {"A": 3, "B": 1}, 30),
        ("Flags.QT == 1", {"Flags.QT": 1}, 1),
        ("-0x80000000 * 2 + N", {"N": 2**40}, 2**40 - 2**32),
    ],
)
def test_value(expression: str, values: dict[str, int], result: int) -> None:
    assert evaluator(expression)(values.__getitem__) == result


@pytest.mark.parametrize("expression", ["a ? b : c", "a, b", "a = 1", "'a'"])
def test_what_is_no_expression(expression: str) -> None:
    with pytest.raises(SyntaxError, match="cannot read"):
        to_python(expression, str)


def test_names() -> None:
    assert names("-(Count * 2 + Flags.DQ) & 3") == ["Count", "Flags.DQ"]


@pytest.mark.parametrize(
    ("expression", "turned"), [("N", ("N", 1)), ("N / 2", ("N", 2)), ("A.N", ("A.N", 1)), ("N * 2", None)]
)
def test_turning_round(expression: str, turned: object) -> None:
    assert quotient(expression) == turned
