"""Each bit of the headers between Ethernet and IP that says where the next one begins, and what it is."""

from __future__ import annotations

import struct
from itertools import product

import pytest

from msmq_wire.captures.network.frames import Reason

from .test_frames import ETHER, FOUR, IPV4, LABELS, SIX, SNAP, WRAPPED, ip, ppp, read, udp

WHOLE = read(FOUR)


@pytest.mark.parametrize(("kind", "is_length"), [(0, True), (0x5FF, True), (0x600, False), (0x601, False)])
def test_types_and_lengths(kind: int, is_length: bool) -> None:
    """What is below 0x600 is a length (IEEE 802.3), and SNAP says the type."""
    found = read(ETHER + struct.pack("!H", kind) + SNAP + FOUR[14:])
    assert found == WHOLE if is_length else found.detail == f"type {kind:#06x}"
    snap = ETHER + struct.pack("!H", kind) + SNAP[:6] + b"\x08\x06"
    assert read(snap).detail == ("type 0x0806" if is_length else f"type {kind:#06x}")
    assert read(snap[:-1]).detail == f"type {kind:#06x}"


def test_kinds_of_wireless_frames() -> None:
    """Data of version 0 is read; not what has no data (a bit of its kind), nor other types and versions."""
    for kind in range(256):
        head = bytes((kind, 1)) + bytes(22 + 2 * (kind >> 7))
        found = read(head + SNAP + FOUR[14:], 105)
        if kind & 3 == 0 and kind >> 2 & 3 == 2 and not kind & 0x40:
            assert found == WHOLE, kind
        else:
            assert found.reason == Reason.NOT_IP, kind
    for flags in range(256):
        head = bytes((8, flags)) + bytes(22 + 6 * (flags & 3 == 3))
        assert (read(head + SNAP + FOUR[14:], 105) == WHOLE) is not bool(flags & 0x40), flags
    assert read(bytes(4), 127).reason == Reason.NOT_IP
    assert read(bytes(3), 127).reason == Reason.CUT


def test_sizes_of_headers() -> None:
    """Of NSH (RFC 8300), TRILL (RFC 6325), Geneve (RFC 8926) and GUE, in words of four bytes."""
    for words in range(2, 64):
        for upper in (0, 0x40, 0x80, 0xC0):
            head = bytes((0x0F, upper | words, 1, 3)) + bytes(4 * words - 4)
            assert read(ETHER + b"\x89\x4f" + head + FOUR) == WHOLE
    for words in range(32):
        for other in (0, 5, 0x3F, 0x800, 0x803F):
            head = struct.pack("!H", words << 6 | other) + bytes(4 + 4 * words)
            assert read(ETHER + b"\x22\xf3" + head + FOUR) == WHOLE
        assert read(IPV4 + udp(6080, bytes((words, 4, 0, 0)) + bytes(4 * words) + FOUR[14:])) == WHOLE
    for words in range(64):
        head = bytes((words, 0)) + b"\x65\x58" + bytes(4 + 4 * words)
        assert read(IPV4 + udp(6081, head + FOUR)) == WHOLE


def test_versions_of_tunnels() -> None:
    """Other versions, and messages that control a tunnel, are none with a packet."""
    for version in range(1, 4):
        assert (
            read(IPV4 + udp(6081, bytes((version << 6, 0)) + b"\x65\x58" + bytes(4) + FOUR)).reason
            == Reason.OTHER
        )
    for first in (0x20, 0x3F, 0x80, 0xC0):
        assert read(IPV4 + udp(6080, bytes((first, 4, 0, 0)) + FOUR[14:])).reason == Reason.OTHER
    for version in range(2, 8):
        assert read(IPV4 + ip(47, bytes((0, version)) + b"\x08\0" + FOUR[14:])).reason == Reason.OTHER
    for flags in (0x8002, 0x8003, 1, 4, 0x12 << 8 | 6):
        for content in (b"\0\1\0\2\xff\3\0\x21" + FOUR[14:], bytes(6) + FOUR):
            assert read(IPV4 + udp(1701, struct.pack("!H", flags) + content)).reason == Reason.OTHER, flags


def test_fields_of_gre() -> None:
    """Checksum, key and sequence number, each if its bit is set; of PPTP also the acknowledgment."""
    for checksum, key, number in product((0, 1), repeat=3):
        fields = bytes(4 * (checksum + key + number))
        head = bytes((checksum << 7 | key << 5 | number << 4, 0))
        assert read(IPV4 + ip(47, head + b"\x08\0" + fields + FOUR[14:])) == WHOLE
    for number, acknowledgment in product((0, 1), repeat=2):
        head = bytes((0x20 | number << 4, acknowledgment << 7 | 1)) + b"\x88\x0b" + bytes(4)
        fields = bytes(4 * (number + acknowledgment))
        assert read(IPV4 + ip(47, head + fields + b"\xff\3\0\x21" + FOUR[14:])) == WHOLE
    assert read(IPV4 + ip(47, b"\0\0\x08\x06")).detail == "type 0x0806"
    assert read(IPV4 + ip(47, b"\x80\0\x08\x06" + bytes(3))).reason == Reason.CUT


def test_fields_of_l2tp() -> None:
    """Length, sequence numbers and padding, each if its bit is set (RFC 2661)."""
    for length, numbers, offset in product((0, 1), repeat=3):
        head = struct.pack("!H", length << 14 | numbers << 11 | offset << 9 | 2) + bytes(2 * length + 4)
        head += bytes(4 * numbers) + b"\0\3abc" * offset
        assert read(IPV4 + udp(1701, head + b"\xff\3\0\x21" + FOUR[14:])) == WHOLE


@pytest.mark.parametrize("words", range(5))
def test_cookies(words: int) -> None:
    """Up to eight bytes, and four of a header behind them (RFC 3931); the ends alone know how many."""
    for content in (FOUR, FOUR[14:], SIX, SIX[14:], b"\xff\3\0\x21" + FOUR[14:]):
        found = read(IPV4 + ip(115, b"\0\0\0\7" + b"\x99" * 4 * words + content))
        assert (found in {WHOLE, read(SIX)}) is (words < 4)
        assert found.reason == (Reason.READ if words < 4 else Reason.OTHER)


@pytest.mark.parametrize(("size", "reason"), [(8, Reason.CUT), (7, Reason.OTHER)])
def test_the_least_packet_behind_a_cookie(size: int, reason: str) -> None:
    """Eight bytes are enough to see that a packet has just the size that is there."""
    packet = struct.pack("!BBH", 0x45, 0, size) + bytes(size - 4)
    assert read(IPV4 + ip(115, b"\0\0\0\7" + packet)).reason == reason


def test_flags_of_vxlan_gpe() -> None:
    """The number of the network is always there; without the bit of a protocol it is Ethernet."""
    for flags in range(16):
        head = bytes((flags, 0, 0, 1)) + b"\0\0\5\0"
        packet, frame = read(IPV4 + udp(4790, head + FOUR[14:])), read(IPV4 + udp(4790, head + FOUR))
        assert (packet == WHOLE) is (flags & 0xC == 0xC)
        assert (frame == WHOLE) is (flags & 0xC == 8)


@pytest.mark.parametrize("flags", range(8))
def test_flags_of_gtp(flags: int) -> None:
    """With any of three, four bytes follow; the last is the type of an extension, if its bit is set."""
    more = b"\0\1\0\0" if flags else b""
    head = bytes((0x30 | flags, 0xFF, 0, 0)) + b"\0\0\0\1"
    for content in (FOUR, FOUR[14:]):
        assert read(IPV4 + udp(2152, head + more + content)) == WHOLE
    if flags & 4:
        more = b"\0\1\0\x85\2" + bytes(6) + b"\0"
        assert read(IPV4 + udp(2152, head + more + FOUR[14:])) == WHOLE


def test_flags_of_802_1ae() -> None:
    """What is encrypted or changed, a bit each, cannot be read; another bit is of a channel."""
    for flags in range(128):
        head = bytes((flags,)) + bytes(5) + bytes(8 if flags & 0x20 else 0)
        found = read(ETHER + b"\x88\xe5" + head + FOUR[12:])
        if flags & 0x0C:
            assert found.detail == "type 0x88e5"
        else:
            assert found == WHOLE


def test_flags_of_erspan_3() -> None:
    """Five bits are the type of frame, of which 2 is IP; the last bit is of eight more bytes."""
    for kind, other, last in product(range(32), (0, 0x83FE), (0, 1)):
        flags = struct.pack("!H", kind << 10 | other | last)
        head = b"\x10\0\x22\xeb" + bytes(4) + b"\x20\1" + bytes(8) + flags + bytes(8 * last)
        content = FOUR[14:] if kind == 2 else FOUR
        assert read(IPV4 + ip(47, head + content)) == WHOLE, (kind, other, last)


@pytest.mark.parametrize("more", range(8))
def test_labels(more: int) -> None:
    """The last of a stack has its lowest bit set; three bits beside it are of a class of traffic."""
    for count in range(4):
        stack = bytes((0, 1, more << 1, 64)) * count + bytes((0, 2, more << 1 | 1, 64))
        assert read(ETHER + b"\x88\x47" + stack + FOUR[14:]) == WHOLE
        assert read(ETHER + b"\x88\x47" + bytes((0, 1, more << 1, 64)) * (count + 1)).reason == Reason.CUT


ETHERNETS = {
    "ip": FOUR,
    **{name: WRAPPED[name](FOUR) for name in ("tag of 0x9100", "tag of 0x9200", "vn-tag", "cmd", "hsr")},
    **{name: WRAPPED[name](FOUR) for name in ("mpls", "mpls of multicast", "pppoe", "802.1ah")},
    "tag": FOUR[:12] + b"\x81\0\0\5" + FOUR[12:],
    "802.1ah without a tag": ETHER + b"\x88\xe7" + bytes(4) + FOUR,
    "pppoe and mpls": ETHER + ppp(LABELS + FOUR[14:], b"\2\x81")[12:],
}  # fmt: skip


@pytest.mark.parametrize("name", ETHERNETS)
def test_ethernet_where_other_things_can_be(name: str) -> None:
    """It is known by the type behind its addresses, whatever these are."""
    frame = ETHERNETS[name]
    assert read(frame) == WHOLE
    for addresses in (frame[:12], bytes(12), b"\x45" + bytes(11), b"\x60" + bytes(11)):
        inner = addresses + frame[12:]
        assert read(IPV4 + udp(2152, b"\x30\xff\0\0\0\0\0\1" + inner)) == WHOLE
        assert read(IPV4 + ip(115, b"\0\0\0\7" + inner)) == WHOLE
    assert read(ETHER + b"\x88\x47" + LABELS + bytes(12) + frame[12:]) == WHOLE


@pytest.mark.parametrize(
    ("port", "size"), [(1701, 8), (2152, 12), (4789, 8), (4790, 8), (6080, 4), (6081, 8)]
)
def test_how_much_of_a_tunnel_shows_that_it_is_none(port: int, size: int) -> None:
    """Its whole header (GUE has the shortest); of a frame that ends before that nobody knows."""
    datagram = IPV4 + udp(port, b"\xff" * 40)
    start = len(datagram) - 40
    assert [read(datagram[: start + size - missing]).reason for missing in (0, 1)] == [
        Reason.OTHER,
        Reason.CUT,
    ]
