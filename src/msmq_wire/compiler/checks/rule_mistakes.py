"""Mistakes in the rules, each reported as one sentence with file and line (like `mistakes`).

Every id of a requirement must be in the catalogue.  Every path in a rule must resolve, and so must every path
that a bend sets (a bend is a change that makes a packet violate a rule).  For a part that a flag announces, two
rules must exist: one for the flag without the part, and one for the part without the flag.  No other rule may forbid
that flag.
"""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msmq_wire.checks import rules as tables
from msmq_wire.checks.profiles import ROWS as LACKS
from msmq_wire.checks.rules import (
    EMBEDDED,
    OPERATORS,
    OTHER_FIELD,
    RULE_FUNCTIONS,
    RULES,
    UNANNOUNCED,
    UNCHECKED,
    Rule,
    requirement_of_presence,
)
from msmq_wire.definitions import relations

from .mistakes import Mistake, Mistakes, line_of_row, of_number, resolve, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.records.model import Structure

_FOLDER = Path(tables.__file__).parent
_PROFILES = _FOLDER.parent / "profiles.py"
BENT = _FOLDER.parents[1] / "testing" / "bent"
_CATALOGUE = _FOLDER.parents[3] / "specs" / "requirements"
_GENERATED = "by ``python -m msmq_wire.compiler``; do not edit."
_COMPARING = frozenset({"==", "!=", "<=", "in", "not in", "within", "with bits", "without bits"})
_ID = re.compile(r"M[A-Z]+-\d+(?:\.\d+)*-\d+")


def _location(structure: str, *words: str) -> tuple[Path, int]:
    """Find file and line of a row by its words; without a match, those of the structure."""
    candidates: list[tuple[int, Path, int]] = []
    for file in sorted(_FOLDER.glob("[!_]*.py")):
        for node in ast.walk(tree_of(file)):
            for key, value in zip(getattr(node, "keys", ()), getattr(node, "values", ()), strict=False):
                if isinstance(key, ast.Constant) and key.value == structure:
                    candidates.append(best_call(file, key.lineno, value, words))
    _, path, line = max(candidates, default=(0, _FOLDER / "__init__.py", 0), key=lambda location: location[0])
    return path, line


def best_call(file: Path, line: int, node: ast.AST, words: tuple[str, ...]) -> tuple[int, Path, int]:
    """Return the smallest call that contains the most of the words: number of words found, file, line.

    The words are texts or names of arguments.
    """
    best = (0, file, line)
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            texts = {
                inner.arg if isinstance(inner, ast.keyword) else getattr(inner, "value", None)
                for inner in ast.walk(call)
            }
            score = sum(word in texts for word in words)
            if score >= best[0] and score:
                best = (score, file, call.lineno)
    return best


def find(structures: dict[str, Structure]) -> list[Mistake]:
    """Return every mistake in the tables of rules, given all structures."""
    return [
        *_in_ids(),
        *_in_rules(structures),
        *_in_presence(),
        *_in_profiles(structures),
        *_in_bends(structures),
    ]


def catalogue() -> set[str]:
    """Return the ids of the catalogue of requirements; empty in an installed package without it.

    Raises:
        Mistakes: It cannot be read.
    """
    ids = set()
    for file in sorted(_CATALOGUE.glob("*.toml")):
        text = file.read_text("utf-8")
        try:
            rows = tomllib.loads(text)["requirement"]
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            raise Mistakes([Mistake(file, int(line[1]) if line else 0, f"TOML: {error}")]) from error
        begins = [number for number, line in enumerate(text.splitlines(), 1) if line == "[[requirement]]"]
        nameless = [line for line, row in zip(begins, rows, strict=False) if "id" not in row]
        if nameless:
            raise Mistakes([Mistake(file, nameless[0], "this requirement has no id")])
        ids |= {row["id"] for row in rows}
    return ids


def _in_ids() -> Iterator[Mistake]:
    """Check the ids in the package, then those that rules build from a section."""
    structures = catalogue()
    if not structures:
        return
    unknown = set()
    for file in sorted(_FOLDER.parents[1].rglob("*.py")):
        text = file.read_text("utf-8")
        if _GENERATED in text:  # which has the ids of rows that may have been removed
            continue
        written = {word for word in _ID.findall(text) if word not in structures}
        for node in ast.walk(tree_of(file)) if written else ():
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in written:
                unknown.add(node.value)
                yield Mistake(file, node.lineno, f"{node.value} is not in the catalogue of requirements")
    for name, rules in RULES.items():
        for rule in rules:
            if rule.requirement not in structures | unknown:
                location = _location(
                    name, rule.requirement.rpartition("-")[0], rule.path, *rule.path.split(".")
                )
                yield Mistake(*location, f"{rule.requirement} is not in the catalogue of requirements")


def _in_rules(structures: dict[str, Structure]) -> Iterator[Mistake]:
    numbers: dict[str, set[str]] = {}  # of `PRESENT`, from which `presence` takes them
    for part, condition in relations.PRESENT.items():
        numbers.setdefault(part.partition(".")[0], set()).add(condition.partition(" == ")[0])
    for table, rows in (("RULES", RULES), ("RULE_FUNCTIONS", RULE_FUNCTIONS), ("EMBEDDED", EMBEDDED)):
        for name in set(rows) - set(structures):
            yield Mistake(*_location(name), f"{table}: there is no structure {name}")
    for name, embedded in EMBEDDED.items():
        for row in embedded:
            problem = resolve(structures[name], row.path) if name in structures else ""
            if problem:
                yield Mistake(*_location(name, row.path), f"EMBEDDED: {name}.{row.path}: {problem}")
    for name, rules in RULES.items():
        for rule in rules if name in structures else ():
            for path, problem in _problems(structures[name], rule):
                file, line = _location(name, rule.requirement, path, str(rule.value))
                is_of_relation = path in numbers.get(name, ()) and f'"{path}"' not in file.read_text("utf-8")
                if not is_of_relation:
                    yield Mistake(file, line, f"{rule.requirement}: {name}.{path}: {problem}")


def _problems(structure: Structure, rule: Rule) -> Iterator[tuple[str, str]]:
    """Yield the unresolved paths and unknown operators of a rule."""
    if rule.operator == UNANNOUNCED:
        yield rule.path, f"presence: PRESENT has no row {rule.value}"
        return
    compared: tuple[Any, ...] = (rule, *rule.when)
    for each in compared:
        if each.operator not in OPERATORS:
            yield each.path, f"there is no operator {each.operator!r}"
        paths = [each.path, each.value] if each.operator in OTHER_FIELD else [each.path]
        for path in paths:
            problem = resolve(structure, path)
            if problem:
                yield path, problem
        operands = each.value if isinstance(each.value, (tuple, frozenset)) else (each.value,)
        for value in operands if each.operator in _COMPARING else ():
            problem = of_number({structure.name: structure}, f"{structure.name}.{each.path}", value)
            if problem and isinstance(value, int):
                yield each.path, problem


def _in_presence() -> Iterator[Mistake]:
    file = Path(relations.__file__)
    for path, flag in relations.PRESENT.items():
        owner, _, part = path.partition(".")
        if path in UNCHECKED or flag == "remaining":
            continue
        for said, is_missing in ((f"{flag} without {part}", True), (f"{part} without {flag}", False)):
            if not requirement_of_presence(path, is_missing=is_missing):
                line = line_of_row(file, "PRESENT", path)
                yield Mistake(
                    file, line, f"PRESENT: {path}: no rule of {owner} reports {said}: add presence()"
                )
        yield from _forbidden(path)
    for path in UNCHECKED.keys() - relations.PRESENT.keys():
        yield Mistake(_FOLDER / "__init__.py", 0, f"UNCHECKED: {path} is not a row of PRESENT")


def _forbidden(part: str) -> Iterator[Mistake]:
    """Check that no rule of a header always forbids the number that announces a part."""
    flag, number = relations.announcing(part)
    header, _, path = flag.partition(".")
    for row in RULES.get(header, ()):
        is_always = not (row.when or row.channels)
        if (row.path, row.operator) == (path, "==") and row.value != number and is_always:
            words = (row.requirement, row.requirement.rpartition("-")[0], path, *path.split("."))
            said = f"{row.requirement}: {flag} has to be {row.value}, but {number} announces {part}"
            yield Mistake(*_location(header, *words), said)


def _in_profiles(structures: dict[str, Structure]) -> Iterator[Mistake]:
    for row in LACKS:
        problem = (
            resolve(structures[row.structure], row.path)
            if row.structure in structures
            else f"there is no structure {row.structure}"
        )
        if problem:
            line = line_of_row(_PROFILES, "ROWS", row.path) or line_of_row(_PROFILES, "ROWS", row.structure)
            yield Mistake(_PROFILES, line, f"ROWS: {row.structure}.{row.path}: {problem}")


def _in_bends(structures: dict[str, Structure]) -> Iterator[Mistake]:
    """Check every string in a bend that looks like a path: it must resolve."""
    for file in sorted(BENT.glob("*.py")):
        for node in ast.walk(tree_of(file)):
            if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
                continue
            steps = node.value.split(".")
            if (
                len(steps) > 1
                and all(step.isidentifier() for step in steps)
                and _is_known(structures, steps[0])
            ):
                problems = [resolve(structure, node.value) for structure in structures.values()]
                if all(problems) and not _inside(structures, steps):
                    yield Mistake(file, node.lineno, f"{node.value} leads to no field of any structure")


def _is_known(structures: dict[str, Structure], name: str) -> bool:
    return any(name in structure.by_name for structure in structures.values())


def _inside(structures: dict[str, Structure], steps: list[str]) -> bool:
    """Return whether the path leads into a form of a choice, or resolves from the structure it names."""
    if steps[0] in structures and not resolve(structures[steps[0]], ".".join(steps[1:])):
        return True
    for end in range(1, len(steps)):
        head, tail = ".".join(steps[:end]), ".".join(steps[end:])
        if any(not resolve(structure, head) for structure in structures.values()) and any(
            not resolve(structure, tail) for structure in structures.values()
        ):
            return True
    return False
