"""Decoding messages with many directory changes, one change at a time.

1. A DirectoryChange of [MC-MQDSRP] 2.2.4 and a Notification Update of [MS-MQCN] 2.2.6 are the same bytes
   (errata C13): Command, UseGuid, PathName or GuidIdentifier, sixteen bytes PartitionID or GuidMasterId,
   twenty-four bytes of sequence numbers or Reserved, then the properties.  This module reads both; only the
   names and the meaning of the values differ.
2. A message consists of its opening, a number of changes that the opening states, and its closing.
3. The number is checked against the remaining bytes before the first change is read.
4. One change is in memory at a time.
5. Errors have the text and the path that decoding the whole message would give, unless the number of changes
   is what is wrong: then they are about it, or name it as the source.
"""

from __future__ import annotations

import re
from collections import deque
from contextlib import suppress
from functools import cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.documents.layouts import structures
from msmq_wire.packets.partial import LaxResult, Source
from msmq_wire.packets.wrong_numbers import about_record, better, instance_at, renumbered
from msmq_wire.records.model import Integer, Items, Nested, Structure
from msmq_wire.records.record import diagnostic_reader, hold_size, read, size_of_record
from msmq_wire.records.registry import DECODERS
from msmq_wire.values.errors import DecodeError, deferred, elsewhere, kept, left_over, moved, need
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.refusals import Problem, say
from msmq_wire.values.reject import UNREADABLE, Reject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from msmq_wire.records.diagnostic_reader import DiagnosticReader
    from msmq_wire.records.record import Record

_HEAD = re.compile(r"[.\[]")
_LONGEST = 1 << 10
"""Size in bytes of the name of a machine, at most, where a message is read with another number of changes."""
_NOTIFICATION = "ChangeNotificationMessage"
_SUSPECTS = 3
"""Changes before an error whose numbers are tried."""


class Shape(NamedTuple):
    """The position of the changes in a message.

    Attributes:
        structure: The message.
        opening: The fields before the changes.
        path: Path of the changes within the message.
        element: The structure of one change.
        number: Path of the number of changes.
        closing: The fields after the changes.
    """

    structure: Structure
    opening: tuple[str, ...]
    path: str
    element: Structure
    number: str
    closing: tuple[str, ...]

    @property
    def count_field(self) -> tuple[str, str, int]:
        """The structure that the number of changes is in, its path from the message on, and its offset."""
        part, _, name = self.number.rpartition(".")
        structure = self.structure.by_name[part].kind_as(Nested).structure if part else self.structure
        offset = (self.structure.offset_of(part) if part else 0) + structure.offset_of(name)
        return structure.name, f"{self.structure.name}.{self.number}", offset


@cache
def shape_of(name: str) -> Shape | None:
    """The shape of a message, or None if it cannot have many changes."""
    structure = structures()[name]
    names = tuple(field.name for field in structure.fields)
    for index, field in enumerate(structure.fields):
        if field.element is not None:
            kind = field.kind_as(Items)
            return Shape(
                structure, names[:index], field.name, kind.structure, kind.count.number, names[index + 1 :]
            )
    return None


@cache
def _sizes_of(structure: Structure) -> tuple[int, int]:
    """Return the sizes of the number of elements, the first field of a closing, and of one element."""
    element = next(field.kind_as(Items).structure for field in structure.fields if field.element)
    return structure.fields[0].least_size, element.least_size


class Pieces:
    """A single pass over a message.

    Attributes:
        fields: The decoded fields of opening and closing, by name.
        position: Offset after the last decoded field.
        inside: The structure being decoded and its path within the message; the path is empty for the
            message itself.
        index: Number of decoded changes.
        count: Number of changes that the message states.
        ends: Offset after the opening, and after the first changes if their sizes are known.
    """

    def __init__(self, shape: Shape, data: bytes, limits: Limits = DEFAULT_LIMITS) -> None:
        self.shape = shape
        self.data = data
        self.limits = limits
        self.fields: dict[str, Any] = {}
        self.position = 0
        self.index = self.count = 0
        self.ends: list[int] = []
        self.inside: tuple[Structure, str] = (shape.structure, "")
        self._begins: deque[tuple[int, int]] = deque(maxlen=_SUSPECTS)

    def changes(self) -> Iterator[Any]:
        """Decode the changes one at a time, then the closing.

        Raises:
            DecodeError: The message cannot be decoded any further.
        """
        shape, data, end = self.shape, self.data, len(self.data)
        count = self.count = self._opening()
        if count > self.limits.changes or count * shape.element.least_size > end - self.position:
            self._refuse_whole()
        element, pos = shape.element, self.position
        self.ends = [pos]
        for self.index in range(count):
            self._begins.append((self.index, pos))
            try:
                change, pos = read(element, data, pos, end, self.limits)
            except DecodeError as error:
                self.inside = (element, f"{shape.path}[{self.index}]")
                raise self.about_count(self._rooted(error)) from None
            self.position = pos
            yield change
        self.index = count
        for name in shape.closing:
            self._part(name)

    def _opening(self) -> int:
        for name in self.shape.opening:
            field = self.shape.structure.by_name[name]
            if field.part is not None:
                self._part(name)
            else:
                size = field.kind_as(Integer).size
                raw = self.data[self.position : self.position + size]
                if len(raw) < size:
                    self._refuse_whole()
                self.fields[name] = int.from_bytes(raw, "little")
                self.position += size
        value: Any = self.fields
        for name in self.shape.number.split("."):
            value = value[name] if isinstance(value, dict) else getattr(value, name)
        return int(value)

    def _part(self, name: str) -> None:
        kind = self.shape.structure.by_name[name].kind_as(Nested)
        self.inside = (kind.structure, name)
        try:
            self.fields[name], self.position = read(
                kind.structure, self.data, self.position, len(self.data), self.limits
            )
        except DecodeError as error:
            rooted = self._rooted(error)
            raise (self.about_count(rooted) if name in self.shape.closing else rooted) from None
        self.inside = (self.shape.structure, "")

    def about_count(self, error: DecodeError) -> DecodeError:
        """Return the error about the number of changes, or with it as the source; or the given error.

        The message is read again with other numbers.  Where only changes follow, bytes that end with a change
        or have another one left show that their number is wrong.  Where something follows the changes, the
        number is what is wrong if the message is whole with exactly one other.  The same goes for the number
        of what follows them.
        """
        if error.limit.startswith("Limits."):
            return error
        structure, path, offset = self.shape.count_field
        if not self.shape.closing:
            ends = error.code is Problem.SHORT and self.position == len(self.data)
            goes_on = error.code is Problem.LEFT_OVER and self._after(self.shape.element, self.position)
            named = elsewhere(error, source_path=path, source_offset=offset) if ends or goes_on else error
            return better(named, self._about_change(), self.data)
        numbers, begin = self._numbers()
        if len(numbers) == 1:
            return DecodeError(
                say(Problem.VALUE, f"a count of {numbers[0]}", self.count),
                structure=structure,
                path=path,
                offset=offset,
                expected=numbers[0],
                actual=self.count,
                source_path=path,
                source_offset=offset,
            )
        name, root = self.shape.closing[0], self.shape.structure.name
        part = self._part_of(name)
        number = next(field.kind_as(Items).count.number for field in part.fields if field.element)
        absent = next(field.name for field in part.fields if field.present)
        named = elsewhere(error, source_path=f"{root}.{name}.{number}", source_offset=begin)
        if error.path == f"{root}.{name}.{absent}" and error.offset == len(self.data):
            return elsewhere(named, source_offset=self.position)  # nothing follows a number that is not zero
        if error.code is not Problem.LEFT_OVER or not self._has_more(name, begin):
            return better(error, self._about_change(), self.data)
        if any(self.data[begin : begin + _sizes_of(part)[0]]):
            return named
        return elsewhere(named, structure=part.name, path=f"{root}.{name}.{absent}")

    def _about_change(self) -> DecodeError | None:
        """Return the error about a number of one of the last changes; None if it is unknown."""

        def closes(data: bytes, pos: int) -> bool:
            for name in self.shape.closing:
                pos = pos and self._after(self._part_of(name), pos, data)
            return pos == len(data)

        begins = [*self._begins] or [*enumerate(self.ends[:-1])][-_SUSPECTS:]
        return about_change(self.data, self.shape, self.count, begins, closes, self.limits)

    def _numbers(self) -> tuple[list[int], int]:
        """Return the other numbers of changes with which the message is whole, and the end of the changes.

        There are two of the numbers at most.
        """
        numbers: list[int] = []
        end = 0
        for number, pos in enumerate(self._all_ends()):
            if len(numbers) > 1 or number > self.limits.changes:
                break
            if number != self.count and self._closes(pos):
                numbers.append(number)
            if number <= self.count:
                end = pos
        return numbers, end

    def _all_ends(self) -> Iterator[int]:
        """Yield `ends`, and the offset after each further change that can be decoded."""
        yield from self.ends
        pos = self.ends[-1]
        while pos := self._after(self.shape.element, pos):
            yield pos

    def _part_of(self, name: str) -> Structure:
        return self.shape.structure.by_name[name].kind_as(Nested).structure

    def _after(self, structure: Structure, pos: int, data: bytes | None = None) -> int:
        """Return the offset after a structure at an offset, or 0 if there is none."""
        read_from = self.data if data is None else data
        try:
            end: int = DECODERS[structure.name](read_from, pos, len(read_from), self.limits)[1]
        except UNREADABLE:
            return 0
        return end

    def _closes(self, pos: int) -> bool:
        """Return whether the closing at an offset ends with the message; it is read only if its size fits."""
        (name,) = self.shape.closing
        structure = self._part_of(name)
        size, each = _sizes_of(structure)
        number = int.from_bytes(self.data[pos : pos + size], "little")
        rest = len(self.data) - pos - size - number * each
        return 0 <= rest <= _LONGEST and self._after(structure, pos) == len(self.data)

    def _has_more(self, name: str, begin: int) -> bool:
        """Return whether more elements than are counted, or some of none, fill the rest of the message."""
        structure = self._part_of(name)
        size, each = _sizes_of(structure)
        counted = self.data[:begin] + (1).to_bytes(size, "little") + self.data[begin + size :]
        end = self._after(structure, begin, counted)
        return bool(end) and (len(self.data) - end) % each == 0

    def _rooted(self, error: DecodeError) -> DecodeError:
        """Extend the path of an error to the message."""
        structure, path = self.inside
        root = f"{self.shape.structure.name}.{path}"
        source = error.source_path
        return elsewhere(
            error,
            path=root + error.path.removeprefix(structure.name),
            source_path=None if source is None else root + source.removeprefix(structure.name),
        )

    def _refuse_whole(self) -> None:
        """Decode the whole message, to raise the error before the first change."""
        diagnostic_reader(self.data, self.limits).read(self.shape.structure, 0, len(self.data))
        raise AssertionError("two readers of one layout disagree")


def about_change(
    data: bytes,
    shape: Shape,
    count: int,
    begins: list[tuple[int, int]],
    closes: Callable[[bytes, int], bool],
    limits: Limits,
) -> DecodeError | None:
    """Return the error about the one number of a change that contradicts a message; None if it is unknown.

    Args:
        data: The message.
        shape: The position of its changes.
        count: Their number.
        begins: Index and offset of the changes whose numbers are tried.
        closes: Whether the message ends properly after the last change, given its bytes and that offset.
        limits: Bounds for decoding.
    """
    if not begins:
        return None
    (first, begin), decode = begins[0], DECODERS[shape.element.name]

    def is_whole(changed: bytes) -> bool:
        pos = 0
        try:
            for _ in range(first, count):
                pos = decode(changed, pos, len(changed), limits)[1]
        except UNREADABLE:
            return False
        return closes(changed, pos)

    path = f"{shape.structure.name}.{shape.path}"
    tail = data[begin:]
    instances = [
        instance_at(shape.element, offset - begin, f"{path}[{index}]", tail, limits)
        for index, offset in begins
    ]
    error = renumbered(tail, instances, is_whole, limits)
    return moved(error, begin) if error else None


def read_message(name: str, data: bytes, limits: Limits) -> tuple[Any, int]:
    """Decode the message at the beginning of `data`; return it and the offset after it.

    Raises:
        DecodeError: The bytes cannot be decoded as that message, or exceed a limit.
    """
    try:
        message = DECODERS[name](data, 0, len(data), limits) if len(data) <= limits.packet_size else None
    except Reject:
        message = None
    except AttributeError:
        need("limits", limits, Limits, "Limits")
        raise
    if message is None:
        raise deferred(partial(rejected, name, data, limits), of_properties=True)
    return message


def rejected(name: str, data: bytes, limits: Limits) -> DecodeError:
    """Return the error about a message that the fast reader rejected."""
    shape = shape_of(name)
    try:
        hold_size(structures()[name], data, limits)
        if shape is None:
            read(structures()[name], data, 0, len(data), limits)
        else:
            # The diagnostic reader would keep every field of every change; the pieces give the same error in
            # less memory.
            for _ in Pieces(shape, data, limits).changes():
                pass
    except DecodeError as error:
        # The bytes after a notification of updates are its own, so its module decides what is whole.
        is_final = shape is not None or name == _NOTIFICATION
        return kept(error) if is_final else about_record(kept(error), name, data, limits)
    raise AssertionError("two readers of one layout disagree")


def surplus(message: Record, pos: int, data: bytes, limits: Limits) -> DecodeError:
    """Return the error for bytes after a message."""
    name = type(message).__name__
    error, shape = left_over(name, pos, len(data)), shape_of(name)
    if shape is None:
        return about_record(error, name, data, limits)
    pieces = Pieces(shape, data, limits)
    pieces.position = pos
    changes = getattr(message, shape.path)
    pieces.count, begin = len(changes), shape.structure.offset_of(shape.path)
    pieces.ends = [*accumulate(map(size_of_record, changes), initial=begin)]
    return pieces.about_count(error)


def read_leniently(
    name: str, data: bytes, shape: Shape | None, error: DecodeError, limits: Limits
) -> LaxResult:
    """Decode as much as possible of a truncated or damaged message.

    Args:
        name: The name of the message.
        data: Its bytes.
        shape: The position of its changes, if it can have many.
        error: Why it cannot be decoded completely.
        limits: Bounds for the decoder; a message that is too large is not decoded.

    Returns:
        A result without a packet: the complete fields by name, including the complete changes; the fields of
        an incomplete change by their paths, such as ``DirectoryChanges[3].PropertyValue[0]``; the error, and
        the bytes after the last complete header.
    """
    headers: dict[str, Any] = {}
    if len(data) > limits.packet_size:
        return LaxResult(None, headers, error, data)
    source = Source(data, name, limits)
    start, inside = 0, (structures()[name], "")
    if shape is not None:
        pieces = Pieces(shape, data, limits)
        changes = []
        with suppress(DecodeError):
            for change in pieces.changes():
                changes.append(change)  # noqa: PERF402  # the changes before an error are kept
        if pieces.inside[1]:
            start, inside, headers = pieces.position, pieces.inside, pieces.fields
            if len(headers) >= len(shape.opening):
                headers[shape.path] = tuple(changes)
    reader = diagnostic_reader(data, limits)
    with suppress(DecodeError):
        reader.read(inside[0], start, len(data))
    leaves, end = _leaves(reader, *inside, start)
    return LaxResult(None, headers | leaves, error, data[end:], source)


def _leaves(
    reader: DiagnosticReader, structure: Structure, path: str, start: int
) -> tuple[dict[str, Any], int]:
    """The fields of an incomplete structure by their paths, and the offset after them."""
    root = f"{path}." if path else ""
    leaves = {root + name: value for name, value in reader.completed.items() if value is not None}
    end = start
    for piece in reader.spans:
        if piece.value is not None:
            end = piece.offset + piece.size
            inner = piece.path[len(structure.name) + 1 :]
            if _HEAD.split(inner, maxsplit=1)[0] not in reader.completed:
                leaves[root + inner] = piece.value
    return leaves, end
