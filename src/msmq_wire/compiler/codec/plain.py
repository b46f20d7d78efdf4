"""Generates the functions that convert a record to and from a dictionary of JSON types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.compiler.emit import Emitter, Expression, snake_case
from msmq_wire.compiler.kinds import sources
from msmq_wire.records.model import Field, Structure, Text
from msmq_wire.records.plan import awaited

if TYPE_CHECKING:
    from msmq_wire.compiler.generate import Compiler


class PlainEmitter(Emitter):
    """Emit the body of ``plain(record)``."""

    def __init__(self, compiler: Compiler, structure: Structure) -> None:
        super().__init__(compiler.module)
        self.structure = structure
        entries = [f'"{field.name}": {self.entry(field)},' for field in structure.fields]
        self.emit(f"return {{{' '.join(entries)}}}")

    def entry(self, field: Field) -> str:
        value = f"record.{field.name}"
        optional = field.can_be_none and not isinstance(field.kind, Text)  # a text stays as it is
        if optional:
            name = self.fresh(snake_case(field.name))
            self.emit(f"{name} = {value}")
            value = name
        source = self.source(field, value)
        return f"None if {value} is None else {source}" if optional else source

    def source(self, field: Field, value: str) -> str:
        if f"{self.structure.name}.{field.name}" in awaited():
            return f"int({value})"  # a number that depends on the enclosing packet can be an `Omitted`
        if field.word:
            name = field.word.name
            self.constant(f"groups_{name}", Expression(f"{name}.groups"))
        return sources(field.kind).plain.format(kind=field.kind, value=value)


class FromPlainEmitter(Emitter):
    """Emit the body of ``from_plain(fields, path)``."""

    def __init__(self, compiler: Compiler, structure: Structure) -> None:
        super().__init__(compiler.module)
        name = structure.name
        self.emit(f"taken = FieldSource(layouts.{name}, fields, path)")
        given = ", ".join(f"{field.name}={self.source(field)}" for field in structure.fields)
        self.emit(f"record: {name} = taken.make({name}, {given})")
        self.emit("return record")

    def source(self, field: Field) -> str:
        return sources(field.kind).from_plain.format(kind=field.kind, name=field.name)
