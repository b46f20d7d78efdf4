"""Judges many legal histories and shows those that a session monitor reports.

``python tests/fuzz/histories.py FIRST LAST`` takes the seeds from FIRST up to LAST.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "support"))
from support_histories import History, judged

_STEP = 1000


def main(first: int, last: int) -> int:
    """Return the number of histories with findings."""
    started, packets, alarms = time.process_time(), 0, 0
    for seed in range(first, last):
        history = History(seed)
        packets += sum(len(connection.tapes["client"]) for connection in history.connections)
        found = [(view, findings[0]) for view, findings in judged(history, seed) if findings]
        alarms += bool(found)
        for view, finding in found:
            sys.stdout.write(f"{seed}, {view}: {finding}\n")
        if (seed + 1 - first) % _STEP == 0:
            used = time.process_time() - started
            sys.stdout.write(
                f"{seed + 1 - first} histories, {packets} packets, {alarms} false alarms, {used:.0f} s\n"
            )
            sys.stdout.flush()
    return alarms


if __name__ == "__main__":
    raise SystemExit(bool(main(int(sys.argv[1]), int(sys.argv[2]))))
