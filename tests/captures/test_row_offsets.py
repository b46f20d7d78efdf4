"""Places of segments by hand: which connection a row is of, where its bytes are, what its sender had seen."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from msmq_wire.captures import disk
from msmq_wire.captures.disk import Disk
from msmq_wire.captures.files.segments import ACK, FIN, RST, SYN
from msmq_wire.captures.flows.connections import flow_of
from msmq_wire.captures.flows.ordering import Segments, placed

LATE = 1 << 20
"""How far behind a SYN bytes may be that were captured before it, and delayed ones behind the end."""


class Seg(NamedTuple):
    """A row of a pair of endpoints."""

    way: str
    seq: int
    ack: int = 0
    flags: int = ACK
    length: int = 0
    pair: int = 0
    transport: str = "tcp"


class Place(NamedTuple):
    """Where it is."""

    opening: int
    stream_offset: int
    seen: int
    position: int
    tells: bool


class _Memory(Disk):
    def __init__(self) -> None:
        pass

    def array(self, count: int, dtype: Any = np.int64) -> Any:
        return np.zeros(count, dtype)


def columns_of(rows: list[Seg]) -> Segments:
    """The rows, with numbers modulo 2**32 as on the wire."""

    def column(name: str) -> Any:
        return np.array([getattr(row, name) for row in rows], np.int64)

    transports = [row.transport for row in rows]
    wrap = 1 if any(kind != "tcp" for kind in transports) else 2**32
    return Segments(
        column("pair"),
        np.array([row.way == "->" for row in rows]),
        np.array([kind == "tcp" for kind in transports]),
        np.array([kind == "udp" for kind in transports]),
        column("seq") if wrap == 1 else column("seq") % wrap,
        column("ack") if wrap == 1 else column("ack") % wrap,
        column("flags"),
        column("length"),
    )


def places(*rows: Seg) -> list[Place]:
    """The places of rows, which are the same however few rows are processed at once."""
    columns = columns_of([*rows])
    found = placed(columns, _Memory())
    for window in (1, 3, 7):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(disk, "WINDOW", window)
            again = placed(columns, _Memory())
        assert [one.tolist() for one in again] == [one.tolist() for one in found]
    return [Place(*row) for row in zip(*(one.tolist() for one in found), strict=True)]


def handshake(client: int, server: int, way: str = "->") -> list[Seg]:
    back = "<-" if way == "->" else "->"
    return [
        Seg(way, client, 0, SYN),
        Seg(back, server, client + 1, SYN | ACK),
        Seg(way, client + 1, server + 1),
    ]


NUMBERS = [(1000, 5000), (2**32 - 1, 2**32 - 2), (2**32 - 6, 2**31 - 9), (0, 2**32 - 21), (2**31 - 1, 2**31)]


@pytest.mark.parametrize("way", ["->", "<-"])
@pytest.mark.parametrize(("client", "server"), NUMBERS)
def test_a_conversation(client: int, server: int, way: str) -> None:
    """Bytes are counted from 1, because the SYN is 0, whatever the numbers and wherever they wrap around."""
    back = "<-" if way == "->" else "->"
    found = places(
        *handshake(client, server, way),
        Seg(way, client + 1, server + 1, ACK, 10),
        Seg(back, server + 1, client + 11, ACK, 20),
        Seg(back, server + 21, client + 11, ACK, 5),
        Seg(way, client + 11, server + 26),
        Seg(way, client + 11, server + 26, FIN | ACK),
        Seg(back, server + 26, client + 12, FIN | ACK),
        Seg(way, client + 12, server + 27),
    )
    assert [(row.stream_offset, row.seen, row.tells) for row in found] == [
        (1, 0, True),
        (1, 1, True),
        (1, 1, False),
        (1, 1, True),
        (1, 11, True),
        (21, 11, True),
        (11, 26, False),
        (11, 26, True),
        (26, 12, True),
        (12, 27, False),
    ]
    assert {row.opening for row in found} == {2 * client + (way == "->")}
    assert [row.position for row in found] == [*range(10)]


def test_what_a_segment_tells_of_the_other_side() -> None:
    """What was seen is what the acknowledgment says, not what was captured before it.

    Without an acknowledgment it is the place of the last captured segment of the other side.
    """
    found = places(
        *handshake(1000, 5000),
        Seg("->", 1001, 5001, ACK, 10),
        Seg("->", 1011, 5001, ACK, 10),
        Seg("<-", 5001, 1011, ACK, 4),  # of the second segment nothing
        Seg("<-", 5005, 1001, ACK, 4),  # sent before it had any, but captured late
        Seg("->", 1021, 5009, ACK, 10),
        Seg("->", 1031, 77, 0, 10),
        Seg("<-", 5009, 1041, RST),
        Seg("->", 1041, 5001, ACK, 10),
    )
    assert [row.seen for row in found[3:]] == [1, 1, 11, 1, 9, 5, 31, 1]


def test_acknowledgments_before_the_other_side_was_captured() -> None:
    """They are counted from the first segment of the other side, which comes later."""
    found = places(
        Seg("->", 100, 7003, ACK, 10),
        Seg("->", 110, 7000, ACK, 10),
        Seg("->", 0, 0, RST),
        Seg("<-", 7001, 110, ACK, 5),
        Seg("->", 120, 7006, ACK, 10),
        Seg("<-", 7006, 130, ACK, 5),
    )
    assert [(row.opening, row.stream_offset, row.seen) for row in found] == [
        (-1, 0, 2),
        (-1, 10, -1),
        (-1, 10, 0),
        (-1, 0, 10),
        (-1, 20, 5),
        (-1, 5, 30),
    ]
    alone = places(Seg("->", 100, 7003, ACK, 10), Seg("->", 110, 7003, ACK, 10))
    assert [row.seen for row in alone] == [0, 0]  # of which nothing is known


def test_pairs_do_not_count_for_each_other() -> None:
    """Neither the one before nor the one after, in both directions."""
    rows = [
        Seg("->", 100, 900, ACK, 5),
        Seg("->", 107, 900, ACK, 5),
        Seg("<-", 903, 112, ACK, 5),
        Seg("<-", 910, 112, ACK, 5),
    ]
    single = places(*rows)
    assert [(row.stream_offset, row.seen) for row in single] == [(0, -3), (7, -3), (0, 12), (7, 12)]
    found = places(*(row._replace(pair=pair, seq=row.seq + pair) for pair in (0, 4, 5) for row in rows))
    for pair, start in zip((0, 4, 5), (0, 4, 8), strict=True):
        own = found[start : start + 4]
        assert [row.position for row in own] == [0, 1, 2, 3]
        assert [row.stream_offset for row in own] == [0, 7, 0, 7]
        assert [row.seen for row in own] == [-3 - pair, -3 - pair, 12 - pair, 12 - pair]
    # a pair with one direction, beside one with the other
    apart = places(Seg("->", 100, 900, ACK, 5), Seg("<-", 950, 300, ACK, 5, 1), Seg("->", 9, 8, ACK, 5, 2))
    assert [(row.stream_offset, row.seen, row.position) for row in apart] == [(0, 0, 0)] * 3


@pytest.mark.parametrize(
    ("step", "stream_offset"), [(2**31 - 1, 2**31 - 1), (2**31, -(2**31)), (-1, -1), (0, 0)]
)
def test_the_nearest_number(step: int, stream_offset: int) -> None:
    """Numbers are modulo 2**32: the next one is where it is nearest, before or behind (RFC 9293, 3.4)."""
    for first in (0, 5, 2**32 - 1):
        found = places(Seg("->", first, 0, 0, 2), Seg("->", first + step, 0, 0, 2))
        assert [row.stream_offset for row in found] == [0, stream_offset]
        seen = places(Seg("->", first, 0, 0, 2), Seg("<-", 7, first + step, ACK, 2))
        assert [row.seen for row in seen] == [0, stream_offset]


def test_a_flow_longer_than_its_numbers() -> None:
    """Five gibibytes of one side, and the acknowledgments of the other."""
    large = 1 << 30
    rows = handshake(9, 70)
    for number in range(5):
        rows += [
            Seg("->", 10 + number * large, 71, ACK, large),
            Seg("<-", 71, 10 + (number + 1) * large, ACK),
        ]
    found = places(*rows)[3:]
    assert [row.stream_offset for row in found[::2]] == [1 + number * large for number in range(5)]
    assert [row.seen for row in found[1::2]] == [1 + number * large for number in range(1, 6)]


def test_resets_have_no_place_of_their_own() -> None:
    """Their number may be any (RFC 9293, 3.5.2), and the next segment does not depend on it."""
    found = places(
        *handshake(1000, 5000),
        Seg("->", 1001, 5001, ACK, 10),
        Seg("->", 77_777, 5001, RST | ACK),
        Seg("->", 1011, 5001, ACK, 10),
        Seg("<-", 4_000_000, 1021, RST | ACK),
        Seg("<-", 5001, 1021, ACK, 2),
    )
    assert [(row.stream_offset, row.seen) for row in found[3:]] == [(1, 1), (1, 1), (11, 1), (1, 21), (1, 21)]
    assert all(row.tells for row in found[3:])


def test_resets_around_a_syn() -> None:
    """The place of a reset that follows its SYN, or is captured before it, is that of the first byte."""
    after = places(Seg("->", 1000, 0, SYN), Seg("->", 0, 0, RST))
    assert [(row.opening, row.stream_offset) for row in after] == [(2001, 1), (2001, 1)]
    before = places(Seg("->", 1000, 0, SYN), Seg("<-", 0, 1001, RST | ACK), Seg("<-", 5000, 1001, SYN | ACK))
    assert [(row.opening, row.stream_offset, row.seen) for row in before] == [
        (2001, 1, 0),
        (2001, 1, 1),
        (2001, 1, 1),
    ]
    none = places(Seg("->", 1000, 0, SYN), Seg("<-", 0, 1001, RST | ACK), Seg("<-", 5001, 1001, ACK, 3))
    assert [row.stream_offset for row in none] == [1, 0, 0]


@pytest.mark.parametrize(
    ("flags", "length", "behind", "shows"),
    [
        (ACK, 10, 0, False),
        (ACK, 10, 1, False),  # a FIN that was not captured
        (ACK, 10, 2, True),
        (FIN | ACK, 10, 1, False),
        (FIN | ACK, 10, 2, False),
        (FIN | ACK, 10, 3, True),
        (SYN, 0, 2, False),
        (SYN, 0, 3, True),
        (SYN | FIN, 0, 3, False),
        (SYN | FIN, 0, 4, True),
    ],
)
def test_numbers_that_show_missing_bytes(flags: int, length: int, behind: int, shows: bool) -> None:
    """An acknowledgment without bytes shows them if its number is more than one behind the end."""
    found = places(Seg("->", 1000, 0, flags, length), Seg("->", 1000 + length + behind, 0, ACK))
    assert found[1].tells is shows


def test_datagrams_and_pieces() -> None:
    """Datagrams follow each other; a piece of a file has its offset, however large."""
    found = places(
        *(Seg("->", 0, 0, 0, length, transport="udp") for length in (10, 20, 5)),
        Seg("<-", 0, 0, 0, 7, transport="udp"),
        Seg("->", 0, 0, 0, 1, transport="udp"),
        Seg("<-", 0, 0, 0, 1, transport="udp"),
    )
    assert [row.stream_offset for row in found] == [0, 10, 30, 0, 35, 7]
    assert {(row.opening, row.tells) for row in found} == {(-1, True)}
    pieces = places(*(Seg("->", seq, 0, 0, 9, transport="raw") for seq in (0, 9, 2**31 + 5, 2**33)))
    assert [row.stream_offset for row in pieces] == [0, 9, 2**31 + 5, 2**33]


# ------------------------------------------------------------------------------------------- connections


def test_the_next_connection_of_a_port() -> None:
    """Each SYN begins one, whose places have nothing to do with those before."""
    found = places(
        Seg("->", 50, 60, ACK, 5),
        *handshake(10_000_000, 5000),
        Seg("->", 10_000_001, 5001, ACK, 5),
        *handshake(20_000_000, 9000, "<-"),
        Seg("->", 9001, 20_000_001, ACK, 8),
    )
    assert [row.opening for row in found] == [-1] + [20_000_001] * 4 + [40_000_000] * 4
    assert [(row.stream_offset, row.seen) for row in found if row.opening == 20_000_001][-1] == (
        1 + found[1].stream_offset - 1,
        found[2].stream_offset,
    )
    first = next(row for row in found if row.opening == 40_000_000)
    second = [row for row in found if row.opening == 40_000_000][1]
    assert (found[-1].stream_offset - second.stream_offset, found[-1].seen - first.stream_offset) == (0, 0)


@pytest.mark.parametrize(
    ("behind", "opening"), [(1, 20_001), (1 + LATE, 20_001), (2 + LATE, -1), (0, -1), (-1, -1), (-9, -1)]
)
def test_bytes_before_their_syn(behind: int, opening: int) -> None:
    """They are at its first byte or up to 1 MiB behind it."""
    found = places(Seg("->", 10_000 + behind, 0, ACK, 5), Seg("->", 10_000, 0, SYN))
    assert [row.opening for row in found] == [opening, 20_001]
    if opening != -1:
        assert found[0].stream_offset - found[1].stream_offset == behind - 1
    wrapped = places(Seg("->", 2**32 - 2 + behind, 0, ACK, 5), Seg("->", 2**32 - 2, 0, SYN))
    assert (wrapped[0].opening == -1) is (opening == -1)


def test_the_first_row_that_fits_a_late_syn() -> None:
    """Rows before it are of a connection without a SYN, in each pair."""
    rows = [Seg("->", 5_000_000, 0, ACK, 5), Seg("->", 6_000_000, 0, ACK, 5)]
    rows += [Seg("->", 10_006, 0, ACK, 5), Seg("->", 10_001, 0, ACK, 5), Seg("->", 10_000, 0, SYN)]
    expected = [-1, -1, 20_001, 20_001, 20_001]
    assert [row.opening for row in places(*rows)] == expected
    both = places(*rows, *(row._replace(pair=1) for row in rows))
    assert [row.opening for row in both] == expected * 2


@pytest.mark.parametrize(("behind", "known"), [(1, True), (1 + LATE, True), (2 + LATE, False), (0, False)])
@pytest.mark.parametrize("answer_first", [False, True])
def test_bytes_of_the_other_side_before_the_syn(behind: int, known: bool, answer_first: bool) -> None:
    """The other side's first byte is known from its SYN, or from what a SYN acknowledges."""
    if answer_first:  # the answer acknowledges the client's SYN, so the client's first byte is known
        found = places(
            Seg("->", 1000 + behind, 5001, ACK, 5),
            Seg("<-", 5000, 1001, SYN | ACK),
            Seg("->", 1000, 0, SYN),
        )
    else:
        found = places(
            Seg("<-", 5000 + behind, 1001, ACK, 5),
            Seg("->", 1000, 0, SYN),
            Seg("<-", 5000, 1001, SYN | ACK),
        )
    assert [row.opening for row in found] == [2001 if known else -1, 2001, 2001]


def test_rows_before_a_syn_that_are_not_its_own_begin_behind_the_last_end() -> None:
    """An older connection that has ended with nearby numbers keeps its rows, but not the bytes behind it."""
    found = places(
        Seg("->", 900, 0, ACK, 5),
        Seg("->", 1002, 0, FIN | ACK),
        Seg("->", 1003, 0, ACK),  # the last acknowledgment of an older connection
        Seg("->", 1001, 0, ACK, 5),
        Seg("->", 1000, 0, SYN),
    )
    assert [row.opening for row in found] == [-1, -1, -1, 2001, 2001]
    for begin, opening in ((1001, 2001), (1002, -1)):  # the whole connection before its SYN, or another one
        ended = places(
            Seg("->", begin, 0, ACK, 5), Seg("->", begin + 5, 0, FIN | ACK), Seg("->", 1000, 0, SYN)
        )
        assert [row.opening for row in ended] == [opening, opening, 2001]


@pytest.mark.parametrize(
    ("begin", "flags", "continues"),
    [(1006, ACK, True), (1007, ACK, False), (1005, ACK, False), (1006, FIN | ACK, False), (1006, RST, False)],
)
def test_a_connection_goes_on_before_its_syn(begin: int, flags: int, continues: bool) -> None:
    """If a clock was set back, the end is captured first: its bytes go on exactly where the others stop."""
    found = places(
        Seg("->", begin, 0, ACK, 5),
        Seg("->", begin + 5, 0, FIN | ACK),
        Seg("->", 1000, 0, SYN),
        Seg("->", 1001, 0, ACK, 3),
        Seg("->", 1004, 0, flags, 2),
    )
    assert (found[0].opening == 2001) is continues


@pytest.mark.parametrize(("back", "continues"), [(5004, True), (5005, False), (5003, False)])
def test_both_sides_go_on_before_their_syns(back: int, continues: bool) -> None:
    """One of which does not is of another connection, and so is the other one."""
    found = places(
        Seg("<-", back, 1006, ACK, 5),
        Seg("->", 1006, 5004, ACK, 5),
        Seg("->", 1011, 5009, FIN | ACK),
        *handshake(1000, 5000),
        Seg("<-", 5001, 1001, ACK, 2),
        Seg("<-", 5003, 1001, ACK, 1),
        Seg("->", 1001, 5004, ACK, 5),
    )
    assert {row.opening for row in found[:3]} == {2001 if continues else -1}


def test_a_syn_with_data_that_is_acknowledged_or_not() -> None:
    """The answer is one of this SYN if it acknowledges the SYN alone, or some of its bytes (RFC 7413)."""
    for acknowledged, own in ((1001, True), (1004, True), (1006, True), (1007, False), (1000, False)):
        found = places(Seg("->", 1000, 0, SYN, 5), Seg("<-", 5000, acknowledged, SYN | ACK))
        assert [row.opening for row in found] == [2001, 2001 if own else 2 * acknowledged - 1]
    wrapped = places(Seg("->", 2**32 - 3, 0, SYN, 5), Seg("<-", 5000, 2, SYN | ACK))
    assert {row.opening for row in wrapped} == {2 * (2**32 - 3) + 1}
    lone = places(Seg("<-", 5000, 0, SYN | ACK))
    assert lone[0].opening == 2 * (2**32 - 1) + 1


def test_syns_that_cross() -> None:
    """Both sides open at once (RFC 9293, 3.5): the connection is that of the SYN captured first."""
    rows = [
        Seg("->", 1000, 0, SYN),
        Seg("<-", 5000, 0, SYN),
        Seg("->", 1000, 5001, SYN | ACK),
        Seg("<-", 5000, 1001, SYN | ACK),
        Seg("->", 1001, 5001, ACK, 5),
        Seg("<-", 5001, 1006, ACK, 5),
    ]
    found = places(*rows)
    assert {row.opening for row in found} == {2001}
    assert [(row.stream_offset, row.seen) for row in found[-2:]] == [(1, 1), (1, 6)]
    swapped = places(rows[1], rows[0], *rows[2:])
    assert {row.opening for row in swapped} == {10_000}
    near_the_end = places(
        Seg("->", 2**32 - 1, 0, SYN),
        Seg("<-", 0, 0, SYN),
        Seg("->", 2**32 - 1, 1, SYN | ACK),
        Seg("<-", 0, 0, SYN | ACK),
    )
    assert {row.opening for row in near_the_end} == {2**33 - 1}
    of_two_pairs = places(
        *(
            rows[at]._replace(pair=pair)
            for pair, order in enumerate(((0, 1), (1, 0)))
            for at in (*order, 2, 3)
        )
    )
    assert [row.opening for row in of_two_pairs] == [2001] * 4 + [10_000] * 4


@pytest.mark.parametrize("way", ["->", "<-"])
def test_equal_numbers_of_both_sides(way: str) -> None:
    """Both sides may open with one number: it is one connection, of the side that was captured first."""
    back = "<-" if way == "->" else "->"
    rows = [Seg(way, 1000, 0, SYN), Seg(back, 1000, 0, SYN), Seg(back, 1000, 1001, SYN | ACK)]
    found = places(*rows, Seg(way, 1001, 1001, ACK, 5))
    assert {row.opening for row in found} == {2000 + (way == "->")}
    answered = places(*handshake(1000, 1000, way), Seg(back, 1001, 1001, ACK, 5))
    assert [(row.opening, row.stream_offset) for row in answered] == [(2000 + (way == "->"), 1)] * 4


def test_a_late_answer_to_an_older_syn() -> None:
    """Its connection goes on, between the rows of the other one."""
    found = places(
        Seg("->", 1000, 0, SYN),
        Seg("->", 1 << 24, 0, SYN),
        Seg("<-", 5000, 1001, SYN | ACK),
        Seg("->", 1001, 5001, ACK, 5),
        Seg("<-", 9000, (1 << 24) + 1, SYN | ACK),
        Seg("<-", 9001, (1 << 24) + 1, ACK, 5),
    )
    first, second = 2001, (1 << 25) + 1
    assert [row.opening for row in found] == [first, second, first, first, second, second]
    assert [found[at].stream_offset - found[syn].stream_offset for at, syn in ((3, 0), (5, 4))] == [0, 0]
    assert [found[at].seen - found[syn].stream_offset for at, syn in ((2, 0), (3, 2), (4, 1), (5, 1))] == [
        0
    ] * 4


def test_a_copy_of_a_syn_shows_nothing_more() -> None:
    """A SYN that comes again, and its answer, are of the same connection and describe the same places."""
    rows = handshake(1000, 5000)
    found = places(*rows[:2], *rows)
    assert {row.opening for row in found} == {2001}
    assert [row.stream_offset for row in found] == [1] * 5
    assert [row.tells for row in found] == [True, True, True, True, False]


def test_an_answer_with_another_number() -> None:
    """A server that answers a late copy of a SYN with a new number describes no byte of the flow."""
    found = places(*handshake(1000, 5000), Seg("<-", 5001, 1001, ACK, 7), Seg("<-", 9000, 1001, SYN | ACK))
    assert [row.tells for row in found] == [True, True, False, True, False]
    before = places(*handshake(1000, 5000), Seg("<-", 4000, 1001, SYN | ACK))
    assert before[-1].tells


# ------------------------------------------------------------------------------------------- delayed copies


def older(count: int, apart: int = 1 << 24) -> list[Seg]:
    """SYNs of as many connections."""
    return [Seg("->", 1000 + number * apart, 0, SYN) for number in range(count)]


@pytest.mark.parametrize(("count", "found_again"), [(1, True), (2, True), (16, True), (17, False)])
def test_a_delayed_segment_of_an_older_connection(count: int, found_again: bool) -> None:
    """Its connection is one of the last 16 before that with the current SYN."""
    rows = [*older(count + 1), Seg("->", 1001, 0, ACK, 5)]
    assert places(*rows)[-1].opening == (2001 if found_again else -1)


@pytest.mark.parametrize(
    ("number", "fits"), [(1000, True), (1050 + LATE, True), (1051 + LATE, False), (999, False)]
)
def test_numbers_of_a_delayed_segment(number: int, fits: bool) -> None:
    """They are from the SYN of the older flow up to 1 MiB behind its last byte."""
    old = [Seg("->", 1000, 0, SYN), Seg("->", 1001, 0, ACK, 20), Seg("->", 1021, 0, ACK, 30)]
    late = [Seg("->", 1021, 0, ACK, 10)]
    new = [Seg("->", 1 << 24, 0, SYN), Seg("->", number, 0, ACK, 5)]
    assert places(*old, *late, *new)[-1].opening == (2001 if fits else -1)
    wrapped = [row._replace(seq=row.seq - 1010) for row in (*old, *late, *new)]
    assert places(*wrapped)[-1].opening == (2 * (2**32 - 10) + 1 if fits else -1)


def test_the_last_older_connection_whose_numbers_fit() -> None:
    """And a delayed segment of the other side has no home in flows of this one."""
    rows = [
        *older(2, 1000),
        Seg("->", 1 << 24, 0, SYN),
        Seg("<-", 1 << 25, (1 << 24) + 1, SYN | ACK),
        Seg("->", 2010, 0, ACK, 5),
        Seg("<-", 2010, 0, ACK, 5),
        Seg("->", 1010, 0, ACK, 5),
    ]
    assert [row.opening for row in places(*rows)[-3:]] == [4001, -1, 2001]


def test_a_delayed_reset_without_a_home_remains_where_it_is() -> None:
    """Its number may be any; but bytes of a reset have a place."""
    rows = [Seg("->", 1 << 24, 0, SYN), Seg("->", (1 << 24) + 1, 0, ACK, 5)]
    found = places(*rows, Seg("->", 5, 0, RST), Seg("->", 5, 0, RST, 4), Seg("->", 5, 0, ACK))
    assert [row.opening for row in found] == [(1 << 25) + 1] * 3 + [-1, -1]


def test_flows_without_a_syn_are_no_home() -> None:
    """It is not known where they begin, even if the other side's SYN was captured."""
    rows = [
        Seg("->", 1000, 0, SYN),
        Seg("<-", 5001, 1001, ACK, 5),
        *handshake(1 << 24, 1 << 25),
        Seg("<-", 5001, 1001, ACK, 5),
    ]
    assert [row.opening for row in places(*rows)] == [2001] * 2 + [(1 << 25) + 1] * 3 + [-1]


def test_homes_with_neighbouring_numbers() -> None:
    """Connections of both sides with almost equal numbers are told apart."""
    rows = [
        Seg("->", 1000, 0, SYN),
        Seg("->", 1001, 0, ACK, 5),
        Seg("<-", 1001, 0, SYN),
        Seg("<-", 1002, 0, ACK, 5),
        *handshake(1 << 24, 1 << 25),
        Seg("->", 1001, 0, ACK, 5),
        Seg("<-", 1002, 0, ACK, 5),
    ]
    found = places(*rows)
    assert [row.opening for row in found[-2:]] == [2001, 2002]
    assert [found[at].stream_offset - found[syn].stream_offset for at, syn in ((-2, 0), (-1, 2))] == [0, 0]
    next_number = [
        Seg("->", 1000, 0, SYN),
        Seg("->", 1001, 0, ACK, 5),
        Seg("->", 1001, 0, SYN),
        Seg("<-", 70_000, 1002, SYN | ACK),
        Seg("<-", 70_001, 1002, ACK, 9),
        *handshake(1 << 28, 1 << 29),
        Seg("<-", 70_001, 0, ACK, 9),
        Seg("->", 1001, 0, ACK, 5),
        Seg("<-", 70_010 + LATE, 0, ACK, 9),
    ]
    assert [row.opening for row in places(*next_number)[-3:]] == [2003, 2003, -1]


@pytest.mark.parametrize(("number", "stale"), [(0, False), (-1, False), (-2, True)])
def test_the_byte_before_the_first_is_the_syn(number: int, stale: bool) -> None:
    """What begins before it is of another connection."""
    start = 1 << 24
    rows = [*handshake(start, 500), Seg("->", start + 1 + number, 501, ACK, 5)]
    assert (places(*rows)[-1].opening == -1) is stale


@pytest.mark.parametrize(("between", "begins"), [(0, True), (15, True), (16, False)])
def test_a_copy_of_an_older_syn(between: int, begins: bool) -> None:
    """The connection begins again only if the next of 16 rows that is of its flow follows the SYN."""
    rows = [
        *older(2),
        Seg("->", 1000, 0, SYN),
        *([Seg("<-", 7, 0, ACK)] * between),
        Seg("->", 1001, 0, ACK, 5),
    ]
    first, second = 2001, 2 * (1000 + (1 << 24)) + 1
    found = places(*rows)
    assert [row.opening for row in found[:3]] == [first, second, first]
    assert {row.opening for row in found[3:-1]} <= {first if begins else second}
    assert found[-1].opening == first


def test_the_answer_to_a_repeated_syn_does_not_begin_a_connection_again() -> None:
    """Although its data follow: the other side goes on in the current connection."""
    new = 1 << 24
    rows = [*handshake(1000, 500), *handshake(new, 7000), Seg("<-", 500, 1001, SYN | ACK)]
    rows += [Seg("<-", 501, 1001, ACK, 5), Seg("->", new + 1, 7001, ACK, 5)]
    assert [row.opening for row in places(*rows)[-3:]] == [2001, 2001, 2 * new + 1]


def test_delayed_segments_when_a_connection_has_begun_again() -> None:
    """Also those of the side that did not repeat its SYN are before it."""
    numbers = (1000, 500), (1 << 24, 1 << 23), (1 << 26, 1 << 25)
    rows = [row for client, server in numbers for row in handshake(client, server)]
    again = [Seg("->", 1 << 24, 0, SYN), Seg("->", (1 << 24) + 1, (1 << 23) + 1, ACK, 5)]
    found = places(*rows, *again, Seg("<-", 501, 1001, ACK, 5))
    assert [row.opening for row in found[-3:]] == [(1 << 25) + 1] * 2 + [2001]


def test_copies_of_a_syn_and_of_what_followed_it() -> None:
    """Also the bytes that come behind the copy of their SYN and others are of the older connection."""
    new = 1 << 24
    rows = [
        *handshake(1000, 500),
        Seg("->", 1001, 501, ACK, 9),
        *handshake(new, 7000),
        Seg("->", 1000, 0, SYN),
        Seg("->", new + 1, 7001, ACK, 5),
        Seg("->", 1001, 501, ACK, 9),
        Seg("->", new + 6, 7001, ACK, 5),
    ]
    found = places(*rows)
    first, second = 2001, 2 * new + 1
    assert [row.opening for row in found] == [first] * 4 + [second] * 3 + [first, second, first, second]
    assert [found[at].stream_offset - found[syn].stream_offset for at, syn in ((8, 4), (9, 0), (10, 4))] == [
        0,
        0,
        5,
    ]


@pytest.mark.parametrize(
    ("seq", "length", "begins"), [(1001, 0, True), (1002, 0, False), (1005, 4, True), (1006, 4, False)]
)
def test_what_follows_a_copy_of_an_older_syn(seq: int, length: int, begins: bool) -> None:
    """The first segment is right behind the SYN or in its bytes; SYNs and resets do not count."""
    rows = [
        *older(2),
        Seg("->", 1000, 0, SYN, length),
        Seg("->", 3, 0, RST),
        Seg("->", seq, 0, ACK, 5),
        Seg("<-", 7, 0, ACK, 5),
    ]
    assert places(*rows)[-1].opening == (2001 if begins else 2 * (1000 + (1 << 24)) + 1)


# ------------------------------------------------------------------------------------------- keep-alives


def test_keep_alives() -> None:
    """A byte that ends where longer segments or the SYN ended is none of the flow (RFC 9293, 3.8.4)."""
    found = places(
        *handshake(1000, 5000),
        Seg("->", 1000, 5001, ACK, 1),  # before any byte
        Seg("->", 1001, 5001, ACK, 1),  # the first byte
        Seg("->", 1002, 5001, ACK, 1),  # the second
        Seg("->", 1002, 5001, ACK, 1),  # the same again is data, as it was
        Seg("->", 1003, 5001, ACK, 9),
        Seg("->", 1011, 5001, ACK, 1),
        Seg("->", 1010, 5001, ACK, 1),
        Seg("<-", 5001, 1012, ACK, 1),
        Seg("<-", 5000, 1012, ACK, 1),
        Seg("->", 1011, 5001, ACK | FIN, 1),
        Seg("->", 1012, 5001, ACK, 2),
        Seg("->", 1011, 5001, ACK, 1),
        Seg("->", 1013, 5001, ACK, 1),
    )
    assert [row.tells for row in found[3:]] == [
        False, True, True, True, True, False, True, True, True, True, True, True, False
    ]  # fmt: skip


def test_keep_alives_of_each_flow() -> None:
    """The end of one flow, connection or pair is none of another."""
    pair = [Seg("->", 100, 0, ACK, 5), Seg("<-", 104, 0, ACK, 1), Seg("->", 104, 0, ACK, 1)]
    found = places(*pair, *(row._replace(pair=1) for row in pair[1:]))
    assert [row.tells for row in found] == [True, True, False, True, True]
    again = places(
        Seg("->", 1000, 0, SYN),
        Seg("->", 1001, 0, ACK, 5),
        Seg("->", 1 << 24, 0, SYN),
        Seg("->", (1 << 24), 0, ACK, 1),
        Seg("->", (1 << 24) + 5, 0, ACK, 1),
    )
    assert [row.tells for row in again] == [True, True, True, False, True]


# ------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("ports", "opening", "forward", "direction"),
    [
        ((50000, 1801), -1, True, "->"),
        ((50000, 1801), -1, False, "->"),
        ((1801, 50000), -1, True, "<-"),
        ((1026, 1801), -1, True, "->"),
        ((1801, 1026), -1, False, "<-"),
        ((3527, 1026), -1, True, "->"),  # the port of Pings, which are datagrams
        ((50000, 2103), -1, True, "->"),
        ((1801, 1801), -1, True, "->"),
        ((1801, 1801), -1, False, "<-"),
        ((None, 1801), -1, True, "->"),
        ((1801, None), -1, False, "<-"),
        ((1801, 50000), 0x2468 * 2 + 1, True, "->"),
        ((1801, 50000), 0x2468 * 2 + 1, False, "<-"),
        ((1801, 50000), 0x2468 * 2, True, "<-"),
        ((1801, 50000), 0x2468 * 2, False, "->"),
    ],
)
def test_names_of_flows(
    ports: tuple[int | None, int | None], opening: int, forward: bool, direction: str
) -> None:
    """The SYN names a connection and tells who opened it; else a port of MSMQ listens, or the lower one."""
    src, dst = ports
    values = ("/s/", "tcp a b", "tcp", "/s/a.pcap", "a", src, "b", dst)
    number = "" if opening == -1 else " #2468"
    assert flow_of(values, opening, forward=forward) == (
        "/s/", "tcp", f"tcp a b{number}", f"tcp a:{src} > b:{dst}{number}", direction, "a", src, "b", dst
    )  # fmt: skip
    raw = ("/s/", "/s/a.msmq", "raw", "/s/a.msmq", None, None, None, None)
    named = flow_of(raw, -1, forward=forward)
    assert named[2:5] == ("/s/a.msmq", "/s/a.msmq", "->" if forward else "<-")
    ping = ("/s/", "udp a b", "udp", "/s/a.pcap", "a", 1026, "b", 3527)
    assert flow_of(ping, -1, forward=forward)[4] == "->"
