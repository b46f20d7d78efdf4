"""The page of the Spark job with hostile texts; needs no session."""

from __future__ import annotations

from msmq_wire.spark._reports.report import report_of
from msmq_wire.spark._reports.summary import Summary
from msmq_wire.spark.pipeline import Stage

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
