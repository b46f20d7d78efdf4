"""Whatever is in a capture file, tables come out of it that add up, and damage of one kind is one row."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from harness import instrumented, main

with instrumented():
    from msmq_wire.captures import engine, table_builder
    from msmq_wire.captures.files.sources import Source, packing_of

MODULES = (
    "captures.files.containers",
    "captures.files.pcap",
    "captures.files.pcapng",
    "captures.files.reading",
    "captures.network.frames",
    "captures.files.live",
)
KIND = None
HEAD = 2
"""The first byte chooses how the file is read, the second how it is cut where it comes through a pipe."""
_EXPANSION, _FRAME, _PACKET = 50, 4096, 1 << 16


def check(data: bytes) -> None:
    choice, piece = (data + bytes(HEAD))[:HEAD]
    settings = engine.Settings(
        tcp_ports=frozenset({1801}) if choice & 1 else None,
        max_frame=_FRAME,
        max_packet_size=_PACKET,
        expansion=_EXPANSION,
        level=("must", "should", "practice")[choice >> 1 & 1],
    )
    with tempfile.TemporaryDirectory(prefix="fuzz-") as place:
        path = Path(place, "capture")
        path.write_bytes(data[HEAD:])
        whole = _tables(engine.run([os.fspath(path)], settings=settings))
    flows = sum(row["size"] for row in whole["flows"])
    parts = [row for name in ("packets", "gaps", "quarantine") for row in whole[name]]
    apart = {"conflict", "directory"}
    assert flows == sum(
        row["size"]
        for row in parts
        if row["flow"] and row.get("kind") not in apart and not row.get("partial")
    )
    assert not any(row["difference"] for row in whole["balance"])
    damaged = [row for row in whole["quarantine"] if row["kind"] in {"file", "frame"}]
    kinds = Counter((row["kind"], row["cause"]) for row in damaged)
    assert all(count == 1 for count in kinds.values())
    assert all(row["places"] >= 1 for row in whole["quarantine"])
    size = (1, 17, 500, 1 << 16)[piece & 3]
    chunks = (data[at : at + size] for at in range(HEAD, min(len(data), HEAD + 300 * size), size))
    live = _tables(engine.run_live(Source(chunks, live=True), "pipe", settings=settings))
    # Where what is packed is damaged, what is read of it before that is known depends on how it comes.
    if HEAD + 300 * size >= len(data) and not packing_of(data[HEAD:]):
        assert _places(live) == _places(whole)


def _places(rows: dict[str, list[dict[str, Any]]]) -> int:
    """How many places could not be read."""
    return sum(row["places"] for row in rows["quarantine"] if row["kind"] in {"file", "frame"})


def _tables(batches: Any) -> dict[str, list[dict[str, Any]]]:
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in table_builder.TABLES}
    for name, batch in batches:
        rows[name] += batch.to_pylist()
    return rows


if __name__ == "__main__":
    check(b"")  # what is imported late takes longer than an input may
    main(__name__)
