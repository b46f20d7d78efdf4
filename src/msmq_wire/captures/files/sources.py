"""Bytes of files: local or on object stores, whole or in part, packed or not.

1. A place is a path or an address such as ``s3://bucket/captures``, for whose file systems there is pyarrow.
2. Names of local files are bytes: what is no UTF-8 stays readable, and is shown escaped (`shown`).  In
   directories, symbolic links are followed only if asked for, and one file is read once, whatever its names.
3. A `Source` is read from beginning to end and knows where it is.  It holds no more than a few chunks.
4. Damage within packed data ends a source and is noted in `Source.trouble`; whatever came before it is there.
   So does data that unpacks to more than `EXPANSION` allows.
   A file that cannot be reached is another matter: `OSError` goes up.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import stat
import zlib
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self
from urllib.parse import quote, unquote

import pyarrow as pa
from pyarrow import fs as arrow_fs

from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = [
    "EXPANSION",
    "File",
    "Source",
    "files_of",
    "opened",
    "packing_of",
    "region",
    "shown",
    "unpacked",
    "unpacked_live",
]

EXPANSION: Final = 200
"""How many times its size a packed file may unpack to, by default; `_FREE` bytes are always allowed."""
_FREE = 256 << 20
_CHUNK = 1 << 20
_MAGIC = re.compile(r"[*?\[]")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # more than one letter, which would be a drive
_PLAIN = "/:@?&=,+~"


class File(NamedTuple):
    """A file that was found.

    Attributes:
        place: Its path or address.
        size: How many bytes it has.
        changed: When it was last written, in nanoseconds since 1970.
    """

    place: str
    size: int
    changed: int


class Source:
    """Bytes that are read from beginning to end.

    Args:
        chunks: The bytes in pieces.
        offset: Where the first of them is in its file.
        packing: How they are packed, if they are unpacked while they are read.
        live: Whether they come as they are captured, so that what is there is not kept waiting.

    Attributes:
        offset: Where the next byte is in its file.
        trouble: Why the bytes ended before their time, or None.
    """

    __slots__ = ("_at", "_chunks", "_held", "_live", "_packing", "offset", "trouble")

    def __init__(
        self, chunks: Iterable[bytes], offset: int = 0, packing: str = "", *, live: bool = False
    ) -> None:
        self._chunks = iter(chunks)
        self._live = live
        self._packing = packing
        self._held = b""
        self._at = 0
        self.offset = offset
        self.trouble: str | None = None

    closed: Final = False
    """As files have it, for what unpacks a source."""

    def close(self) -> None:
        """Nothing: whoever made the chunks closes what they come from."""

    def read(self, size: int) -> bytes:
        """The next bytes: as many as wanted, or all that are left."""
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
        """The next bytes: as many as wanted, or all that are left; of a live source, those that are there."""
        if not self._live:
            return self.read(size)
        return self.read(min(len(self._held) - self._at, size) or len(self.peek(1)))

    def peek(self, size: int) -> bytes:
        """The next bytes, which stay to be read."""
        data = self.read(size)
        self._held = data + self._held[self._at :]
        self._at = 0
        self.offset -= len(data)
        return data

    def _next(self) -> bytes:
        try:
            return next(self._chunks, b"")
        except _Expanded as error:
            self.trouble = str(error)
        except (EOFError, zlib.error, lzma.LZMAError, pa.ArrowInvalid, OSError) as error:
            if not self._packing or getattr(error, "errno", None) is not None:
                raise  # the file cannot be reached
            self.trouble = f"the {self._packing} data is damaged: {error}"
        return b""


class _Expanded(Exception):
    """Packed data unpacks to more than is allowed."""


class _Local:
    """A local file with the reading at a place that pyarrow's files have."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("rb", buffering=0)  # noqa: SIM115  # its caller closes it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def closed(self) -> bool:
        """Whether it was given back."""
        return self._file.closed

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    def seek(self, place: int) -> None:
        """Go on reading there."""
        self._file.seek(place)

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        return self._file.read(size) or b""

    def read_at(self, size: int, place: int) -> bytes:
        """As many bytes at a place, or all that are left."""
        self._file.seek(place)
        parts = []
        while size > 0 and (part := self._file.read(size)):
            parts.append(part)
            size -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)


def shown(place: str) -> str:
    """A path as text that UTF-8 can hold: bytes that are no UTF-8 are written as hexadecimal escapes."""
    return os.fsencode(place).decode("utf-8", "backslashreplace")


def _system(place: str) -> tuple[Any, str, str, str]:
    """File system, path in it, and what makes such a path an address: what stands before and after it."""
    if not _ADDRESS.match(place):
        return None, os.path.abspath(place), "", ""  # noqa: PTH100  # no name is resolved
    address = unquote(place)
    try:
        system, path = arrow_fs.FileSystem.from_uri(quote(address, safe=_PLAIN))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise MsmqWireError(f"{place} is no address of a file system that pyarrow knows: {error}") from None
    if system.type_name == "local":
        return None, path, "", ""
    before, _, after = address.partition(path)
    return system, path, before, after


def opened(place: str) -> Any:
    """The file of that place, to be read anywhere; the caller closes it."""
    system, path, _, _ = _system(place)
    return _Local(path) if system is None else system.open_input_file(path)


def region(file: Any, start: int, end: int) -> Source:
    """A part of an open file."""
    return Source((file.read_at(min(_CHUNK, end - at), at) for at in range(start, end, _CHUNK)), start)


# ----------------------------------------------------------------------------------------- packed files


def _arrow_codec(name: str) -> Callable[[Any], Any]:
    def opener(file: Any) -> Any:
        return pa.CompressedInputStream(pa.PythonFile(file, mode="r"), name)

    return opener


_PACKINGS: Final[dict[bytes, tuple[str, Callable[[Any], Any]]]] = {
    b"\x1f\x8b": ("gzip", lambda file: gzip.GzipFile(fileobj=file, mode="rb")),
    b"BZh": ("bzip2", bz2.BZ2File),
    b"\xfd7zXZ\0": ("xz", lzma.LZMAFile),
    b"\x28\xb5\x2f\xfd": ("zstd", _arrow_codec("zstd")),
    b"\x04\x22\x4d\x18": ("lz4", _arrow_codec("lz4")),
}
"""How a file is packed and what unpacks it, by its first bytes; each takes several members in a row."""


def packing_of(head: bytes) -> str:
    """How a file with these first bytes is packed; empty if it is not."""
    return next((name for magic, (name, _) in _PACKINGS.items() if head.startswith(magic)), "")


def unpacked(file: Any, size: int, expansion: int = EXPANSION) -> Source:
    """What an open packed file unpacks to.

    Args:
        file: The file.
        size: How many bytes it has.
        expansion: How many times that it may unpack to.
    """
    name = packing_of(file.read_at(8, 0))
    file.seek(0)
    return Source(_unpacking(file, name, lambda: size, expansion), packing=name)


def unpacked_live(source: Source, expansion: int = EXPANSION) -> Source:
    """The same of packed bytes that come through a pipe; the bound goes by those that came."""
    name = packing_of(source.peek(8))
    return Source(_unpacking(source, name, lambda: source.offset, expansion), packing=name, live=True)


def _unpacking(file: Any, name: str, size: Callable[[], int], expansion: int) -> Iterator[bytes]:
    opener = next(opener for known, opener in _PACKINGS.values() if known == name)
    stream = opener(file)
    read = getattr(stream, "read1", stream.read)
    total = 0
    while chunk := read(_CHUNK):
        total += len(chunk)
        limit = max(size() * expansion, _FREE)
        if total > limit:
            raise _Expanded(
                f"the {name} data unpacks to more than {limit} bytes, {expansion} times its size, "
                "which is the bound on expansion"
            )
        yield chunk


# ------------------------------------------------------------------------------------------ finding files


class _Entry(NamedTuple):
    """What is in a directory.

    Attributes:
        path: Its path in its file system.
        name: The last part of it.
        is_file: Whether it is a file; else it is a directory.
        size: Bytes of a file.
        changed: When it was last written, in nanoseconds since 1970.
        same: What is equal for two names of one file, or None if that is not known.
    """

    path: str
    name: str
    is_file: bool
    size: int
    changed: int
    same: object = None


class _Finder:
    """Finds files.

    Attributes:
        found: The files by place.
    """

    def __init__(
        self, names: str | None, *, recursive: bool, links: bool, unread: list[tuple[str, str]] | None
    ) -> None:
        self.found: dict[str, File] = {}
        self._names = names
        self._recursive = recursive
        self._links = links
        self._unread = unread
        self._seen: set[object] = set()

    def at(self, place: str) -> bool:
        """Take the files at a place; False if there is nothing."""
        address, query = place, ""
        if _ADDRESS.match(place):  # there a question mark begins parameters of the file system
            address, mark, query = place.partition("?")
            query = mark + query
        magic = _MAGIC.search(address)
        if magic and not _exists(address):
            cut = address.rfind("/", 0, magic.start()) + 1
            return self._matching((address[:cut] or ".") + query, address[cut:].split("/"))
        system, path, before, after = _system(place)
        entry = _entry(system, path)
        if entry is None:
            return False
        self._take(system, entry, before, after)
        return True

    def _take(self, system: Any, entry: _Entry, before: str, after: str) -> None:
        """A file, or all in a directory."""
        if entry.is_file:
            self._add(entry, before, after)
            return
        for inner in self._listed(system, entry.path, recursive=self._recursive):
            hidden = any(
                name.startswith((".", "_")) for name in inner.path[len(entry.path) :].split("/") if name
            )
            if inner.is_file and not hidden and fnmatchcase(inner.name, self._names or "*"):
                self._add(inner, before, after)

    def _add(self, entry: _Entry, before: str, after: str) -> None:
        place = before + entry.path + after
        if entry.same is not None:
            if entry.same in self._seen:
                return
            self._seen.add(entry.same)
        self.found[place] = File(place, entry.size, entry.changed)

    def _matching(self, root: str, pattern: list[str]) -> bool:
        """Take the files that a pattern stands for, and those in directories that it stands for."""
        system, path, before, after = _system(root)
        base = path.rstrip("/")
        count = 0
        for entry in self._listed(system, path, recursive=len(pattern) > 1):
            if not _matches(entry.path[len(base) + 1 :].split("/"), pattern):
                continue
            if entry.is_file or pattern[-1] != "**":
                self._take(system, entry, before, after)
                count += 1
        return count > 0

    def _listed(self, system: Any, path: str, *, recursive: bool) -> list[_Entry]:
        if system is not None:
            selector = arrow_fs.FileSelector(path, recursive=recursive, allow_not_found=True)
            entries = [_of_info(info) for info in system.get_file_info(selector)]
            return sorted((entry for entry in entries if entry is not None), key=lambda entry: entry.path)
        return sorted(self._walked(path, recursive=recursive), key=lambda entry: entry.path)

    def _walked(self, path: str, *, recursive: bool) -> Iterator[_Entry]:
        """What is in a local directory; each directory once, though links may lead to it again."""
        waiting, seen = [path], set()
        while waiting:
            directory = waiting.pop()
            try:
                with os.scandir(directory) as listed:
                    inner = [*listed]
                status = os.stat(directory)  # noqa: PTH116  # paths may hold bytes that are no text
            except FileNotFoundError:
                continue
            except OSError as error:
                self._tell(directory, error)
                continue
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            for one in inner:
                if one.is_symlink() and not self._links:
                    continue
                entry = _entry(None, one.path)
                if entry is None:
                    continue
                yield entry
                if recursive and not entry.is_file:
                    waiting.append(one.path)

    def _tell(self, path: str, error: OSError) -> None:
        if self._unread is None:
            raise error
        self._unread.append((path, f"cannot be read: {error.strerror or error}"))


def _exists(address: str) -> bool:
    """Whether a local path with characters of patterns in it is there as it is written."""
    return not _ADDRESS.match(address) and os.path.lexists(address)


def _entry(system: Any, path: str) -> _Entry | None:
    """What is at a path; None if there is neither a file nor a directory."""
    if system is not None:
        return _of_info(system.get_file_info(path))
    try:
        status = os.stat(path)  # noqa: PTH116  # paths may hold bytes that are no text
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        return None
    return _Entry(
        path, os.path.basename(path), stat.S_ISREG(status.st_mode), status.st_size, status.st_mtime_ns,  # noqa: PTH119  # as above
        (status.st_dev, status.st_ino) if status.st_ino else None,
    )  # fmt: skip


def _of_info(info: Any) -> _Entry | None:
    if info.type not in {arrow_fs.FileType.File, arrow_fs.FileType.Directory}:
        return None
    is_file = info.type == arrow_fs.FileType.File
    return _Entry(info.path, info.base_name, is_file, info.size or 0, info.mtime_ns or 0)


def files_of(
    places: Iterable[str],
    *,
    names: str | None = None,
    recursive: bool = True,
    growing: bool = False,
    links: bool = False,
    unread: list[tuple[str, str]] | None = None,
) -> list[File]:
    """The files at some places, in the order of the places and of their names; each file once.

    A directory stands for the files in it; names that begin with a dot or an underscore are omitted there,
    as Spark does.  A place may be a pattern: ``*`` and ``?`` stand for characters within a name, ``**`` for
    any directories.

    Args:
        places: Paths, addresses, or patterns of them.
        names: A pattern that the names of files in directories have to match.
        recursive: Whether directories within directories are read too.
        growing: Whether a pattern may stand for nothing yet.
        links: Whether symbolic links in directories are followed.
        unread: Takes directories that cannot be read, and why.  None: `OSError` is raised for them.

    Raises:
        MsmqWireError: There is nothing at a place.
        OSError: A file system cannot be reached.
    """
    finder = _Finder(names, recursive=recursive, links=links, unread=unread)
    for place in places:
        if not finder.at(place) and not (growing and _MAGIC.search(place)):
            raise MsmqWireError(f"there is no file {shown(place)}")
    return list(finder.found.values())


def _matches(names: list[str], pattern: list[str]) -> bool:
    if not pattern:
        return not names
    if pattern[0] == "**":
        return _matches(names, pattern[1:]) or bool(names and _matches(names[1:], pattern))
    return bool(names) and fnmatchcase(names[0], pattern[0]) and _matches(names[1:], pattern[1:])
