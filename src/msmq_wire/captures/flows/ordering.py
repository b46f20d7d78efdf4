"""Assigns segments to connections, and their bytes to places in flows.

1. Rows are sorted by pair of endpoints, and each pair by the order of capture.  `placed` computes the places
   of all pairs together.
2. The functions of `connections` decide of which connection a row is, with the whole capture at hand.
3. The place of a segment is a sum of differences of sequence numbers, each modulo 2**32 with the smallest
   absolute value.  A flow may therefore be longer than the range of sequence numbers.  A SYN and a FIN each
   use one sequence number without a byte; bytes behind a FIN follow those before it.
4. The order of both directions together comes from TCP acknowledgments, not from the order of capture,
   because captures contain segments out of order and answers before their requests.
5. The byte of a keep-alive (RFC 9293, 3.8.4) is not part of the flow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from msmq_wire.captures.disk import order_of, windows
from msmq_wire.captures.files.segments import ACK, FIN, RST, SYN
from msmq_wire.captures.schemas import FLOW, TIME, schema_of

from .connections import (
    LEAST,
    NONE,
    WRAP,
    Openings,
    home_of,
    is_before,
    is_keep_alive,
    may_be_after_fin,
    may_be_alive,
    may_be_of,
    near,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Bits = NDArray[np.bool_]

    from msmq_wire.captures.disk import Disk

_BEYOND: Final = int(np.iinfo(np.int64).max)

ORDERED: Final = schema_of(
    [
        *FLOW,
        ("stream_offset", pa.int64(), "Offset of its bytes in the flow, from an arbitrary start."),
        ("seen", pa.int64(), "The offset up to which its sender had acknowledged the other flow."),
        ("position", pa.int64(), "Its index in the order of capture, among the rows of its pair."),
        ("length", pa.int32(), "Size of its payload on the wire, in bytes."),
        ("captured", pa.int32(), "Number of captured bytes of the payload."),
        ("payload", pa.binary(), "The captured bytes."),
        ("time", TIME, "Time of capture."),
        ("file", pa.string(), "The capture file."),
        ("frame", pa.int64(), "Number of its frame in the file."),
        (
            "wrong",
            pa.bool_(),
            "Whether its checksum is wrong, so that another copy of its bytes is preferred.",
        ),
        ("opened", pa.bool_(), "Whether the beginning of the connection was captured."),
        ("closed", pa.bool_(), "Whether it ends its flow with a FIN or a RST."),
        ("fin", pa.bool_(), "Whether it has a FIN."),
        ("solid", pa.bool_(), "Whether it has bytes, a SYN or a FIN, which determine offsets."),
    ]
)
"""The columns of rows with places; only rows that describe bytes of a flow."""


class Segments(NamedTuple):
    """The input of `placed`; one entry per row, in the order of capture within a pair.

    Attributes:
        pair: A number for each pair of endpoints of a sensor; rows of a pair are consecutive.
        forward: Whether the row goes from the endpoint that is named first.
        tcp: Whether it is a TCP segment.
        udp: Whether it is a datagram; other rows are pieces of a file of packets.
        seq: Sequence number; of a piece, its offset in the file.
        ack: Acknowledgment number.
        flags: TCP flags.
        length: Size on the wire.
    """

    pair: Numbers
    forward: Bits
    tcp: Bits
    udp: Bits
    seq: Numbers
    ack: Numbers
    flags: Numbers
    length: Numbers


class RowOffsets(NamedTuple):
    """The places of rows in their flows; one entry per row.

    Attributes:
        opening: The sequence number of the SYN times two, plus one if its sender is named first; -1 if
            the SYN was not captured.
        stream_offset: The place of its bytes.
        seen: The place up to which its sender had seen the other flow.
        position: Its index among the rows of its pair.
        tells: Whether it describes bytes of its flow.
    """

    opening: Numbers
    stream_offset: Numbers
    seen: Numbers
    position: Numbers
    tells: Bits


def placed(rows: Segments, disk: Disk) -> RowOffsets:
    """Return the places of rows.

    Rows are processed in windows.  The state between them has a size for each connection, not for each row.

    Args:
        rows: The rows, pair by pair.
        disk: Makes the columns of the result, and others of this size.
    """
    count = len(rows.pair)
    parts = [slice(*part) for part in windows(0, count)]
    start_of = _starts(rows.pair, parts, disk)
    syns = np.concatenate([part.start + _flagged(_part(rows, part), SYN).nonzero()[0] for part in parts])
    begun = _begun(rows, syns, start_of)
    opening = disk.array(count)
    for part in parts:
        opening[part] = begun.openings(part.start, start_of[part])

    def pair_at(row: int) -> slice:
        return slice(int(start_of[row]), int(np.searchsorted(start_of, start_of[row], side="right")))

    for at, number in begun.firsts.items():
        opening[_of_late_syn(rows, opening, pair_at(at), at, number) : at] = opening[at]
    placed = _places(rows, opening, start_of, syns, disk, alternate=begun.again)
    marks = _marks(rows, placed, begun.row)
    flows = dict[int, _Extents]()  # by pair, before any of its openings changes

    def extents(start: int) -> _Extents:
        if start not in flows:
            flows[start] = _extents(rows, placed, pair_at(start))
        return flows[start]

    for part in parts:
        some, at_openings = _part(rows, part), RowOffsets._make(column[part] for column in placed)
        stale = _stale(some, at_openings, marks, part.start)
        if len(stale):
            opening[part.start + stale] = _homes(some, at_openings.opening, start_of[part], stale, extents)
    if flows:
        placed = _places(rows, opening, start_of, syns, disk, alternate=True)
    _count_no_fins(rows, placed, parts)
    return placed


def _starts(pair: Numbers, parts: list[slice], disk: Disk) -> Numbers:
    """Return for each row the first row of its pair."""
    starts: Numbers = disk.array(len(pair))
    for part in parts:
        index = np.arange(part.start, part.stop)
        begins = pair[part] != pair[np.maximum(index - 1, 0)]
        begin = np.where(begins, index, starts[max(part.start - 1, 0)] * (index == part.start))
        starts[part] = np.maximum.accumulate(begin)
    return starts


def _part(rows: Segments, part: Any) -> Segments:
    return Segments._make(column[part] for column in rows)


def _flagged(rows: Segments, flag: int) -> Bits:
    is_set: Bits = ((rows.flags & flag) != 0) & rows.tcp
    return is_set


class _Before(NamedTuple):
    """The state after the rows before a window.

    Attributes:
        again: The rows of the window whose SYN is not the first of its flow.
        sums: The sums of the steps so far of the first pair, forward and backward.
        window: Which rows are in the window; the others are the numbered ones next to it.
        single: The pairs that have segments of a single byte.
        ends: By flow, the end of its segments, and of its single bytes that are data.
    """

    again: Numbers
    sums: tuple[int, int]
    window: slice
    single: Numbers
    ends: dict[tuple[int, int, bool], tuple[int, int]]


def _places(
    rows: Segments, opening: Numbers, start_of: Numbers, syns: Numbers, disk: Disk, *, alternate: bool
) -> RowOffsets:
    """Return the places of rows whose openings are known.

    Places are sums over consecutive rows.  So if connections alternate, their rows are put together.
    """
    count = len(opening)
    order = order_of(_codes(rows.pair, opening, disk), disk) if alternate else None
    parts = [*windows(0, count)]

    def taken(part: tuple[int, int]) -> Numbers:
        return np.arange(*part) if order is None else order[slice(*part)]

    def next_to(index: Numbers, at: int) -> dict[bool, int]:
        """Return the first or last numbered row of each direction."""
        numbered = index[_numbered(rows.flags[index], rows.length[index])]
        sides = {way: numbered[rows.forward[numbered] == way] for way in (True, False)}
        return {way: int(indices[at]) for way, indices in sides.items() if len(indices)}

    def of_pair(sides: dict[bool, int], row: int) -> dict[bool, int]:
        return {way: at for way, at in sides.items() if rows.pair[at] == rows.pair[row]}

    after: list[dict[bool, int]] = [{}]
    for part in reversed(parts[1:]):
        after.append(after[-1] | next_to(taken(part), 0))
    again = _syns_again(rows, opening, syns)
    again_or_none = np.append(again, NONE)
    single = [rows.pair[slice(*part)][_may_be_alive(_part(rows, slice(*part)))] for part in parts]
    single_pairs = np.unique(np.concatenate(single))
    stream_offset, seen, position = (disk.array(count) for _ in range(3))
    tells = disk.array(count, np.bool_)
    before: dict[bool, int] = {}
    ends = dict[tuple[int, int, bool], tuple[int, int]]()
    for part in parts:
        index, ahead = taken(part), after.pop()
        earlier, later = of_pair(before, index[0]), of_pair(ahead, index[-1])
        whole = np.r_[np.array([*earlier.values()], np.int64), index, np.array([*later.values()], np.int64)]
        window = slice(len(earlier), len(earlier) + len(index))
        (again_here,) = (again_or_none[np.searchsorted(again, whole)] == whole).nonzero()
        sums = {way: int(stream_offset[at]) - bool(rows.flags[at] & SYN) for way, at in earlier.items()}
        state = _Before(again_here, (sums.get(True, 0), sums.get(False, 0)), window, single_pairs, ends)
        placed = places_of(_part(rows, whole), opening[whole], state)
        stream_offset[index], seen[index], tells[index] = (
            placed.stream_offset[window],
            placed.seen[window],
            placed.tells[window],
        )
        position[index] = index - start_of[index]
        before |= next_to(index, -1)
    return RowOffsets(opening, stream_offset, seen, position, tells)


def _codes(pair: Numbers, opening: Numbers, disk: Disk) -> Numbers:
    """Return for each row the index of the first row of its connection."""
    codes, first_row_of = disk.array(len(opening)), dict[int, int]()
    for start, stop in windows(0, len(opening)):
        connections = (pair[start:stop] << 34) + opening[start:stop]
        values, first, inverse = np.unique(connections, return_index=True, return_inverse=True)
        rows = zip(values.tolist(), (start + first).tolist(), strict=True)
        first_rows = np.array([first_row_of.setdefault(value, row) for value, row in rows])
        codes[start:stop] = first_rows[inverse]
    return codes


def places_of(rows: Segments, opening: Numbers, before: _Before) -> RowOffsets:
    """Return the places of rows whose openings are known; rows of a connection are nearly consecutive."""
    count = len(rows.pair)
    starts = np.flatnonzero(np.r_[True, rows.pair[1:] != rows.pair[:-1]])
    lengths = np.diff(np.r_[starts, count])
    start_of = np.repeat(starts, lengths)
    flags = rows.flags
    syn, ack = (flags & SYN) != 0, (flags & ACK) != 0
    numbered = _numbered(flags, rows.length)
    previous, other = _previous(rows, numbered, start_of)
    has_own = (previous >= 0) & (opening[previous] == opening)
    has_other = (other >= 0) & (opening[other] == opening)
    step = np.where(rows.tcp, near(rows.seq, rows.seq[previous]), rows.seq - rows.seq[previous])
    step = np.where(rows.udp, rows.length[previous], step)
    step = np.where(has_own & numbered, step, 0)
    stream_offset, seen = _sums(rows, step, starts, lengths, before.sums)
    seen += np.where(has_other & ack, near(rows.ack, rows.seq[other]), 0)
    first = np.flatnonzero(ack & rows.tcp & ~has_other)
    other = _after(rows, numbered, first, own=False)
    is_same = (other >= 0) & (start_of[other] == start_of[first]) & (opening[other] == opening[first])
    first, other = first[is_same], other[is_same]
    seen[first] = stream_offset[other] + near(rows.ack[first], rows.seq[other])
    del other, first
    ended = ((flags[previous] & SYN) != 0).astype(np.int64) + ((flags[previous] & FIN) != 0)
    ahead = near(rows.seq, rows.seq[previous] + rows.length[previous] + ended)
    del ended
    shows = rows.tcp & has_own & ~may_be_after_fin(ahead, 0, is_ended=False)
    stream_offset += syn | (~numbered & has_own & syn[previous])
    (early,) = (~numbered & ~has_own & rows.tcp).nonzero()
    later = _after(rows, numbered, early, own=True)
    is_same = (later >= 0) & (start_of[later] == start_of[early]) & (opening[later] == opening[early])
    stream_offset[early] += is_same & syn[later]  # resets captured before the SYN
    alive = _alive(rows, stream_offset, opening, before)
    tells = ((rows.length > 0) & ~alive) | ((flags & (SYN | FIN | RST)) != 0) | shows
    # So a server answers a delayed copy of a SYN after the end of the connection (RFC 9293, 3.5).
    again = before.again
    tells[again[(has_own & (step > 0) & (rows.length == 0))[again]]] = False
    return RowOffsets(opening, stream_offset, seen, np.arange(count) - start_of, tells)


def _numbered(flags: Numbers, length: Numbers) -> Bits:
    """Return which rows have a sequence number; that of a reset may be any."""
    numbered: Bits = ((flags & RST) == 0) | (length > 0)
    return numbered


def _syns_again(rows: Segments, opening: Numbers, syns: Numbers) -> Numbers:
    """Return the SYN rows that are not the first of their flow."""
    codes = flow_codes(rows.pair[syns], opening[syns], rows.forward[syns])
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return syns[first[inverse] < np.arange(len(syns))]


class _Marks(NamedTuple):
    """The first SYN of each flow that has one: code of the flow, in order, row and place."""

    code: Numbers
    row: Numbers
    stream_offset: Numbers


def _marks(rows: Segments, placed: RowOffsets, syns: Numbers) -> _Marks:
    """Return the marks, given the rows of SYNs."""
    marking = syns[placed.tells[syns]]
    codes = flow_codes(rows.pair[marking], placed.opening[marking], rows.forward[marking])
    code, first = np.unique(codes, return_index=True)
    return _Marks(code, marking[first], placed.stream_offset[marking[first]])


def _stale(rows: Segments, placed: RowOffsets, marks: _Marks, first: int) -> Numbers:
    """Return the rows that are before the SYN of their own flow, so that they are not part of it.

    `first` is the index of the first of these rows in the marks.
    """
    (mine,) = rows.tcp.nonzero()
    codes = flow_codes(rows.pair[mine], placed.opening[mine], rows.forward[mine])
    which = np.searchsorted(marks.code, codes)
    same = np.append(marks.code, LEAST)[which] == codes
    mine, which = mine[same], which[same]
    length, flags = rows.length[mine], rows.flags[mine]
    before = is_before(placed.stream_offset[mine], marks.stream_offset[which], length, flags)
    stale: Numbers = mine[before | (((flags & RST) != 0) & (mine + first < marks.row[which]))]
    return stale


_Extents = tuple[list[int], dict[int, int], dict[tuple[int, bool], tuple[int, int]]]
"""Openings with a SYN, in the order of their first rows, the index of each, and flows as for `home_of`."""


def _homes(
    rows: Segments,
    opening: Numbers,
    start_of: Numbers,
    stale: Numbers,
    extents: Callable[[int], _Extents],
) -> Numbers:
    """Return the openings of stale rows.

    The number of a reset may be any; without an older connection it remains where it is.  `extents` returns
    those of the pair that starts at a row.
    """
    reset = ((rows.flags[stale] & RST) != 0) & (rows.length[stale] == 0)
    homes = np.where(reset, opening[stale], NONE)
    for number, at in enumerate(stale.tolist()):
        order, indices, flows = extents(int(start_of[at]))
        home = home_of(
            order, indices[int(opening[at])], flows, int(rows.seq[at]), forward=bool(rows.forward[at])
        )
        homes[number] = homes[number] if home == NONE else home
    return homes


def _extents(rows: Segments, placed: RowOffsets, pair: slice) -> _Extents:
    """Return the extents of the flows of a pair."""
    begins = dict[int, int]()  # the first row of each connection
    syns, ends = dict[tuple[int, bool], int](), dict[tuple[int, bool], int]()
    for first, last in windows(pair.start, pair.stop):
        part = slice(first, last)
        opening, forward = placed.opening[part], rows.forward[part]
        _, there, of = np.unique((opening << 1) + forward, return_index=True, return_inverse=True)
        reached = np.full(len(there), LEAST)
        np.maximum.at(reached, of, placed.stream_offset[part] + rows.length[part])
        keys = [*zip(opening[there].tolist(), forward[there].tolist(), strict=True)]
        for (key, way), at, end in zip(keys, there.tolist(), reached.tolist(), strict=True):
            begins[key] = min(begins.get(key, first + at), first + at)
            ends[key, way] = max(ends.get((key, way), LEAST), end)
        for at in np.flatnonzero(rows.flags[part] & SYN).tolist():
            syns.setdefault(keys[of[at]], first + at)
    order = sorted({opening for opening, _ in syns}, key=begins.__getitem__)
    flows = {
        flow: (int(rows.seq[at]), ends[flow] - int(placed.stream_offset[at])) for flow, at in syns.items()
    }
    return order, {opening: at for at, opening in enumerate(order)}, flows


def _previous(rows: Segments, numbered: Bits, start_of: Numbers) -> tuple[Numbers, Numbers]:
    """Return the previous numbered row of the pair in the same and in the other direction; -1 if none."""
    before = {}
    for way in (True, False):
        here = np.where((rows.forward == way) & numbered, np.arange(len(start_of)), NONE)
        there = np.r_[NONE, np.maximum.accumulate(here)[:-1]]
        before[way] = np.where(there >= start_of, there, NONE)
    return (
        np.where(rows.forward, before[True], before[False]),
        np.where(rows.forward, before[False], before[True]),
    )


def _after(rows: Segments, numbered: Bits, which: Numbers, *, own: bool) -> Numbers:
    """Return the next numbered row in the own or in the other direction for some rows; -1 if none.

    Captures of the two directions can have different clocks, so that one of them comes first as a whole.
    """
    later = np.full(len(which), NONE, np.int64)
    for way in (True, False):
        there = np.append(np.flatnonzero((rows.forward == way) & numbered), NONE)
        here = np.flatnonzero((rows.forward[which] == way) == own)
        later[here] = there[np.searchsorted(there[:-1], which[here])]
    return later


def _sums(
    rows: Segments, step: Numbers, starts: Numbers, lengths: Numbers, before: tuple[int, int]
) -> tuple[Numbers, Numbers]:
    """Return the sum of the steps up to each row within its pair, in its own and in the other direction.

    `before` are those of the first pair up to the first row.
    """
    sums = {}
    for way, base in zip((True, False), before, strict=True):
        total = np.cumsum(np.where(rows.forward == way, step, 0))
        sums[way] = total - np.repeat(np.where(starts > 0, total[starts - 1], -base), lengths)
    return (
        np.where(rows.forward, sums[True], sums[False]),
        np.where(rows.forward, sums[False], sums[True]),
    )


class _Begun(NamedTuple):
    """The connections that SYN rows begin.

    Attributes:
        row: The rows after which another connection is current.
        opening: Their openings.
        copies: Rows that are delayed copies of a SYN of an older connection.
        older: Their openings.
        firsts: The first SYN of each pair, if rows precede it, with the other side's first number.
        again: Whether a connection has rows before and after those of another one.
    """

    row: Numbers
    opening: Numbers
    copies: Numbers
    older: Numbers
    firsts: dict[int, int]
    again: bool

    def openings(self, first: int, start_of: Numbers) -> Numbers:
        """Return the openings of consecutive rows, given the first row of the pair of each."""
        count = len(start_of)
        low, high = np.searchsorted(self.row, (first, first + count)).tolist()
        begins = np.zeros(count, np.int64)
        begins[self.row[low:high] - first] = 1
        within = slice(max(low - 1, 0), high)
        row, opening = self.row[within], self.opening[within]
        if not low:
            row, opening = np.r_[NONE, row], np.r_[NONE, opening]
        at = np.cumsum(begins)  # the first of these is the one before the rows
        chosen: Numbers = np.where(row[at] >= start_of, opening[at], NONE)
        here = slice(*np.searchsorted(self.copies, (first, first + count)).tolist())
        chosen[self.copies[here] - first] = self.older[here]
        return chosen


def _begun(rows: Segments, syns: Numbers, start_of: Numbers) -> _Begun:
    """Return which connections the SYN rows begin; usual pairs are not looked at row by row."""
    begun, others, firsts = _usual(_part(rows, syns), syns, start_of[syns])
    begins = np.ones(len(syns), np.bool_)
    crossed = _crossed(rows, syns[others], start_of)
    at_pair, first, openings = NONE, NONE, Openings()  # the pair and its first SYN
    for number, at in zip(others.tolist(), syns[others].tolist(), strict=True):
        ack = int(rows.ack[at]) if rows.flags[at] & ACK else None
        seq, size, forward = int(rows.seq[at]), int(rows.length[at]), bool(rows.forward[at])
        if start_of[at] != at_pair:
            at_pair = int(start_of[at])
            openings = Openings(crossed.get(at_pair))
            first = at
        following = _following(rows, at)
        opening, is_current = openings.take(seq, ack, size, forward=forward, following=following)
        begins[number] = bool(is_current)
        begun[number] = opening
        if first > at_pair:
            firsts[first] = openings.firsts[not rows.forward[first]]
    connections = (rows.pair[syns[others]] << 34) + begun[others]
    again = int(np.count_nonzero(np.diff(connections, prepend=NONE))) > len(np.unique(connections))
    return _Begun(syns[begins], begun[begins], syns[~begins], begun[~begins], firsts, again)


def _usual(some: Segments, syns: Numbers, start_of: Numbers) -> tuple[Numbers, Numbers, dict[int, int]]:
    """Return the openings of SYN rows of pairs with one of them, or with one and its answer.

    Args:
        some: The SYN rows.
        syns: Their indices.
        start_of: The first row of the pair of each.

    Returns:
        The openings, which of the rows are of other pairs, and `_Begun.firsts` without them.
    """
    begun = np.full(len(syns), NONE, np.int64)
    (first,) = np.append(True, start_of[1:] != start_of[:-1])[: len(syns)].nonzero()
    counts = np.diff(np.append(first, len(syns)))
    second = np.minimum(first + 1, len(syns) - 1)
    answers = (some.flags & ACK) != 0
    begin = (some.ack - 1) % WRAP
    answered = (
        (counts == 2) & ~answers[first] & answers[second] & (some.forward[first] != some.forward[second])
    )
    answered &= (begin[second] - some.seq[first]) % WRAP <= some.length[first]
    usual = answered | (counts == 1)
    opening = np.where(answers, begin * 2 + ~some.forward, some.seq * 2 + some.forward)
    begun[first[usual]] = opening[first[usual]]
    begun[second[answered]] = opening[first[answered]]
    other_first = np.where(answers[first], some.ack[first], np.where(answered, some.seq[second] + 1, NONE))
    late = usual & (syns[first] > start_of[first])
    firsts = dict(zip(syns[first[late]].tolist(), other_first[late].tolist(), strict=True))
    return begun, np.repeat(~usual, counts).nonzero()[0], firsts


def _crossed(rows: Segments, syns: Numbers, start_of: Numbers) -> dict[int, dict[int, int]]:
    """Return by pair the openings of SYNs that crossed a SYN of the other side, with the earlier opening.

    If both sides open a connection at once, each answers with the number of its own SYN (RFC 9293, 3.5).
    """
    opens = (rows.flags[syns] & ACK) == 0
    keys = (start_of[syns] << 33) + (rows.seq[syns] << 1) + rows.forward[syns]
    (both,) = (~opens & np.isin(keys, keys[opens])).nonzero()
    if not len(both):
        return {}
    first_rows = dict(zip(keys[opens][::-1].tolist(), syns[opens][::-1].tolist(), strict=True))
    crossed = dict[int, dict[int, int]]()
    for at in syns[both].tolist():
        start, forward = int(start_of[at]), int(rows.forward[at])
        own, other = int(rows.seq[at]) * 2 + forward, (int(rows.ack[at]) - 1) % WRAP * 2 + 1 - forward
        of_own, of_other = (first_rows.get((start << 33) + opening) for opening in (own, other))
        if of_own is not None and of_other is not None and of_other < of_own:
            own, other = other, own
        crossed.setdefault(start, {})[other] = own
    return crossed


def _of_late_syn(rows: Segments, opening: Numbers, pair: slice, at: int, number: int) -> int:
    """Return the earliest row that is of the connection of the first SYN of its pair.

    Args:
        rows: The rows.
        opening: Their openings, by the SYN rows before them.
        pair: The rows of the pair.
        at: The SYN.
        number: The first number of the other side; -1 if unknown.
    """
    forward = bool(rows.forward[at])
    numbers = {forward: int(rows.seq[at]) + 1, not forward: number}
    first, behind = earliest(rows, pair.start, at, numbers)
    return first if first == behind or _continue(rows, opening, pair, at, numbers) else behind


def earliest(rows: Segments, begin: int, end: int, numbers: Mapping[bool, int]) -> tuple[int, int]:
    """Return the earliest of the rows before a SYN whose number fits the connection of the SYN.

    The second result is the same, but if another connection has ended, the earliest one with bytes behind its
    end: earlier rows are of that connection, whose last ACK has no bytes and any number.

    Args:
        rows: The rows.
        begin: The first row of the pair.
        end: The row after the last one before the SYN; the result if no row fits.
        numbers: The first number of each flow, by whether it goes from the endpoint that is named first;
            `NONE` if unknown.
    """
    first, behind, ends = end, end, False
    for start, stop in windows(begin, end):
        part = slice(start, stop)
        late = may_be_of(np.where(rows.forward[part], numbers[True], numbers[False]), rows.seq[part])
        if first == end and late.any():
            first = start + int(late.argmax())
        (over,) = (rows.flags[part] & (FIN | RST)).nonzero()
        if len(over):
            ends, behind = True, end
            late[: over[-1] + 1] = False
        late &= rows.length[part] > 0
        if behind == end and late.any():
            behind = start + int(late.argmax())
    return first, behind if ends else first


def _following(rows: Segments, at: int) -> Iterator[tuple[bool, int, int]]:
    """Yield whether the next rows of a pair have the direction of a row, their flags and numbers."""
    for row in range(at + 1, len(rows.pair)):
        if rows.pair[row] != rows.pair[at]:
            break
        yield bool(rows.forward[row] == rows.forward[at]), int(rows.flags[row]), int(rows.seq[row])


def _continue(rows: Segments, opening: Numbers, pair: slice, at: int, numbers: Mapping[bool, int]) -> bool:
    """Return whether the rows before a SYN continue its connection exactly where its own rows stop.

    This is so if a clock was set back between two files, so that the second file seems to be the first.  A
    pipe cannot ask this: where the rows of the connection stop is known when those before the SYN were read.
    """
    begins, stops = dict[bool, int](), {True: 0, False: 0}
    for start, stop in (*windows(pair.start, at), *windows(at, pair.stop)):
        part = slice(start, stop)
        forward = rows.forward[part]
        ahead = near(rows.seq[part], np.where(forward, numbers[True], numbers[False]))
        data = rows.length[part] > 0
        if start >= at:
            data &= opening[part] == opening[at]
            if (rows.flags[part][opening[part] == opening[at]] & (FIN | RST)).any():
                return False
        for way in (True, False):
            offsets = ahead[data & (forward == way)]
            if len(offsets) and start < at:
                begins[way] = min(begins.get(way, WRAP), int(offsets.min()))
            elif len(offsets):
                reached = offsets + rows.length[part][data & (forward == way)]
                stops[way] = max(stops[way], int(reached.max()))
    return bool(begins) and all(begin == stops[way] for way, begin in begins.items())


def _may_be_alive(rows: Segments) -> Bits:
    alive: Bits = rows.tcp & may_be_alive(rows.length, rows.flags)
    return alive


def _alive(rows: Segments, stream_offset: Numbers, opening: Numbers, before: _Before) -> Bits:
    """Return which rows are keep-alives: a byte where the SYN or longer segments of the flow ended."""
    alive = np.zeros(len(rows.pair), np.bool_)
    window = before.window
    index = window.start + np.flatnonzero(np.isin(rows.pair[window], before.single))
    if not len(index):
        return alive
    like = _may_be_alive(rows)
    keys = rows.forward[index], opening[index], rows.pair[index]
    order = np.lexsort(keys)  # stable: each flow in the order of capture
    new = np.logical_or.reduce([np.diff(key[order].astype(np.int64)) != 0 for key in keys])
    for flow_rows in np.split(index[order], np.flatnonzero(new) + 1):
        at = flow_rows[0]
        flow = int(rows.pair[at]), int(opening[at]), bool(rows.forward[at])
        # `data`: end of the single bytes that are data, such as probes of a zero window
        reached, data = before.ends.get(flow, (LEAST, LEAST))
        ends = stream_offset[flow_rows] + rows.length[flow_rows]
        known_ends = (rows.length[flow_rows] > 1) | ((rows.flags[flow_rows] & SYN) != 0)
        longest = np.maximum.accumulate(np.where(known_ends, ends, LEAST))
        longest = np.maximum(longest, reached)
        for number in np.flatnonzero(like[flow_rows]).tolist():
            if is_keep_alive(int(ends[number]), int(longest[number]), data):
                alive[flow_rows[number]] = True
            else:
                data = max(data, int(ends[number]))
        before.ends[flow] = int(longest[-1]), data
    return alive


def _count_no_fins(rows: Segments, placed: RowOffsets, parts: list[slice]) -> None:
    """Move bytes behind a FIN back by one, because its sequence number has no byte."""

    def each() -> Iterator[tuple[Segments, RowOffsets, Numbers]]:
        for part in parts:
            some, places = _part(rows, part), RowOffsets._make(column[part] for column in placed)
            yield some, places, flow_codes(some.pair, places.opening, some.forward)

    fins = dict[int, int]()
    for some, places, codes in each():
        has_fin = _flagged(some, FIN)
        ends = (places.stream_offset + some.length)[has_fin]
        for flow, end in zip(codes[has_fin].tolist(), ends.tolist(), strict=True):
            fins[flow] = min(end, fins.get(flow, end))
    if not fins:
        return
    for some, places, codes in each():  # if a byte has the number of the FIN, nothing moves
        fin = _looked_up(codes, fins)
        for flow in codes[
            (places.stream_offset <= fin) & (fin < places.stream_offset + some.length)
        ].tolist():
            fins.pop(flow, None)
    for some, places, codes in each():
        behind = (some.length > 0) & (places.stream_offset > _looked_up(codes, fins))
        places.stream_offset[behind] -= 1


def flow_codes(pair: Numbers, opening: Numbers, forward: Bits) -> Numbers:
    """Return a number for the flow of each row; in its order, flows are sorted by pair and opening."""
    codes: Numbers = (pair << 35) + (opening << 1) + forward
    return codes


def _looked_up(codes: Numbers, fins: dict[int, int]) -> Numbers:
    """Return the places of the FINs of flows; beyond all places for flows without one."""
    with_fin = np.array(sorted(fins), np.int64)
    values = np.array([*(fins[flow] for flow in with_fin.tolist()), _BEYOND], np.int64)
    at = np.searchsorted(with_fin, codes)
    return np.where(np.append(with_fin, LEAST)[at] == codes, values[at], _BEYOND)
