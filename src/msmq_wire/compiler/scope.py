"""What the expressions of a structure can see while its decoder is generated."""

from __future__ import annotations

from itertools import takewhile

from msmq_wire.records.model import Choice, Field, Flags, Group, Items, Structure

__all__ = ["Scope", "flag_of", "is_called", "optional_run"]


class Scope:
    """The names that an expression inside a structure can see."""

    def __init__(self, structure: Structure, start: str, parent: Scope | None) -> None:
        self.structure = structure
        self.start = start
        self.parent = parent
        self.values: dict[str, str] = {}
        self.starts: dict[str, str] = {}
        self.inner: dict[str, Scope] = {}

    def origin(self, name: str) -> str:
        """Where the nearest enclosing structure of that name starts, or else this one."""
        scope: Scope | None = self
        while scope is not None:
            if scope.structure.name == name:
                return scope.start
            scope = scope.parent
        return self.start

    def find(self, path: str) -> tuple[str, Group | None]:
        """Source of the number at a dotted path, seen from here, and the group of it that is meant."""
        head, _, rest = path.partition(".")
        scope: Scope | None = self
        while scope is not None:
            if head in scope.inner and rest:
                return scope.inner[head].find(rest)
            if head in scope.values:
                kind = scope.structure.by_name[head].kind
                return scope.values[head], kind.group(rest) if rest and isinstance(kind, Flags) else None
            scope = scope.parent
        raise KeyError(path)

    def resolve(self, path: str) -> str:
        """Source of the value at a dotted path, seen from here."""
        word, group = self.find(path)
        if group is None:
            return word
        low = (1 << group.width) - 1
        return f"({word} >> {group.shift} & {low})" if group.shift else f"({word} & {low})"

    def bits(self, path: str) -> tuple[str, int]:
        """Source of the flags word at a dotted path, and the mask of the group that is meant."""
        word, group = self.find(path)
        assert group is not None  # noqa: S101  # the caller asks for groups only
        return word, group.mask


def flag_of(field: Field) -> str | None:
    """The group of flags that is zero when an optional part is absent, `remaining`, or None without such."""
    if isinstance(field.kind, Choice):
        selector = field.kind.selector
        return selector if "." in selector and field.kind.forms.get(0, field) is None else None
    path = (field.present or "").partition(" == ")[0]
    return path if path == "remaining" or ("." in path and "|" not in path) else None


def optional_run(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """The optional parts at the beginning that flags in front of them announce."""
    return tuple(takewhile(flag_of, fields))


def is_called(structure: Structure) -> bool:
    """Whether a structure gets a function of its own, because it has a limit or a loop of its own."""
    looping = any(isinstance(field.kind, Items) for field in structure.fields)
    return not structure.scoped and (looping or structure.extent is not None)
