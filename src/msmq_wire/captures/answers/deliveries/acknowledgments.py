"""What acknowledgments, responses and remote reads say of messages."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import either, ints, marks, order_by
from msmq_wire.captures.answers.evidence import NEVER, WHERE, EvidenceKind
from msmq_wire.captures.answers.purposes import NORMAL, outcome_of
from msmq_wire.captures.answers.usage import folded
from msmq_wire.captures.rows.destinations import COPIES

from .columns import ACKNOWLEDGMENT_TYPE, RESPONSE_TYPE
from .grouping import are_equal, lists_of, numbered, starts_of, struct_of
from .order_acknowledgments import order_acknowledgments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

    from .hops import Hops
    from .messages import Messages


SAID: Final = (
    "refused", "received", "expired", "taken", "answered", "reached", "in transaction", "returned"
)  # fmt: skip
"""What an acknowledgment, a response or a remote read says of a message; the first that applies counts."""


class Answers:
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

    def __init__(self, messages: Messages, hops: Hops) -> None:
        self._messages = messages
        acknowledgments, finals = messages.acknowledgments, messages.finals
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
        numbers = {None: -1} | {state: number for number, state in enumerate(SAID)}
        outcomes = [numbers[outcome_of(str(name))] for name in texts.to_pylist()]
        said = np.array([*outcomes, -1])[names[self.told]]
        said[messages.kind[self.told] == EvidenceKind.RESPONSE] = SAID.index("answered")
        self.says = np.array([*SAID, None], object)[said]
        self.outcome = {state: messages.first(self.told[said == number]) for number, state in enumerate(SAID)}
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

    def _orders(self, hops: Hops) -> tuple[Ints, Ints]:
        """Return `order` and `order_of_hop`."""
        messages = self._messages
        every = np.arange(messages.count)
        order = order_acknowledgments(messages, every, messages.shown, hops.receiver)
        of_hop = np.full(len(hops.of), -1, np.int64)
        (own,) = messages.several[hops.of].nonzero()
        if len(own):
            rows, receivers = hops.first_with("sequence")[own], hops.managers[1].take(pa.array(own))
            of_hop[own] = order_acknowledgments(messages, hops.of[own], rows, receivers)
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
        same = numbered(messages.code[rows[several]], own[several], classes[rows[several]])
        return np.delete(rows, np.delete(several, starts_of(same)))

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
            "acknowledgments": lists_of(messages.code[rows], kept, struct_of(ACKNOWLEDGMENT_TYPE, columns)),
            "responses": lists_of(messages.code[responses], kept, struct_of(RESPONSE_TYPE, answers)),
            "order_acknowledged_at": messages.taken("time", self.order[kept]),
            "order_acknowledgment": messages.packets(self.order[kept]),
            "final_acknowledged_at": messages.taken("time", self._final[kept]),
            "final_acknowledgment": messages.packets(self._final[kept]),
            "final_class": messages.taken("message_class", self._final[kept]),
        }


def _proving_reads(messages: Messages) -> dict[str, Ints]:
    """Return the remote reads that prove a state, by their names in `SAID`, in the order of messages.

    A queue that no call names may have copies.
    """
    rows = messages.read
    if len(rows):
        is_queue = marks(messages.taken("by", rows).is_valid())
        rows = rows[is_queue & ~messages.ends_with("by", tuple(chain.from_iterable(COPIES.values())))[rows]]
    ends = {"taken": "received.offset", "in transaction": "stored.offset"}
    ended = {name: rows[marks(messages.taken(column, rows).is_valid())] for name, column in ends.items()}
    return {**ended, "returned": rows}


def _by_queue(messages: Messages, reads: Mapping[str, Ints]) -> dict[int, dict[int, dict[str, int]]]:
    """Return the first remote reads of messages to several queues, by message and queue.

    They count at the queue from which a packet was read if the packet is one for this queue.
    """
    by_queue: dict[int, dict[int, dict[str, int]]] = {}
    queues, _ = messages.queues
    for name, proving in reads.items():
        rows = proving[messages.several[messages.code[proving]]]
        names = [folded(messages.taken(column, rows)) for column in ("by", "destination")]
        for row in rows[are_equal(*names)].tolist():
            of_message = by_queue.setdefault(int(messages.code[row]), {})
            of_message.setdefault(int(queues[row]), {}).setdefault(name, row)
    return by_queue


def _are_answers(messages: Messages, hops: Hops, responses: Ints) -> Bools:
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
    named = are_equal(messages.taken("destination_queue_manager", hops.row[own]), *to)
    homes = either(messages.taken("destination_queue_manager", shown), hops.receiver.take(pa.array(of)))
    coded = ints(pa.concat_arrays([by, homes, *to]).dictionary_encode().indices)
    pairs = numbered(np.concatenate([of, of, hops.of[own]]), coded)
    at_home = np.concatenate([np.ones(len(of), np.bool_), named])
    reads = np.isin(pairs[: len(of)], pairs[len(of) :][at_home]) & (coded[: len(of)] >= 0)
    asked = [
        folded(messages.taken(name, rows))
        for name, rows in (("destination", responses), ("response_queue", shown))
    ]
    reads |= marks(homes.is_null()) | are_equal(*asked)
    return reads & ~are_equal(by, messages.taken("manager", responses))


def _report_to(messages: Messages, responses: Ints) -> Bools:
    """Return which messages of an unknown class go to the queue for acknowledgments.

    They may tell what became of the message, and answer nothing.
    """
    classes = messages.taken("message_class", responses)
    return messages.are_told(responses) & ~marks(pc.fill_null(pc.equal(classes, NORMAL), True))
