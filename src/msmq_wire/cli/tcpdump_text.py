"""The text that ``tcpdump -X`` and ``tcpdump -XX`` print: lines with addresses, and a dump of each packet.

The bytes that it stands for are a capture: pcapng with blocks that have no time, because the text has the
time zone of its reader, and often no date.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HEADING: Final = re.compile(r"\b(?:IP6?|ARP|ethertype)\b")
_FIRST_LINE: Final = re.compile(r"\s+0x0{4,}:\s")
_LINE: Final = re.compile(r"\s+0x[0-9a-fA-F]{4,}:\s")

_SECTION, _INTERFACE, _SIMPLE = 0x0A0D0D0A, 1, 3
"""The blocks of pcapng that are written; the last one has a packet without a time."""
_BYTE_ORDER: Final = 0x1A2B3C4D
_ETHERNET, _RAW_IP = 1, 101
_IPV4: Final = struct.Struct(">BxH")
_IPV6: Final = struct.Struct(">B3xH")
_IPV4_FIRST: Final = range(0x45, 0x50)
_IPV6_FIRST: Final = range(0x60, 0x70)
_IPV6_HEADER: Final = 40


def is_of_tcpdump(text: str) -> bool:
    """Return whether a text, or its beginning, has a dump below a line of tcpdump."""
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if _FIRST_LINE.match(line)), 0)
    return any(_HEADING.search(line) for line in lines[:first])


def dumps_in(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the first line of each dump, and of the line after it, from 0."""
    start = None
    for number, line in enumerate([*lines, ""]):
        is_first = _FIRST_LINE.match(line)
        if start is not None and (is_first or not _LINE.match(line)):
            yield start, number
            start = None
        if is_first:
            start = number


def capture_of(packets: Sequence[bytes]) -> bytes:
    """Return a capture of these packets: frames of Ethernet, or IP packets without a link header."""
    link_type = _RAW_IP if any(map(is_ip_packet, packets)) else _ETHERNET
    parts = [
        _block(_SECTION, struct.pack("<IHHq", _BYTE_ORDER, 1, 0, -1)),
        _block(_INTERFACE, struct.pack("<HHI", link_type, 0, 0)),
    ]
    parts += [_block(_SIMPLE, struct.pack("<I", len(packet)) + packet) for packet in packets]
    return b"".join(parts)


def _block(kind: int, content: bytes) -> bytes:
    """Return a block of pcapng: its size stands before and behind its content."""
    content += bytes(-len(content) % 4)
    size = struct.pack("<I", 12 + len(content))
    return struct.pack("<I", kind) + size + content + size


def is_ip_packet(data: bytes) -> bool:
    """Return whether bytes are an IP packet, by its version and its size."""
    if len(data) < _IPV4.size + 16:
        return False
    first, size = _IPV4.unpack_from(data)
    if first in _IPV4_FIRST:
        return bool(size == len(data))
    return first in _IPV6_FIRST and _IPV6.unpack_from(data)[1] + _IPV6_HEADER == len(data)
