"""Creates sessions and their violations from the pieces of connections.

1. The rows of a connection are consecutive, with both directions ordered by turns, as `table_builder` sorts
   them.
2. Each connection has its own `SessionMonitor`.  A session whose end was captured is closed; others are open.
3. Most packets are not decoded: columns provide facts for the session, and clear packets of violations.
"""

from __future__ import annotations

from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import marks
from msmq_wire.arrow.distinct import Distinct
from msmq_wire.captures.schemas import FLOW, FLOW_NAMES, TIME, arrow_of, plain, schema_of, sentences_of
from msmq_wire.checks.sessions.facts import Facts
from msmq_wire.checks.sessions.monitor import Direction, SessionMonitor, SessionSummary
from msmq_wire.packets.lax import decode_part
from msmq_wire.packets.reassembly import Kind
from msmq_wire.values.errors import DecodeError, moved
from msmq_wire.values.numbers import PORT
from msmq_wire.values.times import SECOND
from msmq_wire.views.texts import endpoint

from .channels import CHANNELS
from .packets import POSITION, VIOLATIONS, violation_row
from .session_facts import numbers_of, packets_for_monitor, texts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from msmq_wire.checks.sessions.monitor import TimedFacts
    from msmq_wire.values.violation import Violation

    from .packets import PacketValidator

_PASSED: Final = {*POSITION, "type"}
_CONNECTION: Final = [row for row in FLOW if row[0] in {"sensor", "transport", "connection"}]
_TIMES: Final = {"first_at", "last_at"}
_SUMMARY: Final = [
    (field.name, TIME if field.name in _TIMES else arrow_of(field.type), sentence)
    for field, sentence in zip(
        msgspec.structs.fields(SessionSummary), sentences_of(SessionSummary).values(), strict=True
    )
]


def _source(summary: SessionSummary) -> str | None:
    return (summary.backward if summary.initiator == "<-" else summary.forward).manager


def _destination(summary: SessionSummary) -> str | None:
    return (summary.forward if summary.initiator == "<-" else summary.backward).manager


_READ: Final = (
    (
        "source_queue_manager",
        pa.string(),
        "GUID of the queue manager that asked for the session, or opened the connection; null if unknown.",
        _source,
    ),
    (
        "destination_queue_manager",
        pa.string(),
        "GUID of the queue manager that was asked, or else the other one; null if unknown.",
        _destination,
    ),
)
"""The columns that are made from a `SessionSummary`, beside its attributes."""
SESSIONS: Final = schema_of(
    [
        *_CONNECTION,
        (
            "session",
            pa.string(),
            "Its identifier, as in `packets` and `messages`; a connection has one session, with its name.",
        ),
        ("opener", pa.string(), "Endpoint that opened the connection."),
        ("acceptor", pa.string(), "The other endpoint."),
        *_READ,
        *_SUMMARY,
    ]
)
"""The columns of `sessions`: the attributes of `SessionSummary`, and the connection."""

_VIOLATION: Final = pa.struct([(field.name, field.type) for field in VIOLATIONS])
SESSION_ROWS: Final = pa.schema(
    [("session", pa.struct([(field.name, field.type) for field in SESSIONS])), ("violation", _VIOLATION)]
)
"""The rows that the worker yields: each is a session or a violation."""

_ROWS: Final = 2048
_GAP: Final = Kind.GAP.value
_WRONG: Final = frozenset({Kind.JUNK.value, Kind.UNREADABLE.value})
"""The kinds of captured pieces that no receiver can read."""


class SessionPiece(msgspec.Struct, frozen=True, gc=False):
    """The columns of a piece that a session needs.

    `time` is in microseconds since 1970; `since` is the same time and `at` that of the last segment, both in
    seconds.
    """

    kind: str
    direction: Direction
    dst: str | None
    offset: int
    problem: str | None
    path: str | None
    error_offset: int | None
    size: int
    turn: int
    seen: int
    time: int | None
    since: float | None = None
    at: float | None = None

    @property
    def end(self) -> int:
        """The place after it, if it is not a packet, because its turn is that of its first byte."""
        return self.turn - self.seen - 1 + self.size


class _Rows(NamedTuple):
    """The pieces of a batch, with lists of the same length.

    Attributes:
        columns: The columns of their `SessionPiece`.
        packets: Their packets, as `packets_for_monitor` returns them.
        clear: Which packets columns have cleared of violations.
        usual: Which pieces are clear messages or acknowledgments.
        until: The end of the stretch of pieces that are equally usual.
    """

    columns: dict[str, list[Any]]
    packets: list[Any]
    clear: list[bool]
    usual: list[bool]
    until: list[int]

    @classmethod
    def of(cls, batch: pa.RecordBatch, data: pa.ChunkedArray) -> _Rows:
        """Return the rows of a batch."""
        packets = packets_for_monitor(batch, data)
        clear = marks(batch.column("clear"))
        facts = np.fromiter((type(packet) is Facts for packet in packets), np.bool_, len(packets))
        usual = clear & facts
        edges = np.append(np.flatnonzero(usual[1:] != usual[:-1]) + 1, len(usual))
        until = np.repeat(edges, np.diff(edges, prepend=0))
        return cls(_columns(batch), packets, clear.tolist(), usual.tolist(), until.tolist())

    def piece(self, at: int) -> SessionPiece:
        """Return a piece."""
        return SessionPiece(*(column[at] for column in self.columns.values()))

    def timed(self, start: int, stop: int) -> Iterator[TimedFacts]:
        """Yield consecutive packets as `SessionMonitor.feed_facts` takes them."""
        direction, at, since, offset = (
            self.columns[name][start:stop] for name in ("direction", "at", "since", "offset")
        )
        return zip(direction, self.packets[start:stop], at, since, offset, strict=True)


class Connection:
    """The connection that is being processed.

    Attributes:
        protocol: Its protocol if it is not MSMQ, as in pieces; its packets are in no session.
    """

    def __init__(self, row: dict[str, Any], protocol: str | None = None) -> None:
        self.row = row
        self.key = row["sensor"], row["connection"]
        self.closed = bool(row["closed"])
        is_tcp = row["transport"] == "tcp"
        # The side that listens on the port did not open the connection, even if the SYN was not captured.
        is_directed = row["opened"] or (row["src_port"] == PORT) != (row["dst_port"] == PORT)
        self.monitor = SessionMonitor(
            idle=bool(row["opened"]),
            one_connection=is_tcp,
            opener="->" if is_tcp and is_directed else None,
            only=None if row["both"] else row["direction"],
        )
        self.protocol = protocol
        # The first bytes after missing ones can be the rest of a packet.
        self._cut = {"->": not row["opened"], "<-": not row["opened"]}
        self._gaps: dict[Direction, SessionPiece] = {}  # gaps whose bytes the other side has not seen yet
        # Per direction, the place up to which packets may be missing.
        self._missing: dict[Direction, int] = {}

    def feed_all(
        self, rows: _Rows, start: int, end: int, validator: PacketValidator | None
    ) -> Iterator[tuple[int, Violation]]:
        """Process consecutive rows; yield violations, as `feed` returns them, each after its row."""
        at = start
        while at < end:
            is_complete = self.protocol is None and not (self._gaps or self._missing)
            if rows.usual[at] and is_complete:
                stop = min(rows.until[at], end)
                self._cut |= dict.fromkeys(rows.columns["direction"][at:stop], False)
                for index, violation in self.monitor.feed_facts(rows.timed(at, stop)):
                    yield at + index, violation
                at = stop
                continue
            own = None if rows.clear[at] and self.protocol is None else validator
            for violation in self.feed(rows.piece(at), rows.packets[at], own):
                yield at, violation
            at += 1

    def feed(self, piece: SessionPiece, packet: Any, validator: PacketValidator | None) -> Sequence[Any]:
        """Process a piece; return violations, those of the packet alone only with a validator.

        Args:
            piece: The piece.
            packet: Its packet, as `packets_for_monitor` returns it.
            validator: Validates the packet, or None.
        """
        if self.protocol is not None:
            return self._violations_elsewhere(piece, packet, validator)
        part, packet = (packet, None) if isinstance(packet, bytes) else (None, packet)
        way, at, since, kind = piece.direction, piece.at, piece.since, piece.kind
        cut = self._cut[way]
        self._cut[way] = kind == _GAP
        if self._gaps or self._missing:
            self._doubt(piece)
        if packet is not None:
            violations = self.monitor.feed(way, packet, at=at, since=since, offset=piece.offset)
            if validator is None:
                return violations
            record = packet.record() if isinstance(packet, Facts) else packet
            return _together(violations, validator.violations(record, piece.time, piece.dst))
        if kind == _GAP:
            self._gaps[way] = piece
            return ()
        self._missing[way] = piece.end
        violations = ()
        result = None if part is None else decode_part(part)
        if kind in _WRONG and not cut and piece.path and piece.problem and piece.error_offset is not None:
            if result is not None and result.error is not None:
                error = moved(result.error, piece.offset)
            else:
                structure, _, _ = piece.path.partition(".")
                error = DecodeError(
                    piece.problem, structure=structure, path=piece.path, offset=piece.error_offset
                )
            violations = self.monitor.unreadable(
                way, error, part=result, at=at, since=since, offset=piece.offset
            )
        elif result is not None:
            violations = self.monitor.truncated(way, part=result, at=at, since=since, offset=piece.offset)
        else:
            self.monitor.gap(way)
        if result is None or validator is None:
            return violations
        return _together(violations, validator.violations(result, piece.time, piece.dst))

    def _violations_elsewhere(
        self, piece: SessionPiece, packet: Any, validator: PacketValidator | None
    ) -> Sequence[Any]:
        """Validate a packet in a connection of another protocol, such as that of a remote read."""
        channel = CHANNELS.get(self.protocol or "")
        if channel is None or validator is None or packet is None:
            return ()
        if isinstance(packet, bytes):
            packet = decode_part(packet)
        record = packet.record() if isinstance(packet, Facts) else packet
        return tuple(validator._replace(channel=channel).violations(record, piece.time, piece.dst))

    def _doubt(self, piece: SessionPiece) -> None:
        """Report to the monitor which bytes are missing, or may be missing, before this piece.

        The bytes of a gap were sent before the other side reacted to some of them.  Until the other
        side has seen all of them, each of its packets can be before or after the rest of the gap.
        """
        for way, gap in [*self._gaps.items()]:
            if way == piece.direction or piece.seen >= gap.turn - gap.seen:
                self.monitor.gap(way)
                self._missing[way] = gap.end
                del self._gaps[way]
        for way, end in [*self._missing.items()]:
            self.monitor.gap(way, again=True)
            if way == piece.direction or piece.seen >= end:
                del self._missing[way]

    def sessions(self) -> list[tuple[dict[str, Any], SessionSummary]]:
        """Return the sessions of the connection in their last state, with its row; none if it is not MSMQ."""
        if self.protocol is not None:
            return []
        for way in self._gaps:
            self.monitor.gap(way)
        finished = [*self.monitor.take_finished()]
        finished.append(self.monitor.ended if self.closed else self.monitor.summary)
        return [(self.row, summary) for summary in finished]


def _together(in_session: Sequence[Violation], own: Iterable[Violation]) -> Sequence[Violation]:
    """Return all violations of a packet, each once: the session may tell the requirement more precisely."""
    told = {(violation.path, violation.message) for violation in in_session}
    return *in_session, *(each for each in own if (each.path, each.message) not in told)


class LoneSessions(dict[tuple[Any, ...], "SessionSummary | None"]):
    """Summaries of sessions with a single packet, by all that they depend on except times; such are frequent.

    Without a handshake no queue manager is known, so that nothing compares the identity, the order or the
    times of the packet.
    """

    def summary(self, row: dict[str, Any], rows: _Rows, at: int) -> SessionSummary | None:
        """Return the summary of a connection with a single piece; None if this has to be fed.

        Args:
            row: The row of the connection.
            rows: The pieces.
            at: The index of the piece.
        """
        facts, piece = rows.packets[at], rows.piece(at)
        if type(facts) is not Facts or not rows.clear[at] or piece.since is None or piece.at is None:
            return None
        ports = row["src_port"] == PORT, row["dst_port"] == PORT
        key = (*_FACTS_OF_LONE(facts), facts.sequence is None, *ports, *map(row.get, _OF_LONE))
        if key not in self:
            if len(self) >= _MOST_LONE:
                self.clear()
            connection = Connection(row)
            violated = [*connection.feed_all(rows, at, at + 1, None)]
            ((_, summary),) = connection.sessions()
            self[key] = None if violated else summary
        alike = self[key]
        return alike and msgspec.structs.replace(alike, first_at=piece.since, last_at=piece.at)


_MOST_LONE: Final = 1 << 10
_OF_LONE: Final = ("transport", "direction", "opened", "closed", "both")
_FACTS_OF_LONE: Final = attrgetter(
    "kind", "recoverable", "message_class", "acknowledged", "first", "flags", "sent", "recoverable_sent",
    "window",
)  # fmt: skip


def session_rows(
    data: pa.ChunkedArray,
    validator: PacketValidator | None = None,
    protocols: Mapping[tuple[str, str], str] = MappingProxyType({}),
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the worker that creates sessions and violations from ordered pieces.

    Args:
        data: The bytes of the pieces; their column `place` refers to them.
        validator: Validates each packet that is not clear; None omits this.
        protocols: The protocols of connections that are not MSMQ, by sensor and connection.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        connection: Connection | None = None
        lone = LoneSessions()
        for batch in batches:
            over: list[tuple[dict[str, Any], SessionSummary]] = []
            indices: list[int] = []
            violations_of_batch: list[Any] = []
            rows = _Rows.of(batch, data)
            first = _first_rows(batch)
            for (start, row), end in zip(first.items(), [*first, len(batch)][1:], strict=True):
                key = row["sensor"], row["connection"]
                if connection is not None and connection.key != key:
                    over += connection.sessions()
                    connection = None
                if connection is None:
                    is_alone = start + 1 == end < len(batch) and key not in protocols
                    summary = lone.summary(row, rows, start) if is_alone else None
                    if summary is not None:
                        over.append((row, summary))
                        continue
                    connection = Connection(row, protocols.get(key))
                for index, violation in connection.feed_all(rows, start, end, validator):
                    indices.append(index)
                    violations_of_batch.append(violation)
            yield from _sessions(over)
            yield from _violations(batch, indices, violations_of_batch)
        if connection is not None:
            yield from _sessions(connection.sessions())

    return run


def _columns(batch: pa.RecordBatch) -> dict[str, list[Any]]:
    """Return the columns of `SessionPiece`."""
    columns = {}
    for name in SessionPiece.__struct_fields__:
        column = batch.column(_TIME_OF.get(name, name))
        if column.type == pa.string():
            columns[name] = texts_of(column)
            continue
        numbers = column.cast(pa.int64())
        if name in _TIME_OF:
            numbers = pc.divide(numbers.cast(pa.float64(), safe=False), SECOND)
        columns[name] = numbers_of(numbers)
    return columns


_TIME_OF: Final = {"since": "time", "at": "end_time"}
"""The columns of times that are also in seconds."""
_OF_CONNECTION: Final = [*FLOW_NAMES, "opened", "closed", "both"]


def _first_rows(batch: pa.RecordBatch) -> dict[int, dict[str, Any]]:
    """Return the first row of each connection in a batch, by its index."""
    connection = Distinct(batch.column("sensor"), batch.column("connection")).indices.to_numpy()
    starts = np.flatnonzero(np.append(True, connection[1:] != connection[:-1])[: len(batch)])
    rows = batch.select(_OF_CONNECTION).take(pa.array(starts)).to_pylist()
    return dict(zip(starts.tolist(), rows, strict=True))


def _sessions(sessions: list[tuple[dict[str, Any], SessionSummary]]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of sessions, each with the first row of its connection."""
    if not sessions:
        return
    rows = [row for row, _ in sessions]
    summaries = [summary for _, summary in sessions]
    ends = [(endpoint(row["src"], row["src_port"]), endpoint(row["dst"], row["dst_port"])) for row in rows]
    forward = [row["direction"] == "->" for row in rows]
    columns: dict[str, Sequence[Any]] = {name: [row[name] for row in rows] for name, _, _ in _CONNECTION}
    columns["session"] = columns["connection"]
    columns["opener"] = [src if way else dst for (src, dst), way in zip(ends, forward, strict=True)]
    columns["acceptor"] = [dst if way else src for (src, dst), way in zip(ends, forward, strict=True)]
    columns |= {name: [*map(function, summaries)] for name, _, _, function in _READ}
    columns |= zip((name for name, _, _ in _SUMMARY), _attributes(summaries), strict=True)
    kind = SESSION_ROWS.field("session").type
    array = pa.StructArray.from_arrays(
        [_array(columns[field.name], field.type) for field in kind], fields=[*kind]
    )
    yield pa.RecordBatch.from_arrays([array, pa.nulls(len(array), _VIOLATION)], schema=plain(SESSION_ROWS))


def _attributes(records: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the values of each attribute of some records."""
    return zip(*map(msgspec.structs.astuple, records), strict=True)


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Return a column of values, which may be records, or times in seconds."""
    if pa.types.is_struct(kind):
        distinct = {id(value): value for value in values}  # those of `LoneSessions` are the same records
        numbers = dict(zip(distinct, range(len(distinct)), strict=True))
        parts = [
            _array(own, field.type)
            for own, field in zip(_attributes([*distinct.values()]), kind, strict=True)
        ]
        array = pa.StructArray.from_arrays(parts, fields=[*kind])
        return array.take(pa.array([numbers[id(value)] for value in values]))
    if kind == TIME:
        values = [None if value is None else round(value * SECOND) for value in values]
    return pa.array(values, kind)


def _violations(batch: pa.RecordBatch, indices: list[int], violations: list[Any]) -> Iterator[pa.RecordBatch]:
    """Yield a row for each violation, with the columns of its piece."""
    for start in range(0, len(violations), _ROWS):
        taken = pa.array(indices[start : start + _ROWS])
        rows = [violation_row(violation) for violation in violations[start : start + _ROWS]]
        columns = [
            batch.column(field.name).take(taken)
            if field.name in _PASSED
            else pa.array([row.get(field.name) for row in rows], field.type)
            for field in _VIOLATION
        ]
        structs = pa.StructArray.from_arrays(columns, fields=[*_VIOLATION])
        nulls = pa.nulls(len(structs), SESSION_ROWS.field("session").type)
        yield pa.RecordBatch.from_arrays([nulls, structs], schema=plain(SESSION_ROWS))
