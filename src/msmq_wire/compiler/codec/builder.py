"""Generates the source of a builder from a layout.

A builder computes omitted values and keeps given ones.  The generated function works in this order:

1. take every value, in page order (`taker`);
2. count arrays and choose alternatives, for the numbers that were omitted;
3. set defaults and selectors, settle the flags words (`word_builder`), and insert paddings;
4. fill in the fields that the parts could not compute, and set the size.

A value that only an enclosing record can compute stays marked as omitted until that record is built.
"""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any, cast

from msmq_wire.compiler.kinds import sources, units
from msmq_wire.definitions import relations
from msmq_wire.records.model import (
    EOF,
    Bytes,
    Field,
    Fill,
    Integer,
    Structure,
    Text,
    count_of,
)
from msmq_wire.records.omitted import Omitted
from msmq_wire.records.plan import awaited, structure_of
from msmq_wire.records.replacing import (
    accompany,
    align_items,
    alternative,
    refuse_arguments,
    refuse_missing,
    refuse_size,
)

from .scope import fill_source, filled_source
from .sizes import Sizes
from .taker import Taker
from .word_builder import Words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from msmq_wire.records.model import Group
    from msmq_wire.records.plan import CountedArray

    from .draft import Draft

_PADDINGS = tuple(map(bytes, range(4)))


class Builder:
    """Emit the body of ``build(*args, FieldName=None, ..., **unknown)``.

    Attributes:
        draft: Where the source is collected.
        taker: Takes the given values.
        words: Settles flags words.
        sizes: Computes sizes.
        counted: The fields that count in the size of the record.
        parameters: The parameters of the function.
    """

    def __init__(
        self, draft: Draft, sizes: Sizes | None = None, counted: Collection[str] | None = None
    ) -> None:
        self.draft = draft
        self.taker = Taker(draft)
        self.words = Words(draft)
        self.sizes = Sizes(draft) if sizes is None else sizes
        self.counted = draft.structure.by_name if counted is None else counted
        self.parameters = f"{', '.join(f'{name}: Any = None' for name in draft.structure.by_name)}, *more: Any, **unknown: Any"

    def body(self) -> None:
        """Emit the whole body."""
        structure = self.draft.structure
        self.draft.emit("if more or unknown:")
        self.draft.emit(f"    {self.draft.checker(refuse_arguments)}(more, unknown)")
        self.taker.take(structure.fields)
        self.count_arrays()
        self.choose_alternatives()
        for field in structure.fields:
            self.default(field)
        self.select()
        self.complete()
        self.words.settle_words()
        for field in structure.fields:
            self.align(field)
        for field in structure.fields:
            self.pad(field)
        for field in structure.fields:
            if field.part:
                self.fill(field, field.part)
        self.measure()
        self.draft.emit(f"record: {structure.name} = {self.creation(structure.by_name)}")
        self.draft.emit("return record")

    def creation(self, values: Iterable[str]) -> str:
        """Return source that creates the record from these values."""
        maker, shown = (
            self.draft.constant(f"new_{self.draft.structure.name}", self.draft.cls.raw),
            list(values),
        )
        return f"{maker}(*({', '.join(shown)}{',' if len(shown) == 1 else ''}))"

    # -- omitted values

    def count_arrays(self) -> None:
        for name, source in self.draft.plan.counts.items():
            array = source.field.name
            path = f"{source.part}.{array}" if source.part else array
            most, refuse = self.most(name)
            elements = units(source.field.kind, path)
            if not source.part and not source.field.present:
                # Paddings depend on the actual size, even if the caller gave another number.
                self.draft.emit(f"_true_{name} = {elements}")
                elements = f"_true_{name}"
            self.draft.emit(f"if {name} is None:")
            self.draft.indent += 1
            absent = source.part or (array if source.field.present else "")
            maybe = self.is_in_form(source)
            if maybe:
                elements = units(source.field.kind, "_array")
                self.draft.emit(f'_array = getattr({source.part}, "{array}", None)')
                # If the chosen form has no such array, the number gets its default.
                self.draft.emit("if _array is not None:")
                self.draft.indent += 1
            elif absent:
                elements = f"0 if {absent} is None else {elements}"
            self.draft.emit(f"{name} = {elements}")
            self.draft.emit(f"if {name} > {most}: {refuse}({name})")
            if source.per_unit > 1:
                self.draft.emit(f"{name} *= {source.per_unit}")
            self.draft.indent -= 2 if maybe else 1

    def most(self, name: str) -> tuple[int, str]:
        """Return the largest count that fits, and the name of the function that rejects a larger one."""
        source, kind = self.draft.plan.counts[name], self.draft.structure.by_name[name].kind_as(Integer)
        most = kind.bounds[1] // source.per_unit
        path = f"{source.part}.{source.field.name}" if source.part else source.field.name
        what = sources(source.field.kind).elements
        return most, self.draft.checker(refuse_size, path, name, what, most)

    def is_in_form(self, source: CountedArray) -> bool:
        """Return whether a counted array is in a part that has several forms, so that it may be missing."""
        return bool(source.part) and self.draft.structure.by_name[source.part].part is None

    def choose_alternatives(self) -> None:
        """Emit the numbers that depend on which optional texts and GUIDs are present."""
        for name, fields in self.draft.plan.alternatives.items():
            choose = self.draft.checker(alternative, fields)
            self.draft.emit(f"if {name} is None: {name} = {choose}(({', '.join(fields.values())},))")
        for field in self.draft.structure.fields:
            if field.offset_in:
                source, origin = field.offset_in
                behind = units(self.draft.structure.by_name[origin].kind, origin)
                self.draft.emit(
                    f"if {source} is None: {source} = 0 if {field.name} is None else {behind} + 1"
                )
            elif field.name in self.draft.plan.companions:
                check, number = self.draft.checker(accompany, field), self.draft.plan.companions[field.name]
                self.draft.emit(f"{field.name} = {check}({field.name}, {number}, _out_{number})")

    def default(self, field: Field) -> None:
        path, name = self.draft.path(field), field.name
        source = relations.COMPUTED.get(path, relations.DEFAULTS.get(path))
        if isinstance(field.kind, Integer):
            count = self.draft.plan.counts.get(name)
            if (
                self.taker.empty(field) is not None
                or name in self.taker.set_last()
                or name in self.taker.chosen()
            ):
                return  # it already has its value, or gets it in a later step
            if count and not self.is_in_form(count):
                return  # `count_arrays` has set it
            value = self.draft.call(source) if isinstance(source, str) else str(source or 0)
            if path in awaited():
                value = (
                    f"Omitted({value})"
                    if isinstance(source, str)
                    else self.draft.constant(f"LEFT_OUT_{source or 0}", Omitted(source or 0))
                )
            self.draft.emit(f"if {name} is None: {name} = {value}")
        elif isinstance(source, str):
            self.draft.emit(f"if {name} is None: {name} = {self.draft.call(source)}")

    def select(self) -> None:
        """Emit the numbers that select forms; selectors in flags words are set with their words."""
        for name, (selector, kind) in self.draft.plan.selectors.items():
            if "." in selector:
                continue
            self.draft.emit(
                f"_numbers = {self.draft.constant(f'numbers_{self.draft.structure.name}_{name}', self.words.numbers_by_class(kind))}.get({name}.__class__)"
            )
            self.draft.emit(f"if _numbers is None: {self.draft.checker(refuse_missing, name)}()")
            self.draft.emit(f"if {selector} is None: {selector} = _numbers[0]")

    def complete(self) -> None:
        """Emit required parts: a header that announces others, and all parts that one flag announces."""
        for owner, groups in self.draft.plan.presence.items():
            part, _, word = owner.rpartition(".")
            if not part:
                continue
            cls = self.draft.compiler.classes[structure_of(self.draft.structure, part).name]
            optional = self.draft.structure.by_name[part].present
            for group, names in groups.items():
                if not optional and len(names) == 1:
                    continue
                self.draft.emit(f"if {' or '.join(f'{name} is not None' for name in names)}:")
                self.draft.indent += 1
                if optional:
                    self.draft.emit(
                        f"if {part} is None: {part} = {self.draft.constant(f'class_{cls}', cls)}()"
                    )
                open_ = self.draft.constant(f"partial_{cls.flags[word]}", cls.flags[word].partial)
                mask = cls.flags[word].kind.group(group).mask
                for name in names if len(names) > 1 else ():
                    twin = self.draft.compiler.classes[structure_of(self.draft.structure, name).name]
                    asked = f"{part}.{word}.__class__ is {open_} and not {part}.{word}.given & {mask:#x}"
                    self.draft.emit(
                        f"if {name} is None and {asked}: {name} = {self.draft.constant(f'class_{twin}', twin)}()"
                    )
                self.draft.indent -= 1

    def align(self, field: Field) -> None:
        if not field.element:
            return
        paddings = [
            inner
            for inner in field.element.fields
            if inner.alignment and inner.alignment.origin == self.draft.structure.name
        ]
        if paddings:
            size = self.draft.compiler.size(field.element.name)
            function = self.draft.constant(
                f"align_{self.draft.structure.name}_{field.name}",
                partial(align_items, paddings, cast("Any", size)),
            )
            self.draft.emit(f"{field.name} = {function}({field.name}, {self.size_before(field.name)})")

    def pad(self, field: Field) -> None:
        """Emit paddings in page order, because each one depends on the sizes before it."""
        name, kind = field.name, field.kind
        if field.alignment:
            rule = field.alignment
            boundary = str(rule.boundary)
            if rule.selector:
                boundary = f"{self.draft.constant(f'boundaries_{self.draft.structure.name}', dict(rule.boundaries))}.get({rule.selector}, {boundary})"
            zeros = f"bytes(-({self.size_before(name)}) % {boundary})"
            is_own_origin = rule.origin == self.draft.structure.name
            if rule.before:  # optional: a decoded one is kept if its size still fits
                self.draft.emit(f"if {name} is None: {name} = b''")
                self.draft.emit(
                    f"elif {name}.__class__ is OmittedBytes: {name} = bytes({name}) if len({name}) == len({zeros}) else b''"
                )
                return
            self.draft.emit(
                f"if {name} is None: {name} = {zeros if is_own_origin else f'OmittedBytes({zeros})'}"
            )
        elif (
            isinstance(kind, Bytes)
            and self.taker.empty(field) is None
            and not isinstance(relations.DEFAULTS.get(self.draft.path(field)), str)
        ):
            self.draft.emit(f"if {name} is None: {name} = {self.filling(field, kind)}")

    def filling(self, field: Field, kind: Bytes) -> str:
        """Return source of the zero bytes of a padding field; the offset before a last padding is kept."""
        if kind.count == EOF:
            self.draft.emit(f"_size = {self.size_before(field.name)}")
            size = "-_size % 4"
        else:
            assert isinstance(kind.count, Fill)  # noqa: S101  # counted fields were given or are empty
            arrays = {
                count.number: inner.kind
                for inner in self.draft.structure.fields
                if (count := count_of(inner.kind))
            }
            if all(isinstance(arrays.get(path), Text) for path, _ in kind.count.sizes):
                size = f"-{filled_source(kind.count, self.true_size)} % {kind.count.boundary}"
            else:  # a mask is a little faster
                size = fill_source(kind.count, self.true_size)
        is_padding = size.endswith(("& 3", "% 4"))
        return f"{self.draft.constant('PADDINGS', _PADDINGS)}[{size}]" if is_padding else f"bytes({size})"

    def true_size(self, name: str) -> str:
        """Return source of the actual size of an array, on which a padding depends."""
        for field in self.draft.structure.fields:
            count = count_of(field.kind)
            if count and count.number == name:
                elements = self.elements(name, field)
                return elements if count.per_unit == 1 else f"({elements} * {count.per_unit})"
        return name

    def elements(self, name: str, field: Field) -> str:
        """Return source of the number of elements of an array with a count field."""
        source = self.draft.plan.counts.get(name)
        counted = source and source.field is field and not field.present
        return f"_true_{name}" if counted else units(field.kind, field.name)

    def size_before(self, name: str | None) -> str:
        """Return source of the size of all fields before a field, or of all fields inside the extent."""
        return self.sizes.total(self.fields_before(name))

    def fields_before(self, name: str | None) -> list[tuple[Field, str]]:
        fields = takewhile(
            lambda field: field.name != name and not field.outside, self.draft.structure.fields
        )
        return [(field, field.name) for field in fields if field.name in self.counted]

    # -- values that parts left open

    def fill(self, field: Field, inner: Structure) -> None:
        """Emit the values that a part could not compute itself; this also settles its flags words."""
        part, cls = field.name, self.draft.compiler.classes[inner.name]
        groups = self.groups_of(part)
        steps: dict[str, tuple[str, list[str]]] = {}
        for word, flags in cls.flags.items():
            if self.draft.is_open(word, inner):
                wanted = [
                    (flags.kind.group(name), source)
                    for (owner, name), source in groups.items()
                    if owner == word
                ]
                open_ = self.draft.constant(f"partial_{flags}", flags.partial)
                steps[word] = (
                    open_,
                    self.open_word(word, self.draft.constant(f"known_{flags}", flags.cache), wanted),
                )
        for number, lines in self.numbers_of(part).items():
            steps[number] = "Omitted", lines
        if not steps:
            return
        there = f"{part} is not None and " if field.present else ""
        tests = " or ".join(f"{part}.{name}.__class__ is {kind}" for name, (kind, _) in steps.items())
        self.draft.emit(f"if {there}({tests}):")
        self.draft.indent += 1
        for name, (kind, lines) in steps.items():
            if kind != "Omitted":
                self.draft.emit(f"_{name} = {part}.{name}")
            elif len(steps) > 1:
                self.draft.emit(f"_{name}: int = {part}.{name}")
            if len(steps) > 1:
                self.draft.emit(f"if _{name}.__class__ is {kind}:")
            for line in lines:
                self.draft.emit(f"    {line}" if len(steps) > 1 else line)
        self.draft.emit(f"{part} = replace({part}, {', '.join(f'{name}=_{name}' for name in steps)})")
        self.draft.indent -= 1

    def open_word(self, word: str, constant: str, wanted: list[tuple[Group, Any]]) -> list[str]:
        """Return statements that settle a part's word; `wanted` are the groups that this record sets."""
        if not wanted:
            return [f"_{word} = {constant}[_{word}]"]
        mask = sum(group.mask for group, _ in wanted)
        bits, lines = self.words.bits(
            "_bits",
            [
                (group, self.words.there(source, group) if isinstance(source, list) else source)
                for group, source in wanted
            ],
        )
        given = [
            f"    _open = {mask:#x} & ~_{word}.given",
            f"    _{word} = {constant}[_{word} & ~_open | _bits & _open]",
        ]
        if len(wanted) == 1:  # the group itself
            given = [f"    _{word} = {constant}[_{word}]"]
        return [
            f"_bits = {bits:#x}",
            *lines,
            f"if _{word}.given & {mask:#x}:",
            *given,
            f"else: _{word} = {constant}[_{word} & {~mask} | _bits]",
        ]

    def groups_of(self, part: str) -> dict[tuple[str, str], Any]:
        """Map each group that the enclosing record sets to a value, or to the parts that it announces."""
        groups: dict[tuple[str, str], Any] = {}
        for path, source in relations.FIXED.get(self.draft.structure.name, {}).items():
            owner, word, *group = path.split(".")
            if owner == part and group:
                groups[word, group[0]] = source
        for owner, presence in self.draft.plan.presence.items():
            head, _, word = owner.rpartition(".")
            for name, names in presence.items() if head == part else ():
                groups.setdefault((word, name), names)
        return groups

    def numbers_of(self, part: str) -> dict[str, list[str]]:
        """Return statements for the numbers of a part that only the enclosing record can compute."""
        numbers: dict[str, list[str]] = {}
        for path, source in relations.FIXED.get(self.draft.structure.name, {}).items():
            owner, name, *group = path.split(".")
            if owner == part and not group:
                numbers[name] = [
                    f"_{name} = {self.draft.call(source) if isinstance(source, str) else source}"
                ]
        for owner, count, array in self.draft.plan.part_counts:
            if owner == part:
                numbers[count] = [f"_{count} = len({array})"]
        for path, parts in relations.REMAINDERS.items():
            owner, _, name = path.partition(".")
            if owner == part:
                numbers[name] = self.sizes.steps(
                    f"_{name}", [(self.draft.structure.by_name[sibling], sibling) for sibling in parts]
                )
        extent = self.draft.structure.extent
        if extent and extent.path.rpartition(".")[0] == part:
            name = extent.path.rpartition(".")[2]
            numbers.setdefault(name, self.sizes.steps(f"_{name}", self.fields_before(None)))
        return numbers

    def measure(self) -> None:
        """Emit the size of this structure if it was omitted."""
        extent = self.draft.structure.extent
        if extent is None or "." in extent.path:
            return
        last = self.draft.structure.fields[-1]
        padded = isinstance(last.kind, Bytes) and last.kind.count == EOF and self.taker.empty(last) is None
        size = f"_size + len({last.name})" if padded else self.size_before(None)
        self.draft.emit(f"if {extent.path} is None: {extent.path} = {size}")
