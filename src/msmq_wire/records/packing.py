"""Decides from the bytes of a list whether its elements are packed, without the padding of the documents.

1. A list states how many elements and how many bytes it has.  If the elements fit with their paddings, they
   are read with paddings.  If they only fit without, the list is packed.
2. Packed elements have empty paddings, so they are encoded as they were read.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from msmq_wire.values.reject import Reject

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.values.limits import Limits

    from .model import Field, Structure

BOUNDARY = 4
"""The stated size may omit fewer bytes than this at the end of the list."""


@cache
def packing(element: Structure) -> tuple[frozenset[int], int, int] | None:
    """Return the selectors of packable elements, the size of a selector, and the offset of the padding.

    Returns None for elements that are never packed.
    """
    from .model import Integer  # noqa: PLC0415  # few packets have such lists

    for field in element.fields:
        if field.alignment and field.alignment.packed:
            selector = element.fields[0].kind_as(Integer)
            return frozenset(field.alignment.packed), selector.size, element.offset_of(field.name)
    return None


def origin_of(element: Structure, data: bytes, pos: int, origin: int) -> int:
    """Return the offset from which an element's padding counts; chosen to give no padding if it is packed."""
    codes = packing(element)
    if codes is None:
        return origin
    selectors, size, head = codes
    return pos + head if int.from_bytes(data[pos : pos + size], "little") in selectors else origin


def may_be_packed(element: Structure, data: bytes, pos: int, origin: int) -> bool:
    """Return whether the padding of an element in a truncated list may be data of a packed element."""
    packed = packing(element)
    if packed is None:
        return False
    selectors, size, head = packed
    if int.from_bytes(data[pos : pos + size], "little") not in selectors:
        return False
    return any(data[pos + head : pos + head + (origin - pos - head) % BOUNDARY])


def rival_stands(field: Field, data: bytes, at: int, end: int, ends_here: bool) -> bool:
    """Return whether an announced part is absent because another header is at its offset.

    Args:
        field: The part.
        data: The input.
        at: The offset where the part would start.
        end: The end of the input.
        ends_here: Whether the input may also end at this offset.
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
    """Return whether the elements of a list fit only without their paddings.

    Args:
        element: Layout of the elements.
        decode: Decoder of an element.
        data: The input.
        pos: Offset of the first element.
        end: End of the list, including fill bytes.
        origin: Offset from which paddings count.
        count: Number of elements.
        stated: End of the list according to its own size field.
        limits: Bounds for the decoder.
    """

    def reached(packed: bool) -> int:
        """Return the end of the last element; an offset after the list if an element does not fit."""
        at = pos
        for _ in range(count):
            here = origin_of(element, data, at, origin) if packed else origin
            try:
                at = decode(data, at, end, limits, here)[1]
            except Reject:
                return end + 1
        return at

    return reached(packed=False) > stated and stated - BOUNDARY < reached(packed=True) <= stated
