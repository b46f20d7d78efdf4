"""What a run of the tests shows about each requirement, as rows, as JSON, and as a page for people.

The same results give the same bytes: there are no times and no durations, and everything is sorted.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from support_specs import EVIDENCE

from msmq_wire.checks.rules import CALL_RULES, EMBEDDED, FUNCTION_IDS_BY_STRUCTURE, RULE_FUNCTIONS, RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from support_specs import Requirement

__all__ = [
    "RESULTS",
    "Results",
    "Tested",
    "with_numbers",
    "write",
]

RESULTS: Final = (
    *("passed", "circular", "umbrella"),
    *("failed", "skipped", "untested", "open", "nowhere"),
)
"""What can be known of a requirement: how its tests ended, and whether those that passed hold it against
anything but the code itself; that it has none although something can be tested; that no code carries it out
yet; that nothing can tell."""
_COUNTS: Final = frozenset(EVIDENCE[:4])
"""The kinds of evidence by which a requirement has passed."""
_KINDS: Final = {
    "published": "bytes that others published",
    "independent": "vectors of an independent reader",
    "typed": "values typed in from the page",
    "fault": "a test of a machine that notices a named fault",
    "generated": "a generated population",
    "own": "an own round trip or own steps",
}
_TEMPLATE: Final = Path(__file__).with_name("conformance_report.html")


class Tested(NamedTuple):
    """How one test ended.

    Attributes:
        test: Its node id without parameters.
        outcome: ``"passed"``, ``"failed"`` or ``"skipped"``.
    """

    test: str
    outcome: str


class Results:
    """The catalogue and how the tests of each of its requirements ended."""

    def __init__(self, requirements: Iterable[Requirement], evidence: Mapping[str, str]) -> None:
        self.requirements = list(requirements)
        self._evidence = evidence
        self._seen: dict[str, set[Tested]] = {row.id: set() for row in self.requirements}

    def add(self, requirement: str, tested: Tested) -> None:
        """Note how a test of a requirement ended."""
        self._seen[requirement].add(tested)

    def tests(self, row: Requirement) -> set[Tested]:
        """The tests of a requirement and of those that it repeats."""
        return self._seen[row.id].union(*(self._seen[one] for one in row.same_as))

    def kinds(self, row: Requirement) -> list[str]:
        """What kinds of evidence its tests that passed are, the best first."""
        found = {self._evidence.get(one.test, "own") for one in self.tests(row) if one.outcome == "passed"}
        return [kind for kind in EVIDENCE if kind in found]

    def result(self, row: Requirement) -> str:
        """One of `RESULTS`."""
        outcomes = {tested.outcome for tested in self.tests(row)}
        if "failed" in outcomes:
            return "failed"
        if "passed" in outcomes:
            if row.umbrella:
                return "umbrella"
            return "passed" if _COUNTS.intersection(self.kinds(row)) else "circular"
        if "skipped" in outcomes:
            return "skipped"
        if row.testable:
            return "untested"
        return "nowhere" if row.checked == ("nowhere",) else "open"

    def all_passed(self) -> bool:
        """Whether every test of a requirement that was seen passed."""
        return all(one.outcome == "passed" for tests in self._seen.values() for one in tests)

    def untested(self) -> Iterator[Requirement]:
        """Absolute requirements that could have a test and have none that passed."""
        for row in self.requirements:
            if row.absolute and row.testable and self.result(row) in {"untested", "skipped"}:
                yield row


def _rules() -> dict[str, list[str]]:
    """The fields that rules and judges look at, by requirement."""
    found: dict[str, set[str]] = {}
    for structure, rules in RULES.items():
        for rule in rules:
            found.setdefault(rule.requirement, set()).add(f"{structure}.{rule.path}")
    for name, of_call in CALL_RULES.items():
        for each in of_call:
            found.setdefault(each.requirement, set()).add(f"{name}.{each.field}")
    for structure, judged in FUNCTION_IDS_BY_STRUCTURE.items():
        where = "PropertyValue" if structure in RULE_FUNCTIONS else EMBEDDED[structure][0].path
        for requirement in judged:
            found.setdefault(requirement, set()).add(f"{structure}.{where}")
    return {requirement: sorted(paths) for requirement, paths in found.items()}


def _rows(results: Results) -> Iterator[dict[str, Any]]:
    rules = _rules()
    for row in results.requirements:
        made = {
            "id": row.id,
            "document": row.document,
            "section": row.section,
            "level": row.level,
            "kind": row.kind,
            "subject": row.subject,
            "requirement": row.requirement,
            "checked": row.checked,
            "why": row.why,
            "same_as": row.same_as,
            "inseparable_from": row.inseparable_from,
            "rules": rules.get(row.id, ()),
            "performed_by": row.performed_by,
            "tests": sorted({tested.test for tested in results.tests(row)}),
            "evidence": results.kinds(row),
            "result": results.result(row),
        }
        yield {key: value for key, value in made.items() if value}


# ---------------------------------------------------------------------------------------------- files


def write(results: Results, directory: Path) -> None:
    """Write ``requirements.json`` and ``requirements.html`` to a directory."""
    rows = list(_rows(results))
    lines = ",\n".join(map(json.dumps, rows))
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in {"json": f"[\n{lines}\n]\n", "html": _page(rows)}.items():
        (directory / f"requirements.{name}").write_text(text, encoding="utf-8", newline="\n")


def with_numbers(page: str, results: Results) -> str:
    """The text of the committed page with the numbers of rows by result.

    They stand between the lines ``<!-- results: GROUP -->`` and ``<!-- end of results -->``, where the group
    is the key of a row, such as ``level``.
    """
    rows = list(_rows(results))
    return _NUMBERS.sub(lambda found: f"{found[1]}{_numbers(found[2], rows)}{found[3]}", page)


_NUMBERS: Final = re.compile(
    r"^(<!-- results: (\w+) -->\n).*?^(<!-- end of results -->)$", re.MULTILINE | re.DOTALL
)


def _numbers(group: str, rows: Sequence[Mapping[str, Any]]) -> str:
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        counts.setdefault(_shown(row[group]), Counter())[row["result"]] += 1
    titles = [result for result in RESULTS if any(row["result"] == result for row in rows)]
    head = [group, "rows", *titles]
    body = (
        (name, str(found.total()), *(str(found[result]) for result in titles))
        for name, found in counts.items()
    )
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *body)]
    return "\n".join(("", lines[0], "|" + "---|" * len(head), *lines[1:], "", ""))


def _page(rows: Sequence[Mapping[str, Any]]) -> str:
    page = _TEMPLATE.read_text(encoding="utf-8")
    parts = {
        "head": _head(rows),
        "summary": _summary(rows),
        "filters": "\n".join(
            _filter(name, rows) for name in ("document", "level", "kind", "checked", "result")
        ),
        "rows": "\n".join(map(_row, rows)),
        "structures": _structures(),
    }
    for name, text in parts.items():
        page = page.replace(f"<!-- {name} -->", text)
    return page


def _head(rows: Sequence[Mapping[str, Any]]) -> str:
    """How many rows have which evidence, each counted once, by the best."""
    results = Counter(row["result"] for row in rows)
    best = {wanted: Counter[str]() for wanted in ("passed", "circular")}
    for row in rows:
        if row["result"] in best:
            best[row["result"]][row["evidence"][0]] += 1
    lines = [
        (f"{result}: {_KINDS[kind]}", of[kind])
        for result, of in best.items()
        for kind in EVIDENCE
        if of[kind]
    ]
    lines += [(result, results[result]) for result in RESULTS if result not in best and results[result]]
    return _table("summary", ("evidence", "rows"), [*lines, ("all", len(rows))])


def _structures() -> str:
    """How many vectors that the package's encoder did not make have each structure."""
    from support_outside import structures_met  # noqa: PLC0415  # it reads all vectors

    origins = ("printed", "derived", "independent")
    rows = [(name, *(found[origin] for origin in origins)) for name, found in structures_met().items()]
    return (
        "<h2>Structures in bytes of others</h2>\n<p>Vectors that the encoder of the package did not make: "
        "printed in the documents, put together from the page, or made by an independent reader.</p>\n"
        + _table("summary", ("structure", *origins), rows)
    )


def _summary(rows: Sequence[Mapping[str, Any]]) -> str:
    """A table for each way to group the rows."""
    seen = [result for result in RESULTS if any(row["result"] == result for row in rows)]
    return "\n".join(_grouped(title, seen, rows) for title in ("document", "level", "kind", "checked"))


def _grouped(title: str, seen: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        counts.setdefault(_shown(row[title]), Counter())[row["result"]] += 1
    counts["all"] = sum(counts.values(), Counter())
    lines = [
        [name, sum(found.values()), *(found[result] for result in seen)] for name, found in counts.items()
    ]
    return _table("summary", (title, "rows", *seen), lines)


def _filter(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    values = dict.fromkeys(value for row in rows for value in _shown(row[name]).split(", "))
    options = "".join(f"<option>{escape(value)}</option>" for value in values)
    return f"<select data-key={name}><option value=''>{name}</option>{options}</select>"


def _row(row: Mapping[str, Any]) -> str:
    keys = ("document", "level", "kind", "checked", "result")
    data = " ".join(f'data-{key}="{escape(_shown(row[key]))}"' for key in keys)
    notes = [escape(row["why"])] if "why" in row else []
    for key, words in _NOTES.items():
        if key in row:
            notes.append(f"{words} " + ", ".join(f"<code>{escape(one)}</code>" for one in row[key]))
    cells = (
        f"<code>{row['id']}</code>",
        row["level"],
        row["kind"],
        f"<b>{escape(row['subject'])}</b><br>{escape(row['requirement'])}",
        "<br>".join((escape(_shown(row["checked"])), *notes)),
        row["result"],
    )
    return f'<tr id="{row["id"]}" {data}>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


_NOTES: Final = {
    "same_as": "says the same as",
    "inseparable_from": "inseparable from",
    "rules": "rule on",
    "performed_by": "performed by",
    "evidence": "evidence",
    "tests": "tests",
}


def _table(kind: str, titles: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A table; a zero is left blank."""
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{escape(str(cell)) if cell else ''}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table class={kind}>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _shown(value: Any) -> str:
    return ", ".join(value) if isinstance(value, (tuple, list)) else str(value)
