"""One writer for an output: a lock in it that names its owner and is freed by a crash.

1. Where the file system has locks, the system holds that of an open file, and frees it when the last
   process with this file has ended, however it ended.  Nothing can be stale.
2. Elsewhere, as in object stores, a writer first writes a claim, a file with a name of its own, and then
   lists all claims.  If there is another one, it removes its own and does not write.  Of two writers at least
   one sees the other, if a list has all files that were complete when it was asked for; neither links nor
   renames are needed.  A claim outlives a crash: it is reported, and can be broken.
"""

from __future__ import annotations

import datetime as dt
import errno
import getpass
import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, Self
from uuid import uuid4

import msgspec
from filelock import lock_descriptor

from msmq_wire.values.errors import MsmqWireError

from .files.sources import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

_LOCK: Final = ".msmq_wire.lock"
"""The locked file; the owner is after its first byte, because Windows lets no other process read that byte.
"""
_OPENING: Final = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
"""Flags that open it; a link is not followed, because its target would be truncated."""
_CLAIMS: Final = ".msmq_wire.claims"
_BREAK: Final = "; if it was killed, break its lock (--break-lock)"
_NO_LOCKS: Final = frozenset({errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP})
_PATIENCE: Final = 60.0
"""Seconds to wait until the children of a killed writer end, such as its JVM."""


class LockedError(MsmqWireError):
    """Another process writes the output."""


class Owner(msgspec.Struct, frozen=True):
    """Who writes.

    Attributes:
        user: The name of the user.
        host: The name of the machine.
        process: The number of the process.
        since: When it began, in ISO 8601.
    """

    user: str
    host: str
    process: int
    since: str

    @classmethod
    def own(cls) -> Self:
        """Return this process."""
        try:
            user = getpass.getuser()
        except (KeyError, OSError):  # a user without a name
            user = str(os.getuid()) if hasattr(os, "getuid") else "somebody"
        now = dt.datetime.now(dt.UTC).isoformat(" ", "seconds")
        return cls(user, socket.gethostname(), os.getpid(), now)

    def __str__(self) -> str:
        return f"{self.user} on {self.host} (process {self.process}, since {self.since})"

    @property
    def is_gone(self) -> bool:
        """Whether it is known to have ended."""
        if self.host != socket.gethostname() or os.name != "posix":
            return False
        try:
            os.kill(self.process, 0)
        except ProcessLookupError:
            return True
        except OSError:
            return False
        return False


class Claims(Protocol):
    """Where claims are: a folder of a file system without locks."""

    def names(self) -> Iterable[str]:
        """Return the names of the files in it; nothing if there is no such folder."""

    def read(self, name: str) -> bytes | None:
        """Return the contents of a file; None if it was removed."""

    def write(self, name: str, data: bytes) -> None:
        """Write a new file."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""


class FolderClaims:
    """Claims in a folder of a local file system.

    Args:
        output: The output.
    """

    def __init__(self, output: str) -> None:
        self._folder = Path(output, _CLAIMS)

    def names(self) -> list[str]:
        """As `Claims.names`."""
        try:
            return [path.name for path in self._folder.iterdir()]
        except FileNotFoundError:
            return []

    def read(self, name: str) -> bytes | None:
        """As `Claims.read`."""
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, name: str, data: bytes) -> None:
        """As `Claims.write`."""
        while True:
            _make(self._folder)
            try:
                (self._folder / name).write_bytes(data)
            except FileNotFoundError:  # another writer has removed the folder
                continue
            return

    def remove(self, name: str) -> None:
        """As `Claims.remove`."""
        (self._folder / name).unlink(missing_ok=True)
        with suppress(OSError):  # another claim is in it
            self._folder.rmdir()


class Lock:
    """The right to write an output, within its context.

    Args:
        output: The directory, or URL, of the tables; a directory is created, and removed again if nothing is
            in it at the end.
        claims: Where claims are, for a URL; None for a directory of this machine.
        breaks: Whether claims of others are removed.

    Raises:
        LockedError: Another process writes it; nothing was changed.
        OSError: The output cannot be created.
    """

    def __init__(self, output: str, claims: Claims | None = None, *, breaks: bool = False) -> None:
        self._output = output
        self._claims = claims
        self._breaks = breaks
        self._file: int | None = None
        self._claim: str | None = None
        self._is_new = False

    @property
    def files(self) -> tuple[int, ...]:
        """The open file that has the lock, for processes that are part of the writer; empty for a claim."""
        return () if self._file is None else (self._file,)

    def __enter__(self) -> Self:
        try:
            self._take()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _take(self) -> None:
        if self._claims is not None:
            self._claim_in(self._claims)
            return
        folder = Path(self._output)
        self._is_new = not folder.exists()
        _make(folder)
        claims = FolderClaims(self._output)
        if self._lock(folder / _LOCK):
            self._check(claims)
            return
        self._claims = claims
        self._claim_in(claims, folder / _LOCK)

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):  # Windows keeps open files
                Path(self._output, _LOCK).unlink()
            os.close(self._file)
            self._file = None
        if self._claims is not None and self._claim is not None:
            self._claims.remove(self._claim)
            self._claim = None
        if self._is_new:
            with suppress(OSError):  # something has been written
                Path(self._output).rmdir()

    def _lock(self, path: Path) -> bool:
        """Lock the file; return whether the file system has locks."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                file = os.open(path, _OPENING, 0o666)
            except FileNotFoundError:  # another writer has removed the folder
                _make(path.parent)
                continue
            try:
                is_ours = lock_descriptor(file, blocking=False)
                if is_ours and _is_same(file, path):  # otherwise its owner has removed it meanwhile
                    self._file, file = file, -1
                    os.ftruncate(self._file, 0)
                    os.write(self._file, b" " + msgspec.json.encode(Owner.own()))
                    return True
                os.lseek(file, 1, os.SEEK_SET)
                owner = None if is_ours else _owner(os.read(file, 4096))
            except OSError as error:
                if error.errno not in _NO_LOCKS:
                    raise
                return False
            finally:
                if file >= 0:
                    os.close(file)
            if not is_ours and (owner is None or not owner.is_gone or time.monotonic() > until):
                raise LockedError(self._sentence(owner))
            time.sleep(0.05)

    def _claim_in(self, claims: Claims, lock: Path | None = None) -> None:
        self._claim = f"{uuid4().hex}.json"
        claims.write(self._claim, msgspec.json.encode(Owner.own()))
        if lock is not None:
            self._check_lock(lock)
        self._check(claims)

    def _check(self, claims: Claims) -> None:
        """Check that there is no other claim."""
        for name in claims.names():
            if name == self._claim:
                continue
            data = claims.read(name)
            if data is None:  # its owner has removed it
                continue
            if self._breaks:
                claims.remove(name)
                continue
            raise LockedError(f"{self._sentence(_owner(data))}{_BREAK}")

    def _check_lock(self, path: Path) -> None:
        """Check that the file that others lock names no owner, and remove it."""
        with suppress(FileNotFoundError):
            with path.open("rb", buffering=0) as file:
                file.seek(1)
                owner = _owner(file.read())
            if owner is not None and not self._breaks:
                raise LockedError(f"{self._sentence(owner)}{_BREAK}")
            path.unlink()

    def _sentence(self, owner: Owner | None) -> str:
        return (
            f"{shown(self._output)} is being written by {owner or 'another process'}: "
            "wait for its end, or choose another output"
        )


def _make(folder: Path) -> None:
    """Make a folder that other writers may make and remove meanwhile."""
    while not folder.is_dir():
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            if os.path.lexists(folder) and not folder.is_dir():
                raise


def _is_same(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def _owner(data: bytes) -> Owner | None:
    try:
        return msgspec.json.decode(data, type=Owner)
    except msgspec.MsgspecError:
        return None
