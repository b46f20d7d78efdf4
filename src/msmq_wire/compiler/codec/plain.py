"""Generates the functions that convert a record to and from a dictionary of JSON types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.compiler.emit import Emitter, Expression, snake_case
from msmq_wire.records.model import (
    Choice,
    Field,
    Flags,
    Guid,
    Integer,
    Items,
    Nested,
    Numbers,
    Sequence,
    Structure,
    Text,
    Values,
)
from msmq_wire.records.plan import awaited

if TYPE_CHECKING:
    from msmq_wire.compiler.generate import Compiler

__all__ = ["FromPlainEmitter", "PlainEmitter"]


class PlainEmitter(Emitter):
    """Emit the body of ``plain(record)``."""

    def __init__(self, compiler: Compiler, structure: Structure) -> None:
        super().__init__(compiler.module)
        self.structure = structure
        entries = [f'"{field.name}": {self.entry(field)},' for field in structure.fields]
        self.emit(f"return {{{' '.join(entries)}}}")

    def entry(self, field: Field) -> str:
        kind, value = field.kind, f"record.{field.name}"
        announced = field.present is not None and not isinstance(kind, Text)
        optional = announced or isinstance(kind, Choice)
        if optional:
            name = self.fresh(snake_case(field.name))
            self.emit(f"{name} = {value}")
            value = name
        source = self.source(field, value)
        return f"None if {value} is None else {source}" if optional else source

    def source(self, field: Field, value: str) -> str:
        match field.kind:
            case Integer():
                # A number that depends on the enclosing packet can be a `LeftOut`, which is converted to int.
                return f"int({value})" if f"{self.structure.name}.{field.name}" in awaited() else value
            case Flags(name=name):
                # The lines of `Flags.to_dict` and `str`, inlined to save calls.
                return f"{self.constant(f'groups_{name}', Expression(f'{name}.groups'))}[{value}].copy()"
            case Guid() | Sequence():
                return f"{value}.__str__()"
            case Text():
                return value
            case Numbers():
                return f"list({value})"
            case Values():
                return f"plain_properties.properties({value})"
            case Nested(structure=structure):
                return f"plain_{structure.name}({value})"
            case Choice():
                return f"PLAIN[{value}.__class__]({value})"
            case Items(structure=structure):
                return f"[plain_{structure.name}(item) for item in {value}]"
        return f"{value}.hex()"


class FromPlainEmitter(Emitter):
    """Emit the body of ``from_plain(fields, path)``."""

    def __init__(self, compiler: Compiler, structure: Structure) -> None:
        super().__init__(compiler.module)
        name = structure.name
        self.emit(f"taken = Taken(layouts.{name}, fields, path)")
        given = ", ".join(f"{field.name}={self.source(field)}" for field in structure.fields)
        self.emit(f"record: {name} = taken.make({name}, {given})")
        self.emit("return record")

    def source(self, field: Field) -> str:
        name = f'"{field.name}"'
        match field.kind:
            case Integer():
                return f"taken.one({name}, plain.number)"
            case Flags():
                return f"taken.flags({name})"
            case Guid():
                return f"taken.one({name}, plain.guid)"
            case Sequence():
                return f"taken.one({name}, plain.sequence)"
            case Text():
                return f"taken.one({name}, plain.text)"
            case Numbers():
                return f"taken.each({name}, plain.number)"
            case Values(identifiers=identifiers):
                return f'taken.properties({name}, "{identifiers}")'
            case Nested(structure=structure):
                return f"taken.part({name}, from_plain_{structure.name})"
            case Items(structure=structure):
                return f"taken.parts({name}, from_plain_{structure.name})"
            case Choice():
                return f"taken.form({name})"
        return f"taken.one({name}, plain.octets)"
