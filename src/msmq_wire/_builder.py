"""Generates the source of a builder from a layout.

What the caller leaves out is worked out, what he gives is kept.  The function does, in this order:

1. take every value, in page order (`_taker`);
2. count arrays and choose alternatives, for the numbers that were left out;
3. put in defaults, selectors, presence flags and paddings;
4. fill in what parts left to the whole, and measure.

What only an enclosing record can know stays marked as left out until that record is built.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from . import _accept as accept
from . import _expression as expression
from . import _relations as relations
from ._build import accompany, align_items, alternative, bind, refuse_missing, refuse_size
from ._layout import (
    EOF,
    Bytes,
    Choice,
    Field,
    Flags,
    Integer,
    Items,
    Nested,
    Padding,
    Structure,
    Text,
)
from ._left_out import LeftOut
from ._plan import awaited, structure_of, unwrap
from ._sizes import Sizes, units
from ._taker import TakeEmitter

if TYPE_CHECKING:
    from ._codegen import Compiler

__all__ = ["BuildEmitter"]

_PADDINGS = tuple(map(bytes, range(4)))


class BuildEmitter(TakeEmitter):
    """The body of ``build(*args, FieldName=None, ..., **unknown)``."""

    def __init__(self, compiler: Compiler, structure: Structure) -> None:
        super().__init__(compiler, structure)
        self.sizes = Sizes(compiler, self)
        self.parameters = f"*args, {', '.join(f'{name}=None' for name in structure.by_name)}, **unknown"
        given = ", ".join(f"{name!r}: {name}" for name in structure.by_name)
        bound = self.constant("bind", partial(bind, self.cls))
        self.emit("if args or unknown:")
        self.emit(f"    return {bound}(args, {{{given}}}, unknown)")
        self.take()
        self.count_arrays()
        self.choose_alternatives()
        for field in structure.fields:
            self.default(field)
        self.select()
        self.complete()
        self.mark_presence()
        self.settle_flags()
        for field in structure.fields:
            self.align(field)
        for field in structure.fields:
            self.pad(field)
        for field in structure.fields:
            if isinstance(field.kind, Nested):
                self.fill(field, field.kind.structure)
        self.measure()
        maker = self.constant("make", self.cls.raw)
        self.emit(f"return {maker}(*({', '.join(structure.by_name)},))")

    # -- what is left out

    def count_arrays(self) -> None:
        for name, source in self.plan.counts.items():
            array, kind = source.field.name, self.structure.by_name[name].kind
            assert isinstance(kind, Integer)  # noqa: S101  # counts are numbers
            most = kind.bounds[1]
            path = f"{source.part}.{array}" if source.part else array
            what = {Text: "WCHARs", Bytes: "bytes"}.get(type(source.field.kind), "elements")
            refuse = self.checker(refuse_size, path, name, what, most // source.per_unit)
            self.emit(f"if {name} is None:")
            self.indent += 1
            value, absent = array, array if source.field.present else ""
            maybe = source.part and isinstance(self.structure.by_name[source.part].kind, Choice)
            if maybe:
                value = absent = "_array"
                self.emit(f'_array = getattr({source.part}, "{array}", None)')
                # A form without such an array leaves the number to its default.
                self.emit(f"if _array is not None or {source.part} is None:")
                self.indent += 1
            elif source.part:
                value, absent = path, source.part
            elements = units(source.field.kind, value)
            if absent:
                elements = f"0 if {absent} is None else {elements}"
            self.emit(f"{name} = {elements}")
            self.emit(f"if {name} > {most // source.per_unit}: {refuse}({name})")
            if source.per_unit > 1:
                self.emit(f"{name} *= {source.per_unit}")
            self.indent -= 2 if maybe else 1

    def choose_alternatives(self) -> None:
        """Numbers that follow from which optional texts and GUIDs are there."""
        for name, fields in self.plan.alternatives.items():
            choose = self.checker(alternative, fields)
            self.emit(f"if {name} is None: {name} = {choose}(({', '.join(fields.values())},))")
        for field in self.structure.fields:
            if field.offset_in:
                source, origin = field.offset_in
                behind = units(self.structure.by_name[origin].kind, origin)
                self.emit(f"if {source} is None: {source} = 0 if {field.name} is None else {behind} + 1")
            elif isinstance(field.kind, Text) and field.present in self.plan.counts:
                check = self.checker(accompany, field)
                self.emit(f"{field.name} = {check}({field.name}, {field.present}, _out_{field.present})")

    def default(self, field: Field) -> None:
        path, name, kind = self.path(field), field.name, field.kind
        source = relations.COMPUTED.get(path, relations.DEFAULTS.get(path))
        if isinstance(kind, Integer):
            count = self.plan.counts.get(name)
            if count and not (count.part and isinstance(self.structure.by_name[count.part].kind, Choice)):
                return  # it has been counted
            value = self.call(source) if callable(source) else str(source or 0)
            if path in awaited():
                value = (
                    f"LeftOut({value})"
                    if callable(source)
                    else self.constant("left_out", LeftOut(source or 0))
                )
            self.emit(f"if {name} is None: {name} = {value}")
        elif isinstance(kind, Flags):
            for group in kind.groups:
                source = relations.DEFAULTS.get(f"{path}.{group.name}")
                if callable(source):
                    self.emit(f"if not _given_{name} & {group.mask:#x}:")
                    self.emit(f"    {name} = {name} & {~group.mask} | {self.call(source)} << {group.shift}")
        elif callable(source):
            self.emit(f"if {name} is None: {name} = {self.call(source)}")

    def call(self, source: Any) -> str:
        """Source of a call of a function that takes values of the record by the names of their fields."""
        code = source.__code__
        return f"{self.constant('compute', source)}({', '.join(code.co_varnames[: code.co_argcount])})"

    def set_group(self, word: str, mask: int, value: str) -> None:
        """Set a group of our own flags unless it was given; from then on it counts as given."""
        shift = (mask & -mask).bit_length() - 1
        self.emit(f"if not _given_{word} & {mask:#x}:")
        self.emit(f"    {word} = {word} & {~mask} | ({value}) << {shift}")
        self.emit(f"    _given_{word} |= {mask:#x}")

    def select(self) -> None:
        for name, (selector, kind) in self.plan.selectors.items():
            fitting: dict[Any, tuple[int, ...]] = {}
            for number, known in kind.forms.items():
                cls = self.compiler.classes[known.name] if known else type(None)
                fitting[cls] = (*fitting.get(cls, ()), number)
            numbers = self.constant("numbers", fitting)
            word, _, group_name = selector.partition(".")
            if not group_name:
                self.emit(f"_numbers = {numbers}.get({name}.__class__)")
                self.emit(f"if _numbers is None: {self.checker(refuse_missing, name)}()")
                self.emit(f"if _out_{word}: {word} = _numbers[0]")
                continue
            word_kind = self.structure.by_name[word].kind
            assert isinstance(word_kind, Flags)  # noqa: S101  # only flags have groups
            group = word_kind.group(group_name)
            assert 0 in fitting[type(None)]  # noqa: S101  # an absent part asks for nothing
            self.emit(f"if {name} is not None or {word} & {group.mask:#x}:")
            self.indent += 1
            self.emit(f"_numbers = {numbers}[{name}.__class__]")
            chosen = "_numbers[0]"
            if f"{self.structure.name}.{name}" in accept.HOSTS:
                chosen = f"_numbers[0] if _chosen_{name} is None else _chosen_{name}"
            self.emit(f"if {word} >> {group.shift} & {(1 << group.width) - 1} not in _numbers:")
            self.indent += 1
            self.set_group(word, group.mask, chosen)
            self.indent -= 2

    def complete(self) -> None:
        """Parts that others cannot do without: the header that announces them, or their twin."""
        for owner, groups in self.plan.presence.items():
            part, _, word = owner.rpartition(".")
            if not part:
                continue
            cls = self.compiler.classes[structure_of(self.structure, part).name]
            optional = self.structure.by_name[part].present
            for group, names in groups.items():
                if not optional and len(names) == 1:
                    continue
                self.emit(f"if {' or '.join(f'{name} is not None' for name in names)}:")
                self.indent += 1
                if optional:
                    self.emit(f"if {part} is None: {part} = {self.constant('new', cls)}()")
                open_ = self.constant("open_flags", cls.flags[word].partial)
                mask = cls.flags[word].kind.group(group).mask
                for name in names if len(names) > 1 else ():
                    twin = self.compiler.classes[structure_of(self.structure, name).name]
                    asked = f"{part}.{word}.__class__ is {open_} and not {part}.{word}.given & {mask:#x}"
                    self.emit(f"if {name} is None and {asked}: {name} = {self.constant('new', twin)}()")
                self.indent -= 1

    def mark_presence(self) -> None:
        for word, groups in self.plan.presence.items():
            if "." in word:
                continue
            kind = self.structure.by_name[word].kind
            assert isinstance(kind, Flags)  # noqa: S101  # presence is told by flags
            for group_name, names in groups.items():
                group = kind.group(group_name)
                means = unwrap(str(self.structure.by_name[names[0]].present))
                assert means  # noqa: S101  # the plan was made from these
                there = " or ".join(f"{name} is not None" for name in names)
                now = f"{word} >> {group.shift} & {(1 << group.width) - 1}"
                self.set_group(
                    word, group.mask, f"{means[1]} if {there} else 0 if ({now}) == {means[1]} else {now}"
                )

    def settle_flags(self) -> None:
        """Flags words as objects again."""
        for name, cls in self.cls.flags.items():
            if not self.is_open(name):
                continue
            whole, open_ = self.constant("flags", cls), self.constant("open_words", cls.open_words)
            self.emit(f"if {name}.__class__ is not {whole}:")
            self.emit(f"    {name} = {open_}[{name} | _given_{name} << {cls.kind.size * 8}]")

    def align(self, field: Field) -> None:
        kind = field.kind
        if not isinstance(kind, Items):
            return
        paddings = [
            inner
            for inner in kind.structure.fields
            if isinstance(inner.kind, Padding) and inner.kind.alignment.origin == self.structure.name
        ]
        if paddings:
            size = self.compiler.size(kind.structure.name)
            function = self.constant("align", partial(align_items, paddings, size))
            self.emit(f"{field.name} = {function}({field.name}, {self.size_before(field.name)})")

    def pad(self, field: Field) -> None:
        """Paddings, in page order, so that each finds the sizes before it."""
        name, kind = field.name, field.kind
        if isinstance(kind, Padding):
            rule = kind.alignment
            boundary = str(rule.boundary)
            if rule.selector:
                boundary = (
                    f"{self.constant('boundaries', dict(rule.boundaries))}.get({rule.selector}, {boundary})"
                )
            zeros = f"bytes(-({self.size_before(name)}) % {boundary})"
            own = rule.origin == self.structure.name
            self.emit(f"if {name} is None: {name} = {zeros if own else f'LeftOutBytes({zeros})'}")
        elif (
            isinstance(kind, Bytes)
            and self.empty(field) is None
            and not callable(relations.DEFAULTS.get(self.path(field)))
        ):
            if kind.count == EOF:
                size = f"-({self.size_before(name)}) & 3"
            else:
                size = expression.to_python(str(kind.count), self.true_size)
            few = (
                f"{self.constant('paddings', _PADDINGS)}[{size}]"
                if size.endswith("& 3")
                else f"bytes({size})"
            )
            self.emit(f"if {name} is None: {name} = {few}")

    def true_size(self, name: str) -> str:
        """Source of a number that a padding follows: the size of its array, even where another was given."""
        for field in self.structure.fields:
            count = getattr(field.kind, "count", None)
            turned = expression.quotient(count) if isinstance(count, str) else None
            if turned and turned[0] == name:
                elements = units(field.kind, field.name)
                return elements if turned[1] == 1 else f"({elements} * {turned[1]})"
        return name

    def size_before(self, name: str | None) -> str:
        """Source of the size of everything in front of a field, or within the extent."""
        found = []
        for field in self.structure.fields:
            if field.name == name or field.outside:
                break
            found.append((field, field.name))
        return self.sizes.total(found)

    # -- what parts left to us

    def fill(self, field: Field, inner: Structure) -> None:
        """Give a part what it left to the whole; its flags are settled by this."""
        part, cls = field.name, self.compiler.classes[inner.name]
        groups, numbers = self.changes(part)
        tests, lines = [], []
        values = {name: f"{part}.{name}" for name in inner.by_name}
        for word, flags in cls.flags.items():
            if not self.is_open(word, inner):
                continue
            open_ = self.constant("open_flags", flags.partial)
            tests.append(f"{part}.{word}.__class__ is {open_}")
            wanted = {group: value for (owner, group), value in groups.items() if owner == word}
            mask = sum(flags.kind.group(group).mask for group in wanted)
            bits = " | ".join(
                f"({value}) << {flags.kind.group(group).shift}" for group, value in wanted.items()
            )
            seen = self.constant("seen", flags.seen)
            values[word] = f"_{word}"
            lines.append(f"_{word} = {part}.{word}")
            lines.append(f"if _{word}.__class__ is {open_}:")
            if mask:
                lines.append(f"    _open = {mask:#x} & ~_{word}.given")
                lines.append(f"    _{word} = {seen}[_{word} & ~_open | ({bits}) & _open]")
            else:
                lines.append(f"    _{word} = {seen}[int(_{word})]")
        for name, value in numbers.items():
            tests.append(f"{part}.{name}.__class__ is LeftOut")
            values[name] = f"_{name}"
            lines.append(f"_{name} = {part}.{name}")
            lines.append(f"if _{name}.__class__ is LeftOut: _{name} = {value}")
        if not tests:
            return
        there = f"{part} is not None and " if field.present else ""
        self.emit(f"if {there}({' or '.join(tests)}):")
        self.indent += 1
        for line in lines:
            self.emit(line)
        self.emit(f"{part} = {self.constant('make', cls.raw)}(*({', '.join(values.values())},))")
        self.indent -= 1

    def changes(self, part: str) -> tuple[dict[tuple[str, str], str], dict[str, str]]:
        """What the whole knows of a part: groups by word and name, and numbers; the first word counts."""
        groups: dict[tuple[str, str], str] = {}
        numbers: dict[str, str] = {}
        for path, source in relations.FIXED.get(self.structure.name, {}).items():
            owner, _, name = path.partition(".")
            value = self.call(source) if callable(source) else str(source)
            if owner == part:
                word, _, group = name.partition(".")
                if group:
                    groups.setdefault((word, group), value)
                else:
                    numbers.setdefault(name, value)
        for owner, found in self.plan.presence.items():
            head, _, word = owner.rpartition(".")
            for group, names in found.items() if head == part else ():
                there = " or ".join(f"{name} is not None" for name in names)
                groups.setdefault((word, group), there)
        for owner, count, array in self.plan.part_counts:
            if owner == part:
                numbers[count] = f"len({array})"
        for path, parts in relations.REMAINDERS.items():
            owner, _, number = path.partition(".")
            if owner == part:
                numbers[number] = self.sizes.total([(self.structure.by_name[name], name) for name in parts])
        extent = self.structure.extent
        if extent and extent.path.rpartition(".")[0] == part:
            numbers.setdefault(extent.path.rpartition(".")[2], self.size_before(None))
        return groups, numbers

    def measure(self) -> None:
        """The size of this structure where it was left out."""
        extent = self.structure.extent
        if extent is None or "." in extent.path:
            return
        self.emit(f"if _out_{extent.path}:")
        for field in self.structure.fields:
            if isinstance(field.kind, Bytes) and field.kind.count == EOF:
                self.emit(
                    f"    if _out_{field.name}: {field.name} = bytes(-({self.size_before(field.name)}) & 3)"
                )
        self.emit(f"    {extent.path} = {self.size_before(None)}")
