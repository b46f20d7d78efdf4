"""How to read many structures of one layout at once: the layout as a list of steps over arrays.

1. A `Run` gathers fixed fields, across the borders of nested structures; `Parts` are bytes whose sizes the
   fields before them say.
2. `Option` and `Select` are taken by some of the rows: their steps see only these.
3. A structure within another that says where it ends is read `Apart`, by the decoder of records.  What else
   steps cannot say (lists, property values) is `Undecided`: the decoder of records reads those rows.
4. A step refuses rows, it never says why; the decoder of records does that as well.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from msmq_wire import _expression as expression
from msmq_wire import _layout as layout
from msmq_wire._layout import structures

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "Apart",
    "Bound",
    "Close",
    "Formula",
    "Mark",
    "Option",
    "Parts",
    "Plan",
    "Present",
    "Run",
    "Select",
    "Step",
    "Undecided",
    "group_of",
    "head_of",
    "plan_of",
]


class Formula(NamedTuple):
    """An expression of a layout over arrays.

    Attributes:
        compute: Computes it from the values that its argument gives for names.
        names: Where the value of a name is: the path of its field and, of a flags word, the group.
    """

    compute: Callable[[Callable[[str], Any]], Any]
    names: dict[str, tuple[str, layout.Group | None]]


class Slot(NamedTuple):
    """A fixed field in a run; `kept` if formulas ask for its value."""

    path: str
    name: str
    place: int
    kept: bool


class Run(NamedTuple):
    """Fixed fields in a row."""

    size: int
    dtype: np.dtype[Any]
    slots: tuple[Slot, ...]


class Part(NamedTuple):
    """Bytes whose number is computed.

    Attributes:
        path: The column.
        size: Bytes, divided by `unit`; None for all that is left.
        unit: Bytes that each one counted takes.
        even: Whether an odd number of bytes cannot be read.
        aligned: The mark that a boundary is counted from, the boundary, and whether the end may come first.
        terminated: Whether a WCHAR of zero ends it, which is not part of the value.
    """

    path: str
    size: Formula | None
    unit: int = 1
    even: bool = False
    aligned: tuple[str, int, bool] | None = None
    terminated: bool = False


class Parts(NamedTuple):
    """Parts in a row."""

    parts: tuple[Part, ...]


class Present(NamedTuple):
    """A structure begins here, in each of the rows."""

    path: str


class Mark(NamedTuple):
    """Boundaries are counted from here."""

    path: str


class Bound(NamedTuple):
    """The structure ends where a field says; what lies outside may be within if nothing follows."""

    size: Formula
    multiple: int
    outside: tuple[tuple[Formula, int], ...]


class Close(NamedTuple):
    """The structure has to end here."""


class Apart(NamedTuple):
    """A structure whose bytes are counted in its head, for the decoder of records.

    Attributes:
        path: The column.
        structure: Its name.
        head: Its first fields.
        size: The field of the head that counts its bytes.
        multiple: What that is rounded up to.
    """

    path: str
    structure: str
    head: Run
    size: str
    multiple: int


class Undecided(NamedTuple):
    """These rows are not for arrays."""


class Option(NamedTuple):
    """Steps for the rows in which the test is not zero; `exports` are words that are zero in the others."""

    test: Formula
    steps: tuple[Step, ...]
    exports: tuple[str, ...]


class Select(NamedTuple):
    """Steps by the value of a selector; rows with another value are refused."""

    selector: Formula
    forms: tuple[tuple[tuple[int, ...], tuple[Step, ...]], ...]


Step = Run | Parts | Present | Mark | Bound | Close | Apart | Undecided | Option | Select
Plan = tuple[Step, ...]


class _Scope:
    """The names that an expression inside a structure can see."""

    def __init__(self, structure: layout.Structure, path: str, parent: _Scope | None) -> None:
        self.structure = structure
        self.path = path
        self.parent = parent
        self.inner: dict[str, _Scope] = {}
        self.known: set[str] = set()

    def at(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def find(self, path: str) -> tuple[str, layout.Group | None]:
        """Path of the field that a name means, seen from here, and the group of it."""
        head, _, rest = path.partition(".")
        scope: _Scope | None = self
        while scope is not None:
            if rest and head in scope.inner:
                return scope.inner[head].find(rest)
            if head in scope.known:
                kind = scope.structure.by_name[head].kind
                return scope.at(head), kind.group(rest) if isinstance(kind, layout.Flags) and rest else None
            scope = scope.parent
        raise KeyError(path)

    def origin(self, name: str) -> _Scope:
        scope: _Scope = self
        while scope.structure.name != name and scope.parent is not None:
            scope = scope.parent
        return scope


class _Planner:
    """Turns one layout into steps."""

    def __init__(self, structure: layout.Structure) -> None:
        self.asked: set[str] = set()
        self.fields: list[tuple[str, str, int]] = []
        self.parts: list[Part] = []
        self.waiting: tuple[_Scope, layout.Extent] | None = None
        self.steps: list[Step] = []
        self.structure(_Scope(structure, "", None))
        self.flush()
        self.plan = tuple(self.kept(self.steps))

    # -- what has gathered

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
                Slot(path, name, place, kept=False)
                for name, place, (path, _, _) in zip(names, offsets[:-1], self.fields, strict=True)
            )
            self.fields = []
            self.steps.append(Run(offsets[-1], dtype, slots))
            self.bound()
        if self.parts:
            self.steps.append(Parts(tuple(self.parts)))
            self.parts = []

    def bound(self) -> None:
        """Narrow the end once the field that says it has been read."""
        if self.waiting is None:
            return
        scope, extent = self.waiting
        try:
            size = self.formula(scope, extent.path)
        except KeyError:
            return
        self.waiting = None
        outside = [
            (self.formula(scope, field.present), structures()[field.name].fixed_size)
            for field in scope.structure.fields
            if field.outside and field.present
        ]
        rooms = tuple((test, room) for test, room in outside if room is not None)
        self.steps.append(Bound(size, extent.multiple, rooms))

    def kept(self, steps: list[Step] | tuple[Step, ...]) -> list[Step]:
        """The same steps, now that it is known which values formulas ask for."""
        made: list[Step] = []
        for step in steps:
            match step:
                case Run():
                    slots = tuple(slot._replace(kept=slot.path in self.asked) for slot in step.slots)
                    made.append(step._replace(slots=slots))
                case Option():
                    words = tuple(path for path in step.exports if path in self.asked)
                    made.append(step._replace(steps=tuple(self.kept(step.steps)), exports=words))
                case Select():
                    forms = tuple((values, tuple(self.kept(inner))) for values, inner in step.forms)
                    made.append(step._replace(forms=forms))
                case _:
                    made.append(step)
        return made

    def formula(self, scope: _Scope, source: str) -> Formula:
        names = {}
        for name in expression.names(source):
            if name != "remaining":
                names[name] = scope.find(name)
                self.asked.add(names[name][0])
        return Formula(expression.evaluator(source), names)

    def inner(self, build: Callable[[], None]) -> tuple[Step, ...]:
        """The steps that a function adds, apart from the others."""
        outer, self.steps = self.steps, []
        build()
        self.flush()
        made, self.steps = self.steps, outer
        return tuple(made)

    # -- structures and fields

    def structure(self, scope: _Scope) -> None:
        structure = scope.structure
        if structure.extent:
            if scope.parent is not None:
                self.flush()
                self.steps.append(_apart(scope.path, structure, structure.extent))
                return
            self.waiting = (scope, structure.extent)
        paddings = [field.kind for field in structure.fields if isinstance(field.kind, layout.Padding)]
        if any(padding.alignment.origin == structure.name for padding in paddings):
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
        test = self.formula(scope, field.present)
        steps = self.inner(lambda: self.value(scope, field))
        words: tuple[str, ...] = ()
        if field.name in scope.inner:
            nested = scope.inner[field.name]
            kinds = nested.structure.fields
            words = tuple(nested.at(item.name) for item in kinds if isinstance(item.kind, layout.Flags))
        self.steps.append(Option(test, steps, words))

    def value(self, scope: _Scope, field: layout.Field) -> None:
        path, kind = scope.at(field.name), field.kind
        match kind:
            case layout.Integer() | layout.Flags():
                self.fixed(path, f"<{'i' if kind.format.islower() else 'u'}{kind.size}", kind.size)
                scope.known.add(field.name)
                if field.known:
                    self.undecided()
            case layout.Guid() | layout.Sequence():
                self.fixed(path, f"V{kind.size}", kind.size)
            case layout.Bytes(count=int(count)):
                self.fixed(path, f"V{count}", count)
            case layout.Bytes(count=str(count)):
                self.part(Part(path, None if count == layout.EOF else self.formula(scope, count)))
            case layout.Text(count=layout.NUL) if not field.offset_in:
                self.part(Part(path, None, terminated=True))
            case layout.Text(count=count) if count not in {layout.NUL, layout.EOF}:
                turned = expression.quotient(count)
                if turned and turned[1] == 2:
                    self.part(Part(path, self.formula(scope, turned[0]), even=True))
                else:
                    self.part(Part(path, self.formula(scope, count), unit=2))
            case layout.Padding(alignment=rule) if not rule.selector:
                mark = scope.origin(rule.origin).path
                self.part(Part(path, None, aligned=(mark, rule.boundary, rule.cut_short)))
            case layout.Nested():
                self.nested(scope, field, kind.structure)
            case layout.Choice():
                self.choice(scope, field, kind)
            case _:
                self.undecided()

    def undecided(self) -> None:
        self.flush()
        self.steps.append(Undecided())

    def fixed(self, path: str, code: str, size: int) -> None:
        if self.parts:
            self.flush()
        self.fields.append((path, code, size))

    def part(self, part: Part) -> None:
        if self.fields:
            self.flush()
        self.parts.append(part)

    def nested(self, scope: _Scope, field: layout.Field, structure: layout.Structure) -> None:
        path = scope.at(field.name)
        inner = scope.inner[field.name] = _Scope(structure, path, scope)
        self.steps.append(Present(path))
        self.structure(inner)

    def choice(self, scope: _Scope, field: layout.Field, kind: layout.Choice) -> None:
        self.flush()
        path = scope.at(field.name)
        selector = self.formula(scope, kind.selector)
        by_form: dict[str, tuple[layout.Structure | None, list[int]]] = {}
        for value, form in kind.forms.items():
            by_form.setdefault(form.name if form else "", (form, []))[1].append(value)
        forms = []
        for form, values in by_form.values():
            steps: tuple[Step, ...] = ()
            if form is not None:
                inner = _Scope(form, path, scope)
                steps = (Present(path), *self.inner(lambda inner=inner: self.structure(inner)))  # type: ignore[misc]
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
    """The steps for a structure."""
    return _Planner(structures()[name]).plan


@cache
def head_of(name: str, fields: tuple[str, ...]) -> Run:
    """The first fields of a structure, which have a fixed size, as one run.

    The slots have the paths of the fields, and of their groups.
    """
    known = structures()[name]
    head = layout.Structure(name, known.section, tuple(known.by_name[field] for field in fields))
    runs = [step for step in _Planner(head).plan if isinstance(step, Run)]
    assert len(runs) == 1  # noqa: S101  # a head is fixed
    return runs[0]


def group_of(name: str, path: str) -> tuple[str, layout.Group | None]:
    """The path of the field that a dotted path of a structure means, and the group of it."""
    structure, parts = structures()[name], path.split(".")
    for index, part in enumerate(parts):
        kind = structure.by_name[part].kind
        if isinstance(kind, layout.Flags) and index + 1 < len(parts):
            return ".".join(parts[: index + 1]), kind.group(parts[index + 1])
        if isinstance(kind, layout.Nested):
            structure = kind.structure
    return path, None
