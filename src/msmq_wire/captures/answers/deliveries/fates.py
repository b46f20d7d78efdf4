"""The states of messages, why they have these, and the packets that prove it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import either, ints, marks, order_by, texts_of
from msmq_wire.arrow.distinct import Distinct
from msmq_wire.arrow.messages import DELIVERED, RETRIEVED
from msmq_wire.captures.answers.evidence import EVIDENCE, GUID_TEXT, NEVER, EvidenceKind, loss_order
from msmq_wire.captures.answers.sessions import Doubt
from msmq_wire.captures.answers.usage import folded
from msmq_wire.values.times import SECOND

from .acknowledgments import SAID, Answers
from .columns import PROOF_TYPE
from .grouping import are_equal, counts_of, dense, lists_of, numbered, struct_of
from .reasons import REASONS, REMOVALS, UNDELIVERED, WEAKEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

    from .hops import Hops
    from .messages import Messages


_REASON: Final = [*REASONS]
_WEAKNESS: Final = np.array([WEAKEST.index(reason.state) for reason in REASONS.values()])
"""The state of each reason, as a number in `WEAKEST`."""
_OF_READS: Final = [
    _REASON.index(name) for name in ("taken", "in transaction", "returned", "read", "read somewhere")
]
_NO_CLASS: Final = [*(_REASON.index(name) for name in ("answered", "copied")), *_OF_READS]
"""The reasons that no acknowledgment decides."""
_GONE: Final = ("received", "taken", "answered")
_COME: Final = (*_GONE, "reached", "in transaction", "returned")
"""Those that prove that it was taken from its queue, and that it came there."""
_LIST: Final = "dl="
"""How the names of distribution lists begin, in small letters."""
_PRIVATE: Final = rf"^private=(?P<owner>[0-9a-f-]{{{GUID_TEXT}}})"
"""The format name of a private queue, in small letters, with its queue manager."""
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
_OPEN: Final = [
    number for number, reason in enumerate(REASONS.values()) if reason.state in {"accepted", "reached"}
]
"""The reasons for states after which more may come."""
_ENDED: Final = [_REASON.index(name) for name in ("late", "unasked")]
"""The reasons of messages whose time has ended."""
_SILENT: Final = [*_ENDED, *(_REASON.index(name) for name in (*_AGAIN.values(), "sent"))]
"""The reasons that nothing came back, or only to an earlier packet."""
_PLACE: Final = ("time", "flow", "offset", "file", "first_frame")
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
        by: For each of `Answers.told`, who sent it.
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
        """Return the queues of which one of `Answers.told` may say something; none if these are unknown."""
        if self.about[at] != _UNNAMED:
            return (self.about[at],)
        by = self.by[at]
        managers = {queue: {self.receivers[hop], self.homes[hop]} for queue, hop in hops.items()}
        return tuple(queue for queue, own in managers.items() if by >= 0 and by in own)


class Fates:
    """The states of messages, and why."""

    def __init__(self, messages: Messages, hops: Hops, answers: Answers) -> None:
        self._messages, self._hops, self._answers = messages, hops, answers
        self._reason = np.full(messages.count, -1, np.int64)
        self._by = np.full(messages.count, -1, np.int64)
        """The acknowledgment that decides; -1 for none."""
        self._at_queues = np.zeros((3, 0), np.int64)
        """Messages, their queues, which are numbers, and the reasons for the states there."""
        self._queues = messages.queues[1]
        """The names of all queues, in small letters."""
        self._lost = _lost_afterwards(messages, hops)
        self._elsewhere = np.where(hops.received < 0, self._lost, -1)
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

        What was taken came to its queue, and so an acknowledgment of that is missing, too.  One that goes to
        a private queue of another queue manager than the sender may take another way.
        """
        messages, shown = self._messages, self._messages.shown
        wanted = messages.taken("acknowledgments", shown)
        words, of = pc.list_flatten(wanted), pc.list_parent_indices(wanted).to_numpy()
        queues = folded(messages.taken("admin_queue", shown))
        owner = pc.struct_field(pc.extract_regex(queues, _PRIVATE), "owner")
        sender = pc.utf8_lower(messages.taken("manager", messages.sources()).cast(pa.string()))
        is_named = marks(queues.is_valid()) & (marks(owner.is_null()) | are_equal(owner, sender))
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

        For a message to one queue, `_is_home` decides.  If no packet names the queue manager at the end of a
        hop, its address may be that of any.
        """
        messages, hops = self._messages, self._hops
        has_queue = np.ones(len(hops.of), np.bool_)
        (rows,) = messages.several[hops.of].nonzero()
        if len(rows):
            has_queue[rows] = False
            of, queue = dense(hops.of[rows]), hops.queue[rows]
            (whole,) = (counts_of(of, queue)[of] >= messages.queue_counts[hops.of[rows]]).nonzero()
            rows, of, queue = rows[whole], of[whole], queue[whole]
            named = messages.taken("destination_queue_manager", hops.row[rows])
            begins, ends = (end.take(pa.array(rows)) for end in hops.ends)
            homes = either(named, ends)
            managers = ints(pa.concat_arrays([ends, begins, homes]).dictionary_encode().indices)
            visited = numbered(np.tile(of, 3), managers)
            is_only = counts_of(visited, np.tile(queue, 3))[visited[: len(of)]] == 1
            named_ends = np.bincount(of, marks(hops.managers[1].take(pa.array(rows)).is_valid()))[of]
            is_comparable = (named_ends == 0) | (named_ends == np.bincount(of)[of])
            has_queue[rows] = are_equal(homes, ends) & is_only & is_comparable
        return has_queue

    def _is_home(self) -> Bools:
        """Return whether the last hop of a message ends at the queue manager that has its queue."""
        messages, receiver = self._messages, self._hops.receiver
        named = messages.taken("destination_queue_manager", messages.shown)
        return (marks(named.is_null()) | are_equal(named, receiver)) & (self._hops.final >= 0)

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
            *((name, outcome[name] >= 0, outcome[name]) for name in SAID),
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
        is_read, is_told = np.zeros((2, messages.count), np.bool_)
        is_read[[*answers.reads]] = True
        is_told[messages.code[answers.told]] = True
        (chosen,) = (messages.several & ((hops.final >= 0) | is_read | is_told)).nonzero()
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
        """Return the queue that each of `Answers.told` names, as a number of `_queues`; see `_Ends`.

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
        places = numbered(messages.code[rows], sequence, ints(messages.taken("number", rows)))
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
            told: What says something of it, as numbers in `Answers.told`.
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
        for state in SAID:
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
        more = [pa.array(which[kept]) for which in (self._are_strange(), self._may_change())]
        distinct = Distinct(pa.array(self._reason[kept]), who, decides, pa.array(several), *more)
        return distinct.array([_sentence(*row) for row in distinct.values], EVIDENCE.field("by").type)

    def _may_change(self) -> Bools:
        """Return which messages may have had another answer later, among missing bytes.

        A message that names no queue for acknowledgments, and is not transactional, has none.
        """
        messages, shown = self._messages, self._messages.shown
        lost = np.append(self._lost, -1)[self._hops.final] >= 0
        asks = marks(messages.taken("admin_queue", shown).is_valid())
        asks |= marks(messages.taken("transactional", shown))
        return lost & asks & np.isin(self._reason, _OPEN)

    def _are_strange(self) -> Bools:
        """Return which states a queue manager decides that the captured way of the message does not have.

        It may be one whose connections were not captured, or a forger.
        """
        messages, hops, by = self._messages, self._hops, self._by
        strange: Bools = by >= 0
        sayers = messages.taken("by", by)
        for name, rows in (("manager", by), ("destination_queue_manager", messages.shown)):
            strange &= ~are_equal(sayers, messages.taken(name, rows))
        of_hops = sayers.take(pa.array(hops.of))
        for manager in hops.managers:
            strange[hops.of[are_equal(manager, of_hops) | marks(manager.is_null())]] = False
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
        return lists_of(np.sort(of), at, struct_of(PROOF_TYPE, columns))

    def _gathered(
        self, name: str, chosen: list[tuple[Ints, int, int, Ints]], prefixes: list[str], order: Ints
    ) -> pa.Array:
        columns = [self._messages.column(f"{prefix}{name}") for prefix in prefixes]
        taken = [columns[block].take(pa.array(row)) for _, _, block, row in chosen]
        return pa.concat_arrays(taken or [columns[0].slice(0, 0)]).take(pa.array(order))


def _lost_afterwards(messages: Messages, hops: Hops) -> Ints:
    """Return for each hop a row of bytes that are missing between its queue managers after it; -1 for none.

    A message without an acknowledgment is sent again in the next session.  Any may be answered there.
    """
    after = np.full(len(hops.row), -1, np.int64)
    (lost,) = (messages.kind == EvidenceKind.LOST).nonzero()
    if not len(lost) or not len(after):
        return after
    pairs = [
        (messages.taken(name, lost), manager)
        for name, manager in zip(("from_manager", "to_manager"), hops.managers, strict=True)
    ]
    names = pa.concat_arrays([array for pair in pairs for array in pair]).dictionary_encode()
    numbers = ints(names.indices)
    cut = len(lost) + len(after)
    one, other = numbers[:cut], numbers[cut:]
    keys = numbered(np.minimum(one, other), np.maximum(one, other))
    times = ints(messages.column("time"), NEVER)
    order = loss_order(messages.rows.take(pa.array(lost)))
    last = np.full(int(keys.max()) + 1, -1, np.int64)
    last[keys[: len(lost)][order]] = lost[order]
    row = last[keys[len(lost) :]]
    good = (row >= 0) & (np.minimum(one, other)[len(lost) :] >= 0)
    good &= np.append(times, -1)[row] >= times[hops.row]
    after[good] = row[good]
    return after


def _weakness(reason: int) -> tuple[int, int]:
    """Return what orders reasons by the worst state; of equal ones, by the first that applies."""
    return int(_WEAKNESS[reason]), -reason


def _sentence(
    reason: int, who: str | None, name: str | None, several: int, strange: bool, may_change: bool
) -> str:
    named = who is not None and len(who) == GUID_TEXT and who.count("-") == 4
    by = f"queue manager {who}" if named else who or "the receiver"
    why = REASONS[_REASON[reason]].why
    if _REASON[reason] == "refused":
        why = REMOVALS.get(name or "", why)
    text = why.format(by=by, name=name)
    text = text[0].upper() + text[1:]
    if strange:
        text += " It was not seen going there."
    if may_change:
        text += " A later acknowledgment may be among missing bytes."
    if several > 1:
        text += f" Its identifier was used for {several} different messages."
    return text
