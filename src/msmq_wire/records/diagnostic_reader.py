"""The diagnostic reader: reads a layout field by field and knows the path and offset of each field.

1. It accepts what the compiled decoder accepts; tests compare the two.
2. It reports what the compiled decoder does not: the field, the offset and the limit of an error.
3. It keeps the fields that it has read, so that a damaged packet still shows them.
4. In lax mode it distinguishes missing bytes of a truncated packet from contradictory bytes.  After a broken
   part it continues if the part's own size states where the part ends.
"""

from __future__ import annotations

import struct
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.values.errors import DecodeError, elsewhere, in_bytes, kept
from msmq_wire.values.guid import GUID
from msmq_wire.values.refusals import IDENTIFIER, Problem, say
from msmq_wire.values.reject import Reject
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER
from msmq_wire.values.wchar import find_terminator, from_wchars

from .cursors import FieldCursor, Limit, StructureCursor, is_placed
from .evidence import Evidence, is_known
from .model import (
    EOF,
    NUL,
    Alignment,
    Bytes,
    Choice,
    Count,
    Extent,
    Field,
    Fill,
    Flags,
    Guid,
    Integer,
    Items,
    Nested,
    Numbers,
    Padding,
    Sequence,
    Structure,
    Text,
    Values,
    count_of,
)
from .packing import is_packed, origin_of, packing, rival_stands
from .registry import CLASSES, DECODERS
from .spans import MORE, UNREAD, FieldSpan

if TYPE_CHECKING:
    from msmq_wire.values.limits import Limits

__all__ = ["DiagnosticReader", "TruncatedField", "fixed_form", "is_undecided", "padding_size"]


class TruncatedField(NamedTuple):
    """A truncated field.

    Attributes:
        path: Dotted path of the field.
        offset: Its start, in bytes from the start of the input.
        size: Number of its bytes that are available.
        whole: Its complete size.  None if only missing bytes determine it: a null-terminated text,
            property values with such texts, and a field whose count is truncated.
        value: A text or property value as far as available; of every other field the available bytes.
    """

    path: str
    offset: int
    size: int
    whole: int | None
    value: Any


class _Run(NamedTuple):
    """Consecutive fields that are always present and have a fixed size."""

    size: int
    unpack: Any
    fields: tuple[tuple[Field, int, Any], ...]


class DiagnosticReader:
    """Reads one structure slowly.

    A lax reader that finds a size beyond the end of the input continues to that end and raises the error
    about the size afterwards, so a truncated packet still shows its headers.  It collects the errors of each
    part in `errors` and continues after a part whose own size states where it ends.

    With `shown` set to 0, a reader that is not lax only has to find the error.  Valid parts are then read by
    the compiled decoders.

    The compiled decoder also skips array elements after the first `shown`, and all elements once there are
    `fields` fields.  An element is only read in detail if the decoder rejects it, so rejecting an array costs
    about as much as decoding it.

    Attributes:
        pieces: Every field that was read, in order; one `MORE` piece stands for skipped elements, if
            elements are shown.
        completed: The fields of the outermost structure that were read completely, by name.
        reached: Offset after the last field that was decoded completely.
        stop: The error that ended reading, if it is not the one raised.
        errors: The errors that a lax reader found, in the order of the bytes; it raises the first one.
        cut: The truncated field, or None.
        passed_over: Whether elements were skipped.
        missed: Path and offset of the first field that was not read, or None.
        evidence: Which pieces are at certain offsets.
    """

    def __init__(
        self,
        data: bytes,
        limits: Limits,
        *,
        lax: bool = False,
        shown: int = sys.maxsize,
        fields: int = sys.maxsize,
    ) -> None:
        self.data = data
        self.limits = limits
        self.lax = lax
        self.shown = shown
        self.fields = fields
        self.only_refuses = not lax and not shown
        self.passed_over = self.tried_inside = self.outside_only = False

    def _start(self, name: str, pos: int) -> None:
        """Begin without results, at the offset of a structure."""
        self.pieces: list[FieldSpan] = []
        self.completed: dict[str, Any] = {}
        self.reached = pos
        self.stop: DecodeError | None = None
        self.errors: list[DecodeError] = []
        self.cut: TruncatedField | None = None
        self.missed: tuple[str, int] | None = None
        self.evidence = Evidence()
        self._at = name, pos
        self._undecided: tuple[FieldCursor, int, dict[str, Any]] | None = None
        self._short = self._broken = False
        self._out: DecodeError | None = None

    def read(self, structure: Structure, pos: int, end: int, says: int | None = None) -> tuple[Any, int]:
        """Read a structure that starts at `pos` and ends at or before `end`.

        For truncated bytes, `says` is the offset where they should end; only a lax reader uses it.

        Returns: The record and the offset after it.

        Raises:
            DecodeError: The bytes cannot be read.
        """
        frame = StructureCursor(structure, structure.name, pos, None)
        self._start(structure.name, pos)
        made, after = None, pos
        try:
            made, after = self._structure(frame, pos, Limit(end, "buffer", says=self._open_end(end, says)))
        except DecodeError as error:
            # Also releases the partial results that the traceback refers to.
            self.stop = kept(error)
            self._ended(self.stop)
        if self.errors and self.tried_inside and not self.outside_only:
            # A part that does not fit inside the stated size is after it: read again, with the part truncated
            # there.
            self.outside_only = True
            return self.read(structure, pos, end, says)
        if self.errors:
            self._take_back()
            self.evidence.end(len(self.pieces))
            if self.stop is self.errors[0]:
                self.stop = None
            raise elsewhere(self.errors[0])  # a kept error has no traceback, which would be a reference cycle
        return made, after

    def _take_back(self) -> None:
        """Discard fields after a padding if the bytes end before they show whether the padding exists."""
        if self._undecided is None or self._broken:
            return
        spot, count, completed = self._undecided
        del self.pieces[count:]
        self.missed, self.cut = (spot.path, spot.pos), None
        if spot.left:
            self.cut = TruncatedField(
                spot.path, spot.pos, spot.left, None, self.data[spot.pos : spot.limit.end]
            )
        if len(completed) < len(self.completed):
            self.completed, self.reached = completed, spot.pos

    @property
    def is_broken(self) -> bool:
        """Whether there is an error other than missing bytes."""
        return self._broken or len(self.errors) > 1  # a broken part inside a truncated one adds its own error

    def _open_end(self, end: int, says: int | None) -> int:
        """Return the stated end of the input; without a statement it has no end in lax mode."""
        if not self.lax:
            return end
        return sys.maxsize if says is None else says

    def _ended(self, error: DecodeError) -> None:
        """Store the error that ended reading."""
        if error is not self._out:
            self._contradict(error)
            return
        self.missed = self.missed or self._at
        if not self._short:
            self.errors.append(error)

    def _contradict(self, error: DecodeError) -> None:
        """Store the error of a part."""
        self.missed = self.missed or self._at
        self._broken = True
        if all(known is not error for known in self.errors):
            self.errors.append(kept(error))
            if not error.limit.startswith("Limits."):
                self.evidence.doubt(len(self.pieces))

    def _ends_within(
        self, spot: FieldCursor, whole: int | None, value: Any, error: DecodeError
    ) -> DecodeError:
        """Store the truncated field; return the error."""
        self._out = error
        if spot.left:
            self.cut = TruncatedField(spot.path, spot.pos, spot.left, whole, value)
        return error

    def _structure(self, frame: StructureCursor, pos: int, outer: Limit) -> tuple[Any, int]:
        structure = frame.structure
        field_of = frame.parent.structure.by_name.get(frame.path.rpartition(".")[2]) if frame.parent else None
        opened = len(self.pieces)
        self.pieces.append(FieldSpan(frame.path, pos, 0, None, field_of, structure))
        broken, self._broken = self._broken, False
        frame.limit = outer
        failed: DecodeError | None = None
        if self.lax and structure.extent:
            try:
                pos = self._fields(frame, pos, outer)
            except DecodeError as error:
                failed = kept(error)
            if failed is not None:
                pos = self._behind(frame, outer, failed)
        else:
            pos = self._fields(frame, pos, outer)
        made = None
        if not self._broken:
            made = CLASSES[structure.name].raw(*(frame.values[field.name] for field in structure.fields))
            self.pieces[opened] = FieldSpan(
                frame.path, frame.start, pos - frame.start, None, field_of, structure
            )
        if not frame.is_in_step:
            self.evidence.doubt(len(self.pieces))
        self._broken |= broken
        return made, pos

    def _fields(self, frame: StructureCursor, pos: int, outer: Limit) -> int:
        """Read the fields of a structure; return the offset after them."""
        structure = frame.structure
        extent = structure.extent
        limit = outer
        runs = _runs(structure)
        narrowing = extent.path.partition(".")[0] if extent else ""
        closed = extent is None
        passed = 0
        for field in structure.fields:
            if passed:
                passed -= 1
                continue
            run = runs.get(field.name)
            if run is not None and run.size <= limit.end - pos:
                passed = len(run.fields) - 1
                pos = self._run(frame, run, pos)
                last = run.fields[-1][0].name
            else:
                last = field.name
                if field.outside and not closed:
                    self._close(frame, pos, limit)
                    pos, limit, closed = limit.end, outer, True
                value, pos = self._field(frame, field, pos, limit)
                frame.values[field.name] = value
                if frame.parent is None and not self._broken:
                    self.completed[field.name] = value
                    self.reached = pos
            if extent and last == narrowing:
                limit = frame.limit = self._narrow(frame, extent, pos, outer)
                # Flags in the part with the size announce what follows.
                if frame.parent is None and "." in extent.path:
                    self.evidence.fixed = False
        if not closed:
            self._close(frame, pos, limit)
        return pos

    def _run(self, frame: StructureCursor, run: _Run, pos: int) -> int:
        """Read consecutive fixed-size fields; return the offset after them."""
        pieces, values, starts, path = self.pieces, frame.values, frame.starts, frame.path
        structure = frame.structure
        for (field, size, convert), raw in zip(run.fields, run.unpack(self.data, pos), strict=True):
            value = raw if convert is None else convert(raw)
            values[field.name] = value
            starts[field.name] = pos
            pieces.append(FieldSpan(f"{path}.{field.name}", pos, size, value, field, structure))
            pos += size
        if frame.parent is None and not self._broken:
            self.completed.update((field.name, values[field.name]) for field, _, _ in run.fields)
            self.reached = pos
        self._at = path, pos
        if self.lax:
            parent = frame.parent
            around = parent.structure if parent else None
            frame.is_known |= is_known(structure, around, path.rpartition(".")[2], values)
            if self.evidence.fixed or frame.is_known:
                self.evidence.confirm(len(pieces))
        return pos

    def _behind(self, frame: StructureCursor, outer: Limit, error: DecodeError) -> int:
        """Continue after a broken part, if its own size states where it ends.

        Raises:
            DecodeError: The size does not state it; this is the given error.
        """
        limit = frame.limit
        here = self.pieces[-1].offset + self.pieces[-1].size
        outside = [
            field
            for field in frame.structure.fields
            if field.outside and CLASSES[field.name].layout.least_size <= outer.end - limit.end
        ]
        if error is self._out or limit is outer or limit.is_short or here > limit.end:
            raise error
        if frame.parent is None and not outside:
            raise error  # nothing follows
        self._contradict(error)
        if here < limit.end:
            self.pieces.append(
                FieldSpan(
                    frame.path + UNREAD,
                    here,
                    limit.end - here,
                    self.data[here : limit.end],
                    None,
                    frame.structure,
                )
            )
        pos = limit.end
        for field in outside:
            frame.values[field.name], pos = self._field(frame, field, pos, outer)
        return pos

    def _narrow(self, frame: StructureCursor, extent: Extent, pos: int, outer: Limit) -> Limit:
        size = frame.lookup(extent.path)
        end = frame.start + (size + extent.multiple - 1) // extent.multiple * extent.multiple
        owner, _, name = extent.path.rpartition(".")
        if end > outer.end:
            most = (outer.end - frame.start) // extent.multiple * extent.multiple
            problem = say(Problem.SIZE_ABOVE, in_bytes(most), size)
            if extent.multiple > 1:
                problem = say(Problem.PADDED_SIZE_ABOVE, in_bytes(most), size, end - frame.start)
            error = frame.wrong(extent.path, outer, problem, f"at most {most}", size)
            if not self.lax or end > outer.says:
                raise error
            if not self._short:
                self.errors.append(error)
                self._short = True
            return outer._replace(says=end)
        for field in frame.structure.fields:
            rides = field.outside and field.present and field.present.test(frame.lookup, 0)
            if rides and outer.end == end and not self.outside_only:
                self.tried_inside = True
                end -= CLASSES[field.name].layout.fixed_size
        if pos > end:
            taken = pos - frame.start
            problem = say(Problem.SIZE_BELOW, in_bytes(taken), size)
            raise frame.wrong(extent.path, outer, problem, f"at least {taken}", size)
        return Limit(end, f"{owner or frame.structure.name}.{name}", frame.source(extent.path), end)

    def _close(self, frame: StructureCursor, pos: int, limit: Limit) -> None:
        if pos != limit.end:
            self._at = frame.path, pos
            raise DecodeError(
                say(Problem.LEFT_OVER, in_bytes(limit.end - pos)),
                structure=frame.structure.name,
                path=frame.path,
                offset=pos,
                expected=0,
                actual=limit.end - pos,
                limit=limit.name,
                source_path=limit.source.path,
                source_offset=limit.source.offset,
            )
        if limit.is_short:
            self.missed = self.missed or (frame.path, pos)
        elif frame.parent is None:
            self.evidence.confirm(len(self.pieces))  # it ends exactly at the limit

    def _field(self, frame: StructureCursor, field: Field, pos: int, limit: Limit) -> tuple[Any, int]:
        if field.present is not None:
            end = limit.end if limit.says == sys.maxsize else limit.says
            self.evidence.fixed = False
            lost = self.outside_only and frame.parent is not None
            if not field.present.test(frame.lookup, end - pos) or rival_stands(
                field, self.data, pos, end, lost
            ):
                return None, pos
        spot = FieldCursor(frame, field, pos, limit)
        kind = field.kind
        if isinstance(kind, Nested):
            return self._part(spot, kind.structure)
        self._at = spot.path, pos
        match kind:
            case Integer() | Flags() | Guid() | Sequence():
                size = kind.size
            case Choice():
                self.evidence.fixed = False
                return self._choice(spot, kind)
            case Items():
                self.evidence.fixed = False
                return self._items(spot, kind)
            case Values():
                self.evidence.fixed = False
                return self._property_values(spot, kind)
            case Text(count=Count() as count) if self.lax:
                return self._counted_text(spot, count)
            case _:
                size = self._size(spot)
                self.evidence.fixed &= isinstance(kind, Bytes) and isinstance(kind.count, int)
        return self._read(spot, size)

    def _counted_text(self, spot: FieldCursor, count: Count) -> tuple[Any, int]:
        """Read a text; in lax mode skip an invalid one, because its count states where it ends."""
        self.evidence.fixed = False
        try:
            value, pos = self._read(spot, self._size(spot))
        except DecodeError as error:
            failed = kept(error)
        else:
            if spot.frame.is_known and value[-1:] == "\0" and len(value) > 1 and value[:-1].isprintable():
                self.evidence.confirm(len(self.pieces))
                self.evidence.fixed = False
            return value, pos
        size = spot.frame.lookup(count.number) * 2 // count.per_unit
        if failed is self._out or size > spot.left:
            raise failed
        self._contradict(failed)
        spot.frame.is_in_step = False
        raw = self.data[spot.pos : spot.pos + size]
        self.pieces.append(FieldSpan(spot.path + UNREAD, spot.pos, size, raw, None, spot.frame.structure))
        return None, spot.pos + size

    def _read(self, spot: FieldCursor, size: int) -> tuple[Any, int]:
        """Read a field of `size` bytes that is not a structure."""
        frame, field, pos, limit = spot.frame, spot.field, spot.pos, spot.limit
        kind = field.kind
        if size > limit.end - pos:
            problem = say(Problem.SHORT, in_bytes(size), spot.left)
            error = spot.wrong(problem, size, spot.left, source=spot.source)
            if size <= limit.says - pos:
                raise self._ends_within(spot, size, self._as_far(spot), error)
            raise error
        frame.starts[field.name] = pos
        match kind:
            case Text():
                self._hold(spot, size // 2 - (kind.count == NUL))
            case Numbers():
                self._hold(spot, size // kind.size)
        value = self._value(spot, self.data[pos : pos + size])
        self.pieces.append(FieldSpan(spot.path, pos, size, value, field, frame.structure))
        if field.known and value not in field.known:
            known = "one of " + ", ".join(f"{number:#x}" for number in field.known)
            self._at = frame.path, pos + size
            raise spot.wrong(say(Problem.VALUE, known, f"{value:#x}"), known, value)
        if self.evidence.fixed:
            self.evidence.confirm(len(self.pieces))
        return value, pos + size

    def _as_far(self, spot: FieldCursor) -> Any:
        """Return the available part of a truncated field."""
        raw = self.data[spot.pos : spot.limit.end]
        return from_wchars(raw[: len(raw) // 2 * 2]) if isinstance(spot.field.kind, Text) else raw

    def _hold(self, spot: FieldCursor, elements: int) -> None:
        """Check the number of elements or WCHARs against the limit of the field."""
        frame, field = spot.frame, spot.field
        assert field.limit  # noqa: S101  # called for arrays and texts only
        owner, path, at = frame.structure.name, spot.path, spot.pos
        count = count_of(field.kind)
        if count:
            owner, path, at = frame.place(count.number)
        self.limits.hold(field.limit, elements, structure=owner, path=path, offset=at)

    def _size(self, spot: FieldCursor) -> int:
        frame, kind = spot.frame, spot.field.kind
        match kind:
            case Numbers():
                return frame.lookup(kind.count.number) * kind.size
            case Bytes(count=int(size)):
                return size
            case Bytes(count=Count() as count):
                return frame.lookup(count.number)
            case Bytes(count=Fill() as fill):
                return int(fill.size(frame.lookup))
            case Bytes():
                return _to_the_end(spot)
            case Text():
                _check_offset(spot)
                return self._text_size(spot, kind.count)
            case Padding(alignment=rule):
                selected = frame.lookup(rule.selector) if rule.selector else None
                if frame.is_packed and selected in rule.packed:
                    return 0
                origin, room = frame.origin(rule.origin), _to_the_end(spot)
                open_end = spot.limit.is_short and not self._undecided
                if open_end and is_undecided(frame.structure, rule, origin, self.data, spot.pos):
                    self._undecided = spot, len(self.pieces), dict(self.completed)
                return padding_size(frame.structure, rule, selected, origin, self.data, spot.pos, room)
        raise AssertionError(kind)

    def _text_size(self, spot: FieldCursor, count: str | Count) -> int:
        if count == EOF:
            return _to_the_end(spot) // 2 * 2
        if not isinstance(count, Count):
            stop = find_terminator(self.data, spot.pos, spot.limit.end)
            if stop < 0:
                problem = say(Problem.UNTERMINATED, in_bytes(spot.left))
                there = f"{spot.left} bytes without one"
                error = spot.wrong(problem, "a WCHAR 0x0000", there, source=spot.source)
                if spot.limit.is_short:
                    self._ends_within(spot, None, self._as_far(spot), error)
                raise error
            return stop + 2 - spot.pos
        if count.per_unit != 2:
            return spot.frame.lookup(count.number) * 2
        size = spot.frame.lookup(count.number)
        if size % 2:
            problem = say(Problem.ODD, size)
            raise spot.frame.wrong(count.number, spot.limit, problem, "an even number", size)
        return size

    def _value(self, spot: FieldCursor, raw: bytes) -> Any:
        form = fixed_form(spot.frame.structure, spot.field)
        if form is not None:
            _, convert, code = form
            (value,) = struct.unpack(f"<{code}", raw)
            return value if convert is None else convert(value)
        match spot.field.kind:
            case Numbers(format=code, size=size):
                return struct.unpack(f"<{len(raw) // size}{code}", raw)
            case Text(count=count):
                return from_wchars(raw[:-2] if count == NUL else raw)
        return raw

    def _part(self, spot: FieldCursor, structure: Structure) -> tuple[Any, int]:
        inner = spot.frame.inner[spot.field.name] = StructureCursor(
            structure, spot.path, spot.pos, spot.frame
        )
        if self.only_refuses and is_placed(structure):
            try:
                inner.record, pos = DECODERS[structure.name](self.data, spot.pos, spot.limit.end, self.limits)
            except Reject:  # read it in detail to find the error
                pass
            else:
                return inner.record, pos
        return self._structure(inner, spot.pos, spot.limit)

    def _choice(self, spot: FieldCursor, kind: Choice) -> tuple[Any, int]:
        selected = spot.frame.lookup(kind.selector)
        if selected not in kind.forms:
            forms = "one of " + ", ".join(f"{value:#x}" for value in kind.forms)
            problem = say(Problem.VALUE, forms, f"{selected:#x}")
            error = spot.frame.wrong(kind.selector, spot.limit, problem, forms, selected)
            # The number is a selector, not a count.
            raise elsewhere(error, source_path=None, source_offset=None)
        form = kind.forms[selected]
        return (None, spot.pos) if form is None else self._part(spot, form)

    def _property_values(self, spot: FieldCursor, kind: Values) -> tuple[Any, int]:
        from msmq_wire.values.properties.values import as_far_as, read_one, type_of, whole_size  # noqa: PLC0415  # only the directory protocols need it

        structure, limit = spot.frame.structure, spot.limit
        found: list[Any] = []
        begin, shown = spot.pos, 0
        identifiers = spot.frame.values[kind.identifiers]
        if identifiers and all(type_of(identifier) is not None for identifier in identifiers):
            self.evidence.confirm(len(self.pieces) - 1)  # the number of identifiers may still be wrong
            self.evidence.fixed = False
        for index, identifier in enumerate(identifiers):
            path, pos = f"{spot.path}[{index}]", spot.pos
            self._at = path, pos
            vartype = type_of(identifier)
            if vartype is None:
                raise spot.wrong(say(Problem.IDENTIFIER, identifier), IDENTIFIER, identifier, element=index)
            failed = None
            try:
                value, after = read_one(
                    vartype, self.data, pos, limit.end, structure.name, path, limit.name, self.limits
                )
            except DecodeError as error:
                failed = _blamed(error, spot)
            # Raised outside of the `except`, whose context would keep partial results alive.
            if failed is not None:
                if limit.is_short and not failed.limit.startswith("Limits."):
                    there = self.data[pos : limit.end]
                    self._ends_within(spot, whole_size(vartype, there), as_far_as(vartype, there), failed)
                    self.cut = self.cut and self.cut._replace(path=path)
                raise failed
            found.append(value)
            spot = spot._replace(pos=after)
            if index < self.shown and len(self.pieces) < self.fields:
                self.pieces.append(FieldSpan(path, pos, after - pos, value, None, structure))
                begin, shown = after, index + 1
                continue
            self.passed_over = True
            if self.shown:
                more = FieldSpan(spot.path + MORE, begin, after - begin, index + 1 - shown, None, structure)
                self.pieces[-1 if index > shown else len(self.pieces) :] = [more]
        return tuple(found), spot.pos

    def _items(self, spot: FieldCursor, kind: Items) -> tuple[Any, int]:
        frame, path, pos, limit = spot.frame, spot.path, spot.pos, spot.limit
        count, least_size = frame.lookup(kind.count.number), kind.structure.least_size
        extent = frame.structure.extent
        least = count * least_size
        if least > spot.left:
            error = self._too_many(spot, kind, spot.left // least_size, count)
            if least > limit.says - pos or not self.lax:
                raise error
            if not self._short:
                self.errors.append(error)
                self._short = True
        self._hold(spot, count)
        found = []
        skip = DECODERS[kind.structure.name]
        passed, begin = 0, pos
        packed = self._is_packed(spot, kind.structure, count)
        for index in range(count):
            origin = origin_of(kind.structure, self.data, pos, frame.start) if packed else frame.start
            if index >= self.shown or len(self.pieces) >= self.fields:
                self.passed_over = True
                try:
                    made, pos = skip(self.data, pos, limit.end, self.limits, origin)
                except Reject:  # read it in detail to find the error
                    self._pass_over(frame, path, begin, pos, passed)
                    passed = 0
                else:
                    passed += 1
                    found.append(made)
                    continue
            element = StructureCursor(kind.structure, f"{path}[{index}]", pos, frame)
            element.is_packed = packed
            if extent and limit.end - pos < max(least_size, extent.multiple) and not limit.is_short:
                raise self._too_many(spot, kind, index, count)  # only padding is left
            if limit.end - pos < least_size:
                element.claim = frame.source(kind.count.number)
            made, pos = self._structure(element, pos, limit)
            found.append(made)
            begin = pos
        self._pass_over(frame, path, begin, pos, passed)
        return tuple(found), pos

    def _too_many(self, spot: FieldCursor, kind: Items, most: int, count: int) -> DecodeError:
        """Return the error about a count that exceeds the elements for which there are bytes."""
        problem = say(Problem.COUNT_ABOVE, most, count)
        return spot.frame.wrong(kind.count.number, spot.limit, problem, f"at most {most}", count)

    def _is_packed(self, spot: FieldCursor, element: Structure, count: int) -> bool:
        """Return whether the elements of a list have no paddings."""
        frame = spot.frame
        structure = frame.structure
        if not structure.extent or packing(element) is None:
            return False
        decode = DECODERS[element.name]
        stated = frame.start + frame.lookup(structure.extent.path)
        end, origin = spot.limit.end, frame.start
        return is_packed(element, decode, self.data, spot.pos, end, origin, count, stated, self.limits)

    def _pass_over(self, frame: StructureCursor, path: str, begin: int, pos: int, count: int) -> None:
        """Add one piece for skipped elements."""
        if count and self.shown:
            self.pieces.append(FieldSpan(path + MORE, begin, pos - begin, count, None, frame.structure))


def padding_size(
    structure: Structure, rule: Alignment, selected: int | None, origin: int, data: bytes, pos: int, room: int
) -> int:
    """Return the size of a padding in bytes.

    Args:
        structure: The structure that contains the padding.
        rule: Its alignment rule.
        selected: The number that selects the boundary; None if there is only one boundary.
        origin: The offset from which the boundary counts.
        data: The input.
        pos: The offset of the padding.
        room: The largest possible size.
    """
    boundary = rule.boundary if selected is None else dict(rule.boundaries).get(selected, rule.boundary)
    size = (origin - pos) % boundary
    if rule.before and not _stands_behind(structure, data, pos, size, *rule.before):
        return 0
    return min(size, room) if rule.cut_short else size


def is_undecided(structure: Structure, rule: Alignment, origin: int, data: bytes, pos: int) -> bool:
    """Return whether the bytes end before they show whether a padding exists.

    Args:
        structure: The structure that contains the padding.
        rule: Its alignment rule.
        origin: The offset from which the boundary counts.
        data: The input.
        pos: The offset of the padding.
    """
    if not rule.before:
        return False
    size, mark = (origin - pos) % rule.boundary, _mark(structure, *rule.before)
    return size > 0 and len(data) < pos + size + len(mark) and not data.startswith(mark, pos)


def _mark(structure: Structure, following: str, number: int) -> bytes:
    """Return the bytes of a number that a field always has."""
    return number.to_bytes(structure.by_name[following].kind_as(Integer).size, "little")


def _stands_behind(
    structure: Structure, data: bytes, at: int, size: int, following: str, number: int
) -> bool:
    """Return whether the number follows a padding of that size and is not at the padding's own offset."""
    mark = _mark(structure, following, number)
    return not data.startswith(mark, at) and data.startswith(mark, at + size)


def _to_the_end(spot: FieldCursor) -> int:
    """Return the size of a field that takes all remaining bytes, up to the stated end if there is one."""
    says = spot.limit.says
    return spot.left if says == sys.maxsize else max(says, spot.limit.end) - spot.pos


@cache
def _runs(structure: Structure) -> dict[str, _Run]:
    """Return the runs of fixed-size fields that are read at once, by the name of the first field."""
    found: dict[str, _Run] = {}
    waiting: list[tuple[Field, int, Any, str]] = []
    for field in (*structure.fields, None):
        plain = field is not None and not (field.present or field.known or field.outside)
        form = fixed_form(structure, field) if field is not None and plain else None
        if field is not None and form is not None:
            waiting.append((field, *form))
        if form is None or (structure.extent and field and structure.extent.path == field.name):
            if len(waiting) > 1:
                whole = struct.Struct("<" + "".join(code for *_, code in waiting))
                fields = tuple((item, size, convert) for item, size, convert, _ in waiting)
                found[waiting[0][0].name] = _Run(whole.size, whole.unpack_from, fields)
            waiting = []
    return found


def fixed_form(structure: Structure, field: Field) -> tuple[int, Any, str] | None:
    """Return size, conversion and struct format of a fixed-size field; None for any other field."""
    match field.kind:
        case Integer(format=code, size=size):
            return size, None, code
        case Flags(format=code, size=size):
            return size, CLASSES[structure.name].flags[field.name].seen.__getitem__, code
        case Guid(size=size):
            return size, GUID, f"{size}s"
        case Sequence(size=size):
            return size, SEQUENCE_NUMBER, f"{size}s"
        case Bytes(count=int(count)):
            return count, None, f"{count}s"
    return None


def _blamed(error: DecodeError, spot: FieldCursor) -> DecodeError:
    """Return the error; if the value itself is valid, with the number that limits or announces it."""
    source = spot.source
    if not spot.left and isinstance(spot.field.kind, Values):
        identifiers = spot.frame.structure.by_name[spot.field.kind.identifiers].kind_as(Numbers)
        source = spot.frame.source(identifiers.count.number)
    if error.source_path is None and error.limit == spot.limit.name:
        return elsewhere(error, source_path=source.path, source_offset=source.offset)
    return elsewhere(error)


def _check_offset(spot: FieldCursor) -> None:
    """Check the offset that another field states for a text against its actual offset."""
    if spot.field.offset_in is None:
        return
    frame = spot.frame
    source, origin = spot.field.offset_in
    units, behind = frame.lookup(source), spot.pos - frame.starts[origin]
    if behind != units * 2:
        problem = say(Problem.OFFSET, behind // 2, units)
        raise frame.wrong(source, spot.limit, problem, behind // 2, units)
