"""The text of a generated module, and of one function in it, for all emitters.

1. A function refers to module-level names only: classes, functions, and constants.  Each constant is written
   once, before the first function that uses it.
2. `source_of` converts every value to source, by its type; `model_source` converts the model itself.
3. Local variables have the names of the fields, in snake_case.
"""

from __future__ import annotations

import re
from functools import partial
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from msmq_wire.definitions import relations
from msmq_wire.records.model import Field, Flags, Structure, structures
from msmq_wire.records.omitted import Omitted

if TYPE_CHECKING:
    from collections.abc import Mapping


class Expression(str):
    """Source text that is inserted unchanged."""

    __slots__ = ()


class FlagsName(Expression):
    """The name of a flags class, with the attributes that the emitters use."""

    kind: Flags
    defaults: int

    @classmethod
    def of(cls, structure: str, field: Field) -> FlagsName:
        kind = field.kind_as(Flags)
        name = cls(kind.name)
        name.kind = kind
        name.defaults = 0
        for group in kind.groups:
            value = relations.DEFAULTS.get(f"{structure}.{field.name}.{group.name}", 0)
            name.defaults |= 0 if isinstance(value, str) else value << group.shift
        return name

    @property
    def cache(self) -> Expression:
        return Expression(f"{self}.cache")

    @property
    def partial(self) -> Expression:
        return Expression(f"{self}.partial")

    @property
    def open_words(self) -> Expression:
        return Expression(f"{self}.open_words")

    def word(self, value: int) -> Expression:
        return Expression(f"{self}.cache[{value:#x}]")


class ClassName(Expression):
    """The name of a record class, with the attributes that the emitters use."""

    flags: dict[str, FlagsName]

    @classmethod
    def of(cls, structure: Structure) -> ClassName:
        name = cls(structure.name)
        name.flags = {
            field.name: FlagsName.of(structure.name, field) for field in structure.fields if field.word
        }
        return name

    @property
    def raw(self) -> Expression:
        return Expression(f"{self}.raw")


def snake_case(name: str) -> str:
    """Return the variable name for a name in the specification."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    return f"{words}_" if words in _TAKEN or iskeyword(words) else words


_TAKEN = {"data", "pos", "end", "limits", "limit", "record", "size", "join", "id", "given"}
"""Names that generated functions use for other objects."""


def _function_source(function: Any) -> str:
    """Return source of a function: its name in its module, or its entry in a table of relations."""
    for name, candidate in relations.FUNCTIONS.items():
        if candidate is function:
            return f'FUNCTIONS["{name}"]'
    module = function.__module__.rpartition(".")[2]
    return f"{module}.{function.__name__}" if module in {"accept", "replacing"} else str(function.__name__)


def _field_source(field: Field) -> str:
    owner = next(
        item for item in structures().values() if any(candidate is field for candidate in item.fields)
    )
    return f'layouts.{owner.name}.by_name["{field.name}"]'


def source_of(value: Any) -> str:
    """Return the source of a value that a generated function refers to."""
    if isinstance(value, Expression):
        return str(value)
    if isinstance(value, Omitted):
        return f"Omitted({int(value)})"
    if isinstance(value, bytes):
        alike = len(value) > 8 and len(set(value)) == 1  # a long literal would be unreadable
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


def model_source(value: Any) -> str:
    """Return a value of a model as source; attributes with default values are omitted.

    Structures of packets, which refer to each other, are their names.
    """
    if isinstance(value, Structure):
        return value.name
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key:#x}: {model_source(item)}' for key, item in value.items())}}}"
    if isinstance(value, tuple):
        return f"({''.join(f'{model_source(item)}, ' for item in value)})"
    if hasattr(value, "__struct_fields__"):
        defaults = dict(
            zip(reversed(value.__struct_fields__), reversed(value.__struct_defaults__), strict=False)
        )
        arguments = []
        for key in value.__struct_fields__:
            item = getattr(value, key)
            if key in defaults and item == defaults[key]:
                continue
            arguments.append(f"{key}={model_source(item)}" if key in defaults else model_source(item))
        return f"{type(value).__name__}({', '.join(arguments)})"
    return repr(value)


def _unused(stem: str, taken: set[str]) -> str:
    """Return a name that is not taken, with a number if need be; it is taken from now on."""
    name, count = stem, 1
    while name in taken:
        count += 1
        name = f"{stem}_{count}"
    taken.add(name)
    return name


class ModuleText:
    """The text of a generated module while it is written.

    Attributes:
        parts: The text, part by part.
        constants: The names of its constants, by their source.
        imported: The modules of imported constants, by name.
    """

    def __init__(self, others: Mapping[str, tuple[str, str]] | None = None) -> None:
        """Start an empty module.

        Args:
            others: Names and modules of the constants that can be imported, by their source.
        """
        self.parts: list[str] = []
        self.constants: dict[str, str] = {}
        self.imported: dict[str, str] = {}
        self._others = others or {}
        self._names = {name for name, _ in self._others.values()}

    def constant(self, stem: str, value: Any, *, alias: bool = False) -> str:
        """Return a constant's name for the value; a name is unchanged unless `alias` is set."""
        source = source_of(value)
        if source.isidentifier() and not alias:
            return source
        if source in self._others:
            name, module = self._others[source]
            self.imported[name] = module
            return name
        if source not in self.constants:
            self.constants[source] = name = _unused(stem, self._names)
            self.parts.append(f"{name} = {source}\n")
        return self.constants[source]

    def add(self, text: str) -> None:
        """Add the source of classes or functions."""
        self.parts.append(text)

    def text(self) -> str:
        """Return the whole text; consecutive constants are not separated by blank lines."""
        constant = re.compile(r"\w+ = ")
        shown = ""
        for before, part in zip(["", *self.parts], self.parts, strict=False):
            together = constant.match(before) and constant.match(part)
            shown += part if together or not before else f"\n{part}"
        return shown


class Emitter:
    """Collects the source lines of one function."""

    def __init__(self, module: ModuleText) -> None:
        self.module = module
        self.lines: list[str] = []
        self.indent = 1
        self._used: set[str] = set()

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def fresh(self, stem: str, owner: str = "") -> str:
        """Return an unused variable name; if taken, the owner is prefixed, then a number appended."""
        if owner and stem in self._used:
            stem = f"{owner}_{stem}"
        return _unused(stem, self._used)

    def constant(self, stem: str, value: Any) -> str:
        """Return the name of a module constant for a value."""
        return self.module.constant(stem, value)

    def function(self, name: str, parameters: str, result: str) -> None:
        """Add the function to its module."""
        self.module.add("\n".join([f"\ndef {name}({parameters}) -> {result}:", *self.lines, ""]))
