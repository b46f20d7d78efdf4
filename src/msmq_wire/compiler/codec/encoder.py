"""Generates the source of an encoder from a layout.

1. One `struct.Struct` writes each run of fixed fields, also across nested structures.
2. All parts are joined once.  A structure with property values adds them to a list, because there are many.
3. Consecutive optional parts share one test, because most packets have none of them.
4. The encoder writes the values of a record as they are; it checks and corrects nothing.
"""

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

from .scope import flag_of, optional_run

if TYPE_CHECKING:
    from msmq_wire.compiler.generate import Compiler

__all__ = ["EncoderEmitter", "ListEmitter", "has_values"]


def has_values(structure: Structure) -> bool:
    """Return whether a structure or a part of it has property values."""
    return any(
        isinstance(field.kind, Values) or any(map(has_values, field.structures)) for field in structure.fields
    )


class EncoderEmitter(Emitter):
    """Emit the body of ``encode(record)``."""

    def __init__(self, compiler: Compiler, structure: Structure) -> None:
        super().__init__(compiler.module)
        self.compiler = compiler
        self.run: list[tuple[str, str]] = []
        self.parts: list[str] = []
        self.tests: list[str] = []
        self.whole = structure
        self.structure(structure, "record")
        self.flush()
        self.end()

    def end(self) -> None:
        """Emit the statement that joins the parts."""
        self.emit(f"return {self.joined()}")

    def joined(self) -> str:
        """Return source of all bytes so far."""
        return self.parts[0] if len(self.parts) == 1 else f"join(({', '.join(self.parts)}))"

    def flush(self) -> None:
        if self.run:
            formats = "<" + "".join(code for code, _ in self.run)
            writer = self.compiler.packer(formats)
            self.parts.append(f"{writer}({', '.join(source for _, source in self.run)})")
            self.run = []

    def part(self, source: str) -> None:
        self.flush()
        self.parts.append(source)

    def structure(self, structure: Structure, record: str) -> None:
        listed = {item.kind.identifiers for item in structure.fields if isinstance(item.kind, Values)}
        rest = structure.fields
        while rest:
            field, rest = rest[0], rest[1:]
            value = f"{record}.{field.name}"
            if field.name in listed:
                self.part(f"LIST_BYTES[{value}]")
            elif isinstance(field.kind, Values):
                self.values(value)
            else:
                self.field(field, value)
            run = optional_run(rest) if flag_of(field) else ()
            if len(run) > 1:
                self.together(run, record)
                rest = rest[len(run) :]

    def values(self, value: str) -> None:
        self.part(f"write_values({value})")

    def together(self, run: tuple[Field, ...], record: str) -> None:
        """Emit consecutive optional parts with one test, because most records have none of them."""
        self.flush()
        before, self.parts, self.tests = self.parts, [], []
        for field in run:
            self.field(field, f"{record}.{field.name}")
        parts, self.parts = self.parts, before
        self.part(f"(join(({', '.join(parts)})) if {' or '.join(self.tests)} else b'')")

    def field(self, field: Field, value: str) -> None:
        kind = field.kind
        match kind:
            case Nested() if field.present is None:
                name = self.fresh(snake_case(field.name))
                self.emit(f"{name} = {value}")
                self.structure(kind.structure, name)
            case Nested() if kind.structure.scoped and field is self.whole.fields[-1]:
                self.last(field, kind.structure, value)
            case Nested():
                self.optional(value, f"encode_{kind.structure.name}({{}})")
            case Guid() if field.present is None:
                self.run.append(("16s", f"{value}.bytes_le"))
            case Sequence():
                self.run.append(("8s", f"{value}.raw"))
            case Numbers():
                writers = self.compiler.array_writers(kind.format)
                name = self.fresh(snake_case(field.name))
                self.emit(f"{name} = {value}")
                self.part(f"{writers}[len({name})](*{name})")
            case Guid():
                self.optional(value, "{}.bytes_le")
            case Choice():
                self.optional(value, "ENCODERS[{0}.__class__]({0})")
            case Integer() | Flags():
                self.run.append((kind.format, value))
            case Bytes(count=int(count)):
                self.run.append((f"{count}s", value))
            case Bytes() | Padding():
                self.part(value)
            case Text() if field.present is not None:
                self.optional(value, 'encode_utf16({}, "surrogatepass")[0]', r'b"\0\0"')
            case Text():
                self.part(f'encode_utf16({value}, "surrogatepass")[0]')
                if kind.count == NUL:
                    self.part(r'b"\0\0"')
            case Items():
                self.items(kind.structure, value)

    def items(self, structure: Structure, value: str) -> None:
        self.part(f"join([encode_{structure.name}(item) for item in {value}])")

    def last(self, field: Field, structure: Structure, value: str) -> None:
        """Emit the last part: its fields are joined with the fields before it, because nothing follows it."""
        self.flush()
        name = self.fresh(snake_case(field.name))
        self.emit(f"{name} = {value}")
        self.emit(f"if {name} is None:")
        self.emit(f"    return {self.joined()}")
        self.structure(structure, name)

    def optional(self, value: str, *sources: str) -> None:
        name = self.fresh(snake_case(value.rpartition(".")[2]))
        self.emit(f"{name} = {value}")
        self.tests.append(f"{name} is not None")
        self.there(name, [source.format(name) for source in sources])

    def there(self, name: str, sources: list[str]) -> None:
        """Take the sources of an optional field, whose value is in a variable."""
        self.part(f'(b"" if {name} is None else {" + ".join(sources)})')


class ListEmitter(EncoderEmitter):
    """Emit the body of ``encode(record)`` for a record with property values: it adds its parts to a list.

    `parts` has statements here, not expressions; they come after those that read the optional fields.
    """

    def end(self) -> None:
        self.emit("parts: list[bytes] = []")
        for statement in self.parts:
            self.emit(statement)
        self.emit("return join(parts)")

    def flush(self) -> None:
        before = len(self.parts)
        super().flush()
        self.parts[before:] = [_adding(source) for source in self.parts[before:]]

    def part(self, source: str) -> None:
        self.statement(_adding(source))

    def statement(self, source: str) -> None:
        self.flush()
        self.parts.append(source)

    def values(self, value: str) -> None:
        self.statement(f"add_values({value}, parts)")

    def items(self, structure: Structure, value: str) -> None:
        """Emit a loop; a function for the elements would cost a call for each."""
        if not has_values(structure):
            super().items(structure, value)
            return
        self.statement(f"for item in {value}:")
        lines, parts = self.lines, self.parts
        self.lines, self.parts = [], []
        self.structure(structure, "item")
        self.flush()
        body = [*(line[4 * self.indent :] for line in self.lines), *self.parts]
        self.lines, self.parts = lines, [*parts, *(f"    {line}" for line in body)]

    def there(self, name: str, sources: list[str]) -> None:
        self.statement(f"if {name} is not None: {'; '.join(map(_adding, sources))}")


def _adding(source: str) -> str:
    return f"parts.append({source})"
