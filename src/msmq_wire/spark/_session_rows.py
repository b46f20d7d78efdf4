"""What workers do with the pieces of a connection: sessions, and what is illegal about them.

1. The rows of a connection come one behind the other in the order of capture, both directions together;
   `tables.session_rows` sees to it.
2. Each connection has a `SessionMonitor` of its own.  A session that the capture saw the end of is over;
   another one is still open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
import pyarrow as pa

from msmq_wire.errors import DecodeError
from msmq_wire.packets import decode
from msmq_wire.reassembly import Kind
from msmq_wire.session_monitor import SessionMonitor, SessionSummary

from ._packet_rows import CARRIED, VIOLATIONS, finding_row
from ._schema import FLOW, TIME, arrow_of, plain, schema_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["SESSIONS", "SESSION_ROWS", "session_rows"]

_FLOW_NAMES: Final = [name for name, _, _ in FLOW]
_CARRIED_NAMES: Final = [name for name, _, _ in CARRIED]
_CONNECTION: Final = [row for row in FLOW if row[0] in {"sensor", "transport", "connection"}]
_TIMES: Final = {"first_at", "last_at"}
_SUMMARY: Final = [
    (field.name, TIME if field.name in _TIMES else arrow_of(field.type), f"`SessionSummary.{field.name}`")
    for field in msgspec.structs.fields(SessionSummary)
]
SESSIONS: Final = schema_of(
    [
        *_CONNECTION,
        ("opener", pa.string(), "Endpoint that opened the connection."),
        ("acceptor", pa.string(), "The other endpoint."),
        *_SUMMARY,
    ]
)
"""The columns of `sessions`: the attributes of `SessionSummary`, and where it was."""

_FINDING: Final = pa.struct([(field.name, field.type) for field in VIOLATIONS])
SESSION_ROWS: Final = pa.schema(
    [("session", pa.struct([(field.name, field.type) for field in SESSIONS])), ("finding", _FINDING)]
)
"""What the worker yields: a session or a finding."""

_ROWS: Final = 2048


class _Connection:
    """The connection in hand."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.row = row
        self.closed = bool(row["closed"])
        one = row["transport"] == "tcp"
        self.monitor = SessionMonitor(
            idle=bool(row["opened"]), one_connection=one, opener="->" if one and row["opened"] else None
        )

    def feed(self, row: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Take a piece; yields what is illegal about it."""
        at = row["end_time"].timestamp() if row["end_time"] else None
        kind = Kind(row["kind"])
        if kind is Kind.PACKET:
            found = self.monitor.feed(row["direction"], decode(row["data"]), at=at, offset=row["offset"])
        elif kind is Kind.JUNK and row["path"]:
            error = DecodeError(row["error"], structure="", path=row["path"], offset=row["error_offset"])
            found = self.monitor.unreadable(row["direction"], error, at=at, offset=row["offset"])
        else:
            self.monitor.gap(row["direction"])
            return
        carried = {name: row[name] for name in _CARRIED_NAMES}
        for finding in found:
            yield {**carried, "type": row["type"], **finding_row(finding)}

    def sessions(self) -> Iterator[dict[str, Any]]:
        """The sessions of the connection, as far as they got."""
        finished = [*self.monitor.take_finished()]
        finished.append(self.monitor.disconnect() if self.closed else self.monitor.summary)
        row = self.row
        ends = [f"{row['src']}:{row['src_port']}", f"{row['dst']}:{row['dst_port']}"]
        if row["direction"] == "<-":
            ends.reverse()
        for summary in finished:
            made = msgspec.to_builtins(summary)
            for name in _TIMES:
                made[name] = None if made[name] is None else int(made[name] * 1e6)
            yield {
                **{name: row[name] for name, _, _ in _CONNECTION},
                "opener": ends[0],
                "acceptor": ends[1],
                **made,
            }


def session_rows() -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The worker that makes sessions and findings of ordered pieces."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        connection: _Connection | None = None
        rows: list[dict[str, Any]] = []
        for batch in batches:
            for row in batch.to_pylist():
                key = row["sensor"], row["connection"]
                if connection is None or (connection.row["sensor"], connection.row["connection"]) != key:
                    if connection is not None:
                        rows += [{"session": made} for made in connection.sessions()]
                    connection = _Connection(row)
                rows += [{"finding": made} for made in connection.feed(row)]
                if len(rows) >= _ROWS:
                    yield _batch(rows)
                    rows = []
        if connection is not None:
            rows += [{"session": made} for made in connection.sessions()]
        yield _batch(rows)

    return run


def _batch(rows: list[dict[str, Any]]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(rows, schema=plain(SESSION_ROWS))
