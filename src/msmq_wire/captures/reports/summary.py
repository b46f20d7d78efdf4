"""A summary of tables in a few lines: frames, packets, messages, gaps, violations.

It is computed from the batches while they are written, so nothing is read again.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.network.frames import OMITTED
from msmq_wire.captures.tables import DIRECTORY_KIND, whole_packets
from msmq_wire.packets.reassembly import Kind
from msmq_wire.views.texts import counted, not_read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SHOWN = 3
_INSIDE = pa.array([str(Kind.CONFLICT), DIRECTORY_KIND])
"""The kinds of rows of quarantine about bytes of packets: another copy, and contents of a message."""


class Summary:
    """Counts rows of the tables."""

    def __init__(self) -> None:
        self.rows: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.frames: Counter[str] = Counter()
        self.omitted: Counter[str] = Counter()
        self.destinations: Counter[str] = Counter()
        self.requirements: Counter[str] = Counter()
        self.severities: Counter[str] = Counter()
        self.words: dict[str, str] = {}
        self._varied: set[str] = set()

    def add(self, table: str, batch: pa.RecordBatch) -> None:
        """Count one batch of a table."""
        self.rows[table] += batch.num_rows
        match table:
            case "packets":
                whole = whole_packets(batch)
                self.rows["partial"] += batch.num_rows - whole.num_rows
                self._count(self.kinds, whole.column("type"))
                self.bytes[table] += _sum(whole.column("size"))
            case "gaps":
                self.bytes[table] += _sum(batch.column("size"))
            case "quarantine":  # some rows are about bytes that are in packets, too
                inside = pc.is_in(batch.column("kind"), _INSIDE)
                self.bytes[table] += _sum(batch.column("size").filter(pc.invert(inside)))
            case "frames":
                for reason, count in zip(
                    batch.column("reason").to_pylist(), batch.column("frames").to_pylist(), strict=True
                ):
                    if reason in OMITTED:
                        self.omitted[reason] += 1
                    elif count:
                        self.frames[str(reason)] += count
            case "messages":
                self._count(self.destinations, destinations_of(batch))
            case "findings":
                self._count(self.severities, batch.column("severity"))
            case "violations":
                self._count(self.requirements, batch.column("requirement"))
                for requirement, message in zip(
                    batch.column("requirement").to_pylist(), batch.column("message").to_pylist(), strict=True
                ):
                    if self.words.setdefault(requirement, message) != message:
                        self._varied.add(requirement)

    @staticmethod
    def _count(counter: Counter[str], column: pa.Array) -> None:
        for item in pc.value_counts(column).to_pylist():
            if item["values"] is not None:
                counter[str(item["values"])] += item["counts"]

    def lines(self, tables: Iterable[str] | None = None) -> Iterator[str]:
        """Yield the lines, the most important first.

        Args:
            tables: The tables that were counted, so that no line has the number of another; None for all.
        """
        chosen = None if tables is None else {*tables}
        for needed, line in self._lines():
            if chosen is None or chosen.issuperset(needed):
                yield line

    def _lines(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield the lines, each after the tables that it counts."""
        omitted = not_read(self.omitted)
        more = f"; {omitted}" if omitted else ""
        yield ("frames",), f"frames       {sum(self.frames.values()):,}{_listed(self.frames)}{more}"
        partial = self.rows["partial"]
        more = f"; and {partial:,} that cannot be read whole" if partial else ""
        whole = self.rows["packets"] - partial
        yield ("packets",), f"packets      {whole:,}, {self._bytes('packets')}{_listed(self.kinds)}{more}"
        queues = ", ".join(f"{name} ({count:,})" for name, count in self.destinations.most_common(_SHOWN))
        others = len(self.destinations) - _SHOWN
        more = f", and {counted(others, 'other')}" if others > 0 else ""
        more = f", most to {queues}{more}" if queues else ""
        yield ("messages",), f"messages     {self.rows['messages']:,}{more}"
        flows = self._rows("flows", "flow")
        yield ("sessions", "flows"), f"sessions     {self.rows['sessions']:,}; {flows}"
        tables = "directory_changes", "directory_objects"
        yield tables, f"directory    {self._rows(tables[0], 'change')}, {self._rows(tables[1], 'object')}"
        yield ("gaps",), f"missing      {self._rows('gaps', 'gap')}, {self._bytes('gaps')} not captured"
        left = self._bytes("quarantine")
        yield ("quarantine",), f"quarantine   {self._rows('quarantine', 'row')}, {left} outside whole packets"
        yield ("findings",), f"findings     {self.rows['findings']:,}{_listed(self.severities)}"
        requirements = counted(len(self.requirements), "requirement")
        yield ("violations",), f"violations   {self.rows['violations']:,}, of {requirements}"
        for requirement, count in self.requirements.most_common(_SHOWN):
            example = ", for example" if requirement in self._varied else ""
            yield ("violations",), f"{count:10,} x {requirement}{example}: {self.words[requirement]}"

    def _rows(self, table: str, what: str) -> str:
        return counted(self.rows[table], what)

    def _bytes(self, table: str) -> str:
        return counted(self.bytes[table], "byte")


def _sum(column: Any) -> int:
    return int(pc.sum(column).as_py() or 0)


def _listed(counter: Counter[str]) -> str:
    names = ", ".join(f"{name} {count:,}" for name, count in counter.most_common())
    return f": {names}" if names else ""


def destinations_of(batch: pa.RecordBatch) -> pa.Array:
    """The destinations of messages: each of a message that has several, null for one that has none."""
    several = batch.column("destinations")
    single = pc.equal(pc.fill_null(pc.list_value_length(several), 0), 0)
    return pa.concat_arrays([pc.list_flatten(several), batch.column("destination").filter(single)])
