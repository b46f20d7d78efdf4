"""Whatever packets follow each other, the monitor judges them, and all that it remembers is plain data."""

from __future__ import annotations

import json
from typing import Literal

from harness import instrumented, main

with instrumented():
    import msmq_wire as mw
    from msmq_wire.session_monitor import SessionMonitor

MODULES = ("session_monitor", "_session_steps", "_session_state")
KIND = "stream"
HEAD = 16
"""So many bytes say how the monitor begins and which way each packet goes; the packets are behind."""


def check(data: bytes) -> None:
    plan = data[:HEAD] or b"\0"
    packets = mw.PacketStream(1 << 16).frames(data[HEAD:], final=True)
    idle, one = bool(plan[0] & 1), bool(plan[0] & 2)
    monitor = SessionMonitor(idle=idle, one_connection=one)
    resumed = SessionMonitor(idle=idle, one_connection=one)
    for number, item in enumerate(packets):
        choice = plan[number % len(plan)]
        way: Literal["->", "<-"] = "->" if choice & 4 else "<-"
        if choice & 0xF0 == 0xF0:
            monitor.gap(way)
            resumed.gap(way)
        if not hasattr(item, "packet"):
            said, again = monitor.unreadable(way, item.error), resumed.unreadable(way, item.error)
        else:
            said, again = monitor.feed(way, item.packet), resumed.feed(way, item.packet)
        assert said == again
        resumed = SessionMonitor.restore(json.loads(json.dumps(resumed.snapshot())))
    assert monitor.summary == resumed.summary
    assert monitor.disconnect() == resumed.disconnect()


if __name__ == "__main__":
    main(__name__)
