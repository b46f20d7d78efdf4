"""Rows of `dependencies` for the subcommand of that name; needs the extra ``captures``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures import SCHEMAS
from msmq_wire.captures.reports.graphs import (
    MERMAID_EDGES,
    Machines,
    dot_lines,
    edges_of,
    heaviest,
    left_out,
    machine_in,
    mermaid_lines,
    sender_of,
    undelivered_of,
)
from msmq_wire.captures.schemas import plain

from .captured import all_of
from .conditions import Where
from .outcome import OptionError
from .output import note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .outcome import Outcome

_TABLE: Final = pa.schema(
    [
        ("from", pa.string()),
        ("queue", pa.string()),
        ("on", pa.string()),
        ("purpose", pa.string()),
        ("messages", pa.int64()),
        ("bytes", pa.int64()),
        ("undelivered", pa.int64()),
        ("readers", pa.string()),
        ("last_at", SCHEMAS["dependencies"].field("last_at").type),
    ]
)
"""The columns of the table for a terminal."""
COLUMNS: Final = pa.schema(
    [
        ("machine", pa.string()),
        *SCHEMAS["dependencies"],
        ("from", pa.string()),
        ("on", pa.string()),
        ("receiver_machines", SCHEMAS["dependencies"].field("receivers").type),
        ("undelivered", pa.int64()),
    ]
)
"""The columns of `with_machines`: those of the table, and what hosts say of them."""
_SUMS: Final = ("messages", "bytes", "undelivered")
_OPTIONAL: Final = ("on", "readers")
"""The columns that are absent if they are empty."""
_MOST_READERS: Final = 3


def dependencies_of(
    paths: Mapping[str, str], outcome: Outcome, where: Sequence[str], purpose: str, server: str | None = None
) -> tuple[pa.Table, Machines, int]:
    """Return the chosen rows of `with_machines`, the known machines, and the number of all rows.

    Rows with the most messages come first.

    Args:
        paths: The captures, as `captured.whole` yields them.
        outcome: Records unreadable parts.
        where: Conditions.
        purpose: One of `PURPOSES`, or ``all``.
        server: Address or name of a machine, or GUID of a queue manager: only rows of messages to it.

    Raises:
        OptionError: A condition is invalid, or the name of the server is empty.
    """
    server = None if server is None else server.strip().strip("{}").lower()
    if server == "":
        raise OptionError("expected an address, a name or a GUID for --on, got nothing")
    condition = Where(where, COLUMNS) if where else None
    batches: dict[str, list[pa.RecordBatch]] = {"dependencies": [], "hosts": []}
    for name, batch in all_of(paths, [*batches], outcome):
        batches[name].append(batch)
    hosts = [row for batch in batches["hosts"] for row in batch.to_pylist()]
    machines = Machines.of(hosts)
    named = [with_machines(batch, machines) for batch in batches["dependencies"]]
    rows = pa.Table.from_batches(
        [condition.filter(batch) if condition else batch for batch in named], plain(COLUMNS)
    )
    if purpose != "all":
        rows = rows.filter(pc.equal(rows.column("purpose"), purpose))
    keys = [("messages", "descending"), *((name, "ascending") for name in ("queue", "host", "queue_manager"))]
    if server is not None:
        rows = rows.filter(_goes_to(rows, names_of(server, hosts, machines)))
    every = sum(batch.num_rows for batch in batches["dependencies"])
    return rows.sort_by(keys), machines, every


def names_of(server: str, hosts: Sequence[Mapping[str, Any]], machines: Machines) -> frozenset[str]:
    """Return the addresses, names and GUIDs of the queue managers that a name of a server means."""
    server_names = {server}
    counts = Counter(name for row in hosts for name in row["machines"])
    for row in hosts:
        manager = row["queue_manager"]
        names = {manager, *row["addresses"], machines.names.get(manager, manager)}
        names |= {name for name in row["machines"] if counts[name] == 1}  # others are those of several
        if server in names:
            server_names |= names
    return frozenset(server_names)


def _goes_to(rows: pa.Table, names: frozenset[str]) -> pa.Array:
    """Return which rows go to a server: by the last receivers of their messages, or the name of the queue."""
    queues, receivers = rows.column("queue").to_pylist(), rows.column("receivers").to_pylist()
    machines = {queue: machine_in(queue) for queue in {*queues}}
    return pa.array(
        [
            machines[queue] in names or not names.isdisjoint(receiver for receiver, _ in counts)
            for queue, counts in zip(queues, receivers, strict=True)
        ],
        pa.bool_(),
    )


def _summed(receivers: Iterable[tuple[str, int]], machines: Machines) -> list[tuple[str, int]]:
    """Return receivers by the names of their machines; one may be there by its GUID and by its address."""
    counts = Counter[str]()
    for name, count in receivers:
        counts[machines.known(name) or name] += count
    return [*counts.items()]


def with_machines(batch: pa.RecordBatch, machines: Machines) -> pa.RecordBatch:
    """Return rows of `dependencies` with what hosts say of them.

    ``from`` is the sender, and ``machine`` the name of its machine.  ``on`` has the machines of queues with a
    GUID or an address in their names, and ``receiver_machines`` those of the receivers.
    """
    rows = batch.select(["queue", "queue_manager", "host", "receivers", "states"]).to_pylist()
    columns = {
        **{name: batch.column(name) for name in batch.schema.names},
        "machine": [machines.names.get(row["queue_manager"]) for row in rows],
        "from": [sender_of(row, machines) for row in rows],
        "on": machines.of_queues(row["queue"] for row in rows),
        "receiver_machines": [_summed(row["receivers"] or (), machines) for row in rows],
        "undelivered": [undelivered_of(row) for row in rows],
    }
    schema = plain(COLUMNS)
    arrays = [
        column if isinstance(column, pa.Array) else pa.array(column, field.type)
        for field, column in ((field, columns[field.name]) for field in schema)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def table_of_rows(rows: pa.Table, most: int | None = None) -> pa.RecordBatch:
    """Return the columns for a terminal, of at most this many rows of `with_machines`.

    Rows of one sender are added up, even if some have its address and others only its queue manager.  The
    column ``readers`` has the addresses that read the messages remotely, the most frequent first.  If it or
    ``on`` is empty, it is absent.
    """
    shown: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows.to_pylist():
        row["readers"] = Counter(dict(row["remote_readers"] or ()))
        merged = shown.setdefault((row["from"], row["queue"], row["purpose"]), row)
        if merged is not row:
            merged |= {name: merged[name] + row[name] for name in (*_SUMS, "readers")}
            times = [time for time in (merged["last_at"], row["last_at"]) if time is not None]
            merged["last_at"] = max(times, default=None)
    ordered = sorted(shown.values(), key=lambda row: -row["messages"])[:most]
    for row in ordered:
        row["readers"] = _readers(row["readers"])
    empty = {name for name in _OPTIONAL if not any(row[name] for row in ordered)}
    names = [name for name in _TABLE.names if name not in empty]
    table = pa.RecordBatch.from_pylist([{name: row[name] for name in names} for row in ordered], _TABLE)
    return table.select(names)


def _readers(counts: Counter[str]) -> str | None:
    """Return the most frequent readers, and how many others there are."""
    names = [name for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    more = len(names) - _MOST_READERS
    shown = ", ".join(names[:_MOST_READERS])
    return (f"{shown} and {more:,} more" if more > 0 else shown) or None


def graph_lines(rows: pa.Table, machines: Machines, form: str, most: int | None) -> Iterator[str]:
    """Yield a graph for Graphviz (``dot``) or Mermaid, with at most so many edges: those of `heaviest`."""
    every = edges_of(rows.to_pylist(), machines)
    edges = heaviest(every, most)
    if form == "mermaid" and len(edges) > MERMAID_EDGES:
        note(
            f"Mermaid draws {MERMAID_EDGES} edges unless its page sets maxEdges, and these are {len(edges)}: "
            f"--limit {MERMAID_EDGES} keeps that with the most messages of each queue, then the heaviest"
        )
    lines = (dot_lines if form == "dot" else mermaid_lines)(edges, left_out(every, edges))
    return (f"{line}\n" for line in lines)
