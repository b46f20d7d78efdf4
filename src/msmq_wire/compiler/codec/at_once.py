"""Generates `of`, the function that creates a record and its parts in one call.

`AT_ONCE` in the relations names the parts, in the order in which `of` creates them.

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
from msmq_wire.compiler.records import accepted, sentence, wrapped
from msmq_wire.definitions import relations
from msmq_wire.records.model import Bytes, Field, Fill, Flags, Structure
from msmq_wire.records.plan import awaited, derived, structure_of

from .builder import BuildEmitter
from .sizes import Sizes, units
from .taker import default_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.compiler.generate import Compiler
    from msmq_wire.records.model import Group

__all__ = ["AtOnceEmitter", "declaration", "signature"]


class _Parameter(NamedTuple):
    """A parameter of `of`: a field, a flags word, or a whole part."""

    name: str
    structure: Structure
    field: Field


def _said(structure: Structure) -> Iterator[_Parameter]:
    """Yield the fields of a part, and of its nested parts, that are parameters."""
    for field in structure.fields:
        path = f"{structure.name}.{field.name}"
        follows = field.name in derived(structure) or path in relations.COMPUTED or path in awaited()
        if field.part:
            yield from _said(field.part)
        elif not (follows or field.is_filler or path in relations.MARKS or field.word):
            yield _Parameter(field.name, structure, field)


def _words(structure: Structure) -> Iterator[_Parameter]:
    """Yield the flags words of a part."""
    for field in structure.fields:
        if field.word:
            yield _Parameter(field.word.name, structure, field)


def _parameters(structure: Structure) -> tuple[list[_Parameter], list[_Parameter]]:
    """Return the usual parameters, and those that make `of` call the builders of the parts."""
    structures = [structure_of(structure, part) for part in relations.AT_ONCE[structure.name]]
    usual = [said for part in structure.by_name for said in _of(structure, part, structures)]
    words = [word for part in structures for word in _words(part)]
    others = [
        _Parameter(field.name, structure, field)
        for field in structure.fields
        if field.name not in relations.AT_ONCE[structure.name]
    ]
    return usual, words + others


def _of(structure: Structure, part: str, structures: list[Structure]) -> Iterator[_Parameter]:
    inner = structure_of(structure, part)
    return _said(inner) if inner in structures else iter(())


def signature(structure: Structure, homes: dict[str, str]) -> str:
    """Return the parameters of `of`."""
    shown = []
    for name, owner, field in [said for group in _parameters(structure) for said in group]:
        kind = accepted(owner, field, homes).removesuffix(" | None")
        shown.append(f"{name}: {kind} | None = None")
    return f"{', '.join(shown)}"


def _documentation(structure: Structure) -> list[str]:
    """Return the docstring of `of`."""
    usual, others = _parameters(structure)
    parts = [name for name in structure.by_name if name in relations.AT_ONCE[structure.name]]
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

    def __init__(self, compiler: Compiler, emitter: BuildEmitter) -> None:
        super().__init__(compiler, emitter)
        self.local: dict[tuple[str, str], str] = {}
        self.counted: dict[str, str] = {}

    def member(self, value: str, field: Field) -> str:
        return self.local.get((value, field.name)) or super().member(value, field)

    def units(self, kind: object, value: str) -> str:
        return self.counted.get(value) or super().units(kind, value)


class _PartEmitter(BuildEmitter):
    """Emit the source for one of the parts."""

    def __init__(self, compiler: Compiler, structure: Structure, whole: _LocalSizes) -> None:
        super().__init__(compiler, structure)
        self.whole = whole

    def call(self, source: Any, there: str = "") -> str:
        local = self.whole.local
        return re.sub(
            r"\b(\w+)\.(\w+)",
            lambda match: local.get((match[1], match[2]), match[0]),
            super().call(source, there),
        )

    def elements(self, name: str, field: Field) -> str:
        del name  # arrays are looked up by field, not by number
        return self.whole.units(field.kind, field.name)


class AtOnceEmitter(BuildEmitter):
    """Emit the body of ``of(FieldName=None, ...)``."""

    sizes: _LocalSizes

    def __init__(self, compiler: Compiler, structure: Structure) -> None:
        super().__init__(compiler, structure)
        self.sizes = _LocalSizes(compiler, self)
        self.parts = relations.AT_ONCE[structure.name]
        usual, others = _parameters(structure)
        self.said = {(item.structure.name, item.name) for item in usual}
        self.lines += _documentation(structure)
        for part, values in relations.PARTS.get(structure.name, {}).items():
            for name, value in values.items():
                self.emit(f"if {name} is None: {name} = {default_value(value)}")
            assert part in self.parts  # noqa: S101  # `of` creates every part with values of its own
        self.emit(f"if {' or '.join(f'{other.name} is not None' for other in others)}:")
        self.emit(f"    return {self.by_builders()}")
        for part in self.parts:
            self.part(part)
        record = self.creation(name if name in self.parts else "None" for name in structure.by_name)
        self.emit(f"record: {structure.name} = {record}")
        self.emit("return record")

    # -- with builders

    def by_builders(self) -> str:
        """Return source that calls the builder of the record and those of its parts."""
        given = []
        for name, field in self.structure.by_name.items():
            value = name
            if name in self.parts:
                part = structure_of(self.structure, name)
                value = self.built(part)
                if field.present:
                    there = [f"{item.name} is not None" for item in (*_said(part), *_words(part))]
                    value = f"{value} if {' or '.join(there)} else None"
            given.append(f"{name}={value}")
        return f"build_{self.structure.name}({', '.join(given)})"

    def built(self, part: Structure) -> str:
        given = []
        for field in part.fields:
            if field.word:
                given.append(f"{field.name}={field.word.name}")
            elif field.part:
                given.append(f"{field.name}={self.built(field.part)}")
            elif (part.name, field.name) in self.said:
                given.append(f"{field.name}={field.name}")
        return f"build_{part.name}({', '.join(given)})"

    # -- inline

    def part(self, name: str) -> None:
        """Emit source that creates a part, if it is present."""
        part = structure_of(self.structure, name)
        optional = bool(self.structure.by_name[name].present)
        if optional:
            self.emit(f"if {' and '.join(f'{item.name} is None' for item in _said(part))}:")
            self.emit(f"    {name} = None")
            self.emit("else:")
            self.indent += 1
        self.record(name, part)
        self.indent -= int(optional)

    def record(self, name: str, structure: Structure) -> None:
        """Emit source that creates a record from parameters and computed values, after its nested parts."""
        emitter = self.emitter(structure)
        inner = {field: self.emitter(field.part) for field in structure.fields if field.part}
        numbers = {source.field.name: number for number, source in emitter.plan.counts.items()}
        for part, maker in (*((field.name, maker) for field, maker in inner.items()), (name, emitter)):
            said = self.said_of(maker.structure)
            maker.take([field for field in said if field.name not in numbers])
            for field in said:
                if field.name in numbers:
                    self.array(part, maker, field, emitter, numbers[field.name])
        for field, maker in inner.items():
            if not (maker.structure.scoped and field.present):
                self.make(field.name, maker)
                continue
            # A part with zero bytes cannot be distinguished from an absent one.
            self.emit(f"if not ({' or '.join(item.name for item in self.said_of(maker.structure))}):")
            self.emit(f"    {field.name} = None")
            self.emit("else:")
            self.indent += 1
            self.make(field.name, maker)
            self.indent -= 1
        self.make(name, emitter)

    def array(
        self, part: str, maker: _PartEmitter, field: Field, counting: BuildEmitter, number: str
    ) -> None:
        """Emit source that takes an array, counts it, and computes the padding after it."""
        variable = f"_true_{number}"
        self.sizes.counted[field.name] = variable
        steps = [f"{variable} = {units(field.kind, field.name)}"]
        most, refuse = counting.most(number)
        steps.append(f"if {variable} > {most}: {refuse}({variable})")
        absent = f"; {variable} = 0"
        for padding in maker.structure.fields:
            fill = getattr(padding.kind, "count", None)
            if isinstance(fill, Fill) and fill.sizes == ((number, 1),) and not fill.more:
                name = self.sizes.local[part, padding.name] = self.fresh(f"_{padding.name}", f"_{part}")
                steps.append(f"{name} = {maker.filling(padding, padding.kind_as(Bytes))}")
                absent += f'; {name} = b""'
        assert maker.empty(field) is not None  # noqa: S101  # an omitted array becomes an empty one
        maker.accept(field, absent)
        self.indent += 1
        for step in steps:
            self.emit(step)
        self.indent -= 1

    def emitter(self, structure: Structure) -> _PartEmitter:
        emitter = _PartEmitter(self.compiler, structure, self.sizes)
        emitter.lines, emitter.indent = self.lines, self.indent
        return emitter

    def said_of(self, structure: Structure) -> list[Field]:
        """Return the fields of a part that are parameters."""
        return [field for field in structure.fields if (structure.name, field.name) in self.said]

    def make(self, name: str, emitter: BuildEmitter) -> None:
        """Emit source that creates a record whose fields have been taken and counted."""
        emitter.indent = self.indent
        said = self.said_of(emitter.structure)
        for field in said:
            emitter.default(field)
        values = []
        for field in emitter.structure.fields:
            there = field in said or field.part is not None
            values.append(field.name if there else self.value(name, emitter, field))
            if there:
                self.sizes.local[name, field.name] = field.name
        self.emit(f"{name} = {emitter.creation(values)}")

    def value(self, part: str, emitter: BuildEmitter, field: Field) -> str:
        """Return source of a field that is not a parameter."""
        if (part, field.name) in self.sizes.local:
            return self.sizes.local[part, field.name]
        count = emitter.plan.counts.get(field.name)
        if count:
            return f"_true_{field.name}" + ("" if count.per_unit == 1 else f" * {count.per_unit}")
        if field.word:
            return self.word(part, emitter, field.name)
        path = emitter.path(field)
        if path in awaited():
            for line in self.numbers_of(part)[field.name]:
                self.emit(line)
            return f"_{field.name}"
        source = relations.COMPUTED.get(path, relations.DEFAULTS.get(path))
        if isinstance(source, str):
            return emitter.call(source)
        empty = emitter.empty(field)
        if empty is None:
            padding = self.fresh(f"_{field.name}", f"_{part}")
            self.sizes.local[part, field.name] = padding
            self.emit(f"{padding} = {emitter.filling(field, field.kind_as(Bytes))}")
            return padding
        return empty

    def word(self, part: str, emitter: BuildEmitter, word: str) -> str:
        """Return source of a flags word; first emit statements for groups that depend on other fields."""
        cls = emitter.cls.flags[word]
        groups = [*emitter.own_groups(word)[0], *self.wanted(part, word, cls.kind)]
        known, lines = emitter.bits(f"_{cls}", groups)
        start = known | cls.defaults & ~sum(group.mask for group, _ in groups)
        if not lines:
            return self.constant(f"usual_{cls}", cls.word(start))
        self.emit(f"_{cls} = {start:#x}")
        for line in lines:
            self.emit(line)
        return f"{self.constant(f'known_{cls}', cls.seen)}[_{cls}]"

    def wanted(self, part: str, word: str, kind: Flags) -> Iterator[tuple[Group, Any]]:
        """Yield the groups of a part's flags word that the enclosing record determines."""
        for (owner, name), source in self.groups_of(part).items():
            if owner != word:
                continue
            group = kind.group(name)
            if isinstance(source, list):
                parts = [other for other in source if other in self.parts]
                if parts:
                    yield group, self.there(parts, group)
            elif isinstance(source, str):
                assert not set(fields_of(source)) & set(self.parts)  # noqa: S101  # no expression reads these parts
                yield group, value_without(source)
            else:
                yield group, source

    def fields_before(self, name: str | None) -> list[tuple[Field, str]]:
        """As in the builder, but only for the parts that `of` creates."""
        return [(field, value) for field, value in super().fields_before(name) if field.name in self.parts]
