"""Who depends on which queue, as a graph: for Graphviz, for Mermaid, and for the report."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from msmq_wire.captures.answers.deliveries.reasons import UNDELIVERED
from msmq_wire.names.format_names import DirectName, FormatName, PrivateName
from msmq_wire.values.errors import EncodeError
from msmq_wire.views.texts import counted, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_UNKNOWN: Final = "unknown sender"
_WIDEST: Final = 6.0
"""The width of the line with the most messages; the thinnest is 1."""
MERMAID_EDGES: Final = 500
"""How many edges Mermaid draws; only the page can raise that, not a directive in the graph."""


class Edge(NamedTuple):
    """All messages of one sender to one queue.

    Attributes:
        sender: As `sender_of` names it.
        queue: Format name of the queue, and in parentheses what `Machines.at` knows of its machine.
        messages: How many.
        size: How many bytes.
        undelivered: How many were refused or expired.
    """

    sender: str
    queue: str
    messages: int
    size: int
    undelivered: int


class Machines(NamedTuple):
    """The names and addresses of queue managers that packets prove, by their GUIDs.

    Attributes:
        names: The names of their machines: those that only one has.
        addresses: Their addresses: those that only one has.
    """

    names: dict[str, str]
    addresses: dict[str, str]

    @classmethod
    def of(cls, hosts: Iterable[Mapping[str, Any]]) -> Machines:
        """Return the names and addresses in rows of `hosts`."""
        rows = [*hosts]
        return cls(*(_of_one_only(rows, column) for column in ("machine", "address")))

    def known(self, manager: str | None) -> str | None:
        """Return the name of the machine of a queue manager, or else its address; None if unknown."""
        return self.names.get(manager or "") or self.addresses.get(manager or "")

    def of_queues(self, queues: Iterable[str | None]) -> list[str | None]:
        """Return the known name or address of each queue's machine, by the GUID or address in its name."""
        at = {address: self.names.get(manager) for manager, address in self.addresses.items()}
        computers = map(machine_in, queues)
        return [self.known(computer) or at.get(computer or "") for computer in computers]


def _of_one_only(hosts: Iterable[Mapping[str, Any]], column: str) -> dict[str, str]:
    values = {row["queue_manager"]: row[column] for row in hosts if row[column] is not None}
    counts = Counter(values.values())
    return {manager: value for manager, value in values.items() if counts[value] == 1}


def machine_in(queue: str | None) -> str | None:
    """Return the machine in the name of a queue: an address, a name or a GUID; None without one."""
    try:
        name = FormatName.parse(queue or "")
    except EncodeError:
        return None
    if isinstance(name, PrivateName):
        return str(name.computer)
    return urlsplit(f"//{name.address.lstrip('/')}").hostname if isinstance(name, DirectName) else None


def sender_of(row: Mapping[str, Any], machines: Machines) -> str:
    """Return the name of the sender of a row of `dependencies`.

    It is the name of its machine, or else its address, or else the GUID of its queue manager.
    """
    manager = row["queue_manager"]
    name = machines.names.get(manager) or row["host"] or machines.addresses.get(manager)
    return name or manager or _UNKNOWN


def undelivered_of(row: Mapping[str, Any]) -> int:
    """Return how many messages of a row of `dependencies` or `queues` were refused or expired."""
    return sum(count for state, count in row["states"] if state in UNDELIVERED)


def edges_of(rows: Iterable[Mapping[str, Any]], machines: Machines) -> list[Edge]:
    """Return the edges of rows of `dependencies`, those with the most messages first."""
    sums: dict[tuple[str, str], list[int]] = {}
    rows = [*rows]
    queues = [*dict.fromkeys(row["queue"] for row in rows)]
    labels = {
        queue: queue if machine is None else f"{queue} ({machine})"
        for queue, machine in zip(queues, machines.of_queues(queues), strict=True)
    }
    for row in rows:
        queue = row["queue"]
        totals = sums.setdefault((sender_of(row, machines), labels[queue]), [0, 0, 0])
        for index, number in enumerate((row["messages"], row["bytes"], undelivered_of(row))):
            totals[index] += number
    edges = [Edge(*key, *numbers) for key, numbers in sums.items()]
    return sorted(edges, key=lambda edge: (-edge.messages, edge.sender, edge.queue))


def chosen_of(queues: Sequence[str | None], most: int) -> list[int]:
    """Return which of some edges are kept: of each queue the first one, then the first others.

    Args:
        queues: The queue of each edge, those with the most messages first.
        most: The number of edges to keep.
    """
    firsts: dict[str | None, int] = {}
    for index, queue in enumerate(queues):
        firsts.setdefault(queue, index)
    first_indices = [*firsts.values()][:most]
    taken = {*first_indices}
    others = (index for index in range(len(queues)) if index not in taken)
    return sorted([*first_indices, *islice(others, most - len(first_indices))])


def heaviest(edges: Sequence[Edge], most: int | None) -> list[Edge]:
    """Return at most so many edges, by the rule of `chosen_of`, in their order; all of them for None."""
    if most is None or most >= len(edges):
        return [*edges]
    return [edges[index] for index in chosen_of([edge.queue for edge in edges], most)]


def left_out(edges: Sequence[Edge], kept: Sequence[Edge]) -> str:
    """Return a text that says how many edges and queues are left out; empty if none."""
    if len(kept) == len(edges):
        return ""
    queues = len({edge.queue for edge in edges}) - len({edge.queue for edge in kept})
    return f"left out: {counted(len(edges) - len(kept), 'edge')}, {counted(queues, 'queue')}"


def _nodes(edges: list[Edge]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the nodes of senders and of queues in the source of a graph, by name, in the order of edges."""
    senders = dict.fromkeys(edge.sender for edge in edges)
    queues = dict.fromkeys(edge.queue for edge in edges)
    return (
        {name: f"s{index}" for index, name in enumerate(senders)},
        {name: f"q{index}" for index, name in enumerate(queues)},
    )


def _label(edge: Edge) -> str:
    text = f"{edge.messages:,}"
    return f"{text}, {edge.undelivered:,} undelivered" if edge.undelivered else text


def dot_lines(edges: list[Edge], comment: str = "") -> Iterator[str]:
    """Yield the lines of a graph for Graphviz, senders to the left of queues, with a comment."""
    senders, queues = _nodes(edges)
    most = max((edge.messages for edge in edges), default=1)
    yield "digraph msmq {"
    if comment:
        yield f"  // {comment}"
    yield "  rankdir=LR; ranksep=2; nodesep=0.15;"
    yield '  node [fontname="sans-serif", fontsize=10, height=0.3]; edge [fontname="sans-serif", fontsize=8];'
    for name, node in senders.items():
        yield f"  {node} [shape=box, label={_quoted(name)}];"
    for name, node in queues.items():
        yield f"  {node} [shape=cylinder, label={_quoted(name)}];"
    for edge in edges:
        width = 1 + (_WIDEST - 1) * edge.messages / most
        color = ", color=firebrick, fontcolor=firebrick" if edge.undelivered else ""
        ends = f"{senders[edge.sender]} -> {queues[edge.queue]}"
        yield f"  {ends} [label={_quoted(_label(edge))}, penwidth={width:.1f}{color}];"
    yield "}"


def _quoted(text: str) -> str:
    return '"' + printable(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def mermaid_lines(edges: list[Edge], comment: str = "") -> Iterator[str]:
    """Yield the lines of a flowchart for Mermaid, which draws `MERMAID_EDGES` edges, with a comment."""
    senders, queues = _nodes(edges)
    yield "flowchart LR"
    if comment:
        yield f"  %% {comment}"
    for name, node in senders.items():
        yield f'  {node}["{_entities(name)}"]'
    for name, node in queues.items():
        yield f'  {node}[("{_entities(name)}")]'
    for edge in edges:
        yield f'  {senders[edge.sender]} -->|"{_label(edge)}"| {queues[edge.queue]}'


_PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:=_-/$()\\")


def _entities(text: str) -> str:
    """Return a text for a label; characters that may be Mermaid syntax are written as numbers."""
    return "".join(letter if letter in _PLAIN else f"#{ord(letter)};" for letter in printable(text))
