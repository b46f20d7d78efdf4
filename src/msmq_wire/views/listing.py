"""The columns of a listing: offset, bytes, field, value, meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_VALUE_WIDTH = 12


class Line(NamedTuple):
    """One line.

    Attributes:
        offset: Offset of its bytes, or None for a line without bytes.
        bytes: Its bytes in hexadecimal, or their number.
        depth: Number of structures around it.
        name: Name of the field.
        value: The value as text.
        meaning: Meaning of the value.
        head: Whether an empty line precedes it.
    """

    offset: int | None
    bytes: str
    depth: int
    name: str
    value: str = ""
    meaning: str = ""
    head: bool = False


def columns(lines: Sequence[Line], size: int) -> Iterator[str]:
    """Yield the lines as text, after the titles of the columns.

    Args:
        lines: The lines; none only if there are no bytes.
        size: Total number of bytes.
    """
    digits = max(4, len(f"{size:x}"))
    bytes_width = max((len(line.bytes) for line in lines), default=0)
    name_width = max((len(line.name) + 2 * line.depth for line in lines), default=0)
    titles = f"{'offset':<{2 * digits + 1}}  {'bytes':<{bytes_width}}  {'field':<{name_width}}  value"
    yield f"{titles:<{len(titles) + _VALUE_WIDTH - 3}}meaning"
    for line in lines:
        if line.head:
            yield ""
        offset = "" if line.offset is None else f"{line.offset:0{digits}x} {line.offset:>{digits}}"
        name = " " * 2 * line.depth + line.name
        value = f"{line.value:<{_VALUE_WIDTH}}  {line.meaning}" if line.meaning else line.value
        start = f"{offset:<{2 * digits + 1}}  {line.bytes:<{bytes_width}}  {name:<{name_width}}"
        yield f"{start}  {value}".rstrip()
