"""Rows of tables beside the ground truth of generated captures, in one form that compares."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.dataset import dataset, field, partitioning

from msmq_wire import captures

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

__all__ = [
    "as_text",
    "expected_flows",
    "found_flows",
    "read_by_desk",
    "read_without_spark",
    "table_without_spark",
]

Flow = tuple[str, str, int, str, int, int]
"""File, the four ends, and which connection of these it is."""
Span = tuple[int, str, int, bytes | None]
"""Offset, ``packet``, ``gap`` or ``junk``, size, bytes."""


def as_text(row: Mapping[str, Any], moved: tuple[str, str] = ("", "")) -> str:
    """A row of any table: times without their zone, versions in any order, a place of files replaced."""
    row = {
        name: value.replace(tzinfo=None).isoformat() if isinstance(value, dt.datetime) else value
        for name, value in row.items()
    }
    if row.get("versions"):
        row["versions"] = sorted(map(repr, row["versions"]))
    return repr(row).replace(*moved) if moved[0] else repr(row)


def read_by_desk(inputs: Path | Sequence[Path], names: Sequence[str]) -> dict[str, Counter[str]]:
    """The rows of tables that a desk makes of captures."""
    tables = captures.tables(inputs, names)
    return {name: Counter(map(as_text, tables[name].read_all().to_pylist())) for name in names}


def table_without_spark(output: Path, name: str) -> pa.Table:
    """A table, of increments up to the last one; it is read by the rule that the documentation gives."""
    return _read(output, name, _last(output))


def read_without_spark(
    output: Path, names: Iterable[str], moved: tuple[str, str] = ("", "")
) -> tuple[int, dict[str, Counter[str]]]:
    """The number of the last increment, 0 if there is none, and the rows up to it, as `as_text`."""
    last = _last(output)
    rows = {name: _read(output, name, last).to_pylist() for name in names}
    return last, {name: Counter(as_text(row, moved) for row in rows[name]) for name in names}


def _last(output: Path) -> int:
    return max(int(row.get("batch", 0)) for row in pq.read_table(output / "run").to_pylist())


def _read(output: Path, name: str, last: int) -> pa.Table:
    names = captures.SCHEMAS[name].names
    if not last:
        return dataset(output / name, format="parquet").to_table(names)
    valid = (field("batch") <= last) & ((field("open") == 0) | (field("batch") == last))
    folders = partitioning(_FOLDERS, flavor="hive")
    return dataset(output / name, format="parquet", partitioning=folders).to_table(names, filter=valid)


_FOLDERS = pa.schema({"batch": pa.int32(), "open": pa.int32(), "date": pa.string(), "sensor": pa.string()})


def expected_flows(truth: Path) -> dict[Flow, list[Span]]:
    """What the generator says."""
    flows: dict[Flow, list[Span]] = defaultdict(list)
    for row in pq.read_table(truth).to_pylist():
        if row["kind"] != "ping":
            ends = row["src"], row["src_port"], row["dst"], row["dst_port"]
            flow = row["file"], *ends, row["connection"]
            flows[flow].append((row["offset"], row["kind"], row["length"], row["data"]))
    return {flow: sorted(spans, key=lambda span: span[0]) for flow, spans in flows.items()}


def found_flows(rows: Iterable[Mapping[str, Any]]) -> dict[Flow, list[Span]]:
    """What the tables say: the same, if junk that touches junk is taken together, as parts of packets are."""
    by_flow: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        if (
            row["transport"] == "tcp"
            and row.get("flow")
            and row.get("kind") != "conflict"
            and not row.get("partial")
        ):
            by_flow[row["flow"]].append(row)
    by_ends: dict[tuple[str, str, int, str, int], list[list[Mapping[str, Any]]]] = defaultdict(list)
    for found in by_flow.values():
        found.sort(key=lambda row: row["offset"])
        one = next(row for row in found if row["file"])
        file = one["file"].rpartition("/")[2]
        by_ends[file, one["src"], one["src_port"], one["dst"], one["dst_port"]].append(found)
    flows = {}
    for ends, several in by_ends.items():
        several.sort(key=lambda found: min(row["first_frame"] for row in found))
        for number, found in enumerate(several):
            flows[*ends, number] = _joined(found)
    return flows


def _joined(rows: list[Mapping[str, Any]]) -> list[Span]:
    spans: list[Span] = []
    for row in rows:
        kind = "packet" if "type" in row else "junk" if "cause" in row else "gap"
        span = row["offset"], kind, row["size"], row.get("data")
        if kind == "junk" and spans and spans[-1][1] == "junk":
            offset, _, size, data = spans.pop()
            span = offset, kind, size + row["size"], (data or b"") + row["data"]
        spans.append(span)
    return spans
