"""Each mutation does all that its description promises, and nothing else, as many seeds show."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire import testing as mt
from msmq_wire.testing import Mutation, SessionMutation
from msmq_wire.testing.mutation.numbers import Switch, View, places
from msmq_wire.testing.mutation.operations import MUTATIONS, Change, Subject

if TYPE_CHECKING:
    from msmq_wire.records.spans import FieldSpan

FULL = mt.samples()[1]
"""A UserMessage with every header."""
VIEW = View(FULL, None)
FIELDS = {piece.path: piece for piece in VIEW.fields}
PARTS = {piece.path: piece for piece in VIEW.parts}
OTHER = View(b"another packet with more than sixteen bytes", None)
PROPERTIES = "UserMessage.MessagePropertiesHeader"


def changes(mutation: Mutation, view: View = VIEW, *donors: View, seeds: int = 2000) -> list[Change]:
    """What a mutation makes of some bytes, for many seeds."""
    subjects = (Subject(view, donors, Random(seed)) for seed in range(seeds))  # noqa: S311  # repeatable
    return [change for subject in subjects if (change := MUTATIONS[mutation](subject)) is not None]


def only(paths: list[str], view: View = VIEW) -> View:
    """The same bytes with some of their fields, so that few seeds are needed."""
    made = View(b"", None)
    made.data, made.parts = view.data, view.parts
    made.fields = [piece for piece in view.fields if piece.path in paths]
    return made


def numbers(mutation: Mutation, path: str, view: View = VIEW, seeds: int = 2000) -> Counter[int]:
    """The numbers that a mutation writes to a field, and how often."""
    (piece,) = only([path], view).fields
    found = changes(mutation, only([path], view), seeds=seeds)
    assert all(change.path == path for change in found)
    return Counter(int.from_bytes(piece.cut(change.data), "little") for change in found)


def outside(change: Change, piece: FieldSpan) -> tuple[bytes, bytes]:
    """What is before a field that may have another size now, and what is after it."""
    return change.data[: piece.offset], change.data[
        len(change.data) - len(FULL) + piece.offset + piece.size :
    ]


# ------------------------------------------------------------------------------------------------ numbers


@pytest.mark.parametrize(
    ("mutation", "field"),
    [
        (Mutation.LIE_IN_LENGTH, f"{PROPERTIES}.ExtensionSize"),
        (Mutation.LIE_IN_LENGTH, "UserMessage.SecurityHeader.SenderIdSize"),
        (Mutation.LIE_IN_COUNT, "UserMessage.MultiQueueFormatHeader.Destination.ElementCount"),
    ],
)
def test_lies(mutation: Mutation, field: str) -> None:
    """A bit more or less, doubled, halved, all that is left and more, both sides of the sign; no truth."""
    piece = FIELDS[field]
    value, top, left = int(piece.value), 256**piece.size - 1, len(FULL) - piece.offset
    found = numbers(mutation, field)
    wanted = {
        *(0, 1, 2, value - 1, value + 1, value + 2, value + 4, value * 2, value // 2),
        *(left, left + 1, left // 2, len(FULL), top, top - 1, top - 3, top // 2, top // 2 + 1),
    }
    assert wanted - {value} <= set(found)
    assert value not in found
    near = {number - value for number in found if abs(number - value) <= 256}
    assert min(near) < 0 < max(near)
    assert len(near) > 30
    assert len(found) > 200
    assert max(found) <= top


def test_lies_around_a_large_number() -> None:
    """Any number up to 256 away is as probable as another."""
    data = mqmq.BaseHeader(PacketSize=100_000).encode()
    view = View(data, "BaseHeader")
    found = numbers(Mutation.LIE_IN_LENGTH, "BaseHeader.PacketSize", view)
    near = {number - 100_000 for number in found if 5 < abs(number - 100_000) <= 1000}
    assert (min(near), max(near)) == (-256, 256)


@pytest.mark.parametrize("bits", [16, 32])
def test_a_count_whose_size_wraps(bits: int) -> None:
    """The smallest elements with this count need more bytes than fit into 16 or 32 bits; some just fit."""
    path = "UserMessage.MultiQueueFormatHeader.Destination.ElementCount"
    unit = places().counts["MQFAddressHeader", "ElementCount"]
    added = {number - 1 for number in numbers(Mutation.WRAP_SIZE, path)}
    wrapped = [more * unit - (1 << bits) for more in added if 0 <= more * unit - (1 << bits) < 4097 * unit]
    assert min(wrapped) < unit
    assert 1000 * unit < max(wrapped) < 4096 * unit
    assert all(more * unit >= 1 << 16 for more in added)


def test_a_size_that_wraps() -> None:
    """As a number of elements of 2, 4, 8 or 16 bytes; of 8 bits if it has no more."""
    found = numbers(Mutation.WRAP_SIZE, f"{PROPERTIES}.ExtensionSize")
    assert {9 + (1 << bits) // unit for bits in (16, 32) for unit in (2, 4, 8, 16)} <= set(found)
    assert min(found) >= 9 + (1 << 16) // 16
    label = numbers(Mutation.WRAP_SIZE, f"{PROPERTIES}.LabelLength")
    assert {6 + 256 // unit for unit in (2, 4, 8, 16)} <= set(label)
    wide = numbers(Mutation.WRAP_SIZE, "UserMessage.SecurityHeader.SignatureSize")
    assert {16 + (1 << 16) // unit for unit in (2, 4, 8, 16)} <= set(wide)


def test_presence_is_turned_over() -> None:
    """Each switch of a word is turned over alone, one of several bits to each of its numbers."""
    path = "UserMessage.UserHeader.Flags"
    before = int.from_bytes(FIELDS[path].cut(FULL), "little")
    found = {number ^ before for number in numbers(Mutation.FLIP_PRESENCE, path)}
    assert found == {
        number << switch.shift
        for switch in places().presence["UserHeader", "Flags"]
        for number in range(1, 1 << switch.width)
    }


@pytest.mark.parametrize(
    ("path", "owned"),
    [
        ("UserMessage.UserHeader.Flags", ("UserHeader", "Flags")),
        ("UserMessage.MultiQueueFormatHeader.Response.HeaderID", ("MQFAddressHeader", "HeaderID")),
    ],
)
def test_other_forms(path: str, owned: tuple[str, str]) -> None:
    """Each known form, and others, in the bits of one selector; never the form that is there."""
    before = int.from_bytes(FIELDS[path].cut(FULL), "little")
    found = numbers(Mutation.SELECT_FORM, path)
    assert before not in found
    for shift, width, values in places().forms[owned]:
        mask = (1 << width) - 1
        mine = {word >> shift & mask for word in found if (word ^ before) & ~(mask << shift) == 0}
        assert set(values) - {before >> shift & mask} <= mine
        assert len(mine) >= min(mask, 10)


def test_acknowledgments_that_are_wrong() -> None:
    """One or two off, all ones, the sign, the number turned over, or that of another field; no right one."""
    message = mqmq.UserMessage(
        SessionHeader=mqmq.SessionHeader(
            AckSequenceNumber=0x1234, UserMsgSequenceNumber=0x2345, WindowSize=77
        )
    )
    view = View(message.encode(), None)
    head = "UserMessage.SessionHeader"
    some = [f"{head}.AckSequenceNumber", f"{head}.UserMsgSequenceNumber", f"{head}.WindowSize"]
    piece = view.fields[[one.path for one in view.fields].index(some[0])]
    made = changes(Mutation.BREAK_ACKNOWLEDGMENT, only(some, view), seeds=6000)
    found = Counter(int.from_bytes(piece.cut(one.data), "little") for one in made if one.path == some[0])
    wanted = {0, 1, 0xFFFF, 0x8000, 0x1233, 0x1235, 0x1236, 0x1237, 0xFFFF - 0x1234, 0x2345, 77}
    assert wanted <= set(found)
    assert 0x1234 not in found
    any_number = sum(found.values()) - sum(map(found.__getitem__, wanted))
    assert 0.2 < any_number / sum(found.values()) < 0.4
    assert {number >> 12 for number in found} == set(range(16))


def test_known_numbers() -> None:
    """A number of an enumeration gets a member of it; no other number changes."""
    data = mqmq.MessagePropertiesHeader(MessageBody=b"x").encode()
    view = View(data, "MessagePropertiesHeader")
    classes = numbers(Mutation.SET_KNOWN, "MessagePropertiesHeader.MessageClass", view)
    assert {0x0000, 0x0001, 0x4000, 0x8000, 0x00FF} <= set(classes)
    assert len(set(classes)) < 40
    assert "MessagePropertiesHeader.LabelLength" not in {
        one.path for one in changes(Mutation.SET_KNOWN, view)
    }


def test_extremes() -> None:
    """The least, the largest, both sides of the sign and each power of two, and up to 64 around them."""
    found = numbers(Mutation.SET_EXTREME, "UserMessage.SessionHeader.WindowSize")
    extremes = {0, 0xFFFF, 0x7FFF, 0x8000, *(1 << bit for bit in range(16))}
    assert extremes <= set(found)
    assert all(min((number - one) % 0x1_0000 for one in extremes) <= 64 or
               min((one - number) % 0x1_0000 for one in extremes) <= 64 for number in found)  # fmt: skip
    assert {number - 0x8000 for number in found if abs(number - 0x8000) < 90} > {-60, 60}
    assert sum(found[number] for number in extremes) > sum(found.values()) * 0.4


def test_extremes_are_of_numbers_and_flags() -> None:
    found = {change.path for change in changes(Mutation.SET_EXTREME, seeds=4000)}
    kinds = {type(piece.field.kind).__name__ for path in found if (piece := FIELDS[path]).field}
    assert kinds == {"Integer", "Flags"}
    sized = {path for path, one in FIELDS.items() if one.field and type(one.field.kind).__name__ in kinds}
    assert found == sized


def test_reserved_bits() -> None:
    """Bits of a word that have a meaning keep it; some of the others change, and each at times."""
    piece = FIELDS["UserMessage.UserHeader.Flags"]
    before = int.from_bytes(piece.cut(FULL), "little")
    flags: Any = piece.field.kind if piece.field else None
    reserved = sum(group.mask for group in flags.groups if group.name.startswith("X"))
    turned = {before ^ number for number in numbers(Mutation.SET_RESERVED, piece.path)}
    assert 0 not in turned
    assert all(bits & ~reserved == 0 for bits in turned)
    assert sum(1 << bit for bit in range(32) if any(bits >> bit & 1 for bits in turned)) == reserved


# -------------------------------------------------------------------------------------------------- texts


def test_texts_without_terminator() -> None:
    """The last WCHAR is another one, or is removed from a text that ends with its terminator."""
    tails: dict[str, set[bytes]] = {}
    removed = set()
    for change in changes(Mutation.DROP_TERMINATOR):
        piece = FIELDS[change.path]
        before, after = outside(change, piece)
        assert (before, after) == (FULL[: piece.offset], FULL[piece.offset + piece.size :])
        text = change.data[piece.offset : len(change.data) - len(after)]
        kept = text.startswith(piece.cut(FULL)[:-2])
        assert kept
        if len(text) == piece.size - 2:
            removed.add(change.path)
        else:
            assert len(text) == piece.size
            tails.setdefault(change.path, set()).add(text[-2:])
    texts = {path for path, one in FIELDS.items() if one.size and type(one.value).__name__ == "str"}
    assert set(tails) == texts
    names = ("DeadLetterHeader.DeadLetterPathName",
             "MultiQueueFormatHeader.Destination.FormatNameList[0].FormatName.DirectFormatName")  # fmt: skip
    assert removed == {f"UserMessage.{name}" for name in names}
    assert all({b"A\0", b"\0\xd8"} < found and len(found) > 50 for found in tails.values())


def test_texts_of_half_a_character() -> None:
    """One byte more or less, anywhere in a text."""
    added, places_, sizes = Counter[int](), set(), Counter[int]()
    for change in changes(Mutation.ODD_BYTES, seeds=4000):
        piece = FIELDS[change.path]
        before, after = outside(change, piece)
        assert (before, after) == (FULL[: piece.offset], FULL[piece.offset + piece.size :])
        text, old = change.data[piece.offset : len(change.data) - len(after)], piece.cut(FULL)
        sizes[len(text) - len(old)] += 1
        if len(text) > len(old):
            ways = [at for at in range(len(old)) if text[:at] + text[at + 1 :] == old]
            assert ways
            added[text[ways[-1]]] += 1
            places_.add((change.path, ways[-1]))
        else:
            assert any(old[:at] + old[at + 1 :] == text for at in range(len(old)))
    assert sizes.keys() == {-1, 1}
    assert sizes[-1] < sizes[1]
    assert {byte for byte, _ in added.most_common(3)} == {0, 0x41, 0xFF}
    assert len(added) > 150
    assert len(places_) > 30


# ------------------------------------------------------------------------------------------------- parts


def test_boundaries() -> None:
    """What one size loses another gains: a bit, half of it, all of it, or some number up to 256."""
    lost: dict[str, set[int]] = {}
    names = ["UserMessage.BaseHeader.PacketSize", f"{PROPERTIES}.LabelLength", f"{PROPERTIES}.ExtensionSize",
             "UserMessage.SoapHeader.BodyDataLength"]  # fmt: skip
    sizes = only(names).fields
    for change in changes(Mutation.MOVE_BOUNDARY, only(names), seeds=2000):
        after = {piece.path: int.from_bytes(piece.cut(change.data), "little") for piece in sizes}
        moved = {piece.path: after[piece.path] - int(piece.value) for piece in sizes}
        moved = {path: step for path, step in moved.items() if step}
        loser = min(moved, key=moved.__getitem__)
        step = -moved[loser]
        assert 0 < step <= int(FIELDS[loser].value)
        gainer = FIELDS[change.path]
        assert after[change.path] == (int(gainer.value) + step) % 256**gainer.size
        assert set(moved) <= {loser, change.path}
        lost.setdefault(loser, set()).add(step)
    size = int(FIELDS["UserMessage.BaseHeader.PacketSize"].value)
    assert {1, 2, 4, 16, size // 2, size} <= lost["UserMessage.BaseHeader.PacketSize"]
    assert lost["UserMessage.BaseHeader.PacketSize"] - {size // 2, size} <= set(range(1, 257))
    assert len(lost["UserMessage.BaseHeader.PacketSize"]) > 50
    assert set(lost) == {piece.path for piece in sizes if piece.value}
    header = mqmq.BaseHeader(PacketSize=100_000).encode() + b"\4\0\0\0"
    two = View(header, "BaseHeader")
    two.fields = two.owned(places().lengths)
    two.fields.append(two.fields[0]._replace(offset=16, path="other", value=0))
    sizes = two.fields[:1]
    made = changes(Mutation.MOVE_BOUNDARY, two, seeds=4000)
    steps = Counter(100_000 - int.from_bytes(sizes[0].cut(change.data), "little") for change in made)
    assert {step for step, _ in steps.most_common(6)} == {1, 2, 4, 16, 50_000, 100_000}
    assert max(steps.keys() - {50_000, 100_000}) == 256


def test_headers_of_others() -> None:
    """A header of this packet or of a donor replaces one, of its kind or another, or precedes it."""
    donor = View(mqmq.UserMessage(UserHeader=mqmq.UserHeader(MessageID=0xABCDEF)).encode(), None)
    sources = {  # of the packet and of the donor
        own: {part.cut(view.data): part.structure for part in view.parts}
        for own, view in ((True, VIEW), (False, donor))
    }
    seen = Counter[tuple[bool, bool, bool]]()
    for change in changes(Mutation.SPLICE_HEADER, VIEW, donor):
        target = PARTS[change.path]
        rest, mine = FULL[target.offset + target.size :], target.cut(FULL)
        assert change.data.startswith(FULL[: target.offset])
        assert change.data.endswith(rest)
        new = change.data[target.offset : len(change.data) - len(rest)]
        before = new[: -len(mine)] if new.endswith(mine) else None
        found = [
            (inserted, own, parts[part] is target.structure)
            for inserted, part in ((False, new), (True, before))
            for own, parts in sources.items()
            if part in parts
        ]
        assert found
        seen.update(found if len(found) == 1 else ())
    assert len(seen) == 8
    assert sum(seen[row] for row in seen if row[2]) > sum(seen.values()) * 0.2


def test_parts_are_dropped() -> None:
    """A part as a whole, or any of its bytes in a row; nothing else is missing."""
    some = only([])
    some.data, some.parts = bytes(range(20)), [VIEW.parts[0]._replace(offset=8, size=5)]
    made = Counter(change.data for change in changes(Mutation.DROP_PART, some))
    cuts = {(first, last) for first in range(8, 14) for last in range(first + 1, 14)}
    assert set(made) == {some.data[:first] + some.data[last:] for first, last in cuts}
    assert made.most_common(1)[0][0] == some.data[:8] + some.data[13:]


def test_parts_are_repeated() -> None:
    """Twice to 256 times in a row."""
    times = Counter[int]()
    for change in changes(Mutation.REPEAT_PART):
        piece = PARTS[change.path]
        more, rest = divmod(len(change.data) - len(FULL), piece.size)
        assert rest == 0
        end = piece.offset + piece.size
        assert change.data == FULL[: piece.offset] + piece.cut(FULL) * (more + 1) + FULL[end:]
        times[more + 1] += 1
    assert (min(times), max(times)) == (2, 256)
    assert len(times) > 200
    assert min(times[often] for often in (2, 3, 17, 256)) > 100


# ------------------------------------------------------------------------------------------------- bytes


def test_cuts() -> None:
    """At the start of a field, a byte before or after, or anywhere."""
    ends = Counter[int]()
    for change in changes(Mutation.CUT_OFF, seeds=8000):
        assert FULL.startswith(change.data)
        assert change.path == f"byte {len(change.data)}"
        ends[len(change.data)] += 1
    starts = {piece.offset for piece in VIEW.fields}
    assert all(ends[start] and ends[start + 1] and (not start or ends[start - 1]) for start in starts)
    deep = set(range(375, 430))  # within a field of 64 bytes
    assert deep <= set(ends)
    at_fields = sum(ends[start] for start in starts)
    assert at_fields > ends.total() * 0.3
    assert max(ends) < len(FULL)


def test_cuts_of_bytes_without_fields() -> None:
    """In the middle and beside it, and anywhere; nothing cannot be cut."""
    ends = Counter(len(change.data) for change in changes(Mutation.CUT_OFF, View(bytes(100), None)))
    assert {49, 50, 51} == {end for end, _ in ends.most_common(3)}
    assert set(ends) == set(range(100))
    assert changes(Mutation.CUT_OFF, View(b"", None)) == []


def test_what_is_appended() -> None:
    """A zero, 16 of them, this packet or another, its beginning, or up to 32 other bytes."""
    tails = Counter[bytes]()
    for change in changes(Mutation.APPEND, VIEW, OTHER, seeds=6000):
        assert change.data.startswith(FULL)
        assert change.path == f"byte {len(FULL)}"
        tails[change.data[len(FULL) :]] += 1
    known = {b"\0", bytes(16), FULL, FULL[:16], OTHER.data, OTHER.data[:16]}
    assert min(tails[tail] for tail in known) > 100
    others = {tail for tail in tails if tail not in known}
    assert {len(tail) for tail in others} == set(range(1, 33))
    assert 0.6 < sum(map(tails.__getitem__, others)) / tails.total() < 0.9


def test_changed_bytes() -> None:
    """One to four of them, anywhere, to any value, and often to one of a limit."""
    data = bytes(range(100, 164))
    counts, where, values = set(), set(), Counter[int]()
    for change in changes(Mutation.CHANGE_BYTES, View(data, None), seeds=4000):
        assert len(change.data) == len(data)
        different = [at for at, pair in enumerate(zip(data, change.data, strict=True)) if pair[0] != pair[1]]
        assert {f"byte {offset}" for offset in different} <= set(change.path.split(", "))
        counts.add(len(different))
        where.update(different)
        values.update(change.data[at] for at in different)
    assert counts == {0, 1, 2, 3, 4}
    assert where == set(range(64))
    assert set(values) == set(range(256))
    assert {0, 1, 0x7F, 0x80, 0xFF} == {value for value, _ in values.most_common(5)}
    assert {len(change.data) for change in changes(Mutation.CHANGE_BYTES, View(b"", None))} == {1}


@pytest.mark.parametrize("mutation", Mutation)
@pytest.mark.parametrize("data", [b"", b"\0", b"no packet"])
def test_what_bytes_without_fields_can_have(mutation: Mutation, data: bytes) -> None:
    """No mutation of fields or parts, rather than an error."""
    found = changes(mutation, View(data, None), seeds=50)
    possible = mutation in {Mutation.APPEND, Mutation.CHANGE_BYTES} or (mutation == Mutation.CUT_OFF and data)
    assert bool(found) == bool(possible)


def test_one_size_has_no_boundary() -> None:
    """Two sizes are needed, one of which is not zero."""
    only = View(mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\b\0").encode(), "DirectQueueFormatName")
    assert len(only.owned(places().lengths)) == 1
    assert changes(Mutation.MOVE_BOUNDARY, only, seeds=9) == []
    empty = View(mqmq.SecurityHeader(SecurityData=None).encode(), "SecurityHeader")
    assert len(empty.owned(places().lengths)) == 5
    assert changes(Mutation.MOVE_BOUNDARY, empty, seeds=9) == []


# ----------------------------------------------------------------------------------------------- sessions

SESSION = [bytes([number]) * 4 for number in range(6)]


def sessions(mutation: SessionMutation, seeds: int = 600, **donors: Any) -> list[list[bytes]]:
    return [mt.mutate_session(SESSION, seed, mutation=mutation, **donors)[0] for seed in range(seeds)]


def test_swapped_packets() -> None:
    """Any two different ones; the others stay."""
    moved = {tuple(at for at in range(6) if one[at] != SESSION[at]) for one in sessions(SessionMutation.SWAP)}
    assert moved == {(one, other) for other in range(6) for one in range(other)}


def test_dropped_and_duplicated_packets() -> None:
    dropped = {tuple(one) for one in sessions(SessionMutation.DROP)}
    assert dropped == {(*SESSION[:at], *SESSION[at + 1 :]) for at in range(6)}
    twice = {tuple(one) for one in sessions(SessionMutation.DUPLICATE)}
    assert twice == {(*SESSION[: at + 1], *SESSION[at:]) for at in range(6)}


def test_replayed_packets() -> None:
    """Again after any later packet, or at once; never before."""
    again = {tuple(one) for one in sessions(SessionMutation.REPLAY)}
    assert again == {(*SESSION[:to], SESSION[at], *SESSION[to:]) for at in range(6) for to in range(at, 7)}


def test_reversed_packets() -> None:
    """Any run of at least two packets."""
    turned = {tuple(one) for one in sessions(SessionMutation.REVERSE)}
    assert turned == {
        (*SESSION[:start], *SESSION[start:stop][::-1], *SESSION[stop:])
        for start in range(6)
        for stop in range(start + 2, 7)
    }


def test_restarted_sessions() -> None:
    """At any place, with at least the first packet again and at most all."""
    found = {tuple(one) for one in sessions(SessionMutation.RESTART, 2000)}
    assert found == {
        (*SESSION[:at], *SESSION[:most], *SESSION[at:]) for at in range(7) for most in range(1, 7)
    }


def test_interleaved_sessions() -> None:
    """The own packets stay in order, and those of the other session, or of this one again, are anywhere."""
    where = set()
    for woven in sessions(SessionMutation.INTERLEAVE, donors=[b"a", b"b"]):
        assert [packet for packet in woven if packet in SESSION] == SESSION
        assert sorted(packet for packet in woven if packet not in SESSION) == [b"a", b"b"]
        where.add(woven.index(b"a"))
    assert where == set(range(8))
    assert all(sorted(one) == sorted(SESSION * 2) for one in sessions(SessionMutation.INTERLEAVE))


def test_truncated_packets() -> None:
    found = {tuple(one) for one in sessions(SessionMutation.CUT_OFF)}
    assert found == {
        (*SESSION[:at], SESSION[at][:size], *SESSION[at + 1 :]) for at in range(6) for size in range(4)
    }


def test_one_packet_is_mutated() -> None:
    """Any one, with headers of the donors or else of the session."""
    packets = [mqqb.SessionAck().encode(), mqmq.UserMessage().encode()]
    donor = mqmq.UserMessage(UserHeader=mqmq.UserHeader(MessageID=0xABCDEF12)).encode()
    changed, spliced = set(), 0
    for seed in range(200):
        made, _ = mt.mutate_session(packets, seed, mutation=SessionMutation.MUTATE_PACKET, donors=[donor])
        (at,) = (at for at in range(2) if made[at] != packets[at])
        changed.add(at)
        spliced += b"\x12\xef\xcd\xab" in made[at]
    assert changed == {0, 1}
    assert spliced
    alone = [mt.mutate_session([packets[0]], seed, mutation="mutate-packet")[0][0] for seed in range(300)]
    assert not any(b"\xff\xff\xff\xff" * 4 in data or mqmq.UserMessage().encode() in data for data in alone)


def test_each_session_mutation_has_its_turn() -> None:
    done = Counter(mt.mutate_session(SESSION, seed)[1] for seed in range(900))
    assert set(done) == set(SessionMutation)
    assert min(done.values()) > 60


# ------------------------------------------------------------------------------------------------- tables


def test_switches_of_the_same_bits_are_one() -> None:
    """The forms of a word are once for each group of bits, with all values that the layouts know."""
    for table in (places().presence, places().forms):
        for switches in table.values():
            bits = [switch[:2] for switch in switches]
            assert len(bits) == len(set(bits))
            assert all(list(switch.values) == sorted(set(switch.values)) for switch in switches)
    assert Switch(10, 3, (0, 3, 5, 7)) in places().forms["UserHeader", "Flags"]


@pytest.mark.long
def test_chances_within_a_stack() -> None:
    """Mutations with few results are rarer than others, and no later one cuts off what an earlier one did."""
    first, later = Counter[str](), Counter[str]()
    for mutant in mt.mutants(mw.encode(mqmq.UserMessage()), 1500, stacked=2):
        first[mutant.steps[0].mutation] += 1
        later[mutant.steps[1].mutation] += 1
    rare = [Mutation.FLIP_PRESENCE, Mutation.SELECT_FORM, Mutation.SET_KNOWN, Mutation.MOVE_BOUNDARY]
    usual = [Mutation.LIE_IN_LENGTH, Mutation.SET_EXTREME, Mutation.REPEAT_PART, Mutation.APPEND]
    assert max(first[one] for one in (*rare, Mutation.CUT_OFF)) < min(first[one] for one in usual)
    assert first[Mutation.CUT_OFF] > 0
    assert later[Mutation.CUT_OFF] == 0
    assert first.most_common(1)[0][0] == Mutation.CHANGE_BYTES


def test_values_of_properties_are_not_reserved() -> None:
    """Only fields can be: no value of a property is, and these messages have no filler."""
    for data in mt.samples("replication"):
        assert changes(Mutation.SET_RESERVED, View(data, "replication"), seeds=5) == []


def test_fields_after_what_was_not_read_are_found() -> None:
    """A damaged header hides its fields, not those of the SessionHeader at the end."""
    at = FIELDS["UserMessage.MultiQueueFormatHeader.Destination.HeaderSize"].offset
    damaged = FULL[:at] + b"\xff" * 4 + FULL[at + 4 :]
    paths = {piece.path for piece in View(damaged, None).fields}
    assert "UserMessage.MultiQueueFormatHeader.Destination.HeaderID" not in paths
    assert "UserMessage.SessionHeader.WindowSize" in paths
