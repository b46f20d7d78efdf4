"""Splits files into parts: a part is what one task reads.

1. A large capture is split at record boundaries.  To find them, its record headers are read once from start
   to end.  A compressed file cannot be split.
2. A part includes what its reader needs from before: the file header of a pcap file, or the section header
   and interfaces of a pcapng file, and the number of its first frame.
3. Small files share a task.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from msmq_wire.documents.mqmq import BaseHeader
from msmq_wire.packets.mistaken import CAPTURES, damaged_capture
from msmq_wire.packets.packet_starts import is_signed

from .containers import Damage
from .pcap import PCAP_HEADER, PcapReader
from .pcapng import PcapngReader
from .sources import opened, packing_of, region

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from .sources import File

    FrameEnds = list[tuple[int, NDArray[np.int64]]]
    """Ends of records in a file, in runs: the number of the first frame, and the offset after each record."""

PIECE = 0x1_0000
"""Size of a piece of a file of concatenated packets; each piece becomes a row."""
HEAD = BaseHeader.layout.least_size
"""Number of bytes that determine the format of a file."""
_FAR = 1 << 17
"""Bytes behind damage, in addition to the largest frame, in which a file is not split."""
_OPENING = 256 << 10
"""Cost of opening a file, as the number of bytes that could be read in that time."""
_MOST_OPENING = 256 << 20


class FileSlice(NamedTuple):
    """A part of a file, which one task reads.

    Attributes:
        location: Path or URL of the file.
        form: ``pcap``, ``pcapng``, ``packets``, or ``auto`` to detect it from the first bytes.
        start: Start of the part.
        end: End of the part.
        number: The number of its first frame.
        preamble: Headers from before the part that its reader needs; empty at the start of a file.
        name: The value of the column `file`; the place if empty.
    """

    location: str
    form: str
    start: int
    end: int
    number: int = 1
    preamble: bytes = b""
    name: str = ""


class Scan(NamedTuple):
    """The readable extent of a capture.

    Attributes:
        parts: The parts, in order.
        end: End of the last complete record.
        number: The number of the next frame.
        preamble: Headers that a reader needs from there on.
        sound: Whether more records may follow; False if the next bytes are not a record.
    """

    parts: list[FileSlice]
    end: int
    number: int
    preamble: bytes
    sound: bool


def form_of(head: bytes) -> str:
    """Return the format of a file by its first `HEAD` bytes; ``packed`` if compressed, empty if unknown."""
    if packing_of(head):
        return "packed"
    return CAPTURES.get(head[:4]) or ("packets" if is_signed(head) else damaged_capture(head))


def parts_of(files: Iterable[File], form: str, most: int, target: int) -> list[FileSlice]:
    """Return parts of files; files that are larger than the target are split if possible.

    Args:
        files: The files.
        form: Their format, or ``auto``.
        most: Largest size of a frame in bytes.
        target: Target size of a part in bytes.
    """
    parts = []
    for file in files:
        if file.size <= target:
            parts.append(FileSlice(file.location, form, 0, file.size))
            continue
        with opened(file.location) as data:
            head = data.read_at(HEAD, 0)
            kind = form if form != "auto" and form_of(head) != "packed" else form_of(head)
            if kind == "packets":
                step = max(target // PIECE, 1) * PIECE
                parts += [
                    FileSlice(file.location, kind, at, min(at + step, file.size))
                    for at in range(0, file.size, step)
                ]
                continue
            scan = scanned(data, FileSlice(file.location, kind, 0, file.size), most, target)
        if scan.parts:
            # Bytes after the last complete record are damaged; the reader of the last part reports them.
            parts += [*scan.parts[:-1], scan.parts[-1]._replace(end=file.size)]
        else:
            parts.append(FileSlice(file.location, form, 0, file.size))
    return parts


def shared(parts: Iterable[FileSlice], target: int) -> list[list[FileSlice]]:
    """Group parts, in order, until each group has about as many bytes as a task should read.

    Opening a file counts as bytes too, so that groups of small files take as long as others.  There are as
    many groups as the bytes alone would have, or more if a group had many hundreds of files.
    """
    parts = [*parts]
    sizes = [part.end - part.start for part in parts]
    count = max(-(-sum(sizes) // target), 1)
    share = -(-(sum(sizes) + _OPENING * len(parts)) // count)
    limit = max(target + _OPENING, min(share, _MOST_OPENING))
    tasks: list[list[FileSlice]] = []
    full = 0
    for part, size in zip(parts, sizes, strict=True):
        cost = size + _OPENING
        if not tasks or full + cost > limit:
            tasks.append([])
            full = 0
        tasks[-1].append(part)
        full += cost
    return tasks


# ------------------------------------------------------------------------------------------ scanning


def scanned(file: Any, rest: FileSlice, most: int, target: int, ends: FrameEnds | None = None) -> Scan:
    """Find the records of an open file; a format that cannot be split is not scanned.

    Args:
        file: The file.
        rest: The part to scan: a whole file, or what follows an earlier scan.
        most: Largest size of a frame in bytes.
        target: Target size of a part in bytes.
        ends: Receives the ends of all records with frames.
    """
    reader: PcapReader | PcapngReader
    if rest.form == "pcap":
        header = rest.preamble or file.read_at(PCAP_HEADER, 0)
        if len(header) < PCAP_HEADER or form_of(header[:HEAD]) != "pcap":
            return Scan([], rest.start, rest.number, rest.preamble, sound=True)
        source = region(file, rest.start or PCAP_HEADER, rest.end)
        reader = PcapReader(source, header, most, rest.number, growing=True)
    elif rest.form == "pcapng":
        source = region(file, rest.start, rest.end)
        reader = PcapngReader(source, rest.preamble, most, rest.number, growing=True)
    else:
        return Scan([], rest.start, rest.number, rest.preamble, sound=True)
    parts: list[FileSlice] = []
    part = rest._replace(name="")
    for item in reader.run():
        if isinstance(item, Damage):
            continue
        if ends is not None:
            ends.append((item.number, item.ends))
        while True:
            # The bytes behind damage determine where reading continues, so they are in the same part.
            least = max(part.start + target, reader.resumed and reader.resumed + most + _FAR)
            index = int(np.searchsorted(item.offsets, least))
            if index == len(item.offsets):
                break
            start = int(item.offsets[index])
            parts.append(part._replace(end=start))
            part = part._replace(start=start, number=item.number + index, preamble=bytes(reader.preamble))
    if reader.end > part.start:
        parts.append(part._replace(end=reader.end))
    return Scan(parts, reader.end, reader.number, bytes(reader.preamble), reader.sound)
