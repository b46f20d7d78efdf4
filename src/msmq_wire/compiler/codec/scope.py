"""Name lookup for the expressions of a structure while its decoder is generated."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from msmq_wire.records.model import Choice, Count, Field, Fill, Group, Structure

if TYPE_CHECKING:
    from collections.abc import Callable


class Scope:
    """The names to which expressions in a structure can refer.

    Attributes:
        structure: The structure that is being read.
        name: The field that holds it, in snake_case; empty for the outermost one.
        start: Source of its offset.
        parent: The enclosing structure.
        values: Variables of the numbers read so far, by field.
        starts: Variables of the offsets of texts that other fields count from, by field.
        inner: The parts read so far, by field.
    """

    def __init__(self, structure: Structure, start: str, parent: Scope | None, name: str = "") -> None:
        self.structure = structure
        self.name = name
        self.start = start
        self.parent = parent
        self.values: dict[str, str] = {}
        self.starts: dict[str, str] = {}
        self.inner: dict[str, Scope] = {}

    def origin(self, name: str) -> str:
        """Return source of the offset of the nearest enclosing structure with that name, or of this one."""
        scope: Scope | None = self
        while scope is not None:
            if scope.structure.name == name:
                return scope.start
            scope = scope.parent
        return self.start

    def find(self, path: str) -> tuple[str, Group | None]:
        """Look up a dotted path; return the source of the number, and the bit group if the path names one."""
        head, _, rest = path.partition(".")
        scope: Scope | None = self
        while scope is not None:
            if head in scope.inner and rest:
                return scope.inner[head].find(rest)
            if head in scope.values:
                return scope.values[head], scope.structure.group(path) if rest else None
            scope = scope.parent
        raise KeyError(path)

    def resolve(self, path: str) -> str:
        """Return source of the value at a dotted path."""
        word, group = self.find(path)
        if group is None:
            return word
        low = (1 << group.width) - 1
        return f"({word} >> {group.shift} & {low})" if group.shift else f"({word} & {low})"

    def elements(self, count: Count) -> str:
        """Return source of the number of elements of an array."""
        number = self.resolve(count.number)
        return number if count.per_unit == 1 else f"{number} // {count.per_unit}"

    def fill(self, count: Fill) -> str:
        """Return source of the number of bytes up to a boundary."""
        return fill_source(count, self.resolve)

    def bits(self, path: str) -> tuple[str, int]:
        """Return source of the flags word at a dotted path, and the mask of the bit group."""
        word, group = self.find(path)
        assert group is not None  # noqa: S101  # callers only pass paths of groups
        return word, group.mask


REMAINING = "remaining"
"""The name for the remaining bytes in a presence rule."""


def fill_source(fill: Fill, resolve: Callable[[str], str]) -> str:
    """Return source of the number of bytes up to a boundary; `resolve` looks up the numbers in it."""
    return f"-{filled_source(fill, resolve)} & {fill.boundary - 1}"


def filled_source(fill: Fill, resolve: Callable[[str], str]) -> str:
    """Return source of the number of bytes before such a padding; `resolve` looks up the numbers in it."""
    terms = [str(fill.more)] if fill.more else []
    terms += [resolve(path) if unit == 1 else f"{resolve(path)} * {unit}" for path, unit in fill.sizes]
    behind = " + ".join(terms)
    return behind if len(terms) == 1 and " " not in behind else f"({behind})"


def flag_of(field: Field) -> str | None:
    """Return the path that is zero if a part is absent, `REMAINING`, or None if there is neither."""
    if isinstance(field.kind, Choice):
        selector = field.kind.selector
        return selector if field.kind.forms.get(0, field) is None else None
    if field.present is None:
        return None
    path = field.present.path if field.present.numbers else REMAINING
    return path if "." in path or path == REMAINING else None


def optional_run(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the leading fields that are optional and announced by flags before them."""
    return tuple(takewhile(flag_of, fields))


def announces(structure: Structure, part: Field) -> bool:
    """Return whether flags in a part of a structure announce other parts."""
    return any(item.present and item.present.path.startswith(f"{part.name}.") for item in structure.fields)


def is_called(structure: Structure) -> bool:
    """Return whether a structure gets its own function, because it has its own limit or loop."""
    looping = any(field.element for field in structure.fields)
    return not structure.scoped and (looping or structure.extent is not None)


def may_end_here(structure: Structure) -> bool:
    """Return whether a nested structure may lack a part that it announces after its stated size."""
    return any(field.outside and field.rival for field in structure.fields)
