"""Rows of `violations` that need two messages to be detected, from connections of all buckets and sensors.

1. Buckets give rows of `COMPARED`; rows of one queue manager come together.
2. Copies of a message become one: the first that was captured.
3. Pairs of messages are found by sorting; the conditions of the rules are applied to all pairs at once.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import array_of, ints, marks
from msmq_wire.arrow.distinct import Distinct
from msmq_wire.checks.rules import CAPTURED, CONTENT, LEVELS, Compared, Pairing, shown
from msmq_wire.documents.layouts import structures

from .rows.compared import COMPARED
from .rows.packets import OTHER, POSITION, VIOLATIONS
from .schemas import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from msmq_wire.checks.rules import CaptureRule, Level

    Ints = NDArray[np.int64]
    Pairs = tuple[Ints, Ints]

COMPARABLE: Final = "compared"
"""The name of these rows as gathered rows."""

_ROWS: Final = 20_000
_MESSAGE_ID: Final = structures()["UserMessage"].offset_of("UserHeader") + structures()[
    "UserHeader"
].offset_of("MessageID")
_IN_HEADER: Final = {
    name: structures()["TransactionHeader"].offset_of(field)
    for name, field in (
        ("number", "TxSequenceNumber"), ("first", "Flags"), ("last", "Flags"), ("transaction", "Flags"),
    )
}  # fmt: skip
"""Offsets of the fields in a TransactionHeader ([MS-MQMQ] 2.2.20.5), by the attributes of `Compared`."""
_HELD: Final = ("message_id", "sent_at", "number", "transaction")
_USE: Final = ("queue", "sequence", "number", "previous", "first", "last", "transaction")


def violations_of_pairs(
    batches: Iterable[pa.RecordBatch], level: Level, ignored: frozenset[str]
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield the rows of `violations` that are made of all rows of some queue managers.

    Args:
        batches: Rows of `COMPARED`.
        level: The level up to which there are violations.
        ignored: Ids of requirements that are not reported.
    """
    table = pa.Table.from_batches([*batches], plain(COMPARED)).combine_chunks()
    if not table.num_rows:
        return
    messages = _Messages(table)
    pairs = {
        Pairing.IDENTIFIER: messages.with_one_identifier(),
        Pairing.POSITION: messages.with_one_position(),
        Pairing.NEIGHBOURS: messages.neighbours(),
        Pairing.TRANSACTION: messages.of_one_transaction(),
    }
    violated: list[tuple[CaptureRule, Ints, Ints]] = []
    for rule in CAPTURED:
        if rule.requirement in ignored or LEVELS.index(rule.level) > LEVELS.index(level):
            continue
        earlier, later = pairs[rule.pairing]
        broken = np.flatnonzero(rule.breaks(messages.values(earlier), messages.values(later)))
        if len(broken):
            violated.append((rule, earlier[broken], later[broken]))
    for each in violated:
        rows = messages.violations(*each)
        for start in range(0, rows.num_rows, _ROWS):
            yield "violations", rows.slice(start, _ROWS)


class _Messages:
    """The messages, in the order in which they were captured first."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table
        captured = in_order_of_capture(table)
        self._captured = np.empty(len(captured), np.int64)  # of each row, its place in that order
        self._captured[captured] = np.arange(len(captured))
        self._identifier = self._codes("manager", "message_id")
        self._content = self._codes("manager", "message_id", *CONTENT)
        self._copy = marks(self._column("copy"))
        sent = {name: ints(self._column(name)) for name in _HELD}
        self._values = Compared(**sent, first=marks(self._column("first")), last=marks(self._column("last")))
        self._previous = ints(self._column("previous"))

    # ------------------------------------------------------------------------------------------ pairs

    def with_one_identifier(self) -> Pairs:
        """Return the first message with an identifier, for each different one with the same."""
        rows = self._firsts(np.flatnonzero(~self._copy), self._content)
        rows = rows[np.lexsort([self._captured[rows], self._identifier[rows]])]
        first = np.flatnonzero(_begins(self._identifier[rows]))
        earlier = np.repeat(first, np.diff(np.append(first, len(rows))))
        later = np.flatnonzero(earlier != np.arange(len(rows)))
        return rows[earlier[later]], rows[later]

    def with_one_position(self) -> Pairs:
        """Return different messages with one number in a sequence, of different connections."""
        rows, sequence = self._sequences
        earlier, later = _consecutive(rows)
        same = (sequence[1:] == sequence[:-1]) & (self._number(earlier) == self._number(later))
        connection = self._codes("sensor", "connection")
        same &= self._content[earlier] != self._content[later]
        same &= connection[earlier] != connection[later]
        return earlier[same], later[same]

    def neighbours(self) -> Pairs:
        """Return messages with consecutive numbers in a sequence."""
        rows, sequence = self._sequences
        start = _begins(sequence, self._number(rows))
        rows, sequence = rows[start], sequence[start]  # of messages with one number, the first
        earlier, later = _consecutive(rows)
        same = (sequence[1:] == sequence[:-1]) & self._follows(earlier, later)
        same &= self._content[earlier] != self._content[later]
        return earlier[same], later[same]

    def of_one_transaction(self) -> Pairs:
        """Return messages with one identifier of a transaction to one queue, in the order of sequences."""
        rows, sequence = self._sequences
        transaction = self._values.transaction[rows]
        queue = self._queue[rows]
        order = np.lexsort([np.arange(len(rows)), transaction, queue])
        rows, sequence, transaction, queue = (
            values[order] for values in (rows, sequence, transaction, queue)
        )
        earlier, later = _consecutive(rows)
        same = (queue[1:] == queue[:-1]) & (transaction[1:] == transaction[:-1])
        same &= self._content[earlier] != self._content[later]
        same &= ~((sequence[1:] == sequence[:-1]) & self._follows(earlier, later))
        return earlier[same], later[same]

    @cached_property
    def _queue(self) -> Ints:
        """The queue of each message, of the queue manager that sent it first."""
        return self._codes("manager", "queue")

    @cached_property
    def _sequences(self) -> tuple[Ints, Ints]:
        """Return transactional messages in the order of sequences and numbers, and the sequence of each."""
        numbered = np.flatnonzero(marks(self._column("sequence").is_valid()) & ~self._copy)
        rows = self._firsts(numbered, self._codes("manager", "message_id", *CONTENT, *_USE))
        key = self._queue[rows]
        stamps = self._column("sequence").fill_null(0).to_numpy()[rows]
        order = np.lexsort([self._captured[rows], self._number(rows), stamps, key])
        rows, key, stamps = rows[order], key[order], stamps[order]
        return rows, np.cumsum(_begins(key, stamps))

    def _follows(self, earlier: Ints, later: Ints) -> NDArray[np.bool_]:
        number = self._number(earlier)
        follows: NDArray[np.bool_] = (self._number(later) == number + 1) & (self._previous[later] == number)
        return follows

    def _number(self, rows: Ints) -> Ints:
        numbers: Ints = self._values.number[rows]
        return numbers

    def _firsts(self, rows: Ints, codes: Ints) -> Ints:
        """Return of rows with equal codes the one that was captured first."""
        order = rows[np.lexsort([self._captured[rows], codes[rows]])]
        firsts: Ints = order[_begins(codes[order])]
        return firsts

    # ------------------------------------------------------------------------------------------ columns

    def _codes(self, *names: str) -> Ints:
        """Return equal numbers for equal values of columns."""
        codes: Ints = Distinct(*map(self._column, names)).indices.to_numpy()
        return codes

    def _column(self, name: str) -> pa.Array:
        (column,) = self._table.column(name).chunks
        return column

    def values(self, rows: Ints) -> Compared:
        """Return the columns of messages that rules read."""
        return Compared(*(values[rows] for values in self._values))

    # --------------------------------------------------------------------------------------- violations

    def violations(self, rule: CaptureRule, earlier: Ints, later: Ints) -> pa.RecordBatch:
        """Return the rows of `violations` of pairs that break a rule."""
        wrong, other = (later, earlier) if rule.in_later else (earlier, later)
        count = len(wrong)
        values = [int(value) for value in getattr(self._values, rule.of)[wrong]]
        offset = np.full(count, _MESSAGE_ID)
        if rule.of in _IN_HEADER:
            offset = ints(self._column("header"))[wrong] + _IN_HEADER[rule.of]
        columns: dict[str, Any] = {
            "type": ["UserMessage"] * count,
            "requirement": [rule.requirement] * count,
            "path": [rule.path] * count,
            "field_offset": offset,
            "found": [str(value) for value in values],
            "allowed": [rule.allowed] * count,
            "message": [f"{rule.path} is {shown(value)}, {rule.fault}." for value in values],
            "level": [rule.level] * count,
        }
        return violations_of_two(self._table, wrong, other, columns)


def in_order_of_capture(table: pa.Table) -> Ints:
    """Return rows with places in the order in which their packets were captured."""
    streams = [
        ints(pc.rank(pc.fill_null(array_of(table.column(name)), ""), tiebreaker="dense"))
        for name in ("flow", "sensor")
    ]
    time = ints(table.column("time"), int(np.iinfo(np.int64).max))
    order: Ints = np.lexsort([ints(table.column("offset")), *streams, time])
    return order


def violations_of_two(
    table: pa.Table, wrong: Ints, other: Ints, columns: Mapping[str, Any]
) -> pa.RecordBatch:
    """Return rows of `violations` that two packets show together.

    Args:
        table: The places of packets, in one chunk.
        wrong: The rows of the packets that violate a requirement.
        other: The rows of the other packets.
        columns: The columns of `VIOLATIONS` without the places.
    """
    places = table.select(POSITION).take(pa.array(wrong))
    others = table.select([field.name for field in OTHER]).take(pa.array(other)).to_pylist()
    arrays = [
        array_of(places.column(field.name))
        if field.name in POSITION
        else pa.array(others if field.name == "other" else columns[field.name], field.type)
        for field in VIOLATIONS
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=plain(VIOLATIONS))


def _begins(*keys: Ints) -> NDArray[np.bool_]:
    """Return which rows differ from the one before."""
    begins = np.ones(len(keys[0]), np.bool_)
    begins[1:] = np.any([key[1:] != key[:-1] for key in keys], axis=0)
    return begins


def _consecutive(rows: Ints) -> Pairs:
    return rows[:-1], rows[1:]
