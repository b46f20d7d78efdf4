"""The command line: ``python -m msmq_wire`` explains bytes from a file, from standard input or from text.

1. Here, and nowhere else in the package, is something read or written.
2. Raw bytes, hexadecimal digits, and the dumps of ``xxd`` and ``hexdump -C`` are told apart by themselves.
3. What is understood goes to standard output.  What is wrong is one line on standard error and status 1.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import DecodeError, MsmqWireError
from .explain import explain
from .stream import Frame, PacketStream

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["from_hex", "main"]

_OFFSET = re.compile(r"\s*([0-9A-Fa-f]+)(:?)\s*")
_TEXT = frozenset(b"\t\r\n" + bytes(range(0x20, 0x7F)))
_PING = b"\x48\x55"


def from_hex(text: str) -> bytes:
    """The bytes that hexadecimal digits, or a dump of ``xxd`` or ``hexdump -C``, stand for.

    Raises:
        MsmqWireError: The text is neither, or the dump has a gap.
    """
    if ":" not in text and "|" not in text:
        try:
            return bytes.fromhex("".join(text.split()))
        except ValueError:
            raise MsmqWireError(
                "the text is not hexadecimal: two digits a byte, white space anywhere"
            ) from None
    data = b""
    for number, line in enumerate(text.splitlines(), 1):
        start = _OFFSET.match(line)
        if not line.strip():
            continue
        if start is None or int(start[1], 16) != len(data):
            raise MsmqWireError(f"line {number} of the dump does not begin with the offset {len(data):#x}")
        shown = line[start.end() :]
        digits = shown.partition("  ")[0] if start[2] else shown.partition("|")[0]
        try:
            data += bytes.fromhex(digits)
        except ValueError:
            raise MsmqWireError(f"line {number} of the dump is not hexadecimal") from None
    return data


def _read(options: argparse.Namespace) -> bytes:
    """The bytes that are asked about.

    Raises:
        OSError: The file cannot be read.
        MsmqWireError: The text does not stand for bytes.
    """
    if options.hex is not None:
        return from_hex(options.hex)
    data = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
    return from_hex(data.decode("ascii")) if _TEXT.issuperset(data) else data


def _sections(data: bytes, kind: str | None) -> Iterator[tuple[str, DecodeError | None]]:
    """An explanation for each packet and for what lies between packets, with the error if there is one."""
    if kind is not None or data[2:4] == _PING:
        text = explain(data, kind or "PingPacket")
        last = text.rpartition("\n")[2]
        error = last.removeprefix("error: ") if last.startswith("error: ") else None
        yield text, None if error is None else _as_error(error)
        return
    for item in PacketStream(max_skipped=None).frames(data, final=True):
        found = isinstance(item, Frame)
        title = type(item.packet).__name__ if isinstance(item, Frame) else "no packet"
        head = f"== byte {item.offset}: {title}, {len(item.data)} bytes"
        yield f"{head}\n{explain(item.data)}\n", None if found else getattr(item, "error", None)
