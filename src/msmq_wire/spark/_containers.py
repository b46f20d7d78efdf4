"""Capture files as records: what dpkt reads, with what it would pass over made visible.

1. The structures of pcap and pcapng are dpkt's.  Bytes go to it through `_Watched`, which knows where each
   record is and does not let a damaged length swallow the rest of the file: where dpkt would quietly return
   less than a record has, reading ends with a `Damage`.
2. In pcapng each interface has its own link type and clock, and each section its own byte order.
3. What is damaged is said once, and nothing is read behind it unless its size is beyond doubt.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, NamedTuple

import dpkt

from ._frames import LINK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._sources import Source

__all__ = [
    "LEAST_BLOCK",
    "PACKETS",
    "PCAPNG_MAGIC",
    "PCAP_MAGICS",
    "Damage",
    "Record",
    "block_limit",
    "block_order",
    "pcap_records",
    "pcapng_records",
    "record_size",
]

PCAP_MAGICS: Final = {
    magic.to_bytes(4, "big"): order
    for magics, order in (
        ((dpkt.pcap.TCPDUMP_MAGIC, dpkt.pcap.TCPDUMP_MAGIC_NANO, dpkt.pcap.MODPCAP_MAGIC), "big"),
        ((dpkt.pcap.PMUDPCT_MAGIC, dpkt.pcap.PMUDPCT_MAGIC_NANO, dpkt.pcap.PACPDOM_MAGIC), "little"),
    )
    for magic in magics
}
"""The byte order of a pcap file by its first four bytes."""
PCAPNG_MAGIC: Final = dpkt.pcapng.PCAPNG_BT_SHB.to_bytes(4, "big")

_MOST_BLOCK = 1 << 24
"""The largest block of pcapng without a packet that is believed; Wireshark has the same limit."""
_SIMPLE = 3  # Simple Packet Block, which dpkt has no class for
PACKETS: Final = frozenset({dpkt.pcapng.PCAPNG_BT_EPB, dpkt.pcapng.PCAPNG_BT_PB, _SIMPLE})
"""Types of the blocks of pcapng that hold a frame."""
LEAST_BLOCK: Final = 12
"""Bytes of a block without content; the first of a block that tell its size, and a section's byte order."""
_MICRO = 1_000_000
_LATEST = 253_402_300_800 * _MICRO  # the year 10000, which no calendar here has


class Record(NamedTuple):
    """One captured frame.

    Attributes:
        number: Its number in the file, from 1.
        offset: Where its record begins.
        time: Microseconds since 1970, or None.
        link: Its link type.
        wire: How many bytes it had on the wire.
        data: What was captured of it.
    """

    number: int
    offset: int
    time: int | None
    link: int
    wire: int
    data: bytes


class Damage(NamedTuple):
    """A place that cannot be read.

    Attributes:
        number: The number that the frame would have; None if it is no matter of one frame.
        offset: Where the trouble begins.
        problem: What is wrong.
        data: The bytes in question, as far as they are worth showing.
    """

    number: int | None
    offset: int
    problem: str
    data: bytes


class _Refused(Exception):
    """What `_Watched` ends a reading of dpkt's with."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


def record_size(magic: bytes) -> int:
    """Bytes of a record's header in a pcap file with these first four bytes."""
    return int(dpkt.pcap.MAGIC_TO_PKT_HDR[int.from_bytes(magic, "big")].__hdr_len__)


class _Watched:
    """The file that dpkt.pcap.Reader reads: the file header, then by turns a record's header and data."""

    def __init__(self, source: Source, most: int, header: bytes) -> None:
        self._source = source
        self._most = most
        self._file_header = header
        self._in_record = False
        self.record = b""  # the header of the record that is being read

    def read(self, size: int) -> bytes:
        if self._file_header:
            header, self._file_header = self._file_header, b""
            return header
        if not self._in_record:
            self.record = head = self._source.read(size)
            if 0 < len(head) < size:
                raise _Refused(f"the file ends within the header of a record: {len(head)} of {size} bytes")
            self._in_record = bool(head)
            return head
        self._in_record = False
        if size > self._most:
            raise _Refused(f"a record says that it has {size} bytes, and no frame has more than {self._most}")
        data = self._source.read(size)
        if len(data) < size:
            self.record += data
            raise _Refused(f"the file ends within a frame: {len(data)} of {size} bytes")
        return data


def pcap_records(source: Source, header: bytes, most: int, number: int) -> Iterator[Record | Damage]:
    """The records of a pcap file, or of a part of it.

    Args:
        source: The bytes behind the file header, or from a later record on.
        header: The file header.
        most: How many bytes a frame can have.
        number: The number of the first frame.
    """
    watched = _Watched(source, most, header)
    try:
        reader = dpkt.pcap.Reader(watched)
    except (ValueError, dpkt.dpkt.Error):
        yield Damage(None, 0, f"the file ends within its header: {len(header)} bytes", header)
        return
    link = reader.datalink() & 0xFFFF  # the upper bits tell of a frame check sequence
    if link not in LINK_TYPES:
        if number == 1:
            yield Damage(None, 0, f"frames have the link type {link}, which is not read", header)
        return
    wire = struct.Struct(f"{'>' if PCAP_MAGICS[header[:4]] == 'big' else '<'}12xI")
    records = iter(reader)
    while True:
        offset = source.offset
        try:
            time, data = next(records)
        except StopIteration:
            return
        except _Refused as refused:
            yield Damage(number, offset, refused.problem, watched.record)
            return
        (length,) = wire.unpack_from(watched.record)
        yield Record(number, offset, round(time * _MICRO), link, length, data)
        number += 1


class Section(NamedTuple):
    """What the blocks of a pcapng section rest on.

    Attributes:
        order: Its byte order, as `struct` writes it.
        interfaces: Link type, longest frame, ticks a second and seconds to add, of each interface.
    """

    order: str
    interfaces: list[tuple[int, int, int, int]]


def pcapng_records(source: Source, preamble: Source, most: int, number: int) -> Iterator[Record | Damage]:
    """The records of a pcapng file, or of a part of it.

    Args:
        source: The file, or a part of it that begins with a block.
        preamble: The blocks before that say how this part is to be read; empty for a whole file.
        most: How many bytes a frame can have.
        number: The number of the first frame.
    """
    section: Section | None = None
    for block in _blocks(preamble, section, most):
        if isinstance(block, _Block):
            try:
                section = _told(block, section)
            except _ERRORS:
                continue  # said where the block itself was read
    for block in _blocks(source, section, most):
        if isinstance(block, Damage):
            yield block if block.number is None else block._replace(number=number)
            return
        try:
            section = _told(block, section)
            if section is None:
                yield Damage(None, block.offset, "a section does not begin with its header", block.data)
                return
            if block.kind == dpkt.pcapng.PCAPNG_BT_IDB and section.interfaces[-1][0] not in LINK_TYPES:
                problem = (
                    f"frames of interface {len(section.interfaces) - 1} have the link type "
                    f"{section.interfaces[-1][0]}, which is not read"
                )
                yield Damage(None, block.offset, problem, block.data)
            if block.kind in PACKETS:
                found = _packet(block, section, number)
                number += 1
                if found is not None:
                    yield found
        except _ERRORS as error:
            frame = number if block.kind in PACKETS else None
            number += block.kind in PACKETS
            yield Damage(
                frame, block.offset, f"a block of type {block.kind} cannot be read: {error}", block.data
            )


_UNREADABLE = (-1, 0, _MICRO, 0)
_ERRORS = (ValueError, IndexError, struct.error, dpkt.dpkt.Error)
"""What the content of a block can lead to."""


class _Block(NamedTuple):
    kind: int
    offset: int
    data: bytes
    order: str


def _blocks(source: Source, section: Section | None, most: int) -> Iterator[_Block | Damage]:
    """The blocks, whatever is in them; last the damage that ends them, with any number if it is a frame's."""
    order = section.order if section else "<"
    while True:
        offset = source.offset
        head = source.read(LEAST_BLOCK)
        if not head:
            return
        if len(head) == LEAST_BLOCK and head[:4] == PCAPNG_MAGIC:
            order = block_order(head)
        problem = None
        kind = size = 0
        rest = b""
        if len(head) < LEAST_BLOCK:
            problem = f"the file ends within the header of a block: {len(head)} of {LEAST_BLOCK} bytes"
        elif order == "?":
            problem = "a section header has no mark of a byte order"
        else:
            kind, size = struct.unpack_from(f"{order}II", head)
            if size < LEAST_BLOCK or size % 4 or size > block_limit(kind, most):
                problem = f"a block of type {kind} says that it has {size} bytes"
        if problem is None:
            rest = source.read(size - LEAST_BLOCK)
            if len(rest) < size - LEAST_BLOCK:
                problem = f"the file ends within a block: {len(head) + len(rest)} of {size} bytes"
        if problem:
            yield Damage(0 if kind in PACKETS else None, offset, problem, head + rest)
            return
        yield _Block(kind, offset, head + rest, order)


def block_limit(kind: int, most: int) -> int:
    """How many bytes a block of that type may have, if a frame has no more than `most`."""
    return most + 0x1_0000 if kind in PACKETS else _MOST_BLOCK


def block_order(head: bytes) -> str:
    """The byte order that a section header announces, ``"?"`` if none."""
    mark = int.from_bytes(head[8:12], "big")
    return {dpkt.pcapng.BYTE_ORDER_MAGIC: ">", dpkt.pcapng.BYTE_ORDER_MAGIC_LE: "<"}.get(mark, "?")


def _told(block: _Block, section: Section | None) -> Section | None:
    """The section after a block."""
    if block.kind == dpkt.pcapng.PCAPNG_BT_SHB:
        return Section(block.order, [])
    if section is not None and block.kind == dpkt.pcapng.PCAPNG_BT_IDB:
        little = block.order == "<"
        kind = dpkt.pcapng.InterfaceDescriptionBlockLE if little else dpkt.pcapng.InterfaceDescriptionBlock
        section.interfaces.append(_UNREADABLE)  # the next ones keep their numbers, come what may
        section.interfaces[-1] = _interface(kind(block.data), block.order)
    return section


def _interface(block: dpkt.pcapng.InterfaceDescriptionBlock, order: str) -> tuple[int, int, int, int]:
    ticks, seconds = _MICRO, 0
    for option in block.opts:
        if option.code == dpkt.pcapng.PCAPNG_OPT_IF_TSRESOL:
            power = option.data[0]
            ticks = 2 ** (power & 0x7F) if power & 0x80 else 10**power
        elif option.code == dpkt.pcapng.PCAPNG_OPT_IF_TSOFFSET:
            (seconds,) = struct.unpack(f"{order}q", option.data)
    return block.linktype, block.snaplen, ticks, seconds


def _packet(block: _Block, section: Section, number: int) -> Record | None:
    """The frame in a block; None if its link type is not read, which was said already."""
    if block.kind == _SIMPLE:
        link, most, _, _ = section.interfaces[0]
        (wire,) = struct.unpack_from(f"{block.order}I", block.data, 8)
        size = min(wire, most or wire, len(block.data) - 16)
        data = block.data[12 : 12 + size]
        return Record(number, block.offset, None, link, wire, data) if link in LINK_TYPES else None
    little = block.order == "<"
    if block.kind == dpkt.pcapng.PCAPNG_BT_EPB:
        kind = dpkt.pcapng.EnhancedPacketBlockLE if little else dpkt.pcapng.EnhancedPacketBlock
    else:
        kind = dpkt.pcapng.PacketBlockLE if little else dpkt.pcapng.PacketBlock
    packet = kind(block.data)
    if packet.iface_id >= len(section.interfaces):
        raise ValueError(f"there is no interface {packet.iface_id}")
    link, _, ticks, seconds = section.interfaces[packet.iface_id]
    if link not in LINK_TYPES:
        return None
    if packet.caplen > len(packet.pkt_data):
        raise ValueError(f"says {packet.caplen} bytes, {len(packet.pkt_data)} are there")
    time = (packet.ts_high << 32 | packet.ts_low) * _MICRO // ticks + seconds * _MICRO
    known = 0 <= time < _LATEST
    return Record(number, block.offset, time if known else None, link, packet.pkt_len, packet.pkt_data)
