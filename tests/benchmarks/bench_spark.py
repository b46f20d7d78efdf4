"""The whole job at several sizes, beside the local engine on the same captures in the same run.

1. Each runs in a process of its own, start of Python, Java and Spark included, with all tables, the summary
   and the report.  More than a million packets are several millions, each with a seed of its own, in a
   directory for each sensor.
2. What counts is processor time of all processes, Java and Python apart: it is steadier than the clock where
   others work on the same machine.
3. The first two runs of the job on a machine prepare the archive from which Java then loads classes: measure
   later ones.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from support_spark import run_job

from msmq_wire.testing.captures import Faults, write_captures

from .bench_captures import write_tables

MOST = 1_000_000


def sensors(directory: Path, packets: int) -> list[Path]:
    """Captures of so many packets, a directory for each sensor and million; what is there is taken."""
    inputs = []
    for seed in range(1, max(packets // MOST, 1) + 1):
        place = directory / f"{min(packets, MOST)}-{seed}"
        if not place.exists():
            write_captures(place, min(packets, MOST), seed=seed, faults=Faults.all(), managers=200, files=8)
        inputs.append(place / "captures")
    return inputs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packets", nargs="*", type=int, default=[200, 100_000], help="sizes")
    parser.add_argument("--directory", type=Path, help="where captures are, and stay")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--memory", default="4g")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        for packets in given.packets:
            inputs = sensors(given.directory or Path(place), packets)
            local = write_tables(inputs, Path(place, f"local-{packets}"))
            shown = f"{local.clock:,.1f} s, {local.processor / packets * 1e6:,.0f} us of cpu a packet"
            print(f"{packets:,} packets, local engine: {shown}, {local.memory:,.0f} MB", flush=True)
            seconds, usage = run_job(inputs, Path(place, f"tables-{packets}"), given.master, given.memory)
            each = usage.seconds / packets * 1e6, usage.java_seconds / packets * 1e6
            shown = f"{seconds:,.1f} s, {each[0]:,.0f} us of cpu a packet, {each[1]:,.0f} of them in Java"
            print(f"{packets:,} packets, Spark: {shown}; {usage}", flush=True)


if __name__ == "__main__":
    main()
