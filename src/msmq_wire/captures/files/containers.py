"""Capture files as frames: pcap and pcapng, and what other formats are told by.

1. Frames come in `Frames`: many of one chunk of the file, with what their records say in lists beside it.
2. In pcapng each interface has its own link type and clock, and each section its own byte order.
3. What is damaged is said once, as a `Damage`, and nothing is read after it unless its size is beyond doubt.
4. A format that is not read is told by its first bytes, together with the command that converts it.

The layouts are those of draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng.
"""

from __future__ import annotations

import struct
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from msmq_wire.captures.network.links import LINK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .sources import Source

__all__ = [
    "LEAST_BLOCK",
    "PACKETS",
    "PCAPNG_MAGIC",
    "PCAP_HEADER",
    "PCAP_MAGICS",
    "Damage",
    "Frames",
    "PcapForm",
    "block_limit",
    "block_order",
    "block_passed",
    "foreign",
    "pcap_frames",
    "pcapng_frames",
]

_MICRO = 1_000_000
_LATEST = 253_402_300_800 * _MICRO  # the year 10000, which no calendar here has
_CHUNK = 1 << 20


class PcapForm(NamedTuple):
    """What the first four bytes of a pcap file tell.

    Attributes:
        order: Its byte order, as `struct` writes it.
        ticks: Units of the second part of a time, in a second.
        record: Bytes of a record's header: seconds, units, captured and original size, and more in old files.
    """

    order: str
    ticks: int
    record: int


PCAP_MAGICS: Final = {
    struct.pack(f"{order}I", number): PcapForm(order, ticks, record)
    for number, ticks, record in (
        (0xA1B2C3D4, _MICRO, 16),
        (0xA1B23C4D, 1_000_000_000, 16),
        (0xA1B2CD34, _MICRO, 24),  # of old Linux systems
    )
    for order in "<>"
}
"""The forms of pcap files by their first four bytes."""
PCAP_HEADER: Final = 24
"""Bytes of the file header of pcap: magic, version, two unused numbers, longest frame, link type."""
_LINK_AT = 20

PCAPNG_MAGIC: Final = b"\x0a\x0d\x0d\x0a"
_SECTION, _INTERFACE, _OLD, _SIMPLE, _ENHANCED = 0x0A0D0D0A, 1, 2, 3, 6
PACKETS: Final = frozenset({_ENHANCED, _OLD, _SIMPLE})
"""Types of the blocks of pcapng that hold a frame."""
LEAST_BLOCK: Final = 12
"""Bytes of a block without content; the first of a block that tell its size, and a section's byte order."""
_MOST_BLOCK = 1 << 24
"""The largest block of pcapng without a packet that is believed; Wireshark has the same limit."""
_BYTE_ORDERS: Final = {b"\x1a\x2b\x3c\x4d": ">", b"\x4d\x3c\x2b\x1a": "<"}
_RESOLUTION, _OFFSET = 9, 14  # options of an interface: if_tsresol, if_tsoffset


class Frames(NamedTuple):
    """Captured frames that follow each other in a file.  All lists have an entry for each frame.

    Attributes:
        chunk: Bytes of the file in which they are.
        number: The number of the first one in the file, from 1.
        offsets: Where their records begin, in bytes from the beginning of the file.
        times: Microseconds since 1970, or None.
        links: Their link types.
        wires: How many bytes they had on the wire.
        starts: Where they begin in the chunk.
        sizes: How many bytes of them were captured.
    """

    chunk: bytes
    number: int
    offsets: list[int]
    times: list[int | None]
    links: list[int]
    wires: list[int]
    starts: list[int]
    sizes: list[int]


class Damage(NamedTuple):
    """A place that cannot be read.

    Attributes:
        number: The number that the frame would have; None if it is not a matter of one frame.
        offset: Where the trouble begins.
        problem: What is wrong.
        data: The bytes in question, as far as they are worth showing.
        counts: Whether it stands for a frame that no `Frames` has.
    """

    number: int | None
    offset: int
    problem: str
    data: bytes
    counts: bool = False


# ------------------------------------------------------------------------------------------ other formats

_FOREIGN: Final = (
    (b"GMBU", "a capture of Microsoft Network Monitor"),
    (b"RTSS", "a capture of Microsoft Network Monitor 1"),
    (b"snoop\0\0\0", "a capture of Solaris snoop"),
    (b"TRSNIFF data", "a capture of Network General Sniffer"),
    (b"XCP\0", "a capture of Network Associates Sniffer"),
)
_ERF_HEADER: Final = struct.Struct("<QBB")  # time stamp, type, flags; sizes follow in network byte order
_ERF_SIZES: Final = struct.Struct("!HHH")  # size of the record, lost records, size on the wire
_ERF_TYPES: Final = range(1, 49)
_ERF_META: Final = 0x80 | 27
"""Records about the capture, such as editcap writes first; they hold no frame, and may have no time."""


def foreign(head: bytes) -> str:
    """What a file is that begins so, and the command that makes it readable; empty if that is not known.

    Args:
        head: The first bytes of the file, a few hundred if there are so many.
    """
    known = next((name for magic, name in _FOREIGN if head.startswith(magic)), "")
    if not known and _is_erf(head):
        known = "a capture of an Endace card (ERF)"
    if not known:
        return ""
    return f"the file is {known}, which is not read; convert it with: editcap -F pcapng FILE FILE.pcapng"


def _is_erf(head: bytes) -> bool:
    """Whether records of ERF, which have no magic, follow each other: at least two, in order of time."""
    at = before = count = 0
    while at + _ERF_HEADER.size + _ERF_SIZES.size <= len(head):
        time, kind, _ = _ERF_HEADER.unpack_from(head, at)
        size, _, wire = _ERF_SIZES.unpack_from(head, at + _ERF_HEADER.size)
        if kind == _ERF_META and size > 16 and not time >> 63:
            at, count = at + size, count + 3  # nothing else looks like it
            continue
        sound = kind & 0x7F in _ERF_TYPES and 16 <= size <= 0x1_0000 and wire and time >= before
        if not sound or (before and (time - before) >> 32 > 86_400 * 366) or time >> 32 < 1_000_000:
            return count > 2
        at, before, count = at + size, time, count + 1
    return count > 1


# ------------------------------------------------------------------------------------------ pcap


class _Gathering:
    """Frames of a chunk while they are gathered."""

    def __init__(self, chunk: bytes, base: int, number: int) -> None:
        self.chunk = chunk
        self.base = base
        self.first = number
        self.offsets: list[int] = []
        self.times: list[int | None] = []
        self.links: list[int] = []
        self.wires: list[int] = []
        self.starts: list[int] = []
        self.sizes: list[int] = []

    def frames(self) -> Frames:
        """What was gathered."""
        return Frames(
            self.chunk, self.first, self.offsets, self.times, self.links, self.wires, self.starts, self.sizes
        )


def pcap_frames(source: Source, header: bytes, most: int, number: int) -> Iterator[Frames | Damage]:
    """The frames of a pcap file, or of a part of it.

    Args:
        source: The bytes after the file header, or from a later record on.
        header: The file header.
        most: How many bytes a frame can have.
        number: The number of the first frame.
    """
    if len(header) < PCAP_HEADER:
        yield Damage(None, 0, f"the file ends within its header: {len(header)} bytes", header)
        return
    form = PCAP_MAGICS[header[:4]]
    (link,) = struct.unpack_from(f"{form.order}I", header, _LINK_AT)
    link &= 0xFFFF  # the upper bits tell of a frame check sequence
    if link not in LINK_TYPES and number == 1:
        yield Damage(None, 0, f"frames have the link type {link}, which is not read", header)
    unpack = struct.Struct(f"{form.order}IIII").unpack_from
    head, divisor = form.record, form.ticks // _MICRO
    rest, base = b"", source.offset
    while True:
        chunk = source.some(_CHUNK)
        over = not chunk
        chunk = rest + chunk
        found = _Gathering(chunk, base, number)
        at, end = 0, len(chunk)
        wrong = 0
        while at + head <= end:
            seconds, part, size, wire = unpack(chunk, at)
            if size > most:
                wrong = size
                break
            start = at + head
            if start + size > end:
                break
            found.offsets.append(base + at)
            found.times.append(seconds * _MICRO + part // divisor)
            found.wires.append(wire)
            found.starts.append(start)
            found.sizes.append(size)
            at = start + size
        count = len(found.starts)
        found.links = [link] * count
        if count:
            yield found.frames()
        number += count
        rest, base = chunk[at:], base + at
        if wrong:
            problem = f"a record says that it has {wrong} bytes, and no frame has more than {most}"
            yield Damage(number, base, problem, rest[:head])
            return
        if over:
            if rest:
                yield Damage(number, base, _cut_record(rest, head, unpack), rest)
            return


def _cut_record(rest: bytes, head: int, unpack: object) -> str:
    if len(rest) < head:
        return f"the file ends within the header of a record: {len(rest)} of {head} bytes"
    size = unpack(rest)[2]  # type: ignore[operator]  # of a struct.Struct
    return f"the file ends within a frame: {len(rest) - head} of {size} bytes"


# ------------------------------------------------------------------------------------------ pcapng


class _Interface(NamedTuple):
    """An interface of a section.

    Attributes:
        link: Its link type; -1 if its block cannot be read.
        longest: How many bytes of a frame it captures; 0 for all.
        ticks: Units of its times in a second.
        seconds: What is to be added to them.
    """

    link: int
    longest: int
    ticks: int
    seconds: int


class _Section(NamedTuple):
    """What the blocks of a pcapng section rest on: its byte order and its interfaces."""

    order: str
    interfaces: list[_Interface]


class _Block(NamedTuple):
    """A block: its type, where it is in the chunk, and how many bytes it has."""

    kind: int
    at: int
    size: int


class _Refused(Exception):
    """Why a block cannot be read."""


class _Blocks:
    """Goes through the blocks of a part of a file, chunk by chunk.

    Attributes:
        section: The section in which the last block is, or None.
    """

    def __init__(self, source: Source, section: _Section | None, most: int, number: int) -> None:
        self.section = section
        self._source = source
        self._most = most
        self._number = number

    def run(self) -> Iterator[Frames | Damage]:
        """The frames and damages."""
        rest, base = b"", self._source.offset
        order = self.section.order if self.section else "<"
        while True:
            chunk = self._source.some(_CHUNK)
            over = not chunk
            chunk = rest + chunk
            found = _Gathering(chunk, base, self._number)
            at, end = 0, len(chunk)
            fatal: Damage | None = None
            while at + LEAST_BLOCK <= end:
                if chunk[at : at + 4] == PCAPNG_MAGIC:
                    order = block_order(chunk[at : at + LEAST_BLOCK])
                    if order == "?":
                        problem = "a section header has no mark of a byte order"
                        fatal = Damage(None, base + at, problem, chunk[at : at + LEAST_BLOCK])
                        break
                kind, size = struct.unpack_from(f"{order}II", chunk, at)
                if size < LEAST_BLOCK or size % 4 or size > block_limit(kind, self._most):
                    problem = f"a block of type {kind} says that it has {size} bytes"
                    fatal = self._end(kind, base + at, problem, chunk[at : at + LEAST_BLOCK])
                    break
                if at + size > end:
                    break
                told = self._take(found, _Block(kind, at, size), order)
                at += size
                if told is not None:
                    if found.starts:
                        yield found.frames()
                    yield told
                    found = _Gathering(chunk, base, self._number)
                if self.section is None:
                    return
            if found.starts:
                yield found.frames()
            rest, base = chunk[at:], base + at
            if fatal is not None:
                yield fatal
                return
            if over:
                if rest:
                    yield self._cut(rest, base, order)
                return

    def _end(self, kind: int, offset: int, problem: str, data: bytes) -> Damage:
        return Damage(self._number if kind in PACKETS else None, offset, problem, data)

    def _cut(self, rest: bytes, base: int, order: str) -> Damage:
        """What is said of a block that the file ends in."""
        if len(rest) < LEAST_BLOCK:
            problem = f"the file ends within the header of a block: {len(rest)} of {LEAST_BLOCK} bytes"
            return Damage(None, base, problem, rest)
        kind, size = struct.unpack_from(f"{order}II", rest)
        return self._end(kind, base, f"the file ends within a block: {len(rest)} of {size} bytes", rest)

    def _take(self, found: _Gathering, block: _Block, order: str) -> Damage | None:
        """Take a block into account; its frame is gathered."""
        chunk, (kind, at, size) = found.chunk, block
        data = chunk[at : at + size] if kind not in PACKETS else b""
        offset = found.base + at
        try:
            _check_end(chunk, block, order)
            if kind in PACKETS:
                self._packet(found, block, self.section)
                return None
            self.section = _told(kind, data, order, self.section)
        except (_Refused, struct.error, IndexError) as error:
            if self.section is None:
                return Damage(None, offset, "a section does not begin with its header", chunk[at : at + size])
            frame = None
            if kind in PACKETS:
                frame = self._number
                self._number += 1
            why = f"a block of type {kind} cannot be read: {error}"
            return Damage(frame, offset, why, chunk[at : at + size], counts=kind in PACKETS)
        if self.section is None:
            return Damage(None, offset, "a section does not begin with its header", data)
        if kind == _INTERFACE and self.section.interfaces[-1].link not in LINK_TYPES:
            problem = (
                f"frames of interface {len(self.section.interfaces) - 1} have the link type "
                f"{self.section.interfaces[-1].link}, which is not read"
            )
            return Damage(None, offset, problem, data)
        return None

    def _packet(self, found: _Gathering, block: _Block, section: _Section | None) -> None:
        """Gather the frame in a block."""
        if section is None:
            raise _Refused("it is in no section")
        chunk, (kind, at, size) = found.chunk, block
        order, time = section.order, None
        if kind == _SIMPLE:
            if not section.interfaces:
                raise _Refused("there is no interface 0")
            (wire,) = struct.unpack_from(f"{order}I", chunk, at + 8)
            interface = section.interfaces[0]
            start = at + 12
            captured = min(wire, interface.longest or wire, size - 16)
        else:
            if size < 32:  # its fields without a frame
                raise _Refused(f"{size} bytes are too few for it")
            if kind == _ENHANCED:
                index, high, low, captured, wire = struct.unpack_from(f"{order}IIIII", chunk, at + 8)
            else:
                index, _, high, low, captured, wire = struct.unpack_from(f"{order}HHIIII", chunk, at + 8)
            if index >= len(section.interfaces):
                raise _Refused(f"there is no interface {index}")
            if captured > size - 32:
                raise _Refused(f"says {captured} bytes, {size - 32} are there")
            interface = section.interfaces[index]
            start = at + 28
            time = (high << 32 | low) * _MICRO // interface.ticks + interface.seconds * _MICRO
            if not 0 <= time < _LATEST:
                time = None
        found.offsets.append(found.base + at)
        found.times.append(time)
        found.links.append(interface.link)
        found.wires.append(wire)
        found.starts.append(start)
        found.sizes.append(captured)
        self._number += 1


def _check_end(chunk: bytes, block: _Block, order: str) -> None:
    """The size of a block stands at its end again."""
    if struct.unpack_from(f"{order}I", chunk, block.at + block.size - 4)[0] != block.size:
        raise _Refused("length fields do not match")


def pcapng_frames(source: Source, preamble: bytes, most: int, number: int) -> Iterator[Frames | Damage]:
    """The frames of a pcapng file, or of a part of it.

    Args:
        source: The file, or a part of it that begins with a block.
        preamble: The blocks before that say how this part is to be read; empty for a whole file.
        most: How many bytes a frame can have.
        number: The number of the first frame.
    """
    section: _Section | None = None
    at = 0
    while at + LEAST_BLOCK <= len(preamble):
        if preamble[at : at + 4] == PCAPNG_MAGIC:
            order = block_order(preamble[at : at + LEAST_BLOCK])
        kind, size = struct.unpack_from(f"{order}II", preamble, at)
        with suppress(_Refused, struct.error, IndexError):  # said where the block itself was read
            section = _told(kind, preamble[at : at + size], order, section)
        at += size
    return _Blocks(source, section, most, number).run()


def block_limit(kind: int, most: int) -> int:
    """How many bytes a block of that type may have, if a frame has no more than `most`."""
    return most + 0x1_0000 if kind in PACKETS else _MOST_BLOCK


def block_order(head: bytes) -> str:
    """The byte order that a section header announces, ``"?"`` if none."""
    return _BYTE_ORDERS.get(head[8:12], "?")


def block_passed(preamble: bytes, kind: int, data: bytes) -> bytes:
    """The blocks that a reader has to know after another one."""
    return data if kind == _SECTION else preamble + data if kind == _INTERFACE else preamble


def _told(kind: int, data: bytes, order: str, section: _Section | None) -> _Section | None:
    """The section after a block without a frame."""
    if kind == _SECTION:
        return _Section(order, [])
    if section is not None and kind == _INTERFACE:
        section.interfaces.append(_Interface(-1, 0, _MICRO, 0))  # the next ones keep their numbers
        section.interfaces[-1] = _interface(data, order)
    return section


def _interface(data: bytes, order: str) -> _Interface:
    link, _, longest = struct.unpack_from(f"{order}HHI", data, 8)
    ticks, seconds = _MICRO, 0
    at, end = 16, len(data) - 4
    while at + 4 <= end:
        code, size = struct.unpack_from(f"{order}HH", data, at)
        value = data[at + 4 : at + 4 + size]
        if len(value) < size or at + 4 + size > end:
            raise _Refused("an option is longer than the block")
        if code == 0:
            break
        if code == _RESOLUTION:
            power = value[0]
            ticks = 2 ** (power & 0x7F) if power & 0x80 else 10**power
        elif code == _OFFSET:
            (seconds,) = struct.unpack(f"{order}q", value)
        at += 4 + size + -size % 4
    return _Interface(link, longest, ticks, seconds)
