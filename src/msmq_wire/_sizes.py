"""Generates how many bytes a record takes, without writing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._emit import Emitter
from ._layout import (
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
from ._wchar import wchar_count

if TYPE_CHECKING:
    from ._codegen import Compiler

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
        emitter.namespace["wchar_count"] = wchar_count

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
        kind = field.kind
        fixed = self.always(field)
        if fixed is not None:
            return str(fixed)
        match kind:
            case Numbers():
                return f"len({value}) * {kind.size}"
            case Values():
                return f"sum([len(item.encode()) for item in {value}])"
            case Text(count=count):
                size = f"{units(kind, value)} * 2" + (" + 2" if count == NUL else "")
                return f"({size})" if field.present is None else f"(0 if {value} is None else {size})"
            case Nested() if field.present is None:
                return self.total([(inner, f"{value}.{inner.name}") for inner in kind.structure.fields])
            case Nested():
                function = self.emitter.constant("size", self.compiler.size(kind.structure.name))
                return f"(0 if {value} is None else {function}({value}))"
            case Choice():
                functions = self.emitter.constant("sizes", self.compiler.sizes_by_class())
                return f"(0 if {value} is None else {functions}[{value}.__class__]({value}))"
            case Items():
                function = self.emitter.constant("size", self.compiler.size(kind.structure.name))
                return f"sum(map({function}, {value}))"
            case Guid():
                return f"(0 if {value} is None else {kind.size})"
            case Bytes() | Padding():
                return f"len({value})"
        raise AssertionError(kind)

    def total(self, fields: list[tuple[Field, str]]) -> str:
        """Source of the size of several fields."""
        fixed = sum(self.always(field) or 0 for field, _ in fields)
        parts = [self.source(field, value) for field, value in fields if self.always(field) is None]
        return " + ".join([*([str(fixed)] if fixed or not parts else []), *parts])


class SizeEmitter(Emitter):
    """The body of ``size(record)``."""

    def __init__(self, compiler: Compiler, structure: Structure) -> None:
        super().__init__({})
        sizes = Sizes(compiler, self)
        fields = []
        for field in structure.fields:
            name = self.fresh("v")
            if sizes.always(field) is None:
                self.emit(f"{name} = record.{field.name}")
            fields.append((field, name))
        self.emit(f"return {sizes.total(fields)}")
