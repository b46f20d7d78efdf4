"""Building and replacing records: the shared part of the generated builders.

1. `refuse_arguments` rejects surplus values and unknown fields.
2. Replacing works like building: fields that depend on others count as omitted, all others as given.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

from msgspec import Struct

from msmq_wire.definitions import relations
from msmq_wire.values.errors import need, plural, wrong_value
from msmq_wire.values.hints import did_you_mean

from .accept import refuse
from .model import Field, Flags, Padding, Structure, Text
from .omitted import KeptText, Omitted, OmittedBytes, changed, loosened
from .plan import Plan, derived, plan_of
from .registry import CLASSES

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME = re.compile(r"\w+")
_ELEMENT = re.compile(r"\[(\d{1,9})\](?:\.(.+))?")
"""An index, and the path of a field in that element."""


def refuse_arguments(structure: Structure, more: tuple[Any, ...], unknown: Mapping[str, Any]) -> NoReturn:
    """Raise an error for surplus values or for an unknown field."""
    count = len(structure.fields)
    if more:
        refuse(
            structure,
            "",
            wrong_value(f"at most {count} {plural(count, 'field')}", count + len(more)),
            None,
            more,
        )
    names = [field.name for field in structure.fields]
    name, value = next(iter(unknown.items()))
    hint = did_you_mean(name, names) or structure.owner_of(name)
    refuse(structure, name, f"no such field{hint}", ", ".join(names), value)


# ------------------------------------------------------------------------------ steps of a builder


def refuse_size(structure: Structure, path: str, count: str, what: str, most: int, size: int) -> NoReturn:
    refuse(structure, path, wrong_value(f"at most {most} {what}, which {count} can count", size), most, size)


def refuse_missing(structure: Structure, name: str) -> NoReturn:
    refuse(structure, name, "is missing", "one of its forms", None)


def alternative(structure: Structure, fields: Mapping[int, str], values: tuple[Any, ...]) -> int:
    """Return the number that selects the one field of several that is present."""
    there = [number for number, value in zip(fields, values, strict=True) if value is not None]
    if len(there) != 1:
        names = " and ".join(fields.values())
        problem = "both are given" if there else "one is needed"
        refuse(structure, fields[0], f"of {names} {problem}", "exactly one", len(there))
    return there[0]


def accompany(structure: Structure, field: Field, text: str | None, count: int, left_out: bool) -> str | None:
    """Return a text that is present exactly if the array that it belongs to has elements."""
    if count and text is None:
        return ""
    if not count and text is not None and left_out:
        refuse(structure, field.name, f"must be absent when {field.present} is 0", None, text)
    return text


def align_items(
    paddings: list[Field], size: Callable[[Any], int], items: tuple[Any, ...], at: int
) -> tuple[Any, ...]:
    """Return items with the paddings that depend on their offset in the enclosing structure."""
    items_aligned = []
    for item in items:
        record = item
        for inner in paddings:
            old = getattr(record, inner.name)
            if type(old) is OmittedBytes:
                rule = inner.kind_as(Padding).alignment
                start = at + record.layout.offset_of(inner.name)
                boundary = dict(rule.boundaries).get(getattr(record, rule.selector), rule.boundary)
                record = changed(record, {inner.name: bytes(-start % boundary)})
        at += size(record)
        items_aligned.append(record)
    return tuple(items_aligned)


# --------------------------------------------------------------------------------------- replacing


class Recipe(Struct, frozen=True):
    """How a record is replaced.

    Attributes:
        kept: Fields that stay as they are.
        relaxed: Fields that are partly recomputed, with the function that marks those parts as omitted.
        paddings: Paddings and reserved bytes, which are kept if their size does not change.
        computed: Fields of `relations.COMPUTED`, which are kept if the fields that they depend on are.
    """

    kept: tuple[str, ...]
    relaxed: dict[str, Callable[[Any], Any]]
    paddings: tuple[str, ...]
    computed: dict[str, frozenset[str]]


@cache
def _recipe_of(structure: Structure) -> Recipe:
    plan = plan_of(structure)
    anew = derived(structure)
    kept: list[str] = []
    relaxed: dict[str, Callable[[Any], Any]] = {}
    paddings: list[str] = []
    computed: dict[str, frozenset[str]] = {}
    for field in structure.fields:
        if field.alignment and field.alignment.before:
            relaxed[field.name] = OmittedBytes
            continue
        if field.is_filler and not field.kind.is_number:
            paddings.append(field.name)
            if field.kind.fixed_size is None:
                continue
        expression = relations.COMPUTED.get(f"{structure.name}.{field.name}")
        if expression is not None:
            computed[field.name] = frozenset(_NAME.findall(expression))
        if field.name in anew or expression is not None:
            continue
        function = _relaxed(plan, field)
        if function:
            relaxed[field.name] = function
        else:
            kept.append(field.name)
    return Recipe(tuple(kept), relaxed, tuple(paddings), computed)


def _relaxed(plan: Plan, field: Field) -> Callable[[Any], Any] | None:
    """Return the function that marks the parts of a value that are recomputed as omitted."""
    if field.word:
        loose = plan.derived_groups.get(field.name, 0)
        return (lambda word: loosened(word, loose)) if loose else None
    if field.part:
        groups = plan.part_groups.get(field.name, {})
        numbers = plan.part_numbers.get(field.name, frozenset())
        return (lambda part: _loose_part(part, groups, numbers)) if groups or numbers else None
    if isinstance(field.kind, Text) and any(source.field is field for source in plan.counts.values()):
        return KeptText
    return None


def _loose_part(part: Any, groups: dict[str, int], numbers: frozenset[str]) -> Any:
    changes: dict[str, Any] = {name: Omitted(getattr(part, name)) for name in numbers}
    changes |= {word: loosened(getattr(part, word), mask) for word, mask in groups.items()}
    return changed(part, changes)


def without_root(structure: Any, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes without the name of the structure, with which paths of errors and violations begin."""
    root, named = f"{structure.name}.", dict[str, Any]()
    for path, value in changes.items():
        name = path.removeprefix(root) if isinstance(path, str) else path
        if name in named:
            refuse(structure, name, "is given twice", "one value", value)
        named[name] = value
    return named


def rebuild(record: Any, changes: Mapping[str, Any]) -> Any:
    """Create a copy of a record with some fields changed and dependent fields recomputed.

    A change is named by a field, or by a path to a field of a part.
    """
    recipe = _recipe_of(record.layout)
    whole, inner = _by_field(record.layout, changes)
    for name in whole.keys() & inner.keys():
        refuse(
            record.layout, name, "is given as a whole, and so is a part of it", "one of both", changes[name]
        )
    changing = whole.keys() | inner.keys()
    kept_too = [name for name, sources in recipe.computed.items() if not sources & changing]
    given = {name: getattr(record, name) for name in (*recipe.kept, *kept_too)}
    for name, relax in recipe.relaxed.items():
        value = getattr(record, name)
        given[name] = None if value is None else relax(value)
    for name, below in inner.items():
        given[name] = _replaced_part(record, name, below)
    given.update(whole)
    rebuilt = type(record).build(**given)
    kept = {}
    for name in recipe.paddings:
        before, after = getattr(record, name), getattr(rebuilt, name)
        # Keep paddings that do not have to change.
        if name not in changes and before != after and len(before) == len(after):
            kept[name] = before
    return changed(rebuilt, kept) if kept else rebuilt


def _by_field(
    structure: Structure, changes: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Divide changes into those of whole fields, and those below a field."""
    whole: dict[str, Any] = {}
    inner: dict[str, dict[str, Any]] = {}
    for path, value in changes.items():
        need("the name of a change", path, str, "text")
        if "" in path.split("."):
            refuse(structure, path, "has a part without a name", "names between the dots", path)
        name, dot, rest = path.partition(".")
        if dot or name.endswith("]"):
            field, bracket, index = name.partition("[")
            inner.setdefault(field, {})[f"{bracket}{index}{dot}{rest}" if bracket else rest] = value
        else:
            whole[name] = value
    return whole, inner


def _replaced_part(record: Any, name: str, changes: dict[str, Any]) -> Any:
    """Return the value of a field with changes below it; fields that depend on other parts are omitted."""
    structure = record.layout
    field = structure.by_name.get(name)
    if field is None:
        refuse_arguments(structure, (), {name: None})
    value, plan = getattr(record, name), plan_of(structure)
    index = next((path for path in changes if path.startswith("[")), None)
    if index is not None and not field.element:
        refuse(
            structure,
            f"{name}{index}",
            f"is no element, because {name} is no array",
            "a path without an index",
            index,
        )
    if field.word:
        return _replaced_groups(structure, field, value, changes, plan.derived_groups.get(name, 0))
    if field.element:
        return _replaced_elements(structure, field, value, changes)
    if value is None and field.part:
        value = CLASSES[field.part.name]()
    if not hasattr(value, "layout"):
        problem = "is absent, and may have several forms" if value is None else "has no parts"
        refuse(structure, name, problem, "a part", value)
    part = rebuild(value, changes)
    groups = {
        word: mask & ~_named_groups(part.layout.flags(word), word, changes)
        for word, mask in plan.part_groups.get(name, {}).items()
        if word not in changes
    }
    return _loose_part(part, groups, frozenset(plan.part_numbers.get(name, frozenset())) - set(changes))


def _named_groups(kind: Flags, word: str, changes: Mapping[str, Any]) -> int:
    """Return the mask of the groups of a flags word that are named."""
    names = {path.partition(".")[2] for path in changes if path.partition(".")[0] == word}
    return sum(group.mask for group in kind.groups if group.name in names)


def _replaced_groups(
    structure: Structure, field: Field, word: Any, changes: dict[str, Any], derived_mask: int
) -> Any:
    """Return a flags word with some groups changed; derived groups that are not named are omitted."""
    kind = field.kind_as(Flags)
    names = [group.name for group in kind.groups]
    for name in changes:
        if name not in names:
            refuse(
                structure, f"{field.name}.{name}", f"no such field{did_you_mean(name, names)}", names, None
            )
    named = sum(group.mask for group in kind.groups if group.name in changes)
    replaced, loose = word.replace(**changes), derived_mask & ~named
    return loosened(replaced, loose) if loose else replaced


def _replaced_elements(structure: Structure, field: Field, value: Any, changes: dict[str, Any]) -> Any:
    """Return an array with changes of or below some elements."""
    elements = list(value)
    below: dict[int, dict[str, Any]] = {}
    for path, new in changes.items():
        match = _ELEMENT.fullmatch(path)
        if match is None or int(match[1]) >= len(elements):
            few = f"0 to {len(elements) - 1}" if elements else "none, because the array is empty"
            refuse(structure, f"{field.name}{path.partition('.')[0]}", "is no element", few, path)
        if match[2] is None:
            elements[int(match[1])] = new
        else:
            below.setdefault(int(match[1]), {})[match[2]] = new
    for index, inner in below.items():
        elements[index] = rebuild(elements[index], inner)
    return elements
