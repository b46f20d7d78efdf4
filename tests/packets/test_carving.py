"""Packets in bytes that are no stream: where they are, how sure that is, and what it costs."""

from __future__ import annotations

import mmap
import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import msmq_wire
from msmq_wire import carve
from msmq_wire.packets import carving
from msmq_wire.packets.packet_starts import start_mask

if TYPE_CHECKING:
    from pathlib import Path

mw: Any = msmq_wire
mqmq, mqqb = mw.mqmq, mw.mqqb

NOISE = random.Random(18).randbytes(20_000)  # noqa: S311  # no secret


def message(body: bytes = b"payload" * 9) -> Any:
    return mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=OS:server\\private$\\orders"),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="an order", MessageBody=body),
    )


WHOLE = message().encode()


def carved(buffer: Any, **options: Any) -> list[tuple[int, int, str, str]]:
    return [(item.offset, item.size, item.kind, item.confidence) for item in carve(buffer, **options)]


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview])
def test_packets_between_other_bytes(make: Any) -> None:
    ack = mqqb.SessionAck().encode()
    image = NOISE + WHOLE + NOISE[:77] + ack + WHOLE + NOISE
    at = len(NOISE)
    second = at + len(WHOLE) + 77
    assert carved(make(image)) == [
        (at, len(WHOLE), "UserMessage", "high"),
        (second, len(ack), "SessionAck", "high"),
        (second + len(ack), len(WHOLE), "UserMessage", "high"),
    ]
    assert next(carve(make(image))).result.packet == message()


def test_a_memory_map(tmp_path: Path) -> None:
    path = tmp_path / "image.bin"
    path.write_bytes(NOISE * 70 + WHOLE + NOISE)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image:
        assert carved(image) == [(len(NOISE) * 70, len(WHOLE), "UserMessage", "high")]


def test_across_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the windows of the search begin, the places are the same."""
    image = NOISE[:300] + WHOLE + NOISE[:50] + WHOLE
    expected = carved(image)
    assert len(expected) == 2
    for size in range(1, 64):
        monkeypatch.setattr(carving, "WINDOW", size)
        assert carved(image) == expected


def test_parts_of_packets() -> None:
    broken = bytearray(WHOLE)
    broken[64] = 0xFF  # the size of the queue's name
    image = NOISE[:100] + WHOLE[:120] + NOISE[:3000] + bytes(broken) + NOISE[:200] + WHOLE[:90]
    places = list(carve(image))
    assert [item.offset for item in places] == [100, 3220, 3420 + len(WHOLE)]
    assert [item.confidence for item in places] == ["medium"] * 3
    first, second, last = places
    assert first.result.fields["UserHeader.MessageID"] == 0
    assert second.reason == str(second.result.error)
    assert last.size == 90
    assert last.result.reached is not None


def test_half_a_packet_before_zeros() -> None:
    """As on a disk with a lost block: it can be read whole, but not all of it is what somebody sent."""
    cut = WHOLE.index("an order".encode("utf-16-le")) + 4
    (item,) = carve(WHOLE[:cut] + bytes(len(WHOLE) - cut + 500))
    assert (item.offset, item.size, item.confidence) == (0, len(WHOLE), "medium")
    assert item.result.packet is not None
    assert item.reason.startswith("whole, but breaks a requirement: ")
    first = mw.validate(item.result.packet)[0]
    assert first.requirement in item.reason


def test_marks_that_are_hardly_packets() -> None:
    mark = WHOLE[:8]
    image = mark + (7).to_bytes(4, "little") + bytes(8) + mark + mark + WHOLE[8:16] + bytes(900) + mark
    places = list(carve(image))
    assert {item.confidence for item in places} == {"low"}
    assert places[0].reason == "PacketSize is 7, which is not a valid size"
    assert places[1].reason == "another signature follows within its first headers"
    assert [item.kind for item in places] == ["BaseHeader"] * 2 + ["UserMessage"] * 2
    assert places[-1].offset + 8 == len(image)


def test_packets_within_packets() -> None:
    outer = message(message(WHOLE).encode()).encode()
    image = NOISE[:10] + outer + WHOLE
    assert [place[:2] for place in carved(image)] == [(10, len(outer)), (10 + len(outer), len(WHOLE))]
    places = list(carve(image, inside=True))
    assert [item.confidence for item in places] == ["high"] * 4
    assert [item.inside for item in places] == [None, 10, 10, None]
    assert places[2].result.packet == message()


def test_a_session_header_that_rides_along() -> None:
    rider = mqmq.SessionHeader(AckSequenceNumber=7)
    riding = msmq_wire.replace(message(), SessionHeader=rider).encode()
    assert carved(riding + WHOLE) == [
        (0, len(riding), "UserMessage", "high"),
        (len(riding), len(WHOLE), "UserMessage", "high"),
    ]
    counted = bytearray(riding)
    counted[8:12] = len(riding).to_bytes(4, "little")
    for image in (riding + WHOLE, bytes(counted) + WHOLE):
        assert [place[:2] for place in carved(image)] == [(0, len(riding)), (len(riding), len(WHOLE))]
        assert [item.result.rest for item in carve(image)] == [b"", b""]  # each has its own bytes alone


def test_a_session_header_that_is_cut() -> None:
    """What there is of it belongs to the message."""
    base = mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(SH=1))
    data = mw.replace(message(), BaseHeader=base, SessionHeader=mqmq.SessionHeader()).encode()
    for cut in range(1, 16):
        (part,) = carve(NOISE[:50] + data[:-cut])
        assert (part.offset, part.kind, part.confidence) == (50, "UserMessage", "medium")
        assert part.size == len(data) - cut


def test_large_packets_are_probed_first() -> None:
    large = message(NOISE).encode()
    assert carved(large + WHOLE)[0] == (0, len(large), "UserMessage", "high")
    broken = bytearray(large)
    broken[64] = 0xFF
    assert carved(bytes(broken))[0][3] == "medium"


@pytest.mark.parametrize("size", [0x0FFC, 0x1000, 0x1004])
def test_a_packet_of_more_than_4_kib_is_probed(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first 4,096 bytes tell whether the whole is worth reading."""
    read: list[int] = []

    def counted(data: bytes, **options: Any) -> Any:
        read.append(len(data))
        return mw.decode_lax(data, **options)

    monkeypatch.setattr(carving, "decode_lax", counted)
    data = message(bytes(size - len(message(b"").encode()))).encode()
    assert len(data) == size
    assert carved(data) == [(0, size, "UserMessage", "high")]
    probes = [0x1000] if size > 0x1000 else []
    assert read == [*probes, size]
    read.clear()
    assert carved(data[:64] + b"\xff" + data[65:]) == [(0, 66, "UserMessage", "medium")]
    assert read == (probes or [size])


@pytest.mark.parametrize(
    ("size", "kind", "reason"),
    [
        (0, "BaseHeader", "PacketSize is 0, which is not a valid size"),
        (15, "BaseHeader", "PacketSize is 15, which is not a valid size"),
        (16, "UserMessage", "expected 16 bytes, found 0"),
        (len(WHOLE) + 1, "BaseHeader", f"PacketSize is {len(WHOLE) + 1}, which is not a valid size"),
    ],
)
def test_sizes_that_packets_have(size: int, kind: str, reason: str) -> None:
    """From the 16 bytes of a BaseHeader up to the limit; of others only the BaseHeader is found."""
    limits = mw.Limits(packet_size=len(WHOLE))
    image = b"zz" + WHOLE[:8] + size.to_bytes(4, "little") + WHOLE[12:]
    (found,) = carve(image, limits=limits)
    assert (found.offset, found.size, found.kind, found.confidence) == (2, 16, kind, "low")
    assert found.reason.startswith(reason)
    assert [item.confidence for item in carve(b"zz" + WHOLE, limits=limits)] == ["high"]


@pytest.mark.parametrize("bit", [0, 1, 2, 20, 23, 28])
def test_the_constant_bits_of_a_message_confirm_it(bit: int) -> None:
    """[MS-MQMQ] 2.2.19.2: MP is 1, the bits X1 to X4 are 0; a part with other ones is doubtful."""
    (part,) = carve(WHOLE[:90])
    assert part.confidence == "medium"
    word = part.result.fields["UserHeader.Flags"]
    constant = sum(
        group.mask for group in type(word).kind.groups if group.name in {"MP", "X1", "X2", "X3", "X4"}
    )
    at = WHOLE.index(int(word).to_bytes(4, "little"), 16)
    bent = (word ^ 1 << bit).to_bytes(4, "little")
    (part,) = carve(WHOLE[:at] + bent + WHOLE[at + 4 : 90])
    assert part.confidence == ("low" if constant >> bit & 1 else "medium")


@pytest.mark.parametrize(("end", "expected"), [(19, ("BaseHeader", "low")), (20, ("SessionAck", "medium"))])
def test_the_type_of_an_internal_packet_confirms_it(end: int, expected: tuple[str, str]) -> None:
    (part,) = carve(b"zz" + mqqb.SessionAck().encode()[:end])
    assert (part.offset, part.size, part.kind, part.confidence) == (2, end, *expected)


@pytest.mark.long
def test_what_marks_claim_is_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that are read of packets that prove to be none are in proportion to the bytes passed."""
    read: list[int] = []

    def counted(data: bytes, **options: Any) -> Any:
        read.append(len(data))
        return mw.decode_lax(data, **options)

    monkeypatch.setattr(carving, "decode_lax", counted)
    claim = bytearray(WHOLE[:136] + bytes(120))
    claim[8:12] = (0x0040_0000).to_bytes(4, "little")
    claim[152:156] = (0x0030_0000).to_bytes(4, "little")  # the size of the body
    for count in (2_000, 4_000):
        read.clear()
        image = bytes(claim) * count
        places = list(carve(image, inside=True))
        assert len(places) == count
        assert sum(read) < 4 * 5 * 0x0040_0000 + 40 * len(image)


@pytest.mark.parametrize(
    ("distance", "most"), [(256, 8192), (512, 8192), (1024, 5000), (4096, 8192), (9000, 8192)]
)
def test_each_byte_pays_for_four(distance: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four packets of the largest size may be read in vain, and four bytes more for each byte passed."""
    read: list[int] = []

    def counted(data: bytes, **options: Any) -> Any:
        read.append(len(data))
        return mw.decode_lax(data, **options)

    monkeypatch.setattr(carving, "decode_lax", counted)
    claim = bytearray(WHOLE[:136] + bytes(distance - 136))
    claim[8:12] = most.to_bytes(4, "little")
    claim[152:156] = (most - 0x400).to_bytes(4, "little")  # the size of the body
    count = 60
    image = bytes(claim) * count + bytes(most)
    assert len(carved(image, inside=True, limits=mw.Limits(packet_size=most))) == count
    budget, expected = 4 * most, []
    for number in range(count):
        budget = min(budget + 4 * distance * bool(number), 4 * most)
        expected.append(carving.PROBE)
        if budget >= most:
            budget -= most
            expected.append(most)
    assert read == expected


@given(
    st.lists(st.sampled_from([b"\x10", b"L", b"I", b"O", b"R", b"LIOR", b"\x10abcLIOR", b"\0", b"x"])).map(
        b"".join
    )
)
def test_marks_are_found_as_a_pattern_finds_them(data: bytes) -> None:
    """All bytes are compared at once; a pattern that looks at one place after the other finds the same."""
    expected = [match.start() for match in re.finditer(rb"(?s)(?=\x10...LIOR)", data)]
    marks = start_mask(data)
    assert [at for at, mark in enumerate(marks) if mark] == expected
    assert set(marks) <= {0, 1}
    assert len(marks) in {0, len(data)}


def test_each_byte_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the bytes are: what almost is a mark, everywhere, costs no more than what is none."""
    searched: list[int] = []

    def counted(data: bytes) -> bytes:
        searched.append(len(data))
        return start_mask(data)

    monkeypatch.setattr(carving, "start_mask", counted)
    monkeypatch.setattr(carving, "WINDOW", 4096)
    for pattern in (b"L", b"\x10LIOR", b"\x11abcLIOR", b"\x10abcLIOX", bytes(8)):
        searched.clear()
        image = pattern * (100_000 // len(pattern))
        assert carved(image) == []
        assert sum(searched) <= len(image) + 7 * len(searched)
    searched.clear()
    image = WHOLE * 300
    assert len(carved(image)) == 300
    assert sum(searched) <= len(image) + 7 * len(searched)


def test_bytes_that_hold_none() -> None:
    for image in (b"", b"LIOR", bytes(100_000), b"LIOR" * 9_000, b"\x10LIO" * 9_000, NOISE, WHOLE[1:]):
        assert carved(image) == []
    with pytest.raises(TypeError):
        carve("text")


def test_bytes_that_are_not_next_to_each_other() -> None:
    spread = bytes(byte for pair in zip(WHOLE * 2, NOISE * 99, strict=False) for byte in pair)
    assert len(carved(memoryview(spread)[::2])) == 2


@pytest.mark.parametrize("end", [32, 36, 48])
def test_an_incomplete_packet_ends_where_its_fields_do(end: int) -> None:
    """Also where it is cut between two fields, none of which has a part."""
    user = msmq_wire.mqmq.UserHeader(DestinationQueue="DIRECT=OS:d\\q")
    whole = msmq_wire.mqmq.UserMessage(UserHeader=user).encode()
    (found,) = carve(b"zz" + whole[:end])
    assert (found.offset, found.size) == (2, end)
