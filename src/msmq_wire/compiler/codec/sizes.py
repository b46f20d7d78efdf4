"""Generates source that computes the size of a record without encoding it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.compiler.emit import Emitter, snake_case
from msmq_wire.compiler.kinds import sources, units

from .scope import is_called

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.compiler.generate import Compiler
    from msmq_wire.records.model import Field, Kind, Structure


class Sizes:
    """Generate size expressions and statements for fields."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter

    def member(self, value: str, field: Field) -> str:
        """Return source that reads a field of a part."""
        return f"{value}.{field.name}"

    def units(self, kind: Kind, value: str) -> str:
        """Return source of the number of elements of an array on the wire."""
        return units(kind, value)

    def source(self, field: Field, value: str) -> str:
        """Return source of the size of a field, given source of its value; None has size 0."""
        if field.fixed_size is not None:
            return str(field.fixed_size)
        if field.part and field.present is None:
            return self.total([(inner, self.member(value, inner)) for inner in field.part.fields])
        size = self.there(field, value)
        return f"(0 if {value} is None else {size})" if field.can_be_none else size

    def there(self, field: Field, value: str) -> str:
        """Return source of the size of a field that is present."""
        kind = field.kind
        ended = f" + {kind.least_size}" if kind.least_size else ""
        return sources(kind).size.format(kind=kind, value=value, units=self.units(kind, value), ended=ended)

    def total(self, fields: list[tuple[Field, str]]) -> str:
        """Return source of the total size of several fields."""
        fixed = sum(field.fixed_size or 0 for field, _ in fields)
        parts = [self.source(field, value) for field, value in fields if field.fixed_size is None]
        return " + ".join([*([str(fixed)] if fixed or not parts else []), *parts])

    def steps(self, target: str, fields: list[tuple[Field, str]], operator: str = "=") -> list[str]:
        """Return statements that store the total size of several fields in `target`; absent ones add 0."""
        spread = list(self._spread(fields))
        lines = [f"{target} {operator} {self.total([pair for pair in spread if not pair[0].can_be_none])}"]
        for field, value in spread:
            if field.can_be_none:
                name = self.emitter.fresh("_part") if "." in value else value
                lines.append(f"if {value if name == value else f'({name} := {value})'} is not None:")
                lines += [f"    {line}" for line in self._steps_there(target, field, name)]
        return lines

    def _spread(self, fields: list[tuple[Field, str]]) -> Iterator[tuple[Field, str]]:
        """Yield the fields; a part that is always present is replaced by its own fields."""
        for field, value in fields:
            if field.part and field.present is None and field.fixed_size is None:
                yield from self._spread([(inner, self.member(value, inner)) for inner in field.part.fields])
            else:
                yield field, value

    def _steps_there(self, target: str, field: Field, value: str) -> list[str]:
        """Return statements that add the size of a field that is present."""
        if field.part and field.part.fixed_size is not None:
            return [f"{target} += {field.part.fixed_size}"]
        if field.part and not is_called(field.part):
            return self.steps(target, [(item, self.member(value, item)) for item in field.part.fields], "+=")
        return [f"{target} += {self.there(field, value)}"]


class SizeEmitter(Emitter):
    """Emit the body of ``size(record)``."""

    def __init__(self, compiler: Compiler, structure: Structure) -> None:
        super().__init__(compiler.module)
        sizes = Sizes(self)
        fields = []
        for field in structure.fields:
            name = self.fresh(snake_case(field.name))
            if field.fixed_size is None:
                self.emit(f"{name} = record.{field.name}")
            fields.append((field, name))
        for line in sizes.steps("size", fields):
            self.emit(line)
        self.emit("return size")
