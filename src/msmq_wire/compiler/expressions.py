"""What the C texts and the relations say in C expressions, as data of the model.

The forms are few: a count, a count of bytes for WCHARs, a filling up to a boundary, and the tests for presence.
Every one of them is also a Python expression, so that Python's own parser reads it.
"""

from __future__ import annotations

import ast

from msmq_wire.records.model import LEFT, Count, Fill, Presence

__all__ = ["Unreadable", "count", "presence"]


class Unreadable(ValueError):
    """An expression has none of the known forms."""


def presence(source: str) -> Presence:
    """When a field is there: ``Flag``, ``A | B``, ``Number == 1``, ``remaining``.

    Raises:
        Unreadable: It has none of these forms.
    """
    if source == "remaining":
        return LEFT
    match _tree(source):
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=int(value))]):
            return Presence((_path(left),), value)
        case tree:
            return Presence(tuple(_alternatives(tree)))


def count(source: str) -> Count | Fill:
    """How many elements an array has: ``N``, ``N / 2``, ``-(A * 2 + B) & 3``.

    Raises:
        Unreadable: It has none of these forms.
    """
    match _tree(source):
        case ast.BinOp(left=number, op=ast.Div(), right=ast.Constant(value=int(per_unit))):
            return Count(_path(number), per_unit)
        case ast.BinOp(
            left=ast.UnaryOp(op=ast.USub(), operand=sizes),
            op=ast.BitAnd(),
            right=ast.Constant(value=int(low)),
        ) if low & (low + 1) == 0:
            terms = list(_terms(sizes))
            more = sum(unit for path, unit in terms if not path)
            return Fill(low + 1, tuple((path, unit) for path, unit in terms if path), more)
        case tree:
            return Count(_path(tree))


def _tree(source: str) -> ast.expr:
    try:
        return ast.parse(source, mode="eval").body
    except SyntaxError:
        raise Unreadable(f"cannot read the expression {source!r}") from None


def _path(tree: ast.expr) -> str:
    match tree:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=owner, attr=name):
            return f"{_path(owner)}.{name}"
    raise Unreadable(f"cannot read {ast.unparse(tree)!r}, where a field is expected")


def _alternatives(tree: ast.expr) -> list[str]:
    match tree:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*_alternatives(left), *_alternatives(right)]
    return [_path(tree)]


def _terms(tree: ast.expr) -> list[tuple[str, int]]:
    """The terms of a sum: each a path and a factor; a number has no path."""
    match tree:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_terms(left), *_terms(right)]
        case ast.BinOp(left=number, op=ast.Mult(), right=ast.Constant(value=int(unit))):
            return [(_path(number), unit)]
        case ast.Constant(value=int(more)):
            return [("", more)]
    return [(_path(tree), 1)]
