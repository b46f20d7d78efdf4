"""Changes that violate a rule, by its operator.

1. `violating` returns values of the rule's field with which the record violates the rule, from the operand.
2. `satisfying` returns changes with which a condition of a rule holds.
3. A rule with the operator ``fits`` is a function, so no values follow from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire.checks.parts import LENGTHS
from msmq_wire.records.model import Guid, Nested, Text
from msmq_wire.records.record import size_of_record
from msmq_wire.values.guid import GUID, NULL_GUID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from msmq_wire.checks.rules import Comparison, Rule

_GUID = GUID(b"\x11" * 16)


def value_at(record: Any, path: str) -> Any:
    """Return the value at a path; None in an absent part."""
    for step in path.split("."):
        record = getattr(record, step, None)
    return record


def _others(operand: Any) -> tuple[Any, ...]:
    """Return values that differ from an operand of a comparison for equality."""
    if isinstance(operand, GUID):
        return (_GUID, NULL_GUID)
    if isinstance(operand, int):
        return (operand + 1, operand - 1, operand ^ 1, 0, 1)
    return ()


def _outside(_: Any, each: Comparison | Rule) -> Iterator[Any]:
    numbers = sorted(each.value)
    if all(isinstance(value, int) for value in numbers):
        yield from (value + step for step in (1, -1) for value in numbers)
    yield from (numbers[-1] ^ 1 << bit for bit in range(31) if isinstance(numbers[-1], int))


def _wrong_length(record: Any, each: Comparison | Rule) -> Iterator[Any]:
    value = value_at(record, each.value)
    right = 0 if value is None else LENGTHS[each.operator](value)
    yield from (right + 1, right - 1)


def _absent_or_present(record: Any, each: Comparison | Rule, *, present: bool) -> Iterator[Any]:
    if not present:
        yield None
        return
    structure = record.layout
    *outer, last = each.path.split(".")
    for step in outer:
        structure = structure.by_name[step].kind_as(Nested).structure
    kind = structure.by_name[last].kind
    if isinstance(kind, Guid):
        yield _GUID
    elif isinstance(kind, Text):
        yield "text"


DERIVED: dict[str, Callable[[Any, Comparison | Rule], Iterator[Any]]] = {
    "==": lambda _, each: iter(_others(each.value)),
    "!=": lambda _, each: iter((each.value,)),
    "<=": lambda _, each: iter((each.value + 1,)),
    "in": _outside,
    "not in": lambda _, each: iter(sorted(each.value)),
    "within": lambda _, each: iter((each.value[1] + 1, each.value[0] - 1)),
    "with bits": lambda record, each: iter((int(value_at(record, each.path) or 0) & ~each.value,)),
    "without bits": lambda record, each: iter(
        (int(value_at(record, each.path) or 0) | (each.value & -each.value),)
    ),
    "is there": lambda record, each: _absent_or_present(record, each, present=False),
    "is absent": lambda record, each: _absent_or_present(record, each, present=True),
    "at least field": lambda record, each: iter((value_at(record, each.value) - 1,)),
    **dict.fromkeys(LENGTHS, _wrong_length),
    "own size": lambda record, _: iter((size_of_record(record) + 1, size_of_record(record) - 1)),
    "at most bytes": lambda _, each: iter((bytes(each.value + 1),)),
    "ends with null": lambda record, each: iter((_text(record, each), "a\0b\0")),
    "empty or ends with null": lambda record, each: iter((_text(record, each) or "a", "a\0b\0")),
}
"""For each operator, the values of the field that violate its comparison."""


def _text(record: Any, each: Comparison | Rule) -> str:
    return str(value_at(record, each.path) or "").removesuffix("\0")


def violating(record: Any, rule: Rule) -> Iterator[Any]:
    """Return values of the rule's field that violate it; none for ``fits`` and ``form of``.

    Args:
        record: The record that the rule is about.
        rule: The rule.
    """
    derive = DERIVED.get(rule.operator)
    if derive is not None:
        yield from derive(record, rule)


_HOLDING: dict[str, Callable[[Any], Any]] = {
    "==": lambda operand: operand,
    "<=": lambda operand: operand,
    "in": min,
    "within": lambda bounds: bounds[0],
}


def satisfying(record: Any, each: Comparison) -> dict[str, Any]:
    """Return the change of the record with which a condition holds; empty if it holds, or none is known."""
    value = value_at(record, each.path)
    if each.operator in _HOLDING:
        wanted = _HOLDING[each.operator](each.value)
        return {} if value == wanted else {each.path: wanted}
    if each.operator == "!=" and value == each.value:
        return {each.path: next(iter(_others(each.value)))} if _others(each.value) else {}
    return {}
