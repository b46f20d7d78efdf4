"""The local engine: capture files in, batches of all tables out, in bounded memory.

1. Segments are read file by file and divided into buckets by their pair of endpoints.  Segments beyond a
   bucket's share of memory are stored in a file, which is mapped when the bucket is processed.
2. `table_builder` turns each bucket into rows of tables.
3. Tables that join the connections of all buckets, such as those of the directory, are made at the end; see
   `gathering`.
4. Files and buckets are processed independently, so that several processes can share the work.
   They exchange files, which are mapped.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.checks.validation import requirement_ids
from msmq_wire.packets.lax import forget_parts
from msmq_wire.values.numbers import MAX_PACKET_SIZE, PING_PORT
from msmq_wire.values.properties.types import private_types, register_types

from . import tables
from .files.containers import NO_TIME
from .files.live import LiveFlows
from .files.reading import (
    MAX_FRAME,
    ReadLimits,
    Tally,
    batches_of,
    live_rows,
    reunited_batches,
    segment_batches,
)
from .files.segments import SEGMENTS
from .files.sources import EXPANSION, File, Omitted, files_of, shown
from .files.splits import FileSlice
from .flows.buckets import bucket_numbers
from .gathering import GATHERED, needed, tables_of
from .network.fragments import PendingDatagram
from .network.frames import OMITTED, Ports, Reason
from .rows.packets import CLOCK_TOLERANCE
from .schemas import plain
from .spool import Spool, divided, mapped
from .table_builder import TABLES, TableBuilder, collecting_rarely

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from msmq_wire.checks.profiles import ProfileName
    from msmq_wire.checks.rules import Level
    from msmq_wire.crypto import PrivateKey

    from .files.sources import Source
    from .flows.other_protocols import Others

BUCKET: Final = 32 << 20
"""Bytes of capture files for each bucket."""
LEAST_BUCKET: Final = 4 << 20
_MOST_BUCKETS: Final = 256
_SHARES: Final = 4
"""Minimum number of buckets for each of several processes, to balance the load."""
_MOST_LEFT: Final = 1024
"""Maximum number of datagrams that wait for fragments in later files."""


class Progress(NamedTuple):
    """The progress of the work, told whenever a file, a bucket or a kind of rows begins.

    Attributes:
        stage: ``reading``, ``tables`` or ``joining``.
        done: The number of bytes of files, of buckets, or of kinds of joined rows, that were done before it;
            so it does not reach the total.
        total: Their total number.
        text: The current file, or kind of rows.
    """

    stage: str
    done: int
    total: int
    text: str


class Settings(NamedTuple):
    """How captures are read.

    Attributes:
        tcp_ports: TCP ports; one endpoint has to have one of them.  None for any port: MSMQ is then detected
            by its bytes.
        udp_ports: The same for UDP.
        max_frame: The maximum size of a frame in bytes.
        max_packet_size: The largest accepted PacketSize in bytes.
        links: Whether symbolic links in directories are followed.
        names: A pattern for the names of files in directories, or None.
        expansion: The maximum ratio of decompressed to compressed size.
        memory: The approximate number of bytes of segments to keep in memory.
        processes: The number of processes; small captures are read in one.  More than one requires an
            importable main module, see `multiprocessing`.
        progress: A callback that is called with `Progress`, or None.
        level: The level up to which `violations` has violations, as in `validate`.
        profile: A version of Windows with which packets are compared, as in `validate`.
        ignore: Ids of requirements that are not reported.
        clock_tolerance: Seconds by which the clocks of senders may be behind those of the captures, before a
            packet or a message counts as expired (errata M41), and by which the clocks of two sensors may
            differ, before what one captured cannot answer a message of the other.
        aliases: Names for the column `file` instead of paths, as pairs of a path and a name.
        keys: Private keys of receivers, with which bodies of complete messages are decrypted; needs the extra
            ``crypto``.
    """

    tcp_ports: frozenset[int] | None = None
    udp_ports: frozenset[int] | None = frozenset({PING_PORT})
    max_frame: int = MAX_FRAME
    max_packet_size: int = MAX_PACKET_SIZE
    links: bool = False
    names: str | None = None
    expansion: int = EXPANSION
    memory: int = 64 << 20
    progress: Callable[[Progress], object] | None = None
    level: Level = "must"
    profile: ProfileName | None = None
    ignore: frozenset[str] = frozenset()
    processes: int = 1
    aliases: tuple[tuple[str, str], ...] = ()
    clock_tolerance: float = CLOCK_TOLERANCE
    keys: tuple[PrivateKey, ...] = ()

    def tell(self, stage: str, done: int, total: int, text: str) -> None:
        """Call the progress callback."""
        if self.progress is not None:
            self.progress(Progress(stage, done, total, text))


_USUAL: Final = Settings()


def run(
    paths: Sequence[str],
    wanted: Iterable[str] = TABLES,
    settings: Settings = _USUAL,
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Convert captures to tables.

    Args:
        paths: Files, directories and patterns.
        wanted: The tables to make; most are made from ``pieces``.
        settings: How to read the captures.

    Yields:
        The name of a table and some of its rows.

    Raises:
        MsmqWireError: A path does not exist, or `Settings.ignore` contains something that is not a
            requirement id.
        ImbalanceError: Bytes are missing in the tables.
    """
    unread: list[tuple[str, str]] = []
    omitted: list[Omitted] = []
    files = files_of(paths, names=settings.names, links=settings.links, unread=unread, omitted=omitted)
    with TemporaryDirectory(prefix="msmq_wire-") as directory:
        yield from Run(files, frozenset(wanted), settings, Path(directory)).run(unread, omitted)


LIVE: Final = ("packets", "gaps", "messages", "violations", "quarantine", "frames")
"""The tables that are available while a capture is still being written."""


def run_live(
    source: Source,
    name: str,
    wanted: Iterable[str] = LIVE,
    settings: Settings = _USUAL,
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Convert a capture from a pipe to tables while it is being written.

    Sessions are not validated, and late segments are omitted: see `live`.

    Args:
        source: The bytes.
        name: The value of the column `file`.
        wanted: The tables to make, of `LIVE`, or ``pieces``.
        settings: How to read the capture.

    Yields:
        The name of a table and some of its rows; ``frames`` at the end.
    """
    with TemporaryDirectory(prefix="msmq_wire-") as directory:
        yield from Run([], frozenset(wanted), settings, Path(directory)).live(source, name)


class Run:
    """A single run of the engine."""

    def __init__(
        self, files: list[File], wanted: frozenset[str], settings: Settings, directory: Path
    ) -> None:
        requirement_ids(settings.ignore)  # a wrong one is an error before anything is read
        self._files = files
        self._wanted = wanted
        self._settings = settings
        self._directory = directory
        self._total = sum(file.size for file in files)
        self._count = buckets_for(self._total, settings.processes)
        self._frames: dict[str, Tally] = {}
        self._until: dict[str, int] = {}
        share = settings.memory // 4
        self._gathered = {
            name: Spool(plain(rows.schema), directory / name, share)
            for name, rows in GATHERED.items()
            if name in needed(wanted)
        }

    def run(
        self, unread: list[tuple[str, str]], omitted: Iterable[Omitted]
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """All tables."""
        yield from unreadable(unread, self._wanted)
        if self._settings.processes > 1 and self._count > 1:
            yield from self.shared_batches()
        else:
            yield from self._alone()
        for location, reason, detail in omitted:
            self._frames.setdefault(shown(location), Tally()).add(reason, detail, 0, 0)
        for name, tally in self._frames.items():
            sensor = tables.sensor_of(name)
            self._until[sensor] = max(self._until.get(sensor, NO_TIME), tally.until)
        if "frames" in self._wanted:
            yield "frames", frame_rows(self._frames)
        for number, (name, spool) in enumerate(self._gathered.items()):
            self._settings.tell("joining", number, len(self._gathered), name)
            wanted = self._wanted | {*self._gathered}
            for batches in divided(spool, GATHERED[name].key, shared=GATHERED[name].shared):
                yield from self._taken(tables_of(name, batches, wanted, self._settings, self._until))

    def live(self, source: Source, name: str) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The tables of a capture from a pipe."""
        maker = TableBuilder(self._wanted, self._settings, self._directory, live=True)
        tally = self._frames[name] = Tally()
        flows = LiveFlows(self._settings.max_packet_size)
        for rows in live_rows(source, name, _limits(self._settings), tally):
            wrong = [row for row in rows if row[-1] is not None]
            if wrong and "quarantine" in self._wanted:
                for batch in batches_of(wrong, plain(SEGMENTS), [*range(len(SEGMENTS))]):
                    yield "quarantine", tables.quarantine_of_segments(batch)
            yield from self._taken(maker.of_pieces(flows.take(row for row in rows if row[-1] is None)))
        yield from self._taken(maker.of_pieces(flows.close()))
        forget_parts()
        for protocol, count in flows.others.items():
            tally.move(Reason.READ, Reason.STREAM, count, flows.other_bytes[protocol], protocol)
        tally.move(Reason.READ, Reason.LATE, flows.late, flows.late_bytes)
        if "frames" in self._wanted:
            yield "frames", frame_rows(self._frames)

    def _alone(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Process all buckets in this process."""
        reader = Reader(0, self._count, self._wanted, self._settings, self._directory)
        done = 0
        for file in self._files:
            self._settings.tell("reading", done, self._total, shown(file.location))
            yield from reader.read(file)
            done += file.size
        yield from reader.reunite()
        self._frames = reader.frames
        maker = TableBuilder(self._wanted, self._settings, self._directory)
        for number, bucket in enumerate(reader.buckets):
            self._settings.tell("tables", number, self._count, "")
            yield from self._taken(maker.tables(bucket.batches(), number))
            self._recount(maker.others)
            bucket.close()
        self._until = maker.until

    def shared_batches(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Process all buckets in other processes, which write their results to files."""
        # Imported here: these imports take 10 ms, and most runs use one process.
        from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
        from multiprocessing import get_context  # noqa: PLC0415

        settings, directory = self._settings, self._directory
        quiet = settings._replace(progress=None, memory=settings.memory // settings.processes)
        types = (private_types(),)
        with ProcessPoolExecutor(settings.processes, get_context("spawn"), register_types, types) as crew:
            groups = groups_of(self._files, self._total // (2 * settings.processes))
            reads = [
                crew.submit(_read_apart, number, group, self._count, self._wanted, quiet, directory)
                for number, group in enumerate(groups)
            ]
            done = 0
            parts: list[list[Path]] = [[] for _ in range(self._count)]
            last = Reader(len(groups), self._count, self._wanted, quiet, directory)
            for group, read in zip(groups, reads, strict=True):
                settings.tell("reading", done, self._total, shown(group[0].location))
                frames, quarantine, paths, left = read.result()
                last.left += left
                yield from (("quarantine", batch) for batch in quarantine)
                for name, tally in frames.items():
                    self._frames.setdefault(name, Tally()).include(tally)
                for number, path in paths:
                    parts[number].append(path)
                done += sum(file.size for file in group)
            last.frames = self._frames
            yield from last.reunite()
            for number, bucket in enumerate(last.buckets):
                more = bucket.file()
                if more is not None:
                    parts[number].append(more)
            makes = [
                crew.submit(make_apart, number, paths, self._wanted, quiet, directory)
                for number, paths in enumerate(parts)
            ]
            for number, make in enumerate(makes):
                settings.tell("tables", number, self._count, "")
                others, until, files = make.result()
                for sensor, time in until.items():
                    self._until[sensor] = max(self._until.get(sensor, 0), time)
                for name, path in files:
                    yield from self._taken((name, batch) for batch in mapped(path))
                    path.unlink()
                self._recount(others)

    def _taken(self, rows: Iterable[tuple[str, pa.RecordBatch]]) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The rows of tables; gathered rows are kept for the end."""
        for name, batch in rows:
            if name in self._gathered:
                self._gathered[name].add(batch)
            else:
                yield name, batch

    def _recount(self, others: Others) -> None:
        """Move the counts of frames whose connections turn out not to be MSMQ."""
        for file, protocol, count, size in others:
            self._frames[file].move(Reason.READ, Reason.STREAM, count, size, protocol)


def _kept(frames: Mapping[tuple[str, str], int]) -> list[tuple[tuple[str, str], int]]:
    """Return the counts that have rows, in order."""
    return sorted((key, count) for key, count in frames.items() if count or key[0] in OMITTED)


def frame_rows(tallies: Mapping[str, Tally]) -> pa.RecordBatch:
    """The table `frames` from the counts of each file, and of what is not read; each has a row."""
    rows = [
        (tables.sensor_of(file), file, reason, detail, count, tally.bytes[reason, detail])
        for file, tally in tallies.items()
        for (reason, detail), count in _kept(tally.frames) or [((Reason.NO_FRAMES, ""), 0)]
    ]
    columns: list[Any] = [*zip(*rows, strict=True)] or [[]] * len(tables.FRAMES)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, tables.FRAMES, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=plain(tables.FRAMES))


def buckets_for(size: int, processes: int) -> int:
    """The number of buckets for files of a total size."""
    share = BUCKET
    if processes > 1:
        share = min(max(size // (_SHARES * processes), LEAST_BUCKET), BUCKET)
    return min(max(-(-size // share), 1), _MOST_BUCKETS)


def groups_of(files: list[File], size: int) -> list[list[File]]:
    """Divide files, in order, into groups of about this size."""
    groups: list[list[File]] = []
    full = size
    for file in files:
        if full >= size:
            groups.append([])
            full = 0
        groups[-1].append(file)
        full += file.size
    return groups


_Quarantined = tuple[dict[str, Tally], list[pa.RecordBatch], list[tuple[int, Path]], list[PendingDatagram]]


@collecting_rarely()
def _read_apart(
    number: int, files: list[File], count: int, wanted: frozenset[str], settings: Settings, directory: Path
) -> _Quarantined:
    """Read files in a separate process.

    Returns counts of frames, rows of `quarantine`, a file for each bucket, and the datagrams that wait for
    fragments in files of other processes.
    """
    reader = Reader(number, count, wanted, settings, directory)
    quarantine = [batch for file in files for _, batch in reader.read(file)]
    paths = [(bucket, spool.file()) for bucket, spool in enumerate(reader.buckets)]
    return (
        reader.frames,
        quarantine,
        [(bucket, path) for bucket, path in paths if path is not None],
        reader.left,
    )


@collecting_rarely()
def make_apart(
    number: int, paths: list[Path], wanted: frozenset[str], settings: Settings, directory: Path
) -> tuple[Others, dict[str, int], list[tuple[str, Path]]]:
    """Process a bucket in another process: counts of other connections, `TableBuilder.until`, table files."""
    maker = TableBuilder(wanted, settings, directory)
    spools: dict[str, Spool] = {}
    for name, batch in maker.tables([batch for path in paths for batch in mapped(path)], number):
        if name not in spools:
            spools[name] = Spool(batch.schema, directory / f"{name}-{number}", 0)
        spools[name].add(batch)
    for path in paths:
        path.unlink()
    files = [(name, spool.file()) for name, spool in spools.items()]
    return maker.others, maker.until, [(name, path) for name, path in files if path is not None]


# ------------------------------------------------------------------------------------------ reading


def unreadable(
    unread: Iterable[tuple[str, str]], wanted: frozenset[str]
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """A row for each file or directory that cannot be opened, with the error."""
    if "quarantine" in wanted:
        for location, problem in unread:
            row = dict.fromkeys(SEGMENTS.names) | {
                "file": shown(location), "offset": 0, "payload": b"", "length": 0, "places": 1,
                "error": problem,
            }  # fmt: skip
            batch = pa.RecordBatch.from_pylist([row], schema=plain(SEGMENTS))
            yield "quarantine", tables.quarantine_of_segments(batch)


def part_batches(
    part: FileSlice,
    limits: ReadLimits,
    tally: Tally,
    left: list[PendingDatagram] | None = None,
    file: Any = None,
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Read a part of a file: ``segments``, and rows of ``quarantine`` for unreadable parts.

    Args:
        part: The part.
        limits: Bounds for reading.
        tally: Counts its frames.
        left: Collects datagrams with missing fragments, as in `segment_batches`.
        file: As for `segment_batches`.

    Raises:
        OSError: The file cannot be opened.
    """
    yield from _sorted_out(segment_batches(part, limits, tally, left, file))


def _sorted_out(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Divide rows into ``segments`` and ``quarantine``."""
    for batch in batches:
        good = pc.is_null(batch.column("error"))
        if good.false_count:
            yield "quarantine", tables.quarantine_of_segments(batch)
        whole = batch.filter(good) if good.false_count else batch
        if whole.num_rows:
            yield "segments", whole


def _limits(settings: Settings) -> ReadLimits:
    ports = Ports(settings.tcp_ports, settings.udp_ports)
    return ReadLimits(ports, settings.max_frame, expansion=settings.expansion)


class Reader:
    """Divides the segments of files into buckets.

    Attributes:
        buckets: The buckets.
        frames: Counts of the frames of each file by result.
        left: Datagrams whose other fragments may be in other files.
    """

    def __init__(
        self, number: int, count: int, wanted: frozenset[str], settings: Settings, directory: Path
    ) -> None:
        self._wanted = wanted
        self._settings = settings
        self.frames: dict[str, Tally] = {}
        self.left: list[PendingDatagram] = []
        self._held = 0
        self.buckets = [
            Spool(plain(SEGMENTS), directory / f"segments-{number}-{bucket}", None) for bucket in range(count)
        ]

    def read(self, file: File) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Divide the segments of a file into buckets; unreadable parts are rows of `quarantine`."""
        name = dict(self._settings.aliases).get(file.location, shown(file.location))
        tally = self.frames.setdefault(name, Tally())  # several files may have one alias
        part = FileSlice(file.location, "auto", 0, file.size, name=name)
        try:
            yield from self._kept(part_batches(part, _limits(self._settings), tally, self.left))
            if len(self.left) > _MOST_LEFT:
                yield from self.reunite()
        except OSError as error:
            yield from unreadable([(name, f"cannot be read: {error.strerror or error}")], self._wanted)

    def reunite(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Reassemble the remaining fragments; incomplete datagrams are rows of `quarantine`."""
        left, self.left = self.left, []
        reunited = reunited_batches(left, _limits(self._settings), self.frames, tables.sensor_of)
        return self._kept(_sorted_out(reunited))

    def _kept(self, batches: Iterable[tuple[str, pa.RecordBatch]]) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Divide segments into buckets, and yield other rows."""
        for name, batch in batches:
            if name == "segments":
                self.put(batch)
            elif name in self._wanted:
                yield name, batch

    def put(self, batch: pa.RecordBatch) -> None:
        """Divide a batch into buckets, which share its memory, and therefore move to files together."""
        if len(self.buckets) == 1:
            self.buckets[0].add(batch)
        else:
            numbers = bucket_numbers(batch, len(self.buckets))
            order = np.argsort(numbers, kind="stable")
            batch = batch.take(pa.array(order))
            bounds = np.searchsorted(numbers[order], np.arange(len(self.buckets) + 1)).tolist()
            for bucket, start, stop in zip(self.buckets, bounds, bounds[1:], strict=False):
                bucket.add(batch.slice(start, stop - start))
        self._held += batch.nbytes
        if self._held > self._settings.memory:
            for bucket in self.buckets:
                bucket.spill()
            self._held = 0
