"""The whole job at several sizes, beside the local engine on the same captures in the same run.

1. Each runs in a process of its own, start of Python, Java and Spark included, with all tables; Spark also
   with the summary and the report.  More than a million packets are several millions, each with a seed of
   its own, in a directory for each sensor.
2. What counts is processor time of all processes, Java and Python apart: it is steadier than the clock where
   others work on the same machine.
3. The first two runs of the job on a machine prepare the archive from which Java then loads classes: measure
   later ones.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from support_spark import Stage, Usage, run_job, watched

from msmq_wire.testing.captures import Faults, write_captures

from .bench_captures import tables_command

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def one_file(directory: Path, packets: int) -> Path:
    """One capture of so many packets, those of `sensors` by time; what is there is taken."""
    path = directory / f"{packets}.pcap"
    if not path.exists():
        captures = [str(path) for folder in sensors(directory, packets) for path in sorted(folder.iterdir())]
        subprocess.run(["mergecap", "-F", "pcap", "-w", str(path), *captures], check=True)  # noqa: S603, S607  # Wireshark's
    return path


def row_of(packets: int, size: float, engine: str, seconds: float, usage: Usage) -> str:
    """Return the row of a run in the table of a page.

    Args:
        packets: How many.
        size: The size of the captures, in GB.
        engine: ``desk``, ``desk, one file`` or ``Spark``.
        seconds: How long it took by the clock.
        usage: What it took.
    """
    each = usage.seconds / packets * 1e6
    java = (
        (f"{usage.java_seconds / packets * 1e6:,.0f} µs", f"{usage.java:,.0f} MB") if usage.java else ("", "")
    )
    cells = (
        f"{packets:,}", f"{size:,.1f} GB", engine, f"{seconds:,.0f} s", f"{each:,.0f} µs", java[0],
        f"{max(usage.driver, usage.worker):,.0f} MB", java[1],
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def stage_row(packets: int, engine: str, stage: Stage) -> str:
    """Return the row of a stage of a run in the table of a page."""
    each = stage.seconds / packets * 1e6
    return f"| {packets:,} | {engine} | {stage.name} | {each:,.1f} µs | {stage.memory:,.0f} MB |"


def write_rows(page: Path, name: str, rows: Sequence[str], key: Sequence[int]) -> None:
    """Replace the rows with the same key in a table of a page, which stands between two marks.

    Args:
        page: The page.
        name: The name in the marks.
        rows: The new rows.
        key: The columns by which rows are told apart, number of packets first.
    """
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    head, mark, rest = page.read_text("utf-8").partition(begin)
    table, mark_of_end, rest = rest.partition(end)
    if not mark or not mark_of_end:
        raise SystemExit(f"{page} has no table between {begin.strip()} and {end.strip()}")

    def key_of(row: str) -> tuple[int, str, str]:
        packets, engine, stage = (row.split("|")[column].strip() for column in (*key, 0)[:3])
        return int(packets.replace(",", "")), engine, stage

    title, rule, *old = table.splitlines()
    replaced = {key_of(row) for row in rows}
    kept = [row for row in old if key_of(row) not in replaced]
    known = sorted([*kept, *rows], key=lambda row: key_of(row)[:2])  # stable: stages stay in their order
    page.write_text(
        f"{head}{begin}" + "".join(f"{line}\n" for line in (title, rule, *known)) + f"{end}{rest}", "utf-8"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packets", nargs="*", type=int, default=[200, 100_000], help="sizes")
    parser.add_argument("--one-file", nargs="*", type=int, default=[], help="sizes of one file, on the desk")
    parser.add_argument("--directory", type=Path, help="where captures are, and stay")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--memory", default="4g")
    parser.add_argument(
        "--write", type=Path, metavar="PAGE", help="a page whose tables of sizes and stages get the rows"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        directory = given.directory or Path(place)
        several = [(packets, engine) for packets in given.packets for engine in ("desk", "Spark")]
        for packets, engine in [*several, *((packets, "desk, one file") for packets in given.one_file)]:
            if engine == "desk, one file":
                inputs = [one_file(directory, packets)]
                captures = inputs
            else:
                inputs = sensors(directory, packets)
                captures = [path for folder in inputs for path in folder.iterdir()]
            output = Path(place, f"{engine}-{packets}")
            if engine == "Spark":
                seconds, usage, stages = run_job(inputs, output, given.master, given.memory)
            else:
                seconds, usage, stages = watched(tables_command(inputs, output), str.strip)
            shutil.rmtree(output)
            row = row_of(packets, sum(path.stat().st_size for path in captures) / 1e9, engine, seconds, usage)
            rows = [stage_row(packets, engine, stage) for stage in stages]
            print(row, *rows, sep="\n", flush=True)
            if given.write:
                write_rows(given.write, "scale", [row], (1, 3))
                write_rows(given.write, "stages", rows, (1, 2, 3))


if __name__ == "__main__":
    main()
