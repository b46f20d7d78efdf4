"""The omitted fields of a structure that a builder can compute, with their sources; from its layout."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from msgspec import Struct

from msmq_wire.definitions import relations

from .model import (
    Choice,
    Field,
    Nested,
    Structure,
    count_of,
    structures,
)


class CountedArray(Struct, frozen=True):
    """The array that a number counts.

    Attributes:
        part: The part of the structure that has the array; empty if the structure itself has it.
        field: The array.
        per_unit: As `Count.per_unit`.
    """

    part: str
    field: Field
    per_unit: int


class Plan(Struct, frozen=True):
    """The fields that can be computed for one structure, derived from its layout.

    Attributes:
        counts: By number of the structure, the array that it counts.
        selectors: By field with several forms, the path of its selector, and the forms.
        presence: By path of a flags word and name of a group, the fields that the group announces.
        derived_groups: By flags word of the structure, the mask of the groups that can be computed.
        part_groups: The same for the flags words of a part, by part.
        part_numbers: By part, those of its numbers that only this structure can compute.
        alternatives: By path of a number and its value, the field that this value announces.
        companions: By optional text, the number of elements of the array that it comes with.
        part_counts: Numbers in parts that count a field: the part, the number, the field.
    """

    counts: dict[str, CountedArray]
    selectors: dict[str, tuple[str, Choice]]
    presence: dict[str, dict[str, list[str]]]
    derived_groups: dict[str, int]
    part_groups: dict[str, dict[str, int]]
    part_numbers: dict[str, frozenset[str]]
    alternatives: dict[str, dict[int, str]]
    companions: dict[str, str]
    part_counts: tuple[tuple[str, str, str], ...]


@cache
def plan_of(structure: Structure) -> Plan:
    """Return the fields that can be computed for a structure."""
    counts: dict[str, CountedArray] = {}
    selectors: dict[str, tuple[str, Choice]] = {}
    presence: dict[str, dict[str, list[str]]] = {}
    masks: dict[str, int] = {}
    part_groups: dict[str, dict[str, int]] = {}
    part_numbers: dict[str, set[str]] = {}
    alternatives: dict[str, dict[int, str]] = {}
    part_counts: list[tuple[str, str, str]] = []
    for field in structure.fields:
        decides = field.present.path if field.present else ""
        announced = structure.group(decides)
        if field.present and field.present.value is not None and not announced:
            alternatives.setdefault(decides, {})[field.present.value] = field.name
        forms = [form for form in field.structures if form.scoped and not field.element]
        arrays = [("", field), *((field.name, inner) for form in forms for inner in form.fields)]
        for part, array in arrays:
            count = count_of(array.kind)
            owner, _, number = count.number.rpartition(".") if count else ("", "", "")
            if owner:
                part_counts.append((owner, number, field.name))
                part_numbers.setdefault(owner, set()).add(number)
            elif count and number in structure.by_name:
                counts[number] = CountedArray(part, array, count.per_unit)
        if isinstance(field.kind, Choice):
            selectors[field.name] = (field.kind.selector, field.kind)
            chosen = structure.group(field.kind.selector)
            if chosen:
                word = field.kind.selector.rpartition(".")[0]
                masks[word] = masks.get(word, 0) | chosen.mask
        if announced:
            owner = decides.rpartition(".")[0]
            part, _, word = owner.rpartition(".")
            presence.setdefault(owner, {}).setdefault(announced.name, []).append(field.name)
            words = part_groups.setdefault(part, {}) if part else masks
            words[word] = words.get(word, 0) | announced.mask
        for path in relations.REMAINDERS:
            part, _, name = path.partition(".")
            if part == field.name:
                part_numbers.setdefault(part, set()).add(name)
    if structure.extent and "." in structure.extent.path:
        part, _, name = structure.extent.path.partition(".")
        part_numbers.setdefault(part, set()).add(name)
    companions = {
        field.name: field.present.path
        for field in structure.fields
        if field.present and field.present.path in counts
    }
    numbers = {part: frozenset(names) for part, names in part_numbers.items()}
    return Plan(
        counts, selectors, presence, masks, part_groups, numbers, alternatives, companions, tuple(part_counts)
    )


@cache
def derived(structure: Structure) -> frozenset[str]:
    """Return the fields of a structure that depend on its other fields."""
    plan = plan_of(structure)
    names = {*plan.counts, *plan.alternatives, *(selector for selector, _ in plan.selectors.values())}
    names |= {field.offset_in[0] for field in structure.fields if field.offset_in}
    if structure.extent and "." not in structure.extent.path:
        names.add(structure.extent.path)
    return frozenset(names)


def structure_of(structure: Structure, part: str) -> Structure:
    """Return the structure of a part."""
    return structure.by_name[part].kind_as(Nested).structure


def awaited() -> frozenset[str]:
    """Return the paths of numbers that stay omitted until an enclosing record is built."""
    return _awaited_among(len(structures()))


@lru_cache(maxsize=4)
def _awaited_among(count: int) -> frozenset[str]:
    names = set(relations.REMAINDERS)
    for name, structure in list(structures().items())[:count]:
        paths = [path for path in relations.FIXED.get(name, ()) if not structure.group(path)]
        if structure.extent and "." in structure.extent.path:
            paths.append(structure.extent.path)
        paths += [f"{part}.{number}" for part, number, _ in plan_of(structure).part_counts]
        for path in paths:
            part, _, field = path.partition(".")
            names.add(f"{structure_of(structure, part).name}.{field}")
    return frozenset(names)


def omitted(structure: Structure, field: Field) -> Any:
    """Return the constant default of an omitted field; `...` if the field is computed."""
    path = f"{structure.name}.{field.name}"
    if path in relations.COMPUTED or path in awaited() or field.name in derived(structure):
        return ...
    if field.present:
        return None
    default = relations.DEFAULTS.get(path)
    if isinstance(default, str):  # an expression
        return ...
    return default if field.kind.is_number and default is not None else field.kind.omitted


def open_words() -> frozenset[str]:
    """Return the paths of flags words with a group that may be computed."""
    return _open_words_among(len(structures()))


@lru_cache(maxsize=4)
def _open_words_among(count: int) -> frozenset[str]:
    names = {
        path.rpartition(".")[0] for path, source in relations.DEFAULTS.items() if isinstance(source, str)
    }
    for name, structure in list(structures().items())[:count]:
        plan = plan_of(structure)
        names |= {f"{name}.{word}" for word in plan.derived_groups}
        wholes = [*plan.presence, *(path.rpartition(".")[0] for path in relations.FIXED.get(name, ()))]
        for owner in wholes:
            part, _, word = owner.rpartition(".")
            if part:
                names.add(f"{structure_of(structure, part).name}.{word}")
    return frozenset(names)
