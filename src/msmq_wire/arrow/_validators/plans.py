"""Plans: a column test for each rule on the packets of a kind.

1. Only the columns that the tests need are read.
2. If a structure has a rule without a column test, packets with that structure are never cleared by columns
   alone: an optional part, such as a list of names, is listed for another check.
3. Rare parts are left to a second plan, so that their columns are read only for the packets that have them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.checks.rules import EMBEDDED, OTHER_FIELD, RULE_FUNCTIONS, RULES
from msmq_wire.definitions.relations import PRESENT
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import Choice

from .comparisons import Unchecked, comparison, join, leaf
from .functions import COLUMN_TESTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from msmq_wire.checks.rules import Channel, Comparison, Level, Rule
    from msmq_wire.records.model import Field, Structure

    from .comparisons import Compared
    from .table import Mask, Table

_ROOTS = ("UserMessage", "OrderAck", "FinalAck", "SessionAck", "EstablishConnection", "ConnectionParameters")
"""The kinds of packets that columns can clear."""
LISTS = "MultiQueueFormatHeader"
_RARE = frozenset({"SoapHeader", "DebugHeader", LISTS})
"""Parts that few packets have; their columns are read for those packets only."""


class Plan(NamedTuple):
    """The column tests for the packets of a kind.

    Attributes:
        columns: The columns that the tests need.
        tests: Each test with the part that it applies to; a packet is cleared if no test doubts it.
        unchecked: Parts without column tests; rows with such a part need another check.
    """

    columns: tuple[str, ...]
    tests: tuple[tuple[str, Any], ...]
    unchecked: tuple[str, ...]


@cache
def plans(
    level: Level, channel: Channel, rare: bool, parts_given: frozenset[str]
) -> tuple[dict[str, Plan], tuple[str, ...]]:
    """Return the column tests by kind of packet, and all columns that they need.

    Args:
        level: As for `validate`.
        channel: As for `validate`.
        rare: Whether rare parts are read, too.
        parts_given: Known parts of a `Context`, and "".
    """
    tests = {
        root: plan
        for root in _ROOTS
        if (plan := _plan(root, _Planner(level, channel, rare, parts_given))) is not None
    }
    return tests, tuple(sorted({column for plan in tests.values() for column in plan.columns}))


def _plan(root: str, planner: _Planner) -> Plan | None:
    """Return the column tests for the packets of a kind; None if they cannot be cleared."""
    if not planner.covers(structures()[root], ""):
        return None
    return Plan(tuple(sorted(planner.columns)), tuple(planner.tests), tuple(planner.unchecked))


class _Planner:
    """Finds the column test for each rule."""

    def __init__(self, level: Level, channel: Channel, rare: bool, parts_given: frozenset[str]) -> None:
        self.level, self.channel, self.rare, self.parts_given = level, channel, rare, parts_given
        self.columns: set[str] = set()
        self.tests: list[tuple[str, Any]] = []
        self.unchecked: list[str] = []

    def covers(self, structure: Structure, prefix: str) -> bool:
        """Return whether every rule on a structure and its parts has a column test."""
        try:
            self.structure(structure, prefix)
        except Unchecked:
            return False
        return True

    def structure(self, structure: Structure, prefix: str) -> None:
        """Add the tests for a structure and its parts."""
        for row in _rows(structure.name, self.level, self.channel, self.parts_given):
            test = self._row(structure, prefix, row)
            if test is not None:
                self.tests.append((prefix, test))
        looked_into = [row.path for row in EMBEDDED.get(structure.name, ())]
        for path in [*looked_into, *("" for _ in RULE_FUNCTIONS.get(structure.name, ()))]:
            self.tests.append((prefix, self._column_test(f"{structure.name}.{path}".rstrip("."), prefix)))
        for field in structure.fields:
            self._part(field, join(prefix, field.name))

    def _part(self, field: Field, path: str) -> None:
        kind = field.kind
        part, element = field.part, field.element
        if part and _has_rules(part, self.level, self.channel):
            within = _Planner(self.level, self.channel, self.rare, self.parts_given)
            if (path in _RARE and not self.rare) or not within.covers(part, path):
                if field.present is None:
                    raise Unchecked
                self.unchecked.append(path)
                self.columns.add(leaf(part, path))
            else:
                self.columns |= within.columns
                self.tests += within.tests
                self.unchecked += within.unchecked
        elif element and _has_rules(element, self.level, self.channel):
            raise Unchecked
        elif isinstance(kind, Choice):
            for form in kind.structures:
                if _has_rules(form, self.level, self.channel):
                    self.tests.append(("", self._column_test(form.name, path)))

    def _column_test(self, what: str, prefix: str) -> Any:
        test = COLUMN_TESTS.get(what)
        if test is None:
            raise Unchecked
        self.columns |= {join(prefix, column) for column in test.columns}
        return lambda table: test.test(table, prefix)

    # -- one rule

    def _row(self, structure: Structure, prefix: str, row: Rule) -> Any:
        """Return a function that returns the rows that may violate a rule; None if decoding ensures it."""
        if _by_decoding(structure, row):
            return None
        conditions = [
            ((join(prefix, each.path), each.operator, each.value), self._comparison(structure, prefix, each))
            for each in row.when
        ]
        if row.operator == "fits":
            doubted = self._column_test(row.requirement, prefix)
        else:
            wanted = self._comparison(structure, prefix, row)

            def doubted(table: Table) -> Mask:
                return table.within(wanted.part, ~wanted.holds(table))

        def against(table: Table) -> Mask | None:
            holding: Mask | None = None
            for condition, compared in conditions:
                holds = table.holds(condition, compared)
                holding = holds if holding is None else holding & holds
                if not holding.any():
                    return None
            mask: Mask | None = doubted(table)
            return mask if mask is None or holding is None else mask & holding

        return against

    def _comparison(self, structure: Structure, prefix: str, each: Comparison | Rule) -> Compared:
        compared = comparison(structure, prefix, each)
        self.columns.update(compared.columns)
        return compared


def _rows(
    name: str, level: Level, channel: Channel, needs: Collection[str] = frozenset({""})
) -> Iterator[Rule]:
    return (row for row in RULES.get(name, ()) if row.needs in needs and row.applies(level, channel))


@cache
def _has_rules(structure: Structure, level: Level, channel: Channel) -> bool:
    """Return whether a structure or a part of it has rules."""
    if (
        any(_rows(structure.name, level, channel))
        or structure.name in RULE_FUNCTIONS
        or structure.name in EMBEDDED
    ):
        return True
    return any(_has_rules(inner, level, channel) for field in structure.fields for inner in field.structures)


def _by_decoding(structure: Structure, row: Rule) -> bool:
    """Return whether the decoder ensures a rule, because it depends on the field itself."""
    if row.operator == "form of" or row.by_decoding:
        return True
    if row.operator in OTHER_FIELD:
        count = getattr(structure.at(row.value)[0].kind, "count", None)
        return getattr(count, "number", None) == row.path
    for each in row.when:
        flag = PRESENT.get(f"{structure.name}.{each.path}", "")
        if each.operator in {"is there", "is absent"} and flag.partition(" == ")[0] == row.path:
            return True
    return False
