"""Where the slow reader is: in which structures, at which field, and what it must not go beyond.

An expression of a layout names a number by a dotted path: a field of its own structure, of a part that was
read there before, or of a structure around it.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.values.errors import DecodeError

from . import expression
from .model import EOF, NUL

if TYPE_CHECKING:
    from .model import Field, Structure

__all__ = ["NOBODY", "Frame", "Limit", "Source", "Spot"]


class Source(NamedTuple):
    """The number that an error is about: where it stands."""

    path: str | None
    offset: int | None


NOBODY = Source(None, None)
"""No number is to blame."""


class Limit(NamedTuple):
    """An offset to stop at, what sets it, and where that stands."""

    end: int
    name: str
    source: Source = NOBODY


class Frame:
    """One structure being read.

    Attributes:
        structure: Its layout.
        path: Its dotted path from the outermost structure.
        start: Its offset in the input.
        values: Its fields that were read, by name.
        starts: The offsets of those that are no structures.
        inner: Those that are.
        claim: The count that says that there is such an element, where the bytes left are too few for one.
    """

    def __init__(self, structure: Structure, path: str, start: int, parent: Frame | None) -> None:
        self.structure = structure
        self.path = path
        self.start = start
        self._parent = weakref.ref(parent) if parent else None  # a cycle would outlive the reading
        self.values: dict[str, Any] = {}
        self.starts: dict[str, int] = {}
        self.inner: dict[str, Frame] = {}
        self.claim: Source | None = None

    @property
    def parent(self) -> Frame | None:
        """The structure around it."""
        return self._parent() if self._parent else None

    def lookup(self, path: str) -> int:
        """The number at a dotted path, seen from here."""
        head, _, rest = path.partition(".")
        frame: Frame | None = self
        while frame is not None:
            if rest and head in frame.inner:
                return frame.inner[head].lookup(rest)
            if head in frame.values:
                word = frame.values[head]
                if not rest:
                    return int(word)
                return 0 if word is None else int(getattr(word, rest))
            if head in frame.structure.by_name:
                return 0  # an optional structure that is absent
            frame = frame.parent
        raise KeyError(path)

    def place(self, path: str) -> tuple[str, str, int]:
        """Structure, whole path and offset of a number that an expression here can name."""
        head, _, rest = path.partition(".")
        frame: Frame | None = self
        while frame is not None:
            if head in frame.starts:
                return frame.structure.name, f"{frame.path}.{path}", frame.starts[head]
            if rest and head in frame.inner:
                return frame.inner[head].place(rest)
            frame = frame.parent
        raise KeyError(path)

    def evaluate(self, source: str, remaining: int = 0) -> int:
        """The value of an expression here; `remaining` is how many bytes there are up to the limit."""
        return int(
            expression.evaluator(source)(lambda name: remaining if name == "remaining" else self.lookup(name))
        )

    def origin(self, name: str) -> int:
        """Where the nearest enclosing structure of that name starts, or else this one."""
        frame: Frame | None = self
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

    def source(self, path: str) -> Source:
        """Where a number stands that an expression here can name."""
        return Source(*self.place(path)[1:])


class Spot(NamedTuple):
    """A field that is to be read.

    Attributes:
        frame: The structure that it belongs to.
        field: Its layout.
        pos: Its offset in the input.
        limit: What it must not go beyond.
    """

    frame: Frame
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
    def source(self) -> Source:
        """The number that says how much there has to be here, or else the one that says how much there is."""
        count = getattr(self.field.kind, "count", None)
        turned = expression.quotient(count) if isinstance(count, str) else None
        if turned and turned[0] not in {EOF, NUL}:
            return self.frame.source(turned[0])
        frame: Frame | None = self.frame
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
        source: Source = NOBODY,
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
