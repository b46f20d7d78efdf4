"""What each mutation can make of a few bytes, with the chance of each result: all ways of all choices."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from msmq_wire import mqmq, mqrr
from msmq_wire.testing import Mutation
from msmq_wire.testing.mutation.numbers import View
from msmq_wire.testing.mutation.operations import MUTATIONS, Subject

if TYPE_CHECKING:
    from collections.abc import Sequence

LESS, MORE = Fraction(1, 10), Fraction(9, 10)
"""A number below and one above each limit that decides between two ways."""


class Every(Random):
    """Takes each option of each choice once; of more than four numbers in a row the first and the last.

    `ways` has what is left to be done: for each the options to take, in order.
    """

    def __init__(self) -> None:
        self.ways: list[list[int]] = [[]]
        self.way: list[int] = []
        self.done: list[int] = []
        self.chance = Fraction(1)

    def _option(self, count: int) -> int:
        at = len(self.done)
        if at == len(self.way):
            self.ways.extend([*self.way, other] for other in range(1, count))
            self.way.append(0)
        self.done.append(self.way[at])
        self.chance /= count
        return self.done[at]

    def next(self) -> bool:
        if not self.ways:
            return False
        self.way, self.done, self.chance = self.ways.pop(), [], Fraction(1)
        return True

    def choice(self, options: Any) -> Any:
        return options[self._option(len(options))]

    def randint(self, least: int, most: int) -> int:
        numbers = range(least, most + 1) if most - least < 4 else (least, most)
        return self.choice(numbers)  # type: ignore[no-any-return]  # any sequence can be given

    def randrange(self, end: int) -> int:  # type: ignore[override]  # nothing else is used
        return self.randint(0, end - 1)

    def random(self) -> float:
        return float((LESS, MORE)[self._option(2)])

    def randbytes(self, size: int) -> bytes:
        return b"?" * size

    def getrandbits(self, bits: int) -> int:
        return (0, (1 << bits) - 1)[self._option(2)]


def chances(mutation: Mutation, view: View, *donors: View) -> dict[bytes, Fraction]:
    """The results of a mutation, and the chance of each."""
    every, found = Every(), Counter[bytes]()
    while every.next():
        change = MUTATIONS[mutation](Subject(view, donors, every))
        if change is not None:
            found[change.data] += every.chance  # type: ignore[assignment]  # as a count of parts
    return dict(found)  # type: ignore[arg-type]  # as above


def number(structure: str, data: bytes, name: str) -> View:
    """A view of one field only."""
    view = View(data, structure)
    view.fields = [piece for piece in view.fields if piece.path == f"{structure}.{name}"]
    assert len(view.fields) == 1
    return view


def of(*rows: tuple[int, Sequence[Any]]) -> dict[Any, Fraction]:
    """Chances: each row has a share, which its options have in equal parts."""
    whole = sum(share for share, _ in rows)
    found = Counter[Any]()
    for share, options in rows:
        for option in options:
            found[option] += Fraction(share, whole * len(options))  # type: ignore[assignment]
    return dict(found)


def values(mutation: Mutation, view: View) -> dict[int, Fraction]:
    """The numbers that are written to the one field of a view."""
    (piece,) = view.fields
    found = Counter[int]()
    for data, chance in chances(mutation, view).items():
        assert data[: piece.offset] + data[piece.offset + piece.size :] == (
            view.data[: piece.offset] + view.data[piece.offset + piece.size :]
        )
        found[int.from_bytes(piece.cut(data), "little")] += chance  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]  # as above


SIZE = number("BaseHeader", mqmq.BaseHeader(PacketSize=1000).encode().ljust(900, b"\0"), "PacketSize")
TOP = 0xFFFF_FFFF


def test_which_lies_there_are() -> None:
    """A third around what is there and at limits, a third near it, and a third anywhere."""
    left = 900 - 8
    known = [0, 1, 2, 999, 1001, 1002, 1004, 2000, 500, left, left + 1, left // 2, 900,
             TOP, TOP - 1, TOP - 3, 0x7FFF_FFFF, 0x8000_0000]  # fmt: skip
    near, anywhere = [744, 1003, 1256, 1003], [0, 1005, TOP, 1005]
    assert values(Mutation.LIE_IN_LENGTH, SIZE) == of((1, known), (1, near), (1, anywhere))
    assert chances(Mutation.LIE_IN_COUNT, SIZE) == {}


def test_which_sizes_wrap() -> None:
    """Of elements with 2 to 16 bytes, beyond 16 or 32 bits, by nothing, up to 63 or up to 4095 more."""
    surplus = [0, 0, 0, 63, 0, 0, 0, 63, 4095, 4095, 0, 0]
    wrapped = [
        (1000 + (1 << bits) // unit + more) % 2**32
        for unit in (2, 4, 8, 16) for bits in (16, 32) for more in surplus
    ]  # fmt: skip
    assert values(Mutation.WRAP_SIZE, SIZE) == of((1, wrapped))


def test_which_acknowledgments_are_wrong() -> None:
    """Half of them next to the right one or at limits, and half anywhere."""
    data = mqmq.SessionHeader(AckSequenceNumber=0x1234).encode()
    view = number("SessionHeader", data, "AckSequenceNumber")
    known = [0, 1, 0xFFFF, 0x8000, 0x1235, 0x1233, 0x1236, 0xEDCB]
    found = values(Mutation.BREAK_ACKNOWLEDGMENT, view)
    assert found == of((1, [0, 0x1237, 0xFFFF, 0x1237]), (1, known))


def test_which_extremes_there_are() -> None:
    """Half of them exact; a third at a power of two, the least and largest of which are tried here."""
    exact, shares = [0, TOP, 0x7FFF_FFFF, 0x8000_0000, 1, 1 << 31], [2, 2, 2, 2, 2, 2]
    found = Counter[int]()
    for one, share in zip(exact, shares, strict=True):
        for more, parts in ((0, 2), (-64, 1), (64, 1)):
            found[(one + more) % 2**32] += Fraction(share * parts, 12 * 4)  # type: ignore[assignment]
    assert values(Mutation.SET_EXTREME, SIZE) == found


def test_which_switches_there_are() -> None:
    """The known values but that which is there, and any other one; two bits may have any other."""
    view = number("ChangeNotificationMessage", b"\x01\0", "Version")
    assert values(Mutation.SELECT_FORM, view) == of((1, [2, 0]), (1, [2, 255]))
    view = number("DebugHeader", mqmq.DebugHeader(QueueIdentifier=None).encode(), "Flags")
    assert values(Mutation.FLIP_PRESENCE, view) == of((2, [1]), (1, [1, 2]), (1, [1, 3]))


def test_which_reserved_bits_change() -> None:
    """All of them, or some; never none, and none of those that have a meaning."""
    view = number("BaseHeader", mqmq.BaseHeader().encode(), "Flags")
    before = int(view.fields[0].value)
    assert values(Mutation.SET_RESERVED, view) == {before ^ 0xFEC0: 1}


LABEL = number("MessagePropertiesHeader", mqmq.MessagePropertiesHeader(Label="a\0").encode(), "Label")
NAME = number(
    "DeadLetterHeader", mqrr.DeadLetterHeader(DeadLetterPathName="a").encode(), "DeadLetterPathName"
)


def around(view: View, found: dict[bytes, Fraction]) -> dict[bytes, Fraction]:
    """These results, each with what is before and after the one field of a view."""
    (piece,) = view.fields
    before, after = view.data[: piece.offset], view.data[piece.offset + piece.size :]
    return {before + one + after: chance for one, chance in found.items()}


def test_how_terminators_are_lost() -> None:
    """To a letter, half of a character, or any two bytes; a text that ends with one may be without it."""
    others = (1, [b"a\0A\0", b"a\0\0\xd8", *[b"a\0??"] * 4])
    assert chances(Mutation.DROP_TERMINATOR, LABEL) == around(LABEL, of(others))
    assert chances(Mutation.DROP_TERMINATOR, NAME) == around(NAME, of((1, [b"a\0"]), others))


def test_which_bytes_are_odd() -> None:
    """Any one is missing, or there is one more, often a zero, a letter or the largest."""
    fewer = [b"\0\0\0", b"a\0\0", b"a\0\0", b"a\0\0"]
    more = [0, 0x41, 0xFF]
    places = (b"", b"a\0\0\0"), (b"a", b"\0\0\0"), (b"a\0", b"\0\0"), (b"a\0\0", b"\0")
    known = [left + bytes([byte]) + right for left, right in places for byte in more]
    anyone = [left + bytes([byte]) + right for left, right in places for byte in (0, 255)]
    found = of((8, fewer), (3, known), (5, anyone))
    assert chances(Mutation.ODD_BYTES, LABEL) == around(LABEL, found)


def test_how_far_boundaries_move() -> None:
    """By one, two, four, sixteen, half or all of what is there, or up to 256."""
    view = View(SIZE.data, "BaseHeader")
    view.fields = [SIZE.fields[0], SIZE.fields[0]._replace(offset=100, path="other", value=0)]
    found = Counter[tuple[int, int]]()
    for data, chance in chances(Mutation.MOVE_BOUNDARY, view).items():
        first, second = (int.from_bytes(piece.cut(data), "little") for piece in view.fields)
        found[first, second] += chance  # type: ignore[assignment]
    steps = [1, 2, 4, 16, 500, 1000]
    wanted = of((1, steps), (1, [*steps, 256]))
    assert found == {(1000 - step, step): chance for step, chance in wanted.items()}


PARTS = View(b"[123]", None)
PART = View(mqmq.UserMessage().encode(), None).parts[0]
OTHER_PART = View(mqmq.UserMessage().encode(), None).parts[1]
PARTS.parts = [PART._replace(offset=1, size=3)]
DONOR = View(b"xyy", None)
DONOR.parts = [PART._replace(offset=0, size=1), OTHER_PART._replace(offset=1, size=2)]


def test_where_parts_come_from() -> None:
    """From this packet or a donor, half of them of the same kind; half replace one, half precede it."""
    assert chances(Mutation.SPLICE_HEADER, PARTS, DONOR) == of(
        (4, [b"[123]", b"[123123]"]), (3, [b"[x]", b"[x123]"]), (1, [b"[yy]", b"[yy123]"])
    )
    nothing = View(b"data", None)
    assert set(chances(Mutation.SPLICE_HEADER, PARTS, nothing)) == {b"[123]", b"[123123]"}


def test_which_parts_are_dropped() -> None:
    """Any bytes of it in a row, or all."""
    cuts = [b"[%s]" % (b"123"[: min(pair)] + b"123"[max(pair) :]) for pair in product(range(4), repeat=2)]
    rows = [cut if cut != b"[123]" else b"[]" for cut in cuts]
    assert chances(Mutation.DROP_PART, PARTS) == of((1, rows), (1, [b"[]"]))


def test_how_often_parts_are_repeated() -> None:
    times = of((1, [2, 3, 17, 256]), (1, [2, 256]))
    wanted = {b"[%s]" % (b"123" * often): chance for often, chance in times.items()}
    assert chances(Mutation.REPEAT_PART, PARTS) == wanted


@pytest.mark.parametrize("size", [1, 30])
def test_where_bytes_are_cut_off(size: int) -> None:
    """Half of them at a field, of these half exactly there and half one byte beside it."""
    view = number("BaseHeader", mqmq.BaseHeader().encode().ljust(30, b"\0"), "PacketSize")
    view.data = view.data[:size]
    found = Counter[int]()
    for data, chance in chances(Mutation.CUT_OFF, view).items():
        found[len(data)] += chance  # type: ignore[assignment]
    ends = [min(end, size) for end in (7, 8, 8, 9)]
    assert found == of((1, ends), (1, [0, size - 1]))


def test_what_may_be_appended() -> None:
    """Three of four times up to 32 bytes, else zeros, a packet, or its beginning."""
    view, donor = View(b"data", None), View(b"0123456789abcdefghij", None)
    own, others = ([b"\0", bytes(16), one, one[:16]] for one in (b"data", donor.data))
    wanted = of((1, own), (1, others), (6, [b"?", b"?" * 32]))
    assert chances(Mutation.APPEND, view, donor) == {b"data" + tail: share for tail, share in wanted.items()}


def test_how_many_changed_bytes_are_limits() -> None:
    """Half of them, and a few of those that may be anything."""
    view, limits = View(b"x", None), {b"\0", b"\1", b"\x7f", b"\x80", b"\xff"}
    change = MUTATIONS[Mutation.CHANGE_BYTES]
    found = [change(Subject(view, (), Random(seed))) for seed in range(20_000)]  # noqa: S311  # repeatable
    assert 0.49 < sum(one is not None and one.data in limits for one in found) / 20_000 < 0.53
