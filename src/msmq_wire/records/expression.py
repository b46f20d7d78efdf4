"""C expressions of the layouts as Python source.

Operators bind alike in both languages; only division differs, and sizes here are never negative.  Python's
integers do not wrap, so an expression over wire values is exact whatever a sender writes.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["evaluator", "names", "quotient", "to_python"]

_TOKEN = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*|0[xX][0-9a-fA-F]+|\d+|<<|>>|==|[-+*/%&|^~()]|\s+")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_QUOTIENT = re.compile(r"(?P<name>[A-Za-z_]\w*) / (?P<divisor>\d+)")


def to_python(expression: str, resolve: Callable[[str], str]) -> str:
    """Python source of a C expression; `resolve` gives the source for each name in it."""
    parts = []
    end = 0
    for token in _TOKEN.finditer(expression):
        if token.start() != end:
            break
        end = token.end()
        text = token.group()
        parts.append(resolve(text) if _NAME.fullmatch(text) else "//" if text == "/" else text)
    if end != len(expression):
        raise SyntaxError(f"cannot read {expression[end:]!r} of the expression {expression!r}")
    return "".join(parts)


@cache
def evaluator(expression: str) -> Callable[[Callable[[str], int]], int]:
    """A function that computes the expression from the values that its argument gives for names."""
    source = to_python(expression, lambda name: f"value({name!r})")
    made: Callable[[Callable[[str], int]], int] = eval(f"lambda value: {source}")  # noqa: S307  # our layouts
    return made


def names(expression: str) -> list[str]:
    """The names in a C expression, in order."""
    return _NAME.findall(expression)


@cache
def quotient(expression: str) -> tuple[str, int] | None:
    """Name and divisor of an expression that can be turned round: ``N`` or ``N / 2``."""
    if _NAME.fullmatch(expression):
        return expression, 1
    match = _QUOTIENT.fullmatch(expression)
    return (match["name"], int(match["divisor"])) if match else None
