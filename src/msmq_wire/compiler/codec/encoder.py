"""Generates the source of an encoder from a layout.

1. One `struct.Struct` writes each run of fixed fields, also across nested structures.
2. All parts are joined once.  A structure with property values adds them to a list, because there are many.
3. Consecutive optional parts share one test, because most packets have none of them.
4. The encoder writes the values of a record unchanged; it checks and corrects nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.compiler.emit import Emitter, snake_case
from msmq_wire.compiler.kinds import encoded
from msmq_wire.records.model import Field, Numbers, Structure

from .scope import flag_of, optional_run

if TYPE_CHECKING:
    from msmq_wire.compiler.generate import Compiler


def has_values(structure: Structure) -> bool:
    """Return whether a structure or a part of it has property values."""
    return any(field.identifiers or any(map(has_values, field.structures)) for field in structure.fields)


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
        listed = {field.identifiers for field in structure.fields}
        rest = structure.fields
        while rest:
            field, rest = rest[0], rest[1:]
            value = f"{record}.{field.name}"
            if field.name in listed:
                self.part(f"LIST_BYTES[{value}]")
            elif field.identifiers:
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
        if field.part and field.present is None:
            name = self.fresh(snake_case(field.name))
            self.emit(f"{name} = {value}")
            self.structure(field.part, name)
        elif field.part and field.part.scoped and field is self.whole.fields[-1]:
            self.last(field, field.part, value)
        elif field.can_be_none:
            self.optional(field, value)
        elif kind.code:
            self.run.append((kind.code, "".join(encoded(kind, value))))
        elif field.element:
            self.items(field.element, value)
        elif isinstance(kind, Numbers):
            writers = self.compiler.array_writers(kind.format)
            name = self.fresh(snake_case(field.name))
            self.emit(f"{name} = {value}")
            self.part(f"{writers}[len({name})](*{name})")
        else:
            for source in encoded(kind, value):
                self.part(source)

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

    def optional(self, field: Field, value: str) -> None:
        name = self.fresh(snake_case(field.name))
        self.emit(f"{name} = {value}")
        self.tests.append(f"{name} is not None")
        self.there(name, encoded(field.kind, name))

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
