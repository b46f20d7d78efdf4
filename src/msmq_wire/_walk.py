"""The slow reader: walks a layout field by field and knows every place.

1. It reads what the compiled decoder reads; the tests hold the two against each other.
2. It says what the compiled decoder does not: which field, at which offset, under which limit.
3. It keeps what it understood, so that a reader of a damaged packet loses nothing.
"""

from __future__ import annotations

import struct
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from . import _expression as expression
from ._emit import Reject
from ._layout import (
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
from ._wchar import find_terminator, from_wchars
from .errors import DecodeError, in_bytes
from .guid import GUID
from .sequence_number import SEQUENCE_NUMBER

if TYPE_CHECKING:
    from ._codegen import Compiler

__all__ = ["Piece", "Walker"]


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


class _Limit(NamedTuple):
    end: int
    name: str


class _Frame:
    """One structure being read."""

    def __init__(self, structure: Structure, path: str, start: int, parent: _Frame | None) -> None:
        self.structure = structure
        self.path = path
        self.start = start
        self.parent = parent
        self.values: dict[str, Any] = {}
        self.starts: dict[str, int] = {}
        self.inner: dict[str, _Frame] = {}

    def lookup(self, path: str) -> int:
        head, _, rest = path.partition(".")
        frame: _Frame | None = self
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
        frame: _Frame | None = self
        while frame is not None:
            if head in frame.starts:
                return frame.structure.name, f"{frame.path}.{path}", frame.starts[head]
            if rest and head in frame.inner:
                return frame.inner[head].place(rest)
            frame = frame.parent
        raise KeyError(path)

    def evaluate(self, source: str, remaining: int = 0) -> int:
        return int(
            expression.evaluator(source)(lambda name: remaining if name == "remaining" else self.lookup(name))
        )

    def origin(self, name: str) -> int:
        frame: _Frame | None = self
        while frame is not None:
            if frame.structure.name == name:
                return frame.start
            frame = frame.parent
        return self.start


class Walker:
    """Reads one structure slowly.

    A lax walker that meets a size beyond the end of the input goes on to that end, and raises for the size
    only when it got there: a truncated packet still shows its headers.

    Elements of an array behind the first `shown` are passed over with the compiled decoder, and only looked
    into where that refuses one: to refuse an array costs about what reading it costs.

    Attributes:
        pieces: Every field that was read, in order; one, ``[+]``, for elements that were passed over, if any
            are shown.
        completed: The fields of the outermost structure that were read whole, by name.
        reached: Offset behind the last field that was read whole.
    """

    def __init__(
        self, data: bytes, compiler: Compiler, *, lax: bool = False, shown: int = sys.maxsize
    ) -> None:
        self.data = data
        self.compiler = compiler
        self.classes = compiler.classes
        self.limits = compiler.limits
        self.lax = lax
        self.shown = shown
        self.first_error: DecodeError | None = None
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
        frame = _Frame(structure, structure.name, pos, None)
        self.reached = pos
        self.pieces.clear()
        self.completed.clear()
        try:
            made, pos = self._structure(frame, pos, _Limit(end, "buffer"))
        except DecodeError as error:
            if self.tried_inside and not self.outside_only:
                # A SessionHeader that is not within PacketSize is behind it: there it is cut off.
                self.outside_only = True
                return self.read(structure, pos, end)
            raise self.first_error or error from None
        if self.first_error:
            raise self.first_error
        return made, pos

    def _structure(self, frame: _Frame, pos: int, outer: _Limit) -> tuple[Any, int]:
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
        made = self.classes[structure.name].raw(*(frame.values[field.name] for field in structure.fields))
        self.pieces[opened] = Piece(frame.path, frame.start, pos - frame.start, None, field_of, structure)
        return made, pos

    def _narrow(self, frame: _Frame, pos: int, outer: _Limit) -> _Limit:
        extent = frame.structure.extent
        assert extent  # noqa: S101  # the caller looked
        size = frame.lookup(extent.path)
        end = frame.start + (size + extent.multiple - 1) // extent.multiple * extent.multiple
        _, path, at = frame.place(extent.path)
        owner, _, _ = extent.path.rpartition(".")
        name = owner or frame.structure.name
        if end > outer.end:
            padded = f" (with padding {end - frame.start})" if extent.multiple > 1 else ""
            error = DecodeError(
                f"says {size} bytes{padded}, {outer.end - frame.start} are there",
                structure=name,
                path=path,
                offset=at,
                expected=f"at most {(outer.end - frame.start) // extent.multiple * extent.multiple}",
                actual=size,
                limit=outer.name,
            )
            if not self.lax:
                raise error
            self.first_error = self.first_error or error
            return outer
        for field in frame.structure.fields:
            rides = field.outside and field.present and frame.evaluate(field.present)
            if rides and outer.end == end and not self.outside_only:
                self.tried_inside = True
                end -= self.classes[field.name].layout.fixed_size
        if pos > end:
            raise DecodeError(
                f"says {size} bytes, {pos - frame.start} are taken already",
                structure=name,
                path=path,
                offset=at,
                expected=f"at least {pos - frame.start}",
                actual=size,
                limit=outer.name,
            )
        return _Limit(end, f"{name}.{extent.path.rpartition('.')[2]}")

    def _close(self, frame: _Frame, pos: int, limit: _Limit) -> None:
        if pos != limit.end:
            raise DecodeError(
                f"{in_bytes(limit.end - pos)} left over",
                structure=frame.structure.name,
                path=frame.path,
                offset=pos,
                expected=0,
                actual=limit.end - pos,
                limit=limit.name,
            )

    def _field(self, frame: _Frame, field: Field, pos: int, limit: _Limit) -> tuple[Any, int]:
        path = f"{frame.path}.{field.name}"
        if field.present is not None and not frame.evaluate(field.present, limit.end - pos):
            return None, pos
        kind = field.kind
        match kind:
            case Nested():
                inner = frame.inner[field.name] = _Frame(kind.structure, path, pos, frame)
                return self._structure(inner, pos, limit)
            case Choice():
                return self._choice(frame, field, kind, pos, limit)
            case Items():
                return self._items(frame, field, kind, pos, limit)
            case Values():
                return self._property_values(frame, field, kind, pos, limit)
        frame.starts[field.name] = pos
        self._check_offset(frame, field, pos, limit)
        size = self._size(frame, field, pos, limit)
        if size > limit.end - pos:
            self._refuse(frame, field, pos, limit, size)
        match kind:
            case Text():
                self._hold(frame, field, pos, size // 2 - (kind.count == NUL))
            case Numbers():
                self._hold(frame, field, pos, size // kind.size)
        value = self._value(frame, field, self.data[pos : pos + size])
        self.pieces.append(Piece(path, pos, size, value, field, frame.structure))
        if field.known and value not in field.known:
            raise DecodeError(
                f"is {value:#x}, and nothing says how to read on",
                structure=frame.structure.name,
                path=path,
                offset=pos,
                expected="one of " + ", ".join(f"{known:#x}" for known in field.known),
                actual=value,
                limit=limit.name,
            )
        return value, pos + size

    def _hold(self, frame: _Frame, field: Field, pos: int, count: int) -> None:
        """Hold a number of elements or WCHARs against the limit of their field."""
        assert field.limit  # noqa: S101  # the caller asks for arrays and texts only
        owner, path, at = frame.structure.name, f"{frame.path}.{field.name}", pos
        turned = expression.quotient(getattr(field.kind, "count", ""))
        if turned and turned[0] not in {EOF, NUL}:
            owner, path, at = frame.place(turned[0])
        self.limits.hold(field.limit, count, structure=owner, path=path, offset=at)

    def _check_offset(self, frame: _Frame, field: Field, pos: int, limit: _Limit) -> None:
        if field.offset_in is None:
            return
        source, origin = field.offset_in
        units = frame.lookup(source)
        if pos - frame.starts[origin] != units * 2:
            path = f"{frame.path}.{source}"
            raise DecodeError(
                f"is {units}, but {field.name} stands {(pos - frame.starts[origin]) // 2} WCHARs behind "
                f"the start of {origin}",
                structure=frame.structure.name,
                path=path,
                offset=frame.starts[source],
                expected=(pos - frame.starts[origin]) // 2,
                actual=units,
                limit=limit.name,
            )

    def _property_values(
        self, frame: _Frame, field: Field, kind: Values, pos: int, limit: _Limit
    ) -> tuple[Any, int]:
        from .property_values import read_one, type_of  # noqa: PLC0415  # only the directory protocols need it

        found = []
        identifiers = frame.values[kind.identifiers]
        for index, identifier in enumerate(identifiers):
            path = f"{frame.path}.{field.name}[{index}]"
            vartype = type_of(identifier)
            if vartype is None:
                raise DecodeError(
                    f"has the unknown identifier {identifier}, whose type would say how long it is",
                    structure=frame.structure.name,
                    path=path,
                    offset=pos,
                    expected="a property identifier of [MS-MQMQ] 2.3 or one that was registered",
                    actual=identifier,
                    limit=limit.name,
                )
            value, after = read_one(
                vartype, self.data, pos, limit.end, frame.structure.name, path, limit.name, self.limits
            )
            self.pieces.append(Piece(path, pos, after - pos, value, None, frame.structure))
            found.append(value)
            pos = after
        return tuple(found), pos

    def _size(self, frame: _Frame, field: Field, pos: int, limit: _Limit) -> int:
        kind = field.kind
        match kind:
            case Integer() | Flags() | Guid() | Sequence():
                return kind.size
            case Numbers():
                return frame.evaluate(kind.count) * kind.size
            case Bytes(count=int(count)):
                return count
            case Bytes(count=str(count)):
                return limit.end - pos if count == EOF else frame.evaluate(count)
            case Text():
                return self._text_size(frame, field, kind.count, pos, limit)
            case Padding():
                rule = kind.alignment
                boundary = rule.boundary
                if rule.selector:
                    boundary = dict(rule.boundaries).get(frame.lookup(rule.selector), boundary)
                size = (frame.origin(rule.origin) - pos) % boundary
                return min(size, limit.end - pos) if rule.cut_short else size
        raise AssertionError(kind)

    def _text_size(self, frame: _Frame, field: Field, count: str, pos: int, limit: _Limit) -> int:
        if count == EOF:
            return (limit.end - pos) // 2 * 2
        if count == NUL:
            stop = find_terminator(self.data, pos, limit.end)
            if stop < 0:
                raise DecodeError(
                    "has no terminator",
                    structure=frame.structure.name,
                    path=f"{frame.path}.{field.name}",
                    offset=pos,
                    expected="a WCHAR 0x0000",
                    actual=f"{limit.end - pos} bytes without one",
                    limit=limit.name,
                )
            return stop + 2 - pos
        turned = expression.quotient(count)
        if turned is None or turned[1] != 2:
            return frame.evaluate(count) * 2
        size = frame.lookup(turned[0])
        if size % 2:
            owner, source, at = frame.place(turned[0])
            raise DecodeError(
                f"is {size}, an odd number of bytes for WCHARs",
                structure=owner,
                path=source,
                offset=at,
                expected="an even number",
                actual=size,
                limit=limit.name,
            )
        return size

    def _value(self, frame: _Frame, field: Field, raw: bytes) -> Any:
        kind = field.kind
        match kind:
            case Integer():
                return int.from_bytes(raw, "little", signed=kind.format.islower())
            case Flags():
                return (
                    self.classes[frame.structure.name].flags[field.name].seen[int.from_bytes(raw, "little")]
                )
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

    def _refuse(self, frame: _Frame, field: Field, pos: int, limit: _Limit, size: int) -> NoReturn:
        raise DecodeError(
            f"needs {in_bytes(size)}, {limit.end - pos} left",
            structure=frame.structure.name,
            path=f"{frame.path}.{field.name}",
            offset=pos,
            expected=size,
            actual=limit.end - pos,
            limit=limit.name,
        )

    def _choice(self, frame: _Frame, field: Field, kind: Choice, pos: int, limit: _Limit) -> tuple[Any, int]:
        selected = frame.lookup(kind.selector)
        if selected not in kind.forms:
            owner, selector, at = frame.place(kind.selector)
            raise DecodeError(
                f"is {selected:#x}, which selects no form of {field.name}",
                structure=owner,
                path=selector,
                offset=at,
                expected="one of " + ", ".join(f"{value:#x}" for value in kind.forms),
                actual=selected,
                limit=limit.name,
            )
        form = kind.forms[selected]
        if form is None:
            return None, pos
        inner = frame.inner[field.name] = _Frame(form, f"{frame.path}.{field.name}", pos, frame)
        return self._structure(inner, pos, limit)

    def _items(self, frame: _Frame, field: Field, kind: Items, pos: int, limit: _Limit) -> tuple[Any, int]:
        count = frame.evaluate(kind.count)
        path = f"{frame.path}.{field.name}"
        least = count * kind.structure.least_size
        if least > limit.end - pos:
            owner, source, at = frame.place(kind.count)
            raise DecodeError(
                f"says {count} elements, which need at least {least} bytes, {limit.end - pos} left",
                structure=owner,
                path=source,
                offset=at,
                expected=f"at most {(limit.end - pos) // kind.structure.least_size}",
                actual=count,
                limit=limit.name,
            )
        self._hold(frame, field, pos, count)
        found = []
        skip = self.compiler.element_decoder(frame.structure, kind.structure.name)
        passed, begin = 0, pos
        for index in range(count):
            if index >= self.shown:
                try:
                    made, pos = skip(self.data, pos, limit.end, frame.start)
                except Reject:  # it is looked into, to see what is wrong
                    self._pass_over(frame, path, begin, pos, passed)
                    passed = 0
                else:
                    passed += 1
                    found.append(made)
                    continue
            made, pos = self._structure(_Frame(kind.structure, f"{path}[{index}]", pos, frame), pos, limit)
            found.append(made)
            begin = pos
        self._pass_over(frame, path, begin, pos, passed)
        return tuple(found), pos

    def _pass_over(self, frame: _Frame, path: str, begin: int, pos: int, count: int) -> None:
        """One piece for elements that were not looked into; its value is how many."""
        if count and self.shown:
            self.pieces.append(Piece(f"{path}[+]", begin, pos - begin, count, None, frame.structure))
