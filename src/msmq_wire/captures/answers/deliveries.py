"""The table `deliveries`: what became of each message, from `evidence` of all connections and sensors.

1. A row is a message.  Its identifier contains the queue manager that sent it, so addresses do not matter.
   An identifier that was used for different messages has a row for each; copies of one packet do not differ
   in what is known of both.
2. A hop is from one queue manager to another, or from one address to another if a queue manager is unknown.
   It may be captured by several sensors, and the message may be sent again.  A message to several queues has
   a hop for each of them.
3. The first of `STATES` that applies counts.  A message to several queues has the
   worst state of any of its queues: the last in `WEAKEST`.
4. What answers a message comes after it.  The clock of a sensor is one; those of two may differ by
   `Settings.clock_tolerance`.
5. Rows come in any order and give the same result.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import COUNTABLE, array_of, either, ints, joined, marks, order_by, ranks, texts_of
from msmq_wire.arrow.distinct import Distinct
from msmq_wire.arrow.messages import DELIVERED, RETRIEVED
from msmq_wire.captures.flows.connections import OPENED
from msmq_wire.captures.rows.destinations import COPIES
from msmq_wire.captures.rows.messages import MESSAGES
from msmq_wire.captures.schemas import TIME, plain, schema_of
from msmq_wire.checks.rules import CONTENT
from msmq_wire.values.guid import NULL_GUID
from msmq_wire.values.times import SECOND

from .claims import of_several_computers
from .contents import contents_of
from .evidence import EVIDENCE, GUID_TEXT, NEVER, WHERE, EvidenceKind, ends_with, loss_order
from .purposes import NORMAL, PURPOSES, outcome_of
from .sessions import Doubt
from .usage import ASKED, MODES, USED, folded, uses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from msmq_wire.captures.engine import Settings

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]


class _Reason(NamedTuple):
    """A reason for a state.

    Attributes:
        state: The state.
        means: The meaning of the state for this reason.
        why: The sentence in `why`.
    """

    state: str
    means: str
    why: str


_REASONS: Final = {
    "refused": _Reason(
        "refused",
        "a negative acknowledgment, which is an administration acknowledgment or a FinalAck, reports it",
        "{by} refused it: {name}.",
    ),
    "received": _Reason(
        "received",
        "an acknowledgment of the class MQMSG_CLASS_ACK_RECEIVE reports that it was taken from its queue",
        "{by} says that it was taken from its queue: {name}.",
    ),
    "expired": _Reason(
        "expired",
        "a negative acknowledgment reports that its time ran out",
        "{by} says that its time ran out: {name}.",
    ),
    "taken": _Reason(
        "received", "a remote read took it from its queue", "A remote read took it from the queue {by}."
    ),
    "answered": _Reason(
        "received",
        "a response proves that a program has read it, and no negative acknowledgment came back",
        "{by} sent a response to it, so a program has read it.",
    ),
    "late": _Reason(
        "expired",
        "its time ended while the capture went on, and the acknowledgment that it asks for had not come back",
        "Its time ended, and the acknowledgment that it asks for had not come back.",
    ),
    "reached": _Reason(
        "reached",
        "in its queue: an acknowledgment of the class MQMSG_CLASS_ACK_REACH_QUEUE",
        "{by} says that it is in its queue: {name}.",
    ),
    "in transaction": _Reason(
        "reached",
        "a remote read took it from its queue in a transaction",
        (
            "A remote read took it from the queue {by} in a transaction, and no captured packet says whether "
            "that was committed."
        ),
    ),
    "returned": _Reason(
        "reached",
        "a remote read returned it from its queue",
        "A remote read returned it from the queue {by}, and no captured call proves that it was taken.",
    ),
    "ordered": _Reason(
        "reached", "an OrderAck", "An OrderAck of {by} acknowledges its place in its sequence."
    ),
    "stored": _Reason(
        "reached",
        "its queue manager acknowledged that it stored the message",
        "{by}, which has its queue, acknowledged that it stored it.",
    ),
    "accepted": _Reason(
        "accepted",
        "acknowledged in its session by the last queue manager to which it was seen going",
        "{by} acknowledged it in its session.",
    ),
    "lost": _Reason(
        "unknown",
        "an answer may be among bytes that are missing or cannot be read",
        "{by} may have answered in bytes that are missing in the capture.",
    ),
    "unread": _Reason(
        "unknown",
        "an answer may be among bytes that are missing or cannot be read",
        "{by} may have answered in bytes that cannot be read.",
    ),
    "again": _Reason(
        "unknown",
        "it may have been sent again among them",
        "It may have been sent to {by} again in bytes that are missing in the capture.",
    ),
    "again unread": _Reason(
        "unknown",
        "it may have been sent again among them",
        "It may have been sent to {by} again in bytes that cannot be read.",
    ),
    "uncounted": _Reason(
        "unknown", "its number in its session is not known", "Its number in its session is not known."
    ),
    "unheard": _Reason(
        "unknown",
        "no packet of the other direction was captured",
        "Of its connection, no packet from {by} was captured.",
    ),
    "apart": _Reason(
        "unknown",
        "it was captured outside of a session",
        "It was captured outside of a session, where nothing acknowledges it.",
    ),
    "read": _Reason(
        "unknown",
        "only a remote read of it was captured, and no call proves that it was in its queue",
        "Only a remote read of it was captured, from the queue {by}.",
    ),
    "read somewhere": _Reason(
        "unknown",
        "only a remote read of it was captured, and no call proves that it was in its queue",
        "Only a remote read of it was captured, and no captured call says from which queue.",
    ),
    "copied": _Reason(
        "unknown",
        "only a copy of it for a dead-letter queue or a journal was captured",
        "Only a copy of it for a dead-letter queue or a journal was captured.",
    ),
    "unseen": _Reason(
        "unknown", "only an acknowledgment of it was captured", "Only an acknowledgment of it was captured."
    ),
    "sent": _Reason(
        "sent",
        "seen, and no acknowledgment came back before the capture ended",
        "{by} was sent it, and no acknowledgment came back before the capture ended.",
    ),
    "unasked": _Reason(
        "sent",
        (
            "its time ended, but it asks for no administration acknowledgment that would tell whether it was "
            "in time"
        ),
        (
            "{by} was sent it, and no acknowledgment came back. Its time ended, but it asks for no "
            "administration acknowledgment that would tell whether it was in time."
        ),
    ),
    "either": _Reason(
        "unknown",
        "an answer to it may be for another one of its queues",
        "An answer to it does not say for which of its queues it is.",
    ),
    "absent": _Reason(
        "unknown",
        "nothing was captured of one of its queues",
        "Of one of its queues, nothing was captured.",
    ),
}
"""The reasons for states."""


def _meanings() -> dict[str, str]:
    """Return the meaning of each state, with all reasons for it."""
    meanings: dict[str, dict[str, None]] = {}
    for reason in _REASONS.values():
        meanings.setdefault(reason.state, {})[reason.means] = None
    return {
        state: ", or ".join(filter(None, (", ".join([*means][:-1]), [*means][-1])))
        for state, means in meanings.items()
    }


STATES: Final = _meanings()
"""The states of messages; the first that applies counts."""
UNDELIVERED: Final = frozenset({"refused", "expired"})
"""The states of messages that did not come to their queue, or were not taken from it."""
ARRIVED: Final = frozenset({"received", "reached"})
"""The states of messages that came to their queue."""
WEAKEST: Final = ("received", "reached", "accepted", "unknown", "sent", "expired", "refused")
"""The states from the best to the worst, for messages to several queues."""

_SEVERAL: Final = "several are a fault of a sender, or forged"


def _types(*names: str) -> list[tuple[str, pa.DataType]]:
    """Return the types of columns of `messages`."""
    return [(name, MESSAGES.field(name).type) for name in names]


_PROOF: Final = pa.struct(
    [("what", pa.string()), *_types("time", "sensor", "flow", "offset", "file", "first_frame")]
)
_PACKET: Final = pa.struct(_types(*WHERE))
_HOP: Final = pa.struct(
    [
        *_types("time"),
        ("from", pa.string()),
        ("to", pa.string()),
        *_types("destination", *WHERE),
        ("count", pa.int64()),
        ("last_at", TIME),
        ("sent", pa.int64()),
        ("sensors", pa.list_(pa.string())),
        ("session_acknowledged_at", TIME),
        ("session_acknowledgment", _PACKET),
        ("stored_at", TIME),
        ("stored_acknowledgment", _PACKET),
    ]
)
_READ: Final = pa.struct([*_types("time"), ("by", pa.string()), *_types("queue", *WHERE)])
_COPY: Final = pa.struct([("to", pa.string()), *_types("time", *WHERE)])
_RESPONSE: Final = pa.struct(
    [*_types("time"), ("queue_manager", pa.string()), *_types("message", "destination", *WHERE)]
)
_ACKNOWLEDGMENT: Final = pa.struct(
    [
        ("class", pa.string()),
        *_types("time"),
        ("queue_manager", pa.string()),
        ("queue", pa.string()),
        *_types("message", *WHERE),
    ]
)


def _same(name: str) -> tuple[str, pa.DataType, str]:
    """Return the definition of a column that `messages` has, too."""
    field = MESSAGES.field(name)
    return name, field.type, field.metadata[b"comment"].decode()


DELIVERIES: Final = schema_of(
    [
        ("message", pa.string(), "Identifier of the message, as in `messages`."),
        _same("source_queue_manager"),
        _same("message_number"),
        (
            "variant",
            pa.int64(),
            f"Number of the message among those with its identifier, from 1; {_SEVERAL}.",
        ),
        ("variants", pa.int64(), "How many different messages with its identifier were captured."),
        ("purpose", pa.string(), f"What it is for: {', '.join(PURPOSES)}; null if it is unknown."),
        (
            "state", pa.string(),
            "What became of it: " + "; ".join(f"``{state}``: {text}" for state, text in STATES.items())
            + ".  The first that applies; of a message to several queues, the worst.",
        ),
        (
            "class",
            pa.string(),
            "The class of the acknowledgment that decides `state`, or its number; null if none does.",
        ),
        ("why", pa.string(), "The reason for `state` in a sentence."),
        _same("destination"),
        _same("destinations"),
        _same("destination_queue_manager"),
        _same("label"),
        _same("message_class"),
        ("mode", pa.string(), "``express``, ``recoverable`` or ``transactional``."),
        _same("sent_at"),
        ("first_at", TIME, "When it was captured first; null if only acknowledgments were captured."),
        (
            "last_at",
            TIME,
            "When it, an acknowledgment of it, also by its session, a read or an answer was captured last.",
        ),
        ("size", pa.int64(), "Its PacketSize, also of a part of it; beyond 4 MiB, as in `messages`."),
        ("partial", pa.bool_(), "Whether no packet of it was captured completely."),
        (
            "hops",
            pa.list_(_HOP),
            (
                "The captured hops, each after the one that ends where it begins, and otherwise in the order "
                "of time: when, from and to which queue manager, or address if that is unknown, for which "
                "queue, where the first packet is, how often and when last it was captured, how often it "
                "was sent at least, at which sensors it was captured, and when and with which packet the "
                "receiver acknowledged it in the session, and as stored.  A packet at several sensors was "
                "sent once."
            ),
        ),
        (
            "reads",
            pa.list_(_READ),
            (
                "The remote reads that returned it: when, to which address, from which queue (null if no "
                "captured call names it), and where the packet is.  "
                "`proof` has the call that says that the reader has taken it."
            ),
        ),
        _same("sequence"),
        _same("number_in_sequence"),
        ("order_acknowledged_at", TIME, "When an OrderAck for it was captured; null if none was."),
        ("order_acknowledgment", _PACKET, "Where this OrderAck is in the captures."),
        ("final_acknowledged_at", TIME, "When its first FinalAck was captured; null if none was."),
        ("final_acknowledgment", _PACKET, "Where this FinalAck is in the captures."),
        ("final_class", pa.string(), "The class of that FinalAck, or its number."),
        (
            "acknowledgments",
            pa.list_(_ACKNOWLEDGMENT),
            (
                "Its administration acknowledgments in the order of time, each once: the class or number, "
                "the queue manager that sent it, the queue that it is about, and the identifier of the "
                "acknowledgment and where it was captured."
            ),
        ),
        _same("dead_letter"),
        _same("journal"),
        (
            "copies",
            pa.list_(_COPY),
            (
                "The captured packets that take it to a dead-letter queue or a journal, in the order of "
                "time: to which of them, when, and where the packet is."
            ),
        ),
        ("reach_by", TIME, "When it has to have reached its queue, by the sender's clock; null if never."),
        (
            "reach_passed", pa.bool_(),
            "Whether that passed, by `clock_tolerance`, without evidence that it arrived; null without one.",
        ),
        ("receive_by", TIME, "When it has to have been taken from its queue, likewise."),
        ("receive_passed", pa.bool_(), "Whether that passed without evidence that it was taken."),
        (
            "responses", pa.list_(_RESPONSE),
            (
                "The messages of applications that name it in their CorrelationID, in the order of time, "
                "each once: when, from which queue manager, its identifier, to which queue, and where it is."
            ),
        ),
        (
            "proof", pa.list_(_PROOF),
            (
                "The packets, or the missing or unreadable bytes, that prove `state`: what, and where it is "
                "in the captures."
            ),
        ),
    ]
)  # fmt: skip
"""The columns of `deliveries`."""

COPIED: Final = tuple(name.replace("_", "-") for name in COPIES)
"""To what copies of messages go, beside their queue."""
_ROWS: Final = 20_000
_PLACE: Final = ("time", "flow", "offset", "file", "first_frame")
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
    messages = _Messages(rows, until, round(settings.clock_tolerance * SECOND))
    table = messages.table()
    for batch in _batches(table, plain(DELIVERIES)) if "deliveries" in wanted else ():
        yield "deliveries", batch
    for batch in messages.uses(table).to_batches(max_chunksize=_ROWS) if USED in wanted else ():
        yield USED, batch


def _batches(table: pa.Table, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield rows with the types of a schema, in batches, because their texts take much memory."""
    columns = [array_of(column) for column in table.columns]
    for start in range(0, table.num_rows, _ROWS):
        # Concatenation leaves out the elements of the other rows' lists.
        some = [pa.concat_arrays([column.slice(start, _ROWS)]) for column in columns]
        arrays = [column.cast(kind) for column, kind in zip(some, schema.types, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


class _Messages:
    """The messages that evidence is about, each with a number."""

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

    # ------------------------------------------------------------------------------------------ order

    def _ordered(self) -> Ints:
        """Return all rows by message, time and place."""
        latest = self.time[self.time < NEVER].max(initial=0)
        order = order_by(self.code, np.minimum(self.time, latest + 1))
        time, code = self.time[order], self.code[order]
        tied = _alike((code[1:] == code[:-1]) & (time[1:] == time[:-1]))
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

    # ------------------------------------------------------------------------------------------- table

    def table(self) -> pa.Table:
        """Return the columns of `DELIVERIES`; texts may be numbers of a dictionary."""
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
        self.shown = np.where(whole >= 0, whole, first)  # the packet whose columns are shown
        self.queue_counts = self._counted()
        self.copied_to_several = self._to_several()
        self.several = (self.queue_counts > 1) | self.copied_to_several
        self.kind[_of_applications(self, self.of(EvidenceKind.ADMINISTRATION))] = EvidenceKind.RESPONSE
        acknowledgments, finals = self.of(EvidenceKind.ADMINISTRATION), self.of(EvidenceKind.FINAL)
        named = np.zeros(self.count, np.bool_)
        named[self.code[np.concatenate([self.sent, self.read, self.copied, acknowledgments, finals])]] = True
        (self.kept,) = named.nonzero()
        hops = _Hops(self)
        final = hops.final[self.kept]
        self.receivers = hops.ends[1].take(pa.array(final, mask=final < 0))
        begins = hops.begins()[self.kept]
        self.senders = self.taken("src", np.where(begins >= 0, begins, hops.addresses()[self.kept]))
        self.hops = hops
        answers = _Answers(self, acknowledgments, finals, hops)
        fates = _Fates(self, hops, answers)
        columns = self._own_columns(whole, first) | hops.columns() | answers.columns() | fates.columns()
        last = np.maximum(hops.last, answers.last)
        ended = ("time", "received.time", "stored.time")
        for rows, names in ((self.sent, ended[1:]), (self.read, ended), (self.copied, ended[:1])):
            for name in names:
                np.maximum.at(last, self.code[rows], ints(self.column(name))[rows])
        columns["last_at"] = self.as_times(last)
        columns["reads"] = self._reads()
        columns["copies"] = self._taken_elsewhere()
        table = pa.table({name: columns[name] for name in DELIVERIES.names})
        destinations = table.column("destinations").combine_chunks()
        self.destination_of = pc.list_parent_indices(destinations)
        self.states = fates.states(self.kept[self.destination_of], destinations.flatten())
        return table

    def uses(self, table: pa.Table) -> pa.Table:
        """Return the rows of `USES`, of the rows that `table` has returned."""
        of = self.destination_of
        shown = self.shown[self.kept][of]
        asked = {name: self.taken(name, shown) for name in ASKED}
        times = ints(table.column("first_at"), NEVER)[of]
        receivers = self.receivers.take(of)
        (several,) = self.several[self.kept[of]].nonzero()
        if len(several):  # each queue has packets of its own
            queues = table.column("destinations").combine_chunks().flatten().take(pa.array(several))
            first, last = self.hops.to_queues(self.kept[of][several], queues)
            times[several] = np.where(
                first < 0, times[several], self.times(np.append(self.hops.row, -1)[first])
            )
            at = np.full(len(of), -1, np.int64)
            at[several] = last
            ends = self.hops.ends[1].take(pa.array(at, mask=at < 0))
            receivers = pc.if_else(pa.array(self.several[self.kept[of]]), ends, receivers)
        captured = pa.array(times, mask=times == NEVER).cast(TIME)
        return uses(table, of, self.states, self.senders, receivers, captured, asked)

    def _reads(self) -> pa.Array:
        """Return the column `reads`."""
        flow, offset = self.coded("flow")[0][self.read], ints(self.taken("offset", self.read))
        codes = _numbered(self.code[self.read], flow, offset)
        rows = self.read[np.sort(_starts(codes))]  # each once, at whatever sensor
        columns = {name: self.taken(name, rows) for name in ("time", *WHERE)}
        columns |= {"by": self.taken("dst", rows), "queue": self.taken("by", rows)}
        return _lists(self.code[rows], self.kept, _struct(_READ, columns))

    def _taken_elsewhere(self) -> pa.Array:
        """Return the column `copies`."""
        to = np.full(self.rows.num_rows, -1, np.int64)
        for number, copied in enumerate(self.copies.values()):
            to[copied] = number
        rows = self.copied
        columns = {name: self.taken(name, rows) for name in ("time", *WHERE)}
        columns["to"] = texts_of(to[rows], COPIED)
        return _lists(self.code[rows], self.kept, _struct(_COPY, columns))

    def _own_columns(self, whole: Ints, first: Ints) -> dict[str, pa.Array]:
        """Return the columns that are those of packets."""
        kept, shown = self.kept, self.shown[self.kept]
        columns = {name: self.taken(name, shown) for name in _SHOWN}
        # A copy does not name the queue of the message.
        is_copied = np.append(self.is_copied, False)[shown]
        columns |= {name: self.taken(name, np.where(is_copied, -1, shown)) for name in _QUEUES}
        columns["destinations"] = self._destinations(columns["destinations"])
        columns["number_in_sequence"] = self.taken("number", shown)
        identifier = self.identifiers.take(pa.array(self.named[kept]))
        columns["message"] = identifier
        columns["source_queue_manager"] = self.taken("manager", self.sources()[kept])
        columns["message_number"] = pc.utf8_slice_codeunits(identifier, GUID_TEXT + 1).cast(pa.int64())
        columns["variant"] = pa.array(self.variant[kept])
        columns["variants"] = pa.array(np.bincount(self.named, minlength=self.count)[self.named[kept]])
        transactional = self.taken("transactional", shown)
        mode = np.where(marks(transactional), 2, marks(self.taken("recoverable", shown)).astype(np.int64))
        columns["mode"] = texts_of(np.where(marks(transactional.is_valid()), mode, -1), MODES)
        columns["first_at"] = self.as_times(self.times(first))
        columns["partial"] = pa.array((whole < 0)[kept], mask=(first < 0)[kept])
        return columns

    def _counted(self) -> Ints:
        """Return how many different queues a packet of each message names."""
        lists = self.taken("destinations", self.shown)
        counts = ints(pc.list_value_length(lists), 0).copy()
        (rows,) = (counts > 1).nonzero()
        some = lists.take(pa.array(rows))
        names = folded(some.flatten()).dictionary_encode()
        counts[rows] = _counts(pc.list_parent_indices(some).to_numpy(), ints(names.indices))
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

    def _destinations(self, lists: pa.Array) -> pa.Array:
        """Return the queues of kept messages: those that a packet lists, and those to which copies went.

        A packet lists the name of a distribution list but not the queues in it.  Each queue is there once.
        """
        several = self.copied_to_several
        repeats = self.queue_counts[self.kept] < ints(pc.list_value_length(lists), 0)
        (rows,) = (several[self.kept] | repeats).nonzero()
        if not len(rows):
            return lists
        queues, names = self.coded("destination")
        texts = names.to_pylist()
        copies: dict[int, list[str]] = {}
        packets = np.concatenate([self.sent, self.read])
        for row in packets[several[self.code[packets]] & (queues[packets] >= 0)].tolist():
            copies.setdefault(int(self.code[row]), []).append(texts[queues[row]])
        listed = lists.take(pa.array(rows)).to_pylist()
        every = [
            _different([*(own or ()), *copies.get(message, ())])
            for own, message in zip(listed, self.kept[rows].tolist(), strict=True)
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


def _order_acknowledgments(messages: _Messages, of: Ints, rows: Ints, receivers: pa.Array) -> Ints:
    """Return for packets of messages the row of the first OrderAck that acknowledges each; -1 for none.

    An OrderAck acknowledges all messages of a sequence up to a number.  The queue manager of the queue sends
    it, after the message.  The message names that queue manager or goes straight to it; if neither was
    captured, any queue manager may have sent it.

    Args:
        messages: The messages.
        of: The message of each packet.
        rows: The row of each packet; -1 for none.
        receivers: The queue manager to which each went.
    """
    acknowledged = np.full(len(rows), -1, np.int64)
    (orders,) = (messages.kind == EvidenceKind.ORDER).nonzero()
    (own,) = marks(messages.taken("sequence", rows).is_valid()).nonzero()
    if not len(orders) or not len(own):
        return acknowledged
    orders = orders[order_by(messages.rank[orders])]
    of, rows = of[own], rows[own]
    by = either(messages.taken("destination_queue_manager", rows), receivers.take(pa.array(own)))
    named = marks(by.is_valid())
    left = [messages.taken(name, orders) for name in ("manager", "sequence", "by")]
    right = [*(messages.taken(name, rows) for name in ("manager", "sequence")), by]
    for count, which in ((3, named), (2, ~named)):
        if which.any():
            theirs, ours = _codes(left[:count], right[:count])
            packets = of[which], rows[which], ours[which]
            acknowledged[own[which]] = _first_orders(messages, orders, theirs, *packets)
    return acknowledged


def _first_orders(messages: _Messages, orders: Ints, keys: Ints, own: Ints, rows: Ints, wanted: Ints) -> Ints:
    """Return the first of OrderAcks that has a key, at least the number of a message, and came after it.

    Args:
        messages: The messages.
        orders: The OrderAcks, in the order of rows.
        keys: The key of each.
        own: The message of each of some packets.
        rows: The row of each packet.
        wanted: The key of each packet.

    Returns:
        The row for each packet; -1 for none.
    """
    by_key = order_by(keys)
    orders, keys = orders[by_key], keys[by_key]
    numbers = ints(messages.column("number"))
    least, maxima = numbers[rows], _maxima(numbers[orders])
    times, time = np.unique(messages.time[orders], return_inverse=True)
    span = len(times) + 1
    after = np.searchsorted(keys, wanted, side="right")
    first, sensor = messages.first(messages.sent), messages.coded("sensor")[0]

    def earliest(captured: Ints) -> Ints:
        """Return the first of `orders` for each message, if a sensor captured it; that after all for none."""
        since = np.searchsorted(times, messages.begins(first, own, captured))
        start = np.searchsorted(keys * span + time, wanted * span + since)
        return _first_from(maxima, start, after, least)

    elsewhere = earliest(np.full(len(own), _NO_SENSOR))
    same = np.append(sensor, -1)[first[own]]
    at = np.where(np.append(sensor[orders], _NO_SENSOR)[elsewhere] == same, earliest(same), elsewhere)
    return np.where(at < after, np.append(orders, -1)[at], -1)


def _maxima(values: Ints) -> list[Ints]:
    """Return the largest of 1, 2, 4 and so on values from each on."""
    maxima = [values]
    while 1 << len(maxima) <= len(values):
        half = 1 << len(maxima) - 1
        maxima.append(np.maximum(maxima[-1][:-half], maxima[-1][half:]))
    return maxima


def _first_from(maxima: list[Ints], start: Ints, stop: Ints, least: Ints) -> Ints:
    """Return the first index from `start` on whose value is not less than `least`; `stop` if none is.

    Args:
        maxima: As `_maxima` returns them.
        start: The first index.
        stop: The index after the last.
        least: The number.
    """
    at = np.minimum(start, stop)
    for level in reversed(range(len(maxima))):
        fits = at + (1 << level) <= stop
        low = np.append(maxima[level], 0)[np.where(fits, at, -1)] < least
        at = np.where(fits & low, at + (1 << level), at)
    return at


_NO_SENSOR: Final = -2


def _codes(left: list[pa.Array], right: list[pa.Array]) -> tuple[Ints, Ints]:
    """Return equal numbers for equal rows of columns of texts on the left and on the right."""
    encoded = [pa.concat_arrays(pair).dictionary_encode() for pair in zip(left, right, strict=True)]
    codes = _numbered(*(ints(column.indices) for column in encoded))
    return codes[: len(left[0])], codes[len(left[0]) :]


def _equal(texts: pa.Array, others: pa.Array) -> Bools:
    """Return which texts are equal; null equals none."""
    codes = ints(pa.concat_arrays([texts, others]).dictionary_encode().indices)
    own = codes[: len(texts)]
    same: Bools = (own == codes[len(texts) :]) & (own >= 0)
    return same


def _numbered(*columns: Ints) -> Ints:
    """Return equal numbers for equal rows, from 0 without a gap."""
    codes = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        own = _dense(column)
        codes = _dense(codes * (own.max(initial=0) + 1) + own)
    return codes


def _dense(values: Ints) -> Ints:
    """Return equal numbers for equal values, from 0 without a gap."""
    least = int(values.min(initial=0))
    span = int(values.max(initial=0)) - least + 1
    if span > COUNTABLE * len(values):
        return ints(pa.array(values).dictionary_encode().indices)
    used = np.zeros(span, np.bool_)
    used[values - least] = True
    dense: Ints = (np.cumsum(used) - 1)[values - least]
    return dense


def _counts(codes: Ints, values: Ints) -> Ints:
    """Return how many different values are with each number, for numbers from 0 without a gap."""
    return np.bincount(codes[_starts(_numbered(codes, values))])


def _starts(codes: Ints) -> Ints:
    """Return the first row with each number, for rows numbered from 0 without a gap."""
    first = np.full(int(codes.max(initial=-1)) + 1, -1, np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return first


def _alike(again: Bools) -> Ints:
    """Return the rows that equal a neighbour; `again`: whether each from 1 on equals the one before."""
    rows: Ints = (np.append(again, False) | np.append(False, again)).nonzero()[0]
    return rows


def _struct(kind: pa.DataType, columns: Mapping[str, Any]) -> pa.Array:
    names = [field.name for field in kind]
    return pa.StructArray.from_arrays([columns[name] for name in names], names)


def _lists(of: Ints, kept: Ints, values: pa.Array) -> pa.Array:
    """Return a list for each kept message, of values that are in the order of messages."""
    ends = np.searchsorted(of, kept, side="right")
    return pa.ListArray.from_arrays(pa.array(np.append(0, ends).astype(np.int32)), values)


# ----------------------------------------------------------------------------------------------------- hops


class _Hops:
    """The hops of all messages, in the order of messages and of their way, see `_way`.

    Attributes:
        row: The first row of each hop.
        of: The message of each.
        received: The row that was the first to be acknowledged in its session; -1 for none.
        stored: The row that was the first to be acknowledged as stored; -1 for none.
        doubt: A `Doubt`: why an acknowledgment may be missing in the capture.
        loss: The row whose acknowledgment may be among missing bytes; -1 for none.
        ends: The two queue managers of each, or addresses.
        managers: Its two queue managers.
        last: For each message, when it was captured last; -1 for never.
        queue: The queue of each, as a number of `_Messages.queues`; -1 if no packet names it.
        final: For each message, the last hop on its way; -1 for none.
        receiver: For each message, the queue manager at the end of its last hop.
    """

    def __init__(self, messages: _Messages) -> None:
        self._messages = messages
        sent, code = messages.sent, messages.code[messages.sent]
        hop = np.arange(len(sent))
        several = _alike(code[1:] == code[:-1])
        if len(several):
            hop[several] = several[_same_hops(messages, sent[several], code[several])]
        begins = (hop == np.arange(len(hop))).nonzero()[0]
        self._member = np.searchsorted(begins, hop)
        self._sent = sent
        self.row, self.of = sent[begins], code[begins]
        self._name()
        order = _way(self.of, messages.time[self.row], self.ends)
        if order is not None:
            self.row, self._member = self.row[order], np.argsort(order)[self._member]
            self._name()
        self.counts = np.bincount(self._member, minlength=len(begins))
        self.received, self.stored = (self._least(f"{name}.time") for name in ("received", "stored"))
        self.loss = self._least("loss.offset")
        self.doubt = self._doubts()
        self.last = np.full(messages.count, -1, np.int64)
        np.maximum.at(self.last, code, ints(messages.column("time"))[sent])
        self.queue = np.full(len(begins), -1, np.int64)
        np.maximum.at(self.queue, self._member, messages.queues[0][sent])
        self.final = self._final()
        self.receiver = self.managers[1].take(pa.array(self.final, mask=self.final < 0))

    def _doubts(self) -> Ints:
        """Return the doubt about each hop: that of its loss, or the first of its doubtful packets."""
        own = ints(self._messages.column("doubt"), Doubt.NONE)
        doubtful = self._doubtful(own[self._sent] != Doubt.NONE)
        doubts = np.full(len(self.row), len(Doubt))
        np.minimum.at(doubts, self._member[doubtful], own[self._sent[doubtful]])
        doubts[doubts == len(Doubt)] = Doubt.NONE
        doubts[self.received >= 0] = Doubt.NONE
        is_lost = (doubts != Doubt.NONE) & (self.loss >= 0)
        return np.where(is_lost, np.append(own, Doubt.NONE)[self.loss], doubts)

    def _doubtful(self, doubtful: Bools) -> Bools:
        """Return which packets may have been acknowledged by one that is missing at all of their sensors.

        `doubtful`: Which may have been by one that is missing at their own.
        """
        messages = self._messages
        doubts = np.bincount(self._member[doubtful], minlength=len(self.row))
        (rows,) = ((doubts > 0) & (doubts < self.counts))[self._member].nonzero()
        sent = self._sent[rows]
        flow, offset = messages.coded("flow")[0][sent], ints(messages.taken("offset", sent))
        packet = _numbered(self._member[rows], flow, offset)  # the same at each sensor
        is_clear = np.zeros(len(rows), np.bool_)
        is_clear[packet[~doubtful[rows]]] = True
        doubtful[rows[is_clear[packet]]] = False
        return doubtful

    def _name(self) -> None:
        """Set the ends of hops."""
        self.managers = [self._named(name) for name in ("from_manager", "to_manager")]
        self.ends = [
            either(manager, self._messages.taken(host, self.row))
            for manager, host in zip(self.managers, ("src", "dst"), strict=True)
        ]

    def _final(self) -> Ints:
        """Return for each message the last hop: to the named queue manager, or not sent on; -1 for none.

        The way decides and not the time: a packet of an earlier hop may be captured late, or by a sensor
        whose clock is wrong.
        """
        final = np.full(self._messages.count, -1, np.int64)
        final[self.of] = np.arange(len(self.of))
        several = _alike(self.of[1:] == self.of[:-1])
        if len(several):
            of, chosen = self.of[several], pa.array(several)
            begins, ends = (end.take(chosen) for end in self.ends)
            codes = _numbered(
                np.concatenate([of, of]), ints(pa.concat_arrays([begins, ends]).dictionary_encode().indices)
            )
            last = ~np.isin(codes[len(of) :], codes[: len(of)])
            final[of[last]] = several[last]
            named = self._messages.taken("destination_queue_manager", self._messages.shown[of])
            home = _equal(named, self.managers[1].take(chosen))
            final[of[home]] = several[home]
        return final

    def to_queues(self, message: Ints, queues: pa.Array) -> tuple[Ints, Ints]:
        """Return the first and the last hop of messages to one of their queues each; -1 for none."""
        span = len(self._messages.queues[1]) + 1  # -1 is no queue
        keys = self.of * span + self.queue
        order = order_by(keys)
        ranked = np.append(keys[order], NEVER)
        named = ints(pc.index_in(folded(queues), self._messages.queues[1]))
        wanted = np.where(named < 0, -2, message * span + named)  # -1 is a key of message 0
        begin, end = (np.searchsorted(ranked, wanted, side=side) for side in ("left", "right"))
        hops = np.append(order, -1)
        is_there = begin < end
        return np.where(is_there, hops[begin], -1), np.where(is_there, hops[end - 1], -1)

    def begins(self) -> Ints:
        """Return for each message the first row of the hop from its own queue manager; -1 if none is proved.

        Proof is the handshake of its connection, or of another one with a message of this queue manager from
        the same address, unless it is one of `_proves_nothing`.
        """
        messages = self._messages
        own, src = (messages.coded(name)[0][self.row] for name in ("manager", "src"))
        straight = _equal(self.managers[0], messages.taken("manager", self.row))
        straight &= ~np.isin(own, self._proves_nothing())
        unknown = marks(self.managers[0].is_null())
        address = _numbered(own, src)
        proved = np.zeros(int(address.max(initial=-1)) + 1, np.bool_)
        proved[address[straight]] = True
        proved[address[~straight & ~unknown]] = False  # another one sends its messages on from there
        begins = np.full(messages.count, -1, np.int64)
        for which in (unknown & proved[address], straight):
            hops = which.nonzero()[0][::-1]
            begins[self.of[hops]] = self.row[hops]
        return begins

    def addresses(self) -> Ints:
        """Return for each message a row with the only address of its own queue manager; -1 if none is proved.

        Proof are the handshakes of this queue manager, in whatever connections, unless it is one of
        `_proves_nothing`, or another queue manager has its address, too.  A hop without a handshake may
        begin at another address of it.
        """
        messages = self._messages
        (rows,) = np.isin(messages.kind, (EvidenceKind.CLAIM, EvidenceKind.ADDRESS)).nonzero()
        managers, names = messages.coded("manager")
        own, address = managers[rows], messages.coded("src")[0][rows]
        least, most, row = (np.full(len(names) + 1, value) for value in (NEVER, -1, -1))
        np.minimum.at(least, own, address)
        np.maximum.at(most, own, address)
        row[own] = rows
        pairs = np.unique(np.stack([address, own]), axis=1)
        is_shared = np.bincount(pairs[0])[address] > 1
        row[own[is_shared]] = -1
        row[(least != most) | np.isin(np.arange(len(row)), self._proves_nothing())] = -1
        of_messages: Ints = row[managers[messages.sources()]]
        of_messages[self.of[marks(self.managers[0].is_null())]] = -1
        return of_messages

    def _proves_nothing(self) -> Ints:
        """Return the queue managers, as numbers, whose GUID is null or that of several computers."""
        messages = self._messages
        (claims,) = (messages.kind == EvidenceKind.CLAIM).nonzero()
        names = dict.fromkeys(("sensor", "time", "until")) | {"queue_manager": "manager", "value": "src"}
        rows = pa.table({name: messages.taken(own or name, claims) for name, own in names.items()})
        _, managers = messages.coded("manager")
        doubtful = [str(NULL_GUID), *of_several_computers(rows)]
        return ints(pc.index_in(pa.array(doubtful), managers))

    def _named(self, name: str) -> pa.Array:
        """Return a queue manager or the queue of each hop; null if no row names it."""
        return self._messages.taken(name, self.first_with(name))

    def first_with(self, name: str) -> Ints:
        """Return the first row of each hop with a value of a column; -1 for none."""
        good = marks(self._messages.column(name).is_valid())[self._sent]
        row = np.full(len(self.row), -1, np.int64)
        row[self._member[good][::-1]] = self._sent[good][::-1]
        return row

    def _least(self, name: str) -> Ints:
        """Return the row of each hop with the least value of a column; -1 if all are null."""
        values = ints(self._messages.column(name), NEVER)[self._sent]
        (known,) = (values < NEVER).nonzero()
        order = known[order_by(values[known])][::-1]
        rows = np.full(len(self.row), -1, np.int64)
        rows[self._member[order]] = self._sent[order]
        return rows

    def latest(self, until: Ints) -> Ints:
        """Return for each hop the latest of a time of all rows, over its own rows."""
        latest = np.full(len(self.row), -1, np.int64)
        np.maximum.at(latest, self._member, until[self._sent])
        return latest

    def _sensors(self, sensor: Ints, names: pa.Array) -> pa.Array:
        """Return the sensors of each hop, in the order in which they captured it."""
        (several,) = (self.counts[self._member] > 1).nonzero()
        again = np.delete(several, _starts(_numbered(self._member[several], sensor[several])))
        first = np.delete(np.arange(len(sensor)), again)
        first = first[order_by(self._member[first])]
        ends = np.searchsorted(self._member[first], np.arange(len(self.row)), side="right")
        starts = pa.array(np.append(0, ends).astype(np.int32))
        return pa.ListArray.from_arrays(starts, names.take(pa.array(sensor[first])))

    def _times_sent(self, sensor: Ints) -> Ints:
        """Return how often the packets of each hop were sent at least.

        A packet has one place in its connection, at whatever sensor, if the beginning of the connection was
        captured.  Otherwise it was sent as often as one sensor captured it.  Addresses may change on the way:
        of several pairs of addresses, the one with most packets counts.
        """
        (several,) = (self.counts[self._member] > 1).nonzero()
        rows, member, sensor = self._sent[several], self._member[several], sensor[several]
        flow, src, dst = (self._messages.coded(name)[0][rows] for name in ("flow", "src", "dst"))
        ends = _numbered(member, src, dst)
        indices = _counts(ends, _numbered(flow, ints(self._messages.taken("offset", rows))))
        most = np.zeros(len(indices), np.int64)
        at_sensor = _numbered(ends, sensor)
        np.maximum.at(most, ends[_starts(at_sensor)], np.bincount(at_sensor))
        opened = np.ones(len(indices), np.bool_)
        known = marks(pc.match_substring(self._messages.coded("flow")[1], OPENED))
        opened[ends[~np.append(known, False)[flow]]] = False
        sent = np.ones(len(self.row), np.int64)
        np.maximum.at(sent, member[_starts(ends)], np.where(opened, indices, most))
        return sent

    def columns(self) -> dict[str, pa.Array]:
        """Return the column `hops`."""
        messages = self._messages
        sensor, sensors = messages.coded("sensor")
        sensor = sensor[self._sent]
        latest = self.latest(ints(messages.column("time")))
        columns = {name: messages.taken(name, self.row) for name in ("time", *WHERE)}
        columns |= {
            "from": self.ends[0],
            "to": self.ends[1],
            "destination": self._named("destination"),
            "count": pa.array(self.counts),
            "last_at": pa.array(latest, mask=latest < 0).cast(TIME),
            "sent": pa.array(self._times_sent(sensor)),
            "sensors": self._sensors(sensor, sensors),
            "session_acknowledged_at": messages.taken("received.time", self.received),
            "session_acknowledgment": messages.packets(self.received, "received."),
            "stored_at": messages.taken("stored.time", self.stored),
            "stored_acknowledgment": messages.packets(self.stored, "stored."),
        }
        return {"hops": _lists(self.of, messages.kept, _struct(_HOP, columns))}


def _way(of: Ints, time: Ints, ends: list[pa.Array]) -> Ints | None:
    """Return the order of hops on the way of each message; None if they are in it.

    It is that of time, but a hop comes after the first one that ends where it begins: clocks of sensors may
    differ.  If a message goes in a circle, only the time counts.

    Args:
        of: The message of each hop, ascending.
        time: When it was captured; ascending for each message.
        ends: Where it begins, and where it ends.
    """
    several = _alike(of[1:] == of[:-1])
    own, count = of[several], len(several)
    names = ints(pa.concat_arrays([end.take(pa.array(several)) for end in ends]).dictionary_encode().indices)
    begins, stops = np.split(_numbered(np.concatenate([own, own]), names), 2)
    index = np.arange(count + 1)
    first = np.full(int(max(begins.max(initial=-1), stops.max(initial=-1))) + 1, count)
    np.minimum.at(first, stops, index[:-1])
    before = np.append(first[begins], count)  # the hop before each; `count` is none
    before[before == index] = count
    if not ((before < count) & (before > index)).any():
        return None
    since, depth = np.append(time[several], -1), (before < count).astype(np.int64)
    for _ in range(count.bit_length()):
        since, depth, before = np.maximum(since, since[before]), depth + depth[before], before[before]
    circles = np.isin(own, own[before[:-1] < count])
    since = np.where(circles, time[several], since[:-1])
    order = np.arange(len(of))
    order[several] = several[order_by(own, since, np.where(circles, 0, depth[:-1]))]
    return order


def _same_hops(messages: _Messages, sent: Ints, code: Ints) -> Ints:
    """Return for each row the first of those of its hop; the rows are in order, of messages with several."""
    hosts, managers = (
        [messages.coded(name)[0][sent] for name in names]
        for names in (("src", "dst"), ("from_manager", "to_manager"))
    )
    by_address = _numbered(code, *hosts)
    named = []
    for manager in managers:  # another copy of the packet may name it
        most = np.full(int(by_address.max()) + 1, -1, np.int64)
        np.maximum.at(most, by_address, manager)
        named.append(most[by_address])
    known = (named[0] >= 0) & (named[1] >= 0)
    ends = [np.where(known, name, -2 - host) for name, host in zip(named, hosts, strict=True)]
    hop = _numbered(code, *ends)
    # A packet that is cut before its destination is for the queue of the others, if the message has one only.
    queue = np.where(messages.several[code], messages.queues[0][sent], -1)
    hop = _numbered(hop, queue)
    return _starts(hop)[hop]


# -------------------------------------------------------------------------------------------------- answers


class _Answers:
    """The acknowledgments of each message.

    Attributes:
        outcome: By the values of `says` and the keys of `_proving_reads`, the first row of each message; -1
            for none.
        reads: Of messages to several queues, by message and queue, the same rows of remote reads.
        told: All acknowledgments that report a state, and responses of a program that has read it, in order.
        says: The state that each of them reports, or ``answered``.
        order: The row of its first OrderAck; -1 for none.
        order_of_hop: For each hop of messages to several queues, the same of its queue.
        first: The row of an acknowledgment of it, whatever it says; -1 for none.
        last: When an answer was captured last; -1 for never.
    """

    def __init__(self, messages: _Messages, acknowledgments: Ints, finals: Ints, hops: _Hops) -> None:
        self._messages = messages
        self._acknowledgments = self._once(acknowledgments)
        responses = messages.of(EvidenceKind.RESPONSE)
        self._responses = self._once(responses[~_report_to(messages, responses)])
        self._final = messages.first(finals)
        self.first = messages.first(np.concatenate([acknowledgments, finals]))
        self.order, self.order_of_hop = self._orders(hops)
        order = self.order
        names, texts = messages.coded("message_class")
        answering = self._responses[_are_answers(messages, hops, self._responses)]
        told = np.concatenate([self._acknowledgments, finals, answering])
        self.told = told[order_by(messages.code[told], messages.rank[told])]
        numbers = {None: -1} | {state: number for number, state in enumerate(_SAID)}
        outcomes = [numbers[outcome_of(str(name))] for name in texts.to_pylist()]
        said = np.array([*outcomes, -1])[names[self.told]]
        said[messages.kind[self.told] == EvidenceKind.RESPONSE] = _SAID.index("answered")
        self.says = np.array([*_SAID, None], object)[said]
        self.outcome = {
            state: messages.first(self.told[said == number]) for number, state in enumerate(_SAID)
        }
        reads = _proving_reads(messages)
        self.outcome |= {name: messages.first(rows[~messages.several[messages.code[rows]]])
                         for name, rows in reads.items()}  # fmt: skip
        self.reads = _by_queue(messages, reads)
        self.last = np.full(messages.count, -1, np.int64)
        times = ints(messages.column("time"))
        for rows in (acknowledgments, finals, self._responses):
            np.maximum.at(self.last, messages.code[rows], times[rows])
        (covered,) = (order >= 0).nonzero()
        self.last[covered] = np.maximum(self.last[covered], times[order[covered]])

    def _orders(self, hops: _Hops) -> tuple[Ints, Ints]:
        """Return `order` and `order_of_hop`."""
        messages = self._messages
        every = np.arange(messages.count)
        order = _order_acknowledgments(messages, every, messages.shown, hops.receiver)
        of_hop = np.full(len(hops.of), -1, np.int64)
        (own,) = messages.several[hops.of].nonzero()
        if len(own):
            rows, receivers = hops.first_with("sequence")[own], hops.managers[1].take(pa.array(own))
            of_hop[own] = _order_acknowledgments(messages, hops.of[own], rows, receivers)
            (ordered,) = (of_hop >= 0).nonzero()
            first = np.full(messages.count, NEVER)
            np.minimum.at(first, hops.of[ordered], messages.rank[of_hop[ordered]])
            some = first < NEVER
            order[some] = messages.order[first[some]]
        return order, of_hop

    def _once(self, rows: Ints) -> Ints:
        """Return rows in order, without those whose message was captured before."""
        messages = self._messages
        own = ints(messages.taken("own", rows).dictionary_encode().indices)
        (several,) = (np.bincount(own + 1)[own + 1] > 1).nonzero()
        classes, _ = messages.coded("message_class")
        same = _numbered(messages.code[rows[several]], own[several], classes[rows[several]])
        return np.delete(rows, np.delete(several, _starts(same)))

    def columns(self) -> dict[str, pa.Array]:
        """Return the columns of answers."""
        messages, kept = self._messages, self._messages.kept
        rows = self._acknowledgments
        columns = {name: messages.taken(name, rows) for name in ("time", *WHERE)}
        columns |= {
            name: messages.taken(column, rows)
            for name, column in (
                ("class", "message_class"), ("queue_manager", "by"), ("queue", "response_queue"),
                ("message", "own"),
            )
        }  # fmt: skip
        held = np.zeros(messages.count, np.bool_)
        held[kept] = True
        responses = self._responses[held[messages.code[self._responses]]]
        answers = {name: messages.taken(name, responses) for name in ("time", "destination", *WHERE)}
        answers |= {"queue_manager": messages.taken("by", responses)}
        answers |= {"message": messages.taken("own", responses)}
        return {
            "acknowledgments": _lists(messages.code[rows], kept, _struct(_ACKNOWLEDGMENT, columns)),
            "responses": _lists(messages.code[responses], kept, _struct(_RESPONSE, answers)),
            "order_acknowledged_at": messages.taken("time", self.order[kept]),
            "order_acknowledgment": messages.packets(self.order[kept]),
            "final_acknowledged_at": messages.taken("time", self._final[kept]),
            "final_acknowledgment": messages.packets(self._final[kept]),
            "final_class": messages.taken("message_class", self._final[kept]),
        }


def _proving_reads(messages: _Messages) -> dict[str, Ints]:
    """Return the remote reads that prove a state, by their names in `_SAID`, in the order of messages.

    A queue that no call names may have copies.
    """
    rows = messages.read
    if len(rows):
        is_queue = marks(messages.taken("by", rows).is_valid())
        rows = rows[is_queue & ~messages.ends_with("by", tuple(chain.from_iterable(COPIES.values())))[rows]]
    ends = {"taken": "received.offset", "in transaction": "stored.offset"}
    ended = {name: rows[marks(messages.taken(column, rows).is_valid())] for name, column in ends.items()}
    return {**ended, "returned": rows}


def _by_queue(messages: _Messages, reads: Mapping[str, Ints]) -> dict[int, dict[int, dict[str, int]]]:
    """Return the first remote reads of messages to several queues, by message and queue.

    They count at the queue from which a packet was read if the packet is one for this queue.
    """
    by_queue: dict[int, dict[int, dict[str, int]]] = {}
    queues, _ = messages.queues
    for name, proving in reads.items():
        rows = proving[messages.several[messages.code[proving]]]
        names = [folded(messages.taken(column, rows)) for column in ("by", "destination")]
        for row in rows[_equal(*names)].tolist():
            of_message = by_queue.setdefault(int(messages.code[row]), {})
            of_message.setdefault(int(queues[row]), {}).setdefault(name, row)
    return by_queue


def _are_answers(messages: _Messages, hops: _Hops, responses: Ints) -> Bools:
    """Return which responses prove that a program has read the message that they name.

    They come from a queue manager that has its queue, from any if it is unknown which has, or go to the queue
    that it names for responses: programs read queues from afar, too.  Who sent the message knows its
    identifier anyway.
    """
    of = messages.code[responses]
    has = np.zeros(messages.count, np.bool_)
    has[of] = True
    (own,) = has[hops.of].nonzero()
    by, shown = messages.taken("by", responses), messages.shown[of]
    to = [managers.take(pa.array(own)) for managers in hops.managers[1:]]
    named = _equal(messages.taken("destination_queue_manager", hops.row[own]), *to)
    homes = either(messages.taken("destination_queue_manager", shown), hops.receiver.take(pa.array(of)))
    coded = ints(pa.concat_arrays([by, homes, *to]).dictionary_encode().indices)
    pairs = _numbered(np.concatenate([of, of, hops.of[own]]), coded)
    at_home = np.concatenate([np.ones(len(of), np.bool_), named])
    reads = np.isin(pairs[: len(of)], pairs[len(of) :][at_home]) & (coded[: len(of)] >= 0)
    asked = [
        folded(messages.taken(name, rows))
        for name, rows in (("destination", responses), ("response_queue", shown))
    ]
    reads |= marks(homes.is_null()) | _equal(*asked)
    return reads & ~_equal(by, messages.taken("manager", responses))


def _of_applications(messages: _Messages, acknowledgments: Ints) -> Ints:
    """Return the rows of acknowledgments whose class is one that an application has set.

    No name says what it means, and the message names another queue for acknowledgments, or none: queue
    managers send none there ([MS-MQQB] 3.1.7.15).
    """
    shown = messages.shown[messages.code[acknowledgments]]
    is_whole = (shown >= 0) & ~marks(messages.column("partial"))[shown]
    classes, of = messages.coded("message_class")
    is_number = np.array([*(str(name).isdigit() for name in of.to_pylist()), False])[classes[acknowledgments]]
    rows: Ints = acknowledgments[is_whole & is_number & ~_is_told(messages, acknowledgments)]
    return rows


def _is_told(messages: _Messages, rows: Ints) -> Bools:
    """Return which messages go to the queue for acknowledgments of the message that they name."""
    shown = messages.shown[messages.code[rows]]
    return _equal(
        *(folded(messages.taken(name, of)) for name, of in (("destination", rows), ("admin_queue", shown)))
    )


def _report_to(messages: _Messages, responses: Ints) -> Bools:
    """Return which messages of an unknown class go to the queue for acknowledgments.

    They may tell what became of the message, and answer nothing.
    """
    classes = messages.taken("message_class", responses)
    return _is_told(messages, responses) & ~marks(pc.fill_null(pc.equal(classes, NORMAL), True))


# ---------------------------------------------------------------------------------------------------- fates


_REASON: Final = [*_REASONS]
_WEAKNESS: Final = np.array([WEAKEST.index(reason.state) for reason in _REASONS.values()])
"""The state of each reason, as a number in `WEAKEST`."""
_OF_READS: Final = [
    _REASON.index(name) for name in ("taken", "in transaction", "returned", "read", "read somewhere")
]
_NO_CLASS: Final = [*(_REASON.index(name) for name in ("answered", "copied")), *_OF_READS]
"""The reasons that no acknowledgment decides."""
_SAID: Final = (
    "refused", "received", "expired", "taken", "answered", "reached", "in transaction", "returned"
)  # fmt: skip
"""What an acknowledgment, a response or a remote read says of a message; the first that applies counts."""
_GONE: Final = ("received", "taken", "answered")
_COME: Final = (*_GONE, "reached", "in transaction", "returned")
"""Those that prove that it was taken from its queue, and that it came there."""
_LIST: Final = "dl="
"""How the names of distribution lists begin, in small letters."""
_UNNAMED: Final = -1
_ELSEWHERE: Final = -2
"""Stand for the queue of what names none, and of what names the place of a packet that was not captured."""
_CERTAIN: Final = [_REASON.index(name) for name in ("refused", "received", "expired", "taken")]
"""The reasons that stay whatever else is said of one of several queues: nobody refuses what was taken."""
_IN_DOUBT: Final = {
    Doubt.LOST: "lost", Doubt.UNREAD: "unread", Doubt.UNCOUNTED: "uncounted", Doubt.UNHEARD: "unheard",
    Doubt.APART: "apart",
}  # fmt: skip
_AGAIN: Final = {Doubt.LOST: "again", Doubt.UNREAD: "again unread"}
"""The reasons for doubts about an acknowledgment, and for bytes in which the message may have been again."""
_ENDED: Final = [_REASON.index(name) for name in ("late", "unasked")]
"""The reasons of messages whose time has ended."""
_SILENT: Final = [*_ENDED, *(_REASON.index(name) for name in (*_AGAIN.values(), "sent"))]
"""The reasons that nothing came back, or only to an earlier packet."""
PROOFS: Final = (
    "message", "acknowledgment", "SessionHeader", "missing bytes", "unreadable bytes", "response",
    "remote read", "end of the remote read",
)  # fmt: skip
"""The kinds of packets of a proof."""


class _Ends(NamedTuple):
    """The queues and the queue managers of hops, and of what says something of messages, as numbers.

    Attributes:
        queues: For each hop, the queue; -1 if it is unknown.
        receivers: For each hop, the queue manager at its end, or the address.
        homes: For each hop, the queue manager that the packet names; -1 for none.
        by: For each of `_Answers.told`, who sent it.
        about: For each of them, the queue that it names, or `_UNNAMED` or `_ELSEWHERE`.
    """

    queues: list[int]
    receivers: list[int]
    homes: list[int]
    by: list[int]
    about: list[int]

    def last_hops(self, rows: range) -> dict[int, int]:
        """Return the last of some hops to each queue, if there are hops."""
        hops = {self.queues[row]: row for row in rows if self.queues[row] >= 0}
        return hops if hops or not rows else {-1: rows[-1]}

    def queues_of(self, at: int, hops: Mapping[int, int]) -> tuple[int, ...]:
        """Return the queues of which one of `_Answers.told` may say something; none if these are unknown."""
        if self.about[at] != _UNNAMED:
            return (self.about[at],)
        by = self.by[at]
        managers = {queue: {self.receivers[hop], self.homes[hop]} for queue, hop in hops.items()}
        return tuple(queue for queue, own in managers.items() if by >= 0 and by in own)


class _Fates:
    """The states of messages, and why."""

    def __init__(self, messages: _Messages, hops: _Hops, answers: _Answers) -> None:
        self._messages, self._hops, self._answers = messages, hops, answers
        self._reason = np.full(messages.count, -1, np.int64)
        self._by = np.full(messages.count, -1, np.int64)
        """The acknowledgment that decides; -1 for none."""
        self._at_queues = np.zeros((3, 0), np.int64)
        """Messages, their queues, which are numbers, and the reasons for the states there."""
        self._queues = messages.queues[1]
        """The names of all queues, in small letters."""
        self._elsewhere = _lost_afterwards(messages, hops)
        doubts = np.append(ints(messages.column("doubt"), Doubt.NONE), Doubt.NONE)
        self._again = np.append(doubts[self._elsewhere], Doubt.NONE)
        self._deadlines()
        self._decide()
        self._weaken()

    def _deadlines(self) -> None:
        """Compute when messages have to arrive and be taken, and whether that passed."""
        messages, answers, hops = self._messages, self._answers, self._hops
        sent_at = ints(messages.taken("sent_at", messages.shown), NEVER)
        final = hops.final
        self._home = self._is_home()
        dues = {
            name: self._due_by(sent_at, column)
            for name, column in (("reach", "time_to_reach_queue"), ("receive", "time_to_be_received"))
        }
        self._kept = self._kept_by(dues["reach"])
        stored = np.where(self._home, np.append(self._kept, -1)[final], -1)
        # Nobody gets a message whose time has ended: who says that it came, says that it came in time.
        is_taken, has_come = (
            np.logical_or.reduce([answers.outcome[name] >= 0 for name in names]) for names in (_GONE, _COME)
        )
        seen = np.minimum(messages.times(answers.order), messages.times(stored, "stored.time"))
        taken, arrived = np.where(is_taken, -1, NEVER), np.where(has_come, -1, seen)
        sensor, sensors = messages.coded("sensor")
        until = np.array([*(self._messages.until.get(name, -1) for name in sensors.to_pylist()), -1])
        self._until = hops.latest(until[sensor])
        self._due: dict[str, tuple[Ints, Bools]] = {}
        self._last: dict[str, Ints] = {}
        for name, evidence in (("reach", arrived), ("receive", taken)):
            due = dues[name]
            last = np.minimum(due, NEVER - messages.clock_tolerance) + messages.clock_tolerance
            self._last[name] = last
            self._due[name] = due, (last < np.append(self._until, -1)[final]) & (evidence > last)
        self._would_tell = self._asked()

    def _asked(self) -> dict[str, Bools]:
        """Return which messages would have been acknowledged if they had been in time, by the deadline.

        What was taken came to its queue, and so an acknowledgment of that is missing, too.
        """
        messages, shown = self._messages, self._messages.shown
        wanted = messages.taken("acknowledgments", shown)
        words, of = pc.list_flatten(wanted), pc.list_parent_indices(wanted).to_numpy()
        is_named = marks(messages.taken("admin_queue", shown).is_valid())
        arrival, removal = (
            is_named & (np.bincount(of[marks(pc.equal(words, word))], minlength=messages.count) > 0)
            for word in (DELIVERED, RETRIEVED)
        )
        return {"reach": arrival, "receive": arrival | removal}

    def _due_by(self, sent_at: Ints, column: str) -> Ints:
        """Return when a duration of each message ends, `NEVER` for an infinite one."""
        seconds = ints(self._messages.taken(column, self._messages.shown))
        return np.where((seconds < 0) | (sent_at == NEVER), NEVER, sent_at + seconds * SECOND)

    def _kept_by(self, reach_by: Ints) -> Ints:
        """Return for each hop the row that acknowledges the message as stored in its queue; -1 for none.

        A queue manager also acknowledges what it stored and then dropped: a transactional message out of
        order, a message that came too late, and the copy for another one of its queues, which is a duplicate
        by its identifier ([MS-MQQB] 3.1.5.8.1).
        """
        messages, hops = self._messages, self._hops
        ordered = marks(messages.taken("transactional", messages.shown))[hops.of]
        in_time = messages.times(hops.stored, "stored.time") <= reach_by[hops.of]
        return np.where(in_time & ~ordered & self._has_the_queue(), hops.stored, -1)

    def _has_the_queue(self) -> Bools:
        """Return for each hop of messages to several queues whether its end has its queue, and no other copy.

        For a message to one queue, `_is_home` decides.
        """
        messages, hops = self._messages, self._hops
        has_queue = np.ones(len(hops.of), np.bool_)
        (rows,) = messages.several[hops.of].nonzero()
        if len(rows):
            has_queue[rows] = False
            of, queue = _dense(hops.of[rows]), hops.queue[rows]
            (whole,) = (_counts(of, queue)[of] >= messages.queue_counts[hops.of[rows]]).nonzero()
            rows, of, queue = rows[whole], of[whole], queue[whole]
            named = messages.taken("destination_queue_manager", hops.row[rows])
            begins, ends = (end.take(pa.array(rows)) for end in hops.ends)
            homes = either(named, ends)
            managers = ints(pa.concat_arrays([ends, begins, homes]).dictionary_encode().indices)
            visited = _numbered(np.tile(of, 3), managers)
            is_only = _counts(visited, np.tile(queue, 3))[visited[: len(of)]] == 1
            has_queue[rows] = _equal(homes, ends) & is_only
        return has_queue

    def _is_home(self) -> Bools:
        """Return whether the last hop of a message ends at the queue manager that has its queue."""
        messages, receiver = self._messages, self._hops.receiver
        named = messages.taken("destination_queue_manager", messages.shown)
        return (marks(named.is_null()) | _equal(named, receiver)) & (self._hops.final >= 0)

    def _decide(self) -> None:
        """Find the first evidence that applies to each message."""
        messages, answers, hops = self._messages, self._answers, self._hops
        final = hops.final
        seen = final >= 0
        received = seen & (np.append(hops.received, -1)[final] >= 0)
        stored = seen & self._home & (np.append(self._kept, -1)[final] >= 0)
        doubt = np.where(seen, np.append(hops.doubt, Doubt.NONE)[final], Doubt.NONE)
        elsewhere = self._again[np.where(seen, final, -1)]
        ended = np.logical_or.reduce([passed for _, passed in self._due.values()])
        late = np.logical_or.reduce([self._due[name][1] & asks for name, asks in self._would_tell.items()])
        outcome = answers.outcome
        reads, copied = messages.read, messages.first(messages.copied)
        queue = messages.first(reads[marks(messages.taken("by", reads).is_valid())])
        rules: tuple[tuple[str, Bools, Ints | None], ...] = (
            *((name, outcome[name] >= 0, outcome[name]) for name in _SAID),
            ("ordered", answers.order >= 0, answers.order),
            ("stored", stored, None),
            ("accepted", received, None),
            *((_IN_DOUBT[code], doubt == code, None) for code in _IN_DOUBT),
            ("read", ~seen & (queue >= 0), queue),
            ("read somewhere", ~seen & (messages.first(reads) >= 0), messages.first(reads)),
            ("copied", ~seen & (copied >= 0), copied),
            ("unseen", ~seen, None),
            *((_AGAIN[code], elsewhere == code, None) for code in _AGAIN),
            ("late", seen & late, None),
            ("unasked", seen & ended, None),
            ("sent", seen, None),
        )
        for name, holds, by in rules:
            open_ = (self._reason < 0) & holds
            self._reason[open_] = _REASON.index(name)
            if by is not None:
                self._by[open_] = by[open_]
        self._hop = final.copy()

    # ------------------------------------------------------------------------------- several destinations

    def _weaken(self) -> None:
        """Replace the reasons of messages to several queues by those of the queue with the worst state."""
        messages, hops, answers = self._messages, self._hops, self._answers
        is_read = np.zeros(messages.count, np.bool_)
        is_read[[*answers.reads]] = True
        (chosen,) = (messages.several & ((hops.final >= 0) | is_read)).nonzero()
        if not len(chosen):
            return
        told, named = answers.told, self._named_queues()
        homes = messages.taken("destination_queue_manager", hops.row)
        texts = [*hops.ends[1:], homes, messages.taken("by", told)]
        coded = ints(pa.concat_arrays(texts).dictionary_encode().indices)
        to, homes, by = np.split(coded, np.cumsum([len(text) for text in texts])[:-1])
        spans = [np.searchsorted(of, [chosen, chosen + 1]) for of in (hops.of, messages.code[told])]
        # Most have one packet, and only its receiver answered, of its queue: `_decide` has computed the state
        # there.
        (first, after), (first_told, after_told) = spans
        queue, receiver = (np.append(values, -1)[first] for values in (hops.queue, to))
        about, sender = (np.append(values, -1)[first_told] for values in (named, by))
        is_own = (sender == receiver) & (sender >= 0) & ((about == queue) | (about == _UNNAMED))
        simple = (after - first == 1) & (after_told - first_told <= 1) & ~is_read[chosen]
        simple &= (first_told == after_told) | is_own
        known = np.stack([chosen[simple], queue[simple], self._reason[chosen[simple]]])
        better = _WEAKNESS[self._reason[chosen]] < WEAKEST.index("unknown")
        absent = chosen[simple & better & (messages.queue_counts[chosen] > 1)]
        self._reason[absent], self._by[absent] = _REASON.index("absent"), -1
        ends = _Ends(*(values.tolist() for values in (hops.queue, to, homes, by, named)))
        others: list[tuple[int, int, int]] = []
        bounds = [span[:, ~simple].T.tolist() for span in spans]
        for message, own, answering in zip(chosen[~simple].tolist(), *bounds, strict=True):
            queues = self._weakest(message, ends, range(*own), range(*answering))
            others += [(message, queue, reason) for queue, reason in queues.items()]
        every = np.hstack([known, np.array(others, np.int64).reshape(-1, 3).T])
        self._at_queues = every[:, every[1] >= 0]

    def _named_queues(self) -> Ints:
        """Return the queue that each of `_Answers.told` names, as a number of `_queues`; see `_Ends`.

        An administration acknowledgment names its queue ([MS-MQQB] 3.1.7.15), and a FinalAck the place of the
        message in its sequence, which is another one for each queue.
        """
        messages, told = self._messages, self._answers.told
        named = np.full(len(told), _UNNAMED, np.int64)
        is_several = messages.several[messages.code[told]]
        (own,) = (is_several & (messages.kind[told] == EvidenceKind.ADMINISTRATION)).nonzero()
        queues = messages.queues[1]
        every = [queues, folded(messages.taken("response_queue", told[own]))]
        coded = pa.concat_arrays(every).dictionary_encode()
        self._queues = coded.dictionary
        named[own] = ints(coded.indices)[len(queues) :]
        is_several &= messages.kind[told] == EvidenceKind.FINAL
        (own,) = (is_several & marks(messages.taken("sequence", told).is_valid())).nonzero()
        sent = messages.sent[messages.several[messages.code[messages.sent]]]
        rows = np.concatenate([told[own], sent])
        sequence = ints(messages.taken("sequence", rows).dictionary_encode().indices)
        places = _numbered(messages.code[rows], sequence, ints(messages.taken("number", rows)))
        queue_at = np.full(int(places.max(initial=-1)) + 1, _ELSEWHERE, np.int64)
        queue_at[places[len(own) :]] = messages.queues[0][sent]
        named[own] = queue_at[places[: len(own)]]
        return named

    def _weakest(self, message: int, ends: _Ends, rows: range, told: range) -> dict[int, int]:
        """Set the reason of a message to several queues, and return those of its queues.

        Args:
            message: The message.
            ends: The queues and the queue managers of all hops and answers.
            rows: Its hops.
            told: What says something of it, as numbers in `_Answers.told`.
        """
        answers, reads = self._answers, self._answers.reads.get(message, {})
        hops = ends.last_hops(rows)
        own: dict[int, list[int]] = {}  # what says something of one queue
        others: dict[tuple[tuple[int, ...], int], list[int]] = {}  # of one of several, or of an unknown one
        for at in told:
            queues = ends.queues_of(at, hops)
            if len(queues) == 1:
                own.setdefault(queues[0], []).append(at)
            else:
                others.setdefault((queues, ends.by[at]), []).append(at)
        reasons: dict[int, tuple[int, int, int]] = {}  # reason, acknowledgment, hop
        for queue in dict.fromkeys([*hops, *reads, *own]):
            hop, said = hops.get(queue, -1), own.get(queue, [])
            order = -1 if hop < 0 else int(answers.order_of_hop[hop])
            reasons[queue] = *self._reason_of(message, hop, said, order, reads.get(queue)), hop
        every = [(*self._reason_of(message, -1, said, -1), -1) for said in others.values()]
        unplaced = -len(reads.keys() - hops.keys())  # who may have a queue that no packet was seen going to
        for (queues, _), said in others.items():
            says = {answers.says[at] for at in said}
            unplaced += not queues and says != {"answered"}
            is_bad = not UNDELIVERED.isdisjoint(says)
            for queue in queues or hops:
                reason, _, hop = reasons[queue]
                if reason not in _CERTAIN if is_bad else reason in _SILENT:
                    reasons[queue] = _REASON.index("either"), -1, hop
        every += reasons.values()
        if len(reasons) + max(unplaced, 0) < self._messages.queue_counts[message]:
            every.append((_REASON.index("absent"), -1, [-1, *hops.values()][-1]))
        worst = max(every, key=lambda reason: _weakness(reason[0]))
        is_undecided = _WEAKNESS[self._reason[message]] == WEAKEST.index("unknown")
        if hops or not is_undecided or worst[0] != _REASON.index("absent"):
            self._reason[message], self._by[message], self._hop[message] = worst
        if worst[0] in _ENDED:
            for name, last in self._last.items():
                self._due[name][1][message] |= last[message] < self._until[worst[2]]
        return {queue: reason for queue, (reason, _, _) in reasons.items()}

    def states(self, message: Ints, queues: pa.Array) -> pa.Array:
        """Return the state of messages at one of their queues each.

        At a queue that no packet was seen going to, it is ``unknown``.  A distribution list stands for all
        queues.
        """
        reasons = self._reason[message]
        of, at, known = self._at_queues
        has = np.zeros(self._messages.count, np.bool_)
        has[of] = True
        (several,) = has[message].nonzero()
        names = folded(queues.take(pa.array(several)))
        span = len(self._queues) + 1  # -1 is no queue
        order = order_by(of * span + at)
        keys = (of * span + at)[order]
        wanted = message[several] * span + ints(pc.index_in(names, self._queues))
        row = np.searchsorted(keys, wanted)
        hit = np.append(keys, NEVER)[row] == wanted
        own = np.where(hit, np.append(known[order], -1)[row], _REASON.index("absent"))
        is_list = marks(pc.starts_with(names, _LIST))
        reasons[several[~is_list]] = own[~is_list]
        return texts_of(_WEAKNESS[reasons], WEAKEST)

    def _reason_of(
        self, message: int, hop: int, told: list[int], order: int, read: Mapping[str, int] | None = None
    ) -> tuple[int, int]:
        """Return the reason for the state at one queue, and the acknowledgment that decides, or -1.

        `order`: the row of an OrderAck, or -1.
        """
        answers, hops = self._answers, self._hops
        said = {answers.says[at]: int(answers.told[at]) for at in reversed(told)} | dict(read or {})
        for state in _SAID:
            if state in said:
                return _REASON.index(state), said[state]
        if order >= 0:
            return _REASON.index("ordered"), order
        if hop < 0:
            return _REASON.index("unseen"), -1
        ended = [name for name, last in self._last.items() if last[message] < self._until[hop]]
        name = (
            "stored" if self._kept[hop] >= 0
            else "accepted" if hops.received[hop] >= 0
            else _IN_DOUBT[Doubt(hops.doubt[hop])] if hops.doubt[hop] != Doubt.NONE
            else _AGAIN[Doubt(self._again[hop])] if self._again[hop] != Doubt.NONE
            else "late" if any(self._would_tell[name][message] for name in ended)
            else "unasked" if ended
            else "sent"
        )  # fmt: skip
        return _REASON.index(name), -1

    # ----------------------------------------------------------------------------------------- columns

    def columns(self) -> dict[str, pa.Array]:
        """Return the columns of states, deadlines and proofs."""
        messages, kept = self._messages, self._messages.kept
        reason, by = self._reason[kept], self._by[kept]
        decides = messages.taken("message_class", np.where(np.isin(reason, _NO_CLASS), -1, by))
        states = texts_of(_WEAKNESS[reason], WEAKEST)
        columns = {"state": states, "class": decides, "why": self._sentences(decides)}
        for name, (due, passed) in self._due.items():
            columns[f"{name}_by"] = messages.as_times(due)
            columns[f"{name}_passed"] = pa.array(passed[kept], mask=(due == NEVER)[kept])
        columns["proof"] = self._proofs()
        return columns

    def _sentences(self, decides: pa.Array) -> pa.Array:
        messages, kept = self._messages, self._messages.kept
        by, hop = self._by[kept], self._hop[kept]
        receiver = self._hops.ends[1].take(pa.array(hop, mask=hop < 0))
        who = either(messages.taken("by", by), receiver)
        several = np.bincount(messages.named, minlength=messages.count)[messages.named[kept]]
        strange = pa.array(self._are_strange()[kept])
        distinct = Distinct(pa.array(self._reason[kept]), who, decides, pa.array(several), strange)
        return distinct.array([_sentence(*row) for row in distinct.values], EVIDENCE.field("by").type)

    def _are_strange(self) -> Bools:
        """Return which states a queue manager decides that the captured way of the message does not have.

        It may be one whose connections were not captured, or a forger.
        """
        messages, hops, by = self._messages, self._hops, self._by
        strange: Bools = by >= 0
        sayers = messages.taken("by", by)
        for name, rows in (("manager", by), ("destination_queue_manager", messages.shown)):
            strange &= ~_equal(sayers, messages.taken(name, rows))
        of_hops = sayers.take(pa.array(hops.of))
        for manager in hops.managers:
            strange[hops.of[_equal(manager, of_hops) | marks(manager.is_null())]] = False
        strange &= (hops.final >= 0) & ~np.isin(self._reason, _OF_READS)
        return strange

    def _proofs(self) -> pa.Array:
        """Return the packets that prove the states: the message, and what came back or is missing."""
        hops, kept = self._hops, self._messages.kept
        reason, by, hop = self._reason[kept], self._by[kept], self._hop[kept]
        at = np.arange(len(kept))
        own = np.append(hops.row, -1)[hop]
        own = np.where(reason == _REASON.index("copied"), by, own)
        is_response, is_read = reason == _REASON.index("answered"), np.isin(reason, _OF_READS)
        unseen = np.where(reason == _REASON.index("unseen"), self._answers.first[kept], -1)
        told = np.where(np.isin(reason, _NO_CLASS), -1, np.maximum(by, unseen))
        parts = [
            (at, PROOFS.index("message"), 0, own),
            (at, PROOFS.index("acknowledgment"), 0, told),
            (at, PROOFS.index("response"), 0, np.where(is_response, by, -1)),
            (at, PROOFS.index("remote read"), 0, np.where(is_read, by, -1)),
        ]
        of_hops = [
            ("SessionHeader", 1, "accepted", hops.received),
            ("SessionHeader", 2, "stored", hops.stored),
        ]
        for proof, code in (("missing bytes", Doubt.LOST), ("unreadable bytes", Doubt.UNREAD)):
            of_hops += [(proof, 3, _IN_DOUBT[code], hops.loss), (proof, 3, _AGAIN[code], self._elsewhere)]
        for proof, block, name, rows in of_hops:
            row = np.where(reason == _REASON.index(name), np.append(rows, -1)[hop], -1)
            parts.append((at, PROOFS.index(proof), block, row))
        for block, name in ((1, "taken"), (2, "in transaction")):
            ended = np.where(reason == _REASON.index(name), by, -1)
            parts.append((at, PROOFS.index("end of the remote read"), block, ended))
        chosen = [(of[row >= 0], what, block, row[row >= 0]) for of, what, block, row in parts]
        chosen = [part for part in chosen if len(part[0])]
        of = np.concatenate([np.zeros(0, np.int64), *(part[0] for part in chosen)])
        what = np.concatenate([np.zeros(0, np.int64), *(np.full(len(part[0]), part[1]) for part in chosen)])
        order = order_by(of)
        columns = {
            "what": texts_of(what[order], PROOFS),
            "sensor": self._gathered("sensor", chosen, [""] * 4, order),
        }
        for name in _PLACE:
            columns[name] = self._gathered(name, chosen, ["", "received.", "stored.", "loss."], order)
        return _lists(np.sort(of), at, _struct(_PROOF, columns))

    def _gathered(
        self, name: str, chosen: list[tuple[Ints, int, int, Ints]], prefixes: list[str], order: Ints
    ) -> pa.Array:
        columns = [self._messages.column(f"{prefix}{name}") for prefix in prefixes]
        taken = [columns[block].take(pa.array(row)) for _, _, block, row in chosen]
        return pa.concat_arrays(taken or [columns[0].slice(0, 0)]).take(pa.array(order))


def _lost_afterwards(messages: _Messages, hops: _Hops) -> Ints:
    """Return for each hop a row of bytes that are missing between its queue managers after it; -1 for none.

    A message without an acknowledgment is sent again in the next session.
    """
    after = np.full(len(hops.row), -1, np.int64)
    (lost,) = (messages.kind == EvidenceKind.LOST).nonzero()
    (open_,) = (hops.received < 0).nonzero()
    if not len(lost) or not len(open_):
        return after
    pairs = [
        (messages.taken(name, lost), manager.take(pa.array(open_)))
        for name, manager in zip(("from_manager", "to_manager"), hops.managers, strict=True)
    ]
    names = pa.concat_arrays([array for pair in pairs for array in pair]).dictionary_encode()
    numbers = ints(names.indices)
    cut = len(lost) + len(open_)
    one, other = numbers[:cut], numbers[cut:]
    keys = _numbered(np.minimum(one, other), np.maximum(one, other))
    times = ints(messages.column("time"), NEVER)
    order = loss_order(messages.rows.take(pa.array(lost)))
    last = np.full(int(keys.max()) + 1, -1, np.int64)
    last[keys[: len(lost)][order]] = lost[order]
    row = last[keys[len(lost) :]]
    good = (row >= 0) & (np.minimum(one, other)[len(lost) :] >= 0)
    good &= np.append(times, -1)[row] >= times[hops.row[open_]]
    after[open_[good]] = row[good]
    return after


def _weakness(reason: int) -> tuple[int, int]:
    """Return what orders reasons by the worst state; of equal ones, by the first that applies."""
    return int(_WEAKNESS[reason]), -reason


def _sentence(reason: int, who: str | None, name: str | None, several: int, strange: bool) -> str:
    named = who is not None and len(who) == GUID_TEXT and who.count("-") == 4
    by = f"queue manager {who}" if named else who or "the receiver"
    text = _REASONS[_REASON[reason]].why.format(by=by, name=name)
    text = text[0].upper() + text[1:]
    if strange:
        text += " It was not seen going there."
    if several > 1:
        text += f" Its identifier was used for {several} different messages."
    return text
