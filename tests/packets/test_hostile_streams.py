"""Streams of the smallest packets, of damage, and of both cost little memory and work.

Work is counted in events of the interpreter, never in seconds.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest
from support_hostile import events, peak
from support_rows import for_each

import msmq_wire as mw
from msmq_wire import mqqb
from msmq_wire.packets.reassembly import FlowReader, Origin

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = 1 << 16
PARAMETERS = mqqb.ConnectionParameters().encode()
ACK = mqqb.SessionAck().encode()
MARK = b"\x10\xc0\x0b\xffLIOR"
"""What begins a packet; where these follow each other, the size is one that nobody waits for."""


def numbered(packet: bytes, least: int, size: int = SIZE) -> bytes:
    """The packet again and again, each with numbers of its own after its headers."""
    count = size // len(packet)
    made = bytearray(packet * count)
    for number in range(count):
        start = number * len(packet)
        struct.pack_into("<I", made, start + 12, 0x10000 + number)
        for at in range(start + least, start + len(packet), 4):
            struct.pack_into("<I", made, at, 0x1000100 + number * 0x10003 & 0xFFFFFFFF)
    return bytes(made)


def header(size: int) -> bytes:
    return struct.pack("<BBHIII", 0x10, 0xC0, 0, 0x524F494C, size, 0xFFFFFFFF)


def filled(*parts: bytes) -> bytes:
    whole = b"".join(parts)
    return whole * (SIZE // len(whole))


STREAMS = {
    "parameters": numbered(PARAMETERS, 20),
    "acknowledgments": numbered(ACK, 20),
    "marks": filled(MARK),
    "headers of no size": filled(header(0xFFFFFFFF)[:12]),
    "headers alone": filled(header(16)),
    "headers that claim a little": filled(header(700)),
    "headers that claim much": filled(header(100_000)),
    "headers that claim everything": filled(header(0x40_0000)),
    "short packets": filled(header(20), bytes(4)),
    "unknown types": filled(ACK[:18] + b"\x0f\0" + ACK[20:]),
    "packets and marks": filled(ACK, MARK, bytes(4)),
    "packets and bytes": filled(ACK, b"\0"),
    "headers and packets": filled(header(1000), ACK),
    "zeros": bytes(SIZE),
}


def feed(data: bytes) -> Any:
    return mw.PacketStream().feed(data)


def feed_late(data: bytes) -> Any:
    """All but the first byte at once."""
    taken = mw.PacketStream()
    taken.feed(data[:1])
    return taken.feed(memoryview(data)[1:]), taken.close(), taken.skipped


def iterate(data: bytes) -> int:
    return sum(1 for _ in mw.PacketStream().frames(data, final=True))


def put_together(data: bytes) -> int:
    reader = FlowReader()
    pieces = sum(1 for _ in reader.feed(0, data, Origin(0, "", 0)))
    return pieces + sum(1 for _ in reader.close())


def put_together_with_gaps(data: bytes) -> int:
    reader = FlowReader()
    pieces = 0
    for number, at in enumerate(range(0, len(data), 60_000)):
        part = data[at : at + 59_990]
        pieces += sum(1 for _ in reader.feed(at, part, Origin(0, "", number)))
    return pieces + sum(1 for _ in reader.close())


READERS: list[Callable[[bytes], Any]] = [feed, feed_late, iterate, put_together, put_together_with_gaps]


@pytest.mark.each(6)
@for_each("name", lambda: STREAMS)
@for_each("read", lambda: READERS)
def test_memory(name: str, read: Callable[[bytes], Any]) -> None:
    """At most ten times the input and a megabyte, and less where nothing has to be returned."""
    data = STREAMS[name]
    events(read, data[:500])  # see `peak`
    least = 10 if read in (feed, feed_late) else 4
    assert peak(read, data) < least * len(data) + (1 << 20)


@pytest.mark.long
@pytest.mark.parametrize("packet", [PARAMETERS, ACK])
def test_memory_for_a_list_of_the_smallest_packets(packet: bytes) -> None:
    """Up to 13 times their bytes: each number of a record is an object of its own."""
    data = numbered(packet, 20, 1 << 20)
    events(feed, data[:500])  # see `peak`
    assert peak(feed, data) < 13 << 20


@for_each("name", lambda: STREAMS)
def test_little_of_a_stream_takes_little(name: str) -> None:
    """The megabyte is enough for what does not follow the input."""
    data = STREAMS[name][:20_000]
    assert peak(feed_late, data) < 10 * len(data) + (1 << 20)


@for_each("name", lambda: STREAMS)
def test_work_for_damaged_bytes_is_bounded(name: str) -> None:
    """A byte of damage costs at most twenty times what a byte of the smallest packets costs."""
    size = 16_000
    valid = filled(ACK)[:size]
    data = STREAMS[name][:size]
    for one in (valid, data):  # what is compiled once
        feed(one)
    assert events(feed, data) < 20 * events(feed, valid)
    assert events(feed, data) < 2.5 * events(feed, data[: size // 2]) + 10_000


def test_errors_are_there_for_all_that_is_remembered() -> None:
    for data in STREAMS.values():
        taken = mw.PacketStream()
        taken.feed(data)
        taken.close()
        assert len(taken.skipped) + taken.forgotten == taken.skips
        for skip in taken.skipped[::100]:
            error = skip.error
            assert error.structure
            assert error.path
            assert error.problem
            assert skip.offset <= error.offset <= len(data)
