"""The numbers that tasks of the Spark job count, as text; needs no session."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pyarrow as pa

from msmq_wire.spark._reports.statistics import TaskStatistics
from msmq_wire.spark._reports.summary import Summary, summary_of

if TYPE_CHECKING:
    from msmq_wire.spark.pipeline import Pipeline

HOSTILE = "</pre><script>owned()</script>\x1b[2J\n\u202e\ud800"


def test_hostile_texts_are_printable() -> None:
    counts = [(HOSTILE, 1)]
    summary = Summary(
        packets=counts,
        violations=counts,
        quarantine=counts,
        damaged=[(HOSTILE, HOSTILE)],
        objects=counts,
        sessions=counts,
        captured=1,
        balance=dict.fromkeys(("bytes", "in_packets", "in_quarantine", "in_gaps", "difference"), 0),
        seconds=1.0,
    )
    lines = str(summary).splitlines()
    assert all(line.isprintable() for line in lines)


def test_packets_of_two_tasks_are_added() -> None:
    """The most frequent type first; packets that cannot be read whole are not counted."""
    whole = TaskStatistics()
    for size in (1, 2):
        rows = [("UserMessage", False)] * size + [("SessionAck", False)] * 2 + [("SessionAck", True)]
        kinds, partial = zip(*rows, strict=True)
        facts = TaskStatistics()
        facts.take("packets", pa.RecordBatch.from_pydict({"type": kinds, "partial": partial}))
        whole.add(facts)
    summary = summary_of(cast("Pipeline", SimpleNamespace(facts=whole)), 2.0)
    assert summary.packets == [("SessionAck", 4), ("UserMessage", 3)]
