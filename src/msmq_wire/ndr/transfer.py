"""Reads and writes NDR, the encoding of RPC calls, as the layouts describe.

1. A number is aligned to a multiple of its size, relative to the start of the octet stream.  The octets
   before it are a gap with any values ([C706] 14.2.2).
2. A pointer has four octets, zero for null.  Its target follows after the outermost structure or array around
   it.  Targets are in the order of their pointers, each followed by the targets of its own pointers ([C706]
   14.3.12).
3. An array starts with its count, a text with three numbers: maximum count, offset, and actual count in
   WCHARs ([C706] 14.3.3, 14.3.4).
4. A union starts with a copy of its selector ([C706] 14.3.8).  The arm after it is aligned like its type or,
   with `ms_union`, like the largest arm ([MS-RPCE] 2.2.4.5).
5. In NDR64, pointers, counts and the numbers of a text have eight octets.  A union and its arm are aligned
   like the largest arm, and a structure ends at a multiple of its alignment ([MS-RPCE] 2.2.5.3.4.1 and
   2.2.5.3.4.4).  The writer does not write it.
6. Numbers are little-endian; the reader takes big-endian ones, too ([C706] 14.1).
7. The reader follows each pointer once, and checks every count against the remaining octets before it
   allocates memory.  Time and memory are therefore proportional to the number of octets.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.records.registry import CLASSES
from msmq_wire.values.buffers import little_endian
from msmq_wire.values.errors import DecodeError, EncodeError, in_bytes
from msmq_wire.values.guid import GUID, GUID_FORM
from msmq_wire.values.properties.values import MAX_DEPTH
from msmq_wire.values.refusals import Problem, say
from msmq_wire.values.wchar import from_wchars, to_wchars

from .model import (
    Array,
    Embedded,
    Guid,
    Packed,
    Pointer,
    Scalar,
    String,
    Type,
    Union,
    alignment,
    least_size,
    structures,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from msmq_wire.values.limits import Limits

FIRST_REFERENT = 0x0002_0000
"""The value of the first pointer that is written; each further one is greater by four."""
_COUNT = Scalar("I", 4)
_NDR = 4
"""The size of pointers and counts, unless they are those of NDR64."""
_WORDS = {_NDR: _COUNT, 8: Scalar("Q", 8)}
_STRINGS = {_NDR: struct.Struct("<III"), 8: struct.Struct("<QQQ")}
"""The numbers at the beginning of a text."""
_STRING = _STRINGS[_NDR]


_NESTED = f"at most {MAX_DEPTH} arrays of structures in each other"


class Octets(NamedTuple):
    """Octets of a stream, and their meaning.

    Attributes:
        path: Dotted path of the field.
        offset: Offset in the stream.
        size: Number of octets; for a structure, without pointer targets.
        what: ``"field"``, ``"structure"``, ``"gap"``, ``"pointer"``, ``"selector"`` or ``"count"``.
        value: The decoded value.
    """

    path: str
    offset: int
    size: int
    what: str
    value: Any = None


class _Open:
    """A structure whose pointers were not followed yet."""

    __slots__ = ("name", "start", "values", "word")

    def __init__(self, name: str, start: int, word: int) -> None:
        self.name = name
        self.start = start
        self.word = word
        self.values: list[Any] = []

    def value(self, field: str) -> Any:
        names = [item.name for item in structures()[self.name].fields]
        return self.values[names.index(field)]

    def offset_of(self, field: str) -> int:
        """Return the offset of a number that precedes all arms."""
        at = self.start
        for item in structures()[self.name].fields:
            at += -at % alignment(item.type, self.word)
            if item.name == field:
                return at
            at += least_size(item.type, self.word)
        raise KeyError(field)

    def record(self) -> Any:
        return CLASSES[self.name](*map(_complete, self.values))


def _complete(value: Any) -> Any:
    if type(value) is _Open:
        return value.record()
    return tuple(map(_complete, value)) if type(value) is list else value


class _Target(NamedTuple):
    """A pointer that was not followed yet: its target, and where to store it.

    For an element of an array, which has no owner, `path` is that of the array.
    """

    to: String | Array | Guid
    path: str
    owner: _Open | None
    holder: list[Any]
    slot: int
    passing: bool


class Reader:
    """Reads one stream from an offset on.

    Args:
        data: The whole stream; offsets count from its start.
        pos: The offset at which to start.
        limits: Bounds for the decoder.
        ms_union: Whether all arms of a union are aligned like the largest one.
        word: The size of pointers and counts: 4 in NDR, 8 in NDR64.
        is_big: Whether numbers are big-endian.
        pieces: A list that collects all octets with their meaning, or None.
        fields: A dictionary that collects the fields by path, or None.  Once it has `Limits.lax_fields`,
            further elements of arrays are read, but not collected.

    Attributes:
        left_out: The number of elements that were not collected.
        read_to: The offset after the last octets that were read.
    """

    def __init__(
        self,
        data: bytes,
        pos: int,
        limits: Limits,
        *,
        ms_union: bool,
        word: int = _NDR,
        is_big: bool = False,
        pieces: list[Octets] | None = None,
        fields: dict[str, Any] | None = None,
    ) -> None:
        self.data = data
        self.pos = pos
        self.limits = limits
        self.ms_union = ms_union
        self.word = word
        self.is_big = is_big
        self.pieces = pieces
        self.fields = fields
        self.left_out = 0
        self.read_to = pos
        self.structure_name = ""
        self._passing = False

    @property
    def left(self) -> int:
        """The number of remaining octets."""
        return len(self.data) - self.pos

    # -- interface

    def read(self, name: str) -> Any:
        """Read a structure and its pointer targets.

        Raises:
            DecodeError: The octets cannot be decoded, or exceed a limit.
        """
        pending: list[_Target] = []
        record = self._structure(name, name, pending)
        self._follow(pending)
        return _complete(record)

    def read_array(self, name: str) -> tuple[Any, ...]:
        """Read a count, this number of structures, and their pointer targets.

        Raises:
            DecodeError: The octets cannot be decoded, or exceed a limit.
        """
        self.structure_name = name
        pending: list[_Target] = []
        at = self._aligned(self.word, name)
        elements = self._elements(Embedded(name), self._count(name), name, (name, at), pending)
        self._follow(pending)
        return tuple(map(_complete, elements))

    def read_pointer(self, path: str) -> bool:
        """Read a pointer; return whether it is not null."""
        self.structure_name = path
        return self._number(_WORDS[self.word], path, "pointer") != 0

    # -- octets

    def _wrong(
        self,
        problem: str,
        path: str,
        at: int,
        expected: object,
        actual: object,
        source: tuple[str, int] | None = None,
    ) -> DecodeError:
        return DecodeError(
            problem,
            structure=self.structure_name,
            path=path,
            offset=at,
            expected=expected,
            actual=actual,
            source_path=source[0] if source else None,
            source_offset=source[1] if source else None,
        )

    def _take(self, size: int, path: str) -> int:
        """Skip octets; return their offset.

        Raises:
            DecodeError: Too few octets remain.
        """
        at = self.pos
        if size > len(self.data) - at:
            left = max(self.left, 0)
            problem = say(Problem.SHORT, in_bytes(size), left)
            raise self._wrong(problem, path, min(at, len(self.data)), size, left)
        self.pos = at + size
        return at

    def _aligned(self, boundary: int, path: str) -> int:
        gap = -self.pos % boundary
        if gap:
            at = self._take(gap, path)
            self._note(path, at, gap, "gap")
        return self.pos

    def _note(self, path: str, at: int, size: int, what: str, value: Any = None) -> None:
        self.read_to = at + size
        if self.pieces is not None:
            self.pieces.append(Octets(path, at, size, what, value))
        if self.fields is not None and what == "field" and not self._passing:
            self.fields[path] = value

    def _number(self, kind: Scalar, path: str, what: str) -> int:
        self._aligned(kind.size, path)
        at = self._take(kind.size, path)
        raw, is_signed = self.data[at : self.pos], kind.format.islower()
        number = int.from_bytes(raw, "big" if self.is_big else "little", signed=is_signed)
        self._note(path, at, kind.size, what, number)
        return number

    def _since(self, at: int, form: str) -> bytes:
        """Return the octets from an offset on, with their numbers in little-endian order."""
        return little_endian(self.data[at : self.pos], form, is_big=self.is_big)

    def _count(self, path: str) -> int:
        return self._number(_WORDS[self.word], path, "count")

    # -- structures

    def _structure(self, name: str, path: str, pending: list[_Target]) -> Any:
        """Read a structure; it becomes a record when its pointers have been followed."""
        outer, self.structure_name = self.structure_name, name
        at = self._aligned(alignment(Embedded(name), self.word), path)
        record = _Open(name, at, self.word)
        waiting = len(pending)
        opened = len(self.pieces) if self.pieces is not None else 0
        self._note(path, at, 0, "structure", name)
        for field in structures()[name].fields:
            record.values.append(None)
            index = len(record.values) - 1
            inner = f"{path}.{field.name}"
            record.values[index] = self._value(field.type, inner, path, record, record.values, index, pending)
        if self.word != _NDR:
            self._aligned(alignment(Embedded(name), self.word), path)
        if self.pieces is not None:
            self.pieces[opened] = Octets(path, at, self.pos - at, "structure", name)
        self.structure_name = outer
        return record if len(pending) > waiting else record.record()

    def _value(
        self,
        kind: Type,
        path: str,
        around: str,
        owner: _Open | None,
        holder: list[Any],
        index: int,
        pending: list[_Target],
    ) -> Any:
        match kind:
            case Scalar():
                return self._number(kind, path, "field")
            case Guid():
                return self._guid(path)
            case Packed():
                self._aligned(kind.alignment, path)
                at = self._take(kind.size, path)
                record = CLASSES[kind.name].decode(self._since(at, kind.form))
                self._note(path, at, kind.size, "field", record)
                return record
            case Embedded():
                return self._structure(kind.name, path, pending)
            case Pointer():
                if self._number(_WORDS[self.word], path, "pointer"):
                    pending.append(
                        _Target(kind.to, path if owner else around, owner, holder, index, self._passing)
                    )
                return None
            case Union():
                assert owner is not None  # noqa: S101  # unions are fields
                return self._union(kind, path, around, owner, holder, index, pending)

    def _union(
        self,
        kind: Union,
        path: str,
        around: str,
        owner: _Open,
        holder: list[Any],
        index: int,
        pending: list[_Target],
    ) -> Any:
        selected, where = owner.value(kind.selector), f"{around}.{kind.selector}"
        at = owner.offset_of(kind.selector)
        if selected not in kind.arms:
            forms = "one of " + ", ".join(f"{value:#x}" for value in sorted(kind.arms))
            problem = say(Problem.VALUE, forms, f"{selected:#x}")
            raise self._wrong(problem, where, at, forms, selected)
        start = self._aligned(kind.tag.size if self.ms_union else alignment(kind, self.word), path)
        tag = self._number(kind.tag, path, "selector")
        if tag != selected:
            problem = say(Problem.VALUE, f"{selected:#x} as in {kind.selector}", f"{tag:#x}")
            raise self._wrong(problem, path, start, selected, tag, (where, at))
        arm = kind.arms[selected]
        if arm is None:
            return None
        inner = f"{path}.{arm.name}"
        if self.ms_union or self.word != _NDR:
            self._aligned(union_alignment(kind, self.word), inner)
        return self._value(arm.type, inner, path, owner, holder, index, pending)

    def _guid(self, path: str) -> GUID:
        self._aligned(4, path)
        at = self._take(16, path)
        guid = GUID(self._since(at, GUID_FORM))
        self._note(path, at, 16, "field", guid)
        return guid

    # -- pointer targets

    def _follow(self, pending: list[_Target], depth: int = 0) -> None:
        """Read the targets of pointers in order; `depth` is the number of enclosing arrays."""
        for target in pending:
            self._passing = target.passing
            if target.owner:
                self.structure_name = target.owner.name
            path = target.path if target.owner else f"{target.path}[{target.slot}]"
            inner: list[_Target] = []
            value: Any
            match target.to:
                case String():
                    value = self._string(path)
                case Guid():
                    value = self._guid(path)
                case Array():
                    if depth >= MAX_DEPTH and isinstance(target.to.element, Embedded):
                        problem = say(Problem.VALUE, _NESTED, depth + 1)
                        raise self._wrong(problem, target.path, self.pos, f"at most {MAX_DEPTH}", depth + 1)
                    value = self._array(target.to, target, inner)
            target.holder[target.slot] = value
            if inner:
                self._follow(inner, depth + 1)

    def _string(self, path: str) -> str:
        word, numbers = self.word, _STRINGS[self.word]
        self._aligned(word, path)
        at = self._take(numbers.size, path)
        room, start, count = numbers.unpack(self._since(at, numbers.format[1:]))
        self._note(path, at, numbers.size, "count", (room, start, count))
        if start or count > room:
            problem = say(Problem.VALUE, f"at most {room} WCHARs from 0 on", f"{count} from {start} on")
            raise self._wrong(problem, path, at, "an offset of 0, and no more than the room", (start, count))
        if 2 * count > self.left:
            most = self.left // 2
            problem = say(Problem.COUNT_ABOVE, most, count)
            raise self._wrong(problem, path, self.pos, f"at most {most}", count, (path, at + 2 * word))
        self.limits.hold(
            "string_length", max(count - 1, 0), structure=self.structure_name, path=path, offset=at + 2 * word
        )
        begin = self._take(2 * count, path)
        text = from_wchars(self._since(begin, f"{count}H"))
        if not text.endswith("\0"):
            problem = say(Problem.UNTERMINATED, f"{count} WCHARs")
            raise self._wrong(problem, path, begin, "a last WCHAR 0x0000", f"{count} WCHARs")
        if "\0" in text[:-1]:
            where = text.index("\0")
            problem = say(Problem.VALUE, f"a terminator after {count - 1} WCHARs", f"one after {where}")
            raise self._wrong(problem, path, begin, f"{count} WCHARs", where)
        self._note(path, begin, 2 * count, "field", text[:-1])
        return text[:-1]

    def _array(self, kind: Array, target: _Target, pending: list[_Target]) -> Any:
        path, owner = target.path, target.owner
        assert owner is not None  # noqa: S101  # arrays have a sibling count
        at = self._aligned(self.word, path)
        count = self._count(path)
        stated = owner.value(kind.count)
        source = f"{path.rpartition('.')[0]}.{kind.count}"
        begin = owner.offset_of(kind.count)
        if count != stated:
            problem = say(Problem.VALUE, f"a count of {stated} as in {kind.count}", count)
            raise self._wrong(problem, path, at, stated, count, (source, begin))
        return self._elements(kind.element, count, path, (source, begin), pending)

    def _elements(
        self, kind: Type, count: int, path: str, source: tuple[str, int], pending: list[_Target]
    ) -> Any:
        each = least_size(kind, self.word)
        stride = each + -each % alignment(kind, self.word)
        least = count and (count - 1) * stride + each
        if least > self.left:
            most = max(self.left + stride - each, 0) // stride
            problem = say(Problem.COUNT_ABOVE, most, count)
            raise self._wrong(problem, path, self.pos, f"at most {most}", count, source)
        octets = isinstance(kind, Scalar) and kind.size == 1
        if not octets:
            self.limits.hold("elements", count, structure=self.structure_name, path=path, offset=source[1])
        if count:
            self._aligned(alignment(kind, self.word), path)
        if isinstance(kind, (Scalar, Guid)):
            at = self._take(least, path)
            form = GUID_FORM * count if isinstance(kind, Guid) else f"{count}{kind.format}"
            raw = self._since(at, form)
            values: Any = raw
            if isinstance(kind, Guid):
                values = tuple(GUID(raw[each : each + 16]) for each in range(0, least, 16))
            elif not octets:
                values = struct.unpack(f"<{form}", raw)
            self._note(path, at, least, "field", values)
            return values
        if isinstance(kind, Embedded):
            return [self._structure(kind.name, f"{path}[{index}]", pending) for index in self._each(count)]
        elements: list[Any] = [None] * count
        for index in self._each(count):
            elements[index] = self._value(kind, f"{path}[{index}]", path, None, elements, index, pending)
        return elements

    def _each(self, count: int) -> Iterator[int]:
        """Yield the indices of the elements of an array; with enough fields, the rest is only counted."""
        passing = self._passing
        for index in range(count):
            if self.fields is not None and not passing and len(self.fields) >= self.limits.lax_fields:
                self._passing = True
                self.left_out += 1
            yield index
        self._passing = passing


def union_alignment(kind: Union, word: int = _NDR) -> int:
    """Return the alignment of the largest arm of a union."""
    return max(alignment(arm.type, word) for arm in kind.arms.values() if arm)


class Writer:
    """Writes one stream from an offset on.

    Args:
        pos: The offset at which to start; alignment is relative to the start of the stream.
        ms_union: Whether all arms of a union are aligned like the largest one.
    """

    def __init__(self, pos: int, *, ms_union: bool) -> None:
        self.start = pos
        self.ms_union = ms_union
        self.data = bytearray()
        self.referent = FIRST_REFERENT

    def write(self, record: Any) -> None:
        """Write a record and its pointer targets."""
        pending: list[tuple[String | Array | Guid, Any]] = []
        self._structure(record, pending)
        self._follow(pending)

    def write_array(self, records: Sequence[Any]) -> None:
        """Write a count, this number of records, and their pointer targets."""
        pending: list[tuple[String | Array | Guid, Any]] = []
        self._number(_COUNT, len(records))
        for record in records:
            self._structure(record, pending)
        self._follow(pending)

    def write_pointer(self, *, there: bool) -> None:
        """Write a pointer to what is written next, or a null pointer."""
        self._number(_COUNT, self.referent if there else 0)
        self.referent += 4 if there else 0

    def _align(self, boundary: int) -> None:
        self.data += bytes(-(self.start + len(self.data)) % boundary)

    def _number(self, kind: Scalar, number: int) -> None:
        self._align(kind.size)
        self.data += number.to_bytes(kind.size, "little", signed=kind.format.islower())

    def _structure(self, record: Any, pending: list[tuple[String | Array | Guid, Any]]) -> None:
        structure = record.layout
        self._align(alignment(Embedded(structure.name)))
        for field in structure.fields:
            value = getattr(record, field.name)
            if isinstance(field.type, Union):
                self._union(field.type, getattr(record, field.type.selector), value, pending)
            else:
                self._value(field.type, value, pending)

    def _union(
        self, kind: Union, selected: int, value: Any, pending: list[tuple[String | Array | Guid, Any]]
    ) -> None:
        if not self.ms_union:
            self._align(alignment(kind))
        self._number(kind.tag, selected)
        arm = kind.arms[selected]
        if arm is None:
            return
        if self.ms_union:
            self._align(union_alignment(kind))
        self._value(arm.type, value, pending)

    def _value(self, kind: Type, value: Any, pending: list[tuple[String | Array | Guid, Any]]) -> None:
        match kind:
            case Scalar():
                self._number(kind, value)
            case Guid():
                self._align(4)
                self.data += value.bytes_le
            case Packed():
                self._align(kind.alignment)
                self.data += value.encode()
            case Embedded():
                self._structure(value, pending)
            case Pointer():
                self.write_pointer(there=value is not None)
                if value is not None:
                    pending.append((kind.to, value))

    def _follow(self, pending: list[tuple[String | Array | Guid, Any]], depth: int = 0) -> None:
        for to, value in pending:
            inner: list[tuple[String | Array | Guid, Any]] = []
            match to:
                case String():
                    raw = to_wchars(value) + b"\0\0"
                    self._align(4)
                    self.data += _STRING.pack(len(raw) // 2, 0, len(raw) // 2) + raw
                case Guid():
                    self._value(to, value, inner)
                case Array():
                    if depth >= MAX_DEPTH and isinstance(to.element, Embedded):
                        raise EncodeError(
                            f"expected {_NESTED}, got {depth + 1} at least",
                            structure=to.element.name,
                            path=to.element.name,
                            expected=_NESTED,
                            actual=value,
                        )
                    self._array(to.element, value, inner)
            self._follow(inner, depth + 1)

    def _array(self, kind: Type, value: Any, pending: list[tuple[String | Array | Guid, Any]]) -> None:
        self._number(_COUNT, len(value))
        if isinstance(value, bytes):
            self.data += value
        elif isinstance(kind, Scalar):
            if value:
                self._align(kind.size)
            self.data += struct.pack(f"<{len(value)}{kind.format}", *value)
        else:
            for item in value:
                self._value(kind, item, pending)
