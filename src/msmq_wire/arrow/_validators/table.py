"""The data that the tests read: columns of packets, and when and where the packets were captured.

1. `Table` has the columns that were read from packets.  It computes words, masks and distinct values once,
   however many tests need them.
2. `Met` has what the caller knows of the capture; `met` makes it from arrays of any suitable type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow._join import has_numbers, has_text
from msmq_wire.checks.rules import Context
from msmq_wire.values.errors import MsmqWireError, plural
from msmq_wire.values.times import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from msmq_wire.checks.rules import Channel, Level
    from msmq_wire.records.model import Flags

    from .comparisons import Compared

    Mask = NDArray[np.bool_]

_CELL = 16
"""The size in bytes of a GUID, and of a view of bytes of variable length."""


class Met(NamedTuple):
    """When and where some packets were captured.

    Attributes:
        seen_at: Seconds since 1970, NaN if unknown; None if unknown for all packets.
        addresses: Addresses of the receivers, in a dictionary array; None if unknown for all packets.
        clock_tolerance: `Context.clock_tolerance` of all packets.
    """

    seen_at: NDArray[np.float64] | None = None
    addresses: pa.DictionaryArray | None = None
    clock_tolerance: float = 0.0

    @property
    def parts(self) -> frozenset[str]:
        """The known parts of a `Context`, and "", which stands for rules that need none."""
        context = {"seen_at": self.seen_at, "receiver_address": self.addresses}
        return frozenset({"", *(name for name, value in context.items() if value is not None)})

    def some(self, which: slice | NDArray[np.int64]) -> Met:
        """Return the values of some of the rows."""
        times, addresses = self.seen_at, self.addresses
        if addresses is not None:
            whole = isinstance(which, slice)
            addresses = addresses[which] if whole else addresses.take(pa.array(which))
        return Met(None if times is None else times[which], addresses, self.clock_tolerance)

    def context_of(self, row: int) -> Context | None:
        """Return the context of a row; None if it has no known facts."""
        if self.seen_at is None and self.addresses is None:
            return None
        seen_at = None if self.seen_at is None or np.isnan(self.seen_at[row]) else float(self.seen_at[row])
        return Context(
            seen_at=seen_at,
            receiver_address=None if self.addresses is None else self.addresses[row].as_py(),
            clock_tolerance=self.clock_tolerance,
        )


def met(size: int, seen_at: Any, receiver_address: Any, clock_tolerance: float = 0.0) -> Met:
    """Return when and where packets were captured.

    Args:
        size: The number of packets.
        seen_at: Timestamps, or seconds since 1970; null if unknown, or None if unknown for all packets.
        receiver_address: Addresses as text, likewise.
        clock_tolerance: Seconds, as in a `Context`.

    Raises:
        MsmqWireError: These are not times or texts, a time is none that a `Context` accepts, or there are
            more or fewer than `size`.
    """
    Context(clock_tolerance=clock_tolerance)  # which checks it
    times = addresses = None
    try:
        if seen_at is not None:
            given_times = _whole(seen_at)
            times = _seconds(given_times)
        if receiver_address is not None:
            addresses = _addresses(_whole(receiver_address))
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise MsmqWireError(f"expected times in seen_at and texts in receiver_address: {error}") from None
    for given in (times, addresses):
        if given is not None and len(given) != size:
            raise MsmqWireError(
                f"expected times and addresses of {size} {plural(size, 'packet')}, got {len(given)}"
            )
    if times is not None and size:
        for row in (int(times.argmin()), int(times.argmax())):  # both are the first NaN, if there is one
            try:
                Context(seen_at=float(times[row]))
            except MsmqWireError as error:
                raise MsmqWireError(f"row {row}: {error}") from None
        times = np.where(np.asarray(given_times.is_valid()), times, np.nan)
    return Met(times, addresses, clock_tolerance)


def _whole(given: Any) -> pa.Array:
    array = given if isinstance(given, (pa.Array, pa.ChunkedArray)) else pa.array(given)
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _seconds(array: pa.Array) -> NDArray[np.float64]:
    """Return times as seconds; null becomes zero.

    Raises:
        TypeError: These are not times.
    """
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    kind, unit = array.type, 1
    if pa.types.is_timestamp(kind):
        microseconds = pc.CastOptions(pa.timestamp("us", kind.tz), allow_time_truncate=True)
        array, unit = array.cast(options=microseconds).cast(pa.int64()), SECOND
    elif pa.types.is_floating(kind) or has_numbers(kind) or pa.types.is_null(kind):
        array = array.cast(pa.float64())
    else:
        raise TypeError(f"got times of {kind}")
    seconds: NDArray[np.float64] = array.fill_null(0).to_numpy() / unit
    return seconds


def _addresses(array: pa.Array) -> pa.DictionaryArray:
    """Return texts as a dictionary array.

    Raises:
        TypeError: These are not texts.
    """
    coded = pa.types.is_dictionary(array.type)
    kind = array.type.value_type if coded else array.type
    if not (has_text(kind) or pa.types.is_null(kind)):
        raise TypeError(f"got addresses of {kind}")
    return array if coded else array.cast(pa.string()).dictionary_encode()


class Table:
    """Packets as columns, with cached computations; results count only for packets of one kind, `of_root`."""

    def __init__(
        self,
        read: pa.StructArray,
        sizes: NDArray[np.int64],
        circumstances: Met,
        root: str,
        of_root: Mask,
        level: Level,
        channel: Channel,
    ) -> None:
        self.read, self.sizes, self.circumstances = read, sizes, circumstances
        self.root, self.of_root = root, of_root
        self.level, self.channel = level, channel
        self._arrays: dict[str, pa.Array] = {"": read}
        self._values: dict[str, NDArray[Any]] = {}
        self._masks: dict[str, Mask | None] = {}
        self._texts: dict[str, pa.BinaryArray] = {}
        self._held: dict[tuple[Any, ...], Mask] = {}
        self._distinct: dict[str, tuple[list[bytes], NDArray[np.int64], NDArray[np.int32]]] = {}
        self._words: dict[tuple[str, int], NDArray[np.int32]] = {}

    def array(self, path: str) -> pa.Array:
        """Return the column at a path."""
        array = self._arrays.get(path)
        if array is None:
            outer, _, last = path.rpartition(".")
            array = self._arrays[path] = self.array(outer).field(last)
        return array

    def values(self, path: str, flags: Flags | None = None) -> NDArray[Any]:
        """Return the numbers of a column; for a flags word, the word."""
        numbers = self._values.get(path)
        if numbers is None:
            if flags is None:
                array = self.array(path)
                kind = np.dtype(array.type.to_pandas_dtype())
                numbers = np.frombuffer(array.buffers()[1], kind, len(array), array.offset * kind.itemsize)
            else:
                kind = np.dtype(f"u{flags.size}")
                numbers = np.zeros(len(self.read), kind)
                for group in flags.groups:
                    group_values = self.values(f"{path}.{group.name}")
                    if group_values.any():  # few groups are used
                        numbers |= group_values.astype(kind) << kind.type(group.shift)
            self._values[path] = numbers
        return numbers

    def there(self, path: str) -> Mask | None:
        """Return in which rows a part and all enclosing parts are present; None if in all rows."""
        if path not in self._masks:
            outer = path.rpartition(".")[0]
            mask = self.there(outer) if outer else None
            array = self.array(path)
            if array.null_count:
                present = _bits(array.buffers()[0], array.offset, len(array))
                mask = present if mask is None else mask & present
            self._masks[path] = mask
        return self._masks[path]

    def within(self, path: str, mask: Mask) -> Mask:
        """Return a mask without the rows in which a part is absent; the path of the whole packet is ""."""
        there = self.there(path) if path else None
        return mask if there is None else mask & there

    def holds(self, condition: tuple[Any, ...], compared: Compared) -> Mask:
        """Return the rows for which a condition holds, which several rules may have."""
        if condition not in self._held:
            self._held[condition] = self.within(compared.part, compared.holds(self))
        return self._held[condition]

    def bytes_of(self, path: str) -> pa.BinaryArray:
        """Return a column of variable-length bytes as a contiguous array."""
        texts = self._texts.get(path)
        if texts is None:
            texts = self._texts[path] = self.array(path).cast(pa.binary())
        return texts

    def coded(self, path: str) -> tuple[list[bytes], NDArray[np.int32]]:
        """Return the distinct values of a column of bytes, b"" first, and the index of each row's value.

        Values of packets of other kinds, such as the bodies of messages, are replaced by b"", because they
        are many.
        """
        values, used, codes = self.distinct(path)
        indices = np.zeros(len(self.read), np.int32)
        indices[used] = codes
        return values, indices

    def distinct(self, path: str) -> tuple[list[bytes], NDArray[np.int64], NDArray[np.int32]]:
        """Return the values as `coded`, the rows of this kind that have one, and the indices of these."""
        if path not in self._distinct:
            self._distinct[path] = _distinct(self.array(path), self.of_root & (self.lengths(path) != 0))
        return self._distinct[path]

    def each(self, path: str, is_bad: Callable[[bytes], bool]) -> Mask:
        """Return which values are bad, testing each distinct value once; absent values are not bad."""
        values, _, _ = self.distinct(path)
        bad = np.array([is_bad(value) for value in values], np.bool_)
        if not bad.any():
            return self.nowhere()
        _, indices = self.coded(path)
        return self.within(path, bad[indices])

    def begins(self, path: str) -> NDArray[np.int32]:
        """Return the first four bytes of variable-length bytes; shorter values are filled with zeros."""
        return self._word(path, 1)

    def lengths(self, path: str) -> NDArray[np.int32]:
        """Return the lengths of variable-length bytes."""
        return self._word(path, 0)

    def _word(self, path: str, number: int) -> NDArray[np.int32]:
        """Return a word of each view, side by side, because tests read them several times."""
        if (path, number) not in self._words:
            words = _cells(self.array(path), "<i4")[:, number]
            self._words[path, number] = np.ascontiguousarray(words)
        return self._words[path, number]

    def halves(self, path: str) -> NDArray[np.uint64]:
        """Return 16-byte values as two numbers each."""
        return _cells(self.array(path), "<u8")

    def nowhere(self) -> Mask:
        """Return a mask without any row."""
        return np.zeros(len(self.read), np.bool_)


def _cells(array: pa.Array, number: str) -> NDArray[Any]:
    """Return the 16 bytes of each value or view as numbers, one row for each."""
    kind = np.dtype(number)
    count = _CELL // kind.itemsize
    return np.frombuffer(array.buffers()[1], kind, count * len(array), _CELL * array.offset).reshape(
        -1, count
    )


def _distinct(array: pa.Array, chosen: Mask) -> tuple[list[bytes], NDArray[np.int64], NDArray[np.int32]]:
    """Return the distinct values of chosen rows after b"", the rows, and the index of the value of each."""
    used = np.flatnonzero(chosen)
    if not len(used):
        return [b""], used, np.zeros(0, np.int32)
    views = np.frombuffer(array.buffers()[1], f"V{_CELL}", len(array), _CELL * array.offset)
    some = views.take(used)
    values = pa.Array.from_buffers(
        pa.binary_view(), len(used), [None, pa.py_buffer(some), *array.buffers()[2:]]
    )
    coded = values.cast(pa.binary()).dictionary_encode()
    return [b"", *coded.dictionary.to_pylist()], used, coded.indices.to_numpy() + 1


def _bits(buffer: pa.Buffer, offset: int, count: int) -> Mask:
    """Return validity bits of an array as a mask."""
    bits = np.unpackbits(np.frombuffer(buffer, np.uint8), count=offset + count, bitorder="little")
    return bits[offset:].view(np.bool_)
