"""Capture files to packets and tables, on one machine; needs the extra ``captures``.

1. `read` iterates over packets with their file, flow and offset; `tables` returns Arrow readers; `write`
   writes the tables as Parquet, as JSON lines, or to a DuckDB database.
2. The tables are those of `msmq_wire.spark`, which runs the same functions on a cluster.
3. Nothing is dropped silently: the table `frames` counts every frame by its result, every byte of a flow is
   in `packets`, `gaps` or `quarantine`, and `balance` checks this.

>>> from msmq_wire import captures
>>> for found in captures.read(["captures/"]):
...     print(found.time, found.flow, type(found.packet).__name__)
"""

from __future__ import annotations

import datetime as dt
import os
import shutil
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import uuid4

from msmq_wire.values.extras import needed
from msmq_wire.values.times import EPOCH

try:
    import filelock  # noqa: F401  # it is looked for here
    import numpy as np  # noqa: F401  # as above
    import pyarrow as pa
    import pyarrow.compute as pc
except ModuleNotFoundError as error:
    raise needed("captures", error) from None

from msmq_wire.checks.profiles import PROFILES
from msmq_wire.checks.rules import LEVELS
from msmq_wire.packets.kinds import record_of
from msmq_wire.packets.reassembly import Kind
from msmq_wire.values.errors import (
    MsmqWireError,
    WrongTypeError,
    need,
    need_one_of,
    need_within,
    shortened,
    wrong_type,
)

from . import tables as _tables
from .answers.deliveries.columns import DELIVERIES
from .answers.hosts import HOSTS
from .answers.usage import DEPENDENCIES, QUEUES
from .directory import SCHEMAS as _DIRECTORY
from .engine import Progress, Settings, run
from .files.sources import shown
from .findings.joining import FINDINGS
from .locks import Lock, LockedError
from .rows.messages import MESSAGES
from .rows.packets import VIOLATIONS
from .rows.sessions import SESSIONS
from .schemas import plain
from .spool import Spool
from .table_builder import TABLES, ImbalanceError, collecting_rarely
from .writing import FORMATS, check_apart, check_output, check_place, run_of, writer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "FORMATS",
    "SCHEMAS",
    "TABLES",
    "Captured",
    "ImbalanceError",
    "LockedError",
    "Progress",
    "Settings",
    "Tables",
    "read",
    "run_of",
    "tables",
    "write",
]


def __dir__() -> list[str]:
    return sorted(__all__)


SCHEMAS: Final[Mapping[str, pa.Schema]] = {
    "flows": _tables.FLOWS,
    "packets": _tables.PACKETS,
    "gaps": _tables.GAPS,
    "messages": MESSAGES,
    "sessions": SESSIONS,
    "violations": VIOLATIONS,
    "findings": FINDINGS,
    "deliveries": DELIVERIES,
    "queues": QUEUES,
    "dependencies": DEPENDENCIES,
    "hosts": HOSTS,
    **_DIRECTORY,
    "quarantine": _tables.QUARANTINE,
    "balance": _tables.BALANCE,
    "frames": _tables.FRAMES,
}
"""The columns of each table; the meaning of a column is in its metadata, as ``comment``."""


class Captured(NamedTuple):
    """A captured packet, with its endpoints, flow, offset and file.

    Attributes:
        sensor: The directory of the capture file.
        connection: Name of the connection, the same for both directions.
        flow: Name of one direction of the connection.
        direction: ``->`` sent by the side that opened the connection, ``<-`` sent to it.
        src: IP address of the sender; None in a file of packets.
        src_port: Port of the sender.
        dst: IP address of the receiver.
        dst_port: Port of the receiver.
        offset: Offset of the packet from the beginning of the flow, in bytes.
        time: Time of capture of its first segment; None if unknown.
        file: The capture file of its first segment.
        frame: Number of the first frame, in that file.
        data: Its bytes.
    """

    sensor: str
    connection: str
    flow: str
    direction: str
    src: str | None
    src_port: int | None
    dst: str | None
    dst_port: int | None
    offset: int
    time: dt.datetime | None
    file: str
    frame: int
    data: bytes

    @property
    def packet(self) -> Any:
        """The decoded packet; a `PingPacket` for a datagram."""
        return record_of(self.data)


_NOTICED: Final = ("quarantine", "frames", "flows")
_COLUMNS: Final = (
    "sensor", "connection", "flow", "direction", "src", "src_port", "dst", "dst_port", "offset", "time",
    "file", "first_frame", "data",
)  # fmt: skip


_TIME: Final = _COLUMNS.index("time")


def paths_of(paths: Any) -> list[str]:
    """Convert one path or several paths to a list of strings.

    Raises:
        WrongTypeError: One of the arguments is not a path.
    """
    if isinstance(paths, (bytes, bytearray, memoryview)):
        raise WrongTypeError(f"{wrong_type('paths', paths)}: write the capture to a file and give its path")
    if hasattr(paths, "read"):
        raise WrongTypeError(f"{wrong_type('paths', paths)}: give the path of the open file")
    given = [paths] if isinstance(paths, (str, os.PathLike)) or not isinstance(paths, Iterable) else [*paths]
    for path in given:
        if not isinstance(path, (str, os.PathLike)):
            raise WrongTypeError(wrong_type("a path", path))
    if not given:
        raise MsmqWireError("paths: expected a path, got none; a generator yields its paths only once")
    return [os.fsdecode(path) for path in given]


_NUMBERS: Final = ("max_frame", "max_packet_size", "expansion", "memory", "processes")
_PORTS: Final = ("tcp_ports", "udp_ports")
_LAST_PORT: Final = 0xFFFF


def checked_settings(settings: Settings | None) -> Settings:
    """Return the settings; the default ones for None.

    Raises:
        WrongTypeError: The settings, or one of their values, have another type.
        MsmqWireError: A number is less than 1, or there is no such level or profile.
    """
    if settings is None:
        return Settings()
    if not isinstance(settings, Settings):
        raise WrongTypeError(wrong_type("Settings", settings))
    for name in _NUMBERS:
        if not isinstance(getattr(settings, name), int):
            raise WrongTypeError(f"Settings.{name}: {wrong_type('a number', getattr(settings, name))}")
        if getattr(settings, name) < 1:
            raise MsmqWireError(f"Settings.{name}: expected 1 or more, got {getattr(settings, name)}")
    for name in _PORTS:
        ports = getattr(settings, name)
        if ports is not None and not (
            isinstance(ports, Collection)
            and not isinstance(ports, (str, bytes, bytearray, memoryview))
            and all(isinstance(port, int) for port in ports)
        ):
            raise WrongTypeError(f"Settings.{name}: {wrong_type('a set of numbers', ports)}")
        for port in ports or ():
            if not 0 <= port <= _LAST_PORT:
                raise MsmqWireError(f"Settings.{name}: expected 0 to {_LAST_PORT}, got {port}")
    need("Settings.links", settings.links, bool, "True or False")
    need("Settings.names", settings.names, (str, type(None)), "a pattern")
    need_one_of("Settings.level", settings.level, LEVELS)
    if settings.profile is not None:
        need_one_of("Settings.profile", settings.profile, PROFILES)
    most = 0xFFFF_FFFF
    need_within("Settings.clock_tolerance", settings.clock_tolerance, 0, most, f"0 to {most} seconds")
    need("Settings.keys", settings.keys, tuple, "a tuple of crypto.PrivateKey")
    if settings.keys:
        from msmq_wire.crypto import PrivateKey  # noqa: PLC0415  # needs the extra crypto

        for key in settings.keys:
            need("Settings.keys", key, PrivateKey, "crypto.PrivateKey")
    pairs = settings.aliases
    if not (isinstance(pairs, tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs)):
        raise WrongTypeError(f"Settings.aliases: {wrong_type('pairs of a path and a name', pairs)}")
    for text_given in (text for pair in pairs for text in pair):
        need("Settings.aliases", text_given, str, "text")
    if settings.progress is not None and not callable(settings.progress):
        raise WrongTypeError(f"Settings.progress: {wrong_type('a function', settings.progress)}")
    return settings


def read(
    paths: str | os.PathLike[str] | Iterable[Any], settings: Settings | None = None
) -> Iterator[Captured]:
    """Iterate over the packets of capture files, flow by flow, each flow in order.

    Args:
        paths: A file, directory or pattern, or several of them.
        settings: How to read the captures.

    Raises:
        MsmqWireError: A path does not exist; or, after all packets, a path names a file that is not a
            capture.
        WrongTypeError: One of `paths` is not a path, or a setting has another type.
        MsmqWireError: A setting is out of range.
    """
    columns: list[list[Any]]
    named = paths_of(paths)
    asked = {shown(os.path.abspath(name)): name for name in named}  # noqa: PTH100  # as `files_of` makes it
    no_captures: dict[str, str] = {}
    with_frames: set[str] = set()
    for table, pieces in run(named, ("pieces", "quarantine", "frames"), checked_settings(settings)):
        if table == "quarantine":
            no_captures |= _no_captures(pieces, asked)
            continue
        if table == "frames":
            with_frames |= {row["file"] for row in pieces.to_pylist() if row["frames"]}
            continue
        rows = pieces.filter(pc.equal(pieces.column("kind"), str(Kind.PACKET)))
        columns = [
            (column.cast(pa.int64()) if name == "time" else column).to_pylist()
            for name, column in ((name, rows.column(name)) for name in _COLUMNS)
        ]
        for values in zip(*columns, strict=True):
            time = values[_TIME]
            captured = Captured._make(values)
            yield (
                captured if time is None else captured._replace(time=EPOCH + dt.timedelta(microseconds=time))
            )
    problems = [problem for file, problem in no_captures.items() if file not in with_frames]
    if problems:
        raise MsmqWireError("; ".join(problems))


def _no_captures(quarantine: pa.RecordBatch, asked: Mapping[str, str]) -> dict[str, str]:
    """The errors of files that were given by name and may be no captures; `asked`: names by absolute path."""
    whole = pc.and_(
        pc.equal(quarantine.column("kind"), "file"), pc.equal(quarantine.column("error_offset"), 0)
    )
    rows = quarantine.select(["file", "error"]).filter(whole).to_pylist()
    return {row["file"]: f"{asked[row['file']]}: {row['error']}" for row in rows if row["file"] in asked}


class Tables(Mapping[str, pa.RecordBatchReader]):
    """Tables in files of a temporary directory, which is removed together with this object.

    Each look-up returns a new reader from the beginning.
    """

    def __init__(self, paths: Sequence[str], names: Sequence[str], settings: Settings) -> None:
        folder = mkdtemp(prefix="msmq_wire-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        share = settings.memory // 16
        spools = {name: Spool(plain(SCHEMAS[name]), Path(folder) / name, share) for name in names}
        with collecting_rarely():
            for name, batch in run(paths, names, settings):
                spools[name].add(batch)
        self._batches = {name: spool.batches() for name, spool in spools.items()}

    def __getitem__(self, name: str) -> pa.RecordBatchReader:
        return pa.RecordBatchReader.from_batches(plain(SCHEMAS[name]), self._batches[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._batches)

    def __len__(self) -> int:
        return len(self._batches)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self)})"


def _wanted(names: Iterable[str] | None) -> list[str]:
    if isinstance(names, str):
        names = (names,)
    need("names", names, (Iterable, type(None)), "names of tables")
    wanted = [*TABLES] if names is None else [*names]
    for name in wanted:
        if not isinstance(name, str) or name not in SCHEMAS:
            raise MsmqWireError(f"there is no table {shortened(name)}; there are {', '.join(TABLES)}")
    return list(dict.fromkeys(wanted))


def tables(
    paths: str | os.PathLike[str] | Iterable[Any],
    names: Iterable[str] | None = None,
    settings: Settings | None = None,
) -> Tables:
    """Convert capture files to tables.

    Args:
        paths: A file, directory or pattern, or several of them.
        names: The tables to make; None for all of `TABLES`.
        settings: How to read the captures.

    Returns:
        A mapping from table names to Arrow readers.

    Raises:
        MsmqWireError: A path does not exist, or there is no such table.
        ImbalanceError: Bytes are missing in the tables: a fault of this library.
    """
    return Tables(paths_of(paths), _wanted(names), checked_settings(settings))


def write(
    paths: str | os.PathLike[str] | Iterable[Any],
    output: str | os.PathLike[str],
    format: str = "parquet",  # noqa: A002  # the usual name
    names: Iterable[str] | None = None,
    settings: Settings | None = None,
    *,
    notice: Callable[[str, pa.RecordBatch], None] | None = None,
    break_lock: bool = False,
) -> dict[str, int]:
    """Convert capture files to tables, and write them to files.

    Parquet and JSON lines are written to ``output/<table>/``, a database to ``output/tables.duckdb``.
    Existing tables are replaced when all new ones are complete, also those that are not asked for; nothing
    else is.  `run_of` tells readers which run is there.

    Args:
        paths: A file, directory or pattern, or several of them.
        output: The directory for the tables.
        format: One of `FORMATS`.
        names: The tables to write; None for all of `TABLES`.
        settings: How to read the captures.
        notice: Called with the name of a table and each batch that was added to it; with the tables
            `quarantine`, `frames` and `flows`, which tell what was read, also if they were not asked for.
        break_lock: Whether to ignore the lock file of a writer that was killed; needed only where the file
            system has no locks.

    Returns:
        The number of rows of each table.

    Raises:
        MsmqWireError: A path does not exist, there is no such table or format, or the format needs a package
            that is not installed.
        MsmqWireError: The output is a URL, a file, or inside an input; or a table would replace an input or
            anything that is not a table.
        LockedError: Another process writes the same output.
        ImbalanceError: Bytes are missing in the tables: a fault of this library.
        OSError: A file cannot be written.
    """
    wanted = _wanted(names)
    if not wanted:
        raise MsmqWireError("names: expected a table, got none")
    need("output", output, (str, os.PathLike), "a path")
    if notice is not None and not callable(notice):
        raise WrongTypeError(f"notice: {wrong_type('a function', notice)}")
    need("break_lock", break_lock, bool, "True or False")
    folder, given, settings = os.fsdecode(output), paths_of(paths), checked_settings(settings)
    schemas = {name: SCHEMAS[name] for name in wanted}
    writer = writer_of(folder, format, schemas, uuid4().hex)
    check_place(folder)
    check_apart(folder, given)
    with Lock(folder, breaks=break_lock):
        check_output(folder, given)
        with collecting_rarely(), writer as written:
            for name, batch in run(given, wanted if notice is None else {*wanted, *_NOTICED}, settings):
                if name in wanted:
                    written.add(name, batch)
                if notice is not None:
                    notice(name, batch)
    return written.rows
