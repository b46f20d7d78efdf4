"""Requests and replies: the rows from which `captures.replying` makes violations.

1. A row is a UserMessage that was captured completely.  It asks for acknowledgments or reports, or in a
   message of [MC-MQDSRP] for a reply; or it is one of these.
2. A request and its replies have one key: the identifier of the message that is acknowledged or reported, or
   the number of a request for a change, or the partition of a request for changes.
3. Rows have the bytes of packets, so that few packets have one.  Acknowledgments and reports ask for nothing.
   They go back to the queue manager of their message: one in a connection without a packet that names this
   queue manager has no row.  Very long replies have none either, and very long requests have no bytes.
4. Further rows say where a request may be missing, because its bytes were not captured or cannot be read.
"""

from __future__ import annotations

from collections import defaultdict
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import marks
from msmq_wire.arrow.distinct import Distinct
from msmq_wire.arrow.messages import NO_CORRELATION
from msmq_wire.captures.schemas import plain, schema_of
from msmq_wire.captures.spool import Spool, rows_of
from msmq_wire.checks.rules.reports import message_in_label
from msmq_wire.checks.rules.vocabulary import ACKNOWLEDGING, POSITIVE
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.readings import SIGNATURE_SIZES
from msmq_wire.packets.carriers import DirectoryQueue
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.packets.packet import decode
from msmq_wire.packets.reassembly import PARTS, Kind
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.guid import GUID_SIZE, NULL_GUID

from .packets import CARRIED, POSITION

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import NDArray

    from msmq_wire.captures.tables import Read

    Bools = NDArray[np.bool_]
    Ints = NDArray[np.int64]

_SOURCE, _NUMBER = "UserHeader.SourceQueueManager", "UserHeader.MessageID"
_ADDRESS: Final = "UserHeader.QueueManagerAddress"
_QUEUE, _BODY = "UserHeader.DestinationQueue", "MessagePropertiesHeader.MessageBody"
_CLASS, _CORRELATION = "MessagePropertiesHeader.MessageClass", "MessagePropertiesHeader.CorrelationID"
_ADMINISTRATION, _TRACED = "UserHeader.Flags.AQ", "BaseHeader.Flags.DH"
_ASKING: Final = tuple(f"MessagePropertiesHeader.Flags.{flag}" for flag in ("PA", "PR", "NA", "NR"))
_NAMED: Final = (_SOURCE, *(f"EstablishConnectionHeader.{name}" for name in ("ClientGuid", "ServerGuid")))
_OF_REQUESTS: Final = (
    _SOURCE, _ADDRESS, _QUEUE, "UserHeader.AdminQueue", "UserHeader.Flags", "SecurityHeader.Flags.EB",
)  # fmt: skip
"""What rules compare of a message with a positive acknowledgment."""
_OF_REPLIES: Final = (
    _SOURCE, _ADDRESS, _QUEUE, "UserHeader.AdminQueue", "UserHeader.ResponseQueue", "UserHeader.Flags",
    "UserHeader.TimeToBeReceived", "BaseHeader.TimeToReachQueue", *SIGNATURE_SIZES, _CLASS,
    "MessagePropertiesHeader.Flags", "MessagePropertiesHeader.PrivacyLevel",
)  # fmt: skip
"""What they compare of the acknowledgment, if it has no body."""
FIELDS: Final = (*_NAMED, *_OF_REQUESTS, *_OF_REPLIES, _NUMBER, _BODY, _CORRELATION, _TRACED)
"""The fields from which the rows are made."""

EXCHANGES: Final = schema_of(
    [
        *CARRIED,
        (
            "key",
            pa.string(),
            "What a request and its replies have in common, in hexadecimal; see `are_losses`.",
        ),
        (
            "asks",
            pa.bool_(),
            "Whether it is a request; otherwise it is a reply.  Null for bytes that are missing.",
        ),
        (
            "shape",
            pa.binary(),
            "Digest of all fields that rules compare; null if they compare more, or if it was not computed.",
        ),
        ("data", pa.binary(), "The packet; null if it is very long."),
    ]
)
"""The columns."""

MARKED: Final = pa.schema(
    [("index", pa.int64()), ("key", pa.binary()), ("asks", pa.bool_()), ("shape", pa.binary())]
)
"""The columns of rows before the end: the number of the piece, and the key as bytes."""
MOST: Final = 1 << 16
"""The size of the longest packet whose bytes are in a row."""
_LOST: Final = pa.array([str(Kind.GAP), str(Kind.CONFLICT), *sorted(PARTS)])
"""The kinds of pieces that may contain a message which is in no row."""
_JUNK: Final = str(Kind.JUNK)
"""In a session, these may be a damaged message; before a handshake, nobody would have accepted one."""
_CONNECTION: Final = ["sensor", "connection"]
_ENDS: Final = 2
_REPORT: Final = int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT)
_ANSWERING: Final = pa.array(sorted({*ACKNOWLEDGING, _REPORT}))
_POSITIVE: Final = pa.array(sorted(POSITIVE))
_REPLICATION: Final = DirectoryQueue.REPLICATION


def _at(*path: str) -> tuple[str, slice]:
    """Return the name of a message of [MC-MQDSRP], and where a field of it is."""
    message, *steps = path
    at, structure = 0, structures()[message]
    for step in steps:
        at += structure.offset_of(step)
        field = structure.by_name[step]
        structure = field.structures[0] if field.structures else structure
    return message, slice(at, at + field.least_size)


_OPERATIONS: Final = [kind.__name__ for kind in mqdsrp.Message.__args__]
_KEYS: Final[dict[int, tuple[bool, slice]]] = {
    _OPERATIONS.index(name): (asks, where)
    for asks, (name, where) in (
        (True, _at("ChangeRequestMessage", "ChangeRequestHeader", "RequestIdentifier")),
        (False, _at("ChangeReplyMessage", "RequestIdentifier")),
        (True, _at("SyncRequestMessage", "PartitionID")),
        (False, _at("SyncReplyMessage", "SyncReplyHeader", "PartitionID")),
        (False, _at("AlreadyPurgedMessage", "PartitionID")),
    )
}
"""Messages of [MC-MQDSRP] by their operation: whether they ask, and where the key is."""
_EXCHANGED: Final = pa.array([bytes([operation]) for operation in _KEYS], pa.binary())


class ExchangeCollector:
    """Makes the rows of the connections of a bucket, from their pieces.

    Which pieces have a row depends on all packets of their connections, so the rows come at the end.

    Args:
        flows: The flows.
        spool: Empty, for rows of `MARKED`.
    """

    def __init__(self, flows: pa.RecordBatch, spool: Spool) -> None:
        self._lossy: set[tuple[str, ...]] = set()  # sensors and connections
        self._with_junk: set[tuple[str, ...]] = set()  # likewise
        self._managers: set[tuple[str, str, bytes]] = set()  # sensors, connections and queue managers
        # The queue managers in handshakes, by sensor and connection.
        self._ends: defaultdict[tuple[str, ...], set[bytes]] = defaultdict(set)
        self._spool = spool
        self._count = 0
        streams = flows.filter(pc.equal(flows.column("transport"), "tcp"))
        ends = Distinct(*(streams.column(name) for name in _CONNECTION))
        is_alone = np.bincount(ends.indices.to_numpy()) == 1  # the other direction was not captured
        self._lossy |= {key for key, alone in zip(ends.values, is_alone.tolist(), strict=True) if alone}
        self._lossy |= _connections(streams.filter(pc.invert(streams.column("opened"))))

    def add(self, pieces: pa.RecordBatch, read: Read) -> None:
        """Add pieces of flows, and those among them that were decoded, with columns of at least `FIELDS`."""
        self._lossy |= _connections(pieces.filter(pc.is_in(pieces.column("kind"), _LOST)))
        self._with_junk |= _connections(pieces.filter(pc.equal(pieces.column("kind"), _JUNK)))
        self._meet(read)
        marked = _Marked(read)
        requests, replies = marked.requests(), marked.replies()
        ends = pa.array(sorted(set().union(*self._ends.values())), pa.binary())
        likely = marks(pc.is_in(pc.binary_slice(replies[1], 0, GUID_SIZE), ends))
        shapes = marked.shapes(requests[0], _OF_REQUESTS) if likely.any() else None
        self._mark(read, *requests, shapes, asks=True)
        self._mark(read, *replies, marked.shapes(replies[0], _OF_REPLIES, likely), asks=False)
        for asks, rows, keys in marked.carried():
            self._mark(read, rows, keys, None, asks=asks)
        self._count += len(pieces)

    def _mark(self, read: Read, rows: Ints, keys: pa.Array, shapes: pa.Array | None, *, asks: bool) -> None:
        """Store rows of `MARKED` for packets."""
        shapes = pa.nulls(len(rows), pa.binary()) if shapes is None else shapes
        index = pa.array(self._count + read.row_index[rows])
        columns = [index, keys, pa.repeat(pa.scalar(asks), len(rows)), shapes]
        self._spool.add(pa.RecordBatch.from_arrays(columns, schema=MARKED))

    def rows(
        self, batches: list[pa.RecordBatch], others: Collection[tuple[str, str]]
    ) -> Iterator[pa.RecordBatch]:
        """Yield rows of `EXCHANGES`; afterwards nothing can be added.

        Args:
            batches: All pieces again.
            others: The sensors and connections of other protocols.
        """
        starts = np.cumsum([0, *map(len, batches)])[:-1]
        streams = [batch.select([*_CONNECTION, "size"]) for batch in batches]
        positions = [batch.select(POSITION) for batch in batches]
        packets = [batch.select(["data"]) for batch in batches]
        for marked in self._spool.batches():
            index = marked.column("index").to_numpy()
            *stream, size = rows_of(streams, starts, index).columns
            keys, asks = marked.column("key"), marked.column("asks")
            named = Distinct(*stream, pc.binary_slice(keys, 0, GUID_SIZE))
            are_known = np.array([each in self._managers for each in named.values], np.bool_)
            is_about = pc.equal(pc.binary_length(keys), len(NO_CORRELATION))
            free = marks(pc.or_(asks, pc.invert(is_about)))
            is_short = marks(pc.less_equal(size, MOST))
            kept = np.flatnonzero((free | are_known[named.indices.to_numpy()]) & (is_short | marks(asks)))
            if len(kept):
                rows = pa.array(kept)
                texts = pa.array([key.hex() for key in keys.take(rows).to_pylist()], pa.string())
                data = _some_of(packets, starts, index[kept], is_short[kept])
                own = [texts, asks.take(rows), marked.column("shape").take(rows), data]
                columns = [*rows_of(positions, starts, index[kept]).columns, *own]
                yield pa.RecordBatch.from_arrays(columns, schema=plain(EXCHANGES))
        self._spool.close()
        yield self._losses(others)

    def _losses(self, others: Collection[tuple[str, str]]) -> pa.RecordBatch:
        """Return the rows for missing bytes: the queue managers that packets of their connections name.

        With an end that no handshake names, any queue manager may have sent them.
        """
        lossy = self._lossy | (self._with_junk & self._ends.keys())
        lossy -= {*others}
        names = {
            (sensor, manager.hex())
            for sensor, connection, manager in self._managers
            if (sensor, connection) in lossy
        }
        names |= {(key[0], "") for key in lossy if len(self._ends[key]) < _ENDS}
        columns = dict(zip(("sensor", "key"), zip(*sorted(names), strict=True), strict=False))
        arrays = [
            pa.array(columns[field.name], field.type)
            if field.name in columns
            else pa.nulls(len(names), field.type)
            for field in EXCHANGES
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=plain(EXCHANGES))

    def _meet(self, read: Read) -> None:
        """Note the queue managers that packets name, and those for which acknowledgments are."""
        paths = (*_NAMED, _ADDRESS, _CORRELATION)
        *named, address, correlation = (pc.struct_field(read.columns, path.split(".")) for path in paths)
        is_back = pc.equal(address, pc.binary_slice(correlation, 0, GUID_SIZE))
        source, *ends = (_values_of(read, managers) for managers in named)
        self._managers.update(source, *ends, _values_of(read, pc.if_else(is_back, address, None)))
        for sensor, connection, manager in set().union(*ends):
            if manager != NULL_GUID.bytes_le:
                self._ends[sensor, connection].add(manager)


def _some_of(packets: list[pa.RecordBatch], starts: Ints, index: Ints, which: Bools) -> pa.Array:
    """Return the bytes of some packets, and null for the others."""
    if not which.any():
        return pa.nulls(len(index), pa.binary())
    (data,) = rows_of(packets, starts, index[which]).columns
    return data.take(pa.array(np.cumsum(which) - 1, mask=~which))


def _connections(rows: pa.RecordBatch) -> set[tuple[str, ...]]:
    """Return the different sensors and connections of rows."""
    return {*Distinct(*(rows.column(name) for name in _CONNECTION)).values} if rows.num_rows else set()


def _values_of(read: Read, managers: pa.Array) -> set[tuple[Any, ...]]:
    """Return the different queue managers in a column, with their sensors and connections."""
    rows = pa.array(np.flatnonzero(marks(managers.is_valid())))
    if not len(rows):
        return set()
    keys = (read.pieces.column(name).take(rows) for name in _CONNECTION)
    return {*Distinct(*keys, managers.take(rows)).values}


def are_losses(rows: pa.RecordBatch) -> pa.Array:
    """Return which rows of `EXCHANGES` are needed with the replies of each key: those of missing bytes.

    Their key is a queue manager whose messages may be missing at their sensor, or empty for any.
    """
    return pc.is_null(rows.column("asks"))


def _leaves(column: pa.Array) -> Iterator[pa.Array]:
    """Yield the columns in a struct, at any depth."""
    if pa.types.is_struct(column.type):
        for field in column.flatten():
            yield from _leaves(field)
    else:
        yield column


class _Marked:
    """The requests and replies among packets: their rows, and their keys.

    Args:
        read: The packets.
    """

    def __init__(self, read: Read) -> None:
        self._read = read
        pieces = read.pieces
        whole = pc.and_(
            pc.equal(read.columns.field("kind"), "UserMessage"), pc.equal(pieces.column("kind"), Kind.PACKET)
        )
        self._is_message = pc.and_(whole, pc.is_null(pieces.column("protocol")))
        classes = self._column(_CLASS).cast(pa.int64())
        self._answering = pc.is_in(classes, _ANSWERING)
        bodiless = pc.equal(pc.binary_length(self._column(_BODY)), 0)
        self._positive = marks(pc.and_(pc.is_in(classes, _POSITIVE), bodiless))

    def _column(self, path: str) -> pa.Array:
        return pc.struct_field(self._read.columns, path.split("."))

    def _rows(self, condition: pa.Array) -> Ints:
        return np.flatnonzero(marks(pc.and_(self._is_message, condition)))

    def requests(self) -> tuple[Ints, pa.Array]:
        """Return messages that ask for acknowledgments or reports, by identifiers like a CorrelationID."""
        flags = pc.equal(self._column(_ASKING[0]), 1)
        for flag in _ASKING[1:]:
            flags = pc.or_(flags, pc.equal(self._column(flag), 1))
        acknowledged = pc.and_(flags, pc.not_equal(self._column(_ADMINISTRATION), 0))
        asking = pc.or_(pc.equal(self._column(_TRACED), 1), acknowledged)
        rows = self._rows(pc.and_(asking, pc.invert(self._answering)))
        chosen = pa.array(rows)
        managers, numbers = (self._column(path).take(chosen).to_pylist() for path in (_SOURCE, _NUMBER))
        keys = [
            manager + number.to_bytes(4, "little") for manager, number in zip(managers, numbers, strict=True)
        ]
        return rows, pa.array(keys, pa.binary())

    def replies(self) -> tuple[Ints, pa.Array]:
        """Return acknowledgments and reports, by the identifier of the message that they are about.

        It is in the CorrelationID; of a report without one, in the label.
        """
        correlations = self._column(_CORRELATION)
        is_blank = pc.equal(correlations, NO_CORRELATION)
        rows = self._rows(pc.and_(self._answering, pc.invert(is_blank)))
        blank = self._rows(pc.and_(pc.equal(self._column(_CLASS).cast(pa.int64()), _REPORT), is_blank))
        data = self._read.pieces.column("data")
        labels = [(row, _in_label(data[row].as_py())) for row in blank.tolist()]
        named = [(row, key) for row, key in labels if key is not None]
        keys = correlations.take(pa.array(rows)).cast(pa.binary())
        more = pa.array([key for _, key in named], pa.binary())
        return np.append(rows, np.array([row for row, _ in named], np.int64)), pa.concat_arrays([keys, more])

    def carried(self) -> Iterator[tuple[bool, Ints, pa.Array]]:
        """Yield those of [MC-MQDSRP]: whether they ask for a reply or are one, rows, and keys."""
        bodies, rows = self._column(_BODY), self._rows(_goes_to_directory(self._read.columns))
        at = mqdsrp.OPERATION_AT
        operations = pc.binary_slice(bodies.take(pa.array(rows)), at, at + 1)
        (kept,) = pc.is_in(operations, _EXCHANGED).to_numpy(zero_copy_only=False).nonzero()
        named: dict[bool, list[tuple[int, bytes]]] = {True: [], False: []}
        for row in rows[kept].tolist():
            body = bodies[row].as_py()
            asks, where = _KEYS[body[at]]
            if len(body) >= where.stop:
                named[asks].append((row, body[where]))
        for asks, pairs in named.items():
            keys = pa.array([key for _, key in pairs], pa.binary())
            yield asks, np.array([row for row, _ in pairs], np.int64), keys

    def shapes(self, rows: Ints, paths: tuple[str, ...], which: Bools | None = None) -> pa.Array:
        """Return the shapes of requests; with `which`, of those replies that are positive acknowledgments."""
        chosen = np.arange(len(rows)) if which is None else np.flatnonzero(which & self._positive[rows])
        at = np.full(len(rows), -1, np.int64)
        if not len(chosen):
            return pa.nulls(len(rows), pa.binary())
        taken = pa.array(rows[chosen])
        distinct = Distinct(*(leaf.take(taken) for path in paths for leaf in _leaves(self._column(path))))
        digests = [blake2b(repr(each).encode(), digest_size=8).digest() for each in distinct.values]
        at[chosen] = distinct.indices.to_numpy()
        return pa.array(digests, pa.binary()).take(pa.array(at, mask=at < 0))


def _in_label(packet: bytes) -> bytes | None:
    named = message_in_label(decode(packet))
    return None if named is None else named[0].bytes_le + named[1].to_bytes(4, "little")


def _goes_to_directory(read: pa.StructArray) -> pa.Array:
    """Return which messages are for the replication queue, as `carries` decides for complete messages."""
    queue = pc.struct_field(read, _QUEUE.split("."))
    numbered = pc.equal(queue.field("PrivateQueueIdentifier"), _REPLICATION.number)
    names = queue.field("DirectFormatName").dictionary_encode()
    marked = pc.match_substring(names.dictionary, _REPLICATION.path, ignore_case=True)
    return pc.or_(pc.fill_null(numbered, False), pc.fill_null(marked.take(names.indices), False))
