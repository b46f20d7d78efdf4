"""What the emitters share: the text of one generated module, and of one function in it.

1. What a function refers to is a name of its module: a class, a function, or a constant that is written once,
   before the first function that needs it.
2. A value becomes source by its type; there is one place for that, `source_of`.
3. Local names are those of the fields, in snake_case.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from msmq_wire.definitions import relations
from msmq_wire.records.left_out import LeftOut
from msmq_wire.records.model import Field, Flags, Structure, structures

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ClassName", "Emitter", "Expression", "FlagsName", "ModuleText", "snake_case"]


class Expression(str):
    """Source that stands for itself."""

    __slots__ = ()


class FlagsName(Expression):
    """Name of the class of a flags word, with what the emitters ask of that class."""

    kind: Flags
    defaults: int

    @classmethod
    def of(cls, structure: str, field: Field) -> FlagsName:
        assert isinstance(field.kind, Flags)  # noqa: S101  # the caller chose by this type
        made = cls(field.kind.name)
        made.kind = field.kind
        made.defaults = 0
        for group in field.kind.groups:
            value = relations.DEFAULTS.get(f"{structure}.{field.name}.{group.name}", 0)
            made.defaults |= 0 if callable(value) else value << group.shift
        return made

    @property
    def seen(self) -> Expression:
        return Expression(f"{self}.seen")

    @property
    def partial(self) -> Expression:
        return Expression(f"{self}.partial")

    @property
    def open_words(self) -> Expression:
        return Expression(f"{self}.open_words")

    def word(self, value: int) -> Expression:
        return Expression(f"{self}.seen[{value:#x}]")


class ClassName(Expression):
    """Name of a record class, with what the emitters ask of that class."""

    flags: dict[str, FlagsName]

    @classmethod
    def of(cls, structure: Structure) -> ClassName:
        made = cls(structure.name)
        made.flags = {
            field.name: FlagsName.of(structure.name, field)
            for field in structure.fields
            if isinstance(field.kind, Flags)
        }
        return made

    @property
    def raw(self) -> Expression:
        return Expression(f"{self}.raw")


def snake_case(name: str) -> str:
    """A name of the page as the name of a variable."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    return f"{words}_" if words in _TAKEN else words


_TAKEN = {
    "data",
    "pos",
    "end",
    "limits",
    "limit",
    "record",
    "size",
    "class",
    "is",
    "in",
    "join",
    "id",
    "given",
}


def _function_source(function: Any) -> str:
    """Source of a function: its name in its module, or its place in a table of relations."""
    for table in ("DEFAULTS", "COMPUTED"):
        for path, value in getattr(relations, table).items():
            if value is function:
                return f'{table}["{path}"]'
    for owner, fixed in relations.FIXED.items():
        for path, value in fixed.items():
            if value is function:
                return f'FIXED["{owner}"]["{path}"]'
    module = function.__module__.rpartition(".")[2]
    return f"{module}.{function.__name__}" if module in {"accept", "replacing"} else str(function.__name__)


def _field_source(field: Field) -> str:
    owner = next(item for item in structures().values() if any(known is field for known in item.fields))
    return f'layouts.{owner.name}.by_name["{field.name}"]'


def source_of(value: Any) -> str:
    """The source of a value that a generated function refers to."""
    if isinstance(value, Expression):
        return str(value)
    if isinstance(value, LeftOut):
        return f"LeftOut({int(value)})"
    if isinstance(value, bytes):
        alike = len(value) > 8 and len(set(value)) == 1  # long enough to be unreadable
        return f"{value[:1]!r} * {len(value)}" if alike else repr(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(source_of, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(map(source_of, value))}]"
    if isinstance(value, frozenset):
        return f"frozenset({{{', '.join(sorted(map(source_of, value)))}}})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{source_of(key)}: {source_of(item)}' for key, item in value.items())}}}"
    if isinstance(value, partial):
        match value.args:
            case [Structure() as owner, Field() as field, *more]:
                arguments = (value.func, owner, field.name, *more)
                return f"accept.for_field({', '.join(map(source_of, arguments))})"
        return f"partial({', '.join(map(source_of, (value.func, *value.args)))})"
    if isinstance(value, Field):
        return _field_source(value)
    if isinstance(value, Structure):
        return f"layouts.{value.name}"
    if value is type(None):
        return "type(None)"
    if callable(value):
        return _function_source(value)
    return repr(value)


class ModuleText:
    """The text of one generated module, as it grows.

    Attributes:
        parts: Its text, part by part.
        constants: The names of its constants, by their source.
        imported: The modules of constants that others have, by their names.
    """

    def __init__(self, others: Mapping[str, tuple[str, str]] | None = None) -> None:
        """Begin.

        Args:
            others: Names and modules of the constants that can be imported, by their source.
        """
        self.parts: list[str] = []
        self.constants: dict[str, str] = {}
        self.imported: dict[str, str] = {}
        self._others = others or {}
        self._names = {name for name, _ in self._others.values()}

    def constant(self, stem: str, value: Any, *, alias: bool = False) -> str:
        """The name under which functions find a value; a name of the module is its own, unless it is hidden."""
        source = source_of(value)
        if source.isidentifier() and not alias:
            return source
        if source in self._others:
            name, module = self._others[source]
            self.imported[name] = module
            return name
        if source not in self.constants:
            name = stem
            count = 1
            while name in self._names:
                count += 1
                name = f"{stem}_{count}"
            self._names.add(name)
            self.constants[source] = name
            self.parts.append(f"{name} = {source}\n")
        return self.constants[source]

    def add(self, text: str) -> None:
        """Add classes or functions."""
        self.parts.append(text)

    def text(self) -> str:
        """All of it; constants that follow one another stand together."""
        constant = re.compile(r"\w+ = ")
        shown = ""
        for before, part in zip(["", *self.parts], self.parts, strict=False):
            together = constant.match(before) and constant.match(part)
            shown += part if together or not before else f"\n{part}"
        return shown


class Emitter:
    """Source lines of one function."""

    def __init__(self, module: ModuleText) -> None:
        self.module = module
        self.lines: list[str] = []
        self.indent = 1
        self._used: set[str] = set()

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def fresh(self, stem: str, owner: str = "") -> str:
        """A name that the function does not use yet: one that is taken is told apart by its owner's."""
        if owner and stem in self._used:
            stem = f"{owner}_{stem}"
        name = stem
        count = 1
        while name in self._used:
            count += 1
            name = f"{stem}_{count}"
        self._used.add(name)
        return name

    def constant(self, stem: str, value: Any) -> str:
        """A name for a value of the module."""
        return self.module.constant(stem, value)

    def function(self, name: str, parameters: str, result: str) -> None:
        """Add the function to its module."""
        self.module.add("\n".join([f"\ndef {name}({parameters}) -> {result}:", *self.lines, ""]))
