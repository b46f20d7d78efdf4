"""Input of the command: captures and bytes, from files, pipes and text.

1. A capture is detected by its first bytes, whatever its name is.  All other input is bytes of packets: raw,
   as hexadecimal digits, or as a dump of ``xxd``, ``hexdump -C``, ``od -A x -t x1``, ``tcpdump -X`` or
   Wireshark.
2. Input that is not a regular file is read once, from beginning to end.
3. Raw bytes are never completely in memory; text is, up to `MAX_TEXT` bytes.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msmq_wire.packets.mistaken import capture_name, is_base64
from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["MAX_TEXT", "Input", "from_hex", "look"]

MAX_TEXT: Final = 256 << 20
"""Maximum size of hexadecimal text in bytes."""
_CHUNK: Final = 1 << 20
_HEAD: Final = 512
_OFFSET_DIGITS: Final = 4
"""Fewer digits at the beginning of a line are a word of text."""
_DUMP = re.compile(rf"\s*(?:0x)?0{{{_OFFSET_DIGITS},}}(?::|[ \t]{{2}})")
"""The beginning of a dump: the offset zero."""
_DUMP_OF_OD = re.compile(r"\s*0{6} [0-9A-Fa-f]{2}(?: .*)?\n(?:.*\n)*?[0-9A-Fa-f]{6,}\s*")
"""A dump of ``od``, with one space after the offset; its last line is the offset of the end."""
_OFFSET = re.compile(r"\s*(?:0x)?([0-9A-Fa-f]+)(:?)\s*")
_PAIRS = re.compile(r"(?:[0-9A-Fa-f]{2} {0,2})*(?=  |\||$)")
"""Bytes on a line of a dump without a colon, up to its characters."""
_WORDS = re.compile(r"(?:[0-9A-Fa-f]{2} ?)*(?=  |$)")
"""Likewise with a colon: bytes in groups of any size."""
_PREFIXED = re.compile(r"""(?:(?:0x|\\x)[0-9A-Fa-f]{2}[\s,"']*)+""")
_PREFIXED_BYTE = re.compile(r"(?:0x|\\x)([0-9A-Fa-f]{2})")
_TEXT = frozenset(b"\t\r\n" + bytes(range(0x20, 0x7F)))
_SEPARATED = re.compile(r"[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2})+|(?:-[0-9A-Fa-f]{2})+)")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_PATTERN = re.compile(r"[*?\[]")


def from_hex(text: str) -> bytes:
    """Convert hexadecimal digits, or a dump, to bytes.

    Args:
        text: Digits with white space anywhere, or with a colon or hyphen between all bytes, or with ``0x`` or
            a backslash and ``x`` before each byte; or a dump of ``xxd``, ``hexdump -C``, ``od -A x -t x1``,
            ``tcpdump -X`` or Wireshark, whose offsets begin at zero and leave no gap.

    Raises:
        MsmqWireError: The text is neither.
    """
    if _DUMP.match(text) or _DUMP_OF_OD.fullmatch(text):
        return _from_dump(text)
    if _SEPARATED.fullmatch(text.strip()):
        text = text.replace(":", " ").replace("-", " ")
    elif _PREFIXED.fullmatch(text.strip().lstrip("{b\"' \n").rstrip("};\"' \n")):
        text = " ".join(_PREFIXED_BYTE.findall(text))
    elif ":" in text or "|" in text:
        start = _OFFSET.match(text)
        if start is None or len(start[1]) < _OFFSET_DIGITS:
            raise MsmqWireError("the text is neither hexadecimal digits nor a dump of xxd or hexdump -C")
        raise MsmqWireError("line 1 of the dump does not begin with the offset 0x0")
    try:
        return bytes.fromhex("".join(text.split()))
    except ValueError:
        raise MsmqWireError(f"expected hexadecimal text, two digits a byte{_found(text)}") from None


def _from_dump(text: str) -> bytes:
    """Convert a dump.

    Raises:
        MsmqWireError: A line is not hexadecimal, or does not begin where the line before it ended.
    """
    data = bytearray()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if line.strip() == "*":
            raise MsmqWireError(f"line {number} of the dump stands for omitted lines: dump them all, with -v")
        start = _OFFSET.match(line)
        if start is None or int(start[1], 16) != len(data):
            raise MsmqWireError(f"line {number} of the dump does not begin with the offset {len(data):#x}")
        rest = line[start.end() :]
        match = _WORDS.match(rest) if start[2] else _PAIRS.match(rest)
        if match is None:
            raise MsmqWireError(f"line {number} of the dump is not hexadecimal")
        data += bytes.fromhex(match[0])
    return bytes(data)


def _found(text: str) -> str:
    """Describe text that is not hexadecimal."""
    digits = "".join(text.split())
    other = re.search("[^0-9A-Fa-f]", digits)
    if other is None:
        return f", found {len(digits)} digits"
    if is_base64(digits.encode("utf-8", "replace")):
        return ", found base64: convert it with base64 -d"
    return f", found {other[0]!r}"


class Input(NamedTuple):
    """An input.

    Attributes:
        name: Its path, or ``-``.
        capture: Whether it is a capture, or a directory or URL with captures.
        chunks: An iterator over its bytes if it is not a regular file; otherwise None.
        text: Whether it is hexadecimal text.
    """

    name: str
    capture: bool
    chunks: Iterator[bytes] | None
    text: bool

    def data(self) -> Iterator[bytes]:
        """Return the bytes of the input, converted from text if necessary.

        Raises:
            OSError: The input cannot be read.
            MsmqWireError: The text cannot be converted to bytes.
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
                raise MsmqWireError(f"{self.name}: no capture, but text: {error}") from None
        yield whole


def look(path: str) -> Input:
    """Detect the format of the input at a path.

    Raises:
        OSError: The input cannot be read.
    """
    if path == "-":
        if sys.stdin is None:  # closed before the process began
            raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard input")
        return _piped("-", _pipe_chunks(sys.stdin.buffer))
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  # paths may have bytes that are not text
    except (OSError, ValueError):
        if _ADDRESS.match(path) or _PATTERN.search(path):
            return Input(path, capture=True, chunks=None, text=False)
        raise
    if stat.S_ISDIR(mode):
        return Input(path, capture=True, chunks=None, text=False)
    if not stat.S_ISREG(mode):
        return _piped(path, _pipe_chunks(Path(path).open("rb", buffering=0), path))  # read to its end
    with Path(path).open("rb") as file, _named(path):
        head = file.read(_HEAD)
    return Input(path, bool(capture_name(head)), None, _is_text(head))


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Name the file in errors of reading, which do not name it."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or path
        raise


def _is_text(head: bytes) -> bool:
    return _TEXT.issuperset(head) and bool(head)


def _piped(name: str, chunks: Iterator[bytes]) -> Input:
    head: list[bytes] = []
    for chunk in chunks:
        head.append(chunk)
        if sum(map(len, head)) >= 16:  # enough to detect every format; a pipe may have no more for a while
            break
    first = b"".join(head)
    return Input(name, bool(capture_name(first)), _chained(first, chunks), _is_text(first[:_HEAD]))


def _chained(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def _pipe_chunks(file: Any, name: str = "standard input") -> Iterator[bytes]:
    """Yield the chunks of a pipe, as they arrive."""
    read = getattr(file, "read1", file.read)
    while True:
        with _named(name):
            chunk = read(_CHUNK)
        if not chunk:
            return
        yield chunk


def _file_chunks(path: str) -> Iterator[bytes]:
    with Path(path).open("rb") as file:
        yield from _pipe_chunks(file, path)
