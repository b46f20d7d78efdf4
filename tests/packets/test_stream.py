"""Framing: the same packets whatever the chunks, every byte accounted for, work linear in the bytes."""

from __future__ import annotations

import pickle
import struct
import sys
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Self

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support_examples import examples, share
from support_rows import for_each
from support_specs import load_tcp_packets

from msmq_wire import mqmq
from msmq_wire.packets import skips, stream
from msmq_wire.packets.lax import decode_lax
from msmq_wire.packets.packet import accept, decode
from msmq_wire.packets.packet_starts import REREADS, search
from msmq_wire.packets.stream import MAX_SKIPPED, Frame, PacketStream, Partial, Skipped
from msmq_wire.records.record import replace
from msmq_wire.values.errors import DecodeError, MsmqWireError, WrongTypeError
from msmq_wire.values.limits import Limits
from msmq_wire.values.numbers import MAX_PACKET_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GOLDEN = load_tcp_packets()
SESSION = b"".join(GOLDEN.values())
ACK = GOLDEN["frame-8-session-acknowledgment"]
MESSAGE = GOLDEN["frame-7-user-message-completed"]
TRAILING_SESSION_HEADER = mqmq.SessionHeader(AckSequenceNumber=5).encode()
MARK = b"\x10\0\0\0LIOR"
NO_PACKET = "no packet starts here (limit: buffer)"


def header(size: int, flags: int = 0) -> bytes:
    """A BaseHeader that claims so many bytes."""
    return struct.pack("<BBH4sII", 0x10, 0, flags, b"LIOR", size, 0xFFFFFFFF)


def message(body: bytes) -> bytes:
    """The golden UserMessage with another body."""
    packet: Any = decode(MESSAGE)
    properties = replace(packet.MessagePropertiesHeader, MessageBody=body)
    data: bytes = replace(packet, MessagePropertiesHeader=properties).encode()
    return data


def riding(*, inside: bool, rider: bytes = TRAILING_SESSION_HEADER) -> bytes:
    """The golden UserMessage with a SessionHeader, counted in PacketSize or not."""
    data = bytearray(MESSAGE)
    data[2] |= 0x10
    if inside:
        data[8:12] = (len(data) + 16).to_bytes(4, "little")
    return bytes(data) + rider


def unreadable(data: bytes) -> bytes:
    """The same packet, of the same size, as an internal packet of no known type."""
    bent = bytearray(data)
    bent[2] |= 8
    bent[18] |= 15
    return bytes(bent)


OUTSIDE, INSIDE = riding(inside=False), riding(inside=True)
BAD = unreadable(ACK)
ALIKE = MARK.ljust(16, b"\0")  # a SessionHeader that begins like a BaseHeader


def cut(data: bytes, points: Iterable[int]) -> list[bytes]:
    """The data cut at these points."""
    return [
        data[a:b] for a, b in pairwise([0, *sorted(point % (len(data) + 1) for point in points), len(data)])
    ]


def bytewise(data: bytes) -> list[bytes]:
    return [data[at : at + 1] for at in range(len(data))]


def comparable(items: Iterable[Frame | Skipped]) -> list[tuple[int, bytes, object]]:
    """What was found, in a form that compares."""
    return [
        (item.offset, item.data, item.packet if isinstance(item, Frame) else str(item.error))
        for item in items
    ]


def run(chunks: Iterable[bytes], taken: PacketStream | None = None) -> list[Frame | Skipped]:
    """Feed and close; check on the way that nothing is lost."""
    taken = PacketStream() if taken is None else taken
    found: list[Frame | Skipped] = []
    fed = b""
    small = []
    for chunk in chunks:
        found += taken.frames(chunk)
        small.append(chunk)
        if len(small) == 64:
            fed = conserved(taken, found, fed + b"".join(small))
            small = []
    fed = conserved(taken, found, fed + b"".join(small))
    found += taken.frames(final=True)
    conserved(taken, found, fed)
    assert taken.pending == b""
    assert taken.closed
    return found


def conserved(taken: PacketStream, found: list[Frame | Skipped], fed: bytes) -> bytes:
    """Check that everything fed was found or is pending, in order; return it."""
    assert b"".join(item.data for item in found) + taken.pending == fed
    offset = 0
    for item in found:
        assert item.offset == offset
        assert item.data
        offset += len(item.data)
        if isinstance(item, Frame):
            assert item.packet.encode() == item.data
        else:
            assert item.offset <= item.error.offset <= len(fed)
    frames = [item for item in found if isinstance(item, Frame)]
    skips = [item for item in found if isinstance(item, Skipped)]
    assert taken.bytes_fed == len(fed)
    assert taken.packets == len(frames)
    assert taken.skips == len(skips)
    assert taken.bytes_skipped == sum(len(item.data) for item in skips)
    return fed


def packets_of(found: Iterable[Frame | Skipped]) -> list[bytes]:
    return [item.data for item in found if isinstance(item, Frame)]


def skips_of(found: Iterable[Frame | Skipped]) -> list[Skipped]:
    return [item for item in found if isinstance(item, Skipped)]


def every_way(data: bytes) -> list[Frame | Skipped]:
    """What is found in the data, having checked that chunks make no difference."""
    whole = run([data])
    assert comparable(run(bytewise(data))) == comparable(whole)
    for size in (2, 7, 8, 15, 16, 17, 1000):
        assert comparable(run(data[at : at + size] for at in range(0, len(data), size))) == comparable(whole)
    for at in range(0, len(data), max(1, len(data) // 100)):
        assert comparable(run([data[:at], data[at:]])) == comparable(whole)
    return whole


# ------------------------------------------------------------------------------------- good streams


def test_the_corpus_is_there() -> None:
    assert GOLDEN


def test_golden_session() -> None:
    found = every_way(SESSION)
    assert [item.packet for item in found if isinstance(item, Frame)] == [
        decode(data) for data in GOLDEN.values()
    ]
    assert len(found) == len(GOLDEN)


@for_each("name", lambda: GOLDEN)
def test_golden_packet_alone_and_with_trailing_bytes(name: str) -> None:
    data = GOLDEN[name]
    assert PacketStream().feed(data) == [decode(data)]
    assert packets_of(every_way(data)) == [data]
    for trailing in (b"\0", ACK[:20], b"\x10", MARK):
        found = every_way(data + trailing)
        assert [item.data for item in found] == [data, trailing]
        assert isinstance(found[1], Skipped)


def test_packets_that_are_cut_off_or_damaged() -> None:
    """They are skips of their own kind, whatever else is skipped, and have what is known of them."""
    for step in (1 << 20, 7, 100):
        data = b"junk" + BAD + ACK + MESSAGE[:100] + ACK + MESSAGE[9:40] + header(7) + bytes(9) + MESSAGE[:-3]
        found = run([data[at : at + step] for at in range(0, len(data), step)])
        skips = skips_of(found)
        assert [type(skip) for skip in skips] == [Skipped, Partial, Partial, Skipped, Partial, Partial]
        parts = [skip for skip in skips if isinstance(skip, Partial)]
        assert [part.data[:16] for part in parts] == [BAD[:16], MESSAGE[:16], header(7), MESSAGE[:16]]
        assert parts[0].result.error is not None
        assert parts[0].result.fields["BaseHeader.PacketSize"] == len(BAD)
        cut = parts[1].result
        assert cut.reached is not None
        whole = decode_lax(MESSAGE).fields
        assert all(whole[path] == value for path, value in cut.fields.items())
        assert cut.fields["UserHeader.MessageID"] == whole["UserHeader.MessageID"]
        assert repr(parts[1]).startswith(f"Partial(offset={parts[1].offset}, data=")
        assert [found[-1]] == parts[-1:]
        assert parts[-1].result.reached == decode_lax(MESSAGE[:-3]).reached


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda data: memoryview(data).cast("I")])
def test_feed_takes_every_kind_of_bytes(kind: Callable[[bytes], Any]) -> None:
    taken = PacketStream()
    assert taken.feed(kind(SESSION)) == [decode(data) for data in GOLDEN.values()]
    assert taken.bytes_fed == len(SESSION)


def test_a_chunk_may_change_after_it_was_fed() -> None:
    chunk = bytearray(ACK + ACK[:20])
    taken = PacketStream()
    found = taken.frames(chunk)
    chunk[:] = bytes(len(chunk))
    assert packets_of([*found, *taken.frames(ACK[20:])]) == [ACK, ACK]


def test_nothing_is_lost_with_an_iterator_that_is_dropped() -> None:
    data = (ACK + b"junk" + MESSAGE + BAD) * 200
    whole = run([data])
    for way in range(4):
        taken = PacketStream()
        found: list[Frame | Skipped] = []
        for at in range(0, len(data), 9_000):
            items = taken.frames(data[at : at + 9_000])
            found += islice(items, (0, 1, 300)[at // 9_000 % 3])
            assert taken.bytes_fed == min(at + 9_000, len(data))
            assert b"".join(item.data for item in found) == data[: sum(len(item.data) for item in found)]
        if way == 3:
            left = [item.packet for item in whole[len(found) :] if isinstance(item, Frame)]
            assert taken.feed(b"") + taken.close() == left
        else:
            found += taken.frames(final=True)
            assert comparable(found) == comparable(whole)
        assert taken.pending == b""
        assert comparable(taken.skipped) == comparable(skips_of(whole))


def test_what_an_iterator_has_not_come_to_is_pending() -> None:
    taken = PacketStream()
    data = ACK * 1000
    items = taken.frames(data)
    assert taken.pending == data
    next(items)
    assert data.endswith(taken.pending)
    assert taken.pending
    taken.frames(ACK[:7])
    assert taken.pending.endswith(ACK + ACK[:7])
    assert len(list(items)) == 999
    assert taken.pending == ACK[:7]


def test_many_packets_are_the_same_as_few() -> None:
    """Of many the numbers are shared."""
    session = SESSION + b"".join(
        ACK[:16]
        + number.to_bytes(2, "little")
        + ACK[18:20]
        + bytes(number * byte % 251 for byte in range(16))
        for number in range(3000)
    )
    assert PacketStream().feed(session) == [
        item.packet for item in PacketStream().frames(session) if isinstance(item, Frame)
    ]


def test_skips_are_values() -> None:
    one, other = (skips_of(run([BAD + ACK + b"junk"])) for _ in range(2))
    assert one == other
    assert len({*one, *other}) == len(one)
    assert repr(one[-1]) == f"Skipped(offset={one[-1].offset}, data=b'junk', error={one[-1].error!r})"
    assert comparable(pickle.loads(pickle.dumps(one))) == comparable(one)  # noqa: S301  # our own


@pytest.mark.parametrize("wrong", [5, "text", None, [16]])
def test_feed_takes_nothing_else(wrong: Any) -> None:
    taken = PacketStream()
    with pytest.raises(TypeError):
        taken.feed(wrong)
    assert taken.feed(ACK) == [decode(ACK)]


@pytest.mark.parametrize("data", [ACK, GOLDEN["frame-3-establish-connection-request"], MESSAGE])
def test_a_packet_is_handed_out_with_its_last_byte(data: bytes) -> None:
    taken = PacketStream()
    assert taken.feed(data[:-1]) == []
    assert taken.pending == data[:-1]
    assert taken.synchronised
    assert taken.feed(data[-1:]) == [decode(data)]
    assert taken.pending == b""


def test_nothing_comes_of_nothing() -> None:
    taken = PacketStream()
    assert taken.feed(b"") == []
    assert taken.synchronised
    assert repr(taken) == "<PacketStream: 0 packets, 0 bytes skipped, 0 bytes pending>"
    assert taken.close() == []
    assert repr(taken) == "<PacketStream: 0 packets, 0 bytes skipped, closed>"
    assert (taken.skipped, taken.pending, taken.bytes_fed) == ((), b"", 0)


def test_the_end_may_come_with_the_last_bytes() -> None:
    found = PacketStream().frames(ACK + b"tail", final=True)
    assert [item.data for item in found] == [ACK, b"tail"]


# ----------------------------------------------------------------------------------- after the end


def test_a_closed_stream_takes_no_more() -> None:
    taken = PacketStream()
    taken.feed(ACK)
    taken.close()
    for feed in (taken.feed, taken.frames):
        with pytest.raises(MsmqWireError, match=r"^the stream was closed after 36 bytes$"):
            feed(b"")
    with pytest.raises(MsmqWireError):
        taken.frames(ACK, final=True)
    assert taken.bytes_fed == 36


def test_closing_again_does_nothing() -> None:
    taken = PacketStream()
    taken.feed(b"junk")
    assert taken.close() == []
    assert taken.close() == []
    assert list(taken.frames(final=True)) == []
    assert [item.data for item in taken.skipped] == [b"junk"]


# --------------------------------------------------------------------------------------------- size


@pytest.mark.parametrize("size", [0, 1, 15, MAX_PACKET_SIZE + 1, 0xFFFFFFFF])
def test_a_size_that_no_packet_has_is_not_waited_for(size: int) -> None:
    taken = PacketStream()
    assert taken.feed(header(size)) == []
    assert not taken.synchronised
    assert taken.feed(ACK) == [decode(ACK)]
    (skip,) = taken.skipped
    assert (skip.offset, skip.data) == (0, header(size))
    error = skip.error
    assert (error.structure, error.path, error.offset) == ("BaseHeader", "BaseHeader.PacketSize", 8)
    assert (error.expected, error.actual) == (f"16 to {MAX_PACKET_SIZE}", size)
    assert error.limit == "PacketStream.max_packet_size"
    assert [item.data for item in every_way(ACK + header(size) + ACK)] == [ACK, header(size), ACK]


def test_sixteen_bytes_are_waited_for_and_cannot_be_read() -> None:
    found = every_way(header(16) + ACK)
    assert [item.data for item in found] == [header(16), ACK]
    (skip,) = skips_of(found)
    assert skip.error.path == "UserMessage.UserHeader.SourceQueueManager"
    assert skip.error.offset == 16


def test_the_cap_is_adjustable() -> None:
    assert PacketStream().max_packet_size == MAX_PACKET_SIZE == 0x00400000
    data = ACK + MESSAGE + ACK
    assert packets_of(run([data], PacketStream(len(MESSAGE)))) == [ACK, MESSAGE, ACK]
    assert [item.data for item in run([data], PacketStream(len(MESSAGE) - 1))] == [ACK, MESSAGE, ACK]
    assert packets_of(run([data], PacketStream(len(MESSAGE) - 1))) == [ACK, ACK]
    over = message(bytes(MAX_PACKET_SIZE))
    assert packets_of(run([over], PacketStream(0xFFFFFFFF))) == [over]


def test_the_cap_does_not_count_a_rider() -> None:
    assert packets_of(run([OUTSIDE], PacketStream(len(MESSAGE)))) == [OUTSIDE]


def test_a_cap_below_every_packet_is_refused() -> None:
    with pytest.raises(MsmqWireError, match=r"max_packet_size is 15; a packet has at least 16 bytes"):
        PacketStream(15)
    PacketStream(16)
    with pytest.raises(MsmqWireError, match="max_skipped is -1, which is not a count"):
        PacketStream(max_skipped=-1)


# --------------------------------------------------------------------------------------------- junk


@pytest.mark.parametrize(
    "junk",
    [
        b"\0",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x10" * 40,
        b"LIOR" * 10,
        b"\x10LIOR",
        b"\x10\0\0\0LIO",
        b"\x11\0\0\0LIOR" * 3,
        MARK,
        MARK * 3,
        header(0) * 3,
        header(MAX_PACKET_SIZE),
        header(1000, flags=0x18),
        bytes(100_000),
    ],
)
def test_junk_anywhere(junk: bytes) -> None:
    data = junk + ACK + junk + MESSAGE + OUTSIDE + junk + INSIDE + junk
    assert packets_of(run([data])) == [ACK, MESSAGE, OUTSIDE, INSIDE]
    assert comparable(run(data[at : at + 11] for at in range(0, len(data), 11))) == comparable(run([data]))
    if len(junk) < 100:
        assert comparable(run(bytewise(data))) == comparable(run([data]))


def test_a_bare_mark_swallows_no_packet() -> None:
    # Its PacketSize is the beginning of the packet after it, and far above the cap.
    found = every_way(MARK + ACK)
    assert [item.data for item in found] == [MARK, ACK]


def test_junk_is_one_report_however_it_came() -> None:
    found = every_way(b"some junk" + ACK)
    assert comparable(found)[0] == (
        0,
        b"some junk",
        f"expected 0x524f494c, found 0x6e756a20; {NO_PACKET} - at `BaseHeader.Signature`, byte 4",
    )


def test_errors_say_what_is_wrong_and_where_in_the_stream() -> None:
    found = every_way(ACK + b"\x11" + ACK[1:])
    assert str(skips_of(found)[0].error) == (
        f"expected 0x10, found 0x11; {NO_PACKET} - at `BaseHeader.VersionNumber`, byte 36"
    )
    (skip,) = skips_of(every_way(ACK + ACK[:9]))
    assert (
        str(skip.error) == "expected 4 bytes, found 1 (limit: buffer) - at `BaseHeader.PacketSize`, byte 44"
    )
    (skip,) = skips_of(every_way(ACK + b"\0\0\0"))
    assert str(skip.error) == (
        f"expected 0x10, found 0x0; {NO_PACKET} - at `BaseHeader.VersionNumber`, byte 36"
    )
    for short in (ACK[:2], ACK[:7], ACK[:9]):  # as `decode` says
        (skip,) = skips_of(every_way(short))
        with pytest.raises(DecodeError) as caught:
            decode(short)
        assert str(skip.error) == str(caught.value)
    (skip,) = skips_of(every_way(ACK + MESSAGE[:1650]))
    assert str(skip.error) == (
        "expected a size of at most 1650 bytes, found 2224 (limit: buffer)"
        " - at `BaseHeader.PacketSize`, byte 44"
    )
    assert (skip.error.expected, skip.error.actual) == ("at most 1650", 2224)
    (skip,) = skips_of(every_way(ACK + BAD + ACK))
    assert (skip.error.structure, skip.error.path) == ("InternalHeader", "InternalHeader.Flags.PT")
    assert (skip.error.offset, skip.error.actual) == (36 + 18, 15)


def test_errors_hold_no_frames() -> None:
    for skip in skips_of(run([BAD + ACK + b"junk" + header(3) + riding(inside=True)[:-20] + BAD])):
        assert skip.error.__traceback__ is None
        assert skip.error.__context__ is None


def test_junk_without_end_is_reported_in_pieces() -> None:
    taken = PacketStream()
    assert taken.feed(bytes(0x3_0000 + 7)) == []
    assert [len(skip.data) for skip in taken.skipped] == [0x1_0000] * 3
    assert taken.pending == bytes(7)
    data = bytes(0x1_8000) + ACK + bytes(0x1_0000) + ACK + bytes(0x2_0000)
    found = run([data])
    assert [len(item.data) for item in found] == [0x1_0000, 0x8000, 36, 0x1_0000, 36, 0x1_0000, 0x1_0000]
    assert comparable(run(data[at : at + 13] for at in range(0, len(data), 13))) == comparable(found)


def test_skips_that_were_taken_make_room() -> None:
    log = skips.SkipLog(5000)
    for _ in range(3):
        for at in range(4):
            log.add(skips_of(run([b"junk" * (at + 1) + ACK]))[0])
        assert log.forgotten == 0
        assert len(log.take()) == 4


def test_junk_is_reported_as_soon_as_a_header_is_seen() -> None:
    taken = PacketStream()
    for byte in bytewise(b"nineteen bytes of  " + ACK[:7]):
        taken.feed(byte)
        assert taken.skips == 0
    taken.feed(ACK[7:8])
    assert [skip.data for skip in taken.skipped] == [b"nineteen bytes of  "]


def test_pieces_of_an_unreadable_packet_have_their_own_errors() -> None:
    data = header(0x2_0000) + bytes(0x2_0000 - 16) + b"no header" + ACK
    found = run([data])
    assert [len(item.data) for item in found] == [0x1_0000, 0x1_0000, 9, 36]
    first, second, *_ = skips_of(found)
    assert first.error.path == "UserMessage"
    assert second.error.path == "BaseHeader.Signature"


def test_synchronised_tells_at_once() -> None:
    taken = PacketStream()
    assert taken.feed(ACK + b"12345678") == [] or taken.packets == 1
    assert not taken.synchronised
    assert taken.skipped == ()
    assert taken.pending == b"12345678"
    taken.feed(ACK)
    assert taken.synchronised
    assert [skip.data for skip in taken.skipped] == [b"12345678"]
    taken.feed(BAD)
    assert not taken.synchronised
    taken.feed(ACK)
    assert taken.synchronised


# --------------------------------------------------------------------------- a SessionHeader rides along


@pytest.mark.parametrize("data", [OUTSIDE, INSIDE])
@pytest.mark.parametrize(
    "behind", [b"", ACK, MESSAGE, OUTSIDE, INSIDE, b"junk", bytes(16), bytes(40), header(7)]
)
def test_a_rider_counted_or_not(data: bytes, behind: bytes) -> None:
    found = every_way(ACK + data + behind)
    assert found[1].data == data
    packet: Any = found[1].packet  # type: ignore[union-attr]  # a Frame
    assert packet.SessionHeader.AckSequenceNumber == 5
    assert packet == decode(data)


@pytest.mark.parametrize("priority", range(8))
def test_a_rider_with_any_priority(priority: int) -> None:
    data = bytearray(OUTSIDE)
    data[2] = data[2] & ~7 | priority
    assert [(type(one), one.data) for one in every_way(bytes(data) + ACK)] == [
        (Frame, bytes(data)),
        (Frame, ACK),
    ]


@pytest.mark.each(15)
@pytest.mark.parametrize("missing", range(1, 16))
def test_a_rider_cut_off_is_no_rider(missing: int) -> None:
    found = every_way(OUTSIDE[:-missing])
    assert packets_of(found) == []
    (skip,) = skips_of(found)
    assert skip.error.path.startswith("UserMessage.SessionHeader.")


def test_a_rider_that_begins_like_a_header() -> None:
    alike = riding(inside=False, rider=ALIKE)
    for behind in (b"", ACK, b"junk"):
        found = every_way(alike + behind)
        assert found[0].data == alike
        assert isinstance(found[0], Frame)


def test_an_internal_packet_counts_everything() -> None:
    assert decode(ACK).BaseHeader.Flags.SH
    taken = PacketStream()
    assert taken.feed(ACK) == [decode(ACK)]
    assert packets_of(every_way(ACK + TRAILING_SESSION_HEADER + ACK)) == [ACK, ACK]


@pytest.mark.parametrize("bent", [OUTSIDE, INSIDE])
def test_an_unreadable_packet_with_a_rider(bent: bytes) -> None:
    bad = bytearray(bent)
    bad[16 + 44 + 12 + 50] ^= 0xFF  # somewhere in the label's or the queue's sizes
    bad[16 + 46] = 4  # DQ 2 selects no queue name
    bad[16 + 45] = 0x08
    found = every_way(ACK + bytes(bad) + ACK)
    assert [item.data for item in found] == [ACK, bytes(bad), ACK]
    assert isinstance(found[1], Skipped)
    assert [item.data for item in every_way(bytes(bad))] == [bytes(bad)]
    found = every_way(bytes(bad) + b"junk" + ACK)
    assert packets_of(found) == [ACK]


# ------------------------------------------------------------------------------ unreadable packets


def test_an_unreadable_packet_is_one_report() -> None:
    for data in GOLDEN.values():
        bad = unreadable(data)
        found = every_way(ACK + bad + MESSAGE + bad + bad)
        assert [item.data for item in found] == [ACK, bad, MESSAGE, bad, bad]
        assert packets_of(found) == [ACK, MESSAGE]


def test_an_unreadable_packet_of_a_wrong_size_hides_no_packet() -> None:
    # The size of the first is wrong: it swallows two more and a half.
    wrong = bytearray(unreadable(ACK))
    wrong[8] = 36 * 3 + 18
    found = every_way(bytes(wrong) + ACK * 5)
    assert [item.data for item in found] == [bytes(wrong)] + [ACK] * 5


def test_more_than_the_version_tells_a_packet() -> None:
    wrong = bytearray(BAD)
    wrong[8] = 36 * 2
    junk = b"\x10 no signature"
    found = every_way(bytes(wrong) + ACK + junk + ACK)
    assert [item.data for item in found] == [bytes(wrong), ACK, junk, ACK]


def test_a_size_that_the_stream_never_reaches_hides_no_packet() -> None:
    found = every_way(header(100_000) + ACK + MESSAGE + OUTSIDE)
    assert [item.data for item in found] == [header(100_000), ACK, MESSAGE, OUTSIDE]


def test_packets_within_the_body_of_a_good_message_are_not_packets() -> None:
    data = message(SESSION)
    assert packets_of(every_way(data + ACK)) == [data, ACK]


def test_what_follows_an_unreadable_packet_is_waited_for() -> None:
    taken = PacketStream()
    taken.feed(BAD + ACK[:7])
    assert taken.skips == 0
    assert taken.pending == BAD + ACK[:7]
    taken.feed(ACK[7:8])
    assert [skip.data for skip in taken.skipped] == [BAD]
    assert taken.feed(ACK[8:]) == [decode(ACK)]


def test_claims_are_believed_when_too_many_were_wrong() -> None:
    cap = 4096
    taken = PacketStream(cap)
    data = header(cap) * 1000 + bytes(cap) + ACK
    found = run([data], taken)
    assert packets_of(found) == [ACK]
    longest = max(len(skip.data) for skip in skips_of(found))
    assert longest == cap
    bytewise_found = run(bytewise(data), PacketStream(cap))
    assert comparable(bytewise_found) == comparable(found)


def test_packets_within_an_unreadable_packet_are_not_packets() -> None:
    bad = unreadable(message(SESSION))
    assert [item.data for item in every_way(bad + ACK)] == [bad, ACK]
    assert [item.data for item in every_way(bad)] == [bad]


def test_packets_within_a_packet_that_is_cut_off_are_found() -> None:
    # Where a message begins that never ends, its header may be wrong, and what follows may be packets.
    data = message(SESSION)[:-1]
    found = every_way(data)
    assert packets_of(found) == list(GOLDEN.values())


@pytest.mark.parametrize("data", [OUTSIDE, INSIDE, ACK, MESSAGE, BAD])
def test_nothing_is_decoded_twice(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    decoded = []

    def counted(raw: bytes, *args: Any, **options: Any) -> Any:
        decoded.append(raw)
        return accept(raw, *args, **options)

    monkeypatch.setattr(stream, "accept", counted)
    for chunks in ([data + ACK], [data, ACK], bytewise(data + ACK)):
        decoded.clear()
        run(chunks)
        assert decoded == [data, ACK]


@pytest.mark.each(2)
@pytest.mark.parametrize("inside", [False, True])
def test_an_unreadable_body_of_a_packet_with_a_rider(inside: bool) -> None:
    bad = bytearray(riding(inside=inside))
    at = bad.index((2000).to_bytes(4, "little"))
    bad[at : at + 4] = (3000).to_bytes(4, "little")
    (skip,) = skips_of(every_way(bytes(bad) + ACK))
    assert skip.data == bytes(bad)
    assert skip.error.path == "UserMessage.MessagePropertiesHeader.MessageBody"
    assert skip.error.expected == 3000


def test_a_long_good_stream_buys_no_more_patience() -> None:
    cap = 4096
    bad = header(cap) * 1000 + bytes(cap)
    skips = skips_of(run([bad], PacketStream(cap)))
    later = skips_of(run([ACK * 2000 + bad], PacketStream(cap)))
    assert [skip.data for skip in later] == [skip.data for skip in skips]


# ----------------------------------------------------------------------------------------- the log


def test_the_log_is_bounded_by_default() -> None:
    taken = PacketStream()
    assert taken.max_skipped == MAX_SKIPPED
    for _ in range(200):
        taken.feed(bytes(0x1_0000))
    taken.close()
    assert sum(len(skip.data) for skip in taken.skipped) <= MAX_SKIPPED
    assert taken.skips == 200
    assert taken.forgotten + len(taken.skipped) == 200
    assert taken.skipped[-1].offset == 199 * 0x1_0000
    assert taken.bytes_skipped == 200 * 0x1_0000


def test_many_short_skips_are_bounded_too() -> None:
    taken = PacketStream(max_skipped=10_000)
    taken.feed((b"x" + ACK) * 1000)
    assert len(taken.skipped) == 10_000 // 1025
    assert taken.forgotten == 1000 - len(taken.skipped)
    assert taken.skipped[-1].offset == 999 * 37


def test_a_skip_is_charged_for_all_that_it_keeps_in_memory() -> None:
    """1,024 bytes and its own, and for a piece of a rejected packet, eight times that packet."""

    def kept(skip: Skipped, most: int) -> int:
        log = skips.SkipLog(most)
        log.add(skip)
        log.add(skip)
        return len(log.skips)

    packet = bytes(100)
    for skip, charge in (
        (Skipped(0, packet, (skips.no_mark, packet[:8])), 1024 + 100),
        (Skipped(0, packet, (skips.unreadable, packet, Limits())), 1024 + 100),
        (Skipped(0, packet[:50], (skips.unreadable, packet, Limits())), 1024 + 50 + 8 * 100),
    ):
        assert (kept(skip, 2 * charge - 1), kept(skip, 2 * charge)) == (1, 2)


def test_the_newest_skip_is_always_kept() -> None:
    taken = PacketStream(max_skipped=0)
    taken.feed((b"long enough" + ACK) * 2)
    assert [skip.offset for skip in taken.skipped] == [47]


def test_the_log_may_have_no_bound() -> None:
    taken = PacketStream(max_skipped=None)
    for _ in range(100):
        taken.feed(bytes(0x1_0000))
    taken.close()
    assert len(taken.skipped) == 100
    assert taken.forgotten == 0


def test_the_log_can_be_taken() -> None:
    taken = PacketStream(max_skipped=1000)
    for count in range(1, 20):
        taken.feed(b"junk" + ACK)
        (skip,) = taken.take_skipped()
        assert skip.offset == (count - 1) * 40
        assert taken.skipped == ()
    assert taken.forgotten == 0
    assert taken.skips == 19


def test_what_is_found_cannot_be_changed() -> None:
    for item in run([b"junk" + ACK]):
        with pytest.raises(AttributeError):
            item.offset = 3  # type: ignore[misc]  # this is the mistake


# ------------------------------------------------------------------------------------- all streams

PIECES = [
    *GOLDEN.values(),
    OUTSIDE,
    INSIDE,
    riding(inside=False, rider=ALIKE),
    BAD,
    unreadable(OUTSIDE),
    ACK[:30],
    MESSAGE[:1650],
    MARK,
    header(0),
    header(16),
    header(17, flags=0x10),
    header(40),
    header(40, flags=0x10),
    header(300),
    header(0xFFFFFFFF),
    b"\x10",
    b"LIOR",
    b"LIO",
    b"\x11\0\0\0LIOR",
]


def anything() -> st.SearchStrategy[bytes]:
    """Streams of packets, bent packets, fake headers and junk."""
    piece = st.one_of(st.sampled_from(PIECES), st.binary(max_size=40))
    return st.lists(piece, max_size=8).map(b"".join)


def chunked(data: st.SearchStrategy[bytes]) -> st.SearchStrategy[tuple[bytes, list[int]]]:
    """Streams and where to cut them."""
    return st.tuples(data, st.lists(st.integers(0, 1 << 16), max_size=30))


@settings(max_examples=examples(400), deadline=None)
@given(chunked(anything()))
def test_chunks_make_no_difference(case: tuple[bytes, list[int]]) -> None:
    data, points = case
    whole = comparable(run([data]))
    assert comparable(run(cut(data, points))) == whole
    assert comparable(run(bytewise(data))) == whole


@settings(max_examples=examples(400), deadline=None)
@given(chunked(anything()), st.integers(16, 400))
def test_chunks_make_no_difference_under_a_low_cap(case: tuple[bytes, list[int]], cap: int) -> None:
    data, points = case
    whole = comparable(run([data], PacketStream(cap)))
    assert comparable(run(cut(data, points), PacketStream(cap))) == whole
    assert comparable(run(bytewise(data), PacketStream(cap))) == whole


@settings(max_examples=examples(200), deadline=None)
@given(chunked(st.binary(max_size=300)))
@example((MARK * 3, [1, 9, 20]))
def test_arbitrary_bytes_are_all_accounted_for(case: tuple[bytes, list[int]]) -> None:
    data, points = case
    assert b"".join(item.data for item in run(cut(data, points))) == data


@settings(max_examples=examples(200), deadline=None)
@given(
    chunked(st.just(b"")),
    st.lists(
        st.tuples(
            st.sampled_from([*GOLDEN.values(), OUTSIDE, INSIDE]),
            st.binary(max_size=40).filter(lambda junk: b"LIOR" not in junk and 0x10 not in junk),
        ),
        max_size=8,
    ),
)
def test_junk_between_packets_costs_no_packet(
    case: tuple[bytes, list[int]], sent: list[tuple[bytes, bytes]]
) -> None:
    data = b"".join(packet + junk for packet, junk in sent)
    taken = PacketStream()
    received = [packet for chunk in cut(data, case[1]) for packet in taken.feed(chunk)] + taken.close()
    assert received == [decode(packet) for packet, _ in sent]
    assert [skip.data for skip in taken.skipped] == [junk for _, junk in sent if junk]


@settings(max_examples=examples(200), deadline=None)
@given(chunked(anything()))
def test_feed_returns_the_packets_of_frames(case: tuple[bytes, list[int]]) -> None:
    data, points = case
    first, second = PacketStream(), PacketStream()
    for chunk in cut(data, points):
        frames = list(first.frames(chunk))
        assert second.feed(chunk) == [item.packet for item in frames if isinstance(item, Frame)]
    frames = list(first.frames(final=True))
    assert second.close() == [item.packet for item in frames if isinstance(item, Frame)]
    assert comparable(first.skipped) == comparable(second.skipped)


@settings(max_examples=examples(200), deadline=None)
@given(chunked(anything()), st.integers(1, 64))
def test_long_chunks_are_kept_as_they_are(case: tuple[bytes, list[int]], large: int) -> None:
    """What is reported does not depend on which chunks count as long."""
    data, points = case
    plain, other = PacketStream(), PacketStream()
    with pytest.MonkeyPatch.context() as patch:
        for chunk in cut(data, points):
            patch.setattr(stream, "LARGE", 1 << 20)
            expected = list(plain.frames(chunk))
            patch.setattr(stream, "LARGE", large)
            assert comparable(other.frames(chunk)) == comparable(expected)
            assert other.pending == plain.pending
            assert repr(other) == repr(plain)
        patch.setattr(stream, "LARGE", 1 << 20)
        expected = list(plain.frames(final=True))
        patch.setattr(stream, "LARGE", large)
        assert comparable(other.frames(final=True)) == comparable(expected)


def test_a_chunk_that_is_one_large_packet_is_not_copied() -> None:
    data = message(bytes(0x2_0000))
    (frame,) = PacketStream().frames(data)
    assert frame.data is data


def test_each_byte_pays_for_four() -> None:
    """Four packets of the largest size may be read in vain, and four bytes more for each byte passed."""
    for cap, distance in ((1000, 16), (1000, 48), (1040, 50), (2000, 130)):
        count = 200
        data = (header(cap) + bytes(distance - 16)) * count + bytes(cap)
        skips = skips_of(run([data], PacketStream(cap)))
        budget, at, paid, expected = 4 * cap, 0, 0, []
        while at < count * distance:
            budget, paid = min(budget + 4 * (at - paid), 4 * cap), at
            read = budget >= cap
            budget -= cap * read
            expected.append(at)
            end = at + (1 if read else cap)
            at = -(-end // distance) * distance
        assert [skip.offset for skip in skips if skip.data[:8] == header(cap)[:8]] == expected


def test_no_more_is_pending_than_one_packet_and_what_tells_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PIECE", 500)
    cap = 500
    taken = PacketStream(cap)
    data = b"".join(PIECES) * 3 + bytes(2000) + SESSION
    for byte in bytewise(data):
        taken.feed(byte)
        assert len(taken.pending) <= cap + 16 + 24


# ------------------------------------------------------------------------------------- linear work


class Meter:
    """Counts the bytes that a stream copies, searches or decodes, and the calls that it makes."""

    def __init__(self, patch: pytest.MonkeyPatch, cap: int = MAX_PACKET_SIZE) -> None:
        self.touched = 0
        self.steps = 0
        meter = self

        class Counting(bytearray):
            """Pending bytes: those that come, and those that move when the front is cut off."""

            def __iadd__(self, data: Any) -> Self:  # type: ignore[misc]  # narrower on purpose
                meter.touched += len(data)
                super().__iadd__(data)
                return self

            def __delitem__(self, key: Any) -> None:
                super().__delitem__(key)
                if key.stop:
                    meter.touched += len(self)

        def decoded(data: bytes, limits: Limits) -> Any:
            self.touched += 2 * len(data)  # it was cut out
            return accept(data, limits)

        def searched(data: bytes, start: int) -> int:
            found = search(data, start)
            self.touched += (len(data) if found < 0 else found + 8) - start
            return found

        for name, counted in (("bytearray", Counting), ("accept", decoded), ("search", searched)):
            patch.setattr(stream, name, counted, raising=False)
        self.stream = PacketStream(cap, max_skipped=0)

    def feed(self, data: bytes, size: int = 1) -> int:
        """Feed in chunks of that size and close; the packets found."""

        def note(_: object, event: str, __: object) -> None:
            self.steps += event == "call"

        take = self.stream.feed
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            for at in range(0, len(data), size):
                take(data[at : at + size])
            self.stream.close()
        finally:
            sys.setprofile(before)
        return self.stream.packets


@pytest.mark.long
def test_a_large_packet_byte_by_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    data = message(bytes(MAX_PACKET_SIZE // 32))
    meter = Meter(monkeypatch)
    assert meter.feed(data) == 1
    # Into the buffer, out of it, and into the packet; and what tells a BaseHeader.
    assert meter.touched <= 3 * len(data) + 100
    assert meter.steps <= 8 * len(data)


STREAMS: dict[str, Callable[[int], bytes]] = {
    "packets": lambda size: SESSION * (size // len(SESSION)),
    "riders counted": lambda size: INSIDE * (size // len(INSIDE)),
    "riders not counted": lambda size: OUTSIDE * (size // len(OUTSIDE)),
    "unreadable": lambda size: BAD * (size // len(BAD)),
    "zeros": bytes,
    "signatures": lambda size: b"LIOR" * (size // 4),
    "versions": lambda size: b"\x10" * size,
    "marks": lambda size: MARK * (size // 8),
    "empty headers": lambda size: header(0) * (size // 16),
    "headers of the largest size": lambda size: header(4096) * (size // 16),
    "headers with riders": lambda size: header(4000, flags=0x10) * (size // 16),
    "headers that end at one place": lambda size: b"".join(
        header(4096 - at % 4096) for at in range(0, size, 16)
    ),
    "headers that claim a packet each": lambda size: (header(4096) + ACK) * (size // 52),
}


@pytest.mark.each(25)
@pytest.mark.parametrize("kind", STREAMS)
@pytest.mark.parametrize("chunk", [1, 50, 5000])
def test_work_is_linear(kind: str, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cap = 4096
    spent = []
    for size in (10_000, 20_000, 40_000)[: 1 + share(2)]:
        with monkeypatch.context() as patch:
            meter = Meter(patch, cap)
            meter.feed(STREAMS[kind](size), chunk)
            spent.append((meter.touched, meter.steps))
            # Once read in vain, paid for or believed; each of that at most twice over, for two ends.
            assert meter.touched <= 30 * size + 4 * REREADS * cap
            assert meter.steps <= 20 * size
    for (touched, steps), (touched_twice, steps_twice) in pairwise(spent):
        assert touched_twice <= 2.5 * touched + 4 * REREADS * cap
        assert steps_twice <= 2.5 * steps + 100


def test_errors_are_decode_errors() -> None:
    for skip in skips_of(run([b"".join(PIECES)])):
        assert type(skip.error) is DecodeError


def test_a_session_header_behind_the_largest_packet() -> None:
    """The limit is on what the packet says of its size; a SessionHeader after it is not counted."""
    message = mqmq.UserMessage(SessionHeader=mqmq.SessionHeader())
    data = message.encode()
    size = len(data) - len(mqmq.SessionHeader().encode())
    rides = data[:8] + size.to_bytes(4, "little") + data[12:]
    for most in range(size, len(data) + 2):
        stream = PacketStream(most)
        found = stream.feed(rides * 3)
        assert [packet.encode() for packet in found] == [rides] * 3
        assert stream.skipped == ()
        assert decode(rides, limits=Limits(packet_size=most)).encode() == rides
    small = PacketStream(size - 1)
    assert small.feed(rides * 3) == []
    assert all(skip.error.limit for skip in small.skipped)


def test_a_stream_is_idle_between_packets() -> None:
    """Not while bytes are pending, found or queued, and not after its end."""
    taken = PacketStream()
    assert taken.idle
    taken.feed(ACK)
    assert taken.idle
    taken.feed(ACK[:5])  # kept for later
    assert not taken.idle
    taken.feed(ACK[5:])
    assert taken.idle
    items = taken.frames(ACK + b"z")  # queued
    assert not taken.idle
    assert isinstance(next(items), Frame)
    assert not taken.idle  # the byte behind it
    assert list(items) == []
    taken.feed(ACK)
    assert taken.idle
    items = taken.frames(ACK * 2)
    next(items)
    assert not taken.idle  # found and not yet returned
    assert len(list(items)) == 1
    assert taken.idle
    large = message(bytes(9000))
    for size in (1, 5000):
        taken.feed(large[:8000][:size])
        assert not taken.idle
        taken.feed(large[size:])
        assert taken.idle
    taken.close()
    assert not taken.idle


def test_packets_that_were_read_elsewhere_are_counted() -> None:
    taken = PacketStream(origin=5)
    taken.feed(ACK)
    taken.pass_over(100)
    assert (taken.bytes_fed, taken.packets) == (len(ACK) + 100, 1)
    (frame,) = taken.frames(ACK)
    assert frame.offset == 5 + len(ACK) + 100


def test_what_is_missing() -> None:
    """The first 8 bytes tell whether a packet begins, its first 16 its size, and 8 behind it who is right."""
    taken = PacketStream()
    assert taken.missing == 8
    for at in range(len(ACK)):
        wanted = 8 if at < 8 else 16 if at < 16 else len(ACK)
        assert taken.missing == wanted - at
        taken.feed(ACK[at : at + 1])
    assert taken.missing == 8
    taken.feed(BAD)
    assert taken.missing == 8
    taken.feed(ACK)
    data = message(bytes(20_000))
    for at in range(0, len(data), 5_000):  # long chunks are not looked at
        assert taken.missing == (len(data) - at if at else 8)
        assert taken.bytes_fed == len(BAD) + 2 * len(ACK) + at
        assert taken.feed(data[at : at + 5_000]) == ([decode(data)] if at + 5_000 >= len(data) else [])
    assert taken.missing == 8


def test_a_stream_waits_only_if_bytes_cannot_complete_a_packet() -> None:
    taken = PacketStream()
    assert taken.wait(ACK[:7])
    assert not taken.wait(ACK[7:8])  # the eighth byte tells whether a packet begins
    taken.feed(ACK[7:20])
    assert taken.wait(ACK[20:35])
    assert (taken.missing, taken.bytes_fed, taken.pending) == (1, 35, ACK[:35])
    assert not taken.wait(ACK[35:])
    assert (taken.missing, taken.bytes_fed, taken.pending) == (1, 35, ACK[:35])
    items = taken.frames(ACK[35:] + ACK + ACK[:3])
    assert not taken.wait(b"")  # what is queued comes first
    next(items)
    assert not taken.wait(b"")  # and what was found
    assert len(list(items)) == 1
    assert taken.wait(ACK[3:7])
    taken.close()
    assert not taken.wait(b"")


def test_both_ends_of_a_packet_with_a_rider_are_paid_for() -> None:
    """Each of the two ways to read it costs its size."""
    cap = 1000
    data = header(cap, flags=0x10) * 200 + bytes(cap + 16)
    found = skips_of(run([data], PacketStream(cap)))
    budget, at, paid, expected = 4 * cap, 0, 0, []
    while at < 200 * 16:
        budget, paid = min(budget + 4 * (at - paid), 4 * cap), at
        read = budget >= 2 * cap
        budget -= 2 * cap * read
        expected.append(at)
        end = at + (1 if read else cap)
        at = -(-end // 16) * 16
    marked = [skip.offset for skip in found if skip.data[:8] == data[:8]]
    assert marked[:3] == expected[:3] == [0, 16, 32]
    assert len(marked[2:]) == len(expected[2:])


@pytest.mark.parametrize(
    ("name", "wrong"), [("max_packet_size", "4"), ("max_skipped", "4"), ("origin", None), ("limits", 5)]
)
def test_what_a_stream_is_made_with(name: str, wrong: Any) -> None:
    with pytest.raises(WrongTypeError, match=f"^{name}: expected "):
        PacketStream(**{name: wrong})
    assert PacketStream(max_skipped=None).max_skipped is None


def refused(data: bytes) -> tuple[bytes, DecodeError | None]:
    """The bytes of the packets before the end of a strict stream, and its error."""
    strict = PacketStream(strict=True)
    packets = []
    for start in range(len(data)):
        if strict.closed:
            break
        packets += strict.feed(data[start : start + 1])
    return b"".join(packet.encode() for packet in packets), strict.error


def test_a_strict_stream_ends_at_the_first_byte_that_cannot_be_a_packet() -> None:
    """Each byte of a BaseHeader that is damaged, behind packets; the offset counts from the beginning."""
    before = MESSAGE + ACK
    for at in (0, *range(4, 8)):
        bad = bytearray(ACK)
        bad[at] ^= 0xFF
        packets, error = refused(before + bad)
        assert packets == before
        assert error is not None
        assert error.offset == len(before) + (4 if at else 0)
    packets, error = refused(before + header(573, flags=8) + bytes(600))
    assert (packets, error and error.offset) == (before, len(before) + 8)


def test_a_strict_stream_skips_nothing_and_accepts_nothing_more() -> None:
    damaged = unreadable(ACK)
    for data in (MESSAGE + damaged + MESSAGE, MESSAGE + b"junk" + MESSAGE):
        strict = PacketStream(strict=True)
        assert [packet.encode() for packet in strict.feed(data)] == [MESSAGE]
        assert (strict.closed, strict.bytes_skipped, strict.synchronised) == (True, 0, False)
        assert strict.pending == data[len(MESSAGE) :]
        with pytest.raises(MsmqWireError, match="closed"):
            strict.feed(MESSAGE)


@pytest.mark.parametrize("cut", [1, 7, 8, 15, 16, 35])
def test_a_strict_stream_that_is_closed_within_a_packet(cut: int) -> None:
    strict = PacketStream(strict=True)
    assert [packet.encode() for packet in strict.feed(MESSAGE + ACK[:cut])] == [MESSAGE]
    assert strict.error is None
    assert strict.close() == []
    assert strict.error is not None


def test_a_strict_stream_reads_what_another_one_reads() -> None:
    data = SESSION + riding(inside=True) + riding(inside=False) + SESSION
    strict = PacketStream(strict=True)
    assert strict.feed(data) + strict.close() == PacketStream().feed(data)
    assert strict.error is None
