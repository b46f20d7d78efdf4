"""The local engine: capture files in, batches of all tables out, in bounded memory.

1. Segments are read file by file and divided into buckets by their pair of endpoints.  Segments beyond a
   bucket's share of memory are stored in a file, which is mapped when the bucket is processed.
2. For each bucket, rows are ordered, pieces are split off, and tables are made of the pieces.  Only the
   numbers of a flow are in memory at once, not its bytes.
3. Unless ports are given, a connection is MSMQ if a packet begins in one of its segments.  Other connections
   are counted in `frames` and omitted.
4. The tables of the directory are made at the end, from all changes.
5. Files are read independently, and so are buckets processed, so that several processes can share the work.
   They exchange files, which are mapped.
"""

from __future__ import annotations

import zlib
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.packets.packet import MAX_PACKET_SIZE
from msmq_wire.packets.reassembly import Kind
from msmq_wire.values.errors import MsmqWireError

from . import tables
from .directory import directory_tables
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
from .files.sources import EXPANSION, File, files_of, shown
from .files.splits import Part
from .flows.framing import PIECES, pieces_of
from .flows.ordering import PASSED, endpoint, flow_columns, placed, rows_with_places, segments_of
from .network.fragments import Left
from .network.frames import PING_PORT, Ports, Reason
from .rows.directory import CHANGES, changes
from .rows.messages import messages
from .rows.packets import CARRIED, Judge, bodies, violations
from .rows.partial import partial_messages
from .rows.sessions import session_rows
from .schemas import plain
from .spool import Spool, gathered, mapped, portions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from msmq_wire.checks.profiles import ProfileName
    from msmq_wire.checks.rules import Level

    from .files.sources import Source

__all__ = [
    "CHANGED",
    "LIVE",
    "TABLES",
    "Bucket",
    "ImbalanceError",
    "Maker",
    "Progress",
    "Settings",
    "bucket_numbers",
    "frame_rows",
    "part_batches",
    "run",
    "run_live",
    "unreadable",
]

TABLES: Final = (
    "flows",
    "packets",
    "gaps",
    "messages",
    "sessions",
    "violations",
    "directory_changes",
    "directory_history",
    "directory_objects",
    "directory_gaps",
    "directory_divergence",
    "quarantine",
    "balance",
    "frames",
)
"""The tables."""
_DIRECTORY: Final = frozenset(name for name in TABLES if name.startswith("directory_"))
_MEANT: Final = _DIRECTORY | {"packets", "messages", "quarantine"}
"""Tables that need headers as columns."""
_BUCKET: Final = 32 << 20
"""Bytes of capture files for each bucket."""
_LEAST_BUCKET: Final = 4 << 20
_MOST_BUCKETS: Final = 256
_SHARES: Final = 4
"""Minimum number of buckets for each of several processes, to balance the load."""
_BATCH_BYTES: Final = 1 << 20
_MOST_LEFT: Final = 1024
"""Maximum number of datagrams that wait for fragments in later files."""
CHANGED: Final = "changes"
"""Internal name of the directory changes before their tables are made."""
_MANY_ROWS: Final = 8_000
_MANY_BYTES: Final = 4 << 20
_JUDGED_ROWS: Final = 12_000
_JUDGED_BYTES: Final = 12 << 20
"""Size of the batches for validation: larger batches cost less for each row."""
_WRAP_CHECK: Final = np.iinfo(np.int64).max


class ImbalanceError(MsmqWireError):
    """Bytes of a flow are in no table, or in two: a fault of this library, not of the captures."""


class Progress(NamedTuple):
    """The progress of the work.

    Attributes:
        stage: ``reading``, ``tables`` or ``directory``.
        done: The number of bytes of files, or of buckets, that are done.
        total: Their total number.
        text: The current file or bucket.
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

    def tell(self, stage: str, done: int, total: int, text: str) -> None:
        """Call the progress callback."""
        if self.progress is not None:
            self.progress(Progress(stage, done, total, text))


def run(
    paths: Sequence[str],
    wanted: Iterable[str] = TABLES,
    settings: Settings = Settings(),  # noqa: B008
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Convert captures to tables.

    Args:
        paths: Files, directories and patterns.
        wanted: The tables to make; most are made from ``pieces``.
        settings: How to read the captures.

    Yields:
        The name of a table and some of its rows.

    Raises:
        MsmqWireError: A path does not exist.
        ImbalanceError: Bytes are missing in the tables.
    """
    unread: list[tuple[str, str]] = []
    files = files_of(paths, names=settings.names, links=settings.links, unread=unread)
    with TemporaryDirectory(prefix="msmq_wire-") as place:
        yield from _Run(files, frozenset(wanted), settings, Path(place)).run(unread)


LIVE: Final = ("packets", "gaps", "messages", "violations", "quarantine", "frames")
"""The tables that are available while a capture is still being written."""


def run_live(
    source: Source,
    name: str,
    wanted: Iterable[str] = LIVE,
    settings: Settings = Settings(),  # noqa: B008
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
    with TemporaryDirectory(prefix="msmq_wire-") as place:
        yield from _Run([], frozenset(wanted), settings, Path(place)).live(source, name)


class _Run:
    """A single run of the engine."""

    def __init__(self, files: list[File], wanted: frozenset[str], settings: Settings, place: Path) -> None:
        self._files = files
        self._wanted = wanted
        self._settings = settings
        self._place = place
        self._total = sum(file.size for file in files)
        self._count = _buckets(self._total, settings.processes)
        self._frames: dict[str, Tally] = {}
        self._changes = Spool(plain(CHANGES), place / "changes", settings.memory // 4)

    def run(self, unread: list[tuple[str, str]]) -> Iterator[tuple[str, pa.RecordBatch]]:
        """All tables."""
        yield from unreadable(unread, self._wanted)
        if self._settings.processes > 1 and self._count > 1:
            yield from self._shared()
        else:
            yield from self._alone()
        if "frames" in self._wanted:
            yield "frames", frame_rows(self._frames)
        if self._wanted & _DIRECTORY:
            self._settings.tell("directory", 0, 1, "")
            for name, batch in directory_tables(self._changes.batches()):
                if name in self._wanted:
                    yield name, batch
        self._changes.close()

    def live(self, source: Source, name: str) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The tables of a capture from a pipe."""
        maker = Maker(self._wanted, self._settings, self._place, live=True)
        tally = self._frames[name] = Tally()
        flows = LiveFlows(self._settings.max_packet_size)
        for rows in live_rows(source, name, _limits(self._settings), tally):
            wrong = [row for row in rows if row[-1] is not None]
            if wrong and "quarantine" in self._wanted:
                for batch in batches_of(wrong, plain(SEGMENTS), [*range(len(SEGMENTS))]):
                    yield "quarantine", tables.quarantine_of_segments(batch)
            yield from self._taken(maker.of_pieces(flows.take(row for row in rows if row[-1] is None)))
        yield from self._taken(maker.of_pieces(flows.close()))
        tally.move(Reason.READ, Reason.STREAM, flows.others, flows.other_bytes)
        if "frames" in self._wanted:
            yield "frames", frame_rows(self._frames)

    def _alone(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Process all buckets in this process."""
        reader = _Reader(0, self._count, self._wanted, self._settings, self._place)
        done = 0
        for file in self._files:
            self._settings.tell("reading", done, self._total, shown(file.place))
            yield from reader.read(file)
            done += file.size
        yield from reader.reunite()
        self._frames = reader.frames
        maker = Maker(self._wanted, self._settings, self._place)
        for number, bucket in enumerate(reader.buckets):
            self._settings.tell("tables", number, self._count, "")
            yield from self._taken(maker.made(bucket.batches(), number))
            self._recount(maker.others)
            bucket.close()

    def _shared(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Process all buckets in other processes, which write their results to files."""
        settings, place = self._settings, self._place
        quiet = settings._replace(progress=None, memory=settings.memory // settings.processes)
        with ProcessPoolExecutor(settings.processes, get_context("spawn")) as crew:
            groups = _groups(self._files, self._total // (2 * settings.processes))
            reads = [
                crew.submit(_read_apart, number, group, self._count, self._wanted, quiet, place)
                for number, group in enumerate(groups)
            ]
            done = 0
            parts: list[list[Path]] = [[] for _ in range(self._count)]
            last = _Reader(len(groups), self._count, self._wanted, quiet, place)
            for group, read in zip(groups, reads, strict=True):
                settings.tell("reading", done, self._total, shown(group[0].place))
                frames, quarantine, paths, left = read.result()
                last.left += left
                yield from (("quarantine", batch) for batch in quarantine)
                self._frames |= frames
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
                crew.submit(_make_apart, number, paths, self._wanted, quiet, place)
                for number, paths in enumerate(parts)
            ]
            for number, make in enumerate(makes):
                settings.tell("tables", number, self._count, "")
                others, made = make.result()
                for name, path in made:
                    yield from self._taken((name, batch) for batch in mapped(path))
                    path.unlink()
                self._recount(others)

    def _taken(self, made: Iterable[tuple[str, pa.RecordBatch]]) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The rows of tables; changes of the directory are collected for its tables."""
        for name, batch in made:
            if name == CHANGED:
                self._changes.add(batch)
            else:
                yield name, batch

    def _recount(self, others: list[tuple[str, int, int]]) -> None:
        """Move the counts of frames whose connections turn out not to be MSMQ."""
        for file, count, size in others:
            self._frames[file].move(Reason.READ, Reason.STREAM, count, size)


def frame_rows(tallies: Mapping[str, Tally]) -> pa.RecordBatch:
    """The table `frames` from the counts of each file."""
    rows = [
        (tables.sensor_of(file), file, reason, detail, count, tally.bytes[reason, detail])
        for file, tally in tallies.items()
        for (reason, detail), count in sorted(tally.frames.items())
        if count
    ]
    columns: list[Any] = [*zip(*rows, strict=True)] or [[]] * len(tables.FRAMES)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, tables.FRAMES, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=plain(tables.FRAMES))


def _buckets(size: int, processes: int) -> int:
    """The number of buckets for files of a total size."""
    share = _BUCKET
    if processes > 1:
        share = min(max(size // (_SHARES * processes), _LEAST_BUCKET), _BUCKET)
    return min(max(-(-size // share), 1), _MOST_BUCKETS)


def _groups(files: list[File], size: int) -> list[list[File]]:
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


_Quarantined = tuple[dict[str, Tally], list[pa.RecordBatch], list[tuple[int, Path]], list[Left]]


def _read_apart(
    number: int, files: list[File], count: int, wanted: frozenset[str], settings: Settings, place: Path
) -> _Quarantined:
    """Read files in a separate process.

    Returns counts of frames, rows of `quarantine`, a file for each bucket, and the datagrams that wait for
    fragments in files of other processes.
    """
    reader = _Reader(number, count, wanted, settings, place)
    quarantine = [batch for file in files for _, batch in reader.read(file)]
    paths = [(bucket, spool.file()) for bucket, spool in enumerate(reader.buckets)]
    return (
        reader.frames,
        quarantine,
        [(bucket, path) for bucket, path in paths if path is not None],
        reader.left,
    )


def _make_apart(
    number: int, paths: list[Path], wanted: frozenset[str], settings: Settings, place: Path
) -> tuple[list[tuple[str, int, int]], list[tuple[str, Path]]]:
    """Process a bucket in a separate process: counts of other connections, and a file for each table."""
    maker = Maker(wanted, settings, place)
    spools: dict[str, Spool] = {}
    for name, batch in maker.made([batch for path in paths for batch in mapped(path)], number):
        if name not in spools:
            spools[name] = Spool(batch.schema, place / f"{name}-{number}", 0)
        spools[name].add(batch)
    for path in paths:
        path.unlink()
    made = [(name, spool.file()) for name, spool in spools.items()]
    return maker.others, [(name, path) for name, path in made if path is not None]


# ------------------------------------------------------------------------------------------ reading


def unreadable(
    unread: Iterable[tuple[str, str]], wanted: frozenset[str]
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """A row for each file or directory that cannot be opened, with the error."""
    if "quarantine" in wanted:
        for place, problem in unread:
            row = dict.fromkeys(SEGMENTS.names) | {
                "file": shown(place), "offset": 0, "payload": b"", "length": 0, "captured": 0,
                "places": 1, "error": problem,
            }  # fmt: skip
            batch = pa.RecordBatch.from_pylist([row], schema=plain(SEGMENTS))
            yield "quarantine", tables.quarantine_of_segments(batch)


def part_batches(
    part: Part, limits: ReadLimits, tally: Tally, left: list[Left] | None = None, file: Any = None
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


class _Reader:
    """Divides the segments of files into buckets.

    Attributes:
        buckets: The buckets.
        frames: Counts of the frames of each file by result.
        left: Datagrams whose other fragments may be in other files.
    """

    def __init__(
        self, number: int, count: int, wanted: frozenset[str], settings: Settings, place: Path
    ) -> None:
        share = max(settings.memory // count, _BATCH_BYTES)
        self._wanted = wanted
        self._settings = settings
        self.frames: dict[str, Tally] = {}
        self.left: list[Left] = []
        self.buckets = [
            Spool(plain(SEGMENTS), place / f"segments-{number}-{bucket}", share) for bucket in range(count)
        ]

    def read(self, file: File) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Divide the segments of a file into buckets; unreadable parts are rows of `quarantine`."""
        tally = self.frames[shown(file.place)] = Tally()
        part = Part(file.place, "auto", 0, file.size)
        try:
            yield from self._kept(part_batches(part, _limits(self._settings), tally, self.left))
            if len(self.left) > _MOST_LEFT:
                yield from self.reunite()
        except OSError as error:
            yield from unreadable([(file.place, f"cannot be read: {error.strerror or error}")], self._wanted)

    def reunite(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Reassemble the remaining fragments; incomplete datagrams are rows of `quarantine`."""
        left, self.left = self.left, []
        reunited = reunited_batches(left, _limits(self._settings), self.frames, tables.sensor_of)
        return self._kept(_sorted_out(reunited))

    def _kept(self, batches: Iterable[tuple[str, pa.RecordBatch]]) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Divide segments into buckets, and yield other rows."""
        for name, batch in batches:
            if name == "segments":
                self._put(batch)
            elif name in self._wanted:
                yield name, batch

    def _put(self, batch: pa.RecordBatch) -> None:
        if len(self.buckets) == 1:
            self.buckets[0].add(batch)
            return
        numbers = bucket_numbers(batch, len(self.buckets))
        for number in np.unique(numbers).tolist():
            self.buckets[number].add(batch.take(pa.array(np.flatnonzero(numbers == number))))


def bucket_numbers(batch: pa.RecordBatch, count: int) -> NDArray[np.int64]:
    """The bucket of each segment; all segments of a pair of endpoints have the same bucket."""
    ends = Endpoints(batch)
    return ends.each([zlib.crc32(pair.encode()) % count for pair in ends.pairs])


# ------------------------------------------------------------------------------------------ tables


class Maker:
    """Makes the tables of buckets.

    Attributes:
        others: For the current bucket, files with the numbers of frames and of payload bytes that are not
            MSMQ.
    """

    def __init__(
        self, wanted: frozenset[str], settings: Settings, place: Path, *, live: bool = False
    ) -> None:
        self._live = live
        self._wanted = wanted
        self._settings = settings
        self._place = place
        self.others: list[tuple[str, int, int]] = []

    def made(self, batches: list[pa.RecordBatch], number: int) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The tables of a bucket."""
        bucket = Bucket(batches)
        self.others = bucket.others
        if not bucket.rows:
            return
        wanted = self._wanted
        flows = bucket.flows()
        if "flows" in wanted:
            yield "flows", flows
        sizes: list[pa.RecordBatch] = []
        judged = Spool(plain(PIECES), self._place / f"pieces-{number}", self._settings.memory // 4)
        tcp = wanted & {"sessions", "violations"}
        for pieces in _together(pieces_of(self._settings.max_packet_size)(bucket.ordered())):
            sizes.append(pieces.select(["sensor", "flow", "kind", "size"]))
            if tcp:
                judged.add(pieces)
            yield from self.of_pieces(pieces)
        if "balance" in wanted:
            yield "balance", _balance(flows, sizes)
        if tcp:
            yield from self._sessions(judged.batches(), flows)
        judged.close()

    def of_pieces(self, pieces: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The tables that need only single pieces."""
        wanted = self._wanted
        if not pieces.num_rows:
            return
        if "pieces" in wanted:
            yield "pieces", pieces
        if "gaps" in wanted:
            yield "gaps", tables.gaps(pieces)
        if "quarantine" in wanted:
            yield "quarantine", tables.quarantine_of_pieces(pieces)
        found = None
        if wanted & _MEANT:
            found = tables.packets(pieces)
            if "packets" in wanted:
                yield "packets", found
        if "violations" in wanted:
            held = pc.equal(pieces.column("kind"), str(Kind.PACKET))
            if not self._live:  # those of TCP are found with their sessions
                held = pc.and_(held, pc.not_equal(pieces.column("transport"), "tcp"))
            worker = violations(_judge(self._settings))
            yield from (("violations", batch) for batch in worker([pieces.filter(held)]))
        if found is not None and wanted & (_MEANT - {"packets"}):
            yield from self._of_messages(found)
        if "messages" in wanted:
            yield from (("messages", batch) for batch in partial_messages()([pieces]) if batch.num_rows)

    def _of_messages(self, packets: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
        whole = tables.whole_packets(packets)
        users = whole.filter(pc.equal(whole.column("type"), "UserMessage"))
        for made in messages()([tables.message_fields(users)]):
            if "messages" in self._wanted:
                yield "messages", made
            carriers = users.filter(pc.is_valid(made.column("carries")))
            for batch in bodies()([carriers]) if carriers.num_rows else ():
                if "quarantine" in self._wanted:
                    yield "quarantine", tables.quarantine_of_bodies(batch)
                for changed in changes()([batch.filter(pc.is_valid(batch.column("body")))]):
                    yield CHANGED, changed

    def _sessions(
        self, batches: list[pa.RecordBatch], flows: pa.RecordBatch
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Sessions and their violations."""
        judge = _judge(self._settings) if "violations" in self._wanted else None
        for batch in session_rows(judge)(_by_connection(batches, flows)):
            if "sessions" in self._wanted:
                yield "sessions", _unfolded(batch, "session")
            if "violations" in self._wanted:
                found = _unfolded(batch, "finding")
                ignored = pa.array(sorted(self._settings.ignore), pa.string())
                yield "violations", found.filter(pc.invert(pc.is_in(found.column("requirement"), ignored)))


def _judge(settings: Settings) -> Judge:
    return Judge(settings.level, settings.profile, settings.ignore)


def _together(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Combine rows to larger batches, because decoding columns has a cost for each batch."""
    held: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        held.append(batch)
        size += batch.nbytes
        if sum(one.num_rows for one in held) >= _MANY_ROWS or size >= _MANY_BYTES:
            yield _joined(held)
            held, size = [], 0
    if any(batch.num_rows for batch in held):
        yield _joined(held)


def _joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    (joined,) = pa.Table.from_batches(batches).combine_chunks().to_batches()
    return joined


def _unfolded(batch: pa.RecordBatch, name: str) -> pa.RecordBatch:
    """The fields of a struct column, of the rows that have it."""
    column = batch.column(name)
    return pa.RecordBatch.from_struct_array(column.filter(pc.is_valid(column)))


# ------------------------------------------------------------------------------------------ buckets


class Endpoints:
    """The pairs of endpoints in a table.

    Attributes:
        pairs: The text of each pair, with its transport; for a file of packets, its name.
        forwards: Whether each direction starts at the endpoint that is named first.
    """

    def __init__(self, rows: pa.RecordBatch | pa.Table) -> None:
        names = ("transport", "src", "src_port", "dst", "dst_port")
        codes = np.zeros(rows.num_rows, np.int64)
        for name in names:
            encoded = _encoded(rows.column(name))
            index = encoded.indices.fill_null(len(encoded.dictionary)).to_numpy(zero_copy_only=False)
            codes = codes * (len(encoded.dictionary) + 1) + index
            _, first, codes = np.unique(codes, return_index=True, return_inverse=True)
            codes = codes.reshape(-1)  # numbers that stay small
        self._way_of = codes
        taken = pa.array(first)
        self.pairs: list[str] = []
        self.forwards: list[bool] = []
        columns = [rows.column(name).take(taken).to_pylist() for name in (*names, "file")]
        for transport, src, src_port, dst, dst_port, file in zip(*columns, strict=True):
            one, other = endpoint(src, src_port), endpoint(dst, dst_port)
            forward = one <= other
            ends = f"{one} {other}" if forward else f"{other} {one}"
            self.pairs.append(file if transport == "raw" else f"{transport} {ends}")
            self.forwards.append(forward)

    def each(self, values: Sequence[Any]) -> NDArray[Any]:
        """For each row, the value of its direction."""
        found: NDArray[Any] = np.asarray(values)[self._way_of]
        return found


def _encoded(column: Any) -> Any:
    encoded = column.dictionary_encode()
    return encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded


class Bucket:
    """The segments of a bucket, in order.

    Attributes:
        rows: Number of segments.
        others: Files with the numbers of rows and of captured bytes that are not MSMQ.
    """

    def __init__(self, batches: list[pa.RecordBatch]) -> None:
        self.others: list[tuple[str, int, int]] = []
        self.rows = sum(batch.num_rows for batch in batches)
        if not self.rows:
            return
        payloads = [batch.column("payload") for batch in batches]
        light = pa.Table.from_batches(
            [batch.drop_columns(["payload", "places", "error"]) for batch in batches]
        )
        light = light.combine_chunks()
        starts = np.cumsum([0, *(len(chunk) for chunk in payloads)])[:-1]
        order, paired = _in_order(light, self.others)
        self.rows = len(order)
        if not self.rows:
            return
        light = light.take(pa.array(order))
        pair, forward, names = paired
        batch, *rest = light.combine_chunks().to_batches()
        if rest:  # texts of more than 2 GiB
            raise MsmqWireError(f"a bucket has {self.rows:,} segments, which are too many to put in order")
        sensors = _encoded(batch.column("file"))
        sensor_names = [tables.sensor_of(file) for file in sensors.dictionary.to_pylist()]
        extra = {
            "sensor": pa.array(sensor_names, pa.string()).take(sensors.indices),
            "pair": pa.array(names, pa.string()).take(pa.array(pair)),
            "forward": pa.array(forward),
        }
        self._batch = pa.RecordBatch.from_arrays(
            [*batch.columns, *extra.values()], names=[*batch.schema.names, *extra]
        )
        self._payloads, self._starts, self._order = payloads, starts, order
        self._segments = segments_of(self._batch, _numbered(sensors.indices, sensor_names, pair))
        self._placed = placed(self._segments)
        self._flows = flow_columns(self._batch, self._segments, self._placed.opening)
        told = np.flatnonzero(self._placed.tells)
        wrong = pc.fill_null(pc.invert(self._batch.column("checksum")), False).to_numpy(zero_copy_only=False)
        keys = (self._placed.position, wrong, self._placed.place, self._flows[0])
        self._index = told[np.lexsort([key[told] for key in keys])]

    def flows(self) -> pa.RecordBatch:
        """The table `flows`, of these."""
        index, (codes, keys) = self._index, self._flows
        of = codes[index]
        starts = np.flatnonzero(np.r_[True, of[1:] != of[:-1]]) if len(of) else np.zeros(0, np.int64)
        if not len(starts):
            return pa.RecordBatch.from_pylist([], schema=plain(tables.FLOWS))
        rows, flags = self._segments, self._segments.flags[index]
        ends = (flags & 3) != 0
        time = self._batch.column("time").cast(pa.int64()).fill_null(-1).to_numpy()
        captured = self._batch.column("captured").cast(pa.int64()).to_numpy()
        columns = {
            "place": self._placed.place[index],
            "length": rows.length[index],
            "captured": captured[index],
            "solid": (rows.length[index] > 0) | ends,
            "fin": (flags & 1) != 0,
            "opened": self._placed.opening[index] >= 0,
            "closed": (flags & 5) != 0,
            "time": time[index],
        }
        return tables.spans(starts, [key.take(pa.array(of[starts])) for key in keys], columns)

    def ordered(self) -> Iterator[pa.RecordBatch]:
        """The rows that describe bytes of their flows, flow by flow, ordered by offset."""
        captured = self._batch.column("captured").cast(pa.int64()).to_numpy()
        for start, stop in portions(captured[self._index]):
            index = self._index[start:stop]
            taken = pa.array(index)
            passed = [
                gathered(self._payloads, self._starts, self._order[index])
                if name == "payload"
                else self._batch.column(name).take(taken)
                for name in PASSED
            ]
            yield rows_with_places(self._segments, self._placed, self._flows, index, passed)


def _numbered(file_of: Any, sensors: list[str], pair: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number for each pair of each sensor."""
    known = {name: number for number, name in enumerate(dict.fromkeys(sensors))}
    sensor_of_file = np.array([known[name] for name in sensors], np.int64)
    number: NDArray[np.int64] = pair * len(known) + sensor_of_file[file_of.to_numpy()]
    return number


def _in_order(
    rows: pa.Table, others: list[tuple[str, int, int]]
) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], NDArray[np.bool_], list[str]]]:
    """The order of rows: pair by pair in the order of capture; and pair and direction of each row.

    Rows of connections without a marked segment are omitted and counted as others.
    """
    ends = Endpoints(rows)
    names = sorted(set(ends.pairs))
    number_of = {name: number for number, name in enumerate(names)}
    pair = ends.each([number_of[name] for name in ends.pairs]).astype(np.int64)
    forward = ends.each(ends.forwards)
    files = _encoded(rows.column("file"))
    paths = files.dictionary.to_pylist()
    by_name = sorted(range(len(paths)), key=paths.__getitem__)
    rank = np.empty(len(paths), np.int64)
    rank[by_name] = np.arange(len(paths))
    file = rank[files.indices.to_numpy()]
    sensors = {name: number for number, name in enumerate(sorted({tables.sensor_of(path) for path in paths}))}
    sensor = np.array([sensors[tables.sensor_of(path)] for path in paths])[files.indices.to_numpy()]
    frame = rows.column("frame").to_numpy()
    marked = rows.column("marked").to_numpy()
    key = pair * len(sensors) + sensor
    known = np.zeros(len(names) * len(sensors), np.bool_)
    np.logical_or.at(known, key[marked], True)  # a value, no flag
    wanted = known[key]
    others += _others(rows, ~wanted)
    order = np.lexsort((frame, file, key))
    order = order[wanted[order]]
    time = rows.column("time").cast(pa.int64()).fill_null(_WRAP_CHECK).to_numpy()[order]
    clock = _clock(time, key[order], file[order])
    order = order[np.lexsort((frame[order], file[order], clock, key[order]))]
    return order, (pair[order], forward[order], names)


def _clock(time: NDArray[np.int64], key: NDArray[np.int64], file: NDArray[np.int64]) -> NDArray[np.int64]:
    """Times that never decrease within a file: each is the least of the following ones."""
    if not len(time):
        return time
    starts = np.flatnonzero(np.r_[True, (key[1:] != key[:-1]) | (file[1:] != file[:-1])])
    stops = np.r_[starts[1:], len(time)]
    back = np.r_[False, time[1:] < time[:-1]] | (time == _WRAP_CHECK)
    back[starts] = time[starts] == _WRAP_CHECK
    made = time.copy()
    for group in np.unique(np.searchsorted(starts, np.flatnonzero(back), side="right") - 1).tolist():
        start, stop = starts[group], stops[group]
        own = time[start:stop]
        known = own[own < _WRAP_CHECK]
        least = np.minimum.accumulate(own[::-1])[::-1]
        made[start:stop] = np.where(least == _WRAP_CHECK, known.max() if len(known) else -1, least)
    return made


def _others(rows: pa.Table, others: NDArray[np.bool_]) -> list[tuple[str, int, int]]:
    """Files, each with its number of these rows and of their captured bytes."""
    if not others.any():
        return []
    left = (
        rows.filter(pa.array(others)).group_by("file").aggregate([("captured", "sum"), ("captured", "count")])
    )
    names = ("file", "captured_count", "captured_sum")
    return list(zip(*(left.column(name).to_pylist() for name in names), strict=True))


# ------------------------------------------------------------------------------------------ sessions


def _by_connection(batches: list[pa.RecordBatch], flows: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Pieces of TCP, connection by connection in the order of their turns, with what `session_rows` takes."""
    beside = pa.array([str(kind) for kind in Kind if not kind.in_stream])
    names = [
        *(name for name, _, _ in CARRIED), "kind", "type", "error", "path", "error_offset", "turn", "seen",
    ]  # fmt: skip
    parts, places = [], []
    # The bytes stay where they are, in a file that is mapped where they are many: only portions are copied.
    datas = [batch.column("data") for batch in batches]
    starts = np.cumsum([0, *(len(data) for data in datas)])[:-1]
    for batch, start in zip(batches, starts.tolist(), strict=True):
        tcp = pc.equal(batch.column("transport"), "tcp")
        wanted = pc.and_(tcp, pc.invert(pc.is_in(batch.column("kind"), beside)))
        parts.append(batch.select(names).filter(wanted))
        places.append(start + np.flatnonzero(wanted.to_numpy(zero_copy_only=False)))
    if not any(part.num_rows for part in parts):
        return
    place = np.concatenate(places)
    light = pa.Table.from_batches(parts).combine_chunks()
    keys = [
        _ranks(light.column(name))
        if pa.types.is_string(light.schema.field(name).type)
        else _numbers(light, name)
        for name in ("sensor", "connection", "turn", "end_time", "last_file", "last_frame", "flow", "offset")
    ]
    order = np.lexsort(keys[::-1])
    ends: dict[tuple[str, str], tuple[bool, bool]] = {}
    columns = (flows.column(name).to_pylist() for name in ("sensor", "connection", "opened", "closed"))
    for sensor, connection, opened, closed in zip(*columns, strict=True):
        before = ends.get((sensor, connection), (False, False))
        ends[sensor, connection] = before[0] or opened, before[1] or closed
    for start, stop in portions(_numbers(light, "size")[order], _JUDGED_ROWS, _JUDGED_BYTES):
        index = order[start:stop]
        rows = light.take(pa.array(index)).combine_chunks().to_batches()[0]
        packet = pc.equal(rows.column("kind"), str(Kind.PACKET))
        found = [
            ends[key]
            for key in zip(
                rows.column("sensor").to_pylist(), rows.column("connection").to_pylist(), strict=True
            )
        ]
        yield pa.RecordBatch.from_arrays(
            [
                *rows.columns,
                pc.if_else(packet, gathered(datas, starts, place[index]), None),
                *(pa.array(column, pa.bool_()) for column in zip(*found, strict=True)),
            ],
            names=[*rows.schema.names, "data", "opened", "closed"],
        )


def _numbers(rows: pa.Table, name: str) -> NDArray[np.int64]:
    found: NDArray[np.int64] = rows.column(name).cast(pa.int64()).fill_null(-1).to_numpy()
    return found


def _ranks(column: Any) -> NDArray[np.int64]:
    """Numbers in the order of texts; null comes first."""
    encoded = _encoded(column)
    values = encoded.dictionary.to_pylist()
    rank = np.empty(len(values) + 1, np.int64)
    rank[sorted(range(len(values)), key=lambda at: values[at].encode())] = np.arange(len(values))
    rank[-1] = -1
    found: NDArray[np.int64] = rank[encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)]
    return found


# ------------------------------------------------------------------------------------------ balance


def _balance(flows: pa.RecordBatch, sizes: list[pa.RecordBatch]) -> pa.RecordBatch:
    """One row for each flow: its size, and the sizes of its rows in each table.

    Raises:
        ImbalanceError: The sizes do not add up.
    """
    beside = pa.array([str(kind) for kind in Kind if not kind.in_stream])
    totals: dict[tuple[str, str], list[int]] = {}
    if sizes:
        pieces = pa.Table.from_batches(sizes)
        pieces = pieces.filter(pc.invert(pc.is_in(pieces.column("kind"), beside)))
        grouped = pieces.group_by(["sensor", "flow", "kind"]).aggregate([("size", "sum")])
        for row in grouped.to_pylist():
            own = totals.setdefault((row["sensor"], row["flow"]), [0, 0, 0])
            own[{str(Kind.PACKET): 0, str(Kind.GAP): 2}.get(row["kind"], 1)] += row["size_sum"]
    rows = []
    for sensor, flow, size in zip(
        *(flows.column(name).to_pylist() for name in ("sensor", "flow", "size")), strict=True
    ):
        own = totals.pop((sensor, flow), [0, 0, 0])
        rows.append((sensor, flow, size, *own, size - sum(own)))
    rows += [(sensor, flow, 0, *own, -sum(own)) for (sensor, flow), own in totals.items()]
    wrong = [f"{row[1]}: {row[-1]:+,} bytes" for row in rows if row[-1]]
    if wrong:
        raise ImbalanceError(f"{len(wrong)} flows do not balance: {'; '.join(wrong[:5])}")
    columns: list[Any] = [*zip(*rows, strict=True)] or [[]] * len(tables.BALANCE)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, tables.BALANCE, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=plain(tables.BALANCE))
