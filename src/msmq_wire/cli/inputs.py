"""What the command reads: captures and bytes, from files, pipes and text.

1. A capture is told by its first bytes, whatever its name is; all else is bytes of packets, raw, as
   hexadecimal digits, or as a dump of ``xxd`` or ``hexdump -C``.
2. What is no regular file is read once, from front to back, as it comes.
3. Raw bytes are never in memory as a whole; text is, up to `MAX_TEXT` bytes.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msmq_wire.packets.mistaken import capture_name
from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["MAX_TEXT", "Input", "from_hex", "look"]

MAX_TEXT: Final = 256 << 20
"""How many bytes of hexadecimal text are read at most."""
_CHUNK: Final = 1 << 20
_HEAD: Final = 512
_OFFSET_DIGITS: Final = 4
"""Fewer digits before a line of text are a word of it."""
_OFFSET = re.compile(r"\s*([0-9A-Fa-f]+)(:?)\s*")
_TEXT = frozenset(b"\t\r\n" + bytes(range(0x20, 0x7F)))
_COLONS = re.compile(r"[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2})+")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_PATTERN = re.compile(r"[*?\[]")


def from_hex(text: str) -> bytes:
    """The bytes that hexadecimal digits, or a dump of ``xxd`` or ``hexdump -C``, stand for.

    Args:
        text: Digits with white space anywhere or with a colon between all bytes, or a dump whose offsets
            begin at zero and leave no gap.

    Raises:
        MsmqWireError: The text is neither.
    """
    if _COLONS.fullmatch(text.strip()):
        text = text.replace(":", " ")
    if ":" not in text and "|" not in text:
        try:
            return bytes.fromhex("".join(text.split()))
        except ValueError:
            raise MsmqWireError("the text is not hexadecimal, two digits a byte") from None
    data = bytearray()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        start = _OFFSET.match(line)
        if not data and (start is None or len(start[1]) < _OFFSET_DIGITS):
            raise MsmqWireError("the text is neither hexadecimal digits nor a dump of xxd or hexdump -C")
        if start is None or int(start[1], 16) != len(data):
            raise MsmqWireError(f"line {number} of the dump does not begin with the offset {len(data):#x}")
        rest = line[start.end() :]
        digits = rest.partition("  ")[0] if start[2] else rest.partition("|")[0]
        try:
            data += bytes.fromhex("".join(digits.split()))
        except ValueError:
            raise MsmqWireError(f"line {number} of the dump is not hexadecimal") from None
    return bytes(data)


class Input(NamedTuple):
    """Something to read.

    Attributes:
        name: Its path, or ``-``.
        capture: Whether it is a capture, or a directory or address with captures.
        chunks: Its bytes, once, where it is no regular file; else None.
        text: Whether it is hexadecimal text.
    """

    name: str
    capture: bool
    chunks: Iterator[bytes] | None
    text: bool

    def data(self) -> Iterator[bytes]:
        """The bytes that it holds or stands for.

        Raises:
            OSError: It cannot be read.
            MsmqWireError: Text does not stand for bytes.
        """
        chunks = self.chunks if self.chunks is not None else _file_chunks(self.name)
        if not self.text:
            yield from chunks
            return
        size, held = 0, []
        for chunk in chunks:
            size += len(chunk)
            held.append(chunk)
            if size > MAX_TEXT:
                raise MsmqWireError(f"{self.name}: more than {MAX_TEXT:,} bytes of hexadecimal text")
        whole = b"".join(held)
        if _TEXT.issuperset(whole):
            try:
                whole = from_hex(whole.decode("ascii"))
            except MsmqWireError as error:
                raise MsmqWireError(f"{self.name}: {error}") from None
        yield whole


def look(path: str) -> Input:
    """Look at the beginning of what is at a path.

    Raises:
        OSError: It cannot be read.
    """
    if path == "-":
        if sys.stdin is None:  # closed before the process began
            raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard input")
        return _piped("-", _pipe_chunks(sys.stdin.buffer))
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  # paths may hold bytes that are no text
    except (OSError, ValueError):
        if _ADDRESS.match(path) or _PATTERN.search(path):
            return Input(path, capture=True, chunks=None, text=False)
        raise
    if stat.S_ISDIR(mode):
        return Input(path, capture=True, chunks=None, text=False)
    if not stat.S_ISREG(mode):
        return _piped(path, _pipe_chunks(Path(path).open("rb", buffering=0)))  # read to its end
    with Path(path).open("rb") as file:
        head = file.read(_HEAD)
    return Input(path, bool(capture_name(head)), None, _is_text(head))


def _is_text(head: bytes) -> bool:
    return _TEXT.issuperset(head) and bool(head)


def _piped(name: str, chunks: Iterator[bytes]) -> Input:
    head: list[bytes] = []
    for chunk in chunks:
        head.append(chunk)
        if sum(map(len, head)) >= 16:  # so many tell every form; a pipe may have no more for a while
            break
    first = b"".join(head)
    return Input(name, bool(capture_name(first)), _chained(first, chunks), _is_text(first[:_HEAD]))


def _chained(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def _pipe_chunks(file: Any) -> Iterator[bytes]:
    """What is there, as it comes."""
    read = getattr(file, "read1", file.read)
    try:
        while chunk := read(_CHUNK):
            yield chunk
    except OSError as error:
        error.filename = error.filename or "standard input"
        raise


def _file_chunks(path: str) -> Iterator[bytes]:
    with Path(path).open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
