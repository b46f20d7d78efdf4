"""The rows of `deliveries`, and of their use of queues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import array_of, ints, joined, marks, texts_of
from msmq_wire.captures.answers.evidence import EVIDENCE, GUID_TEXT, NEVER, WHERE
from msmq_wire.captures.answers.usage import ASKED, MODES, USED, folded, uses
from msmq_wire.captures.schemas import TIME, plain
from msmq_wire.values.times import SECOND

from .acknowledgments import Answers
from .columns import COPIED, COPY_TYPE, DELIVERIES, READ_TYPE
from .fates import Fates
from .grouping import lists_of, numbered, starts_of, struct_of
from .hops import Hops
from .messages import Messages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from msmq_wire.captures.engine import Settings


_ROWS: Final = 20_000
_SHOWN: Final = (
    "purpose", "destination", "destinations", "destination_queue_manager", "label", "message_class",
    "sent_at", "size", "sequence", "dead_letter", "journal",
)  # fmt: skip
"""The columns that are those of a packet of the message."""
_QUEUES: Final = ("destination", "destinations", "destination_queue_manager")


def delivery_rows(
    batches: Iterable[pa.RecordBatch], wanted: frozenset[str], settings: Settings, until: Mapping[str, int]
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield `deliveries` of evidence, and `USES`; the arguments are those of `gathering.tables_of`."""
    rows = joined(batches, EVIDENCE)
    deliveries = _Rows(Messages(rows, until, round(settings.clock_tolerance * SECOND)))
    table = deliveries.table()
    for batch in _batches(table, plain(DELIVERIES)) if "deliveries" in wanted else ():
        yield "deliveries", batch
    for batch in deliveries.uses(table).to_batches(max_chunksize=_ROWS) if USED in wanted else ():
        yield USED, batch


def _batches(table: pa.Table, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield rows with the types of a schema, in batches, because their texts take much memory."""
    columns = [array_of(column) for column in table.columns]
    for start in range(0, table.num_rows, _ROWS):
        # Concatenation leaves out the elements of the other rows' lists.
        some = [pa.concat_arrays([column.slice(start, _ROWS)]) for column in columns]
        arrays = [column.cast(kind) for column, kind in zip(some, schema.types, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


class _Rows:
    """The rows of `deliveries`, of all messages."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._hops = Hops(messages)
        self._answers = Answers(messages, self._hops)
        self._fates = Fates(messages, self._hops, self._answers)

    def table(self) -> pa.Table:
        """Return the columns of `DELIVERIES`; texts may be numbers of a dictionary."""
        messages, hops, answers = self._messages, self._hops, self._answers
        columns = self._own_columns() | hops.columns() | answers.columns() | self._fates.columns()
        last = np.maximum(hops.last, answers.last)
        ended = ("time", "received.time", "stored.time")
        for rows, names in ((messages.sent, ended[1:]), (messages.read, ended), (messages.copied, ended[:1])):
            for name in names:
                np.maximum.at(last, messages.code[rows], ints(messages.column(name))[rows])
        columns["last_at"] = messages.as_times(last)
        columns["reads"] = self._reads()
        columns["copies"] = self._taken_elsewhere()
        return pa.table({name: columns[name] for name in DELIVERIES.names})

    def uses(self, table: pa.Table) -> pa.Table:
        """Return the rows of `USES`, of the rows that `table` has returned."""
        messages, hops = self._messages, self._hops
        kept = messages.kept
        destinations = table.column("destinations").combine_chunks()
        of = pc.list_parent_indices(destinations)
        states = self._fates.states(kept[of], destinations.flatten())
        shown = messages.shown[kept][of]
        asked = {name: messages.taken(name, shown) for name in ASKED}
        times = ints(table.column("first_at"), NEVER)[of]
        receivers = self._receivers().take(of)
        (several,) = messages.several[kept[of]].nonzero()
        if len(several):  # each queue has packets of its own
            queues = destinations.flatten().take(pa.array(several))
            first, last = hops.to_queues(kept[of][several], queues)
            times[several] = np.where(
                first < 0, times[several], messages.times(np.append(hops.row, -1)[first])
            )
            at = np.full(len(of), -1, np.int64)
            at[several] = last
            ends = hops.ends[1].take(pa.array(at, mask=at < 0))
            receivers = pc.if_else(pa.array(messages.several[kept[of]]), ends, receivers)
        captured = pa.array(times, mask=times == NEVER).cast(TIME)
        return uses(table, of, states, self._senders(), receivers, captured, asked)

    def _receivers(self) -> pa.Array:
        """Return the queue manager, or the address, at the end of the last hop of each kept message."""
        final = self._hops.final[self._messages.kept]
        return self._hops.ends[1].take(pa.array(final, mask=final < 0))

    def _senders(self) -> pa.Array:
        """Return the address of the sender of each kept message."""
        messages, hops = self._messages, self._hops
        begins, addresses = hops.begins()[messages.kept], hops.addresses()[messages.kept]
        return messages.taken("src", np.where(begins >= 0, begins, addresses))

    def _reads(self) -> pa.Array:
        """Return the column `reads`."""
        messages = self._messages
        flow, offset = messages.coded("flow")[0][messages.read], ints(messages.taken("offset", messages.read))
        codes = numbered(messages.code[messages.read], flow, offset)
        rows = messages.read[np.sort(starts_of(codes))]  # each once, at whatever sensor
        columns = {name: messages.taken(name, rows) for name in ("time", *WHERE)}
        columns |= {"by": messages.taken("dst", rows), "queue": messages.taken("by", rows)}
        return lists_of(messages.code[rows], messages.kept, struct_of(READ_TYPE, columns))

    def _taken_elsewhere(self) -> pa.Array:
        """Return the column `copies`."""
        messages = self._messages
        to = np.full(messages.rows.num_rows, -1, np.int64)
        for number, copied in enumerate(messages.copies.values()):
            to[copied] = number
        rows = messages.copied
        columns = {name: messages.taken(name, rows) for name in ("time", *WHERE)}
        columns["to"] = texts_of(to[rows], COPIED)
        return lists_of(messages.code[rows], messages.kept, struct_of(COPY_TYPE, columns))

    def _own_columns(self) -> dict[str, pa.Array]:
        """Return the columns that are those of packets."""
        messages = self._messages
        kept, shown = messages.kept, messages.shown[messages.kept]
        columns = {name: messages.taken(name, shown) for name in _SHOWN}
        # A copy does not name the queue of the message.
        is_copied = np.append(messages.is_copied, False)[shown]
        columns |= {name: messages.taken(name, np.where(is_copied, -1, shown)) for name in _QUEUES}
        columns["destinations"] = self._destinations(columns["destinations"])
        columns["number_in_sequence"] = messages.taken("number", shown)
        identifier = messages.identifiers.take(pa.array(messages.named[kept]))
        columns["message"] = identifier
        columns["source_queue_manager"] = messages.taken("manager", messages.sources()[kept])
        columns["message_number"] = pc.utf8_slice_codeunits(identifier, GUID_TEXT + 1).cast(pa.int64())
        columns["variant"] = pa.array(messages.variant[kept])
        columns["variants"] = pa.array(
            np.bincount(messages.named, minlength=messages.count)[messages.named[kept]]
        )
        transactional = messages.taken("transactional", shown)
        mode = np.where(marks(transactional), 2, marks(messages.taken("recoverable", shown)).astype(np.int64))
        columns["mode"] = texts_of(np.where(marks(transactional.is_valid()), mode, -1), MODES)
        columns["first_at"] = messages.as_times(messages.times(messages.earliest))
        columns["partial"] = pa.array((messages.whole < 0)[kept], mask=(messages.earliest < 0)[kept])
        return columns

    def _destinations(self, lists: pa.Array) -> pa.Array:
        """Return the queues of kept messages: those that a packet lists, and those to which copies went.

        A packet lists the name of a distribution list but not the queues in it.  Each queue is there once.
        """
        messages = self._messages
        several = messages.copied_to_several
        repeats = messages.queue_counts[messages.kept] < ints(pc.list_value_length(lists), 0)
        (rows,) = (several[messages.kept] | repeats).nonzero()
        if not len(rows):
            return lists
        queues, names = messages.coded("destination")
        texts = names.to_pylist()
        copies: dict[int, list[str]] = {}
        packets = np.concatenate([messages.sent, messages.read])
        for row in packets[several[messages.code[packets]] & (queues[packets] >= 0)].tolist():
            copies.setdefault(int(messages.code[row]), []).append(texts[queues[row]])
        listed = lists.take(pa.array(rows)).to_pylist()
        every = [
            _different([*(own or ()), *copies.get(message, ())])
            for own, message in zip(listed, messages.kept[rows].tolist(), strict=True)
        ]
        at = np.arange(len(lists))
        at[rows] = len(lists) + np.arange(len(rows))
        return pa.concat_arrays([lists, pa.array(every, lists.type)]).take(pa.array(at))


def _different(names: Iterable[str]) -> list[str]:
    """Return each name of a queue once."""
    by_name: dict[str, str] = {}
    every = [*names]
    for key, name in zip(folded(pa.array(every, pa.string())).to_pylist(), every, strict=True):
        by_name.setdefault(key, name)
    return [*by_name.values()]
