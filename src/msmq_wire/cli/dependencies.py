"""Rows of `dependencies` for the subcommand of that name; needs the extra ``captures``."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures import SCHEMAS
from msmq_wire.captures.reports.graphs import (
    dot_lines,
    edges_of,
    machines_of,
    mermaid_lines,
    sender_of,
    undelivered_of,
)
from msmq_wire.captures.schemas import plain

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


def dependencies_of(
    paths: Mapping[str, str], outcome: Outcome, where: Sequence[str], purpose: str
) -> tuple[pa.Table, dict[str, str]]:
    """Return the rows of `dependencies`, those with the most messages first, and the names of machines.

    Args:
        paths: The captures, as `captured.whole` yields them.
        outcome: Records unreadable parts.
        where: Conditions.
        purpose: One of `PURPOSES`, or ``all``.

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
    hosts = (row for batch in batches["hosts"] for row in batch.to_pylist())
    return rows.sort_by(keys), machines_of(hosts)


def table_of_rows(rows: pa.Table, machines: Mapping[str, str]) -> pa.RecordBatch:
    """Return the columns that people see."""
    shown = []
    for row in rows.to_pylist():
        row |= {"from": sender_of(row, machines), "undelivered": undelivered_of(row)}
        shown.append({name: row[name] for name in _TABLE.names})
    return pa.RecordBatch.from_pylist(shown, _TABLE)


def csv_lines(rows: pa.Table, machines: Mapping[str, str]) -> Iterator[str]:
    """Yield all columns as CSV, with a header; counts by value are texts such as ``sent=2; refused=1``."""
    names = ["machine", *rows.schema.names]
    yield _csv(names)
    for row in rows.to_pylist():
        row["machine"] = machines.get(row["queue_manager"])
        yield _csv([_cell(row[name]) for name in names])


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return "; ".join(f"{name}={count}" for name, count in value)
    return value.isoformat() if hasattr(value, "isoformat") else value


def _csv(cells: Sequence[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def graph_lines(rows: pa.Table, machines: Mapping[str, str], form: str, most: int | None) -> Iterator[str]:
    """Yield a graph for Graphviz (``dot``) or Mermaid, with the edges that have the most messages."""
    edges = edges_of(rows.to_pylist(), machines)[:most]
    lines = dot_lines(edges) if form == "dot" else mermaid_lines(edges)
    return (f"{line}\n" for line in lines)
