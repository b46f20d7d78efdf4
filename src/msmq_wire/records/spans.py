"""A field and its bytes, from a reader or from a complete record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .model import Field, Structure


class FieldSpan(NamedTuple):
    """A field and its bytes.

    Attributes:
        path: Dotted path from the outermost structure; array elements have their index in brackets.
        offset: Bytes from the start of the input.
        size: Size of the field in bytes.
        value: The value; None for a structure that starts here.
        field: The layout of the field; None for the outermost structure and for array elements.
        structure: The structure that contains the field, or that starts here.
    """

    path: str
    offset: int
    size: int
    value: Any
    field: Field | None
    structure: Structure

    def cut(self, data: bytes) -> bytes:
        """Return the bytes of the field."""
        return data[self.offset : self.offset + self.size]


MORE = "[+]"
"""Path ending of a span that stands for several array elements; its value is their number."""


UNREAD = "[?]"
"""Path ending of a span for the skipped bytes of a broken part; its value is these bytes."""
