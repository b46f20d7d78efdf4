"""Where the slow reader is: in which structures, at which field, and what it must not go beyond.

A layout names a number by a dotted path: a field of its own structure, of a part that was
read there before, or of a structure around it.
"""

from __future__ import annotations

import weakref
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.values.errors import DecodeError

from .model import Flags, Integer, count_of, has_fixed_size

if TYPE_CHECKING:
    from .model import Count, Field, Structure

__all__ = ["NOBODY", "Limit", "NumberPlace", "OpenStructure", "Spot", "is_placed"]


class NumberPlace(NamedTuple):
    """The number that an error is about: where it stands."""

    path: str | None
    offset: int | None


NOBODY = NumberPlace(None, None)
"""No number is to blame."""


class Limit(NamedTuple):
    """An offset to stop at, what sets it, and where that stands.

    `says` is the offset that was said where that is not `end`: of a packet that is truncated the bytes end
    first, of bytes that nothing bounds there may have been any number.
    """

    end: int
    name: str
    source: NumberPlace = NOBODY
    says: int = 0

    @property
    def is_short(self) -> bool:
        """Whether bytes that were said to be there are not."""
        return self.says > self.end


@cache
def is_placed(structure: Structure) -> bool:
    """Whether it can be read alone, and every number in it stands at the same place in all instances."""
    numbers = [field.name for field in structure.fields if isinstance(field.kind, (Integer, Flags))]
    last = structure.by_name[numbers[-1]] if numbers else None
    before = takewhile(lambda field: field is not last, structure.fields)
    return not structure.scoped and all(has_fixed_size(field) for field in before)


class OpenStructure:
    """One structure being read.

    Attributes:
        structure: Its layout.
        path: Its dotted path from the outermost structure.
        start: Its offset in the input.
        values: Its fields that were read, by name.
        starts: The offsets of those that are not structures.
        inner: Those that are.
        limit: What its fields must not go beyond.
        is_known: Whether its values tell that it is what it is taken for.
        is_in_step: Whether no field was passed over that what follows in it goes by.
        record: What was made of it by its decoder; it has no values here then, nor places.
        is_packed: Whether it stands in a list whose elements have no paddings.
        claim: The count that says that there is such an element, where the bytes left are too few for one.
    """

    def __init__(self, structure: Structure, path: str, start: int, parent: OpenStructure | None) -> None:
        self.structure = structure
        self.path = path
        self.start = start
        self._parent = weakref.ref(parent) if parent else None  # a cycle would outlive the reading
        self.values: dict[str, Any] = {}
        self.starts: dict[str, int] = {}
        self.inner: dict[str, OpenStructure] = {}
        self.limit = Limit(start, "buffer")
        self.is_known = False
        self.is_in_step = True
        self.is_packed = False
        self.record: Any = None
        self.claim: NumberPlace | None = None

    @property
    def parent(self) -> OpenStructure | None:
        """The structure around it."""
        return self._parent() if self._parent else None

    def lookup(self, path: str) -> int:
        """The number at a dotted path, seen from here."""
        head, _, rest = path.partition(".")
        frame: OpenStructure | None = self
        while frame is not None:
            if rest and head in frame.inner:
                return frame.inner[head].lookup(rest)
            known = head in frame.values
            if known or (frame.record is not None and head in frame.structure.by_name):
                word = frame.values[head] if known else getattr(frame.record, head)
                if not rest:
                    return int(word)
                return 0 if word is None else int(getattr(word, rest))
            if head in frame.structure.by_name:
                return 0  # an optional structure that is absent
            frame = frame.parent
        raise KeyError(path)

    def elements(self, count: Count) -> int:
        """How many elements an array has."""
        return self.lookup(count.number) // count.per_unit

    def place(self, path: str) -> tuple[str, str, int]:
        """Structure, whole path and offset of a number that an expression here can name."""
        head, _, rest = path.partition(".")
        frame: OpenStructure | None = self
        while frame is not None:
            if head in frame.starts:
                return frame.structure.name, f"{frame.path}.{path}", frame.starts[head]
            if rest and head in frame.inner:
                return frame.inner[head].place(rest)
            if frame.record is not None and head in frame.structure.by_name:
                return (
                    frame.structure.name,
                    f"{frame.path}.{path}",
                    frame.start + frame.structure.offset_of(head),
                )
            frame = frame.parent
        raise KeyError(path)

    def origin(self, name: str) -> int:
        """Where the nearest enclosing structure of that name starts, or else this one."""
        frame: OpenStructure | None = self
        while frame is not None:
            if frame.structure.name == name:
                return frame.start
            frame = frame.parent
        return self.start

    def wrong(self, source: str, limit: Limit, problem: str, expected: object, actual: object) -> DecodeError:
        """The error for a number that an expression here can name."""
        structure, path, offset = self.place(source)
        return DecodeError(
            problem,
            structure=structure,
            path=path,
            offset=offset,
            expected=expected,
            actual=actual,
            limit=limit.name,
            source_path=path,
            source_offset=offset,
        )

    def source(self, path: str) -> NumberPlace:
        """Where a number stands that an expression here can name."""
        return NumberPlace(*self.place(path)[1:])


class Spot(NamedTuple):
    """A field that is to be read.

    Attributes:
        frame: The structure that it belongs to.
        field: Its layout.
        pos: Its offset in the input.
        limit: What it must not go beyond.
    """

    frame: OpenStructure
    field: Field
    pos: int
    limit: Limit

    @property
    def path(self) -> str:
        """Dotted path of the field from the outermost structure."""
        return f"{self.frame.path}.{self.field.name}"

    @property
    def left(self) -> int:
        """How many bytes there are up to the limit."""
        return self.limit.end - self.pos

    @property
    def source(self) -> NumberPlace:
        """The number that says how much there has to be here, or else the one that says how much there is."""
        count = count_of(self.field.kind)
        if count:
            return self.frame.source(count.number)
        frame: OpenStructure | None = self.frame
        while frame is not None:
            if frame.claim is not None:
                return frame.claim
            frame = frame.parent
        return self.limit.source

    def wrong(
        self,
        problem: str,
        expected: object,
        actual: object,
        *,
        element: int | None = None,
        source: NumberPlace = NOBODY,
    ) -> DecodeError:
        """The error for this field, or for one of its elements, and the number that is to blame for it."""
        return DecodeError(
            problem,
            structure=self.frame.structure.name,
            path=self.path if element is None else f"{self.path}[{element}]",
            offset=self.pos,
            expected=expected,
            actual=actual,
            limit=self.limit.name,
            source_path=source.path,
            source_offset=source.offset,
        )
