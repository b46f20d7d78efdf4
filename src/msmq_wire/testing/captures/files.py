"""Generated capture files of an enterprise with their ground truth; needs the extras captures and testing.

1. `events` yields frames and, as soon as it is final, their ground truth: packets, gaps, junk.
2. `write_captures` writes the frames to pcap or pcapng files, one for each sensor, and the truth to Parquet.
3. The same arguments give the same bytes.  Memory hardly grows with the number of packets.
"""

from __future__ import annotations

import argparse
import gzip
import struct
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import pyarrow as pa
import pyarrow.parquet as pq

from msmq_wire.values.errors import MsmqWireError, need, need_within
from msmq_wire.values.times import SECOND
from msmq_wire.views.texts import counted

from .connections import Faults
from .enterprise import Enterprise
from .message_truth import Message
from .rehearsal import Attack, Copy, Dependency, Machine, Outcome, Rehearsal, RemoteRead, seconds_of
from .session_truth import TALLY, Party, Session
from .truth import Change, IntendedViolation, Span
from .wire import Frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = [
    "ATTACKS",
    "COPIES",
    "DEPENDENCIES",
    "DIRECTORY",
    "HOSTS",
    "MESSAGES",
    "OUTCOMES",
    "READS",
    "SESSIONS",
    "TRUTH",
    "VIOLATIONS",
    "Attack",
    "Change",
    "Copy",
    "Dependency",
    "Faults",
    "Form",
    "Frame",
    "IntendedViolation",
    "Machine",
    "Message",
    "Outcome",
    "Party",
    "Rehearsed",
    "RemoteRead",
    "Session",
    "Span",
    "Written",
    "events",
    "main",
    "write_captures",
    "write_rehearsal",
]

Form: TypeAlias = Literal["pcap", "pcapng", "pcap.gz", "pcapng.gz"]
"""Formats of capture files; also the endings of their names."""

_WAY = (
    ("file", pa.string()),
    ("src", pa.string()),
    ("src_port", pa.int32()),
    ("dst", pa.string()),
    ("dst_port", pa.int32()),
    ("connection", pa.int32()),
)
TRUTH = pa.schema(
    [
        *_WAY,
        ("kind", pa.string()),
        ("offset", pa.int64()),
        ("length", pa.int64()),
        ("data", pa.binary()),
        ("packet", pa.string()),
    ]
)
"""Columns of the ground truth: the attributes of `Span` up to `Span.packet`."""

_PROPERTY = pa.struct([("number", pa.int64()), ("vt", pa.int32()), ("value", pa.string())])
DIRECTORY = pa.schema(
    [
        *_WAY,
        ("offset", pa.int64()),
        ("position", pa.int32()),
        ("server", pa.string()),
        ("site", pa.string()),
        ("type", pa.string()),
        ("Command", pa.int32()),
        ("PathName", pa.string()),
        ("GuidIdentifier", pa.string()),
        ("PartitionID", pa.string()),
        ("PreviousSeqNumber", pa.binary()),
        ("SeqNumber", pa.binary()),
        ("PurgedSeqNumber", pa.binary()),
        ("properties", pa.list_(_PROPERTY)),
    ]
)
"""Columns of the changes in captured directory messages: where the message is, and the attributes of
`Change`."""

_SECONDS = {"sent_at": pa.timestamp("s", "UTC")}
_TYPES = {
    "float": pa.float64(),
    "str": pa.string(),
    "int": pa.int64(),
    "bool": pa.bool_(),
    "bytes": pa.binary(),
}


def _columns(record: type[Any], **given: pa.DataType) -> list[tuple[str, pa.DataType]]:
    """Return the columns for the attributes of a named tuple."""
    hints = record.__annotations__
    return [
        (name, given.get(name) or _TYPES[str(getattr(hint, "__forward_arg__", hint)).partition(" |")[0]])
        for name, hint in hints.items()
    ]


MESSAGES = pa.schema([*_WAY, ("offset", pa.int64()), *_columns(Message, **_SECONDS)])
"""Columns of completely captured UserMessages: their locations, and the attributes of `Message`."""

_PARTY = pa.struct(_columns(Party, tally=pa.struct([(kind, pa.int64()) for kind in TALLY])))
SESSIONS = pa.schema(_columns(Session, forward=_PARTY, backward=_PARTY))
"""Columns of the sessions: the attributes of `Session`."""

VIOLATIONS = pa.schema([*_WAY, ("offset", pa.int64()), ("length", pa.int64()), *_columns(IntendedViolation)])
"""Columns of the violated requirements: the span that violates each, and its attributes."""

OUTCOMES = pa.schema(_columns(Outcome, **_SECONDS))
"""Columns of the outcome of each message of a rehearsal: the attributes of `Outcome`."""

DEPENDENCIES = pa.schema(_columns(Dependency))
"""Columns of the senders of each queue: the attributes of `Dependency`."""

HOSTS = pa.schema(_columns(Machine))
"""Columns of the hosts of a rehearsal: the attributes of `Machine`."""

READS = pa.schema(_columns(RemoteRead))
"""Columns of the remote reads: the attributes of `RemoteRead`."""

COPIES = pa.schema(_columns(Copy))
"""Columns of the copies of messages: the attributes of `Copy`."""

ATTACKS = pa.schema(_columns(Attack))
"""Columns of the attacks: the attributes of `Attack`."""

_FORMS = get_args(Form)
BATCH_ROWS, BATCH_BYTES = 20_000, 16 << 20
_SNAPLEN = 262_144
_ETHERNET = 1  # the link type
_MANAGERS = (5, 5000)


class Written(NamedTuple):
    """The result of `write_captures`.

    Attributes:
        captures: The capture files.
        truth: The Parquet file with the ground truth.
        directory: The Parquet file with the changes of the directory.
        messages: The Parquet file with the interpreted messages.
        sessions: The Parquet file with the sessions.
        violations: The Parquet file with the violated requirements.
        frames: Number of frames.
        bytes: Size of the frames.
        packets: Number of completely captured packets, without the datagrams.
        gaps: Number of gaps.
        junk: Number of junk spans.
        pings: Number of Ping datagrams.
        changes: Number of changes of the directory.
    """

    captures: tuple[Path, ...]
    truth: Path
    directory: Path
    messages: Path
    sessions: Path
    violations: Path
    frames: int
    bytes: int
    packets: int
    gaps: int
    junk: int
    pings: int
    changes: int


def events(
    packets: int, *, seed: int = 0, faults: Faults | None = None, managers: int = 24, files: int = 4
) -> Iterator[Frame | Span | Session]:
    """Generate the frames that the sensors of an enterprise capture, and the ground truth.

    Args:
        packets: The number of packets to send; with faults, fewer are captured completely.
        seed: The seed, which determines everything.
        faults: The faults; none by default.
        managers: The number of queue managers, 5 to 5000.
        files: The number of sensors; each connection is captured by one of them.

    Yields:
        Frames in the order of capture, the spans of each direction of a connection in the order of their
        offsets, and a session at the end of each connection.

    Raises:
        MsmqWireError: A number is out of range.

    Examples:
        >>> spans = [event for event in events(100, seed=1) if isinstance(event, Span)]
        >>> sum(span.kind == "packet" for span in spans)
        100
        >>> spans[0].packet, spans[0].offset
        ('EstablishConnection', 0)
    """
    for name, value, (low, high) in (
        ("packets", packets, (0, 1 << 62)),
        ("managers", managers, _MANAGERS),
        ("files", files, (1, 1000)),
    ):
        need(name, value, int, "a whole number")
        need_within(name, value, low, high, f"{low} to {high}")
    return Enterprise(packets, seed, faults, managers=managers, files=files).run()


def _check_form(form: str) -> None:
    if form not in _FORMS:
        raise MsmqWireError(f"there is no format {form!r}; there are {', '.join(_FORMS)}")


def write_captures(
    directory: str | Path,
    packets: int,
    *,
    seed: int = 0,
    faults: Faults | None = None,
    managers: int = 24,
    files: int = 4,
    form: Form = "pcap",
) -> Written:
    """Write capture files and the ground truth.

    The files are ``captures/sensor00.pcap`` and so on, ``truth.parquet`` with the columns `TRUTH`, and
    ``directory.parquet``, ``messages.parquet``, ``sessions.parquet`` and ``violations.parquet`` with the
    columns `DIRECTORY`, `MESSAGES`, `SESSIONS` and `VIOLATIONS`.

    Args:
        directory: The output directory, created if necessary.
        packets: The number of packets to send.
        seed: The seed, which determines everything.
        faults: The faults; none by default.
        managers: The number of queue managers, 5 to 5000.
        files: The number of sensors.
        form: Format of the capture files.

    Raises:
        MsmqWireError: A number is out of range, or there is no such format.
        OSError: A file cannot be written.
    """
    _check_form(form)
    source = events(packets, seed=seed, faults=faults, managers=managers, files=files)
    folder = Path(directory)
    (folder / "captures").mkdir(parents=True, exist_ok=True)
    counts = {"packet": 0, "gap": 0, "junk": 0, "ping": 0}
    frames = size = 0
    with ExitStack() as stack:
        truth = _Truth(stack, folder)
        paths = {
            name: folder / "captures" / f"{name}.{form}" for name in (f"sensor{n:02d}" for n in range(files))
        }
        writers = {name: _writer(stack, path) for name, path in paths.items()}
        for event in source:
            if isinstance(event, Frame):
                frames += 1
                size += len(event.data)
                writers[event.file](event)
                continue
            named = event._replace(file=paths[event.file].name)
            if isinstance(named, Session):
                truth.add_session(named)
            else:
                counts[named.kind] += 1
                truth.add_span(named)
        truth.close()
    return Written(
        tuple(paths.values()), truth.spans.path, truth.changes.path, truth.messages.path,
        truth.sessions.path, truth.violations.path, frames, size,
        counts["packet"], counts["gap"], counts["junk"], counts["ping"], truth.changes.count,
    )  # fmt: skip


class _Truth:
    """Writes the ground truth."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self.spans, self.changes, self.messages, self.sessions, self.violations = self._tables = [
            _Table(stack, folder / f"{name}.parquet", schema)
            for name, schema in (
                ("truth", TRUTH),
                ("directory", DIRECTORY),
                ("messages", MESSAGES),
                ("sessions", SESSIONS),
                ("violations", VIOLATIONS),
            )
        ]

    def add_span(self, span: Span) -> None:
        way = span[: len(_WAY)]
        self.spans.add(span[: len(TRUTH)], len(span.data or b""))
        for change in span.changes:
            self.changes.add((*way, span.offset, *change))
        for breach in span.breaches:
            self.violations.add((*way, span.offset, span.length, *breach))
        if span.message is not None:
            self.messages.add((*way, span.offset, *span.message), len(span.message.body))

    def add_session(self, session: Session) -> None:
        self.sessions.add((*session[:-2], *map(_as_row, session[-2:])))

    def close(self) -> None:
        for table in self._tables:
            table.flush()


class Rehearsed(NamedTuple):
    """The result of `write_rehearsal`.

    Attributes:
        captures: The capture files.
        truth: The Parquet file with the packets, gaps and junk.
        outcomes: The Parquet file with the outcome of each message.
        dependencies: The Parquet file with the senders of each queue.
        hosts: The Parquet file with the hosts.
        reads: The Parquet file with the remote reads.
        copies: The Parquet file with the copies from journals and dead-letter queues.
        attacks: The Parquet file with the attacks.
        frames: Number of frames.
        packets: Number of completely captured packets.
        messages: Number of messages.
    """

    captures: tuple[Path, ...]
    truth: Path
    outcomes: Path
    dependencies: Path
    hosts: Path
    reads: Path
    copies: Path
    attacks: Path
    frames: int
    packets: int
    messages: int


def write_rehearsal(
    directory: str | Path,
    duration: float,
    *,
    seed: int = 0,
    faults: Faults | None = None,
    managers: int = 12,
    files: int = 4,
    form: Form = "pcap",
) -> Rehearsed:
    """Write captures of days of an enterprise with applications, failures and attacks, and their truth.

    The files are ``captures/sensor00/sensor00.pcap`` and so on, a folder for each sensor, because a
    connection may pass several; ``truth.parquet`` with the columns `TRUTH`; and
    ``outcomes.parquet``, ``dependencies.parquet``, ``hosts.parquet``, ``reads.parquet``,
    ``copies.parquet`` and ``attacks.parquet`` with the columns `OUTCOMES`, `DEPENDENCIES`, `HOSTS`, `READS`,
    `COPIES` and `ATTACKS`.

    Args:
        directory: The output directory, created if necessary.
        duration: Seconds, from a Monday at midnight.
        seed: The seed, which determines everything.
        faults: The faults of segments and connections; none by default.
        managers: Number of queue managers, 5 to 250.
        files: Number of sensors: beside the hub, the three hosts of the center, and branches.
        form: Format of the capture files.

    Raises:
        MsmqWireError: A number is out of range, or there is no such format.
        OSError: A file cannot be written.
    """
    _check_form(form)
    rehearsal = Rehearsal(duration, seed=seed, faults=faults, managers=managers, files=files)
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    frames = packets = 0
    with ExitStack() as stack:
        names = [f"sensor{number:02d}" for number in range(files)]
        paths = {name: folder / "captures" / name / f"{name}.{form}" for name in names}
        for path in paths.values():
            path.parent.mkdir(parents=True, exist_ok=True)
        writers = {name: _writer(stack, path) for name, path in paths.items()}
        spans = _Table(stack, folder / "truth.parquet", TRUTH)
        for event in rehearsal.run():
            if isinstance(event, Frame):
                frames += 1
                writers[event.file](event)
            else:
                packets += event.kind == "packet"
                span = event._replace(file=paths[event.file].name)
                spans.add(span[: len(TRUTH)], len(span.data or b""))
        tables = [spans]
        for name, schema, rows in (
            ("outcomes", OUTCOMES, rehearsal.outcomes()),
            ("dependencies", DEPENDENCIES, rehearsal.dependencies()),
            ("hosts", HOSTS, rehearsal.machines()),
            ("reads", READS, rehearsal.reads()),
            ("copies", COPIES, rehearsal.copies()),
            ("attacks", ATTACKS, rehearsal.attacks()),
        ):
            tables.append(_Table(stack, folder / f"{name}.parquet", schema))
            for row in rows:
                tables[-1].add(tuple(row))
        for table in tables:
            table.flush()
    truth, outcomes, dependencies, hosts, reads, copies, attacks = (table.path for table in tables)
    return Rehearsed(
        tuple(paths.values()), truth, outcomes, dependencies, hosts, reads, copies, attacks,
        frames, packets, tables[1].count,
    )  # fmt: skip


def _as_row(party: Party) -> dict[str, Any]:
    return {**party._asdict(), "tally": dict(zip(TALLY, party.tally, strict=True))}


def _writer(stack: ExitStack, path: Path) -> Callable[[Frame], object]:
    """Return a function that writes frames to a new file."""
    raw = stack.enter_context(path.open("wb"))
    # The gzip header contains neither name nor time, so equal packets give equal bytes.
    packed = path.suffix == ".gz"
    file: Any = stack.enter_context(gzip.GzipFile("", "wb", 1, raw, mtime=0)) if packed else raw
    if ".pcapng" in path.name:
        file.write(_block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)))
        file.write(_block(1, struct.pack("<HHI", _ETHERNET, 0, _SNAPLEN)))
        return lambda frame: file.write(_enhanced(frame))
    file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, _SNAPLEN, _ETHERNET))
    return lambda frame: file.write(_record(frame))


def _record(frame: Frame) -> bytes:
    size = len(frame.data)
    return struct.pack("<IIII", *divmod(frame.time, SECOND), size, size) + frame.data


def _enhanced(frame: Frame) -> bytes:
    size = len(frame.data)
    head = struct.pack("<IIIII", 0, frame.time >> 32, frame.time & 0xFFFFFFFF, size, size)
    return _block(6, head + frame.data + bytes(-size % 4))


def _block(kind: int, body: bytes) -> bytes:
    """Return a block of pcapng."""
    size = 12 + len(body)
    return struct.pack("<II", kind, size) + body + struct.pack("<I", size)


class _Table:
    """Writes rows to a Parquet file, in batches."""

    def __init__(self, stack: ExitStack, path: Path, schema: pa.Schema) -> None:
        self.path = path
        self.count = 0
        self._schema = schema
        self._writer = stack.enter_context(pq.ParquetWriter(path, schema, compression="zstd"))
        self._rows: list[tuple[Any, ...]] = []
        self._bytes = 0

    def add(self, row: tuple[Any, ...], size: int = 0) -> None:
        self.count += 1
        self._rows.append(row)
        self._bytes += size
        if len(self._rows) >= BATCH_ROWS or self._bytes >= BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            columns = zip(*self._rows, strict=True)
            arrays = [
                pa.array(column, field.type) for column, field in zip(columns, self._schema, strict=True)
            ]
            self._writer.write_batch(pa.record_batch(arrays, schema=self._schema))
        self._rows, self._bytes = [], 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command: write captures, and print a summary."""
    parser = argparse.ArgumentParser(
        prog="python -m msmq_wire.testing.captures",
        description="Generate capture files of queue managers, with their ground truth.",
    )
    parser.add_argument("directory", help="output directory")
    parser.add_argument("--packets", type=int, help="number of packets to send (10000)")
    parser.add_argument(
        "--duration",
        help="time of a rehearsal, such as 7d or 12h, with applications and attacks",
    )
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same files (0)")
    parser.add_argument("--faults", default="none", help='"all", "none" or a list such as loss=0.01,wrap=0.5')
    parser.add_argument("--managers", type=int, help="number of queue managers (24; in a rehearsal 12)")
    parser.add_argument("--files", type=int, default=4, help="number of capture files (4)")
    parser.add_argument("--form", choices=_FORMS, default="pcap", help="format of the capture files (pcap)")
    given = parser.parse_args(arguments)
    if given.duration is not None and given.packets is not None:
        parser.error("--packets and --duration exclude each other")
    try:
        faults = Faults.parse(given.faults)
        common: dict[str, Any] = {
            "seed": given.seed,
            "faults": faults,
            "files": given.files,
            "form": given.form,
        }
        if given.managers is not None:
            common["managers"] = given.managers
        if given.duration is not None:
            return _rehearse(given.directory, seconds_of(given.duration), common)
        done = write_captures(given.directory, 10_000 if given.packets is None else given.packets, **common)
    except (MsmqWireError, OSError) as error:
        print(f"msmq_wire.testing.captures: {error}", file=sys.stderr)  # noqa: T201  # this is the command line
        return 1
    print(  # noqa: T201  # as above
        f"{_written(done)}, {counted(done.pings, 'ping')}, {counted(done.gaps, 'gap')}, "
        f"{counted(done.junk, 'piece')} of junk, listed in {done.truth}; "
        f"{counted(done.changes, 'change')} of the directory in {done.directory}; messages, sessions and "
        "violations in other files there"
    )
    return 0


def _rehearse(directory: str, duration: float, options: dict[str, Any]) -> int:
    done = write_rehearsal(directory, duration, **options)
    print(  # noqa: T201  # this is the command line
        f"{_written(done)}, listed in {done.truth}; what became of {counted(done.messages, 'message')} in "
        f"{done.outcomes}; dependencies and attacks in other files there"
    )
    return 0


def _written(done: Written | Rehearsed) -> str:
    """Return the sizes of the captures, in words."""
    size = sum(path.stat().st_size for path in done.captures)
    captures, frames = counted(len(done.captures), "capture"), counted(done.frames, "frame")
    return f"{captures}, {frames}, {counted(size, 'byte')}: {counted(done.packets, 'packet')}"


if __name__ == "__main__":
    sys.exit(main())
