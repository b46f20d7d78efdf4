"""Executes the steps of a plan on many packets with the same layout.

1. Rows are processed in chunks of some thousand, so the working data stays in the processor cache.
2. Each run of fixed fields is gathered with one operation.
3. Sizes have 64 bits and are never negative, so positions only increase.  A row that exceeded its limit is
   therefore detected by one comparison at the end; until then its bytes are read from anywhere in the input.
4. A `Selection` is a subset of the rows.  Values that are zero in all of its rows are not computed.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from msmq_wire.arrow._filling.columns import BlobColumn, ValueColumn
from msmq_wire.arrow._filling.store import INLINE
from msmq_wire.arrow._input import VIEW_BITS

from .lists import Records, apart, repeat, series, typed
from .selection import GatheredBytes, Selection
from .steps import (
    LEFT,
    Among,
    Apart,
    Bound,
    Close,
    Formula,
    Mark,
    Option,
    Part,
    Parts,
    Plan,
    Present,
    Repeat,
    Run,
    Select,
    Series,
    Typed,
    Undecided,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from msmq_wire.arrow._filling.nested import Columns

    from .selection import Terminators, Windows

    Integers = NDArray[np.int64]
    Mask = NDArray[np.bool_]

_PREFIX = 4
"""Prefix in bytes of a long value that a view repeats; also the offset of a short value in its view."""
_WORD = np.dtype("<i4")
_PAIR = np.dtype("<i8")


class Target(NamedTuple):
    """The destination of a field of a run.

    Attributes:
        name: The name of the field in the run.
        column: The column to write to, if it was selected.
        path: The path of the field, if formulas use its values.
    """

    name: str
    column: ValueColumn | None
    path: str | None


class Targets(dict[int, list[Target]]):
    """Destinations of each run, computed on first use."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self._records: dict[str, Records] = {}

    def records(self, structure: str) -> Records:
        """Return the record cache of a structure."""
        return self._records.setdefault(structure, Records(structure))

    def of(self, step: Run) -> list[Target]:
        """Return the destinations of a run; plans are never deleted, so `id` identifies their steps."""
        targets = self.get(id(step))
        if targets is None:
            targets = self[id(step)] = []
            for slot in step.slots:
                column = self.columns[slot.path]
                wanted = column if isinstance(column, ValueColumn) else None
                if wanted is not None or slot.kept:
                    targets.append(Target(slot.name, wanted, slot.path if slot.kept else None))
        return targets


class Chunk:
    """A chunk of some thousand rows that is being read.

    Attributes:
        windows: The input.
        targets: Where to write values.
        terminators: Positions of null characters.
        traced: Path of the bytes whose position is stored as a mark.
        start: Index of the first row.
        size: Number of rows.
    """

    def __init__(
        self, windows: Windows, targets: Targets, terminators: Terminators, traced: str, start: int, size: int
    ) -> None:
        self.windows = windows
        self.targets = targets
        self.columns = targets.columns
        self.terminated = terminators.sizes
        self.terminators = terminators
        self.traced = traced
        self.start = start
        self.size = size

    def within(self, columns: Columns, size: int) -> Chunk:
        """Return a chunk for structures within these rows, which are rows of their own columns."""
        return Chunk(self.windows, Targets(columns), self.terminators, "", 0, size)

    def read(self, plan: Plan, chosen: Selection) -> Selection:
        """Execute a plan; return the rows that may be valid."""
        for step in plan:
            chosen = _WAYS[type(step)](self, step, chosen)
            if not len(chosen.at):
                return chosen
        return chosen

    def present(self, step: Present, chosen: Selection) -> Selection:
        """Mark the structure as present."""
        column = self.columns[step.path]
        if column is not None:
            column.mark(self.start, self.size, chosen.rows)
            if column.begins is not None:
                rows = slice(None) if chosen.rows is None else chosen.rows
                column.begins[self.start : self.start + self.size][rows] = chosen.at
        return chosen

    def run(self, step: Run, chosen: Selection) -> Selection:
        """Read a run of fixed fields."""
        at = chosen.at
        gathered = chosen.ahead(at, step.size)
        if gathered is None:
            # Also gather the next bytes: they may be a short value, and gathering again would cost more.
            gathered = GatheredBytes(at, self.windows.gather(step.size + INLINE, at), 0)
        fields = gathered.fields(step.dtype)
        chosen.at = at + step.size
        chosen.gathered = GatheredBytes(chosen.at, gathered.records, gathered.offset + step.size)
        start, size, rows = self.start, self.size, chosen.rows
        for name, column, path in self.targets.of(step):
            values = fields[name]
            if column is None:
                values = np.ascontiguousarray(values)
            else:
                if column.optional:
                    column.mark(start, size, rows)
                if rows is None:
                    values = column.write_all(start, values)
                else:
                    values = column.write_some(start, size, rows, values)
            if path is not None:
                chosen.set_values(path, values)
        return chosen

    # -- variable-length bytes

    def parts(self, step: Parts, chosen: Selection) -> Selection:
        """Read bytes whose sizes are known from earlier fields."""
        at = chosen.at
        fields: list[tuple[str, Integers, Any]] = []
        good: Any = None
        for part in step.parts:
            if part.terminated:
                size = self.terminated(at)
                fields.append((part.path, at, size))
                at = at + size + 2
                continue
            size = self._size(part, chosen, at)
            if part.even and not isinstance(size, int):
                even = size & 1 == 0
                good = even if good is None else good & even
            if isinstance(size, int) and size:
                size = np.full(len(at), size)
            fields.append((part.path, at, size))
            if part.path == self.traced:
                chosen.values[f"@{part.path}"] = at
            if not isinstance(size, int):
                at = at + size
        chosen.at = at
        for path, start, size in fields:
            column = self.columns[path]
            if isinstance(column, BlobColumn):
                column.mark(self.start, self.size, chosen.rows)
                if not isinstance(size, int):
                    self.views(column, chosen, start, size)
        return chosen if good is None else chosen.kept(good)

    def _size(self, part: Part, chosen: Selection, at: Integers) -> Any:
        """Return the size of a part in bytes, as an array or as one number for all rows."""
        if part.aligned:
            mark, boundary, cut = part.aligned
            size = chosen.value(f"@{mark}") - at & boundary - 1
            if part.before is not None:
                size = np.where(
                    self._stands(part.before, at + size) & ~self._stands(part.before, at), size, 0
                )
            return np.maximum(np.minimum(size, chosen.value("@limit") - at), 0) if cut else size
        assert part.size is not None  # noqa: S101  # the plan counts all other parts
        size = self.formula(part.size, chosen)
        return size * part.unit if part.unit > 1 else size

    def _stands(self, number: int, at: Integers) -> Any:
        """Return where the two-byte number is in the input; undefined for offsets after the input."""
        return self.windows.gather(2, at).view("<u2") == number

    def views(self, column: BlobColumn, chosen: Selection, at: Integers, size: Integers) -> None:
        """Write views of the bytes at these offsets."""
        used = np.count_nonzero(size)
        if not used:
            return
        rows, gathered = chosen.rows, chosen.ahead(at, INLINE)
        if used * 2 < len(size):
            index = size.nonzero()[0]
            at, size, gathered = at[index], size[index], None
            rows = index if rows is None else rows[index]
        views = column.room(self.start, len(size)) if rows is None else np.empty(len(size), "V16")
        words = views.view("<i4").reshape(-1, 4)
        longest = int(size.max())
        lead = _PREFIX if longest <= _PREFIX or int(size.min()) > INLINE else INLINE
        if gathered is None:
            gathered = GatheredBytes(at, self.windows.gather(lead, at), 0)
        words[:, 1] = gathered.fields(_WORD)
        if longest <= _PREFIX:
            words[:, 1] &= _MASKS_4.take(size)
            views.view(_PAIR).reshape(-1, 2)[:, 1] = 0
        elif lead == _PREFIX:
            self._places(words, at)
        else:
            views.view(_PAIR).reshape(-1, 2)[:, 1] = gathered.fields(_PAIR, _PREFIX)
            short = (size <= INLINE).nonzero()[0]
            inline = views[short]
            self._places(words, at)
            inline.view("<u8")[:] &= _MASKS_16.take(size[short]).view("<u8")
            views[short] = inline
        words[:, 0] = size
        if rows is not None:
            column.write_some(self.start, self.size, rows, views)

    def _places(self, words: Any, at: Integers) -> None:
        """Store buffer index and offset in views."""
        words[:, 2] = at >> VIEW_BITS
        words[:, 3] = at & (1 << VIEW_BITS) - 1

    # -- conditional steps

    def formula(self, formula: Formula, chosen: Selection) -> Any:
        """Return the value of a formula for each row; one number if all its inputs are zero."""
        if formula.bare:
            return _named(formula, chosen, formula.bare)
        return formula.compute(partial(_named, formula, chosen))

    def option(self, step: Option, chosen: Selection) -> Selection:
        """Execute steps for the rows in which the test is not zero."""
        has_part = self.formula(step.test, chosen)
        if isinstance(has_part, int):
            taken = bool(has_part)
        else:
            (index,) = (has_part != 0).nonzero()
            taken = len(index) == len(chosen.at)
            if len(index) and not taken:
                return self._branches(chosen, [(index, step.steps)], step.exports)
        if taken:
            return self.read(step.steps, chosen)
        for path in step.exports:
            chosen.set_values(path, np.zeros(len(chosen.at), np.int64))
        return chosen

    def select(self, step: Select, chosen: Selection) -> Selection:
        """Execute the steps of each form for the rows with that form."""
        selector = self.formula(step.selector, chosen)
        if isinstance(selector, int):
            for values, steps in step.forms:
                if selector in values:
                    return self.read(steps, chosen)
            return chosen.narrowed(np.empty(0, np.int64))
        masks = [_among(selector, values) for values, _ in step.forms]
        if sum(map(np.count_nonzero, masks)) < len(selector):
            (index,) = np.logical_or.reduce(masks).nonzero()
            chosen = chosen.narrowed(index)
            masks = [mask[index] for mask in masks]
        branches = [
            (mask.nonzero()[0], steps) for mask, (_, steps) in zip(masks, step.forms, strict=True) if steps
        ]
        return self._branches(chosen, branches, ())

    def _branches(
        self, chosen: Selection, branches: list[tuple[Integers, Plan]], exports: tuple[str, ...]
    ) -> Selection:
        """Execute each plan for the rows at its positions; the plans share no rows."""
        at = chosen.at.copy()
        good: Any = None
        for index, steps in branches:
            if not len(index):
                continue
            if len(index) == len(at):
                return self.read(steps, chosen)
            inner = chosen.narrowed(index)
            read = self.read(steps, inner)
            indices = index if read is inner else read.places_in(chosen)
            at[indices] = read.at
            for path in exports:
                word = np.zeros(len(at), np.int64)
                word[indices] = read.value(path)
                chosen.set_values(path, word)
            if read is not inner:
                good = np.ones(len(at), np.bool_) if good is None else good
                good[index] = False
                good[indices] = True
        chosen.at = at
        return chosen if good is None else chosen.kept(good)

    def bound(self, step: Bound, chosen: Selection) -> Selection:
        """Reduce the limit."""
        limit = chosen.value("@") + self.formula(step.size, chosen)
        end = chosen.value("@end")
        for test, room in step.outside:
            rides = self.formula(test, chosen)
            if not isinstance(rides, int):
                limit = limit - ((rides != 0) & (limit == end)) * room
        # A structure that would end after its row gets an unreachable limit.
        chosen.values["@limit"] = np.where(limit <= end, limit, -1)
        return chosen


def _mark(_chunk: Chunk, step: Mark, chosen: Selection) -> Selection:
    chosen.values[f"@{step.path}"] = chosen.at
    return chosen


def _among(numbers: Any, values: tuple[int, ...]) -> Mask:
    """Return which numbers are among these values."""
    good: Mask = numbers == values[0]
    for value in values[1:]:
        good |= numbers == value
    return good


def _known(_chunk: Chunk, step: Among, chosen: Selection) -> Selection:
    return chosen.kept(_among(chosen.value(step.path), step.values))


def _close(_chunk: Chunk, _step: Close, chosen: Selection) -> Selection:
    chosen = chosen.kept(chosen.at == chosen.value("@limit"))
    chosen.values["@limit"] = chosen.value("@end")
    return chosen


def _undecided(_chunk: Chunk, _step: Undecided, chosen: Selection) -> Selection:
    return chosen.narrowed(np.empty(0, np.int64))


# Functions, not bound methods: bound methods would form a reference cycle with the decoded data, and its
# memory would only be released by the garbage collector.
_WAYS: dict[type[Any], Callable[[Chunk, Any, Selection], Selection]] = {
    Run: Chunk.run,
    Parts: Chunk.parts,
    Present: Chunk.present,
    Option: Chunk.option,
    Select: Chunk.select,
    Bound: Chunk.bound,
    Apart: apart,
    Series: series,
    Typed: typed,
    Repeat: repeat,
    Among: _known,
    Mark: _mark,
    Close: _close,
    Undecided: _undecided,
}


def _named(formula: Formula, chosen: Selection, name: str) -> Any:
    """Return the value of a name in a formula for each row; 0 if it is zero in all rows."""
    if name == LEFT:
        return chosen.value("@limit") - chosen.at
    path, group = formula.names[name]
    if group is None:
        return chosen.number(path) if chosen.bits(path) else 0
    if not chosen.bits(path) & group.mask:
        return 0
    number = chosen.value(path) >> group.shift & (1 << group.width) - 1
    # Values that are only compared can be narrow; values for arithmetic need 64 bits.
    return number if formula.bare else number.astype(np.int64)


def _masks(width: int, start: int, longest: int) -> NDArray[np.uint8]:
    """Return a mask for each length: all bits of that many bytes after `start`, and of the bytes before."""
    masks = np.zeros((longest + 1, width), np.uint8)
    for length in range(longest + 1):
        masks[length, : start + length] = 0xFF
    return masks


_MASKS_4 = _masks(4, 0, 4).view("<i4")[:, 0]
_MASKS_16 = _masks(16, _PREFIX, INLINE).view("V16")[:, 0]
