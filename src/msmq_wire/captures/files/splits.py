"""Parts of files: what one task reads, and where a large file can be cut.

1. A large capture is cut where a record begins.  To find these places its record headers are read once, from
   front to back; a packed file cannot be cut.
2. A part brings along what its reader has to know: the file header of a pcap file, or the section header and
   interfaces of a pcapng file, and the number of its first frame.
3. Small files share a task.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.documents.mqmq import BaseHeader
from msmq_wire.packets.packet import SIGNATURE

from .containers import (
    LEAST_BLOCK,
    PACKETS,
    PCAP_HEADER,
    PCAP_MAGICS,
    PCAPNG_MAGIC,
    block_limit,
    block_order,
    block_passed,
)
from .sources import opened, packing_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .sources import File

__all__ = ["HEAD", "PIECE", "Part", "Scan", "form_of", "parts_of", "scanned", "shared"]

PIECE = 0x1_0000
"""How many bytes of a file of concatenated packets make a row."""
HEAD = BaseHeader.layout.least_size
"""How many bytes tell the format of a file."""
_WINDOW = 4 << 20
_OPENING = 4 << 20
"""What opening a file costs, in bytes that could be read instead."""


class Part(NamedTuple):
    """What a task reads of a file.

    Attributes:
        place: The file's path or address.
        form: ``pcap``, ``pcapng``, ``packets``, or ``auto`` if its first bytes have to tell.
        start: Where the part begins.
        end: Where it ends.
        number: The number of its first frame.
        preamble: What its reader has to know of what comes before; empty at the beginning of a file.
    """

    place: str
    form: str
    start: int
    end: int
    number: int = 1
    preamble: bytes = b""


class Scan(NamedTuple):
    """How far a capture can be read.

    Attributes:
        parts: The parts, in order.
        end: Where the last whole record ends.
        number: The number of the frame that would follow.
        preamble: What a reader from there on has to know.
        sound: Whether more records may follow there; False if what stands there is not a record.
    """

    parts: list[Part]
    end: int
    number: int
    preamble: bytes
    sound: bool


def form_of(head: bytes) -> str:
    """The format of a file by its first `HEAD` bytes, ``packed`` if they hide it; empty if it is of none."""
    if packing_of(head):
        return "packed"
    if head[:4] in PCAP_MAGICS:
        return "pcap"
    if head[:4] == PCAPNG_MAGIC:
        return "pcapng"
    if len(head) == HEAD and BaseHeader.decode(head).Signature == SIGNATURE:
        return "packets"
    return ""


def parts_of(files: Iterable[File], form: str, most: int, target: int) -> list[Part]:
    """Files, with those cut that are larger than the target and can be cut.

    Args:
        files: The files.
        form: Their format, or ``auto``.
        most: How many bytes a frame can have.
        target: How many bytes a part shall have.
    """
    parts = []
    for file in files:
        if file.size <= target:
            parts.append(Part(file.place, form, 0, file.size))
            continue
        with opened(file.place) as data:
            head = data.read_at(HEAD, 0)
            kind = form if form != "auto" and form_of(head) != "packed" else form_of(head)
            if kind == "packets":
                step = max(target // PIECE, 1) * PIECE
                parts += [
                    Part(file.place, kind, at, min(at + step, file.size)) for at in range(0, file.size, step)
                ]
                continue
            scan = scanned(data, Part(file.place, kind, 0, file.size), most, target)
        if scan.parts:
            # What follows the last whole record is damaged, and its reader says so.
            parts += [*scan.parts[:-1], scan.parts[-1]._replace(end=file.size)]
        else:
            parts.append(Part(file.place, form, 0, file.size))
    return parts


def shared(parts: Iterable[Part], target: int) -> list[list[Part]]:
    """Parts together with others until they have as many bytes as a task shall read."""
    tasks: list[list[Part]] = []
    full = 0
    for part in parts:
        cost = part.end - part.start + _OPENING
        if not tasks or full + cost > target + _OPENING:
            tasks.append([])
            full = 0
        tasks[-1].append(part)
        full += cost
    return tasks


# ------------------------------------------------------------------------------------------ scanning


def scanned(file: Any, rest: Part, most: int, target: int) -> Scan:
    """Find the records of an open file; those of a format that cannot be cut are not looked for.

    Args:
        file: The file.
        rest: What of it to scan: a whole file, or what follows an earlier scan.
        most: How many bytes a frame can have.
        target: How many bytes a part shall have.
    """
    if rest.form == "pcap":
        return _Pcap(file, rest, most, target).scan()
    if rest.form == "pcapng":
        return _Pcapng(file, rest, most, target).scan()
    return Scan([], rest.start, rest.number, rest.preamble, sound=True)


class _Scanner:
    """Goes from record to record."""

    header = 0  # bytes that tell a record's size

    def __init__(self, file: Any, rest: Part, most: int, target: int) -> None:
        self.file = file
        self.rest = rest
        self.most = most
        self.target = target
        self.preamble = rest.preamble

    def scan(self) -> Scan:
        at, number, end = self.begin(), self.rest.number, self.rest.end
        parts: list[Part] = []
        first = Part(self.rest.place, self.rest.form, self.rest.start, at, number, self.rest.preamble)
        window, base = b"", at
        sound = True
        while at + self.header <= end:
            if at + self.header > base + len(window):
                window, base = self.file.read_at(min(_WINDOW, end - at), at), at
            size, frames = self.record(window, at - base)
            if size < self.header:
                sound = False
                break
            if at + size > end:
                break
            at += size
            number += frames
            self.passed(at - size, size)
            if at - first.start >= self.target:
                parts.append(first._replace(end=at))
                first = first._replace(start=at, number=number, preamble=self.preamble)
        if at > first.start:
            parts.append(first._replace(end=at))
        return Scan(parts, at, number, self.preamble, sound)

    def begin(self) -> int:
        """Where the first record is."""
        return self.rest.start

    def record(self, window: bytes, at: int) -> tuple[int, int]:
        """Size of the record and how many frames are in it; a size of 0 if it cannot be right."""
        raise NotImplementedError

    def passed(self, place: int, size: int) -> None:
        """Take note of a record."""


class _Pcap(_Scanner):
    def begin(self) -> int:
        header = self.preamble or self.file.read_at(PCAP_HEADER, 0)
        form = PCAP_MAGICS.get(header[:4])
        if len(header) < PCAP_HEADER or form is None:
            self.header = self.rest.end + 1  # nothing can be a record
            return self.rest.start
        self.header = form.record
        self._unpack = struct.Struct(f"{form.order}8xI").unpack_from
        self.preamble = header
        return self.rest.start or PCAP_HEADER

    def record(self, window: bytes, at: int) -> tuple[int, int]:
        (size,) = self._unpack(window, at)
        return (size + self.header, 1) if size <= self.most else (0, 0)


class _Pcapng(_Scanner):
    header = LEAST_BLOCK

    def __init__(self, file: Any, rest: Part, most: int, target: int) -> None:
        super().__init__(file, rest, most, target)
        self._order = block_order(rest.preamble[:LEAST_BLOCK]) if rest.preamble else "?"
        self._kind = 0

    def record(self, window: bytes, at: int) -> tuple[int, int]:
        head = window[at : at + LEAST_BLOCK]
        if head[:4] == PCAPNG_MAGIC:
            self._order = block_order(head)
        if self._order == "?":
            return 0, 0
        self._kind, size = struct.unpack_from(f"{self._order}II", head)
        if size % 4 or size > block_limit(self._kind, self.most):
            return 0, 0
        return size, int(self._kind in PACKETS)

    def passed(self, place: int, size: int) -> None:
        if self._kind not in PACKETS:
            self.preamble = block_passed(self.preamble, self._kind, self.file.read_at(size, place))
