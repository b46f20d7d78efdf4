"""Frames: link layers, tunnels, fragments and checksums, each told apart and counted."""

from __future__ import annotations

import random
import struct
import sys
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from msmq_wire.captures.files.containers import Frames
from msmq_wire.captures.files.segments import SEGMENTS
from msmq_wire.captures.network.fragments import Fragment, Waiting
from msmq_wire.captures.network.frames import Dissector, Outcome, Ports, Reason
from msmq_wire.captures.network.vectors import usual
from msmq_wire.mqmq import BaseHeader
from msmq_wire.packets.packet_starts import marked
from msmq_wire.testing.captures.wire import Address, Path

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_WAITING = 1024
"""How many datagrams wait for fragments."""
PORTS = Ports(frozenset({1801}), frozenset({3527}))
FACTS = [name for name in SEGMENTS.names[4:] if name not in {"frame_bytes", "places"}]
MAC, OTHER = b"\2\0\0\0\0\1", b"\2\0\0\0\0\2"
ETHER = MAC + OTHER


def way(one: str = "10.0.0.1", other: str = "10.0.0.2", port: int = 1801) -> Path:
    return Path(Address(ip_address(one), 50000, MAC), Address(ip_address(other), port, OTHER))


FOUR = way().tcp(5, 7, 0x18, b"payload")
SIX = way("2001:db8::1", "fe80::ff").tcp(5, 7, 0x18, b"payload")


def read(frame: bytes, link: int = 1, ports: Ports = PORTS) -> Outcome:
    return Dissector(ports).read(frame, link, len(frame))


def facts(outcome: Outcome) -> dict[str, Any]:
    assert outcome.facts is not None
    return dict(zip(FACTS, outcome.facts, strict=True))


def ip(protocol: int, content: bytes) -> bytes:
    """An IPv4 header around something, without Ethernet."""
    head = struct.pack(
        "!BBHHHBBH4s4s", 0x45, 0, 20 + len(content), 1, 0, 64, protocol, 0, b"\xc0\0\2\1", b"\xc0\0\2\2"
    )
    return head + content


def udp(port: int, content: bytes) -> bytes:
    return ip(17, struct.pack("!HHHH", 40000, port, 8 + len(content), 0) + content)


IPV4 = ETHER + b"\x08\0"
LABELS = b"\0\x01\0\x40" + b"\0\x02\x01\x40"


def ppp(packet: bytes, protocol: bytes = b"\0\x21") -> bytes:
    return ETHER + b"\x88\x64\x11\0\0\1" + struct.pack("!H", len(packet) + 2) + protocol + packet


def service(kind: int) -> bytes:
    """A Network Service Header with the fixed context."""
    return b"\x0f\xc6\1" + bytes((kind,)) + bytes(20)


WRAPPED: dict[str, Callable[[bytes], bytes]] = {
    "pppoe": lambda frame: ppp(frame[14:]),
    "mpls over pppoe": lambda frame: ppp(LABELS + frame[14:], b"\x02\x81"),
    "mpls, with the type of multicast, over pppoe": lambda frame: ppp(LABELS + frame[14:], b"\x02\x83"),
    "mpls": lambda frame: ETHER + b"\x88\x47" + LABELS + frame[14:],
    "ethernet over mpls": lambda frame: ETHER + b"\x88\x47" + LABELS + bytes(4) + frame,
    "ethernet over mpls, no control word": lambda frame: ETHER + b"\x88\x47" + LABELS + b"\x12" + frame[1:],
    "ethernet over mpls, no control word, address of zeros": lambda frame: (
        ETHER + b"\x88\x47" + LABELS + bytes(6) + frame[6:]
    ),
    "ethernet over mpls, an address like a tag": lambda frame: (
        ETHER + b"\x88\x47" + LABELS + bytes(4) + frame[:6] + b"\2\1\x81\0\0\2" + frame[12:]
    ),
    "vlan over mpls, no control word": lambda frame: (
        ETHER + b"\x88\x47" + LABELS + bytes(12) + b"\x81\0\0\5" + frame[12:]
    ),
    "tag of 0x9100": lambda frame: ETHER + b"\x91\0\0\5" + frame[12:],
    "tag of 0x9200": lambda frame: ETHER + b"\x92\0\0\5" + frame[12:],
    "vn-tag": lambda frame: ETHER + b"\x89\x26" + bytes(4) + frame[12:],
    "cmd": lambda frame: ETHER + b"\x89\x09\1\1\0\1\0\5" + frame[12:],
    "hsr": lambda frame: ETHER + b"\x89\x2f\0\5\0\1" + frame[12:],
    "802.1ah": lambda frame: ETHER + b"\x88\xa8\0\5\x88\xe7" + bytes(4) + frame,
    "authentication header": lambda frame: (
        IPV4 + ip(51, b"\x06\4" + bytes(22) + frame[34:]).replace(b"\xc0\0\2\1\xc0\0\2\2", frame[26:34], 1)
    ),
    "snap": lambda frame: ETHER + struct.pack("!H", len(frame)) + b"\xaa\xaa\3\0\0\0\x08\0" + frame[14:],
    "gre": lambda frame: IPV4 + ip(47, b"\0\0\x08\0" + frame[14:]),
    "gre with all fields": lambda frame: IPV4 + ip(47, b"\xb0\0\x08\0" + bytes(12) + frame[14:]),
    "gre with ethernet": lambda frame: IPV4 + ip(47, b"\0\0\x65\x58" + frame),
    "erspan 1": lambda frame: IPV4 + ip(47, b"\0\0\x88\xbe" + frame),
    "erspan 2": lambda frame: IPV4 + ip(47, b"\x10\0\x88\xbe" + bytes(4) + b"\x10\1\0\1" + bytes(4) + frame),
    "erspan 3": lambda frame: IPV4 + ip(47, b"\x10\0\x22\xeb" + bytes(4) + b"\x20\1" + bytes(10) + frame),
    "erspan 3, subheader": lambda frame: (
        IPV4 + ip(47, b"\x10\0\x22\xeb" + bytes(4) + b"\x20\1" + bytes(9) + b"\1" + bytes(8) + frame)
    ),
    "pptp": lambda frame: IPV4 + ip(47, b"\x30\x81\x88\x0b" + bytes(12) + b"\xff\3\0\x21" + frame[14:]),
    "vxlan": lambda frame: IPV4 + udp(4789, b"\x08" + bytes(3) + b"\0\0\5\0" + frame),
    "erspan 3, ip": lambda frame: (
        IPV4 + ip(47, b"\x10\0\x22\xeb" + bytes(4) + b"\x20\1" + bytes(8) + b"\x08\0" + frame[14:])
    ),
    "vxlan-gpe": lambda frame: IPV4 + udp(4790, b"\x0c\0\0\1\0\0\5\0" + frame[14:]),
    "vxlan-gpe with ethernet": lambda frame: IPV4 + udp(4790, b"\x0c\0\0\3\0\0\5\0" + frame),
    "geneve": lambda frame: IPV4 + udp(6081, b"\x01\0\x65\x58\0\0\5\0" + bytes(4) + frame),
    "vxlan-gpe with nsh": lambda frame: IPV4 + udp(4790, b"\x0c\0\0\4\0\0\5\0" + service(1) + frame[14:]),
    "nsh": lambda frame: ETHER + b"\x89\x4f" + service(3) + frame,
    "snap behind a tag": lambda frame: (
        ETHER + b"\x81\0\0\5" + struct.pack("!H", len(frame)) + b"\xaa\xaa\3\0\0\0\x08\0" + frame[14:]
    ),
    "trill": lambda frame: ETHER + b"\x22\xf3\0\x45\0\2\0\3" + bytes(4) + frame,
    "802.1ae": lambda frame: ETHER + b"\x88\xe5\0\0\0\0\0\1" + frame[12:],
    "802.1ae with a channel": lambda frame: ETHER + b"\x88\xe5\x20\0\0\0\0\1" + bytes(8) + frame[12:],
    "wccp": lambda frame: IPV4 + ip(47, b"\0\0\x88\x3e" + frame[14:]),
    "wccp 2": lambda frame: IPV4 + ip(47, b"\0\0\x88\x3e" + bytes(4) + frame[14:]),
    "gtp-u": lambda frame: IPV4 + udp(2152, b"\x30\xff\0\x2f\0\0\0\1" + frame[14:]),
    "gtp-u with extensions": lambda frame: (
        IPV4 + udp(2152, b"\x36\xff\0\x40\0\0\0\1\0\1\0\x85\1\0\1\xc0\1\0\1\0" + frame[14:])
    ),
    "gtp-u without extensions, type not zero": lambda frame: (
        IPV4 + udp(2152, b"\x33\xff\0\x40\0\0\0\1\0\1\0\x85" + frame[14:])
    ),
    "gtp-u with ethernet": lambda frame: IPV4 + udp(2152, b"\x32\xff\0\x40\0\0\0\1\0\1\0\0" + frame),
    "gue": lambda frame: IPV4 + udp(6080, b"\1\4\0\0" + bytes(4) + frame[14:]),
    "gue with gre": lambda frame: IPV4 + udp(6080, b"\0\x2f\0\0\0\0\x65\x58" + frame),
    "gue, second form": lambda frame: IPV4 + udp(6080, frame[14:]),
    "l2tp": lambda frame: IPV4 + udp(1701, b"\0\2\0\1\0\2\xff\3\0\x21" + frame[14:]),
    "l2tp with all fields": lambda frame: (
        IPV4 + udp(1701, b"\x4a\2" + bytes(10) + b"\0\3abc\xff\3\0\x21" + frame[14:])
    ),
    "l2tp 3": lambda frame: IPV4 + udp(1701, b"\0\3\0\0\0\0\0\7" + frame),
    "l2tp 3 with ppp": lambda frame: IPV4 + udp(1701, b"\0\3\0\0\0\0\0\7cookie!!\xff\3\0\x21" + frame[14:]),
    "l2tp 3 over ip": lambda frame: IPV4 + ip(115, b"\0\0\0\7\x45okie!!!" + bytes(4) + frame),
    "l2tp 3 with ip": lambda frame: IPV4 + ip(115, b"\0\0\0\7\x45oki" + frame[14:]),
    "mpls in udp": lambda frame: IPV4 + udp(6635, LABELS + frame[14:]),
    "lisp": lambda frame: IPV4 + udp(4341, b"\x80\0\0\1\0\0\0\1" + frame[14:]),
    "ethernet in ip": lambda frame: IPV4 + ip(97, b"\x30\0" + frame),
    "vxlan, first port of Linux": lambda frame: IPV4 + udp(8472, b"\x08" + bytes(7) + frame),
    "vxlan-gpe with mpls": lambda frame: IPV4 + udp(4790, b"\x0c\0\0\5\0\0\5\0" + LABELS + frame[14:]),
    "nsh with mpls": lambda frame: ETHER + b"\x89\x4f" + service(5) + LABELS + frame[14:],
    "mpls of multicast": lambda frame: ETHER + b"\x88\x48" + LABELS + frame[14:],
    "pppoe, short protocol": lambda frame: ETHER + b"\x88\x64\x11\0\0\1\0\x50\x21" + frame[14:],
    "ip in ip": lambda frame: IPV4 + ip(4, frame[14:]),
    "mpls in ip": lambda frame: IPV4 + ip(137, LABELS + frame[14:]),
}


@pytest.mark.parametrize("name", WRAPPED)
def test_tunnels(name: str) -> None:
    """What is wrapped is read as if it were not; every cut frame is counted as such."""
    frame = WRAPPED[name](FOUR)
    assert read(frame) == read(FOUR)
    assert read(frame).reason == Reason.READ
    for size in range(len(frame) - len(FOUR) + 14 + 20 + 8):
        cut = read(frame[:size])
        assert cut.reason in {Reason.CUT, Reason.NOT_IP, Reason.OTHER}, size
        assert (cut.reason == Reason.CUT) == (cut.facts is not None)


@pytest.mark.parametrize("name", ["vxlan", "geneve", "gtp-u"])
def test_a_frame_that_ends_with_the_ports_of_a_tunnel(name: str) -> None:
    """As soon as its UDP header is whole it is a frame of MSMQ that may be cut, not one of another port."""
    head = len(ETHER) + 2 + 20 + 8
    frame = WRAPPED[name](FOUR)
    assert [read(frame[: head + more]).reason for more in (-1, 0, 1)] == [
        Reason.OTHER,
        Reason.CUT,
        Reason.CUT,
    ]


@pytest.mark.parametrize(
    ("link", "head"),
    [
        (0, b"\x1e\0\0\0"),
        (9, b"\0\x57"),
        (9, b"\x57"),
        (12, b""),
        (14, b""),
        (101, b""),
        (108, b"\0\0\0\x1e"),
        (229, b""),
        (1, ETHER + b"\x88\x64\x11\0\0\1\0\x53\0\x57"),
        (1, ETHER + b"\x89\x4f" + service(2)),
        (1, ETHER + b"\x88\x47" + LABELS),
    ],
)
def test_ipv6_in_link_layers(link: int, head: bytes) -> None:
    assert read(head + SIX[14:], link) == read(SIX)


def test_the_version_of_a_header_counts() -> None:
    """As tcprewrite writes frames with the same link header before both versions."""
    for kind, frame in ((b"\x08\0", SIX), (b"\x86\xdd", FOUR)):
        assert read(ETHER + kind + frame[14:]) == read(frame)
        assert read(bytes(14) + kind + frame[14:], 113) == read(frame)
    for version in (0, 5, 7, 15):
        header = ETHER + b"\x86\xdd" + bytes((version << 4,)) + SIX[15:]
        assert read(header)[:2] == (Reason.DAMAGED, f"the IPv6 header begins with {version << 4:#04x}")


def test_ipv6_in_vxlan_gpe() -> None:
    assert read(IPV4 + udp(4790, b"\x0c\0\0\2\0\0\5\0" + SIX[14:])) == read(SIX)


@pytest.mark.parametrize("kind", [0, 43, 60, 135, 139, 140])
@pytest.mark.parametrize("more", [0, 1, 3])
def test_headers_of_ipv6_that_state_their_size(kind: int, more: int) -> None:
    """In units of eight bytes, the first of which is not counted."""
    head = bytes((6, more)) + bytes(6 + 8 * more)
    size = struct.pack("!HB", len(head) + len(SIX) - 54, kind)
    assert read(SIX[:18] + size + SIX[21:54] + head + SIX[54:]) == read(SIX)


def test_ipv6_in_ipv4_and_twice() -> None:
    assert read(IPV4 + ip(41, SIX[14:])) == read(SIX)
    twice = WRAPPED["vxlan"](WRAPPED["gre with ethernet"](WRAPPED["pppoe"](FOUR)))
    assert read(twice) == read(FOUR)
    deep = FOUR[14:]
    for _ in range(40):
        deep = ip(4, deep)
    assert read(IPV4 + deep) == Outcome(Reason.OTHER, "too many headers", None)


@pytest.mark.parametrize("depth", [16, 17])
def test_how_many_headers_of_ip_a_frame_may_have(depth: int) -> None:
    """Sixteen; one more is no frame that a network carries."""
    packet = FOUR[14:]
    for _ in range(depth - 1):
        packet = ip(4, packet)
    assert (read(IPV4 + packet) == read(FOUR)) == (depth == 16)


@pytest.mark.parametrize(("wire", "believed"), [(1 << 24, 1 << 24), ((1 << 24) + 1, 1 << 24), (3, 61)])
def test_the_size_of_a_frame_that_only_the_capture_states(wire: int, believed: int) -> None:
    """It is believed up to 16 MiB, and not below what was captured."""
    frame = FOUR[:16] + b"\0\0" + FOUR[18:]  # the network card was to cut it
    assert len(frame) == 61
    found = facts(Dissector(PORTS).read(frame, 1, wire))
    assert (found["payload"], found["length"]) == (b"payload", believed - 54)


def test_what_only_looks_like_a_tunnel() -> None:
    """Datagrams to the ports of tunnels that hold none."""
    for port in (1701, 2152, 3544, 4341, 4789, 4790, 6080, 6081, 6635):
        for content in (b"\xff" * 40, bytes(40), b"short", b"\0\3" + bytes(40), b"\x32\1\0\4" + bytes(8)):
            assert read(IPV4 + udp(port, content)).reason in {Reason.OTHER, Reason.NOT_IP}, port
    for port in (1701, 2152, 3544, 4789, 4790, 6080, 6081):  # they are datagrams like all others
        datagram = IPV4 + udp(port, b"\xff" * 40)
        assert read(datagram) == Outcome(Reason.OTHER, "port of UDP", None)
        assert facts(read(datagram, ports=Ports(None, None)))["payload"] == b"\xff" * 40
    for protocol in (97, 115):
        assert read(IPV4 + ip(protocol, bytes(40))) == Outcome(Reason.OTHER, f"IP protocol {protocol}", None)
    assert read(IPV4 + ip(115, b"\0\0\0\7" + b"E" * 40)).reason == Reason.OTHER
    sealed = ETHER + b"\x88\xe5\x0c\0\0\0\0\1" + bytes(60)
    assert read(sealed) == Outcome(Reason.NOT_IP, "type 0x88e5", None)


@pytest.mark.parametrize("before", [b"", b"\0\1\2\3abcde" + bytes(8) + b"\0", bytes(8)])
@pytest.mark.parametrize("ports", [(3544, 40000), (40000, 3544)])
def test_teredo(before: bytes, ports: tuple[int, int]) -> None:
    content = before + SIX[14:]
    datagram = struct.pack("!HHHH", *ports, 8 + len(content), 0) + content
    assert read(IPV4 + ip(17, datagram)) == read(SIX)


SNAP = b"\xaa\xaa\3\0\0\0\x08\0"
RADIO = {
    "plain": b"\x08\1" + bytes(22) + SNAP,
    "aligned": b"\x88\1" + bytes(24) + bytes(2) + SNAP,
    "quality": b"\x88\2" + bytes(24) + SNAP,
    "high throughput": b"\x88\x82" + bytes(28) + SNAP,
    "between access points": b"\x08\3" + bytes(28) + SNAP,
}


@pytest.mark.parametrize("name", RADIO)
def test_wireless(name: str) -> None:
    """Data frames are read, with and without the header of radiotap; encrypted ones are counted."""
    head = RADIO[name]
    for link, before in ((105, b""), (127, b"\0\0\x0a\0" + bytes(6))):
        assert read(before + head + FOUR[14:], link) == read(FOUR)
        sealed = head[:1] + bytes((head[1] | 0x40,)) + head[2:]
        assert read(before + sealed + FOUR[14:], link).reason == Reason.NOT_IP
        assert read(before + b"\x80\0" + bytes(60), link).reason == Reason.NOT_IP
        for size in range(len(before + head)):
            assert read((before + head)[:size], link).reason in {Reason.CUT, Reason.NOT_IP}


def test_cooked_frames_with_snap() -> None:
    """A frame of IEEE 802.3 has no EtherType in the cooked header, but in the one of SNAP."""
    for link, head in ((113, b"\0\4\0\1\0\6" + bytes(8) + b"\0\4"), (276, b"\0\4" + bytes(18))):
        assert read(head + SNAP + FOUR[14:], link) == read(FOUR)
        assert read(head + b"\x42\x42\3" + bytes(32), link).reason == Reason.NOT_IP


@pytest.mark.parametrize(("link", "head"), [(104, b"\x0f\0\x08\0"), (204, b"\1\xff\3\0\x21")])
def test_serial_links(link: int, head: bytes) -> None:
    assert read(head + FOUR[14:], link) == read(FOUR)
    for size in range(len(head)):
        assert read(head[:size], link).reason == Reason.CUT


NO_IP = {
    "ethernet": (1, ETHER + b"\x08\x06"),
    "tag": (1, ETHER + b"\x81\0\0\5\x08\x06"),
    "vn-tag": (1, ETHER + b"\x89\x26" + bytes(4) + b"\x08\x06"),
    "pppoe": (1, ETHER + b"\x88\x64\x11\0\0\1\0\2\xc0\x21"),
    "nsh": (1, ETHER + b"\x89\x4f\x0f\xc2\1\0" + bytes(4)),
    "802.1ae": (1, ETHER + b"\x88\xe5\x0c" + bytes(15)),
    "cisco": (104, b"\x0f\0\x08\x06"),
    "wireless": (105, b"\x08\1" + bytes(22) + SNAP[:6] + b"\x08\x06"),
    "cooked": (113, bytes(14) + b"\x08\x06"),
    "cooked, second version": (276, b"\x08\x06" + bytes(18)),
    "ppp": (9, b"\xc0\x21"),
    "ppp with address": (50, b"\xff\3\xc0\x21"),
    "ppp with direction": (204, b"\1\xff\3\xc0\x21"),
    "pppoe without ethernet": (51, b"\x11\0\0\1\0\2\xc0\x21"),
}
"""Headers whose last byte is the last one that says what follows, which is no IP."""


@pytest.mark.parametrize("name", NO_IP)
def test_frames_that_end_with_their_link_header(name: str) -> None:
    """They are not cut if nothing of the header is missing."""
    link, frame = NO_IP[name]
    assert [read(frame[: len(frame) - missing], link).reason for missing in (0, 1)] == [
        Reason.NOT_IP, Reason.CUT
    ]  # fmt: skip


def test_counts_by_reason() -> None:
    arp = ETHER + b"\x08\x06" + bytes(28)
    assert read(arp) == Outcome(Reason.NOT_IP, "type 0x0806", None)
    assert read(IPV4 + ip(1, b"ping")) == Outcome(Reason.OTHER, "IP protocol 1", None)
    assert read(way(port=80).tcp(1, 1, 16, b"GET /")) == Outcome(Reason.OTHER, "port of TCP", None)
    assert read(FOUR, 147) == Outcome(Reason.LINK, "link type 147", None)
    damaged = FOUR[:46] + b"\x40" + FOUR[47:]
    assert read(damaged).reason == Reason.DAMAGED


# ----------------------------------------------------------------------------------------- fragments


def fragments(frame: bytes, size: int = 40) -> list[bytes]:
    """An IPv4 frame in fragments."""
    head, content = frame[:34], frame[34:]
    made = []
    for at in range(0, len(content), size):
        part = content[at : at + size]
        more = 0x2000 if at + size < len(content) else 0
        made.append(head[:16] + struct.pack("!HHH", 20 + len(part), 77, more | at // 8) + head[22:] + part)
    return made


LONG = way().tcp(5, 7, 0x18, bytes(range(200)))


def run(frames: list[bytes], ports: Ports = PORTS) -> tuple[list[Outcome], list[Any]]:
    dissector = Dissector(ports)
    found = [dissector.read(frame, 1, len(frame), at, at) for at, frame in enumerate(frames, 1)]
    return found, list(dissector.missing(at_end=True))


def test_fragments_in_any_order() -> None:
    """The frame that makes the datagram whole is its row; all others are counted as fragments."""
    parts = fragments(LONG)
    for seed in range(20):
        order = parts * (1 + seed % 2)
        random.Random(seed).shuffle(order)  # noqa: S311  # a seed, not a secret
        found, missing = run(order)
        whole = [outcome for outcome in found if outcome.reason == Reason.READ]
        assert {outcome.facts for outcome in whole} == {read(LONG).facts}
        assert len(found) == len(order)
        assert len(whole) >= 1
        assert sum(len(frames) for *_, frames in missing) + len(whole) <= len(order)


def test_fragments_of_ipv6() -> None:
    content = SIX[54:]
    made = []
    for at in range(0, len(content), 16):
        part = content[at : at + 16]
        fragment_offset = at | (at + 16 < len(content))
        header = b"\x06\0" + struct.pack("!HI", fragment_offset, 9) + part
        made.append(SIX[:18] + struct.pack("!HB", len(header), 44) + SIX[21:54] + header)
    found, missing = run(made[::-1])
    assert [outcome.reason for outcome in found] == [Reason.FRAGMENT] * (len(made) - 1) + [Reason.READ]
    assert found[-1].facts == read(SIX).facts
    assert missing == []


@pytest.mark.parametrize("kind", [51, 60])
def test_extension_headers_within_fragments(kind: int) -> None:
    """The headers of a datagram of IPv6 can be in its fragments."""
    content = (b"\x06\1" if kind == 60 else b"\x06\2") + bytes(14) + SIX[54:]
    made = []
    for at in range(0, len(content), 16):
        part = content[at : at + 16]
        header = bytes((kind, 0)) + struct.pack("!HI", at | (at + 16 < len(content)), 9) + part
        made.append(SIX[:18] + struct.pack("!HB", len(header), 44) + SIX[21:54] + header)
    found, missing = run(made)
    assert found[-1].facts == read(SIX).facts
    assert missing == []


@pytest.mark.parametrize(
    ("link", "head"), [(9, b"\0\x21"), (50, b"\xff\3\0\x21"), (51, b"\x11\0\0\1\0\x53\0\x21")]
)
def test_link_types_of_ppp(link: int, head: bytes) -> None:
    assert read(head + FOUR[14:], link) == read(FOUR)
    for size in range(len(head)):
        assert read(head[:size], link).reason == Reason.CUT


def test_a_missing_fragment() -> None:
    parts = fragments(LONG)
    found, ((note, outcome, frames),) = run([parts[0], *parts[2:]])
    assert {one.reason for one in found} == {Reason.FRAGMENT}
    assert (note, outcome.reason) == (1, Reason.MISSING)
    assert [number for number, _ in frames] == list(range(1, len(parts)))
    row = facts(outcome)
    assert row["error"] == "fragments of a datagram are missing; 180 bytes of it were captured"
    assert (row["src_port"], row["dst_port"], row["payload"]) == (50000, 1801, LONG[34:74])
    _, ((_, outcome, _),) = run(fragments(way(port=80).tcp(1, 1, 16, bytes(99)))[:1])
    assert outcome == Outcome(Reason.MISSING, "", None)


@pytest.mark.parametrize(
    "repeats", [[0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5], [0, 1, 2, 3, 4, 5, 5, 2, 0], [*range(6)] * 2]
)
def test_fragments_that_were_captured_again(repeats: list[int]) -> None:
    """Nothing is missing of a complete datagram if its fragments come again; their frames are counted."""
    parts = fragments(LONG)
    dissector = Dissector(PORTS)
    frames = [parts[at] for at in repeats]
    found = [dissector.read(frame, 1, len(frame), at, at) for at, frame in enumerate(frames)]
    whole = [outcome.facts for outcome in found if outcome.reason == Reason.READ]
    assert {*whole} == {read(LONG).facts}
    assert [*dissector.missing(at_end=True)] == []
    assert len(dissector.joined()) + len(whole) == len(frames)
    # After the repeats, the same number identifies another datagram.
    other = way().tcp(205, 7, 0x18, bytes(200))
    found = [dissector.read(part, 1, len(part)) for part in fragments(other)]
    assert found[-1].facts == read(other).facts


def test_a_fragment_that_does_not_end_on_eight_bytes() -> None:
    """Its last bytes are nobody's, because the next fragment begins on a multiple of eight."""
    data = bytes(range(20))
    waiting, key = Waiting(), (b"\1" * 4, b"\2" * 4, 6, 7)
    assert waiting.take(Fragment(key, 0, data[:8] + b"????", more=True), (1, 60), 1) is None
    assert waiting.take(Fragment(key, 8, data[8:], more=False), (2, 60), 2) == data
    assert waiting.differing == []


def test_fragments_that_differ() -> None:
    """The bytes captured first are used, and each fragment that differs from them is a row."""
    parts = fragments(LONG)
    for at in range(len(parts) - 1):
        bent = parts[at][:-8] + b"differs!"
        found, told = run([*parts[: at + 1], bent, *parts[at + 1 :]])
        assert found[-1].facts == read(LONG).facts
        ((number, outcome, frames),) = told
        assert (number, frames) == (at + 2, [])
        assert facts(outcome)["error"] == "a fragment differs from bytes captured before it, which are used"
    # A fragment that begins or ends within another one, and differs in one of the bytes of both.
    head, content = LONG[:34], bytearray(LONG[34:])
    content[44] ^= 1
    part = bytes(content[32:64])
    over = head[:16] + struct.pack("!HHH", 20 + len(part), 77, 0x2000 | 4) + head[22:] + part
    found, told = run([parts[0], parts[1], over, *parts[2:]])
    assert found[-1].facts == read(LONG).facts
    assert [number for number, *_ in told] == [3]


def test_fragments_of_another_time() -> None:
    """A minute later, the same number identifies another datagram."""
    parts, other = fragments(LONG), way().tcp(205, 7, 0x18, bytes(200))
    dissector = Dissector(PORTS)
    for part in parts[1:]:
        assert dissector.read(part, 1, len(part), 1, None, 1_000_000).reason == Reason.FRAGMENT
    found = [dissector.read(part, 1, len(part), 1, None, 62_000_000) for part in fragments(other)]
    assert found[-1].facts == read(other).facts
    ((_, outcome, frames),) = dissector.missing(at_end=True)
    assert (outcome.reason, len(frames)) == (Reason.MISSING, len(parts) - 1)


@pytest.mark.parametrize(("later", "joined"), [(60_000_000, True), (60_000_001, False)])
def test_how_long_a_fragment_waits(later: int, joined: bool) -> None:
    """A minute from the first one ([RFC 1122] 3.3.2 has 60 seconds as the least), if times are known."""
    first, second = fragments(LONG, 136)
    for times, whole in (((5, 5 + later), joined), ((None, later), True), ((5, None), True)):
        dissector = Dissector(PORTS)
        found = [
            dissector.read(part, 1, len(part), 1, None, time)
            for part, time in zip((first, second), times, strict=True)
        ]
        assert (found[-1].reason == Reason.READ) == whole


AGAIN = way().tcp(205, 7, 0x18, bytes(range(50, 250)))


@pytest.mark.parametrize("before", [[0], [1], [4, 3], [0, 2, 4]])
@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4, 5], [0, 5, 4, 3, 2, 1]])
@pytest.mark.parametrize(("later", "apart"), [(1_000_000, False), (1_000_001, True)])
def test_a_number_that_is_used_again(before: list[int], order: list[int], later: int, apart: bool) -> None:
    """A first fragment more than a second after an incomplete datagram begins another one."""
    parts, others = fragments(LONG), fragments(AGAIN)
    dissector = Dissector(PORTS)
    for at in before:
        dissector.read(parts[at], 1, len(parts[at]), at, at, 5)
    outcomes = [dissector.read(others[at], 1, len(others[at]), at, 9, 5 + later) for at in order]
    told = [(note, outcome.reason, len(frames)) for note, outcome, frames in dissector.missing(at_end=True)]
    if apart:
        assert outcomes[-1].facts == read(AGAIN).facts
        assert told == [(before[0], Reason.MISSING, len(before))]
        assert dissector.joined() == [len(others[at]) for at in order[:-1]]
    else:
        assert read(AGAIN).facts not in {outcome.facts for outcome in outcomes}


@pytest.mark.parametrize(
    ("fragment_offset", "data", "more", "apart"),
    [
        (8, b"12345678", True, False),  # captured again
        (8, b"1234567?", True, True),
        (8, b"1234567890123456", True, False),
        (8, b"12345678????", True, False),  # its last bytes are nobody's
        (16, b"1234", False, True),
        (16, b"1234", True, False),
        (40, b"5678", False, False),
        (40, b"56789", False, True),
        (40, b"12345678", True, True),
        (0, b"12345678", True, True),
    ],
)
def test_contradictions_a_second_later(fragment_offset: int, data: bytes, more: bool, apart: bool) -> None:
    """Other bytes, another end, or a first fragment that was not there."""
    waiting, key = Waiting(), (b"a", b"b", 6, 1)
    waiting.take(Fragment(key, 8, b"12345678", more=True), (1, 9), 1, 0)
    waiting.take(Fragment(key, 40, b"5678", more=False), (2, 9), 2, 0)
    waiting.take(Fragment(key, fragment_offset, data, more), (3, 9), 3, 1_000_001)
    assert len([*waiting.given_up(all_of_them=True)]) == 1 + apart


def test_the_last_fragment_of_a_shorter_datagram_comes_first() -> None:
    """It ends within what is captured of the older one."""
    waiting, key = Waiting(), (b"a", b"b", 6, 1)
    waiting.take(Fragment(key, 32, b"12345678", more=True), (1, 9), 1, 0)
    assert waiting.take(Fragment(key, 8, b"last", more=False), (2, 9), 2, 2_000_000) is None
    assert waiting.take(Fragment(key, 0, b"first...", more=True), (3, 9), 3, 2_000_000) == b"first...last"
    assert len([*waiting.given_up(all_of_them=True)]) == 1


@pytest.mark.parametrize(("others", "known"), [(63, True), (64, False)])
def test_how_many_complete_datagrams_are_known(others: int, known: bool) -> None:
    """Fragments of the last 64 that come again are no others; of older ones, the rest seems to be missing."""
    waiting = Waiting()

    def take(number: int, fragment_offset: int, *, more: bool) -> bytes | None:
        return waiting.take(Fragment((b"a", b"b", 6, number), fragment_offset, bytes(8), more), (1, 60), None)

    for number in range(others + 1):
        assert take(number, 0, more=True) is None
        assert take(number, 8, more=False) == bytes(16)
    take(0, 0, more=True)
    assert [*waiting.given_up()] == []
    assert bool([*waiting.given_up(all_of_them=True)]) is not known
    assert waiting.joined == [60] * (others + 1 + known)


@pytest.mark.parametrize("start", [0, 8, 16])
def test_a_fragment_that_overlaps_brings_its_other_bytes(start: int) -> None:
    """Before, behind and between what is there; equal bytes are no difference, and sizes count once."""
    data, key = bytes(range(1, 41)), (b"a", b"b", 6, 1)
    waiting = Waiting()
    assert waiting.take(Fragment(key, 8, data[8:16], more=True), (1, 9), None) is None
    assert waiting.take(Fragment(key, 32, data[32:], more=False), (2, 9), None) is None
    assert waiting.take(Fragment(key, 0, data[:8], more=True), (3, 9), None) is None
    assert waiting.take(Fragment(key, start, data[start:], more=False), (4, 9), None) == data
    assert waiting.differing == []
    other = Waiting()
    other.take(Fragment(key, 8, data[8:24], more=True), (1, 9), None)
    other.take(Fragment(key, 0, data[:16], more=True), (2, 9), None)
    other.take(Fragment(key, 16, bytes(8) + data[24:32], more=True), (3, 9), None)
    (incomplete,) = other.given_up(all_of_them=True)
    assert (incomplete.head, incomplete.size) == (data[:32], 32)
    assert [fragment.fragment_offset for fragment, _ in other.differing] == [16]


def test_pieces_of_datagrams_that_are_left() -> None:
    """What is there between gaps, its places, and up to where the first gap begins."""
    waiting, key = Waiting(), (b"a", b"b", 6, 1)
    data = bytes(range(200))
    for number, (start, stop) in enumerate([(8, 24), (64, 72), (72, 80), (192, 200)]):
        waiting.take(Fragment(key, start, data[start:stop], more=stop < 200), (number, 9), number)
    waiting.take(Fragment(key, 8, data[8:16], more=True), (9, 9), 9)  # nothing new
    (left,) = waiting.left()
    assert left.parts == {8: data[8:24], 64: data[64:80], 192: data[192:]}
    assert (left.end, left.first, left.last, len(left.frames)) == (200, 0, 3, 5)
    assert [*waiting.left()] == []
    for start, head in ((8, b""), (0, data[:16])):
        waiting.take(Fragment(key, start, data[start : start + 16], more=True), (1, 9), None)
        waiting.take(Fragment(key, 40, data[40:48], more=True), (2, 9), None)
        (incomplete,) = waiting.given_up(all_of_them=True)
        assert (incomplete.head, incomplete.size, incomplete.frames) == (head, 24, [(1, 9), (2, 9)])


def test_work_on_overlapping_fragments() -> None:
    """It grows with their number, also if they have all bytes but one unit of a datagram many times."""

    def work(count: int) -> int:
        waiting, key = Waiting(), (b"one", b"other", 6, 1)
        lines = 0

        def trace(frame: Any, *_: object) -> Any:
            nonlocal lines
            lines += frame.f_code.co_filename.endswith("fragments.py")
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            waiting.take(Fragment(key, (count + 3) * 8, bytes(8), more=False), (1, 1), None)
            for at in range(count):
                waiting.take(Fragment(key, at * 8, bytes(16), more=True), (1, 1), None)
        finally:
            sys.settrace(before)
        return lines

    assert work(800) < 3 * work(400)


def test_a_fragment_that_the_capture_has_cut() -> None:
    parts = fragments(LONG)
    found, missing = run([parts[0][:-3], *parts[1:]])
    assert found[0].reason == Reason.CUT
    assert len(missing) == 1


def test_many_datagrams_wait() -> None:
    """Only so many do, and every frame is in one count."""
    dissector = Dissector(PORTS)
    count = 3 * MAX_WAITING
    told = 0
    for number in range(count):
        part = fragments(LONG)[0]
        part = part[:18] + struct.pack("!H", number) + part[20:]
        assert dissector.read(part, 1, len(part), number).reason == Reason.FRAGMENT
        told += sum(len(frames) for *_, frames in dissector.missing())
    assert told == count - MAX_WAITING
    assert told + sum(len(frames) for *_, frames in dissector.missing(at_end=True)) == count


# ----------------------------------------------------------------------------------------- checksums


@pytest.mark.parametrize("frame", [FOUR, SIX, LONG, way(port=3527).udp(b"odd"), way(port=3527).udp(b"even")])
def test_checksums(frame: bytes) -> None:
    assert facts(read(frame))["checksum"] is True
    assert facts(read(frame[:-1] + bytes([frame[-1] ^ 1])))["checksum"] is False
    assert facts(read(frame + bytes(6)))["checksum"] is True  # padding of Ethernet
    cut = Dissector(PORTS).read(frame[:-1], 1, len(frame))
    assert facts(cut)["checksum"] is None


def test_checksums_that_were_to_be_filled_in() -> None:
    """Then the sum of the pseudo header stands there."""
    pseudo = sum(struct.unpack("!4H", FOUR[26:34])) + 6 + len(FOUR) - 34
    frame = FOUR[:50] + struct.pack("!H", pseudo % 0xFFFF) + FOUR[52:]
    assert facts(read(frame))["checksum"] is None


def test_marks() -> None:
    packet = BaseHeader().encode()
    assert marked(packet)
    assert marked(b"before" + packet)
    assert not marked(b"LIOR" + bytes(20))
    assert not marked(packet[:4].replace(b"\x10", b"\x11") + packet[4:])
    elsewhere = way(port=80)
    free = Ports(None, frozenset({3527}))
    assert facts(read(elsewhere.tcp(1, 1, 16, packet), ports=free))["marked"]
    assert not facts(read(elsewhere.tcp(1, 1, 16, b"GET /"), ports=free))["marked"]
    assert facts(read(FOUR, ports=free))["marked"]


@pytest.mark.parametrize("frame", [FOUR, SIX, WRAPPED["vxlan"](FOUR), WRAPPED["vxlan"](SIX)])
def test_common_frames_are_read_at_once(frame: bytes) -> None:
    """None of them is left to the diagnostic reader."""
    count = 40
    each = np.arange(count, dtype=np.int64)
    one, size = np.ones_like(each), np.full_like(each, len(frame))
    frames = Frames(frame * count, 1, each, each, one, size, each * len(frame), size, each)
    found = usual("a.pcap", frames, Ports(None, None))
    assert found is not None
    assert (found.batch.num_rows, len(found.rest)) == (count, 0)
    assert set(found.batch["payload"].to_pylist()) == {b"payload"}
