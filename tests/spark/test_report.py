"""The numbers that tasks of the Spark job count, and the page that shows them; needs no session."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa

from msmq_wire.spark._reports import report
from msmq_wire.spark._reports.report import report_of
from msmq_wire.spark._reports.statistics import TaskStatistics
from msmq_wire.spark._reports.summary import Summary, summary_of
from msmq_wire.spark.pipeline import Stage

if TYPE_CHECKING:
    from msmq_wire.spark.pipeline import Pipeline

HOSTILE = "</pre><script>owned()</script>\x1b[2J\n\u202e\ud800"


def test_hostile_texts() -> None:
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
        traffic=[(0, "UserMessage", 1)],
        edges=[(HOSTILE, HOSTILE, 1)],
        stages=list[Stage](),
        seconds=1.0,
    )
    lines = str(summary).splitlines()
    assert all(line.isprintable() for line in lines)
    page = report_of(summary, HOSTILE)
    page.encode()
    assert "owned()</script>" not in page
    assert "\x1b[2J" not in page
    assert "<title>&lt;/pre&gt;&lt;script&gt;owned()&lt;/script&gt;\\x1b[2J\\n\\u202e\\ud800</title>" in page


MESSAGES = [
    ("{b}\\1", None, "DIRECT=OS:shop\\orders"),
    ("{b}\\2", None, "DIRECT=OS:shop\\orders"),
    ("{a}\\9", None, "DIRECT=OS:bank\\orders"),
    ("{a}\\8", "DIRECT=OS:desk\\replies", "DIRECT=OS:shop\\orders"),
    ("{a}\\7", None, None),
]
"""The columns message, response_queue and destination."""
EDGES = [
    ("manager {b}", "DIRECT=OS:shop\\orders", 4),
    ("DIRECT=OS:desk\\replies", "DIRECT=OS:shop\\orders", 2),
    ("manager {a}", "DIRECT=OS:bank\\orders", 2),
]


def counted(*all_facts: TaskStatistics) -> Summary:
    """The summary of a run whose tasks counted these."""
    whole = TaskStatistics()
    for facts in all_facts:
        whole.add(facts)
    return summary_of(cast("Pipeline", SimpleNamespace(facts=whole, stages=[])), 2.0)


def test_from_queue_to_queue() -> None:
    """The senders of two tasks, most messages first, and the same as links between two columns of nodes."""
    columns = dict(
        zip(("message", "response_queue", "destination"), zip(*MESSAGES, strict=True), strict=True)
    )
    batch = pa.RecordBatch.from_pydict(
        {name: pa.array(values, pa.string()) for name, values in columns.items()}
    )
    tasks = TaskStatistics(), TaskStatistics()
    for facts in tasks:
        facts.take("messages", batch)
    summary = counted(*tasks)
    assert summary.edges == EDGES
    link, node = (report.queue_figure(summary).data[0][name] for name in ("link", "node"))
    drawn = zip(link["source"], link["target"], link["value"], strict=True)
    assert [(node["label"][source], node["label"][target], count) for source, target, count in drawn] == EDGES
    assert set(link["source"]).isdisjoint(link["target"])


def test_intervals_of_time() -> None:
    """Packets that come each second for an hour: about sixty intervals, in milliseconds, none twice."""
    begin = dt.datetime(2024, 2, 29, 23, 30, tzinfo=dt.UTC)
    tasks = []
    for half in range(2):
        times = [begin + dt.timedelta(seconds=half * 1800 + second) for second in range(1800)]
        columns: dict[str, Any] = {
            "time": pa.array(times, pa.timestamp("us", "UTC")),
            "type": ["UserMessage", "SessionAck"] * 900,
            "partial": [False] * 1800,
        }
        facts = TaskStatistics()
        facts.take("packets", pa.RecordBatch.from_pydict(columns))
        tasks.append(facts)
    summary = counted(*tasks)
    assert summary.packets == [("SessionAck", 1800), ("UserMessage", 1800)]
    bars = {bar.name: bar for bar in report.traffic_figure(summary).data}
    assert list(bars) == ["SessionAck", "UserMessage"]
    for bar in bars.values():
        assert sum(bar.y) == 1800
        assert 55 <= len(bar.x) <= 61
        assert bar.x[0] == begin
        assert abs(bar.x[-1] - begin - dt.timedelta(hours=1)) < dt.timedelta(seconds=70)
        assert max(bar.y) - min(bar.y) <= 32
