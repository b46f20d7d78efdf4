"""The smallest reproducer of a failure: the relevant changes of a mutant.

1. First the fewest changes: regions in which the mutant differs from its seed are changed back.
2. Then the fewest bytes: stretches are removed, longest first.  A PacketSize that was the size of the bytes
   may remain it, for readers that compare both.
3. Then the plainest values: bytes become those of the seed, or zero if no field becomes unreadable by that.
4. The last two are repeated until nothing changes.
5. The same arguments give the same reproducer.  The number of calls is bounded.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from hashlib import blake2b
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import MsmqWireError, WrongTypeError, need, need_within, wrong_type
from msmq_wire.views.texts import printable

from .lies import LengthMutant
from .mutator import Mutant
from .numbers import View, named_structure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from msmq_wire import Record

_MOST_COMPARED = 8192
"""Bytes between the first and the last difference that are compared in detail; its cost can be quadratic."""
_MOST_CALLS = 10_000
_T = TypeVar("_T")
_SIZE = Struct("<I")
"""A PacketSize."""


class _Region(NamedTuple):
    """Where a mutant differs from its seed."""

    start: int
    stop: int
    changed: bytes


class Reproducer(NamedTuple):
    """The result of `minimise`.

    Attributes:
        data: The smallest bytes that were found to fail.
        seed: The bytes from which the mutant was made.
        changes: The number of regions in which the mutant differed, of which at least one mattered.
        calls: How often `fails` was called.
        complete: Whether all attempts were made; False if the calls were used up.
        kind: The structure of the bytes.
    """

    data: bytes
    seed: bytes
    changes: int
    calls: int
    complete: bool
    kind: type[Record] | str | None = None

    @property
    def difference(self) -> str:
        """The fields that differ, a line each: path, value in the seed, value in the reproducer.

        Characters that are not printable are escaped.
        """
        before, after = (_values(View(data, self.kind), data) for data in (self.seed, self.data))
        lines = [
            printable(f"{path}: {before.get(path, 'absent')} -> {value}")
            for path, value in after.items()
            if before.get(path) != value
        ]
        absent = [path for path in before if path not in after]
        if absent:
            lines.append(f"absent: {absent[0]}" + (f" and {len(absent) - 1} more" if absent[1:] else ""))
        if len(self.seed) != len(self.data):
            lines.append(f"size: {len(self.seed)} -> {len(self.data)} bytes")
        return "\n".join(lines)

    def pytest_case(self, name: str = "reproducer") -> str:
        """Return the source of a test that passes the bytes to a function ``check`` of yours.

        Define or import that function in the file of the test.

        Raises:
            MsmqWireError: The name is not an identifier.
        """
        if not f"test_{name}".isidentifier():
            raise MsmqWireError(f"{name!r} cannot be a part of the name of a function")
        digits = self.data.hex()
        rows = [f'        "{digits[at : at + 96]}"' for at in range(0, len(digits), 96)] or ['        ""']
        comment = [f"    # {line}" for line in self.difference.splitlines()]
        head, end = [f"def test_{name}() -> None:", *comment], ["    )", "    check(data)", ""]
        return "\n".join((*head, "    data = bytes.fromhex(", *rows, *end))


def minimise(
    seed: bytes,
    mutant: Mutant | LengthMutant | bytes,
    fails: Callable[[bytes], bool],
    *,
    kind: type[Record] | str | None = None,
    calls: int = 2000,
) -> Reproducer:
    """Find a small reproducer of a failure.

    Args:
        seed: The bytes from which the mutant was made.
        mutant: The mutant, of `mutate` or of any other program.
        fails: A function that returns whether some bytes fail.  It has to return the same for the same bytes.
        kind: The structure of the bytes, as for `mutate`: which fields are to remain readable.
        calls: The largest number of calls of `fails`, 1 to 10,000.

    Raises:
        WrongTypeError: `seed` or `mutant` is not a buffer, or another argument has the wrong type.
        MsmqWireError: The mutant does not fail, there is no such structure, or `calls` is out of range.

    Examples:
        >>> from msmq_wire import mqmq
        >>> seed = mqmq.UserMessage.of(Label="label", MessageBody=b"body").encode()
        >>> mutant = bytearray(seed)
        >>> mutant[2], mutant[20], mutant[-1] = 0x23, 0xFF, 0xFF
        >>> minimise(seed, bytes(mutant), lambda data: len(data) > 2 and data[2] & 0x20 > 0).data.hex()
        '000023'
    """
    need("calls", calls, int, "a whole number")
    need_within("calls", calls, 1, _MOST_CALLS, f"1 to {_MOST_CALLS}")
    if not callable(fails):
        raise WrongTypeError(f"fails: {wrong_type('a function', fails)}")
    named_structure(kind)
    seed, data = (
        as_bytes(seed),
        as_bytes(mutant.data if isinstance(mutant, (Mutant, LengthMutant)) else mutant),
    )
    search = _Search(fails, calls)
    if not search.fails(data):
        raise MsmqWireError("the mutant does not fail, so there is nothing to minimise")
    regions = _regions(seed, data)
    data, before = _with(seed, search.fewest(regions, lambda some: _with(seed, some))), b""
    while data != before and search.left:
        before = data
        data = search.plainest(search.shortest(data, kind), seed, kind)
    return Reproducer(data, seed, len(regions), search.calls, search.left > 0, kind)


class _Search:
    """Tries smaller inputs, and stores which were tried.

    Attributes:
        calls: How often the function was called.
        left: How often it may still be called.
    """

    def __init__(self, fails: Callable[[bytes], bool], most: int) -> None:
        self._fails = fails
        self._known: dict[bytes, bool] = {}  # by digest
        self.calls = 0
        self.left = most

    def fails(self, data: bytes) -> bool:
        """Return whether some bytes fail; False when no call is left."""
        digest = blake2b(data).digest()
        if digest not in self._known:
            if not self.left:
                return False
            self.left -= 1
            self.calls += 1
            self._known[digest] = bool(self._fails(data))
        return self._known[digest]

    def fewest(self, parts: list[_T], joined: Callable[[list[_T]], bytes]) -> list[_T]:
        """Remove as many parts as possible, in stretches that become shorter."""
        stretch = len(parts)
        while stretch and self.left:
            start, kept = 0, None  # the stretch before, which cannot be removed
            while start < len(parts) and self.left:
                removed = parts[start : start + stretch]
                if removed != kept and self.fails(joined(parts[:start] + parts[start + stretch :])):
                    parts = parts[:start] + parts[start + stretch :]
                    kept = None
                else:  # without the second of two equal stretches, the same remains
                    kept = removed
                    start += stretch
            stretch //= 2
        return parts

    def shortest(self, data: bytes, kind: type[Record] | str | None) -> bytes:
        """Remove as many bytes as possible; first those behind a PacketSize that remains the size of all."""
        size_at = _size_at(data, kind)
        if size_at is not None:
            head, behind = data[:size_at], data[size_at + _SIZE.size :]

            def resized(rest: list[int]) -> bytes:
                return head + _SIZE.pack(size_at + _SIZE.size + len(rest)) + bytes(rest)

            data = resized(self.fewest(list(behind), resized))
        return bytes(self.fewest(list(data), bytes))

    def plainest(self, data: bytes, seed: bytes, kind: type[Record] | str | None) -> bytes:
        """Set each byte to that of the seed, or else to zero."""
        readable = len(View(data, kind).fields)
        for index in range(len(data)):
            if not self.left:
                break
            plain = {0, *seed[index : index + 1]} if len(data) == len(seed) else {0}
            for value in sorted(plain, key=lambda value: value == 0):
                if value == data[index]:
                    continue
                other = data[:index] + bytes([value]) + data[index + 1 :]
                if not self.fails(other):
                    continue
                fields = len(View(other, kind).fields)
                if fields >= readable:
                    data, readable = other, fields
                    break
        return data


def _size_at(data: bytes, kind: type[Record] | str | None) -> int | None:
    """Return the offset of a PacketSize that equals the size of the bytes."""
    for field in View(data, kind).fields:
        if field.path.endswith(".PacketSize") and field.value == len(data):
            return field.offset
    return None


def _regions(seed: bytes, data: bytes) -> list[_Region]:
    """Return the regions in which the bytes differ, in order."""
    start = _common(seed, data)
    same = _common(seed[start:][::-1], data[start:][::-1])
    before, after = seed[start : len(seed) - same], data[start : len(data) - same]
    if max(len(before), len(after)) > _MOST_COMPARED:
        return [_Region(start, start + len(before), after)]
    if len(before) == len(after):
        return [
            _Region(start + first, start + last, after[first:last]) for first, last in _runs(before, after)
        ]
    return [
        _Region(start + first, start + last, after[new:newer])
        for tag, first, last, new, newer in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if tag != "equal"
    ]


def _common(before: bytes, after: bytes) -> int:
    """Return the length of the common beginning."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((index for index, (left, right) in pairs if left != right), min(len(before), len(after)))


def _runs(before: bytes, after: bytes) -> Iterator[tuple[int, int]]:
    """Yield the runs of different bytes of two buffers of one size."""
    first = None
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        if old == new:
            if first is not None:
                yield first, index
            first = None
        elif first is None:
            first = index
    if first is not None:
        yield first, len(before)


def _with(seed: bytes, regions: list[_Region]) -> bytes:
    """Return the seed with these regions changed."""
    pieces, position = [], 0
    for region in regions:
        pieces += [seed[position : region.start], region.changed]
        position = region.stop
    return b"".join((*pieces, seed[position:]))


def _values(view: View, data: bytes) -> dict[str, str]:
    """Return the value of each field, by path; for bytes without a field, their digits."""
    values = {
        field.path: field.value.hex() if isinstance(field.value, bytes) else str(field.value)
        for field in view.fields
    }
    behind = max((field.offset + field.size for field in view.fields), default=0)
    return values | ({f"byte {behind} on": data[behind:].hex()} if behind < len(data) else {})
