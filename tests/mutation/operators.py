"""Ways to damage a table or a C text, for Cosmic Ray beside those that it has for expressions.

1. `DropItem` takes one entry out of a table or one rule out of a list.
2. `SwapFields`, `WidenField` and `ResizeField` damage a declaration of a C text.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from cosmic_ray.operators.operator import Example, Operator

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["LAYOUT", "Tables"]

_DECLARATION = re.compile(r"^ +(?P<type>\w+) +\w+(?P<size>\[[^\]]*\]| : \d+)?;", re.MULTILINE)
_OTHER_TYPE = {
    "uint8": "uint16",
    "uint16": "uint32",
    "uint32": "uint16",
    "uint64": "uint32",
    "GUID": "uint64",
}
_NUMBER = re.compile(r"\d+")
_Position = tuple[tuple[int, int], tuple[int, int]]


class DropItem(Operator):  # type: ignore[misc]  # Cosmic Ray has no types
    """Takes one entry out of a dictionary, a set, or a tuple or argument list that holds calls."""

    def _entries(self, node: Any) -> list[tuple[int, int]]:
        """First and last child of each entry, its comma included."""
        if node.type not in {"dictorsetmaker", "testlist_comp", "arglist"}:
            return []
        commas = [
            at for at, child in enumerate(node.children) if child.type == "operator" and child.value == ","
        ]
        starts = [0, *(at + 1 for at in commas)]
        entries = [
            (first, last)
            for first, last in zip(starts, [*commas, len(node.children) - 1], strict=False)
            if first <= last
        ]
        if node.type == "dictorsetmaker":
            return entries if len(entries) > 1 else []
        whole = [node.children[first] for first, _ in entries]
        calls = all(child.type in {"atom_expr", "power", "argument"} for child in whole)
        outer = node.type == "arglist" or not calls
        return [] if outer or len(entries) < 2 else entries

    def mutation_positions(self, node: Any) -> Iterator[_Position]:
        """One for each entry."""
        at = node.children if hasattr(node, "children") else ()
        return iter([(at[first].start_pos, at[last].end_pos) for first, last in self._entries(node)])

    def mutate(self, node: Any, index: int) -> Any:
        """The same without that entry."""
        first, last = self._entries(node)[index]
        del node.children[first : last + 1]
        return node

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        """What it does."""
        return (
            Example("x = {1: 2, 3: 4}", "x = { 3: 4}"),
            Example("x = (f(1), f(2))", "x = (f(1),)", occurrence=1),
        )


class _Declarations(Operator):  # type: ignore[misc]  # Cosmic Ray has no types
    """Damages one declaration of a C text."""

    def _damages(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Where, up to where, and what stands there then."""
        raise NotImplementedError

    def mutation_positions(self, node: Any) -> Iterator[_Position]:
        """One for each declaration that can be damaged so."""
        if node.type == "string" and "struct " in node.value:
            line, _ = node.start_pos
            for begin, end, _ in list(self._damages(node.value)):
                first = line + node.value.count("\n", 0, begin)
                yield (first, 0), (line + node.value.count("\n", 0, end), 0)

    def mutate(self, node: Any, index: int) -> Any:
        """The text with that damage."""
        begin, end, new = list(self._damages(node.value))[index]
        node.value = node.value[:begin] + new + node.value[end:]
        return node

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        """None: they are tested on the C texts themselves."""
        return ()


class SwapFields(_Declarations):
    """Two neighbours of different types change places."""

    def _damages(self, text: str) -> Iterator[tuple[int, int, str]]:
        found = list(_DECLARATION.finditer(text))
        for one, other in pairwise(found):
            between = text[one.end() : other.start()]
            if between.count("\n") == 1 and (one["type"], one["size"]) != (other["type"], other["size"]):
                yield one.start(), other.end(), other[0] + between + one[0]


class WidenField(_Declarations):
    """A field gets another width."""

    def _damages(self, text: str) -> Iterator[tuple[int, int, str]]:
        for found in _DECLARATION.finditer(text):
            if found["type"] in _OTHER_TYPE and not (found["size"] or "").startswith(" :"):
                yield *found.span("type"), _OTHER_TYPE[found["type"]]


class ResizeField(_Declarations):
    """A number in the size of an array or of a group of bits is one more."""

    def _damages(self, text: str) -> Iterator[tuple[int, int, str]]:
        for found in _DECLARATION.finditer(text):
            for number in _NUMBER.finditer(found["size"] or ""):
                at = found.start("size")
                yield at + number.start(), at + number.end(), str(int(number[0]) + 1)


LAYOUT = {operator.__name__: operator for operator in (DropItem, SwapFields, WidenField, ResizeField)}


class Tables:
    """The operators by name, in the form that Cosmic Ray asks for."""

    def __iter__(self) -> Iterator[str]:
        return iter(LAYOUT)

    def __getitem__(self, name: str) -> type[Operator]:
        return LAYOUT[name]
