"""The slow reader: walks a layout field by field and knows every place.

1. It reads what the compiled decoder reads; the tests hold the two against each other.
2. It says what the compiled decoder does not: which field, at which offset, under which limit.
3. It keeps what it understood, so that a reader of a damaged packet loses nothing.
"""

from __future__ import annotations

import struct
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.values.errors import DecodeError, elsewhere, in_bytes
from msmq_wire.values.guid import GUID
from msmq_wire.values.reject import Reject
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER
from msmq_wire.values.wchar import find_terminator, from_wchars

from . import expression
from .model import (
    EOF,
    NUL,
    Bytes,
    Choice,
    Field,
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
)
from .places import Frame, Limit, Spot
from .registry import CLASSES, ELEMENTS

if TYPE_CHECKING:
    from msmq_wire.values.limits import Limits

__all__ = ["MORE", "Piece", "Walker"]


class Piece(NamedTuple):
    """One field as it was found.

    Attributes:
        path: Dotted path from the outermost structure; array elements have their index in brackets.
        offset: Bytes from the beginning of the input.
        size: Bytes that the field takes.
        value: What was read; None for a structure that begins here.
        field: The layout of the field; None for the outermost structure and for array elements.
        structure: The structure that the field belongs to, or that begins here.
    """

    path: str
    offset: int
    size: int
    value: Any
    field: Field | None
    structure: Structure

    def cut(self, data: bytes) -> bytes:
        """Its bytes, of the input."""
        return data[self.offset : self.offset + self.size]


MORE = "[+]"
"""What the path of a piece ends with that stands for several elements of an array; its value is how many."""


class Walker:
    """Reads one structure slowly.

    A lax walker that meets a size beyond the end of the input goes on to that end, and raises for the size
    only when it got there: a truncated packet still shows its headers.

    Elements of an array behind the first `shown`, and all once there are so many `fields`, are passed over
    with the compiled decoder, and only looked into where that refuses one: to refuse an array costs about
    what reading it costs.

    Attributes:
        pieces: Every field that was read, in order; one, `MORE`, for elements that were passed over, if any
            are shown.
        completed: The fields of the outermost structure that were read whole, by name.
        reached: Offset behind the last field that was read whole.
        stop: Where reading ended, if that is another error than the one raised.
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
        self.first_error: DecodeError | None = None
        self.stop: DecodeError | None = None
        self.tried_inside = False
        self.outside_only = False
        self.pieces: list[Piece] = []
        self.completed: dict[str, Any] = {}
        self.reached = 0

    def read(self, structure: Structure, pos: int, end: int) -> tuple[Any, int]:
        """Read a structure that starts at `pos` and may reach to `end`.

        Returns:
            The record and the offset behind it.

        Raises:
            DecodeError: The bytes cannot be read.
        """
        frame = Frame(structure, structure.name, pos, None)
        self.reached = pos
        self.pieces.clear()
        self.completed.clear()
        self.stop = self.first_error = made = None
        after = pos
        try:
            made, after = self._structure(frame, pos, Limit(end, "buffer"))
        except DecodeError as error:
            self.stop = error.with_traceback(None)  # what was made of the bytes goes with it
        if (self.stop or self.first_error) and self.tried_inside and not self.outside_only:
            # A SessionHeader that is not within PacketSize is behind it: there it is cut off.
            self.outside_only = True
            return self.read(structure, pos, end)
        if self.stop or self.first_error:
            raise self._error()
        return made, after

    def _error(self) -> DecodeError:
        """What is wrong; not kept here, where its traceback would lead back to."""
        if self.first_error:
            error, self.first_error = self.first_error, None
            return error
        assert self.stop  # noqa: S101  # the caller looked
        error, self.stop = self.stop, None
        return error

    def _structure(self, frame: Frame, pos: int, outer: Limit) -> tuple[Any, int]:
        structure = frame.structure
        field_of = frame.parent.structure.by_name.get(frame.path.rpartition(".")[2]) if frame.parent else None
        opened = len(self.pieces)
        self.pieces.append(Piece(frame.path, pos, 0, None, field_of, structure))
        limit = outer
        narrowed = False
        closed = structure.extent is None
        for field in structure.fields:
            if field.outside and not closed:
                self._close(frame, pos, limit)
                pos, limit, closed = limit.end, outer, True
            value, pos = self._field(frame, field, pos, limit)
            frame.values[field.name] = value
            if frame.parent is None:
                self.completed[field.name] = value
                self.reached = pos
            if structure.extent and not narrowed and structure.extent.path.split(".")[0] == field.name:
                limit = self._narrow(frame, pos, outer)
                narrowed = True
        if not closed:
            self._close(frame, pos, limit)
        made = CLASSES[structure.name].raw(*(frame.values[field.name] for field in structure.fields))
        self.pieces[opened] = Piece(frame.path, frame.start, pos - frame.start, None, field_of, structure)
        return made, pos

    def _narrow(self, frame: Frame, pos: int, outer: Limit) -> Limit:
        extent = frame.structure.extent
        assert extent  # noqa: S101  # the caller looked
        size = frame.lookup(extent.path)
        end = frame.start + (size + extent.multiple - 1) // extent.multiple * extent.multiple
        if end > outer.end:
            padded = f" (with padding {end - frame.start})" if extent.multiple > 1 else ""
            error = frame.wrong(
                extent.path,
                outer,
                f"says {size} bytes{padded}, {outer.end - frame.start} are there",
                f"at most {(outer.end - frame.start) // extent.multiple * extent.multiple}",
                size,
            )
            if not self.lax:
                raise error
            self.first_error = self.first_error or error
            return outer
        for field in frame.structure.fields:
            rides = field.outside and field.present and frame.evaluate(field.present)
            if rides and outer.end == end and not self.outside_only:
                self.tried_inside = True
                end -= CLASSES[field.name].layout.fixed_size
        if pos > end:
            taken = pos - frame.start
            problem = f"says {size} bytes, {taken} are taken already"
            raise frame.wrong(extent.path, outer, problem, f"at least {taken}", size)
        owner, _, name = extent.path.rpartition(".")
        return Limit(end, f"{owner or frame.structure.name}.{name}", frame.source(extent.path))

    def _close(self, frame: Frame, pos: int, limit: Limit) -> None:
        if pos != limit.end:
            raise DecodeError(
                f"{in_bytes(limit.end - pos)} left over",
                structure=frame.structure.name,
                path=frame.path,
                offset=pos,
                expected=0,
                actual=limit.end - pos,
                limit=limit.name,
                source_path=limit.source.path,
                source_offset=limit.source.offset,
            )

    def _field(self, frame: Frame, field: Field, pos: int, limit: Limit) -> tuple[Any, int]:
        if field.present is not None and not frame.evaluate(field.present, limit.end - pos):
            return None, pos
        spot = Spot(frame, field, pos, limit)
        kind = field.kind
        match kind:
            case Integer() | Flags() | Guid() | Sequence():
                size = kind.size
            case Nested():
                return self._part(spot, kind.structure)
            case Choice():
                return self._choice(spot, kind)
            case Items():
                return self._items(spot, kind)
            case Values():
                return self._property_values(spot, kind)
            case _:
                size = self._size(spot)
        if size > limit.end - pos:
            problem = f"needs {in_bytes(size)}, {spot.left} left"
            raise spot.wrong(problem, size, spot.left, source=spot.source)
        frame.starts[field.name] = pos
        match kind:
            case Text():
                self._hold(spot, size // 2 - (kind.count == NUL))
            case Numbers():
                self._hold(spot, size // kind.size)
        value = self._value(spot, self.data[pos : pos + size])
        self.pieces.append(Piece(spot.path, pos, size, value, field, frame.structure))
        if field.known and value not in field.known:
            known = "one of " + ", ".join(f"{number:#x}" for number in field.known)
            raise spot.wrong(f"is {value:#x}, and nothing says how to read on", known, value)
        return value, pos + size

    def _hold(self, spot: Spot, count: int) -> None:
        """Hold a number of elements or WCHARs against the limit of their field."""
        frame, field = spot.frame, spot.field
        assert field.limit  # noqa: S101  # the caller asks for arrays and texts only
        owner, path, at = frame.structure.name, spot.path, spot.pos
        turned = expression.quotient(getattr(field.kind, "count", ""))
        if turned and turned[0] not in {EOF, NUL}:
            owner, path, at = frame.place(turned[0])
        self.limits.hold(field.limit, count, structure=owner, path=path, offset=at)

    def _size(self, spot: Spot) -> int:
        frame, kind = spot.frame, spot.field.kind
        match kind:
            case Numbers():
                return frame.evaluate(kind.count) * kind.size
            case Bytes(count=int(count)):
                return count
            case Bytes(count=str(count)):
                return spot.left if count == EOF else frame.evaluate(count)
            case Text():
                _check_offset(spot)
                return self._text_size(spot, kind.count)
            case Padding():
                rule = kind.alignment
                boundary = rule.boundary
                if rule.selector:
                    boundary = dict(rule.boundaries).get(frame.lookup(rule.selector), boundary)
                size = (frame.origin(rule.origin) - spot.pos) % boundary
                return min(size, spot.left) if rule.cut_short else size
        raise AssertionError(kind)

    def _text_size(self, spot: Spot, count: str) -> int:
        if count == EOF:
            return spot.left // 2 * 2
        if count == NUL:
            stop = find_terminator(self.data, spot.pos, spot.limit.end)
            if stop < 0:
                there = f"{spot.left} bytes without one"
                raise spot.wrong("has no terminator", "a WCHAR 0x0000", there, source=spot.source)
            return stop + 2 - spot.pos
        turned = expression.quotient(count)
        if turned is None or turned[1] != 2:
            return spot.frame.evaluate(count) * 2
        size = spot.frame.lookup(turned[0])
        if size % 2:
            problem = f"is {size}, an odd number of bytes for WCHARs"
            raise spot.frame.wrong(turned[0], spot.limit, problem, "an even number", size)
        return size

    def _value(self, spot: Spot, raw: bytes) -> Any:
        kind = spot.field.kind
        match kind:
            case Integer():
                return int.from_bytes(raw, "little", signed=kind.format.islower())
            case Flags():
                words = CLASSES[spot.frame.structure.name].flags[spot.field.name]
                return words.seen[int.from_bytes(raw, "little")]
            case Guid():
                return GUID(raw)
            case Sequence():
                return SEQUENCE_NUMBER(raw)
            case Numbers():
                return struct.unpack(f"<{len(raw) // kind.size}{kind.format}", raw)
            case Text():
                text = raw[:-2] if kind.count == NUL else raw
                return from_wchars(text)
        return raw

    def _part(self, spot: Spot, structure: Structure) -> tuple[Any, int]:
        inner = spot.frame.inner[spot.field.name] = Frame(structure, spot.path, spot.pos, spot.frame)
        return self._structure(inner, spot.pos, spot.limit)

    def _choice(self, spot: Spot, kind: Choice) -> tuple[Any, int]:
        selected = spot.frame.lookup(kind.selector)
        if selected not in kind.forms:
            problem = f"is {selected:#x}, which selects no form of {spot.field.name}"
            forms = "one of " + ", ".join(f"{value:#x}" for value in kind.forms)
            error = spot.frame.wrong(kind.selector, spot.limit, problem, forms, selected)
            raise elsewhere(error, source_path=None, source_offset=None)  # it selects, and counts nothing
        form = kind.forms[selected]
        return (None, spot.pos) if form is None else self._part(spot, form)

    def _property_values(self, spot: Spot, kind: Values) -> tuple[Any, int]:
        from msmq_wire.values.property_values import read_one, type_of  # noqa: PLC0415  # only the directory protocols need it

        structure, limit = spot.frame.structure, spot.limit
        found: list[Any] = []
        begin, shown = spot.pos, 0
        for index, identifier in enumerate(spot.frame.values[kind.identifiers]):
            path, pos = f"{spot.path}[{index}]", spot.pos
            vartype = type_of(identifier)
            if vartype is None:
                raise spot.wrong(
                    f"has the unknown identifier {identifier}, whose type would say how long it is",
                    "a property identifier of [MS-MQMQ] 2.3 or one that was registered",
                    identifier,
                    element=index,
                )
            failed = None
            try:
                value, after = read_one(
                    vartype, self.data, pos, limit.end, structure.name, path, limit.name, self.limits
                )
            except DecodeError as error:
                failed = _blamed(error, spot)
            if failed is not None:  # raised here, where what was made of the bytes is not held by its context
                raise failed
            found.append(value)
            spot = spot._replace(pos=after)
            if index < self.shown and len(self.pieces) < self.fields:
                self.pieces.append(Piece(path, pos, after - pos, value, None, structure))
                begin, shown = after, index + 1
            elif self.shown:
                more = Piece(spot.path + MORE, begin, after - begin, index + 1 - shown, None, structure)
                self.pieces[-1 if index > shown else len(self.pieces) :] = [more]
        return tuple(found), spot.pos

    def _items(self, spot: Spot, kind: Items) -> tuple[Any, int]:
        frame, path, pos, limit = spot.frame, spot.path, spot.pos, spot.limit
        count = frame.evaluate(kind.count)
        least = count * kind.structure.least_size
        if least > spot.left:
            problem = f"says {count} elements, which need at least {least} bytes, {spot.left} left"
            most = f"at most {spot.left // kind.structure.least_size}"
            raise frame.wrong(kind.count, limit, problem, most, count)
        self._hold(spot, count)
        found = []
        skip = ELEMENTS[frame.structure.name, kind.structure.name]
        passed, begin = 0, pos
        for index in range(count):
            if index >= self.shown or len(self.pieces) >= self.fields:
                try:
                    made, pos = skip(self.data, pos, limit.end, frame.start, self.limits)
                except Reject:  # it is looked into, to see what is wrong
                    self._pass_over(frame, path, begin, pos, passed)
                    passed = 0
                else:
                    passed += 1
                    found.append(made)
                    continue
            element = Frame(kind.structure, f"{path}[{index}]", pos, frame)
            if limit.end - pos < kind.structure.least_size:
                element.claim = frame.source(kind.count)
            made, pos = self._structure(element, pos, limit)
            found.append(made)
            begin = pos
        self._pass_over(frame, path, begin, pos, passed)
        return tuple(found), pos

    def _pass_over(self, frame: Frame, path: str, begin: int, pos: int, count: int) -> None:
        """One piece for elements that were not looked into."""
        if count and self.shown:
            self.pieces.append(Piece(path + MORE, begin, pos - begin, count, None, frame.structure))


def _blamed(error: DecodeError, spot: Spot) -> DecodeError:
    """The same error; where the value is not to blame, what bounds it is, or says that there is one."""
    source = spot.source
    if not spot.left and isinstance(spot.field.kind, Values):
        identifiers = spot.frame.structure.by_name[spot.field.kind.identifiers].kind
        assert isinstance(identifiers, Numbers)  # noqa: S101  # what identifiers are
        source = spot.frame.source(identifiers.count)
    if error.source_path is None and error.limit == spot.limit.name:
        return elsewhere(error, source_path=source.path, source_offset=source.offset)
    return elsewhere(error)


def _check_offset(spot: Spot) -> None:
    """Hold the offset that another field states for a text against where it is."""
    if spot.field.offset_in is None:
        return
    frame = spot.frame
    source, origin = spot.field.offset_in
    units, behind = frame.lookup(source), spot.pos - frame.starts[origin]
    if behind != units * 2:
        problem = (
            f"is {units}, but {spot.field.name} stands {behind // 2} WCHARs behind the start of {origin}"
        )
        raise frame.wrong(source, spot.limit, problem, behind // 2, units)
