"""Generates how many bytes a record takes, without writing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.compiler.emit import Emitter, snake_case
from msmq_wire.records.model import (
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

from .scope import is_called

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.compiler.generate import Compiler

__all__ = ["SizeEmitter", "Sizes", "units"]


def units(kind: object, value: str) -> str:
    """Source of how many elements an array has on the wire."""
    return (
        f"(len({value}) if {value}.isascii() else wchar_count({value}))"
        if isinstance(kind, Text)
        else f"len({value})"
    )


class Sizes:
    """Sources of the sizes of fields, and the functions that they need."""

    def __init__(self, compiler: Compiler, emitter: Emitter) -> None:
        self.compiler = compiler
        self.emitter = emitter

    def member(self, value: str, field: Field) -> str:
        """Source of a field of a part."""
        return f"{value}.{field.name}"

    def units(self, kind: object, value: str) -> str:
        """Source of how many elements an array has on the wire."""
        return units(kind, value)

    def always(self, field: Field) -> int | None:
        """The size of a field that every instance has alike; of an absent part, what it has as well."""
        kind = field.kind
        if isinstance(kind, Nested) and field.present is None:
            return kind.structure.fixed_size
        if isinstance(kind, (Integer, Flags, Sequence)) or (isinstance(kind, Guid) and field.present is None):
            return kind.size
        return kind.count if isinstance(kind, Bytes) and isinstance(kind.count, int) else None

    def source(self, field: Field, value: str) -> str:
        """Source of the size of a field whose value is at hand; None takes nothing."""
        fixed = self.always(field)
        if fixed is not None:
            return str(fixed)
        kind = field.kind
        if isinstance(kind, Nested) and field.present is None:
            return self.total([(inner, self.member(value, inner)) for inner in kind.structure.fields])
        size = self.there(field, value)
        return f"(0 if {value} is None else {size})" if self._is_optional(field) else size

    def there(self, field: Field, value: str) -> str:
        """The same for a field that is there."""
        kind = field.kind
        match kind:
            case Numbers():
                return f"len({value}) * {kind.size}"
            case Values():
                return f"sum([len(item.encode()) for item in {value}])"
            case Text(count=count):
                return f"({self.units(kind, value)} * 2{' + 2' if count == NUL else ''})"
            case Nested():
                return f"size_{kind.structure.name}({value})"
            case Choice():
                return f"SIZES[{value}.__class__]({value})"
            case Items():
                return f"sum(map(size_{kind.structure.name}, {value}))"
            case Guid():
                return str(kind.size)
            case Bytes() | Padding():
                return self.units(kind, value)
        raise AssertionError(kind)

    def total(self, fields: list[tuple[Field, str]]) -> str:
        """Source of the size of several fields."""
        fixed = sum(self.always(field) or 0 for field, _ in fields)
        parts = [self.source(field, value) for field, value in fields if self.always(field) is None]
        return " + ".join([*([str(fixed)] if fixed or not parts else []), *parts])

    def steps(self, target: str, fields: list[tuple[Field, str]], operator: str = "=") -> list[str]:
        """Statements that put the size of several fields into `target`; for absent ones nothing is added."""
        spread = list(self._spread(fields))
        lines = [
            f"{target} {operator} {self.total([pair for pair in spread if not self._is_optional(pair[0])])}"
        ]
        for field, value in spread:
            if self._is_optional(field):
                name = self.emitter.fresh("_part") if "." in value else value
                lines.append(f"if {value if name == value else f'({name} := {value})'} is not None:")
                lines += [f"    {line}" for line in self._steps_there(target, field, name)]
        return lines

    def _is_optional(self, field: Field) -> bool:
        return self.always(field) is None and (field.present is not None or isinstance(field.kind, Choice))

    def _spread(self, fields: list[tuple[Field, str]]) -> Iterator[tuple[Field, str]]:
        """Fields, those of parts that are always there one by one."""
        for field, value in fields:
            if isinstance(field.kind, Nested) and field.present is None and self.always(field) is None:
                yield from self._spread(
                    [(inner, self.member(value, inner)) for inner in field.kind.structure.fields]
                )
            else:
                yield field, value

    def _steps_there(self, target: str, field: Field, value: str) -> list[str]:
        """Statements that add the size of a field that is there."""
        match field.kind:
            case Nested(structure=structure) if structure.fixed_size is not None:
                return [f"{target} += {structure.fixed_size}"]
            case Nested(structure=structure) if not is_called(structure):
                return self.steps(
                    target, [(item, self.member(value, item)) for item in structure.fields], "+="
                )
        return [f"{target} += {self.there(field, value)}"]


class SizeEmitter(Emitter):
    """The body of ``size(record)``."""

    def __init__(self, compiler: Compiler, structure: Structure) -> None:
        super().__init__(compiler.module)
        sizes = Sizes(compiler, self)
        fields = []
        for field in structure.fields:
            name = self.fresh(snake_case(field.name))
            if sizes.always(field) is None:
                self.emit(f"{name} = record.{field.name}")
            fields.append((field, name))
        for line in sizes.steps("size", fields):
            self.emit(line)
        self.emit("return size")
