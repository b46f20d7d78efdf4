"""The steps that a plan is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from msmq_wire.records import model as layout

__all__ = [
    "Among",
    "Apart",
    "Bound",
    "Close",
    "Formula",
    "Mark",
    "Option",
    "Part",
    "Parts",
    "Plan",
    "Present",
    "Repeat",
    "Run",
    "Select",
    "Series",
    "Slot",
    "Step",
    "Typed",
    "Undecided",
]


LEFT = "@left"
"""What stands for the bytes left, among the names of a formula."""


class Formula(NamedTuple):
    """What a layout computes from numbers, over arrays.

    Attributes:
        compute: Computes it from the values that its argument gives for names.
        names: Where the value of a name is: the path of its field and, of a flags word, the group.
        bare: The name, if it is a name and nothing else.
    """

    compute: Callable[[Callable[[str], Any]], Any]
    names: dict[str, tuple[str, layout.Group | None]]
    bare: str = ""


class Slot(NamedTuple):
    """A fixed field in a run; `kept` if formulas ask for its value."""

    path: str
    name: str
    place: int
    kept: bool


class Run(NamedTuple):
    """Fixed fields in a row."""

    size: int
    dtype: np.dtype[Any]
    slots: tuple[Slot, ...]


class Part(NamedTuple):
    """Bytes whose number is computed.

    Attributes:
        path: The column.
        size: Bytes, divided by `unit`; None for all that is left.
        unit: Bytes that each one counted takes.
        even: Whether an odd number of bytes cannot be read.
        aligned: The mark that a boundary is counted from, the boundary, and whether the end may come first.
        before: The number of two bytes that has to stand behind, and not in its place, for it to be there.
        terminated: Whether a WCHAR of zero ends it, which is not part of the value.
    """

    path: str
    size: Formula | None
    unit: int = 1
    even: bool = False
    aligned: tuple[str, int, bool] | None = None
    terminated: bool = False
    before: int | None = None


class Parts(NamedTuple):
    """Parts in a row."""

    parts: tuple[Part, ...]


class Present(NamedTuple):
    """A structure begins here, in each of the rows."""

    path: str


class Mark(NamedTuple):
    """Boundaries are counted from here."""

    path: str


class Bound(NamedTuple):
    """The structure ends where a field says; what lies outside may be within if nothing follows."""

    size: Formula
    multiple: int
    outside: tuple[tuple[Formula, int], ...]


class Close(NamedTuple):
    """The structure has to end here."""


class Apart(NamedTuple):
    """A structure whose bytes are counted in its head, for the decoder of records.

    Attributes:
        path: The column.
        structure: Its name.
        head: Its first fields.
        size: The field of the head that counts its bytes.
        multiple: What that is rounded up to.
    """

    path: str
    structure: str
    head: Run
    size: str
    multiple: int


class Among(NamedTuple):
    """A field has one of these values; rows in which it has not are refused."""

    path: str
    values: tuple[int, ...]


class Series(NamedTuple):
    """As many numbers as are counted."""

    path: str
    dtype: np.dtype[Any]
    number: Formula


class Typed(NamedTuple):
    """Property values, one for each identifier of a series."""

    path: str
    identifiers: str


class Repeat(NamedTuple):
    """As many structures as are counted.

    Attributes:
        path: The column.
        structure: The name of the structure.
        number: How many there are.
        least: Bytes that each takes at least.
    """

    path: str
    structure: str
    number: Formula
    least: int


class Undecided(NamedTuple):
    """These rows are not for arrays."""


class Option(NamedTuple):
    """Steps for the rows in which the test is not zero; `exports` are words that are zero in the others."""

    test: Formula
    steps: tuple[Step, ...]
    exports: tuple[str, ...]


class Select(NamedTuple):
    """Steps by the value of a selector; rows with another value are refused."""

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
