"""Validates many packets by columns; only packets that the columns do not clear are validated as records.

1. Only the columns that the rules of `checks.rules` compare are read.  A rule is data, so the same rule that
   checks a record is applied to a whole column here.
2. A packet is cleared only if no rule can be violated.  Rules that are functions have column tests in this
   module, which may be stricter.  If a structure has a rule without a column test, packets with that
   structure are never cleared.
3. Rare parts are read in a second pass, for the packets that have them only.  A part without column tests,
   such as a list of names, is validated as a record, once for each distinct value.
4. The record validator validates all packets that are not cleared.  Not clearing a packet therefore only
   costs time.  The tests violate every requirement and compare both results, so that no violation is lost.
"""

from __future__ import annotations

from functools import cache, lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire import mqmq
from msmq_wire.checks.rules import EMBEDDED, JUDGES, LEVELS, OTHER_FIELD, RULES, Context
from msmq_wire.checks.rules._mqmq_common import CLOCKS, FOR_EVER
from msmq_wire.checks.rules._mqmq_message import KEY_BEGINS, MOST_AUTHORITIES
from msmq_wire.checks.rules._mqqb import is_at, is_order_queue
from msmq_wire.checks.validation import validate
from msmq_wire.definitions.relations import PRESENT
from msmq_wire.documents.layouts import structures
from msmq_wire.packets.carriers import DirectoryQueue, queue_of
from msmq_wire.packets.packet import ORDER_QUEUE, decode
from msmq_wire.records.model import Choice, Flags, Items, Nested
from msmq_wire.records.record import record_class
from msmq_wire.values.errors import DecodeError, MsmqWireError
from msmq_wire.values.guid import GUID
from msmq_wire.values.wchar import from_wchars, to_wchars

from ._input import Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from numpy.typing import NDArray

    from msmq_wire.checks.rules import Comparison, Rule
    from msmq_wire.checks.validation import Channel, Level, Violation
    from msmq_wire.records.model import Field, Structure

    Mask = NDArray[np.bool_]
    Reader = Callable[[Rows, tuple[str, ...], dict[str, NDArray[np.int64]]], pa.StructArray]

__all__ = ["FINDING", "LISTS", "Met", "cleared_rows", "columns_to_clear", "findings", "met"]

FINDING: Final = pa.struct(
    [
        ("requirement", pa.string()),
        ("section", pa.string()),
        ("level", pa.string()),
        ("path", pa.string()),
        ("offset", pa.int64()),
        ("allowed", pa.string()),
        ("message", pa.string()),
    ]
)
"""A `Violation` as a row."""

_ROOTS = ("UserMessage", "OrderAck", "FinalAck", "SessionAck", "EstablishConnection", "ConnectionParameters")
"""The kinds of packets that columns can clear."""
_CHUNK = 1 << 18
"""Rows that are compared together; enough that the fixed cost of a chunk does not matter."""
_MOST = 0xFFFF
_DIRECT = "DirectQueueFormatName"
_SESSION_HEADER = 16
LISTS = "MultiQueueFormatHeader"
_RARE = frozenset({"SoapHeader", "DebugHeader", LISTS})
"""Parts that few packets have; their columns are read for those packets only."""
_KEPT = 4096
"""The largest size in bytes of lists of queues that are cached."""
_PUBLIC_KEY = 0x00000206
_GUID = 16
_MICROSECONDS = 1e6
_NUMBERS = frozenset(queue.number for queue in DirectoryQueue)


class Met(NamedTuple):
    """When and where some packets were captured.

    Attributes:
        seen_at: Seconds since 1970, NaN if unknown; None if unknown for all packets.
        addresses: Addresses of the receivers, in a dictionary array; None if unknown for all packets.
    """

    seen_at: NDArray[np.float64] | None = None
    addresses: pa.DictionaryArray | None = None

    @property
    def parts(self) -> frozenset[str]:
        """The known parts of a `Context`, and "", which stands for rules that need none."""
        context = {"seen_at": self.seen_at, "receiver_address": self.addresses}
        return frozenset({"", *(name for name, known in context.items() if known is not None)})

    def some(self, which: slice | NDArray[np.int64]) -> Met:
        """Return the values of some of the rows."""
        times, addresses = self.seen_at, self.addresses
        if addresses is not None:
            whole = isinstance(which, slice)
            addresses = addresses[which] if whole else addresses.take(pa.array(which))
        return Met(None if times is None else times[which], addresses)

    def context_of(self, row: int) -> Context | None:
        """Return the context of a row; None if nothing is known."""
        if self.seen_at is None and self.addresses is None:
            return None
        seen_at = None if self.seen_at is None or np.isnan(self.seen_at[row]) else float(self.seen_at[row])
        return Context(
            seen_at=seen_at, receiver_address=None if self.addresses is None else self.addresses[row].as_py()
        )


def met(size: int, seen_at: Any, receiver_address: Any) -> Met:
    """Return when and where packets were captured.

    Args:
        size: The number of packets.
        seen_at: Timestamps, or seconds since 1970; null if unknown, or None if unknown for all packets.
        receiver_address: Addresses as text, likewise.

    Raises:
        MsmqWireError: These are not times or texts, or there are more or fewer than `size`.
    """
    times = addresses = None
    try:
        if seen_at is not None:
            array = _whole(seen_at)
            if pa.types.is_timestamp(array.type):
                made = array.cast(pa.timestamp("us", array.type.tz), safe=False).cast(pa.int64())
                times = made.to_numpy(zero_copy_only=False) / _MICROSECONDS
            else:
                times = array.cast(pa.float64()).to_numpy(zero_copy_only=False)
        if receiver_address is not None:
            array = _whole(receiver_address)
            coded = pa.types.is_dictionary(array.type)
            addresses = array if coded else array.cast(pa.string()).dictionary_encode()
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise MsmqWireError(f"expected times in seen_at and texts in receiver_address: {error}") from None
    for given in (times, addresses):
        if given is not None and len(given) != size:
            raise MsmqWireError(f"expected times and addresses of {size} packets, got {len(given)}")
    return Met(times, addresses)


def _whole(given: Any) -> pa.Array:
    made = given if isinstance(given, (pa.Array, pa.ChunkedArray)) else pa.array(given)
    return made.combine_chunks() if isinstance(made, pa.ChunkedArray) else made


def findings(rows: Rows, level: Level, channel: Channel, read: Reader, known: Met) -> pa.ListArray:
    """Return a list of findings for each row; null for a row that is not a packet.

    Args:
        rows: The packets.
        level: As for `validate`.
        channel: As for `validate`.
        read: Reads rows as the columns at these paths.
        known: When and where the packets were captured.
    """
    good = cleared_rows(rows, level, channel, read, known)
    counts = np.zeros(len(rows), np.int64)
    missing = np.zeros(len(rows), np.bool_)
    values: list[dict[str, Any]] = []
    for row in np.flatnonzero(~good).tolist():
        if rows.valid is not None and not rows.valid[row]:
            missing[row] = True
            continue
        try:
            packet = decode(rows.bytes_of(row))
            found = validate(packet, level, channel=channel, context=known.context_of(row))
        except MsmqWireError:
            missing[row] = True
            continue
        counts[row] = len(found)
        values += map(_as_row, found)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]).astype(np.int32)
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()),
        pa.array(values, FINDING),
        mask=pa.array(missing) if missing.any() else None,
    )


def columns_to_clear(level: Level, channel: Channel, known: Met) -> tuple[str, ...]:
    """Return the columns that `cleared_rows` requests if it is `at_once`."""
    return _plans(level, channel, True, known.parts)[1]


def cleared_rows(
    rows: Rows, level: Level, channel: Channel, read: Reader, known: Met, *, at_once: bool = False
) -> Mask:
    """Return which rows the columns clear of violations.

    Args:
        rows: As for `findings`.
        level: As for `findings`.
        channel: As for `findings`.
        read: As for `findings`.
        known: As for `findings`.
        at_once: Whether the columns of rare parts are at hand; otherwise they are read for rows with these
            parts only.
    """
    good = np.zeros(len(rows), np.bool_)
    for first in range(0, len(rows), _CHUNK):
        chosen = slice(first, first + _CHUNK)
        some = _some(rows, chosen)
        clear, waiting = _cleared(some, level, channel, read, known.some(chosen), at_once=at_once)
        for row, lists in waiting:
            clear[row] = _lists_are_clear(lists, level, channel) or _parts_are_clear(
                decode(some.bytes_of(row)), level, channel
            )
        good[first : first + _CHUNK] = clear
    return good


def _some(rows: Rows, which: slice | NDArray[np.int64]) -> Rows:
    valid = None if rows.valid is None else rows.valid[which]
    return Rows(rows.buffer, rows.data, rows.starts[which], rows.ends[which], valid)


def _as_row(found: Violation) -> dict[str, Any]:
    return {
        "requirement": found.requirement,
        "section": found.section,
        "level": found.level,
        "path": found.path,
        "offset": found.offset,
        "allowed": found.allowed,
        "message": found.message.encode("utf-8", "replace").decode(),
    }


# ------------------------------------------------------------------------------------------- the columns


class _Table:
    """Packets as columns, with cached computations; results count only for packets of one kind, `own`."""

    def __init__(
        self,
        read: pa.StructArray,
        sizes: NDArray[np.int64],
        known: Met,
        root: str,
        own: Mask,
        level: Level,
        channel: Channel,
    ) -> None:
        self.read, self.sizes, self.known, self.root, self.own = read, sizes, known, root, own
        self.level, self.channel = level, channel
        self._arrays: dict[str, pa.Array] = {"": read}
        self._values: dict[str, NDArray[Any]] = {}
        self._masks: dict[str, Mask | None] = {}
        self._texts: dict[str, pa.BinaryArray] = {}
        self._coded: dict[str, tuple[list[bytes], NDArray[np.int32]]] = {}

    def array(self, path: str) -> pa.Array:
        """Return the column at a path."""
        found = self._arrays.get(path)
        if found is None:
            outer, _, last = path.rpartition(".")
            found = self._arrays[path] = self.array(outer).field(last)
        return found

    def values(self, path: str, flags: Flags | None = None) -> NDArray[Any]:
        """Return the numbers of a column; for a flags word, the word."""
        found = self._values.get(path)
        if found is None:
            if flags is None:
                array = self.array(path)
                kind = np.dtype(array.type.to_pandas_dtype())
                found = np.frombuffer(array.buffers()[1], kind, len(array), array.offset * kind.itemsize)
            else:
                kind = np.dtype(f"u{flags.size}")
                found = np.zeros(len(self.read), kind)
                for group in flags.groups:
                    found |= self.values(f"{path}.{group.name}").astype(kind) << kind.type(group.shift)
            self._values[path] = found
        return found

    def there(self, path: str) -> Mask | None:
        """Return in which rows a part and all enclosing parts are present; None if in all rows."""
        if path not in self._masks:
            outer = path.rpartition(".")[0]
            mask = self.there(outer) if outer else None
            array = self.array(path)
            if array.null_count:
                own = _bits(array.buffers()[0], array.offset, len(array))
                mask = own if mask is None else mask & own
            self._masks[path] = mask
        return self._masks[path]

    def within(self, path: str, mask: Mask) -> Mask:
        """Return a mask without the rows in which a part is absent; the path of the whole packet is ""."""
        there = self.there(path) if path else None
        return mask if there is None else mask & there

    def bytes_of(self, path: str) -> pa.BinaryArray:
        """Return a column of variable-length bytes as a contiguous array."""
        found = self._texts.get(path)
        if found is None:
            found = self._texts[path] = self.array(path).cast(pa.binary())
        return found

    def coded(self, path: str) -> tuple[list[bytes], NDArray[np.int32]]:
        """Return the distinct values of a column of bytes, b"" first, and the index of each row's value.

        Values of packets of other kinds are many, such as the bodies of messages, and count as b"".
        """
        if path not in self._coded:
            self._coded[path] = _coded(self.array(path), np.where(self.own, self.lengths(path), 0))
        return self._coded[path]

    def each(self, path: str, is_bad: Callable[[bytes], bool]) -> Mask:
        """Return which values are bad, testing each distinct value once; absent values are not bad."""
        values, places = self.coded(path)
        bad = np.array([is_bad(value) for value in values], np.bool_)
        if not bad.any():
            return self.nowhere()
        return self.within(path, bad[places])

    def begins(self, path: str) -> NDArray[np.int32]:
        """Return the first four bytes of variable-length bytes; shorter values are filled with zeros."""
        array = self.array(path)
        return np.frombuffer(array.buffers()[1], "<i4", 4 * len(array), 16 * array.offset)[1::4]

    def lengths(self, path: str) -> NDArray[np.int32]:
        """Return the lengths of variable-length bytes."""
        array = self.array(path)
        return np.frombuffer(array.buffers()[1], "<i4", 4 * len(array), 16 * array.offset)[::4]

    def halves(self, path: str) -> NDArray[np.uint64]:
        """Return 16-byte values as two numbers each."""
        array = self.array(path)
        return np.frombuffer(array.buffers()[1], "<u8", 2 * len(array), 16 * array.offset).reshape(-1, 2)

    def nowhere(self) -> Mask:
        """Return a mask without any row."""
        return np.zeros(len(self.read), np.bool_)


def _coded(array: pa.Array, lengths: NDArray[np.int32]) -> tuple[list[bytes], NDArray[Any]]:
    """As `_Table.coded`; a null counts as b"", and only bytes that some row uses are compared."""
    used = np.flatnonzero(lengths)
    places = np.zeros(len(array), np.int32)
    if not len(used):
        return [b""], places
    _, views, *data = array.buffers()
    some = np.frombuffer(views, "V16", len(array), 16 * array.offset)[used]
    values = pa.Array.from_buffers(pa.binary_view(), len(used), [None, pa.py_buffer(some), *data])
    coded = values.cast(pa.binary()).dictionary_encode()
    found = np.frombuffer(coded.indices.buffers()[1], "<i4", len(coded), 4 * coded.offset)
    places[used] = found + 1
    return [b"", *coded.dictionary.to_pylist()], places


class _Plan(NamedTuple):
    """The column tests for the packets of a kind.

    Attributes:
        columns: The columns that the tests need.
        tests: Each test with the part that it applies to; a packet is cleared if no test doubts it.
        unchecked: Parts without column tests; rows with such a part need another check.
    """

    columns: tuple[str, ...]
    tests: tuple[tuple[str, Any], ...]
    unchecked: tuple[str, ...]


def _cleared(
    rows: Rows, level: Level, channel: Channel, read: Reader, known: Met, *, at_once: bool
) -> tuple[Mask, list[tuple[int, bytes]]]:
    """Return which rows are cleared, and which others only have unchecked parts left.

    The latter are returned with the bytes of their lists of queues if nothing else is left to check.
    """
    good, waiting, begins = _compared(rows, level, channel, read, known, rare=at_once)
    again = np.flatnonzero(waiting)
    if not len(again):
        return good, []
    if at_once:
        begins = begins[0][again], begins[1][again]
    else:
        some = _some(rows, again)
        good[again], waiting, begins = _compared(some, level, channel, read, known.some(again), rare=True)
        left = np.flatnonzero(waiting)
        again, begins = again[left], (begins[0][left], begins[1][left])
    bounds = zip(*(places.tolist() for places in begins), strict=True)
    lists = [rows.data[one:other].tobytes() if 0 <= one < other else b"" for one, other in bounds]
    return good, list(zip(again.tolist(), lists, strict=True))


def _compared(
    rows: Rows, level: Level, channel: Channel, read: Reader, known: Met, *, rare: bool
) -> tuple[Mask, Mask, tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return which rows are cleared, and which others would be without unchecked parts.

    Also return the start and end of the lists of queues of each row; a start of -1 means unknown.
    """
    plans, columns = _plans(level, channel, rare, known.parts)
    good, waiting = np.zeros(len(rows), np.bool_), np.zeros(len(rows), np.bool_)
    begins, ends = np.full(len(rows), -1, np.int64), rows.ends.copy()
    if not plans:
        return good, waiting, (begins, ends)
    table = read(rows, columns, {LISTS: begins} if rare else {})
    kinds = table.field("kind")
    codes = np.frombuffer(kinds.indices.buffers()[1], "i1", len(kinds), kinds.offset)
    errors = table.field("error")
    if kinds.null_count or errors.null_count < len(errors):
        whole = pc.and_(kinds.is_valid(), errors.is_null())
        codes = np.where(whole.to_numpy(zero_copy_only=False), codes, -1)
    names = kinds.dictionary.to_pylist()
    for root, plan in plans.items():
        own = codes == names.index(root) if root in names else np.zeros(len(rows), np.bool_)
        if own.any():
            packets = _Table(table, rows.ends - rows.starts, known, root, own, level, channel)
            own &= ~_doubted(packets, plan)
            unchecked = _unchecked(packets, plan)
            good |= own & ~unchecked
            waiting |= own & unchecked
            if root == "UserMessage":
                appended = packets.there("SessionHeader")
                ends -= _SESSION_HEADER if appended is None else _SESSION_HEADER * appended
    return good, waiting, (begins, ends)


def _doubted(table: _Table, plan: _Plan) -> Mask:
    doubted = table.nowhere()
    for part, test in plan.tests:
        found = test(table)
        if found is not None:
            doubted |= table.within(part, found)
    return doubted


def _unchecked(table: _Table, plan: _Plan) -> Mask:
    unchecked = table.nowhere()
    for part in plan.unchecked:
        there = table.there(part)
        unchecked |= True if there is None else there
    return unchecked


def _parts_are_clear(packet: Any, level: Level, channel: Channel) -> bool:
    """Return whether the unchecked parts of a packet have no violations."""
    plan = _plans(level, channel, True, frozenset({""}))[0][type(packet).__name__]
    parts = (attrgetter(path)(packet) for path in plan.unchecked)
    return all(_is_clear(part, level, channel) for part in parts if part is not None)


def _is_clear(part: Any, level: Level, channel: Channel) -> bool:
    return not validate(part, level, channel=channel)


def _lists_are_clear(data: bytes, level: Level, channel: Channel) -> bool:
    """Return whether these bytes are lists of queues without violations; cached, because lists repeat."""
    check = _known_lists_are_clear if len(data) <= _KEPT else _known_lists_are_clear.__wrapped__
    return check(data, level, channel)


@lru_cache(maxsize=1024)
def _known_lists_are_clear(data: bytes, level: Level, channel: Channel) -> bool:
    try:
        return _is_clear(mqmq.MultiQueueFormatHeader.decode(data), level, channel)
    except DecodeError:
        return False


# ------------------------------------------------------------------------------------------- the plan


class _Unchecked(Exception):
    """A rule has no column test."""


@cache
def _plans(
    level: Level, channel: Channel, rare: bool, known: frozenset[str]
) -> tuple[dict[str, _Plan], tuple[str, ...]]:
    """Return the column tests by kind of packet, and all columns that they need.

    Args:
        level: As for `findings`.
        channel: As for `findings`.
        rare: Whether rare parts are read, too.
        known: Known parts of a `Context`, and "".
    """
    plans = {
        root: plan
        for root in _ROOTS
        if (plan := _plan(root, _Planner(level, channel, rare, known))) is not None
    }
    return plans, tuple(sorted({column for plan in plans.values() for column in plan.columns}))


def _plan(root: str, planner: _Planner) -> _Plan | None:
    """Return the column tests for the packets of a kind; None if they cannot be cleared."""
    if not planner.covers(structures()[root], ""):
        return None
    return _Plan(tuple(sorted(planner.columns)), tuple(planner.tests), tuple(planner.unchecked))


class _Planner:
    """Finds the column test for each rule."""

    def __init__(self, level: Level, channel: Channel, rare: bool, known: frozenset[str]) -> None:
        self.level, self.channel, self.rare, self.known = level, channel, rare, known
        self.columns: set[str] = set()
        self.tests: list[tuple[str, Any]] = []
        self.unchecked: list[str] = []

    def covers(self, structure: Structure, prefix: str) -> bool:
        """Return whether every rule on a structure and its parts has a column test."""
        try:
            self.structure(structure, prefix)
        except _Unchecked:
            return False
        return True

    def structure(self, structure: Structure, prefix: str) -> None:
        """Add the tests for a structure and its parts."""
        for row in _rows(structure.name, self.level, self.channel, self.known):
            test = self._row(structure, prefix, row)
            if test is not None:
                self.tests.append((prefix, test))
        looked_into = [row.path for row in EMBEDDED.get(structure.name, ())]
        for path in [*looked_into, *("" for _ in JUDGES.get(structure.name, ()))]:
            self.tests.append((prefix, self._column_test(f"{structure.name}.{path}".rstrip("."), prefix)))
        for field in structure.fields:
            self._part(field, _join(prefix, field.name))

    def _part(self, field: Field, path: str) -> None:
        kind = field.kind
        if isinstance(kind, Nested) and _has_rules(kind.structure, self.level, self.channel):
            within = _Planner(self.level, self.channel, self.rare, self.known)
            if (path in _RARE and not self.rare) or not within.covers(kind.structure, path):
                if field.present is None:
                    raise _Unchecked
                self.unchecked.append(path)
                self.columns.add(_leaf(kind.structure, path))
            else:
                self.columns |= within.columns
                self.tests += within.tests
                self.unchecked += within.unchecked
        elif isinstance(kind, Items) and _has_rules(kind.structure, self.level, self.channel):
            raise _Unchecked
        elif isinstance(kind, Choice):
            for form in kind.structures:
                if form.name == _DIRECT:
                    self.columns |= {f"{path}.DirectFormatName", f"{path}.Count"}
                    self.tests.append(("", _names(path, self.level)))
                elif _has_rules(form, self.level, self.channel):
                    raise _Unchecked

    def _column_test(self, what: str, prefix: str) -> Any:
        found = _COLUMN_TESTS.get(what)
        if found is None:
            raise _Unchecked
        self.columns |= {_join(prefix, column) for column in found.columns}
        return lambda table: found.test(table, prefix)

    # -- one rule

    def _row(self, structure: Structure, prefix: str, row: Rule) -> Any:
        """Return a function that returns the rows that may violate a rule; None if decoding ensures it."""
        if _by_decoding(structure, row):
            return None
        conditions = [self._comparison(structure, prefix, each) for each in row.when]
        if row.operator == "fits":
            doubted = self._column_test(row.requirement, prefix)
        else:
            holds, part = self._comparison(structure, prefix, row)

            def doubted(table: _Table) -> Mask:
                return table.within(part, ~holds(table))

        def against(table: _Table) -> Mask | None:
            found: Mask | None = doubted(table)
            for met, part in conditions:
                if found is not None:
                    found = found & table.within(part, met(table))
            return found

        return against

    def _comparison(self, structure: Structure, prefix: str, each: Comparison | Rule) -> tuple[Any, str]:
        """Return a function that returns the rows for which a comparison holds, and the part it reads."""
        path, operator, value = _join(prefix, each.path), each.operator, each.value
        if operator in {"is there", "is absent"}:
            inner = _field(structure, each.path).kind_as(Nested)  # the decoder ensures other parts
            self.columns.add(_leaf(inner.structure, path))
            return (lambda table: _present(table, path, operator)), ""
        part = path.rpartition(".")[0]
        self.columns.add(path)
        if operator == "empty or ends with null":
            return (lambda table: _ended(table.bytes_of(path))), part
        if operator == "at least field":
            other = _join(prefix, value)
            self.columns.add(other)
            return (lambda table: table.values(path) >= table.values(other)), part
        if isinstance(value, str) and operator == "==":
            wanted = to_wchars(value)
            return (lambda table: ~table.each(path, lambda data: data != wanted)), part
        if isinstance(value, GUID):
            halves = np.frombuffer(value.bytes_le, "<u8")
            return (lambda table: _same(table.halves(path), halves)), part
        if operator not in _SIGNS or (isinstance(value, frozenset) and max(value) >= _MOST):
            raise _Unchecked
        kind = _field(structure, each.path).kind
        word = kind if isinstance(kind, Flags) and not _is_group(structure, each.path) else None
        return (lambda table: _SIGNS[operator](table.values(path, word), value)), part


def _bits(buffer: pa.Buffer, offset: int, count: int) -> Mask:
    """Return validity bits of an array as a mask."""
    bits = np.unpackbits(np.frombuffer(buffer, np.uint8), count=offset + count, bitorder="little")
    return bits[offset:].view(np.bool_)


def _join(prefix: str, path: str) -> str:
    return f"{prefix}.{path}" if prefix else path


def _rows(
    name: str, level: Level, channel: Channel, needs: Collection[str] = frozenset({""})
) -> Iterator[Rule]:
    levels = LEVELS[: LEVELS.index(level) + 1]
    for row in RULES.get(name, ()):
        if row.needs in needs and row.level in levels and (not row.channels or channel in row.channels):
            yield row


@cache
def _has_rules(structure: Structure, level: Level, channel: Channel) -> bool:
    """Return whether a structure or a part of it has rules."""
    if any(_rows(structure.name, level, channel)) or structure.name in JUDGES or structure.name in EMBEDDED:
        return True
    return any(_has_rules(inner, level, channel) for field in structure.fields for inner in field.structures)


def _field(structure: Structure, path: str) -> Field:
    """Return the field at a path; for a bit group, its word."""
    for step in path.split("."):
        field = structure.by_name[step]
        if not isinstance(field.kind, Nested):
            return field
        structure = field.kind.structure
    return field


def _is_group(structure: Structure, path: str) -> bool:
    return _field(structure, path).name != path.rpartition(".")[2]


def _leaf(structure: Structure, prefix: str) -> str:
    """Return a column of a part, which shows whether the part is present."""
    field = structure.fields[0]
    path = _join(prefix, field.name)
    return _leaf(field.kind.structure, path) if isinstance(field.kind, Nested) else path


def _by_decoding(structure: Structure, row: Rule) -> bool:
    """Return whether the decoder ensures a rule, because it depends on the field itself."""
    if row.operator == "form of":
        return True
    if row.operator in OTHER_FIELD:
        count = getattr(_field(structure, row.value).kind, "count", None)
        return getattr(count, "number", None) == row.path
    for each in row.when:
        flag = PRESENT.get(f"{structure.name}.{each.path}", "")
        if each.operator in {"is there", "is absent"} and flag.partition(" == ")[0] == row.path:
            return True
    return False


# ------------------------------------------------------------------------------------------- comparisons


@cache
def _known(numbers: frozenset[int]) -> Mask:
    """Return a lookup table of 16-bit numbers; the last entry stands for all larger numbers."""
    made = np.zeros(_MOST + 1, np.bool_)
    made[[number for number in numbers if number < _MOST]] = True
    return made


def _among(values: NDArray[Any], numbers: frozenset[int]) -> Mask:
    """Return which values are among the numbers, all of which have 16 bits."""
    if len(values) and (first := values[0]) == values.max() == values.min():  # most columns have one value
        return np.full(len(values), int(first) in numbers)
    found: Mask = _known(numbers)[values if values.itemsize <= 2 else np.minimum(values, _MOST)]  # 16 bits
    return found


_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda values, value: values == value,
    "!=": lambda values, value: values != value,
    "<=": lambda values, value: values <= value,
    "in": _among,
    "not in": lambda values, known: ~_among(values, known),
    "within": lambda values, bounds: (values >= bounds[0]) & (values <= bounds[1]),
    "with bits": lambda values, mask: values & mask != 0,
    "without bits": lambda values, mask: values & mask == 0,
}
"""Comparisons of number columns."""


def _same(halves: NDArray[np.uint64], wanted: NDArray[np.uint64]) -> Mask:
    found: Mask = (halves[:, 0] == wanted[0]) & (halves[:, 1] == wanted[1])
    return found


def _present(table: _Table, path: str, operator: str) -> Mask:
    there = table.there(path)
    if there is None:
        there = ~table.nowhere()
    return there if operator == "is there" else ~there


def _ended(texts: pa.BinaryArray) -> Mask:
    """Return which texts are empty or have exactly one null character, at their end."""
    offsets = np.frombuffer(texts.buffers()[1], "<i4", len(texts) + 1, 4 * texts.offset).astype(np.int64)
    units = np.frombuffer(texts.buffers()[2] or b"", "<u2", int(offsets[-1]) // 2)
    is_null = units == 0
    begins, ends = offsets[:-1] // 2, offsets[1:] // 2
    lasts = ends[begins < ends] - 1
    if is_null[lasts].all() and np.count_nonzero(is_null) == len(lasts):
        return np.ones(len(texts), np.bool_)
    nulls = np.flatnonzero(is_null)
    first, behind = np.searchsorted(nulls, begins), np.searchsorted(nulls, ends)
    last = np.searchsorted(nulls, ends - 1)
    good: Mask = (begins == ends) | ((behind - first == 1) & (last == first))
    return good


# ------------------------------------------------------------------------------------------- texts


def _names(path: str, level: Level) -> Callable[[_Table], Mask | None]:
    """Return the test for the direct names of a queue, which validates each distinct name once."""

    def against(table: _Table) -> Mask | None:
        name = f"{path}.DirectFormatName"
        array = table.array(name)
        if array.null_count == len(array):
            return None
        odd = table.within(name, table.values(f"{path}.Count") != table.lengths(name))
        return odd | table.each(name, lambda data: _name_is_bad(data, level))

    return against


@lru_cache(maxsize=4096)
def _name_is_bad(data: bytes, level: Level) -> bool:
    return bool(validate(_direct(data), level))


@lru_cache(maxsize=4096)
def _is_of_directory(data: bytes) -> bool:
    """Return whether a direct name is that of a queue for directory messages."""
    header = mqmq.UserHeader(DestinationQueue=_direct(data))
    return queue_of(mqmq.UserMessage(UserHeader=header)) is not None


def _direct(data: bytes) -> mqmq.DirectQueueFormatName:
    """Return the queue with this name; unlike a given name, one without a terminator does not get one."""
    size = len(data)
    made: mqmq.DirectQueueFormatName = mqmq.DirectQueueFormatName.raw(
        size, from_wchars(data), bytes(-(2 + size) & 3)
    )
    return made


# ------------------------------------------------------- column tests for rules that are functions


def _other_size(table: _Table, _: str) -> Mask:
    """PacketSize differs from the row's size, and from the size without a SessionHeader after a message."""
    found = table.values("BaseHeader.PacketSize")
    bad: Mask = found != table.sizes
    if table.root != "UserMessage":
        return bad
    appended = table.there("SessionHeader")  # None where every message has one
    without: Mask = found == table.sizes - _SESSION_HEADER
    bad &= ~(without if appended is None else appended & without)
    return bad


def _late(table: _Table, _: str) -> Mask:
    """The time to reach the queue had passed when the packet was captured; an unknown time is not late."""
    lasts = table.values("BaseHeader.TimeToReachQueue")
    until = table.values("UserHeader.SentTime").astype(np.float64) + lasts + CLOCKS
    assert table.known.seen_at is not None  # noqa: S101  # otherwise this rule is not tested
    late: Mask = (table.known.seen_at > until) & (lasts != FOR_EVER)
    return late


def _counts_session_header(table: _Table, _: str) -> Mask:
    bad: Mask = table.values("BaseHeader.PacketSize") == table.sizes
    return bad


def _to_directory(table: _Table, _: str) -> Mask:
    """Messages to a queue for directory messages carry one, which is validated as a record."""
    number, name = _QUEUE
    found = table.within(number, _among(table.values(number), _NUMBERS))
    if table.array(name).null_count < len(table.read):
        found = found | table.each(name, _is_of_directory)
    return found


def _no_sid(table: _Table, prefix: str) -> Mask:
    """The opposite of `is_sid`, judged by the first bytes and the length."""
    path = f"{prefix}.SecurityData.SecurityID"
    begins, lengths = table.begins(path), table.lengths(path)
    authorities = begins >> 8 & 0xFF
    good: Mask = (begins & 0xFF == 1) & (authorities <= MOST_AUTHORITIES) & (lengths == 8 + 4 * authorities)
    return ~good


def _public_key(table: _Table, prefix: str) -> Mask:
    cert = f"{prefix}.SenderCert"
    found: Mask = (table.lengths(cert) >= 4) & (table.begins(cert) == _PUBLIC_KEY)
    return found


def _embedded(name: str, structure: str, *, required: bool = False) -> _ColumnTest:
    """Return the test for a structure inside a byte field: doubts rows in which it has violations.

    Args:
        name: The field.
        structure: The structure.
        required: Whether nonempty bytes that are not such a structure are doubted, too.
    """

    def test(table: _Table, prefix: str) -> Mask:
        return table.each(f"{prefix}.{name}", lambda data: is_wrong(data, table))

    def is_wrong(data: bytes, table: _Table) -> bool:
        if not data:
            return False
        try:
            record = record_class(structure).decode(data)
        except DecodeError:
            return required
        return not _is_clear(record, table.level, table.channel)

    return _ColumnTest((name,), test)


def _other_queue(table: _Table, _: str) -> Mask:
    path = _QUEUE[0]
    return table.within(path, table.values(path) != ORDER_QUEUE)


def _other_name(table: _Table, _: str) -> Mask:
    return table.each(_QUEUE[1], lambda data: not is_order_queue(from_wchars(data)))


def _elsewhere(table: _Table, _: str) -> Mask | None:
    """The direct name of a queue for acknowledgments has another address than the receiver's."""
    addresses, path = table.known.addresses, _QUEUE[1]
    assert addresses is not None  # noqa: S101  # otherwise this rule is not tested
    names, places = table.coded(path)
    if len(names) == 1 or not len(addresses.dictionary):
        return None
    known = [*addresses.dictionary.to_pylist(), None]
    indices = addresses.indices.fill_null(len(known) - 1).to_numpy().astype(np.int64)
    pairs, which = np.unique(places * np.int64(len(known)) + indices, return_inverse=True)
    bad = [
        bool(names[pair // len(known)] and known[pair % len(known)])
        and not is_at(from_wchars(names[pair // len(known)]), known[pair % len(known)])
        for pair in pairs.tolist()
    ]
    return table.within(path, np.array(bad, np.bool_)[which])


def _short_key(table: _Table, prefix: str) -> Mask:
    size = table.lengths(f"{prefix}.EncryptionKey")
    found: Mask = (size != 0) & (size < KEY_BEGINS)
    return found


class _ColumnTest(NamedTuple):
    """A test on columns for a rule that is not a comparison.

    Attributes:
        columns: The columns that it needs, relative to the structure of the rule.
        test: Returns the rows that may violate the rule, given the table and the path of the structure.
    """

    columns: tuple[str, ...]
    test: Callable[[_Table, str], Mask | None]


_NEVER = _ColumnTest((), lambda _table, _prefix: None)
"""Decoding excludes violations, or another test in this table already doubts such rows."""
_QUEUE = (
    "UserHeader.DestinationQueue.PrivateQueueIdentifier",
    "UserHeader.DestinationQueue.DirectFormatName",
)
_COLUMN_TESTS: Final[dict[str, _ColumnTest]] = {
    "MQMQ-2.2.19.1-31": _ColumnTest(
        ("BaseHeader.PacketSize", "SessionHeader.AckSequenceNumber"), _other_size
    ),
    "MQMQ-2.2.19.1-34": _ColumnTest(("BaseHeader.TimeToReachQueue", "UserHeader.SentTime"), _late),
    "MQMQ-2.2.19.1-32": _ColumnTest(("BaseHeader.PacketSize",), _counts_session_header),
    "MQMQ-2.2.19.3-40": _NEVER,
    "MQMQ-2.2.20.6-03": _ColumnTest(("SecurityData.SecurityID",), _no_sid),
    "MQMQ-2.2.20.6-04": _ColumnTest(
        ("SenderIdSize",), lambda table, prefix: table.values(f"{prefix}.SenderIdSize") != _GUID
    ),
    "MQMQ-2.2.20.6-07": _ColumnTest(
        ("ProviderInfoSize",), lambda table, prefix: table.values(f"{prefix}.ProviderInfoSize") == 0
    ),
    "MQMQ-2.2.20.6-46": _embedded("SecurityData.ProviderInfo", "ProviderInfo", required=True),
    "MQMQ-2.2.20.6-25": _NEVER,
    "MQQB-2.2.4-05": _ColumnTest(_QUEUE[:1], _other_queue),
    "MQQB-2.2.4-06": _ColumnTest(_QUEUE[1:], _other_name),
    "MQQB-2.2.4-07": _ColumnTest(_QUEUE[1:], _elsewhere),
    "MQQB-2.2.5-08": _ColumnTest(_QUEUE[1:], _elsewhere),
    "MQQB-2.2.5-06": _ColumnTest(_QUEUE[:1], _other_queue),
    "MQQB-2.2.5-07": _ColumnTest(_QUEUE[1:], _other_name),
    "MQQB-2.4.2-02": _ColumnTest(("EncryptionKey",), _short_key),
    "SecurityData.EncryptionKey": _embedded("EncryptionKey", "SIMPLEBLOB"),
    "SecurityData.SenderCert": _ColumnTest(("SenderCert",), _public_key),
    "SecurityData.ProviderInfo": _embedded("ProviderInfo", "ProviderInfo"),
    "UserMessage.MessagePropertiesHeader.MessageBody": _ColumnTest(_QUEUE, _to_directory),
    "OrderAck.MessagePropertiesHeader.MessageBody": _embedded(
        "MessagePropertiesHeader.MessageBody", "OrderAckBody"
    ),
    "FinalAck.MessagePropertiesHeader.MessageBody": _embedded(
        "MessagePropertiesHeader.MessageBody", "FinalAckBody"
    ),
}
"""Column tests by requirement, and by structure and path for embedded structures and judges."""
