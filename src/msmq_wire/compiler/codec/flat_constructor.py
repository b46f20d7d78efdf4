"""Generates `of`, the function that creates a record and its parts in one call.

`FLAT_CONSTRUCTORS` in the relations names the parts, in the order in which `of` creates them.

1. Each field of a part is a parameter with the field's own name, except derived numbers, format marks and
   paddings.  A flags word is a parameter with the name of its class; other parts are parameters, too.
2. If a flags word or another part is given, `of` calls the builders of the parts.
3. Otherwise `of` computes every number, padding and word inline.  It then creates each record once, without
   further checks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.compiler.expressions import fields_of, value_without
from msmq_wire.compiler.kinds import units
from msmq_wire.compiler.records import accepted, sentence, wrapped
from msmq_wire.definitions import relations
from msmq_wire.records.model import Bytes, Field, Fill, Flags, Structure
from msmq_wire.records.plan import awaited, derived, structure_of

from .builder import Builder
from .draft import Draft
from .sizes import Sizes
from .taker import default_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.records.model import Group, Kind


class _Parameter(NamedTuple):
    """A parameter of `of`: a field, a flags word, or a whole part."""

    name: str
    structure: Structure
    field: Field


def _usual(structure: Structure) -> Iterator[_Parameter]:
    """Yield the fields of a part, and of its nested parts, that are parameters."""
    for field in structure.fields:
        path = f"{structure.name}.{field.name}"
        follows = field.name in derived(structure) or path in relations.COMPUTED or path in awaited()
        if field.part:
            yield from _usual(field.part)
        elif not (follows or field.is_filler or path in relations.MARKS or field.word):
            yield _Parameter(field.name, structure, field)


def _words(structure: Structure) -> Iterator[_Parameter]:
    """Yield the flags words of a part."""
    for field in structure.fields:
        if field.word:
            yield _Parameter(field.word.name, structure, field)


def _parameters(structure: Structure) -> tuple[list[_Parameter], list[_Parameter]]:
    """Return the usual parameters, and those that make `of` call the builders of the parts."""
    structures = [structure_of(structure, part) for part in relations.FLAT_CONSTRUCTORS[structure.name]]
    usual = [parameter for part in structure.by_name for parameter in _of(structure, part, structures)]
    words = [word for part in structures for word in _words(part)]
    others = [
        _Parameter(field.name, structure, field)
        for field in structure.fields
        if field.name not in relations.FLAT_CONSTRUCTORS[structure.name]
    ]
    return usual, words + others


def _of(structure: Structure, part: str, structures: list[Structure]) -> Iterator[_Parameter]:
    inner = structure_of(structure, part)
    return _usual(inner) if inner in structures else iter(())


def signature(structure: Structure, homes: dict[str, str]) -> str:
    """Return the parameters of `of`."""
    shown = []
    for name, owner, field in [parameter for group in _parameters(structure) for parameter in group]:
        kind = accepted(owner, field, homes).removesuffix(" | None")
        shown.append(f"{name}: {kind} | None = None")
    return f"{', '.join(shown)}"


def _documentation(structure: Structure) -> list[str]:
    """Return the docstring of `of`."""
    usual, others = _parameters(structure)
    parts = [name for name in structure.by_name if name in relations.FLAT_CONSTRUCTORS[structure.name]]
    optional = [name for name in parts if structure.by_name[name].present]
    lines = [f'    """Create one from the fields of its parts: {", ".join(parts)}.', ""]
    text = "An omitted argument has the default of its part's class, or is computed."
    if optional:
        text += f"  A {' or a '.join(optional)} is created if one of its fields is given."
    lines += [*wrapped(text, 4), "", "    Args:"]
    for name, owner, field in usual + others:
        text = sentence(field.doc or name)
        if field.word:
            text = f"`{owner.name}.{field.name}`: {field.doc}."
        lines += wrapped(f"{name}: {text}", 8, 4)
    lines += [
        "",
        "    Raises:",
        "        EncodeError: A field holds a value that cannot be encoded.",
        '    """',
    ]
    return lines


def declaration(structure: Structure, homes: dict[str, str]) -> str:
    """Return the source that declares `of` in the class of the record."""
    lines = [
        "    if TYPE_CHECKING:",
        "",
        "        @staticmethod",
        f"        def of({signature(structure, homes)}) -> {structure.name}:",
        *(f"        {line}" if line else "" for line in _documentation(structure)),
        "",
        "    else:",
        "        of = Later()",
        "",
    ]
    return "\n".join(lines)


class _LocalSizes(Sizes):
    """Size sources where fields are in local variables.

    Attributes:
        local: The variable of a field, by part and field.
        counted: The variable that holds the length of an array, by the variable of the array.
    """

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.local: dict[tuple[str, str], str] = {}
        self.counted: dict[str, str] = {}

    def member(self, value: str, field: Field) -> str:
        return self.local.get((value, field.name)) or super().member(value, field)

    def units(self, kind: Kind, value: str) -> str:
        return self.counted.get(value) or super().units(kind, value)


class _PartDraft(Draft):
    """Collects the source for one of the parts, in the function that creates all of them."""

    def __init__(self, whole: Draft, structure: Structure, sizes: _LocalSizes) -> None:
        super().__init__(whole.compiler, structure)
        self.lines, self.indent = whole.lines, whole.indent
        self.sizes = sizes

    def call(self, source: Any, there: str = "") -> str:
        local = self.sizes.local
        return re.sub(
            r"\b(\w+)\.(\w+)",
            lambda match: local.get((match[1], match[2]), match[0]),
            super().call(source, there),
        )


class _PartBuilder(Builder):
    """Emit the source for one of the parts."""

    def __init__(self, draft: _PartDraft) -> None:
        super().__init__(draft)
        self.whole = draft.sizes

    def elements(self, name: str, field: Field) -> str:
        del name  # arrays are looked up by field, not by number
        return self.whole.units(field.kind, field.name)


class AtOnce:
    """Emit the body of ``of(FieldName=None, ...)``.

    Attributes:
        draft: Where the source is collected.
        builder: Computes values that depend on several parts.
        sizes: Computes sizes of values in local variables.
        parts: The parts that are created.
        usual: The parameters, by part and field.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft, structure = draft, draft.structure
        self.sizes = _LocalSizes(draft)
        self.parts = relations.FLAT_CONSTRUCTORS[structure.name]
        self.builder = Builder(draft, self.sizes, self.parts)
        usual, others = _parameters(structure)
        self.usual = {(item.structure.name, item.name) for item in usual}
        self.draft.lines += _documentation(structure)
        for part, values in relations.PARTS.get(structure.name, {}).items():
            for name, value in values.items():
                self.draft.emit(f"if {name} is None: {name} = {default_value(value)}")
            assert part in self.parts  # noqa: S101  # `of` creates every part with values of its own
        self.draft.emit(f"if {' or '.join(f'{other.name} is not None' for other in others)}:")
        self.draft.emit(f"    return {self.by_builders()}")
        for part in self.parts:
            self.part(part)
        record = self.builder.creation(name if name in self.parts else "None" for name in structure.by_name)
        self.draft.emit(f"record: {structure.name} = {record}")
        self.draft.emit("return record")

    # -- with builders

    def by_builders(self) -> str:
        """Return source that calls the builder of the record and those of its parts."""
        given = []
        for name, field in self.draft.structure.by_name.items():
            value = name
            if name in self.parts:
                part = structure_of(self.draft.structure, name)
                value = self.built(part)
                if field.present:
                    there = [f"{item.name} is not None" for item in (*_usual(part), *_words(part))]
                    value = f"{value} if {' or '.join(there)} else None"
            given.append(f"{name}={value}")
        return f"build_{self.draft.structure.name}({', '.join(given)})"

    def built(self, part: Structure) -> str:
        given = []
        for field in part.fields:
            if field.word:
                given.append(f"{field.name}={field.word.name}")
            elif field.part:
                given.append(f"{field.name}={self.built(field.part)}")
            elif (part.name, field.name) in self.usual:
                given.append(f"{field.name}={field.name}")
        return f"build_{part.name}({', '.join(given)})"

    # -- inline

    def part(self, name: str) -> None:
        """Emit source that creates a part, if it is present."""
        part = structure_of(self.draft.structure, name)
        optional = bool(self.draft.structure.by_name[name].present)
        if optional:
            self.draft.emit(f"if {' and '.join(f'{item.name} is None' for item in _usual(part))}:")
            self.draft.emit(f"    {name} = None")
            self.draft.emit("else:")
            self.draft.indent += 1
        self.record(name, part)
        self.draft.indent -= int(optional)

    def record(self, name: str, structure: Structure) -> None:
        """Emit source that creates a record from parameters and computed values, after its nested parts."""
        builder = self.builder_of(structure)
        inner = {field: self.builder_of(field.part) for field in structure.fields if field.part}
        numbers = {source.field.name: number for number, source in builder.draft.plan.counts.items()}
        for part, maker in (*((field.name, maker) for field, maker in inner.items()), (name, builder)):
            usual_fields = self.usual_fields(maker.draft.structure)
            maker.taker.take([field for field in usual_fields if field.name not in numbers])
            for field in usual_fields:
                if field.name in numbers:
                    self.array(part, maker, field, builder, numbers[field.name])
        for field, maker in inner.items():
            if not (maker.draft.structure.scoped and field.present):
                self.make(field.name, maker)
                continue
            # A part with zero bytes cannot be distinguished from an absent one.
            self.draft.emit(
                f"if not ({' or '.join(item.name for item in self.usual_fields(maker.draft.structure))}):"
            )
            self.draft.emit(f"    {field.name} = None")
            self.draft.emit("else:")
            self.draft.indent += 1
            self.make(field.name, maker)
            self.draft.indent -= 1
        self.make(name, builder)

    def array(self, part: str, maker: _PartBuilder, field: Field, counting: Builder, number: str) -> None:
        """Emit source that takes an array, counts it, and computes the padding after it."""
        variable = f"_true_{number}"
        self.sizes.counted[field.name] = variable
        steps = [f"{variable} = {units(field.kind, field.name)}"]
        most, refuse = counting.most(number)
        steps.append(f"if {variable} > {most}: {refuse}({variable})")
        absent = f"; {variable} = 0"
        for padding in maker.draft.structure.fields:
            fill = getattr(padding.kind, "count", None)
            if isinstance(fill, Fill) and fill.sizes == ((number, 1),) and not fill.more:
                name = self.sizes.local[part, padding.name] = self.draft.fresh(f"_{padding.name}", f"_{part}")
                steps.append(f"{name} = {maker.filling(padding, padding.kind_as(Bytes))}")
                absent += f'; {name} = b""'
        assert maker.taker.empty(field) is not None  # noqa: S101  # an omitted array becomes an empty one
        maker.taker.accept(field, absent)
        self.draft.indent += 1
        for step in steps:
            self.draft.emit(step)
        self.draft.indent -= 1

    def builder_of(self, structure: Structure) -> _PartBuilder:
        """Return the builder of a part, which adds to the same source."""
        return _PartBuilder(_PartDraft(self.draft, structure, self.sizes))

    def usual_fields(self, structure: Structure) -> list[Field]:
        """Return the fields of a part that are parameters."""
        return [field for field in structure.fields if (structure.name, field.name) in self.usual]

    def make(self, name: str, builder: Builder) -> None:
        """Emit source that creates a record whose fields have been taken and counted."""
        builder.draft.indent = self.draft.indent
        usual_fields = self.usual_fields(builder.draft.structure)
        for field in usual_fields:
            builder.default(field)
        values = []
        for field in builder.draft.structure.fields:
            there = field in usual_fields or field.part is not None
            values.append(field.name if there else self.value(name, builder, field))
            if there:
                self.sizes.local[name, field.name] = field.name
        self.draft.emit(f"{name} = {builder.creation(values)}")

    def value(self, part: str, builder: Builder, field: Field) -> str:
        """Return source of a field that is not a parameter."""
        if (part, field.name) in self.sizes.local:
            return self.sizes.local[part, field.name]
        count = builder.draft.plan.counts.get(field.name)
        if count:
            return f"_true_{field.name}" + ("" if count.per_unit == 1 else f" * {count.per_unit}")
        if field.word:
            return self.word(part, builder, field.name)
        path = builder.draft.path(field)
        if path in awaited():
            for line in self.builder.numbers_of(part)[field.name]:
                self.draft.emit(line)
            return f"_{field.name}"
        source = relations.COMPUTED.get(path, relations.DEFAULTS.get(path))
        if isinstance(source, str):
            return builder.draft.call(source)
        empty = builder.taker.empty(field)
        if empty is None:
            padding = self.draft.fresh(f"_{field.name}", f"_{part}")
            self.sizes.local[part, field.name] = padding
            self.draft.emit(f"{padding} = {builder.filling(field, field.kind_as(Bytes))}")
            return padding
        return empty

    def word(self, part: str, builder: Builder, word: str) -> str:
        """Return source of a flags word; first emit statements for groups that depend on other fields."""
        cls = builder.draft.cls.flags[word]
        groups = [*builder.words.own_groups(word)[0], *self.wanted(part, word, cls.kind)]
        bits, lines = builder.words.bits(f"_{cls}", groups)
        start = bits | cls.defaults & ~sum(group.mask for group, _ in groups)
        if not lines:
            return self.draft.constant(f"usual_{cls}", cls.word(start))
        self.draft.emit(f"_{cls} = {start:#x}")
        for line in lines:
            self.draft.emit(line)
        return f"{self.draft.constant(f'known_{cls}', cls.cache)}[_{cls}]"

    def wanted(self, part: str, word: str, kind: Flags) -> Iterator[tuple[Group, Any]]:
        """Yield the groups of a part's flags word that the enclosing record determines."""
        for (owner, name), source in self.builder.groups_of(part).items():
            if owner != word:
                continue
            group = kind.group(name)
            if isinstance(source, list):
                parts = [other for other in source if other in self.parts]
                if parts:
                    yield group, self.builder.words.there(parts, group)
            elif isinstance(source, str):
                assert not set(fields_of(source)) & set(self.parts)  # noqa: S101  # no expression reads these parts
                yield group, value_without(source)
            else:
                yield group, source
