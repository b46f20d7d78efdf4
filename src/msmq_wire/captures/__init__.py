"""Captures without a cluster: capture files to packets and tables; needs the extra ``captures``.

1. `read` yields packets one by one, with their place; `tables` gives readers of Arrow by table; `write`
   writes the tables as Parquet, as lines of JSON, or to a database of DuckDB.
2. The tables are those of `msmq_wire.spark`, which runs the same functions for what outgrows one machine.
3. Nothing is silent: every frame is counted in the table `frames` with what became of it, every byte of a
   flow is in `packets`, `gaps` or `quarantine`, and `balance` says so.

>>> from msmq_wire import captures
>>> for found in captures.read(["captures/"]):
...     print(found.time, found.flow, type(found.packet).__name__)
"""

from __future__ import annotations

import datetime as dt
import os
import shutil
import weakref
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msmq_wire.values.extras import needed

try:
    import numpy as np  # noqa: F401  # it is looked for here
    import pyarrow as pa
    import pyarrow.compute as pc
except ModuleNotFoundError as error:
    raise needed("captures", error) from None

from msmq_wire.packets.reassembly import Kind
from msmq_wire.values.errors import MsmqWireError

from . import tables as _tables
from .directory import SCHEMAS as _DIRECTORY
from .engine import TABLES, ImbalanceError, Progress, Settings, run
from .files.sources import shown
from .rows.messages import MESSAGES
from .rows.packets import VIOLATIONS, record_of
from .rows.sessions import SESSIONS
from .schemas import plain
from .spool import Spool
from .writing import FORMATS, writer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "FORMATS",
    "SCHEMAS",
    "TABLES",
    "Captured",
    "ImbalanceError",
    "Progress",
    "Settings",
    "Tables",
    "read",
    "tables",
    "write",
]

SCHEMAS: Final[Mapping[str, pa.Schema]] = {
    "flows": _tables.FLOWS,
    "packets": _tables.PACKETS,
    "gaps": _tables.GAPS,
    "messages": MESSAGES,
    "sessions": SESSIONS,
    "violations": VIOLATIONS,
    **_DIRECTORY,
    "quarantine": _tables.QUARANTINE,
    "balance": _tables.BALANCE,
    "frames": _tables.FRAMES,
}
"""The columns of each table; the meaning of a column is in its metadata, as ``comment``."""

_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class Captured(NamedTuple):
    """A packet and where it was captured.

    Attributes:
        sensor: The directory of the capture file.
        connection: Both directions of one connection have the same.
        flow: One direction of one connection.
        direction: ``->`` sent by the side that opened the connection, ``<-`` sent to it.
        src: IP address of the sender; None in a file of packets.
        src_port: Port of the sender.
        dst: IP address of the receiver.
        dst_port: Port of the receiver.
        offset: Where the packet begins, in bytes from the beginning of the flow.
        time: When its first segment was captured; None if not known.
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
        """What `msmq_wire.decode` makes of the bytes; a `PingPacket` for a datagram."""
        return record_of(self.data)


_COLUMNS: Final = (
    "sensor", "connection", "flow", "direction", "src", "src_port", "dst", "dst_port", "offset", "time",
    "file", "first_frame", "data",
)  # fmt: skip


_TIME: Final = _COLUMNS.index("time")


def _paths(paths: Any) -> list[str]:
    """Paths as a list of texts; a single one may be given as it is.

    Raises:
        TypeError: Something is not a path.
    """
    if isinstance(paths, (bytes, bytearray, memoryview)):
        raise TypeError(
            f"expected paths, found {type(paths).__name__}: write the capture to a file and give its path"
        )
    given = [paths] if isinstance(paths, (str, os.PathLike)) or not isinstance(paths, Iterable) else [*paths]
    for path in given:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"expected a path, found {type(path).__name__}")
    return [os.fspath(path) for path in given]


def read(
    paths: str | os.PathLike[str] | Iterable[Any], settings: Settings | None = None
) -> Iterator[Captured]:
    """The packets in capture files, flow by flow, each flow in its order.

    Args:
        paths: Files, directories and patterns, or one of them.
        settings: How to read.

    Raises:
        MsmqWireError: There is nothing at a path; or, after all packets, a path names a file that is no
            capture.
        TypeError: Something is not a path.
    """
    columns: list[list[Any]]
    named = _paths(paths)
    no_captures: list[str] = []
    for table, pieces in run(named, ("pieces", "quarantine"), settings or Settings()):
        if table == "quarantine":
            no_captures += _no_captures(pieces, named)
            continue
        rows = pieces.filter(pc.equal(pieces.column("kind"), str(Kind.PACKET)))
        columns = [
            (column.cast(pa.int64()) if name == "time" else column).to_pylist()
            for name, column in ((name, rows.column(name)) for name in _COLUMNS)
        ]
        for values in zip(*columns, strict=True):
            time = values[_TIME]
            found = Captured._make(values)
            yield found if time is None else found._replace(time=_EPOCH + dt.timedelta(microseconds=time))
    if no_captures:
        raise MsmqWireError("; ".join(no_captures))


def _no_captures(quarantine: pa.RecordBatch, named: list[str]) -> list[str]:
    """What is wrong with files that are given by their own names and have no packet at all."""
    whole = pc.and_(
        pc.equal(quarantine.column("kind"), "file"), pc.equal(quarantine.column("error_offset"), 0)
    )
    rows = quarantine.select(["file", "error"]).filter(whole).to_pylist()
    asked = {shown(os.path.abspath(name)): name for name in named}  # noqa: PTH100  # as `files_of` makes it
    return [f"{asked[row['file']]}: {row['error']}" for row in rows if row["file"] in asked]


class Tables(Mapping[str, pa.RecordBatchReader]):
    """Tables that wait in files of a temporary directory, which goes away with the last use of this.

    Each look-up gives a new reader from the beginning.
    """

    def __init__(self, paths: Sequence[str], names: Sequence[str], settings: Settings) -> None:
        place = mkdtemp(prefix="msmq_wire-")
        weakref.finalize(self, shutil.rmtree, place, ignore_errors=True)
        share = settings.memory // 16
        spools = {name: Spool(plain(SCHEMAS[name]), Path(place) / name, share) for name in names}
        for name, batch in run(paths, names, settings):
            spools[name].add(batch)
        self._batches = {name: spool.batches() for name, spool in spools.items()}

    def __getitem__(self, name: str) -> pa.RecordBatchReader:
        return pa.RecordBatchReader.from_batches(plain(SCHEMAS[name]), self._batches[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._batches)

    def __len__(self) -> int:
        return len(self._batches)


def _wanted(names: Iterable[str] | None) -> list[str]:
    wanted = [*TABLES] if names is None else list(dict.fromkeys(names))
    for name in wanted:
        if name not in SCHEMAS:
            raise MsmqWireError(f"there is no table {name!r}; there are {', '.join(TABLES)}")
    return wanted


def tables(
    paths: str | os.PathLike[str] | Iterable[Any],
    names: Iterable[str] | None = None,
    settings: Settings | None = None,
) -> Tables:
    """Make tables of capture files.

    Args:
        paths: Files, directories and patterns, or one of them.
        names: The tables to make; None: all of `TABLES`.
        settings: How to read.

    Returns:
        A reader of Arrow by name of the table.

    Raises:
        MsmqWireError: There is nothing at a path, or no such table.
        ImbalanceError: The tables do not add up: a fault of this library.
    """
    return Tables(_paths(paths), _wanted(names), settings or Settings())


def write(
    paths: str | os.PathLike[str] | Iterable[Any],
    output: str | os.PathLike[str],
    format: str = "parquet",  # noqa: A002  # what everybody calls it
    names: Iterable[str] | None = None,
    settings: Settings | None = None,
    *,
    notice: Callable[[str, pa.RecordBatch], None] | None = None,
) -> dict[str, int]:
    """Write tables of capture files.

    Parquet and lines of JSON go to ``output/<table>/``, a database to ``output/tables.duckdb``.  Tables that
    are there already are replaced when all new ones are complete.

    Args:
        paths: Files, directories and patterns, or one of them.
        output: The directory for the tables.
        format: One of `FORMATS`.
        names: The tables to write; None: all of `TABLES`.
        settings: How to read.
        notice: Called with the name of a table and each batch that was added to it.

    Returns:
        How many rows each table has.

    Raises:
        MsmqWireError: There is nothing at a path, no such table or format, or the format needs a package that
            is not installed.
        ImbalanceError: The tables do not add up: a fault of this library.
        OSError: A file cannot be written.
    """
    wanted = _wanted(names)
    with writer_of(str(output), format, {name: SCHEMAS[name] for name in wanted}) as written:
        for name, batch in run(_paths(paths), wanted, settings or Settings()):
            written.add(name, batch)
            if notice is not None:
                notice(name, batch)
    return written.rows
