"""Rows of `dependencies` for the subcommand of that name; needs the extra ``captures``."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures import SCHEMAS
from msmq_wire.captures.reports.graphs import (
    Machines,
    dot_lines,
    edges_of,
    mermaid_lines,
    sender_of,
    undelivered_of,
)
from msmq_wire.captures.schemas import plain
from msmq_wire.names.format_names import DirectName, FormatName, PrivateName
from msmq_wire.values.errors import EncodeError

from .captured import all_of
from .conditions import Where

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .outcome import Outcome

__all__ = ["csv_lines", "dependencies_of", "graph_lines", "table_of_rows"]


_TABLE: Final = pa.schema(
    [
        ("from", pa.string()),
        ("queue", pa.string()),
        ("purpose", pa.string()),
        ("messages", pa.int64()),
        ("bytes", pa.int64()),
        ("undelivered", pa.int64()),
        ("last_at", SCHEMAS["dependencies"].field("last_at").type),
    ]
)
"""The columns of the table that people see."""
_SUMS: Final = ("messages", "bytes", "undelivered")


def dependencies_of(
    paths: Mapping[str, str], outcome: Outcome, where: Sequence[str], purpose: str, server: str | None = None
) -> tuple[pa.Table, Machines]:
    """Return the rows of `dependencies`, those with the most messages first, and what is known of machines.

    Args:
        paths: The captures, as `captured.whole` yields them.
        outcome: Records unreadable parts.
        where: Conditions.
        purpose: One of `PURPOSES`, or ``all``.
        server: Address or name of a machine, or GUID of a queue manager: rows of what is sent there only.

    Raises:
        OptionError: A condition is invalid.
    """
    schema = SCHEMAS["dependencies"]
    condition = Where(where, schema) if where else None
    batches: dict[str, list[pa.RecordBatch]] = {"dependencies": [], "hosts": []}
    for name, batch in all_of(paths, [*batches], outcome):
        batches[name].append(batch)
    rows = pa.Table.from_batches(
        [condition.filter(batch) if condition else batch for batch in batches["dependencies"]], plain(schema)
    )
    if purpose != "all":
        rows = rows.filter(pc.equal(rows.column("purpose"), purpose))
    keys = [("messages", "descending"), *((name, "ascending") for name in ("queue", "host", "queue_manager"))]
    hosts = [row for batch in batches["hosts"] for row in batch.to_pylist()]
    if server is not None:
        rows = rows.filter(_goes_to(rows, server.lower(), hosts))
    return rows.sort_by(keys), Machines.of(hosts)


def _goes_to(rows: pa.Table, server: str, hosts: Sequence[Mapping[str, Any]]) -> pa.Array:
    """Return which rows go to a server: by the last receivers of their messages, or the name of the queue."""
    known = {server}
    for row in hosts:
        own = {row["queue_manager"], *row["addresses"], *row["machines"][:1]}
        known |= own if server in own else set()
    queues, receivers = rows.column("queue").to_pylist(), rows.column("receivers").to_pylist()
    machines = {queue: _machine_of(queue) for queue in {*queues}}
    return pa.array(
        [
            machines[queue] in known or not known.isdisjoint(receiver for receiver, _ in counts)
            for queue, counts in zip(queues, receivers, strict=True)
        ],
        pa.bool_(),
    )


def _machine_of(queue: str | None) -> str | None:
    """Return the address, the name or the GUID of the machine that the name of a queue has, if any."""
    try:
        name = FormatName.parse(queue or "")
    except EncodeError:
        return None
    if isinstance(name, PrivateName):
        return str(name.computer)
    return urlsplit(f"//{name.address.lstrip('/')}").hostname if isinstance(name, DirectName) else None


def table_of_rows(rows: pa.Table, machines: Machines) -> pa.RecordBatch:
    """Return the columns that people see; rows of one sender, whose names differ in the captures, are one."""
    shown: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows.to_pylist():
        row |= {"from": sender_of(row, machines), "undelivered": undelivered_of(row)}
        known = shown.setdefault(
            (row["from"], row["queue"], row["purpose"]), {**dict.fromkeys(_SUMS, 0), "last_at": None}
        )
        known |= {name: row[name] for name in ("from", "queue", "purpose")}
        known |= {name: known[name] + row[name] for name in _SUMS}
        known["last_at"] = max((time for time in (known["last_at"], row["last_at"]) if time), default=None)
    merged = sorted(shown.values(), key=lambda row: -row["messages"])
    return pa.RecordBatch.from_pylist(merged, _TABLE)


def csv_lines(rows: pa.Table, machines: Machines) -> Iterator[str]:
    """Yield all columns as CSV, with a header; counts by value are texts such as ``sent=2; refused=1``."""
    names = ["machine", *rows.schema.names]
    yield _csv(names)
    for row in rows.to_pylist():
        row["machine"] = machines.names.get(row["queue_manager"])
        yield _csv([_cell(row[name]) for name in names])


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return "; ".join(f"{name}={count}" for name, count in value)
    return value.isoformat() if hasattr(value, "isoformat") else value


def _csv(cells: Sequence[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def graph_lines(rows: pa.Table, machines: Machines, form: str, most: int | None) -> Iterator[str]:
    """Yield a graph for Graphviz (``dot``) or Mermaid, with the edges that have the most messages."""
    edges = edges_of(rows.to_pylist(), machines)[:most]
    lines = dot_lines(edges) if form == "dot" else mermaid_lines(edges)
    return (f"{line}\n" for line in lines)
