"""Parses the expressions in the C texts and the relations.

1. C expressions become values of the model.  There are four forms: a count, a count of bytes for WCHARs, a
   fill up to a boundary, and a test for presence.  All of them are valid Python expressions too, so Python's
   own parser reads them.
2. Expressions that compute omitted values are Python over the fields of a record.  They are inlined into the
   builders, without the tests that are decided there.
"""

from __future__ import annotations

import ast
import builtins

from msmq_wire.definitions.relations import FUNCTIONS
from msmq_wire.records.model import LEFT, Count, Fill, Presence


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


# ------------------------------------------------------------------------------------------ omitted values


def fields_of(source: str) -> tuple[str, ...]:
    """Return the fields of a record that an expression reads.

    Raises:
        Unreadable: The source is not an expression.
    """
    names = [node.id for node in ast.walk(_tree(source)) if isinstance(node, ast.Name)]
    functions = {*FUNCTIONS, *dir(builtins)}
    return tuple(dict.fromkeys(name for name in names if name not in functions))


def functions_of(source: str) -> tuple[str, ...]:
    """Return the functions of `FUNCTIONS` that an expression calls."""
    return tuple(
        node.id for node in ast.walk(_tree(source)) if isinstance(node, ast.Name) and node.id in FUNCTIONS
    )


def simplified(source: str, present: str = "") -> str:
    """Return an expression to insert into another one, in which the part `present` is known to be present."""
    shown = ast.unparse(_Decided(present, absent=False).visit(_tree(source)))
    return shown if shown.isidentifier() or shown.isdigit() else f"({shown})"


def value_without(source: str) -> int:
    """Return the value of an expression if the parts that it reads are absent.

    Raises:
        Unreadable: The expression also depends on other fields.
    """
    tree = _tree(source)
    for name in fields_of(source):
        tree = _Decided(name, absent=True).visit(tree)
    match tree:
        case ast.Constant(value=int(value)):
            return value
    raise Unreadable(f"the value of {source!r} without its parts is not constant")


class _Decided(ast.NodeTransformer):
    """Replace the tests for a part whose result is known."""

    def __init__(self, name: str, *, absent: bool) -> None:
        self.name = name
        self.absent = absent

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if isinstance(node.left, ast.Name) and node.left.id == self.name:
            if isinstance(node.ops[0], ast.Is):
                return ast.Constant(self.absent)
            if isinstance(node.ops[0], ast.IsNot):
                return ast.Constant(not self.absent)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        plain = isinstance(node.op, ast.And)
        node.values = [item for item in node.values if not _is(item, plain)]
        if any(_is(item, not plain) for item in node.values):
            return ast.Constant(not plain)
        return node if len(node.values) > 1 else node.values[0]

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        if _is(node.test, True):
            return node.body
        return node.orelse if _is(node.test, False) else node


def _is(node: ast.expr, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value
