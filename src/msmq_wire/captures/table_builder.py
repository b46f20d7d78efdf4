"""Segments of a bucket to rows of all tables; the local engine and Spark use the same functions.

1. Rows are ordered, pieces are split off, and tables are made of the pieces.  The bytes of a flow are not in
   memory at once, and its numbers only up to a bound, see `buckets`.
2. Unless ports are given, a connection is MSMQ if a packet begins in one of its segments.  Other connections
   are omitted and counted in `TableBuilder.others`.  A connection to the port of MSMQ is not omitted; if no
   packet begins in it and its first bytes name another protocol, its frames are counted there, too.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.distinct import Distinct
from msmq_wire.captures.answers.collecting import EVIDENT
from msmq_wire.packets.lax import forget_parts
from msmq_wire.packets.reassembly import Kind
from msmq_wire.values.errors import MsmqWireError

from .answers.collecting import EvidenceCollector
from .answers.hosts import SIGHTED, sightings_of_changes
from .comparing import COMPARABLE
from .decrypting import Decrypter
from .disk import Disk, order_of
from .findings.collecting import FindingCollector
from .findings.replays import REPLAYED, carried_messages
from .flows.buckets import Bucket
from .flows.framing import PIECES, pieces_of
from .gathering import CHANGED, needed
from .replying import EXCHANGED
from .rows.channels import CHANNELS, channels_of
from .rows.compared import FIELDS as COMPARED_FIELDS
from .rows.compared import compared
from .rows.directory import changes
from .rows.exchanges import FIELDS as EXCHANGED_FIELDS
from .rows.exchanges import MARKED, ExchangeCollector
from .rows.messages import messages
from .rows.numbers import Numbers
from .rows.packets import POSITION, PacketValidator, bodies, violations
from .rows.partial import are_begun, partial_messages
from .rows.protocols import Protocols
from .rows.remote_reads import RemoteReads, of_calls
from .rows.session_facts import FACTS, fact_columns
from .rows.session_facts import FIELDS as SESSION_FIELDS
from .rows.sessions import session_rows
from .schemas import CONNECTION_KEY, plain
from .spool import Spool, gathered, portions, rows_of
from .sums import Sums, keys_of
from .tables import (
    BALANCE,
    Read,
    gaps,
    message_fields,
    quarantine_of_bodies,
    quarantine_of_pieces,
    read_pieces,
)
from .tables import (
    packets as packet_rows,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from .engine import Settings
    from .flows.other_protocols import Others
    from .flows.pair_groups import PairGroup

TABLES: Final = (
    "flows",
    "packets",
    "gaps",
    "messages",
    "sessions",
    "violations",
    "findings",
    "deliveries",
    "queues",
    "dependencies",
    "hosts",
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
_ANSWERS: Final = frozenset({EVIDENT, SIGHTED})
"""Rows of evidence, which need packets, messages and sessions."""
_MEANT: Final = frozenset({"packets", "messages", "findings", "quarantine", CHANGED, *_ANSWERS})
"""Tables and gathered rows that need headers as columns."""
Collectors: TypeAlias = "Collection[FindingCollector | EvidenceCollector]"
"""The classes that collect all packets, messages and sessions of a part, and return rows at its end."""
MANY_ROWS: Final = 16_000
_MANY_BYTES: Final = 20 << 20
_IN_SESSIONS: Final = (
    *POSITION,
    *("kind", "type", "protocol", "problem", "path", "error_offset", "turn", "seen"),
)
"""The columns of pieces that sessions need."""
_SESSION_PIECES: Final = pa.schema(
    [
        *(PIECES.field(name) for name in _IN_SESSIONS),
        *FACTS,
        ("clear", pa.bool_()),
        PIECES.field("data"),
    ]
)
"""Pieces as sessions need them: their bytes are in a column of their own, and read only on demand."""


_AT_ONE_TURN: Final = ("end_time", "last_file", "last_frame", "flow", "offset")
"""The order of pieces of a connection with the same turn."""
_TEXTS: Final = {"last_file", "flow"}
_MOST_TURN: Final = int(np.iinfo(np.int64).max) // 2
_IN_STREAM: Final = pa.array([str(kind) for kind in Kind if kind.in_stream])


_ALLOCATIONS: Final = 50_000
"""The GC threshold of generation 0 while tables are made; the default is some hundreds."""


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Search for reference cycles less often: making tables creates many objects, but no cycles."""
    usual = gc.get_threshold()
    gc.set_threshold(usual[0] and max(usual[0], _ALLOCATIONS), *usual[1:])  # 0 means never
    try:
        yield
    finally:
        gc.set_threshold(*usual)


class ImbalanceError(MsmqWireError):
    """Bytes of a flow are in no table, or in two: a fault of this library, not of the captures."""


class TableBuilder:
    """Makes the tables of buckets.

    Attributes:
        others: Of the current bucket, as in `Others`.
        until: For each sensor, when its last segment was captured so far, in microseconds since 1970.
    """

    def __init__(
        self, wanted: frozenset[str], settings: Settings, directory: Path, *, live: bool = False
    ) -> None:
        self._live = live
        self._wanted = wanted | needed(wanted)
        self._settings = settings
        self._directory = directory
        self._numbers = Numbers()
        self._reads = RemoteReads()
        self.others: Others = []
        self.until: dict[str, int] = {}

    def tables(self, batches: list[pa.RecordBatch], number: int) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Yield the tables of a bucket."""
        bucket = Bucket(batches, self._directory)
        self.others = bucket.others
        endings: list[pa.RecordBatch] = []
        for part in bucket.calling() if self._wanted & _MEANT else ():
            endings += self._learn(part)
            del part
        for part in bucket.parts():
            yield from self._of_part(part, number, endings)
            del part  # before the next one is sorted
        forget_parts()

    def _of_part(
        self, part: PairGroup, number: int, endings: Iterable[pa.RecordBatch]
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Yield the tables of a part; `endings` are those of `_learn`."""
        wanted = self._wanted
        flows = part.flows()
        self._watched(flows)
        if "flows" in wanted:
            yield "flows", flows
        balance = Balance(flows)
        session_pieces = Spool(
            _SESSION_PIECES, self._directory / f"pieces-{number}", self._settings.memory // 4
        )
        calls = Spool(plain(PIECES), self._directory / f"calls-{number}", self._settings.memory // 4)
        protocols = Protocols()
        tcp = wanted & {"sessions", "violations", *_ANSWERS}
        collectors: list[FindingCollector | EvidenceCollector] = []
        if "findings" in wanted:
            collectors.append(FindingCollector(flows))
        if wanted & _ANSWERS:
            memory = self._settings.memory // 4
            collectors.append(EvidenceCollector(wanted & _ANSWERS, self._directory, number, memory))
        for collector, removals in product(collectors, endings):
            collector.add_removals(removals)
        exchanged = self._exchanged(flows, number)
        for pieces in combine(pieces_of(self._settings.max_packet_size)(part.ordered())):
            balance.add(pieces)
            protocols.add(pieces)
            read = None
            if tcp:
                validator = _validator(self._settings) if "violations" in wanted else None
                more = (*COMPARED_FIELDS, *EXCHANGED_FIELDS) if "violations" in wanted else ()
                fields = (*SESSION_FIELDS, *more)
                read = read_pieces(pieces, validator, None if wanted & _MEANT else fields)
                session_pieces.add(_session_pieces(pieces, read))
                if COMPARABLE in wanted:
                    yield COMPARABLE, compared(read.pieces, read.columns)
                if exchanged is not None:
                    exchanged.add(pieces, read)
            if wanted & _MEANT:
                calls.add(pieces.filter(of_calls(pieces)))
            yield from self.of_pieces(pieces, read, collectors)
        yield from self._of_calls(calls.batches(), flows, Disk(self._directory), collectors)
        calls.close()
        if "balance" in wanted:
            yield "balance", balance.batch()
        if tcp:
            batches = session_pieces.batches()
            ordered = by_connection(batches, flows, Disk(self._directory))
            yield from self._sessions(batches, ordered, collectors, protocols.names)
            if exchanged is not None:
                yield from ((EXCHANGED, batch) for batch in exchanged.rows(batches, protocols.names))
        session_pieces.close()
        for collector in collectors:
            yield from collector.tables()
            collector.close()
        others = protocols.without_packets()
        self.others += part.others(others) if others else []

    def _exchanged(self, flows: pa.RecordBatch, number: int) -> ExchangeCollector | None:
        if EXCHANGED not in self._wanted:
            return None
        memory = self._settings.memory // 16
        return ExchangeCollector(flows, Spool(MARKED, self._directory / f"marked-{number}", memory))

    def _learn(self, part: PairGroup) -> list[pa.RecordBatch]:
        """Record the handles that connections without a packet open; return the removals that they end."""
        pieces = pieces_of(self._settings.max_packet_size)(part.ordered())
        calls = [batch.filter(of_calls(batch)) for batch in pieces]
        return self._reads.learn(by_connection(calls, part.flows(), Disk(self._directory)))

    def _watched(self, flows: pa.RecordBatch) -> None:
        """Record when each sensor captured its last segment."""
        sensors = Distinct(flows.column("sensor"))
        last = np.full(len(sensors.values), -1, np.int64)
        np.maximum.at(last, sensors.indices.to_numpy(), _numbers(flows, "end_time"))
        for (sensor,), end in zip(sensors.values, last.tolist(), strict=True):
            if end >= 0:
                self.until[sensor] = max(self.until.get(sensor, 0), end)

    def of_pieces(
        self,
        pieces: pa.RecordBatch,
        read: Read | None = None,
        collectors: Collectors = (),
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The tables that need only single pieces; `read` has those that were decoded already."""
        wanted = self._wanted
        if not pieces.num_rows:
            return
        if "pieces" in wanted:
            yield "pieces", pieces
        if "gaps" in wanted:
            yield "gaps", gaps(pieces)
        if wanted & _MEANT:
            if self._live:
                pieces = _with(pieces, self._reads.columns(pieces))
            read = read or read_pieces(pieces, None)
            if "quarantine" in wanted:
                yield "quarantine", quarantine_of_pieces(pieces, read)
            packets = packet_rows(read, pieces, self._numbers)
            for collector in collectors:
                collector.add_packets(pieces, read.row_index, packets)
            if not self._live and read.pieces.column("call").null_count < len(read.pieces):
                packets = packets.filter(pc.invert(of_calls(read.pieces)))  # see `_of_calls`
            yield from self._of_packets(packets, collectors)
        if "violations" in wanted:
            are_selected = are_begun(pieces)
            if not self._live:  # with TCP, violations are found together with sessions
                are_selected = pc.and_(are_selected, pc.not_equal(pieces.column("transport"), "tcp"))
            yield from self._violations(pieces, are_selected)

    def _of_packets(
        self, packets: pa.RecordBatch, collectors: Collectors
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The tables that need only single packets."""
        if "packets" in self._wanted:
            yield "packets", packets
        if self._wanted & (_MEANT - {"packets"}):
            yield from self._of_messages(packets, collectors)

    def _of_calls(
        self, batches: list[pa.RecordBatch], flows: pa.RecordBatch, disk: Disk, collectors: Collectors
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The tables of packets in remote calls, with the context from calls in both directions."""
        data, starts = [batch.column("data") for batch in batches], np.cumsum([0, *map(len, batches)])[:-1]
        if not batches:
            return
        self._reads.learn(by_connection(batches, flows, disk))
        for rows in by_connection(batches, flows, disk):
            known = _with(rows, self._reads.columns(rows))
            for collector in collectors:
                collector.add_removals(self._reads.removals)
            for start, stop in portions(rows.column("size").to_numpy()):
                part = known.slice(start, stop - start)
                data_column = {"data": gathered(data, starts, part.column("data_index").to_numpy())}
                pieces = _with(part, data_column)
                packets = packet_rows(read_pieces(pieces, None), pieces, self._numbers)
                yield from self._of_packets(packets, collectors)

    def _violations(
        self, pieces: pa.RecordBatch, are_selected: pa.Array
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Violations of single packets: those of sessions and of files, and those of remote reads."""
        validator, channel = _validator(self._settings), channels_of(pieces)
        usual = pc.or_(pc.not_equal(pieces.column("transport"), "tcp"), _is(channel, "session"))
        chosen = [(validator, usual)]
        chosen += [(validator._replace(channel=name), _is(channel, name)) for name in CHANNELS.values()]
        for checker, rows in chosen:
            for batch in violations(checker)([pieces.filter(pc.and_(are_selected, rows))]):
                yield "violations", batch

    def _of_messages(
        self, packets: pa.RecordBatch, collectors: Collectors
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        parts = partial_messages()([packets]) if self._wanted & {"messages", "findings", *_ANSWERS} else ()
        for batch in parts:
            if batch.num_rows:
                yield from self._messages(batch, collectors)
        users = message_fields(packets)
        for rows in messages()([users]):
            if self._settings.keys:
                data = packets.column("data").take(users.column("index"))
                rows = Decrypter(self._settings.keys).rows(rows, data)  # noqa: PLW2901  # the same rows
            yield from self._messages(rows, collectors)
            carriers = users.filter(pc.is_valid(rows.column("carries")))
            carriers = carriers.append_column("data", packets.column("data").take(carriers.column("index")))
            for batch in bodies()([carriers]) if carriers.num_rows else ():
                if "quarantine" in self._wanted:
                    yield "quarantine", quarantine_of_bodies(batch)
                yield from self._of_changes(batch)

    def _of_changes(self, carried: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Rows of changes of the directory."""
        if self._wanted & {CHANGED, SIGHTED}:
            for changed in changes()([carried.filter(pc.is_valid(carried.column("body")))]):
                if CHANGED in self._wanted:
                    yield CHANGED, changed
                if SIGHTED in self._wanted:
                    yield SIGHTED, sightings_of_changes(changed)

    def _messages(
        self, messages: pa.RecordBatch, collectors: Collectors
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Rows of `messages`, if they are wanted, after the collectors have them."""
        for collector in collectors:
            collector.add_messages(messages)
        if REPLAYED in self._wanted:
            yield REPLAYED, carried_messages(messages)
        if "messages" in self._wanted:
            yield "messages", messages

    def _sessions(
        self,
        batches: list[pa.RecordBatch],
        ordered: Iterable[pa.RecordBatch],
        collectors: Collectors,
        protocols: Mapping[tuple[str, str], str],
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Sessions and their violations.

        Args:
            batches: Rows of `_SESSION_PIECES`.
            ordered: These as `by_connection` returns them.
            collectors: They take sessions.
            protocols: Those of connections that are not MSMQ.
        """
        validator = _validator(self._settings) if "violations" in self._wanted else None
        data = pa.chunked_array([batch.column("data") for batch in batches], pa.binary())
        for batch in session_rows(data, validator, protocols)(ordered):
            sessions = _unfolded(batch, "session")
            for collector in collectors:
                collector.add_sessions(sessions)
            if "sessions" in self._wanted:
                yield "sessions", sessions
            if "violations" in self._wanted:
                violations = _unfolded(batch, "violation")
                ignored = pa.array(sorted(self._settings.ignore), pa.string())
                yield (
                    "violations",
                    violations.filter(pc.invert(pc.is_in(violations.column("requirement"), ignored))),
                )


def _with(batch: pa.RecordBatch, columns: dict[str, pa.Array]) -> pa.RecordBatch:
    """Return a batch with further columns."""
    arrays = [*batch.columns, *columns.values()]
    return pa.RecordBatch.from_arrays(arrays, names=[*batch.schema.names, *columns])


def _is(column: pa.Array, value: str) -> pa.Array:
    """Return the index of each row with a value; null does not count as a value."""
    return pc.fill_null(pc.equal(column, value), False)


def _validator(settings: Settings) -> PacketValidator:
    return PacketValidator(settings.level, settings.profile, settings.ignore, settings.clock_tolerance)


def combine(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Combine rows to larger batches, because decoding columns has a cost for each batch."""
    pending: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        pending.append(batch)
        size += batch.nbytes
        if sum(part.num_rows for part in pending) >= MANY_ROWS or size >= _MANY_BYTES:
            yield _joined(pending)
            pending, size = [], 0
    if any(batch.num_rows for batch in pending):
        yield _joined(pending)


def _joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    (joined,) = pa.Table.from_batches(batches).combine_chunks().to_batches()
    return joined


def _unfolded(batch: pa.RecordBatch, name: str) -> pa.RecordBatch:
    """The fields of a struct column, of the rows that have it."""
    column = batch.column(name)
    return pa.RecordBatch.from_struct_array(column.filter(pc.is_valid(column)))


# ------------------------------------------------------------------------------------------ sessions


def _session_pieces(pieces: pa.RecordBatch, read: Read) -> pa.RecordBatch:
    """Return pieces as rows of `_JUDGED`."""
    taken = read.among(len(pieces))
    facts = [*fact_columns(read.pieces.column("data"), read.columns), read.clear]
    passed = {name: pieces.column(name) for name in _IN_SESSIONS}
    passed["type"] = pc.coalesce(passed["type"], read.columns.field("kind").take(taken))
    arrays = [*passed.values(), *(column.take(taken) for column in facts), pieces.column("data")]
    return pa.RecordBatch.from_arrays(arrays, schema=_SESSION_PIECES)


def by_connection(
    batches: list[pa.RecordBatch], flows: pa.RecordBatch, disk: Disk
) -> Iterator[pa.RecordBatch]:
    """Pieces of TCP, connection by connection in the order of their turns, with what `session_rows` takes."""
    connections = _Connections(flows)
    known = connections.known
    starts = np.cumsum([0, *map(len, batches)])
    keys, ranks, count = _in_turns(batches, starts, connections, disk)
    order = order_of(keys, disk)
    light = [batch.drop_columns(["data"]) for batch in batches]
    start = 0
    while start < count:
        stop = min(start + MANY_ROWS, count)
        index = np.arange(start, stop) if order is None else order[start:stop]
        same = np.diff(keys[index]) == 0
        if stop < count and not same.all():  # the next rows may have the same turn
            index = index[: int(np.flatnonzero(~same)[-1]) + 1]
        start += len(index)
        rows = rows_of(light, starts[:-1], index)
        if same.any():
            exact = _exact_order(rows, keys[index])
            rows, index = rows.take(pa.array(exact)), index[exact]
        yield pa.RecordBatch.from_arrays(
            [*rows.columns, pa.array(index), *map(pa.array, known[ranks[index]].T)],
            names=[*rows.schema.names, "data_index", "opened", "closed", "both"],
        )


def _exact_order(rows: pa.RecordBatch, keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the order of rows that are sorted by their keys: those with equal keys by `_AT_ONE_TURN`."""
    same = np.flatnonzero(keys[1:] == keys[:-1])
    equal = np.union1d(same, same + 1)
    some = rows.select(_AT_ONE_TURN).take(pa.array(equal))
    by = [ranks_of(some.column(name)) if name in _TEXTS else _numbers(some, name) for name in _AT_ONE_TURN]
    order = np.arange(len(keys))
    order[equal] = equal[np.lexsort([*by[::-1], keys[equal]])]
    return order


def _in_turns(
    batches: list[pa.RecordBatch], starts: NDArray[np.int64], connections: _Connections, disk: Disk
) -> tuple[NDArray[np.int64], NDArray[np.int32], int]:
    """Return numbers that order pieces by connection and turn, their connections, and how many are in one.

    Numbers of other pieces are larger.
    """
    rank, keys = disk.array(int(starts[-1]), np.int32), disk.array(int(starts[-1]))
    most = len(connections.known)
    low, high = np.zeros((2, most + 1), np.int64)
    low[:-1], high[:-1] = _MOST_TURN, -_MOST_TURN
    count = 0
    parts = [slice(start, stop) for start, stop in pairwise(starts.tolist())]
    for batch, part in zip(batches, parts, strict=True):
        connection = connections.of(batch)
        turn = np.where(connection < most, batch.column("turn").to_numpy(), 0)
        np.minimum.at(low, connection, turn)
        np.maximum.at(high, connection, turn)
        count += int((connection < most).sum())
        rank[part], keys[part] = connection, turn
    sizes = np.where(high < low, 0, high - low + 1)
    begin = np.cumsum(sizes) - sizes - low
    for part in parts:
        keys[part] += begin[rank[part]]
    return keys, rank, count


class _Connections:
    """The connections of flows, in the order of their sensors and names.

    Attributes:
        known: Of each, whether it was opened and closed, and whether both of its flows were captured.
    """

    def __init__(self, flows: pa.RecordBatch) -> None:
        distinct = Distinct(*(flows.column(name) for name in CONNECTION_KEY))
        of, count = distinct.indices.to_numpy(), len(distinct.first)
        names = flows.select([*CONNECTION_KEY]).take(pa.array(distinct.first))
        order = pc.sort_indices(names, sort_keys=[(name, "ascending") for name in CONNECTION_KEY])
        opened, closed = (flows.column(name).to_numpy(zero_copy_only=False) for name in ("opened", "closed"))
        numbers = [np.bincount(which, minlength=count) for which in (of[opened], of[closed], of)]
        self.known = np.column_stack([numbers[0] > 0, numbers[1] > 0, numbers[2] > 1])[order.to_numpy()]
        self._keys = keys_of(names.take(order), *CONNECTION_KEY)

    def of(self, pieces: pa.RecordBatch) -> NDArray[np.int64]:
        """Return the connection of each piece; their number for pieces that are in no stream of TCP."""
        in_stream = pc.and_(
            pc.equal(pieces.column("transport"), "tcp"), pc.is_in(pieces.column("kind"), _IN_STREAM)
        )
        keys = pc.if_else(in_stream, keys_of(pieces, *CONNECTION_KEY), None)
        known = pc.index_in(keys, self._keys)
        numbers: NDArray[np.int64] = pc.if_else(in_stream, known, len(self._keys)).to_numpy()
        return numbers


def _numbers(rows: pa.RecordBatch, name: str) -> NDArray[np.int64]:
    numbers: NDArray[np.int64] = rows.column(name).cast(pa.int64()).fill_null(-1).to_numpy()
    return numbers


def ranks_of(column: Any) -> NDArray[np.int64]:
    """Numbers in the order of the bytes of texts; null comes first."""
    encoded = pc.fill_null(column, "").dictionary_encode()  # no file and no flow has this name
    ranks: NDArray[np.int64] = pc.rank(encoded.dictionary).cast(pa.int64()).take(encoded.indices).to_numpy()
    return ranks


# ------------------------------------------------------------------------------------------ balance


_SIZES: Final = ("bytes", "in_packets", "in_quarantine", "in_gaps")


class Balance:
    """Adds up the sizes of flows, and of their pieces.

    Args:
        flows: The rows of `flows`.
    """

    def __init__(self, flows: pa.RecordBatch) -> None:
        self._sums = Sums(plain(BALANCE), ("sensor", "flow"), dict.fromkeys(_SIZES, "sum"))
        self._add(flows, {"bytes": flows.column("size").to_numpy()})

    def add(self, pieces: pa.RecordBatch) -> None:
        """Add pieces."""
        rows = pieces.select(["sensor", "flow", "kind", "size"])
        rows = rows.filter(pc.is_in(rows.column("kind"), _IN_STREAM))
        flows = Distinct(rows.column("sensor"), rows.column("flow"))
        kind, size = rows.column("kind"), rows.column("size").to_numpy()
        is_packet, is_gap = (
            pc.equal(kind, str(which)).to_numpy(zero_copy_only=False) for which in (Kind.PACKET, Kind.GAP)
        )
        sums = dict(zip(_SIZES[1:], np.zeros((3, len(flows.first)), np.int64), strict=True))
        masks = (is_packet, ~(is_packet | is_gap), is_gap)
        for totals, mask in zip(sums.values(), masks, strict=True):
            np.add.at(totals, flows.indices.to_numpy()[mask], size[mask])
        self._add(rows.take(pa.array(flows.first)), sums)

    def _add(self, rows: pa.RecordBatch, sizes: Mapping[str, NDArray[np.int64]]) -> None:
        nothing = np.zeros(len(rows), np.int64)
        columns = [rows.column("sensor"), rows.column("flow")]
        columns += [pa.array(sizes.get(name, nothing)) for name in (*_SIZES, "difference")]
        self._sums.add(pa.RecordBatch.from_arrays(columns, schema=plain(BALANCE)))

    def batch(self) -> pa.RecordBatch:
        """Return one row for each flow: its size, and the sizes of its rows in each table.

        Raises:
            ImbalanceError: The sizes do not add up.
        """
        rows = self._sums.batch()
        size, *parts = (rows.column(name).to_numpy() for name in _SIZES)
        differences = size - sum(parts)
        (wrong,) = differences.nonzero()
        if len(wrong):
            sizes_by_flow = zip(
                rows.column("flow").take(pa.array(wrong[:5])), differences[wrong], strict=False
            )
            texts = "; ".join(f"{flow}: {difference:+,} bytes" for flow, difference in sizes_by_flow)
            raise ImbalanceError(f"{len(wrong)} flows do not balance: {texts}")
        return rows
