"""The messages that evidence is about, and which rows are about which."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import array_of, ints, marks, meeting, order_by, ranks
from msmq_wire.captures.answers.contents import contents_of
from msmq_wire.captures.answers.evidence import NEVER, WHERE, EvidenceKind, ends_with
from msmq_wire.captures.answers.usage import folded
from msmq_wire.captures.rows.destinations import COPIES
from msmq_wire.captures.schemas import TIME
from msmq_wire.checks.rules import CONTENT

from .grouping import are_equal, counts_of, rows_alike

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]


class Messages:
    """The messages that evidence is about, each with a number.

    Attributes:
        code: The message of each row; -1 for none.
        sent: The rows of packets that were sent, by message, time and place.
        read: Those of remote reads.
        copied: The rows of copies for dead-letter queues and journals.
        named: The identifier of each message, as a number.
        variant: Its number among those with its identifier.
        whole: The first row of it that was captured completely; -1 for none.
        earliest: The first row of it; -1 for none.
        shown: The row whose columns are shown: `whole`, or else `earliest`.
        several: Which messages go to several queues.
        kept: The messages that have a row in the table.
        acknowledgments: The rows of administration acknowledgments, and `finals` those of FinalAcks.
    """

    def __init__(self, rows: pa.Table, until: Mapping[str, int], clock_tolerance: int) -> None:
        self.rows = rows
        self.until = until
        self.clock_tolerance = clock_tolerance  # in microseconds
        self.kind = ints(rows.column("kind")).copy()
        self.time = ints(rows.column("time"), NEVER)
        self._coded: dict[str, tuple[Ints, pa.Array]] = {}
        code, self.identifiers = self.coded("message")
        self.code = code.copy()
        self.count = len(self.identifiers)
        self._any = np.empty(self.count, np.int64)  # a row of each identifier
        self._any[code[code >= 0]] = (code >= 0).nonzero()[0]
        is_message = self.kind == EvidenceKind.SENT
        self.copies = {
            name: self.ends_with("destination", suffixes) & is_message for name, suffixes in COPIES.items()
        }
        self.is_read = self.kind == EvidenceKind.READ
        self.is_copied = np.logical_or.reduce([*self.copies.values()])
        self.is_sent = is_message & ~self.is_copied
        self.order = self._ordered()
        self.sent = self.order[self.is_sent[self.order]]
        self.read = self.of(EvidenceKind.READ)
        self.variant = np.ones(self.count, np.int64)
        self.named = np.arange(self.count)  # the identifier of each message
        self._divide()
        self._set_apart()
        self.rank = np.empty(len(self.order), np.int64)  # the place of each row in `order`
        self.rank[self.order] = np.arange(len(self.order))
        self._choose()

    # ------------------------------------------------------------------------------------------ order

    def _ordered(self) -> Ints:
        """Return all rows by message, time and place."""
        latest = self.time[self.time < NEVER].max(initial=0)
        order = order_by(self.code, np.minimum(self.time, latest + 1))
        time, code = self.time[order], self.code[order]
        tied = rows_alike((code[1:] == code[:-1]) & (time[1:] == time[:-1]))
        rows = order[tied]
        indices = [ranks(self.taken(name, rows)) for name in ("own", "flow", "sensor")]
        offset = ints(self.taken("offset", rows))
        order[tied] = rows[order_by(code[tied], time[tied], *indices[::-1], offset)]
        return order

    def ends_with(self, name: str, suffixes: tuple[str, ...]) -> Bools:
        """Return which rows have the name of a queue of a kind in a column."""
        return ends_with(self.column(name), suffixes)

    def _divide(self) -> None:
        """Give different messages with one identifier a number each."""
        rows = self.order[(self.code[self.order] >= 0) & (self.is_sent | self.is_read)[self.order]]
        own = self.code[rows]
        rows = rows[np.bincount(own, minlength=self.count)[own] > 1]
        taken = self.rows.select([*CONTENT, "partial"]).take(pa.array(rows))
        content = contents_of(taken, self.code[rows], self.is_read[rows])
        least, most = np.full(self.count, NEVER), np.full(self.count, -1)
        np.minimum.at(least, self.code[rows], content)
        np.maximum.at(most, self.code[rows], content)
        contents = np.full(self.rows.num_rows, -1, np.int64)
        contents[rows] = content
        sorted_codes = self.code[self.order]
        more: list[tuple[int, int]] = []
        for code in (most > least).nonzero()[0].tolist():
            start, stop = np.searchsorted(sorted_codes, (code, code + 1)).tolist()
            rows = self.order[start:stop]
            numbers, latest = dict[int, int](), code
            for row, own_content in zip(rows.tolist(), contents[rows].tolist(), strict=True):
                if own_content >= 0:
                    if own_content not in numbers:
                        numbers[own_content] = self.count + len(more) if numbers else code
                        if len(numbers) > 1:
                            more.append((len(numbers), code))
                    latest = numbers[own_content]
                self.code[row] = latest
        if more:
            self._add(*zip(*more, strict=True))

    def _set_apart(self) -> None:
        """Give what answers another message with an identifier, which was not captured, a number.

        An answer comes after the message.  The message may have been sent before it was captured; its
        ``sent_at`` says so.  A response alone is no message.
        """
        is_answer = np.isin(
            self.kind, (EvidenceKind.ADMINISTRATION, EvidenceKind.FINAL, EvidenceKind.RESPONSE)
        )
        (rows,) = is_answer.nonzero()
        itself = marks(pc.equal(self.taken("own", rows), self.taken("message", rows)))
        self.code[rows[itself]] = -1
        rows = rows[~itself]
        first = self.first(self.sent)
        early = rows[self.time[rows] < self.begins(first, self.code[rows], self.coded("sensor")[0][rows])]
        is_told = np.zeros(self.count, np.bool_)
        is_told[self.code[early[self.kind[early] != EvidenceKind.RESPONSE]]] = True
        number = np.full(self.count, -1, np.int64)
        (codes,) = is_told.nonzero()
        number[codes] = self.count + np.arange(len(codes))
        self.code[early] = number[self.code[early]]
        names = self.named[codes]
        self._add(np.bincount(self.named, minlength=self.count)[names] + 1, names)

    def begins(self, first: Ints, message: Ints, sensor: Ints) -> Ints:
        """Return from when on something at a sensor may answer a message.

        Args:
            first: The first row of each message; -1 for none.
            message: The message.
            sensor: The sensor that captured the answer; its clock may differ from that of another one.
        """
        row = np.append(first, -1)[message]
        own, _ = self.coded("sensor")
        is_apart = np.append(own, -1)[row] != sensor
        captured = self.times(row)
        begins = captured - np.where(is_apart, self.clock_tolerance, 0)
        sent_at = ints(self.taken("sent_at", row))
        begins = np.where(sent_at > 0, np.minimum(begins, sent_at), begins)  # zero states no time
        return np.where(captured == NEVER, -NEVER, begins)

    def _add(self, variants: Any, named: Any) -> None:
        """Add messages: their number among those with their identifier, and the identifier."""
        self.count += len(named)
        self.variant = np.append(self.variant, np.array(variants, np.int64))
        self.named = np.append(self.named, np.array(named, np.int64))
        self.order = self.order[order_by(self.code[self.order])]
        self.sent = self.sent[order_by(self.code[self.sent])]
        self.read = self.read[order_by(self.code[self.read])]

    def of(self, kind: EvidenceKind) -> Ints:
        """Return the rows of a kind, by message, time and place."""
        rows: Ints = self.order[self.kind[self.order] == kind]
        return rows[self.code[rows] >= 0]

    def first(self, rows: Ints) -> Ints:
        """Return for each message the first of some rows, which are in order; -1 for none."""
        firsts = np.full(self.count, -1, np.int64)
        firsts[self.code[rows[::-1]]] = rows[::-1]
        return firsts

    def times(self, row: Ints, name: str = "time") -> Ints:
        """Return a time of rows, `NEVER` for row -1."""
        times: Ints = np.append(ints(self.rows.column(name), NEVER), NEVER)[row]
        return times

    def taken(self, name: str, row: Ints) -> pa.Array:
        """Return a column of rows; null for row -1."""
        return self.column(name).take(pa.array(row, mask=row < 0))

    def packets(self, row: Ints, prefix: str = "") -> pa.Array:
        """Return where the packets of rows are, or those that acknowledged them; null for row -1.

        Args:
            row: The rows.
            prefix: ``received.`` or ``stored.`` for a packet that acknowledged a message, in its session.
        """
        own = dict.fromkeys(WHERE, prefix) | {"sensor": "", "connection": ""}
        columns = [self.taken(f"{before}{name}", row) for name, before in own.items()]
        return pa.StructArray.from_arrays(columns, [*own], mask=pa.array(row < 0))

    def column(self, name: str) -> pa.Array:
        """Return a column as one array."""
        return array_of(self.rows.column(name))

    def coded(self, name: str) -> tuple[Ints, pa.Array]:
        """Return a column of texts as numbers, -1 for null, and the text of each number."""
        if name not in self._coded:
            coded = self.column(name).dictionary_encode()
            self._coded[name] = ints(coded.indices), coded.dictionary
        return self._coded[name]

    @cached_property
    def queues(self) -> tuple[Ints, pa.Array]:
        """The destinations as numbers, -1 for null, and their names; names are equal whatever their case."""
        codes, names = self.coded("destination")
        queues = folded(names).dictionary_encode()
        return np.append(ints(queues.indices), -1)[codes], queues.dictionary

    def sources(self) -> Ints:
        """Return a row of each message that names the queue manager that sent it first."""
        return self._any[self.named]

    def as_times(self, times: Ints) -> pa.Array:
        """Return times of messages as a column of kept messages."""
        own = times[self.kept]
        return pa.array(own, mask=(own == NEVER) | (own < 0)).cast(TIME)

    # ------------------------------------------------------------------------------------------ packets

    def _choose(self) -> None:
        """Choose the packet of each message that shows its columns, and the messages that have a row."""
        partial = marks(self.column("partial"))
        whole, first = self.first(self.sent[~partial[self.sent]]), self.first(self.sent)
        self.copied = self.order[(self.is_copied & (self.code >= 0))[self.order]]
        for rows in (self.read, self.copied):  # of a message that was not seen on its way
            others = self.first(rows)
            instead = (first < 0) & (others >= 0)
            in_full = self.first(rows[~partial[rows]])
            whole[instead] = in_full[instead]
            first[instead] = others[instead]
            if rows is self.read:  # a copy hides the queue
                whole = np.where(whole < 0, in_full, whole)
        self.whole, self.earliest = whole, first
        self.shown = np.where(whole >= 0, whole, first)
        self.queue_counts = self._counted()
        self.copied_to_several = self._to_several()
        self.several = (self.queue_counts > 1) | self.copied_to_several
        self.kind[self._of_applications(self.of(EvidenceKind.ADMINISTRATION))] = EvidenceKind.RESPONSE
        self.acknowledgments = self.of(EvidenceKind.ADMINISTRATION)
        self.finals = self.of(EvidenceKind.FINAL)
        named = np.zeros(self.count, np.bool_)
        packets = [self.sent, self.read, self.copied, self.acknowledgments, self.finals]
        named[self.code[np.concatenate(packets)]] = True
        (self.kept,) = named.nonzero()

    def _of_applications(self, acknowledgments: Ints) -> Ints:
        """Return the rows of acknowledgments whose class is one that an application has set.

        No name says what it means, and it goes to the queue for responses.  Queue managers only acknowledge
        to the queues for acknowledgments ([MS-MQQB] 3.1.7.15), of which the column has the first.
        """
        is_number = meeting(self.taken("message_class", acknowledgments), str.isdigit)
        is_answer = self._are_to("response_queue", acknowledgments) & ~self.are_told(acknowledgments)
        rows: Ints = acknowledgments[is_number & is_answer]
        return rows

    def are_told(self, rows: Ints) -> Bools:
        """Return which packets go to the queue for acknowledgments of the message that they name."""
        return self._are_to("admin_queue", rows)

    def _are_to(self, name: str, rows: Ints) -> Bools:
        """Return which packets go to a queue that the message that they name has in a column."""
        asked = self.taken(name, self.shown[self.code[rows]])
        return are_equal(folded(self.taken("destination", rows)), folded(asked))

    def _counted(self) -> Ints:
        """Return how many different queues a packet of each message names."""
        lists = self.taken("destinations", self.shown)
        counts = ints(pc.list_value_length(lists), 0).copy()
        (rows,) = (counts > 1).nonzero()
        some = lists.take(pa.array(rows))
        names = folded(some.flatten()).dictionary_encode()
        counts[rows] = counts_of(pc.list_parent_indices(some).to_numpy(), ints(names.indices))
        return counts

    def _to_several(self) -> Bools:
        """Return which messages have copies to different queues."""
        queues, _ = self.queues
        least, most = np.full(self.count, NEVER), np.full(self.count, -1)
        rows = np.concatenate([self.sent, self.read])
        rows = rows[queues[rows] >= 0]
        np.minimum.at(least, self.code[rows], queues[rows])
        np.maximum.at(most, self.code[rows], queues[rows])
        return most > least
