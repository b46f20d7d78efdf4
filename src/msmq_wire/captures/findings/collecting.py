"""Applies `PATTERNS` to the packets, messages and connections of a bucket, and makes rows of `findings`.

1. Facts are columns, made of columns that exist.  Only rows for which a pattern may hold are processed one by
   one.
2. Equal findings of a flow are one row, with the position of the first and their number.
3. A connection is in one bucket, so patterns over all its packets are applied at the end of the bucket.
"""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import marks
from msmq_wire.arrow.distinct import Distinct
from msmq_wire.captures.rows.channels import REMOTE_READ
from msmq_wire.captures.rows.packets import CARRIED, POSITION
from msmq_wire.captures.schemas import CONNECTION_KEY, FLOW_KEY, plain, schema_of
from msmq_wire.captures.sums import Sums, keys_of
from msmq_wire.packets.packet_starts import PACKET_SIZE
from msmq_wire.packets.reassembly import PARTS, Kind
from msmq_wire.packets.stream import PIECE
from msmq_wire.values.numbers import PING_PORT
from msmq_wire.values.times import MINUTE, SECOND

from .bursts import Bursts
from .contents import content_columns
from .joining import BY_POSITION, FINDINGS, JOINED, TICKS, Contact
from .joining import FactSums as Joined
from .lengths import wrong_lengths
from .patterns import PATTERNS, TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from .patterns import Condition, Pattern, Subject

    FactSums = Mapping[str, pa.Array]

_REQUEST: Final = "EstablishConnection"
_PING: Final = "PingPacket"
_NEVER: Final = int(np.iinfo(np.int64).max)
_ROWS: Final = plain(
    pa.schema([FINDINGS.field(name) for name in (*POSITION, "id", "evidence", "count", "message")])
)
"""The columns of findings that do not follow from the pattern."""
_ORDER: Final = (*BY_POSITION, "id", "evidence")
_SAME: Final = ("id", "sensor", "flow", "evidence")
"""The columns that are equal in equal findings of a flow."""
_SIDE: Final = (*CONNECTION_KEY, "direction")
_OF_SIDE: Final = {
    "requests": "sum",
    "messages": "sum",
    "acknowledgments": "sum",
    "unknown": "sum",
    "pieces": "sum",
    "since": "min",
    "last": "max",
}
"""What one side of a connection sent: requests for a session, messages, packets that acknowledge some of the
other side, pieces that are no packets, such as gaps, and all pieces; when it sent its first message and its
last piece, in microseconds since 1970."""
_SIDES: Final = plain(pa.schema([*schema_of(CARRIED), *((name, pa.int64()) for name in _OF_SIDE)]))
"""Sides, with the position of their first piece."""
_PINGS: Final = plain(pa.schema([*schema_of(CARRIED), ("last", pa.int64()), ("count", pa.int64())]))
"""PingPackets of a flow, with the time of the last one and their number."""
_ASKERS: Final = plain(
    pa.schema(
        [
            *schema_of(CARRIED),
            ("source_queue_manager", pa.string()),
            ("started", pa.int64()),
            ("count", pa.int64()),
        ]
    )
)
"""Requests for a session: the queue manager that sent them, when its system started, and their number."""
_ASKING: Final = next(pattern.conditions for pattern in PATTERNS if pattern.id == "handshake-only")


class FindingCollector:
    """Collects the findings of the connections of a bucket.

    Args:
        flows: The rows of `flows` of these connections.
    """

    def __init__(self, flows: pa.RecordBatch) -> None:
        self._opened = keys_of(flows.filter(flows.column("opened")), *FLOW_KEY)
        complete = pc.and_(flows.column("opened"), flows.column("finished"))
        self._complete = flows.select([*FLOW_KEY, "size"]).filter(complete)
        self._with_gaps: set[str] = set()
        self._askers = Sums(_ASKERS, (*CONNECTION_KEY, "source_queue_manager"), {"count": "sum"}, BY_POSITION)
        self._rows = Sums(_ROWS, _SAME, {"count": "sum"})
        self._sides = Sums(_SIDES, _SIDE, _OF_SIDE)
        self._pings = Sums(_PINGS, FLOW_KEY, {"count": "sum", "last": "max"}, BY_POSITION)
        self._joined = Joined()
        self._bursts = Bursts(self._joined)

    def add_packets(
        self, pieces: pa.RecordBatch, row_indices: NDArray[np.int64], packets: pa.RecordBatch
    ) -> None:
        """Add pieces, and the rows of `packets` among them with their places."""
        gaps = pieces.filter(pc.equal(pieces.column("kind"), str(Kind.GAP)))
        self._with_gaps.update(keys_of(gaps, *FLOW_KEY).to_pylist())
        conflicts = pieces.filter(pc.equal(pieces.column("kind"), str(Kind.CONFLICT)))
        self._apply("segment", conflicts, {"cause": conflicts.column("cause")})
        read = pieces.select(["kind", "path", "call"]).take(pa.array(row_indices))
        facts = self._packet_facts(packets, read)
        self._apply("packet", packets, facts)
        self._add_askers(packets, facts["tool"])
        self._add_pings(packets)
        self._add_sides(pieces, row_indices, packets)

    def add_messages(self, messages: pa.RecordBatch) -> None:
        """Add rows of `messages`."""
        self._bursts.add(messages)
        bodies = messages.column("body")
        encrypted = pc.fill_null(messages.column("encrypted"), False)
        partial = messages.column("partial")
        facts = {
            "carries": messages.column("carries"),
            "signed": messages.column("signed").cast(pa.int64()),
            "kind": pc.if_else(partial, str(Kind.HEAD), str(Kind.PACKET)),
            **content_columns(pc.if_else(encrypted, pa.scalar(None, bodies.type), bodies)),
        }
        self._apply("message", messages, facts)
        are_known = pc.and_(pc.is_valid(facts["carries"]), pc.is_valid(messages.column("time")))
        for name in ("src", "dst"):
            are_known = pc.and_(are_known, _is_there(messages.column(name)))
        rows = messages.select(POSITION).filter(are_known)
        for topic, name in (("sent", "src"), ("received", "dst")):
            self._joined.add(topic, ("directory",), rows.column(name), rows, _times(rows))

    def add_removals(self, _: pa.RecordBatch) -> None:
        """Ignore rows of `REMOVALS`: no pattern needs them."""

    def add_sessions(self, _: pa.RecordBatch) -> None:
        """Ignore rows of `sessions`: no pattern needs them."""

    def tables(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Yield the findings, and the rows of `FACTS_JOINED`."""
        yield "findings", self._findings()
        self._join_pings()
        self._bursts.close()
        yield JOINED, self._joined.batch()

    def close(self) -> None:
        """There are no files to delete."""

    def _findings(self) -> pa.RecordBatch:
        self._add_connections()
        rows = self._rows.batch()
        pattern = pc.index_in(rows.column("id"), pa.array([pattern.id for pattern in PATTERNS]))
        of_pattern = {
            field.name: pa.array([getattr(pattern, field.name) for pattern in PATTERNS], field.type).take(
                pattern
            )
            for field in FINDINGS
            if field.name not in _ROWS.names
        }
        columns = [of_pattern[name] if name in of_pattern else rows.column(name) for name in FINDINGS.names]
        table = pa.RecordBatch.from_arrays(columns, schema=plain(FINDINGS))
        return table.take(pc.sort_indices(table, sort_keys=[(name, "ascending") for name in _ORDER]))

    # ----------------------------------------------------------------------------------------- facts

    def _packet_facts(self, packets: pa.RecordBatch, read: pa.RecordBatch) -> FactSums:
        count = len(packets)
        flags = pc.struct_field(packets.column("UserHeader"), ["Flags", "AH"])
        lengths = self._wrong_lengths(packets, read)
        over_http = pc.coalesce(flags.cast(pa.int64()), lengths["over_http"])
        manager = packets.column("source_queue_manager")
        known = pc.index_in(manager, pa.array(TOOLS))
        return {
            "type": packets.column("type"),
            "direction": packets.column("direction"),
            "returned": _returned(packets).cast(pa.int64()),
            **self._bodies_over_http(packets, over_http),
            **lengths,
            "over_http": over_http,
            "first": self._firsts(packets),
            "identity": manager,
            "tool": pa.array(TOOLS.values()).take(known)
            if known.null_count < count
            else pa.nulls(count, pa.string()),
        }

    @staticmethod
    def _bodies_over_http(packets: pa.RecordBatch, over_http: pa.Array) -> FactSums:
        """Return where the body of a message over HTTP ends, and by how much that exceeds its header."""
        if not pc.any(pc.fill_null(pc.equal(over_http, 1), False)).as_py():
            return dict.fromkeys(("excess", "body_end", "data_size"), pa.nulls(len(packets), pa.int64()))
        header = packets.column("CompoundMessageHeader")
        offset, size, all_bytes = (
            pc.struct_field(header, name) for name in ("MsgBodyOffset", "MsgBodySize", "HTTPBodySize")
        )
        end = pc.add(offset, size)
        return {"excess": pc.subtract(end, all_bytes), "body_end": end, "data_size": all_bytes}

    def _wrong_lengths(self, packets: pa.RecordBatch, read: pa.RecordBatch) -> FactSums:
        """Return which length leads out of each packet that is not whole, and whether it is over HTTP.

        Args:
            packets: The packets.
            read: Their kinds of pieces, the fields at which decoding failed, and the calls with them.
        """
        facts: dict[str, list[Any]] = {
            name: [None] * len(packets) for name in ("wrong_length", "wrong_http_length", "over_http")
        }
        kinds = read.column("kind")
        rows = _indices(pc.is_in(kinds, pa.array([*PARTS])))
        known = packets.select(["data"]).take(pa.array(rows, pa.int64())).column("data").to_pylist()
        paths = read.column("path").to_pylist() if rows else []
        calls = read.column("call").take(pa.array(rows, pa.int64()))
        sections = pc.struct_field(calls, "section").to_pylist()
        of_rows = zip(rows, known, self._left(packets, rows), sections, strict=True)
        for row, data, left, section in of_rows:
            unread = kinds[row].as_py() == Kind.UNREADABLE and paths[row] != PACKET_SIZE
            is_followed = unread and len(data) < PIECE
            wrong = wrong_lengths(data, left=left, section=section, is_followed=is_followed)
            for name, value in zip(facts, wrong, strict=True):
                facts[name][row] = value
        types = {"over_http": pa.int64()}
        return {name: pa.array(values, types.get(name, pa.string())) for name, values in facts.items()}

    def _left(self, packets: pa.RecordBatch, rows: list[int]) -> list[int | None]:
        """Return the number of bytes from each packet to the end of its flow.

        It is None if the flow has gaps, and for a packet of a remote read, which may return a part of it.
        """
        if not rows:
            return []
        parts = packets.select([*FLOW_KEY, "offset", "channel"]).take(pa.array(rows))
        keys = keys_of(parts, *FLOW_KEY)
        sizes = self._complete.column("size").take(pc.index_in(keys, keys_of(self._complete, *FLOW_KEY)))
        unknown = pc.or_(pc.is_in(keys, pa.array([*self._with_gaps], pa.string())), _returned(parts))
        sizes = pc.if_else(unknown, None, sizes)
        left: list[int | None] = pc.subtract(sizes, parts.column("offset")).to_pylist()
        return left

    def _firsts(self, packets: pa.RecordBatch) -> pa.Array:
        """Return which packets are the first of an opener, of connections captured from their beginning."""
        begins = pc.and_(pc.equal(packets.column("offset"), 0), pc.equal(packets.column("transport"), "tcp"))
        begins = pc.and_(begins, pc.equal(packets.column("direction"), "->"))
        firsts = pc.and_(begins, pc.is_in(keys_of(packets, *FLOW_KEY), self._opened))
        return pc.fill_null(firsts, False).cast(pa.int64())

    def _add_askers(self, packets: pa.RecordBatch, tools: pa.Array) -> None:
        """Record which address claims to be which queue manager, in requests for a session."""
        asks = pc.and_(
            pc.equal(packets.column("type"), _REQUEST), pc.equal(packets.column("direction"), "->")
        )
        asks = pc.and_(pc.and_(asks, pc.is_null(tools)), pc.is_valid(packets.column("time")))
        asks = pc.and_(asks, pc.is_valid(packets.column("source_queue_manager")))
        stamps = pc.struct_field(packets.column("EstablishConnectionHeader"), "TimeStamp").cast(pa.int64())
        asks = pc.and_(pc.and_(asks, pc.is_valid(stamps)), _is_there(packets.column("src")))
        rows = packets.select([*POSITION, "source_queue_manager"]).filter(asks)
        started = (_times(rows).to_numpy() // 1000 - stamps.filter(asks).to_numpy()) % TICKS
        columns = [*rows.columns, pa.array(started), pa.repeat(pa.scalar(1, pa.int64()), len(rows))]
        self._askers.add(pa.RecordBatch.from_arrays(columns, schema=_ASKERS))

    def _add_pings(self, packets: pa.RecordBatch) -> None:
        """Record who asks whom by PingPackets; if both ports are that of Pings, they do not tell."""
        asks = pc.equal(packets.column("type"), _PING)
        for name, is_equal in (("dst_port", True), ("src_port", False)):
            of_pings = pc.equal(packets.column(name), PING_PORT)
            asks = pc.and_(asks, of_pings if is_equal else pc.invert(of_pings))
        rows = packets.select(POSITION).filter(pc.and_(asks, pc.is_valid(packets.column("time"))))
        columns = [*rows.columns, _times(rows), pa.repeat(pa.scalar(1, pa.int64()), len(rows))]
        self._pings.add(pa.RecordBatch.from_arrays(columns, schema=_PINGS))

    # ----------------------------------------------------------------------------------------- connections

    def _add_sides(
        self, pieces: pa.RecordBatch, row_indices: NDArray[np.int64], packets: pa.RecordBatch
    ) -> None:
        """Count what each side of each connection sent."""
        distinct = Distinct(
            *(pieces.column(name) for name in ("transport", "sensor", "connection", "direction"))
        )
        groups = distinct.indices.to_numpy()
        count = len(distinct.first)

        def counts(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
            return np.bincount(groups[mask], minlength=count)

        types = pieces.column("type")
        times = pieces.column("end_time").cast(pa.int64()).fill_null(0).to_numpy()
        acknowledges = np.zeros(len(pieces), np.bool_)
        acknowledges[row_indices] = marks(pc.greater(packets.column("acknowledged_in_session"), 0))
        is_message = marks(pc.equal(types, "UserMessage"))
        last = np.zeros(count, np.int64)
        np.maximum.at(last, groups, times)
        since = np.full(count, _NEVER)
        np.minimum.at(since, groups[is_message], times[is_message])
        numbers = (
            counts(marks(pc.equal(types, _REQUEST))),
            counts(is_message),
            counts(acknowledges),
            counts(~marks(pc.is_valid(types))),
            np.bincount(groups, minlength=count),
            since,
            last,
        )
        firsts = pieces.select(POSITION).take(pa.array(distinct.first))
        sides = pa.RecordBatch.from_arrays([*firsts.columns, *map(pa.array, numbers)], schema=_SIDES)
        self._sides.add(sides.filter(pc.equal(sides.column("transport"), "tcp")))

    def _add_connections(self) -> None:
        """Apply the patterns of connections."""
        sides = self._sides.batch()
        distinct = Distinct(*(sides.column(name) for name in CONNECTION_KEY))
        is_opener = marks(pc.equal(sides.column("direction"), "->"))
        at = np.full((2, len(distinct.first)), len(sides))
        for own, which in zip(at, (is_opener, ~is_opener), strict=True):
            own[distinct.indices.to_numpy()[which]] = np.flatnonzero(which)
        opener, acceptor = at[:, at[0] < len(sides)]
        if not len(opener):
            return
        rows = sides.select(POSITION).take(pa.array(opener))
        nothing = {"since": _NEVER}
        numbers = {name: np.append(sides.column(name).to_numpy(), nothing.get(name, 0)) for name in _OF_SIDE}
        both = [{name: column[which] for name, column in numbers.items()} for which in (opener, acceptor)]
        others = sum(side["pieces"] - side["requests"] for side in both)
        unanswered, waited = _waiting(*both)
        columns = {
            "requests": both[0]["requests"],
            "others": others,
            "unanswered": unanswered,
            "waited": waited,
        }
        facts = {name: pa.array(column) for name, column in columns.items()}
        self._apply("connection", rows, facts)
        self._join(rows, _hold(_ASKING, facts), others)
        self._join_askers(rows, both[0]["last"])

    def _join_askers(self, openers: pa.RecordBatch, last: NDArray[np.int64]) -> None:
        """Record that an opener claims to be its queue manager from its request on, as long as it sends."""
        rows = self._askers.batch()
        asked, opened = (keys_of(batch, *CONNECTION_KEY) for batch in (rows, openers))
        until = pa.array(last).take(pc.index_in(asked, opened))
        rows, until = rows.filter(until.is_valid()), until.drop_null()
        manager, started, count = (rows.column(name) for name in ("source_queue_manager", "started", "count"))
        self._joined.add(
            "speaker", (manager,), rows.column("src"), rows, until,
            number=_times(rows), started=started, count=count,
        )  # fmt: skip

    def _join_pings(self) -> None:
        """Record Pings for the patterns of `joining`."""
        rows = self._pings.batch()
        src, dst, last, count = (rows.column(name) for name in ("src", "dst", "last", "count"))
        self._joined.add("asked", ("asked", src), dst, rows, last, number=int(Contact.PINGED), count=count)

    def _join(self, rows: pa.RecordBatch, is_asking: pa.Array, others: NDArray[np.int64]) -> None:
        """Record connections for the patterns of `joining`."""
        contact = pc.if_else(is_asking, int(Contact.ASKED), int(Contact.TALKED)).cast(pa.int64())
        until = _times(rows).fill_null(0)
        self._joined.add(
            "asked", ("asked", rows.column("src")), rows.column("dst"), rows, until, number=contact
        )
        talked = rows.filter(pa.array(others > 0))
        self._joined.add(
            "asked", ("asked", talked.column("dst")), talked.column("src"), talked,
            _times(talked).fill_null(0), number=int(Contact.CALLED),
        )  # fmt: skip
        rows = rows.filter(rows.column("time").is_valid())
        time, src, dst = _times(rows), rows.column("src"), rows.column("dst")
        minute = pa.array(time.to_numpy() // MINUTE)
        self._joined.add("flood", ("flood", src, dst), dst, rows, time, number=minute)

    # ----------------------------------------------------------------------------------------- findings

    def _apply(self, subject: Subject, rows: pa.RecordBatch, facts: FactSums) -> None:
        for pattern in PATTERNS:
            if pattern.subject == subject:
                chosen = pa.array(_indices(_hold(pattern.conditions, facts)), pa.int64())
                if len(chosen):
                    known = {name: column.take(chosen) for name, column in facts.items()}
                    self._add(pattern, rows.take(chosen), known)

    def _add(self, pattern: Pattern, rows: pa.RecordBatch, facts: FactSums) -> None:
        """Add rows for which a pattern holds."""
        evidence = _evidence(pattern, facts, len(rows))
        distinct = Distinct(rows.column("sensor"), rows.column("flow"), evidence)
        first, indices = pa.array(distinct.first), distinct.indices.to_numpy()
        own = {
            "id": pa.repeat(pattern.id, len(first)),
            "evidence": evidence.take(first),
            "count": pa.array(np.bincount(indices, minlength=len(first))),
        }
        if "message" not in rows.schema.names:
            own["message"] = pa.nulls(len(first), pa.string())
        columns = [own[name] if name in own else rows.column(name).take(first) for name in _ROWS.names]
        self._rows.add(pa.RecordBatch.from_arrays(columns, schema=_ROWS))


def _returned(packets: pa.RecordBatch) -> pa.Array:
    """Return which packets a remote read returned."""
    return pc.fill_null(pc.equal(packets.column("channel"), REMOTE_READ), False)


def _evidence(pattern: Pattern, facts: FactSums, count: int) -> pa.Array:
    """Return the sentences about findings, made once for equal facts."""
    names = [name for _, name, _, _ in Formatter().parse(pattern.evidence) if name]
    if not names:
        return pa.repeat(pattern.evidence.format(), count)
    distinct = Distinct(*(facts[name] for name in names))
    texts = [pattern.evidence.format_map(dict(zip(names, values, strict=True))) for values in distinct.values]
    return distinct.array(texts, pa.string())


def _waiting(
    opener: Mapping[str, NDArray[np.int64]], acceptor: Mapping[str, NDArray[np.int64]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many messages of a side were not acknowledged at all, and for how many seconds."""
    unanswered, waited = np.zeros((2, len(opener["pieces"])), np.int64)
    for sender, receiver in ((acceptor, opener), (opener, acceptor)):
        silent = (sender["messages"] > 0) & (receiver["pieces"] > 0)
        silent &= (receiver["acknowledgments"] == 0) & (receiver["unknown"] == 0)
        wait = np.maximum(np.maximum(opener["last"], acceptor["last"]) - sender["since"], 0) // SECOND
        silent &= wait >= waited  # of two silent sides, the one that was silent for longer
        unanswered, waited = np.where(silent, sender["messages"], unanswered), np.where(silent, wait, waited)
    return unanswered, waited


def _hold(conditions: Iterable[Condition], facts: FactSums) -> pa.Array:
    """Return for which rows all conditions hold."""
    held = None
    for condition in conditions:
        own = _holds(facts[condition.fact], condition)
        held = own if held is None else pc.and_(held, own)
        if not pc.any(held).as_py():
            break
    return held


def _holds(column: pa.Array, condition: Condition) -> pa.Array:
    """Return for which rows a condition holds; for null only if the condition tests for null."""
    match condition.operator:
        case "is":
            mask = pc.equal(column, pa.scalar(condition.value, column.type))
        case "is at least":
            mask = pc.greater_equal(column, pa.scalar(condition.value, column.type))
        case "is known":
            mask = pc.is_valid(column)
        case "is unknown":
            mask = pc.is_null(column)
    return pc.fill_null(mask, False)


def _times(rows: pa.RecordBatch) -> pa.Array:
    """Return times in microseconds since 1970."""
    return rows.column("time").cast(pa.int64())


def _is_there(column: pa.Array) -> pa.Array:
    return pc.fill_null(pc.not_equal(column, ""), False)


def _indices(column: pa.Array | None) -> list[int]:
    rows: list[int] = [] if column is None else np.flatnonzero(marks(column)).tolist()
    return rows
