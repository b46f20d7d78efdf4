"""Byte sources: local files and object stores, whole or in part, compressed or not.

1. A place is a path or a URL such as ``s3://bucket/captures``, which pyarrow opens.
2. Names of local files are bytes.  Names that are not UTF-8 can be read, and are shown escaped (`shown`).  In
   directories, symbolic links are followed only on request.  A file with several names is read once.
3. A `Source` is read from start to end and knows its offset.  It buffers a few chunks at most.
4. Damaged compressed data ends a source; `Source.trouble` has the error, and all bytes before it are
   returned.  `Source.behind` is the next sound member in the file, if there is one.  Data that expands more
   than `EXPANSION` allows ends a source, too.  A file that cannot be opened or read raises `OSError`.
"""

from __future__ import annotations

import bz2
import contextlib
import hashlib
import lzma
import os
import re
import stat
import zlib
from fnmatch import fnmatchcase
from io import DEFAULT_BUFFER_SIZE
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self
from urllib.parse import quote, unquote

import pyarrow as pa
from pyarrow import fs as arrow_fs

from msmq_wire.captures.network.frames import Reason
from msmq_wire.packets.mistaken import CAPTURES, PACKED, packing_name
from msmq_wire.values.errors import MsmqWireError, plural
from msmq_wire.values.paths import ADDRESS, PATTERN, is_address, with_slashes

from .containers import NO_MARK, Damage, passed_over

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

EXPANSION: Final = 200
"""Default limit of the ratio of decompressed to compressed size; `FREE` bytes are always allowed."""
FREE = 256 << 20
CHUNK = 1 << 20
_STEP = 1 << 16
"""Unpacked bytes that are requested at once."""
UNUSED: Final = hashlib.shake_128(b"").digest(_STEP)
"""Fills a buffer, to show how many bytes were written before an error; a last byte like its own is missed."""
_OTHERS: Final = bytes(value ^ 0xFF for value in UNUSED)
"""Fills it if the bytes are unpacked again, to show a byte that was missed."""
_PASSWORD = re.compile(rf"({ADDRESS.pattern}/[^/:@]*):[^/@]*(?=@)")
_PLAIN = "/:@?&=,+~"


_HIDDEN: Final = re.compile(r"(?:/[^/._][^/]*)*/[._][^/]*")
"""The rest of a path, up to its first name that starts with a dot or an underscore."""


class File(NamedTuple):
    """A file that was found.

    Attributes:
        location: Path or URL.
        size: Size in bytes.
        changed: Time of the last change, in nanoseconds since 1970.
    """

    location: str
    size: int
    changed: int


_DAMAGED: Final = (EOFError, zlib.error, lzma.LZMAError, pa.ArrowInvalid, OSError)
"""The exceptions of decompressors."""


class Source:
    """A byte stream that is read from start to end.

    Args:
        chunks: The bytes in chunks.
        offset: Offset of the first chunk in its file.
        packing: As the attribute.
        live: As the attribute.

    Attributes:
        live: Whether the bytes come from a running capture, so reads must not wait for more than is
            needed.
        offset: Offset of the next byte in its file.
        packing: Compression format, if the bytes are decompressed while they are read; otherwise empty.
        trouble: The error that ended the stream early, or None.
        behind: Where in the compressed file the next sound member begins; None without one.
    """

    __slots__ = ("_at", "_chunks", "_held", "behind", "live", "offset", "packing", "trouble")

    def __init__(
        self, chunks: Iterable[bytes], offset: int = 0, packing: str = "", *, live: bool = False
    ) -> None:
        self._chunks = iter(chunks)
        self.live = live
        self.packing = packing
        self._held = b""
        self._at = 0
        self.offset = offset
        self.trouble: str | None = None
        self.behind: int | None = None

    closed: Final = False
    """File attribute that decompressors need."""

    def close(self) -> None:
        """Do nothing: the creator of the chunks closes their file."""

    def read(self, size: int) -> bytes:
        """Read `size` bytes, or all remaining ones."""
        stop = self._at + size
        while stop > len(self._held):
            chunk = self._next()
            if not chunk:
                stop = len(self._held)
                break
            stop -= self._at
            self._held = self._held[self._at :] + chunk
            self._at = 0
        data = self._held[self._at : stop]
        self._at = stop
        self.offset += len(data)
        return data

    def some(self, size: int) -> bytes:
        """Read `size` bytes, or all remaining ones; a live source returns the available ones."""
        if not self.live:
            return self.read(size)
        return self.read(min(len(self._held) - self._at, size) or len(self.peek(1)))

    def peek(self, size: int) -> bytes:
        """Return the next bytes without consuming them."""
        data = self.read(size)
        self.put_back(data)
        return data

    def put_back(self, data: bytes) -> None:
        """Take back the last bytes that were read."""
        self._held = data + self._held[self._at :]
        self._at = 0
        self.offset -= len(data)

    def _next(self) -> bytes:
        try:
            return next(self._chunks, b"")
        except Expanded as error:
            self.trouble = str(error)
        except _DAMAGED as error:
            if not self.packing or getattr(error, "errno", None) is not None:
                raise  # the file cannot be read
            self.trouble = f"the {self.packing} data is damaged: {error}"
            if isinstance(error, _Damaged):
                self.behind = error.behind
                self._held = self._held[: max(len(self._held) - error.surplus, self._at)]
        return b""


class _Damaged(EOFError):
    """Compressed data is damaged.

    Attributes:
        behind: As in `Source`.
        surplus: Number of the last bytes that were unpacked from what belongs to the next member.
    """

    def __init__(self, problem: str, behind: int | None, surplus: int) -> None:
        super().__init__(problem)
        self.behind = behind
        self.surplus = surplus


class Expanded(Exception):
    """Compressed data expands to more than allowed."""


class _Local:
    """A local file with the `read_at` method of pyarrow files."""

    def __init__(self, path: str) -> None:
        self.file = Path(path).open("rb", buffering=0)  # noqa: SIM115  # the caller closes it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    @property
    def closed(self) -> bool:
        """Whether the file is closed."""
        return self.file.closed

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def size(self) -> int:
        """Return the size of the file."""
        return os.fstat(self.file.fileno()).st_size

    def seek(self, offset: int) -> None:
        """Set the position."""
        self.file.seek(offset)

    def read(self, size: int = -1) -> bytes:
        """Read the next bytes."""
        return self.file.read(size) or b""

    def read_at(self, size: int, offset: int) -> bytes:
        """Read `size` bytes at an offset, or all remaining ones."""
        self.file.seek(offset)
        parts = []
        while part := self.file.read(size):
            parts.append(part)
            size -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)


def shown(location: str) -> str:
    """Return a path as text; bytes that are not UTF-8, and lone surrogates, become hexadecimal escapes.

    A URL is without its password, so that tables can be given away.
    """
    location = _PASSWORD.sub(r"\1", location, count=1)
    try:
        return os.fsencode(location).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # not a path of a file
        return location.encode("utf-8", "backslashreplace").decode()


def _system(location: str) -> tuple[Any, str, str, str]:
    """Return file system, path in it, and the prefix and suffix that make such a path a URL."""
    if not is_address(location):
        return None, with_slashes(os.path.abspath(location)), "", ""  # noqa: PTH100  # links are not resolved
    address = unquote(location)
    quoted = quote(address, safe=_PLAIN)
    try:
        system, path = arrow_fs.FileSystem.from_uri(quoted)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        reason = str(error).replace(quoted, shown(quoted))
        raise MsmqWireError(
            f"{shown(location)} is not an address of a file system that pyarrow knows: {reason}"
        ) from None
    if system.type_name == "local":
        return None, path, "", ""
    before, _, after = address.partition(path)
    return system, path, before, after


def opened(location: str) -> Any:
    """Open a file for random access; the caller closes it."""
    system, path, _, _ = _system(location)
    return _Local(path) if system is None else system.open_input_file(path)


def region(file: Any, start: int, end: int) -> Source:
    """Return a part of an open file as a source."""
    return Source((file.read_at(min(CHUNK, end - at), at) for at in range(start, end, CHUNK)), start)


# ------------------------------------------------------------------------------------- compressed files


class Unpacking:
    """Unpacks with pyarrow, which does not report how many bytes it has when it detects an error.

    Args:
        file: The packed bytes.
        name: Name of the compression format.

    Attributes:
        unused: The bytes in a buffer before something is written there.
    """

    unused = UNUSED

    def __init__(self, file: Any, name: str) -> None:
        self.stream = pa.CompressedInputStream(pa.PythonFile(file, mode="r"), name)
        self.failure: Exception | None = None

    def read(self, size: int) -> bytes:
        """Read at most `size` bytes; an error is raised after the bytes before it."""
        if self.failure is not None:
            raise self.failure
        buffer = bytearray(self.unused[:size])
        try:
            return bytes(buffer[: self.stream.readinto(buffer)])
        except (pa.ArrowInvalid, OSError) as error:
            self.failure = error
        last = next((at for at in reversed(range(size)) if buffer[at] != self.unused[at]), None)
        if last is None:
            raise self.failure
        return bytes(buffer[: last + 1])


class _Gzip:
    """Unpacks a member of gzip, with the methods of other decompressors."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        """Whether the member has ended."""
        return self._stream.eof

    @property
    def unused_data(self) -> bytes:
        """The bytes behind the member."""
        return self._stream.unused_data

    @property
    def needs_input(self) -> bool:
        """Whether all bytes that were given are unpacked."""
        return not self._stream.unconsumed_tail

    def decompress(self, packed: bytes, most: int) -> bytes:
        """Unpack at most so many bytes."""
        return self._stream.decompress(self._stream.unconsumed_tail + packed, most)


class _Members:
    """Unpacks consecutive members; zeros may be between them, and other bytes are an error.

    Args:
        file: The packed bytes, a `Source` or `_Packed`.
        new: Makes the decompressor of a member.

    Attributes:
        begin: The offset in the file at which the member begins that is read.
    """

    def __init__(self, file: Any, new: Callable[[], Any]) -> None:
        self.file = file
        self.begin: int = file.offset
        self._new = new
        self._member = new()

    def read(self, size: int) -> bytes:
        """Read at most `size` bytes."""
        data = b""
        while not data:
            packed = b""
            if self._member.eof:
                packed = self._member.unused_data.lstrip(b"\0")
                while not packed:
                    more = self.file.read(DEFAULT_BUFFER_SIZE)
                    if not more:
                        return b""
                    packed = more.lstrip(b"\0")
                self.begin = self.file.offset - len(packed)
                self._member = self._new()
            elif self._member.needs_input:
                packed = self.file.read(DEFAULT_BUFFER_SIZE)
                if not packed:
                    raise EOFError("it ends before its end marker")
            data = self._member.decompress(packed, size)
        return data


class _Marked:
    """A file that is read with other bytes at its beginning.

    Args:
        file: The file.
        mark: These bytes.
    """

    def __init__(self, file: Any, mark: bytes) -> None:
        self._file = file
        self._mark = mark

    def read_at(self, size: int, offset: int) -> bytes:
        """Read `size` bytes at an offset, or all remaining ones."""
        data: bytes = self._file.read_at(size, offset)
        mark = self._mark[offset : offset + len(data)]
        return mark + data[len(mark) :]


class _Packed:
    """Packed bytes, read up to the end.

    Args:
        file: The file.
        start: Where to begin.
        near: From where on the bytes come one by one, because an error takes all that were read with it.
        end: Where the bytes end; None for the end of the file.

    Attributes:
        offset: Offset of the next byte in the file.
        most: The largest number of bytes that were read together.
    """

    closed: Final = False

    def __init__(self, file: Any, start: int, near: int | None = None, end: int | None = None) -> None:
        self.offset, self.most = start, 0
        self._file = file
        self._near = near
        self._end = end
        self._held, self._held_offset = b"", start

    def close(self) -> None:
        """Do nothing: the creator of the file closes it."""

    def read(self, size: int) -> bytes:
        """Read at most `size` bytes."""
        if self._near is not None:
            size = min(size, max(self._near - self.offset, 1))
        if self._end is not None:
            size = min(size, self._end - self.offset)
        data: bytes = self._byte() if size == 1 else self._file.read_at(size, self.offset)
        self.offset += len(data)
        self.most = max(self.most, len(data))
        return data

    def _byte(self) -> bytes:
        """Read a byte; the next ones are held, because more follow one by one."""
        at = self.offset - self._held_offset
        if at >= len(self._held):
            self._held, self._held_offset, at = self._file.read_at(_HELD, self.offset), self.offset, 0
        return self._held[at : at + 1]


def _arrow_codec(name: str) -> Callable[[Any], Any]:
    return lambda file: Unpacking(file, name)


PACKINGS: Final[dict[str, Callable[[Any], Any]]] = {
    "gzip": lambda file: _Members(file, _Gzip),
    "bzip2": lambda file: _Members(file, bz2.BZ2Decompressor),
    "xz": lambda file: _Members(file, lzma.LZMADecompressor),
    "zstd": _arrow_codec("zstd"),
    "lz4": _arrow_codec("lz4"),
}
"""The opener of each compression format of `packing_name`; all accept several consecutive members."""

_SKIPPABLE: Final = b"\x2a\x4d\x18"
"""The first bytes of a skippable frame of zstd or lz4, after one from 0x50 to 0x5f."""
_HEAD: Final = 512
"""Number of bytes from which the compression format is detected."""
_MARK: Final = 8
"""Number of first bytes that decompressors read together."""
_HELD: Final = 1 << 12
"""Number of bytes that are held where they are read one by one."""
_DEFLATE: Final = b"\x08"
"""The only method of gzip, behind its first bytes."""
_TRIALS: Final = 1024
"""Most offsets behind damage at which decompression is tried."""
_LATE: Final = 8 << 20
"""Most packed bytes that are read beyond a member without its end, before an error tells that."""
_SOUND: Final = 1 << 15
"""Number of bytes after which a member that begins within a capture is taken for sound."""


def packing_of(head: bytes) -> str:
    """Return the compression format of a file with these first bytes; empty if there is none.

    A skippable frame at the beginning (RFC 8878, 3.1.2) is of zstd, if no frame of lz4 is seen to follow.
    """
    if head[1:4] == _SKIPPABLE and head[0] >> 4 == 5 and len(head) >= 8:
        return packing_of(head[8 + int.from_bytes(head[4:8], "little") :]) or "zstd"
    return packing_name(head)


def unpacked(
    file: Any,
    size: int,
    expansion: int = EXPANSION,
    *,
    start: int = 0,
    offset: int = 0,
    goes_on: bool = True,
) -> Source:
    """Return the decompressed contents of an open file.

    Args:
        file: The file.
        size: Its size in bytes.
        expansion: Largest ratio of decompressed to compressed size.
        start: Where in the file to begin, such as `Source.behind`.
        offset: The offset of the first decompressed byte.
        goes_on: Whether the next sound member is looked for behind damage.
    """
    name = packing_of(file.read_at(_HEAD, start))
    chunks = _up_to_damage(file, name, start, size, expansion, goes_on=goes_on)
    return Source(chunks, offset, packing=name)


def repaired(file: Any, size: int, name: str) -> tuple[Any, Damage] | None:
    """Find the compressed data in a file that does not begin as such.

    Args:
        file: The file.
        size: Its size in bytes.
        name: The compression format.

    Returns:
        The file, with the mark of the format if a capture begins so; and the damage, whose size is that of
        the bytes before the first sound member.  None if there is no such member.
    """
    mark, head = _mark_of(name), b""
    marked, first = _Marked(file, mark), file.read_at(len(mark), 0)
    with contextlib.suppress(*_DAMAGED):
        head = PACKINGS[name](_Packed(marked, 0)).read(_MARK)
    if head[:4] in CAPTURES:
        return marked, Damage(None, 0, NO_MARK.format(first.hex(), form=name), first)
    behind = _member_behind(file, name, -1, 0, size)
    if behind is None:
        return None
    problem = f"the file begins with 0x{first.hex()}, which is no mark of {name}; {passed_over(behind)}"
    return file, Damage(None, 0, problem, first, behind)


def _mark_of(name: str) -> bytes:
    """Return the first bytes of a compression format."""
    mark = next(magic for magic, packing in PACKED.items() if packing == name)
    return mark + (_DEFLATE if name == "gzip" else b"")


def _up_to_damage(
    file: Any, name: str, start: int, size: int, expansion: int, *, goes_on: bool
) -> Iterator[bytes]:
    """Yield the decompressed contents, with all bytes that precede an error; of bzip2, whole blocks only.

    The error states how many packed bytes are not read.
    """
    packed, yielded = _Packed(file, start), 0

    def unpacked_with(unused: bytes, near: int, end: int | None) -> tuple[Any, _Unpacked]:
        """Unpack the bytes again with other bytes behind them; return the stream, too."""
        packed = _Packed(file, start, max(near, start + _MARK), end)
        stream, rest, total = PACKINGS[name](packed), bytearray(), 0
        stream.unused, used = unused, start
        with contextlib.suppress(*_DAMAGED):
            for chunk in _chunks_of(stream, name, lambda: size, expansion):
                rest += chunk[max(yielded - total, 0) :]
                total += len(chunk)
                used = packed.offset
        begin = getattr(stream, "begin", start)
        for begin, used in _blocks_of(file, name, start, packed.offset):  # noqa: B007  # the last one
            pass
        surplus = max(yielded - total, 0)
        return stream, _Unpacked(bytes(rest), surplus, begin, max(used, begin), packed.offset)

    def unpacked_again(near: int, end: int | None = None) -> _Unpacked:
        """Unpack the bytes again, to know what precedes an error."""
        stream, last = unpacked_with(UNUSED, near, end)
        if not isinstance(stream, Unpacking):
            return last
        _, other = unpacked_with(_OTHERS, near, end)
        return other if len(other.rest) - other.surplus > len(last.rest) - last.surplus else last

    try:
        for chunk in unpacking(packed, name, lambda: size, expansion):
            yielded += len(chunk)
            yield chunk
    except _DAMAGED as error:
        if getattr(error, "errno", None) is not None:
            raise
        step, problem = 2 * packed.most, str(error)
        last = unpacked_again(packed.offset - step)
        reach = last.reach
        behind = _member_behind(file, name, last.begin, reach, size) if goes_on else None
        if behind is not None and behind < reach:
            problem = f"at byte {behind:,}, another member begins before the end of the one that is read"
            last = unpacked_again(behind - step, behind)
        if last.rest and name != "bzip2":
            yield last.rest
        after, lost = "", size - reach
        if behind is not None:
            lost = behind - last.used
            after = f"; {lost:,} of its {size:,} bytes {plural(lost, 'was', 'were')} passed over"
        elif lost > 0:
            after = f"; the last {lost:,} of its {size:,} bytes {plural(lost, 'is', 'are')} not read"
        raise _Damaged(f"{problem}{after}", behind, last.surplus) from error


class _Unpacked(NamedTuple):
    """What was unpacked up to an error.

    Attributes:
        rest: The bytes that were not told before.
        surplus: Number of bytes that were told and are not there.
        begin: Where the last member begins.
        used: The end of the packed bytes of which something was unpacked.
        reach: The end of the packed bytes that were read.
    """

    rest: bytes
    surplus: int
    begin: int
    used: int
    reach: int


def _member_behind(file: Any, name: str, begin: int, reach: int, size: int) -> int | None:
    """Return where a sound member begins behind a damaged one; None if there is none.

    Args:
        file: The file.
        name: The compression format.
        begin: Where the damaged member begins; -1 if none is known.
        reach: Up to where it was read.  If its end is missing, sound members may begin before.
        size: Size of the file.
    """
    magic, at = _mark_of(name), max(begin + 1, reach - _LATE)
    for _ in range(_TRIALS):
        offset = _next_of(file, magic, at, size)
        if offset is None:
            break
        if _is_sound(file, name, offset, reach):
            return offset
        at = offset + 1
    return None


def _is_sound(file: Any, name: str, offset: int, reach: int) -> bool:
    """Return whether a sound member begins at an offset.

    If it is a capture, its first bytes tell it.  Before the end of what was read as another member, it has
    to be sound up to there, or else it is data in that member.
    """
    packed = _Packed(file, offset, max(offset + _MARK, reach - 1))
    stream, total, head = PACKINGS[name](packed), 0, b""
    try:
        while total < _MARK or packed.offset < reach or (total < _SOUND and head[:4] not in CAPTURES):
            data = stream.read(_MARK if total < _MARK else _STEP)
            if not data:
                break
            total += len(data)
            head += data[: _MARK - len(head)]
    except _DAMAGED as error:
        if getattr(error, "errno", None) is not None:
            raise
        return head[:4] in CAPTURES and packed.offset >= reach
    return total > 0


def _blocks_of(file: Any, name: str, at: int, reach: int) -> Iterator[tuple[int, int]]:
    """Yield where each frame of zstd (RFC 8878, 3.1) or lz4 begins, and each of its blocks, before an offset.

    Pyarrow reads them as one stream.  Other formats have none.
    """
    buffered, base = b"", 0

    def taken(size: int) -> int:
        nonlocal buffered, base, at
        if not base <= at <= base + len(buffered) - size:
            buffered, base = file.read_at(CHUNK, at), at
        number = int.from_bytes(buffered[at - base : at - base + size], "little")
        at += size
        return number

    while at < reach and name in {"zstd", "lz4"}:
        begin = at
        yield begin, at
        magic, bits = taken(4), taken(1)
        if magic >> 4 == 0x184_D2A5:
            at -= 1
            block = taken(4)
            at += block
        elif name == "zstd":
            at += (not bits & 0x20) + (0, 1, 2, 4)[bits & 3] + (bits >> 5 & 1, 2, 4, 8)[bits >> 6]
            block = 0
            while not block & 1 and at < reach:
                yield begin, at
                block = taken(3)
                at += 1 if block & 6 == 2 else block >> 3
            at += bits & 4
        else:
            at += 2 + (bits & 8) + 4 * (bits & 1)
            block = -1
            while block and at < reach:
                yield begin, at
                block = taken(4) & 0x7FFF_FFFF
                at += block + (bits >> 2 & 4 if block else 0)
            at += bits & 4


def _next_of(file: Any, magic: bytes, at: int, size: int) -> int | None:
    """Return the first place of some bytes in a file, from a place on."""
    while at < size:
        index: int = file.read_at(CHUNK, at).find(magic)
        if index >= 0:
            return at + index
        at += CHUNK - len(magic) + 1
    return None


def unpacked_live(source: Source, expansion: int = EXPANSION) -> Source:
    """Return the decompressed contents of a pipe; the limit depends on the bytes received so far."""
    name = packing_of(source.peek(_HEAD))
    return Source(unpacking(source, name, lambda: source.offset, expansion), packing=name, live=True)


def unpacking(file: Any, name: str, size: Callable[[], int], expansion: int) -> Iterator[bytes]:
    """Yield decompressed bytes, in chunks; more than `expansion` times the size are an error."""
    yield from _chunks_of(PACKINGS[name](file), name, size, expansion)


def _chunks_of(stream: Any, name: str, size: Callable[[], int], expansion: int) -> Iterator[bytes]:
    total = 0
    while chunk := stream.read(_STEP):
        total += len(chunk)
        limit = max(size() * expansion, FREE)
        if total > limit:
            raise Expanded(
                f"the {name} data unpacks to more than {limit} bytes, {expansion} times its size, "
                "which is the bound on expansion"
            )
        yield chunk


# ------------------------------------------------------------------------------------------ finding files


class Omitted(NamedTuple):
    """An entry of a directory that is not read.

    Attributes:
        location: Path or URL.
        reason: One of `Reason`.
        detail: Why it is not read.
    """

    location: str
    reason: str
    detail: str


def hidden_entry(location: str) -> Omitted:
    """Return the entry of a file or directory that is not read because of its name."""
    return Omitted(location, Reason.HIDDEN, "its name starts with a dot or an underscore")


class _Entry(NamedTuple):
    """An entry of a directory.

    Attributes:
        path: Path in its file system.
        name: Last component of the path.
        is_file: Whether it is a file; otherwise it is a directory.
        size: Size of a file in bytes.
        changed: Time of the last change, in nanoseconds since 1970.
        same: A value that is equal for two names of one file, or None if unknown.
        other: What it is if it is neither a file nor a directory that is read; otherwise empty.
    """

    path: str
    name: str
    is_file: bool
    size: int
    changed: int
    same: object = None
    other: str = ""


class _Finder:
    """Finds files.

    Attributes:
        files: The files by place.
        omitted: The entries of directories that are not read, by location.
    """

    def __init__(
        self,
        names: str | None,
        *,
        recursive: bool,
        links: bool,
        unread: list[tuple[str, str]] | None,
    ) -> None:
        self.files: dict[str, File] = {}
        self.omitted: dict[str, Omitted] = {}
        self._names = names
        self._recursive = recursive
        self._links = links
        self._unread = unread
        self._seen: set[object] = set()

    def at(self, location: str) -> bool:
        """Add the files at a place; return False if there are none."""
        if is_address(location):  # in a URL, a question mark starts the parameters of the file system
            address, mark, query = location.partition("?")
            query = mark + query
        else:
            address, query = with_slashes(location), ""
        magic = PATTERN.search(address)
        if magic and not _exists(address):
            before, slash, name = address[: magic.start()].rpartition("/")
            pattern = name + address[magic.start() :]
            return self._matching((before + slash or ".") + query, pattern.split("/"))
        system, path, before, after = _system(location)
        entry = _entry(system, path)
        if entry is None:
            return False
        self._take(system, entry, before, after)
        return True

    def _take(self, system: Any, entry: _Entry, before: str, after: str) -> None:
        """Add a file, or all files in a directory."""
        if entry.is_file or entry.other:
            self._add(entry, before, after)
            return
        start = len(entry.path.rstrip("/"))
        for inner in self._listed(system, entry.path, recursive=self._recursive):
            match = _HIDDEN.match(inner.path, start)
            if match is not None:
                if match.end() == len(inner.path):
                    self._omit(hidden_entry(before + inner.path + after))
            elif (inner.other or inner.is_file) and fnmatchcase(inner.name, self._names or "*"):
                self._add(inner, before, after)

    def _add(self, entry: _Entry, before: str, after: str) -> None:
        location = before + entry.path + after
        if entry.other or (entry.same is not None and entry.same in self._seen):
            detail = entry.other or "another name of a file that is read"
            self._omit(Omitted(location, Reason.NO_FILE, detail))
            return
        self._seen.add(entry.same)
        self.files[location] = File(location, entry.size, entry.changed)

    def _omit(self, omitted: Omitted) -> None:
        self.omitted.setdefault(omitted.location, omitted)

    def _matching(self, root: str, pattern: list[str]) -> bool:
        """Add files that match a pattern, and files in directories that match it."""
        system, path, before, after = _system(root)
        base = path.rstrip("/")
        count = 0
        for entry in self._listed(system, path, recursive=pattern == ["**"] or len(pattern) > 1):
            components = entry.path[len(base) + 1 :].split("/")
            is_other = bool(entry.other)
            if not _matches(components, pattern) or (pattern[-1] == "**" and not (entry.is_file or is_other)):
                continue
            count += not is_other
            if _matches(components, pattern, hides=False):
                self._take(system, entry, before, after)
            else:
                self._omit(hidden_entry(before + entry.path + after))
        return count > 0

    def _listed(self, system: Any, path: str, *, recursive: bool) -> list[_Entry]:
        if system is not None:
            selector = arrow_fs.FileSelector(path, recursive=recursive, allow_not_found=True)
            entries = [_of_info(info) for info in system.get_file_info(selector)]
            return sorted((entry for entry in entries if entry is not None), key=lambda entry: entry.path)
        return sorted(self._walked(path, recursive=recursive), key=lambda entry: entry.path)

    def _walked(self, path: str, *, recursive: bool) -> Iterator[_Entry]:
        """Yield the entries of a local directory; each directory once, even if links form a cycle."""
        waiting, visited = [path], set()
        while waiting:
            directory = waiting.pop()
            try:
                with os.scandir(directory) as listed:
                    inner = [*listed]
                status = os.stat(directory)  # noqa: PTH116  # paths may contain bytes that are not text
            except FileNotFoundError:
                continue
            except OSError as error:
                self._report(directory, error)
                continue
            if (status.st_dev, status.st_ino) in visited:
                continue
            visited.add((status.st_dev, status.st_ino))
            for item in inner:
                path = with_slashes(item.path)
                entry = None if item.is_symlink() and not self._links else _entry(None, path)
                if entry is None:
                    yield _Entry(path, item.name, is_file=False, size=0, changed=0, other=_other(item))
                    continue
                yield entry
                if recursive and not entry.is_file:
                    waiting.append(entry.path)

    def _report(self, path: str, error: OSError) -> None:
        if self._unread is None:
            raise error
        self._unread.append((path, f"cannot be read: {error.strerror or error}"))


def _exists(address: str) -> bool:
    """Return whether a local path that contains pattern characters exists literally."""
    return not is_address(address) and os.path.lexists(address)


def _entry(system: Any, path: str) -> _Entry | None:
    """Return the entry at a path; None if there is neither a file nor a directory."""
    if system is not None:
        return _of_info(system.get_file_info(path))
    try:
        status = os.stat(path)  # noqa: PTH116  # paths may contain bytes that are not text
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        return None
    return _Entry(
        path, os.path.basename(path), stat.S_ISREG(status.st_mode), status.st_size, status.st_mtime_ns,  # noqa: PTH119  # as above
        (status.st_dev, status.st_ino) if status.st_ino else None,
    )  # fmt: skip


_SPECIAL: Final = {
    stat.S_IFIFO: "a pipe, which is read live",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def _other(item: os.DirEntry[str]) -> str:
    """Return what an entry is that is not read, without opening it: a pipe would wait for its writer."""
    if item.is_symlink():
        leads = _entry(None, item.path) is not None
        return "a link, which is not followed" if leads else "a link to no file or directory"
    try:
        mode = item.stat(follow_symlinks=False).st_mode
    except OSError as error:
        return f"cannot be inspected: {error.strerror or error}"
    return _SPECIAL.get(stat.S_IFMT(mode), "neither a file nor a directory")


def _of_info(info: Any) -> _Entry | None:
    if info.type not in {arrow_fs.FileType.File, arrow_fs.FileType.Directory}:
        return None
    is_file = info.type == arrow_fs.FileType.File
    return _Entry(info.path, info.base_name, is_file, info.size or 0, info.mtime_ns or 0)


def files_of(
    locations: Iterable[str],
    *,
    names: str | None = None,
    recursive: bool = True,
    growing: bool = False,
    links: bool = False,
    unread: list[tuple[str, str]] | None = None,
    omitted: list[Omitted] | None = None,
) -> list[File]:
    """Find the files at places, in the order of the places and their names; each file once.

    A directory stands for the files in it.  Names that start with a dot or an underscore are omitted
    there, as in Spark.  A place may be a pattern: ``*`` and ``?`` match characters
    within a name, ``**`` matches any directories.  They match such names only if the pattern of the name
    starts with the same character.

    Args:
        locations: Paths, URLs, or patterns of them.
        names: A pattern that the names of files in directories must match.
        recursive: Whether subdirectories are read.
        growing: Whether a pattern may match nothing yet.
        links: Whether symbolic links in directories are followed.
        unread: Collects directories that cannot be read, with the error.  If None, `OSError` is raised.
        omitted: Collects the entries of directories that are not read: hidden files and directories, links,
            pipes, and other names of files.

    Raises:
        MsmqWireError: There is nothing at a place.
        OSError: A file system cannot be reached.
    """
    finder = _Finder(names, recursive=recursive, links=links, unread=unread)
    for location in locations:
        if not location or (not finder.at(location) and not (growing and PATTERN.search(location))):
            name = shown(location) or repr(location)
            with contextlib.suppress(OSError):  # such as a name that is too long
                if location and Path(location).exists():
                    raise MsmqWireError(f"{name} is neither a file nor a directory: read a pipe live")
            raise MsmqWireError(f"there is no file {name}")
    if omitted is not None:
        omitted += [entry for location, entry in finder.omitted.items() if location not in finder.files]
    return list(finder.files.values())


def matching(path: str | os.PathLike[str], pattern: str) -> bool:
    """Return whether a local path matches a pattern of files."""
    magic = PATTERN.search(pattern)
    if not magic:
        return False
    before, slash, name = pattern[: magic.start()].rpartition("/")
    root = os.path.realpath(before + slash or ".").rstrip("/")
    given = os.path.realpath(path)
    return given.startswith(f"{root}/") and _matches(
        given[len(root) + 1 :].split("/"), (name + pattern[magic.start() :]).split("/")
    )


def _matches(names: list[str], pattern: list[str], *, hides: bool = True) -> bool:
    """Return whether names match; if not `hides`, a first dot or underscore has to be in the pattern."""
    if not pattern:
        return not names
    deep = pattern[0] == "**"
    if deep and _matches(names, pattern[1:], hides=hides):
        return True
    if not names or not (hides or names[0][:1] not in {".", "_"} or names[0][:1] == pattern[0][:1]):
        return False
    if not deep and not fnmatchcase(names[0], pattern[0]):
        return False
    return _matches(names[1:], pattern if deep else pattern[1:], hides=hides)
