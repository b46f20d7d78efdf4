"""Values as text: characters and bytes, durations and dates, SIDs and addresses.

1. Every text is one line of printable ASCII; all other characters become escapes.  Only `printable` keeps
   the letters of all languages.  Backslashes are not doubled, because queue names contain many of them; the
   bytes show the difference from an escape.
2. Every text is short, however long the value.
"""

from __future__ import annotations

import json
from codecs import getincrementaldecoder
from datetime import timedelta
from ipaddress import IPv4Address, IPv6Address
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final
from unicodedata import combining, east_asian_width

from msmq_wire.values.enumerations import ADDRESS_TYPE
from msmq_wire.values.errors import plural
from msmq_wire.values.numbers import FOREVER
from msmq_wire.values.times import EPOCH

if TYPE_CHECKING:
    from collections.abc import Mapping

BYTES_SHOWN: Final = 8
CHARACTERS_SHOWN: Final = 60
_PREVIEWED = 48
_ENCODINGS: Final = (
    (getincrementaldecoder("utf-16-le"), "\u0600"),
    (getincrementaldecoder("utf-8"), "\U0010ffff"),
)
"""Decoders for text, and the first unexpected character: most pairs of bytes are a Chinese character."""


# --------------------------------------------------------------------------------------------- characters


def escape(text: str) -> str:
    """Escape all characters of a text except printable ASCII."""
    return "".join(
        char if " " <= char <= "~" else char.encode("unicode_escape", "surrogatepass").decode()
        for char in text
    )


def printable(text: str, *, in_json: bool = False) -> str:
    """Escape all characters of a text that are not printable, as in Python or in JSON."""
    if text.isprintable():
        return text
    return "".join(
        char
        if char.isprintable()
        else json.dumps(char)[1:-1].replace("\x7f", "\\u007f")
        if in_json
        else char.encode("unicode_escape", "surrogatepass").decode()
        for char in text
    )


def text_width(text: str) -> int:
    """Return how many columns of a terminal a printable text takes: letters of East Asia take two."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(char) else 1 + (east_asian_width(char) in "WF") for char in text)


def padded(text: str, columns: int) -> str:
    """Pad a text with spaces to this many columns of a terminal."""
    return text + " " * (columns - text_width(text))


def quote(text: str) -> str:
    """Escape a text, quote it, and shorten it in the middle if it is long."""
    whole = [escape(char) for char in text[: CHARACTERS_SHOWN + 1]]
    if sum(map(len, whole)) <= CHARACTERS_SHOWN:
        return '"' + "".join(whole).replace('"', '\\"') + '"'
    third = CHARACTERS_SHOWN // 3
    end = [escape(char) for char in reversed(text[-third:])]
    return f"{quote(text[: _fit(whole, 2 * third)])} .. {quote(text[len(text) - _fit(end, third) :])}"


def _fit(pieces: list[str], room: int) -> int:
    """Return how many of the first pieces fit into the room together."""
    return sum(total <= room for total in accumulate(map(len, pieces)))


def hex_bytes(data: bytes) -> str:
    """Format up to eight bytes in hexadecimal; of more bytes, the first and the last."""
    if len(data) <= BYTES_SHOWN:
        return data.hex(" ")
    half = BYTES_SHOWN // 2
    return f"{data[:half].hex(' ')} .. {data[1 - half :].hex(' ')}"


def counted(count: int, noun: str) -> str:
    """Format a number with its noun: ``1,200 packets``."""
    return f"{count:,} {plural(count, noun)}"


def not_read(omitted: Mapping[str, int]) -> str:
    """Return what is said of entries of folders that were not read, counted by reason; "" for none."""
    counts = ", ".join(f"{reason} {count:,}" for reason, count in sorted(omitted.items()))
    return f"entries not read: {counts}" if counts else ""


def size(count: int) -> str:
    """Format a number of bytes: ``12 bytes``."""
    return counted(count, "byte")


def preview(data: bytes) -> str:
    """Describe bytes: their number, and their beginning if it looks like text."""
    count = size(len(data))
    if data.count(data[:1]) == len(data) and (len(data) > BYTES_SHOWN or not any(data)):
        return f"{count}, all {data[:1].hex()}"
    start = data[:_PREVIEWED]
    whole = len(start) == len(data)
    for decoder, beyond in _ENCODINGS:
        try:
            text = decoder().decode(start, final=whole).rstrip("\0")
        except UnicodeDecodeError:
            continue
        if text and all(char in "\t\r\n" or (char.isprintable() and char < beyond) for char in text):
            fitting = text[: _fit([*map(escape, text)], CHARACTERS_SHOWN)]
            return f"{count}, {quote(fitting)}{'' if whole and fitting == text else ' ..'}"
    return count


# ----------------------------------------------------------------------------------------------- numbers


def duration(value: int, unit: str) -> str:
    """Format a number of seconds (`s`) or milliseconds (`ms`) as days, hours, minutes and seconds."""
    if value == FOREVER and unit == "s":
        return "for ever"
    seconds, rest = divmod(value, 1000) if unit == "ms" else (value, 0)
    if seconds < 60:
        return f"{seconds}.{rest:03} s" if rest else f"{seconds} s"
    parts = []
    for size, name in ((86400, "d"), (3600, "h"), (60, "min"), (1, "s")):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {name}")
    return " ".join(parts)


def date(value: int, zone: str = "UTC") -> str:
    """Format a number of seconds since 1970 as a date."""
    return f"{EPOCH + timedelta(seconds=value):%Y-%m-%d %H:%M:%S} {zone}"


def sequence_numbers(first: int, bits: int) -> str:
    """Format the numbers of the bits of an acknowledgment: ``5-7, 9``."""
    runs: list[list[int]] = []
    for bit in range(bits.bit_length()):
        if bits >> bit & 1:
            if runs and runs[-1][1] == first + bit - 1:
                runs[-1][1] += 1
            else:
                runs.append([first + bit, first + bit])
    return ", ".join(f"{low}-{high}" if low < high else str(low) for low, high in runs)


# ----------------------------------------------------------------------------------------------- addresses


def address(kind: int, data: bytes) -> str | None:
    """Return the text of an address by its ADDRESS_TYPE, or None for an unknown type."""
    if kind == ADDRESS_TYPE.IP_ADDRESS_TYPE and len(data) >= 4:
        return str(IPv4Address(data[:4]))
    if kind == ADDRESS_TYPE.IPV6_ADDRESS_TYPE and len(data) >= 8:
        whole = str(IPv6Address(data[:16].ljust(16, b"\0")))
        return whole if len(data) >= 16 else f"{whole} (truncated)"
    if kind == ADDRESS_TYPE.IPX_ADDRESS_TYPE and len(data) >= 10:
        return f"{data[:4].hex()}.{data[4:10].hex()}"
    return None


def position_of(row: Mapping[str, Any]) -> str:
    """Return the file of a packet, and where it is there: the frame, or the byte in a file of packets.

    Args:
        row: Its ``file``, ``flow``, ``offset`` and ``first_frame``; a file of packets is one flow.
    """
    is_raw = row["flow"] == row["file"]
    return f"{row['file']}, " + (f"byte {row['offset']:,}" if is_raw else f"frame {row['first_frame']}")


def endpoint(host: str | None, port: int | None) -> str:
    """Return an IP address and a port, with an IPv6 address in brackets; nothing without an address."""
    if host is None:
        return ""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
