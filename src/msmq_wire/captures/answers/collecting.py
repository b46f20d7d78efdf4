"""Collects what a bucket has for evidence: packets, messages, removals, missing bytes and sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.spool import Spool
from msmq_wire.packets.reassembly import Kind

from .evidence import (
    LIGHT_MESSAGES,
    LIGHT_PACKETS,
    LIGHT_REMOVALS,
    LOSSES,
    MANAGERS,
    Connections,
    evidence,
    light_messages,
    light_packets,
    light_removals,
    losses,
    managers,
)
from .hosts import SIGHTED, sightings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVIDENT: Final = "evidence"
"""The name of the evidence about messages, as gathered rows."""

_ROWS: Final = 20_000
_SCHEMAS: Final = {
    "packets": LIGHT_PACKETS, "messages": LIGHT_MESSAGES, "losses": LOSSES, "managers": MANAGERS,
    "removals": LIGHT_REMOVALS,
}  # fmt: skip
_LOST: Final = pa.array([str(kind) for kind in Kind if kind.in_stream and kind is not Kind.PACKET])


class EvidenceCollector:
    """Collects the evidence of the connections of a bucket.

    Args:
        wanted: Which of `EVIDENT` and `SIGHTED` are wanted.
        directory: The directory for files, which other processes share.
        number: The number of the bucket.
        memory: How many bytes may be in memory; files have the others.
    """

    def __init__(self, wanted: frozenset[str], directory: Path, number: int, memory: int) -> None:
        self._wanted = wanted
        self._memory = memory
        self._held = 0
        self._spools = {
            name: Spool(schema, directory / f"collected-{name}-{number}", None)
            for name, schema in _SCHEMAS.items()
        }

    def add_packets(self, pieces: pa.RecordBatch, _: Any, packets: pa.RecordBatch) -> None:
        """Add pieces of flows: rows of `packets`, and rows of missing bytes."""
        lost = pc.and_(pc.is_in(pieces.column("kind"), _LOST), pc.equal(pieces.column("transport"), "tcp"))
        self._add("losses", losses(pieces.select([*LOSSES.names[:-1], "kind"]).filter(lost)))
        self._add("packets", light_packets(packets))

    def add_messages(self, messages: pa.RecordBatch) -> None:
        """Add rows of `messages`."""
        self._add("messages", light_messages(messages))

    def add_removals(self, removals: pa.RecordBatch) -> None:
        """Add rows of `REMOVALS`."""
        self._add("removals", light_removals(removals))

    def add_sessions(self, sessions: pa.RecordBatch) -> None:
        """Add rows of `sessions`."""
        self._add("managers", managers(sessions))

    def _add(self, name: str, batch: pa.RecordBatch) -> None:
        """Add rows; those of all kinds share the memory, and therefore move to files together."""
        self._spools[name].add(batch)
        self._held += batch.nbytes
        if self._held > self._memory:
            for spool in self._spools.values():
                spool.spill()
            self._held = 0

    def tables(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Yield rows of `EVIDENCE` and `SIGHTINGS`; afterwards nothing can be added."""
        tables = {
            name: pa.Table.from_batches(self._spools[name].batches(), schema)
            for name, schema in _SCHEMAS.items()
        }
        if not tables["packets"].num_rows:
            return
        connections = Connections(**tables)
        for name, rows in ((EVIDENT, evidence), (SIGHTED, sightings)):
            if name in self._wanted:
                for batch in rows(connections).to_batches(max_chunksize=_ROWS):
                    yield name, batch

    def close(self) -> None:
        """Delete everything."""
        for spool in self._spools.values():
            spool.close()
