"""Compiles a layout into a plan: a list of steps that read many structures at once.

1. A `Run` gathers fixed fields, also across nested structures.  `Parts` are bytes whose sizes are in earlier
   fields.
2. `Option` and `Select` apply their steps to a subset of the rows.
3. A nested structure that states its size is read with `Apart`, by the record decoder.  Rows that steps
   cannot read are `Undecided` and left to the record decoder.
4. A step rejects rows without giving a reason; the record decoder then reports the error.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from msmq_wire.documents.layouts import structures
from msmq_wire.records import model as layout

from .steps import (
    LEFT,
    Among,
    Apart,
    Bound,
    Close,
    Formula,
    Mark,
    Option,
    Part,
    Parts,
    Plan,
    Present,
    Repeat,
    Run,
    Select,
    Series,
    Slot,
    Step,
    Typed,
    Undecided,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class _Scope:
    """Name lookup for expressions in a structure."""

    def __init__(self, structure: layout.Structure, path: str, parent: _Scope | None) -> None:
        self.structure = structure
        self.path = path
        self.parent = parent
        self.inner: dict[str, _Scope] = {}
        self.numbers: set[str] = set()

    def at(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def find(self, path: str) -> tuple[str, layout.Group | None]:
        """Look up a path; return the path of the field, and the bit group if it names one."""
        head, _, rest = path.partition(".")
        scope: _Scope | None = self
        while scope is not None:
            if rest and head in scope.inner:
                return scope.inner[head].find(rest)
            if head in scope.numbers:
                word = scope.structure.by_name[head].word
                return scope.at(head), word.group(rest) if word and rest else None
            scope = scope.parent
        raise KeyError(path)

    def origin(self, name: str) -> _Scope:
        scope: _Scope = self
        while scope.structure.name != name and scope.parent is not None:
            scope = scope.parent
        return scope


class _Planner:
    """Compiles one layout into steps."""

    def __init__(self, structure: layout.Structure) -> None:
        self.asked: set[str] = set()
        self.fields: list[tuple[str, str, int]] = []
        self.parts: list[Part] = []
        self.waiting: tuple[_Scope, layout.Extent] | None = None
        self.steps: list[Step] = []
        self.structure(_Scope(structure, "", None))
        self.flush()
        self.plan = tuple(self.kept(self.steps))

    # -- collected fields

    def flush(self) -> None:
        if self.fields:
            offsets = np.cumsum([0] + [size for _, _, size in self.fields]).tolist()
            names = [f"f{index}" for index in range(len(self.fields))]
            dtype = np.dtype(
                {
                    "names": names,
                    "formats": [code for _, code, _ in self.fields],
                    "offsets": offsets[:-1],
                    "itemsize": offsets[-1],
                }
            )
            slots = tuple(
                Slot(path, name, offset, kept=False)
                for name, offset, (path, _, _) in zip(names, offsets[:-1], self.fields, strict=True)
            )
            self.fields = []
            self.steps.append(Run(offsets[-1], dtype, slots))
            self.bound()
        if self.parts:
            self.steps.append(Parts(tuple(self.parts)))
            self.parts = []

    def bound(self) -> None:
        """Emit the step that reduces the limit, after the field with the size was read."""
        if self.waiting is None:
            return
        scope, extent = self.waiting
        try:
            size = self.named(scope, extent.path)
        except KeyError:
            return
        assert extent.multiple == 1  # noqa: S101  # only lists, which are read apart, are rounded up
        self.waiting = None
        outside = [
            (self.test(scope, field.present), structures()[field.name].fixed_size)
            for field in scope.structure.fields
            if field.outside and field.present
        ]
        rooms = tuple((test, room) for test, room in outside if room is not None)
        self.steps.append(Bound(size, rooms))

    def kept(self, steps: list[Step] | tuple[Step, ...]) -> list[Step]:
        """Return the steps with unused values removed, now that all formulas are known."""
        kept: list[Step] = []
        for step in steps:
            match step:
                case Run():
                    slots = tuple(slot._replace(kept=slot.path in self.asked) for slot in step.slots)
                    kept.append(step._replace(slots=slots))
                case Option():
                    words = tuple(path for path in step.exports if path in self.asked)
                    kept.append(step._replace(steps=tuple(self.kept(step.steps)), exports=words))
                case Select():
                    forms = tuple((values, tuple(self.kept(inner))) for values, inner in step.forms)
                    kept.append(step._replace(forms=forms))
                case _:
                    kept.append(step)
        return kept

    def named(self, scope: _Scope, path: str) -> Formula:
        """Return the formula of the number at a path."""
        return self.formula(scope, (path,), lambda value: value(path))._replace(bare=path)

    def test(self, scope: _Scope, present: layout.Presence) -> Formula:
        """Return a formula that is not zero if the field is present."""
        if not present.numbers:
            return Formula(lambda value: value(LEFT), {})
        if present.path and present.value is None:
            return self.named(scope, present.path)
        return self.formula(scope, present.numbers, lambda value: present.test(value, 0))

    def elements(self, scope: _Scope, count: layout.Count) -> Formula:
        """Return the formula of the number of array elements."""
        if count.per_unit == 1:
            return self.named(scope, count.number)
        return self.formula(scope, (count.number,), lambda value: value(count.number) // count.per_unit)

    def formula(self, scope: _Scope, paths: Iterable[str], compute: Callable[..., Any]) -> Formula:
        """Return a formula over the numbers at some paths."""
        names = {path: scope.find(path) for path in paths}
        self.asked.update(offset for offset, _ in names.values())
        return Formula(compute, names)

    def inner(self, build: Callable[[], None]) -> tuple[Step, ...]:
        """Return the steps that `build` adds, separately from the others."""
        outer, self.steps = self.steps, []
        build()
        self.flush()
        inner, self.steps = self.steps, outer
        return tuple(inner)

    # -- structures and fields

    def structure(self, scope: _Scope) -> None:
        structure = scope.structure
        if structure.extent:
            if scope.parent is not None:
                self.flush()
                self.steps.append(_apart(scope.path, structure, structure.extent))
                return
            self.waiting = (scope, structure.extent)
        alignments = [field.alignment for field in structure.fields if field.alignment]
        if any(alignment.origin == structure.name for alignment in alignments):
            self.flush()
            self.steps.append(Mark(scope.path))
        closed = structure.extent is None
        for field in structure.fields:
            if field.outside and not closed:
                self.close()
                closed = True
            self.field(scope, field)
        if not closed:
            self.close()

    def close(self) -> None:
        self.flush()
        self.steps.append(Close())

    def field(self, scope: _Scope, field: layout.Field) -> None:
        if field.present is None:
            self.value(scope, field)
            return
        self.flush()
        test = self.test(scope, field.present)
        steps = self.inner(partial(self.value, scope, field))
        words: tuple[str, ...] = ()
        if field.name in scope.inner:
            nested = scope.inner[field.name]
            words = tuple(nested.at(item.name) for item in nested.structure.fields if item.word)
        self.steps.append(Option(test, steps, words))

    def value(self, scope: _Scope, field: layout.Field) -> None:
        path, kind = scope.at(field.name), field.kind
        if kind.is_number:
            self.fixed(path, f"<{kind.code}", kind.least_size)
            scope.numbers.add(field.name)
            if field.known:
                self.among(path, field.known)
            return
        if kind.code:
            self.fixed(path, f"V{kind.least_size}", kind.least_size)
            return
        match kind:
            case layout.Bytes(count=layout.Count() as count):
                self.parts.append(Part(path, self.elements(scope, count)))
            case layout.Bytes(count=layout.Fill() as fill):
                sizes = self.formula(scope, [name for name, _ in fill.sizes], fill.size)
                self.parts.append(Part(path, sizes))
            case layout.Text(count=layout.NUL) if not field.offset_in:
                self.parts.append(Part(path, None, terminated=True))
            case layout.Text(count=layout.Count() as count) if count.per_unit == 2:  # in bytes
                self.parts.append(Part(path, self.named(scope, count.number), even=True))
            case layout.Text(count=layout.Count() as count):
                self.parts.append(Part(path, self.elements(scope, count), unit=2))
            case layout.Padding(alignment=rule) if not rule.selector:
                mark = scope.origin(rule.origin).path
                before = rule.before and rule.before[1]
                self.parts.append(
                    Part(path, None, aligned=(mark, rule.boundary, rule.cut_short), before=before)
                )
            case layout.Nested():
                self.nested(scope, field, kind.structure)
            case layout.Choice():
                self.choice(scope, field, kind)
            case layout.Numbers():
                self.flush()
                dtype = np.dtype(f"<{kind.format}")
                self.steps.append(Series(path, dtype, self.elements(scope, kind.count)))
            case layout.Values():
                self.flush()
                self.steps.append(Typed(path, scope.at(kind.identifiers)))
            case layout.Items():
                self.flush()
                inner, number = kind.structure, self.elements(scope, kind.count)
                self.steps.append(Repeat(path, inner.name, number, inner.least_size))
            case _:
                self.undecided()

    def among(self, path: str, values: tuple[int, ...]) -> None:
        self.flush()
        self.asked.add(path)
        self.steps.append(Among(path, values))

    def undecided(self) -> None:
        self.flush()
        self.steps.append(Undecided())

    def fixed(self, path: str, code: str, size: int) -> None:
        if self.parts:
            self.flush()
        self.fields.append((path, code, size))

    def nested(self, scope: _Scope, field: layout.Field, structure: layout.Structure) -> None:
        path = scope.at(field.name)
        inner = scope.inner[field.name] = _Scope(structure, path, scope)
        self.steps.append(Present(path))
        self.structure(inner)

    def choice(self, scope: _Scope, field: layout.Field, kind: layout.Choice) -> None:
        self.flush()
        path = scope.at(field.name)
        selector = self.named(scope, kind.selector)
        by_form: dict[str, tuple[layout.Structure | None, list[int]]] = {}
        for value, form in kind.forms.items():
            by_form.setdefault(form.name if form else "", (form, []))[1].append(value)
        forms = []
        for form, values in by_form.values():
            steps: tuple[Step, ...] = ()
            if form is not None:
                inner = _Scope(form, path, scope)
                steps = (Present(path), *self.inner(partial(self.structure, inner)))
            forms.append((tuple(values), steps))
        self.steps.append(Select(selector, tuple(forms)))


def _apart(path: str, structure: layout.Structure, extent: layout.Extent) -> Apart | Undecided:
    first = structure.fields[0]
    if extent.path != first.name or not isinstance(first.kind, layout.Integer):
        return Undecided()
    head = head_of(structure.name, (first.name,))
    return Apart(path, structure.name, head, head.slots[0].name, extent.multiple)


@cache
def plan_of(name: str) -> Plan:
    """Return the steps for a structure."""
    return _Planner(structures()[name]).plan


@cache
def head_of(name: str, fields: tuple[str, ...]) -> Run:
    """Return the leading fields of a structure, which must be fixed-size, as one run.

    The slots have the paths of the fields.
    """
    structure = structures()[name]
    head = layout.Structure(name, structure.section, tuple(structure.by_name[field] for field in fields))
    (run,) = (step for step in _Planner(head).plan if isinstance(step, Run))
    return run
