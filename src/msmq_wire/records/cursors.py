"""Where the diagnostic reader is in the bytes: enclosing structures, current field, and limits.

A layout refers to a number by a dotted path.  The number is in the same structure, in a part that was read
before, or in an enclosing structure.
"""

from __future__ import annotations

import weakref
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.values.errors import DecodeError

from .model import Flags, Integer, count_of

if TYPE_CHECKING:
    from .model import Field, Structure

__all__ = ["NOBODY", "FieldCursor", "Limit", "NumberPlace", "StructureCursor", "is_placed"]


class NumberPlace(NamedTuple):
    """Path and offset of the number that caused an error."""

    path: str | None
    offset: int | None


NOBODY = NumberPlace(None, None)
"""No number caused the error."""


class Limit(NamedTuple):
    """The offset where reading must stop, the name of what sets it, and the number that states it.

    `says` is the stated offset if it differs from `end`: a truncated packet ends before it.  If nothing
    states the size of the input, it is `sys.maxsize`.
    """

    end: int
    name: str
    source: NumberPlace = NOBODY
    says: int = 0

    @property
    def is_short(self) -> bool:
        """Whether stated bytes are missing."""
        return self.says > self.end


@cache
def is_placed(structure: Structure) -> bool:
    """Return whether a structure can be read alone and has every number at a fixed offset."""
    numbers = [field.name for field in structure.fields if isinstance(field.kind, (Integer, Flags))]
    last = structure.by_name[numbers[-1]] if numbers else None
    before = takewhile(lambda field: field is not last, structure.fields)
    return not structure.scoped and all(field.fixed_size is not None for field in before)


class StructureCursor:
    """A structure that is being read.

    Attributes:
        structure: Its layout.
        path: Its dotted path from the outermost structure.
        start: Its offset in the input.
        values: The fields read so far, by name.
        starts: The offsets of the fields that are not structures.
        inner: The nested structures read so far.
        limit: The limit of its fields.
        is_known: Whether its values confirm that it is this structure.
        is_in_step: Whether no skipped field determines the offsets of later fields.
        record: The record, if the compiled decoder read it; then `values` and `starts` are empty.
        is_packed: Whether it is in a list whose elements have no paddings.
        claim: The count that announces this element, if too few bytes remain for it.
    """

    def __init__(self, structure: Structure, path: str, start: int, parent: StructureCursor | None) -> None:
        self.structure = structure
        self.path = path
        self.start = start
        # A weak reference, because a cycle would outlive the reader.
        self._parent = weakref.ref(parent) if parent else None
        self.values: dict[str, Any] = {}
        self.starts: dict[str, int] = {}
        self.inner: dict[str, StructureCursor] = {}
        self.limit = Limit(start, "buffer")
        self.is_known = False
        self.is_in_step = True
        self.is_packed = False
        self.record: Any = None
        self.claim: NumberPlace | None = None

    @property
    def parent(self) -> StructureCursor | None:
        """The enclosing structure."""
        return self._parent() if self._parent else None

    def lookup(self, path: str) -> int:
        """Return the number at a dotted path relative to this structure."""
        head, _, rest = path.partition(".")
        frame: StructureCursor | None = self
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

    def place(self, path: str) -> tuple[str, str, int]:
        """Return structure, full path and offset of a number at a path relative to this structure."""
        head, _, rest = path.partition(".")
        frame: StructureCursor | None = self
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
        """Return the offset of the nearest enclosing structure with that name, or of this one."""
        frame: StructureCursor | None = self
        while frame is not None:
            if frame.structure.name == name:
                return frame.start
            frame = frame.parent
        return self.start

    def wrong(self, source: str, limit: Limit, problem: str, expected: object, actual: object) -> DecodeError:
        """Return an error about a number at a path relative to this structure."""
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
        """Return full path and offset of a number at a path relative to this structure."""
        return NumberPlace(*self.place(path)[1:])


class FieldCursor(NamedTuple):
    """A field that is about to be read.

    Attributes:
        frame: The structure that contains it.
        field: Its layout.
        pos: Its offset in the input.
        limit: The limit that it must not exceed.
    """

    frame: StructureCursor
    field: Field
    pos: int
    limit: Limit

    @property
    def path(self) -> str:
        """Dotted path of the field from the outermost structure."""
        return f"{self.frame.path}.{self.field.name}"

    @property
    def left(self) -> int:
        """The number of bytes before the limit."""
        return self.limit.end - self.pos

    @property
    def source(self) -> NumberPlace:
        """The number that states the size of this field, or else the one that states the limit."""
        count = count_of(self.field.kind)
        if count:
            return self.frame.source(count.number)
        frame: StructureCursor | None = self.frame
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
        """Return an error about this field or one of its elements, with the number that caused it."""
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
