"""Headers and checksums byte by byte: where each ends, and what each covers."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from msmq_wire.captures.files.containers import Frames
from msmq_wire.captures.network.fragments import Fragment, Waiting
from msmq_wire.captures.network.frames import Dissector, Ports, Reason
from msmq_wire.captures.network.vectors import Chunk, usual
from msmq_wire.mqmq import BaseHeader

from .test_frames import (
    ETHER,
    FACTS,
    FOUR,
    IPV4,
    LONG,
    PORTS,
    SIX,
    WRAPPED,
    facts,
    fragments,
    ip,
    read,
    run,
    way,
)

PING, PING_SIX = way(port=3527).udp(b"ping!"), way("2001:db8::1", "fe80::ff", 3527).udp(b"ping!")
ALL = Ports(None, None)


def changed(frame: bytes, at: int, value: bytes) -> bytes:
    return frame[:at] + value + frame[at + len(value) :]


def at_once(frames: list[bytes], link: int = 1, ports: Ports = PORTS) -> dict[int, dict[str, Any]]:
    """What is read of many frames at once, by index; between them are bytes of records, even and odd."""
    chunk, starts = bytearray(), []
    for number, frame in enumerate(frames):
        chunk += b"\xa5" * (1 + number % 2)
        starts.append(len(chunk))
        chunk += frame
    each, size = np.arange(len(frames), dtype=np.int64), np.array([*map(len, frames)], np.int64)
    links, places = np.full_like(each, link), np.array(starts, np.int64)
    found = usual("a.pcap", Frames(bytes(chunk), 1, each, each, links, size, places, size, each), ports)
    if found is None:
        return {}
    index = sorted({*each.tolist()} - {*found.rest.tolist()})
    rows = found.batch.to_pylist()
    assert [row["frame"] for row in rows] == [at + 1 for at in index]
    assert found.size == sum(len(frames[at]) for at in index)
    assert found.wrong == sum(row["checksum"] is False for row in rows)
    return {at: {name: row[name] for name in FACTS} for at, row in zip(index, rows, strict=True)}


# ------------------------------------------------------------------------------------------ checksums


def filled(frame: bytes, header: int, field: int, protocol: int) -> bytes:
    """The frame with the checksum of RFC 1071 over the pseudo header, and all from `header` on."""
    frame = changed(frame, header + field, b"\0\0")
    addresses = frame[26:34] if frame[14] >> 4 == 4 else frame[22:54]
    data = addresses + struct.pack("!II", len(frame) - header, protocol) + frame[header:]
    total = 0
    for (word,) in struct.iter_unpack("!H", data + bytes(len(data) % 2)):
        total += word
        total = (total & 0xFFFF) + (total >> 16)  # end-around carry
    return changed(frame, header + field, struct.pack("!H", total ^ 0xFFFF or 0xFFFF))


def of_size(size: int, *, six: bool = False, udp: bool = False) -> bytes:
    """A frame with so many bytes of payload and the right checksum."""
    port = 3527 if udp else 1801
    path = way("2001:db8::1", "fe80::ff", port) if six else way(port=port)
    payload = bytes(range(0x81, 0x81 + size))
    return path.udp(payload) if udp else path.tcp(0x12345678, 0x9ABCDEF0, 0x18, payload)


KINDS = {
    "tcp": (of_size(7), 34, 16, 6),
    "tcp, even": (of_size(4), 34, 16, 6),
    "tcp, nothing": (of_size(0), 34, 16, 6),
    "tcp over ipv6": (of_size(7, six=True), 54, 16, 6),
    "tcp over ipv6, even": (of_size(4, six=True), 54, 16, 6),
    "udp": (of_size(7, udp=True), 34, 6, 17),
    "udp, even": (of_size(4, udp=True), 34, 6, 17),
    "udp over ipv6": (of_size(7, six=True, udp=True), 54, 6, 17),
}


@pytest.mark.parametrize("name", KINDS)
def test_what_a_checksum_covers(name: str) -> None:
    """Both addresses and all of the segment, but nothing else of the headers before it."""
    frame, header, field, protocol = KINDS[name]
    assert filled(frame, header, field, protocol) == frame
    six = header == 54
    ports_and_sizes = {
        *range(header, header + 4),
        *((header + 12,) if protocol == 6 else (header + 4, header + 5)),
    }
    covered = {*(range(22, 54) if six else range(26, 34)), *range(header, len(frame))} - ports_and_sizes
    others = {*range(12), *((15, 16, 17, 21) if six else (15, 18, 19, 22, 24, 25))}
    places = sorted(covered | others) * 2
    bent = [changed(frame, at, bytes((frame[at] ^ 0x11,))) for at in places]
    expected = [at in others for at in places]
    assert [facts(read(one))["checksum"] for one in bent] == expected
    if protocol == 6:
        assert [row["checksum"] for row in at_once([frame, *bent, frame, frame]).values()] == [
            True, *expected, True, True
        ]  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_a_checksum_that_the_card_fills_in(name: str) -> None:
    """It has the sum of the pseudo header (the addresses, the protocol and the size), which is unknown."""
    frame, header, field, protocol = KINDS[name]
    addresses = frame[26:34] if header == 34 else frame[22:54]
    words = struct.unpack(f"!{len(addresses) // 2}H", addresses)
    total = sum(words) + protocol + len(frame) - header
    total = (total & 0xFFFF) + (total >> 16)
    offloaded = changed(frame, header + field, struct.pack("!H", total))
    near = changed(frame, header + field, struct.pack("!H", total + 1))
    assert [facts(read(one))["checksum"] for one in (offloaded, near)] == [None, False]
    if protocol == 6:
        rows = at_once([offloaded, near] * 10)
        assert [row["checksum"] for row in rows.values()] == [None, False] * 10


@pytest.mark.parametrize("size", [40, 41])
def test_sums_of_ranges(size: int) -> None:
    """Wherever they begin and end, also at the end of all bytes: a range is the words that it has."""
    data = bytes(range(200, 200 + size))
    chunk = Chunk(data)
    for start in range(size - 4):
        for end in range(start + 2, size + 1):
            words = data[start:end] + bytes((end - start) % 2)
            expected = sum(struct.unpack(f"!{len(words) // 2}H", words)) % 0xFFFF
            edges = [start], [end]
            if end <= size - 4:  # another range follows
                edges = [start, end + 1], [end, size]
            found = chunk.sums(*(np.array(one, np.int64) for one in edges))
            assert found[0] == expected, (start, end)


def test_checksums_that_are_unknown() -> None:
    """Of what was not captured completely, of what has no size, and of a datagram that has none."""
    assert facts(read(changed(PING, 40, b"\0\0")))["checksum"] is None
    assert facts(read(changed(PING, 40, b"\0\1")))["checksum"] is False
    assert facts(read(changed(FOUR, 16, b"\0\0")))["checksum"] is None
    assert facts(read(changed(SIX, 18, b"\0\0")))["checksum"] is None
    for frame in (FOUR, SIX, PING, PING_SIX):
        assert facts(read(frame))["checksum"] is True
        assert facts(read(frame[:-1]))["checksum"] is None


@pytest.mark.parametrize("size", range(54, 75))
def test_the_checksum_of_a_segment_that_is_cut_within_its_options(size: int) -> None:
    """It is unknown, although no payload is missing: a SYN has options and no payload."""
    options = b"\2\4\5\xb4\4\2\x08\x0a" + bytes(8) + b"\1\3\3\7"
    segment = changed(FOUR[34:54], 12, b"\xa0\2") + options
    frame = filled(IPV4 + changed(ip(6, segment), 12, FOUR[26:34]), 34, 16, 6)
    assert len(frame) == 74
    row = facts(Dissector(PORTS).read(frame[:size], 1, 74))
    assert (row["checksum"], row["payload"], row["length"]) == (True if size == 74 else None, b"", 0)


# ------------------------------------------------------------------------------------------ headers


@pytest.mark.parametrize(
    ("name", "ip_header", "transport"), [("TCP", 34, 14), ("TCP", 54, 14), ("UDP", 34, 8), ("UDP", 54, 8)]
)
def test_where_a_frame_ends(name: str, ip_header: int, transport: int) -> None:
    """As soon as the ports were captured the row has them; a frame of other ports is then none of ours.

    The header of TCP is needed up to the flags.
    """
    six = ip_header == 54
    frame = of_size(7, six=six, udp=name == "UDP")
    nothing = Ports(frozenset(), frozenset())
    for size in range(len(frame)):
        row, elsewhere = facts(read(frame[:size])), read(frame[:size], ports=nothing)
        if size < ip_header + 4:
            error = f"the frame ends before the ports of {name}"
            if size < ip_header:
                error = f"the frame ends within its {'link' if size < 14 else 'IP'} header"
            assert (row["error"], row["dst_port"], elsewhere.reason) == (error, None, Reason.CUT)
        else:
            cut = size < ip_header + transport
            error = f"the frame ends within its {name} header"
            assert row["error"] == (error if cut else None)
            assert row["dst_port"] == (3527 if name == "UDP" else 1801)
            assert elsewhere.reason == Reason.OTHER


def test_where_extension_headers_end() -> None:
    """The first eight bytes say what follows; of the header of fragments they are all."""

    def errors(kind: int, content: bytes) -> list[Any]:
        frame = SIX[:18] + struct.pack("!HB", 40, kind) + SIX[21:54] + content
        return [facts(read(frame[:size])).get("error") for size in (54 + 7, 54 + 8)]

    cut, before = "the frame ends within an extension header", "the frame ends before the ports of TCP"
    for kind in (0, 43, 51, 60):
        assert errors(kind, b"\6" + bytes(7)) == [cut, before]
    assert errors(44, b"\6" + bytes(7)) == [cut, before]
    frame = SIX[:18] + struct.pack("!HB", 40, 44) + SIX[21:54] + b"\6\0\0\1" + bytes(4)
    assert [read(frame[:-1]).detail, read(frame).detail] == [
        cut, "a fragment that the capture truncated"
    ]  # fmt: skip


def with_options(words: int, more: int, payload: bytes = b"payload") -> bytes:
    """A segment with so many words in its IP header, and in its TCP header."""
    segment = changed(FOUR[34:54], 12, bytes((more << 4,))) + bytes(4 * more - 20) + payload
    packet = ip(6, segment)
    size = struct.pack("!H", len(packet) + 4 * words - 20)
    packet = bytes((0x40 | words,)) + packet[1:2] + size + packet[4:12] + FOUR[26:34]
    return filled_at(IPV4 + packet + bytes(4 * words - 20) + segment, 14 + 4 * words)


def filled_at(frame: bytes, header: int) -> bytes:
    return filled(frame, header, 16, 6)


@pytest.mark.parametrize("payload", [b"", b"payload"])
def test_options(payload: bytes) -> None:
    """A header of IPv4 or TCP has five to fifteen words, by the first and by the thirteenth byte."""
    frames = [with_options(words, more, payload) for words in range(5, 16) for more in range(5, 16)]
    rows = at_once(frames)
    for at, frame in enumerate(frames):
        row = facts(read(frame))
        assert (row["payload"], row["length"], row["checksum"], row["error"]) == (
            payload,
            len(payload),
            True,
            None,
        )
        assert rows[at] == row
    for words in range(5):
        assert read(changed(FOUR, 14, bytes((0x40 | words,)))).reason == Reason.DAMAGED
        assert read(changed(FOUR, 46, bytes((words << 4,)))).reason == Reason.DAMAGED
    assert read(way().tcp(1, 1, 16)).reason == Reason.READ
    assert read(changed(way().tcp(1, 1, 16), 46, b"\x60")).reason == Reason.DAMAGED


@pytest.mark.parametrize("ports", [PORTS, ALL])
@pytest.mark.parametrize("name", ["four", "six", "tagged", "tagged twice", "vxlan", "vxlan with ipv6"])
def test_frames_with_any_byte_changed(name: str, ports: Ports) -> None:
    """Whatever is in a header, a frame that is read together with others has the row that it has alone."""
    frame = {
        "four": FOUR,
        "six": SIX,
        "tagged": FOUR[:12] + b"\x81\0\0\5" + FOUR[12:],
        "tagged twice": SIX[:12] + b"\x88\xa8\0\5\x81\0\0\6" + SIX[12:],
        "vxlan": WRAPPED["vxlan"](FOUR),
        "vxlan with ipv6": WRAPPED["vxlan"](SIX),
    }[name]
    frames = [frame] * 17
    for at in range(12, len(frame)):
        value = frame[at]
        frames += [
            changed(frame, at, bytes((one & 0xFF,)))
            for one in (0, 1, 0x20, 0x4F, 0xFF, value ^ 0x10, value ^ 4, value - 1, value + 1)
        ]
    frames += [frame[:size] for size in range(len(frame))] + [frame + b"padding"[:size] for size in range(7)]
    rows = at_once(frames, ports=ports)
    assert {*range(17)} <= {*rows}
    assert {*range(len(frames) - 7, len(frames))} <= {*rows}
    for at, row in rows.items():
        alone = read(frames[at], ports=ports)
        assert (alone.reason, facts(alone)) == (Reason.READ, row), frames[at].hex()


LINKS = {
    0: b"\x02\0\0\0", 1: IPV4, 12: b"", 14: b"", 101: b"", 108: b"\0\0\0\2", 113: bytes(14) + b"\x08\0",
    228: b"", 229: b"", 276: b"\x08\0" + bytes(18),
}  # fmt: skip
"""Headers of link layers that frames of TCP usually have, before a packet of IPv4."""


@pytest.mark.parametrize("link", LINKS)
def test_usual_link_types(link: int) -> None:
    """Their frames are all read together, tagged or not, and have the rows that they have alone."""
    four, six = LINKS[link] + FOUR[14:], LINKS[link].replace(b"\x08\0", b"\x86\xdd") + SIX[14:]
    frames = [four, six] * 20
    if link in {1, 113}:
        head = LINKS[link][:-2]
        frames += [
            head + b"\x81\0\0\5\x08\0" + FOUR[14:],
            head + b"\x88\xa8\0\5\x81\0\0\5\x86\xdd" + SIX[14:],
        ]
    rows = at_once(frames, link)
    assert [*rows] == [*range(len(frames))]
    for at, row in rows.items():
        assert row == facts(read(frames[at], link)) == facts(read(SIX if at % 2 else FOUR))


def test_what_is_read_together() -> None:
    """Segments without data, of any flags and ports, with marks; data of a reset is none (RFC 1122)."""
    packet = BaseHeader().encode()
    frames = [
        way(port=port).tcp(number << 30, number, flags, payload)
        for number in range(4)
        for port in (1801, 80)
        for flags in (0, 2, 4, 0x14, 0x18)
        for payload in (b"", b"x", packet, b"ab" + packet)
    ]
    rows = at_once(frames, ports=ALL)
    assert [*rows] == [*range(len(frames))]
    for at, row in rows.items():
        assert row == facts(read(frames[at], ports=ALL))
        assert (row["payload"] == b"") == (bool(row["flags"] & 4) or not at % 4)
        assert row["marked"] == (row["dst_port"] == 1801 or (not row["flags"] & 4 and at % 4 > 1))
    back = way("10.0.0.2", "10.0.0.1", 50000).tcp(1, 1, 16, b"x")
    back = back[:34] + struct.pack("!HH", 1801, 50000) + back[38:]
    for ports in (PORTS, ALL):
        assert [row["marked"] for row in at_once([back] * 16, ports=ports).values()] == [True] * 16
        assert facts(read(back, ports=ports))["marked"]


@pytest.mark.parametrize("kind", ["four", "vxlan"])
def test_headers_of_ipv4_that_are_too_short(kind: str) -> None:
    """One of four words is damage, although all could be read as if there were another word."""
    frame = FOUR if kind == "four" else WRAPPED["vxlan"](FOUR)
    size = struct.pack("!H", int.from_bytes(frame[16:18], "big") - 4)
    short = frame[:14] + b"\x44" + frame[15:16] + size + frame[18:30] + frame[34:]
    assert read(short).reason == Reason.DAMAGED
    assert [*at_once([frame] * 16 + [short])] == [*range(16)]


@pytest.mark.parametrize("protocol", [0, 43, 44, 60, 135, 139, 140])
def test_ipv4_has_no_extension_headers(protocol: int) -> None:
    frame = IPV4 + ip(protocol, b"\6" + bytes(7) + FOUR[34:])
    assert read(frame).detail == f"IP protocol {protocol}"


def test_datagrams_that_were_put_together_elsewhere() -> None:
    """They are read as the one in a frame, with what is in it."""
    one, other = FOUR[26:30], FOUR[30:34]

    def reading_of(protocol: int, data: bytes) -> tuple[str, Any]:
        outcome = Dissector(PORTS).read_whole((one, other, protocol, 1), data)
        return outcome.reason, outcome.detail or facts(outcome)["payload"]

    assert reading_of(6, FOUR[34:]) == reading_of(4, FOUR[14:]) == (Reason.READ, b"payload")
    assert reading_of(51, b"\6\4" + bytes(22) + FOUR[34:]) == (Reason.READ, b"payload")
    assert reading_of(47, b"\0\0\x08\0" + FOUR[14:]) == (Reason.READ, b"payload")
    assert reading_of(1, b"ping") == (Reason.OTHER, "IP protocol 1")
    assert reading_of(60, FOUR[34:]) == (Reason.OTHER, "IP protocol 60")
    assert reading_of(51, b"\6\4") == (Reason.CUT, "the frame ends within an extension header")
    assert Dissector(PORTS).read_whole((one, other, 6, 1), FOUR[34:]) == read(FOUR)
    assert Dissector(PORTS).read_whole(
        (SIX[22:38], SIX[38:54], 60, 1), b"\6\0" + bytes(6) + SIX[54:]
    ) == read(SIX)


def test_sizes_of_datagrams() -> None:
    """The header of UDP says how many bytes there are, itself included; what follows is none of them."""
    for size in range(8, 14):
        row = facts(read(changed(PING, 38, struct.pack("!HH", size, 0))))
        assert (row["payload"], row["length"], row["error"]) == (b"ping!"[: size - 8], size - 8, None)
    for size in (7, 14):
        row = facts(read(changed(PING, 38, struct.pack("!HH", size, 0))))
        assert row["error"] == f"the UDP header states a size of {size} bytes"


def test_packets_without_a_size() -> None:
    """A size of zero is that of the frame, without an option of a jumbogram (RFC 2675) or with another."""
    for option in (b"\1\4\0\0\0\0", b"\5\2\0\0\1\0"):
        frame = SIX[:18] + b"\0\0\0" + SIX[21:54] + b"\6\0" + option + SIX[54:]
        row = facts(read(frame))
        assert (row["payload"], row["length"], row["checksum"]) == (b"payload", 7, None)
    sized = (
        SIX[:18]
        + struct.pack("!HB", 8 + len(SIX) - 54, 0)
        + SIX[21:54]
        + b"\6\0\xc2\4\0\0\xff\xff"
        + SIX[54:]
    )
    assert facts(read(sized))["length"] == 7


# ------------------------------------------------------------------------------------------ fragments


@pytest.mark.parametrize("at", [18, 23, 26, 30])
def test_what_identifies_a_datagram(at: int) -> None:
    """Its addresses, protocol and number (RFC 791): fragments that differ in one are of two datagrams."""
    first, second = fragments(LONG, 136)
    assert run([first, second])[0][-1].facts == read(LONG).facts
    found, missing = run([first, changed(second, at, bytes((second[at] ^ 0x17,)))])
    assert [one.reason for one in found] == [Reason.FRAGMENT] * 2
    assert len(missing) == 2


def test_bits_beside_the_place_of_a_fragment() -> None:
    """Of IPv4 two flags, of IPv6 two bits that are reserved; they make no fragment."""
    for bit in (0x40, 0x80):
        assert read(changed(FOUR, 20, bytes((bit,)))) == read(FOUR)
        parts = [changed(part, 20, bytes((part[20] | bit,))) for part in fragments(LONG)]
        assert run(parts)[0][-1].facts == read(LONG).facts
        assert facts(read(changed(FOUR, 20, bytes((bit,)))[:-3]))["payload"] == b"payl"
    for bits in (0, 2, 4, 6):
        for place in (0, 1):
            header = b"\6\0" + struct.pack("!HI", place | bits, 9)
            frame = SIX[:18] + struct.pack("!HB", len(SIX) - 46, 44) + SIX[21:54] + header + SIX[54:]
            assert (read(frame) == read(SIX)) is not bool(place)
            assert read(frame).reason == (Reason.FRAGMENT if place else Reason.READ)
            assert read(frame[:-3]).reason == (Reason.CUT if place else Reason.READ)


def test_the_largest_datagram_in_fragments() -> None:
    """65,535 bytes with its header of 20; the last fragment has the largest place."""
    payload = bytes(range(256)) * 255 + bytes(227)
    frame = way(port=3527).udp(payload)
    assert len(frame) == 14 + 65_535
    found, missing = run(fragments(frame, 65_512))
    assert facts(found[-1])["payload"] == payload
    assert missing == []


def test_fragments_without_bytes() -> None:
    """Nothing can be made of them, and they make no datagram whole."""
    for more in (0, 0x20):
        empty = changed(changed(LONG[:34], 16, b"\0\x14"), 20, bytes((more, 3)))
        assert read(empty).reason == Reason.CUT
    frame = SIX[:18] + struct.pack("!HB", 8, 44) + SIX[21:54] + b"\6\0\0\x11" + bytes(4)
    assert read(frame).reason == Reason.CUT
    one = SIX[:18] + struct.pack("!HB", 9, 44) + SIX[21:54] + b"\6\0\0\x10" + bytes(4) + b"x"
    assert read(one).reason == Reason.FRAGMENT


def test_a_single_unit_that_is_missing() -> None:
    """Eight bytes are the least that can be, anywhere in a datagram, in whatever order the others come."""
    data, key = bytes(range(40)), (b"a", b"b", 6, 1)
    for lost in range(5):
        for order in ([*range(5)], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]):
            waiting = Waiting()
            for at in order:
                if at != lost:
                    part = Fragment(key, at * 8, data[at * 8 : at * 8 + 8], more=at < 4)
                    assert waiting.take(part, (at, 9), at) is None
            if lost < 4:
                assert (
                    waiting.take(Fragment(key, lost * 8, data[lost * 8 :][:8], more=True), (9, 9), 9) == data
                )
            else:
                assert waiting.take(Fragment(key, 32, data[32:], more=False), (9, 9), 9) == data
            assert waiting.differing == []


def test_a_second_end_of_a_datagram() -> None:
    """The first one that was captured says how long it is."""
    data, key = bytes(range(32)), (b"a", b"b", 6, 1)
    for second in (8, 16):
        waiting = Waiting()
        assert waiting.take(Fragment(key, 24, data[24:], more=False), (1, 9), 1) is None
        assert waiting.take(Fragment(key, second, data[second:][:8], more=False), (2, 9), 2) is None
        assert waiting.take(Fragment(key, 0, data[:24], more=True), (3, 9), 3) == data


def test_a_fragment_with_known_bytes_and_another_end() -> None:
    """It is not one of the complete datagram that was captured again, but of another one."""
    key = (b"a", b"b", 6, 1)
    for end, again in ((24, True), (16, False), (32, False)):
        waiting = Waiting()
        waiting.take(Fragment(key, 0, bytes(8), more=True), (1, 9), 1)
        assert waiting.take(Fragment(key, 8, bytes(16), more=False), (2, 9), 2) == bytes(24)
        assert waiting.take(Fragment(key, 8, bytes(end - 8), more=False), (3, 9), 3) is None
        found = [*waiting.given_up(all_of_them=True)]
        assert [(one.size, one.first) for one in found] == ([] if again else [(end - 8, 3)])


@pytest.mark.parametrize(("protocol", "told"), [(6, True), (17, False), (1, False)])
def test_datagrams_without_their_first_fragment(protocol: int, told: bool) -> None:
    """Their ports are unknown: those of TCP have a row, others are counted."""
    frame = changed(LONG, 23, bytes((protocol,)))
    _, ((_, outcome, frames),) = run(fragments(frame)[1:])
    assert (outcome.reason, len(frames)) == (Reason.MISSING, len(fragments(frame)) - 1)
    assert (outcome.facts is not None) is told
    if told:
        row = facts(outcome)
        assert (row["transport"], row["src"], row["dst"]) == ("tcp", "10.0.0.1", "10.0.0.2")
        assert (row["src_port"], row["dst_port"], row["payload"]) == (None, None, b"")


def test_datagrams_in_ethernet_of_another_kind() -> None:
    assert read(ETHER + b"\x08\1" + FOUR[14:]).detail == "type 0x0801"
    assert at_once([ETHER + b"\x08\1" + FOUR[14:]] * 20) == {}


def test_complete_datagrams_that_come_again() -> None:
    """They are among the latest ones then, of which 64 are known."""
    waiting = Waiting()

    def take(number: int, place: int) -> bool:
        part = Fragment((b"a", b"b", 6, number), place, bytes(8), more=not place)
        return waiting.take(part, (1, 60), None) is not None

    for number in (0, 1, 0, *range(2, 65)):
        assert [take(number, 0), take(number, 8)] == [False, True]
    for number, known in ((0, True), (1, False)):
        take(number, 0)
        assert bool([*waiting.given_up(all_of_them=True)]) is not known
