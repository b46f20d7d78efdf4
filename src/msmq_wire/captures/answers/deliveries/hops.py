"""The hops of messages: their way from one queue manager to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import either, ints, marks, order_by
from msmq_wire.captures.answers.claims import of_several_computers
from msmq_wire.captures.answers.evidence import NEVER, WHERE, EvidenceKind
from msmq_wire.captures.answers.sessions import Doubt
from msmq_wire.captures.answers.usage import folded
from msmq_wire.captures.flows.connections import OPENED
from msmq_wire.captures.schemas import TIME
from msmq_wire.values.guid import NULL_GUID

from .columns import HOP_TYPE
from .grouping import are_equal, counts_of, lists_of, numbered, rows_alike, starts_of, struct_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

    from .messages import Messages


class Hops:
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
        queue: The queue of each, as a number of `Messages.queues`; -1 if no packet names it.
        final: For each message, the last hop on its way; -1 for none.
        receiver: For each message, the queue manager at the end of its last hop.
    """

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        sent, code = messages.sent, messages.code[messages.sent]
        hop = np.arange(len(sent))
        several = rows_alike(code[1:] == code[:-1])
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

        A sensor without losses proves that there is none if it captured as much of the other direction: an
        answer that passed one sensor does not reach another one if the connection breaks between them.

        `doubtful`: Which may have been by one that is missing at their own.
        """
        messages = self._messages
        doubts = np.bincount(self._member[doubtful], minlength=len(self.row))
        (rows,) = ((doubts > 0) & (doubts < self.counts))[self._member].nonzero()
        sent = self._sent[rows]
        flow, offset = messages.coded("flow")[0][sent], ints(messages.taken("offset", sent))
        packet = numbered(self._member[rows], flow, offset)  # the same at each sensor
        heard, is_doubtful = ints(messages.column("heard"), -1)[sent], doubtful[rows]
        proved = np.full(len(rows), -2, np.int64)  # up to which offset none is missing
        np.maximum.at(proved, packet[~is_doubtful], heard[~is_doubtful])
        doubtful[rows[heard <= proved[packet]]] = False
        return doubtful

    def _name(self) -> None:
        """Set the ends of hops."""
        self.managers = [self._named(name) for name in ("from_manager", "to_manager")]
        hosts = [self._messages.taken(name, self.row) for name in ("src", "dst")]
        self.ends = [
            either(either(*both), host)
            for both, host in zip(zip(self.managers, self._known(hosts), strict=True), hosts, strict=True)
        ]

    def _known(self, hosts: list[pa.Array]) -> list[pa.Array]:
        """Return the queue managers that other hops of a message name at the addresses of each."""
        several = rows_alike(self.of[1:] == self.of[:-1])
        names, addresses = (
            pa.concat_arrays(
                [end.take(pa.array(several)).cast(pa.string()) for end in ends]
            ).dictionary_encode()
            for ends in (self.managers, hosts)
        )
        codes, addresses = ints(names.indices), ints(addresses.indices)
        at = numbered(np.tile(self.of[several], 2), addresses)
        named = (codes >= 0) & (addresses >= 0)
        least, most = (np.full(int(at.max(initial=-1)) + 1, value) for value in (NEVER, -1))
        np.minimum.at(least, at[named], codes[named])
        np.maximum.at(most, at[named], codes[named])
        known = np.full((2, len(self.of)), -1, np.int64)
        known[:, several] = np.where(least == most, most, -1)[at].reshape(2, -1)
        kind = self.managers[0].type
        return [names.dictionary.take(pa.array(row, mask=row < 0)).cast(kind) for row in known]

    def _final(self) -> Ints:
        """Return for each message the last hop: to the named queue manager, or not sent on; -1 for none.

        The way decides and not the time: a packet of an earlier hop may be captured late, or by a sensor
        whose clock is wrong.
        """
        final = np.full(self._messages.count, -1, np.int64)
        final[self.of] = np.arange(len(self.of))
        several = rows_alike(self.of[1:] == self.of[:-1])
        if len(several):
            of, chosen = self.of[several], pa.array(several)
            begins, ends = (end.take(chosen) for end in self.ends)
            codes = numbered(
                np.concatenate([of, of]), ints(pa.concat_arrays([begins, ends]).dictionary_encode().indices)
            )
            last = ~np.isin(codes[len(of) :], codes[: len(of)])
            final[of[last]] = several[last]
            named = self._messages.taken("destination_queue_manager", self._messages.shown[of])
            home = are_equal(named, self.managers[1].take(chosen))
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
        straight = are_equal(self.managers[0], messages.taken("manager", self.row))
        straight &= ~np.isin(own, self._proves_nothing())
        unknown = marks(self.managers[0].is_null())
        address = numbered(own, src)
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
        again = np.delete(several, starts_of(numbered(self._member[several], sensor[several])))
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
        ends = numbered(member, src, dst)
        indices = counts_of(ends, numbered(flow, ints(self._messages.taken("offset", rows))))
        most = np.zeros(len(indices), np.int64)
        at_sensor = numbered(ends, sensor)
        np.maximum.at(most, ends[starts_of(at_sensor)], np.bincount(at_sensor))
        opened = np.ones(len(indices), np.bool_)
        known = marks(pc.match_substring(self._messages.coded("flow")[1], OPENED))
        opened[ends[~np.append(known, False)[flow]]] = False
        sent = np.ones(len(self.row), np.int64)
        np.maximum.at(sent, member[starts_of(ends)], np.where(opened, indices, most))
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
        return {"hops": lists_of(self.of, messages.kept, struct_of(HOP_TYPE, columns))}


def _way(of: Ints, time: Ints, ends: list[pa.Array]) -> Ints | None:
    """Return the order of hops on the way of each message; None if they are in it.

    It is that of time, but a hop comes after the first one that ends where it begins: clocks of sensors may
    differ.  If a message goes in a circle, only the time counts.

    Args:
        of: The message of each hop, ascending.
        time: When it was captured; ascending for each message.
        ends: Where it begins, and where it ends.
    """
    several = rows_alike(of[1:] == of[:-1])
    own, count = of[several], len(several)
    names = ints(pa.concat_arrays([end.take(pa.array(several)) for end in ends]).dictionary_encode().indices)
    begins, stops = np.split(numbered(np.concatenate([own, own]), names), 2)
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


def _same_hops(messages: Messages, sent: Ints, code: Ints) -> Ints:
    """Return for each row the first of those of its hop; the rows are in order, of messages with several."""
    hosts, managers = (
        [messages.coded(name)[0][sent] for name in names]
        for names in (("src", "dst"), ("from_manager", "to_manager"))
    )
    by_address = numbered(code, *hosts)
    named = []
    for manager in managers:  # another copy of the packet may name it
        most = np.full(int(by_address.max()) + 1, -1, np.int64)
        np.maximum.at(most, by_address, manager)
        named.append(most[by_address])
    known = (named[0] >= 0) & (named[1] >= 0)
    ends = [np.where(known, name, -2 - host) for name, host in zip(named, hosts, strict=True)]
    hop = numbered(code, *ends)
    # A packet that is cut before its destination is for the queue of the others, if the message has one only.
    queue = np.where(messages.several[code], messages.queues[0][sent], -1)
    hop = numbered(hop, queue)
    return starts_of(hop)[hop]
