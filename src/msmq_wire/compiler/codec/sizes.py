"""Generates source that computes the size of a record without encoding it."""

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
    """Return source of the number of elements of an array on the wire."""
    return (
        f"(len({value}) if {value}.isascii() else wchar_count({value}))"
        if isinstance(kind, Text)
        else f"len({value})"
    )


class Sizes:
    """Generate size expressions and statements for fields."""

    def __init__(self, compiler: Compiler, emitter: Emitter) -> None:
        self.compiler = compiler
        self.emitter = emitter

    def member(self, value: str, field: Field) -> str:
        """Return source that reads a field of a part."""
        return f"{value}.{field.name}"

    def units(self, kind: object, value: str) -> str:
        """Return source of the number of elements of an array on the wire."""
        return units(kind, value)

    def always(self, field: Field) -> int | None:
        """Return the size of a field if it is the same in every record, else None."""
        kind = field.kind
        if isinstance(kind, Nested) and field.present is None:
            return kind.structure.fixed_size
        if isinstance(kind, (Integer, Flags, Sequence)) or (isinstance(kind, Guid) and field.present is None):
            return kind.size
        return kind.count if isinstance(kind, Bytes) and isinstance(kind.count, int) else None

    def source(self, field: Field, value: str) -> str:
        """Return source of the size of a field, given source of its value; None has size 0."""
        fixed = self.always(field)
        if fixed is not None:
            return str(fixed)
        kind = field.kind
        if isinstance(kind, Nested) and field.present is None:
            return self.total([(inner, self.member(value, inner)) for inner in kind.structure.fields])
        size = self.there(field, value)
        return f"(0 if {value} is None else {size})" if self._is_optional(field) else size

    def there(self, field: Field, value: str) -> str:
        """Return source of the size of a field that is present."""
        kind = field.kind
        match kind:
            case Numbers():
                return f"len({value}) * {kind.size}"
            case Values():
                return f"size_of_values({value})"
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
        """Return source of the total size of several fields."""
        fixed = sum(self.always(field) or 0 for field, _ in fields)
        parts = [self.source(field, value) for field, value in fields if self.always(field) is None]
        return " + ".join([*([str(fixed)] if fixed or not parts else []), *parts])

    def steps(self, target: str, fields: list[tuple[Field, str]], operator: str = "=") -> list[str]:
        """Return statements that store the total size of several fields in `target`; absent ones add 0."""
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
        """Yield the fields; a part that is always present is replaced by its own fields."""
        for field, value in fields:
            if isinstance(field.kind, Nested) and field.present is None and self.always(field) is None:
                yield from self._spread(
                    [(inner, self.member(value, inner)) for inner in field.kind.structure.fields]
                )
            else:
                yield field, value

    def _steps_there(self, target: str, field: Field, value: str) -> list[str]:
        """Return statements that add the size of a field that is present."""
        match field.kind:
            case Nested(structure=structure) if structure.fixed_size is not None:
                return [f"{target} += {structure.fixed_size}"]
            case Nested(structure=structure) if not is_called(structure):
                return self.steps(
                    target, [(item, self.member(value, item)) for item in structure.fields], "+="
                )
        return [f"{target} += {self.there(field, value)}"]


class SizeEmitter(Emitter):
    """Emit the body of ``size(record)``."""

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
