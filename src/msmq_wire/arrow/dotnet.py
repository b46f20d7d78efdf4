"""The names of the types in a serialized .NET object ([MS-NRBF]), read without creating any object.

1. `type_names` walks over the records of a stream in their order.  It keeps the names of classes and
   libraries, and skips values.
2. The walk ends with the stream, at the first record that cannot be read, or after `MOST` values.  The names
   up to there are returned with the reason.
3. The cost is linear in the size of the stream: no byte is read twice, and references are not followed.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

PREFIX: Final = b"\0\1\0\0\0\xff\xff\xff\xff\1\0\0\0"
"""A SerializationHeaderRecord up to its minor version ([MS-NRBF] 2.6.1), as formatters write it."""
VERSION_AT: Final = 9
VERSION: Final = PREFIX[VERSION_AT:]
"""The only major version, and where it is in the record."""
_ANY: Final = re.compile(b"\0.{8}" + re.escape(VERSION) + b".{4}[\1-\21]", re.DOTALL)
"""One with any identifiers and minor version, and the type of the next record."""
MOST: Final = 100_000
"""Maximum number of records and values of members."""
_MOST_VALUES: Final = (1 << 31) - 1
"""Elements of an array: those that are null share a record."""
_MOST_RANK: Final = 32
_INT: Final = struct.Struct("<i")
_SIZES: Final = {
    1: 1, 2: 1, 6: 8, 7: 2, 8: 4, 9: 8, 10: 1, 11: 4, 12: 8, 13: 8, 14: 2, 15: 4, 16: 8,
}  # fmt: skip
"""Sizes of primitive types ([MS-NRBF] 2.1.2.3); a Char and a Decimal have no fixed size."""
_CHAR, _DECIMAL = 3, 5
_PRIMITIVE, _SYSTEM_CLASS, _CLASS, _PRIMITIVE_ARRAY = 0, 3, 4, 7
_MEMBER_TYPES: Final = range(8)
"""Types of members ([MS-NRBF] 2.1.2.2)."""
_WITH_BOUNDS: Final = range(3, 6)
"""Types of arrays with lower bounds ([MS-NRBF] 2.4.1.1)."""
_MESSAGE_END: Final = 11


class Types(NamedTuple):
    """The types in a stream.

    Attributes:
        names: Names of classes, each once, in the order of their first records, without libraries.
        libraries: Names of libraries, likewise.
        problem: Why the walk ended before the stream; None if it reached the end.
    """

    names: tuple[str, ...]
    libraries: tuple[str, ...]
    problem: str | None


class _EndError(Exception):
    """The stream cannot be read any further."""


class _Expected:
    """The values that a class or an array still expects: `left` values, of one of `kinds` or records."""

    __slots__ = ("kinds", "left")

    def __init__(self, kinds: list[int | None], left: int) -> None:
        self.kinds = kinds
        self.left = left


class _Walk:
    """A walk over the records of a stream."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self.names: dict[str, None] = {}
        self.libraries: dict[str, None] = {}
        self._members: dict[int, list[int | None]] = {}
        self._expected: list[_Expected] = []

    def run(self) -> str | None:
        """Walk to the end of the stream; return why it ended before."""
        try:
            for _ in range(MOST):
                kind = self._next()
                if kind is not None:
                    self._primitive(kind)
                elif self._record():
                    return None
        except _EndError as error:
            return str(error)
        return f"expected at most {MOST:,} values"

    def _next(self) -> int | None:
        """Return the primitive type of the next value, None for a record."""
        expected = self._expected
        while expected and not expected[-1].left:
            expected.pop()
        if not expected:
            return None
        last = expected[-1]
        last.left -= 1
        return last.kinds[-1 - last.left] if last.kinds else None

    # ------------------------------------------------------------------------------------- values

    def _take(self, size: int) -> bytes:
        left = len(self._data) - self._at
        if not 0 <= size <= left:
            raise _EndError(f"expected {size:,} bytes at byte {self._at:,}, found {left:,}")
        self._at += size
        return self._data[self._at - size : self._at]

    def _byte(self) -> int:
        return self._take(1)[0]

    def _number(self) -> int:
        (number,) = _INT.unpack(self._take(4))
        return int(number)

    def _count(self, most: int) -> int:
        number = self._number()
        if not 0 <= number <= most:
            raise _EndError(f"expected 0 to {most:,} at byte {self._at - 4:,}, found {number:,}")
        return number

    def _text(self) -> str:
        """A LengthPrefixedString: seven bits of its length in each byte ([MS-NRBF] 2.1.1.6)."""
        size = 0
        for shift in range(0, 35, 7):
            part = self._byte()
            size |= (part & 0x7F) << shift
            if part < 0x80:
                return self._take(size).decode("utf-8", "replace")
        raise _EndError(f"expected a length of at most 5 bytes at byte {self._at - 5:,}")

    def _primitive(self, kind: int) -> None:
        if kind in _SIZES:
            self._take(_SIZES[kind])
        elif kind == _CHAR:
            first = self._byte()  # in UTF-8
            self._take(0 if first < 0x80 else 1 if first < 0xE0 else 2 if first < 0xF0 else 3)
        elif kind == _DECIMAL:
            self._text()
        else:
            raise _EndError(f"expected a primitive type at byte {self._at:,}, found {kind}")

    def _primitives(self, kind: int, count: int) -> None:
        if kind in _SIZES:
            self._take(_SIZES[kind] * count)
            return
        for _ in range(count):  # each takes a byte or more, so that the data end first
            self._primitive(kind)

    # ------------------------------------------------------------------------------------- records

    def _record(self) -> bool:
        """Read one record; return whether it ends the stream."""
        kind = self._byte()
        if kind == _MESSAGE_END:
            return True
        read = _RECORDS.get(kind)
        if read is None:
            raise _EndError(f"expected a record at byte {self._at - 1:,}, found {kind}")
        read(self)
        return False

    def header(self) -> None:
        """SerializationHeaderRecord: identifiers and versions."""
        self._take(16)

    def class_with_id(self) -> None:
        """ClassWithId: another object of a class."""
        self._number()
        members = self._members.get(self._number())
        if members is None:
            raise _EndError(f"expected a known class at byte {self._at - 4:,}")
        self._expected.append(_Expected(members, len(members)))

    def class_record(self, *, typed: bool, library: bool) -> None:
        """A class with the names of its members, and perhaps their types and a library."""
        identifier = self._number()
        self._name(self._text())
        count = self._count(len(self._data))
        for _ in range(count):
            self._text()
        kinds: list[int | None] = [None] * count
        if typed:
            kinds = [self._additional(kind) for kind in self._take(count)]
        if library:
            self._number()
        self._members[identifier] = kinds
        self._expected.append(_Expected(kinds, count))

    def _name(self, name: str) -> None:
        self.names.setdefault(name)

    def _additional(self, kind: int) -> int | None:
        """Read what follows the type of a member; return its primitive type, None for a record."""
        if kind not in _MEMBER_TYPES:
            raise _EndError(f"expected a type of members before byte {self._at:,}, found {kind}")
        if kind == _PRIMITIVE:
            return self._byte()
        if kind == _PRIMITIVE_ARRAY:
            self._byte()
        elif kind == _SYSTEM_CLASS:
            self._name(self._text())
        elif kind == _CLASS:
            self._name(self._text())
            self._number()
        return None

    def string(self) -> None:
        """BinaryObjectString."""
        self._number()
        self._text()

    def library(self) -> None:
        """BinaryLibrary."""
        self._number()
        self.libraries.setdefault(self._text())

    def array(self) -> None:
        """BinaryArray ([MS-NRBF] 2.4.3.1)."""
        self._number()
        shape, rank = self._byte(), self._count(_MOST_RANK)
        count = 1
        for _ in range(rank):
            count *= self._count(_MOST_VALUES)
        if shape in _WITH_BOUNDS:
            self._take(4 * rank)
        kind = self._additional(self._byte())
        if kind is None:
            self._expected.append(_Expected([], count))
        else:
            self._primitives(kind, count)

    def primitive_array(self) -> None:
        """ArraySinglePrimitive."""
        self._number()
        count = self._count(len(self._data))
        self._primitives(self._byte(), count)

    def object_array(self) -> None:
        """ArraySingleObject and ArraySingleString."""
        self._number()
        self._expected.append(_Expected([], self._count(_MOST_VALUES)))

    def typed_value(self) -> None:
        """MemberPrimitiveTyped."""
        self._primitive(self._byte())

    def reference(self) -> None:
        """MemberReference."""
        self._take(4)

    def nulls(self, count: int) -> None:
        """ObjectNullMultiple: several elements of an array."""
        if self._expected:
            last = self._expected[-1]
            last.left = max(last.left - count + 1, 0)


_RECORDS: Final[dict[int, Callable[[_Walk], None]]] = {
    0: _Walk.header,
    1: _Walk.class_with_id,
    2: lambda walk: walk.class_record(typed=False, library=False),
    3: lambda walk: walk.class_record(typed=False, library=True),
    4: lambda walk: walk.class_record(typed=True, library=False),
    5: lambda walk: walk.class_record(typed=True, library=True),
    6: _Walk.string,
    7: _Walk.array,
    8: _Walk.typed_value,
    9: _Walk.reference,
    10: lambda _: None,
    12: _Walk.library,
    13: lambda walk: walk.nulls(walk._byte()),  # noqa: SLF001  # of this module
    14: lambda walk: walk.nulls(walk._number()),  # noqa: SLF001  # as above
    15: _Walk.primitive_array,
    16: _Walk.object_array,
    17: _Walk.object_array,
}
"""How each record is read, by its RecordTypeEnumeration ([MS-NRBF] 2.1.2.1)."""


def is_object(data: bytes) -> bool:
    """Return whether bytes begin as a serialized object, with the usual identifiers or others."""
    return data.startswith(PREFIX) or _ANY.match(data) is not None


def type_names(data: bytes) -> Types:
    """Return the names of the types in a serialized object.

    Args:
        data: A stream that begins as `is_object` says.
    """
    walk = _Walk(data)
    problem = walk.run()
    return Types(tuple(walk.names), tuple(walk.libraries), problem)
