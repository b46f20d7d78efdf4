"""Applies `PATTERNS` to the packets, messages and connections of a bucket, and makes rows of `findings`.

1. Facts are columns, made of columns that exist.  Only rows for which a pattern may hold are processed one by
   one.
2. Equal findings of a flow are one row, with the position of the first and their number.
3. A connection is in one bucket, so patterns over all its packets are applied at the end of the bucket.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.distinct import Distinct
from msmq_wire.captures.rows.packets import CARRIED
from msmq_wire.captures.schemas import plain, schema_of
from msmq_wire.packets.lax import decode_lax
from msmq_wire.packets.reassembly import Kind
from msmq_wire.values.errors import in_bytes
from msmq_wire.values.refusals import Problem, say

from .bursts import Bursts
from .contents import content_columns
from .joining import FINDINGS, JOINED, finding_row, micros_of, position_key
from .joining import Facts as Joined
from .patterns import PATTERNS, TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from .patterns import Condition, Subject

    Facts = Mapping[str, pa.Array]

__all__ = ["FindingCollector"]

_POSITION: Final = [name for name, _, _ in CARRIED]
_REQUEST: Final = "EstablishConnection"
_SECOND: Final = 1_000_000
_NEVER: Final = 1 << 62


class FindingCollector:
    """Collects the findings of the connections of a bucket.

    Args:
        flows: The rows of `flows` of these connections.
    """

    def __init__(self, flows: pa.RecordBatch) -> None:
        columns = (
            flows.column(name).to_pylist() for name in ("sensor", "flow", "opened", "finished", "size")
        )
        known = {(sensor, flow): row for sensor, flow, *row in zip(*columns, strict=True)}
        self._opened = {key for key, (opened, _, _) in known.items() if opened}
        # The sizes of flows from their first to their last byte, as long as no bytes of them are missing.
        self._whole = {key: size for key, (opened, finished, size) in known.items() if opened and finished}
        self._askers: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
        self._rows: dict[tuple[str, str, str, str], dict[str, Any]] = {}
        self._sides: dict[tuple[str, str, str], _Side] = {}
        self._joined = Joined()
        self._bursts = Bursts(self._joined)

    def add_packets(self, pieces: pa.RecordBatch, places: NDArray[np.int64], packets: pa.RecordBatch) -> None:
        """Add pieces, and the rows of `packets` among them with their places."""
        gaps = pieces.filter(pc.equal(pieces.column("kind"), str(Kind.GAP)))
        for key in zip(gaps.column("sensor").to_pylist(), gaps.column("flow").to_pylist(), strict=True):
            self._whole.pop(key, None)
        kinds = pieces.column("kind").take(pa.array(places))
        facts = self._packet_facts(packets, kinds)
        self._apply("packet", packets, facts)
        self._add_speakers(packets, facts["tool"])
        self._add_sides(pieces, places, packets)

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
        rows = _indices(pc.and_(pc.is_valid(facts["carries"]), pc.is_valid(messages.column("time"))))
        for row in messages.select(_POSITION).take(pa.array(rows, pa.int64())).to_pylist():
            if row["src"] and row["dst"]:
                for topic, address in (("sent", row["src"]), ("received", row["dst"])):
                    self._joined.add(topic, "directory", address, row, micros_of(row))

    def add_sessions(self, _: pa.RecordBatch) -> None:
        """Ignore rows of `sessions`: no pattern needs them."""

    def tables(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Yield the findings, and the rows of `FACTS_JOINED`."""
        yield "findings", self._findings()
        self._bursts.close()
        yield JOINED, self._joined.batch()

    def close(self) -> None:
        """There are no files to delete."""

    def _findings(self) -> pa.RecordBatch:
        self._add_connections()
        rows = sorted(self._rows.values(), key=lambda row: (*position_key(row), row["id"], row["evidence"]))
        return pa.RecordBatch.from_pylist(rows, schema=plain(FINDINGS))

    # ----------------------------------------------------------------------------------------- facts

    def _packet_facts(self, packets: pa.RecordBatch, kinds: pa.Array) -> Facts:
        count = len(packets)
        flags = pc.struct_field(packets.column("UserHeader"), ["Flags", "AH"])
        over_http = flags.cast(pa.int64())
        manager = packets.column("source_queue_manager")
        known = pc.index_in(manager, pa.array(TOOLS))
        return {
            "kind": kinds,
            "type": packets.column("type"),
            "direction": packets.column("direction"),
            "over_http": over_http,
            "excess": self._excess(packets, over_http),
            **self._wrong_fields(packets, kinds),
            "first": self._firsts(packets),
            "tool": pa.array(TOOLS.values()).take(known)
            if known.null_count < count
            else pa.nulls(count, pa.string()),
        }

    @staticmethod
    def _excess(packets: pa.RecordBatch, over_http: pa.Array) -> pa.Array:
        """Return by how many bytes the body of a message over HTTP exceeds its header."""
        if not pc.any(pc.fill_null(pc.equal(over_http, 1), False)).as_py():
            return pa.nulls(len(packets), pa.int64())
        header = packets.column("CompoundMessageHeader")
        offset, size, all_bytes = (
            pc.struct_field(header, name) for name in ("MsgBodyOffset", "MsgBodySize", "HTTPBodySize")
        )
        return pc.subtract(pc.add(offset, size), all_bytes)

    def _wrong_fields(self, packets: pa.RecordBatch, kinds: pa.Array) -> Facts:
        """Return which field leads out of each packet that is not whole, out of what, and what is wrong."""
        facts: dict[str, list[str | None]] = {
            name: [None] * len(packets) for name in ("wrong_field", "whole", "problem")
        }
        data = packets.column("data")
        for row in _indices(pc.equal(kinds, str(Kind.UNREADABLE))):
            error = decode_lax(data[row].as_py()).error
            if error is not None and error.limit != "buffer":
                told = error.source_path, "the packet", error.problem
                for name, value in zip(facts, told, strict=True):
                    facts[name][row] = value
        for row in _indices(pc.equal(kinds, str(Kind.TAIL))):
            size = packets.column("BaseHeader")[row]["PacketSize"].as_py()
            flow = packets.column("sensor")[row].as_py(), packets.column("flow")[row].as_py()
            left = self._whole.get(flow, _NEVER) - packets.column("offset")[row].as_py()
            if size is not None and size > left:
                problem = say(Problem.VALUE, in_bytes(size), str(left))
                told = "BaseHeader.PacketSize", "the connection", problem
                for name, value in zip(facts, told, strict=True):
                    facts[name][row] = value
        return {name: pa.array(values, pa.string()) for name, values in facts.items()}

    def _firsts(self, packets: pa.RecordBatch) -> pa.Array:
        """Return which packets are the first of an opener, of connections captured from their beginning."""
        firsts = np.zeros(len(packets), np.int64)
        begins = pc.and_(pc.equal(packets.column("offset"), 0), pc.equal(packets.column("transport"), "tcp"))
        rows = _indices(pc.and_(begins, pc.equal(packets.column("direction"), "->")))
        sensors, flows = packets.column("sensor"), packets.column("flow")
        for row in rows:
            firsts[row] = (sensors[row].as_py(), flows[row].as_py()) in self._opened
        return pa.array(firsts)

    def _add_speakers(self, packets: pa.RecordBatch, tools: pa.Array) -> None:
        """Record which address claims to be which queue manager, in requests for a session."""
        asks = pc.and_(
            pc.equal(packets.column("type"), _REQUEST), pc.equal(packets.column("direction"), "->")
        )
        asks = pc.and_(pc.and_(asks, pc.is_null(tools)), pc.is_valid(packets.column("time")))
        asks = pc.and_(asks, pc.is_valid(packets.column("source_queue_manager")))
        rows = packets.select([*_POSITION, "source_queue_manager"])
        for row in rows.take(pa.array(_indices(asks), pa.int64())).to_pylist():
            manager = row.pop("source_queue_manager")
            if row["src"]:
                self._joined.add("speaker", manager, row["src"], row, micros_of(row))
                self._askers.setdefault((row["sensor"], row["connection"]), {}).setdefault(manager, row)

    # ----------------------------------------------------------------------------------------- connections

    def _add_sides(self, pieces: pa.RecordBatch, places: NDArray[np.int64], packets: pa.RecordBatch) -> None:
        """Count what each side of each connection sent."""
        distinct = Distinct(
            *(pieces.column(name) for name in ("transport", "sensor", "connection", "direction"))
        )
        groups = distinct.indices.to_numpy()
        count = len(distinct.values)

        def counts(mask: NDArray[np.bool_]) -> list[int]:
            per_group: list[int] = np.bincount(groups[mask], minlength=count).tolist()
            return per_group

        types = pieces.column("type")
        times = pieces.column("end_time").cast(pa.int64()).fill_null(0).to_numpy()
        acknowledges = np.zeros(len(pieces), np.bool_)
        told = pc.fill_null(pc.greater(packets.column("acknowledged_in_session"), 0), False)
        acknowledges[places] = told.to_numpy(zero_copy_only=False)
        is_message = _mask(pc.equal(types, "UserMessage"))
        last = np.zeros(count, np.int64)
        np.maximum.at(last, groups, times)
        since = np.full(count, np.iinfo(np.int64).max)
        np.minimum.at(since, groups[is_message], times[is_message])
        numbers = zip(
            counts(_mask(pc.equal(types, _REQUEST))),
            counts(is_message),
            counts(acknowledges),
            counts(~_mask(pc.is_valid(types))),
            np.bincount(groups, minlength=count).tolist(),
            since.tolist(),
            last.tolist(),
            strict=True,
        )
        firsts = pieces.select(_POSITION).take(pa.array(distinct.first)).to_pylist()
        for (transport, *key), first, values in zip(distinct.values, firsts, numbers, strict=True):
            if transport == "tcp":
                sensor, connection, direction = key
                side = self._sides.setdefault((sensor, connection, direction), _Side(first))
                side.add(*values)

    def _add_connections(self) -> None:
        """Apply the patterns of connections."""
        openers = {key[:2]: side for key, side in self._sides.items() if key[2] == "->"}
        rows, facts = [], []
        for (sensor, connection), side in openers.items():
            other = self._sides.get((sensor, connection, "<-"))
            both = [side, *([other] if other else [])]
            rows.append(side.row)
            unanswered, waited = _waiting(side, other) if other else (0, 0)
            others = sum(of_side.pieces - of_side.requests for of_side in both)
            if side.row["time"] is not None:
                self._join(side.row, is_asking=bool(side.requests) and not others)
            # It speaks for this queue manager as long as it sends.
            for manager, row in self._askers.get((sensor, connection), {}).items():
                self._joined.add("speaker", manager, row["src"], row, side.last, count=0)
            facts.append(
                {
                    "requests": side.requests,
                    "others": others,
                    "unanswered": unanswered,
                    "waited": waited,
                }
            )
        if rows:
            batch = pa.RecordBatch.from_pylist(rows, schema=plain(schema_of(CARRIED)))
            columns = pa.RecordBatch.from_pylist(facts)
            self._apply("connection", batch, {name: columns.column(name) for name in columns.schema.names})

    def _join(self, row: Mapping[str, Any], *, is_asking: bool) -> None:
        """Record a connection for the patterns of `joining`."""
        time = micros_of(row)
        self._joined.add("asked", f"asked {row['src']}", row["dst"], row, time, number=int(is_asking))
        ends = f"flood {row['src']} {row['dst']}"
        self._joined.add("flood", ends, row["dst"], row, time, number=time // (60 * _SECOND))

    # ----------------------------------------------------------------------------------------- findings

    def _apply(self, subject: Subject, rows: pa.RecordBatch, facts: Facts) -> None:
        columns = [name for name in (*_POSITION, "message") if name in rows.schema.names]
        for pattern in PATTERNS:
            indices = _indices(_hold(pattern.conditions, facts)) if pattern.subject == subject else []
            if indices:
                chosen = pa.array(indices, pa.int64())
                known = pa.RecordBatch.from_arrays(
                    [column.take(chosen) for column in facts.values()], [*facts]
                )
                positions = rows.select(columns).take(chosen).to_pylist()
                for position, values in zip(positions, known.to_pylist(), strict=True):
                    self._add(finding_row(pattern.id, position, values))

    def _add(self, row: dict[str, Any]) -> None:
        before = self._rows.setdefault((row["id"], row["sensor"], row["flow"], row["evidence"]), row)
        if before is not row:
            before["count"] += 1


class _Side:
    """The packets that one side of a connection sent; times in microseconds since 1970.

    Attributes:
        row: The position of its first piece.
        requests: Number of EstablishConnection packets.
        messages: Number of messages.
        acknowledgments: Number of packets that acknowledge messages of the other side.
        unknown: Number of pieces that are not packets, such as gaps.
        pieces: Number of all pieces.
        since: Time of its first message.
        last: Time of its last piece.
    """

    __slots__ = ("acknowledgments", "last", "messages", "pieces", "requests", "row", "since", "unknown")

    def __init__(self, row: dict[str, Any]) -> None:
        self.row = row
        self.requests = self.messages = self.acknowledgments = self.unknown = self.pieces = self.last = 0
        self.since = int(np.iinfo(np.int64).max)

    def add(
        self,
        requests: int,
        messages: int,
        acknowledgments: int,
        unknown: int,
        pieces: int,
        since: int,
        last: int,
    ) -> None:
        """Add pieces."""
        self.requests += requests
        self.messages += messages
        self.acknowledgments += acknowledgments
        self.unknown += unknown
        self.pieces += pieces
        self.since, self.last = min(self.since, since), max(self.last, last)


def _waiting(one: _Side, other: _Side) -> tuple[int, int]:
    """Return how many messages of a side were not acknowledged at all, and for how many seconds."""
    for sender, receiver in ((one, other), (other, one)):
        if sender.messages and receiver.pieces and not (receiver.acknowledgments or receiver.unknown):
            waited = max(one.last, other.last) - sender.since
            return sender.messages, max(waited, 0) // _SECOND
    return 0, 0


def _hold(conditions: Iterable[Condition], facts: Facts) -> pa.Array:
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
        case "matches":
            mask = pc.match_substring_regex(column, condition.value)
        case "does not match":
            mask = pc.invert(pc.match_substring_regex(column, condition.value))
        case "is known":
            mask = pc.is_valid(column)
        case "is unknown":
            mask = pc.is_null(column)
    return pc.fill_null(mask, False)


def _mask(column: pa.Array) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = pc.fill_null(column, False).to_numpy(zero_copy_only=False)
    return mask


def _indices(column: pa.Array | None) -> list[int]:
    rows: list[int] = [] if column is None else np.flatnonzero(_mask(column)).tolist()
    return rows
