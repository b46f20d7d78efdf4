"""The position of the diagnostic reader in the bytes: enclosing structures, current field, and limits.

A layout refers to a number by a dotted path.  The number is in the same structure, in a part that was read
before, or in an enclosing structure.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from msmq_wire.values.errors import DecodeError

from .model import Field, count_of

if TYPE_CHECKING:
    from .model import Structure
    from .steps import Program


class NumberPlace(NamedTuple):
    """Path and offset of the number that caused an error."""

    path: str | None
    offset: int | None


NOBODY = NumberPlace(None, None)
"""No number caused the error."""


class Limit(msgspec.Struct, frozen=True, gc=False):
    """The offset where reading must stop, the name of its cause, and the number that states it.

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


@lru_cache(maxsize=512)  # more than the layouts have
def _steps(path: str) -> tuple[str, tuple[str, ...]]:
    head, *more = path.split(".")
    return head, tuple(more)


@cache
def is_placed(structure: Structure) -> bool:
    """Return whether a structure can be read alone and has every number at a fixed offset."""
    numbers = [field.name for field in structure.fields if field.kind.is_number]
    last = structure.by_name[numbers[-1]] if numbers else None
    before = takewhile(lambda field: field is not last, structure.fields)
    return not structure.scoped and all(field.fixed_size is not None for field in before)


class StructureCursor:
    """A structure that is being read.

    Attributes:
        program: Its steps.
        structure: Its layout.
        root: The name of the outermost structure, with a trailing dot.
        prefix: Its path from the outermost structure, with a trailing dot; empty for the outermost one.
        start: Its offset in the input.
        parent: The enclosing structure; None if there is none, or after it was read.
        values: The fields read so far, by name.
        starts: The offsets of rows, and of the other fields by name.
        inner: The nested structures that were read field by field.
        limit: The limit of its fields.
        is_known: Whether its values confirm that it is this structure.
        is_in_step: Whether no skipped field determines the offsets of later fields.
        is_packed: Whether it is in a list whose elements have no paddings.
        claim: The count that announces this element, if too few bytes remain for it.
    """

    __slots__ = (
        *("claim", "inner", "is_in_step", "is_known", "is_packed", "limit", "parent", "prefix", "program"),
        *("root", "start", "starts", "structure", "values"),
    )

    def __init__(
        self, program: Program, root: str, prefix: str, start: int, parent: StructureCursor | None
    ) -> None:
        self.program = program
        self.structure = program.structure
        self.root = root
        self.prefix = prefix
        self.start = start
        self.parent = parent
        self.values: dict[str, Any] = {}
        self.starts: dict[Any, int] = {}
        self.inner: dict[str, StructureCursor] = {}
        self.is_known = self.is_packed = False
        self.is_in_step = True
        self.claim: NumberPlace | None = None
        self.limit: Limit

    @property
    def path(self) -> str:
        """Its dotted path, which begins with the name of the outermost structure."""
        return f"{self.root}{self.prefix}"[:-1]

    def lookup(self, path: str) -> Any:
        """Return the number at a dotted path relative to this structure; 0 if its structure is absent."""
        head, more = _steps(path)
        value = self.values.get(head)
        if value is None:
            return self._lookup(path, head, more)
        for step in more:
            value = getattr(value, step)
        return value

    def _lookup(self, path: str, head: str, more: tuple[str, ...]) -> Any:
        """Look up a number in a broken part, or in an enclosing structure."""
        if more and head in self.inner:
            return self.inner[head].lookup(".".join(more))
        if head in self.structure.by_name:
            return 0
        if self.parent is None:
            raise KeyError(path)
        return self.parent.lookup(path)

    def location_of(self, path: str) -> tuple[str, str, int]:
        """Return structure, full path and offset of a number at a path relative to this structure."""
        head, more = _steps(path)
        if more and head in self.inner:
            return self.inner[head].location_of(".".join(more))
        if head in self.structure.by_name:
            step, offset = self.program.rows.get(head, (head, 0))
            structure, at = self.structure, self.starts[step] + offset
            part = structure.by_name[head].part
            if part is not None:  # the compiled decoder read it
                structure, at = part, at + part.offset_of(more[0])
            return structure.name, f"{self.root}{self.prefix}{path}", at
        if self.parent is None:
            raise KeyError(path)
        return self.parent.location_of(path)

    def origin(self, name: str) -> int:
        """Return the offset of the nearest enclosing structure with that name, or of this one."""
        cursor: StructureCursor | None = self
        while cursor is not None:
            if cursor.structure.name == name:
                return cursor.start
            cursor = cursor.parent
        return self.start

    def wrong(self, source: str, limit: Limit, problem: str, expected: object, actual: object) -> DecodeError:
        """Return an error about a number at a path relative to this structure."""
        structure, path, offset = self.location_of(source)
        return _about_number(structure, path, offset, limit, problem, expected, actual)

    def wrong_element(
        self, name: str, index: int, limit: Limit, problem: str, expected: object, actual: object
    ) -> DecodeError:
        """Return an error about an element of an array of numbers that was read."""
        path = f"{self.root}{self.prefix}{name}[{index}]"
        offset = self.starts[name] + index * self.structure.by_name[name].kind.unit
        return _about_number(self.structure.name, path, offset, limit, problem, expected, actual)

    def source(self, path: str) -> NumberPlace:
        """Return full path and offset of a number at a path relative to this structure."""
        return NumberPlace(*self.location_of(path)[1:])


def _about_number(
    structure: str, path: str, offset: int, limit: Limit, problem: str, expected: object, actual: object
) -> DecodeError:
    """Return an error about a number, which caused it itself."""
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


class FieldCursor(msgspec.Struct, frozen=True):
    """A field that is about to be read.

    Attributes:
        cursor: The structure that contains it.
        field: Its layout.
        pos: Its offset in the input.
        limit: The limit that it must not exceed.
    """

    cursor: StructureCursor
    field: Field
    pos: int
    limit: Limit

    @property
    def path(self) -> str:
        """Dotted path of the field from the outermost structure."""
        return f"{self.cursor.root}{self.cursor.prefix}{self.field.name}"

    @property
    def left(self) -> int:
        """The number of bytes before the limit."""
        return self.limit.end - self.pos

    @property
    def source(self) -> NumberPlace:
        """The number that states the size of this field, or else the one that states the limit."""
        count = count_of(self.field.kind)
        if count:
            return self.cursor.source(count.number)
        cursor: StructureCursor | None = self.cursor
        while cursor is not None:
            if cursor.claim is not None:
                return cursor.claim
            cursor = cursor.parent
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
            structure=self.cursor.structure.name,
            path=self.path if element is None else f"{self.path}[{element}]",
            offset=self.pos,
            expected=expected,
            actual=actual,
            limit=self.limit.name,
            source_path=source.path,
            source_offset=source.offset,
        )
