"""Reads pcap and pcapng files as frames, and detects other formats.

1. Frames are returned as `Frames`: all frames of one chunk of the file, with arrays of their record data.
2. In pcapng, each interface has its own link type and clock, and each section its own byte order.
3. Damage is reported once, as a `Damage`.  Reading continues after it only if the size of the record is
   certain.
4. Unsupported formats are detected by their first bytes; the error names the command that converts them.

The layouts are those of draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng.
"""

from __future__ import annotations

import struct
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from msmq_wire.captures.network.links import LINK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from .sources import Source

__all__ = [
    "LEAST_BLOCK",
    "NO_TIME",
    "PACKETS",
    "PCAPNG_MAGIC",
    "PCAP_HEADER",
    "PCAP_MAGICS",
    "PCAP_NOTHING",
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
_LATEST = 253_402_300_800 * _MICRO  # the year 10000, which Python's datetime cannot represent
_CHUNK = 1 << 20


class PcapForm(NamedTuple):
    """The form of a pcap file, determined by its first four bytes.

    Attributes:
        order: Byte order, as a prefix of `struct` formats.
        ticks: Time units per second.
        record: Size of a record header: seconds, units, captured and original size, and more in old
            files.
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
"""Size of the file header of pcap: magic, version, two unused numbers, largest frame, link type."""
PCAP_NOTHING: Final = bytes(16)
"""A record header of zeros; it is no frame, because the sizes and the time of a frame are not all zero."""
_ZEROS: Final = "zeros follow instead of a {}, as if the rest of the file was not written"
_LINK_AT = 20
_SIZE_AT: Final = 8
"""Offset of the captured size in the header of a record."""

PCAPNG_MAGIC: Final = b"\x0a\x0d\x0d\x0a"
_SECTION, _INTERFACE, _OLD, _SIMPLE, _ENHANCED = 0x0A0D0D0A, 1, 2, 3, 6
PACKETS: Final = frozenset({_ENHANCED, _OLD, _SIMPLE})
"""Types of pcapng blocks that contain a frame."""
LEAST_BLOCK: Final = 12
"""Size of an empty block; also enough bytes to read a block's size and a section's byte order."""
_MOST_BLOCK = 1 << 24
"""Size limit of pcapng blocks without a packet; Wireshark uses the same limit."""
_BYTE_ORDERS: Final = {b"\x1a\x2b\x3c\x4d": ">", b"\x4d\x3c\x2b\x1a": "<"}
_RESOLUTION, _OFFSET = 9, 14  # options of an interface: if_tsresol, if_tsoffset
_SIZES: Final = {_RESOLUTION: 1, _OFFSET: 8}
_LEAST_INTERFACE: Final = 20
"""Size of the block of an interface without options, in bytes."""


class Frames(NamedTuple):
    """Consecutive captured frames of a file.  Each array has one entry per frame.

    Attributes:
        chunk: The bytes of the file that contain the frames.
        number: The number of the first frame in the file, starting at 1.
        offsets: Offsets of the records in the file, in bytes.
        times: Microseconds since 1970, or `NO_TIME`.
        links: Link types.
        wires: Sizes on the wire, in bytes.
        starts: Starts of the frames in the chunk.
        sizes: Captured sizes, in bytes.
    """

    chunk: bytes
    number: int
    offsets: NDArray[np.int64]
    times: NDArray[np.int64]
    links: NDArray[np.int64]
    wires: NDArray[np.int64]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]


NO_TIME: Final = -1
"""The time of a frame whose block has none."""


class Damage(NamedTuple):
    """Bytes that cannot be read.

    Attributes:
        number: The number that the frame would have; None if the damage is not in a frame.
        offset: Offset of the damage in the file.
        problem: The error.
        data: The damaged bytes, truncated if long.
        counts: Whether it replaces a frame that is in no `Frames`.
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
_ERF_HEADER: Final = struct.Struct("<QBB")  # time stamp, type, flags; then sizes in network byte order
_ERF_SIZES: Final = struct.Struct("!HHH")  # size of the record, lost records, size on the wire
_ERF_TYPES: Final = range(1, 49)
_ERF_META: Final = 0x80 | 27
"""Records about the capture, which for example editcap writes first; they have no frame and often no time."""


def foreign(head: bytes) -> str:
    """Return the format of an unsupported file and the command that converts it; empty if unknown.

    Args:
        head: The first bytes of the file, up to a few hundred.
    """
    known = next((name for magic, name in _FOREIGN if head.startswith(magic)), "")
    if not known and _is_erf(head):
        known = "a capture of an Endace card (ERF)"
    if not known:
        return ""
    return f"the file is {known}, which is not read; convert it with: editcap -F pcapng FILE FILE.pcapng"


def _is_erf(head: bytes) -> bool:
    """Return whether the bytes are ERF records, which have no magic: at least two in order of time."""
    at = before = count = 0
    while at + _ERF_HEADER.size + _ERF_SIZES.size <= len(head):
        time, kind, _ = _ERF_HEADER.unpack_from(head, at)
        size, _, wire = _ERF_SIZES.unpack_from(head, at + _ERF_HEADER.size)
        if kind == _ERF_META and size > 16 and not time >> 63:
            at, count = at + size, count + 3  # no other format looks like this
            continue
        sound = kind & 0x7F in _ERF_TYPES and 16 <= size <= 0x1_0000 and wire and time >= before
        if not sound or (before and (time - before) >> 32 > 86_400 * 366) or time >> 32 < 1_000_000:
            return count > 2
        at, before, count = at + size, time, count + 1
    return count > 1


# ------------------------------------------------------------------------------------------ pcap


def pcap_frames(source: Source, header: bytes, most: int, number: int) -> Iterator[Frames | Damage]:
    """Yield the frames of a pcap file, or of a part of it.

    Args:
        source: The bytes after the file header, or from a later record on.
        header: The file header.
        most: Largest size of a frame in bytes.
        number: The number of the first frame.
    """
    if len(header) < PCAP_HEADER:
        yield Damage(None, 0, f"the file ends within its header: {len(header)} bytes", header)
        return
    form = PCAP_MAGICS[header[:4]]
    (link,) = struct.unpack_from(f"{form.order}I", header, _LINK_AT)
    link &= 0xFFFF  # the upper bits describe a frame check sequence
    if link not in LINK_TYPES and number == 1:
        yield Damage(None, 0, f"frames have the link type {link}, which is not read", header)
    size_at = struct.Struct(f"{form.order}I").unpack_from
    head = form.record
    rest, base = b"", source.offset
    while True:
        chunk = source.some(_CHUNK)
        over = not chunk
        chunk = rest + chunk
        at, end = 0, len(chunk)
        records: list[int] = []
        wrong = ""
        while at + head <= end:
            (size,) = size_at(chunk, at + _SIZE_AT)
            if size > most:
                wrong = f"a record says that it has {size} bytes, and no frame has more than {most}"
                break
            if not size:
                wrong = _no_record(chunk, at)
                if wrong:
                    break
            after = at + head + size
            if after > end:
                break
            records.append(at)
            at = after
        if records:
            yield _frames_of_records(chunk, base, number, form, link, np.array(records, np.int64))
        number += len(records)
        rest, base = chunk[at:], base + at
        if wrong:
            yield Damage(number, base, wrong, rest[:head])
            return
        if over:
            if rest:
                yield Damage(number, base, _cut_record(rest, form), rest)
            return


def _no_record(chunk: bytes, at: int) -> str:
    """Return what follows instead of a record; empty if it is the record of a frame without bytes."""
    if chunk[at : at + 4] in PCAP_MAGICS:  # where a file header has a zero
        return "another capture begins within the file, which is not read; join captures with mergecap"
    return _ZEROS.format("record") if chunk.startswith(PCAP_NOTHING, at) else ""


def _frames_of_records(
    chunk: bytes, base: int, number: int, form: PcapForm, link: int, at: NDArray[np.int64]
) -> Frames:
    """Return the frames of the records at these offsets of a chunk."""
    numbers = np.ndarray((len(chunk) - 3,), f"{form.order}u4", chunk, strides=(1,))
    seconds, part, size, wire = (numbers[at + field].astype(np.int64) for field in (0, 4, _SIZE_AT, 12))
    times = seconds * _MICRO + part // (form.ticks // _MICRO)
    return Frames(chunk, number, base + at, times, np.full(len(at), link), wire, at + form.record, size)


def _cut_record(rest: bytes, form: PcapForm) -> str:
    head = form.record
    if len(rest) < head:
        return f"the file ends within the header of a record: {len(rest)} of {head} bytes"
    (size,) = struct.unpack_from(f"{form.order}I", rest, _SIZE_AT)
    return f"the file ends within a frame: {len(rest) - head} of {size} bytes"


# ------------------------------------------------------------------------------------------ pcapng


class _Interface(NamedTuple):
    """An interface of a section.

    Attributes:
        link: Link type; -1 if its block cannot be read.
        longest: Largest captured size of a frame; 0 for no limit.
        ticks: Time units per second.
        seconds: Offset to add to times.
    """

    link: int
    longest: int
    ticks: int
    seconds: int


class _Section(NamedTuple):
    """The state of a pcapng section: byte order and interfaces."""

    order: str
    interfaces: list[_Interface]


class _Block(NamedTuple):
    """A block: type, offset in the chunk, and size."""

    kind: int
    at: int
    size: int


class _Refused(Exception):
    """A block cannot be read; the text is the reason."""


class _Gathering:
    """Collects the frames of a chunk."""

    def __init__(self, chunk: bytes, base: int, number: int) -> None:
        self.chunk = chunk
        self.base = base
        self._first = number
        self._rows: list[tuple[int, ...]] = []

    def add(self, *row: int) -> None:
        """Add a frame: a number for each array of `Frames`."""
        self._rows.append(row)

    def frames(self) -> Iterator[Frames]:
        """Yield the collected frames, if there are any."""
        if self._rows:
            yield Frames(self.chunk, self._first, *np.array(self._rows, np.int64).T.copy())


class _Blocks:
    """Reads the blocks of a part of a file, chunk by chunk.

    Attributes:
        section: The section of the last block, or None.
    """

    def __init__(self, source: Source, section: _Section | None, most: int, number: int) -> None:
        self.section = section
        self._source = source
        self._most = most
        self._number = number

    def run(self) -> Iterator[Frames | Damage]:
        """Yield frames and damages."""
        rest, base = b"", self._source.offset
        order = self.section.order if self.section else "<"
        while True:
            chunk = self._source.some(_CHUNK)
            over = not chunk
            chunk = rest + chunk
            gathering = _Gathering(chunk, base, self._number)
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
                    problem = (
                        f"a block of type {kind} says that it has {size} bytes"
                        if kind or size
                        else _ZEROS.format("block")
                    )
                    fatal = self._end(kind, base + at, problem, chunk[at : at + LEAST_BLOCK])
                    break
                if at + size > end:
                    break
                damage = self._take(gathering, _Block(kind, at, size), order)
                at += size
                if damage is not None:
                    yield from gathering.frames()
                    yield damage
                    gathering = _Gathering(chunk, base, self._number)
                if self.section is None:
                    return
            yield from gathering.frames()
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
        """Return the damage for a block in which the file ends."""
        if len(rest) < LEAST_BLOCK:
            problem = f"the file ends within the header of a block: {len(rest)} of {LEAST_BLOCK} bytes"
            return Damage(None, base, problem, rest)
        kind, size = struct.unpack_from(f"{order}II", rest)
        return self._end(kind, base, f"the file ends within a block: {len(rest)} of {size} bytes", rest)

    def _take(self, gathering: _Gathering, block: _Block, order: str) -> Damage | None:
        """Process a block: update the section, or collect its frame."""
        chunk, (kind, at, size) = gathering.chunk, block
        data = chunk[at : at + size] if kind not in PACKETS else b""
        offset = gathering.base + at
        try:
            _check_end(chunk, block, order)
            if kind in PACKETS:
                self._packet(gathering, block, self.section)
                return None
            self.section = _section_after(kind, data, order, self.section)
        except (_Refused, struct.error) as error:
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

    def _packet(self, gathering: _Gathering, block: _Block, section: _Section | None) -> None:
        """Collect the frame in a block."""
        if section is None:
            raise _Refused("it is in no section")
        chunk, (kind, at, size) = gathering.chunk, block
        order, time = section.order, NO_TIME
        if kind == _SIMPLE:
            if not section.interfaces:
                raise _Refused("there is no interface 0")
            (wire,) = struct.unpack_from(f"{order}I", chunk, at + 8)
            interface = section.interfaces[0]
            start = at + 12
            captured = min(wire, interface.longest or wire, size - 16)
        else:
            if size < 32:  # the fields before the frame
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
                time = NO_TIME
        gathering.add(gathering.base + at, time, interface.link, wire, start, captured)
        self._number += 1


def _check_end(chunk: bytes, block: _Block, order: str) -> None:
    """Check that the size at the end of a block equals the size at its start."""
    if struct.unpack_from(f"{order}I", chunk, block.at + block.size - 4)[0] != block.size:
        raise _Refused("length fields do not match")


def pcapng_frames(source: Source, preamble: bytes, most: int, number: int) -> Iterator[Frames | Damage]:
    """Yield the frames of a pcapng file, or of a part of it.

    Args:
        source: The file, or a part of it that starts with a block.
        preamble: The earlier blocks that are needed to read this part; empty for a whole file.
        most: Largest size of a frame in bytes.
        number: The number of the first frame.
    """
    section: _Section | None = None
    at = 0
    while at + LEAST_BLOCK <= len(preamble):
        if preamble[at : at + 4] == PCAPNG_MAGIC:
            order = block_order(preamble[at : at + LEAST_BLOCK])
        kind, size = struct.unpack_from(f"{order}II", preamble, at)
        with suppress(_Refused, struct.error):  # reported when the block itself was read
            section = _section_after(kind, preamble[at : at + size], order, section)
        at += size
    return _Blocks(source, section, most, number).run()


def block_limit(kind: int, most: int) -> int:
    """Return the size limit of a block of this type, for frames of up to `most` bytes."""
    return most + 0x1_0000 if kind in PACKETS else _MOST_BLOCK


def block_order(head: bytes) -> str:
    """Return the byte order of a section header, ``"?"`` if it is invalid."""
    return _BYTE_ORDERS.get(head[8:12], "?")


def block_passed(preamble: bytes, kind: int, data: bytes) -> bytes:
    """Return the blocks that are needed to read what follows, after another block."""
    return data if kind == _SECTION else preamble + data if kind == _INTERFACE else preamble


def _section_after(kind: int, data: bytes, order: str, section: _Section | None) -> _Section | None:
    """Return the section after a block without a frame."""
    if kind == _SECTION:
        return _Section(order, [])
    if section is not None and kind == _INTERFACE:
        interfaces = section.interfaces
        # Later interfaces keep their numbers even if this one is invalid.
        interfaces.append(_Interface(-1, 0, _MICRO, 0))
        if len(data) < _LEAST_INTERFACE:
            raise _Refused(f"{len(data)} bytes are too few for it")
        link, _, longest = struct.unpack_from(f"{order}HHI", data, 8)
        # Frames can be read without the options, so a damaged option does not invalidate the interface.
        interfaces[-1] = _Interface(link, longest, _MICRO, 0)
        for code, value in _options(data, order):
            if code == _RESOLUTION:
                power = value[0]
                ticks = 2 ** (power & 0x7F) if power & 0x80 else 10**power
                interfaces[-1] = interfaces[-1]._replace(ticks=ticks)
            elif code == _OFFSET:
                interfaces[-1] = interfaces[-1]._replace(seconds=struct.unpack(f"{order}q", value)[0])
    return section


def _options(data: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    """Iterate over the options of an interface, by their codes."""
    at, end = 16, len(data) - 4
    while at + 4 <= end:
        code, size = struct.unpack_from(f"{order}HH", data, at)
        if at + 4 + size > end:
            raise _Refused("an option is longer than the block")
        if code == 0:
            return
        if size != _SIZES.get(code, size):
            raise _Refused(f"option {code} has {size} bytes instead of {_SIZES[code]}")
        yield code, data[at + 4 : at + 4 + size]
        at += 4 + size + -size % 4
