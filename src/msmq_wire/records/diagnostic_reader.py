"""The diagnostic reader: reads a layout in steps and knows the path and offset of each field.

1. It accepts what the compiled decoder accepts; tests compare the two.
2. It reports what the compiled decoder does not: the field, the offset and the limit of an error.
3. It keeps the fields that it has read, so that they are available for a damaged packet.
4. In lax mode it distinguishes missing bytes of a truncated packet from contradictory bytes.  After a broken
   part it continues if the part's own size states where the part ends.
5. It logs everything that it reads, with one entry for a row of fields or a complete part.  Spans and fields
   by path are derived from the log on demand.
"""

from __future__ import annotations

import struct
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from msmq_wire.values.errors import DecodeError, deferred, elsewhere, in_bytes, kept
from msmq_wire.values.refusals import IDENTIFIER, Problem, say
from msmq_wire.values.reject import Reject
from msmq_wire.values.wchar import find_terminator, from_wchars

from .cursors import NOBODY, FieldCursor, Limit, StructureCursor
from .evidence import Evidence, is_known
from .model import (
    EOF,
    NUL,
    Alignment,
    Bytes,
    Choice,
    Count,
    Extent,
    Integer,
    Items,
    Nested,
    Numbers,
    Padding,
    Presence,
    Structure,
    Text,
    Values,
    count_of,
)
from .packing import is_packed, may_be_packed, origin_of, packing, rival_stands
from .registry import CLASSES, DECODERS
from .spans import MORE, UNREAD, FieldSpan, lay_out, row_spans, spans_of
from .steps import Row, program_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from msmq_wire.values.limits import Limits

    from .model import Field
    from .steps import Program, Step


_TELLING: Final = 3
"""The number of ASCII characters before a terminator that a counted text has by more than chance."""
_NEAR: Final = 8
"""The number of bytes within which a count is directly before its text."""


class TruncatedField(NamedTuple):
    """A truncated field.

    Attributes:
        path: Dotted path of the field.
        offset: Its start, in bytes from the start of the input.
        size: Number of its bytes that are available.
        whole: Its complete size.  None if only missing bytes determine it: a null-terminated text,
            property values with such texts, and a field whose count is truncated.
        value: The available prefix: decoded for texts and property values, raw bytes otherwise.
    """

    path: str
    offset: int
    size: int
    whole: int | None
    value: Any


class _Truncated(Exception):  # not an error: it signals the end of truncated bytes
    """The bytes end in a field, although more are stated."""


class DiagnosticReader:
    """Reads one structure in steps.

    A lax reader that finds a size beyond the end of the input continues to that end and raises the error
    about the size afterwards, so a truncated packet still shows its headers.  It collects the errors of each
    part in `errors` and continues after a part whose own size states where it ends.

    Args:
        data: The bytes.
        limits: Bounds for the decoder.
        lax: Whether to continue after errors.
        whole: Whether the compiled decoders read complete parts and elements.  It is for a caller who needs
            only the error, or the fields of bytes that may only be truncated: a lax reader with it stops at
            the first contradiction.
        rejected: Whether the compiled decoder rejects these bytes.  Then a part that may be inside or after
            the stated size is not tried inside.
        shown: Number of elements of each array to read in detail.  The compiled decoder skips the others; an
            element is only read in detail if the decoder rejects it, so rejecting an array costs about as
            much as decoding it.
        fields: Number of fields after which no further element is read in detail.

    Attributes:
        readers: The function for each kind of field, for rows, for optional fields, and for counted bytes.
        completed: The fields of the outermost structure that were read completely, by name.
        reached: Offset after the last field that was decoded completely.
        stop: The error that ended reading, if it is not the one raised.
        errors: The errors that a lax reader found, in the order of the bytes; it raises the first one.
        cut: The truncated field, or None; its path is that of a span.
        passed_over: Whether elements were skipped.
        missed: Path and offset of the first field that was not read, or None.
        doubted: The path from which offsets are uncertain although no bytes contradict each other, or None.
        is_broken: Whether there is an error other than missing bytes.
    """

    def __init__(
        self,
        data: bytes,
        limits: Limits,
        *,
        lax: bool = False,
        whole: bool = False,
        rejected: bool = False,
        shown: int = sys.maxsize,
        fields: int = sys.maxsize,
    ) -> None:
        self.data = data
        self.limits = limits
        self.lax = lax
        self.whole = whole
        self.careful = lax and not whole
        self.shown = shown
        self.fields = fields
        self.rejected = rejected
        self.passed_over = self.tried_inside = self.outside_only = False

    def _start(self, name: str, pos: int) -> None:
        """Begin without results, at the offset of a structure."""
        self.root = f"{name}."
        self.log: list[tuple[Any, ...]] = []  # rows, records of complete parts, and the items of spans
        self.count = 0
        self.reached = pos
        self.stop: DecodeError | None = None
        self.errors: list[DecodeError] = []
        self.cut: TruncatedField | None = None
        self.missed: tuple[str, int] | None = None
        self.doubted: str | None = None
        self.evidence = Evidence()
        self._at = "", "", pos
        self._undecided: tuple[FieldCursor, int, dict[str, Any]] | None = None
        self._short = self._broken = self.is_broken = False
        self._end: DecodeError | None = None

    def read(self, structure: Structure, pos: int, end: int) -> tuple[Any, int]:
        """Read a structure that starts at `pos` and ends at or before `end`.

        Returns: The record and the offset after it.

        Raises:
            DecodeError: The bytes cannot be read.
        """
        record, after = self.run(structure, pos, end)
        if self.errors:
            raise elsewhere(self.errors[0])  # a kept error has no traceback, which would be a reference cycle
        return record, after

    def run(self, structure: Structure, pos: int, end: int) -> tuple[Any, int]:
        """Read a structure as `read` does, but leave its errors in `errors`; then the record is None."""
        self._start(structure.name, pos)
        cursor = StructureCursor(program_of(structure), self.root, "", pos, None)
        self.completed = cursor.values
        record, after = None, pos
        try:
            limit = Limit(end, "buffer", NOBODY, sys.maxsize if self.lax else end)
            record, after = self._structure(cursor, pos, limit)
        except _Truncated:
            self.stop = self._end
            self.missed = self.missed or self._place()
            if not self._short:
                assert self._end is not None  # noqa: S101  # made if no size states the end
                self.errors.append(self._end)
        except DecodeError as error:
            # Also releases the partial results that the traceback refers to.
            self.stop = kept(error)
            self._contradict(self.stop)
        if self.errors and self.tried_inside and not self.outside_only:
            # A part that does not fit inside the stated size is after it: read again, with the part truncated
            # there.
            self.outside_only = True
            return self.run(structure, pos, end)
        if self.errors:
            self._take_back()
            self.evidence.end(len(self.log))
            # A broken part inside a truncated one adds its own error.
            self.is_broken = self._broken or len(self.errors) > 1
            if self.stop is self.errors[0]:
                self.stop = None
        return record, after

    # ---------------------------------------------------------------------------------------- results

    @property
    def spans(self) -> list[FieldSpan]:
        """Every field that was read, in order; one `MORE` span stands for skipped elements."""
        return [*self._spans_of(self.log)]

    @property
    def doubtful(self) -> list[FieldSpan]:
        """The spans whose offset may be wrong, because bytes contradict each other."""
        return [span for first, last in self.evidence.doubts for span in self._spans_of(self.log[first:last])]

    def _spans_of(self, entries: list[tuple[Any, ...]]) -> Iterator[FieldSpan]:
        root = self.root
        for entry in entries:
            first = entry[0]
            if first.__class__ is Row:
                yield from row_spans(first, root + entry[1], *entry[2:])
            elif first.__class__ is str:
                path = root + first if first and first != UNREAD else root[:-1] + first
                yield FieldSpan(path, *entry[1:])
            else:
                yield from spans_of(first, (root + entry[1])[:-1], *entry[2:])

    def by_path(self, most: int) -> tuple[dict[str, Any], dict[str, Any], int]:
        """Return the fields by their path in the structure.

        Complete elements of arrays are omitted if there are `most` fields before them.

        Returns: The fields whose offset is certain, the other fields, and the number of omitted elements.
        """
        fields: dict[str, Any] = {}
        doubtful: dict[str, Any] = {}
        in_doubt = {at for first, last in self.evidence.doubts for at in range(first, last)}
        omitted = 0
        for at, entry in enumerate(self.log):
            into = doubtful if at in in_doubt else fields
            first, value = entry[0], entry[3]
            if first.__class__ is Row:
                into.update(zip(first.paths(entry[1]), value, strict=False))
            elif first.__class__ is not str:
                if value is None and len(into) >= most:
                    omitted += 1
                else:
                    omitted += lay_out(first, entry[1], into, most)
            elif value is not None:
                if first[-1:] != "]":
                    into[first] = value
                elif first.endswith(MORE):
                    omitted += value
                elif not first.endswith(UNREAD):
                    into[first] = value
        return fields, doubtful, omitted

    # ----------------------------------------------------------------------------------------- errors

    def _place(self) -> tuple[str, int]:
        """Return path and offset of the field that is being read."""
        prefix, name, pos = self._at
        return (prefix + name).removesuffix("."), pos

    def _take_back(self) -> None:
        """Discard fields after a padding if the bytes end before it is known whether the padding exists."""
        if self._undecided is None or self._broken:
            return
        padding, count, completed = self._undecided
        del self.log[count:]
        path = padding.cursor.prefix + padding.field.name
        self.missed, self.cut = (path, padding.pos), None
        if padding.left:
            self.cut = TruncatedField(
                path, padding.pos, padding.left, None, self.data[padding.pos : padding.limit.end]
            )
        if len(completed) < len(self.completed):
            self.completed, self.reached = completed, padding.pos

    def _contradict(self, error: DecodeError) -> None:
        """Store the error of a part."""
        self.missed = self.missed or self._place()
        if not self._broken:
            self._broken, self.completed = True, self.completed.copy()
        if all(known is not error for known in self.errors):
            self.errors.append(kept(error))
            if not error.limit.startswith("Limits."):
                self.evidence.doubt(len(self.log))

    def _truncate(
        self, at: FieldCursor, whole: int | None, value: Any, error: DecodeError | None
    ) -> _Truncated:
        """Store the truncated field, and the error if it is wanted; return the signal."""
        self._end = error
        if at.left:
            path = at.cursor.prefix + at.field.name
            self.cut = TruncatedField(path, at.pos, at.left, whole, value)
        return _Truncated()

    def _miss(self, error: DecodeError) -> None:
        """Store the error of a size or count that exceeds the bytes, although stated bytes are missing."""
        if not self._short:
            self.errors.append(error)
            self._short = True

    def _hold(self, at: FieldCursor, elements: int) -> None:
        """Check the number of elements or WCHARs against the limit of the field."""
        cursor, field = at.cursor, at.field
        assert field.limit  # noqa: S101  # called for arrays and texts only
        if elements <= getattr(self.limits, field.limit):
            return
        owner, path, offset = cursor.structure.name, at.path, at.pos
        count = count_of(field.kind)
        if count:
            owner, path, offset = cursor.location_of(count.number)
        self.limits.hold(field.limit, elements, structure=owner, path=path, offset=offset)

    # ------------------------------------------------------------------------------------- structures

    def _structure(
        self, cursor: StructureCursor, pos: int, outer: Limit, field: Field | None = None
    ) -> tuple[Any, int]:
        """Read a structure; return its record, None if a part of it is broken, and the offset after it."""
        structure, path = cursor.structure, cursor.prefix[:-1]
        opened = len(self.log)
        self.log.append((path, pos, 0, None, field, structure))
        self.count += 1
        broken, self._broken = self._broken, False
        cursor.limit = outer
        if self.careful and structure.extent:
            failed: DecodeError | None = None
            try:
                pos = self._fields(cursor, pos, outer)
            except DecodeError as error:
                failed = kept(error)
            if failed is not None:
                pos = self._behind(cursor, outer, failed)
        else:
            pos = self._fields(cursor, pos, outer)
        record = None
        if not self._broken:
            values = cursor.values
            record = CLASSES[structure.name].raw(*[values[field.name] for field in structure.fields])
            self.log[opened] = (path, cursor.start, pos - cursor.start, None, field, structure)
        if not cursor.is_in_step:
            self.evidence.doubt(len(self.log))
        self._broken |= broken
        cursor.parent = None  # otherwise the two would keep each other
        return record, pos

    def _fields(self, cursor: StructureCursor, pos: int, outer: Limit) -> int:
        """Read the fields of a structure; return the offset after them."""
        extent = cursor.structure.extent
        limit, closed, outermost, readers = outer, extent is None, cursor.parent is None, self.readers
        for step in cursor.program.steps:
            if step.outside and not closed:
                self._close(cursor, pos, limit)
                pos, limit, closed = limit.end, outer, True
            pos = readers[step.reader](self, cursor, step, pos, limit)
            if outermost and not self._broken:
                self.reached = pos
            if extent and step.narrows:
                limit = cursor.limit = self._narrow(cursor, extent, pos, outer)
                # Flags in the part with the size announce the following parts.
                if outermost and "." in extent.path:
                    self.evidence.fixed = False
        if not closed:
            self._close(cursor, pos, limit)
        return pos

    def _behind(self, cursor: StructureCursor, outer: Limit, error: DecodeError) -> int:
        """Continue after a broken part, if its own size states where it ends.

        Raises:
            DecodeError: The size does not state it; this is the given error.
        """
        limit, structure = cursor.limit, cursor.structure
        here = self._last_end()
        outside = [
            step
            for step in cursor.program.steps
            if step.outside and CLASSES[step.fields[0].name].layout.least_size <= outer.end - limit.end
        ]
        if limit is outer or limit.is_short or here > limit.end or (cursor.parent is None and not outside):
            raise error
        self._contradict(error)
        if here < limit.end:
            path, raw = cursor.prefix[:-1] + UNREAD, self.data[here : limit.end]
            self._add(path, here, raw, structure=structure)
        pos = limit.end
        for step in outside:
            pos = self.readers[step.reader](self, cursor, step, pos, outer)
        return pos

    def _last_end(self) -> int:
        """Return the offset after the last field that was read."""
        *_, last = self._spans_of(self.log[-1:])
        return last.offset + last.size

    def _narrow(self, cursor: StructureCursor, extent: Extent, pos: int, outer: Limit) -> Limit:
        """Return the limit that the size of a structure states."""
        size = cursor.lookup(extent.path)
        end = cursor.start + (size + extent.multiple - 1) // extent.multiple * extent.multiple
        if end > outer.end:
            locate = partial(_too_large, cursor, extent, outer, size, end)
            if not self.lax or end > outer.says:
                raise locate()
            self._miss(deferred(locate))
            return Limit(outer.end, outer.name, outer.source, end)
        for field in cursor.structure.fields:
            rides = field.outside and field.present and field.present.test(cursor.lookup, 0)
            if rides and outer.end == end and not self.outside_only:
                self.outside_only, self.tried_inside = self.rejected, not self.rejected
                end -= 0 if self.rejected else CLASSES[field.name].layout.fixed_size
        if pos > end:
            taken = pos - cursor.start
            problem = say(Problem.SIZE_BELOW, in_bytes(taken), size)
            raise cursor.wrong(extent.path, outer, problem, f"at least {taken}", size)
        owner, _, name = extent.path.rpartition(".")
        return Limit(end, f"{owner or cursor.structure.name}.{name}", cursor.source(extent.path), end)

    def _close(self, cursor: StructureCursor, pos: int, limit: Limit) -> None:
        """Check that a structure ends at its limit."""
        if pos != limit.end:
            self._at = cursor.prefix, "", pos
            raise DecodeError(
                say(Problem.LEFT_OVER, in_bytes(limit.end - pos)),
                structure=cursor.structure.name,
                path=cursor.path,
                offset=pos,
                expected=0,
                actual=limit.end - pos,
                limit=limit.name,
                source_path=limit.source.path,
                source_offset=limit.source.offset,
            )
        if limit.is_short:
            self.missed = self.missed or (cursor.prefix[:-1], pos)
        elif cursor.parent is None:
            self.evidence.confirm(len(self.log))  # it ends exactly at the limit

    # ------------------------------------------------------------------------------------------ steps

    def _add(
        self,
        path: str,
        pos: int,
        value: Any,
        size: int | None = None,
        field: Any = None,
        structure: Any = None,
    ) -> None:
        """Log a field, skipped elements or skipped bytes."""
        self.log.append((path, pos, len(value) if size is None else size, value, field, structure))
        self.count += 1

    def _row(self, cursor: StructureCursor, row: Row, pos: int, limit: Limit) -> int:
        """Read consecutive fields of fixed size."""
        room = limit.end - pos
        values = row.values(self.data, pos, room)
        cursor.values.update(zip(row.names, values, strict=False))
        cursor.starts[row] = pos
        self.log.append((row, cursor.prefix, pos, values))
        self.count += len(values)
        if room < row.size:
            self._cut_row(cursor, row, len(values), pos, limit)
        after = pos + row.size
        self._at = (cursor.prefix, "", after) if len(values) > 1 else (cursor.prefix, row.names[0], pos)
        if self.careful:
            self._weigh(cursor, len(values))
        return after

    def _cut_row(self, cursor: StructureCursor, row: Row, count: int, pos: int, limit: Limit) -> None:
        """Raise the error for a row of which only the first fields are available."""
        offset, after = row.offsets[count : count + 2]
        if self.evidence.fixed:
            self.evidence.confirm(len(self.log))
        if cursor.parent is None and not self._broken:
            self.reached = pos + offset
        if not count:
            self.log.pop()
        self._at = cursor.prefix, row.names[count], pos + offset
        self._short_of(FieldCursor(cursor, row.fields[count], pos + offset, limit), after - offset)

    def _weigh(self, cursor: StructureCursor, count: int) -> None:
        """Confirm the fields read so far, if their offset is fixed or their values identify the structure."""
        parent = cursor.parent
        if count > 1:
            around, name = parent.structure if parent else None, cursor.prefix[:-1].rpartition(".")[2]
            cursor.is_known |= is_known(
                cursor.structure, around, name or cursor.structure.name, cursor.values
            )
        if self.evidence.fixed or (count > 1 and cursor.is_known):
            self.evidence.confirm(len(self.log))

    def _optional(self, cursor: StructureCursor, step: Step, pos: int, limit: Limit) -> int:
        """Read a field that may be absent."""
        self.evidence.fixed = False
        end = limit.end if limit.says == sys.maxsize else limit.says
        field = step.field
        if step.is_present(cursor, end - pos):
            lost = self.outside_only and cursor.parent is not None
            if field.rival is None or not rival_stands(field, self.data, pos, end, lost):
                return self.readers[step.kind_reader](self, cursor, step, pos, limit)
        cursor.values[field.name] = None
        return pos

    def _fixed(self, cursor: StructureCursor, step: Step, pos: int, limit: Limit) -> int:
        """Read a single field of fixed size."""
        field, name = step.field, step.field.name
        at = FieldCursor(cursor, field, pos, limit)
        self._at = cursor.prefix, name, pos
        assert step.form is not None  # noqa: S101  # such fields have this function
        size, convert, code = step.form
        if size > at.left:
            self._short_of(at, size)
        (value,) = struct.unpack_from(f"<{code}", self.data, pos)
        value = value if convert is None else convert(value)
        self._read(at, size, value)
        if field.known and value not in field.known:
            known = "one of " + ", ".join(f"{number:#x}" for number in field.known)
            self._at = cursor.prefix, "", pos + size
            del cursor.values[name]
            raise at.wrong(say(Problem.VALUE, known, f"{value:#x}"), known, value)
        if self.evidence.fixed:
            self.evidence.confirm(len(self.log))
        return pos + size

    def _read(self, at: FieldCursor, size: int, value: Any) -> None:
        """Keep the value of a field."""
        cursor, name = at.cursor, at.field.name
        cursor.values[name] = value
        cursor.starts[name] = at.pos
        self._add(cursor.prefix + name, at.pos, value, size, at.field, cursor.structure)

    def _short_of(self, at: FieldCursor, size: int) -> None:
        """Raise the error for a field with fewer bytes than it needs."""
        is_missing = size <= at.limit.says - at.pos
        error = None
        if not (is_missing and self.whole and self._short):  # the error about a size is known
            error = at.wrong(say(Problem.SHORT, in_bytes(size), at.left), size, at.left, source=at.source)
        if is_missing:
            raise self._truncate(at, size, self._available(at), error)
        assert error is not None  # noqa: S101  # see above
        raise error

    def _available(self, at: FieldCursor) -> Any:
        """Return the available part of a truncated field."""
        raw = self.data[at.pos : at.limit.end]
        return from_wchars(raw[: len(raw) // 2 * 2]) if isinstance(at.field.kind, Text) else raw

    def _counted(self, cursor: StructureCursor, step: Step, pos: int, limit: Limit) -> int:
        """Read consecutive bytes whose sizes follow from numbers."""
        self.evidence.fixed = False
        prefix, structure, end, data = cursor.prefix, cursor.structure, limit.end, self.data
        near = (cursor.parent or cursor if structure.scoped else cursor).values  # usually there
        numbers = {
            path: cursor.lookup(path) if (number := near.get(path)) is None else number
            for path in step.numbers
        }
        for field, size_in in zip(step.fields, step.sizes, strict=True):
            name, size = field.name, int(size_in(numbers.__getitem__))
            self._at = prefix, name, pos
            if size > end - pos:
                if cursor.parent is None and not self._broken:
                    self.reached = pos
                self._short_of(FieldCursor(cursor, field, pos, limit), size)
            cursor.values[name] = value = data[pos : pos + size]
            cursor.starts[name] = pos
            self.log.append((prefix + name, pos, size, value, field, structure))
            self.count += 1
            pos += size
        return pos

    def _sized(self, cursor: StructureCursor, step: Step, pos: int, limit: Limit) -> int:
        """Read a text, a padding, an array of numbers, or the bytes that remain."""
        at = FieldCursor(cursor, step.field, pos, limit)
        self._at = cursor.prefix, step.field.name, pos
        self.evidence.fixed = False
        kind = step.kind
        if self.careful and isinstance(kind, Text) and isinstance(kind.count, Count):
            return self._counted_text(at, kind.count)
        return self._variable(at, self._size(at))

    def _variable(self, at: FieldCursor, size: int) -> int:
        """Read a field whose size was computed."""
        if size > at.left:
            self._short_of(at, size)
        kind, pos = at.field.kind, at.pos
        raw: Any = self.data[pos : pos + size]
        match kind:
            case Text(count=count):
                at.cursor.starts[at.field.name] = pos
                self._hold(at, size // 2 - (count == NUL))
                raw = from_wchars(raw[:-2] if count == NUL else raw)
            case Numbers(format=code):
                at.cursor.starts[at.field.name] = pos
                self._hold(at, size // kind.unit)
                raw = struct.unpack(f"<{size // kind.unit}{code}", raw)
        self._read(at, size, raw)
        return pos + size

    def _tells(self, text: str, at: FieldCursor, count: Count) -> bool:
        """Return whether a text that ends with its terminator is where it should be by more than chance.

        A text directly behind its count may be that of another structure.
        """
        if at.cursor.is_known or not text.isprintable():
            return text.isprintable()
        _, _, count_at = at.cursor.location_of(count.number)
        return text.isascii() and len(text) >= _TELLING and at.pos - count_at > _NEAR

    def _counted_text(self, at: FieldCursor, count: Count) -> int:
        """Read a text, or skip an invalid one, because its count states where it ends."""
        cursor = at.cursor
        try:
            pos = self._variable(at, self._size(at))
        except DecodeError as error:
            failed = kept(error)
        else:
            text = cursor.values[at.field.name]
            if text[-1:] == "\0" and text[:-1] and self._tells(text[:-1], at, count):
                self.evidence.confirm(len(self.log))
                self.evidence.fixed = False
            return pos
        size = int(cursor.lookup(count.number)) * 2 // count.per_unit
        if size > at.left:
            raise failed
        self._contradict(failed)
        cursor.is_in_step = False
        cursor.values[at.field.name] = None
        raw = self.data[at.pos : at.pos + size]
        self._add(cursor.prefix + at.field.name + UNREAD, at.pos, raw, structure=cursor.structure)
        return at.pos + size

    def _size(self, at: FieldCursor) -> int:
        """Return the size of a field in bytes, from numbers or from the bytes themselves."""
        cursor, kind = at.cursor, at.field.kind
        match kind:
            case Text(count=count):
                _check_offset(at)
                return self._text_size(at, count)
            case Padding(alignment=rule):
                return self._padding_size(at, rule)
        count = kind.length(cursor.lookup)
        return _to_the_end(at) if count is None else int(count) * kind.unit

    def _padding_size(self, at: FieldCursor, rule: Alignment) -> int:
        cursor = at.cursor
        selected = cursor.lookup(rule.selector) if rule.selector else None
        if cursor.is_packed and selected in rule.packed:
            return 0
        origin = cursor.origin(rule.origin)
        if at.limit.is_short and not self._undecided and _is_undecided(at, rule, origin, self.data):
            self._undecided = at, len(self.log), self.completed.copy()
            if self.whole:
                raise _Truncated
        return _padding_size(at, rule, selected, origin, self.data)

    def _text_size(self, at: FieldCursor, count: str | Count) -> int:
        if count == EOF:
            return _to_the_end(at) // 2 * 2
        if not isinstance(count, Count):
            stop = find_terminator(self.data, at.pos, at.limit.end)
            if stop < 0:
                problem = say(Problem.UNTERMINATED, in_bytes(at.left))
                error = at.wrong(
                    problem, "a WCHAR 0x0000", f"{in_bytes(at.left)} without one", source=at.source
                )
                raise self._truncate(at, None, self._available(at), error) if at.limit.is_short else error
            return stop + 2 - at.pos
        size = int(at.cursor.lookup(count.number))
        if count.per_unit != 2:
            return size * 2
        if size % 2:
            raise at.cursor.wrong(count.number, at.limit, say(Problem.ODD, size), "an even number", size)
        return size

    # ------------------------------------------------------------------------- parts and their elements

    def _choice(self, cursor: StructureCursor, step: Step, pos: int, limit: Limit) -> int:
        self._at = cursor.prefix, step.field.name, pos
        self.evidence.fixed = False
        kind = step.kind
        selected = cursor.lookup(kind.selector)
        if selected not in kind.forms:
            forms = "one of " + ", ".join(f"{value:#x}" for value in kind.forms)
            problem = say(Problem.VALUE, forms, f"{selected:#x}")
            error = cursor.wrong(kind.selector, limit, problem, forms, selected)
            # The number is a selector, not a count.
            raise elsewhere(error, source_path=None, source_offset=None)
        form = kind.forms[selected]
        if form is None:
            cursor.values[step.field.name] = None
            return pos
        return self._part(cursor, step, pos, limit, program_of(form))

    def _part(
        self, cursor: StructureCursor, step: Step, pos: int, limit: Limit, program: Program | None = None
    ) -> int:
        """Read a nested structure; `program` has its steps if the field can be one of several."""
        field, name = step.field, step.field.name
        if program is None:
            program = program_of(step.kind.structure)
        prefix = f"{cursor.prefix}{name}."
        decode = program.decode if self.lax or program.is_placed else None
        if self.whole and decode is not None and program.least_size <= limit.end - pos:
            try:
                record, after = decode(self.data, pos, limit.end, self.limits)
            except Reject:  # read it in detail to find the error
                pass
            else:
                # Part of the padding at its end may be missing.
                if not (program.is_padded and after == limit.end < limit.says):
                    cursor.values[name] = record
                    cursor.starts[name] = pos
                    self.log.append((record, prefix, pos, field))
                    return int(after)
        inner = StructureCursor(program, self.root, prefix, pos, cursor)
        cursor.values[name], after = self._structure(inner, pos, limit, field)
        cursor.inner[name] = inner
        return after

    def _items(self, cursor: StructureCursor, step: Step, pos: int, limit: Limit) -> int:
        """Read an array of structures."""
        field, kind = step.field, step.kind
        name, element = field.name, kind.structure
        self._at = cursor.prefix, name, pos
        self.evidence.fixed = False
        count, least_size = cursor.lookup(kind.count.number), element.least_size
        at = FieldCursor(cursor, field, pos, limit)
        least = count * least_size
        if least > at.left:
            error = _too_many(at, kind, at.left // least_size, count)
            if least > limit.says - pos or not self.lax:
                raise error
            self._miss(error)
        self._hold(at, count)
        records: list[Any] = []
        decode, program = DECODERS[element.name], program_of(element)
        passed, begin = 0, pos
        packed, extent = self._is_packed(at, element, count), cursor.structure.extent
        for index in range(count):
            record, prefix = None, f"{cursor.prefix}{name}[{index}]."
            if self.whole and not packed and self.doubted is None:
                self.doubted = prefix if may_be_packed(element, self.data, pos, cursor.start) else None
            if self.whole or index >= self.shown or self.count >= self.fields:
                origin = origin_of(element, self.data, pos, cursor.start) if packed else cursor.start
                try:
                    record, after = decode(self.data, pos, limit.end, self.limits, origin)
                except Reject:  # read it in detail to find the error
                    self._pass_over(at, begin, pos, passed)
                    passed = 0
            if record is None:
                left = limit.end - pos
                if extent and left < max(least_size, extent.multiple) and not limit.is_short:
                    raise _too_many(at, kind, index, count)  # only padding is left
                inner = StructureCursor(program, self.root, prefix, pos, cursor)
                inner.is_packed = packed
                if left < least_size:
                    inner.claim = cursor.source(kind.count.number)
                record, pos = self._structure(inner, pos, limit)
                begin = pos
            else:
                if self.whole and self.lax:
                    self.log.append((record, prefix, pos, None))
                else:
                    self.passed_over = True
                    passed += 1
                pos = after
            records.append(record)
        self._pass_over(at, begin, pos, passed)
        cursor.values[name] = tuple(records)
        return pos

    def _is_packed(self, at: FieldCursor, element: Structure, count: int) -> bool:
        """Return whether the elements of a list have no paddings."""
        cursor = at.cursor
        structure = cursor.structure
        if not structure.extent or packing(element) is None:
            return False
        decode = DECODERS[element.name]
        stated = cursor.start + cursor.lookup(structure.extent.path)
        end, origin = at.limit.end, cursor.start
        return stated <= end and is_packed(
            element, decode, self.data, at.pos, end, origin, count, stated, self.limits
        )

    def _pass_over(self, at: FieldCursor, begin: int, pos: int, count: int) -> None:
        """Log skipped elements, if elements are shown."""
        if count and self.shown:
            cursor = at.cursor
            path = cursor.prefix + at.field.name + MORE
            self._add(path, begin, count, pos - begin, structure=cursor.structure)

    def _property_values(self, cursor: StructureCursor, step: Step, pos: int, limit: Limit) -> int:
        from msmq_wire.values.properties.values import as_far_as, read_one, type_of, whole_size  # noqa: PLC0415  # only the directory protocols need it

        field, structure = step.field, cursor.structure
        identifiers = cursor.values[step.kind.identifiers]
        self._at = cursor.prefix, field.name, pos
        self.evidence.fixed = False
        if identifiers and all(type_of(identifier) is not None for identifier in identifiers):
            self.evidence.confirm(len(self.log) - 1)  # the number of identifiers may still be wrong
            self.evidence.fixed = False
        values: list[Any] = []
        begin, shown = pos, 0
        for index, identifier in enumerate(identifiers):
            name = f"{field.name}[{index}]"
            at = FieldCursor(cursor, field, pos, limit)
            self._at = cursor.prefix, name, pos
            vartype = type_of(identifier)
            if vartype is None:
                problem = say(Problem.IDENTIFIER, identifier)
                raise cursor.wrong_element(
                    step.kind.identifiers, index, limit, problem, IDENTIFIER, identifier
                )
            failed = None
            path = f"{at.path}[{index}]"
            try:
                value, after = read_one(
                    vartype, self.data, pos, limit.end, structure.name, path, limit.name, self.limits
                )
            except DecodeError as error:
                failed = _blamed(error, at)
            # Raised outside of the `except`, whose context would keep partial results alive.
            if failed is not None:
                if not limit.is_short or failed.limit.startswith("Limits."):
                    raise failed
                there = self.data[pos : limit.end]
                signal = self._truncate(at, whole_size(vartype, there), as_far_as(vartype, there), failed)
                self.cut = self.cut and self.cut._replace(path=cursor.prefix + name)
                raise signal
            values.append(value)
            if index < self.shown and self.count < self.fields:
                self._add(cursor.prefix + name, pos, value, after - pos, structure=structure)
                begin, shown = after, index + 1
            else:
                self.passed_over = True
                if self.shown:
                    if index > shown:
                        self.log.pop()
                        self.count -= 1
                    path = cursor.prefix + field.name + MORE
                    self._add(path, begin, index + 1 - shown, after - begin, structure=structure)
            pos = after
        cursor.values[field.name] = tuple(values)
        return pos

    readers: ClassVar[dict[type, Callable[..., int]]] = {
        Row: _row,
        Presence: _optional,
        Nested: _part,
        Choice: _choice,
        Items: _items,
        Values: _property_values,
        Integer: _fixed,
        Count: _counted,
        **dict.fromkeys((Bytes, Text, Numbers, Padding), _sized),
    }


def _too_large(cursor: StructureCursor, extent: Extent, outer: Limit, size: int, end: int) -> DecodeError:
    """Return the error about the size of a structure that exceeds the bytes."""
    most = (outer.end - cursor.start) // extent.multiple * extent.multiple
    problem = say(Problem.SIZE_ABOVE, in_bytes(most), size)
    if extent.multiple > 1:
        problem = say(Problem.PADDED_SIZE_ABOVE, in_bytes(most), size, end - cursor.start)
    return cursor.wrong(extent.path, outer, problem, f"at most {most}", size)


def _too_many(at: FieldCursor, kind: Items, most: int, count: int) -> DecodeError:
    """Return the error about a count that exceeds the elements for which there are bytes."""
    problem = say(Problem.COUNT_ABOVE, most, count)
    return at.cursor.wrong(kind.count.number, at.limit, problem, f"at most {most}", count)


def _padding_size(at: FieldCursor, rule: Alignment, selected: int | None, origin: int, data: bytes) -> int:
    """Return the size of a padding in bytes.

    Args:
        at: The padding.
        rule: Its alignment rule.
        selected: The number that selects the boundary; None if there is only one boundary.
        origin: The offset from which the boundary counts.
        data: The input.
    """
    boundary = rule.boundary if selected is None else dict(rule.boundaries).get(selected, rule.boundary)
    size = (origin - at.pos) % boundary
    if rule.before:
        mark = _mark(at, *rule.before)
        if data.startswith(mark, at.pos) or not data.startswith(mark, at.pos + size):
            return 0
    return min(size, _to_the_end(at)) if rule.cut_short else size


def _is_undecided(at: FieldCursor, rule: Alignment, origin: int, data: bytes) -> bool:
    """Return whether the bytes end before it is known whether a padding exists."""
    if not rule.before:
        return False
    size, mark = (origin - at.pos) % rule.boundary, _mark(at, *rule.before)
    return size > 0 and len(data) < at.pos + size + len(mark) and not data.startswith(mark, at.pos)


def _mark(at: FieldCursor, following: str, number: int) -> bytes:
    """Return the bytes of a number that the field after a padding always has."""
    return number.to_bytes(at.cursor.structure.by_name[following].kind_as(Integer).size, "little")


def _to_the_end(at: FieldCursor) -> int:
    """Return the size of a field that takes all remaining bytes, up to the stated end if there is one."""
    says = at.limit.says
    return at.left if says == sys.maxsize else max(says, at.limit.end) - at.pos


def _blamed(error: DecodeError, at: FieldCursor) -> DecodeError:
    """Return the error; if the value itself is valid, with the number that limits or announces it."""
    source = at.source
    if not at.left and at.field.identifiers:
        identifiers = at.cursor.structure.by_name[at.field.identifiers].kind_as(Numbers)
        source = at.cursor.source(identifiers.count.number)
    if error.source_path is None and error.limit == at.limit.name:
        return elsewhere(error, source_path=source.path, source_offset=source.offset)
    return elsewhere(error)


def _check_offset(at: FieldCursor) -> None:
    """Check the offset that another field states for a text against its actual offset."""
    if at.field.offset_in is None:
        return
    source, origin = at.field.offset_in
    units, behind = at.cursor.lookup(source), at.pos - at.cursor.starts[origin]
    if behind != units * 2:
        problem = say(Problem.OFFSET, behind // 2, units)
        raise at.cursor.wrong(source, at.limit, problem, behind // 2, units)
