"""When the other side of a session acknowledged a message, by the SessionHeaders that it sent afterwards.

1. Each side counts its messages modulo 65,536, and a SessionHeader of the other side acknowledges all up to a
   number ([MS-MQQB] 3.1.7.1.3), and recoverable ones, when they are stored, by a number and flags
   ([MS-MQMQ] 2.2.20.4).
2. Counts are continued beyond 65,536: those of a flow by the order of its bytes, and those of acknowledgments
   by the message that was sent last before them.  Clocks of captures may be wrong by less than
   32,768 messages.
3. If no message can be missing between two packets, the count of the later one gives that of the earlier one.
   Otherwise a message whose count is unknown is acknowledged at the latest together with the next one whose
   count is known.  If there is none, it is in doubt, like a message whose acknowledgment may be among missing
   bytes.
4. Everything is computed for all connections at once, from columns.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import among, array_of, ints, marks, order_by
from msmq_wire.captures.rows.numbers import LEAST_MESSAGE
from msmq_wire.documents.session_protocol import COUNTED, HANDSHAKE_PACKETS, NUMBERS, ahead
from msmq_wire.packets.packet_starts import SESSION_HEADER_SIZE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

IN_SESSIONS: Final = (
    "offset", "time", "type", "number_in_session", "acknowledged_in_session", "SessionHeader", "recoverable",
    "announced",
)  # fmt: skip
"""The columns of packets that `acknowledged` needs."""
_UNKNOWN: Final = -1
_ALWAYS: Final = int(np.iinfo(np.int64).max)
_FAR: Final = 1 << 40
"""Stands for a PacketSize that is not known."""
_FLAGS: Final = 32
"""The number of bits of RecoverableMsgAckFlags."""


class Doubt(enum.IntEnum):
    """Why a message without an acknowledgment may have one; the first that applies counts."""

    NONE = 0
    LOST = 1
    """It may be among missing bytes."""
    UNREAD = 2
    """It may be among unreadable bytes."""
    UNHEARD = 3
    """No packet of the other direction was captured."""
    UNCOUNTED = 4
    """The number of the message is not known."""
    APART = 5
    """The message is not in a session."""


class Flows:
    """Numbers for flows: those of both directions of a connection are 2n and 2n + 1.

    Args:
        tables: Tables with the columns ``sensor``, ``connection`` and ``direction``.

    Attributes:
        of: For each table, the number of the flow of each row.
        first: For each connection, the index of a row with it, counted over all tables.
    """

    def __init__(self, *tables: pa.Table) -> None:
        both_names = pa.concat_tables([table.select(["sensor", "connection"]) for table in tables])
        coded = [array_of(column).dictionary_encode() for column in both_names.columns]
        sensor, connection = (ints(column.indices, len(column.dictionary)) for column in coded)
        both = pa.array(sensor * (len(coded[1].dictionary) + 1) + connection).dictionary_encode()
        number = ints(both.indices)
        self.first = np.full(len(both.dictionary), _UNKNOWN, np.int64)
        self.first[number[::-1]] = np.arange(len(number) - 1, -1, -1)
        self.of: list[Ints] = []
        start = 0
        for table in tables:
            stop = start + table.num_rows
            self.of.append(2 * number[start:stop] + among(table.column("direction"), ["<-"]))
            start = stop


class Acknowledged(NamedTuple):
    """The acknowledgments of packets in their sessions, one value for each packet.

    Attributes:
        by: Row of the packet whose SessionHeader was the first to acknowledge it; -1 for none.
        stored_by: Row of the packet that was the first to acknowledge it as stored; -1 for none.
        doubt: A `Doubt`: why an acknowledgment may be missing in the capture.
        loss: Row of the missing bytes that may have it; -1 if there are none.
        heard: The last offset of the other direction at which a packet begins, or missing bytes; -1 for none.
    """

    by: Ints
    stored_by: Ints
    doubt: Ints
    loss: Ints
    heard: Ints


def acknowledged(packets: pa.Table, flow: Ints, losses: pa.Table, lost_flow: Ints) -> Acknowledged:
    """Return when sessions acknowledged packets.

    Args:
        packets: The columns `IN_SESSIONS` of packets of sessions.
        flow: The flow of each, as in `Flows`.
        losses: Bytes of flows that are in no packet: their ``offset``, ``end_time`` and ``doubt``.
        lost_flow: The flow of each.
    """
    order = order_by(flow, ints(packets.column("offset")))
    rows = packets.take(pa.array(order))
    losses_order = order_by(lost_flow, ints(losses.column("offset")))
    table = _Packets(rows, flow[order], losses, lost_flow, losses_order)
    by, doubt, loss = table.received()
    stored = table.stored()
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    unsorted = np.append(order, _UNKNOWN)  # -1 stays -1
    return Acknowledged(
        unsorted[by][back], unsorted[stored][back], doubt[back], loss[back], table.heard()[back]
    )


class _Packets:
    """Packets in the order of their flows and offsets."""

    def __init__(
        self, rows: pa.Table, flow: Ints, losses: pa.Table, lost_flow: Ints, losses_order: Ints
    ) -> None:
        self.flow = flow
        self.time = ints(rows.column("time"))
        self.counted, self.handshake = (
            among(rows.column("type"), names) for names in (COUNTED, HANDSHAKE_PACKETS)
        )
        self.acknowledges = ints(rows.column("acknowledged_in_session"))
        header = rows.column("SessionHeader").combine_chunks()
        self.first, self.flags, self.stated = (
            ints(pc.struct_field(header, name))
            for name in ("RecoverableMsgAckSeqNumber", "RecoverableMsgAckFlags", "RecoverableMsgSeqNumber")
        )
        self.recoverable = marks(rows.column("recoverable")) & self.counted
        self.unmarked = marks(rows.column("recoverable").is_null()) & self.counted
        self.losses = losses_order
        self.lost_flow = lost_flow[losses_order]
        self.lost_at = ints(losses.column("offset"))[losses_order]
        self.lost_until = ints(losses.column("end_time"), _ALWAYS)[losses_order]
        self.lost_doubt = ints(losses.column("doubt"))
        self.offset = ints(rows.column("offset"))
        self.run = self._runs(ints(rows.column("announced"), _FAR))
        number = ints(rows.column("number_in_session"))
        stated = ints(pc.struct_field(header, "UserMsgSequenceNumber"))
        before = self._before(np.where(self.counted, number, stated), self.counted, self.run)
        self.number = np.where(self.counted & (number < 0), before, number)

    def _runs(self, size: Ints) -> Ints:
        """Return equal numbers for packets of a flow between which no message can be.

        PacketSize may leave out the SessionHeader; no message is as short as one.  An unreadable packet that
        is no message by its flags, or too short for one, may have wrong flags.
        """
        between = self.offset[1:] - (self.offset + size)[:-1]
        is_next = (self.flow[1:] == self.flow[:-1]) & (between >= 0) & (between <= SESSION_HEADER_SIZE)
        own, missing = self._places()
        doubtful = np.isin(own, missing) & (~self.counted | (size < LEAST_MESSAGE))
        is_next &= ~(doubtful[1:] | doubtful[:-1])
        runs: Ints = np.cumsum(np.append(True, ~is_next))[: len(size)]
        return runs

    def _places(self) -> tuple[Ints, Ints]:
        """Return the flow and the offset of each row as a number, and the same of missing bytes."""
        span = int(max(self.offset.max(initial=0), self.lost_at.max(initial=0))) + 1
        return self.flow * span + self.offset, self.lost_flow * span + self.lost_at

    @staticmethod
    def _before(count: Ints, is_counted: Bools, run: Ints) -> Ints:
        """Return the count of each row by that of the next one in its run for which it is known; -1 for none.

        Args:
            count: The count of each row, including itself; -1 if it is unknown.
            is_counted: Which rows count.
            run: The run of each row.
        """
        after = np.where(count < 0, len(count), np.arange(len(count)))
        anchor = np.minimum.accumulate(after[::-1])[::-1]
        total = np.cumsum(is_counted)
        counts = (np.append(count, 0)[anchor] - np.append(total, 0)[anchor] + total) % NUMBERS
        return np.where(np.append(run, _UNKNOWN)[anchor] == run, counts, _UNKNOWN)

    # ------------------------------------------------------------------------------------------ received

    def received(self) -> tuple[Ints, Ints, Ints]:
        """Return the row that acknowledges each row, the doubt if there is none, and the loss."""
        count = len(self.flow)
        by = np.full(count, _UNKNOWN, np.int64)
        (sent,) = self.counted.nonzero()
        known = sent[self.number[sent] >= 0]
        (answers,) = (self.acknowledges >= 0).nonzero()
        counts = _continued(self.flow[known], self.number[known])
        until = _following(self.flow[answers], self.acknowledges[answers], self.time[answers],
                           self.flow[known], counts, self.time[known])  # fmt: skip
        answers, until = answers[until >= 0], until[until >= 0]
        # The count of the message itself, or of the next one in its flow whose count is known.
        at = np.searchsorted(known, sent)
        has = (at < len(known)) & (self.flow[np.append(known, 0)[at]] == self.flow[sent])
        by[sent[has]] = _first_of(
            self.flow[sent[has]] ^ 1, counts[at[has]], self.flow[answers], until, answers
        )
        doubt, loss = self._doubts(sent, answers, by)
        return by, doubt, loss

    def _doubts(self, sent: Ints, answers: Ints, by: Ints) -> tuple[Ints, Ints]:
        """Return the doubt about each row without an acknowledgment, and the loss that may have it."""
        count = len(self.flow)
        doubt, loss = np.zeros(count, np.int64), np.full(count, _UNKNOWN, np.int64)
        most = int(max(self.flow.max(initial=-1), self.lost_flow.max(initial=-1))) + 3
        last = np.full(most, -1, np.int64)  # offset of the last acknowledgment of each flow
        last[self.flow[answers]] = self.offset[answers]
        heard = np.zeros(most, np.bool_)
        heard[self.flow] = True
        late = self.lost_at >= last[self.lost_flow]
        until, missing = np.full(most, -1, np.int64), np.full(most, _UNKNOWN, np.int64)
        np.maximum.at(until, self.lost_flow[late], self.lost_until[late])
        missing[self.lost_flow[late]] = self.losses[late]
        sent = sent[by[sent] < 0]
        other = self.flow[sent] ^ 1
        gone = until[other] >= self.time[sent]
        doubt[sent[self.number[sent] < 0]] = Doubt.UNCOUNTED
        doubt[sent[~heard[other]]] = Doubt.UNHEARD
        loss[sent[gone]] = missing[other[gone]]
        doubt[sent[gone]] = self.lost_doubt[missing[other[gone]]]
        return doubt, loss

    def heard(self) -> Ints:
        """Return for each row the last offset of a packet or a loss of the other direction; -1 for none."""
        count = int(max(self.flow.max(initial=-1), self.lost_flow.max(initial=-1))) + 3
        last = np.full(count, -1, np.int64)
        np.maximum.at(last, self.flow, self.offset)
        np.maximum.at(last, self.lost_flow, self.lost_at)
        of_rows: Ints = last[self.flow ^ 1]
        return of_rows

    # -------------------------------------------------------------------------------------------- stored

    def stored(self) -> Ints:
        """Return the row that acknowledges each recoverable row as stored."""
        by = np.full(len(self.flow), _UNKNOWN, np.int64)
        number = self._recoverable_numbers()
        (known,) = (number >= 0).nonzero()
        (answers,) = (self.acknowledges >= 0).nonzero()
        named = (self.first[answers] > 0) | (self.flags[answers] > 0)
        answers = answers[named]
        counts = _continued(self.flow[known], number[known])
        first = _following(self.flow[answers], self.first[answers], self.time[answers], self.flow[known],
                           counts, self.time[known])  # fmt: skip
        # Zero is a number only beyond 65,535 (errata Q25): `session_protocol.names_none` of continued counts.
        answers, first = answers[first > 0], first[first > 0]
        flags = self.flags[answers]
        through = first - 1 + _trailing_ones(flags)
        through_first = _first_of(self.flow[known] ^ 1, counts, self.flow[answers], through, answers)
        by[known] = self._scattered(known, counts, answers, first, flags, through_first)
        return by

    def _scattered(
        self, known: Ints, counts: Ints, answers: Ints, first: Ints, flags: Ints, through_first: Ints
    ) -> Ints:
        """Apply the flags, which acknowledge messages that were stored before an earlier one."""
        (odd,) = (flags & (flags + 1) != 0).nonzero()
        if not len(odd):
            return through_first
        bit = np.arange(_FLAGS)
        row, which = ((flags[odd][:, None] >> bit) & 1).nonzero()
        answer = odd[row]
        span = int(max(counts.max(initial=0), first.max(initial=0))) + _FLAGS + 1
        keys = (self.flow[answers[answer]] ^ 1) * span + first[answer] + bit[which]
        order = order_by(keys, answers[answer])
        keys, answer = keys[order], answer[order]
        own = self.flow[known] * span + counts
        at = np.searchsorted(keys, own)
        hit = np.append(keys, _UNKNOWN)[at] == own
        earlier = np.where(hit, answers[np.append(answer, 0)[at]], _ALWAYS)
        both: Ints = np.minimum(np.where(through_first < 0, _ALWAYS, through_first), earlier)
        return np.where(both == _ALWAYS, _UNKNOWN, both)

    def _recoverable_numbers(self) -> Ints:
        """Return the number of each recoverable row among those of its flow; -1 if it is unknown."""
        total = np.cumsum(self.recoverable)
        stated = self.stated >= 0
        fixed = stated | self.handshake
        base = np.where(stated, self.stated, 0) - total
        rows = np.arange(len(total))
        anchor = np.maximum.accumulate(np.where(fixed, rows, _UNKNOWN))
        own, missing = self._places()
        lost = np.searchsorted(missing[~self._are_within(own, missing)], own)
        good = (anchor >= 0) & (self.flow[anchor] == self.flow) & (lost[anchor] == lost)
        run = self.run * (len(total) + 1) + np.cumsum(self.unmarked)
        before = self._before(self.stated, self.recoverable, run)
        # A loss at the place of a packet is the packet itself, which is not complete.
        numbers = np.where(good, (total + base[anchor]) % NUMBERS, before)
        return np.where(self.recoverable, numbers, _UNKNOWN)

    def _are_within(self, own: Ints, missing: Ints) -> Bools:
        """Return which missing bytes are within a message: the next one has the next number in the session.

        Args:
            own: The flow and the offset of each row, as a number.
            missing: The same of missing bytes.
        """
        (counted,) = self.counted.nonzero()
        at = np.searchsorted(own[counted], missing, side="right")
        before, after = (np.append(counted, _UNKNOWN)[rows] for rows in (at - 1, at))
        flow, number = np.append(self.flow, _UNKNOWN), np.append(self.number, _UNKNOWN)
        within: Bools = (flow[before] == self.lost_flow) & (flow[after] == self.lost_flow)
        within &= (number[before] >= 0) & (number[after] == (number[before] + 1) % NUMBERS)
        within &= ~np.append(self.unmarked, True)[before]
        return within


def _continued(flow: Ints, number: Ints) -> Ints:
    """Return the numbers of consecutive rows of flows, continued beyond 65,536."""
    if not len(flow):
        return number
    begins = np.append(True, flow[1:] != flow[:-1])
    steps = np.append(0, ahead(number[1:], number[:-1]))
    steps[begins] = 0
    sums = np.cumsum(steps)
    first = np.maximum.accumulate(np.where(begins, np.arange(len(flow)), 0))
    continued: Ints = np.maximum(sums - sums[first] + number[first], 0)
    return continued


def _latest(flow: Ints, time: Ints) -> tuple[Ints, Ints]:
    """Return times that never decrease within a flow, as ranks, and the sorted times."""
    order = order_by(time)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return np.maximum.accumulate(flow * (len(order) + 1) + rank), time[order]


def _following(flow: Ints, number: Ints, time: Ints, of: Ints, counts: Ints, sent: Ints) -> Ints:
    """Return the numbers in acknowledgments, continued like those of what they acknowledge; -1 if unknown.

    Args:
        flow: The flow of each acknowledgment.
        number: Its number, modulo 65,536.
        time: When it was captured.
        of: The flow of each message, ascending.
        counts: Its number, continued.
        sent: When it was captured.
    """
    if not len(of):
        return np.full(len(flow), _UNKNOWN, np.int64)
    keys, times = _latest(of, sent)
    own = (flow ^ 1) * (len(times) + 1) + np.searchsorted(times, time, side="right") - 1
    at = np.searchsorted(keys, own, side="right") - 1
    (first,) = ((at < 0) | (of[at] != flow ^ 1)).nonzero()  # no message was captured before
    at[first] = np.searchsorted(of, flow[first] ^ 1)
    known = np.append(of, _UNKNOWN)[at] == flow ^ 1
    base = np.append(counts, 0)[at]
    return np.where(known, np.maximum(base + ahead(number, base), 0), _UNKNOWN)


def _first_of(flow: Ints, count: Ints, answering: Ints, until: Ints, rows: Ints) -> Ints:
    """Return the first of some rows in a flow whose number is not less than a count; -1 for none.

    Args:
        flow: The flow of the answers to each message.
        count: The number of each message.
        answering: The flow of each row, ascending.
        until: Its number.
        rows: The row.
    """
    if not len(rows):
        return np.full(len(flow), _UNKNOWN, np.int64)
    span = int(max(count.max(initial=0), until.max(initial=0))) + 2
    keys = np.maximum.accumulate(answering * span + until)
    at = np.searchsorted(keys, flow * span + count)
    hit = np.append(answering, _UNKNOWN)[at] == flow
    return np.where(hit, np.append(rows, _UNKNOWN)[at], _UNKNOWN)


def _trailing_ones(flags: Ints) -> Ints:
    """Return how many of the lowest bits are set, without a gap."""
    lowest_clear = ~flags & (flags + 1)
    count: Ints = np.log2(np.maximum(lowest_clear, 1)).round().astype(np.int64)
    return count
