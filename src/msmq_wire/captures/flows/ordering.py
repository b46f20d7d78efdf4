"""Assigns segments to connections, and their bytes to places in flows.

1. Rows are sorted by pair of endpoints, and each pair by the order of capture.  `placed` computes the places
   of all pairs together.
2. A connection is identified by its endpoints and the sequence number of its SYN, so a reused port starts a
   new connection.  Rows before the first SYN are a connection of their own, unless their bytes follow this
   SYN, which was captured late.  The data of a SYN (TCP Fast Open, RFC 7413) may be acknowledged or not.
   Delayed copies of segments of an older connection, with numbers before the SYN, remain part of it.
3. The place of a segment is a sum of differences of sequence numbers, each modulo 2**32 with the smallest
   absolute value.  A flow may therefore be longer than the range of sequence numbers.  A SYN and a FIN each
   use one sequence number without a byte.
4. The order of both directions together comes from TCP acknowledgments, not from the order of capture,
   because captures contain segments out of order and answers before their requests.
5. The byte of a keep-alive (RFC 9293, 3.8.4) is not part of the flow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.files.segments import ACK, FIN, RST, SYN
from msmq_wire.captures.schemas import FLOW, TIME, plain, schema_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Bits = NDArray[np.bool_]

__all__ = [
    "LATE",
    "ORDERED",
    "PASSED",
    "Placed",
    "Segments",
    "endpoint",
    "flow_columns",
    "flow_of",
    "placed",
    "rows_with_places",
    "segments_of",
]

_WRAP: Final = 1 << 32
_HALF: Final = 1 << 31
_NONE: Final = -1
_LEAST: Final = np.iinfo(np.int64).min
LATE: Final = 1 << 20
"""Maximum distance of bytes captured before their SYN; numbers of older connections are usually smaller."""
_NEXT: Final = 16
"""Number of rows after the copy of a SYN among which the next segment of its flow is searched."""
_OLDER: Final = 16
"""Number of older connections of a pair in which the place of a delayed segment is searched."""

ORDERED: Final = schema_of(
    [
        *FLOW,
        ("place", pa.int64(), "Offset of its bytes in the flow, from an arbitrary start."),
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

_PLAIN: Final = plain(ORDERED)
_FLOW_FIELDS: Final = [field for field in _PLAIN][: len(FLOW)]  # noqa: C416  # a schema cannot be sliced
PASSED: Final = ("length", "captured", "payload", "time", "file", "frame", "checksum")
"""The columns of segments that are copied to `ORDERED`, or from which its columns are computed."""


def endpoint(host: str | None, port: int | None) -> str:
    """Return an address and a port as text."""
    if host is None:
        return ""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


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


class Placed(NamedTuple):
    """The places of rows in their flows; one entry per row.

    Attributes:
        opening: The sequence number of the SYN times two, plus one if its sender is named first; -1 if
            the SYN was not captured.
        place: The place of its bytes.
        seen: The place up to which its sender had seen the other flow.
        position: Its index among the rows of its pair.
        tells: Whether it describes bytes of its flow.
    """

    opening: Numbers
    place: Numbers
    seen: Numbers
    position: Numbers
    tells: Bits


def placed(rows: Segments) -> Placed:
    """Return the places of rows."""
    count = len(rows.pair)
    starts = np.flatnonzero(np.r_[True, rows.pair[1:] != rows.pair[:-1]])
    lengths = np.diff(np.r_[starts, count])
    start_of = np.repeat(starts, lengths)
    opening, again = _openings(rows, ((rows.flags & SYN) != 0) & rows.tcp, start_of)
    found = _in_turn(rows, opening, starts, lengths) if again else _places(rows, opening, starts, lengths)
    stale = _stale(rows, found, start_of)
    if len(stale):
        opening[stale] = _homes(rows, found, start_of, stale)
        found = _in_turn(rows, opening, starts, lengths)
    return found


def _in_turn(rows: Segments, opening: Numbers, starts: Numbers, lengths: Numbers) -> Placed:
    """Return the places of rows of connections that alternate: places are sums over consecutive rows."""
    start_of = np.repeat(starts, lengths)
    code = _codes(rows.pair, opening)
    order = np.lexsort((code, start_of))
    found = _places(Segments._make(column[order] for column in rows), opening[order], starts, lengths)
    back = np.argsort(order)
    return Placed._make(column[back] for column in found)._replace(position=np.arange(len(back)) - start_of)


def _codes(pair: Numbers, opening: Numbers) -> Numbers:
    """Return for each row the index of the first row of its connection."""
    _, first, inverse = np.unique((pair << 34) + opening + 1, return_index=True, return_inverse=True)
    codes: Numbers = first[inverse.reshape(-1)]
    return codes


def _places(rows: Segments, opening: Numbers, starts: Numbers, lengths: Numbers) -> Placed:
    """Return the places of rows whose openings are known; rows of a connection are nearly consecutive."""
    count = len(rows.pair)
    start_of = np.repeat(starts, lengths)
    flags = rows.flags
    syn, ack = (flags & SYN) != 0, (flags & ACK) != 0
    numbered = ~(((flags & RST) != 0) & (rows.length == 0))
    own, other = _before(rows, numbered, start_of)
    has_own = (own >= 0) & (opening[own] == opening)
    has_other = (other >= 0) & (opening[other] == opening)
    step = np.where(rows.tcp, _near(rows.seq, rows.seq[own]), rows.seq - rows.seq[own])
    step = np.where(rows.udp, rows.length[own], step)
    step = np.where(has_own & numbered, step, 0)
    place, seen = _sums(rows, step, starts, lengths)
    seen += np.where(has_other & ack, _near(rows.ack, rows.seq[other]), 0)
    first = np.flatnonzero(ack & rows.tcp & ~has_other)
    other = _after(rows, numbered, first, own=False)
    known = (other >= 0) & (start_of[other] == start_of[first]) & (opening[other] == opening[first])
    first, other = first[known], other[known]
    seen[first] = place[other] + _near(rows.ack[first], rows.seq[other])
    del other, first
    ended = ((flags[own] & SYN) != 0).astype(np.int64) + ((flags[own] & FIN) != 0)
    ahead = _near(rows.seq, rows.seq[own] + rows.length[own] + ended)
    del ended
    shows = rows.tcp & has_own & (ahead > 1)
    place += syn | (~numbered & has_own & syn[own])
    (early,) = (~numbered & ~has_own & rows.tcp).nonzero()
    later = _after(rows, numbered, early, own=True)
    known = (later >= 0) & (start_of[later] == start_of[early]) & (opening[later] == opening[early])
    place[early] += known & syn[later]  # resets captured before the SYN
    alive = _alive(rows, place, opening, start_of)
    tells = ((rows.length > 0) & ~alive) | ((flags & (SYN | FIN | RST)) != 0) | shows
    tells[_answers_again(rows, opening, syn & rows.tcp, has_own & (step > 0) & (rows.length == 0))] = False
    return Placed(opening, place, seen, np.arange(count) - start_of, tells)


def _answers_again(rows: Segments, opening: Numbers, syn: Bits, ahead: Bits) -> Numbers:
    """Return the SYN rows that are not the first of their flow, and have another number.

    So a server answers a delayed copy of a SYN after the end of the connection (RFC 9293, 3.5).
    """
    (index,) = syn.nonzero()
    _, first, inverse = np.unique(
        (rows.pair[index] << 35) + ((opening[index] + 1) << 1) + rows.forward[index],
        return_index=True,
        return_inverse=True,
    )
    return index[(first[inverse.reshape(-1)] < np.arange(len(index))) & ahead[index]]


def _stale(rows: Segments, found: Placed, start_of: Numbers) -> Numbers:
    """Return the rows that are before the SYN of their own flow, so that they are not part of it."""
    stale = np.zeros(len(start_of), np.bool_)
    for way in (True, False):
        (mine,) = ((rows.forward == way) & rows.tcp).nonzero()
        syns = mine[((rows.flags[mine] & SYN) != 0) & found.tells[mine]]
        if not len(syns):
            continue
        after = np.searchsorted(syns, mine)
        early = ((rows.flags[mine] & RST) != 0) & (after < len(syns))
        for syn in syns[np.maximum(after - 1, 0)], syns[np.minimum(after, len(syns) - 1)]:
            same = (start_of[syn] == start_of[mine]) & (found.opening[syn] == found.opening[mine])
            stale[mine[same & (found.place[mine] < found.place[syn] - 1)]] = True
            stale[mine[same & early & (mine < syn)]] = True
    return np.flatnonzero(stale)


def _homes(rows: Segments, found: Placed, start_of: Numbers, stale: Numbers) -> Numbers:
    """Return the openings of stale rows: the last older connection whose numbers fit, or none.

    The number of a reset may be any; without such a connection it remains where it is.
    """
    reset = ((rows.flags[stale] & RST) != 0) & (rows.length[stale] == 0)
    homes = np.where(reset, found.opening[stale], _NONE)
    start, flows, before = _NONE, list[tuple[bool, int, int, int]](), dict[int, int]()
    for number, at in enumerate(stale.tolist()):
        if start_of[at] != start:
            start = int(start_of[at])
            flows = _extents(rows, found, start, int(np.searchsorted(start_of, start, side="right")))
            before = {opening: index for index, (_, opening, _, _) in reversed([*enumerate(flows)])}
        seq, way = int(rows.seq[at]), bool(rows.forward[at])
        stop = before[int(found.opening[at])]
        for forward, opening, first, size in reversed(flows[max(0, stop - _OLDER) : stop]):
            if forward == way and (seq - first) % _WRAP <= size + LATE:
                homes[number] = opening
                break
    return homes


def _extents(rows: Segments, found: Placed, start: int, stop: int) -> list[tuple[bool, int, int, int]]:
    """Return direction, opening, first number and size of the flows of a pair that have a SYN, in order."""
    extents: list[tuple[int, bool, int, int, int]] = []
    opening, forward = found.opening[start:stop], rows.forward[start:stop]
    code = _codes(np.zeros(stop - start, np.int64), opening)
    order = np.lexsort((forward, code))
    new = (np.diff(code[order]) != 0) | (forward[order][1:] != forward[order][:-1])
    for own in np.split(order, np.flatnonzero(new) + 1):
        (syns,) = (rows.flags[start + own] & SYN).nonzero()
        if len(syns):
            at = start + int(own[syns[0]])
            size = int((found.place[start + own] + rows.length[start + own]).max() - found.place[at])
            extents.append(
                (int(code[own[0]]), bool(rows.forward[at]), int(found.opening[at]), int(rows.seq[at]), size)
            )
    return [(way, opening, seq, size) for _, way, opening, seq, size in extents]


def _before(rows: Segments, numbered: Bits, start_of: Numbers) -> tuple[Numbers, Numbers]:
    """Return the previous numbered row of the pair in the same and in the other direction; -1 if none."""
    before = {}
    for way in (True, False):
        here = np.where((rows.forward == way) & numbered, np.arange(len(start_of)), _NONE)
        there = np.r_[_NONE, np.maximum.accumulate(here)[:-1]]
        before[way] = np.where(there >= start_of, there, _NONE)
    return (
        np.where(rows.forward, before[True], before[False]),
        np.where(rows.forward, before[False], before[True]),
    )


def _after(rows: Segments, numbered: Bits, which: Numbers, *, own: bool) -> Numbers:
    """Return the next numbered row in the own or in the other direction for some rows; -1 if none.

    Captures of the two directions can have different clocks, so that one of them comes first as a whole.
    """
    found = np.full(len(which), _NONE, np.int64)
    for way in (True, False):
        there = np.append(np.flatnonzero((rows.forward == way) & numbered), _NONE)
        here = np.flatnonzero((rows.forward[which] == way) == own)
        found[here] = there[np.searchsorted(there[:-1], which[here])]
    return found


def _sums(rows: Segments, step: Numbers, starts: Numbers, lengths: Numbers) -> tuple[Numbers, Numbers]:
    """Return the sum of the steps up to each row within its pair, in its own and in the other direction."""
    sums = {}
    for way in (True, False):
        total = np.cumsum(np.where(rows.forward == way, step, 0))
        sums[way] = total - np.repeat(np.where(starts > 0, total[starts - 1], 0), lengths)
    return (
        np.where(rows.forward, sums[True], sums[False]),
        np.where(rows.forward, sums[False], sums[True]),
    )


def _openings(rows: Segments, syn: Bits, start_of: Numbers) -> tuple[Numbers, bool]:
    """Return the opening of each row, and whether connections alternate.

    The loop is fast because a connection has few rows with a SYN.
    """
    count = len(rows.pair)
    found = np.full(count, _NONE, np.int64)
    first = _NONE
    at_pair, syns = (
        _NONE,
        dict[bool, tuple[int, int]](),
    )  # by direction: number and length of the last SYN without ACK
    current, openings = _NONE, set[tuple[int, bool]]()  # of the pair
    begins, again = syn.copy(), False  # `begins`: the rows after which another connection is current
    firsts: dict[
        int, int
    ] = {}  # the first SYN of each pair, if rows precede it: the other side's first number
    for at in np.flatnonzero(syn).tolist():
        if start_of[at] != at_pair:
            at_pair, syns = int(start_of[at]), {}
            current, openings = _NONE, set()
            first = at
            if at > at_pair:
                firsts[at] = int(rows.ack[at]) if rows.flags[at] & ACK else _NONE
        forward, seq = bool(rows.forward[at]), int(rows.seq[at])
        if not rows.flags[at] & ACK:
            syns[forward] = seq, int(rows.length[at])
            found[at] = seq * 2 + forward
            current, begins[at], older = _current(rows, at, int(found[at]), current, openings)
            again |= older
            continue
        number = (int(rows.ack[at]) - 1) % _WRAP
        opener = syns.get(not forward)
        if opener is not None and (number - opener[0]) % _WRAP <= opener[1]:
            number = opener[0]
        found[at] = number * 2 + (not forward)
        current, begins[at], older = _current(rows, at, int(found[at]), current, openings)
        again |= older
        if firsts.get(first) == _NONE and found[first] == found[at]:
            firsts[first] = seq + 1
    latest = np.maximum.accumulate(np.where(begins, np.arange(count), _NONE))
    opening: Numbers = np.where((latest >= start_of) & ~(syn & ~begins), found[latest], found)
    for at, number in firsts.items():
        start, stop = int(start_of[at]), int(np.searchsorted(start_of, start_of[at], side="right"))
        before = slice(start, at)
        same = rows.forward[start:stop] == rows.forward[at]
        ahead = _near(rows.seq[start:stop], np.where(same, rows.seq[at] + 1, number))
        late = ((same | (number != _NONE)) & (ahead >= 0) & (ahead <= LATE))[: at - start]
        (ends,) = (rows.flags[before] & (FIN | RST)).nonzero()
        own = opening[start:stop] == found[at]
        if len(ends) and not _continue(rows, slice(start, stop), at - start, own, same, ahead):
            # They are of an older connection, whose last ACK has no bytes and may have any number.
            late[: ends[-1] + 1] = False
            late &= rows.length[before] > 0
        if late.any():
            opening[start + int(late.argmax()) : at] = found[at]
    return opening, again


def _current(
    rows: Segments, at: int, opening: int, current: int, openings: set[tuple[int, bool]]
) -> tuple[int, bool, bool]:
    """Return which connection is current after a SYN, whether it is that of the SYN, and whether it is older.

    A delayed copy of a SYN of an older connection changes nothing.  But the whole connection may follow, if
    another capture of it has another clock.
    """
    key, other = (opening, bool(rows.forward[at])), (opening, not rows.forward[at])
    older = opening != current and (key in openings or other in openings)
    if older and key in openings and (opening ^ current) & 1 == 0 and not _begins_here(rows, at):
        return current, False, True
    openings.add(key)
    return opening, True, older


def _begins_here(rows: Segments, at: int) -> bool:
    """Return whether the next segment of the flow follows the SYN."""
    for row in range(at + 1, min(at + 1 + _NEXT, len(rows.pair))):
        if rows.pair[row] != rows.pair[at]:
            break
        if rows.forward[row] == rows.forward[at] and not rows.flags[row] & (SYN | RST):
            return bool((rows.seq[row] - rows.seq[at] - 1) % _WRAP <= rows.length[at])
    return False


def _continue(rows: Segments, pair: slice, at: int, own: Bits, same: Bits, ahead: Numbers) -> bool:
    """Return whether the rows before a SYN continue its connection exactly where its own rows stop.

    This is so if a clock was set back between two files, so that the second file seems to be the first.
    """
    flags, length = rows.flags[pair], rows.length[pair]
    if (flags[at:][own[at:]] & (FIN | RST)).any():
        return False
    found = False
    for way in (True, False):
        data = (same == way) & (length > 0)
        early = ahead[:at][data[:at]]
        if len(early):
            reached = (ahead + length)[at:][(data & own)[at:]]
            if early.min() != reached.max(initial=0):
                return False
            found = True
    return found


def _alive(rows: Segments, place: Numbers, opening: Numbers, start_of: Numbers) -> Bits:
    """Return which rows are keep-alives: one byte where longer segments of the flow have ended so far."""
    alive = np.zeros(len(rows.pair), np.bool_)
    like = rows.tcp & (rows.length == 1) & ((rows.flags & (SYN | FIN | RST)) == 0)
    if not like.any():
        return alive
    (index,) = np.isin(start_of, start_of[like]).nonzero()
    keys = rows.forward[index], opening[index], start_of[index]
    order = np.lexsort(keys)  # stable: each flow in the order of capture
    new = np.logical_or.reduce([np.diff(key[order].astype(np.int64)) != 0 for key in keys])
    for own in np.split(index[order], np.flatnonzero(new) + 1):
        ends = place[own] + rows.length[own]
        long = np.maximum.accumulate(np.where(rows.length[own] > 1, ends, _LEAST))
        data = int(_LEAST)  # end of the single bytes that are data, such as probes of a zero window
        for at in np.flatnonzero(like[own]).tolist():
            if data < ends[at] == long[at]:
                alive[own[at]] = True
            else:
                data = max(data, int(ends[at]))
    return alive


def _near(number: Numbers, before: Numbers) -> Numbers:
    """Return the difference of sequence numbers modulo 2**32 with the smallest absolute value."""
    found: Numbers = number - before
    found += _HALF
    found %= _WRAP
    found -= _HALF
    return found


# ------------------------------------------------------------------------------------------- batches


def segments_of(batch: pa.RecordBatch, pair: Numbers) -> Segments:
    """Return the columns of a batch from which places are computed."""

    def numbers(name: str) -> Numbers:
        column = batch.column(name)
        filled = column.fill_null(0) if column.null_count else column
        made: Numbers = filled.cast(pa.int64()).to_numpy(zero_copy_only=False)
        return made

    transport = batch.column("transport")
    return Segments(
        pair,
        batch.column("forward").to_numpy(zero_copy_only=False),
        pc.equal(transport, "tcp").to_numpy(zero_copy_only=False),
        pc.equal(transport, "udp").to_numpy(zero_copy_only=False),
        *(numbers(name) for name in ("seq", "ack", "flags", "length")),
    )


def flow_columns(batch: pa.RecordBatch, rows: Segments, opening: Numbers) -> tuple[Numbers, list[pa.Array]]:
    """Return the flow number of each row within the batch, and the columns of `FLOW` of these flows."""
    key = (rows.pair << 35) + ((opening + 1) << 1) + rows.forward
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    names = ("sensor", "pair", "transport", "file", "src", "src_port", "dst", "dst_port")
    found = [
        flow_of(values, int(opening[at]), forward=bool(rows.forward[at]))
        for at, values in zip(
            first.tolist(),
            zip(*(batch.column(name).take(pa.array(first)).to_pylist() for name in names), strict=True),
            strict=True,
        )
    ]
    columns = zip(*found, strict=True)
    return inverse.reshape(-1), [
        pa.array(column, field.type) for column, field in zip(columns, _FLOW_FIELDS, strict=True)
    ]


def flow_of(values: tuple[Any, ...], opening: int, *, forward: bool) -> tuple[Any, ...]:
    """Return the columns of `FLOW`.

    Args:
        values: Sensor, pair of endpoints, transport, file, and both endpoints.
        opening: As in `Placed`.
        forward: Whether the flow goes from the endpoint that is named first.
    """
    sensor, pair, transport, file, src, src_port, dst, dst_port = values
    number = "" if opening == _NONE else f" #{opening >> 1:x}"
    if transport == "raw":
        flow = file
    else:
        flow = f"{transport} {endpoint(src, src_port)} > {endpoint(dst, dst_port)}{number}"
    if opening == _NONE:  # a listening side usually has the lower port
        unequal = dst_port is not None and src_port is not None and dst_port != src_port
        outward = dst_port < src_port if unequal else forward  # each direction differs from the other
    else:
        outward = bool(opening & 1) == forward
    ends = src, src_port, dst, dst_port
    return sensor, transport, pair + number, flow, "->" if outward else "<-", *ends


def rows_with_places(
    flags: Numbers,
    placed: Placed,
    flows: tuple[Numbers, list[pa.Array]],
    index: Numbers,
    passed: list[pa.Array],
) -> pa.RecordBatch:
    """Return some rows as a batch of `ORDERED`.

    Args:
        flags: The TCP flags of the rows.
        placed: The places of all rows.
        flows: The result of `flow_columns` for them.
        index: The indices of the rows.
        passed: The columns of `PASSED` of these rows.
    """
    codes, columns = flows
    flow_of = pa.array(codes[index])
    *others, checksum = passed
    arrays = [
        *(column.take(flow_of) for column in columns),
        *(pa.array(values[index]) for values in (placed.place, placed.seen, placed.position)),
        *others,
        pc.fill_null(pc.invert(checksum), False),  # a value, not an option
        pa.array(placed.opening[index] != _NONE),
        pa.array((flags & (FIN | RST)) != 0),
        pa.array((flags & FIN) != 0),
        pa.array((passed[PASSED.index("length")].to_numpy() > 0) | ((flags & (SYN | FIN)) != 0)),
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=_PLAIN)
