"""Building records: what the caller leaves out is worked out here, what he gives is kept.

1. A length or count that is left out follows from its array, a selector or presence flag from its part, a
   padding from its boundary, a size from what it bounds.
2. What only an enclosing record can know stays marked as left out until that record is built.
3. Replacing works like building: what depends on other fields counts as left out, the rest as given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _expression as expression
from . import _relations as relations
from ._accept import Acceptor, refuse, units
from ._layout import (
    EOF,
    NUL,
    Bytes,
    Choice,
    Field,
    Flags,
    Guid,
    Integer,
    Items,
    Nested,
    Numbers,
    Padding,
    Sequence,
    Structure,
    Text,
    Values,
)
from ._left_out import LeftOut, LeftOutBytes, changed, fill, loosened, with_group
from ._plan import Plan, awaited, plan_of, structure_of, unwrap

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["build", "rebuild"]


class _Builder(Acceptor):
    """Builds one record; lives for one call."""

    def build(self) -> Any:
        for field in self.structure.fields:
            self.values[field.name] = self.accept(field, self.given.get(field.name))
        self.count()
        self.choose_alternatives()
        self.default()
        self.select()
        self.complete()
        self.mark_presence()
        self.align()
        self.pad()
        self.adjust_parts()
        self.measure()
        return self.cls.raw(*(self.values[field.name] for field in self.structure.fields))

    # -- what is left out

    def count(self) -> None:
        for name, source in self.plan.counts.items():
            if not self.is_left_out(name):
                continue
            owner = self.values[source.part] if source.part else self.values
            array = None
            if owner is not None:
                array = getattr(owner, source.field.name, None) if source.part else owner[source.field.name]
                if array is None and source.part:
                    continue  # this form has no such array; the default says what then holds
            size = 0 if array is None else units(array) * source.per_unit
            kind = self.structure.by_name[name].kind
            assert isinstance(kind, Integer)  # noqa: S101  # counts are numbers
            if size > kind.bounds[1]:
                path = f"{source.part}.{source.field.name}" if source.part else source.field.name
                most = kind.bounds[1] // source.per_unit
                what = {Text: "WCHARs", Bytes: "bytes"}.get(type(source.field.kind), "elements")
                problem = f"has {size // source.per_unit} {what}, {name} can say at most {most}"
                refuse(self.structure, path, problem, most, size // source.per_unit)
            self.values[name] = size

    def choose_alternatives(self) -> None:
        """Numbers that follow from which optional texts and GUIDs are there."""
        for name, fields in self.plan.alternatives.items():
            if not self.is_left_out(name):
                continue
            there = [value for value, field in fields.items() if self.values[field] is not None]
            if len(there) != 1:
                names = " and ".join(fields.values())
                problem = "both are given" if there else "one is needed"
                refuse(self.structure, fields[0], f"of {names} {problem}", "exactly one", len(there))
            self.values[name] = there[0]
        for field in self.structure.fields:
            if field.offset_in and self.is_left_out(field.offset_in[0]):
                source, origin = field.offset_in
                there_units = units(self.values[origin]) + 1
                self.values[source] = 0 if self.values[field.name] is None else there_units
            elif isinstance(field.kind, Text) and field.present in self.plan.counts:
                self.accompany(field)

    def accompany(self, field: Field) -> None:
        """A text that is there exactly when its neighbour array has elements."""
        count = self.values[str(field.present)]
        if count and self.values[field.name] is None:
            self.values[field.name] = ""
        elif not count and self.values[field.name] is not None and self.is_left_out(str(field.present)):
            refuse(
                self.structure,
                field.name,
                f"must be absent when {field.present} is 0",
                None,
                self.values[field.name],
            )

    def default(self) -> None:
        for field in self.structure.fields:
            path = f"{self.structure.name}.{field.name}"
            if self.values[field.name] is None and isinstance(field.kind, (Integer, Bytes)):
                source = relations.COMPUTED.get(path, relations.DEFAULTS.get(path))
                if isinstance(field.kind, Integer):
                    number = source(self.values) if callable(source) else source or 0
                    self.values[field.name] = LeftOut(number) if path in awaited() else number
                elif source is not None:
                    self.values[field.name] = source(self.values) if callable(source) else source
            elif isinstance(field.kind, Flags):
                self.default_groups(field, path)
            elif self.is_left_out(field.name) and callable(relations.DEFAULTS.get(path)):
                self.values[field.name] = relations.DEFAULTS[path](self.values)

    def default_groups(self, field: Field, path: str) -> None:
        for group in getattr(field.kind, "groups", ()):
            source = relations.DEFAULTS.get(f"{path}.{group.name}")
            if callable(source):
                self.set_group(field.name, group.name, source(self.values), own=False)

    def set_group(self, word: str, group: str, value: int, *, own: bool) -> None:
        """Set a group of our own flags unless it was given."""
        self.values[word] = with_group(self.values[word], group, value, keep=own)

    def select(self) -> None:
        for name, (selector, kind) in self.plan.selectors.items():
            value = self.values[name]
            form = None if value is None else type(value).__name__
            fitting = [number for number, known in kind.forms.items() if (known and known.name) == form]
            if not fitting:
                refuse(self.structure, name, "is missing", "one of its forms", None)
            word, _, group = selector.partition(".")
            if group:
                present = getattr(self.values[word], group)
                if present not in fitting:
                    self.set_group(word, group, self.chosen.get(name, fitting[0]), own=True)
            elif self.is_left_out(word):
                self.values[word] = fitting[0]

    def complete(self) -> None:
        """Parts that others cannot do without: the header that announces them, or their twin."""
        for owner, groups in self.plan.presence.items():
            part, _, word = owner.rpartition(".")
            for group, names in groups.items():
                if not any(self.values[name] is not None for name in names):
                    continue
                if part and self.values[part] is None:
                    self.values[part] = self.cls.class_of(structure_of(self.structure, part).name)()
                flags = getattr(self.values[part], word) if part else self.values[word]
                open_group = type(flags) is flags.partial and not flags.given & flags.kind.group(group).mask
                for name in names:
                    if self.values[name] is None and open_group and part:
                        self.values[name] = self.cls.class_of(structure_of(self.structure, name).name)()

    def mark_presence(self) -> None:
        for owner, groups in self.plan.presence.items():
            if "." in owner:
                continue
            for group, names in groups.items():
                there = any(self.values[name] is not None for name in names)
                means_there = unwrap(str(self.structure.by_name[names[0]].present))
                assert means_there  # noqa: S101  # the plan was made from these
                if (getattr(self.values[owner], group) == means_there[1]) != there:
                    self.set_group(owner, group, means_there[1] if there else 0, own=True)
                else:
                    self.set_group(owner, group, getattr(self.values[owner], group), own=True)

    def align(self) -> None:
        for field in self.structure.fields:
            if isinstance(field.kind, Items):
                self.values[field.name] = self.align_items(field)

    def pad(self) -> None:
        """Fill in paddings, in page order, so that each finds the sizes before it."""
        for field in self.structure.fields:
            if self.values[field.name] is not None:
                continue
            if isinstance(field.kind, Padding):
                rule = field.kind.alignment
                here = self.size_before(field.name)
                boundary = rule.boundary
                if rule.selector:
                    boundary = dict(rule.boundaries).get(self.values[rule.selector], boundary)
                zeros = bytes(-here % boundary)
                self.values[field.name] = zeros if rule.origin == self.structure.name else LeftOutBytes(zeros)
            elif isinstance(field.kind, Bytes):
                if field.kind.count == EOF:
                    self.values[field.name] = bytes(-self.size_before(field.name) & 3)
                else:
                    self.values[field.name] = bytes(self.evaluate(str(field.kind.count)))

    def evaluate(self, source: str) -> int:
        """A count expression over the arrays' true sizes, even where a count was given otherwise."""
        sizes: dict[str, int] = {}
        for field in self.structure.fields:
            count = getattr(field.kind, "count", None)
            turned = expression.quotient(count) if isinstance(count, str) else None
            if turned and self.values[field.name] is not None:
                sizes[turned[0]] = units(self.values[field.name]) * turned[1]
        return int(expression.evaluator(source)(lambda name: sizes.get(name, self.values.get(name, 0))))

    def size_before(self, name: str | None) -> int:
        total = 0
        for field in self.structure.fields:
            if field.name == name or field.outside:
                break
            total += self.size(field)
        return total

    def size(self, field: Field) -> int:
        value = self.values[field.name]
        if value is None:
            kind = field.kind
            return kind.size if isinstance(kind, (Integer, Flags)) else 0
        match field.kind:
            case Integer() | Flags() | Guid() | Sequence():
                return field.kind.size
            case Numbers():
                return len(value) * field.kind.size
            case Values():
                return sum(len(item.encode()) for item in value)
            case Text(count=count):
                return units(value) * 2 + (2 if count == NUL else 0)
            case Nested() | Choice():
                return self.part_size(value)
            case Items():
                return sum(self.part_size(item) for item in value)
        return len(value)

    # -- what parts left to us

    def adjust_parts(self) -> None:
        fixed = relations.FIXED.get(self.structure.name, {})
        changes: dict[str, dict[str, Any]] = {}
        for path, source in fixed.items():
            part, _, name = path.partition(".")
            changes.setdefault(part, {})[name] = source(self.values) if callable(source) else source
        for owner, groups in self.plan.presence.items():
            part, _, word = owner.rpartition(".")
            if part:
                for group, names in groups.items():
                    there = int(any(self.values[name] is not None for name in names))
                    changes.setdefault(part, {})[f"{word}.{group}"] = there
        for owner, count, array in self.plan.part_counts:
            changes.setdefault(owner, {})[count] = len(self.values[array])
        for path, parts in relations.REMAINDERS.items():
            part, _, number = path.partition(".")
            if self.values.get(part) is not None:
                total = sum(self.size(self.structure.by_name[name]) for name in parts)
                changes.setdefault(part, {})[number] = total
        for field in self.structure.fields:
            if isinstance(field.kind, Nested) and self.values[field.name] is not None:
                part = self.values[field.name]
                self.values[field.name] = fill(part, changes.get(field.name, {}))

    def align_items(self, field: Field) -> tuple[Any, ...]:
        """Items whose padding depends on where in this structure they stand."""
        items: tuple[Any, ...] = self.values[field.name]
        kind = field.kind
        assert isinstance(kind, Items)  # noqa: S101  # the caller chose by this type
        paddings = [
            inner
            for inner in kind.structure.fields
            if isinstance(inner.kind, Padding) and inner.kind.alignment.origin == self.structure.name
        ]
        if not paddings:
            return items
        at = self.size_before(field.name)
        made = []
        for item in items:
            record = item
            for inner in paddings:
                old = getattr(record, inner.name)
                if type(old) is LeftOutBytes:
                    start = at + _size_of_fields_before(record, inner.name)
                    assert isinstance(inner.kind, Padding)  # noqa: S101  # chosen by this type
                    rule = inner.kind.alignment
                    boundary = dict(rule.boundaries).get(getattr(record, rule.selector), rule.boundary)
                    record = changed(record, {inner.name: bytes(-start % boundary)})
            at += self.part_size(record)
            made.append(record)
        return tuple(made)

    def measure(self) -> None:
        """Fill in the size of this structure where it was left out."""
        extent = self.structure.extent
        if extent is None:
            return
        part, _, name = extent.path.rpartition(".")
        if part:
            if type(getattr(self.values[part], name)) is LeftOut:
                size = self.size_before(None)
                self.values[part] = changed(self.values[part], {name: size})
        elif self.is_left_out(name):
            for field in self.structure.fields:
                if isinstance(field.kind, Bytes) and field.kind.count == EOF and self.is_left_out(field.name):
                    self.values[field.name] = bytes(-self.size_before(field.name) & 3)
            self.values[name] = self.size_before(None)


def _size_of_fields_before(record: Any, name: str) -> int:
    total = 0
    for field in record.layout.fields:
        if field.name == name:
            break
        total += getattr(field.kind, "size", 0)
    return total


def build(
    cls: Any,
    args: tuple[Any, ...],
    given: dict[str, Any],
    encoder: Callable[[str], Any],
    named: frozenset[str] | None = None,
) -> Any:
    """Make a record of a class from what the caller gave.

    Args:
        cls: The record class.
        args: Values by position.
        given: Values by name.
        encoder: Gives the encoder of a structure by its name.
        named: The fields that the caller named, if not all that are given.

    Raises:
        EncodeError: A field does not exist, is given twice, or holds what cannot be written.
    """
    structure: Structure = cls.layout
    if len(args) > len(structure.fields):
        refuse(structure, "", f"has {len(structure.fields)} fields, {len(args)} were given", None, args)
    for field, value in zip(structure.fields, args, strict=False):
        if field.name in given:
            refuse(structure, field.name, "is given twice", None, value)
        given[field.name] = value
    for name, value in given.items():
        if name not in structure.by_name:
            known = ", ".join(field.name for field in structure.fields)
            refuse(structure, name, "no such field", known, value)
    return _Builder(cls, given, frozenset(given) if named is None else named, encoder).build()


def rebuild(record: Any, changes: dict[str, Any], encoder: Callable[[str], Any]) -> Any:
    """Make a record like another with some fields changed and what depends on them computed anew."""
    cls = type(record)
    structure: Structure = cls.layout
    plan = plan_of(structure)
    given: dict[str, Any] = {}
    for field in structure.fields:
        if field.name in changes:
            continue
        value = getattr(record, field.name)
        given[field.name] = _relaxed(plan, structure, field, value)
    selectors = {selector for selector, _ in plan.selectors.values()}
    offsets = [field.offset_in[0] for field in structure.fields if field.offset_in]
    for name in [*plan.counts, *selectors, *plan.alternatives, *offsets]:
        given.pop(name, None)
    if structure.extent and "." not in structure.extent.path:
        given.pop(structure.extent.path, None)
    made = build(cls, (), {**given, **changes}, encoder, frozenset(changes))
    return _keep_paddings(record, made, changes)


def _relaxed(plan: Plan, structure: Structure, field: Field, value: Any) -> Any:
    """A value of the old record with all that will be computed anew marked as left out."""
    path = f"{structure.name}.{field.name}"
    if path in relations.COMPUTED or value is None:
        return None
    if isinstance(field.kind, Padding) or (field.is_filler and isinstance(field.kind, Bytes)):
        return value if isinstance(getattr(field.kind, "count", None), int) else None
    if isinstance(field.kind, Flags):
        loose = plan.derived_groups.get(field.name, 0)
        return loosened(value, loose)
    if isinstance(field.kind, Nested):
        changes: dict[str, Any] = {}
        if field.name in plan.part_groups:
            changes["Flags"] = loosened(value.Flags, plan.part_groups[field.name])
        for name in plan.part_numbers.get(field.name, ()):
            changes[name] = LeftOut(getattr(value, name))
        return changed(value, changes) if changes else value
    return value


def _keep_paddings(old: Any, new: Any, changes: dict[str, Any]) -> Any:
    """Paddings that still have their size keep their bytes: a change touches no more than it must."""
    kept = {}
    for field in old.layout.fields:
        before, after = getattr(old, field.name), getattr(new, field.name)
        if (
            field.is_filler
            and field.name not in changes
            and isinstance(before, bytes)
            and before != after
            and len(before) == len(after)
        ):
            kept[field.name] = before
    return changed(new, kept) if kept else new
