"""The rules read row by row, by an interpreter that shares no code with the generated verdicts.

It goes through a record by its layout, tests every row, and collects violations in order.  It is compared
with `msmq_wire.checks.validators`, and counts how often each rule was tested.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire import Record
from msmq_wire.checks.rules import EMBEDDED, LEVELS, RULE_FUNCTIONS, RULES, RawViolation
from msmq_wire.records.model import Choice

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from msmq_wire.checks.rules import Comparison, Context, Embedded, Rule, RuleFunction

_ABSENT = object()
_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "in": lambda value, known: value in known,
    "not in": lambda value, known: value not in known,
    "within": lambda value, bounds: bounds[0] <= value <= bounds[1],
    "with bits": lambda value, mask: bool(int(value) & mask),
    "without bits": lambda value, mask: not int(value) & mask,
    "at most bytes": lambda value, most: len(value) <= most,
}


class Told(NamedTuple):
    """The violation of a row by a record."""

    requirement: str
    path: str
    found: Any
    allowed: str
    level: str


def _at(record: Any, path: str) -> Any:
    """The value at a path; `_ABSENT` after an absent part."""
    for step in path.split("."):
        if record is None:
            return _ABSENT
        record = getattr(record, step)
    return record


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _length(record: Any, name: str, path: str) -> int:
    held = _at(record, path)
    if held is None or held is _ABSENT:
        return 0
    if name.startswith("WCHAR"):
        return _units(held) * (2 if name == "WCHAR bytes of" else 1)
    return len(held)


def _has_form(record: Any, path: str, selector: str) -> bool:
    *outer, last = path.split(".")
    owner = _at(record, ".".join(outer)) if outer else record
    kind = owner.layout.by_name[last].kind
    assert isinstance(kind, Choice)
    wanted = int(_at(record, selector))
    held = getattr(owner, last)
    layout = None if held is None else held.layout
    return wanted not in kind.forms or kind.forms[wanted] is layout


def holds(record: Any, each: Comparison | Rule) -> bool:
    """Whether a comparison holds; None if it is about an absent part."""
    if each.operator == "fits":
        return bool(each.value(record))
    value = _at(record, each.path)
    if value is _ABSENT:
        return True
    match each.operator:
        case "is there":
            return value is not None
        case "is absent":
            return value is None
        case "own size":
            return bool(value == len(record.encode()))
        case "at least field":
            return bool(value >= _at(record, each.value))
        case "bytes of" | "elements of" | "WCHARs of" | "WCHAR bytes of":
            return bool(value == _length(record, each.operator, each.value))
        case "ends with null" | "empty or ends with null":
            if not value:
                return each.operator != "ends with null"
            return bool(value.count("\0") == 1 and value.endswith("\0"))
        case "form of":
            return _has_form(record, each.path, each.value)
    return bool(_TWO[each.operator](value, each.value))


def speaks(record: Any, row: Rule) -> bool:
    """Whether a rule applies to a record."""
    return all(
        holds(record, each) and (each.operator == "fits" or _at(record, each.path) is not _ABSENT)
        for each in row.when
    )


def violations_of(
    record: Any,
    level: str = "practice",
    channel: str = "session",
    context: Context | None = None,
    *,
    asked: Counter[str] | None = None,
    judges: Mapping[str, tuple[RuleFunction, ...]] = RULE_FUNCTIONS,
) -> list[Told]:
    """The violations of a record, each requirement once for each place."""
    found: dict[tuple[str, str], Told] = {}
    for one in _violations_within(record, type(record).__name__, level, channel, context, asked, judges):
        found.setdefault((one.requirement, one.path), one)
    return list(found.values())


def _violations_within(
    record: Any,
    path: str,
    level: str,
    channel: str,
    context: Context | None,
    asked: Counter[str] | None,
    judges: Mapping[str, tuple[RuleFunction, ...]],
) -> Iterator[Told]:
    name = type(record).__name__
    wanted = LEVELS[: LEVELS.index(level) + 1]
    for row in RULES.get(name, ()):
        if row.level not in wanted or (row.channels and channel not in row.channels):
            continue
        if row.needs:
            if context is None or not context.knows(row.needs):
                continue
            obeyed = row.value(record, context)
        elif not speaks(record, row):
            continue
        else:
            obeyed = holds(record, row)
        if asked is not None:
            asked[row.requirement] += 1
        if not obeyed:
            value = _at(record, row.path)
            yield Told(
                row.requirement,
                f"{path}.{row.path}",
                None if value is _ABSENT else value,
                row.allowed,
                row.level,
            )
    for judge in judges.get(name, ()):
        for finding in judge(record):
            yield _judged(path, finding)
    for field in record.layout.fields:
        held = getattr(record, field.name)
        parts = enumerate(held) if isinstance(held, tuple) else [(None, held)]
        for index, part in parts:
            if isinstance(part, Record):
                inner = f"{path}.{field.name}" + ("" if index is None else f"[{index}]")
                yield from _violations_within(part, inner, level, channel, context, asked, judges)
    for row_ in EMBEDDED.get(name, ()):
        for item in _held(row_, record):
            if isinstance(item, RawViolation):
                if not item.channels or channel in item.channels:
                    yield _judged(path, item)
                continue
            where, _, part = item
            inner = f"{path}.{row_.path}" + "".join(f"[{index}]" for index in where)
            yield from _violations_within(part, inner, level, channel, context, asked, judges)


def _held(row: Embedded, record: Any) -> Iterable[Any]:
    """The structures within the bytes of a field; none for empty bytes, or for other first bytes."""
    data = _at(record, row.path)
    there = row.reports or (data and (not row.begins or data.startswith(row.begins)))
    return row.read(record) if there else ()


def _judged(path: str, finding: RawViolation) -> Told:
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in finding.steps)
    return Told(finding.requirement, path + steps, finding.found, finding.allowed, "must")
