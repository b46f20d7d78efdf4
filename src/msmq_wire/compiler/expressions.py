"""Parses the C expressions in the C texts and the relations into values of the model.

There are four forms: a count, a count of bytes for WCHARs, a fill up to a boundary, and a test for presence.
All of them are also valid Python expressions, so Python's own parser reads them.
"""

from __future__ import annotations

import ast

from msmq_wire.records.model import LEFT, Count, Fill, Presence

__all__ = ["Unreadable", "count", "presence"]


class Unreadable(ValueError):
    """An expression does not have one of the known forms."""


def presence(source: str) -> Presence:
    """Parse when a field is present: ``Flag``, ``A | B``, ``Number == 1``, ``remaining``.

    Raises:
        Unreadable: The expression has none of these forms.
    """
    if source == "remaining":
        return LEFT
    match _tree(source):
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=int(value))]):
            return Presence((_path(left),), value)
        case tree:
            return Presence(tuple(_alternatives(tree)))


def count(source: str) -> Count | Fill:
    """Parse how many elements an array has: ``N``, ``N / 2``, ``-(A * 2 + B) & 3``.

    Raises:
        Unreadable: The expression has none of these forms.
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
    """Return the terms of a sum as pairs of path and factor; a constant has an empty path."""
    match tree:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_terms(left), *_terms(right)]
        case ast.BinOp(left=number, op=ast.Mult(), right=ast.Constant(value=int(unit))):
            return [(_path(number), unit)]
        case ast.Constant(value=int(more)):
            return [("", more)]
    return [(_path(tree), 1)]
