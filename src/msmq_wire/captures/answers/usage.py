"""The tables `queues` and `dependencies`: who sends to which queue, how much, when, and what became of it.

1. A message counts once, however often and by how many sensors it was captured, and once for each of its
   queues, with its state at that queue: the rows come from the messages of `deliveries`.
2. Counts are of messages, so rows can be added up, and a share is a count divided by `messages`.
3. Sizes are those of packets, and quantiles are sizes that occur: the nearest rank.
4. Names of queues are equal whatever their case.  A queue has the name that most of its messages have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import array_of, ints, joined, marks, order_by, ranks
from msmq_wire.arrow.distinct import Distinct
from msmq_wire.captures.rows.messages import MESSAGES
from msmq_wire.captures.schemas import TIME, coded, plain, schema_of
from msmq_wire.values.times import MINUTE

from .purposes import PURPOSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

USED: Final = "uses"
"""The name of the uses of queues, as gathered rows."""
ASKED: Final = (
    "admin_queue", "response_queue", "acknowledgments", "priority", "encrypted", "signed", "body_form",
    "time_to_reach_queue", "time_to_be_received",
)  # fmt: skip
"""The columns of `messages` with the sender's requests."""
USES: Final = coded(
    [
        *(
            (name, pa.string())
            for name in ("folded", "queue", "purpose", "host", "queue_manager", "receiver")
        ),
        *((name, pa.string()) for name in ("state", "mode")),
        ("time", TIME),
        ("size", pa.int64()),
        *((name, MESSAGES.field(name).type) for name in ASKED),
        ("readers", pa.list_(pa.string())),
    ]
)
"""The columns of a message to a queue; ``folded`` is its name in small letters."""

_COUNTS: Final = pa.map_(pa.string(), pa.int64())
_MOST: Final = 1 << 62
_BUSIEST: Final = {"busiest_minute": MINUTE, "busiest_hour": 60 * MINUTE}
"""Periods, in microseconds."""
MODES: Final = ("express", "recoverable", "transactional")
"""How messages are sent: also the columns that count them."""
_MAPS: Final = {
    "states": ("state", "How many messages have each state, as in `deliveries`, at this queue."),
    "body_forms": ("body_form", "How many have each form of body, as in `messages`."),
    "priorities": ("priority", "How many have each priority."),
    "reach_timeouts": ("time_to_reach_queue", "How many have each time to reach the queue, in seconds."),
    "receive_timeouts": ("time_to_be_received", "How many have each time to be received, in seconds."),
    "acknowledgments": ("acknowledgments", "How many ask for each kind of acknowledgment."),
    "admin_queues": ("admin_queue", "How many name each queue for their acknowledgments."),
    "response_queues": ("response_queue", "How many name each queue for answers."),
    "remote_readers": ("readers", "How many remote reads returned to each address."),
    "receivers": (
        "receiver",
        "How many went last to each queue manager, or address if that is unknown.",
    ),
}
"""Columns that count the values of a column of `USES`; null is not counted."""


def _columns(*keys: tuple[str, pa.DataType, str]) -> pa.Schema:
    busiest = [
        row
        for name in _BUSIEST
        for row in (
            (name, TIME, f"The {name[8:]} with the most messages; the first if there are several."),
            (f"{name}_messages", pa.int64(), f"How many there were in that {name[8:]}."),
        )
    ]
    return schema_of(
        [
            (
                "queue",
                pa.string(),
                "Format name of the queue.  Case does not matter; the case is that of most messages.",
            ),
            ("purpose", pa.string(), f"What its messages are for: {', '.join(PURPOSES)}."),
            *keys,
            ("messages", pa.int64(), "Number of messages; each counts once."),
            ("bytes", pa.int64(), "Sum of their sizes, as in `deliveries`."),
            ("size_median", pa.int64(), "Median size."),
            ("size_95", pa.int64(), "The size that 95 % of the messages do not exceed."),
            ("size_largest", pa.int64(), "The largest size."),
            ("first_at", TIME, "When the first message was captured."),
            ("last_at", TIME, "When the last message was captured."),
            *busiest,
            *((name, pa.int64(), f"How many messages are {name}.") for name in MODES),
            ("encrypted", pa.int64(), "How many have an encrypted body."),
            ("signed", pa.int64(), "How many have a signature."),
            *((name, _COUNTS, text) for name, (_, text) in _MAPS.items()),
        ]
    )


QUEUES: Final = _columns(
    ("hosts", pa.int64(), "From how many addresses they come."),
    ("queue_managers", pa.int64(), "From how many queue managers they come."),
)
"""The columns of `queues`."""
DEPENDENCIES: Final = _columns(
    (
        "host",
        pa.string(),
        (
            "The address that sent them, by a handshake of their queue manager; of messages whose first hop "
            "was not captured, its only address; null if none was captured, or if packets leave it open."
        ),
    ),
    ("queue_manager", pa.string(), "GUID of the queue manager that sent them first."),
)
"""The columns of `dependencies`."""
_TABLES: Final = {
    "queues": (QUEUES, ("queue", "purpose")),
    "dependencies": (DEPENDENCIES, ("queue", "purpose", "host", "queue_manager")),
}
"""The tables, and the meaning of each of their rows."""


def uses(
    messages: pa.Table,
    of: pa.Array,
    states: pa.Array,
    hosts: pa.Array,
    receivers: pa.Array,
    times: pa.Array,
    asked: Mapping[str, pa.Array],
) -> pa.Table:
    """Return the uses of queues by messages, as rows of `USES`.

    Args:
        messages: Rows of `deliveries`.
        of: For each of their queues, the row of the message.
        states: For each of their queues, the state of the message there.
        hosts: The address that sent each message first; null if unknown.
        receivers: For each of their queues, where its last hop ends; null if unknown.
        times: For each of their queues, when a packet for it was captured first.
        asked: The columns `ASKED`, for each of their queues.
    """
    queues = messages.column("destinations").combine_chunks()
    reads = messages.column("reads").combine_chunks()
    columns = {
        "host": hosts,
        "queue_manager": messages.column("source_queue_manager").combine_chunks(),
        **{name: messages.column(name).combine_chunks() for name in ("purpose", "mode", "size")},
        "readers": pa.ListArray.from_arrays(reads.offsets, pc.struct_field(reads.values, "by")),
    }
    taken = {name: column.take(of) for name, column in columns.items()}
    names = pc.list_flatten(queues)
    taken |= {"folded": folded(names), "queue": names, "state": states, "receiver": receivers, "time": times}
    taken |= asked
    return pa.table([taken[field.name].cast(field.type) for field in USES], schema=USES)


def usage_rows(
    batches: Iterable[pa.RecordBatch], wanted: frozenset[str], _settings: Any, _until: Mapping[str, int]
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield `queues` and `dependencies` of `USES`; the arguments are those of `gathering.tables_of`."""
    rows = joined(batches, USES)
    names = _most_frequent(array_of(rows.column("folded")), array_of(rows.column("queue")))
    rows = rows.set_column(rows.schema.get_field_index("queue"), "queue", names)
    counted = {name: _Counted(rows.column(column)) for name, (column, _) in _MAPS.items()}
    for name, (schema, keys) in _TABLES.items():
        if name in wanted and rows.num_rows:
            yield name, _Groups(rows, keys, counted).batch(schema)


def folded(names: pa.Array) -> pa.Array:
    """Return names of queues in small letters: their case does not matter."""
    coded = names.dictionary_encode()
    return pc.utf8_lower(coded.dictionary.cast(pa.string())).take(coded.indices)


def _most_frequent(queues: pa.Array, names: pa.Array) -> pa.Array:
    """Return for each row the name that most rows of its queue have; of several, the first in order."""
    queue, coded = ints(queues.dictionary_encode().indices), names.dictionary_encode()
    rank = ranks(coded.dictionary)
    group, value, number = _runs(queue, rank[ints(coded.indices)])
    order = _most_first(group, number)
    best = np.empty(len(coded.dictionary), np.int64)
    best[group[order][::-1]] = value[order][::-1]
    return coded.dictionary.take(pc.array_sort_indices(coded.dictionary)).take(pa.array(best[queue]))


class _Counted:
    """The values of a column that are counted.

    Attributes:
        row: The row of each value that is not null.
        value: Which of `names` it is.
        names: The different values as texts, in their order.
    """

    def __init__(self, column: pa.ChunkedArray) -> None:
        values = array_of(column)
        row = np.arange(len(values))
        if pa.types.is_list(values.type):
            row, values = pc.list_parent_indices(values).to_numpy(), pc.list_flatten(values)
        coded = values.dictionary_encode()
        names = coded.dictionary.cast(pa.string())
        value = np.append(ranks(names), -1)[ints(coded.indices)]
        has_value = value >= 0 if coded.null_count else slice(None)
        self.row, self.value = row[has_value], value[has_value]
        self.names = names.take(pc.array_sort_indices(names))


class _Groups:
    """The uses of queues, grouped; groups are in the order of their keys."""

    def __init__(self, rows: pa.Table, keys: tuple[str, ...], counted: Mapping[str, _Counted]) -> None:
        self._rows, self._counted = rows, counted
        distinct = Distinct(*(self._column(name) for name in keys))
        first = pa.array(distinct.first)
        values = {name: self._column(name).take(first) for name in keys}
        order = order_by(*(ranks(values[name]) for name in keys))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        self._of: Ints = rank[distinct.indices.to_numpy()]
        self._count = len(order)
        self._keys = {name: column.take(pa.array(order)) for name, column in values.items()}

    def _column(self, name: str) -> pa.Array:
        return array_of(self._rows.column(name))

    def batch(self, schema: pa.Schema) -> pa.RecordBatch:
        """Return a row for each group."""
        columns: dict[str, Any] = {
            **self._keys,
            "messages": np.bincount(self._of),
            **self._sizes(),
            **self._times(),
        }
        modes = self._column("mode").dictionary_encode()
        for name in MODES:
            columns[name] = self._number(pc.equal(modes.dictionary, name).take(modes.indices))
        for name in ("encrypted", "signed"):
            columns[name] = self._number(self._column(name))
        for name, counted in self._counted.items():
            columns[name] = self._counts(counted)
        for name in {"hosts", "queue_managers"} & {*schema.names}:
            columns[name] = self._different(self._column(name[:-1]))
        arrays = [pa.array(columns[field.name]).cast(field.type) for field in schema]
        return pa.RecordBatch.from_arrays(arrays, schema=plain(schema))

    def _number(self, truths: pa.Array) -> Ints:
        """Return how many rows of each group are true."""
        return np.bincount(self._of[marks(truths)], minlength=self._count)

    def _sizes(self) -> dict[str, Any]:
        size = ints(self._column("size"), 0)
        _, ranked, number = _runs(self._of, size)
        ranked = np.repeat(ranked, number)
        counts = np.bincount(self._of)
        ends = np.cumsum(counts)
        starts = ends - counts
        return {
            "bytes": np.add.reduceat(ranked, starts),
            "size_median": ranked[starts + (counts - 1) // 2],
            "size_95": ranked[starts + (counts * 95 + 99) // 100 - 1],
            "size_largest": ranked[ends - 1],
        }

    def _times(self) -> dict[str, Any]:
        """Return the columns of times; messages without one do not count."""
        column = self._column("time")
        (known,) = marks(column.is_valid()).nonzero()
        time, of = ints(column)[known], self._of[known]
        columns: dict[str, Any] = {}
        for name, better in (("first_at", np.minimum), ("last_at", np.maximum)):
            best, has = np.zeros(self._count, np.int64), np.zeros(self._count, np.bool_)
            best[of], has[of] = time, True
            better.at(best, of, time)
            columns[name] = pa.array(best, mask=~has).cast(TIME)
        for name, period in _BUSIEST.items():
            group, start, number = _runs(of, time // period)
            # The last value written is the first period with the most messages.
            order = _most_first(group, number)[::-1]
            begins, most = np.zeros(self._count, np.int64), np.zeros(self._count, np.int64)
            begins[group[order]], most[group[order]] = start[order] * period, number[order]
            columns[name] = pa.array(begins, mask=most == 0).cast(TIME)
            columns[f"{name}_messages"] = pa.array(most, mask=most == 0)
        return columns

    def _counts(self, counted: _Counted) -> pa.Array:
        """Return how often each group has each value of a column, the most frequent first."""
        group, value, number = _runs(self._of[counted.row], counted.value)
        order = _most_first(group, number)
        ends = np.cumsum(np.bincount(group, minlength=self._count))
        return pa.MapArray.from_arrays(
            pa.array(np.append(0, ends).astype(np.int32)),
            counted.names.take(pa.array(value[order])),
            pa.array(number[order]),
        )

    def _different(self, column: pa.Array) -> Ints:
        """Return how many different values of a column each group has."""
        code = ints(column.dictionary_encode().indices)
        group, _, _ = _runs(self._of[code >= 0], code[code >= 0])
        return np.bincount(group, minlength=self._count)


def _most_first(group: Ints, number: Ints) -> Ints:
    """Return the order of `_runs` by group and number, the largest number first."""
    most = int(number.max(initial=0))
    return order_by(group * (most + 1) + most - number)


def _runs(group: Ints, value: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the different pairs of numbers, in order, and how often each occurs; groups are from 0 on."""
    if not len(group):
        return group, value, group
    least = int(value.min())
    span = int(value.max()) - least + 1
    most = (int(group.max()) + 1) * span
    if most > _MOST:  # times that are far apart
        value, codes = np.unique(value, return_inverse=True)
        keys, numbers = np.unique(group * len(value) + codes, return_counts=True)
        return keys // len(value), value[keys % len(value)], numbers
    keys, numbers = np.unique(group * span + (value - least), return_counts=True)
    return keys // span, keys % span + least, numbers
