"""Segments of a bucket to rows of all tables; the local engine and Spark use the same functions.

1. Rows are ordered, pieces are split off, and tables are made of the pieces.  Only the numbers of a flow are
   in memory at once, not its bytes.
2. Unless ports are given, a connection is MSMQ if a packet begins in one of its segments.  Other connections
   are omitted and counted in `Maker.others`.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow._messages import Distinct
from msmq_wire.packets.reassembly import Kind
from msmq_wire.values.errors import MsmqWireError

from .flows.buckets import Bucket, dictionary_encoded
from .flows.framing import PIECES, pieces_of
from .rows.directory import changes
from .rows.messages import messages
from .rows.outlines import FIELDS as OUTLINED
from .rows.outlines import OUTLINE, outline_columns
from .rows.packets import CARRIED, Judge, bodies, violations
from .rows.partial import partial_messages
from .rows.sessions import session_rows
from .schemas import plain
from .spool import Spool
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
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from .engine import Settings

__all__ = ["CHANGED", "DIRECTORY", "TABLES", "ImbalanceError", "Maker", "collecting_rarely"]

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
DIRECTORY: Final = frozenset(name for name in TABLES if name.startswith("directory_"))
_MEANT: Final = DIRECTORY | {"packets", "messages", "quarantine"}
"""Tables that need headers as columns."""
CHANGED: Final = "changes"
"""Internal name of the directory changes before their tables are made."""
_MANY_ROWS: Final = 16_000
_MANY_BYTES: Final = 8 << 20
_IN_SESSIONS: Final = (
    *(name for name, _, _ in CARRIED),
    *("kind", "type", "error", "path", "error_offset", "turn", "seen"),
)
"""The columns of pieces that sessions need."""
_JUDGED: Final = pa.schema(
    [
        *(PIECES.field(name) for name in _IN_SESSIONS),
        *OUTLINE,
        ("clear", pa.bool_()),
        PIECES.field("data"),
    ]
)
"""Pieces as sessions need them: their bytes are in a column of their own, and read only on demand."""


_ALLOCATIONS: Final = 50_000
"""How many more objects there are when Python looks for cycles the next time; usually some hundreds."""


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Look for reference cycles less often: making tables creates many objects, but no cycles."""
    usual = gc.get_threshold()
    gc.set_threshold(usual[0] and max(usual[0], _ALLOCATIONS), *usual[1:])  # 0 means never
    try:
        yield
    finally:
        gc.set_threshold(*usual)


class ImbalanceError(MsmqWireError):
    """Bytes of a flow are in no table, or in two: a fault of this library, not of the captures."""


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
        """Yield the tables of a bucket."""
        bucket = Bucket(batches)
        self.others = bucket.others
        if not bucket.rows:
            return
        wanted = self._wanted
        flows = bucket.flows()
        if "flows" in wanted:
            yield "flows", flows
        sizes: list[pa.RecordBatch] = []
        judged = Spool(_JUDGED, self._place / f"pieces-{number}", self._settings.memory // 4)
        tcp = wanted & {"sessions", "violations"}
        for pieces in _together(pieces_of(self._settings.max_packet_size)(bucket.ordered())):
            sizes.append(pieces.select(["sensor", "flow", "kind", "size"]))
            read = None
            if tcp:
                judge = _judge(self._settings) if "violations" in wanted else None
                read = read_pieces(pieces, judge, None if wanted & _MEANT else OUTLINED)
                judged.add(_judged(pieces, read))
            yield from self.of_pieces(pieces, read)
        if "balance" in wanted:
            yield "balance", _balance(flows, sizes)
        if tcp:
            yield from self._sessions(judged.batches(), flows)
        judged.close()

    def of_pieces(
        self, pieces: pa.RecordBatch, read: Read | None = None
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The tables that need only single pieces; `read` has those that were decoded already."""
        wanted = self._wanted
        if not pieces.num_rows:
            return
        if "pieces" in wanted:
            yield "pieces", pieces
        if "gaps" in wanted:
            yield "gaps", gaps(pieces)
        if "quarantine" in wanted:
            yield "quarantine", quarantine_of_pieces(pieces)
        found = None
        if wanted & _MEANT:
            found = packet_rows(read or read_pieces(pieces, None))
            if "packets" in wanted:
                yield "packets", found
        if "violations" in wanted:
            held = pc.equal(pieces.column("kind"), str(Kind.PACKET))
            if not self._live:  # with TCP, violations are found together with sessions
                held = pc.and_(held, pc.not_equal(pieces.column("transport"), "tcp"))
            worker = violations(_judge(self._settings))
            yield from (("violations", batch) for batch in worker([pieces.filter(held)]))
        if found is not None and wanted & (_MEANT - {"packets"}):
            yield from self._of_messages(found)
        if "messages" in wanted:
            yield from (("messages", batch) for batch in partial_messages()([pieces]) if batch.num_rows)

    def _of_messages(self, packets: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
        users = message_fields(packets)
        for made in messages()([users]):
            if "messages" in self._wanted:
                yield "messages", made
            carriers = users.filter(pc.is_valid(made.column("carries")))
            carriers = carriers.append_column("data", packets.column("data").take(carriers.column("index")))
            for batch in bodies()([carriers]) if carriers.num_rows else ():
                if "quarantine" in self._wanted:
                    yield "quarantine", quarantine_of_bodies(batch)
                for changed in changes()([batch.filter(pc.is_valid(batch.column("body")))]):
                    yield CHANGED, changed

    def _sessions(
        self, batches: list[pa.RecordBatch], flows: pa.RecordBatch
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Sessions and their violations."""
        judge = _judge(self._settings) if "violations" in self._wanted else None
        data = pa.chunked_array([batch.column("data") for batch in batches], pa.binary())
        for batch in session_rows(data, judge)(_by_connection(batches, flows)):
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


# ------------------------------------------------------------------------------------------ sessions


def _judged(pieces: pa.RecordBatch, read: Read) -> pa.RecordBatch:
    """Return pieces as rows of `_JUDGED`."""
    places = np.full(len(pieces), -1, np.int64)
    places[read.place] = np.arange(len(read.place))
    taken = pa.array(places, mask=places < 0)
    own = [*outline_columns(read.pieces.column("data"), read.columns), read.clear]
    arrays = [*pieces.select(_IN_SESSIONS).columns, *(one.take(taken) for one in own), pieces.column("data")]
    return pa.RecordBatch.from_arrays(arrays, schema=_JUDGED)


def _by_connection(batches: list[pa.RecordBatch], flows: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Pieces of TCP, connection by connection in the order of their turns, with what `session_rows` takes."""
    beside = pa.array([str(kind) for kind in Kind if not kind.in_stream])
    parts, places, start = [], [], 0
    for batch in batches:
        tcp = pc.equal(batch.column("transport"), "tcp")
        wanted = pc.and_(tcp, pc.invert(pc.is_in(batch.column("kind"), beside)))
        parts.append(batch.drop_columns(["data"]).filter(wanted))
        places.append(start + np.flatnonzero(wanted.to_numpy(zero_copy_only=False)))
        start += len(batch)
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
    # Of each connection, whether it was opened and closed, and whether both of its flows were captured.
    ends: dict[tuple[str, str], tuple[bool, bool, bool]] = {}
    columns = (flows.column(name).to_pylist() for name in ("sensor", "connection", "opened", "closed"))
    for sensor, connection, opened, closed in zip(*columns, strict=True):
        before = ends.get((sensor, connection))
        ends[sensor, connection] = (
            (before[0] or opened, before[1] or closed, True) if before else (opened, closed, False)
        )
    sensors, connections = (key[order] for key in keys[:2])
    first = np.flatnonzero(np.r_[True, (sensors[1:] != sensors[:-1]) | (connections[1:] != connections[:-1])])
    names = (light.column(name).take(pa.array(order[first])).to_pylist() for name in ("sensor", "connection"))
    known = np.array([ends[connection] for connection in zip(*names, strict=True)], np.bool_)
    found = np.repeat(known, np.diff(np.r_[first, len(order)]), axis=0)
    for start in range(0, len(order), _MANY_ROWS):
        index = order[start : start + _MANY_ROWS]
        rows = light.take(pa.array(index)).combine_chunks().to_batches()[0]
        yield pa.RecordBatch.from_arrays(
            [
                *rows.columns,
                pa.array(place[index]),
                *map(pa.array, found[start : start + _MANY_ROWS].T),
            ],
            names=[*rows.schema.names, "place", "opened", "closed", "both"],
        )


def _numbers(rows: pa.Table, name: str) -> NDArray[np.int64]:
    found: NDArray[np.int64] = rows.column(name).cast(pa.int64()).fill_null(-1).to_numpy()
    return found


def _ranks(column: Any) -> NDArray[np.int64]:
    """Numbers in the order of texts; null comes first."""
    encoded = dictionary_encoded(column)
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
        pieces = _joined(sizes)
        pieces = pieces.filter(pc.invert(pc.is_in(pieces.column("kind"), beside)))
        groups = Distinct(*(pieces.column(name) for name in ("sensor", "flow", "kind")))
        sums = np.zeros(len(groups.values), np.int64)
        np.add.at(sums, groups.indices.to_numpy(), pieces.column("size").to_numpy())
        for (sensor, flow, kind), total in zip(groups.values, sums.tolist(), strict=True):
            own = totals.setdefault((sensor, flow), [0, 0, 0])
            own[{str(Kind.PACKET): 0, str(Kind.GAP): 2}.get(kind, 1)] += total
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
    columns: list[Any] = [*zip(*rows, strict=True)] or [[]] * len(BALANCE)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, BALANCE, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=plain(BALANCE))
