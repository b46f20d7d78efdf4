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
        counts={"packets": counts, "quarantine": counts},
        damaged=[(HOSTILE, HOSTILE)],
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
    pipeline = SimpleNamespace(facts=whole, tables=["packets", "violations"])
    summary = summary_of(cast("Pipeline", pipeline), 2.0)
    assert summary.counts == {"packets": [("SessionAck", 4), ("UserMessage", 3)], "violations": []}


def test_what_was_not_asked_for_is_not_counted() -> None:
    """A table that was not made has no number."""
    pipeline = SimpleNamespace(facts=TaskStatistics(captured=5), tables=["messages", "sessions"])
    text = str(summary_of(cast("Pipeline", pipeline), 2.0))
    assert "packets/s" not in text
    assert [line for line in text.splitlines() if line[:1] != " "] == [
        "Sessions by outcome:",
        "Balance:",
        "5 bytes in 2.0 s: 0.0 MB/s",
    ]
