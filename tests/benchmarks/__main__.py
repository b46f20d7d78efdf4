"""Run the comparisons: ``python -m benchmarks [--quick] [--write FOLDER] [SECTION ...]``."""

# ruff: noqa: E402  # run as a program, it finds the helpers of the tests first

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "support")]

from . import report
from .sections import SECTIONS, Effort, Table

_PAGE = """# Benchmarks

Made by `nox -s bench`; do not edit. HAND is the fastest hand-written Python for each packet: no layout, no
loop over fields, the cheapest possible records, the same checks. Its source is in `tests/benchmarks/hand.py`.
All contenders run alternately. Every time is a median, and every ratio is a median of ratios of one round,
so a busy machine affects the times more than the ratios. Before the measurement, all contenders have decoded
the same values and encoded the same bytes.

Kaitai Struct's generated reader cannot write. The other libraries read only the form of message that is
measured; msmq_wire reads every form.

![Ratios to HAND](benchmarks.svg)

"""


def main() -> None:
    """Time the sections that were asked for, print the tables, and write the pages."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}")
    parser.add_argument("--quick", action="store_true", help="few rounds: only to see that it runs")
    parser.add_argument("--write", type=Path, help="folder for benchmarks.md, .json and .svg")
    chosen = parser.parse_args()
    effort = Effort(3, 0.002, 4_000_000) if chosen.quick else Effort(11, 0.02, 100_000_000)
    tables: list[Table] = []
    for name in chosen.sections or SECTIONS:
        made = SECTIONS[name](effort)
        print(report.markdown(made), flush=True)
        tables += made
    if chosen.write:
        page = chosen.write / "benchmarks.md"
        page.write_text(_PAGE + report.markdown(tables), encoding="utf-8")
        text = json.dumps(report.plain(tables), indent=1)
        page.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
        report.plot(tables, page.with_suffix(".svg"))


if __name__ == "__main__":
    main()
