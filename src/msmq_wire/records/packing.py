"""Lists whose elements may stand without the padding that the page asks for: the bytes decide.

1. A list says how many elements it has and how many bytes it takes.  If its elements fit with their paddings,
   that is how it is read; if they do not, and do without, it is packed.
2. What was met is in the elements: their paddings are empty.  They are written as they were read.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from msmq_wire.values.reject import Reject

from .model import Integer, Padding, Structure

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.values.limits import Limits

    from .model import Field

__all__ = ["BOUNDARY", "is_packed", "origin_of", "packing", "rival_stands"]

BOUNDARY = 4
"""A size that is stated may omit fewer bytes than this at the end."""


@cache
def packing(element: Structure) -> tuple[frozenset[int], int, int] | None:
    """The selectors of the elements that may be packed, the selector's size, and what precedes the padding.

    None for elements that never are.
    """
    for field in element.fields:
        if isinstance(field.kind, Padding) and field.kind.alignment.packed:
            selector = element.fields[0].kind
            assert isinstance(selector, Integer)  # noqa: S101  # an element begins with what tells its form
            return frozenset(field.kind.alignment.packed), selector.size, element.offset_of(field.name)
    return None


def origin_of(element: Structure, data: bytes, pos: int, origin: int) -> int:
    """Where the padding of an element of a packed list counts from, so that there is none if it is packed."""
    found = packing(element)
    assert found  # noqa: S101  # the list is packed
    selectors, size, head = found
    return pos + head if int.from_bytes(data[pos : pos + size], "little") in selectors else origin


def rival_stands(field: Field, data: bytes, at: int, end: int, ends_here: bool = False) -> bool:
    """Whether a part that was announced is not there: another header stands in its place.

    Args:
        field: The part.
        data: The input.
        at: Where it would begin.
        end: Where the input ends.
        ends_here: Whether there may be nothing in its place as well.
    """
    return field.rival is not None and ((ends_here and at == end) or field.rival.stands(data, at, end))


def is_packed(
    element: Structure,
    decode: Callable[..., tuple[Any, int]],
    data: bytes,
    pos: int,
    end: int,
    origin: int,
    count: int,
    stated: int,
    limits: Limits,
) -> bool:
    """Whether the elements of a list fit only without their paddings.

    Args:
        element: Their layout.
        decode: Their decoder.
        data: The input.
        pos: Where the first element begins.
        end: Where the list ends, with what it is filled up with.
        origin: What paddings count from.
        count: How many elements there are.
        stated: Where the list says that it ends.
        limits: Bounds for the decoder.
    """

    def reached(packed: bool) -> int:
        """Where the last element ends; after everything where one does not fit."""
        at = pos
        for _ in range(count):
            here = origin_of(element, data, at, origin) if packed else origin
            try:
                at = decode(data, at, end, here, limits)[1]
            except Reject:
                return end + 1
        return at

    return reached(packed=False) > stated and stated - BOUNDARY < reached(packed=True) <= stated
