"""The steps of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from msmq_wire.records import model as layout

LEFT = "@left"
"""Stands for the remaining bytes among the names of a formula."""


class Formula(NamedTuple):
    """A computation from numbers of a layout, applied to arrays.

    Attributes:
        compute: The function; its argument returns the values of a name.
        names: Where to find the value of a name: the path of its field and, for a flags word, the bit
            group.
        bare: The name, if the formula is only a name.
    """

    compute: Callable[[Callable[[str], Any]], Any]
    names: dict[str, tuple[str, layout.Group | None]]
    bare: str = ""


class Slot(NamedTuple):
    """A fixed field in a run; `kept` if formulas use its value."""

    path: str
    name: str
    offset: int
    kept: bool


class Run(NamedTuple):
    """Consecutive fixed fields."""

    size: int
    dtype: np.dtype[Any]
    slots: tuple[Slot, ...]


class Part(NamedTuple):
    """Bytes with a computed size.

    Attributes:
        path: The column.
        size: Size in units; None if the value is terminated or ends at a boundary.
        unit: Bytes per unit.
        even: Whether odd sizes are rejected.
        aligned: The mark from which a boundary counts, the boundary, and whether the limit may come
            first.
        before: A two-byte number; the padding exists only if the number follows it and is not at its
            offset.
        terminated: Whether a null WCHAR ends the value; it is not part of the value.
    """

    path: str
    size: Formula | None
    unit: int = 1
    even: bool = False
    aligned: tuple[str, int, bool] | None = None
    terminated: bool = False
    before: int | None = None


class Parts(NamedTuple):
    """Consecutive parts."""

    parts: tuple[Part, ...]


class Present(NamedTuple):
    """A structure starts here, in each of the rows."""

    path: str


class Mark(NamedTuple):
    """Boundaries count from here."""

    path: str


class Bound(NamedTuple):
    """A field states the end of the structure; `outside` are parts after it that may be inside the row."""

    size: Formula
    outside: tuple[tuple[Formula, int], ...]


class Close(NamedTuple):
    """The structure must end here."""


class Apart(NamedTuple):
    """A structure that states its size in its head, for the record decoder.

    Attributes:
        path: The column.
        structure: The name of the structure.
        head: Its first fields.
        size: The field of the head with the size in bytes.
        multiple: The size is rounded up to a multiple of this.
    """

    path: str
    structure: str
    head: Run
    size: str
    multiple: int


class Among(NamedTuple):
    """A field must have one of these values; other rows are rejected."""

    path: str
    values: tuple[int, ...]


class Series(NamedTuple):
    """An array of numbers with a count."""

    path: str
    dtype: np.dtype[Any]
    number: Formula


class Typed(NamedTuple):
    """Property values, one for each identifier of a series."""

    path: str
    identifiers: str


class Repeat(NamedTuple):
    """An array of structures with a count.

    Attributes:
        path: The column.
        structure: The name of the structure.
        number: The number of structures.
        least: The smallest size of one structure in bytes.
    """

    path: str
    structure: str
    number: Formula
    least: int


class Undecided(NamedTuple):
    """Rows that the record decoder must read."""


class Option(NamedTuple):
    """Steps for the rows in which the test is not zero; `exports` are words that are zero in all others."""

    test: Formula
    steps: tuple[Step, ...]
    exports: tuple[str, ...]


class Select(NamedTuple):
    """Steps by the value of a selector; rows with other values are rejected."""

    selector: Formula
    forms: tuple[tuple[tuple[int, ...], tuple[Step, ...]], ...]


Step = (
    Run
    | Parts
    | Series
    | Typed
    | Repeat
    | Present
    | Among
    | Mark
    | Bound
    | Close
    | Apart
    | Undecided
    | Option
    | Select
)
Plan = tuple[Step, ...]
