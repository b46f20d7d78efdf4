"""What can be worked out for a structure when its maker leaves it out, read off its layout once."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from msmq_wire.definitions import relations

from . import expression
from .model import EOF, NUL, Choice, Field, Flags, Nested, Structure, structures

__all__ = ["Plan", "Source", "awaited", "open_words", "plan_of", "structure_of", "unwrap"]


class Source(NamedTuple):
    """Where a number comes from: the array that it counts."""

    part: str
    field: Field
    per_unit: int


class Plan(NamedTuple):
    """What can be worked out for one structure, read off its layout."""

    counts: dict[str, Source]
    selectors: dict[str, tuple[str, Choice]]
    presence: dict[str, dict[str, list[str]]]
    derived_groups: dict[str, int]
    part_groups: dict[str, int]
    part_numbers: dict[str, frozenset[str]]
    alternatives: dict[str, dict[int, str]]
    part_counts: tuple[tuple[str, str, str], ...]


def unwrap(present: str) -> tuple[str, int] | None:
    """The flags path that a presence expression reads, and the value that means present."""
    path, _, value = present.partition(" == ")
    return (path, int(value or 1)) if "Flags." in path and "|" not in path else None


@cache
def plan_of(structure: Structure) -> Plan:
    counts: dict[str, Source] = {}
    selectors: dict[str, tuple[str, Choice]] = {}
    presence: dict[str, dict[str, list[str]]] = {}
    own: dict[str, int] = {}
    part_groups: dict[str, int] = {}
    part_numbers: dict[str, set[str]] = {}
    alternatives: dict[str, dict[int, str]] = {}
    part_counts: list[tuple[str, str, str]] = []
    for field in structure.fields:
        source, _, value = (field.present or "").partition(" == ")
        if value and "." not in source:
            alternatives.setdefault(source, {})[int(value)] = field.name
        arrays = [("", field)]
        if isinstance(field.kind, Nested) and field.kind.structure.scoped:
            arrays = [(field.name, inner) for inner in field.kind.structure.fields]
        elif isinstance(field.kind, Choice):
            forms = [form for form in field.kind.forms.values() if form and form.scoped]
            arrays += [(field.name, inner) for form in forms for inner in form.fields]
        for part, array in arrays:
            count = getattr(array.kind, "count", None)
            turned = (
                expression.quotient(count) if isinstance(count, str) and count not in {EOF, NUL} else None
            )
            if turned and "." in turned[0]:
                owner, _, number = turned[0].partition(".")
                part_counts.append((owner, number, field.name))
                part_numbers.setdefault(owner, set()).add(number)
            elif turned and turned[0] in structure.by_name:
                counts[turned[0]] = Source(part, array, turned[1])
        if isinstance(field.kind, Choice):
            selectors[field.name] = (field.kind.selector, field.kind)
            word, _, group = field.kind.selector.partition(".")
            if group:
                own[word] = own.get(word, 0) | _group(structure, word, group)
        turned_flag = unwrap(field.present) if field.present else None
        if turned_flag:
            owner, _, group = turned_flag[0].rpartition(".")
            presence.setdefault(owner, {}).setdefault(group, []).append(field.name)
            part, _, word = owner.rpartition(".")
            if part:
                inner_structure = structure_of(structure, part)
                part_groups[part] = part_groups.get(part, 0) | _group(inner_structure, word, group)
            else:
                own[word] = own.get(word, 0) | _group(structure, word, group)
        for path in relations.REMAINDERS:
            part, _, name = path.partition(".")
            if part == field.name:
                part_numbers.setdefault(part, set()).add(name)
    if structure.extent and "." in structure.extent.path:
        part, _, name = structure.extent.path.partition(".")
        part_numbers.setdefault(part, set()).add(name)
    numbers = {part: frozenset(names) for part, names in part_numbers.items()}
    return Plan(counts, selectors, presence, own, part_groups, numbers, alternatives, tuple(part_counts))


def structure_of(structure: Structure, part: str) -> Structure:
    kind = structure.by_name[part].kind
    assert isinstance(kind, Nested)  # noqa: S101  # only structures have flags
    return kind.structure


def _group(structure: Structure, word: str, group: str) -> int:
    kind = structure.by_name[word].kind
    assert isinstance(kind, Flags)  # noqa: S101  # presence is told by flags
    return kind.group(group).mask


def awaited() -> frozenset[str]:
    """Paths of numbers that stay left out until an enclosing record is built."""
    return _awaited_among(len(structures()))


@lru_cache(maxsize=4)
def _awaited_among(count: int) -> frozenset[str]:
    found = set(relations.REMAINDERS)
    for name, structure in list(structures().items())[:count]:
        paths = [path for path in relations.FIXED.get(name, ()) if ".Flags." not in path]
        if structure.extent and "." in structure.extent.path:
            paths.append(structure.extent.path)
        paths += [f"{part}.{number}" for part, number, _ in plan_of(structure).part_counts]
        for path in paths:
            part, _, field = path.partition(".")
            found.add(f"{structure_of(structure, part).name}.{field}")
    return frozenset(found)


def open_words() -> frozenset[str]:
    """Paths of flags words of which some group may follow from something else."""
    return _open_words_among(len(structures()))


@lru_cache(maxsize=4)
def _open_words_among(count: int) -> frozenset[str]:
    found = {path.rpartition(".")[0] for path, source in relations.DEFAULTS.items() if callable(source)}
    for name, structure in list(structures().items())[:count]:
        plan = plan_of(structure)
        found |= {f"{name}.{word}" for word in plan.derived_groups}
        wholes = [*plan.presence, *(path.rpartition(".")[0] for path in relations.FIXED.get(name, ()))]
        for owner in wholes:
            part, _, word = owner.rpartition(".")
            if part:
                found.add(f"{structure_of(structure, part).name}.{word}")
    return frozenset(found)
