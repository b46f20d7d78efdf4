"""Bytes of files: local or on object stores, whole or in part, packed or not.

1. A place is a path or an address such as ``s3://bucket/captures``; pyarrow knows the file systems.
2. A `Source` is read from front to back and knows where it is.  It holds no more than a few chunks.
3. Damage within gzip data ends a source and is noted in `Source.trouble`; whatever came before it is there.
   A file that cannot be reached is another matter: `OSError` goes up, and Spark tries the task again.
"""

from __future__ import annotations

import gzip
import re
import zlib
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote, unquote

import pyarrow as pa
from pyarrow import fs as arrow_fs

from msmq_wire.errors import MsmqWireError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["GZIP_MAGIC", "File", "Source", "files_of", "opened", "region", "unpacked"]

GZIP_MAGIC: Final = b"\x1f\x8b"
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
    """Bytes that are read from front to back.

    Args:
        chunks: The bytes in pieces.
        offset: Where the first of them is in its file.

    Attributes:
        offset: Where the next byte is in its file.
        trouble: Why the bytes ended before their time, or None.
    """

    __slots__ = ("_at", "_chunks", "_held", "offset", "trouble")

    def __init__(self, chunks: Iterable[bytes], offset: int = 0) -> None:
        self._chunks = iter(chunks)
        self._held = b""
        self._at = 0
        self.offset = offset
        self.trouble: str | None = None

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
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            self.trouble = f"the gzip data is damaged: {error}"
            return b""


def _system(place: str) -> tuple[Any, str, str, str]:
    """File system, path in it, and what makes such a path an address: what stands before and behind it."""
    if not _ADDRESS.match(place):
        return arrow_fs.LocalFileSystem(), str(Path(place).absolute()), "", ""
    address = unquote(place)
    try:
        system, path = arrow_fs.FileSystem.from_uri(quote(address, safe=_PLAIN))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise MsmqWireError(f"{place} is no address of a file system that pyarrow knows: {error}") from None
    if system.type_name == "local":
        return system, path, "", ""
    before, _, behind = address.partition(path)
    return system, path, before, behind


def opened(place: str) -> Any:
    """The file of that place, to be read anywhere; the caller closes it."""
    system, path, _, _ = _system(place)
    return system.open_input_file(path)


def region(file: Any, start: int, end: int) -> Source:
    """A part of an open file."""
    return Source((file.read_at(min(_CHUNK, end - at), at) for at in range(start, end, _CHUNK)), start)


def unpacked(file: Any) -> Source:
    """What an open gzip file unpacks to."""

    def chunks() -> Iterator[bytes]:
        file.seek(0)  # pyarrow wants it after reads at a place
        with gzip.GzipFile(fileobj=file, mode="rb") as stream:
            while chunk := stream.read1(_CHUNK):
                yield chunk

    return Source(chunks())


# ------------------------------------------------------------------------------------------ finding files


def files_of(
    places: Iterable[str], *, names: str | None = None, recursive: bool = True, growing: bool = False
) -> list[File]:
    """The files at some places, in the order of the places and of their names.

    A directory stands for the files in it; names that begin with a dot or an underscore are left out there,
    as Spark does.  A place may be a pattern: ``*`` and ``?`` stand for characters within a name, ``**`` for
    any directories.

    Args:
        places: Paths, addresses, or patterns of them.
        names: A pattern that the names of files in directories have to match.
        recursive: Whether directories within directories are read too.
        growing: Whether a pattern may stand for nothing yet.

    Raises:
        MsmqWireError: There is nothing at a place.
        OSError: A file system cannot be reached.
    """
    found: dict[str, File] = {}
    for place in places:
        files = _at(place, names, recursive=recursive)
        if files is None and not (growing and _MAGIC.search(place)):
            raise MsmqWireError(f"there is no file {place}")
        found |= {file.place: file for file in files or ()}
    return list(found.values())


def _at(place: str, names: str | None, *, recursive: bool) -> list[File] | None:
    """The files at a place, or None if there is nothing."""
    address, query = place, ""
    if _ADDRESS.match(place):  # there a question mark begins parameters of the file system
        address, mark, query = place.partition("?")
        query = mark + query
    magic = _MAGIC.search(address)
    if magic:
        cut = address.rfind("/", 0, magic.start()) + 1
        root = (address[:cut] or ".") + query
        return _matching(root, address[cut:].split("/"), names, recursive=recursive)
    system, path, before, behind = _system(place)
    info = system.get_file_info(path)
    if info.type == arrow_fs.FileType.File:
        return [_file(info, before, behind)]
    if info.type != arrow_fs.FileType.Directory:
        return None
    return [
        _file(info, before, behind)
        for info in _listed(system, path, recursive=recursive)
        if info.type == arrow_fs.FileType.File
        and fnmatchcase(info.base_name, names or "*")
        and not _hidden(info.path[len(path) :])
    ]


def _matching(root: str, pattern: list[str], names: str | None, *, recursive: bool) -> list[File] | None:
    """The files that a pattern stands for, and those in directories that it stands for."""
    system, path, before, behind = _system(root)
    base = path.rstrip("/")
    found: list[File] = []
    for info in _listed(system, path, recursive=len(pattern) > 1):
        if not _matches(info.path[len(base) + 1 :].split("/"), pattern):
            continue
        if info.type == arrow_fs.FileType.File:
            found.append(_file(info, before, behind))
        elif pattern[-1] != "**":
            found += _at(before + info.path + behind, names, recursive=recursive) or []
    return found or None


def _matches(names: list[str], pattern: list[str]) -> bool:
    if not pattern:
        return not names
    if pattern[0] == "**":
        return _matches(names, pattern[1:]) or bool(names and _matches(names[1:], pattern))
    return bool(names) and fnmatchcase(names[0], pattern[0]) and _matches(names[1:], pattern[1:])


def _listed(system: Any, path: str, *, recursive: bool) -> list[Any]:
    selector = arrow_fs.FileSelector(path, recursive=recursive, allow_not_found=True)
    return sorted(system.get_file_info(selector), key=lambda info: info.path)


def _hidden(path: str) -> bool:
    return any(name.startswith((".", "_")) for name in path.split("/") if name)


def _file(info: Any, before: str, behind: str) -> File:
    return File(before + info.path + behind, info.size, info.mtime_ns or 0)
