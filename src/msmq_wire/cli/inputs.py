"""Input of the command: captures and bytes, from files, pipes and text.

1. A capture is detected by its first bytes, whatever its name is.  If they are unknown, a file whose name is
   that of a compressed one is a capture, too.  All other input is bytes of packets, raw or as text
   (`packet_text`).
2. Input that is not a regular file is read once, from beginning to end.
3. Raw bytes are never completely in memory; text is, up to `MAX_TEXT` bytes.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msmq_wire.packets.foreign import FOREIGN_HEAD, foreign
from msmq_wire.packets.mistaken import capture_name, packing_by_name
from msmq_wire.packets.packet_starts import begins_ping, is_signed, marked
from msmq_wire.values.errors import MsmqWireError, in_bytes
from msmq_wire.values.paths import PATTERN, is_address

from .extras import captured_module
from .output import text_of_error
from .packet_text import bytes_of_text, text_of
from .tcpdump_text import is_ip_packet, is_of_tcpdump

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .outcome import Outcome

MAX_TEXT: Final = 256 << 20
"""Maximum size of text that stands for bytes."""
_CHUNK: Final = 1 << 20


class Input(NamedTuple):
    """An input.

    Attributes:
        name: Its path, or ``-``.
        capture: Whether it is a capture, or a directory or URL with captures.
        chunks: An iterator over its bytes if it is not a regular file; otherwise None.
        text: Whether it is text that stands for bytes.
        unread: The name of an unsupported format, and the command that converts it; otherwise empty.
    """

    name: str
    capture: bool
    chunks: Iterator[bytes] | None
    text: bool
    unread: str = ""

    def data(self, *, of_packets: bool = True) -> Iterator[bytes]:
        """Return the bytes of the input, converted from text if necessary.

        Args:
            of_packets: Whether a packet or a Ping has to begin in the bytes of a text.

        Raises:
            OSError: The input cannot be read.
            MsmqWireError: The text cannot be converted to bytes.
        """
        chunks = self.chunks if self.chunks is not None else _file_chunks(self.name)
        if not self.text:
            yield from chunks
            return
        size, kept_chunks = 0, []
        for chunk in chunks:
            size += len(chunk)
            kept_chunks.append(chunk)
            if size > MAX_TEXT:
                raise MsmqWireError(f"{self.name}: more than {MAX_TEXT:,} bytes of text")
        whole = b"".join(kept_chunks)
        text = text_of(whole)
        if text is not None:
            try:
                whole = _packets_of_text(text) if of_packets else bytes_of_text(text)
            except MsmqWireError as error:
                raise MsmqWireError(f"{self.name}: not a capture, but text: {error}") from None
        yield whole


def _packets_of_text(text: str) -> bytes:
    """Return the bytes that a text stands for.

    Raises:
        MsmqWireError: It stands for no bytes, or for bytes in which no packet, Ping or capture begins.
    """
    data = bytes_of_text(text)
    is_ip = is_ip_packet(data)
    if is_ip or not (marked(data) or begins_ping(data) or capture_name(data)):
        problem = f"{in_bytes(len(data))}, in which no packet begins"
        if is_ip:
            problem += "; it is an IP packet: give it with the lines of tcpdump above it, "
            problem += "or capture with tcpdump -w"
        raise MsmqWireError(problem)
    return data


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
        if is_address(path) or PATTERN.search(path):
            return Input(path, capture=True, chunks=None, text=False)
        raise
    if stat.S_ISDIR(mode):
        return Input(path, capture=True, chunks=None, text=False)
    if not stat.S_ISREG(mode):
        return _piped(path, _pipe_chunks(Path(path).open("rb", buffering=0), path))  # read to its end
    with Path(path).open("rb") as file, _named(path):
        head = file.read(FOREIGN_HEAD)
    return _input(path, head, None)


def look_for_captures(path: str) -> Input:
    """Detect the format of the input at a path, which may be a capture.

    Raises:
        OSError: The input cannot be read.
        OptionError: It is a directory of tables that this package wrote.
    """
    item = look(path)
    if os.path.isdir(path):  # noqa: PTH112  # paths may have bytes that are not text
        captured_module("own_tables").check_captures(path)
    return item


def readable(paths: Sequence[str], outcome: Outcome) -> list[Input]:
    """Return the inputs at some paths; record those that cannot be opened.

    Raises:
        OSError: None of them can be opened.
        MsmqWireError: No file matches any of the patterns, or all are directories of tables.
    """
    inputs, first_error = [], None
    for path in paths:
        try:
            item = look_for_captures(path)
            if item.capture and PATTERN.search(path):
                captured_module().check_pattern(path)
        except (OSError, MsmqWireError) as error:
            first_error = first_error or error
            outcome.problem(text_of_error(error))
        else:
            inputs.append(item)
    if first_error is not None and not inputs:
        raise first_error
    return inputs


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Name the file in errors of reading, which do not name it."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or path
        raise


def _piped(name: str, chunks: Iterator[bytes]) -> Input:
    head: list[bytes] = []
    for chunk in chunks:
        head.append(chunk)
        if sum(map(len, head)) >= 16:  # enough to detect every format; a pipe may have no more for a while
            break
    return _input(name, b"".join(head), chain(head, chunks))


def _input(name: str, first: bytes, chunks: Iterator[bytes] | None) -> Input:
    """Return the input that begins with some bytes."""
    head = first[:FOREIGN_HEAD]
    capture, words = bool(capture_name(head)), text_of(head)
    text = words is not None
    if words is not None and is_of_tcpdump(words):
        return Input(name, capture=True, chunks=chunks, text=True)
    unread = ""
    if not capture and not is_signed(head) and not begins_ping(head):
        unread = foreign(head, "" if text else name)
        capture = bool(head and packing_by_name(name)) and not (text or unread or chunks)
    return Input(name, capture, chunks, text and not unread, unread)


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
